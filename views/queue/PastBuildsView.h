// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/queue/BuildsPage.h"

class QComboBox;
class QLineEdit;
class QTableView;
class QToolButton;

namespace tmx {

struct BuildRecord;
class BuildChart;
class Label;
class PastBuilds;

/// The finished builds of the repository, as a table or as charts, with filters, and the disk space of their logs.
/// Shows and emits signals; changes nothing itself.
class PastBuildsView : public BuildsPage
{
    Q_OBJECT
public:
    explicit PastBuildsView(QWidget *parent = nullptr);

    void setModel(PastBuilds *model);
    void setNotice(const QString &sentence); ///< why the history could not be read; empty if it could
    void setLogs(qint64 bytes, qint64 limit);
    [[nodiscard]] bool hasBuilds() const; ///< before filtering
    [[nodiscard]] bool hasNotice() const;
    [[nodiscard]] QString lastDay() const; ///< PastBuilds::lastDay()
    [[nodiscard]] QList<BuildRecord> ofLastDay() const;
    void selectWorthALook(); ///< the newest failure of the last day, else the newest, where no build is current
    [[nodiscard]] QString currentJob() const;
    void showBuild(const QString &job); ///< makes it current, once it is listed; no filter hides it
    [[nodiscard]] QTableView *table() const { return m_table; }

Q_SIGNALS:
    void opened();                                ///< requests to read the log of the shown build
    void shown(const tmx::BuildRecord &build);    ///< requests to show its log, or what is known of it
    void proposed(const tmx::BuildRecord &build); ///< the same, of one that the user did not choose
    void chosen(const QString &variant);          ///< the current build's variant, for the grid
    void exportRequested(const QString &path);
    void reportRequested();
    void listed();   ///< the builds were read
    void appeared(); ///< it became visible

protected:
    void showEvent(QShowEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void makeTools();
    void takeFilter();
    void showModel();
    void showForm();
    [[nodiscard]] int roomBelowTable() const;
    void exportTable();
    void openCurrent();
    void showWanted();

    PastBuilds *m_model = nullptr;
    QTableView *m_table;
    BuildChart *m_times;
    BuildChart *m_queue;
    QWidget *m_forms;   ///< the table and the charts
    Label *m_timesHead; ///< of the chart below the table
    QComboBox *m_form;
    QComboBox *m_branch;
    QComboBox *m_outcome;
    QLineEdit *m_text;
    QToolButton *m_export;
    QToolButton *m_report;
    QString m_wanted; ///< job of the build that showBuild() makes current
    QString m_logs;   ///< their size
    QString m_notice;
};

} // namespace tmx
