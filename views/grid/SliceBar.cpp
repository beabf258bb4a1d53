// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/grid/SliceBar.h"

#include "model/matrix/MatrixSlices.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QTabBar>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

SliceBar::SliceBar(QWidget *parent)
    : QWidget(parent)
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(8);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_family = addPart(tr("Family"), tr("Packages that the grid shows"));
    m_python = addPart(tr("Python"), tr("Python that the packages are built for"));
    m_cuda = addPart(tr("CUDA"),
                     tr("CUDA toolkit of the GPU rows. Recipes without CUDA are always shown. \"All toolkits\" shows "
                        "them side by side, or a mark for each toolkit in every cell."));
    layout->addStretch(1);
}

SliceBar::Part SliceBar::addPart(const QString &name, const QString &tip)
{
    Part part{makeChoice(name), new QTabBar, new ElidedLabel(Label::Ordinary, name, Qt::ElideRight)};
    setPlainToolTip(part.box, tip);
    part.tabs->setAccessibleName(name);
    part.tabs->setDrawBase(false);
    part.tabs->setExpanding(false);
    part.tabs->setUsesScrollButtons(false);
    part.tabs->hide();
    part.box->hide();
    part.label->hide();
    layout()->addWidget(part.box);
    layout()->addWidget(part.tabs);
    layout()->addWidget(part.label);
    // activated, not currentIndexChanged: a change by refresh() is not the user's choice.
    connect(part.box, &QComboBox::activated, this, &SliceBar::choose);
    connect(part.tabs, &QTabBar::currentChanged, this, [this, part](int tab) {
        part.box->setCurrentIndex(tab);
        choose();
    });
    return part;
}

void SliceBar::setModel(MatrixModel *model)
{
    m_model = model;
    connect(model, &MatrixModel::sliceChanged, this, &SliceBar::refresh);
    refresh();
}

void SliceBar::fill(Part &part, const QList<Entry> &choices, const QString &current)
{
    const QSignalBlocker quiet(part.tabs);
    if (part.choices != choices) { // not of the bar that was clicked just now
        part.choices = choices;
        part.box->clear();
        while (part.tabs->count() > 0)
            part.tabs->removeTab(0);
        for (const auto &[id, title, shortTitle, tab] : choices) {
            part.box->addItem(title, id);
            part.box->setItemData(part.box->count() - 1, shortTitle, shortTextRole);
            part.tabs->setTabToolTip(part.tabs->addTab(QString(tab).replace(u'&', u"&&"_s)), plainToolTip(title));
        }
    }
    const int chosen = std::max(0, part.box->findData(current));
    part.box->setCurrentIndex(chosen);
    part.tabs->setCurrentIndex(chosen);
    setLeast(part);
    part.label->setForms(choices.size() == 1 ? QStringList{choices.first().title, choices.first().shortTitle}
                                             : QStringList());
    part.label->setVisible(choices.size() == 1);
}

/// The short text at least, up to a few letters: three fit a narrow window. The tooltip has elided text.
void SliceBar::setLeast(const Part &part)
{
    constexpr int mostLetters = 10;
    const QFontMetrics metrics = part.box->fontMetrics();
    int widest = 0;
    for (int i = 0; i < part.box->count(); ++i)
        widest = std::max(widest, metrics.horizontalAdvance(part.box->itemText(i)));
    const QString least = part.box->currentData(shortTextRole).toString();
    const int text = metrics.horizontalAdvance(least.isEmpty() ? part.box->currentText() : least);
    part.box->setMinimumWidth(part.box->sizeHint().width() - widest +
                              std::min(text + 2, mostLetters * metrics.averageCharWidth()));
}

void SliceBar::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange)
        return;
    for (const Part *part : {&m_family, &m_python, &m_cuda}) {
        if (part->box)
            setLeast(*part);
    }
}

/// The width with tabs where they are shown and selectors elsewhere, the least one, or with selectors alone.
QSize SliceBar::sizeWith(Width width) const
{
    QSize size(-layout()->spacing(), 0);
    for (const Part *part : {&m_family, &m_python, &m_cuda}) {
        const bool tabs = width == Width::Shown && !part->tabs->isHidden();
        const bool choice = part->box->count() > 1;
        const QWidget *shown = tabs     ? static_cast<QWidget *>(part->tabs)
                               : choice ? static_cast<QWidget *>(part->box)
                                        : part->label;
        const int across = width != Width::Least ? shown->sizeHint().width()
                           : choice              ? part->box->minimumWidth()
                                                 : shown->minimumSizeHint().width();
        size = QSize(size.width() + across + layout()->spacing(), std::max(size.height(), shown->sizeHint().height()));
    }
    return size;
}

QSize SliceBar::sizeHint() const
{
    return sizeWith(Width::Shown);
}

QSize SliceBar::minimumSizeHint() const
{
    return sizeWith(Width::Least);
}

void SliceBar::setRoom(int width)
{
    m_room = width;
    arrange();
}

