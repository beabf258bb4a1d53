// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace standin {

struct Program {
    int exitCode = -1;
    std::string output;
};

/// Runs the real git in `folder`.
Program git(const std::filesystem::path &folder, std::vector<std::string> arguments);

/// The recipe of a package below `folder`; nothing when there is none. A name with a dot is an attribute path, so it is
/// never found.
std::optional<std::filesystem::path> recipeOf(const std::filesystem::path &folder, const std::string &package);
std::vector<std::string> packagesIn(const std::filesystem::path &folder);

/// What flox checks before it builds, in its order; the message of the first that does not hold.
std::optional<std::string> whyNotBuild(const std::filesystem::path &folder, const std::vector<std::string> &packages);
std::optional<std::string> whyNotPublish(const std::filesystem::path &folder, const std::string &package);

} // namespace standin
