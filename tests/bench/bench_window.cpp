// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// How long the window's event loop stands still: while branches are read, while files change outside, and while a build
// prints 100,000 lines; and how long a branch takes to be shown. Beside it, in the same run, what `git` needs to print
// the same recipes. bench_window [LINES]
#include "app/Appearance.h"
#include "app/MainWindow.h"
#include "tests/support/SampleFixture.h"
#include "views/GridPanel.h"
#include "views/RepositoryBar.h"

#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QTableView>
#include <QTest>
#include <QTextStream>
#include <QTimer>

#include <algorithm>
#include <functional>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

/// Runs the event loop until `isOver`, and prints the longest time between two of its turns.
void measure(const QString &what, const std::function<bool()> &isOver)
{
    QList<double> gaps;
    QElapsedTimer clock;
    QElapsedTimer whole;
    QTimer beat;
    QEventLoop loop;
    QObject::connect(&beat, &QTimer::timeout, &loop, [&] {
        gaps.append(double(clock.nsecsElapsed()) / 1e6);
        clock.restart();
        if (isOver())
            loop.quit();
    });
    whole.start();
    clock.start();
    beat.start(0);
    loop.exec();
    std::sort(gaps.begin(), gaps.end());
    QTextStream(stdout) << what.leftJustified(44) << whole.elapsed() << " ms, longest gap "
                        << QString::number(gaps.constLast(), 'f', 1) << " ms\n";
}

/// What a person would do instead: print every recipe of the branch.
void measureGit(const SampleFixture &sample, const QString &branch)
{
    QElapsedTimer clock;
    clock.start();
    const QByteArray files = sample.git({u"ls-tree"_s, u"-r"_s, u"--name-only"_s, branch, u".flox/pkgs/"_s});
    for (const QByteArray &file : files.split('\n'))
        sample.git({u"show"_s, branch + u':' + QString::fromUtf8(file)});
    QTextStream(stdout) << u"git show of each recipe of %1"_s.arg(branch).leftJustified(44) << clock.elapsed()
                        << " ms\n";
}

} // namespace

int main(int argc, char **argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QByteArray lines = argc > 1 ? QByteArray(argv[1]) : QByteArrayLiteral("100000");
    qputenv("PATH", QByteArray(TM_STANDINS ":") + qgetenv("PATH"));
    qputenv("TORCH_MATRIX_STANDIN_FLOX", "burst:" + lines);
    QApplication app(argc, argv);
    apply(Appearance::Light);
    const SampleFixture sample;
    MainWindow window(sample.catalog());
    window.resize(1920, 1080);
    window.show();
    const auto settled = [&window] { return window.isSettled(); };

    window.openRepository(sample.path());
    measure(u"opening the repository"_s, settled);
    auto *branches = window.findChild<RepositoryBar *>()->findChild<QComboBox *>();
    for (const QString &branch : {u"cuda-12_9"_s, u"cuda-13_0"_s, u"main"_s}) {
        Q_EMIT branches->activated(branches->findData(branch));
        measure(u"reading and showing %1"_s.arg(branch),
                [&] { return settled() && window.windowTitle().contains(branch); });
        measureGit(sample, branch);
    }

    for (const QString &view : {u"plan"_s, u"line"_s, u"audit"_s, u"grid"_s}) {
        QElapsedTimer since;
        since.start();
        window.raisePanel(view);
        measure(u"to the view %1"_s.arg(view), [&] { return settled() && since.elapsed() > 200; });
    }

    const QString name = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
    const QString file = u".flox/pkgs/%1.nix"_s.arg(name);
    const QByteArray text = sample.read(file);
    auto *grid = window.findChild<GridPanel *>();
    grid->setCurrentName(name);
    auto *table = grid->findChild<QTableView *>();
    int edits = 0;
    QTimer editor;
    QObject::connect(&editor, &QTimer::timeout, &window,
                     [&] { sample.write(file, text + QByteArray::number(++edits)); });
    editor.start(100);
    measure(u"20 edits outside"_s, [&] { return edits >= 20; });
    editor.stop();
    sample.write(file, text);
    QElapsedTimer sinceEdit;
    sinceEdit.start();
    measure(u"until all is as before"_s, [&] { return settled() && sinceEdit.elapsed() > 300; });

    QTest::keyClick(table, Qt::Key_B);
    QElapsedTimer sinceStart;
    sinceStart.start();
    measure(u"a build that prints %1 lines"_s.arg(QString::fromUtf8(lines)),
            [&] { return sinceStart.elapsed() > 500 && QFileInfo(sample.path(u"result-"_s + name)).isSymLink(); });
    return 0;
}
