#!/usr/bin/env bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# tidy.sh BUILD [COUNT]: clang-tidy finds nothing in the sources that changed last: uncommitted ones, then those of the latest commits,
# COUNT in all (8 by default; "all": every source, half an hour on two cores). BUILD is a folder that was built. Each source is compiled alone and
# without precompiled headers, so that one which includes less than it uses is found here.
set -euo pipefail
build=$(cd "$1" && pwd -P)
count=${2:-8}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
changed() {
    if [[ $count == all ]]; then find app model views -name '*.cpp' | sort; return; fi
    git -c safe.directory='*' status --porcelain -uall -- app model views | cut -c4-
    git -c safe.directory='*' log --format= --name-only -n 50 -- app model views
}
mapfile -t sources < <(changed | awk '/\.cpp$/ && !seen[$0]++' | while read -r file; do if [[ -f $file ]]; then echo "$file"; fi; done |
    { if [[ $count == all ]]; then cat; else sed -n "1,${count}p"; fi; })
((${#sources[@]} > 0)) || { echo "no sources: is this a git repository?"; exit 1; }
commands=$(mktemp -d)
trap 'rm -rf "$commands"' EXIT
cmake -S . -B "$commands" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DTORCH_MATRIX_PCH=OFF -DTORCH_MATRIX_UNITY=OFF -DTORCH_MATRIX_TESTS=OFF >/dev/null
sed -i "s|$commands|$build|g" "$commands/compile_commands.json" # what the build generates lies there
said=$(printf '%s\0' "${sources[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy -p "$commands" --quiet 2>/dev/null) || true
findings=$(grep -E ': (warning|error): ' <<<"$said" | sort -u || true)
[[ -z $findings ]] || printf '%s\n' "$findings"
echo "${#sources[@]} sources, $(grep -c . <<<"$findings" || true) findings"
[[ -z $findings ]]
