// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/console/DerivationList.h"

#include "model/base/TextForm.h"
#include "model/log/LogTree.h"
#include "views/console/ConsoleHeader.h"
#include "views/widgets/Tips.h"

#include <QHeaderView>

#include <algorithm>
#include <chrono>

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using State = DerivationNode::State;

constexpr qsizetype mostShown = 500;
constexpr int roomBesideLog = 900;

int placeOf(const DerivationNode &node)
{
    switch (node.state) {
    case State::Building: return 0;
    case State::Failed:
    case State::Stopped: return 1;
    case State::Waiting: return node.fetched ? 4 : 2;
    case State::Fetching: return 3;
    case State::Done: return node.fetched ? 6 : 5;
    }
    Q_UNREACHABLE_RETURN(0);
}

QString stateText(const DerivationNode &node)
{
    switch (node.state) {
    case State::Waiting: return node.fetched ? DerivationModel::tr("to fetch") : DerivationModel::tr("waiting");
    case State::Building: {
        QString text = node.phase.isEmpty() ? DerivationModel::tr("building") : node.phase;
        if (node.total > 0)
            text += u" %1/%2"_s.arg(node.step).arg(node.total);
        return text;
    }
    case State::Done: return node.fetched ? DerivationModel::tr("fetched") : DerivationModel::tr("done");
    case State::Failed: return DerivationModel::tr("failed");
    case State::Stopped: return DerivationModel::tr("stopped");
    case State::Fetching: return DerivationModel::tr("fetching");
    }
    Q_UNREACHABLE_RETURN({});
}

QString timeText(const DerivationNode &node)
{
    if (!node.since.isValid() || (node.state != State::Building && !node.until.isValid()))
        return {};
    return durationText(node.since.msecsTo(node.until.isValid() ? node.until : QDateTime::currentDateTime()));
}

} // namespace

void DerivationModel::setTree(const DerivationTree &tree)
{
    QList<DerivationNode> nodes = tree.nodes();
    std::stable_sort(nodes.begin(), nodes.end(),
                     [](const DerivationNode &a, const DerivationNode &b) { return placeOf(a) < placeOf(b); });
    if (nodes.size() > mostShown)
        nodes.resize(mostShown);
    const bool sameRows = std::equal(nodes.begin(), nodes.end(), m_nodes.begin(), m_nodes.end(),
                                     [](const DerivationNode &a, const DerivationNode &b) { return a.name == b.name; });
    if (!sameRows)
        beginResetModel();
    m_nodes = nodes;
    if (!sameRows)
        endResetModel();
    else if (!m_nodes.isEmpty())
        Q_EMIT dataChanged(index(0, int(Column::State)), index(int(m_nodes.size()) - 1, int(Column::Time)));
}

int DerivationModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_nodes.size());
}

int DerivationModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : columns;
}

QVariant DerivationModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const DerivationNode &node = m_nodes.at(index.row());
    switch (Column(index.column())) {
    case Column::Name: return node.name;
    case Column::State: return stateText(node);
    case Column::Time: return timeText(node);
    }
    return {};
}

QVariant DerivationModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (Column(section)) {
    case Column::Name: return tr("Derivation");
    case Column::State: return tr("State");
    case Column::Time: return tr("Time");
    }
    return {};
}

DerivationList::DerivationList(const LogTree *tree, QWidget *parent)
    : QTableView(parent)
    , m_tree(tree)
{
    setModel(&m_model);
    showPlainToolTips(this);
    setAccessibleName(tr("Derivations of the build"));
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setSelectionBehavior(SelectRows);
    setFrameShape(NoFrame);
    setTextElideMode(Qt::ElideMiddle); // the beginning and end of a package's name identify it
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setHighlightSections(false);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    horizontalHeader()->setSectionResizeMode(int(DerivationModel::Column::Name), QHeaderView::Stretch);
    horizontalHeader()->setSectionResizeMode(int(DerivationModel::Column::State), QHeaderView::Fixed);
    horizontalHeader()->setSectionResizeMode(int(DerivationModel::Column::Time), QHeaderView::ResizeToContents);
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(250ms); // faster updates cannot be read
    connect(&m_refresh, &QTimer::timeout, this, &DerivationList::refresh);
    connect(tree, &LogTree::changed, this, [this] {
        if (m_tree->tree().nodes().isEmpty()) { // The shown derivations belong to another log.
            m_refresh.stop();
            refresh();
        } else if (!m_refresh.isActive()) {
            m_refresh.start();
        }
    });
    hide();
}

int DerivationList::roomForNames() const
{
    return fontMetrics().horizontalAdvance(u"python3.13-typing-extensions"_s);
}

QSize DerivationList::minimumSizeHint() const
{
    return {roomForNames() + fontMetrics().horizontalAdvance(u"buildPhase  1:02:03 h"_s) + 40,
            QTableView::minimumSizeHint().height()};
}

QSize DerivationList::sizeHint() const
{
    return {minimumSizeHint().width() + 40, QTableView::sizeHint().height()};
}

void DerivationList::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    shareWidth();
}

/// Names take priority: a long state is elided, and its tooltip shows all of it.
void DerivationList::shareWidth()
{
    const auto state = int(DerivationModel::Column::State);
    const int others = columnWidth(int(DerivationModel::Column::Time)) + roomForNames();
    const int wanted = std::max(sizeHintForColumn(state), horizontalHeader()->sectionSizeHint(state));
    const int least = horizontalHeader()->minimumSectionSize();
    const int width = std::clamp(viewport()->width() - others, least, std::max(least, wanted));
    if (width != columnWidth(state))
        setColumnWidth(state, width);
}

void DerivationList::refresh()
{
    m_model.setTree(m_tree->tree());
    shareWidth();
    // The log takes priority for room.
    setVisible(m_model.rowCount() > 1 && parentWidget() && parentWidget()->width() >= roomBesideLog);
}

} // namespace tmx
