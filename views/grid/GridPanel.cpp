// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/grid/GridPanel.h"

#include "model/catalog/VariantName.h"
#include "model/matrix/MatrixFilterModel.h"
#include "model/matrix/MatrixModel.h"
#include "model/matrix/MatrixSlices.h"
#include "model/matrix/StateWords.h"
#include "views/grid/MatrixView.h"
#include "views/grid/SliceBar.h"
#include "views/grid/StateFilterBar.h"
#include "views/theme/Theme.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QScopedValueRollback>
#include <QSet>
#include <QShortcut>
#include <QStandardItemModel>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <chrono>

using namespace Qt::StringLiterals;

namespace tmx {

GridPanel::GridPanel(QWidget *parent)
    : QWidget(parent)
    , m_filter(new MatrixFilterModel(this))
    , m_view(new MatrixView)
    , m_tools(new QHBoxLayout)
    , m_slices(new SliceBar)
    , m_text(new QLineEdit)
    , m_showAll(new QToolButton)
    , m_sideBySide(new QToolButton)
    , m_lens(new QComboBox)
    , m_states(new StateFilterBar)
    , m_summary(new ElidedLabel(Label::Quiet, {}, Qt::ElideRight))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 6, 0, 0);
    layout->setSpacing(4);
    makeToolRow();
    layout->addWidget(m_states);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_summary);
    m_summary->setContentsMargins(8, 3, 8, 5);
    m_view->setModel(m_filter);
    setFocusProxy(m_view);
    lend(0);
    connectView();
    updateEmptyText();
    // "5 min ago" in a cell becomes older without a change of the model.
    auto *ages = new QTimer(this);
    connect(ages, &QTimer::timeout, m_view->viewport(), qOverload<>(&QWidget::update));
    ages->start(std::chrono::minutes(1));
}

void GridPanel::makeToolRow()
{
    auto *row = m_tools;
    row->setContentsMargins(8, 0, 8, 0);
    row->setSpacing(8);
    m_text->setPlaceholderText(tr("Filter: sm90, H100, bf16, missing…"));
    m_text->setClearButtonEnabled(true);
    describe(
        m_text, tr("Filter cells by text"),
        tr("Words to find in a cell's name, GPU products, instruction set or state, or rule:WORD for the audit's rules "
           "and uses:FILE for recipes that import a file (Ctrl+F). Esc clears the filter."));
    m_text->setWhatsThis(
        tr("Shows the cells that match every word. Words match the name, the GPU products, the instruction set and "
           "the state: \u201ch100 avx512 missing\u201d. rule:WORD matches the rules of audit findings, uses:FILE the "
           "recipes that import a "
           "file."));
    m_summary->setWhatsThis(tr("The number of variants in each state. With a filter, the number of matching ones "
                               "comes first. Help > States and keys explains the states."));
    m_text->setMinimumWidth(80); // beside three choices or long names in a window of 853 pixels
    m_text->setMaximumWidth(360);
    m_text->installEventFilter(this);
    m_showAll->setText(tr("All rows"));
    setPlainToolTip(m_showAll, tr("Show every GPU and instruction set of the catalog, not only those of this branch"));
    m_sideBySide->setText(tr("Side by side"));
    setPlainToolTip(m_sideBySide, tr("Show the toolkits beside each other"));
    m_sideBySide->hide();
    for (QToolButton *toggle : {m_showAll, m_sideBySide}) {
        toggle->setCheckable(true);
        toggle->setAutoRaise(true);
    }
    for (const Lens lens : allLenses) {
        m_lens->addItem(lensTitle(lens));
        m_lens->setItemData(int(lens), plainToolTip(lensMeaning(lens)), Qt::ToolTipRole);
    }
    describe(m_lens, tr("What the cells show"),
             tr("What fills the cells of the grid. The rest is a mark in their corner, and a failed build is shown "
                "always."));
    setMachine({});
    // No stretch: the choices have their whole text before the filter grows.
    row->addWidget(m_slices);
    row->addWidget(m_sideBySide);
    row->addWidget(m_text);
    row->addWidget(m_showAll);
    row->addWidget(new Label(tr("Sho&w:"), m_lens));
    row->addWidget(m_lens);
    static_cast<QVBoxLayout *>(layout())->addLayout(row);
    auto *find = new QShortcut(QKeySequence::Find, this);
    connect(find, &QShortcut::activated, this, &GridPanel::focusFilter);
}

