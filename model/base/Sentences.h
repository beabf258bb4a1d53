// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>

namespace tmx {

/// Sentences that stand on their own, after one another; empty ones are left out. What needs the sentence before it is
/// one text for the translator.
QString joinedSentences(QStringList sentences);
/// As it is where it ends with one or with a question mark.
QString withFullStop(const QString &sentence);
/// Without the one at its end, to be put into another sentence.
QString withoutStop(const QString &sentence);
/// A clause with a capital and a full stop.
QString asSentence(const QString &clause);

} // namespace tmx
