// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Audit.h"
#include "model/audit/Prose.h"
#include "model/recipe/Edits.h"

namespace tmx {

/// The input of all rules: the recipe's facts, and what the variant, the settings and the catalog expect.
struct Subject {
    Subject(const AuditInput &input, const RecipeFacts &facts);

    const AuditInput &input;
    const RecipeFacts &facts;
    const PackageFacts &package;         ///< the result of the file
    const PackageFacts *torch = nullptr; ///< the torch that is built in this file: `package`, or a companion's;
                                         ///< nullptr: another file builds it, or the family needs none
    const PackageFacts *inner = nullptr; ///< the torch that the file builds for a package that is no companion
    const PackageFacts *built = nullptr; ///< what is compiled for the GPU and the CPU: `torch`; for a family that is no
                                         ///< torch and takes none, RecipeFacts::compiled()
    const Family *family = nullptr;
    const GpuRow *row = nullptr;
    const Isa *isa = nullptr;
    Profile base;      ///< how the branch builds the variant
    Profile torchBase; ///< how the branch builds the variant's PyTorch
    QString pname;     ///< the expected pname
    ArchNotation notation = ArchNotation::Dotted;
    QString platform;  ///< Nix system that the variant is for; may be empty
    bool gpu = false;  ///< for one GPU architecture
    bool cuda = false; ///< for one, or for all
    bool companion = false;
    bool upgrades = false; ///< its torch is not that of its nixpkgs, and so needs extra work

    /// The version of torch that it takes from its nixpkgs; empty: it is not known, or it builds another one.
    [[nodiscard]] QString torchFromNixpkgs() const;
    /// Whether its nixpkgs is known to have an older torch than the one that it builds: only then it is known to lack
    /// what that torch needs.
    [[nodiscard]] bool nixpkgsIsOlder() const;
    /// Whether its nixpkgs is known to be from before torch's support of the variant's toolkit: it marks torch broken,
    /// and its MAGMA does not compile.
    [[nodiscard]] bool nixpkgsLacksToolkit() const;
    /// The torch that the file builds, for whatever package.
    [[nodiscard]] const PackageFacts *anyTorch() const { return torch ? torch : inner; }
    [[nodiscard]] FamilyName familyName() const { return FamilyName::of(input.variant.family); }
    /// Whether the file's result was recognised at all; if not, most rules report nothing.
    [[nodiscard]] bool understood() const { return package.attribute || package.builder; }
    [[nodiscard]] const PinFacts *pin() const { return facts.pins.isEmpty() ? nullptr : &facts.pins.constFirst(); }
    [[nodiscard]] const OverlayFacts *overlay(OverlayFacts::Kind kind) const;
    /// The CUDA package set that the recipe selects: with an overlay, an argument of torch, or its inputs. Empty:
    /// nixpkgs' default.
    [[nodiscard]] StatedText toolkit() const;
    /// Name of the package set that the settings want.
    [[nodiscard]] QString wantedToolkit() const;
    /// The place for a finding about something that is missing.
    [[nodiscard]] Spot packageSpot() const;
    /// Whether these parts of a package were read completely, so that what is not there is missing. If they were not,
    /// the recipe gets a note that says where reading stopped, instead of the finding of the rule that asks.
    enum Part { Origin = 1, Arguments = 2, Attributes = 4, Everything = 7 };
    [[nodiscard]] bool wasRead(const PackageFacts &of, int parts) const;
    /// The same for the torch that another package takes.
    [[nodiscard]] bool wasTorchRead() const;
    /// Whether no recipe of this file builds the torch of a package that is no companion: vLLM may leave the CPU to it.
    [[nodiscard]] bool hasForeignTorch() const;
    /// What a package states of its GPU, or of its CPU, in a way that only that package knows: an argument, a variable,
    /// an attribute or a CMake definition, such as cudaArches or -DGGML_AVX2.
    enum class Hardware { Gpu, Cpu };
    [[nodiscard]] static QList<NamedText> ownWays(const PackageFacts &of, Hardware hardware);
    /// What commands of phases, with their here documents, state of it in a way that is not read: "-mavx2" in
    /// `appendToVar NIX_CFLAGS_COMPILE -mavx2`, "CMAKE_CUDA_ARCHITECTURES 80" in `set(CMAKE_CUDA_ARCHITECTURES 80)`.
    [[nodiscard]] static QList<NamedText> waysInCommands(const PackageFacts &of, Hardware hardware);
    /// Makes a rule say that the value at this place is unknown.
    void stopAt(const StatedText &stop) const;
    /// The first place where wasRead() was asked about an unread part; not stated if there was none.
    [[nodiscard]] const StatedText &unread() const { return m_unread; }

