// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/RecipeRenderer.h"

#include "model/recipe/RecipeContext.h"
#include "model/recipe/RecipeTemplates.h"

#include <QCoreApplication>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(tmx::RecipeRenderer)
};

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
};

RecipeRenderer::RecipeRenderer(const std::shared_ptr<const Catalog> &catalog, const QString &userTemplates)
    : d(new Private{catalog, RecipeTemplates(templateFolders(*catalog, userTemplates)), {}})
{
}

RecipeRenderer::~RecipeRenderer() = default;
RecipeRenderer::RecipeRenderer(RecipeRenderer &&) noexcept = default;
RecipeRenderer &RecipeRenderer::operator=(RecipeRenderer &&) noexcept = default;

Result<QByteArray> RecipeRenderer::render(const Settings &line, const Variant &variant)
{
    const auto context = recipeContext(*d->catalog, line, variant, d->tables);
    if (!context)
        return context.error();

    QString name = line.profileOf(variant).templateName;
    if (name.isEmpty()) {
        const Family *family = d->catalog->family(variant.family);
        name = variant.row == "darwin-mps"_L1 ? family->metalTemplate
               : variant.cuda.isEmpty()       ? family->cpuTemplate
                                              : family->gpuTemplate;
    }
    // A template builds one family: PyTorch's would give a torchvision recipe that builds PyTorch.
    if (!name.startsWith(variant.family + u'/'))
        return Error{Text::tr("render"),
                     variant.name(),
                     Text::tr("the settings of %1 have no template for it").arg(line.branch),
                     {}};

    auto text = d->templates.render(name, *context);
    if (!text)
        return text.error();
    return QStringView(*text).trimmed().toUtf8() + '\n';
}

} // namespace tmx
