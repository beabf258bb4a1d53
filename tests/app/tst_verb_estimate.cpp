// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonArray>
#include <QMap>
#include <QSysInfo>

using namespace Qt::StringLiterals;
using tmx::test::Ran;
using tmx::test::VerbFixture;

namespace {

/// A variant of each platform: one that this machine builds, and one that only a builder does.
QString ownSystem()
{
    return QSysInfo::buildCpuArchitecture() == u"arm64"_s ? u"aarch64-linux"_s : u"x86_64-linux"_s;
}

QString builders()
{
    return u"ssh://x x86_64-linux - 3 1 big-parallel; ssh://arm aarch64-linux - 2 1 big-parallel"_s;
}

} // namespace

class VerbEstimateTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_state;
    std::unique_ptr<VerbFixture> m_fixture;

    [[nodiscard]] QJsonObject json(const QStringList &arguments) const
    {
        const Ran ran = m_fixture->verb(QStringList{u"estimate"_s, u"--json"_s} + arguments);
        if (ran.exitCode != 0)
            qWarning("%s", ran.err.constData());
        return ran.json();
    }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning();
        m_fixture = std::make_unique<VerbFixture>();
        m_fixture->set(u"TORCH_MATRIX_STATE"_s, m_state.path());
        m_fixture->set(u"NIX_CONFIG"_s, u"builders ="_s);
    }

    /// The JSON has everything in the text; the times are consistent.
    void plansTheWholeBranch()
    {
        for (const QStringList &options : {QStringList{},
                                           {u"--slots"_s, u"5"_s},
                                           {u"--slots"_s, u"5"_s, u"--longest-first"_s},
                                           {u"--builders"_s, builders()}}) {
            const QJsonObject plan = json(options);
            const QJsonArray builds = plan.value(u"builds"_s).toArray();
            QCOMPARE(builds.size() + plan.value(u"leftOut"_s).toArray().size(), 44);
            QCOMPARE(plan.value(u"byDefault"_s).toInt(), builds.size());
            QMap<QString, int> counts;
            QDateTime last = QDateTime::fromString(plan.value(u"begins"_s).toString(), Qt::ISODate);
            QMap<QString, QDateTime> free; // by machine and slot
            for (const auto &value : builds) {
                const QJsonObject build = value.toObject();
                const QDateTime begins = QDateTime::fromString(build.value(u"begins"_s).toString(), Qt::ISODate);
                const QDateTime ends = QDateTime::fromString(build.value(u"ends"_s).toString(), Qt::ISODate);
                QCOMPARE(begins.secsTo(ends), build.value(u"seconds"_s).toInteger());
                QString slot = build.value(u"machine"_s).toString();
                ++counts[slot];
                slot += QString::number(build.value(u"slot"_s).toInt());
                QVERIFY(!free.value(slot).isValid() || free.value(slot) <= begins);
                free[slot] = ends;
                last = std::max(last, ends);
            }
            QCOMPARE(last.toString(Qt::ISODate), plan.value(u"ends"_s).toString());
            for (const auto &value : plan.value(u"machines"_s).toArray()) {
                const QJsonObject machine = value.toObject();
                QCOMPARE(machine.value(u"builds"_s).toInt(), counts.value(machine.value(u"name"_s).toString()));
            }
            QVERIFY(plan.value(u"seconds"_s).toInteger() >= plan.value(u"boundSeconds"_s).toInteger());
            QCOMPARE(plan.value(u"ratio"_s).toDouble(),
                     plan.value(u"seconds"_s).toDouble() / plan.value(u"boundSeconds"_s).toDouble());
        }
        QCOMPARE(json({u"--builders"_s, builders()}).value(u"leftOut"_s).toArray().size(), 0);
        m_fixture->set(u"NIX_CONFIG"_s, u"builders = "_s + builders());
        QCOMPARE(json({}).value(u"leftOut"_s).toArray().size(), 0);
        QVERIFY(json({u"--builders"_s, QString()}).value(u"leftOut"_s).toArray().size() > 0); // none
        m_fixture->set(u"NIX_CONFIG"_s, u"builders ="_s);
        QVERIFY(!QFile::exists(m_state.filePath(u"builds.sqlite"_s))); // it only looks
    }

    void tellsAPerson()
    {
        const Ran ran = m_fixture->verb({u"estimate"_s, u"--slots"_s, u"4"_s});
        QCOMPARE(ran.exitCode, 0);
        for (const char *part :
             {" builds take about ", ", until 20", "  this machine    4 at a time  ", "Longest build: 2 h, ",
              "No plan takes less than ", "Times: all are defaults (2 h for a GPU, 1 h without)"})
            QVERIFY2(ran.out.contains(part), ran.out.constData());
        // Each reason once, and what else has it.
        QCOMPARE(ran.err.count("Left out: "), 1);
        QVERIFY2(ran.err.contains("none of its remote builders is for it") && ran.err.contains(" more."),
                 ran.err.constData());
        QVERIFY(ran.err.contains(
            "note: The queue starts 1 at a time, this estimate assumes 4. \"torch-matrix queue set --parallel 4\""));
        const Ran list = m_fixture->verb({u"estimate"_s, u"--slots"_s, u"4"_s, u"--list"_s});
        QCOMPARE(list.out.count(" default\n"), json({}).value(u"builds"_s).toArray().size());
    }

    void plansWhatIsNamedOrChosen()
    {
        const QString own =
            ownSystem() == u"x86_64-linux"_s ? u"pytorch-python313-cpu-avx2"_s : u"pytorch-python313-cpu-armv9"_s;
        const QString other =
            ownSystem() == u"x86_64-linux"_s ? u"pytorch-python313-cpu-armv9"_s : u"pytorch-python313-cpu-avx2"_s;
        const QJsonObject one = json({own});
        QCOMPARE(one.value(u"seconds"_s).toInt(), 3600);
        QCOMPARE(one.value(u"chain"_s).toArray(), QJsonArray{own});
        QCOMPARE(json({u"--only"_s, u"stale"_s}).value(u"builds"_s).toArray().size(), 0);
        QCOMPARE(json({u"--only"_s, u"stale"_s, u"--only"_s, u"missing"_s}).value(u"seconds"_s),
                 json({}).value(u"seconds"_s));
        QCOMPARE(json({u"--only"_s, u"stale"_s, own}).value(u"builds"_s).toArray().size(), 1);
        const Ran nothing = m_fixture->verb({u"estimate"_s, u"--only"_s, u"failed"_s});
        QCOMPARE(nothing.exitCode, 0);
        QCOMPARE(nothing.err, QByteArray("Nothing to build on main.\n"));
        const Ran none = m_fixture->verb({u"estimate"_s, other});
        QCOMPARE(none.exitCode, 3);
        QVERIFY2(none.err.startsWith("Left out: "), none.err.constData());
        QVERIFY(m_fixture->verb({u"estimate"_s, u"--branch"_s, u"cuda-13_0"_s}).exitCode == 0);
    }

    void aNamedRecipeWithAnError()
    {
        const QString own =
            ownSystem() == u"x86_64-linux"_s ? u"pytorch-python313-cpu-avx2"_s : u"pytorch-python313-cpu-armv9"_s;
        m_fixture->write(u".flox/pkgs/%1.nix"_s.arg(own), "1 + 1\n");
        const Ran ran = m_fixture->verb({u"estimate"_s, own});
        m_fixture->git({u"checkout"_s, u"-q"_s, u"."_s});
        QCOMPARE(ran.exitCode, 0);
        QVERIFY2(ran.err.contains("note: The audit finds errors in " + own.toUtf8()), ran.err.constData());
    }

    void refusesWhatIsWrong()
    {
        for (const QStringList &wrong : {QStringList{u"--slots"_s, u"0"_s},
                                         {u"--slots"_s, u"x"_s},
                                         {u"--only"_s, u"some"_s},
                                         {u"nonsense"_s},
                                         {u"--json"_s, u"--list"_s},
                                         {u"--builders"_s, u"a # b"_s}}) {
            const Ran ran = m_fixture->verb(QStringList{u"estimate"_s} + wrong);
            QVERIFY2(ran.exitCode == 2 && !ran.err.isEmpty() && ran.out.isEmpty(), qPrintable(wrong.join(u' ')));
        }
        QCOMPARE(m_fixture->verb({u"estimate"_s, u"--branch"_s, u"none"_s}).exitCode, 3);
    }
};

TM_TEST(VerbEstimateTest, QCoreApplication)
#include "tst_verb_estimate.moc"
