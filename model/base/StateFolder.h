// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace tmx {

/// Where the program keeps what it must remember and nobody edits: $TORCH_MATRIX_STATE, else
/// $XDG_STATE_HOME/torch-matrix. Absolute, without trailing slash; may not exist yet.
QString stateFolder();

} // namespace tmx
