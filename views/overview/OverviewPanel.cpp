// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/overview/OverviewPanel.h"

#include "model/matrix/OverviewModel.h"
#include "views/overview/OverviewDelegate.h"
#include "views/theme/Colors.h"
#include "views/theme/Theme.h"
#include "views/widgets/FlowLayout.h"
#include "views/widgets/Label.h"
#include "views/widgets/NoticeBar.h"
#include "views/widgets/Tips.h"
#include "views/widgets/Views.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <optional>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int headMargins = 12;

/// Keeps room for the arrow in the sorted column alone: each needs its width. The title of a column with errors or
/// warnings is drawn as these are, so that it is found at once.
class CloseHeader : public QHeaderView
{
public:
    using QHeaderView::QHeaderView;

protected:
    [[nodiscard]] QSize sectionSizeFromContents(int section) const override
    {
        const QSize size = QHeaderView::sectionSizeFromContents(section);
        const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == section;
        const QFontMetrics metrics(fontOf(section));
        const QString title = model()->headerData(section, orientation()).toString();
        const int bold = metrics.horizontalAdvance(title) - fontMetrics().horizontalAdvance(title);
        return sorted ? size + QSize(bold, 0) : QSize(metrics.horizontalAdvance(title) + headMargins, size.height());
    }
    void paintSection(QPainter *painter, const QRect &rect, int section) const override
    {
        painter->setFont(fontOf(section));
        QHeaderView::paintSection(painter, rect, section);
    }
    void initStyleOptionForIndex(QStyleOptionHeader *option, int section) const override
    {
        QHeaderView::initStyleOptionForIndex(option, section);
        const Weight weight = weightOf(section);
        if (weight < Weight::Warning)
            return;
        const QColor colour = Theme::current(option->palette)
                                  .severity(weight == Weight::Error ? Severity::Error : Severity::Warning)
                                  .color;
        option->palette.setColor(QPalette::ButtonText, legible(colour, option->palette.color(QPalette::Button)));
    }

private:
    using Weight = OverviewModel::Weight;
    [[nodiscard]] Weight weightOf(int section) const
    {
        return model()->headerData(section, orientation(), OverviewModel::WeightRole).value<Weight>();
    }
    [[nodiscard]] QFont fontOf(int section) const
    {
        QFont shown = font();
        shown.setBold(shown.bold() || weightOf(section) >= Weight::Warning);
        return shown;
    }
};

QIcon iconOf(OverviewModel::Column column, const QPalette &palette)
{
    using Column = OverviewModel::Column;
    return column == Column::Builds    ? signIcon(BuildState::Phase::Failed, palette)
           : column == Column::Missing ? signIcon(RecipeState::Missing, palette)
           : column == Column::Errors  ? signIcon(Severity::Error, palette)
                                       : signIcon(Age::Older, palette);
}

} // namespace

/// Sorted, and of the rows those with the text, or only those whose cell in one column stands out.
class ChosenRows : public QSortFilterProxyModel
{
public:
    ChosenRows(const OverviewModel *model, QObject *parent)
        : QSortFilterProxyModel(parent)
        , m_model(model)
    {
    }
    void setOnly(std::optional<OverviewModel::Column> column)
    {
        if (column == m_only)
            return;
        m_only = column;
        invalidateRowsFilter();
    }
    [[nodiscard]] std::optional<OverviewModel::Column> only() const { return m_only; }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex &parent) const override
    {
        return (!m_only || m_model->standsOut(row, *m_only)) && QSortFilterProxyModel::filterAcceptsRow(row, parent);
    }

private:
    const OverviewModel *m_model;
    std::optional<OverviewModel::Column> m_only;
};

