// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/SettingsChange.h"

#include "model/settings/LineEdit.h"
#include "model/settings/LineFile.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::SettingsChange)
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

using Keys = QList<std::pair<QString, QString>>;

/// One key names the templates of all families.
void changeTemplates(Keys &keys, const QString &key, const QHash<QString, QString> &before,
                     const QHash<QString, QString> &after)
{
    if (after == before)
        return;
    QStringList names = after.values();
    names.sort();
    keys.append({key, names.join(u", "_s)});
}

void changeGpuTemplates(Keys &keys, const Line &line, const QMap<QString, QString> &wanted)
{
    QHash<QString, QString> ofLine = line.gpuTemplates;
    QList<QHash<QString, QString>> ofCudas;
    for (const CudaProfile &cuda : line.cudas)
        ofCudas.append(cuda.templates);
    for (auto it = wanted.cbegin(); it != wanted.cend(); ++it) {
        // A toolkit's own template has precedence; the branch's is changed where a toolkit has none of its own.
        bool asked = line.cudas.isEmpty();
        for (QHash<QString, QString> &ofCuda : ofCudas) {
            if (it->isEmpty()) // the family's own, whatever the toolkit
                ofCuda.remove(it.key());
            else if (ofCuda.contains(it.key()))
                ofCuda.insert(it.key(), *it);
            else
                asked = true;
        }
        if (it->isEmpty())
            ofLine.remove(it.key());
        else if (asked)
            ofLine.insert(it.key(), *it);
    }
    for (qsizetype i = 0; i < ofCudas.size(); ++i)
        changeTemplates(keys, u"cuda.%1.templates"_s.arg(line.cudas.at(i).version), line.cudas.at(i).templates,
                        ofCudas.at(i));
    changeTemplates(keys, u"gpu_templates"_s, line.gpuTemplates, ofLine);
}

/// What of the change is written key by key, once versions, toolkits, Pythons and pin of `line` are the new ones.
Keys keysOf(const Line &line, const SettingsChange &change)
{
    Keys keys;
    if (change.cudas && change.cudas->isEmpty())
        keys.append({u"cudas"_s, {}});
    if (change.pythons && change.pythons->isEmpty())
        keys.append({u"pythons"_s, {}});
    if (change.pin && change.pin->isEmpty())
        keys.append({u"nixpkgs"_s, {}});
    for (auto it = change.versions.cbegin(); it != change.versions.cend(); ++it) {
        if (it.key() != pytorch)
            keys.append({u"versions."_s + it.key(), *it});
    }
    for (auto it = change.hashes.cbegin(); it != change.hashes.cend(); ++it)
        keys.append({u"hashes."_s + it.key(), *it});
    changeGpuTemplates(keys, line, change.gpuTemplates);
    QHash<QString, QString> cpu = line.cpuTemplates;
    for (auto it = change.cpuTemplates.cbegin(); it != change.cpuTemplates.cend(); ++it)
        if (it->isEmpty())
            cpu.remove(it.key());
        else
            cpu.insert(it.key(), *it);
    changeTemplates(keys, u"cpu_templates"_s, line.cpuTemplates, cpu);
    if (!change.pinHash.isEmpty())
        keys.append({u"nixpkgs_sha256"_s, change.pinHash});
    return keys + change.keys;
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

Result<ChangedSettings> changedSettings(const Catalog &catalog, const Line &source,
                                        const std::optional<QByteArray> &file, const QString &branch,
                                        const SettingsChange &change)
{
    ChangedSettings changed;
    Line &line = changed.settings;
    line = source;
    line.branch = branch;
    if (change.cudas && !change.cudas->isEmpty()) {
        const Result<Line> other = withToolkits(line, catalog, *change.cudas);
        if (!other)
            return other.error();
        line = *other;
    }
    if (const QString version = change.versions.value(pytorch); !version.isEmpty())
        setPyTorch(line, version);
    if (change.pythons && !change.pythons->isEmpty())
        line.pythons = *change.pythons;
    const QString pin = change.pin.value_or(QString());
    if (!pin.isEmpty() && pin != line.pin.revision)
        line.pin = {pin, {}, line.pin.python3};
    const bool other = line.versions.value(pytorch) != source.versions.value(pytorch) || line.cudas != source.cudas;
    if (const Line *builtIn = builtInFor(catalog, line.versions.value(pytorch), line.cudas); builtIn && other)
        buildLike(line, *builtIn, pin.isEmpty());
    line.smRows.clear();

    // A file that only its keys change keeps its comments.
    Line same = source;
    same.branch = branch;
    same.smRows.clear();
    const bool kept = file && line == same;
    const Keys keys = keysOf(line, change);
    const auto withKeys = [&](QByteArray text) -> Result<QByteArray> {
        for (const auto &[key, value] : keys) {
            Result<QByteArray> next = withLineKey(text, catalog, branch, key, value, true);
            if (!next)
                return next;
            text = std::move(next).value();
        }
        return text;
    };
    Result<QByteArray> text = withKeys(kept ? *file : writeLineFile(line));
    // A file with a base may lack the table that the key belongs to; the settings in full have it.
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
