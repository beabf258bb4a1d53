// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/change/ChangeView.h"

#include "model/change/Change.h"
#include "model/git/TextDiff.h"
#include "views/change/ChangeModel.h"
#include "views/recipe/CodeView.h"
#include "views/recipe/DiffView.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/FormArea.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"
#include "views/widgets/Views.h"
#include "views/widgets/WrapDelegate.h"

#include <QApplication>
#include <QCheckBox>
#include <QFuture>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>
#include <QtConcurrent>

#include <algorithm>

namespace tmx {

namespace {

constexpr int mostUnchosen = 20;
constexpr int margins = 24;       ///< in pixels, of a step's name and its tick
constexpr int narrowSteps = 1100; ///< in pixels: below it steps and change are too narrow side by side

/// Space between the rows separates boxes and names at a glance; reasons take as many lines as they need.
class RoomyDelegate : public WrapDelegate
{
public:
    explicit RoomyDelegate(QTreeView *tree)
        : WrapDelegate(tree, ChangeModel::Reason, 8)
    {
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        WrapDelegate::initStyleOption(option, index);
        if (index.column() == ChangeModel::Reason)
            return;
        // Names share their beginning, so the end of one says more than a second line.
        option->features &= ~QStyleOptionViewItem::WrapText;
        option->textElideMode = Qt::ElideMiddle;
    }
};

constexpr qsizetype shownErrors = 5;

/// Warnings, and what the branch loses.
QString notesOf(const QList<ChangeSet> &changes)
{
    QStringList notes;
    for (const ChangeSet &change : changes) {
        notes += change.warnings;
        if (!change.dropped.isEmpty())
            notes.append(
                ChangeView::tr("Impossible there, left out: %1.").arg(change.dropped.join(QStringLiteral(", "))));
    }
    return notes.join(QLatin1Char('\n'));
}

} // namespace

ChangeView::ChangeView(Parts parts)
    : m_parts(parts)
    , m_model(new ChangeModel(this))
    , m_summary(new Label({}, Label::Bold | Label::Wrapped, tr("Result")))
    , m_errors(new Label({}, Label::Wrapped | Label::Selectable, tr("Errors in the new text")))
    , m_force(new QCheckBox(tr("Continue despite these &errors")))
    , m_notes(new Label({}, Label::Wrapped | Label::Quiet | Label::Selectable, tr("Further notes")))
    , m_notesArea(new FormArea(m_notes, 3))
    , m_tree(new QTreeView)
    , m_body(new QStackedWidget)
    , m_nothing(new Label({}, Label::Placeholder))
    , m_reason(new Label({}, Label::Wrapped | Label::Quiet | Label::Selectable, tr("Why")))
    , m_whole(new QCheckBox(tr("&Whole text")))
    , m_texts(new QStackedWidget)
    , m_code(new CodeView)
    , m_diff(new DiffView)
{
    makeTree();
    QWidget *text = makeText();
    if (parts.testFlag(Text)) {
        m_body->addWidget(makeSplitter(Qt::Horizontal, m_tree, text, {370, 700}));
    } else {
        m_below = text;
        m_below->hide();
        auto *halves = makeSplitter(Qt::Vertical, m_tree, m_below);
        nameSplitter(halves, QStringLiteral("plan"), {300, 300});
        turnBelow(halves, narrowSteps);
        m_body->addWidget(halves);
        connect(m_tree->header(), &QHeaderView::sectionResized, this, [this](int column, int, int width) {
            if (column == ChangeModel::File && !m_fitting)
                m_fileWidth = width;
        });
        connect(m_tree, &QTreeView::activated, this, [this] { openText(current() != nullptr); });
        connect(m_tree, &QTreeView::doubleClicked, this, [this] { openText(current() != nullptr); });
    }
    m_body->addWidget(m_nothing);
    m_body->setCurrentWidget(m_nothing);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(6);
    layout->addWidget(m_summary);
    layout->addWidget(m_errors);
    layout->addWidget(m_force);
    layout->addWidget(m_notesArea);
    layout->addWidget(m_body, 1);
    m_summary->hide();
    m_errors->hide();
    m_force->hide();
    m_notesArea->hide();
    setFocusProxy(m_tree);

    connect(m_force, &QCheckBox::toggled, m_model, &ChangeModel::setForced);
    connect(m_model, &ChangeModel::chosenChanged, this, [this] {
        showSummary();
        showErrors();
        Q_EMIT chosenChanged();
    });
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        if (m_below) // Each change is seen before it is made.
            m_below->setVisible(current() != nullptr);
        showCurrent();
        if (!m_quiet)
            Q_EMIT currentChanged();
    });
    connect(m_whole, &QCheckBox::toggled, this, &ChangeView::showCurrent);
}

