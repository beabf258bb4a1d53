// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Variant.h"
#include "model/recipe/PackageFacts.h"

namespace tmx {

/// The text in a wrapper that does not say what its name says, in the notation in which another wrapper of the same
/// form has it: "120" in `sm = "120"` of a recipe for sm90, where that for sm80 has "80". Line 0: there is none;
/// nullopt: the two do not have the same form. `text` and `otherText` are recipes.
std::optional<Spot> wrongArgument(const Variant &variant, const QByteArray &text, const Variant &other,
                                  const QByteArray &otherText);

} // namespace tmx
