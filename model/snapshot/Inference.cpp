// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/Inference.h"

#include "model/base/Parallel.h"
#include "model/base/Sentences.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/catalog/EntryReaders.h"
#include "model/catalog/Versions.h"
#include "model/catalog/WrittenSettings.h"
#include "model/meaning/Meaning.h"
#include "model/settings/PinVersion.h"
#include "model/snapshot/BranchTemplates.h"
#include "model/snapshot/Bytes.h"
#include "model/snapshot/NamedRecipe.h"
#include "model/template/TableEntry.h"
#include "model/toml/Patterns.h"

#include <QRegularExpression>

#include <algorithm>
#include <span>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

const QString pytorch = u"pytorch"_s;

struct InferredValue {
    QString package; ///< name of the file
    Variant variant;
    QByteArray text;
    RecipeSource source;
    std::shared_ptr<const RecipeFacts> facts;
};

/// The values that one recipe states; others are absent.
using Statements = QMap<QString, QString>;

/// The votes for one field of one profile.
struct Votes {
    QMap<QString, QStringList> names; ///< names of the recipes, by value

    [[nodiscard]] QString winner() const
    {
        const auto best = std::ranges::max_element(names, {}, [](const QStringList &of) { return of.size(); });
        return best == names.cend() ? QString() : best.key();
    }
};

/// Finds patterns in texts; compiles each pattern once.
class Finder
{
public:
    QString find(const QString &pattern, const StatedText &text)
    {
        auto known = m_patterns.find(pattern);
        if (known == m_patterns.end())
            known = m_patterns.insert(pattern, QRegularExpression(pattern));
        return known->match(text.value).captured(1);
    }
    /// "12.9.1" from "with AVX2, CUDA 12.9.1".
    QString releaseIn(const StatedText &text, const QString &toolkit)
    {
        return find(uR"(\bCUDA:? (%1(?:\.\d+)*)\b)"_s.arg(QRegularExpression::escape(toolkit)), text);
    }

private:
    QHash<QString, QRegularExpression> m_patterns;
};

const OverlayFacts *torchOverlay(const RecipeFacts &facts)
{
    const auto found = std::ranges::find(facts.overlays, OverlayFacts::Kind::Torch, &OverlayFacts::kind);
    return found == facts.overlays.end() ? nullptr : &*found;
}

/// The profile of the torch that a companion of this profile is built with.
ProfileKey torchKeyOf(const ProfileKey &key)
{
    return {torchFamilyOf(key.family), key.python, key.build};
}

/// The prefix that turns the variant's name into this pname; absent if there is none.
std::optional<QString> prefixOf(const StatedText &pname, const Variant &variant)
{
    static const QRegularExpression form(u"^[a-z][a-z0-9_]*\\z"_s);
    const QString name = variant.name();
    const QString rest = name.sliced(variant.family.size());
    if (!pname || pname.value == name)
        return QString();
    const QString prefix = pname.value.endsWith(rest) ? pname.value.chopped(rest.size()) : QString();
    return form.match(prefix).hasMatch() ? std::optional(prefix) : std::nullopt;
}

/// "12.8" of cudaPackages_12_8; empty for another value.
QString toolkitOfSet(const QString &set)
{
    static const QRegularExpression versioned(u"^cudaPackages_(\\d+)_(\\d+)(?:_|\\z)"_s);
    const QRegularExpressionMatch match = versioned.match(set);
    return match.hasMatch() ? match.captured(1) + u'.' + match.captured(2) : QString();
}

class Reader
{
public:
    Reader(const RecipeCache &recipes, const BranchContent &content)
        : m_recipes(recipes)
        , m_catalog(*recipes.catalog())
        , m_content(content)
    {
        readVoters(content);
    }

    Inference infer(const QString &branch, WithTemplates templates)
    {
        m_inference.settings.branch = branch;
        m_inference.settings.source = Settings::Source::Inferred;
        m_inference.recipes = int(m_voters.size());
        if (m_voters.isEmpty())
            return m_inference;
        for (const InferredValue &voter : std::as_const(m_voters)) {
            const ProfileKey key = ProfileKey::of(voter.variant);
            QSet<GridCell> &cells = m_cells[key];
            if (m_catalog.validity(voter.variant).valid) // an impossible variant is present, but not covered
                cells.insert({voter.variant.row, voter.variant.isa, voter.variant.rest});
            const Statements said = statementsOf(voter);
            for (auto it = said.cbegin(); it != said.cend(); ++it)
                m_votes[key][it.key()].names[*it].append(voter.package);
        }
        findFlags();
        makeProfiles();
        addTorch();
        if (templates == WithTemplates::Yes)
            findTemplates();
        completeProfiles();
        findUnknowns();
        findHoles();
        return m_inference;
    }

private:
    void readVoters(const BranchContent &content)
    {
        m_files = content.shownFiles;
        QStringList toolkits;
        const auto sourceOf = [&content](const NamedRecipe &named) {
            const QByteArray text = named.gone ? named.file->committed.value_or(QByteArray()) : named.text();
            const auto &files = named.gone ? content.committedFiles : content.shownFiles;
            return files ? files->source(named.file->path, text) : RecipeSource(text);
        };
        const QList<NamedRecipe> all = namedRecipes(m_catalog, content);
        for (const NamedRecipe &named : all) {
            if (const QString &cuda = named.name.variant.cuda; !cuda.isEmpty() && !toolkits.contains(cuda))
                toolkits.append(cuda);
        }
        for (const NamedRecipe &named : toolkits.isEmpty() ? all : QList<NamedRecipe>()) { // no name has one
            const QString cuda =
                named.lacksCuda() ? toolkitOfSet(m_recipes.facts(sourceOf(named))->toolkit().value) : QString();
            if (!cuda.isEmpty() && !toolkits.contains(cuda))
                toolkits.append(cuda);
        }
        for (const NamedRecipe &named : placedRecipes(m_catalog, content, toolkits)) {
            if (!named.suffix.isEmpty())
                continue;
            const RecipeSource source = sourceOf(named);
            m_voters.append({packageOf(named.file->path), named.name.variant, source.text, source, nullptr});
        }
        const std::span<InferredValue> voters(m_voters.data(), size_t(m_voters.size()));
        inParallel(m_voters.size(), [&](qsizetype i) {
            voters[size_t(i)].facts = m_recipes.facts(voters[size_t(i)].source, RecipeCache::Next::Meaning);
        });
        std::ranges::stable_sort(m_voters, {}, &InferredValue::variant);
    }

