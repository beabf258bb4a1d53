// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Library.h"

#include "model/base/Sentences.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/change/RecipeConverter.h"
#include "model/recipe/ValuePlaces.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/template/FactExchange.h"
#include "model/template/TableEntry.h"

#include <algorithm>
#include <set>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// Values that the settings state and that only have one meaning wherever they are written.
struct SharedValue {
    QStringView path;
    QStringView key;       ///< that sets it
    QStringView hash = {}; ///< of a version or a commit: the hash of its source
};
constexpr SharedValue sharedValues[] = {
    {u"nixpkgs.rev", u"nixpkgs"},
    {u"nixpkgs.sha256", u"nixpkgs_sha256"},
    {u"version", u"versions", u"source.hash"},
    {u"source.hash", u"hashes"},
    {u"torch.version", u"versions.pytorch", u"torch.hash"},
    {u"torch.hash", u"hashes.pytorch"},
    {u"torch.archive_rev", u"torch_rev", u"torch.archive_sha256"},
    {u"torch.archive_sha256", u"torch_sha256"},
    {u"cuda.attribute", u"cuda.attribute"},
    {u"cuda.underscored", u"cudas"},
    {u"cuda.version", u"cudas"},
    {u"python.attribute", u"pythons"},
    {u"python.version", u"pythons"},
    {u"python.number", u"pythons"},
};

} // namespace

QString settingsKeyOf(const QString &path)
{
    const auto found = std::ranges::find(sharedValues, path, &SharedValue::path);
    return found == std::ranges::end(sharedValues) ? QString() : found->key.toString();
}

QString newEntriesReason()
{
    return Tr::tr("It gets the entries that new recipes need: check them.");
}

Library::Library(const RecipeCache &recipes, const BranchContent &content, std::shared_ptr<const RecipeFiles> files,
                 ChangeSet::Until until)
    : m_recipes(recipes)
    , m_content(content)
    , m_until(until)
    , m_before(std::move(files))
    , m_base(m_before)
    , m_files(m_before)
{
}

RecipeSource Library::source(const QString &path, const QByteArray &text) const
{
    return m_files ? m_files->source(path, text) : RecipeSource(text);
}

QList<Library::Place> Library::placesOf(const RecipeSource &source, const QString &old, const QString &wanted) const
{
    QList<Place> places;
    const QByteArray value = old.toUtf8();
    for (const QString &path : source.imports ? source.imports->paths : QStringList()) {
        if (!path.endsWith(".nix"_L1))
            continue;
        const QByteArray text = before(path);
        for (const quint32 at : placesOfValue(text, value))
            places.append({path, {at, quint32(value.size()), wanted.toUtf8()}});
    }
    return places;
}

bool Library::isSame(const RecipeSource &a, const RecipeSource &b) const
{
    const auto meaning = m_recipes.meaning(a);
    const auto other = m_recipes.meaning(b);
    if (meaning->isKnown() && other->isKnown())
        return meaning->exact == other->exact;
    const auto values = [this](const RecipeSource &of) {
        QStringList list;
        for (const Fact &fact : m_recipes.facts(of)->rows(FactDetail::Apart))
            list += {fact.id, fact.value};
        return list;
    };
    return values(a) == values(b);
}

bool Library::isUsed(const QString &path, const QByteArray &text, const Place &place) const
{
    const std::optional<QByteArray> changed = edited(before(place.path), {place.edit});
    return changed && !isSame(m_base->source(path, text), m_base->with({{place.path, *changed}})->source(path, text));
}

std::optional<Error> Library::whyNotWritten(const QString &path) const
{
    // lib/default.nix is among the packages, but no variant.
    const bool isVariant = VariantName::parse(packageOf(path), m_recipes.catalog()->isaIds()).has_value();
    const QList<VersionedFile> files = isVariant ? m_content.imported : m_content.imported + m_content.files;
    const auto file = std::ranges::find(files, path, &VersionedFile::path);
    if (file == files.cend())
        return Error{Tr::tr("change"), path, Tr::tr("it is a recipe of its own"), {}};
    if (file->status == FileStatus::Clean || m_until != ChangeSet::Until::Commit)
        return {};
    return Error{Tr::tr("change"), path, Tr::tr("it has uncommitted changes"), Tr::tr("Commit or discard them first.")};
}

void Library::renew()
{
    QMap<QString, QByteArray> texts;
    for (auto it = m_edits.cbegin(); it != m_edits.cend(); ++it)
        texts.insert(it.key(), edited(before(it.key()), *it).value_or(before(it.key())));
    m_files = m_base->with(texts);
}

Result<QStringList> Library::follow(const QString &path, const QByteArray &text, const QVariantHash &from,
                                    const QVariantHash &wanted)
{
    const QMap<QString, Edits> former = m_edits;
    Result<QStringList> found = followed(path, text, from, wanted);
    if (!found)
        m_edits = former;
    else if (m_edits != former)
        renew();
    return found;
}

