// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// bench [--quick] [--json] [--runs N] [--list] [ROW...]: see packaging/bench.sh. It runs itself with --part NAME
// ARGS... for work that needs a separate process.
#include "tests/bench/Bench.h"

#include <QApplication>

#include <algorithm>
#include <cstdio>

using namespace Qt::StringLiterals;
using namespace tmx::bench;

namespace {

struct Row {
    const char *name;
    void (*measure)(Table &table);
    const char *text;
};
constexpr Row rows[] = {
    {"version", version, "start of a verb"},
    {"generate", generate, "write and commit the recipes of a line"},
    {"derive", derive, "derive a line of 62 recipes"},
    {"branches", branches, "understand and audit every recipe of nine branches, without and with a cache"},
    {"wrappers", wrapped,
     "understand and audit 800 recipes that call one file, without and with a cache; evaluate them"},
    {"compare", compare, "compare nine branches"},
    {"parse", parse, "parse Nix"},
    {"render", render, "render 100,000 variants to memory"},
    {"window", window, "first painted window"},
    {"branch", branchInWindow, "show another branch in the window"},
    {"grid", grid, "grid of 1,000 x 1,000 cells"},
    {"log", log, "index a log of 1 GB and paint its end"},
    {"console", console, "a build that prints 100,000 lines: how long the window stands still"},
    {"farm", farm, "plan 10,000 builds on 500 slots: how long the farm works"},
    {"scale", scale, "the same work at 1, 10 and 100 times the size"},
};

struct NamedPart {
    const char *name;
    Sample (*work)(const QStringList &arguments);
};
constexpr NamedPart parts[] = {
    {"parse", parsePart}, {"evaluate", evaluatePart}, {"render", renderPart},   {"window", windowPart},
    {"grid", gridPart},   {"log", logPart},           {"console", consolePart}, {"history", historyPart},
};

int usage()
{
    std::fputs("bench.sh [--quick] [--json] [--runs N] [ROW...]\nRows:\n", stderr);
    for (const Row &row : rows)
        std::fprintf(stderr, "  %-10s %s\n", row.name, row.text);
    return 2;
}

int runPart(int argc, char **argv)
{
    for (const NamedPart &part : parts) {
        if (argc < 3 || qstrcmp(part.name, argv[2]) != 0)
            continue;
        QStringList arguments;
        for (int i = 3; i < argc; ++i)
            arguments.append(QString::fromLocal8Bit(argv[i]));
        const QApplication app(argc, argv);
        const Sample sample = part.work(arguments);
        std::printf("%f %f %lld\n", sample.ms, sample.cpu, static_cast<long long>(sample.memory));
        std::fflush(stdout);
        std::_Exit(0); // The tear-down is not part of the work.
    }
    return usage();
}

} // namespace

int main(int argc, char **argv)
{
    if (argc > 1 && qstrcmp(argv[1], "--part") == 0)
        return runPart(argc, argv);
    const QCoreApplication app(argc, argv);
    QStringList names = QCoreApplication::arguments().mid(1);
    const bool quick = names.removeAll(u"--quick"_s) > 0;
    const bool json = names.removeAll(u"--json"_s) > 0;
    int runs = quick ? 3 : 7;
    if (const qsizetype at = names.indexOf(u"--runs"_s); at >= 0) {
        runs = names.value(at + 1).toInt();
        names.remove(at, std::min<qsizetype>(2, names.size() - at));
    }
    const auto isRow = [](const QString &name) {
        return std::ranges::any_of(rows, [&name](const Row &row) { return name == QLatin1StringView(row.name); });
    };
    if (runs < 1 || !std::ranges::all_of(names, isRow))
        return usage();
    scratch({}); // A private home, before anything reads the user's.
    Table table(runs, json);
    table.setQuick(quick);
    for (const Row &row : rows) {
        if (names.isEmpty() || names.contains(QLatin1StringView(row.name)))
            row.measure(table);
    }
    table.finish();
    return 0;
}
