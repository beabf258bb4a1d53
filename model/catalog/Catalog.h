// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Facts.h"
#include "model/catalog/Settings.h"

#include <QSet>

#include <memory>

namespace tmx {

/// Whether a variant can exist, and if not, why, in one sentence.
struct Validity {
    bool valid = true;
    QString reason;
    bool unknown = false; ///< not valid because the catalog lacks the row or the instruction set
};

/// The facts of the domain: families, rows, columns, toolkits, Pythons and the built-in settings. Read once from TOML,
/// shared, immutable.
class Catalog
{
public:
    /// Loads the program's own data (resources/catalog) and then the user's folder, if it exists: an entry with a known
    /// id overrides, others are added. An error names file, line and key.
    static Result<std::shared_ptr<const Catalog>> load(const QString &userFolder = {},
                                                       const QString &templateFolder = {});
    /// load() with `$XDG_CONFIG_HOME/torch-matrix/catalog`, with `$XDG_CONFIG_HOME/torch-matrix/templates` as
    /// templateFolder and `$XDG_CACHE_HOME/torch-matrix/recipes` as cacheFolder.
    static Result<std::shared_ptr<const Catalog>> loadForUser();

    QList<GpuRow> rows;      ///< in grid order: ascending capability, then cpu, darwin-mps
    QList<GpuRow> specific;  ///< rows of names such as sm90a and sm100f, made of the others
    QList<Isa> isas;         ///< in grid order
    QList<Toolkit> toolkits; ///< ascending
    QList<Python> pythons;   ///< newest first
    QList<Family> families;
    QList<CompileJob> jobs;
    QList<Settings> builtIn; ///< settings, by branch
    QString templateFolder;  ///< folder of the user's templates, "FAMILY/SHAPE.nix", which override the program's own;
                             ///< empty: none
    QString cacheFolder;     ///< folder for results kept between runs of the program (DiskCache); empty: none

    [[nodiscard]] const GpuRow *row(const QString &id) const;
    [[nodiscard]] const GpuRow *rowOfCapability(const QString &capability) const;
    [[nodiscard]] const Isa *isa(const QString &id) const;
    [[nodiscard]] const Toolkit *toolkit(const QString &version) const;
    /// The family with that id, else the one of that word (FamilyName): "torchvision026" is torchvision. nullptr for a
    /// family that nobody declared, which has no title, versions, rules and templates.
    [[nodiscard]] const Family *family(const QString &id) const;
    /// Whose learned templates serve the variant.
    [[nodiscard]] Settings::Toolkits learnsFrom(const Variant &variant) const
    {
        return family(variant.family) ? Settings::Toolkits::SameMajor : Settings::Toolkits::Any;
    }
    /// Its title, or its word if nobody declared it, with version and pairing: "TorchAudio 211 (pt212)". `stated`, the
    /// version that the recipes state, tells where the digits have their dots: "TorchVision 0.26.0".
    [[nodiscard]] QString titleOf(const QString &family, const QString &stated = {}) const;
    /// GB that a CUDA compile job of a package takes; 0: not declared.
    [[nodiscard]] int jobMemory(const QString &package) const;
    [[nodiscard]] const Settings *settings(const QString &branch) const; ///< built-in; nullptr: none
    /// The Python of a version: "python313" for "3.13"; another word as it is.
    [[nodiscard]] QString pythonNamed(const QString &word) const;
    /// The error for a Python that the catalog does not have, listing those it has; nullopt if it has the Python.
    [[nodiscard]] std::optional<Error> unknownPython(const QString &action, const QString &python) const;
    /// The cells whose rows and ISAs are in the catalog, in the order of the grid.
    [[nodiscard]] QList<GridCell> inGridOrder(const QSet<GridCell> &cells) const;
    /// Rows in the order of the grid: those that the catalog does not have, and "all", behind its GPUs.
    [[nodiscard]] QStringList rowsInOrder(QSet<QString> rows) const;
    /// Variant::column()s in the order of the grid: each ISA followed by those with a rest, others, "none" last.
    /// Without the empty one of darwin-mps, unless there is no other.
    [[nodiscard]] QStringList columnsInOrder(QSet<QString> columns) const;
    /// The variant with the ISA and rest of a column, the inverse of Variant::column().
    [[nodiscard]] Variant inColumn(Variant variant, const QString &column) const;
    [[nodiscard]] QStringList familyIds() const;
    [[nodiscard]] QStringList isaIds() const;
    /// Folders with templates, the user's before the program's.
    [[nodiscard]] QStringList templateFolders() const;
    /// "FAMILY/SHAPE" for each template of a family, sorted. Reads folders: for workers.
    [[nodiscard]] QStringList templatesOf(const QString &family) const;
    /// Whether a folder has "FAMILY/SHAPE"; true for "FAMILY/learned". Checks the disk, because templates may be added
    /// and removed while the program runs.
    [[nodiscard]] bool hasTemplate(const QString &name) const;

    /// Why the nvcc of toolkit `cuda` cannot compile for the GPU, one sentence; empty if it can.
    [[nodiscard]] QString whyNotToolkit(const GpuRow &gpu, const QString &cuda) const;
    /// Valid if first CUDA <= toolkit <= last CUDA and the ISA's platform is one of the row's; otherwise the reason.
    /// `torch`: the PyTorch version that is built, or built against, if known: it must not be older than the row's
    /// first.
    [[nodiscard]] Validity validity(const Variant &variant, const QString &torch = {}) const;
    /// The same with the PyTorch version of the settings.
    [[nodiscard]] Validity validity(const Variant &variant, const Settings &settings) const;
    /// The BLAS library of the variant if its profile has `wanted`: Intel publishes MKL for x86_64 only, so variants
    /// for other CPUs have the default, and Metal has Apple's own.
    [[nodiscard]] Blas blasOf(const Variant &variant, Blas wanted) const;
    /// Why blasOf() is not `wanted`, one sentence; empty if it is.
    [[nodiscard]] QString whyOtherBlas(const Variant &variant, Blas wanted) const;
    /// Oldest driver that runs the variant: the larger of the toolkit's minor-version minimum and the architecture's.
    /// Empty without CUDA.
    [[nodiscard]] QString driverFloor(const Variant &variant) const;
};

} // namespace tmx
