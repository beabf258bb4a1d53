#!/bin/sh
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# Builds a job where torch-matrix is not installed: on a machine behind ssh, or on a node of a Slurm cluster. POSIX sh, git, and the engine.
# A job is a folder. Its subfolder "remote" says what to build, one value a file:
#   repository  the repository that holds the commit
#   commit      what is checked out
#   tree        where; made and removed here
#   results     the folder that keeps links to the results
#   command     the engine's program and its arguments, a line each; @TREE@ is the working tree
#   config      what is added to NIX_CONFIG; may be empty
# and gets, while it runs:
#   claimed-N   a folder; whoever makes it runs attempt N
#   runner      "PID START BOOT" of this script
#   started     seconds since 1970
#   ended       "how", "status", "stops", "ended" and a "result NAME TARGET" for each link, a line each
# The build's own output goes to "log" beside it. Each process of the build has TORCH_MATRIX_JOB=FOLDER in its environment.
umask 077
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX GIT_COMMON_DIR GIT_OBJECT_DIRECTORY GIT_NAMESPACE
# A shell that nobody logged in to has not read what puts Nix on the PATH.
PATH=$PATH:/nix/var/nix/profiles/default/bin:$HOME/.nix-profile/bin:/run/current-system/sw/bin:/usr/local/bin
export PATH

value() { cat "$job/remote/$1"; }
boot() { cat /proc/sys/kernel/random/boot_id 2>/dev/null || uname -n; }
# When a process began, in the kernel's ticks: with its id, a name that no other process gets. The program's name may hold blanks.
start_of() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20; }
# Everything that the build started and that is still there.
processes() { grep -lzxF "TORCH_MATRIX_JOB=$job" /proc/[0-9]*/environ 2>/dev/null | sed 's|^/proc/||; s|/environ$||'; }
# signal NAME: to all of them; to the engine's group where /proc does not tell.
signal() {
    kill "-$1" "-$engine" 2>/dev/null
    for process in $(processes); do kill "-$1" "$process" 2>/dev/null; done
}
# reap: ends what the build started, five seconds after it was asked to end. Nobody's child: Slurm may kill this script earlier.
reap() { (setsid sh "$0" reap "$job" "$engine" </dev/null >/dev/null 2>&1 &); }

