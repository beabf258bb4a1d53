// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/fleet/FleetText.h"

#include "model/base/ShortList.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"

#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QString countText(int count)
{
    return count == 0 ? u"-"_s : QString::number(count);
}

QStringList shortRevisions(const BranchSummary &summary)
{
    QStringList revisions;
    for (const PinUse &pin : summary.pins)
        revisions.append(pin.revision.left(7));
    return revisions;
}

QString orDash(const QStringList &words)
{
    return words.isEmpty() ? u"-"_s : words.join(u", "_s);
}

/// "12 ahead, 3 behind"
QString distanceText(const BranchRef &ref)
{
    QStringList words;
    if (ref.ahead > 0)
        words.append(u"+%1"_s.arg(ref.ahead));
    if (ref.behind > 0)
        words.append(u"-%1"_s.arg(ref.behind));
    return ref.upstream.isEmpty() ? u"-"_s : words.isEmpty() ? u"="_s : words.join(u' ');
}

QString coverageText(const Fleet &fleet, const TorchCoverage &coverage)
{
    if (coverage.needed == 0)
        return u"-"_s;
    const QString known = u"%1/%2"_s.arg(coverage.covered).arg(coverage.needed);
    const QString of = coverage.unknown > 0 ? Tr::tr("%1 (%2 not known)").arg(known).arg(coverage.unknown) : known;
    return coverage.branch >= 0 ? of + u' ' + fleet.branches.at(coverage.branch).label() : of;
}

QJsonObject placeJson(const FleetBranch &branch)
{
    return {{u"repository"_s, branch.repository}, {u"branch"_s, branch.ref.name}};
}

/// The same revisions in the same shares.
QStringList sortedRevisions(const BranchSummary &summary)
{
    QStringList revisions;
    for (const PinUse &pin : summary.pins)
        revisions.append(pin.revision);
    revisions.sort();
    return revisions;
}

} // namespace

QStringList versionTexts(const BranchSummary &summary)
{
    QMap<QString, QStringList> byWord;
    for (auto it = summary.versions.cbegin(); it != summary.versions.cend(); ++it) {
        const FamilyName family = FamilyName::of(it.key());
        QStringList &versions = byWord[family.word];
        for (const QString &version : it->isEmpty() && !family.version.isEmpty() ? QStringList{family.version} : *it) {
            if (!versions.contains(version))
                versions.append(version);
        }
    }
    QStringList texts;
    for (auto it = byWord.cbegin(); it != byWord.cend(); ++it)
        texts.append(it->isEmpty() ? it.key() : it.key() + u' ' + it->join(u", "_s));
    return texts;
}

QStringList pythonTexts(const BranchSummary &summary)
{
    QStringList texts;
    for (const QString &python : summary.pythons)
        texts.append(pythonVersion(python));
    return texts;
}

QString missingText(const BranchSummary &summary)
{
    const QString holes = Tr::tr("probably %1", "count of missing recipes").arg(summary.holes);
    return summary.holes == 0     ? QString::number(summary.missing)
           : summary.missing == 0 ? holes
                                  : Tr::tr("%1 and %2", "missing, probably missing").arg(summary.missing).arg(holes);
}

/// "1 failed, 2 built"
static QString teamText(const BuildCounts &builds)
{
    QStringList parts;
    if (builds.failedByTeam > 0)
        parts.append(Tr::tr("%1 failed").arg(builds.failedByTeam));
    if (builds.builtByTeam > 0)
        parts.append(Tr::tr("%1 built").arg(builds.builtByTeam));
    return orDash(parts);
}

QString overviewText(const Fleet &fleet)
{
    QList<QStringList> lines{{Tr::tr("REPOSITORY"), Tr::tr("BRANCH"), Tr::tr("VERSION"), Tr::tr("PYTHON"),
                              Tr::tr("CUDA"), Tr::tr("NIXPKGS"), Tr::tr("RECIPES"), Tr::tr("MISSING"), Tr::tr("ERRORS"),
                              Tr::tr("WARNINGS"), Tr::tr("BUILT"), Tr::tr("PUBLISHED"), Tr::tr("FAILED"),
                              Tr::tr("STALE"), Tr::tr("RUNNING"), Tr::tr("TEAM"), Tr::tr("LAST BUILD"),
                              Tr::tr("PUSHED"), Tr::tr("TORCH")}};
    const QList<TorchCoverage> coverage = torchCoverage(fleet);
    for (qsizetype i = 0; i < fleet.branches.size(); ++i) {
        const FleetBranch &branch = fleet.branches.at(i);
        const BranchSummary &summary = *branch.summary;
        lines.append({fleet.nameOf(branch.repository), (branch.ref.checkedOut ? u"* "_s : u"  "_s) + branch.ref.name,
                      orDash(versionTexts(summary)), orDash(pythonTexts(summary)), orDash(summary.toolkits),
                      orDash(shortRevisions(summary)), countText(int(summary.recipes.size())),
                      summary.missing + summary.holes == 0 ? u"-"_s : missingText(summary),
                      countText(summary.problems.errors), countText(summary.problems.warnings),
                      countText(branch.builds.built), countText(branch.builds.published),
                      countText(branch.builds.failed), countText(branch.builds.stale), countText(branch.builds.running),
                      teamText(branch.builds),
                      branch.builds.last.isValid() ? branch.builds.last.toString(u"yyyy-MM-dd HH:mm"_s) : u"-"_s,
                      distanceText(branch.ref), coverageText(fleet, coverage.at(i))});
    }
    return alignedText(lines);
}

