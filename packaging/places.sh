#!/usr/bin/env bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# places.sh PROGRAM STANDINS [PATTERN|--today]: makes repositories as git makes them, and machines as they are, runs verbs there, and prints a
# table with verdicts. --today: a tenth of the rows, another one each day. Called by soak.sh places and test.sh --ci.
# A row: place NAME 'HOW IT IS MADE' 'VERB:CODE[,CODE][; VERB:CODE ...]' ['WHAT MUST BE SAID', a regular expression].
# The first command line is run in a copy of the sample. Everywhere it must hold, besides: no verb runs for ten seconds, dies, or says anything in
# libgit2's own terms; no file of the user changes while verbs read; and git finds what it found before.
# shellcheck disable=SC2016,SC2034 # rows are expanded where they are made
set -uo pipefail
# places.sh --page: the lists of "What it survives" in the manual, which packaging/checks/layout.sh compares.
if [[ ${1:-} == --page ]]; then
    awk -F"'" '
        /^# --- repositories/ { part = "Repositories" }
        /^# --- machines/ { part = "Machines" }
        /^place / { count[part]++; names[part] = names[part] (names[part] ? "; " : "") $2 }
        END { for (i = 1; i <= split("Repositories Machines", parts, " "); i++) printf("%s%s (%d): %s.\n", (i > 1 ? "\n" : ""), parts[i], count[parts[i]], names[parts[i]]) }
    ' "$0" | fold -s -w 150 | sed 's/ *$//'
    exit
fi
program=$(readlink -f "$1") standins=$(readlink -f "$2") chosen=${3:-}
scratch=$(mktemp -d)
trap 'chmod -R u+rwX "$scratch" 2>/dev/null; rm -rf "$scratch"' EXIT
export HOME=$scratch/home TORCH_MATRIX_STATE=$scratch/state GIT_CONFIG_NOSYSTEM=1 LC_ALL=C.UTF-8 TERM=dumb
unset XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME DISPLAY WAYLAND_DISPLAY
mkdir -p "$HOME"
git config --global user.name Tester
git config --global user.email tester@example.org
git config --global protocol.file.allow always
git config --global advice.detachedHead false
git config --global init.defaultBranch main
"$program" sample "$scratch/sample" >/dev/null || exit 3
recipe=.flox/pkgs/pytorch-python313-cpu-avx2.nix other=.flox/pkgs/pytorch-python313-cpu-avx512.nix
number=0 good=0 bad=0
today=$(($(date +%s) / 86400 % 10))

# --- what rows use ------------------------------------------------------------------------------------------------

# partial FILTER: this place becomes a clone of that kind, whose remote is ../server.
partial() {
    git clone -q --bare . ../server
    git -C ../server config uploadpack.allowFilter true
    git clone -q "$@" "file://$PWD/../server" ../clone
    for branch in cuda-12_9 cuda-13_0; do git -C ../clone branch -q "$branch" "origin/$branch"; done
    become ../clone
}
# tables: the refs of this place are stored as tables.
tables() {
    rm -rf .git/logs # which older versions cannot convert
    git -c core.logAllRefUpdates=false refs migrate --ref-format=reftable
}
become() { # FOLDER: takes the place of this one
    local here=$PWD
    cd .. && mv "$here" "$here.before" && mv "${1#../}" "$here" && cd "$here" || exit
}
object() { git rev-parse "$1" | sed -E 's|^(..)(.*)|.git/objects/\1/\2|'; }
# as_user COMMAND...: without root's power to pass over permissions.
as_user() { if ((EUID == 0)); then setpriv --bounding-set=-dac_override,-dac_read_search "$@"; else "$@"; fi; }
lacking() { "$standins/lacking" "$@"; }
# with_full FOLDER COMMAND...: with a disk of 64 KiB there, which is full.
with_full() {
    # shellcheck disable=SC2016 # expanded there
    unshare -rm bash -c 'mkdir -p "$1" && mount -t tmpfs -o size=64k none "$1" && { cat /dev/zero >"$1/full" 2>/dev/null || :; }; shift; "$@"' - "$@"
}

files() { find . -path ./.git -prune -o -type f -print0 | sort -z | xargs -0r sha256sum 2>/dev/null; }
fscked() { git -c core.fsmonitor=false fsck --no-dangling 2>&1 | sort; }

