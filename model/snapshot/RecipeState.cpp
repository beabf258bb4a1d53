// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/RecipeState.h"

namespace tmx {

QString toString(RecipeState state)
{
    switch (state) {
    case RecipeState::Unsupported: return QStringLiteral("unsupported");
    case RecipeState::NotCovered: return QStringLiteral("not-covered");
    case RecipeState::Missing: return QStringLiteral("missing");
    case RecipeState::Current: return QStringLiteral("current");
    case RecipeState::Equivalent: return QStringLiteral("equivalent");
    case RecipeState::Customised: return QStringLiteral("customised");
    case RecipeState::Modified: return QStringLiteral("modified");
    case RecipeState::Untracked: return QStringLiteral("untracked");
    case RecipeState::Broken: return QStringLiteral("broken");
    case RecipeState::Duplicate: return QStringLiteral("duplicate");
    }
    Q_UNREACHABLE_RETURN({});
}

} // namespace tmx
