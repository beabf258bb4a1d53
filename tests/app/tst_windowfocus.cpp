// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/window/Appearance.h"
#include "tests/app/DrivenWindow.h"
#include "tests/support/TestMain.h"
#include "views/console/AnsiColors.h"
#include "views/recipe/CodeColors.h"
#include "views/start/NewRepositoryDialog.h"
#include "views/theme/Colors.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDockWidget>
#include <QIcon>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QStyle>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

void addAppearances()
{
    QTest::addColumn<int>("appearance");
    QTest::newRow("light") << int(Appearance::Light);
    QTest::newRow("dark") << int(Appearance::Dark);
    QTest::newRow("high contrast") << int(Appearance::HighContrast);
}

QImage pictureOf(QWidget *widget)
{
    QApplication::processEvents(); // a control that fades to its new look is painted again
    return widget->grab().toImage().convertToFormat(QImage::Format_RGB32);
}

/// Pixels that distinguish both pictures: 3 to 1, as WCAG 2.2 requires for a visible focus.
int tellingPixels(const QImage &a, const QImage &b)
{
    int count = 0;
    for (int y = 0; y < qMin(a.height(), b.height()); ++y) {
        for (int x = 0; x < qMin(a.width(), b.width()); ++x) {
            if (a.pixel(x, y) != b.pixel(x, y))
                count += contrast(a.pixelColor(x, y), b.pixelColor(x, y)) >= 3;
        }
    }
    return count;
}

QString nameOf(const QWidget *widget)
{
    const auto *button = qobject_cast<const QAbstractButton *>(widget);
    return u"%1 \"%2\" in %3"_s.arg(
        QString::fromLatin1(widget->metaObject()->className()),
        button && widget->accessibleName().isEmpty() ? button->text() : widget->accessibleName(),
        widget->parentWidget() ? QString::fromLatin1(widget->parentWidget()->metaObject()->className()) : QString());
}

/// What Tab reaches in a window, each once.
QList<QWidget *> controlsOf(QWidget *window)
{
    QList<QWidget *> controls;
    for (QWidget *widget : window->findChildren<QWidget *>()) {
        if (widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) &&
            !widget->focusProxy() && widget->window() == window && !widget->visibleRegion().isEmpty())
            controls.append(widget);
    }
    return controls;
}

/// Widgets whose picture hardly changes with the focus.
QStringList unseen(QWidget *window)
{
    QStringList names;
    QTest::keyClick(window, Qt::Key_Tab); // from now on the keyboard is used
    const QList<QWidget *> controls = controlsOf(window);
    for (QWidget *control : controls) {
        if (QWidget *before = QApplication::focusWidget())
            before->clearFocus();
        const QImage without = pictureOf(control);
        control->setFocus(Qt::TabFocusReason);
        const QImage with = pictureOf(control);
        if (QApplication::focusWidget() != control || tellingPixels(without, with) < 20)
            names.append(u"%1: %2%3"_s.arg(nameOf(control))
                             .arg(tellingPixels(without, with))
                             .arg(QApplication::focusWidget() == control ? u""_s : u", refused"_s));
    }
    return names;
}

} // namespace

/// The focus is visible for keyboard users, and the contrast is sufficient.
class TestWindowFocus : public QObject
{
    Q_OBJECT

