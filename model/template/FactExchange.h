// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/recipe/Edits.h"
#include "model/recipe/RecipeFacts.h"
#include "model/template/VariantMentions.h"

namespace tmx {

/// A recipe's text for another variant.
struct Exchanged {
    QByteArray text;
    QStringList remarks; ///< one sentence each: kept texts that may not fit the wanted variant, with their lines
};

/// Turns `text`, the recipe of the variant with the context `from`, into the recipe for the context `wanted` (both from
/// recipeContext()): each place that states a differing value (names, GPU targets, CPU flags, platforms, the CUDA
/// package set, Python, version, pin, hashes, words in comments and descriptions) gets the wanted one; all other bytes
/// stay. Both must be of the same family and kind (GPU, CPU, Metal). The facts of the result are read again and checked
/// against `wanted`. Pure. Error: a fact that cannot be exchanged without guessing, with its line: GPU targets that are
/// not the variant's, special handling of AVX or of GPUs without cuDNN that the other variant does not need, or a pin
/// that is not the expected one; a compiler option or a driver of the old variant would be left anywhere in the text.
Result<Exchanged> exchanged(const QByteArray &text, const Catalog &catalog, const QVariantHash &from,
                            const QVariantHash &wanted);

/// The text with exactly the CPU flags that the context has for its instruction set; the same text if they are not
/// written out. Pure.
QByteArray withFlagsOf(const QByteArray &text, const Catalog &catalog, const QVariantHash &context);

/// A level of x86-64 in a text for ARM, such as "x86-64-v3"; empty: none. Pure.
QString levelOfOther(const QByteArray &text, const QVariantHash &context);

/// Gives `context` the values of `wanted` that files which the recipe imports state, as `facts` (of both) say, so that
/// exchanged() does not look for them in its text.
void takeImported(QVariantHash &context, const QVariantHash &wanted, const QByteArray &text, const RecipeFacts &facts);

/// What `text` does not do as the context `wanted` requires, although `from` differs: the number of its meta, the form
/// of its GPU targets, the nixpkgs that it fetches. Lower case, without a full stop: "it writes no .metadata-rev";
/// empty if nothing. Also for rendered texts, because a template may lack a place for a value. Pure.
QString notFollowed(const RecipeFacts &facts, const QVariantHash &from, const QVariantHash &wanted);

/// Whether a platform is mentioned in a recipe's list of platforms that has more than the variant's `platform`: such a
/// list is kept.
bool isOfOtherPlatforms(const Mention &mention, const RecipeFacts &facts, const QString &platform);

/// The CPU's compiler options, by the lists that contain them: of the package, of the library that it wraps, and of a
/// torch that is built in the file.
QList<QList<StatedText>> flagListsOf(const RecipeFacts &facts);

/// A recipe's CPU compiler options that are listed one per line as quoted texts: the lines and their layout.
struct FlagLines {
    quint32 offset = 0; ///< start of the first line
    quint32 length = 0; ///< up to the end of the last line, without its newline
    QByteArray indent;
    bool comments = false;                 ///< flags are followed by comments
    bool aligned = false;                  ///< the comments are in one column
    qsizetype column = 0;                  ///< column of the comments, counted from the opening quotes of the flags
    QByteArray gap;                        ///< between the longest flag and its comment
    QHash<QString, QByteArray> notes = {}; ///< comment with the "#", by flag
};
/// nullopt if they are listed in another way.
std::optional<FlagLines> flagLines(const QByteArray &text, const QList<StatedText> &flags);

} // namespace tmx
