// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/job/Place.h"
#include "model/outcome/BuildOutcome.h"

#include <QDateTime>
#include <QJsonObject>
#include <QMap>
#include <QStringList>

#include <optional>

namespace tmx {

/// An object id of git in a job or in a line of history: SHA-1 or SHA-256.
constexpr QStringView hashForm = u"[0-9a-f]{40}|[0-9a-f]{64}";

/// The program that builds a recipe.
enum class BuildEngine { Flox, Nix };

QString toString(BuildEngine engine); ///< "flox", "nix": the words of job.json and of --engine
std::optional<BuildEngine> engineNamed(const QString &word);

/// A request to build one recipe once. Never changes: another attempt is another job.
struct Job {
    QString id; ///< "20261122-153012-0413f9", unique below the state folder: the time of `created` with milliseconds,
                ///< and three random digits; empty: JobFolder::create() sets it
    QString repository;   ///< the user's working tree, absolute and canonical
    QString branch;       ///< empty: HEAD was detached
    QString commit;       ///< 40 (SHA-256: 64) hexadecimal digits; built in a separate working tree
    QString blob;         ///< git's blob id of the recipe
    QString identity;     ///< identifies what the recipe builds, with what it imports; empty: `blob` does
    QString meaning;      ///< Meaning::exact of the recipe in hexadecimal digits; empty: unknown
    bool imports = false; ///< the recipe imports files of its repository
    QString recipe;       ///< ".flox/pkgs/x.nix"
    QString package;      ///< the engine's name for it: the name of the file, which may be in an old form
    QString variant;      ///< the canonical name
    BuildEngine engine = BuildEngine::Flox;
    QString stability;                  ///< flox's --stability; empty: flox's default
    int cores = 0;                      ///< for each derivation (NIX_CONFIG="cores = N"); 0: the machine's default
    qint64 memory = 0;                  ///< bytes that it may take on this machine; 0: unknown
    bool here = false;                  ///< builds in `repository` itself, with uncommitted changes
    Place place;                        ///< this machine, another one, or a cluster
    QMap<QString, int> builders;        ///< Nix's remote builders that take it: builds at a time, by store
    QStringList sbatch;                 ///< with Slurm: sbatch's options for it, from slurmOptions()
    QMap<QString, QString> environment; ///< recordedEnvironment() when it was queued
    QStringList after;                  ///< key() of the builds that it needs: it starts when they are built
    QDateTime created;
    bool operator==(const Job &) const = default;

