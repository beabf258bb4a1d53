// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/fleet/Fleet.h"

#include <QAbstractTableModel>

namespace tmx {

using BranchTips = QMap<QString, QString>; ///< commit by local branch

/// The branches of several repositories, a row each.
class OverviewModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum class Column {
        Repository,
        Branch,
        Versions,
        Pythons,
        Toolkits,
        Pins,
        Recipes,
        Missing,
        Errors,
        Warnings,
        Builds,
        LastBuild,
        Pushed
    };
    static constexpr int columns = 13;
    enum class Weight { Plain, Nothing, Warning, Error }; ///< of what a cell says
    Q_ENUM(Weight)
    enum Role {
        SortRole = Qt::UserRole, ///< a value of one type in each column, to sort by
        FilterRole,              ///< QString, as shown; of toolkits and nixpkgs revisions all, in full
        ShorterRole,             ///< QStringList: the same ever shorter, for a cell with less room; usually none
        WeightRole,              ///< Weight; of a title the most that a cell of Missing, Errors and Builds has
        SharesRole,              ///< in Builds: QList<int> of BuildState::Phase and number by turns, then Phase::None
                                 ///< with the recipes that were never built
    };

    explicit OverviewModel(QObject *parent = nullptr);

    /// The rows stay where they are if the branches are the same.
    /// `dates`: of the revisions of nixpkgs that are known. `seen`: by working tree, the commits at which the user last
    /// saw the branches; of a tree without them no branch is called new.
    void setFleet(const std::shared_ptr<const Fleet> &fleet, const QHash<QString, QDate> &dates = {},
                  const QHash<QString, BranchTips> &seen = {});
    [[nodiscard]] const FleetBranch *branchAt(int row) const; ///< nullptr if there is no such row
    [[nodiscard]] QString summary() const;                    ///< "9 branches, 1,381 recipes, 68 warnings"
    /// What to look at first, where there is any: what failed, what is missing, errors, the oldest pin.
    struct Headline {
        Column column; ///< whose cells stand out in the rows that it is about
        QString text;  ///< "1 build failed on main of sample"
    };
    [[nodiscard]] QList<Headline> headlines() const;
    [[nodiscard]] bool standsOut(int row, Column column) const; ///< it is a reason to look at the branch

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QStringList missingForms(int row) const;
    [[nodiscard]] QString placeOf(Column column) const;
    void rankPins(const QStringList &revisions);
    [[nodiscard]] QString ageOfPin(const QString &revision) const; ///< its date, or its PyTorch
    [[nodiscard]] QStringList shorterTexts(int row, Column column) const;
    [[nodiscard]] QString text(int row, Column column) const;
    [[nodiscard]] Weight weight(int row, Column column) const;
    [[nodiscard]] QVariant sortValue(int row, Column column) const;
    [[nodiscard]] QString toolTip(int row, Column column) const;

    std::shared_ptr<const Fleet> m_fleet = std::make_shared<const Fleet>();
    QList<QStringList> m_missing; ///< by row: what is missing, in ever shorter forms; empty: nothing
    QHash<QString, QDate> m_dates;
    QHash<QString, QString> m_torchOfPin; ///< PyTorch's version in a revision of nixpkgs, where recipes show one
    QHash<QString, int> m_rankOfPin;      ///< the oldest first
    QString m_oldestPin;                  ///< empty if that is not known
    QHash<QString, BranchTips> m_seen;
    QMap<Column, Weight> m_titles; ///< by column: the most that a cell has
};

} // namespace tmx
