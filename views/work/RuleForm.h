// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/work/WorkForm.h"

namespace tmx {

/// Which rule's findings are fixed, of all recipes of a branch.
class RuleForm : public WorkForm
{
    Q_OBJECT
public:
    RuleForm(const QString &branch, const QString &rule, QWidget *parent = nullptr);

    [[nodiscard]] ChangeRequest request() const override;

private:
    QString m_branch;
    QString m_rule;
};

} // namespace tmx
