// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/widgets/ScrollPage.h"

class QBoxLayout;
class QProgressBar;
class QPushButton;

namespace tmx {

class Banner;
class Label;

/// Shown while no repository is open: open one, create one, read the manual; below, the overview of those that are
/// known. Shows and emits signals; changes nothing itself.
class StartPage : public ScrollPage
{
    Q_OBJECT
public:
    explicit StartPage(QWidget *parent = nullptr);

    void addOverview(QWidget *overview);      ///< once
    void showOverview(bool shown);            ///< it takes the room; the actions are one line then
    void setBusy(const QString &what);        ///< "Making a sample"; empty: idle
    void setProblem(const QString &sentence); ///< why no repository is open; empty if nothing failed

Q_SIGNALS:
    void openRequested();
    void newRequested();
    void sampleRequested();
    void manualRequested();

protected:
    void showEvent(QShowEvent *event) override;

private:
    void fill(); ///< once, when it is needed: a window that opens a repository never shows it
    QPushButton *addAction(const QString &text, const QString &explanation);

    QWidget *m_column = nullptr;
    Banner *m_problem = nullptr;
    QBoxLayout *m_choices = nullptr;
    Label *m_state = nullptr;
    QProgressBar *m_busy = nullptr;
    QString m_what; ///< what goes on
    QWidget *m_overview = nullptr;
    QList<QPushButton *> m_actions;
    QList<QWidget *> m_explanations;
};

} // namespace tmx
