// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Rules.h"
#include "model/base/Tr.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

// What every CPU with AVX2 and newer has, so that naming it in a recipe for those changes nothing that runs.
constexpr std::array impliedByAvx2{u"-mavx",   u"-mavx2",   u"-mfma",  u"-mf16c",  u"-mbmi",    u"-mbmi2",
                                   u"-mlzcnt", u"-mpopcnt", u"-msse3", u"-mssse3", u"-msse4.1", u"-msse4.2",
                                   u"-msse4",  u"-mmovbe",  u"-maes",  u"-mpclmul"};

/// "armv9-a+sve+sve2" as a set for comparison; contains what ARMv9 and SVE2 imply (GCC, "AArch64 Options"), and leaves
/// out what each server CPU with SVE2 has (Neoverse N2, V2 and later: BF16 and I8MM).
QStringList armParts(const QString &flag)
{
    QStringList parts = flag.sliced(flag.indexOf(u'=') + 1).split(u'+');
    if (parts.constFirst().startsWith("armv9"_L1) && !parts.contains("nosve2"_L1))
        parts.append(u"sve2"_s);
    if (parts.contains("sve2"_L1)) {
        parts.append(u"sve"_s);
        parts.removeAll(u"bf16"_s);
        parts.removeAll(u"i8mm"_s);
    }
    parts.sort();
    parts.removeDuplicates();
    return parts;
}

bool sameFlag(const QString &a, const QString &b)
{
    return a == b || (a.startsWith("-march=arm"_L1) && b.startsWith("-march=arm"_L1) && armParts(a) == armParts(b));
}

/// What the compiler may use for a CPU that an option names: -march=haswell, rustc's target-cpu=haswell.
struct NamedCpu {
    QStringView name;
    int level;  ///< place in `flagsOfLevels`: it has all up to there
    bool whole; ///< it has nothing that some CPU of the level lacks
};
// psABI: levels; GCC, "x86 Options": -march.
constexpr NamedCpu namedCpus[] = {
    {u"x86-64", 0, true},          {u"x86-64-v2", 0, true},       {u"nehalem", 0, true},
    {u"westmere", 0, true},        {u"sandybridge", 1, true},     {u"corei7-avx", 1, true},
    {u"bdver1", 1, false},         {u"btver2", 1, false},         {u"ivybridge", 1, false},
    {u"core-avx-i", 1, false},     {u"x86-64-v3", 2, true},       {u"haswell", 2, true},
    {u"core-avx2", 2, true},       {u"broadwell", 2, false},      {u"skylake", 2, false},
    {u"bdver4", 2, false},         {u"znver1", 2, false},         {u"znver2", 2, false},
    {u"znver3", 2, false},         {u"alderlake", 2, false},      {u"raptorlake", 2, false},
    {u"meteorlake", 2, false},     {u"arrowlake", 2, false},      {u"lunarlake", 2, false},
    {u"gracemont", 2, false},      {u"sierraforest", 2, false},   {u"x86-64-v4", 3, true},
    {u"skylake-avx512", 3, true},  {u"cannonlake", 3, false},     {u"cascadelake", 4, true},
    {u"icelake-client", 4, false}, {u"icelake-server", 4, false}, {u"tigerlake", 4, false},
    {u"rocketlake", 4, false},     {u"cooperlake", 5, true},      {u"sapphirerapids", 5, false},
    {u"emeraldrapids", 5, false},  {u"graniterapids", 5, false},  {u"graniterapids-d", 5, false},
    {u"diamondrapids", 5, false},  {u"znver4", 5, false},         {u"znver5", 5, false},
};
constexpr QStringView flagsOfLevels[][4] = {
    {},
    {u"-mavx"},
    {u"-mavx2", u"-mfma", u"-mf16c"},
    {u"-mavx512f", u"-mavx512dq", u"-mavx512vl", u"-mavx512bw"},
    {u"-mavx512vnni"},
    {u"-mavx512bf16"},
};

const NamedCpu *cpuIn(const QString &flag)
{
    const QString name = flag.startsWith("-march="_L1) ? flag.sliced(7) : QString();
    const auto *found = std::ranges::find(namedCpus, QStringView(name), &NamedCpu::name);
    return found == std::end(namedCpus) ? nullptr : found;
}

