// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/NixComparison.h"
#include "tests/support/NixConstants.h"
#include "tests/support/NixGenerator.h"
#include "tests/support/NixInstantiate.h"
#include "tests/support/TestMain.h"

#include "model/nix/Files.h"
#include "model/nix/Fold.h"
#include "model/nix/NormalForm.h"
#include "model/nix/Parse.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <array>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

/// A value in Nix's JSON; an unknown one becomes a text that Nix never writes.
QJsonValue jsonOf(const nix::Value &value)
{
    switch (value.kind()) {
    case nix::ValueKind::Null: return QJsonValue();
    case nix::ValueKind::Boolean: return *value.boolean();
    case nix::ValueKind::Integer: return *value.integer();
    case nix::ValueKind::Float: return *value.number();
    case nix::ValueKind::Text:
        if (value.text())
            return QString::fromUtf8(*value.text());
        break;
    case nix::ValueKind::List: {
        QJsonArray array;
        for (const nix::Value::Item &item : value.items())
            array.append(jsonOf(item.value));
        return array;
    }
    case nix::ValueKind::Attributes: {
        QJsonObject object;
        for (const nix::Value::Entry &entry : value.entries())
            object.insert(QString::fromUtf8(entry.name), jsonOf(entry.value));
        return object;
    }
    case nix::ValueKind::Path:
    case nix::ValueKind::Function:
    case nix::ValueKind::Unknown: break;
    }
    return u"\u0001not folded: "_s + QString::fromUtf8(value.shown());
}

/// A value of Nix's JSON as an expression.
QByteArray nixOf(const QJsonValue &value)
{
    switch (value.type()) {
    case QJsonValue::Null:
    case QJsonValue::Undefined: return "null";
    case QJsonValue::Bool: return value.toBool() ? "true" : "false";
    case QJsonValue::Double: {
        const QByteArray digits = QByteArray::number(qAbs(value.toInteger()));
        return value.toInteger() < 0 ? "(0 - " + digits + ')' : digits;
    }
    case QJsonValue::String: {
        QByteArray text = value.toString().toUtf8();
        text.replace('\\', "\\\\").replace('"', "\\\"").replace("${", "\\${").replace('\n', "\\n").replace('\t', "\\t");
        return '"' + text + '"';
    }
    case QJsonValue::Array: {
        QByteArray list = "[ ";
        for (const QJsonValue &element : value.toArray())
            list += nixOf(element) + ' ';
        return list + ']';
    }
    case QJsonValue::Object: {
        QByteArray set = "{ ";
        const QJsonObject object = value.toObject();
        for (auto it = object.begin(); it != object.end(); ++it)
            set += nixOf(it.key()) + " = " + nixOf(it.value()) + "; ";
        return set + '}';
    }
    }
    Q_UNREACHABLE_RETURN({});
}

/// The seed and the number of rounds of a run: few and always the same by default; TORCH_MATRIX_ROUNDS sets more, with
/// other inputs in each run unless TORCH_MATRIX_SEED repeats one.
struct Rounds {
    explicit Rounds(int everyDay)
    {
        const int asked = qEnvironmentVariableIntValue("TORCH_MATRIX_ROUNDS");
        count = test::rounds(everyDay);
        seed = qEnvironmentVariableIsSet("TORCH_MATRIX_SEED")
                   ? quint32(qEnvironmentVariableIntValue("TORCH_MATRIX_SEED"))
               : asked > 0 ? QRandomGenerator::global()->generate() & 0x7fffffff
                           : 1;
    }
    int count;
    quint32 seed;
};

QStringList nixFilesOf(const QString &folder)
{
    QStringList paths;
    QDirIterator files(folder, {u"*.nix"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext())
        paths.append(files.next());
    paths.sort();
    return paths;
}

} // namespace

class tst_NixAgreement : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void fixtures_data();
    void fixtures();
    void globals();
    void generated();
    void constants();
    void programs();
    void failures();
    void functions();

private:
    QTemporaryDir m_home;
};

