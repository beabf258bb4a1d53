// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/Repository.h"
#include "model/template/RecipeRenderer.h"

#include <QTest>

/// A realistic repository: nine branches with their own settings, over a thousand recipes.
namespace tmx::test {

/// The recipes of settings for three Pythons, with their templates' texts; `generation` 1 and 2 are later states: a
/// tenth of the texts, or all of them, have changed.
inline QList<std::pair<QString, QByteArray>> recipesOfALine(const std::shared_ptr<const Catalog> &catalog,
                                                            const Settings &settings, int generation)
{
    QList<std::pair<QString, QByteArray>> files;
    RecipeRenderer renderer(catalog);
    for (const Variant &variant : settings.promised()) {
        for (const QByteArray python : {"python313", "python312", "python311"}) {
            const auto rendered = renderer.render(settings, variant);
            if (!rendered)
                qFatal("%s", qPrintable(rendered.error().sentence()));
            QByteArray text = *rendered;
            text.replace("python313", python);
            if (generation == 2 || (generation == 1 && files.size() % 10 == 0))
                text.replace("\"big-parallel\"",
                             "\"big-parallel\" \"generation-" + QByteArray::number(generation) + '"');
            if (generation == 2)
                text += "# " + QByteArray::number(generation) + '\n';
            files.append({variant.file().replace(QLatin1String("python313"), QString::fromLatin1(python)), text});
        }
    }
    return files;
}

/// Creates it in `folder`, which must not exist; returns the names of the branches. The first is checked out.
inline QStringList makeManyBranches(const std::shared_ptr<const Catalog> &catalog, const QString &folder)
{
    QList<NewBranch> branches;
    for (int generation = 0; generation < 3; ++generation) {
        for (const Settings &settings : catalog->builtIn) {
            const QString name =
                generation == 0 ? settings.branch : settings.branch + QStringLiteral("-%1").arg(generation);
            branches.append({name, QStringLiteral("Add the recipes\n"), recipesOfALine(catalog, settings, generation)});
        }
    }
    if (const Result<void> made = createRepository(folder, branches); !made)
        qFatal("%s", qPrintable(made.error().sentence()));
    QStringList names;
    for (const NewBranch &branch : branches)
        names.append(branch.name);
    return names;
}

} // namespace tmx::test
