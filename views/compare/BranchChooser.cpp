// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/compare/BranchChooser.h"

#include "views/theme/Colors.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"
#include "views/widgets/Views.h"

#include <QApplication>
#include <QDir>
#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QMouseEvent>
#include <QProgressBar>
#include <QSet>
#include <QShortcut>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace tmx {

namespace {

constexpr int labelRole = Qt::UserRole;
constexpr int equalRole = Qt::UserRole + 1; ///< bool: a remote-tracking branch at the same commit as a local one
constexpr int otherRole = Qt::UserRole + 2; ///< bool: of another repository, and not read yet
constexpr int titleRole = Qt::UserRole + 3; ///< its text without its place among those that are compared
constexpr int countRole = Qt::UserRole + 4; ///< int: its recipes

QString kindWord(const BranchSource &source)
{
    switch (source.elsewhere ? BranchSource::Kind::Commit : source.kind) {
    case BranchSource::Kind::Local: return BranchChooser::tr("local branch");
    case BranchSource::Kind::Remote: return BranchChooser::tr("remote-tracking branch");
    case BranchSource::Kind::Commit: return BranchChooser::tr("commit");
    case BranchSource::Kind::WorkTree: return BranchChooser::tr("files on disk, committed or not");
    }
    Q_UNREACHABLE_RETURN({});
}

/// A narrow list leaves the count of recipes out rather than a part of the name.
class SourceDelegate : public QStyledItemDelegate
{
    using QStyledItemDelegate::QStyledItemDelegate;

    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        const QVariant count = index.data(countRole);
        if (!count.isValid())
            return;
        const QString whole =
            BranchChooser::tr("%1  (%2)", "branch, count of recipes").arg(option->text).arg(count.toInt());
        const QStyle *style = option->widget ? option->widget->style() : QApplication::style();
        const QRect room = style->subElementRect(QStyle::SE_ItemViewItemText, option, option->widget);
        const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, option, option->widget) + 1;
        if (option->fontMetrics.horizontalAdvance(whole) + 2 * margin <= room.width())
            option->text = whole;
    }
};

} // namespace

BranchChooser::BranchChooser(QWidget *parent)
    : QWidget(parent)
    , m_title(new ElidedLabel(Label::Bold))
    , m_filter(new QLineEdit)
    , m_list(new QListWidget)
    , m_commit(new QLineEdit)
    , m_equal(new Label({}, Label::Narrow | Label::Quiet))
    , m_state(new Label({}, Label::Wrapped | Label::Quiet, tr("Reading progress")))
    , m_progress(new QProgressBar)
    , m_stop(new QToolButton)
{
    m_title->setFullText(tr("Compare"));
    m_filter->setPlaceholderText(tr("Filter branches"));
    m_filter->setAccessibleName(tr("Filter branches"));
    m_filter->setClearButtonEnabled(true);
    m_list->setAccessibleName(tr("Branches to compare"));
    styleView(m_list);
    m_list->setItemDelegate(new SourceDelegate(m_list));
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_commit->setPlaceholderText(tr("Any commit: main~3, v1.0\u2026"));
    describe(m_commit, tr("Another commit to compare"),
             tr("A tag, main~3, the beginning of a commit's id, or a branch of another repository: "
                "../build-torchvision@main. Enter adds it"));
    m_progress->setTextVisible(false);
    m_progress->setMaximumHeight(6);
    m_progress->setAccessibleName(tr("Branches read"));
    m_stop->setText(tr("Stop"));
    m_stop->setFocusPolicy(Qt::StrongFocus);
    m_stop->hide();
    m_progress->hide();

    auto *reading = new QHBoxLayout;
    reading->addWidget(m_progress, 1);
    reading->addWidget(m_stop);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 10, 10, 10);
    layout->setSpacing(6);
    layout->addWidget(m_title);
    layout->addWidget(m_filter);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_equal);
    layout->addWidget(m_commit);
    layout->addWidget(m_state);
    layout->addLayout(reading);
    colourBoxes();
    wire();
}

