// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/RepositoryInfo.h"

#include "model/git/BranchRefs.h"
#include "model/git/CommitReader.h"
#include "model/git/GitError.h"
#include "model/git/WorkTrees.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>

#include <algorithm>
#include <memory>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr const char *heads = "refs/heads/";

/// The upstream branches, as git tells them. git_branch_upstream_name() reads the configuration again for each branch:
/// with forty branches that follow one, that takes longer than everything else that is read of them.
class Upstreams
{
public:
    explicit Upstreams(const OpenRepository &repository)
        : m_repository(repository)
    {
        obtain(m_config, git_repository_config_snapshot, repository.git());
    }

    /// The full name of the ref that the branch follows, here: "refs/remotes/origin/main"; empty if there is none.
    QByteArray of(const QByteArray &branch)
    {
        const QByteArray remote = stated("branch." + branch + ".remote");
        const QByteArray merge = stated("branch." + branch + ".merge");
        if (remote.isEmpty() || merge.isEmpty())
            return {};
        if (remote == ".")
            return merge.startsWith("refs/") ? merge : heads + merge;
        if (!m_remotes.contains(remote)) {
            GitRemote found;
            obtain(found, git_remote_lookup, m_repository.git(), remote.constData());
            m_remotes.insert(remote, std::make_shared<const GitRemote>(std::move(found)));
        }
        const GitRemote &found = *m_remotes.value(remote);
        for (size_t i = 0; found && i < git_remote_refspec_count(found.get()); ++i) {
            const git_refspec *refspec = git_remote_get_refspec(found.get(), i);
            GitBuffer name;
            if (git_refspec_direction(refspec) == GIT_DIRECTION_FETCH &&
                git_refspec_src_matches(refspec, merge.constData()) &&
                git_refspec_transform(&name, refspec, merge.constData()) == 0)
                return {name.ptr, qsizetype(name.size)};
        }
        return {};
    }

private:
    [[nodiscard]] QByteArray stated(const QByteArray &key) const
    {
        const char *value = nullptr;
        return m_config && git_config_get_string(&value, m_config.get(), key.constData()) == 0 ? QByteArray(value)
                                                                                               : QByteArray();
    }

    const OpenRepository &m_repository;
    GitConfig m_config;
    QHash<QByteArray, std::shared_ptr<const GitRemote>> m_remotes; ///< null: there is no such remote
};

/// The branch's upstream, and how far both have diverged. `ref`: the upstream's.
void readUpstream(const OpenRepository &repository, const QByteArray &ref, const git_oid &tip, BranchRef *branch)
{
    git_oid theirs;
    if (ref.isEmpty() || git_reference_name_to_id(&theirs, repository.git(), ref.constData()) < 0)
        return;
    QString text = QString::fromUtf8(ref);
    for (const QString &folder : {u"refs/remotes/"_s, u"refs/heads/"_s}) {
        if (text.startsWith(folder))
            text.remove(0, folder.size());
    }
    branch->upstream = text;
    size_t ahead = 0;
    size_t behind = 0;
    const bool told =
        git_oid_equal(&theirs, &tip) || git_graph_ahead_behind(&ahead, &behind, repository.git(), &tip, &theirs) == 0;
    branch->ahead = told ? int(ahead) : -1;
    branch->behind = told ? int(behind) : -1;
}

} // namespace

Result<RepositoryInfo> readInfo(const OpenRepository &repository)
{
    TM_TRY(head, headOf(repository));
    RepositoryInfo info;
    info.workTree = repository.workTree;
    info.gitFolder = repository.gitFolder;
    info.headBranch = head->branch;
    info.detached = head->detached;
    info.headCommit = head->commit;
    // A broken branch must not hide the others; reading it reports the problem.
    const Result<Head> whole = readHead(repository);
    if (whole)
        info.headCommit = whole->commit;

    TM_TRY(places, branchesCheckedOut(repository));
    const auto elsewhere = [&](const QString &branch) {
        const QStringList all = places->values(branch);
        const auto other =
            std::find_if(all.begin(), all.end(), [&](const QString &place) { return place != repository.workTree; });
        return other == all.end() ? QString() : *other;
    };
    constexpr qsizetype prefix = std::char_traits<char>::length(heads);
    TM_TRY(refs, refsBelow(repository, heads));
    Upstreams upstreams(repository);
    for (const RefName &ref : std::as_const(refs->refs)) {
        const std::optional<git_oid> id = commitOfRef(repository, ref);
        if (!id) {
            if (const auto broken = brokenRef(repository, ref))
                info.broken.append(*broken);
            continue;
        }
        const QString branch = QString::fromUtf8(ref.name.sliced(prefix));
        info.branches.append({branch, toHex(*id), !head->detached && branch == head->branch, elsewhere(branch)});
        readUpstream(repository, upstreams.of(ref.name.sliced(prefix)), *id, &info.branches.last());
    }
    if (refs->packed)
        info.broken.append({u"packed-refs"_s, *refs->packed});
    if (whole && !head->detached && whole->commit.isEmpty())
        info.branches.append({head->branch, {}, true, elsewhere(head->branch)});
    std::sort(info.branches.begin(), info.branches.end(),
              [](const BranchRef &a, const BranchRef &b) { return a.name < b.name; });
    return info;
}

} // namespace tmx
