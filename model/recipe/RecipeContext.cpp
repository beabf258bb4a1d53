// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/RecipeContext.h"

#include "model/recipe/NixText.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <optional>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(tmx::RecipeContext)
};

/// A value that goes into Nix code as it is, with the form that keeps it one value there.
struct CodeValue {
    QString what;
    QString value;
    QStringView form;
};

/// The catalog's and the line's files are checked when they are read; a line can also be inferred from what somebody else has written.
std::optional<Error> checkForms(const QString &name, const QList<CodeValue> &values)
{
    for (const CodeValue &value : values) {
        if (!QRegularExpression(QRegularExpression::anchoredPattern(value.form)).match(value.value).hasMatch())
            return Error{Text::tr("render"), name, Text::tr("\"%1\" cannot be its %2").arg(value.value.simplified(), value.what), {}};
    }
    return std::nullopt;
}

QVariantList flagRows(const Isa &isa)
{
    qsizetype width = 0;
    for (const QString &flag : isa.flags)
        width = std::max(width, inNixQuotes(flag).size());
    QVariantList rows;
    for (qsizetype i = 0; i < isa.flags.size(); ++i) {
        const QString text = inNixQuotes(isa.flags[i]);
        rows.append(QVariantHash{
            {u"text"_s, text},
            {u"padded"_s, u"\"%1\""_s.arg(text).leftJustified(width + 2)},
            {u"note"_s, inNixComment(isa.flagNotes.value(i))},
        });
    }
    return rows;
}

void insertIfKnown(QVariantHash &hash, const QString &key, const QString &value)
{
    if (!value.isEmpty())
        hash.insert(key, value);
}

QVariantHash pythonTable(const NixpkgsPin &pin, const QString &python)
{
    const QString attribute = python + "Packages"_L1;
    return {
        {u"version"_s, "3."_L1 + python.mid("python3"_L1.size())},
        {u"attribute"_s, attribute},
        // The pin has two names for its default Python, and an overlay on one leaves the other as it was: see that templates take torch
        // from the name that they changed.
        {u"overlay_attribute"_s, python == pin.python3 ? u"python3Packages"_s : attribute},
    };
}

QVariantHash gpuTable(const GpuRow &row)
{
    QVariantHash table{
        {u"id"_s, row.id},
        {u"generation"_s, inNixComment(row.generation)},
        {u"title"_s, inNixComment(row.title())},
        {u"lacks_cudnn"_s, row.isGpu() && !row.cudnn},
    };
    insertIfKnown(table, u"capability"_s, row.capability);
    return table;
}

QVariantHash cudaTable(const CudaProfile &cuda)
{
    return {
        {u"version"_s, cuda.version},
        {u"release"_s, cuda.release},
        {u"major"_s, cuda.version.section(u'.', 0, 0)},
        {u"attribute"_s, cuda.attribute},
        // CUDA 13.0 removed a field that MAGMA reads; nixpkgs that has 13.1 has a MAGMA without it.
        {u"lacks_clock_rate"_s, compareVersions(cuda.version, u"13.0"_s) == 0},
        {u"moved_cccl"_s, compareVersions(cuda.version, u"13.0"_s) >= 0},
    };
}

QVariantHash isaTable(const Isa &isa)
{
    return {
        {u"id"_s, isa.id},
        {u"title"_s, inNixComment(isa.title)},
        {u"platform"_s, isa.platform},
        {u"lacks_avx2"_s, isa.lacksAvx2},
        {u"flags"_s, flagRows(isa)},
    };
}

} // namespace

Result<QVariantHash> recipeContext(const Catalog &catalog, const Line &line, const Variant &variant)
{
    const QString name = variant.name();
    const auto failed = [&](const QString &why) { return Error{Text::tr("render"), name, why, {}}; };

    const Family *family = catalog.family(variant.family);
    if (!family)
        return failed(Text::tr("the catalog has no family \"%1\"").arg(variant.family));
    const VariantBase base = line.baseOf(variant);
    const QString version = base.version;
    if (version.isEmpty())
        return failed(Text::tr("the line %1 has no version of %2").arg(line.branch, family->title));
    const GpuRow *row = catalog.row(variant.row);
    if (!row)
        return failed(Text::tr("the catalog has no row \"%1\"").arg(variant.row));
    const Isa *isa = catalog.isa(variant.isa);
    if (!isa && !variant.isa.isEmpty())
        return failed(Text::tr("the catalog has no instruction set \"%1\"").arg(variant.isa));
    const CudaProfile *cuda = line.cuda(variant.cuda);
    if (row->isGpu() && variant.cuda.isEmpty())
        return failed(Text::tr("its name has no CUDA part"));
    if (row->isGpu() && !cuda)
        return failed(Text::tr("the line %1 has no CUDA %2").arg(line.branch, variant.cuda));

    QList<CodeValue> values{
        {Text::tr("Python"), variant.python, u"python3\\d{1,2}"},
        {Text::tr("version"), version, u"[0-9A-Za-z][0-9A-Za-z.+-]*"},
        {Text::tr("nixpkgs revision"), base.pin.revision, u"([0-9a-f]{40})?"},
        {Text::tr("nixpkgs hash"), base.pin.sha256, u"[A-Za-z0-9+/=:-]*"},
        {Text::tr("source hash"), base.torchHash, u"[A-Za-z0-9+/=:-]*"},
        {Text::tr("pname"), base.pname, u"[A-Za-z0-9_.+-]*"},
    };
    if (cuda) {
        values.append({Text::tr("CUDA version"), cuda->version, u"\\d+\\.\\d+"});
        values.append({Text::tr("CUDA release"), cuda->release, u"\\d+(\\.\\d+)*"});
        values.append({Text::tr("CUDA package set"), cuda->attribute, u"[A-Za-z_][A-Za-z0-9_'-]*"});
    }
    if (const auto error = checkForms(name, values))
        return *error;

    QVariantHash context{
        {u"name"_s, name},
        {u"pname"_s, base.pname},
        {u"version"_s, version},
        {u"family"_s, QVariantHash{{u"id"_s, family->id}, {u"title"_s, inNixComment(family->title)}}},
        {u"python"_s, pythonTable(base.pin, variant.python)},
        {u"nixpkgs"_s, QVariantHash{{u"rev"_s, base.pin.revision}, {u"sha256"_s, base.pin.sha256}}},
        {u"gpu"_s, gpuTable(*row)},
    };
    QVariantHash quoted{{u"family"_s, inNixQuotes(family->title)}, {u"gpu"_s, inNixQuotes(row->title())}};
    QVariantHash indented{
        {u"family"_s, inNixIndented(family->title)},
        {u"generation"_s, inNixIndented(row->generation)},
        {u"products"_s, inNixIndented(row->products.isEmpty() ? row->generation : row->products.join(", "_L1))},
    };
    insertIfKnown(context, u"driver"_s, catalog.driverFloor(variant));
    if (!base.torchHash.isEmpty())
        context.insert(u"torch"_s, QVariantHash{{u"hash"_s, base.torchHash}});
    if (isa) {
        context.insert(u"isa"_s, isaTable(*isa));
        quoted.insert(u"isa"_s, inNixQuotes(isa->title));
        indented.insert(u"isa"_s, inNixIndented(isa->title));
        indented.insert(u"cpu_hardware"_s, inNixIndented(isa->hardware));
    }
    if (cuda && row->isGpu())
        context.insert(u"cuda"_s, cudaTable(*cuda));
    context.insert(u"quoted"_s, quoted);
    context.insert(u"indented"_s, indented);
    return context;
}

} // namespace tmx