QJsonObject overviewJson(const Fleet &fleet)
{
    const QList<TorchCoverage> coverage = torchCoverage(fleet);
    QJsonArray branches;
    for (qsizetype i = 0; i < fleet.branches.size(); ++i) {
        const FleetBranch &branch = fleet.branches.at(i);
        const BranchSummary &summary = *branch.summary;
        QJsonObject object = placeJson(branch);
        QJsonObject versions;
        for (auto it = summary.versions.cbegin(); it != summary.versions.cend(); ++it)
            versions.insert(it.key(), QJsonArray::fromStringList(*it));
        QJsonArray pins;
        for (const PinUse &pin : summary.pins)
            pins.append(QJsonObject{{u"revision"_s, pin.revision}, {u"recipes"_s, pin.recipes}});
        const TorchCoverage &torch = coverage.at(i);
        const FleetBranch *there = torch.branch >= 0 ? &fleet.branches.at(torch.branch) : nullptr;
        object.insert(u"commit"_s, branch.ref.commit);
        object.insert(u"checked_out"_s, branch.ref.checkedOut);
        object.insert(u"upstream"_s, branch.ref.upstream);
        object.insert(u"ahead"_s, branch.ref.ahead);
        object.insert(u"behind"_s, branch.ref.behind);
        object.insert(u"matrix"_s, summary.matrix);
        object.insert(u"settings_error"_s, summary.settingsError);
        object.insert(u"versions"_s, versions);
        object.insert(u"python"_s, QJsonArray::fromStringList(summary.pythons));
        object.insert(u"cuda"_s, QJsonArray::fromStringList(summary.toolkits));
        object.insert(u"nixpkgs"_s, pins);
        object.insert(u"recipes"_s, int(summary.recipes.size()));
        object.insert(u"missing"_s, summary.missing);
        object.insert(u"holes"_s, summary.holes);
        object.insert(u"errors"_s, summary.problems.errors);
        object.insert(u"warnings"_s, summary.problems.warnings);
        object.insert(u"built"_s, branch.builds.built);
        object.insert(u"published"_s, branch.builds.published);
        object.insert(u"failed"_s, branch.builds.failed);
        object.insert(u"stale"_s, branch.builds.stale);
        object.insert(u"running"_s, branch.builds.running);
        object.insert(u"built_by_team"_s, branch.builds.builtByTeam);
        object.insert(u"failed_by_team"_s, branch.builds.failedByTeam);
        object.insert(u"last_build"_s,
                      branch.builds.last.isValid() ? branch.builds.last.toUTC().toString(Qt::ISODate) : QString());
        object.insert(u"torch"_s, QJsonObject{{u"needed"_s, torch.needed},
                                              {u"covered"_s, torch.covered},
                                              {u"same_pin"_s, torch.samePin},
                                              {u"not_known"_s, torch.unknown},
                                              {u"repository"_s, there ? there->repository : QString()},
                                              {u"branch"_s, there ? there->ref.name : QString()}});
        branches.append(object);
    }
    return {{u"branches"_s, branches}, {u"errors"_s, toJson(fleet.troubles)}};
}

QString pinsText(const QList<FleetPin> &pins, const QList<OutdatedStatement> &outdated)
{
    QString text;
    QMap<QStringList, QStringList> same; ///< branches by their pins
    for (const FleetPin &pin : pins) {
        QStringList versions;
        for (auto it = pin.versions.cbegin(); it != pin.versions.cend(); ++it)
            versions.append(it.key() + u' ' + it->join(u", "_s));
        text += pin.revision + (versions.isEmpty() ? QString() : u"  recipes say "_s + versions.join(u"; "_s)) + u'\n';
        QList<QStringList> lines;
        for (const FleetPin::Use &use : pin.uses) {
            const QString file = use.pin->files.isEmpty()
                                     ? QString()
                                     : Tr::tr("stated in %1", "files").arg(use.pin->files.join(u", "_s));
            lines.append({u"  "_s + use.branch->label(), Tr::tr("%n recipes", nullptr, use.pin->recipes), file});
            QStringList &branches = same[sortedRevisions(*use.branch->summary)];
            if (!branches.contains(use.branch->label()))
                branches.append(use.branch->label());
        }
        text += alignedText(lines);
    }
    QStringList further;
    for (auto it = same.cbegin(); it != same.cend(); ++it) {
        QStringList revisions;
        for (const QString &revision : it.key())
            revisions.append(revision.left(7));
        if (it->size() > 1)
            further.append(Tr::tr("The same pins (%1): %2.", "revisions, branches")
                               .arg(revisions.join(u", "_s), it->join(u", "_s)));
    }
    for (const QString &line : std::as_const(further))
        text += line + u'\n';
    for (const OutdatedStatement &statement : outdated)
        text += u"%1 (%2) %3:%4: %5\n"_s.arg(statement.repository.section(u'/', -1), statement.branches.join(u", "_s),
                                             statement.path, QString::number(statement.line), statement.sentence);
    return text;
}

