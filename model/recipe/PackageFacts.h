// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>

namespace tmx {

/// Bytes of a recipe that state a fact. Line and column count from 1, in bytes; line 0: not stated anywhere.
struct Spot {
    int line = 0;
    int column = 0;
    quint32 offset = 0;
    quint32 length = 0;
    quint16 file = 0; ///< 0: in the recipe; else in the file with that number in RecipeFacts::files, counted from 1
    explicit operator bool() const { return line > 0; }
    [[nodiscard]] quint32 end() const { return offset + length; }
    [[nodiscard]] quint64 key() const { return quint64(file) << 32U | offset; } ///< differs if the beginnings do
    bool operator==(const Spot &) const = default;
};

/// A value and its place in the file. `known` is false if the stated value cannot be folded to a constant.
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

/// A text for people, and where its parts are written: it may be put together from several files.
struct WrittenText : StatedText {
    struct Run {
        quint32 from = 0; ///< offset in the text's UTF-8
        Spot spot;        ///< of the bytes from there on; on one line
        bool operator==(const Run &) const = default;
    };
    QList<Run> runs;
    WrittenText() = default;
    WrittenText(StatedText text, QList<Run> runs)
        : StatedText(std::move(text))
        , runs(std::move(runs))
    {
    }
    /// Place of the characters if they are written in one place, else of the whole text.
    [[nodiscard]] Spot spotOf(qsizetype from, qsizetype length) const;
    bool operator==(const WrittenText &) const = default;
};

struct NamedText {
    QString name;
    QString value;     ///< in Nix syntax if it is not a text: "true", "[ \"9.0\" ]"
    Spot spot;         ///< place of the value
    bool known = true; ///< false: the value is a name, or has parts, that cannot be evaluated
    bool operator==(const NamedText &) const = default;
};

/// A list of texts. `known` is false if some element is unknown: the list may have more than `items`.
struct StatedList {
    QList<StatedText> items;
    Spot spot; ///< place of the list with the items; of the first one if there are several
    bool known = false;
    bool extends = false; ///< the items follow something unknown (nixpkgs' value)
    bool notList = false; ///< the stated value is certainly not a list
    explicit operator bool() const { return bool(spot); }
    [[nodiscard]] QStringList values() const;
    [[nodiscard]] bool contains(QStringView value) const;
    bool operator==(const StatedList &) const = default;
};

/// The last -DNAME=VALUE or -DNAME:TYPE=VALUE in a list of CMake flags: the value, and its place in the file. Not
/// stated anywhere if there is none.
StatedText definitionOf(const StatedList &flags, QStringView name);

/// `export NAME=value` in a phase, or an attribute of the derivation that becomes a variable. The last one with a name
/// wins.
struct VariableFact {
    QString name;         ///< "USE_CUDNN"
    QString value;        ///< "0"; `$NAME` is expanded if it is an attribute of the derivation
    QString phase;        ///< "preConfigure"; "env" for an attribute
    Spot spot;            ///< place of the value
    bool known = true;    ///< as in NamedText
    bool isArray = false; ///< of the shell alone: no program that it starts gets it
    bool operator==(const VariableFact &) const = default;
};

/// A command in a phase, with antiquotations expanded; U+001A stands for unknown parts.
struct CommandFact {
    QStringList words;
    QString output;   ///< file that its output is redirected to; empty: none
    QString document; ///< the lines of its here documents
    QString phase;
    Spot spot;
    QList<WrittenText::Run> runs = {}; ///< of the words, joined by spaces; only for echo
    bool operator==(const CommandFact &) const = default;
};

/// The source in `src`: `fetchFromGitHub { owner = ...; repo = ...; rev = ...; }`.
struct SourceFacts {
    QString fetcher; ///< "fetchFromGitHub"; empty: no `src`, or one without a fetcher
    StatedText owner, repository;
    StatedText revision; ///< of `rev` or `tag`
    StatedText hash;     ///< known and empty for `hash = ""`
    StatedFlag submodules;
    Spot spot;
    bool operator==(const SourceFacts &) const = default;
};

/// Where reading stopped at something that cannot be evaluated, such as another file: what is not read may be there.
/// For each, `value` says why ("./flags.nix is another file"); not stated: everything was read.
struct UnreadParts {
    StatedText origin;     ///< of the nixpkgs that the package comes from: pin, config, overlays, other Python packages
    StatedText arguments;  ///< of .override
    StatedText attributes; ///< of .overrideAttrs: phases, variables, flags
    bool operator==(const UnreadParts &) const = default;
};

/// A package: its origin, and the effect of `.override` and `.overrideAttrs`.
struct PackageFacts {
    StatedText attribute;  ///< "torch", "pytorch", "torchvision"; empty if it is built from scratch
    StatedText packageSet; ///< "python313Packages"; empty if the attribute is itself an argument
    StatedText builder;    ///< for a package built from scratch: "buildPythonPackage"
    QString source; ///< origin of packageSet: "nixpkgs_pinned" if let-bound names lead to a fetched nixpkgs ("pin"),
                    ///< else "pkgs"
    QList<NamedText> arguments; ///< from all `.override { ... }`
    Spot overrideSpot;          ///< place of the last argument set of .override
    Spot attributesSpot;        ///< place of the last argument set of .overrideAttrs (or of the builder)
    StatedFlag cudaSupport;
    StatedList gpuTargets;
    StatedText name, pname, version;
    SourceFacts src;
    StatedList cmakeFlags;
    QList<VariableFact> environment;
    QList<NamedText> otherAttributes; ///< of the derivation, which have no field here: "bazelFlags"
    QList<CommandFact> commands;      ///< from all phases, without exports
    QList<StatedText> notExported;    ///< CFLAGS or CXXFLAGS that a phase sets for the shell alone: "CXXFLAGS"
    QList<NamedText> replacedPhases; ///< phases without nixpkgs' own: "preConfigure"; the value is another attribute of
                                     ///< nixpkgs' package that is in them, if any
    StatedList cxxFlags, cFlags;     ///< `-m...` options in CXXFLAGS and CFLAGS
    QList<NamedText> passthru;
    QList<StatedText> inputs; ///< names that buildInputs, nativeBuildInputs and propagatedBuildInputs add:
                              ///< "cudaPackages.libcublas", "openblas"; not known: with changes by the recipe
    StatedList platforms;
    WrittenText description, longDescription;
    StatedText driver; ///< "525.60.13" from "Driver: NVIDIA 525.60.13+ required" in the long or else the short one
    StatedText metadataRevision;
    UnreadParts unread;

