// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Variant.h"

#include <QList>
#include <QMap>
#include <QStringList>

#include <algorithm>
#include <optional>

namespace tmx {

/// A revision of nixpkgs that recipes fetch.
struct NixpkgsPin {
    QString revision; ///< 40 hexadecimal digits; empty: the caller's nixpkgs is used
    QString sha256;   ///< hash of the tarball; empty if unknown
    QString python3;  ///< the Python behind its python3Packages, "python313"; empty if unknown
    bool operator==(const NixpkgsPin &) const = default;
};

/// Where a companion (torchvision, torchaudio) gets its torch from.
enum class TorchOrigin {
    InPlace,   ///< built inside the companion's recipe, in the same way as the branch's PyTorch recipe
    Sibling,   ///< the PyTorch recipe of the same variant, a file next to it
    Published, ///< the published package of the same variant, catalogs.<org>.<package>
    Fetched,   ///< the PyTorch recipe of the same variant in another repository, at a revision
};

/// The repository whose PyTorch recipes companions fetch, for TorchOrigin::Fetched.
struct TorchRepository {
    QString address;  ///< "acme/build-pytorch" on GitHub, the URL of a repository, or one of an archive with "{rev}"
    QString revision; ///< 40 hexadecimal digits
    QString sha256;   ///< hash of the tarball; empty if unknown

    /// The URL of the tarball: ADDRESS/archive/REVISION.tar.gz, except for addresses with "{rev}".
    [[nodiscard]] QString archive() const;
    /// The repository whose archive() is `url`, with the shortest possible address.
    static TorchRepository ofArchive(const QString &url, const QString &revision);
    /// "build-pytorch": the name of a clone of it.
    [[nodiscard]] QString name() const;
    /// "build-pytorch@REVISION", key for the contents of clones.
    [[nodiscard]] QString commitKey() const { return name() + u'@' + revision; }
    bool operator==(const TorchRepository &) const = default;
};

/// The CPU's BLAS library. nixpkgs selects it with an overlay on blas and lapack.
enum class Blas {
    Default, ///< the template's default: OpenBLAS
    OpenBlas,
    Mkl, ///< only for x86_64; recipes for other CPUs have the default
};

/// The notation of gpuTargets. PyTorch only builds with Dotted.
enum class ArchNotation {
    Automatic, ///< dotted; a companion uses the notation of its variant's PyTorch recipe if that is found
    Dotted,    ///< "12.1"
    Sm,        ///< "sm_121": only if the user sets it; the audit reports the consequences
};

/// A cell in the grid of one profile.
struct GridCell {
    QString row;       ///< "sm90", "cpu", "darwin-mps"
    QString isa;       ///< "avx2"; empty for darwin-mps, and for variants without one
    QString rest = {}; ///< of the variant
    bool operator==(const GridCell &) const = default;
};
size_t qHash(const GridCell &cell, size_t seed = 0) noexcept;

/// What recipes are built for, without row and ISA.
struct ProfileKey {
    QString family; ///< "pytorch", "torchvision026": with version and pairing, as Variant has it
    QString python; ///< "python313"; empty for packages without Python
    QString build;  ///< a toolkit ("12.9"), "cpu" or "metal"

    [[nodiscard]] bool isCuda() const { return isToolkit(build); }
    static bool isToolkit(const QString &build) { return !build.isEmpty() && build.at(0).isDigit(); }
    /// For a GPU recipe with an unknown toolkit, `build` is empty.
    static ProfileKey of(const Variant &variant);
    [[nodiscard]] Variant variant(const GridCell &cell) const;

    bool operator==(const ProfileKey &) const = default;
    /// By family, Python (newest first) and build: toolkits ascending, "cpu", "metal".
    std::strong_ordering operator<=>(const ProfileKey &other) const;
};
size_t qHash(const ProfileKey &key, size_t seed = 0) noexcept;
bool buildLess(const QString &a, const QString &b); ///< toolkits ascending, "cpu", "metal"

/// How all recipes of a key are built, and the cells that are covered.
struct Profile {
    QString version;       ///< version of the family; empty: unknown
    QString sourceHash;    ///< SRI hash of the family's source if it is fetched and not nixpkgs' own; else empty
    NixpkgsPin pin;        ///< without a revision the callPackage arguments are used
    QString cudaAttribute; ///< "cudaPackages_13"; only for toolkits, like the next one
    QString release;       ///< "12.9.1": the full version
    QString pythonSet;     ///< "python3Packages" if recipes use that name; empty: the Python's own set
    QString pnamePrefix;   ///< "pytorch210"; empty: pname is the canonical name
    QString templateName;  ///< "pytorch/pinned-overlays-gpu"; empty: the family's default
    TorchOrigin torchOrigin = TorchOrigin::InPlace;
    QString torchCatalog; ///< organisation, for TorchOrigin::Published
    TorchRepository torchRepository;
    Blas blas = Blas::Default; ///< for Metal always Default: it has Apple's own
    ArchNotation notation = ArchNotation::Automatic;
    int metadataRev = 0;   ///< 0: none. Written into the output, so that a change of meta only gives another store path
    QList<GridCell> cells; ///< covered cells, without duplicates, in the catalog's order
    bool operator==(const Profile &) const = default;
};

/// Selects profiles: those with these families, Pythons and builds. An empty list selects all.
struct ProfileSelector {
    QStringList families = {};
    QStringList pythons = {};
    QStringList builds = {};
    [[nodiscard]] bool matches(const ProfileKey &key) const;
    [[nodiscard]] bool isEmpty() const { return families.isEmpty() && pythons.isEmpty() && builds.isEmpty(); }
    bool operator==(const ProfileSelector &) const = default;
};

/// Settings that cover more variants are rejected on reading; they have at most as many profiles.
inline constexpr qint64 maxPromised = 20'000;

/// Findings of a rule that the branch accepts: the audit reports them as notes.
struct IgnoredRule {
    QString rule;
    QStringList recipes; ///< names of variants; empty: all
    QString reason;
    bool operator==(const IgnoredRule &) const = default;
};

/// What one git branch builds. There is a profile for each of its families, Pythons and builds; "cpu" and "metal" are
/// always among the builds. A profile without cells covers nothing: for example that of a PyTorch that companions are
/// built against, or of a new toolkit.
struct Settings {
    enum class Source { BuiltIn, File, Inferred };

