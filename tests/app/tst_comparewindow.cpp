// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/CompareController.h"
#include "app/MainWindow.h"
#include "tests/support/SampleFixture.h"
#include "views/compare/BranchChooser.h"
#include "views/compare/ComparePanel.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

/// From the window to the comparison of two branches, on a real repository.
class CompareWindowTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<test::SampleFixture> m_sample;
    std::unique_ptr<MainWindow> m_window;
    QTemporaryDir m_config;

    [[nodiscard]] ComparePanel *panel() const { return m_window->findChild<CompareController *>()->panel(); }
    [[nodiscard]] QString totals() const
    {
        for (const QLabel *label : panel()->findChildren<QLabel *>()) {
            if (label->accessibleName() == "Totals"_L1)
                return label->text();
        }
        return {};
    }

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_CONFIG_HOME", m_config.path().toUtf8()); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
        m_sample = std::make_unique<test::SampleFixture>();
        m_window = std::make_unique<MainWindow>(m_sample->catalog());
        m_window->show();
        m_window->openRepository(m_sample->path());
        QTRY_VERIFY(m_window->isSettled());
    }
    void cleanup()
    {
        m_window.reset();
        m_sample.reset();
    }

    void fromTheKeyboard()
    {
        m_window->activateWindow();
        QTest::keyClick(m_window.get(), Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(panel());
        QTRY_COMPARE(panel()->chooser()->checked(), QStringList{u"main"_s});
        QVERIFY(!panel()->model()->comparison());
        panel()->chooser()->setChecked({u"main"_s, u"cuda-12_9"_s});
        QTRY_VERIFY2(totals().startsWith(u"44 in both"_s), qPrintable(totals()));
        // A commit in a terminal shows by itself.
        m_sample->takeOut(u"pytorch-python313-cpu-avx2"_s);
        QTRY_VERIFY2(totals().startsWith(u"43 in both"_s), qPrintable(totals()));
    }

    void withLabels()
    {
        m_sample->git({u"commit"_s, u"-q"_s, u"--allow-empty"_s, u"-m"_s, u"Nothing"_s});
        m_window->compareBranches({u"main"_s, u"cuda-13_0"_s, u"main~1"_s});
        QTRY_COMPARE(panel()->chooser()->checked(), (QStringList{u"cuda-13_0"_s, u"main"_s, u"main~1"_s}));
        QTRY_VERIFY(panel()->model()->comparison() && panel()->model()->comparison()->sides.size() == 3);
    }

    void anUnknownCommitIsOneSentence()
    {
        m_window->compareBranches({u"main"_s});
        QTRY_COMPARE(panel()->chooser()->checked(), QStringList{u"main"_s});
        Q_EMIT panel()->chooser()->commitEntered(u"nothing"_s);
        const auto told = [this] {
            for (const QLabel *label : panel()->findChildren<QLabel *>()) {
                if (label->text().contains(u"has none of that name"_s))
                    return true;
            }
            return false;
        };
        QTRY_VERIFY(told());
    }

    void copiesMarkdown()
    {
        m_window->compareBranches({u"main"_s, u"cuda-12_9"_s});
        QTRY_VERIFY(panel()->model()->comparison());
        Q_EMIT panel()->exportRequested(ComparePanel::Format::Markdown, true);
        QTRY_VERIFY(QApplication::clipboard()->text().startsWith(u"# cuda-12\\_9"_s) || QApplication::clipboard()->text().startsWith(u"# cuda-12_9"_s));
        Q_EMIT panel()->exportRequested(ComparePanel::Format::Json, true);
        QTRY_VERIFY(QApplication::clipboard()->text().startsWith(u'{'));
    }

    void endsWhileItReads()
    {
        m_window->compareBranches({u"main"_s, u"cuda-12_9"_s});
        m_window.reset();
    }
};

QTEST_MAIN(CompareWindowTest)
#include "tst_comparewindow.moc"
