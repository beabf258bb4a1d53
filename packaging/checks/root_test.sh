#!/usr/bin/env bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# root_test.sh: that what is bound inside the root's /usr has a place there: /usr is read-only, and bubblewrap ends where it would have to make
# one. The root of run.sh has no nix, the root of the tests has one, which is hidden from the program.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_CACHE_HOME=$scratch/cache
# shellcheck source=packaging/lib.sh
. "$here/../lib.sh"
# shellcheck source=packaging/root.sh
. "$here/../root.sh"
passed=0 failed=0

# The folders of a Debian system, without its programs.
root=$scratch/root
mkdir -p "$root/etc" "$root/usr/bin" "$root"/usr/share/fonts/machine
(cd /usr && find . -maxdepth 2 -type d -print0) | (cd "$root/usr" && xargs -0 mkdir -p)

# bound: the places that `view` binds. placed: whether those in /usr are there.
bound() {
    local i
    for ((i = 0; i < ${#view[@]}; i++)); do
        case ${view[i]} in
        --bind | --bind-try | --ro-bind | --ro-bind-try | --dev-bind) echo "${view[i + 2]}" && i=$((i + 2)) ;;
        esac
    done
}
placed() {
    local place
    while read -r place; do
        case $place in
        /usr/*) [[ -e $root$place ]] || { echo "$place is not in the root" && return 1; } ;;
        esac
    done < <(bound)
}
# expect TEXT COMMAND...
expect() {
    local text=$1
    shift
    if "$@"; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "not so: $text"
    fi
}
hides_nix() { bound | grep -qx /usr/bin/nix; }
hides_no_nix() { ! hides_nix; }

for purpose in build run; do
    view "$purpose"
    expect "$purpose, a root without nix: each place is there" placed
    expect "$purpose, a root without nix: nothing is hidden" hides_no_nix
done
: >"$root/usr/bin/nix"
view build
expect "build, a root with nix: the build and the tests see it" hides_no_nix
view run
expect "run, a root with nix: each place is there" placed
expect "run, a root with nix: it is hidden" hides_nix
printf '%s passed, %s failed\n' "$passed" "$failed"
((failed == 0))
