// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Tr.h"
#include "model/export/Pipelines.h"
#include "model/export/Yaml.h"

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// A build is stopped this many minutes before its job's limit, so that its log can be saved.
constexpr int minutesForJobLog = 15;

constexpr char linuxImage[] = "\"ghcr.io/flox/flox:latest\"";
constexpr char macImage[] = "\"macos-15-xcode-16\"";

constexpr char gitlabAdvice[] = R"(# More jobs go above or below the markers.
# Variables of the project (Settings > CI/CD > Variables), none of which has to be set:
#   TORCH_MATRIX_REPOSITORY  URL of Torch Matrix, for git clone; without it recipes and README.md are not checked
#   TORCH_MATRIX_SINCE       of one pipeline: a commit; only recipes that changed since are built
#   NIX_CACHE_URL            a binary cache that is read first, s3://... or https://...
#   NIX_CACHE_PUBLIC_KEY     its public key
#   NIX_CACHE_SECRET_KEY     masked; signs what is built, which is then copied to that cache
#   AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, masked, where the cache is on S3
)";

constexpr char checkScript[] = R"(apt-get update
apt-get install --yes git
git config --global --add safe.directory "$CI_PROJECT_DIR"
branch=${CI_MERGE_REQUEST_TARGET_BRANCH_NAME:-$CI_COMMIT_REF_NAME}
git checkout --quiet -B "$branch"
git fetch --quiet --no-tags origin '+refs/heads/*:refs/heads/*' "^refs/heads/$branch"
program=$(mktemp -d)
git clone --quiet --depth 1 -- "$TORCH_MATRIX_REPOSITORY" "$program"
status=0
"$program/packaging/run.sh" audit --repo "$CI_PROJECT_DIR" || status=1
if grep -q '^<!-- torch-matrix: begin' README.md; then
  "$program/packaging/run.sh" readme --check --repo "$CI_PROJECT_DIR" || status=1
fi
exit "$status"
)";

constexpr char findChanges[] = R"sh(git config --global --add safe.directory "$CI_PROJECT_DIR" || true
since=${TORCH_MATRIX_SINCE:-$CI_COMMIT_BEFORE_SHA}
if ! from=$(git rev-parse --verify --quiet --end-of-options "$since^{commit}"); then
  if [ -n "${TORCH_MATRIX_SINCE:-}" ]; then
    echo "There is no commit $TORCH_MATRIX_SINCE."
    exit 1
  fi
  from=
fi
)sh";

/// The jobs of the child pipeline. It must have one, even if nothing is built.
constexpr char writeJobs[] = R"sh(cat "$work/legs"
{
  sed -n '/^# Jobs: begin$/,/^# Jobs: end$/p' "$work/pipeline"
  [ -s "$work/legs" ] || printf 'torch-matrix:\n  extends: ".torch-matrix nothing"\n'
  for system in $SYSTEMS; do
    { grep "^$system " "$work/legs" || true; } | cut -d ' ' -f 2 > "$work/$system"
    number=0
    while [ -n "$(tail -n "+$((number * MOST + 1))" "$work/$system")" ]; do
      first=$((number * MOST + 1))
      number=$((number + 1))
      printf '\ntorch-matrix %s %s:\n  extends: ".torch-matrix %s"\n' "$system" "$number" "$system"
      printf '  parallel:\n    matrix:\n'
      tail -n "+$first" "$work/$system" | head -n "$MOST" | sed 's/.*/      - {PACKAGE: "&"}/'
    done
  done
} > torch-matrix-jobs.yml
)sh";

constexpr char installOnMac[] = R"(command -v flox > /dev/null || brew install --cask flox
)";

constexpr char buildHere[] = R"(export NIX_CONFIG="extra-experimental-features = nix-command
extra-substituters = ${NIX_CACHE_URL:-}
extra-trusted-public-keys = ${NIX_CACHE_PUBLIC_KEY:-}"
logs="$CI_PROJECT_DIR/torch-matrix-logs"
mkdir -p "$logs"
limited() { if command -v timeout > /dev/null; then timeout "${BUILD_MINUTES}m" "$@"; else "$@"; fi; }
{ status=0; limited flox build "$PACKAGE" 2>&1 || status=$?; echo "$status" > "$logs/status"; } | tee "$logs/$PACKAGE.log"
status=$(cat "$logs/status")
rm "$logs/status"
[ "$status" = 0 ] || exit "$status"
readlink ./result-"$PACKAGE"* | tee "$logs/$PACKAGE.paths"
if [ -n "${NIX_CACHE_URL:-}" ] && [ -n "${NIX_CACHE_SECRET_KEY:-}" ]; then
  key=$(mktemp)
  printf '%s\n' "$NIX_CACHE_SECRET_KEY" > "$key"
  nix store sign --recursive --key-file "$key" ./result-"$PACKAGE"*
  rm -f "$key"
  nix copy --to "$NIX_CACHE_URL" ./result-"$PACKAGE"*
fi
)";

constexpr char gitlabPublish[] = R"(if [ -z "${FLOX_FLOXHUB_TOKEN:-}" ]; then
  echo "The variable FLOX_FLOXHUB_TOKEN is not set."
  exit 1
fi
git checkout --quiet -B "$CI_COMMIT_REF_NAME"
git fetch --quiet origin "+refs/heads/$CI_COMMIT_REF_NAME:refs/remotes/origin/$CI_COMMIT_REF_NAME"
git branch --quiet --set-upstream-to "origin/$CI_COMMIT_REF_NAME"
flox publish -o "$ORGANISATION" "$PACKAGE"
)";

