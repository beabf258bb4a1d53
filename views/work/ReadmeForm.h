// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/work/WorkForm.h"

class QComboBox;

namespace tmx {

/// Chooses whether to write the tables on the shown branch or on every local one.
class ReadmeForm : public WorkForm
{
    Q_OBJECT
public:
    ReadmeForm(const QString &branch, int branches, QWidget *parent = nullptr);

    [[nodiscard]] ChangeRequest request() const override;

private:
    QString m_branch;
    QComboBox *m_which;
};

} // namespace tmx
