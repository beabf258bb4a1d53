// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/GitError.h"

#include <QRegularExpression>

#include <cstdlib>
#include <git2/sys/alloc.h>
#include <git2/sys/errors.h>
#include <iterator>
#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

bool isTooMuch(quint64 bytes)
{
    constexpr quint64 most = quint64(64) << 20;
    if (bytes <= most)
        return false;
    git_error_set_str(GIT_ERROR_NOMEMORY, "Out of memory"); // in libgit2's wording
    return true;
}

void startGit()
{
    // Never shut down: handles of worker threads may still exist at any time.
    static const bool started = [] {
        git_allocator bounded{
            [](size_t bytes, const char *, int) { return isTooMuch(bytes) ? nullptr : std::malloc(bytes); },
            [](void *old, size_t bytes, const char *, int) {
                return isTooMuch(bytes) ? nullptr : std::realloc(old, bytes);
            },
            [](void *old) { std::free(old); }};
        git_libgit2_opts(GIT_OPT_SET_ALLOCATOR, &bounded);
        git_libgit2_init();
        const char *extensions[] = {"refstorage"}; // readRefTables()
        git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions, std::size(extensions));
        // A tree names files that a partial clone does not have: those that are not changed.
        git_libgit2_opts(GIT_OPT_ENABLE_STRICT_OBJECT_CREATION, 0);
        // A commit that has been reported must survive a loss of power, with its objects.
        git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
        // By default libgit2 does not cache a tree of more than 50 recipes, and parses it again for each of them.
        git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_TREE, size_t(1) << 20);
        return true;
    }();
    Q_UNUSED(started)
}

QString gitWords()
{
    const git_error *error = git_error_last();
    if (error && error->klass == GIT_ERROR_NOMEMORY)
        return Tr::tr("an object is larger than 64 MiB or than the free memory");
    // What libgit2 says in its own terms.
    static const std::pair<QLatin1StringView, const char *> plain[] = {
        {"object not found"_L1, QT_TRANSLATE_NOOP("tmx::Tr", "an object is missing from the repository")},
        {"the git_object of id"_L1, QT_TRANSLATE_NOOP("tmx::Tr", "a commit, or its tree, is missing or damaged")},
        {"bytes, read "_L1, QT_TRANSLATE_NOOP("tmx::Tr", "it changed while it was read; try again")},
        {"the requested type does not match"_L1,
         QT_TRANSLATE_NOOP("tmx::Tr", "an object has another type than expected")},
        {"unknown object format"_L1,
         QT_TRANSLATE_NOOP("tmx::Tr", "its objects are named by SHA-256, which this program does not read")},
        {"unsupported extension name"_L1,
         QT_TRANSLATE_NOOP("tmx::Tr", "its configuration has an extension that this program does not know")},
        {"unsupported repository version"_L1,
         QT_TRANSLATE_NOOP("tmx::Tr", "its format is newer than this program knows")}};
    const QString said = error && error->message ? QString::fromUtf8(error->message) : QString();
    for (const auto &[begin, text] : plain) {
        if (said.contains(begin))
            return Tr::tr(text);
    }
    // The rest of its terms: what a user can do depends on what is damaged only.
    static const QRegularExpression raw(
        u"\\bgit_|\\b(?:oids?|odb|refdb|zlib|mmap|mwindow|packfiles?|packbuilder|deltas?|peel\\w*|libgit2|backends?|"
        u"fanout|non-monotonic|(?:de|in)flat\\w*|extensions?\\.\\w+|object ids?|checksum)\\b|\\b[0-9a-f]{40}\\b|(?:->|==|!=|&&)"_s,
        QRegularExpression::CaseInsensitiveOption);
    if (raw.match(said).hasMatch()) {
        switch (error->klass) {
        case GIT_ERROR_INDEX: return Tr::tr("the index is damaged");
        case GIT_ERROR_REFERENCE: return Tr::tr("the file of a branch or tag is damaged");
        case GIT_ERROR_CONFIG: return Tr::tr("the configuration is damaged");
        default: return Tr::tr("an object is damaged or missing, or a pack of objects");
        }
    }
    QString words = error && error->message ? QString::fromUtf8(error->message) : Tr::tr("git gives no reason");
    while (words.endsWith(QLatin1Char('.')) || words.endsWith(QLatin1Char('\n')))
        words.chop(1);
    return words;
}

bool isOfSystem(int rc)
{
    const git_error *error = rc < 0 && rc != GIT_ENOTFOUND ? git_error_last() : nullptr;
    return error && error->klass == GIT_ERROR_OS;
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
