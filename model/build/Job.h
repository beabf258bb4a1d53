// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/build/BuildOutcome.h"
#include "model/build/Place.h"

#include <QDateTime>
#include <QJsonObject>
#include <QMap>
#include <QStringList>

#include <optional>

namespace tmx {

/// An object id of git as a job or a line of history states it: SHA-1 or SHA-256.
constexpr QStringView hashForm = u"[0-9a-f]{40}|[0-9a-f]{64}";

/// What builds a recipe.
enum class BuildEngine { Flox, Nix };

QString toString(BuildEngine engine); ///< "flox", "nix": the words of job.json and of --engine
std::optional<BuildEngine> engineNamed(const QString &word);

/// One build of one recipe, as it was asked for. Never changes: another attempt is another job.
struct Job {
    QString id; ///< "20261122-153012-0413f9", unique below the state folder: the time of `created` with milliseconds,
                ///< and three random digits; empty: JobFolder::create() gives one
    QString repository; ///< the user's working tree, absolute and canonical
    QString branch;     ///< empty: HEAD was detached
    QString commit;     ///< 40 (SHA-256: 64) hexadecimal digits; built in a working tree of the program's own
    QString blob;       ///< of the recipe: what git stores for it
    QString recipe;     ///< ".flox/pkgs/x.nix"
    QString package;    ///< what the engine calls it: the file's name, which may be in an old form
    QString variant;    ///< the canonical name
    BuildEngine engine = BuildEngine::Flox;
    QString stability;                  ///< flox's --stability; empty: flox's own choice
    int cores = 0;                      ///< for each derivation (NIX_CONFIG="cores = N"); 0: as the machine is set up
    bool here = false;                  ///< builds in `repository` itself, uncommitted changes included
    Place place;                        ///< another machine, or a cluster
    QMap<QString, int> builders;        ///< Nix's remote builders that take it: store, builds at a time
    QStringList sbatch;                 ///< with Slurm: what sbatch is given for it, as slurmOptions() says
    QMap<QString, QString> environment; ///< PATH and what else of recordedVariables() whoever queued it had set
    QDateTime created;
    bool operator==(const Job &) const = default;

    /// Two jobs of one key build the same: repository, branch, package, blob.
    [[nodiscard]] QString key() const;
};

/// The variables of whoever queues a job that its build gets, whoever runs it: PATH, Nix's configuration, proxies and
/// certificates, and where ssh finds the agent and the program that asks.
QStringList recordedVariables();
/// What this process has of them.
QMap<QString, QString> recordedEnvironment();
/// The same build asked for once more, now and by this process.
Job againOf(Job job);

/// How a job ended.
struct JobOutcome {
    BuildOutcome build;     ///< `resultLinks`: absolute, in the state folder
    int signal = 0;         ///< that ended the engine; 0: none
    QStringList storePaths; ///< what the result links point to, in their order
    QDateTime started;
    QDateTime ended;
    qint64 peakMemory = 0; ///< bytes of all processes of the job together; 0: not known
    bool operator==(const JobOutcome &) const = default;
};

/// Both as UTF-8 JSON. What is read is bounded (1 MiB, 64 entries a list, 64 KiB a text) and checked: a package that
/// flox can build, hexadecimal ids, absolute paths. Errors: no such JSON, a field that is missing or wrong.
QByteArray toJson(const Job &job);
/// What says which build a job is, as job.json and the verbs have it: id, repository, branch, commit, blob, recipe,
/// package, variant, engine, cores, here, place.
QJsonObject identityOf(const Job &job);
Result<Job> jobFromJson(const QByteArray &json);
QByteArray toJson(const JobOutcome &outcome);
Result<JobOutcome> outcomeFromJson(const QByteArray &json);

/// Who runs a job.
struct JobRunner {
    qint64 pid = 0;
    QByteArray process; ///< processMark() of it
    QString boot;       ///< the kernel's id of this start of the machine
    QString machine;    ///< machine id; empty where there is none
    QDateTime started;
};

/// How far a build is. Its runner writes it every other second while that changes.
struct JobProgress {
    int step = 0;                 ///< of ninja
    int total = 0;                ///< 0: none seen
    QString phase;                ///< "buildPhase"; may be empty
    QMap<int, qint64> twentieths; ///< seconds from the start to each twentieth of the main derivation's steps
    QDateTime killsAt = {};       ///< it was asked to stop: when what is left of it gets SIGKILL; UTC; else invalid
    bool operator==(const JobProgress &) const = default;
};

enum class JobPhase {
    Waiting,  ///< nobody has begun to run it
    Running,  ///< its runner lives
    Stopping, ///< the same, and it was asked to stop
    Ended,    ///< it has an outcome
    Lost,     ///< its runner is gone and left no outcome
};

constexpr int killLevel = 3; ///< so many requests to stop end a job at once

/// The folder of one job, `$STATE/jobs/<id>`. All of these look at the disk: for workers.
///
/// Files, each written once and whole: `job.json` (Job; for its owner alone, since NIX_CONFIG may hold a token);
/// `runner` (JobRunner; made by the one process that runs the job, which holds a lock on it as long as it lives); `log`
/// (the build's own standard output and error, raw) or, compressed later, `log.gz`; `progress.json` (JobProgress;
/// replaced while it runs); `times` (LogTimes; grows while it runs); `stop` (there: it is to end); `outcome.json`
/// (JobOutcome). A file is read without following links.
///
/// A job of another machine has `there`, empty, once that machine has it: a runner that is gone is replaced, and the
/// next one goes on. A job of Slurm has no runner of ours: `slurm.json` (SlurmTask) names it in the cluster's books,
/// and `remote` is the folder of resources/build/remote.sh, which the node writes.
class JobFolder
{
public:
    explicit JobFolder(const QString &path);

