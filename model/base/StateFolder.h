// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace tmx {

/// The folder for the program's own data: $TORCH_MATRIX_STATE, else $XDG_STATE_HOME/torch-matrix. Absolute, without a
/// trailing slash; may not exist yet.
QString stateFolder();

} // namespace tmx