    /// A new recipe has the flags of its neighbours, also those that leave out one of the catalog's.
    void findFlags()
    {
        const auto base = [](const QString &flag) { return flag.section(u'+', 0, 0); };
        QMap<QString, QList<QStringList>> lists;
        for (const InferredValue &voter : std::as_const(m_voters)) {
            const StatedList &stated = voter.facts->compiled().cxxFlags;
            if (stated.known && !stated.items.isEmpty() && m_catalog.isa(voter.variant.isa))
                lists[FamilyName::of(voter.variant.family).word + u' ' + voter.variant.isa].append(stated.values());
        }
        for (auto it = lists.cbegin(); it != lists.cend(); ++it) {
            const QStringList &flags = it->constFirst();
            const Isa &isa = *m_catalog.isa(it.key().section(u' ', -1));
            const QString main = base(isa.flags.value(0)); // "-mavx2", "-march=armv9-a"
            const auto isOfIsa = [&](const QString &flag) { return base(flag) == main || isa.flags.contains(flag); };
            if (it->size() > 1 && it->count(flags) == it->size() && flags != isa.flags &&
                flags.size() <= isa.flags.size() && base(flags.constFirst()) == main &&
                std::ranges::all_of(flags, isOfIsa))
                m_inference.settings.flags.insert(it.key(), flags);
        }
    }

    [[nodiscard]] Statements statementsOf(const InferredValue &voter)
    {
        const RecipeFacts &facts = *voter.facts;
        const PackageFacts &package = facts.package;
        Statements said;
        if (facts.error || (!package.attribute && !package.builder))
            return said; // It states no values that can be read.
        if (facts.pins.isEmpty() || facts.pins.constFirst().revision.value.size() == 40) {
            const PinFacts pin = facts.pins.value(0);
            said.insert(u"nixpkgs"_s, pin.revision.value);
            if (pin.sha256 && hasForm(pin.sha256.value, pattern::optionalTarballHash))
                said.insert(u"nixpkgs_sha256 "_s + pin.revision.value, pin.sha256.value);
        }
        if (const QString set = facts.toolkit().value; !set.isEmpty() && !voter.variant.cuda.isEmpty())
            said.insert(u"attribute"_s, set);
        const bool upgraded = torchOverlay(facts) != nullptr;
        if (package.packageSet)
            said.insert(u"python_set"_s, package.packageSet.value == voter.variant.python + "Packages"_L1
                                             ? QString()
                                             : package.packageSet.value);
        if (upgraded)
            said.insert(u"upgraded"_s, u"yes"_s);
        if (const auto prefix = prefixOf(package.pname, voter.variant))
            said.insert(u"pname_prefix"_s, *prefix);
        sayVersion(said, voter);
        sayDetails(said, voter);
        return said;
    }

    void sayVersion(Statements &said, const InferredValue &voter)
    {
        const RecipeFacts &facts = *voter.facts;
        const PackageFacts &package = facts.package;
        const Family *family = m_catalog.family(voter.variant.family);
        const bool torch = family && !family->companion;
        const OverlayFacts *overlay = torchOverlay(facts);
        QString version = facts.version().known ? facts.version().value : QString();
        QString hash = torch && overlay && overlay->src.hash.known ? overlay->src.hash.value : QString();
        for (const PackageFacts *from : {&facts.compiled(), &package}) {
            if (from->version.known && from->src.hash.known && !from->src.hash.value.isEmpty())
                hash = from->src.hash.value;
        }
        const QString word = FamilyName::of(voter.variant.family).word;
        for (const QString &title : {m_catalog.titleOf(word), word}) {
            if (version.isEmpty())
                version = versionNamedIn(package.description.value, title);
        }
        if (version.isEmpty() && hash.isEmpty())
            version = versionOfPin(m_catalog, voter.variant.family, said.value(u"nixpkgs"_s));
        if (version.isEmpty() && family && family->companion && hash.isEmpty())
            version = family->versionFor(versionOfPin(m_catalog, pytorch, said.value(u"nixpkgs"_s)));
        // A comment may be older than what it stands above.
        for (const QString &title : {m_catalog.titleOf(word), word}) {
            if (version.isEmpty())
                version = versionNamedIn(headOf(voter.text), title);
        }
        if (!version.isEmpty())
            said.insert(u"version"_s, version);
        said.insert(u"hash "_s + version, hash);
        if (torch)
            return;
        // The torch that it is built with, if the branch has no PyTorch recipes.
        const PackageFacts *with = facts.torch.package.get();
        QString torchVersion = overlay && overlay->version.known ? overlay->version.value : QString();
        const QString torchHash = overlay && overlay->src.hash.known ? overlay->src.hash.value : QString();
        if (torchVersion.isEmpty() && with && with->builtVersion().known)
            torchVersion = with->builtVersion().value;
        // A torch from elsewhere has a nixpkgs of its own.
        const bool isHere =
            facts.torch.kind == TorchSource::Kind::NotStated || facts.torch.kind == TorchSource::Kind::Built;
        if (torchVersion.isEmpty() && torchHash.isEmpty() && isHere)
            torchVersion = versionOfPin(m_catalog, pytorch, said.value(u"nixpkgs"_s));
        if (!torchVersion.isEmpty())
            said.insert(u"torch version"_s, torchVersion);
        said.insert(u"torch hash"_s, torchHash);
        if (const auto prefix = with ? prefixOf(with->pname, torchVariantOf(voter.variant)) : std::nullopt)
            said.insert(u"torch pname_prefix"_s, *prefix);
    }

