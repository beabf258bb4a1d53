// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/Sample.h"

#include "model/base/AtomicFile.h"
#include "model/base/BlobId.h"
#include "model/git/RefLines.h"
#include "model/git/Repository.h"
#include "model/job/SharedBuildLines.h"
#include "model/template/RecipeRenderer.h"
#include "model/workspace/EnvironmentFiles.h"

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QByteArray readme(const Settings &settings, qsizetype count)
{
    QStringList toolkits;
    for (const QString &toolkit : settings.toolkits())
        toolkits.append(settings.common(&Profile::release, {{}, {}, {toolkit}}));
    return u"# build-pytorch, branch %1\n\n"
           "A sample build repository: PyTorch %2 with CUDA %3, %4 variants.\n\n"
           "The recipes are in `.flox/pkgs`, one file a variant; `flox build NAME` builds one (one to three hours each).\n"_s
               .arg(settings.branch, settings.versionOf(u"pytorch"_s), toolkits.join(u", "_s))
               .arg(count)
               .toUtf8();
}

// The story, which a new user finds in the sample: something of each kind that the window shows.
const QStringList sampleMissing{u"pytorch-python313-cuda12_8-sm90-avx512"_s,
                                u"pytorch-python313-cuda12_8-sm120-avx512"_s};
const QString sampleWarned = u"pytorch-python313-cuda12_8-sm86-avx2"_s;
const QString sampleEdited = u"pytorch-python313-cuda12_8-sm80-avx2"_s;
const QString sampleFailed = u"pytorch-python313-cuda12_8-sm89-avx512"_s;
const QStringList sampleBuilt{u"pytorch-python313-cuda12_8-sm80-avx512"_s, u"pytorch-python313-cuda12_8-sm86-avx512"_s,
                              u"pytorch-python313-cuda12_8-sm90-avx2"_s};

constexpr auto visionBuilder =
    R"(# Builds TorchVision and its torch for one GPU and one instruction set. Each recipe of this branch calls it.
{ pkgs, sm ? null, isa }:
let
  capabilities = { "80" = "8.0"; "86" = "8.6"; "89" = "8.9"; "90" = "9.0"; };
  flags = {
    avx2 = [ "-mavx2" "-mfma" "-mf16c" ];
    avx512 = [ "-mavx512f" "-mavx512dq" "-mavx512vl" "-mavx512bw" "-mfma" ];
  };
  gpu = sm != null;
  pinned = import (fetchTarball {
    url = "https://github.com/NixOS/nixpkgs/archive/@pin@.tar.gz";
  }) {
    inherit (pkgs.stdenv.hostPlatform) system;
    config = { allowUnfree = true; cudaSupport = gpu; };
    overlays = if gpu then [ (final: prev: { cudaPackages = final.cudaPackages_12_8; }) ] else [ ];
  };
  withFlags = old: {
    preConfigure = (old.preConfigure or "") + ''
      export CXXFLAGS="${toString flags.${isa}} $CXXFLAGS"
      export CFLAGS="${toString flags.${isa}} $CFLAGS"
    '';
  };
  torch = (pinned.python313Packages.torch.override (
    if gpu then { cudaSupport = true; gpuTargets = [ capabilities.${sm} ]; } else { cudaSupport = false; }
  )).overrideAttrs withFlags;
in
(pinned.python313Packages.torchvision.override { inherit torch; }).overrideAttrs (old: withFlags old // {
  pname = "torchvision-python313-${if gpu then "cuda12_8-sm${sm}" else "cpu"}-${isa}";
  env = (old.env or { }) // (if gpu then { TORCH_CUDA_ARCH_LIST = capabilities.${sm}; } else { });
  propagatedBuildInputs = (old.propagatedBuildInputs or [ ]) ++ [ torch.out ];
  meta = old.meta // { platforms = [ "x86_64-linux" ]; };
})
)"_L1;

