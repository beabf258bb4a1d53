// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Rules.h"
#include "model/base/NearestNames.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/recipe/PhaseReader.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// Reports the imports with that trouble; in the sentence `%1` is the path, `%2` why it is unreadable. A mistake is
/// reported where it is, with `%1` for what it is.
void reportImports(const Subject &subject, Report &report, ImportTrouble::Kind kind, const QString &sentence,
                   const QString &advice)
{
    for (const ImportTrouble &trouble : subject.facts.importTroubles) {
        // The rules of companions have a name for the recipe of their torch.
        const TorchSource &torch = subject.facts.torch;
        if (trouble.kind != kind || (subject.companion && torch.kind == TorchSource::Kind::Sibling &&
                                     trouble.file.isEmpty() && trouble.path.section(u'/', -1) == torch.file))
            continue;
        const bool isInvalid = kind == ImportTrouble::Kind::Invalid && !trouble.mistake.isEmpty();
        Spot spot{trouble.line, trouble.column, 0, quint32(trouble.length)};
        if (isInvalid)
            spot = {trouble.mistakeLine, trouble.mistakeColumn, 0, 0};
        spot.file = quint16(subject.facts.files.indexOf(isInvalid ? trouble.path : trouble.file) + 1);
        report.add(spot,
                   kind == ImportTrouble::Kind::Unreadable ? sentence.arg(trouble.path, troubleWords(trouble.why))
                                                           : sentence.arg(isInvalid ? trouble.mistake : trouble.path),
                   advice);
    }
}

void importMissing(const Subject &subject, Report &report)
{
    reportImports(subject, report, ImportTrouble::Kind::Missing, Tr::tr("It imports %1, which does not exist."),
                  Tr::tr("Add the file, or correct the path."));
}

void importOutside(const Subject &subject, Report &report)
{
    reportImports(subject, report, ImportTrouble::Kind::Outside, Tr::tr("It imports %1, outside of the repository."),
                  Tr::tr("Flox builds a copy of the repository: put the file into it, or fetch it."));
}

void importUntracked(const Subject &subject, Report &report)
{
    reportImports(
        subject, report, ImportTrouble::Kind::Untracked, Tr::tr("It imports %1, which git does not track."),
        forSurface(Tr::tr("Flox only sees what git tracks: \"git add --force\" adds it, even if .gitignore names it."),
                   Tr::tr("Flox only sees what git tracks. Add the file to git, even if .gitignore names it.")));
}

void importInvalid(const Subject &subject, Report &report)
{
    reportImports(subject, report, ImportTrouble::Kind::Invalid, Tr::tr("It is not valid Nix: %1."),
                  Tr::tr("Fix the error in that line."));
    reportImports(subject, report, ImportTrouble::Kind::Unreadable, Tr::tr("It imports %1, and %2."),
                  Tr::tr("Put back the file's text."));
}

void importCycle(const Subject &subject, Report &report)
{
    // Files may import each other for different attributes.
    if (subject.facts.refersToItself)
        reportImports(subject, report, ImportTrouble::Kind::Cycle, Tr::tr("It imports %1, which imports it again."),
                      Tr::tr("Move what both need into a third file."));
}

using Failure = nix::Fold::Failure;

void importAbsolute(const Subject &subject, Report &report)
{
    const QString sentence = Tr::tr("It imports the absolute path %1.");
    const QString advice = Tr::tr("Put the file into the repository and import it by a relative path, or fetch it.");
    reportImports(subject, report, ImportTrouble::Kind::Absolute, sentence, advice);
    // A path that an argument or a table gives is known only where it is imported.
    for (const EvaluationFailure &failure : subject.facts.failures) {
        const Spot &spot = failure.stated.spot;
        const bool isTold = std::ranges::any_of(subject.facts.importTroubles, [&](const ImportTrouble &trouble) {
            return trouble.kind == ImportTrouble::Kind::Absolute && trouble.line == spot.line &&
                   subject.facts.files.indexOf(trouble.file) + 1 == spot.file;
        });
        if (failure.what == Failure::Absolute && !isTold)
            report.add(spot, sentence.arg(failure.stated.value), advice);
    }
}