place() {
    local name=$1 make=$2 verbs=$3 said=${4:-} folder status code verb codes out wrong='' began took writes
    number=$((number + 1))
    case $chosen in
    --today) ((number % 10 == today)) || return 0 ;;
    ?*) [[ $name =~ $chosen ]] || return 0 ;;
    esac
    folder=$scratch/$number/repo
    mkdir -p "$scratch/$number"
    cp -a "$scratch/sample" "$folder"
    rm -rf "$TORCH_MATRIX_STATE" "$HOME/.cache"
    cd "$folder" || exit
    prefix=()
    if ! eval "$make" >"$scratch/made" 2>&1; then wrong="cannot be made: $(tail -n 1 "$scratch/made")"; fi
    local before_files before_git
    before_files=$(files) before_git=$(fscked)
    : >"$scratch/all"
    while [[ -z $wrong ]] && IFS= read -r -d ';' verb; do
        verb=${verb#"${verb%%[! ]*}"}
        [[ -n $verb ]] || continue
        codes=${verb##*:} verb=${verb%:*}
        began=$EPOCHREALTIME
        # shellcheck disable=SC2086 # words
        (run_verb $verb) >"$scratch/out" 2>&1 </dev/null
        status=$?
        took=$(((${EPOCHREALTIME/./} - ${began/./}) / 1000))
        cat "$scratch/out" >>"$scratch/all"
        out=$(tr '\n' ' ' <"$scratch/out" | cut -c 1-300)
        if [[ ",$codes," != *",$status,"* ]]; then wrong="$verb: exit $status, not $codes: $out"
        elif ((took > 20000)); then wrong="$verb: $took ms"
        elif grep -qE 'git_object|object not found|no match for id|libgit2|extensions\.[a-z]|refdb|odb' "$scratch/out"; then wrong="$verb: raw: $out"
        fi
        case $verb in *--apply* | generate* | fix* | readme* | build*) writes=1 ;; esac
    done <<<"$verbs;"
    if [[ -z $wrong && -n $said ]] && ! grep -qE "$said" "$scratch/all"; then wrong="does not say '$said': $(head -c 300 "$scratch/all" | tr '\n' ' ')"; fi
    if [[ -z $wrong && -z ${writes:-} && $(files) != "$before_files" ]]; then wrong="a file changed"; fi
    code=$(fscked)
    if [[ -z $wrong && $code != "$before_git" ]]; then wrong="git fsck: $(diff <(echo "$before_git") <(echo "$code") | grep '^[<>]' | head -n 2 | tr '\n' ' ')"; fi
    cd "$scratch" || exit
    chmod -R u+rwX "$scratch/$number" 2>/dev/null
    rm -rf "${scratch:?}/$number"
    if [[ -z $wrong ]]; then good=$((good + 1)); else bad=$((bad + 1)); fi
    printf '%-34s %-60s %s\n' "$name" "$(sed -E 's/:[0-9,]+//g' <<<"$verbs" | cut -c 1-60)" "${wrong:-as expected}"
}
# run_verb WORDS...: the verb in this place, as the row wants it (prefix).
run_verb() {
    "${prefix[@]}" timeout -s KILL 30 "$program" "$@"
}

# --- repositories -------------------------------------------------------------------------------------------------

