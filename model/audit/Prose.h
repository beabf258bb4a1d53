// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/recipe/RecipeFacts.h"

#include <QByteArray>
#include <QRegularExpression>

namespace tmx {

/// A text for people in a recipe, by its sentences: a description, what a phase prints.
class Prose
{
public:
    /// `file` is the whole recipe, `text` a part of it.
    Prose(const QByteArray &file, const StatedText &text);

    struct Mention {
        QRegularExpressionMatch match;
        qsizetype from = 0; ///< in the text
        Spot spot;          ///< of the words in the file; of the whole text where they do not stand together
    };
    /// Every match in a sentence that speaks of this recipe. Sentences that send the reader to another one ("For
    /// RTX 5090, use sm120 builds instead.") and those that say what is not there are left out.
    [[nodiscard]] QList<Mention> mentions(const QRegularExpression &words) const;
    /// The sentence that this place is in.
    [[nodiscard]] QStringView sentenceAt(qsizetype from) const;

private:
    struct Sentence {
        qsizetype from = 0;
        qsizetype end = 0;
        bool elsewhere = false;
    };
    [[nodiscard]] const Sentence *sentence(qsizetype from) const;
    [[nodiscard]] Spot spotOf(qsizetype from, const QString &words) const;

    QByteArray m_file;
    StatedText m_text;
    QList<Sentence> m_sentences;
};

/// What a recipe says to people: its description and long description, and what its phases print.
QList<Prose> proseOf(const QByteArray &file, const PackageFacts &package);

/// Any of these as words of their own: "A10" is not in "A100", "L40" not in "L40S".
QRegularExpression anyOf(const QStringList &words);

/// A pattern that depends on catalog or recipe, compiled where this thread has not done so before.
QRegularExpression compiledOnce(const QString &pattern, QRegularExpression::PatternOptions options = {});

} // namespace tmx
