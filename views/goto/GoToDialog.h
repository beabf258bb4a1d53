// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/matrix/GoToTarget.h"

#include <QDialog>

class QLineEdit;
class QListWidget;

namespace tmx {

/// A field and the targets that match it, best first. Arrows choose while the field keeps the focus; Return goes there.
/// Deletes itself when it is closed.
class GoToDialog : public QDialog
{
    Q_OBJECT
public:
    explicit GoToDialog(const QList<GoToTarget> &targets, QWidget *parent = nullptr);

Q_SIGNALS:
    void chosen(const tmx::GoToTarget &target);

protected:
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    void find();
    void go();

    const QList<GoToTarget> m_targets;
    QList<GoToTarget> m_found;
    QLineEdit *m_words;
    QListWidget *m_list;
};

} // namespace tmx
