// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/NinjaProgress.h"

#include <QDateTime>
#include <QHash>
#include <QList>

#include <optional>

namespace tmx {

/// A derivation or a path that a build needs.
struct DerivationNode {
    enum class State { Waiting, Building, Done, Failed, Fetching };
    QString name; ///< without /nix/store, hash and .drv
    State state = State::Waiting;
    bool fetched = false; ///< from a cache, not built
    QString phase;        ///< "buildPhase", while it is built
    int step = 0;         ///< ninja's largest count
    int total = 0;        ///< 0: none seen
    QDateTime since;      ///< when it began; only where the time of its lines is known
    QDateTime until;      ///< when it was done
    bool operator==(const DerivationNode &) const = default;
};

/// What a build makes and fetches, read from Nix's lines in their order. Nix does not print that a derivation is done:
/// one is when the derivation that needs all the others begins, or the whole build has ended well.
class DerivationTree
{
public:
    static constexpr qsizetype mostNodes = 20'000;

    /// One line without escape sequences and newline. `when`: the time of the line, where that is known.
    /// True when something below changed.
    bool read(QStringView line, const QDateTime &when = {});
    void end(bool success, const QDateTime &when = {});

    /// The main derivation last; what is fetched comes first.
    [[nodiscard]] const QList<DerivationNode> &nodes() const { return m_nodes; }
    [[nodiscard]] int count(DerivationNode::State state) const;

private:
    enum class List { None, Built, Fetched };

    bool readList(QStringView line);
    bool readBuilder(QStringView line, QStringView derivation, const QDateTime &when);
    DerivationNode *nodeNamed(QStringView name);
    DerivationNode *nodeOfPrefix(QStringView prefix);
    void expectLines(const DerivationNode &node);
    void begin(DerivationNode &node, const QDateTime &when);
    void close(DerivationNode &node, DerivationNode::State state, const QDateTime &when);

    QList<DerivationNode> m_nodes;
    QHash<QString, qsizetype> m_places;   ///< by name
    QHash<QString, qsizetype> m_prefixes; ///< of builders' lines
    List m_list = List::None;
    QString m_main; ///< the last derivation of the list of what will be built
};

/// How many minutes a running build has printed nothing, when that is 10 or more.
[[nodiscard]] std::optional<int> silentMinutes(const QDateTime &lastWritten, const QDateTime &now);

} // namespace tmx
