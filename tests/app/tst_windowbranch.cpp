// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/window/Menus.h"
#include "tests/app/DrivenWindow.h"
#include "tests/support/TestMain.h"
#include "views/start/RepositoryBar.h"
#include "views/work/UpstreamDialog.h"

#include <QApplication>
#include <QComboBox>
#include <QDesktopServices>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QProgressBar>
#include <QRegularExpression>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

/// The window on a sample with a bare repository on disk as its remote.
struct Remote : DrivenWindow {
    QTemporaryDir folder;
    QString bare = folder.filePath(u"bare.git"_s);
    explicit Remote(bool add = true)
    {
        sample.git({u"init"_s, u"--quiet"_s, u"--bare"_s, u"--initial-branch=main"_s, bare});
        if (add)
            sample.git({u"remote"_s, u"add"_s, u"origin"_s, bare});
    }
    [[nodiscard]] QAction *action(const QString &text) const
    {
        for (const QAction *menu : window->menuBar()->actions()) {
            for (QAction *action : menu->menu()->actions()) {
                if (action->text().remove(u'&') == text)
                    return action;
            }
        }
        return nullptr;
    }
    [[nodiscard]] RepositoryBar *head() const { return window->findChild<RepositoryBar *>(); }
    [[nodiscard]] QString distance() const
    {
        for (const QLabel *label : head()->findChildren<QLabel *>()) {
            if (label->isVisible() && (label->text().contains("ahead"_L1) || label->text().contains("behind"_L1)))
                return label->text();
        }
        return {};
    }
    void show(const QString &branch) const
    {
        auto *combo = head()->findChild<QComboBox *>();
        combo->setCurrentIndex(combo->findData(branch));
        Q_EMIT combo->activated(combo->currentIndex());
    }
    QByteArray remote(const QStringList &arguments) const
    {
        return sample.git(QStringList{u"--git-dir"_s, bare} + arguments);
    }
    void commitRemotely() const
    {
        const QByteArray tree = remote({u"rev-parse"_s, u"main^{tree}"_s});
        const QByteArray commit =
            remote({u"commit-tree"_s, QString::fromLatin1(tree), u"-p"_s, u"main"_s, u"-m"_s, u"Theirs"_s});
        remote({u"update-ref"_s, u"refs/heads/main"_s, QString::fromLatin1(commit)});
    }
};

QMessageBox *question()
{
    return qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
}

} // namespace

/// The Branch menu, with real repositories.
class TestWindowBranch : public QObject
{
    Q_OBJECT

