// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Finding.h"
#include "model/catalog/Catalog.h"

#include <QByteArray>
#include <QStringList>

#include <optional>

namespace tmx {

/// Rules for a branch as a whole; those in Audit.h are for one recipe. Pure and thread-safe.

/// Findings in settings. `former`: the settings that they were made from, whose pins are known to contain their
/// versions; null: there are none.
QList<Finding> auditSettings(const Catalog &catalog, const Settings &settings, const Settings *former = nullptr);

inline constexpr QLatin1StringView readmeFileName{"README.md"};
/// Lines in a README between which the program writes; in a code block they are ignored. The first may name columns:
/// "<!-- torch-matrix: begin links totals -->".
inline constexpr QByteArrayView readmeBegin = "<!-- torch-matrix: begin -->";
inline constexpr QByteArrayView readmeEnd = "<!-- torch-matrix: end -->";

/// The columns that the first marker names; nullopt if the line is not such a marker.
std::optional<QStringList> readmeColumns(const QByteArray &line);
/// The first marker, with these columns.
QByteArray readmeBeginWith(const QStringList &columns);

/// Checks what README.md says about the number of its branch's recipes against `recipes`, the existing ones: in a
/// sentence that names the branch or says "this branch", in the row of a table of branches, and between the program's
/// own markers. Counts of a part of them (with CUDA, of one toolkit, of one family) are not checked.
QList<Finding> auditReadme(const QByteArray &readme, const QString &branch, const QList<Variant> &recipes);

} // namespace tmx
