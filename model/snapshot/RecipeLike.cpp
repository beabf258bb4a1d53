// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/RecipeLike.h"

#include "model/audit/Fix.h"
#include "model/audit/Subject.h"
#include "model/base/Sentences.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/meaning/Meaning.h"
#include "model/snapshot/TrueWords.h"
#include "model/template/RecipeContext.h"
#include "model/template/TableEntry.h"

#include <QRegularExpression>
#include <QVersionNumber>

#include <algorithm>
#include <functional>
#include <tuple>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

Error refusal(const AuditInput &reference, const AuditInput &wanted, const QString &why)
{
    return {Tr::tr("make %1 from").arg(wanted.variant.name()), reference.file, why, {}};
}

/// "lib/gpu.nix:12": a place for people.
QString whereIs(const Spot &spot, const RecipeFacts &facts, const QString &recipe)
{
    const QString file = spot.file > 0 && spot.file <= facts.files.size() ? facts.files.at(spot.file - 1) : recipe;
    return u"%1:%2"_s.arg(shownPath(file)).arg(spot.line);
}

StatedText joined(const StatedList &list)
{
    return {list.values().join(u' '), list.items.isEmpty() ? list.spot : list.items.constFirst().spot, list.known};
}

StatedText variableOf(const PackageFacts &package, QStringView name)
{
    const VariableFact *found = package.variable(name);
    return found ? StatedText{found->value, found->spot, found->known} : StatedText();
}

/// All that a package states for GPUs or for CPUs in ways of its own: CUDA_COMPUTE_CAP=90, RUSTFLAGS.
StatedText ownWaysOf(const RecipeFacts &facts, Subject::Hardware hardware)
{
    const QList<NamedText> ways =
        Subject::ownWays(facts.compiled(), hardware) + Subject::waysInCommands(facts.compiled(), hardware);
    QStringList values;
    for (const NamedText &way : ways)
        values.append(way.name + u'=' + way.value); // Kokkos_ARCH_HOPPER90=ON
    return ways.isEmpty()
               ? StatedText()
               : StatedText{values.join(u' '), ways.constFirst().spot, std::ranges::all_of(ways, &NamedText::known)};
}

/// The package, or the torch inside it, that the family's name is about.
const PackageFacts *torchIn(const RecipeFacts &facts, const QVariantHash &context)
{
    return textAt(context, u"family.attribute") == "torch"_L1 ? &facts.compiled() : facts.torch.package.get();
}

/// Whether `number` is in the text, not as a part of a longer one.
bool namesNumber(const QString &text, const QString &number)
{
    const QRegularExpression whole(u"(?<![0-9.])%1(?![0-9])"_s.arg(QRegularExpression::escape(number)));
    return !number.isEmpty() && whole.match(text).hasMatch();
}

/// The nixpkgs revision that recipes fetch with this context.
QString revisionIn(const QVariantHash &context)
{
    return textAt(context, u"nixpkgs.rev");
}

/// The text with the new release of PyTorch in its comments, where its torch is another one than before.
QByteArray withTorchInComments(const QByteArray &text, const RecipeFacts &before, const RecipeFacts &after)
{
    const QString old = FamilyName::releaseOf(before.torch.file);
    const QString now = FamilyName::releaseOf(after.torch.file);
    if (old.isEmpty() || now.isEmpty() || old == now)
        return text;
    const QRegularExpression named(u"(?<=PyTorch )%1(?![0-9])"_s.arg(QRegularExpression::escape(old)));
    QByteArrayList lines = text.split('\n');
    for (QByteArray &line : lines) {
        if (line.trimmed().startsWith('#'))
            line = QString::fromUtf8(line).replace(named, now).toUtf8();
    }
    return lines.join('\n');
}

/// Compares what a new name promises with the facts of its recipe, one part of the name after the other.
class Promises
{
public:
    Promises(const QString &file, const RecipeFacts *before, const RecipeFacts &after, const QVariantHash &from,
             const QVariantHash &wanted, QStringList *unjudged)
        : m_file(file)
        , m_before(before)
        , m_after(after)
        , m_from(from)
        , m_wanted(wanted)
        , m_unjudged(unjudged)
    {
    }

    QString broken()
    {
        for (const ImportTrouble &trouble : m_after.importTroubles) {
            if (trouble.kind == ImportTrouble::Kind::Invalid && !trouble.mistake.isEmpty())
                return Tr::tr("%1:%2 is not valid Nix: %3")
                    .arg(shownPath(trouble.path))
                    .arg(trouble.mistakeLine)
                    .arg(trouble.mistake);
        }
        if (const EvaluationFailure *failure = m_after.failure(nix::Fold::Failure::NoEntry)) {
            const StatedText &entry = failure->stated;
            return Tr::tr("the table at %1 has no entry \"%2\"").arg(whereIs(entry.spot, m_after, m_file), entry.value);
        }
        if (m_before && !m_before->stopped && m_after.stopped)
            return Tr::tr("it is not understood from %1 on").arg(whereIs(m_after.stopped.spot, m_after, m_file));
        for (const auto &part :
             {&Promises::targets, &Promises::flags, &Promises::platforms, &Promises::toolkit, &Promises::python,
              &Promises::version, &Promises::torch, &Promises::pname, &Promises::switches}) {
            (this->*part)();
            if (!m_broken.isEmpty())
                return m_broken;
        }
        return {};
    }

private:
    using Reader = std::function<StatedText(const RecipeFacts &)>;
    /// How much the promised value may be written otherwise than expected.
    enum class Form { Expected, Own };

    [[nodiscard]] bool differs(QStringView path) const
    {
        return !textAt(m_wanted, path).isEmpty() && textAt(m_from, path) != textAt(m_wanted, path);
    }

    /// Whether a place that states a part of the name follows it, or does not state it; sets m_broken.
    bool follows(const QString &label, const Reader &reader, const std::function<bool(const QString &)> &keeps,
                 Form form, bool &seen)
    {
        const StatedText before = m_before ? reader(*m_before) : StatedText();
        const StatedText after = reader(m_after);
        if (!after)
            return true;
        seen = true;
        const QString where = whereIs(after.spot, m_after, m_file);
        if (form == Form::Own && before && before.value != after.value)
            return true;
        if (!after.known && isUnjudged(label, before, after))
            return true;
        if (!after.known)
            m_broken = Tr::tr("%1 cannot be read at %2").arg(label, where);
        else if (keeps(after.value))
            return true;
        else if (before && before.value == after.value)
            m_broken = Tr::tr("%1 should follow the name, but \"%2\" is written at %3").arg(label, after.value, where);
        else
            m_broken = Tr::tr("%1 is \"%2\", by %3").arg(label, after.value, where);
        return false;
    }

