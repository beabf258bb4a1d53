// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QToolButton>

namespace tmx {

/// A flat button that goes one further in some direction. `name` is for assistive technology, the tip says the key as
/// well.
QToolButton *makeArrow(Qt::ArrowType arrow, const QString &name, const QString &tip);

} // namespace tmx
