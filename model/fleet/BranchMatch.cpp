// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/fleet/BranchMatch.h"

#include "model/base/Sentences.h"
#include "model/base/ShortList.h"
#include "model/base/Tr.h"
#include "model/git/CommitReader.h"

#include <QFileInfo>

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

Variant withoutPython(Variant cell)
{
    cell.python.clear();
    return cell;
}

void addOnce(QStringList &list, const QString &value)
{
    if (!list.contains(value))
        list.append(value);
}

BranchMatch matchOf(const FleetBranch &branch, const FleetBranch &other)
{
    QHash<Variant, QList<const RecipeSummary *>> cells;
    QList<Variant> theirs;
    for (const RecipeSummary &recipe : other.summary->recipes) {
        const Variant cell = torchCellOf(recipe.variant);
        cells[cell].append(&recipe);
        if (!cell.python.isEmpty())
            cells[withoutPython(cell)].append(&recipe);
        theirs.append(recipe.variant);
    }
    BranchMatch match{&other, int(branch.summary->recipes.size())};
    QList<Variant> ours;
    QStringList versions;
    QStringList pins;
    QStringList lacking;
    for (const RecipeSummary &recipe : branch.summary->recipes) {
        ours.append(recipe.variant);
        const Variant cell = torchCellOf(recipe.variant);
        auto there = cells.constFind(cell);
        if (there == cells.cend())
            there = cells.constFind(withoutPython(cell)); // The other one may be without Python.
        if (there != cells.cend() && !cell.python.isEmpty() && there.key().python.isEmpty() &&
            !there->constFirst()->variant.python.isEmpty())
            there = cells.cend();
        if (there == cells.cend()) {
            lacking.append(cell.name().sliced(1));
            continue;
        }
        const RecipeSummary *best = *std::ranges::min_element(
            *there, {}, [&recipe](const RecipeSummary *one) { return fitOf(recipe.torch, one->torch); });
        switch (fitOf(recipe.torch, best->torch)) {
        case TorchFit::Same: ++match.samePin; [[fallthrough]];
        case TorchFit::OtherPin: ++match.fitting; break;
        case TorchFit::Unknown: ++match.unknown; break;
        case TorchFit::Other:
            ++match.otherVersion;
            addOnce(versions,
                    Tr::tr("PyTorch %1 instead of %2", "versions").arg(best->torch.version, recipe.torch.version));
            break;
        }
        if (best->torch.pin != recipe.torch.pin && !best->torch.pin.isEmpty() && !recipe.torch.pin.isEmpty())
            addOnce(
                pins,
                Tr::tr("nixpkgs %1 instead of %2", "revisions").arg(best->torch.pin.left(7), recipe.torch.pin.left(7)));
    }
    match.differences = partsApart(ours, theirs);
    if (match.differences.isEmpty() && !lacking.isEmpty())
        match.differences.append(
            Tr::tr("%n recipes are missing: %1", nullptr, int(lacking.size())).arg(shortList(lacking)));
    match.differences += versions;
    if (match.unknown > 0)
        match.differences.append(Tr::tr("the PyTorch version of %n recipes is unknown", nullptr, match.unknown));
    match.differences += pins;
    return match;
}

std::optional<QString> cloneOf(const QString &name, const FleetBranch &branch, const QStringList &repositories)
{
    for (const QString &repository : repositories) {
        if (repository.section(u'/', -1) == name)
            return repository;
    }
    const QString beside = QFileInfo(branch.repository).path() + u'/' + name;
    return !name.isEmpty() && QFileInfo::exists(beside + u"/.git"_s) ? std::optional(beside) : std::nullopt;
}

} // namespace