/// A text in a condition, which has no escapes: in the kind of quotes that it does not contain. Empty if it contains
/// both.
QString inCondition(const QString &text)
{
    if (!text.contains(u'"'))
        return u'"' + text + u'"';
    return text.contains(u'\'') ? QString() : u'\'' + text + u'\'';
}

/// What the file that the jobs are added to requires.
QByteArray stageOf(const CiMatrix &matrix)
{
    return matrix.stage.isEmpty() ? QByteArray() : "  stage: " + yamlQuoted(matrix.stage) + '\n';
}

QStringList tagsOf(const CiOptions &options, const QString &system)
{
    const OwnRunner own = ownRunner(options, system);
    if (own.label.isEmpty())
        return {system.endsWith("darwin"_L1)      ? u"saas-macos-large-m2pro"_s
                : system.startsWith("aarch64"_L1) ? u"saas-linux-large-arm64"_s
                                                  : u"saas-linux-large-amd64"_s};
    return own.alone ? QStringList{own.label} : QStringList{own.label, system};
}

/// A job of the child pipeline without its recipes.
QByteArray buildJob(const QString &system, const CiOptions &options)
{
    const bool mac = system.endsWith("darwin"_L1);
    const int hours = timeLimit(options, system);
    QByteArray text =
        ".torch-matrix " + system.toLatin1() + ":\n  image: " + (mac ? macImage : linuxImage) +
        "\n  tags: " + yamlList(tagsOf(options, system)) + "\n  timeout: \"" + QByteArray::number(hours) +
        " hours\"\n  variables:\n    GIT_DEPTH: \"0\"\n    FLOX_DISABLE_METRICS: \"true\"\n    BUILD_MINUTES: \"" +
        QByteArray::number(hours * 60 - minutesForJobLog) + "\"\n";
    if (!options.organisation.isEmpty())
        text += "    ORGANISATION: " + yamlQuoted(options.organisation) + '\n';
    text += "  script:\n    - |\n";
    QByteArray script = "git config --global --add safe.directory \"$CI_PROJECT_DIR\" || true\n";
    if (mac)
        script += installOnMac;
    script += buildHere;
    if (!options.organisation.isEmpty())
        script += gitlabPublish;
    return text + indented(script, 6) + R"(  artifacts:
    name: "log-$PACKAGE"
    when: always
    expire_in: "30 days"
    paths: ["torch-matrix-logs/"]

)";
}

/// The job that chooses what is built, and the one that starts it. A recipe that did not change starts no job.
QByteArray changesJobs(const CiMatrix &matrix, const CiOptions &options, const QString &branch)
{
    const QByteArray rules = "  rules:\n    - if: " + yamlQuoted(u"$CI_COMMIT_BRANCH == "_s + branch) +
                             "\n      changes: " + yamlList(watchedPaths(matrix, "**/*"_L1)) + '\n';
    return "\ntorch-matrix changes:\n" + stageOf(matrix) + "  image: " + QByteArray(linuxImage) +
           "\n  tags: " + yamlList(tagsOf(options, u"x86_64-linux"_s)) + "\n  needs: []\n  timeout: \"1 hour\"\n" +
           rules + "  variables:\n    GIT_DEPTH: \"0\"\n" + recipeVariables(matrix, CiHost::GitLab, 4) +
           "    SYSTEMS: " + yamlQuoted(systemsOf(matrix).join(u' ')) + "\n  script:\n    - |\n" +
           indented(QByteArray(findChanges) + lookForRecipes + writeJobs, 6) +
           "  artifacts:\n    paths: [\"torch-matrix-jobs.yml\"]\n\ntorch-matrix build:\n" + stageOf(matrix) +
           "  needs: [\"torch-matrix changes\"]\n" + rules +
           "  trigger:\n    include:\n      - artifact: \"torch-matrix-jobs.yml\"\n        job: \"torch-matrix "
           "changes\"\n    strategy: depend\n";
}

} // namespace

Result<QByteArray> gitlabPipeline(const CiMatrix &matrix, const CiOptions &options)
{
    const QString branch = inCondition(matrix.branch);
    if (branch.isEmpty())
        return Error{Tr::tr("export"),
                     matrix.branch,
                     Tr::tr("GitLab has no way to name a branch with both kinds of quotes"),
                     {}};
    QByteArray advices = gitlabAdvice;
    if (!options.organisation.isEmpty())
        advices += "#   FLOX_FLOXHUB_TOKEN       masked; has to be set: results are published with it\n";
    QByteArray text = pipelineHead(matrix, options, advices) + R"(torch-matrix check:
)" + stageOf(matrix) + R"(  image: "debian:trixie"
  tags: )" + yamlList(tagsOf(options, u"x86_64-linux"_s)) +
                      R"(
  needs: []
  timeout: "1 hour"
  rules:
    - if: )" + yamlQuoted(u"$TORCH_MATRIX_REPOSITORY && $CI_COMMIT_BRANCH == "_s + branch) +
                      "\n    - if: " +
                      yamlQuoted(u"$TORCH_MATRIX_REPOSITORY && $CI_MERGE_REQUEST_TARGET_BRANCH_NAME == "_s + branch) +
                      "\n  variables:\n    GIT_DEPTH: \"0\"\n  script:\n    - |\n" + indented(checkScript, 6);
    text += changesJobs(matrix, options, branch);
    text += "\n# Jobs: begin\n.torch-matrix nothing:\n  image: " + QByteArray(linuxImage) +
            "\n  tags: " + yamlList(tagsOf(options, u"x86_64-linux"_s)) +
            "\n  script: [\"echo No recipe changed.\"]\n\n";
    for (const QString &system : systemsOf(matrix))
        text += buildJob(system, options);
    return text + "# Jobs: end\n";
}

} // namespace tmx
