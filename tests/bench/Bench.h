// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonArray>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <functional>
#include <memory>

/// Compares our work with the same work of another program, alternating in the same run. No result depends on a time
/// limit: a busy machine slows both sides, and the ratio is what matters.
namespace tmx::bench {

/// The cost of one run.
struct Sample {
    double ms = 0;      ///< wall-clock time
    double cpu = -1;    ///< milliseconds on all processors together; below 0: unknown
    qint64 memory = -1; ///< maximum in KiB; for a part: what it added to the program's; below 0: unknown
};

using Side = std::function<Sample(int run)>; ///< `run` is 0, 1, ..., so that each run can have its own files

/// A program with its arguments. Its output is discarded.
struct Started {
    QString program;
    QStringList arguments;
    QString folder;            ///< working folder; empty: the current one
    QString input;             ///< file for its standard input; empty: none
    QList<int> codes = {0, 1}; ///< exit codes that count as success
};

/// Runs a program; any other exit ends the bench.
Sample timed(const Started &started);
/// Our program.
Sample ours(const QStringList &arguments, const QString &folder = {});
/// Runs a part in a separate process, which reports its cost after its preparations.
Sample part(const QString &name, const QStringList &arguments = {});
/// The whole process of a part, from start to end.
Sample partWithStart(const QString &name, const QStringList &arguments = {});

/// A part of a row that needs a separate process: it prepares, works, and reports once.
using Part = std::function<Sample(const QStringList &arguments)>;

/// Measures a part's work. Memory is the increase since the start of the work.
Sample inside(const std::function<void()> &work);

/// A folder for the row's files, and the plain git and HOME for its programs. Removed at the end of the bench.
QString scratch(const QString &name);
QByteArray git(const QString &folder, const QStringList &arguments);
[[noreturn]] void fail(const QString &why);
void writeFile(const QString &path, const QByteArray &bytes);

/// The printed table.
class Table
{
public:
    Table(int runs, bool json)
        : m_runs(runs)
        , m_json(json)
    {
    }

    /// Measures both sides alternately, as often as --runs says; at most `most` times unless that is 0. Without
    /// `theirs` only the work is measured.
    void measure(const QString &work, const QString &other, const Side &ours, const Side &theirs = {}, int most = 0);
    /// Says why a row cannot be measured here.
    void leaveOut(const QString &work, const QString &why);
    void finish() const; ///< prints the machine, and the JSON if requested

    [[nodiscard]] bool isQuick() const { return m_quick; }
    void setQuick(bool quick) { m_quick = quick; }

private:
    int m_runs;
    bool m_json;
    bool m_quick = false;
    bool m_begun = false;
    QJsonArray m_rows;
};

/// The rows, by source.
void version(Table &table);
void generate(Table &table);
void derive(Table &table);
void branches(Table &table);
void wrapped(Table &table);
void compare(Table &table);
void parse(Table &table);
void render(Table &table);
void window(Table &table);
void branchInWindow(Table &table);
void grid(Table &table);
void log(Table &table);
void console(Table &table);
void farm(Table &table);
void scale(Table &table);

/// The parts, by source.
Sample parsePart(const QStringList &arguments);
Sample evaluatePart(const QStringList &arguments);
Sample renderPart(const QStringList &arguments);
Sample windowPart(const QStringList &arguments);
Sample gridPart(const QStringList &arguments);
Sample logPart(const QStringList &arguments);
Sample consolePart(const QStringList &arguments);
Sample historyPart(const QStringList &arguments);

} // namespace tmx::bench
