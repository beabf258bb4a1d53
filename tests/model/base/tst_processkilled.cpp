// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/FileLock.h"
#include "model/base/Process.h"
#include "tests/support/KillAt.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using tmx::FileLock;
using tmx::ProcessRequest;

/// A program that is killed while it starts another one.
class tst_ProcessKilled : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aKillLeavesNoLockBehind();
};

void tst_ProcessKilled::aKillLeavesNoLockBehind()
{
    const QTemporaryDir folder;
    const QString lock = folder.filePath(u"lock"_s);
    int kills = 0;
    const auto start = [&lock] {
        const FileLock held(lock, LOCK_EX);
        ProcessRequest request;
        request.program = u"/bin/true"_s;
        request.beforeStart = [](qint64) {};
        return tmx::runProcess(request, 100).outcome.exitCode;
    };
    while (tmx::test::killAtChange(kills + 1, start)) {
        ++kills;
        QTRY_VERIFY2(FileLock(lock, LOCK_EX | LOCK_NB).held(), qPrintable(u"killed at change %1"_s.arg(kills)));
    }
    QVERIFY(kills > 2);
    qInfo("total: %d kills", kills);
}

TM_TEST(tst_ProcessKilled, QCoreApplication)
#include "tst_processkilled.moc"
