// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Variant.h"

#include <QStringList>

namespace tmx {

/// Variants by what they share, in ever shorter forms, of which none leaves one out: "all of sm103; sm90, sm120 with
/// avx512", then counts: "sm103 × 6, sm90, sm120". `others`: those that they are told from. What none of the others has
/// is named alone, and a family, Python or toolkit that all have is not. Empty for no variants.
QStringList groupedForms(const QList<Variant> &variants, const QList<Variant> &others);
/// The longest of the forms that has at most so many letters, else the shortest.
QString groupedText(const QList<Variant> &variants, const QList<Variant> &others, qsizetype letters);
/// The groups of the longest form, a line each: for a tooltip.
QStringList groupedLines(const QList<Variant> &variants, const QList<Variant> &others);

} // namespace tmx
