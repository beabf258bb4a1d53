// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/PackageReader.h"

#include "model/base/ByteView.h"
#include "model/recipe/NixpkgsNames.h"
#include "model/recipe/PhaseReader.h"

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace tmx {

using nix::UnknownKind;
using nix::Value;
using nix::ValueKind;

namespace {

using namespace std::string_view_literals;

constexpr std::array inputLists{"buildInputs"sv, "nativeBuildInputs"sv, "propagatedBuildInputs"sv, "dependencies"sv,
                                "build-system"sv};

bool isPythonSet(const QByteArray &name)
{
    return name.startsWith("python") && name.endsWith("Packages");
}

bool isVariableName(const QByteArray &name)
{
    return !name.isEmpty() && std::ranges::all_of(name, [](char c) {
        return (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
    });
}

/// `python312` in `python312.pkgs`, `python3` in a nixpkgs' default Python.
bool isPython(const QByteArray &name)
{
    return name.startsWith("python") && !isPythonSet(name);
}

/// "NAME" and the value in `lib.cmakeFeature "NAME" "value"` and `lib.cmakeBool "NAME" true`; nullopt for another
/// value.
std::optional<std::pair<QByteArray, Value>> cmakeDefinition(const Value &value)
{
    if (value.kind() != ValueKind::Unknown || value.unknown() != UnknownKind::Call)
        return std::nullopt;
    const Value inner = value.base();
    const QByteArray function = inner.base().name();
    if (inner.unknown() != UnknownKind::Call || (function != "cmakeFeature" && function != "cmakeBool"))
        return std::nullopt;
    const auto name = inner.argument().text();
    return name ? std::optional(std::pair(*name, value.argument())) : std::nullopt;
}

/// Whether the text has commands that are unknown: a hole where a command begins, other than the package's own phase.
bool hasUnknownCommands(const Value &script)
{
    const QByteArray text = script.textAround();
    const std::vector<Value> holes = script.holes();
    size_t hole = 0;
    for (qsizetype at = text.indexOf('\x1a'); at >= 0 && hole < holes.size(); at = text.indexOf('\x1a', at + 1)) {
        const Value &value = holes[hole++];
        if (isOldValue(value))
            continue;
        qsizetype begin = at;
        while (begin > 0 && (text.at(begin - 1) == ' ' || text.at(begin - 1) == '\t'))
            --begin;
        const bool isCommand = begin == 0 || text.at(begin - 1) == '\n';
        if (isCommand && text.mid(at + 1, 1) != "/") // "${package}/bin/program"
            return true;
    }
    return false;
}

/// One call between nixpkgs' package and the recipe's.
struct Stage {
    QByteArray method;
    Value argument;
};

/// "580.65.06" in a line about the driver: the first number of three digits or more, with its parts.
std::pair<qsizetype, qsizetype> driverNumber(const QByteArray &text)
{
    const QByteArray lower = text.toLower();
    for (qsizetype line = lower.indexOf("driver"); line >= 0; line = lower.indexOf("driver", line + 1)) {
        const qsizetype end = lower.indexOf('\n', line) < 0 ? lower.size() : lower.indexOf('\n', line);
        for (qsizetype at = line; at < end; ++at) {
            qsizetype last = at;
            while (last < end && lower.at(last) >= '0' && lower.at(last) <= '9')
                ++last;
            if (last - at < 3) {
                at = std::max(at, last);
                continue;
            }
            while (last + 1 < end && lower.at(last) == '.' && lower.at(last + 1) >= '0' && lower.at(last + 1) <= '9') {
                ++last;
                while (last < end && lower.at(last) >= '0' && lower.at(last) <= '9')
                    ++last;
            }
            return {at, last - at};
        }
        line = end - 1;
    }
    return {0, 0};
}

} // namespace

Value PackageReader::given(Value value)
{
    for (int i = 0; i < 2 && value.kind() == ValueKind::Function; ++i)
        value = m_fold.call(value, m_fold.argument(i == 0 ? "oldAttrs" : "prevAttrs"));
    return value;
}

ReadPackage PackageReader::read(Value value)
{
    ReadPackage package;
    std::vector<Stage> stages;
    while (value.kind() == ValueKind::Unknown) {
        if (value.unknown() == UnknownKind::Conditional) {
            value = value.argument();
            continue;
        }
        if (value.unknown() != UnknownKind::Call)
            break;
        const Value callee = value.base();
        const QByteArray name = callee.name();
        if (callee.unknown() == UnknownKind::Select && isOverride(viewOf(name))) {
            stages.push_back({name, value.argument()});
            value = callee.base();
        } else if ((callee.unknown() == UnknownKind::Select || callee.unknown() == UnknownKind::Argument) &&
                   isBuilder(viewOf(name))) {
            stages.push_back({"builder", value.argument()});
            package.facts.builder = {toText(name), m_places.spotOfName(callee), true};
            package.nixpkgs = callee.unknown() == UnknownKind::Select ? callee.base() : Value();
            value = {};
        } else {
            break;
        }
    }
    if (!package.facts.builder)
        readAttribute(value, package);
    if (!package.facts.builder && !package.facts.attribute)
        package.stopped = m_places.stop(value);
    for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
        const Value set = given(stage->argument);
        const bool isArguments = stage->method == "override";
        if (set.kind() != ValueKind::Attributes || !set.isComplete()) {
            StatedText &unread = isArguments ? package.facts.unread.arguments : package.facts.unread.attributes;
            unread = m_places.stop(set.node() ? set : stage->argument);
        }
        if (set.kind() != ValueKind::Attributes)
            continue;
        if (isArguments) {
            package.facts.overrideSpot = m_places.spotOf(set);
            readArguments(set, package);
        } else {
            package.facts.attributesSpot = m_places.spotOf(set);
            readAttributes(set, package.facts);
        }
    }
    return package;
}

void PackageReader::readAttribute(const Value &value, ReadPackage &package)
{
    PackageFacts &facts = package.facts;
    if (value.unknown() != UnknownKind::Select && value.unknown() != UnknownKind::Argument)
        return;
    facts.attribute = {toText(value.name()), m_places.spotOfName(value), true};
    if (value.unknown() == UnknownKind::Argument)
        return;
    const Value set = readPythonSet(value.base(), package);
    package.nixpkgs = set;
    if ((set.unknown() == UnknownKind::Select || set.unknown() == UnknownKind::Argument) && isPythonSet(set.name())) {
        facts.packageSet = {toText(set.name()), m_places.spotOfName(set, value), true};
        package.nixpkgs = set.unknown() == UnknownKind::Select ? set.base() : Value();
    } else if (set.unknown() == UnknownKind::Select && set.name() == "pkgs" && set.base().name().startsWith("python")) {
        facts.packageSet = {toText(set.base().name()) + "Packages"_L1, m_places.spotOfName(set, value), true};
        package.nixpkgs = set.base().unknown() == UnknownKind::Select ? set.base().base() : Value();
    }
}

/// The set that `(python3.override { packageOverrides = ...; }).pkgs` and `python3Packages.override { overrides = ...;
/// }` change; reads the torch that they put into it.
Value PackageReader::readPythonSet(Value set, ReadPackage &package)
{
    const bool inner = set.unknown() == UnknownKind::Select && set.name() == "pkgs";
    const Value outer = set;
    Value python = inner ? set.base() : set;
    bool changed = false;
    while (python.kind() == ValueKind::Unknown && python.unknown() == UnknownKind::Call &&
           python.base().unknown() == UnknownKind::Select && python.base().name() == "override") {
        const Value from = python.base().base();
        if (!(inner ? isPython(from.name()) : isPythonSet(from.name())) && from.unknown() != UnknownKind::Call)
            return outer;
        const Value arguments = given(python.argument());
        const auto overrides = entryOf(arguments, inner ? "packageOverrides" : "overrides");
        const Value packages =
            overrides ? m_fold.call(m_fold.call(overrides->value, m_fold.argument("final")), m_fold.argument("prev"))
                      : Value();
        if (packages.kind() != ValueKind::Attributes || !packages.isComplete())
            package.facts.unread.origin = m_places.stop(overrides ? overrides->value : python.argument());
        for (const Value::Entry &entry : packages.entries()) {
            if (entry.name == "torch" || entry.name == "pytorch") {
                package.torch = entry.value;
                package.torchDefinition = entry.definition;
            }
            // The package itself is another one.
            if (toText(entry.name) == package.facts.attribute.value)
                package.facts.unread.attributes = package.facts.unread.arguments =
                    m_places.stop(entry.value, entry.definition);
        }
        python = from;
        changed = true;
    }
    if (!changed)
        return outer;
    if (!inner)
        return python;
    // As `nixpkgs.python312.pkgs` is read.
    package.facts.packageSet = {toText(python.name()) + "Packages"_L1, m_places.spotOfName(python, outer), true};
    return python.unknown() == UnknownKind::Select ? python.base() : Value();
}

void PackageReader::readArguments(const Value &set, ReadPackage &package)
{
    PackageFacts &facts = package.facts;
    for (const Value::Entry &entry : set.entries()) {
        facts.arguments.append(m_places.named(entry));
        if (entry.name == "cudaSupport") {
            facts.cudaSupport = m_places.flag(entry.value, entry.definition);
        } else if (entry.name == "gpuTargets") {
            facts.gpuTargets = m_places.list(entry.value, entry.definition);
        } else if (entry.name == "torch" || entry.name == "pytorch") {
            package.torch = entry.value;
            package.torchDefinition = entry.definition;
        } else if (toText(entry.name) == facts.attribute.value) {
            package.library = entry.value;
        }
    }
}

void PackageReader::readAttributes(const Value &set, PackageFacts &facts)
{
    std::vector<Value::Entry> phases;
    for (const Value::Entry &entry : set.entries()) {
        if (readText(entry, facts))
            continue;
        if (isPhase(entry.name)) {
            // A text that does not begin with the old one replaces it.
            if (entry.value.kind() == ValueKind::Text && !entry.value.textAround().startsWith('\x1a')) {
                const QString phase = toText(entry.name);
                facts.environment.removeIf([&phase](const VariableFact &variable) { return variable.phase == phase; });
                facts.commands.removeIf([&phase](const CommandFact &command) { return command.phase == phase; });
            }
            if (entry.value.kind() == ValueKind::Text)
                phases.push_back(entry);
            // Not if the whole set is uncertain: then that place says more.
            if (!facts.unread.attributes &&
                (entry.value.kind() != ValueKind::Text ? !isOldValue(entry.value) : hasUnknownCommands(entry.value)))
                facts.unread.attributes = m_places.stop(entry.value, entry.definition);
        } else if (entry.name == "cmakeFlags") {
            readCMakeFlags(entry, facts);
        } else if (entry.name == "passthru") {
            for (const Value::Entry &fact : entry.value.entries()) {
                facts.passthru.append(m_places.named(fact));
                if (fact.name == "torch")
                    m_torchInPassthru = fact.value;
            }
        } else if (entry.name == "env") {
            if (!facts.unread.attributes && entry.value.kind() != ValueKind::Attributes)
                facts.unread.attributes = m_places.stop(entry.value, entry.definition);
            for (const Value::Entry &variable : entry.value.entries())
                readVariable(variable, facts);
        } else if (entry.name == "meta") {
            if (!facts.unread.attributes && entry.value.kind() != ValueKind::Attributes)
                facts.unread.attributes = m_places.stop(entry.value, entry.definition);
            readMeta(entry.value, facts);
        } else if (entry.name == "src") {
            readSource(entry.value, facts.src);
        } else if (std::ranges::find(inputLists, viewOf(entry.name)) != inputLists.end()) {
            for (const Value::Item &item : entry.value.items()) {
                if (const QString name = item.spliced ? QString() : dottedName(item.value); !name.isEmpty())
                    facts.inputs.append(name);
            }
        } else if (entry.name == "ninjaFlags" || isVariableName(entry.name)) {
            readVariable(entry, facts);
        }
    }
    readPhases(m_places, phases, facts);
    readFlagsOfCMake(facts);
    for (const CommandFact &command : std::as_const(facts.commands)) {
        if (command.output.endsWith("/.metadata-rev"_L1) && command.words.size() == 2)
            facts.metadataRevision = {command.words.at(1), command.spot, true};
    }
}

bool PackageReader::readText(const Value::Entry &entry, PackageFacts &facts)
{
    StatedText *text = entry.name == "pname"     ? &facts.pname
                       : entry.name == "name"    ? &facts.name
                       : entry.name == "version" ? &facts.version
                                                 : nullptr;
    if (text)
        *text = m_places.text(entry.value, entry.definition);
    return text != nullptr;
}

void PackageReader::readVariable(const Value::Entry &entry, PackageFacts &facts)
{
    const NamedText named = m_places.named(entry);
    facts.environment.append({named.name, named.value, u"env"_s, named.spot, named.known});
    readFlagsOf(m_places, entry, facts);
}

void PackageReader::readCMakeFlags(const Value::Entry &entry, PackageFacts &facts)
{
    StatedList list = m_places.list(entry.value, entry.definition);
    const auto isRead = [](const Value::Item &item) { return !item.spliced || isOldValue(item.value); };
    const std::vector<Value::Item> items = entry.value.items();
    qsizetype next = 0; // list() has one for each item that is not spliced
    for (const Value::Item &item : items) {
        if (item.spliced)
            continue;
        StatedText &flag = list.items[next++];
        const auto definition = cmakeDefinition(item.value);
        if (!definition)
            continue;
        const StatedText value = m_places.text(definition->second);
        const std::optional<bool> isOn = definition->second.boolean();
        flag = {"-D"_L1 + toText(definition->first) + u'=' + (isOn ? QString(*isOn ? "ON"_L1 : "OFF"_L1) : value.value),
                value.spot ? value.spot : flag.spot, value.known || isOn};
    }
    list.known = entry.value.kind() == ValueKind::List && std::ranges::all_of(list.items, &StatedText::known) &&
                 std::ranges::all_of(items, isRead);
    if (list.extends && facts.cmakeFlags) {
        list.items = facts.cmakeFlags.items + list.items;
        list.known = list.known && facts.cmakeFlags.known;
    }
    facts.cmakeFlags = std::move(list);
}

void PackageReader::readMeta(const Value &meta, PackageFacts &facts)
{
    for (const Value::Entry &entry : meta.entries()) {
        if (entry.name == "description" || entry.name == "longDescription") { // in that order
            (entry.name == "description" ? facts.description : facts.longDescription) =
                m_places.written(entry.value, entry.definition);
            const QByteArray text = entry.value.textAround();
            if (const auto [from, length] = driverNumber(text); length > 0)
                facts.driver = {toText(text.sliced(from, length)),
                                m_places.spotWithin(entry.value, from, length, entry.definition), true};
        } else if (entry.name == "platforms") {
            facts.platforms = m_places.list(entry.value, entry.definition);
        }
    }
}

void PackageReader::readSource(const Value &source, SourceFacts &facts)
{
    if (source.kind() != ValueKind::Unknown || source.unknown() != UnknownKind::Call)
        return;
    facts.fetcher = toText(source.base().name());
    facts.spot = m_places.spotOf(source);
    for (const Value::Entry &entry : source.argument().entries()) {
        StatedText *text = entry.name == "owner"                            ? &facts.owner
                           : entry.name == "repo"                           ? &facts.repository
                           : entry.name == "rev" || entry.name == "tag"     ? &facts.revision
                           : entry.name == "hash" || entry.name == "sha256" ? &facts.hash
                                                                            : nullptr;
        if (text)
            *text = m_places.text(entry.value, entry.definition);
        else if (entry.name == "fetchSubmodules")
            facts.submodules = m_places.flag(entry.value, entry.definition);
    }
}

} // namespace tmx
