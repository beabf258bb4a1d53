#!/usr/bin/env bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# test.sh [CTEST ARGS...]: installs what is missing, builds and runs the tests: all but those that take long and judge the machine or
# repeat what another test has shown once (label "slow"), or those that the arguments pick, such as -R recipe. It prints the slowest and keeps the
# report in build/PRESET/tests.xml. TORCH_MATRIX_PRESET picks another preset (asan, tsan). The last line is "N passed, N failed".
# test.sh --changed: the tests that what is not committed yet reaches, by the table of folders (checks/folders.sh), and builds no others.
# test.sh --ci: all that a machine can judge in less than an hour: all tests of the preset dev; run.sh's build, and what run.sh does with it where
# there is no display; the fuzzers, and the tests of what parses and computes, under the address and undefined-behaviour sanitizers; tests that use
# threads under the thread sanitizer. On a slow machine it leaves sanitizers out and says so. Each test of the repository must have run.
# TORCH_MATRIX_PRESET=asan runs all tests so, which takes hours.
# test.sh --places [PATTERN]: places.sh alone; see there.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source=packaging/lib.sh
. "$here/lib.sh"
# shellcheck source=packaging/root.sh
. "$here/root.sh"

# Tests make and remove thousands of files, which takes a tenth of the time in memory: where there is no folder of the user's choice, and 4 GiB of
# memory for files from which programs can be started.
in_memory=/dev/shm
[[ -z ${TMPDIR:-} && $(stat -f -c %T $in_memory 2>/dev/null) == tmpfs && $(df -k --output=avail $in_memory | tail -n 1) -gt 4194304 ]] &&
    ! findmnt -n -o OPTIONS -T $in_memory | grep -qw noexec || in_memory=${TMPDIR:-/tmp}
for scratch in "$in_memory"/torch-matrix-tests.*; do # of a run that was killed
    [[ ! -O $scratch ]] || kill -0 "${scratch##*.}" 2>/dev/null || rm -rf "$scratch"
done
scratch=$in_memory/torch-matrix-tests.$$
mkdir -m 700 "$scratch"
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0 # of all that ran
of_plain_run=(torch-matrix torch-matrix-window test-programs) # what the tests without the label "slow" need

closing() { printf '%s passed, %s failed\n' "$passed" "$failed"; }
count() { sed -n "s/^[[:space:]]*$1=\"\([0-9]*\)\".*/\1/p" "$scratch/report.xml" | head -n 1; }
# judge TEXT COMMAND...: something that is a test of its own.
judge() {
    local text=$1
    shift
    if "$@"; then passed=$((passed + 1)); else
        say "failed: $text"
        failed=$((failed + 1))
    fi
}

# test_once PRESET REPORT [CTEST ARGS...]: in a home of its own, so that no test sees this user's git identity or settings, or can touch them.
test_once() {
    local preset=$1 report=$2
    shift 2
    rm -rf "${scratch:?}"/{home,run,found,tmp}
    mkdir -m 700 "$scratch"/{home,run,found,tmp}
    local log=log_path=$scratch/found/of # the sanitizers add the process id; tests do not always show what their programs print
    plainly env HOME="$scratch/home" XDG_RUNTIME_DIR="$scratch/run" TMPDIR="$scratch/tmp" ASAN_OPTIONS="$log" UBSAN_OPTIONS="$log" TSAN_OPTIONS="$log" \
        ctest --test-dir "$source/build/$preset" --output-on-failure --no-tests=error --timeout "${TORCH_MATRIX_TIMEOUT:-1200}" \
        --output-junit "$report" "$@" </dev/null
}