/// TorchVision in a shape that many repositories have: one builder, and short recipes that call it.
NewBranch wrappers(const Catalog &catalog, const Settings &settings)
{
    NewBranch branch{u"torchvision"_s, u"Add TorchVision, built by lib/vision.nix\n"_s, {}};
    branch.files.append(environmentFiles(catalog, settings, u"build-pytorch"_s));
    branch.files.append({u".flox/pkgs/lib/vision.nix"_s,
                         QString(visionBuilder).replace("@pin@"_L1, settings.common(&Profile::pin).revision).toUtf8()});
    for (const QString &sm : {u"80"_s, u"86"_s, u"89"_s, u"90"_s, QString()}) {
        for (const QString &isa : {u"avx2"_s, u"avx512"_s}) {
            const QString gpu = sm.isEmpty() ? u"cpu"_s : u"sm"_s + sm;
            const Variant variant{u"torchvision"_s, u"python313"_s, sm.isEmpty() ? QString() : u"12.8"_s, gpu, isa};
            const QString text = u"# TorchVision for %1 and %2\n{ pkgs ? import <nixpkgs> { } }:\n"
                                 "import ./lib/vision.nix { inherit pkgs;%3 isa = \"%2\"; }\n"_s;
            const QString argument = sm.isEmpty() ? QString() : u" sm = \"%1\";"_s.arg(sm);
            branch.files.append({variant.file(), text.arg(gpu, isa, argument).toUtf8()});
        }
    }
    return branch;
}

/// Builds of the recipes by a team, which the repository itself knows.
Result<void> addBuilds(const QString &folder, const NewBranch &branch)
{
    QList<BuildRecord> records;
    const QDateTime now = QDateTime::currentDateTimeUtc();
    for (const QString &name : sampleBuilt + QStringList{sampleFailed}) {
        const auto file =
            std::ranges::find(branch.files, u".flox/pkgs/%1.nix"_s.arg(name), &std::pair<QString, QByteArray>::first);
        if (file == branch.files.end())
            continue;
        BuildRecord record;
        record.variant = record.package = name;
        record.blob = blobId(file->second, 40);
        record.branch = branch.name;
        record.machine = u"sample"_s;
        record.engine = u"flox"_s;
        record.ended = now.addSecs(-3600 * (records.size() + 1));
        constexpr std::array took{4'330, 6'425, 8'785, 3'072}; // seconds: builds of other machines do not take the same
        record.queued = record.started = record.ended.addSecs(-took[size_t(records.size()) % took.size()]);
        record.job = record.queued.toString(u"yyyyMMdd-HHmmss"_s) + u"-5a3f1e"_s;
        record.outcome = name == sampleFailed ? BuildOutcome::Kind::CompileError : BuildOutcome::Kind::Built;
        if (record.outcome == BuildOutcome::Kind::CompileError)
            record.error = u"‘_mm512_reduce_add_ph’ was not declared in this scope"_s;
        records.append(record);
    }
    TM_CHECK(addRefLines(folder, u"refs/torch-matrix/builds"_s,
                         sharedBuildLinesOf(records, {}, u"sample-box"_s, {}, now), {}, u"Add builds"_s));
    return {};
}

} // namespace

Result<void> createSample(const std::shared_ptr<const Catalog> &catalog, const QString &folder, SampleKind kind)
{
    const bool story = kind == SampleKind::Story;
    RecipeRenderer renderer(catalog);
    QList<NewBranch> branches;
    for (const Settings &settings : catalog->builtIn) {
        const QList<Variant> promised = settings.promised();
        NewBranch branch{
            settings.branch, u"Add the %1 recipes of %2\n"_s.arg(promised.size()).arg(settings.branch), {}};
        branch.files.append(environmentFiles(*catalog, settings, u"build-pytorch"_s));
        branch.files.append({u"README.md"_s, readme(settings, promised.size())});
        for (const Variant &variant : promised) {
            TM_TRY(text, renderer.render(settings, variant));
            if (story && sampleMissing.contains(variant.name()))
                continue;
            if (story && variant.name() == sampleWarned)
                text->replace("cpuISA = \"avx2\"", "cpuISA = \"avx\"");
            branch.files.append({variant.file(), std::move(text).value()});
        }
        branches.append(branch);
    }
    if (!story)
        return createRepository(folder, branches);
    branches.append(wrappers(*catalog, catalog->builtIn.constFirst()));
    NewBranch ahead = branches.constLast();
    ahead.name = u"torchvision-next"_s;
    ahead.message = u"Announce the next release\n"_s;
    ahead.follows = branches.constLast().name;
    ahead.files[ahead.files.size() - 1].second.prepend("# Not released yet\n");
    branches.append(ahead);
    TM_CHECK(createRepository(folder, branches));
    TM_CHECK(addBuilds(folder, branches.constFirst()));
    const QString name = u".flox/pkgs/%1.nix"_s.arg(sampleEdited);
    const auto &files = branches.constFirst().files;
    const auto file = std::ranges::find(files, name, &std::pair<QString, QByteArray>::first);
    const QByteArray text = file == files.end() ? QByteArray() : "# Tested on an A100.\n" + file->second;
    return writeFileAtomically(folder + u'/' + name, text, folder + u"/.git"_s);
}

} // namespace tmx
