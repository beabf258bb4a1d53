// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Settings.h"
#include "model/repository/GitValues.h"

#include <QWidget>

class QComboBox;
class QProgressBar;
class QToolButton;

namespace tmx {

class ElidedLabel;
class Label;

/// The window's head: which repository, which branch, what that branch builds, and what is going on.
class RepositoryBar : public QWidget
{
    Q_OBJECT
public:
    explicit RepositoryBar(QWidget *parent = nullptr);

    void setRepository(const RepositoryInfo &info, const QString &shownBranch);
    void setLine(const Settings &line);
    void setBusy(const QString &what); ///< empty = idle
    /// What git does with a remote, which can be stopped; it is shown before what setBusy() says. Empty: nothing.
    /// `percent`: -1 = unknown.
    void setGitWork(const QString &what, int percent = -1);

    [[nodiscard]] QString shownBranch() const;

Q_SIGNALS:
    void branchChosen(const QString &branch);
    void openRequested();
    void stopRequested(); ///< of the work that setGitWork() told

private:
    void showWork();

    QToolButton *m_repository = nullptr;
    QComboBox *m_branch = nullptr;
    Label *m_upstream = nullptr; ///< how far the branch is from what it follows
    ElidedLabel *m_line = nullptr;
    ElidedLabel *m_busy = nullptr;
    QProgressBar *m_progress = nullptr;
    QToolButton *m_stop = nullptr;
    QString m_busyText; ///< of setBusy()
    QString m_gitWork;
    int m_percent = -1;
};

} // namespace tmx
