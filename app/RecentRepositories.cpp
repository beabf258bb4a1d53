// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/RecentRepositories.h"

#include <QSettings>
#include <QVariantMap>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

const QString setting = u"recentRepositories"_s;
const QString tipsSetting = u"recentBranches"_s; ///< commit by branch, by work tree
constexpr qsizetype most = 9;                    // as many as have a digit for their mnemonic

} // namespace

QStringList recentRepositories()
{
    return QSettings().value(setting).toStringList().mid(0, most);
}

void rememberRepository(const QString &workTree)
{
    QStringList recent = recentRepositories();
    if (workTree.isEmpty() || recent.value(0) == workTree)
        return;
    recent.removeAll(workTree);
    recent.prepend(workTree);
    QSettings().setValue(setting, recent.mid(0, most));
}

void forgetRepository(const QString &workTree)
{
    QStringList recent = recentRepositories();
    if (recent.removeAll(workTree) > 0)
        QSettings().setValue(setting, recent);
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
    QVariantMap kept;
    const QVariantMap all = QSettings().value(tipsSetting).toMap();
    for (const QString &recent : recentRepositories()) {
        if (all.contains(recent))
            kept.insert(recent, all.value(recent));
    }
    kept.insert(workTree, seen);
    if (kept != all)
        QSettings().setValue(tipsSetting, kept);
}

} // namespace tmx
