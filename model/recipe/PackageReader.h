// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/recipe/FactPlaces.h"

namespace tmx {

/// What an expression that comes to a package says, and whose package it is.
struct ReadPackage {
    PackageFacts facts;
    nix::Value nixpkgs; ///< what the package set, or the attribute itself, is taken from; Unknown Opaque when that is
                        ///< an argument
    nix::Value torch;   ///< that `.override { torch = ...; }` gives
    const nix::Attribute *torchDefinition = nullptr;
};

/// Reads `nixpkgs.set.attribute`, what .override and .overrideAttrs make of it, and what buildPythonPackage and its
/// like are given.
class PackageReader
{
public:
    PackageReader(nix::Fold &fold, const FactPlaces &places)
        : m_fold(fold)
        , m_places(places)
    {
    }

    [[nodiscard]] ReadPackage read(nix::Value value);
    /// A set that is given as itself or by a function of the old one, or of the final and the old one.
    [[nodiscard]] nix::Value given(nix::Value value);

private:
    void readAttribute(const nix::Value &value, ReadPackage &package);
    void readArguments(const nix::Value &set, ReadPackage &package);
    void readAttributes(const nix::Value &set, PackageFacts &facts);
    bool readText(const nix::Value::Entry &entry, PackageFacts &facts);
    void readMeta(const nix::Value &meta, PackageFacts &facts);
    void readSource(const nix::Value &source, SourceFacts &facts);
    void readVariable(const nix::Value::Entry &entry, PackageFacts &facts);

    nix::Fold &m_fold;
    const FactPlaces &m_places;
};

} // namespace tmx
