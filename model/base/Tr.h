// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QCoreApplication>

namespace tmx {

/// tr() for code that is not a QObject: Tr::tr("..."), with the plural forms and comments of QObject::tr().
struct Tr {
    Q_DECLARE_TR_FUNCTIONS(tmx::Tr)
};

} // namespace tmx
