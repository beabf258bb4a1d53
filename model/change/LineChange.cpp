// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/LineChange.h"

#include "model/settings/LineEdit.h"
#include "model/settings/LineFile.h"

#include <QCoreApplication>

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
        const Result<Line> other = withToolkits(line, catalog, change.cudas);
        if (!other)
            return other.error();
        line = *other;
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
