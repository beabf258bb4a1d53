// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/GitError.h"

namespace tmx {

void startGit()
{
    // Never shut down: handles of worker threads may outlive any moment that could be chosen for it.
    static const bool started = [] {
        git_libgit2_init();
        // A commit that has been reported must survive a loss of power, its objects included.
        git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
        return true;
    }();
    Q_UNUSED(started)
}

QString gitWords()
{
    const git_error *error = git_error_last();
    QString words = error && error->message ? QString::fromUtf8(error->message) : Tr::tr("git gives no reason");
    while (words.endsWith(QLatin1Char('.')) || words.endsWith(QLatin1Char('\n')))
        words.chop(1);
    return words;
}

Error gitError(const QString &what, const QString &subject, const QString &remedy)
{
    return Error{what, subject, gitWords(), remedy};
}

QString toHex(const git_oid &id)
{
    char text[GIT_OID_MAX_HEXSIZE + 1] = {};
    return QString::fromLatin1(git_oid_tostr(text, sizeof text, &id));
}

std::optional<git_oid> fromHex(const QString &hex)
{
    git_oid id{};
    if (!hex.isEmpty() && (hex.size() != GIT_OID_SHA1_HEXSIZE || git_oid_fromstr(&id, hex.toLatin1().constData()) < 0))
        return std::nullopt;
    return id;
}

} // namespace tmx
