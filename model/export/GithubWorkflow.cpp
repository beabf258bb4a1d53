// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Tr.h"
#include "model/export/Pipelines.h"
#include "model/export/Yaml.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// A build is stopped this many minutes before its job's limit, so that its log can be saved.
constexpr int minutesForLog = 15;

constexpr char advice[] = R"(# More jobs go below the end marker, indented as those here.
# Settings of the repository (Settings > Secrets and variables > Actions), none of which has to be set:
#   variable TORCH_MATRIX_REPOSITORY  OWNER/NAME of Torch Matrix; without it recipes and README.md are not checked
#   variable NIX_CACHE_URL            a binary cache that is read first, s3://... or https://...
#   variable NIX_CACHE_PUBLIC_KEY     its public key
#   secret   NIX_CACHE_SECRET_KEY     signs what is built, which is then copied to that cache
#   secrets  AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, where the cache is on S3
)";

constexpr char findCommit[] = R"(from=
if [ -n "$SINCE" ] && ! from=$(git rev-parse --verify --quiet --end-of-options "$SINCE^{commit}"); then
  if [ "$GITHUB_EVENT_NAME" = workflow_dispatch ]; then
    echo "::error::There is no commit $SINCE."
    exit 1
  fi
fi
)";

constexpr char chooseLegs[] = R"sh(sed 's/^[^ ]* \([^ ]*\) /- \1: /' "$work/legs" >> "$GITHUB_STEP_SUMMARY"
while read -r system count; do
  { grep "^$system " "$work/legs" || true; } | cut -d ' ' -f 2 > "$work/$system"
  for ((first = 1, number = 1; number <= count; first += MOST, ++number)); do
    legs=$(tail -n "+$first" "$work/$system" | head -n "$MOST" | sed 's/.*/{"package":"&"}/' | paste -s -d , -)
    echo "$system-$number=[$legs]" >> "$GITHUB_OUTPUT"
  done
  if [ -n "$(tail -n "+$first" "$work/$system")" ]; then
    echo "::error::$system has more recipes than this file has jobs for. Export it again."
  fi
done < <(printf %s "$JOBS")
)sh";

constexpr char freeLinuxDisk[] = R"(sudo rm -rf /opt/ghc /opt/hostedtoolcache /usr/local/.ghcup /usr/local/lib/android \
  /usr/local/share/boost /usr/local/share/powershell /usr/share/dotnet /usr/share/swift
sudo docker image prune --all --force || true
df -h /
)";

constexpr char freeMacDisk[] = R"(xcrun simctl delete all || true
sudo rm -rf "$HOME/Library/Android" /Library/Developer/CoreSimulator/Caches
df -h /
)";

constexpr char build[] = R"(mkdir -p "$RUNNER_TEMP/torch-matrix"
flox build "$PACKAGE" 2>&1 | tee "$RUNNER_TEMP/torch-matrix/$PACKAGE.log"
readlink ./result-"$PACKAGE"* | tee "$RUNNER_TEMP/torch-matrix/$PACKAGE.paths"
)";

constexpr char copyToCache[] = R"(if [ -z "$NIX_CACHE_SECRET_KEY" ]; then
  echo "The secret NIX_CACHE_SECRET_KEY is not set; nothing is copied."
  exit 0
fi
PATH=$PATH:/nix/var/nix/profiles/default/bin
if ! command -v nix > /dev/null; then
  echo "::error::nix is not on PATH, so nothing was copied to the cache."
  exit 1
fi
key=$(mktemp)
trap 'rm -f "$key"' EXIT
printf '%s\n' "$NIX_CACHE_SECRET_KEY" > "$key"
export NIX_CONFIG='extra-experimental-features = nix-command'
nix store sign --recursive --key-file "$key" ./result-"$PACKAGE"*
nix copy --to "$NIX_CACHE_URL" ./result-"$PACKAGE"*
)";

constexpr char publish[] = R"(if [ -z "$FLOX_FLOXHUB_TOKEN" ]; then
  echo "::error::The secret FLOX_FLOXHUB_TOKEN is not set."
  exit 1
fi
flox publish -o "$ORGANISATION" "$PACKAGE" 2>&1 | tee -a "$RUNNER_TEMP/torch-matrix/$PACKAGE.log"
)";

constexpr char haveBranches[] = R"(git config --global --add safe.directory "$GITHUB_WORKSPACE"
git checkout --quiet -B "$BRANCH"
git fetch --quiet --no-tags origin '+refs/heads/*:refs/heads/*' "^refs/heads/$BRANCH"
)";

