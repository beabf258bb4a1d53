// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/git/OpenRepository.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>
#include <utility>

namespace tmx {

/// A ref that has a name, readable or not.
struct RefName {
    QByteArray name;               ///< "refs/heads/main"
    std::optional<git_oid> packed; ///< its commit, of a ref without a file of its own
};

/// The refs below a folder.
struct RefNames {
    QList<RefName> refs;         ///< sorted by name; with broken ones, which libgit2 leaves out of every list
    std::optional<Error> packed; ///< why packed-refs cannot be read; `refs` then has those of its valid lines
};

/// `folder`: "refs/heads/" or another one. Error: the refs cannot be listed.
Result<RefNames> refsBelow(const OpenRepository &repository, const QByteArray &folder);

/// The commit of a ref, through symbolic refs; nullopt: it is broken.
std::optional<git_oid> commitOfRef(const OpenRepository &repository, const RefName &ref);

/// The name of a local branch that cannot be read, with the reason; nullopt: it was deleted meanwhile. Call it directly
/// after commitOfRef().
std::optional<std::pair<QString, Error>> brokenRef(const OpenRepository &repository, const RefName &ref);

/// What may have been meant by a name that no branch has: "Did you mean main?", or an empty text.
QString meantBranch(const OpenRepository &repository, const QString &name);

/// Why an existing branch cannot be read, and how to restore it. Call it directly after the call that failed.
Error brokenBranch(const OpenRepository &repository, const QString &branch);

} // namespace tmx
