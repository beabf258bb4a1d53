// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/OverviewModel.h"

#include "model/base/Sentences.h"
#include "model/base/Tr.h"
#include "model/catalog/GroupedVariants.h"
#include "model/fleet/FleetText.h"
#include "model/fleet/Pins.h"
#include "model/matrix/StateWords.h"

#include <QLocale>
#include <QVersionNumber>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

const QString nothing = u"\u2013"_s;

/// Of a family whose version neither a recipe nor the catalog tells.
QStringList withUnknown(QStringList versions)
{
    for (QString &text : versions) {
        if (!text.contains(u' '))
            text = Tr::tr("%1 (no version stated)").arg(text);
    }
    return versions;
}

/// "main (new commits)": what happened since the user saw the branches.
QString withNews(const BranchRef &branch, const BranchTips &seen)
{
    if (seen.isEmpty() || seen.value(branch.name) == branch.commit)
        return branch.name;
    return (seen.contains(branch.name) ? Tr::tr("%1 (new commits)", "branch") : Tr::tr("%1 (new)", "branch"))
        .arg(branch.name);
}

/// "pytorch 2.8.0 and 2 more"
QString firstOf(const QStringList &texts)
{
    return texts.size() < 2
               ? texts.value(0)
               : Tr::tr("%1 and %n more", "first of several", int(texts.size()) - 1).arg(texts.constFirst());
}

/// "1 failed, 3 built, 2 by team"; of the team alone "1 failed, 3 built by team".
QString buildsText(const BuildCounts &builds)
{
    const bool own = builds.running + builds.failed + builds.stale + builds.built > 0;
    if (!own && builds.failedByTeam > 0 && builds.builtByTeam > 0)
        return Tr::tr("%1 failed, %2 built by team").arg(builds.failedByTeam).arg(builds.builtByTeam);
    QStringList parts;
    if (builds.running > 0)
        parts.append(Tr::tr("%1 running").arg(builds.running));
    if (builds.failed > 0)
        parts.append(Tr::tr("%1 failed").arg(builds.failed));
    if (builds.failedByTeam > 0)
        parts.append(u"%1 %2"_s.arg(builds.failedByTeam).arg(buildWord({BuildState::Phase::FailedElsewhere})));
    if (builds.stale > 0)
        parts.append(Tr::tr("%1 stale").arg(builds.stale));
    if (builds.built > 0)
        parts.append(Tr::tr("%1 built").arg(builds.built));
    if (builds.builtByTeam > 0)
        parts.append(u"%1 %2"_s.arg(builds.builtByTeam).arg(buildWord({BuildState::Phase::Elsewhere})));
    return parts.isEmpty() ? nothing : parts.join(u", "_s);
}

QList<Variant> variantsOf(const BranchSummary &summary)
{
    QList<Variant> variants;
    for (const RecipeSummary &recipe : summary.recipes)
        variants.append(recipe.variant);
    return variants;
}

/// Where recipes are missing, in ever shorter forms. Of a branch that has none at all the number says it.
QStringList whereForms(const BranchSummary &summary)
{
    constexpr qsizetype widest = 90; // a longer one takes the width of the other columns
    QStringList forms;
    if (!summary.gaps.isEmpty() && !summary.recipes.isEmpty())
        forms = groupedForms(summary.gaps, variantsOf(summary));
    while (forms.size() > 1 && forms.constFirst().size() > widest)
        forms.removeFirst();
    return forms;
}

/// "2 recipes", "probably 8 recipes", "2 recipes, probably 8 more"
QString missingRecipes(int missing, int holes)
{
    if (missing == 0)
        return Tr::tr("probably %Ln recipes", "missing", holes);
    const QString sure = Tr::tr("%Ln recipes", "missing", missing);
    return holes == 0 ? sure : Tr::tr("%1, probably %Ln more", "missing recipes", holes).arg(sure);
}

/// Those that no branch has, as far as versions are known.
int lackingTorch(const TorchCoverage &torch)
{
    return torch.needed - torch.covered - torch.unknown;
}

