// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/log/DerivationTree.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using State = DerivationNode::State;

constexpr int silentFrom = 10; // minutes; the longest compilations of PyTorch print nothing for that long

/// "/nix/store/<32>-torch-2.8.0.drv" as "torch-2.8.0".
QString nameOf(QStringView path)
{
    const QStringView file = path.sliced(path.lastIndexOf(u'/') + 1);
    const qsizetype dash = file.indexOf(u'-');
    QStringView name = dash == 32 ? file.sliced(33) : file;
    if (name.endsWith(u".drv"))
        name.chop(4);
    return name.first(std::min<qsizetype>(name.size(), 300)).toString();
}

/// The quoted store path after a word: "building '/nix/store/...'".
QStringView quoted(QStringView line, QStringView word)
{
    if (!line.startsWith(word))
        return {};
    const QStringView rest = line.sliced(word.size());
    const qsizetype end = rest.indexOf(u'\'');
    return end > 0 ? rest.first(end) : QStringView();
}

} // namespace

DerivationNode *DerivationTree::nodeNamed(QStringView name)
{
    const QString key = name.toString();
    const auto found = m_places.constFind(key);
    if (found != m_places.constEnd())
        return &m_nodes[*found];
    if (m_nodes.size() >= mostNodes)
        return nullptr;
    DerivationNode node;
    node.name = key;
    m_places.insert(key, m_nodes.size());
    m_nodes.append(node);
    return &m_nodes.last();
}

/// A builder's lines have its name without the version.
DerivationNode *DerivationTree::nodeOfPrefix(QStringView prefix)
{
    const auto found = m_prefixes.constFind(prefix.toString());
    return found != m_prefixes.constEnd() ? &m_nodes[*found] : nodeNamed(prefix);
}

/// Its builder's lines may begin with any prefix of the name.
void DerivationTree::expectLines(const DerivationNode &node)
{
    const qsizetype place = &node - m_nodes.constData();
    m_prefixes.insert(node.name, place);
    for (qsizetype dash = node.name.indexOf(u'-'); dash > 0; dash = node.name.indexOf(u'-', dash + 1))
        m_prefixes.insert(node.name.first(dash), place);
}

void DerivationTree::begin(DerivationNode &node, const QDateTime &when)
{
    if (node.state == State::Building)
        return;
    node.state = State::Building;
    node.since = when;
    if (node.name != m_main)
        return;
    for (DerivationNode &other : m_nodes) {
        if (&other != &node && other.state != State::Failed)
            close(other, State::Done, when);
    }
}

void DerivationTree::close(DerivationNode &node, State state, const QDateTime &when)
{
    if (node.state == State::Done || node.state == State::Failed)
        return;
    if (node.state != State::Waiting)
        node.until = when;
    node.state = state;
    closePhase(&node - m_nodes.constData(), when, state == State::Failed);
}

void DerivationTree::beginPhase(qsizetype node, const QDateTime &when, qsizetype number)
{
    closePhase(node, when, false);
    if (!m_phases.isEmpty())
        m_phases.last().ended = true;
    if (m_phases.size() >= mostPhases)
        return;
    m_running.insert(node, m_phases.size());
    m_phases.append({.line = number, .end = number + 1, .node = node, .since = when});
}

void DerivationTree::closePhase(qsizetype node, const QDateTime &when, bool failed)
{
    if (const auto running = m_running.constFind(node); running != m_running.constEnd()) {
        m_phases[*running].until = when;
        m_phases[*running].failed = failed;
        m_running.erase(running);
    }
}

/// What Nix prints itself after the last line of a builder is not part of its phase.
void DerivationTree::extendPhase(QStringView line, bool named, qsizetype next)
{
    if (m_phases.isEmpty() || m_phases.constLast().ended || named != (m_phases.constLast().node >= 0))
        return;
    if (!named && (line.startsWith(u"error:") || line.startsWith(u"/nix/store/") || line.startsWith(u"building '")))
        m_phases.last().ended = true;
    else
        m_phases.last().end = next;
}