/// Exchanges a value if the recipe uses it, and returns whether it does. `old` and `key`, which sets it: for people.
Result<bool> Library::take(const QString &path, const QByteArray &text, const Place &place, const QString &old,
                           const QString &key)
{
    const Edits &known = m_edits.value(place.path);
    const auto same =
        std::ranges::find_if(known, [&place](const Edit &edit) { return edit.offset == place.edit.offset; });
    // "cudaPackages_12_9" was exchanged as a whole.
    if (std::ranges::any_of(known, [&place](const Edit &edit) {
            return edit.offset < place.edit.offset && place.edit.offset < edit.offset + edit.length;
        }))
        return false;
    if (same != known.end() && same->replacement == place.edit.replacement)
        return true;
    Place changedPlace = place;
    if (place.edit.replacement.isEmpty())
        changedPlace.edit.replacement = "0";
    if (!isUsed(path, text, changedPlace))
        return false;
    const QString where = u"%1:%2"_s.arg(shownPath(place.path)).arg(lineAt(before(place.path), place.edit.offset));
    if (place.edit.replacement.isEmpty())
        return Error{Tr::tr("change"), where, Tr::tr("the new value for %1 is not known").arg(old),
                     Tr::tr("Set %1.").arg(key)};
    if (same != known.end())
        return Error{Tr::tr("change"), where, Tr::tr("recipes that need different values share %1").arg(old), {}};
    // A recipe that another one imports is changed as what it is.
    if (std::ranges::find(m_content.imported, place.path, &VersionedFile::path) == m_content.imported.cend())
        return false;
    if (const std::optional<Error> error = whyNotWritten(place.path))
        return *error;
    m_edits[place.path].append(place.edit);
    return true;
}

Result<QStringList> Library::followed(const QString &path, const QByteArray &text, const QVariantHash &from,
                                      const QVariantHash &wanted)
{
    const RecipeSource there = m_base ? m_base->source(path, text) : RecipeSource(text);
    QStringList found;
    for (const SharedValue &value : sharedValues) {
        const QString old = textAt(from, value.path);
        const QString next = textAt(wanted, value.path);
        if (old == next || old.isEmpty() || !there.imports)
            continue;
        const QList<Place> places = placesOf(there, old, next);
        // Most tables have the value in many places, of which a recipe uses few or none.
        QMap<QString, Edits> all;
        for (const Place &place : places)
            all[place.path].append({place.edit.offset, place.edit.length, next.isEmpty() ? "0" : next.toUtf8()});
        QMap<QString, QByteArray> changed;
        for (const auto &[file, edits] : all.asKeyValueRange())
            changed.insert(file, edited(before(file), edits).value_or(QByteArray()));
        if (changed.isEmpty() || isSame(there, m_base->with(changed)->source(path, text)))
            continue;
        for (const Place &place : places) {
            const Edits known = m_edits.value(place.path);
            TM_TRY(used, take(path, text, place, old, value.key.toString()));
            if (*used)
                found.append(value.path.toString());
            if (value.hash.isEmpty() || m_edits.value(place.path) == known)
                continue;
            Place hash{place.path, hashAround(before(place.path), place.edit.offset)};
            if (hash.edit.length == 0)
                continue;
            const QByteArray stated = before(place.path).sliced(hash.edit.offset, hash.edit.length);
            hash.edit.replacement = textAt(wanted, value.hash).toUtf8();
            if (stated == hash.edit.replacement)
                hash.edit.replacement.clear(); // It is of the old version.
            const auto key = std::ranges::find(sharedValues, value.hash, &SharedValue::path)->key;
            TM_CHECK(take(path, text, hash, QString::fromUtf8(stated), key.toString()));
        }
    }
    found.removeDuplicates();
    return found;
}

