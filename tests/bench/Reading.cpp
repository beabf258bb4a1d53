// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// Rows about reading: the start of a verb, branches, Nix; and about rendering.
#include "model/base/Parallel.h"
#include "model/meaning/ParsedRecipe.h"
#include "model/nix/Parse.h"
#include "model/snapshot/SnapshotReader.h"
#include "model/template/RecipeContext.h"
#include "model/template/RecipeRenderer.h"
#include "tests/bench/Bench.h"
#include "tests/bench/Samples.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QThread>

#include <algorithm>
#include <atomic>

using namespace Qt::StringLiterals;

namespace tmx::bench {

namespace {

constexpr int parsedRecipes = 250; ///< as many as a large branch has
constexpr int renderedVariants = 100'000;

QByteArray contentsOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        fail(u"cannot read "_s + path);
    return file.readAll();
}

/// The recipes among the fixtures, repeated.
QStringList recipeFiles()
{
    QStringList paths;
    QDirIterator files(QStringLiteral(TM_FIXTURES), {u"recipe-*.nix"_s, u"pytorch-*.nix"_s}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext())
        paths.append(files.next());
    paths.sort();
    const QString folder = scratch(u"recipes"_s);
    QDir().mkpath(folder);
    QStringList copies;
    for (int i = 0; i < parsedRecipes; ++i) {
        copies.append(u"%1/%2.nix"_s.arg(folder).arg(i));
        writeFile(copies.constLast(), contentsOf(paths.at(i % paths.size())));
    }
    return copies;
}

/// Like a package set of nixpkgs: short words, dense syntax.
QByteArray packageSet()
{
    QByteArray text = "{ lib, callPackage }:\nrec {\n";
    for (int i = 0; text.size() < 4'000'000; ++i) {
        const QByteArray n = QByteArray::number(i);
        text += "  package" + n + " = callPackage ../pkgs/p" + n + " { inherit (lib.versions) major; enable = a" + n +
                ".b or true && !(x: x.y ? z) 1; };\n  a" + n + ".b = [ \"-O2\" \"-march=${toString " + n +
                "}\" ] ++ lib.optionals (" + n + " < 2) [ 1 2 3 ];\n";
    }
    return text + "}\n";
}

/// The templates and contexts of a line's variants.
QJsonArray contextsOf(const Settings &settings)
{
    QJsonArray jobs;
    ContextTables tables;
    for (const Variant &variant : settings.promised()) {
        const auto context = recipeContext(*catalog(), settings, variant, tables);
        const Family *family = catalog()->family(variant.family);
        const QString name = settings.profileOf(variant).templateName;
        const QString own = variant.row == "darwin-mps"_L1 ? family->metalTemplate
                            : variant.cuda.isEmpty()       ? family->cpuTemplate
                                                           : family->gpuTemplate;
        if (!context)
            fail(context.error().sentence());
        jobs.append(QJsonObject{{u"template"_s, name.isEmpty() ? own : name},
                                {u"context"_s, QJsonObject::fromVariantHash(*context)}});
    }
    return jobs;
}

Sample renderedByJinja(const QString &python, const QString &contexts)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(python, {QStringLiteral(TM_BENCH "/render.py"), QStringLiteral(TM_TEMPLATES), contexts,
                           QString::number(renderedVariants)});
    if (!process.waitForFinished(-1) || process.exitCode() != 0)
        fail(u"render.py failed"_s);
    const QList<QByteArray> values = process.readAllStandardOutput().simplified().split(' ');
    return {values.value(0).toDouble(), values.value(1).toDouble(), qint64(values.value(2).toDouble())};
}

} // namespace

void version(Table &table)
{
    const auto git = [](int) { return timed({u"git"_s, {u"--version"_s}, {}, {}, {0}}); };
    table.measure(
        u"start of a verb (--version)"_s, u"git --version"_s, [](int) { return ours({u"--version"_s}); }, git);
}

