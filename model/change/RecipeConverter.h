// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/snapshot/BranchContent.h"
#include "model/snapshot/RecipeCache.h"
#include "model/template/RecipeContext.h"

namespace tmx {

/// A recipe of one branch, adapted to another branch's settings.
struct Carried {
    QByteArray text;
    QString remark;         ///< a remark for the user; empty if there is none
    bool inPlace = false;   ///< only the parts that state a changed setting were changed
    QString lost = {};      ///< why the recipe's own text and changes are replaced by the template's; empty if they are
                            ///< not
    bool losesCode = false; ///< not only comments: the recipe builds something else than its own template's text
};

/// Adapts recipes of one branch to other settings. A recipe that equals its template's text is rendered; in any other
/// recipe only the bytes that state a changed setting are replaced. Cache and settings must outlive the object. For one
/// thread.
class RecipeConverter
{
public:
    /// `files`: what the recipes import, each time as they are then; nullptr: nothing. They must outlive the object
    /// too.
    RecipeConverter(const RecipeCache &recipes, const Settings &source, const Settings &target,
                    const std::shared_ptr<const RecipeFiles> *files = nullptr)
        : m_recipes(recipes)
        , m_catalog(*recipes.catalog())
        , m_source(source)
        , m_target(target)
        , m_files(files)
    {
    }

    /// Of the recipes that fetch nixpkgs, only those with the revision `only`, or one that begins so, get another.
    void replaceOnly(const QString &only, const QString &pin, const QString &hash)
    {
        m_onlyPin = only;
        m_pin = pin;
        m_pinHash = hash;
    }

    /// Only changes in place; returns the same text if both settings build the variant in the same way. Error: it is
    /// impossible without guessing.
    [[nodiscard]] Result<Carried> inPlace(const QByteArray &text, const Variant &from, const Variant &to) const;

    /// `asRendered`: the template's text under the old settings; `given`: under the new ones. Error: neither way gives
    /// a recipe.
    Result<Carried> operator()(const QByteArray &text, const Variant &from, const Variant &to,
                               const Result<QByteArray> &asRendered, const Result<QByteArray> &given) const;

    /// Whether both settings build the variant and its torch in the same way.
    [[nodiscard]] bool sameBuild(const Variant &variant) const;
    /// Whether a template would get different values for the variant. For example, another BLAS does not affect
    /// variants that only have the default.
    [[nodiscard]] bool concerns(const Variant &variant) const;
    /// The values of the new settings that the recipe does not have, each with its key and both values: "nixpkgs:
    /// 0182a361 in the recipe, 6a030d53 in the settings".
    [[nodiscard]] QStringList notFollowedKeys(const QByteArray &text, const Variant &variant) const;
    /// `rendered`, the template's text for the variant under the new settings, if it follows them. Error: it was an
    /// error already; the template cannot express what is new (notFollowed()).
    [[nodiscard]] Result<QByteArray> following(const Result<QByteArray> &rendered, const Variant &from,
                                               const Variant &to) const;

    /// Whether the recipe or what it imports states a nixpkgs that is not read as its own, or that stands in JSON or
    /// TOML; replaceStatedPins() replaces that.
    [[nodiscard]] bool statesUnread(const RecipeSource &recipe) const;

    /// The values for a variant under the old and the new settings. If the catalog does not have its row or instruction
    /// set, those of the cell are missing.
    [[nodiscard]] Result<QVariantHash> contextBefore(const Variant &variant) const;
    [[nodiscard]] Result<QVariantHash> contextAfter(const Variant &variant) const;

private:
    void limitPin(const QVariantHash &there, QVariantHash &wanted) const;
    /// The text with what the audit can fix in it.
    [[nodiscard]] QByteArray withoutMistakes(const QByteArray &text, const Variant &variant) const;
    [[nodiscard]] RecipeSource sourceOf(const QByteArray &text, const Variant &variant) const;

    const RecipeCache &m_recipes;
    const Catalog &m_catalog;
    const Settings &m_source;
    const Settings &m_target;
    const std::shared_ptr<const RecipeFiles> *m_files;
    QString m_onlyPin, m_pin, m_pinHash; ///< empty: all follow the settings
    mutable ContextTables m_tables;
};

/// The settings that the recipes of a branch state, whatever its torch-matrix.toml says: if that file was edited, the
/// recipes' texts are adapted from these. Values that no recipe states, templates and notation come from `settings`,
/// the branch's settings. A version that those leave unset is unset, unless `target` sets it.
Settings statedSettings(const RecipeCache &recipes, const BranchContent &content, const Settings &settings,
                        const Settings *target = nullptr);

} // namespace tmx
