// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/settings/SettingsEdit.h"

#include "model/base/NearestNames.h"
#include "model/base/Sentences.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/catalog/Catalog.h"
#include "model/settings/SettingsFile.h"
#include "model/toml/Toml.h"
#include "model/toml/TomlEdit.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <optional>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

enum class Kind { Word, List, Number };

/// A key's path with the capitals replaced by actual names.
struct Target {
    QStringList path;
    Kind kind = Kind::Word;
    QString family = {}; ///< of a table that has a value for each
};

std::optional<Target> targetOf(const QString &key)
{
    static const QRegularExpression ofCuda(uR"(^cuda\.(\d+\.\d+)\.(.+)$)"_s);
    QStringList prefix;
    QString rest = key;
    if (const auto match = ofCuda.match(key); match.hasMatch()) {
        prefix = {u"cuda"_s, match.captured(1)};
        rest = match.captured(2);
    }
    const QString table = rest.section(u'.', 0, 0);
    const QString family = rest.section(u'.', 1);
    const bool ofToolkit = !prefix.isEmpty();
    if (ofToolkit ? rest == "templates"_L1 : rest == "families"_L1 || rest == "pythons"_L1)
        return Target{prefix + QStringList{rest}, Kind::List};
    if (!ofToolkit && rest == "base"_L1)
        return Target{{rest}, Kind::Word};
    for (const Setting &setting : settingsTable()) {
        if (setting.scope == Setting::Family && setting.table == table && !family.isEmpty())
            return Target{prefix + QStringList{table, family}, Kind::Word, family};
        if (setting.scope == Setting::Templates && setting.table == rest && !ofToolkit)
            return Target{{rest}, Kind::List};
        const bool takes = ofToolkit ? setting.scope == Setting::Toolkit || setting.unit == "nixpkgs"_L1
                                     : setting.scope == Setting::Branch;
        if (takes && setting.key == rest)
            return Target{prefix + QStringList{rest}, setting.most > 0 ? Kind::Number : Kind::Word};
    }
    return std::nullopt;
}

/// The user's value for a key as TOML; empty input removes the key.
QByteArray typedValue(const QString &value, Kind kind)
{
    static const QRegularExpression wholeNumber(uR"(^(0|[1-9]\d{0,17})$)"_s);
    if (kind == Kind::List)
        return wordsOf(value).isEmpty() ? QByteArray() : inToml(wordsOf(value));
    // The reader reports an invalid number.
    const bool bare = value.isEmpty() || (kind == Kind::Number && wholeNumber.match(value).hasMatch());
    return bare ? value.toUtf8() : inToml(value);
}

/// The families that get a row which none has: without companions that lack other rows of theirs.
static QStringList familiesOfNewRow(const Settings &source, const Catalog &catalog)
{
    QMap<QString, QSet<QString>> rows; // by family
    QSet<QString> ofMain;
    const auto isCompanion = [&catalog](const QString &id) {
        const Family *family = catalog.family(id);
        return family && family->companion;
    };
    for (const Variant &variant : source.promised()) {
        rows[variant.family].insert(variant.row);
        if (!isCompanion(variant.family))
            ofMain.insert(variant.row);
    }
    QStringList families = source.families();
    if (!ofMain.isEmpty())
        families.removeIf([&](const QString &id) { return isCompanion(id) && !rows.value(id).contains(ofMain); });
    return families;
}