void branches(Table &table)
{
    const BranchesSample &sample = nineBranches();
    const QString work =
        u"read, understand and audit %1 recipes of %2 branches, %3"_s.arg(sample.recipes).arg(sample.branches.size());
    const Side git = [&](int) {
        return timed({u"git"_s, {u"cat-file"_s, u"--batch"_s}, sample.path, sample.ids, {0}});
    };
    const auto list = [&] { return ours({u"list"_s, u"--all-branches"_s, u"--json"_s}, sample.path); };
    table.measure(
        work.arg(u"no cache"_s), u"git cat-file --batch of the blobs"_s,
        [&](int) {
            QDir(qEnvironmentVariable("XDG_CACHE_HOME")).removeRecursively();
            return list();
        },
        git);
    table.measure(work.arg(u"cached"_s), u"git cat-file --batch of the blobs"_s, [&](int) { return list(); }, git);
    table.measure(
        u"audit the largest of them"_s, u"git cat-file --batch of all"_s,
        [&](int) { return ours({u"audit"_s, u"--json"_s}, sample.path); }, git);
}

void wrapped(Table &table)
{
    const BranchesSample &sample = wrappers();
    const QString work = u"list %1 files of recipes that call one, %2"_s.arg(sample.recipes);
    const auto list = [&] { return ours({u"list"_s}, sample.path); };
    table.measure(
        work.arg(u"no cache"_s), u"git cat-file --batch of the blobs"_s,
        [&](int) {
            QDir(qEnvironmentVariable("XDG_CACHE_HOME")).removeRecursively();
            return list();
        },
        [&](int) { return timed({u"git"_s, {u"cat-file"_s, u"--batch"_s}, sample.path, sample.ids, {0}}); });
    table.measure(
        work.arg(u"cached"_s), u"start of the program (--version)"_s, [&](int) { return list(); },
        [&](int) { return ours({u"--version"_s}); });
    const QString evaluate = u"evaluate them, start left out"_s;
    if (QStandardPaths::findExecutable(u"nix-instantiate"_s).isEmpty())
        return table.leaveOut(evaluate, u"nix-instantiate is not installed"_s);
    QByteArray all = "import " TM_FIXTURES "/nixpkgs/everything.nix { files = [\n";
    for (const QString &file : QDir(sample.path + u"/.flox/pkgs"_s).entryList({u"*.nix"_s}, QDir::Files))
        all += sample.path.toUtf8() + "/.flox/pkgs/" + file.toUtf8() + '\n';
    const QString path = scratch(u"wrappers.nix"_s);
    writeFile(path, all + "]; }\n");
    table.measure(
        evaluate, u"nix-instantiate --eval, one call, over a small stand-in for nixpkgs"_s,
        [&](int) { return part(u"evaluate"_s, {sample.path}); },
        [&](int) {
            return timed({u"nix-instantiate"_s,
                          {u"--store"_s, u"dummy://"_s, u"--eval"_s, u"--strict"_s, u"--json"_s, path},
                          {},
                          {},
                          {0}});
        });
}

Sample evaluatePart(const QStringList &arguments)
{
    const auto content = SnapshotReader(catalog()).content(*branchNamed(arguments.constFirst()));
    if (!content)
        fail(content.error().sentence());
    return inside([&content] {
        for (const VersionedFile &file : (*content)->files) {
            const ParsedRecipe recipe((*content)->shownFiles->source(file.path, *file.committed));
            if (!recipe.meaning().isKnown() || recipe.facts().error)
                fail(file.path + u" is not understood"_s);
        }
    });
}

