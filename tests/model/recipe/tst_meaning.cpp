// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/Meaning.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

/// A recipe in the shape that people write: a pinned nixpkgs, two overrides. Each %NAME% is replaced.
QByteArray recipe(const QByteArray &attributes = {}, const QByteArray &phase = "export A=1\n")
{
    return "{ pkgs ? import <nixpkgs> {} }:\n"
           "let\n"
           "  pinned = import (builtins.fetchTarball { url = \"https://example.org/archive/0123.tar.gz\"; }) {\n"
           "    config = { allowUnfree = true; };\n"
           "    overlays = [ (final: prev: { cudaPackages = final.cudaPackages_12_8; }) ];\n"
           "  };\n"
           "  arch = \"9.0\";\n"
           "in\n"
           "  (pinned.python3Packages.torch.override { cudaSupport = true; gpuTargets = [ arch ]; })\n"
           "  .overrideAttrs (old: {\n"
           "    pname = \"a-torch\";\n"
           "    preConfigure = (old.preConfigure or \"\") + ''\n" +
           phase + "    '';\n" + attributes + "\n  })\n";
}

Sameness compared(const QByteArray &a, const QByteArray &b)
{
    const Meaning left = readMeaning(a);
    const Meaning right = readMeaning(b);
    if (!left.isKnown() || !right.isKnown())
        QTest::qFail(qPrintable(left.problem + right.problem), __FILE__, __LINE__);
    return samenessOf(a, left, b, right);
}

} // namespace

class MeaningTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void whatReachesNoBuild_data()
    {
        QTest::addColumn<QByteArray>("attributes");
        QTest::addColumn<QByteArray>("phase");
        QTest::addColumn<QString>("kinds"); ///< "different" where it is not the same build
        const QByteArray a = "export A=1\n";
        QTest::newRow("ninjaFlags") << QByteArray("ninjaFlags = [ \"-j32\" ];") << a << u"ninja_flags"_s;
        QTest::newRow("ninjaFlags kept") << QByteArray("ninjaFlags = (old.ninjaFlags or []) ++ [ \"-j\" \"4\" ];") << a
                                         << u"ninja_flags"_s;
        QTest::newRow("ninjaFlags, verbose") << QByteArray("ninjaFlags = [ \"-v\" ];") << a << u"different"_s;
        QTest::newRow("ninjaFlags, used")
            << QByteArray("ninjaFlags = [ \"-j32\" ]; buildPhase = \"ninja $ninjaFlags\";") << a << u"different"_s;
        QTest::newRow("features") << QByteArray("requiredSystemFeatures = [ \"big-parallel\" ];") << a
                                  << u"system_features"_s;
        QTest::newRow("MAX_JOBS") << QByteArray() << QByteArray("export A=1\nexport MAX_JOBS=32\n") << u"max_jobs"_s;
        QTest::newRow("MAX_JOBS, used") << QByteArray()
                                        << QByteArray("export A=1\nexport MAX_JOBS=32\nexport B=$MAX_JOBS\n")
                                        << u"different"_s;
        QTest::newRow("MAX_JOBS, computed")
            << QByteArray() << QByteArray("export A=1\nexport MAX_JOBS=$(rm x)\n") << u"different"_s;
        QTest::newRow("echo") << QByteArray() << QByteArray("export A=1\necho \"=====\"\necho \"A: $A\"\n")
                              << u"echo"_s;
        QTest::newRow("echo to a file") << QByteArray() << QByteArray("export A=1\necho a > file\n") << u"different"_s;
        QTest::newRow("echo into a command")
            << QByteArray() << QByteArray("export A=1\necho a | tee file\n") << u"different"_s;
        QTest::newRow("echo of a command")
            << QByteArray() << QByteArray("export A=1\necho $(rm -r src)\n") << u"different"_s;
        QTest::newRow("echo that assigns")
            << QByteArray() << QByteArray("export A=1\necho ''${B:=3}\n") << u"different"_s;
        QTest::newRow("echo after a condition")
            << QByteArray() << QByteArray("export A=1\n[ -e x ] && echo b\n") << u"different"_s;
        QTest::newRow("comment") << QByteArray() << QByteArray("# why\nexport A=1 # so\n\n") << u"shell_comment"_s;
        QTest::newRow("no comment") << QByteArray() << QByteArray("export A=1#so\n") << u"different"_s;
        QTest::newRow("comment in a text") << QByteArray() << QByteArray("export A=\"1 # so\"\n") << u"different"_s;
        QTest::newRow("blanks") << QByteArray() << QByteArray("   export   A=1\n\n\n") << u""_s;
        QTest::newRow("blanks in a text") << QByteArray() << QByteArray("export A=\"1 \"\n") << u"different"_s;
        QTest::newRow("description") << QByteArray("meta = old.meta // { description = \"x\"; };") << a
                                     << u"meta_text"_s;
        QTest::newRow("platforms") << QByteArray("meta = old.meta // { platforms = [ \"x86_64-linux\" ]; };") << a
                                   << u"different"_s;
        QTest::newRow("passthru") << QByteArray("passthru = old.passthru // { a = 1; };") << a << u"different"_s;
        QTest::newRow("another phase") << QByteArray("postPatch = (old.postPatch or \"\") + \"touch x\\n\";") << a
                                       << u"different"_s;
        QTest::newRow("an empty phase") << QByteArray("postPatch = (old.postPatch or \"\") + \"# nothing\\n\";") << a
                                        << u"shell_comment"_s;
    }
    void whatReachesNoBuild()
    {
        QFETCH(QByteArray, attributes);
        QFETCH(QByteArray, phase);
        QFETCH(QString, kinds);
        const QByteArray plain = recipe();
        const QByteArray other = recipe(attributes, phase);
        const bool different = kinds == "different"_L1;
        QCOMPARE(toString(compared(plain, other)), different ? u"different"_s : u"same-build"_s);
        if (different)
            return;
        QStringList names;
        for (const UnbuiltKind kind : unbuiltDifferences(readMeaning(plain), readMeaning(other)))
            names.append(toString(kind));
        QCOMPARE(names.join(u' '), kinds);
    }

    void theCallersSystem()
    {
        const auto with = [](const QByteArray &system) {
            return recipe().replace("config = {", "system = " + system + "; config = {");
        };
        QCOMPARE(toString(compared(recipe(), with("pkgs.stdenv.hostPlatform.system"))), u"same-build"_s);
        QCOMPARE(toString(compared(recipe(), with("builtins.currentSystem"))), u"same-build"_s);
        QCOMPARE(toString(compared(recipe(), with("\"x86_64-linux\""))), u"different"_s);
        const QList<Unbuilt> unbuilt = readMeaning(with("pkgs.system")).unbuilt;
        QCOMPARE(unbuilt.size(), 1);
        QCOMPARE(unbuilt.constFirst().value, u"pkgs.system"_s);
    }

    void settingsReadWhatIsLeftOut()
    {
        const Meaning meaning = readMeaning(recipe("ninjaFlags = [ \"-j32\" ]; requiredSystemFeatures = "
                                                   "[ \"big-parallel\" ];",
                                                   "export MAX_JOBS=16\n"));
        QStringList found;
        for (const Unbuilt &one : meaning.unbuilt)
            found.append(toString(one.kind) + u' ' + one.where + u' ' + one.value);
        QCOMPARE(found.join(u'\n'), u"ninja_flags ninjaFlags -j32\nmax_jobs preConfigure 16\n"
                                    u"system_features requiredSystemFeatures big-parallel"_s);
    }

    void whatHasNoNormalForm()
    {
        for (const char *text : {"{ broken", "{ a }: a.b __curPos", "{ a }: assert false; a", "let a = a; in a",
                                 "{ a }: let f = x: f [ x a ]; in f a"}) {
            const Meaning meaning = readMeaning(text);
            QVERIFY2(!meaning.isKnown() && !meaning.problem.isEmpty(), text);
            QCOMPARE(toString(samenessOf(text, meaning, text, meaning)), u"identical"_s);
            const QByteArray other = text + QByteArray(" # a remark");
            QCOMPARE(toString(samenessOf(text, meaning, other, readMeaning(other))), u"different"_s);
        }
        QCOMPARE(toString(samenessOf({}, {}, {}, {})), u"different"_s);
    }
};

QTEST_GUILESS_MAIN(MeaningTest)
#include "tst_meaning.moc"