    /// Whether nobody can see it in the other recipe either, where it is not the same, as far as it is read.
    bool isUnjudged(const QString &label, const StatedText &before, const StatedText &after)
    {
        const bool isBehind = !after.value.isEmpty() && before.value == after.value;
        if (!m_unjudged || !before || before.known || isBehind)
            return false;
        tellUnjudged(label, after.spot);
        return true;
    }
    void tellUnjudged(const QString &label, const Spot &spot)
    {
        const QString clause = Tr::tr("%1 cannot be read from %2 on").arg(label, whereIs(spot, m_after, m_file));
        if (!m_unjudged->contains(clause))
            m_unjudged->append(clause);
    }

    /// Checks all places that state a part of the name. Where recipes before this one stated none either, and it was
    /// not made for another name, nothing shows that the part is missing. `own`: the ways of the package's own, which
    /// count if it is stated nowhere else.
    void check(const QString &label, const QList<Reader> &readers, const std::function<bool(const QString &)> &keeps,
               Form form = Form::Expected, const Reader &own = {})
    {
        bool seen = false;
        for (const Reader &reader : readers) {
            if (!follows(label, reader, keeps, form, seen))
                return;
        }
        if (!seen && own && m_before && !follows(label, own, keeps, Form::Own, seen))
            return;
        if (seen || !m_before)
            return;
        const Spot &stopped = m_after.stopped ? m_after.stopped.spot : m_after.package.unread.attributes.spot;
        if (m_unjudged && stopped && (m_before->stopped || m_before->package.unread.attributes.spot))
            return tellUnjudged(label, stopped);
        m_broken = stopped ? Tr::tr("it is not understood from %1 on").arg(whereIs(stopped, m_after, m_file))
                           : Tr::tr("nothing in it states %1").arg(label);
    }

    void targets()
    {
        const QString capability = textAt(m_wanted, u"gpu.capability");
        if (!differs(u"gpu.id") || (capability.isEmpty() && textAt(m_from, u"gpu.capability").isEmpty()))
            return;
        QList<Reader> readers;
        const auto addPackage = [&readers](const std::function<const PackageFacts *(const RecipeFacts &)> &packageOf) {
            const auto add = [&](StatedText (*read)(const PackageFacts &)) {
                readers.append([packageOf, read](const RecipeFacts &facts) {
                    const PackageFacts *package = packageOf(facts);
                    return package ? read(*package) : StatedText();
                });
            };
            add([](const PackageFacts &package) { return joined(package.gpuTargets); });
            add([](const PackageFacts &package) {
                return definitionOf(package.cmakeFlags, u"CMAKE_CUDA_ARCHITECTURES");
            });
            add([](const PackageFacts &package) { return variableOf(package, u"TORCH_CUDA_ARCH_LIST"); });
        };
        addPackage([](const RecipeFacts &facts) { return &facts.compiled(); });
        addPackage([](const RecipeFacts &facts) { return facts.torch.package.get(); });
        readers.append([](const RecipeFacts &facts) {
            return facts.pins.isEmpty() ? StatedText() : joined(facts.pins.constFirst().cudaCapabilities);
        });
        const QString label = Tr::tr("GPU targets");
        const Reader own = [](const RecipeFacts &facts) { return ownWaysOf(facts, Subject::Hardware::Gpu); };
        if (!capability.isEmpty())
            return check(
                label, readers,
                [&](const QString &value) {
                    return namesNumber(value, capability) || namesNumber(value, textAt(m_wanted, u"gpu.number"));
                },
                Form::Expected, own);
        // For all GPUs, none need be stated, but not the one of the other recipe.
        bool seen = false;
        for (const Reader &reader : readers + QList<Reader>{own}) {
            if (m_before && reader(*m_before) &&
                !follows(label, reader, [](const QString &) { return false; }, Form::Own, seen))
                return;
        }
    }

    void flags()
    {
        if (!m_before || !differs(u"isa.id") || textAt(m_wanted, u"isa.id").isEmpty())
            return;
        const auto isWhole = [this](const QString &value) {
            const QStringList stated = value.split(u' ');
            const QVariantList rows = m_wanted.value(u"isa"_s).toHash().value(u"flags"_s).toList();
            return std::ranges::all_of(rows, [&stated](const QVariant &row) {
                return stated.contains(row.toHash().value(u"text"_s).toString());
            });
        };
        const QList<Reader> readers{[](const RecipeFacts &facts) { return joined(facts.compiled().cxxFlags); },
                                    [](const RecipeFacts &facts) {
                                        return facts.torch.package ? joined(facts.torch.package->cxxFlags)
                                                                   : StatedText();
                                    }};
        const Reader own = [](const RecipeFacts &facts) { return ownWaysOf(facts, Subject::Hardware::Cpu); };
        const auto isStated = [](const QList<Reader> &all, const RecipeFacts &facts) {
            return std::ranges::any_of(all, [&facts](const Reader &reader) { return bool(reader(facts)); });
        };
        // A torch of elsewhere may be all that has them: then it is the one of the new instruction set.
        if (!isStated(readers + QList<Reader>{own}, *m_before) && isOfIsa(*m_before, m_from) &&
            isOfIsa(m_after, m_wanted))
            return;
        check(Tr::tr("CPU flags"), readers, isWhole, Form::Own, own);
    }

    /// Whether the torch is another recipe or a published package, whose name says the instruction set.
    static bool isOfIsa(const RecipeFacts &facts, const QVariantHash &context)
    {
        QString file = facts.torch.file;
        file = file.endsWith(".nix"_L1) ? file.chopped(4) : file;
        return !facts.torch.package && file.endsWith(u'-' + textAt(context, u"isa.id"));
    }

    void platforms()
    {
        const StatedText stated = joined(m_after.package.platforms);
        if (stated && stated.known && differs(u"isa.platform"))
            check(
                Tr::tr("the list of platforms"),
                {[](const RecipeFacts &facts) { return joined(facts.package.platforms); }},
                [this](const QString &value) { return value.split(u' ').contains(textAt(m_wanted, u"isa.platform")); });
    }

