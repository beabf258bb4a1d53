// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// Real Nix judges what the normal form says: what it calls equal evaluates to the same, over a small stand-in for
// nixpkgs (fixtures/nixpkgs/everything.nix). Files are rewritten and changed at random; TORCH_MATRIX_ROUNDS asks for
// more of them.
#include "model/meaning/Meaning.h"
#include "model/template/RecipeRenderer.h"
#include "tests/support/EvaluatedRecipes.h"
#include "tests/support/FamilyLines.h"
#include "tests/support/NixRewrites.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDirIterator>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

quint32 seed()
{
    return qEnvironmentVariableIsSet("TORCH_MATRIX_SEED") ? quint32(qEnvironmentVariableIntValue("TORCH_MATRIX_SEED"))
           : qEnvironmentVariableIntValue("TORCH_MATRIX_ROUNDS") > 0 ? std::random_device()() & 0x7fffffff
                                                                     : 1;
}

Sameness samenessBetween(const QByteArray &a, const QByteArray &b)
{
    return samenessOf(a, readMeaning(a), b, readMeaning(b));
}

struct EvaluatedText {
    QString name;
    QByteArray text;
};

/// The hand-written shapes, and one recipe of each kind of each line.
QList<EvaluatedText> recipes()
{
    QList<EvaluatedText> found;
    QDirIterator files(QStringLiteral(TM_FIXTURES "/recipes/shapes"), {u"*.nix"_s}, QDir::Files);
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly))
            found.append({files.fileName(), file.readAll()});
    }
    const auto catalog = Catalog::load();
    if (!catalog)
        qFatal("%s", qPrintable(catalog.error().sentence()));
    RecipeRenderer renderer(*catalog);
    for (const auto &named : familyLines(**catalog)) {
        if (named.name.endsWith("-published"_L1) || named.name.endsWith("-sibling"_L1))
            continue; // these import other files
        QSet<QString> kinds;
        for (const Variant &variant : named.settings.promised()) {
            const QString kind = variant.family + (variant.cuda.isEmpty() ? u"cpu"_s : variant.cuda) +
                                 (variant.isa.isEmpty()     ? u"metal"_s
                                  : variant.isa == "avx"_L1 ? u"avx"_s
                                                            : QString());
            if (kinds.contains(kind))
                continue;
            kinds.insert(kind);
            if (const auto text = renderer.render(named.settings, variant))
                found.append({named.name + u' ' + variant.name(), *text});
        }
    }
    std::ranges::sort(found, {}, &EvaluatedText::name);
    return found;
}

/// The values of the files as JSON.
QList<QByteArray> evaluated(const QList<QByteArray> &texts)
{
    QTemporaryDir folder;
    QString files;
    for (qsizetype i = 0; i < texts.size(); ++i) {
        const QString path = folder.filePath(u"%1.nix"_s.arg(i));
        tmx::test::putFile(path, texts.at(i));
        files += inQuotes(path) + u' ';
    }
    const QString all = folder.filePath(u"all.nix"_s);
    tmx::test::putFile(all, u"import %1 { files = [ %2]; }"_s
                                .arg(inQuotes(QString::fromUtf8(TM_FIXTURES "/nixpkgs/everything.nix")), files)
                                .toUtf8());
    const QJsonArray values = QJsonDocument::fromJson(runNix({u"--eval"_s, u"--strict"_s, u"--json"_s, all})).array();
    QList<QByteArray> results;
    for (const QJsonValue &value : values)
        results.append(QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact));
    if (results.size() != texts.size())
        QTest::qFail("Nix gives another number of values", __FILE__, __LINE__);
    return results;
}

using Files = QMap<QString, QByteArray>; ///< by path below .flox/pkgs

Files importingFiles()
{
    Files files;
    for (const QString &name : {u"imports"_s, u"around"_s}) {
        const QDir folder(QStringLiteral(TM_FIXTURES "/recipes/") + name);
        QDirIterator paths(folder.path(), {u"*.nix"_s}, QDir::Files, QDirIterator::Subdirectories);
        while (paths.hasNext()) {
            QFile file(paths.next());
            if (file.open(QIODevice::ReadOnly))
                files.insert(folder.relativeFilePath(file.fileName()), file.readAll());
        }
    }
    return files;
}

