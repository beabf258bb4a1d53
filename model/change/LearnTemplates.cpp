// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/LearnTemplates.h"

#include "model/base/AtomicFile.h"
#include "model/base/TextForm.h"
#include "model/recipe/RecipeContext.h"

#include <QCoreApplication>
#include <QFile>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::LearnTemplates)
};

} // namespace

Result<QList<LearnedProfile>> learnTemplates(const Catalog &catalog, const BranchSnapshot &snapshot,
                                             const ProfileSelector &where, const WorkHooks &hooks)
{
    struct Known {
        QList<KnownRecipe> recipes;
        std::optional<Error> error; ///< the first recipe without a context
    };
    QMap<ProfileKey, Known> profiles;
    ContextTables tables;
    for (const VariantEntry &entry : snapshot.entries) {
        const ProfileKey key = ProfileKey::of(entry.variant);
        if (!entry.present || entry.text.isEmpty() || !where.matches(key))
            continue;
        const auto context = recipeContext(catalog, snapshot.line, entry.variant, tables);
        Known &known = profiles[key];
        if (context)
            known.recipes.append({entry.variant, entry.text, *context});
        else if (!known.error)
            known.error = context.error();
    }
    QList<LearnedProfile> learned;
    for (auto it = profiles.cbegin(); it != profiles.cend(); ++it) {
        if (hooks.stopped())
            return stoppedError();
        hooks.tell(int(learned.size()), int(profiles.size()));
        learned.append({it.key(), it->recipes.isEmpty() && it->error ? Result<LearnedTemplate>(*it->error)
                                                                     : learnTemplate(catalog, it->recipes)});
    }
    return learned;
}

Result<QString> saveTemplate(const Catalog &catalog, const QString &name, const QString &text, bool replace)
{
    const auto failed = [&name](const QString &why, const QString &remedy = {}) {
        return Error{Words::tr("save the template"), name, why, remedy};
    };
    const QString word = uR"([A-Za-z0-9][A-Za-z0-9_-]*)"_s;
    if (!hasForm(name, word + u'/' + word) || !catalog.family(name.section(u'/', 0, 0)))
        return failed(Words::tr("that is not the name of a template"),
                      Words::tr("Names are FAMILY/SHAPE, such as pytorch/ours."));
    if (catalog.templateFolder.isEmpty())
        return failed(Words::tr("there is no folder for templates of your own"));
    const QString path = catalog.templateFolder + u'/' + name + ".nix"_L1;
    if (!replace && QFile::exists(path))
        return failed(Words::tr("%1 is there already").arg(path), Words::tr("Add --force to replace it."));
    const auto written = writeFileAtomically(path, text.toUtf8(), {}, replace ? Existing::Replace : Existing::Refuse);
    return written ? Result<QString>(path) : written.error();
}

} // namespace tmx