    void sayDetails(Statements &said, const InferredValue &voter)
    {
        const RecipeFacts &facts = *voter.facts;
        const PackageFacts &package = facts.package;
        if (!voter.variant.cuda.isEmpty()) {
            for (const StatedText &text : {package.description, package.longDescription}) {
                if (const QString release = m_finder.releaseIn(text, voter.variant.cuda); !release.isEmpty())
                    said.insert(u"release"_s, release);
            }
            QStringList targets = package.gpuTargets.values();
            if (targets.isEmpty() && facts.torch.package)
                targets = facts.torch.package->gpuTargets.values();
            if (!targets.isEmpty())
                said.insert(
                    u"arch_notation"_s,
                    toString(targets.constFirst().startsWith("sm_"_L1) ? ArchNotation::Sm : ArchNotation::Automatic));
        }
        sayBlas(said, voter);
        said.insert(u"metadata_rev"_s,
                    package.metadataRevision.value.isEmpty() ? u"0"_s : package.metadataRevision.value);
        switch (facts.torch.kind) {
        case TorchSource::Kind::Built: said.insert(u"torch_source"_s, toString(TorchOrigin::InPlace)); break;
        case TorchSource::Kind::Sibling: said.insert(u"torch_source"_s, toString(TorchOrigin::Sibling)); break;
        case TorchSource::Kind::Fetched: {
            const TorchRepository from =
                TorchRepository::ofArchive(facts.torch.archive.value, facts.torch.revision.value);
            // Tags, and addresses that cannot be a repository's, are no settings.
            if (from.address.isEmpty() || !hasForm(from.address, torchAddressForm) ||
                !hasForm(from.revision, u"[0-9a-f]{40}"))
                break;
            said.insert(u"torch_source"_s, toString(TorchOrigin::Fetched));
            said.insert(u"torch_repository"_s, from.address);
            said.insert(u"torch_rev"_s, from.revision);
            if (hasForm(facts.torch.sha256.value, pattern::optionalTarballHash))
                said.insert(u"torch_sha256 "_s + from.revision, facts.torch.sha256.value);
            break;
        }
        case TorchSource::Kind::Published:
            said.insert(u"torch_source"_s, toString(TorchOrigin::Published));
            said.insert(u"torch_catalog"_s, facts.torch.file.section(u'.', 0, 0));
            break;
        default: break;
        }
    }

    /// Adds the BLAS library if another than the template's is possible; CPUs without MKL have the default.
    void sayBlas(Statements &said, const InferredValue &voter) const
    {
        const StatedText blas = voter.facts->blas();
        const auto chosen = std::ranges::find(voter.facts->overlays, OverlayFacts::Kind::Blas, &OverlayFacts::kind);
        const bool overlaid = chosen != voter.facts->overlays.end();
        for (const Blas each : {Blas::OpenBlas, Blas::Mkl}) {
            if (blas.value == toString(each) && (overlaid || each == Blas::Mkl))
                said.insert(u"blas"_s, toString(each));
        }
        if (m_catalog.blasOf(voter.variant, Blas::Mkl) == Blas::Mkl && !said.contains(u"blas"_s) && !overlaid)
            said.insert(u"blas"_s, {});
    }

    /// The value that most recipes of the profile state; recorded if `field` is a field of the settings file.
    QString take(const ProfileKey &key, const QString &vote, const QString &field)
    {
        const Votes votes = m_votes.value(key).value(vote);
        if (votes.names.isEmpty())
            return {};
        Evidence evidence{key, field, votes.winner(), 0, 0, {}};
        for (auto it = votes.names.cbegin(); it != votes.names.cend(); ++it) {
            evidence.of += int(it->size());
            if (it.key() == evidence.value)
                evidence.agree = int(it->size());
            else
                evidence.dissenters += *it;
        }
        if (!evidence.value.isEmpty() || !evidence.dissenters.isEmpty())
            m_inference.evidence.append(evidence);
        return evidence.value;
    }

    /// The Python behind python3Packages of a revision, according to the catalog's settings.
    [[nodiscard]] QString pythonOfPin(const QString &revision) const
    {
        for (const Settings &builtIn : m_catalog.builtIn) {
            for (const Profile &profile : builtIn.profiles) {
                if (profile.pin.revision == revision && !revision.isEmpty())
                    return profile.pin.python3;
            }
        }
        return {};
    }

