// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/log/DerivationTree.h"

#include <QAbstractTableModel>
#include <QTableView>
#include <QTimer>

namespace tmx {

class LogTree;

/// What a build builds and fetches: building derivations first, then failed, waiting, fetching and done ones.
class DerivationModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum class Column { Name, State, Time };
    static constexpr int columns = 3;

    using QAbstractTableModel::QAbstractTableModel;

    /// Rows stay if their order does not change. Shows the first 500.
    void setTree(const DerivationTree &tree);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QList<DerivationNode> m_nodes;
};

/// The derivations of a log, next to it; hidden while there is only one.
class DerivationList : public QTableView
{
    Q_OBJECT
public:
    explicit DerivationList(const LogTree *tree, QWidget *parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override; ///< wide enough to distinguish names

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void refresh();
    void shareWidth();
    [[nodiscard]] int roomForNames() const;

    const LogTree *m_tree;
    DerivationModel m_model;
    QTimer m_refresh;
};

} // namespace tmx
