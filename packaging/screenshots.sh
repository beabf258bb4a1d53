#!/usr/bin/env bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# screenshots.sh [--all] [FOLDER]: makes the pictures of the window again (default: packaging/pictures), on a sample of their own, without a display.
# --all adds a narrow and a wide screen, 144 dpi and a scale factor of 2, each view and each dialog, light, dark and in high contrast; the
# repository does not hold those. A picture of another size than its screen's, where the window did not fit, is told and makes the script fail.
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
cell=pytorch-python313-cuda12_8-sm90-avx512 # missing in the sample
edited=pytorch-python313-cuda12_8-sm80-avx2

setup build run
build run torch-matrix torch-matrix-window || exit 3
# A home of its own: no setting of this user has a say in the pictures.
display=() # variables of a display that is not an ordinary one
torch_matrix() { plainly env HOME="$scratch" "${display[@]}" XDG_CONFIG_HOME="$scratch/config" "$source/build/run/bin/torch-matrix" "$@"; }
git_sample() { plainly git -C "$sample" -c user.name=Sample -c user.email=sample@localhost "$@"; }

step "making a sample" torch_matrix sample "$sample" --story

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
# Builds that run, wait, failed and are built: a test of the window makes that picture, and with --all those of each size and of the failed build.
queue=':1280x800 light'
if [[ -n $all ]]; then queue=; fi
if [[ -x $source/build/dev/bin/tests-app ]]; then
    mkdir -p "$scratch/builds" "$scratch/run"
    step "$folder/build.png" plainly env HOME="$scratch" XDG_RUNTIME_DIR="$scratch/run" QT_QPA_PLATFORM=offscreen TORCH_MATRIX_PICTURES="$scratch/builds" \
        "$source/build/dev/bin/tests-app" tst_windowbuilds aMissingCellIsBuilt "theQueueIsReadable$queue" &&
        cp "$scratch/builds/console-1280-light.png" "$folder/build.png" &&
        plainly python3 "$packaging/animation.py" "$folder/job.png" 2 "$scratch"/builds/job-[1-5].png
else
    say "no picture of a build: packaging/test.sh makes the test that draws it"
fi
[[ -n $all ]] || exit 0
for drawn in "$scratch"/builds/*.png; do
    [[ ! -e $drawn ]] || cp "$drawn" "$folder/"
done
# A branch with four toolkits, and as many branches as a comparison of five takes.
step "a branch with four toolkits" torch_matrix derive four-toolkits --from cuda-13_0 --cuda 12.8 12.9 13.0 13.1 --apply --repo "$sample"
step "a branch with another BLAS" torch_matrix derive mkl --from main --set blas=mkl --apply --repo "$sample"
# A remote, for the head's counts and for the dialogs that need one.
git_sample init -q --bare "$scratch/origin.git"
git_sample remote add origin "$scratch/origin.git"
git_sample push -q origin --all
git_sample branch -q --set-upstream-to=origin/main main
nowhere=$scratch/nowhere
mkdir "$nowhere"
misfits=0
fits() { # NAME WIDTH HEIGHT: the picture is as large as the screen, or smaller; bytes 16 to 23 of a PNG are its size
    local width height
    read -r width height < <(od -An -tu1 -j16 -N8 "$folder/$1.png" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }')
    ((width <= $2 && height <= $3)) && return
    say "$1.png is $width x $height: the window does not fit $2 x $3"
    misfits=$((misfits + 1))
}
screen() { # KIND SIZE PIXELS: every view and dialog on a screen of that size, as the window counts it, and with so many pixels
    local kind=$1 size=$2 width=${3%x*} height=${3#*x} appearance panel dialog branches name
    for appearance in light dark contrast; do
        for panel in grid plan problems settings recipe audit machine console queue schedule builds; do
            name=$panel-$kind-$appearance
            picture "$name" "$size" "$appearance" --panel "$panel"
            fits "$name" "$width" "$height"
        done
        for dialog in 'Derive a branch' 'Change version or pin' 'README tables' 'Copy to branch' "Recipe's history" 'Commit with message' 'Set upstream' 'Export CI' 'Build with options' 'Overview of repositories' 'History and undo' 'Application settings' 'Publish'; do
            name=${dialog// /-}-$kind-$appearance
            picture "$name" "$size" "$appearance" --select "$edited" --dialog "$dialog"
            fits "$name" "$width" "$height"
        done
        # Its question is asked where the working tree has uncommitted changes.
        name=Check-out-$kind-$appearance
        picture "$name" "$size" "$appearance" --branch cuda-13_0 --select pytorch-python313-cpu-avx2 --dialog 'Check out'
        fits "$name" "$width" "$height"
        name=toolkits-$kind-$appearance
        picture "$name" "$size" "$appearance" --branch four-toolkits --toolkit all
        fits "$name" "$width" "$height"
        name=start-$kind-$appearance
        (cd "$nowhere" && step "$folder/$name.png" torch_matrix --size "$size" --appearance "$appearance" --screenshot "$folder/$name.png")
        fits "$name" "$width" "$height"
        for branches in main,cuda-12_9 main,cuda-12_9,cuda-13_0 main,cuda-12_9,cuda-13_0,four-toolkits,mkl; do
            name=compare-$(awk -F, '{ print NF }' <<<"$branches")-$kind-$appearance
            picture "$name" "$size" "$appearance" --compare "$branches"
            fits "$name" "$width" "$height"
        done
    done
}
for size in 900x600 1280x800 1920x1080; do screen "$size" "$size" "$size"; done
display=(QT_FONT_DPI=144)
screen 144dpi 853x533 1280x800
display=(QT_SCALE_FACTOR=2)
screen scale2 960x540 1920x1080
((misfits == 0))
