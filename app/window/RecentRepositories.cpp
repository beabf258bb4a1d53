// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/window/RecentRepositories.h"

#include "model/git/Repository.h"

#include <QSettings>
#include <QVariantMap>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

const QString tipsSetting = u"recentBranches"_s; ///< commit by branch, by working tree
const QString shownSetting = u"shownBranches"_s; ///< name of a branch, by working tree
constexpr qsizetype most = 9;                    // one digit each as a mnemonic

/// Saves a value of a working tree, and removes those of forgotten working trees.
void remember(const QString &setting, const QString &workTree, const QVariant &value)
{
    QVariantMap kept;
    const QVariantMap all = QSettings().value(setting).toMap();
    for (const QString &recent : knownRepositories()) {
        if (all.contains(recent))
            kept.insert(recent, all.value(recent));
    }
    kept.insert(workTree, value);
    if (kept != all)
        QSettings().setValue(setting, kept);
}

} // namespace

QStringList recentRepositories()
{
    return knownRepositories().mid(0, most);
}

QList<BranchPlace> branchPlaces(const QString &own, const QString &without)
{
    QStringList repositories = QStringList{own} + knownRepositories();
    repositories.removeDuplicates();
    QList<BranchPlace> places;
    for (const QString &repository : std::as_const(repositories)) {
        const Result<OpenedRepository> opened = openWithInfo(repository);
        for (const BranchRef &branch : opened ? opened->info.branches : QList<BranchRef>()) {
            if (!branch.commit.isEmpty() && (repository != own || branch.name != without))
                places.append({repository, branch.name});
        }
    }
    return places;
}

QString shownBranch(const QString &workTree)
{
    return QSettings().value(shownSetting).toMap().value(workTree).toString();
}

void rememberShownBranch(const QString &workTree, const QString &branch)
{
    remember(shownSetting, workTree, branch);
}

BranchTips tipsOf(const RepositoryInfo &info)
{
    BranchTips tips;
    for (const BranchRef &branch : info.branches)
        tips.insert(branch.name, branch.commit);
    return tips;
}

BranchTips seenTips(const QString &workTree)
{
    BranchTips tips;
    const QVariantMap seen = QSettings().value(tipsSetting).toMap().value(workTree).toMap();
    for (const auto &[branch, commit] : seen.asKeyValueRange())
        tips.insert(branch, commit.toString());
    return tips;
}

void rememberTips(const QString &workTree, const BranchTips &tips)
{
    QVariantMap seen;
    for (const auto &[branch, commit] : tips.asKeyValueRange())
        seen.insert(branch, commit);
    remember(tipsSetting, workTree, seen);
}

} // namespace tmx
