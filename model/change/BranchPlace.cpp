// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/BranchPlace.h"

#include "model/git/Repository.h"

#include <QDir>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// The branch that is changed; nullptr for requests of another kind.
QString *branchOf(ChangeRequest &request)
{
    if (auto *derive = std::get_if<DeriveRequest>(&request))
        return &derive->from;
    if (auto *migrate = std::get_if<MigrateRequest>(&request))
        return &migrate->branch;
    auto *fix = std::get_if<FixRequest>(&request);
    return fix ? &fix->branch : nullptr;
}

} // namespace

BranchPlace BranchPlace::of(const QString &words)
{
    const auto isFolder = [](const QString &path) { return QFileInfo(QDir::current(), path).isDir(); };
    const qsizetype at = words.indexOf(u'@');
    for (qsizetype i = at; i > 0; i = words.indexOf(u'@', i + 1)) {
        if (!isFolder(words) && isFolder(words.first(i)))
            return {words.first(i), words.sliced(i + 1)};
    }
    return {words, {}};
}

QString BranchPlace::label() const
{
    return repository.section(u'/', -1) + u'@' + branch;
}

Result<QList<ChangeSet>> prepareMany(const SnapshotReader &reader, const QList<BranchPlace> &places,
                                     const ChangeRequest &request, const WorkHooks &hooks)
{
    QList<ChangeSet> changes;
    for (const BranchPlace &place : places) {
        ChangeRequest own = request;
        QString &branch = *branchOf(own);
        branch = place.branch.isEmpty() ? branch : place.branch;
        if (auto *fix = std::get_if<FixRequest>(&own))
            fix->several = true;
        const Result<QList<ChangeSet>> prepared = prepare(reader, place.repository, own, hooks);
        if (hooks.stopped())
            return stoppedError();
        ChangeSet change = prepared ? prepared->constFirst() : ChangeSet();
        if (!prepared) {
            change.branch = branch;
            change.refusal = prepared.error();
        }
        change.repository = place.repository;
        changes.append(change);
    }
    return changes;
}

Result<void> checkMany(const QList<ChangeSet> &changes)
{
    for (const ChangeSet &change : changes) {
        if (change.refusal)
            return *change.refusal;
        TM_TRY(repository, Repository::open(change.repository));
        repository->recover();
        if (!change.isEmpty())
            TM_CHECK(repository->checkApply(change));
    }
    return {};
}

} // namespace tmx
