// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/recipe/FactPlaces.h"

namespace tmx {

/// Facts of an expression that evaluates to a package, and the package's origin.
struct ReadPackage {
    PackageFacts facts;
    nix::Value nixpkgs; ///< origin of the package set, or of the attribute itself; Unknown Opaque if that is an
                        ///< argument
    nix::Value torch;   ///< set with `.override { torch = ...; }`, or among the Python packages that it comes from
    const nix::Attribute *torchDefinition = nullptr;
    nix::Value library; ///< set with `.override`, under the package's own name
    StatedText stopped; ///< without an attribute and a builder: where reading stopped, and why
};

/// Reads `nixpkgs.set.attribute`, the effect of .override and .overrideAttrs, and the arguments of buildPythonPackage
/// and similar builders.
class PackageReader
{
public:
    PackageReader(nix::Fold &fold, const FactPlaces &places)
        : m_fold(fold)
        , m_places(places)
    {
    }

    [[nodiscard]] ReadPackage read(nix::Value value);
    /// An argument set: given directly, or by a function of the old set, or of the final and the old one.
    [[nodiscard]] nix::Value given(nix::Value value);
    /// passthru.torch of the packages that were read; Unknown without a node if there is none.
    [[nodiscard]] const nix::Value &torchInPassthru() const { return m_torchInPassthru; }

private:
    void readAttribute(const nix::Value &value, ReadPackage &package);
    [[nodiscard]] nix::Value readPythonSet(nix::Value set, ReadPackage &package);
    void readArguments(const nix::Value &set, ReadPackage &package);
    void readAttributes(const nix::Value &set, PackageFacts &facts);
    bool readText(const nix::Value::Entry &entry, PackageFacts &facts);
    void readMeta(const nix::Value &meta, PackageFacts &facts);
    void readSource(const nix::Value &source, SourceFacts &facts);
    void readVariable(const nix::Value::Entry &entry, PackageFacts &facts);
    void readCMakeFlags(const nix::Value::Entry &entry, PackageFacts &facts);

    nix::Fold &m_fold;
    const FactPlaces &m_places;
    nix::Value m_torchInPassthru;
};

} // namespace tmx
