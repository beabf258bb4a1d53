// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/bench/Samples.h"

#include "model/git/Repository.h"
#include "tests/bench/Bench.h"
#include "tests/support/ManyBranches.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QProcess>

using namespace Qt::StringLiterals;

namespace tmx::bench {

namespace {

/// The ids of all recipes of all branches.
BranchesSample described(const QString &path, const QStringList &branches)
{
    QByteArray ids;
    for (const QString &branch : branches) {
        for (const QByteArray &line : git(path, {u"ls-tree"_s, u"-r"_s, branch, u".flox/pkgs"_s}).split('\n')) {
            if (!line.isEmpty())
                ids += line.split(' ').at(2).first(40) + '\n';
        }
    }
    BranchesSample sample{path, branches, int(ids.count('\n')), path + u".ids"_s};
    writeFile(sample.ids, ids);
    return sample;
}

} // namespace

std::shared_ptr<const Catalog> catalog()
{
    static const auto loaded = Catalog::loadForUser();
    if (!loaded)
        fail(loaded.error().sentence());
    return *loaded;
}

const BranchesSample &nineBranches()
{
    static const BranchesSample sample = [] {
        const QString path = scratch(u"branches"_s);
        const QStringList branches = test::makeManyBranches(catalog(), path);
        git(path, {u"gc"_s, u"-q"_s});
        return described(path, branches);
    }();
    return sample;
}

const BranchesSample &wrappers()
{
    static const BranchesSample sample = [] {
        NewBranch branch{u"main"_s, u"Add the recipes\n"_s, {}};
        const QDir fixture(QStringLiteral(TM_FIXTURES "/recipes/imports"));
        QDirIterator files(fixture.filePath(u"lib"_s), QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (!file.open(QIODevice::ReadOnly))
                fail(u"cannot read "_s + file.fileName());
            branch.files.append({u".flox/pkgs/"_s + fixture.relativeFilePath(file.fileName()), file.readAll()});
        }
        QByteArray gpus, cpus, toolkits, versions;
        const auto add = [&branch](const QString &name, const QByteArray &arguments) {
            branch.files.append({u".flox/pkgs/%1.nix"_s.arg(name),
                                 "# " + name.toUtf8() +
                                     "\n{ pkgs ? import <nixpkgs> { } }:\nimport ./lib/make-vision.nix { " + arguments +
                                     "}\n"});
        };
        for (const GpuRow &row : catalog()->rows) {
            if (row.isGpu())
                gpus += "  \"" + row.id.mid(2).toUtf8() + "\" = { capability = \"" + row.capability.toUtf8() +
                        "\"; products = \"" + row.products.join(u", "_s).toUtf8() + "\"; };\n";
        }
        for (const Isa &isa : catalog()->isas)
            cpus += "  " + isa.id.toUtf8() + " = { flags = [ \"" + isa.flags.join(u"\" \""_s).toUtf8() +
                    "\" ]; platform = \"" + isa.platform.toUtf8() + "\"; };\n";
        const QByteArrayList kits{"12_8", "12_9", "13_0", "13_1"};
        for (const QByteArray &kit : kits)
            toolkits += "  \"" + kit + "\" = { overlay = \"cudaPackages_" + kit + "\"; title = \"" + kit + "\"; };\n";
        for (const QByteArray &release : {QByteArray("0.24"), QByteArray("0.25"), QByteArray("0.26")}) {
            const QString family = u"torchvision"_s + QString::fromUtf8(release).remove(u'.');
            versions += "  \"" + release + "-313\" = { vision = \"" + release + ".0\"; torch = \"2.9.1\"; set = " +
                        "\"python313Packages\"; pin = \"1111111111111111111111111111111111111111\"; };\n";
            const QByteArray common = "release = \"" + release + "\"; python = \"313\"; ";
            for (const Isa &isa : catalog()->isas) {
                const QByteArray cpu = "isa = \"" + isa.id.toUtf8() + "\"; ";
                add(family + u"-python313-cpu-"_s + isa.id, common + "backend = \"cpu\"; " + cpu);
                for (const QByteArray &kit : kits) {
                    for (const GpuRow &row : catalog()->rows) {
                        const Variant variant{family, u"python313"_s, QString::fromUtf8(kit).replace(u'_', u'.'),
                                              row.id, isa.id};
                        if (row.isGpu() && catalog()->validity(variant).valid)
                            add(variant.name(), common + "backend = \"cuda\"; sm = \"" + row.id.mid(2).toUtf8() +
                                                    "\"; toolkit = \"" + kit + "\"; " + cpu);
                    }
                }
            }
        }
        for (auto &[file, text] : branch.files) {
            const QByteArray *entries = file.endsWith("/gpu.nix"_L1)        ? &gpus
                                        : file.endsWith("/isa.nix"_L1)      ? &cpus
                                        : file.endsWith("/toolkit.nix"_L1)  ? &toolkits
                                        : file.endsWith("/versions.nix"_L1) ? &versions
                                                                            : nullptr;
            if (entries)
                text = "{\n" + *entries + "}\n";
        }
        const QString path = scratch(u"wrappers"_s);
        if (const auto made = createRepository(path, {branch}); !made)
            fail(made.error().sentence());
        git(path, {u"gc"_s, u"-q"_s});
        return described(path, {u"main"_s});
    }();
    return sample;
}

BranchesSample manyTimes(const BranchesSample &sample, int times)
{
    const QString path = u"%1-%2"_s.arg(sample.path).arg(times);
    git(QFileInfo(path).path(), {u"init"_s, u"-q"_s, u"-b"_s, sample.branches.constFirst(), path});
    QStringList branches;
    QProcess import;
    import.setWorkingDirectory(path);
    import.start(u"git"_s, {u"fast-import"_s, u"--quiet"_s});
    for (const QString &branch : sample.branches) {
        const QByteArray names = git(sample.path, {u"ls-tree"_s, u"-r"_s, u"--name-only"_s, branch, u".flox/pkgs"_s});
        QList<std::pair<QByteArray, QByteArray>> files;
        for (const QByteArray &name : names.trimmed().split('\n'))
            files.append({name, git(sample.path, {u"show"_s, branch + u':' + QString::fromUtf8(name)})});
        for (int copy = 0; copy < times; ++copy) {
            branches.append(copy == 0 ? branch : u"%1-copy-%2"_s.arg(branch).arg(copy));
            import.write("commit refs/heads/" + branches.constLast().toUtf8() +
                         "\ncommitter A Tester <tester@example.org> 1700000000 +0000\ndata 4\nCopy\n");
            for (const auto &[name, text] : std::as_const(files)) {
                const QByteArray own = copy == 0 ? text : text + "# copy " + QByteArray::number(copy) + '\n';
                import.write("M 100644 inline " + name + "\ndata " + QByteArray::number(own.size()) + '\n' + own +
                             '\n');
            }
            import.waitForBytesWritten(-1);
        }
    }
    import.closeWriteChannel();
    if (!import.waitForFinished(-1) || import.exitCode() != 0)
        fail(u"git fast-import: "_s + QString::fromUtf8(import.readAllStandardError()));
    git(path, {u"reset"_s, u"-q"_s, u"--hard"_s});
    return described(path, branches);
}

QString repositoryOf(const QString &line)
{
    const QString path = scratch(u"line-"_s + line);
    if (QFileInfo::exists(path))
        return path;
    NewBranch branch{line, u"Add the recipes\n"_s, {}};
    RecipeRenderer renderer(catalog());
    const Settings settings = *catalog()->settings(line);
    for (const Variant &variant : settings.promised())
        branch.files.append({variant.file(), *renderer.render(settings, variant)});
    if (const auto made = createRepository(path, {branch}); !made)
        fail(made.error().sentence());
    return path;
}

QString logOf(qint64 bytes)
{
    const QString path = scratch(u"log-%1"_s.arg(bytes));
    QFile file(path);
    if (file.exists())
        return path;
    if (!file.open(QIODevice::WriteOnly))
        fail(u"cannot write "_s + path);
    QByteArray block;
    for (qint64 line = 0; file.pos() + block.size() < bytes; ++line) {
        if (line % 50'000 == 0)
            block += "python3.13-torch> Running phase: phase" + QByteArray::number(line / 50'000) + '\n';
        block += "python3.13-torch> [" + QByteArray::number(line % 6000) +
                 "/6000] Building CXX object caffe2/CMakeFiles/torch_cpu.dir/aten/Kernel" + QByteArray::number(line) +
                 ".cpp.o\n";
        if (block.size() > 1'000'000) {
            if (file.write(block) != block.size())
                fail(u"cannot write "_s + path);
            block.clear();
        }
    }
    file.write(block);
    return path;
}

} // namespace tmx::bench