/// Reads "this derivation will be built:" and the paths that follow, indented by two blanks.
bool DerivationTree::readList(QStringView line)
{
    if (line.startsWith(u"this ") || line.startsWith(u"these ")) {
        if (line.contains(u" will be built:")) {
            m_list = List::Built;
            return false;
        }
        if (line.contains(u" will be fetched")) {
            m_list = List::Fetched;
            return false;
        }
    }
    if (m_list == List::None || !line.startsWith(u"  /")) {
        m_list = List::None;
        return false;
    }
    const QString name = nameOf(line.trimmed());
    DerivationNode *node = nodeNamed(name);
    if (node && m_list == List::Fetched)
        node->fetched = true;
    else if (node) {
        m_main = name;
        expectLines(*node);
    }
    return node != nullptr;
}

bool DerivationTree::readBuilder(QStringView line, QStringView derivation, const QDateTime &when, qsizetype number,
                                 qsizetype next)
{
    NinjaProgress progress;
    progress.read(line);
    if (progress.phase().isEmpty())
        extendPhase(line, true, next);
    DerivationNode *node = nodeOfPrefix(derivation);
    if (!node || node->state == State::Failed)
        return false;
    const DerivationNode before = *node;
    begin(*node, when);
    if (progress.total() >= node->total && progress.total() > 0) {
        node->total = progress.total();
        node->step = progress.step();
    }
    if (!progress.phase().isEmpty()) {
        node->phase = progress.phase();
        beginPhase(node - m_nodes.constData(), when, number);
    }
    return !(before == *node);
}

bool DerivationTree::read(QStringView line, const QDateTime &when, qsizetype number, qsizetype next)
{
    if (const QStringView derivation = derivationPrefix(line); !derivation.isEmpty())
        return readBuilder(line, derivation, when, number, next);
    if (line.startsWith(u"Running phase: ")) { // nix-build does not name the derivation
        beginPhase(-1, when, number);
        return true;
    }
    extendPhase(line, false, next);
    if (readList(line))
        return true;
    if (const QStringView path = quoted(line, u"building '"); !path.isEmpty()) {
        DerivationNode *node = nodeNamed(nameOf(path));
        if (node) {
            begin(*node, when);
            expectLines(*node);
        }
        return node != nullptr;
    }
    if (const QStringView path = quoted(line, u"copying path '"); !path.isEmpty()) {
        DerivationNode *node = nodeNamed(nameOf(path));
        if (node && node->state == State::Waiting) {
            node->fetched = true;
            node->state = State::Fetching;
            node->since = when;
        }
        return node != nullptr;
    }
    const QStringView error = line.trimmed();
    QStringView failed = quoted(error, u"error: Cannot build '");
    if (failed.isEmpty())
        failed = quoted(error, u"error: builder for '");
    if (failed.isEmpty())
        return false;
    // A derivation that was never started fails because of another one.
    DerivationNode *node = nodeNamed(nameOf(failed));
    if (node)
        close(*node, State::Failed, when);
    return node != nullptr;
}

void DerivationTree::end(State state, const QDateTime &when)
{
    for (DerivationNode &node : m_nodes) {
        if (state == State::Done || node.state == State::Building)
            close(node, state, when);
    }
    closePhase(-1, when, state == State::Failed);
    if (!m_phases.isEmpty())
        m_phases.last().ended = true;
}

int DerivationTree::count(State state) const
{
    return int(std::count_if(m_nodes.begin(), m_nodes.end(),
                             [state](const DerivationNode &node) { return node.state == state; }));
}

std::optional<int> silentMinutes(const QDateTime &lastWritten, const QDateTime &now)
{
    const qint64 minutes = lastWritten.isValid() ? lastWritten.secsTo(now) / 60 : 0;
    return minutes >= silentFrom ? std::optional(int(minutes)) : std::nullopt;
}

} // namespace tmx
