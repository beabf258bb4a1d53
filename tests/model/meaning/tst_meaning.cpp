// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/meaning/Meaning.h"
#include "model/meaning/MeaningDifferences.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

/// A recipe in a hand-written shape: a pinned nixpkgs, two overrides. Each %NAME% is replaced.
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
        QTest::newRow("echo of a function")
            << QByteArray() << QByteArray("f() {\necho a\n}\nexport A=1\nexport B=$(f)\n") << u"different"_s;
        QTest::newRow("echo in a loop that is redirected")
            << QByteArray() << QByteArray("export A=1\nfor x in a; do\necho b\ndone > file\n") << u"different"_s;
        QTest::newRow("echo after exec") << QByteArray() << QByteArray("exec > file\nexport A=1\necho b\n")
                                         << u"different"_s;
        QTest::newRow("echo in backquotes")
            << QByteArray() << QByteArray("export A=1\necho `rm x`\n") << u"different"_s;
        QTest::newRow("echo in front of a bracket")
            << QByteArray() << QByteArray("export A=1; echo b; echo c\n") << u"echo"_s;
        QTest::newRow("comment") << QByteArray() << QByteArray("# why\nexport A=1 # so\n\n") << u"shell_comment"_s;
        QTest::newRow("no comment") << QByteArray() << QByteArray("export A=1#so\n") << u"different"_s;
        QTest::newRow("comment in a text") << QByteArray() << QByteArray("export A=\"1 # so\"\n") << u"different"_s;
        QTest::newRow("blanks") << QByteArray() << QByteArray("   export   A=1\n\n\n") << u""_s;
        QTest::newRow("blanks in a text") << QByteArray() << QByteArray("export A=\"1 \"\n") << u"different"_s;
        QTest::newRow("description") << QByteArray("meta = old.meta // { description = \"x\"; };") << a
                                     << u"meta_text"_s;
        QTest::newRow("order of definitions")
            << QByteArray("cmakeFlags = old.cmakeFlags ++ [ \"-DB=1\" \"-DA=2\" ];") << a << u"different"_s;
        QTest::newRow("platforms") << QByteArray("meta = old.meta // { platforms = [ \"x86_64-linux\" ]; };") << a
                                   << u"different"_s;
        QTest::newRow("passthru") << QByteArray("passthru = old.passthru // { a = 1; };") << a << u"different"_s;
        QTest::newRow("another phase") << QByteArray("postPatch = (old.postPatch or \"\") + \"touch x\\n\";") << a
                                       << u"different"_s;
        QTest::newRow("a default that does something")
            << QByteArray("postPatch = (old.postPatch or \"touch x\") + \"# nothing\\n\";") << a << u"different"_s;
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

    /// Printed text counts if something may read it.
    void whatEchoPrintsIntoSomething()
    {
        for (const char *form :
             {"f() {\necho %\n}\nexport B=$(f)\n", "for x in a; do\necho %\ndone > file\n", "(\necho %\n) > file\n",
              "{\necho %\n} | tee file\n", "exec > file\necho %\n", "cat > file <<EOF\necho %\nEOF\n",
              "cat > file <<'E' # %\n# %\nE\n", "echo () { touch $1; }\necho %\n", "export B=\"`echo %`\"\n",
              "a ||\necho %\n", "echo ''${A=%}\n", "echo \"''${A?%}\"\n", "echo $[A=3] %\n",
              "if a; then\n  echo %\nfi\n", "export B='\n# %\n'\n"}) {
            const QByteArray one = QByteArray(form).replace('%', "one");
            const QByteArray other = QByteArray(form).replace('%', "other");
            QVERIFY2(compared(recipe({}, one), recipe({}, other)) == Sameness::Different, form);
        }
        for (const char *form : {"echo %\n", "echo \"% $A\"\n", "a; echo %\n", "# %\n", "a # %\n", "a \\\n  b # %\n",
                                 "cat > file <<EOF\nEOF\necho %\n", "if a; then\n  b\nfi\necho %\n",
                                 "f() { a; }\necho %\n", "export B=$((1 + 2))\necho '%'\n"}) {
            const QByteArray one = QByteArray(form).replace('%', "one");
            const QByteArray other = QByteArray(form).replace('%', "other");
            QVERIFY2(compared(recipe({}, one), recipe({}, other)) == Sameness::SameBuild, form);
        }
    }

    void listsOfEverythingAsText()
    {
        const QByteArrayList values{"\"a\"",           "1",          "2.5",    "true",   "false", "null", "[ ]",
                                    "[ \"b\" [ 3 ] ]", "{ a = 1; }", "(x: x)", "pkgs.x", "arch"};
        for (const QByteArray &one : values) {
            for (const QByteArray &other : values) {
                const auto with = [](const QByteArray &list) { return recipe("x = toString [ " + list + " ];"); };
                const QByteArray text = with(one + ' ' + other);
                QCOMPARE(toString(compared(text, with(one + "  " + other))), u"equal"_s);
                QCOMPARE(toString(compared(text, with(one + ' ' + other + " \"z\""))), u"different"_s);
            }
        }
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

    void ordersThatMeanNothing_data()
    {
        QTest::addColumn<QByteArray>("one");
        QTest::addColumn<QByteArray>("other");
        QTest::addColumn<QString>("same");
        const auto flags = [](const QByteArray &list) { return "cmakeFlags = old.cmakeFlags ++ [ " + list + " ];"; };
        QTest::newRow("definitions") << flags("\"-DB=1\" \"-DA=2\"") << flags("\"-DA=2\" \"-DB=1\"") << u"same-build"_s;
        QTest::newRow("of one variable") << flags("\"-DA=1\" \"-DA=2\"") << flags("\"-DA=2\" \"-DA=1\"")
                                         << u"different"_s;
        QTest::newRow("across another option")
            << flags("\"-DB=1\" \"-G\" \"-DA=2\"") << flags("\"-DA=2\" \"-G\" \"-DB=1\"") << u"different"_s;
        QTest::newRow("in front of nixpkgs'")
            << flags("\"-DB=1\"") << QByteArray("cmakeFlags = [ \"-DB=1\" ] ++ old.cmakeFlags;") << u"different"_s;
        const auto platforms = [](const QByteArray &list) {
            return "meta = old.meta // { platforms = [ " + list + " ]; };";
        };
        QTest::newRow("platforms") << platforms("\"b\" \"a\"") << platforms("\"a\" \"b\"") << u"equal"_s;
        QTest::newRow("inputs") << QByteArray("buildInputs = [ pinned.a pinned.b ];")
                                << QByteArray("buildInputs = [ pinned.b pinned.a ];") << u"different"_s;
    }
    void ordersThatMeanNothing()
    {
        QFETCH(QByteArray, one);
        QFETCH(QByteArray, other);
        QTEST(toString(compared(recipe(one), recipe(other))), "same");
    }

    void differencesByFactsAndPaths_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("told");
        const auto row = [](const char *name, const char *from, const char *to, const char *told) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QString::fromUtf8(told);
        };
        row("a fact", "[ arch ]", "[ \"8.6\" ]", "*gpu_targets: 9.0 > 8.6");
        row("the pin, used twice", "archive/0123", "archive/4567", "*pin: 0123 > 4567");
        row("package set", "python3Packages", "python313Packages",
            "*attribute: python3Packages.torch > python313Packages.torch");
        row("config", "allowUnfree = true", "allowUnfree = true; cudaCapabilities = [ \"9.0\" ]",
            "nixpkgs.config.cudaCapabilities:  > [ \"9.0\" ]");
        row("overlay", "final.cudaPackages_12_8", "prev.cudaPackages_12_8",
            "nixpkgs.overlays.cudaPackages: final.cudaPackages_12_8 > prev.cudaPackages_12_8");
        row("override", "cudaSupport = true", "cudaSupport = true; stdenv = pinned.clangStdenv",
            "override.stdenv:  > nixpkgs.clangStdenv");
        row("override dropped", ".override { cudaSupport = true; gpuTargets = [ arch ]; }", "",
            "*cuda_support: true > |*gpu_targets: 9.0 > ");
        row("a line of a phase", "export A=1", "export A=1\ntouch x", "preConfigure:  > touch x");
        row("a variable", "export A=1", "export A=2", "*environment.A: 1 > 2");
        row("old text", "(old.preConfigure or \"\")", "old.preConfigure",
            "preConfigure: (old.preConfigure or \"\") > old.preConfigure");
        row("attribute", "pname =", "src.rev = \"v1\"; pname =", "src:  > { rev = \"v1\"; }");
        row("no effect", "pname =", "ninjaFlags = [ \"-j4\" ]; pname =", "(ninja_flags):  > -j4");
        row("both",
            "pname =", "ninjaFlags = [ \"-j4\" ]; doCheck = true; pname =", "doCheck:  > true|(ninja_flags):  > -j4");
        row("an argument", "{ pkgs ? import <nixpkgs> {} }", "{ pkgs, lib }",
            "arguments.lib:  > required|arguments.pkgs: nixpkgs > required");
        row("nothing", "pname =", "/* a */ pname =", "");
    }
    void differencesByFactsAndPaths()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, told);
        const QByteArray before = recipe();
        QVERIFY(before.contains(from));
        const QByteArray after = QByteArray(before).replace(from, to);
        QStringList found;
        for (const MeaningDifference &one : meaningDifferences(before, readFacts(before), after, readFacts(after))) {
            const QString path = one.isFact ? u'*' + one.path : one.builds ? one.path : u'(' + one.path + u')';
            found.append(path + u": "_s + one.before + u" > "_s + one.after);
        }
        QCOMPARE(found.join(u'|'), told);
    }

    void aTextOverOtherValuesIsTheSameText()
    {
        const QByteArray before = recipe({}, "export A=${pinned.x}\nexport B=1\n");
        const QByteArray after = QByteArray(before).replace("archive/0123", "archive/4567");
        for (const MeaningDifference &one : meaningDifferences(before, readFacts(before), after, readFacts(after)))
            QVERIFY2(one.path == "pin"_L1 || one.after.contains("the same text, with other values"_L1),
                     qPrintable(one.path + one.after));
        const QByteArray order = recipe({}, "export B=1\nexport A=${pinned.x}\n");
        const auto moved = meaningDifferences(before, readFacts(before), order, readFacts(order));
        QCOMPARE(moved.size(), 1);
        QCOMPARE(moved.constFirst().after, u"other order of lines"_s);
    }

    void whatCannotBeComparedIsSaid()
    {
        const QByteArray broken = "{ broken";
        const auto found = meaningDifferences(recipe(), readFacts(recipe()), broken, readFacts(broken));
        QVERIFY(!found.isEmpty());
        QCOMPARE(found.constLast().path, u"problem"_s);
        QVERIFY(!found.constLast().after.isEmpty());
    }

    // nixpkgs' interpreters are given themselves: `self = python`.
    void aValueWithinItself()
    {
        const auto sameness = [](const QByteArray &a, const QByteArray &b) {
            return toString(samenessOf(a, readMeaning(a), b, readMeaning(b)));
        };
        const QByteArray python = "{ p }: let python = p.python3.override { self = python; packageOverrides = a: b: { "
                                  "torch = b.torch.override { gpuTargets = [ \"9.0\" ]; }; }; }; in python.pkgs.vllm";
        QCOMPARE(sameness(python, "# ours\n" + python), u"equal"_s);
        QCOMPARE(
            sameness(
                python,
                QByteArray(python).replace("python ", "own ").replace("python.", "own.").replace("python;", "own;")),
            u"equal"_s);
        QCOMPARE(sameness(python, QByteArray(python).replace("9.0", "8.0")), u"different"_s);
        QCOMPARE(sameness(python, QByteArray(python).replace("self = python", "self = p.python3")), u"different"_s);
        // Which value it is counts: the outer or the inner one; and it stays the same in two places.
        const QByteArray two = "{ p }: let a = p.f { x = b; }; b = p.g { y = a; z = b; }; in p.h [ a b ]";
        QCOMPARE(sameness(two, "# ours\n" + two), u"equal"_s);
        for (const auto &[from, to] : {std::pair("y = a", "y = b"),
                                       {"z = b", "z = a"},
                                       {"x = b", "x = a"},
                                       {"[ a b ]", "[ b b ]"},
                                       {"[ a b ]", "[ b a ]"}})
            QCOMPARE(sameness(two, QByteArray(two).replace(from, to)), u"different"_s);
        const QByteArray within = "{ p }: let f = n: p.f { inherit n; g = m: r; }; r = f 1; in r";
        QCOMPARE(sameness(within, "# ours\n" + within), u"equal"_s);
        QCOMPARE(sameness(within, QByteArray(within).replace("m: r", "m: n")), u"different"_s);
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

TM_TEST(MeaningTest, QCoreApplication)
#include "tst_meaning.moc"
