// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Subject.h"

#include "model/settings/PinVersion.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// Whether torch comes from another source than nixpkgs: the settings say so, or the recipe fetches one.
bool bringsTorch(const Subject &subject)
{
    if (!subject.torchBase.sourceHash.isEmpty())
        return true;
    if (subject.torch && subject.torch->attribute && subject.torch->src.spot)
        return true;
    const OverlayFacts *overlay = subject.overlay(OverlayFacts::Kind::Torch);
    return overlay && overlay->src.spot;
}

/// The version of torch in its nixpkgs; empty if that is unknown.
QString torchOfNixpkgs(const Subject &subject)
{
    const PinFacts *fetched = subject.pin();
    const QString revision = fetched ? fetched->revision.value : subject.torchBase.pin.revision;
    return versionOfPin(*subject.input.catalog, u"pytorch"_s, revision);
}

/// The items with their places in the file that they are in; nullopt if there are none, or if it is not one file.
std::optional<QList<StatedText>> inOneFile(QList<StatedText> items)
{
    if (items.isEmpty())
        return std::nullopt;
    const quint16 file = items.constFirst().spot.file;
    for (StatedText &item : items) {
        if (std::exchange(item.spot.file, 0) != file)
            return std::nullopt;
    }
    return items;
}

} // namespace

Subject::Subject(const AuditInput &given, const RecipeFacts &read)
    : input(given)
    , facts(read)
    , package(read.package)
    , family(given.catalog->family(given.variant.family))
    , row(given.catalog->row(given.variant.row))
    , isa(given.catalog->isa(given.variant.isa))
    , base(given.settings->profileOf(given.variant))
    , torchBase(given.settings->profileOf(torchVariantOf(given.variant)))
    , pname(given.settings->pnameOf(given.variant))
    , notation(given.settings->notationOf(given.variant))
{
    gpu = row && row->isGpu();
    cuda = gpu || (!row && !given.variant.cuda.isEmpty());
    companion = family && family->companion;
    const QString base = family ? family->attribute : QString();
    const bool isTorch =
        base == "torch"_L1 || package.attribute.value == "torch"_L1 || package.attribute.value == "pytorch"_L1;
    torch = companion ? facts.torch.package.get() : isTorch ? &facts.package : nullptr;
    inner = !torch && !companion && facts.torch.kind == TorchSource::Kind::Built ? facts.torch.package.get() : nullptr;
    built = companion || torch ? torch : &facts.compiled();
    const bool one = row && row->platforms.size() == 1 && input.variant.unknownIsa().isEmpty();
    platform = isa ? isa->platform : one ? row->platforms.constFirst() : systemInName(input.variant);
    // Metal needs no extra work for a newer torch.
    upgrades = isa && bringsTorch(*this);
}

const OverlayFacts *Subject::overlay(OverlayFacts::Kind kind) const
{
    for (qsizetype i = facts.overlays.size(); i-- > 0;) {
        if (facts.overlays.at(i).kind == kind)
            return &facts.overlays.at(i);
    }
    return nullptr;
}

QString Subject::torchFromNixpkgs() const
{
    const bool isThere =
        companion ? facts.torch.kind == TorchSource::Kind::NotStated || facts.torch.kind == TorchSource::Kind::Built
                  : torch != nullptr;
    return isThere && pin() && !bringsTorch(*this) && !(torch && torch->builtVersion()) ? torchOfNixpkgs(*this)
                                                                                        : QString();
}

bool Subject::nixpkgsIsOlder() const
{
    const QString has = torchOfNixpkgs(*this);
    const StatedText built = torch ? torch->builtVersion() : StatedText();
    const QString builds = torchBase.version.isEmpty() && built.known ? built.value : torchBase.version;
    return upgrades && !has.isEmpty() && !builds.isEmpty() && compareVersions(has, builds) < 0;
}

bool Subject::nixpkgsLacksToolkit() const
{
    const Toolkit *toolkit = gpu ? input.catalog->toolkit(input.variant.cuda) : nullptr;
    if (!toolkit || toolkit->firstTorch.isEmpty())
        return false;
    const QString has = torchOfNixpkgs(*this);
    return !has.isEmpty() && compareVersions(has, toolkit->firstTorch) < 0;
}

StatedText Subject::toolkit() const
{
    return facts.toolkit();
}

bool Subject::wasRead(const PackageFacts &of, int parts) const
{
    for (const auto &[part, stop] : {std::pair(Origin, &of.unread.origin),
                                     {Arguments, &of.unread.arguments},
                                     {Attributes, &of.unread.attributes}}) {
        if ((parts & part) == 0 || !*stop)
            continue;
        stopAt(*stop);
        return false;
    }
    return true;
}

