// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QDialog>

namespace tmx {

/// The program's README.md, without its pictures.
class Manual : public QDialog
{
    Q_OBJECT
public:
    explicit Manual(QWidget *parent = nullptr);
};

} // namespace tmx
