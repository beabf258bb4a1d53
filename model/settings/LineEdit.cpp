// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/settings/LineEdit.h"

#include "model/catalog/Catalog.h"
#include "model/settings/LineFile.h"
#include "model/settings/TomlEdit.h"

#include <QCoreApplication>
#include <QMap>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <optional>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(tmx::LineEdit)
};

enum class Kind { Word, List, Number };

/// A key's path with the capitals of its name filled in.
struct Target {
    QStringList path;
    Kind kind = Kind::Word;
};

const QStringList wordKeys{u"base"_s,         u"nixpkgs"_s,       u"nixpkgs_sha256"_s, u"nixpkgs_python3"_s,
                           u"torch_source"_s, u"torch_catalog"_s, u"arch_notation"_s};
const QStringList listKeys{u"families"_s, u"pythons"_s, u"gpu_templates"_s, u"cpu_templates"_s, u"metal_templates"_s};
const QStringList familyTables{u"versions"_s, u"hashes"_s, u"pname_prefixes"_s};
const QStringList cudaWordKeys{u"release"_s, u"attribute"_s, u"nixpkgs"_s, u"nixpkgs_sha256"_s, u"nixpkgs_python3"_s};

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
    if (familyTables.contains(table) && !family.isEmpty())
        return Target{prefix + QStringList{table, family}, Kind::Word};
    if (!prefix.isEmpty() && rest == "templates"_L1)
        return Target{prefix + QStringList{rest}, Kind::List};
    if ((prefix.isEmpty() ? wordKeys : cudaWordKeys).contains(rest))
        return Target{prefix + QStringList{rest}, Kind::Word};
    if (prefix.isEmpty() && listKeys.contains(rest))
        return Target{{rest}, Kind::List};
    if (prefix.isEmpty() && rest == "metadata_rev"_L1)
        return Target{{rest}, Kind::Number};
    return std::nullopt;
}

QStringList wordsOf(const QString &value)
{
    static const QRegularExpression separators(u"[,\\s]+"_s);
    return value.split(separators, Qt::SkipEmptyParts);
}

QString inToml(const QString &text)
{
    QString result = text;
    result.replace(u'\\', "\\\\"_L1).replace(u'"', "\\\""_L1);
    static const QRegularExpression control(u"[\\x00-\\x1f\\x7f]"_s);
    return u'"' + result.replace(control, u" "_s) + u'"';
}

QString inToml(const QString &value, Kind kind)
{
    static const QRegularExpression wholeNumber(uR"(^(0|[1-9]\d{0,17})$)"_s);
    switch (kind) {
    case Kind::Word: return value.isEmpty() ? QString() : inToml(value);
    case Kind::Number:
        return wholeNumber.match(value).hasMatch() || value.isEmpty()
                   ? value
                   : inToml(value); // the reader tells what it must be
    case Kind::List: break;
    }
    QStringList words;
    for (const QString &word : wordsOf(value))
        words.append(inToml(word));
    return words.isEmpty() ? QString() : u'[' + words.join(u", "_s) + u']';
}

/// Rows that some toolkit of the line does not know, or has dropped, go into blocks for the others: a toolkit that is
/// added promises nothing that cannot exist. A row that none of them knows stays as it is; somebody insists on it.
void leaveOutWhatCannotExist(Line &line, const Catalog &catalog)
{
    QStringList all;
    for (const CudaProfile &cuda : line.cudas)
        all.append(cuda.version);
    QList<CoverageBlock> blocks;
    for (const CoverageBlock &block : line.coverage) {
        QList<CoverageBlock> parts;
        for (const QString &row : block.rows) {
            QStringList knowing = block.cudas;
            if (knowing.isEmpty() && catalog.row(row)->isGpu()) {
                for (const QString &cuda : std::as_const(all)) {
                    if (std::ranges::any_of(block.isas, [&](const QString &isa) {
                            return catalog.validity({{}, {}, cuda, row, isa}).valid;
                        }))
                        knowing.append(cuda);
                }
                if (knowing == all)
                    knowing.clear();
            }
            const auto same = std::ranges::find(parts, knowing, &CoverageBlock::cudas);
            if (same != parts.end())
                same->rows.append(row);
            else
                parts.append({{row}, block.isas, block.families, knowing});
        }
        blocks += parts;
    }
    line.coverage = blocks;
}

/// The toolkits of the line become these; those that stay keep what is said of them.
Result<Line> withCudas(Line line, const Catalog &catalog, const QStringList &versions)
{
    QList<CudaProfile> cudas;
    for (const QString &version : versions) {
        if (const CudaProfile *there = line.cuda(version)) {
            cudas.append(*there);
            continue;
        }
        const Toolkit *toolkit = catalog.toolkit(version);
        if (!toolkit)
            return Error{Text::tr("set"), u"cudas"_s, Text::tr("the catalog has no toolkit \"%1\"").arg(version), {}};
        cudas.append({version, version, toolkit->attribute});
    }
    line.cudas = cudas;
    for (CoverageBlock &block : line.coverage) {
        const bool some = !block.cudas.isEmpty();
        block.cudas.removeIf([&](const QString &version) { return !versions.contains(version); });
        if (some && block.cudas.isEmpty())
            block.rows.clear();
    }
    line.coverage.removeIf([](const CoverageBlock &block) { return block.rows.isEmpty(); });
    leaveOutWhatCannotExist(line, catalog);
    return line;
}

