// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/StatedPins.h"

#include "model/base/ShortList.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/change/ReplacedPins.h"
#include "model/recipe/Edits.h"
#include "model/recipe/RecipeSource.h"
#include "model/template/VariantMentions.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Range {
    qsizetype begin = 0;
    qsizetype end = 0;
};

/// The innermost braces around a place, without them; the whole text if there are none. In TOML the table.
Range setAround(const QString &text, qsizetype at)
{
    Range range{0, text.size()};
    for (qsizetype i = at - 1, depth = 0; i >= 0; --i) {
        depth += text.at(i) == u'}';
        if (text.at(i) == u'{' && depth-- == 0) {
            range.begin = i + 1;
            break;
        }
    }
    for (qsizetype i = at, depth = 0; i < text.size() && range.begin > 0; ++i) {
        depth += text.at(i) == u'{';
        if (text.at(i) == u'}' && depth-- == 0) {
            range.end = i;
            break;
        }
    }
    static const QRegularExpression header(u"^\\[.*\\]\\s*$"_s, QRegularExpression::MultilineOption);
    for (auto found = header.globalMatch(text); range.begin == 0 && found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        if (match.capturedEnd() <= at)
            range.begin = match.capturedEnd();
        else
            range.end = std::min(range.end, match.capturedStart());
    }
    return range;
}

bool isComment(const QString &text, qsizetype at)
{
    const qsizetype line = at > 0 ? text.lastIndexOf(u'\n', at - 1) + 1 : 0;
    return QStringView(text).sliced(line).trimmed().startsWith(u'#');
}

/// Places at which an address of nixpkgs gets a value inserted, `name` or `x.name`.
QList<qsizetype> insertions(const QString &text, const QString &name)
{
    const QRegularExpression form(uR"(nixpkgs[\w./-]*\$\{(?:[\w'-]+\.)*%1\})"_s.arg(QRegularExpression::escape(name)));
    QList<qsizetype> places;
    for (auto found = form.globalMatch(text); found.hasNext();)
        places.append(found.next().capturedStart());
    return places;
}

/// The name that a revision is bound to; empty: it is part of a longer text.
QString nameOf(const QString &text, qsizetype at)
{
    static const QRegularExpression binding(uR"re(([A-Za-z_][\w'-]*)"?\s*[=:?]\s*"$)re"_s);
    constexpr qsizetype longest = 80;
    const qsizetype begin = std::max<qsizetype>(0, at - longest);
    return binding.match(text.sliced(begin, at - begin)).captured(1);
}

bool isOfNixpkgs(const QString &text, qsizetype at)
{
    static const QRegularExpression address(uR"(nixpkgs[\w.-]*/([\w.-]+/)*$)"_s);
    static const QRegularExpression named(uR"(\bnixpkgs[\w.-]*"?\s*[=:?]\s*"?$)"_s);
    static const QRegularExpression repository(uR"(=\s*"nixpkgs"|:\s*"nixpkgs")"_s);
    constexpr qsizetype longest = 200;
    const qsizetype begin = std::max<qsizetype>(0, at - longest);
    const QString before = text.sliced(begin, at - begin);
    if (address.match(before).hasMatch() || named.match(before).hasMatch())
        return true;
    const QString name = nameOf(text, at);
    if (name.isEmpty())
        return false;
    if (!insertions(text, name).isEmpty())
        return true;
    const Range set = setAround(text, at);
    if (set.begin == 0)
        return false;
    static const QRegularExpression ofNixpkgs(uR"(\bnixpkgs[\w.-]*"?\s*[=:]\s*\{?$)"_s);
    return repository.match(text.sliced(set.begin, set.end - set.begin)).hasMatch() ||
           ofNixpkgs.match(text.first(set.begin).last(std::min(set.begin, longest))).hasMatch();
}

/// The only hash in a range, as an edit that replaces it; length 0: there is none, or several.
Edit hashIn(const QString &text, const Range &range, const QString &hash)
{
    static const QRegularExpression form(uR"re(\b(?:sha256|hash|narHash)"?\s*[=:]\s*"([^"$]{20,})")re"_s);
    Edit edit;
    auto found = form.globalMatch(text.sliced(range.begin, range.end - range.begin));
    if (const QRegularExpressionMatch match = found.hasNext() ? found.next() : QRegularExpressionMatch();
        match.hasMatch() && !found.hasNext())
        edit = {quint32(range.begin + match.capturedStart(1)), quint32(match.capturedLength(1)), hash.toLatin1()};
    return edit;
}