    /// `version`, else a variable of the build (BUILD_VERSION and the like), else the tag that it fetches. Not stated:
    /// nixpkgs' version.
    [[nodiscard]] StatedText builtVersion() const;
    /// The last setting of a variable; nullptr if there is none.
    [[nodiscard]] const VariableFact *variable(QStringView name) const;
    [[nodiscard]] const NamedText *passthruOf(QStringView name) const;
    [[nodiscard]] const NamedText *argument(QStringView name) const;
    [[nodiscard]] bool hasInput(QStringView name) const;
    bool operator==(const PackageFacts &) const = default;
};

/// Where a companion gets its torch from.
struct TorchSource {
    enum class Kind {
        NotStated, ///< torch of nixpkgs
        Built,     ///< built in the same file: `package`
        Sibling,   ///< `import ./pytorch-....nix { }`: `file`
        Published, ///< `catalogs.<org>.<package>`: `file` is "<org>.<package>"
        Fetched,   ///< a file of a fetched repository: `file`, `archive`, `revision`
        Other,     ///< something else: `unread`
    };
    Kind kind = Kind::NotStated;
    bool inSet = false; ///< the Python packages that the companion comes from have this torch too
    QString file;       ///< "pytorch-python313-cuda12_8-sm90-avx512.nix"
    QString path;       ///< for Kind::Fetched: path of the file in the repository, ".flox/pkgs/pytorch-....nix"
    StatedText unread;  ///< for Kind::Other: where reading stopped, and why
    StatedText archive, revision, sha256; ///< for Kind::Fetched: the URL, the commit in it, the hash of the tarball
    Spot spot;
    std::shared_ptr<const PackageFacts> package; ///< for Kind::Built
    bool operator==(const TorchSource &other) const;
};

} // namespace tmx
