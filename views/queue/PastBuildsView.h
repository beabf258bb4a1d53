// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QComboBox;
class QLineEdit;
class QSpinBox;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace tmx {

class ElidedLabel;
class PastBuilds;

/// The builds of the repository that have ended, with what narrows them down, and how much room their logs take. Shows
/// and asks; does nothing itself.
class PastBuildsView : public QWidget
{
    Q_OBJECT
public:
    explicit PastBuildsView(QWidget *parent = nullptr);

    void setModel(PastBuilds *model);
    void setNotice(const QString &sentence); ///< why the history could not be read; empty: it could
    void setLogs(qint64 bytes, qint64 limit);
    [[nodiscard]] QTableView *table() const { return m_table; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override; ///< a line, as the queue's

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
    [[nodiscard]] QLayout *makeTools();
    void takeFilter();
    void showModel();
    void fill(QComboBox *choice, const QString &all, const QStringList &entries);
    void exportTable();
    void openCurrent();

    PastBuilds *m_model = nullptr;
    QTableView *m_table;
    QWidget *m_empty;
    QStackedWidget *m_body;
    QComboBox *m_branch;
    QComboBox *m_outcome;
    QLineEdit *m_text;
    QToolButton *m_export;
    QToolButton *m_report;
    QSpinBox *m_limit;
    ElidedLabel *m_summary;
    QString m_notice;
};

} // namespace tmx
