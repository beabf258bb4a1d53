// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QDialog>

class QPlainTextEdit;
class QPushButton;

namespace tmx {

/// Takes a text about a machine: pasted into a field, or a file. Reads no file itself.
class MachineTextDialog : public QDialog
{
    Q_OBJECT
public:
    explicit MachineTextDialog(QWidget *parent = nullptr);

Q_SIGNALS:
    void textGiven(const QString &text);
    void fileGiven(const QString &path);

private:
    void askForFile();
    QPlainTextEdit *m_text;
    QPushButton *m_use;
};

} // namespace tmx
