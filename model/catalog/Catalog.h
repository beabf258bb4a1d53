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
};

/// The facts of the domain: families, rows, columns, toolkits, Pythons and the built-in lines. Read once from TOML,
/// shared, never changed.
class Catalog
{
public:
    /// The program's own data (resources/catalog) with the user's folder on top, when that exists: an entry with the
    /// same id overrides, a new one is added. An error names file, line and key.
    static Result<std::shared_ptr<const Catalog>> load(const QString &userFolder = {},
                                                       const QString &templateFolder = {});
    /// load() with `$XDG_CONFIG_HOME/torch-matrix/catalog`, `$XDG_CONFIG_HOME/torch-matrix/templates` as templateFolder
    /// and `$XDG_CACHE_HOME/torch-matrix/recipes` as cacheFolder.
    static Result<std::shared_ptr<const Catalog>> loadForUser();

    QList<GpuRow> rows;      ///< in grid order: newest capability last, then cpu, darwin-mps
    QList<Isa> isas;         ///< in grid order
    QList<Toolkit> toolkits; ///< ascending
    QList<Python> pythons;   ///< newest first
    QList<Family> families;
    QList<Settings> lines; ///< built-in ones
    QString
        templateFolder; ///< of the user's templates, "FAMILY/SHAPE.nix", which go before the program's own; empty: none
    QString cacheFolder; ///< where answers are kept between starts of the program (DiskCache); empty: nowhere

    [[nodiscard]] const GpuRow *row(const QString &id) const;
    [[nodiscard]] const GpuRow *rowOfCapability(const QString &capability) const;
    [[nodiscard]] const Isa *isa(const QString &id) const;
    [[nodiscard]] const Toolkit *toolkit(const QString &version) const;
    [[nodiscard]] const Family *family(const QString &id) const;
    [[nodiscard]] const Settings *line(const QString &branch) const;
    /// Why nothing is made for a Python that the catalog does not have, with what it has; nullopt: it has it.
    [[nodiscard]] std::optional<Error> unknownPython(const QString &action, const QString &python) const;
    /// Cells of rows and ISAs that the catalog has, in the order of the grid.
    [[nodiscard]] QList<GridCell> inGridOrder(const QSet<GridCell> &cells) const;
    [[nodiscard]] QStringList familyIds() const;
    [[nodiscard]] QStringList isaIds() const;
    /// Where templates lie, the user's before the program's.
    [[nodiscard]] QStringList templateFolders() const;
    /// "FAMILY/SHAPE" of each template of a family, sorted. Reads folders: for workers.
    [[nodiscard]] QStringList templatesOf(const QString &family) const;
    /// Whether one of them holds "FAMILY/SHAPE"; "FAMILY/learned" there is always. Looks at the disk: templates may
    /// come and go while the program runs.
    [[nodiscard]] bool hasTemplate(const QString &name) const;

    /// first CUDA <= toolkit <= last CUDA and the ISA's platform is one of the row's; otherwise the reason. `torch`:
    /// the version of PyTorch that is built, or built against, where it is known: not older than the row's first.
    [[nodiscard]] Validity validity(const Variant &variant, const QString &torch = {}) const;
    /// The same with the version of PyTorch that the settings say.
    [[nodiscard]] Validity validity(const Variant &variant, const Settings &settings) const;
    /// What does linear algebra in the variant where its profile says `wanted`: Intel publishes MKL for x86_64 alone,
    /// so variants of other CPUs have the default, and Metal has Apple's own.
    [[nodiscard]] Blas blasOf(const Variant &variant, Blas wanted) const;
    /// The reason for which blasOf() is not `wanted`, a sentence; empty where it is.
    [[nodiscard]] QString whyOtherBlas(const Variant &variant, Blas wanted) const;
    /// Lowest driver that runs the variant: the larger of the toolkit's minor-version floor and the architecture's.
    /// Empty without CUDA.
    [[nodiscard]] QString driverFloor(const Variant &variant) const;
};

} // namespace tmx
