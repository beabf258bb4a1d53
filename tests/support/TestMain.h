// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Translation.h"
#include "tests/support/Rounds.h"

#include <QMetaMethod>
#include <QTest>
#include <QThreadPool>

#include <type_traits>

namespace tmx::test {

using TestMain = int (*)(int argc, char **argv);

/// All tests of a folder are one program, because 180 programs took longer to link than to compile. Each source
/// registers its main() under the name of its file; `tests-nix tst_nixfold ARGS...` runs it like a program named
/// tst_nixfold.
class RegisteredTest
{
public:
    RegisteredTest(const char *file, TestMain main);
};

/// The arguments, and the names of the functions to run: all but those that a class names in
/// Q_CLASSINFO("complete runs", "oneFunction another"), if neither the arguments name some nor the run is complete.
QStringList chosenFunctions(const QMetaObject &test, int argc, char **argv);

template <class Test, class Application>
int runTest(int argc, char **argv)
{
    const auto run = [&](Test &test) {
        return QTest::qExec(&test, chosenFunctions(Test::staticMetaObject, argc, argv));
    };
    QTest::Internal::callInitMain<Test>();
    if constexpr (std::is_void_v<Application>) {
        Test test;
        return run(test);
    } else {
        Application application(argc, argv);
        application.setAttribute(Qt::AA_Use96Dpi, true);
        installTranslations(QLocale::c()); // English, whatever the machine speaks
        Test test;
        const int status = run(test);
        // Running workers must not access a program that is partly destroyed.
        QThreadPool::globalInstance()->waitForDone();
        return status;
    }
}

} // namespace tmx::test

// A wait ends as soon as its condition holds, so a long limit costs passing tests nothing. QTest's five seconds are too
// short for starting a process on a machine that is busy with other tests.
#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#undef QTRY_COMPARE_NE
#define QTRY_VERIFY(expression) QTRY_VERIFY_WITH_TIMEOUT(expression, 60s)
#define QTRY_VERIFY2(expression, message) QTRY_VERIFY2_WITH_TIMEOUT(expression, message, 60s)
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, 60s)
#define QTRY_COMPARE_NE(actual, other) QTRY_COMPARE_NE_WITH_TIMEOUT(actual, other, 60s)

/// A source's own main(), of the form int (int argc, char **argv).
#define TM_TEST_MAIN(function) TM_TEST_NUMBERED(__COUNTER__, function)
#define TM_TEST_NUMBERED(number, function) TM_TEST_OF(number, function)
#define TM_TEST_OF(number, function) static const tmx::test::RegisteredTest registeredTest##number(__FILE__, function);
/// The tests of a class, in an Application: QApplication, QCoreApplication, or void for none.
#define TM_TEST(Test, Application) TM_TEST_MAIN((tmx::test::runTest<Test, Application>))