    void makeProfiles()
    {
        QHash<QString, QString> python3OfPin; // by revision, of recipes that take packages from python3Packages
        QList<ProfileKey> unknown;
        for (auto it = m_cells.cbegin(); it != m_cells.cend(); ++it) {
            const ProfileKey &key = it.key();
            Profile profile;
            profile.cells = m_catalog.inGridOrder(*it);
            profile.pin.revision = take(key, u"nixpkgs"_s, u"nixpkgs"_s);
            profile.pin.sha256 = take(key, u"nixpkgs_sha256 "_s + profile.pin.revision, u"nixpkgs_sha256"_s);
            profile.version = take(key, u"version"_s, u"version"_s);
            profile.sourceHash = take(key, u"hash "_s + profile.version, u"hash"_s);
            if (key.isCuda()) {
                const Toolkit *toolkit = m_catalog.toolkit(key.build);
                profile.cudaAttribute = take(key, u"attribute"_s, u"attribute"_s);
                // A package set of another version is a mistake, however many recipes have it.
                if (const QString stated = toolkitOfSet(profile.cudaAttribute);
                    profile.cudaAttribute.isEmpty() || (!stated.isEmpty() && stated != key.build))
                    profile.cudaAttribute =
                        toolkit ? toolkit->attribute : "cudaPackages_"_L1 + QString(key.build).replace(u'.', u'_');
                profile.release = take(key, u"release"_s, u"release"_s);
                if (profile.release.isEmpty())
                    profile.release = key.build;
                if (take(key, u"arch_notation"_s, u"arch_notation"_s) == toString(ArchNotation::Sm))
                    profile.notation = ArchNotation::Sm;
            }
            profile.pnamePrefix = take(key, u"pname_prefix"_s, u"pname_prefix"_s);
            profile.metadataRev = take(key, u"metadata_rev"_s, u"metadata_rev"_s).toInt();
            const QString origin = take(key, u"torch_source"_s, u"torch_source"_s);
            for (const TorchOrigin each : {TorchOrigin::Sibling, TorchOrigin::Published, TorchOrigin::Fetched}) {
                if (toString(each) == origin)
                    profile.torchOrigin = each;
            }
            if (profile.torchOrigin == TorchOrigin::Published)
                profile.torchCatalog = take(key, u"torch_catalog"_s, u"torch_catalog"_s);
            if (profile.torchOrigin == TorchOrigin::Fetched) {
                profile.torchRepository.address = take(key, u"torch_repository"_s, u"torch_repository"_s);
                profile.torchRepository.revision = take(key, u"torch_rev"_s, u"torch_rev"_s);
                profile.torchRepository.sha256 =
                    take(key, u"torch_sha256 "_s + profile.torchRepository.revision, u"torch_sha256"_s);
            }
            const QString blas = take(key, u"blas"_s, u"blas"_s);
            for (const Blas each : {Blas::OpenBlas, Blas::Mkl}) {
                if (toString(each) == blas)
                    profile.blas = each;
            }
            // An upgraded torch is taken from the set that its overlay changed: python3Packages, if that has the same
            // Python.
            const QString set = take(key, u"python_set"_s, u"python_set"_s);
            const bool standard = set == "python3Packages"_L1;
            profile.pin.python3 =
                standard && !profile.pin.revision.isEmpty() ? key.python : pythonOfPin(profile.pin.revision);
            const bool upgraded = !m_votes.value(key).value(u"upgraded"_s).names.isEmpty() ||
                                  (!profile.sourceHash.isEmpty() && !profile.pin.revision.isEmpty() &&
                                   !m_inference.settings.profiles.value(torchKeyOf(key)).sourceHash.isEmpty());
            if (upgraded && !standard && profile.pin.python3 == key.python)
                profile.pin.python3.clear();
            if (standard && !upgraded)
                profile.pythonSet = set;
            if (!upgraded && !profile.pin.python3.isEmpty())
                python3OfPin.insert(profile.pin.revision, profile.pin.python3);
            else if (!upgraded)
                unknown.append(key);
            m_inference.settings.profiles.insert(key, profile);
        }
        // A revision has one python3, so that recipes for all toolkits have one pin and follow it together.
        for (const ProfileKey &key : std::as_const(unknown)) {
            NixpkgsPin &pin = m_inference.settings.profiles[key].pin;
            pin.python3 = python3OfPin.value(pin.revision);
        }
    }

    /// The profile of the torch that a companion's recipes are built with.
    [[nodiscard]] Profile torchOf(const ProfileKey &companion)
    {
        Profile profile = m_inference.settings.profiles.value(companion);
        profile.cells.clear();
        profile.templateName.clear();
        profile.version = m_votes.value(companion).value(u"torch version"_s).winner();
        profile.sourceHash = m_votes.value(companion).value(u"torch hash"_s).winner();
        profile.pnamePrefix = m_votes.value(companion).value(u"torch pname_prefix"_s).winner();
        return profile;
    }

    /// Adds PyTorch's profiles for companions without PyTorch recipes next to them.
    void addTorch()
    {
        QMap<ProfileKey, Profile> &profiles = m_inference.settings.profiles;
        for (const ProfileKey &key : profiles.keys()) {
            const Family *family = m_catalog.family(key.family);
            const ProfileKey torch = torchKeyOf(key);
            if (family && family->companion && !profiles.contains(torch))
                profiles.insert(torch, torchOf(key));
        }
    }

    /// A few cells of a profile that differ much from each other.
    [[nodiscard]] QList<const InferredValue *> samplesOf(const ProfileKey &key) const
    {
        QList<const InferredValue *> all;
        for (const InferredValue &voter : m_voters) {
            if (ProfileKey::of(voter.variant) == key && !voter.facts->error && !voter.text.isEmpty())
                all.append(&voter);
        }
        constexpr qsizetype most = 4;
        if (all.size() <= most)
            return all;
        QList<const InferredValue *> samples;
        for (qsizetype i = 0; i < most; ++i)
            samples.append(all.at(i * (all.size() - 1) / (most - 1)));
        return samples;
    }

