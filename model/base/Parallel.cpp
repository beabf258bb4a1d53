// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tmx {

void inParallel(qsizetype count, const std::function<void(qsizetype)> &work)
{
    std::atomic<qsizetype> next = 0;
    std::mutex mutex;
    std::exception_ptr thrown;
    const auto run = [&] {
        try {
            for (qsizetype i = next++; i < count; i = next++)
                work(i);
        } catch (...) {
            next = count;
            const std::lock_guard lock(mutex);
            thrown = std::current_exception();
        }
    };
    std::vector<std::jthread> others;
    const auto cores = qsizetype(std::max(1U, std::thread::hardware_concurrency()));
    for (qsizetype i = 1; i < std::min(cores, count); ++i)
        others.emplace_back(run);
    run();
    others.clear(); // Waits for the threads.
    if (thrown)
        std::rethrow_exception(thrown);
}

} // namespace tmx
