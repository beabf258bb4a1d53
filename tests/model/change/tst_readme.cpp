// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Change.h"
#include "model/change/Readme.h"
#include "model/git/Repository.h"
#include "tests/support/BranchContents.h"
#include "tests/support/Results.h"
#include "tests/support/SampleFixture.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QFile>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

constexpr auto begin = "<!-- torch-matrix: begin -->";
constexpr auto end = "<!-- torch-matrix: end -->";

QByteArray marked(const QByteArray &between = {}, const QByteArray &lineEnd = "\n")
{
    return begin + lineEnd + between + end + lineEnd;
}

/// "BRANCH GROUP" for each README; the group says whether it is up to date.
QString standing(const Result<QList<ChangeSet>> &sets)
{
    if (!sets)
        return sets.error().sentence();
    QStringList words;
    for (const ChangeSet &changes : *sets)
        words.append(changes.branch + u' ' + changes.files.constFirst().group);
    return words.join(u", "_s);
}

/// The same after the chosen ones were written. Error: the first that refuses.
Result<QString> written(const QString &path, const Result<QList<ChangeSet>> &sets)
{
    const Result<Repository> repository = Repository::open(path);
    if (!sets || !repository)
        return sets ? repository.error() : sets.error();
    QStringList words;
    for (const ChangeSet &changes : *sets) {
        if (changes.refusal)
            return *changes.refusal;
        const Result<Applied> done = changes.isEmpty() ? Applied{} : repository->apply(changes);
        if (!done)
            return done.error();
        words.append(changes.branch + u' ' +
                     (done->commit.isEmpty() ? changes.files.constFirst().group : u"written"_s));
    }
    return words.join(u", "_s);
}

} // namespace

class ReadmeTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void textOutsideStays_data()
    {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        QTest::newRow("empty between") << "# A\n" + marked() + "tail" << "# A\n" + marked("new\n") + "tail";
        QTest::newRow("old between") << marked("old\n\n| x |\n") << marked("new\n");
        QTest::newRow("CRLF") << "# A\r\n\r\n" + marked("old\r\n", "\r\n") + "tail\r\n"
                              << "# A\r\n\r\n" + marked("new\r\n", "\r\n") + "tail\r\n";
        QTest::newRow("mixed line ends") << "a\r\nb\n" + marked("old\r\n") + "c\r\n"
                                         << "a\r\nb\n" + marked("new\n") + "c\r\n";
        QTest::newRow("not UTF-8, no final line end")
            << "\xff\xfe\n" + marked("old\n") + "\x80" << "\xff\xfe\n" + marked("new\n") + "\x80";
        QTest::newRow("indented markers")
            << QByteArray("  ") + begin + "  \nold\n " + end << QByteArray("  ") + begin + "  \nnew\n " + end;
        QTest::newRow("markers that are shown in code") << "```\n" + marked("shown\n") + "```\n" + marked("old\n")
                                                        << "```\n" + marked("shown\n") + "```\n" + marked("new\n");
        QTest::newRow("a fence inside a longer one") << "````md\n```\n" + marked() + "```\n````\n" + marked()
                                                     << "````md\n```\n" + marked() + "```\n````\n" + marked("new\n");
    }
    void textOutsideStays()
    {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, after);
        const auto result = withTables(before, "new\n", u"README.md"_s);
        QVERIFY_OK(result);
        QCOMPARE(*result, after);
        QCOMPARE(*withTables(*result, "new\n", u"README.md"_s), after); // a second time changes nothing
    }

    void markersThatCannotBeUsed_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("why");
        QTest::newRow("none") << "# A\n"_ba << u"no markers"_s;
        QTest::newRow("in a sentence") << QByteArray("see ") + begin + " here\n" << u"no markers"_s;
        QTest::newRow("beginning alone") << QByteArray(begin) + "\n" << u"one of the two markers is missing"_s;
        QTest::newRow("end alone") << QByteArray(end) + "\n" << u"one of the two markers is missing"_s;
        QTest::newRow("twice") << marked() + marked() << u"more than once"_s;
        QTest::newRow("wrong order") << QByteArray(end) + "\n" + begin + "\n" << u"before the begin marker"_s;
    }
    void markersThatCannotBeUsed()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, why);
        QVERIFY_ERROR(withTables(text, "new\n", u"README.md"_s), why);
    }

    void placesForMarkers_data()
    {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QString>("words");
        QTest::addColumn<QByteArray>("after");
        QTest::newRow("below the variants") << "# A\n\n## Variants\ntext\n"_ba << u"below \"## Variants\""_s
                                            << "# A\n\n## Variants\n\n" + marked() + "\ntext\n";
        QTest::newRow("before a section")
            << "# A\n\n## License\n"_ba << u"before \"## License\""_s << "# A\n\n" + marked() + "\n## License\n";
        QTest::newRow("at the end") << "# A"_ba << u"at the end"_s << "# A\n\n" + marked();
        QTest::newRow("CRLF") << "# A\r\n"_ba << u"at the end"_s << "# A\r\n\r\n" + marked({}, "\r\n");
        QTest::newRow("heading in code") << "# A\n```\n## Variants\n```\n"_ba << u"at the end"_s
                                         << "# A\n```\n## Variants\n```\n\n" + marked();
        QTest::newRow("empty") << ""_ba << u"at the end"_s << marked();
    }
    void placesForMarkers()
    {
        QFETCH(QByteArray, before);
        QFETCH(QString, words);
        QFETCH(QByteArray, after);
        const MarkerPlace place = proposedPlace(before);
        QCOMPARE(place.words, words);
        QCOMPARE(withMarkers(before, place), after);
        QVERIFY_OK(withTables(after, "new\n", u"README.md"_s));
    }

    void tables()
    {
        test::SampleFixture sample;
        sample.takeOut(u"pytorch-python313-cuda12_8-sm90-avx2"_s);
        const SnapshotReader reader(sample.catalog());
        const BranchesReading all = reader.readAll(*branchesOf(sample.path(), WorkTreeAs::LeftOut, false));
        QList<BranchRow> rows;
        for (const ReadBranch &branch : all.branches)
            rows.append(branchRow(*sample.catalog(), *branch.snapshot));
        const QByteArray text = readmeTables(*sample.catalog(), *all.find(u"main"_s)->snapshot, rows);
        const QByteArrayList lines = text.split('\n');
        QVERIFY2(lines.first() == "43 variants, 1 more missing: PyTorch 2.8.0; CUDA 12.8; Python 3.13.",
                 text.constData());
        QVERIFY2(text.contains("| `sm90` "), text.constData());
        QVERIFY2(text.contains("| missing | yes "), text.constData());
        QVERIFY2(text.contains("| **`main`** "), text.constData());
        QVERIFY2(text.contains("| 2.10.0 ") && text.contains("`6a030d535719`") && text.contains("| 525.60.13"),
                 text.constData());
        // The toolkit's driver, and that of the rows which need a newer one.
        QVERIFY2(text.contains("| 525.60.13, 570 (sm100, sm120) "), text.constData());
        QVERIFY(!text.contains(all.find(u"main"_s)->source.commit.left(8).toLatin1()));
        // Each row has as many cells as its table's head.
        qsizetype cells = 0;
        for (const QByteArray &line : lines) {
            if (!line.startsWith('|'))
                cells = 0;
            else if (cells == 0)
                cells = line.count('|');
            else
                QCOMPARE(line.count('|'), cells);
        }
    }

    // For any requested columns: the marker keeps them, a second run changes nothing, and a changed count makes it
    // stale.
    void chosenColumnsStay()
    {
        test::SampleFixture sample;
        const SnapshotReader reader(sample.catalog());
        const auto asked = [&](std::optional<QStringList> columns) {
            return prepare(reader, sample.path(), ReadmeRequest{{u"main"_s}, true, std::move(columns)});
        };
        sample.takeOut(u"pytorch-python313-cuda12_8-sm90-avx2"_s);
        const QStringList words = ReadmeColumns::allWords();
        QByteArray plain;
        for (int subset = 0; subset < 1 << words.size(); ++subset) {
            QStringList columns;
            for (int i = 0; i < words.size(); ++i) {
                if (subset & (1 << i))
                    columns.append(words.at(i));
            }
            const auto made = written(sample.path(), asked(columns));
            QVERIFY_OK(made);
            const QByteArray text = sample.read(u"README.md"_s);
            QVERIFY2(text.contains("<!-- torch-matrix: begin "_ba +
                                   (columns.isEmpty() ? QByteArray() : columns.join(u' ').toUtf8() + ' ') + "-->"),
                     text.constData());
            QCOMPARE(*columnsIn(text), *ReadmeColumns::of(columns));
            QCOMPARE(standing(asked(std::nullopt)), u"main Up to date"_s);
            QCOMPARE(standing(asked(columns)), u"main Up to date"_s);
            // Only where they are asked for.
            QCOMPARE(text.contains("](.flox/pkgs/pytorch-python313-cuda12_8-sm90-avx512.nix)"),
                     columns.contains(u"links"_s));
            QCOMPARE(text.contains("5/6"), columns.contains(u"totals"_s));
            QCOMPARE(text.contains("43/44"), columns.contains(u"totals"_s));
            QCOMPARE(text.contains("cuDNN"), columns.contains(u"cudnn"_s));
            QCOMPARE(text.count("minimum driver"), columns.contains(u"driver"_s) ? 3 : 1);
            QCOMPARE(text.contains("use case"), columns.contains(u"use-case"_s));
            if (columns.isEmpty())
                plain = text;
            qsizetype cells = 0;
            for (const QByteArray &line : text.split('\n')) {
                cells = !line.startsWith('|') ? 0 : cells == 0 ? line.count('|') : cells;
                if (cells > 0)
                    QCOMPARE(line.count('|'), cells);
            }
        }
        QVERIFY_OK(written(sample.path(), asked(QStringList())));
        QCOMPARE(sample.read(u"README.md"_s), plain);
        QVERIFY_ERROR(asked(QStringList{u"colour"_s}), u"that is not a column");
        // So may a person write into the marker.
        sample.write(u"README.md"_s, QByteArray(plain).replace("begin -->", "begin totals, links -->"));
        sample.git({u"commit"_s, u"-qam"_s, u"Columns"_s});
        QCOMPARE(standing(asked(std::nullopt)), u"main Stale"_s);
        sample.write(u"README.md"_s, QByteArray(plain).replace("begin -->", "begin colour -->"));
        sample.git({u"commit"_s, u"-qam"_s, u"No column"_s});
        QCOMPARE(standing(asked(std::nullopt)), u"main Cannot be written"_s);
    }

    void oneBranchOrAll()
    {
        test::SampleFixture sample;
        const SnapshotReader reader(sample.catalog());
        const auto asked = [&](const ReadmeRequest &request) { return prepare(reader, sample.path(), request); };
        const auto check = [&] { return standing(asked(ReadmeRequest{})); };
        const auto write = [&](const ReadmeRequest &request) { return written(sample.path(), asked(request)); };
        QCOMPARE(check(), u"cuda-12_9 No markers, cuda-13_0 No markers, main No markers"_s);
        QCOMPARE(*write({{u"main"_s}, false}), u"main No markers"_s);
        const QByteArray before = sample.read(u"README.md"_s);
        const QByteArray head = sample.git({u"rev-parse"_s, u"main"_s});

        const auto placed = write({{u"main"_s}, true});
        QVERIFY_OK(placed);
        QCOMPARE(*placed, u"main written"_s);
        QCOMPARE(sample.git({u"rev-parse"_s, u"main~1"_s}), head);
        QCOMPARE(sample.git({u"diff"_s, u"--name-only"_s, u"main~1"_s, u"main"_s}), "README.md");
        QVERIFY(sample.read(u"README.md"_s).size() > before.size());
        QVERIFY(sample.status().isEmpty()); // work tree and index went with the branch
        QCOMPARE(check(), u"cuda-12_9 No markers, cuda-13_0 No markers, main Up to date"_s);

        const auto others = write({{}, true});
        QVERIFY_OK(others);
        QCOMPARE(*others, u"cuda-12_9 written, cuda-13_0 written, main Up to date"_s);
        QVERIFY(sample.status().isEmpty());
        QCOMPARE(check(), u"cuda-12_9 Up to date, cuda-13_0 Up to date, main Up to date"_s);
        // One recipe less on one branch makes all READMEs stale: each has the table of all branches.
        sample.takeOut(u"pytorch-python313-cpu-avx2"_s);
        QCOMPARE(check(), u"cuda-12_9 Stale, cuda-13_0 Stale, main Stale"_s);
        const auto renewed = write(ReadmeRequest{});
        QVERIFY_OK(renewed);
        QCOMPARE(*renewed, u"cuda-12_9 written, cuda-13_0 written, main written"_s);
        QCOMPARE(check(), u"cuda-12_9 Up to date, cuda-13_0 Up to date, main Up to date"_s);
        QVERIFY(sample.git({u"fsck"_s, u"--strict"_s, u"--no-dangling"_s}).isEmpty());
    }

    void uncommittedChangesAreNotSwept()
    {
        test::SampleFixture sample;
        const SnapshotReader reader(sample.catalog());
        const QByteArray mine = sample.read(u"README.md"_s) + "mine\n";
        sample.write(u"README.md"_s, mine);
        auto sets = prepare(reader, sample.path(), ReadmeRequest{{u"main"_s}, true});
        QVERIFY_OK(sets);
        ChangedFile &file = sets->first().files.first();
        QVERIFY2(!file.chosen && !file.possible && file.reason.contains(u"uncommitted changes"_s),
                 qPrintable(file.reason));
        file.chosen = true; // although it is not possible
        QVERIFY_ERROR(written(sample.path(), sets), u"it has changed since it was read");
        QCOMPARE(sample.read(u"README.md"_s), mine);
        // Another branch does not mind.
        const auto other =
            written(sample.path(), prepare(reader, sample.path(), ReadmeRequest{{u"cuda-12_9"_s}, true}));
        QVERIFY_OK(other);
        QCOMPARE(*other, u"cuda-12_9 written"_s);
        QCOMPARE(sample.read(u"README.md"_s), mine);
    }

    void editedTablesAreStale()
    {
        test::SampleFixture sample;
        const SnapshotReader reader(sample.catalog());
        const auto check = [&] { return prepare(reader, sample.path(), ReadmeRequest{{u"main"_s}}); };
        const auto placed = written(sample.path(), prepare(reader, sample.path(), ReadmeRequest{{u"main"_s}, true}));
        QVERIFY_OK(placed);
        QCOMPARE(*placed, u"main written"_s);
        const QByteArray sound = sample.read(u"README.md"_s);
        // Outside the tables the user may write anything.
        sample.write(u"README.md"_s, sound + "mine\n");
        QCOMPARE(standing(check()), u"main Up to date"_s);
        const QByteArray edited = QByteArray(sound).replace("| `sm90` ", "| `sm91` ");
        QVERIFY(edited != sound);
        sample.write(u"README.md"_s, edited);
        auto sets = check();
        QCOMPARE(standing(sets), u"main Stale"_s);
        ChangedFile &file = sets->first().files.first();
        QCOMPARE(file.before, file.after); // as it is committed it is up to date
        QVERIFY2(!file.chosen && !file.possible && file.reason.contains(u"uncommitted changes"_s),
                 qPrintable(file.reason));
        file.chosen = true; // although it is not possible
        QVERIFY_ERROR(written(sample.path(), sets), u"it has changed since it was read");
        QCOMPARE(sample.read(u"README.md"_s), edited);
        // What is committed on another branch is judged by itself.
        sample.git({u"checkout"_s, u"-qf"_s, u"cuda-12_9"_s});
        QCOMPARE(standing(check()), u"main Up to date"_s);
    }

    void withoutAReadme()
    {
        test::SampleFixture sample;
        const SnapshotReader reader(sample.catalog());
        sample.git({u"rm"_s, u"-q"_s, u"README.md"_s});
        sample.git({u"commit"_s, u"-qm"_s, u"No README"_s});
        const auto asIs = prepare(reader, sample.path(), ReadmeRequest{{u"main"_s}});
        QCOMPARE(standing(asIs), u"main No README.md"_s);
        QCOMPARE(*written(sample.path(), asIs), u"main No README.md"_s);
        const auto made = written(sample.path(), prepare(reader, sample.path(), ReadmeRequest{{u"main"_s}, true}));
        QVERIFY_OK(made);
        QCOMPARE(*made, u"main written"_s);
        QVERIFY(sample.read(u"README.md"_s).startsWith("# sample\n\n<!-- torch-matrix: begin -->\n44 variants"));
    }

    void linkAndUnknownBranch()
    {
        test::SampleFixture sample;
        const SnapshotReader reader(sample.catalog());
        QVERIFY_ERROR(prepare(reader, sample.path(), ReadmeRequest{{u"nothing"_s}}), u"has no such branch");
        sample.git({u"rm"_s, u"-q"_s, u"README.md"_s});
        QVERIFY(QFile::link(u"/etc/hostname"_s, sample.path(u"README.md"_s)));
        sample.git({u"add"_s, u"README.md"_s});
        sample.git({u"commit"_s, u"-qm"_s, u"A link"_s});
        const auto sets = prepare(reader, sample.path(), ReadmeRequest{{u"main"_s}, true});
        QCOMPARE(standing(sets), u"main Cannot be written"_s);
        QVERIFY(sets->constFirst().isEmpty());
        QVERIFY_ERROR(written(sample.path(), sets), u"not a regular file");
    }

    /// The column of the versions is called after the family if all are of one, and else each has its name.
    void theVersionColumnIsNamedForAllBranches()
    {
        const auto row = [](const QString &branch, const QString &versions, int there = 3) {
            BranchRow row;
            row.branch = branch;
            row.versions = versions;
            row.there = there;
            return row;
        };
        const auto head = [](const QList<BranchRow> &rows) {
            return QString::fromUtf8(branchTable(rows, {}, {}).split('\n').at(2)).section(u'|', 2, 2).trimmed();
        };
        QCOMPARE(head({row(u"main"_s, u"2.8.0"_s), row(u"next"_s, u"2.9.1"_s)}), u"PyTorch"_s);
        QCOMPARE(head({row(u"main"_s, u"2.8.0"_s), row(u"vision"_s, u"TorchVision 0.23.0"_s)}), u"version"_s);
        QCOMPARE(head({row(u"main"_s, u"2.8.0"_s), row(u"vision"_s, u"TorchVision 0.23.0"_s, 0)}), u"PyTorch"_s);
    }
};

TM_TEST(ReadmeTest, QCoreApplication)
#include "tst_readme.moc"