    void toolkit()
    {
        if (!differs(u"cuda.version"))
            return;
        check(Tr::tr("the CUDA package set"), {[](const RecipeFacts &facts) { return facts.toolkit(); }},
              [this](const QString &value) {
                  const QString version = value.section(u'_', 1).replace(u'_', u'.');
                  // "cudaPackages_13" is one of several.
                  const bool major =
                      version == textAt(m_wanted, u"cuda.major") && version != textAt(m_from, u"cuda.major");
                  return value == textAt(m_wanted, u"cuda.attribute") || version == textAt(m_wanted, u"cuda.version") ||
                         major;
              });
    }

    void python()
    {
        if (!differs(u"python.version"))
            return;
        check(Tr::tr("the Python package set"), {[](const RecipeFacts &facts) { return facts.package.packageSet; }},
              [this](const QString &value) {
                  const QString own = "python"_L1 + textAt(m_wanted, u"python.number");
                  const QString ofPin = textAt(m_wanted, u"python.of_pin");
                  if (value == "python3Packages"_L1)
                      return ofPin == own || (ofPin.isEmpty() && !m_before);
                  return value == own + "Packages"_L1 || value == own || value == own + ".pkgs"_L1;
              });
    }

    /// The version in the name: of the package or its source, whose hash must follow.
    void version()
    {
        if (!differs(u"family.release"))
            return;
        const auto revisionOf = [](const RecipeFacts &facts) { return facts.package.src.revision; };
        check(Tr::tr("the version"), {[](const RecipeFacts &facts) { return facts.package.version; }, revisionOf},
              [this](const QString &value) { return namesNumber(value, textAt(m_wanted, u"family.release")); });
        const StatedText hash = m_after.package.src.hash;
        if (m_broken.isEmpty() && m_before && hash && m_before->package.src.hash.value == hash.value &&
            revisionOf(*m_before).value != revisionOf(m_after).value)
            m_broken = Tr::tr("the hash of the source is that of another version, by %1")
                           .arg(whereIs(hash.spot, m_after, m_file));
    }

    /// The PyTorch in the name.
    void torch()
    {
        if (differs(u"family.paired"))
            check(Tr::tr("PyTorch"),
                  {[](const RecipeFacts &facts) {
                       if (facts.torch.package)
                           return StatedText(); // the next one reads it
                       const QString release = FamilyName::releaseOf(facts.torch.file);
                       return StatedText{release, facts.torch.spot, !release.isEmpty()};
                   },
                   [](const RecipeFacts &facts) {
                       return facts.torch.package ? facts.torch.package->version : StatedText();
                   }},
                  [this](const QString &value) { return namesNumber(value, textAt(m_wanted, u"family.paired")); });
    }

    /// Where the name of the package is that of the recipe, it follows.
    void pname()
    {
        if (m_before && m_before->package.pname.value == textAt(m_from, u"pname") && differs(u"pname"))
            check(u"pname"_s, {[](const RecipeFacts &facts) { return facts.package.pname; }},
                  [this](const QString &value) { return value == textAt(m_wanted, u"pname"); });
    }

    /// What some GPUs and instruction sets need switched off.
    void switches()
    {
        const PackageFacts *built = m_before ? torchIn(m_after, m_wanted) : nullptr;
        const PackageFacts *old = m_before ? torchIn(*m_before, m_wanted) : nullptr;
        if (!built)
            return;
        for (const auto &[path, name] :
             {std::pair(u"gpu.lacks_cudnn"_s, u"USE_CUDNN"_s), {u"isa.lacks_avx2"_s, u"USE_FBGEMM"_s}}) {
            if (!differs(path))
                continue;
            const bool isOff = variableOf(*built, name).value == "0"_L1;
            // Those that never switch it off leave that to nixpkgs.
            const bool wasOff = old && variableOf(*old, name).value == "0"_L1;
            const bool isNeeded = textAt(m_wanted, path) == "true"_L1;
            if (isOff && wasOff && !isNeeded)
                m_broken =
                    Tr::tr("%1=0 at %2 is not for %3")
                        .arg(name, whereIs(variableOf(*built, name).spot, m_after, m_file), textAt(m_wanted, u"name"));
            else if (path == "gpu.lacks_cudnn"_L1 && !isOff && isNeeded)
                m_broken = Tr::tr("torch at %1 has no %2=0, which %3 needs")
                               .arg(whereIs(built->attributesSpot, m_after, m_file), name, textAt(m_wanted, u"gpu.id"));
        }
    }

    const QString &m_file;
    const RecipeFacts *m_before;
    const RecipeFacts &m_after;
    const QVariantHash &m_from;
    const QVariantHash &m_wanted;
    QStringList *m_unjudged;
    QString m_broken;
};

} // namespace

QString brokenPromise(const QString &file, const RecipeFacts *before, const RecipeFacts &after,
                      const QVariantHash &from, const QVariantHash &wanted, QStringList *unjudged)
{
    return Promises(file, before, after, from, wanted, unjudged).broken();
}

/// Whether what the recipe imports has an error, behind which less can be read.
static bool hasImportedError(const QList<Finding> &findings)
{
    return std::ranges::any_of(findings, [](const Finding &finding) {
        return finding.severity == Severity::Error && !finding.file.isEmpty();
    });
}

/// What another Python than nixpkgs' own needs, and a recipe for that one does not have.
static bool isAddedAfterwards(const Finding &finding)
{
    return finding.rule == "wheel-other"_L1 && finding.fixable && finding.file.isEmpty();
}

QByteArray completed(AuditInput made, Severity least)
{
    constexpr int most = 8;
    QStringList tried;
    for (int i = 0; i < most; ++i) {
        const QList<Finding> findings = audit(made).findings;
        const auto found = std::ranges::find_if(findings, [&](const Finding &finding) {
            return isAddedAfterwards(finding) || (finding.severity >= least && finding.fixable &&
                                                  finding.file.isEmpty() && !tried.contains(finding.rule));
        });
        const Result<QByteArray> fixed = found == findings.cend() ? made.text : fixedText(made, *found);
        if (!fixed || *fixed == made.text)
            break;
        tried.append(found->rule);
        made.text = *fixed;
        made.facts.reset();
    }
    return made.text;
}

