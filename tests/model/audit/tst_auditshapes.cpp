// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// Single defects in the shapes that maintainers write: a whole recipe, a wrapper over a builder, a recipe with helpers,
// an inner override, and a library; in the recipe and in the files that it imports. Each is found by the rule that is
// about it, in the file that it is in, and no recipe of the branch has any other error.
#include "tests/support/AuditedText.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QMap>
#include <QSet>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

const QString wholeFile = u"pytorch-python313-cuda12_9-sm90-avx512.nix"_s;
const QString wrapperFile = u"torchvision026-python313-cuda12_9-sm90-avx512.nix"_s;
const QString helpersFile = u"serving-python312-cuda12_9-sm90-avx2.nix"_s;
const QString innerFile = u"mathrun-python313-cuda12_9-sm89-avx512.nix"_s;
const QString calledFile = u"runner-cuda12_9-sm90-avx512.nix"_s;
const QString libraryFile = u"linalg-cuda12_9-sm80-avx2.nix"_s;

using Branch = QMap<QString, QByteArray>;

Branch soundBranch()
{
    return {
        {wholeFile, R"nix({ pkgs ? import <nixpkgs> { } }:
let
  pinned = import (builtins.fetchTarball {
    url = "https://github.com/NixOS/nixpkgs/archive/6a030d535719c5190187c4cec156f335e95e3211.tar.gz";
    sha256 = "0000000000000000000000000000000000000000000000000001";
  }) {
    config = { allowUnfree = true; cudaSupport = true; };
    overlays = [ (final: prev: { cudaPackages = final.cudaPackages_12_9; }) ];
  };
  flags = [ "-mavx512f" "-mavx512dq" "-mavx512vl" "-mavx512bw" "-mfma" ];
in
(pinned.python313Packages.torch.override {
  cudaSupport = true;
  gpuTargets = [ "9.0" ];
}).overrideAttrs (old: {
  pname = "pytorch-python313-cuda12_9-sm90-avx512";
  preConfigure = (old.preConfigure or "") + ''
    export CXXFLAGS="${toString flags} $CXXFLAGS"
    export CFLAGS="${toString flags} $CFLAGS"
  '';
  meta = old.meta // {
    description = "PyTorch for H100 (SM90)";
            platforms = ["x86_64-linux"];
        };
    })
)nix"},
        {wrapperFile, R"nix({ pkgs ? import <nixpkgs> { } }:
import ./lib/make.nix { release = "0.26"; python = "313"; sm = "90"; isa = "avx512"; toolkit = "12_9"; }
)nix"},
        {u"lib/make.nix"_s, R"nix({ release, python, sm, isa, toolkit }:
let
  cpu = (import ./isa.nix).${isa};
  gpu = (import ./gpu.nix).${sm};
  cuda = (import ./toolkit.nix).${toolkit};
  version = (import ./versions.nix).${release};
  recipes = builtins.fetchTarball {
    url = "https://example.org/torch/archive/0123456789abcdef0123456789abcdef01234567.tar.gz";
    sha256 = "0000000000000000000000000000000000000000000000000001";
  };
  torch = import "${toString recipes}/.flox/pkgs/pytorch211-python${python}-cuda${toolkit}-sm${sm}-${isa}.nix" { };
  pinned = import (builtins.fetchTarball {
    url = "https://github.com/NixOS/nixpkgs/archive/${version.pin}.tar.gz";
    sha256 = version.sha256;
  }) {
    config = { allowUnfree = true; cudaSupport = true; };
    overlays = [
      (final: prev: { cudaPackages = final.${cuda.set}; })
      (final: prev: {
        "python${python}Packages" = prev."python${python}Packages".override { overrides = self: super: { inherit torch; }; };
      })
    ];
  };
in
pinned."python${python}Packages".torchvision.overrideAttrs (old: {
  pname = "torchvision${builtins.replaceStrings [ "." ] [ "" ] release}-python${python}-cuda${toolkit}-sm${sm}-${isa}";
  preConfigure = (old.preConfigure or "") + ''
    export TORCH_CUDA_ARCH_LIST="${gpu.capability}"
    export CXXFLAGS="${pinned.lib.concatStringsSep " " cpu.flags} $CXXFLAGS"
    export CFLAGS="${pinned.lib.concatStringsSep " " cpu.flags} $CFLAGS"
  '';
  meta = old.meta // {
    description = "TorchVision for ${gpu.products} (driver ${cuda.driver}+)";
        platforms = [cpu.platform];
    };
})
)nix"},
        {u"lib/versions.nix"_s, R"nix({
  "0.26" = {
    pin = "6a030d535719c5190187c4cec156f335e95e3211";
    sha256 = "0000000000000000000000000000000000000000000000000001";
  };
}
)nix"},
        {u"lib/isa.nix"_s, R"nix({
  avx2 = { flags = [ "-mavx2" "-mfma" "-mf16c" ]; platform = "x86_64-linux"; };
  avx512 = {
    flags = [ "-mavx512f" "-mavx512dq" "-mavx512vl" "-mavx512bw" "-mfma" ];
    platform = "x86_64-linux";
  };
}
)nix"},
        {u"lib/gpu.nix"_s, R"nix({
  "89" = { capability = "8.9"; products = "L40S, RTX 4090"; };
  "90" = { capability = "9.0"; products = "H100, H200"; };
}
)nix"},
        {u"lib/toolkit.nix"_s, R"nix({
  "12_9" = { set = "cudaPackages_12_9"; driver = "575"; };
}
)nix"},
        {helpersFile, R"nix({ pkgs ? import <nixpkgs> { } }:
let
  pinned = import (builtins.fetchTarball {
    url = "https://github.com/NixOS/nixpkgs/archive/6a030d535719c5190187c4cec156f335e95e3211.tar.gz";
    sha256 = "0000000000000000000000000000000000000000000000000001";
  }) {
    config = { allowUnfree = true; cudaSupport = true; cudaCapabilities = [ "9.0" ]; };
    overlays = [ (final: prev: { cudaPackages = final.cudaPackages_12_9; }) ];
  };
  cpu = (import ./lib/isa.nix).avx2;
  python = pinned.python312.override {
    packageOverrides = self: super: {
      torch = import ./lib/own-torch.nix { base = super.torch; capability = "9.0"; inherit cpu; };
    };
  };
in
python.pkgs.serving.overrideAttrs (old: {
  pname = "serving-python312-cuda12_9-sm90-avx2";
  meta = old.meta // { platforms = [ cpu.platform ]; };
})
)nix"},
        {u"lib/own-torch.nix"_s, R"nix({ base, capability, cpu }:
(base.override {
  cudaSupport = true;
  gpuTargets = [ capability ];
}).overrideAttrs (old: {
  preConfigure = (old.preConfigure or "") + ''
    export CXXFLAGS="${builtins.concatStringsSep " " cpu.flags} $CXXFLAGS"
    export CFLAGS="${builtins.concatStringsSep " " cpu.flags} $CFLAGS"
  '';
})
)nix"},
        {innerFile, R"nix({ pkgs ? import <nixpkgs> { } }:
let
  pinned = import (builtins.fetchTarball {
    url = "https://github.com/NixOS/nixpkgs/archive/6a030d535719c5190187c4cec156f335e95e3211.tar.gz";
    sha256 = "0000000000000000000000000000000000000000000000000001";
  }) {
    config = { allowUnfree = true; cudaSupport = true; };
    overlays = [ (final: prev: { cudaPackages = final.cudaPackages_12_9; }) ];
  };
  inherit (pinned) lib;
  flags = [ "-mavx512f" "-mavx512dq" "-mavx512vl" "-mavx512bw" "-mfma" ];
  native = (pinned.mathrun.override { cudaSupport = true; }).overrideAttrs (old: {
    cmakeFlags =
      builtins.filter (flag: !(lib.hasPrefix "-DCMAKE_CUDA_ARCHITECTURES" (toString flag))) (old.cmakeFlags or [ ])
      ++ [ (lib.cmakeFeature "CMAKE_CUDA_ARCHITECTURES" "89") ];
    preConfigure = (old.preConfigure or "") + ''
      export CXXFLAGS="${lib.concatStringsSep " " flags} $CXXFLAGS"
      export CFLAGS="${lib.concatStringsSep " " flags} $CFLAGS"
    '';
  });
in
(pinned.python313Packages.mathrun.override { mathrun = native; }).overrideAttrs (old: {
  pname = "mathrun-python313-cuda12_9-sm89-avx512";
  meta = old.meta // { platforms = [ "x86_64-linux" ]; };
})
)nix"},
        {calledFile, R"nix({ callPackage }: callPackage ./lib/runner.nix { sm = "90"; isa = "avx512"; }
)nix"},
        {u"runner-cuda12_9-sm89-avx2.nix"_s, R"nix({ pkgs ? import <nixpkgs> { } }:
let
  pinned = import (builtins.fetchTarball {
    url = "https://github.com/NixOS/nixpkgs/archive/6a030d535719c5190187c4cec156f335e95e3211.tar.gz";
    sha256 = "0000000000000000000000000000000000000000000000000001";
  }) {
    config = { allowUnfree = true; cudaSupport = true; };
  };
in
pinned.callPackage ./lib/runner.nix { sm = "89"; isa = "avx2"; }
)nix"},
        {u"lib/runner.nix"_s, R"nix({ lib, cudaPackages_12_9, sm, isa, note ? "" }:
let
  gpu = (import ./gpu.nix).${sm};
  flags = lib.concatStringsSep " " (import ./isa.nix).${isa}.flags;
in
(cudaPackages_12_9.pkgs.runner.override { cudaSupport = true; gpuTargets = [ gpu.capability ]; }).overrideAttrs (old: {
  pname = "runner-cuda12_9-sm${sm}-${isa}";
  preConfigure = (old.preConfigure or "") + ''
    export CXXFLAGS="${flags} $CXXFLAGS"
    export CFLAGS="${flags} $CFLAGS"
  '';
  meta = old.meta // { platforms = [ (import ./isa.nix).${isa}.platform ]; };
})
)nix"},
        {libraryFile, R"nix({ pkgs ? import <nixpkgs> { } }:
let
  pinned = import (builtins.fetchTarball {
    url = "https://github.com/NixOS/nixpkgs/archive/6a030d535719c5190187c4cec156f335e95e3211.tar.gz";
    sha256 = "0000000000000000000000000000000000000000000000000001";
  }) {
    config = { allowUnfree = true; cudaSupport = true; };
    overlays = [ (final: prev: { cudaPackages = final.cudaPackages_12_9; }) (final: prev: { other = throw "not built"; }) ];
  };
in
(pinned.linalg.override { cudaSupport = true; static = true; }).overrideAttrs (old: {
  passthru.system = if pinned.stdenv.isLinux then "linux" else throw "for Linux only";
  pname = "linalg-cuda12_9-sm80-avx2";
  cmakeFlags = (old.cmakeFlags or [ ]) ++ [ "-DCMAKE_CUDA_ARCHITECTURES=80" "-DMIN_ARCH=800" ];
  preConfigure = (old.preConfigure or "") + ''
    export CXXFLAGS="${toString (import ./lib/isa.nix).avx2.flags} $CXXFLAGS"
    export CFLAGS="${toString (import ./lib/isa.nix).avx2.flags} $CFLAGS"
  '';
  meta = old.meta // { platforms = [ "x86_64-linux" ]; };
})
)nix"},
    };
}