void GridPanel::connectView()
{
    // What a filter hides takes the current cell along; it comes back with the cell, unless the user chose another.
    const auto filterBy = [this](const auto &set, const auto &value) {
        m_filtering = true;
        (m_filter->*set)(value);
        const QModelIndex kept = m_model ? m_filter->mapFromSource(m_model->indexOf(m_kept)) : QModelIndex();
        if (kept.isValid() && kept != m_view->currentIndex() && !kept.data(DimmedRole).toBool())
            m_view->setCurrentIndex(kept);
        m_filtering = false;
        keepSelected();
    };
    connect(m_text, &QLineEdit::textChanged, this,
            [filterBy](const QString &text) { filterBy(&MatrixFilterModel::setText, text); });
    connect(m_states, &StateFilterBar::signsChanged, this,
            [filterBy](const std::set<Sign> &signs) { filterBy(&MatrixFilterModel::setSigns, signs); });
    connect(m_filter, &MatrixFilterModel::filterChanged, this, [this] {
        if (m_model)
            updateSummary();
    });
    connect(m_view, &MatrixView::currentMoved, this, [this] {
        keepSelected();
        tellCurrent();
    });
    connect(m_filter, &QAbstractItemModel::dataChanged, this,
            &GridPanel::tellCurrent); // Another slice shows the same cell under another name.
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        keepSelected();
        Q_EMIT selectionChanged();
    });
    connect(m_view, &MatrixView::opened, this, &GridPanel::open);
    connect(m_view, &MatrixView::partPressed, this, [this](const QModelIndex &cell, int part) {
        m_part = cell.data(PartsRole).value<QList<MatrixPart>>().value(part).name;
        if (cell == m_view->currentIndex())
            tellCurrent();
    });
    connect(m_view, &MatrixView::generatePressed, this, [this] {
        if (const QStringList names = namesToGenerate(); !names.isEmpty())
            Q_EMIT generateRequested(names);
    });
    connect(m_view, &MatrixView::commitPressed, this, [this] {
        if (const QStringList names = namesToCommit(); !names.isEmpty())
            Q_EMIT commitRequested(names);
    });
    connect(m_view, &MatrixView::buildPressed, this, [this] {
        if (const QStringList names = selectedNames(); !names.isEmpty())
            Q_EMIT buildRequested(names);
    });
    connect(m_view, &MatrixView::copyPressed, this, &GridPanel::copyPackages);
    connect(m_view, &MatrixView::menuRequested, this, &GridPanel::showMenu);
    connect(m_view, &MatrixView::resized, this, &GridPanel::arrangeSlices);
    connect(m_slices, &SliceBar::chosen, this, [this] { m_choosesSlices = false; });
    connect(m_sideBySide, &QToolButton::clicked, this, &GridPanel::toggleSideBySide);
}

void GridPanel::setModel(MatrixModel *model)
{
    m_model = model;
    m_filter->setSourceModel(model);
    m_slices->setModel(model);
    m_showAll->setChecked(model->showsAll());
    m_lens->setCurrentIndex(int(model->lens()));
    connect(m_lens, &QComboBox::currentIndexChanged, model, [model](int lens) { model->setLens(Lens(lens)); });
    connect(model, &MatrixModel::lensChanged, this, [this] { setLens(m_model->lens()); });
    connect(m_showAll, &QToolButton::toggled, model, &MatrixModel::setShowAll);
    connect(model, &MatrixModel::summaryChanged, this, &GridPanel::updateSummary);
    connect(model, &MatrixModel::summaryChanged, this, &GridPanel::arrangeSlices);
    connect(model, &MatrixModel::sliceChanged, this, &GridPanel::arrangeSlices);
    updateSummary();
    arrangeSlices();
}

void GridPanel::updateSummary()
{
    QStringList forms = m_model->summaryForms();
    for (QString &text : forms) {
        if (m_filter->isActive())
            text = tr("%1 found. %2", "filter: count, summary of all").arg(m_filter->matchCount()).arg(text);
    }
    m_summary->setForms(forms);
    m_summary->setAccessibleName(forms.constFirst());
    m_states->setCounts(m_model->counts());
    updateEmptyText();
}

