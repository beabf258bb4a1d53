// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/CheckList.h"
#include "views/widgets/FlowLayout.h"
#include "views/widgets/Label.h"
#include "views/widgets/Message.h"

#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QMessageBox>
#include <QProxyStyle>
#include <QPushButton>
#include <QTest>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

/// A desktop with another order of buttons.
class DesktopStyle : public QProxyStyle
{
public:
    explicit DesktopStyle(QDialogButtonBox::ButtonLayout order)
        : m_order(order)
    {
    }
    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                  QStyleHintReturn *data) const override
    {
        return hint == SH_DialogButtonLayout ? m_order : QProxyStyle::styleHint(hint, option, widget, data);
    }

private:
    QDialogButtonBox::ButtonLayout m_order;
};

/// Whether the button that acts stands left of the one that closes.
bool actsFirst(QWidget &dialog, const QString &action)
{
    dialog.show();
    QCoreApplication::processEvents();
    int acts = -1, closes = -1;
    for (const auto *button : dialog.findChildren<QPushButton *>()) {
        const int x = button->mapTo(&dialog, QPoint()).x();
        (button->text().remove(u'&') == action ? acts : closes) = x;
    }
    Q_ASSERT(acts >= 0 && closes >= 0);
    return acts < closes;
}

} // namespace

class TestWidgets : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { pane::failOnWarnings(); }

    /// All dialogs have the platform's order: those with a footer, and questions.
    void buttonsAreInThePlatformsOrder_data()
    {
        QTest::addColumn<int>("order");
        QTest::addColumn<bool>("first");
        QTest::newRow("Windows") << int(QDialogButtonBox::WinLayout) << true;
        QTest::newRow("KDE") << int(QDialogButtonBox::KdeLayout) << true;
        QTest::newRow("GNOME") << int(QDialogButtonBox::GnomeLayout) << false;
        QTest::newRow("macOS") << int(QDialogButtonBox::MacLayout) << false;
    }

    void buttonsAreInThePlatformsOrder()
    {
        QFETCH(int, order);
        QFETCH(bool, first);
        const QString before = QApplication::style()->name();
        QApplication::setStyle(new DesktopStyle(QDialogButtonBox::ButtonLayout(order)));
        {
            QDialog dialog;
            auto *field = new QLineEdit;
            auto *close = new QPushButton(u"&Cancel"_s);
            auto *action = new QPushButton(u"&Build"_s);
            auto *column = new QVBoxLayout(&dialog);
            column->addWidget(field);
            column->addLayout(makeFooter({}, close, action));
            QSignalSpy pressed(action, &QPushButton::clicked);
            QCOMPARE(actsFirst(dialog, u"Build"_s), first);
            QVERIFY(action->isDefault());
            field->setFocus();
            QTest::keyClick(field, Qt::Key_Return);
            QCOMPARE(pressed.size(), 1);
            // It is disabled while it works, and then is the default button again.
            action->setFocus();
            action->setEnabled(false);
            action->setEnabled(true);
            field->setFocus();
            QTest::keyClick(field, Qt::Key_Return);
            QCOMPARE(pressed.size(), 2);

            QWidget window;
            QMessageBox *box = ask(&window, {u"Title"_s, u"Text?"_s, u"Generate"_s}, &window, [] {});
            QCOMPARE(actsFirst(*box, u"Generate"_s), first);
            box->reject();
        }
        QApplication::setStyle(before);
    }

    /// The name of a function goes on in the next line; what is copied has it as it is.
    void aLongWordIsNotCut()
    {
        const QString sentence = u"sm89 avx512: ‘_mm512_reduce_add_ph’ was not declared in this scope"_s;
        CheckList list(u"State"_s);
        list.setItems({{CheckItem::Kind::Blocks, u"Uncommitted 10"_s, sentence}});
        list.resize(250, 200);
        list.show();
        QVERIFY(QTest::qWaitForWindowExposed(&list));
        Label *label = nullptr;
        for (auto *one : list.findChildren<Label *>()) {
            if (one->text().startsWith(u"sm89"_s))
                label = one;
        }
        QVERIFY(label);
        const QRect text =
            label->fontMetrics().boundingRect(QRect(0, 0, label->width(), 10'000), Qt::TextWordWrap, label->text());
        QVERIFY2(text.width() <= label->width(), qPrintable(QString::number(text.width())));
        QVERIFY(label->fontMetrics().horizontalAdvance(u"‘_mm512_reduce_add_ph’"_s) > label->width());
        label->setSelection(0, int(label->text().size()));
        label->setFocus();
        QTest::keyClick(label, Qt::Key_C, Qt::ControlModifier);
        QTRY_COMPARE(QGuiApplication::clipboard()->text(), sentence);
    }

    /// A text is level with the buttons of its line, also in a second one.
    void whatStandsInALineIsLevel()
    {
        QWidget window;
        auto *flow = new FlowLayout(4, &window);
        QList<QWidget *> parts;
        for (int i = 0; i < 4; ++i) {
            parts.append(i % 2 ? static_cast<QWidget *>(new Label(u"All: pytorch"_s)) : new QPushButton(u"Report"_s));
            flow->addWidget(parts.constLast());
        }
        window.resize(220, 120);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const auto middle = [&parts](int i) { return parts.at(i)->geometry().center().y(); };
        QVERIFY(std::abs(middle(0) - middle(1)) <= 1 && std::abs(middle(2) - middle(3)) <= 1);
        QVERIFY(middle(2) > middle(0) + 10);
        QVERIFY(window.height() >= flow->heightForWidth(window.width()));
    }
};

TM_TEST(TestWidgets, QApplication)
#include "tst_widgets.moc"
