// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Settings.h"

namespace tmx {

/// Chooses variants by parts of their names, as people write them. An empty part takes everything.
struct VariantFilter {
    QString family;  ///< "torchaudio", or one version of it: "torchaudio211", "torchaudio211-pt212"
    QString version; ///< the digits of the name, "026", or a version, "0.26": that of the name, else of the settings
    QString python;  ///< "python313", "3.13"; "none": without Python
    QString cuda;    ///< "12.9", "12_9"; "none": without CUDA

    [[nodiscard]] bool accepts(const Variant &variant, const Settings &settings) const;
    [[nodiscard]] bool isEmpty() const { return *this == VariantFilter{}; }
    bool operator==(const VariantFilter &) const = default;
};

} // namespace tmx
