// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/settings/LineFile.h"

#include "model/catalog/Catalog.h"
#include "model/catalog/EntryReaders.h"
#include "model/catalog/TomlTable.h"

#include <QCoreApplication>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(tmx::LineFile)
};

/// What a new file says of itself; the manual page has the rest.
constexpr auto header =
    QLatin1StringView("# The line of this branch: what it builds, from which nixpkgs, with which templates.\n"
                      "# Keys: man torch-matrix.\n");

QString quoted(const QString &text)
{
    QString result;
    for (const QChar c : text) {
        if (c == u'"' || c == u'\\')
            result += u'\\';
        if (c < u' ' || c == QChar(0x7f))
            result += u"\\u%1"_s.arg(int(c.unicode()), 4, 16, QChar(u'0'));
        else
            result += c;
    }
    return u'"' + result + u'"';
}

QString list(const QStringList &texts)
{
    QStringList words;
    for (const QString &text : texts)
        words.append(quoted(text));
    return u'[' + words.join(u", "_s) + u']';
}

QString bareOrQuoted(const QString &key)
{
    for (const QChar c : key) {
        if (!(c.unicode() < 0x80 && c.isLetterOrNumber()) && c != u'_' && c != u'-')
            return quoted(key);
    }
    return key.isEmpty() ? quoted(key) : key;
}

QStringList sortedKeys(const QHash<QString, QString> &values)
{
    QStringList keys = values.keys();
    keys.sort();
    return keys;
}

QStringList sortedValues(const QHash<QString, QString> &values)
{
    QStringList texts = values.values();
    texts.sort();
    return texts;
}

class Writer
{
public:
    QString text = header;

    void key(QLatin1StringView name, const QString &value) { text += name + " = "_L1 + value + u'\n'; }
    void optional(QLatin1StringView name, const QString &value)
    {
        if (!value.isEmpty())
            key(name, quoted(value));
    }
    void optional(QLatin1StringView name, const QStringList &value)
    {
        if (!value.isEmpty())
            key(name, list(value));
    }
    void section(const QString &name) { text += u'\n' + name + u'\n'; }
    void table(QLatin1StringView name, const QHash<QString, QString> &values)
    {
        if (values.isEmpty())
            return;
        section(u'[' + name + u']');
        for (const QString &id : sortedKeys(values))
            text += bareOrQuoted(id) + " = "_L1 + quoted(values.value(id)) + u'\n';
    }
    void inlineTable(QLatin1StringView name, const QHash<QString, QString> &values)
    {
        QStringList pairs;
        for (const QString &id : sortedKeys(values))
            pairs.append(bareOrQuoted(id) + " = "_L1 + quoted(values.value(id)));
        if (!pairs.isEmpty())
            key(name, u"{ "_s + pairs.join(u", "_s) + u" }"_s);
    }
    void pin(const NixpkgsPin &pin)
    {
        optional("nixpkgs"_L1, pin.revision);
        optional("nixpkgs_sha256"_L1, pin.sha256);
        optional("nixpkgs_python3"_L1, pin.python3);
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

QByteArray writeLineFile(const Line &line)
{
    Writer writer;
    writer.optional("families"_L1, line.families);
    writer.key("pythons"_L1, list(line.pythons));
    writer.pin(line.pin);
    writer.optional("gpu_templates"_L1, sortedValues(line.gpuTemplates));
    writer.optional("cpu_templates"_L1, sortedValues(line.cpuTemplates));
    writer.optional("metal_templates"_L1, sortedValues(line.metalTemplates));
    if (line.torchOrigin != TorchOrigin::InPlace)
        writer.key("torch_source"_L1, quoted(toString(line.torchOrigin)));
    writer.optional("torch_catalog"_L1, line.torchCatalog);
    if (line.archNotation != ArchNotation::Automatic)
        writer.key("arch_notation"_L1, quoted(toString(line.archNotation)));
    if (line.metadataRev > 0)
        writer.key("metadata_rev"_L1, QString::number(line.metadataRev));
    QHash<QString, QString> versions = line.versions; // an inferred line may know none
    versions.removeIf([](const auto &version) { return version.value().isEmpty(); });
    if (versions.isEmpty())
        writer.section(u"[versions]"_s);
    writer.table("versions"_L1, versions);
    writer.table("hashes"_L1, line.hashes);
    writer.table("pname_prefixes"_L1, line.pnamePrefixes);
    for (const CudaProfile &cuda : line.cudas) {
        writer.section(u"[[cuda]]"_s);
        writer.key("version"_L1, quoted(cuda.version));
        if (cuda.release != cuda.version)
            writer.optional("release"_L1, cuda.release);
        writer.optional("attribute"_L1, cuda.attribute);
        writer.optional("templates"_L1, sortedValues(cuda.templates));
        writer.pin(cuda.pin);
        writer.inlineTable("versions"_L1, cuda.versions);
        writer.inlineTable("hashes"_L1, cuda.hashes);
        writer.inlineTable("pname_prefixes"_L1, cuda.pnamePrefixes);
    }
    for (const CoverageBlock &block : line.coverage) {
        writer.section(u"[[coverage]]"_s);
        writer.key("rows"_L1, list(block.rows));
        writer.optional("isas"_L1, block.isas);
        writer.optional("families"_L1, block.families);
        writer.optional("cudas"_L1, block.cudas);
    }
    return writer.text.toUtf8();
}

} // namespace tmx
