// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/build/BuildOutcome.h"

#include <QDateTime>
#include <QList>
#include <QMap>

#include <memory>
#include <optional>

namespace tmx {

/// One attempt to build a recipe.
struct BuildRecord {
    QString job; ///< its id: the same job is recorded once
    QString variant;
    QString package;
    QString blob; ///< of the recipe
    QString branch;
    QString commit;
    QString repository;
    QString machine; ///< machine id; may be empty
    QString engine;  ///< "flox", "nix"
    QDateTime queued;
    QDateTime started; ///< invalid: it never began
    QDateTime ended;
    qint64 peakMemory = 0; ///< bytes; 0: not known
    BuildOutcome::Kind outcome = BuildOutcome::Kind::Failed;
    QString reason;                                      ///< the outcome in words
    QString log;                                         ///< path; may be gone
    QString result;                                      ///< store path; empty: none
    qint64 size = 0;                                     ///< of the result with all that it needs, bytes; 0: not known
    QString published;                                   ///< "ORG/NAME"; empty: not published
    QString verified;                                    ///< "passed", "failed"; empty: not verified
    bool elsewhere = false;                              ///< others made it, and shared that (BuildLine.h)
    [[nodiscard]] std::optional<qint64> seconds() const; ///< from start to end
    bool operator==(const BuildRecord &) const = default;
};

/// A package that was published.
struct Publication {
    QString repository;
    QString branch;
    QString package;
    QString blob; ///< of its recipe
    QString as;   ///< "ORG/NAME"; "NAME" where flox chose the organisation
    QDateTime when;
    bool operator==(const Publication &) const = default;
};

struct BuildFilter {
    QString repository; ///< each empty: any
    QString branch;
    QString variant;
    QString outcome; ///< wordOf(BuildOutcome::Kind); "failed": every kind that is neither built nor stopped
    int limit = 0;   ///< the newest; 0: all
    /// Whether a record is one of these; the limit does not count.
    [[nodiscard]] bool takes(const BuildRecord &record) const;
};

/// What a running build of a variant may still take.
struct BuildEstimate {
    qint64 seconds = 0; ///< that remain
    int builds = 0;     ///< how many earlier ones it is taken from
};

/// A build that ended well, as far as it says how long others take.
struct EarlierBuild {
    qint64 seconds = 0;
    QMap<int, qint64> twentieths; ///< as in JobProgress; may be empty
};

/// Which twentieth of the steps is reached, 0 to 20.
[[nodiscard]] int twentiethOf(int step, int total);

/// What a build may still take that is `elapsed` seconds old and reached those twentieths of its steps. nullopt: no
/// build says so, or it takes longer than they did. Pure.
[[nodiscard]] std::optional<BuildEstimate> timeLeft(const QList<EarlierBuild> &earlier,
                                                    const QMap<int, qint64> &twentieths, qint64 elapsed);

/// All builds of this account, in SQLite (write-ahead log), for any number of programs at a time: a writer waits for
/// the others up to 10 s. An object belongs to one thread. A file that is damaged is set aside beside the new one, and
/// notice() says so; the records of jobs whose folders are there come back with catchUp().
class BuildHistory
{
public:
    /// Empty: `builds.sqlite` in the state folder. Makes the file; brings one of an older version up to date.
    /// Errors: the folder cannot be written, a newer program made the file.
    static Result<BuildHistory> open(const QString &path = {});
    BuildHistory(BuildHistory &&) noexcept;
    BuildHistory &operator=(BuildHistory &&) noexcept;
    ~BuildHistory();

    [[nodiscard]] QString notice() const; ///< a sentence when a damaged file was set aside

    /// True: it was new. Whoever sees a job's outcome first records it; the others change nothing.
    Result<bool> record(const BuildRecord &record);
    /// Records all jobs below a state folder that have ended; how many were new.
    Result<int> catchUp(const QString &state);
    Result<void> setVerified(const QString &job, bool passed, qint64 size);
    /// The recipe of that blob is published as "ORG/NAME"; builds of it say so.
    Result<void> setPublished(const Publication &publication);
    /// Of a repository's branch, the newest first; each package once.
    [[nodiscard]] Result<QList<Publication>> publications(const QString &repository, const QString &branch = {}) const;
    /// When a job reached the twentieths of its steps, seconds after its start. catchUp() does so for each.
    Result<void> addSteps(const QString &job, const QMap<int, qint64> &twentieths);

    [[nodiscard]] Result<QList<BuildRecord>> records(const BuildFilter &filter = {}) const; ///< the newest first
    /// The last 50 builds of like variants (family, toolkit or CPU) on a machine that ended well.
    [[nodiscard]] QList<EarlierBuild> earlierBuilds(const QString &variant, const QString &machine) const;

private:
    struct Private;
    explicit BuildHistory(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

/// Variants that take about as long: "pytorch cuda12_8", "torchvision cpu".
[[nodiscard]] QString likenessOf(const QString &variant);

/// RFC 4180, with a line of names. A text that a spreadsheet would take for a formula gets an apostrophe.
[[nodiscard]] QByteArray toCsv(const QList<BuildRecord> &records);

} // namespace tmx
