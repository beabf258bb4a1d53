// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/ShortNames.h"
#include "model/history/BuildHistory.h"

#include <QAbstractTableModel>

namespace tmx {

/// Filters builds of a repository; an empty field matches any.
struct PastBuildsFilter {
    QString branch;
    QString outcome; ///< wordOf(BuildOutcome::Kind); "failed" matches every kind except built and stopped
    QString text;    ///< part of the variant's name or of the reason; case-insensitive
    bool operator==(const PastBuildsFilter &) const = default;
};

/// Table of the finished builds of a repository, the newest first. A value's tooltip has all that is known about the
/// build.
class PastBuilds : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum class Column { Ended, Gpu, Cpu, Cuda, Python, Package, Outcome, Why, Time, Who, Branch, Memory, Size };
    enum Role {
        BuildPhaseRole = Qt::UserRole, ///< int, a BuildState::Phase that gives the outcome's colour and glyph
    };
    static constexpr int columns = 13;

    explicit PastBuilds(QObject *parent = nullptr);

    void setRecords(const QList<BuildRecord> &records); ///< the newest first
    void setFilter(const PastBuildsFilter &filter);
    [[nodiscard]] const PastBuildsFilter &filter() const { return m_filter; }
    [[nodiscard]] const BuildRecord *recordAt(int row) const;    ///< nullptr if there is no such row
    [[nodiscard]] int rowOf(const QString &job) const;           ///< -1: none
    [[nodiscard]] int newestFailure(const QDateTime &now) const; ///< row of one of lastDay(); -1: none
    [[nodiscard]] const ShortNames &names() const { return m_names; }
    [[nodiscard]] QList<BuildRecord> shown() const; ///< those that pass the filter
    [[nodiscard]] QStringList branches() const;     ///< branches of all records, sorted
    [[nodiscard]] QStringList outcomes() const;     ///< outcomes of all records, "failed" before its kinds
    [[nodiscard]] bool isEmpty() const { return m_records.isEmpty(); }
    [[nodiscard]] bool isUnknown(Column column) const; ///< no row has a text in it; Who: all are this account's
    [[nodiscard]] QList<BuildRecord> ofLastDay(const QDateTime &now) const; ///< on any branch, filtered or not
    /// What ended in the day before `now` on any branch, whose it is, and which builds failed and why. Empty: nothing.
    [[nodiscard]] QString lastDay(const QDateTime &now) const;
    /// "12 of 40 builds: 9 built, 3 failed; median 1:12:00".
    [[nodiscard]] QString summary() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void choose();

    QList<BuildRecord> m_records;
    QList<qsizetype> m_rows; ///< indices into m_records
    PastBuildsFilter m_filter;
    ShortNames m_names; ///< of the rows
};

} // namespace tmx
