// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/MatrixText.h"

#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/matrix/StateWords.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QString cellText(const QModelIndex &index)
{
    QString text = index.data().toString();
    if (const QString build = index.data(BuildWordRole).toString(); !build.isEmpty())
        text += u" [%1]"_s.arg(build);
    return index.data(DimmedRole).toBool() ? u"(%1)"_s.arg(text) : text;
}

/// The counts of several grids. `variants`: those that one of them has.
QString summaryOf(const QList<const VariantEntry *> &variants, int grids)
{
    std::map<Sign, int> counts;
    for (const VariantEntry *entry : variants)
        ++counts[recipeSign(*entry)];
    const QString text = Tr::tr("%1 in %2: %3", "variants, grids, states")
                             .arg(Tr::tr("%n variants", nullptr, int(variants.size())),
                                  Tr::tr("%n grids", nullptr, grids), countsText(counts));
    const ProblemCounts problems = problemsOf(variants);
    return problems.all() > 0 ? Tr::tr("%1; %2", "states, problems").arg(text, problemText(problems)) : text;
}

} // namespace

QString gridAsText(const QAbstractItemModel &model)
{
    const int rows = model.rowCount();
    const int columns = model.columnCount();
    if (rows == 0 || columns == 0)
        return {};
    QList<QStringList> lines;
    QStringList head{QString()};
    for (int column = 0; column < columns; ++column) {
        const QString id = model.headerData(column, Qt::Horizontal, AxisIdRole).toString();
        head.append(id.isEmpty() ? model.headerData(column, Qt::Horizontal).toString() : id);
    }
    lines.append(head);
    for (int row = 0; row < rows; ++row) {
        QStringList line{model.headerData(row, Qt::Vertical).toString()};
        if (const QModelIndex first = model.index(row, 0); first.data(SpansRowRole).toBool()) {
            line.append(Tr::tr("%1 (no instruction set)").arg(cellText(first)));
        } else {
            for (int column = 0; column < columns; ++column)
                line.append(cellText(model.index(row, column)));
        }
        lines.append(line);
    }
    return alignedText(lines);
}

QString gridAsText(const std::shared_ptr<const Catalog> &catalog, const std::shared_ptr<const BranchSnapshot> &snapshot,
                   const MatrixSlice &slice)
{
    MatrixModel model(catalog);
    model.setSnapshot(snapshot);
    model.setSlice(slice);
    return gridAsText(model);
}

QString branchAsText(const std::shared_ptr<const Catalog> &catalog,
                     const std::shared_ptr<const BranchSnapshot> &snapshot, const VariantFilter &filter)
{
    MatrixModel model(catalog);
    model.setSnapshot(snapshot);
    QList<MatrixSlice> slices = model.slices();
    slices.removeIf([&](const MatrixSlice &slice) {
        return !filter.accepts({slice.family, slice.python, slice.cuda, {}, {}}, snapshot->settings);
    });
    QStringList parts;
    QMap<QString, const VariantEntry *> drawn; // once, though the grid of each toolkit has those without one
    for (const MatrixSlice &slice : std::as_const(slices)) {
        model.setSlice(slice);
        for (const auto &[name, entry] : snapshot->entries.asKeyValueRange()) {
            if (model.shows(entry.variant))
                drawn.insert(name, &entry);
        }
        QStringList heading{slice.family, slice.python, slice.cuda.isEmpty() ? QString() : "CUDA "_L1 + slice.cuda};
        heading.removeAll(QString());
        const QString head = model.slices().size() > 1 ? heading.join(u' ') + u'\n' : QString();
        // The last line is of the whole branch.
        const QString counts = model.slices().size() > 1 ? countsText(model.counts()) + u'\n' : QString();
        parts.append(head + gridAsText(model) + counts);
    }
    parts.append((model.slices().size() > 1 ? summaryOf(drawn.values(), int(slices.size())) : model.summary()) + u'\n');
    return parts.join(u'\n');
}

} // namespace tmx
