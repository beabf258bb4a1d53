// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace tmx {

/// Why a file of a branch cannot be read as text.
enum class FileTrouble { None, Link, Folder, TooLarge, NotText, Unreadable };

/// "it is a link": the reason in a sentence; empty for None.
QString troubleWords(FileTrouble trouble);

} // namespace tmx
