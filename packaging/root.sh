# shellcheck shell=bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# The Debian root in which torch-matrix is built and run where the distribution itself has no KF6 or too old a Qt. It is made
# once from the packages of the mirror that this machine uses anyway, and entered with bubblewrap; sourced after lib.sh.
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

# One root serves every purpose: that of run.sh grows by the tests' packages when test.sh asks for them.
root_packages() { family=debian wanted "$@" | cut -d' ' -f1; }
root_folder() { # named after what it can hold, so that a changed list makes a new root
    echo "$cache/root-$({ echo "2 $suite"; uname -m; root_packages build run later tests; } | sha256sum | cut -c1-12)"
}
find_root() { # sets $root
    local purpose
    root=$(root_folder)
    for purpose; do [[ -e $root/.has/$purpose ]] || return 1; done
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
    [[ -e $keyring ]] || tools+=("$keyring_package")
    command -v bwrap >/dev/null || tools+=(bubblewrap)
    ((${#tools[@]} == 0)) || install "${tools[@]}"
    bwrap --bind / / true || die "bubblewrap cannot make a namespace here; where user namespaces are off, run this as root"
    [[ -n $(mirror) ]] || die "apt has no $vendor mirror among its sources; name one in TORCH_MATRIX_MIRROR"
    exec 7>"$cache/lock"
    flock 7
    if ! find_root "$@"; then
        for other in "$cache"/root-* "$cache"/new-root.*; do
            if [[ -d $other && $other != "$root" ]] && flock -n "$other" true; then rm -rf "$other"; fi
        done
        if [[ -d $root ]] && step "adding packages to $root (once, a minute)" fill "$root" "$@"; then
            exec 7>&-
            return
        fi
        new=$(mktemp -d "$cache/new-root.XXXXXX")
        if ! step "making a root of $vendor $suite in $root (once, a minute)" fill "$new" "$@"; then
            rm -rf "$new"
            die "the root could not be made from $(mirror). NO_PUBKEY above means that the package $keyring_package is too old: upgrade it"
        fi
        rm -rf "$root"
        mv "$new" "$root"
    fi
    exec 7>&-
}

# fill FOLDER PURPOSE...: unpacks the packages of these purposes, and all that they need, into a root. They are not installed: dpkg would wait for
# the disk after each file, run scripts, and need rights that a user may not have. What the scripts do and a build needs, `arrange` does.
# False where a package that is there has another version by now; such a root is made again.
fill() {
    local new=$1 purpose fetched status=0
    shift
    fetched=$(mktemp -d "$cache/fetched.XXXXXX")
    { fetch "$fetched" "$new" "$@" && unpack "$fetched" "$new" && arrange "$new"; } || status=$?
    rm -rf "$fetched"
    ((status == 0)) || return "$status"
    # What is compiled against: a build made with other versions is of no use in this root (build in lib.sh).
    # shellcheck disable=SC2046 # words
    [[ -e $new/.build ]] || dpkg-query --admindir="$new/var/lib/dpkg" -W $(root_packages build) | sha256sum | cut -c1-12 >"$new/.build" || return
    mkdir -p "$new/.has"
    for purpose; do : >"$new/.has/$purpose"; done
}

# fetch FOLDER ROOT PURPOSE...: downloads what the root lacks. apt gets settings of its own, and of this machine's only how it reaches a mirror.
fetch() {
    local folder=$1 new=$2 wanted=() name file late
    shift 2
    mkdir -p "$folder"/{etc/apt/{apt.conf.d,preferences.d,trusted.gpg.d},var/lib/apt/lists/partial,var/lib/dpkg,var/cache/apt/archives/partial}
    : >"$folder/var/lib/dpkg/status" # so that apt names all that is needed, whether the root has it or not
    {
        apt-config dump | grep '^Acquire::[a-z]*::' || true
        printf '%s "%s";\n' Dir "$folder/" Dir::State "$folder/var/lib/apt" Dir::State::status "$folder/var/lib/dpkg/status" \
            Dir::Cache "$folder/var/cache/apt" Dir::Etc "$folder/etc/apt" Dir::Log "$folder" APT::Sandbox::User '' \
            APT::Install-Recommends false Acquire::Languages none
    } >"$folder/apt.conf"
    echo "deb [signed-by=$keyring] $(mirror) $suite $components" >"$folder/etc/apt/sources.list"
    mapfile -t wanted < <(root_packages "$@")
    (
        export APT_CONFIG=$folder/apt.conf DEBIAN_FRONTEND=noninteractive
        apt-get update && apt-get -y --print-uris install '?essential' "${wanted[@]}" | sed -n "s/^'[^']*' \([^ ]*\) .*/\1/p" >"$folder/all" || exit
        late=' '
        [[ " $* " == *' tests '* ]] || late=" $(root_packages later | tr '\n' ' ')"
        while read -r file; do # name_version_architecture.deb
            name=${file%%_*}
            if [[ -e $new/.packages/$file || $late == *" $name "* ]]; then continue; fi
            if compgen -G "$new/.packages/${name}_*" >/dev/null; then
                echo "$name has another version by now"
                exit 1
            fi
            echo "$name"
        done <"$folder/all" >"$folder/lacking"
        mapfile -t wanted <"$folder/lacking"
        ((${#wanted[@]} == 0)) || { cd "$folder/var/cache/apt/archives" && apt-get download "${wanted[@]}"; }
    )
}

# unpack FOLDER ROOT: each package's files but texts for people, its entry among the installed ones, and what it says of its libraries, from which
# the Debian package of this program takes its dependencies. As many at a time as there are cores.
unpack() {
    local folder=$1 new=$2 name
    for name in bin lib lib64 sbin; do # the packages have these links too, whichever comes first
        mkdir -p "$new/usr/$name"
        [[ -e $new/$name ]] || ln -s "usr/$name" "$new/$name"
    done
    mkdir -p "$new"/var/lib/dpkg/{info,updates} "$new/.packages"
    echo 1 >"$new/var/lib/dpkg/info/format"
    # shellcheck disable=SC2016 # expanded there
    find "$folder/var/cache/apt/archives" -name '*.deb' -printf '%s %p\n' | sort -rn | cut -d' ' -f2 | xargs -r -n 4 -P "$(nproc)" bash -c '
        set -euo pipefail
        new=$1 info=$1/var/lib/dpkg/info control=$(mktemp -d)
        for deb in "${@:2}"; do
            dpkg-deb -e "$deb" "$control"
            name=$(sed -n "s/^Package: //p" "$control/control")
            if grep -qx "Multi-Arch: same" "$control/control"; then name=$name:$(sed -n "s/^Architecture: //p" "$control/control"); fi
            dpkg-deb --fsys-tarfile "$deb" | tar -x -v -C "$new" --no-same-owner --keep-directory-symlink --exclude="./dev/*" \
                --exclude="./usr/share/man/*" --exclude="./usr/share/doc/*" --exclude="./usr/share/locale/*" --exclude="./usr/share/info/*" |
                sed "s|^[.]/\$|/.|; t; s|^[.]||; s|/\$||" >"$info/$name.list"
            for part in symbols shlibs; do [[ ! -e $control/$part ]] || mv "$control/$part" "$info/$name.$part"; done
            { sed -n 1p "$control/control" && echo "Status: install ok installed" && sed 1d "$control/control" && echo; } >"$new/.packages/${deb##*/}"
            rm -rf "${control:?}"/*
        done
        rmdir "$control"
    ' - "$new" || return
    cat "$new"/.packages/*.deb >"$new/var/lib/dpkg/status"
}

# arrange ROOT: what the packages' scripts would have done.
arrange() {
    local new=$1 link
    for link in bin/awk=mawk bin/c++=g++ bin/cc=gcc bin/which=which.debianutils sbin/{slurmctld=slurmctld,slurmd=slurmd,slurmstepd=slurmstepd}-wlm; do
        [[ -e $new/usr/${link%%=*} ]] || ln -s "${link#*=}" "$new/usr/${link%%=*}"
    done
    ln -sfn "${vendor,,}" "$new/etc/dpkg/origins/default"
    for link in 10-hinting-slight 70-no-bitmaps-except-emoji; do
        [[ ! -d $new/etc/fonts/conf.d ]] || ln -sfn "/usr/share/fontconfig/conf.avail/$link.conf" "$new/etc/fonts/conf.d/"
    done
    cp -n "$new/usr/share/libc-bin/nsswitch.conf" "$new/etc/" || return
    mkdir -p "$new"/{proc,sys,dev,run,tmp,root,home} "$new"/usr/{local,src,share/fonts/machine}
    bwrap --bind "$new" / --dev-bind /dev /dev --proc /proc sh -c \
        'ldconfig; if [ -x /usr/bin/update-mime-database ]; then update-mime-database /usr/share/mime; fi'
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
    # In memory first: on a full disk bubblewrap could not write there, and its command would wait forever.
    info=$(mktemp -p /dev/shm 2>/dev/null) || info=$(mktemp) || die "no temporary file can be made"
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