void GridPanel::updateEmptyText()
{
    if (m_model && m_model->rowCount() > 0)
        m_view->setEmptyText(tr("No cell matches the filter. Press Esc in the filter field to show all cells."));
    else if (m_model && m_model->snapshot())
        m_view->setEmptyText(tr("This branch has no recipes and no settings."));
    else
        m_view->setEmptyText({});
}

QModelIndexList GridPanel::selectedCells() const
{
    QModelIndexList cells = m_view->selectionModel()->selectedIndexes();
    std::ranges::sort(cells);
    QSet<QString> spanned; // A cell that spans its row is selected in every column.
    cells.removeIf([&spanned](const QModelIndex &cell) {
        if (!cell.data(SpansRowRole).toBool())
            return false;
        const QString name = cell.data(VariantNameRole).toString();
        const bool again = spanned.contains(name);
        spanned.insert(name);
        return again;
    });
    if (cells.isEmpty() && m_view->currentIndex().flags().testFlag(Qt::ItemIsSelectable))
        cells.append(m_view->currentIndex());
    return cells;
}

QList<MatrixPart> GridPanel::selectedParts() const
{
    QList<MatrixPart> selected;
    for (const QModelIndex &cell : selectedCells()) {
        const auto parts = cell.data(PartsRole).value<QList<MatrixPart>>();
        const bool allDimmed = std::ranges::all_of(parts, &MatrixPart::dimmed);
        for (const MatrixPart &part : parts) {
            if (part.possible() && !part.name.isEmpty() && (allDimmed || !part.dimmed))
                selected.append(part);
        }
    }
    return selected;
}

QString GridPanel::currentName() const
{
    const auto parts = m_view->currentIndex().data(PartsRole).value<QList<MatrixPart>>();
    if (parts.size() < 2)
        return m_view->currentIndex().data(VariantNameRole).toString();
    if (std::ranges::find(parts, m_part, &MatrixPart::name) != parts.end())
        return m_part;
    const auto left =
        std::ranges::find_if(parts, [](const MatrixPart &part) { return part.possible() && !part.dimmed; });
    return left == parts.end() ? m_view->currentIndex().data(VariantNameRole).toString() : left->name;
}

QStringList GridPanel::namesIn(std::initializer_list<RecipeState> states) const
{
    QStringList names;
    for (const MatrixPart &part : selectedParts()) {
        if (states.size() == 0 || std::ranges::find(states, part.state) != states.end())
            names.append(part.name);
    }
    return names;
}

QStringList GridPanel::selectedNames() const
{
    return namesIn({});
}

QStringList GridPanel::namesToGenerate() const
{
    const QStringList names = namesIn({RecipeState::Missing, RecipeState::NotCovered});
    return names.isEmpty() ? selectedNames() : names;
}

QStringList GridPanel::namesToCommit() const
{
    const QStringList names = namesIn({RecipeState::Modified, RecipeState::Untracked});
    return names.isEmpty() ? selectedNames() : names;
}

QStringList GridPanel::namesWithRecipe() const
{
    QStringList names;
    for (const MatrixPart &part : selectedParts()) {
        if (part.present)
            names.append(part.name);
    }
    return names;
}

QStringList GridPanel::selectedPackages() const
{
    QStringList packages;
    for (const MatrixPart &part : selectedParts())
        packages.append(part.package);
    return packages;
}

void GridPanel::copyPackages() const
{
    if (const QStringList packages = selectedPackages(); !packages.isEmpty())
        QGuiApplication::clipboard()->setText(packages.join(u'\n'));
}

