// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "views/widgets/ViewTabs.h"

#include <QApplication>
#include <QMainWindow>
#include <QTabBar>
#include <QTest>

using namespace tmx;
using namespace Qt::StringLiterals;

namespace {

/// Counts how often its size is asked for.
class Measured : public QWidget
{
public:
    explicit Measured(QSize least)
        : m_least(least)
    {
        setFocusPolicy(Qt::StrongFocus);
    }
    [[nodiscard]] QSize sizeHint() const override
    {
        ++asked;
        return m_least;
    }
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }
    mutable int asked = 0;

private:
    QSize m_least;
};

} // namespace

class TestViewTabs : public QObject
{
    Q_OBJECT

    QMainWindow m_window;
    ViewTabs *m_tabs = nullptr;
    QList<Measured *> m_views;

private Q_SLOTS:
    void init()
    {
        m_views.clear();
        m_tabs = new ViewTabs;
        for (int i = 0; i < 3; ++i) {
            m_views.append(new Measured(QSize(100 + 200 * i, 50)));
            m_tabs->addView(m_views.constLast(), QString::number(i));
        }
        m_window.setCentralWidget(m_tabs);
        m_window.resize(200, 200);
        m_window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&m_window));
    }

    void measuresAViewWhenItIsShown()
    {
        QVERIFY(m_views.at(0)->asked > 0);
        for (int i = 1; i < 3; ++i) {
            QCOMPARE(m_views.at(i)->asked, 0);
            QTest::mouseClick(m_tabs->tabBar(), Qt::LeftButton, {}, m_tabs->tabBar()->tabRect(i).center());
            QCOMPARE(m_tabs->currentView(), m_views.at(i));
            QVERIFY(m_views.at(i)->asked > 0);
            QTRY_COMPARE_GE(m_views.at(i)->width(), 100 + 200 * i); // the window makes room for it
            QCOMPARE(m_views.at(i)->width(), m_tabs->currentWidget()->width());
        }
    }

    void findsViews()
    {
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(m_tabs->viewAt(i), m_views.at(i));
            QCOMPARE(m_tabs->tabOf(m_views.at(i)), i);
        }
        QCOMPARE(m_tabs->viewAt(3), nullptr);
        QCOMPARE(m_tabs->tabOf(m_tabs), -1);
    }

    void theFocusGoesToTheView()
    {
        m_tabs->setCurrentView(m_views.at(2));
        m_tabs->currentWidget()->setFocus();
        QTRY_VERIFY(m_views.at(2)->hasFocus());
    }
};

TM_TEST(TestViewTabs, QApplication)
#include "tst_viewtabs.moc"
