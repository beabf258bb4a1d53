// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/GitValues.h"

#include <QDialog>

namespace tmx {

/// Shows what would change, and asks whether it shall. accepted() when it shall. Not modal to the event loop: open()
/// it.
class DiffDialog : public QDialog
{
    Q_OBJECT
public:
    struct Question {
        QString title;
        QString sentence; ///< what is about to happen
        QString action;   ///< of the button that does it
        QList<DiffLine> diff;
        QByteArray after;  ///< the whole new text
        QString file = {}; ///< its name, which says its language; empty: a recipe's
    };
    explicit DiffDialog(const Question &question, QWidget *parent = nullptr);
};

} // namespace tmx