/// The findings of all recipes of the branch.
QList<Finding> foundIn(const Branch &branch, const QString &untracked = {}, Settings settings = {})
{
    settings.branch = u"any"_s;
    QList<RecipeFiles::File> files;
    for (const auto &[name, text] : branch.asKeyValueRange())
        files.append({u".flox/pkgs/"_s + name, text, text, !name.contains(u'/'), name == untracked});
    const auto imports = std::make_shared<const RecipeFiles>(files);
    QList<Finding> findings;
    for (const auto &[name, text] : branch.asKeyValueRange()) {
        if (name.contains(u'/'))
            continue;
        AuditInput input;
        input.catalog = builtInCatalog().get();
        input.settings = &settings;
        input.variant = VariantName::parse(name.chopped(4), builtInCatalog()->isaIds())->variant;
        input.file = u".flox/pkgs/"_s + name;
        input.text = text;
        input.files = imports;
        for (Finding finding : audit(input).findings) {
            finding.file = finding.file.isEmpty() ? input.file : finding.file;
            findings.append(finding);
        }
    }
    return findings;
}

struct ShapeDefect {
    QString file;
    const char *rule;
    const char *from;
    const char *to;
};

const ShapeDefect shapeDefects[] = {
    {wholeFile, "gpu-targets-other", "[ \"9.0\" ]", "[ \"8.9\" ]"},
    {wholeFile, "gpu-targets-notation", "[ \"9.0\" ]", "[ \"sm_90\" ]"},
    {wholeFile, "gpu-targets-extra", "[ \"9.0\" ]", "[ \"9.0\" \"10.0\" ]"},
    {wholeFile, "gpu-targets-no-list", "[ \"9.0\" ]", "\"9.0\""},
    {wholeFile, "gpu-targets-missing", "  gpuTargets = [ \"9.0\" ];\n", ""},
    {wholeFile, "cuda-overlay-other", "cudaPackages_12_9", "cudaPackages_12_8"},
    {wholeFile, "toolkit-not-selected", "overlays = [ (final: prev: { cudaPackages = final.cudaPackages_12_9; }) ];",
     ""},
    {wholeFile, "cpu-flags-missing", "\"-mavx512vl\" ", ""},
    {wholeFile, "cpu-flags-other", "\"-mfma\" ]", "\"-mfma\" \"-mavx512bf16\" ]"},
    {wholeFile, "platforms-other", "\"x86_64-linux\"", "\"aarch64-linux\""},
    {wholeFile, "cuda-support-other", "  cudaSupport = true;\n", "  cudaSupport = false;\n"},
    {wholeFile, "revision-unknown", "6a030d535719c5190187c4cec156f335e95e3211", "6a030d535719c5190187"},
    {wholeFile, "hash-empty", "sha256 = \"0000000000000000000000000000000000000000000000000001\"", "sha256 = \"\""},
    {wholeFile, "hash-invalid", "sha256 = \"0000", "sha256 = \"000"},
    {wholeFile, "hash-invalid", "flags = [",
     "more = pinned.fetchurl { url = \"x\"; hash = \"sha256-AAAA\"; };\n  flags = ["},
    {u"lib/versions.nix"_s, "hash-invalid", "sha256 = \"0000", "sha256 = \"000u"},
    {u"lib/make.nix"_s, "hash-invalid", "inherit torch; };",
     "inherit torch; torchvision = super.torchvision.overrideAttrs { version = \"0.26.0\"; src = prev.fetchFromGitHub "
     "{ "
     "owner = \"pytorch\"; repo = \"vision\"; rev = \"v0.26.0\"; fetchSubmodules = true; hash = \"sha256-AAAA\"; }; }; "
     "};"},
    {u"lib/make.nix"_s, "version-not-of-name", "inherit torch; };",
     "inherit torch; torchvision = super.torchvision.overrideAttrs { version = \"0.25.0\"; }; };"},
    {wholeFile, "python-other", "python313Packages", "python312Packages"},
    {wholeFile, "attribute-other", "Packages.torch.", "Packages.torchaudio."},
    {wholeFile, "product-elsewhere", "for H100", "for L40S"},
    {wholeFile, "pname-of-another", "pname = \"pytorch-python313", "pname = \"pytorch-python312"},
    {wholeFile, "pname-of-another", "avx512\";\n  preConfigure", "avx2\";\n  preConfigure"},
    {wholeFile, "pname-other", "pname = \"pytorch-python313", "pname = \"torch-python313"},
    {wholeFile, "pname-other", "pname = \"pytorch-python313-cuda12_9-sm90-avx512", "pname = \"pytorch-mine"},
    {wholeFile, "text-version-other", "  meta = old.meta // {\n    description = \"PyTorch for",
     "  version = \"2.10.0\";\n  meta = old.meta // {\n    description = \"PyTorch 2.9.1 for"},
    {innerFile, "text-isa-other", "meta = old.meta // {",
     "meta = old.meta // { description = \"Math Run (SM89) + AVX2\";"},
    {innerFile, "text-version-other", "meta = old.meta // {",
     "version = \"1.22.2\"; meta = old.meta // { description = \"Math Run v1.21 with CUDA\";"},
    {u"lib/make.nix"_s, "version-not-of-name", "  preConfigure = (old.",
     "  version = \"0.25.1\";\n  preConfigure = (old."},
    {u"lib/make.nix"_s, "version-not-of-name", "    export TORCH_CUDA",
     "    export BUILD_VERSION=0.27.0\n    export TORCH_CUDA"},
    {wholeFile, "import-absolute", "flags = [", "magma = import /srv/magma.nix;\n  flags = ["},
    {wholeFile, "syntax", "  meta = old.meta", "  meta = = old.meta"},
    {wholeFile, "attribute-misspelt", "  meta = old.meta",
     "  requiredSystemFeatures = [ \"big-paralel\" ];\n  meta = old.meta"},
    {wholeFile, "import-missing", "  meta = old.meta",
     "  patches = (old.patches or [ ]) ++ [ ./fix.patch ];\n  meta = old.meta"},
    {u"lib/make.nix"_s, "import-missing", "  preConfigure =", "  patches = [ ./fix.patch ];\n  preConfigure ="},
    {wholeFile, "entry-missing", "builtins.fetchTarball", "builtins.fetchTarbal"},
    {helpersFile, "argument-unknown", "packageOverrides", "packageOverides"},
    {u"lib/make.nix"_s, "argument-unknown", "{ overrides = self", "{ overides = self"},
    {innerFile, "toolkit-lacks-gpu", "\"CMAKE_CUDA_ARCHITECTURES\" \"89\"",
     "\"CMAKE_CUDA_ARCHITECTURES\" \"89;110-real\""},
    {wholeFile, "toolkit-lacks-gpu", "[ \"9.0\" ]", "[ \"9.0\" \"11.0\" ]"},
    {wrapperFile, "argument-missing", "python = \"313\"; ", ""},
    {wrapperFile, "argument-unknown", "python = \"313\"; ", "python = \"313\"; mss = \"90\"; "},
    {helpersFile, "argument-missing", "inherit cpu; }", "}"},
    {wrapperFile, "import-missing", "./lib/make.nix", "./lib/mk.nix"},
    {wrapperFile, "import-outside", "./lib/make.nix", "../../../../make.nix"},
    {u"lib/runner.nix"_s, "gpu-targets-other", "[ gpu.capability ]", "[ \"8.9\" ]"},
    {u"lib/runner.nix"_s, "entry-missing", "gpu.nix).${sm}", "gpu.nix).${sm + \"x\"}"},
    {calledFile, "argument-unknown", "isa = ", "note = \"\"; other = \"\"; isa = "},
    {calledFile, "import-missing", "./lib/runner.nix", "./lib/run.nix"},
    {innerFile, "python-other", "{ cudaSupport = true; }",
     "{ cudaSupport = true; python3Packages = pinned.python312Packages; }"},
    {innerFile, "gpu-targets-other",
     "    preConfigure = ", "    GENERATE_CODE = \"arch=compute_89,code=sm_90\";\n    preConfigure = "},
    {u"lib/runner.nix"_s, "cpu-flags-language", "    export CFLAGS=", "    export LDFLAGS="},
    {helpersFile, "gpu-targets-other", "cudaCapabilities = [ \"9.0\" ]", "cudaCapabilities = [ \"10.0\" ]"},
    {helpersFile, "gpu-targets-other", "capability = \"9.0\"", "capability = \"8.9\""},
    {helpersFile, "parallelism-fixed", "  meta =", "  NIX_BUILD_CORES = 16;\n  meta ="},
    {innerFile, "cmake-architectures-other", "\"89\"", "\"90\""},
    {innerFile, "cpu-flags-missing", "\"-mavx512dq\" ", ""},
    {innerFile, "cuda-support-other", "mathrun.override { cudaSupport = true; }",
     "mathrun.override { cudaSupport = false; }"},
    {libraryFile, "cmake-architectures-other", "ARCHITECTURES=80", "ARCHITECTURES=86"},
    {libraryFile, "cpu-flags-language", "    export CFLAGS=", "    export LDFLAGS="},
    {u"lib/gpu.nix"_s, "gpu-targets-other", "\"9.0\"", "\"9.5\""},
    {u"lib/gpu.nix"_s, "gpu-targets-notation", "\"9.0\"", "\"sm_90\""},
    {u"lib/gpu.nix"_s, "product-elsewhere", "H100, H200", "H100, L40S"},
    {u"lib/isa.nix"_s, "cpu-flags-missing", " \"-mavx512bw\"", ""},
    {u"lib/isa.nix"_s, "cpu-flags-other", "\"-mfma\" ];\n    platform", "\"-mfma\" \"-mavx512vnni\" ];\n    platform"},
    {u"lib/isa.nix"_s, "cpu-flags-f16c", " \"-mf16c\"", ""},
    {u"lib/isa.nix"_s, "platforms-other", "    platform = \"x86_64-linux\"", "    platform = \"aarch64-linux\""},
    {u"lib/toolkit.nix"_s, "cuda-overlay-other", "cudaPackages_12_9", "cudaPackages_12_8"},
    {u"lib/toolkit.nix"_s, "driver-low", "\"575\"", "\"470\""},
    {u"lib/versions.nix"_s, "revision-unknown", "6a030d535719c5190187c4cec156f335e95e3211", "6a030d535719c519"},
    {u"lib/versions.nix"_s, "pin-moves", "6a030d535719c5190187c4cec156f335e95e3211", "nixos-unstable"},
    {u"lib/own-torch.nix"_s, "gpu-targets-notation", "[ capability ]", "[ \"sm_90\" ]"},
    {u"lib/own-torch.nix"_s, "cpu-flags-missing", "    export CFLAGS=", "    export LDFLAGS="},
    {u"lib/own-torch.nix"_s, "cuda-support-other", "cudaSupport = true", "cudaSupport = false"},
    {u"lib/make.nix"_s, "companion-torch-other", "-sm${sm}-${isa}.nix\"", "-sm89-${isa}.nix\""},
    {u"lib/make.nix"_s, "companion-arch-list-missing", "    export TORCH_CUDA_ARCH_LIST=\"${gpu.capability}\"\n", ""},
    {u"lib/make.nix"_s, "import-missing", "./versions.nix", "./version.nix"},
    {u"lib/make.nix"_s, "import-absolute", "./versions.nix", "/srv/versions.nix"},
    {u"lib/make.nix"_s, "import-absolute", "recipes = builtins.fetchTarball {",
     "recipes = /srv/torch-nix;\n  unused = builtins.fetchTarball {"},
    {u"lib/isa.nix"_s, "import-invalid", "avx512 = {", "avx512 = {{"},
    {u"lib/gpu.nix"_s, "import-cycle", "{\n  \"89\"", "import ./gpu.nix // {\n  \"89\""},
    {u"lib/gpu.nix"_s, "import-untracked", "", ""},
    {u"lib/make.nix"_s, "type-other", "-${isa}\";\n  preConfigure", "-${null}\";\n  preConfigure"},
    {u"lib/make.nix"_s, "type-other", "-${isa}\";\n  preConfigure", "-\" + 9;\n  preConfigure"},
    {u"lib/make.nix"_s, "type-other", "(import ./toolkit.nix).${toolkit}", "\"12.9\""},
    {innerFile, "gpu-targets-other", "{ cudaSupport = true; }", "{ cudaSupport = true; cudaArches = [ \"sm_90\" ]; }"},
    {innerFile, "gpu-targets-other",
     "    preConfigure = ", "    NVCC_GENERATE_CODE = \"arch=compute_90,code=sm_90\";\n    preConfigure = "},
    {wholeFile, "type-other", "\"-mfma\" ];", "\"-mfma\" ] ++ null;"},
    {u"lib/make.nix"_s, "throws-error", "(import ./isa.nix).${isa}",
     "(import ./isa.nix).${isa + \"x\"} or (throw \"no ${isa}\")"},
    {u"lib/make.nix"_s, "throws-error", "}:\nlet\n", "}:\nassert isa == \"avx2\";\nlet\n"},
    {u"lib/make.nix"_s, "revision-unknown", "0123456789abcdef0123456789abcdef01234567",
     "0123456789abcdef0123456789abcdef0123456"},
    {wholeFile, "driver-low", "{ pkgs ?", "# CUDA 12.9, driver 470+\n{ pkgs ?"},
    {wholeFile, "text-architecture-other", "{ pkgs ?", "# PyTorch for SM89\n{ pkgs ?"},
    {wholeFile, "text-isa-other", "{ pkgs ?", "# PyTorch for H100 + AVX2\n{ pkgs ?"},
    {wholeFile, "text-cuda-other", "{ pkgs ?", "\n# One\n#\n# CUDA 12.8\n{ pkgs ?"},
    {wholeFile, "product-elsewhere", "{ pkgs ?", "#  for L40S\n{ pkgs ?"},
};

} // namespace

class AuditShapesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void soundRecipesHaveNoProblems()
    {
        for (const Finding &finding : foundIn(soundBranch())) {
            QVERIFY2(finding.severity == Severity::Note && finding.rule != notUnderstoodRule,
                     qPrintable(placedSentence(finding)));
        }
    }

    /// The sound branch, said in other words: the problems of it, notes left out but for what was not understood.
    void inOtherWords_data()
    {
        QTest::addColumn<Branch>("branch");
        QTest::addColumn<QSet<QString>>("rules");
        const QString ownTorch = u"lib/own-torch.nix"_s;
        const QString make = u"lib/make.nix"_s;
        using Changes = QList<std::pair<const char *, const char *>>;
        const auto row = [](const char *what, const QString &file, const Changes &changes,
                            const QSet<QString> &rules = {}) {
            Branch branch = soundBranch();
            for (const auto &[from, to] : changes) {
                QVERIFY2(branch[file].contains(from), from);
                branch[file].replace(from, to);
            }
            QTest::newRow(what) << branch << rules;
        };
        const QSet<QString> notUnderstood{notUnderstoodRule};
        const char *const begin = "packageOverrides = self: super: {";
        const char *const end = "inherit cpu; };\n    };";
        const Changes joined{
            {begin,
             "packageOverrides = pinned.lib.composeExtensions (self: super: { other = super.other; }) (self: super: {"},
            {end, "inherit cpu; };\n    });"}};
        row("overrides in two parts", helpersFile, joined);
        row("overrides in two parts, another GPU", helpersFile,
            joined + Changes{{"capability = \"9.0\"", "capability = \"8.9\""}}, {u"gpu-targets-other"_s});
        row("overrides in a list", helpersFile,
            {{begin, "packageOverrides = pinned.lib.composeManyExtensions [ (self: super: {"},
             {end, "inherit cpu; };\n    }) ];"}});
        row("unknown overrides", helpersFile,
            {{begin, "packageOverrides = pinned.changed (self: super: {"}, {end, "inherit cpu; };\n    });"}},
            notUnderstood);
        row("function for callPackage", helpersFile,
            {{"torch = import", "torch = pinned.callPackage ({ lib }: import"}, {end, "inherit cpu; }) { };\n    };"}});
        const Changes overlay{
            {"(final: prev: { cudaPackages = final.cudaPackages_12_9; }) ];",
             "(final: prev: { cudaPackages = final.cudaPackages_12_9; }) torch ];"},
            {"  pinned = import",
             "  torch = final: prev: {\n    python312 = prev.python312.override {\n      packageOverrides = self: "
             "super: "
             "{\n        torch = import ./lib/own-torch.nix { base = super.torch; capability = \"9.0\"; inherit cpu; };"
             "\n      };\n    };\n  };\n  pinned = import"},
            {"python = pinned.python312.override {\n    packageOverrides = self: super: {\n      torch = import "
             "./lib/own-torch.nix { base = super.torch; capability = \"9.0\"; inherit cpu; };\n    };\n  };",
             "python = pinned.python312;"}};
        row("interpreter in an overlay", helpersFile, overlay);
        row("interpreter in an overlay, taken from its set", helpersFile,
            overlay + Changes{{"python.pkgs.serving", "pinned.python312Packages.serving"}});
        // The other interpreter has nixpkgs' own torch.
        row("another interpreter in an overlay", helpersFile,
            overlay + Changes{{"    python312 = prev.", "    python313 = prev."}},
            {u"torch-overlay-dead"_s, u"cpu-flags-missing"_s});
        row("set of an interpreter in an overlay", helpersFile,
            overlay + Changes{{"    python312 = prev.python312.override {\n      packageOverrides",
                               "    python312Packages = prev.python312Packages.override {\n      overrides"},
                              {"python.pkgs.serving", "pinned.python312Packages.serving"}});
        row("tag of another version", innerFile,
            {{"    cmakeFlags =\n",
              "    version = \"1.24.1\";\n    src = pinned.fetchFromGitHub { owner = \"o\"; repo = "
              "\"mathrun\"; rev = \"refs/tags/v1.23.0\"; hash = "
              "\"sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\"; };\n    cmakeFlags =\n"}},
            {u"source-revision-other"_s});
        row("published torch", helpersFile,
            {{"{ pkgs ?", "{ catalogs, pkgs ?"},
             {"import ./lib/own-torch.nix { base = super.torch; capability = \"9.0\"; inherit cpu; }",
              "catalogs.acme.torch"}});
        const auto ofCatalog = [](const char *name) {
            return Changes{
                {"{ pkgs ?", "{ catalogs, pkgs ?"},
                {"import ./lib/own-torch.nix { base = super.torch; capability = \"9.0\"; inherit cpu; }", name}};
        };
        row("published torch of the variant", helpersFile,
            ofCatalog("catalogs.acme.pytorch29-python312-cuda12_9-sm90-avx2"));
        row("published torch of another toolkit", helpersFile,
            ofCatalog("catalogs.acme.pytorch29-python312-cuda12_8-sm90-avx2"), {u"companion-torch-other"_s});
        row("nixpkgs' own flags as a text", libraryFile,
            {{"  preConfigure =",
              "  env.NIX_CFLAGS_COMPILE = toString (old.env.NIX_CFLAGS_COMPILE or \"\") + \" -O3\";\n  "
              "preConfigure ="}});
        row("unknown torch", helpersFile,
            {{"import ./lib/own-torch.nix { base = super.torch; capability = \"9.0\"; inherit cpu; }",
              "pinned.changed super.torch"}},
            notUnderstood);
        const char *const cxx = "    export CXXFLAGS=\"${builtins.concatStringsSep \" \" cpu.flags} $CXXFLAGS\"";
        row("flags in an array", ownTorch,
            {{cxx,
              "    flags=(\n      ${toString cpu.flags} # all\n    )\n    export CXXFLAGS=\"''${flags[*]} $CXXFLAGS\""},
             {"CFLAGS=\"${builtins.concatStringsSep \" \" cpu.flags} $CFLAGS\"", "CFLAGS=\"''${flags[@]} $CFLAGS\""}});
        row("flags in an array, in two parts", ownTorch,
            {{cxx, "    flags=(-mavx2)\n    flags+=(-mfma -mf16c)\n    export CXXFLAGS=\"''${flags[*]} $CXXFLAGS\""}});
        row("flags in an array, one left out", ownTorch,
            {{cxx, "    flags=(-mavx2 -mf16c)\n    export CXXFLAGS=\"''${flags[*]} $CXXFLAGS\""}},
            {u"cpu-flags-missing"_s});
        row("flags from a command", ownTorch, {{cxx, "    export CXXFLAGS=\"$(cat flags) $CXXFLAGS\""}}, notUnderstood);
        row("flags from a loop", ownTorch,
            {{cxx, "    for f in -mavx2 -mfma -mf16c; do export CXXFLAGS=\"$f $CXXFLAGS\"; done"}}, notUnderstood);
        const Changes unknownFlags{
            {"\"-DCMAKE_CUDA_ARCHITECTURES=80\"",
             "\"-DCMAKE_CUDA_ARCHITECTURES=80\" \"-DCMAKE_CXX_FLAGS=${pinned.flags}\" "
             "\"-DCMAKE_C_FLAGS=${pinned.flags}\""},
            {"    export CXXFLAGS=\"${toString (import ./lib/isa.nix).avx2.flags} $CXXFLAGS\"\n", ""},
            {"    export CFLAGS=\"${toString (import ./lib/isa.nix).avx2.flags} $CFLAGS\"\n", ""}};
        row("unknown flags for CMake", libraryFile, unknownFlags, notUnderstood);
        Changes unknownBazel = unknownFlags;
        unknownBazel[0] = {"preConfigure =", "bazelFlags = map (f: \"--copt=${f}\") pinned.flags;\n  preConfigure ="};
        row("unknown flags for another tool", libraryFile, unknownBazel, notUnderstood);
        Changes unknownList = unknownFlags;
        unknownList[0] = {"\"-DMIN_ARCH=800\" ]", "\"-DMIN_ARCH=800\" ] ++ pinned.flags"};
        row("unknown list for CMake", libraryFile, unknownList, notUnderstood);
        row("sorted GPUs", libraryFile,
            {{"\"-DCMAKE_CUDA_ARCHITECTURES=80\"",
              "\"-DCMAKE_CUDA_ARCHITECTURES=${builtins.head (builtins.sort (a: b: a < b) [ \"80\" ])}\""}});
        const char *const overrides =
            "prev.\"python${python}Packages\".override { overrides = self: super: { inherit torch; }; };";
        row("scope in an overlay", make,
            {{overrides, "prev.\"python${python}Packages\".overrideScope (self: super: { inherit torch; });"}});
        row("scope in an overlay, torch for another CPU", make,
            {{overrides, "prev.\"python${python}Packages\".overrideScope (self: super: { inherit torch; });"},
             {"-sm${sm}-${isa}.nix\"", "-sm${sm}-avx2.nix\""}},
            {u"companion-torch-other"_s});
        row("unknown scope in an overlay", make,
            {{overrides, "prev.\"python${python}Packages\".override { overrides = final.changed torch; };"}},
            notUnderstood);
        const QSet<QString> takesNixpkgs{u"companion-torch-missing"_s};
        const QByteArray scope = "prev.\"python${python}Packages\".overrideScope (self: super: { pytorch = torch; });";
        row("old name of torch in an overlay", make, {{"{ inherit torch; }", "{ pytorch = torch; }"}}, takesNixpkgs);
        row("old name of torch in a scope", make, {{overrides, scope.constData()}}, takesNixpkgs);
        row("old name beside torch", make, {{"{ inherit torch; }", "{ inherit torch; pytorch = torch; }"}});
        row("another package in an overlay", make, {{"{ inherit torch; }", "{ other = torch; }"}}, takesNixpkgs);
        row("old name of torch in an overlay of which a part is unknown", make,
            {{"{ inherit torch; }", "final.more // { pytorch = torch; }"}}, notUnderstood);
        row("unknown part of all Python packages", make,
            {{overrides, "pythonPackagesExtensions = prev.pythonPackagesExtensions ++ final.more torch;"},
             {"\"python${python}Packages\" = ", ""}},
            notUnderstood);
        row("Python packages of another Python", make,
            {{"prev.\"python${python}Packages\".override", "prev.python312Packages.override"}}, {u"python-other"_s});
        row("Python packages of another Python in a scope", make,
            {{overrides, "prev.python312.pkgs.overrideScope (self: super: { inherit torch; });"}}, {u"python-other"_s});
        row("Python packages of the interpreter", make,
            {{overrides, "prev.python313.pkgs.overrideScope (self: super: { inherit torch; });"}});
        row("another interpreter under the name of this one", helpersFile,
            overlay + Changes{{"= prev.python312.override", "= prev.python313.override"}}, {u"python-other"_s});
        row("packages of this Python under another name", helpersFile,
            overlay + Changes{{"    python312 = prev.", "    python3 = prev."},
                              {"python = pinned.python312;", "python = pinned.python3;"}});
        row("patches that may be there", wholeFile,
            {{"  meta = old.meta",
              "  patches = [ ./lib/isa.nix ] ++ (if builtins.pathExists ./fix.patch then [ ./fix.patch ] else [ ]) ++ "
              "pinned.lib.optional (builtins.pathExists ./more.patch) ./more.patch;\n  meta = old.meta"}});
        row("system features", wholeFile,
            {{"  meta = old.meta",
              "  requiredSystemFeatures = [ \"big-parallel\" \"gccarch-skylake\" \"cuda\" ];\n  meta = old.meta"}});
        row("unknown pin", wholeFile,
            {{"archive/6a030d535719c5190187c4cec156f335e95e3211", "archive/${builtins.getEnv \"REV\"}"}},
            notUnderstood);
        row("unknown toolkit", wholeFile, {{"final.cudaPackages_12_9", "final.${builtins.getEnv \"SET\"}"}},
            notUnderstood);
        row("unknown version", wholeFile,
            {{"  meta = old.meta", "  version = builtins.getEnv \"V\";\n  meta = old.meta"}}, notUnderstood);
        row("unknown platform", wholeFile, {{"[\"x86_64-linux\"]", "[ (builtins.getEnv \"P\") ]"}}, notUnderstood);
        row("unknown targets of its torch", ownTorch, {{"[ capability ]", "[ (builtins.getEnv \"GPU\") ]"}},
            notUnderstood);
        row("own version", wholeFile, {{"  meta = old.meta", "  version = old.version;\n  meta = old.meta"}});
        row("meta added by lib", make,
            {{"pinned.\"python${python}Packages\".torchvision.overrideAttrs (old: {",
              "pinned.lib.addMetaAttrs { platforms = [ cpu.platform ]; } "
              "(pinned.\"python${python}Packages\".torchvision.overrideAttrs (old: {"},
             {"        platforms = [cpu.platform];\n    };\n})", "    };\n}))"}});
    }
    void inOtherWords()
    {
        QFETCH(const Branch, branch);
        QFETCH(const QSet<QString>, rules);
        QSet<QString> found;
        QStringList sentences;
        for (const Finding &finding : foundIn(branch)) {
            if (finding.severity == Severity::Note && finding.rule != notUnderstoodRule)
                continue;
            found.insert(finding.rule);
            sentences.append(placedSentence(finding));
        }
        QVERIFY2(found == rules, qPrintable(sentences.join(u'\n')));
    }

    /// What only one package knows is not said to be missing.
    void ownWays_data()
    {
        QTest::addColumn<QByteArray>("gpu");
        QTest::addColumn<QByteArray>("cpu");
        QTest::newRow("definitions") << QByteArray(
                                            "cmakeFlags = [ \"-DRUNNER_CUDA_ARCHS=89\" \"-DRUNNER_AVX512=ON\" ];")
                                     << QByteArray();
        QTest::newRow("variables") << QByteArray("RUNNER_ARCH_LIST = \"8.9\";")
                                   << QByteArray("RUNNER_OPTIONS = \"-mavx512f\";");
        QTest::newRow("attributes") << QByteArray("gencode = [ \"sm_89\" ];")
                                    << QByteArray("bazelFlags = map (flag: \"--copt=${flag}\") [ \"-mavx512f\" ];");
    }
    void ownWays()
    {
        QFETCH(const QByteArray, gpu);
        QFETCH(const QByteArray, cpu);
        const auto branch = [](const QByteArray &attributes) {
            return Branch{{u"runner-cuda12_9-sm89-avx512.nix"_s,
                           "{ pkgs ? import <nixpkgs> { } }:\n(pkgs.cudaPackages_12_9.pkgs.runner.override { "
                           "cudaSupport = true; })"
                           ".overrideAttrs (old: {\n  pname = \"runner-cuda12_9-sm89-avx512\";\n  " +
                               attributes + "\n  meta = old.meta // { platforms = [ \"x86_64-linux\" ]; };\n})\n"}};
        };
        const auto errorsOf = [](const Branch &branch) {
            QSet<QString> rules;
            for (const Finding &finding : foundIn(branch)) {
                if (finding.severity == Severity::Error)
                    rules.insert(finding.rule);
            }
            return rules;
        };
        QCOMPARE(errorsOf(branch({})), (QSet<QString>{u"gpu-targets-missing"_s, u"cpu-flags-missing"_s}));
        QCOMPARE(errorsOf(branch(gpu + cpu)), QSet<QString>());
        QByteArray other = gpu;
        other.replace("89", "90").replace("8.9", "9.0");
        QCOMPARE(errorsOf(branch(other + cpu)), QSet<QString>{u"gpu-targets-other"_s});
        // What nobody declared may be built in any way.
        Branch scratch = branch({});
        QByteArray &text = scratch.first();
        text.replace("(pkgs.cudaPackages_12_9.pkgs.runner.override { cudaSupport = true; }).overrideAttrs (old: {",
                     "pkgs.stdenv.mkDerivation (old: {");
        QVERIFY(!errorsOf(scratch).contains(u"from-scratch"_s));
    }

    /// Bindings are given the library that is built for the GPU and the CPU: as an argument, or among their inputs.
    void whatIsBuiltIsGiven_data()
    {
        QTest::addColumn<QByteArray>("result");
        QTest::addColumn<QByteArray>("library");
        const QByteArray argument = "pinned.python312Packages.runner.override { runner-core = core; }";
        QTest::newRow("an argument") << argument << "runner"_ba;
        QTest::newRow("an argument of another name") << argument << "core-of-runner"_ba;
        QTest::newRow("own name") << "pinned.python312Packages.runner.override { runner = core; }"_ba << "runner"_ba;
        QTest::newRow("any argument") << "pinned.python312Packages.runner.override { kernels = core; }"_ba
                                      << "kernels"_ba;
        const QByteArray input =
            "pinned.python312Packages.runner.overridePythonAttrs (old: { buildInputs = [ core ]; })";
        QTest::newRow("an input") << input << "runner"_ba;
        QTest::newRow("an input of another name") << input << "kernels"_ba;
    }
    void whatIsBuiltIsGiven()
    {
        QFETCH(const QByteArray, result);
        QFETCH(const QByteArray, library);
        const auto rulesWith = [&](const QByteArray &toolkit, const QByteArray &gpu, const QByteArray &flags) {
            QSet<QString> rules;
            for (const Finding &finding :
                 foundIn({{u"runner-python312-cuda12_9-sm89-avx512.nix"_s,
                           "{ pkgs ? import <nixpkgs> { } }:\nlet\n  pinned = import (builtins.fetchTarball \"https://"
                           "github.com/NixOS/nixpkgs/archive/6a030d535719c5190187c4cec156f335e95e3211.tar.gz\") "
                           "{ config = { allowUnfree = true; cudaSupport = true; }; };\n  core = (pinned." +
                               library + ".override {\n" + toolkit +
                               "  }).overrideAttrs (old: {\n    cmakeFlags = old.cmakeFlags ++ [ \"" + gpu +
                               "\" ];\n    CXXFLAGS = \"" + flags + "\";\n    CFLAGS = \"" + flags +
                               "\";\n  });\nin\n" + result + "\n"}})) {
                if (finding.severity != Severity::Note)
                    rules.insert(finding.rule);
            }
            return rules - QSet<QString>{u"platforms-missing"_s, u"pname-other"_s};
        };
        const QByteArray toolkit = "    cudaPackages = pinned.cudaPackages_12_9;\n";
        const QByteArray gpu = "-DRUNNER_CUDA_ARCHS=89";
        const QByteArray flags = "-mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma";
        QCOMPARE(rulesWith(toolkit, gpu, flags), QSet<QString>());
        QVERIFY(rulesWith(toolkit, "-DRUNNER_CUDA_ARCHS=90", flags).contains(u"gpu-targets-other"_s));
        QVERIFY(rulesWith(toolkit, gpu, flags + " -mavx512vnni").contains(u"cpu-flags-other"_s));
        QVERIFY(rulesWith({}, gpu, flags).contains(u"toolkit-not-selected"_s));
        QVERIFY(rulesWith(toolkit, "-DX=1", flags).contains(u"gpu-targets-missing"_s));
        QVERIFY(rulesWith(toolkit, gpu, {}).contains(u"cpu-flags-missing"_s));
    }

    /// What callPackages makes of a file is read as what callPackage makes.
    void callPackagesIsRead()
    {
        const auto rulesWith = [](const QByteArray &flags) {
            QSet<QString> rules;
            for (const Finding &finding : foundIn(
                     {{u"gadget-cuda12_9-sm89-avx512.nix"_s,
                       "{ pkgs ? import <nixpkgs> { } }:\n(pkgs.callPackages ./lib/kernels.nix { flags = \"" + flags +
                           "\"; }).gadget\n"},
                      {u"lib/kernels.nix"_s, "{ stdenv, flags }:\n{\n  gadget = stdenv.mkDerivation {\n    pname = "
                                             "\"gadget-cuda12_9-sm89-avx512\";\n    CFLAGS = flags;\n    CXXFLAGS = "
                                             "flags;\n  };\n}\n"_ba}}))
                rules.insert(finding.rule);
            return rules;
        };
        const QSet<QString> right = rulesWith("-mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma");
        QVERIFY(!right.contains(u"cpu-flags-missing"_s) && !right.contains(u"pname-other"_s));
        QVERIFY(rulesWith("-mavx2").contains(u"cpu-flags-missing"_s));
    }

    /// A table that is computed has no place, but lacks an entry all the same.
    void entriesOfComputedTables()
    {
        for (const QByteArray &table :
             {"builtins.mapAttrs (name: flag: flag) { avx2 = \"-mavx2\"; }"_ba,
              "builtins.listToAttrs [ { name = \"avx2\"; value = \"-mavx2\"; } ]"_ba,
              "builtins.fromTOML \"avx2 = '-mavx2'\""_ba, "builtins.fromJSON ''{ \"avx2\": \"-mavx2\" }''"_ba}) {
            for (const QByteArray &isa : {"avx2"_ba, "avx512"_ba}) {
                const QList<Finding> found =
                    foundIn({{u"gadget-cuda12_9-sm89-avx2.nix"_s,
                              "{ pkgs ? import <nixpkgs> { } }:\npkgs.gadget.overrideAttrs (old: { CFLAGS = (" + table +
                                  ")." + isa + "; })\n"}});
                const auto missing = std::ranges::find(found, u"entry-missing"_s, &Finding::rule);
                QVERIFY2((missing != found.end()) == (isa == "avx512"), (table + '.' + isa).constData());
                QVERIFY(missing == found.end() || missing->line == 2);
            }
        }
    }

    /// A text that is read as data, and is none.
    void textsThatAreNoData()
    {
        const auto lineOf = [](const QByteArray &data) {
            const QList<Finding> found =
                foundIn({{u"gadget-cuda12_9-sm89-avx2.nix"_s,
                          "{ pkgs ? import <nixpkgs> { } }:\nlet data = " + data +
                              ";\nin pkgs.gadget.overrideAttrs (old: { CFLAGS = data.a; })\n"}});
            const auto none = std::ranges::find(found, u"throws-error"_s, &Finding::rule);
            return none == found.end() ? 0 : none->line;
        };
        QCOMPARE(lineOf("builtins.fromJSON ''{ \"a\": \"b\" }''"), 0);
        QCOMPARE(lineOf("builtins.fromJSON ''{ \"a\": \"b\", }''"), 2);
        QCOMPARE(lineOf("builtins.fromTOML \"a = 'b'\""), 0);
        QCOMPARE(lineOf("builtins.fromTOML \"a = 2026-01-01\""), 0); // not read
        QCOMPARE(lineOf("builtins.fromTOML \"[a\""), 2);
    }

    /// What an overlay puts in the place of the package's own library is needed; another package may not be.
    void entriesInOverlays()
    {
        for (const QByteArray &name : {"gadget"_ba, "widget"_ba}) {
            const QList<Finding> found = foundIn(
                {{u"gadget-python313-cuda12_9-sm89-avx2.nix"_s,
                  "{ }:\nlet flags = builtins.fromJSON ''{ \"avx2\": \"-mavx2\" }'';\n  pkgs = import <nixpkgs> { "
                  "overlays = [ (final: prev: {\n    " +
                      name + " = prev." + name +
                      ".overrideAttrs (old: {\n      CXXFLAGS = flags.avx512; }); }) ]; };\nin "
                      "pkgs.python313Packages.gadget\n"}});
            const auto missing = std::ranges::find(found, u"entry-missing"_s, &Finding::rule);
            QVERIFY2((missing != found.end()) == (name == "gadget"), name.constData());
            QVERIFY(missing == found.end() || missing->line == 5);
        }
    }

    /// Two versions with the same hash of their sources.
    void hashOfAnotherVersion()
    {
        const QString hash = u"sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="_s;
        Settings settings;
        for (const auto &[family, version] : {std::pair(u"gadget1"_s, u"1.0"_s), {u"gadget2"_s, u"2.0"_s}}) {
            Profile &profile = settings.profiles[{family, {}, u"12.9"_s}];
            profile.version = version;
            profile.sourceHash = hash;
        }
        const auto told = [&](const QByteArray &version, const QString &its) {
            const QList<Finding> found = foundIn(
                {{u"gadget"_s + QString::fromLatin1(version.first(1)) + u"-cuda12_9-sm89-avx512.nix"_s,
                  "{ pkgs ? import <nixpkgs> { } }:\npkgs.gadget.overrideAttrs (old: {\n  version = \"" + version +
                      "\";\n  src = pkgs.fetchFromGitHub { owner = \"o\"; repo = \"gadget\"; rev = \"v" + version +
                      "\";\n    hash = \"" + its.toLatin1() + "\"; };\n})\n"}},
                {}, settings);
            const auto finding = std::ranges::find(found, u"source-hash-of-another"_s, &Finding::rule);
            return finding == found.end() ? 0 : finding->line;
        };
        QCOMPARE(told("2.0", hash), 5);
        QCOMPARE(told("2.0", u"sha256-"_s + QString(43, u'A') + u'='), 0);
        QCOMPARE(told("1.0", hash), 0); // the newer one is wrong
    }

    /// A phase may run a file of the repository in its own shell; the file must be there.
    void sourcedFiles()
    {
        const auto rulesWith = [](const QString &file, const QByteArray &script) {
            QHash<QString, int> rules;
            for (const Finding &finding : foundIn({{u"gadget-cuda12_9-sm89-avx512.nix"_s,
                                                    "{ pkgs ? import <nixpkgs> { } }:\npkgs.gadget.overrideAttrs (old: "
                                                    "{\n  env = { dsArch = \"8.9\"; "
                                                    "isaFlags = \"-mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma\"; "
                                                    "};\n  preBuild = ''\n    source "
                                                    "${./lib/build.sh}\n  '';\n})\n"},
                                                   {file, script}}))
                rules.insert(finding.rule, finding.line);
            return rules;
        };
        const QString file = u"lib/build.sh"_s;
        const QByteArray script = "export TORCH_CUDA_ARCH_LIST=\"$dsArch\"\nexport CFLAGS=\"$isaFlags ${CFLAGS:-}\"\n"
                                  "export CXXFLAGS=\"${isaFlags} ${CXXFLAGS:-}\"\n";
        const QHash<QString, int> right = rulesWith(file, script);
        for (const QString &rule : {u"gpu-targets-other"_s, u"cpu-flags-missing"_s, u"import-missing"_s})
            QVERIFY2(!right.contains(rule), qPrintable(rule));
        QCOMPARE(rulesWith(file, QByteArray(script).replace("$dsArch", "8.0")).value(u"gpu-targets-other"_s), 5);
        QCOMPARE(rulesWith(file, QByteArray(script).replace("${isaFlags}", "-O2")).value(u"cpu-flags-missing"_s), 5);
        QCOMPARE(rulesWith(u"lib/buld.sh"_s, script).value(u"import-missing"_s), 5);
    }

    /// A package for all GPUs, of which the toolkit does not know one.
    void everyGpu()
    {
        const auto told = [](const QByteArray &toolkit, const QByteArray &gpus) {
            QStringList sentences;
            for (const Finding &finding : foundIn(
                     {{u"gadget-cuda"_s + QString::fromLatin1(toolkit) + u"-all-avx2.nix"_s,
                       "{ pkgs ? import <nixpkgs> { } }:\npkgs.cudaPackages_" + toolkit +
                           ".pkgs.gadget.overrideAttrs (old: {\n  cmakeFlags = [ \"-DCMAKE_CUDA_ARCHITECTURES=" + gpus +
                           "\" ];\n})\n"}})) {
                if (finding.rule == "toolkit-lacks-gpu"_L1)
                    sentences.append(QString::number(finding.line) + u' ' + finding.sentence);
            }
            return sentences;
        };
        QCOMPARE(told("12_9", "80;90;120"), QStringList());
        QCOMPARE(told("12_9", "80;90;110-real"),
                 QStringList{u"3 nvcc 12.9 does not know sm_110: it needs CUDA 13.0 or newer."_s});
        QCOMPARE(told("13_0", "80;90;110"), QStringList());
        QCOMPARE(told("13_0", "70;90").size(), 1);
    }

    /// nixpkgs' packages take torch, not pytorch.
    void torchUnderItsOldName()
    {
        const auto rulesWith = [](const QByteArray &python, const QByteArray &package, const QByteArray &arguments) {
            QStringList rules;
            for (const Finding &finding :
                 foundIn({{QString::fromLatin1("gadget-" + python + "-cuda12_9-sm90-avx512.nix"),
                           "{ pkgs ? import <nixpkgs> { } }:\nlet\n  mine = pkgs." + python +
                               "Packages.torch.override { gpuTargets = [ \"9.0\" ]; };\nin\npkgs." + python +
                               "Packages." + package + ".override { " + arguments + " }\n"}}))
                rules.append(finding.rule);
            return rules.contains(u"argument-unknown"_s);
        };
        QVERIFY(rulesWith("python313", "torchvision", "pytorch = mine;"));
        QVERIFY(rulesWith("python312", "vllm", "torch = mine; pytorch = mine;"));
        QVERIFY(!rulesWith("python313", "torchvision", "torch = mine;"));
        QVERIFY(!rulesWith("python39", "torchvision", "pytorch = mine;"));
        QVERIFY(!rulesWith("python313", "gadget", "pytorch = mine;"));
    }

    /// A scope of Python packages is read as their overrides are.
    void scopesOfPythonPackages()
    {
        const auto rulesWith = [](const QByteArray &target, const QByteArray &flags) {
            QStringList rules;
            for (const Finding &finding :
                 foundIn({{u"gadget-python313-cuda12_9-sm89-avx512.nix"_s,
                           "{ pkgs ? import <nixpkgs> { } }:\nlet\n  scope = pkgs.python313Packages.overrideScope "
                           "(self: super: "
                           "{\n    torch = super.torch.override { gpuTargets = [ \"" +
                               target + "\" ]; };\n    gadget = super.gadget.overrideAttrs (old: { CFLAGS = \"" +
                               flags + "\"; CXXFLAGS = \"" + flags +
                               "\"; });\n  });\nin\nscope.gadget.overrideAttrs (old: { pname = "
                               "\"gadget-python313-cuda12_9-sm89-avx512\"; })\n"}}))
                rules.append(finding.rule);
            return rules;
        };
        const QByteArray flags = "-mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma";
        for (const QString &rule : {u"cpu-flags-missing"_s, u"gpu-targets-other"_s, u"not-understood"_s})
            QVERIFY2(!rulesWith("8.9", flags).contains(rule), qPrintable(rule));
        QVERIFY(rulesWith("8.0", flags).contains(u"gpu-targets-other"_s));
        QVERIFY(rulesWith("8.9", "-mavx2").contains(u"cpu-flags-missing"_s));
        // Its torch is of the same nixpkgs.
        const QByteArray pinned =
            "{ }:\nlet\n  pkgs = import (fetchTarball { url = \"https://github.com/NixOS/nixpkgs/archive/"
            "6a030d535719c5190187c4cec156f335e95e3211.tar.gz\"; }) { config = { allowUnfree = true; cudaSupport = "
            "true; "
            "}; };\nin\n(pkgs.python313Packages.overrideScope (self: super: { torch = super.torch.override { "
            "gpuTargets = [ "
            "\"8.9\" ]; }; })).torchvision\n";
        for (const Finding &finding : foundIn({{u"torchvision-python313-cuda12_9-sm89-avx512.nix"_s, pinned}}))
            QVERIFY2(finding.rule != "companion-torch-other"_L1, qPrintable(finding.sentence));
    }

    /// A torch that an overlay gives to all Python packages is that of the package.
    void torchOfExtensions()
    {
        const auto rulesWith = [](const QByteArray &target) {
            QStringList rules;
            for (const Finding &finding : foundIn(
                     {{u"gadget-python313-cuda12_9-sm89-avx512.nix"_s,
                       "{ pkgs ? import <nixpkgs> { } }:\n(pkgs.extend (final: prev: {\n  pythonPackagesExtensions = "
                       "prev.pythonPackagesExtensions ++ [ (self: super: {\n    torch = super.torch.override { "
                       "gpuTargets "
                       "= [ \"" +
                           target + "\" ]; };\n  }) ];\n})).python313Packages.gadget\n"}}))
                rules.append(finding.rule);
            return rules;
        };
        QVERIFY(!rulesWith("8.9").contains(u"gpu-targets-other"_s));
        QVERIFY(rulesWith("7.5").contains(u"gpu-targets-other"_s));
    }

    /// A torch that the recipe builds is the one of the name.
    void torchOfPairing()
    {
        const auto rulesWith = [](const QByteArray &version) {
            const Branch branch{
                {u"torchaudio211-pt212-python313-cuda12_9-sm90-avx512.nix"_s,
                 "{ pkgs ? import <nixpkgs> { } }:\nlet\n  torch = pkgs.python313Packages.torch.overrideAttrs (old: "
                 "{ version = \"" +
                     version +
                     "\"; });\nin\n(pkgs.python313Packages.torchaudio.override { inherit "
                     "torch; }).overrideAttrs (old: { version = \"2.11.0\"; })\n"}};
            QStringList found;
            for (const Finding &finding : foundIn(branch)) {
                if (finding.rule == "version-not-of-name"_L1)
                    found.append(finding.sentence);
            }
            return found;
        };
        QCOMPARE(rulesWith("2.12.1"), QStringList());
        QCOMPARE(rulesWith("2.11.0"), QStringList{u"Its torch is 2.11.0, but its name says pt212."_s});
        // No family is declared for it, and it takes torch from its Python packages.
        const auto ruleOf = [](const QByteArray &name, const QByteArray &version) {
            const QList<Finding> found =
                foundIn({{QString::fromLatin1(name) + u"-python313-cuda12_9-sm90-avx512.nix"_s,
                          "{ pkgs ? import <nixpkgs> { } }:\n(pkgs.python313.override {\n  packageOverrides = self: "
                          "super: {\n    torch = super.torch.overrideAttrs (old: { version = \"" +
                              version + "\"; });\n  };\n}).pkgs.gadget\n"}});
            const auto other = std::ranges::find(found, u"version-not-of-name"_s, &Finding::rule);
            return other == found.end() ? QString() : other->sentence;
        };
        QCOMPARE(ruleOf("gadget08-pt29", "2.8.0"), u"Its torch is 2.8.0, but its name says pt29."_s);
        QCOMPARE(ruleOf("gadget08-pt29", "2.9.1"), QString());
        QCOMPARE(ruleOf("gadget08", "2.8.0"), QString());
        QCOMPARE(ruleOf("gadget08-pt29", "${builtins.getEnv \"V\"}"), QString());
    }

    /// Other ways to write the same, each alone on its branch: the errors and warnings of it, and of a changed one.
    void idioms_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("rules");
        constexpr auto pinned =
            "  nixpkgs = import (fetchTarball {\n    url = \"https://github.com/NixOS/nixpkgs/archive/"
            "c17d4400e6c13d3dc286ba8010facc504277cb11.tar.gz\";\n    sha256 = "
            "\"sha256-TbA6J3z7nvTGi0yXgEcO7keaustf0BuKLCs8uVWZjoc=\";\n  }) {\n    config = "
            "{ allowUnfree = true; cudaSupport = true; };\n    overlays = [ (final: prev: { "
            "cudaPackages = final.cudaPackages_12_8; }) ];\n  };\n";
        const auto row = [&](const QByteArray &what, const QString &name, const QByteArray &body,
                             const QStringList &rules) {
            QTest::newRow(what.constData()) << name << "{ }:\nlet\n" + QByteArray(pinned) + "in\n" + body + '\n'
                                            << rules;
        };
        const QByteArray meta = "  meta = old.meta // { platforms = [ \"x86_64-linux\" ]; };\n";
        const auto torch = [&meta](const QByteArray &name, const QByteArray &rest, const QByteArray &arguments = {}) {
            return "(nixpkgs.python313Packages.torch.override { cudaSupport = true; gpuTargets = [ \"9.0\" ];" +
                   arguments + " }).overrideAttrs (old: {\n  pname = \"" + name + "\";\n" + rest + meta + "})";
        };
        const QByteArray exports = "  preConfigure = (old.preConfigure or \"\") + ''\n    export CXXFLAGS=\"-mavx2 "
                                   "-mfma -mf16c $CXXFLAGS\"\n    export "
                                   "CFLAGS=\"-mavx2 -mfma -mf16c $CFLAGS\"\n  '';\n";
        const QString plain = u"torch-cuda12_8-sm90-avx2"_s;
        row("no Python in the name", plain, torch(plain.toUtf8(), exports), {});
        row("misspelt argument", plain, torch(plain.toUtf8(), exports, " cudaSuport = true;"), {u"argument-unknown"_s});
        row("level of the compiler", plain,
            torch(plain.toUtf8(), QByteArray(exports).replace("-mavx2 -mfma -mf16c", "-march=x86-64-v3")), {});
        row("level above", plain,
            torch(plain.toUtf8(), QByteArray(exports).replace("-mavx2 -mfma -mf16c", "-march=x86-64-v4")),
            {u"cpu-flags-other"_s});
        row("set of all names", plain,
            torch(plain.toUtf8(), "  env = (old.env or { }) // nixpkgs.lib.genAttrs [ \"CFLAGS\" \"CXXFLAGS\" ] (_: "
                                  "\"-mavx2 -mfma -mf16c\");\n"),
            {});
        row("set of all names, other flag", plain,
            torch(plain.toUtf8(), "  env = (old.env or { }) // nixpkgs.lib.genAttrs [ \"CFLAGS\" \"CXXFLAGS\" ] (_: "
                                  "\"-mavx2 -mfma -mf16c -mavx512f\");\n"),
            {u"cpu-flags-other"_s});
        row("appended to a variable", plain,
            torch(plain.toUtf8(), "  preConfigure = (old.preConfigure or \"\") + ''\n    appendToVar "
                                  "NIX_CFLAGS_COMPILE -mavx2 -mfma -mf16c\n  '';\n"),
            {});
        const QString amx = u"torch-cuda12_8-sm90-neoverse-v2"_s;
        row("instruction set that the catalog lacks", amx,
            torch(amx.toUtf8(), "  env.NIX_CFLAGS_COMPILE = \"-mcpu=neoverse-v2\";\n").replace("x86_64", "aarch64"),
            {});
        const QString arm = u"torch-cuda12_8-sm90-armv9"_s;
        row("server CPU", arm,
            torch(arm.toUtf8(), QByteArray(exports).replace("-mavx2 -mfma -mf16c", "-mcpu=neoverse-v2"))
                .replace("x86_64", "aarch64"),
            {});
        row("other server CPU", arm,
            torch(arm.toUtf8(), QByteArray(exports).replace("-mavx2 -mfma -mf16c", "-mcpu=neoverse-n1"))
                .replace("x86_64", "aarch64"),
            {u"cpu-flags-missing"_s, u"cpu-flags-other"_s});
        const QString words = u"translate2-cuda12_8-sm90-avx2"_s;
        const auto library = [&](const QByteArray &flags) {
            return "nixpkgs.translate2.overrideAttrs (old: {\n  pname = \"" + words.toUtf8() +
                   "\";\n  version = \"4.6.0\";\n  cmakeFlags = old.cmakeFlags ++ [ \"-DCMAKE_CUDA_ARCHITECTURES=90\" "
                   "\"-DCMAKE_CXX_FLAGS=-march=x86-64-v3\" " +
                   flags + " ];\n" + meta + "})";
        };
        row("digit in the word", words, library({}), {});
        row("switch for this CPU", words, library("\"-DGGML_NATIVE=ON\""), {u"cpu-flags-other"_s});
        row("switch off", words, library("\"-DGGML_NATIVE=OFF\""), {});
        row("switch of another set", words, library("\"-DGGML_AVX512=ON\""), {u"cpu-flags-other"_s});
        const QString rust = u"candle-cuda12_8-sm90-avx2"_s;
        const auto built = [&](const QString &of, const QByteArray &variable) {
            return "nixpkgs.rustPlatform.buildRustPackage {\n  pname = \"" + of.toUtf8() +
                   "\";\n  version = \"0.9.1\";\n  env.CUDA_COMPUTE_CAP = \"90\";\n  env." + variable +
                   "\";\n  meta.platforms = [ \"x86_64-linux\" ];\n}";
        };
        const auto crate = [&](const QByteArray &cpu) { return built(rust, "RUSTFLAGS = \"-C target-cpu=" + cpu); };
        row("flags of Rust", rust, crate("x86-64-v3"), {});
        row("flags of Rust for another CPU", rust, crate("x86-64-v4"), {u"cpu-flags-other"_s});
        row("flags of Rust for this CPU", rust, crate("native"), {u"cpu-flags-other"_s});
        row("flags of Rust for a CPU", rust, crate("haswell"), {});
        row("flags of Rust for a CPU with more", rust, crate("znver3"), {u"cpu-flags-other"_s});
        row("flags of Rust for less", rust, crate("x86-64-v2"), {u"cpu-flags-missing"_s});
        row("flags of Rust for any CPU", rust, crate("generic"), {u"cpu-flags-missing"_s});
        row("features of Rust", rust, built(rust, "RUSTFLAGS = \"-Ctarget-feature=+avx2,+fma,+f16c"), {});
        row("features of Rust for less", rust, built(rust, "RUSTFLAGS = \"-Ctarget-feature=+avx"),
            {u"cpu-flags-missing"_s});
        row("features of Rust for another CPU", rust, crate("x86-64-v3 -C target-feature=+avx512f"),
            {u"cpu-flags-other"_s});
        row("level of Go", rust, built(rust, "GOAMD64 = \"v3"), {});
        row("level of Go below", rust, built(rust, "GOAMD64 = \"v2"), {u"cpu-flags-missing"_s});
        row("level of Go above", rust, built(rust, "GOAMD64 = \"v4"), {u"cpu-flags-other"_s});
        const QString level4 = u"candle-cuda12_8-sm90-avx512"_s;
        row("level of the set", level4, built(level4, "RUSTFLAGS = \"-C target-cpu=x86-64-v4"), {});
        row("level below the set", level4, built(level4, "RUSTFLAGS = \"-C target-cpu=x86-64-v3"),
            {u"cpu-flags-missing"_s});
        for (const QString &beyond : {u"candle-cuda12_8-sm90-avx512bf16"_s, u"candle-cuda12_8-sm90-avx512vnni"_s}) {
            row("level below " + beyond.toUtf8(), beyond, built(beyond, "RUSTFLAGS = \"-C target-cpu=x86-64-v4"),
                {u"cpu-flags-missing"_s});
            const bool isVnni = beyond.endsWith("vnni"_L1);
            row("CPU of " + beyond.toUtf8(), beyond,
                built(beyond, "RUSTFLAGS = \"-C target-cpu=" + QByteArray(isVnni ? "cascadelake" : "cooperlake")), {});
        }
        const auto more = [&](const QByteArray &options) {
            return torch(plain.toUtf8(), QByteArray(exports).replace("-mf16c", "-mf16c " + options));
        };
        row("options that name no instructions", plain,
            more("-mtune=sapphirerapids -mprefer-vector-width=512 -mcmodel=large -mabi=sysv -mno-red-zone -mno-avx512f "
                 "-mfpmath=sse -mstackrealign -mbranch-protection=standard -mrecip=none -m64 "
                 "-mno-omit-leaf-frame-pointer "
                 "-mavx256-split-unaligned-load -malign-data=cacheline"),
            {});
        for (const QByteArray &option :
             std::initializer_list<QByteArray>{"-mamx-tile", "-msse4a", "-mxop", "-mavxvnni", "-mgfni", "-mrdseed"})
            row("option " + option, plain, more(option), {u"cpu-flags-extra"_s});
        for (const QByteArray &sets : std::initializer_list<QByteArray>{"pkgsCuda", "pkgsForCudaArch"}) {
            const auto taken = [&](const QByteArray &from) {
                return QByteArray(library({}))
                    .replace("nixpkgs.translate2", "nixpkgs." + sets + '.' + from + ".translate2")
                    .replace("\"-DCMAKE_CUDA_ARCHITECTURES=90\"", "");
            };
            row(sets + " for one GPU", words, taken("sm_90"), {});
            row(sets + " with a toolkit", words, taken("sm_90.cudaPackages_12_8.pkgs"), {});
            row(sets + " for one GPU alone", words, taken("sm_90a"), {});
            row(sets + " for another GPU", words, taken("sm_80"), {u"gpu-targets-other"_s});
            row(sets + " for two digits", words, taken("sm_120"), {u"gpu-targets-other"_s});
        }
    }
    /// What is read as it is must be there, as what is imported.
    void missingDataIsFound()
    {
        const QString name = u"tool-cuda12_8-sm90-avx2.nix"_s;
        for (const QByteArray &reads : {QByteArray("builtins.fromJSON (builtins.readFile ./lib/pins.json)"),
                                        QByteArray("lib.importJSON ./lib/pins.json"),
                                        QByteArray("with builtins; fromTOML (readFile ./lib/pins.toml)")}) {
            const QByteArray text =
                "{ pkgs, lib }: let pins = " + reads + "; in pkgs.tool.override { inherit (pins) rev; }\n";
            const auto rules = [](const QList<Finding> &findings) {
                QStringList found;
                for (const Finding &finding : findings)
                    found.append(finding.rule);
                return found;
            };
            QVERIFY2(rules(foundIn({{name, text}})).contains(u"import-missing"_s), text.constData());
            const Branch whole{
                {name, text}, {u"lib/pins.json"_s, "{ \"rev\": \"a\" }"}, {u"lib/pins.toml"_s, "rev = \"a\"\n"}};
            QVERIFY2(!rules(foundIn(whole)).contains(u"import-missing"_s), text.constData());
        }
    }

    void idioms()
    {
        QFETCH(const QString, name);
        QFETCH(const QByteArray, text);
        QFETCH(const QStringList, rules);
        QStringList found;
        QStringList all;
        for (const Finding &finding : foundIn({{name + u".nix"_s, text}})) {
            if (finding.severity == Severity::Note)
                continue;
            found.append(finding.rule);
            all.append(finding.rule + u": "_s + placedSentence(finding));
        }
        found.removeDuplicates();
        found.sort();
        QVERIFY2(found == rules, qPrintable(all.join(u'\n')));
    }

    void findsTheDefect_data()
    {
        QTest::addColumn<int>("index");
        for (size_t i = 0; i < std::size(shapeDefects); ++i)
            QTest::addRow("%s in %s, %zu", shapeDefects[i].rule, qPrintable(shapeDefects[i].file), i) << int(i);
    }
    void findsTheDefect()
    {
        QFETCH(const int, index);
        const ShapeDefect &defect = shapeDefects[index];
        const QString rule = QString::fromLatin1(defect.rule);
        Branch branch = soundBranch();
        QByteArray &text = branch[defect.file];
        if (*defect.from) {
            QVERIFY(text.count(defect.from) > 0);
            text.replace(text.indexOf(defect.from), qsizetype(qstrlen(defect.from)), defect.to);
        }
        const QList<Finding> findings = foundIn(branch, rule == "import-untracked"_L1 ? defect.file : QString());
        const auto found = std::ranges::find(findings, rule, &Finding::rule);
        QStringList all;
        for (const Finding &finding : findings) {
            if (finding.severity != Severity::Note)
                all.append(finding.rule + u": "_s + placedSentence(finding));
        }
        QVERIFY2(found != findings.end(), qPrintable(all.join(u'\n')));
        // What is wrong in a header misleads nobody who installs it, and all may be of one language.
        QCOMPARE(found->severity == Severity::Note,
                 QByteArrayView(defect.to).contains("# ") || rule == "cpu-flags-language"_L1);
        // What a file does not say, or cannot be read, is found where that is asked for.
        if (!rule.startsWith("import-"_L1) && !rule.endsWith("-missing"_L1) && rule != "cpu-flags-language"_L1)
            QCOMPARE(found->file, u".flox/pkgs/"_s + (rule == "cuda-overlay-other"_L1 && defect.file.contains(u'/')
                                                          ? u"lib/make.nix"_s // which takes the set by a computed name
                                                          : defect.file));
        for (const Finding &finding : findings)
            QVERIFY2(finding.severity != Severity::Error || finding.rule == rule ||
                         (rule == "version-not-of-name"_L1 && finding.rule == "companion-torch-version"_L1),
                     qPrintable(all.join(u'\n')));
    }
};

TM_TEST(AuditShapesTest, QCoreApplication)
#include "tst_auditshapes.moc"
