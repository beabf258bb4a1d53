// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/compare/ComparePanel.h"

#include "model/base/Sentences.h"
#include "model/matrix/AxisHeaders.h"
#include "model/matrix/MatrixRoles.h"
#include "model/matrix/MatrixSlices.h"
#include "views/compare/BranchChooser.h"
#include "views/compare/ComparisonDelegate.h"
#include "views/compare/FactChips.h"
#include "views/compare/FactTable.h"
#include "views/compare/Legend.h"
#include "views/compare/SideBySide.h"
#include "views/compare/SidesTable.h"
#include "views/grid/MatrixView.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/Label.h"
#include "views/widgets/NoticeBar.h"
#include "views/widgets/Tips.h"
#include "views/widgets/Views.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int mostFacts = 6; // More facts scroll: the recipes need the room.
constexpr int fewestFacts = 3;
constexpr int linesOfRecipe = 10;
constexpr int roomForAll =
    900; // A lower window has room for the recipes only in place of what is said above the cells.

QToolButton *makeSwitch(const QString &text, const QString &tip)
{
    auto *button = new QToolButton;
    button->setText(text);
    setPlainToolTip(button, tip);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

} // namespace

ComparePanel::ComparePanel(std::shared_ptr<const Catalog> catalog, QWidget *parent)
    : QWidget(parent)
    , m_catalog(std::move(catalog))
    , m_model(new ComparisonModel(m_catalog, this))
    , m_chooser(new BranchChooser)
    , m_notice(new NoticeBar)
    , m_summary(new ElidedLabel(Label::Title | Label::Selectable, tr("Totals"), Qt::ElideRight))
    , m_table(new SidesTable)
    , m_common(new ElidedLabel(Label::Quiet | Label::Selectable, tr("What all have"), Qt::ElideRight))
    , m_sides(new Label({}, Label::Wrapped | Label::Selectable, tr("The branches")))
    , m_differences(makeSwitch(tr("Only &differences"), tr("Hide cells that are the same on all branches")))
    , m_missing(makeSwitch(tr("Only &missing"), tr("Show only cells that are missing on a branch")))
    , m_slice(makeChoice(tr("Family, Python and toolkit")))
    , m_row(makeChoice(tr("Only one GPU")))
    , m_isa(makeChoice(tr("Only one instruction set")))
    , m_export(new QPushButton)
    , m_chips(new FactChips)
    , m_legend(new Legend)
    , m_grid(new MatrixView)
    , m_delegate(new ComparisonDelegate(this))
    , m_title(new Label({}, Label::Bold | Label::Selectable, tr("Cell")))
    , m_cellWords(new ElidedLabel(Label::Quiet, {}, Qt::ElideRight))
    , m_previous(makeArrow(Qt::LeftArrow, tr("Previous difference"), tr("Previous cell that differs (Shift+F8)")))
    , m_next(makeArrow(Qt::RightArrow, tr("Next difference"), tr("Next cell that differs (F8)")))
    , m_allFacts(makeSwitch(tr("&All facts"), tr("Also show facts that are equal, and those that are ignored")))
    , m_showRecipes(makeSwitch(tr("&Recipes"), tr("Show the recipes side by side (Enter in the grid)")))
    , m_facts(new FactTable)
    , m_recipes(new SideBySide)
{
    m_grid->setItemDelegate(m_delegate);
    m_grid->setModel(m_model);
    m_grid->setSelectionMode(QAbstractItemView::SingleSelection);
    m_grid->setAccessibleName(tr("Comparison, GPU by instruction set"));
    m_grid->setEmptyText(tr("Check two or more branches on the left."));

    auto *over = new QWidget;
    auto *column = new QVBoxLayout(over);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    // The answer first: how much differs, and what; then how the grid is filtered and read.
    auto *head = new QVBoxLayout;
    head->setContentsMargins(12, 10, 12, 4);
    head->setSpacing(6);
    head->addWidget(m_summary);
    head->addWidget(m_table);
    head->addWidget(m_sides);
    head->addWidget(m_common);
    head->addWidget(m_chips);
    column->addLayout(head);
    column->addWidget(makeTools());
    auto *key = new QVBoxLayout;
    key->setContentsMargins(12, 0, 12, 2);
    key->addWidget(m_legend);
    column->addLayout(key);
    column->addWidget(m_grid, 1);
    m_halves = makeSplitter(Qt::Vertical, over, makeDetail());
    m_halves->setStretchFactor(0, 1);
    m_halves->setStretchFactor(1, 0);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_notice);
    layout->addWidget(makeSplitter(Qt::Horizontal, m_chooser, m_halves, {230, 1050}), 1);

    connect(m_grid, &MatrixView::currentMoved, this, [this] { showCell(); });
    connect(m_grid, &MatrixView::opened, this, [this] {
        if (m_recipes->isHidden())
            m_showRecipes->click();
        m_recipes->setFocus(Qt::OtherFocusReason);
    });
    connect(m_grid, &MatrixView::menuRequested, this, [this](const QPoint &at) {
        if (const ComparedCell *cell = m_model->cellAt(m_grid->currentIndex()))
            Q_EMIT menuRequested(cell->variant.name(), at);
    });
    connect(m_grid, &MatrixView::copyPressed, this, [this] {
        if (const ComparedCell *cell = m_model->cellAt(m_grid->currentIndex()))
            QGuiApplication::clipboard()->setText(cell->variant.name());
    });
    connect(m_model, &ComparisonModel::sliceChanged, this, &ComparePanel::fillSlices);
    connect(new QShortcut(Qt::Key_F8, this), &QShortcut::activated, this, &ComparePanel::nextDifference);
    connect(new QShortcut(Qt::SHIFT | Qt::Key_F8, this), &QShortcut::activated, this,
            &ComparePanel::previousDifference);
    connect(m_chips, &FactChips::chosen, this, [this](const QString &id, bool counts) {
        m_choices.insert(id, counts);
        recount();
    });
    setFocusProxy(m_grid);
    setComparison(nullptr);
}

