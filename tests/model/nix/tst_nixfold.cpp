// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Files.h"
#include "model/nix/Fold.h"
#include "model/nix/NormalForm.h"
#include "model/nix/Parse.h"
#include "tests/support/TestMain.h"

#include <QTest>

#include <ctime>

using namespace Qt::StringLiterals;
using namespace tmx::nix;

namespace {

struct Folded {
    explicit Folded(const QByteArray &code, const FoldOptions &options = {})
        : parsed(parse(code))
        , fold(parsed.tree, options)
    {
    }

    /// The bytes of the file that wrote a value.
    [[nodiscard]] QByteArray written(const Value &value) const
    {
        return value.node() ? parsed.tree->source().bytes().mid(value.node()->span.offset, value.node()->span.length)
                            : QByteArray();
    }

    ParseResult parsed;
    Fold fold;
};

} // namespace

class tst_NixFold : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }
    void callPackage();

    void folds_data();
    void folds();
    void givesReasons_data();
    void givesReasons();
    void valuesKnowWhereTheyAreWritten();
    void bytesOfTextsKnowWhereTheyAreWritten();
    void readsARecipe();
    void callsOverlays();
    void workIsBounded_data();
    void workIsBounded();
    void limitsAreNoValues();
    void answersWhatWasNotAskedFor();
};

