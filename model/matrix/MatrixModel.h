// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/BuildState.h"
#include "model/hardware/Fit.h"
#include "model/matrix/MatrixPart.h"
#include "model/matrix/MatrixRoles.h"
#include "model/matrix/MatrixSearch.h"
#include "model/matrix/StateWords.h"
#include "model/snapshot/BranchSnapshot.h"

#include <QAbstractTableModel>
#include <QHash>

#include <memory>
#include <vector>

namespace tmx {

/// Which slice of the matrix the grid shows. Each of the three may be every(): an overview of all that the branch has.
struct MatrixSlice {
    static QString every() { return QStringLiteral("*"); }
    /// Whether a chosen family, Python or toolkit is `part`, or every one.
    static bool takes(const QString &chosen, const QString &part) { return chosen == every() || chosen == part; }

    QString family;
    QString python;
    QString
        cuda; ///< the toolkit of the GPU rows; variants without CUDA belong to every slice of their family and Python
    [[nodiscard]] bool holds(const Variant &variant) const;
    [[nodiscard]] bool isOverview() const { return family == every() || python == every() || cuda == every(); }
    bool operator==(const MatrixSlice &) const = default;
};

/// The grid of one branch: rows are GPU architectures (plus cpu and darwin-mps), columns are ISAs. Holds a snapshot and
/// never asks git, the disk or a process. What is new is merged: rows and columns come and go one by one, and one
/// dataChanged spans the cells that changed, so that selection and scroll survive a refresh, another slice and another
/// branch alike. Shown are the rows and columns that the slice promises or has files in; with setShowAll() all of the
/// catalog's. A row without instruction sets (darwin-mps) has one variant, and every column of it answers for that one
/// (SpansRowRole). In an overview a cell has a part for each variant (PartsRole), in the order of slices().
class MatrixModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    explicit MatrixModel(std::shared_ptr<const Catalog> catalog, QObject *parent = nullptr);

    void setSnapshot(std::shared_ptr<const BranchSnapshot> snapshot);
    [[nodiscard]] const std::shared_ptr<const BranchSnapshot> &snapshot() const { return m_snapshot; }
    [[nodiscard]] const std::shared_ptr<const Catalog> &catalog() const { return m_catalog; }

    /// Slices that hold anything: what the selectors offer, families, Pythons and toolkits of line and files. None of
    /// them is an overview.
    [[nodiscard]] QList<MatrixSlice> slices() const { return m_slices; }
    void setSlice(const MatrixSlice &slice);
    [[nodiscard]] const MatrixSlice &slice() const { return m_slice; }
    /// Whether the variant has its place in what is shown.
    [[nodiscard]] bool shows(const Variant &variant) const;

    void setShowAll(bool showAll);
    [[nodiscard]] bool showsAll() const { return m_showAll; }

    /// By variant, of the branch that is shown (CPU variants bear the same name on all): a snapshot of another branch
    /// or repository begins with none. Those of variants that are not among them stay as they are. One change of data
    /// and one of the summary, however many differ.
    void setBuildStates(const QHash<QString, BuildState> &states);
    [[nodiscard]] BuildState buildState(const QString &name) const;

    /// What a machine makes of the cells; default-constructed: they are not coloured by one. Cells that are not among
    /// them have no fit.
    void setVerdicts(const FitVerdicts &verdicts);
    [[nodiscard]] const FitVerdicts &verdicts() const { return m_verdicts; }
    /// Of all cells that a variant can be named for: what is to be judged.
    [[nodiscard]] QList<Variant> variants() const;

    /// Entries of the snapshot in this slice, per state.
    [[nodiscard]] QMap<RecipeState, int> counts() const;
    [[nodiscard]] int holes() const; ///< of those not covered: what may be missing
    /// Cells of the slice with problems (errors or warnings of the audit), and how many those are in all.
    [[nodiscard]] ProblemCounts problems(int *cells = nullptr) const;
    /// What a search leaves, cell by cell.
    [[nodiscard]] MatrixMatches matching(const MatrixSearch &search) const;
    /// One line for people: counts of the slice, of the branch where that is more, of problems and of builds.
    [[nodiscard]] QString summary() const;