Edit hashFor(const QString &text, qsizetype at, const QString &hash)
{
    if (const QString name = nameOf(text, at); !name.isEmpty()) {
        for (const qsizetype place : insertions(text, name)) {
            if (const Edit edit = hashIn(text, setAround(text, place), hash); edit.length > 0)
                return edit;
        }
    }
    const Range set = setAround(text, at);
    // A whole file of Nix may have the hash of anything.
    return set.begin > 0 || !text.contains("${"_L1) ? hashIn(text, set, hash) : Edit();
}

struct Replaced {
    QByteArray text;
    bool lacksHash = false;
};

/// `isData`: JSON or TOML, where a revision that recipes fetch is one of nixpkgs, whatever its name.
Replaced withOther(const QByteArray &bytes, const QStringList &old, const QString &pin, const QString &hash,
                   bool isData)
{
    const QString text = QString::fromLatin1(bytes); // so that offsets are those of the bytes
    Replaced made{bytes};
    Edits edits;
    for (const QString &revision : old) {
        for (qsizetype at = text.indexOf(revision); at >= 0; at = text.indexOf(revision, at + 1)) {
            edits.append({quint32(at), quint32(revision.size()), pin.toLatin1()});
            const Edit own = isData || isOfNixpkgs(text, at) ? hashFor(text, at, hash) : Edit();
            const bool known = std::ranges::any_of(edits, [&own](const Edit &e) { return e.offset == own.offset; });
            if (own.length > 0 && !known)
                edits.append(own);
            made.lacksHash = made.lacksHash || (own.length > 0 && hash.isEmpty());
        }
    }
    made.text = edited(bytes, edits).value_or(bytes);
    return made;
}

/// "lib/pins.json:6"
QStringList placesOf(const QString &path, const QByteArray &text, const QStringList &revisions)
{
    QStringList places;
    for (const QString &revision : revisions) {
        if (const qsizetype at = text.indexOf(revision.toLatin1()); at >= 0)
            places.append(u"%1:%2"_s.arg(shownPath(path)).arg(lineAt(text, quint32(at))));
    }
    return places;
}

QString valueOf(const SettingsChange &change, QLatin1StringView key, const QString &value)
{
    const auto own = std::ranges::find(change.keys, key, &std::pair<QString, QString>::first);
    return own == change.keys.cend() ? value : own->second;
}

/// The text with the hash of the nixpkgs `pin` in the line after the url that has it. nullopt: no such line, or
/// several.
std::optional<QByteArray> withHashAfterUrl(const QByteArray &text, const QString &pin, const QString &hash)
{
    const QRegularExpression line(uR"(^([ \t]*)url = "[^"\n]*%1[^"\n]*";[ \t]*(?:#[^\n]*)?$)"_s.arg(pin),
                                  QRegularExpression::MultilineOption);
    auto matches = line.globalMatch(QString::fromLatin1(text)); // so that offsets count bytes
    const QRegularExpressionMatch match = matches.hasNext() ? matches.next() : QRegularExpressionMatch();
    if (!match.hasMatch() || matches.hasNext())
        return std::nullopt;
    QByteArray made = text;
    made.insert(match.capturedEnd(), '\n' + match.captured(1).toLatin1() + "sha256 = \"" + hash.toLatin1() + "\";");
    return made;
}

