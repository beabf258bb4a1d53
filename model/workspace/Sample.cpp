// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/Sample.h"

#include "model/recipe/RecipeRenderer.h"
#include "model/repository/Repository.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// What `flox init` writes: the environment's name and the version of the file's format.
QByteArray environmentFile()
{
    return "{\n  \"name\": \"build-pytorch\",\n  \"version\": 1\n}\n";
}

/// The environment in which the recipes are built: it installs nothing that a build needs, since a Nix expression
/// brings its own inputs.
QByteArray manifest(const Catalog &catalog, const Settings &line)
{
    QStringList systems;
    for (const Variant &variant : line.promised()) {
        if (const Isa *isa = catalog.isa(variant.isa); isa && !systems.contains(isa->platform))
            systems.append(isa->platform);
    }
    systems.sort();
    systems.replaceInStrings(QRegularExpression(u"^(.*)$"_s), u"\"\\1\""_s);
    return u"version = 1\n\n"
           "[install]\n"
           "git.pkg-path = \"git\"\n\n"
           "[options]\n"
           "systems = [%1]\n"_s.arg(systems.join(u", "_s))
               .toUtf8();
}

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
        branch.files.append({u".flox/env.json"_s, environmentFile()});
        branch.files.append({u".flox/env/manifest.toml"_s, manifest(*catalog, line)});
        branch.files.append({u".gitignore"_s, "result-*\n"});
        branch.files.append({u"README.md"_s, readme(line, promised.size())});
        for (const Variant &variant : promised) {
            Result<QByteArray> text = renderer.render(line, variant);
            if (!text)
                return text.error();
            branch.files.append({variant.file(), std::move(text).value()});
        }
        branches.append(branch);
    }
    return createRepository(folder, branches);
}

} // namespace tmx
