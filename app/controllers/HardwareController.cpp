// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/HardwareController.h"

#include "model/hardware/BuilderProbe.h"
#include "model/hardware/DriverVerdict.h"
#include "model/hardware/GpuNames.h"
#include "model/hardware/HardwareProbe.h"
#include "model/hardware/HostText.h"
#include "model/hardware/MachinePicks.h"
#include "model/hardware/MachineStore.h"
#include "model/hardware/RemoteProbe.h"
#include "model/matrix/MatrixModel.h"
#include "model/workspace/PickChoices.h"
#include "model/workspace/Workspace.h"
#include "views/grid/GridPanel.h"
#include "views/hardware/HardwarePanel.h"
#include "views/hardware/MachineBar.h"
#include "views/hardware/MachineTextDialog.h"

#include <QFuture>
#include <QSettings>
#include <QtConcurrent>

#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

const QString machineSetting = u"machine"_s;   // name of a saved machine; absent: this machine
const QString workloadSetting = u"workload"_s; // index of Workload

/// What a worker computes for the panel.
struct Answer {
    MachinePicks picks;
    DriverVerdict driver;
};

Answer answerFor(const std::shared_ptr<const Catalog> &catalog, const std::shared_ptr<const BranchSnapshot> &snapshot,
                 const std::shared_ptr<const BranchRecipes> &others, const QHash<QString, BuildState> &builds,
                 const HostReport &report, Workload workload)
{
    const PickChoice choice = choiceOf(*catalog, *snapshot, others);
    QStringList toolkits;
    for (const Variant &kind : choice.kinds) {
        if (!kind.cuda.isEmpty())
            toolkits.append(kind.cuda);
    }
    Answer answer{picksFor(*catalog, choice, report, workload), judgeDriver(*catalog, report, toolkits)};
    tellOfRecipes(answer.picks, *snapshot, builds);
    return answer;
}

} // namespace

