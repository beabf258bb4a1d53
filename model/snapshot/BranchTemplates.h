// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchContent.h"
#include "model/snapshot/RecipeCache.h"
#include "model/template/LearnedTemplate.h"

namespace tmx {

/// The template of one profile, or why none can be learned.
struct LearnedProfile {
    ProfileKey key;
    Result<LearnedTemplate> learned;
};

/// learnTemplate() for the profiles of a branch that have recipes. It learns from the committed recipes, so that edits
/// do not change the result, and leaves out recipes with audit errors. `stated` are the settings that the recipes state
/// (inferred()): they tell which parts of a recipe are facts. A profile whose recipes did not change is not learned
/// again (RecipeCache::kept()).
class TemplateLearner
{
public:
    TemplateLearner(const RecipeCache &recipes, const BranchContent &content, const Settings &stated);

    [[nodiscard]] QList<ProfileKey> profiles() const { return m_profiles.keys(); }
    [[nodiscard]] Result<LearnedTemplate> learned(const ProfileKey &key, const Settings &stated) const;

private:
    struct Committed {
        Variant variant;
        QString file;
        QByteArray text;
    };
    [[nodiscard]] Result<LearnedTemplate> learn(const Settings &stated, const QList<Committed> &committed,
                                                const QHash<QString, QByteArray> &siblings) const;

    const RecipeCache &m_recipes;
    QMap<ProfileKey, QList<Committed>> m_profiles;
    QHash<QString, QByteArray> m_siblings; ///< texts by file name
    std::shared_ptr<const RecipeFiles> m_files;
};

/// Of each selected profile.
QList<LearnedProfile> learnedProfiles(const RecipeCache &recipes, const BranchContent &content, const Settings &stated,
                                      const ProfileSelector &where, const WorkHooks &hooks = {});

/// `settings` with the texts of the learned templates that its profiles name.
Settings withLearned(Settings settings, const RecipeCache &recipes, const BranchContent &content);

} // namespace tmx