/// Covers the row with these instruction sets: for the families that cover it, or familiesOfNewRow() if none does. Of
/// several toolkits, only those that support the GPU; of Pythons and toolkits, only the pairs that list something
/// already.
Settings withCoverage(const Settings &source, const Catalog &catalog, const QString &row, const QStringList &isas)
{
    const QStringList all = source.families();
    QStringList families;
    for (auto it = source.profiles.cbegin(); it != source.profiles.cend(); ++it) {
        if (all.contains(it.key().family) && std::ranges::find(it->cells, row, &GridCell::row) != it->cells.cend())
            families.append(it.key().family);
    }
    if (families.isEmpty())
        families = familiesOfNewRow(source, catalog);
    QStringList columns = hasIsa(row) || isas.isEmpty() ? isas : QStringList{QString()};
    columns.replaceInStrings(noneWord.toString(), QString());
    QSet<std::pair<QString, QString>> possible; // family and instruction set, possible with some toolkit
    const auto fits = [&row](const ProfileKey &key, const QString &isa) {
        return ProfileKey::of(key.variant({row, isa})) == key;
    };
    for (const QString &isa : columns) {
        for (auto it = source.profiles.cbegin(); it != source.profiles.cend(); ++it) {
            if (fits(it.key(), isa) && catalog.validity(it.key().variant({row, isa}), source).valid)
                possible.insert({it.key().family, isa});
        }
    }
    QSet<QString> filled;
    for (const auto &[key, profile] : source.profiles.asKeyValueRange()) {
        if (!profile.cells.isEmpty() && fits(key, columns.value(0)))
            filled.insert(key.family);
    }
    Settings settings = source;
    for (auto it = settings.profiles.begin(); it != settings.profiles.end(); ++it) {
        const ProfileKey &key = it.key();
        if (!families.contains(key.family) || (it->cells.isEmpty() && filled.contains(key.family)))
            continue;
        QSet<GridCell> cells(it->cells.begin(), it->cells.end());
        cells.removeIf([&row](const GridCell &cell) { return cell.row == row && cell.rest.isEmpty(); });
        for (const QString &isa : columns) {
            // A cell that is impossible with every toolkit was requested explicitly.
            const bool can =
                !possible.contains({key.family, isa}) || catalog.validity(key.variant({row, isa}), source).valid;
            if (fits(key, isa) && can)
                cells.insert({row, isa});
        }
        it->cells = catalog.inGridOrder(cells);
    }
    return settings;
}

/// For keys that change lists of tables.
Result<QByteArray> rewritten(const QByteArray &toml, const Catalog &catalog, const Settings &settings,
                             const QString &key, bool mayLoseComments)
{
    QByteArray plain = withSettings(toml, catalog, settings);
    QStringList lost = tomlComments(toml);
    for (const QString &kept : tomlComments(plain))
        lost.removeOne(kept);
    if (!lost.isEmpty() && !mayLoseComments) {
        return Error{Tr::tr("set"), key,
                     Tr::tr("%1 would lose %n comments, the first being \"%2\"", nullptr, int(lost.size()))
                         .arg(settingsFileName, lost.constFirst()),
                     Tr::tr("Edit the file, or add --force.")};
    }
    return plain;
}

} // namespace

QStringList wordsOf(const QString &value)
{
    static const QRegularExpression separators(u"[,\\s]+"_s);
    return value.split(separators, Qt::SkipEmptyParts);
}

const QList<SettingsKey> &settingsKeys()
{
    static const QList<SettingsKey> keys = [] {
        QList<SettingsKey> all{{u"base"_s, Tr::tr("built-in settings that the file starts from")},
                               {u"families"_s, Tr::tr("what the branch builds")},
                               {u"pythons"_s, Tr::tr("python313, python312, ...")}};
        QStringList ofToolkit{u"templates"_s};
        QList<SettingsKey> others;
        for (const Setting &setting : settingsTable()) {
            const QString ofFamily = setting.table + ".FAMILY"_L1;
            if (setting.scope == Setting::Family)
                all.append({ofFamily, setting.what});
            else if (setting.scope == Setting::Branch || setting.scope == Setting::Templates)
                others.append({setting.scope == Setting::Branch ? setting.key : setting.table, setting.what});
            if (setting.scope == Setting::Family || setting.scope == Setting::Toolkit || setting.unit == "nixpkgs"_L1)
                ofToolkit.append(setting.scope == Setting::Family ? ofFamily : setting.key);
        }
        return all + others +
               QList<SettingsKey>{{u"cudas"_s, Tr::tr("toolkits")},
                                  {u"cuda.VERSION.KEY"_s, Tr::tr("for one toolkit: %1").arg(ofToolkit.join(u", "_s))},
                                  {u"coverage.ROW"_s, Tr::tr("instruction sets listed for a row")}};
    }();
    return keys;
}

