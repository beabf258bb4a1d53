// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/BuildController.h"
#include "app/controllers/RecipeController.h"
#include "app/controllers/WorkController.h"
#include "tests/app/DrivenWindow.h"
#include "tests/support/TestMain.h"
#include "views/audit/AuditPage.h"
#include "views/audit/FindingList.h"
#include "views/audit/ProblemsView.h"
#include "views/queue/BuildDialog.h"
#include "views/queue/QueueView.h"
#include "views/recipe/CodeView.h"
#include "views/widgets/CheckList.h"

#include <QApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

const QString variant = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
const QString file = u".flox/pkgs/pytorch-python313-cuda12_8-sm90-avx512.nix"_s;

QString textOf(const QWidget *in, const QString &name)
{
    for (const QLabel *label : in->findChildren<QLabel *>()) {
        if (label->accessibleName() == name && label->isVisible())
            return label->text();
    }
    return {};
}

} // namespace

/// From a finding in the grid to its fix and back, on the real window.
class TestWindowAudit : public QObject
{
    Q_OBJECT

    QTemporaryDir m_config;

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_CONFIG_HOME", m_config.path().toUtf8()); }
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support propagateSizeHints)"_s)); }

    void theSampleHasNoProblems()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        for (int row = 0; row < driven.table()->model()->rowCount(); ++row) {
            for (int column = 0; column < driven.table()->model()->columnCount(); ++column)
                QCOMPARE(driven.table()->model()->index(row, column).data(ProblemCountRole).toInt(), 0);
        }
    }

    void aFindingIsFixedAndTheFixTakenBack()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        const QByteArray sound = driven.sample.read(file);
        QByteArray wrong = sound;
        wrong.replace("\"9.0\"", "\"sm_90\"");
        QVERIFY(wrong != sound);
        driven.sample.write(file, wrong);
        QTRY_VERIFY(driven.cell(variant).data(ProblemCountRole).toInt() > 0);
        QVERIFY(driven.cell(variant).data(Qt::AccessibleTextRole).toString().contains(u"error"_s));
        driven.click(variant);
        QTRY_VERIFY(driven.settled());
        driven.window->raisePanel(u"audit"_s);
        AuditPage *page = driven.pane()->audit();
        auto *list = page->findChild<FindingList *>();
        int row = -1;
        for (int i = 0; i < list->model()->rowCount(); ++i) {
            if (list->model()->index(i, 0).data().toString().contains(u"sm_90"_s))
                row = i;
        }
        QVERIFY(row >= 0);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                          list->visualRect(list->model()->index(row, 0)).center());
        QTRY_VERIFY(driven.canClick(page, u"Fix…"_s));
        QTest::mouseClick(driven.button(page, u"Fix…"_s), Qt::LeftButton);
        QTRY_VERIFY(driven.canClick(page, u"Apply"_s));
        QCOMPARE(driven.sample.read(file), wrong); // shown, not done
        QTest::mouseClick(driven.button(page, u"Apply"_s), Qt::LeftButton);
        QTRY_COMPARE(driven.sample.read(file), sound);
        // A text that was never committed is saved, whether it is undone or not.
        const QByteArray ref =
            driven.sample.git({u"for-each-ref"_s, u"--format=%(refname)"_s, u"refs/torch-matrix/saved"_s});
        QCOMPARE(driven.sample.git({u"show"_s, QString::fromUtf8(ref.trimmed()) + u':' + file}) + '\n', wrong);
        QTRY_COMPARE(driven.state(variant), u"current"_s);
        QTRY_COMPARE(driven.cell(variant).data(ProblemCountRole).toInt(), 0);
        QTRY_VERIFY(driven.canClick(driven.window.get(), u"Undo"_s));
        QTest::mouseClick(driven.button(driven.window.get(), u"Undo"_s), Qt::LeftButton);
        QTRY_COMPARE(driven.sample.read(file), wrong);
    }

    // Who selects a problem sees the line that has it, and goes on with the keys in the list.
    void theFaultyLineOfAProblemIsShown()
    {
        DrivenWindow driven;
        driven.window->resize(900, 600);
        QTRY_VERIFY(driven.settled());
        const QString other = u"pytorch-python313-cuda12_8-sm86-avx2"_s, path = u".flox/pkgs/"_s + other + u".nix"_s;
        for (const QString &each : {file, path}) {
            QByteArray text = driven.sample.read(each);
            const qsizetype at = text.indexOf('"', text.lastIndexOf("cpuISA = \"")) + 1;
            driven.sample.write(each, text.replace(at, text.indexOf('"', at) - at, "avx"));
        }
        QTRY_VERIFY(driven.cell(variant).data(ProblemCountRole).toInt() > 0 &&
                    driven.cell(other).data(ProblemCountRole).toInt() > 0);
        driven.window->raisePanel(u"problems"_s);
        QTRY_VERIFY(driven.settled());
        auto *view = driven.window->findChild<ProblemsView *>();
        QTreeWidget *rules = nullptr, *groups = nullptr;
        for (auto *tree : view->findChildren<QTreeWidget *>())
            (tree->accessibleName() == u"Rules with findings"_s ? rules : groups) = tree;
        QTRY_COMPARE(view->rule(), u"passthru-other"_s);
        QCOMPARE(groups->topLevelItemCount(), 2);
        const CodeView *code = nullptr;
        for (const auto *one : driven.pane()->findChildren<CodeView *>()) {
            if (one->accessibleName() == u"Text of the recipe"_s)
                code = one;
        }
        QVERIFY(code);
        const auto isShown = [&](const QString &recipe) {
            const QRect line = code->cursorRect();
            return driven.pane()->name() == recipe && code->isVisible() && line.top() > 0 &&
                   line.bottom() < code->viewport()->height() &&
                   code->textCursor().block().text().contains(u"cpuISA = \"avx\""_s);
        };
        QStringList seen;
        groups->setFocus();
        for (int row = 0; row < 2; ++row) {
            QTest::keyClick(groups, row == 0 ? Qt::Key_Home : Qt::Key_Down);
            QTRY_VERIFY2(isShown(variant) || isShown(other), qPrintable(code->textCursor().block().text()));
            if (seen.contains(driven.pane()->name()))
                QTRY_VERIFY(!seen.contains(driven.pane()->name()) && (isShown(variant) || isShown(other)));
            seen.append(driven.pane()->name());
            QCOMPARE(QApplication::focusWidget(), groups);
        }
        QCOMPARE(seen.size(), 2);
    }

    // For one of several findings: all findings of its rule make one commit.
    void allFindingsOfARuleAreFixedAtOnce()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        const QString second = u".flox/pkgs/pytorch-python313-cuda12_8-sm90-avx2.nix"_s;
        for (const QString &each : {file, second})
            driven.sample.write(each, driven.sample.read(each).replace("\"9.0\"", "\"sm_90\""));
        driven.sample.git({u"commit"_s, u"-qam"_s, u"Break two"_s});
        QTRY_VERIFY(driven.settled() && driven.cell(variant).data(ProblemCountRole).toInt() > 0);
        driven.click(variant);
        QTRY_VERIFY(driven.settled());
        driven.window->raisePanel(u"audit"_s);
        AuditPage *page = driven.pane()->audit();
        QTRY_VERIFY(driven.canClick(page, u"Fix all 2 of this rule…"_s));
        QTest::mouseClick(driven.button(page, u"Fix all 2 of this rule…"_s), Qt::LeftButton);
        const auto dialog = [&driven] { return driven.window->findChild<WorkController *>()->dialog(); };
        QTRY_VERIFY(dialog() && dialog()->isSettled() && driven.canClick(dialog(), u"Commit"_s));
        QTest::mouseClick(driven.button(dialog(), u"Commit"_s), Qt::LeftButton);
        QTRY_VERIFY(!dialog());
        QCOMPARE(driven.sample.git({u"log"_s, u"-1"_s, u"--format=%s"_s}), "Fix gpu-targets-notation in 2 recipes"_ba);
        QVERIFY(driven.sample.read(second).contains("\"9.0\""));
        QCOMPARE(driven.sample.status(), ""_ba);
        QTRY_COMPARE(driven.state(variant), u"current"_s);
    }

    void anEditMeanwhileIsNotOverwritten()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        QByteArray wrong = driven.sample.read(file);
        wrong.replace("\"9.0\"", "\"sm_90\"");
        driven.sample.write(file, wrong);
        QTRY_VERIFY(driven.cell(variant).data(ProblemCountRole).toInt() > 0);
        driven.click(variant);
        QTRY_VERIFY(driven.settled());
        driven.window->raisePanel(u"audit"_s);
        AuditPage *page = driven.pane()->audit();
        QTRY_VERIFY(driven.canClick(page, u"Regenerate…"_s));
        QTest::mouseClick(driven.button(page, u"Regenerate…"_s), Qt::LeftButton);
        QTRY_VERIFY(driven.canClick(page, u"Apply"_s));
        driven.sample.write(file, wrong + "# somebody's\n");
        // Whether the watcher's refresh or the click comes first, no text is lost.
        if (QPushButton *apply = driven.button(page, u"Apply"_s))
            QTest::mouseClick(apply, Qt::LeftButton);
        QTRY_VERIFY(driven.settled());
        QCOMPARE(driven.sample.read(file), wrong + "# somebody's\n");
    }

    void anotherBranchIsFixedByACommit()
    {
        DrivenWindow driven;
        driven.sample.git({u"checkout"_s, u"-qb"_s, u"topic"_s});
        const QByteArray sound = driven.sample.read(file);
        QByteArray wrong = sound;
        wrong.replace("\"9.0\"", "\"sm_90\"");
        driven.sample.write(file, wrong);
        driven.sample.git({u"commit"_s, u"-qam"_s, u"Break it"_s});
        driven.sample.git({u"checkout"_s, u"-q"_s, u"main"_s});
        QTRY_VERIFY(driven.settled());
        driven.window->openRepository(driven.sample.path(), u"topic"_s);
        QTRY_VERIFY(driven.window->windowTitle().contains(u"topic"_s));
        QTRY_VERIFY(driven.settled());
        driven.click(variant);
        QTRY_VERIFY(driven.settled());
        driven.window->raisePanel(u"audit"_s);
        AuditPage *page = driven.pane()->audit();
        QTRY_VERIFY(driven.canClick(page, u"Regenerate…"_s));
        QTest::mouseClick(driven.button(page, u"Regenerate…"_s), Qt::LeftButton);
        QTRY_VERIFY(driven.canClick(page, u"Apply"_s));
        QTest::mouseClick(driven.button(page, u"Apply"_s), Qt::LeftButton);
        QTRY_COMPARE(driven.sample.git({u"show"_s, u"topic:"_s + file}) + '\n', sound);
        QCOMPARE(driven.sample.git({u"symbolic-ref"_s, u"--short"_s, u"HEAD"_s}), "main");
        QVERIFY(driven.sample.status().isEmpty());
        QTRY_VERIFY(driven.canClick(driven.window.get(), u"Undo"_s));
        QTest::mouseClick(driven.button(driven.window.get(), u"Undo"_s), Qt::LeftButton);
        QTRY_COMPARE(driven.sample.git({u"show"_s, u"topic:"_s + file}) + '\n', wrong);
    }

    void aBuildThatCannotSucceedIsAskedAbout()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        QByteArray wrong = driven.sample.read(file);
        wrong.replace("\"9.0\"", "\"sm_90\"");
        driven.sample.write(file, wrong);
        QTRY_VERIFY(driven.cell(variant).data(ProblemCountRole).toInt() > 0);
        driven.click(variant);
        QTest::keyClick(driven.table(), Qt::Key_B);
        const auto dialog = [&driven] { return driven.window->findChild<BuildDialog *>(); };
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        QStringList said;
        for (const CheckItem &item : dialog()->findChild<CheckList *>()->items())
            said.append(item.sentence);
        QVERIFY2(said.join(u'\n').contains(u"sm_90"_s), qPrintable(said.join(u'\n')));
        QTest::keyClick(dialog(), Qt::Key_Escape);
        QTRY_VERIFY(!dialog());
        QVERIFY(!driven.window->findChild<BuildController *>()->isRunning());
        QVERIFY(driven.sample.status().startsWith("M ") ||
                driven.sample.status().startsWith(" M")); // nothing was staged for it
    }

    // From the console to the line that caused the failure, and to the change with the right hash.
    void aHashThatABuildFoundIsCorrected()
    {
        const QByteArray stated = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
        const QByteArray right = "sha256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=";
        DrivenWindow driven;
        const QByteArray wrong = driven.sample.read(file) + "# " + stated + '\n';
        driven.sample.write(file, wrong);
        driven.sample.git({u"commit"_s, u"-qam"_s, u"State a hash"_s});
        QTRY_VERIFY(driven.settled());
        Job job;
        job.repository = driven.sample.path();
        job.branch = u"main"_s;
        job.commit = QString::fromUtf8(driven.sample.git({u"rev-parse"_s, u"HEAD"_s}));
        job.blob = QString::fromUtf8(driven.sample.git({u"rev-parse"_s, u"HEAD:"_s + file}));
        job.recipe = file;
        job.package = job.variant = variant;
        job.created = QDateTime::currentDateTimeUtc();
        const Result<JobFolder> folder = JobFolder::create(driven.jobFolder.path(), job);
        QVERIFY(folder);
        JobOutcome outcome;
        outcome.build.kind = BuildOutcome::Kind::HashMismatch;
        outcome.build.sentence = u"A source has another hash."_s;
        outcome.build.statedHash = QString::fromUtf8(stated);
        outcome.build.rightHash = QString::fromUtf8(right);
        outcome.build.recipeLine = 4;
        outcome.started = outcome.ended = job.created;
        QVERIFY(folder->writeOutcome(outcome));
        auto *queue = driven.window->findChild<QueueView *>();
        QTRY_COMPARE(queue->list()->model()->rowCount(), 1);
        Q_EMIT queue->shown(folder->id());
        driven.window->raisePanel(u"console"_s);
        const auto tool = [&driven](const QString &text) -> QToolButton * {
            for (QToolButton *button : driven.window->findChildren<QToolButton *>()) {
                if (button->text() == text && button->isVisible())
                    return button;
            }
            return nullptr;
        };
        QTRY_VERIFY(tool(u"Recipe, line 4"_s));
        tool(u"Recipe, line 4"_s)->click();
        const auto shownLine = [&driven] {
            for (const QPlainTextEdit *code : driven.pane()->findChildren<QPlainTextEdit *>()) {
                if (code->isVisible())
                    return code->textCursor().blockNumber() + 1;
            }
            return 0;
        };
        QTRY_COMPARE(driven.pane()->name(), variant);
        QTRY_COMPARE(driven.pane()->tab(), RecipePane::Tab::Recipe);
        QTRY_COMPARE(shownLine(), 4);
        driven.window->raisePanel(u"console"_s);
        QTRY_VERIFY(tool(u"Correct the hash\u2026"_s));
        tool(u"Correct the hash\u2026"_s)->click();
        Q_EMIT driven.window->findChild<RecipeController *>()->shownChanged(); // it is read again meanwhile
        AuditPage *page = driven.pane()->audit();
        QTRY_VERIFY(driven.canClick(page, u"Apply"_s));
        QCOMPARE(driven.sample.read(file), wrong); // shown, not done
        QTest::mouseClick(driven.button(page, u"Apply"_s), Qt::LeftButton);
        QTRY_COMPARE(driven.sample.read(file), QByteArray(wrong).replace(stated, right));
    }

    void nixReadsWhatIsShown()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        driven.click(variant);
        QTRY_VERIFY(driven.settled());
        driven.window->raisePanel(u"audit"_s);
        AuditPage *page = driven.pane()->audit();
        QTRY_VERIFY(driven.canClick(page, u"Check with Nix"_s));
        QTest::mouseClick(driven.button(page, u"Check with Nix"_s), Qt::LeftButton);
        QTRY_COMPARE(textOf(page, u"Answer"_s), u"Nix can parse it: the syntax is valid."_s);
        driven.sample.write(file, "{ pkgs }:\nlet a = {\nin a\n");
        QTRY_VERIFY(textOf(page, u"Answer"_s).isEmpty());
        QTRY_VERIFY(driven.canClick(page, u"Check with Nix"_s));
        QTest::mouseClick(driven.button(page, u"Check with Nix"_s), Qt::LeftButton);
        QTRY_VERIFY(textOf(page, u"Answer"_s).startsWith(u"Nix rejects it at line 3"_s));
    }
};

TM_TEST(TestWindowAudit, QApplication)
#include "tst_windowaudit.moc"
