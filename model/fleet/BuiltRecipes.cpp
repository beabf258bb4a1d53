// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/fleet/BuiltRecipes.h"

#include "model/base/BlobId.h"

#include <QFileInfo>

namespace tmx {

QString canonicalRepository(const QString &workTree)
{
    const QString canonical = QFileInfo(workTree).canonicalFilePath();
    return canonical.isEmpty() ? workTree : canonical;
}

QString buildIdentity(const RecipeSource &source, qsizetype digits)
{
    return blobId(source.builtKey(), digits);
}

namespace {

QString identityOfBytes(const RecipeSource &source, qsizetype digits)
{
    const QByteArray digest = source.digest();
    return blobId(digest.isEmpty() ? source.text : source.text + '\0' + digest.toHex(), digits);
}

} // namespace

bool isBuildOf(const QString &identity, const RecipeSource &source)
{
    return identity == buildIdentity(source, identity.size()) || identity == identityOfBytes(source, identity.size());
}

QString meaningOf(const VariantEntry &entry, const RecipeSource &source)
{
    if (source.text.isEmpty() || source.dependsOnPlace())
        return {};
    const bool known = entry.meaning && source.text == entry.text && source.digest() == entry.source().digest();
    return QString::fromLatin1((known ? entry.meaning->exact : readMeaning(source).exact).toHex());
}

bool hasUnbuiltChanges(const VariantEntry &entry)
{
    return entry.fileStatus != FileStatus::Clean || entry.source().digest() != entry.committedSource().digest();
}

RecipeSource shownSource(const BranchSnapshot &snapshot, const VariantEntry &entry)
{
    return snapshot.checkedOut && hasUnbuiltChanges(entry) ? entry.source() : entry.committedSource();
}

QStringList filesOf(const VariantEntry &entry)
{
    return entry.imports ? QStringList{entry.file} + entry.imports->paths : QStringList{entry.file};
}

QStringList identitiesOf(const VariantEntry &entry, const RecipeSource &source, qsizetype digits)
{
    if (source.text.isEmpty())
        return {};
    QStringList identities{buildIdentity(source, digits), identityOfBytes(source, digits)};
    if (const QString meaning = meaningOf(entry, source); !meaning.isEmpty())
        identities.append(meaning);
    return identities;
}

QStringList shownIdentities(const BranchSnapshot &snapshot, const VariantEntry &entry)
{
    return identitiesOf(entry, shownSource(snapshot, entry), snapshot.commit.size());
}

QHash<QString, BuildState> buildStates(const BranchSnapshot &snapshot, const QList<JobRecord> &jobs,
                                       const OtherBuilds &other, bool *byLinks)
{
    BuiltBranch branch{
        canonicalRepository(snapshot.repository), snapshot.repository, snapshot.branch, snapshot.checkedOut, {}, {}};
    QList<const VariantEntry *> entries;
    for (const VariantEntry &entry : snapshot.entries) {
        if (!entry.present)
            continue;
        entries.append(&entry);
        branch.recipes.append({entry.variant.name(), entry.package(), filesOf(entry)});
    }
    branch.identities = [&](qsizetype i) { return shownIdentities(snapshot, *entries.at(i)); };
    return buildStates(branch, jobs, other, byLinks);
}

} // namespace tmx
