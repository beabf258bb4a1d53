#!/usr/bin/env bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# install.sh BUILD: installs a build into a folder of its own, and lets the desktop's own programs judge what lies there.
set -euo pipefail
build=$1
packaging=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0
fail() { echo "$*"; status=1; }
# packaging/packages lists these programs.
here() { type -P "$1" >/dev/null || { fail "$1 is not installed"; return 1; }; }

files_of() { (cd "$1" && find . -type f -not -path './share/mime/*' | sort); }

# Only what is installed is made: the tests run after a build.
DESTDIR=$folder cmake --install "$build" --prefix /usr >/dev/null
usr=$folder/usr
cd "$usr"
metainfo=share/metainfo/io.github.torch_matrix.torch_matrix.metainfo.xml
for file in bin/torch-matrix share/man/man1/torch-matrix.1.gz share/bash-completion/completions/torch-matrix \
    share/zsh/*/_torch-matrix share/fish/vendor_completions.d/torch-matrix.fish share/applications/torch-matrix.desktop \
    $metainfo share/mime/packages/torch-matrix.xml share/doc/torch-matrix/copyright \
    share/icons/hicolor/{scalable/apps/torch-matrix.svg,symbolic/apps/torch-matrix-symbolic.svg}; do
    [[ -s $file ]] || fail "$file is not installed, or is empty"
done
for size in 16 22 24 32 48 64 128 256 512; do
    # Width and height are the first two numbers of a PNG's header.
    width=$(od -An -j16 -N8 -tu1 "share/icons/hicolor/${size}x$size/apps/torch-matrix.png" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }')
    [[ $width == "${size}x$size" ]] || fail "the icon of $size pixels is $width"
done

if here desktop-file-validate; then desktop-file-validate share/applications/torch-matrix.desktop || fail "the desktop file is not valid"; fi
grep -q '^MimeType=.*inode/directory;' share/applications/torch-matrix.desktop || fail "folders cannot be opened with it"
if here appstreamcli; then
    appstreamcli validate-tree --no-net "$folder" || fail "the AppStream metadata and what they name do not agree"
    appstreamcli validate --no-net --strict $metainfo || fail "the AppStream metadata are not valid"
fi
if here update-mime-database; then
    update-mime-database share/mime >/dev/null 2>&1 || fail "the MIME type is not valid"
    grep -q 'torch-matrix.toml' share/mime/globs2 || fail "torch-matrix.toml has no MIME type"
fi
bash -n share/bash-completion/completions/torch-matrix || fail "the completions for bash are not valid"
said=$(bin/torch-matrix --version)
# The template engine is a library of its own, which it must find from there.
XDG_CONFIG_HOME=$folder/config XDG_CACHE_HOME=$folder/cache bin/torch-matrix sample "$folder/sample" >/dev/null || fail "the installed program renders no recipe"
[[ $said =~ ^torch-matrix\ ([0-9.]+)\ \(([0-9a-f]{7,}|unknown)\)$ ]] || fail "--version says: $said"
grep -q "<release version=\"${BASH_REMATCH[1]:-}\"" $metainfo || fail "the AppStream metadata have no such release"
zcat share/doc/torch-matrix/changelog.gz | grep -q "^## ${BASH_REMATCH[1]:-}\$" || fail "CHANGELOG.md has no such version"

# The Debian package: nothing for lintian to say, and a program that works from what it holds.
if [[ -e /etc/debian_version ]] && here lintian; then
    (cd "$build" && cpack -G DEB -B "$folder/package") >"$folder/said" 2>&1 || fail "cpack makes no package: $(tail -n 20 "$folder/said")"
    package=$(compgen -G "$folder/package/*.deb")
    lintian --no-cfg --allow-root --fail-on error,warning "$package" || fail "lintian finds mistakes in the package"
    dpkg-deb -x "$package" "$folder/unpacked"
    # update-mime-database has written beside the folder packages.
    diff <(files_of "$usr") <(files_of "$folder/unpacked/usr") || fail "the package holds other files"
    for library in libgit2 libqt6core; do
        dpkg-deb -f "$package" Depends | grep -q "$library" || fail "the package does not depend on $library"
    done
    "$folder/unpacked/usr/bin/torch-matrix" list --repo "$folder/sample" >/dev/null || fail "the program of the package does not start"
    said=$("$folder/unpacked/usr/bin/torch-matrix" . --help) || fail "the window of the package does not start: $said"
fi

# The archive: it needs no library of the machine, and works from a folder with a blank in its name, also what it starts to build.
mkdir "$folder/un packed"
(cd "$build" && cpack -G TGZ -B "$folder/archive") >"$folder/said" 2>&1 || fail "cpack makes no archive: $(tail -n 20 "$folder/said")"
tar -xf "$folder"/archive/*.tar.gz -C "$folder/un packed" --strip-components 1
archive=$folder/un\ packed/lib/torch-matrix
for file in "$archive"/*.program "$archive"/*.so "$archive"/plugins/*/*.so; do
    said=$("$archive/ld.so" --library-path "$archive/lib" --list "$file" | grep ' => ' | grep -vF "$archive" || true)
    [[ -z $said ]] || fail "the archive lacks what $file needs: $said"
done
for file in "list --repo $folder/sample" ". --help" "build pytorch-python313-cpu-avx2 --repo $folder/sample"; do
    # shellcheck disable=SC2086 # words
    (cd "$folder/sample" && env TORCH_MATRIX_STATE="$folder/state" PATH="$build/tests/standins:$PATH" "$folder/un packed/bin/torch-matrix" $file) \
        >"$folder/said" 2>&1 || fail "the archive's program fails at '$file': $(tail -n 5 "$folder/said")"
done

# The recipes of the other packages: read, and of the same version.
cd "$packaging"
for file in nix/*.nix; do
    if here nix-instantiate; then nix-instantiate --store dummy:// --parse "$file" >/dev/null || fail "packaging/$file cannot be read"; fi
done
if here python3; then
    python3 -c 'import tomllib, yaml; tomllib.load(open("flox/manifest.toml", "rb")); yaml.safe_load(open("flatpak/torch-matrix.yaml"))' ||
        fail "the manifest of Flox or Flatpak cannot be read"
fi
for file in nix/package.nix flox/manifest.toml; do
    grep -qE "^ *version = \"${BASH_REMATCH[1]:-}\";?\$" "$file" || fail "packaging/$file has another version"
done
exit "$status"