void tst_NixFold::folds_data()
{
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("shown");
    const auto row = [](const char *code, const char *shown) {
        QTest::newRow(code) << QByteArray(code) << QByteArray(shown);
    };

    row("let a = 1; b = a; in [ a b 2.5 true null ./x ]", "[ 1 1 2.5 true null ./x ]");
    row("let a = \"x\"; in \"${a}y${\"z\"}\"", "\"xyz\"");
    row("''\n    a ${\"b\"}\n      c\n  ''", "\"a b\\n  c\\n\"");
    row("rec { a = b + 1; b = 2; c.d = a; }", "{ a = 3; b = 2; c = { d = 3; }; }");
    row("let s = { a.b = 1; a.c = 2; }; in [ s.a.b s.a.d or 3 (s ? a.c) (s ? x) ]", "[ 1 3 true false ]");
    row("let inherit (rec { a = 1; b = a; }) a b; in { inherit a; c = b; }", "{ a = 1; c = 1; }");
    row("let a = 1; in let inherit a; b = a; in [ a b ]", "[ 1 1 ]");
    row("let inherit ({ a = { b = 1; }; }) a; inherit (a) b; in b", "1");
    row("let a = 1; in rec { inherit a; inherit (b) c; b = { c = a; }; }", "{ a = 1; b = { c = 1; }; c = 1; }");
    row("{ a = { x = 1; }; a = rec { y = 2; }; a.z = 3; }", "{ a = { x = 1; y = 2; z = 3; }; }");
    row("let n = \"k\"; in { ${n} = 1; \"${n}2\" = 2; ${null} = 3; }", "{ k = 1; k2 = 2; }");
    row("with { a = 1; }; with { b = 2; }; [ a b ]", "[ 1 2 ]");
    row("let a = 1; in with { a = 2; }; a", "1");
    row("[ 1 ] ++ [ 2 ] ++ [ ] ++ [ 3 ]", "[ 1 2 3 ]");
    row("{ a = 1; b = 1; } // { b = 2; } // { c = 3; }", "{ a = 1; b = 2; c = 3; }");
    row("let { body = a; a = 4; }", "4");
    row("if 1 < 2 && !false || (throw \"x\") then \"y\" else \"n\"", "\"y\"");
    row("[ (1 + 2 * 3 - 4 / 2) (-1) (1.5 + 1) (7 / 2) (7 / 2.0) ]", "[ 5 -1 2.5 3 3.5 ]");
    row("[ (1 == 1.0) (\"a\" == \"a\") ([ 1 { a = 2; } ] == [ 1 { a = 2; } ]) ({ a = 1; } != { b = 1; }) (null == "
        "false) (\"a\" < \"b\") "
        "(2 >= 3) ]",
        "[ true true true true false true false ]");
    row("[ (false -> false) (true -> false) (true && false && throw \"x\") ]", "[ true false false ]");
    row("assert true; 1", "1");
    row("(x: y: x + y) 1 2", "3");
    row("({ a, b ? a + 1, ... }@args: [ a b args.c ]) { a = 1; c = 3; }", "[ 1 2 3 ]");
    row("let f = n: if n == 0 then [ ] else f (n - 1) ++ [ n ]; in f 5", "[ 1 2 3 4 5 ]");
    row("builtins.concatStringsSep \",\" [ \"a\" \"b\" ]", "\"a,b\"");
    row("toString [ 1 \"a\" true false null [ 2 ] [ ] 1.5 ]", "\"1 a 1   2 1.500000\"");
    row("map (x: x + 1) [ 1 2 ] ++ builtins.filter (x: x > 1) [ 1 2 3 ]", "[ 2 3 2 3 ]");
    row("__concatStringsSep \"\" [ \"a\" \"b\" ]", "\"ab\"");
    row("builtins.true", "true");
    row("[ (baseNameOf ./lib/a-sm90.nix) (builtins.baseNameOf \"/x/b.nix\") (baseNameOf \"c/\") (baseNameOf \"d\") ]",
        "[ \"a-sm90.nix\" \"b.nix\" \"c\" \"d\" ]");
    row("{ x }: [ (baseNameOf ./.) (baseNameOf x) ]", "[ (<baseNameOf> ./.) (<baseNameOf> x) ]");

    // Of nixpkgs' lib, wherever it comes from.
    row("{ lib }: lib.concatStringsSep \" \" [ \"-mavx2\" \"-mfma\" ]", "\"-mavx2 -mfma\"");
    row("{ pkgs ? import <nixpkgs> { } }: let inherit (pkgs) lib; in lib.strings.concatStringsSep \" \" [ \"a\" \"b\" "
        "]",
        "\"a b\"");
    row("{ pkgs ? import <nixpkgs> { } }: with pkgs.lib; concatStringsSep \",\" (map (x: x + x) [ \"a\" \"b\" ])",
        "\"aa,bb\"");
    row("{ lib, ... }: lib.optionals true [ 1 ] ++ lib.optional false 2 ++ lib.optionals (1 == 1) [ 3 ]", "[ 1 3 ]");
    row("{ lib }: [ (lib.removePrefix \"sm_\" \"sm_90\") (lib.removePrefix \"sm_\" \"90\") (lib.hasPrefix \"sm\" "
        "\"sm_90\") "
        "(lib.hasPrefix \"cuda\" \"cu\") ]",
        "[ \"90\" \"90\" true false ]");
    row("{ lib }: lib.filter (p: !(lib.hasPrefix \"cuda\" p)) [ \"cuda_cccl\" \"mkl\" ]", "[ \"mkl\" ]");
    row("{ lib, old }: lib.filter (p: !(lib.hasPrefix \"cuda\" (p.pname or \"\"))) old", "(<filter> old)");
    row("{ lib, old }: lib.filter (x: x != old) [ 1 2 ]", "[ *1 *2 ]");
    row("{ lib }: lib.escapeShellArgs [ \"-mavx2\" 3 \"a b\" \"it's\" \"\" ]", R"("-mavx2 3 'a b' 'it'\''s' ''")");
    row("let f = { by = 2; __functor = self: n: n + self.by; }; in f 3", "5");
    row("{ lib }: lib.optionalString (1 == 2) \"x\" + lib.optionalString true \"y\"", "\"y\"");
    row("let lib = { concatStringsSep = a: b: 7; }; in lib.concatStringsSep \" \" [ ]", "7");

    row("{ lib }: [ (lib.versionAtLeast \"2.10\" \"2.9\") (lib.versionOlder \"2.9\" \"2.9rc1\") (lib.hasSuffix "
        "\".nix\" "
        "\"a.nix\") (lib.hasInfix \"b\" \"abc\") (lib.last [ 1 2 ]) ]",
        "[ true true true true 2 ]");
    row("{ lib }: { a = 1; } // lib.optionalAttrs (1 == 1) { b = 2; } // lib.optionalAttrs false { c = 3; }",
        "{ a = 1; b = 2; }");
    row("{ lib }: lib.pipe \"a,b\" [ (lib.splitString \",\") (map (f: \"-${f}\")) (lib.concatStringsSep \" \") ]",
        "\"-a -b\"");
    row("{ lib }: lib.concatMapStringsSep \";\" (x: x + \"a\") [ \"8.0\" \"9.0\" ]", "\"8.0a;9.0a\"");
    row("let t = { \"0.25-313\" = { pin = 1; }; }; k = \"0.25\"; in t.${\"${k}-313\"}.pin or 2", "1");
    row("{ old }: builtins.elem old [ 1 ]", "(<elem> [ 1 ])");
    row("builtins.match \"([0-9]+\\\\.[0-9]+).*\" \"2.10.0\"", "[ \"2.10\" ]");
    row("builtins.match \"(a*)*\" \"b\"", "(<match> \"b\")");
    row("builtins.match \"([a-z-]+)-(python3[0-9]+)-cuda([0-9]+)_([0-9]+)-sm([0-9]+)([0-9])([af]?)-([a-z0-9_]+)\" "
        "\"gadget-kit-python312-cuda12_8-sm100a-avx512\"",
        "[ \"gadget-kit\" \"python312\" \"12\" \"8\" \"10\" \"0\" \"a\" \"avx512\" ]");
    const QByteArray many(60, 'a');
    const QByteArray hard = "builtins.match \"" + QByteArray("a*").repeated(12) + "[bc]\" \"" + many + "\"";
    row(hard.constData(), "(<match> \"" + many + "\")");

    // An unknown value stays in its place, and values around it are known.
    row("{ a, b ? 2 }: [ a b ]", "[ a 2 ]");
    row("args: args.x or 1", "args.x or 1");
    row("{ pkgs }: pkgs.python3Packages.torch", "pkgs.python3Packages.torch");
    row("{ pkgs ? import <nixpkgs> { } }: pkgs.x", "((builtins.import <nixpkgs>) { }).x");
    row("{ old }: (old.a or \"\") + \"b\" + \"c\"", "\"${old.a or \"\"}bc\"");
    row("{ old }: old.inputs ++ [ 1 ] ++ (old.more or [ ])", "[ *old.inputs 1 *old.more or [ ] ]");
    row("{ old }: (old // { a = 1; }).a", "1");
    row("{ old }: ({ a = 1; } // old).a", "{ a = ?; ... }.a");
    row("{ old }: old // { a = 1; }", "{ a = 1; ... }");
    row("{ old }: { ${old} = 1; a = 2; }.a", "2");
    row("{ old }: { ${old} = 1; a = 2; }.b", "{ a = 2; ... }.b");
    // What known sets above lack comes from the unknown one below them, not from one above.
    row("{ old }: (old // { a = 1; } // { c = 1; }).b", "old.b");
    row("{ old, new }: (old // { a = 1; } // new).b", "{ a = ?; ... }.b");
    row("{ lib, old }: lib.recursiveUpdate old.meta { a = 1; b.c = 2; }", "{ a = 1; b = { c = 2; ... }; ... }");
    row("{ lib, old }: (lib.recursiveUpdate { a = old; b = 1; } { a.c = 2; }).b", "1");
    row("{ lib, old }: (lib.recursiveUpdate { m.p = 1; } { m = old.m // { p = 2; }; a = 1; }).m.p", "2");
    row("{ lib, old }: (lib.recursiveUpdate { m.p = 1; } { m = old.m // { q = 2; }; a = 1; }).a", "1");
    row("{ lib, f, p }: (lib.composeExtensions (f: p: { a = p.x; }) (f: p: { b = p.a; c = p.y; }) f p)",
        "{ a = p.x; b = p.x; c = p.y; }");
    row("{ lib, f, p, e }: (lib.composeExtensions e (f: p: { b = 1; }) f p)", "{ b = 1; ... }");
    row("{ lib, p }: lib.addMetaAttrs { a = 1; } p", "(p.overrideAttrs { meta = { a = 1; ... }; })");
    row("{ lib, old }: builtins.sort (a: b: a < b) [ old 1 ]", "(<sort> [ old 1 ])");
    // Which alternative or repetition takes a character is not the same for Nix and Qt.
    row("builtins.match \"(a|ab)(c|bcd)\" \"abcd\"", "(<match> \"abcd\")");
    row("builtins.match \"(a|)b\" \"b\"", "(<match> \"b\")");
    row("builtins.split \"a*(ab)?\" \"aab\"", "(<split> \"aab\")");
    row("{ lib, old }: lib.concatStringsSep \" \" ([ \"a\" old.flag ] ++ old.flags)", "\"a ${old.flag} ${old.flags}\"");
    row("{ lib, c }: lib.optionals c [ 1 ] ++ [ 2 ]", "[ *(if c then [ 1 ] else [ ]) 2 ]");
    row("{ c }: if c then 1 else 2", "(if c then 1 else 2)");
    row("{ c }: assert c; 1", "1");
    row("{ pkgs }: (pkgs.torch.override { a = true; }).overrideAttrs (old: { })",
        "((pkgs.torch.override { a = true; }).overrideAttrs <function>)");
    row("builtins.fetchTarball { url = \"u\"; }", "(builtins.fetchTarball { url = \"u\"; })");
    row("fetchTarball \"u\"", "(builtins.fetchTarball \"u\")");
    row("{ x }: with x; y", "x.y");
    row("{ x }: with { y = 1; }; with x; y", "x.y");
    row("{ f }: map f [ 1 2 ]", "[ (f 1) (f 2) ]");
    row("{ x }: toString x.y", "(<toString> x.y)");

    // Functions that recipes do not use for lists of flags are not folded, but their arguments are.
    row("builtins.toXML [ (1 + 1) ]", "(builtins.toXML [ 2 ])");
    row("builtins.fromJSON \"[ 1.0 ]\"", "(<fromJSON> \"[ 1.0 ]\")"); // Qt would make it 1
    row("{ lib }: lib.toSentenceCase (\"sm\" + \"90\")", "(lib.toSentenceCase \"sm90\")");
    row("{ lib }: lib.versions.splitVersion \"2.10.0\"", "(lib.versions.splitVersion \"2.10.0\")");
    row("{ lib }: [ 1 ] ++ lib.replicate 4 6 ++ [ 2 ]", "[ 1 *((lib.replicate 4) 6) 2 ]");
    row("builtins.hasPrefix \"a\" \"ab\"", "((builtins.hasPrefix \"a\") \"ab\")");
    row("./a${\"b\"}/c", "./ab/c");
    row("./. + \"/a\"", "./."
                        "/a");
}

void tst_NixFold::folds()
{
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, shown);
    Folded folded(code);
    QVERIFY2(folded.parsed.ok(), qPrintable(folded.parsed.error.value_or(ParseError()).message));
    QCOMPARE(folded.fold.result().shown(), shown);
}

