// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/repository/GitValues.h"
#include "model/snapshot/RecipeCache.h"

namespace tmx {

/// A recipe of one branch as another's settings want it.
struct Carried {
    QByteArray text;
    QString remark;       ///< what is worth knowing; empty: nothing
    bool inPlace = false; ///< only what states the difference of the settings was changed
    QString lost = {};    ///< why its own words and changes are lost to the template; empty: they are not
};

/// Carries recipes from one branch's settings to others. A recipe that is what its template gives is rendered; in any
/// other only the bytes change that state what differs. Catalog and settings must outlive it.
class Carrier
{
public:
    Carrier(const Catalog &catalog, const Settings &source, const Settings &target)
        : m_catalog(catalog)
        , m_source(source)
        , m_target(target)
    {
    }

    /// In place alone; the same text where both settings build the variant in the same way. Error: it cannot be done
    /// without guessing.
    [[nodiscard]] Result<Carried> inPlace(const QByteArray &text, const Variant &from, const Variant &to) const;

    /// `asRendered`: what the template gives under the old settings; `given`: under the new ones. Error: neither way
    /// gives a recipe.
    Result<Carried> operator()(const QByteArray &text, const Variant &from, const Variant &to,
                               const Result<QByteArray> &asRendered, const Result<QByteArray> &given) const;

    /// Whether both settings build the variant in the same way, and its torch too.
    [[nodiscard]] bool sameBuild(const Variant &variant) const;
    /// Whether a template would be given other values for the variant. Another BLAS does not concern those that have
    /// none but the default, for example.
    [[nodiscard]] bool concerns(const Variant &variant) const;
    /// `rendered`, the template's text for the variant under the new settings, where it does what they say. Error: it
    /// was none; the template has no place for what is new (notFollowed()).
    [[nodiscard]] Result<QByteArray> following(const Result<QByteArray> &rendered, const Variant &from,
                                               const Variant &to) const;

private:
    const Catalog &m_catalog;
    const Settings &m_source;
    const Settings &m_target;
};

/// The settings that the recipes of a branch state, whatever its torch-matrix.toml says: those that their texts are
/// carried from when the file was changed. What no recipe states, templates and notation are as in `settings`, which
/// are the branch's.
Settings statedSettings(const RecipeCache &recipes, const BranchContent &content, const Settings &settings);

} // namespace tmx