/// Of the recipes.
QMap<QString, Meaning> meaningsOf(const Files &files)
{
    QList<RecipeFiles::File> all;
    for (auto it = files.begin(); it != files.end(); ++it)
        all.append({u".flox/pkgs/"_s + it.key(), *it, *it, !it.key().contains(u'/'), false});
    const RecipeFiles tree(all);
    QMap<QString, Meaning> meanings;
    for (auto it = files.begin(); it != files.end(); ++it) {
        if (!it.key().contains(u'/'))
            meanings.insert(it.key(), readMeaning(tree.source(u".flox/pkgs/"_s + it.key(), *it)));
    }
    return meanings;
}

/// The values of the recipes in each tree, as JSON; empty where Nix fails.
QList<QMap<QString, QByteArray>> evaluatedTrees(const QList<Files> &trees)
{
    QTemporaryDir folder;
    QString asked;
    QList<std::pair<qsizetype, QString>> places;
    for (qsizetype i = 0; i < trees.size(); ++i) {
        for (auto it = trees.at(i).begin(); it != trees.at(i).end(); ++it) {
            const QString path = folder.filePath(u"%1/%2"_s.arg(i).arg(it.key()));
            tmx::test::putFile(path, *it);
            if (it.key().contains(u'/'))
                continue;
            asked +=
                u"(let v = builtins.head (import %1 { files = [ %2 ]; }); t = builtins.tryEval (builtins.deepSeq v v);"
                " in if t.success then v else null) "_s.arg(
                    inQuotes(QString::fromUtf8(TM_FIXTURES "/nixpkgs/everything.nix")), inQuotes(path));
            places.append({i, it.key()});
        }
    }
    QList<QMap<QString, QByteArray>> values(trees.size());
    // Most errors of evaluation cannot be caught in Nix: then each is asked alone.
    const auto ask = [&](const QString &expression) {
        const QString all = folder.filePath(u"all.nix"_s);
        tmx::test::putFile(all, expression.toUtf8());
        QProcess process;
        process.start(u"nix-instantiate"_s,
                      {u"--store"_s, u"dummy://"_s, u"--eval"_s, u"--strict"_s, u"--json"_s, all});
        process.waitForFinished(-1);
        return process.exitCode() == 0 ? QJsonDocument::fromJson(process.readAllStandardOutput()).array()
                                       : QJsonArray();
    };
    const QStringList each = asked.split(u"(let v = "_s, Qt::SkipEmptyParts);
    for (qsizetype from = 0; from < each.size();) {
        const auto some = [&](qsizetype count) {
            QString list;
            for (const QString &one : each.mid(from, count))
                list += u"(let v = "_s + one;
            return u"[ "_s + list + u']';
        };
        qsizetype count = std::min<qsizetype>(64, each.size() - from);
        QJsonArray found;
        while (count > 0 && (found = ask(some(count))).isEmpty())
            count /= 4;
        for (qsizetype i = 0; i < std::max<qsizetype>(count, 1); ++i) {
            const auto &[tree, name] = places.at(from + i);
            if (i < found.size() && !found.at(i).isNull())
                values[tree].insert(name, QJsonDocument(QJsonArray{found.at(i)}).toJson(QJsonDocument::Compact));
        }
        from += std::max<qsizetype>(count, 1);
    }
    return values;
}

/// A phase without lines that have no effect, determined line by line without the shell parser.
QString plainLines(const QString &script)
{
    QStringList lines;
    bool document = false;
    for (const QString &line : script.split(u'\n')) {
        const QString words = line.simplified();
        if (document || words.contains("<<"_L1)) {
            lines.append(line);
            document = line != "END"_L1 && line != "EOF"_L1;
            continue;
        }
        static const QRegularExpression nothing(u"^(#.*|echo( [^>|]*)?|export MAX_JOBS=[0-9]+|)$"_s);
        static const QRegularExpression remark(u"\\s+#\\s.*$"_s);
        if (!nothing.match(words).hasMatch())
            lines.append(QString(words).remove(remark));
    }
    return lines.join(u'\n');
}

