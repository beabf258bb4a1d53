// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/UndoSteps.h"
#include "views/work/WorkForm.h"

class QTreeWidget;

namespace tmx {

class Label;

/// The commits of a branch, of which one is undone. Commits that this program did not make are listed, not offered.
class UndoForm : public WorkForm
{
    Q_OBJECT
public:
    explicit UndoForm(const QString &branch, QWidget *parent = nullptr);

    void setCommits(const QList<BranchCommit> &commits); ///< the newest first
    void setTrouble(const QString &sentence);            ///< why there are none

    [[nodiscard]] ChangeRequest request() const override;
    [[nodiscard]] QString missing() const override;
    void setChanges(const QList<ChangeSet> &changes) override; ///< says which way it is undone

private:
    QString m_branch;
    QString m_missing;
    QTreeWidget *m_list;
    Label *m_way;
};

} // namespace tmx