bool sameRows(const Fleet &a, const Fleet &b)
{
    return std::ranges::equal(a.branches, b.branches, [](const FleetBranch &x, const FleetBranch &y) {
        return x.repository == y.repository && x.ref.name == y.ref.name;
    });
}

} // namespace

OverviewModel::OverviewModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void OverviewModel::setFleet(const std::shared_ptr<const Fleet> &fleet, const QHash<QString, QDate> &dates,
                             const QHash<QString, BranchTips> &seen)
{
    const bool same = sameRows(*m_fleet, *fleet);
    if (!same)
        beginResetModel();
    m_fleet = fleet;
    m_dates = dates;
    m_seen = seen;
    m_missing.clear();
    for (int row = 0; row < rowCount(); ++row)
        m_missing.append(missingForms(row));
    m_torchOfPin.clear();
    QStringList revisions;
    for (const FleetPin &pin : pinsOf(*fleet)) {
        revisions.append(pin.revision);
        if (const QStringList versions = pin.versions.value(u"pytorch"_s); versions.size() == 1)
            m_torchOfPin.insert(pin.revision, versions.constFirst());
    }
    rankPins(revisions);
    m_titles.clear();
    for (const Column column : {Column::Missing, Column::Errors, Column::Builds}) {
        Weight &most = m_titles[column];
        for (int row = 0; row < rowCount(); ++row)
            most = std::max(most, weight(row, column));
    }
    if (!same)
        endResetModel();
    else if (!fleet->branches.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columns - 1);
}

/// A revision without a date is as old as the newest one with a date whose PyTorch is not newer; one whose PyTorch is
/// older than all of those comes before them, and one of which nothing is known comes last.
void OverviewModel::rankPins(const QStringList &revisions)
{
    const auto torch = [this](const QString &revision) {
        return QVersionNumber::fromString(m_torchOfPin.value(revision));
    };
    const auto age = [&](const QString &revision) -> QDate {
        if (const QDate own = m_dates.value(revision); own.isValid())
            return own;
        QDate newest;
        bool compared = false;
        for (const QString &other : revisions) {
            const QDate date = m_dates.value(other);
            if (!date.isValid() || torch(other).isNull() || torch(revision).isNull())
                continue;
            compared = true;
            if (torch(other) <= torch(revision) && (!newest.isValid() || newest < date))
                newest = date;
        }
        const QDate first(1, 1, 1);
        const QDate last(9999, 12, 31);
        return newest.isValid() ? newest : compared ? first : last;
    };
    QList<std::tuple<QDate, QVersionNumber, QString>> order;
    for (const QString &revision : revisions) {
        const QVersionNumber version = torch(revision);
        order.append(
            {age(revision), version.isNull() ? QVersionNumber(std::numeric_limits<int>::max()) : version, revision});
    }
    std::ranges::sort(order);
    m_rankOfPin.clear();
    for (const auto &[date, version, revision] : std::as_const(order))
        m_rankOfPin.insert(revision, int(m_rankOfPin.size()));
    // The first one is the oldest if date or PyTorch tell that of each other pin of which either is known.
    m_oldestPin.clear();
    const QString first = order.isEmpty() ? QString() : std::get<2>(order.constFirst());
    const auto isOlder = [&](const QString &other) {
        const QDate ownDate = m_dates.value(first), date = m_dates.value(other);
        return ownDate.isValid() && date.isValid() ? ownDate < date
               : torch(other).isNull()             ? !date.isValid()
                                                   : !torch(first).isNull() && torch(first) < torch(other);
    };
    const bool known = m_dates.value(first).isValid() || !torch(first).isNull();
    if (order.size() > 1 && known &&
        std::all_of(order.cbegin() + 1, order.cend(), [&](const auto &pin) { return isOlder(std::get<2>(pin)); }))
        m_oldestPin = first;
}

QString OverviewModel::ageOfPin(const QString &revision) const
{
    const QDate date = m_dates.value(revision);
    const QString torch = m_torchOfPin.value(revision);
    return date.isValid() ? date.toString(u"yyyy-MM"_s) : torch.isEmpty() ? QString() : Tr::tr("PyTorch %1").arg(torch);
}

