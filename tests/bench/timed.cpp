// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// bench-timed REPORT PROGRAM ARGS...: runs a program and writes to the file REPORT what it took: microseconds of wall
// time, of processor time (its children's too), the most memory in KiB, the exit status.
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    const auto begin = std::chrono::steady_clock::now();
    pid_t child = 0;
    if (const int error = ::posix_spawnp(&child, argv[2], nullptr, nullptr, argv + 2, environ); error != 0) {
        std::fprintf(stderr, "%s: %s\n", argv[2], std::strerror(error));
        return 3;
    }
    int status = 0;
    rusage used = {};
    while (::wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
    }
    const auto wall = std::chrono::steady_clock::now() - begin;
    const auto microseconds = [](const timeval &time) {
        return static_cast<long long>(time.tv_sec) * 1'000'000 + time.tv_usec;
    };
    std::FILE *report = std::fopen(argv[1], "w");
    if (!report)
        return 3;
    std::fprintf(report, "%lld %lld %ld %d\n",
                 static_cast<long long>(std::chrono::duration_cast<std::chrono::microseconds>(wall).count()),
                 microseconds(used.ru_utime) + microseconds(used.ru_stime), used.ru_maxrss,
                 WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return std::fclose(report) == 0 ? 0 : 3;
}
