// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

namespace tmx {

/// "1.0.0".
extern const char versionNumber[];
/// "1.0.0 (abc1234)": the version and the commit that it was built from; "unknown" if the sources are not in a git
/// repository. Defined in a source that every build updates (packaging/version.cmake).
extern const char versionText[];

} // namespace tmx
