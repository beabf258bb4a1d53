// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/outcome/BuilderOutput.h"

#include <QHash>

#include <optional>

namespace tmx {

struct ProcessOutcome;

/// Whether the expected result link exists. An exit code of 0 counts as success only with a link.
enum class ResultLink { NotChecked, Found, Absent };

/// Determines from a build's lines why it ended. The exit code has priority; words explain it. Icons are never matched,
/// because flox has changed them. flox's own words count only on lines that no builder printed. Lines of a builder
/// begin with its derivation ("torch> "); without such prefixes, every line that is not Nix's or flox's is a builder's.
/// Nix's copy of a builder's last lines counts where the lines themselves are missing.
class OutcomeReader
{
public:
    explicit OutcomeReader(const QString &package);

    /// Reads one line without escape sequences and newline. `offset`: start of the line in the log, in bytes; -1:
    /// unknown.
    void read(const QString &line, qint64 offset = -1);
    /// `at`: how far the build came. The caller sets the milliseconds.
    [[nodiscard]] BuildOutcome outcome(const ProcessOutcome &process, const BuildStep &at,
                                       ResultLink link = ResultLink::NotChecked) const;

private:
    /// A derivation whose builder failed.
    struct Failed {
        QString name;
        int exitCode = 0;
        int signal = 0;
        BuilderOutput output; ///< until then
    };

    BuilderOutput &outputOf(const QString &derivation);
    [[nodiscard]] BuilderOutput outputFor(const QString &failed) const;
    bool readQuote(const QString &line, qint64 offset);
    bool readEnvironment(const QString &line);
    void readRefusal(const QString &line);
    void readFlox(const QString &line, qint64 offset);
    void readNix(const QString &line);
    void readHash(const QString &line);
    void readEvaluation(const QString &line);
    void readFailed(const QString &line);
    void readRemoteBuilder(const QString &line);
    bool readLinks(const QString &line);
    void takeNix(FailureLine failure);
    [[nodiscard]] bool isBuilders(const QString &line) const;
    [[nodiscard]] std::optional<FailureLine> machineFailure() const;
    [[nodiscard]] std::optional<FailureLine> builderFailure() const;
    [[nodiscard]] FailureLine failure() const;
    [[nodiscard]] FailureLine failure(const ProcessOutcome &process) const;
    [[nodiscard]] BuilderOutput failingOutput() const;
    [[nodiscard]] QString reason() const;

    QString m_package;
    std::optional<BuildOutcome::Kind> m_refusal; ///< why flox refused to start
    QStringList m_untracked;                     ///< files of the environment that flox does not publish
    bool m_listsUntracked = false;
    bool m_noBuilder = false; ///< Nix found no machine for the build
    bool m_builderLost = false;
    bool m_restricted = false;         ///< Nix's daemon does not let this user set builders
    QString m_remoteBuilder;           ///< store of the remote builder that was unreachable, was lost, or refused the
                                       ///< build
    QString m_remoteBuilderTrouble;    ///< message of Nix or ssh about it
    QString m_connectionTrouble;       ///< ssh's last message
    QString m_disconnected;            ///< Nix's message when a connection ended
    QHash<QString, QString> m_builtOn; ///< stores of remote builders, by derivation
    QStringList m_unfit;               ///< why the chosen remote builder does not take the build
    bool m_interrupted = false;
    bool m_somethingBuilt = false; ///< Nix had to build or fetch
    bool m_prefixesSeen = false;   ///< builders' lines begin with their derivation's name
    bool m_buildingSeen = false;   ///< saw "building '/nix/store/...'"
    bool m_linksFollow = false;
    bool m_inNix = false;         ///< in a message of Nix of several lines
    bool m_builderFailed = false; ///< Nix reports that a derivation's builder failed
    bool m_evaluating = false;    ///< a message of the evaluation was seen
    QStringList m_links;
    QHash<QString, BuilderOutput> m_outputs; ///< by derivation; "" if lines have no name
    QStringList m_derivations;               ///< their keys, in the order of the log
    QList<LoggedLine> m_closings;            ///< from Nix, make and flox
    std::optional<FailureLine> m_nix;        ///< the first failure that Nix itself reports
    bool m_nixFirst = false;                 ///< before any builder failed
    std::optional<Failed> m_failed;          ///< the first
    QString m_mentioned;                     ///< the last derivation that "cannot be built"
    enum class Quote { None, Open, Over };
    Quote m_quote = Quote::None; ///< state of reading Nix's copy of that builder's last lines
    BuilderOutput m_quoted;
    bool m_lackOfDisk = false; ///< Nix guesses so
    int m_recipeLine = 0;
    bool m_mismatch = false;
    QString m_mismatchOf;
    QString m_statedHash;
    QString m_rightHash;
    std::optional<FailureLine> m_refused; ///< nixpkgs refuses to evaluate a package
    bool m_listsReasons = false;
    QStringList m_tail; ///< Nix's last two lines
};

/// Determines from a log why its build ended. Of a long log it reads the beginning, the end, and the part after the
/// first "FAILED:", so that memory stays below about 30 MB for any size. A log that cannot be read counts as empty. For
/// workers.
[[nodiscard]] BuildOutcome outcomeOfLog(const QString &logPath, const QString &package, const ProcessOutcome &process,
                                        ResultLink link = ResultLink::NotChecked);
/// A wrong hash can be corrected only if the recipe states it. If it does not, the outcome says so and has no hashes to
/// replace. Other outcomes are unchanged. `recipe`: the text that was built. Pure.
[[nodiscard]] BuildOutcome judgedByRecipe(BuildOutcome outcome, const QByteArray &recipe);
/// An illegal instruction: `about` gets the flags of /proc/cpuinfo that the variant's instruction set has and the
/// builder's CPU lacks. Other outcomes are unchanged.
[[nodiscard]] BuildOutcome judgedByCpu(BuildOutcome outcome, const QByteArray &cpuInfo);
/// The outcome of a build whose runner is gone and left no outcome.
[[nodiscard]] BuildOutcome lostOutcome(const QString &logPath, const QString &package);

/// Whether a line, with or without its derivation in front, is an error or a consequence of one, which readers of a log
/// look for.
[[nodiscard]] bool saysError(QStringView line);

} // namespace tmx
