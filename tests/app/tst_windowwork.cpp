// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/WorkController.h"
#include "model/base/Preferences.h"
#include "model/fleet/KnownRepositories.h"
#include "tests/app/DrivenWindow.h"
#include "tests/support/FleetFixture.h"
#include "tests/support/TestMain.h"
#include "views/change/ChangeModel.h"
#include "views/help/Manual.h"
#include "views/recipe/CodeView.h"
#include "views/recipe/DiffView.h"
#include "views/widgets/Label.h"
#include "views/work/WorkDialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDesktopServices>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTreeView>
#include <QTreeWidget>
#include <QUrl>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

const QString ownCell = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
const QString otherVariant = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
const QString pin = QString(20, u'c') + QString(20, u'd');

QString recipePath(const QString &name)
{
    return u".flox/pkgs/%1.nix"_s.arg(name);
}

} // namespace

/// Derive, migrate, copy and README tables, from the key to the commit; git judges.
class TestWindowWork : public QObject
{
    Q_OBJECT

    QTemporaryDir m_config;
    std::unique_ptr<DrivenWindow> m_driven;
    QUrl m_opened; ///< what the desktop was told to open

    [[nodiscard]] const SampleFixture &sample() const { return m_driven->sample; }
    [[nodiscard]] MainWindow *window() const { return m_driven->window.get(); }
    [[nodiscard]] WorkDialog *dialog() const { return window()->findChild<WorkController *>()->dialog(); }
    [[nodiscard]] bool settled() const { return dialog() && dialog()->isSettled(); }
    template <class T>
    [[nodiscard]] T *named(const QString &name) const
    {
        for (T *widget : dialog()->findChildren<T *>()) {
            if (widget->accessibleName() == name)
                return widget;
        }
        return nullptr;
    }
    [[nodiscard]] QString label(const QString &name) const
    {
        return named<QLabel>(name)->isVisible() ? named<QLabel>(name)->text() : QString();
    }
    [[nodiscard]] QString nameProblem() const { return named<ElidedLabel>(u"Problem with the name"_s)->fullText(); }
    [[nodiscard]] QTreeView *tree() const { return dialog()->findChild<QTreeView *>(); }
    void type(const QString &field, const QString &text) const
    {
        auto *edit = named<QLineEdit>(field);
        QVERIFY(edit);
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, text);
    }
    void tick(const QString &box) const
    {
        QVERIFY(named<QCheckBox>(box));
        QTest::mouseClick(named<QCheckBox>(box), Qt::LeftButton, {}, QPoint(8, named<QCheckBox>(box)->height() / 2));
    }
    /// Selects the step with a click, and presses Space on it if requested.
    void goTo(const QString &name, bool press) const
    {
        for (int row = 0; row < tree()->model()->rowCount(); ++row) {
            const QModelIndex group = tree()->model()->index(row, 0);
            for (int step = 0; step < tree()->model()->rowCount(group); ++step) {
                const QModelIndex index = tree()->model()->index(step, 0, group);
                if (index.data(ChangeModel::NameRole).toString() != name)
                    continue;
                tree()->expand(group);
                tree()->scrollTo(index);
                QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, tree()->visualRect(index).center());
                if (press)
                    QTest::keyClick(tree(), Qt::Key_Space);
                return;
            }
        }
        QFAIL(qPrintable(u"no step "_s + name));
    }
    void press(const QString &button) const
    {
        QTRY_VERIFY(m_driven->canClick(dialog(), button));
        QTest::mouseClick(m_driven->button(dialog(), button), Qt::LeftButton);
    }
    void key(Qt::Key key) const
    {
        window()->activateWindow();
        QTest::keyClick(window(), key, Qt::ControlModifier | Qt::ShiftModifier);
    }
    /// From the menu of the current cell.
    void choose(const QString &text) const
    {
        QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, {});
        QApplication::sendEvent(m_driven->table(), &event);
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        QVERIFY(menu);
        const QList<QAction *> entries = menu->actions();
        const auto entry =
            std::ranges::find_if(entries, [&](const QAction *one) { return one->text() == text && one->isEnabled(); });
        if (entry != entries.end())
            (*entry)->trigger();
        menu->close();
        QVERIFY2(entry != entries.end(), qPrintable(text));
    }
    void undo() const
    {
        QTRY_VERIFY(m_driven->canClick(window(), u"Undo"_s));
        QTest::mouseClick(m_driven->button(window(), u"Undo"_s), Qt::LeftButton);
    }
    void sound() const
    {
        QTRY_VERIFY(sample().status().isEmpty()); // An undo may still write the working tree.
        sample().git({u"fsck"_s, u"--strict"_s});
    }

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_CONFIG_HOME", m_config.path().toUtf8()); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
        m_driven = std::make_unique<DrivenWindow>();
        QTRY_VERIFY(m_driven->settled());
    }
    void cleanup() { m_driven.reset(); }
    void open(const QUrl &url) { m_opened = url; }

    void derivesALine()
    {
        key(Qt::Key_D);
        QTRY_VERIFY(settled());
        QCOMPARE(named<QComboBox>(u"Branch to start from"_s)->currentText(), u"main"_s);
        QVERIFY(!m_driven->canClick(dialog(), u"Create branch"_s));
        QVERIFY(nameProblem().contains(u"has no name yet"_s));
        // As typed: a name that is taken, one that git refuses, one that is free.
        type(u"Name of the new branch"_s, u"cuda-12_9"_s);
        QTRY_VERIFY(nameProblem().contains(u"A branch with that name already exists"_s));
        type(u"Name of the new branch"_s, u"a..b"_s);
        QTRY_VERIFY(nameProblem().contains(u"Git does not allow that name"_s));
        type(u"Name of the new branch"_s, u"next"_s);
        QTRY_VERIFY(settled() && nameProblem().isEmpty());
        type(u"Version of PyTorch"_s, u"2.10.0"_s);
        tick(u"CUDA 12.8"_s);
        tick(u"CUDA 13.0"_s);
        QTRY_COMPARE(label(u"Result"_s),
                     u"Preview: 6 recipes rewritten, 36 renamed, 2 deleted, torch-matrix.toml written. "
                     "nixpkgs fe5e41d is replaced by 6a030d5 in 42 recipes."_s);
        QVERIFY(!m_driven->canClick(dialog(), u"Create branch"_s)); // two recipes would be lost
        tick(u"Leave out recipes that are impossible on the new branch"_s);
        QTRY_VERIFY(m_driven->canClick(dialog(), u"Create branch"_s));
        QVERIFY(named<QLabel>(u"Further notes"_s)->text().contains(u"sm61"_s));
        // The text of a recipe, and of the line's file.
        goTo(u"pytorch-python313-cuda13_0-sm90-avx512"_s, false);
        QVERIFY(dialog()->findChild<CodeView *>()->code().contains("cudaPackages_13"));
        goTo(u"torch-matrix.toml"_s, false);
        QVERIFY(dialog()->findChild<CodeView *>()->code().contains("2.10.0"));

        const QByteArray main = sample().git({u"rev-parse"_s, u"main"_s});
        press(u"Create branch"_s);
        QTRY_VERIFY(!dialog());
        const QByteArray commit = sample().git({u"rev-parse"_s, u"next"_s});
        QVERIFY2(m_driven->notice().contains(QString::fromLatin1(commit.left(7))), qPrintable(m_driven->notice()));
        QCOMPARE(sample().git({u"rev-parse"_s, u"next~1"_s}), main);
        QCOMPARE(sample().git({u"rev-parse"_s, u"main"_s}), main);
        QCOMPARE(sample().git({u"ls-tree"_s, u"--name-only"_s, u"next:.flox/pkgs"_s}).split('\n').size(), 42);
        sound();
        QTRY_VERIFY(m_driven->canClick(window(), u"Show branch"_s));
        QTest::mouseClick(m_driven->button(window(), u"Show branch"_s), Qt::LeftButton);
        QTRY_VERIFY(window()->windowTitle().contains(u"next"_s));
        QTRY_COMPARE(m_driven->state(u"pytorch-python313-cuda13_0-sm90-avx512"_s), u"current"_s);
        QCOMPARE(sample().git({u"symbolic-ref"_s, u"--short"_s, u"HEAD"_s}), "main");
    }

    void anErrorStaysInTheDialogAndLosesNothing()
    {
        key(Qt::Key_D);
        QTRY_VERIFY(settled());
        named<QComboBox>(u"Branch to start from"_s)->setFocus();
        QTest::keyClicks(named<QComboBox>(u"Branch to start from"_s), u"cuda-13_0"_s);
        QTRY_COMPARE(named<QLineEdit>(u"Version of PyTorch"_s)->text(), u"2.10.0"_s);
        QVERIFY(named<QCheckBox>(u"CUDA 13.0"_s)->isChecked());
        type(u"Name of the new branch"_s, u"next"_s);
        type(u"Version of PyTorch"_s, u"2.11.0"_s);
        QTRY_VERIFY2(label(u"Problem"_s).contains(u"hash"_s), qPrintable(label(u"Problem"_s)));
        QVERIFY(!m_driven->canClick(dialog(), u"Create branch"_s));
        type(u"Hash of PyTorch's source"_s, u"sha256-RKiZLHBCneMtZKRgTEuW1K7+Jpi+tx11BMXuS1jC1xQ="_s);
        QTRY_VERIFY(m_driven->canClick(dialog(), u"Create branch"_s));
        QVERIFY(label(u"Problem"_s).isEmpty());
        // Meanwhile the branch is created elsewhere.
        sample().git({u"branch"_s, u"next"_s, u"main"_s});
        if (m_driven->canClick(dialog(), u"Create branch"_s))
            press(u"Create branch"_s);
        QTRY_VERIFY(label(u"Problem"_s).contains(u"a branch with that name already exists"_s) ||
                    nameProblem().contains(u"A branch with that name already exists"_s));
        QCOMPARE(named<QLineEdit>(u"Version of PyTorch"_s)->text(), u"2.11.0"_s);
        QTest::keyClick(dialog(), Qt::Key_Escape);
        QTRY_VERIFY(!dialog());
        QCOMPARE(sample().git({u"rev-parse"_s, u"next"_s}), sample().git({u"rev-parse"_s, u"main"_s}));
    }

    // Without a mouse, and with a hook that refuses the commit.
    void byKeysAloneAndRefusedByAHook()
    {
        const QString hook = u".git/hooks/pre-commit"_s;
        sample().write(hook, "#!/bin/sh\necho not today\nexit 1\n");
        QFile::setPermissions(sample().path(hook), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        key(Qt::Key_D);
        QTRY_VERIFY(settled());
        const auto press = [this](Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
            QTest::keyClick(dialog()->focusWidget(), key, modifiers);
        };
        QCOMPARE(dialog()->focusWidget(), named<QLineEdit>(u"Name of the new branch"_s));
        QTest::keyClicks(dialog()->focusWidget(), u"next"_s);
        press(Qt::Key_Tab);
        QCOMPARE(dialog()->focusWidget(), named<QCheckBox>(u"PyTorch"_s));
        press(Qt::Key_Tab);
        QCOMPARE(dialog()->focusWidget(), named<QLineEdit>(u"Version of PyTorch"_s));
        for (QWidget *field = dialog()->focusWidget(); field != named<QCheckBox>(u"Python 3.12"_s);
             field = dialog()->focusWidget())
            press(Qt::Key_Tab);
        press(Qt::Key_Space);
        QTRY_COMPARE(label(u"Result"_s),
                     u"Preview: 44 recipes created, 44 stay as they are, torch-matrix.toml written."_s);
        for (int i = 0; i < 8 && dialog()->focusWidget() != tree(); ++i)
            press(Qt::Key_Tab); // past 3.11, revision, known ones, sha256, Fetch, BLAS and other branches
        QCOMPARE(dialog()->focusWidget(), tree());
        press(Qt::Key_Home);
        press(Qt::Key_Down);
        press(Qt::Key_Space); // one of them not
        QTRY_VERIFY(label(u"Result"_s).startsWith(u"Preview: 43 recipes created"_s));
        press(Qt::Key_Return);
        QTRY_VERIFY2(label(u"Problem"_s).contains(u"not today"_s), qPrintable(label(u"Problem"_s)));
        QTRY_VERIFY(settled());
        QCOMPARE(sample().tryGit({u"rev-parse"_s, u"-q"_s, u"--verify"_s, u"next"_s}), 1);
        QCOMPARE(named<QLineEdit>(u"Name of the new branch"_s)->text(), u"next"_s);
        QVERIFY(label(u"Result"_s).startsWith(u"Preview: 43 recipes created"_s)); // and what was ticked
        // Tried again once it may.
        QFile::remove(sample().path(hook));
        QTRY_VERIFY(m_driven->canClick(dialog(), u"Create branch"_s));
        m_driven->button(dialog(), u"Create branch"_s)->setFocus();
        press(Qt::Key_Space);
        QTRY_VERIFY(!dialog());
        QCOMPARE(sample().git({u"ls-tree"_s, u"--name-only"_s, u"next:.flox/pkgs"_s}).split('\n').size(), 87);
        sound();
    }

    void stopsAndGoesOn()
    {
        key(Qt::Key_R);
        auto *stop = named<QPushButton>(u"Stop or continue"_s);
        connect(
            dialog(), &WorkDialog::busyChanged, stop,
            [this, stop] {
                if (dialog()->isBusy())
                    stop->click();
            },
            Qt::ConnectionType(Qt::QueuedConnection | Qt::SingleShotConnection));
        QTRY_COMPARE(stop->text(), u"Try again"_s);
        QVERIFY(stop->isVisible() && !m_driven->canClick(dialog(), u"Write"_s));
        QTest::mouseClick(stop, Qt::LeftButton);
        QTRY_VERIFY(settled());
        QCOMPARE(label(u"Result"_s), u"Nothing is ticked."_s);
        QVERIFY(!stop->isVisible());
    }

    void migratesAndTakesItBack()
    {
        sample().write(recipePath(ownCell), sample()
                                                .read(recipePath(ownCell))
                                                .replace("  meta = oldAttrs.meta", "  doCheck = true;\n"
                                                                                   "  meta = oldAttrs.meta"));
        sample().git({u"commit"_s, u"-qam"_s, u"Mine"_s});
        QTRY_COMPARE(m_driven->state(ownCell), u"customised"_s);
        const QByteArray before = sample().git({u"rev-parse"_s, u"HEAD^{tree}"_s});
        key(Qt::Key_M);
        QTRY_VERIFY(settled());
        QVERIFY(!m_driven->canClick(dialog(), u"Change"_s));
        type(u"nixpkgs revision"_s, pin);
        QTRY_VERIFY(label(u"Result"_s).startsWith(u"Preview: 44 recipes rewritten"_s));
        tick(u"Change customised recipes in place"_s);
        QTRY_VERIFY(label(u"Result"_s).startsWith(u"Preview: 43 recipes rewritten, 1 unchanged unless ticked"_s));
        goTo(otherVariant, false);
        QTRY_VERIFY(dialog()->findChild<DiffView *>()->changeCount() > 0);
        goTo(ownCell, false);
        QVERIFY(label(u"Why"_s).contains(u"own text"_s));
        press(u"Change"_s);
        QTRY_VERIFY(!dialog());
        QVERIFY(sample().git({u"show"_s, u"HEAD:%1"_s.arg(recipePath(otherVariant))}).contains(pin.toLatin1()));
        QVERIFY(!sample().git({u"show"_s, u"HEAD:%1"_s.arg(recipePath(ownCell))}).contains(pin.toLatin1()));
        QCOMPARE(sample().git({u"log"_s, u"-1"_s, u"--format=%s"_s}).trimmed(), // and nothing that stays
                 "Migrate 43 recipes to nixpkgs " + pin.first(7).toLatin1());
        sound();
        undo();
        QTRY_COMPARE(sample().git({u"rev-parse"_s, u"HEAD^{tree}"_s}), before);
        sound();
    }

    /// Nix is asked for the hash beside a version; it can be stopped.
    void fetchesAHash()
    {
        const QTemporaryDir folder;
        const auto act = [&folder](const QByteArray &script) {
            QFile nix(folder.filePath(u"nix"_s));
            return nix.open(QIODevice::WriteOnly) && nix.write("#!/bin/sh\n" + script) > 0 &&
                   nix.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        };
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", folder.path().toUtf8() + ':' + path);
        const auto restore = qScopeGuard([&path] { qputenv("PATH", path); });
        QVERIFY(act("exec sleep 1000\n"));
        key(Qt::Key_M);
        QTRY_VERIFY(settled());
        type(u"Version of PyTorch"_s, u"2.9.5"_s);
        auto *fetch = named<QPushButton>(u"Fetch the hash of PyTorch's source"_s);
        auto *hash = named<QLineEdit>(u"Hash of PyTorch's source"_s);
        QTest::mouseClick(fetch, Qt::LeftButton);
        QTRY_COMPARE(fetch->text(), u"Stop"_s);
        QVERIFY(label(u"Fetched hash"_s).contains(u"pytorch/pytorch?ref=refs/tags/v2.9.5&submodules=1"_s));
        fetch->setFocus();
        QTest::keyClick(fetch, Qt::Key_Space);
        QTRY_COMPARE(fetch->text(), u"Fetch"_s);
        QVERIFY(hash->text().isEmpty());
        const QString answer = u"sha256-"_s + QString(43, u'A') + u'=';
        QVERIFY(act("echo '{\"hash\":\"" + answer.toUtf8() + "\"}'\n"));
        QTest::keyClick(fetch, Qt::Key_Space);
        QTRY_COMPARE(hash->text(), answer);
        QTRY_VERIFY2(label(u"Result"_s).startsWith(u"Preview: 44 recipes"_s), qPrintable(label(u"Problem"_s)));
        QVERIFY(act("echo 'error: <b>no</b>' >&2; exit 1\n"));
        QTest::keyClick(fetch, Qt::Key_Space);
        QTRY_VERIFY2(label(u"Fetched hash"_s).contains(u"<b>no</b>"_s), qPrintable(label(u"Fetched hash"_s)));
        QCOMPARE(hash->text(), answer);
        QTest::keyClick(dialog(), Qt::Key_Escape);
        QTRY_VERIFY(!dialog());
    }

    /// As with --in: other branches, of this repository and of another one, or none of them.
    void migratesSeveralBranches()
    {
        FleetFixture fleet;
        fleet.commit(u"serve"_s, u"main"_s, FleetFixture::served(newPin, "12_8", "python313", "2.8.0", {"avx2"}));
        addRepositories({fleet.path(u"serve"_s)});
        const auto restore = qScopeGuard([&fleet] { forgetRepository(fleet.path(u"serve"_s)); });
        const QByteArray before = sample().git({u"rev-parse"_s, u"HEAD"_s});
        key(Qt::Key_M);
        QTRY_VERIFY(settled());
        auto *list = named<QListWidget>(u"Other branches"_s);
        QTRY_COMPARE(list->count(), 3);
        type(u"nixpkgs revision"_s, pin);
        QTRY_VERIFY(label(u"Result"_s).startsWith(u"Preview: 44 recipes"_s));
        QTest::mouseClick(list->parentWidget()->findChild<QCheckBox *>(), Qt::LeftButton, {}, {8, 8});
        QTRY_VERIFY(list->isVisible());
        for (const int row : {0, 2}) {
            list->setCurrentRow(row);
            QTest::keyClick(list, Qt::Key_Space);
        }
        QCOMPARE(list->item(2)->text(), u"serve@main"_s);
        QTRY_VERIFY2(label(u"Result"_s).contains(u"serve@main: 1 recipe rewritten"_s), qPrintable(label(u"Result"_s)));
        QVERIFY(label(u"Result"_s).contains(u"sample@cuda-12_9: 50 recipes rewritten"_s));
        // If one branch cannot be changed, none is.
        QFile merge(fleet.path(u"serve/.git/MERGE_HEAD"_s));
        QVERIFY(merge.open(QIODevice::WriteOnly));
        merge.write(fleet.git(u"serve"_s, {u"rev-parse"_s, u"HEAD"_s}) + '\n');
        merge.close();
        press(u"Change"_s);
        QTRY_VERIFY2(label(u"Problem"_s).contains(u"merge"_s), qPrintable(label(u"Problem"_s)));
        QCOMPARE(sample().git({u"rev-parse"_s, u"HEAD"_s}), before);
        QVERIFY(merge.remove());
        press(u"Change"_s);
        QTRY_VERIFY(!dialog());
        for (const QString &branch : {u"main"_s, u"cuda-12_9"_s})
            QCOMPARE(sample().git({u"rev-list"_s, u"--count"_s, u"--grep"_s, u"nixpkgs"_s, u"-1"_s, branch}), "1");
        QCOMPARE(sample().git({u"rev-parse"_s, u"main~1"_s}), before);
        QVERIFY(fleet.git(u"serve"_s, {u"show"_s, u"HEAD"_s}).contains(pin.toLatin1()));
        const QByteArray serve = fleet.git(u"serve"_s, {u"rev-parse"_s, u"HEAD~1"_s});
        undo();
        QTRY_COMPARE(fleet.git(u"serve"_s, {u"rev-parse"_s, u"HEAD"_s}), serve);
        QTRY_COMPARE(sample().git({u"rev-parse"_s, u"main"_s}), before);
        QTRY_VERIFY(m_driven->settled());
        sound();
    }

    void migratesToAnotherTemplate()
    {
        key(Qt::Key_M);
        QTRY_VERIFY(settled());
        auto *box = named<QComboBox>(u"Template of PyTorch's GPU recipes"_s);
        QTRY_VERIFY(box->count() > 1);
        box->setFocus();
        QTest::keyClicks(box, u"explicit"_s);
        QTRY_VERIFY(label(u"Result"_s).startsWith(u"Preview: 38 recipes rewritten, 6 stay as they are"_s));
        goTo(otherVariant, true); // this one not
        QTRY_VERIFY(label(u"Result"_s).startsWith(u"Preview: 37 recipes rewritten"_s));
        press(u"Change"_s);
        QTRY_VERIFY(!dialog());
        QCOMPARE(sample().git({u"show"_s, u"--format="_s, u"--name-only"_s}).split('\n').size(),
                 38); // and the line's file
        sound();
    }

    void copiesCells()
    {
        m_driven->click(ownCell);
        QTRY_COMPARE(m_driven->grid()->currentName(), ownCell);
        sample().git({u"checkout"_s, u"-q"_s, u"cuda-12_9"_s});
        const QString there = u"pytorch-python313-cuda12_9-sm90-avx2"_s;
        sample().takeOut(there);
        sample().git({u"checkout"_s, u"-q"_s, u"main"_s});
        QTRY_VERIFY(m_driven->settled() && m_driven->window->windowTitle().contains(u"main"_s));
        m_driven->click(ownCell);
        key(Qt::Key_C);
        QTRY_VERIFY(settled());
        auto *to = named<QComboBox>(u"Branch to copy to"_s);
        to->setFocus();
        QTest::keyClicks(to, u"cuda-12"_s);
        QTRY_COMPARE(label(u"Result"_s), u"Preview: 1 recipe created."_s);
        QVERIFY(dialog()->findChild<CodeView *>()->code().contains("cudaPackages_12_9"));
        press(u"Copy"_s);
        QTRY_VERIFY(!dialog());
        QCOMPARE(sample().git({u"show"_s, u"--format="_s, u"--name-status"_s, u"cuda-12_9"_s}),
                 "A\t" + recipePath(there).toUtf8());
        sound();
        undo();
        QTRY_COMPARE(sample().git({u"show"_s, u"--format="_s, u"--name-status"_s, u"cuda-12_9"_s}),
                     "D\t" + recipePath(there).toUtf8());
    }

    void deletesARecipeFromTheMenuOfTheCell()
    {
        m_driven->click(ownCell);
        choose(u"&Delete recipe\u2026"_s);
        QTRY_VERIFY(settled());
        QCOMPARE(label(u"Result"_s), u"Preview: 1 recipe deleted."_s);
        QTest::keyClick(dialog(), Qt::Key_Escape);
        QTRY_VERIFY(!dialog());
        sound();
        QVERIFY(QFile::exists(sample().path(recipePath(ownCell))));
        choose(u"&Delete recipe\u2026"_s);
        QTRY_VERIFY(settled());
        press(u"Delete"_s);
        QTRY_COMPARE(m_driven->state(ownCell), u"missing"_s);
        QCOMPARE(sample().git({u"show"_s, u"--format=%s"_s, u"--name-status"_s}),
                 "Delete " + ownCell.toUtf8() + "\n\nD\t" + recipePath(ownCell).toUtf8());
        sound();
        undo();
        QTRY_COMPARE(m_driven->state(ownCell), u"current"_s);
        sound();
    }
    /// Not the last step, but one in the history of the branch; the commits of others stand there too.
    void undoesFromTheHistoryOfTheBranch()
    {
        const QByteArray before = sample().read(recipePath(ownCell));
        for (const QString &name : {ownCell, otherVariant}) {
            m_driven->click(name);
            QTRY_COMPARE(m_driven->pane()->name(), name);
            choose(u"&Delete recipe\u2026"_s);
            QTRY_VERIFY(settled());
            press(u"Delete"_s);
            QTRY_VERIFY(!dialog());
            QTRY_VERIFY(m_driven->settled() && !QFile::exists(sample().path(recipePath(name))));
        }
        window()->findChild<WorkController *>()->open(WorkController::Kind::Undo);
        auto *list = dialog()->findChild<QTreeWidget *>();
        QTRY_VERIFY(list->topLevelItemCount() > 2);
        QTRY_VERIFY(settled());
        QCOMPARE(list->currentItem()->text(1), u"Delete "_s + otherVariant); // the newest
        QVERIFY(list->topLevelItem(2)->isDisabled());                        // another program made it
        const auto says = [this](const QString &words) {
            return std::ranges::any_of(dialog()->findChildren<QLabel *>(),
                                       [&words](const QLabel *label) { return label->text().contains(words); });
        };
        QVERIFY(says(u"main goes back to the commit before"_s));
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Down);
        QCOMPARE(list->currentItem()->text(1), u"Delete "_s + ownCell);
        QTRY_VERIFY(settled() && says(u"A new commit on main reverts it."_s));
        QTRY_VERIFY(settled() && dialog()->findChild<CodeView *>()->code() == before);
        press(u"Undo"_s);
        QTRY_VERIFY(!dialog());
        QTRY_COMPARE(sample().read(recipePath(ownCell)), before);
        QVERIFY(!QFile::exists(sample().path(recipePath(otherVariant))));
        QTRY_VERIFY2(m_driven->notice().startsWith(u"Undone."_s), qPrintable(m_driven->notice()));
        QVERIFY(m_driven->canClick(window(), u"Redo"_s));
        sound();
    }

    void discardsChangesAndBringsThemBack()
    {
        const QByteArray text = sample().read(recipePath(ownCell)) + "# mine\n";
        sample().write(recipePath(ownCell), text);
        QTRY_COMPARE(m_driven->state(ownCell), u"modified"_s);
        m_driven->click(ownCell);
        choose(u"D&iscard changes\u2026"_s);
        QTRY_VERIFY(settled());
        press(u"Discard"_s);
        QTRY_COMPARE(m_driven->state(ownCell), u"current"_s);
        sound();
        undo();
        QTRY_COMPARE(m_driven->state(ownCell), u"modified"_s);
        QCOMPARE(sample().read(recipePath(ownCell)), text);
        // A deleted file is restored; here there is nothing to restore.
        QVERIFY(QFile::remove(sample().path(recipePath(otherVariant))));
        QTRY_COMPARE(m_driven->state(otherVariant), u"modified"_s);
        m_driven->click(otherVariant);
        choose(u"D&iscard changes\u2026"_s);
        QTRY_VERIFY(settled());
        press(u"Discard"_s);
        QTRY_COMPARE(m_driven->state(otherVariant), u"current"_s);
        QVERIFY(!m_driven->canClick(m_driven->bar(), u"Undo"_s));
    }

    /// With the editor of the settings, as arguments; without one, and for the folder, with the desktop's program.
    void opensTheFileFromTheMenuOfTheCell()
    {
        const QString file = QFileInfo(sample().path(recipePath(ownCell))).canonicalFilePath();
        const QTemporaryDir editor;
        const QString said = editor.filePath(u"said"_s);
        const QString program = editor.filePath(u"edit; touch x"_s);
        QFile script(program);
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("#!/bin/sh\nprintf '%s\\n' \"$@\" >\"$0.new\" && mv \"$0.new\" '" + said.toUtf8() + "'\n");
        script.close();
        QVERIFY(script.setPermissions(script.permissions() | QFile::ExeUser));
        Preferences preferences = Preferences::load();
        preferences.editor = u"\"%1\" --wait"_s.arg(program);
        QVERIFY(preferences.save());
        m_driven->click(ownCell);
        choose(u"Open in the &editor"_s);
        QTRY_VERIFY(QFile::exists(said));
        QFile arguments(said);
        QVERIFY(arguments.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(arguments.readAll()), u"--wait\n%1\n"_s.arg(file));

        preferences.editor = editor.filePath(u"none"_s);
        QVERIFY(preferences.save());
        choose(u"Open in the &editor"_s);
        QTRY_VERIFY2(m_driven->notice().startsWith(u"Could not start the editor"_s), qPrintable(m_driven->notice()));

        preferences.editor.clear();
        QVERIFY(preferences.save());
        QDesktopServices::setUrlHandler(u"file"_s, this, "open");
        choose(u"Open in the &editor"_s);
        QTRY_COMPARE(m_opened, QUrl::fromLocalFile(file));
        choose(u"&Show in files"_s);
        QTRY_COMPARE(m_opened, QUrl::fromLocalFile(QFileInfo(file).path()));
        QDesktopServices::unsetUrlHandler(u"file"_s);
        choose(u"Copy p&ath"_s);
        QCOMPARE(QGuiApplication::clipboard()->text(), file);
        sound();
    }

    /// The manual opens over the dialog, at its page, and does not change it.
    void helpOpensInADialog()
    {
        key(Qt::Key_R);
        QTRY_VERIFY(settled());
        dialog()->activateWindow();
        QTRY_COMPARE(QApplication::activeWindow(), dialog());
        QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : dialog(), Qt::Key_F1);
        QTRY_VERIFY(dialog()->findChild<Manual *>());
        auto *manual = dialog()->findChild<Manual *>();
        QTRY_VERIFY(manual->isVisible());
        QCOMPARE(manual->page(), u"branches"_s);
        manual->activateWindow();
        QTRY_COMPARE(QApplication::activeWindow(), manual);
        QTest::keyClick(manual, Qt::Key_F1); // no manual of the manual
        QCOMPARE(QApplication::activeWindow(), manual);
        QTest::keyClick(manual, Qt::Key_Escape);
        QTRY_VERIFY(!manual->isVisible());
        QVERIFY(dialog() && dialog()->isVisible());
        QVERIFY(!window()->findChild<Manual *>(Qt::FindDirectChildrenOnly));
    }

    // The recipe of a neighbour with its own words: previewed first, then written and added to the index.
    void generatesLikeAReference()
    {
        sample().write(recipePath(ownCell), "# Ours, for AVX2\n" + sample().read(recipePath(ownCell)));
        sample().git({u"commit"_s, u"-qam"_s, u"Write a comment"_s});
        sample().takeOut(otherVariant);
        QTRY_VERIFY(m_driven->settled() && m_driven->state(otherVariant) == u"missing"_s);
        m_driven->click(otherVariant);
        QTRY_COMPARE(m_driven->grid()->currentName(), otherVariant);
        key(Qt::Key_L);
        QTRY_VERIFY(settled());
        auto *like = named<QComboBox>(u"Reference recipe"_s);
        QVERIFY(like->count() > 10 && like->findText(otherVariant) < 0);
        like->setCurrentText(ownCell);
        QTRY_VERIFY(settled() && dialog()->findChild<CodeView *>()->code().contains("# Ours, for AVX-512"));
        QVERIFY(!QFile::exists(sample().path() + u'/' + recipePath(otherVariant)));
        press(u"Generate"_s);
        QTRY_VERIFY(!dialog());
        QVERIFY(sample().read(recipePath(otherVariant)).startsWith("# Ours, for AVX-512\n"));
        QCOMPARE(sample().status(), "A  " + recipePath(otherVariant).toUtf8());
    }

    void writesTablesOfAllBranches()
    {
        key(Qt::Key_R);
        QTRY_VERIFY(settled());
        QCOMPARE(label(u"Result"_s), u"Nothing is ticked."_s);
        named<QComboBox>(u"Branches to write to"_s)->setFocus();
        QTest::keyClick(named<QComboBox>(u"Branches to write to"_s), Qt::Key_Down);
        QTRY_COMPARE(tree()->model()->rowCount(tree()->model()->index(0, 0)), 3);
        QTRY_VERIFY(settled());
        // The place is proposed, with its effect.
        goTo(u"main"_s, true);
        QVERIFY2(label(u"Why"_s).contains(u"Tick it to add markers and tables at line "_s),
                 qPrintable(label(u"Why"_s)));
        QTRY_VERIFY(dialog()->findChild<DiffView *>()->toPlainText().contains(u"torch-matrix: begin"_s));
        goTo(u"cuda-13_0"_s, true);
        QTRY_COMPARE(label(u"Result"_s), u"Preview: README.md is written on 2 branches, each as one commit."_s);
        const QByteArray before = sample().git({u"rev-parse"_s, u"main"_s, u"cuda-13_0"_s});
        press(u"Write"_s);
        QTRY_VERIFY(!dialog());
        for (const QString &branch : {u"main"_s, u"cuda-13_0"_s})
            QCOMPARE(sample().git({u"show"_s, u"--format="_s, u"--name-only"_s, branch}), "README.md");
        QCOMPARE(sample().git({u"rev-list"_s, u"--count"_s, u"cuda-12_9"_s}), "1");
        sound();
        undo();
        QTRY_COMPARE(sample().git({u"rev-parse"_s, u"main"_s, u"cuda-13_0"_s}), before);
    }

    void endsWhileItWorks()
    {
        key(Qt::Key_D);
        QVERIFY(dialog());
        m_driven.reset();
    }

    void exportsThePipeline()
    {
        const QList<QAction *> actions = window()->findChildren<QAction *>();
        const auto entry =
            std::ranges::find_if(actions, [](const QAction *one) { return one->text() == u"&Export CI\u2026"_s; });
        QVERIFY(entry != actions.end());
        (*entry)->trigger();
        QTRY_VERIFY(settled());
        QTRY_COMPARE(label(u"Result"_s), u"Preview: .github/workflows/torch-matrix.yml written."_s);
        QVERIFY(dialog()->findChild<CodeView *>()->code().contains("pytorch-python313-cuda12_8-sm90-avx512"));
        // A mistake is reported and loses no input.
        type(u"Runners"_s, u"a=b"_s);
        QTRY_VERIFY(settled() && !m_driven->canClick(dialog(), u"Commit"_s));
        type(u"Runners"_s, u"big, aarch64-linux=arm"_s);
        named<QComboBox>(u"Host"_s)->setCurrentIndex(1);
        QTRY_COMPARE(label(u"Result"_s), u"Preview: .gitlab-ci.yml written."_s);
        press(u"Commit"_s);
        QTRY_VERIFY(!dialog());
        const QByteArray text = sample().git({u"show"_s, u"HEAD:.gitlab-ci.yml"_s});
        QVERIFY(text.startsWith("# torch-matrix: begin\n"));
        QVERIFY(text.contains("tags: [\"big\", \"x86_64-linux\"]") && text.contains("tags: [\"arm\"]"));
        QCOMPARE(text.count("\n# recipe: "), 44);
        sound();
        undo();
        QTRY_VERIFY(!QFile::exists(sample().path(u".gitlab-ci.yml"_s)));
        sound();
    }
};

TM_TEST(TestWindowWork, QApplication)
#include "tst_windowwork.moc"