/// The row is promised with these instruction sets, for all families and toolkits.
Line withCoverage(Line line, const QString &row, const QStringList &isas)
{
    qsizetype place = line.coverage.size();
    for (qsizetype i = line.coverage.size() - 1; i >= 0; --i) {
        if (line.coverage[i].rows.removeAll(row) > 0)
            place = i + 1;
    }
    if (!isas.isEmpty()) {
        const auto same = std::ranges::find_if(line.coverage, [&](const CoverageBlock &block) {
            return block.isas == isas && block.families.isEmpty() && block.cudas.isEmpty() && !block.rows.isEmpty();
        });
        if (same != line.coverage.end() && row != "darwin-mps"_L1)
            same->rows.append(row);
        else
            line.coverage.insert(place, CoverageBlock{{row}, row == "darwin-mps"_L1 ? QStringList() : isas});
    }
    line.coverage.removeIf([](const CoverageBlock &block) { return block.rows.isEmpty(); });
    return line;
}

/// For keys that change lists of tables: the file anew, from the line.
Result<QByteArray> rewritten(const QByteArray &toml, const Line &line, const QString &key, bool mayLoseComments)
{
    const QByteArray plain = writeLineFile(line);
    QStringList lost = tomlComments(toml);
    for (const QString &kept : tomlComments(plain))
        lost.removeOne(kept);
    if (!lost.isEmpty() && !mayLoseComments) {
        return Error{Text::tr("set"), key,
                     Text::tr("%1 would be written anew, and %n comment(s) in it would be lost, the first being \"%2\"",
                              nullptr, int(lost.size()))
                         .arg(lineFileName, lost.constFirst()),
                     Text::tr("Edit the file, or add --force.")};
    }
    return plain;
}

QString sortedWords(const QHash<QString, QString> &table)
{
    QStringList words = table.values();
    words.sort();
    return words.join(u' ');
}

/// What every key that can be set by name says, as a person would type it; nothing for one that is not said.
QMap<QString, QString> valuesOf(const Line &line)
{
    QMap<QString, QString> values{{u"families"_s, line.families.join(u' ')},
                                  {u"pythons"_s, line.pythons.join(u' ')},
                                  {u"gpu_templates"_s, sortedWords(line.gpuTemplates)},
                                  {u"cpu_templates"_s, sortedWords(line.cpuTemplates)},
                                  {u"metal_templates"_s, sortedWords(line.metalTemplates)},
                                  {u"torch_source"_s, toString(line.torchOrigin)},
                                  {u"torch_catalog"_s, line.torchCatalog},
                                  {u"arch_notation"_s, toString(line.archNotation)},
                                  {u"metadata_rev"_s, QString::number(line.metadataRev)}};
    const auto addPin = [&values](const QString &prefix, const NixpkgsPin &pin) {
        values.insert(prefix + "nixpkgs"_L1, pin.revision);
        values.insert(prefix + "nixpkgs_sha256"_L1, pin.sha256);
        values.insert(prefix + "nixpkgs_python3"_L1, pin.python3);
    };
    const auto addTable = [&values](const QString &prefix, const QHash<QString, QString> &table) {
        for (const auto &[family, value] : table.asKeyValueRange())
            values.insert(prefix + family, value);
    };
    addPin({}, line.pin);
    addTable(u"versions."_s, line.versions);
    addTable(u"hashes."_s, line.hashes);
    addTable(u"pname_prefixes."_s, line.pnamePrefixes);
    for (const CudaProfile &cuda : line.cudas) {
        const QString prefix = u"cuda."_s + cuda.version + u'.';
        values.insert(prefix + "release"_L1, cuda.release);
        values.insert(prefix + "attribute"_L1, cuda.attribute);
        values.insert(prefix + "templates"_L1, sortedWords(cuda.templates));
        addPin(prefix, cuda.pin);
        addTable(prefix + "versions."_L1, cuda.versions);
        addTable(prefix + "hashes."_L1, cuda.hashes);
        addTable(prefix + "pname_prefixes."_L1, cuda.pnamePrefixes);
    }
    return values;
}

/// `text` with the coverage of `plain`, which ends in it, in the place of its own; what is said before and behind that
/// stays.
QByteArray withCoverageOf(const QByteArray &text, const QByteArray &plain)
{
    static const QByteArray header = "[[coverage]]";
    const qsizetype from = plain.indexOf('\n' + header);
    const QByteArray coverage = from < 0 ? QByteArray() : plain.sliced(from + 1);
    qsizetype begin = -1; // of its first block's line
    qsizetype end = -1;   // behind the last line of the blocks that is no comment
    bool inside = false;
    for (qsizetype at = 0; at < text.size();) {
        const qsizetype feed = text.indexOf('\n', at);
        const qsizetype next = feed < 0 ? text.size() : feed + 1;
        const QByteArray line = text.sliced(at, next - at).trimmed();
        if (line.startsWith('['))
            inside = line.startsWith(header);
        if (inside && begin < 0)
            begin = at;
        if (inside && !line.isEmpty() && !line.startsWith('#'))
            end = next;
        at = next;
    }
    if (begin < 0)
        return text + (text.isEmpty() || text.endsWith('\n') ? "\n" : "\n\n") + coverage;
    return text.first(begin) + coverage + text.sliced(end);
}

} // namespace