void tst_NixFold::givesReasons_data()
{
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char *code, const QString &reason) { QTest::newRow(code) << QByteArray(code) << reason; };
    row("{ }.a", u"there is no attribute a"_s);
    row("{ a }: a", u"it comes from outside of the file"_s);
    row("{ a }: ({ b = 1; } // a).b", u"something unknown may have set b"_s);
    row("with { }; a", u"there is no variable a"_s);
    row("({ a }: a) { }", u"the argument a is missing"_s);
    row("1 + \"a\"", u"it is of the wrong type"_s);
    row("[ ] ++ 1", u"it is of the wrong type"_s);
    row("1 2", u"it is of the wrong type"_s);
    row("1 / 0", u"a number is out of range"_s);
    row("9223372036854775807 + 1", u"a number is out of range"_s);
    row("assert false; 1", u"an assertion fails"_s);
    row("throw \"no\"", u"it throws an error"_s);
    row("builtins.toXML [ 1 ]", u"it comes from outside of the file"_s);
    row("let a = b; b = a; in a", u"it refers to itself"_s);
    row("rec { a = a + 1; }.a", u"it refers to itself"_s);
    row("let f = x: f x; in f 1", u"it is nested too deeply"_s);
    row("{ a = ", u"the file is not Nix"_s);
}

