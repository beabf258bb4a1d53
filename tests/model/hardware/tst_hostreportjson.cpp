// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/HostReportJson.h"
#include "model/hardware/VariantPicker.h"
#include "tests/model/hardware/Machines.h"
#include "tests/support/TestMain.h"

#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;
using namespace tmx;

class HostReportJsonTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }
    void writesReports();
    void writesWhatIsUnknown();
    void writesPicks();
    void namesFits();
};

void HostReportJsonTest::writesReports()
{
    HostReport report = test::capturedH100();
    report.cpuFlags = {u"avx"_s, u"lm"_s};
    report.remarks = {u"A remark."_s};
    report.os = u"Debian GNU/Linux 12 (bookworm)"_s;
    report.freeDiskBytes = qint64(200) << 30;
    report.nixSystems = {u"x86_64-linux"_s};
    report.builders = {u"ssh://arm (aarch64-linux)"_s};
    report.sources = {{u"cpu"_s, u"/proc/cpuinfo"_s}};
    const QJsonObject expected{
        {u"name"_s, u"box"_s},
        {u"system"_s, u"x86_64-linux"_s},
        {u"cpu"_s, QJsonObject{{u"model"_s, u"Intel(R) Xeon(R) Processor"_s},
                               {u"cores"_s, 2},
                               {u"flags"_s, QJsonArray{u"avx"_s, u"lm"_s}}}},
        {u"memoryBytes"_s, qint64(128) << 30},
        {u"driver"_s, u"580.159.04"_s},
        {u"gpus"_s, QJsonArray{QJsonObject{{u"name"_s, u"NVIDIA H100 80GB HBM3"_s},
                                           {u"capability"_s, u"9.0"_s},
                                           {u"memory"_s, u"81559 MiB"_s},
                                           {u"busId"_s, u"0000:00:06.0"_s},
                                           {u"source"_s, u"nvidia-smi"_s}}}},
        {u"os"_s, u"Debian GNU/Linux 12 (bookworm)"_s},
        {u"freeDiskBytes"_s, qint64(200) << 30},
        {u"nixSystems"_s, QJsonArray{u"x86_64-linux"_s}},
        {u"builders"_s, QJsonArray{u"ssh://arm (aarch64-linux)"_s}},
        {u"sources"_s, QJsonObject{{u"cpu"_s, u"/proc/cpuinfo"_s}}},
        {u"remarks"_s, QJsonArray{u"A remark."_s}},
    };
    QCOMPARE(toJson(report), expected);
    const Result<HostReport> back = hostReportFromJson(expected);
    QVERIFY(back);
    QCOMPARE(*back, report);
    QVERIFY(!hostReportFromJson({{u"name"_s, u"x"_s}}));
}

void HostReportJsonTest::writesWhatIsUnknown()
{
    QCOMPARE(
        QJsonDocument(toJson(HostReport{})).toJson(QJsonDocument::Compact),
        QByteArray(
            R"({"builders":[],"cpu":{"cores":0,"flags":[],"model":""},"driver":"","freeDiskBytes":0,"gpus":[],"memoryBytes":0,"name":"",)"
            R"("nixSystems":[],"os":"","remarks":[],"sources":{},"system":""})"));
}

void HostReportJsonTest::writesPicks()
{
    const Pick pick{
        {u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx512"_s}, Fit::RunsUntuned, {u"Why."_s}, true};
    QCOMPARE(
        QJsonDocument(toJson(pick)).toJson(QJsonDocument::Compact),
        QByteArray(
            R"({"covered":true,"cuda":"12.8","family":"pytorch","file":".flox/pkgs/pytorch-python313-cuda12_8-sm90-avx512.nix","fit":"runs-untuned",)"
            R"("gpu":"sm90","isa":"avx512","name":"pytorch-python313-cuda12_8-sm90-avx512","pairing":"","python":"python313","reasons":["Why."],"rest":"","version":""})"));
}

void HostReportJsonTest::namesFits()
{
    QCOMPARE(toString(Fit::Exact), u"exact"_s);
    QCOMPARE(toString(Fit::RunsUntuned), u"runs-untuned"_s);
    QCOMPARE(toString(Fit::DoesNotRun), u"does-not-run"_s);
}

TM_TEST(HostReportJsonTest, void)
#include "tst_hostreportjson.moc"
