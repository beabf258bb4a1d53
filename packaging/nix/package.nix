# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
{
  lib,
  stdenv,
  cmake,
  ninja,
  pkg-config,
  qt6,
  kdePackages,
  libgit2,
  tomlplusplus,
  cli11,
  zlib,
  commit ? "unknown",
}:

stdenv.mkDerivation {
  pname = "torch-matrix";
  version = "1.0.0";
  src = lib.cleanSource ../..;

  nativeBuildInputs = [
    cmake
    ninja
    pkg-config
    qt6.qttools
    qt6.wrapQtAppsHook
  ];
  buildInputs = [
    qt6.qtbase
    qt6.qtsvg
    qt6.qtwayland
    kdePackages.syntax-highlighting
    libgit2
    tomlplusplus
    cli11
    zlib
  ];
  cmakeFlags = [
    "-DTORCH_MATRIX_TESTS=OFF"
    "-DTORCH_MATRIX_COMMIT=${commit}"
  ];

  meta = {
    description = "Manages matrices of PyTorch builds with Flox";
    license = lib.licenses.mit;
    platforms = lib.platforms.linux;
    mainProgram = "torch-matrix";
  };
}
