// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonArray>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <functional>
#include <memory>

/// Work of ours beside the same work of another program, alternating in the same run. Nothing here passes or fails by a
/// time: a machine that is busy makes both sides slow, and the ratio says what there is to say.
namespace tmx::bench {

/// What a work took once.
struct Sample {
    double ms = 0;      ///< by the clock
    double cpu = -1;    ///< milliseconds of all processors together; below 0: not known
    qint64 memory = -1; ///< KiB at most; of a part: what it added to the program's; below 0: not known
};

using Side = std::function<Sample(int run)>; ///< of run 0, 1, ...: so that each can have files of its own

/// A program with what it is given. Its output goes nowhere.
struct Started {
    QString program;
    QStringList arguments;
    QString folder;            ///< where it starts; empty: here
    QString input;             ///< a file for its standard input; empty: none
    QList<int> codes = {0, 1}; ///< exit codes of one that did its work
};

/// Runs a program; what it does otherwise than by `codes` ends the bench.
Sample timed(const Started &started);
/// Our program.
Sample ours(const QStringList &arguments, const QString &folder = {});
/// Runs a part in a process of its own, which says what it took after its preparations.
Sample part(const QString &name, const QStringList &arguments = {});
/// The whole process of a part, from start to end.
Sample partWithStart(const QString &name, const QStringList &arguments = {});

/// A part of a row that needs a process of its own: it prepares, works, and reports once.
using Part = std::function<Sample(const QStringList &arguments)>;

/// Takes the time of a part's work. Memory is what the process needs more than when it began.
Sample inside(const std::function<void()> &work);

/// A folder for the row's files, and the plain git and HOME that its programs get. Gone with the bench.
QString scratch(const QString &name);
QByteArray git(const QString &folder, const QStringList &arguments);
[[noreturn]] void fail(const QString &why);
void writeFile(const QString &path, const QByteArray &bytes);

/// What is printed.
class Table
{
public:
    Table(int runs, bool json)
        : m_runs(runs)
        , m_json(json)
    {
    }

    /// Measures both sides `runs` times in turn. Without `theirs` the work stands alone. `runs` 0: as many as the
    /// others have.
    void measure(const QString &work, const QString &other, const Side &ours, const Side &theirs = {}, int runs = 0);
    /// Says why a row cannot be measured here.
    void leaveOut(const QString &work, const QString &why);
    void finish() const; ///< the machine, and the JSON where that is asked for

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
Sample renderPart(const QStringList &arguments);
Sample windowPart(const QStringList &arguments);
Sample gridPart(const QStringList &arguments);
Sample logPart(const QStringList &arguments);
Sample consolePart(const QStringList &arguments);
Sample historyPart(const QStringList &arguments);

} // namespace tmx::bench