HardwareController::HardwareController(Workspace *workspace, MatrixModel *matrix, const Views &views, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_matrix(matrix)
    , m_panel(views.panel)
    , m_grid(views.grid)
    , m_probe(new HardwareProbe(this))
    , m_remote(new RemoteProbe(this))
    , m_builders(new BuilderProbe(this))
{
    connect(m_probe, &HardwareProbe::finished, this, [this](const HostReport &report) { take({}, report); });
    connect(m_remote, &RemoteProbe::finished, this,
            [this](const Result<HostReport> &report) { take(m_asked, report); });
    connect(m_builders, &BuilderProbe::changed, m_panel, &HardwarePanel::setBuilders);
    connect(workspace, &Workspace::snapshotChanged, this, [this] {
        showPicks();
        readRecipes();
    });
    connect(matrix, &MatrixModel::summaryChanged, this,
            [this] { // Also emitted for builds, when usually nothing needs to be judged again.
                if (m_matrix->lens() == Lens::Machine && m_matrix->variants() != m_judged)
                    judgeCells();
            });
    connect(matrix, &MatrixModel::lensChanged, this, &HardwareController::judgeCells);
    wirePanel();
}

HardwareController::~HardwareController()
{
    *m_stopReading = true;
}

void HardwareController::wirePanel()
{
    MachineBar *bar = m_panel->machines();
    connect(m_panel, &HardwarePanel::detectRequested, this, [this] { show(m_report ? m_shown : MachineRef{}); });
    connect(bar, &MachineBar::machineChosen, this, &HardwareController::show);
    connect(bar, &MachineBar::saveRequested, this, &HardwareController::save);
    connect(bar, &MachineBar::forgetRequested, this, &HardwareController::forget);
    connect(bar, &MachineBar::textTyped, this, &HardwareController::readTyped);
    connect(bar, &MachineBar::branchPickChosen, this, &HardwareController::pickChosen);
    connect(m_panel, &HardwarePanel::branchRequested, this, &HardwareController::pickChosen);
    connect(bar, &MachineBar::textGiven, this, [this](const QString &text) {
        read({MachineRef::Kind::Text, tr("pasted")}, [text] { return readHostText(text.toUtf8(), tr("pasted")); });
    });
    connect(bar, &MachineBar::fileGiven, this, [this](const QString &path) {
        read({MachineRef::Kind::Text, path.section(u'/', -1)}, [path] { return readHostFile(path); });
    });
    connect(bar, &MachineBar::workloadChosen, this, [this](Workload workload) {
        m_workload = workload;
        QSettings().setValue(workloadSetting, int(workload));
        showPicks();
        judgeCells();
    });
}

/// What the dialog shows while a text is pasted or typed.
void HardwareController::readTyped(const QString &text)
{
    m_typed = ++m_questions;
    const std::shared_ptr<const BranchSnapshot> shown =
        m_workspace->isOpen() ? m_workspace->snapshot() : std::shared_ptr<const BranchSnapshot>();
    QtConcurrent::run([catalog = m_workspace->catalog(), shown, others = m_recipes, text, name = tr("pasted"),
                       workload = m_workload] {
        ReadMachine read;
        if (text.trimmed().isEmpty())
            return read;
        const Result<HostReport> report = readHostText(text.toUtf8(), name);
        if (!report) {
            read.trouble = report.error().sentence();
            return read;
        }
        read.facts = factsOf(*catalog, *report);
        if (shown)
            read.best = bestOfBranches(*catalog, *shown, others, recognisedByName(*catalog, *report), workload);
        return read;
    }).then(this, [this, question = m_typed](const ReadMachine &read) {
        if (question == m_typed)
            m_panel->machines()->setRead(read);
    });
}

void HardwareController::start()
{
    const QSettings settings;
    const int workload = settings.value(workloadSetting, 0).toInt();
    m_workload = workload >= int(Workload::General) && workload <= int(Workload::WidestReach) ? Workload(workload)
                                                                                              : Workload::General;
    m_panel->machines()->setWorkload(m_workload);
    const QString name = settings.value(machineSetting).toString();
    listMachines();
    show(MachineStore::isName(name) ? MachineRef{MachineRef::Kind::Saved, name} : MachineRef{});
}

void HardwareController::show(const MachineRef &machine)
{
    switch (machine.kind) {
    case MachineRef::Kind::Text: return; // A text is shown already, and cannot be probed again.
    case MachineRef::Kind::Saved: read(machine, [name = machine.name] { return MachineStore().load(name); }); return;
    case MachineRef::Kind::This:
    case MachineRef::Kind::Ssh: break;
    }
    m_probe->cancel();
    m_remote->cancel();
    m_asked = machine;
    m_asking = ++m_questions;
    if (machine.kind == MachineRef::Kind::This) {
        m_panel->setDetecting();
        m_probe->start();
    } else {
        m_panel->setDetecting(tr("Detecting %1 over ssh…").arg(machine.name));
        m_remote->start(machine.name);
    }
}

void HardwareController::read(const MachineRef &machine, std::function<Result<HostReport>()> reading)
{
    m_probe->cancel();
    m_remote->cancel();
    m_asked = machine;
    m_asking = ++m_questions;
    m_panel->setDetecting(tr("Reading the report of %1…").arg(machine.name));
    QtConcurrent::run(std::move(reading))
        .then(this, [this, machine, question = m_asking](const Result<HostReport> &report) {
            if (question == m_asking)
                take(machine, report);
        });
}

void HardwareController::take(const MachineRef &machine, const Result<HostReport> &report)
{
    m_asking = 0;
    if (!report) {
        // The saved machine of the last session no longer exists: show this machine.
        if (!m_report && machine.kind == MachineRef::Kind::Saved) {
            QSettings().remove(machineSetting);
            m_toldLater = report.error().sentence(); // The pending result clears a message that is shown now.
            detect();
            return;
        }
        m_panel->setFailed(report.error().sentence());
        Q_EMIT detected();
        return;
    }
    m_report = recognisedByName(*m_workspace->catalog(), *report);
    m_shown = machine;
    if (machine.kind == MachineRef::Kind::Saved)
        QSettings().setValue(machineSetting, machine.name);
    else
        QSettings().remove(machineSetting);
    m_panel->setReport(*m_report, machine);
    if (machine.kind == MachineRef::Kind::This)
        m_builders->start();
    else
        m_builders->cancel();
    m_panel->machines()->setProblem(std::exchange(m_toldLater, {}));
    m_grid->setMachine(machineName());
    listMachines();
    showPicks();
    judgeCells();
    if (!m_picking)
        Q_EMIT detected();
}

QString HardwareController::machineName() const
{
    if (m_shown.kind == MachineRef::Kind::This)
        return tr("this machine");
    return m_shown.kind == MachineRef::Kind::Text && m_report && !m_report->name.isEmpty() ? m_report->name
                                                                                           : m_shown.name;
}

void HardwareController::save(const QString &name)
{
    if (!m_report)
        return;
    QtConcurrent::run([name, report = *m_report] {
        return MachineStore().save(name, report);
    }).then(this, [this, name](const Result<void> &saved) {
        if (!saved)
            m_panel->setFailed(saved.error().sentence());
        else
            show({MachineRef::Kind::Saved, name});
    });
}

void HardwareController::forget(const QString &name)
{
    QtConcurrent::run([name] {
        return MachineStore().remove(name);
    }).then(this, [this, name](const Result<void> &removed) {
        if (!removed)
            m_panel->setFailed(removed.error().sentence());
        else if (m_shown == MachineRef{MachineRef::Kind::Saved, name})
            detect();
        else
            listMachines();
    });
}

void HardwareController::machinesChanged(const QHash<QString, QString> &newNames)
{
    if (m_shown.kind != MachineRef::Kind::Saved || !newNames.contains(m_shown.name))
        return listMachines();
    const QString name = newNames.value(m_shown.name);
    show(name.isEmpty() ? MachineRef() : MachineRef{MachineRef::Kind::Saved, name});
}

void HardwareController::listMachines()
{
    QtConcurrent::run([] { return MachineStore().names(); }).then(this, [this](const QStringList &names) {
        m_panel->machines()->setMachines(names, m_shown);
    });
}

void HardwareController::showPicks()
{
    if (!m_report || !m_workspace->isOpen())
        return;
    m_picking = ++m_questions;
    const std::shared_ptr<const BranchSnapshot> snapshot = m_workspace->snapshot();
    QtConcurrent::run(answerFor, m_workspace->catalog(), snapshot, m_recipes, m_workspace->builds(), *m_report,
                      m_workload)
        .then(this, [this, question = m_picking, branch = snapshot->branch](const Answer &answer) {
            if (question != m_picking)
                return;
            m_picking = 0;
            m_panel->setPicks(branch, answer.picks, answer.driver);
            if (!m_asking)
                Q_EMIT detected();
        });
}

void HardwareController::judgeCells()
{
    m_judging = ++m_questions; // Discard pending results: they are for another machine, workload or slice.
    if (!m_report || m_matrix->lens() != Lens::Machine) {
        m_judged.clear();
        m_matrix->setVerdicts({});
        return;
    }
    m_judged = m_matrix->variants();
    HostReport report = *m_report;
    report.name = machineName();
    QtConcurrent::run([catalog = m_workspace->catalog(), report, workload = m_workload, variants = m_judged,
                       snapshot = m_workspace->snapshot()] {
        QList<Candidate> candidates;
        for (const Variant &variant : variants) {
            const VariantEntry *entry = snapshot->find(variant.name());
            candidates.append({.variant = variant, .systems = entry ? entry->systems(*catalog) : QStringList()});
        }
        FitVerdicts verdicts = judgeAll(*catalog, report, workload, candidates);
        for (const Pick &pick : pickVariants(*catalog, choiceOf(*catalog, *snapshot, {}), report, workload).run) {
            if (pick.recipe == Candidate::Recipe::Sound)
                verdicts.best.append(pick.variant.name());
        }
        return verdicts;
    }).then(this, [this, question = m_judging](const FitVerdicts &verdicts) {
        if (question == m_judging)
            m_matrix->setVerdicts(verdicts);
    });
}

void HardwareController::readRecipes()
{
    const BranchSnapshot &snapshot = *m_workspace->snapshot();
    QStringList of{snapshot.repository, snapshot.branch};
    for (const BranchRef &branch : m_workspace->info().branches)
        of.append(branch.name + u' ' + branch.commit);
    for (const VariantEntry &entry : snapshot.entries) {
        if (entry.present && !of.contains(entry.variant.row))
            of.append(entry.variant.row);
    }
    if (of == m_recipesOf)
        return;
    if (of.first() != m_recipesOf.value(0))
        m_recipes.reset();
    m_recipesOf = of;
    *m_stopReading = true;
    m_stopReading = std::make_shared<std::atomic_bool>(false);
    QtConcurrent::run([reader = m_workspace->reader(), path = snapshot.repository, stop = m_stopReading] {
        return readBranchRecipes(*reader, path, {{}, [stop] { return stop->load(); }});
    }).then(this, [this, of](const Result<BranchRecipes> &recipes) {
        if (of != m_recipesOf || !recipes) // The code that shows the branch reports a repository that cannot be read.
            return;
        m_recipes = std::make_shared<const BranchRecipes>(*recipes);
        QStringList titles;
        for (const GpuRow &row : m_recipes->uncoveredGpus(*m_workspace->catalog()))
            titles.append(shortTitle(row));
        m_panel->setUncovered(titles);
        showPicks();
    });
}

} // namespace tmx
