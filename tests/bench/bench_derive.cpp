// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// Deriving a line of 62 recipes against what a person does in a shell: sed over the files, a branch, a commit.
#include "model/recipe/RecipeRenderer.h"
#include "model/repository/Repository.h"
#include "tests/support/EditedSettings.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

constexpr double mostOfTheScript = 0.5;
constexpr int runs = 15;

// What a person writes: texts and names change. With a sed for each file (the loop that renames them is there anyway),
// or one for all.
const QByteArray script = R"(set -e
git checkout -q -b "$1"
edit="s/cuda12_9/cuda12_8/g; s/cudaPackages_12_9/cudaPackages_12_8/g; s/12[.]9/12.8/g; s/6a030d535719c5190187c4cec156f335e95e3211/$2/g"
if [ "$3" = once ]; then
    sed -i -e "$edit" .flox/pkgs/*.nix
fi
for f in .flox/pkgs/*cuda12_9*.nix; do
    new="${f%cuda12_9*}cuda12_8${f##*cuda12_9}"
    if [ "$3" = each ]; then
        sed -i -e "$edit" "$f"
    fi
    mv "$f" "$new"
done
git add .flox/pkgs
git commit -q -m "Derive $1"
)";

double timeOf(const QString &folder, const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    QElapsedTimer clock;
    clock.start();
    process.start(program, arguments);
    if (!process.waitForFinished(120'000) || process.exitCode() != 0)
        qFatal("%s: %s", qPrintable(program), process.readAllStandardError().constData());
    return double(clock.nsecsElapsed()) / 1e6;
}

double median(QList<double> values)
{
    std::ranges::sort(values);
    return values.at(values.size() / 2);
}

/// A line of 62 recipes: cuda-12_9's 50, and two GPUs more.
Settings lineOf62(const Catalog &catalog)
{
    return test::edited(*catalog.line(u"cuda-12_9"_s), catalog, [](WrittenSettings &form) {
        form.coverage.append({{u"sm75"_s, u"sm70"_s},
                              {u"avx2"_s, u"avx512"_s, u"avx512bf16"_s, u"avx512vnni"_s, u"armv8_2"_s, u"armv9"_s}});
    });
}

} // namespace

int main()
{
    const auto catalog = Catalog::load();
    if (!catalog)
        qFatal("%s", qPrintable(catalog.error().sentence()));
    QTemporaryDir folder;
    for (const auto &[name, value] :
         {std::pair("HOME", folder.path().toUtf8()), std::pair("GIT_CONFIG_NOSYSTEM", "1"_ba),
          std::pair("XDG_CONFIG_HOME", folder.filePath(u".config"_s).toUtf8())})
        qputenv(name, value);
    QFile config(folder.filePath(u".gitconfig"_s));
    if (!config.open(QIODevice::WriteOnly) ||
        config.write("[user]\n\tname = A Tester\n\temail = tester@example.org\n[gc]\n\tauto = 0\n") < 0)
        qFatal("cannot write");
    config.close();

    const Settings line = lineOf62(**catalog);
    RecipeRenderer renderer(*catalog);
    NewBranch branch{u"cuda-12_9"_s, u"Add the recipes\n"_s, {}};
    for (const Variant &variant : line.promised()) {
        const auto text = renderer.render(line, variant);
        if (!text)
            qFatal("%s", qPrintable(text.error().sentence()));
        branch.files.append({variant.file(), *text});
    }
    if (branch.files.size() != 62)
        qFatal("the line has %d recipes", int(branch.files.size()));
    const QString repository = folder.filePath(u"repository"_s);
    if (const Result<void> made = createRepository(repository, {branch}); !made)
        qFatal("%s", qPrintable(made.error().sentence()));
    QFile sh(folder.filePath(u"derive.sh"_s));
    if (!sh.open(QIODevice::WriteOnly) || sh.write(script) < 0)
        qFatal("cannot write");
    sh.close();

    // In turn, each into branches of its own with a revision of its own: nobody finds a text in the object database.
    QList<double> ours;
    QList<double> theirs; // one sed a file
    QList<double> atOnce; // one sed for all
    for (int i = 0; i < runs; ++i) {
        const auto byScript = [&](const QString &way, QChar digit) {
            const QString pin = QString::number(i + 1, 16).rightJustified(40, digit);
            const double ms = timeOf(repository, u"sh"_s, {sh.fileName(), u"%1-%2"_s.arg(way).arg(i), pin, way});
            timeOf(repository, u"git"_s, {u"checkout"_s, u"-q"_s, u"cuda-12_9"_s});
            return ms;
        };
        theirs.append(byScript(u"each"_s, u'b'));
        atOnce.append(byScript(u"once"_s, u'c'));
        const QString name = u"ours-%1"_s.arg(i);
        const QString pin = QString::number(i + 1, 16).rightJustified(40, u'a');
        ours.append(timeOf(repository, QStringLiteral(TM_PROGRAM),
                           {u"derive"_s, name, u"--from"_s, u"cuda-12_9"_s, u"--cuda"_s, u"12.8"_s, u"--pin"_s, pin,
                            u"--json"_s, u"--apply"_s}));
    }
    const double ratio = median(ours) / median(theirs);
    std::printf("derive 62 recipes: %.1f ms; script with a sed for each file: %.1f ms, ratio %.2f; with one sed for "
                "all: %.1f ms, ratio %.2f (medians of %d)\n",
                median(ours), median(theirs), ratio, median(atOnce), median(ours) / median(atOnce), runs);
    if (ratio > mostOfTheScript) {
        std::printf("more than %.2f of the script\n", mostOfTheScript);
        return 1;
    }
    return 0;
}
