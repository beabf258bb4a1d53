// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/fleet/Pins.h"

#include "model/audit/Documents.h"
#include "model/base/Parallel.h"
#include "model/base/Tr.h"
#include "model/git/CommitReader.h"

#include <QRegularExpression>

#include <algorithm>
#include <numeric>
#include <vector>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

template <class Found>
void forEachLine(const FileText &file, const Found &found)
{
    int line = 0;
    for (const QByteArray &bytes : file.text.split('\n')) {
        ++line;
        found(line, QString::fromUtf8(bytes));
    }
}

QStringList revisionsOf(const BranchSummary &summary)
{
    QStringList revisions;
    for (const PinUse &pin : summary.pins)
        revisions.append(pin.revision);
    return revisions;
}

bool isPrefixOf(const QString &hex, const QStringList &revisions)
{
    return std::ranges::any_of(revisions, [&hex](const QString &revision) { return revision.startsWith(hex); });
}

/// What a line of a document says wrongly about pins.
QStringList wrongPins(const QString &line, const QList<const FleetBranch *> &branches, const QStringList &pins)
{
    QStringList names;
    for (const FleetBranch *branch : branches)
        names.append(branch->ref.name);
    const QStringList named = branchesNamedIn(line, names);
    const auto isOfNamed = [&](const FleetBranch *branch, const QString &pin) {
        return named.contains(branch->ref.name) && isPrefixOf(pin, revisionsOf(*branch->summary));
    };
    QStringList sentences;
    for (const QString &pin : pins.isEmpty() || tellsChange(line) ? QStringList() : pinsIn(line)) {
        if (named.isEmpty()) {
            if (!isPrefixOf(pin, pins) && !namesUnknownBranch(line, names))
                sentences.append(Tr::tr("No branch of this clone fetches nixpkgs %1.").arg(pin));
        } else if (std::ranges::none_of(branches, [&](const FleetBranch *one) { return isOfNamed(one, pin); })) {
            sentences.append(Tr::tr("%1 does not fetch nixpkgs %2.", "branch").arg(named.join(u", "_s), pin));
        }
    }
    return sentences;
}

} // namespace

int FleetPin::recipes() const
{
    return std::accumulate(uses.begin(), uses.end(), 0, [](int sum, const Use &use) { return sum + use.pin->recipes; });
}

QList<FleetPin> pinsOf(const Fleet &fleet)
{
    QMap<QString, FleetPin> pins;
    for (const FleetBranch &branch : fleet.branches) {
        for (const PinUse &use : branch.summary->pins) {
            pins[use.revision].revision = use.revision;
            pins[use.revision].uses.append({&branch, &use});
        }
        for (const PinnedVersion &shown : branch.summary->pinnedVersions) {
            QStringList &versions = pins[shown.revision].versions[shown.family];
            if (!versions.contains(shown.version))
                versions.append(shown.version);
        }
    }
    QList<FleetPin> list = pins.values();
    list.removeIf([](const FleetPin &pin) { return pin.uses.isEmpty(); });
    std::ranges::stable_sort(list, std::ranges::greater(), &FleetPin::recipes);
    return list;
}

