// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/job/Queue.h"
#include "tests/support/FileText.h"
#include "tests/support/JobProcesses.h"

#include <QTest>

namespace tmx::test {

/// Twenty recipes of the sample's main branch.
inline QStringList twentyNames()
{
    QStringList all;
    for (const char *row : {"sm80", "sm86", "sm89", "sm90", "sm100"}) {
        for (const char *isa : {"avx2", "avx512", "avx512bf16", "avx512vnni"})
            all.append(
                QStringLiteral("pytorch-python313-cuda12_8-%1-%2").arg(QLatin1StringView(row), QLatin1StringView(isa)));
    }
    return all;
}

/// The calls of `flox build` that the stand-in recorded in the file `calls`, each split into words.
inline QList<QByteArrayList> floxBuilds(const QString &calls)
{
    QList<QByteArrayList> builds;
    for (const QByteArray &line : contentOf(calls).split('\n')) {
        if (line.startsWith("build\t"))
            builds.append(line.split('\t'));
    }
    return builds;
}

/// The packages of floxBuilds(), in their order.
inline QStringList floxPackages(const QString &calls)
{
    QStringList packages;
    const QList<QByteArrayList> builds = floxBuilds(calls);
    for (const QByteArrayList &build : builds)
        packages.append(QString::fromUtf8(build.constLast()));
    return packages;
}

/// Verifies that each of the twenty was built once by a stand-in that acts `steps:40`, that no line of a log is lost,
/// and that no process is left.
inline void verifyTwentyBuilt(const QString &state, const QString &calls)
{
    QTRY_VERIFY(isQuiet(state));
    QStringList ran = floxPackages(calls);
    QStringList wanted = twentyNames();
    ran.sort();
    wanted.sort();
    QCOMPARE(ran, wanted);
    const QList<JobRecord> jobs = readJobs(state);
    QByteArray all;
    for (const JobRecord &record : jobs)
        all += '\n' + record.job.id.toUtf8() + ' ' + record.job.package.toUtf8() + ' ' +
               (record.outcome ? record.outcome->build.sentence.toUtf8()
                               : "phase " + QByteArray::number(int(record.phase)));
    QVERIFY2(jobs.size() == 20, all);
    for (const JobRecord &record : jobs) {
        QVERIFY(record.outcome);
        QCOMPARE(wordOf(record.outcome->build.kind), QStringLiteral("built"));
        const QByteArray log = contentOf(record.folder.logFile());
        QVERIFY(log.startsWith("Building python3.13-"));
        for (int step = 1; step <= 40; ++step)
            QCOMPARE(log.count("> [" + QByteArray::number(step) + "/40] "), 1);
        QVERIFY(log.contains("Completed build of "));
        QVERIFY(log.endsWith("-dev\n"));
    }
}

} // namespace tmx::test