/// Writes the hash of the new nixpkgs into the changed files that fetch it without one. Returns the files that state it
/// in another way, where the hash has no place.
QStringList placeHash(ChangeSet &changes, const QString &pin, const QString &hash)
{
    QStringList without;
    for (ChangedFile &file : changes.files) {
        const bool isBuilt = file.chosen && file.after && (!file.name.isEmpty() || file.isImported());
        if (!isBuilt || file.before == file.after || file.after->contains(hash.toLatin1()) ||
            file.after->count(pin.toLatin1()) <= file.before.value_or(QByteArray()).count(pin.toLatin1()))
            continue;
        if (const auto text = withHashAfterUrl(*file.after, pin, hash))
            file.after = *text;
        else
            without.append(file.path);
    }
    return without;
}

bool builds(const ChangedFile &file)
{
    return file.chosen && (!file.name.isEmpty() || file.isImported()) &&
           (file.action != ChangeAction::Rewrite || file.before != file.after);
}

/// The files of a branch that are built from, and the texts that they have after a change.
class StatedPins
{
public:
    StatedPins(ChangeSet &changes, const BranchContent &content)
        : m_changes(changes)
    {
        for (const QList<VersionedFile> *files : {&content.files, &content.imported}) {
            for (const VersionedFile &file : *files) {
                const auto change = std::ranges::find(changes.files, file.path, &ChangedFile::path);
                const auto text = textIn(content, file.path);
                const bool changed = change != changes.files.end() && change->chosen;
                const bool removed = changed && !change->after;
                if (text && !removed)
                    m_files.append({&file, changed ? *change->after : *text, *text, files == &content.files});
            }
        }
    }

    /// `read`: the revisions that recipes are known to fetch.
    [[nodiscard]] QStringList stated(const QString &pin, const QString &only, const QStringList &read) const
    {
        QStringList old;
        for (const ReplacedPin &replaced : std::as_const(m_changes.pins))
            old.append(replaced.from);
        for (const File &file : m_files) {
            if (!m_changes.pins.isEmpty())
                continue;
            old += statedNixpkgs(file.text);
            for (const QString &revision : read) {
                if (isData(file.file->path) && file.text.contains(revision.toLatin1()))
                    old.append(revision);
            }
        }
        old.removeDuplicates();
        old.removeIf([&](const QString &one) { return one == pin || (!only.isEmpty() && !one.startsWith(only)); });
        return old;
    }

    /// Returns whether a hash is missing.
    bool replace(const QStringList &old, const QString &pin, const QString &hash, bool recipes)
    {
        bool lacksHash = false;
        for (File &file : m_files) {
            if (file.text != file.before || file.file->status != FileStatus::Clean || (file.isRecipe && !recipes))
                continue;
            const Replaced made = withOther(file.text, old, pin, hash, isData(file.file->path));
            if (made.text == file.text)
                continue;
            lacksHash = lacksHash || made.lacksHash;
            file.text = made.text;
            take(file);
        }
        return lacksHash;
    }

    [[nodiscard]] QStringList left(const QStringList &revisions) const
    {
        QStringList places;
        for (const File &file : m_files)
            places += placesOf(file.file->path, file.text, revisions);
        return places;
    }

private:
    struct File {
        const VersionedFile *file = nullptr;
        QByteArray text;
        QByteArray before;
        bool isRecipe = false;
    };

    void take(const File &file)
    {
        auto change = std::ranges::find(m_changes.files, file.file->path, &ChangedFile::path);
        if (change == m_changes.files.end()) {
            m_changes.files.append({.name = file.isRecipe ? packageOf(file.file->path) : QString(),
                                    .path = file.file->path,
                                    .before = file.before});
            change = std::prev(m_changes.files.end());
        }
        change->after = file.text;
        change->group.clear();
        if (change->action != ChangeAction::Rename)
            change->action = ChangeAction::Rewrite;
        change->chosen = true;
        change->reason = Tr::tr("It states the nixpkgs that is replaced.");
    }

