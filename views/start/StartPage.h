// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QScrollArea>

class QListWidget;
class QListWidgetItem;
class QProgressBar;
class QPushButton;

namespace tmx {

class Banner;
class Label;

/// Shown while no repository is open: open one, reopen a recent one, create one, read the manual. Shows and emits
/// signals; changes nothing itself.
class StartPage : public QScrollArea
{
    Q_OBJECT
public:
    explicit StartPage(QWidget *parent = nullptr);

    void setRecent(const QStringList &workTrees);               ///< the most recent first
    void setNews(const QString &workTree, const QString &news); ///< what changed in that repository
    void setBusy(const QString &what);                          ///< "Making a sample"; empty: idle
    void setProblem(const QString &sentence);                   ///< why no repository is open; empty if nothing failed

Q_SIGNALS:
    void openRequested();
    void overviewRequested();
    void recentRequested(const QString &workTree);
    void newRequested();
    void sampleRequested();
    void manualRequested();

private:
    QPushButton *addAction(QLayout *column, const QString &text, const QString &explanation);
    void open(QListWidgetItem *item);

    Banner *m_problem;
    Label *m_recentTitle;
    QListWidget *m_recent;
    Label *m_state;
    QProgressBar *m_busy;
    QList<QPushButton *> m_actions;
};

} // namespace tmx