bool GridPanel::setCurrentName(const QString &name)
{
    if (!m_model || name.isEmpty())
        return false;
    m_part = name;
    if (!m_model->indexOf(name).isValid()) {
        const auto parsed = VariantName::parse(name, m_model->catalog()->isaIds());
        if (!parsed)
            return false;
        const Variant &variant = parsed->variant;
        if (!m_model->shows(variant))
            showSliceOf(variant);
        // A cell of the slice whose row or column is still empty.
        if (m_model->shows(variant) && !m_model->indexOf(name).isValid())
            m_showAll->setChecked(true);
    }
    const QModelIndex source = m_model->indexOf(name);
    if (!source.isValid())
        return false;
    if (const QModelIndex shown = m_filter->mapFromSource(source); !shown.isValid() || shown.data(DimmedRole).toBool())
        clearFilter();
    const QModelIndex cell = m_filter->mapFromSource(source);
    m_view->setCurrentIndex(cell);
    m_view->scrollTo(cell);
    tellCurrent(); // Another variant of the same cell.
    return true;
}

void GridPanel::showSlice(const MatrixSlice &slice)
{
    m_choosesSlices = false;
    m_model->setSlice(nearestSlice(m_model->slices(), slice));
}

/// Slices stand side by side where two or more have room. Until the user chooses, they are those of the first
/// selector with a choice.
void GridPanel::arrangeSlices()
{
    if (!m_model || m_model->slices().isEmpty() || m_arranging)
        return;
    const QScopedValueRollback arranging(m_arranging, true);
    const auto shown = [this] { return std::pair(m_model->slice(), m_model->isSideBySide()); };
    const auto before = shown();
    const int columns = m_model->columnCount() / int(m_model->isSideBySide() ? m_model->shown().size() : 1);
    const int fitting = m_view->slicesThatFit(columns);
    const bool sideBySide = fitting > 1 && m_wantsSideBySide;
    if (m_choosesSlices && sideBySide != m_model->slice().isOverview() && (sideBySide || m_widened)) {
        const auto holds = [variant = m_model->entryOf(m_kept).variant](const MatrixSlice &one) {
            return one.holds(variant);
        };
        const auto own = std::ranges::find_if(m_model->shown(), holds);
        m_model->setSlice(sideBySide                      ? widerSlice(m_model->slice(), m_model->slices())
                          : own == m_model->shown().end() ? m_model->shown().first()
                                                          : *own);
        m_widened = m_model->slice().isOverview();
    }
    const QString current = m_kept;
    m_model->setSideBySide(sideBySide);
    m_view->setColumnsInView(m_model->isSideBySide() ? fitting * columns : 0);
    m_sideBySide->setVisible(fitting > 1 && m_model->slices().size() > 1);
    m_sideBySide->setChecked(m_model->isSideBySide());
    giveRoom();
    if (before == shown())
        return;
    m_part = current; // of the same cell
    if (const QModelIndex cell = m_filter->mapFromSource(m_model->indexOf(current)); cell.isValid()) {
        m_view->setCurrentIndex(cell);
        m_view->scrollTo(cell);
    }
    tellCurrent();
}

/// Gives the slices the room beside the other tools, of which the filter can grow.
void GridPanel::giveRoom()
{
    int others = m_tools->contentsMargins().left() + m_tools->contentsMargins().right();
    for (int i = 0; i < m_tools->count(); ++i) {
        const QLayoutItem *tool = m_tools->itemAt(i);
        if (tool->widget() != m_slices && !tool->isEmpty())
            others += tool->sizeHint().width() + m_tools->spacing();
    }
    m_slices->setRoom(width() - others);
}

void GridPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    giveRoom();
}

void GridPanel::toggleSideBySide(bool on)
{
    m_choosesSlices = false;
    m_wantsSideBySide = on;
    if (on)
        m_model->setSlice(widerSlice(m_model->slice(), m_model->slices()));
    arrangeSlices();
}

bool GridPanel::showSliceOf(const Variant &variant)
{
    const QList<MatrixSlice> slices = m_model->slices();
    const auto own = std::ranges::find_if(slices, [&](const MatrixSlice &slice) { return slice.holds(variant); });
    if (own == slices.end())
        return false;
    m_model->setSlice(*own);
    return true;
}

void GridPanel::open(const QModelIndex &cell)
{
    const QString name = currentName();
    if (name.isEmpty())
        return;
    if (cell.data(PartsRole).value<QList<MatrixPart>>().size() < 2)
        Q_EMIT activated(name);
    else if (showSliceOf(m_model->entryOf(name).variant))
        setCurrentName(name);
}

