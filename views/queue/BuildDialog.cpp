// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/queue/BuildDialog.h"

#include "model/base/Sentences.h"
#include "model/base/ShortList.h"
#include "views/queue/SlurmForm.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/CheckList.h"
#include "views/widgets/FormArea.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>

#include <algorithm>
#include <chrono>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int mostCores = 4096;

} // namespace

BuildDialog::BuildDialog(BuildRequest request, const BuildPlan &plan, QWidget *parent)
    : QDialog(parent)
    , m_request(std::move(request))
    , m_plan(plan)
    , m_summary(new Label({}, Label::Wrapped, tr("Variants to build")))
    , m_checks(new CheckList(tr("Problems that would make the builds fail")))
    , m_place(makeChoice(tr("Machine that builds")))
    , m_slurm(new SlurmForm(m_request.wish.slurm))
    , m_engine(makeChoice(tr("Build engine")))
    , m_builders(makeChoice(tr("Nix's remote builders for these builds")))
    , m_cores(makeNumber(0, mostCores, tr("Cores for each build"),
                         tr("Cores that each derivation may use. Compilers for GPUs take about 5 GB of memory each.")))
    , m_again(new QCheckBox(tr("Also build variants that are &already built")))
    , m_ownPin(new QCheckBox)
    , m_dependents(new QCheckBox(tr("Also build &what is built against these variants, in all repositories")))
    , m_busy(makeBusyBar(tr("Checking this machine"), 3))
    , m_build(new QPushButton)
{
    setWindowTitle(tr("Build"));
    for (const BuildEngine engine : {BuildEngine::Flox, BuildEngine::Nix})
        m_engine->addItem(QString(), int(engine)); // showPlan() sets their texts.
    if (const QList<Job> &jobs = plan.wanted.jobs; m_request.wish.engine || !jobs.isEmpty())
        m_engine->setCurrentIndex(m_engine->findData(
            int(m_request.wish.engine.value_or(jobs.isEmpty() ? BuildEngine::Flox : jobs.constFirst().engine))));
    fillPlaces();
    fillBuilders();
    m_cores->setValue(m_request.wish.cores);
    m_again->setChecked(m_request.again);
    m_ownPin->setChecked(m_request.wish.ownPin);
    setPlainToolTip(m_ownPin, tr("nix-build takes the nixpkgs that the recipe fetches as <nixpkgs>."));
    m_dependents->setChecked(m_request.withDependents);
    m_dependents->setEnabled(!m_request.wish.here);
    setPlainToolTip(m_dependents, tr("Each is built after its torch. The overview lists the repositories."));
    auto *cancel = new QPushButton(tr("Cancel"));
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(10);
    layout->addWidget(m_summary);
    layout->addWidget(m_checks, 1);
    layout->addWidget(m_busy);
    layout->addWidget(new FormArea(makeForm()));
    layout->addLayout(makeFooter({}, cancel, m_build));

    m_settle.setSingleShot(true);
    m_settle.setInterval(std::chrono::milliseconds(150));
    connect(&m_settle, &QTimer::timeout, this, &BuildDialog::requestChanged);
    connect(m_engine, &QComboBox::currentIndexChanged, this, &BuildDialog::takeEdit);
    for (const QComboBox *box : {m_place, m_builders})
        connect(box, &QComboBox::currentTextChanged, this, &BuildDialog::takeEdit);
    connect(m_slurm, &SlurmForm::edited, this, &BuildDialog::takeEdit);
    connect(m_cores, &QSpinBox::valueChanged, this, &BuildDialog::takeEdit);
    for (const QCheckBox *box : {m_again, m_ownPin, m_dependents})
        connect(box, &QCheckBox::toggled, this, &BuildDialog::takeEdit);
    connect(m_build, &QPushButton::clicked, this, &QDialog::accept);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    showPlan();
    if (m_request.withDependents) // The plan is without them.
        takeEdit();
}

QWidget *BuildDialog::makeForm()
{
    auto *fields = new QWidget;
    auto *form = new QFormLayout(fields);
    form->setContentsMargins({});
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    for (QComboBox *box : {m_place, m_engine}) // AdjustToContents would shrink what the form has made wide.
        box->setSizeAdjustPolicy(QComboBox::AdjustToContentsOnFirstShow);
    form->addRow(new Label(tr("&Where"), m_place), m_place);
    form->addRow(new Label(tr("&Engine"), m_engine), m_engine);
    form->addRow(new Label(tr("&Remote builders"), m_builders), m_builders);
    form->addRow(new Label(tr("&Cores for each build"), m_cores), m_cores);
    for (QWidget *row : std::initializer_list<QWidget *>{m_ownPin, m_again, m_dependents, m_slurm})
        form->addRow(row);
    return fields;
}