    /// The variant of a cell, even where no recipe is; and the way back (invalid index when the name is not in this
    /// slice).
    [[nodiscard]] Variant variantAt(const QModelIndex &index) const;
    [[nodiscard]] QModelIndex indexOf(const QString &name) const;
    /// Its entry in the snapshot, or one made up for a cell that has none (NotCovered or Unsupported with the reason).
    /// Of a cell with several parts: of the first that can exist.
    [[nodiscard]] VariantEntry entryAt(const QModelIndex &index) const;
    /// The same of any part; default-constructed when the name is not in this slice.
    [[nodiscard]] VariantEntry entryOf(const QString &name) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

Q_SIGNALS:
    void sliceChanged(); ///< also when a new snapshot offers other slices
    void summaryChanged();

private:
    struct Axes {
        QStringList rows; ///< row ids
        QStringList isas; ///< ISA ids; one empty id where all rows are without
    };
    /// What is kept of a variant. One without an entry is made when it is asked for: most of a large grid has none.
    struct Part {
        const VariantEntry *entry = nullptr; ///< in the snapshot
        quint16 slice = 0;                   ///< in m_shown
        RecipeState state = RecipeState::Unsupported;
    };
    struct StoredCell {
        Part first;
        std::unique_ptr<std::vector<Part>> others; ///< in an overview
        [[nodiscard]] int size() const { return others ? 1 + int(others->size()) : 1; }
        [[nodiscard]] const Part &at(int part) const { return part == 0 ? first : (*others)[size_t(part) - 1]; }
        [[nodiscard]] int lead() const; ///< the first part that can exist
    };
    /// What the cells were made from.
    struct Origin {
        std::shared_ptr<const BranchSnapshot> snapshot;
        QList<MatrixSlice> shown;
    };
    enum class Whole { Yes, WithoutReason };
    [[nodiscard]] Axes wantedAxes() const;
    [[nodiscard]] bool spansRow(int row) const;
    using Cell = QList<VariantEntry>; ///< its parts; at least one
    [[nodiscard]] StoredCell makeCell(const QString &row, const QString &isa) const;
    [[nodiscard]] VariantEntry makePart(const Part &part, const QString &row, const QString &isa, const Origin &origin,
                                        Whole whole) const;
    [[nodiscard]] VariantEntry partAt(int row, int column, int part, Whole whole = Whole::WithoutReason) const;
    [[nodiscard]] Cell cellAt(int row, int column, Whole whole = Whole::WithoutReason) const;
    [[nodiscard]] const StoredCell &storedAt(const QModelIndex &index) const;
    [[nodiscard]] BuildState buildOf(const VariantEntry &part) const;
    [[nodiscard]] MatrixPart partOf(const VariantEntry &part) const;
    [[nodiscard]] QString cellWord(const Cell &cell) const;
    [[nodiscard]] QString toolTip(const Cell &cell) const;
    [[nodiscard]] QString accessibleState(const VariantEntry &part) const;
    [[nodiscard]] QVariant rowHeader(const QString &id, int role) const;
    [[nodiscard]] QVariant columnHeader(const QString &id, int role) const;
    [[nodiscard]] const FitVerdict *verdictOf(const VariantEntry &cell) const;
    [[nodiscard]] QString searchText(const VariantEntry &cell) const;
    [[nodiscard]] static QString ruleIds(const VariantEntry &cell);
    [[nodiscard]] static QStringList problemLines(const VariantEntry &cell);
    bool offerSlices(); ///< true: others, or another one is chosen
    [[nodiscard]] Origin origin() const { return {m_snapshot, m_shown}; }
    void update(const Origin &before);
    void changeRows(const QStringList &wanted);
    void changeColumns(const QStringList &wanted);
    [[nodiscard]] Axes changeCells(const Origin &before);

    std::shared_ptr<const Catalog> m_catalog;
    std::shared_ptr<const BranchSnapshot> m_snapshot;
    QList<MatrixSlice> m_slices;
    MatrixSlice m_slice;
    QList<MatrixSlice> m_shown; ///< m_slice, or those of m_slices that it stands for
    bool m_showAll = false;
    Axes m_axes;
    std::vector<std::vector<StoredCell>> m_cells; ///< by row, then column
    QHash<QString, BuildState> m_builds;
    FitVerdicts m_verdicts;
};

} // namespace tmx
