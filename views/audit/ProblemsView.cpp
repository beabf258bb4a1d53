// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/audit/ProblemsView.h"

#include "views/audit/CellMapView.h"
#include "views/theme/Theme.h"
#include "views/widgets/EmptyPage.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"
#include "views/widgets/Views.h"
#include "views/widgets/WrapDelegate.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTreeWidget>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int ruleRole = Qt::UserRole;
constexpr int narrowRules = 700; ///< in pixels: below it rules and findings are too narrow side by side

QTreeWidget *makeTable(const QString &name, const QStringList &heads)
{
    auto *table = new QTreeWidget;
    styleView(table);
    table->setRootIsDecorated(false);
    table->setHeaderLabels(heads);
    table->setAccessibleName(name);
    table->setWordWrap(true);
    table->setItemDelegate(new WrapDelegate(table, 0, 4));
    table->header()->setStretchLastSection(false);
    for (int column = 0; column < heads.size(); ++column)
        table->header()->setSectionResizeMode(column,
                                              column == 0 ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
    return table;
}

} // namespace

ProblemsView::ProblemsView(QWidget *parent)
    : QWidget(parent)
    , m_body(new QStackedWidget)
    , m_nothing(new EmptyPage({}, tr("This view lists what the audit finds in the recipes, one row for each rule, with "
                                     "what happens if it is ignored and a fix.")))
    , m_rules(makeTable(tr("Rules with findings"), {tr("Rule"), tr("Findings"), tr("Recipes")}))
    , m_title(new Label({}, Label::Title | Label::Wrapped, tr("Rule")))
    , m_consequence(new Label({}, Label::Wrapped, tr("What happens if it is ignored")))
    , m_map(new CellMapView)
    , m_cells(new QScrollArea)
    , m_groups(makeTable(tr("Findings that say the same"), {tr("Finding"), tr("Recipes")}))
    , m_fixAll(new QPushButton(tr("&Fix all\u2026")))
    , m_ignore(new QPushButton(tr("&Ignore here\u2026")))
    , m_show(new QPushButton(tr("Show in the &grid")))
{
    setAccessibleName(tr("Problems of the branch"));
    auto *side = new QWidget;
    auto *column = new QVBoxLayout(side);
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addWidget(m_consequence);
    auto *buttons = new QHBoxLayout;
    for (QPushButton *button : {m_fixAll, m_ignore, m_show})
        buttons->addWidget(button);
    buttons->addStretch(1);
    column->addLayout(buttons);
    m_cells->setWidget(m_map);
    m_cells->setFrameShape(QFrame::NoFrame);
    m_cells->setFocusPolicy(Qt::NoFocus);
    m_cells->setAccessibleName(tr("Cells"));
    column->addWidget(m_cells, 2);
    column->addWidget(m_groups, 1);
    auto *halves = makeSplitter(Qt::Horizontal, m_rules, side);
    nameSplitter(halves, u"problems"_s, {420, 600});
    turnBelow(halves, narrowRules);
    m_body->addWidget(halves);
    m_body->addWidget(m_nothing);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_body);
    setFocusProxy(m_rules);
    connect(m_rules, &QTreeWidget::currentItemChanged, this, &ProblemsView::showRule);
    connect(m_groups, &QTreeWidget::currentItemChanged, this, &ProblemsView::showGroup);
    for (QTreeWidget *table : {m_rules, m_groups})
        connect(table, &QTreeWidget::currentItemChanged, this, &ProblemsView::tellShown);
    connect(m_map, &CellMapView::chosen, this, &ProblemsView::cellChosen);
    connect(m_fixAll, &QPushButton::clicked, this, [this] { Q_EMIT fixAllRequested(rule()); });
    connect(m_show, &QPushButton::clicked, this, [this] { Q_EMIT filterRequested(rule()); });
    connect(m_ignore, &QPushButton::clicked, this, [this] {
        if (current())
            Q_EMIT ignoreRequested(rule(), recipes());
    });
    m_nothing->setTitle(tr("The branch is not read yet."));
    m_body->setCurrentWidget(m_nothing);
}

void ProblemsView::setProblems(const std::shared_ptr<const Catalog> &catalog,
                               const std::shared_ptr<const BranchSnapshot> &snapshot)
{
    const QString before = rule();
    m_catalog = catalog;
    m_snapshot = snapshot;
    m_problems = snapshot ? problemsByRule(*snapshot) : QList<RuleProblems>();
    m_nothing->setTitle(snapshot ? tr("The audit finds no errors and no warnings on %1.").arg(snapshot->branch)
                                 : tr("The branch is not read yet."));
    m_body->setCurrentIndex(m_problems.isEmpty() ? 1 : 0);
    const QSignalBlocker quiet(m_rules);
    m_rules->clear();
    QTreeWidgetItem *wanted = nullptr;
    for (const RuleProblems &one : std::as_const(m_problems)) {
        auto *item = new QTreeWidgetItem(
            m_rules, {one.rule.title, QLocale().toString(one.findings), QLocale().toString(one.recipes.size())});
        item->setData(0, ruleRole, one.rule.id);
        item->setIcon(0, signIcon(one.rule.severity, palette()));
        item->setData(0, Qt::ToolTipRole, one.rule.id);
        for (const int column : {1, 2})
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        wanted = one.rule.id == before ? item : wanted;
    }
    m_rules->setCurrentItem(wanted ? wanted : m_rules->topLevelItem(0));
    fitRules();
    showRule();
    if (rule() != before)
        tellShown();
}