Result<Exchanged> recipeLike(const AuditInput &reference, const AuditInput &wanted, QStringList *unjudged)
{
    const Catalog &catalog = *reference.catalog;
    // A version that the settings do not have is built as the reference's.
    Settings settings;
    const bool isNewVersion = wanted.variant.family != reference.variant.family &&
                              !wanted.settings->profiles.contains(ProfileKey::of(wanted.variant));
    if (isNewVersion) {
        settings = *wanted.settings;
        Profile profile = settings.profileOf(reference.variant);
        profile.version = FamilyName::of(wanted.variant.family).release({}) + ".0"_L1; // its first one
        profile.pnamePrefix.clear();
        settings.profiles.insert(ProfileKey::of(wanted.variant), profile);
    }
    const Settings &target = isNewVersion ? settings : *wanted.settings;
    TM_TRY(from, recipeContext(catalog, *reference.settings, reference.variant));
    TM_TRY(to, recipeContext(catalog, target, wanted.variant));
    const RecipeSource before = sourceOf(reference);
    if (before.imports)
        takeImported(*from, *to, reference.text, readFacts(before));
    TM_TRY(result, exchanged(reference.text, catalog, *from, *to));

    AuditInput made = wanted;
    made.settings = &target;
    made.text = result->text;
    made.facts = nullptr;
    if (before.imports) {
        TM_TRY(files, withTableEntries(catalog, made.files, made.file, made.text));
        made.files = withPinEntry(catalog, *files, made.file, made.text, made.variant.cuda, revisionIn(*to));
    }
    const RecipeFacts stated = readFacts(before);
    const RecipeFacts now = readFacts(sourceOf(made));
    const QList<Finding> former = audit(reference).findings;
    QStringList unknown;
    if (const QString broken =
            brokenPromise(made.file, &stated, now, *from, *to, hasImportedError(former) ? &unknown : nullptr);
        !broken.isEmpty())
        return refusal(reference, wanted, broken);
    if (unjudged)
        *unjudged = unknown;
    for (const QString &clause : std::as_const(unknown))
        result->remarks.append(asSentence(clause));
    made.text = result->text = withTorchInComments(result->text, stated, now);
    QList<Finding> findings = audit(made).findings;
    findings.removeIf(isAddedAfterwards);
    if (isNewVersion) // which of its releases it builds is not known
        findings.removeIf([](const Finding &finding) { return finding.rule == "version-other"_L1; });
    if (const Finding *error = newError(former, findings))
        return refusal(reference, wanted,
                       error->file.isEmpty() && error->line > 0
                           ? Tr::tr("line %1: %2").arg(error->line).arg(error->sentence.chopped(1))
                           : placedSentence(*error).chopped(1));

    const Result<Exchanged> back = exchanged(result->text, catalog, *to, *from);
    // Its flags may be fewer or more than the catalog's, which the exchanged text has.
    const auto plain = [&](const QByteArray &text) {
        return textAt(*from, u"isa.id") == textAt(*to, u"isa.id") ? text : withFlagsOf(text, catalog, *from);
    };
    const QByteArray expected = plain(reference.text);
    const Meaning meaning = readMeaning(expected);
    if (!meaning.isKnown()) {
        result->remarks.append(Tr::tr("%1 has no normal form (%2), so only its facts were compared.")
                                   .arg(reference.file, meaning.problem));
        result->text = completed(made);
        return result;
    }
    if (!back)
        return refusal(reference, wanted,
                       Tr::tr("it is unclear whether only the named facts change (%1)").arg(back.error().why));
    const QByteArray restored = plain(back->text);
    if (samenessOf(expected, meaning, restored, readMeaning(restored)) != Sameness::Different) {
        result->text = completed(made);
        return result;
    }
    const auto [there, here] = std::ranges::mismatch(expected, restored);
    return refusal(reference, wanted,
                   Tr::tr("line %1: more than the named facts would change")
                       .arg(lineAt(expected, quint32(there - expected.begin()))));
}

static QString whyNoModel(const Catalog &catalog, const BranchSnapshot &snapshot, const Variant &variant);

/// Whether the branch has it beside `variant`, and it is of the family with that word, whatever its version.
static bool isBeside(const VariantEntry &entry, const Variant &variant, const QString &word)
{
    const QString &family = entry.variant.family;
    return entry.present && entry.variant != variant && family.startsWith(word) &&
           (family.size() == word.size() || !family.at(word.size()).isLetter());
}

/// Why nothing says what the further words of a name, its rest, change in a recipe. Empty if something does.
static QString whyNotWord(const BranchSnapshot &snapshot, const Variant &variant, const QString &word)
{
    const VariantEntry *other = nullptr;
    for (const VariantEntry &entry : snapshot.entries) {
        if (!isBeside(entry, variant, word))
            continue;
        if (entry.variant.rest == variant.rest)
            return {};
        other = &entry;
    }
    if (!other)
        return {};
    return variant.rest.isEmpty()
               ? Tr::tr("all other recipes of %1 have more in their name, as %2 has").arg(word, other->variant.name())
               : Tr::tr("no other recipe of %1 has %2 in its name, so nothing says what that changes")
                     .arg(word, variant.rest);
}

QList<Finding> standingErrors(const BranchSnapshot &snapshot, const Variant &variant)
{
    static const QStringList hiding{u"import-invalid"_s, u"import-untracked"_s, u"import-missing"_s, u"import-cycle"_s};
    QList<Finding> standing;
    bool isFirst = true;
    for (const VariantEntry &entry : snapshot.entries) {
        if (!entry.present || entry.variant == variant || entry.variant.family != variant.family || !entry.imports ||
            entry.variant.cuda.isEmpty() != variant.cuda.isEmpty())
            continue;
        const auto lacks = [&](const Finding &error) {
            return entry.imports->paths.contains(error.file) &&
                   std::ranges::none_of(entry.findings, [&](const Finding &own) { return isSamePlace(own, error); });
        };
        if (isFirst) {
            standing = entry.findings;
            standing.removeIf([](const Finding &finding) {
                return finding.severity != Severity::Error || finding.file.isEmpty() || hiding.contains(finding.rule);
            });
        }
        isFirst = false;
        standing.removeIf(lacks);
        if (standing.isEmpty())
            break;
    }
    return standing;
}