    /// Distance of the rendered text from the recipe; 0: the same build.
    [[nodiscard]] int distance(const InferredValue &voter, const QByteArray &text) const
    {
        const RecipeSource rendered = m_files ? m_files->source(voter.variant.file(), text) : text;
        const auto meaning = m_recipes.meaning(voter.source);
        const auto other = m_recipes.meaning(rendered);
        if (samenessOf(voter.text, *meaning, text, *other) != Sameness::Different)
            return 0;
        const auto rowsOf = [](const RecipeFacts &facts) {
            QMap<QString, QString> rows;
            for (const Fact &fact : facts.rows())
                rows.insert(fact.id, fact.value);
            rows.remove(u"description"_s);
            return rows;
        };
        const QMap<QString, QString> a = rowsOf(*voter.facts);
        const QMap<QString, QString> b = rowsOf(*m_recipes.facts(rendered));
        int differing = 1;
        for (auto it = a.cbegin(); it != a.cend(); ++it)
            differing += b.value(it.key()) != *it;
        for (auto it = b.cbegin(); it != b.cend(); ++it)
            differing += !a.contains(it.key());
        return differing;
    }

    struct Trial {
        QString name;
        int distance = 0;
        int same = 0;
        bool renders = false;
    };

    /// The family's template whose renderings of the samples are nearest to the recipes.
    [[nodiscard]] Trial nearestTemplate(const ProfileKey &key, const QList<const InferredValue *> &samples) const
    {
        const QMap<ProfileKey, Profile> &profiles = m_inference.settings.profiles;
        QByteArray texts;
        QList<Variant> variants;
        for (const InferredValue *voter : samples) {
            texts += asBytes(voter->variant, digestOf(voter->source.key()));
            variants.append(voter->variant);
        }
        QStringList names = m_catalog.templatesOf(key.family);
        // Try the family's own template first: it wins a tie, and a near one rules out the others early.
        std::ranges::stable_partition(names, [own = ownTemplate(key)](const QString &name) { return name == own; });
        const ProfileKey torch = torchKeyOf(key);
        const QByteArray kept = m_recipes.kept(
            "nearest template " + asBytes(key.family, key.python, key.build, profiles.value(key), profiles.value(torch),
                                          m_inference.settings.flags, names, texts),
            [&] {
                Trial best;
                // With the profiles that the texts are made of, not those of a whole branch.
                Settings trial = m_inference.settings;
                trial.profiles = {{torch, trial.profileOf(torchVariantOf(variants.constFirst()))},
                                  {key, profiles.value(key)}};
                for (const QString &name : names) {
                    trial.profiles[key].templateName = name;
                    Trial here{name, 0, 0, true};
                    const auto mayBeBest = [&] { return !best.renders || here.distance < best.distance; };
                    for (qsizetype i = 0; here.renders && mayBeBest() && i < samples.size(); ++i) {
                        const Result<QByteArray> rendered = m_recipes.rendered(trial, {variants.at(i)}).constFirst();
                        here.renders = rendered.ok();
                        const int each = rendered ? distance(*samples.at(i), *rendered) : 0;
                        here.distance += each;
                        here.same += each == 0;
                    }
                    if (here.renders && mayBeBest())
                        best = here;
                }
                return asBytes(best.name, best.distance, best.same, best.renders);
            });
        Trial best;
        QDataStream in(kept);
        in >> best.name >> best.distance >> best.same >> best.renders;
        return best;
    }

    void findTemplates()
    {
        for (auto it = m_cells.cbegin(); it != m_cells.cend(); ++it) {
            const ProfileKey &key = it.key();
            const QList<const InferredValue *> samples = samplesOf(key);
            if (samples.isEmpty())
                continue;
            const Trial nearest = nearestTemplate(key, samples);
            if (2 * nearest.same <= samples.size() && learnTemplate(key))
                continue;
            if (!nearest.renders) {
                m_templateless.insert(key);
                continue;
            }
            if (nearest.name != ownTemplate(key))
                m_inference.settings.profiles[key].templateName = nearest.name;
            m_inference.evidence.append({key, u"template"_s, nearest.name, nearest.same, int(samples.size()), {}});
        }
        for (auto it = m_learned.cbegin(); it != m_learned.cend(); ++it)
            m_inference.settings.profiles[it.key()].templateName = learnedTemplate(it.key().family);
    }

    /// Learns a template from the recipes of a profile, if no template gives the build of most of them.
    bool learnTemplate(const ProfileKey &key)
    {
        if (!m_learner)
            m_learner.emplace(m_recipes, m_content, m_inference.settings);
        const Result<LearnedTemplate> learned = m_learner->learned(key, m_inference.settings);
        if (!learned) {
            m_whyNotLearned.insert(key, asSentence(learned.error().why));
            return false;
        }
        const LearnedTemplate &own = *learned;
        if (2 * own.same <= own.recipes) {
            m_whyNotLearned.insert(key, Tr::tr("What is learned from them builds %1 of %2 otherwise.")
                                            .arg(own.recipes - own.same)
                                            .arg(own.recipes));
            return false;
        }
        m_learned.insert(key, own.text);
        m_inference.evidence.append(
            {key, u"template"_s, learnedTemplate(key.family), own.same, own.recipes, {}, own.reference.name()});
        return true;
    }

