// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/LineChange.h"

#include "model/settings/LineEdit.h"
#include "model/settings/LineFile.h"

#include <QCoreApplication>
#include <QMap>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::LineChange)
};

const QString pytorch = u"pytorch"_s;

/// The built-in line that builds this version with all of these toolkits.
const Line *builtInFor(const Catalog &catalog, const QString &version, const QList<CudaProfile> &cudas)
{
    const auto found = std::ranges::find_if(catalog.lines, [&](const Line &line) {
        return line.versions.value(pytorch) == version && !cudas.isEmpty() &&
               std::ranges::all_of(cudas,
                                   [&line](const CudaProfile &cuda) { return line.cuda(cuda.version) != nullptr; });
    });
    return found == catalog.lines.end() ? nullptr : &*found;
}

/// "pytorch210" of 2.10.0 becomes "pytorch211" for 2.11.0; any other prefix is somebody's own.
QString prefixFor(const QString &prefix, const QString &family, const QString &before, const QString &after)
{
    const auto digits = [](const QString &version) { return version.section(u'.', 0, 1).remove(u'.'); };
    return prefix == family + digits(before) ? family + digits(after) : prefix;
}

Result<void> setCudas(Line &line, const Catalog &catalog, const QStringList &versions)
{
    QList<CudaProfile> cudas;
    for (const QString &version : versions) {
        if (const CudaProfile *there = line.cuda(version)) {
            cudas.append(*there);
            continue;
        }
        const Toolkit *toolkit = catalog.toolkit(version);
        if (!toolkit)
            return Error{Words::tr("change the line"), version, Words::tr("the catalog has no such CUDA toolkit"), {}};
        cudas.append({version, version, toolkit->attribute});
    }
    // One toolkit for another: what was promised for the old one is promised for the new one.
    const bool exchanged = line.cudas.size() == 1 && cudas.size() == 1;
    for (CoverageBlock &block : line.coverage) {
        if (exchanged && !block.cudas.isEmpty())
            block.cudas = versions;
        const bool some = !block.cudas.isEmpty();
        block.cudas.removeIf([&versions](const QString &version) { return !versions.contains(version); });
        if (some && block.cudas.isEmpty())
            block.rows.clear();
    }
    line.coverage.removeIf([](const CoverageBlock &block) { return block.rows.isEmpty(); });
    line.cudas = cudas;
    return {};
}

void setPyTorch(Line &line, const QString &version)
{
    const QString before = line.versions.value(pytorch);
    if (before == version)
        return;
    line.versions.insert(pytorch, version);
    line.hashes.remove(pytorch);
    if (line.pnamePrefixes.contains(pytorch))
        line.pnamePrefixes.insert(pytorch, prefixFor(line.pnamePrefixes.value(pytorch), pytorch, before, version));
    for (CudaProfile &cuda : line.cudas) {
        cuda.versions.remove(pytorch);
        cuda.hashes.remove(pytorch);
    }
}

/// How a built-in line builds what this line is to build; what is promised stays.
void buildLike(Line &line, const Line &builtIn, bool pinToo)
{
    line.hashes = builtIn.hashes;
    line.pnamePrefixes = builtIn.pnamePrefixes;
    line.gpuTemplates = builtIn.gpuTemplates;
    line.cpuTemplates = builtIn.cpuTemplates;
    if (pinToo)
        line.pin = builtIn.pin;
    for (CudaProfile &cuda : line.cudas)
        cuda = *builtIn.cuda(cuda.version);
}

/// Takes out of the coverage what cannot exist, but for what `insisted` names.
void dropImpossible(Line &line, const Catalog &catalog, const QSet<Variant> &insisted)
{
    QList<CoverageBlock> kept;
    for (const CoverageBlock &block : std::as_const(line.coverage)) {
        QStringList cudas = block.cudas;
        if (cudas.isEmpty()) {
            for (const CudaProfile &cuda : std::as_const(line.cudas))
                cudas.append(cuda.version);
        }
        for (const QString &row : block.rows) {
            const GpuRow *gpu = catalog.row(row);
            if (!gpu || !gpu->isGpu()) {
                kept.append({{row}, block.isas, block.families, block.cudas});
                continue;
            }
            QMap<QStringList, QStringList> isasByCudas;
            for (const QString &isa : block.isas) {
                QStringList possible;
                for (const QString &cuda : std::as_const(cudas)) {
                    const Variant variant{line.familyIds().value(0, pytorch), line.pythons.value(0), cuda, row, isa};
                    if (catalog.validity(variant).valid || insisted.contains({pytorch, {}, {}, row, isa}))
                        possible.append(cuda);
                }
                if (!possible.isEmpty())
                    isasByCudas[possible == cudas ? block.cudas : possible].append(isa);
            }
            for (auto it = isasByCudas.cbegin(); it != isasByCudas.cend(); ++it)
                kept.append({{row}, *it, block.families, it.key()});
        }
    }
    line.coverage.clear();
    for (const CoverageBlock &block : std::as_const(kept)) {
        CoverageBlock *last = line.coverage.isEmpty() ? nullptr : &line.coverage.last();
        if (last && last->isas == block.isas && last->families == block.families && last->cudas == block.cudas)
            last->rows += block.rows;
        else
            line.coverage.append(block);
    }
}

