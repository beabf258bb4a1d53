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

/// One revision of nixpkgs that recipes fetch.
struct NixpkgsPin {
    QString revision; ///< 40 hexadecimal digits; empty: the caller's nixpkgs is used
    QString sha256;   ///< of the tarball, empty when unknown
    QString python3;  ///< the Python behind its python3Packages, "python313"; empty when unknown
    bool operator==(const NixpkgsPin &) const = default;
};

/// Where a companion (torchvision, torchaudio) finds its torch.
enum class TorchOrigin {
    InPlace,   ///< built inside the companion's recipe, the same way as the branch's PyTorch recipe
    Sibling,   ///< the PyTorch recipe of the same variant, the file beside it
    Published, ///< the published package of the same variant, catalogs.<org>.<package>
    Fetched,   ///< the PyTorch recipe of the same variant in another repository, at a revision
};

/// The repository whose PyTorch recipes companions fetch, for TorchOrigin::Fetched.
struct TorchRepository {
    QString address;  ///< "acme/build-pytorch" on GitHub, the URL of a repository, or one of an archive with "{rev}"
    QString revision; ///< 40 hexadecimal digits
    QString sha256;   ///< of the tarball, empty when unknown

    /// The URL of the tarball: ADDRESS/archive/REVISION.tar.gz, but for addresses with "{rev}".
    [[nodiscard]] QString archive() const;
    /// Whose archive() is `url`; the shortest address that says so.
    static TorchRepository ofArchive(const QString &url, const QString &revision);
    /// "build-pytorch": what a clone of it is called.
    [[nodiscard]] QString name() const;
    /// "build-pytorch@REVISION", for tables of what clones have.
    [[nodiscard]] QString commitKey() const { return name() + u'@' + revision; }
    bool operator==(const TorchRepository &) const = default;
};

/// What does linear algebra on the CPU. nixpkgs chooses it by an overlay on blas and lapack.
enum class Blas {
    Default, ///< what the template takes: OpenBLAS
    OpenBlas,
    Mkl, ///< on x86_64 alone; recipes of other CPUs have the default
};

/// How gpuTargets is written. PyTorch builds with Dotted alone.
enum class ArchNotation {
    Automatic, ///< dotted; a companion follows the PyTorch recipe of its variant where that is found
    Dotted,    ///< "12.1"
    Sm,        ///< "sm_121": only because somebody insists on it; the audit says what comes of it
};

/// A place in the grid of one profile.
struct GridCell {
    QString row; ///< "sm90", "cpu", "darwin-mps"
    QString isa; ///< "avx2"; empty only for darwin-mps
    bool operator==(const GridCell &) const = default;
};
size_t qHash(const GridCell &cell, size_t seed = 0) noexcept;

/// What recipes are built for, but for row and ISA.
struct ProfileKey {
    QString family; ///< "pytorch"
    QString python; ///< "python313"
    QString build;  ///< a toolkit ("12.9"), "cpu" or "metal"

    [[nodiscard]] bool isCuda() const { return isToolkit(build); }
    static bool isToolkit(const QString &build) { return !build.isEmpty() && build.at(0).isDigit(); }
    /// Of a GPU recipe whose toolkit is not known, `build` is empty.
    static ProfileKey of(const Variant &variant);
    [[nodiscard]] Variant variant(const GridCell &cell) const;

    bool operator==(const ProfileKey &) const = default;
    /// By family, Python (the newest first) and build: toolkits ascending, "cpu", "metal".
    std::strong_ordering operator<=>(const ProfileKey &other) const;
};
size_t qHash(const ProfileKey &key, size_t seed = 0) noexcept;
bool buildLess(const QString &a, const QString &b); ///< toolkits ascending, "cpu", "metal"