void BuildDialog::fillPlaces()
{
    for (const QString &known : QStringList{QString()} + m_plan.machines + QStringList{u"slurm"_s}) {
        if (const auto place = placeNamed(known))
            m_place->addItem(place->isHere() ? tr("This machine") : placeText(*place), known);
    }
    const QString wished = toString(m_request.wish.place);
    if (m_place->findData(wished) < 0)
        m_place->addItem(placeText(m_request.wish.place), wished);
    m_place->setCurrentIndex(m_place->findData(wished));
    m_place->setEditable(!m_request.wish.here);
    m_place->setEnabled(!m_request.wish.here);
    setPlainToolTip(m_place, tr("Choose a machine, or type a host, user@host or a name from your ssh "
                                "configuration."));
    m_place->setInsertPolicy(QComboBox::NoInsert);
}

void BuildDialog::fillBuilders()
{
    m_builders->addItem(tr("From Nix's configuration"));
    m_builders->addItem(tr("None"), QString());
    for (const QString &line : std::as_const(m_plan.builders))
        m_builders->addItem(line, line);
    m_builders->setEditable(true);
    m_builders->setInsertPolicy(QComboBox::NoInsert);
    m_builders->setCompleter(nullptr); // Completion would replace a line by a longer one with the same beginning.
    m_builders->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_builders->setMinimumContentsLength(20);
    setPlainToolTip(m_builders, tr("Nix's remote builders for these builds, written as in nix.conf, such as "
                                   "ssh-ng://arm aarch64-linux - 4 1 big-parallel. Separate several builders "
                                   "with semicolons."));
    if (m_request.wish.builders) {
        m_builders->setCurrentIndex(m_builders->findData(*m_request.wish.builders));
        m_builders->setEditText(m_request.wish.builders->isEmpty() ? tr("None") : *m_request.wish.builders);
    }
}

/// The typed text is a host. If ssh cannot take it, the plan says so.
Place BuildDialog::place() const
{
    const int known = m_place->findText(m_place->currentText());
    const QString word =
        known >= 0 ? m_place->itemData(known).toString() : u"ssh:"_s + m_place->currentText().trimmed();
    return placeNamed(word).value_or(Place{Place::Kind::Ssh, {}});
}

std::optional<QString> BuildDialog::builders() const
{
    const QString text = m_builders->currentText();
    if (!m_request.wish.place.isHere() || text == m_builders->itemText(0)) // Another machine has its own builders.
        return {};
    return text == m_builders->itemText(1) ? QString() : text.trimmed();
}

void BuildDialog::takeEdit()
{
    m_request.wish.place = place();
    m_request.wish.builders = builders();
    m_request.wish.slurm = m_slurm->wish();
    m_request.wish.engine = BuildEngine(m_engine->currentData().toInt());
    m_request.wish.cores = m_cores->value();
    m_request.wish.ownPin = m_ownPin->isChecked() && m_request.wish.engine == BuildEngine::Nix;
    m_request.again = m_again->isChecked();
    m_request.withDependents = m_dependents->isChecked();
    m_waiting = true;
    showPlan();
    m_settle.start();
}

void BuildDialog::setPlan(const BuildPlan &plan)
{
    m_waiting = false;
    m_plan = plan;
    showPlan();
}

/// What is built against these variants: how many, where, until when, and what of it is left out.
QList<CheckItem> BuildDialog::dependentItems() const
{
    if (!m_request.withDependents || m_waiting)
        return {};
    QMap<QString, int> places;
    for (const Job &job : m_plan.dependents)
        ++places[job.repository.section(u'/', -1) + u'@' + job.branch];
    QStringList parts;
    for (const auto &[place, count] : places.asKeyValueRange())
        parts.append(tr("%1 of %2", "number of builds, branch").arg(count).arg(place));
    QList<CheckItem> items{
        {CheckItem::Kind::Holds, tr("Dependents"),
         parts.isEmpty() ? tr("Nothing else is built against these variants.")
                         : joinedSentences({tr("%n builds wait for these: %1.", nullptr, int(m_plan.dependents.size()))
                                                .arg(parts.join(u", "_s)),
                                            m_plan.dependentsEstimate})}};
    constexpr qsizetype mostLeftOut = 20;
    for (const QString &note : m_plan.leftOut.first(std::min(mostLeftOut, m_plan.leftOut.size())))
        items.append({CheckItem::Kind::Warns, tr("Left out"), note});
    if (m_plan.leftOut.size() > mostLeftOut)
        items.append({CheckItem::Kind::Warns, tr("Left out"),
                      tr("And %n more.", nullptr, int(m_plan.leftOut.size() - mostLeftOut))});
    return items;
}