QString whyNotAlone(const Catalog &catalog, const BranchSnapshot &snapshot, const Variant &variant,
                    const QByteArray &text)
{
    if (text.isEmpty())
        return {};
    const QString word = FamilyName::of(variant.family).word;
    if (const QString why = whyNotWord(snapshot, variant, word); !why.isEmpty())
        return why;
    if (!pathsNamedIn(snapshot.fileFor(variant), text).isEmpty())
        return {};
    int more = 0;
    int moreOfKind = 0; // GPU recipes may import their builder, while CPU recipes do not
    bool hasKind = false;
    for (const VariantEntry &entry : snapshot.entries) {
        if (!isBeside(entry, variant, word))
            continue;
        const int step = entry.imports ? 1 : -1;
        const bool isOfKind = entry.variant.cuda.isEmpty() == variant.cuda.isEmpty();
        hasKind = hasKind || isOfKind;
        moreOfKind += isOfKind ? step : 0;
        more += step;
    }
    return (hasKind ? moreOfKind : more) <= 0 ? QString()
                                              : Tr::tr("the other recipes of %1 import files of the repository, and %2")
                                                    .arg(word, whyNoModel(catalog, snapshot, variant));
}

namespace {

/// The first target for one GPU or family only, "9.0a", that a recipe states.
StatedText specificTarget(const RecipeFacts &facts)
{
    static const QRegularExpression specific(u"\\b\\d{1,2}\\.\\d[af]\\b"_s);
    QList<StatedText> targets = facts.package.gpuTargets.items + facts.compiled().gpuTargets.items;
    for (const PinFacts &pin : facts.pins)
        targets += pin.cudaCapabilities.items;
    for (const PackageFacts *package : {&facts.package, &facts.compiled()}) {
        if (const VariableFact *variable = package->variable(u"TORCH_CUDA_ARCH_LIST"))
            targets.append({variable->value, variable->spot, variable->known});
    }
    const auto found =
        std::ranges::find_if(targets, [](const StatedText &target) { return specific.match(target.value).hasMatch(); });
    return found == targets.cend() ? StatedText() : *found;
}

/// Why a recipe is not for its row as the others are: theirs are built for code of that GPU alone. Empty if it is.
QString whyNotSpecific(const RecipeCache &recipes, const BranchSnapshot &snapshot, const Variant &variant,
                       const RecipeFacts &made)
{
    if (specificTarget(made))
        return {};
    for (const VariantEntry &entry : snapshot.entries) {
        if (!entry.present || entry.text.isEmpty() || entry.variant.family != variant.family ||
            entry.variant.row != variant.row || entry.variant == variant)
            continue;
        if (const StatedText target = specificTarget(*recipes.facts(entry.source())))
            return Tr::tr("%1 is built for %2, and this text is not").arg(entry.variant.name(), target.value);
    }
    return {};
}

/// Why the files that a recipe imports do not pin it to the revision of the settings. Empty if they do, or if nothing
/// can be read.
QString whyNotPinned(const QString &file, const RecipeFacts &made, const QString &revision)
{
    constexpr int shown = 12;
    for (const PinFacts &pin : made.pins) {
        if (!revision.isEmpty() && pin.revision.known && pin.revision.spot.file > 0 && pin.revision.value != revision)
            return Tr::tr("it is pinned to nixpkgs %1, by %2, but the branch settings say %3")
                .arg(pin.revision.value.left(shown), whereIs(pin.revision.spot, made, file), revision.left(shown));
    }
    return {};
}

/// That a table of nixpkgs revisions by toolkit has none for the first recipe of a toolkit, which is built from what
/// others have; a sentence. Empty if there is none.
QString withoutOwnPin(const Catalog &catalog, const BranchSnapshot &snapshot,
                      const std::shared_ptr<const RecipeFiles> &files, const Variant &variant, const QByteArray &text)
{
    constexpr qsizetype digits = 40;
    const ProfileKey key = ProfileKey::of(variant);
    if (!key.isCuda() || std::ranges::any_of(snapshot.entries, [&key](const VariantEntry &entry) {
            return entry.present && ProfileKey::of(entry.variant) == key;
        }))
        return {};
    QString table;
    withPinEntry(catalog, files, snapshot.fileFor(variant), text, variant.cuda, QString(digits, u'0'), nullptr, &table);
    return table.isEmpty()
               ? QString()
               : joinedSentences(
                     {Tr::tr("%1 has nixpkgs revisions by toolkit, and none for CUDA %2, so its recipes are "
                             "built from that of others.")
                          .arg(table, variant.cuda),
                      forSurface(Tr::tr("\"settings set cuda.%1.nixpkgs\" sets one.").arg(variant.cuda),
                                 Tr::tr("Set one in Settings."))});
}

} // namespace

/// The recipe from which a new one must differ where its name does: one of another profile if it is the first of its
/// own; one of its own if it is the first of its row or of its instruction set there. nullptr: none. What is built over
/// another recipe of its row and instruction set may take them from there. `always`: also if it is none of the first.
static const VariantEntry *modelOfNew(const Catalog &catalog, const BranchSnapshot &snapshot, const Variant &variant,
                                      const QByteArray &text, bool always)
{
    const ProfileKey key = ProfileKey::of(variant);
    const QString file = snapshot.fileFor(variant);
    const bool isOver = std::ranges::any_of(pathsNamedIn(file, text), [&](const QString &path) {
        const auto named = path == file ? std::nullopt : VariantName::parse(packageOf(path), catalog.isaIds());
        return named && named->variant.row == variant.row && named->variant.isa == variant.isa;
    });
    bool hasRow = false;
    bool hasIsa = false;
    const VariantEntry *model = nullptr;
    std::tuple<bool, int, bool, bool> nearest;
    for (const VariantEntry &entry : snapshot.entries) {
        const Variant &other = entry.variant;
        const ProfileKey itsKey = ProfileKey::of(other);
        if (!entry.present || entry.text.isEmpty() || other == variant || itsKey.family != key.family ||
            itsKey.isCuda() != key.isCuda())
            continue;
        const bool isOfKey = itsKey == key;
        hasRow = hasRow || (isOfKey && (isOver || other.row == variant.row));
        hasIsa = hasIsa || (isOfKey && (isOver || other.isa == variant.isa));
        const std::tuple<bool, int, bool, bool> nearness{
            isOfKey, (other.row == variant.row) + (other.isa == variant.isa), other.rest == variant.rest,
            other.python == variant.python}; // A toolkit is stated plainly, while "python3Packages" is any.
        if (!model || nearness > nearest) {
            model = &entry;
            nearest = nearness;
        }
    }
    return hasRow && hasIsa && !always ? nullptr : model;
}