void GridPanel::addGrids(QMenu *menu)
{
    const auto parts = m_view->currentIndex().data(PartsRole).value<QList<MatrixPart>>();
    if (parts.size() < 2)
        return;
    QMenu *grids = menu->addMenu(tr("&Open the grid of"));
    for (const MatrixPart &part : parts) {
        QAction *entry =
            grids->addAction(signIcon(part.face.sign, palette()),
                             tr("%1: %2", "toolkit, state").arg(part.title, part.word), this, [this, name = part.name] {
                                 if (showSliceOf(m_model->entryOf(name).variant))
                                     setCurrentName(name);
                             });
        entry->setEnabled(part.possible());
    }
    menu->addSeparator();
}

/// The next key may be for what this one has changed: generate, then commit.
void GridPanel::keepSelected()
{
    if (m_filter->isActive())
        m_filter->keep(selectedNames());
}

void GridPanel::tellCurrent()
{
    const QString name = currentName();
    if (!name.isEmpty() && !m_filtering)
        m_kept = name;
    if (name == m_told)
        return;
    m_told = name;
    Q_EMIT currentChanged(name);
}

void GridPanel::clearFilter()
{
    m_text->clear();
    m_states->setSigns({});
}

void GridPanel::showUsers(const QString &path)
{
    clearFilter();
    const QString every = MatrixSlice::every();
    showSlice({every, every, every});
    m_text->setText("uses:"_L1 + shownPath(path));
}

void GridPanel::setFilter(const QString &text)
{
    clearFilter();
    m_text->setText(text);
}

void GridPanel::setMachine(const QString &name)
{
    if (name.isEmpty() && m_lens->currentIndex() == int(Lens::Machine))
        setLens(Lens::Recipe);
    auto *items = qobject_cast<QStandardItemModel *>(m_lens->model());
    items->item(int(Lens::Machine))->setEnabled(!name.isEmpty());
    m_lens->setItemData(int(Lens::Machine),
                        plainToolTip(name.isEmpty() ? tr("Choose the machine in the panel \u201cThis machine\u201d.")
                                                    : tr("Each cell says whether it runs on %1: exact, runs or no. "
                                                         "Its tooltip gives the reason.")
                                                          .arg(name)),
                        Qt::ToolTipRole);
}

void GridPanel::setLens(Lens lens)
{
    m_lens->setCurrentIndex(int(lens));
}

bool GridPanel::offers(Lens lens) const
{
    return qobject_cast<QStandardItemModel *>(m_lens->model())->item(int(lens))->isEnabled();
}

void GridPanel::focusFilter()
{
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
}

void GridPanel::lend(int height)
{
    m_view->lend(height);
}

void GridPanel::focusGrid()
{
    m_view->setFocus(Qt::OtherFocusReason);
}

bool GridPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_text && event->type() == QEvent::KeyPress) {
        switch (static_cast<QKeyEvent *>(event)->key()) {
        case Qt::Key_Escape:
            clearFilter();
            focusGrid();
            return true;
        case Qt::Key_Down:
        case Qt::Key_Return:
        case Qt::Key_Enter: focusGrid(); return true;
        default: break;
        }
    }
    return QWidget::eventFilter(watched, event);
}

/// The menus of the window name the other key of the same command.
static void nameKeys(QAction *entry, const QKeySequence &key, bool enabled)
{
    entry->setShortcut(key);
    entry->setEnabled(enabled);
    const QHash<QKeySequence, QKeySequence> others{
        {Qt::Key_G, Qt::CTRL | Qt::Key_G}, {Qt::Key_C, Qt::CTRL | Qt::Key_Return}, {Qt::Key_B, Qt::CTRL | Qt::Key_B}};
    if (others.contains(key))
        entry->setText(u"%1\t%2, %3"_s.arg(entry->text(), key.toString(QKeySequence::NativeText),
                                           others.value(key).toString(QKeySequence::NativeText)));
}

