// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QDialog>

class QComboBox;

namespace tmx {

/// Asks which remote branch a local one follows.
class UpstreamDialog : public QDialog
{
    Q_OBJECT
public:
    /// `remoteBranches`: "origin/main"; not empty. One of the branch's own name is chosen to begin with.
    UpstreamDialog(const QString &branch, const QStringList &remoteBranches, QWidget *parent);
    [[nodiscard]] QString upstream() const;

private:
    QComboBox *m_upstream;
};

} // namespace tmx
