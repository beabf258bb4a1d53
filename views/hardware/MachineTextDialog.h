// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/HostFacts.h"
#include "model/hardware/VariantPicker.h"

#include <QDialog>
#include <QTimer>

class QCheckBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QScrollArea;

namespace tmx {

class CheckList;
class PickList;

/// What a text about a machine says.
struct ReadMachine {
    QString trouble; ///< it describes no machine; else empty
    QList<HostFact> facts;
    QList<Pick> best; ///< the best variant of each branch
};

/// Takes a text about a machine: pasted into a field, or a file. While one types it shows what was recognised, what is
/// missing with the command that prints it, and the best variant of each branch. Reads neither text nor file itself.
class MachineTextDialog : public QDialog
{
    Q_OBJECT
public:
    explicit MachineTextDialog(QWidget *parent = nullptr);

    void setRead(const ReadMachine &read); ///< the answer to textTyped()

Q_SIGNALS:
    void textTyped(const QString &text); ///< after a pause in typing
    void textGiven(const QString &text);
    void fileGiven(const QString &path);
    void pickChosen(const QString &branch, const QString &name); ///< after textGiven()

private:
    [[nodiscard]] QWidget *makeCommands();
    [[nodiscard]] QWidget *makeAnswer();
    void askForFile();
    void give();
    void enableUse();

    QTimer m_pause;
    QPlainTextEdit *m_text;
    QLabel *m_trouble = nullptr;
    CheckList *m_facts = nullptr;
    QLabel *m_bestTitle = nullptr;
    PickList *m_best = nullptr;
    QScrollArea *m_bestArea = nullptr;
    QCheckBox *m_confirm = nullptr;
    QPushButton *m_use = nullptr;
    QStringList m_branches; ///< of m_best's entries
};

} // namespace tmx
