# shellcheck shell=bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# What run.sh, test.sh and the other scripts here share: the packages, the two ways to build, and the build itself.

umask 022
packaging=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
source=$(dirname "$packaging")
cache=${XDG_CACHE_HOME:-$HOME/.cache}/torch-matrix
mkdir -p "$cache"
way=    # native: built with this machine's packages; root: in a Debian root of its own (root.sh)
family= # whose package names count: debian, fedora, arch, or none that is known

say() { printf 'torch-matrix: %s\n' "$*" >&2; }
die() { say "$*"; exit 3; }

# step TEXT COMMAND...: one line for the reader; what the command says goes to a log, shown when the command fails. CI gets all of it.
step() {
    local text=$1 log status=0
    shift
    say "$text"
    if [[ -n ${CI:-} ]]; then
        "$@" </dev/null >&2 || status=$?
    else
        log=$(mktemp "$cache/log.XXXXXX")
        "$@" </dev/null >"$log" 2>&1 || status=$?
        ((status == 0)) || { grep -vE '^\[[0-9]+/[0-9]+\] ' "$log" || true; } | tail -n 60 >&2
        rm -f "$log"
    fi
    ((status == 0)) || say "this step failed: $text"
    return "$status"
}

# as_root COMMAND...: by sudo where that is needed; false where neither serves.
can_be_root() { ((EUID == 0)) || { command -v sudo >/dev/null && { [[ -t 2 ]] || sudo -n true 2>/dev/null; }; }; }
as_root() { if ((EUID == 0)); then "$@"; else sudo env DEBIAN_FRONTEND=noninteractive "$@"; fi; }

# --- packages -----------------------------------------------------------------------------------------------------

# wanted PURPOSE...: "package oldest-version" lines of this family.
wanted() { awk -v purposes=" $* " '$1 !~ /^#/ && index(purposes, " " $1 " ") { print $2, $3 }' "$packaging/packages/$family"; }

# installed PACKAGE... and offered PACKAGE...: "package version" lines of what is here and of what the package manager could install.
installed() {
    case $family in
    debian) dpkg-query -W -f '${db:Status-Abbrev} ${Package} ${Version}\n' "$@" 2>/dev/null | sed -n 's/^ii *//p' ;;
    fedora) rpm -q --qf '%{NAME} %{VERSION}\n' "$@" | grep -v ' is not installed$' ;;
    arch) pacman -Q "$@" 2>/dev/null ;;
    esac || true
}
offered() {
    case $family in
    debian) LC_ALL=C apt-cache policy "$@" | awk '/^[^ ]/ { sub(/:$/, ""); name = $0 } $1 == "Candidate:" && $2 != "(none)" { print name, $2 }' ;;
    fedora) dnf -q repoquery --latest-limit 1 --qf '%{name} %{version}\n' "$@" ;;
    arch) LC_ALL=C pacman -Si "$@" 2>/dev/null | awk '$1 == "Name" { name = $3 } $1 == "Version" { print name, $3 }' ;;
    esac || true
}

at_least() { [[ -z $2 ]] || printf '%s\n' "$2" "$1" | sort -V -C; }

# lacking PURPOSE...: the wanted packages that are not among the "package version" lines on standard input, or are too old there.
lacking() {
    local -A there=()
    local name version oldest
    while read -r name version; do there[$name]=${version#*:}; done
    while read -r name oldest; do
        if [[ -z ${there[$name]:-} ]] || ! at_least "${there[$name]}" "$oldest"; then echo "$name"; fi
    done < <(wanted "$@")
}
not_installed() { wanted "$@" | cut -d' ' -f1 | in_words installed | lacking "$@"; }
not_offered() { wanted "$@" | cut -d' ' -f1 | in_words offered | lacking "$@"; }
in_words() { local words; mapfile -t words; "$@" "${words[@]}"; }

has_lists() { # a bare machine has none
    case $family in
    debian) [[ -n $(apt-get indextargets 2>/dev/null | head -n 1) ]] ;;
    arch) compgen -G '/var/lib/pacman/sync/*.db' >/dev/null ;;
    esac
}
refresh() {
    case $family in
    debian) as_root apt-get update ;;
    arch) as_root pacman -Sy ;;
    fedora) as_root dnf makecache ;;
    esac
}
install() {
    local command
    case $family in
    debian) command=(apt-get install -y --no-install-recommends "$@") ;;
    fedora) command=(dnf install -y --setopt=install_weak_deps=False "$@") ;;
    arch) command=(pacman -S --needed --noconfirm "$@") ;;
    esac
    export DEBIAN_FRONTEND=noninteractive
    can_be_root || die "packages are missing and this user cannot install them. As root: ${command[*]}"
    ((EUID == 0)) || sudo -v
    step "installing ${#} packages" as_root "${command[@]}" && return
    # Lists of some weeks ago name versions that the mirror no longer has.
    step "fetching the package lists" refresh && step "installing ${#} packages" as_root "${command[@]}" && return
    die "the packages could not be installed: ${command[*]}"
}

