// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/RepositoryNews.h"

#include "model/base/Tr.h"
#include "model/git/Repository.h"

#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// "a, b and 3 more"
QString few(const QStringList &names)
{
    constexpr qsizetype most = 3;
    if (names.size() <= most)
        return names.join(u", "_s);
    return Tr::tr("%1 and %n more", nullptr, int(names.size() - most)).arg(names.first(most).join(u", "_s));
}

} // namespace

BranchTips tipsOf(const RepositoryInfo &info)
{
    BranchTips tips;
    for (const BranchRef &branch : info.branches)
        tips.insert(branch.name, branch.commit);
    return tips;
}

QString whatChanged(const RepositoryInfo &now, const BranchTips &before)
{
    const BranchTips tips = tipsOf(now);
    QStringList sentences{now.headBranch.isEmpty() ? Tr::tr("No branch is checked out.")
                                                   : Tr::tr("On %1.", "branch").arg(now.headBranch)};
    if (before.isEmpty())
        return sentences.constFirst();
    QStringList moved;
    QStringList added;
    QStringList gone;
    for (const auto &[name, commit] : tips.asKeyValueRange()) {
        if (!before.contains(name))
            added.append(name);
        else if (before.value(name) != commit)
            moved.append(name);
    }
    for (const QString &name : before.keys()) {
        if (!tips.contains(name))
            gone.append(name);
    }
    if (!moved.isEmpty())
        sentences.append(Tr::tr("New commits on %1.").arg(few(moved)));
    if (!added.isEmpty())
        sentences.append(Tr::tr("New branches: %1.").arg(few(added)));
    if (!gone.isEmpty())
        sentences.append(Tr::tr("Deleted branches: %1.").arg(few(gone)));
    if (sentences.size() == 1)
        sentences.append(Tr::tr("No new commits."));
    return sentences.join(u' ');
}

QString newsOf(const QString &path, const BranchTips &before)
{
    if (!QFileInfo(path).isDir())
        return Tr::tr("The folder is gone.");
    const Result<OpenedRepository> opened = openWithInfo(path);
    return opened ? whatChanged(opened->info, before) : opened.error().sentence();
}

} // namespace tmx