    QString branch; ///< "cuda-13_0"
    Source source = Source::BuiltIn;
    QMap<ProfileKey, Profile> profiles;
    QList<IgnoredRule> ignored;
    QStringList smRows; ///< rows whose PyTorch recipes use sm_NN, found when the branch was read; never in a file
    /// CPU flags that the branch's recipes of a family's word and an ISA ("onnxruntime avx2") agree on, if they are
    /// fewer than the catalog's; found when the branch was read; never in a file.
    QMap<QString, QStringList> flags;
    /// Texts of the templates learned from the recipes when the branch was read; never in a file.
    QMap<ProfileKey, QString> learned;

    /// The families of covered variants; if nothing is covered, all. Sorted.
    [[nodiscard]] QStringList families() const;
    [[nodiscard]] QStringList pythons() const;  ///< in all profiles, the newest first
    [[nodiscard]] QStringList toolkits() const; ///< in all profiles, ascending

    /// For a variant whose toolkit or Python the settings do not have: the family's common values, without cells.
    [[nodiscard]] Profile profileOf(const Variant &variant) const;
    [[nodiscard]] bool covers(const Variant &variant) const;
    /// Every covered variant, without duplicates: in the order of profiles, then of their cells.
    [[nodiscard]] QList<Variant> promised() const;
    [[nodiscard]] qsizetype promisedCount() const;

    /// The value that most of the selected profiles have; only counts profiles with cells if there are any. The first
    /// of several equally frequent ones.
    template <class T>
    [[nodiscard]] T common(T Profile::*field, const ProfileSelector &where = {}) const;
    template <class T>
    void set(T Profile::*field, const T &value, const ProfileSelector &where = {});
    /// The Python behind python3Packages of a nixpkgs revision, as any profile has it; empty: unknown.
    [[nodiscard]] QString python3Of(const QString &revision) const;
    /// The family's common version; empty: unknown.
    [[nodiscard]] QString versionOf(const QString &family) const;

    /// The notation of the targets in a variant's recipe; never Automatic.
    [[nodiscard]] ArchNotation notationOf(const Variant &variant) const;
    [[nodiscard]] QString pnameOf(const Variant &variant) const;
    /// The learned template of the variant's profile, else of the nearest profile of its family and kind (CPU, Metal,
    /// the same major CUDA version): a template shows which of its words are facts. Empty if none was learned. What a
    /// major version of CUDA needs is known of declared families only, so others take that of any.
    enum class Toolkits { SameMajor, Any };
    [[nodiscard]] QString learnedFor(const Variant &variant, Toolkits toolkits) const;
    bool operator==(const Settings &) const = default;
};

QString toString(Settings::Source source); ///< "built-in", "file", "inferred": the words used in list --json
QString toString(TorchOrigin source);      ///< "in-place", "sibling", "published", "fetched": words used in settings
                                           ///< files
QString toString(Blas blas);               ///< "default", "openblas", "mkl"
QString toString(ArchNotation notation);   ///< "auto", "dotted", "sm"

/// "pytorch/learned", the name of the template learned from the branch's own recipes of that family.
QString learnedTemplate(const QString &family);
bool isLearned(const QString &templateName);

/// The PyTorch family that a companion is built against: "pytorch212" for "torchaudio211-pt212"; PyTorch's own is
/// itself.
QString torchFamilyOf(const QString &family);
/// The PyTorch variant that a companion needs; for PyTorch the variant itself.
Variant torchVariantOf(const Variant &variant);

template <class T>
T Settings::common(T Profile::*field, const ProfileSelector &where) const
{
    QList<std::pair<T, int>> votes;
    for (const bool promising : {true, false}) {
        for (auto it = profiles.cbegin(); it != profiles.cend(); ++it) {
            if (!where.matches(it.key()) || it->cells.isEmpty() == promising)
                continue;
            const auto there = std::ranges::find(votes, (*it).*field, &std::pair<T, int>::first);
            if (there == votes.end())
                votes.append({(*it).*field, 1});
            else
                ++there->second;
        }
        if (!votes.isEmpty())
            break;
    }
    const auto best = std::ranges::max_element(votes, {}, &std::pair<T, int>::second); // the first of them
    return best == votes.end() ? T{} : best->first;
}

template <class T>
void Settings::set(T Profile::*field, const T &value, const ProfileSelector &where)
{
    for (auto it = profiles.begin(); it != profiles.end(); ++it) {
        if (where.matches(it.key()))
            (*it).*field = value;
    }
}

} // namespace tmx
