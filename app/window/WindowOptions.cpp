// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/window/WindowOptions.h"

#include "app/Version.h"
#include "app/controllers/CompareController.h"
#include "app/window/MainWindow.h"
#include "app/window/Panels.h"
#include "model/base/TerminalText.h"
#include "model/matrix/MatrixModel.h"
#include "model/workspace/Workspace.h"
#include "views/overview/OverviewPanel.h"
#include "views/queue/BuildDialog.h"
#include "views/work/WorkDialog.h"

#include <QAction>
#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QMenu>
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

/// No screenshot is possible: prints why, and ends the program.
void giveUp(const QString &sentence)
{
    std::fprintf(stderr, "torch-matrix: %s\n", terminalText(sentence.toUtf8()).constData());
    QApplication::exit(3);
}

void savePicture(QWidget &window, const QString &file)
{
    if (window.grab().save(file)) {
        QApplication::exit(0);
        return;
    }
    giveUp(QObject::tr("Could not write %1.").arg(file));
}

} // namespace

Result<WindowOptions> WindowOptions::parse(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QObject::tr("Opens the window of Torch Matrix. \"torch-matrix --help\" lists the verbs."));
    parser.addPositionalArgument(u"DIR"_s, QObject::tr("Build repository, or a folder inside it"), u"[DIR]"_s);
    const QCommandLineOption help({u"h"_s, u"help"_s}, QObject::tr("Print these options"));
    const QCommandLineOption version(u"version"_s, QObject::tr("Print the version"));
    const QCommandLineOption branch(u"branch"_s, QObject::tr("Branch to show (default: the checked-out one)"), u"B"_s);
    const QCommandLineOption select(u"select"_s, QObject::tr("Variant whose cell is selected"), u"NAME"_s);
    const QCommandLineOption toolkit(
        u"toolkit"_s,
        QObject::tr("CUDA toolkit that the grid shows, such as 12.9; \"all\" shows every toolkit "
                    "in one grid"),
        u"T"_s);
    const QCommandLineOption panel(
        u"panel"_s, QObject::tr("View or panel in front: %1").arg(Panels::names().join(u", "_s)), u"P"_s);
    const QCommandLineOption dialog(
        u"dialog"_s, QObject::tr("With --screenshot: entry of the menus to choose, such as \"Derive a branch\""),
        u"ACTION"_s);
    const QCommandLineOption compare(u"compare"_s, QObject::tr("Open the comparison of these branches"), u"B,B"_s);
    const QCommandLineOption screenshot(u"screenshot"_s, QObject::tr("Write a picture (PNG) and exit"), u"FILE"_s);
    const QCommandLineOption size(u"size"_s, QObject::tr("Size of the window, such as 1280x800"), u"WxH"_s);
    const QCommandLineOption appearance(u"appearance"_s, QObject::tr("desktop, light, dark or contrast"), u"A"_s);
    parser.addOptions({help, version, branch, select, toolkit, panel, dialog, compare, screenshot, size, appearance});
    if (!parser.parse(arguments))
        return wrong(u"these arguments"_s, parser.errorText().toLower());
    WindowOptions options;
    if (parser.isSet(help) || parser.isSet(version)) {
        options.answer =
            parser.isSet(help) ? parser.helpText() : u"torch-matrix %1\n"_s.arg(QLatin1StringView(versionText));
        return options;
    }
    const QStringList folders = parser.positionalArguments();
    if (folders.size() > 1)
        return wrong(folders.at(1), QObject::tr("a window shows one repository"));

    options.folder = folders.value(0);
    // File managers open a branch's settings file with this program.
    if (QFileInfo file(options.folder); file.isFile() && file.fileName() == u"torch-matrix.toml"_s)
        options.folder = file.absolutePath();
    if (!options.folder.isEmpty() && !QFileInfo(options.folder).isDir())
        return wrong(options.folder, QObject::tr("it is neither a verb nor a folder"));
    options.branch = parser.value(branch);
    options.select = parser.value(select);
    options.toolkit = parser.value(toolkit);
    options.panel = parser.value(panel);
    options.dialog = parser.value(dialog);
    if (!options.panel.isEmpty() && !Panels::names().contains(options.panel))
        return wrong(u"--panel"_s,
                     QObject::tr("\"%1\" is not one of: %2").arg(options.panel, Panels::names().join(u", "_s)));
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
            return wrong(
                u"--appearance"_s,
                QObject::tr("\"%1\" is not one of: desktop, light, dark, contrast").arg(parser.value(appearance)));
    }
    return options;
}