void tst_NixFold::givesReasons()
{
    QFETCH(QByteArray, code);
    QFETCH(QString, reason);
    Folded folded(code);
    const Value value = folded.fold.result();
    QVERIFY(!value.isKnown());
    QCOMPARE(value.reason(), reason);
}

void tst_NixFold::valuesKnowWhereTheyAreWritten()
{
    Folded folded("{ pkgs }: let target = \"9.0\"; all = [ target \"8.6\" ]; in { gpuTargets = all; flag = true; t = "
                  "pkgs.a.b 1; }");
    const Value targets = folded.fold.result().attribute("gpuTargets");
    QCOMPARE(folded.written(targets), "[ target \"8.6\" ]");
    QCOMPARE(folded.written(targets.items().at(0).value), "\"9.0\""); // where it can be mended, not where it is named
    QCOMPARE(folded.written(targets.items().at(1).value), "\"8.6\"");
    QCOMPARE(folded.written(folded.fold.result().attribute("flag")), "true");
    const Value call = folded.fold.result().attribute("t");
    QVERIFY(call.unknown() == UnknownKind::Call);
    QCOMPARE(folded.written(call), "pkgs.a.b 1");
    QCOMPARE(call.base().name(), "b");
    QCOMPARE(call.base().base().name(), "a");
    QCOMPARE(call.base().base().base().name(), "pkgs");
    QCOMPARE(call.argument().integer(), 1);
    const auto entries = folded.fold.result().entries();
    QCOMPARE(entries.size(), size_t(3));
    QCOMPARE(entries[1].name, "gpuTargets");
    QCOMPARE(folded.parsed.tree->text(entries[1].definition->binding->span), "gpuTargets = all;");
}