QList<Variant> variantsThere(const BranchSnapshot &snapshot)
{
    QList<Variant> there;
    for (const VariantEntry &entry : snapshot.entries) {
        if (entry.present && entry.fileStatus != FileStatus::Deleted)
            there.append(entry.variant);
    }
    return there;
}

Result<std::shared_ptr<const RecipeFiles>> filesOfNew(const RecipeCache &recipes, const BranchSnapshot &snapshot,
                                                      const std::shared_ptr<const RecipeFiles> &files,
                                                      const Variant &variant, const QByteArray &text,
                                                      QMap<QString, QByteArray> *changed, const QList<Variant> &created,
                                                      QStringList *unlisted)
{
    const Catalog &catalog = *recipes.catalog();
    const QString file = snapshot.fileFor(variant);
    const VariantEntry *own = snapshot.find(variant.name());
    const bool restored = own && !own->restoredFrom.isEmpty() && own->rendered == text; // It was that recipe before.
    if (const QString why = restored ? QString() : whyNotAlone(catalog, snapshot, variant, text); !why.isEmpty())
        return Error{Tr::tr("generate"), variant.name(), why, Tr::tr("Write it by hand.")};
    const QList<Variant> former = variantsThere(snapshot);
    TM_TRY(complete, withTableEntries(catalog, files, file, text, changed, former + created + QList<Variant>{variant}));
    QList<ListOfRow> lists;
    std::shared_ptr<const RecipeFiles> with =
        withListedVariant(catalog, *complete, file, text, variant, former, changed, &lists, created);
    for (const ListOfRow &list : unlisted ? lists : QList<ListOfRow>())
        unlisted->append(Tr::tr("%1:%2 lists no %3 for %4, and is not changed.")
                             .arg(shownPath(list.file))
                             .arg(list.line)
                             .arg(list.value, list.row));
    if (restored)
        return with;
    const Result<QVariantHash> wanted = recipeContext(catalog, snapshot.settings, variant);
    if (!wanted)
        return with;
    with = withPinEntry(catalog, with, file, text, variant.cuda, revisionIn(*wanted), changed);
    if (const QString lacking = unlisted ? withoutOwnPin(catalog, snapshot, with, variant, text) : QString();
        !lacking.isEmpty())
        unlisted->append(lacking);
    // Behind errors that all have, only another recipe shows what cannot be read.
    const bool isLenient = !standingErrors(snapshot, variant).isEmpty();
    const VariantEntry *model = modelOfNew(catalog, snapshot, variant, text, isLenient);
    const Result<QVariantHash> from =
        model ? recipeContext(catalog, snapshot.settings, model->variant) : Result<QVariantHash>(QVariantHash());
    const auto sourceIn = [](const std::shared_ptr<const RecipeFiles> &all, const QString &path, const QByteArray &of) {
        return all ? all->source(path, of) : RecipeSource(of);
    };
    const auto made = recipes.facts(sourceIn(with, file, text));
    // What a template of the user makes need not be understood.
    const bool isOthers = made->stopped && !isLearned(snapshot.settings.profileOf(variant).templateName);
    const auto before = model && from && !isOthers ? recipes.facts(sourceIn(files, model->file, model->text)) : nullptr;
    QStringList unjudged;
    QString broken = brokenPromise(file, before.get(), *made, from ? *from : QVariantHash(), *wanted,
                                   isLenient ? &unjudged : nullptr);
    if (broken.isEmpty())
        broken = whyNotPinned(file, *made, revisionIn(*wanted));
    if (broken.isEmpty())
        broken = whyNotSpecific(recipes, snapshot, variant, *made);
    if (broken.isEmpty())
        return with;
    return Error{Tr::tr("generate"), variant.name(), broken, Tr::tr("Change that first, or write the recipe by hand.")};
}

/// Whether they differ in the version of the package alone, in the toolkit alone, or in the Python alone.
static bool isSameCell(const Variant &a, const Variant &b)
{
    Variant other = a;
    other.family = b.family;
    const bool isVersion =
        a.family != b.family && other == b && FamilyName::of(a.family).word == FamilyName::of(b.family).word;
    other = a;
    other.cuda = b.cuda;
    const bool isToolkit = other == b && !a.cuda.isEmpty() && !b.cuda.isEmpty();
    other = a;
    other.python = b.python;
    return isVersion || isToolkit || other == b;
}

/// "torchvision027" for the variant's cell of another version, "CUDA 12.9" or "Python 3.12" for one of those alone;
/// else the recipe's name.
static QString nameOfModel(const VariantEntry &model, const Variant &variant)
{
    const Variant &of = model.variant;
    if (of.row != variant.row || of.isa != variant.isa || !isSameCell(of, variant))
        return model.package();
    return Tr::tr("that of %1")
        .arg(of.family != variant.family   ? of.family
             : of.python != variant.python ? Tr::tr("Python %1").arg(pythonVersion(of.python))
                                           : Tr::tr("CUDA %1").arg(of.cuda));
}

/// How far apart two variants are in version, toolkit and Python: 0 if they have the same.
static int stepsBetween(const Variant &a, const Variant &b)
{
    const auto number = [](const QString &release) {
        const QVersionNumber version = QVersionNumber::fromString(release);
        constexpr int perMajor = 100;
        return version.majorVersion() * perMajor + version.minorVersion();
    };
    const auto release = [](const Variant &of) { return FamilyName::of(of.family).release({}); };
    return std::abs(number(release(a)) - number(release(b))) + std::abs(number(a.cuda) - number(b.cuda)) +
           std::abs(number(pythonVersion(a.python)) - number(pythonVersion(b.python)));
}

static QString platformOf(const Catalog &catalog, const Variant &variant)
{
    const Isa *isa = catalog.isa(variant.isa);
    return isa ? isa->platform : QString();
}

