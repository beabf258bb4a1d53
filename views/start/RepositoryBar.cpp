// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/start/RepositoryBar.h"

#include "model/snapshot/PinUses.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int longestName = 200; ///< of a repository, in pixels

QString describe(const BranchRef &branch)
{
    if (branch.checkedOut)
        return RepositoryBar::tr("%1 (checked out)").arg(branch.name);
    if (!branch.checkedOutElsewhere.isEmpty())
        return RepositoryBar::tr("%1 (in %2)").arg(branch.name, QFileInfo(branch.checkedOutElsewhere).fileName());
    return branch.name;
}

QString commits(int count)
{
    return count <= 0 ? RepositoryBar::tr("no commit") : RepositoryBar::tr("%n commits", nullptr, count);
}

/// "3 ahead, 1 behind"; empty if the branch equals its upstream branch or has none.
QString distanceOf(const BranchRef &branch)
{
    QStringList parts;
    if (branch.ahead > 0)
        parts.append(RepositoryBar::tr("%1 ahead").arg(branch.ahead));
    if (branch.behind > 0)
        parts.append(RepositoryBar::tr("%1 behind").arg(branch.behind));
    return parts.join(u", "_s);
}

/// In full, and shorter where there is less room.
QStringList describe(const Settings &settings, const QStringList &pins)
{
    QStringList parts, shorter;
    const QString version = settings.versionOf(u"pytorch"_s);
    if (!version.isEmpty())
        parts.append(RepositoryBar::tr("PyTorch %1").arg(version));
    QStringList toolkits;
    for (const QString &toolkit : settings.toolkits()) {
        const QString release = settings.common(&Profile::release, {{}, {}, {toolkit}});
        toolkits.append(release.isEmpty() ? toolkit : release);
    }
    shorter = parts;
    if (!toolkits.isEmpty()) {
        parts.append(RepositoryBar::tr("CUDA %1").arg(toolkits.join(u", "_s)));
        shorter.append(RepositoryBar::tr("CUDA %1").arg(shortVersions(toolkits)));
    }
    if (!pins.isEmpty()) {
        const QString pinned = RepositoryBar::tr("nixpkgs %1").arg(shortPins(pins));
        parts.append(pinned);
        shorter.append(pinned);
    }
    const QString dot = u"  \u00b7  "_s;
    const QString text = parts.join(dot);
    if (settings.source != Settings::Source::Inferred || text.isEmpty())
        return {text, shorter.join(dot)};
    return {RepositoryBar::tr("%1 (inferred from the recipes)").arg(text), RepositoryBar::tr("%1 (inferred)").arg(text),
            RepositoryBar::tr("%1 (inferred)").arg(shorter.join(dot))};
}

} // namespace

RepositoryBar::RepositoryBar(QWidget *parent)
    : QWidget(parent)
    , m_repository(new QToolButton(this))
    , m_branch(makeChoice(tr("Branch")))
    , m_upstream(new Label)
    , m_line(new ElidedLabel(Label::Selectable, tr("What the branch builds"), Qt::ElideRight))
    , m_busy(new ElidedLabel(Label::Quiet, tr("Activity")))
    , m_progress(new QProgressBar(this))
    , m_stop(makeTool(u"\u2715"_s, tr("Stop git"), tr("Stop git")))
{
    m_repository->setText(tr("Repository")); // as high as its name
    m_repository->setAutoRaise(true);
    m_repository->setAccessibleName(tr("Repository; shows all"));
    QFont bold = m_repository->font();
    bold.setBold(true);
    bold.setPointSizeF(bold.pointSizeF() * 1.15);
    m_repository->setFont(bold);
    describe(m_branch, tr("Branch"), tr("Branch to show; showing a branch does not check it out"));
    m_branch->setMaximumWidth(360);
    m_branch->setMinimumWidth(90); // A long name of a branch or folder must not widen the window.
    m_branch->setEnabled(false);
    m_line->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // what the others leave
    m_line->setMinimumWidth(
        1); // Activity shown beside it must not widen the window for a moment: the panels would move under the pointer.
    m_line->setWhatsThis(
        tr("What the branch builds: PyTorch, CUDA and the pin, which is the commit of nixpkgs that its recipes "
           "are built with. \u201cInferred\u201d means that the branch has no torch-matrix.toml, so these values "
           "come from its recipes."));
    m_progress->setAccessibleName(tr("Progress"));
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(90, 6);
    auto *label = new Label(tr("Br&anch"), m_branch);

    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(8, 6, 12, 6);
    row->setSpacing(10);
    row->addWidget(m_repository);
    row->addWidget(label);
    row->addWidget(m_branch);
    row->addWidget(m_upstream);
    row->addSpacing(6);
    row->addWidget(m_line, 1);
    row->addWidget(m_busy);
    row->addWidget(m_progress);
    row->addWidget(m_stop);
    m_upstream->hide();
    showWork();

    connect(m_stop, &QToolButton::clicked, this, &RepositoryBar::stopRequested);
    connect(m_repository, &QToolButton::clicked, this, &RepositoryBar::switchRequested);
    connect(m_branch, &QComboBox::activated, this,
            [this](int index) { Q_EMIT branchChosen(m_branch->itemData(index).toString()); });
}