void tst_NixFold::bytesOfTextsKnowWhereTheyAreWritten()
{
    const QByteArray code =
        "{ lib, old }:\nlet flags = [ \"-mavx2\" (\"-m\" + \"fma\") ]; in\n(old.pre or \"\") + ''\n    export "
        "CXXFLAGS=\"${lib.concatStringsSep \" \" flags} ''$X\"\n    "
        "echo ${toString 1}\n  ''";
    Folded folded(code);
    const Value text = folded.fold.result();
    const QByteArray around = text.textAround('@');
    QCOMPARE(around, "@export CXXFLAGS=\"-mavx2 -mfma $X\"\necho 1\n");
    QVERIFY(!text.text());
    QCOMPARE(text.holes().size(), size_t(1));
    QCOMPARE(text.holes()[0].shown(), "old.pre or \"\"");
    const std::vector<quint32> offsets = text.offsets();
    QCOMPARE(qsizetype(offsets.size()), around.size());
    QCOMPARE(offsets[0], Value::nowhere); // the hole
    const auto offsetOf = [&](const char *words) { return offsets[size_t(around.indexOf(words))]; };
    QCOMPARE(offsetOf("export"), quint32(code.indexOf("export")));
    QCOMPARE(offsetOf("-mavx2"), quint32(code.indexOf("-mavx2")));
    QCOMPARE(offsetOf("fma"), quint32(code.indexOf("fma")));
    QCOMPARE(offsetOf("X\"\n"), quint32(code.indexOf("X\"\n    echo")));
    QCOMPARE(offsetOf("echo"), quint32(code.indexOf("echo")));
    QCOMPARE(offsetOf("1\n"), Value::nowhere); // computed
}

