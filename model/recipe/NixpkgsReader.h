// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/recipe/PackageReader.h"
#include "model/recipe/RecipeFacts.h"

namespace tmx {

/// Reads the nixpkgs of a package: an import with its settings and overlays.
class NixpkgsReader
{
public:
    NixpkgsReader(nix::Fold &fold, const FactPlaces &places)
        : m_fold(fold)
        , m_places(places)
    {
    }

    /// Adds new facts to `facts`. Returns true if the file fetches this nixpkgs.
    bool read(nix::Value nixpkgs, RecipeFacts &facts);
    /// Where the last read() stopped, and why; not stated if it read all that the file says about this nixpkgs.
    [[nodiscard]] const StatedText &unread() const { return m_unread; }
    /// The torch that an overlay puts into a set of Python packages, and the name of that set, if the last read() found
    /// one.
    [[nodiscard]] const nix::Value &torch() const { return m_torch; }
    [[nodiscard]] const QByteArray &torchSet() const { return m_torchSet; }
    /// What `fetchTarball` and similar functions fetch; nullopt for another value.
    [[nodiscard]] std::optional<PinFacts> fetched(const nix::Value &source) const;

private:
    bool readImport(const nix::Value &source, const nix::Value &settings, RecipeFacts &facts,
                    QList<OverlayFacts> &overlays);
    void readConfig(const nix::Value &config, PinFacts &pin);
    void readOverlays(const nix::Value &list, QList<OverlayFacts> &overlays);
    void stopAt(const nix::Value &value, const nix::Attribute *definition = nullptr);
    void readOverlay(const nix::Value &overlay, QList<OverlayFacts> &overlays);
    [[nodiscard]] std::optional<OverlayFacts> overlayOf(const nix::Value::Entry &entry);
    void readProvider(nix::Value value, OverlayFacts &overlay);
    void readPatches(const nix::Value &package, OverlayFacts &overlay);
    bool readPythonSet(const nix::Value &value, OverlayFacts &overlay);
    bool readTorch(const nix::Value &set, OverlayFacts &overlay);

    nix::Fold &m_fold;
    const FactPlaces &m_places;
    StatedText m_unread;
    nix::Value m_torch;
    QByteArray m_torchSet;
};

} // namespace tmx
