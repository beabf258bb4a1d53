// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/settings/SettingsFile.h"

#include "model/base/Tr.h"
#include "model/catalog/Catalog.h"
#include "model/catalog/EntryReaders.h"
#include "model/toml/Toml.h"
#include "model/toml/TomlTable.h"

#include <functional>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

/// The comment in a new file; the manual page has the details.
constexpr auto header = "# The settings of this branch: what it builds, from which nixpkgs, with which templates.\n"
                        "# Keys: man torch-matrix.\n";

QStringList pythonWords(QStringList pythons)
{
    for (QString &python : pythons) {
        if (python.isEmpty())
            python = noneWord.toString();
    }
    return pythons;
}

class Writer
{
public:
    QByteArray text;

    void key(const QByteArray &name, const QByteArray &value) { text += name + " = " + value + '\n'; }
    /// Unless the value is empty.
    template <class Value>
    void optional(const QByteArray &name, const Value &value)
    {
        if (!value.isEmpty())
            key(name, inToml(value));
    }
    /// Those of `selected` that are stated.
    void values(const SettingsValues &values, const std::function<bool(const Setting &)> &selected)
    {
        for (const Setting &setting : settingsTable()) {
            if (const auto value = values.constFind(setting.key); value != values.cend() && selected(setting))
                key(setting.key.toLatin1(), setting.most > 0 ? value->toLatin1() : inToml(*value));
        }
    }
    /// The list of the families' templates.
    void templates(const QByteArray &name, const Setting &setting, const QMap<QString, SettingsValues> &families)
    {
        QStringList names = byFamily(setting, families).values();
        names.sort();
        optional(name, names);
    }
    static QHash<QString, QString> byFamily(const Setting &setting, const QMap<QString, SettingsValues> &families)
    {
        QHash<QString, QString> values;
        for (auto it = families.cbegin(); it != families.cend(); ++it) {
            if (it->contains(setting.key))
                values.insert(it.key(), it->value(setting.key));
        }
        return values;
    }
    void selector(const ProfileSelector &where)
    {
        optional("families", where.families);
        optional("pythons", pythonWords(where.pythons));
        optional("builds", where.builds);
    }
    void section(const QByteArray &header) { text += '\n' + header + '\n'; }
    void table(const QByteArray &name, const QHash<QString, QString> &values)
    {
        if (values.isEmpty())
            return;
        section('[' + name + ']');
        QStringList keys = values.keys();
        keys.sort();
        for (const QString &id : std::as_const(keys))
            key(tomlKey(id), inToml(values.value(id)));
    }
};

} // namespace

Result<WrittenSettings> readWritten(const QByteArray &toml, const Catalog &catalog)
{
    auto document = TomlTable::parse(toml, settingsFileName);
    if (!document)
        return document.error();
    WrittenSettings settings;
    QString base;
    document->read("base", base, TomlTable::Optional);
    if (!base.isEmpty()) {
        if (const Settings *builtIn = catalog.settings(base))
            settings = written(*builtIn, catalog);
        else
            document->complain("base",
                               Tr::tr("names \"%1\", but there are no built-in settings with that name").arg(base));
    }
    readSettings(*document, settings, !base.isEmpty(), catalog);
    document->rejectUnread();
    TM_CHECK(document->finish());
    return settings;
}

Result<Settings> readSettingsFile(const QByteArray &toml, const Catalog &catalog, const QString &branch)
{
    const Result<WrittenSettings> settings = readWritten(toml, catalog);
    return settings ? Result<Settings>(expanded(*settings, catalog, branch, Settings::Source::File)) : settings.error();
}

Result<std::optional<QList<IgnoredRule>>> onlyIgnored(const QByteArray &toml)
{
    auto document = TomlTable::parse(toml, settingsFileName);
    if (!document || !document->hasOnly("ignore"))
        return std::optional<QList<IgnoredRule>>();
    std::optional<QList<IgnoredRule>> ignored = readIgnored(*document);
    TM_CHECK(document->finish());
    return ignored;
}

QByteArray completed(const QByteArray &toml, const Catalog &catalog, Settings settings)
{
    const auto ignored = onlyIgnored(toml);
    if (!ignored || !*ignored)
        return writeSettingsFile(settings, catalog);
    settings.ignored.clear();
    return writeSettingsFile(settings, catalog) + '\n' + toml;
}

QByteArray writeSettingsFile(const Settings &settings, const Catalog &catalog)
{
    return writeSettingsFile(written(settings, catalog));
}

bool sameProfiles(const Settings &a, const Settings &b)
{
    return a.profiles == b.profiles;
}

QByteArray writeSettingsFile(const WrittenSettings &settings, WrittenKeys keys)
{
    const bool all = keys == WrittenKeys::All;
    Writer writer{header};
    writer.optional("families", settings.families);
    writer.key("pythons", inToml(pythonWords(settings.pythons)));
    for (const Setting &setting : settingsTable()) {
        if (setting.scope == Setting::Templates)
            writer.templates(setting.table.toLatin1(), setting, settings.ofFamilies);
        else if (const bool isText = setting.words.isEmpty() && setting.most == 0;
                 setting.scope == Setting::Branch && (settings.values.contains(setting.key) || (all && !isText)))
            writer.values({{setting.key, settings.value(setting.key)}}, [](const Setting &) { return true; });
    }
    for (const Setting &setting : settingsTable()) {
        if (setting.scope == Setting::Family)
            writer.table(setting.table.toLatin1(), Writer::byFamily(setting, settings.ofFamilies));
    }
    for (const WrittenCuda &cuda : settings.cudas) {
        writer.section("[[cuda]]");
        writer.key("version", inToml(cuda.version));
        writer.values(cuda.values, [&](const Setting &setting) {
            return setting.scope == Setting::Toolkit &&
                   (all || setting.key != "release"_L1 || cuda.values.value(setting.key) != cuda.version);
        });
        writer.templates("templates", *settingOf(u"gpu_template"_s), cuda.families);
        writer.values(cuda.values, [](const Setting &setting) { return setting.scope == Setting::Branch; });
        for (const Setting &setting : settingsTable()) {
            if (setting.scope == Setting::Family)
                writer.optional(setting.table.toLatin1(), Writer::byFamily(setting, cuda.families));
        }
    }
    for (const WrittenProfile &profile : settings.profiles) {
        writer.section("[[profile]]");
        writer.selector(profile.where);
        writer.values(profile.values, [](const Setting &) { return true; });
    }
    for (const WrittenCoverage &block : settings.coverage) {
        writer.section("[[coverage]]");
        writer.key("rows", inToml(block.rows));
        writer.optional("isas", block.isas);
        writer.optional("rest", block.rest);
        writer.selector(block.where);
    }
    for (const IgnoredRule &ignored : settings.ignored)
        writer.text += ignoreTable(ignored);
    return writer.text;
}

QByteArray ignoreTable(const IgnoredRule &ignored)
{
    Writer writer;
    writer.section("[[ignore]]");
    writer.key("rule", inToml(ignored.rule));
    writer.optional("recipes", ignored.recipes);
    writer.key("reason", inToml(ignored.reason));
    return writer.text;
}

} // namespace tmx
