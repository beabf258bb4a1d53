// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/CompareController.h"

#include "app/window/RecentRepositories.h"
#include "model/base/AtomicFile.h"
#include "model/compare/ComparisonText.h"
#include "model/fleet/Fleet.h"
#include "model/fleet/KnownRepositories.h"
#include "model/snapshot/Branches.h"
#include "model/snapshot/DiskCache.h"
#include "model/workspace/Workspace.h"
#include "views/compare/BranchChooser.h"

#include <QClipboard>
#include <QCloseEvent>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QMenu>
#include <QSet>
#include <QtConcurrent>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QByteArray textOf(const Comparison &comparison, const ComparisonFilter &filter, ComparePanel::Format format,
                  const QStringList &isas)
{
    switch (format) {
    case ComparePanel::Format::Markdown: return comparisonMarkdown(comparison, filter, isas).toUtf8();
    case ComparePanel::Format::Json: return QJsonDocument(comparisonJson(comparison, filter)).toJson();
    }
    Q_UNREACHABLE_RETURN({});
}

/// A branch of another repository by the path from this one, however it is named: it is listed once.
QString ofOther(const QString &label, const QString &repository)
{
    const qsizetype at = label.lastIndexOf(u'@');
    const QString path = QDir(repository).absoluteFilePath(label.first(std::max<qsizetype>(at, 0)));
    return at > 0 && QFileInfo(path).isDir() && !label.startsWith(u'~')
               ? QDir(repository).relativeFilePath(QDir::cleanPath(path)) + label.sliced(at)
               : label;
}

/// Whether a side has recipes of a family whose version nothing tells.
bool lacksVersion(const Comparison &comparison)
{
    const QList<ComparedPart> parts = comparison.head().parts;
    return std::ranges::any_of(
        parts, [](const ComparedPart &part) { return part.isBuilt && part.values.contains(QString()); });
}

} // namespace

CompareController::CompareController(Workspace *workspace, QWidget *window)
    : QObject(window)
    , m_workspace(workspace)
    , m_window(window)
    , m_branches(new Branches(workspace->reader(), this))
{
    connect(m_branches, &Branches::changed, this, &CompareController::takeBranches);
    connect(m_branches, &Branches::failed, this, &CompareController::tellError);
    connect(m_branches, &Branches::added, this, [this](const QString &label) {
        m_wanted.append(label);
        takeBranches();
    });
    connect(m_branches, &Branches::readingChanged, this, [this](bool reading) {
        if (!m_panel)
            return;
        m_panel->setReading(reading);
        m_panel->chooser()->setStopped(!reading && m_branches->reading().stopped);
        checkSettled();
    });
    connect(m_branches, &Branches::progressed, this, [this](int done, int total) {
        if (m_panel)
            m_panel->chooser()->setProgress(done, total);
    });
    connect(m_workspace, &Workspace::opened, this, [this] {
        if (m_panel && m_panel->isVisible())
            open();
    });
}

CompareController::~CompareController()
{
    if (m_stopLearning)
        *m_stopLearning = true;
}

void CompareController::makePanel()
{
    // A separate window, so that the comparison stays visible while the user works on cells.
    m_panel = std::make_unique<ComparePanel>(m_workspace->catalog());
    m_panel->setWindowFlag(Qt::Window);
    m_panel->setObjectName(u"compare"_s);
    m_panel->resize(m_window->size());
    m_panel->installEventFilter(this);
    connect(m_panel->chooser(), &BranchChooser::checkedChanged, this, &CompareController::compare);
    connect(m_panel->chooser(), &BranchChooser::commitEntered, this, &CompareController::addSide);
    connect(m_panel->chooser(), &BranchChooser::stopRequested, m_branches, &Branches::stop);
    connect(m_panel->chooser(), &BranchChooser::readRequested, m_branches, &Branches::refresh);
    connect(m_panel.get(), &ComparePanel::exportRequested, this, &CompareController::exportAs);
    connect(m_panel.get(), &ComparePanel::menuRequested, this, &CompareController::showMenu);
}