    QTemporaryDir m_config;

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_CONFIG_HOME", m_config.path().toUtf8()); }
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support )"_s)); }
    void cleanup() { apply(Appearance::Light); }

    void theFocusIsSeen_data() { addAppearances(); }
    void theFocusIsSeen()
    {
        QFETCH(const int, appearance);
        apply(Appearance(appearance));
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        driven.window->activateWindow();
        QTRY_VERIFY(QApplication::activeWindow() == driven.window.get());
        driven.click(u"pytorch-python313-cuda12_8-sm90-avx512"_s);
        QTRY_VERIFY(driven.settled());
        QApplication::setCursorFlashTime(0);
        QStringList names;
        int seen = 0;
        for (const QString &panel :
             {u"grid"_s, u"plan"_s, u"settings"_s, u"recipe"_s, u"machine"_s, u"console"_s, u"queue"_s, u"builds"_s}) {
            driven.window->raisePanel(panel);
            QTRY_VERIFY(driven.settled());
            for (int tab = 0; tab < (panel == "recipe"_L1 ? 4 : 1); ++tab) {
                driven.pane()->setTab(RecipePane::Tab(tab));
                QApplication::processEvents();
                names += unseen(driven.window.get());
                seen += int(controlsOf(driven.window.get()).size());
            }
        }
        names.removeDuplicates();
        QVERIFY2(names.isEmpty(), qPrintable(u'\n' + names.join(u'\n')));
        QVERIFY2(seen > 100, qPrintable(QString::number(seen)));
    }

    void theFocusIsSeenInADialog_data() { addAppearances(); }
    void theFocusIsSeenInADialog()
    {
        QFETCH(const int, appearance);
        apply(Appearance(appearance));
        const SampleFixture sample;
        NewRepositoryDialog dialog(*sample.catalog(), sample.catalog()->builtIn.constFirst(), sample.path(u"new"_s));
        dialog.show();
        dialog.activateWindow();
        QTRY_VERIFY(QApplication::activeWindow() == &dialog);
        QApplication::setCursorFlashTime(0);
        const QStringList names = unseen(&dialog);
        QVERIFY2(names.isEmpty(), qPrintable(u'\n' + names.join(u'\n')));
        QVERIFY(controlsOf(&dialog).size() > 4);
    }

    void iconsOfControlsAreVisible_data() { addAppearances(); }
    /// The marks of a bar without room and of a field that can be cleared, after a change of the appearance too.
    void iconsOfControlsAreVisible()
    {
        QFETCH(const int, appearance);
        apply(Appearance::Light);
        QList<QIcon> icons;
        for (const auto which : {QStyle::SP_ToolBarHorizontalExtensionButton, QStyle::SP_LineEditClearButton})
            icons.append(QApplication::style()->standardIcon(which));
        apply(Appearance(appearance));
        for (const QIcon &icon : std::as_const(icons)) {
            const QImage picture = icon.pixmap(16).toImage();
            int visible = 0;
            for (int y = 0; y < picture.height(); ++y) {
                for (int x = 0; x < picture.width(); ++x) {
                    const QColor color = picture.pixelColor(x, y);
                    visible +=
                        color.alpha() > 200 && contrast(color, QApplication::palette().color(QPalette::Window)) >= 4.5;
                }
            }
            QVERIFY2(visible > 10 && visible < 150, qPrintable(QString::number(visible)));
        }
    }

    void textIsLegible_data() { addAppearances(); }
    void textIsLegible()
    {
        QFETCH(const int, appearance);
        apply(Appearance(appearance));
        const QPalette palette = QApplication::palette();
        const auto check = [](const QColor &text, const QColor &ground, const char *what) {
            const double found = contrast(text, ground);
            QVERIFY2(found >= 4.5, qPrintable(u"%1: %2"_s.arg(QLatin1StringView(what)).arg(found)));
        };
        check(palette.color(QPalette::WindowText), palette.color(QPalette::Window), "window");
        check(palette.color(QPalette::ButtonText), palette.color(QPalette::Button), "button");
        check(palette.color(QPalette::Text), palette.color(QPalette::Base), "field");
        check(palette.color(QPalette::PlaceholderText), palette.color(QPalette::Base), "hint in a field");
        check(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight), "selection");
        check(palette.color(QPalette::ToolTipText), palette.color(QPalette::ToolTipBase), "tooltip");
        check(palette.color(QPalette::Link), palette.color(QPalette::Window), "link");
        check(mutedText(palette), palette.color(QPalette::Window), "quiet text");
        const CodeColors code(palette);
        for (const QColor &ground : code.grounds())
            check(code.text, ground, "recipe and difference");
        for (const QColor &ground : {code.addedWord, code.removedWord, code.match, code.currentMatch, code.hunk})
            check(code.text, ground, "changed word and search hit");
        check(code.gutterText, code.background, "line number");
        check(legible(code.gutterText, code.hunk), code.hunk, "heading of a difference");
        const AnsiColors log(palette);
        check(log.text, log.background, "log");
        check(log.prefix, log.background, "derivation in a log");
        check(log.error, log.background, "error in a log");
        QWidget window;
        NoticeBar notice(&window);
        for (const auto kind : {NoticeBar::Kind::Done, NoticeBar::Kind::Information, NoticeBar::Kind::Problem}) {
            notice.showNotice(kind, u"A sentence."_s);
            for (const QLabel *label : notice.findChildren<QLabel *>())
                check(label->palette().color(QPalette::WindowText), notice.palette().color(QPalette::Window), "notice");
        }
    }

    /// The filter leaves the selected cell its frame.
    void theSelectedCellKeepsItsFrame_data() { addAppearances(); }
    void theSelectedCellKeepsItsFrame()
    {
        QFETCH(const int, appearance);
        apply(Appearance(appearance));
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        const QString name = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        const QRect cell = driven.table()->visualRect(driven.cell(name));
        const auto cellPicture = [&driven, &cell] { return pictureOf(driven.table()->viewport()).copy(cell); };
        const QImage before = cellPicture();
        driven.click(name);
        QTest::keyClick(driven.window.get(), Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(qobject_cast<QLineEdit *>(QApplication::focusWidget()));
        QVERIFY(tellingPixels(before, cellPicture()) >= cell.height());
    }
};

TM_TEST(TestWindowFocus, QApplication)
#include "tst_windowfocus.moc"
