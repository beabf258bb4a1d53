// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/queue/BuildsPage.h"

class QComboBox;
class QLineEdit;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace tmx {

class BuildChart;
class PastBuilds;
class SizeBox;

/// The builds of the repository that have ended, as a table or as charts, with what narrows them down, and how much
/// room their logs take. Shows and asks; does nothing itself.
class PastBuildsView : public BuildsPage
{
    Q_OBJECT
public:
    explicit PastBuildsView(QWidget *parent = nullptr);

    void setModel(PastBuilds *model);
    void setNotice(const QString &sentence); ///< why the history could not be read; empty: it could
    void setLogs(qint64 bytes, qint64 limit);
    [[nodiscard]] QTableView *table() const { return m_table; }

Q_SIGNALS:
    void opened(const QString &job);     ///< its log is wanted
    void chosen(const QString &variant); ///< the current one, for the grid
    void exportRequested(const QString &path);
    void reportRequested();
    void logLimitRequested(qint64 bytes);
    void appeared(); ///< it can be seen now

protected:
    void showEvent(QShowEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void makeTools();
    void takeFilter();
    void showModel();
    void showForm();
    void exportTable();
    void openCurrent();

    PastBuilds *m_model = nullptr;
    QTableView *m_table;
    BuildChart *m_times;
    BuildChart *m_queue;
    QStackedWidget *m_forms; ///< the three above
    QComboBox *m_form;
    QComboBox *m_branch;
    QComboBox *m_outcome;
    QLineEdit *m_text;
    QToolButton *m_export;
    QToolButton *m_report;
    SizeBox *m_limit;
    QString m_notice;
};

} // namespace tmx
