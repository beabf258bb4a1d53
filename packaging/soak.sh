#!/usr/bin/env bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# soak.sh [PROFILE...] [ROUNDS [CTEST ARGS...]]: long rounds of tests, and what they came to. Profiles, all of them by default:
#   kill     kill -9, signals and failing system calls at any point of whatever writes
#   race     two programs, and a git beside them, write to one repository
#   fuzz     bad input of every kind: recipes, settings, catalogs, journals, machines, logs, jobs, git's own files
#   build    builds whose scheduler, runner, terminal or window is killed
#   window   the window's tests again and again, until one fails
#   places   verbs in repositories as git makes them, and on machines as they are (places.sh), once; a table with verdicts
# A test with rounds of its own does ROUNDS of them (100 by default), as TORCH_MATRIX_ROUNDS tells it; each prints its seed, which
# TORCH_MATRIX_SEED repeats. Every other test runs ROUNDS times, until it fails.
set -euo pipefail
declare -A tests=([kill]='tst_killed|verb_killed' [race]='race' [fuzz]='fuzz' [build]='verb_queue|windowkilled|jobrunner' [window]='window')
profiles=()
if [[ ${1:-} == places ]]; then exec "$(dirname "${BASH_SOURCE[0]}")/test.sh" --places "${2:-}"; fi
while (($# > 0)) && [[ -n ${tests[$1]:-} ]]; do
    profiles+=("$1")
    shift
done
rounds=${1:-${TORCH_MATRIX_ROUNDS:-100}}
(($# == 0)) || shift
[[ $rounds =~ ^[1-9][0-9]*$ ]] || { echo "soak.sh: '$rounds' is no profile (${!tests[*]}) and no number of rounds" >&2; exit 2; }
export TORCH_MATRIX_ROUNDS=$rounds
export TORCH_MATRIX_TIMEOUT=${TORCH_MATRIX_TIMEOUT:-36000}
pattern=$(for profile in "${profiles[@]:-}"; do [[ -z $profile ]] || echo "${tests[$profile]}"; done | paste -sd '|')
test=$(dirname "${BASH_SOURCE[0]}")/test.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
log=$scratch/rounds
status=0
"$test" --verbose --no-tests=ignore -L rounds ${pattern:+-R "($pattern)"} "$@" | tee "$log" || status=$?
"$test" --no-tests=ignore -LE rounds --repeat "until-fail:$rounds" ${pattern:+-R "($pattern)"} "$@" | tee "$scratch/others" || status=$?
# The names of tests change; a profile that finds none of them has tested nothing.
for profile in "${profiles[@]:-all}"; do
    grep -qE "Test +#[0-9]+: [^ ]*(${tests[$profile]:-.})" "$log" "$scratch/others" && continue
    echo "soak.sh: no test ran for the profile '$profile' (${tests[$profile]:-any name})" >&2
    status=1
done
echo "totals:"
sed -n 's/.*total: \([0-9]*\) \([a-z ]*[a-z]\).*/\1 \2/p' "$log" |
    awk '{ n = $1; $1 = ""; sum[$0] += n } END { for (what in sum) printf "%12d %s\n", sum[what], what }' | sort -k2
exit "$status"
