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

private:
    QPushButton *addAction(const QString &text, const QString &explanation);

    QWidget *m_column;
    Banner *m_problem;
    QBoxLayout *m_choices;
    Label *m_state;
    QProgressBar *m_busy;
    QWidget *m_overview = nullptr;
    QList<QPushButton *> m_actions;
    QList<QWidget *> m_explanations;
};

} // namespace tmx
