// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QDialog>

class QComboBox;

namespace tmx {

/// Asks for the upstream branch of a local branch.
class UpstreamDialog : public QDialog
{
    Q_OBJECT
public:
    /// `remoteBranches`: such as "origin/main"; must not be empty. The one with the branch's own name is selected
    /// first.
    UpstreamDialog(const QString &branch, const QStringList &remoteBranches, QWidget *parent);
    [[nodiscard]] QString upstream() const;

private:
    QComboBox *m_upstream;
};

} // namespace tmx
