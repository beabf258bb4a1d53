// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// Rows about what the user sees: the first window, branches in it, the grid, logs.
#include "app/controllers/OverviewController.h"
#include "app/window/Appearance.h"
#include "app/window/MainWindow.h"
#include "model/fleet/KnownRepositories.h"
#include "model/log/LogFile.h"
#include "model/matrix/MatrixFilterModel.h"
#include "model/matrix/MatrixModel.h"
#include "model/matrix/OverviewModel.h"
#include "tests/bench/Bench.h"
#include "tests/bench/Samples.h"
#include "tests/support/LoggedBuild.h"
#include "tests/support/Snapshots.h"
#include "views/console/BuildConsole.h"
#include "views/console/ConsoleView.h"
#include "views/grid/MatrixView.h"
#include "views/overview/OverviewPanel.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QTableView>
#include <QTimer>

#include <algorithm>
#include <cstdlib>
#include <ctime>

using namespace Qt::StringLiterals;

namespace tmx::bench {

namespace {

constexpr QSize windowSize(1280, 800);
constexpr auto standInLines = 100'000;

/// Counts paintings of a widget.
class Paintings : public QObject
{
public:
    explicit Paintings(QWidget *widget) { widget->installEventFilter(this); }
    int count = 0;

protected:
    bool eventFilter(QObject *, QEvent *event) override
    {
        count += event->type() == QEvent::Paint;
        return false;
    }
};

/// Reports when a window was completely painted for the first time.
class FirstPainting : public QObject
{
public:
    FirstPainting(QWidget *window, std::function<void()> then)
        : m_then(std::move(then))
    {
        window->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Paint) {
            watched->removeEventFilter(this);
            QTimer::singleShot(0, this, m_then);
        }
        return false;
    }

private:
    std::function<void()> m_then;
};

/// The process, from its start to the end of its first picture.
Sample firstWindow(const QString &kind, const QStringList &arguments = {})
{
    return partWithStart(u"window"_s, QStringList{kind} + arguments);
}

[[noreturn]] void endNow()
{
    std::_Exit(0);
}

void turnUntil(const std::function<bool()> &isOver, int beatMs = 0)
{
    QTimer beat;
    QEventLoop loop;
    QObject::connect(&beat, &QTimer::timeout, &loop, [&] {
        if (isOver())
            loop.quit();
    });
    beat.start(beatMs);
    loop.exec();
}

/// The CPU time of this thread in milliseconds: on a busy machine, a gap is also long if the thread is not scheduled.
double ownTime()
{
    timespec time = {};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

/// The longest CPU time of this thread between two turns of the event loop.
double longestTurn(const std::function<bool()> &isOver)
{
    double longest = 0;
    double before = ownTime();
    turnUntil([&] {
        longest = std::max(longest, ownTime() - before);
        before = ownTime();
        return isOver();
    });
    return longest;
}

// --- the grid -------------------------------------------------------------------------------------------------------

/// A catalog of `size` GPUs and as many instruction sets, all fictitious.
std::shared_ptr<const Catalog> wideCatalog(int size)
{
    auto wide = std::make_shared<Catalog>(*catalog());
    const GpuRow row = *wide->row(u"sm90"_s);
    const Isa isa = *wide->isa(u"avx2"_s);
    wide->rows.clear();
    wide->isas.clear();
    for (int i = 0; i < size; ++i) {
        wide->rows.append(row);
        wide->rows.last().id = u"sm%1"_s.arg(1000 + i);
        wide->isas.append(isa);
        wide->isas.last().id = u"isa%1"_s.arg(i);
    }
    return wide;
}

/// A branch with a recipe in every hundredth cell.
std::shared_ptr<const BranchSnapshot> wideBranch(const Catalog &wide)
{
    BranchSnapshot snapshot;
    snapshot.repository = u"/repository"_s;
    snapshot.branch = u"cuda-13_0"_s;
    snapshot.settings = *wide.settings(snapshot.branch);
    int cell = 0;
    for (const GpuRow &row : wide.rows) {
        for (const Isa &isa : wide.isas) {
            if (cell++ % 100 != 0 && &row != &wide.rows.constFirst() && &isa != &wide.isas.constFirst())
                continue;
            tmx::testing::put(snapshot,
                              {u"pytorch"_s, snapshot.settings.pythons().constFirst(),
                               snapshot.settings.toolkits().constFirst(), row.id, isa.id},
                              RecipeState::Current);
        }
    }
    return tmx::testing::shared(std::move(snapshot));
}

/// The longest frame that `act` causes in a view, which is painted once for each.
double longestFrame(QTableView &view, int frames, const std::function<void(int)> &act)
{
    double longest = 0;
    Paintings paintings(view.viewport());
    for (int frame = 0; frame < frames; ++frame) {
        const double before = ownTime();
        paintings.count = 0;
        act(frame);
        QApplication::processEvents();
        if (paintings.count == 0)
            view.viewport()->repaint();
        longest = std::max(longest, ownTime() - before);
    }
    return longest;
}

double actIn(QTableView &view, const QString &action, const std::function<void(int)> &filter,
             const std::function<void(int)> &change)
{
    if (action == u"filter"_s)
        return longestFrame(view, 2, filter);
    if (action == u"change"_s)
        return longestFrame(view, 20, change);
    if (action == u"select"_s)
        return longestFrame(view, 20, [&](int frame) {
            const auto at = [&](int cell) { return view.model()->index(cell, cell); };
            view.selectionModel()->select(QItemSelection(at(0), at(view.model()->rowCount() / 20 * (frame + 1) - 1)),
                                          QItemSelectionModel::ClearAndSelect);
        });
    return longestFrame(view, 100, [&](int frame) {
        for (QScrollBar *bar : {view.verticalScrollBar(), view.horizontalScrollBar()})
            bar->setValue(bar->maximum() / 100 * frame);
    });
}

Sample standardGrid(int size, const QString &action)
{
    QStandardItemModel *model = nullptr;
    QTableView view;
    double frame = 0;
    Sample sample = inside([&] {
        model = new QStandardItemModel(size, size, &view);
        for (int row = 0; row < size; ++row) {
            for (int column = 0; column < size; ++column)
                model->setItem(row, column, new QStandardItem(column % 100 == 0 ? u"current"_s : u"not covered"_s));
        }
        auto *sorted = new QSortFilterProxyModel(&view);
        sorted->setSourceModel(model);
        sorted->setFilterKeyColumn(-1);
        view.setModel(sorted);
        view.resize(windowSize);
        view.show();
        QApplication::processEvents();
        frame = actIn(
            view, action, [&](int pass) { sorted->setFilterFixedString(pass % 2 == 0 ? u"current"_s : QString()); },
            [&](int pass) { model->item(pass, pass)->setText(u"building"_s); });
    });
    sample.ms = frame;
    sample.cpu = frame;
    return sample;
}

Sample ownGrid(int size, const QString &action)
{
    const auto wide = wideCatalog(size);
    const auto snapshot = wideBranch(*wide);
    MatrixModel *model = nullptr;
    MatrixView view;
    double frame = 0;
    Sample sample = inside([&] {
        model = new MatrixModel(wide, &view);
        model->setShowAll(true);
        model->setSnapshot(snapshot);
        auto *filtered = new MatrixFilterModel(&view);
        filtered->setSourceModel(model);
        view.setModel(filtered);
        view.resize(windowSize);
        view.show();
        QApplication::processEvents();
        frame = actIn(
            view, action, [&](int pass) { filtered->setText(pass % 2 == 0 ? u"current"_s : QString()); },
            [&](int pass) {
                BuildState state;
                state.phase = BuildState::Phase::Running;
                model->setBuildStates({{model->variantAt(model->index(pass, pass)).name(), state}});
            });
    });
    sample.ms = frame;
    sample.cpu = frame;
    return sample;
}

} // namespace

void window(Table &table)
{
    const QString repository = repositoryOf(u"cuda-13_0"_s);
    const Side empty = [](int) { return firstWindow(u"empty"_s); };
    table.measure(
        u"first painted window, repository of 59 recipes"_s, u"an empty QMainWindow, same libraries"_s,
        [&](int) { return firstWindow(u"first"_s, {repository}); }, empty);
    table.measure(
        u"until its grid is painted"_s, u"an empty QMainWindow, same libraries"_s,
        [&](int) { return firstWindow(u"settled"_s, {repository}); }, empty);
    const BranchesSample branches = manyTimes(nineBranches(), 4);
    ours({u"overview"_s, branches.path}); // fills the cache
    table.measure(
        u"start page with the overview of %1 branches, cached"_s.arg(branches.branches.size()),
        u"the start page of a new user"_s,
        [&](int) { return firstWindow(u"start"_s, {branches.path, QString::number(branches.branches.size())}); },
        [](int) { return firstWindow(u"start"_s); });
    table.measure(u"the same: longest turn of the event loop"_s, {}, [&](int) {
        return part(u"window"_s, {u"start turn"_s, branches.path, QString::number(branches.branches.size())});
    });
}

void branchInWindow(Table &table)
{
    const BranchesSample &sample = nineBranches();
    const QString branch = sample.branches.at(1);
    table.measure(
        u"open a repository in the window and show a branch"_s, u"git show of each of its recipes"_s,
        [&](int) { return part(u"window"_s, {u"branch"_s, sample.path, branch}); },
        [&](int) {
            const QByteArray files = git(sample.path, {u"ls-tree"_s, u"--name-only"_s, branch, u".flox/pkgs/"_s});
            QByteArray script;
            for (const QByteArray &file : files.trimmed().split('\n'))
                script += "git show " + branch.toUtf8() + ':' + file + '\n';
            writeFile(scratch(u"show.sh"_s), script);
            return timed({u"sh"_s, {scratch(u"show.sh"_s)}, sample.path, {}, {0}});
        });
    table.measure(u"the same: longest turn of the event loop"_s, {},
                  [&](int) { return part(u"window"_s, {u"turn"_s, sample.path, branch}); });
}

/// The start page with the branches of a repository, or of a new user. Ends the process when it is painted, unless
/// `turn`.
Sample startPage(const QString &repository, int branches, bool turn)
{
    for (const QString &known : knownRepositories())
        forgetRepository(known);
    if (!repository.isEmpty())
        addRepositories({repository});
    OverviewController::readAhead(); // as the program does
    apply(Appearance::Light);
    const auto loaded = Catalog::loadForUser();
    MainWindow window(*loaded);
    window.resize(windowSize);
    const auto *overview = window.findChild<OverviewModel *>();
    const auto filled = [&] { return overview->rowCount() >= branches; };
    if (turn) {
        double longest = 0;
        const Sample sample = inside([&] {
            window.show();
            longest = longestTurn([&] { return filled() && window.isSettled(); });
        });
        return {longest, longest, sample.memory};
    }
    window.show();
    const auto *panel = window.findChild<OverviewPanel *>();
    const Paintings paintings(panel ? panel->table()->viewport() : &window); // the table is hidden while it is empty
    turnUntil([&] { return filled() && paintings.count > 0; }, 1);
    endNow();
}

Sample windowPart(const QStringList &arguments)
{
    const QString kind = arguments.value(0);
    if (kind.startsWith("start"_L1))
        return startPage(arguments.value(1), arguments.value(2).toInt(), kind.endsWith("turn"_L1));
    if (kind == u"empty"_s) {
        QMainWindow window;
        window.resize(windowSize);
        const FirstPainting painting(&window, endNow);
        window.show();
        QApplication::exec();
    }
    apply(Appearance::Light);
    const auto loaded = Catalog::loadForUser();
    MainWindow window(*loaded);
    window.resize(windowSize);
    if (kind == u"branch"_s || kind == u"turn"_s) {
        window.show();
        const auto shown = [&] { return window.isSettled() && window.windowTitle().contains(arguments.value(2)); };
        double longest = 0;
        Sample sample = inside([&] {
            window.openRepository(arguments.value(1), arguments.value(2));
            if (kind == u"turn"_s)
                longest = longestTurn(shown);
            else
                turnUntil(shown, 1);
        });
        return kind == u"turn"_s ? Sample{longest, longest, sample.memory} : sample;
    }
    window.openRepository(arguments.value(1));
    std::unique_ptr<FirstPainting> painting;
    if (kind == u"first"_s) {
        painting = std::make_unique<FirstPainting>(&window, endNow);
    } else {
        QObject::connect(&window, &MainWindow::settled, &window, [&window] {
            window.repaint();
            endNow();
        });
    }
    window.show();
    return {double(QApplication::exec()), -1, -1};
}

void grid(Table &table)
{
    const int size = table.isQuick() ? 200 : 1000;
    for (const QString &action : {u"scroll"_s, u"select"_s, u"filter"_s, u"change"_s}) {
        const QStringList arguments{QString::number(size), action};
        table.measure(
            u"grid of %L1 x %L1: longest frame, %2"_s.arg(size).arg(action), u"QStandardItemModel in a QTableView"_s,
            [&](int) { return part(u"grid"_s, QStringList{u"ours"_s} + arguments); },
            [&](int) { return part(u"grid"_s, QStringList{u"standard"_s} + arguments); }, table.isQuick() ? 1 : 0);
    }
}

Sample gridPart(const QStringList &arguments)
{
    const int size = arguments.value(1).toInt();
    return arguments.value(0) == u"ours"_s ? ownGrid(size, arguments.value(2)) : standardGrid(size, arguments.value(2));
}

void log(Table &table)
{
    const qint64 bytes = table.isQuick() ? 100'000'000 : 1'000'000'000;
    const QString path = logOf(bytes);
    const QString work = u"open a log of %L1 MB, paint its end"_s.arg(bytes / 1'000'000);
    const Side own = [&](int) { return part(u"log"_s, {u"ours"_s, path}); };
    timed({u"wc"_s, {u"-l"_s, path}, {}, {}, {0}}); // once, for the page cache
    table.measure(work, u"wc -l"_s, own, [&](int) { return timed({u"wc"_s, {u"-l"_s, path}, {}, {}, {0}}); });
    table.measure(
        u"the same with its phases folded"_s, u"without phases"_s,
        [&](int) { return part(u"log"_s, {u"folded"_s, path}); }, own);
    const QString small = logOf(bytes / 100);
    table.measure(
        u"open a log of %L1 MB, paint its end"_s.arg(bytes / 100'000'000), u"QPlainTextEdit"_s,
        [&](int) { return part(u"log"_s, {u"ours"_s, small}); },
        [&](int) { return part(u"log"_s, {u"plain"_s, small}); });
}

Sample logPart(const QStringList &arguments)
{
    const QString path = arguments.value(1);
    if (arguments.value(0) == u"plain"_s) {
        QPlainTextEdit edit;
        edit.resize(windowSize);
        edit.show();
        QApplication::processEvents();
        return inside([&] {
            QFile file(path);
            if (file.open(QIODevice::ReadOnly))
                edit.setPlainText(QString::fromUtf8(file.readAll()));
            edit.verticalScrollBar()->setValue(edit.verticalScrollBar()->maximum());
            edit.viewport()->repaint();
        });
    }
    BuildConsole console;
    ConsoleView alone;
    const bool folded = arguments.value(0) == u"folded"_s;
    ConsoleView &view = folded ? *console.view() : alone;
    QWidget &window = folded ? static_cast<QWidget &>(console) : alone;
    console.startBuild(u"python3.13-torch"_s);
    window.resize(windowSize);
    window.show();
    QApplication::processEvents();
    return inside([&] {
        view.open(path);
        const qint64 bytes = QFileInfo(path).size();
        // Checks only now and then: a busy loop would take the processor from the worker that reads.
        turnUntil([&] { return view.isUpToDate() && view.log().index().size() >= bytes; }, 1);
        view.viewport()->repaint();
    });
}

void console(Table &table)
{
    table.measure(
        u"a build prints %L1 lines: longest turn of the window"_s.arg(standInLines), u"QPlainTextEdit"_s,
        [](int) { return part(u"console"_s, {u"ours"_s}); }, [](int) { return part(u"console"_s, {u"plain"_s}); });
}

Sample consolePart(const QStringList &arguments)
{
    standInActs("burst:" + QByteArray::number(standInLines));
    const BuildRepository repository;
    if (arguments.value(0) == u"plain"_s) {
        QPlainTextEdit edit;
        edit.resize(windowSize);
        edit.show();
        double longest = 0;
        Sample sample = inside([&] {
            const LoggedBuild build(repository);
            QFile file(build.log());
            QTimer reading;
            QObject::connect(&reading, &QTimer::timeout, &edit, [&] {
                if (!file.isOpen() && !file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
                    return;
                if (const QByteArray bytes = file.read(qint64(64) << 20); !bytes.isEmpty())
                    edit.appendPlainText(QString::fromUtf8(bytes));
            });
            reading.start(16);
            longest = longestTurn([&] { return build.hasEnded() && edit.blockCount() > standInLines; });
        });
        return {longest, longest, sample.memory};
    }
    BuildConsole console;
    console.resize(windowSize);
    console.show();
    double longest = 0;
    Sample sample = inside([&] {
        console.startBuild(BuildRepository::package());
        const LoggedBuild build(repository);
        console.showLog(build.log());
        longest = longestTurn([&] { return build.hasEnded() && console.view()->log().lineCount() > standInLines; });
    });
    return {longest, longest, sample.memory};
}

} // namespace tmx::bench