/// Shows tabs where they fit, beginning with what is chosen most often.
void SliceBar::arrange()
{
    int left = m_room - sizeWith(Width::Selectors).width();
    for (const Part *part : {&m_cuda, &m_python, &m_family}) {
        const int more = part->tabs->sizeHint().width() - part->box->sizeHint().width();
        const bool fits = part->box->count() > 1 && more <= left;
        left -= fits ? more : 0;
        part->tabs->setVisible(fits);
        part->box->setVisible(part->box->count() > 1 && !fits);
    }
    updateGeometry();
    shareRoom();
}

/// Selectors become narrow before a word is elided: their menus have the whole text.
void SliceBar::shareRoom()
{
    const Part *parts[] = {&m_family, &m_python, &m_cuda};
    int words = 0;
    for (const Part *part : parts)
        words += part->label->isHidden() ? 0 : part->label->sizeHint().width();
    const int room = std::clamp(width() - sizeWith(Width::Least).width(), 0, words);
    for (const Part *part : parts)
        part->label->setMinimumWidth(words > 0 ? part->label->sizeHint().width() * room / words : 0);
}

void SliceBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    shareRoom();
}

void SliceBar::refresh()
{
    const MatrixSlice slice = m_model->slice();
    QList<Entry> families, pythons, cudas;
    const auto add = [](auto &list, const QString &id, const QString &title, const QString &shortTitle) {
        if (std::ranges::find(list, id, &Entry::id) == list.end())
            list.append({id, title, shortTitle});
    };
    // The number of variants that are there or wanted, of each that can be chosen beside the others.
    const auto count = [this](QList<Entry> &list, const auto &sliceWith) {
        for (Entry &entry : list) {
            const MatrixSlice one = sliceWith(entry.id);
            if (list.size() < 2 || !m_model->snapshot())
                continue;
            int variants = 0;
            int faulty = 0;
            for (const VariantEntry &variant : m_model->snapshot()->entries) {
                variants += one.holds(variant.variant) && (variant.present || variant.covered);
                const QList<Finding> &findings = variant.findings; // the gravest first
                faulty += one.holds(variant.variant) && !findings.isEmpty() &&
                          findings.constFirst().severity == Severity::Error;
            }
            const int missing = gapsIn(*m_model->snapshot(), one);
            entry.shortTitle = entry.shortTitle.isEmpty() ? entry.title : entry.shortTitle;
            entry.tab = missing > 0 ? tr("%1 · %2 · %3 missing", "tab, number of variants, number of them")
                                          .arg(entry.shortTitle)
                                          .arg(variants)
                                          .arg(missing)
                                    : tr("%1 · %2", "tab, number of variants").arg(entry.shortTitle).arg(variants);
            // A tab has no room for errors; its tooltip is the title, with the sign that they have beside the grid.
            QStringList counts{QString::number(variants)};
            if (missing > 0)
                counts.append(tr("%1 missing", "number of variants").arg(missing));
            if (faulty > 0)
                counts.append(u"\u2297 %1"_s.arg(faulty));
            entry.title = tr("%1 (%2)", "choice, numbers of variants").arg(entry.title, counts.join(u", "_s));
        }
    };
    for (const MatrixSlice &one : m_model->slices()) {
        const QString stated = m_model->snapshot() ? m_model->snapshot()->settings.versionOf(one.family) : QString();
        add(families, one.family, m_model->catalog()->titleOf(one.family, stated), {});
        if (!MatrixSlice::takes(slice.family, one.family))
            continue;
        add(pythons, one.python, pythonTitle(one.python), pythonVersion(one.python));
        if (MatrixSlice::takes(slice.python, one.python))
            add(cudas, one.cuda, one.cuda.isEmpty() ? tr("no CUDA") : tr("CUDA %1").arg(one.cuda), one.cuda);
    }
    const auto addAll = [](auto &list, const QString &title) {
        if (list.size() > 1)
            list.append({MatrixSlice::every(), title, tr("All")});
    };
    addAll(families, tr("All families"));
    addAll(pythons, tr("All Pythons"));
    addAll(cudas, tr("All toolkits"));
    count(families, [](const QString &id) { return MatrixSlice{id, MatrixSlice::every(), MatrixSlice::every()}; });
    count(pythons, [&](const QString &id) { return MatrixSlice{slice.family, id, MatrixSlice::every()}; });
    count(cudas, [&](const QString &id) { return MatrixSlice{slice.family, slice.python, id}; });
    fill(m_family, families, slice.family);
    fill(m_python, pythons, slice.python);
    fill(m_cuda, cudas, slice.cuda);
    arrange();
}

void SliceBar::choose()
{
    const MatrixSlice wanted{m_family.box->currentData().toString(), m_python.box->currentData().toString(),
                             m_cuda.box->currentData().toString()};
    Q_EMIT chosen();
    m_model->setSlice(nearestSlice(m_model->slices(), wanted));
}

} // namespace tmx