/// The flags of the catalog that an option for a level, or for a CPU, stands for.
QStringList impliedFlags(const QString &flag)
{
    const NamedCpu *cpu = cpuIn(flag);
    QStringList flags;
    for (int level = 0; cpu && level <= cpu->level; ++level) {
        for (const QStringView one : flagsOfLevels[level]) {
            if (!one.isEmpty())
                flags.append(one.toString());
        }
    }
    return flags;
}

/// Whether each CPU with the instruction set has what the option for a level, or for a CPU, lets the compiler use
/// (GCC, "AArch64 Options": -mcpu; namedCpus).
bool standsFor(const QString &flag, const Isa &isa)
{
    static const QRegularExpression armv9(u"^-mcpu=(neoverse-(v2|n2|512tvb)|grace)\\b"_s);
    const auto has = [&isa](QStringView part) {
        return std::ranges::any_of(isa.flags, [&](const QString &own) { return own.contains(part); });
    };
    if (const NamedCpu *cpu = cpuIn(flag)) {
        const bool hasAvx2 = isa.flags.contains("-mavx2"_L1) || isa.flags.contains("-mavx512f"_L1);
        return cpu->whole && isa.platform.startsWith("x86_64"_L1) &&
               std::ranges::all_of(impliedFlags(flag), [&](const QString &one) {
                   return isa.flags.contains(one) || (hasAvx2 && !one.startsWith("-mavx512"_L1)) ||
                          (one == "-mavx512vnni"_L1 && isa.flags.contains("-mavx512bf16"_L1));
               });
    }
    return (armv9.match(flag).hasMatch() && has(u"armv9")) || (flag == "-mcpu=neoverse-n1"_L1 && has(u"armv8.2"));
}

/// The options of the compiler in a value, as GCC writes them: also rustc's "-C target-cpu=haswell" and "-C
/// target-feature=+avx2,-fma", and the level of Go.
QStringList optionsIn(const NamedText &way)
{
    static const QRegularExpression rust(u"target-(cpu|feature)=([\\w.+,-]+)"_s);
    static const QRegularExpression arm(u"^(neoverse|cortex|apple|ampere|grace|a64fx|thunderx)"_s);
    QStringList options;
    for (const QString &word : way.value.split(u' ')) {
        if (word.startsWith("-m"_L1))
            options.append(word);
    }
    if (way.name == "GOAMD64"_L1)
        options.append("-march=x86-64-"_L1 + way.value);
    for (const QRegularExpressionMatch &match : rust.globalMatch(way.value)) {
        const QString value = match.captured(2);
        if (match.captured(1) == "cpu"_L1) {
            options.append((arm.match(value).hasMatch() ? "-mcpu="_L1 : "-march="_L1) + value);
            continue;
        }
        for (const QString &feature : value.split(u',', Qt::SkipEmptyParts))
            options.append((feature.startsWith(u'-') ? "-mno-"_L1 : "-m"_L1) + feature.mid(1));
    }
    return options;
}

QStringList missingFrom(const StatedList &list, const Isa &isa)
{
    QStringList given = list.values();
    for (const QString &flag : list.values())
        given += impliedFlags(flag);
    QStringList missing;
    for (const QString &flag : isa.flags) {
        const bool arm = flag.startsWith("-march=arm"_L1);
        if (std::ranges::none_of(
                given, [&](const QString &other) { return sameFlag(flag, other) || (arm && standsFor(other, isa)); }))
            missing.append(flag);
    }
    return missing;
}

bool belongs(const QString &flag, const Isa &isa)
{
    return standsFor(flag, isa) ||
           std::ranges::any_of(isa.flags, [&flag](const QString &own) { return sameFlag(own, flag); });
}