    /// Equal for jobs of the same recipe with the same imports.
    [[nodiscard]] const QString &recipeId() const { return identity.isEmpty() ? blob : identity; }
    /// Whether it builds a recipe that has one of these as its recipeId() or `meaning`.
    [[nodiscard]] bool buildsOneOf(const QStringList &identities) const;
    /// Jobs with equal products build a package of a branch, of whatever recipe: repository, branch, package.
    [[nodiscard]] QString product() const;
    /// Jobs with equal keys build the same: product(), recipeId().
    [[nodiscard]] QString key() const;
};
/// The Job::product() in a Job::key().
QString productOf(const QString &key);

/// Names of the variables that a build takes from the environment in which its job was queued, whichever process runs
/// it: PATH, Nix's configuration, proxies and certificates, and the variables for ssh's agent and password prompt.
QStringList recordedVariables();
/// The value of a recorded variable without what is secret in it: the access-tokens of NIX_CONFIG, and the user and
/// password in addresses ("https://ada:secret@proxy" becomes "https://proxy").
QString withoutCredentials(const QString &name, const QString &value);
/// Their values in this process, without credentials: no file of ours keeps one.
QMap<QString, QString> recordedEnvironment();
/// A new job for the same build, created now by this process.
Job againOf(Job job);

/// How a job ended.
struct JobOutcome {
    BuildOutcome build;     ///< `resultLinks`: absolute paths in the state folder
    int signal = 0;         ///< the signal that ended the engine; 0: none
    QStringList storePaths; ///< targets of the result links, in the same order
    QDateTime started;
    QDateTime ended;
    qint64 peakMemory = 0; ///< bytes of all processes of the job together; 0: unknown
    bool operator==(const JobOutcome &) const = default;
};

/// Both are UTF-8 JSON. Input is limited (1 MiB, 64 entries per list, 64 KiB per text) and validated: a package that
/// flox can build, hexadecimal ids, absolute paths. Errors: not such a JSON; a missing or invalid field.
QByteArray toJson(const Job &job);
/// The fields that identify a build, as in job.json and in the verbs' output: id, repository, branch, commit, blob,
/// identity, recipe, package, variant, engine, cores, here, place.
QJsonObject identityOf(const Job &job);
Result<Job> jobFromJson(const QByteArray &json);
QByteArray toJson(const JobOutcome &outcome);
Result<JobOutcome> outcomeFromJson(const QByteArray &json);

/// The process that runs a job.
struct JobRunner {
    qint64 pid = 0;
    QByteArray process; ///< its processMark()
    QString boot;       ///< the kernel's id of the machine's current boot
    QString machine;    ///< machine id; empty if there is none
    QDateTime started;
};

/// Progress of a build. Its runner writes it at most every other second while it changes.
struct JobProgress {
    int step = 0;                 ///< finished steps of ninja
    int total = 0;                ///< 0: unknown
    QString phase;                ///< "buildPhase"; may be empty
    QMap<int, qint64> twentieths; ///< seconds from the start to each twentieth of the main derivation's steps
    QDateTime killsAt = {};       ///< after a request to stop: when remaining processes get SIGKILL, in UTC; else
                                  ///< invalid
    bool operator==(const JobProgress &) const = default;
};

enum class JobPhase {
    Waiting,  ///< no runner has started it
    Running,  ///< its runner is alive
    Stopping, ///< its runner is alive, and the job was asked to stop
    Ended,    ///< the job has an outcome
    Lost,     ///< its runner is gone and left no outcome
};

constexpr int killLevel = 3; ///< this many requests to stop kill a job at once

/// The folder of one job, `$STATE/jobs/<id>`. All functions access the disk: for workers.
///
/// Files, each written once and atomically unless noted: `job.json` (Job; readable only by its owner); `runner`
/// (JobRunner; created by the one process that runs the job, which keeps it locked as long as it lives); `log` (the
/// build's own standard output and error, unchanged) or, once compressed, `log.gz`; `progress.json` (JobProgress;
/// replaced while the job runs); `times` (LogTimes; grows while the job runs); `stop` (exists: the job is asked to
/// stop); `outcome.json` (JobOutcome). Files are read without following links.
///
/// A job for another machine has an empty file `there` once that machine has it: if its runner is gone, another runner
/// replaces it and continues. A job for Slurm has no runner on this machine: `slurm.json` (SlurmTask) identifies it in
/// Slurm, and `remote` is the folder of resources/build/remote.sh, which the node writes.
class JobFolder
{
public:
    explicit JobFolder(const QString &path);

    /// Creates a folder below `state`/jobs with the job in it; sets the job's id if it is empty. The folder appears
    /// atomically. Errors: the state folder cannot be written, the disk is full.
    static Result<JobFolder> create(const QString &state, Job job);
    /// The folder of an id below `state`. For an invalid id, a folder that does not exist.
    static JobFolder of(const QString &state, const QString &id);
    /// All job folders below `state`, the oldest first.
    static QList<JobFolder> all(const QString &state);

    [[nodiscard]] QString path() const { return m_path; }
    [[nodiscard]] QString id() const;
    [[nodiscard]] QString logFile() const { return m_path + QStringLiteral("/log"); }
    [[nodiscard]] QString file(const QString &name) const { return m_path + QLatin1Char('/') + name; }
    [[nodiscard]] QString state() const; ///< the state folder that contains it
    /// Path of the job's separate working tree, which exists while the job runs.
    [[nodiscard]] QString workTree() const;

    [[nodiscard]] Result<Job> job() const;
    [[nodiscard]] std::optional<JobRunner> runner() const;     ///< nullopt: no runner has started it
    [[nodiscard]] std::optional<JobOutcome> outcome() const;   ///< nullopt: it has not ended
    [[nodiscard]] std::optional<JobProgress> progress() const; ///< nullopt: unknown
    /// Not synced to disk: it is only needed while the job runs.
    void writeProgress(const JobProgress &progress) const;
    [[nodiscard]] bool runnerLives() const;
    [[nodiscard]] JobPhase phase() const;

    /// Requests the job's end and wakes its runner; the third request (killLevel) sends SIGKILL. A waiting job ends
    /// when its turn comes. Errors: the folder cannot be written.
    [[nodiscard]] Result<void> requestStop() const;
    [[nodiscard]] int stopLevel() const; ///< number of requests to stop

    /// When a Slurm node started it; invalid: not started.
    [[nodiscard]] QDateTime startedRemotely() const;

    /// Returns true if this call wrote the outcome, false if one existed already, which is kept. Errors: the disk is
    /// full.
    [[nodiscard]] Result<bool> writeOutcome(const JobOutcome &outcome) const;

private:
    [[nodiscard]] bool has(const QString &name) const;

    QString m_path;
};

/// The kernel's id of the machine's current boot; empty if /proc has none.
QString bootId();
/// systemd's machine id; empty if there is none.
QString machineId();

} // namespace tmx