QList<BranchMatch> matchesOf(const FleetBranch &branch, const QList<const FleetBranch *> &others)
{
    QList<BranchMatch> matches;
    for (const FleetBranch *other : others) {
        if (other != &branch)
            matches.append(matchOf(branch, *other));
    }
    std::ranges::stable_sort(matches, [](const BranchMatch &a, const BranchMatch &b) {
        return std::tuple(-a.fitting, -a.samePin, -a.unknown, -a.otherVersion, a.differences.size()) <
               std::tuple(-b.fitting, -b.samePin, -b.unknown, -b.otherVersion, b.differences.size());
    });
    return matches;
}

QString FetchedTorchSource::sentence() const
{
    const TorchRepository from = TorchRepository::ofArchive(archive, revision);
    const QString name = u"%1@%2"_s.arg(from.name(), revision.left(7));
    if (clone.isEmpty())
        return Tr::tr("%n recipes import PyTorch from %1, which has no clone here.", nullptr, recipes).arg(name);
    if (!hasCommit)
        return Tr::tr("%n recipes import PyTorch from %1, and the clone %2 does not have that commit.", nullptr,
                      recipes)
            .arg(name, clone);
    QString where =
        branch.isEmpty()            ? Tr::tr("on no branch")
        : ahead == 0 && behind == 0 ? Tr::tr("at its branch %1").arg(branch)
        : ahead == 0
            ? Tr::tr("%n commits behind its branch %1", nullptr, behind).arg(branch)
            : Tr::tr("%n commits ahead of its branch %1 and %2 behind", nullptr, ahead).arg(branch).arg(behind);
    const QString sentence = Tr::tr("%n recipes import PyTorch from %1, %2.", nullptr, recipes).arg(name, where);
    return lackingFiles.isEmpty()
               ? sentence
               : joinedSentences(
                     {sentence, Tr::tr("That commit does not have %1.", "files").arg(shortList(lackingFiles))});
}

QList<FetchedTorchSource> fetchedTorchOf(const FleetBranch &branch, const QStringList &repositories)
{
    QList<FetchedTorchSource> sources;
    QList<QStringList> paths;
    for (const RecipeSummary &recipe : branch.summary->recipes) {
        const StatedTorch &torch = recipe.torch;
        if (torch.revision.isEmpty())
            continue;
        auto known = std::ranges::find_if(sources, [&torch](const FetchedTorchSource &source) {
            return source.archive == torch.archive && source.revision == torch.revision;
        });
        if (known == sources.end()) {
            sources.append({torch.archive, torch.revision});
            paths.append(QStringList());
            known = sources.end() - 1;
        }
        ++known->recipes;
        addOnce(paths[known - sources.begin()], torch.path);
    }
    for (qsizetype i = 0; i < sources.size(); ++i) {
        FetchedTorchSource &source = sources[i];
        const QString name = TorchRepository::ofArchive(source.archive, source.revision).name();
        const std::optional<QString> clone = cloneOf(name, branch, repositories);
        const std::optional<Result<CommitReader>> reader =
            clone ? std::optional(CommitReader::open(*clone)) : std::nullopt;
        if (!reader || !*reader)
            continue;
        source.clone = *clone;
        source.hasCommit = (*reader)->commitOf(source.revision + u"^{commit}"_s).ok();
        if (!source.hasCommit)
            continue;
        const Result<QList<BranchTip>> tips = (*reader)->tips();
        for (const BranchTip &tip : tips ? *tips : QList<BranchTip>()) {
            const Result<std::pair<int, int>> apart = (*reader)->distance(tip.commit, source.revision);
            // A remote-tracking branch says no more than its local branch at the same commit.
            if (!apart || (!source.branch.isEmpty() &&
                           std::pair(apart->second, apart->first) >= std::pair(source.ahead, source.behind)))
                continue;
            source.branch = tip.name;
            source.behind = apart->first;
            source.ahead = apart->second;
        }
        for (const QString &path : std::as_const(paths.at(i))) {
            const auto file = (*reader)->fileAt(source.revision, path);
            if (!file || !*file)
                source.lackingFiles.append(path);
        }
    }
    return sources;
}

} // namespace tmx
