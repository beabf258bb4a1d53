// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>

namespace tmx {

/// A version such as "12.8" or "580.159.04"; compared by its numbers, missing ones are 0.
int compareVersions(const QString &a, const QString &b);

/// A GPU architecture (NVIDIA's compute-capability tables), or the rows without one ("cpu", "darwin-mps"). Row of the
/// grid.
struct GpuRow {
    QString id;            ///< "sm90"
    QString capability;    ///< "9.0"; empty for cpu and darwin-mps
    QString generation;    ///< "Hopper"; "CPU only", "Apple Metal"
    QStringList products;  ///< most asked first: "H100", "H200", "GH200"
    QString firstCuda;     ///< "11.8"; first toolkit whose nvcc knows it
    QString lastCuda;      ///< "12.9"; empty = still supported
    QString firstTorch;    ///< "2.7"; first PyTorch that is made for it; empty: every one that is built here
    QString driverFloor;   ///< lowest driver that knows the GPU; empty when every supported toolkit's driver does
    QStringList platforms; ///< Nix systems of hosts that carry it: "x86_64-linux", "aarch64-linux"
    bool cudnn = true;     ///< false: cuDNN 9.11+ dropped it (below 7.5)
    bool jetson = false;   ///< binary code is not shared with desktop GPUs of the same major
    bool added = false;    ///< by the user's catalog: grids show it before it has a recipe
    QString hostNote;      ///< why it has no hosts of the other kind: "Thor boards are ARM"; may be empty
    [[nodiscard]] bool isGpu() const { return !capability.isEmpty(); }
    /// "Hopper (H100, H200, GH200)": generation and the first products, few enough for a line of text.
    [[nodiscard]] QString title() const;
    bool operator==(const GpuRow &) const = default;
};

/// A CPU instruction set that host code is compiled for. Column of the grid.
struct Isa {
    QString id;             ///< "avx512bf16"
    QString title;          ///< "AVX-512 BF16"
    QStringList flags;      ///< compiler flags, in the order that a recipe lists them
    QStringList flagNotes;  ///< one comment a flag, same length as flags
    QStringList cpuinfo;    ///< /proc/cpuinfo must show all of them
    QString platform;       ///< "x86_64-linux"
    QString hardware;       ///< "Intel Haswell+ (2013), AMD Excavator+ (2015), Zen"
    QString useCase;        ///< "broad compatibility and development"
    QStringList lacking;    ///< CPUs that are taken for having it, and have not: "Skylake-SP" of avx512vnni
    bool lacksAvx2 = false; ///< FBGEMM, oneDNN and NNPACK need AVX2: recipes switch them off
    bool operator==(const Isa &) const = default;
};

/// A patch that nixpkgs' package needs besides its own.
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
    QString compatibleDriver;        ///< lowest that runs it by minor-version compatibility: "525.60.13"
    QString attribute;               ///< nixpkgs attribute: "cudaPackages_12_8"
    QList<PatchSource> magmaPatches; ///< without which the MAGMA of a nixpkgs from before the toolkit does not compile
    bool operator==(const Toolkit &) const = default;
};

/// A Python that packages are built for.
struct Python {
    QString id; ///< as nixpkgs names it: "python313"
    bool operator==(const Python &) const = default;
};

/// A package family: what is built. Data, so that a new one needs no C++.
struct Family {
    QString id;             ///< "pytorch"
    QString title;          ///< "PyTorch"
    QString attribute;      ///< among nixpkgs' Python packages: "torch", "torchvision"
    bool companion = false; ///< takes torch as an argument and must get that of its own variant
    QString repository; ///< on GitHub, "pytorch/vision": where the source of another version than nixpkgs' is fetched;
                        ///< may be empty
    QHash<QString, QString>
        versions;        ///< of a companion: PyTorch's version ("2.9.0", "2.9") -> the one that goes with it
    QString gpuTemplate; ///< for lines that name none
    QString cpuTemplate;
    QString metalTemplate;
    /// The version that goes with PyTorch `torch`; empty when the table has none. An entry for the whole version goes
    /// before its minor's.
    [[nodiscard]] QString versionFor(const QString &torch) const;
    bool operator==(const Family &) const = default;
};

} // namespace tmx
