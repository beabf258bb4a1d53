// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>

namespace tmx {

/// Compares versions such as "12.8" or "580.159.04" by their numbers; missing numbers are 0.
int compareVersions(const QString &a, const QString &b);

/// A GPU architecture (NVIDIA's compute-capability tables), or a row without one ("cpu", "darwin-mps"). A row of the
/// grid.
struct GpuRow {
    QString id;             ///< "sm90"
    QString capability;     ///< "9.0"; empty for cpu and darwin-mps
    QString suffix;         ///< "a" of sm90a, code for this GPU alone; "f" of sm100f, for its family; else empty
    QString generation;     ///< "Hopper"; "CPU only", "Apple Metal"
    QStringList products;   ///< the most popular first: "H100", "H200", "GH200"
    QStringList names;      ///< of more products: a GPU is recognised by them, and they are shown nowhere
    QStringList superchips; ///< those of the products that are one board with an NVIDIA Grace: "GH200"
    QStringList mistaken;   ///< boards of other generations that texts mistake for it: "R100" for sm120
    QString firstCuda;      ///< "11.8"; first toolkit whose nvcc supports it
    QString lastCuda;       ///< "12.9"; empty = still supported
    QString firstTorch;     ///< "2.7"; first PyTorch that supports it; empty: all that can be built here
    QString driverFloor;    ///< oldest driver that supports the GPU; empty if every supported toolkit's driver does
    QStringList platforms;  ///< Nix systems of hosts that have it: "x86_64-linux", "aarch64-linux"
    bool cudnn = true;      ///< false: cuDNN 9.11+ dropped it (below 7.5)
    bool jetson = false;    ///< its binary code is incompatible with desktop GPUs of the same major version
    bool added = false;     ///< added by the user's catalog: grids show it even without recipes
    QString hostIsa;        ///< of the one processor that all its boards have; may be empty
    QString hostNote;       ///< why hosts of the other kind do not have it: "Thor boards are ARM"; may be empty
    [[nodiscard]] bool isGpu() const { return !capability.isEmpty(); }
    [[nodiscard]] QString target() const { return capability + suffix; } ///< "9.0a": what nvcc compiles for
    /// "Hopper (H100, H200, GH200)": generation and the first products, short enough for one line.
    [[nodiscard]] QString title() const;
    bool operator==(const GpuRow &) const = default;
};

/// A CPU instruction set that host code is compiled for. A column of the grid.
struct Isa {
    QString id;             ///< "avx512bf16"
    QString title;          ///< "AVX-512 BF16"
    QStringList flags;      ///< compiler flags, in the order in which a recipe lists them
    QStringList flagNotes;  ///< one comment per flag, same length as flags
    QStringList cpuinfo;    ///< flags that /proc/cpuinfo must have
    QString platform;       ///< "x86_64-linux"
    QString hardware;       ///< "Intel Haswell+ (2013), AMD Excavator+ (2015), Zen"
    QString useCase;        ///< "broad compatibility and development"
    QStringList lacking;    ///< CPUs that are mistakenly believed to have it: "Skylake-SP" for avx512vnni
    bool lacksAvx2 = false; ///< FBGEMM, oneDNN and NNPACK need AVX2: recipes turn them off
    bool operator==(const Isa &) const = default;
};

/// A patch in addition to the patches of nixpkgs' package.
struct PatchSource {
    QString name; ///< "cuda-13.0-clockrate-fix.patch"
    QString url;
    QString hash; ///< SRI
    bool operator==(const PatchSource &) const = default;
};

/// A CUDA toolkit and its drivers (CUDA release notes, Linux x86_64).
struct Toolkit {
    QString version;                 ///< "12.8"
    QString ownDriver;               ///< "570.26"
    QString compatibleDriver;        ///< oldest one that runs it by minor-version compatibility: "525.60.13"
    QString attribute;               ///< nixpkgs attribute: "cudaPackages_12_8"
    QString firstTorch;              ///< torch of the first nixpkgs that builds torch with it; older ones mark torch
                                     ///< broken. Empty: all build it
    QList<PatchSource> magmaPatches; ///< patches without which the MAGMA of an older nixpkgs does not compile with it
    bool operator==(const Toolkit &) const = default;
};

/// A Python that packages are built for.
struct Python {
    QString id; ///< nixpkgs' name: "python313"
    bool operator==(const Python &) const = default;
};

/// The memory of a package's compile jobs.
struct CompileJob {
    QString id;     ///< the package's name in nixpkgs: "torch"
    int memory = 0; ///< GB that a CUDA compile job takes at most
    bool operator==(const CompileJob &) const = default;
};

/// A package family: what is built. It is data, so that a new family needs no C++.
struct Family {
    QString id;             ///< "pytorch"
    QString title;          ///< "PyTorch"
    QString attribute;      ///< attribute in nixpkgs' Python packages: "torch", "torchvision"
    bool companion = false; ///< takes torch as an argument, which must be of the same variant
    QString repository; ///< on GitHub, "pytorch/vision": source repository for versions that nixpkgs does not have; may
                        ///< be empty
    QHash<QString, QString> versions; ///< for a companion: its version by PyTorch version ("2.9.0", "2.9")
    QString gpuTemplate;              ///< default for settings that name none
    QString cpuTemplate;
    QString metalTemplate;
    /// The version that matches PyTorch `torch`; empty if the table has none. An entry for the complete version has
    /// priority over one for its minor version.
    [[nodiscard]] QString versionFor(const QString &torch) const;
    bool operator==(const Family &) const = default;
};

} // namespace tmx