void ChangeView::makeTree()
{
    m_tree->setModel(m_model);
    m_tree->setAccessibleName(tr("Planned changes"));
    styleView(m_tree);
    m_tree->setItemDelegate(new RoomyDelegate(m_tree));
    m_tree->setUniformRowHeights(m_parts.testFlag(Text));
    m_tree->setWordWrap(!m_parts.testFlag(Text)); // wraps the reasons
    m_tree->setAllColumnsShowFocus(true);
    m_tree->setTextElideMode(m_parts.testFlag(Text) ? Qt::ElideMiddle : Qt::ElideRight);
    m_tree->setColumnHidden(ChangeModel::Reason, m_parts.testFlag(Text));
    m_tree->header()->setSectionsMovable(false);
}

QWidget *ChangeView::makeText()
{
    setPlainToolTip(m_whole, tr("Show the whole new text instead of the difference"));
    m_code->setAccessibleName(tr("New text"));
    m_diff->setAccessibleName(tr("Difference"));
    m_texts->addWidget(m_code);
    m_texts->addWidget(m_diff);
    auto *box = new QWidget;
    auto *layout = new QVBoxLayout(box);
    layout->setContentsMargins({});
    layout->setSpacing(4);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(8, 0, 4, 0);
    head->addWidget(m_reason, 1);
    head->addWidget(m_whole, 0, Qt::AlignTop);
    if (!m_parts.testFlag(Text)) {
        QToolButton *close = makeTool(QStringLiteral("\u2715"), tr("Close the text"), tr("Close (Esc)"));
        connect(close, &QToolButton::clicked, this, [this] { openText(false); });
        head->addWidget(close, 0, Qt::AlignTop);
    }
    layout->addLayout(head);
    layout->addWidget(m_texts, 1);
    return box;
}

const QList<ChangeSet> &ChangeView::changes() const
{
    return m_model->changes();
}

const ChangedFile *ChangeView::current() const
{
    return m_model->fileAt(m_tree->currentIndex());
}

void ChangeView::setChanges(const QList<ChangeSet> &changes)
{
    const QString path = current() ? current()->path : QString();
    const QString name = m_tree->currentIndex().data(ChangeModel::NameRole).toString();
    QHash<QString, bool> expanded;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex group = m_model->index(row, 0);
        expanded.insert(group.data(ChangeModel::GroupRole).toString(), m_tree->isExpanded(group));
    }
    const bool same = m_model->setChanges(changes);
    QModelIndex currentFile;
    int files = 0;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex group = m_model->index(row, 0);
        // Groups with changes are expanded. Dozens of files that stay are shown as a number only.
        const bool isKept =
            group.data(ChangeModel::ActionRole).toInt() == int(ChangeAction::Keep) ||
            (m_model->rowCount(group) > mostUnchosen && group.data(Qt::CheckStateRole).toInt() == Qt::Unchecked);
        const QString heading = group.data(ChangeModel::GroupRole).toString();
        m_tree->setExpanded(group, same ? expanded.value(heading, !isKept) : !isKept);
        for (int i = 0; i < m_model->rowCount(group); ++i, ++files) {
            const QModelIndex index = m_model->index(i, 0, group);
            if (same && m_model->fileAt(index)->path == path && index.data(ChangeModel::NameRole).toString() == name)
                currentFile = index;
        }
    }
    if (!currentFile.isValid() && (m_parts.testFlag(Text) || !same))
        currentFile = firstChange();
    if (currentFile.isValid()) {
        // The user has not chosen a step: nothing follows it.
        const QScopedValueRollback quiet(m_quiet, !m_parts.testFlag(Text));
        m_tree->expand(currentFile.parent());
        m_tree->setCurrentIndex(currentFile);
    }
    m_tree->setHeaderHidden(m_parts.testFlag(Text) && m_model->commonName().isEmpty());
    fitColumns();
    const QString notes = notesOf(changes);
    m_notes->setText(notes);
    m_notesArea->setVisible(m_parts.testFlag(Summary) && !notes.isEmpty());
    m_nothing->setText(whyNot(changes));
    m_body->setCurrentIndex(files > 0 ? 0 : 1);
    applyFilter();
    m_tree->setVisible(!m_parts.testFlag(Text) || files != 1 || !changes.constFirst().files.constFirst().chosen);
    showSummary();
    showErrors();
    showCurrent();
}

