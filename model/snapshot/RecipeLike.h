// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Audit.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/snapshot/RecipeCache.h"
#include "model/template/FactExchange.h"

namespace tmx {

/// Turns the recipe of `reference` into the recipe of `wanted` (whose `text` is not read): exchanged() between the
/// contexts of their variants and settings, checked by the audit and by meaning. Pure. Errors: those of recipeContext()
/// and exchanged(); the audit finds an error that `reference` does not have; the reverse exchange has another meaning
/// than `reference`, so more than the named facts would change.
/// Where what `reference` imports has errors, what cannot be read is not compared; the remarks say it, and `unjudged`,
/// if set, gets them.
Result<Exchanged> recipeLike(const AuditInput &reference, const AuditInput &wanted, QStringList *unjudged = nullptr);

/// The text of a new recipe with each finding of that severity or a worse one fixed that the audit can fix in it, such
/// as what its Python needs and recipes for nixpkgs' own python3 do not have. Pure.
QByteArray completed(AuditInput made, Severity least = Severity::Warning);

/// What the name of the recipe `file` promises, as the context `wanted` has it, and the recipe does not do: GPU
/// targets, CPU flags, platforms, toolkit, Python, version, PyTorch, pname. `after`: its facts, with what it imports.
/// `before` and `from`: of the recipe that it was made from, for another name; then the parts of the name that differ
/// must be stated. Null and empty: only what is stated is compared. One clause with the file and the line; empty if
/// nothing is broken. `unjudged`, if set: what cannot be read in the other recipe either is no broken promise; gets a
/// clause for each such part. Pure.
QString brokenPromise(const QString &file, const RecipeFacts *before, const RecipeFacts &after,
                      const QVariantHash &from, const QVariantHash &wanted, QStringList *unjudged = nullptr);

/// The errors in imported files that all recipes of the variant's kind (its family, for GPUs or not) which import these
/// files have: an absolute path of another machine, a mistake in the builder. They say nothing about one of them. Not
/// those that hide what the files state: a file that git does not track, or that is not Nix.
QList<Finding> standingErrors(const BranchSnapshot &snapshot, const Variant &variant);

/// Why this text is no recipe of the branch: it imports nothing, and most of the family's recipes import files of the
/// repository. A clause, with the place of the error that keeps them from being a model; empty if it may be one.
QString whyNotAlone(const Catalog &catalog, const BranchSnapshot &snapshot, const Variant &variant,
                    const QByteArray &text);

/// The files with what a new recipe of the branch needs there (withTableEntries(), withListedVariant()). `created`: all
/// that are created with it; `unlisted`, if set: gets a sentence for each list there that should have it. Error: a
/// table that lacks an entry, or a value that does not follow the recipe's name, with its place (brokenPromise()).
Result<std::shared_ptr<const RecipeFiles>>
filesOfNew(const RecipeCache &recipes, const BranchSnapshot &snapshot, const std::shared_ptr<const RecipeFiles> &files,
           const Variant &variant, const QByteArray &text, QMap<QString, QByteArray> *changed,
           const QList<Variant> &created = {}, QStringList *unlisted = nullptr);

/// The variants whose recipes are there.
QList<Variant> variantsThere(const BranchSnapshot &snapshot);

struct LikeNeighbour {
    QByteArray text;
    QString model;             ///< package of the recipe that it was made from
    QString words;             ///< the same in a sentence: "that of Python 3.13"
    QStringList unjudged = {}; ///< as brokenPromise() has it
};

/// The recipe of a cell, made from the nearest recipe of this branch: the same cell for another Python; one for another
/// GPU; the same cell for another toolkit or version; one for the nearest instruction set. nullopt: the
/// template is sufficient, because the nearest recipe equals its text, or it is a built-in one that recipes of the
/// profile equal; or none of them can be turned into the wanted one. Uses only committed, unchanged recipes, so that
/// the result stays the same while others are being edited. `always`: also where the template should be sufficient,
/// because it gave no text. Pure.
std::optional<LikeNeighbour> recipeLikeItsNeighbours(const Catalog &catalog, const BranchSnapshot &snapshot,
                                                     const Variant &variant, bool always = false);
/// Whether the branch's template makes the variant's recipe as its neighbours would: the nearest one equals its text,
/// or it is a built-in one that recipes of the profile equal. Pure.
bool isServedByTemplate(const Catalog &catalog, const BranchSnapshot &snapshot, const Variant &variant);
/// What the built-in template makes of the first recipe of a profile, where the template that was learned from the
/// branch's recipes has no place for what its name promises, and that one has: recipes that select no toolkit tell
/// nothing of another one. nullopt: it does, or there is none.
struct BuiltInInstead {
    QByteArray text;
    QString origin; ///< a sentence for people
};
std::optional<BuiltInInstead> builtInInstead(const RecipeCache &recipes, const BranchSnapshot &snapshot,
                                             const Variant &variant, const QByteArray &learned);
/// From what the text of a new recipe is, a sentence for people: from which recipe (`like`), or that it is the built-in
/// template's although the branch has recipes of the family in their own words. Empty: from the branch's template.
QString originOfNew(const RecipeCache &recipes, const BranchSnapshot &snapshot, const Variant &variant,
                    const QByteArray &text, const std::optional<LikeNeighbour> &like);
/// A new recipe's text, completed().
QByteArray completedNew(const Catalog &catalog, const BranchSnapshot &snapshot, const Variant &variant,
                        const QByteArray &text);

} // namespace tmx
