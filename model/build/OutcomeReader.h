// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/BuildOutcome.h"

#include <QHash>

#include <optional>

namespace tmx {

struct ProcessOutcome;

/// What was found where the result link should be. An exit code of 0 is success only with a link.
enum class ResultLink { NotChecked, Found, Absent };

/// Reads from a build's lines why it ended as it did. The exit code is trusted
/// first, words explain it; icons are never matched, since flox has changed them. flox's own words count only on lines
/// that no builder printed. Lines of a builder begin with its derivation ("torch> "), or, where nix-build prints them
/// bare, follow Nix's "building '...'".
class OutcomeReader
{
public:
    explicit OutcomeReader(const QString &package);

    /// One line without escape sequences and newline. `offset`: where it begins in the log, in bytes; -1: not known.
    void read(const QString &line, qint64 offset = -1);
    /// `where`: how far it came, "in buildPhase, at step 7 of 12"; may be empty. Milliseconds are the caller's to fill
    /// in.
    [[nodiscard]] BuildOutcome outcome(const ProcessOutcome &process, const QString &where,
                                       ResultLink link = ResultLink::NotChecked) const;

private:
    struct Cause {
        QString line;
        qint64 offset = -1;
    };

    void readFlox(const QString &line, qint64 offset);
    void readNix(const QString &line);
    void readRemoteBuilder(const QString &line);
    bool readLinks(const QString &line);
    void readCause(const QString &line, qint64 offset);
    void keepLastLine(const QString &derivation, const QString &line, qint64 offset);
    void readLastLine(const QString &line, qint64 offset);
    [[nodiscard]] bool isBuilders(const QString &line) const;
    /// What the builder printed last is all that is known of its failure.
    [[nodiscard]] bool saysLastLine() const { return m_causes.isEmpty() && m_lastLine && !m_lastLine->line.isEmpty(); }
    [[nodiscard]] QString cause() const;
    [[nodiscard]] BuildOutcome::Kind failureKind() const;
    [[nodiscard]] QString failureSentence(BuildOutcome::Kind kind, const ProcessOutcome &process,
                                          const QString &where) const;
    [[nodiscard]] QString refusalSentence() const;

    QString m_package;
    std::optional<BuildOutcome::Kind> m_refusal; ///< what flox would not even begin with
    bool m_outOfMemory = false;
    bool m_outOfDisk = false;
    bool m_network = false;
    bool m_evaluation = false;
    bool m_noBuilder = false; ///< Nix found no machine that takes the build
    bool m_builderLost = false;
    bool m_restricted = false;         ///< Nix's daemon takes no builders of this user
    QString m_remoteBuilder;           ///< that could not be reached, was lost or refused the build: its store
    QString m_remoteBuilderTrouble;    ///< what Nix or ssh says of it
    QString m_connectionTrouble;       ///< what ssh said last
    QString m_disconnected;            ///< what Nix said when a connection ended
    QHash<QString, QString> m_builtOn; ///< stores of remote builders, by derivation
    std::optional<QString> m_unfit;    ///< why the machine that got the build does not take it
    bool m_builderFailed = false;      ///< Nix says that a derivation's builder failed
    bool m_interrupted = false;
    bool m_somethingBuilt = false; ///< Nix had to build or fetch
    bool m_prefixesSeen = false;   ///< lines of builders bear their derivation's name
    bool m_buildingSeen = false;   ///< "building '/nix/store/...'"
    bool m_linksFollow = false;
    bool m_failedSeen = false; ///< ninja's "FAILED:": what comes from here on is about the failure
    int m_context = 0;         ///< lines that still belong to the error above them
    QStringList m_links;
    QList<Cause> m_causes;           ///< of the builder: compiler, linker, CMake, Python
    QList<Cause> m_closings;         ///< of Nix, make and flox
    QHash<QString, Cause> m_printed; ///< what each derivation printed last; "" where lines bear no name
    std::optional<Cause> m_lastLine; ///< what the builder that failed first printed last, as far as that is known
    enum class Quote { None, Open, Over };
    Quote m_quote = Quote::None; ///< of that builder's last lines by Nix
    int m_recipeLine = 0;
    bool m_mismatch = false;
    QString m_statedHash;
    QString m_rightHash;
};

/// Why the build whose log this is ended as it did. Of a long log it reads the beginning, the end, and what follows the
/// first "FAILED:": memory stays under some 30 MB whatever the log's size. A log that cannot be read has no lines.
/// For workers.
[[nodiscard]] BuildOutcome outcomeOfLog(const QString &logPath, const QString &package, const ProcessOutcome &process,
                                        ResultLink link = ResultLink::NotChecked);
/// A wrong hash can be corrected in the recipe only where that states it. Of a recipe that does not, the outcome says
/// so and has no hashes to exchange. Other outcomes stay as they are. `recipe`: the text that was built. Pure.
[[nodiscard]] BuildOutcome judgedByRecipe(BuildOutcome outcome, const QByteArray &recipe);
/// Of a build whose runner is gone and left no outcome.
[[nodiscard]] BuildOutcome lostOutcome(const QString &logPath, const QString &package);

/// Whether a line, with its derivation in front or not, is one that readers of the log look for: an error, or what
/// follows from one.
[[nodiscard]] bool saysError(QStringView line);
/// What git, the compiler, Nix, SQLite and the kernel say when a disk or a quota is full.
[[nodiscard]] bool saysOutOfDisk(QStringView text);

} // namespace tmx
