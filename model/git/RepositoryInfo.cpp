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

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr const char *heads = "refs/heads/";

/// The branch's upstream, and how far both have diverged.
void readUpstream(const OpenRepository &repository, const QByteArray &ref, const git_oid &tip, BranchRef *branch)
{
    GitBuffer name;
    git_oid theirs;
    if (git_branch_upstream_name(&name, repository.git(), ref.constData()) < 0 ||
        git_reference_name_to_id(&theirs, repository.git(), name.ptr) < 0)
        return;
    QString text = QString::fromUtf8(name.ptr);
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
    for (const RefName &ref : std::as_const(refs->refs)) {
        const std::optional<git_oid> id = commitOfRef(repository, ref);
        if (!id) {
            if (const auto broken = brokenRef(repository, ref))
                info.broken.append(*broken);
            continue;
        }
        const QString branch = QString::fromUtf8(ref.name.sliced(prefix));
        info.branches.append({branch, toHex(*id), !head->detached && branch == head->branch, elsewhere(branch)});
        readUpstream(repository, ref.name, *id, &info.branches.last());
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
