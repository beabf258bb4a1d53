// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QLineEdit;
class QPushButton;
class QTableView;

namespace tmx {

class ChosenRows;
class Label;
class NoticeBar;
class OverviewModel;

/// The branches of all repositories, sorted and filtered; above them what to look at first, a button each that shows
/// only these rows. Shows and emits signals; changes nothing itself.
class OverviewPanel : public QWidget
{
    Q_OBJECT
public:
    explicit OverviewPanel(OverviewModel *model, QWidget *parent = nullptr);

    void setReading(const QString &progress); ///< what is read; until setState()
    void setState(const QString &text);       ///< how much there is
    [[nodiscard]] bool isReading() const { return m_reading; }
    /// What could not be read; empty: nothing. The repositories `unreadable` can be removed from the list.
    void setProblem(const QString &sentence, const QStringList &unreadable = {});
    [[nodiscard]] QTableView *table() const { return m_table; }
    [[nodiscard]] QLineEdit *filter() const { return m_filter; }

Q_SIGNALS:
    void opened(const QString &repository, const QString &branch); ///< requests to show the branch
    void addRequested();                                           ///< of repositories
    void removeRequested(const QStringList &repositories);         ///< from the list

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void openCurrent();
    void showHeadlines();
    void fitColumns();
    [[nodiscard]] bool allWhole(int height) const;
    [[nodiscard]] bool isWhole(int row, int height) const;
    void shareWidth();
    void showMenu(const QPoint &place);
    [[nodiscard]] int currentRow() const; ///< of the model; -1: none

    OverviewModel *m_model;
    ChosenRows *m_sorted;
    QLineEdit *m_filter;
    QPushButton *m_add;
    NoticeBar *m_problem;
    QWidget *m_headlines;
    QStringList m_unreadable;
    QTableView *m_table;
    Label *m_empty;
    Label *m_state;
    QList<int> m_widths; ///< of the columns, if nothing is elided
    bool m_reading = false;
};

} // namespace tmx
