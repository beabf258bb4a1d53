// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/Repository.h"
#include "tests/support/GitFixture.h"

namespace tmx::test {

/// The repository at `path`, which must be possible to open.
inline Repository opened(const QString &path)
{
    Result<Repository> repository = Repository::open(path);
    if (!repository)
        qFatal("%s", qPrintable(repository.error().sentence()));
    return std::move(repository).value();
}

/// The Nix files of .flox/pkgs, and the default.nix of its folders.
inline FileSelection nixFiles()
{
    return {QStringLiteral(".flox/pkgs"), QStringLiteral(".nix"), QStringLiteral("default.nix")};
}

/// A git fixture in which .flox/pkgs/a.nix ("old") is committed on main, opened by the program.
struct RepositoryFixture : GitFixture {
    QString recipe = QStringLiteral(".flox/pkgs/a.nix");
    QString other = QStringLiteral(".flox/pkgs/b.nix");
    QString first = commitFile(recipe, "old\n");
    Repository repository = opened(path());
};

} // namespace tmx::test
