// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/matrix/MatrixPart.h"
#include "model/matrix/MatrixRoles.h"
#include "model/matrix/MatrixSearch.h"
#include "model/matrix/StateWords.h"

#include <QAbstractTableModel>
#include <QHash>

#include <bit>
#include <memory>
#include <span>
#include <vector>

namespace tmx {

/// The slice of the matrix that the grid shows. Each of the three parts may be every(), which gives an overview of all
/// that the branch has.
struct MatrixSlice {
    static QString every() { return QStringLiteral("*"); }
    /// Whether the selection `chosen` of a family, Python or toolkit includes `part`.
    static bool takes(const QString &chosen, const QString &part) { return chosen == every() || chosen == part; }

    QString family;
    QString python;
    QString cuda; ///< the toolkit of GPU rows; variants without CUDA belong to every slice of their family and Python
    [[nodiscard]] bool holds(const Variant &variant) const;
    [[nodiscard]] bool isOverview() const { return family == every() || python == every() || cuda == every(); }
    bool operator==(const MatrixSlice &) const = default;
};

/// The grid of one branch: rows are GPU architectures (plus cpu and darwin-mps), columns are ISAs. Has a snapshot and
/// never queries git, the disk or a process. New data is merged: rows and columns are inserted and removed
/// individually, and one dataChanged spans the changed cells, so that selection and scroll position survive a refresh,
/// another slice and another branch. Shows the rows and columns that the slice covers or has files in; with
/// setShowAll() all of the catalog's. A row without instruction sets (darwin-mps) has one variant, which all its
/// columns show (SpansRowRole). In an overview a cell has a part for each variant (PartsRole), in the order of
/// slices().
class MatrixModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    explicit MatrixModel(std::shared_ptr<const Catalog> catalog, QObject *parent = nullptr);

    void setSnapshot(std::shared_ptr<const BranchSnapshot> snapshot);
    [[nodiscard]] const std::shared_ptr<const BranchSnapshot> &snapshot() const { return m_snapshot; }
    [[nodiscard]] const std::shared_ptr<const Catalog> &catalog() const { return m_catalog; }

    /// Slices with any variant, for the selectors: families, Pythons and toolkits of settings and files. Contains no
    /// overviews.
    [[nodiscard]] QList<MatrixSlice> slices() const { return m_slices; }
    void setSlice(const MatrixSlice &slice);
    [[nodiscard]] const MatrixSlice &slice() const { return m_slice; }
    /// The slice, or those of the overview.
    [[nodiscard]] const QList<MatrixSlice> &shown() const { return m_shown; }
    /// Whether the variant belongs to the shown slice.
    [[nodiscard]] bool shows(const Variant &variant) const;

    /// An overview has columns of each of its slices (GroupRole) instead of a part in each cell. A variant without CUDA
    /// is in the first slice that holds it; in the others its cell is empty (ElsewhereRole).
    void setSideBySide(bool sideBySide);
    [[nodiscard]] bool isSideBySide() const { return m_sideBySide; }

    void setShowAll(bool showAll);
    [[nodiscard]] bool showsAll() const { return m_showAll; }

    /// States by variant, for the shown branch (CPU variants have the same name on all branches): a snapshot of another
    /// branch or repository starts without any. Variants that are not in `states` keep theirs. Emits one change of data
    /// and one of the summary for any number of differences.
    void setBuildStates(const QHash<QString, BuildState> &states);
    [[nodiscard]] BuildState buildState(const QString &name) const;

    /// What the cells show first. A failed build is shown in every lens.
    void setLens(Lens lens);
    [[nodiscard]] Lens lens() const { return m_lens; }

    /// A machine's verdicts on the cells, for its lens; default-constructed: none. Cells without a verdict have no fit.
    void setVerdicts(const FitVerdicts &verdicts);
    [[nodiscard]] const FitVerdicts &verdicts() const { return m_verdicts; }
    /// The variants of all cells that have one, to be judged.
    [[nodiscard]] QList<Variant> variants() const;

    /// Number of the snapshot's entries in this slice, by each of their signs.
    [[nodiscard]] std::map<Sign, int> counts() const;
    /// What a search leaves, cell by cell.
    [[nodiscard]] MatrixMatches matching(const MatrixSearch &search) const;
    /// One line for people: counts of the slice, of the branch where that is more, of problems and of builds.
    [[nodiscard]] QString summary() const;
    /// The same, and ever shorter: what the chips above the grid have, too, is left out first.
    [[nodiscard]] QStringList summaryForms() const;

    /// The variant of a cell, even without a recipe; and the reverse (invalid index if the name is not in this slice).
    [[nodiscard]] Variant variantAt(const QModelIndex &index) const;
    [[nodiscard]] QModelIndex indexOf(const QString &name) const;
    /// Its entry in the snapshot; for a cell without one, a new entry (NotCovered, or Unsupported with the reason). In
    /// a cell with several parts: the entry of the first that can exist.
    [[nodiscard]] VariantEntry entryAt(const QModelIndex &index) const;
    /// The same for any part; default-constructed if the name is not in this slice.
    [[nodiscard]] VariantEntry entryOf(const QString &name) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

Q_SIGNALS:
    void lensChanged();
    void sliceChanged(); ///< also emitted if a new snapshot offers other slices
    void summaryChanged();

private:
    struct Axes {
        QStringList rows; ///< row ids
        /// Variant::column()s; one empty id if no row has any. Side by side each belongs to a slice (columnId).
        QStringList columns;
    };
    [[nodiscard]] static QString columnId(qsizetype slice, const QString &isa);
    [[nodiscard]] static QString isaOf(const QString &columnId);
    [[nodiscard]] int groupOf(int column) const; ///< index in m_shown; -1: of all
    [[nodiscard]] bool beginsGroup(int column) const;
    /// The first of the slices that has the same variant.
    [[nodiscard]] qsizetype firstHolder(qsizetype slice, const QString &row, const QList<MatrixSlice> &shown) const;

