// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Scopes.h"

#include <algorithm>
#include <array>

namespace tmx::nix {

namespace {

// Names that `nix-instantiate --parse` of Nix 2.26.3 accepts without a definition if no experimental feature is
// enabled; sorted. A test compares them with Nix.
constexpr std::string_view globalNames =
    "__add __addDrvOutputDependencies __addErrorContext __all __any __appendContext __attrNames __attrValues "
    "__bitAnd __bitOr __bitXor __catAttrs __ceil __compareVersions __concatLists __concatMap __concatStringsSep "
    "__convertHash __currentSystem __currentTime __deepSeq __div __elem __elemAt __fetchurl __filter "
    "__filterSource __findFile __floor __foldl' __fromJSON __functionArgs __genList __genericClosure __getAttr "
    "__getContext __getEnv __groupBy __hasAttr __hasContext __hashFile __hashString __head __intersectAttrs "
    "__isAttrs __isBool __isFloat __isFunction __isInt __isList __isPath __isString __langVersion __length "
    "__lessThan __listToAttrs __mapAttrs __match __mul __nixPath __nixVersion __parseDrvName __partition __path "
    "__pathExists __readDir __readFile __readFileType __replaceStrings __seq __sort __split __splitVersion "
    "__storeDir __storePath __stringLength __sub __substring __tail __toFile __toJSON __toPath __toXML __trace "
    "__traceVerbose __tryEval __typeOf __unsafeDiscardOutputDependency __unsafeDiscardStringContext "
    "__unsafeGetAttrPos __warn __zipAttrsWith abort baseNameOf break builtins derivation derivationStrict dirOf "
    "false fetchGit fetchMercurial fetchTarball fromTOML import isNull map null placeholder removeAttrs "
    "scopedImport throw toString true";

constexpr auto globals = [] {
    std::array<std::string_view, std::ranges::count(globalNames, ' ') + 1> names;
    std::string_view rest = globalNames;
    for (std::string_view &name : names) {
        name = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    }
    return names;
}();
static_assert(std::ranges::is_sorted(globals));

bool isGlobal(std::string_view name)
{
    return std::ranges::binary_search(globals, name);
}

/// The meaning of a symbol at one point of the walk: entry `index` of frame `depth`, where frames are counted from the
/// outermost (1) inwards.
struct Definition {
    quint32 depth = 0; ///< 0 = not defined
    quint32 index = 0;
};

class Binder
{
public:
    explicit Binder(const SymbolTable &symbols)
        : m_symbols(symbols)
        , m_definitions(symbols.size())
    {
    }

    void walk(const Node *node);
    [[nodiscard]] const Variable *firstUndefined() const { return m_undefined; }

private:
    const Node *walkAllButLast(const Node *node);
    void bind(Variable &variable);
    void define(Symbol symbol, quint32 index);
    const Node *enter(const Lambda &lambda);
    const Node *enter(With &with);
    void walkSet(const Attributes &set);
    void walkNames(std::span<const AttributeName> names);
    const Node *walkParts(std::span<const TextPart> parts);
    void walkAll(const auto &nodes);
    const Node *walkBinary(const Binary &binary);

