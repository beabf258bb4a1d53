// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Audit.h"
#include "model/recipe/Edits.h"

namespace tmx {

/// What all rules look at: the recipe's facts and what the variant, its line and the catalog want of it.
struct Subject {
    Subject(const AuditInput &input, const RecipeFacts &facts);

    const AuditInput &input;
    const RecipeFacts &facts;
    const PackageFacts &package; ///< what the file comes to
    const PackageFacts *torch =
        nullptr; ///< the torch that is built in this file: `package`, or a companion's; nullptr: elsewhere
    const Family *family = nullptr;
    const GpuRow *row = nullptr;
    const Isa *isa = nullptr;
    Profile base;      ///< how the branch builds it
    Profile torchBase; ///< the same of the PyTorch that it goes with
    QString pname;     ///< that it should have
    ArchNotation notation = ArchNotation::Dotted;
    QString platform; ///< Nix system that the variant is for; may be empty
    bool gpu = false;
    bool companion = false;
    bool upgrades = false; ///< its torch is newer than its nixpkgs', with the work that this needs

    /// Whether what the file builds could be told at all; most rules have nothing to say of it otherwise.
    [[nodiscard]] bool understood() const { return package.attribute || package.builder; }
    [[nodiscard]] const PinFacts *pin() const { return facts.pins.isEmpty() ? nullptr : &facts.pins.constFirst(); }
    [[nodiscard]] const OverlayFacts *overlay(OverlayFacts::Kind kind) const;
    /// The package set of CUDA that the recipe selects: by an overlay, an argument of torch or its inputs. Empty:
    /// nixpkgs' default.
    [[nodiscard]] StatedText toolkit() const;
    /// The package sets' name that the line wants.
    [[nodiscard]] QString wantedToolkit() const;
    /// Where a finding on something that is missing goes.
    [[nodiscard]] Spot packageSpot() const;
    /// What the file comes to, and the torch that a companion builds in the same file.
    [[nodiscard]] QList<const PackageFacts *> packages() const;
};

/// The last -DNAME=VALUE or -DNAME:TYPE=VALUE of a list of CMake's flags: the value, and where it is written. Stated
/// nowhere if there is none.
StatedText definitionOf(const StatedList &flags, QStringView name);
/// A switch as CMake reads it: "1", "ON", "TRUE", "YES", and their opposites. Neither may be so.
bool isTrue(QStringView value);
bool isFalse(QStringView value);
/// Whether a package switches something on, or off, by a variable or by a flag of CMake. Neither may be so.
bool isSwitchedOn(const PackageFacts &package, const QString &name);
bool isSwitchedOff(const PackageFacts &package, const QString &name);

/// Takes what the rules find. A rule says where, what, what to do, and, where it can be fixed, how.
class Report
{
public:
    struct Found {
        Finding finding;
        Edits edits;
    };
    void begin(const QString &rule, Severity severity);
    void add(const Spot &spot, const QString &sentence, const QString &advice = {}, const Edits &edits = {});
    QList<Found> found;

private:
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
