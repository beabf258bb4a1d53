// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/template/RecipeRenderer.h"

#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/nix/Parse.h"
#include "model/template/FactExchange.h"
#include "model/template/RecipeContext.h"
#include "model/template/RecipeTemplates.h"
#include "model/template/VariantMentions.h"

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

QStringList templateFolders(const Catalog &catalog, const QString &userTemplates)
{
    QStringList folders{userTemplates, catalog.templateFolder};
    folders.removeAll(QString());
    folders.append(u":/torch-matrix/templates"_s);
    return folders;
}

} // namespace

struct RecipeRenderer::Private {
    std::shared_ptr<const Catalog> catalog;
    RecipeTemplates templates;
    ContextTables tables;
    QHash<QString, QString> learned; ///< name in `templates`, by text

    /// The name of a learned template in `templates`.
    QString named(const QString &name, const QString &text)
    {
        constexpr qsizetype most = 64; // A window may see many; later ones reuse the names of the first.
        if (learned.size() == most && !learned.contains(text))
            learned.clear();
        QString &own = learned[text];
        if (own.isEmpty()) {
            own = u"%1+%2"_s.arg(name).arg(learned.size());
            templates.insert(own, text);
        }
        return own;
    }
};

RecipeRenderer::RecipeRenderer(const std::shared_ptr<const Catalog> &catalog, const QString &userTemplates)
    : d(new Private{catalog, RecipeTemplates(templateFolders(*catalog, userTemplates)), {}, {}})
{
}

RecipeRenderer::~RecipeRenderer() = default;
RecipeRenderer::RecipeRenderer(RecipeRenderer &&) noexcept = default;
RecipeRenderer &RecipeRenderer::operator=(RecipeRenderer &&) noexcept = default;

Result<QByteArray> RecipeRenderer::render(const Settings &settings, const Variant &variant)
{
    const auto failed = [&](const QString &why, const QString &remedy = {}) {
        return Error{Tr::tr("render"), variant.name(), why, remedy};
    };
    const Family *family = d->catalog->family(variant.family);
    const QString name = settings.profileOf(variant).templateName;
    if (!family && !isLearned(name))
        return failed(Tr::tr("no template was learned from the recipes of %1").arg(variant.family),
                      forSurface(Tr::tr("Recipes of its kind without errors give one: \"audit\" lists the errors, and "
                                        "\"fix\" corrects some."),
                                 Tr::tr("Recipes of its kind without errors give one: Problems lists the errors.")));
    const auto context = recipeContext(*d->catalog, settings, variant, d->tables);
    if (!context)
        return context.error();

    const QString own = !family                          ? QString()
                        : variant.row == "darwin-mps"_L1 ? family->metalTemplate
                        : variant.cuda.isEmpty()         ? family->cpuTemplate
                                                         : family->gpuTemplate;
    // A template builds one family: PyTorch's would give a torchvision recipe that builds PyTorch.
    if (family && !isLearned(name) && !(name.isEmpty() ? own : name).startsWith(family->id + u'/'))
        return failed(Tr::tr("the settings of %1 have no template for it").arg(settings.branch));
    Result<QString> text =
        failed(Tr::tr("%1 has no recipe of its kind without errors to learn a template from").arg(settings.branch),
               Tr::tr("Choose another template."));
    if (!isLearned(name))
        text = d->templates.render(name.isEmpty() ? own : name, *context);
    else if (const QString learned = settings.learnedFor(variant, d->catalog->learnsFrom(variant)); !learned.isEmpty())
        text = learned.contains(u"source.hash"_s) && settings.profileOf(variant).sourceHash.isEmpty()
                   ? Result<QString>(failed(Tr::tr("the hash of its source is not set"),
                                            Tr::tr("Set hashes.%1.").arg(variant.family)))
                   : d->templates.render(d->named(name, learned), *context);
    // The family's own template may know what the recipes do not show. For a kind of variant without a recipe, the
    // parts of a learned template may not fit together.
    if (family && isLearned(name) && (!text || !nix::parse(text->toUtf8()).ok())) {
        if (Result<QString> other = d->templates.render(own, *context))
            text = std::move(other);
    }
    if (!text)
        return text.error();
    const QByteArray bytes = QStringView(*text).trimmed().toUtf8() + '\n';
    if (const QString level = levelOfOther(bytes, *context); !level.isEmpty())
        return failed(Tr::tr("line %1 of its recipe would have %2, which is not for %3")
                          .arg(lineAt(bytes, quint32(bytes.indexOf(level.toLatin1()))))
                          .arg(level, textAt(*context, u"isa.platform")),
                      Tr::tr("Write it by hand."));
    // The recipes that it was learned from may name a driver that is right for them only.
    return isLearned(name) ? withNewDrivers(bytes, *context) : bytes;
}

} // namespace tmx