void tst_NixFold::readsARecipe()
{
    Folded folded(R"(
{ pkgs ? import <nixpkgs> {} }:
let
  nixpkgs_pinned = import (builtins.fetchTarball {
    url = "https://github.com/NixOS/nixpkgs/archive/6a030d53.tar.gz"; # "not this"
  }) { config = { allowUnfree = true; cudaSupport = true; }; overlays = [ (final: prev: { cudaPackages = final.cudaPackages_13; }) ]; };
  inherit (nixpkgs_pinned) lib;
  gpuArchSM = "9.0";
  cpuFlags = [ "-mavx512f" "-mfma" ];
  torch = nixpkgs_pinned.python3Packages.torch;
in
(torch.override { cudaSupport = true; gpuTargets = [ gpuArchSM ]; }).overrideAttrs (oldAttrs: {
  pname = "pytorch210-${"python313"}-cuda13_0-sm90-avx512";
  cmakeFlags = (oldAttrs.cmakeFlags or [ ]) ++ [ "-DTORCH_BUILD_VERSION=2.10.0" ];
  preConfigure = ''
    export CXXFLAGS="${lib.concatStringsSep " " cpuFlags} $CXXFLAGS"
  '' + (oldAttrs.preConfigure or "");
  passthru = (oldAttrs.passthru or { }) // { gpuArch = gpuArchSM; blasProvider = "cublas"; };
  meta = oldAttrs.meta // { platforms = [ "x86_64-linux" ]; };
})
)");
    QVERIFY(folded.parsed.ok());
    const Value result = folded.fold.result();
    QVERIFY(result.unknown() == UnknownKind::Call);
    QCOMPARE(result.base().name(), "overrideAttrs");
    const Value overriden = result.base().base();
    QCOMPARE(overriden.base().name(), "override");
    QCOMPARE(overriden.argument().shown(), R"({ cudaSupport = true; gpuTargets = [ "9.0" ]; })");
    const Value torch = overriden.base().base();
    QCOMPARE(torch.name(), "torch");
    QCOMPARE(torch.base().name(), "python3Packages");
    const Value pinned = torch.base().base();
    QCOMPARE(pinned.argument().attribute("config").attribute("cudaSupport").boolean(), true);
    QCOMPARE(pinned.base().argument().argument().attribute("url").text(),
             "https://github.com/NixOS/nixpkgs/archive/6a030d53.tar.gz");
    QCOMPARE(pinned.base().argument().base().name(), "fetchTarball");

    const Value attributes = folded.fold.call(result.argument(), folded.fold.argument("oldAttrs"));
    QVERIFY(attributes.isComplete());
    QCOMPARE(attributes.attribute("pname").text(), "pytorch210-python313-cuda13_0-sm90-avx512");
    QCOMPARE(attributes.attribute("cmakeFlags").items().back().value.text(), "-DTORCH_BUILD_VERSION=2.10.0");
    QCOMPARE(attributes.attribute("preConfigure").textAround('@'), "export CXXFLAGS=\"-mavx512f -mfma $CXXFLAGS\"\n@");
    QCOMPARE(attributes.attribute("passthru").attribute("gpuArch").text(), "9.0");
    QVERIFY(!attributes.attribute("passthru").isComplete());
    QCOMPARE(attributes.attribute("passthru").hasAttribute("blasProvider"), true);
    QCOMPARE(attributes.attribute("passthru").hasAttribute("cpuISA"), std::optional<bool>());
    QCOMPARE(attributes.attribute("meta").attribute("platforms").shown(), R"([ "x86_64-linux" ])");
    QVERIFY(folded.fold.stepsLeft() > FoldOptions().maxSteps - 2000);
}

