// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/RecipeWriters.h"

#include "model/base/ShortList.h"
#include "model/base/Tr.h"
#include "model/snapshot/BranchContent.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// No program: what people read, and data.
bool mayBeProgram(const QString &path)
{
    static const QRegularExpression others(
        u"^[.]flox/|[.](?:md|rst|txt|adoc|html|nix|toml|json|lock|ya?ml|patch|diff|csv)$|(?:^|/)(?:LICENSE|COPYING)"_s,
        QRegularExpression::CaseInsensitiveOption);
    return !others.match(path).hasMatch();
}

/// `import ./lib/mk.nix {`, `{ pkgs ? import <nixpkgs> {} }:`, `.overrideAttrs (`
bool hasRecipeText(const QByteArray &text)
{
    static const QRegularExpression recipe(
        uR"(\bimport \.{1,2}/\S+ \{|\{ ?(?:pkgs|lib|callPackage)\b[^}\n]*(?:\{ ?\})? ?\} ?:|\.override(?:Attrs)? [({])"_s);
    return text.contains("flox/pkgs") && recipe.match(QString::fromUtf8(text)).hasMatch();
}

} // namespace

Result<QStringList> recipeWriters(const CommitReader &reader, const QString &commit)
{
    QStringList paths;
    TM_CHECK(reader.forEachText(commit, mayBeProgram, [&paths](const FileText &file) {
        if (hasRecipeText(file.text))
            paths.append(file.path);
    }));
    return paths;
}

void nameWriters(const CommitReader &reader, ChangeSet &changes)
{
    const bool ofRecipes = std::ranges::any_of(changes.files, [](const ChangedFile &file) {
        return !file.name.isEmpty() && file.action != ChangeAction::Keep;
    });
    if (!ofRecipes || changes.parentCommit.isEmpty())
        return;
    const Result<QStringList> writers = recipeWriters(reader, changes.parentCommit);
    if (writers && !writers->isEmpty())
        changes.warnings.append(
            Tr::tr("Recipes are written by %1, too. Change it as well, or it undoes this change when it runs again.")
                .arg(shortList(*writers)));
}

} // namespace tmx