    QTemporaryDir m_config;
    QUrl m_opened;

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_CONFIG_HOME", m_config.path().toUtf8()); }
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support )"_s)); }
    void open(const QUrl &url) { m_opened = url; }

    void pushAndFetchShowInTheHead()
    {
        const Remote w;
        QTRY_VERIFY(w.settled());
        QVERIFY(w.action(u"Push"_s)->isEnabled());
        w.action(u"Push"_s)->trigger();
        QVERIFY(!w.action(u"Fetch"_s)->isEnabled()); // one task at a time
        QTRY_COMPARE(w.notice(), u"Pushed main."_s);
        QCOMPARE(w.remote({u"rev-parse"_s, u"main"_s}), w.sample.git({u"rev-parse"_s, u"main"_s}));
        QCOMPARE(w.distance(), QString());

        w.sample.git({u"commit"_s, u"--quiet"_s, u"--allow-empty"_s, u"-m"_s, u"Mine"_s});
        QTRY_COMPARE(w.distance(), u"1 ahead"_s);
        w.commitRemotely();
        w.action(u"Fetch"_s)->trigger();
        QTRY_COMPARE(w.distance(), u"1 ahead, 1 behind"_s);
        QTRY_VERIFY(w.action(u"Push"_s)->isEnabled());

        w.action(u"Push"_s)->trigger();
        QTRY_COMPARE(w.notice(), u"Could not push main: origin has commits that main does not have. "
                                 "Fetch, then merge or rebase."_s);
        QCOMPARE(w.bar()->kind(), NoticeBar::Kind::Problem);
        QVERIFY(w.action(u"Push"_s)->isEnabled());
    }

    /// A push in a terminal is noticed.
    void pushElsewhereShows()
    {
        const Remote w;
        QTRY_VERIFY(w.settled());
        w.action(u"Push"_s)->trigger();
        QTRY_COMPARE(w.notice(), u"Pushed main."_s);
        w.sample.git({u"commit"_s, u"--quiet"_s, u"--allow-empty"_s, u"-m"_s, u"Mine"_s});
        QTRY_COMPARE(w.distance(), u"1 ahead"_s);
        w.sample.git({u"push"_s, u"--quiet"_s, u"origin"_s, u"main"_s});
        QTRY_COMPARE(w.distance(), QString());
    }

    void withoutARemoteTheSentenceSaysSo()
    {
        const Remote w(false);
        QTRY_VERIFY(w.settled());
        for (const auto &[text, what] : {std::pair(u"Fetch"_s, u"fetch"_s), std::pair(u"Push"_s, u"push main"_s)}) {
            w.action(text)->trigger();
            QTRY_VERIFY2(w.notice().startsWith(u"Could not %1: the repository has no remote. "_s.arg(what)) &&
                             !w.notice().contains(u"git remote"_s),
                         qPrintable(w.notice()));
        }
        w.action(u"Set upstream\u2026"_s)->trigger();
        QTRY_COMPARE(w.notice(), u"There is no remote branch to follow. Fetch, or push main."_s);
    }

    void ofADetachedHeadNothingIsPushed()
    {
        const Remote w;
        QTRY_VERIFY(w.settled());
        w.sample.git({u"switch"_s, u"--quiet"_s, u"--detach"_s});
        w.sample.git({u"commit"_s, u"--quiet"_s, u"--allow-empty"_s, u"-m"_s, u"On no branch"_s});
        QTRY_VERIFY(!w.action(u"Push"_s)->isEnabled());
        for (const QString &text : {u"Check out"_s, u"Set upstream\u2026"_s, u"Open pull request"_s})
            QVERIFY2(!w.action(text)->isEnabled(), qPrintable(text));
        QVERIFY(w.action(u"Fetch"_s)->isEnabled());
        // Back to a branch; git says how to find the commit again.
        w.show(u"main"_s);
        QTRY_VERIFY(w.action(u"Check out"_s)->isEnabled());
        w.action(u"Check out"_s)->trigger();
        QTRY_VERIFY(w.notice().startsWith("Checked out main."_L1));
        QVERIFY2(w.notice().contains("you are leaving 1 commit behind"_L1), qPrintable(w.notice()));
        QVERIFY2(w.notice().contains("On no branch"_L1), qPrintable(w.notice()));
    }

    void aBranchIsCheckedOut()
    {
        const Remote w;
        QTRY_VERIFY(w.settled());
        QVERIFY(!w.action(u"Check out"_s)->isEnabled()); // it is
        w.show(u"cuda-13_0"_s);
        QTRY_VERIFY(w.action(u"Check out"_s)->isEnabled());
        w.action(u"Check out"_s)->trigger();
        QTRY_COMPARE(w.notice(), u"Checked out cuda-13_0."_s);
        QCOMPARE(w.sample.git({u"branch"_s, u"--show-current"_s}), QByteArray("cuda-13_0"));
        QTRY_VERIFY(w.head()->findChild<QComboBox *>()->currentText().contains("checked out"_L1));
        QVERIFY(!w.action(u"Check out"_s)->isEnabled());
    }

    void uncommittedChangesAreAskedAboutAndNeverLost()
    {
        const Remote w;
        QTRY_VERIFY(w.settled());
        w.sample.write(u"README.md"_s, "mine\n"); // another text on the other branch
        w.show(u"cuda-13_0"_s);
        QTRY_VERIFY(w.action(u"Check out"_s)->isEnabled());
        w.action(u"Check out"_s)->trigger();
        QTRY_VERIFY(question());
        QVERIFY2(question()->text().contains("README.md"_L1), qPrintable(question()->text()));
        QTest::keyClick(question(), Qt::Key_Escape);
        QTRY_VERIFY(!question());
        QCOMPARE(w.sample.git({u"branch"_s, u"--show-current"_s}), QByteArray("main"));

        w.action(u"Check out"_s)->trigger();
        QTRY_VERIFY(question());
        QTest::keyClick(question(), Qt::Key_Return);
        QTRY_VERIFY(w.notice().contains("would be overwritten by checkout"_L1));
        QVERIFY(w.notice().startsWith("Could not check out cuda-13_0: "_L1));
        QCOMPARE(w.sample.git({u"branch"_s, u"--show-current"_s}), QByteArray("main"));
        QCOMPARE(w.sample.read(u"README.md"_s), QByteArray("mine\n"));
    }

    void gitIsStoppedFromTheHead()
    {
        const Remote w;
        w.sample.git({u"config"_s, u"remote.origin.uploadpack"_s, u"sleep 1000 #"_s}); // it never answers
        QTRY_VERIFY(w.settled());
        w.action(u"Fetch"_s)->trigger();
        QToolButton *stop = nullptr;
        for (QToolButton *button : w.head()->findChildren<QToolButton *>()) {
            if (button->accessibleName() == "Stop git"_L1)
                stop = button;
        }
        QVERIFY(stop && stop->isVisible());
        QTest::mouseClick(stop, Qt::LeftButton);
        QTRY_COMPARE(w.notice(), u"Could not fetch: it was stopped."_s);
        QVERIFY(!stop->isVisible());
        QVERIFY(w.action(u"Fetch"_s)->isEnabled());
    }

    void upstreamIsChosen()
    {
        const Remote w;
        QTRY_VERIFY(w.settled());
        w.sample.git({u"push"_s, u"--quiet"_s, u"origin"_s, u"main"_s, u"cuda-13_0"_s});
        w.action(u"Set upstream\u2026"_s)->trigger();
        QTRY_VERIFY(w.window->findChild<UpstreamDialog *>());
        auto *dialog = w.window->findChild<UpstreamDialog *>();
        QCOMPARE(dialog->upstream(), u"origin/main"_s); // of the same name
        dialog->findChild<QComboBox *>()->setCurrentText(u"origin/cuda-13_0"_s);
        QTest::keyClick(dialog, Qt::Key_Return);
        QTRY_COMPARE(w.notice(), u"main follows origin/cuda-13_0."_s);
        QCOMPARE(w.sample.git({u"rev-parse"_s, u"--abbrev-ref"_s, u"main@{upstream}"_s}),
                 QByteArray("origin/cuda-13_0"));
    }

    void pullRequestOpensThePageOfThePushedBranch()
    {
        const Remote w;
        QDesktopServices::setUrlHandler(u"https"_s, this, "open");
        QTRY_VERIFY(w.settled());
        w.action(u"Open pull request"_s)->trigger();
        QTRY_COMPARE(w.notice(),
                     u"Could not open a pull request of main: it was not pushed to origin yet. Push it first."_s);
        w.sample.git({u"push"_s, u"--quiet"_s, u"origin"_s, u"main"_s});
        w.sample.git({u"remote"_s, u"set-url"_s, u"origin"_s, u"https://ada:secret@github.com/ada/build.git"_s});
        w.action(u"Open pull request"_s)->trigger();
        QTRY_COMPARE(m_opened, QUrl(u"https://github.com/ada/build/compare/main?expand=1"_s));
        QDesktopServices::unsetUrlHandler(u"https"_s);
    }
};

TM_TEST(TestWindowBranch, QApplication)
#include "tst_windowbranch.moc"
