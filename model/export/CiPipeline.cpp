// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/export/CiPipeline.h"

#include "model/base/RepositoryPaths.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/catalog/Catalog.h"
#include "model/export/Pipelines.h"
#include "model/export/Yaml.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int ownHours = 24;
constexpr QStringView labelForm = u"[A-Za-z0-9][A-Za-z0-9 ._:/-]{0,99}";
constexpr QStringView organisationForm = u"[A-Za-z0-9][A-Za-z0-9._-]{0,99}";

/// The parts of "SYSTEM=LABEL"; for "LABEL" the system is empty.
std::pair<QString, QString> partsOf(const QString &runner)
{
    const qsizetype equals = runner.indexOf(u'=');
    return equals < 0 ? std::pair(QString(), runner) : std::pair(runner.first(equals), runner.sliced(equals + 1));
}

} // namespace

QStringList ciSystems()
{
    return {u"x86_64-linux"_s, u"aarch64-linux"_s, u"aarch64-darwin"_s};
}

OwnRunner ownRunner(const CiOptions &options, const QString &system)
{
    OwnRunner found;
    for (const QString &runner : options.runners) {
        const auto [of, label] = partsOf(runner);
        if (of == system)
            return {label, true};
        if (of.isEmpty())
            found = {label, false};
    }
    return found;
}

QStringList systemsOf(const CiMatrix &matrix)
{
    QStringList systems = ciSystems();
    if (!matrix.isWhole())
        systems.removeIf([&matrix](const QString &system) {
            return std::ranges::find(matrix.jobs, system, &CiJob::system) == matrix.jobs.end();
        });
    return systems;
}

const char lookForRecipes[] = R"sh(work=$(mktemp -d)
tr -d '\r' < "$PIPELINE" > "$work/pipeline"
sed -n 's/^# recipe: //p' "$work/pipeline" > "$work/listed"
newline='
'
there=$newline$(git ls-files -- .flox/pkgs | sed -n -e 's|^\.flox/pkgs/\([a-z0-9_-]*\)\.nix$|\1|p' \
  -e 's|^\.flox/pkgs/\([a-z0-9_-]*\)/default\.nix$|\1|p')$newline
known=$newline$(cut -d ' ' -f 2 "$work/listed")$newline
changed=$newline
if [ -n "$from" ]; then
  changed=$newline$(git -c core.quotePath=off diff --name-only --no-renames "$from" HEAD)$newline
fi
folders=$(printf %s "$changed" | grep '^\.flox/pkgs/.*/' | head -n 1 || true)
{
  cat "$work/listed"
  if [ "$NEW_RECIPES" = yes ]; then
    printf %s "$there" | while read -r package; do
      case $known in *"$newline$package$newline"*) continue ;; esac
      case $package in
      *-cpu | *-cpu-* | *-cuda[0-9]* | *-darwin-* | *-rocm*) echo "new $package" ;;
      esac
    done
  fi
} | while read -r system package imports; do
  case $there in *"$newline$package$newline"*) ;; *) continue ;; esac
  reason="all recipes are built"
  if [ -n "$from" ]; then
    reason=
    for path in ".flox/pkgs/$package.nix" ".flox/pkgs/$package" "$imports"; do
      case $path$changed in
      "$newline"* | ".$newline") ;;
      *"$newline$path$newline"* | *"$newline$path/"* | ".$newline"?*) reason="$reason $path" ;;
      esac
    done
    [ "$system" != new ] || reason="$reason $folders"
    [ -n "${reason# }" ] || continue
  elif [ "$system" = left ]; then
    continue
  fi
  case $system in
  new | left)
    system=x86_64-linux
    for isa in $ISAS; do
      case "-$package-" in
      *"-${isa%%=*}-"*) system=${isa#*=} ;;
      *-darwin-*) system=aarch64-darwin ;;
      esac
    done
    ;;
  esac
  echo "$system $package ${reason# }"
done > "$work/legs"
)sh";

QStringList watchedPaths(const CiMatrix &matrix, QLatin1StringView below)
{
    const QString folder = u".flox/pkgs/"_s;
    QStringList paths{folder + below};
    for (const CiJob &job : matrix.jobs) {
        if (job.imports == "."_L1)
            return {below};
        if (job.imports.isEmpty() || (job.imports + u'/').startsWith(folder))
            continue;
        const bool isFile = job.imports.section(u'/', -1).contains(u'.') && !job.imports.endsWith(".flox"_L1);
        if (const QString path = isFile ? job.imports : job.imports + u'/' + below; !paths.contains(path))
            paths.append(path);
    }
    return paths;
}