QList<NamedText> Subject::ownWays(const PackageFacts &of, Hardware hardware)
{
    // What other rules know.
    static const QSet<QString> known{u"CXXFLAGS"_s,   u"CFLAGS"_s,      u"TORCH_CUDA_ARCH_LIST"_s,
                                     u"gpuTargets"_s, u"cudaSupport"_s, u"CMAKE_CUDA_ARCHITECTURES"_s};
    static const QRegularExpression gpuName(u"ARCH|CAPABILIT|COMPUTE|GENCODE|GENERATE_CODE|(^|_)SMS?(_|$)"_s,
                                            QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression gpuValue(
        u"\\b(sm|compute|gfx)_?\\d{2,4}[af]?\\b|(ARCH|CAPABILIT|TARGET_SM)\\w*[=: \"]+\\d"_s);
    static const QRegularExpression cpu(u"-m(arch=|cpu=|avx|fma|sse)|AVX|SSE4|ARM_ARCH|(^|[^A-Za-z])SVE|NEON|target-("
                                        u"cpu|feature)=|GOAMD64|(^|_)NATIVE(_|$| )|"
                                        "^[A-Z0-9_]+ (sse4|avx)\\w*$"_s);
    QList<NamedText> ways;
    const auto add = [&](const NamedText &stated) {
        const bool says = hardware == Hardware::Gpu
                              ? (gpuName.match(stated.name).hasMatch() && !cpu.match(stated.name).hasMatch()) ||
                                    gpuValue.match(stated.value).hasMatch()
                              : cpu.match(stated.name + u' ' + stated.value).hasMatch();
        if (says && !known.contains(stated.name) && !isFalse(stated.value))
            ways.append(stated);
    };
    // Bazel's options set variables for the steps of a build: bazelFlags = [ "--repo_env=NAME=VALUE" ].
    static const QRegularExpression environment(u"--(?:repo|action|host_action)_env=(\\w+)=([^\\s\"]+)"_s);
    const auto addOptions = [&](const NamedText &stated) {
        const qsizetype before = ways.size();
        for (const QRegularExpressionMatch &match : environment.globalMatch(stated.value))
            add({match.captured(1), match.captured(2), stated.spot, stated.known});
        if (ways.size() == before)
            add(stated);
    };
    std::ranges::for_each(of.arguments, add);
    std::ranges::for_each(of.otherAttributes, addOptions);
    for (const VariableFact &variable : of.environment)
        add({variable.name, variable.value, variable.spot, variable.known});
    for (const StatedText &flag : of.cmakeFlags.items) {
        const QString text = flag.value.startsWith("-D"_L1) ? flag.value.sliced(2) : flag.value;
        add({text.section(u'=', 0, 0).section(u':', 0, 0), text.section(u'=', 1), flag.spot, flag.known});
    }
    return ways;
}

QList<NamedText> Subject::waysInCommands(const PackageFacts &of, Hardware hardware)
{
    static const QRegularExpression gpu(
        u"\\b(sm|compute)_\\d{2,3}[af]?\\b|\\w*(ARCH(S|ITECTURES)?|CAPABILIT(Y|IES))\\b\\W{1,3}\\d[\\w.;,-]*"_s);
    static const QRegularExpression cpu(u"(?<![^\\s\"'=(,])-m(arch=|cpu=|avx|fma|f16c|sse|no-)[\\w.+-]*"_s);
    QList<NamedText> ways;
    for (const CommandFact &command : of.commands) {
        const QString name = command.words.value(0);
        if (name == "echo"_L1 || name == "printf"_L1)
            continue;
        const QString text = command.words.join(u' ') + u'\n' + command.document;
        QStringList found;
        for (const QRegularExpressionMatch &match : (hardware == Hardware::Gpu ? gpu : cpu).globalMatch(text))
            found.append(match.captured());
        if (!found.isEmpty())
            ways.append({name, found.join(u' '), command.spot, true});
    }
    return ways;
}

void Subject::stopAt(const StatedText &stop) const
{
    if (!m_unread)
        m_unread = stop;
}

bool Subject::wasTorchRead() const
{
    if ((torch && !companion) || facts.torch.kind != TorchSource::Kind::Other)
        return true;
    stopAt(facts.torch.unread);
    return false;
}

bool Subject::hasForeignTorch() const
{
    using Kind = TorchSource::Kind;
    const Kind kind = facts.torch.kind;
    return !companion && !torch && (kind == Kind::Sibling || kind == Kind::Published || kind == Kind::Fetched);
}

QString Subject::toolkitVersion() const
{
    const StatedText set = toolkit();
    if (!set || !set.known || set.value == wantedToolkit())
        return input.variant.cuda;
    const QString version = set.value.section(u'_', 1).replace(u'_', u'.');
    // "cudaPackages_13" is one of several, and "cudaPackages" nixpkgs' default.
    return version.contains(u'.')                              ? version
           : version == input.variant.cuda.section(u'.', 0, 0) ? input.variant.cuda
                                                               : QString();
}

QString Subject::whyNotToolkit() const
{
    const QString version = gpu ? toolkitVersion() : QString();
    return version.isEmpty() ? QString() : input.catalog->whyNotToolkit(*row, version);
}

QString Subject::wantedToolkit() const
{
    if (!base.cudaAttribute.isEmpty() && !base.cudaAttribute.contains(u'.')) // no name in nixpkgs
        return base.cudaAttribute;
    const Toolkit *toolkit = input.catalog->toolkit(input.variant.cuda);
    return toolkit ? toolkit->attribute : "cudaPackages_"_L1 + QString(input.variant.cuda).replace(u'.', u'_');
}

Spot Subject::packageSpot() const
{
    return package.builder ? package.builder.spot : package.attribute.spot;
}

QList<const PackageFacts *> Subject::packages() const
{
    QList<const PackageFacts *> list{&package};
    for (const PackageFacts &library : facts.libraries)
        list.append(&library);
    if (const PackageFacts *other = companion ? torch : inner)
        list.append(other);
    for (const PackageFacts &other : facts.others)
        list.append(&other);
    return list;
}

const QList<Prose> &Subject::prose() const
{
    if (!m_prose)
        m_prose = proseOf(package);
    return *m_prose;
}

const QList<Prose> &Subject::header() const
{
    if (!m_header)
        m_header = headerOf(input.text);
    return *m_header;
}

QByteArray Subject::textOf(const Spot &spot) const
{
    return spot.file == 0 ? input.text : input.files->text(facts.files.value(spot.file - 1)).value_or(QByteArray());
}

QByteArray Subject::textAt(const Spot &spot) const
{
    return textOf(spot).mid(spot.offset, spot.length);
}

Edits Subject::replaced(const Spot &spot, const QString &value, const QString &by) const
{
    Spot there = spot;
    there.file = 0;
    return tmx::replaced(textOf(spot), there, value, by);
}

Edits Subject::attributeBeside(const Spot &value, const QByteArray &name, const QByteArray &wanted) const
{
    Spot there = value;
    there.file = 0;
    return tmx::attributeBeside(textOf(value), there, name, wanted);
}

Edits Subject::itemBehind(const Spot &spot, const QByteArray &item) const
{
    Spot there = spot;
    there.file = 0;
    return tmx::itemBehind(textOf(spot), there, item);
}

Edits Subject::listMadeTo(const QList<StatedText> &items, const QStringList &wanted) const
{
    const auto there = inOneFile(items);
    return there ? tmx::listMadeTo(textOf(items.constFirst().spot), *there, wanted) : Edits();
}

Edits Subject::listCompleted(const QList<StatedText> &items, const QStringList &order, const QStringList &missing) const
{
    const auto there = inOneFile(items);
    return there ? tmx::listCompleted(textOf(items.constFirst().spot), *there, order, missing) : Edits();
}

bool takesTorch(const QString &attribute)
{
    static const QStringList users{u"bitsandbytes"_s, u"deepspeed"_s,   u"flash-attn"_s, u"sglang"_s,  u"torchaudio"_s,
                                   u"torchcodec"_s,   u"torchvision"_s, u"vllm"_s,       u"xformers"_s};
    return users.contains(attribute);
}

bool isTrue(QStringView value)
{
    return value == "1"_L1 || value == "ON"_L1 || value == "TRUE"_L1 || value == "YES"_L1;
}

bool isFalse(QStringView value)
{
    return value == "0"_L1 || value == "OFF"_L1 || value == "FALSE"_L1 || value == "NO"_L1;
}

bool isSwitchedOn(const PackageFacts &package, const QString &name)
{
    const VariableFact *variable = package.variable(name);
    return (variable && isTrue(variable->value)) || isTrue(definitionOf(package.cmakeFlags, name).value);
}

bool isSwitchedOff(const PackageFacts &package, const QString &name)
{
    const VariableFact *variable = package.variable(name);
    return (variable && isFalse(variable->value)) || isFalse(definitionOf(package.cmakeFlags, name).value);
}

void Report::begin(const QString &rule, Severity severity)
{
    m_rule = rule;
    m_severity = severity;
}

void Report::add(const Spot &spot, const QString &sentence, const QString &advice, const Edits &edits)
{
    found.append({{m_rule, m_severity, sentence, spot.line, spot.column, int(spot.length), advice, !edits.isEmpty(),
                   m_files.value(spot.file - 1)},
                  edits});
}

void Report::addNote(const Spot &spot, const QString &sentence, const QString &advice, const Edits &edits)
{
    add(spot, sentence, advice, edits);
    found.last().finding.severity = Severity::Note;
}

} // namespace tmx