    const SymbolTable &m_symbols;
    std::vector<Definition> m_definitions; ///< by symbol
    std::vector<std::pair<Symbol, Definition>> m_shadowed;
    quint32 m_depth = 0;
    quint32 m_with = 0; ///< depth of the innermost With; 0 = none
    const Variable *m_undefined = nullptr;
};

/// Nodes become const for everyone after this binding.
template <class T>
T &open(const Node *node)
{
    return *const_cast<T *>(static_cast<const T *>(node));
}

/// Iterates wherever one part of a node may be as long as the file; the frames opened on the way are closed together on
/// return.
void Binder::walk(const Node *node)
{
    const quint32 depth = m_depth;
    const quint32 with = m_with;
    const size_t shadowed = m_shadowed.size();
    while (node)
        node = walkAllButLast(node);
    while (m_shadowed.size() > shadowed) {
        m_definitions[m_shadowed.back().first.id] = m_shadowed.back().second;
        m_shadowed.pop_back();
    }
    m_depth = depth;
    m_with = with;
}

/// Returns the last part; null if there is none.
const Node *Binder::walkAllButLast(const Node *node)
{
    switch (node->kind) {
    case NodeKind::Integer:
    case NodeKind::Float:
    case NodeKind::SearchPath: return nullptr;
    case NodeKind::Text: return walkParts(open<Text>(node).parts);
    case NodeKind::Path: return walkParts(open<Path>(node).parts);
    case NodeKind::Variable: bind(open<Variable>(node)); return nullptr;
    case NodeKind::Select:
        walkNames(open<Select>(node).path);
        walk(open<Select>(node).fallback);
        return open<Select>(node).base;
    case NodeKind::HasAttribute: walkNames(open<HasAttribute>(node).path); return open<HasAttribute>(node).base;
    case NodeKind::Lambda: return enter(open<Lambda>(node));
    case NodeKind::Call: walkAll(open<Call>(node).arguments); return open<Call>(node).function;
    case NodeKind::Let: walkSet(*open<Let>(node).bindings); return open<Let>(node).body;
    case NodeKind::With: return enter(open<With>(node));
    case NodeKind::If:
        walk(open<If>(node).condition);
        walk(open<If>(node).then);
        return open<If>(node).otherwise;
    case NodeKind::Assert: walk(open<Assert>(node).condition); return open<Assert>(node).body;
    case NodeKind::List: walkAll(open<List>(node).elements); return nullptr;
    case NodeKind::Attributes: walkSet(open<Attributes>(node)); return nullptr;
    case NodeKind::Unary: return open<Unary>(node).operand;
    case NodeKind::Binary: return walkBinary(open<Binary>(node));
    }
    Q_UNREACHABLE_RETURN(nullptr);
}

void Binder::bind(Variable &variable)
{
    const Definition definition = m_definitions[variable.symbol.id];
    const std::string_view name = m_symbols.name(variable.symbol);
    if (name == "__curPos") {
        variable.binds = Binds::Position;
    } else if (definition.depth > 0) {
        variable.binds = Binds::Frame;
        variable.level = m_depth - definition.depth;
        variable.index = definition.index;
    } else if (isGlobal(name)) {
        variable.binds = Binds::Global;
    } else if (m_with > 0) {
        variable.binds = Binds::With;
        variable.level = m_depth - m_with;
    } else if (!m_undefined || variable.span.offset < m_undefined->span.offset) {
        m_undefined = &variable;
    }
}

void Binder::define(Symbol symbol, quint32 index)
{
    Definition &definition = m_definitions[symbol.id];
    m_shadowed.emplace_back(symbol, definition);
    definition = {m_depth, index};
}

const Node *Binder::enter(const Lambda &lambda)
{
    ++m_depth;
    quint32 index = 0;
    if (lambda.argument)
        define(lambda.argument, index++);
    for (const Formal &formal : lambda.formals)
        define(formal.symbol, index++);
    for (const Formal &formal : lambda.formals)
        walk(formal.fallback);
    return lambda.body;
}

const Node *Binder::enter(With &with)
{
    walk(with.scope);
    ++m_depth;
    with.outer = m_with > 0 ? m_depth - m_with : 0;
    m_with = m_depth;
    return with.body;
}

/// Leaves the frame of a recursive set open, because a let's body follows.
void Binder::walkSet(const Attributes &set)
{
    for (const Attribute &attribute : set.attributes) {
        if (attribute.kind == Attribute::Inherited)
            bind(open<Variable>(attribute.value));
    }
    if (set.recursive) {
        ++m_depth;
        for (quint32 index = 0; index < set.attributes.size(); ++index)
            define(set.attributes[index].symbol, index);
    }
    walkAll(set.sources);
    for (const Attribute &attribute : set.attributes) {
        if (attribute.kind == Attribute::Plain)
            walk(attribute.value);
    }
    for (const DynamicAttribute &dynamic : set.dynamic) {
        walk(dynamic.name->expression);
        walk(dynamic.value);
    }
}

void Binder::walkNames(std::span<const AttributeName> names)
{
    for (const AttributeName &name : names)
        walk(name.expression);
}

const Node *Binder::walkParts(std::span<const TextPart> parts)
{
    for (const TextPart &part : parts)
        walk(part.expression);
    return nullptr;
}

void Binder::walkAll(const auto &nodes)
{
    for (const Node *node : nodes)
        walk(node);
}

const Node *Binder::walkBinary(const Binary &binary)
{
    walk(binary.nestsRight() ? binary.left : binary.right);
    return binary.nestsRight() ? binary.right : binary.left;
}

} // namespace

const Variable *bindVariables(const Node *root, const SymbolTable &symbols)
{
    Binder binder(symbols);
    binder.walk(root);
    return binder.firstUndefined();
}

} // namespace tmx::nix
