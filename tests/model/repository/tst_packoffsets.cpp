// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/CommitReader.h"
#include "tests/support/GitFixture.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>
#include <QtEndian>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::GitFixture;

namespace {

const QString offsetRecipe = u".flox/pkgs/a.nix"_s;
const QByteArray recipeText = "{ }: { }\n";

QByteArray textOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void put(const QString &path, const QByteArray &text)
{
    QFile::remove(path); // indexes are read-only
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("cannot write %s", qPrintable(path));
}

qsizetype numberAt(const QByteArray &bytes, qsizetype at)
{
    return qFromBigEndian<quint32>(bytes.constData() + at);
}

void setNumber(QByteArray &bytes, qsizetype at, quint32 value)
{
    qToBigEndian(value, bytes.data() + at);
}

/// Sets the offset of one object in a pack index, or in a multi-pack-index (gitformat-pack(5)).
void setOffset(const QString &path, const QByteArray &object, quint64 offset)
{
    QByteArray bytes = textOf(path);
    const qsizetype name = bytes.indexOf(QByteArray::fromHex(object));
    if (name < 0)
        qFatal("%s does not name the object", qPrintable(path));
    qsizetype at = name - 4; // version 1
    qsizetype large = 0;
    if (bytes.startsWith("\377tOc")) {
        const qsizetype count = numberAt(bytes, 8 + 255 * 4);
        at = 1032 + count * 24 + (name - 1032) / 20 * 4;
        large = 1032 + count * 28;
    } else if (bytes.startsWith("MIDX")) {
        const auto chunk = [&](QByteArrayView id) {
            const qsizetype row = bytes.indexOf(id, 12);
            return row < 0 ? 0 : numberAt(bytes, row + 8);
        };
        at = chunk("OOFF") + (name - chunk("OIDL")) / 20 * 8 + 4;
        large = chunk("LOFF");
    }
    if (large && (numberAt(bytes, at) & 0x80000000)) {
        at = large + (numberAt(bytes, at) & 0x7fffffff) * 8;
        setNumber(bytes, at, quint32(offset >> 32));
        at += 4;
    }
    setNumber(bytes, at, quint32(offset));
    put(path, bytes);
}

/// A repository whose only recipe is in a pack.
struct Packed {
    GitFixture fixture;
    QString commit = fixture.commitFile(offsetRecipe, recipeText);
    QByteArray blob = fixture.git({u"rev-parse"_s, u"HEAD:"_s + offsetRecipe});
    QString folder; ///< of its packs
    QString pack;
    QString index;

    explicit Packed(const QString &indexVersion = u"2"_s)
    {
        fixture.git({u"repack"_s, u"-a"_s, u"-d"_s, u"-q"_s});
        folder = fixture.path(u".git/objects/pack"_s);
        pack = QDir(folder).entryInfoList({u"*.pack"_s}).value(0).absoluteFilePath();
        index = pack.chopped(5) + u".idx"_s;
        QFile::remove(index);
        fixture.git({u"index-pack"_s, u"--index-version="_s + indexVersion, pack});
    }
    [[nodiscard]] QString multi() const { return folder + u"/multi-pack-index"_s; }
    [[nodiscard]] quint64 size() const { return quint64(QFileInfo(pack).size()); }
};

Result<std::optional<QByteArray>> readRecipe(const QString &repository, const QString &commit)
{
    const Result<CommitReader> reader = CommitReader::open(repository);
    if (!reader)
        return reader.error();
    const auto text = reader->fileAt(commit, offsetRecipe);
    if (!text)
        return text.error();
    return std::optional<QByteArray>(*text);
}

} // namespace