void RepositoryBar::setRepository(const RepositoryInfo &info, const QString &shownBranch)
{
    m_repository->setText(
        m_repository->fontMetrics().elidedText(QFileInfo(info.workTree).fileName(), Qt::ElideMiddle, longestName));
    setPlainToolTip(m_repository,
                    tr("%1 \u2013 show all repositories (Ctrl+Shift+V)").arg(QDir::toNativeSeparators(info.workTree)));
    const QSignalBlocker quiet(m_branch);
    m_branch->clear();
    if (info.detached)
        m_branch->addItem(tr("(detached HEAD at %1)").arg(info.headCommit.left(7)), QString());
    for (const BranchRef &branch : info.branches)
        m_branch->addItem(describe(branch), branch.name);
    m_branch->setCurrentIndex(qMax(0, m_branch->findData(shownBranch)));
    m_branch->setEnabled(m_branch->count() > 0);
    const auto shown = std::ranges::find(info.branches, shownBranch, &BranchRef::name);
    const QString distance = shown == info.branches.end() ? QString() : distanceOf(*shown);
    m_upstream->setText(distance);
    m_upstream->setVisible(!distance.isEmpty());
    if (distance.isEmpty())
        return;
    const QString sentence = tr("%1 has %2 that %3 does not have; %3 has %4 that %1 does not have.")
                                 .arg(shown->name, commits(shown->ahead), shown->upstream, commits(shown->behind));
    setPlainToolTip(m_upstream, sentence);
    m_upstream->setAccessibleName(sentence);
}

void RepositoryBar::setSettings(const Settings &settings, const QStringList &pins)
{
    QStringList all = pins;
    if (const QString pin = settings.common(&Profile::pin).revision; all.isEmpty() && !pin.isEmpty())
        all.append(pin);
    const QStringList forms = describe(settings, all);
    m_line->setForms(forms);
    setPlainToolTip(m_line, all.isEmpty()
                                ? forms.first()
                                : tr("%1\nnixpkgs pin %2", "line, revision").arg(forms.first(), all.join(u'\n')));
}

void RepositoryBar::setBusy(const QString &what)
{
    m_busyText = what;
    showWork();
}

void RepositoryBar::setGitWork(const QString &what, int percent)
{
    m_gitWork = what;
    m_percent = percent;
    showWork();
}

void RepositoryBar::showWork()
{
    const QString what = m_gitWork.isEmpty() ? m_busyText : m_gitWork;
    const bool hasPercent = !m_gitWork.isEmpty() && m_percent >= 0;
    m_busy->setFullText(what);
    m_progress->setRange(0, hasPercent ? 100 : 0);
    m_progress->setValue(hasPercent ? m_percent : 0);
    m_progress->setVisible(!what.isEmpty());
    m_stop->setVisible(!m_gitWork.isEmpty());
}

QString RepositoryBar::shownBranch() const
{
    return m_branch->currentData().toString();
}

} // namespace tmx