/// Of the first group that is open; else of the first that changes something, else none.
QModelIndex ChangeView::firstChange() const
{
    QModelIndex first;
    for (int row = m_model->rowCount() - 1; row >= 0; --row) {
        const QModelIndex group = m_model->index(row, 0);
        const bool changes = group.data(ChangeModel::ActionRole).toInt() != int(ChangeAction::Keep);
        if ((changes || m_parts.testFlag(Text)) && (!m_tree->isExpanded(first) || m_tree->isExpanded(group)))
            first = group;
    }
    return first.isValid() ? m_model->index(0, 0, first) : QModelIndex();
}

void ChangeView::clear(const QString &sentence)
{
    m_summary->clear();
    for (QWidget *widget : {static_cast<QWidget *>(m_summary), static_cast<QWidget *>(m_errors),
                            static_cast<QWidget *>(m_force), static_cast<QWidget *>(m_notesArea)})
        widget->hide();
    m_nothing->setText(sentence);
    m_body->setCurrentWidget(m_nothing);
}

void ChangeView::setFileWidth(int width)
{
    m_fileWidth = width;
    fitColumns();
}

void ChangeView::fitColumns()
{
    if (m_parts.testFlag(Text)) // The only column takes the full width.
        return;
    int widest = 0; // The reasons are longer, and get the rest.
    for (int group = 0; group < m_model->rowCount(); ++group) {
        const QModelIndex parent = m_model->index(group, 0);
        for (int row = 0; row < m_model->rowCount(parent); ++row) {
            const QString name = m_model->index(row, ChangeModel::File, parent).data().toString();
            widest = std::max(widest, fontMetrics().horizontalAdvance(name));
        }
    }
    const int before = 2 * m_tree->indentation() + style()->pixelMetric(QStyle::PM_IndicatorWidth) + margins;
    const int least = std::max(180, m_tree->header()->sectionSizeHint(ChangeModel::File));
    m_fitting = true;
    m_tree->setColumnWidth(ChangeModel::File,
                           m_fileWidth > 0 ? m_fileWidth : std::max(least, std::min(before + widest, 420)));
    m_fitting = false;
}

void ChangeView::choose(bool all)
{
    const Qt::CheckState state = all ? Qt::Checked : Qt::Unchecked;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex group = m_model->index(row, 0);
        if (m_words.isEmpty()) {
            m_model->setData(group, state, Qt::CheckStateRole);
            continue;
        }
        for (int i = 0; i < m_model->rowCount(group); ++i) {
            if (!m_tree->isRowHidden(i, group))
                m_model->setData(m_model->index(i, 0, group), state, Qt::CheckStateRole);
        }
    }
}

void ChangeView::setFilter(const QString &text)
{
    m_words = text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    applyFilter();
}