void BranchChooser::wire()
{
    connect(m_filter, &QLineEdit::textChanged, this, &BranchChooser::filter);
    connect(m_list, &QListWidget::itemChanged, this, [this](QListWidgetItem *item) {
        const QString label = item->data(labelRole).toString();
        if (item->data(otherRole).toBool() && item->checkState() == Qt::Checked)
            Q_EMIT commitEntered(label);
        if (item->data(otherRole).toBool())
            return;
        m_checked.removeAll(label);
        if (item->checkState() == Qt::Checked)
            m_checked.append(label);
        number();
        Q_EMIT checkedChanged(m_checked);
    });
    // A click anywhere in the line toggles it; the list handles a click on the check mark itself.
    const auto toggle = [](QListWidgetItem *item) {
        item->setCheckState(item->checkState() == Qt::Checked ? Qt::Unchecked : Qt::Checked);
    };
    m_list->viewport()->installEventFilter(this);
    connect(m_list, &QListWidget::itemClicked, this, [this, toggle](QListWidgetItem *item) {
        if (item->checkState() == m_pressed)
            toggle(item);
    });
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter}) {
        auto *enter = new QShortcut(key, m_list, nullptr, nullptr, Qt::WidgetShortcut);
        connect(enter, &QShortcut::activated, this, [this, toggle] {
            if (QListWidgetItem *item = m_list->currentItem())
                toggle(item);
        });
    }
    connect(m_commit, &QLineEdit::returnPressed, this, [this] {
        if (const QString text = m_commit->text().trimmed(); !text.isEmpty())
            Q_EMIT commitEntered(text);
        m_commit->clear();
    });
    connect(m_stop, &QToolButton::clicked, this, [this] {
        if (m_reading)
            Q_EMIT stopRequested();
        else
            Q_EMIT readRequested();
    });
}

void BranchChooser::setSources(const QList<BranchSource> &sources, const QHash<QString, int> &counts)
{
    const QStringList before = m_checked;
    const QString current = m_list->currentItem() ? m_list->currentItem()->data(labelRole).toString() : QString();
    {
        const QSignalBlocker blocker(m_list);
        m_list->clear();
        m_checked.removeIf([&sources](const QString &label) {
            return std::ranges::find(sources, label, &BranchSource::label) == sources.end();
        });
        for (const BranchSource &source : sources) {
            const int count = counts.value(source.label);
            // The names of remote branches differ in their ends.
            const qsizetype remote = source.kind == BranchSource::Kind::Remote ? source.label.indexOf(u'/') : -1;
            const QString name =
                source.elsewhere ? titleOf(source, source.repository)
                : remote < 0
                    ? source.label
                    : tr("%1 of %2", "branch, remote").arg(source.label.sliced(remote + 1), source.label.first(remote));
            auto *item = new QListWidgetItem(name, m_list);
            item->setData(labelRole, source.label);
            item->setData(titleRole, name);
            item->setData(countRole, count);
            item->setData(equalRole, source.kind == BranchSource::Kind::Remote && !source.commit.isEmpty() &&
                                         std::ranges::any_of(sources, [&source](const BranchSource &other) {
                                             return other.kind == BranchSource::Kind::Local && !other.elsewhere &&
                                                    other.commit == source.commit;
                                         }));
            item->setSizeHint({0, rowHeight(m_list)}); // As wide as the list: longer names are elided in the middle.
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
            item->setCheckState(before.contains(source.label) ? Qt::Checked : Qt::Unchecked);
            item->setData(Qt::ToolTipRole,
                          tr("%1: %2 at %3, %n recipes", nullptr, count)
                              .arg(source.label, kindWord(source),
                                   source.commit.isEmpty() ? tr("no commit") : source.commit.left(10)));
            if (source.label == current)
                m_list->setCurrentItem(item);
        }
        addOthers();
    }
    number();
    filter(m_filter->text());
    if (m_checked != before)
        Q_EMIT checkedChanged(m_checked);
}

QString BranchChooser::titleOf(const BranchSource &source, const QString &repository)
{
    const QString name = source.elsewhere ? source.label.sliced(source.label.lastIndexOf(u'@') + 1) : source.label;
    return tr("%1 of %2", "branch, repository").arg(name, QDir::cleanPath(repository).section(u'/', -1));
}

void BranchChooser::setRepository(const QString &name)
{
    m_title->setFullText(tr("Compare in %1", "repository").arg(name));
}

void BranchChooser::setOthers(const QStringList &others)
{
    const QSignalBlocker blocker(m_list);
    m_others = others;
    addOthers();
    filter(m_filter->text());
}