OverviewPanel::OverviewPanel(OverviewModel *model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_sorted(new ChosenRows(model, this))
    , m_filter(new QLineEdit)
    , m_add(new QPushButton(tr("&Add repositories\u2026")))
    , m_problem(new NoticeBar)
    , m_headlines(new QWidget)
    , m_table(new QTableView)
    , m_empty(new Label({}, Label::Placeholder))
    , m_state(new Label({}, Label::Quiet))
{
    setWindowTitle(tr("Overview of repositories"));
    m_sorted->setSourceModel(model);
    m_sorted->setSortRole(OverviewModel::SortRole);
    m_sorted->setSortCaseSensitivity(Qt::CaseInsensitive);
    m_sorted->setSortLocaleAware(true);
    m_sorted->setFilterKeyColumn(-1);
    m_sorted->setFilterRole(OverviewModel::FilterRole);
    m_sorted->setFilterCaseSensitivity(Qt::CaseInsensitive);
    auto *close = new CloseHeader(Qt::Horizontal);
    close->setSectionsClickable(true);
    m_table->setHorizontalHeader(close);
    styleTextTable(m_table);
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder); // as the repositories were opened
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAccessibleName(tr("Branches of all repositories"));
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->installEventFilter(this);
    m_table->viewport()->installEventFilter(this);
    m_table->setItemDelegate(new OverviewDelegate(this));
    m_table->setTextElideMode(Qt::ElideRight);
    QHeaderView *header = m_table->horizontalHeader();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(QHeaderView::Fixed); // see fitColumns()
    header->setMinimumSectionSize(48);
    m_filter->setPlaceholderText(tr("Repository, branch, version, pin"));
    m_filter->setClearButtonEnabled(true);
    describe(m_filter, tr("Filter the branches"), tr("Part of any column: a name, a version, a nixpkgs revision"));
    m_problem->setLasting();
    setFocusProxy(m_filter);

    auto *top = new QHBoxLayout;
    top->addWidget(m_filter, 1);
    top->addWidget(m_add);
    auto *all = new QVBoxLayout(this);
    all->addLayout(top);
    all->addWidget(m_problem);
    m_headlines->setAccessibleName(tr("What to look at first"));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    m_headlines->setSizePolicy(policy);
    m_headlines->setLayout(new FlowLayout(4));
    m_headlines->layout()->setContentsMargins({});
    all->addWidget(m_headlines);
    all->addWidget(m_table, 1);
    all->addWidget(m_empty, 1);
    all->addWidget(m_state);
    const auto show = [this] {
        const bool any = m_model->rowCount() > 0;
        m_table->setVisible(any);
        m_empty->setVisible(!any);
        showHeadlines();
        fitColumns();
    };
    connect(model, &QAbstractItemModel::modelReset, this, show);
    connect(model, &QAbstractItemModel::dataChanged, this, show);
    connect(header, &QHeaderView::sortIndicatorChanged, this, &OverviewPanel::fitColumns); // the arrow
    show();

    connect(m_filter, &QLineEdit::textChanged, m_sorted, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_filter, &QLineEdit::textChanged, this, &OverviewPanel::shareWidth); // each row has its height
    connect(m_add, &QPushButton::clicked, this, &OverviewPanel::addRequested);
    connect(m_table, &QTableView::clicked, this, &OverviewPanel::openCurrent);
    connect(m_problem, &NoticeBar::actionTriggered, this, [this] { Q_EMIT removeRequested(m_unreadable); });
    connect(m_table, &QWidget::customContextMenuRequested, this, &OverviewPanel::showMenu);
}

/// A button each. The pressed one stays pressed, as long as any row stands out.
void OverviewPanel::showHeadlines()
{
    const bool hadFocus = m_headlines->isAncestorOf(m_headlines->window()->focusWidget());
    while (const QLayoutItem *item = m_headlines->layout()->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // One of them may be the sender.
        delete item;
    }
    std::optional<OverviewModel::Column> only;
    for (const OverviewModel::Headline &line : m_model->headlines()) {
        auto *button = new QToolButton;
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setIcon(iconOf(line.column, palette()));
        button->setText(QString(line.text).replace(u'&', u"&&"_s));
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setChecked(m_sorted->only() == line.column);
        describe(button, line.text, tr("Show only these branches. Press again to show all."));
        if (button->isChecked())
            only = line.column;
        connect(button, &QToolButton::clicked, this, [this, button, column = line.column](bool on) {
            for (auto *other : m_headlines->findChildren<QToolButton *>())
                other->setChecked(on && other == button);
            m_sorted->setOnly(on ? std::optional(column) : std::nullopt);
            shareWidth();
        });
        m_headlines->layout()->addWidget(button);
        if (button->isChecked() && hadFocus)
            button->setFocus(Qt::OtherFocusReason);
    }
    m_sorted->setOnly(only);
    m_headlines->setVisible(m_headlines->layout()->count() > 0);
}

/// Hides columns without a value, and shares the width so that no number is cut. Measures once: by itself the header
/// would for each column that is hidden, and for the table that is shown.
void OverviewPanel::fitColumns()
{
    using Column = OverviewModel::Column;
    for (const Column column : {Column::LastBuild, Column::Pushed}) {
        bool any = false;
        for (int row = 0; row < m_model->rowCount(); ++row)
            any = any || m_model->index(row, int(column)).data().toString() != u"\u2013"_s;
        m_table->setColumnHidden(int(column), !any);
    }
    m_table->resizeColumnsToContents();
    m_widths.clear();
    for (int column = 0; column < OverviewModel::columns; ++column)
        m_widths.append(m_table->columnWidth(column));
    shareWidth();
}

