// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchContent.h"
#include "model/template/RecipeRenderer.h"
#include "tests/support/BuiltInCatalog.h"

#include <QTest>

/// Contents of branches, composed file by file or complete for given settings. For tests of what is computed from them.
namespace tmx::testing {

inline QString recipePath(const QString &name)
{
    return QStringLiteral(".flox/pkgs/") + name + QStringLiteral(".nix");
}

/// A committed, clean recipe.
inline VersionedFile recipeFile(const QString &name, const QByteArray &text, bool withWorkTree = true)
{
    VersionedFile file{recipePath(name), text, std::nullopt};
    if (withWorkTree)
        file.onDisk = text;
    return file;
}

/// Adds a file below .flox/pkgs that recipes import, and lets them see it.
inline void addImported(BranchContent &content, const QString &name, const QByteArray &text)
{
    content.imported.append(recipeFile(name, text, content.withWorkTree));
    QList<RecipeFiles::File> files;
    for (const VersionedFile &file : content.files + content.imported)
        files.append({file.path, *file.committed, *file.committed, !file.path.contains(QStringLiteral("/lib/"))});
    content.shownFiles = content.committedFiles = std::make_shared<const RecipeFiles>(files);
}

/// A branch with every recipe of built-in settings, committed with its template's text.
inline BranchContent wholeLine(const QString &line, bool withWorkTree = true)
{
    const auto catalog = builtInCatalog();
    BranchContent content{line, QString(40, QLatin1Char('a')), withWorkTree, {}};
    RecipeRenderer renderer(catalog);
    const QList<Variant> promised = catalog->settings(line)->promised();
    for (const Variant &variant : promised) {
        const auto text = renderer.render(*catalog->settings(line), variant);
        if (!text)
            qFatal("%s", qPrintable(text.error().sentence()));
        content.files.append(recipeFile(variant.name(), *text, withWorkTree));
    }
    return content;
}

/// A branch whose GPU recipes all have a text that no built-in template gives, so that one is learned from them.
inline BranchContent inTheirOwnShape(bool withWorkTree = true)
{
    BranchContent content = wholeLine(QStringLiteral("main"), withWorkTree);
    for (VersionedFile &file : content.files) {
        file.committed->replace("preConfigure = (oldAttrs.preConfigure or \"\") + ''\n",
                                "preConfigure = (oldAttrs.preConfigure or \"\") + ''\n    export USE_OWN=1\n");
        if (withWorkTree)
            file.onDisk = file.committed;
    }
    content.branch = QStringLiteral("theirs");
    return content;
}

/// torch-matrix.toml with a newer PyTorch than its nixpkgs has, without the source hash of the TorchVision that belongs
/// to it: torchvision-python313-cuda12_8-sm90-avx2 cannot be rendered.
inline QByteArray lineWithoutSourceHash()
{
    return R"(base = "main"
[versions]
pytorch = "2.10.0"
torchvision = "0.25.0"
[hashes]
pytorch = "sha256-RKiZLHBCneMtZKRgTEuW1K7+Jpi+tx11BMXuS1jC1xQ="
[[profile]]
families = ["torchvision"]
torch_source = "sibling"
[[coverage]]
rows = ["sm90"]
isas = ["avx2"]
)";
}

inline VersionedFile *fileOf(BranchContent &content, const QString &name)
{
    for (VersionedFile &file : content.files) {
        if (file.path == recipePath(name))
            return &file;
    }
    qFatal("no file %s", qPrintable(name));
    return nullptr;
}

inline void removeFile(BranchContent &content, const QString &name)
{
    content.files.removeIf([&name](const VersionedFile &file) { return file.path == recipePath(name); });
}

} // namespace tmx::testing
