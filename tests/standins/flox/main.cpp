// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/standins/flox/Behaviour.h"
#include "tests/standins/flox/BuildLog.h"
#include "tests/standins/flox/Checks.h"

#include <cstdlib>
#include <fstream>

namespace fs = std::filesystem;
using namespace standin;

namespace {

struct Call {
    fs::path folder = fs::current_path();
    std::vector<std::string> names;
    std::string mistake;
};

Call parse(const std::vector<std::string> &arguments, const std::string &command)
{
    Call call;
    for (size_t i = 0; i < arguments.size(); ++i) {
        const std::string &argument = arguments[i];
        const bool withValue = argument == "-d" || argument == "--dir" || argument == "--stability" ||
                               (command == "publish" && (argument == "-o" || argument == "--org"));
        if (withValue && i + 1 < arguments.size()) {
            ++i;
            if (argument == "-d" || argument == "--dir")
                call.folder = fs::absolute(arguments[i]);
        } else if (argument.starts_with('-')) {
            call.mistake = '`' + argument + "` is not expected in this context";
        } else {
            call.names.push_back(argument);
        }
    }
    return call;
}

int buildCommand(Call call)
{
    const bool clean = !call.names.empty() && call.names.front() == "clean";
    if (clean)
        call.names.erase(call.names.begin());
    if (call.names.empty())
        call.names = packagesIn(call.folder);
    if (const auto why = whyNotBuild(call.folder, call.names))
        return fail(*why);
    if (clean) {
        for (const std::string &name : call.names) {
            for (const char *suffix : {"", "-dev", "-log"})
                fs::remove(call.folder / ("result-" + name + suffix));
        }
        err("✔ Clean completed successfully\n");
        return 0;
    }
    if (!git(call.folder, {"status", "--porcelain", "--untracked-files=no"}).output.empty())
        err("warning: Git tree '" + call.folder.string() + "' is dirty\n");
    for (const std::string &name : call.names) {
        if (const int code = build(call.folder, name, *recipeOf(call.folder, name)))
            return code;
    }
    return 0;
}

int publishCommand(const Call &call)
{
    if (call.names.size() != 1)
        return fail("Publishing takes exactly one package.");
    if (const auto why = whyNotPublish(call.folder, call.names.front()))
        return fail(*why);
    if (asked("published")) {
        err("✔ Package already published.\n");
        return 0;
    }
    if (const int code = build(call.folder, call.names.front(), *recipeOf(call.folder, call.names.front())))
        return code;
    err("✔ Package published successfully.\n\nUse 'flox install user/" + call.names.front() + "' to install it.\n");
    return 0;
}

/// One line a call, its arguments separated by tabs, for tests that ask what the program really ran.
void record(const std::vector<std::string> &arguments)
{
    const char *path = std::getenv("TORCH_MATRIX_STANDIN_FLOX_CALLS");
    if (!path)
        return;
    std::string line;
    for (const std::string &argument : arguments)
        line += (line.empty() ? "" : "\t") + argument;
    std::ofstream(path, std::ios::app) << line << '\n';
}

} // namespace

int main(int argc, char **argv)
{
    std::vector<std::string> arguments(argv + 1, argv + argc);
    record(arguments);
    if (arguments.empty())
        return fail("no command given");
    const std::string command = arguments.front();
    arguments.erase(arguments.begin());
    listenToSignals();
    if (command == "--version") {
        out("1.14.0\n");
        return 0;
    }
    const Call call = parse(arguments, command);
    if (!call.mistake.empty())
        return fail(call.mistake);
    if (command == "build")
        return buildCommand(call);
    if (command == "publish")
        return publishCommand(call);
    if (command == "auth" && call.names == std::vector<std::string>{"status"}) {
        if (asked("logged-out"))
            return fail("You are not logged in to FloxHub.");
        err("✔ You are logged in as user on https://hub.flox.dev\n");
        return 0;
    }
    if (command == "show" && call.names.size() == 1) {
        if (!asked("published"))
            return fail("no packages matched this pkg-path: '" + call.names.front() + "'");
        out(call.names.front() + " - PyTorch built for one GPU and one CPU instruction set\n");
        return 0;
    }
    return fail("`" + command + "` is not a command that this program acts out");
}