/// Whether the option names instructions that the compiler may use. Others choose how the code is arranged and called:
/// -mtune=znver4, -mprefer-vector-width=256, -mcmodel=large (GCC, "x86 Options", "AArch64 Options").
bool namesInstructions(const QString &flag)
{
    static const QRegularExpression names(
        u"^-m(arch=|cpu=|sve-vector-bits=|(3dnowa?|mmx|s?sse[\\w.]*|avx(?!256-split)[\\w.]*|avx10\\.\\d\\S*|amx-\\S+|"
        u"apxf|fma4?|"
        "f16c|bmi2?|abm|lzcnt|popcnt|tbm|xop|lwp|aes|pclmul|sha(512)?|sm[34]|vaes|vpclmulqdq|gfni|kl|widekl|rdrnd|"
        "rdseed|rdpid|fsgsbase|ptwrite|xsave\\w*|prfchw|prefetch\\w+|clflushopt|clwb|clzero|cldemote|movbe|movdiri|"
        "movdir64b|movrs|enqcmd|adx|serialize|tsxldtrk|rtm|hle|cx16|sahf|waitpkg|mwaitx?|hreset|uintr|usermsr|"
        "raoint|cmpccxadd)$)"_s);
    return names.match(flag).hasMatch();
}

/// Whether it is more than the variant's CPUs are sure to have, or less than its name promises.
bool isOfAnother(const QString &flag, const Subject &subject)
{
    const Isa &isa = *subject.isa;
    if (belongs(flag, isa) || flag.endsWith("=generic"_L1))
        return false;
    if (flag.startsWith("-march="_L1) || flag.startsWith("-mcpu="_L1))
        return true;
    if (flag.startsWith("-mno-"_L1))
        return isa.flags.contains("-m"_L1 + flag.sliced(5));
    if (isa.platform.startsWith("x86_64"_L1) && !isa.lacksAvx2 &&
        std::ranges::any_of(impliedByAvx2, [&flag](const char16_t *known) { return flag == QStringView(known); }))
        return false;
    if (isa.lacksAvx2 && isa.flags.contains("-mno-"_L1 + flag.sliced(2)))
        return true;
    return std::ranges::any_of(subject.input.catalog->isas,
                               [&flag](const Isa &other) { return other.flags.contains(flag); });
}

/// The lists of compiler flags in a package of the file.
struct FlagList {
    const StatedList *list;
    QString variable;
    const PackageFacts *package;
};

QList<FlagList> flagLists(const Subject &subject)
{
    const PackageFacts &compiled = subject.facts.compiled();
    QList<FlagList> lists{{&compiled.cxxFlags, u"CXXFLAGS"_s, &compiled}, {&compiled.cFlags, u"CFLAGS"_s, &compiled}};
    if (subject.companion && subject.torch && subject.torch->attribute) {
        lists.append({&subject.torch->cxxFlags, Tr::tr("CXXFLAGS of its torch"), subject.torch});
        lists.append({&subject.torch->cFlags, Tr::tr("CFLAGS of its torch"), subject.torch});
    } else if (subject.inner) {
        lists.append({&subject.inner->cxxFlags, Tr::tr("CXXFLAGS of its torch"), subject.inner});
        lists.append({&subject.inner->cFlags, Tr::tr("CFLAGS of its torch"), subject.inner});
    }
    for (const PackageFacts &other : subject.facts.others) { // which need no flags, but the same ones
        for (const auto &[list, variable] : {std::pair(&other.cxxFlags, "CXXFLAGS"_L1), {&other.cFlags, "CFLAGS"_L1}}) {
            if (!list->items.isEmpty())
                lists.append({list, Tr::tr("%1 of %2").arg(variable, other.attribute.value), &other});
        }
    }
    return lists;
}

bool isSame(const StatedList &a, const StatedList &b)
{
    return std::ranges::equal(a.items, b.items, {}, &StatedText::spot, &StatedText::spot);
}

/// What follows from missing flags.
enum class Lack {
    Language, ///< flags of C++ without those of C, or the reverse: all of the package may be that
    Switches, ///< they only switch off what -mavx does not switch on: the same code
    Harmless, ///< a CPU with AVX2 has F16C, and PyTorch's AVX2 kernels enable it themselves: it builds and runs
    Grave,
};

Lack lackOf(QStringList missing)
{
    missing.removeIf([](const QString &flag) { return flag.startsWith("-mno-"_L1); });
    return missing.isEmpty() ? Lack::Switches : missing == QStringList{u"-mf16c"_s} ? Lack::Harmless : Lack::Grave;
}