/// "2 recipes: sm90, sm120 with avx512; PyTorch for 4 of 59 recipes"
QStringList OverviewModel::missingForms(int row) const
{
    const BranchSummary &summary = *m_fleet->branches.at(row).summary;
    const TorchCoverage torch = m_fleet->coverage.value(row);
    const int lacking = lackingTorch(torch);
    QStringList forms;
    if (summary.missing + summary.holes > 0) {
        const QString count = missingRecipes(summary.missing, summary.holes);
        for (const QString &where : whereForms(summary))
            forms.append(Tr::tr("%1: %2", "count, where").arg(count, where));
        forms.append(count);
    }
    if (lacking == 0)
        return forms;
    const QString needs = Tr::tr("PyTorch for %L1 of %Ln recipes", "missing", torch.needed).arg(lacking);
    if (forms.isEmpty())
        return {needs, Tr::tr("PyTorch for %L1", "missing, for a number of recipes").arg(lacking)};
    for (QString &form : forms)
        form = Tr::tr("%1; %2", "missing recipes, missing PyTorch").arg(form, needs);
    return forms;
}

bool OverviewModel::standsOut(int row, Column column) const
{
    return weight(row, column) >= (column == Column::Builds ? Weight::Error : Weight::Warning);
}

/// "main of sample", or of several rows that stand out "4 branches"
QString OverviewModel::placeOf(Column column) const
{
    QList<int> rows;
    for (int row = 0; row < rowCount(); ++row) {
        if (standsOut(row, column))
            rows.append(row);
    }
    if (rows.size() != 1)
        return Tr::tr("%n branches", nullptr, int(rows.size()));
    const FleetBranch &branch = m_fleet->branches.at(rows.constFirst());
    return Tr::tr("%1 of %2", "branch, repository").arg(branch.ref.name, m_fleet->nameOf(branch.repository));
}

QList<OverviewModel::Headline> OverviewModel::headlines() const
{
    int failed = 0, missing = 0, holes = 0, torch = 0, errors = 0;
    for (int row = 0; row < rowCount(); ++row) {
        const FleetBranch &branch = m_fleet->branches.at(row);
        failed += branch.builds.failed + branch.builds.failedByTeam;
        missing += branch.summary->missing;
        holes += branch.summary->holes;
        torch += lackingTorch(m_fleet->coverage.value(row));
        errors += branch.summary->problems.errors;
    }
    QList<Headline> lines;
    if (failed > 0)
        lines.append({Column::Builds, Tr::tr("%Ln builds failed on %1", nullptr, failed).arg(placeOf(Column::Builds))});
    if (missing + holes + torch > 0) {
        QStringList what;
        if (missing + holes > 0)
            what.append(missingRecipes(missing, holes));
        if (torch > 0)
            what.append(Tr::tr("PyTorch for %Ln recipes", "missing", torch));
        lines.append(
            {Column::Missing,
             Tr::tr("Missing on %1: %2", "branches, recipes").arg(placeOf(Column::Missing), what.join(u", "_s))});
    }
    if (errors > 0)
        lines.append({Column::Errors, Tr::tr("%Ln errors on %1", nullptr, errors).arg(placeOf(Column::Errors))});
    if (!m_oldestPin.isEmpty()) {
        const bool isDated = m_dates.value(m_oldestPin).isValid();
        const QString pin = m_oldestPin.left(7);
        lines.append(
            {Column::Pins, Tr::tr("Oldest nixpkgs: %1, on %2", "pin, branches")
                               .arg(isDated ? Tr::tr("%1 (%2)", "pin, date").arg(pin, ageOfPin(m_oldestPin)) : pin,
                                    placeOf(Column::Pins))});
    }
    return lines;
}

const FleetBranch *OverviewModel::branchAt(int row) const
{
    return row >= 0 && row < m_fleet->branches.size() ? &m_fleet->branches.at(row) : nullptr;
}

