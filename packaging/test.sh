#!/usr/bin/env bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# test.sh [CTEST ARGS...]: installs what is missing, builds everything and runs all tests (or those that the arguments pick, such as -R recipe).
# TORCH_MATRIX_PRESET picks another preset (asan, tsan, release). The last line is "N passed, N failed".
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source=packaging/lib.sh
. "$here/lib.sh"
# shellcheck source=packaging/root.sh
. "$here/root.sh"

preset=${TORCH_MATRIX_PRESET:-dev}
folder=$source/build/$preset
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

closing() { printf '%s passed, %s failed\n' "$1" "$2"; }
count() { sed -n "s/^[[:space:]]*$1=\"\([0-9]*\)\".*/\1/p" "$scratch/report.xml" | head -n 1; }

setup build run tests
if ! build "$preset"; then
    say "nothing was tested: the build failed"
    closing 0 1
    exit 1
fi

# A home of their own: no test sees this user's git identity or settings, or can touch them.
mkdir -m 700 "$scratch"/{home,run}
status=0
plainly env HOME="$scratch/home" XDG_RUNTIME_DIR="$scratch/run" \
    ctest --test-dir "$folder" --output-on-failure --no-tests=error --timeout "${TORCH_MATRIX_TIMEOUT:-300}" --parallel "$(nproc)" \
    --output-junit "$scratch/report.xml" "$@" </dev/null || status=$?

if [[ ! -s $scratch/report.xml ]]; then
    closing 0 1
    exit 1
fi
tests=$(count tests) failed=$(count failures)
skipped=$(($(count skipped) + $(count disabled)))
if ((skipped > 0)); then say "$skipped tests did not run, which counts as failed"; fi
failed=$((failed + skipped))
closing $((tests - failed)) "$failed"
((failed == 0)) || exit 1
exit "$status"