void ChangeView::applyFilter()
{
    int shown = 0;
    int all = 0;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex group = m_model->index(row, 0);
        const QString heading = group.data(ChangeModel::GroupRole).toString();
        int inGroup = 0;
        for (int i = 0; i < m_model->rowCount(group); ++i, ++all) {
            const QModelIndex index = m_model->index(i, 0, group);
            const ChangedFile *file = m_model->fileAt(index);
            const QString text = QStringList{heading, index.data(ChangeModel::NameRole).toString(), file->path,
                                             file->newPath, file->reason}
                                     .join(QLatin1Char('\n'));
            const bool matches = std::ranges::all_of(
                m_words, [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
            m_tree->setRowHidden(i, group, !matches);
            inGroup += matches;
        }
        m_tree->setRowHidden(row, {}, inGroup == 0);
        shown += inGroup;
    }
    if (all == 0)
        return; // The message shown instead is already a sentence.
    if (shown == 0)
        m_nothing->setText(tr("No step matches the filter."));
    m_body->setCurrentIndex(shown > 0 ? 0 : 1);
}

void ChangeView::openText(bool open)
{
    if (!m_below)
        return;
    if (!open && m_below->isAncestorOf(QApplication::focusWidget()))
        m_tree->setFocus();
    m_below->setVisible(open);
    showCurrent();
    if (open)
        m_tree->scrollTo(m_tree->currentIndex());
}

void ChangeView::showSummary()
{
    const QString text = summary(changes());
    const bool any = std::ranges::any_of(
        changes(), [](const ChangeSet &change) { return std::ranges::any_of(change.files, &ChangedFile::chosen); });
    m_summary->setText(any ? tr("Preview: %1", "changes").arg(text) : text);
    m_summary->setVisible(m_parts.testFlag(Summary) && !text.isEmpty());
}

void ChangeView::showErrors()
{
    QStringList errors;
    for (const ChangeSet &change : changes())
        errors += change.chosenErrors();
    const bool any = !errors.isEmpty();
    QStringList lines = errors.first(std::min(errors.size(), shownErrors));
    if (errors.size() > shownErrors)
        lines.append(tr("and %n more", nullptr, int(errors.size() - shownErrors)));
    m_errors->setText(any ? tr("The audit finds errors in the new text:\n%1").arg(lines.join(QLatin1Char('\n')))
                          : QString());
    m_errors->setVisible(any);
    m_force->setVisible(any);
    // Other errors need a new confirmation.
    const bool forced = std::ranges::any_of(changes(), &ChangeSet::forced);
    const QSignalBlocker blocker(m_force);
    m_force->setChecked(any && forced);
}

void ChangeView::showCurrent()
{
    ++m_comparison; // A result for another file is discarded.
    const ChangedFile *file = current();
    if (m_below && m_below->isHidden())
        return;
    // With the text beside the list, which has no room for reasons: the reason. Below the list, which shows reasons:
    // the path.
    m_reason->setText(!file ? QString() : m_below ? file->path : file->reason);
    const QByteArray before = file ? file->before.value_or(QByteArray()) : QByteArray();
    const QByteArray after = file ? file->after.value_or(QByteArray()) : QByteArray();
    // New and kept files are shown as text; of other files the difference matters.
    const bool changes = !before.isEmpty() && before != after;
    m_whole->setVisible(changes && !after.isEmpty());
    const QString path = !file ? QString() : file->newPath.isEmpty() ? file->path : file->newPath;
    m_code->setFile(path);
    m_diff->setFile(path);
    if (changes && (after.isEmpty() || !m_whole->isChecked())) {
        compare(before, after);
    } else {
        m_code->setCode(after);
        m_texts->setCurrentWidget(m_code);
    }
}

void ChangeView::compare(const QByteArray &before, const QByteArray &after)
{
    m_texts->setCurrentWidget(m_diff);
    QtConcurrent::run([before, after] {
        return diffTexts(before, after);
    }).then(this, [this, after, comparison = m_comparison](const QList<DiffLine> &lines) {
        if (comparison == m_comparison)
            m_diff->setDiff(lines, after);
    });
}

void ChangeView::keyPressEvent(QKeyEvent *event)
{
    const bool walks = m_texts->currentWidget() == m_diff && event->modifiers().testFlag(Qt::AltModifier);
    if (walks && event->key() == Qt::Key_Down)
        m_diff->nextChange();
    else if (walks && event->key() == Qt::Key_Up)
        m_diff->previousChange();
    else if (event->key() == Qt::Key_Escape && m_below && !m_below->isHidden())
        openText(false);
    else
        QWidget::keyPressEvent(event);
}

} // namespace tmx
