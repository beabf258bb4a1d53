#!/usr/bin/env python3
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
"""fleet.py FOLDER [REPOSITORIES BRANCHES RECIPES]: real git repositories for "torch-matrix overview FOLDER", 20 x 10 x 100 of them.

Every other repository has PyTorch, the others a package that brings its own torch. Each branch has a pin and a version, so no two have the same
recipes.
"""
import hashlib
import subprocess
import sys

ROWS = {"sm75": "7.5", "sm80": "8.0", "sm86": "8.6", "sm89": "8.9", "sm90": "9.0", "sm100": "10.0", "sm103": "10.3", "sm120": "12.0"}
ISAS = {"avx2": "-mavx2 -mfma", "avx512": "-mavx512f -mavx512dq", "armv8_2": "-march=armv8.2-a", "armv9": "-march=armv9-a"}
RECIPE = """# {title} for {row} and {isa}
{{ pkgs ? import <nixpkgs> {{ }} }}:
let
  nixpkgs_pinned = import (builtins.fetchTarball {{
    url = "https://github.com/NixOS/nixpkgs/archive/{pin}.tar.gz";
  }}) {{
    config = {{ allowUnfree = true; cudaSupport = true; }};
    overlays = [ (final: prev: {{ cudaPackages = final.cudaPackages_{cuda}; }}) ];
  }};
  cpuFlags = [ {flags} ];
in
({package}).overrideAttrs (oldAttrs: {{
  pname = "{name}";
  requiredSystemFeatures = [ "big-parallel" ];
  preConfigure = (oldAttrs.preConfigure or "") + ''
    export CXXFLAGS="${{nixpkgs_pinned.lib.concatStringsSep " " cpuFlags}} $CXXFLAGS"
    export CFLAGS="${{nixpkgs_pinned.lib.concatStringsSep " " cpuFlags}} $CFLAGS"
  '';
  meta = oldAttrs.meta // {{
    description = "{title} for {row} with {isa}";
    platforms = [ "{platform}" ];
  }};
}})
"""
TORCH = "nixpkgs_pinned.{python}Packages.torch.override {{ cudaSupport = true; gpuTargets = [ \"{cc}\" ]; }}"
SERVED = ("(nixpkgs_pinned.{python}.override {{ packageOverrides = self: super: {{ torch = super.torch.override {{ gpuTargets = [ \"{cc}\" ]; }}; }}; "
          "}}).pkgs.vllm")


def recipe(torch, python, cuda, row, isa, pin, version):
    family = "pytorch" if torch else "vllm"
    name = f"{family}-{python}-cuda{cuda}-{row}-{isa}"
    values = dict(python=python, cuda=cuda, row=row, isa=isa, pin=pin, name=name, cc=ROWS[row],
                  title=f"PyTorch {version}" if torch else f"vLLM 0.15.1 (PyTorch {version})",
                  flags=" ".join(f'"{flag}"' for flag in ISAS[isa].split()),
                  platform="aarch64-linux" if isa.startswith("arm") else "x86_64-linux")
    values["package"] = (TORCH if torch else SERVED).format(**values)
    return name, RECIPE.format(**values)


def main():
    folder = sys.argv[1]
    repositories, branches, recipes = (int(word) for word in (sys.argv[2:] + ["20", "10", "100"][len(sys.argv) - 2:]))
    names = [(python, cuda, row, isa) for python in ("python313", "python312", "python311") for cuda in ("12_8", "12_9", "13_0")
             for row in ROWS for isa in ISAS][:recipes]
    for r in range(repositories):
        path = f"{folder}/build-{r:02}"
        subprocess.run(["git", "init", "-q", "-b", "branch-0", path], check=True)
        stream = []
        for b in range(branches):
            pin = hashlib.sha1(f"{b % 4} {r // 2 if b % 2 else b}".encode()).hexdigest()
            stream.append(f"commit refs/heads/branch-{b}\ncommitter Bench <bench@example.org> {1700000000 + b} +0000\ndata 7\nRecipes\n")
            files = [recipe(r % 2 == 0, *name, pin, f"2.{9 + b % 3}.{b // 3}") for name in names]
            files += [("../../README.md", f"# Recipes\n\nThe nixpkgs pin is {pin[:7]}.\n")]
            for name, text in files:
                where = "README.md" if name.startswith("..") else f".flox/pkgs/{name}.nix"
                data = text.encode()
                stream.append(f"M 100644 inline {where}\ndata {len(data)}\n{text}\n")
            stream.append("\n")
        subprocess.run(["git", "-C", path, "fast-import", "--quiet"], input="".join(stream).encode(), check=True)
        subprocess.run(["git", "-C", path, "reset", "-q", "--hard"], check=True)


main()
