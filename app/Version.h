// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

namespace tmx {

/// "1.0.0".
extern const char versionNumber[];
/// "1.0.0 (abc1234)": the version and the commit it was built from; "unknown" where the sources are no
/// git repository. Defined in a source that every build brings up to date (packaging/version.cmake).
extern const char versionText[];

} // namespace tmx