    /// What is kept of a variant, in the size of a pointer. One without an entry is made when it is asked for: most of
    /// a large grid has none.
    class Part
    {
    public:
        Part() = default; ///< no part: fills the place of one that a cell does not have
        explicit Part(const VariantEntry *entry)
            : m_value(std::bit_cast<quintptr>(entry))
        {
        }
        Part(quint16 slice, RecipeState state)
            : m_value(quintptr(slice) << 16 | quintptr(state) << 1 | 1)
        {
        }
        /// In the snapshot; null if it has none.
        [[nodiscard]] const VariantEntry *entry() const
        {
            return m_value & 1 ? nullptr : std::bit_cast<const VariantEntry *>(m_value);
        }
        /// Index in m_shown of a part without an entry.
        [[nodiscard]] quint16 slice() const
        {
            Q_ASSERT(!entry());
            return quint16(m_value >> 16);
        }
        [[nodiscard]] RecipeState state() const
        {
            return m_value & 1 ? RecipeState(m_value >> 1 & 0x7f) : entry()->state;
        }
        [[nodiscard]] bool possible() const
        {
            return state() != RecipeState::Unsupported || (entry() && entry()->present);
        }
        bool operator==(const Part &) const = default;

    private:
        quintptr m_value = 0; // an entry's address, which is even
    };
    using Parts = std::span<const Part>; ///< of a cell; at least one
    /// The first part that can exist, or the first.
    [[nodiscard]] static int leadOf(Parts parts);
    /// What the cells were made from.
    struct Origin {
        std::shared_ptr<const BranchSnapshot> snapshot;
        QList<MatrixSlice> shown;
    };
    enum class Whole { Yes, WithoutReason };
    [[nodiscard]] Axes wantedAxes() const;
    [[nodiscard]] bool spansRow(int row) const;
    using Cell = QList<VariantEntry>; ///< its parts; at least one
    [[nodiscard]] Variant variantIn(const MatrixSlice &slice, const QString &row, const QString &column) const;
    void appendCell(std::vector<Part> &parts, const QString &row, const QString &column) const;
    [[nodiscard]] VariantEntry makePart(const Part &part, const QString &row, const QString &column,
                                        const Origin &origin, Whole whole) const;
    [[nodiscard]] QString bestShown() const;
    [[nodiscard]] bool isElsewhere(int row, int column) const;
    [[nodiscard]] VariantEntry partAt(int row, int column, int part, Whole whole = Whole::WithoutReason) const;
    [[nodiscard]] Cell cellAt(int row, int column, Whole whole = Whole::WithoutReason) const;
    [[nodiscard]] static Parts partsIn(const std::vector<Part> &row, size_t column, size_t width);
    [[nodiscard]] Parts partsAt(int row, int column) const;
    [[nodiscard]] BuildState buildOf(const VariantEntry &part) const;
    [[nodiscard]] LensSubject subjectOf(const VariantEntry &part) const;
    [[nodiscard]] MatrixPart partOf(const VariantEntry &part) const;
    bool findUsual(); ///< true: another one
    void tellAll(const QList<int> &roles);
    [[nodiscard]] QString cellWord(const Cell &cell) const;
    [[nodiscard]] QString toolTip(const Cell &cell) const;
    [[nodiscard]] QString accessibleState(const VariantEntry &part) const;
    [[nodiscard]] QVariant rowHeader(const QString &id, int role) const;
    [[nodiscard]] QVariant columnHeader(const QString &id, int role) const;
    [[nodiscard]] const FitVerdict *verdictOf(const VariantEntry &cell) const;
    [[nodiscard]] QString searchText(const VariantEntry &cell) const;
    [[nodiscard]] static QString marksOf(const VariantEntry &cell);
    [[nodiscard]] static QStringList problemLines(const VariantEntry &cell);
    bool offerSlices(); ///< true: others, or another one is chosen
    [[nodiscard]] Origin origin() const { return {m_snapshot, m_shown}; }
    void update(const Origin &before);
    void nameGroups();
    void changeRows(const QStringList &wanted);
    void changeColumns(const QStringList &wanted);
    [[nodiscard]] Axes changeCells(const Origin &before);

    std::shared_ptr<const Catalog> m_catalog;
    std::shared_ptr<const BranchSnapshot> m_snapshot;
    QList<MatrixSlice> m_slices;
    MatrixSlice m_slice;
    QList<MatrixSlice> m_shown; ///< m_slice, or the slices of the overview
    bool m_wantsSideBySide = false;
    bool m_sideBySide = false; ///< wanted, and several slices are shown
    QStringList m_groups;      ///< titles of the slices that stand side by side
    bool m_showAll = false;
    Axes m_axes;
    std::vector<std::vector<Part>> m_cells; ///< by row; each of its cells has m_width places for its parts
    size_t m_width = 1;                     ///< number of slices shown; at least one
    QHash<QString, BuildState> m_builds;
    FitVerdicts m_verdicts;
    Lens m_lens = Lens::Recipe;
    UsualFace m_usual; ///< of the shown recipes in the lens
};

} // namespace tmx
