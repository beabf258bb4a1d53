// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/views/Palettes.h"
#include "views/console/BuildConsole.h"
#include "views/console/ConsoleView.h"

#include <QAbstractButton>
#include <QApplication>
#include <QFileInfo>
#include <QLabel>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTemporaryFile>
#include <QTest>

#include <memory>

/// Shared by the tests of the build console and of its lines.
namespace console {

using palettes::darkPalette;
using palettes::lightPalette;

using namespace Qt::StringLiterals;
using namespace tmx;

inline const QString package = u"pytorch-python313-cpu-avx2"_s;

inline QString lines(int from, int to)
{
    QString text;
    for (int i = from; i < to; ++i)
        text += u"torch> line number %1\n"_s.arg(i);
    return text;
}

/// A visible console with helpers for a test.
class Fixture : public QObject
{
protected:
    void open()
    {
        // The offscreen platform says so of windows that have a least size, and of menus.
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support )"_s));
        QApplication::setPalette(lightPalette());
        m_console = std::make_unique<BuildConsole>();
        m_console->resize(1280, 260);
        m_console->show();
        m_console->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_console.get()));
    }

    template <class W>
    W *named(const QString &name) const
    {
        for (W *widget : m_console->findChildren<W *>())
            if (widget->accessibleName() == name)
                return widget;
        return nullptr;
    }
    QAbstractButton *button(const QString &name) const { return named<QAbstractButton>(name); }
    bool says(const QString &text) const
    {
        for (const QLabel *label : m_console->findChildren<QLabel *>())
            if (label->isVisible() && label->text().contains(text))
                return true;
        return false;
    }
    bool badgeSays(const QString &word) const { return named<QWidget>(u"State of the build: "_s + word) != nullptr; }
    ConsoleView *view() const { return m_console->view(); }
    QScrollBar *bar() const { return view()->verticalScrollBar(); }
    /// Text that the build printed, and that the view has read.
    void append(const QString &text)
    {
        if (!m_log || view()->log().path() != m_log->fileName()) {
            m_log = std::make_unique<QTemporaryFile>();
            QVERIFY(m_log->open());
            m_console->showLog(m_log->fileName());
        }
        m_log->write(text.toUtf8());
        m_log->flush();
        QTRY_VERIFY(view()->log().index().size() == QFileInfo(view()->log().path()).size());
    }
    void fill(int count)
    {
        m_console->startBuild(package);
        append(lines(0, count));
        QTRY_COMPARE(bar()->maximum(), std::max(0, count - bar()->pageStep()));
        QCOMPARE(bar()->value(), bar()->maximum());
    }
    /// In the middle of a character of a visible row.
    QPoint place(int row, double column) const
    {
        const QFontMetricsF metrics(view()->font());
        return {int(8 + (column + 0.25) * metrics.horizontalAdvance(u'0')),
                int((row + 0.5) * (std::ceil(metrics.height()) + 1))};
    }
    int topLine() const { return bar()->value(); }

    std::unique_ptr<QTemporaryFile> m_log; ///< of the build that was started last
    std::unique_ptr<BuildConsole> m_console;
};

} // namespace console