void BranchChooser::addOthers()
{
    QStringList listed;
    for (int i = m_list->count() - 1; i >= 0; --i) {
        if (m_list->item(i)->data(otherRole).toBool())
            delete m_list->takeItem(i);
        else
            listed.append(m_list->item(i)->data(labelRole).toString());
    }
    for (const QString &other : std::as_const(m_others)) {
        if (listed.contains(other))
            continue;
        BranchSource source{.label = other, .elsewhere = true};
        auto *item =
            new QListWidgetItem(titleOf(source, other.first(std::max<qsizetype>(other.lastIndexOf(u'@'), 0))), m_list);
        item->setData(labelRole, other);
        item->setData(otherRole, true);
        item->setSizeHint({0, rowHeight(m_list)});
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(Qt::Unchecked);
        item->setData(Qt::ToolTipRole, other);
    }
}

void BranchChooser::setChecked(const QStringList &labels)
{
    {
        const QSignalBlocker blocker(m_list);
        QStringList present;
        for (int i = 0; i < m_list->count(); ++i) {
            const QString label = m_list->item(i)->data(labelRole).toString();
            const bool read = !m_list->item(i)->data(otherRole).toBool();
            if (read)
                present.append(label);
            m_list->item(i)->setCheckState(read && labels.contains(label) ? Qt::Checked : Qt::Unchecked);
        }
        m_checked.clear();
        for (const QString &label : labels) {
            if (present.contains(label) && !m_checked.contains(label))
                m_checked.append(label);
        }
    }
    number();
    Q_EMIT checkedChanged(m_checked);
}

/// Those that are compared have the number that the legend gives them: the order in which they were ticked.
void BranchChooser::number()
{
    const QSignalBlocker blocker(m_list);
    for (int i = 0; i < m_list->count(); ++i) {
        QListWidgetItem *item = m_list->item(i);
        const QString title = item->data(titleRole).toString();
        const qsizetype place = m_checked.indexOf(item->data(labelRole).toString());
        if (!title.isEmpty())
            item->setText(place < 0 || m_checked.size() < 2
                              ? title
                              : tr("%1. %2", "place in the order ticked, branch").arg(place + 1).arg(title));
    }
}

void BranchChooser::filter(const QString &text)
{
    const QString words = text.trimmed();
    int hidden = 0;
    for (int i = 0; i < m_list->count(); ++i) {
        QListWidgetItem *item = m_list->item(i);
        const bool equal = words.isEmpty() && item->data(equalRole).toBool();
        const bool shown = item->checkState() == Qt::Checked ||
                           (!equal && item->data(labelRole).toString().contains(words, Qt::CaseInsensitive));
        item->setHidden(!shown);
        hidden += !shown && equal;
    }
    m_equal->setText(
        tr("%n remote branches that equal local ones are hidden. Type a name above to see them.", nullptr, hidden));
    m_equal->setVisible(hidden > 0);
}

void BranchChooser::setReading(bool reading)
{
    m_reading = reading;
    m_progress->setVisible(reading);
    m_stop->setVisible(reading);
    m_stop->setText(tr("Stop"));
    if (reading)
        m_progress->setRange(0, 0);
    if (!reading) // Those that could not be read are not checked any more.
        setOthers(m_others);
    m_state->setText(reading ? tr("Reading the branches\u2026") : QString());
    m_state->setVisible(reading);
}

void BranchChooser::setProgress(int done, int total)
{
    m_progress->setRange(0, total);
    m_progress->setValue(done);
    m_state->setText(tr("Reading branch %1 of %2").arg(std::min(done + 1, total)).arg(total));
}

void BranchChooser::setStopped(bool stopped)
{
    if (!stopped)
        return;
    m_state->setText(tr("Stopped; not all branches were read."));
    m_state->show();
    m_stop->setText(tr("Read the rest"));
    m_stop->show();
}

bool BranchChooser::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick) {
        // The list tells of no press on a check mark.
        const auto *mouse = static_cast<QMouseEvent *>(event);
        if (const QListWidgetItem *item = m_list->itemAt(mouse->position().toPoint()))
            m_pressed = item->checkState();
    }
    return QWidget::eventFilter(watched, event);
}

void BranchChooser::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        colourBoxes();
}

void BranchChooser::colourBoxes()
{
    // Styles draw the frame of an empty check box darker than the window, which is invisible on a dark one.
    QPalette boxes = palette();
    boxes.setColor(QPalette::Window, mix(palette().color(QPalette::Base), palette().color(QPalette::Text), 0.65));
    m_list->setPalette(boxes);
}

} // namespace tmx
