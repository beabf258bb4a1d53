// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/settings/SettingsFile.h"

#include "model/base/Tr.h"
#include "model/catalog/Catalog.h"
#include "model/catalog/EntryReaders.h"
#include "model/toml/Toml.h"
#include "model/toml/TomlTable.h"

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

/// The comment in a new file; the manual page has the details.
constexpr auto header = "# The settings of this branch: what it builds, from which nixpkgs, with which templates.\n"
                        "# Keys: man torch-matrix.\n";

QStringList sortedValues(const QHash<QString, QString> &values)
{
    QStringList texts = values.values();
    texts.sort();
    return texts;
}

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
    void said(const QByteArray &name, const std::optional<QString> &value)
    {
        if (value)
            key(name, inToml(*value));
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
    void pin(const NixpkgsPin &pin)
    {
        optional("nixpkgs", pin.revision);
        optional("nixpkgs_sha256", pin.sha256);
        optional("nixpkgs_python3", pin.python3);
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
        if (const Settings *builtIn = catalog.line(base))
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

QByteArray writeSettingsFile(const Settings &settings, const Catalog &catalog)
{
    return writeSettingsFile(written(settings, catalog));
}

bool sameProfiles(const Settings &a, const Settings &b)
{
    return a.profiles == b.profiles;
}

QByteArray writeSettingsFile(const WrittenSettings &line, WrittenKeys keys)
{
    const bool all = keys == WrittenKeys::All;
    Writer writer{header};
    writer.optional("families", line.families);
    writer.key("pythons", inToml(pythonWords(line.pythons)));
    writer.pin(line.pin);
    writer.optional("python_set", line.pythonSet);
    writer.optional("gpu_templates", sortedValues(line.gpuTemplates));
    writer.optional("cpu_templates", sortedValues(line.cpuTemplates));
    writer.optional("metal_templates", sortedValues(line.metalTemplates));
    if (all || line.torchOrigin != TorchOrigin::InPlace)
        writer.key("torch_source", inToml(toString(line.torchOrigin)));
    writer.optional("torch_catalog", line.torchCatalog);
    writer.optional("torch_repository", line.torchRepository.address);
    writer.optional("torch_rev", line.torchRepository.revision);
    writer.optional("torch_sha256", line.torchRepository.sha256);
    if (all || line.blas != Blas::Default)
        writer.key("blas", inToml(toString(line.blas)));
    if (all || line.archNotation != ArchNotation::Automatic)
        writer.key("arch_notation", inToml(toString(line.archNotation)));
    if (all || line.metadataRev > 0)
        writer.key("metadata_rev", QByteArray::number(line.metadataRev));
    writer.table("versions", line.versions);
    writer.table("hashes", line.hashes);
    writer.table("pname_prefixes", line.pnamePrefixes);
    for (const WrittenCuda &cuda : line.cudas) {
        writer.section("[[cuda]]");
        writer.key("version", inToml(cuda.version));
        if (all || cuda.release != cuda.version)
            writer.optional("release", cuda.release);
        writer.optional("attribute", cuda.attribute);
        writer.optional("templates", sortedValues(cuda.templates));
        writer.pin(cuda.pin);
        writer.optional("versions", cuda.versions);
        writer.optional("hashes", cuda.hashes);
        writer.optional("pname_prefixes", cuda.pnamePrefixes);
    }
    for (const WrittenProfile &profile : line.profiles) {
        writer.section("[[profile]]");
        writer.selector(profile.where);
        writer.said("version", profile.version);
        writer.said("hash", profile.sourceHash);
        if (profile.pin) {
            writer.key("nixpkgs", inToml(profile.pin->revision));
            writer.optional("nixpkgs_sha256", profile.pin->sha256);
            writer.optional("nixpkgs_python3", profile.pin->python3);
        }
        writer.said("attribute", profile.cudaAttribute);
        writer.said("release", profile.release);
        writer.said("python_set", profile.pythonSet);
        writer.said("pname_prefix", profile.pnamePrefix);
        writer.said("template", profile.templateName);
        if (profile.torchOrigin)
            writer.key("torch_source", inToml(toString(*profile.torchOrigin)));
        writer.said("torch_catalog", profile.torchCatalog);
        writer.said("torch_repository", profile.torchAddress);
        writer.said("torch_rev", profile.torchRevision);
        writer.said("torch_sha256", profile.torchSha256);
        if (profile.blas)
            writer.key("blas", inToml(toString(*profile.blas)));
        if (profile.notation)
            writer.key("arch_notation", inToml(toString(*profile.notation)));
        if (profile.metadataRev)
            writer.key("metadata_rev", QByteArray::number(*profile.metadataRev));
    }
    for (const WrittenCoverage &block : line.coverage) {
        writer.section("[[coverage]]");
        writer.key("rows", inToml(block.rows));
        writer.optional("isas", block.isas);
        writer.optional("rest", block.rest);
        writer.selector(block.where);
    }
    return writer.text;
}

} // namespace tmx
