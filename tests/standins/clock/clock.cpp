// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// LD_PRELOAD: the clock of one machine that differs from the others'. The file that TORCH_MATRIX_STANDIN_CLOCK names
// has the seconds by which it is ahead, and is read at each question: the clock jumps when the file changes. The times
// of files stay the kernel's, as on a network file system.
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

long ahead()
{
    const char *path = std::getenv("TORCH_MATRIX_STANDIN_CLOCK");
    const int file = path ? ::open(path, O_RDONLY | O_CLOEXEC) : -1;
    char text[32] = {};
    if (file < 0)
        return 0;
    const ssize_t size = ::read(file, text, sizeof text - 1);
    ::close(file);
    return size > 0 ? std::strtol(text, nullptr, 10) : 0;
}

} // namespace

extern "C" int clock_gettime(clockid_t clock, timespec *when) noexcept
{
    const int result = int(::syscall(SYS_clock_gettime, clock, when));
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        when->tv_sec += ahead();
    return result;
}

extern "C" time_t time(time_t *when) noexcept
{
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    if (when)
        *when = now.tv_sec;
    return now.tv_sec;
}

extern "C" int gettimeofday(timeval *when, void *) noexcept
{
    timespec now{};
    const int result = clock_gettime(CLOCK_REALTIME, &now);
    *when = {now.tv_sec, now.tv_nsec / 1000};
    return result;
}