void tst_NixFold::callsOverlays()
{
    Folded folded("[ (final: prev: { cudaPackages = final.cudaPackages_13; }) (final: prev: { magma = "
                  "prev.magma.overrideAttrs (old: { "
                  "patches = (old.patches or [ ]) ++ [ "
                  "(final.fetchpatch { name = \"clockrate.patch\"; }) ]; }); }) ]");
    const Value final = folded.fold.argument("final");
    const Value prev = folded.fold.argument("prev");
    const auto overlays = folded.fold.file().items();
    QCOMPARE(overlays.size(), size_t(2));
    QVERIFY(overlays[0].value.lambda());
    const Value cuda = folded.fold.call(folded.fold.call(overlays[0].value, final), prev);
    QCOMPARE(cuda.shown(), "{ cudaPackages = final.cudaPackages_13; }");
    const Value magma = folded.fold.call(folded.fold.call(overlays[1].value, final), prev).attribute("magma");
    QCOMPARE(magma.base().shown(), "prev.magma.overrideAttrs");
    const Value changed = folded.fold.call(magma.argument(), folded.fold.argument("old"));
    QCOMPARE(changed.attribute("patches").shown(),
             "[ *old.patches or [ ] (final.fetchpatch { name = \"clockrate.patch\"; }) ]");
}

void tst_NixFold::workIsBounded_data()
{
    QTest::addColumn<QByteArray>("code");
    const auto row = [](const char *name, const QByteArray &code) { QTest::newRow(name) << code; };
    const auto nested = [](const char *open, const char *inside, const char *close, int depth) {
        return QByteArray(open).repeated(depth) + inside + QByteArray(close).repeated(depth);
    };
    QByteArray doubling = "let a0 = [ 1 2 ]; ";
    QByteArray texts = "let a0 = \"0123456789\"; ";
    QByteArray calls = "let f0 = x: [ x ]; ";
    QByteArray lets = "let a0 = 1; ";
    for (int i = 1; i < 200; ++i) {
        const QByteArray n = QByteArray::number(i);
        const QByteArray before = QByteArray::number(i - 1);
        doubling += "a" + n + " = a" + before + " ++ a" + before + "; ";
        texts += "a" + n + " = a" + before + " + a" + before + "; ";
        calls += "f" + n + " = x: f" + before + " (f" + before + " x); ";
    }
    for (int i = 1; i < 20000; ++i)
        lets += "a" + QByteArray::number(i) + " = a" + QByteArray::number(i - 1) + "; ";
    row("a list that doubles", doubling + "in a199");
    row("a text that doubles", texts + "in [ a199 ] == [ \"\" ]");
    row("calls that double", calls + "in toString (f199 1)");
    row("a long way through lets", lets + "in a19999");
    row("endless recursion", "let f = x: [ (f (x + 1)) ]; in builtins.toString (f 1)");
    row("an endless list", "let f = x: [ x ] ++ f (x + 1); in toString (f 1)");
    row("a list of itself", "let x = [ x x x ]; in [ (toString x) (x == [ x ]) ]");
    row("omega", "(x: x x) (x: x x)");
    row("nested lists", "toString " + nested("[", "1", "]", 900));
    row("nested sums", nested("(1+", "1", ")", 300));
    row("a long sum", "1" + QByteArray(" + 1").repeated(100000));
    row("a long concatenation", "[ ]" + QByteArray(" ++ [ 1 ]").repeated(100000));
    row("a long update", "{ }" + QByteArray(" // { a = 1; }").repeated(100000));
    row("many elements", "builtins.concatStringsSep \",\" [ " + QByteArray("\"a\" ").repeated(300000) + "]");
    row("lib of lib", "{ lib }: lib" + QByteArray(".strings").repeated(100000) + ".x");
    row("selections", "{ a }: a" + QByteArray(".b").repeated(100000));
    row("defaults", "x: x" + QByteArray(".a or x").repeated(300));
    row("joining with more", "let f = n: s: if n == 0 then s else f (n - 1) (builtins.concatStringsSep s [ s s s s ]); "
                             "in f 50 \"a\"");
    row("a fixpoint", "let fix = f: let x = f x; in x; in fix (self: { a = self.b; b = self.a; }).a");
    row("with of itself", "let x = with x; { a = b; }; in x.a");
}