/// The first words of the keys: "coverage".
static QStringList wordsOfKeys()
{
    QStringList words;
    for (const SettingsKey &key : settingsKeys())
        words.append(key.name.section(u'.', 0, 0));
    words.removeDuplicates();
    return words;
}

Result<QByteArray> withSettingsKey(const QByteArray &toml, const Catalog &catalog, const QString &branch,
                                   const QString &key, const QString &given, bool mayLoseComments)
{
    QStringList pythons = key == "pythons"_L1 ? wordsOf(given) : QStringList();
    for (QString &python : pythons)
        python = catalog.pythonNamed(python);
    const QString value = pythons.isEmpty() ? given : pythons.join(u',');
    const Result<Settings> before = readSettingsFile(toml, catalog, branch);
    // A single value may make the file unreadable.
    if (!before && (key == "cudas"_L1 || key.startsWith("coverage."_L1) || !targetOf(key)))
        return before.error();
    Result<QByteArray> changed = toml;
    const QString row = key.section(u'.', 1);
    if (key == "cudas"_L1) {
        const Result<Settings> settings = withToolkits(*before, catalog, wordsOf(value));
        if (!settings)
            return Error{
                Tr::tr("set"), key, Tr::tr("the catalog has no toolkit \"%1\"").arg(settings.error().subject), {}}
                .ofUsage();
        changed = rewritten(toml, catalog, *settings, key, mayLoseComments);
    } else if (key.startsWith("coverage."_L1)) {
        if (!catalog.row(row) && row != everyGpu)
            return Error{Tr::tr("set"), key, Tr::tr("\"%1\" is not a row of the catalog").arg(row), {}}.ofUsage();
        for (const QString &isa : wordsOf(value)) {
            if (hasIsa(row) && !catalog.isa(isa) && isa != noneWord)
                return Error{Tr::tr("set"), key, Tr::tr("\"%1\" is not an instruction set of the catalog").arg(isa),
                             Tr::tr("Instruction sets: %1.").arg(catalog.isaIds().join(u", "_s))}
                    .ofUsage();
        }
        // Metal has no instruction set: any value covers its cell.
        changed = rewritten(toml, catalog, withCoverage(*before, catalog, row, wordsOf(value)), key, mayLoseComments);
    } else if (const auto target = targetOf(key)) {
        // A table of families may name a new one; a name that is nearly one of the branch's is misspelt.
        if (before && !target->family.isEmpty()) {
            const QStringList families = before->families() + catalog.familyIds();
            const QString meant =
                families.contains(target->family) ? QString() : meantSentence(target->family, families);
            if (!meant.isEmpty())
                return Error{Tr::tr("set"), key, Tr::tr("the branch has no family \"%1\"").arg(target->family), meant}
                    .ofUsage();
        }
        for (const QString &python : std::as_const(pythons)) {
            const bool listed = before && before->pythons().contains(python);
            if (const auto unknown = catalog.unknownPython(Tr::tr("set pythons to"), python); unknown && !listed)
                return *unknown;
        }
        changed = withTomlValue(toml, target->path, typedValue(value.trimmed(), target->kind));
    } else {
        return Error{Tr::tr("set"), key, Tr::tr("there is no such key"),
                     joinedSentences({meantSentence(key.section(u'.', 0, 0), wordsOfKeys()),
                                      forSurface(Tr::tr("\"torch-matrix settings set --help\" lists them."),
                                                 Tr::tr("Settings shows them."))})}
            .ofUsage();
    }
    if (!changed)
        return changed;
    const Result<Settings> settings = readSettingsFile(*changed, catalog, branch);
    // Where each table names its Pythons, none lists a new one.
    const auto isBare = [&](const QString &python) {
        return !before->pythons().contains(python) &&
               std::ranges::none_of(settings->promised(),
                                    [&python](const Variant &one) { return one.python == python; });
    };
    if (settings && before && std::ranges::any_of(pythons, isBare)) {
        const auto listed = rewritten(toml, catalog, withPythons(*before, pythons), key, mayLoseComments);
        return listed ? listed : changed;
    }
    if (settings)
        return changed;
    if (!before)
        return before.error();
    if (key == "pythons"_L1 && !wordsOf(value).isEmpty()) { // Also remove what the file states for one of them.
        Result<QByteArray> text =
            rewritten(toml, catalog, withPythons(*before, wordsOf(value), OfGonePython::Goes), key, mayLoseComments);
        if (!text || readSettingsFile(*text, catalog, branch))
            return text;
    }
    if (key.startsWith("versions."_L1) && value.trimmed().isEmpty()) { // The families may be named by this table only.
        Result<QByteArray> text =
            withTomlValue(*changed, {u"families"_s}, inToml(written(*before, catalog).promisedFamilies()));
        if (!text || readSettingsFile(*text, catalog, branch))
            return text;
    }
    return Error{Tr::tr("set"), key, settings.error().why, {}}.ofUsage();
}