/// `sentence`: with %1 for what Failure::name says.
void reportFailures(const Subject &subject, Report &report, Failure::What what, const QString &sentence,
                    const QString &advice)
{
    for (const EvaluationFailure &failure : subject.facts.failures) {
        if (failure.what == what)
            report.add(failure.stated.spot, sentence.contains("%1"_L1) ? sentence.arg(failure.stated.value) : sentence,
                       advice);
    }
}

void entryMissing(const Subject &subject, Report &report)
{
    reportFailures(subject, report, Failure::NoEntry, Tr::tr("It selects \"%1\" from a set that has no such entry."),
                   Tr::tr("Add the entry, or correct the name."));
}

void argumentMissing(const Subject &subject, Report &report)
{
    reportFailures(subject, report, Failure::NoArgument, Tr::tr("It calls a function without its argument %1."),
                   Tr::tr("Pass it."));
}

/// The name among `known` that is meant by one that differs from it in at most so many letters; empty if there is none.
QString meantBy(const QString &name, const QStringList &known, qsizetype most)
{
    constexpr qsizetype longName = 12; // has no other name near it
    const auto meant = std::ranges::find_if(known, [&](const QString &one) {
        const qsizetype letters = most > 1 && one.size() > longName ? most + 1 : most;
        return lettersBetween(one, name, letters) <= letters;
    });
    return meant == known.end() || known.contains(name) ? QString() : *meant;
}

/// Reports names that are nearly one of `known`: nixpkgs ignores them, or refuses them.
void tellOfMisspelt(const QList<NamedText> &given, const QStringList &known, const QString &what, Report &report)
{
    for (const NamedText &entry : given) {
        if (const QString meant = meantBy(entry.name, known, 2); !meant.isEmpty())
            report.add(entry.spot, Tr::tr("It sets %1, but %2 has no such entry.").arg(entry.name, what),
                       Tr::tr("Write %1.").arg(meant));
    }
}

/// pytorch among the arguments of a package of nixpkgs that takes torch. It was called pytorch until nixpkgs 22.05,
/// which has no Python 3.11.
void tellOfPytorch(const Subject &subject, Report &report)
{
    constexpr int firstPython = 311;
    bool isNumber = false;
    if (subject.input.variant.python.mid(6).toInt(&isNumber) < firstPython || !isNumber)
        return;
    for (const PackageFacts *package : subject.packages()) {
        const QString &attribute = package->attribute.value;
        const NamedText *argument = takesTorch(attribute) ? package->argument(u"pytorch") : nullptr;
        const bool isReplaced = std::ranges::any_of(subject.facts.overlays, [&attribute](const OverlayFacts &overlay) {
            return overlay.name == attribute || overlay.replaced.contains(attribute) || overlay.mayHaveTorch();
        });
        if (argument && !isReplaced && !package->unread.arguments)
            report.add(argument->spot,
                       Tr::tr("It passes pytorch to %1, whose argument is called torch.").arg(attribute),
                       Tr::tr("Pass it as torch."));
    }
}

void argumentUnknown(const Subject &subject, Report &report)
{
    static const QStringList arguments{u"cudaSupport"_s, u"gpuTargets"_s, u"rocmSupport"_s, u"cudaPackages"_s,
                                       u"rocmPackages"_s};
    static const QStringList config{u"allowUnfree"_s,       u"allowBroken"_s, u"cudaSupport"_s, u"cudaCapabilities"_s,
                                    u"cudaForwardCompat"_s, u"rocmSupport"_s, u"allowAliases"_s};
    for (const PackageFacts *package : subject.packages())
        tellOfMisspelt(package->arguments, arguments, Tr::tr("the package"), report);
    for (const PackageFacts *package : subject.packages()) {
        QList<NamedText> definitions;
        for (const StatedText &flag : package->cmakeFlags.items) {
            if (flag.value.startsWith("-D"_L1))
                definitions.append({flag.value.sliced(2).section(u'=', 0, 0).section(u':', 0, 0), {}, flag.spot});
        }
        tellOfMisspelt(definitions, {u"CMAKE_CUDA_ARCHITECTURES"_s}, u"CMake"_s, report);
    }
    for (const PinFacts &pin : subject.facts.pins)
        tellOfMisspelt(pin.otherConfig, config, Tr::tr("the config of nixpkgs"), report);
    tellOfMisspelt(subject.facts.pythonArguments, {u"packageOverrides"_s, u"overrides"_s}, Tr::tr("Python's override"),
                   report);
    tellOfPytorch(subject, report);
    reportFailures(subject, report, Failure::OtherArgument,
                   Tr::tr("It passes %1 to a function that has no such argument."),
                   Tr::tr("Remove it, or correct the name."));
}

