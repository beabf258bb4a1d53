// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/GitFixture.h"
#include "tests/support/Ran.h"

#include <QDir>
#include <QFile>

namespace tmx::test {

inline const QByteArray oldPin = "1a11111aaaa1111111111111111111111111111a";
inline const QByteArray newPin = "2b22222bbbb2222222222222222222222222222b";

/// A package of a pinned nixpkgs, as maintainers write it. `what`: the expression after the pin's name.
inline QByteArray pinnedRecipe(const QByteArray &pin, const QByteArray &toolkit, const QByteArray &what,
                               const QByteArray &comment = {})
{
    return comment +
           "{ pkgs ? import <nixpkgs> {} }:\nlet\n  pinned = import (builtins.fetchTarball {\n    url = "
           "\"https://github.com/NixOS/nixpkgs/archive/" +
           pin +
           ".tar.gz\";\n  }) {\n    config = { allowUnfree = true; cudaSupport = true; };\n    overlays = [ (final: "
           "prev: { "
           "cudaPackages = final.cudaPackages_" +
           toolkit + "; }) ];\n  };\nin\n  " + what + "\n";
}

inline QByteArray torchRecipe(const QByteArray &pin, const QByteArray &toolkit, const QByteArray &python,
                              const QByteArray &version, const QByteArray &name)
{
    return pinnedRecipe(
        pin, toolkit,
        "(pinned." + python +
            "Packages.torch.override { cudaSupport = true; gpuTargets = [ \"9.0\" ]; }).overrideAttrs (old: { "
            "pname = \"" +
            name + "\"; meta = old.meta // { description = \"PyTorch " + version + " for a GPU\"; }; })");
}

/// A package that brings its own torch.
inline QByteArray servedRecipe(const QByteArray &pin, const QByteArray &toolkit, const QByteArray &python,
                               const QByteArray &torch, const QByteArray &name)
{
    return pinnedRecipe(pin, toolkit,
                        "("
                        "pinned." +
                            python +
                            ".override { packageOverrides = self: super: { torch = super.torch.override { gpuTargets = "
                            "[ \"9.0\" ]; }; }; "
                            "}).pkgs.vllm.overrideAttrs (old: { pname = \"" +
                            name + "\"; meta = old.meta // { description = \"vLLM 0.15.1\"; }; })",
                        "# vLLM 0.15.1\n# Custom PyTorch " + torch + " built from source\n");
}

/// A folder with several real git repositories beside each other.
class FleetFixture
{
public:
    [[nodiscard]] QString path() const { return QDir(m_folder.path()).canonicalPath(); }
    [[nodiscard]] QString path(const QString &repository) const { return path() + QLatin1Char('/') + repository; }

    QByteArray git(const QString &repository, const QStringList &arguments) const
    {
        return outputOf(QStringLiteral("git"), arguments, path(repository));
    }

    /// Commits these files, by path, on a branch; creates repository and branch. Files of the branch before are
    /// removed. Returns the commit.
    QString commit(const QString &repository, const QString &branch, const QMap<QString, QByteArray> &files) const
    {
        const QDir dir(path(repository));
        if (!dir.exists(QStringLiteral(".git"))) {
            QDir().mkpath(dir.path());
            git(repository, {QStringLiteral("init"), QStringLiteral("-q"), QStringLiteral("-b"), branch});
        } else if (git(repository, {QStringLiteral("branch"), QStringLiteral("--list"), branch}).isEmpty()) {
            git(repository, {QStringLiteral("checkout"), QStringLiteral("-q"), QStringLiteral("-b"), branch});
        } else {
            git(repository, {QStringLiteral("checkout"), QStringLiteral("-q"), branch});
        }
        git(repository,
            {QStringLiteral("rm"), QStringLiteral("-rq"), QStringLiteral("--ignore-unmatch"), QStringLiteral(".")});
        for (auto it = files.begin(); it != files.end(); ++it) {
            const QString file = dir.filePath(it.key());
            QDir().mkpath(QFileInfo(file).path());
            QFile out(file);
            if (!out.open(QIODevice::WriteOnly))
                qFatal("cannot write %s", qPrintable(file));
            out.write(it.value());
        }
        git(repository, {QStringLiteral("add"), QStringLiteral("-A")});
        git(repository, {QStringLiteral("commit"), QStringLiteral("-q"), QStringLiteral("--allow-empty"),
                         QStringLiteral("-m"), QStringLiteral("Change the recipes")});
        return QString::fromLatin1(git(repository, {QStringLiteral("rev-parse"), QStringLiteral("HEAD")}));
    }

    /// PyTorch for some instruction sets on sm90.
    static QMap<QString, QByteArray> torches(const QByteArray &pin, const QByteArray &toolkit, const QByteArray &python,
                                             const QByteArray &version, const QList<QByteArray> &isas)
    {
        QMap<QString, QByteArray> files;
        for (const QByteArray &isa : isas) {
            const QByteArray name = "pytorch-" + python + "-cuda" + toolkit + "-sm90-" + isa;
            files.insert(fileOf(name), torchRecipe(pin, toolkit, python, version, name));
        }
        return files;
    }
    /// vLLM for some instruction sets on sm90.
    static QMap<QString, QByteArray> served(const QByteArray &pin, const QByteArray &toolkit, const QByteArray &python,
                                            const QByteArray &torch, const QList<QByteArray> &isas)
    {
        QMap<QString, QByteArray> files;
        for (const QByteArray &isa : isas) {
            const QByteArray name = "vllm-" + python + "-cuda" + toolkit + "-sm90-" + isa;
            files.insert(fileOf(name), servedRecipe(pin, toolkit, python, torch, name));
        }
        return files;
    }
    static QString fileOf(const QByteArray &name)
    {
        return QStringLiteral(".flox/pkgs/") + QString::fromLatin1(name) + QStringLiteral(".nix");
    }

private:
    GitFixture m_home; ///< sets a private HOME with an identity
    QTemporaryDir m_folder;
};

} // namespace tmx::test
