// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/RecentRepositories.h"

#include <QSettings>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

const QString setting = u"recentRepositories"_s;
constexpr qsizetype most = 9; // as many as have a digit for their mnemonic

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

} // namespace tmx