QList<PinPlace> placesNaming(const Fleet &fleet, const QString &revision, QList<FleetTrouble> &unread,
                             const WorkHooks &hooks)
{
    const QString stated = revision.toLower();
    const QRegularExpression hex(u"(?<![0-9A-Za-z])%1[0-9a-f]{0,33}(?![0-9A-Za-z])"_s.arg(stated.left(shortestId)));
    const QByteArray beginning = stated.left(shortestId).toLatin1();
    std::vector<QList<PinPlace>> found(size_t(fleet.repositories.size()));
    std::vector<QList<FleetTrouble>> lost(found.size());
    inParallel(fleet.repositories.size(), [&](qsizetype i) {
        const QString &repository = fleet.repositories.at(i);
        const Result<CommitReader> reader = CommitReader::open(repository);
        if (!reader) {
            lost[size_t(i)].append({repository, {}, reader.error()});
            return;
        }
        QHash<QString, QList<PinPlace>> known; ///< by path and blob
        QStringList order;
        for (const FleetBranch *branch : fleet.of(repository)) {
            if (branch->ref.commit.isEmpty() || hooks.stopped())
                continue;
            const auto look = [&](const FileText &file) {
                const QString key = file.path + u'\n' + file.blob;
                if (!known.contains(key)) {
                    QList<PinPlace> places;
                    if (file.text.contains(beginning)) {
                        forEachLine(file, [&](int line, const QString &text) {
                            for (const QRegularExpressionMatch &match : hex.globalMatch(text)) {
                                if (stated.startsWith(match.captured()) || match.captured().startsWith(stated)) {
                                    places.append({branch->repository, {}, file.path, line, text.trimmed()});
                                    break;
                                }
                            }
                        });
                    }
                    known.insert(key, places);
                    order.append(key);
                }
                for (PinPlace &place : known[key])
                    place.branches.append(branch->ref.name);
            };
            const auto all = [](const QString &) { return true; };
            if (const Result<void> read = reader->forEachText(branch->ref.commit, all, look); !read)
                lost[size_t(i)].append({repository, branch->ref.name, read.error()});
        }
        for (const QString &key : std::as_const(order))
            found[size_t(i)] += known.value(key);
        std::ranges::stable_sort(found[size_t(i)], {}, &PinPlace::path);
    });
    QList<PinPlace> all;
    for (size_t i = 0; i < found.size(); ++i) {
        all += found[i];
        unread += lost[i];
    }
    return all;
}

QList<OutdatedStatement> outdatedStatements(const Fleet &fleet, QList<FleetTrouble> &unread, const WorkHooks &hooks)
{
    std::vector<QList<OutdatedStatement>> found(size_t(fleet.repositories.size()));
    std::vector<QList<FleetTrouble>> lost(found.size());
    inParallel(fleet.repositories.size(), [&](qsizetype i) {
        const QString &repository = fleet.repositories.at(i);
        const Result<CommitReader> reader = CommitReader::open(repository);
        const auto tips = reader ? reader->tips() : Result<QList<BranchTip>>(reader.error());
        if (!tips) {
            lost[size_t(i)].append({repository, {}, tips.error()});
            return;
        }
        const QList<const FleetBranch *> branches = fleet.of(repository);
        QStringList pins;
        for (const FleetBranch *branch : branches)
            pins += revisionsOf(*branch->summary);
        QSet<QString> existing;
        for (const BranchTip &tip : *tips)
            existing.insert(tip.branch);
        const QStringList names = reader->repositoryNames();
        QHash<QString, QList<OutdatedStatement>> known; ///< by path and blob
        QStringList order;
        for (const FleetBranch *branch : branches) {
            if (branch->ref.commit.isEmpty() || hooks.stopped() || branch->summary->recipes.isEmpty())
                continue;
            const auto look = [&](const FileText &file) {
                const QString key = file.path + u'\n' + file.blob;
                if (!known.contains(key)) {
                    QList<OutdatedStatement> statements;
                    forEachLine(file, [&](int line, const QString &text) {
                        QStringList sentences = wrongPins(text, branches, pins);
                        for (const QString &name : branchesToCheckOut(text, names)) {
                            if (!existing.contains(name) && !reader->commitOf(name))
                                sentences.append(Tr::tr("This clone has no branch %1.").arg(name));
                        }
                        for (const QString &sentence : std::as_const(sentences))
                            statements.append({repository, {}, file.path, line, sentence});
                    });
                    known.insert(key, statements);
                    order.append(key);
                }
                for (OutdatedStatement &statement : known[key])
                    statement.branches.append(branch->ref.name);
            };
            if (const Result<void> read = reader->forEachText(branch->ref.commit, isDocument, look); !read)
                lost[size_t(i)].append({repository, branch->ref.name, read.error()});
        }
        for (const QString &key : std::as_const(order))
            found[size_t(i)] += known.value(key);
    });
    QList<OutdatedStatement> all;
    for (size_t i = 0; i < found.size(); ++i) {
        all += found[i];
        unread += lost[i];
    }
    return all;
}

} // namespace tmx
