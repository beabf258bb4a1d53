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

/// The window's head: which repository, which branch, what that branch builds, and what is going on.
class RepositoryBar : public QWidget
{
    Q_OBJECT
public:
    explicit RepositoryBar(QWidget *parent = nullptr);

    void setRepository(const RepositoryInfo &info, const QString &shownBranch);
    void setLine(const Settings &line);
    void setBusy(const QString &what); ///< empty = idle

    [[nodiscard]] QString shownBranch() const;

Q_SIGNALS:
    void branchChosen(const QString &branch);
    void openRequested();

private:
    QToolButton *m_repository = nullptr;
    QComboBox *m_branch = nullptr;
    ElidedLabel *m_line = nullptr;
    ElidedLabel *m_busy = nullptr;
    QProgressBar *m_progress = nullptr;
};

} // namespace tmx