all='list:0; audit:0; plan:0; compare main cuda-12_9:0; generate --all:0'
place 'the sample itself' ':' "$all; list --all-branches --json:0; readme:0,1; history pytorch-python313-cpu-avx2:0"
place 'a folder inside' 'cd .flox/pkgs' 'list:0; plan:0'
place 'linked working tree' 'git worktree add -q ../w -b work; cd ../w' "$all"
place 'working tree that was moved' 'git worktree add -q ../w -b work; mv ../w ../v; cd ../v' 'list:0,3'
place 'detached HEAD' 'git checkout -q --detach' 'list:0; audit:0; plan:0; pick:0,1; report:0' "on $(git -C "$scratch/sample" rev-parse --short=10 HEAD)"
place 'rebase that stopped' 'git checkout -q -b side; echo "# a" >>$recipe; git commit -qam a; git checkout -q main; echo "# b" >>$recipe; git commit -qam b; ! git rebase -q side' 'list:0,1; audit:0,1; plan:0,1'
place 'merge with conflicts' 'git checkout -q -b side; echo "# a" >>$recipe; git commit -qam a; git checkout -q main; echo "# b" >>$recipe; git commit -qam b; ! git merge -q side' 'list:0,1; plan:0,1' 'not changed'
place 'cherry-pick that stopped' 'git checkout -q -b side; echo "# a" >>$recipe; git commit -qam a; git checkout -q main; echo "# b" >>$recipe; git commit -qam b; ! git cherry-pick side' 'list:0,1; audit:0,1'
place 'bisect that has not ended' 'git commit -q --allow-empty -m x; git bisect start -q HEAD HEAD~1 || true' 'list:0; plan:0'
place 'no commit yet' 'rm -rf .git; git init -q' 'list:0; audit:0; plan:0,1,3'
place 'no commit, all staged' 'rm -rf .git; git init -q; git add .' 'list:0; audit:0'
place 'empty repository' 'rm -rf .git .flox; git init -q' 'list:0; plan:0,1,3'
place 'bare repository' 'git clone -q --bare . ../b; rm -rf ../repo.x; become ../b' 'list:3; plan:3' 'bare'
place 'not a repository' 'rm -rf .git' 'list:3; plan:3' 'not in a git repository'
place 'orphan branch without recipes' 'git checkout -q --orphan docs; git rm -rfq .; echo x >README.md; git add .; git commit -qm docs' 'list:0; compare main docs:0,1; list --all-branches --json:0'
place 'split index' 'git config core.splitIndex true; git update-index --split-index' "$all"
place 'split index, writing' 'git config core.splitIndex true; git update-index --split-index; git rm -q $recipe; git commit -qm x' 'plan --apply:0; list:0'
place 'sparse index' 'mkdir -p docs/a; echo x >docs/a/b; git add docs; git commit -qm d; git sparse-checkout set --cone --sparse-index .flox' "$all"
place 'sparse checkout without recipes' 'mkdir docs; echo x >docs/b; git add docs; git commit -qm d; git sparse-checkout set --cone docs' 'list:0; audit:0; plan:0; compare main cuda-12_9:0'
place 'sparse checkout of one recipe' 'git sparse-checkout set --no-cone "/$recipe"' 'list:0; plan:0'
place 'skip-worktree and assume-unchanged' 'git update-index --skip-worktree $recipe; git update-index --assume-unchanged $other' "$all"
place 'index of version 4' 'git update-index --index-version 4' "$all"
place 'untracked cache, fsmonitor' 'git config core.untrackedCache true; git update-index --force-untracked-cache; git config core.fsmonitor false' "$all"
place 'fsmonitor that is a program' 'printf "#!/bin/sh\ntouch %s/ran\n" "$PWD" >../f; chmod +x ../f; git config core.fsmonitor "$PWD/../f"' 'list:0; plan:0; compare main cuda-12_9:0'
place 'shallow clone' 'git clone -q --depth 1 --no-single-branch "file://$PWD" ../c; git -C ../c branch -q cuda-12_9 origin/cuda-12_9; become ../c' "$all; history pytorch-python313-cpu-avx2:0"
place 'partial clone, blob:none' 'partial --filter=blob:none' "$all"
place 'partial clone, tree:0' 'partial --filter=tree:0' "$all"
place 'partial clone, blob:limit' 'partial --filter=blob:limit=1k' "$all"
place 'partial, sparse, shallow' 'partial --filter=blob:none --sparse --depth=1 --no-single-branch' 'list:0; compare main cuda-12_9:0; list --all-branches --json:0'
place 'partial clone without its remote' 'partial --filter=blob:none; mv ../server ../away' 'list:0; compare main cuda-12_9:3; list --all-branches --json:1,3' 'not here yet'
place 'partial, checked out without blobs' 'partial --filter=blob:none --no-checkout' 'compare main cuda-12_9:0; list --all-branches --json:0'
place 'clone that shares objects' 'git clone -q --shared . ../c; git -C ../c branch -q cuda-12_9 origin/cuda-12_9; become ../c; mv ../repo.before ../src; sed -i "s|/repo/|/src/|" .git/objects/info/alternates' "$all"
place 'lender of objects is gone' 'git clone -q --shared . ../c; become ../c; rm -rf ../repo.before' 'list:3; plan:3'
place 'all packed, with midx and bitmaps' 'git repack -adq --write-bitmap-index; git multi-pack-index write; git commit-graph write --reachable; git pack-refs --all' "$all"
place 'cruft and loose after gc' 'git gc -q --prune=now' "$all"
place 'reftable' 'tables' "$all; list --all-branches --json:0; history pytorch-python313-cpu-avx2:0; pick --all-branches:0,1"
place 'reftable, writing' 'tables; git rm -q $recipe; git commit -qm x' 'plan --apply:0; plan --undo --apply:0; generate pytorch-python313-cpu-avx2:0; migrate --branch cuda-12_9 --set metadata_rev=2 --apply:0; list:0'
place 'reftable, linked working tree' 'tables; git worktree add -q ../w cuda-12_9; cd ../w; git rm -q $recipe; git commit -qm x' 'plan --apply:0; list:0; compare main cuda-12_9:0'
place 'reftable, without the git program' 'tables; no_git() { PATH=$scratch "$@"; }; ln -sf "$(command -v timeout)" "$scratch/timeout"; prefix=(no_git)' 'list:3; plan:3' 'git 2.45'
place 'objects by SHA-256' 'git init -q --object-format=sha256 ../r; git -C ../r commit -q --allow-empty -m x; become ../r' 'list:3; plan:3' 'SHA-256'
place 'an unknown extension' 'git config core.repositoryFormatVersion 1; git config extensions.nobody true' 'list:3' 'does not know'
place 'worktreeConfig' 'git config core.repositoryFormatVersion 1; git config extensions.worktreeConfig true; git config --worktree core.filemode true' "$all"
place 'core.worktree elsewhere' 'mkdir ../t; cp -a .flox README.md ../t/ 2>/dev/null; git config core.worktree "$PWD/../t"' 'list:0'
place '.git is a file' 'mv .git ../g; echo "gitdir: ../g" >.git' "$all"
place 'a submodule beside' 'git init -q ../m; git -C ../m commit -q --allow-empty -m x; git submodule add -q "$PWD/../m" sub; git commit -qm sub' "$all"
place 'recipes are a submodule' 'git init -q ../m; cp .flox/pkgs/* ../m; git -C ../m add .; git -C ../m commit -qm x; git rm -rqf .flox/pkgs; git submodule add -q "$PWD/../m" .flox/pkgs; git commit -qm sub' 'list:3; plan:3' 'separate repository'
place 'the folder of recipes is a link' 'mv .flox/pkgs real; ln -s ../real .flox/pkgs' 'list:0,1; plan:0,1,3'
place 'a recipe is a pipe' 'rm $recipe; mkfifo $recipe; git rm -q $other; git commit -qm x' 'list:0,1; audit:1; plan:0,1; plan --apply:0,1; generate --all:0' 'cannot be read'
place 'a recipe is a folder' 'rm $recipe; mkdir $recipe; git rm -q $other; git commit -qm x' 'list:0,1; plan --apply:0,1'
place 'a recipe is a link' 'ln -sf /etc/hosts $recipe; git rm -q $other; git commit -qm x' 'list:0,1; plan --apply:0,1'
place 'a recipe is a socket' 'rm $recipe; python3 -c "import socket; socket.socket(socket.AF_UNIX).bind(\"s\")"; mv s $recipe' 'list:0,1; plan:0,1'
place 'a recipe that cannot be read' 'chmod 0 $recipe; prefix=(as_user)' 'list:0,1; audit:1; plan:0,1'
place 'a recipe that is not text' 'head -c 400 /dev/urandom >$recipe; git commit -qam x' 'list:0,1; audit:1; plan:0,1; compare main cuda-12_9:0'
place 'a recipe of two megabytes' 'head -c 2000000 /dev/zero | tr "\0" " " >>$recipe; git commit -qam x' 'list:0,1; audit:1; plan:0,1'
place 'an empty recipe' ': >$recipe; git commit -qam x' 'list:0,1; audit:1; plan:0,1'
place 'recipes with CR LF' 'sed -i "s/$/\r/" .flox/pkgs/*.nix; git commit -qam x' 'list:0,1; audit:0,1; plan:0,1'
place 'CR LF by core.autocrlf' 'git config core.autocrlf true; rm .flox/pkgs/*.nix; git checkout -q .' "list:0; audit:0; plan:0"
place 'eol=crlf by attributes' 'echo "*.nix text eol=crlf" >.gitattributes; git add .; git commit -qm x; rm .flox/pkgs/*.nix; git checkout -q .' 'list:0; audit:0; plan:0'
place 'a clean filter' 'git config filter.up.clean "tr a-z a-z"; git config filter.up.smudge cat; git config filter.up.required true; echo "*.nix filter=up" >.gitattributes; git add .; git rm -q $recipe; git commit -qm x' 'list:0; plan --apply:0; list:0'
place 'a clean filter that fails' 'git rm -q $recipe; git commit -qm x; git config filter.up.clean false; git config filter.up.required true; echo "*.nix filter=up" >.git/info/attributes' 'list:0; plan --apply:3' 'filter=up'
place 'ident' 'echo "*.nix ident" >.gitattributes; git add .; git commit -qm x' 'list:0; plan:0'
place 'working-tree-encoding' 'echo "docs.txt working-tree-encoding=UTF-16LE" >.gitattributes; git add .; git commit -qm x' 'list:0; plan:0'
place 'replace refs' 'git commit -q --allow-empty -m x; git replace HEAD HEAD~1' 'list:0; history pytorch-python313-cpu-avx2:0'
place 'grafts' 'git rev-parse HEAD >.git/info/grafts' 'list:0; history pytorch-python313-cpu-avx2:0'
place 'a tag named like the branch' 'git tag main; git tag cuda-12_9 main' "$all"
place 'branches with odd names' 'git branch "a/b/c"; git branch "ü-x"; git branch "50%"; git branch "@"; git update-ref refs/heads/-dash HEAD' 'list --all-branches --json:0; compare main a/b/c:0; compare main 50%:0'
place 'a broken branch' 'echo nonsense >.git/refs/heads/bad' 'list:0; list --all-branches --json:1; compare main cuda-12_9:0' 'bad'
place 'packed-refs that is damaged' 'git pack-refs --all; echo nonsense >>.git/packed-refs' 'list:0,3; list --all-branches --json:0,1,3'
place 'HEAD that is damaged' 'echo nonsense >.git/HEAD' 'list:3'
place 'HEAD points to a tag' 'git tag t; git symbolic-ref HEAD refs/tags/t' 'list:3' 'not a branch'
place 'HEAD points to no branch' 'git symbolic-ref HEAD refs/heads/none' 'list:0; plan:0,1,3'
place 'a missing blob' 'rm -f "$(object cuda-12_9:$recipe || true)" "$(object main:$recipe)"' 'compare main cuda-12_9:3; list --all-branches --json:1,3' 'missing from the repository'
place 'a missing tree' 'rm -f "$(object cuda-12_9:.flox/pkgs)"' 'list:0; compare main cuda-12_9:3' 'missing from the repository'
place 'a damaged blob' 'f=$(object main:$recipe); rm -f "$f"; echo damaged >"$f"' 'list:0,1,3; compare main cuda-12_9:1,3; plan:0,1,3'
place 'an index that is damaged' 'head -c 100 /dev/urandom >.git/index' 'list:3; plan:3'
place 'no index' 'rm .git/index' 'list:0,1; plan:0,1'
place 'a lock that git left' ': >.git/index.lock; git rm -q --cached x 2>/dev/null; rm $recipe' 'list:0; plan:0,1; generate pytorch-python313-cpu-avx2:3' 'lock'
place 'a configuration with mistakes' 'echo "[core" >>.git/config' 'list:3'
place 'a configuration that includes itself' 'git config include.path config' 'list:0,3'
place 'somebody else owns it' '((EUID == 0)) && chown -R 12345 . || true' 'list:0,3'
place 'a hook that refuses' 'printf "#!/bin/sh\necho no; exit 1\n" >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; git rm -q $recipe; git commit -qnm x' 'list:0; plan --apply:3' 'exit code 1'
place 'a reference-transaction hook' 'git rm -q $recipe; git commit -qm x; printf "#!/bin/sh\nexit 0\n" >.git/hooks/reference-transaction; chmod +x .git/hooks/reference-transaction' 'plan --apply:0; list:0'
place 'signatures that fail' 'git rm -q $recipe; git commit -qm x; git config commit.gpgsign true; git config gpg.program false' 'list:0; plan --apply:3'
place 'a read-only working tree' 'git rm -q $recipe; git commit -qm x; chmod -R a-w .flox .git; prefix=(as_user)' 'list:0; plan:1; plan --apply:3' 'not writable|read-only'
place 'branches that cannot be read' 'chmod 0 .git/refs/heads; prefix=(as_user)' 'list:3; list --all-branches --json:3' 'cannot be read'
place 'two remotes and no upstream' 'git remote add a x; git remote add b y' 'list:0; builds push --dry-run:0,3'
place 'a hundred branches' 'for i in $(seq 100); do echo "create refs/heads/b$i $(git rev-parse HEAD)"; done | git update-ref --stdin' 'list --all-branches --json:0; pick --all-branches:0,1'