QWidget *ComparePanel::makeTools()
{
    auto *tools = new QWidget;
    auto *row = new QHBoxLayout(tools);
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(6);
    row->addWidget(m_differences);
    row->addWidget(m_missing);
    row->addSpacing(6);
    row->addWidget(m_slice);
    row->addWidget(m_row);
    row->addWidget(m_isa);
    row->addStretch();
    row->addWidget(m_export);
    m_export->setText(tr("&Export"));
    setPlainToolTip(m_export, tr("Save the comparison to a file, or copy it"));
    auto *menu = new QMenu(m_export);
    const auto add = [this, menu](const QString &text, Format format, bool toClipboard) {
        connect(menu->addAction(text), &QAction::triggered, this,
                [this, format, toClipboard] { Q_EMIT exportRequested(format, toClipboard); });
    };
    add(tr("As &Markdown\u2026"), Format::Markdown, false);
    add(tr("As &JSON\u2026"), Format::Json, false);
    menu->addSeparator();
    add(tr("&Copy Markdown"), Format::Markdown, true);
    add(tr("Copy J&SON"), Format::Json, true);
    m_export->setMenu(menu);

    for (QToolButton *button : {m_differences, m_missing})
        connect(button, &QToolButton::toggled, this, &ComparePanel::applyFilter);
    for (QComboBox *box : {m_row, m_isa})
        connect(box, &QComboBox::activated, this, &ComparePanel::applyFilter);
    connect(m_slice, &QComboBox::activated, this, [this](int index) {
        m_model->setSlice(m_model->slices().value(index));
        goTo(m_model->indexOf(m_current));
    });
    return tools;
}

QWidget *ComparePanel::makeDetail()
{
    m_detail = new QWidget;
    m_detail->installEventFilter(this);
    m_facts->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto *head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addSpacing(8);
    head->addWidget(m_cellWords, 1);
    head->addWidget(m_allFacts);
    head->addWidget(m_showRecipes);
    head->addWidget(m_previous);
    head->addWidget(m_next);
    auto *layout = new QVBoxLayout(m_detail);
    layout->setContentsMargins(12, 6, 12, 8);
    layout->setSpacing(6);
    layout->addLayout(head);
    m_facts->setShown(FactTable::Facts::Counting);
    layout->addWidget(m_facts);
    layout->addWidget(m_recipes, 1);
    connect(m_previous, &QToolButton::clicked, this, &ComparePanel::previousDifference);
    connect(m_next, &QToolButton::clicked, this, &ComparePanel::nextDifference);
    connect(m_allFacts, &QToolButton::toggled, this, [this](bool on) {
        m_facts->setShown(on ? FactTable::Facts::All : FactTable::Facts::Counting);
        fitFacts();
    });
    m_recipes->hide();
    connect(m_showRecipes, &QToolButton::clicked, this, [this](bool on) {
        m_recipesChosen = on;
        showRecipes(on);
    });
    return m_detail;
}

