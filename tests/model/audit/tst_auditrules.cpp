// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// Every rule: a recipe that trips it, which is a sound one with one change, and the sound one, which must not. What can
// be mended in place is mended, and is the sound one again byte for byte, unless the row says what else comes of it.
#include "tests/support/AuditedText.h"
#include "tests/support/NixInstantiate.h"
#include "tests/support/TestMain.h"

#include "model/audit/Fix.h"

#include <QCoreApplication>
#include <QDir>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

/// The result of fixing the changed recipe.
enum class Mended { No, Sound, Otherwise };

struct Row {
    const char *rule;
    const char *branch;
    const char *name;
    const char *from; ///< in the sound recipe; "" for a change of the input that is no text
    const char *to;
    Mended mended = Mended::No;
    int line = -1; ///< of the finding, when that matters; 0 is the whole file
    const char *fixture = "";
};

constexpr auto gpu13 = "pytorch-python313-cuda13_0-sm90-avx512";
constexpr auto cpu13 = "pytorch-python313-cpu-avx2";
constexpr auto avx13 = "pytorch-python313-cpu-avx";
constexpr auto gpu12 = "pytorch-python313-cuda12_8-sm90-avx2";
constexpr auto arm12 = "pytorch-python313-cuda12_8-sm90-armv9";
constexpr auto pascal = "pytorch-python313-cuda12_8-sm61-avx";
constexpr auto cpu12 = "pytorch-python313-cpu-avx512";
constexpr auto vision = "torchvision-python313-cuda12_8-sm90-avx2";
constexpr auto inPlace = "torchvision-in-place.nix";
constexpr auto sibling = "torchvision-sibling.nix";
constexpr auto published = "torchvision-published.nix";
constexpr auto fetched = "torchvision-fetched.nix";
constexpr auto withMkl = "mkl.nix";
constexpr auto armCpu12 = "pytorch-python313-cpu-armv9";
constexpr auto metal = "pytorch-python313-darwin-mps";

constexpr auto torchToolkit =
    "{ pkgs ? import <nixpkgs> { } }:\n"
    "pkgs.python313Packages.torch.override {\n"
    "  cudaSupport = true;\n  cudaPackages = pkgs.cudaPackages_12_8;\n  gpuTargets = [ \"9.0\" ];\n}\n";
constexpr auto visionOverCpu =
    "{ pkgs ? import <nixpkgs> { } }:\nlet\n  pinned = import (fetchTarball { url = \"https://github.com/NixOS/nixpkgs/"
    "archive/fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3.tar.gz\"; }) { config.allowUnfree = true; };\nin\n"
    "pinned.python313Packages.torchvision.overrideAttrs (old: { pname = \"torchvision\"; })\n";
constexpr auto visionToolkit =
    "{ pkgs ? import <nixpkgs> { } }:\nlet\n  pinned = import (fetchTarball { url = \"https://github.com/NixOS/nixpkgs/"
    "archive/fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3.tar.gz\"; }) { config.cudaSupport = true; };\n"
    "  torch = pinned.python313Packages.torch.override { cudaPackages = pinned.cudaPackages_12_8; };\nin\n"
    "pinned.python313Packages.torchvision.override { inherit torch; }\n";

