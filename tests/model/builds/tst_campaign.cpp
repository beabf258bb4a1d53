// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/BuildTimes.h"
#include "model/builds/Campaign.h"
#include "model/fleet/BuiltRecipes.h"

#include "tests/support/BuiltInCatalog.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/Snapshots.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QJsonArray>
#include <QTest>
#include <QXmlStreamReader>

using namespace Qt::StringLiterals;
using namespace tmx;
using Kind = BuildOutcome::Kind;

namespace {

QString blobOf(const QByteArray &text)
{
    return QString::fromLatin1(
        QCryptographicHash::hash("blob " + QByteArray::number(text.size()) + '\0' + text, QCryptographicHash::Sha1)
            .toHex());
}

} // namespace

class tst_Campaign : public QObject
{
    Q_OBJECT

    BranchSnapshot m_snapshot;
    QStringList m_names;

    [[nodiscard]] BuildRecord recordOf(const QString &name, Kind outcome, qint64 seconds, bool same = true) const
    {
        BuildRecord record;
        record.job = name + QString::number(seconds);
        record.variant = record.package = name;
        record.branch = m_snapshot.branch;
        record.blob = same ? blobOf(m_snapshot.find(name)->text) : QString(40, u'0');
        record.outcome = outcome;
        record.reason = u"It failed: <b>|`x`"_s;
        record.started = QDateTime::fromSecsSinceEpoch(1'000'000);
        record.ended = record.started.addSecs(seconds);
        return record;
    }
    [[nodiscard]] Campaign campaign(const QList<BuildRecord> &records,
                                    const QList<Publication> &publications = {}) const
    {
        return campaignOf(*testing::builtInCatalog(), m_snapshot, records,
                          buildStates(m_snapshot, {}, {.publications = publications, .elsewhere = {}}),
                          [](const VariantEntry &entry, const BuildRecord &record) {
                              return isBuildOf(record.blob, entry.committedSource());
                          });
    }
    [[nodiscard]] CampaignState stateOf(const QList<BuildRecord> &records, const QString &name,
                                        const QList<Publication> &publications = {}) const
    {
        const Campaign all = campaign(records, publications);
        for (const CampaignCell &cell : all.cells) {
            if (cell.variant.name() == name)
                return cell.state;
        }
        qFatal("no such cell");
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_snapshot = testing::branchOf(u"main"_s);
        for (VariantEntry &entry : m_snapshot.entries)
            entry.text = entry.committed = entry.variant.name().toUtf8();
        m_snapshot.commit = QString(40, u'1');
        m_names = m_snapshot.entries.keys();
        QVERIFY(m_names.size() > 10);
    }
    void init() { QTest::failOnWarning(); }

    void tellsTheStateOfARecipe()
    {
        const QString name = m_names.at(3);
        QCOMPARE(stateOf({}, name), CampaignState::NotBuilt);
        QCOMPARE(stateOf({recordOf(m_names.at(4), Kind::Built, 10)}, name), CampaignState::NotBuilt);
        QCOMPARE(stateOf({recordOf(name, Kind::Built, 10)}, name), CampaignState::Built);
        QCOMPARE(stateOf({recordOf(name, Kind::OutOfMemory, 10)}, name), CampaignState::Failed);
        QCOMPARE(stateOf({recordOf(name, Kind::Built, 10, false)}, name), CampaignState::Stale);
        QCOMPARE(stateOf({recordOf(name, Kind::Lost, 10)}, name), CampaignState::Failed);
        QCOMPARE(stateOf({recordOf(name, Kind::Stopped, 10)}, name), CampaignState::Stopped);
        // Errors keep one out of builds that do not name it.
        VariantEntry &entry = m_snapshot.entries[name];
        Finding error;
        error.severity = Severity::Error;
        entry.findings = {error};
        QCOMPARE(stateOf({}, name), CampaignState::Broken);
        QCOMPARE(stateOf({recordOf(name, Kind::Built, 10)}, name), CampaignState::Built);
        QCOMPARE(stateOf({recordOf(name, Kind::CompileError, 10)}, name), CampaignState::Failed);
        QVERIFY(campaignAsMarkdown(campaign({})).contains(u", 1 broken"_s));
        entry.findings.clear();
        // One that failed or was stopped was never built.
        for (const Kind kind : {Kind::CompileError, Kind::Lost, Kind::Stopped})
            QCOMPARE(stateOf({recordOf(name, kind, 10, false)}, name), CampaignState::NotBuilt);
        QCOMPARE(stateOf({recordOf(name, Kind::Stopped, 10), recordOf(name, Kind::Built, 5, false)}, name),
                 CampaignState::Stale);
        // The newest build of the same recipe counts, and a stopped build is ignored.
        QCOMPARE(stateOf({recordOf(name, Kind::Built, 10), recordOf(name, Kind::OutOfMemory, 5)}, name),
                 CampaignState::Built);
        QCOMPARE(stateOf({recordOf(name, Kind::Stopped, 10), recordOf(name, Kind::OutOfMemory, 5)}, name),
                 CampaignState::Failed);
        QCOMPARE(stateOf({recordOf(name, Kind::OutOfMemory, 10, false), recordOf(name, Kind::Built, 5)}, name),
                 CampaignState::Built);
        BuildRecord verified = recordOf(name, Kind::Built, 10);
        verified.verified = u"passed"_s;
        QCOMPARE(stateOf({verified}, name), CampaignState::Verified);
        const Publication publication{u"/repository"_s, u"main"_s, name, verified.blob, u"org/x"_s, {}};
        QCOMPARE(stateOf({verified}, name, {publication}), CampaignState::Published);
        Publication older = publication;
        older.blob = QString(40, u'0');
        QCOMPARE(stateOf({verified}, name, {older}), CampaignState::Verified);
    }