void OverviewPanel::shareWidth()
{
    using Column = OverviewModel::Column;
    // In characters: a pin's beginning and "oldest", two cells, "1 failed, 3 built by team". At 1280 pixels they fit.
    const int letter = m_table->fontMetrics().averageCharWidth();
    struct Text {
        Column column;
        int letters, fewest; // fewest: of a second line, so that what failed is seen in a window of 900 pixels
    };
    constexpr Text texts[] = {{Column::Repository, 12, 12}, {Column::Branch, 17, 13},   {Column::Versions, 13, 13},
                              {Column::Pythons, 10, 6},     {Column::Toolkits, 12, 12}, {Column::Pins, 17, 14},
                              {Column::Missing, 28, 20},    {Column::Builds, 28, 18}};
    // Where all are whole and there is room, a gap between them: what two columns say is not read as one.
    constexpr int apart = 12;
    int whole = 0;
    for (int column = 0; column < m_widths.size(); ++column)
        whole += m_table->isColumnHidden(column) ? 0 : m_widths.at(column);
    const int extra = whole + int(std::size(texts)) * apart <= m_table->viewport()->width() ? apart : 0;
    // A text that has no room in its column goes on in a second line, where few rows have to be scrolled for it.
    const int line = m_table->fontMetrics().height();
    const int high = rowHeight(m_table) + line;
    const bool fits = m_sorted->rowCount() * high <= 2 * m_table->viewport()->height();
    QList<TextColumn> columns;
    for (const bool close : {false, true}) {
        columns.clear();
        for (const Text &text : texts)
            columns.append({int(text.column), (close ? text.fewest : text.letters) * letter,
                            m_widths.value(int(text.column), -1) + extra});
        tmx::shareWidth(m_table->horizontalHeader(), columns);
        if (!fits || m_table->horizontalHeader()->length() <= m_table->viewport()->width())
            break;
    }
    const bool cut = std::ranges::any_of(columns, [this](const TextColumn &column) {
        return !m_table->isColumnHidden(column.column) && m_table->columnWidth(column.column) < column.whole;
    });
    int height = cut && fits ? high : rowHeight(m_table);
    // A third one, where no row is scrolled away for it.
    if (height == high && m_sorted->rowCount() * (high + line) <= m_table->viewport()->height() && !allWhole(high))
        height += line;
    m_table->verticalHeader()->setDefaultSectionSize(height);
    // A row for which fewer lines suffice has fewer.
    for (int row = 0; row < m_sorted->rowCount() && height > rowHeight(m_table); ++row) {
        int least = rowHeight(m_table);
        while (least < height && !isWhole(row, least))
            least += line;
        m_table->setRowHeight(row, std::min(least, height));
    }
}

/// Whether rows of that height show every text.
bool OverviewPanel::allWhole(int height) const
{
    for (int row = 0; row < m_sorted->rowCount(); ++row) {
        if (!isWhole(row, height))
            return false;
    }
    return true;
}

bool OverviewPanel::isWhole(int row, int height) const
{
    const auto *delegate = static_cast<OverviewDelegate *>(m_table->itemDelegate());
    QStyleOptionViewItem option;
    option.initFrom(m_table);
    for (int column = 0; column < OverviewModel::columns; ++column) {
        option.rect = QRect(0, 0, m_table->columnWidth(column), height);
        if (!m_table->isColumnHidden(column) && !delegate->isWhole(option, m_sorted->index(row, column)))
            return false;
    }
    return true;
}

void OverviewPanel::setReading(const QString &progress)
{
    m_reading = true;
    m_empty->setText(progress);
    m_state->setText(progress);
}

void OverviewPanel::setState(const QString &text)
{
    m_reading = false;
    m_empty->setText(tr("No repository was opened or added yet."));
    m_state->setText(text);
}

void OverviewPanel::setProblem(const QString &sentence, const QStringList &unreadable)
{
    m_unreadable = unreadable;
    if (sentence.isEmpty())
        m_problem->hide();
    else if (sentence != m_problem->text()) // A screen reader announces it once.
        m_problem->showNotice(NoticeBar::Kind::Problem, sentence,
                              unreadable.isEmpty() ? QString() : tr("Remove from the list"));
}

int OverviewPanel::currentRow() const
{
    return m_sorted->mapToSource(m_table->currentIndex()).row();
}

void OverviewPanel::openCurrent()
{
    if (const FleetBranch *branch = m_model->branchAt(currentRow()))
        Q_EMIT opened(branch->repository, branch->ref.name);
}

void OverviewPanel::showMenu(const QPoint &place)
{
    const FleetBranch *branch = m_model->branchAt(currentRow());
    if (!branch)
        return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("&Open"), this, &OverviewPanel::openCurrent);
    menu->addAction(tr("&Remove the repository from the list"), this,
                    [this, repository = branch->repository] { Q_EMIT removeRequested({repository}); });
    menu->popup(m_table->viewport()->mapToGlobal(place));
}

bool OverviewPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_table->viewport() && event->type() == QEvent::Resize)
        shareWidth();
    // On the test platform and in some styles Return does not activate.
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            openCurrent();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void OverviewPanel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showHeadlines(); // their icons
}

void OverviewPanel::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && isWindow())
        close();
    else
        QWidget::keyPressEvent(event);
}

} // namespace tmx
