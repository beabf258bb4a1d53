#!/usr/bin/env bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# retry_test.sh: what test.sh makes of tests that fail once, crash, or start a program in which a sanitizer finds something. A stand-in for ctest
# writes the report.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
cp "$here/../test.sh" "$scratch"
cat >"$scratch/lib.sh" <<'SH'
source=.
say() { echo "$*" >&2; }
setup() { :; }
build() { :; }
plainly() { "$@"; }
SH
: >"$scratch/root.sh"
# ctest: MODE is fails (each time), unsteady (the first time), crashes, or finds (each time, in a program that a test of MODE "passes" starts).
cat >"$scratch/bin/ctest" <<'SH'
#!/usr/bin/env bash
mode=$MODE again=no
while (($# > 0)); do
    case $1 in
    --output-junit) report=$2 ;;
    --rerun-failed) again=yes ;;
    esac
    shift
done
cd "${report%/*}"
case $mode:$again in
unsteady:yes) mode=passes ;;
finds:*)
    for options in "$ASAN_OPTIONS" "$UBSAN_OPTIONS" "$TSAN_OPTIONS"; do
        echo 'ERROR: AddressSanitizer: heap-use-after-free' >>"${options#log_path=}.$$"
    done
    mode=passes
    ;;
esac
message=Failed failures=1 status=fail
if [[ $mode == crashes ]]; then message='Exit code 0xb'; fi
if [[ $mode == passes ]]; then failures=0 status=run; fi
{
    printf '<testsuite name="x"\n\ttests="2"\n\tfailures="%s"\n\tdisabled="0"\n\tskipped="0"\n>\n' "$failures"
    printf '\t<testcase name="tst_one" time="1" status="%s">\n' "$status"
    if [[ $mode != passes ]]; then printf '\t\t<failure message="%s"/>\n' "$message"; fi
    printf '\t</testcase>\n</testsuite>\n'
} >"$report"
exit "$failures"
SH
chmod +x "$scratch/bin/ctest"
passed=0 failed=0

# ends STATUS WHAT MODE: test.sh ends so and says WHAT.
ends() {
    local said status=0
    said=$(MODE=$3 PATH="$scratch/bin:$PATH" "$scratch/test.sh" -R tst_one 2>&1) || status=$?
    if [[ $status == "$1" && $said == *"$2"* ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'expected %s and "%s" of %s, and got %s and "%s"\n' "$1" "$2" "$3" "$status" "$said"
    fi
}

ends 0 '2 passed, 0 failed' passes
ends 0 'these tests passed only alone: tst_one' unsteady
ends 1 'running again, alone, what failed: tst_one' fails
ends 1 '1 passed, 1 failed' crashes
ends 1 'heap-use-after-free' finds
ends 1 '1 passed, 1 failed' finds
printf '%s passed, %s failed\n' "$passed" "$failed"
((failed == 0))
