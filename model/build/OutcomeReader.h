// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/BuildOutcome.h"

#include <QCoreApplication>

#include <optional>

namespace tmx {

struct ProcessOutcome;

/// Reads from a build's lines why it ended as it did. The exit code is trusted
/// first, words explain it; icons are never matched, since flox has changed them. flox's own words count only on lines
/// that no builder printed.
class OutcomeReader
{
    Q_DECLARE_TR_FUNCTIONS(OutcomeReader)
public:
    explicit OutcomeReader(const QString &package);

    /// One line without escape sequences and newline.
    void read(const QString &line);
    /// `where`: how far it came, "in buildPhase, at step 7 of 12"; may be empty. Milliseconds are the caller's to fill
    /// in.
    [[nodiscard]] BuildOutcome outcome(const ProcessOutcome &process, const QString &where) const;

private:
    void readFlox(const QString &line);
    bool readLinks(const QString &line);
    void readCause(const QString &line);
    void readClosing(const QString &line);
    [[nodiscard]] QString failure(const ProcessOutcome &process, const QString &where) const;
    [[nodiscard]] QString refusalSentence() const;

    QString m_package;
    std::optional<BuildOutcome::Kind> m_refusal; ///< what flox would not even begin with
    bool m_outOfMemory = false;
    bool m_interrupted = false;
    bool m_somethingBuilt = false; ///< Nix had to build or fetch
    bool m_linksFollow = false;
    bool m_failedSeen = false; ///< ninja's "FAILED:": what comes from here on is about the failure
    int m_context = 0;         ///< lines that still belong to the error above them
    QStringList m_links;
    QStringList m_causes;   ///< of the builder: compiler, linker, CMake, Python
    QStringList m_closings; ///< of Nix, make and flox
};

/// Whether a line, with its derivation in front or not, is one that readers of the log look for: an error, or what
/// follows from one.
[[nodiscard]] bool saysError(QStringView line);

} // namespace tmx
