// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/RightHash.h"
#include "model/change/Preparation.h"

#include "model/base/Tr.h"
#include "model/catalog/NixHash.h"
#include "model/settings/SettingsFile.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// A wrong hash and the right one, each in several notations, and the text with the hash replaced.
struct Exchange {
    QByteArrayList stated;
    QByteArrayList right;

    [[nodiscard]] bool isStated(const QString &hash) const { return in(hash.toLatin1()) != hash.toLatin1(); }
    /// The right hash in the notation of `hash`, the stated one.
    [[nodiscard]] QString rightFor(const QString &hash) const { return QString::fromLatin1(in(hash.toLatin1())); }
    [[nodiscard]] QByteArray in(QByteArray text) const
    {
        for (qsizetype i = 0; i < stated.size() && i < right.size(); ++i)
            text.replace(stated.at(i), right.at(i));
        return text;
    }
};

/// What the recipe fetches with the wrong hash: "nixpkgs REVISION", "source OWNER/REPOSITORY REVISION". Incomplete
/// items are left out.
QStringList fetchedWith(const RecipeFacts &facts, const Exchange &hash)
{
    QStringList fetched;
    const auto add = [&](const QString &kind, const StatedText &what, const StatedText &stated) {
        if (what.known && !what.value.isEmpty() && hash.isStated(stated.value))
            fetched.append(kind + u' ' + what.value);
    };
    const auto addSource = [&add](const SourceFacts &source) {
        add(u"source "_s + source.owner.value + u'/' + source.repository.value, source.revision, source.hash);
    };
    for (const PinFacts &pin : facts.pins)
        add(u"nixpkgs"_s, pin.revision, pin.sha256);
    for (const OverlayFacts &overlay : facts.overlays)
        addSource(overlay.src);
    addSource(facts.package.src);
    if (facts.torch.package)
        addSource(facts.torch.package->src);
    add(u"torch"_s, facts.torch.archive, facts.torch.sha256);
    return fetched;
}

/// The settings with the right hash for what is `fetched` and for the sources of `profiles`.
Settings corrected(Settings settings, const Exchange &hash, const QStringList &fetched,
                   const QSet<ProfileKey> &profiles)
{
    for (auto it = settings.profiles.begin(); it != settings.profiles.end(); ++it) {
        if (hash.isStated(it->pin.sha256) && fetched.contains(u"nixpkgs "_s + it->pin.revision))
            it->pin.sha256 = hash.rightFor(it->pin.sha256);
        if (hash.isStated(it->torchRepository.sha256) && fetched.contains(u"torch "_s + it->torchRepository.archive()))
            it->torchRepository.sha256 = hash.rightFor(it->torchRepository.sha256);
        if (hash.isStated(it->sourceHash) && profiles.contains(it.key()))
            it->sourceHash = hash.rightFor(it->sourceHash);
    }
    return settings;
}

} // namespace

Result<ChangeSet> withRightHash(const RecipeCache &recipes, const BranchSnapshot &snapshot,
                                const BranchContent &content, const VariantEntry &entry, const FixRequest &request)
{
    const Exchange hash{notationsOf(request.statedHash), notationsOf(request.rightHash)};
    if (hash.right.isEmpty() || hash.in(entry.text) == entry.text)
        return Error{Tr::tr("correct the hash in"), entry.file,
                     Tr::tr("the recipe does not contain %1").arg(request.statedHash),
                     Tr::tr("The hash comes from nixpkgs or another file; %1 is correct.").arg(request.rightHash)};
    ChangeSet changes = changeOf(snapshot, snapshot.checkedOut ? ChangeSet::Until::WorkTree : ChangeSet::Until::Commit);
    const auto append = [&](const VariantEntry &wrong, const QString &reason) {
        changes.files.append({.action = ChangeAction::Rewrite,
                              .name = wrong.variant.name(),
                              .path = wrong.file,
                              .before = wrong.text,
                              .after = hash.in(wrong.text),
                              .reason = reason,
                              .chosen = true});
    };
    append(entry, Tr::tr("A build found a different hash for this source."));
    const QStringList fetched = fetchedWith(*recipes.facts(entry.text), hash);
    QSet<ProfileKey> profiles{ProfileKey::of(entry.variant)};
    for (const VariantEntry &other : snapshot.entries) {
        if (!other.present || other.text.isEmpty() || other.file == entry.file || hash.in(other.text) == other.text)
            continue;
        const QStringList others = fetchedWith(*recipes.facts(other.text), hash);
        if (std::ranges::none_of(others, [&fetched](const QString &what) { return fetched.contains(what); }))
            continue;
        append(other, Tr::tr("It fetches the same source with the same hash."));
        profiles.insert(ProfileKey::of(other.variant));
    }
    const Settings settings = corrected(snapshot.settings, hash, fetched, profiles);
    changes.settings = settings;
    if (const qsizetype others = changes.files.size() - 1; others > 0)
        changes.warnings.append(Tr::tr(
            "%n other recipes fetch the same source with that hash and are corrected as well.", nullptr, int(others)));
    if (content.settingsFile && hash.in(*content.settingsFile) != *content.settingsFile) {
        Settings wanted = settings;
        wanted.learned.clear();
        const QByteArray text = hash.in(*content.settingsFile);
        const Result<Settings> read = readSettingsFile(text, *recipes.catalog(), snapshot.branch);
        if (read && read->profiles == wanted.profiles)
            changes.files.append({.action = ChangeAction::Rewrite,
                                  .path = settingsFileName,
                                  .before = content.settingsFile,
                                  .after = text,
                                  .reason = Tr::tr("It contains that hash."),
                                  .chosen = true});
        else
            changes.warnings.append(
                Tr::tr("%1 uses that hash for something else as well and is not changed: correct it there.")
                    .arg(settingsFileName));
    }
    const QString name = entry.variant.name();
    changes.message = changes.files.size() == 1
                          ? u"Fix hash-mismatch in %1\n"_s.arg(name)
                          : u"Correct the hash that a build of %1 refused\n\n%2 is right, not %3.\n"_s.arg(
                                name, request.rightHash, request.statedHash);
    return changes;
}

} // namespace tmx
