// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/bench/Bench.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QProcess>
#include <QSysInfo>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <malloc.h>
#include <thread>

using namespace Qt::StringLiterals;

namespace tmx::bench {

namespace {

double processorTime()
{
    timespec time = {};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

/// The value in a file of "Name: value" lines; empty if there is none.
QByteArray lineOf(const QString &path, const QByteArray &name)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    for (const QByteArray &line : file.readAll().split('\n')) {
        if (line.startsWith(name))
            return line.mid(line.indexOf(':') + 1).simplified();
    }
    return {};
}

qint64 kibibytes(const QByteArray &name)
{
    return lineOf(u"/proc/self/status"_s, name).split(' ').constFirst().toLongLong();
}

struct Spread {
    double least = 0;
    double median = 0;
    double most = 0;
};

Spread spreadOf(QList<double> values)
{
    std::ranges::sort(values);
    return {values.constFirst(), values.at(values.size() / 2), values.constLast()};
}

/// Three digits: "0.0123", "4.56", "789", "12,300".
QString number(double value)
{
    if (value >= 100)
        return QLocale::c().toString(value, 'f', 0);
    const int digits = value >= 10 ? 1 : value >= 1 ? 2 : 3;
    return QString::number(value, 'f', digits);
}

QString milliseconds(const QList<Sample> &samples)
{
    QList<double> values;
    for (const Sample &sample : samples)
        values.append(sample.ms);
    return number(spreadOf(values).median) + u" ms"_s;
}

QString memoryText(const QList<Sample> &samples)
{
    QList<double> values;
    for (const Sample &sample : samples)
        values.append(double(sample.memory) / 1024);
    const double most = values.isEmpty() ? -1 : spreadOf(values).median;
    return most < 0 ? u"-"_s : number(most) + u" MiB"_s;
}

QString machine()
{
    const QString processor = QString::fromUtf8(lineOf(u"/proc/cpuinfo"_s, "model name"));
    const double memory = double(lineOf(u"/proc/meminfo"_s, "MemTotal").split(' ').constFirst().toLongLong());
    return u"%1, %2 cores, %3 GiB, %4, Linux %5"_s.arg(processor)
        .arg(std::thread::hardware_concurrency())
        .arg(number(memory / 1024 / 1024), QSysInfo::prettyProductName(), QSysInfo::kernelVersion());
}

QJsonObject json(const QList<Sample> &samples)
{
    QJsonArray ms, cpu, memory;
    for (const Sample &sample : samples) {
        ms.append(sample.ms);
        cpu.append(sample.cpu);
        memory.append(sample.memory);
    }
    return {{u"ms"_s, ms}, {u"cpu"_s, cpu}, {u"kib"_s, memory}};
}

const QTemporaryDir &home()
{
    static const QTemporaryDir folder;
    return folder;
}

} // namespace

void fail(const QString &why)
{
    std::fprintf(stderr, "bench: %s\n", qPrintable(why));
    std::_Exit(3); // Leaving a temporary folder behind is acceptable.
}

void writeFile(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        fail(u"cannot write "_s + path);
}

QString scratch(const QString &name)
{
    static const bool prepared = [] {
        const QString path = home().path();
        for (const auto &[variable, folder] :
             {std::pair("HOME", u""_s), std::pair("XDG_CONFIG_HOME", u"/.config"_s),
              std::pair("XDG_CACHE_HOME", u"/.cache"_s), std::pair("XDG_STATE_HOME", u"/.state"_s),
              std::pair("XDG_DATA_HOME", u"/.data"_s)})
            qputenv(variable, (path + folder).toUtf8());
        qputenv("GIT_CONFIG_NOSYSTEM", "1");
        qputenv("QT_QPA_PLATFORM", "offscreen");
        writeFile(path + u"/.gitconfig"_s,
                  "[user]\n\tname = A Tester\n\temail = tester@example.org\n[gc]\n\tauto = 0\n");
        return true;
    }();
    Q_UNUSED(prepared);
    return home().filePath(name);
}

QByteArray git(const QString &folder, const QStringList &arguments)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(u"git"_s, arguments);
    if (!process.waitForFinished(-1) || process.exitCode() != 0)
        fail(u"git %1: %2"_s.arg(arguments.join(u' '), QString::fromUtf8(process.readAllStandardError())));
    return process.readAllStandardOutput();
}

Sample timed(const Started &started)
{
    const QString report = scratch(u"report"_s);
    QFile::remove(report);
    QProcess process;
    if (!started.folder.isEmpty())
        process.setWorkingDirectory(started.folder);
    process.setStandardInputFile(started.input.isEmpty() ? QProcess::nullDevice() : started.input);
    process.setStandardOutputFile(QProcess::nullDevice());
    process.start(QCoreApplication::applicationDirPath() + u"/bench-timed"_s,
                  QStringList{report, started.program} + started.arguments);
    if (!process.waitForFinished(-1) || process.exitCode() != 0)
        fail(u"%1 cannot be started: %2"_s.arg(started.program, QString::fromUtf8(process.readAllStandardError())));
    QFile file(report);
    const QList<QByteArray> values =
        file.open(QIODevice::ReadOnly) ? file.readAll().simplified().split(' ') : QList<QByteArray>();
    if (values.size() != 4 || !started.codes.contains(values.at(3).toInt()))
        fail(u"%1 %2: %3"_s.arg(started.program, started.arguments.join(u' '),
                                QString::fromUtf8(process.readAllStandardError())));
    return {values.at(0).toDouble() / 1e3, values.at(1).toDouble() / 1e3, values.at(2).toLongLong()};
}

