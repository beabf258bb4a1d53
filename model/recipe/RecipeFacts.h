// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/recipe/PackageFacts.h"

#include <QByteArray>

namespace tmx {

/// One fact in words, for tables, comparisons and --json.
struct Fact {
    QString id;    ///< stable: "pin", "cpu_flags"
    QString label; ///< for people, translated: "CPU flags"
    QString value; ///< never empty
    int line = 0;  ///< of the recipe, from 1
    bool operator==(const Fact &) const = default;
};

/// How finely facts are told: passthru and environment as one fact each, or an attribute and a variable as a fact of
/// its own ("passthru.cpuISA", "environment.USE_CUDNN"), with what does linear algebra (RecipeFacts::blas()) told once.
enum class FactDetail { Joined, Apart };

/// The text is not Nix.
struct RecipeError {
    QString message; ///< lower case, without a full stop: "unexpected 'in', expected ';'"
    Spot spot;
    bool operator==(const RecipeError &) const = default;
};

/// A nixpkgs that the recipe fetches: `import (fetchTarball { url = ...; }) { config = ...; overlays = ...; }`.
struct PinFacts {
    StatedText url;
    StatedText revision; ///< of an archive of GitHub: what stands between "archive/" and ".tar.gz"
    StatedText sha256;   ///< of the tarball
    StatedFlag allowUnfree, allowBroken, cudaSupport;
    Spot spot;     ///< of the import's first argument
    Spot settings; ///< of the set that the import is called with
    bool operator==(const PinFacts &) const = default;
};

/// A patch that a package gets besides its own.
struct PatchFacts {
    QString name; ///< "cuda-13.0-clockrate-fix.patch": as it is named, else the end of its URL or path
    StatedText url, hash;
    Spot spot;
    bool operator==(const PatchFacts &) const = default;
};

/// One attribute of one overlay, `(final: prev: { name = ...; })`, and what it does.
struct OverlayFacts {
    enum class Kind {
        CudaSelection, ///< `cudaPackages = final.cudaPackages_13;`: `value`
        Magma,         ///< `magma = prev.magma.overrideAttrs ...`: `patches`; `value` "null" where it is taken away
        Blas,          ///< `blas = prev.blas.override { blasProvider = final.mkl; }`: `value` "mkl"
        Lapack,        ///< the same of lapack
        Torch, ///< `python3Packages = prev.python3Packages.override { overrides = ...; }`: `value` "torch", version,
               ///< hash
        Other,
    };
    Kind kind = Kind::Other;
    QString name;              ///< that the overlay sets: "cudaPackages", "magma", "python3Packages"
    StatedText value;          ///< "cudaPackages_13"
    QList<PatchFacts> patches; ///< of Magma
    StatedText version;        ///< of a torch with another source
    SourceFacts src;
    Spot spot; ///< of the name
    bool operator==(const OverlayFacts &) const = default;
};

/// What a recipe says, names and constants followed to where they are written. What is not said, or cannot be known
/// without nixpkgs, is not stated; words in comments are no facts.
struct RecipeFacts {
    std::optional<RecipeError> error; ///< then nothing else is known
    bool noDerivation = false;        ///< it comes to a number, a text or a list, which nothing can build
    QStringList arguments;            ///< of the function that the file is: "pkgs", "lib", "cudaPackages_12_8"
    QList<PinFacts> pins;             ///< as the text has them; nearly always none or one
    QList<OverlayFacts> overlays;     ///< in the order in which they are applied
    PackageFacts package;             ///< what the file comes to
    TorchSource torch;                ///< of a companion (torchvision, torchaudio): the torch that it is built against
    QList<Spot> emptyHashes;          ///< values of `hash`, `sha256` and the like that are "" or lib.fakeHash
    QList<StatedText> revisions; ///< every commit that is fetched by a written id: `rev = "..."`, ".../archive/..."
    QList<StatedText> callersPackages; ///< packages of the nixpkgs that the file is called with: "pkgs.openblas"

    /// The package set of CUDA that it selects: by an argument of the package or of its torch, an overlay, its inputs.
    /// Empty: nixpkgs' default.
    [[nodiscard]] StatedText toolkit() const;
    /// What does linear algebra on the CPU where it is said: the attribute that an overlay chooses ("mkl"), else "mkl"
    /// or "openblas" for BLAS=MKL and BLAS=OpenBLAS in the environment, else "mkl" where that is among the inputs.
    [[nodiscard]] StatedText blas() const;
    /// Everything that is stated, in a fixed order, an id once a fact: "error", "pin", "pin_sha256", "config",
    /// "toolkit", "magma_patch", "blas", "lapack", "torch_overlay", "torch_version", "torch_hash", "overlay",
    /// "attribute", "cuda_support", "gpu_targets", "cpu_flags", "cmake_flags", "environment", "version", "pname",
    /// "passthru", "platforms", "description", "driver", "torch_source", "torch_targets", "torch_flags",
    /// "metadata_rev".
    [[nodiscard]] QList<Fact> rows(FactDetail detail = FactDetail::Joined) const;
    bool operator==(const RecipeFacts &) const = default;
};

/// Reads any recipe. Pure and thread-safe, and it never fails: what is no Nix has `error` alone.
RecipeFacts readFacts(const QByteArray &text);

} // namespace tmx
