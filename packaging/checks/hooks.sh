#!/usr/bin/env bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# hooks.sh [PROGRAM...]: commits of torch-matrix in a repository with hooks and ssh signatures, as a user of this machine sees them. PROGRAM is
# packaging/run.sh by default, so that on a machine without KF6 the program runs in its root and git, hooks and ssh-keygen outside of it.
# Each way to commit is tried with a hook that passes, one that fails, one that rewrites the files and one that rewrites the message, signed
# and unsigned. This machine's own git judges. Prints a table; the exit status is 1 when a row is wrong.
set -euo pipefail
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd -P)
(($# > 0)) || set -- "$here/../run.sh"
program=("$@")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch/home GIT_CONFIG_NOSYSTEM=1
export XDG_CACHE_HOME=${XDG_CACHE_HOME:-$(getent passwd "$(id -un)" | cut -d: -f6)/.cache} # where the root and its build are
mkdir -p "$HOME"
git config --global user.name Ada
git config --global user.email ada@localhost
ssh-keygen -q -t ed25519 -N '' -C hooks -f "$scratch/key"
echo "ada@localhost $(<"$scratch/key.pub")" >"$scratch/signers"
# shellcheck source=/dev/null
machine=$(. /etc/os-release && echo "$PRETTY_NAME")
cell=pytorch-python313-cpu-avx2
pin=cccccccccccccccccccccccccccccccccccccccc

torch_matrix() { "${program[@]}" "$@" </dev/null; }
torch_matrix sample "$scratch/sample" >/dev/null 2>"$scratch/said" || { cat "$scratch/said"; exit 3; }

hook() { # KIND: installs the hooks of this kind; each notes where it ran
    local note kind=$1 name=pre-commit
    note="#!/bin/sh
(. /etc/os-release; echo \"\$PRETTY_NAME\") >>'$repo/.git/ran'
"
    rm -f "$repo"/.git/hooks/{pre-commit,commit-msg} "$repo/.git/ran"
    case $kind in
    fails) note+='echo "the hook says no" >&2; exit 1' ;;
    rewrites-file)
        # shellcheck disable=SC2016 # for the hook's own shell
        note+='for file in $(git diff --cached --name-only --diff-filter=AM -- "*.nix"); do
    echo "# by the hook" >>"$file"
    git add --force "$file"
done'
        ;;
    rewrites-message)
        # shellcheck disable=SC2016
        note+='echo "Seen-by: hook" >>"$1"'
        name=commit-msg
        ;;
    esac
    printf '%s\n' "$note" >"$repo/.git/hooks/$name"
    chmod +x "$repo/.git/hooks/$name"
}

# set_up WAY: what has to be there before the hook is. run WAY: the command that commits.
set_up() {
    case $1 in
    generate | commit | plan)
        git -C "$repo" rm -q ".flox/pkgs/$cell.nix"
        git -C "$repo" commit -q -m 'Take a recipe out'
        [[ $1 != commit ]] || torch_matrix generate "$cell" --repo "$repo"
        ;;
    undo) torch_matrix migrate --pin "$pin" --apply --repo "$repo" ;;
    esac >/dev/null 2>&1
}
run() {
    case $1 in
    generate) torch_matrix generate --all --commit --repo "$repo" ;;
    commit) torch_matrix generate "$cell" --commit --repo "$repo" ;;
    plan) torch_matrix plan --apply --repo "$repo" ;;
    derive) torch_matrix derive next --set metadata_rev=3 --apply --repo "$repo" ;;
    migrate) torch_matrix migrate --pin "$pin" --apply --repo "$repo" ;;
    undo) torch_matrix plan --undo --apply --repo "$repo" ;;
    esac >"$scratch/said" 2>&1
}
state() { git -C "$repo" for-each-ref refs/heads; git -C "$repo" status --porcelain; git -C "$repo" ls-files --stage; }

# wrong WAY KIND SIGNED: says what is not as it should be; nothing when all is.
wrong() {
    local way=$1 kind=$2 signed=$3 branch=main before after status=0 file
    [[ $way != derive ]] || branch=next
    set_up "$way" || echo "the repository could not be set up"
    hook "$kind"
    before=$(state)
    run "$way" || status=$?
    after=$(state)
    [[ -f $repo/.git/ran && $(sort -u "$repo/.git/ran") == "$machine" ]] || echo "the hook did not run on $machine"
    if [[ $kind == fails ]]; then
        ((status == 3)) || echo "exit status $status in place of 3"
        grep -q 'the hook says no' "$scratch/said" || echo "the hook's words are not shown"
        [[ $before == "$after" ]] || echo "something was changed"
        return
    fi
    ((status == 0)) || { echo "exit status $status: $(tr '\n' ' ' <"$scratch/said")"; return; }
    [[ $before != "$after" ]] || echo "nothing was changed"
    [[ -z $(git -C "$repo" status --porcelain) ]] || echo "the working tree differs from the commit"
    [[ $signed == no ]] || git -C "$repo" verify-commit "$branch" 2>/dev/null || echo "the signature is not good"
    if [[ $kind == rewrites-file ]]; then
        file=$(git -C "$repo" show --format= --name-only --diff-filter=AM "$branch" -- '*.nix' | sed 1q)
        git -C "$repo" show "$branch:$file" | grep -q '# by the hook' || echo "the commit lacks what the hook wrote"
    fi
    if [[ $kind == rewrites-message ]]; then
        git -C "$repo" log -1 --format=%B "$branch" | grep -q 'Seen-by: hook' || echo "the message lacks what the hook wrote"
    fi
    if git -C "$repo" fsck --strict 2>&1 | grep -v '^dangling'; then echo "git fsck finds something"; fi
    [[ -z $(find "$repo/.git" -name '*.lock') && $(git -C "$repo" worktree list | wc -l) == 1 ]] || echo "something is left over"
}

bad=0
printf '%-10s %-17s %-9s %s\n' commit hook signed result
for signed in no yes; do
    for way in generate commit plan derive migrate undo; do
        for kind in passes fails rewrites-file rewrites-message; do
            repo=$scratch/repo
            rm -rf "$repo"
            cp -a "$scratch/sample" "$repo"
            if [[ $signed == yes ]]; then
                git -C "$repo" config gpg.format ssh
                git -C "$repo" config user.signingKey "$scratch/key.pub"
                git -C "$repo" config gpg.ssh.allowedSignersFile "$scratch/signers"
                git -C "$repo" config commit.gpgSign true
            fi
            said=$(wrong "$way" "$kind" "$signed" | paste -sd';')
            [[ -z $said ]] || bad=1
            printf '%-10s %-17s %-9s %s\n' "$way" "$kind" "$signed" "${said:-as it should be}"
        done
    done
done
exit "$bad"
