# shellcheck shell=bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# The Debian root in which torch-matrix is built and run where the distribution itself has no KF6 or too old a Qt. It is made
# once by mmdebstrap from the mirror that this machine uses anyway, and entered with bubblewrap; sourced after lib.sh.
# shellcheck disable=SC2154

root= # the root's folder, once it is known
# The user's own programs, which run outside of the root (inside/on-host) where the machine has them.
host_programs=(git gpg ssh ssh-add ssh-keygen flox nix nix-build nix-instantiate nix-prefetch-git nix-store nvidia-smi sbatch scancel sinfo
    squeue sacct systemd-inhibit xdg-open)

# The release that the root is made of: the oldest one of the same vendor that has what is needed.
vendor=Debian suite=trixie components=main keyring=/usr/share/keyrings/debian-archive-keyring.gpg keyring_package=debian-archive-keyring
if grep -qsE '^ID(_LIKE)?=.*ubuntu' /etc/os-release; then
    vendor=Ubuntu suite=resolute components='main universe' keyring=/usr/share/keyrings/ubuntu-archive-keyring.gpg keyring_package=ubuntu-keyring
fi

# mirror: the address of the vendor's archive as apt is set up here, whichever notation its sources are written in.
mirror() {
    if [[ -n ${TORCH_MATRIX_MIRROR:-} ]]; then echo "$TORCH_MATRIX_MIRROR"; return; fi
    # shellcheck disable=SC2016 # apt's own notation
    apt-get indextargets --format '$(ORIGIN) $(LABEL) $(COMPONENT) $(REPO_URI) $(RELEASE)' 'Created-By: Packages' 2>/dev/null |
        awk -v vendor="$vendor" '$1 == vendor && $2 == vendor && $3 == "main" && $5 !~ /security/ && !found++ { print $4 }'
}

# Each takes purposes. The root of run.sh (build, run) has half the packages of the tests' root, which serves it as well.
root_packages() { family=debian wanted "$@" | cut -d' ' -f1; }
root_folder() { # named after what is in it, so that a changed list makes a new root
    echo "$cache/root-$({ echo "1 $suite"; uname -m; root_packages "$@"; } | sha256sum | cut -c1-12)"
}
every_purpose=(build run tests)
find_root() { # sets $root
    root=$(root_folder "$@")
    [[ -d $root || ! -d $(root_folder "${every_purpose[@]}") ]] || root=$(root_folder "${every_purpose[@]}")
    [[ -d $root ]]
}
has_root() {
    if [[ $family == debian ]] && find_root "$@"; then return 0; fi
    root=
    return 1
}

use_root() {
    [[ $family == debian ]] || die "this distribution offers no KF6 and Qt 6.7; a Debian root can only be made where apt is"
    find_root "$@" || make_root "$@"
    exec 8<"$root" # held as long as anything runs in it, so that it is not removed from under it
    flock -s 8
}

