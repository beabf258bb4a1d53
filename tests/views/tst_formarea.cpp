// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/widgets/FormArea.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTest>
#include <QVBoxLayout>

using namespace tmx;

namespace {

/// A form of fields above a widget that takes the rest of the height.
struct Page {
    QWidget window;
    QList<QLineEdit *> fields;
    FormArea *area = nullptr;

    explicit Page(int count)
    {
        auto *form = new QWidget;
        auto *rows = new QVBoxLayout(form);
        for (int i = 0; i < count; ++i) {
            fields.append(new QLineEdit);
            rows->addWidget(fields.constLast());
        }
        area = new FormArea(form);
        auto *rest = new QWidget;
        rest->setMinimumHeight(100);
        auto *layout = new QVBoxLayout(&window);
        layout->addWidget(area);
        layout->addWidget(rest, 1);
    }
    void show(int height)
    {
        window.resize(300, height);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
    }
};

} // namespace

class TestFormArea : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { pane::failOnWarnings(); }

    /// No field is ever lower than its size hint; there is a scroll bar if there is too little room, and only then.
    void fieldsAreNeverSqueezed()
    {
        for (const int height : {240, 320, 700, 900}) {
            Page page(12);
            page.show(height);
            for (const QLineEdit *field : std::as_const(page.fields))
                QCOMPARE_GE(field->height(), field->sizeHint().height());
            const bool fits = page.area->height() >= page.area->widget()->sizeHint().height();
            QCOMPARE(page.area->verticalScrollBar()->isVisible(), !fits);
            QCOMPARE(fits, height >= 700);
            if (fits)
                QCOMPARE(page.area->height(), page.area->widget()->sizeHint().height());
        }
    }

    /// A text is as high as its lines at that width.
    void aTextIsAsHighAsItsLines()
    {
        QWidget window;
        auto *layout = new QVBoxLayout(&window);
        auto *text = new QLabel(
            QString(30, QLatin1Char('m')).repeated(4).replace(QLatin1String("mmmmm"), QLatin1String("mmmm ")));
        text->setWordWrap(true);
        auto *area = new FormArea(text, 1);
        layout->addWidget(area);
        layout->addStretch(1);
        int before = 0;
        for (const int width : {2000, 400, 200}) {
            window.resize(width, 600);
            window.show();
            QVERIFY(QTest::qWaitForWindowExposed(&window));
            QTRY_COMPARE(area->height(), text->heightForWidth(area->viewport()->width()));
            QVERIFY(area->height() > before && !area->verticalScrollBar()->isVisible());
            before = area->height();
        }
    }

    void tabBringsAFieldIntoSight()
    {
        Page page(12);
        page.show(240);
        page.window.activateWindow();
        page.fields.constFirst()->setFocus();
        QVERIFY(page.fields.constLast()->visibleRegion().isEmpty());
        for (int i = 1; i < page.fields.size(); ++i)
            QTest::keyClick(page.window.focusWidget(), Qt::Key_Tab);
        QVERIFY(page.fields.constLast()->hasFocus());
        QCOMPARE(page.fields.constLast()->visibleRegion().boundingRect(), page.fields.constLast()->rect());
    }
};

TM_TEST(TestFormArea, QApplication)
#include "tst_formarea.moc"
