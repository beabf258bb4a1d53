// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Settings.h"
#include "model/git/GitValues.h"

#include <QWidget>

class QComboBox;
class QProgressBar;
class QToolButton;

namespace tmx {

class ElidedLabel;
class Label;

/// The window's head: the repository, the branch, the branch settings in brief, and the current activity.
class RepositoryBar : public QWidget
{
    Q_OBJECT
public:
    explicit RepositoryBar(QWidget *parent = nullptr);

    void setRepository(const RepositoryInfo &info, const QString &shownBranch);
    /// `pins`: nixpkgs revisions of its recipes, the most used first; none: that of the settings is shown.
    void setSettings(const Settings &settings, const QStringList &pins = {});
    void setBusy(const QString &what); ///< empty = idle
    /// Git's work with a remote, which can be cancelled. It is shown in place of the text of setBusy(). Empty: no work.
    /// `percent`: -1 = unknown.
    void setGitWork(const QString &what, int percent = -1);

    [[nodiscard]] QString shownBranch() const;

Q_SIGNALS:
    void branchChosen(const QString &branch);
    void switchRequested(); ///< to another repository
    void stopRequested();   ///< cancels the work that setGitWork() shows

private:
    void showWork();

    QToolButton *m_repository = nullptr;
    QComboBox *m_branch = nullptr;
    Label *m_upstream = nullptr; ///< ahead and behind of the upstream branch
    ElidedLabel *m_line = nullptr;
    ElidedLabel *m_busy = nullptr;
    QProgressBar *m_progress = nullptr;
    QToolButton *m_stop = nullptr;
    QString m_busyText; ///< the text of setBusy()
    QString m_gitWork;
    int m_percent = -1;
};

} // namespace tmx
