// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/CommitReader.h"
#include "tests/support/GitFixture.h"
#include "tests/support/OpenedRepository.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QTest>
#include <QtEndian>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

const QString chainedRecipe = u".flox/pkgs/a.nix"_s;
const QByteArray text = "{ }: { }\n# made of deltas\n";

constexpr int blobKind = 3;
constexpr int deltaByName = 7;

QByteArray number(quint32 value)
{
    QByteArray bytes(4, '\0');
    qToBigEndian(value, bytes.data());
    return bytes;
}

/// A number in groups of seven bits, the lowest first.
QByteArray grouped(quint64 value)
{
    QByteArray bytes;
    for (; value > 0x7f; value >>= 7)
        bytes.append(char(0x80 | (value & 0x7f)));
    return bytes + char(value);
}

/// An object in a pack: kind, size, the id of its base, its compressed bytes.
QByteArray packed(int kind, const QByteArray &bytes, const QByteArray &base = {})
{
    const auto size = quint64(bytes.size());
    const QByteArray rest = size > 15 ? grouped(size >> 4) : QByteArray();
    return char((rest.isEmpty() ? 0 : 0x80) | kind << 4 | (size & 15)) + rest + base + qCompress(bytes).mid(4);
}

/// A delta that makes `to` bytes of `from`, by copies of the first ones.
QByteArray copies(quint64 from, quint64 to)
{
    QByteArray delta = grouped(from) + grouped(to);
    for (quint64 left = to; left > 0;) {
        const quint64 part = std::min<quint64>({left, from, 0xffff});
        delta += char(0x80 | 0x30); // from the begin; two bytes of the length
        delta += char(part);
        delta += char(part >> 8);
        left -= part;
    }
    return delta;
}

QByteArray nameOf(const QByteArray &any)
{
    return QCryptographicHash::hash(any, QCryptographicHash::Sha1);
}

/// A repository with a branch "odd" whose recipe is any object in unchecked packs.
struct Prepared {
    GitFixture fixture;
    QString first = fixture.commitFile(u".flox/pkgs/b.nix"_s, "{ }: 1\n");

    /// A pack of these objects, by name.
    void addPack(const QMap<QByteArray, QByteArray> &objects) const
    {
        QByteArray pack = "PACK" + number(2) + number(quint32(objects.size()));
        QByteArray counts;
        QByteArray names;
        QByteArray sums;
        QByteArray offsets;
        for (auto object = objects.begin(); object != objects.end(); ++object) {
            names += object.key();
            sums += number(0);
            offsets += number(quint32(pack.size()));
            pack += object.value();
        }
        for (int head = 0; head < 256; ++head)
            counts += number(quint32(std::ranges::count_if(
                objects.keys(), [head](const QByteArray &name) { return uchar(name.at(0)) <= head; })));
        const QByteArray sum = nameOf(pack);
        const QByteArray index = "\377tOc" + number(2) + counts + names + sums + offsets + sum;
        const QString path = u".git/objects/pack/pack-"_s + QString::fromLatin1(sum.toHex());
        fixture.write(path + u".pack"_s, pack + sum);
        fixture.write(path + u".idx"_s, index + nameOf(index));
    }
    /// The branch; its recipe is that object.
    [[nodiscard]] QString branch(const QByteArray &object) const
    {
        const auto tree = [this](const QByteArray &entry) {
            return QString::fromLatin1(fixture.git({u"mktree"_s, u"--missing"_s}, entry));
        };
        const QString recipes = tree("100644 blob " + object.toHex() + "\ta.nix\n");
        const QString folder = tree("040000 tree " + recipes.toLatin1() + "\tpkgs\n");
        const QString root = tree("040000 tree " + folder.toLatin1() + "\t.flox\n");
        const QString commit = QString::fromLatin1(fixture.git({u"commit-tree"_s, u"-m"_s, u"Odd"_s, root}));
        fixture.git({u"branch"_s, u"odd"_s, commit});
        return commit;
    }
    [[nodiscard]] Result<std::optional<QByteArray>> read(const QString &commit) const
    {
        const Result<CommitReader> reader = CommitReader::open(fixture.path());
        if (!reader)
            return reader.error();
        const auto found = reader->fileAt(commit, chainedRecipe);
        if (!found)
            return found.error();
        return std::optional<QByteArray>(*found);
    }
};

} // namespace