/// What is built, where and until when.
QString BuildDialog::summary() const
{
    const QList<Job> &jobs = m_plan.wanted.jobs;
    if (jobs.isEmpty())
        return tr("There is nothing to build.");
    QStringList packages;
    for (const Job &job : jobs)
        packages.append(job.package);
    const QString names = shortList(packages);
    const QString &branch = jobs.constFirst().branch;
    const Place &place = m_request.wish.place;
    return joinedSentences({m_request.wish.here ? tr("Builds %1 of the working tree.").arg(names)
                            : place.isHere()    ? tr("Builds %1 of branch %2.").arg(names, branch)
                                             : tr("Builds %1 of branch %2 on %3.").arg(names, branch, placeText(place)),
                            m_plan.uncommitted.isEmpty()
                                ? QString()
                                : tr("Includes uncommitted changes: %1.").arg(shortList(m_plan.uncommitted)),
                            m_waiting ? QString() : m_plan.estimate});
}

/// What prevents the builds, then what is left out of them, then what may make them fail.
QList<CheckItem> BuildDialog::checkItems() const
{
    QList<CheckItem> items;
    const CheckItem::Kind left = m_plan.wanted.jobs.isEmpty() ? CheckItem::Kind::Blocks : CheckItem::Kind::Warns;
    for (const PreflightItem &item : m_plan.items) {
        if (item.leftOut)
            items.append({left, tr("Left out"), item.sentence});
        else if (item.blocks)
            items.append({CheckItem::Kind::Blocks, tr("Fails"), item.sentence});
        else
            items.append({CheckItem::Kind::Warns, tr("May fail"), item.sentence});
    }
    QMap<QString, QStringList> alike; // what cannot be built, by the reason
    for (const Error &error : m_plan.wanted.errors)
        alike[error.why].append(error.subject);
    for (const Error &error : m_plan.wanted.errors) {
        const QStringList subjects = alike.take(error.why);
        if (!subjects.isEmpty())
            items.append(
                {left, tr("Left out"), Error{error.what, shortList(subjects), error.why, error.remedy}.sentence()});
    }
    const auto rank = [](const CheckItem &item) {
        return item.kind == CheckItem::Kind::Blocks ? 0 : item.word == tr("Left out") ? 1 : 2;
    };
    std::ranges::stable_sort(items, {}, rank);
    if (items.isEmpty() && !m_plan.wanted.jobs.isEmpty())
        items.append({CheckItem::Kind::Holds, tr("Ready"), tr("No problems found.")});
    if (m_plan.blocks()) // nothing is built
        return items + dependentItems();
    constexpr qsizetype mostParagraphs = 3;
    for (const QStringList &paragraph : m_plan.memory.first(std::min(mostParagraphs, m_plan.memory.size())))
        items.append({CheckItem::Kind::Holds, tr("Memory"), paragraph.join(u' ')});
    if (m_plan.memory.size() > mostParagraphs)
        items.append({CheckItem::Kind::Holds, tr("Memory"),
                      tr("And %n more.", nullptr, int(m_plan.memory.size() - mostParagraphs))});
    return items + dependentItems();
}

void BuildDialog::showPlan()
{
    const QList<Job> &jobs = m_plan.wanted.jobs;
    const int count = int(jobs.size() + m_plan.dependents.size());
    const bool slurm = m_request.wish.place.kind == Place::Kind::Slurm;
    const bool grows = slurm && m_slurm->isHidden();
    m_slurm->setVisible(slurm);
    m_builders->setEnabled(m_request.wish.place.isHere());
    const bool nix = BuildEngine(m_engine->currentData().toInt()) == BuildEngine::Nix;
    m_ownPin->setEnabled(nix);
    m_ownPin->setText(nix ? tr("Build with the recipe's own &pin")
                          : tr("Build with the recipe's own &pin (nix-build only: flox passes its own nixpkgs)"));
    m_slurm->setJobs(jobs);
    m_summary->setText(summary());
    m_checks->setItems(checkItems());
    m_cores->setSpecialValueText(m_plan.cores > 0 ? tr("Proposed: %1").arg(m_plan.cores) : tr("The machine's default"));
    const QString version =
        m_waiting || jobs.isEmpty() || m_plan.engineVersion == "?"_L1 ? QString() : m_plan.engineVersion;
    for (const auto &[engine, word] :
         {std::pair(BuildEngine::Flox, tr("flox build")), {BuildEngine::Nix, tr("nix-build")}}) {
        const bool known = !version.isEmpty() && engine == jobs.constFirst().engine;
        m_engine->setItemText(m_engine->findData(int(engine)), known ? u"%1 (%2)"_s.arg(word, version) : word);
    }
    m_busy->setVisible(m_waiting);
    const bool can = !m_waiting && !jobs.isEmpty() && !m_plan.blocks();
    m_build->setText(count > 1 ? tr("&Build %1").arg(count) : tr("&Build"));
    m_build->setEnabled(can);
    explain(m_build, can         ? QString()
                     : m_waiting ? tr("Checking what the builds need…")
                                 : tr("Fix the problems above first."));
    if (grows || !m_waiting) { // A plan may have more to say than the one before.
        layout()->activate();
        resize(size().expandedTo(sizeHint()));
    }
}

} // namespace tmx