/// Any file gives a result soon and without exhausting the stack.
void tst_NixFold::workIsBounded()
{
    QFETCH(QByteArray, code);
    Folded folded(code);
    QVERIFY2(folded.parsed.ok(), qPrintable(folded.parsed.error.value_or(ParseError()).message));
    const std::clock_t begin = std::clock(); // of the processor
    const Value value = folded.fold.result();
    QVERIFY(value.shown(2).size() < 10'000'000);
    QVERIFY((std::clock() - begin) / CLOCKS_PER_SEC < 60);
}

void tst_NixFold::limitsAreNoValues()
{
    QByteArray lets = "{ a0 = 1; ";
    for (int i = 1; i < 300; ++i)
        lets += "a" + QByteArray::number(i) + " = a" + QByteArray::number(i - 1) + " + 1; ";
    Folded folded("rec " + lets + "}", {.maxSteps = 100000, .maxDepth = 100});
    const Value set = folded.fold.result();
    QCOMPARE(set.attribute("a299").reason(), u"it is nested too deeply"_s);
    QCOMPARE(set.attribute("a20").integer(), 21);
    for (int i = 0; i < 300; ++i)
        QCOMPARE(set.attribute(("a" + QByteArray::number(i)).constData()).integer(), i + 1);

    Folded tight("[ 1 2 3 ]", {.maxSteps = 2});
    QCOMPARE(tight.fold.result().reason(), u"it takes too long to evaluate"_s);
    QCOMPARE(tight.fold.stepsLeft(), 0);
}

void tst_NixFold::answersWhatWasNotAskedFor()
{
    Folded folded("[ 1 \"a\" (x: x) { } ]");
    const Value list = folded.fold.file();
    for (const Value &value :
         {list, list.items()[0].value, list.items()[1].value, list.items()[2].value, list.items()[3].value, Value()}) {
        QVERIFY(value.kind() == ValueKind::Text || !value.text());
        QVERIFY(value.kind() == ValueKind::List || value.items().empty());
        QVERIFY(value.entries().empty());
        QVERIFY(!value.attribute("x").isKnown());
        QVERIFY(!value.boolean());
        QVERIFY(value.holes().empty());
        QVERIFY(!value.base().isKnown() && !value.argument().isKnown() && !value.alternative().isKnown());
        QVERIFY(value.kind() == ValueKind::Text || value.offsets().empty());
    }
    QCOMPARE(list.hasAttribute("x"), false);
    QVERIFY(!folded.fold.call(list, list).isKnown());
    QVERIFY(!folded.fold.call(Value(), Value()).isKnown());
}

/// callPackage of a file is the file's function with packages of the same set, unless one may replace a default.
void tst_NixFold::callPackage()
{
    Terms terms;
    const auto formOf = [&terms](const QByteArray &recipe, const QByteArray &library) {
        const Files files({{"lib/x.nix", library, library}});
        QString problem;
        const Term *form = normalForm(parse(recipe).tree, terms, &problem, {.files = &files, .path = "recipe.nix"});
        return form;
    };
    const QByteArray called = "{ pkgs, pinned }: pkgs.callPackage ./lib/x.nix { a = 1; }";
    const QByteArray library = "{ a, lib, torch }: torch.override { n = lib.optionals true [ a ]; }";
    const Term *written = formOf("{ pkgs, pinned }: pkgs.torch.override { n = [ 1 ]; }", {});
    QVERIFY(written);
    QCOMPARE(formOf(called, library), written);
    QCOMPARE(formOf(called, "# a comment\n" + library), written);
    QVERIFY(formOf(called, QByteArray(library).replace("[ a ]", "[ 2 ]")) != written);
    QVERIFY(formOf(QByteArray(called).replace("pkgs.call", "pinned.call"), library) != written);
    QVERIFY(formOf(called, QByteArray(library).replace("torch }", "torch ? null }")) != written);
}
TM_TEST(tst_NixFold, void)
#include "tst_nixfold.moc"