QByteArray withSettings(const QByteArray &toml, const Catalog &catalog, const Settings &settings)
{
    const WrittenSettings wanted = written(settings, catalog);
    const Result<WrittenSettings> there = readWritten(toml, catalog);
    if (!there)
        return completed(toml, catalog, settings);
    const Settings before = expanded(*there, catalog, settings.branch, Settings::Source::File);
    if (sameProfiles(before, settings))
        return toml;
    // A file with another notation than the program's may still be changed key by key.
    for (const WrittenSettings &now : {written(before, catalog), *there}) {
        const Result<QByteArray> text = withTomlChanges(toml, writeSettingsFile(now, WrittenKeys::All),
                                                        writeSettingsFile(wanted, WrittenKeys::All));
        const Result<Settings> back = text ? readSettingsFile(*text, catalog, settings.branch) : text.error();
        if (back && sameProfiles(*back, settings))
            return *text;
    }
    return writeSettingsFile(wanted);
}

/// The Pythons that get a new toolkit beside the others: those that have all toolkits. If the Pythons share the
/// toolkits out, the newest gets it.
static QStringList pythonsOfAll(const Settings &source, const QString &family)
{
    const auto has = [&](const QString &python, const QString &toolkit) {
        return !source.profiles.value({family, python, toolkit}).cells.isEmpty();
    };
    QStringList all, some;
    QSet<QString> found;
    const QStringList toolkits = source.toolkits();
    for (const QString &python : source.pythons()) {
        QStringList theirs = toolkits;
        theirs.removeIf([&](const QString &toolkit) { return !has(python, toolkit); });
        found += QSet<QString>(theirs.cbegin(), theirs.cend());
        if (theirs.size() == toolkits.size())
            all.append(python);
        else if (!theirs.isEmpty())
            some.append(python);
    }
    return all.isEmpty() && found.size() == toolkits.size() ? some.first(1) : all;
}