Sample ours(const QStringList &arguments, const QString &folder)
{
    return timed({QStringLiteral(TM_PROGRAM), arguments, folder, {}, {0, 1}});
}

Sample partWithStart(const QString &name, const QStringList &arguments)
{
    return timed({QCoreApplication::applicationFilePath(), QStringList{u"--part"_s, name} + arguments, {}, {}, {0}});
}

Sample part(const QString &name, const QStringList &arguments)
{
    scratch({});
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(QCoreApplication::applicationFilePath(), QStringList{u"--part"_s, name} + arguments);
    if (!process.waitForFinished(-1) || process.exitCode() != 0)
        fail(u"the part %1 failed"_s.arg(name));
    const QList<QByteArray> values = process.readAllStandardOutput().simplified().split(' ');
    if (values.size() != 3)
        fail(u"the part %1 said nothing"_s.arg(name));
    return {values.at(0).toDouble(), values.at(1).toDouble(), values.at(2).toLongLong()};
}

Sample inside(const std::function<void()> &work)
{
    ::malloc_trim(0);
    // Resets the peak if the kernel allows it: preparations may have needed more than the work.
    QFile peak(u"/proc/self/clear_refs"_s);
    if (peak.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
        peak.write("5");
    const qint64 before = kibibytes("VmRSS");
    const double cpu = processorTime();
    QElapsedTimer clock;
    clock.start();
    work();
    const double ms = double(clock.nsecsElapsed()) / 1e6;
    return {ms, processorTime() - cpu, kibibytes("VmHWM") - before};
}

void Table::measure(const QString &work, const QString &other, const Side &ours, const Side &theirs, int most)
{
    if (!m_json && !m_begun)
        std::printf("%-58s %-38s %11s %11s  %-23s %6s  %s\n", "work", "the other", "ours", "the other",
                    "ratio (least to most)", "CPU", "memory: ours, the other");
    m_begun = true;
    QList<Sample> mine, others;
    QList<double> ratios, ofProcessors;
    for (int run = 0; run < (most > 0 ? std::min(most, m_runs) : m_runs); ++run) {
        mine.append(ours(run));
        if (!theirs)
            continue;
        others.append(theirs(run));
        ratios.append(mine.constLast().ms / std::max(others.constLast().ms, 1e-6));
        if (mine.constLast().cpu >= 0 && others.constLast().cpu > 0)
            ofProcessors.append(mine.constLast().cpu / others.constLast().cpu);
    }
    const Spread ratio = theirs ? spreadOf(ratios) : Spread();
    const double ofProcessor = ofProcessors.isEmpty() ? -1 : spreadOf(ofProcessors).median;
    QJsonObject row{{u"work"_s, work}, {u"runs"_s, mine.size()}, {u"ours"_s, json(mine)}};
    if (theirs) {
        row.insert(u"other"_s, other);
        row.insert(u"theirs"_s, json(others));
        row.insert(u"ratio"_s,
                   QJsonObject{{u"median"_s, ratio.median}, {u"least"_s, ratio.least}, {u"most"_s, ratio.most}});
        if (ofProcessor >= 0)
            row.insert(u"processorRatio"_s, ofProcessor);
    }
    m_rows.append(row);
    if (m_json)
        return;
    const QString shown =
        theirs ? u"%1 (%2 to %3)"_s.arg(number(ratio.median), number(ratio.least), number(ratio.most)) : u"-"_s;
    std::printf("%-58s %-38s %11s %11s  %-23s %6s  %s, %s\n", qPrintable(work), qPrintable(theirs ? other : u"-"_s),
                qPrintable(milliseconds(mine)), qPrintable(theirs ? milliseconds(others) : u"-"_s), qPrintable(shown),
                qPrintable(ofProcessor < 0 ? u"-"_s : number(ofProcessor)), qPrintable(memoryText(mine)),
                qPrintable(memoryText(others)));
    std::fflush(stdout);
}

void Table::leaveOut(const QString &work, const QString &why)
{
    m_rows.append(QJsonObject{{u"work"_s, work}, {u"leftOut"_s, why}});
    if (!m_json)
        std::printf("%-58s left out: %s\n", qPrintable(work), qPrintable(why));
}

void Table::finish() const
{
    if (!m_json) {
        std::printf("\nMedians of %d. CPU: the ratio of processor time. Machine: %s\n", m_runs, qPrintable(machine()));
        return;
    }
    const QJsonObject whole{{u"machine"_s, machine()}, {u"runs"_s, m_runs}, {u"rows"_s, m_rows}};
    std::printf("%s\n", QJsonDocument(whole).toJson(QJsonDocument::Indented).constData());
}

} // namespace tmx::bench
