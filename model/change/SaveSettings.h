// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"
#include "model/repository/GitValues.h"
#include "model/snapshot/Inference.h"

#include <QHash>

#include <memory>
#include <optional>

namespace tmx {

/// The settings of a branch, and the file that describes them where there is one.
struct LineReading {
    QString branch;
    Settings line;
    Inference inference;            ///< what they were inferred from; empty where they were not
    QString problem;                ///< why the file could not be read; the settings are those without it then
    std::optional<QByteArray> file; ///< torch-matrix.toml as it is; nullopt: none
    bool checkedOut = true;
};

/// Reads the settings of a branch (empty: what is checked out). For workers and verbs.
Result<LineReading> readLineOf(const std::shared_ptr<const Catalog> &catalog, const QString &path,
                               const QString &branch = {});

/// The file that describes these settings, checked by reading it back. Errors: a version that is not known (of inferred
/// settings), or something else that no file can say.
Result<QByteArray> lineFileFor(const Catalog &catalog, const Settings &line);

/// Whether edited settings can be saved, and how many variants they promise.
struct LineVerdict {
    QString problem; ///< one sentence; empty: they can be saved
    QString warning; ///< of settings that can be saved: a version that the pin does not hold; empty: none
    int promised = 0;
    int impossible = 0; ///< of those: the coverage may list variants that cannot exist
    bool operator==(const LineVerdict &) const = default;
};

/// Writes the settings, reads them back as whoever opens the branch will, and counts. Pure.
LineVerdict judgeLine(const Catalog &catalog, const Settings &line);

/// By family: "pytorch/pinned-overlays-gpu", ...: templates that its recipes can be rendered from, sorted, the user's
/// own among them. Reads folders: for workers.
QHash<QString, QStringList> templatesByFamily(const Catalog &catalog);

} // namespace tmx