/// Variables that the flags of a compiler are made of, and nobody sets: `export CXXFLAGS="$CXXFLAG -mavx2"`.
void tellOfMisspeltVariables(const PackageFacts &package, Report &report)
{
    static const QStringList flags{u"CFLAGS"_s,  u"CXXFLAGS"_s, u"CPPFLAGS"_s, u"LDFLAGS"_s, u"NIX_CFLAGS_COMPILE"_s,
                                   u"CCFLAGS"_s, u"FFLAGS"_s,   u"FCFLAGS"_s,  u"CUFLAGS"_s}; // the last: other tools'
    static const QRegularExpression reference(uR"(\$\{?([A-Za-z_]\w*))"_s);
    for (const VariableFact &variable : package.environment) {
        for (const QRegularExpressionMatch &match : reference.globalMatch(variable.value)) {
            const QString read = match.captured(1);
            const QString meant = flags.contains(variable.name) ? meantBy(read, flags, 1) : QString();
            if (meant.isEmpty() || package.variable(read) ||
                std::ranges::find(package.otherAttributes, read, &NamedText::name) != package.otherAttributes.end())
                continue;
            report.add(variable.spot, Tr::tr("It reads %1, which nothing sets.").arg(read),
                       Tr::tr("Write %1.").arg(meant));
        }
    }
}

/// An attribute of the derivation that Nix passes on as a variable, and nobody reads.
void attributeMisspelt(const Subject &subject, Report &report)
{
    static const QStringList attributes =
        phasesOfStdenv() +
        u"buildInputs nativeBuildInputs propagatedBuildInputs nativeCheckInputs cmakeFlags makeFlags ninjaFlags "
        "mesonFlags configureFlags cmakeBuildType pythonImportsCheck requiredSystemFeatures hardeningDisable "
        "enableParallelBuilding dontUseCmakeConfigure passthru patches"_s.split(u' ');
    constexpr qsizetype shortest = 7; // a short name has others near it
    // nix.conf: system-features
    static const QStringList features{u"apple-virt"_s, u"benchmark"_s,     u"big-parallel"_s, u"ca-derivations"_s,
                                      u"nixos-test"_s, u"recursive-nix"_s, u"uid-range"_s};
    static const QRegularExpression quoted(u"\"([^\"]*)\""_s);
    for (const PackageFacts *package : subject.packages()) {
        for (const NamedText &entry : package->otherAttributes) {
            for (const QRegularExpressionMatch &match : entry.name == "requiredSystemFeatures"_L1
                                                            ? quoted.globalMatch(entry.value)
                                                            : QRegularExpressionMatchIterator()) {
                if (const QString meant = meantBy(match.captured(1), features, 1); !meant.isEmpty())
                    report.add(
                        entry.spot,
                        Tr::tr("It requires the system feature %1, which machines do not have.").arg(match.captured(1)),
                        Tr::tr("Write %1.").arg(meant));
            }
            const QString meant = entry.name.size() < shortest ? QString() : meantBy(entry.name, attributes, 1);
            if (!meant.isEmpty())
                report.add(entry.spot, Tr::tr("It sets %1, which nothing reads.").arg(entry.name),
                           Tr::tr("Write %1.").arg(meant));
        }
        tellOfMisspeltVariables(*package, report);
        for (const NamedText &phase : package->replacedPhases) {
            if (!attributes.contains(phase.value) && meantBy(phase.value, {phase.name}, 2) == phase.name)
                report.add(phase.spot,
                           Tr::tr("It takes %1 of the package, which has no such attribute.").arg(phase.value),
                           Tr::tr("Write %1.").arg(phase.name));
        }
    }
}

