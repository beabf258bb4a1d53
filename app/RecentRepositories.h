// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>

namespace tmx {

/// Work trees that were opened last, the latest first, at most nine; kept in the settings.
QStringList recentRepositories();
void rememberRepository(const QString &workTree);
void forgetRepository(const QString &workTree);

} // namespace tmx