void tst_NixAgreement::fixtures_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<bool>("accepted");
    QTest::newRow("valid") << QStringLiteral(TM_FIXTURES "/nix/valid") << true;
    QTest::newRow("invalid") << QStringLiteral(TM_FIXTURES "/nix/invalid") << false;
    QTest::newRow("recipes") << QStringLiteral(TM_FIXTURES "/pane") << true;
}

void tst_NixAgreement::fixtures()
{
    QFETCH(QString, folder);
    QFETCH(bool, accepted);
    const QStringList paths = nixFilesOf(folder);
    QVERIFY(!paths.isEmpty());
    test::NixComparison comparison(m_home.path());
    comparison.compare(paths);
    QVERIFY2(comparison.differences.isEmpty(), qPrintable(comparison.differences.join(u"\n\n"_s)));
    QCOMPARE(accepted ? comparison.accepted : comparison.refused, paths.size());
}

/// For every name of Nix, and some others: both consider it defined, or neither.
void tst_NixAgreement::globals()
{
    QFile names(QStringLiteral(TM_FIXTURES "/nix/builtins.txt"));
    QVERIFY(names.open(QIODevice::ReadOnly));
    QTemporaryDir folder;
    QStringList paths;
    for (const QByteArray &name : names.readAll().simplified().split(' ')) {
        for (const QByteArray &text : {name, "__" + name}) {
            paths.append(folder.filePath(QString::fromUtf8(text) + u".nix"_s));
            QFile file(paths.last());
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        }
    }
    test::NixComparison comparison(m_home.path());
    comparison.compare(paths);
    QVERIFY2(comparison.differences.isEmpty(), qPrintable(comparison.differences.join(u"\n\n"_s)));
    QVERIFY(comparison.accepted > 100);
}

/// Expressions made at random, and the same with one token changed.
void tst_NixAgreement::generated()
{
    const auto [rounds, seed] = Rounds(16);
    test::NixGenerator generator(seed);
    int accepted = 0;
    int refused = 0;
    for (int round = 0; round < rounds; ++round) {
        QTemporaryDir folder;
        QStringList paths;
        const auto write = [&](const QByteArray &text) {
            paths.append(folder.filePath(QString::number(paths.size()) + u".nix"_s));
            QFile file(paths.last());
            return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
        };
        QList<QByteArray> texts;
        for (int i = 0; i < 25; ++i) {
            texts.append(generator.file(5 + generator.below(150)));
            QVERIFY(write(texts.last()));
        }
        for (int i = 0; i < 15; ++i)
            QVERIFY(write(generator.mutation(texts.at(generator.below(int(texts.size()))))));
        test::NixComparison comparison(m_home.path());
        comparison.compare(paths);
        if (!comparison.differences.isEmpty()) {
            folder.setAutoRemove(false);
            QFAIL(qPrintable(u"TORCH_MATRIX_SEED=%1, round %2:\n"_s.arg(seed).arg(round) +
                             comparison.differences.join(u"\n\n"_s)));
        }
        accepted += comparison.accepted;
        refused += comparison.refused;
    }
    qInfo("seed %u: %d files accepted and %d refused by both", seed, accepted, refused);
    QVERIFY(accepted > 0 && refused > 0);
}

