# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# nix-build packaging/nix
{
  pkgs ? import <nixpkgs> { },
}:
pkgs.callPackage ./package.nix { }