/// Whether a package states flags for the CPU, in whatever way.
bool saysCpu(const PackageFacts &package)
{
    return package.cxxFlags || package.cFlags || !Subject::ownWays(package, Subject::Hardware::Cpu).isEmpty() ||
           !Subject::waysInCommands(package, Subject::Hardware::Cpu).isEmpty();
}

/// Options of a build tool that are not known, and may be those of the compiler: bazelFlags; nullptr if there are none.
const NamedText *unreadFlags(const PackageFacts &package)
{
    static const QRegularExpression names(u"(flags|copts?|options)$"_s, QRegularExpression::CaseInsensitiveOption);
    const auto found = std::ranges::find_if(
        package.otherAttributes, [](const NamedText &one) { return !one.known && names.match(one.name).hasMatch(); });
    return found == package.otherAttributes.cend() ? nullptr : &*found;
}

/// The flag that gives an instruction set its name.
QString namingFlag(const Isa &isa)
{
    const QString own = "-m"_L1 + isa.id;
    return isa.flags.contains(own) ? own : isa.flags.constFirst();
}

/// Reports what passes flags for the CPU in ways of the package's own, if all of them together lack some:
/// -DCMAKE_CXX_FLAGS="-mavx2" without -mfma. The first `options` of them may leave out all but the flag that gives the
/// set its name.
void tellOfOwnWays(const Subject &subject, Report &report, const QList<NamedText> &ways, qsizetype options, Lack lack)
{
    StatedList flags;
    const NamedText *first = nullptr;
    for (const NamedText &way : ways) {
        for (const QString &option : optionsIn(way)) {
            if ((option.startsWith("-march="_L1) || option.startsWith("-mcpu="_L1)) && isOfAnother(option, subject))
                return; // flagsOther() tells of that
            flags.items.append({option, way.spot, true});
            first = first ? first : &way;
        }
    }
    const QStringList missing = first ? missingFrom(flags, *subject.isa) : QStringList();
    const bool isOption = first && first - ways.constData() < options;
    const QString naming = namingFlag(*subject.isa);
    // -DGGML_AVX512_BF16=ON says it too.
    const QString feature = naming.startsWith("-mavx512"_L1) ? naming.sliced(8) : QString(); // "f", "bf16"
    const bool isNamed = feature.size() > 1 && std::ranges::any_of(ways, [&](const NamedText &way) {
                             return optionsIn(way).isEmpty() && way.name.contains(feature, Qt::CaseInsensitive);
                         });
    if (isOption && (!missing.contains(naming) || isNamed))
        return;
    if (!missing.isEmpty() && lackOf(missing) == lack && std::ranges::all_of(ways, &NamedText::known))
        report.add(first->spot,
                   Tr::tr("%1 passes flags without %2, which %3 needs.")
                       .arg(first->name, missing.join(u' '), subject.isa->title),
                   first->value.contains("target-"_L1) || first->name == "GOAMD64"_L1
                       ? Tr::tr("Name a CPU or a level that has them.")
                       : Tr::tr("Pass %1.").arg(subject.isa->flags.join(u' ')));
}