    void countsEachCellOnce()
    {
        QList<BuildRecord> records;
        for (qsizetype i = 0; i < m_names.size(); i += 2)
            records.append(recordOf(m_names.at(i), i % 4 == 0 ? Kind::Built : Kind::CompileError, 100 + i));
        const Campaign campaign = this->campaign(records);
        int counted = 0;
        for (const int count : campaign.counts)
            counted += count;
        QCOMPARE(counted, m_snapshot.entries.size());
        QCOMPARE(campaign.cells.size(), m_snapshot.entries.size());
        qint64 seconds = 0;
        for (const BuildRecord &record : records)
            seconds += record.outcome == Kind::Built ? *record.seconds() : 0;
        QCOMPARE(campaign.seconds, seconds);
        QVERIFY(campaign.medianSeconds.has_value());
        // Every cell is in the table, in each form.
        const QString markdown = campaignAsMarkdown(campaign);
        const QString html = campaignAsHtml(campaign);
        QCOMPARE(html.count(u"class=\"built\""_s), campaign.counts.value(CampaignState::Built));
        QCOMPARE(html.count(u"class=\"failed\""_s), campaign.counts.value(CampaignState::Failed));
        QCOMPARE(html.count(u"class=\"not-built\""_s), campaign.counts.value(CampaignState::NotBuilt));
        QCOMPARE(markdown.count(u"failed: compile error"_s), campaign.counts.value(CampaignState::Failed));
        QCOMPARE(campaignAsJson(campaign).value(u"cells"_s).toArray().size(), m_snapshot.entries.size());
        // Output of a builder is text.
        QVERIFY(!html.contains(u"<b>"_s));
        QVERIFY(html.contains(u"&lt;b&gt;|`x`"_s));
        QVERIFY(markdown.contains(u"\\<b\\>\\|\\`x\\`"_s));
    }

    /// At each time the numbers of waiting and running builds match the builds' own times, in any order.
    void countsTheQueueOverTime()
    {
        test::Fuzzing fuzzing(test::newSeed());
        for (int round = 0; round < test::fuzzInputs(100); ++round) {
            QList<BuildRecord> builds(fuzzing.below(30));
            const auto at = [](int seconds) { return QDateTime::fromSecsSinceEpoch(seconds); };
            for (BuildRecord &build : builds) {
                int time = fuzzing.below(100);
                build.queued = at(time);
                time += fuzzing.below(40);
                if (fuzzing.below(5) > 0)
                    build.started = at(time);
                build.ended = at(time + fuzzing.below(60));
            }
            const QList<QueuePoint> points = queueOverTime(builds);
            QCOMPARE(points.isEmpty(), builds.isEmpty());
            for (int seconds = 0; seconds < 220; ++seconds) {
                QueuePoint expected;
                for (const BuildRecord &build : std::as_const(builds)) {
                    const QDateTime began = build.started.isValid() ? build.started : build.ended;
                    expected.waiting += build.queued <= at(seconds) && at(seconds) < began;
                    expected.running += began <= at(seconds) && at(seconds) < build.ended;
                }
                QueuePoint found;
                for (const QueuePoint &point : points)
                    found = point.at <= at(seconds) ? point : found;
                QCOMPARE(found.waiting, expected.waiting);
                QCOMPARE(found.running, expected.running);
            }
            const QString picture = asSvg(drawQueue(points));
            QXmlStreamReader xml(picture);
            while (!xml.atEnd())
                xml.readNext();
            QVERIFY2(picture.isEmpty() || !xml.hasError(), qPrintable(xml.errorString() + picture));
        }
        QVERIFY(queueOverTime({recordOf(m_names.at(0), Kind::Built, 10)}).isEmpty()); // when it was queued is not known
    }

