// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Rules.h"

#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/recipe/RecipeSource.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

void dottedName(const Subject &subject, Report &report)
{
    const QString package = packageOf(subject.input.file);
    if (package.contains(u'.'))
        report.add({},
                   Tr::tr("The dot in %1 splits the attribute path, so flox cannot build it by name.")
                       .arg(package + ".nix"_L1),
                   Tr::tr("Rename the file to %1.").arg(subject.input.variant.name() + ".nix"_L1));
}

void canonicalName(const Subject &subject, Report &report)
{
    const QString package = packageOf(subject.input.file);
    const QString name = subject.input.variant.name();
    if (package == name || package.contains(u'.'))
        return;
    const auto read = VariantName::parse(package, subject.input.catalog->isaIds());
    QStringList oddities = read ? read->oddities : QStringList();
    if (read && !read->suffix.isEmpty())
        oddities.append(Tr::tr("suffix %1").arg(read->suffix));
    const QString why = oddities.join(", "_L1);
    report.add({},
               why.isEmpty() ? Tr::tr("The file's name is not the variant's.")
                             : Tr::tr("The file's name is an old form: %1.").arg(why),
               (read && !read->suffix.isEmpty() ? Tr::tr("Rename the file to %1, or keep one of them if both exist.")
                                                : Tr::tr("Rename the file to %1."))
                   .arg(name + ".nix"_L1));
}

void duplicate(const Subject &subject, Report &report)
{
    if (subject.input.duplicates.isEmpty())
        return;
    QStringList names{shownPath(subject.input.file)};
    for (const QString &file : subject.input.duplicates)
        names.append(shownPath(file));
    report.add({}, Tr::tr("%n files are for this cell: %1.", nullptr, int(names.size())).arg(names.join(", "_L1)),
               Tr::tr("Keep one of them."));
}

void cellInvalid(const Subject &subject, Report &report)
{
    // Of a toolkit that does not know the GPU, toolkit-lacks-gpu says it.
    const QString toolkit = subject.whyNotToolkit();
    if (const Validity validity = subject.input.catalog->validity(subject.input.variant, *subject.input.settings);
        !validity.valid && validity.reason != toolkit)
        report.add({}, validity.reason, Tr::tr("Delete it, or keep it if you are sure that it works."));
}

void noDerivation(const Subject &subject, Report &report)
{
    if (subject.facts.noDerivation)
        report.add({}, Tr::tr("It evaluates to no derivation, so there is nothing to build."),
                   Tr::tr("Regenerate the recipe, or delete it."));
}

/// A value that says what is built, and that nothing of the recipe's own files states.
StatedText unknownValue(const Subject &subject)
{
    const auto why = [](const QString &name, const Spot &spot) {
        return StatedText{Tr::tr("the value of %1 is unknown").arg(name), spot, false};
    };
    const auto isUnknown = [](const StatedText &text) {
        return text && !text.known && !text.value.startsWith("oldAttrs."_L1) && !text.value.startsWith("prevAttrs."_L1);
    };
    for (const PinFacts &pin : subject.facts.pins) {
        if (isUnknown(pin.revision))
            return {Tr::tr("the revision of nixpkgs is unknown"), pin.revision.spot, false};
    }
    if (const StatedText set = subject.cuda ? subject.toolkit() : StatedText(); isUnknown(set))
        return why(u"cudaPackages"_s, set.spot);
    for (const PackageFacts *package : subject.packages()) {
        if (isUnknown(package->version))
            return why(u"version"_s, package->version.spot);
        for (const auto &[name, list] :
             {std::pair(u"gpuTargets"_s, &package->gpuTargets), {u"platforms"_s, &package->platforms}}) {
            if (const auto item = std::ranges::find_if(list->items, isUnknown); item != list->items.cend())
                return why(name, item->spot);
        }
    }
    return {};
}

void notUnderstood(const Subject &subject, Report &report)
{
    if (subject.facts.noDerivation)
        return;
    if (const StatedText unknown = subject.understood() && !subject.unread() ? unknownValue(subject) : StatedText())
        subject.stopAt(unknown);
    if (!subject.understood())
        report.add(subject.facts.stopped.spot,
                   Tr::tr("It is unclear which package the recipe builds: %1.").arg(subject.facts.stopped.value),
                   Tr::tr("Only the name was checked. Read the rest by hand."));
    else if (const StatedText &unread = subject.unread())
        report.add(unread.spot, Tr::tr("Not understood from here on: %1.").arg(unread.value),
                   Tr::tr("Rules that look for something missing were left out. Read that part by hand."));
}

/// Whether the pname is the name of another variant of the family.
bool isOfAnother(const Subject &subject, const StatedText &pname)
{
    const auto named = pname && pname.known && pname.value != subject.pname
                           ? VariantName::parse(pname.value, subject.input.catalog->isaIds())
                           : std::nullopt;
    if (!named || !named->canonical || (!named->suffix.isEmpty() && subject.input.variant.rest.isEmpty()))
        return false;
    Variant other = named->variant;
    const FamilyName family = FamilyName::of(other.family);
    const FamilyName own = subject.familyName();
    // The settings may have a word of their own for the family, and names may leave out its version.
    if (family.word != own.word || family.version.isEmpty() || own.version.isEmpty())
        other.family = subject.input.variant.family;
    return other != subject.input.variant;
}