constexpr Row rows[] = {
    {"name-dotted", "main", "pytorch-python313-cuda12_8-sm90-armv8.2", "", "", Mended::No, 0},
    {"name-not-canonical", "main", "pytorch-py313-cuda12_8-sm90-avx2", "", "", Mended::No, 0},
    {"duplicate", "main", gpu12, "", "", Mended::No, 0},
    {"cell-invalid", "cuda-13_0", "pytorch-python313-cuda13_0-sm121-avx2", "", "", Mended::No, 0},
    {"no-derivation", "main", gpu12, nullptr, "1 + 1\n", Mended::No, 0},
    {"no-derivation", "main", gpu12, nullptr, "{ pkgs }: \"${pkgs.hello}\"\n", Mended::No, 0},
    {"not-understood", "main", gpu12, nullptr, "{ pkgs }: import ./other.nix\n", Mended::No, 1},
    {"pname-other", "main", gpu12, "pname = \"pytorch-", "pname = \"torch-", Mended::Sound},
    {"pname-of-another", "main", gpu12, "pname = \"pytorch-python313-cuda12_8-sm90-avx2",
     "pname = \"pytorch-python313-cuda12_8-sm90-avx512", Mended::Sound},
    {"pname-other", "main", gpu12, "  pname = \"pytorch-python313-cuda12_8-sm90-avx2\";\n", ""},
    {"pin-missing", "main", cpu12, "(nixpkgs_pinned.", "(pkgs."},
    {"pin-other", "main", gpu12, "fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3", "6a030d535719c5190187c4cec156f335e95e3211",
     Mended::Sound},
    {"pin-other", "main", gpu12, "fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3.tar.gz\";",
     "6a030d535719c5190187c4cec156f335e95e3211.tar.gz\"; sha256 = \"0000\";"},
    {"revision-unknown", "main", gpu12, "fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3.tar.gz",
     "fe5e41d7ffc0421f0913e8472ce6238ed0daf8e.tar.gz"},
    {"pin-address", "main", gpu12, "nixpkgs/archive/", "nixpkgs/archives/"},
    {"pin-address", "main", gpu12, "NixOS/nixpkgs/", "NixOS/nixpgks/"},
    {"cuda-support-other", "main", gpu12, "      cudaSupport = true;", "      cudaSupport = true; rocmSupport = true;",
     Mended::Otherwise},
    {"pin-moves", "main", gpu12, "fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3.tar.gz", "nixos-unstable.tar.gz"},
    {"callers-nixpkgs", "main", cpu12, "inherit (nixpkgs_pinned) lib openblas;",
     "inherit (nixpkgs_pinned) lib; inherit (pkgs) openblas;"},
    {"toolkit-not-selected", "main", gpu12, "(final: prev: { cudaPackages = final.cudaPackages_12_8; })", ""},
    {"toolkit-not-selected", "main", gpu12, "(final: prev: { cudaPackages = final.cudaPackages_12_8; })",
     "# (final: prev: { cudaPackages = final.cudaPackages_12_8; })"},
    {"toolkit-not-selected", "main", gpu12, "(nixpkgs_pinned.", "(pkgs."},
    {"cuda-overlay-other", "main", gpu12, "final.cudaPackages_12_8", "final.cudaPackages_12_9", Mended::Sound},
    {"cuda-overlay-name", "cuda-13_0", gpu13, "final.cudaPackages_13", "final.cudaPackages_13_0", Mended::Sound},
    {"attribute-pytorch", "cuda-13_0", gpu13, "Packages.torch.override", "Packages.pytorch.override", Mended::Sound},
    {"attribute-alias", "main", gpu12, "Packages.torch.override", "Packages.pytorch.override", Mended::Sound},
    {"attribute-other", "main", gpu12, "Packages.torch.override", "Packages.torchaudio.override", Mended::Sound},
    {"python-other", "main", gpu12, "nixpkgs_pinned.python313Packages", "nixpkgs_pinned.python312Packages",
     Mended::Sound},
    {"from-scratch", "main", gpu12, nullptr,
     "{ python3Packages }: python3Packages.buildPythonPackage rec { pname = \"torch\"; version = \"2.9.0\"; }\n"},
    {"hash-empty", "main", gpu12, nullptr,
     "{ python3Packages, fetchFromGitHub }: python3Packages.buildPythonPackage rec { pname = \"torch\"; src = "
     "fetchFromGitHub { hash = \"\"; }; }\n"},
    {"hash-empty", "cuda-13_0", gpu13, "sha256-RKiZLHBCneMtZKRgTEuW1K7+Jpi+tx11BMXuS1jC1xQ=", "", Mended::Sound},
    {"hash-invalid", "cuda-13_0", gpu13, "sha256-RKiZLHBC", "sha256-RKiZLHB"},
    {"text-isa-other", "cuda-13_0", gpu13, "with AVX-512, CUDA", "with AVX2, CUDA"},
    {"text-version-other", "cuda-13_0", gpu13, "description = \"PyTorch ", "description = \"PyTorch 2.9.0 "},
    {"torch-version-other", "cuda-13_0", gpu13, "version = \"2.10.0\"", "version = \"2.9.0\""},
    {"torch-hash-other", "cuda-13_0", gpu13, "sha256-RKiZLHBC", "sha256-AAAAAAAA", Mended::Sound},
    {"torch-overlay-dead", "cuda-13_0", gpu13, "(nixpkgs_pinned.python3Packages", "(nixpkgs_pinned.python313Packages",
     Mended::Sound},
    {"magma-patch-missing", "cuda-13_0", gpu13, "magma = prev.magma", "other = prev.magma", Mended::Otherwise},
    {"magma-patch-other", "cuda-13_0", gpu13, "235aefb7", "335aefb7", Mended::Sound},
    {"magma-patch-other", "cuda-13_0", gpu13, "sha256-i9Inbx", "sha256-j9Inbx", Mended::Sound},
    {"magma-patch-other", "cuda-13_0", gpu13, "cuda-13.0-clockrate-fix.patch\";\n              url = \"https",
     "other.patch\";\n              url = \"http"},
    {"hash-empty", "cuda-13_0", gpu13, "sha256-i9InbxD5HtfonB/GyF9nQhFmok3jZ73RxGcIciGBGvU=", "", Mended::Sound},
    {"hash-empty", "main", gpu12,
     "  pname = ", "  extra = nixpkgs_pinned.fetchurl { url = \"x\"; sha256 = \"\"; };\n  pname = "},
    {"source-revision-other", "cuda-13_0", gpu13, "rev = \"v${version}\"", "rev = \"v2.9.1\""},
    {"source-repository-other", "cuda-13_0", gpu13, "owner = \"pytorch\"", "owner = \"somebody\""},
    {"submodules-missing", "cuda-13_0", gpu13, "                fetchSubmodules = true;\n", ""},
    {"magma-off", "cuda-13_0", gpu13, "\"-DCUDA_VERSION=13.0\"", "\"-DCUDA_VERSION=13.0\" \"-DUSE_MAGMA=OFF\""},
    {"gpu-targets-no-list", "main", gpu12, "gpuTargets = [ gpuArchSM ]", "gpuTargets = \"9.0\"", Mended::Otherwise},
    {"gpu-targets-notation", "main", gpu12, "gpuArchSM = \"9.0\"", "gpuArchSM = \"sm_90\"", Mended::Sound},
    {"gpu-targets-notation", "main", gpu12, "gpuArchSM = \"9.0\"", "gpuArchSM = \"90\"", Mended::Sound},
    {"gpu-targets-other", "main", gpu12, "gpuArchSM = \"9.0\"", "gpuArchSM = \"8.9\"", Mended::Sound},
    {"gpu-targets-other", "main", gpu12, "gpuArchSM = \"9.0\"", "gpuArchSM = \"None\"", Mended::Sound},
    {"gpu-targets-extra", "main", gpu12, "[ gpuArchSM ]", "[ gpuArchSM \"8.9\" ]"},
    {"gpu-targets-extra", "main", gpu12, "gpuTargets = [ gpuArchSM ]", "gpuTargets = [ \"9.0+PTX\" ]",
     Mended::Otherwise},
    {"gpu-targets-specific", "main", gpu12, "gpuTargets = [ gpuArchSM ]", "gpuTargets = [ \"9.0a\" ]"},
    {"gpu-targets-suffix", "main", gpu12, "gpuTargets = [ gpuArchSM ]", "gpuTargets = [ \"9.0f\" ]", Mended::Otherwise},
    {"toolkit-lacks-gpu", "main", pascal, "final.cudaPackages_12_8", "final.cudaPackages_13_0"},
    {"gpu-targets-missing", "main", gpu12, "  gpuTargets = [ gpuArchSM ];\n", ""},
    {"gpu-targets-missing", "main", gpu12, "[ gpuArchSM ]", "[ ]"},
    {"cmake-architectures-other", "main", gpu12,
     "export CFLAGS=", "export CMAKE_CUDA_ARCHITECTURES=89\n    export CFLAGS=", Mended::Otherwise},
    {"cuda-support-other", "main", gpu12, "  cudaSupport = true;\n  gpu", "  cudaSupport = false;\n  gpu",
     Mended::Sound},
    {"cuda-support-other", "main", cpu12, "cudaSupport = false", "cudaSupport = true", Mended::Sound},
    {"cuda-support-other", "cuda-13_0", cpu13, "-DUSE_CUDA=OFF", "-DUSE_CUDA=ON", Mended::Sound},
    {"cuda-parts-in-cpu", "main", cpu12,
     "buildInputs = ", "buildInputs = [ nixpkgs_pinned.cudaPackages.libcublas ] ++ "},
    {"cuda-parts-in-cpu", "main", cpu12, "cudaSupport = false;", "cudaSupport = false; gpuTargets = [ \"9.0\" ];"},
    {"cudnn-unsupported", "main", pascal, "USE_CUDNN=0", "USE_CUDNN=1", Mended::Sound},
    {"cudnn-unsupported", "main", pascal, "    export USE_CUDNN=0\n", ""},
    {"cpu-flags-f16c", "main", gpu12, "    \"-mf16c\"  # half-precision conversion\n", "", Mended::Otherwise},
    {"cpu-flags-missing", "main", gpu12, "    \"-mfma\"   # fused multiply-add\n", "", Mended::Otherwise},
    {"cpu-flags-missing", "main", gpu12, "    export CFLAGS=", "    export OTHERFLAGS="},
    {"cpu-flags-missing", "main", gpu12, "\"-mavx2\"", "\"-mavx\"", Mended::Otherwise},
    {"cpu-flags-missing", "main", gpu12, "\"-mavx2\" ", "\"-mavx512f\" # mine ", Mended::Otherwise},
    {"cpu-flags-other", "main", gpu12, "    \"-mfma\" ", "    \"-mavx512f\"\n    \"-mfma\" ", Mended::Sound},
    {"cpu-flags-other", "main", pascal, "    \"-mno-fma\" ", "    \"-mfma\"\n    \"-mno-fma\" ", Mended::Sound},
    {"cpu-flags-other", "main", gpu12, "    \"-mfma\" ", "    \"-march=native\"\n    \"-mfma\" ", Mended::Sound},
    {"cpu-flags-extra", "main", gpu12, "    \"-mfma\" ", "    \"-mamx-tile\"\n    \"-mfma\" ", Mended::Sound},
    {"not-understood", "main", gpu12, "cpuFlags = [", "cpuFlags = pkgs.hostFlags ++ ["},
    {"cpu-flags-switches", "main", pascal, "    \"-mno-fma\" ", "    # \"-mno-fma\" ", Mended::Otherwise},
    {"cpu-flags-appended", "main", gpu12, "export CXXFLAGS=\"${lib.concatStringsSep \" \" cpuFlags} $CXXFLAGS\"",
     "export CXXFLAGS=\"$CXXFLAGS ${lib.concatStringsSep \" \" cpuFlags}\""},
    {"avx-switches-missing", "main", pascal, "    export USE_FBGEMM=0\n", ""},
    {"avx-switches-missing", "cuda-13_0", avx13, "    \"-DC_AVX2_FOUND=FALSE\"\n", "    # \"-DC_AVX2_FOUND=FALSE\"\n",
     Mended::Otherwise},
    {"avx-switches-missing", "cuda-13_0", avx13, "    \"-DC_AVX2_FOUND=FALSE\"\n", "    \"-DC_AVX2_FOUND=TRUE\"\n"},
    {"mps-switches-missing", "main", metal, "export USE_MPS=1", "export USE_MPS=0", Mended::No, -1, "darwin-mps.nix"},
    {"cccl-missing", "cuda-13_0", gpu13, "      ln -s ", "      echo "},
    {"cccl-missing", "cuda-13_0", gpu13, "    export CUDAFLAGS=", "    # export CUDAFLAGS="},
    {"find-cudatoolkit-missing", "cuda-13_0", gpu13, "> cmake/Modules/FindCUDAToolkit.cmake",
     "> cmake/Modules/Other.cmake"},
    {"build-version", "cuda-13_0", gpu13, "export PYTORCH_BUILD_VERSION=2.10.0", "export PYTORCH_BUILD_VERSION=2.9.1",
     Mended::Sound},
    {"build-version", "cuda-13_0", cpu13, "> version.txt", "> other.txt"},
    {"build-number-other", "cuda-13_0", gpu13, "-DTORCH_BUILD_VERSION=2.10.0", "-DTORCH_BUILD_VERSION=2.9.1",
     Mended::Sound},
    {"build-number-other", "cuda-13_0", gpu13, "-DCUDA_VERSION=13.0", "-DCUDA_VERSION=12.8", Mended::Sound},
    {"allow-broken-missing", "cuda-13_0", gpu13, "allowBroken = true", "allowBroken = false", Mended::Sound},
    {"allow-broken-missing", "cuda-13_0", gpu13, "\n      allowBroken = true;  #", " #", Mended::Otherwise},
    {"parallelism-no-effect", "main", gpu12, "    export CFLAGS=", "    export MAX_JOBS=32\n    export CFLAGS="},
    {"parallelism-no-effect", "main", gpu12, "  passthru =", "  ninjaFlags = [ \"-j32\" ];\n  passthru ="},
    {"parallelism-fixed", "main", gpu12, "  passthru =", "  NIX_BUILD_CORES = 8;\n  passthru ="},
    {"parallelism-fixed", "main", gpu12, "    export CFLAGS=", "    export NIX_BUILD_CORES=8\n    export CFLAGS="},
    {"toolkit-partial", "main", gpu12, nullptr, torchToolkit},
    {"platforms-other", "main", arm12, "platforms = [ \"aarch64-linux\" ]", "platforms = [ \"x86_64-linux\" ]",
     Mended::Sound},
    {"platforms-extra", "main", cpu12, "[ \"x86_64-linux\" ]", "[ \"x86_64-linux\" \"aarch64-linux\" ]", Mended::Sound},
    {"platforms-missing", "main", cpu12, "    platforms = [ \"x86_64-linux\" ];\n", ""},
    {"platforms-extra", "main", cpu12, "platforms = [ \"x86_64-linux\" ]", "platforms = pkgs.lib.platforms.linux"},
    {"line-ends", "main", gpu12, "\n", "\r\n", Mended::Sound},
    {"driver-low", "main", gpu12, "NVIDIA 525.60.13+ required", "NVIDIA 390+ required", Mended::Sound},
    {"product-elsewhere", "main", gpu12, "GPU: H100", "GPU: L40S, H100"},
    {"product-elsewhere", "cuda-13_0", "pytorch-python313-cuda13_0-sm110-armv9", "GPU: DRIVE Thor",
     "GPU: Orin+, DRIVE Thor"},
    {"cpu-elsewhere", "main", arm12, "Neoverse V2", "AWS Graviton3+, Neoverse V2"},
    {"text-architecture-other", "main", gpu12, "GPU: H100", "GPU: SM89, H100"},
    {"text-cuda-other", "main", gpu12, "CUDA: 12.8", "CUDA: 12.9"},
    {"text-python-other", "main", gpu12, "Python: 3.13", "Python: 3.12", Mended::Sound},
    {"text-python-other", "main", gpu12, "Python: 3.13", "Python: 3.12\n        - Python 3.12: only",
     Mended::Otherwise},
    {"text-python-other", "main", gpu12, "Python: 3.13", "Python: 3.11 or newer"},
    {"text-python-other", "main", gpu12, "Python: 3.13", "Python: 3.10, 3.11"},
    {"passthru-other", "main", gpu12, "cpuISA = \"avx2\"", "cpuISA = \"avx512\"", Mended::Sound},
    {"passthru-missing", "main", gpu12, "    blasProvider = \"cublas\";\n", ""},
    {"companion-torch-missing", "main", vision, "  torch = customPytorch;\n", "", Mended::No, -1, inPlace},
    {"companion-torch-without-cuda", "main", vision, nullptr, visionOverCpu, Mended::No, -1, inPlace},
    {"toolkit-of-torch-alone", "main", vision, nullptr, visionToolkit, Mended::No, -1, inPlace},
    {"companion-torch-other", "main", vision, "cuda12_8-sm90-avx2.nix", "cuda12_8-sm90-avx512.nix", Mended::No, -1,
     sibling},
    {"companion-torch-other", "main", vision, "catalogs.acme.pytorch-python313-cuda12_8-sm90-avx2",
     "catalogs.acme.pytorch-python313-cuda12_8-sm89-avx2", Mended::No, -1, published},
    {"companion-torch-other", "main", vision, "customPytorch = (nixpkgs_pinned.", "customPytorch = (pkgs.", Mended::No,
     -1, inPlace},
    {"companion-sibling-missing", "main", vision, "import ./pytorch-python313-cuda12_8-sm90-avx2.nix",
     "import ./pytorch-python313-cuda12_8-sm90-avx512.nix", Mended::No, -1, sibling},
    {"companion-arch-list-missing", "main", vision, "    export TORCH_CUDA_ARCH_LIST=\"${gpuArchNum}\"\n", "",
     Mended::No, -1, inPlace},
    {"gpu-targets-other", "main", vision, "ARCH_LIST=\"${gpuArchNum}\"", "ARCH_LIST=8.9", Mended::Otherwise, -1,
     inPlace},
    {"cuda-support-other", "main", vision, "FORCE_CUDA=1", "FORCE_CUDA=0", Mended::Sound, -1, published},
    {"companion-torch-output", "main", vision, "customPytorch.out", "customPytorch", Mended::No, -1, inPlace},
    {"cpu-flags-missing", "main", vision, "    preConfigure = (oldAttrs", "    other = (oldAttrs", Mended::No, -1,
     inPlace},
    {"torch-recipe-missing", "main", vision, "cuda12_8-sm90-avx2.nix", "cuda12_8-sm90-avx512.nix", Mended::No, -1,
     fetched},
    {"torch-commit-missing", "main", vision, "dddddddddddddddddddddddddddddddddddddddd",
     "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", Mended::No, -1, fetched},
    {"torch-sha256-missing", "main", vision, "    sha256 = \"sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\";\n",
     "", Mended::No, -1, fetched},
    {"companion-torch-other", "main", vision, "cuda12_8-sm90-avx2.nix", "cuda12_8-sm89-avx2.nix", Mended::No, -1,
     fetched},
    {"companion-torch-other", "main", vision, "fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3",
     "6a030d535719c5190187c4cec156f335e95e3211", Mended::No, -1, fetched},
    {"blas-not-here", "main", armCpu12, "    config = {\n",
     "    overlays = [ (final: prev: { blas = prev.blas.override { blasProvider = final.mkl; }; }) ];\n    config = "
     "{\n"},
    {"blas-unfree", "main", cpu12, "      allowUnfree = true;\n", "", Mended::No, -1, withMkl},
    {"blas-other", "main", cpu12, "", "", Mended::No},
    {"lapack-other", "main", cpu12, "lapackProvider = final.mkl", "lapackProvider = final.openblas", Mended::Sound, -1,
     withMkl},
    {"lapack-other", "main", cpu12, "        lapack = prev.lapack.override { lapackProvider = final.mkl; };\n", "",
     Mended::No, -1, withMkl},
    {"blas-text-other", "main", cpu12, "blasProvider = \"mkl\"", "blasProvider = \"openblas\"", Mended::Sound, -1,
     withMkl},
    {"blas-text-other", "main", cpu12, "BLAS: Intel MKL", "BLAS: OpenBLAS", Mended::No, -1, withMkl},
    {"blas-text-other", "main", cpu12, "blasProvider = \"openblas\"", "blasProvider = \"mkl\"", Mended::Sound},
    {"syntax", "main", gpu12, "  cpuFlags = [", "  cpuFlags = (", Mended::No},
    {"file-empty", "main", gpu12, nullptr, " \n", Mended::No, 0},
    {"file-link", "main", gpu12, "", "", Mended::No, 0},
    {"file-folder", "main", gpu12, "", "", Mended::No, 0},
    {"file-too-large", "main", gpu12, "", "", Mended::No, 0},
    {"file-not-text", "main", gpu12, "", "", Mended::No, 0},
    {"file-unreadable", "main", gpu12, "", "", Mended::No, 0},
};

