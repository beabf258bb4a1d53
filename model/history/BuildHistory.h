// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/outcome/BuildOutcome.h"

#include <QDateTime>
#include <QHash>
#include <QList>
#include <QMap>
#include <QSet>

#include <memory>
#include <optional>

namespace tmx {

/// One attempt to build a recipe.
struct BuildRecord {
    QString job; ///< its id; the same job is recorded only once
    QString variant;
    QString package;
    QString blob; ///< blob of the recipe
    QString branch;
    QString commit;
    QString repository;
    QString machine; ///< machine id; may be empty
    QString engine;  ///< "flox", "nix"
    QDateTime queued;
    QDateTime started; ///< invalid: the build never started
    QDateTime ended;
    qint64 peakMemory = 0; ///< in bytes; 0: unknown
    BuildOutcome::Kind outcome = BuildOutcome::Kind::Failed;
    QString reason;         ///< the outcome in words
    QString log;            ///< path; the file may be gone
    QString result;         ///< store path; empty: none
    qint64 size = 0;        ///< bytes of the result and its closure; 0: unknown
    QString published;      ///< "ORG/NAME"; empty: not published
    QString verified;       ///< "passed", "failed"; empty: not verified
    bool elsewhere = false; ///< made by others and shared (SharedBuildLines.h)
    QString jobThere;       ///< elsewhere: the job's id on its machine; empty: unknown
    QString error;          ///< the first error line of a failure; not in the history, but in what is shared
    [[nodiscard]] std::optional<qint64> seconds() const; ///< from start to end
    bool operator==(const BuildRecord &) const = default;
};

/// A published package.
struct Publication {
    QString repository;
    QString branch;
    QString package;
    QString blob; ///< blob of its recipe
    QString as;   ///< "ORG/NAME"; "NAME" if flox chose the organisation
    QDateTime when;
    bool operator==(const Publication &) const = default;
};

struct BuildFilter {
    QString repository; ///< empty fields match any
    QString branch;
    QString variant;
    QString outcome; ///< wordOf(BuildOutcome::Kind); "failed" matches every kind except built and stopped
    int limit = 0;   ///< only the newest; 0: all
    /// Whether a record matches; ignores the limit.
    [[nodiscard]] bool takes(const BuildRecord &record) const;
};

/// The estimated remaining time of a running build.
struct BuildEstimate {
    qint64 seconds = 0; ///< remaining seconds
    int builds = 0;     ///< number of earlier builds that it is based on
};

/// A successful build, as far as estimates need it.
struct EarlierBuild {
    qint64 seconds = 0;
    QMap<int, qint64> twentieths; ///< as in JobProgress; may be empty
};

/// The number of twentieths of the steps that are done, 0 to 20.
[[nodiscard]] int twentiethOf(int step, int total);

/// Remaining time of a build that started `elapsed` seconds ago and reached these twentieths of its steps. nullopt: no
/// earlier build allows an estimate, or this one takes longer than they did. Pure.
[[nodiscard]] std::optional<BuildEstimate> timeLeft(const QList<EarlierBuild> &earlier,
                                                    const QMap<int, qint64> &twentieths, qint64 elapsed);

/// All builds of this account, in SQLite (write-ahead log). Several programs can use it at a time: a writer waits up to
/// 10 s for the others. An object belongs to one thread. A damaged file is moved aside and replaced by a new one, and
/// notice() says so; recordEndedJobs() restores the records of jobs whose folders still exist.
class BuildHistory
{
public:
    /// Empty `path`: `builds.sqlite` in the state folder. Creates the file, or upgrades one of an older version.
    /// Errors: the folder cannot be written, or a newer program created the file.
    static Result<BuildHistory> open(const QString &path = {});
    BuildHistory(BuildHistory &&) noexcept;
    BuildHistory &operator=(BuildHistory &&) noexcept;
    ~BuildHistory();

    [[nodiscard]] QString notice() const; ///< a sentence if a damaged file was moved aside

    /// Returns true if the job was not recorded yet. The program that first sees a job's outcome records it; later
    /// calls change nothing.
    Result<bool> record(const BuildRecord &record);
    /// The ids of all recorded jobs.
    [[nodiscard]] QSet<QString> jobs() const;
    Result<void> setVerified(const QString &job, bool passed, qint64 size);
    [[nodiscard]] Result<QHash<QString, QString>> verified() const; ///< "passed" or "failed" by job
    /// Records that the recipe with that blob is published as "ORG/NAME"; its builds then say so.
    Result<void> setPublished(const Publication &publication);
    enum class Each { Package, Name };
    /// Publications from a repository's branch, the newest first, each package once or under each name ("ORG/NAME").
    /// Empty: from any.
    [[nodiscard]] Result<QList<Publication>> publications(const QString &repository, const QString &branch = {},
                                                          Each each = Each::Package) const;
    /// Records when a job reached the twentieths of its steps, in seconds after its start. recordEndedJobs() does so
    /// for each job.
    Result<void> addSteps(const QString &job, const QMap<int, qint64> &twentieths);

    [[nodiscard]] Result<QList<BuildRecord>> records(const BuildFilter &filter = {}) const; ///< the newest first
    /// The last 50 successful builds of similar variants (family, toolkit or CPU) on a machine.
    [[nodiscard]] QList<EarlierBuild> earlierBuilds(const QString &variant, const QString &machine) const;

private:
    struct Private;
    explicit BuildHistory(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

/// A key that variants with a similar build time share: "pytorch cuda12_8", "torchvision cpu".
[[nodiscard]] QString likenessOf(const QString &variant);

/// CSV of RFC 4180 with a header line. A text that a spreadsheet would take for a formula is prefixed with an
/// apostrophe.
[[nodiscard]] QByteArray toCsv(const QList<BuildRecord> &records);

} // namespace tmx