    [[nodiscard]] QString ownTemplate(const ProfileKey &key) const
    {
        const Family *family = m_catalog.family(key.family);
        if (!family)
            return {};
        return key.isCuda()              ? family->gpuTemplate
               : key.build == "metal"_L1 ? family->metalTemplate
                                         : family->cpuTemplate;
    }

    /// Adds profiles for every family with every Python and build. A profile without recipes gets its neighbours'
    /// values, so that a settings file need not state them.
    void completeProfiles()
    {
        Settings &settings = m_inference.settings;
        QStringList families, pythons, builds{u"cpu"_s, u"metal"_s};
        for (const ProfileKey &key : settings.profiles.keys()) {
            families.append(key.family);
            pythons.append(key.python);
            builds.append(key.build);
        }
        for (QStringList *list : {&families, &pythons, &builds})
            list->removeDuplicates();
        const QMap<ProfileKey, Profile> known = settings.profiles;
        for (const QString &family : std::as_const(families)) {
            for (const QString &python : std::as_const(pythons)) {
                for (const QString &build : std::as_const(builds)) {
                    const ProfileKey key{family, python, build};
                    if (!known.contains(key))
                        settings.profiles.insert(key, likeOthers(known, key));
                }
            }
        }
        WrittenSettings form = written(settings, m_catalog);
        form.profiles.removeIf([this](const WrittenProfile &said) {
            return std::none_of(m_cells.keyBegin(), m_cells.keyEnd(),
                                [&said](const ProfileKey &key) { return said.where.matches(key); });
        });
        QMap<QString, QStringList> flags = std::move(settings.flags);
        settings = expanded(form, m_catalog, settings.branch, settings.source);
        settings.flags = std::move(flags);
        settings.learned = m_learned;
    }

    [[nodiscard]] Profile likeOthers(const QMap<ProfileKey, Profile> &known, const ProfileKey &key) const
    {
        Profile profile;
        int likeness = -1;
        for (auto it = known.cbegin(); it != known.cend(); ++it) {
            const int here = 4 * (it.key().family == key.family) + 2 * (it.key().isCuda() == key.isCuda()) +
                             (it.key().python == key.python);
            if (here > likeness && it.key().family == key.family) {
                likeness = here;
                profile = *it;
                if (it.key().isCuda() != key.isCuda() || (!key.isCuda() && it.key().build != key.build))
                    profile.templateName.clear();
            }
        }
        profile.cells.clear();
        if (key.isCuda()) {
            const Toolkit *toolkit = m_catalog.toolkit(key.build);
            profile.release = key.build;
            profile.cudaAttribute =
                toolkit ? toolkit->attribute : "cudaPackages_"_L1 + QString(key.build).replace(u'.', u'_');
        } else {
            profile.release.clear();
            profile.cudaAttribute.clear();
        }
        return profile;
    }

    /// Why no recipe of a family states its version, and the command that sets it.
    [[nodiscard]] QString whyNoVersion(const QString &id, const Family &family) const
    {
        QStringList revisions;
        QString set;
        for (const ProfileKey &key : m_cells.keys()) {
            const Profile profile = m_inference.settings.profiles.value(key);
            if (key.family != id || !profile.version.isEmpty() || profile.pin.revision.isEmpty() ||
                revisions.contains(profile.pin.revision))
                continue;
            revisions.append(profile.pin.revision);
            set = profile.pythonSet.isEmpty() ? key.python + "Packages"_L1 : profile.pythonSet;
        }
        if (revisions.isEmpty())
            return Tr::tr("No recipe sets it, and none fetches a nixpkgs.");
        return Tr::tr("No recipe sets it, and the catalog does not know which version nixpkgs %1 has; this "
                      "prints it: %2.")
            .arg(revisions.constFirst().first(10), versionCommand(revisions.constFirst(), set, family.attribute));
    }

    void findUnknowns()
    {
        QMap<QString, QStringList> builds; // by family
        QSet<QString> partly;
        for (const ProfileKey &key : m_cells.keys()) {
            if (!m_inference.settings.profiles.value(key).version.isEmpty())
                partly.insert(key.family);
            else if (!builds[key.family].contains(key.build))
                builds[key.family].append(key.build);
        }
        for (const auto &[family, without] : std::as_const(builds).asKeyValueRange()) {
            const Family *known = m_catalog.family(family);
            const QString title = m_catalog.titleOf(family);
            m_inference.unknowns.append({u"versions."_s + family,
                                         partly.contains(family)
                                             ? Tr::tr("the version of %1, %2").arg(title, without.join(u", "_s))
                                             : Tr::tr("the version of %1").arg(title),
                                         known ? whyNoVersion(family, *known) : QString()});
        }
        for (const ProfileKey &key : std::as_const(m_templateless)) {
            const Unknown unknown{key.isCuda()              ? u"gpu_templates"_s
                                  : key.build == "metal"_L1 ? u"metal_templates"_s
                                                            : u"cpu_templates"_s,
                                  Tr::tr("a template for recipes of %1, %2").arg(key.family, key.build),
                                  m_whyNotLearned.value(key)};
            if (!m_inference.unknowns.contains(unknown))
                m_inference.unknowns.append(unknown);
        }
    }