constexpr char checkReadme[] = R"(if grep -q '^<!-- torch-matrix: begin' README.md; then
  .torch-matrix/packaging/run.sh readme --check --repo "$GITHUB_WORKSPACE"
else
  echo "README.md has no tables."
fi
)";

QByteArray script(const QByteArray &lines, int blanks)
{
    return QByteArray(blanks, ' ') + "run: |\n" + indented(lines, blanks + 2);
}

/// Escapes characters with a special meaning in a branch filter.
QString asFilter(const QString &branch)
{
    QString filter;
    for (const QChar c : branch) {
        if (u"\\*?+[]!"_s.contains(c))
            filter += u'\\';
        filter += c;
    }
    return filter;
}

QByteArray runsOn(const CiOptions &options, const QString &system)
{
    const OwnRunner own = ownRunner(options, system);
    const bool arm = system.startsWith("aarch64"_L1);
    const bool mac = system.endsWith("darwin"_L1);
    if (own.label.isEmpty())
        return yamlQuoted(mac ? u"macos-15"_s : arm ? u"ubuntu-24.04-arm"_s : u"ubuntu-24.04"_s);
    if (own.alone)
        return yamlQuoted(own.label);
    return yamlList({u"self-hosted"_s, mac ? u"macOS"_s : u"Linux"_s, arm ? u"ARM64"_s : u"X64"_s, own.label});
}

QByteArray checkJob(const CiOptions &options)
{
    return R"(  torch-matrix-check:
    name: "Audit and README"
    if: vars.TORCH_MATRIX_REPOSITORY != ''
    runs-on: )" +
           runsOn(options, u"x86_64-linux"_s) + R"(
    container: "debian:trixie"
    timeout-minutes: 60
    steps:
      - name: "Install git"
        run: apt-get update && apt-get install --yes git
      - name: "Check out"
        uses: "actions/checkout@v7"
        with:
          fetch-depth: 0
      - name: "Fetch all branches, which the README names"
        env:
          BRANCH: ${{ github.base_ref || github.ref_name }}
)" + script(haveBranches, 8) +
           R"(      - name: "Check out Torch Matrix"
        uses: "actions/checkout@v7"
        with:
          repository: ${{ vars.TORCH_MATRIX_REPOSITORY }}
          path: ".torch-matrix"
      - name: "Audit the recipes"
        run: .torch-matrix/packaging/run.sh audit --repo "$GITHUB_WORKSPACE"
      - name: "Check the tables of README.md"
        if: ${{ !cancelled() }}
)" + script(checkReadme, 8);
}

/// Jobs of one system that fit in one matrix.
struct Chunk {
    QString system;
    int number = 1; ///< among its system's, from 1
};

/// "x86_64-linux-1": an output of the job that looks for changes, and the end of a build job's name.
QByteArray nameOf(const Chunk &chunk)
{
    return chunk.system.toLatin1() + '-' + QByteArray::number(chunk.number);
}

QList<Chunk> chunksOf(const CiMatrix &matrix)
{
    const qsizetype most = matrixLimit(CiHost::GitHub);
    QList<Chunk> chunks;
    for (const QString &system : systemsOf(matrix)) {
        const qsizetype jobs = std::ranges::count(matrix.jobs, system, &CiJob::system);
        for (int number = 1; number <= std::max<qsizetype>(1, (jobs + most - 1) / most); ++number)
            chunks.append({system, number});
    }
    return chunks;
}

/// The job that chooses what the others build. A recipe that did not change takes no runner.
QByteArray changesJob(const CiMatrix &matrix, const QList<Chunk> &chunks, const CiOptions &options)
{
    QByteArray outputs;
    for (const Chunk &chunk : chunks)
        outputs += "      " + nameOf(chunk) + ": ${{ steps.recipes.outputs." + nameOf(chunk) + " }}\n";
    QByteArray jobs;
    for (const QString &system : systemsOf(matrix))
        jobs += "            " + system.toLatin1() + ' ' +
                QByteArray::number(std::ranges::count(chunks, system, &Chunk::system)) + '\n';
    return R"(
  torch-matrix-changes:
    name: "Look for changes"
    if: github.event_name != 'pull_request'
    runs-on: )" +
           runsOn(options, u"x86_64-linux"_s) + R"(
    timeout-minutes: 30
    defaults:
      run:
        shell: bash
    outputs:
)" + outputs +
           R"(    steps:
      - name: "Check out"
        uses: "actions/checkout@v7"
        with:
          fetch-depth: 0
          persist-credentials: false
      - name: "Look for changes"
        id: recipes
        env:
          SINCE: ${{ inputs.since || github.event.before }}
)" + recipeVariables(matrix, CiHost::GitHub, 10) +
           "          JOBS: |\n" + jobs + script(QByteArray(findCommit) + lookForRecipes + chooseLegs, 8);
}

