// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/work/WorkForm.h"

class QCheckBox;
class QLineEdit;

namespace tmx {

/// Why a branch accepts findings of a rule, and whether for these recipes or for all.
class IgnoreForm : public WorkForm
{
    Q_OBJECT
public:
    IgnoreForm(const QString &branch, const QString &rule, const QStringList &recipes, QWidget *parent = nullptr);

    [[nodiscard]] ChangeRequest request() const override;
    [[nodiscard]] QString missing() const override;

private:
    QString m_branch;
    QString m_rule;
    QStringList m_recipes;
    QLineEdit *m_reason;
    QCheckBox *m_all;
};

} // namespace tmx