# --- the two ways -------------------------------------------------------------------------------------------------

# setup PURPOSE...: makes sure that what these purposes need is there, and sets $way. Quick when it is.
setup() {
    local missing
    if command -v apt-get >/dev/null; then family=debian
    elif command -v dnf >/dev/null; then family=fedora
    elif command -v pacman >/dev/null; then family=arch
    else
        command -v cmake >/dev/null || die "neither apt, dnf nor pacman is here: install by hand what the README lists under Dependencies"
        way=native
        return
    fi
    way=${TORCH_MATRIX_SETUP:-}
    mapfile -t missing < <(not_installed "$@")
    if [[ -z $way ]]; then
        if ((${#missing[@]} == 0)); then way=native
        elif has_root "$@"; then way=root
        else
            if ! has_lists; then
                can_be_root || die "the package manager has no lists yet, and this user cannot fetch them. As root: apt-get update (Arch: pacman -Sy)"
                step "fetching the package lists" refresh || die "the package lists could not be fetched"
            fi
            way=native
            [[ -z $(not_offered "$@") ]] || way=root
        fi
    fi
    case $way in
    native) ((${#missing[@]} == 0)) || install "${missing[@]}" ;;
    root) use_root "$@" ;;
    *) die "TORCH_MATRIX_SETUP is '$way'; it can be native or root" ;;
    esac
}

# plainly COMMAND...: in a plain environment, so that a tool chain or a Qt somewhere on the user's PATH does not get into the build.
plainly() {
    local path=/usr/bin:/bin variable plain=()
    [[ -n $family ]] || path=$PATH
    for variable in CI TERM "${!TORCH_MATRIX_@}"; do
        [[ -z ${!variable:-} ]] || plain+=("$variable=${!variable}")
    done
    plain+=(HOME="$HOME" PATH="$path" LANG=C.UTF-8 QT_QPA_PLATFORM=offscreen
        PYTHONPYCACHEPREFIX="$cache/python" CCACHE_DIR="$cache/ccache" CCACHE_BASEDIR="$source" CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=2G
        CCACHE_DEPEND=1) # a source that is not in its cache is not preprocessed before it is compiled
    if [[ $way == root ]]; then in_root build env -i "${plain[@]}" "$@"; else env -i "${plain[@]}" "$@"; fi
}

# build PRESET [TARGET...]: does nothing, in a few milliseconds, when no source is newer than the last build. It configures with $options.
options=()
build() {
    local preset=$1 folder=$source/build/$1 stamp key
    shift
    stamp=$folder/.built
    key="$source $way ${root:+$(cat "$root/.build" 2>/dev/null || echo "$root")}" # a build made the other way, or in a folder since moved, is of no use
    if [[ -f $stamp && $(<"$stamp") == "$key $*" && -z $(newer_than "$stamp") ]]; then return; fi
    mkdir -p "$source/build"
    exec 9>"$source/build/.lock"
    flock 9
    if [[ -f $folder/.key && $(<"$folder/.key") != "$key" ]]; then rm -rf "$folder"; fi
    mkdir -p "$folder"
    echo "$key" >"$folder/.key"
    echo "$key $*" >"$stamp.new" # older than any edit made while the build runs
    if [[ ! -f $folder/build.ninja ]] || ((${#options[@]} > 0)); then
        step "configuring ($preset)" plainly cmake -S "$source" --preset "$preset" "${options[@]}" || return
    fi
    step "building ($preset)" plainly cmake --build "$folder" ${1:+--target "$@"} || return
    mv "$stamp.new" "$stamp"
    exec 9>&-
}
newer_than() { (cd "$source" && find CMakeLists.txt CMakePresets.json app model views resources templates tests packaging/checks -newer "$1" -print -quit 2>/dev/null); }
