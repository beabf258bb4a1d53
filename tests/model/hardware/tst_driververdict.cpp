// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Catalog.h"
#include "model/hardware/DriverVerdict.h"
#include "tests/model/hardware/Machines.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/TestMain.h"

using namespace Qt::StringLiterals;
using namespace tmx;
using Kind = tmx::DriverVerdict::Kind;

class DriverVerdictTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init() { QTest::failOnWarning(); }
    void judges_data();
    void judges();
    void judgesForSeveralToolkits_data();
    void judgesForSeveralToolkits();
    void agreesWithTheRecipesText();

private:
    std::shared_ptr<const Catalog> m_catalog;
};

void DriverVerdictTest::initTestCase()
{
    m_catalog = testing::builtInCatalog();
}

void DriverVerdictTest::judges_data()
{
    QTest::addColumn<QString>("driver");
    QTest::addColumn<QString>("cuda");
    QTest::addColumn<QString>("row");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QString>("needed");
    const auto row = [](const char *driver, const char *cuda, const char *gpu, Kind kind, const char *needed) {
        QTest::addRow("%s, CUDA %s, %s", driver, cuda, gpu)
            << QString::fromUtf8(driver) << QString::fromUtf8(cuda) << QString::fromUtf8(gpu) << kind
            << QString::fromUtf8(needed);
    };
    row("570.26", "12.8", "sm90", Kind::Good, "525.60.13");
    row("570.25.99", "12.8", "sm90", Kind::MinorVersion, "525.60.13");
    row("525.60.13", "12.8", "sm90", Kind::MinorVersion, "525.60.13");
    row("525.60.12", "12.8", "sm90", Kind::TooOld, "525.60.13");
    row("525.60", "12.8", "sm90", Kind::TooOld, "525.60.13");
    row("580", "13.0", "sm90", Kind::MinorVersion, "580");
    row("580.65.06", "13.0", "sm90", Kind::Good, "580");
    row("579.99", "13.0", "sm90", Kind::TooOld, "580");
    row("580.159.04", "13.1", "sm90", Kind::MinorVersion, "580");
    row("590.44.01", "13.1", "sm90", Kind::Good, "580");
    row("9000.1", "13.1", "sm90", Kind::Good, "580");
    row("560.35.03", "12.8", "sm120", Kind::TooOld, "570"); // enough for the toolkit, but it does not know the GPU
    row("570.00", "12.8", "sm120", Kind::MinorVersion, "570");
    row("570.26", "12.8", "sm100", Kind::Good, "570");
    row("560.35.03", "12.9", "sm103", Kind::TooOld, "570");
    row("570.86.10", "13.0", "sm120", Kind::TooOld, "580"); // knows the GPU, but is below the toolkit's floor
    row("", "12.8", "sm90", Kind::Unknown, "525.60.13");
    row("580.65.06", "99.9", "sm90", Kind::Unknown, "");
    row("580.65.06", "13.0", "", Kind::Good, "580");
}

void DriverVerdictTest::judges()
{
    QFETCH(QString, driver);
    QFETCH(QString, cuda);
    QFETCH(QString, row);
    QFETCH(Kind, kind);
    QFETCH(QString, needed);
    const DriverVerdict verdict = judgeDriver(*m_catalog, driver, cuda, m_catalog->row(row));
    QCOMPARE(verdict.kind, kind);
    QCOMPARE(verdict.needed, needed);
    QVERIFY(verdict.sentence.endsWith(u'.'));
    if (kind == Kind::TooOld) // says which one to install
        QVERIFY(verdict.sentence.contains(needed + " or newer"_L1));
}

void DriverVerdictTest::judgesForSeveralToolkits_data()
{
    QTest::addColumn<HostReport>("host");
    QTest::addColumn<QStringList>("cudas");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QString>("sentence");
    const auto rtx = [](const QString &driver) {
        return test::machine(u"i9-12900k"_s, u"0, RTX 3090, 8.6, %1, 24576 MiB, 00000000:01:00.0\n"_s.arg(driver));
    };
    const QStringList both{u"12.8"_s, u"13.0"_s};
    QTest::newRow("newest toolkit") << rtx(u"580.65.06"_s) << both << Kind::Good
                                    << u"Driver 580.65.06 is new enough for CUDA 13.0 (580.65.06 or later)."_s;
    QTest::newRow("the older toolkit runs") << rtx(u"570.86.10"_s) << both << Kind::Good
                                            << u"Driver 570.86.10 is new enough for CUDA 12.8 (570.26 or later)."_s;
    QTest::newRow("none runs: the least is asked for")
        << rtx(u"470.82.01"_s) << both << Kind::TooOld
        << u"CUDA 12.8 needs NVIDIA driver 525.60.13 or newer; this machine has 470.82.01."_s;
    QTest::newRow("no driver") << test::machineByPci(u"i9-12900k"_s, {u"2204"_s}) << both << Kind::Missing
                               << u"No NVIDIA driver is loaded; CUDA 12.8 needs 525.60.13 or newer."_s;
    QTest::newRow("no GPU") << test::machine(u"ryzen-7-5800u"_s, {}) << both << Kind::Unknown << QString();
    QTest::newRow("no CUDA") << rtx(u"580.65.06"_s) << QStringList() << Kind::Unknown << QString();
}

void DriverVerdictTest::judgesForSeveralToolkits()
{
    QFETCH(HostReport, host);
    QFETCH(QStringList, cudas);
    QFETCH(Kind, kind);
    QFETCH(QString, sentence);
    const DriverVerdict verdict = judgeDriver(*m_catalog, host, cudas);
    QCOMPARE(verdict.kind, kind);
    QCOMPARE(verdict.sentence, sentence);
}

void DriverVerdictTest::agreesWithTheRecipesText()
{
    int compared = 0;
    for (const Settings &settings : m_catalog->builtIn) {
        for (const Variant &variant : settings.promised()) {
            if (variant.cuda.isEmpty())
                continue;
            QCOMPARE(judgeDriver(*m_catalog, {}, variant.cuda, m_catalog->row(variant.row)).needed,
                     m_catalog->driverFloor(variant));
            ++compared;
        }
    }
    QVERIFY(compared > 100);
}

TM_TEST(DriverVerdictTest, void)
#include "tst_driververdict.moc"
