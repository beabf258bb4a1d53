// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/Version.h"
#include "app/controllers/OverviewController.h"
#include "app/window/Appearance.h"
#include "app/window/MainWindow.h"
#include "app/window/WindowOptions.h"
#include "model/base/Preferences.h"
#include "model/base/TerminalText.h"
#include "model/base/Translation.h"
#include "model/base/WindowThread.h"
#include "model/catalog/Catalog.h"

#include <QApplication>
#include <QIcon>
#include <QThreadPool>

#include <algorithm>
#include <cstdio>

// The window's program, which torch-matrix becomes if no verb is named.

using namespace Qt::StringLiterals;

namespace {

/// Whether a display is configured, or none is needed.
bool mayHaveDisplay(int argc, char **argv)
{
    const bool platform = std::any_of(argv + 1, argv + argc, [](const char *argument) {
        return qstrcmp(argument, "-platform") == 0 || qstrcmp(argument, "--platform") == 0;
    });
    return platform || !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") ||
           !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM");
}

int wrongUsage(const tmx::Error &error)
{
    std::fprintf(stderr, "torch-matrix: %s\n", tmx::terminalText(error.sentence().toUtf8()).constData());
    return 2;
}

int answer(const tmx::WindowOptions &options)
{
    std::fputs(qUtf8Printable(options.answer), stdout);
    return 0;
}

} // namespace

int main(int argc, char *argv[])
{
    using namespace tmx;
    // Before the application is created, so that a misspelt verb is reported without a display too.
    if (argc > 1 && argv[1][0] != '-') {
        if (const auto first = WindowOptions::parse({u"torch-matrix"_s, QString::fromLocal8Bit(argv[1])}); !first)
            return wrongUsage(first.error());
    }
    // Qt would abort.
    if (!mayHaveDisplay(argc, argv)) {
        QStringList arguments;
        for (int i = 0; i < argc; ++i)
            arguments.append(QString::fromLocal8Bit(argv[i]));
        const QCoreApplication core(argc, argv); // Help needs the program's name from it.
        const auto all = WindowOptions::parse(arguments);
        if (!all)
            return wrongUsage(all.error());
        if (!all->answer.isEmpty())
            return answer(*all);
        std::fputs("torch-matrix: There is no display to open a window on. Use a verb in the terminal; --help "
                   "lists them.\n",
                   stderr);
        return 3;
    }
    QApplication app(argc, argv);
    QApplication::setApplicationName(u"torch-matrix"_s);
    QApplication::setApplicationVersion(QString::fromLatin1(versionText));
    QApplication::setOrganizationName(u"torch-matrix"_s);
    installTranslations();
    QApplication::setApplicationDisplayName(QObject::tr("Torch Matrix"));
    QApplication::setDesktopFileName(u"torch-matrix"_s);
    QApplication::setWindowIcon(QIcon(u":/torch-matrix/icons/torch-matrix.svg"_s));

    const Result<WindowOptions> options = WindowOptions::parse(QApplication::arguments());
    if (!options)
        return wrongUsage(options.error());
    if (!options->answer.isEmpty())
        return answer(*options);
    if (options->folder.isEmpty())
        OverviewController::readAhead();
    const Result<std::shared_ptr<const Catalog>> catalog = Catalog::loadForUser();
    if (!catalog) {
        std::fprintf(stderr, "torch-matrix: %s\n", qUtf8Printable(catalog.error().sentence()));
        return 3;
    }
    const Appearance stored = appearanceFrom(Preferences::load().appearance).value_or(Appearance::Desktop);
    apply(options->appearance.value_or(stored));

    putThisThreadFirst(QThreadPool::globalInstance());
    MainWindow window(*catalog);
    if (options->screenshot.isEmpty()) // Screenshots must be equal on every machine.
        window.restoreLayout();
    if (const Result<void> applied = options->applyTo(window); !applied)
        return wrongUsage(applied.error());
    window.show();
    return QApplication::exec();
}