Result<Settings> withToolkits(const Settings &source, const Catalog &catalog, const QStringList &versions)
{
    const QStringList before = source.toolkits();
    QStringList added = versions;
    added.removeIf([&before](const QString &version) { return before.contains(version); });
    for (const QString &version : std::as_const(added)) {
        if (!catalog.toolkit(version))
            return Error{Tr::tr("change the settings"), version, Tr::tr("the catalog has no such CUDA toolkit"), {}};
    }
    QSet<GridCell> insisted; // covered although they cannot exist
    for (const Variant &variant : source.promised()) {
        if (!catalog.validity(variant, source).valid)
            insisted.insert({variant.row, variant.isa, variant.rest});
    }
    const bool exchanged = before.size() == 1 && versions.size() == 1;
    const bool replaces =
        std::ranges::none_of(before, [&versions](const QString &version) { return versions.contains(version); });
    Settings settings = source;
    settings.profiles.removeIf(
        [&versions](const auto &entry) { return entry.key().isCuda() && !versions.contains(entry.key().build); });
    for (auto it = source.profiles.cbegin(); it != source.profiles.cend(); ++it) {
        if (it.key().build != "cpu"_L1) // Once for each family and Python.
            continue;
        const ProfileSelector where{{it.key().family}, {it.key().python}, before};
        for (const QString &version : std::as_const(added)) {
            Profile profile;
            if (exchanged) {
                profile = source.profiles.value({it.key().family, it.key().python, before.constFirst()});
            } else {
                profile = source.profileOf({it.key().family, it.key().python, version, u"sm"_s, {}});
                // Beside others: what all toolkits have that can have it. In their place: what any of them has.
                QSet<GridCell> cells;
                QList<ProfileKey> others;
                for (const QString &other : before) {
                    const ProfileKey key{it.key().family, it.key().python, other};
                    const QList<GridCell> theirs = source.profiles.value(key).cells;
                    cells += QSet<GridCell>(theirs.cbegin(), theirs.cend());
                    if (!theirs.isEmpty())
                        others.append(key);
                }
                cells.removeIf([&](const GridCell &cell) {
                    return !replaces && std::ranges::any_of(others, [&](const ProfileKey &key) {
                        return !source.profiles.value(key).cells.contains(cell) &&
                               catalog.validity(key.variant(cell), source).valid;
                    });
                });
                if (!replaces && !pythonsOfAll(source, it.key().family).contains(it.key().python))
                    cells.clear();
                profile.cells = catalog.inGridOrder(cells);
            }
            profile.cudaAttribute = catalog.toolkit(version)->attribute;
            profile.release = version;
            const ProfileKey key{it.key().family, it.key().python, version};
            profile.cells.removeIf([&](const GridCell &cell) {
                return !insisted.contains(cell) && !catalog.validity(key.variant(cell), source).valid;
            });
            settings.profiles.insert(key, profile);
        }
    }
    return settings;
}

Settings withPythons(const Settings &source, const QStringList &pythons, OfGonePython gone)
{
    const QStringList before = source.pythons();
    Settings settings = source;
    settings.profiles.removeIf([&pythons](const auto &entry) { return !pythons.contains(entry.key().python); });
    const bool hasNew =
        std::ranges::any_of(pythons, [&before](const QString &python) { return !before.contains(python); });
    if (gone == OfGonePython::Goes && !hasNew) {
        const auto listed = [](const Settings &of) {
            QSet<QString> builds;
            for (const auto &[key, profile] : of.profiles.asKeyValueRange()) {
                if (key.isCuda() && !profile.cells.isEmpty())
                    builds.insert(key.build);
            }
            return builds;
        };
        const QSet<QString> unlisted = listed(source).subtract(listed(settings));
        settings.profiles.removeIf([&unlisted](const auto &entry) { return unlisted.contains(entry.key().build); });
        return settings;
    }
    for (auto it = source.profiles.cbegin(); it != source.profiles.cend(); ++it) {
        const bool isLeft = pythons.contains(it.key().python);
        for (const QString &python : pythons) {
            ProfileKey key = it.key();
            key.python = python;
            // What only a Python has that goes is for those that stay.
            const bool isNew = !before.contains(python);
            const bool takes = !isLeft || (isNew && it.key().python == before.constFirst());
            const auto there = settings.profiles.constFind(key);
            if (!takes || (there != settings.profiles.cend() && !(there->cells.isEmpty() && !isLeft)))
                continue;
            Profile profile = *it;
            profile.pythonSet.clear(); // nixpkgs' python3Packages belong to another Python.
            settings.profiles.insert(key, profile);
        }
    }
    return settings;
}

} // namespace tmx