    /// The newest successful build counts, for each variant and branch; the longest comes first.
    void knowsTheTimeOfEachVariant()
    {
        test::Fuzzing fuzzing(test::newSeed());
        for (int round = 0; round < test::fuzzInputs(100); ++round) {
            QList<BuildRecord> builds;
            QMap<std::pair<QString, QString>, qint64> expected;
            for (int i = fuzzing.below(40); i > 0; --i) {
                BuildRecord build = recordOf(m_names.at(fuzzing.below(6)),
                                             fuzzing.below(3) ? Kind::Built : Kind::Failed, fuzzing.below(50));
                build.branch = fuzzing.below(2) ? u"main"_s : u"next"_s;
                if (fuzzing.below(6) == 0)
                    build.started = {};
                builds.append(build);
                const std::pair key(build.variant, build.branch);
                if (build.outcome == Kind::Built && build.seconds() && !expected.contains(key))
                    expected.insert(key, *build.seconds());
            }
            const QList<VariantTime> times = timesByVariant(builds);
            QCOMPARE(times.size(), expected.size());
            for (const VariantTime &time : times)
                QCOMPARE(time.seconds, expected.value({time.variant, time.branch}, -1));
            QVERIFY(std::ranges::is_sorted(times, std::greater(), &VariantTime::seconds));
        }
    }

    void drawsTheBuildTimes()
    {
        const Campaign campaign =
            this->campaign({recordOf(m_names.at(0), Kind::Built, 3600), recordOf(m_names.at(1), Kind::Built, 7200),
                            recordOf(m_names.at(2), Kind::CompileError, 9000)});
        const QString text = timesAsText(timesByVariant(campaign.builds));
        QCOMPARE(text.count(u'\n'), 2); // those that are built
        QVERIFY2(text.contains(m_names.at(0)) && text.contains(u" 1:00:00  "_s + QString(20, u'#') + u'\n'),
                 qPrintable(text));
        QVERIFY2(text.contains(m_names.at(1)) && text.contains(u" 2:00:00  "_s + QString(40, u'#') + u'\n'),
                 qPrintable(text));
        QVERIFY(campaignAsMarkdown(campaign).contains(u"### Build times\n\n```text\n"_s + text));
        QCOMPARE(campaignAsHtml(campaign).count(u"<rect "_s), 2);
        QVERIFY(campaignAsHtml(campaign).contains(u">2:00:00</text>"_s));
    }

    /// Twenty builds that failed for one reason take one line.
    void tellsEqualFailuresTogether()
    {
        QList<BuildRecord> records;
        for (int i = 0; i < 6; ++i) {
            BuildRecord record = recordOf(m_names.at(i), i == 4 ? Kind::OutOfMemory : Kind::CompileError, 60 * (i + 1));
            if (i >= 3)
                record.reason = u"Another reason"_s;
            records.append(record);
        }
        const Campaign campaign = this->campaign(records);
        const QString markdown = campaignAsMarkdown(campaign);
        const QStringList lines = markdown.mid(markdown.indexOf(u"### Failures"_s)).trimmed().split(u'\n');
        QCOMPARE(lines.size(), 7); // heading, blank, head, rule, three reasons
        QVERIFY2(lines.at(4).contains(u"3"_s) && lines.at(4).contains(u"It failed"_s) &&
                     lines.at(4).contains(u"1970-01-12 13:49"_s), // when the third one ended
                 qPrintable(lines.at(4)));
        for (int i = 0; i < 3; ++i)
            QVERIFY2(lines.at(4).contains(u'`' + m_names.at(i) + u'`'), qPrintable(lines.at(4)));
        // One reason with two outcomes is two.
        QVERIFY2(lines.at(5).contains(m_names.at(3)) && lines.at(5).contains(m_names.at(5)), qPrintable(lines.at(5)));
        QVERIFY2(lines.at(6).contains(m_names.at(4)), qPrintable(lines.at(6)));
        const QString html = campaignAsHtml(campaign);
        QCOMPARE(html.mid(html.indexOf(u">Failures<"_s)).count(u"<tr>"_s), 4);
    }

    void tellsOfABranchWithoutBuilds()
    {
        QVERIFY(!campaignAsHtml(campaign({})).contains(u"<svg"_s));
        const Campaign campaign = this->campaign({});
        QVERIFY(campaignAsMarkdown(campaign).contains(u"0 of %1 built: %1 not built."_s.arg(m_names.size())));
        QVERIFY(!campaignAsMarkdown(campaign).contains(u"Failures"_s));
    }
};

TM_TEST(tst_Campaign, QCoreApplication)
#include "tst_campaign.moc"