place 'linked working tree, writing' 'git worktree add -q ../w cuda-12_9; cd ../w; git rm -q $recipe; git commit -qm x' 'plan --apply:0; list:0; generate --all:0'
place 'main repository was moved' 'git worktree add -q ../w cuda-12_9; mv ../repo ../away; cd ../away; git rm -q $recipe; git commit -qm x' 'list:0; plan --apply:0; compare main cuda-12_9:0'
place 'main repository is gone' 'git worktree add -q ../w cuda-12_9; mv ../repo ../away; cd ../w' 'list:3; plan:3'
place 'partial clone, writing' 'partial --filter=blob:none; git rm -q $recipe; git commit -qm x' 'plan --apply:0; list:0; readme:0,1; migrate --branch cuda-12_9 --set metadata_rev=2 --apply:0; plan --undo --branch cuda-12_9 --apply:0'
place 'partial clone, writing without its remote' 'partial --filter=blob:none; git rm -q $recipe; git commit -qm x; mv ../server ../away' 'list:0; plan --apply:0,3'
place 'sparse checkout, writing' 'git sparse-checkout set --cone .flox; git rm -q $recipe; git commit -qm x' 'plan --apply:0; list:0'
place 'shallow clone, writing' 'git clone -q --depth 1 "file://$PWD" ../c; become ../c; git rm -q $recipe; git commit -qm x' 'plan --apply:0; list:0'
place 'intent to add' 'cp $recipe .flox/pkgs/pytorch-python313-cpu-avx.nix; git add -N .flox/pkgs/pytorch-python313-cpu-avx.nix' 'list:0,1; plan:0,1; audit:0,1'
place 'a lock of a branch that git left' 'git rm -q $recipe; git commit -qm x; : >.git/refs/heads/main.lock' 'list:0; plan --apply:3' 'lock'
place 'a damaged pack' 'git gc -q; f=$(ls .git/objects/pack/*.pack); chmod u+w $f; printf xxxxxxxx | dd of=$f bs=1 seek=2000 conv=notrunc status=none' 'list:0,1,3; plan:0,1,3; compare main cuda-12_9:0,1,3'
place 'a damaged index of a pack' 'git gc -q; f=$(ls .git/objects/pack/*.idx); chmod u+w $f; printf xxxxxxxx | dd of=$f bs=1 seek=900 conv=notrunc status=none' 'list:0,1,3; compare main cuda-12_9:0,1,3'
place 'a damaged commit-graph' 'git commit-graph write --reachable; f=.git/objects/info/commit-graph; chmod u+w $f; printf xxxx | dd of=$f bs=1 seek=100 conv=notrunc status=none' "$all"
place 'objects that cannot be read' 'git gc -q --prune=now; chmod 0 .git/objects/pack/*; prefix=(as_user)' 'list:3; compare main cuda-12_9:3'
place 'a hook that takes its time' 'git rm -q $recipe; git commit -qm x; printf "#!/bin/sh\nsleep 2\n" >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit' 'plan --apply:0; list:0'
place 'a hook that is deaf' 'git rm -q $recipe; git commit -qm x; printf "#!/bin/sh\ntrap \"\" INT TERM HUP\necho \$\$ >%s/pid\nwhile :; do sleep 1; done\n" "$PWD/.." >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; brief() { local code=0; timeout -s TERM 4 "$@" || code=$?; [[ ! -e ../pid ]] || ! grep -qs "^State:.[^Z]" "/proc/$(cat ../pid)/status" || return 99; return $code; }; prefix=(brief)' 'plan --apply:124; list:0; plan:1'
place 'a hook that fails after the commit' 'git rm -q $recipe; git commit -qm x; printf "#!/bin/sh\nexit 1\n" >.git/hooks/post-commit; chmod +x .git/hooks/post-commit' 'plan --apply:0; list:0'
place 'hooks in another folder' 'git rm -q $recipe; git commit -qm x; mkdir ../hooks; printf "#!/bin/sh\nexit 1\n" >../hooks/pre-commit; chmod +x ../hooks/pre-commit; git config core.hooksPath "$PWD/../hooks"' 'plan --apply:3; list:0' 'exit code 1'
place 'no identity' 'git rm -q $recipe; git commit -qm x; git config user.useConfigOnly true; nameless() { env -u EMAIL HOME=$scratch/nameless "$@"; }; prefix=(nameless)' 'list:0; plan --apply:3' 'user.name'
place 'a pager and aliases' 'git config core.pager false; git config pager.log false; git config alias.cat-file "!false"; git config color.ui always' "$all; history pytorch-python313-cpu-avx2:0"
place 'inside a submodule' 'git init -q ../outer; git init -q ../middle; git -C ../middle commit -q --allow-empty -m x; git -C ../outer submodule --quiet add "$PWD/../middle" m; mv ../repo ../outer/m/r; cd ../outer/m/r; git rm -q $recipe; git commit -qm x' 'list:0; plan --apply:0; compare main cuda-12_9:0'
place 'recipes in a submodule of the repository' 'git init -q ../outer; git -C ../outer commit -q --allow-empty -m x; git -C ../outer submodule --quiet add "$PWD" m; cd ../outer/m; git checkout -q -b work' 'list:0; migrate --set metadata_rev=2 --apply:0; generate --all:0; plan --undo --apply:0'
place 'the flox folder is a link' 'mv .flox real; ln -s real .flox; git add -A; git commit -qm x' 'list:0,3; plan:0,1,3; plan --apply:0,1,3; audit:0,3'
place 'a file system without upper and lower case' 'git config core.ignorecase true; cp $recipe ${recipe/avx2/AVX2}; git rm -q $other; git commit -qm x' 'list:0,1; plan --apply:0,1; plan:0,1'
place 'a branch of 200 characters' 'b=$(printf "x%.0s" $(seq 200)); git checkout -q -b "$b"' 'list:0; list --all-branches --json:0; migrate --set metadata_rev=2 --apply:0; readme:0,1; plan --undo --apply:0'
place 'a branch named in percent' 'git checkout -q -b "100%20%s%n%1"' 'list:0; migrate --set metadata_rev=2 --apply:0; readme:0,1; compare main 100%20%s%n%1:0,1; export github:0,1; plan --undo --apply:0'
place 'a branch named in other scripts' 'git checkout -q -b "机器/ветка-é-🙂"' 'list:0; list --all-branches --json:0; migrate --set metadata_rev=2 --apply:0; readme:0,1; compare main 机器/ветка-é-🙂:0,1; plan --undo --apply:0'
place 'a signing key that asks for its passphrase' 'git rm -q $recipe; git commit -qm x; printf "#!/bin/sh\nread answer </dev/tty || exit 2\n" >../gpg; chmod +x ../gpg; git config commit.gpgSign true; git config gpg.program "$PWD/../gpg"' 'list:0; plan --apply:3; list:0' 'git or a hook refused'
place 'the settings are a folder' 'mkdir -p torch-matrix.toml/x; touch torch-matrix.toml/x/y; git add .; git commit -qm x' 'list:0,1,3; plan:0,1,3'
place 'the settings are a pipe' 'mkfifo torch-matrix.toml' 'list:0,1,3; plan:0,1,3'
place 'settings that cannot be read' 'echo "[defaults]" >torch-matrix.toml; git add .; git commit -qm x; chmod 0 torch-matrix.toml; prefix=(as_user)' 'list:0,1,3; plan:0,1,3'
place 'the settings are not TOML' 'head -c 3000 /dev/urandom >torch-matrix.toml; git add .; git commit -qm x' 'list:0,1,3; plan:3'
place 'recipes that differ in case only' 'cp $recipe ${recipe/avx2/AVX2}; git add .; git commit -qm x' 'list:0,1; audit:0,1; plan:0,1'
place 'a thousand recipes' 'for i in $(seq 30); do for f in .flox/pkgs/pytorch-python313-c*.nix; do sed "s/pytorch-python/pytorch2$i-python/g" $f >${f/pytorch-/pytorch2$i-}; done; done; git add .; git commit -qm x' 'list:0,1; audit:0,1; plan:0,1'

