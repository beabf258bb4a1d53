// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchSnapshot.h"

#include <QHash>

#include <algorithm>

namespace tmx {

/// The torch that a recipe builds, or is built against.
struct StatedTorch {
    bool isTorch = false;  ///< the recipe is PyTorch's own
    bool needed = false;   ///< the recipe is built against a torch, as it states or as its family is
    QString version;       ///< "2.9.1"; "210" for a family pytorch210 that states no more; empty: unknown
    QString pin;           ///< nixpkgs revision of the recipe; empty: the caller's nixpkgs, or unknown
    QString archive = {};  ///< URL of the tarball of another repository that the torch is imported from; else empty
    QString revision = {}; ///< the commit in it
    QString path = {};     ///< the torch's recipe in it
    bool fromPin = false;  ///< the torch is that of the nixpkgs revision `pin`: nothing states another source
    bool operator==(const StatedTorch &) const = default;
};

/// The version is the one that the recipe states: of the package it builds, in its overlays, or for a recipe that
/// states none, the one that its branch's settings have for its nixpkgs, and the one that its description or first
/// comments name.
StatedTorch statedTorch(const BranchSnapshot &snapshot, const VariantEntry &entry);

/// The torch versions that recipes show nixpkgs revisions to have.
class VersionsOfPins
{
public:
    void add(const QString &revision, const QString &version);
    void add(const StatedTorch &torch); ///< if it shows one
    /// The version of a torch that states none and is that of its nixpkgs; empty: it states one, none is known, or
    /// recipes disagree.
    [[nodiscard]] QString lackedBy(const StatedTorch &torch) const;

private:
    QHash<QString, QString> m_versions; ///< by revision; empty: recipes disagree
};

/// A recipe's description and the comments above its first line of code: what a maintainer writes versions into.
QString proseOf(const VariantEntry &entry);

/// The version that a recipe states of its own family, in its code, its settings, or its prose. `title`: of the family,
/// if prose may call it so; empty: by its name alone. The entry has facts.
QString ownVersion(const BranchSnapshot &snapshot, const VariantEntry &entry, const QString &title = {});

/// What makes a Python package another version than the one of its nixpkgs.
bool hasOwnSource(const PackageFacts &package);

/// How a torch, or another package, fits a variant of the same row, instruction set, Python and toolkit.
enum class TorchFit {
    Same,     ///< the version and the nixpkgs revision agree
    OtherPin, ///< only the version agrees, which is enough
    Unknown,  ///< one of them states no version, and they are not both of one nixpkgs: neither a fit nor none
    Other,    ///< another version
};
inline TorchFit betterFit(TorchFit a, TorchFit b)
{
    return std::min(a, b);
}
TorchFit fitOf(const StatedTorch &needed, const StatedTorch &torch);
inline bool isCompanion(TorchFit fit)
{
    return fit == TorchFit::Same || fit == TorchFit::OtherPin;
}

/// "Python 3.11 instead of 3.13", "CUDA 12.8 instead of 12.9": what all of `others` have otherwise than `variants`.
QStringList partsApart(const QList<Variant> &variants, const QList<Variant> &others);

/// The variant without its family: equal for a package and its torch.
Variant torchCellOf(Variant variant);

} // namespace tmx