/// How many compiler flags only one of two instruction sets has: AVX-512 BF16 is nearer to AVX-512 than to AVX2. Sets
/// with and without vectors of AVX-512 are far apart, however few their flags are.
static qsizetype distanceOf(const Catalog &catalog, const Variant &a, const Variant &b)
{
    const Isa *one = catalog.isa(a.isa);
    const Isa *other = catalog.isa(b.isa);
    if (a.isa == b.isa || !one || !other)
        return a.isa != b.isa;
    const auto lacking = [](const QStringList &flags, const QStringList &in) {
        return std::ranges::count_if(flags, [&in](const QString &flag) { return !in.contains(flag); });
    };
    const auto isWide = [](const Isa &isa) {
        return std::ranges::any_of(isa.flags, [](const QString &flag) { return flag.startsWith("-mavx512"_L1); });
    };
    constexpr qsizetype far = 100;
    return 1 + lacking(one->flags, other->flags) + lacking(other->flags, one->flags) +
           (isWide(*one) != isWide(*other) || one->lacksAvx2 != other->lacksAvx2 ? far : 0);
}

/// The recipes that one for the variant may be made from, the nearest first, a few of each kind.
static QList<const VariantEntry *> modelsFor(const Catalog &catalog, const BranchSnapshot &snapshot,
                                             const Variant &variant)
{
    const ProfileKey key = ProfileKey::of(variant);
    std::optional<QList<Finding>> standing; // takes long, and is rarely needed
    const auto isStanding = [&](const Finding &error) {
        if (!standing)
            standing = standingErrors(snapshot, variant);
        return std::ranges::any_of(*standing, [&](const Finding &one) { return isSamePlace(one, error); });
    };
    QList<const VariantEntry *> models;
    for (const VariantEntry &entry : snapshot.entries) {
        // The targets of one GPU and those of all are not exchanged.
        if (!(ProfileKey::of(entry.variant) == key || isSameCell(entry.variant, variant)) || entry.variant == variant ||
            !entry.present || (entry.variant.row == everyGpu) != (variant.row == everyGpu) ||
            entry.variant.rest != variant.rest || entry.committed.isEmpty() || entry.fileStatus != FileStatus::Clean)
            continue;
        const bool isBroken = std::ranges::any_of(entry.findings, [&](const Finding &finding) {
            return finding.severity == Severity::Error && !isAddedAfterwards(finding) && !isStanding(finding);
        });
        if (!isBroken && entry.duplicates.isEmpty())
            models.append(&entry);
    }
    const auto lacksCudnn = [&catalog](const Variant &of) {
        const GpuRow *row = catalog.row(of.row);
        return row && row->isGpu() && !row->cudnn;
    };
    // Another Python changes least, then another GPU, whose words are replaced, then a toolkit or a version, then an
    // instruction set, which determines most of a recipe's text.
    const auto tier = [&variant](const Variant &model) {
        const bool isOfCell = model.row == variant.row && model.isa == variant.isa;
        return isOfCell && model.python != variant.python ? 0 : isOfCell ? 2 : model.isa == variant.isa ? 1 : 3;
    };
    std::ranges::stable_sort(models, {}, [&](const VariantEntry *entry) {
        const Variant &model = entry->variant;
        return std::tuple(tier(model), platformOf(catalog, model) != platformOf(catalog, variant),
                          distanceOf(catalog, model, variant), lacksCudnn(model) != lacksCudnn(variant),
                          model.row != variant.row, stepsBetween(model, variant));
    });
    // Where some recipes of one kind cannot be turned into the wanted one, all of them rarely can.
    constexpr int tries = 4;
    QHash<int, int> counts;
    models.removeIf([&](const VariantEntry *model) { return ++counts[tier(model->variant)] > tries; });
    return models;
}

/// Whether a text that was made from one for another toolkit has its own wherever the recipes for it, and for others,
/// have theirs: a torch inside may be named "pytorch-custom-cuda12_9" still, or an argument that the other toolkit does
/// without lack.
static bool hasToolkit(const BranchSnapshot &snapshot, const Variant &variant, const VariantEntry &model,
                       const QByteArray &text)
{
    const auto named = [](const Variant &of) { return "cuda" + QString(of.cuda).replace(u'.', u'_').toUtf8(); };
    const QByteArray own = named(variant);
    return !text.contains(named(model.variant)) &&
           std::ranges::none_of(snapshot.entries, [&](const VariantEntry &entry) {
               const Variant &other = entry.variant;
               return entry.present && other != variant && other.family == variant.family &&
                      other.python == variant.python && !other.cuda.isEmpty() &&
                      entry.text.count(named(other)) > text.count(own);
           });
}

/// Whether the variant's template was learned from recipes of the branch.
static bool isOfLearned(const Catalog &catalog, const BranchSnapshot &snapshot, const Variant &variant)
{
    return isLearned(snapshot.settings.profileOf(variant).templateName) &&
           !snapshot.settings.learnedFor(variant, catalog.learnsFrom(variant)).isEmpty();
}

/// modelsFor() of the kind that the branch's template has words for.
static QList<const VariantEntry *> neighboursOf(const Catalog &catalog, const BranchSnapshot &snapshot,
                                                const Variant &variant)
{
    QList<const VariantEntry *> models = modelsFor(catalog, snapshot, variant);
    if (isOfLearned(catalog, snapshot, variant)) // It has words for all platforms of its recipes.
        models.removeIf([&](const VariantEntry *model) {
            return platformOf(catalog, model->variant) != platformOf(catalog, variant);
        });
    return models;
}

/// Whether the template gives what the nearest of these recipes would give, or what all are to be like.
static bool isServed(const Catalog &catalog, const BranchSnapshot &snapshot, const Variant &variant,
                     const QList<const VariantEntry *> &neighbours)
{
    const auto isCurrent = [key = ProfileKey::of(variant)](const VariantEntry &entry) {
        return ProfileKey::of(entry.variant) == key && entry.state == RecipeState::Current;
    };
    return (!neighbours.isEmpty() && isCurrent(*neighbours.constFirst())) ||
           (!isOfLearned(catalog, snapshot, variant) &&
            std::ranges::any_of(snapshot.entries, [&](const VariantEntry &entry) {
                return entry.variant != variant && entry.present && isCurrent(entry);
            }));
}

bool isServedByTemplate(const Catalog &catalog, const BranchSnapshot &snapshot, const Variant &variant)
{
    return isServed(catalog, snapshot, variant, neighboursOf(catalog, snapshot, variant));
}