/// What can be done with a cell, on the branch that the main window shows.
void CompareController::showMenu(const QString &name, const QPoint &at)
{
    const VariantEntry *entry = m_workspace->snapshot()->find(name);
    const QString branch = m_workspace->snapshot()->branch;
    auto *menu = new QMenu(m_panel.get());
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("&Show in the grid of %1").arg(QString(branch).replace(u'&', u"&&"_s)), this,
                    [this, name] { Q_EMIT showRequested(name); });
    menu->addAction(tr("Copy to b&ranch\u2026"), this, [this, name] { Q_EMIT copyRequested({name}); })
        ->setEnabled(entry && entry->present);
    menu->addAction(tr("Generate &like\u2026"), this, [this, name] { Q_EMIT likeRequested({name}); })
        ->setEnabled(!entry || (!entry->present && entry->state != RecipeState::Unsupported));
    menu->addSeparator();
    menu->addAction(tr("Copy &name"), this, [name] { QGuiApplication::clipboard()->setText(name); });
    menu->popup(at);
}

void CompareController::open(const QStringList &labels)
{
    if (!m_workspace->isOpen())
        return;
    if (!m_panel)
        makePanel();
    const QString repository = m_workspace->info().workTree;
    if (repository != m_repository) {
        m_repository = repository;
        m_wanted = {m_workspace->snapshot()->branch};
    }
    if (!labels.isEmpty())
        m_wanted = labels;
    for (QString &label : m_wanted)
        label = ofOther(label, repository);
    m_order = m_wanted;
    m_panel->setWindowTitle(tr("Compare branches \u2013 %1").arg(QFileInfo(repository).fileName()));
    m_panel->chooser()->setRepository(QFileInfo(repository).fileName());
    m_panel->show();
    m_panel->raise();
    m_panel->activateWindow();
    m_panel->setFocus(Qt::ActiveWindowFocusReason);
    m_branches->setWatching(true);
    m_branches->open(repository);
    QtConcurrent::run(branchPlaces, repository, QString())
        .then(m_panel.get(), [this, repository](const QList<BranchPlace> &places) {
            QStringList others;
            for (const BranchPlace &place : places) {
                if (place.repository != repository)
                    others.append(ofOther(place.repository + u'@' + place.branch, repository));
            }
            m_panel->chooser()->setOthers(others);
        });
}

bool CompareController::eventFilter(QObject *watched, QEvent *event)
{
    // A closed window does not read.
    if (watched == m_panel.get() && event->type() == QEvent::Close) {
        m_branches->setWatching(false);
        m_branches->stop();
        if (m_stopLearning)
            *m_stopLearning = true;
    }
    return QObject::eventFilter(watched, event);
}

const ReadBranch *CompareController::find(const QString &label) const
{
    return m_branches->reading().find(label);
}

void CompareController::takeBranches()
{
    if (!m_panel)
        return;
    QList<BranchSource> sources;
    QHash<QString, int> counts;
    for (const ReadBranch &branch : m_branches->reading().branches) {
        sources.append(branch.source);
        counts.insert(branch.source.label,
                      int(std::ranges::count_if(branch.snapshot->entries, &VariantEntry::present)));
    }
    m_panel->chooser()->setSources(sources, counts);
    QStringList present;
    for (const QString &label : std::as_const(m_wanted)) {
        if (find(label))
            present.append(label);
    }
    if (!present.isEmpty() || sources.isEmpty()) {
        // A name that is not a branch is a commit.
        const QStringList wanted = std::exchange(m_wanted, {});
        QStringList checked = m_panel->chooser()->checked() + present;
        // Commits that had to be read first arrive later; sort them into the requested order.
        std::ranges::stable_sort(checked, {}, [this](const QString &label) { return size_t(m_order.indexOf(label)); });
        m_panel->chooser()->setChecked(checked);
        for (const QString &label : wanted) {
            if (!sources.isEmpty() && !find(label))
                addSide(label);
        }
        if (sources.isEmpty())
            m_wanted = wanted;
        return;
    }
    compare();
}

void CompareController::addSide(const QString &entered)
{
    const QString words = ofOther(entered, m_repository);
    if (words == "."_L1)
        addSide(workTreeLabel());
    else if (find(words))
        m_panel->chooser()->setChecked(m_panel->chooser()->checked() + QStringList{words});
    else
        m_branches->add(words);
}