QString OverviewModel::summary() const
{
    qsizetype recipes = 0;
    int warnings = 0; // Errors are among the headlines.
    for (const FleetBranch &branch : m_fleet->branches) {
        recipes += branch.summary->recipes.size();
        warnings += branch.summary->problems.warnings;
    }
    return Tr::tr("%1, %2, %3")
        .arg(Tr::tr("%n branches", nullptr, int(m_fleet->branches.size())),
             Tr::tr("%Ln recipes", nullptr, int(recipes)), Tr::tr("%Ln warnings", nullptr, warnings));
}

int OverviewModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_fleet->branches.size());
}

int OverviewModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : columns;
}

QString OverviewModel::text(int row, Column column) const
{
    const FleetBranch &branch = m_fleet->branches.at(row);
    const BranchSummary &summary = *branch.summary;
    switch (column) {
    case Column::Repository: return m_fleet->nameOf(branch.repository);
    case Column::Branch: return withNews(branch.ref, m_seen.value(branch.repository));
    case Column::Versions: return withUnknown(versionTexts(summary)).join(u", "_s);
    case Column::Pythons: return pythonTexts(summary).join(u", "_s);
    case Column::Toolkits: return shortVersions(summary.toolkits);
    case Column::Pins: {
        if (summary.pins.isEmpty())
            return nothing;
        if (summary.pins.size() > 1)
            return shortPins(revisionsOf(summary.pins), m_oldestPin, 3, ageOfPin(m_oldestPin));
        const QString &revision = summary.pins.constFirst().revision;
        QStringList known{revision.left(7), ageOfPin(revision),
                          revision == m_oldestPin ? Tr::tr("oldest", "of all pins") : QString()};
        known.removeAll(QString());
        return known.join(u", "_s);
    }
    case Column::Recipes: return QLocale().toString(summary.recipes.size());
    case Column::Missing:
        return m_missing.at(row).isEmpty() ? Tr::tr("nothing", "missing") : m_missing.at(row).constFirst();
    case Column::Errors: return QLocale().toString(summary.problems.errors);
    case Column::Warnings: return QLocale().toString(summary.problems.warnings);
    case Column::Builds: return buildsText(branch.builds);
    case Column::LastBuild:
        return branch.builds.last.isValid() ? agoText(branch.builds.last, QDateTime::currentDateTime()) : nothing;
    case Column::Pushed: {
        QStringList parts;
        if (branch.ref.ahead > 0)
            parts.append(u"\u2191%1"_s.arg(branch.ref.ahead));
        if (branch.ref.behind > 0)
            parts.append(u"\u2193%1"_s.arg(branch.ref.behind));
        return branch.ref.upstream.isEmpty() ? nothing : parts.isEmpty() ? u"0"_s : parts.join(u' ');
    }
    }
    Q_UNREACHABLE_RETURN({});
}

QStringList OverviewModel::shorterTexts(int row, Column column) const
{
    const BranchSummary &summary = *m_fleet->branches.at(row).summary;
    if (column == Column::Pins && summary.pins.size() > 1) {
        const QStringList revisions = revisionsOf(summary.pins);
        return {shortPins(revisions, m_oldestPin, 2, ageOfPin(m_oldestPin)), shortPins(revisions, m_oldestPin, 2),
                shortPins(revisions, m_oldestPin, 1)};
    }
    if (column == Column::Pins && !summary.pins.isEmpty() && summary.pins.constFirst().revision == m_oldestPin)
        return {Tr::tr("%1 (oldest)", "pin").arg(m_oldestPin.left(7))};
    if (column == Column::Missing)
        return m_missing.at(row).mid(1);
    if (column != Column::Versions)
        return {};
    QStringList texts = withUnknown(versionTexts(summary)); // "torchvision 0.25.0–0.27.1"
    for (QString &text : texts) {
        const qsizetype end = text.indexOf(u' ');
        text = text.first(end + 1) + shortVersions(text.sliced(end + 1).split(u", "_s));
    }
    return {firstOf(texts)};
}