/// Reports lists that lack flags, with these consequences.
void tellOfMissing(const Subject &subject, Report &report, Lack lack)
{
    if (!subject.isa || !subject.understood())
        return;
    QList<const StatedList *> told;
    for (const FlagList &flags : flagLists(subject)) {
        const StatedList &list = *flags.list;
        const QStringList missing = missingFrom(list, *subject.isa);
        const bool half = !subject.family && !list && flags.package != subject.inner &&
                          (flags.package->cxxFlags || flags.package->cFlags);
        // If two variables take the flags from the same name, there is one place to fix.
        const bool again = std::ranges::any_of(
            told, [&list](const StatedList *other) { return !list.items.isEmpty() && isSame(*other, list); });
        if (list && !list.known) {
            subject.stopAt({Tr::tr("the value of %1 is unknown").arg(flags.variable), list.spot, false});
            continue;
        }
        if (missing.isEmpty() || again || (half ? Lack::Language : lackOf(missing)) != lack)
            continue;
        // A torch that is as nixpkgs has it but for its arguments asks the machine for its kernels.
        if (flags.package == subject.inner && !subject.inner->cxxFlags && !subject.inner->cFlags &&
            !subject.inner->attributesSpot &&
            (saysCpu(subject.facts.compiled()) || !subject.wasRead(subject.facts.compiled(), Subject::Attributes)))
            continue;
        QList<NamedText> own;
        if (!subject.family)
            own = Subject::ownWays(*flags.package, Subject::Hardware::Cpu);
        const qsizetype options = own.size();
        own += Subject::waysInCommands(*flags.package, Subject::Hardware::Cpu);
        if (!flags.package->cxxFlags && !flags.package->cFlags && !own.isEmpty()) {
            if (&list == &flags.package->cxxFlags)
                tellOfOwnWays(subject, report, own, options, lack);
            subject.stopAt(
                {Tr::tr("what %1 compiles is not known").arg(own.constFirst().name), own.constFirst().spot, false});
            continue;
        }
        // A package that is made beside its own torch may leave the CPU to that: vLLM's kernels ask the machine.
        if (!list && subject.inner && flags.package != subject.inner &&
            (subject.inner->cxxFlags || subject.inner->cFlags))
            continue;
        // What is built may be a package that it is given.
        if (!list && !subject.family && std::ranges::any_of(subject.facts.others, saysCpu))
            continue;
        if (!list && subject.hasForeignTorch())
            continue;
        // What has no flags of its own may get them from an overlay, or leave them to its torch.
        if (!subject.wasRead(*flags.package, list ? Subject::Attributes : Subject::Attributes | Subject::Origin) ||
            (!list && !subject.wasTorchRead()))
            continue;
        if (const NamedText *unread = list ? nullptr : unreadFlags(*flags.package)) {
            subject.stopAt({Tr::tr("the value of %1 is unknown").arg(unread->name), unread->spot, false});
            continue;
        }
        const VariableFact *variable = list ? nullptr : flags.package->variable(flags.variable);
        // What the build of a package of its own does is in its source.
        if (!list && !flags.package->attribute && !half && !(variable && variable->known)) {
            subject.stopAt(
                {Tr::tr("no flag of %1 was found").arg(subject.isa->title), flags.package->builder.spot, false});
            continue;
        }
        told.append(&list);
        const Edits edits = subject.listCompleted(list.items, subject.isa->flags, missing);
        const QString all = missing.join(u' ');
        report.add(!list.items.isEmpty() ? list.items.constFirst().spot
                   : list                ? list.spot
                   : variable            ? variable->spot
                                         : subject.packageSpot(),
                   list.items.isEmpty()
                       ? Tr::tr("%1 has none of the flags of %2: %3.").arg(flags.variable, subject.isa->title, all)
                       : Tr::tr("%1 lacks %3, which %2 needs.").arg(flags.variable, subject.isa->title, all),
                   Tr::tr("Put %1 before the existing CXXFLAGS and CFLAGS.").arg(subject.isa->flags.join(u' ')), edits);
    }
}

void flagsMissing(const Subject &subject, Report &report)
{
    tellOfMissing(subject, report, Lack::Grave);
}

void languageMissing(const Subject &subject, Report &report)
{
    tellOfMissing(subject, report, Lack::Language);
}

void f16cMissing(const Subject &subject, Report &report)
{
    tellOfMissing(subject, report, Lack::Harmless);
}

void switchesMissing(const Subject &subject, Report &report)
{
    tellOfMissing(subject, report, Lack::Switches);
}

template <class Choose>
void unwanted(const Subject &subject, Report &report, Choose choose)
{
    if (!subject.isa)
        return;
    QSet<quint64> told;
    for (const FlagList &flags : flagLists(subject)) {
        for (const StatedText &item : flags.list->items) {
            if (belongs(item.value, *subject.isa) || told.contains(item.spot.key()))
                continue;
            QStringList others = flags.list->values();
            others.removeAll(item.value);
            if (const QString sentence = choose(item.value); !sentence.isEmpty()) {
                told.insert(item.spot.key());
                report.add(item.spot, sentence, Tr::tr("Remove it."),
                           others.isEmpty() ? Edits() : subject.listMadeTo(flags.list->items, others));
            }
        }
    }
}

