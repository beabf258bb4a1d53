// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Parse.h"
#include "tests/support/TestMain.h"

#include <QTest>

#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace Qt::StringLiterals;
using namespace tmx::nix;

namespace {

QByteArray repeated(const char *text, int count)
{
    return QByteArray(text).repeated(count);
}

/// Bytes allocated by the program; 0 if unknown: with another C library, or AddressSanitizer.
size_t memoryInUse()
{
#ifdef __GLIBC__
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

} // namespace

class tst_NixLimits : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void nestsNoDeeperThanAllowed_data();
    void nestsNoDeeperThanAllowed();
    void chainsAreNotNesting_data();
    void chainsAreNotNesting();
    void refusesTooLargeFiles();
    void memoryIsBounded_data();
    void memoryIsBounded();
};

void tst_NixLimits::nestsNoDeeperThanAllowed_data()
{
    QTest::addColumn<QByteArray>("open");
    QTest::addColumn<QByteArray>("close");
    const auto row = [](const char *open, const char *close) {
        QTest::newRow(open) << QByteArray(open) << QByteArray(close);
    };
    row("(", ")");
    row("[", "]");
    row("{a=", ";}");
    row("rec{a=", ";}");
    row("\"${", "}\"");
    row("''${", "}''");
    row("./a${", "}");
    row("x: ", "");
    row("{a?", "}:1");
    row("- ", "");
    row("!", "");
    row("let a=", ";in 1");
    row("let{body=", ";}");
    row("let in ", "");
    row("with ", ";1");
    row("with 1;", "");
    row("assert ", ";1");
    row("assert true;", "");
    row("if ", " then 1 else 1");
    row("if 1 then ", " else 1");
    row("if 1 then 1 else ", "");
    row("{}.a or ", "");
    row("1(", ")");
    row("{}.${", "}");
    row("{}?${", "}");
    row("{${", "}=1;}");
    row("{inherit(", ")a;}");
    row("1+(", ")");
    row("(1 -> 1 || 1 && 1 == 1 < 1 // 1 + 1 * 1 ++ 1 ? a + -", ")");
    row("a.", "=1");
}

void tst_NixLimits::nestsNoDeeperThanAllowed()
{
    QFETCH(QByteArray, open);
    QFETCH(QByteArray, close);
    const auto nested = [&](int depth) {
        const QByteArray inside = open == "a." ? "a" : "1";
        const QByteArray text = open.repeated(depth) + inside + close.repeated(open == "a." ? 1 : depth);
        return open == "a." ? "{" + text + ";}" : text;
    };
    // The limit is above what people write, and everything beyond it is rejected, whatever its size.
    const ParseResult shallow = parse(nested(open.size() > 40 ? 80 : 300));
    QVERIFY2(shallow.ok(), qPrintable(shallow.error.value_or(ParseError()).message));
    const int many = 3'000'000 / int(open.size() + close.size());
    const ParseResult deep = parse(nested(many));
    QVERIFY(!deep.ok());
    QCOMPARE(deep.error->kind, ParseError::TooDeep);
    QVERIFY(parse(nested(1), {.maxDepth = 20}).ok());
    QVERIFY(!parse(nested(25), {.maxDepth = 20}).ok());
    const ParseResult unclosed = parse(open.repeated(many));
    QVERIFY(!unclosed.ok());
}

void tst_NixLimits::chainsAreNotNesting_data()
{
    QTest::addColumn<QByteArray>("code");
    constexpr int count = 200000;
    QTest::newRow("+") << "1" + repeated("+1", count);
    QTest::newRow("++") << "[]" + repeated("++[]", count);
    QTest::newRow("//") << "{}" + repeated("//{}", count);
    QTest::newRow("->") << "true" + repeated(" ->true", count);
    QTest::newRow("&&") << "true" + repeated("&&true", count);
    QTest::newRow("?") << "{}" + repeated("?a", count);
    QTest::newRow("application") << "map" + repeated(" 1", count);
    QTest::newRow("list") << "[" + repeated(" 1", count) + "]";
    QTest::newRow("selection") << "{}" + repeated(".a", count);
    QTest::newRow("text") << "\"" + repeated("${\"a\"}b", count) + "\"";
    QTest::newRow("indented text") << "''" + repeated("${\"a\"}\n  b''$", count) + "''";
    QTest::newRow("sets") << "{" + repeated("${toString 1}=1;", count) + "}";
    QTest::newRow("formals") << [] {
        QByteArray text = "{";
        for (int i = 0; i < count; ++i)
            text += "a" + QByteArray::number(i) + ",";
        return text + "...}: a7";
    }();
    QTest::newRow("names, which look like the beginning of a path") << "{}.a" + repeated(".b-c+d", count);
    QTest::newRow("comments") << repeated("/**/#\n", count) + "1";
}

void tst_NixLimits::chainsAreNotNesting()
{
    QFETCH(QByteArray, code);
    const ParseResult result = parse(code);
    QVERIFY2(result.ok() || code.contains("b-c+d"), qPrintable(result.error.value_or(ParseError()).message));
}

void tst_NixLimits::refusesTooLargeFiles()
{
    const ParseResult result = parse(QByteArray(50 * 1024 * 1024, ' ') + "1");
    QCOMPARE(result.error->kind, ParseError::TooLarge);
    QVERIFY(result.tree && !result.tree->root());
    QCOMPARE(result.error->place, (Place{1, 1}));
    QVERIFY(parse("[ 1 ]", {.maxBytes = 5}).ok());
    QVERIFY(!parse("[ 1 ] ", {.maxBytes = 5}).ok());
}

void tst_NixLimits::memoryIsBounded_data()
{
    QTest::addColumn<QByteArray>("open");
    QTest::addColumn<QByteArray>("repeated");
    QTest::addColumn<QByteArray>("close");
    const auto row = [](const char *open, const char *repeated, const char *close) {
        QTest::newRow(repeated) << QByteArray(open) << QByteArray(repeated) << QByteArray(close);
    };
    row("[", "{}", "]");
    row("[", "{a.b=1;}", "]");
    row("[", "\"\"", "]");
    row("1", "+1", "");
    row("{}", "?a", "");
    row("{}", ".a", "");
    row("{", "${1}=1;", "}");
    row("''", "${1}", "''");
    row("''", "''$", "''");
    row("[", "/a ", "]");
    row("", "#\n", "1");
    row("", "\n", "1");
    row("[", "(a:1)", "]");
}

/// The guarantees of Parse.h for the files with the largest trees per byte.
void tst_NixLimits::memoryIsBounded()
{
    QFETCH(QByteArray, open);
    QFETCH(QByteArray, repeated);
    QFETCH(QByteArray, close);
    const QByteArray text = open + repeated.repeated(1'000'000 / repeated.size()) + close;
    const size_t before = memoryInUse();
    const ParseResult result = parse(text);
    const size_t taken = memoryInUse() - before;
    QVERIFY2(result.ok(), qPrintable(result.error.value_or(ParseError()).message));
    QVERIFY2(taken <= 80 * size_t(text.size()), qPrintable(QString::number(taken / size_t(text.size()))));
}

TM_TEST(tst_NixLimits, void)
#include "tst_nixlimits.moc"