# ended HOW STATUS: the last thing that a job says.
ended() {
    {
        printf 'how %s\nstatus %s\nstops %s\nended %s\n' "$1" "$2" "$stops" "$(date +%s)"
        [ ! -e "$tree" ] || for link in "$tree"/result*; do
            target=$(readlink "$link") || continue
            name=${link##*/}
            case $target in /*) ;; *) continue ;; esac
            mkdir -p "$(value results)"
            # A root for Nix's garbage collector; where there is no Nix a plain link.
            { [ -e "$target" ] && nix-store --realise "$target" --add-root "$(value results)/$name" --indirect >/dev/null 2>&1; } ||
                ln -sfn "$target" "$(value results)/$name"
            printf 'result %s %s\n' "$name" "$target"
        done
    } >"$job/remote/ended.new"
    mv "$job/remote/ended.new" "$job/remote/ended"
    rm -rf "$tree"
}

# One request to stop asks, two make it SIGTERM, three SIGKILL; the first one becomes the others after five seconds each.
stopping() {
    stops=$((stops + 1))
    interrupted=1
    [ -n "$engine" ] || return 0
    case $stops in
    1)
        kill -INT "-$engine" 2>/dev/null
        reap
        ;;
    2) signal TERM ;;
    *) signal KILL ;;
    esac
}

# stopped STATUS: the end of a job that was asked to end, and of this script. Slurm ends one that it will start again as it ends any other: only
# its own books tell.
stopped() {
    [ -z "${SLURM_JOB_ID:-}" ] || { rm -rf "$tree" && exit 143; }
    ended stopped "$1"
    exit 0
}

run() {
    engine='' stops=0 how=exit interrupted=''
    attempt=${SLURM_RESTART_COUNT:-0}
    tree=$(value tree) || exit 2
    [ ! -e "$job/remote/ended" ] && mkdir "$job/remote/claimed-$attempt" 2>/dev/null || exit 0
    trap stopping TERM INT HUP
    # What Slurm sends before the time limit.
    trap 'how=time; stopping' USR1
    printf '%s %s %s\n' "$$" "$(start_of $$)" "$(boot)" >"$job/remote/runner.new" && mv "$job/remote/runner.new" "$job/remote/runner"
    date +%s >"$job/remote/started.new" && mv "$job/remote/started.new" "$job/remote/started"
    [ "$attempt" -eq 0 ] || printf 'torch-matrix: attempt %s: Slurm started the build again.\n' "$((attempt + 1))" >>"$job/log"
    rm -rf "$tree"
    # A clone that borrows its objects: several nodes can make theirs of one repository at a time.
    if ! { mkdir -p "${tree%/*}" && git clone --quiet --shared --no-checkout --template= "$(value repository)" "$tree" &&
        git -C "$tree" -c core.hooksPath=/dev/null checkout --quiet --detach "$(value commit)"; } >>"$job/log" 2>&1 </dev/null; then
        ended checkout 1
        exit 0
    fi
    if [ -s "$job/remote/config" ]; then
        NIX_CONFIG="${NIX_CONFIG:+$NIX_CONFIG
}$(value config)"
        export NIX_CONFIG
    fi
    set --
    while IFS= read -r word; do
        case $word in *@TREE@*) word=${word%%@TREE@*}$tree${word#*@TREE@} ;; esac
        set -- "$@" "$word"
    done <"$job/remote/command"
    if ! command -v "$1" >/dev/null 2>&1; then
        ended missing 127
        exit 0
    fi
    cd "$tree" || exit 2
    if [ "$stops" -gt 0 ]; then stopped 130; fi
    TORCH_MATRIX_JOB=$job setsid "$@" >>"$job/log" 2>&1 </dev/null &
    engine=$!
    while :; do
        interrupted=
        wait "$engine"
        status=$?
        [ -n "$interrupted" ] || break
    done
    # Slurm signals every process of a job: the engine may have heard it first.
    [ "$status" -eq 0 ] || [ -z "${SLURM_JOB_ID:-}" ] || sleep 2
    # What outlives the engine.
    for name in '' TERM KILL; do
        [ -n "$(processes)" ] || break
        [ -z "$name" ] || signal "$name"
        sleep 2
    done
    cd / || exit 2
    [ "$how" != exit ] || [ "$stops" -eq 0 ] || how=stopped
    if [ "$how" = stopped ]; then stopped "$status"; fi
    ended "$how" "$status"
}

alive() {
    read -r process began booted <"$job/remote/runner" || return 1
    [ "$booted" = "$(boot)" ] && [ "$(start_of "$process")" = "$began" ]
}

# none, running, ended, or lost: there is a runner's file and no runner.
state() {
    if [ -e "$job/remote/ended" ]; then
        echo ended
    elif [ ! -e "$job/remote/runner" ]; then
        echo none
    elif alive; then
        echo running
    else
        echo lost
    fi
}

# follow OFFSET: the log from there, as it grows, until the job has ended. 3: its runner is gone.
follow() {
    offset=$1 waited=0
    while :; do
        now=$(state)
        size=$(wc -c <"$job/log" 2>/dev/null || echo 0)
        if [ "$size" -gt "$offset" ]; then
            tail -c "+$((offset + 1))" "$job/log" | head -c "$((size - offset))" || exit 0
            offset=$size
        fi
        case $now in
        ended) exit 0 ;;
        lost) exit 3 ;;
        none) # its folder was removed, or nothing started it
            waited=$((waited + 1))
            [ -d "$job/remote" ] && [ "$waited" -lt 30 ] || exit 3
            ;;
        esac
        sleep 1
    done
}

verb=$1
# A name of a job, or its folder.
case ${2:-} in
/*) job=$2 ;;
*) job=${XDG_STATE_HOME:-$HOME/.local/state}/torch-matrix/remote/jobs/${2:?} ;;
esac
case $verb in
prepare) # prepare JOB REPOSITORY RESULTS [FILE VALUE]...: what to build; prints the repository to push to
    base=${job%/jobs/*}
    mkdir -p "$job/remote" "$base/repositories" "$base/trees" || exit 2
    repository=$base/repositories/$3 results=$base/results/$4
    [ -e "$repository/HEAD" ] || git init --quiet --bare --template= "$repository" >&2 || exit 2
    name=${job##*/}
    shift 4
    set -- "$@" repository "$repository" tree "$base/trees/$name" results "$results"
    while [ $# -gt 1 ]; do
        printf '%s\n' "$2" >"$job/remote/$1" || exit 2
        shift 2
    done
    printf '%s\n' "$repository"
    ;;
start) # start JOB: runs it, whoever is logged in
    [ "$(state)" != none ] || setsid sh "$job/remote/script" run "$job" </dev/null >/dev/null 2>&1 &
    ;;
run) run ;;
state) state ;;
follow) follow "$3" ;;
outcome)
    [ ! -e "$job/remote/started" ] || printf 'started %s\n' "$(value started)"
    cat "$job/remote/ended"
    ;;
reap) # reap JOB ENGINE: see above
    engine=$3
    for name in '' TERM KILL; do
        [ -z "$name" ] || signal "$name"
        for _ in 1 2 3 4 5; do
            kill -0 "-$engine" 2>/dev/null || [ -n "$(processes)" ] || exit 0
            sleep 1
        done
    done
    ;;
stop) # stop JOB
    if alive; then kill -TERM "$process"; elif [ "$(state)" = none ]; then
        stops=1 tree=$job/none
        ended stopped 130
    fi
    ;;
remove) # remove JOB: unless it runs
    [ "$(state)" != running ] || exit 1
    git --git-dir="$(value repository)" update-ref -d "refs/torch-matrix/jobs/${job##*/}"
    rm -rf "$job"
    ;;
*)
    echo "remote.sh: unknown verb: $verb" >&2
    exit 2
    ;;
esac
