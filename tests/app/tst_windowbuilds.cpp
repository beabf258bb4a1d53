// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/BuildController.h"
#include "model/workspace/Workspace.h"
#include "tests/app/DrivenWindow.h"
#include "views/RepositoryBar.h"
#include "views/queue/QueueView.h"

#include <QComboBox>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTreeView>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

const QString onEveryBranch = u"pytorch-python313-cpu-avx2"_s;

void showBranch(const DrivenWindow &driven, const QString &branch)
{
    driven.window->openRepository(driven.sample.path(), branch);
}

bool shows(const DrivenWindow &driven, const QString &branch)
{
    return driven.settled() && driven.window->windowTitle().contains(u" %1 "_s.arg(branch));
}

} // namespace

/// Builds and the branches that the grid shows meanwhile.
class TestWindowBuilds : public QObject
{
    Q_OBJECT

    QByteArray m_path = qgetenv("PATH");
    QTemporaryDir m_folder;

    [[nodiscard]] QByteArray calls() const
    {
        QFile file(m_folder.filePath(u"calls"_s));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_CONFIG_HOME", m_folder.path().toUtf8()); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support propagateSizeHints)"_s));
        qputenv("PATH", QByteArray(TM_STANDINS ":") + m_path);
        qunsetenv("TORCH_MATRIX_STANDIN_FLOX");
        qputenv("TORCH_MATRIX_STANDIN_FLOX_CALLS", m_folder.filePath(u"calls"_s).toUtf8());
        QFile::remove(m_folder.filePath(u"calls"_s));
    }

    void aRunningBuildShowsOnItsBranchAlone()
    {
        qputenv("TORCH_MATRIX_STANDIN_FLOX", "slow:600,steps:3");
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        driven.click(onEveryBranch);
        QTest::keyClick(driven.table(), Qt::Key_B);
        QTRY_COMPARE(driven.build(onEveryBranch), u"running"_s);
        showBranch(driven, u"cuda-12_9"_s);
        QTRY_VERIFY(shows(driven, u"cuda-12_9"_s));
        QVERIFY(driven.cell(onEveryBranch).isValid());
        QCOMPARE(driven.build(onEveryBranch), u"none"_s);
        // Whatever the build says meanwhile: it is not this branch's.
        auto *builds = driven.window->findChild<BuildController *>();
        builds->stop();
        QTRY_VERIFY_WITH_TIMEOUT(!builds->isRunning(), 30'000);
        QCOMPARE(driven.build(onEveryBranch), u"none"_s);
    }

    void comingBackShowsTheRunningBuildAtOnce()
    {
        qputenv("TORCH_MATRIX_STANDIN_FLOX", "slow:600,steps:3");
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        driven.click(onEveryBranch);
        QTest::keyClick(driven.table(), Qt::Key_B);
        QTRY_COMPARE(driven.build(onEveryBranch), u"running"_s);
        showBranch(driven, u"cuda-12_9"_s);
        QTRY_VERIFY(shows(driven, u"cuda-12_9"_s));
        showBranch(driven, u"main"_s);
        QTRY_VERIFY(shows(driven, u"main"_s));
        QCOMPARE(driven.build(onEveryBranch), u"running"_s);
        auto *builds = driven.window->findChild<BuildController *>();
        builds->stop();
        QTRY_COMPARE_WITH_TIMEOUT(driven.build(onEveryBranch), u"none"_s, 30'000);
    }

    void aFailureIsStillThereOnReturn()
    {
        qputenv("TORCH_MATRIX_STANDIN_FLOX", "fail");
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        driven.click(onEveryBranch);
        QTest::keyClick(driven.table(), Qt::Key_B);
        QTRY_COMPARE(driven.build(onEveryBranch), u"failed"_s);
        showBranch(driven, u"cuda-12_9"_s);
        QTRY_VERIFY(shows(driven, u"cuda-12_9"_s));
        QCOMPARE(driven.build(onEveryBranch), u"none"_s);
        showBranch(driven, u"main"_s);
        QTRY_VERIFY(shows(driven, u"main"_s));
        QCOMPARE(driven.build(onEveryBranch), u"failed"_s);
        QVERIFY(driven.cell(onEveryBranch).data(Qt::ToolTipRole).toString().contains(u"failed"_s));
    }

    void anotherBranchIsBuiltWithoutACheckOut()
    {
        DrivenWindow driven;
        qputenv("TORCH_MATRIX_STANDIN_STORE", driven.jobFolder.path().toUtf8());
        showBranch(driven, u"cuda-12_9"_s);
        QTRY_VERIFY(shows(driven, u"cuda-12_9"_s));
        driven.click(onEveryBranch);
        QTest::keyClick(driven.table(), Qt::Key_B);
        QTRY_COMPARE(driven.build(onEveryBranch), u"built"_s);
        qunsetenv("TORCH_MATRIX_STANDIN_STORE");
        QVERIFY2(!calls().contains(driven.sample.path().toUtf8() + '\t'), calls().constData());
        QCOMPARE(driven.sample.git({u"symbolic-ref"_s, u"--short"_s, u"HEAD"_s}).trimmed(), "main"_ba);
        QVERIFY(QFile::symLinkTarget(driven.sample.path(u"result-"_s + onEveryBranch)).isEmpty());
        showBranch(driven, u"main"_s);
        QTRY_VERIFY(shows(driven, u"main"_s));
        QCOMPARE(driven.build(onEveryBranch), u"none"_s);
    }

    void severalAreQueuedAndShown()
    {
        qputenv("TORCH_MATRIX_STANDIN_FLOX", "slow:600,steps:3");
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        driven.click(onEveryBranch);
        QTest::keyClick(driven.table(), Qt::Key_Right, Qt::ShiftModifier);
        const QStringList names = driven.grid()->selectedNames();
        QCOMPARE(names.size(), 2);
        QTest::keyClick(driven.table(), Qt::Key_B);
        QTRY_COMPARE(driven.build(names.at(0)), u"running"_s);
        QTRY_COMPARE(driven.build(names.at(1)), u"queued"_s);
        auto *list = driven.window->findChild<QueueView *>()->list();
        QTRY_COMPARE(list->model()->rowCount(), 2);
        const auto state = [list](int row) { return list->model()->index(row, 0).data().toString(); };
        QTRY_COMPARE(state(0), u"running"_s);
        QCOMPARE(state(1), u"waiting"_s);
        // Del stops the one that waits, R queues it again.
        list->setCurrentIndex(list->model()->index(1, 0));
        QTest::keyClick(list, Qt::Key_Delete);
        QTRY_COMPARE(state(1), u"stopped"_s);
        QCOMPARE(driven.build(names.at(1)), u"none"_s);
        QTest::keyClick(list, Qt::Key_R);
        QTRY_COMPARE(list->model()->rowCount(), 3);
        QTRY_COMPARE(driven.build(names.at(1)), u"queued"_s);
    }

    /// While the index is awaited, something else fails: the build starts all the same.
    void anUnrelatedFailureStopsNoBuild()
    {
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        driven.click(onEveryBranch);
        QTest::keyClick(driven.table(), Qt::Key_B);
        auto *builds = driven.window->findChild<BuildController *>();
        QVERIFY(builds->isRunning());
        QVERIFY(calls().isEmpty());
        auto *workspace = driven.window->findChild<Workspace *>();
        const Error error{u"open"_s, u"x"_s, u"it is not there"_s, {}};
        Q_EMIT workspace->failed(newOperation(), error);
        Q_EMIT workspace->operations()->failed(newOperation(), error);
        Q_EMIT workspace->operations()->applied(newOperation(), {Applied{}}, {});
        QVERIFY(builds->isRunning());
        QTRY_COMPARE(driven.build(onEveryBranch), u"built"_s);
    }

    void anOldFormOfTheNameIsBuiltByItsOwnName()
    {
        const QString package = u"pytorch-py313-cpu-avx2"_s;
        DrivenWindow driven;
        driven.sample.git({u"mv"_s, u".flox/pkgs/%1.nix"_s.arg(onEveryBranch), u".flox/pkgs/%1.nix"_s.arg(package)});
        driven.sample.git({u"commit"_s, u"-qm"_s, u"Rename"_s});
        QTRY_COMPARE(driven.cell(onEveryBranch).data(PackageRole).toString(), package);
        QTRY_VERIFY(driven.settled());
        driven.click(onEveryBranch);
        QTest::keyClick(driven.table(), Qt::Key_B);
        QTRY_COMPARE(driven.build(onEveryBranch), u"built"_s);
        QVERIFY2(calls().trimmed().endsWith(package.toUtf8()), calls().constData());
        QVERIFY(!QFile::symLinkTarget(driven.sample.path(u"result-"_s + package)).isEmpty());
    }
};

QTEST_MAIN(TestWindowBuilds)
#include "tst_windowbuilds.moc"