    void findHoles()
    {
        const auto has = [this](const ProfileKey &key, const GridCell &cell) {
            return m_cells.value(key).contains(cell);
        };
        const auto addHole = [this, &has](const ProfileKey &key, const GridCell &cell, const QString &why) {
            const Variant variant = key.variant(cell);
            if (!has(key, cell) && m_catalog.validity(variant).valid && !m_inference.holes.contains(variant.name()) &&
                !isLeftOutByTables(variant))
                m_inference.holes.insert(variant.name(), why);
        };
        const auto ofCuda = [this](const DeletedFile &deleted) {
            const auto name = VariantName::parse(packageOf(deleted.path), m_catalog.isaIds());
            return name && !name->variant.cuda.isEmpty();
        };
        const auto latest = std::ranges::find_if(m_content.deleted, ofCuda); // The newest commits come first.
        const QString lastOfCuda = latest == m_content.deleted.end() ? QString() : latest->commit;
        for (const DeletedFile &deleted : m_content.deleted) {
            const auto name = VariantName::parse(packageOf(deleted.path), m_catalog.isaIds());
            if (!name)
                continue;
            // If the branch moved from a Python or toolkit to another, nothing is missing.
            const ProfileKey key = ProfileKey::of(name->variant);
            const QList<ProfileKey> keys = m_cells.keys();
            const auto has = [&keys](const auto &same) { return std::ranges::any_of(keys, same); };
            const bool ofToolkit = has(&ProfileKey::isCuda)
                                       ? has([&key](const ProfileKey &other) { return other.build == key.build; })
                                       : deleted.commit == lastOfCuda;
            if (has([&key](const ProfileKey &other) { return other.python == key.python; }) &&
                (!key.isCuda() || ofToolkit) && hasColumnOf(*name))
                addHole(key, {name->variant.row, name->variant.isa, name->variant.rest}, reasonOf(deleted));
        }
        for (auto it = m_cells.cbegin(); it != m_cells.cend(); ++it) {
            // Variants that exist for all other toolkits, or for all other Pythons, and can exist here.
            for (const bool byToolkit : {true, false}) {
                QList<ProfileKey> others;
                for (auto other = m_cells.keyBegin(); other != m_cells.keyEnd(); ++other) {
                    const bool like = other->family == it.key().family && *other != it.key() &&
                                      (byToolkit ? other->python == it.key().python && other->isCuda()
                                                 : other->build == it.key().build);
                    if (like && (!byToolkit || it.key().isCuda()))
                        others.append(*other);
                }
                if (others.isEmpty())
                    continue;
                QSet<GridCell> theirs;
                for (const ProfileKey &other : std::as_const(others))
                    theirs.unite(m_cells.value(other));
                for (const GridCell &cell : std::as_const(theirs)) {
                    const bool all = std::ranges::all_of(others, [&](const ProfileKey &other) {
                        return has(other, cell) || !m_catalog.validity(other.variant(cell)).valid;
                    });
                    if (all)
                        addHole(it.key(), cell,
                                byToolkit ? Tr::tr("There is no recipe; the other toolkits have it.")
                                          : Tr::tr("There is no recipe; the other Pythons have it."));
                }
            }
            addHolesOfRows(it.key(), *it, addHole);
        }
    }

    /// Whether a table that recipes of its GPU import lists others of it, and not this one.
    [[nodiscard]] bool isLeftOutByTables(const Variant &variant) const
    {
        const auto like = std::ranges::find_if(m_voters, [&variant](const InferredValue &voter) {
            return voter.variant.family == variant.family && voter.variant.row == variant.row && voter.source.imports;
        });
        if (like == m_voters.cend() || !m_files)
            return false;
        QList<Variant> former;
        for (const InferredValue &voter : m_voters)
            former.append(voter.variant);
        return isLeftOut(m_catalog, *m_files, like->source.imports->paths, variant, former);
    }

    /// Whether recipes of the family have names like the variant's. A branch that gave its recipes instruction sets
    /// misses none without.
    [[nodiscard]] bool hasColumnOf(const VariantName &name) const
    {
        const Variant &variant = name.variant;
        if (name.suffix.isEmpty() && (!variant.isa.isEmpty() || !hasIsa(variant.row)))
            return true;
        return std::ranges::any_of(m_voters, [&variant](const InferredValue &voter) {
            return voter.variant.family == variant.family && voter.variant.column() == variant.column();
        });
    }

    static QString reasonOf(const DeletedFile &deleted)
    {
        // revertMessage(), undoSubject()
        static const QRegularExpression undo(u"^(Revert \".*|Reapply \".*|Undo [0-9a-f]{7,40})\\z"_s);
        if (undo.match(deleted.subject).hasMatch())
            return Tr::tr("There is no recipe: commit %1 of %2 undid it.")
                .arg(deleted.commit.left(7), deleted.when.date().toString(Qt::ISODate));
        constexpr qsizetype longest = 80; // the subject may contain any text
        QString subject = deleted.subject;
        for (QChar &c : subject) {
            if (c.category() == QChar::Other_Control || c.category() == QChar::Other_Format)
                c = u' ';
        }
        subject = subject.simplified();
        return Tr::tr("There is no recipe: commit %1 of %2 deleted it (\"%3\").")
            .arg(deleted.commit.left(10), deleted.when.date().toString(Qt::ISODate),
                 subject.size() > longest ? subject.left(longest - 1) + u'…' : subject);
    }