/// The place of an instruction set in SSE4, AVX, AVX2, AVX-512, counted from 1; 0: none of them.
int levelOf(const Isa &isa)
{
    return isa.flags.contains("-mavx512f"_L1) ? 4
           : isa.flags.contains("-mavx2"_L1)  ? 3
           : isa.flags.contains("-mavx"_L1)   ? 2
                                              : 0;
}

/// The same of a value that is nothing but its name: FAISS_OPT_LEVEL=avx2, CPU_BASELINE=AVX512_SKX. What is chosen when
/// the program runs is no level of the build.
int levelOf(const NamedText &own)
{
    static const QRegularExpression level(u"^(?:(SSE4\\w*)|(AVX)|(AVX2)|(AVX512\\w*))$"_s,
                                          QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = level.match(own.value);
    return own.name.contains("DISPATCH"_L1, Qt::CaseInsensitive) ? 0 : std::max(match.lastCapturedIndex(), 0);
}

/// Why a switch of the package's own build is not for all CPUs of the variant: -DGGML_NATIVE=ON, --copt=-mavx512f,
/// -C target-cpu=native. Empty if it is, or if that is not known.
QString whyNotSwitch(const NamedText &own, const Subject &subject)
{
    static const QRegularExpression native(u"(^|_)NATIVE(_|$)"_s);
    static const QRegularExpression on(u"^(ON|1|TRUE|true|YES)$"_s);
    static const QRegularExpression option(u"-m(?:avx[\\w.]*|fma|f16c|arch=[\\w.+-]+|cpu=[\\w.+-]+)"_s);
    const Isa &isa = *subject.isa;
    const bool isOn = on.match(own.value).hasMatch();
    if (isOn && native.match(own.name).hasMatch())
        return Tr::tr("%1 builds for the CPU of the builder: the build would crash with SIGILL on others.")
            .arg(own.name);
    if (isOn && own.name.contains("AVX512"_L1) && !isa.flags.contains("-mavx512f"_L1))
        return Tr::tr("%1 is on, but not every CPU with %2 has AVX-512.").arg(own.name, isa.title);
    if (levelOf(isa) > 0 && levelOf(own) > levelOf(isa))
        return Tr::tr("%1 is %2, but not every CPU with %3 has it.").arg(own.name, own.value, isa.title);
    QStringList options = optionsIn(own);
    for (const QRegularExpressionMatch &match : option.globalMatch(own.value)) // --copt=-mavx512f
        options.append(match.captured());
    for (const QString &flag : std::as_const(options)) {
        if (isOfAnother(flag, subject))
            return Tr::tr("%1 is not for every CPU with %2: the build would crash with SIGILL there.")
                .arg(flag, isa.title);
    }
    return {};
}

void flagsOther(const Subject &subject, Report &report)
{
    if (!subject.isa)
        return;
    for (const PackageFacts *package : subject.packages()) {
        const bool isOther = std::ranges::any_of(subject.facts.others,
                                                 [package](const PackageFacts &other) { return &other == package; });
        if (subject.family && !isOther)
            continue;
        for (const NamedText &own : Subject::ownWays(*package, Subject::Hardware::Cpu) +
                                        Subject::waysInCommands(*package, Subject::Hardware::Cpu)) {
            if (const QString why = own.known ? whyNotSwitch(own, subject) : QString(); !why.isEmpty())
                report.add(own.spot, why, Tr::tr("Remove it."));
            else if (own.known && levelOf(own) > 0 && levelOf(own) < levelOf(*subject.isa))
                report.addNote(own.spot,
                               Tr::tr("%1 is %2, but its name says %3.").arg(own.name, own.value, subject.isa->title),
                               Tr::tr("Write what that package calls %1.").arg(subject.isa->title));
        }
    }
    unwanted(subject, report, [&subject](const QString &flag) {
        if (!isOfAnother(flag, subject))
            return QString();
        return flag.startsWith("-mno-"_L1)
                   ? Tr::tr("%1 switches off what %2 is for.").arg(flag, subject.isa->title)
                   : Tr::tr("%1 is not for every CPU with %2: the build would crash with SIGILL there.")
                         .arg(flag, subject.isa->title);
    });
}

void flagsExtra(const Subject &subject, Report &report)
{
    unwanted(subject, report, [&subject](const QString &flag) {
        return isOfAnother(flag, subject) || !namesInstructions(flag)
                   ? QString()
                   : Tr::tr("%1 is not among the flags of %2.").arg(flag, subject.isa->title);
    });
}

void notExported(const Subject &subject, Report &report)
{
    for (const PackageFacts *package : subject.packages()) {
        for (const StatedText &variable : package->notExported)
            report.add(variable.spot,
                       Tr::tr("%1 is set but not exported, so the compiler does not get it.").arg(variable.value),
                       Tr::tr("Write export %1=...").arg(variable.value));
    }
}

void flagsAppended(const Subject &subject, Report &report)
{
    Spot told;
    for (const PackageFacts *package : subject.packages()) {
        const VariableFact *variable = package->variable(u"CXXFLAGS");
        if (!variable || !subject.isa || package->cxxFlags.items.isEmpty() ||
            package->cxxFlags.items.constFirst().spot == told || !variable->value.startsWith("$CXXFLAGS "_L1) ||
            !variable->value.contains(" -m"_L1))
            continue;
        told = package->cxxFlags.items.constFirst().spot;
        report.add(told, Tr::tr("The flags come after the existing CXXFLAGS, so they override them."),
                   Tr::tr("Put them first, as the templates do."));
    }
}

constexpr RuleEntry rulesOfFlags[] = {
    {"cpu-flags-missing", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "Flags of the instruction set are missing."),
     true, flagsMissing, QT_TRANSLATE_NOOP("tmx::Tr", "It is built for any CPU, slower than its name says."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Older recipes, which set CXXFLAGS and leave CFLAGS out.")},
    {"cpu-flags-language", Severity::Note,
     QT_TRANSLATE_NOOP("tmx::Tr", "Only one of C and C++ is compiled for the instruction set."), true, languageMissing,
     QT_TRANSLATE_NOOP("tmx::Tr", "What is written in the other language is built for any CPU."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Libraries whose recipes set CXXFLAGS and leave CFLAGS out.")},
    {"cpu-flags-f16c", Severity::Warning, QT_TRANSLATE_NOOP("tmx::Tr", "An AVX2 recipe does not ask for F16C."), true,
     f16cMissing,
     QT_TRANSLATE_NOOP("tmx::Tr", "Conversions of half precision are slower outside of PyTorch's own kernels."),
     QT_TRANSLATE_NOOP("tmx::Tr", "A few hand-written torchvision recipes.")},
    {"cpu-flags-other", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "There are flags of another instruction set."),
     true, flagsOther,
     QT_TRANSLATE_NOOP("tmx::Tr", "The program crashes with SIGILL on a CPU that its name "
                                  "covers."),
     QT_TRANSLATE_NOOP("tmx::Tr", "AVX-only recipes with -mfma.")},
    {"cpu-flags-extra", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "There are flags that the instruction set does not list."), true, flagsExtra,
     QT_TRANSLATE_NOOP("tmx::Tr", "It may not run on every CPU that its name covers."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"cpu-flags-switches", Severity::Note,
     QT_TRANSLATE_NOOP("tmx::Tr", "An AVX recipe does not switch newer instructions off."), true, switchesMissing,
     QT_TRANSLATE_NOOP("tmx::Tr", "Nothing, unless something else switches them on."),
     QT_TRANSLATE_NOOP("tmx::Tr", "vLLM recipes for AVX, which have -mavx alone.")},
    {"variable-not-exported", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "Flags are set for the shell alone."),
     false, notExported, QT_TRANSLATE_NOOP("tmx::Tr", "It is built for any CPU, slower than its name says."),
     QT_TRANSLATE_NOOP("tmx::Tr", "A lost \"export\"; in tests only so far.")},
    {"cpu-flags-appended", Severity::Note, QT_TRANSLATE_NOOP("tmx::Tr", "The flags are appended."), false,
     flagsAppended, QT_TRANSLATE_NOOP("tmx::Tr", "The flags override those of nixpkgs."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Older two-stage recipes.")},
};

} // namespace

std::span<const RuleEntry> flagRules()
{
    return rulesOfFlags;
}

} // namespace tmx
