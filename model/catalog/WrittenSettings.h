// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Settings.h"

#include <QHash>

namespace tmx {

class Catalog;

/// What a settings file says of one toolkit. What it leaves empty is as for all of them.
struct WrittenCuda {
    QString version;                            ///< "12.9": what names say
    QString release;                            ///< "12.9.1"; equals version when nothing else is known
    QString attribute;                          ///< "cudaPackages_13" where the pin names it so, else the toolkit's own
    QHash<QString, QString> templates = {};     ///< family id -> template of its GPU recipes
    NixpkgsPin pin = {};                        ///< taken as a whole where it has a revision
    QHash<QString, QString> versions = {};      ///< family id -> version with this toolkit
    QHash<QString, QString> hashes = {};        ///< family id -> hash of that version's source
    QHash<QString, QString> pnamePrefixes = {}; ///< family id -> prefix of pname
    bool operator==(const WrittenCuda &) const = default;
};

/// What a settings file says of some profiles, over all that it says before.
struct WrittenProfile {
    ProfileSelector where;
    std::optional<QString> version; ///< without a sourceHash beside it there is none: a hash is of one version
    std::optional<QString> sourceHash;
    std::optional<NixpkgsPin> pin;
    std::optional<QString> cudaAttribute, release;
    std::optional<QString> pythonSet, pnamePrefix, templateName;
    std::optional<TorchOrigin> torchOrigin;
    std::optional<QString> torchCatalog;
    std::optional<QString> torchAddress, torchRevision; ///< without a torchSha256 beside them there is none
    std::optional<QString> torchSha256;
    std::optional<Blas> blas;
    std::optional<ArchNotation> notation;
    std::optional<int> metadataRev;
    bool operator==(const WrittenProfile &) const = default;
};

/// rows x isas, a rectangle of the grid, for the selected profiles. A row without a GPU has one build only.
struct WrittenCoverage {
    QStringList rows;
    QStringList isas;
    ProfileSelector where = {};
    bool operator==(const WrittenCoverage &) const = default;
};

/// Settings as a file and a form have them: what most profiles share is said once. Several ways of writing may mean the
/// same settings.
struct WrittenSettings {
    QStringList families;             ///< that coverage without families of its own is for; empty: all with a version
    QStringList pythons;              ///< "python313"
    QHash<QString, QString> versions; ///< family id -> version: {"pytorch", "2.10.0"}
    QHash<QString, QString> hashes;   ///< family id -> hash of the fetched source where the branch upgrades it, SRI
    QHash<QString, QString> pnamePrefixes;
    QHash<QString, QString> gpuTemplates;
    QHash<QString, QString> cpuTemplates;
    QHash<QString, QString> metalTemplates; ///< darwin-mps
    NixpkgsPin pin;
    QString pythonSet;
    TorchOrigin torchOrigin = TorchOrigin::InPlace;
    QString torchCatalog;
    TorchRepository torchRepository;
    Blas blas = Blas::Default;
    ArchNotation archNotation = ArchNotation::Automatic;
    int metadataRev = 0;
    QList<WrittenCuda> cudas;
    QList<WrittenProfile> profiles; ///< the last one that matches wins, for each value
    QList<WrittenCoverage> coverage;

    /// `families`, or the sorted keys of `versions` where it is empty.
    [[nodiscard]] QStringList promisedFamilies() const;
    [[nodiscard]] const WrittenCuda *cuda(const QString &version) const;
    /// An upper bound of what is promised, without listing it: what several blocks name is counted for each.
    [[nodiscard]] qint64 promisedAtMost() const;
    bool operator==(const WrittenSettings &) const = default;
};

/// Those that the settings have profiles of: what is promised, what has a version, and the PyTorch of companions.
QStringList allFamilies(const WrittenSettings &written, const Catalog &catalog);

/// The settings that are written so.
Settings expanded(const WrittenSettings &written, const Catalog &catalog, const QString &branch,
                  Settings::Source source);
/// The one way in which the program writes settings: expanded() gives them back, but for smRows.
WrittenSettings written(const Settings &settings, const Catalog &catalog);

} // namespace tmx