/// Adds entries for toolkits whose recipes get another nixpkgs than others that share their pin. Returns why not, by
/// the variant's name.
QHash<QString, QString> Library::addPins(const QList<const VariantEntry *> &entries, const RecipeConverter &carry,
                                         SharedPin shared)
{
    const auto pinOf = [this](const VariantEntry &entry) {
        const auto facts = m_recipes.facts(source(entry.file, entry.text));
        const StatedText revision = facts->pins.isEmpty() ? StatedText() : facts->pins.constFirst().revision;
        const bool isImported = revision.known && revision.spot.file > 0;
        const QString place =
            isImported ? u"%1:%2"_s.arg(shownPath(facts->files.at(revision.spot.file - 1))).arg(revision.spot.line)
                       : QString();
        return std::pair(place, revision.value);
    };
    const auto wantedBy = [&carry](const VariantEntry &entry) {
        const Result<QVariantHash> after = carry.contextAfter(entry.variant);
        return after ? textAt(*after, u"nixpkgs.rev") : QString();
    };
    QHash<QString, QString> whyNot;
    QMap<QString, QList<const VariantEntry *>> behind; // by the place of the pin
    for (const VariantEntry *entry : entries) {
        if (!entry->imports || entry->variant.cuda.isEmpty() || !carry.concerns(entry->variant))
            continue;
        const auto [place, revision] = pinOf(*entry);
        if (const QString wanted = wantedBy(*entry); !place.isEmpty() && !wanted.isEmpty() && revision != wanted)
            behind[place].append(entry);
    }
    for (const auto &[place, readers] : std::as_const(behind).asKeyValueRange()) {
        const auto staying = std::ranges::find_if(entries, [&](const VariantEntry *entry) {
            const auto [its, revision] = entry->imports ? pinOf(*entry) : std::pair<QString, QString>();
            return its == place && revision == wantedBy(*entry);
        });
        for (const VariantEntry *entry : staying == entries.cend() ? QList<const VariantEntry *>() : readers) {
            QMap<QString, QByteArray> texts;
            withPinEntry(*m_recipes.catalog(), m_files, entry->file, entry->text, entry->variant.cuda, wantedBy(*entry),
                         &texts);
            std::optional<Error> error;
            for (const auto &[path, text] : std::as_const(texts).asKeyValueRange())
                error = error ? error : rewrite(path, text, newEntriesReason());
            if (shared == SharedPin::Stays && texts.isEmpty() && pinOf(*entry).second != wantedBy(*entry))
                error = Error{Tr::tr("change"),
                              place,
                              Tr::tr("%1 and %2 share it, and need different revisions of nixpkgs")
                                  .arg(entry->variant.name(), (*staying)->variant.name()),
                              {}};
            if (error)
                whyNot.insert(entry->variant.name(), error->sentence());
        }
    }
    return whyNot;
}

Result<QHash<QString, QString>> Library::followAll(const QList<const VariantEntry *> &entries,
                                                   const RecipeConverter &carry, const WorkHooks &hooks,
                                                   SharedPin shared)
{
    QHash<QString, QString> whyNot = addPins(entries, carry, shared);
    std::set<ProfileKey> asked; // Recipes of one profile nearly always take their values from one place.
    for (const bool first : {true, false}) {
        for (const VariantEntry *entry : entries) {
            if (!entry->imports || !carry.concerns(entry->variant) || whyNot.contains(entry->variant.name()))
                continue;
            const Result<QVariantHash> before = carry.contextBefore(entry->variant);
            const Result<QVariantHash> after = carry.contextAfter(entry->variant);
            if (!before || !after || (first && !asked.insert(ProfileKey::of(entry->variant)).second))
                continue;
            if (!first && notFollowed(*m_recipes.facts(source(entry->file, entry->text)), *before, *after).isEmpty())
                continue;
            const Result<QStringList> found = follow(entry->file, entry->text, *before, *after);
            if (!found)
                whyNot.insert(entry->variant.name(), found.error().sentence());
            if (hooks.stopped())
                return stoppedError();
        }
    }
    return whyNot;
}

std::optional<Error> Library::rewrite(const QString &path, const QByteArray &text, const QString &why)
{
    if (auto error = whyNotWritten(path))
        return error;
    m_base = m_base->with({{path, text}});
    m_edits.remove(path);
    m_why.insert(path, why);
    renew();
    return {};
}

bool Library::reaches(const QString &path, const QByteArray &text) const
{
    if (m_files == m_before)
        return false;
    const RecipeSource old = m_before->source(path, text);
    const RecipeSource now = m_files->source(path, text);
    return old.digest() != now.digest() && !isSame(old, now);
}

QList<ChangedFile> Library::changedFiles() const
{
    QList<ChangedFile> files;
    QStringList paths = changedPaths();
    paths.removeDuplicates();
    for (const QString &path : std::as_const(paths)) {
        const auto alone = m_before->with({{path, *m_files->text(path)}});
        int count = 0;
        for (const VersionedFile &file : m_content.files) {
            const QByteArray text = file.onDisk.value_or(file.committed.value_or(QByteArray()));
            const RecipeSource old = m_before->source(file.path, text);
            if (old.imports && old.imports->paths.contains(path))
                count += !isSame(old, alone->source(file.path, text));
        }
        files.append(
            {.action = ChangeAction::Rewrite,
             .path = path,
             .before = textIn(m_content, path),
             .after = m_files->text(path),
             .reason = joinedSentences({m_why.value(path), count > 0 || !m_why.contains(path)
                                                               ? Tr::tr("It changes %n recipes.", nullptr, count)
                                                               : QString()}),
             .chosen = true,
             .possible = false});
    }
    return files;
}

} // namespace tmx