/// How all recipes of a key are built, and in which cells there are some.
struct Profile {
    QString version;       ///< of the family; empty: unknown
    QString sourceHash;    ///< SRI, of the family's fetched source where that is not nixpkgs' own; else empty
    NixpkgsPin pin;        ///< without a revision the callPackage arguments are used
    QString cudaAttribute; ///< "cudaPackages_13"; of toolkits alone, as the next
    QString release;       ///< "12.9.1": what people say
    QString pythonSet;     ///< "python3Packages" where recipes take it by that name; empty: the Python's own
    QString pnamePrefix;   ///< "pytorch210"; empty: pname is the canonical name
    QString templateName;  ///< "pytorch/pinned-overlays-gpu"; empty: the family's own
    TorchOrigin torchOrigin = TorchOrigin::InPlace;
    QString torchCatalog; ///< organisation, for TorchOrigin::Published
    TorchRepository torchRepository;
    Blas blas = Blas::Default; ///< of Metal always Default: it has Apple's own
    ArchNotation notation = ArchNotation::Automatic;
    int metadataRev = 0; ///< 0: none. Written into the output, so that a change of meta alone gives another store path
    QList<GridCell> cells; ///< that are promised, each once, in the catalog's order
    bool operator==(const Profile &) const = default;
};

/// Which profiles are meant: those of these families, Pythons and builds. An empty list names all.
struct ProfileSelector {
    QStringList families = {};
    QStringList pythons = {};
    QStringList builds = {};
    [[nodiscard]] bool matches(const ProfileKey &key) const;
    [[nodiscard]] bool isEmpty() const { return families.isEmpty() && pythons.isEmpty() && builds.isEmpty(); }
    bool operator==(const ProfileSelector &) const = default;
};

/// Settings that promise more variants are refused when they are read; they have as many profiles at most.
inline constexpr qint64 maxPromised = 20'000;

/// What one git branch builds. There is a profile for each of its families, Pythons and builds; "cpu" and "metal" are
/// among the builds always. A profile without cells promises nothing: that of a PyTorch that companions are built
/// against, of a toolkit that is new.
struct Settings {
    enum class Source { BuiltIn, File, Inferred };

    QString branch; ///< "cuda-13_0"
    Source source = Source::BuiltIn;
    QMap<ProfileKey, Profile> profiles;
    QStringList smRows; ///< rows whose PyTorch recipes say sm_NN, as found when the branch was read; never in a file
    /// Texts of the templates that are learned from the recipes, as found when the branch was read; never in a file.
    QMap<ProfileKey, QString> learned;

    /// Those of a promised variant; where nothing is promised, all. Sorted.
    [[nodiscard]] QStringList families() const;
    [[nodiscard]] QStringList pythons() const;  ///< of all profiles, the newest first
    [[nodiscard]] QStringList toolkits() const; ///< of all profiles, ascending

    /// Of a variant whose toolkit or Python the settings do not have: the family's common values, without cells.
    [[nodiscard]] Profile profileOf(const Variant &variant) const;
    [[nodiscard]] bool covers(const Variant &variant) const;
    /// Every variant that is promised, each once: in the order of profiles, then of their cells.
    [[nodiscard]] QList<Variant> promised() const;
    [[nodiscard]] qsizetype promisedCount() const;

    /// The value that most of the selected profiles have: of those with cells, where there are some. The first of
    /// several as frequent.
    template <class T>
    [[nodiscard]] T common(T Profile::*field, const ProfileSelector &where = {}) const;
    template <class T>
    void set(T Profile::*field, const T &value, const ProfileSelector &where = {});
    /// The family's common version; empty: unknown.
    [[nodiscard]] QString versionOf(const QString &family) const;

    /// How the targets of a variant's recipe are written; never Automatic.
    [[nodiscard]] ArchNotation notationOf(const Variant &variant) const;
    [[nodiscard]] QString pnameOf(const Variant &variant) const;
    /// Of the variant's profile, else of the nearest of its family and kind (CPU, Metal, the same major CUDA): a
    /// template says which of its words are facts. Empty: none was learned.
    [[nodiscard]] QString learnedFor(const Variant &variant) const;
    bool operator==(const Settings &) const = default;
};

QString toString(Settings::Source source); ///< "built-in", "file", "inferred": the words of list --json
QString toString(TorchOrigin source);      ///< "in-place", "sibling", "published", "fetched": words of settings files
QString toString(Blas blas);               ///< "default", "openblas", "mkl"
QString toString(ArchNotation notation);   ///< "auto", "dotted", "sm"

/// "pytorch/learned", the name of the template that is learned from the branch's own recipes of that family.
QString learnedTemplate(const QString &family);
bool isLearned(const QString &templateName);

/// The PyTorch variant that a companion needs; PyTorch's is itself.
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
