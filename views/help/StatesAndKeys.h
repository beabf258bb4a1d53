// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QDialog>
#include <QList>

class QMenuBar;

namespace tmx {

/// One line of the list of keys.
struct KeyHelp {
    QString keys; ///< "Ctrl+G", in the desktop's notation
    QString what;
};

/// The shortcuts of all actions in the menus, menu by menu: "Recipe: Generate". Without mnemonics and ellipses.
QList<KeyHelp> keysOf(const QMenuBar *menus);

/// The legend of the grid (states of recipes, of builds and on a machine, with glyph, word and meaning) beside the keys
/// of the menus and of the grid. Deletes itself when it is closed.
class StatesAndKeys : public QDialog
{
    Q_OBJECT
public:
    explicit StatesAndKeys(const QList<KeyHelp> &keys, QWidget *parent = nullptr);
};

} // namespace tmx
