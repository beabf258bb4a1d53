// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/widgets/Label.h"

namespace tmx {

/// A word in a rounded frame. Tint and outline show its kind, and the word itself says it.
class Chip : public Label
{
    Q_OBJECT
public:
    enum class Kind {
        Plain,  ///< one of several
        Strong, ///< the one that counts
    };
    explicit Chip(const QString &text, Kind kind = Kind::Plain);
    void setKind(Kind kind);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Kind m_kind;
};

} // namespace tmx
