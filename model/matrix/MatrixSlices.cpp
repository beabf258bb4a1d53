// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/MatrixSlices.h"

#include "model/base/Tr.h"

#include <algorithm>

namespace tmx {

namespace {

/// The elements of `present` in the order of `known`, then the rest, newest first.
QStringList ordered(const QStringList &known, QStringList present)
{
    QStringList result;
    for (const QString &one : known) {
        if (present.removeAll(one) > 0)
            result.append(one);
    }
    std::ranges::sort(present, [](const QString &a, const QString &b) {
        return compareVersions(a, b) > 0 || (compareVersions(a, b) == 0 && a > b);
    });
    present.removeDuplicates();
    return result + present;
}

/// A separate package (-magma) or a folder without a recipe claims a cell, but does not add its toolkit to those of the
/// settings.
bool opensSlice(const VariantEntry &entry)
{
    return entry.covered || (entry.present && !(entry.state == RecipeState::Broken && entry.text.isEmpty() &&
                                                entry.committed.isEmpty()));
}

} // namespace

QStringList filesOutsideSlices(const QList<MatrixSlice> &slices, const BranchSnapshot &snapshot)
{
    QStringList files;
    for (const VariantEntry &entry : snapshot.entries) {
        const auto holds = [&entry](const MatrixSlice &slice) { return slice.holds(entry.variant); };
        if (std::ranges::any_of(slices, holds))
            continue;
        if (entry.present)
            files.append(entry.file);
        files += entry.duplicates;
    }
    return files;
}

bool MatrixSlice::holds(const Variant &variant) const
{
    return takes(family, variant.family) && takes(python, variant.python) &&
           (variant.cuda.isEmpty() || takes(cuda, variant.cuda));
}

QList<MatrixSlice> slicesOf(const Catalog &catalog, const BranchSnapshot &snapshot)
{
    QMap<QString, QMap<QString, QStringList>> cudas; // toolkits by family and Python
    for (const VariantEntry &entry : snapshot.entries) {
        if (!opensSlice(entry))
            continue;
        QStringList &here = cudas[entry.variant.family][entry.variant.python];
        if (!entry.variant.cuda.isEmpty())
            here.append(entry.variant.cuda);
    }
    const QStringList toolkits = snapshot.settings.toolkits();
    QList<MatrixSlice> slices;
    for (const QString &family : ordered(catalog.familyIds(), cudas.keys())) {
        const QMap<QString, QStringList> pythons = cudas.value(family);
        for (const QString &python : ordered(snapshot.settings.pythons(), pythons.keys())) {
            const QStringList here = ordered(toolkits, pythons.value(python));
            if (here.isEmpty())
                slices.append({family, python, {}});
            for (const QString &cuda : here)
                slices.append({family, python, cuda});
        }
    }
    return slices;
}

QString titleIn(const MatrixSlice &overview, const MatrixSlice &one, const Catalog &catalog)
{
    QStringList titles;
    if (overview.family == MatrixSlice::every())
        titles.append(catalog.titleOf(one.family));
    if (overview.python == MatrixSlice::every())
        titles.append(pythonTitle(one.python));
    if (overview.cuda == MatrixSlice::every() && !one.cuda.isEmpty())
        titles.append(Tr::tr("CUDA %1").arg(one.cuda));
    return titles.join(QStringLiteral(", "));
}

QString labelIn(const MatrixSlice &overview, const MatrixSlice &one)
{
    QStringList labels;
    if (overview.family == MatrixSlice::every())
        labels.append(one.family);
    if (overview.python == MatrixSlice::every())
        labels.append(pythonVersion(one.python));
    if (overview.cuda == MatrixSlice::every() && !one.cuda.isEmpty())
        labels.append(one.cuda);
    return labels.join(u'/');
}

namespace {

bool isGap(const VariantEntry &entry)
{
    return entry.state == RecipeState::Missing || entry.hole;
}

} // namespace

int gapsIn(const BranchSnapshot &snapshot, const MatrixSlice &slice)
{
    return int(std::ranges::count_if(
        snapshot.entries, [&slice](const VariantEntry &entry) { return slice.holds(entry.variant) && isGap(entry); }));
}

QString gapsBesides(const Catalog &catalog, const BranchSnapshot &snapshot, const QList<MatrixSlice> &slices,
                    const MatrixSlice &shown)
{
    QStringList parts;
    for (const MatrixSlice &slice : slices) {
        const auto gaps = std::ranges::count_if(snapshot.entries, [&](const VariantEntry &entry) {
            return isGap(entry) && slice.holds(entry.variant) && !shown.holds(entry.variant) &&
                   entry.variant.cuda == slice.cuda;
        });
        const QString every = MatrixSlice::every();
        const auto unlike = [&](QString MatrixSlice::*part) { return slice.*part == shown.*part ? QString() : every; };
        const MatrixSlice named{unlike(&MatrixSlice::family), unlike(&MatrixSlice::python), every};
        if (gaps > 0)
            parts.append(Tr::tr("%1 in %2", "count, toolkit").arg(gaps).arg(titleIn(named, slice, catalog)));
    }
    return parts.isEmpty() ? QString() : Tr::tr("also missing: %1").arg(parts.join(QStringLiteral(" \u00B7 ")));
}

MatrixSlice nearestSlice(const QList<MatrixSlice> &slices, const MatrixSlice &wanted)
{
    const auto likeness = [&wanted](const MatrixSlice &slice) {
        // No user wants no toolkit, so an equal empty toolkit does not make a slice nearer.
        return 4 * (slice.family == wanted.family) + 2 * (slice.python == wanted.python) +
               (!slice.cuda.isEmpty() && slice.cuda == wanted.cuda);
    };
    const auto best = std::ranges::max_element(slices, {}, likeness);
    if (best == slices.end())
        return {};
    MatrixSlice nearest = *best;
    for (QString MatrixSlice::*const part : {&MatrixSlice::family, &MatrixSlice::python, &MatrixSlice::cuda}) {
        if (wanted.*part != MatrixSlice::every())
            continue;
        MatrixSlice all = nearest;
        all.*part = MatrixSlice::every();
        const QList<MatrixSlice> there = slicesIn(all, slices);
        if (std::ranges::any_of(there, [&](const MatrixSlice &one) { return one.*part != nearest.*part; }))
            nearest = all;
    }
    return nearest;
}

MatrixSlice widerSlice(const MatrixSlice &slice, const QList<MatrixSlice> &slices)
{
    for (QString MatrixSlice::*const part : {&MatrixSlice::cuda, &MatrixSlice::python, &MatrixSlice::family}) {
        MatrixSlice wide = slice;
        wide.*part = MatrixSlice::every();
        if (slicesIn(wide, slices).size() > 1)
            return wide;
    }
    return slice;
}

QList<MatrixSlice> slicesIn(const MatrixSlice &slice, const QList<MatrixSlice> &slices)
{
    if (!slice.isOverview())
        return {slice};
    QList<MatrixSlice> inside;
    std::ranges::copy_if(slices, std::back_inserter(inside), [&slice](const MatrixSlice &one) {
        return MatrixSlice::takes(slice.family, one.family) && MatrixSlice::takes(slice.python, one.python) &&
               MatrixSlice::takes(slice.cuda, one.cuda);
    });
    return inside;
}

QString pythonTitle(const QString &id)
{
    if (id.isEmpty())
        return Tr::tr("no Python");
    const QString version = pythonVersion(id);
    return version == id ? id : Tr::tr("Python %1").arg(version);
}

} // namespace tmx