/// Folding gives the value that Nix's evaluation gives.
void tst_NixAgreement::constants()
{
    const auto [rounds, seed] = Rounds(5);
    test::NixConstants generator(seed);
    qsizetype compared = 0;
    for (int round = 0; round < rounds; ++round) {
        QList<QByteArray> texts;
        for (int i = 0; i < 200; ++i)
            texts.append(generator.expression());
        QTemporaryDir folder;
        QFile file(folder.filePath(u"all.nix"_s));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("[\n" + texts.join('\n') + "\n]\n") > 0);
        file.close();
        QByteArray errors;
        const QJsonArray evaluated =
            QJsonDocument::fromJson(test::evaluateWithNix(file.fileName(), m_home.path(), errors)).array();
        QVERIFY2(evaluated.size() == texts.size(), errors.constData());
        for (qsizetype i = 0; i < texts.size(); ++i) {
            const nix::ParseResult parsed = nix::parse(texts.at(i));
            QVERIFY2(parsed.ok(), texts.at(i).constData());
            nix::Fold fold(parsed.tree, {.maxSteps = 10'000'000});
            const QJsonArray ours{jsonOf(fold.file())};
            if (ours != QJsonArray{evaluated.at(i)}) {
                QFAIL(qPrintable(
                    u"TORCH_MATRIX_SEED=%1, round %2: "_s.arg(seed).arg(round) + QString::fromUtf8(texts.at(i)) +
                    u"\nNix:  "_s +
                    QString::fromUtf8(QJsonDocument(QJsonArray{evaluated.at(i)}).toJson(QJsonDocument::Compact)) +
                    u"\nours: "_s + QString::fromUtf8(QJsonDocument(ours).toJson(QJsonDocument::Compact))));
            }
            QVERIFY2(fold.failures().empty(), texts.at(i).constData());
            ++compared;
        }
    }
    qInfo("seed %u: %lld expressions fold to what they evaluate to", seed, compared);
}

/// So does folding of a program of several files, with imports; and its normal form is that of its value.
void tst_NixAgreement::programs()
{
    const auto [rounds, seed] = Rounds(30);
    test::NixConstants generator(seed);
    QTemporaryDir folder;
    QByteArray all = "[\n";
    QList<QList<test::NixConstants::File>> programs;
    for (int round = 0; round < rounds; ++round) {
        programs.append(generator.program(8));
        const QString root = folder.filePath(QString::number(round));
        for (const test::NixConstants::File &written : std::as_const(programs.last())) {
            const QString path = root + u'/' + QString::fromUtf8(written.path);
            QVERIFY(QDir().mkpath(QFileInfo(path).path()));
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(written.text) == written.text.size());
        }
        all += "(import ./" + QByteArray::number(round) + '/' + programs.last().last().path + ")\n";
    }
    QFile file(folder.filePath(u"all.nix"_s));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(all + ']') > 0);
    file.close();
    QByteArray errors;
    const QJsonArray evaluated =
        QJsonDocument::fromJson(test::evaluateWithNix(file.fileName(), m_home.path(), errors)).array();
    QVERIFY2(evaluated.size() == programs.size(), errors.constData());
    for (qsizetype i = 0; i < programs.size(); ++i) {
        std::vector<nix::Files::Text> texts;
        for (const test::NixConstants::File &written : programs.at(i))
            texts.push_back({written.path, written.text, written.text});
        const nix::Files files(std::move(texts));
        const test::NixConstants::File &last = programs.at(i).last();
        const nix::FoldOptions options{.maxSteps = 10'000'000, .files = &files, .path = last.path};
        const nix::ParseResult parsed = nix::parse(last.text);
        QVERIFY2(parsed.ok(), last.text.constData());
        nix::Fold fold(parsed.tree, options);
        const QJsonArray ours{jsonOf(fold.file())};
        const QString where = u"TORCH_MATRIX_SEED=%1, program %2 in %3"_s.arg(seed).arg(i).arg(folder.path());
        if (ours != QJsonArray{evaluated.at(i)}) {
            folder.setAutoRemove(false);
            QFAIL(qPrintable(
                where + u"\nNix:  "_s +
                QString::fromUtf8(QJsonDocument(QJsonArray{evaluated.at(i)}).toJson(QJsonDocument::Compact)) +
                u"\nours: "_s + QString::fromUtf8(QJsonDocument(ours).toJson(QJsonDocument::Compact))));
        }
        QVERIFY2(fold.failures().empty(), qPrintable(where));
        nix::Terms terms;
        QString problem;
        const nix::Term *imported = nix::normalForm(parsed.tree, terms, &problem, options);
        const QByteArray json = nixOf(evaluated.at(i));
        const nix::Term *value = nix::normalForm(nix::parse("{ v = " + json + "; }").tree, terms, &problem);
        QVERIFY2(imported && value, qPrintable(where + problem + QString::fromUtf8(json)));
        QVERIFY2(value->find("v") == imported, qPrintable(where + QString::fromUtf8(json)));
    }
    qInfo("seed %u: %lld programs fold to what they evaluate to", seed, programs.size());
}

