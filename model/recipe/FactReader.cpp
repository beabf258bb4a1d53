// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/ByteView.h"
#include "model/nix/Parse.h"
#include "model/recipe/NixpkgsNames.h"
#include "model/recipe/PhaseReader.h"
#include "model/recipe/RecipeFacts.h"
#include "model/recipe/RecipeScan.h"

#include <QRegularExpression>
#include <QSet>

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
constexpr std::array fetchers{"fetchTarball"sv,    "fetchGit"sv, "fetchTree"sv, "fetchzip"sv,
                              "fetchFromGitHub"sv, "fetchurl"sv, "getFlake"sv};
constexpr std::array commitFetchers{"fetchGit"sv, "fetchTree"sv, "getFlake"sv};
constexpr std::array torchNames{"torch"sv, "pytorch"sv};
/// Functions of nixpkgs that return the package that they get, with another priority or as one of Python.
constexpr std::array passing{"toPythonModule"sv, "toPythonApplication"sv, "hiPrio"sv, "lowPrio"sv, "dontDistribute"sv};
constexpr std::array hashNames{"hash"sv, "sha256"sv, "narHash"sv};

template <class Names>
bool isOneOf(const Names &names, const QByteArray &name)
{
    return std::ranges::find(names, viewOf(name)) != names.end();
}

bool isCall(const Value &value)
{
    return value.kind() == ValueKind::Unknown && value.unknown() == UnknownKind::Call;
}

/// Whether it is `package.override` or the like, of which value.base() is the package.
bool isMethod(const Value &value)
{
    return value.unknown() == UnknownKind::Select && isOverride(viewOf(value.name()));
}

bool isPythonSet(const QByteArray &name)
{
    return name.startsWith("python") && name.endsWith("Packages");
}

/// `python312` in `python312.pkgs`, `python3` in a nixpkgs' default Python.
bool isPython(const QByteArray &name)
{
    return name.startsWith("python") && !isPythonSet(name);
}

