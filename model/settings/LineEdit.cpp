// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/settings/LineEdit.h"

#include "model/catalog/Catalog.h"
#include "model/catalog/Toml.h"
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

/// What a person typed for a key, as TOML has it; nothing removes the key.
QByteArray typedValue(const QString &value, Kind kind)
{
    static const QRegularExpression wholeNumber(uR"(^(0|[1-9]\d{0,17})$)"_s);
    if (kind == Kind::List)
        return wordsOf(value).isEmpty() ? QByteArray() : inToml(wordsOf(value));
    // The reader says what is wrong with a number that is none.
    const bool bare = value.isEmpty() || (kind == Kind::Number && wholeNumber.match(value).hasMatch());
    return bare ? value.toUtf8() : inToml(value);
}

/// Rows and ISAs that a line promises although they cannot exist.
QSet<std::pair<QString, QString>> insistedOn(const Catalog &catalog, const Line &line)
{
    QSet<std::pair<QString, QString>> cells;
    for (const Variant &variant : line.promised()) {
        if (!catalog.validity(variant).valid)
            cells.insert({variant.row, variant.isa});
    }
    return cells;
}

/// Takes out of the coverage what cannot exist, but for what `insisted` names.
void dropImpossible(Line &line, const Catalog &catalog, const QSet<std::pair<QString, QString>> &insisted)
{
    QStringList all;
    for (const CudaProfile &cuda : std::as_const(line.cudas))
        all.append(cuda.version);
    QList<CoverageBlock> blocks;
    const auto add = [&blocks](const QString &row, const CoverageBlock &block) {
        CoverageBlock *last = blocks.isEmpty() ? nullptr : &blocks.last();
        if (last && last->isas == block.isas && last->families == block.families && last->cudas == block.cudas)
            last->rows.append(row);
        else
            blocks.append({{row}, block.isas, block.families, block.cudas});
    };
    for (const CoverageBlock &block : std::as_const(line.coverage)) {
        const QStringList cudas = block.cudas.isEmpty() ? all : block.cudas;
        for (const QString &row : block.rows) {
            const GpuRow *gpu = catalog.row(row);
            if (!gpu || !gpu->isGpu()) {
                add(row, block);
                continue;
            }
            QMap<QStringList, QStringList> isasByCudas;
            for (const QString &isa : block.isas) {
                QStringList possible;
                std::ranges::copy_if(cudas, std::back_inserter(possible), [&](const QString &cuda) {
                    return insisted.contains({row, isa}) || catalog.validity({{}, {}, cuda, row, isa}).valid;
                });
                if (!possible.isEmpty())
                    isasByCudas[possible == cudas ? block.cudas : possible].append(isa);
            }
            for (const auto &[some, isas] : isasByCudas.asKeyValueRange())
                add(row, {{}, isas, block.families, some});
        }
    }
    line.coverage = blocks;
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
    QByteArray plain = writeLineFile(line);
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
        const Result<Line> line = withToolkits(*before, catalog, wordsOf(value));
        if (!line)
            return Error{
                Text::tr("set"), key, Text::tr("the catalog has no toolkit \"%1\"").arg(line.error().subject), {}};
        changed = rewritten(toml, *line, key, mayLoseComments);
    } else if (key.startsWith("coverage."_L1)) {
        if (!catalog.row(row))
            return Error{Text::tr("set"), key, Text::tr("\"%1\" is no row of the catalog").arg(row), {}};
        // Metal has no instruction set: whatever is said promises its cell.
        changed = rewritten(toml, withCoverage(*before, row, wordsOf(value)), key, mayLoseComments);
    } else if (const auto target = targetOf(key)) {
        changed = withTomlValue(toml, target->path, typedValue(value.trimmed(), target->kind));
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
    QByteArray plain = writeLineFile(line);
    const Result<Line> before = readLineFile(toml, catalog, line.branch);
    if (!before)
        return plain;
    const Result<QByteArray> text =
        withTomlChanges(toml, writeLineFile(*before, WrittenKeys::All), writeLineFile(line, WrittenKeys::All));
    const Result<Line> back = text ? readLineFile(*text, catalog, line.branch) : text.error();
    return back && writeLineFile(*back) == plain ? *text : plain;
}

Result<Line> withToolkits(const Line &source, const Catalog &catalog, const QStringList &versions)
{
    Line line = source;
    line.cudas.clear();
    for (const QString &version : versions) {
        const CudaProfile *there = source.cuda(version);
        const Toolkit *toolkit = catalog.toolkit(version);
        if (!there && !toolkit) {
            return Error{Text::tr("change the line"), version, Text::tr("the catalog has no such CUDA toolkit"), {}};
        }
        line.cudas.append(there ? *there : CudaProfile{version, version, toolkit->attribute});
    }
    const bool exchanged = source.cudas.size() == 1 && line.cudas.size() == 1;
    for (CoverageBlock &block : line.coverage) {
        if (block.cudas.isEmpty())
            continue;
        if (exchanged)
            block.cudas = versions;
        block.cudas.removeIf([&](const QString &version) { return !versions.contains(version); });
        if (block.cudas.isEmpty())
            block.rows.clear();
    }
    line.coverage.removeIf([](const CoverageBlock &block) { return block.rows.isEmpty(); });
    dropImpossible(line, catalog, insistedOn(catalog, source));
    return line;
}

} // namespace tmx
