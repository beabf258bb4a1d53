// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/LineSave.h"

#include "model/catalog/Toml.h"
#include "model/repository/Repository.h"
#include "model/settings/LineEdit.h"
#include "model/settings/LineFile.h"

using namespace Qt::StringLiterals;

namespace tmx {

Result<LineOffer> offerLine(const std::shared_ptr<const Catalog> &catalog, const QString &path, const QString &branch,
                            const Line &line)
{
    const Result<QByteArray> text = lineFileFor(*catalog, line);
    if (!text)
        return text.error();
    const Result<Repository> repository = Repository::open(path);
    if (!repository)
        return repository.error();
    const Result<BranchContent> content = repository->readBranch(branch);
    if (!content)
        return content.error();
    LineOffer offer{branch,
                    content->commit,
                    content->lineFile,
                    content->lineFile ? withLine(*content->lineFile, *catalog, line) : *text,
                    {}};
    QStringList lost = tomlComments(offer.before.value_or(QByteArray()));
    for (const QString &kept : tomlComments(offer.after))
        lost.removeOne(kept);
    offer.lostComments = int(lost.size());
    offer.diff = diffTexts(offer.before.value_or(QByteArray()), offer.after);
    return offer;
}

Result<WriteReport> commitLine(const QString &path, const LineOffer &offer)
{
    ChangeSet changes;
    changes.branch = offer.branch;
    changes.parentCommit = offer.commit;
    changes.message = u"Describe the line of %1\n"_s.arg(offer.branch);
    const Result<CommitResult> done = applyEdits(path, changes, {{QString(lineFileName), offer.after, offer.before}});
    return done ? Result<WriteReport>(reportOf(*done, {QString(lineFileName)})) : done.error();
}

} // namespace tmx