    /// The toolkit that the recipe builds with: the version of toolkit(), else that of its name. Empty: it is not known
    /// exactly.
    [[nodiscard]] QString toolkitVersion() const;
    /// Why its toolkit cannot compile for its GPU; empty if it can.
    [[nodiscard]] QString whyNotToolkit() const;
    /// The result of the file, the library that it wraps, the torch that is built in the same file, and the other
    /// packages that it changes.
    [[nodiscard]] QList<const PackageFacts *> packages() const;
    /// proseOf() the recipe, split into sentences for the first rule that asks.
    [[nodiscard]] const QList<Prose> &prose() const;
    /// headerOf() the recipe, split once as well. What is wrong there only misleads who maintains it.
    [[nodiscard]] const QList<Prose> &header() const;

    /// The bytes at a place, in the file that it is in.
    [[nodiscard]] QByteArray textAt(const Spot &spot) const;
    /// As in Edits.h, in the file that the places are in; no edits if these are several files.
    [[nodiscard]] Edits replaced(const Spot &spot, const QString &value, const QString &by) const;
    [[nodiscard]] Edits attributeBeside(const Spot &value, const QByteArray &name, const QByteArray &wanted) const;
    [[nodiscard]] Edits itemBehind(const Spot &spot, const QByteArray &item) const;
    [[nodiscard]] Edits listMadeTo(const QList<StatedText> &items, const QStringList &wanted) const;
    [[nodiscard]] Edits listCompleted(const QList<StatedText> &items, const QStringList &order,
                                      const QStringList &missing) const;

private:
    [[nodiscard]] QByteArray textOf(const Spot &spot) const;
    mutable std::optional<QList<Prose>> m_prose;
    mutable std::optional<QList<Prose>> m_header;
    mutable StatedText m_unread;
};

/// Whether nixpkgs' package of that name is linked against torch, its argument.
bool takesTorch(const QString &attribute);

/// Whether a value is true, or false, for CMake: "1", "ON", "TRUE", "YES", and their opposites. Both may return false.
bool isTrue(QStringView value);
bool isFalse(QStringView value);
/// Whether a package turns something on, or off, with a variable or a CMake flag. Both may return false.
bool isSwitchedOn(const PackageFacts &package, const QString &name);
bool isSwitchedOff(const PackageFacts &package, const QString &name);

/// Collects the findings of rules. A rule reports the place, the problem, the solution and, if it can be fixed in
/// place, the edit.
class Report
{
public:
    struct Found {
        Finding finding;
        Edits edits;
    };
    /// `files`: RecipeFacts::files.
    explicit Report(QStringList files = {})
        : m_files(std::move(files))
    {
    }
    void begin(const QString &rule, Severity severity);
    /// `edits`: of the file that the spot is in.
    void add(const Spot &spot, const QString &sentence, const QString &advice = {}, const Edits &edits = {});
    /// The same as a note, whatever the rule's severity.
    void addNote(const Spot &spot, const QString &sentence, const QString &advice = {}, const Edits &edits = {});
    QList<Found> found;

private:
    QStringList m_files;
    QString m_rule;
    Severity m_severity = Severity::Note;
};

/// All findings with their edits, the gravest first.
struct FullJudgement {
    std::shared_ptr<const RecipeFacts> facts;
    QList<Report::Found> found;
};
FullJudgement judgeFully(const AuditInput &input);

} // namespace tmx