/// Functions of builtins, and of lib as its documentation describes them.
void tst_NixAgreement::functions()
{
    static const QByteArray lib = R"(let
      flat = x: if builtins.isList x then builtins.concatLists (map flat x) else [ x ];
      update = a: b: a // builtins.mapAttrs (n: v: if builtins.isAttrs v && builtins.isAttrs (a.${n} or null)
        then update a.${n} v else v) b;
      lib = builtins // rec {
        mapAttrsToList = f: s: map (n: f n s.${n}) (builtins.attrNames s);
        nameValuePair = name: value: { inherit name value; };
        "mapAttrs'" = f: s: builtins.listToAttrs (mapAttrsToList f s);
        genAttrs = names: f: builtins.listToAttrs (map (n: nameValuePair n (f n)) names);
        filterAttrs = f: s: removeAttrs s (builtins.filter (n: !(f n s.${n})) (builtins.attrNames s));
        recursiveUpdate = update;
        flatten = flat;
        singleton = x: [ x ];
        toList = x: if builtins.isList x then x else [ x ];
        pipe = builtins.foldl' (x: f: f x);
        flip = f: a: b: f b a;
        const = a: b: a;
        id = a: a;
        assertMsg = condition: message: condition || throw message;
        trace = builtins.trace;
        warn = builtins.trace;
        warnIf = c: m: v: if c then builtins.trace m v else v;
        warnIfNot = c: warnIf (!c);
        throwIf = c: m: v: if c then throw m else v;
        throwIfNot = c: throwIf (!c);
        importJSON = p: builtins.fromJSON (builtins.readFile p);
        importTOML = p: fromTOML (builtins.readFile p);
        unique = builtins.foldl' (l: x: if builtins.elem x l then l else l ++ [ x ]) [ ];
        splitString = s: t: builtins.filter builtins.isString (builtins.split (builtins.replaceStrings [ "." ] [ "[.]" ] s) t);
        removeSuffix = s: t: let n = builtins.stringLength t - builtins.stringLength s;
          in if n >= 0 && builtins.substring n (-1) t == s then builtins.substring 0 n t else t;
        toUpper = builtins.replaceStrings [ "a" "b" "x" ] [ "A" "B" "X" ];
        toLower = builtins.replaceStrings [ "A" "B" "X" ] [ "a" "b" "x" ];
        addMetaAttrs = new: drv: drv.overrideAttrs (old: { meta = old.meta // new; });
        attrByPath = path: default: set: if path == [ ] then set else if set ? ${builtins.head path}
          then attrByPath (builtins.tail path) default set.${builtins.head path} else default;
        hasAttrByPath = path: set: attrByPath path lib set != lib;
        getAttrFromPath = path: attrByPath path (throw "no such path");
        boolToString = b: if b then "true" else "false";
        composeExtensions = f: g: final: prev: let a = f final prev; in a // g final (prev // a);
        composeManyExtensions = foldr composeExtensions (final: prev: { });
        foldl = builtins.foldl';
        sublist = start: count: l: take count (drop start l);
        count = f: l: builtins.length (builtins.filter f l);
        remove = e: builtins.filter (x: x != e);
        forEach = l: f: map f l;
        stringToCharacters = s: map (n: builtins.substring n 1 s) (range 0 (builtins.stringLength s - 1));
        setAttrByPath = p: v: if p == [ ] then v else { ${builtins.head p} = setAttrByPath (builtins.tail p) v; };
        attrsToList = mapAttrsToList nameValuePair;
        foldlAttrs = f: i: s: builtins.foldl' (a: n: f a n s.${n}) i (builtins.attrNames s);
        cartesianProduct = s: builtins.foldl' (rows: n: builtins.concatMap (row: map (v: row // { ${n} = v; }) s.${n}) rows)
          [ { } ] (builtins.attrNames s);
        concatStrings = builtins.concatStringsSep "";
        concatLines = l: concatStrings (map (x: x + "\n") l);
        concatMapStrings = f: l: concatStrings (map f l);
        concatMapAttrs = f: s: mergeAttrsList (mapAttrsToList f s);
        mergeAttrsList = builtins.foldl' (a: b: a // b) { };
        take = n: l: builtins.genList (builtins.elemAt l) (min n (builtins.length l));
        drop = n: l: let m = max 0 (builtins.length l - n); in builtins.genList (i: builtins.elemAt l (i + builtins.length l - m)) m;
        init = l: take (builtins.length l - 1) l;
        findFirst = f: default: l: let found = builtins.filter f l; in if found == [ ] then default else builtins.head found;
        foldr = f: n: l: if l == [ ] then n else f (builtins.head l) (foldr f n (builtins.tail l));
        fold = foldr;
        getAttrs = names: s: genAttrs names (n: s.${n});
        imap0 = f: l: builtins.genList (i: f i (builtins.elemAt l i)) (builtins.length l);
        imap1 = f: imap0 (i: f (i + 1));
        intersectLists = a: builtins.filter (x: builtins.elem x a);
        subtractLists = a: builtins.filter (x: !(builtins.elem x a));
        max = a: b: if a > b then a else b;
        min = a: b: if a < b then a else b;
        range = a: b: if a > b then [ ] else builtins.genList (i: a + i) (b - a + 1);
        reverseList = l: foldr (x: r: r ++ [ x ]) [ ] l;
        toInt = builtins.fromJSON;
        trim = t: let m = builtins.match "[ \t\r\n]*(.*[^ \t\r\n])[ \t\r\n]*" t; in if m == null then "" else builtins.head m;
        zipListsWith = f: a: b: builtins.genList (i: f (builtins.elemAt a i) (builtins.elemAt b i)) (min (builtins.length a) (builtins.length b));
        versions = rec {
          major = v: builtins.elemAt (builtins.splitVersion v) 0;
          minor = v: builtins.elemAt (builtins.splitVersion v) 1;
          patch = v: builtins.elemAt (builtins.splitVersion v) 2;
          majorMinor = v: "${major v}.${minor v}";
        };
      };
    in )";
    static const QByteArrayList expressions{
        R"(builtins.listToAttrs (map (c: { name = "sm" + builtins.replaceStrings [ "." ] [ "" ] c; value = c; }) [ "8.0" "9.0" "8.0" ]))",
        R"((builtins.listToAttrs (map ({ name, flags, system ? "x86_64-linux" }: { inherit name; value = { inherit flags system; }; })
            [ { name = "avx2"; flags = [ "-mavx2" ]; } { name = "armv9"; flags = [ ]; system = "aarch64-linux"; } ])).armv9)",
        R"(builtins.listToAttrs [ { name = "a"; value = 1; } { name = "a"; value = 2; } ])",
        R"(builtins.mapAttrs (n: v: n + toString v) { CFLAGS = [ "-O2" "-mavx2" ]; x = 7; })",
        R"(lib.genAttrs [ "CFLAGS" "CXXFLAGS" ] (n: "-D" + n))",
        R"(lib.mapAttrs' (n: v: lib.nameValuePair (n + "x") (v + 1)) { a = 1; b = 2; })",
        R"(lib.mapAttrsToList (n: v: "-D${n}=${v}") { b = "1"; a = "2"; })",
        R"(lib.filterAttrs (n: v: v != null && n != "c") { a = 1; b = null; c = 3; })",
        R"(lib.recursiveUpdate { a = { x = 1; y = 2; }; b = 1; } { a = { y = 3; z = [ ]; }; b = { c = 1; }; })",
        R"(builtins.concatLists [ [ 1 ] [ ] [ 2 3 ] ] ++ builtins.concatMap (x: [ x x ]) [ 4 ])",
        R"([ (lib.flatten [ 1 [ 2 [ "3" ] ] ]) (lib.singleton 1) (lib.toList 1) (lib.toList [ 1 ]) (lib.unique [ "a" "b" "a" ]) ])",
        R"([ (lib.pipe 1 [ (x: x + 1) toString ]) (lib.flip (a: b: a + b) "x" "y") (lib.const 1 2) (lib.id 3) ])",
        R"([ (lib.splitString "." "12.9.1") (lib.splitString "_" "cuda12_9") (lib.splitString "," "") (lib.splitString "," "a,") ])",
        R"([ (builtins.substring 0 2 "12.9") (builtins.substring 2 9 "sm90") (builtins.substring 9 1 "sm") (builtins.substring 1 (-1) "abc") ])",
        R"([ (lib.removeSuffix "a" "9.0a") (lib.removeSuffix "b" "9.0a") (lib.toUpper "abx") (lib.toLower "ABX") ])",
        R"([ (lib.warn "w" 1) (lib.warnIf true "w" 2) (lib.warnIfNot true "w" 3) (builtins.trace "t" 4) (lib.trace "t" "x") ])",
        R"([ (lib.throwIf false "m" 5) (lib.throwIfNot true "m" 6) (assert lib.assertMsg (1 < 2) "m"; 7) (lib.assertMsg true "m") ])",
        R"(builtins.fromJSON ''{"a": [1, 2.5, true, null, "x"], "b": {"c": "9.0"}}'')",
        R"([ (builtins.fromJSON "90") (builtins.fromJSON ''"x"'') (builtins.fromJSON "[ ]") ])",
        R"(map toString (builtins.fromJSON "[-2, 1.5, 12345678901234567]"))",
        R"(map toString (builtins.fromTOML "a = [1.0, -2.5, 7]").a)",
        R"(builtins.fromTOML ''
            [gpu.sm90]
            cap = "9.0"
            flags = [ "-a", "-b" ]
            n = 3
            on = true
        '')",
        R"([ (builtins.sort (a: b: builtins.fromJSON a < builtins.fromJSON b) [ "120" "90" "100" "80" ]) (builtins.sort builtins.lessThan [ 3 1 2 ]) (lib.sort (a: b: a.k < b.k) [ { k = 1; v = 1; } { k = 0; v = 2; } { k = 1; v = 3; } ]) ])",
        R"nix([ (builtins.split "\n" "a\nb\n") (builtins.split "(_)" "cuda12_9") (builtins.split "[ ,]+" "a, b c") (builtins.split "x" "") ])nix",
        R"nix([ (builtins.match "(cuda([0-9]+_[0-9]+)-sm([0-9]+)|cpu)-(.*)" "cpu-avx2") (builtins.match "(cuda([0-9]+_[0-9]+)-sm([0-9]+)|cpu)-(.*)" "cuda12_9-sm90-avx2") (builtins.match "cu|cpu" "cpx") (builtins.match "(ab?|cd)?x" "x") ])nix",
        R"([ (lib.composeExtensions (f: p: { a = p.a + 1; c = f.d; }) (f: p: { b = p.a + p.z; }) { d = 4; } { a = 1; z = 5; }) (lib.composeManyExtensions [ (f: p: { a = 1; }) (f: p: { b = p.a; }) (f: p: { a = p.b + p.a; }) ] { } { }) (lib.composeManyExtensions [ ] { } { }) ])",
        R"([ (lib.getAttrFromPath [ "a" "b" ] { a.b = 1; }) (lib.attrByPath [ "a" "c" ] 2 { a.b = 1; }) (lib.hasAttrByPath [ "a" ] { a = 1; }) (lib.hasAttrByPath [ "b" ] { a = 1; }) (lib.getAttrs [ "b" "a" ] { a = 1; b = 2; c = 3; }) ])",
        R"([ (removeAttrs { a = 1; b = 2; } [ "a" "x" ]) (builtins.intersectAttrs { a = 0; b = 0; } { b = 1; c = 2; }) (lib.concatMapAttrs (n: v: { ${n + "1"} = v; }) { a = 1; b = 2; }) (lib.mergeAttrsList [ { a = 1; } { a = 2; b = 3; } ]) (lib.catAttrs "a" [ { a = 1; } { } ]) ])",
        R"([ (lib.range 4 6) (lib.range 2 1) (builtins.genList (i: i * i) 3) (lib.imap0 (i: x: x + toString i) [ "a" "b" ]) (lib.imap1 (i: x: i) [ "a" ]) (lib.reverseList [ 1 2 3 ]) (lib.take 2 [ 1 2 3 ]) (lib.drop 2 [ 1 2 3 ]) (lib.init [ 1 2 ]) ])",
        R"([ (lib.foldr (a: b: a + b) "z" [ "a" "b" ]) (lib.fold (a: b: [ a ] ++ b) [ ] [ 1 2 ]) (lib.findFirst (x: x > 1) 9 [ 1 2 3 ]) (lib.findFirst (x: x > 5) 9 [ 1 ]) (lib.intersectLists [ 1 2 ] [ 2 3 ]) (lib.subtractLists [ 1 2 ] [ 2 3 ]) (lib.zipListsWith (a: b: a + b) [ 1 2 ] [ 10 20 30 ]) ])",
        R"([ (lib.concatMapStrings (f: "-m${f} ") [ "avx2" "fma" ]) (lib.concatLines [ "a" "b" ]) (lib.trim " a b\n") (lib.trim "  ") (lib.boolToString true) (lib.toInt "90") (lib.min 1 2) (lib.max "a" "b") ])",
        R"([ (lib.versions.major "12.9.1") (lib.versions.minor "12.9.1") (lib.versions.patch "12.9.1") (lib.versions.majorMinor "12.9.1") ])",
        R"([ (builtins.add 1 2) (builtins.sub 1 2) (builtins.mul 2 3) (builtins.div 7 2) (builtins.lessThan 1 2) ])",
        R"([ (map builtins.typeOf [ 1 1.5 "a" null true [ ] { } (x: x) ]) (builtins.isString "a") (builtins.isList "a") (builtins.isAttrs { }) (builtins.isInt 1) (builtins.isBool 1) (builtins.isFloat 1.5) (builtins.isFunction (x: x)) (builtins.isPath "a") ])",
        R"([ (builtins.seq 1 2) (builtins.deepSeq [ 1 ] "x") (lib.foldl (a: b: a + b) "" [ "x" "y" ]) ])",
        R"([ (lib.sublist 1 2 [ 1 2 3 4 ]) (lib.sublist 3 9 [ 1 2 3 4 ]) (lib.sublist 9 1 [ 1 ]) ])",
        R"([ (builtins.partition (n: n > 80) [ 90 75 89 ]) (lib.count (n: n > 80) [ 90 75 89 ]) (lib.remove "b" [ "a" "b" "b" ]) ])",
        R"(builtins.groupBy (r: if r < 80 then "old" else "new") [ 75 90 61 89 ])",
        R"([ (lib.forEach [ 1 2 ] (x: x + 1)) (lib.stringToCharacters "90a") (lib.setAttrByPath [ "a" "b" ] 1) ])",
        R"([ (builtins.splitVersion "12.9.1") (builtins.splitVersion "2.9.1-rc1") (builtins.splitVersion "") ])",
        R"([ (lib.attrsToList { a = 1; b = 2; }) (lib.foldlAttrs (a: n: v: a + n + v) "" { x = "1"; y = "2"; }) ])",
        R"(lib.cartesianProduct { sm = [ "90" "89" ]; isa = [ "avx2" "avx512" ]; })",
        R"([ (lib.importJSON ./t.json) (builtins.fromJSON (builtins.readFile ./t.json)).pin.rev (lib.importTOML ./t.toml).gpu ])"};
    QTemporaryDir folder;
    const QList<test::NixConstants::File> data{{"t.json", R"({ "pin": { "rev": "abc" } })"},
                                               {"t.toml", "gpu = { sm90 = \"9.0\" }\n"}};
    std::vector<nix::Files::Text> texts;
    for (const test::NixConstants::File &written : data) {
        QFile file(folder.filePath(QString::fromUtf8(written.path)));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(written.text) > 0);
        texts.push_back({written.path, written.text, written.text});
    }
    const QByteArray all = "[\n(" + expressions.join(")\n(") + ")\n]";
    QFile file(folder.filePath(u"all.nix"_s));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(lib + all) > 0);
    file.close();
    QByteArray errors;
    const QJsonArray evaluated =
        QJsonDocument::fromJson(test::evaluateWithNix(file.fileName(), m_home.path(), errors)).array();
    QVERIFY2(evaluated.size() == expressions.size(), errors.constData());
    const nix::Files files(std::move(texts));
    for (const bool exact : {false, true}) {
        for (qsizetype i = 0; i < expressions.size(); ++i) {
            const nix::ParseResult parsed = nix::parse("{ lib }: " + expressions.at(i));
            QVERIFY2(parsed.ok(), expressions.at(i).constData());
            nix::Fold fold(parsed.tree, {.exact = exact, .files = &files, .path = "all.nix"});
            const QJsonArray ours{jsonOf(fold.result())};
            QVERIFY2(ours == QJsonArray{evaluated.at(i)},
                     expressions.at(i) + "\n" + QJsonDocument(ours).toJson(QJsonDocument::Compact));
            QVERIFY2(fold.failures().empty(), expressions.at(i).constData());
        }
    }
}

