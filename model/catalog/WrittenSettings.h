// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Settings.h"

#include <QHash>

namespace tmx {

class Catalog;

/// The entries of a settings file for one toolkit. Empty values are those of all toolkits.
struct WrittenCuda {
    QString version;                            ///< "12.9": as in names
    QString release;                            ///< "12.9.1"; equals version if nothing else is known
    QString attribute;                          ///< "cudaPackages_13" if the pin has that name, else the toolkit's own
    QHash<QString, QString> templates = {};     ///< template of GPU recipes by family id
    NixpkgsPin pin = {};                        ///< used as a whole if it has a revision
    QHash<QString, QString> versions = {};      ///< version with this toolkit, by family id
    QHash<QString, QString> hashes = {};        ///< hash of that version's source, by family id
    QHash<QString, QString> pnamePrefixes = {}; ///< prefix of pname, by family id
    bool operator==(const WrittenCuda &) const = default;
};

/// An entry of a settings file for some profiles, which overrides earlier values.
struct WrittenProfile {
    ProfileSelector where;
    std::optional<QString> version; ///< if it is set without a sourceHash, there is no hash: a hash belongs to one
                                    ///< version
    std::optional<QString> sourceHash;
    std::optional<NixpkgsPin> pin;
    std::optional<QString> cudaAttribute, release;
    std::optional<QString> pythonSet, pnamePrefix, templateName;
    std::optional<TorchOrigin> torchOrigin;
    std::optional<QString> torchCatalog;
    std::optional<QString> torchAddress, torchRevision; ///< if they are set without a torchSha256, there is no hash
    std::optional<QString> torchSha256;
    std::optional<Blas> blas;
    std::optional<ArchNotation> notation;
    std::optional<int> metadataRev;
    bool operator==(const WrittenProfile &) const = default;
};

/// rows x isas, a rectangle of the grid, for the selected profiles. A row without a GPU has only one build.
struct WrittenCoverage {
    QStringList rows;
    QStringList isas; ///< "none" for variants without one
    ProfileSelector where = {};
    QString rest = {}; ///< of all its variants
    bool operator==(const WrittenCoverage &) const = default;
};

/// Settings in the form of files and forms: common values are stated once. Several notations may have the same meaning.
struct WrittenSettings {
    QStringList families;             ///< families of coverage entries that name none; empty: all with a version
    QStringList pythons;              ///< "python313"
    QHash<QString, QString> versions; ///< version by family id: {"pytorch", "2.10.0"}
    QHash<QString, QString> hashes;   ///< SRI hash of the fetched source by family id, if the branch upgrades the
                                      ///< family
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
    QList<WrittenProfile> profiles; ///< for each value, the last matching entry wins
    QList<WrittenCoverage> coverage;

    /// `families`, or the sorted keys of `versions` if it is empty.
    [[nodiscard]] QStringList promisedFamilies() const;
    [[nodiscard]] const WrittenCuda *cuda(const QString &version) const;
    /// An upper bound of the number of covered variants, without listing them: overlapping blocks count several times.
    [[nodiscard]] qint64 promisedAtMost() const;
    bool operator==(const WrittenSettings &) const = default;
};

/// The families with profiles: covered ones, those with a version, and the PyTorch of companions.
QStringList allFamilies(const WrittenSettings &written, const Catalog &catalog);

/// Converts to settings.
Settings expanded(const WrittenSettings &written, const Catalog &catalog, const QString &branch,
                  Settings::Source source);
/// The canonical notation in which the program writes settings; expanded() is the inverse, except for smRows.
WrittenSettings written(const Settings &settings, const Catalog &catalog);

} // namespace tmx
