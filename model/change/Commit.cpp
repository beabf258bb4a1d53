// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Commit.h"

#include "model/base/Tr.h"
#include "model/change/Generate.h"
#include "model/change/Preparation.h"

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// The recipe of a name in the working tree.
ChangedFile fileOnDisk(const VariantEntry &entry)
{
    ChangedFile file;
    file.name = entry.variant.name();
    file.path = entry.file;
    file.chosen = true;
    if (entry.fileStatus == FileStatus::Deleted) {
        file.action = ChangeAction::Delete;
        file.reason = Tr::tr("It was deleted in the working tree.");
        return file;
    }
    file.action = entry.committed.isEmpty() ? ChangeAction::Create : ChangeAction::Rewrite;
    file.before = file.after = entry.text;
    file.reason = entry.committed.isEmpty() ? Tr::tr("It is new.") : Tr::tr("It was changed.");
    return file;
}

} // namespace

Result<QList<ChangeSet>> prepared(const Preparation &preparation, const CommitRequest &request)
{
    TM_TRY(read, preparation.read({}, preparation.hooks));
    ChangeSet changes = changeOf(*read->snapshot, ChangeSet::Until::Commit);
    changes.parentCommit = request.seenHead;
    for (const QString &name : request.names) {
        const VariantEntry *entry = read->snapshot->find(name);
        if (!entry || !entry->present)
            return Error{Tr::tr("commit"), name, Tr::tr("it has no recipe yet"), Tr::tr("Generate it first.")};
        changes.files.append(fileOnDisk(*entry));
    }
    changes.message = request.message.isEmpty() ? commitMessageFor(*read->snapshot, request.names) : request.message;
    return alone(std::move(changes));
}

Result<QList<ChangeSet>> prepared(const Preparation &preparation, const StageRequest &request)
{
    TM_TRY(read, preparation.read({}, preparation.hooks));
    ChangeSet changes = changeOf(*read->snapshot, ChangeSet::Until::Index);
    for (const QString &name : request.names) {
        const VariantEntry *entry = read->snapshot->find(name);
        if (!entry || !entry->present || entry->fileStatus == FileStatus::Deleted)
            return Error{Tr::tr("build"), name, Tr::tr("it has no recipe yet"), Tr::tr("Generate it first.")};
        changes.files.append(fileOnDisk(*entry));
    }
    changes.message = u"Add recipes to the index\n"_s;
    return alone(std::move(changes));
}

} // namespace tmx