QAction *WindowOptions::actionOf(const MainWindow &window) const
{
    const QList<QAction *> actions = window.findChildren<QAction *>();
    const auto named = std::ranges::find_if(actions, [this](const QAction *action) {
        return !action->menu() &&
               action->text().remove(u'&').remove(u'\u2026').compare(dialog, Qt::CaseInsensitive) == 0;
    });
    return named == actions.end() ? nullptr : *named;
}

Result<void> WindowOptions::applyTo(MainWindow &window) const
{
    if (!dialog.isEmpty() && !actionOf(window))
        return wrong(u"--dialog"_s, QObject::tr("no menu has \"%1\"").arg(dialog));
    if (!size.isEmpty())
        window.resize(size);
    if (!select.isEmpty())
        window.selectWhenThere(select);
    if (!screenshot.isEmpty()) {
        QObject::connect(&window, &MainWindow::openingFailed, &window,
                         [](const Error &error) { giveUp(error.sentence()); });
    }
    if (!folder.isEmpty())
        window.openRepository(folder, branch);
    if (!toolkit.isEmpty())
        window.showToolkitWhenThere(toolkit == u"all"_s ? MatrixSlice::every() : toolkit);
    if (!panel.isEmpty())
        window.raisePanel(panel);
    if (!compare.isEmpty()) {
        QObject::connect(
            &window, &MainWindow::settled, &window, [&window, options = *this] { options.openComparison(window); },
            Qt::SingleShotConnection);
        return {};
    }
    if (screenshot.isEmpty())
        return {};
    // Settled means that the model is ready; painting takes a few more turns of the event loop.
    auto *paint = new QTimer(&window);
    paint->setSingleShot(true);
    paint->setInterval(std::chrono::milliseconds(300));
    QObject::connect(&window, &MainWindow::settled, paint, qOverload<>(&QTimer::start));
    const auto was = std::make_shared<bool>(false);
    QObject::connect(paint, &QTimer::timeout, &window, [&window, paint, was, options = *this] {
        // A raised panel may have to compute something first, and is laid out one turn of the event loop later.
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
    return {};
}

/// Most entries are for the selected cell: some for one with a recipe, others for one without.
QString WindowOptions::whyNotNow(const MainWindow &window) const
{
    const std::shared_ptr<const BranchSnapshot> snapshot = window.findChild<Workspace *>()->snapshot();
    const VariantEntry *entry = snapshot ? snapshot->find(select) : nullptr;
    if (!entry)
        return QObject::tr("\"%1\" cannot be chosen now. Name a cell with --select.").arg(dialog);
    return (entry->present ? QObject::tr("\"%1\" cannot be chosen for %2, which has a recipe. Name a cell without one "
                                         "with --select.")
                           : QObject::tr("\"%1\" cannot be chosen for %2, which has no recipe. Name a cell with one "
                                         "with --select."))
        .arg(dialog, select);
}

void WindowOptions::openDialog(MainWindow &window) const
{
    QAction *action = actionOf(window);
    if (!action || !action->isEnabled())
        return giveUp(whyNotNow(window));
    action->trigger();
    if (action->isCheckable()) // It opens no window, but changes this one.
        return QTimer::singleShot(500, &window, [&window, file = screenshot] { savePicture(window, file); });
    auto *paint = new QTimer(&window);
    paint->setInterval(std::chrono::milliseconds(500));
    const auto looks = std::make_shared<int>(0);
    QObject::connect(paint, &QTimer::timeout, &window, [&window, looks, options = *this] {
        constexpr int mostLooks = 20; // a window opens at once; its contents may take longer
        const QWidgetList windows = QApplication::topLevelWidgets();
        const auto shown = std::ranges::find_if(windows, [&window](const QWidget *widget) {
            return widget != &window && widget->isVisible() && widget->isWindow();
        });
        if (shown == windows.end()) {
            if (++*looks == mostLooks)
                giveUp(QObject::tr("\"%1\" opened no window.").arg(options.dialog));
            return;
        }
        const auto *work = qobject_cast<const WorkDialog *>(*shown);
        const auto *overview = qobject_cast<const OverviewPanel *>(*shown);
        const auto *build = qobject_cast<const BuildDialog *>(*shown);
        if (overview && !options.size.isEmpty())
            (*shown)->resize(options.size);
        if ((!work || work->isSettled()) && (!overview || !overview->isReading()) && (!build || !build->isWaiting()))
            savePicture(**shown, options.screenshot);
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
    QObject::connect(paint, &QTimer::timeout, comparison, [comparison, file = screenshot] {
        if (comparison->isSettled())
            savePicture(*comparison->panel(), file);
    });
}

} // namespace tmx
