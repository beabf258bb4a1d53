// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Folder.h"

#include "model/base/NearestNames.h"
#include "model/nix/Builtins.h"
#include "model/nix/Operators.h"

#include <algorithm>

namespace tmx::nix {

namespace {

/// Whether it is nearly the name of a function of `builtins`. A later Nix may have more functions, but none called so.
bool isMisspelt(std::string_view name)
{
    static constexpr std::string_view known[]{"compareVersions", "concatStringsSep", "fetchTarball",  "fetchurl",
                                              "fromJSON",        "fromTOML",         "getFlake",      "intersectAttrs",
                                              "listToAttrs",     "readFile",         "replaceStrings"};
    if (std::ranges::find(known, name) != std::end(known))
        return false;
    const QString written = QString::fromUtf8(name.data(), qsizetype(name.size()));
    return std::ranges::any_of(known, [&written](std::string_view one) {
        return lettersBetween(QString::fromLatin1(one.data(), qsizetype(one.size())), written, 1) <= 1;
    });
}

/// nixpkgs' library, wherever it comes from, and the parts of it whose functions are also directly in it.
bool isLib(const Cell &cell)
{
    if (cell.kind != ValueKind::Unknown)
        return false;
    if (cell.unknown == UnknownKind::Argument)
        return cell.name == "lib";
    if (cell.unknown != UnknownKind::Select)
        return false;
    static constexpr std::string_view parts[] = {"strings",       "lists", "attrsets",   "trivial",
                                                 "customisation", "meta",  "fixedPoints"};
    const bool isPart = std::ranges::find(parts, cell.name) != std::end(parts);
    return isPart ? cell.first->name == "lib" : cell.name == "lib";
}

/// Whether some attributes of it are known although it is Unknown itself.
bool isSpecial(const Cell &cell)
{
    return isLib(cell) || (cell.unknown == UnknownKind::Global && cell.name == "builtins");
}

} // namespace

bool isCallPackage(const Cell &cell)
{
    return cell.kind == ValueKind::Unknown && (cell.name == "callPackage" || cell.name == "callPackages") &&
           (cell.unknown == UnknownKind::Argument || cell.unknown == UnknownKind::Select);
}

Folder::Folder(std::shared_ptr<const Tree> tree, const FoldOptions &options)
    : Cells(options.maxSteps)
    , m_tree(std::move(tree))
    , m_files(options.files)
    , m_path('/' + options.path.toStdString())
    , m_maxDepth(options.maxDepth)
    , m_exact(options.exact)
{
}

Cell *Folder::force(Cell *cell)
{
    if (cell->state == Cell::State::Done)
        return cell;
    if (cell->state == Cell::State::Busy) {
        m_refersToItself = true;
        return opaque(Why::RefersToItself);
    }
    const Deeper deeper(*this);
    if (!deeper.ok())
        return opaque(Why::TooDeep);
    if (!step())
        return exhausted();
    cell->state = Cell::State::Busy;
    Cell *value = cell->node     ? fold(cell->node, cell->frame)
                  : cell->second ? call(cell->first, cell->second)
                                 : select(cell->first, cell->name);
    if (value->kind == ValueKind::Unknown && value->why == Why::TooDeep) {
        // The result depends on the caller: the cell may have a value if it is requested from elsewhere.
        cell->state = Cell::State::Delayed;
        return value;
    }
    *cell = *value;
    return cell;
}

Cell *Folder::delay(const Node *node, const Frame *frame)
{
    switch (node->kind) {
    case NodeKind::Integer:
    case NodeKind::Float:
    case NodeKind::SearchPath: return fold(node, frame);
    case NodeKind::Variable:
        if (const auto *name = as<Variable>(node); name->binds == Binds::Frame) {
            for (quint32 level = name->level; level > 0; --level)
                frame = frame->outer;
            Q_ASSERT(frame); // There are as many as were counted when the variable was bound.
            return frame->entries[name->index];
        }
        break;
    default: break;
    }
    return makeDelayed(node, frame);
}

Cell *Folder::delayCall(Cell *function, Cell *argument)
{
    Cell *cell = makeDelayed(nullptr, nullptr);
    cell->first = function;
    cell->second = argument;
    return cell;
}

Cell *Folder::delaySelect(Cell *base, std::string_view name)
{
    Cell *cell = makeDelayed(nullptr, nullptr);
    cell->first = base;
    cell->name = name;
    return cell;
}

/// Iterates along bodies and branches, so that a thousand nested lets need no deep stack.
Cell *Folder::fold(const Node *node, const Frame *frame)
{
    const Deeper deeper(*this);
    if (!deeper.ok())
        return opaque(Why::TooDeep, {}, node);
    for (;;) {
        if (!step())
            return exhausted();
        switch (node->kind) {
        case NodeKind::Integer: return makeInteger(as<Integer>(node)->value, node);
        case NodeKind::Float: return makeFloat(as<Float>(node)->value, node);
        case NodeKind::Text: return text(*as<Text>(node), frame);
        case NodeKind::Path: return path(*as<Path>(node), frame);
        case NodeKind::SearchPath: return writtenBy(node, term(UnknownKind::SearchPath, as<SearchPath>(node)->name));
        case NodeKind::Variable: return variable(*as<Variable>(node), frame);
        case NodeKind::Select: return selection(*as<Select>(node), frame);
        case NodeKind::HasAttribute: return hasAttribute(*as<HasAttribute>(node), frame);
        case NodeKind::Lambda: {
            Cell *cell = make(ValueKind::Function, node);
            cell->frame = frame;
            return cell;
        }
        case NodeKind::Call: return application(*as<Call>(node), frame);
        case NodeKind::Let:
            frame = frameOf(*as<Let>(node)->bindings, frame);
            node = as<Let>(node)->body;
            break;
        case NodeKind::With:
            frame = frameOf(*as<With>(node), frame);
            node = as<With>(node)->body;
            break;
        case NodeKind::If: {
            const If &choice = *as<If>(node);
            Cell *condition = force(delay(choice.condition, frame));
            if (condition->kind != ValueKind::Boolean) {
                mayNotReach(choice.then);
                mayNotReach(choice.otherwise);
                return writtenBy(node, term(UnknownKind::Conditional, {}, condition, delay(choice.then, frame),
                                            delay(choice.otherwise, frame)));
            }
            node = condition->boolean ? choice.then : choice.otherwise;
            break;
        }
        case NodeKind::Assert: {
            // An unknown condition is assumed to hold: if anything gets built, it is the body.
            Cell *condition = force(delay(as<Assert>(node)->condition, frame));
            if (condition->kind == ValueKind::Boolean && !condition->boolean) {
                m_failures.push_back({as<Assert>(node)->condition, {}, Fold::Failure::Asserts});
                return opaque(Why::AssertionFails, {}, node);
            }
            if (m_exact && condition->kind != ValueKind::Boolean)
                return writtenBy(node,
                                 term(UnknownKind::Assertion, {}, condition, delay(as<Assert>(node)->body, frame)));
            node = as<Assert>(node)->body;
            break;
        }
        case NodeKind::List: return list(*as<List>(node), frame);
        case NodeKind::Attributes: return attributes(*as<Attributes>(node), frame);
        case NodeKind::Unary: return foldUnary(*this, *as<Unary>(node), frame);
        case NodeKind::Binary: return foldBinary(*this, *as<Binary>(node), frame);
        }
    }
}

Cell *Folder::list(const List &list, const Frame *frame)
{
    if (!step(list.elements.size()))
        return exhausted();
    std::vector<Item> items;
    items.reserve(list.elements.size());
    for (const Node *element : list.elements)
        items.push_back({delay(element, frame), false});
    return makeList(items, &list);
}

Cell *Folder::variable(const Variable &variable, const Frame *frame)
{
    switch (variable.binds) {
    case Binds::Frame: return force(delay(&variable, frame));
    case Binds::Global: {
        Cell *cell = global(nameOf(variable, variable.symbol));
        cell->node = &variable; // true, false and null are written here.
        return cell;
    }
    case Binds::With: return fromWith(variable, frame);
    case Binds::Undefined: return opaque(Why::NoSuchVariable, nameOf(variable, variable.symbol), &variable);
    case Binds::Position: break;
    }
    return position(variable);
}

/// `__curPos`: of its file, what follows the folder of the repository is known; line and column are not folded.
Cell *Folder::position(const Variable &variable)
{
    const std::string_view path = variable.file ? m_files->path(variable.file) : std::string_view(m_path);
    Cell *unknown = opaque(Why::NotFolded, {}, &variable);
    if (path.size() < 2)
        return unknown;
    const TextPiece pieces[] = {{.hole = unknown}, {.bytes = path}};
    const NamedCell entries[] = {{"column", unknown}, {"file", makeText(pieces, &variable)}, {"line", unknown}};
    return makeSet(entries);
}

Cell *Folder::fromWith(const Variable &variable, const Frame *frame)
{
    const std::string_view name = nameOf(variable, variable.symbol);
    std::vector<Cell *> maybe; ///< from the inside: scopes that may have it
    Cell *known = nullptr;
    for (quint32 level = variable.level;;) {
        for (; level > 0; --level)
            frame = frame->outer;
        Q_ASSERT(frame);
        Cell *scope = force(frame->scope);
        bool certain = scope->kind != ValueKind::Unknown;
        known = scope->kind == ValueKind::Attributes ? find(*scope, name, certain) : nullptr;
        if (Cell *own = isSpecial(*scope) ? select(scope, name) : nullptr; own && own->kind == ValueKind::Function)
            known = own; // A name of nixpkgs' library or of Nix.
        if (known)
            break;
        if (!certain) {
            maybe.push_back(scope);
            if (!m_exact)
                break;
        }
        level = frame->with->outer;
        if (level == 0)
            break;
    }
    if (maybe.empty())
        return known ? force(known) : opaque(Why::NoSuchVariable, name, &variable);
    // The innermost scope that has the name: `inner.name or outer.name`.
    Cell *cell = known;
    for (; !maybe.empty(); maybe.pop_back())
        cell = cell ? term(UnknownKind::Select, name, maybe.back(), nullptr, cell) : select(maybe.back(), name);
    return cell;
}

const Frame *Folder::frameOf(const With &with, const Frame *frame)
{
    return arena().make(Frame{frame, {}, &with, delay(with.scope, frame)});
}

/// One of Nix's built-in names; `__map` is `builtins.map`.
Cell *Folder::global(std::string_view name)
{
    if (name == "true" || name == "false")
        return makeBoolean(name == "true");
    if (name == "null")
        return make(ValueKind::Null);
    if (name.starts_with("__"))
        name.remove_prefix(2);
    const Builtin *found = Builtin::find(name, Builtin::InBuiltins);
    return found ? makeFunction(found) : term(UnknownKind::Global, name);
}

Cell *Folder::result()
{
    if (!m_tree->root())
        return opaque(Why::NoRoot);
    Cell *file = force(delay(m_tree->root(), nullptr));
    const auto *lambda = file->kind == ValueKind::Function ? as<Lambda>(file->node) : nullptr;
    if (!lambda)
        return file;
    std::vector<NamedCell> given;
    for (const Formal &formal : lambda->formals) {
        const std::string_view name = nameOf(*lambda, formal.symbol);
        if (!formal.fallback)
            given.push_back({name, term(UnknownKind::Argument, name), nullptr});
    }
    return call(file,
                lambda->hasFormals ? makeSet(given) : term(UnknownKind::Argument, nameOf(*lambda, lambda->argument)));
}

Cell *Folder::application(const Call &node, const Frame *frame)
{
    Cell *result = force(delay(node.function, frame));
    for (const Node *argument : node.arguments) {
        expect(Fold::Failure::NotFunction, node.function, *result);
        Cell *const given = delay(argument, frame);
        if (m_files && result->unknown == UnknownKind::Global && result->name == "import")
            expectRelative(argument, force(given));
        const bool isLambda = result->kind == ValueKind::Function; // what throws in it is found there
        const size_t before = m_failures.size();
        result = writtenBy(&node, call(result, given));
        for (Fold::Failure &failure : std::span(m_failures).subspan(before)) {
            if (!failure.node && failure.what == Fold::Failure::NotData)
                failure.node = &node;
        }
        if (!isLambda && result->unknown == UnknownKind::Call && result->why == Why::Throws &&
            result->first->name != "import") {
            const auto message = bytesOf(given).value_or(std::string_view());
            m_failures.push_back({&node, QByteArray(message.data(), qsizetype(message.size())), Fold::Failure::Throws});
        }
    }
    return result;
}

void Folder::expectRelative(const Node *node, const Cell *path)
{
    if ((path->kind != ValueKind::Path && path->kind != ValueKind::Text) || path->pieces().empty())
        return;
    const TextPiece &first = path->pieces().front();
    if (!first.hole && first.bytes.starts_with('/'))
        m_failures.push_back(
            {node, QByteArray(first.bytes.data(), qsizetype(first.bytes.size())), Fold::Failure::Absolute});
}

Cell *Folder::call(Cell *function, Cell *argument)
{
    function = force(function);
    if (function->kind == ValueKind::Function)
        return function->builtin ? callBuiltin(function, argument) : callLambda(function, argument);
    if (function->kind == ValueKind::Attributes) { // may have a `__functor = self: argument: ...`
        const Deeper deeper(*this);
        bool certain = true;
        Cell *functor = deeper.ok() ? find(*function, "__functor", certain) : nullptr;
        if (functor)
            return call(call(functor, function), argument);
        if (!certain)
            return term(UnknownKind::Call, {}, function, argument);
    }
    if (function->kind != ValueKind::Unknown)
        return opaque(Why::WrongType);
    if (m_files && function->unknown == UnknownKind::Global && function->name == "import") {
        if (Cell *file = imported(argument))
            return file;
    }
    if (m_files && function->unknown == UnknownKind::Call && isCallPackage(*function->first)) {
        if (Cell *package = callPackage(*function, argument))
            return package;
    }
    Cell *cell = term(UnknownKind::Call, {}, function, argument);
    cell->why = function->why;
    if (function->unknown == UnknownKind::Global && (function->name == "throw" || function->name == "abort"))
        cell->why = Why::Throws;
    return cell;
}

/// What nixpkgs' callPackage makes of a file, or of a function, `called` with it: the arguments that it does not get
/// are packages of the set that callPackage is from. nullptr if the file is not one of Files, or no function with named
/// arguments; or, where the value must be exact, if a package may replace a default.
Cell *Folder::callPackage(const Cell &called, Cell *argument)
{
    Cell *file = force(called.second);
    file = file->kind == ValueKind::Function ? file : imported(file);
    const auto *lambda = file && file->kind == ValueKind::Function ? as<Lambda>(file->node) : nullptr;
    argument = force(argument);
    if (!lambda || !lambda->hasFormals || argument->kind != ValueKind::Attributes)
        return nullptr;
    bool complete = true;
    std::vector<NamedCell> given = entriesOf(*argument, complete);
    if (!complete)
        return nullptr;
    for (const Formal &formal : lambda->formals) {
        const std::string_view name = nameOf(*lambda, formal.symbol);
        if (std::ranges::any_of(given, [&](const NamedCell &one) { return one.name == name; }))
            continue;
        if (formal.fallback && m_exact)
            return nullptr;
        const bool ofSet = called.first->unknown == UnknownKind::Select;
        if (!formal.fallback)
            given.push_back(
                {name, ofSet ? select(called.first->first, name) : term(UnknownKind::Argument, name), nullptr});
    }
    Cell *set = makeSet(given);
    set->node = argument->node;
    return call(file, set);
}

/// The value of the file with that path; nullptr if it is not one of Files, or Nix refuses it. For facts, one with an
/// undefined variable still has a value.
Cell *Folder::imported(Cell *path)
{
    path = force(path);
    const quint16 file = path->kind == ValueKind::Path ? m_files->imported(path->name) : 0;
    if (file == 0 || (m_exact ? !m_files->isValid(file) : m_files->isPackage(file)) || !tree(file).root())
        return nullptr;
    if (m_imported.size() < file)
        m_imported.resize(file);
    Cell *&value = m_imported[file - 1];
    if (!value)
        value = delay(tree(file).root(), nullptr);
    return force(value);
}

/// Whether Nix accepts this set for a lambda with formals: whether it has all required arguments and, without an
/// ellipsis, no others. `certain`: whether this can be known.
bool Folder::accepts(const Lambda &lambda, const Cell &argument, bool &certain)
{
    certain = argument.kind == ValueKind::Attributes;
    bool complete = true;
    const std::vector<NamedCell> entries = certain ? entriesOf(argument, complete) : std::vector<NamedCell>();
    certain = certain && complete && step(entries.size() + lambda.formals.size());
    if (!certain)
        return false;
    const auto isFormal = [&](std::string_view name) {
        return std::ranges::any_of(lambda.formals,
                                   [&](const Formal &formal) { return nameOf(lambda, formal.symbol) == name; });
    };
    const auto isGiven = [&](const Formal &formal) {
        return std::ranges::binary_search(entries, nameOf(lambda, formal.symbol), {}, &NamedCell::name);
    };
    return (lambda.ellipsis || std::ranges::all_of(entries, isFormal, &NamedCell::name)) &&
           std::ranges::all_of(lambda.formals, [&](const Formal &f) { return f.fallback || isGiven(f); });
}

Cell *Folder::callLambda(Cell *function, Cell *argument)
{
    const Deeper deeper(*this);
    if (!deeper.ok())
        return opaque(Why::TooDeep);
    const auto *lambda = as<Lambda>(function->node);
    const size_t count = lambda->formals.size() + (lambda->argument ? 1 : 0);
    if (!step(count))
        return exhausted();
    Frame *frame = arena().make(Frame{function->frame, {arena().allocate<Cell *>(count), count}});
    size_t next = 0;
    if (lambda->argument)
        frame->entries[next++] = argument;
    if (lambda->hasFormals)
        argument = force(argument);
    if (lambda->hasFormals && argument->kind != ValueKind::Attributes && argument->kind != ValueKind::Unknown)
        return opaque(Why::WrongType);
    if (bool certain = true; m_exact && lambda->hasFormals && !accepts(*lambda, *argument, certain))
        return certain ? opaque(Why::WrongType) : term(UnknownKind::Call, {}, function, argument);

    const bool isSet = lambda->hasFormals && argument->kind == ValueKind::Attributes;
    size_t others =
        isSet && !lambda->ellipsis && argument->layers().size() == 1 ? argument->layers()[0].entries.size() : 0;
    for (const Formal &formal : lambda->formals) {
        const std::string_view name = nameOf(*lambda, formal.symbol);
        bool certain = argument->kind == ValueKind::Attributes;
        Cell *given = certain ? find(*argument, name, certain) : nullptr;
        others -= given && others > 0 ? 1 : 0;
        if (!given && !certain)
            given = select(argument, name);
        if (!given && !formal.fallback) {
            m_failures.push_back(
                {argument->node, QByteArray(name.data(), qsizetype(name.size())), Fold::Failure::NoArgument});
            given = opaque(Why::MissingArgument, name);
        }
        // A default may refer to any other argument, so it is delayed until all of them are set.
        frame->entries[next++] = given ? given : makeDelayed(formal.fallback, frame);
    }
    Q_ASSERT(next == count);
    for (const NamedCell &entry : others > 0 ? argument->layers()[0].entries : std::span<const NamedCell>()) {
        const auto isEntry = [&](const Formal &formal) { return nameOf(*lambda, formal.symbol) == entry.name; };
        if (std::ranges::none_of(lambda->formals, isEntry))
            m_failures.push_back({argument->node, QByteArray(entry.name.data(), qsizetype(entry.name.size())),
                                  Fold::Failure::OtherArgument});
    }
    return fold(lambda->body, frame);
}

Cell *Folder::callBuiltin(Cell *function, Cell *argument)
{
    const Deeper deeper(*this);
    if (!deeper.ok())
        return opaque(Why::TooDeep);
    if (!step())
        return exhausted();
    std::vector<Cell *> arguments(function->arguments().begin(), function->arguments().end());
    arguments.push_back(argument);
    if (int(arguments.size()) < function->builtin->arity)
        return makeFunction(function->builtin, arguments);
    if (Cell *folded = function->builtin->fold(*this, arguments))
        return force(folded);
    return term(UnknownKind::Call, {}, function, argument);
}

/// Sets the values of a set's attributes. Inherited ones are resolved outside, all others inside, where the frame may
/// consist of these very cells, so all of them must exist before one is forced.
void Folder::fill(std::span<Cell *> cells, const Attributes &set, const Frame *inner, const Frame *outer)
{
    for (quint32 i = 0; i < set.attributes.size(); ++i) {
        const Attribute &attribute = set.attributes[i];
        cells[i] = attribute.kind == Attribute::Inherited ? delay(attribute.value, outer) : make(ValueKind::Unknown);
    }
    std::vector<Cell *> sources;
    sources.reserve(set.sources.size());
    for (const Node *source : set.sources)
        sources.push_back(delay(source, inner));
    for (quint32 i = 0; i < set.attributes.size(); ++i) {
        const Attribute &attribute = set.attributes[i];
        if (attribute.kind == Attribute::Inherited)
            continue;
        Cell &cell = *cells[i];
        cell.state = Cell::State::Delayed;
        cell.node = attribute.value;
        cell.frame = inner;
        if (attribute.kind == Attribute::InheritedFrom) {
            cell.first = sources[attribute.source];
            cell.name = nameOf(set, attribute.symbol);
        }
    }
}

const Frame *Folder::frameOf(const Attributes &set, const Frame *frame)
{
    const quint32 count = set.attributes.size();
    step(count);
    Frame *inner = arena().make(Frame{frame, {arena().allocate<Cell *>(count), count}});
    fill(inner->entries, set, inner, frame);
    return inner;
}

Cell *Folder::attributes(const Attributes &set, const Frame *frame)
{
    const quint32 count = set.attributes.size();
    if (!step(count + set.dynamic.size()))
        return exhausted();
    // Nix replaces the attributes of such a set by those in __overrides.
    if (const Symbol symbol = tree(set.file).symbol("__overrides");
        m_exact && set.recursive && symbol && set.find(symbol))
        return opaque(Why::NotFolded, {}, &set);
    std::vector<Cell *> cells(count);
    if (set.recursive) {
        frame = frameOf(set, frame);
        std::ranges::copy(frame->entries, cells.begin());
    } else {
        fill(cells, set, frame, frame);
    }
    std::vector<NamedCell> entries;
    entries.reserve(count + set.dynamic.size());
    for (quint32 i = 0; i < count; ++i)
        entries.push_back({nameOf(set, set.attributes[i].symbol), cells[i], &set.attributes[i]});

    std::vector<Layer> layers;
    for (const DynamicAttribute &dynamic : set.dynamic) {
        Cell *name = force(delay(dynamic.name->expression, frame));
        if (name->kind == ValueKind::Null)
            continue; // Nix treats this as no attribute at all.
        if (const auto bytes = bytesOf(name))
            entries.push_back({*bytes, delay(dynamic.value, frame), nullptr});
        else
            layers.push_back({nullptr, {}, term(UnknownKind::Dynamic, {}, name, delay(dynamic.value, frame))});
    }
    layers.push_back({&set, arena().copy(std::span<const NamedCell>(entries)), nullptr});
    return makeSet(layers, &set);
}

Cell *Folder::find(const Cell &set, std::string_view name, bool &certain)
{
    certain = step(set.layers().size());
    for (size_t i = set.layers().size(); i-- > 0;) {
        const Layer &layer = set.layers()[i];
        if (layer.unknown)
            certain = false;
        if (!certain)
            return nullptr;
        std::span<const NamedCell> searched = layer.entries;
        if (layer.set) {
            const Symbol symbol = tree(layer.set->file).symbol(name);
            if (const Attribute *found = symbol ? layer.set->find(symbol) : nullptr)
                return layer.entries[size_t(found - layer.set->attributes.begin())].cell;
            searched = searched.subspan(layer.set->attributes.size());
        }
        certain = step(searched.size() / 16);
        const auto found = std::ranges::find(searched, name, &NamedCell::name);
        if (found != searched.end())
            return found->cell;
    }
    return nullptr;
}

/// `x` of `x // { a = 1; }`, which has what the known sets above it lack; nullptr if there is another unknown one.
Cell *Folder::setBelow(const Cell &set) const
{
    Cell *below = set.layers().empty() ? nullptr : set.layers().front().unknown;
    const bool isSet = below && below->unknown != UnknownKind::Dynamic && stepsLeft() > 0;
    return isSet && std::ranges::none_of(set.layers().subspan(1), &Layer::unknown) ? below : nullptr;
}

std::vector<NamedCell> Folder::entriesOf(const Cell &set, bool &complete)
{
    // An unknown layer may override the entries below it, but the names exist.
    complete = std::ranges::none_of(set.layers(), &Layer::unknown);
    return merged(set.layers());
}

std::vector<NamedCell> Folder::merged(std::span<const Layer> layers)
{
    std::vector<NamedCell> entries;
    for (size_t i = layers.size(); i-- > 0;)
        entries.insert(entries.end(), layers[i].entries.begin(), layers[i].entries.end());
    std::ranges::stable_sort(entries, {}, &NamedCell::name);
    const auto repeated = std::ranges::unique(entries, {}, &NamedCell::name);
    entries.erase(repeated.begin(), repeated.end());
    return entries;
}

Cell *Folder::select(Cell *base, std::string_view name)
{
    base = force(base);
    if (base->kind == ValueKind::Unknown)
        return selectOfUnknown(base, name);
    if (base->kind != ValueKind::Attributes)
        return opaque(Why::WrongType, name);
    bool certain = true;
    if (Cell *found = find(*base, name, certain))
        return force(found);
    if (certain) {
        m_failures.push_back({base->node, QByteArray(name.data(), qsizetype(name.size()))});
        return opaque(Why::NoSuchAttribute, name);
    }
    if (Cell *below = setBelow(*base))
        return selectOfUnknown(below, name);
    Cell *cell = term(UnknownKind::Select, name, base);
    cell->why = Why::MaybeOtherAttribute;
    return cell;
}

Cell *Folder::selectOfUnknown(Cell *base, std::string_view name)
{
    if (base->unknown == UnknownKind::Global && base->name == "builtins")
        return global(name);
    const bool isVersions = base->unknown == UnknownKind::Select && base->name == "versions" && isLib(*base->first);
    if (isVersions || isLib(*base)) {
        if (const Builtin *found = Builtin::find(name, isVersions ? Builtin::InVersions : Builtin::InLib))
            return makeFunction(found);
    }
    Cell *cell = term(UnknownKind::Select, name, base);
    cell->why = base->why;
    return cell;
}

std::string_view Folder::nameOf(const Node &node, Symbol symbol) const
{
    return tree(node.file).name(symbol);
}

/// `node`: the expression that has the name.
std::optional<std::string_view> Folder::nameOf(const Node &node, const AttributeName &name, const Frame *frame)
{
    return name.symbol ? nameOf(node, name.symbol) : bytesOf(delay(name.expression, frame));
}

/// The elements of a path from `names` on, separated by NUL, which Nix texts never contain; nullopt if one is unknown.
std::optional<std::string_view> Folder::restOf(const Node &node, std::span<const AttributeName> names,
                                               const Frame *frame)
{
    std::string path;
    for (const AttributeName &element : names) {
        const auto name = nameOf(node, element, frame);
        if (!name)
            return std::nullopt;
        if (&element != &names.front())
            path += '\0';
        path += *name;
    }
    return step(path.size() / 64) ? std::optional(arena().copy(std::string_view(path))) : std::nullopt;
}

Cell *Folder::selection(const Select &select, const Frame *frame)
{
    Cell *cell = force(delay(select.base, frame));
    for (size_t i = 0; i < select.path.size(); ++i) {
        const auto name = nameOf(select, select.path[i], frame);
        if (!name && m_exact && !select.fallback) {
            cell = writtenBy(&select, term(UnknownKind::Select, {}, cell, delay(select.path[i].expression, frame)));
            continue;
        }
        if (!name)
            return opaque(Why::NotFolded, {}, &select);
        bool certain = cell->kind != ValueKind::Unknown;
        if (cell->kind == ValueKind::Attributes) {
            if (Cell *found = find(*cell, *name, certain)) {
                cell = force(found);
                continue;
            }
        }
        if (select.fallback && certain)
            return fold(select.fallback, frame);
        if (select.fallback && m_exact && !isSpecial(*cell)) {
            // Any missing element gives the fallback, so the rest of the path stays together.
            const auto rest = restOf(select, select.path.subspan(i), frame);
            if (!rest)
                return opaque(Why::NotFolded, {}, &select);
            return writtenBy(&select, term(UnknownKind::Select, *rest, cell, nullptr, delay(select.fallback, frame)));
        }
        expect(Fold::Failure::NotSet, select.base, *cell);
        if (cell->unknown == UnknownKind::Global && cell->name == "builtins" && !select.fallback && isMisspelt(*name))
            m_failures.push_back({&select, QByteArray(name->data(), qsizetype(name->size()))});
        const size_t before = m_failures.size();
        cell = writtenBy(&select, this->select(cell, *name));
        for (Fold::Failure &failure : std::span(m_failures).subspan(before)) {
            if (!failure.node) // the set was computed
                failure.node = &select;
        }
    }
    if (select.fallback)
        mayNotReach(select.fallback);
    if (select.fallback && cell->kind == ValueKind::Unknown && cell->unknown == UnknownKind::Select &&
        cell->node == &select)
        cell->third = delay(select.fallback, frame);
    return cell;
}

Cell *Folder::hasAttribute(const HasAttribute &node, const Frame *frame)
{
    Cell *cell = force(delay(node.base, frame));
    for (size_t i = 0; i < node.path.size(); ++i) {
        const auto name = nameOf(node, node.path[i], frame);
        if (!name)
            return opaque(Why::NotFolded, {}, &node);
        bool certain = cell->kind != ValueKind::Unknown;
        Cell *found = cell->kind == ValueKind::Attributes ? find(*cell, *name, certain) : nullptr;
        if (!found && certain)
            return makeBoolean(false);
        if (!found) {
            const auto rest = m_exact ? restOf(node, node.path.subspan(i), frame) : std::nullopt;
            return rest ? writtenBy(&node, term(UnknownKind::Has, *rest, cell)) : opaque(Why::NotFolded, {}, &node);
        }
        if (i + 1 < node.path.size())
            cell = force(found);
    }
    return makeBoolean(true);
}

Cell *Folder::needed(Fold::Failure::What what, const Node *node, const Frame *frame)
{
    Cell *cell = force(delay(node, frame));
    expect(what, node, *cell);
    return cell;
}

void Folder::expect(Fold::Failure::What what, const Node *node, const Cell &cell)
{
    // A set may stand for a text, or be called. A path becomes a text.
    const bool fits = what == Fold::Failure::NotText ? cell.kind == ValueKind::Text || cell.kind == ValueKind::Path
                      : what == Fold::Failure::NotFunction ? cell.kind == ValueKind::Function
                      : what == Fold::Failure::NotList     ? cell.kind == ValueKind::List
                                                           : false;
    if (fits || cell.kind == ValueKind::Unknown ||
        (cell.kind == ValueKind::Attributes && what != Fold::Failure::NotList))
        return;
    const char *const name = [&] { // as in Nix's messages
        switch (cell.kind) {
        case ValueKind::Null: return "null";
        case ValueKind::Boolean: return "a Boolean";
        case ValueKind::Integer: return "an integer";
        case ValueKind::Float: return "a float";
        case ValueKind::Text: return "a string";
        case ValueKind::Path: return "a path";
        case ValueKind::List: return "a list";
        case ValueKind::Attributes: return "a set";
        default: return "a function";
        }
    }();
    m_failures.push_back({node, name, what});
}

void Folder::failNoData(std::string_view form)
{
    m_failures.push_back({nullptr, QByteArray(form.data(), qsizetype(form.size())), Fold::Failure::NotData});
}

std::vector<Fold::Failure> Folder::failures() const
{
    std::vector<Fold::Failure> failures;
    std::ranges::copy_if(m_failures, std::back_inserter(failures), [this](const Fold::Failure &failure) {
        return std::ranges::none_of(m_unreached, [&failure](const Node *node) {
            return failure.node && node->file == failure.node->file && node->span.contains(failure.node->span);
        });
    });
    return failures;
}

Cell *Folder::text(const Text &text, const Frame *frame)
{
    std::vector<TextPiece> pieces;
    for (const TextPart &part : text.parts) {
        if (part.expression)
            addText(pieces, needed(Fold::Failure::NotText, part.expression, frame));
        else
            pieces.push_back({part.text, &text, &part, nullptr});
    }
    return makeText(pieces, &text);
}

std::string_view Folder::joined(std::string_view path, std::string_view more)
{
    if (path.empty() || !step((path.size() + more.size()) / 64))
        return {};
    const std::string joined = Files::normalised(std::string(path) + std::string(more));
    return arena().copy(std::string_view(joined));
}

/// A path is kept as written, and as seen from the root of Files.
Cell *Folder::path(const Path &path, const Frame *frame)
{
    std::vector<TextPiece> pieces;
    for (const TextPart &part : path.parts) {
        if (part.expression)
            addText(pieces, needed(Fold::Failure::NotText, part.expression, frame));
        else
            pieces.push_back({part.text, nullptr, &part, nullptr});
    }
    Cell *cell = makeText(pieces, &path);
    if (cell->kind != ValueKind::Text)
        return cell;
    cell->kind = ValueKind::Path;
    if (!m_files)
        return cell;
    const std::string_view first = pieces.front().bytes;
    const std::string folder = Files::folderOf(path.file ? m_files->path(path.file) : std::string_view(m_path));
    std::string whole = pieces.front().part ? Files::resolved(folder, first) : std::string();
    if (!whole.empty() && pieces.size() > 1 && first.ends_with('/')) // Then an antiquotation follows.
        whole += '/';
    for (size_t i = 1; i < pieces.size() && !whole.empty(); ++i) {
        if (pieces[i].hole)
            whole.clear();
        else
            whole += pieces[i].bytes;
    }
    if (!whole.empty())
        cell->name = joined(whole, {});
    return cell;
}

void Folder::addText(std::vector<TextPiece> &pieces, Cell *cell, bool loosely)
{
    cell = force(cell);
    const auto computed = [&](std::string_view bytes) { pieces.push_back({arena().copy(bytes)}); };
    switch (cell->kind) {
    case ValueKind::Text:
        if (step(cell->pieces().size()))
            pieces.insert(pieces.end(), cell->pieces().begin(), cell->pieces().end());
        else
            pieces.push_back({{}, nullptr, nullptr, exhausted()});
        return;
    case ValueKind::Null:
        if (loosely)
            return;
        break;
    case ValueKind::Boolean:
        if (loosely)
            return cell->boolean ? computed("1") : void();
        break;
    case ValueKind::Integer:
        if (loosely)
            return computed(QByteArray::number(cell->integer).toStdString());
        break;
    case ValueKind::Float:
        if (loosely)
            return computed(QByteArray::number(cell->number, 'f', 6).toStdString());
        break;
    case ValueKind::List:
        if (loosely)
            return addList(pieces, *cell);
        break;
    case ValueKind::Path:       // In the store, or on this disk.
    case ValueKind::Attributes: // It may have an outPath, which is unknown too.
    case ValueKind::Function:
    case ValueKind::Unknown: break;
    }
    pieces.push_back({{}, nullptr, nullptr, cell});
}

/// Joins a list like toString: a space after each element except the last one and empty lists.
void Folder::addList(std::vector<TextPiece> &pieces, const Cell &list)
{
    const Deeper deeper(*this);
    if (!deeper.ok() || !step(list.items().size())) {
        pieces.push_back({{}, nullptr, nullptr, opaque(Why::TooDeep)});
        return;
    }
    for (const Item &item : list.items()) {
        const Cell *element = force(item.cell);
        if (item.spliced)
            pieces.push_back({{}, nullptr, nullptr, item.cell});
        else
            addText(pieces, item.cell, true);
        if (&item != &list.items().back() && (element->kind != ValueKind::List || !element->items().empty()))
            pieces.push_back({" "});
    }
}

std::optional<std::string_view> Folder::bytesOf(Cell *cell)
{
    cell = force(cell);
    if (cell->kind != ValueKind::Text)
        return std::nullopt;
    if (cell->pieces().empty())
        return std::string_view();
    if (cell->pieces().size() == 1 && !cell->pieces().front().hole)
        return cell->pieces().front().bytes;
    size_t size = 0;
    for (const TextPiece &piece : cell->pieces()) {
        if (piece.hole)
            return std::nullopt;
        size += piece.bytes.size();
    }
    if (!step(size / 64))
        return std::nullopt;
    char *const start = arena().allocate<char>(size);
    char *target = start;
    for (const TextPiece &piece : cell->pieces())
        target = std::copy(piece.bytes.begin(), piece.bytes.end(), target);
    return std::string_view(start, size);
}

Fold::Fold(std::shared_ptr<const Tree> tree, const FoldOptions &options)
    : m_folder(std::make_unique<Folder>(std::move(tree), options))
{
}

Fold::~Fold() = default;

Value Fold::file()
{
    const Node *root = m_folder->tree().root();
    return {m_folder.get(), root ? m_folder->force(m_folder->delay(root, nullptr)) : m_folder->opaque(Why::NoRoot)};
}

Value Fold::result()
{
    return {m_folder.get(), m_folder->result()};
}

Value Fold::call(const Value &function, const Value &argument)
{
    return {m_folder.get(), m_folder->call(const_cast<Cell *>(&function.cell()), const_cast<Cell *>(&argument.cell()))};
}

Value Fold::argument(const QByteArray &name)
{
    const std::string_view kept = m_folder->arena().copy(std::string_view(name.constData(), size_t(name.size())));
    return {m_folder.get(), m_folder->term(UnknownKind::Argument, kept)};
}

const Tree &Fold::tree(quint16 file) const
{
    return m_folder->tree(file);
}

bool Fold::refersToItself() const
{
    return m_folder->refersToItself();
}

void Fold::mayNotReach(const Node *node)
{
    m_folder->mayNotReach(node);
}

std::vector<Fold::Failure> Fold::failures() const
{
    return m_folder->failures();
}

int Fold::stepsLeft() const
{
    return m_folder->stepsLeft();
}

} // namespace tmx::nix
