// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/settings/LineFile.h"

#include "model/catalog/Catalog.h"
#include "model/catalog/EntryReaders.h"
#include "model/catalog/Toml.h"
#include "model/catalog/TomlTable.h"

#include <QCoreApplication>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(tmx::LineFile)
};

/// What a new file says of itself; the manual page has the rest.
constexpr auto header = "# The line of this branch: what it builds, from which nixpkgs, with which templates.\n"
                        "# Keys: man torch-matrix.\n";

QStringList sortedValues(const QHash<QString, QString> &values)
{
    QStringList texts = values.values();
    texts.sort();
    return texts;
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

Result<Line> readLineFile(const QByteArray &toml, const Catalog &catalog, const QString &branch)
{
    auto document = TomlTable::parse(toml, lineFileName);
    if (!document)
        return document.error();
    Line line;
    QString base;
    document->read("base", base, TomlTable::Optional);
    if (!base.isEmpty()) {
        const Line *builtIn = catalog.line(base);
        if (!builtIn)
            document->complain("base", Text::tr("names \"%1\", which is no built-in line").arg(base));
        else
            line = *builtIn;
    }
    line.branch = branch;
    line.source = Line::Source::File;
    readLine(*document, line, !base.isEmpty(), catalog);
    document->rejectUnread();
    if (const auto done = document->finish(); !done)
        return done.error();
    return line;
}

QByteArray writeLineFile(const Line &line, WrittenKeys keys)
{
    const bool all = keys == WrittenKeys::All;
    Writer writer{header};
    writer.optional("families", line.families);
    writer.key("pythons", inToml(line.pythons));
    writer.pin(line.pin);
    writer.optional("gpu_templates", sortedValues(line.gpuTemplates));
    writer.optional("cpu_templates", sortedValues(line.cpuTemplates));
    writer.optional("metal_templates", sortedValues(line.metalTemplates));
    if (all || line.torchOrigin != TorchOrigin::InPlace)
        writer.key("torch_source", inToml(toString(line.torchOrigin)));
    writer.optional("torch_catalog", line.torchCatalog);
    if (all || line.archNotation != ArchNotation::Automatic)
        writer.key("arch_notation", inToml(toString(line.archNotation)));
    if (all || line.metadataRev > 0)
        writer.key("metadata_rev", QByteArray::number(line.metadataRev));
    QHash<QString, QString> versions = line.versions; // an inferred line may know none
    versions.removeIf([](const auto &version) { return version.value().isEmpty(); });
    if (versions.isEmpty())
        writer.section("[versions]");
    writer.table("versions", versions);
    writer.table("hashes", line.hashes);
    writer.table("pname_prefixes", line.pnamePrefixes);
    for (const CudaProfile &cuda : line.cudas) {
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
    for (const CoverageBlock &block : line.coverage) {
        writer.section("[[coverage]]");
        writer.key("rows", inToml(block.rows));
        writer.optional("isas", block.isas);
        writer.optional("families", block.families);
        writer.optional("cudas", block.cudas);
    }
    return writer.text;
}

} // namespace tmx
