# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# nix build "git+file://$PWD?dir=packaging/nix"
{
  description = "Manages matrices of PyTorch builds with Flox";
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";
  outputs =
    { self, nixpkgs }:
    let
      perSystem = nixpkgs.lib.genAttrs [
        "x86_64-linux"
        "aarch64-linux"
      ];
    in
    {
      packages = perSystem (system: {
        default = nixpkgs.legacyPackages.${system}.callPackage ./package.nix {
          commit = self.shortRev or "unknown";
        };
      });
    };
}
