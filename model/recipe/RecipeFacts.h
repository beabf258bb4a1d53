// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Fold.h"
#include "model/recipe/PackageFacts.h"
#include "model/recipe/RecipeSource.h"

#include <QByteArray>

namespace tmx {

namespace nix {
struct ParseResult;
}

/// One fact as text, for tables, comparisons and --json.
struct Fact {
    QString id;        ///< stable: "pin", "cpu_flags"
    QString label;     ///< readable, translated: "CPU flags"
    QString value;     ///< never empty
    int line = 0;      ///< line of the file, from 1
    QString file = {}; ///< imported file that states it; empty: the recipe
    bool known = true; ///< false: the value, or a part of it, cannot be evaluated
    bool operator==(const Fact &) const = default;
};

/// Level of detail of facts: passthru and environment as one fact each, or each attribute and variable as a separate
/// fact ("passthru.cpuISA", "environment.USE_CUDNN") with the BLAS library (RecipeFacts::blas()) only once.
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
    StatedText revision;   ///< for an archive of GitHub: the part between "archive/" and ".tar.gz"
    StatedText sha256;     ///< hash of the tarball
    bool byCommit = false; ///< fetchGit, fetchTree or getFlake, for which the commit id takes the place of a hash
    StatedFlag allowUnfree, allowBroken, cudaSupport;
    StatedText system;           ///< the Nix system that it is imported for, "x86_64-linux"
    StatedList cudaCapabilities; ///< the GPU targets of all of its packages
    QList<NamedText> otherConfig;
    Spot spot;     ///< place of the import's first argument
    Spot settings; ///< place of the set that the import is called with
    bool operator==(const PinFacts &) const = default;
};

/// A patch added to a package's own patches.
struct PatchFacts {
    QString name; ///< "cuda-13.0-clockrate-fix.patch": its name, else the end of its URL or path
    StatedText url, hash;
    Spot spot;
    bool operator==(const PatchFacts &) const = default;
};

/// One attribute of one overlay, `(final: prev: { name = ...; })`, and its effect.
struct OverlayFacts {
    enum class Kind {
        CudaSelection, ///< `cudaPackages = final.cudaPackages_13;`: `value`
        Magma,         ///< `magma = prev.magma.overrideAttrs ...`: `patches`; `value` "null" if it is removed
        Blas,          ///< `blas = prev.blas.override { blasProvider = final.mkl; }`: `value` "mkl"
        Lapack,        ///< the same for lapack
        Torch, ///< `python3Packages = prev.python3Packages.override { overrides = ...; }`: `value` "torch", version,
               ///< hash
        Other,
    };
    Kind kind = Kind::Other;
    QString name;              ///< attribute that the overlay sets: "cudaPackages", "magma", "python3Packages"
    StatedText value;          ///< "cudaPackages_13"
    QList<PatchFacts> patches; ///< for Magma
    StatedText version;        ///< for a torch with another source
    SourceFacts src;
    Spot spot;            ///< place of the name
    QStringList replaced; ///< what it replaces among the Python packages of `name`, "python313" or "python313Packages"
    StatedText from;      ///< what it makes those Python packages of: "python313Packages" of the nixpkgs before
    /// Whether its Python packages may have another torch than nixpkgs', which no other fact states.
    [[nodiscard]] bool mayHaveTorch() const
    {
        return kind == Kind::Other && name.startsWith(u"python3") &&
               (replaced.isEmpty() || replaced.contains(u"torch"));
    }
    /// Whether it replaces pytorch and not torch, which is what packages take: pytorch is an old name of it.
    [[nodiscard]] bool replacesOldName() const { return replaced.contains(u"pytorch") && !replaced.contains(u"torch"); }
    bool operator==(const OverlayFacts &) const = default;
};

/// See nix::Fold::Failure, whose `name` is the value here.
struct EvaluationFailure {
    nix::Fold::Failure::What what;
    StatedText stated;
    bool operator==(const EvaluationFailure &) const = default;
};