void CompareController::compare()
{
    QList<ComparedSide> sides;
    for (const QString &label : m_panel->chooser()->checked()) {
        if (const ReadBranch *branch = find(label))
            sides.append({label, branch->snapshot});
    }
    // Of several repositories each is named, also the open one: two branches are called main.
    if (std::ranges::any_of(sides, [&](const ComparedSide &side) {
            return side.snapshot->repository != sides.constFirst().snapshot->repository;
        })) {
        QStringList titles;
        for (const ComparedSide &side : std::as_const(sides))
            titles.append(BranchChooser::titleOf(find(side.label)->source, side.snapshot->repository));
        const bool distinct = QSet<QString>(titles.cbegin(), titles.cend()).size() == titles.size();
        for (qsizetype i = 0; i < sides.size() && distinct; ++i)
            sides[i].label = titles.at(i);
    }
    const quint64 generation = ++m_generation;
    m_comparing = sides.size() > 1;
    if (!m_comparing) {
        m_panel->setComparison(nullptr);
        checkSettled();
        return;
    }
    m_panel->setComparing(true);
    QtConcurrent::run([sides] {
        // As in the overview: a branch that states no version has that of its nixpkgs, where any recipe shows it.
        const VersionsOfPins known = knownVersionsOfPins(knownRepositories(), DiskCache::forUser(u"branches"_s));
        return std::make_shared<const CountedFacts>(std::make_shared<const Comparison>(compareSides(sides, {}, known)));
    }).then(this, [this, generation](const std::shared_ptr<const CountedFacts> &comparison) {
        if (generation != m_generation)
            return;
        m_comparing = false;
        m_panel->setComparison(comparison);
        if (!m_learned && lacksVersion(*comparison->comparison()))
            learnVersions();
        checkSettled();
    });
}

/// Reads the branches of all repositories once, for recipes that show what a nixpkgs has. What is known of those that
/// were read before is shown meanwhile.
void CompareController::learnVersions()
{
    if (m_stopLearning)
        return;
    m_stopLearning = std::make_shared<std::atomic_bool>(false);
    QtConcurrent::run([catalog = m_workspace->catalog(), stop = m_stopLearning] {
        WorkHooks hooks;
        hooks.stop = [stop] { return stop->load(); };
        (void)readFleet([&catalog]() -> Result<std::shared_ptr<const Catalog>> { return catalog; }, knownRepositories(),
                        DiskCache::forUser(u"branches"_s), hooks);
    }).then(this, [this] {
        m_learned = !m_stopLearning->load();
        m_stopLearning.reset();
        if (m_learned)
            compare();
        checkSettled();
    });
}

void CompareController::exportAs(ComparePanel::Format format, bool toClipboard)
{
    const std::shared_ptr<const Comparison> comparison = m_panel->model()->comparison();
    if (!comparison)
        return;
    const auto write = [this, comparison, format, filter = m_panel->model()->filter()](const QString &path) {
        QtConcurrent::run([comparison, filter, format, path,
                           isas = m_workspace->catalog()->isaIds()]() -> Result<QByteArray> {
            const QByteArray text = textOf(*comparison, filter, format, isas);
            if (!path.isEmpty()) {
                TM_CHECK(writeFileAtomically(path, text, {}));
            }
            return text;
        }).then(this, [this, path](const Result<QByteArray> &text) {
            if (!text)
                return tellError(text.error());
            if (path.isEmpty())
                QGuiApplication::clipboard()->setText(QString::fromUtf8(*text));
            m_panel->showNotice(path.isEmpty() ? tr("Copied.") : tr("Written to %1.").arg(path), false);
        });
    };
    if (toClipboard)
        return write({});
    QStringList names;
    for (const ComparedSide &side : comparison->sides)
        names.append(QString(side.label).replace(u'/', u'-').replace(u' ', u'-'));
    const QString suffix = format == ComparePanel::Format::Markdown ? u".md"_s : u".json"_s;
    auto *dialog = new QFileDialog(m_panel.get(), tr("Export the comparison"), QDir::homePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->selectFile(names.join(u"-"_s).left(100) + suffix);
    connect(dialog, &QFileDialog::fileSelected, this, write);
    dialog->open();
}

void CompareController::tellError(const Error &error)
{
    if (m_panel)
        m_panel->showNotice(error.sentence(), true);
    checkSettled();
}

bool CompareController::isSettled() const
{
    return !m_branches->isReading() && !m_comparing && !m_stopLearning;
}

void CompareController::checkSettled()
{
    if (isSettled())
        Q_EMIT settled();
}

} // namespace tmx
