// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/log/NinjaProgress.h"

#include <QDateTime>
#include <QHash>
#include <QList>

#include <optional>

namespace tmx {

/// A derivation or path that a build needs.
struct DerivationNode {
    enum class State { Waiting, Building, Done, Failed, Fetching, Stopped };
    QString name; ///< without /nix/store, hash and .drv
    State state = State::Waiting;
    bool fetched = false; ///< fetched from a cache, not built
    QString phase;        ///< "buildPhase", while it is being built
    int step = 0;         ///< ninja's largest count
    int total = 0;        ///< 0: none seen
    QDateTime since;      ///< its start; only if the time of its lines is known
    QDateTime until;      ///< its end
    bool operator==(const DerivationNode &) const = default;
};

/// A phase of a builder in the log: from the line that begins it to the last line before the next phase of any builder.
struct LogPhase {
    qsizetype line = 0;  ///< number of the line that begins it
    qsizetype end = 0;   ///< number of the line after its last one
    qsizetype node = -1; ///< in DerivationTree::nodes(); -1: the lines do not name their derivation
    QDateTime since;     ///< only if the time of its lines is known
    QDateTime until;
    bool ended = false; ///< no more lines follow
    bool failed = false;
    bool operator==(const LogPhase &) const = default;
};

/// The derivations that a build builds and fetches, parsed from Nix's lines in order. Nix does not print that a
/// derivation is done: it is taken as done when the derivation that needs all others starts, or when the whole build
/// has succeeded.
class DerivationTree
{
public:
    static constexpr qsizetype mostNodes = 20'000;
    static constexpr qsizetype mostPhases = 5'000;

    /// Reads one line without escape sequences and newline. `when`: the time of the line, if known. `number`: its
    /// number in the log, `next`: that of the line after it. Returns true if something below changed.
    bool read(QStringView line, const QDateTime &when = {}, qsizetype number = 0, qsizetype next = 1);
    /// The build ended. Derivations that are being built get this state; with Done, all of them.
    void end(DerivationNode::State state, const QDateTime &when = {});

    /// What is fetched comes first, the main derivation last.
    [[nodiscard]] const QList<DerivationNode> &nodes() const { return m_nodes; }
    [[nodiscard]] const QList<LogPhase> &phases() const { return m_phases; } ///< in the order of their lines
    [[nodiscard]] int count(DerivationNode::State state) const;
    /// Name of the derivation that needs all others; empty as long as no list of derivations was read.
    [[nodiscard]] const QString &main() const { return m_main; }

private:
    enum class List { None, Built, Fetched };

    bool readList(QStringView line);
    bool readBuilder(QStringView line, QStringView derivation, const QDateTime &when, qsizetype number, qsizetype next);
    void beginPhase(qsizetype node, const QDateTime &when, qsizetype number);
    void closePhase(qsizetype node, const QDateTime &when, bool failed);
    void extendPhase(QStringView line, bool named, qsizetype next);
    DerivationNode *nodeNamed(QStringView name);
    DerivationNode *nodeOfPrefix(QStringView prefix);
    void expectLines(const DerivationNode &node);
    void begin(DerivationNode &node, const QDateTime &when);
    void close(DerivationNode &node, DerivationNode::State state, const QDateTime &when);

    QList<DerivationNode> m_nodes;
    QHash<QString, qsizetype> m_places;   ///< by name
    QHash<QString, qsizetype> m_prefixes; ///< by the prefix of builders' lines
    QList<LogPhase> m_phases;
    QHash<qsizetype, qsizetype> m_running; ///< the phase that each node is in
    List m_list = List::None;
    QString m_main; ///< the last one in the list of derivations to build
};

/// Minutes without output of a running build, if they are 10 or more.
[[nodiscard]] std::optional<int> silentMinutes(const QDateTime &lastWritten, const QDateTime &now);

} // namespace tmx