/// Crafted packs: reading them terminates with bounded memory.
class TestPackChains : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void deltasWithoutEndAreRefused_data()
    {
        QTest::addColumn<QString>("how");
        QTest::addColumn<bool>("multi");
        for (const bool multi : {false, true}) {
            const char *where = multi ? ", multi-pack-index" : "";
            QTest::addRow("two%s", where) << u"two"_s << multi;
            QTest::addRow("its own base%s", where) << u"own"_s << multi;
            QTest::addRow("a ring of many%s", where) << u"ring"_s << multi;
            QTest::addRow("in two packs%s", where) << u"packs"_s << multi;
        }
    }
    void deltasWithoutEndAreRefused()
    {
        QFETCH(const QString, how);
        QFETCH(const bool, multi);
        const Prepared prepared;
        const QByteArray delta = copies(10, 10);
        QByteArrayList names;
        for (int i = 0; i < (how == u"own"_s ? 1 : how == u"ring"_s ? 1000 : 2); ++i)
            names.append(nameOf(QByteArray::number(i)));
        QMap<QByteArray, QByteArray> objects;
        for (qsizetype i = 0; i < names.size(); ++i)
            objects.insert(names.at(i), packed(deltaByName, delta, names.at((i + 1) % names.size())));
        const QString commit = prepared.branch(names.at(0)); // first: git would not end either
        prepared.addPack(objects);
        if (how == u"packs"_s) {
            objects.insert(nameOf("other"), packed(deltaByName, delta, names.at(0)));
            prepared.addPack(objects);
        }
        if (multi)
            prepared.fixture.git({u"multi-pack-index"_s, u"write"_s});
        QVERIFY_ERROR(prepared.read(commit), u"its deltas have no end"_s);
        // The branch is read; the recipe is one that cannot be.
        const Result<BranchContent> content = opened(prepared.fixture.path()).readBranch(u"odd"_s);
        QVERIFY_OK(content);
        QCOMPARE(content->files.value(0).trouble, FileTrouble::Unreadable);
        // As a branch, by its name in full and in part.
        const QByteArray hex = names.at(0).toHex();
        prepared.fixture.write(u".git/refs/heads/ring"_s, hex + '\n');
        QVERIFY(!opened(prepared.fixture.path()).readBranch(u"ring"_s));
        const Result<CommitReader> reader = CommitReader::open(prepared.fixture.path());
        QVERIFY_OK(reader);
        QVERIFY(!reader->commitOf(QString::fromLatin1(hex)));
        QVERIFY(!reader->commitOf(QString::fromLatin1(hex.first(8))));
    }

    // git makes chains of 4,095 at most.
    void longChainsAreRead_data()
    {
        QTest::addColumn<int>("deltas");
        QTest::newRow("none") << 0;
        QTest::newRow("one") << 1;
        QTest::newRow("as many as git makes") << 4095;
    }
    void longChainsAreRead()
    {
        QFETCH(const int, deltas);
        const Prepared prepared;
        QMap<QByteArray, QByteArray> objects;
        // libgit2 compares an object with its id, but not its base.
        const QByteArray blob = nameOf("blob " + QByteArray::number(text.size()) + '\0' + text);
        QByteArray name = deltas ? nameOf("base") : blob;
        objects.insert(name, packed(blobKind, text));
        for (int i = 1; i <= deltas; ++i) {
            const QByteArray next = i == deltas ? blob : nameOf(QByteArray::number(i));
            objects.insert(next, packed(deltaByName, copies(quint64(text.size()), quint64(text.size())), name));
            name = next;
        }
        prepared.addPack(objects);
        const QString commit = prepared.branch(name);
        for (const bool multi : {false, true}) {
            if (multi)
                prepared.fixture.git({u"multi-pack-index"_s, u"write"_s});
            const auto found = prepared.read(commit);
            QVERIFY_OK(found);
            QCOMPARE(found->value_or(QByteArray()), text);
        }
    }

    // Some kilobytes that unpack to more than any recipe has.
    void whatIsTooLargeIsRefused_data()
    {
        QTest::addColumn<bool>("delta"); // a small object of a large one, else the large one
        QTest::newRow("object") << false;
        QTest::newRow("base") << true;
    }
    void whatIsTooLargeIsRefused()
    {
        QFETCH(const bool, delta);
        constexpr quint64 large = (quint64(64) << 20) + 1;
        const Prepared prepared;
        const QByteArray blob = nameOf("blob " + QByteArray::number(text.size()) + '\0' + text);
        const QString commit = prepared.branch(blob);
        QMap<QByteArray, QByteArray> objects;
        if (delta) {
            const QByteArray mebibyte = text + QByteArray((1 << 20) - text.size(), '\0');
            objects.insert(nameOf("base"), packed(blobKind, mebibyte));
            objects.insert(nameOf("large"), packed(deltaByName, copies(1 << 20, large), nameOf("base")));
            objects.insert(blob, packed(deltaByName, copies(large, quint64(text.size())), nameOf("large")));
        } else {
            objects.insert(blob, packed(blobKind, QByteArray(large, '\0')));
        }
        prepared.addPack(objects);
        QVERIFY_ERROR(prepared.read(commit), u"larger than 64 MiB"_s);
        const Result<BranchContent> content = opened(prepared.fixture.path()).readBranch(u"odd"_s);
        QVERIFY_OK(content);
        QCOMPARE(content->files.value(0).trouble, delta ? FileTrouble::Unreadable : FileTrouble::TooLarge);
    }
};

TM_TEST(TestPackChains, QCoreApplication)
#include "tst_packchains.moc"