make_root() {
    local tools=() new other
    command -v mmdebstrap >/dev/null || tools+=(mmdebstrap "$keyring_package")
    command -v bwrap >/dev/null || tools+=(bubblewrap)
    ((EUID == 0)) || command -v newuidmap >/dev/null || tools+=(uidmap)
    ((${#tools[@]} == 0)) || install "${tools[@]}"
    bwrap --bind / / true || die "bubblewrap cannot make a namespace here; where user namespaces are off, run this as root"
    [[ -n $(mirror) ]] || die "apt has no $vendor mirror among its sources; name one in TORCH_MATRIX_MIRROR"
    exec 7>"$cache/lock"
    flock 7
    if [[ ! -d $root ]]; then
        for other in "$cache"/root-* "$cache"/new-root.*; do
            if [[ -d $other && $other != "$(root_folder build run)" && $other != "$(root_folder "${every_purpose[@]}")" ]] &&
                flock -n "$other" true; then rm -rf "$other"; fi
        done
        new=$(mktemp -d "$cache/new-root.XXXXXX")
        if ! step "making a root of $vendor $suite in $root (once, a few minutes)" bootstrap "$new" "$@"; then
            rm -rf "$new"
            die "the root could not be made from $(mirror). NO_PUBKEY above means that the package $keyring_package is too old: upgrade it"
        fi
        mv "$new" "$root"
    fi
    exec 7>&-
}

# Packed and unpacked rather than made in place: so every file is this user's own, and nothing outside the root's folder needs rights.
bootstrap() {
    local new=$1 how=() names
    shift
    names=$(root_packages "$@" | paste -sd,)
    if ((EUID != 0)); then
        if grep -qs "^$(id -un):" /etc/subuid && unshare --user true 2>/dev/null; then how=(mmdebstrap --mode=unshare); else how=(sudo mmdebstrap); fi
    else
        how=(mmdebstrap --mode=root)
    fi
    TMPDIR=/var/tmp "${how[@]}" --variant=apt --format=tar --include="$names" --aptopt='Acquire::Languages "none"' \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt=force-unsafe-io \
        "$suite" - "deb [signed-by=$keyring] $(mirror) $suite $components" |
        tar -x -C "$new" --no-same-owner --exclude='./dev/*' || return
    # What is compiled against: what was built in another root with the same is of use in this one (build in lib.sh). A build names ccache and
    # mold where it found them, so every root has both; their versions change nothing.
    # shellcheck disable=SC2046 # words
    dpkg-query --admindir="$new/var/lib/dpkg" -W $(root_packages build | grep -vxE 'ccache|mold') | sha256sum | cut -c1-12 >"$new/.build" || return
    rm -rf "$new"/var/cache/apt "$new"/var/lib/apt "$new"/etc/{resolv.conf,hostname,localtime}
    mkdir -p "$new/usr/share/fonts/machine"
}

# --- going in -----------------------------------------------------------------------------------------------------

# view PURPOSE: what is seen inside. /usr, /etc and the list of packages that describes them are the root's; all else is this machine's, at its
# own place, so that a path means the same.
view() {
    local entry name
    view=(--ro-bind "$root/usr" /usr --bind "$root/etc" /etc --dev-bind /dev /dev --bind /proc /proc --bind /sys /sys)
    for entry in bin sbin lib lib32 lib64 libx32; do
        if [[ -L $root/$entry ]]; then view+=(--symlink "usr/$entry" "/$entry"); fi
    done
    for entry in /*; do
        case $entry in
        /bin | /sbin | /lib | /lib32 | /lib64 | /libx32 | /usr | /etc | /dev | /proc | /sys | /boot | /lost+found) ;;
        *) if [[ -L $entry ]]; then view+=(--symlink "$(readlink "$entry")" "$entry"); else view+=(--bind "$entry" "$entry"); fi ;;
        esac
    done
    view+=(--ro-bind-try "$root/var/lib/dpkg" /var/lib/dpkg)
    for name in passwd group hosts hostname resolv.conf localtime machine-id gitconfig ssh ssl nix flox.toml; do
        view+=(--ro-bind-try "/etc/$name" "/etc/$name")
    done
    view+=(--remount-ro /etc) # what a user writes there must fail, not end in the root
    # Root stays as able as it is outside: bubblewrap would take its capabilities away.
    if ((EUID == 0)); then view+=(--cap-add ALL); fi
    [[ $1 == run ]] || return 0

    view+=(--bind /usr/local /usr/local --bind-try /usr/src /usr/src --ro-bind-try /usr/share/fonts /usr/share/fonts/machine
        --ro-bind-try /usr/lib/locale /usr/lib/locale --dir /.torch-matrix/bin
        --dev-bind / /.torch-matrix/host)
    # The tests' own nix, whose store would be gone with the last process in here. A root without the tests has none.
    [[ ! -e $root/usr/bin/nix ]] || view+=(--ro-bind /dev/null /usr/bin/nix)
    for name in "${host_programs[@]}"; do
        if type -P "$name" >/dev/null; then view+=(--symlink "$packaging/inside/on-host" "/.torch-matrix/bin/$name"); fi
    done
}

# in_root PURPOSE COMMAND...: for build, as it is; for run, with the user's own programs of the machine.
in_root() {
    local view
    view "$1"
    shift
    bwrap "${view[@]}" --chdir "$PWD" -- "$@"
}

# stay_in_root COMMAND...: ends this script with the command's own end. bubblewrap leaves a process between, which passes no signal on, so
# this script does. A terminal sends its own signals to the command as well: those are not sent twice. kill -9 of this script kills the command.
# Builds go on: their runners are no children of it, stay in this view of the machine, and hold the root's folder (fd 8) as long as they live.
stay_in_root() {
    local view info monitor='' passed='' code status=0 signal
    view run
    info=$(mktemp)
    exec 6<>"$info" # where bubblewrap writes the command's process id
    rm "$info"
    # What belongs to this machine's own libraries must not be loaded into the root's program.
    unset QT_PLUGIN_PATH LD_PRELOAD LD_LIBRARY_PATH
    export TORCH_MATRIX_HOST_PATH=$PATH
    PATH=/.torch-matrix/bin:$PATH:/usr/bin:/bin
    for signal in INT TERM HUP; do
        # shellcheck disable=SC2064
        trap "pass_on $signal" "$signal"
    done
    exec 5<&0 # a command in the background would read from /dev/null
    # Blocked, not ignored: a signal to the whole group leaves bubblewrap be, and one that comes early waits for the command.
    env --default-signal=INT,QUIT --block-signal=INT,TERM,HUP setpriv --pdeathsig KILL \
        bwrap "${view[@]}" --chdir "$PWD" --die-with-parent --info-fd 6 -- env --default-signal=INT,QUIT,TERM,HUP -- "$@" <&5 5<&- &
    monitor=$!
    if [[ -n $passed ]]; then pass_on "$passed"; fi
    passed=none
    while [[ -n $passed ]]; do # a signal that was passed on ends wait as well
        passed=
        code=0
        wait "$monitor" || code=$?
        ((code == 127)) || status=$code
    done
    exit "$status"
}
pass_on() {
    local command=
    passed=$1
    if [[ -z $monitor ]] || [[ $1 != TERM && (-t 0 || -t 1 || -t 2) ]]; then return 0; fi
    while [[ -z $command ]] && kill -0 "$monitor" 2>/dev/null; do
        command=$(sed -n 's/.*"child-pid": *\([0-9]*\).*/\1/p' "/proc/$$/fd/6")
    done
    kill -s "$1" "$command" 2>/dev/null || true
}
