// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/fleet/BranchSummary.h"

#include "model/catalog/Versions.h"
#include "model/fleet/BuiltRecipes.h"
#include "model/snapshot/Bytes.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

// Not in an anonymous namespace, where QList's own do not find them.
static QDataStream &operator<<(QDataStream &out, const StatedTorch &torch)
{
    return out << torch.isTorch << torch.needed << torch.version << torch.pin << torch.archive << torch.revision
               << torch.path << torch.fromPin;
}
static QDataStream &operator>>(QDataStream &in, StatedTorch &torch)
{
    return in >> torch.isTorch >> torch.needed >> torch.version >> torch.pin >> torch.archive >> torch.revision >>
           torch.path >> torch.fromPin;
}
static QDataStream &operator<<(QDataStream &out, const RecipeSummary &recipe)
{
    return out << recipe.variant << recipe.package << recipe.files << recipe.identities << recipe.torch;
}
static QDataStream &operator>>(QDataStream &in, RecipeSummary &recipe)
{
    return in >> recipe.variant >> recipe.package >> recipe.files >> recipe.identities >> recipe.torch;
}
static QDataStream &operator<<(QDataStream &out, const PinUse &use)
{
    return out << use.revision << use.recipes << use.files;
}
static QDataStream &operator>>(QDataStream &in, PinUse &use)
{
    return in >> use.revision >> use.recipes >> use.files;
}
static QDataStream &operator<<(QDataStream &out, const ProblemCounts &problems)
{
    return out << problems.errors << problems.warnings << problems.faulty << problems.warned;
}
static QDataStream &operator>>(QDataStream &in, ProblemCounts &problems)
{
    return in >> problems.errors >> problems.warnings >> problems.faulty >> problems.warned;
}
static QDataStream &operator<<(QDataStream &out, const PinnedVersion &version)
{
    return out << version.revision << version.family << version.version;
}
static QDataStream &operator>>(QDataStream &in, PinnedVersion &version)
{
    return in >> version.revision >> version.family >> version.version;
}

namespace {

/// Calls `field` with each member, in the order of the bytes.
template <class Summary, class Field>
void forEachField(Summary &summary, const Field &field)
{
    field(summary.matrix);
    field(summary.settingsError);
    field(summary.versions);
    field(summary.pythons);
    field(summary.toolkits);
    field(summary.pins);
    field(summary.pinnedVersions);
    field(summary.missing);
    field(summary.holes);
    field(summary.gaps);
    field(summary.problems);
    field(summary.recipes);
}

} // namespace

BranchSummary BranchSummary::of(const Catalog &catalog, const BranchSnapshot &snapshot)
{
    BranchSummary summary;
    summary.matrix = snapshot.hasMatrix();
    summary.settingsError = snapshot.settingsError ? snapshot.settingsError->sentence() : QString();
    summary.pythons = snapshot.settings.pythons();
    summary.toolkits = snapshot.settings.toolkits();
    summary.problems = problemsOf(snapshot);
    summary.pins = pinsOf(snapshot);
    for (const VariantEntry &entry : snapshot.entries) {
        summary.missing += entry.state == RecipeState::Missing;
        summary.holes += entry.hole;
        if (entry.state == RecipeState::Missing || entry.hole)
            summary.gaps.append(entry.variant);
        if (!entry.present || entry.fileStatus == FileStatus::Deleted)
            continue;
        StatedTorch torch = statedTorch(snapshot, entry);
        const Family *family = catalog.family(entry.variant.family);
        torch.needed = torch.needed || (family && family->companion);
        QStringList &versions = summary.versions[entry.variant.family];
        if (entry.facts && !entry.facts->error) {
            const QString version =
                ownVersion(snapshot, entry, catalog.titleOf(FamilyName::of(entry.variant.family).word));
            if (!version.isEmpty() && !versions.contains(version))
                versions.append(version);
            const auto shows = [&](const QString &family, const QString &version) {
                const PinnedVersion shown{torch.pin, family, version};
                if (!shown.revision.isEmpty() && version.contains(u'.') && !summary.pinnedVersions.contains(shown))
                    summary.pinnedVersions.append(shown);
            };
            if (torch.isTorch ? torch.fromPin
                              : entry.facts->pins.size() == 1 && !hasOwnSource(entry.facts->compiled()) &&
                                    snapshot.settings.profileOf(entry.variant).sourceHash.isEmpty())
                shows(FamilyName::of(entry.variant.family).word, version);
            if (torch.needed && torch.fromPin)
                shows(u"pytorch"_s, torch.version);
        }
        summary.recipes.append(
            {entry.variant, entry.package(), filesOf(entry), shownIdentities(snapshot, entry), torch});
    }
    for (QStringList &versions : summary.versions)
        versions.sort();
    std::ranges::sort(summary.pinnedVersions);
    return summary;
}

QByteArray BranchSummary::toBytes() const
{
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    forEachField(*this, [&out](const auto &field) { out << field; });
    return qCompress(bytes, 1);
}

std::optional<BranchSummary> BranchSummary::fromBytes(const QByteArray &bytes)
{
    const QByteArray plain = bytes.isEmpty() ? QByteArray() : qUncompress(bytes);
    QDataStream in(plain);
    BranchSummary summary;
    forEachField(summary, [&in](auto &field) { in >> field; });
    return plain.isEmpty() || in.status() != QDataStream::Ok || !in.atEnd() ? std::nullopt
                                                                            : std::optional(std::move(summary));
}

bool BranchSummary::hasTorch() const
{
    return std::ranges::any_of(recipes, [](const RecipeSummary &recipe) { return recipe.torch.isTorch; });
}

} // namespace tmx