/// Rows and ISAs that a line promises although they cannot exist.
QSet<Variant> insistedOn(const Catalog &catalog, const Line &line)
{
    QSet<Variant> cells;
    for (const Variant &variant : line.promised()) {
        if (!catalog.validity(variant).valid)
            cells.insert({pytorch, {}, {}, variant.row, variant.isa});
    }
    return cells;
}

} // namespace

Result<Variant> variantOn(const Line &line, const Variant &variant)
{
    Variant mapped = variant;
    const auto several = [&](const QString &what) {
        return Error{Words::tr("find the place of"),
                     variant.name(),
                     Words::tr("the line of %1 has several %2 to choose from").arg(line.branch, what),
                     {}};
    };
    if (!line.pythons.contains(variant.python)) {
        if (line.pythons.size() != 1)
            return several(Words::tr("Pythons"));
        mapped.python = line.pythons.constFirst();
    }
    if (!variant.cuda.isEmpty() && !line.cuda(variant.cuda)) {
        if (line.cudas.size() != 1)
            return several(Words::tr("toolkits"));
        mapped.cuda = line.cudas.constFirst().version;
    }
    return mapped;
}

Result<ChangedLine> changedLine(const Catalog &catalog, const Line &source, const std::optional<QByteArray> &file,
                                const QString &branch, const LineChange &change)
{
    ChangedLine changed;
    Line &line = changed.line;
    line = source;
    line.branch = branch;
    if (!change.cudas.isEmpty()) {
        if (const Result<void> done = setCudas(line, catalog, change.cudas); !done)
            return done.error();
    }
    if (!change.pytorch.isEmpty())
        setPyTorch(line, change.pytorch);
    if (!change.pythons.isEmpty())
        line.pythons = change.pythons;
    if (!change.pin.isEmpty() && change.pin != line.pin.revision)
        line.pin = {change.pin, {}, line.pin.python3};
    const bool other = line.versions.value(pytorch) != source.versions.value(pytorch) || line.cudas != source.cudas;
    if (const Line *builtIn = builtInFor(catalog, line.versions.value(pytorch), line.cudas); builtIn && other)
        buildLike(line, *builtIn, change.pin.isEmpty());
    if (!change.cudas.isEmpty())
        dropImpossible(line, catalog, insistedOn(catalog, source));
    line.smRows.clear();

    // A file that only its keys change keeps its comments.
    Line same = source;
    same.branch = branch;
    same.smRows.clear();
    const bool kept = file && line == same;
    const auto withKeys = [&](QByteArray text) -> Result<QByteArray> {
        for (const auto &[key, value] : change.keys) {
            Result<QByteArray> next = withLineKey(text, catalog, branch, key, value, true);
            if (!next)
                return next;
            text = std::move(next).value();
        }
        return text;
    };
    Result<QByteArray> text = withKeys(kept ? *file : writeLineFile(line));
    // A file with a base may lack the table that the key belongs to; the line in full has it.
    if (!text && kept)
        text = withKeys(writeLineFile(line));
    if (!text)
        return text.error();
    changed.file = std::move(text).value();
    Result<Line> read = readLineFile(changed.file, catalog, branch);
    if (!read)
        return read.error();
    line = std::move(read).value();

    for (const Variant &variant : source.promised()) {
        const Result<Variant> mapped = variantOn(line, variant);
        if (mapped && !line.covers(*mapped) && !changed.dropped.contains(mapped->name()))
            changed.dropped.append(mapped->name());
    }
    return changed;
}

} // namespace tmx