void typeOther(const Subject &subject, Report &report)
{
    const QString advice = Tr::tr("Pass the value that is needed here.");
    reportFailures(subject, report, Failure::NotText, Tr::tr("It puts %1 into a text."), advice);
    reportFailures(subject, report, Failure::NotList, Tr::tr("It joins %1 to a list."), advice);
    reportFailures(subject, report, Failure::NotSet, Tr::tr("It uses %1 as a set."), advice);
    reportFailures(subject, report, Failure::NotFunction, Tr::tr("It calls %1 as a function."), advice);
}

void throwsError(const Subject &subject, Report &report)
{
    const QString advice = Tr::tr("Pass what the file expects, or add the case that it lacks.");
    reportFailures(subject, report, Failure::Throws, Tr::tr("It throws the error \"%1\"."), advice);
    reportFailures(subject, report, Failure::Asserts, Tr::tr("Its assertion fails."), advice);
    reportFailures(subject, report, Failure::NotData, Tr::tr("It reads a text that is not valid %1.", "JSON or TOML"),
                   Tr::tr("Correct the text."));
}

constexpr RuleEntry rulesOfImports[] = {
    {"argument-missing", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "A function is called without an argument that it needs."), false, argumentMissing,
     QT_TRANSLATE_NOOP("tmx::Tr", "It does not evaluate."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Wrappers with a misspelt argument; in tests only so far.")},
    {"attribute-misspelt", Severity::Warning, QT_TRANSLATE_NOOP("tmx::Tr", "An attribute of the build is misspelt."),
     false, attributeMisspelt, QT_TRANSLATE_NOOP("tmx::Tr", "What it should set is not set."),
     QT_TRANSLATE_NOOP("tmx::Tr", "requiredSystemFeature; in tests only so far.")},
    {"argument-unknown", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "A function is called with an argument that it does not have."), false,
     argumentUnknown, QT_TRANSLATE_NOOP("tmx::Tr", "It does not evaluate."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Wrappers with a misspelt argument; in tests only so far.")},
    {"entry-missing", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "A recipe selects an entry that a table does not have."), false, entryMissing,
     QT_TRANSLATE_NOOP("tmx::Tr", "It does not evaluate."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Wrappers for a GPU that the table in lib/ does not list.")},
    {"type-other", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "A value is of a type that Nix does not accept there."), false, typeOther,
     QT_TRANSLATE_NOOP("tmx::Tr", "It does not evaluate."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Wrappers without an argument whose default is null; in tests only so far.")},
    {"throws-error", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "A recipe throws an error, or an assertion fails."),
     false, throwsError, QT_TRANSLATE_NOOP("tmx::Tr", "It does not evaluate."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Wrappers for a case that the file in lib/ refuses; in tests only so far.")},
    {"import-cycle", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "Imported files import each other in a circle."),
     false, importCycle, QT_TRANSLATE_NOOP("tmx::Tr", "It does not evaluate: infinite recursion."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"import-invalid", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "A recipe imports a file that is not Nix."), false,
     importInvalid, QT_TRANSLATE_NOOP("tmx::Tr", "It does not evaluate."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"import-missing", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "A recipe imports a file that does not exist."),
     false, importMissing, QT_TRANSLATE_NOOP("tmx::Tr", "It does not evaluate."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes copied to a branch without the files that they import.")},
    {"import-outside", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "A recipe imports a file outside of its repository."), false, importOutside,
     QT_TRANSLATE_NOOP("tmx::Tr", "It does not evaluate, because flox builds a copy of the repository."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes that take torch from a repository beside theirs.")},
    {"import-absolute", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "A recipe imports an absolute path."), false,
     importAbsolute,
     QT_TRANSLATE_NOOP("tmx::Tr", "It builds on one machine at most: elsewhere that path does not exist."),
     QT_TRANSLATE_NOOP("tmx::Tr", "A parametric builder that reads the tables of another repository.")},
    {"import-untracked", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "A recipe imports a file that git does not track."), false, importUntracked,
     QT_TRANSLATE_NOOP("tmx::Tr", "It does not evaluate, because flox only sees what git tracks."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Repositories whose .flox/.gitignore names lib/.")},
};

} // namespace

std::span<const RuleEntry> importRules()
{
    return rulesOfImports;
}

} // namespace tmx
