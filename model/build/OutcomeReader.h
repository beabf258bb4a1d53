// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/BuildOutcome.h"

#include <QHash>

#include <optional>

namespace tmx {

struct ProcessOutcome;

/// Whether the expected result link exists. An exit code of 0 counts as success only with a link.
enum class ResultLink { NotChecked, Found, Absent };

/// Determines from a build's lines why it ended. The exit code has priority; words explain it. Icons are never matched,
/// because flox has changed them. flox's own words count only on lines that no builder printed. Lines of a builder
/// begin with its derivation ("torch> ") or, if nix-build prints them without a prefix, follow Nix's "building '...'".
class OutcomeReader
{
public:
    explicit OutcomeReader(const QString &package);

    /// Reads one line without escape sequences and newline. `offset`: start of the line in the log, in bytes; -1:
    /// unknown.
    void read(const QString &line, qint64 offset = -1);
    /// `where`: how far the build came, "in buildPhase, at step 7 of 12"; may be empty. The caller sets the
    /// milliseconds.
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
    /// Whether the last line of the builder is all that is known about its failure.
    [[nodiscard]] bool saysLastLine() const { return m_causes.isEmpty() && m_lastLine && !m_lastLine->line.isEmpty(); }
    [[nodiscard]] QString cause() const;
    [[nodiscard]] BuildOutcome::Kind failureKind() const;
    [[nodiscard]] QString failureSentence(BuildOutcome::Kind kind, const ProcessOutcome &process,
                                          const QString &where) const;
    [[nodiscard]] QString refusalSentence() const;

    QString m_package;
    std::optional<BuildOutcome::Kind> m_refusal; ///< why flox refused to start
    bool m_outOfMemory = false;
    bool m_outOfDisk = false;
    bool m_network = false;
    bool m_evaluation = false;
    bool m_noBuilder = false; ///< Nix found no machine for the build
    bool m_builderLost = false;
    bool m_restricted = false;         ///< Nix's daemon does not let this user set builders
    QString m_remoteBuilder;           ///< store of the remote builder that was unreachable, was lost, or refused the
                                       ///< build
    QString m_remoteBuilderTrouble;    ///< message of Nix or ssh about it
    QString m_connectionTrouble;       ///< ssh's last message
    QString m_disconnected;            ///< Nix's message when a connection ended
    QHash<QString, QString> m_builtOn; ///< stores of remote builders, by derivation
    std::optional<QString> m_unfit;    ///< why the chosen remote builder does not take the build
    bool m_builderFailed = false;      ///< Nix reports that a derivation's builder failed
    bool m_interrupted = false;
    bool m_somethingBuilt = false; ///< Nix had to build or fetch
    bool m_prefixesSeen = false;   ///< builders' lines begin with their derivation's name
    bool m_buildingSeen = false;   ///< saw "building '/nix/store/...'"
    bool m_linksFollow = false;
    bool m_failedSeen = false; ///< saw ninja's "FAILED:": the following lines are about the failure
    int m_context = 0;         ///< how many following lines still belong to the last error
    QStringList m_links;
    QList<Cause> m_causes;           ///< from the builder: compiler, linker, CMake, Python
    QList<Cause> m_closings;         ///< from Nix, make and flox
    QHash<QString, Cause> m_printed; ///< last line of each derivation; "" if lines have no name
    std::optional<Cause> m_lastLine; ///< last line of the builder that failed first, if known
    enum class Quote { None, Open, Over };
    Quote m_quote = Quote::None; ///< state of reading Nix's copy of that builder's last lines
    int m_recipeLine = 0;
    bool m_mismatch = false;
    QString m_statedHash;
    QString m_rightHash;
};

/// Determines from a log why its build ended. Of a long log it reads the beginning, the end, and the part after the
/// first "FAILED:", so that memory stays below about 30 MB for any size. A log that cannot be read counts as empty. For
/// workers.
[[nodiscard]] BuildOutcome outcomeOfLog(const QString &logPath, const QString &package, const ProcessOutcome &process,
                                        ResultLink link = ResultLink::NotChecked);
/// A wrong hash can be corrected only if the recipe states it. If it does not, the outcome says so and has no hashes to
/// replace. Other outcomes are unchanged. `recipe`: the text that was built. Pure.
[[nodiscard]] BuildOutcome judgedByRecipe(BuildOutcome outcome, const QByteArray &recipe);
/// The outcome of a build whose runner is gone and left no outcome.
[[nodiscard]] BuildOutcome lostOutcome(const QString &logPath, const QString &package);

/// Whether a line, with or without its derivation in front, is an error or a consequence of one, which readers of a log
/// look for.
[[nodiscard]] bool saysError(QStringView line);
/// Messages of git, the compiler, Nix, SQLite and the kernel for a full disk or quota.
[[nodiscard]] bool saysOutOfDisk(QStringView text);

} // namespace tmx
