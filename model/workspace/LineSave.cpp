// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/LineSave.h"

#include "model/catalog/Toml.h"
#include "model/repository/Repository.h"
#include "model/settings/LineEdit.h"
#include "model/settings/LineFile.h"
#include "model/settings/PinVersion.h"
#include "model/workspace/LineOperations.h"

#include <QDir>

using namespace Qt::StringLiterals;

namespace tmx {

LineVerdict judgeLine(const Catalog &catalog, const Line &line)
{
    LineVerdict verdict;
    if (const Result<QByteArray> text = lineFileFor(catalog, line); !text) {
        verdict.problem = text.error().sentence();
        return verdict;
    }
    verdict.warning = versionsNotOfPins(catalog, line).join(u' ');
    for (const Variant &variant : line.promised()) {
        ++verdict.promised;
        verdict.impossible += !catalog.validity(variant).valid;
    }
    return verdict;
}

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
    const Result<Repository> repository = Repository::open(path);
    if (!repository)
        return repository.error();
    const Result<CommitResult> done =
        repository->commitEdits(offer.branch, {FileEdit{QString(lineFileName), offer.after, offer.before}},
                                u"Describe the line of %1\n"_s.arg(offer.branch), offer.commit);
    return done ? Result<WriteReport>(reportOf(*done, {QString(lineFileName)})) : done.error();
}

QStringList templatesOf(const Catalog &catalog, const QString &family)
{
    QStringList names;
    for (const QString &folder : catalog.templateFolders()) {
        for (const QString &file : QDir(folder + u'/' + family).entryList({u"*.nix"_s}, QDir::Files))
            names.append(family + u'/' + file.chopped(4));
    }
    names.sort();
    names.removeDuplicates();
    return names;
}

QHash<QString, QStringList> templatesByFamily(const Catalog &catalog)
{
    QHash<QString, QStringList> templates;
    for (const QString &family : catalog.familyIds())
        templates.insert(family, templatesOf(catalog, family));
    return templates;
}

} // namespace tmx
