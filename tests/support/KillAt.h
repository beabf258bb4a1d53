// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

namespace tmx::test {

/// Runs `operation` in a forked process and kills it (SIGKILL, by ptrace) where it enters its n-th system call, counted
/// from 1, that could change the file system (open to write, write, link, rename, unlink, mkdir, chmod, fsync, ...):
/// between two of those nothing changes, so n = 1, 2, 3, ... until it answers false visits every state that a kill -9
/// can leave. True: it was killed there. False: it ended before with exit code 0, what `operation` gave; any other end
/// aborts the test program.
bool killAtChange(int n, const std::function<int()> &operation);

/// How many such system calls `operation` makes in its first thread, exec() of another program included.
int countChanges(const std::function<int()> &operation);

} // namespace tmx::test