void ProblemsView::tellShown()
{
    const RuleProblems *problems = current();
    const int group = m_groups->indexOfTopLevelItem(m_groups->currentItem());
    if (isVisible() && problems)
        Q_EMIT shown(recipes(), problems->rule.id, group < 0 ? QString() : problems->groups.at(group).sentence);
}

/// Above the details, the list of rules is no higher than its rows.
void ProblemsView::fitRules()
{
    const int rows = m_rules->topLevelItemCount() + 1;
    m_rules->setMaximumHeight(width() < narrowRules ? m_rules->header()->sizeHint().height() + rows * rowHeight(m_rules)
                                                    : QWIDGETSIZE_MAX);
}

void ProblemsView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitRules();
}

void ProblemsView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    tellShown();
}

const QStringList &ProblemsView::recipes() const
{
    const RuleProblems &problems = *current();
    const int group = m_groups->indexOfTopLevelItem(m_groups->currentItem());
    return group < 0 ? problems.recipes : problems.groups.at(group).recipes;
}

QString ProblemsView::rule() const
{
    const QTreeWidgetItem *item = m_rules->currentItem();
    return item ? item->data(0, ruleRole).toString() : QString();
}

int ProblemsView::count() const
{
    int count = 0;
    for (const RuleProblems &one : m_problems)
        count += one.findings;
    return count;
}

const RuleProblems *ProblemsView::current() const
{
    const auto found =
        std::ranges::find_if(m_problems, [id = rule()](const RuleProblems &one) { return one.rule.id == id; });
    return found == m_problems.end() ? nullptr : &*found;
}

void ProblemsView::showRule()
{
    const QSignalBlocker quiet(m_groups);
    m_groups->clear();
    const RuleProblems *problems = current();
    if (!problems)
        return;
    m_title->setText(problems->rule.title);
    m_consequence->setText(problems->rule.consequence.isEmpty()
                               ? tr("Rule %1.").arg(problems->rule.id)
                               : tr("If ignored: %1 (%2)", "consequence, id of the rule")
                                     .arg(problems->rule.consequence, problems->rule.id));
    for (const EqualFindings &group : problems->groups) {
        auto *item = new QTreeWidgetItem(m_groups, {group.sentence, QLocale().toString(group.recipes.size())});
        item->setData(0, Qt::ToolTipRole, group.advice);
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    }
    m_fixAll->setEnabled(problems->fixable > 0);
    explain(m_fixAll, problems->fixable > 0 ? tr("Show the change that fixes %n findings", nullptr, problems->fixable)
                                            : tr("The audit cannot fix this rule by itself"));
    m_ignore->setEnabled(!problems->recipes.isEmpty());
    m_show->setEnabled(!problems->recipes.isEmpty());
    explain(m_ignore, tr("Accept the chosen findings, or all of the rule, with a reason in torch-matrix.toml"));
    showGroup();
}

void ProblemsView::showGroup()
{
    const RuleProblems *problems = current();
    if (!problems)
        return;
    m_cells->setVisible(!recipes().isEmpty()); // a file that is no recipe has no cell
    const CellMap map = cellMap(*m_catalog, *m_snapshot, recipes());
    m_map->setMap(map, problems->rule.severity);
    m_map->resize(m_map->sizeHint());
    m_cells->setMaximumHeight(m_map->height()); // The findings take the rest.
    const qsizetype columns = map.columns.size();
    const qsizetype first =
        std::ranges::find_if(map.names, [](const QStringList &one) { return !one.isEmpty(); }) - map.names.begin();
    if (columns == 0 || first >= map.names.size())
        return;
    // Some rows are always seen, with a cell that has the problem among them.
    const qsizetype fewest = std::min<qsizetype>(map.rows.size(), 3);
    m_cells->setMinimumHeight(std::min(m_map->height(), m_map->placeOf(fewest - 1, 0).bottom() + 4));
    const QRect place = m_map->placeOf(first / columns, first % columns);
    m_cells->ensureVisible(place.center().x(), place.center().y(), place.width() / 2 + 1,
                           place.height() / 2 + 1); // no further: the heads of the columns stay
}

} // namespace tmx