/// Crafted numbers in a pack index: libgit2 1.9 reads the pack at these offsets, inside it or not.
class TestPackOffsets : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void anIndexThatLeavesItsPackIsRefused_data()
    {
        QTest::addColumn<QString>("version"); // of the index: git index-pack --index-version
        QTest::addColumn<bool>("multi");      // damage the multi-pack-index
        QTest::addColumn<QString>("how");     // where the pack lies
        QTest::newRow("version 1") << u"1"_s << false << u"own"_s;
        QTest::newRow("version 2") << u"2"_s << false << u"own"_s;
        QTest::newRow("version 2, 64 bits") << u"2,0xd"_s << false << u"own"_s;
        QTest::newRow("multi-pack-index") << u"2"_s << true << u"own"_s;
        QTest::newRow("multi-pack-index, 64 bits") << u"2,0xd"_s << true << u"own"_s;
        QTest::newRow("linked working tree") << u"2"_s << false << u"linked"_s;
        QTest::newRow("alternate") << u"2"_s << false << u"absolute"_s;
        QTest::newRow("alternate, relative") << u"1"_s << false << u"relative"_s;
        QTest::newRow("alternate of an alternate") << u"2"_s << false << u"nested"_s;
        QTest::newRow("alternate of the current folder") << u"2"_s << false << u"current"_s;
        QTest::newRow("alternates as a link") << u"2"_s << false << u"link"_s;
        QTest::newRow("alternate, no UTF-8") << u"2"_s << false << u"bytes"_s;
        QTest::newRow("alternate, with a carriage return") << u"2"_s << true << u"return"_s;
        QTest::newRow("an index of another name") << u"2"_s << false << u"name"_s;
    }
    void anIndexThatLeavesItsPackIsRefused()
    {
        QFETCH(QString, version);
        QFETCH(bool, multi);
        QFETCH(QString, how);
        Packed packed(version);
        const GitFixture &f = packed.fixture;
        if (multi) {
            // git writes offsets of 64 bits only where one needs them.
            const QByteArray sound = textOf(packed.index);
            if (version.contains(u','))
                setOffset(packed.index, packed.blob, quint64(1) << 35);
            f.git({u"multi-pack-index"_s, u"write"_s});
            put(packed.index, sound);
            QCOMPARE(textOf(packed.multi()).contains("LOFF"), version.contains(u','));
        }
        QString repository = f.path();
        const QString objects = f.path(u".git/objects"_s);
        const QString here = QDir::currentPath();
        const auto back = qScopeGuard([&] { QDir::setCurrent(here); });
        if (how == u"linked"_s) {
            repository = f.path(u"linked"_s);
            f.git({u"worktree"_s, u"add"_s, u"-q"_s, u"linked"_s});
        } else if (how == u"name"_s) {
            for (QString *file : {&packed.pack, &packed.index}) {
                const QString to = packed.folder + u"/any"_s + file->right(file->endsWith(u".idx"_s) ? 4 : 5);
                QVERIFY(QFile::rename(*file, to));
                *file = to;
            }
        } else if (how != u"own"_s) {
            // The objects move to a lender.
            const QByteArray there = f.path().toUtf8() + (how == u"bytes"_s ? "/lender\xff" : "/lender");
            QVERIFY(QFile::rename(objects, f.path(u"lender"_s)));
            QVERIFY(QDir().mkpath(objects + u"/info"_s));
            QVERIFY(QDir().mkpath(objects + u"/pack"_s));
            const QString alternates = objects + u"/info/alternates"_s;
            if (how == u"relative"_s) {
                put(alternates, "# a comment\n../../lender\n");
            } else if (how == u"current"_s) {
                put(alternates, "lender\n");
                QVERIFY(QDir::setCurrent(f.path()));
            } else if (how == u"link"_s) {
                put(f.path(u"list"_s), there + '\n');
                QVERIFY(QFile::link(f.path(u"list"_s), alternates));
            } else if (how == u"nested"_s) {
                QVERIFY(QDir().mkpath(f.path(u"between/info"_s)));
                put(f.path(u"between/info/alternates"_s), there + '\n');
                put(alternates, f.path(u"between"_s).toUtf8() + '\n');
            } else {
                put(alternates, there + (how == u"return"_s ? "\r\n" : "\n"));
            }
            packed.folder = f.path(u"lender/pack"_s);
            packed.index.replace(objects, f.path(u"lender"_s));
            packed.pack.replace(objects, f.path(u"lender"_s));
        }
        const QString damaged = multi ? packed.multi() : packed.index;
        // As far behind a small pack as libgit2 would still read.
        setOffset(damaged, packed.blob, 300'000'000);
        // Qt can write to no folder of such a name.
        const auto rename = [&](const QByteArray &from, const QByteArray &to) {
            const QByteArray root = f.path().toUtf8() + '/';
            return how != u"bytes"_s || ::rename((root + from).constData(), (root + to).constData()) == 0;
        };
        QVERIFY(rename("lender", "lender\xff"));
        const auto text = readRecipe(repository, packed.commit);
        QVERIFY(rename("lender\xff", "lender"));
        QVERIFY_ERROR(text, QFileInfo(damaged).fileName());
        QVERIFY_ERROR(text, u"leads outside its pack"_s);
    }

    void theRemedyRebuildsIt_data()
    {
        QTest::addColumn<QString>("version");
        QTest::addColumn<bool>("multi");
        QTest::newRow("version 1") << u"1"_s << false;
        QTest::newRow("version 2") << u"2"_s << false;
        QTest::newRow("multi-pack-index") << u"2"_s << true;
    }
    void theRemedyRebuildsIt()
    {
        QFETCH(QString, version);
        QFETCH(bool, multi);
        const Packed packed(version);
        const GitFixture &f = packed.fixture;
        if (multi)
            f.git({u"multi-pack-index"_s, u"write"_s});
        setOffset(multi ? packed.multi() : packed.index, packed.blob, packed.size());
        const auto refused = readRecipe(f.path(), packed.commit);
        QVERIFY(!refused);
        const QString remedy = refused.error().remedy;
        QVERIFY2(remedy.contains(u"run: "_s), qPrintable(remedy));
        QCOMPARE(QProcess::execute(u"sh"_s, {u"-c"_s, remedy.section(u"run: "_s, 1)}), 0);
        const auto text = readRecipe(f.path(), packed.commit);
        QVERIFY_OK(text);
        QCOMPARE(text->value_or(QByteArray()), recipeText);
        QCOMPARE(f.fsck(), QByteArray());
    }

    void soundIndexesAreRead_data()
    {
        QTest::addColumn<QString>("version");
        QTest::newRow("version 1") << u"1"_s;
        QTest::newRow("version 2") << u"2"_s;
        QTest::newRow("version 2, 64 bits") << u"2,0xd"_s;
    }
    void soundIndexesAreRead()
    {
        QFETCH(QString, version);
        const Packed packed(version);
        for (const bool multi : {false, true}) {
            if (multi)
                packed.fixture.git({u"multi-pack-index"_s, u"write"_s});
            const auto text = readRecipe(packed.fixture.path(), packed.commit);
            QVERIFY_OK(text);
            QCOMPARE(text->value_or(QByteArray()), recipeText);
        }
    }

    // The checksum of a pack, its last 20 bytes, is no object.
    void theLastByteOfTheObjectsIsTheLimit()
    {
        const Packed packed;
        const QByteArray sound = textOf(packed.index);
        setOffset(packed.index, packed.blob, packed.size() - 21);
        const auto within = readRecipe(packed.fixture.path(), packed.commit);
        QVERIFY(!within);
        QVERIFY(!within.error().sentence().contains(u"leads outside"_s));
        setOffset(packed.index, packed.blob, packed.size() - 20);
        QVERIFY_ERROR(readRecipe(packed.fixture.path(), packed.commit), u"leads outside"_s);
        put(packed.index, sound);
        QVERIFY_OK(readRecipe(packed.fixture.path(), packed.commit));
    }

    // A pack is checked wherever it lies, so a list that is too long to follow is refused.
    void tooManyAlternatesAreRefused()
    {
        const Packed packed;
        const GitFixture &f = packed.fixture;
        QByteArray list;
        for (int i = 0; i < 64; ++i) {
            QVERIFY_OK(readRecipe(f.path(), packed.commit));
            const QString folder = f.path(u"lender%1"_s.arg(i));
            QVERIFY(QDir().mkpath(folder));
            list += folder.toUtf8() + '\n';
            f.write(u".git/objects/info/alternates"_s, list);
        }
        QVERIFY_ERROR(readRecipe(f.path(), packed.commit), u"too many alternate object folders"_s);
        f.write(u".git/objects/info/alternates"_s, QByteArray(70'000, '#'));
        QVERIFY_ERROR(readRecipe(f.path(), packed.commit), u"too many alternate object folders"_s);
    }
};

TM_TEST(TestPackOffsets, QCoreApplication)
#include "tst_packoffsets.moc"