bool isVariableName(const QByteArray &name)
{
    return !name.isEmpty() && std::ranges::all_of(name, [](char c) {
        return (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
    });
}

/// "NAME" and the value in `lib.cmakeFeature "NAME" "value"` and `lib.cmakeBool "NAME" true`; nullopt for another
/// value.
std::optional<std::pair<QByteArray, Value>> cmakeDefinition(const Value &value)
{
    if (!isCall(value))
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

/// Whether it is the old value with other words: `builtins.replaceStrings [ ... ] [ ... ] (old.postPatch or "")`.
bool isReworded(const Value &value)
{
    return isCall(value) && value.base().kind() == ValueKind::Function && value.base().name() == "replaceStrings" &&
           isOldValue(value.argument());
}

/// Attributes of the package before that a phase has: "preConfigure" in `(old.preConfigure or "") + ...`.
QList<QByteArray> oldParts(const Value &script)
{
    QList<QByteArray> names;
    for (const Value &hole : script.holes()) {
        if (isOldValue(hole))
            names.append(hole.name());
    }
    return names;
}

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

/// Position of the revision in an archive's URL: ".../archive/REV.tar.gz", ".../archive/REV/NAME-REV.tar.gz",
/// ".../tarball/REV".
std::pair<qsizetype, qsizetype> revisionIn(const QByteArray &url)
{
    if (url.startsWith("github:") && url.count('/') == 2) {
        const qsizetype from = url.lastIndexOf('/') + 1;
        const qsizetype end = url.indexOf('?', from);
        return {from, (end < 0 ? url.size() : end) - from};
    }
    for (const QByteArray &marker : {QByteArray("/archive/"), QByteArray("/tarball/")}) {
        const qsizetype found = url.indexOf(marker);
        if (found < 0)
            continue;
        const qsizetype from = found + marker.size();
        constexpr qsizetype digits = 40; // of a commit id; a branch may have slashes in its name
        if (from + digits < url.size() && url.at(from + digits) == '/')
            return {from, digits};
        qsizetype end = url.indexOf(".tar", from);
        if (end < 0)
            end = url.indexOf(".zip", from);
        return {from, (end < 0 ? url.size() : end) - from};
    }
    return {0, 0};
}

/// The CUDA package set among the names of a selection, ignoring calls on it.
Value cudaSetIn(Value value)
{
    while (value.kind() == ValueKind::Unknown) {
        if (value.unknown() == UnknownKind::Select && value.name().startsWith("cudaPackages"))
            return value;
        if (value.unknown() != UnknownKind::Select && value.unknown() != UnknownKind::Call)
            break;
        value = value.base();
    }
    return {};
}

/// What `import x { }` and `callPackage x { }` read, also below .override; the Path or the Text x.
Value importedIn(Value value)
{
    while (isCall(value)) {
        const Value argument = value.argument();
        value = value.base();
        const bool named = argument.kind() == ValueKind::Path || argument.kind() == ValueKind::Text;
        if (named && (value.name() == "import" || value.name() == "callPackage"))
            return argument;
        if (value.unknown() == UnknownKind::Select && value.name().startsWith("override"))
            value = value.base();
    }
    return {};
}

/// Whether a path is that of a recipe of PyTorch: "./pytorch-python313-....nix".
bool isTorchFile(const Value &path)
{
    const QByteArray text = path.textAround();
    return QByteArrayView(text).sliced(text.lastIndexOf('/') + 1).startsWith("pytorch");
}

bool isNoDerivation(ValueKind kind)
{
    switch (kind) {
    case ValueKind::Null:
    case ValueKind::Boolean:
    case ValueKind::Integer:
    case ValueKind::Float:
    case ValueKind::Text:
    case ValueKind::Path:
    case ValueKind::List: return true;
    case ValueKind::Attributes:
    case ValueKind::Function:
    case ValueKind::Unknown: break;
    }
    return false;
}

/// Asks the value of a recipe for its facts: the package, the nixpkgs that it comes from, the library and the torch
/// that are built for it.
class FactReader
{
public:
    FactReader(const std::shared_ptr<const nix::Tree> &tree, const RecipeImports *imports)
        : m_tree(*tree)
        , m_imports(imports)
        , m_fold(tree, foldOptions(imports))
        , m_places(*tree, imports ? imports->files.get() : nullptr)
    {
    }

    RecipeFacts read()
    {
        if (const auto *function = nix::as<nix::Lambda>(m_tree.root())) {
            for (const nix::Formal &formal : function->formals)
                m_facts.arguments.append(tmx::toText(m_tree.name(formal.symbol)));
        }
        scanRecipe(m_tree, m_places, m_facts);
        const Value result = m_fold.result();
        m_facts.noDerivation = isNoDerivation(result.kind());
        Package package = packageOf(result);
        m_facts.stopped = package.stopped;
        if (package.facts.builder && !isThere(package.torch))
            package.torch = m_inputTorch;
        m_ownName = package.facts.attribute.value;
        readOrigin(package);
        readOverlaid(package, result);
        readCompiler(package);
        m_facts.package = std::move(package.facts);
        readGiven(package.given);
        readReplaced(m_facts.package);
        for (PackageFacts &library : m_facts.libraries)
            readReplaced(library);
        const auto hasTorch = [&] { return isThere(package.torch) || package.torchDefinition; };
        const bool isTorch = isOneOf(torchNames, m_facts.package.attribute.value.toUtf8());
        if (!isThere(package.torchOfSet) &&
            (m_torchSet.isEmpty() || m_facts.package.packageSet.value == toText(m_torchSet)))
            package.torchOfSet = m_torch;
        if (!isTorch && !hasTorch())
            package.torch = package.torchOfSet;
        if (hasTorch())
            readTorch(package);
        readOthers();
        if (m_torchInPassthru.node())
            readFetched(importedIn(m_torchInPassthru), m_facts.torchInPassthru);
        m_facts.refersToItself = m_fold.refersToItself();
        for (const nix::Fold::Failure &failure : m_fold.failures()) {
            constexpr qsizetype most = 200; // bytes of a message
            const Spot spot = failure.node ? m_places.spot(failure.node->span, failure.node->file) : Spot();
            const EvaluationFailure entry{
                failure.what, {toText(failure.name.first(std::min(most, failure.name.size()))), spot, true}};
            if (failure.node && !m_facts.failures.contains(entry))
                m_facts.failures.append(entry);
        }
        m_facts.files = m_places.files();
        m_facts.importTroubles = m_imports ? m_imports->troubles : QList<ImportTrouble>();
        for (const ImportTrouble &trouble : std::as_const(m_facts.importTroubles)) {
            for (const QString &file : {trouble.file, trouble.mistake.isEmpty() ? QString() : trouble.path}) {
                if (!file.isEmpty() && !m_facts.files.contains(file))
                    m_facts.files.append(file);
            }
        }
        return std::move(m_facts);
    }

private:
    /// An expression that evaluates to a package.
    struct Package {
        PackageFacts facts;
        Value nixpkgs; ///< origin of the package set, or of the attribute itself; Unknown Opaque if that is an argument
        Value torch;   ///< set with `.override { torch = ...; }`, or among the Python packages that it comes from
        const nix::Attribute *torchDefinition = nullptr;
        Value torchOfSet;                ///< among those Python packages
        std::vector<Value::Entry> given; ///< changed packages among the arguments of `.override` and the inputs
        Value stdenv;                    ///< set with `.override`, or the one whose mkDerivation is called
        StatedText stopped;              ///< without an attribute and a builder: where reading stopped, and why

        [[nodiscard]] bool isFound() const { return facts.attribute || facts.builder; }
    };

    static bool isThere(const Value &value) { return value.isKnown() || value.node(); }

    /// An argument set: given directly, or by a function of the old set, or of the final and the old one.
    Value given(Value value)
    {
        for (int i = 0; i < 2 && value.kind() == ValueKind::Function; ++i)
            value = m_fold.call(value, m_fold.argument(i == 0 ? "oldAttrs" : "prevAttrs"));
        return value;
    }

    /// What an overlay, or a function of Python packages, puts into a set. Their sets have different names.
    enum class Of { Nixpkgs, Python };
    Value overlaid(const Value &overlay, Of of)
    {
        const char *name = of == Of::Python ? "self" : "final";
        const Value set = m_fold.call(m_fold.call(overlay, m_fold.argument(name)),
                                      m_fold.argument(of == Of::Python ? "super" : "prev"));
        for (const Value::Entry &entry : set.entries()) {
            const Value from = changedBy(entry.value);
            const bool own = from.unknown() == UnknownKind::Select && from.name() == entry.name &&
                             from.base().unknown() == UnknownKind::Argument && from.base().name() == name;
            const StatedText found{toText(entry.name), own ? m_places.spotOfName(from) : Spot(), true};
            if (own && !m_facts.selfDefined.contains(found))
                m_facts.selfDefined.append(found);
        }
        return set;
    }

    /// Whether it is not a package of nixpkgs as it is, or an output of one.
    static bool isChanged(const Value &value)
    {
        const bool output = value.unknown() == UnknownKind::Select &&
                            (value.name() == "out" || value.name() == "dev" || value.name() == "lib");
        return isCall(output ? value.base() : value);
    }

    /// The package that .override, .overrideAttrs and the like change.
    static Value changedBy(Value value)
    {
        while (isCall(value) && isMethod(value.base()))
            value = value.base().base();
        return value;
    }

    static bool isWhole(const Value &set) { return set.kind() == ValueKind::Attributes && set.isComplete(); }

    // The package: `nixpkgs.set.attribute` or the arguments of a builder, and the effect of .override and
    // .overrideAttrs.

    /// `below`: what overlays have made of the package before.
    Package packageOf(Value value, const Package *below = nullptr)
    {
        Package package;
        std::vector<std::pair<QByteArray, Value>> stages; // the last one first
        Value module;                                     ///< toPythonModule, which says of which Python it is
        while (value.kind() == ValueKind::Unknown) {
            if (value.unknown() == UnknownKind::Conditional) {
                value = value.argument();
                continue;
            }
            if (value.unknown() != UnknownKind::Call)
                break;
            const Value callee = value.base();
            const bool selected = callee.unknown() == UnknownKind::Select;
            if (isMethod(callee)) {
                stages.emplace_back(callee.name(), value.argument());
                value = callee.base();
            } else if (selected && isOneOf(passing, callee.name())) {
                if (callee.name().startsWith("toPython"))
                    module = callee;
                value = value.argument();
            } else if ((selected || callee.unknown() == UnknownKind::Argument) && isBuilder(viewOf(callee.name()))) {
                stages.emplace_back("builder", value.argument());
                package.facts.builder = {toText(callee.name()), m_places.spotOfName(callee), true};
                if (selected)
                    readSet(callee, package);
                if (selected && callee.name() == "mkDerivation")
                    package.stdenv = callee.base();
                value = {};
            } else {
                break;
            }
        }
        if (!package.facts.builder) {
            if (below)
                package = *below;
            readAttribute(value, package);
        }
        if (isThere(module) && !package.facts.packageSet) {
            Package its;
            readSet(module, its);
            package.facts.packageSet = its.facts.packageSet;
        }
        if (!package.isFound())
            package.stopped = m_places.stop(value);
        for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
            const auto &[method, argument] = *stage;
            const Value set = given(argument);
            const bool isArguments = method == "override";
            UnreadParts &unread = package.facts.unread;
            if (!isWhole(set))
                (isArguments ? unread.arguments : unread.attributes) = m_places.stop(set.node() ? set : argument);
            if (set.kind() != ValueKind::Attributes)
                continue;
            (isArguments ? package.facts.overrideSpot : package.facts.attributesSpot) = m_places.spotOf(set);
            if (isArguments)
                readArguments(set, package);
            else
                readAttributes(set, package);
        }
        return package;
    }

    void readAttribute(const Value &value, Package &package)
    {
        PackageFacts &facts = package.facts;
        if (value.unknown() != UnknownKind::Select && value.unknown() != UnknownKind::Argument)
            return;
        facts.attribute = {toText(value.name()), m_places.spotOfName(value), true};
        if (value.unknown() == UnknownKind::Select)
            readSet(value, package);
    }

    /// The set that a package, or its builder, is selected from.
    void readSet(const Value &value, Package &package)
    {
        PackageFacts &facts = package.facts;
        const auto from = [](const Value &set) { return set.unknown() == UnknownKind::Select ? set.base() : Value(); };
        const Value set = readPythonSet(value.base(), package);
        package.nixpkgs = set;
        if ((set.unknown() == UnknownKind::Select || set.unknown() == UnknownKind::Argument) &&
            isPythonSet(set.name())) {
            facts.packageSet = {toText(set.name()), m_places.spotOfName(set, value), true};
            package.nixpkgs = from(set);
        } else if (set.unknown() == UnknownKind::Select && set.name() == "pkgs" &&
                   set.base().name().startsWith("python")) {
            facts.packageSet = {toText(set.base().name()) + "Packages"_L1, m_places.spotOfName(set, value), true};
            package.nixpkgs = from(set.base());
        }
    }

    /// The set that `(python3.override { packageOverrides = ...; }).pkgs` and `python3Packages.override { overrides =
    /// ...; }` change; reads the torch that they put into it.
    Value readPythonSet(const Value &outer, Package &package)
    {
        const bool inner = outer.unknown() == UnknownKind::Select && outer.name() == "pkgs";
        Value python = inner ? outer.base() : outer;
        bool changed = false;
        while (isCall(python) && python.base().unknown() == UnknownKind::Select &&
               (python.base().name() == "override" || (!inner && python.base().name() == "overrideScope"))) {
            const Value from = python.base().base();
            const bool scope = python.base().name() == "overrideScope"; // takes the overrides themselves
            if (!(inner ? isPython(from.name()) : isPythonSet(from.name())) && from.unknown() != UnknownKind::Call)
                return outer;
            const Value arguments = scope ? Value() : given(python.argument());
            readPythonArguments(arguments);
            const auto overrides = scope ? std::nullopt : entryOf(arguments, inner ? "packageOverrides" : "overrides");
            const Value function = overrides ? overrides->value : python.argument();
            const Value packages = overrides || scope ? overlaid(function, Of::Python) : Value();
            if (!isWhole(packages))
                package.facts.unread.origin = m_places.stop(function);
            for (const Value::Entry &entry : packages.entries()) {
                // What takes torch does not see a replaced pytorch, its old name.
                if (entry.name == "torch" ||
                    (entry.name == "pytorch" && package.facts.attribute.value == "pytorch"_L1)) {
                    setTorch(entry, package);
                    package.torchOfSet = entry.value;
                }
                m_replaced.push_back(entry);
                // The package itself is another one.
                const bool isPackage = toText(entry.name) == package.facts.attribute.value;
                if (isPackage && !m_isOverlaid)
                    package.facts.unread.attributes = package.facts.unread.arguments =
                        m_places.stop(entry.value, entry.definition);
                else if (!isPackage && entry.definition && !isOneOf(torchNames, entry.name)) // Maybe nothing needs it.
                    m_fold.mayNotReach(entry.definition->value);
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

    void readPythonArguments(const Value &set)
    {
        for (const Value::Entry &entry : set.entries()) {
            if (entry.name == "overrides" || entry.name == "packageOverrides")
                continue;
            if (const NamedText argument = m_places.named(entry); !m_facts.pythonArguments.contains(argument))
                m_facts.pythonArguments.append(argument);
        }
    }

    static void setTorch(const Value::Entry &entry, Package &package)
    {
        package.torch = entry.value;
        package.torchDefinition = entry.definition;
    }

    void readArguments(const Value &set, Package &package)
    {
        PackageFacts &facts = package.facts;
        for (const Value::Entry &entry : set.entries()) {
            facts.arguments.append(m_places.named(entry));
            if (entry.name == "cudaSupport" || entry.name == "withCUDA" || entry.name == "withCuda" ||
                entry.name == "enableCuda")
                facts.cudaSupport = m_places.flag(entry.value, entry.definition);
            else if (entry.name == "gpuTargets")
                facts.gpuTargets = m_places.list(entry.value, entry.definition);
            else if (entry.name == "stdenv")
                package.stdenv = entry.value;
            else if (isOneOf(torchNames, entry.name))
                setTorch(entry, package);
            else if (isChanged(entry.value) || toText(entry.name) == facts.attribute.value)
                package.given.push_back(entry);
        }
    }

    /// What overlays put in the place of a package, the last one first. `before`: the number of replacements that are
    /// looked at; becomes that of the ones before the result.
    std::optional<Value> replacement(const QByteArray &name, size_t &before) const
    {
        while (before > 0) {
            if (const Value::Entry &entry = m_replaced.at(--before); entry.name == name)
                return entry.value;
        }
        return std::nullopt;
    }

    /// The flags of the compiler, which C and C++ get: of the machine that nixpkgs is imported for, and of an adapted
    /// stdenv, `stdenvAdapters.withCFlags [ "-mavx2" ] stdenv` or `addAttrsToDerivation { NIX_CFLAGS_COMPILE =
    /// "-mavx2"; } stdenv`. What other adapters do is unknown.
    void readCompiler(Package &package)
    {
        PackageFacts &facts = package.facts;
        const auto add = [&facts](const StatedList &flags) {
            for (StatedList *list : {&facts.cxxFlags, &facts.cFlags}) {
                const bool known = flags.known && (!*list || list->known);
                const QList<StatedText> items = flags.items + list->items;
                if (!*list)
                    *list = flags;
                list->items = items;
                list->known = known;
            }
        };
        const auto stop = [&](const StatedText &at) {
            if (!facts.unread.attributes)
                facts.unread.attributes = at;
        };
        if (m_arch && m_arch.known)
            add({.items = {{"-march="_L1 + m_arch.value, m_arch.spot, true}}, .spot = m_arch.spot, .known = true});
        else if (m_arch)
            add({.items = {}, .spot = m_arch.spot, .known = false});
        size_t before = m_replaced.size();
        Value stdenv = package.stdenv;
        if (!isThere(stdenv) && package.isFound()) {
            if (const auto own = replacement("stdenv", before))
                stop(m_places.stop(*own));
            if (m_stdenvOfConfig)
                stop(m_stdenvOfConfig);
            return;
        }
        while (isThere(stdenv)) {
            if (!stdenv.isKnown() && !stdenv.name().isEmpty())
                stdenv = replacement(stdenv.name(), before).value_or(stdenv);
            if (stdenv.unknown() == UnknownKind::Conditional) {
                stdenv = stdenv.argument();
                continue;
            }
            if (!stdenv.isKnown() && !isCall(stdenv))
                return; // nixpkgs' own
            const Value adapter = isCall(stdenv) ? stdenv.base() : Value();
            const QByteArray name = isCall(adapter) ? adapter.base().name() : QByteArray();
            if (name == "withCFlags") {
                add(m_places.list(adapter.argument()));
            } else if (name == "addAttrsToDerivation" && isWhole(adapter.argument())) {
                for (const Value::Entry &variable : adapter.argument().entries())
                    readVariable(variable, facts);
            } else {
                stop(m_places.stop(stdenv));
                return;
            }
            stdenv = stdenv.argument();
        }
    }

    /// What a setup hook among the inputs states: `makeSetupHook { substitutions = { flags = "-mavx2"; }; } ./hook.sh`.
    /// Its script may set more.
    void readHook(const Value &input, PackageFacts &facts)
    {
        if (!isCall(input) || !isCall(input.base()) || input.base().base().name() != "makeSetupHook")
            return;
        const auto substitutions = entryOf(input.base().argument(), "substitutions");
        for (const Value::Entry &entry : substitutions ? substitutions->value.entries() : std::vector<Value::Entry>())
            facts.otherAttributes.append(m_places.named(entry));
        if (!facts.unread.attributes)
            facts.unread.attributes = m_places.stop(input.argument());
    }

    void readAttributes(const Value &set, Package &package)
    {
        PackageFacts &facts = package.facts;
        std::vector<Value::Entry> phases;
        for (const Value::Entry &entry : set.entries()) {
            const auto &[name, value, definition] = entry;
            StatedText *text = name == "pname"     ? &facts.pname
                               : name == "name"    ? &facts.name
                               : name == "version" ? &facts.version
                                                   : nullptr;
            const bool isSet = name == "env" || name == "meta";
            const bool isUnread = isPhase(name)
                                      ? (value.kind() == ValueKind::Text ? hasUnknownCommands(value)
                                                                         : !isOldValue(value) && !isReworded(value))
                                      : isSet && value.kind() != ValueKind::Attributes;
            // Not if the whole set is uncertain: then that place says more.
            if (isUnread && !facts.unread.attributes)
                facts.unread.attributes = m_places.stop(value, definition);
            if (text) {
                *text = m_places.text(value, definition);
            } else if (isPhase(name) && value.kind() == ValueKind::Text) {
                if (const QList<QByteArray> old = oldParts(value); !old.contains(name))
                    facts.replacedPhases.append({toText(name), old.isEmpty() ? QString() : toText(old.constFirst()),
                                                 m_places.spotOf(value, definition)});
                // A text that does not begin with the old one replaces it.
                if (!value.textAround().startsWith('\x1a')) {
                    const QString phase = toText(name);
                    facts.environment.removeIf([&phase](const VariableFact &one) { return one.phase == phase; });
                    facts.commands.removeIf([&phase](const CommandFact &command) { return command.phase == phase; });
                }
                phases.push_back(entry);
            } else if (name == "cmakeFlags") {
                readCMakeFlags(entry, facts);
            } else if (name == "passthru") {
                for (const Value::Entry &fact : value.entries()) {
                    facts.passthru.append(m_places.named(fact));
                    if (fact.name == "torch")
                        m_torchInPassthru = fact.value;
                }
            } else if (name == "env") {
                for (const Value::Entry &variable : value.entries())
                    readVariable(variable, facts);
            } else if (name == "meta") {
                readMeta(value, facts);
            } else if (name == "src") {
                readSource(value, facts.src);
            } else if (isOneOf(inputLists, name)) {
                for (const Value::Item &item : value.items()) {
                    readHook(item.value, facts);
                    if (isChanged(item.value))
                        package.given.push_back({changedBy(item.value).name(), item.value, nullptr});
                    if (!isThere(m_inputTorch) && isTorchFile(importedIn(item.value)))
                        m_inputTorch = item.value;
                    if (const QString input = item.spliced ? QString() : dottedName(item.value); !input.isEmpty())
                        facts.inputs.append({input, m_places.spotOf(item.value), !isChanged(item.value)});
                }
            } else if (name == "ninjaFlags" || isVariableName(name)) {
                readVariable(entry, facts);
            } else if (!isPhase(name)) {
                facts.otherAttributes.append(m_places.named(entry));
            }
        }
        readPhases(m_places, phases, facts);
        readFlagsOfCMake(facts);
        for (const CommandFact &command : std::as_const(facts.commands)) {
            if (command.output.endsWith("/.metadata-rev"_L1) && command.words.size() == 2)
                facts.metadataRevision = {command.words.at(1), command.spot, true};
        }
    }

    void readVariable(const Value::Entry &entry, PackageFacts &facts)
    {
        const NamedText named = m_places.named(entry);
        facts.environment.append({named.name, named.value, u"env"_s, named.spot, named.known});
        readFlagsOf(m_places, entry, facts);
    }

    void readCMakeFlags(const Value::Entry &entry, PackageFacts &facts)
    {
        StatedList list = m_places.list(entry.value, entry.definition);
        const auto isRead = [](const Value::Item &item) { return !item.spliced || isOfOldValue(item.value); };
        const std::vector<Value::Item> items = entry.value.items();
        qsizetype next = 0; // list() has one for each item that is not spliced
        for (const Value::Item &item : items) {
            if (!isRead(item) && !facts.unread.attributes)
                facts.unread.attributes = m_places.stop(item.value, entry.definition);
            if (item.spliced)
                continue;
            StatedText &flag = list.items[next++];
            const auto definition = cmakeDefinition(item.value);
            if (!definition)
                continue;
            const StatedText value = m_places.text(definition->second);
            const std::optional<bool> isOn = definition->second.boolean();
            flag = {"-D"_L1 + toText(definition->first) + u'=' +
                        (isOn ? QString(*isOn ? "ON"_L1 : "OFF"_L1) : value.value),
                    value.spot ? value.spot : flag.spot, value.known || isOn};
        }
        list.known = (entry.value.kind() == ValueKind::List || isOfOldValue(entry.value)) &&
                     std::ranges::all_of(list.items, &StatedText::known) && std::ranges::all_of(items, isRead);
        list.extends = list.extends || isOfOldValue(entry.value);
        if (list.extends && facts.cmakeFlags) {
            list.items = facts.cmakeFlags.items + list.items;
            list.known = list.known && facts.cmakeFlags.known;
        }
        facts.cmakeFlags = std::move(list);
    }

    void readMeta(const Value &meta, PackageFacts &facts)
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

    void readSource(const Value &source, SourceFacts &facts)
    {
        if (!isCall(source))
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

    // The nixpkgs of a package: an import with its settings and overlays.

    /// The version and the source that overlays give to the package. For torch, RecipeFacts::overlays has them.
    void readReplaced(PackageFacts &facts)
    {
        if (isOneOf(torchNames, facts.attribute.value.toUtf8()))
            return;
        for (auto entry = m_replaced.rbegin(); entry != m_replaced.rend() && !facts.version; ++entry) {
            if (toText(entry->name) != facts.attribute.value)
                continue;
            PackageFacts before = packageOf(entry->value).facts;
            facts.version = before.version;
            if (!facts.src.spot)
                facts.src = std::move(before.src);
        }
    }

    /// What is set for packages that overlays and Python package sets replace, beside the package and its torch.
    void readOthers()
    {
        QSet<QByteArray> seen;
        const std::vector<Value::Entry> replaced = m_replaced; // reading a package may add to it
        for (auto entry = replaced.rbegin(); entry != replaced.rend(); ++entry) {
            if (seen.contains(entry->name) || toText(entry->name) == m_facts.package.attribute.value ||
                hasOwnFacts(entry->name))
                continue;
            seen.insert(entry->name);
            addOther(packageOf(entry->value));
        }
    }

    /// The packages that the package is given: the library behind it, which has its name, and others.
    void readGiven(const std::vector<Value::Entry> &given)
    {
        const QString own = m_facts.package.attribute.value;
        for (const Value::Entry &entry : given) {
            Package one = packageOf(entry.value);
            const QString name = toText(entry.name);
            const bool isLibrary =
                name == own || (one.isFound() && (name.startsWith(own + u'-') || one.facts.attribute.value == own));
            if (isLibrary && m_facts.libraries.isEmpty()) {
                if (!one.isFound()) {
                    m_facts.package.unread.attributes = one.stopped;
                    continue;
                }
                readOrigin(one);
                readCompiler(one);
                m_facts.libraries.append(std::move(one.facts));
            } else if (!hasOwnFacts(entry.name)) {
                addOther(std::move(one));
            }
        }
    }

    /// Whether other facts say what is set for it.
    static bool hasOwnFacts(const QByteArray &name)
    {
        constexpr std::array names{"stdenv"sv, "cudaPackages"sv, "magma"sv, "blas"sv, "lapack"sv};
        return isOneOf(names, name) || isOneOf(torchNames, name) || isPythonSet(name) || isPython(name);
    }

    void addOther(Package other)
    {
        if (other.isFound() && (other.facts.overrideSpot || other.facts.attributesSpot))
            m_facts.others.append(std::move(other.facts));
    }

    /// What overlays or Python package sets make of the package, below what the recipe itself changes.
    void readOverlaid(Package &package, const Value &result)
    {
        const QString attribute = package.facts.attribute.value;
        std::optional<Package> below;
        for (const Value::Entry &entry : std::vector<Value::Entry>(m_replaced)) {
            if (toText(entry.name) != attribute || attribute.isEmpty())
                continue;
            Package one = packageOf(entry.value, below ? &*below : nullptr);
            if (one.isFound())
                below = std::move(one);
        }
        if (!below)
            return;
        m_isOverlaid = true;
        Package whole = packageOf(result, &*below);
        m_isOverlaid = false;
        whole.facts.source = package.facts.source;
        whole.facts.unread.origin = package.facts.unread.origin;
        whole.nixpkgs = package.nixpkgs;
        const bool isChanged = package.facts.overrideSpot || package.facts.attributesSpot;
        if (isChanged && isOneOf(torchNames, attribute.toUtf8())) { // RecipeFacts::overlays has those of the overlay
            whole.facts.version = std::move(package.facts.version);
            whole.facts.src = std::move(package.facts.src);
        }
        package = std::move(whole);
    }

    /// `cudaPackages_12_8.pkgs` is a nixpkgs with that toolkit as default.
    void selectToolkit(const Value &value, QList<OverlayFacts> &overlays) const
    {
        if (!value.name().startsWith("cudaPackages_"))
            return;
        const Spot spot = m_places.spotOfName(value);
        const StatedText set{toText(value.name()), spot, true};
        overlays.prepend({OverlayFacts::Kind::CudaSelection, u"cudaPackages"_s, set, {}, {}, {}, spot});
    }

    /// The GPU of nixpkgs for one GPU: pkgsForCudaArch.sm_90a, which was pkgsCuda.sm_90a; nullopt for another set.
    [[nodiscard]] std::optional<StatedList> targetOf(const Value &nixpkgs) const
    {
        static const QRegularExpression name(u"^sm_(\\d+)(\\d[a-z]?)$"_s);
        const QByteArray of = nixpkgs.base().name();
        const QRegularExpressionMatch match = name.match(toText(nixpkgs.name()));
        if ((of != "pkgsForCudaArch" && of != "pkgsCuda") || !match.hasMatch())
            return std::nullopt;
        const Spot spot = m_places.spotOfName(nixpkgs);
        return StatedList{
            .items = {{match.captured(1) + u'.' + match.captured(2), spot, true}}, .spot = spot, .known = true};
    }

    /// Adds what is new to the recipe's pins and overlays.
    void readOrigin(Package &package)
    {
        m_torch = {};
        m_torchSet.clear();
        m_arch = m_stdenvOfConfig = {};
        StatedText unread;
        bool pinned = false;
        QList<OverlayFacts> overlays; // of the outermost nixpkgs first
        for (Value nixpkgs = package.nixpkgs; nixpkgs.kind() == ValueKind::Unknown;) {
            if (nixpkgs.unknown() == UnknownKind::Conditional) {
                nixpkgs = nixpkgs.argument();
            } else if (nixpkgs.unknown() == UnknownKind::Select) {
                selectToolkit(nixpkgs, overlays);
                if (const auto target = targetOf(nixpkgs))
                    package.facts.gpuTargets = *target;
                else if (nixpkgs.name() == "pkgsRocm")
                    package.facts.arguments.append({u"rocmSupport"_s, u"true"_s, m_places.spotOfName(nixpkgs), true});
                nixpkgs = nixpkgs.base();
            } else if (nixpkgs.unknown() != UnknownKind::Call) {
                selectToolkit(nixpkgs, overlays);
                break; // The caller's.
            } else if (const Value callee = nixpkgs.base();
                       callee.unknown() == UnknownKind::Select &&
                       (callee.name() == "extend" || callee.name() == "appendOverlays")) {
                QList<OverlayFacts> added;
                if (callee.name() == "appendOverlays")
                    readOverlays(nixpkgs.argument(), added, unread);
                else
                    readOverlay(nixpkgs.argument(), added, unread);
                overlays = added + overlays;
                nixpkgs = callee.base();
            } else if (callee.name() == "getFlake") { // (getFlake "...").legacyPackages.x86_64-linux
                if (const std::optional<PinFacts> pin = fetched(nixpkgs); pin && !m_facts.pins.contains(*pin))
                    m_facts.pins.append(*pin);
                pinned = true;
                break;
            } else {
                if (callee.unknown() == UnknownKind::Call && callee.base().name() == "import")
                    pinned = readImport(callee.argument(), nixpkgs.argument(), overlays, unread);
                else
                    stopAt(nixpkgs, unread);
                break;
            }
        }
        for (const OverlayFacts &overlay : std::as_const(overlays)) {
            if (!m_facts.overlays.contains(overlay))
                m_facts.overlays.append(overlay);
        }
        package.facts.source = pinned ? u"pin"_s : u"pkgs"_s;
        if (unread)
            package.facts.unread.origin = unread;
    }

    /// Returns true if the file fetches this nixpkgs.
    bool readImport(const Value &source, const Value &settings, QList<OverlayFacts> &overlays, StatedText &unread)
    {
        std::optional<PinFacts> pin = fetched(source);
        if (pin)
            pin->settings = m_places.spotOf(settings);
        else if (source.unknown() != UnknownKind::SearchPath && source.unknown() != UnknownKind::Select)
            stopAt(source, unread); // It is neither fetched nor the caller's.
        if (!isWhole(settings))
            stopAt(settings, unread);
        QList<OverlayFacts> own;
        for (const Value::Entry &entry : settings.entries()) {
            if (entry.name == "config" && pin)
                readConfig(entry.value, *pin, unread);
            if (entry.name == "system" || entry.name == "localSystem" || entry.name == "crossSystem")
                readSystem(entry, pin ? &*pin : nullptr);
            if (entry.name == "overlays")
                readOverlays(entry.value, own, unread);
        }
        overlays = own + overlays;
        if (pin && !m_facts.pins.contains(*pin))
            m_facts.pins.append(*pin);
        return pin.has_value();
    }

    /// The machine that packages are for: `system = "x86_64-linux"`, `localSystem = { gcc.arch = "haswell"; ... }`.
    void readSystem(const Value::Entry &entry, PinFacts *pin)
    {
        const auto system = entry.value.kind() == ValueKind::Attributes ? entryOf(entry.value, "system") : entry;
        if (pin && system && system->value.kind() == ValueKind::Text)
            pin->system = m_places.text(system->value, system->definition);
        const auto gcc = entryOf(entry.value, "gcc");
        if (const auto arch = gcc ? entryOf(gcc->value, "arch") : std::nullopt)
            m_arch = m_places.text(arch->value, arch->definition);
    }

    /// What `fetchTarball` and similar functions fetch; nullopt for another value.
    std::optional<PinFacts> fetched(const Value &source) const
    {
        if (source.unknown() == UnknownKind::Select && source.name() == "outPath")
            return fetched(source.base());
        if (!isCall(source) || !isOneOf(fetchers, source.base().name()))
            return std::nullopt;
        PinFacts pin;
        const Value argument = source.argument();
        pin.spot = m_places.spotOf(source);
        pin.byCommit = isOneOf(commitFetchers, source.base().name());
        const auto readUrl = [&](const Value &url, const nix::Attribute *definition) {
            pin.url = m_places.text(url, definition);
            const QByteArray bytes = url.textAround();
            if (const auto [from, length] = revisionIn(bytes); length > 0)
                pin.revision = {toText(bytes.sliced(from, length)), m_places.spotWithin(url, from, length, definition),
                                !bytes.contains('\x1a')};
        };
        if (argument.kind() == ValueKind::Text)
            readUrl(argument, nullptr);
        for (const Value::Entry &entry : argument.entries()) {
            if (entry.name == "url")
                readUrl(entry.value, entry.definition);
            else if (entry.name == "rev")
                pin.revision = m_places.text(entry.value, entry.definition);
            else if (isOneOf(hashNames, entry.name))
                pin.sha256 = m_places.text(entry.value, entry.definition);
        }
        return pin;
    }

    void stopAt(const Value &value, StatedText &unread) const
    {
        if (!unread)
            unread = m_places.stop(value);
    }

    void readConfig(const Value &config, PinFacts &pin, StatedText &unread)
    {
        if (!isWhole(config))
            stopAt(config, unread);
        for (const Value::Entry &entry : config.entries()) {
            StatedFlag *flag = entry.name == "allowUnfree"   ? &pin.allowUnfree
                               : entry.name == "allowBroken" ? &pin.allowBroken
                               : entry.name == "cudaSupport" ? &pin.cudaSupport
                                                             : nullptr;
            if (flag)
                *flag = m_places.flag(entry.value, entry.definition);
            else if (entry.name == "cudaCapabilities")
                pin.cudaCapabilities = m_places.list(entry.value, entry.definition);
            else if (entry.name == "replaceStdenv")
                m_stdenvOfConfig = m_places.stop(entry.value, entry.definition);
            else
                pin.otherConfig.append(m_places.named(entry));
        }
    }

    void readOverlays(const Value &list, QList<OverlayFacts> &overlays, StatedText &unread)
    {
        if (list.kind() != ValueKind::List)
            stopAt(list, unread);
        for (const Value::Item &item : list.items()) {
            if (item.spliced)
                stopAt(item.value, unread);
            else
                readOverlay(item.value, overlays, unread);
        }
    }

    void readOverlay(const Value &overlay, QList<OverlayFacts> &overlays, StatedText &unread)
    {
        const Value set = overlaid(overlay, Of::Nixpkgs);
        if (!isWhole(set))
            stopAt(overlay, unread);
        for (const Value::Entry &entry : set.entries()) {
            m_replaced.push_back(entry);
            // It may be a package that nothing needs. Python's packages need the library of their name.
            if (entry.definition && toText(entry.name) != m_ownName)
                m_fold.mayNotReach(entry.definition->value);
            overlays.append(overlayOf(entry, unread));
        }
    }

    OverlayFacts overlayOf(const Value::Entry &entry, StatedText &unread)
    {
        OverlayFacts overlay;
        overlay.name = toText(entry.name);
        overlay.spot = entry.definition ? m_places.spot(entry.definition->name, entry.definition->file())
                                        : m_places.spotOf(entry.value);
        const Value &value = entry.value;
        if (entry.name == "cudaPackages") {
            overlay.kind = OverlayFacts::Kind::CudaSelection;
            const Value set = cudaSetIn(value);
            overlay.value = {toText(set.name()),
                             set.kind() == ValueKind::Unknown && set.node() ? m_places.spotOfName(set) : overlay.spot,
                             !set.name().isEmpty()};
        } else if (entry.name == "blas" || entry.name == "lapack") {
            overlay.kind = entry.name == "blas" ? OverlayFacts::Kind::Blas : OverlayFacts::Kind::Lapack;
            readProvider(value, toText(entry.name) + "Provider"_L1, overlay);
        } else if (entry.name.startsWith("magma")) {
            overlay.kind = OverlayFacts::Kind::Magma;
            if (value.kind() == ValueKind::Null)
                overlay.value = {u"null"_s, m_places.spotOf(value, entry.definition), true};
            readPatches(value, overlay);
        } else if (entry.name == "torch") {
            if (readTorchOverlay(value, overlay))
                overlay.kind = OverlayFacts::Kind::Torch;
        } else if (entry.name.startsWith("python")) {
            const size_t before = m_replaced.size();
            const auto [torch, ofSet] = torchIn(value, unread);
            for (const Value::Entry &one : std::span(m_replaced).subspan(before))
                overlay.replaced.append(toText(one.name));
            overlay.from = pythonChangedBy(value);
            if (readTorchOverlay(torch, overlay))
                overlay.kind = OverlayFacts::Kind::Torch;
            if (isThere(torch)) {
                m_torch = torch;
                m_torchSet = !ofSet                 ? QByteArray() // of all sets
                             : isPython(entry.name) ? entry.name + "Packages"
                                                    : entry.name;
            }
        }
        return overlay;
    }

    /// Reads `prev.blas.override { blasProvider = final.mkl; }`; for a conditional, its first branch.
    void readProvider(Value value, const QString &name, OverlayFacts &overlay)
    {
        if (value.kind() == ValueKind::Unknown && value.unknown() == UnknownKind::Conditional)
            value = value.argument();
        const auto provider = isCall(value) ? entryOf(given(value.argument()), name.toStdString()) : std::nullopt;
        if (!provider)
            return;
        Value package = provider->value;
        while (isCall(package)) // mkl.override { ... }
            package = package.base().unknown() == UnknownKind::Select ? package.base().base() : Value();
        if (!package.name().isEmpty())
            overlay.value = {toText(package.name()), m_places.spotOfName(package), true};
    }

    void readPatches(const Value &package, OverlayFacts &overlay)
    {
        for (Value value = package; isCall(value); value = value.base().base()) {
            const auto patches = entryOf(given(value.argument()), "patches");
            for (const Value::Item &item : patches ? patches->value.items() : std::vector<Value::Item>()) {
                const Value patch = isCall(item.value) ? item.value.argument() : item.value;
                const auto name = entryOf(patch, "name");
                const auto url = entryOf(patch, "url");
                const QByteArray bytes = name  ? name->value.textAround('?')
                                         : url ? url->value.textAround('?')
                                               : patch.text().value_or("");
                if (item.spliced || bytes.isEmpty())
                    continue;
                PatchFacts facts{toText(bytes.sliced(bytes.lastIndexOf('/') + 1)), {}, {}, m_places.spotOf(item.value)};
                if (url)
                    facts.url = m_places.text(url->value, url->definition);
                for (const std::string_view key : {"hash"sv, "sha256"sv}) {
                    if (const auto hash = entryOf(patch, key))
                        facts.hash = m_places.text(hash->value, hash->definition);
                }
                overlay.patches.append(facts);
            }
        }
    }

    /// The torch that an overlay puts into its Python packages, and whether it is that of one set: of
    /// `prev.python3Packages.override { overrides = ...; }`, not of `prev.pythonPackagesExtensions ++ [ ... ]`.
    std::pair<Value, bool> torchIn(const Value &value, StatedText &unread)
    {
        for (const Value::Item &item : value.items()) {
            if (item.spliced && item.value.name() != "pythonPackagesExtensions")
                stopAt(item.value, unread);
            if (const Value torch = item.spliced ? Value() : torchOf(item.value, unread); isThere(torch))
                return {torch, false};
        }
        if (value.kind() == ValueKind::Attributes) { // prev.python3Packages // { ... }
            for (const Value::Entry &entry : value.entries())
                m_replaced.push_back(entry);
            if (const auto torch = entryOf(value, "torch"))
                return {torch->value, true};
        }
        const Value callee = isCall(value) ? value.base() : Value();
        if (callee.unknown() != UnknownKind::Select)
            return {};
        const std::pair<Value, bool> before = torchIn(callee.base(), unread); // prev.python3.override { ... }
        Value torch;
        if (callee.name() == "overrideScope") { // takes the overrides themselves
            torch = torchOf(value.argument(), unread);
        } else {
            const Value set = given(value.argument());
            readPythonArguments(set);
            for (const std::string_view name : {"overrides"sv, "packageOverrides"sv}) {
                if (const auto overrides = entryOf(set, name); overrides && !isThere(torch))
                    torch = torchOf(overrides->value, unread);
            }
        }
        return isThere(torch) ? std::pair(torch, true) : before;
    }

    /// The torch among the Python packages that a function of the final and the old ones replaces.
    Value torchOf(const Value &overrides, StatedText &unread)
    {
        const Value packages = overlaid(overrides, Of::Python);
        if (!isWhole(packages))
            stopAt(overrides, unread);
        for (const Value::Entry &entry : packages.entries())
            m_replaced.push_back(entry);
        for (const std::string_view torch : torchNames) {
            // What takes torch does not see a replaced pytorch, its old name.
            if (const auto entry =
                    torch == "torch" || m_ownName == "pytorch"_L1 ? entryOf(packages, torch) : std::nullopt)
                return entry->value;
        }
        return {};
    }

    /// The set, or the interpreter, that an overlay makes another one of: "python313Packages", "python313".
    [[nodiscard]] StatedText pythonChangedBy(Value value) const
    {
        for (;;) {
            const Value callee = isCall(value) ? value.base() : Value();
            if (isMethod(callee) || (callee.unknown() == UnknownKind::Select && callee.name() == "overrideScope"))
                value = callee.base();
            else if (value.unknown() == UnknownKind::Select && value.name() == "pkgs")
                value = value.base();
            else
                break;
        }
        return value.unknown() == UnknownKind::Select && value.name().startsWith("python3")
                   ? StatedText{toText(value.name()), m_places.spotOfName(value), true}
                   : StatedText();
    }

    bool readTorchOverlay(const Value &value, OverlayFacts &overlay)
    {
        const Package torch = packageOf(value);
        if (!torch.isFound())
            return false;
        overlay.value = torch.facts.attribute ? torch.facts.attribute : torch.facts.builder;
        overlay.version = torch.facts.version;
        overlay.src = torch.facts.src;
        return true;
    }

    // The torch of a companion.

    /// Whether it is `torch` of the Python packages that the companion comes from, and not another package.
    bool isTorchOfSet(const Value &value, const PackageFacts &companion)
    {
        const Package own = packageOf(value);
        return value.unknown() == UnknownKind::Select && own.facts.attribute.value == "torch"_L1 &&
               !companion.packageSet.value.isEmpty() && own.facts.packageSet.value == companion.packageSet.value;
    }

    void readTorch(Package &companion)
    {
        TorchSource &torch = m_facts.torch;
        // What the Python packages make of it is below what the recipe changes.
        std::optional<Package> below;
        if (isThere(companion.torchOfSet)) {
            torch.inSet = companion.torch.node() == companion.torchOfSet.node();
            if (const Value base = changedBy(companion.torch); !torch.inSet && isTorchOfSet(base, m_facts.package)) {
                torch.inSet = base.node() == companion.torch.node();
                if (torch.inSet)
                    companion.torch = companion.torchOfSet;
                else
                    below = packageOf(companion.torchOfSet);
            }
        }
        torch.kind = TorchSource::Kind::Other;
        torch.spot = m_places.spotOf(companion.torch, companion.torchDefinition);
        torch.unread = m_places.stop(companion.torch, companion.torchDefinition);
        const Value path = importedIn(companion.torch);
        if (readFetched(path, torch))
            return;
        // A file in a folder is no recipe: only those in .flox/pkgs itself are.
        const QByteArray file =
            path.kind() == ValueKind::Path ? path.text().value_or(path.textAround('?')) : QByteArray();
        if (file.lastIndexOf('/') == 1) {
            torch.kind = TorchSource::Kind::Sibling;
            torch.file = toText(file.sliced(2));
            return;
        }
        if (const QString name = dottedName(companion.torch); name.startsWith("catalogs."_L1)) {
            torch.kind = TorchSource::Kind::Published;
            torch.file = name.sliced(9);
            return;
        }
        Package built = packageOf(companion.torch, below && below->isFound() ? &*below : nullptr);
        if (!built.isFound())
            return;
        torch.kind = TorchSource::Kind::Built;
        // `super.torch` of its Python packages is of its nixpkgs.
        if (built.nixpkgs.unknown() == UnknownKind::Argument && built.nixpkgs.name() == "super")
            built.nixpkgs = companion.nixpkgs;
        readOrigin(built);
        readCompiler(built);
        torch.package = std::make_shared<const PackageFacts>(std::move(built.facts));
    }

    /// The path `(fetchTarball { ... } + "/.flox/pkgs/x.nix")`, also with the tarball inside the text.
    bool readFetched(const Value &imported, TorchSource &torch) const
    {
        const QByteArray path = imported.kind() == ValueKind::Text ? imported.textAround() : QByteArray();
        const std::vector<Value> holes = imported.holes();
        if (!path.startsWith("\x1a/") || holes.empty())
            return false;
        Value tarball = holes.front();
        if (tarball.unknown() == UnknownKind::Call && tarball.base().kind() == ValueKind::Function &&
            tarball.base().name() == "toString")
            tarball = tarball.argument();
        const std::optional<PinFacts> source = fetched(tarball);
        if (!source)
            return false;
        torch.kind = TorchSource::Kind::Fetched;
        torch.path = toText(path.sliced(2)).replace(QChar(0x1a), u'?');
        torch.file = torch.path.section(u'/', -1);
        torch.archive = source->url;
        torch.revision = source->revision;
        torch.sha256 = source->sha256;
        return true;
    }

    const nix::Tree &m_tree;
    const RecipeImports *m_imports;
    nix::Fold m_fold;
    FactPlaces m_places;
    RecipeFacts m_facts;
    QString m_ownName;                    ///< of the package in nixpkgs
    std::vector<Value::Entry> m_replaced; ///< what overlays and Python package sets put in the place of packages
    Value m_torch;                        ///< that an overlay of the last origin puts into a set of Python packages
    QByteArray m_torchSet;
    Value m_inputTorch;        ///< a recipe of PyTorch among the inputs
    bool m_isOverlaid = false; ///< what replaces the package in its Python packages was read
    // Of the last origin:
    StatedText m_arch;           ///< gcc.arch of the machine that it is for
    StatedText m_stdenvOfConfig; ///< config.replaceStdenv
    Value m_torchInPassthru;     ///< of the packages that were read
};

} // namespace

RecipeFacts readFacts(const nix::ParseResult &parsed, const RecipeImports *imports)
{
    if (parsed.error) {
        const nix::ParseError &error = *parsed.error;
        RecipeFacts facts;
        facts.error = {error.message, {error.place.line, error.place.column, error.span.offset, error.span.length}};
        return facts;
    }
    return FactReader(parsed.tree, imports).read();
}

} // namespace tmx
