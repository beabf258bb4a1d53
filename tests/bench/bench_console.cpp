// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// How long the event loop stands still while a build prints as fast as the console takes it, and what the console does
// with long logs. bench_console [LINES]
#include "model/build/FloxBuild.h"
#include "tests/support/BuildRepository.h"
#include "views/BuildConsole.h"
#include "views/console/ConsoleView.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QScrollBar>
#include <QTextStream>
#include <QTimer>

#include <algorithm>
#include <functional>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

/// Gaps between two turns of the event loop, in milliseconds, while `isOver` is false.
class Gaps
{
public:
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
        m_longest = std::max(m_longest, gaps.constLast());
        QTextStream(stdout) << what << ": " << whole.elapsed() << " ms, longest gap "
                            << QString::number(gaps.constLast(), 'f', 1) << " ms, 99 of 100 under "
                            << QString::number(gaps.at(gaps.size() * 99 / 100), 'f', 1) << " ms\n";
    }
    [[nodiscard]] double longest() const { return m_longest; }

private:
    double m_longest = 0;
};

qint64 residentKilobytes()
{
    QFile status(u"/proc/self/status"_s);
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    for (const QByteArray &line : status.readAll().split('\n')) {
        if (line.startsWith("VmRSS:"))
            return line.simplified().split(' ').value(1).toLongLong();
    }
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    const int lines = app.arguments().value(1, u"100000"_s).toInt();
    standInActs("burst:" + QByteArray::number(lines));
    const BuildRepository repository;
    BuildConsole console;
    console.resize(1920, 320);
    console.show();
    FloxBuild build;
    bool finished = false;
    QObject::connect(&build, &FloxBuild::text, &console, &BuildConsole::appendText);
    QObject::connect(&build, &FloxBuild::stateChanged, &console, &BuildConsole::setState);
    QObject::connect(&build, &FloxBuild::finished, &console, [&](const BuildOutcome &outcome) {
        console.setOutcome(outcome);
        finished = true;
    });
    const qint64 before = residentKilobytes();
    console.startBuild(repository.package());
    build.start(repository.path(), repository.package());
    Gaps gaps;
    ConsoleView *view = console.view();
    gaps.measure(u"a build that prints %1 lines"_s.arg(lines), [&] { return finished && view->isUpToDate(); });
    QTextStream(stdout) << "lines kept: " << view->log().lineCount() << ", memory grown by "
                        << (residentKilobytes() - before) / 1024 << " MiB\n";

    view->setSearch(u"kernel9"_s, Qt::CaseInsensitive);
    gaps.measure(u"a search over them"_s, [&] { return !view->isSearching(); });
    QTextStream(stdout) << "matches: " << view->matchCount() << '\n';
    int place = 0;
    const int step = std::max(1, view->verticalScrollBar()->maximum() / 500);
    gaps.measure(u"500 scrolls through them"_s, [&] {
        view->verticalScrollBar()->setValue(place += step);
        return place >= view->verticalScrollBar()->maximum();
    });
    view->clear();
    view->appendText((u"-DUSE_X=1 "_s.repeated(3000) + u'\n').repeated(400));
    gaps.measure(u"400 lines of 30,000 characters"_s, [&] { return view->isUpToDate(); });
    place = 0;
    gaps.measure(u"300 scrolls through them"_s, [&] {
        view->verticalScrollBar()->setValue(place);
        view->horizontalScrollBar()->setValue(place * 50);
        return ++place >= 300;
    });
    return gaps.longest() > 50 ? 1 : 0;
}