void pnameOfAnother(const Subject &subject, Report &report)
{
    const StatedText &pname = subject.package.pname;
    if (subject.understood() && isOfAnother(subject, pname))
        report.add(pname.spot,
                   Tr::tr("Its pname %1 is that of another variant; it should be %2.").arg(pname.value, subject.pname),
                   Tr::tr("Set pname = \"%1\".").arg(subject.pname),
                   subject.replaced(pname.spot, pname.value, subject.pname));
    // What else the file builds is not published, so its name only misleads.
    static const QRegularExpression tag(u"cuda(\\d+)_(\\d+)"_s);
    for (const PackageFacts *package : subject.packages()) {
        const QRegularExpressionMatch toolkit = tag.match(package->pname.value);
        const QString version = toolkit.captured(1) + u'.' + toolkit.captured(2);
        if (package != &subject.package && toolkit.hasMatch() && subject.cuda && version != subject.input.variant.cuda)
            report.addNote(
                package->pname.spot,
                Tr::tr("The pname of its %1 says CUDA %2, but its name says CUDA %3.")
                    .arg(package->attribute.value, version, subject.input.variant.cuda),
                Tr::tr("Write %1.").arg(u"cuda"_s + QString(subject.input.variant.cuda).replace(u'.', u'_')));
    }
}

void pnameOther(const Subject &subject, Report &report)
{
    const StatedText &pname = subject.package.pname;
    if (!subject.understood() || (pname && pname.value == subject.pname) || isOfAnother(subject, pname))
        return;
    if (pname && !pname.known)
        return; // put together from what nixpkgs says
    if (pname && subject.package.builder && !subject.family && pname.value == subject.familyName().word)
        return; // A package that nixpkgs does not have is called what it is.
    const QString file = packageOf(subject.input.file);
    if (pname && pname.value == file && (!subject.family || file.startsWith(subject.pname + u'-')))
        return; // It is called like its file: another scheme of names, or a suffix.
    const QString advice = Tr::tr("Set pname = \"%1\".").arg(subject.pname);
    if (!pname && !subject.wasRead(subject.package, Subject::Attributes))
        return;
    if (!pname)
        report.add(subject.packageSpot(), Tr::tr("It sets no pname, so the package keeps nixpkgs' name."), advice);
    else
        report.add(pname.spot, Tr::tr("Its pname is %1 but should be %2.").arg(pname.value, subject.pname), advice,
                   subject.replaced(pname.spot, pname.value, subject.pname));
}

void recipesDisagree(const Subject &subject, Report &report)
{
    for (const QString &sentence : subject.input.dissent)
        report.add({}, sentence);
}

constexpr RuleEntry rulesOfNames[] = {
    {"name-dotted", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "A dot in the file's name splits the attribute path."), false, dottedName,
     QT_TRANSLATE_NOOP("tmx::Tr", "flox cannot build it by name."),
     QT_TRANSLATE_NOOP("tmx::Tr", "ARM recipes named armv8.2.")},
    {"name-not-canonical", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "The file's name is an old form of the variant's."), false, canonicalName,
     QT_TRANSLATE_NOOP("tmx::Tr", "Tools that search by name do not find it."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Older branches: py313, python312Packages.")},
    {"duplicate", Severity::Warning, QT_TRANSLATE_NOOP("tmx::Tr", "Several files are for one cell."), false, duplicate,
     QT_TRANSLATE_NOOP("tmx::Tr", "It is unclear which of them counts."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Branches with -magma and -nightly files.")},
    {"cell-invalid", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "The toolkit or the platform rules the variant out."), false, cellInvalid,
     QT_TRANSLATE_NOOP("tmx::Tr", "nvcc refuses the GPU, or no such machine exists."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Plans with x86 recipes for boards that are ARM.")},
    {"no-derivation", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "It evaluates to a number, a text or a list."),
     false, noDerivation, QT_TRANSLATE_NOOP("tmx::Tr", "Nix ends with an error, and nothing is built."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"pname-other", Severity::Warning, QT_TRANSLATE_NOOP("tmx::Tr", "pname does not follow the branch settings."), true,
     pnameOther,
     QT_TRANSLATE_NOOP("tmx::Tr", "The package is published under a different name than its "
                                  "file."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes without a pname of their own.")},
    {"pname-of-another", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "pname is the name of another variant."), true,
     pnameOfAnother, QT_TRANSLATE_NOOP("tmx::Tr", "Two builds are published under one name."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes copied from the cell beside them; in tests only so far.")},
    {"recipes-disagree", Severity::Note,
     QT_TRANSLATE_NOOP("tmx::Tr", "Most other recipes of its kind have another value."), false, recipesDisagree,
     QT_TRANSLATE_NOOP("tmx::Tr", "The recipe does not get what the others get, a new pin for example."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Branches whose recipes were bumped one by one.")},
};

// Last, because it reports what the other rules asked for in vain.
constexpr RuleEntry rulesOfReading[] = {
    {notUnderstoodRule.data(), Severity::Note, QT_TRANSLATE_NOOP("tmx::Tr", "A part of the recipe cannot be read."),
     false, notUnderstood, QT_TRANSLATE_NOOP("tmx::Tr", "What is missing there is not reported."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes that import another file.")},
};

} // namespace

std::span<const RuleEntry> readingRules()
{
    return rulesOfReading;
}

std::span<const RuleEntry> nameRules()
{
    return rulesOfNames;
}

} // namespace tmx