OverviewModel::Weight OverviewModel::weight(int row, Column column) const
{
    const FleetBranch &branch = m_fleet->branches.at(row);
    const BranchSummary &summary = *branch.summary;
    const QString shown = text(row, column);
    if (shown == nothing || shown == u"0"_s || (column == Column::Missing && m_missing.at(row).isEmpty()))
        return Weight::Nothing;
    if (column == Column::Errors ||
        (column == Column::Builds && branch.builds.failed + branch.builds.failedByTeam > 0) ||
        (column == Column::Missing && summary.missing > 0))
        return Weight::Error;
    const bool old = column == Column::Pins && !m_oldestPin.isEmpty() &&
                     std::ranges::find(summary.pins, m_oldestPin, &PinUse::revision) != summary.pins.end();
    return old || column == Column::Missing ? Weight::Warning : Weight::Plain;
}

QVariant OverviewModel::sortValue(int row, Column column) const
{
    const FleetBranch &branch = m_fleet->branches.at(row);
    const BranchSummary &summary = *branch.summary;
    switch (column) {
    case Column::Recipes: return int(summary.recipes.size());
    case Column::Missing:
        return summary.missing * 1e12 + summary.holes * 1e6 + lackingTorch(m_fleet->coverage.value(row));
    case Column::Errors: return summary.problems.errors;
    case Column::Warnings: return summary.problems.warnings;
    case Column::Builds:
        return (branch.builds.failed + branch.builds.failedByTeam) * 1'000'000 + branch.builds.running * 1'000 +
               branch.builds.built + branch.builds.builtByTeam;
    case Column::LastBuild: return branch.builds.last.isValid() ? branch.builds.last.toMSecsSinceEpoch() : qint64(0);
    case Column::Pushed: return branch.ref.ahead + branch.ref.behind;
    case Column::Repository:
    case Column::Branch:
    case Column::Versions:
    case Column::Pythons:
    case Column::Toolkits: return text(row, column);
    case Column::Pins: // none come last
        return m_rankOfPin.value(summary.pins.isEmpty() ? QString() : summary.pins.constFirst().revision,
                                 std::numeric_limits<int>::max());
    }
    Q_UNREACHABLE_RETURN({});
}

QString OverviewModel::toolTip(int row, Column column) const
{
    const FleetBranch &branch = m_fleet->branches.at(row);
    const TorchCoverage torch = m_fleet->coverage.value(row);
    switch (column) {
    case Column::Repository: return branch.repository;
    case Column::Branch:
        return branch.ref.checkedOut ? Tr::tr("%1, checked out", "branch").arg(branch.ref.name) : branch.ref.name;
    case Column::Pins: {
        QStringList pins;
        for (const PinUse &pin : branch.summary->pins)
            pins.append(joinedSentences({Tr::tr("%1: %n recipes", nullptr, pin.recipes).arg(pin.revision),
                                         m_dates.value(pin.revision).toString(Qt::ISODate),
                                         m_torchOfPin.contains(pin.revision)
                                             ? Tr::tr("PyTorch %1").arg(m_torchOfPin.value(pin.revision))
                                             : QString(),
                                         pin.revision == m_oldestPin ? Tr::tr("the oldest") : QString()}));
        return pins.join(u'\n');
    }
    case Column::Missing: {
        QStringList lines = groupedLines(branch.summary->gaps, variantsOf(*branch.summary));
        if (branch.summary->holes > 0)
            lines.append(
                Tr::tr("%n variants have no recipe, and similar ones have one.", nullptr, branch.summary->holes));
        if (torch.branch >= 0)
            lines.append(Tr::tr("%1 of %2 recipes have their PyTorch on %3, %4 at the same nixpkgs.")
                             .arg(torch.covered)
                             .arg(torch.needed)
                             .arg(m_fleet->branches.at(torch.branch).label())
                             .arg(torch.samePin));
        else if (torch.needed > 0)
            lines.append(Tr::tr("No branch has their PyTorch."));
        if (torch.branch >= 0 && torch.unknown > 0)
            lines.append(
                Tr::tr("Of %n more that is not known, because a version is not stated.", nullptr, torch.unknown));
        return lines.isEmpty() ? text(row, column) : lines.join(u'\n');
    }
    case Column::Pushed:
        return branch.ref.upstream.isEmpty() ? Tr::tr("It has no upstream branch.")
                                             : Tr::tr("Upstream branch: %1").arg(branch.ref.upstream);
    case Column::Versions: {
        const QString all = withUnknown(versionTexts(*branch.summary)).join(u", "_s);
        return all.contains(u'?')
                   ? Tr::tr("%1: no recipe states the version, and the catalog does not know that of the pin.").arg(all)
                   : all;
    }
    case Column::LastBuild:
        return branch.builds.last.isValid() ? QLocale().toString(branch.builds.last, QLocale::LongFormat)
                                            : Tr::tr("Nothing of it was built.");
    case Column::Toolkits: return branch.summary->toolkits.join(u", "_s);
    case Column::Errors: {
        ProblemCounts errors = branch.summary->problems;
        errors.warnings = 0;
        return problemText(errors);
    }
    case Column::Warnings: {
        ProblemCounts warnings = branch.summary->problems;
        warnings.errors = 0;
        return problemText(warnings);
    }
    case Column::Pythons:
    case Column::Recipes:
    case Column::Builds: return text(row, column);
    }
    Q_UNREACHABLE_RETURN({});
}

