// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/Operations.h"

#include "model/change/Change.h"
#include "model/git/Repository.h"

#include <QFutureWatcher>
#include <QtConcurrent>

#include <algorithm>

namespace tmx {

/// What a worker returns: prepared changes, or the result of applying them.
struct Operations::Outcome {
    std::optional<QList<ChangeSet>> prepared;
    std::optional<QList<ChangeSet>> objected;
    QList<Applied> applied;
    std::optional<Error> error;

    static Outcome of(const Result<QList<ChangeSet>> &changes)
    {
        return changes ? Outcome{*changes, {}, {}, {}} : Outcome{{}, {}, {}, changes.error()};
    }
};

namespace {

/// Applies the changes one by one until one fails.
std::optional<Error> make(const QString &repository, const QList<ChangeSet> &changes, const WorkHooks &hooks,
                          QList<Applied> &applied)
{
    int done = 0;
    if (!changes.isEmpty() && !changes.constFirst().repository.isEmpty())
        TM_CHECK(checkMany(changes));
    for (const ChangeSet &change : changes) {
        if (hooks.stopped())
            return stoppedError();
        // README: a branch that refuses the change does not prevent the others.
        if (change.refusal && changes.size() == 1)
            return change.refusal;
        if (!change.refusal && !change.isEmpty()) {
            TM_TRY(opened, Repository::open(change.repository.isEmpty() ? repository : change.repository));
            TM_TRY(one, opened->apply(change, WorkHooks{{}, hooks.stop}));
            one->repository = change.repository;
            applied.append(*one);
        }
        hooks.tell(++done, int(changes.size()));
    }
    return std::nullopt;
}

} // namespace

OperationId newOperation()
{
    static std::atomic<OperationId> last = 0;
    return ++last;
}

Operations::Operations(std::shared_ptr<const SnapshotReader> reader, QObject *parent)
    : QObject(parent)
    , m_reader(std::move(reader))
{
    m_writers.setMaxThreadCount(1);
}

Operations::~Operations()
{
    for (const Running &running : std::as_const(m_running)) {
        if (!running.writes)
            *running.stop = true;
    }
    m_writers.waitForDone();
}

template <typename Work>
OperationId Operations::start(bool writes, Work work)
{
    const OperationId id = newOperation();
    const auto stop = std::make_shared<std::atomic_bool>(false);
    m_running.insert(id, {stop, writes});
    auto *watcher = new QFutureWatcher<Outcome>(this);
    connect(watcher, &QFutureWatcherBase::progressValueChanged, this, [this, id, watcher](int done) {
        if (m_running.contains(id))
            Q_EMIT progressed(id, done, watcher->progressMaximum());
    });
    connect(watcher, &QFutureWatcherBase::finished, this, [this, id, writes, watcher] {
        watcher->deleteLater();
        if (m_running.remove(id))
            finish(id, writes, watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(writes ? &m_writers : QThreadPool::globalInstance(),
                                         [work = std::move(work), stop](QPromise<Outcome> &promise) {
                                             const auto tell = [&promise](int done, int total) {
                                                 promise.setProgressRange(0, total);
                                                 promise.setProgressValue(done);
                                             };
                                             promise.addResult(work(WorkHooks{tell, [stop] { return stop->load(); }}));
                                         }));
    if (writes && m_writing++ == 0)
        Q_EMIT writingChanged();
    return id;
}

void Operations::finish(OperationId id, bool writes, const Outcome &outcome)
{
    if (writes && --m_writing == 0)
        Q_EMIT writingChanged();
    if (outcome.prepared)
        Q_EMIT prepared(id, *outcome.prepared);
    else if (outcome.objected)
        Q_EMIT objected(id, *outcome.objected);
    else if (outcome.error && outcome.applied.isEmpty())
        Q_EMIT failed(id, *outcome.error);
    else
        Q_EMIT applied(id, outcome.applied, outcome.error);
}

OperationId Operations::prepare(const QString &repository, const ChangeRequest &request)
{
    return start(false, [reader = m_reader, repository, request](const WorkHooks &hooks) {
        return Outcome::of(tmx::prepare(*reader, repository, request, hooks));
    });
}

OperationId Operations::prepare(const QList<BranchPlace> &places, const ChangeRequest &request)
{
    return start(false, [reader = m_reader, places, request](const WorkHooks &hooks) {
        return Outcome::of(prepareMany(*reader, places, request, hooks));
    });
}

OperationId Operations::apply(const QString &repository, const QList<ChangeSet> &changes)
{
    return start(true, [repository, changes](const WorkHooks &hooks) {
        Outcome outcome;
        outcome.error = make(repository, changes, hooks, outcome.applied);
        return outcome;
    });
}

OperationId Operations::perform(const QString &repository, const ChangeRequest &request)
{
    return start(true, [reader = m_reader, repository, request](const WorkHooks &hooks) {
        Outcome outcome;
        if (const Result<Repository> opened = Repository::open(repository))
            opened->recover();
        const Result<QList<ChangeSet>> changes = tmx::prepare(*reader, repository, request, hooks);
        if (!changes)
            outcome.error = changes.error();
        else if (std::ranges::any_of(*changes, [](const ChangeSet &one) { return !one.chosenErrors().isEmpty(); }))
            outcome.objected = *changes;
        else
            outcome.error = make(repository, *changes, hooks, outcome.applied);
        return outcome;
    });
}

void Operations::stop(OperationId id)
{
    const Running running = m_running.value(id);
    if (running.stop)
        *running.stop = true;
    if (!running.writes)
        m_running.remove(id);
}

} // namespace tmx