/// Where folding says that evaluation fails, Nix fails: expressions with one value replaced by null, a number, a list
/// or an error.
void tst_NixAgreement::failures()
{
    const auto [rounds, seed] = Rounds(1);
    test::NixConstants generator(seed);
    QRandomGenerator random(seed);
    static const QRegularExpression literal(uR"("[^"$\\]*"|\b\d+\b)"_s);
    static const std::array others{u"null"_s, u"7"_s, u"[ ]"_s, u"(throw \"no\")"_s};
    constexpr int perKind = 4;
    QMap<int, int> kinds;
    for (int tries = 0; tries < 2000 * rounds; ++tries) {
        QString text = QString::fromUtf8(generator.expression());
        QList<QRegularExpressionMatch> places;
        for (const QRegularExpressionMatch &match : literal.globalMatch(text))
            places.append(match);
        if (places.isEmpty())
            continue;
        const QRegularExpressionMatch &place = places.at(random.bounded(places.size()));
        text.replace(place.capturedStart(), place.capturedLength(), others.at(random.bounded(int(others.size()))));
        const nix::ParseResult parsed = nix::parse(text.toUtf8());
        if (!parsed.ok())
            continue;
        nix::Fold fold(parsed.tree, {.maxSteps = 10'000'000});
        (void)jsonOf(fold.file());
        if (fold.failures().empty() || kinds.value(fold.failures().front().what) == rounds * perKind)
            continue;
        QTemporaryDir folder;
        QFile file(folder.filePath(u"failing.nix"_s));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text.toUtf8()) > 0);
        file.close();
        QByteArray errors;
        QVERIFY2(
            test::evaluateWithNix(file.fileName(), m_home.path(), errors).isEmpty(),
            qPrintable(u"TORCH_MATRIX_SEED=%1: %2\nfails by %3 %4"_s.arg(seed).arg(
                text, QString::number(fold.failures().front().what), QString::fromUtf8(fold.failures().front().name))));
        ++kinds[fold.failures().front().what];
    }
    qInfo() << "seed" << seed << "failures by kind" << kinds;
    QVERIFY(kinds.size() > 1);
}

TM_TEST(tst_NixAgreement, QCoreApplication)
#include "tst_nixagreement.moc"
