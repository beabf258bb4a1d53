// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>

namespace tmx::test {

/// A recipe that builds something else than this one, which sets its pname on a line of its own. A comment would not
/// do: it does not make a build stale.
inline QByteArray withOtherCode(QByteArray recipe)
{
    const QByteArray name = "  pname = ";
    if (!recipe.contains(name))
        qFatal("the recipe has no pname");
    return recipe.replace(name, "  isChanged = true;\n" + name);
}

} // namespace tmx::test
