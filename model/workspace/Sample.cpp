// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/Sample.h"

#include "model/repository/Repository.h"
#include "model/template/RecipeRenderer.h"
#include "model/workspace/EnvironmentFiles.h"

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QByteArray readme(const Settings &line, qsizetype count)
{
    QStringList toolkits;
    for (const QString &toolkit : line.toolkits())
        toolkits.append(line.common(&Profile::release, {{}, {}, {toolkit}}));
    return u"# build-pytorch, branch %1\n\n"
           "A sample build repository: PyTorch %2 with CUDA %3, %4 variants.\n\n"
           "The recipes are in `.flox/pkgs`, one file a variant; `flox build NAME` builds one (one to three hours each).\n"_s
               .arg(line.branch, line.versionOf(u"pytorch"_s), toolkits.join(u", "_s))
               .arg(count)
               .toUtf8();
}

} // namespace

Result<void> createSample(const std::shared_ptr<const Catalog> &catalog, const QString &folder)
{
    RecipeRenderer renderer(catalog);
    QList<NewBranch> branches;
    for (const Settings &line : catalog->lines) {
        const QList<Variant> promised = line.promised();
        NewBranch branch{line.branch, u"Add the %1 recipes of %2\n"_s.arg(promised.size()).arg(line.branch), {}};
        branch.files.append(environmentFiles(*catalog, line, u"build-pytorch"_s));
        branch.files.append({u"README.md"_s, readme(line, promised.size())});
        for (const Variant &variant : promised) {
            TM_TRY(text, renderer.render(line, variant));
            branch.files.append({variant.file(), std::move(text).value()});
        }
        branches.append(branch);
    }
    return createRepository(folder, branches);
}

} // namespace tmx