# --- machines -----------------------------------------------------------------------------------------------------

place 'no flags of renameat2' 'git rm -q $recipe; git commit -qm x; prefix=(lacking flags)' 'list:0; plan --apply:0; queue pause:0; queue clear:0; builds:0'
place 'no hard links' 'git rm -q $recipe; git commit -qm x; prefix=(lacking links)' 'list:0; plan --apply:0; queue pause:0; queue clear:0; builds:0'
place 'no locks' 'git rm -q $recipe; git commit -qm x; prefix=(lacking locks)' 'list:0; plan --apply:0; queue pause:0; queue clear:0; builds:0'
place 'none of these, as on sshfs' 'git rm -q $recipe; git commit -qm x; prefix=(lacking flags,links,locks,unnamed)' 'list:0; plan --apply:0; queue pause:0; queue clear:0; builds:0'
to_full() { "$@" >/dev/full; }
place 'standard output on a full disk' 'prefix=(to_full)' 'list:3; list --json:3; compare main cuda-12_9 --json:3; audit --json:3; report:3; --help:3' 'No space left'
nowhere() { "$@" >&-; }
place 'standard output is closed' 'prefix=(nowhere)' 'list:3'
place 'TMPDIR does not exist' 'export_tmp() { TMPDIR=/nowhere "$@"; }; prefix=(export_tmp)' "$all"
place 'TMPDIR is full' 'full_tmp() { TMPDIR=$scratch/t with_full "$scratch/t" "$@"; }; prefix=(full_tmp)' 'list:0; plan:0; compare main cuda-12_9:0'
place 'HOME does not exist' 'no_home() { HOME=/nowhere "$@"; }; prefix=(no_home)' 'list:0; plan:0; detect:0,1'
place 'HOME is full' 'full_home() { with_full "$scratch/h" env HOME="$scratch/h" "$@"; }; prefix=(full_home)' 'list:0; plan:0; compare main cuda-12_9:0'
place 'the state folder is full' 'full_state() { with_full "$scratch/s" env TORCH_MATRIX_STATE="$scratch/s" "$@"; }; prefix=(full_state)' 'list:0; queue list:0'
place 'no git on PATH' 'no_git() { PATH=$scratch "$@"; }; ln -sf "$(command -v timeout)" "$scratch/timeout"; prefix=(no_git)' 'list:0; plan:0'
place 'a locale without UTF-8' 'in_c() { LC_ALL=C "$@"; }; prefix=(in_c)' "$all"
place 'a locale that does not exist' 'in_xx() { LC_ALL=xx_YY "$@"; }; prefix=(in_xx)' "$all"
place 'umask 077' 'masked() { (umask 077; "$@"); }; prefix=(masked); git rm -q $recipe; git commit -qm x' 'plan --apply:0; list:0'
place 'few open files' 'few() { (ulimit -n 40; "$@"); }; prefix=(few)' 'list:0; list --all-branches --json:0'
place 'a long path' 'd=$(printf "%0100d/%0100d/%0100d" 1 2 3); mkdir -p "../$d"; cp -a . "../$d/r"; cd "../$d/r"' "$all"
place 'a path with odd characters' 'cp -a . $'"'"'../a b\n"q" \x27s\x27 $x'"'"'; cd ../a*' "$all"
place 'XDG folders that are files' 'xdg() { XDG_CACHE_HOME=$PWD/README.md XDG_CONFIG_HOME=$PWD/README.md "$@"; }; prefix=(xdg)' 'list:0; plan:0'