void GridPanel::showMenu(const QPoint &globalPosition)
{
    const auto count = [this](std::initializer_list<RecipeState> states) { return int(namesIn(states).size()); };
    const int toGenerate = count({RecipeState::Missing, RecipeState::NotCovered});
    const int toCommit = count({RecipeState::Modified, RecipeState::Untracked});
    const QStringList packages = selectedPackages();

    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addGrids(menu);
    const auto add = [this, menu](const QString &text, const QKeySequence &key, bool enabled, const auto &action) {
        nameKeys(menu->addAction(text, this, action), key, enabled);
    };
    add(toGenerate > 1 ? tr("&Generate %n recipes", nullptr, toGenerate) : tr("&Generate recipe"), Qt::Key_G,
        toGenerate > 0, [this] { Q_EMIT generateRequested(namesToGenerate()); });
    add(tr("Generate &like…"), {}, toGenerate > 0, [this] { Q_EMIT generateLikeRequested(namesToGenerate()); });
    add(toCommit > 1 ? tr("&Commit %n recipes…", nullptr, toCommit) : tr("&Commit recipe…"), Qt::Key_C, toCommit > 0,
        [this] { Q_EMIT commitRequested(namesToCommit()); });
    const QStringList present = namesWithRecipe();
    add(present.size() > 1 ? tr("&Build %n variants", nullptr, int(present.size())) : tr("&Build"), Qt::Key_B,
        !present.isEmpty(), [this, present] { Q_EMIT buildRequested(present); });
    add(tr("Build &with dependents\u2026"), {}, !present.isEmpty(),
        [this, present] { Q_EMIT dependentsRequested(present); });
    if (const BuildState build = m_model->buildState(currentName()); !build.job.isEmpty()) {
        menu->addSeparator();
        add(tr("Show the &log"), {}, true, [this, build] { Q_EMIT logRequested(build.job); });
        if (!build.retry.isEmpty())
            add(build.retry, {}, true, [this, build] { Q_EMIT retryRequested({build.job}); });
        if (build.recipeLine > 0)
            add(tr("Open l&ine %1").arg(build.recipeLine), {}, true,
                [this, build] { Q_EMIT lineRequested(build.recipeLine); });
        if (build.phase == BuildState::Phase::Failed)
            add(tr("Copy err&ors"), {}, true, [this, build] { Q_EMIT errorsCopyRequested(build.job); });
        menu->addSeparator();
    }
    add(present.size() > 1 ? tr("&Publish %n variants…", nullptr, int(present.size())) : tr("&Publish…"), {},
        !present.isEmpty(), [this, present] { Q_EMIT publishRequested(present); });
    add(tr("Copy to b&ranch…"), {}, !present.isEmpty(), [this] { Q_EMIT copyRequested(selectedNames()); });
    menu->addSeparator();
    // Broken recipes may have uncommitted changes too; the receiver of the signal sorts them out.
    const int toDiscard = toCommit + count({RecipeState::Broken, RecipeState::Duplicate});
    add(toDiscard > 1 ? tr("D&iscard changes of %n recipes…", nullptr, toDiscard) : tr("D&iscard changes…"), {},
        toDiscard > 0, [this] { Q_EMIT discardRequested(selectedNames()); });
    add(present.size() > 1 ? tr("&Delete %n recipes…", nullptr, int(present.size())) : tr("&Delete recipe…"), {},
        !present.isEmpty(), [this, present] { Q_EMIT deleteRequested(present); });
    menu->addSeparator();
    const QString name = currentName();
    const bool there = m_model->entryOf(name).present;
    add(tr("&History…"), {}, !name.isEmpty(), [this, name] { Q_EMIT historyRequested(name); });
    add(tr("Co&mpare branches…"), {}, true, [this] { Q_EMIT compareRequested(); });
    add(tr("Open in the &editor"), {}, there, [this, name] { Q_EMIT editorRequested(name); });
    add(tr("&Show in files"), {}, there, [this, name] { Q_EMIT folderRequested(name); });
    menu->addSeparator();
    add(packages.size() > 1 ? tr("Copy %n package &names", nullptr, int(packages.size())) : tr("Copy package &name"),
        QKeySequence::Copy, !packages.isEmpty(), [this] { copyPackages(); });
    add(tr("Copy &flox command"), {}, !packages.isEmpty(),
        [packages] { QGuiApplication::clipboard()->setText(u"flox build "_s + packages.join(u' ')); });
    add(tr("Copy p&ath"), {}, there, [this, name] { Q_EMIT pathCopyRequested(name); });
    menu->popup(globalPosition);
}

} // namespace tmx