/// The facts of a recipe, read through what it imports, with names and constants resolved to where they are written.
/// Values that are missing, or unknown without nixpkgs, are not stated; comments are ignored.
struct RecipeFacts {
    std::optional<RecipeError> error; ///< if set, nothing else is known
    bool noDerivation = false;        ///< it evaluates to a number, a text or a list, which cannot be built
    QStringList arguments;            ///< arguments of the file's function: "pkgs", "lib", "cudaPackages_12_8"
    QList<PinFacts> pins;             ///< in the order of the text; nearly always none or one
    QList<OverlayFacts> overlays;     ///< in the order in which they are applied
    PackageFacts package;             ///< the file's result
    QList<PackageFacts> libraries; ///< what it wraps, if the file builds that too: the library behind Python bindings,
                                   ///< `python3Packages.x.override { x = nixpkgs.x.overrideAttrs ...; }`. None or one
    QList<PackageFacts> others;    ///< other packages that it changes for itself, in overlays or its Python packages:
                                   ///< the bitsandbytes of vLLM. Their flags and targets are the variant's too
    StatedText stopped;            ///< where reading stopped, if it is unclear which package the result is; `value`
                                   ///< says why
    TorchSource torch;             ///< for a companion (torchvision, torchaudio): the torch that it is built against
    TorchSource torchInPassthru;   ///< the torch that passthru names: Kind::Fetched, or NotStated
    QList<StatedText> hashes;      ///< every `hash`, `sha256` and the like that is written in the file as a text, or as
                                   ///< lib.fakeHash, which is empty here
    QList<StatedText> revisions;   ///< every commit fetched by a literal id: `rev = "..."`, ".../archive/..."
    QList<ImportTrouble> importTroubles;
    bool refersToItself = false;       ///< evaluation came to a value that needs itself
    QList<EvaluationFailure> failures; ///< where evaluation certainly fails, each place once
    QStringList files;                 ///< imported files that state something, by Spot::file
    QList<StatedText> selfDefined; ///< attributes that an overlay makes of themselves: `torch = final.torch.override`
    QList<NamedText> pythonArguments;  ///< of an interpreter's .override, or its packages', that no other fact states
    QList<StatedText> callersPackages; ///< packages taken from the caller's nixpkgs: "pkgs.openblas"

    /// The package that is compiled: the library if there is one, else `package`.
    [[nodiscard]] const PackageFacts &compiled() const
    {
        return libraries.isEmpty() ? package : libraries.constFirst();
    }
    /// The version that it builds: for torch that of an overlay; else builtVersion() of the package or the library.
    [[nodiscard]] StatedText version() const;
    /// The CUDA package set that it selects: with an argument of the package or of its torch, an overlay, or its
    /// inputs. Empty: nixpkgs' default.
    [[nodiscard]] StatedText toolkit() const;
    /// The BLAS library, if stated: the attribute that an overlay selects ("mkl"), else "mkl" or "openblas" for
    /// BLAS=MKL and BLAS=OpenBLAS in the environment, else "mkl" if it is an input.
    [[nodiscard]] StatedText blas() const;
    /// The first failure of that kind; nullptr if there is none.
    [[nodiscard]] const EvaluationFailure *failure(nix::Fold::Failure::What what) const;
    /// Where reading stopped, and why, each place once: what is there is unknown.
    [[nodiscard]] QList<StatedText> unread() const;
    /// All stated facts in a fixed order, each id once: "error", "pin", "pin_sha256", "config", "toolkit",
    /// "magma_patch", "blas", "lapack", "torch_overlay", "torch_version", "torch_hash", "overlay", "attribute",
    /// "cuda_support", "gpu_targets", "cpu_flags", "cmake_flags", "environment", "version", "pname", "passthru",
    /// "platforms", "description", "driver", "torch_source", "torch_targets", "torch_flags", "metadata_rev".
    [[nodiscard]] QList<Fact> rows(FactDetail detail = FactDetail::Joined) const;
    bool operator==(const RecipeFacts &) const = default;
};

/// The version that a recipe states for a family with these names: as a value, else in a description, else in its first
/// lines, "2.8.0" of "PyTorch 2.8.0". Empty: none, or several.
QString statedVersion(const RecipeFacts &facts, const QByteArray &text, const QStringList &names);

/// Parses any recipe. Pure and thread-safe; never fails: a text that is not Nix only has `error`.
RecipeFacts readFacts(const RecipeSource &source);
/// The same of a text that is parsed already.
RecipeFacts readFacts(const nix::ParseResult &parsed, const RecipeImports *imports = nullptr);

} // namespace tmx
