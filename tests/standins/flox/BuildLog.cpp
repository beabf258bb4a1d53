// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/standins/flox/BuildLog.h"

#include "tests/standins/flox/Behaviour.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

namespace standin {

namespace {

struct Job {
    std::string name;       ///< python3.13-<pname>
    std::string derivation; ///< the prefix of the builder's lines
    std::string full;       ///< python3.13-<pname>-<version>
    std::string store;      ///< /nix/store/<32>-<full>
    bool fails = false;
};

std::string valueOf(const std::string &recipe, const std::string &key, const std::string &otherwise)
{
    const size_t at = recipe.find(key + " = \"");
    if (at == std::string::npos)
        return otherwise;
    const size_t start = at + key.size() + 4;
    return recipe.substr(start, recipe.find('"', start) - start);
}

/// Nix's base 32 has no e, o, t, u. Depends on the recipe's text, so that a changed recipe has another path.
std::string storeHash(const std::string &text)
{
    static constexpr char digits[] = "0123456789abcdfghijklmnpqrsvwxyz";
    size_t state = std::hash<std::string>{}(text);
    std::string hash;
    for (int i = 0; i < 32; ++i) {
        hash += digits[state >> 59U];
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    }
    return hash;
}

Job jobOf(const std::string &package, const fs::path &recipe)
{
    std::ifstream file(recipe);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    Job job;
    job.fails = asked("fail") || asked("fail-old") || asked("oom") || asked("oom-builder") ||
                text.find("stand-in: fail") != std::string::npos;
    job.name = "python3.13-" + valueOf(text, "pname", package);
    job.full = job.name + '-' + valueOf(text, "version", "2.8.0");
    job.derivation = job.name;
    const char *store = std::getenv("TORCH_MATRIX_STANDIN_STORE");
    job.store = std::string(store ? store : "/nix/store") + '/' + storeHash(text) + '-' + job.full;
    return job;
}

void line(const Job &job, const std::string &text)
{
    err(job.derivation + "> " + text + "\n");
}

std::string step(int done, int total, const std::string &what)
{
    return '[' + std::to_string(done) + '/' + std::to_string(total) + "] " + what;
}

std::string object(int i)
{
    return "Building CXX object caffe2/CMakeFiles/torch_cpu.dir/__/aten/src/ATen/native/cpu/Kernel" +
           std::to_string(i) + ".cpp.o";
}

void rest(double seconds)
{
    if (seconds > 0)
        ::usleep(useconds_t(seconds * 1e6));
}

/// Two generations that listen to no polite signal, as a builder's compilers may.
void childrenThatMustDie(const Job &job)
{
    for (int child = 0; child < 2; ++child) {
        if (::fork() != 0)
            continue;
        std::signal(SIGINT, SIG_IGN);
        std::signal(SIGTERM, SIG_IGN);
        ::fork();
        line(job, "child " + std::to_string(::getpid()));
        for (;;)
            ::pause();
    }
    for (;;)
        ::pause();
}

/// Children that leave group, session and parent, as a daemon does.
void detachedChildren(const Job &job)
{
    for (int child = 0; child < 2; ++child) {
        if (::fork() != 0)
            continue;
        ::setsid();
        if (::fork() != 0)
            ::_exit(0);
        std::signal(SIGINT, SIG_IGN);
        std::signal(SIGTERM, SIG_IGN);
        line(job, "child " + std::to_string(::getpid()));
        for (;;)
            ::pause();
    }
}

int failed(const Job &job)
{
    const std::string reason =
        asked("oom-builder") ? "builder failed due to signal 9 (Killed)." : "builder failed with exit code 1.";
    if (asked("fail-old")) {
        err("error: builder for '" + job.store +
            ".drv' failed with exit code 1;\n"
            "       last 3 log lines:\n       > ninja: build stopped: subcommand failed.\n"
            "       For full logs, run 'nix log " +
            job.store + ".drv'.\n");
    } else {
        err("error: Cannot build '" + job.store + ".drv'.\n       Reason: " + reason +
            "\n       Output paths:\n         " + job.store + "\n");
    }
    err("make: *** [/nix/store/" + storeHash("make") + "-flox-build/libexec/flox-build.mk:930: " + job.name +
        "/build.json] Error 1\n");
    return fail("Build failed");
}

/// What the builder prints before it fails.
void failure(const Job &job, int done, int total)
{
    const std::string object = "caffe2/CMakeFiles/torch_cpu.dir/__/aten/src/ATen/native/cpu/SumKernel.cpp.o";
    if (asked("oom-builder"))
        return;
    line(job, step(done, total, "Building CXX object " + object));
    line(job, "FAILED: " + object);
    if (asked("oom")) {
        line(job, "/build/source/aten/src/ATen/native/cpu/SumKernel.cpp:1:1: note: in instantiation of a very large "
                  "template");
        line(job, "c++: fatal error: Killed signal terminated program cc1plus");
        line(job, "compilation terminated.");
    } else {
        const char *red =
            asked("colour")
                ? "\x1b[01m\x1b[K/build/source/SumKernel.cpp:42:7:\x1b[m\x1b[K \x1b[01;31m\x1b[Kerror: \x1b[m\x1b[K"
                : "/build/source/SumKernel.cpp:42:7: error: ";
        line(job,
             std::string(red) + "'_mm512_reduce_add_ps' was not declared in this scope; did you mean '_mm_add_ps'?");
        line(job, "   42 |   acc = _mm512_reduce_add_ps(v);");
        line(job, "      |         ^~~~~~~~~~~~~~~~~~~~");
    }
    line(job, "ninja: build stopped: subcommand failed.");
}

void compile(const Job &job)
{
    const int total = int(number("steps", 12));
    const int until = job.fails ? total / 2 : total;
    const double pause = number("slow", 0) / std::max(total, 1);
    for (int i = 1; i <= until; ++i) {
        if (asked("nested") && i == 2) {
            // A dependency between the lines, and a project within the project: both count for themselves.
            err("magma> " + step(3, 9, "Building CUDA object magmablas/zgemm.cu.o") + "\n");
            line(job, step(1, 4, "Building C object sleef/src/libm/sleefsimd.c.o"));
            line(job, step(4, 4, "Linking C static library lib/libsleef.a"));
        }
        const std::string text = step(i, total, object(i));
        line(job, asked("colour") ? "\x1b[32m" + text + "\x1b[0m" : text);
        rest(pause);
    }
    if (job.fails)
        failure(job, until + 1, total);
}

void burst(const Job &job, int count)
{
    std::string block;
    for (int i = 1; i <= count; ++i) {
        block += job.derivation + "> " + step(i, count, object(i)) + '\n';
        if (block.size() > 60000) {
            err(block);
            block.clear();
        }
    }
    err(block);
}

void linkResults(const fs::path &folder, const std::string &package, const Job &job)
{
    const auto link = [&folder](const std::string &name, const std::string &target) {
        std::error_code none;
        if (std::getenv("TORCH_MATRIX_STANDIN_STORE"))
            std::ofstream(target) << name << '\n';
        fs::remove(folder / name, none);
        fs::create_symlink(target, folder / name, none);
    };
    link("result-" + package, job.store);
    if (!asked("one-output") && !asked("old-words"))
        link("result-" + package + "-dev", job.store + "-dev");
    link("result-" + package + "-log", job.store + "-log");
}

void sayResults(const std::string &package)
{
    const std::string link = "./result-" + package;
    out("\n");
    if (asked("old-words"))
        err("✨ Builds completed successfully. Output created: " + link + "\n");
    else if (asked("one-output"))
        err("⚡︎ Built output: " + link + "\n");
    else
        err("⚡︎ Built outputs:\n" + link + ", " + link + "-dev\n");
}

extern "C" void interrupted(int)
{
    static constexpr char text[] = "error: interrupted by the user\n✘ ERROR: Build failed\n";
    if (::write(STDERR_FILENO, text, sizeof text - 1) < 0)
        ::_exit(2);
    ::_exit(1);
}

} // namespace

void listenToSignals()
{
    std::signal(SIGINT, asked("stubborn") ? SIG_IGN : interrupted);
    std::signal(SIGTERM, asked("stubborn") ? SIG_IGN : interrupted);
}

int build(const fs::path &folder, const std::string &package, const fs::path &recipe)
{
    const Job job = jobOf(package, recipe);
    out("Building " + job.full + " in Nix expression mode\n");
    if (!asked("already")) {
        err("this derivation will be built:\n  " + job.store + ".drv\n");
        err("these 104 paths will be fetched (346.24 MiB download, 1977.98 MiB unpacked):\n  /nix/store/" +
            storeHash("gcc") + "-gcc-14.3.0\n");
        err("building '" + job.store + ".drv'...\n");
        for (const char *phase : {"unpackPhase", "patchPhase", "configurePhase"})
            line(job, std::string("Running phase: ") + phase);
        line(job, "-- The CXX compiler is ‘g++’ — naïve façade ✓");
        line(job, "Running phase: buildPhase");
        if (asked("detached") || asked("leftover"))
            detachedChildren(job);
        if (asked("children"))
            childrenThatMustDie(job);
        if (asked("burst"))
            burst(job, int(number("burst", 100000)));
        else
            compile(job);
        if (asked("crash"))
            std::raise(SIGABRT);
        while (asked("hold"))
            ::pause();
        if (job.fails)
            return failed(job);
        for (const char *phase : {"installPhase", "fixupPhase"})
            line(job, std::string("Running phase: ") + phase);
    }
    out("Completed build of " + job.full + " in Nix expression mode\n");
    if (asked("no-result"))
        return 0;
    linkResults(folder, package, job);
    sayResults(package);
    return 0;
}

} // namespace standin
