// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/CommitRules.h"
#include "model/git/GitError.h"
#include "model/git/GitHandles.h"
#include "model/git/OpenRepository.h"
#include "model/git/Repository.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

bool liesInside(const QString &path)
{
    const QStringList parts = path.split(u'/');
    return std::none_of(parts.begin(), parts.end(), [](const QString &part) {
        return part.isEmpty() || part == u"."_s || part == u".."_s || part.compare(u".git"_s, Qt::CaseInsensitive) == 0;
    });
}

Result<void> checkInput(const QString &folder, const QList<NewBranch> &branches)
{
    const QFileInfo place(folder);
    if (place.exists() && !place.isDir())
        return Error{Tr::tr("create a repository in"), folder, Tr::tr("it is a file"), {}};
    if (place.exists() && !QDir(folder).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot))
        return Error{Tr::tr("create a repository in"), folder, Tr::tr("the folder is not empty"),
                     Tr::tr("Choose a new or an empty one.")};
    if (branches.isEmpty())
        return Error{Tr::tr("create a repository in"), folder, Tr::tr("it would have no branch"), {}};
    for (const NewBranch &branch : branches) {
        int valid = 0;
        if (git_branch_name_is_valid(&valid, branch.name.toUtf8().constData()) < 0 || !valid)
            return Error{Tr::tr("create the branch"), branch.name, Tr::tr("that is not the name of a branch"), {}};
        for (const auto &[path, content] : branch.files) {
            if (!liesInside(path))
                return Error{Tr::tr("add"), path, Tr::tr("it is not in the repository"), {}};
        }
    }
    return {};
}

/// The user's identity; if git has none, an identity for the sample only, stored in its own configuration, so that the
/// user can commit in the sample at once.
Result<Identity> identityForSample(const OpenRepository &repository)
{
    Result<Identity> identity = identityOf(repository);
    if (identity)
        return identity;
    Identity own;
    GitConfig config;
    if (obtain(own.author, git_signature_now, "Torch Matrix", "torch-matrix@localhost") < 0 ||
        obtain(own.committer, git_signature_dup, own.author.get()) < 0 ||
        obtain(config, git_repository_config, repository.git()) < 0 ||
        git_config_set_string(config.get(), "user.name", own.author->name) < 0 ||
        git_config_set_string(config.get(), "user.email", own.author->email) < 0)
        return gitError(Tr::tr("create a repository in"), repository.workTree);
    return own;
}

Result<void> commitBranch(const OpenRepository &repository, const NewBranch &branch, const Identity &identity)
{
    const auto failed = [&branch] { return gitError(Tr::tr("create the branch"), branch.name); };
    GitIndex index;
    if (obtain(index, git_index_new) < 0)
        return failed();
    for (const auto &[path, content] : branch.files) {
        const QByteArray name = path.toUtf8();
        git_index_entry entry{};
        entry.path = name.constData();
        entry.mode = GIT_FILEMODE_BLOB;
        if (git_blob_create_from_buffer(&entry.id, repository.git(), content.constData(), size_t(content.size())) < 0 ||
            git_index_add(index.get(), &entry) < 0)
            return failed();
    }
    git_oid treeId;
    git_oid commit;
    GitTree tree;
    GitCommit parent;
    if (!branch.follows.isEmpty()) {
        GitConfig config;
        git_oid id;
        const QByteArray upstream = "refs/heads/" + branch.follows.toUtf8();
        const QByteArray section = "branch." + branch.name.toUtf8();
        if (git_reference_name_to_id(&id, repository.git(), upstream.constData()) < 0 ||
            obtain(parent, git_commit_lookup, repository.git(), &id) < 0 ||
            obtain(config, git_repository_config, repository.git()) < 0 ||
            git_config_set_string(config.get(), (section + ".remote").constData(), ".") < 0 ||
            git_config_set_string(config.get(), (section + ".merge").constData(), upstream.constData()) < 0)
            return failed();
    }
    const git_commit *parents[] = {parent.get()};
    if (git_index_write_tree_to(&treeId, index.get(), repository.git()) < 0 ||
        obtain(tree, git_tree_lookup, repository.git(), &treeId) < 0 ||
        git_commit_create(&commit, repository.git(), ("refs/heads/" + branch.name.toUtf8()).constData(),
                          identity.author.get(), identity.committer.get(), nullptr,
                          tidyMessage(branch.message).constData(), tree.get(), parent ? 1 : 0, parents) < 0)
        return failed();
    return {};
}

} // namespace

Result<void> createRepository(const QString &folder, const QList<NewBranch> &branches)
{
    startGit();
    TM_CHECK(checkInput(folder, branches));

    const QByteArray first = branches.first().name.toUtf8();
    git_repository_init_options options = GIT_REPOSITORY_INIT_OPTIONS_INIT;
    options.flags = GIT_REPOSITORY_INIT_MKPATH | GIT_REPOSITORY_INIT_MKDIR | GIT_REPOSITORY_INIT_NO_REINIT;
    options.initial_head = first.constData();
    GitRepository made;
    if (obtain(made, git_repository_init_ext, QFile::encodeName(folder).constData(), &options) < 0)
        return gitError(Tr::tr("create a repository in"), folder);
    TM_TRY(repository, openRepository(folder));
    TM_TRY(identity, identityForSample(*repository));
    for (const NewBranch &branch : branches)
        TM_CHECK(commitBranch(*repository, branch, *identity));
    git_checkout_options checkout = GIT_CHECKOUT_OPTIONS_INIT;
    checkout.checkout_strategy = GIT_CHECKOUT_FORCE;
    if (git_checkout_head(repository->git(), &checkout) < 0)
        return gitError(Tr::tr("fill the working tree of"), folder);
    return {};
}

} // namespace tmx
