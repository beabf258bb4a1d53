// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/catalog/WrittenSettings.h"

#include <QAbstractTableModel>
#include <QSet>

#include <memory>

namespace tmx {

/// The coverage of branch settings as a grid of check boxes: rows are the catalog's GPU architectures and cpu, columns
/// its instruction sets. It edits the blocks of one scope, that is, of the families, Pythons and builds that the scope
/// names (empty: all of them).
class CoverageModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    using Scope = ProfileSelector;
    enum Role {
        ReasonRole = Qt::UserRole + 1, ///< QString: why the variant cannot exist; empty if it can
        OthersRole,                    ///< QString: the other scopes that cover the cell: "PyTorch", "12.9; 13.0"
        AxisIdRole,                    ///< of a header: "sm90", "avx512"
    };
    explicit CoverageModel(std::shared_ptr<const Catalog> catalog, QObject *parent = nullptr);

    void setSettings(const WrittenSettings &settings);
    void setScope(const Scope &scope);
    [[nodiscard]] const Scope &scope() const { return m_scope; }
    /// The scopes in the settings' coverage; the one for everything comes first.
    [[nodiscard]] QList<Scope> scopes() const;
    /// "PyTorch, 12.9"; "all" for the scope of everything.
    [[nodiscard]] QString wordsOf(const Scope &scope) const;
    /// The coverage with the user's edits: rows with the same columns are one block.
    [[nodiscard]] QList<WrittenCoverage> coverage() const { return m_settings.coverage; }

    void toggleRow(int row); ///< turns on all possible cells of the row; if all are on, turns them off
    void toggleColumn(int column);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

Q_SIGNALS:
    void edited(); ///< by the user

private:
    using Cell = std::pair<int, int>; ///< row, column
    void readScope();
    void writeScope();
    void toggle(const QList<Cell> &cells);
    [[nodiscard]] QString reasonAgainst(int row, int column) const;

    std::shared_ptr<const Catalog> m_catalog;
    QList<GpuRow> m_rows; ///< without darwin-mps, which has no instruction set
    WrittenSettings m_settings;
    Scope m_scope;
    QSet<Cell> m_on;
    QHash<Cell, QString> m_reasons;
    QHash<Cell, QString> m_others;
};

} // namespace tmx