void ComparePanel::setComparison(std::shared_ptr<const CountedFacts> facts)
{
    m_counted = std::move(facts);
    m_comparing = false;
    const bool any = m_counted != nullptr;
    m_delegate->setSides(any ? m_counted->comparison()->sides.size() : 0);
    for (QWidget *tool :
         {static_cast<QWidget *>(m_differences), static_cast<QWidget *>(m_missing), static_cast<QWidget *>(m_row),
          static_cast<QWidget *>(m_isa), static_cast<QWidget *>(m_export)})
        tool->setEnabled(any);
    recount();
}

void ComparePanel::recount()
{
    m_chips->setFacts(m_counted ? m_counted->facts(m_choices) : QList<FactCount>());
    m_model->setComparison(m_counted ? m_counted->counted(m_choices) : nullptr);
    fillFilters();
    updateSummary();
    goTo(worthALook());
}

void ComparePanel::setReading(bool reading)
{
    m_chooser->setReading(reading);
    updateSummary();
}

void ComparePanel::setComparing(bool comparing)
{
    m_comparing = comparing;
    updateSummary();
}

void ComparePanel::showNotice(const QString &sentence, bool failed)
{
    m_notice->showNotice(failed ? NoticeBar::Kind::Problem : NoticeBar::Kind::Done, sentence);
}

void ComparePanel::updateSummary()
{
    const auto &comparison = m_model->comparison();
    // In a low window the grid needs the lines, and many columns are narrow.
    constexpr qsizetype mostColumns = 6, mostLines = 3;
    const bool inLines = comparison && (isLow(this) || comparison->sides.size() > mostColumns);
    ComparisonHead said;
    if (m_comparing) {
        said.shared = {tr("Comparing\u2026")};
    } else if (comparison) {
        said = comparison->head(changeForms(m_counted->facts(m_choices), comparison->totals().different), !isLow(this));
        if (!inLines && !said.headline.isEmpty())
            said.shared = said.headline + said.shared.mid(said.shared.size() - 1);
    }
    if (inLines && !said.common.isEmpty())
        said.shared.prepend(joinedSentences({said.shared.value(0), said.common}));
    m_summary->setForms(said.shared);
    m_summary->setVisible(comparison != nullptr);
    m_sides->setText(inLines ? said.sides.join(said.sides.size() > mostLines ? tr(". ", "between branches") : u"\n"_s)
                             : QString());
    m_sides->setVisible(!m_sides->text().isEmpty());
    setPlainToolTip(m_sides, inLines ? comparison->head().sides.join(u'\n') : QString());
    // Where the recipes take the room, the first line stays.
    const bool whole = comparison && !m_comparing && (m_recipes->isHidden() || height() >= roomForAll);
    m_table->setVisible(whole && !inLines);
    m_common->setFullText(said.common);
    m_common->setVisible(whole && !inLines && !said.common.isEmpty());
    m_legend->setVisible(whole);
    if (comparison && !inLines)
        m_table->setHead(said, comparison->sides, comparison->totals().held);
    m_detail->setVisible(comparison != nullptr);
    if (comparison)
        m_legend->setComparison(*comparison, m_model->mostWords());
    if (!comparison)
        m_grid->setEmptyText(m_comparing              ? tr("Comparing\u2026")
                             : m_chooser->isReading() ? tr("Reading the branches\u2026")
                                                      : tr("Check two or more branches on the left."));
    else if (comparison->cells.isEmpty())
        m_grid->setEmptyText(tr("None of these branches has a recipe."));
    else
        m_grid->setEmptyText(tr("Nothing matches the filter."));
}