    /// Adds instruction sets that most other rows of the same platforms have.
    template <class AddHole>
    void addHolesOfRows(const ProfileKey &key, const QSet<GridCell> &cells, const AddHole &addHole) const
    {
        QMap<QString, QStringList> isas; // by row
        for (const GridCell &cell : cells) {
            if (!cell.isa.isEmpty() && cell.rest.isEmpty())
                isas[cell.row].append(cell.isa);
        }
        for (const QString &row : isas.keys()) {
            const GpuRow *own = m_catalog.row(row);
            QList<QStringList> beside;
            for (auto it = isas.cbegin(); it != isas.cend(); ++it) {
                const GpuRow *other = m_catalog.row(it.key());
                if (it.key() != row && own && other && own->platforms == other->platforms)
                    beside.append(*it);
            }
            // With few recipes nothing can be called usual.
            if (beside.size() < 2)
                continue;
            for (const QString &isa : m_catalog.isaIds()) {
                const auto count =
                    std::ranges::count_if(beside, [&isa](const QStringList &theirs) { return theirs.contains(isa); });
                if (4 * count > 3 * beside.size() && 2 * isas.value(row).size() > m_catalog.isas.size() / 2)
                    addHole(key, {row, isa},
                            Tr::tr("There is no recipe; the rows beside it have one with %1.").arg(isa));
            }
        }
    }

    const RecipeCache &m_recipes;
    const Catalog &m_catalog;
    const BranchContent &m_content;
    Finder m_finder;
    std::shared_ptr<const RecipeFiles> m_files;
    QList<InferredValue> m_voters;
    QMap<ProfileKey, QSet<GridCell>> m_cells;
    QMap<ProfileKey, QMap<QString, Votes>> m_votes;
    QSet<ProfileKey> m_templateless;
    std::optional<TemplateLearner> m_learner;
    QMap<ProfileKey, QString> m_learned; ///< texts of learned templates
    QMap<ProfileKey, QString> m_whyNotLearned;
    Inference m_inference;
};

} // namespace

Inference inferred(const RecipeCache &recipes, const BranchContent &content, WithTemplates templates)
{
    return Reader(recipes, content).infer(content.branch, templates);
}

QHash<QString, Dissent> dissentOf(const Inference &inference)
{
    const auto word = [](const QString &field) {
        if (field == "nixpkgs"_L1)
            return Tr::tr("nixpkgs revision");
        if (field == "nixpkgs_sha256"_L1)
            return Tr::tr("hash of the nixpkgs tarball");
        if (field == "hash"_L1)
            return Tr::tr("source hash");
        if (field == "attribute"_L1)
            return Tr::tr("CUDA package set");
        if (field == "python_set"_L1)
            return Tr::tr("Python package set");
        if (field == "pname_prefix"_L1)
            return Tr::tr("prefix of pname");
        if (field == "torch_source"_L1)
            return Tr::tr("source of torch");
        if (field == "torch_rev"_L1)
            return Tr::tr("commit of the PyTorch recipes");
        if (field == "blas"_L1)
            return Tr::tr("BLAS");
        return QString(field).replace(u'_', u' ');
    };
    QHash<QString, Dissent> dissent;
    for (const Evidence &evidence : inference.evidence) {
        for (const QString &package : evidence.dissenters) {
            Dissent &of = dissent[package];
            of.fields.append(evidence.field);
            of.sentences.append(
                Tr::tr("%1 of %n recipes of %2, %3, %4 have another %5 (%6).", nullptr, int(evidence.of))
                    .arg(evidence.agree)
                    .arg(evidence.key.family, evidence.key.python, evidence.key.build, word(evidence.field),
                         evidence.value.isEmpty() ? Tr::tr("none") : evidence.value.left(60)));
        }
    }
    return dissent;
}

QString summaryOf(const Inference &inference)
{
    const qsizetype differ = dissentOf(inference).size();
    const int recipes = int(inference.recipes);
    QStringList sentences{
        differ == 0 || recipes == 1
            ? Tr::tr("%n recipes were read.", nullptr, recipes)
            : Tr::tr("%n recipes were read, and %1 of them differ from the others.", nullptr, recipes).arg(differ)};
    QStringList unknowns;
    for (const Unknown &unknown : inference.unknowns)
        unknowns.append(u"%1 (%2)"_s.arg(unknown.what, unknown.key));
    if (!unknowns.isEmpty())
        sentences.append(Tr::tr("Unknown: %1.").arg(unknowns.join(", "_L1)));
    if (!inference.holes.isEmpty())
        sentences.append(Tr::tr("%n recipes may be missing.", nullptr, int(inference.holes.size())));
    return sentences.join(u' ');
}

bool agrees(const Settings &builtIn, const Inference &inference)
{
    qsizetype covered = 0;
    qsizetype there = 0;
    for (const Variant &variant : inference.settings.promised()) {
        ++there;
        covered += builtIn.covers(variant);
    }
    if (there == 0 || 4 * covered < 3 * there)
        return false;
    // A few recipes that agree are no proof of all the others.
    const QList<Variant> listed = builtIn.promised();
    if (2 * covered < listed.size())
        return false;
    // A branch that had other recipes was not made from these settings.
    const QStringList missing = inference.holes.keys();
    for (const QString &name : missing) {
        if (std::ranges::find(listed, name, &Variant::name) == listed.end())
            return false;
    }
    return std::ranges::all_of(inference.evidence, [&builtIn](const Evidence &evidence) {
        const auto profile = builtIn.profiles.constFind(evidence.key);
        if (profile == builtIn.profiles.cend())
            return true; // not covered
        const std::pair<QString, QString> values[] = {
            {u"nixpkgs"_s, profile->pin.revision},
            {u"version"_s, profile->version},
            {u"hash"_s, profile->sourceHash},
            {u"attribute"_s, profile->cudaAttribute},
            {u"pname_prefix"_s, profile->pnamePrefix},
            {u"blas"_s, profile->blas == Blas::Default ? QString() : toString(profile->blas)}};
        return std::ranges::all_of(values, [&evidence](const auto &value) {
            return evidence.field != value.first || 2 * evidence.agree <= evidence.of || evidence.value == value.second;
        });
    });
}

} // namespace tmx