QByteArray buildJob(const Chunk &chunk, const CiOptions &options)
{
    const bool mac = chunk.system.endsWith("darwin"_L1);
    const int minutes = timeLimit(options, chunk.system) * 60;
    const QByteArray legs = "needs.torch-matrix-changes.outputs." + nameOf(chunk);
    QByteArray text = "\n  build-" + nameOf(chunk) +
                      ":\n    name: ${{ matrix.package }}\n    needs: torch-matrix-changes\n    if: " + legs +
                      " != '[]'\n    runs-on: " + runsOn(options, chunk.system) +
                      "\n    timeout-minutes: " + QByteArray::number(minutes) +
                      "\n    strategy:\n      fail-fast: false\n      matrix:\n        include: ${{ fromJSON(" + legs +
                      ") }}\n";
    text += R"(    env:
      PACKAGE: ${{ matrix.package }}
      NIX_CACHE_URL: ${{ vars.NIX_CACHE_URL }}
    defaults:
      run:
        shell: bash
    steps:
      - name: "Check out"
        uses: "actions/checkout@v7"
        with:
          fetch-depth: 0
)" + QByteArray(options.organisation.isEmpty() ? "          persist-credentials: false\n" : "");
    if (isHosted(options, chunk.system))
        text += "      - name: \"Free disk space\"\n" + script(mac ? freeMacDisk : freeLinuxDisk, 8);
    text += R"(      - name: "Install Flox"
        uses: "flox/install-flox-action@v2"
        with:
          disable-metrics: "true"
          extra-substituters: ${{ vars.NIX_CACHE_URL }}
          extra-substituter-keys: ${{ vars.NIX_CACHE_PUBLIC_KEY }}
      - name: "Build"
        timeout-minutes: )" +
            QByteArray::number(minutes - minutesForLog) + '\n' + script(build, 8) +
            R"(      - name: "Copy to the cache"
        if: env.NIX_CACHE_URL != ''
        env:
          NIX_CACHE_SECRET_KEY: ${{ secrets.NIX_CACHE_SECRET_KEY }}
          AWS_ACCESS_KEY_ID: ${{ secrets.AWS_ACCESS_KEY_ID }}
          AWS_SECRET_ACCESS_KEY: ${{ secrets.AWS_SECRET_ACCESS_KEY }}
)" + script(copyToCache, 8);
    if (!options.organisation.isEmpty())
        text += "      - name: \"Publish\"\n        env:\n          FLOX_FLOXHUB_TOKEN: ${{ secrets.FLOX_FLOXHUB_TOKEN "
                "}}\n          ORGANISATION: " +
                yamlQuoted(options.organisation) + '\n' + script(publish, 8);
    return text + R"(      - name: "Keep the log"
        if: always()
        uses: "actions/upload-artifact@v7"
        with:
          name: log-${{ matrix.package }}
          path: ${{ runner.temp }}/torch-matrix/
          if-no-files-found: warn
          retention-days: 30
)";
}

} // namespace

Result<QByteArray> githubWorkflow(const CiMatrix &matrix, const CiOptions &options)
{
    if (matrix.branch.contains("${{"_L1))
        return Error{Tr::tr("export"),
                     matrix.branch,
                     Tr::tr("GitHub reads \"${{\" in the name of a branch as an expression"),
                     {}};
    QByteArray advices = advice;
    if (!options.organisation.isEmpty())
        advices += "# The secret FLOX_FLOXHUB_TOKEN has to be set: results are published with it.\n";
    const QByteArray branches = yamlList({asFilter(matrix.branch)});
    QByteArray text = pipelineHead(matrix, options, advices) +
                      "name: \"Torch Matrix\"\n\n\"on\":\n  push:\n    branches: " + branches +
                      "\n    paths: " + yamlList(watchedPaths(matrix, "**"_L1)) +
                      "\n  pull_request:\n    branches: " + branches +
                      R"(
  workflow_dispatch:
    inputs:
      since:
        description: "Commit; only recipes that changed since are built. Empty: all"
        required: false
        type: string

permissions:
  contents: read

# A newer commit of a pull request cancels the older check. Builds are never cancelled: each push builds only what it changed.
concurrency:
  group: torch-matrix-${{ github.event.pull_request.number || github.run_id }}
  cancel-in-progress: true

jobs:
)" + checkJob(options);
    const QList<Chunk> chunks = chunksOf(matrix);
    text += changesJob(matrix, chunks, options);
    for (const Chunk &chunk : chunks)
        text += buildJob(chunk, options);
    return text;
}

} // namespace tmx