static Result<Exchanged> madeLike(const AuditInput &model, const BranchSnapshot &snapshot, const Variant &variant,
                                  QStringList *unjudged)
{
    AuditInput wanted = model;
    wanted.variant = variant;
    wanted.file = snapshot.fileFor(variant);
    wanted.duplicates.clear();
    return recipeLike(model, wanted, unjudged);
}

/// Why none of the recipes can be a model of the variant's, one clause.
static QString whyNoModel(const Catalog &catalog, const BranchSnapshot &snapshot, const Variant &variant)
{
    const QList<const VariantEntry *> models = neighboursOf(catalog, snapshot, variant);
    if (!models.isEmpty()) {
        const Result<Exchanged> made =
            madeLike(AuditInputs(catalog, snapshot).of(*models.constFirst()), snapshot, variant, nullptr);
        const QString model = nameOfModel(*models.constFirst(), variant);
        return made ? Tr::tr("%1 cannot be turned into it").arg(model)
                    : Tr::tr("%1 cannot be turned into it: %2").arg(model, withoutStop(made.error().why));
    }
    const QString kind = FamilyName::of(variant.family).word;
    const VariantEntry *faulty = nullptr;
    for (const VariantEntry &entry : snapshot.entries) {
        if (isBeside(entry, variant, kind) && entry.variant.cuda.isEmpty() == variant.cuda.isEmpty() &&
            (!faulty || (entry.variant.row == variant.row && faulty->variant.row != variant.row)) &&
            std::ranges::find(entry.findings, Severity::Error, &Finding::severity) != entry.findings.end())
            faulty = &entry;
    }
    if (!faulty)
        return Tr::tr("none of its kind is committed and unchanged, to make it from");
    const Finding &error = *std::ranges::find(faulty->findings, Severity::Error, &Finding::severity);
    return Tr::tr("none of its kind is without errors, to make it from. In %1: %2")
        .arg(faulty->package(), error.file.isEmpty() && error.line > 0
                                    ? Tr::tr("line %1: %2").arg(error.line).arg(withoutStop(error.sentence))
                                    : withoutStop(placedSentence(error)));
}

std::optional<LikeNeighbour> recipeLikeItsNeighbours(const Catalog &catalog, const BranchSnapshot &snapshot,
                                                     const Variant &variant, bool always)
{
    const QList<const VariantEntry *> models = neighboursOf(catalog, snapshot, variant);
    if (models.isEmpty() || (!always && isServed(catalog, snapshot, variant, models)))
        return std::nullopt;
    const AuditInputs inputs(catalog, snapshot);
    for (const VariantEntry *model : models) {
        QStringList unjudged;
        const Result<Exchanged> made = madeLike(inputs.of(*model), snapshot, variant, &unjudged);
        const bool keepsToolkit =
            made && model->variant.cuda != variant.cuda && !hasToolkit(snapshot, variant, *model, made->text);
        if (made && !keepsToolkit)
            return LikeNeighbour{made->text, model->package(), nameOfModel(*model, variant), unjudged};
    }
    return std::nullopt;
}

/// What the built-in template makes of the variant.
static Result<QByteArray> builtInText(const RecipeCache &recipes, const BranchSnapshot &snapshot,
                                      const Variant &variant)
{
    Settings plain = snapshot.settings;
    Profile profile = plain.profileOf(variant);
    profile.templateName.clear();
    plain.profiles.insert(ProfileKey::of(variant), profile);
    return recipes.rendered(plain, {variant}).constFirst();
}

std::optional<BuiltInInstead> builtInInstead(const RecipeCache &recipes, const BranchSnapshot &snapshot,
                                             const Variant &variant, const QByteArray &learned)
{
    const auto isOfProfile = [key = ProfileKey::of(variant)](const VariantEntry &entry) {
        return entry.present && ProfileKey::of(entry.variant) == key;
    };
    if (learned.isEmpty() || !isOfLearned(*recipes.catalog(), snapshot, variant) ||
        std::ranges::any_of(snapshot.entries, isOfProfile))
        return std::nullopt;
    const auto whyNot = [&](const QByteArray &text) {
        const auto files = filesOfNew(recipes, snapshot, snapshot.files, variant, text, nullptr);
        return files ? QString() : files.error().why;
    };
    const QString why = whyNot(learned);
    const Result<QByteArray> text = why.isEmpty() ? learned : builtInText(recipes, snapshot, variant);
    if (why.isEmpty() || !text || *text == learned || !whyNot(*text).isEmpty())
        return std::nullopt;
    return BuiltInInstead{completedNew(*recipes.catalog(), snapshot, variant, *text),
                          Tr::tr("It is made from the built-in template, not from the one that was learned from the "
                                 "recipes of this branch: %1.")
                              .arg(why)};
}

QString originOfNew(const RecipeCache &recipes, const BranchSnapshot &snapshot, const Variant &variant,
                    const QByteArray &text, const std::optional<LikeNeighbour> &like)
{
    if (like) {
        QStringList sentences{Tr::tr("It is made from %1: check its comments.").arg(like->words)};
        for (const QString &clause : like->unjudged)
            sentences.append(asSentence(clause));
        return joinedSentences(sentences);
    }
    bool hasOthers = false;
    for (const VariantEntry &entry : snapshot.entries) {
        if (!entry.present || entry.variant == variant || entry.variant.family != variant.family)
            continue;
        const bool isBuiltIn = !isLearned(snapshot.settings.profileOf(entry.variant).templateName);
        if (isBuiltIn && entry.state == RecipeState::Current)
            return {};
        hasOthers = true;
    }
    if (!hasOthers || text.isEmpty())
        return {};
    const Result<QByteArray> builtIn = builtInText(recipes, snapshot, variant);
    if (builtIn && *builtIn == text)
        return Tr::tr("It is made from the built-in template, not like the recipes of this branch, because none of "
                      "them can be turned into it.");
    const QString model = modelOfWords(snapshot, variant);
    return !model.isEmpty() && isOfLearned(*recipes.catalog(), snapshot, variant)
               ? Tr::tr("It is made from %1: check its comments.").arg(model)
               : QString();
}

QByteArray completedNew(const Catalog &catalog, const BranchSnapshot &snapshot, const Variant &variant,
                        const QByteArray &text)
{
    if (text.isEmpty())
        return text;
    VariantEntry entry;
    entry.variant = variant;
    entry.file = snapshot.fileFor(variant);
    entry.text = text;
    return completed(auditInputOf(catalog, snapshot, entry));
}

} // namespace tmx