    /// A new folder below `state`/jobs with the job in it; gives the job an id where it has none. Appears whole.
    /// Errors: the state folder cannot be written, the disk is full.
    static Result<JobFolder> create(const QString &state, Job job);
    /// The folder of an id below `state`. An id that is none gives a folder that is not there.
    static JobFolder of(const QString &state, const QString &id);
    /// All below `state`, the oldest first.
    static QList<JobFolder> all(const QString &state);

    [[nodiscard]] QString path() const { return m_path; }
    [[nodiscard]] QString id() const;
    [[nodiscard]] QString logFile() const { return m_path + QStringLiteral("/log"); }
    [[nodiscard]] QString file(const QString &name) const { return m_path + QLatin1Char('/') + name; }
    [[nodiscard]] QString state() const; ///< the state folder that it lies in
    /// Where the program's own working tree for it is while it runs.
    [[nodiscard]] QString workTree() const;

    [[nodiscard]] Result<Job> job() const;
    [[nodiscard]] std::optional<JobRunner> runner() const;     ///< nullopt: nobody has begun
    [[nodiscard]] std::optional<JobOutcome> outcome() const;   ///< nullopt: it has not ended
    [[nodiscard]] std::optional<JobProgress> progress() const; ///< nullopt: nothing is known of it
    /// Not kept through a loss of power: it is only of use while the job runs.
    void writeProgress(const JobProgress &progress) const;
    [[nodiscard]] bool runnerLives() const;
    [[nodiscard]] JobPhase phase() const;

    /// Asks for the job's end, the third time (killLevel) with SIGKILL; wakes its runner. A job that waits ends when it
    /// is its turn. Errors: the folder cannot be written.
    [[nodiscard]] Result<void> requestStop() const;
    [[nodiscard]] int stopLevel() const; ///< how often it was asked; 0: not

    /// When a node of Slurm began with it; invalid: it has not.
    [[nodiscard]] QDateTime startedRemotely() const;

    /// True: this call wrote it. False: there was one already, which stays. Errors: the disk is full.
    [[nodiscard]] Result<bool> writeOutcome(const JobOutcome &outcome) const;

private:
    QString m_path;
};

/// The kernel's id of this start of the machine; empty where /proc has none.
QString bootId();
/// What systemd calls this machine; empty where it has no such name.
QString machineId();

} // namespace tmx