const QList<LineKey> &lineKeys()
{
    static const QList<LineKey> keys{
        {u"base"_s, Text::tr("built-in line that the file starts from")},
        {u"families"_s, Text::tr("what the line builds")},
        {u"pythons"_s, Text::tr("python313, python312, ...")},
        {u"versions.FAMILY"_s, Text::tr("version of a family")},
        {u"hashes.FAMILY"_s, Text::tr("hash of that version's source, where nixpkgs has another version")},
        {u"pname_prefixes.FAMILY"_s, Text::tr("what pname begins with instead of the family")},
        {u"nixpkgs"_s, Text::tr("revision that recipes fetch, 40 digits")},
        {u"nixpkgs_sha256"_s, Text::tr("hash of its tarball")},
        {u"nixpkgs_python3"_s, Text::tr("Python behind its python3Packages")},
        {u"gpu_templates"_s, Text::tr("templates of GPU recipes, FAMILY/SHAPE")},
        {u"cpu_templates"_s, Text::tr("templates of CPU recipes")},
        {u"metal_templates"_s, Text::tr("templates of darwin-mps recipes")},
        {u"torch_source"_s, Text::tr("where companions find torch: in-place, sibling or published")},
        {u"torch_catalog"_s, Text::tr("organisation that publishes torch")},
        {u"arch_notation"_s, Text::tr("auto, dotted or sm")},
        {u"metadata_rev"_s, Text::tr("number that makes another store path; 0 for none")},
        {u"cudas"_s, Text::tr("toolkits")},
        {u"cuda.VERSION.KEY"_s, Text::tr("for one toolkit: release, attribute, templates, nixpkgs, nixpkgs_sha256, "
                                         "nixpkgs_python3, versions.FAMILY, hashes.FAMILY, "
                                         "pname_prefixes.FAMILY")},
        {u"coverage.ROW"_s, Text::tr("instruction sets that are promised for a row")},
    };
    return keys;
}

Result<QByteArray> withLineKey(const QByteArray &toml, const Catalog &catalog, const QString &branch,
                               const QString &key, const QString &value, bool mayLoseComments)
{
    const Result<Line> before = readLineFile(toml, catalog, branch);
    if (!before)
        return before.error();
    Result<QByteArray> changed = toml;
    const QString row = key.section(u'.', 1);
    if (key == "cudas"_L1) {
        const Result<Line> line = withCudas(*before, catalog, wordsOf(value));
        changed = line ? rewritten(toml, *line, key, mayLoseComments) : line.error();
    } else if (key.startsWith("coverage."_L1)) {
        if (!catalog.row(row))
            return Error{Text::tr("set"), key, Text::tr("\"%1\" is no row of the catalog").arg(row), {}};
        // Metal has no instruction set: whatever is said promises its cell.
        changed = rewritten(toml, withCoverage(*before, row, wordsOf(value)), key, mayLoseComments);
    } else if (const auto target = targetOf(key)) {
        changed = withTomlValue(toml, target->path, inToml(value.trimmed(), target->kind));
    } else {
        return Error{Text::tr("set"), key, Text::tr("there is no such key"),
                     Text::tr("\"torch-matrix line set --help\" lists them.")};
    }
    if (!changed)
        return changed;
    if (const Result<Line> line = readLineFile(*changed, catalog, branch); !line)
        return Error{Text::tr("set"), key, line.error().why, {}};
    return changed;
}

QByteArray withLine(const QByteArray &toml, const Catalog &catalog, const Line &line)
{
    const QByteArray plain = writeLineFile(line);
    const Result<Line> before = readLineFile(toml, catalog, line.branch);
    if (!before)
        return plain;
    QByteArray text = toml;
    const QMap<QString, QString> old = valuesOf(*before);
    const QMap<QString, QString> now = valuesOf(line);
    QSet<QString> keys(old.keyBegin(), old.keyEnd());
    keys.unite(QSet<QString>(now.keyBegin(), now.keyEnd()));
    QStringList changed;
    for (const QString &key : std::as_const(keys)) {
        if (old.value(key) != now.value(key))
            changed.append(key);
    }
    changed.sort();
    for (const QString &key : std::as_const(changed)) {
        const auto target = targetOf(key);
        const auto next = target ? withTomlValue(text, target->path, inToml(now.value(key), target->kind))
                                 : Result<QByteArray>(plain);
        if (!target || !next)
            return plain;
        text = *next;
    }
    if (before->coverage != line.coverage)
        text = withCoverageOf(text, plain);
    const Result<Line> back = readLineFile(text, catalog, line.branch);
    return back && writeLineFile(*back) == plain ? text : plain;
}

} // namespace tmx
