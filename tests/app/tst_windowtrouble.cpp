// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/window/Appearance.h"
#include "model/settings/SettingsFile.h"
#include "tests/app/DrivenWindow.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/TestMain.h"
#include "views/plan/PlanView.h"
#include "views/settings/CoverageGrid.h"
#include "views/settings/CoverageModel.h"
#include "views/settings/SettingsPage.h"

#include <QApplication>
#include <QFile>
#include <QKeySequence>
#include <QLabel>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QTabWidget>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

const QString cpu = u"pytorch-python313-cpu-avx2"_s;
const QString ownSettings = u"torch-matrix.toml"_s;

bool says(const QWidget *in, const QString &part)
{
    for (const QLabel *label : in->findChildren<QLabel *>()) {
        if (label->isVisible() && label->text().contains(part))
            return true;
    }
    return false;
}

/// The program's file for the sample's settings, edited by hand.
QByteArray writtenOn(const DrivenWindow &driven)
{
    auto *page = driven.window->findChild<SettingsPage *>();
    QByteArray text = writeSettingsFile(page->settings(), *testing::builtInCatalog());
    text.prepend("# Ask before you touch this.\n");
    text.replace("[[coverage]]", "[[coverage]] # what people asked for");
    return text;
}

void toggle(const DrivenWindow &driven, const QString &row)
{
    auto *grid = driven.window->findChild<CoverageGrid *>();
    for (int i = 0; i < grid->model()->rowCount(); ++i) {
        if (grid->model()->headerData(i, Qt::Vertical, CoverageModel::AxisIdRole) == row)
            grid->setCurrentIndex(grid->model()->index(i, 0));
    }
    grid->setFocus();
    QTest::keyClick(grid, Qt::Key_Space);
}

} // namespace

/// The window with invalid files, and its messages.
class TestWindowTrouble : public QObject
{
    Q_OBJECT

