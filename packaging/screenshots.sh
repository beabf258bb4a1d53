#!/usr/bin/env bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# screenshots.sh [--all] [FOLDER]: makes the pictures of the window again (default: packaging/pictures), on a sample of their own, without a display.
# --all adds a narrow and a wide screen, each view and each dialog, light and dark; the repository does not hold those.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source=packaging/lib.sh
. "$here/lib.sh"
# shellcheck source=packaging/root.sh
. "$here/root.sh"

all=
if [[ ${1:-} == --all ]]; then all=yes; shift; fi
folder=${1:-$packaging/pictures}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd -P)
scratch=$(mktemp -d "$cache/pictures.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
sample=$scratch/build-pytorch
cell=pytorch-python313-cuda13_0-sm90-avx512

setup build run
build release torch-matrix || exit 3
# A home of its own: no setting of this user has a say in the pictures.
torch_matrix() { plainly env HOME="$scratch" XDG_CONFIG_HOME="$scratch/config" "$source/build/release/bin/torch-matrix" "$@"; }
git_sample() { plainly git -C "$sample" -c user.name=Sample -c user.email=sample@localhost "$@"; }

step "making a sample" torch_matrix sample "$sample"
git_sample checkout -q cuda-13_0
git_sample rm -q -- ".flox/pkgs/$cell.nix" ".flox/pkgs/pytorch-python313-cuda13_0-sm120-armv9.nix"
git_sample commit -q -m 'Take two recipes out, so that the grid has something to generate'
sed -i 's/"big-parallel"/"big-parallel" "kvm"/' "$sample/.flox/pkgs/pytorch-python313-cuda13_0-sm80-avx2.nix"

picture() { # NAME SIZE APPEARANCE [OPTIONS...]
    local name=$1 size=$2 appearance=$3
    shift 3
    step "$folder/$name.png" torch_matrix "$sample" --select "$cell" --size "$size" --appearance "$appearance" --screenshot "$folder/$name.png" "$@"
}
picture window 1280x800 light
picture window-dark 1280x800 dark
picture machine 1280x800 light --panel machine
picture plan 1280x800 light --panel plan
picture compare 1280x800 light --compare main,cuda-12_9,cuda-13_0
# Builds that run, wait, failed and are built: a test of the window makes that picture.
if [[ -x $source/build/dev/bin/tst_windowbuilds ]]; then
    mkdir -p "$scratch/builds" "$scratch/run"
    step "$folder/build.png" plainly env HOME="$scratch" XDG_RUNTIME_DIR="$scratch/run" QT_QPA_PLATFORM=offscreen TORCH_MATRIX_PICTURES="$scratch/builds" \
        "$source/build/dev/bin/tst_windowbuilds" 'theQueueIsReadable:1280x800 light' && cp "$scratch/builds/console-1280-light.png" "$folder/build.png"
else
    say "no picture of a build: packaging/test.sh makes the test that draws it"
fi
[[ -n $all ]] || exit 0
for size in 900x600 1280x800 1920x1080; do
    for appearance in light dark; do
        for panel in grid plan settings recipe audit machine console queue builds; do
            picture "$panel-$size-$appearance" "$size" "$appearance" --panel "$panel"
        done
        for dialog in 'Derive a branch' 'Migrate' 'README tables' 'Copy to branch' "Recipe's history" 'Commit with message'; do
            picture "${dialog// /-}-$size-$appearance" "$size" "$appearance" --dialog "$dialog"
        done
        picture "compare-$size-$appearance" "$size" "$appearance" --compare main,cuda-12_9,cuda-13_0
    done
done