void ComparePanel::fillFilters()
{
    const ComparisonFilter now = m_model->filter();
    const auto fill = [](QComboBox *box, const QString &all, const QList<std::pair<QString, QString>> &choices,
                         const QString &current) {
        const QSignalBlocker blocker(box);
        box->clear();
        box->addItem(all, QString());
        for (const auto &[id, title] : choices) {
            box->addItem(title, id);
            if (id == current)
                box->setCurrentIndex(box->count() - 1);
        }
    };
    QSet<QString> rowIds;
    QSet<QString> isaIds;
    if (m_model->comparison()) {
        for (const ComparedCell &cell : m_model->comparison()->cells) {
            rowIds.insert(cell.variant.row);
            isaIds.insert(cell.variant.isa);
        }
    }
    QList<std::pair<QString, QString>> rows;
    QList<std::pair<QString, QString>> isas;
    for (const GpuRow &row : m_catalog->rows) {
        if (rowIds.contains(row.id))
            rows.append({row.id, gpuHeader(*m_catalog, row.id, Qt::DisplayRole).toString()});
    }
    for (const Isa &isa : m_catalog->isas) {
        if (isaIds.contains(isa.id))
            isas.append({isa.id, isa.title});
    }
    fill(m_row, tr("All GPUs"), rows, now.row);
    fill(m_isa, tr("All CPUs"), isas, now.isa);
    applyFilter();
}

void ComparePanel::applyFilter()
{
    m_model->setFilter({m_differences->isChecked(), m_missing->isChecked(), m_row->currentData().toString(),
                        m_isa->currentData().toString()});
    goTo(worthALook());
}

void ComparePanel::fillSlices()
{
    const QSignalBlocker blocker(m_slice);
    m_slice->clear();
    const QList<MatrixSlice> slices = m_model->slices();
    for (const MatrixSlice &slice : slices) {
        QStringList all, distinct; // a narrow choice has only what distinguishes the slice
        const auto add = [&](const QString &part, const QString MatrixSlice::*of) {
            if (part.isEmpty() || slice.*of == MatrixSlice::every())
                return;
            all.append(part);
            if (std::ranges::any_of(slices, [&](const MatrixSlice &other) { return other.*of != slice.*of; }))
                distinct.append(part);
        };
        add(m_catalog->titleOf(slice.family), &MatrixSlice::family);
        add(slice.python.isEmpty() ? QString() : pythonTitle(slice.python), &MatrixSlice::python);
        add(slice.cuda.isEmpty() ? QString() : tr("CUDA %1").arg(slice.cuda), &MatrixSlice::cuda);
        if (slice.isOverview()) {
            all = distinct = {tr("All")};
            if (slice.family != MatrixSlice::every() && slice.python != MatrixSlice::every())
                all = {tr("All toolkits")};
        }
        const ComparisonModel::Counts counts = m_model->countsOf(slice);
        m_slice->addItem(tr("%1: %2 cells, %n differ", "slice, cells", counts.differing)
                             .arg(all.join(u' '), QLocale().toString(counts.cells)));
        m_slice->setItemData(m_slice->count() - 1, distinct.join(u' '), shortTextRole);
    }
    m_slice->setCurrentIndex(int(m_model->slices().indexOf(m_model->slice())));
    m_slice->setVisible(m_slice->count() > 1);
}

QModelIndex ComparePanel::worthALook() const
{
    if (const QModelIndex known = m_model->indexOf(m_current); known.isValid())
        return known;
    const QModelIndex first = m_model->nextDifference({}, 1);
    QModelIndex index = first;
    // Two different recipes say more than a single one.
    while (index.isValid() && index.data(LikenessRole).toInt() != int(Likeness::Different)) {
        index = m_model->nextDifference(index, 1);
        if (index == first)
            break;
    }
    return index;
}

void ComparePanel::goTo(const QModelIndex &index)
{
    if (m_grid->currentIndex() == index) {
        showCell(); // The cell at the same place may be another one.
        return;
    }
    m_grid->setCurrentIndex(index);
    m_grid->scrollTo(index);
}

void ComparePanel::nextDifference()
{
    if (const QModelIndex next = m_model->nextDifference(m_grid->currentIndex(), 1); next.isValid())
        goTo(next);
}

void ComparePanel::previousDifference()
{
    if (const QModelIndex previous = m_model->nextDifference(m_grid->currentIndex(), -1); previous.isValid())
        goTo(previous);
}

