// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// How long the event loop stands still while a build prints as fast as the console takes it, and what the console does
// with long logs. bench_console [LINES] [LINES OF THE LONG LOG]
#include "tests/support/LoggedBuild.h"
#include "views/BuildConsole.h"
#include "views/console/ConsoleView.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QPlainTextEdit>
#include <QProcess>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTextStream>
#include <QTimer>

#include <algorithm>
#include <ctime>
#include <functional>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

/// What this thread has computed, in milliseconds.
double ownTime()
{
    timespec time = {};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

/// Gaps between two turns of the event loop, in milliseconds, while `isOver` is false. On a busy machine a gap is long
/// as well when the thread does not get its turn: what counts is the time that it computed.
class Gaps
{
public:
    double measure(const QString &what, const std::function<bool()> &isOver)
    {
        QList<double> gaps;
        double longest = 0;
        double before = ownTime();
        QElapsedTimer clock;
        QElapsedTimer whole;
        QTimer beat;
        QEventLoop loop;
        QObject::connect(&beat, &QTimer::timeout, &loop, [&] {
            gaps.append(double(clock.nsecsElapsed()) / 1e6);
            clock.restart();
            longest = std::max(longest, ownTime() - before);
            before = ownTime();
            if (isOver())
                loop.quit();
        });
        whole.start();
        clock.start();
        beat.start(0);
        loop.exec();
        std::sort(gaps.begin(), gaps.end());
        QTextStream(stdout) << what << ": " << whole.elapsed() << " ms, longest gap "
                            << QString::number(gaps.constLast(), 'f', 1) << " ms (" << QString::number(longest, 'f', 1)
                            << " ms computed), 99 of 100 under "
                            << QString::number(gaps.at(gaps.size() * 99 / 100), 'f', 1) << " ms\n";
        return m_longest = std::max(m_longest, longest);
    }
    [[nodiscard]] double longest() const { return m_longest; } ///< of what was computed

private:
    double m_longest = 0;
};

/// The same build in a QPlainTextEdit, which gets what came every 16 ms.
void showInPlainTextEdit(const BuildRepository &repository, int lines)
{
    QPlainTextEdit edit;
    edit.resize(1920, 320);
    edit.show();
    const LoggedBuild build(repository);
    QFile log(build.log());
    QTimer reading;
    QObject::connect(&reading, &QTimer::timeout, &edit, [&] {
        if (!log.isOpen() && !log.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
            return;
        const QByteArray bytes = log.read(qint64(64) << 20);
        if (!bytes.isEmpty())
            edit.appendPlainText(QString::fromUtf8(bytes));
    });
    reading.start(16);
    Gaps().measure(u"the same build in a QPlainTextEdit"_s,
                   [&] { return build.hasEnded() && edit.blockCount() > lines; });
}

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

/// A log as a build prints it, about 100 bytes a line.
QString writtenLog(const QTemporaryDir &folder, qint64 lines)
{
    QFile file(folder.filePath(u"log"_s));
    if (!file.open(QIODevice::WriteOnly))
        return {};
    QByteArray block;
    for (qint64 i = 0; i < lines; ++i) {
        block += "python3.13-torch> [" + QByteArray::number(i % 6000) +
                 "/6000] Building CXX object caffe2/CMakeFiles/torch_cpu.dir/aten/Kernel" + QByteArray::number(i) +
                 ".cpp.o\n";
        if (block.size() > 1'000'000 || i + 1 == lines) {
            file.write(block);
            block.clear();
        }
    }
    return file.fileName();
}

/// Opens a log of many lines, beside `wc -l` and a QPlainTextEdit of a hundredth of it.
bool opensALongLog(ConsoleView *view, qint64 lines, Gaps &gaps)
{
    const QTemporaryDir folder;
    const QString path = writtenLog(folder, lines);
    QProcess wc;
    QElapsedTimer clock;
    wc.start(u"wc"_s, {u"-l"_s, path}); // once for the page cache
    wc.waitForFinished(-1);
    clock.start();
    wc.start(u"wc"_s, {u"-l"_s, path});
    wc.waitForFinished(-1);
    const double counted = double(clock.nsecsElapsed()) / 1e6;
    const qint64 before = residentKilobytes();
    clock.restart();
    view->open(path);
    gaps.measure(u"opening %1 lines, %2 MB"_s.arg(lines).arg(QFileInfo(path).size() / 1'000'000),
                 [&] { return view->log().lineCount() >= lines; });
    const double opened = double(clock.nsecsElapsed()) / 1e6;
    const qint64 grown = (residentKilobytes() - before) / 1024;
    int place = 0;
    const int step = std::max(1, view->verticalScrollBar()->maximum() / 500);
    gaps.measure(u"500 scrolls through them"_s, [&] {
        view->verticalScrollBar()->setValue(place += step);
        return place >= view->verticalScrollBar()->maximum();
    });
    view->setSearch(u"kernel999999"_s, Qt::CaseInsensitive, false);
    gaps.measure(u"a search over them"_s, [&] { return !view->isSearching(); });
    QTextStream(stdout) << "matches: " << view->matchCount() << '\n';
    view->setSearch(u"Kernel9{5}[0-4]\\."_s, Qt::CaseSensitive, true);
    gaps.measure(u"a regular expression over them"_s, [&] { return !view->isSearching(); });
    QTextStream(stdout) << "matches: " << view->matchCount() << '\n';
    const qint64 grownInAll = (residentKilobytes() - before) / 1024;

    QPlainTextEdit edit;
    edit.resize(1920, 320);
    edit.show();
    QFile file(path);
    const qint64 few = lines / 100;
    clock.restart();
    if (file.open(QIODevice::ReadOnly))
        edit.setPlainText(QString::fromUtf8(file.read(QFileInfo(path).size() / 100)));
    const double plain = double(clock.nsecsElapsed()) / 1e6;
    QTextStream(stdout) << "opened in " << opened << " ms: " << opened / std::max(counted, 0.01) << " times wc -l ("
                        << counted << " ms), 1/" << plain * 100 / opened << " of QPlainTextEdit (" << plain
                        << " ms for " << few << " lines); memory grown by " << grown
                        << " MiB, with scrolling and searching " << grownInAll << " MiB\n";
    return opened < 2000 && grownInAll < 200;
}

} // namespace

int main(int argc, char **argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    const int lines = app.arguments().value(1, u"100000"_s).toInt();
    const qint64 inFile = app.arguments().value(2, u"10000000"_s).toLongLong();
    standInActs("burst:" + QByteArray::number(lines));
    const BuildRepository repository;
    BuildConsole console;
    console.resize(1920, 320);
    console.show();
    const qint64 before = residentKilobytes();
    console.startBuild(BuildRepository::package());
    const LoggedBuild build(repository);
    console.showLog(build.log());
    Gaps gaps;
    ConsoleView *view = console.view();
    gaps.measure(u"a build that prints %1 lines"_s.arg(lines),
                 [&] { return build.hasEnded() && view->log().lineCount() > lines; });
    QTextStream(stdout) << "lines: " << view->log().lineCount() << ", memory grown by "
                        << (residentKilobytes() - before) / 1024 << " MiB\n";
    showInPlainTextEdit(repository, lines);
    const QTemporaryDir folder;
    QFile wide(folder.filePath(u"wide"_s));
    if (wide.open(QIODevice::WriteOnly))
        wide.write((QByteArray("-DUSE_X=1 ").repeated(3000) + '\n').repeated(400));
    wide.close();
    view->open(wide.fileName());
    gaps.measure(u"400 lines of 30,000 characters"_s, [&] { return view->log().lineCount() >= 400; });
    int place = 0;
    gaps.measure(u"300 scrolls through them"_s, [&] {
        view->verticalScrollBar()->setValue(place);
        view->horizontalScrollBar()->setValue(place * 50);
        return ++place >= 300;
    });
    const bool quick = opensALongLog(view, inFile, gaps);
    return gaps.longest() > 50 || !quick ? 1 : 0;
}