QByteArray recipeLines(const CiMatrix &matrix)
{
    QByteArray lines = matrix.isWhole() ? "# Recipes, with what they import. Others in .flox/pkgs are found by their "
                                          "names; export again to list them.\n"
                                        : "# Only these recipes are built. Export again to build others.\n";
    for (const CiJob &job : matrix.jobs)
        lines +=
            QString(u"# recipe: "_s + job.system + u' ' + job.package + u' ' + job.imports).trimmed().toLatin1() + '\n';
    for (const QString &package : matrix.left)
        lines += "# recipe: left " + package.toLatin1() + '\n';
    return lines;
}

QByteArray recipeVariables(const CiMatrix &matrix, CiHost host, int blanks)
{
    QStringList isas;
    for (const auto &[isa, system] : matrix.isas)
        isas.append(isa + u'=' + system);
    QByteArray lines;
    for (const auto &[name, value] : {std::pair("PIPELINE", ciFile(host)),
                                      {"NEW_RECIPES", matrix.isWhole() ? u"yes"_s : u"no"_s},
                                      {"ISAS", isas.join(u' ')},
                                      {"MOST", QString::number(matrixLimit(host))}})
        lines += QByteArray(blanks, ' ') + name + ": " + yamlQuoted(value) + '\n';
    return lines;
}

QByteArray pipelineHead(const CiMatrix &matrix, const CiOptions &options, const QByteArray &advice)
{
    QByteArray command = QByteArray("torch-matrix export ") + (options.host == CiHost::GitHub ? "github" : "gitlab") +
                         " --branch " + yamlQuoted(matrix.branch);
    if (!matrix.only.isEmpty())
        command += " --only " + matrix.only.toLatin1();
    if (!matrix.since.isEmpty())
        command += " --since " + matrix.since.toLatin1();
    for (const QString &runner : options.runners)
        command += " --runner " + yamlQuoted(runner);
    if (!options.organisation.isEmpty())
        command += " --publish " + yamlQuoted(options.organisation);
    return "# Made by: " + command + " --apply\n" +
           "# It replaces all lines between the markers \"begin\" and \"end\", and no other.\n" + advice +
           recipeLines(matrix);
}

int matrixLimit(CiHost host)
{
    return host == CiHost::GitHub ? 256 : 200;
}

int hostedHours(CiHost host)
{
    return host == CiHost::GitHub ? 6 : 3;
}

bool isHosted(const CiOptions &options, const QString &system)
{
    return ownRunner(options, system).label.isEmpty();
}

int timeLimit(const CiOptions &options, const QString &system)
{
    return isHosted(options, system) ? hostedHours(options.host) : ownHours;
}

QString systemOf(const Catalog &catalog, const QString &row, const QString &isa)
{
    if (const Isa *set = catalog.isa(isa))
        return set->platform;
    const GpuRow *gpu = catalog.row(row);
    return gpu ? gpu->platforms.value(0) : row == everyGpu ? u"x86_64-linux"_s : QString();
}

QString ciFile(CiHost host)
{
    return host == CiHost::GitHub ? githubFile : gitlabFile;
}

Result<void> checkOptions(const CiOptions &options)
{
    for (const QString &runner : options.runners) {
        const auto [system, label] = partsOf(runner);
        if (!hasForm(label, labelForm))
            return Error{Tr::tr("use --runner"), runner, Tr::tr("that is not the label of a runner"),
                         Tr::tr("Write LABEL or SYSTEM=LABEL.")}
                .ofUsage();
        if (!system.isEmpty() && !ciSystems().contains(system))
            return Error{Tr::tr("use --runner"), runner, Tr::tr("there is no such system"),
                         Tr::tr("Systems are %1.").arg(ciSystems().join(u", "_s))}
                .ofUsage();
    }
    if (!options.organisation.isEmpty() && !hasForm(options.organisation, organisationForm))
        return Error{Tr::tr("use --publish"),
                     options.organisation,
                     Tr::tr("that is not an organisation of "
                            "FloxHub"),
                     {}}
            .ofUsage();
    return {};
}

Result<QByteArray> ciPipeline(const CiMatrix &matrix, const CiOptions &options)
{
    TM_CHECK(checkOptions(options));
    if (matrix.jobs.isEmpty())
        return Error{Tr::tr("export"), matrix.branch, Tr::tr("there is no recipe to build"), {}};
    return options.host == CiHost::GitHub ? githubWorkflow(matrix, options) : gitlabPipeline(matrix, options);
}

} // namespace tmx
