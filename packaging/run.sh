#!/usr/bin/env bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# run.sh [ARGS...]: installs what is missing, builds, and starts torch-matrix with these arguments.
#   run.sh                  the window, on a sample repository that is made once
#   run.sh DIR              the window, on the repository DIR
#   run.sh VERB [ARGS...]   a verb, in the terminal: list, show, generate, detect, pick, build, sample (run.sh --help)
# Standard output is the program's own; what this script does is said on standard error.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source=packaging/lib.sh
. "$here/lib.sh"
# shellcheck source=packaging/root.sh
. "$here/root.sh"
# Nothing of this script ends with 1, which says that a verb has findings.
set -E
trap 'exit 3' ERR

program=$source/build/run/bin/torch-matrix
sample=${XDG_DATA_HOME:-$HOME/.local/share}/torch-matrix/sample

# there COMMAND...: runs a command where the program runs. start ARGS...: becomes the program.
there() { if [[ $way == root ]]; then in_root run "$@"; else "$@"; fi; }
torch_matrix() { there "$program" "$@"; }
start() { if [[ $way == root ]]; then stay_in_root "$program" "$@"; else exec "$program" "$@"; fi; }

has_display() { [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-}${QT_QPA_PLATFORM:-} ]]; }

make_sample() { # under a temporary name first: a sample that is there is whole, and is the user's from then on
    local new
    [[ ! -e $sample ]] || return 0
    mkdir -p "${sample%/*}"
    new=$(mktemp -d "$sample.new.XXXXXX")
    step "making the sample repository in $sample" torch_matrix sample "$new/sample" || { rm -rf "$new"; exit 3; }
    mv "$new/sample" "$sample"
    rmdir "$new"
}

# The same job as in the window. The sample is complete, so it is done in a copy from which the recipe that fits this machine is taken out first.
main_job_in_terminal() {
    local copy=$cache/sample-in-terminal name
    say "no display: the main job in the terminal, in a copy of the sample ($copy)"
    rm -rf "$copy"
    cp -a "$sample" "$copy"
    printf '\n== This machine (detect)\n'
    torch_matrix detect
    printf '\n== The variant that fits it (pick)\n'
    torch_matrix pick --repo "$copy" || : # 1: nothing uses the GPU, or nothing fits at all; it has said why
    name=$({ torch_matrix pick --repo "$copy" 2>/dev/null || true; } | sed 1q) # standard output holds the name alone
    if [[ -z $name || ! -f $copy/.flox/pkgs/$name.nix ]]; then
        case $(uname -m) in
        aarch64 | arm64) isa=armv8_2 ;;
        *) isa=avx2 ;;
        esac
        name=$(cd "$copy/.flox/pkgs" && printf '%s\n' *-cpu-"$isa".nix | sed -n '1s/\.nix$//p')
        say "nothing fits this machine: $name serves as the example"
    fi
    there git -C "$copy" config user.name 'Torch Matrix sample'
    there git -C "$copy" config user.email sample@localhost
    there git -C "$copy" config commit.gpgsign false
    there git -C "$copy" config core.hooksPath "$copy/.git/hooks" # none, whatever this user has for all repositories
    there git -C "$copy" rm -q -- ".flox/pkgs/$name.nix"
    there git -C "$copy" commit -q -m "Take $name out, so that there is something to generate"
    printf '\n== Its recipe, written and committed (generate %s --commit)\n' "$name"
    torch_matrix generate "$name" --commit --repo "$copy"
    there git --no-pager -C "$copy" log --stat -1
    printf '\n== The grid (list)\n'
    torch_matrix list --repo "$copy"
    say "the window opens where DISPLAY or WAYLAND_DISPLAY is set: in a desktop session, or through ssh -X"
}

export LANG=${LANG:-C.UTF-8}
setup build run
targets=(torch-matrix)
if has_display; then targets+=(torch-matrix-window); fi # which takes as long to build as a third of all
build run "${targets[@]}" || exit 3

if (($# == 0)); then
    make_sample
    if has_display; then start "$sample"; fi
    main_job_in_terminal
elif (($# == 1)) && [[ -d $1 ]] && ! has_display; then
    say "no display: the grid of $1 as text; the window opens where DISPLAY or WAYLAND_DISPLAY is set"
    start list --repo "$1"
else
    start "$@"
fi
