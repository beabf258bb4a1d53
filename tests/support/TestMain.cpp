// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace tmx::test {
namespace {

// Filled by constructors in other sources, in an unknown order.
std::map<std::string, TestMain> &tests()
{
    static std::map<std::string, TestMain> all;
    return all;
}

} // namespace

RegisteredTest::RegisteredTest(const char *file, TestMain main)
{
    tests().emplace(std::filesystem::path(file).stem().string(), main);
}

} // namespace tmx::test

int main(int argc, char **argv)
{
    const auto &tests = tmx::test::tests();
    if (const auto found = tests.find(argc > 1 ? argv[1] : ""); found != tests.end())
        return found->second(argc - 1, argv + 1);
    std::fprintf(stderr, "usage: %s TEST [ARGUMENTS...], where TEST is one of\n", argv[0]);
    for (const auto &[name, main] : tests)
        std::fprintf(stderr, "    %s\n", name.c_str());
    return 2;
}