const QHash<QString, FileTrouble> troubles{{u"file-link"_s, FileTrouble::Link},
                                           {u"file-folder"_s, FileTrouble::Folder},
                                           {u"file-too-large"_s, FileTrouble::TooLarge},
                                           {u"file-not-text"_s, FileTrouble::NotText},
                                           {u"file-unreadable"_s, FileTrouble::Unreadable}};

/// The recipe that is as it should be.
AuditInput soundInput(const Row &row)
{
    const QString branch = QString::fromLatin1(row.branch);
    const QString canonical = inputOf(branch, QString::fromLatin1(row.name), {}).variant.name();
    const QByteArray text =
        *row.fixture ? fixtureText(QString::fromLatin1(row.fixture)) : renderedText(branch, canonical);
    AuditInput input = inputOf(branch, canonical, text);
    input.siblings.insert(u"pytorch-python313-cuda12_8-sm90-avx2.nix"_s,
                          renderedText(u"main"_s, QString::fromLatin1(gpu12)));
    // The contents of a clone of the fetched repository.
    const QString commit = u"build-pytorch@"_s + QString(40, u'd');
    input.siblings.insert(u"build-pytorch"_s, {});
    input.siblings.insert(commit, {});
    input.siblings.insert(commit + u'/' + recipePath(QString::fromLatin1(gpu12)),
                          renderedText(u"main"_s, QString::fromLatin1(gpu12)));
    return input;
}

