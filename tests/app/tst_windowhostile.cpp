// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/window/Panels.h"
#include "tests/app/DrivenWindow.h"
#include "tests/support/RenderedText.h"
#include "tests/support/TestMain.h"
#include "views/work/WorkDialog.h"

#include <QApplication>
#include <QRegularExpression>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

const QString markup = u"<b>bold</b><img/src=x.png>"_s; // also the name of a branch
const QString cellName = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
const QString absent = u"pytorch-python313-cuda12_8-sm90-avx512"_s;

QWidgetList otherWindows(const QWidget *window)
{
    QWidgetList others = QApplication::topLevelWidgets();
    others.removeIf([window](const QWidget *one) {
        return one == window || !one->isVisible() || !one->isWindow() || one->inherits("QTipLabel");
    });
    return others;
}

} // namespace

/// The window on a repository in which every text is markup: each view and each dialog shows it as it is written.
class TestWindowHostile : public QObject
{
    Q_OBJECT

    QTemporaryDir m_config;
    std::unique_ptr<DrivenWindow> m_driven;

    [[nodiscard]] QAction *action(const QString &text) const
    {
        for (QAction *one : m_driven->window->findChildren<QAction *>()) {
            if (one->text().remove(u'&').remove(u'\u2026') == text)
                return one;
        }
        return nullptr;
    }

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("XDG_CONFIG_HOME", m_config.path().toUtf8());
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support )"_s));
        m_driven = std::make_unique<DrivenWindow>();
        const SampleFixture &sample = m_driven->sample;
        const QString file = u".flox/pkgs/%1.nix"_s.arg(cellName);
        const QByteArray bad = "<b>bold</b><img src=x.png>";
        QByteArray recipe = sample.read(file);
        recipe.replace("description = \"", "description = \"" + bad);
        sample.write(file, "# " + bad + '\n' + recipe);
        sample.write(u".flox/pkgs/pytorch-<img src=x.png>.nix"_s, bad);
        sample.write(u".flox/pkgs/%1.nix"_s.arg(absent), "{ }: " + bad);
        sample.git({u"add"_s, u"-A"_s});
        sample.git({u"-c"_s, u"user.name="_s + QString::fromUtf8(bad), u"commit"_s, u"-qm"_s, QString::fromUtf8(bad)});
        sample.git({u"branch"_s, markup});
        sample.git({u"switch"_s, u"-q"_s, u"-c"_s, markup + u'2'});
        sample.git({u"init"_s, u"-q"_s, u"--bare"_s, sample.path(u".git/origin.git"_s)});
        sample.git({u"remote"_s, u"add"_s, u"origin"_s, sample.path(u".git/origin.git"_s)});
        sample.git({u"push"_s, u"-q"_s, u"origin"_s, u"--all"_s});
        sample.write(file, sample.read(file) + "# uncommitted " + bad + '\n');
        m_driven->window->openRepository(sample.path(), markup + u'2');
        QTRY_VERIFY(m_driven->settled());
        QTRY_COMPARE(m_driven->state(cellName), u"modified"_s);
    }
    void cleanupTestCase() { m_driven.reset(); }

    void everyPanel()
    {
        m_driven->click(cellName);
        QTRY_COMPARE(m_driven->pane()->name(), cellName);
        QVERIFY(m_driven->notice().contains(u"<img"_s)); // the file that is in no cell
        for (const QString &panel : Panels::names()) {
            m_driven->window->raisePanel(panel);
            QTRY_VERIFY(m_driven->settled());
            QCOMPARE(renderedIn(m_driven->window.get()), QStringList());
        }
        m_driven->window->raisePanel(u"grid"_s);
        m_driven->click(absent); // it cannot be parsed
        QTRY_COMPARE(m_driven->pane()->name(), absent);
        for (const auto tab :
             {RecipePane::Tab::Recipe, RecipePane::Tab::Changes, RecipePane::Tab::Facts, RecipePane::Tab::Audit}) {
            m_driven->pane()->setTab(tab);
            QTRY_VERIFY(m_driven->settled());
            QCOMPARE(renderedIn(m_driven->window.get()), QStringList());
        }
    }

    void everyDialog_data()
    {
        QTest::addColumn<QString>("entry");
        for (const QString &entry :
             {u"Derive a branch"_s, u"Change version or pin"_s, u"README tables"_s, u"Copy to branch"_s,
              u"Recipe's history"_s, u"Commit with message"_s, u"Set upstream"_s, u"Export CI"_s,
              u"Build with options"_s, u"Compare branches"_s, u"Discard changes"_s, u"Delete"_s, u"History and undo"_s,
              u"Overview of repositories"_s})
            QTest::newRow(qPrintable(entry)) << entry;
    }
    void everyDialog()
    {
        QFETCH(const QString, entry);
        const QWidget *window = m_driven->window.get();
        m_driven->click(cellName);
        QTRY_COMPARE(m_driven->pane()->name(), cellName);
        QTRY_VERIFY(action(entry) && action(entry)->isEnabled());
        action(entry)->trigger();
        QTRY_VERIFY(!otherWindows(window).isEmpty());
        QWidget *dialog = otherWindows(window).constFirst();
        if (const auto *work = qobject_cast<WorkDialog *>(dialog))
            QTRY_VERIFY(work->isSettled());
        QTRY_VERIFY(m_driven->settled());
        QCOMPARE(renderedIn(dialog), QStringList());
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(otherWindows(window).isEmpty());
    }
};

TM_TEST(TestWindowHostile, QApplication)
#include "tst_windowhostile.moc"
