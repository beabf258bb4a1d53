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

QStringList chosenFunctions(const QMetaObject &test, int argc, char **argv)
{
    QStringList arguments;
    bool chosen = isCompleteRun();
    for (int i = 0; i < argc; ++i) {
        arguments.append(QString::fromLocal8Bit(argv[i]));
        // A word after an option may be its value: then everything runs.
        chosen |= i > 0 && *argv[i] != '-';
    }
    const int info = test.indexOfClassInfo("complete runs");
    if (chosen || info < 0)
        return arguments;
    QStringList others = QString::fromLatin1(test.classInfo(info).value()).split(QLatin1Char(' '));
    for (int i = test.methodOffset(); i < test.methodCount(); ++i) {
        const QMetaMethod method = test.method(i);
        const QString name = QString::fromLatin1(method.name());
        if (method.methodType() != QMetaMethod::Slot || method.access() != QMetaMethod::Private ||
            method.parameterCount() > 0 || name.endsWith(QLatin1String("_data")) || others.removeOne(name) ||
            QStringList{QStringLiteral("initTestCase"), QStringLiteral("cleanupTestCase"), QStringLiteral("init"),
                        QStringLiteral("cleanup")}
                .contains(name))
            continue;
        arguments.append(name);
    }
    if (!others.isEmpty())
        qFatal("%s has no function %s", test.className(), qPrintable(others.join(QLatin1Char(' '))));
    return arguments;
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