QVariant OverviewModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto column = Column(index.column());
    switch (role) {
    case Qt::DisplayRole: return text(index.row(), column);
    case Qt::ToolTipRole: return toolTip(index.row(), column);
    case SortRole: return sortValue(index.row(), column);
    case ShorterRole: return shorterTexts(index.row(), column);
    case WeightRole: return QVariant::fromValue(weight(index.row(), column));
    case FilterRole:
        return column == Column::Toolkits || column == Column::Pins || column == Column::Versions
                   ? toolTip(index.row(), column)
                   : text(index.row(), column);
    case SharesRole: {
        if (column != Column::Builds)
            return {};
        const BuildCounts &builds = m_fleet->branches.at(index.row()).builds;
        const int recipes = int(m_fleet->branches.at(index.row()).summary->recipes.size());
        const int known =
            builds.failed + builds.failedByTeam + builds.running + builds.stale + builds.built + builds.builtByTeam;
        if (known == 0)
            return {};
        return QVariant::fromValue(QList<int>{
            int(BuildState::Phase::Failed), builds.failed, int(BuildState::Phase::FailedElsewhere), builds.failedByTeam,
            int(BuildState::Phase::Running), builds.running, int(BuildState::Phase::Stale), builds.stale,
            int(BuildState::Phase::Built), builds.built, int(BuildState::Phase::Elsewhere), builds.builtByTeam,
            int(BuildState::Phase::None), std::max(0, recipes - known)});
    }
    case Qt::TextAlignmentRole: {
        const bool isNumber = column == Column::Recipes || column == Column::Errors || column == Column::Warnings;
        return isNumber ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    }
    default: return {};
    }
}

QVariant OverviewModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columns)
        return {};
    if (role == Qt::DisplayRole) {
        switch (Column(section)) {
        case Column::Repository: return Tr::tr("Repository");
        case Column::Branch: return Tr::tr("Branch");
        case Column::Versions: return Tr::tr("Versions");
        case Column::Pythons: return Tr::tr("Python");
        case Column::Toolkits: return Tr::tr("CUDA");
        case Column::Pins: return Tr::tr("nixpkgs");
        case Column::Recipes: return Tr::tr("Recipes");
        case Column::Missing: return Tr::tr("Missing");
        case Column::Errors: return Tr::tr("Errors");
        case Column::Warnings: return Tr::tr("Warnings");
        case Column::Builds: return Tr::tr("Builds");
        case Column::LastBuild: return Tr::tr("Last build");
        case Column::Pushed: return Tr::tr("Unpushed");
        }
        Q_UNREACHABLE_RETURN({});
    }
    if (role == WeightRole)
        return QVariant::fromValue(m_titles.value(Column(section), Weight::Plain));
    return {};
}

} // namespace tmx
