// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/recipe/RecipeFacts.h"

#include <QByteArray>
#include <QRegularExpression>

namespace tmx {

/// A readable text in a recipe, split into sentences: a description, what a phase prints, or a line of its header.
class Prose
{
public:
    explicit Prose(WrittenText text);

    struct Mention {
        QRegularExpressionMatch match;
        qsizetype from = 0; ///< offset in the text
    };
    /// Every match in a sentence about this recipe. Leaves out sentences that refer to another recipe ("For RTX 5090,
    /// use sm120 builds instead.") and negated ones.
    [[nodiscard]] QList<Mention> mentions(const QRegularExpression &words) const;
    /// The place of the words, or of a part that is captured; of the whole text if they are not written in one place.
    [[nodiscard]] Spot spotOf(const Mention &mention, int part = 0) const
    {
        return m_text.spotOf(mention.match.capturedStart(part), mention.match.capturedLength(part));
    }
    /// The sentence at this offset.
    [[nodiscard]] QStringView sentenceAt(qsizetype from) const;

private:
    struct Sentence {
        qsizetype from = 0;
        qsizetype end = 0;
        bool elsewhere = false;
    };
    [[nodiscard]] const Sentence *sentence(qsizetype from) const;

    WrittenText m_text;
    QList<Sentence> m_sentences;
};

/// The readable texts of a recipe: its description and long description, and what its phases print.
QList<Prose> proseOf(const PackageFacts &package);
/// The comment that a file begins with, a text for each of its lines; at most 40 lines.
QList<Prose> headerOf(const QByteArray &text);

/// Matches any of these as whole words: "A10" does not match in "A100", "L40" not in "L40S".
QRegularExpression anyOf(const QStringList &words);

/// A pattern that depends on the catalog or the recipe, compiled once per thread.
QRegularExpression compiledOnce(const QString &pattern, QRegularExpression::PatternOptions options = {});

} // namespace tmx
