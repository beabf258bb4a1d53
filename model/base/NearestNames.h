// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>

namespace tmx {

/// How many letters are inserted, removed, replaced or exchanged with their neighbour to make one text of the other;
/// `most` + 1 if that is more than `most`.
qsizetype lettersBetween(QStringView one, QStringView other, qsizetype most);

/// The names that a misspelt word may have meant: those that differ in the fewest letters (one that is added, missing,
/// another one, or in another order than its neighbour), at most one in four, and three. In the order of `names`, at
/// most three of them.
QStringList nearestNames(const QString &word, const QStringList &names);

/// "Did you mean main or next?"; empty if there is none.
QString meantSentence(const QStringList &meant);
/// The same for the nearest names.
QString meantSentence(const QString &word, const QStringList &names);

} // namespace tmx
