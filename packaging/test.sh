#!/usr/bin/env bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# test.sh [CTEST ARGS...]: installs what is missing, builds everything and runs all tests (or those that the arguments pick, such as -R recipe).
# TORCH_MATRIX_PRESET picks another preset (asan, tsan). The last line is "N passed, N failed".
# test.sh --ci: all that a machine can judge in less than an hour: all tests of the preset dev; run.sh's build, and what run.sh does with it where
# there is no display; the fuzzers, and the tests of what parses and computes, under the address and undefined-behaviour sanitizers; tests that use
# threads under the thread sanitizer. On a slow machine it leaves sanitizers out and says so. Each test of the repository must have run.
# TORCH_MATRIX_PRESET=asan runs all tests so, which takes hours.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source=packaging/lib.sh
. "$here/lib.sh"
# shellcheck source=packaging/root.sh
. "$here/root.sh"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0 # of all that ran

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
    rm -rf "${scratch:?}"/{home,run,found}
    mkdir -m 700 "$scratch"/{home,run,found}
    local log=log_path=$scratch/found/of # the sanitizers add the process id; tests do not always show what their programs print
    plainly env HOME="$scratch/home" XDG_RUNTIME_DIR="$scratch/run" ASAN_OPTIONS="$log" UBSAN_OPTIONS="$log" TSAN_OPTIONS="$log" \
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
    test_once "$preset" "$report" --parallel "$(($(nproc) * 3 / 2))" "$@" || status=$?
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
    ((bad == 0 && status == 0))
}
unsteady() { sed -n 's/.*<testcase name="\([^"]*\)".*status="fail".*/\1/p' "$scratch/report.xml" | paste -sd ' '; }

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
    # The others start git and builds again and again, and each process starts slowly with these sanitizers.
    if in_time 32 "the sanitizers of addresses and undefined behaviour"; then
        mapfile -t names < <(names_in fuzz model/{base,nix,catalog,settings,recipe,audit,matrix})
        again asan "${names[@]}"
    fi
    if in_time 40 "the sanitizer of threads"; then
        mapfile -t names < <(sed -n 's/^# tests: *//p' "$here/checks/tsan.supp" | tr ' ' '\n')
        again tsan "${names[@]}"
    fi
}

setup build run tests
if [[ ${1:-} == --ci ]]; then
    everything
else
    preset=${TORCH_MATRIX_PRESET:-dev}
    if build "$preset"; then
        run_tests "$preset" "$@" || :
        (($# > 0)) || judge "each test of the repository runs" all_ran
    else
        say "nothing was tested: the build failed"
        failed=1
    fi
fi
closing
((failed == 0))
