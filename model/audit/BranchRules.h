// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Finding.h"
#include "model/catalog/Catalog.h"

#include <QByteArray>
#include <QStringList>

#include <optional>

namespace tmx {

/// Rules of a branch as a whole, where those of Audit.h are of one recipe. Pure and thread-safe.

/// What is wrong with settings. `former`: those that they were made from, whose pins are known to hold their versions;
/// null: there are none.
QList<Finding> auditSettings(const Catalog &catalog, const Settings &settings, const Settings *former = nullptr);

inline constexpr QLatin1StringView readmeFileName{"README.md"};
/// Lines of their own in a README, between which the program writes; in a code block they mean nothing. The first may
/// name columns: "<!-- torch-matrix: begin links totals -->".
inline constexpr QByteArrayView readmeBegin = "<!-- torch-matrix: begin -->";
inline constexpr QByteArrayView readmeEnd = "<!-- torch-matrix: end -->";

/// The columns that the first marker names; nullopt: the line is no such marker.
std::optional<QStringList> readmeColumns(const QByteArray &line);
/// The first marker with these columns.
QByteArray readmeBeginWith(const QStringList &columns);

/// What README.md says of the number of recipes of its branch, where `recipes` are there: in a sentence that names the
/// branch or says "this branch", in the row of a table of branches, between the program's own markers. A count of a
/// part of them (with CUDA, of one toolkit, of one family) passes.
QList<Finding> auditReadme(const QByteArray &readme, const QString &branch, const QList<Variant> &recipes);

} // namespace tmx
