// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Remove.h"

#include "model/base/Sentences.h"
#include "model/base/Tr.h"
#include "model/change/Preparation.h"

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// The recipe of a name whose file will be removed or replaced.
Result<const VariantEntry *> entryToRemove(const BranchSnapshot &snapshot, const QString &action, const QString &name)
{
    const VariantEntry *entry = snapshot.find(name);
    if (!entry || !entry->present)
        return Error{action, name, Tr::tr("branch %1 has no such recipe").arg(snapshot.title()), {}};
    // A link or a folder: its content is unknown, so it could not be restored.
    if (entry->fileStatus != FileStatus::Deleted && entry->text.isEmpty())
        return Error{action, entry->file, Tr::tr("it cannot be read"), entry->reason};
    return entry;
}

ChangedFile removal(const VariantEntry &entry)
{
    ChangedFile file;
    file.action = ChangeAction::Delete;
    file.name = entry.variant.name();
    file.path = entry.file;
    if (entry.fileStatus != FileStatus::Deleted)
        file.before = entry.text;
    file.chosen = true;
    return file;
}

} // namespace

Result<QList<ChangeSet>> prepared(const Preparation &preparation, const DeleteRequest &request)
{
    TM_TRY(read, preparation.read(request.branch, preparation.hooks));
    ChangeSet changes = changeOf(*read->snapshot, ChangeSet::Until::Commit);
    for (const QString &name : request.names) {
        TM_TRY(entry, entryToRemove(*read->snapshot, Tr::tr("delete"), name));
        ChangedFile file = removal(**entry);
        file.reason = (*entry)->covered ? Tr::tr("The branch settings list it, so the cell will be missing.")
                                        : Tr::tr("The branch settings do not list it.");
        if ((*entry)->committed.isEmpty())
            file.reason = joinedSentences({file.reason, Tr::tr("It was never committed; its text is saved first.")});
        else if ((*entry)->fileStatus == FileStatus::Deleted)
            file.reason = joinedSentences({file.reason, Tr::tr("It was deleted in the working tree.")});
        else if ((*entry)->fileStatus != FileStatus::Clean)
            file.reason = joinedSentences({file.reason, Tr::tr("Its uncommitted text is saved first.")});
        changes.files.append(file);
    }
    return preparation.withBereaved(std::move(changes), *read->snapshot);
}

Result<QList<ChangeSet>> prepared(const Preparation &preparation, const DiscardRequest &request)
{
    TM_TRY(read, preparation.read({}, preparation.hooks));
    ChangeSet changes = changeOf(*read->snapshot, ChangeSet::Until::Commit);
    changes.subjectForm = u"Discard changes of %1"_s;
    for (const QString &name : request.names) {
        TM_TRY(entry, entryToRemove(*read->snapshot, Tr::tr("discard changes of"), name));
        if ((*entry)->fileStatus == FileStatus::Clean)
            return Error{Tr::tr("discard changes of"), name, Tr::tr("it has none"), {}};
        ChangedFile file = removal(**entry);
        if ((*entry)->committed.isEmpty()) {
            file.reason = Tr::tr("It was never committed, so the file is deleted; its text is saved first.");
        } else {
            file.action = file.before ? ChangeAction::Rewrite : ChangeAction::Create;
            file.after = (*entry)->committed;
            file.reason = file.before ? Tr::tr("It is restored to the last commit; its uncommitted text is saved "
                                               "first.")
                                      : Tr::tr("It was deleted in the working tree and is restored.");
        }
        changes.files.append(file);
    }
    if (request.names.size() == 1)
        changes.message = u"Discard changes of %1\n"_s.arg(request.names.constFirst());
    return preparation.withBereaved(std::move(changes), *read->snapshot);
}

} // namespace tmx
