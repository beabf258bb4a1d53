// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/work/WorkForm.h"

class QComboBox;

namespace tmx {

/// Chooses the branch to copy recipes to.
class CopyForm : public WorkForm
{
    Q_OBJECT
public:
    /// `names`: variants of the branch `from`; `branches`: all other branches.
    CopyForm(const QString &from, const QStringList &names, const QStringList &branches, QWidget *parent = nullptr);

    [[nodiscard]] ChangeRequest request() const override;

private:
    QString m_from;
    QStringList m_names;
    QComboBox *m_to;
};

} // namespace tmx