# ahead SECONDS COMMAND...: by the clock of a machine that is ahead; jumping COMMAND...: two hours less at each command.
ahead() { echo "$1" >"$scratch/clock"; shift; env LD_PRELOAD="$standins/clock.so" TORCH_MATRIX_STANDIN_CLOCK="$scratch/clock" "$@"; }
jumping() { ahead $(($(cat "$scratch/clock" 2>/dev/null || echo 14400) - 7200)) "$@"; }
with_flox() { PATH=$standins:$PATH "$@"; }
one=pytorch-python313-cpu-avx2 two=pytorch-python313-cpu-avx512
place 'a build' 'prefix=(with_flox)' "build $one:0; build $one:0; builds:0; list:0; log $one:0"
place 'a build, a commit and a publication with fsmonitor' 'printf "#!/bin/sh\ntouch %s/ran\n" "$PWD/.." >../f; printf "#!/bin/sh\ngit status >/dev/null\n" >.git/hooks/pre-commit; chmod +x ../f .git/hooks/pre-commit; git rm -q $recipe; git commit -qnm x; git config core.fsmonitor "$PWD/../f"; unseen() { [[ ! -e ../ran ]] && "$@"; }; prefix=(with_flox unseen)' "build $two:0; plan --apply:0; publish $two --dry-run:0,1,3; build $one --dry-run:0,1,3; migrate --branch cuda-12_9 --set metadata_rev=2 --apply:0; list:0"
place 'a build without locks and links' 'prefix=(with_flox lacking flags,links,locks,unnamed)' "build $one:0; build $two:0; builds:0; list:0"
place 'a build by a clock that is hours ahead' 'prefix=(with_flox ahead 10800)' "build $one:0; list:0; builds:0"
place 'a build by a clock of 1970' 'prefix=(with_flox ahead -$(($(date +%s) - 86400)))' "build $one:0; list:0; builds:0"
place 'a clock that goes back by hours' 'rm -f "$scratch/clock"; prefix=(with_flox jumping)' "build $one:0; build $two:0; list:0; queue list:0; builds:0" 'Already built|built'
place 'a clock that jumps while builds wait' 'rm -f "$scratch/clock"; prefix=(with_flox jumping)' "queue pause:0; build $one $two --detach:0; queue resume:0; queue list:0; build $one $two:0; builds:0"
share() { git clone -q --bare . ../shared; git remote add origin ../shared; git fetch -q; git branch -q -u origin/main main; }
place 'two who share builds by skewed clocks' 'share; with_flox ahead 10800 "$program" build $one >/dev/null 2>&1; ahead 10800 "$program" builds push >/dev/null 2>&1; git clone -q ../shared ../c; become ../c' 'builds pull:0; builds --team:0,2; builds:0; list:0'
place 'the history is locked by another program' 'with_flox "$program" build $one >/dev/null 2>&1; python3 -c "
import sqlite3, sys, time
base = sqlite3.connect(sys.argv[1], isolation_level=None)
base.execute(\"BEGIN EXCLUSIVE\")
open(sys.argv[2], \"w\")
time.sleep(60)" "$TORCH_MATRIX_STATE/builds.sqlite" ../locked >/dev/null 2>&1 & until [[ -e ../locked ]]; do sleep 0.1; done; prefix=(with_flox)' "list:0; builds:0,3; build $two:0"
place 'TMPDIR, then HOME, then the state are full, in a build' 'filled() { n=$(($(cat "$scratch/n" 2>/dev/null || echo 0) + 1)); echo $n >"$scratch/n"; case $n in 1) TMPDIR=$scratch/t with_full "$scratch/t" "$@" ;; 2) with_full "$scratch/h" env HOME="$scratch/h" "$@" ;; *) with_full "$scratch/s" env TORCH_MATRIX_STATE="$scratch/s" "$@" ;; esac; }; rm -f "$scratch/n"; prefix=(with_flox filled)' "build $one:0,3; build $two:0,3; build $one:1,3; list:0"
place 'a read-only file system' 'frozen() { unshare -rm bash -c '"'"'mount --bind "$PWD" "$PWD" && mount -o remount,bind,ro "$PWD" && cd "$PWD" && exec "$@"'"'"' - "$@"; }; git rm -q $recipe; git commit -qm x; prefix=(frozen)' 'list:0; plan:1; plan --apply:3' 'read-only|not writable|Read-only'
place 'standard input is closed' 'mute() { "$@" <&-; }; prefix=(mute)' "$all"
place 'a terminal of one column' 'narrow() { COLUMNS=1 LINES=1 TERM= "$@"; }; prefix=(narrow)' "$all"
place 'a time zone that does not exist' 'lost() { TZ=Nowhere/Else "$@"; }; prefix=(lost)' "$all; history pytorch-python313-cpu-avx2:0"
place 'little memory' 'poor() { (ulimit -v 1200000; "$@"); }; prefix=(poor)' 'list:0; list --all-branches --json:0; compare main cuda-12_9:0'

printf '%s places: %s as expected, %s not\n' "$((good + bad))" "$good" "$bad"
((bad == 0))
