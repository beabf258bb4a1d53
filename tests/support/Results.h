// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QTest>

/// Verifies that the Result is a value; a failure shows the error's sentence.
#define QVERIFY_OK(expression)                                                                                         \
    do {                                                                                                               \
        const auto &verified = (expression);                                                                           \
        QVERIFY2(verified.ok(), verified.ok() ? "" : qPrintable(verified.error().sentence()));                         \
    } while (false)

/// Verifies that the Result is an error whose sentence contains `words`.
#define QVERIFY_ERROR(expression, words)                                                                               \
    do {                                                                                                               \
        const auto &refused = (expression);                                                                            \
        QVERIFY2(!refused.ok(), #expression " was done");                                                              \
        QVERIFY2(refused.error().sentence().contains(words), qPrintable(refused.error().sentence()));                  \
    } while (false)
