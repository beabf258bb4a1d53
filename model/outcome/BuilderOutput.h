// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/outcome/FailureLine.h"

#include <QList>

namespace tmx {

/// A line of a log. `offset`: its start in the log, in bytes; -1: unknown.
struct LoggedLine {
    QString line;
    qint64 offset = -1;
};

/// What the output of one builder says about its failure: the first error of the first step that failed. ninja prints
/// "FAILED:" and then what the step printed; earlier lines that looked like errors, such as a compiler probe, did not
/// stop the build. Without ninja it is the first error of the last phase.
class BuilderOutput
{
public:
    /// A line without the derivation's name, escape sequences and newline.
    void read(const QString &line, qint64 offset);

    [[nodiscard]] const QList<LoggedLine> &lines() const { return m_lines; } ///< the errors and their context, <= 12
    [[nodiscard]] const LoggedLine &last() const { return m_last; }
    /// The failure; nullopt: no line says any.
    [[nodiscard]] std::optional<FailureLine> failure() const;
    [[nodiscard]] bool isEmpty() const { return m_last.line.isEmpty(); }

    /// What follows is of a later phase; without a name, of a later derivation.
    void startPhase(const QString &phase);

private:
    void note(const QString &line);
    void take(const FailureLine &found, const QString &line);
    void complete(FailureLine &failure, const QString &line) const;
    bool follow(const QString &line);
    bool readStep(const QString &line);
    [[nodiscard]] FailureLine download(const QString &line) const;
    [[nodiscard]] std::optional<FailureLine> failureOf(const QString &line) const;
    [[nodiscard]] std::optional<FailureLine> withLinesBefore(const QString &line) const;
    [[nodiscard]] bool lacksVersion() const;
    void keep(const LoggedLine &line, bool isError);

    QList<LoggedLine> m_lines;
    LoggedLine m_last;
    std::optional<FailureLine> m_first;       ///< of the first failing step, or of the phase
    std::optional<FailureLine> m_consequence; ///< the first
    std::optional<FailureLine> m_resource;    ///< memory or disk, in a later step
    std::optional<FailureLine> m_earlier;     ///< of an earlier phase
    QString m_firstLine;                      ///< the line of m_first
    int m_since = 0;                          ///< lines since m_first
    int m_context = 0;                        ///< how many following lines still belong to the last error
    int m_following = 0;                      ///< how many following lines may complete m_first
    bool m_failed = false;                    ///< saw "FAILED:"
    bool m_stepEnded = false;                 ///< the first failing step has ended
    bool m_inWarning = false;
    QStringList m_tail;    ///< the last two lines, for a sentence that continues
    int m_tailMayFail = 0; ///< for how many lines such a sentence may continue
    QString m_phase;
    QString m_toolkit;           ///< "13.0", from the path of nvcc
    QStringList m_targets;       ///< "compute_61", of the failing step
    QString m_patch;             ///< being applied
    QString m_patched;           ///< the file that it changes
    bool m_triton = false;       ///< Triton was at work
    bool m_listsTargets = false; ///< torch's cpp_extension asked for architectures
};

} // namespace tmx
