// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/git/OpenRepository.h"

#include <QList>

namespace tmx {

/// The objects of a partial clone ("git clone --filter") that its remote has promised to send when they are needed. git
/// fetches them; libgit2 does not know of them.
///
/// The fetch uses the user's own configuration of git, but of the repository's only the remote's address: reading a
/// repository runs no program that its configuration names.

/// Makes the handle look there for an object that it does not find, and count those that are nowhere
/// (OpenRepository::missing): an answer that was made without them is none.
void readMissingObjectsLast(OpenRepository &repository);

/// Fetches those of the objects that are missing, all at once. Does nothing if the repository is no partial clone. A
/// failure is remembered for half a minute; the next read says why (notHere).
void fetchMissing(const OpenRepository &repository, const QList<git_oid> &ids);
/// The same for the trees of the newest `most` commits from `commit` backwards, for a walk through the history.
void fetchTreesOfHistory(const OpenRepository &repository, const QString &commit, int most);

/// While it exists, fetches on this thread tell `hooks` their progress in percents, and end when it requests a stop.
class FetchHooks
{
public:
    explicit FetchHooks(const WorkHooks &hooks);
    ~FetchHooks();
    Q_DISABLE_COPY_MOVE(FetchHooks)

private:
    const WorkHooks *m_before;
};

/// The error for objects that are not in the repository: not here yet (a partial clone, with the reason why they could
/// not be fetched), or missing. `what`, `subject`: as in an Error.
Error notHere(const OpenRepository &repository, const QString &what, const QString &subject);
/// The same if OpenRepository::missing is more than `missingBefore`, else libgit2's last error.
Error readError(const OpenRepository &repository, int missingBefore, const QString &what, const QString &subject);

} // namespace tmx