    QTemporaryDir m_config;

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_CONFIG_HOME", m_config.path().toUtf8()); }
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support propagateSizeHints)"_s)); }

    void aBrokenLineFileIsSaidAndNothingIsGenerated()
    {
        DrivenWindow driven(cpu);
        driven.sample.write(ownSettings, "base = \"main\"\nmetadta_rev = 3\n");
        auto *trouble = driven.window->findChild<NoticeBar *>(u"settingsTrouble"_s);
        QTRY_VERIFY2(trouble->text().contains(u"metadta_rev"_s), qPrintable(trouble->text()));
        QVERIFY2(trouble->text().contains(u"line 2"_s), qPrintable(trouble->text()));
        QVERIFY(trouble->kind() == NoticeBar::Kind::Problem);
        const QString sentence = trouble->text();
        QTest::keyClick(trouble, Qt::Key_Escape);
        QCOMPARE(trouble->text(), sentence); // it lasts as long as the file is broken

        QTRY_VERIFY(driven.settled());
        driven.click(cpu);
        QTRY_COMPARE(driven.pane()->name(), cpu);
        QVERIFY(!driven.canClick(driven.pane(), u"Generate"_s));
        QVERIFY(!says(driven.pane(), u"Generate would write"_s));
        QCOMPARE(driven.button(driven.pane(), u"Generate"_s)->toolTip(), sentence);
        QTest::keyClick(driven.table(), Qt::Key_G);
        QTest::keyClick(driven.window.get(), Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY2(driven.notice().contains(sentence), qPrintable(driven.notice()));
        QVERIFY(!QFile::exists(driven.sample.path(u".flox/pkgs/%1.nix"_s.arg(cpu))));

        driven.window->raisePanel(u"plan"_s);
        const auto *plan = driven.window->findChild<PlanView *>();
        QTRY_VERIFY(says(plan, u"Could not plan main"_s));
        QVERIFY(says(plan, u"torch-matrix.toml, line 2: metadta_rev"_s));
        QVERIFY(!driven.canClick(plan, u"Apply"_s));

        QTest::mouseClick(driven.button(trouble, u"Show the settings"_s), Qt::LeftButton);
        auto *page = driven.window->findChild<SettingsPage *>();
        QVERIFY(page->isVisible());
        QVERIFY(says(page, sentence));
        QCOMPARE(trouble->text(), sentence);

        QFile::remove(driven.sample.path(ownSettings));
        QTRY_COMPARE(trouble->text(), QString());
        QVERIFY(!says(page, sentence));
    }

    void aNoticeFollowsTheAppearance()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        auto *notice = driven.bar();
        notice->showNotice(NoticeBar::Kind::Done, u"Committed."_s, u"Undo"_s);
        const auto ground = [notice] { return notice->grab().toImage().pixelColor(2, 2).lightness(); };
        const auto text = [notice] {
            return notice->findChild<QLabel *>()->palette().color(QPalette::WindowText).lightness();
        };
        apply(Appearance::Light);
        QTRY_VERIFY(ground() > 180 && text() < 80);
        apply(Appearance::Dark);
        QTRY_VERIFY2(ground() < 80 && text() > 180, qPrintable(u"%1 on %2"_s.arg(text()).arg(ground())));
        apply(Appearance::Light);
        QTRY_VERIFY(ground() > 180 && text() < 80);
    }

    void savingALineKeepsItsComments()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        QVERIFY(!driven.window->findChild<SettingsPage *>()); // it is made when it is shown
        driven.window->raisePanel(u"settings"_s);
        const QByteArray text = writtenOn(driven);
        driven.sample.write(ownSettings, text);
        driven.sample.git({u"add"_s, ownSettings});
        driven.sample.git({u"commit"_s, u"-qm"_s, u"Describe the line"_s});
        auto *page = driven.window->findChild<SettingsPage *>();
        QTRY_VERIFY(page->settings().source == Settings::Source::File);
        toggle(driven, u"cpu"_s);
        QTRY_VERIFY(driven.canClick(page, u"Save…"_s));
        QTest::mouseClick(driven.button(page, u"Save…"_s), Qt::LeftButton);
        QTRY_VERIFY(QApplication::activeModalWidget());
        QWidget *dialog = QApplication::activeModalWidget();
        const auto lost = text.count("[[coverage]]");
        QVERIFY(lost > 1);
        QTRY_VERIFY(says(dialog, u"%1 lines of comments are lost"_s.arg(lost)));
        QTRY_VERIFY(driven.canClick(dialog, u"Commit"_s));
        QTest::mouseClick(driven.button(dialog, u"Commit"_s), Qt::LeftButton);
        QTRY_VERIFY(driven.notice().contains(u"Saved the settings"_s));
        const QByteArray saved = driven.sample.read(ownSettings);
        const auto head = text.indexOf("[[coverage]]");
        QCOMPARE(saved.first(head), text.first(head));
        QVERIFY(saved != text);
    }

    void aFileThatCannotBeReadShowsNoText_data()
    {
        QTest::addColumn<QString>("kind");
        for (const char *kind : {"link", "binary", "large"})
            QTest::newRow(kind) << QString::fromLatin1(kind);
    }

    void aFileThatCannotBeReadShowsNoText()
    {
        QFETCH(QString, kind);
        DrivenWindow driven;
        const QString file = u".flox/pkgs/%1.nix"_s.arg(cpu);
        if (kind == "link"_L1) {
            QVERIFY(QFile::remove(driven.sample.path(file)));
            QVERIFY(QFile::link(u"elsewhere.nix"_s, driven.sample.path(file)));
        } else {
            driven.sample.write(file, kind == "large"_L1 ? QByteArray(50'000'000, ' ') : QByteArray("\0\1\2\xff", 4));
        }
        QTRY_COMPARE(driven.state(cpu), u"broken"_s);
        QTRY_VERIFY(driven.settled());
        driven.click(cpu);
        QTRY_COMPARE(driven.pane()->name(), cpu);
        QTRY_VERIFY(says(driven.pane(), u"This file cannot be shown. "_s));
        for (const QPlainTextEdit *edit : driven.pane()->findChildren<QPlainTextEdit *>())
            QVERIFY(!edit->isVisible() || edit->toPlainText().isEmpty());
        QVERIFY(!driven.canClick(driven.pane(), u"Build"_s));
    }

    void noMnemonicIsGivenTwice()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        for (const QString &view : {u"grid"_s, u"plan"_s, u"settings"_s}) {
            driven.window->raisePanel(view);
            QStringList texts;
            for (const QAction *action : driven.window->menuBar()->actions())
                texts.append(action->text());
            for (const QWidget *widget : driven.window->findChildren<QWidget *>()) {
                if (!widget->isVisible())
                    continue;
                const auto *label = qobject_cast<const QLabel *>(widget);
                if (const auto *button = qobject_cast<const QAbstractButton *>(widget))
                    texts.append(button->text());
                else if (label && label->buddy())
                    texts.append(label->text());
            }
            QHash<QKeySequence, QString> owners;
            for (const QString &text : std::as_const(texts)) {
                const QKeySequence key = QKeySequence::mnemonic(text);
                if (key.isEmpty())
                    continue;
                QVERIFY2(!owners.contains(key),
                         qPrintable(u"%1: %2 and %3"_s.arg(key.toString(), owners.value(key), text)));
                owners.insert(key, text);
            }
            QVERIFY(owners.size() >= 6);
        }
    }
};

TM_TEST(TestWindowTrouble, QApplication)
#include "tst_windowtrouble.moc"
