// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>

namespace tmx {

/// Bytes of a recipe that state a fact. Line and column from 1, in bytes; line 0: stated nowhere.
struct Spot {
    int line = 0;
    int column = 0;
    quint32 offset = 0;
    quint32 length = 0;
    explicit operator bool() const { return line > 0; }
    [[nodiscard]] quint32 end() const { return offset + length; }
    bool operator==(const Spot &) const = default;
};

/// A value and where it is written. `known` is false where something is stated that cannot be folded to a constant.
template <class T>
struct Stated {
    T value{};
    Spot spot;
    bool known = false;
    explicit operator bool() const { return bool(spot); }
    bool operator==(const Stated &) const = default;
};
using StatedText = Stated<QString>;
using StatedFlag = Stated<bool>;

struct NamedText {
    QString name;
    QString value; ///< as Nix shows it where it is no text: "true", "[ \"9.0\" ]"
    Spot spot;     ///< of the value
    bool operator==(const NamedText &) const = default;
};

/// A list of texts. `known` is false when something in it is not: what it holds besides `items` cannot be told.
struct StatedList {
    QList<StatedText> items;
    Spot spot; ///< of the list that the items stand in; of the first one where there are several
    bool known = false;
    bool extends = false; ///< something unknown (what nixpkgs has) and then these
    bool notList = false; ///< what is stated is known to be no list
    explicit operator bool() const { return bool(spot); }
    [[nodiscard]] QStringList values() const;
    [[nodiscard]] bool contains(QStringView value) const;
    bool operator==(const StatedList &) const = default;
};

/// `export NAME=value` of a phase, or an attribute of the derivation that becomes a variable. The last one of a name
/// wins.
struct VariableFact {
    QString name;  ///< "USE_CUDNN"
    QString value; ///< "0"; `$NAME` stands as it is written
    QString phase; ///< "preConfigure"; "env" for an attribute
    Spot spot;     ///< of the value
    bool operator==(const VariableFact &) const = default;
};

/// A command of a phase, antiquotations filled in; U+001A stands for what is not known.
struct CommandFact {
    QStringList words;
    QString output; ///< file that its output goes to, "" for none
    QString phase;
    Spot spot;
    bool operator==(const CommandFact &) const = default;
};

/// What `src` fetches: `fetchFromGitHub { owner = ...; repo = ...; rev = ...; }`.
struct SourceFacts {
    QString fetcher; ///< "fetchFromGitHub"; empty: no `src`, or none that a fetcher makes
    StatedText owner, repository;
    StatedText revision; ///< of `rev` or `tag`
    StatedText hash;     ///< known and empty for `hash = ""`
    StatedFlag submodules;
    Spot spot;
    bool operator==(const SourceFacts &) const = default;
};

/// A package: where it is taken from, and what `.override` and `.overrideAttrs` make of it.
struct PackageFacts {
    StatedText attribute;  ///< "torch", "pytorch", "torchvision"; empty when it is built from scratch
    StatedText packageSet; ///< "python313Packages"; empty when the attribute is an argument itself
    StatedText builder;    ///< of a package that is built from scratch: "buildPythonPackage"
    QString source; ///< whose packageSet it is: "nixpkgs_pinned" where let-bound names end in a fetched nixpkgs: "pin",
                    ///< else "pkgs"
    QList<NamedText> arguments; ///< of all `.override { ... }`
    Spot overrideSpot;          ///< of the last set that .override is called with
    Spot attributesSpot;        ///< of the last set that .overrideAttrs (or the builder) is given
    StatedFlag cudaSupport;
    StatedList gpuTargets;
    StatedText name, pname, version;
    SourceFacts src;
    StatedList cmakeFlags;
    QList<VariableFact> environment;
    QList<CommandFact> commands; ///< of all phases, exports left out
    StatedList cxxFlags, cFlags; ///< `-m...` options that CXXFLAGS and CFLAGS get
    QList<NamedText> passthru;
    QStringList inputs; ///< names of what buildInputs, nativeBuildInputs and propagatedBuildInputs add:
                        ///< "cudaPackages.libcublas", "openblas"
    StatedList platforms;
    StatedText description, longDescription;
    StatedText driver; ///< "525.60.13" of "Driver: NVIDIA 525.60.13+ required" in the long description
    StatedText metadataRevision;

    /// The last setting of a variable; nullptr when there is none.
    [[nodiscard]] const VariableFact *variable(QStringView name) const;
    [[nodiscard]] const NamedText *passthruOf(QStringView name) const;
    [[nodiscard]] const NamedText *argument(QStringView name) const;
    bool operator==(const PackageFacts &) const = default;
};

/// Where a companion has its torch from.
struct TorchSource {
    enum class Kind {
        NotStated, ///< nixpkgs' own
        Built,     ///< in the same file: `package`
        Sibling,   ///< `import ./pytorch-....nix { }`: `file`
        Published, ///< `catalogs.<org>.<package>`: `file` is "<org>.<package>"
        Fetched,   ///< a file of a repository that is fetched: `file`, `archive`, `revision`
        Other,     ///< something else
    };
    Kind kind = Kind::NotStated;
    QString file; ///< "pytorch-python313-cuda12_8-sm90-avx512.nix"
    QString path; ///< of Kind::Fetched: where the file lies in the repository, ".flox/pkgs/pytorch-....nix"
    StatedText archive, revision, sha256; ///< of Kind::Fetched: the URL, the commit in it, the hash of the tarball
    Spot spot;
    std::shared_ptr<const PackageFacts> package; ///< of Kind::Built
    bool operator==(const TorchSource &other) const;
};

} // namespace tmx