QJsonObject pinsJson(const QList<FleetPin> &pins, const QList<OutdatedStatement> &outdated)
{
    QJsonArray list;
    for (const FleetPin &pin : pins) {
        QJsonObject versions;
        for (auto it = pin.versions.cbegin(); it != pin.versions.cend(); ++it)
            versions.insert(it.key(), QJsonArray::fromStringList(*it));
        QJsonArray uses;
        for (const FleetPin::Use &use : pin.uses) {
            QJsonObject object = placeJson(*use.branch);
            object.insert(u"recipes"_s, use.pin->recipes);
            object.insert(u"files"_s, QJsonArray::fromStringList(use.pin->files));
            uses.append(object);
        }
        list.append(QJsonObject{{u"revision"_s, pin.revision}, {u"versions"_s, versions}, {u"uses"_s, uses}});
    }
    QJsonArray statements;
    for (const OutdatedStatement &one : outdated)
        statements.append(QJsonObject{{u"repository"_s, one.repository},
                                      {u"branches"_s, QJsonArray::fromStringList(one.branches)},
                                      {u"file"_s, one.path},
                                      {u"line"_s, one.line},
                                      {u"sentence"_s, one.sentence}});
    return {{u"pins"_s, list}, {u"outdated"_s, statements}};
}

QString placesText(const QList<PinPlace> &places)
{
    QString text;
    for (const PinPlace &place : places)
        text += u"%1 (%2) %3:%4: %5\n"_s.arg(place.repository.section(u'/', -1), place.branches.join(u", "_s),
                                             place.path, QString::number(place.line), place.text.left(120));
    return text;
}

QJsonObject placesJson(const QString &revision, const QList<PinPlace> &places)
{
    QJsonArray list;
    for (const PinPlace &place : places)
        list.append(QJsonObject{{u"repository"_s, place.repository},
                                {u"branches"_s, QJsonArray::fromStringList(place.branches)},
                                {u"file"_s, place.path},
                                {u"line"_s, place.line},
                                {u"text"_s, place.text}});
    return {{u"revision"_s, revision}, {u"places"_s, list}};
}

QString matchesText(const FleetBranch &branch, const QList<BranchMatch> &matches,
                    const QList<FetchedTorchSource> &fetched)
{
    QList<QStringList> lines;
    for (const BranchMatch &match : matches) {
        const QString fit = Tr::tr("%1 of %2 fit").arg(match.fitting).arg(match.of);
        lines.append({match.branch->label(),
                      match.unknown > 0 ? Tr::tr("%1, %2 not known").arg(fit).arg(match.unknown) : fit,
                      match.differences.join(u"; "_s)});
    }
    QString text = alignedText(lines);
    for (const FetchedTorchSource &source : fetched)
        text += u"%1: %2\n"_s.arg(branch.label(), source.sentence());
    return text;
}

QJsonObject matchesJson(const FleetBranch &branch, const QList<BranchMatch> &matches,
                        const QList<FetchedTorchSource> &fetched)
{
    QJsonArray list;
    for (const BranchMatch &match : matches) {
        QJsonObject object = placeJson(*match.branch);
        object.insert(u"of"_s, match.of);
        object.insert(u"fitting"_s, match.fitting);
        object.insert(u"same_pin"_s, match.samePin);
        object.insert(u"not_known"_s, match.unknown);
        object.insert(u"other_version"_s, match.otherVersion);
        object.insert(u"differences"_s, QJsonArray::fromStringList(match.differences));
        list.append(object);
    }
    QJsonArray sources;
    for (const FetchedTorchSource &source : fetched)
        sources.append(QJsonObject{{u"archive"_s, source.archive},
                                   {u"revision"_s, source.revision},
                                   {u"recipes"_s, source.recipes},
                                   {u"clone"_s, source.clone},
                                   {u"found"_s, source.hasCommit},
                                   {u"branch"_s, source.branch},
                                   {u"ahead"_s, source.ahead},
                                   {u"behind"_s, source.behind},
                                   {u"missing"_s, QJsonArray::fromStringList(source.lackingFiles)}});
    QJsonObject object = placeJson(branch);
    object.insert(u"matches"_s, list);
    object.insert(u"fetched"_s, sources);
    return object;
}

QJsonArray toJson(const QList<FleetTrouble> &troubles)
{
    QJsonArray list;
    for (const FleetTrouble &trouble : troubles)
        list.append(QJsonObject{{u"repository"_s, trouble.repository},
                                {u"branch"_s, trouble.branch},
                                {u"error"_s, trouble.error.sentence()}});
    return list;
}

} // namespace tmx
