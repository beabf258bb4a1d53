// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// Rows about writing recipes, compared with the same work in a shell: sed over files, git add, git commit.
#include "model/git/Repository.h"
#include "model/template/RecipeRenderer.h"
#include "tests/bench/Bench.h"
#include "tests/bench/Samples.h"
#include "tests/support/EditedSettings.h"

#include <QDir>

using namespace Qt::StringLiterals;

namespace tmx::bench {

namespace {

/// Settings with 62 recipes, all of which an older toolkit can build too.
Settings lineOf62()
{
    return test::edited(*catalog()->settings(u"cuda-12_9"_s), *catalog(), [](WrittenSettings &form) {
        form.coverage.last().rows.removeAll(u"sm103"_s);
        form.coverage.append({{u"sm75"_s, u"sm70"_s}, form.coverage.constLast().isas});
        form.coverage.append({{u"sm61"_s}, {u"avx512"_s, u"avx512bf16"_s, u"avx512vnni"_s}});
        form.coverage.append({{u"sm70"_s, u"sm75"_s, u"sm80"_s}, {u"avx"_s}});
    });
}

/// Makes every recipe of the settings from an existing one with sed for its GPU and CPU; then one commit.
QByteArray generateScript(const QList<Variant> &variants)
{
    QByteArray script = "set -e\nmkdir -p .flox/pkgs\n";
    for (const Variant &variant : variants)
        script += "sed -e 's/@row@/" + variant.row.toUtf8() + "/g; s/@isa@/" + variant.isa.toUtf8() + "/g; s/@name@/" +
                  variant.name().toUtf8() + "/g' \"$1\" > " + variant.file().toUtf8() + '\n';
    return script + "git add .flox/pkgs\ngit commit -q -m 'Fill the grid'\n";
}

// The same by hand: texts and names change. With a sed per file, because the loop that renames them exists anyway.
constexpr auto deriveScript = R"(set -e
git checkout -q -b "$1"
edit="s/cuda12_9/cuda12_8/g; s/cudaPackages_12_9/cudaPackages_12_8/g; s/12[.]9/12.8/g; s/6a030d535719c5190187c4cec156f335e95e3211/$2/g"
for f in .flox/pkgs/*cuda12_9*.nix; do
    new="${f%cuda12_9*}cuda12_8${f##*cuda12_9}"
    sed -i -e "$edit" "$f"
    mv "$f" "$new"
done
git add .flox/pkgs
git commit -q -m "Derive $1"
)";

} // namespace

void generate(Table &table)
{
    const Settings line = *catalog()->settings(u"cuda-13_0"_s);
    const QList<Variant> variants = line.promised();
    const QString folder = scratch(u"generate"_s);
    const QString first = folder + u"/empty"_s;
    QDir().mkpath(folder);
    // The branch's settings without any recipe.
    const QByteArray settings = "base = \"" + line.branch.toUtf8() + "\"\n";
    if (const auto made = createRepository(first, {{line.branch, u"Begin\n"_s, {{u"torch-matrix.toml"_s, settings}}}});
        !made)
        fail(made.error().sentence());
    RecipeRenderer renderer(catalog());
    QByteArray model = *renderer.render(line, variants.constFirst());
    model.replace(variants.constFirst().name().toUtf8(), "@name@");
    model.replace(variants.constFirst().row.toUtf8(), "@row@");
    writeFile(folder + u"/template"_s, model);
    writeFile(folder + u"/generate.sh"_s, generateScript(variants));
    const auto copy = [&](const QString &way, int run) {
        const QString to = u"%1/%2-%3"_s.arg(folder, way).arg(run);
        git(folder, {u"clone"_s, u"-q"_s, u"--no-hardlinks"_s, first, to});
        return to;
    };
    table.measure(
        u"generate --all --commit: %1 recipes of %2"_s.arg(variants.size()).arg(line.branch),
        u"sed each, git add, git commit"_s,
        [&](int run) {
            const QString to = copy(u"ours"_s, run);
            const Sample sample = ours({u"generate"_s, u"--all"_s, u"--commit"_s, u"-m"_s, u"Fill the grid"_s}, to);
            if (git(to, {u"ls-files"_s, u".flox/pkgs"_s}).count('\n') != variants.size())
                fail(u"generate wrote other recipes than the line has"_s);
            return sample;
        },
        [&](int run) {
            return timed(
                {u"sh"_s, {folder + u"/generate.sh"_s, folder + u"/template"_s}, copy(u"theirs"_s, run), {}, {0}});
        });
}

void derive(Table &table)
{
    const Settings settings = lineOf62();
    const QString folder = scratch(u"derive"_s);
    QDir().mkpath(folder);
    const QString repository = folder + u"/repository"_s;
    NewBranch branch{u"cuda-12_9"_s, u"Add the recipes\n"_s, {}};
    RecipeRenderer renderer(catalog());
    for (const Variant &variant : settings.promised())
        branch.files.append({variant.file(), *renderer.render(settings, variant)});
    if (const auto made = createRepository(repository, {branch}); !made)
        fail(made.error().sentence());
    writeFile(folder + u"/derive.sh"_s, deriveScript);
    // Each on a separate branch with a separate revision, so that no text is in the object database already.
    const auto pin = [](int run, QChar digit) { return QString::number(run + 1, 16).rightJustified(40, digit); };
    table.measure(
        u"derive %1 recipes"_s.arg(branch.files.size()), u"sed each, mv, git add, git commit"_s,
        [&](int run) {
            return ours({u"derive"_s, u"ours-%1"_s.arg(run), u"--from"_s, u"cuda-12_9"_s, u"--cuda"_s, u"12.8"_s,
                         u"--pin"_s, pin(run, u'a'), u"--json"_s, u"--apply"_s},
                        repository);
        },
        [&](int run) {
            const Sample sample = timed(
                {u"sh"_s, {folder + u"/derive.sh"_s, u"theirs-%1"_s.arg(run), pin(run, u'b')}, repository, {}, {0}});
            git(repository, {u"checkout"_s, u"-q"_s, u"cuda-12_9"_s});
            return sample;
        });
}

} // namespace tmx::bench
