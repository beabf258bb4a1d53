// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/recipe/Edits.h"
#include "model/recipe/Mentions.h"
#include "model/recipe/RecipeFacts.h"

namespace tmx {

/// A recipe's text for another variant.
struct Exchanged {
    QByteArray text;
    QStringList remarks; ///< a sentence each: texts that were kept and may not fit the wanted variant, with their lines
};

/// `text`, the recipe of the variant with the context `from`, made the recipe of the one with `wanted` (contexts as
/// recipeContext() gives them): each place that states a value in which the two differ (names, GPU targets, CPU flags,
/// platforms, the CUDA package set, Python, version, pin, hashes, words in comments and descriptions) states the wanted
/// one; every other byte stays. Both must be of one family and of one kind (GPU, CPU, Metal). The result's facts are
/// read again and are those of `wanted`. Pure. Error: a fact that cannot be exchanged without guessing, with its line:
/// GPU targets that are not the variant's, work for AVX or for GPUs without cuDNN that the other does not need, a pin
/// that is not the one that is to be replaced.
Result<Exchanged> exchanged(const QByteArray &text, const Catalog &catalog, const QVariantHash &from,
                            const QVariantHash &wanted);

/// What `text` does not do as the context `wanted` has it, although `from` has it otherwise: the number of its meta,
/// the form of its GPU targets, the nixpkgs that it fetches. Lower case, without a full stop: "it writes no
/// .metadata-rev"; empty: nothing. Of a text that was rendered as well: a template need not have a place for
/// everything. Pure.
QString notFollowed(const RecipeFacts &facts, const QVariantHash &from, const QVariantHash &wanted);

/// Whether a platform is named among those of a recipe that is not for its variant's `platform` alone: such a list is
/// kept.
bool isOfOtherPlatforms(const Mention &mention, const RecipeFacts &facts, const QString &platform);

/// The compiler options of the CPU in the lists that they stand in: of the package, and of a torch that is built in the
/// file.
QList<QList<StatedText>> flagListsOf(const RecipeFacts &facts);

/// The compiler options of a recipe's CPU, where they are listed one a line as quoted texts: the lines, and how they
/// are laid out.
struct FlagLines {
    quint32 offset = 0; ///< of the first line
    quint32 length = 0; ///< up to the end of the last line, its line break left out
    QByteArray indent;
    bool comments = false;                 ///< there are comments behind them
    bool aligned = false;                  ///< in one column
    qsizetype column = 0;                  ///< of the comments, counted from the opening quotes of the flags
    QByteArray gap;                        ///< between the longest flag and its comment
    QHash<QString, QByteArray> notes = {}; ///< flag -> its comment with the "#"
};
/// nullopt: they are listed in another way.
std::optional<FlagLines> flagLines(const QByteArray &text, const QList<StatedText> &flags);

} // namespace tmx