/// The value without what does not affect a build.
QJsonValue withoutEffects(const QJsonValue &value)
{
    if (value.isArray()) {
        QJsonArray array;
        for (const QJsonValue &element : value.toArray())
            array.append(withoutEffects(element));
        return array;
    }
    if (!value.isObject())
        return value;
    QJsonObject object;
    const QJsonObject all = value.toObject();
    for (auto it = all.begin(); it != all.end(); ++it) {
        static const QStringList dropped{u"ninjaFlags"_s,  u"requiredSystemFeatures"_s,
                                         u"MAX_JOBS"_s,    u"longDescription"_s,
                                         u"description"_s, u"homepage"_s};
        static const QRegularExpression phase(u"^(pre|post)[A-Z][a-z]+$|Phase$"_s);
        if (dropped.contains(it.key()))
            continue;
        const bool script = it->isString() && phase.match(it.key()).hasMatch();
        const QJsonValue plain = script ? QJsonValue(plainLines(it->toString())) : withoutEffects(*it);
        if (!script || !plain.toString().isEmpty())
            object.insert(it.key(), plain);
    }
    return object;
}

QByteArray buildOf(const QByteArray &json)
{
    return QJsonDocument(withoutEffects(QJsonDocument::fromJson(json).array()).toArray())
        .toJson(QJsonDocument::Compact);
}

} // namespace

class MeaningNixTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void everyRecipeHasANormalForm()
    {
        const QList<EvaluatedText> all = recipes();
        QVERIFY(all.size() > 30);
        for (const EvaluatedText &recipe : all) {
            const Meaning meaning = readMeaning(recipe.text);
            QVERIFY2(meaning.isKnown(), qPrintable(recipe.name + u": "_s + meaning.problem));
        }
    }

    /// Lets, names, order, comments, inherit, rec, with, texts in parts: any number of them at once.
    void anotherWayToWriteItIsEqual()
    {
        const QList<EvaluatedText> all = recipes();
        test::NixRewrites rewrites(seed());
        QMap<QString, int> kinds;
        QList<QByteArray> texts;
        QList<qsizetype> origins;
        for (int round = 0; round < test::rounds(250); ++round) {
            const qsizetype which = round % all.size();
            QByteArray text = all.at(which).text;
            for (int change = 0; change < 1 + round % 9; ++change) {
                const test::ChangedNix changed = rewrites.sameMeaning(text);
                if (changed.text.isEmpty())
                    continue;
                const Sameness same = samenessBetween(text, changed.text);
                QVERIFY2(same == Sameness::Equal || same == Sameness::Identical,
                         (all.at(which).name.toUtf8() + ": " + changed.kind.toUtf8() + ", round " +
                          QByteArray::number(round) + ", seed " + QByteArray::number(seed()) + "\n" + changed.text)
                             .constData());
                text = changed.text;
                ++kinds[changed.kind];
            }
            texts.append(text);
            origins.append(which);
        }
        QVERIFY2(kinds.size() >= 19, qPrintable(QStringList(kinds.keys()).join(u' ')));
        // The rewrites are what they say.
        QList<QByteArray> before;
        for (const EvaluatedText &recipe : all)
            before.append(recipe.text);
        const QList<QByteArray> values = evaluated(before);
        const QList<QByteArray> rewritten = evaluated(texts);
        for (qsizetype i = 0; i < texts.size(); ++i)
            QVERIFY2(rewritten.at(i) == values.at(origins.at(i)), texts.at(i).constData());
    }

    /// For any change: texts that are called equal are the same for Nix, and those called the same build differ in
    /// nothing else.
    void whatIsCalledTheSameIsTheSame()
    {
        const QList<EvaluatedText> all = recipes();
        test::NixRewrites rewrites(seed() + 1);
        QMap<QString, int> kinds;
        QList<QByteArray> before;
        QList<QByteArray> after;
        QList<Sameness> claims;
        QStringList names;
        int different = 0;
        for (int round = 0; round < test::rounds(1500); ++round) {
            const EvaluatedText &recipe = all.at(round % all.size());
            const test::ChangedNix changed = rewrites.otherMeaning(recipe.text);
            if (changed.text.isEmpty() || changed.text == recipe.text)
                continue;
            ++kinds[changed.kind];
            const Sameness same = samenessBetween(recipe.text, changed.text);
            if (same == Sameness::Different) {
                ++different;
                continue;
            }
            before.append(recipe.text);
            after.append(changed.text);
            claims.append(same);
            names.append(recipe.name + u": "_s + changed.kind);
        }
        QVERIFY2(kinds.size() >= (test::isCompleteRun() ? 12 : 8), qPrintable(QStringList(kinds.keys()).join(u' ')));
        qInfo("%d changes differ, %lld are called the same", different, qint64(claims.size()));
        const QList<QByteArray> was = evaluated(before);
        const QList<QByteArray> is = evaluated(after);
        for (qsizetype i = 0; i < claims.size(); ++i) {
            const bool equal = claims.at(i) == Sameness::Equal;
            QVERIFY2((equal ? was.at(i) : buildOf(was.at(i))) == (equal ? is.at(i) : buildOf(is.at(i))),
                     (names.at(i).toUtf8() + ", seed " + QByteArray::number(seed()) + '\n' + after.at(i)).constData());
        }
    }

    void aSingleChangeIsNeverTheSame_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("by");
        const auto row = [](const char *name, const char *pattern, const char *by) {
            QTest::newRow(name) << QString::fromUtf8(pattern) << QString::fromUtf8(by);
        };
        row("cudaCapabilities", "cudaCapabilities = \\[ \"9.0\"", "cudaCapabilities = [ \"9.0a\"");
        row("cudaCapabilities dropped", "cudaCapabilities = [^;]*;", "");
        row("allowUnfree", "allowUnfree = true", "allowUnfree = false");
        row("allowBroken dropped", "allowBroken = true;", "");
        row("cudaSupport of the config", "cudaSupport = true;( [^\n]*)?\n( *};)?\n? *overlays", "\n};overlays");
        row("pin", "archive/(..)", "archive/00");
        row("owner of the pin", "github.com/NixOS", "github.com/nixos-mirror");
        row("hash of the pin", "sha256 = \"1", "sha256 = \"0");
        row("hash of the pin dropped", "sha256 = \"[^\"]*\";", "");
        row("toolkit", "final.cudaPackages_12_8", "final.cudaPackages_12_9");
        row("toolkit of the older set", "final.cudaPackages_1", "prev.cudaPackages_1");
        row("name of the overlay", "cudaPackages = final", "cudaPackages_12 = final");
        row("overlay dropped", "\\(final: prev: \\{ cudaPackages = [^;]*; }\\)", "");
        row("system", "inherit \\(pkgs.stdenv.hostPlatform\\) system;", "system = \"aarch64-linux\";");
        row("package set", "python313Packages\\.torch", "python312Packages.torch");
        row("package", "Packages\\.torch\\b", "Packages.torch-bin");
        row("cudaSupport", "override \\{\\s*cudaSupport = true", "override { cudaSupport = false");
        row("gpuTargets", "gpuTargets = \\[", "gpuTargets = [ \"8.0\"");
        row("gpuTargets dropped", "gpuTargets = [^;]*;", "");
        row("stdenv", "gpuTargets = ", "stdenv = pkgs.clangStdenv; gpuTargets = ");
        row("an argument", "gpuTargets = ", "rocmSupport = false; gpuTargets = ");
        row("override dropped", "\\.override \\{[^}]*\\}", "");
        row("pname", "pname = \"", "pname = \"my-");
        row("pname dropped", "pname = \"[^;]*;", "");
        row("passthru", "cpuISA = \"", "cpuISA = \"x");
        row("passthru dropped", "cpuISA = [^;]*;", "");
        row("passthru replaced", "passthru = \\(?\\w+.passthru( or \\{ \\}\\))? // ", "passthru = ");
        row("cmakeFlags: or lost", "\\(oldAttrs.cmakeFlags or \\[ ?]\\)", "oldAttrs.cmakeFlags");
        row("cmakeFlags replaced", "cmakeFlags = [^\\[;]*\\+\\+ \\[", "cmakeFlags = [");
        row("a flag of CMake", "cmakeFlags = ([^;]*)\\[", "cmakeFlags = \\1[ \"-DNDEBUG=1\"");
        row("a flag of the compiler", "\"-mavx2\"", "\"-mavx2\" \"-O3\"");
        row("a flag dropped", "\"-mfma\"", "");
        row("flags behind", "\\$CXXFLAGS\"", "\"");
        row("preConfigure replaced", "preConfigure = \\([^)]*\\) \\+ ''", "preConfigure = ''");
        row("preConfigure: or lost", "\\((\\w+).preConfigure or \"\"\\)", "\\1.preConfigure");
        row("preConfigure misnamed", "preConfigure = \\(", "preConfigur = (");
        row("postPatch replaced", "postPatch = \\([^)]*\\) \\+ ''", "postPatch = ''");
        row("postInstall", "echo 3 > \\$out", "echo 4 > $out");
        row("postInstall dropped", "postInstall = [^;]*;", "");
        row("doCheck", "doCheck = false", "doCheck = true");
        row("env", "USE_NCCL = \"1\"", "USE_NCCL = \"0\"");
        row("buildInputs", "\\+\\+ \\[ blasBackend \\]", "");
        row("buildInputs filtered", "hasPrefix \"cuda\"", "hasPrefix \"cu\"");
        row("another condition", "!\\(isCuda p\\)", "isCuda p");
        row("nativeBuildInputs", "nativeBuildInputs = [^;]*;", "");
        row("propagatedBuildInputs", "propagatedBuildInputs = [^;]*;", "");
        row("another output", "torch\\.out \\]", "torch.dev ]");
        row("an input's arguments", "blas64 = false", "blas64 = true");
        row("URL of a patch", "example.org/clock", "example.com/clock");
        row("hash of a patch", "sha256-AAAA", "sha256-AAAB");
        row("name of a patch", "name = \"clock", "name = \"click");
        row("patches dropped", "\\(old.patches or \\[ \\]\\) \\+\\+", "");
        row("patches kept", "patches = \\[ \\];", "");
        row("owner", "owner = \"pytorch\"", "owner = \"somebody\"");
        row("repo", "repo = \"pytorch\"", "repo = \"torch\"");
        row("rev", "rev = \"v", "rev = \"u");
        row("fetchSubmodules", "fetchSubmodules = true", "fetchSubmodules = false");
        row("fetchSubmodules dropped", "fetchSubmodules = true;", "");
        row("hash", "sha256-BBBB", "sha256-BBBC");
        row("version", "version = \"2.10", "version = \"2.11");
        row("a variable", "export USE_CUDNN=0", "export USE_CUDNN=1");
        row("a variable dropped", "export USE_CUDNN=0", "");
        row("a variable that is not exported", "export CXXFLAGS=", "CXXFLAGS=");
        row("quotes", "export BLAS=OpenBLAS", "export BLAS='Open BLAS'");
        row("a command", "mkdir -p", "mkdir");
        row("a loop", "for dir in cuda cub", "for dir in cub cuda");
        row("a condition", "\\[ -n ", "[ -z ");
        row("a here document", "# found elsewhere", "# found here");
        row("a here document that expands", "<<'END'", "<<END");
        row("platforms", "platforms = \\[ \"x86_64-linux\"", "platforms = [ \"aarch64-linux\"");
        row("meta replaced", "meta = \\(?\\w+.meta( or \\{ \\}\\))? // ", "meta = ");
        row("an assertion", "assert arch \\? sm", "assert arch.sm == lib.version");
        row("a test of an attribute", "old \\? cmakeFlags", "old ? cmakeFlag");
        row("a scope", "with cudaPackages_12_8", "with (cudaPackages_12_8 // openblas)");
        row("a default", "release \\? false", "release ? true");
        row("no default", "magma \\? null", "magma");
        row("an argument more", "openblas, addDriver", "openblas, stdenv, addDriver");
        row("any argument more", "release \\? false \\}", "release ? false, ... }");
        row("the caller's packages", "import <nixpkgs> \\{ ?\\}", "import <nixpkgs> { config.allowUnfree = true; }");
        row("a comparison", "!= \"2.9.1\"", "!= \"2.9.2\"");
        row("a toolkit's library", "cuda.cuda_cccl", "cuda.cuda_nvcc");
        row("which torch", "\\{ inherit torch; \\}", "{ }");
    }
    void aSingleChangeIsNeverTheSame()
    {
        QFETCH(QString, pattern);
        QFETCH(QString, by);
        static const QList<EvaluatedText> all = recipes();
        const QRegularExpression expression(pattern);
        QVERIFY2(expression.isValid(), qPrintable(expression.errorString()));
        int applied = 0;
        for (const EvaluatedText &recipe : all) {
            QString text = QString::fromUtf8(recipe.text);
            // In the code, not in the comments before it.
            const auto match = expression.match(text, text.indexOf(u'{'));
            if (!match.hasMatch())
                continue;
            const QString code = text.sliced(match.capturedStart());
            QString changed = code.first(match.capturedLength());
            changed.replace(expression, by);
            text.replace(match.capturedStart(), match.capturedLength(), changed);
            if (text.toUtf8() == recipe.text)
                continue;
            ++applied;
            QVERIFY2(samenessBetween(recipe.text, text.toUtf8()) == Sameness::Different,
                     qPrintable(recipe.name + u'\n' + text));
        }
        QVERIFY(applied > 0);
    }

    /// Recipes that import, after one change in one of the files that they import: what is called equal is the same for
    /// Nix, what is called the same build differs in nothing else, and another way to write a file is equal.
    void whatIsImportedCounts()
    {
        const Files before = importingFiles();
        const QMap<QString, Meaning> meanings = meaningsOf(before);
        for (auto it = meanings.begin(); it != meanings.end(); ++it)
            QVERIFY2(it->isKnown(), qPrintable(it.key() + u": "_s + it->problem));
        test::NixRewrites rewrites(seed() + 7);
        QList<Files> all{before};
        QStringList kinds{{}};
        for (int round = 0; round < test::rounds(120); ++round) {
            Files files = before;
            auto file = files.begin();
            std::advance(file, round % files.size());
            const bool same = round % 3 == 0;
            const test::ChangedNix changed = same ? rewrites.sameMeaning(*file) : rewrites.otherMeaning(*file);
            if (changed.text.isEmpty() || changed.text == *file)
                continue;
            *file = changed.text;
            all.append(files);
            kinds.append((same ? u"same: "_s : u"other: "_s) + changed.kind + u" in "_s + file.key());
        }
        const QList<QMap<QString, QByteArray>> values = evaluatedTrees(all);
        int different = 0;
        int reached = 0;
        for (qsizetype i = 1; i < all.size(); ++i) {
            const QMap<QString, Meaning> changed = meaningsOf(all.at(i));
            for (auto it = meanings.begin(); it != meanings.end(); ++it) {
                const QByteArray &value = values.at(i).value(it.key());
                const QByteArray &was = values.first().value(it.key());
                const Sameness same =
                    samenessOf(before.value(it.key()), *it, all.at(i).value(it.key()), changed.value(it.key()));
                const QByteArray where = kinds.at(i).toUtf8() + " of " + it.key().toUtf8() + ", seed " +
                                         QByteArray::number(seed()) + ": " + toString(same).toUtf8() + '\n' + was +
                                         '\n' + value;
                if (kinds.at(i).startsWith("same"_L1))
                    QVERIFY2(same == Sameness::Equal || same == Sameness::Identical, where.constData());
                if (value.isEmpty()) // Nix refuses it.
                    continue;
                if (same == Sameness::Identical || same == Sameness::Equal)
                    QVERIFY2(value == was, where.constData());
                if (same == Sameness::SameBuild)
                    QVERIFY2(buildOf(value) == buildOf(was), where.constData());
                different += same == Sameness::Different;
                reached += value != was;
            }
        }
        qInfo("%lld changes; %d recipes come to something else, %d are called different", all.size() - 1, reached,
              different);
        QVERIFY(reached > (test::isCompleteRun() ? 20 : 1) && different >= reached / 2);
    }

    /// Without any one line of what is imported, without its last word, or with another end of its last name: a recipe
    /// that comes to something else, or that Nix refuses, is not the same. A comment changes nothing.
    void everyLineThatIsImportedCounts()
    {
        const Files before = importingFiles();
        const QMap<QString, Meaning> meanings = meaningsOf(before);
        QList<Files> claimed{before}; ///< of which some recipe is called the same
        QList<QMap<QString, Sameness>> claims{{}};
        QByteArrayList kinds{{}};
        for (auto file = before.begin(); file != before.end(); ++file) {
            if (!file.key().contains(u'/'))
                continue;
            const QByteArrayList lines = file->split('\n');
            for (qsizetype i = 0; i < lines.size(); ++i) {
                const QByteArray line = lines.at(i).trimmed();
                if (line.isEmpty() || line.startsWith('#'))
                    continue;
                QByteArray other = lines.at(i);
                for (qsizetype at = other.size() - 1; at >= 0; --at) {
                    if ((other.at(at) >= 'a' && other.at(at) <= 'y')) {
                        other[at] = char(other.at(at) + 1);
                        break;
                    }
                }
                const bool plain = !line.contains('"') && file->count("''") == 0;
                for (const QByteArray &changed :
                     {QByteArray(), lines.at(i).first(std::max<qsizetype>(lines.at(i).lastIndexOf(' '), 0)), other,
                      plain ? lines.at(i) + " # remark" : QByteArray()}) {
                    Files files = before;
                    QByteArrayList now = lines;
                    now[i] = changed;
                    files[file.key()] = now.join('\n');
                    const QMap<QString, Meaning> after = meaningsOf(files);
                    QMap<QString, Sameness> same;
                    for (auto it = meanings.begin(); it != meanings.end(); ++it) {
                        const QByteArray text = before.value(it.key());
                        const Sameness one = samenessOf(text, *it, text, after.value(it.key()));
                        if (changed.endsWith(" # remark"))
                            QVERIFY2(one == Sameness::Equal || one == Sameness::Identical, changed.constData());
                        else if (one != Sameness::Different && after.value(it.key()).imports != it->imports)
                            same.insert(it.key(), one);
                    }
                    if (same.isEmpty())
                        continue;
                    // Of the other recipes nothing is asked.
                    for (auto it = meanings.begin(); it != meanings.end(); ++it) {
                        if (!same.contains(it.key()))
                            files.remove(it.key());
                    }
                    claimed.append(files);
                    claims.append(same);
                    kinds.append(file.key().toUtf8() + ", line " + QByteArray::number(i + 1) + ": " + changed);
                }
            }
        }
        const QList<QMap<QString, QByteArray>> values = evaluatedTrees(claimed);
        for (qsizetype i = 1; i < claimed.size(); ++i) {
            for (auto it = claims.at(i).begin(); it != claims.at(i).end(); ++it) {
                const QByteArray was = values.first().value(it.key());
                const QByteArray value = values.at(i).value(it.key());
                QVERIFY2(!value.isEmpty() &&
                             (*it == Sameness::SameBuild ? buildOf(value) == buildOf(was) : value == was),
                         (it.key().toUtf8() + " is called " + toString(*it).toUtf8() + " after " + kinds.at(i) + '\n' +
                          was + '\n' + value)
                             .constData());
            }
        }
        qInfo("%lld changes leave a recipe as it is", claimed.size() - 1);
        QVERIFY(claimed.size() > 10);
    }

    /// A change that reaches one recipe's table only is one of that recipe.
    void whatIsNotReachedIsEqual()
    {
        const Files before = importingFiles();
        Files after = before;
        QVERIFY(after[u"lib/tables/isa.nix"_s].contains("\"-mavx512f\" "));
        after[u"lib/tables/isa.nix"_s].replace("\"-mavx512f\" ", "");
        const QMap<QString, Meaning> old = meaningsOf(before);
        const QMap<QString, Meaning> now = meaningsOf(after);
        for (auto it = old.begin(); it != old.end(); ++it) {
            const QByteArray text = before.value(it.key());
            QCOMPARE(toString(samenessOf(text, *it, text, now.value(it.key()))),
                     it.key().contains("avx512"_L1) ? u"different"_s : u"equal"_s);
        }
    }
};

TM_TEST(MeaningNixTest, QCoreApplication)
#include "tst_meaningnix.moc"