void ComparePanel::showCell()
{
    const ComparedCell *cell = m_model->cellAt(m_grid->currentIndex());
    const bool differences = m_model->differenceCount() > 0;
    m_previous->setEnabled(differences);
    m_next->setEnabled(differences);
    m_detail->setEnabled(cell != nullptr);
    if (!cell) {
        m_title->setText(m_model->comparison() ? tr("No cell is selected") : QString());
        m_cellWords->setFullText({});
        m_facts->setFacts({}, {}, {});
        m_facts->hide();
        m_recipes->setTexts({});
        return;
    }
    m_current = cell->variant;
    const Comparison &comparison = *m_model->comparison();
    QList<SideBySide::Text> texts;
    QStringList labels;
    QList<bool> there;
    for (qsizetype i = 0; i < cell->entries.size(); ++i) {
        const VariantEntry *entry = cell->entries.at(i);
        labels.append(comparison.sides.at(i).label);
        there.append(entry != nullptr);
        texts.append({labels.constLast(), entry ? entry->text : QByteArray(), entry != nullptr});
    }
    QList<FactDifference> facts = factDifferences(*cell);
    for (FactDifference &fact : facts)
        fact.builds = m_counted->counts(fact, m_choices);
    for (SideBySide::Text &text : texts) {
        const qsizetype side = labels.indexOf(text.label);
        text.unlike = int(std::ranges::count_if(facts, [&](const FactDifference &fact) {
            return fact.differs && fact.builds && fact.values.value(side) != fact.values.value(cell->firstHolder());
        }));
    }
    m_facts->setFacts(facts, labels, there);
    const int differing = m_facts->differingCount();
    m_title->setText(cell->title());
    const QString words = cellWords(comparison, *cell);
    const auto ignored =
        int(std::ranges::count_if(facts, [](const FactDifference &fact) { return fact.differs && !fact.builds; }));
    QStringList said{words};
    if (differing > 0)
        said.append(tr("%n facts differ", nullptr, differing));
    if (ignored > 0)
        said.append(tr("%n more are ignored", "facts that differ", ignored));
    m_cellWords->setFullText(said.join(u" \u00b7 "_s));
    m_facts->setVisible(m_facts->rowCount() > 0);
    fitFacts();
    m_recipes->setTexts(texts);
}

void ComparePanel::showRecipes(bool show)
{
    m_showRecipes->setChecked(show);
    if (show != m_recipes->isHidden())
        return;
    m_recipes->setVisible(show);
    m_facts->setSizePolicy(QSizePolicy::Expanding, show ? QSizePolicy::Fixed : QSizePolicy::Expanding);
    updateSummary();
    fitFacts();
    if (show) {
        const int detail = height() * (height() >= roomForAll ? 36 : 55) / 100;
        m_halves->setSizes({height() - detail, detail});
    }
}

void ComparePanel::fitFacts()
{
    if (m_recipes->isHidden()) { // As high for each cell: the grid stays where it is.
        const int head = m_facts->horizontalHeader()->sizeHint().height() + 2;
        const int row = m_facts->verticalHeader()->defaultSectionSize();
        m_facts->setMinimumHeight(head + fewestFacts * row);
        m_facts->setMaximumHeight(head + (m_allFacts->isChecked() ? mostFacts : fewestFacts) * row);
        return;
    }
    // The recipes have their lines first.
    const QLayout *layout = m_detail->layout();
    const int room = m_detail->height() - layout->contentsMargins().top() - layout->contentsMargins().bottom() -
                     2 * layout->spacing() - m_allFacts->height() - m_recipes->heightFor(linesOfRecipe);
    int facts = mostFacts;
    while (facts > fewestFacts && heightForRows(m_facts, facts) > room)
        --facts;
    m_facts->setFixedHeight(heightForRows(m_facts, facts));
}

bool ComparePanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_detail && event->type() == QEvent::Resize)
        fitFacts();
    return QWidget::eventFilter(watched, event);
}

void ComparePanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    showRecipes(m_recipesChosen.value_or(height() >= roomForAll));
    updateSummary();
    m_chips->updateGeometry(); // a low window has fewer lines of them
}

void ComparePanel::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QWidget::keyPressEvent(event);
}

} // namespace tmx
