#!/usr/bin/env bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# layout.sh [FOLDER]: every source is laid out as clang-format does it; lines have at most 120 columns, but for long strings.
# Other versions of clang-format lay out a few lines in another way, so one alone decides.
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"
decisive=19
mapfile -t sources < <(find app model views tests -type f \( -name '*.h' -o -name '*.cpp' \) -not -path 'tests/fixtures/*' | sort)
program=$(type -P "clang-format-$decisive" || type -P clang-format)
status=0
findings=$(mktemp)
trap 'rm -f "$findings"' EXIT
if "$program" --version | grep -q "version $decisive\."; then
    "$program" --dry-run -Werror "${sources[@]}" 2>&1 |
        sed -n 's/: error: .*/: is not laid out as clang-format does it/p' | sort -u >"$findings" || true
    cat "$findings"
    [[ ! -s $findings ]] || status=1
else
    echo "$("$program" --version) is not version $decisive: nothing is checked"
fi
echo "${#sources[@]} sources"
exit "$status"
