// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/fleet/FleetText.h"
#include "model/fleet/KnownRepositories.h"
#include "model/fleet/PinDates.h"
#include "model/snapshot/DiskCache.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/FleetFixture.h"
#include "tests/support/GitFixture.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QJsonArray>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

/// Pins over real repositories, and what documents say about them.
class PinsTest : public QObject
{
    Q_OBJECT

    [[nodiscard]] static Fleet read(const FleetFixture &fixture)
    {
        const QTemporaryDir cache;
        const auto load = []() -> Result<std::shared_ptr<const Catalog>> { return testing::builtInCatalog(); };
        const Result<Fleet> fleet = readFleet(load, *repositoriesBelow(fixture.path()), DiskCache(cache.path()));
        if (!fleet)
            qFatal("%s", qPrintable(fleet.error().sentence()));
        return *fleet;
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    /// The date of a revision is that of a lock file or of a commit in a clone; of others nothing is said.
    void datesOfRevisions()
    {
        const QString locked(40, u'a'), flake(40, u'b'), unknown(40, u'c'), odd(40, u'd');
        const GitFixture clone;
        clone.write(u".flox/env/manifest.lock"_s, R"({"packages": [{"rev": ")" + locked.toUtf8() +
                                                      R"(", "rev_date": "2025-09-08T23:30:00Z"},
                        {"rev": ")" + odd.toUtf8() + R"(", "rev_date": "<b>soon"}, 7]})");
        clone.write(u"flake.lock"_s, R"({"nodes": {"nixpkgs": {"locked": {"rev": ")" + flake.toUtf8() +
                                         R"(", "lastModified": 1735689600}}, "root": {}}})");
        clone.git({u"add"_s, u"."_s});
        qputenv("GIT_COMMITTER_DATE", "2024-02-29T12:00:00Z");
        clone.git({u"commit"_s, u"-qm"_s, u"Lock"_s});
        qunsetenv("GIT_COMMITTER_DATE");
        const QTemporaryDir broken; // no repository, and a lock that is none
        QDir(broken.path()).mkpath(u".flox/env"_s);
        QFile lock(broken.filePath(u"flake.lock"_s));
        QVERIFY(lock.open(QIODevice::WriteOnly) && lock.write("[[[") > 0);
        lock.close();
        const auto dates = pinDates({broken.path(), clone.path(), u"/nowhere"_s},
                                    {locked, flake, unknown, odd, clone.head(), u"2b22222"_s, u"<b>"_s});
        const QHash<QString, QDate> right{
            {locked, QDate(2025, 9, 8)}, {flake, QDate(2025, 1, 1)}, {clone.head(), QDate(2024, 2, 29)}};
        QCOMPARE(dates, right);
    }

    void pinsOfSeveralRepositories()
    {
        const FleetFixture fixture;
        fixture.commit(u"build-torch"_s, u"old"_s,
                       FleetFixture::torches(oldPin, "12_8", "python311", "2.8.0", {"avx2"}));
        fixture.commit(u"build-torch"_s, u"new"_s,
                       FleetFixture::torches(newPin, "12_8", "python313", "2.9.1", {"avx2", "avx512"}));
        fixture.commit(u"serve"_s, u"main"_s, FleetFixture::served(newPin, "12_8", "python313", "2.9.1", {"avx2"}));
        // Wrappers state their pin in an imported file.
        const QByteArray builder = "{ isa }:\nlet\n  pinned = import (builtins.fetchTarball {\n    url = "
                                   "\"https://github.com/NixOS/nixpkgs/archive/" +
                                   oldPin +
                                   ".tar.gz\";\n  }) { config.cudaSupport = true; };\nin\n"
                                   "pinned.python313Packages.torch.overrideAttrs (old: { pname = "
                                   "\"pytorch-python313-cpu-${isa}\"; })\n";
        QMap<QString, QByteArray> wrappers{{u".flox/pkgs/lib/mkTorch.nix"_s, builder}};
        for (const QByteArray isa : {"avx2", "avx512"})
            wrappers.insert(FleetFixture::fileOf("pytorch-python313-cpu-" + isa),
                            "{ pkgs ? import <nixpkgs> {} }:\nimport ./lib/mkTorch.nix { isa = \"" + isa + "\"; }\n");
        fixture.commit(u"wrapped"_s, u"main"_s, wrappers);

        const Fleet fleet = read(fixture);
        const QList<FleetPin> pins = pinsOf(fleet);
        QCOMPARE(pins.size(), 2);
        const FleetPin &older = pins.at(0).revision == QString::fromLatin1(oldPin) ? pins.at(0) : pins.at(1);
        const FleetPin &newer = &older == &pins.at(0) ? pins.at(1) : pins.at(0);
        QCOMPARE(newer.revision, QString::fromLatin1(newPin));
        QCOMPARE(newer.recipes(), 3);
        QCOMPARE(newer.uses.size(), 2);
        QCOMPARE(newer.versions.value(u"pytorch"_s), QStringList{u"2.9.1"_s});
        QCOMPARE(newer.versions.value(u"vllm"_s), QStringList{u"0.15.1"_s});
        QCOMPARE(older.recipes(), 3);
        QCOMPARE(older.versions.value(u"pytorch"_s), QStringList{u"2.8.0"_s});
        QCOMPARE(older.uses.size(), 2);
        const auto lib = std::ranges::find_if(
            older.uses, [](const FleetPin::Use &use) { return use.branch->repositoryName() == u"wrapped"_s; });
        QVERIFY(lib != older.uses.end());
        QCOMPARE(lib->pin->files, QStringList{u".flox/pkgs/lib/mkTorch.nix"_s});
        const QString text = pinsText(pins, {});
        QVERIFY2(text.contains(u"build-torch@new, serve@main"_s), qPrintable(text));

        QList<FleetTrouble> unread;
        const QList<PinPlace> places = placesNaming(fleet, QString::fromLatin1(oldPin.left(9)), unread);
        QVERIFY(unread.isEmpty());
        QCOMPARE(places.size(), 2);
        QCOMPARE(places.at(0).path, FleetFixture::fileOf("pytorch-python311-cuda12_8-sm90-avx2"));
        QCOMPARE(places.at(0).line, 4);
        QCOMPARE(places.at(1).path, u".flox/pkgs/lib/mkTorch.nix"_s);
        QCOMPARE(placesNaming(fleet, QString(40, u'9'), unread).size(), 0);
    }

    /// A file that several branches share is one place, and an abbreviation counts as long as nothing follows it.
    void everyLineIsOnePlace()
    {
        const FleetFixture fixture;
        QMap<QString, QByteArray> files = FleetFixture::torches(oldPin, "12_8", "python311", "2.8.0", {"avx2"});
        files.insert(u"NOTES"_s,
                     "at " + oldPin.left(7) + ", not " + oldPin.left(7) + "9\nsee " + oldPin.left(7) + "9\n");
        fixture.commit(u"r"_s, u"one"_s, files);
        fixture.commit(u"r"_s, u"two"_s, files);
        QList<FleetTrouble> unread;
        const QList<PinPlace> places = placesNaming(read(fixture), QString::fromLatin1(oldPin), unread);
        QVERIFY(unread.isEmpty());
        QCOMPARE(places.size(), 2);
        QCOMPARE(places.at(1).path, u"NOTES"_s);
        QCOMPARE(places.at(1).line, 1);
        QCOMPARE(places.at(1).branches, (QStringList{u"one"_s, u"two"_s}));
    }

    void documents_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<bool>("outdated");
        const QByteArray older = oldPin.left(7);
        const QByteArray newer = newPin.left(7);
        QTest::newRow("own pin") << QByteArray("The nixpkgs pin is " + newer) << false;
        QTest::newRow("in full") << QByteArray("github.com/NixOS/nixpkgs/archive/" + newPin + ".tar.gz") << false;
        QTest::newRow("another branch's") << QByteArray("nixpkgs " + older) << false;
        QTest::newRow("nobody's") << QByteArray("Pinned to nixpkgs `333333c`") << true;
        QTest::newRow("nobody's address") << QByteArray("https://github.com/NixOS/nixpkgs/commit/333333cccc") << true;
        QTest::newRow("a table's row") << QByteArray("| torch-old | 3.11 | nixpkgs " + older + " |") << false;
        QTest::newRow("a wrong row") << QByteArray("| torch-old | 3.11 | nixpkgs " + newer + " |") << true;
        QTest::newRow("two branches") << QByteArray("nixpkgs " + newer + " (torch-new; torch-old has another)")
                                      << false;
        QTest::newRow("part of a branch's name") << QByteArray("| torch-old-extra | nixpkgs " + newer + " |") << false;
        QTest::newRow("a branch elsewhere") << QByteArray("| `torch-next` | nixpkgs `333333c` |") << false;
        QTest::newRow("a change") << QByteArray("nixpkgs 333333c -> " + newer) << false;
        QTest::newRow("a link") << QByteArray("nixpkgs [`333333c`](https://github.com/NixOS/nixpkgs/tree/333333cccc)")
                                << true;
        QTest::newRow("a commit of something else") << QByteArray("Fixed in 333333c") << false;
        QTest::newRow("a word") << QByteArray("nixpkgs defaced facade 1234567") << false;
        QTest::newRow("a hash") << QByteArray("nixpkgs sha256-333333c/33333ca=") << false;
        QTest::newRow("a branch") << QByteArray("git checkout torch-old") << false;
        QTest::newRow("no branch") << QByteArray("    git checkout torch-older") << true;
        QTest::newRow("a new branch") << QByteArray("git checkout -b torch-older") << false;
        QTest::newRow("switch") << QByteArray("git switch torch-older && flox build") << true;
        QTest::newRow("an address") << QByteArray("https://github.com/acme/build-torch/tree/torch-older") << true;
        QTest::newRow("another's address") << QByteArray("https://github.com/acme/other/tree/torch-older") << false;
    }
    void documents()
    {
        QFETCH(const QByteArray, line);
        const FleetFixture fixture;
        fixture.commit(u"build-torch"_s, u"torch-old"_s,
                       FleetFixture::torches(oldPin, "12_8", "python311", "2.8.0", {"avx2"}));
        QMap<QString, QByteArray> files = FleetFixture::torches(newPin, "12_8", "python313", "2.9.1", {"avx2"});
        files.insert(u"docs/README.md"_s, "# Recipes\n\n" + line + "\n");
        fixture.commit(u"build-torch"_s, u"torch-new"_s, files);
        QList<FleetTrouble> unread;
        const QList<OutdatedStatement> statements = outdatedStatements(read(fixture), unread);
        QVERIFY(unread.isEmpty());
        QTEST(statements.size() == 1, "outdated");
        if (!statements.isEmpty()) {
            QCOMPARE(statements.constFirst().branches, QStringList{u"torch-new"_s});
            QCOMPARE(statements.constFirst().path, u"docs/README.md"_s);
            QCOMPARE(statements.constFirst().line, 3);
        }
    }
};

TM_TEST(PinsTest, QCoreApplication)
#include "tst_pins.moc"
