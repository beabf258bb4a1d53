// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchSnapshot.h"

#include <QHash>

namespace tmx {

/// The machine that builds.
struct BuildMachine {
    int cores = 0;     ///< processors
    qint64 memory = 0; ///< bytes; 0: unknown
    static BuildMachine here();
};

/// Where a recipe sets a variable.
struct SettingPlace {
    QString variable; ///< "NIX_BUILD_CORES", "MAX_JOBS=32"
    QString file;     ///< empty: the recipe itself
    QList<int> lines; ///< one, or those of several recipes
    [[nodiscard]] bool isEmpty() const { return variable.isEmpty(); }
    /// "NIX_BUILD_CORES (line 12 of lib/custom-torch.nix)", "MAX_JOBS=32 (line 43, 44 or 45)"
    [[nodiscard]] QString text() const;
    void addLines(const SettingPlace &other);
    bool operator==(const SettingPlace &) const = default;
};

/// The jobs of one package that a recipe compiles.
struct CompiledPackage {
    QString name;         ///< "torch"
    int jobs = 0;         ///< jobs at a time
    SettingPlace fixedBy; ///< fixes `jobs`, whatever --cores says; empty: --cores counts
    QList<SettingPlace> withoutEffect;
    qint64 jobMemory = 0; ///< bytes of a compile job: by the catalog, else usual ones
    [[nodiscard]] qint64 memory() const { return jobs * jobMemory; }
    bool operator==(const CompiledPackage &) const = default;
};

/// The memory that a build may take.
struct BuildMemory {
    QList<CompiledPackage> packages; ///< compiled one after the other
    qint64 earlierPeak = 0;          ///< the most that builds like it took here; 0: unknown
    BuildMachine machine;
    /// In bytes, the most of all packages and of earlier builds; 0: unknown.
    [[nodiscard]] qint64 needed() const;
    /// The largest number of jobs with which every package fits; 0: unknown.
    [[nodiscard]] int jobsThatFit() const;
    /// A sentence for each package, then what to set if it does not fit.
    [[nodiscard]] QStringList sentences() const;
    bool operator==(const BuildMemory &other) const
    {
        return packages == other.packages && earlierPeak == other.earlierPeak;
    }
};

/// `cores`: the user's choice for the build; 0: all processors, as Nix does by default. Without GPU code, compile
/// jobs take the usual memory. Pure.
BuildMemory buildMemory(const Catalog &catalog, const VariantEntry &entry, int cores, const BuildMachine &machine,
                        qint64 earlierPeak = 0);

/// The most memory that successful builds of like variants took on this machine, from the history. Reads it once: for
/// workers.
class EarlierPeaks
{
public:
    [[nodiscard]] qint64 of(const QString &variant);

private:
    std::optional<QHash<QString, qint64>> m_peaks; ///< by likenessOf()
};

/// The sentences for several builds, those with the same ones together, behind "88 recipes:"; places that differ only
/// in their line are the same. The most come first.
QList<QStringList> memoryParagraphs(const QList<BuildMemory> &builds);
QString memoryText(const QList<BuildMemory> &builds);
/// That the largest `atOnce` of builds that need so many bytes do not fit into `memory` together; empty if they do, or
/// if it is unknown.
QString crowdedText(QList<qint64> needs, qint64 memory, int atOnce);

} // namespace tmx
