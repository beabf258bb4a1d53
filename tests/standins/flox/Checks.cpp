// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/standins/flox/Checks.h"

#include "tests/standins/flox/Behaviour.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace standin {

namespace {

bool isTracked(const fs::path &folder, const fs::path &file)
{
    return git(folder, {"ls-files", "--error-unmatch", "--", file.string()}).exitCode == 0;
}

/// In a new linked work tree what was never committed is missing.
bool hasEnvironment(const fs::path &folder)
{
    return fs::exists(folder / ".flox" / "env.json") && fs::exists(folder / ".flox" / "env" / "manifest.toml");
}

std::string trimmed(std::string text)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    return text;
}

/// A repository is looked for at the folder itself, linked work trees included: a folder within one is none.
bool isRepositoryRoot(const fs::path &folder)
{
    if (trimmed(git(folder, {"rev-parse", "--is-bare-repository"}).output) != "false")
        return false;
    std::error_code none;
    const fs::path top = trimmed(git(folder, {"rev-parse", "--show-toplevel"}).output);
    return !top.empty() && fs::canonical(top, none) == fs::canonical(folder, none);
}

std::string untracked(const std::string &package, const fs::path &recipe)
{
    return "The Nix expression for '" + package +
           "' does not appear to be tracked by git.\n"
           "Only git tracked files (including the expressions themselves) will be available during nix expression "
           "builds.\n\n"
           "Nix expression: '" +
           package + "' defined in '" + recipe.string() + "'";
}

} // namespace

Program git(const fs::path &folder, std::vector<std::string> arguments)
{
    int ends[2];
    if (::pipe(ends) != 0)
        return {};
    arguments.insert(arguments.begin(), {"git", "-C", folder.string()});
    std::vector<char *> argv;
    for (std::string &argument : arguments)
        argv.push_back(argument.data());
    argv.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        ::dup2(::open("/dev/null", O_WRONLY), STDERR_FILENO);
        ::close(ends[0]);
        ::close(ends[1]);
        ::execvp("git", argv.data());
        ::_exit(127);
    }
    ::close(ends[1]);
    Program program;
    char buffer[4096];
    for (ssize_t got; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        program.output.append(buffer, size_t(got));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    program.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return program;
}

std::optional<fs::path> recipeOf(const fs::path &folder, const std::string &package)
{
    if (package.empty() || package.find_first_of("./") != std::string::npos)
        return {};
    const fs::path pkgs = folder / ".flox" / "pkgs";
    for (const fs::path &recipe : {pkgs / (package + ".nix"), pkgs / package / "default.nix"}) {
        if (fs::exists(recipe))
            return recipe;
    }
    return {};
}

std::vector<std::string> packagesIn(const fs::path &folder)
{
    std::vector<std::string> packages;
    std::error_code none;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder / ".flox" / "pkgs", none)) {
        if (entry.path().extension() == ".nix")
            packages.push_back(entry.path().stem().string());
    }
    std::sort(packages.begin(), packages.end());
    return packages;
}

std::optional<std::string> whyNotBuild(const fs::path &folder, const std::vector<std::string> &packages)
{
    if (!hasEnvironment(folder))
        return "Did not find an environment in the current directory.";
    if (!isRepositoryRoot(folder)) {
        std::string message =
            "Building nix expression build(s) requires git version control.\n\nNix expression builds:";
        for (const std::string &package : packages)
            message += "\n- " + package;
        return message;
    }
    for (const std::string &package : packages) {
        if (!recipeOf(folder, package))
            return "Target '" + package + "' not found.";
    }
    for (const std::string &package : packages) {
        const fs::path recipe = *recipeOf(folder, package);
        if (!isTracked(folder, recipe))
            return untracked(package, recipe);
    }
    return {};
}

std::optional<std::string> whyNotPublish(const fs::path &folder, const std::string &package)
{
    const std::string unsupported = "The environment is in an unsupported state for publishing: ";
    if (asked("logged-out"))
        return "You are not logged in to FloxHub.\n\nTo login, run 'flox auth login'";
    if (!hasEnvironment(folder))
        return "Did not find an environment in the current directory.";
    if (!fs::exists(folder / ".flox" / "env" / "manifest.lock"))
        return unsupported + "The environment must be locked.";
    if (const auto why = whyNotBuild(folder, {package}))
        return why;
    for (const char *file : {"env.json", "env/manifest.toml", "env/manifest.lock"}) {
        if (!isTracked(folder, folder / ".flox" / file))
            return unsupported + "Not all environment files are tracked by git.";
    }
    if (!git(folder, {"status", "--porcelain", "--untracked-files=no"}).output.empty())
        return unsupported + "Build repository must be clean, but has dirty tracked files.";
    const std::string branch = trimmed(git(folder, {"rev-parse", "--abbrev-ref", "HEAD"}).output);
    const Program upstream = git(folder, {"rev-parse", "--abbrev-ref", "--symbolic-full-name", "@{upstream}"});
    if (upstream.exitCode != 0)
        return unsupported + "Current branch '" + branch + "' has no upstream remote configured.";
    if (git(folder, {"merge-base", "--is-ancestor", "HEAD", "@{upstream}"}).exitCode != 0)
        return unsupported + "Local revision is not present on remote '" + trimmed(upstream.output) + "'.";
    return {};
}

} // namespace standin