/// The settings of main, with Intel MKL.
const Settings &mainWithMkl()
{
    static const Settings line = [] {
        Settings settings = *builtInCatalog()->settings(u"main"_s);
        settings.set(&Profile::blas, Blas::Mkl, {{}, {}, {u"cpu"_s}});
        return settings;
    }();
    return line;
}

AuditInput trippingInput(const Row &row)
{
    AuditInput input = soundInput(row);
    input.file = recipePath(QString::fromLatin1(row.name));
    const QString rule = QString::fromLatin1(row.rule);
    if (rule == "duplicate"_L1)
        input.duplicates = {recipePath(u"pytorch-py313-cuda12_8-sm90-avx2"_s)};
    if (rule == "blas-other"_L1)
        input.settings = &mainWithMkl();
    input.trouble = troubles.value(rule);
    if (!row.from)
        input.text = row.to;
    else if (*row.from)
        input.text.replace(row.from, row.to);
    return input;
}

const Finding *findingOf(const Judgement &judgement, const QString &rule)
{
    const auto found = std::ranges::find(judgement.findings, rule, &Finding::rule);
    return found == judgement.findings.cend() ? nullptr : &*found;
}

void addRows()
{
    QTest::addColumn<int>("index");
    int index = 0;
    for (const Row &row : rows) {
        QTest::addRow("%s %d", row.rule, index) << index;
        ++index;
    }
}

} // namespace

class AuditRulesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void everyRuleHasARow()
    {
        QSet<QString> tried;
        for (const Row &row : rows)
            tried.insert(QString::fromLatin1(row.rule));
        QSet<QString> known;
        for (const Rule &rule : auditRules()) {
            QVERIFY2(!known.contains(rule.id), qPrintable(rule.id));
            known.insert(rule.id);
            for (const QString &sentence : {rule.title, rule.consequence, rule.seen})
                QVERIFY2(sentence.endsWith(u'.'), qPrintable(rule.id + u": "_s + sentence));
        }
        // These two need settings with a known tarball hash, or apply to every recipe of the built-in settings.
        tried.insert({u"pin-sha256-missing"_s});
        tried.insert({u"pin-sha256-other"_s});
        tried += {u"version-not-of-pin"_s, u"ignore-unknown"_s, u"readme-count-stale"_s, u"document-pin-stale"_s,
                  u"document-branch-missing"_s};              // of a branch
        tried += {u"recipes-disagree"_s, u"version-other"_s}; // where settings are inferred
        tried.insert({u"name-unknown"_s});                    // of files that are no variant's
        tried.insert({u"cpu-flags-language"_s});              // of packages that no catalog knows: tst_auditshapes
        tried +=
            {u"wheel-other"_s,          u"system-other"_s,         u"companion-torch-version"_s, u"torch-twice"_s,
             u"unfree-refused"_s,       u"gpu-targets-unused"_s,   u"attribute-misspelt"_s,      u"overlay-recursion"_s,
             u"cmake-flags-replaced"_s, u"variable-not-exported"_s}; // tst_audittruth
        tried.insert(u"source-hash-of-another"_s);                   // tst_auditshapes
        tried += {u"import-missing"_s,   u"import-outside"_s,
                  u"import-absolute"_s,  u"import-untracked"_s,
                  u"import-invalid"_s,   u"import-cycle"_s,
                  u"entry-missing"_s,    u"version-not-of-name"_s,
                  u"argument-missing"_s, u"argument-unknown"_s,
                  u"type-other"_s,       u"throws-error"_s}; // tst_imports, tst_tableentry, tst_auditshapes
        QCOMPARE(known - tried, QSet<QString>());
        QCOMPARE(tried - known, QSet<QString>());
    }

    void trips_data() { addRows(); }
    void trips()
    {
        QFETCH(const int, index);
        const Row &row = rows[index];
        const QString rule = QString::fromLatin1(row.rule);
        const AuditInput sound = soundInput(row);
        const AuditInput changed = trippingInput(row);
        if (row.from && *row.from)
            QVERIFY2(sound.text != changed.text, "the row changes nothing");
        if (rule != "cell-invalid"_L1)
            QVERIFY2(!findingOf(audit(sound), rule), qPrintable(rulesOf(audit(sound)).join(u' ')));
        const Judgement judgement = audit(changed);
        const Finding *finding = findingOf(judgement, rule);
        QVERIFY2(finding, qPrintable(u"found: "_s + rulesOf(judgement).join(u' ')));
        QVERIFY2(finding->sentence.endsWith(u'.') && finding->advice.endsWith(u'.'),
                 qPrintable(finding->sentence + finding->advice));
        const auto known = std::ranges::find(auditRules(), rule, &Rule::id);
        QCOMPARE(toString(finding->severity), toString(known->severity));
        QVERIFY(!finding->fixable || known->fixable);
        if (row.line >= 0)
            QCOMPARE(finding->line, row.line);
        else
            QVERIFY(finding->line > 0 && finding->column > 0);
        if (rule.startsWith("file-"_L1) || rule == "syntax"_L1)
            QCOMPARE(judgement.findings.size(), 1);
        QVERIFY(std::ranges::is_sorted(judgement.findings, std::ranges::greater(), &Finding::severity));
    }

    void mends_data() { addRows(); }
    void mends()
    {
        QFETCH(const int, index);
        const Row &row = rows[index];
        const QString rule = QString::fromLatin1(row.rule);
        const AuditInput changed = trippingInput(row);
        const Judgement before = audit(changed);
        const Finding *finding = findingOf(before, rule);
        QVERIFY(finding);
        const Result<QByteArray> mended = fixedText(changed, *finding);
        if (row.mended == Mended::No) {
            QVERIFY(!finding->fixable);
            QVERIFY(!mended);
            QVERIFY2(mended.error().sentence().contains(u"again from its template"_s),
                     qPrintable(mended.error().sentence()));
            return;
        }
        QVERIFY2(finding->fixable, qPrintable(finding->sentence));
        QVERIFY2(mended.ok(), mended ? "" : qPrintable(mended.error().sentence()));
        if (row.mended == Mended::Sound)
            QCOMPARE(*mended, soundInput(row).text);
        AuditInput after = changed;
        after.text = *mended;
        QVERIFY2(!findingOf(audit(after), rule), mended->constData());
        m_mended.append(*mended);
        // A finding of an older text is refused.
        QVERIFY(!fixedText(after, *finding));
    }

    void realNixReadsWhatWasMended()
    {
        QVERIFY(m_mended.size() > 20);
        QTemporaryDir folder;
        QStringList files;
        for (const QByteArray &text : std::as_const(m_mended)) {
            files.append(folder.filePath(u"%1.nix"_s.arg(files.size())));
            QFile file(files.constLast());
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        }
        const auto verdicts = test::parseWithNix(files, folder.path());
        QCOMPARE(qsizetype(verdicts.size()), files.size());
        for (size_t i = 0; i < verdicts.size(); ++i)
            QVERIFY2(verdicts[i].accepted, verdicts[i].error + m_mended.at(qsizetype(i)));
    }

    void hashOfThePin()
    {
        Settings settings = *builtInCatalog()->settings(u"main"_s);
        for (Profile &profile : settings.profiles)
            profile.pin.sha256 = u"0hf7s5xb3rjgpx8mhbwvdmkpgz2w8ksgr35k7f4nfwgr50xmzy9s"_s;
        RecipeRenderer renderer(builtInCatalog());
        AuditInput input = inputOf(u"main"_s, QString::fromLatin1(gpu12), {});
        input.settings = &settings;
        const QByteArray sound = *renderer.render(settings, input.variant);
        input.text = sound;
        QCOMPARE(rulesOf(audit(input)), QStringList());
        input.text.replace("0hf7s5", "1hf7s5");
        const Judgement judgement = audit(input);
        QCOMPARE(rulesOf(judgement), QStringList{u"pin-sha256-other"_s});
        QCOMPARE(*fixedText(input, judgement.findings.constFirst()), sound);
        // The pin and its hash are fixed together.
        input.text = sound;
        input.text.replace("fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3", "6a030d535719c5190187c4cec156f335e95e3211")
            .replace("0hf7s5", "1hf7s5");
        const Judgement both = audit(input);
        QCOMPARE(rulesOf(both), QStringList{u"pin-other"_s});
        QCOMPARE(*fixedText(input, both.findings.constFirst()), sound);
        // Without the hash it is a note.
        input.text = sound;
        input.text.replace("    sha256 = \"0hf7s5xb3rjgpx8mhbwvdmkpgz2w8ksgr35k7f4nfwgr50xmzy9s\";\n", "");
        QCOMPARE(rulesOf(audit(input)), QStringList{u"pin-sha256-missing"_s});
        QCOMPARE(toString(audit(input).findings.constFirst().severity), u"note"_s);
    }

    void otherFiles()
    {
        const auto ruleOf = [](const QByteArray &text, FileTrouble trouble = FileTrouble::None) {
            const QList<Finding> findings = auditOther(text, trouble);
            return findings.size() == 1 ? findings.constFirst().rule : QString();
        };
        QCOMPARE(ruleOf("{ hello }: hello\n"), u"name-unknown"_s);
        QCOMPARE(ruleOf("{ hello }: in\n"), u"syntax"_s);
        QCOMPARE(ruleOf("\n"), u"file-empty"_s);
        QCOMPARE(ruleOf({}, FileTrouble::Folder), u"file-folder"_s);
    }

    /// A missing flag is added on its own line, and no other byte changes.
    void flagsComeAsLines_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QByteArray>("mended");
        const QByteArray mavx2 = "    \"-mavx2\"  # 256-bit integer vectors\n";
        const QByteArray mf16c = "    \"-mf16c\"  # half-precision conversion\n";
        const QByteArray mfma = "    \"-mfma\"   # fused multiply-add\n";
        QTest::newRow("after its neighbour's comment") << mfma << QByteArray() << "    \"-mfma\"\n"_ba;
        QTest::newRow("last") << mf16c << QByteArray() << "    \"-mf16c\"\n"_ba;
        QTest::newRow("first") << mavx2 << QByteArray() << "    \"-mavx2\"\n"_ba;
        QTest::newRow("beside another's flag")
            << mavx2 << "    \"-mavx512f\" # mine\n"_ba << "    \"-mavx512f\" # mine\n    \"-mavx2\"\n"_ba;
        QTest::newRow("below a comment of the first")
            << mavx2 << "    # fused\n"_ba << "    \"-mavx2\"\n    # fused\n"_ba;
        QTest::newRow("two") << mfma + mf16c << QByteArray() << "    \"-mfma\"\n    \"-mf16c\"\n"_ba;
        QTest::newRow("block comment") << mavx2 + mfma << "    \"-mavx2\" /* wide */\n"_ba
                                       << "    \"-mavx2\" /* wide */\n    \"-mfma\"\n"_ba;
    }
    void flagsComeAsLines()
    {
        QFETCH(const QByteArray, from);
        QFETCH(const QByteArray, to);
        QFETCH(const QByteArray, mended);
        const QByteArray sound = renderedText(u"main"_s, QString::fromLatin1(gpu12));
        QVERIFY2(sound.contains(from), sound.constData());
        AuditInput input = inputOf(u"main"_s, QString::fromLatin1(gpu12), QByteArray(sound).replace(from, to));
        const Judgement judgement = audit(input);
        const bool harmless = to.isEmpty() && from.trimmed().startsWith("\"-mf16c\"");
        const Finding *finding = findingOf(judgement, harmless ? u"cpu-flags-f16c"_s : u"cpu-flags-missing"_s);
        QVERIFY(finding);
        const Result<QByteArray> fixed = fixedText(input, *finding);
        QVERIFY2(fixed.ok(), fixed ? "" : qPrintable(fixed.error().sentence()));
        QCOMPARE(*fixed, QByteArray(sound).replace(from, mended));
    }

    /// A fix that would break another place is refused.
    void refusesWhatWouldBreak()
    {
        AuditInput input =
            inputOf(u"main"_s, QString::fromLatin1(gpu12), renderedText(u"main"_s, QString::fromLatin1(gpu12)));
        input.text.replace("gpuArchSM = \"9.0\"", "gpuArchSM = \"sm_90\"");
        input.text.replace("export CFLAGS=",
                           "export CMAKE_CUDA_ARCHITECTURES=${lib.removePrefix \"sm_\" gpuArchSM}\n    export CFLAGS=");
        const Judgement judgement = audit(input);
        QCOMPARE(rulesOf(judgement, Severity::Warning), QStringList{u"gpu-targets-notation"_s});
        const auto mended = fixedText(input, judgement.findings.constFirst());
        QVERIFY(!mended);
        QVERIFY2(mended.error().sentence().contains(u"CMAKE_CUDA_ARCHITECTURES"_s),
                 qPrintable(mended.error().sentence()));
    }

private:
    QList<QByteArray> m_mended;
};

TM_TEST(AuditRulesTest, QCoreApplication)
#include "tst_auditrules.moc"
