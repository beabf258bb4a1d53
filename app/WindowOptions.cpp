// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/WindowOptions.h"

#include "app/CompareController.h"
#include "app/MainWindow.h"
#include "views/work/WorkDialog.h"

#include <QAction>
#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

Error wrong(const QString &subject, const QString &why)
{
    return {QObject::tr("use"), subject, why, QObject::tr("Run with --help to see the options.")};
}

void savePicture(QWidget &window, const QString &file)
{
    if (window.grab().save(file)) {
        QApplication::exit(0);
        return;
    }
    std::fprintf(stderr, "torch-matrix: could not write %s\n", qUtf8Printable(file));
    QApplication::exit(3);
}

} // namespace

Result<WindowOptions> WindowOptions::parse(const QStringList &arguments)
{
    QCommandLineParser parser;
    const QCommandLineOption branch(u"branch"_s, {}, u"B"_s);
    const QCommandLineOption select(u"select"_s, {}, u"NAME"_s);
    const QCommandLineOption panel(u"panel"_s, {}, u"P"_s);
    const QCommandLineOption dialog(u"dialog"_s, {}, u"ACTION"_s);
    const QCommandLineOption compare(u"compare"_s, {}, u"B,B"_s);
    const QCommandLineOption screenshot(u"screenshot"_s, {}, u"FILE"_s);
    const QCommandLineOption size(u"size"_s, {}, u"WxH"_s);
    const QCommandLineOption appearance(u"appearance"_s, {}, u"A"_s);
    parser.addOptions({branch, select, panel, dialog, compare, screenshot, size, appearance});
    if (!parser.parse(arguments))
        return wrong(u"these arguments"_s, parser.errorText().toLower());
    const QStringList folders = parser.positionalArguments();
    if (folders.size() > 1)
        return wrong(folders.at(1), QObject::tr("a window shows one repository"));

    WindowOptions options;
    options.folder = folders.value(0);
    if (!options.folder.isEmpty() && !QFileInfo(options.folder).isDir())
        return wrong(options.folder, QObject::tr("it is neither a verb nor a folder"));
    options.branch = parser.value(branch);
    options.select = parser.value(select);
    options.panel = parser.value(panel);
    options.dialog = parser.value(dialog);
    options.compare = parser.value(compare).split(u',', Qt::SkipEmptyParts);
    options.screenshot = parser.value(screenshot);
    if (parser.isSet(size)) {
        const QStringList numbers = parser.value(size).split(u'x');
        options.size = QSize(numbers.value(0).toInt(), numbers.value(1).toInt());
        if (numbers.size() != 2 || options.size.isEmpty())
            return wrong(u"--size"_s, QObject::tr("\"%1\" is not a size such as 1280x800").arg(parser.value(size)));
    }
    if (parser.isSet(appearance)) {
        options.appearance = appearanceFrom(parser.value(appearance));
        if (!options.appearance)
            return wrong(u"--appearance"_s,
                         QObject::tr("\"%1\" is neither desktop, light nor dark").arg(parser.value(appearance)));
    }
    return options;
}

void WindowOptions::applyTo(MainWindow &window) const
{
    if (!size.isEmpty())
        window.resize(size);
    if (!select.isEmpty())
        window.selectWhenThere(select);
    if (!folder.isEmpty())
        window.openRepository(folder, branch);
    if (!panel.isEmpty())
        window.raisePanel(panel);
    if (!compare.isEmpty()) {
        QObject::connect(
            &window, &MainWindow::settled, &window, [&window, options = *this] { options.openComparison(window); },
            Qt::SingleShotConnection);
        return;
    }
    if (screenshot.isEmpty())
        return;
    // Settled means that the model is; a few turns of the event loop later it is painted too.
    auto *paint = new QTimer(&window);
    paint->setSingleShot(true);
    paint->setInterval(std::chrono::milliseconds(300));
    QObject::connect(&window, &MainWindow::settled, paint, qOverload<>(&QTimer::start));
    const auto was = std::make_shared<bool>(false);
    QObject::connect(paint, &QTimer::timeout, &window, [&window, paint, was, options = *this] {
        // What is raised may have something to work out first, and is laid out a turn of the event loop later.
        const bool raised = std::exchange(*was, true);
        if (!raised && !options.panel.isEmpty()) {
            window.raisePanel(options.panel);
            paint->start();
        } else if (window.isSettled() && options.dialog.isEmpty()) {
            savePicture(window, options.screenshot);
        } else if (window.isSettled()) {
            paint->stop();
            options.openDialog(window);
        }
    });
}

void WindowOptions::openDialog(MainWindow &window) const
{
    for (QAction *action : window.findChildren<QAction *>()) {
        if (action->text().remove(u'&').remove(u'…').compare(dialog, Qt::CaseInsensitive) == 0)
            action->trigger();
    }
    auto *paint = new QTimer(&window);
    paint->setInterval(std::chrono::milliseconds(500));
    QObject::connect(paint, &QTimer::timeout, &window, [&window, file = screenshot] {
        const QWidgetList windows = QApplication::topLevelWidgets();
        const auto shown = std::ranges::find_if(windows, [&window](const QWidget *widget) {
            return widget != &window && widget->isVisible() && widget->isWindow();
        });
        if (shown == windows.end())
            return;
        const auto *work = qobject_cast<const WorkDialog *>(*shown);
        if (!work || work->isSettled())
            savePicture(**shown, file);
    });
    paint->start();
}

void WindowOptions::openComparison(MainWindow &window) const
{
    CompareController *comparison = window.compareBranches(compare);
    if (!comparison->panel())
        return;
    if (!size.isEmpty())
        comparison->panel()->resize(size);
    if (screenshot.isEmpty())
        return;
    auto *paint = new QTimer(comparison);
    paint->setSingleShot(true);
    paint->setInterval(std::chrono::milliseconds(500));
    QObject::connect(comparison, &CompareController::settled, paint, qOverload<>(&QTimer::start));
    QObject::connect(paint, &QTimer::timeout, comparison,
                     [comparison, file = screenshot] { savePicture(*comparison->panel(), file); });
}

} // namespace tmx