    ChangeSet &m_changes;
    QList<File> m_files;
};

} // namespace

bool isData(const QString &path)
{
    return path.endsWith(".json"_L1) || path.endsWith(".toml"_L1);
}

QStringList statedNixpkgs(const QByteArray &bytes)
{
    static const QRegularExpression revision(u"(?<![0-9a-zA-Z])[0-9a-f]{40}(?![0-9a-zA-Z])"_s);
    QStringList found;
    const QString text = QString::fromLatin1(bytes);
    for (auto matches = revision.globalMatch(text); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        if (!found.contains(match.captured()) && !isComment(text, match.capturedStart()) &&
            isOfNixpkgs(text, match.capturedStart()))
            found.append(match.captured());
    }
    return found;
}

QStringList statedNixpkgs(const RecipeSource &source, const RecipeFiles *files)
{
    QStringList found = statedNixpkgs(source.text);
    if (source.imports && files) {
        for (const QString &path : source.imports->paths)
            found += statedNixpkgs(files->text(path).value_or(QByteArray()));
    }
    found.removeDuplicates();
    return found;
}

QString pinHashOf(const SettingsChange &change)
{
    return valueOf(change, "nixpkgs_sha256"_L1, change.pinHash);
}

void replaceStatedPins(const RecipeCache &cache, ChangeSet &changes, const BranchContent &content,
                       const std::shared_ptr<const RecipeFiles> &files, const SettingsChange &change, bool recipes)
{
    const QString pin = valueOf(change, "nixpkgs"_L1, change.pin.value_or(QString()));
    if (pin.isEmpty())
        return;
    StatedPins stated(changes, content);
    const QStringList old = stated.stated(pin, change.onlyPin(), fetchedPins(cache, changes, files));
    const QString hash = pinHashOf(change);
    const bool lacksHash = stated.replace(old, pin, hash, recipes);
    const QStringList without = hash.isEmpty() ? QStringList() : placeHash(changes, pin, hash);
    const QStringList left = stated.left(old);
    const QString title = changes.title();
    if (changes.refusal)
        return;
    if (!without.isEmpty())
        changes.refusal = Error{Tr::tr("write the hash of nixpkgs into"), shortList(without),
                                Tr::tr("it states the revision, but neither a hash nor the url that one belongs to"),
                                Tr::tr("Leave nixpkgs_sha256 out, or write the hash there by hand.")};
    if (lacksHash)
        changes.refusal =
            Error{Tr::tr("change the pin of"), title,
                  Tr::tr("its files state the hash of nixpkgs, and that of %1 is not known").arg(pin.left(7)),
                  Tr::tr("Set nixpkgs_sha256.")};
    const bool canChoose = std::ranges::any_of(changes.files, [](const ChangedFile &file) {
        return file.action != ChangeAction::Keep && file.possible && !file.chosen && !file.name.isEmpty();
    });
    const bool isThere = old.isEmpty() && !stated.left({pin}).isEmpty();
    if (std::ranges::none_of(changes.files, builds) && !canChoose && !isThere) {
        changes.refusal = Error{
            Tr::tr("change the pin of"), title,
            left.isEmpty() ? Tr::tr("no recipe and no file that recipes import states a revision of nixpkgs")
                           : Tr::tr("no recipe and no file that recipes import would change; %n places state %1: %2",
                                    nullptr, int(left.size()))
                                 .arg(old.constFirst().left(7), shortList(left)),
            left.isEmpty() ? QString()
            : recipes      ? Tr::tr("Commit or discard uncommitted changes in them first.")
                           : Tr::tr("--in-place changes them.")};
    } else if (!left.isEmpty()) {
        QStringList shortened;
        for (const QString &one : old)
            shortened.append(one.left(7));
        changes.warnings.append(Tr::tr("%n places still state the replaced nixpkgs %1: %2.", nullptr, int(left.size()))
                                    .arg(shortened.join(u", "_s), shortList(left)));
    }
}

} // namespace tmx
