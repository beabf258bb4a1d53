// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <functional>

class QMessageBox;
class QObject;
class QWidget;

namespace tmx {

/// A question with two answers: `action`, or Cancel.
struct Question {
    QString title;
    QString text;
    QString action; ///< a verb, on the button that does it
    /// The action cannot be undone: Return cancels.
    bool destructive = false;
};

/// Asks over `parent`'s window and returns at once. `accepted` is called after the box has closed, unless the person
/// cancelled or `context` is gone. The box deletes itself; call reject() on it to withdraw the question.
QMessageBox *ask(QWidget *parent, const Question &question, QObject *context, std::function<void()> accepted);

/// Shows a message over `parent`'s window and returns at once. The box deletes itself.
QMessageBox *tell(QWidget *parent, const QString &title, const QString &text);

} // namespace tmx
