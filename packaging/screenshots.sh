#!/usr/bin/env bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# screenshots.sh [--all] [FOLDER [REPOSITORY...]]: makes the pictures of the window again (default: packaging/pictures), on a sample of their own,
# without a display. --all adds each view and each dialog on four screens, at 144 dpi and at a scale factor of 2, each light, dark and in high
# contrast, and the views of each REPOSITORY; the repository does not hold those. A picture of another size than its screen's, where the window
# did not fit, is told and makes the script fail.
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
repositories=()
for repository in "${@:2}"; do repositories+=("$(cd "$repository" && pwd -P)"); done
scratch=$(mktemp -d "$cache/pictures.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
sample=$scratch/build-pytorch
cell=pytorch-python313-cuda12_8-sm90-avx512 # missing in the sample
opened=("$sample" --select "$cell")
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
    step "$folder/$name.png" torch_matrix "${opened[@]}" --size "$size" --appearance "$appearance" --screenshot "$folder/$name.png" "$@"
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
misfits=0
shot() { # NAME [OPTIONS...]: on the screen of the loop below, which the picture is not to exceed; bytes 16 to 23 of a PNG are its size
    local name=$prefix$1-$kind-$appearance width height
    picture "$name" "$size" "$appearance" "${@:2}"
    read -r width height < <(od -An -tu1 -j16 -N8 "$folder/$name.png" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }')
    ((width <= ${pixels%x*} && height <= ${pixels#*x})) && return
    say "$name.png is $width x $height: the window does not fit $pixels"
    misfits=$((misfits + 1))
}
views() { local panel; for panel in "$@"; do shot "$panel" --panel "$panel"; done; }
dialogs() { local dialog; for dialog in "$@"; do shot "${dialog// /-}" --dialog "$dialog"; done; }
compare() { shot "compare-$(awk -F, '{ print NF }' <<<"$1")" --compare "$1"; }
pictures_of_sample() {
    prefix=
    opened=("$sample" --select "$cell")
    views grid plan problems settings recipe audit machine console queue schedule builds
    compare main,cuda-12_9
    compare main,cuda-12_9,cuda-13_0
    compare main,cuda-12_9,cuda-13_0,four-toolkits,mkl
    shot toolkits --branch four-toolkits --toolkit all
    # Its question is asked where the working tree has uncommitted changes.
    shot Check-out --branch cuda-13_0 --select pytorch-python313-cpu-avx2 --dialog 'Check out'
    opened=("$sample" --select "$edited")
    dialogs 'Derive a branch' 'Change version or pin' 'README tables' 'Copy to branch' "Recipe's history" 'Commit with message' 'Set upstream' 'Export CI' 'Build with options' 'Overview of repositories' 'History and undo' 'Application settings' 'Publish'
    opened=() # here is no repository
    shot start
}
pictures_of() { # REPOSITORY: its branches are compared with the checked-out one
    local cells branches
    prefix=$(basename "$1")-
    cells=("$1"/.flox/pkgs/*-sm*)
    opened=("$1" --select "$(basename "${cells[-1]}" .nix)") # of the newest version, which is shown first
    views grid plan problems settings builds audit machine
    shot toolkits --toolkit all
    dialogs 'Build with options'
    branches=$(plainly git -C "$1" for-each-ref --count 3 --sort=-HEAD --format '%(refname:short)' refs/heads | paste -sd,)
    if [[ $branches == *,* ]]; then compare "$branches"; fi
}
mkdir "$scratch/nowhere"
cd "$scratch/nowhere"
while read -r kind size pixels variable; do
    display=()
    if [[ -n $variable ]]; then display=("$variable"); fi
    for appearance in light dark contrast; do
        pictures_of_sample
        for repository in "${repositories[@]}"; do pictures_of "$repository"; done
    done
done <<'screens'
900x600 900x600 900x600
1280x800 1280x800 1280x800
1920x1080 1920x1080 1920x1080
2560x1440 2560x1440 2560x1440
144dpi 853x533 1280x800 QT_FONT_DPI=144
scale2 960x540 1920x1080 QT_SCALE_FACTOR=2
screens
((misfits == 0))
