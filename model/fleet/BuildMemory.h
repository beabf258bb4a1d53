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

/// The jobs of one package that a recipe compiles.
struct CompiledPackage {
    QString name;    ///< "torch"
    int jobs = 0;    ///< jobs at a time
    QString fixedBy; ///< "NIX_BUILD_CORES (line 12 of lib/custom-torch.nix)": fixes `jobs`, whatever --cores says;
                     ///< empty: --cores counts
    QStringList withoutEffect; ///< "MAX_JOBS=32 (line 40)"
    qint64 jobMemory = 0;      ///< bytes of a compile job: by the catalog, else usual ones
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

/// The sentences for several builds, those with the same ones together, behind "88 recipes:". The most come first.
QList<QStringList> memoryParagraphs(const QList<BuildMemory> &builds);
QString memoryText(const QList<BuildMemory> &builds);
/// That the largest `atOnce` of the builds do not fit into their machine together; empty if they do, or if it is
/// unknown.
QString crowdedText(const QList<BuildMemory> &builds, int atOnce);

} // namespace tmx