# run_tests PRESET [CTEST ARGS...]: counts them; false where one failed or none could be run. What fails beside other tests on a busy machine is
# run once more alone, and named; a crash counts at once, and so does what a sanitizer finds in a test or in a program that it starts.
run_tests() {
    local preset=$1 status=0 tests bad skipped crashed report=$scratch/report.xml
    shift
    rm -f "$scratch"/*.xml
    # More than there are cores: many tests wait for what they started.
    test_once "$preset" "$report" --parallel "$(($(nproc) * 2))" "$@" || status=$?
    if [[ ! -s $report ]]; then
        failed=$((failed + 1))
        return 1
    fi
    tests=$(count tests) bad=$(count failures)
    skipped=$(($(count skipped) + $(count disabled)))
    if ((skipped > 0)); then say "$skipped tests did not run, which counts as failed"; fi
    crashed=$(grep '<failure message=' "$report" | grep -vcE 'message="(Failed|Timeout)?"' || true)
    if compgen -G "$scratch/found/*" >/dev/null; then
        say "a sanitizer found this:"
        cat "$scratch"/found/* | head -n 300 >&2
        bad=$((bad > 0 ? bad : 1))
    elif ((bad > 0 && bad <= 5 && crashed == 0 && skipped == 0)) && ! grep -qE 'Sanitizer: |: runtime error: ' "$report"; then
        say "running again, alone, what failed: $(unsteady)"
        if test_once "$preset" "$scratch/again.xml" --rerun-failed; then
            say "these tests passed only alone: $(unsteady)"
            bad=0 status=0
        fi
    fi
    bad=$((bad + skipped))
    passed=$((passed + tests - bad)) failed=$((failed + bad))
    slowest
    cp "$report" "$source/build/$preset/tests.xml"
    ((bad == 0 && status == 0))
}
unsteady() { sed -n 's/.*<testcase name="\([^"]*\)".*status="fail".*/\1/p' "$scratch/report.xml" | paste -sd ' '; }

# slowest: the twenty tests that took longest, with their share of the time of all.
slowest() {
    sed -n 's/.*<testcase name="\([^"]*\)".* time="\([0-9.]*\)".*/\2 \1/p' "$scratch/report.xml" | sort -rn | awk '
        { sum += $1; seconds[NR] = $1; name[NR] = $2 }
        END {
            shown = NR < 20 ? NR : 20
            for (i = 1; i <= shown; i++) { part += seconds[i]; line = line sprintf("%s%s %.0f", i > 1 ? ", " : "", name[i], seconds[i]) }
            if (NR > 3) printf "the slowest of %d tests, in seconds: %s: %.0f of %.0f s\n", NR, line, part, sum
        }' >&2
}

# all_ran: every test program of the repository is in the last report.
all_ran() {
    local file name missing=()
    while read -r file; do
        name=$(basename "$file" .cpp)
        grep -q "testcase name=\"$name\"" "$scratch/report.xml" || missing+=("$name")
    done < <(find "$source/tests" -name 'tst_*.cpp')
    ((${#missing[@]} == 0)) || say "these tests did not run: ${missing[*]}"
    ((${#missing[@]} == 0))
}

# What run.sh does without a display: the sample, and the main job in a copy of it. With settings of its own.
starts_in_terminal() {
    local folder=$scratch/start
    mkdir "$folder"
    # shellcheck disable=SC2016 # expanded there
    step "starting run.sh without a display" env -u DISPLAY -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM XDG_CACHE_HOME="${cache%/*}" \
        XDG_CONFIG_HOME="$folder/config" XDG_DATA_HOME="$folder/data" XDG_STATE_HOME="$folder/state" GIT_CONFIG_GLOBAL=/dev/null \
        bash -o pipefail -c '"$1" | tee "$2" && "$1" --version' - "$here/run.sh" "$folder/said" &&
        grep -q '^== The grid (list)' "$folder/said" && grep -q 'Take .* out, so that there is something to generate' \
            <(git -C "$cache/sample-in-terminal" log --format=%s)
}

# in_preset PRESET TARGET...: builds, and says how long that took.
in_preset() {
    local begin=$SECONDS status=0
    build "$@" || status=$?
    say "built $1 in $((SECONDS - begin)) s"
    return "$status"
}

# names_in FOLDER...: the tests in these folders of tests. programs_of NAME...: the programs that hold these tests, one for each folder.
names_in() { (cd "$source/tests" && find "$@" -name 'tst_*.cpp' -printf '%f\n' | sed 's/[.]cpp$//' | sort); }
programs_of() {
    local name
    for name; do find "$source/tests" -name "$name.cpp" -printf '%P\n'; done |
        sed -E 's|^fuzz/.*|fuzz/|; s|/[^/]*$||; s|/|-|g; s|^|tests-|' | sort -u
}
# again PRESET TEST...: these tests, built with a preset's sanitizers.
again() {
    local preset=$1 programs
    shift
    mapfile -t programs < <(programs_of "$@")
    if in_preset "$preset" "${programs[@]}" standins; then
        run_tests "$preset" -R "^($(IFS='|' && echo "$*"))\$" || :
    else
        judge "the build with the sanitizers of $preset" false
    fi
}

# in_time MINUTES WHAT: whether less time has passed. A run that takes too long is stopped from outside, and has judged nothing then.
in_time() {
    ((SECONDS >= $1 * 60)) || return 0
    say "left out, since $((SECONDS / 60)) minutes have passed: $2"
    return 1
}

places() { plainly env TMPDIR="$in_memory" bash "$here/places.sh" "$source/build/dev/bin/torch-matrix" "$source/build/dev/tests/standins" "${1:-}"; }

everything() {
    local names
    if ! in_preset dev; then
        say "nothing was tested: the build failed"
        failed=1
        return
    fi
    run_tests dev || :
    judge "each test of the repository runs" all_ran
    judge "the build without assertions" in_preset run torch-matrix
    judge "run.sh without a display" starts_in_terminal
    judge "a tenth of the places" places --today
    unset TORCH_MATRIX_ALL_TESTS # what repeats has been repeated
    # The others start git and builds again and again, and each process starts slowly with these sanitizers.
    if in_time 32 "the sanitizers of addresses and undefined behaviour"; then
        mapfile -t names < <(names_in fuzz model/{base,nix,catalog,settings,recipe,meaning,template,audit,matrix})
        again asan "${names[@]}"
    fi
    if in_time 40 "the sanitizer of threads"; then
        mapfile -t names < <(sed -n 's/^# tests: *//p' "$here/checks/tsan.supp" | tr ' ' '\n')
        again tsan "${names[@]}"
    fi
}

# changed_tests: the tests that uncommitted changes reach, one a line; "all" where they reach everything.
changed_tests() {
    local file folders=() reached=() verbs=
    # shellcheck source=packaging/checks/folders.sh
    . "$here/checks/folders.sh"
    while read -r file; do
        case $file in
        tests/support/* | tests/standins/* | tests/fixtures/* | tests/bench/* | *CMakeLists.txt | CMakePresets.json) echo all ;;
        tests/*/tst_*.cpp) basename "$file" .cpp ;;
        tests/*.h) names_in "$(dirname "${file#tests/}")" ;;
        model/*/*) folders+=("$(cut -d/ -f1,2 <<<"$file")") verbs=yes ;;
        app/verbs/* | app/CommandLine.*) verbs=yes ;;
        views/* | app/*) folders+=("${file%%/*}") ;;
        resources/catalog/* | templates/*) folders+=(model/catalog) verbs=yes ;;
        resources/translations/*) names_in model/base ;;
        resources/*) folders+=(views) ;;
        esac
    done < <(cd "$source" && git -c safe.directory='*' status --porcelain -uall --no-renames | cut -c4-)
    [[ -z $verbs ]] || names_in app | grep '^tst_verb'
    ((${#folders[@]} > 0)) || return 0
    mapfile -t reached < <(reached "${folders[@]}" | while read -r file; do if [[ -d $source/tests/$file ]]; then echo "$file"; fi; done)
    names_in "${reached[@]}" | grep -v '^tst_verb' # the verbs load nothing of the window
}
only_changed() {
    local names programs
    mapfile -t names < <(changed_tests | sort -u)
    if [[ " ${names[*]} " == *' all '* ]]; then
        if build dev "${of_plain_run[@]}"; then run_tests dev -LE slow || :; else failed=1; fi
        return
    fi
    mapfile -t programs < <(programs_of "${names[@]}")
    if ((${#programs[@]} > 0)) && ! build dev "${programs[@]}" standins; then
        failed=1
        return
    fi
    run_tests dev -LE slow -R "^($(IFS='|' && echo "${names[*]:+${names[*]}|}")style|layout)\$" || :
}

setup build run tests
if [[ ${1:-} == --ci ]]; then
    export TORCH_MATRIX_ALL_TESTS=1 # functions too that repeat what others have shown
    everything
elif [[ ${1:-} == --places ]]; then
    if build dev torch-matrix standins; then judge "all places" places "${2:-}"; else failed=1; fi
elif [[ ${1:-} == --changed ]]; then
    only_changed
else
    preset=${TORCH_MATRIX_PRESET:-dev} targets=() picked=$#
    if ((picked == 0)); then
        set -- -LE slow
        targets=("${of_plain_run[@]}")
    fi
    if build "$preset" "${targets[@]}"; then
        run_tests "$preset" "$@" || :
        ((picked > 0)) || judge "each test of the repository runs" all_ran
    else
        say "nothing was tested: the build failed"
        failed=1
    fi
fi
closing
((failed == 0))