void compare(Table &table)
{
    const BranchesSample &sample = nineBranches();
    QByteArray script = "set -e\n";
    for (qsizetype a = 0; a < sample.branches.size(); ++a) {
        for (qsizetype b = a + 1; b < sample.branches.size(); ++b)
            script += "git diff --stat " + sample.branches.at(a).toUtf8() + ' ' + sample.branches.at(b).toUtf8() + '\n';
    }
    const QString path = scratch(u"diffs.sh"_s);
    writeFile(path, script);
    const Side diffs = [&](int) { return timed({u"sh"_s, {path}, sample.path, {}, {0}}); };
    const auto compared = [&] { return ours(QStringList{u"compare"_s} + sample.branches, sample.path); };
    const QString work = u"compare %1 branches, %2"_s.arg(sample.branches.size());
    table.measure(
        work.arg(u"no cache"_s), u"git diff --stat of each pair"_s,
        [&](int) {
            QDir(qEnvironmentVariable("XDG_CACHE_HOME")).removeRecursively();
            return compared();
        },
        diffs);
    table.measure(work.arg(u"cached"_s), u"git diff --stat of each pair"_s, [&](int) { return compared(); }, diffs);
}

void parse(Table &table)
{
    const auto measure = [&table](const QString &work, const QStringList &paths) {
        table.measure(
            work, u"nix-instantiate --parse, one call"_s, [&](int) { return part(u"parse"_s, paths); },
            [&](int) { return timed({u"nix-instantiate"_s, QStringList{u"--parse"_s} + paths, {}, {}, {0}}); });
    };
    if (QStandardPaths::findExecutable(u"nix-instantiate"_s).isEmpty())
        return table.leaveOut(u"parse Nix"_s, u"nix-instantiate is not installed"_s);
    qputenv("NIX_STATE_DIR", scratch(u"nix"_s).toUtf8());
    qputenv("NIX_STORE_DIR", scratch(u"nix/store"_s).toUtf8());
    measure(u"parse %1 recipes, start left out"_s.arg(parsedRecipes), recipeFiles());
    const QString set = scratch(u"set.nix"_s);
    writeFile(set, packageSet());
    measure(u"parse a package set of 4 MB, start left out"_s, {set});
}

Sample parsePart(const QStringList &arguments)
{
    QList<QByteArray> texts;
    for (const QString &path : arguments)
        texts.append(contentsOf(path));
    return inside([&texts] {
        for (const QByteArray &text : std::as_const(texts)) {
            if (!nix::parse(text).ok())
                fail(u"a recipe cannot be parsed"_s);
        }
    });
}

void render(Table &table)
{
    const QString work = u"render %L1 variants to memory"_s.arg(renderedVariants);
    const QString python = u"python3"_s;
    const Side own = [](int) { return part(u"render"_s); };
    if (QProcess::execute(python, {u"-c"_s, u"import jinja2"_s}) != 0) {
        table.measure(work + u" (without python3-jinja2, which is not installed)"_s, {}, own, {},
                      table.isQuick() ? 1 : 0);
        return;
    }
    const QString contexts = scratch(u"contexts.json"_s);
    writeFile(contexts, QJsonDocument(contextsOf(*catalog()->settings(u"cuda-13_0"_s))).toJson(QJsonDocument::Compact));
    table.measure(
        work, u"Python's Jinja2, the same templates"_s, own, [&](int) { return renderedByJinja(python, contexts); },
        table.isQuick() ? 1 : 0);
}

Sample renderPart(const QStringList &)
{
    const Settings settings = *catalog()->settings(u"cuda-13_0"_s);
    const QList<Variant> variants = settings.promised();
    // Like RecipeCache::rendered, but without its cache: the same variants are rendered repeatedly.
    const int parts = std::max(1, QThread::idealThreadCount());
    std::atomic<qsizetype> bytes = 0;
    return inside([&] {
        inParallel(parts, [&](qsizetype part) {
            RecipeRenderer renderer(catalog());
            for (qsizetype i = part; i < renderedVariants; i += parts) {
                const auto text = renderer.render(settings, variants.at(i % variants.size()));
                if (!text)
                    fail(text.error().sentence());
                bytes += text->size();
            }
        });
    });
}

} // namespace tmx::bench
