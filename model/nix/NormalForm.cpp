// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/NormalForm.h"

#include "model/nix/Builtins.h"

#include <QCryptographicHash>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tmx::nix {

namespace {

size_t mixed(size_t hash, size_t value)
{
    hash ^= value + 0x9e3779b97f4a7c15U + (hash << 6) + (hash >> 2);
    return hash * 0xff51afd7ed558ccdU;
}

/// Converts cells to terms.
class TermReader
{
public:
    TermReader(Folder &folder, Terms &terms)
        : m_folder(folder)
        , m_terms(terms)
    {
    }

    /// nullptr if there is no form; `problem()` has the reason.
    const Term *read(Cell *cell)
    {
        const Folder::Deeper deeper(m_folder);
        if (!deeper.ok())
            return fail(m_folder.opaque(Why::TooDeep));
        cell = m_folder.force(cell);
        if (!m_folder.step())
            return fail(m_folder.exhausted());
        const auto known = m_known.find({cell, m_depth});
        if (known != m_known.end())
            return known->second;
        // A value within itself, `python = p.python3.override { self = python; ... }`, is how far out it is.
        if (const auto outer = std::ranges::find(m_within, cell); outer != m_within.end()) {
            const auto at = size_t(outer - m_within.begin());
            m_outermost = std::min(m_outermost, at);
            return m_terms.make(TermKind::Global, "<itself>", {}, quint32(m_within.size() - at));
        }
        const size_t outside = std::exchange(m_outermost, ~size_t(0));
        m_within.push_back(cell);
        const Term *term = termOf(cell);
        m_within.pop_back();
        const bool isClosed = m_outermost >= m_within.size(); // and so the same wherever it is
        if (term && isClosed)
            m_known.emplace(Key{cell, m_depth}, term);
        m_outermost = isClosed ? outside : std::min(outside, m_outermost);
        return term;
    }

    [[nodiscard]] const Cell *problem() const { return m_problem; }

private:
    const Term *fail(const Cell *cell)
    {
        if (!m_problem)
            m_problem = cell;
        return nullptr;
    }

    const Term *termOf(Cell *cell)
    {
        switch (cell->kind) {
        case ValueKind::Null: return m_terms.make(TermKind::Constant, "null");
        case ValueKind::Boolean: return m_terms.make(TermKind::Constant, cell->boolean ? "true" : "false");
        case ValueKind::Integer: return constant(QByteArray::number(cell->integer));
        case ValueKind::Float: {
            const QByteArray digits = QByteArray::number(cell->number, 'g', 17);
            return constant(digits.contains('.') || digits.contains('e') ? digits : digits + ".0");
        }
        case ValueKind::Text: return text(*cell);
        case ValueKind::Path: return path(*cell);
        case ValueKind::List: return list(*cell);
        case ValueKind::Attributes: return set(*cell);
        case ValueKind::Function: return cell->builtin ? builtin(*cell) : lambda(*cell);
        case ValueKind::Unknown: break;
        }
        switch (cell->unknown) {
        case UnknownKind::Opaque: return fail(cell);
        case UnknownKind::Argument: return m_terms.make(TermKind::Bound, cell->name, {}, quint32(cell->integer));
        case UnknownKind::Global:
            // The position in the file is not part of the meaning.
            return cell->name == "unsafeGetAttrPos" ? fail(cell) : m_terms.make(TermKind::Global, cell->name);
        case UnknownKind::SearchPath: return m_terms.make(TermKind::SearchPath, cell->name);
        case UnknownKind::Select:
            return cell->second ? parts(TermKind::SelectBy, {}, {cell->first, cell->second})
                                : parts(TermKind::Select, cell->name, {cell->first, cell->third});
        case UnknownKind::Call: return call(*cell);
        case UnknownKind::Conditional: return parts(TermKind::If, {}, {cell->first, cell->second, cell->third});
        case UnknownKind::Assertion: return parts(TermKind::Assert, {}, {cell->first, cell->second});
        case UnknownKind::Operator: return parts(TermKind::Operator, cell->name, {cell->first, cell->second});
        case UnknownKind::Has: return parts(TermKind::Has, cell->name, {cell->first});
        case UnknownKind::Dynamic: return parts(TermKind::Dynamic, {}, {cell->first, cell->second});
        }
        Q_UNREACHABLE_RETURN(nullptr);
    }

    const Term *constant(const QByteArray &text)
    {
        return m_terms.make(TermKind::Constant, std::string_view(text.constData(), size_t(text.size())));
    }

    /// A term of those cells that are not null.
    const Term *parts(TermKind kind, std::string_view name, std::initializer_list<Cell *> cells)
    {
        std::vector<const Term *> terms;
        for (Cell *cell : cells) {
            if (!cell)
                continue;
            terms.push_back(read(cell));
            if (!terms.back())
                return nullptr;
        }
        return m_terms.make(kind, name, terms);
    }

    bool addPieces(std::vector<const Term *> &stretches, const Cell &cell)
    {
        for (const TextPiece &piece : cell.pieces()) {
            if (!m_folder.step(1 + piece.bytes.size() / 64))
                return fail(m_folder.exhausted()) != nullptr;
            stretches.push_back(piece.hole ? read(const_cast<Cell *>(piece.hole))
                                           : m_terms.make(TermKind::Literal, piece.bytes));
            if (!stretches.back())
                return false;
        }
        return true;
    }

    const Term *text(const Cell &cell)
    {
        std::vector<const Term *> stretches;
        return addPieces(stretches, cell) ? m_terms.makeText(stretches) : nullptr;
    }

    /// What callPackage reads is code, whose comments do not count.
    const Term *call(const Cell &cell)
    {
        const Cell *file = isCallPackage(*cell.first) ? m_folder.force(cell.second) : nullptr;
        if (!file || file->kind != ValueKind::Path)
            return parts(TermKind::Call, {}, {cell.first, cell.second});
        const Term *const terms[] = {read(cell.first), path(*file, true)};
        return terms[0] && terms[1] ? m_terms.make(TermKind::Call, {}, terms) : nullptr;
    }

    /// Its parts are kept separate: `./. + "b"` is not `./.b`.
    const Term *path(const Cell &cell, bool isImported = false)
    {
        std::vector<const Term *> stretches;
        // What the path names may be read by the build.
        const QByteArray content = m_folder.files() ? m_folder.files()->contentOf(cell.name, isImported) : QByteArray();
        if (content.isEmpty())
            return addPieces(stretches, cell) ? m_terms.make(TermKind::Path, {}, stretches) : nullptr;
        const std::string id = '\0' + content.toHex().toStdString();
        for (const std::string_view part : {cell.name, std::string_view(id)})
            stretches.push_back(m_terms.make(TermKind::Literal, part));
        return m_terms.make(TermKind::Path, {}, stretches);
    }

    const Term *list(const Cell &cell)
    {
        std::vector<const Term *> elements;
        for (const Item &item : cell.items()) {
            const Term *element = read(item.cell);
            if (!element)
                return nullptr;
            elements.push_back(item.spliced ? m_terms.make(TermKind::Splice, {}, {element}) : element);
        }
        return m_terms.make(TermKind::List, {}, elements);
    }

    const Term *set(const Cell &cell)
    {
        std::vector<const Term *> layers;
        for (size_t from = 0, to = 0; from < cell.layers().size(); from = to) {
            const Term *term = nullptr;
            if (const Cell *unknown = cell.layers()[from].unknown) {
                to = from + 1;
                term = read(const_cast<Cell *>(unknown));
            } else { // Consecutive known layers are one set.
                while (to < cell.layers().size() && !cell.layers()[to].unknown)
                    ++to;
                term = known(cell.layers().subspan(from, to - from));
            }
            if (!term)
                return nullptr;
            layers.push_back(term);
        }
        return layers.size() == 1 && layers.front()->kind == TermKind::Set ? layers.front()
                                                                           : m_terms.make(TermKind::Update, {}, layers);
    }

    const Term *known(std::span<const Layer> layers)
    {
        std::vector<const Term *> attributes;
        for (const NamedCell &entry : Folder::merged(layers)) {
            const Term *term = read(entry.cell);
            if (!term)
                return nullptr;
            attributes.push_back(m_terms.make(TermKind::Attribute, entry.name, {term}));
        }
        return m_terms.make(TermKind::Set, {}, attributes);
    }

    const Term *builtin(const Cell &cell)
    {
        std::vector<const Term *> arguments;
        for (Cell *argument : cell.arguments()) {
            arguments.push_back(read(argument));
            if (!arguments.back())
                return nullptr;
        }
        return m_terms.make(TermKind::Builtin, cell.builtin->name, arguments);
    }

    const Term *lambda(const Cell &cell)
    {
        const auto &lambda = *as<Lambda>(cell.node);
        ++m_depth;
        const Term *term = lambdaBody(lambda, cell.frame);
        --m_depth;
        return term;
    }

    /// Its body, with arguments that are identified by their position only.
    const Term *lambdaBody(const Lambda &lambda, const Frame *outer)
    {
        const size_t count = lambda.formals.size() + (lambda.argument ? 1 : 0);
        if (!m_folder.step(count))
            return fail(m_folder.exhausted());
        auto *frame = m_folder.arena().make(Frame{outer, {m_folder.arena().allocate<Cell *>(count), count}});
        size_t next = 0;
        const auto add = [&](std::string_view name) {
            Cell *argument = m_folder.term(UnknownKind::Argument, name);
            argument->integer = m_depth;
            frame->entries[next++] = argument;
        };
        if (lambda.argument)
            add({});
        std::vector<const Formal *> formals;
        for (const Formal &formal : lambda.formals) {
            add(m_folder.nameOf(lambda, formal.symbol));
            formals.push_back(&formal);
        }
        const auto nameOf = [&](const Formal *formal) { return m_folder.nameOf(lambda, formal->symbol); };
        std::ranges::sort(formals, {}, nameOf);
        std::vector<const Term *> terms;
        for (const Formal *formal : formals) {
            const Term *fallback = formal->fallback ? read(m_folder.delay(formal->fallback, frame)) : nullptr;
            if (formal->fallback && !fallback)
                return nullptr;
            terms.push_back(m_terms.make(TermKind::Formal, nameOf(formal),
                                         std::span<const Term *const>(&fallback, fallback ? 1 : 0)));
        }
        terms.push_back(read(m_folder.delay(lambda.body, frame)));
        if (!terms.back())
            return nullptr;
        const std::string_view kind = !lambda.hasFormals ? "" : lambda.ellipsis ? "{..." : "{";
        return m_terms.make(TermKind::Lambda, kind, terms);
    }

    struct Key {
        const Cell *cell;
        quint32 depth;
        bool operator==(const Key &) const = default;
    };
    struct KeyHash {
        size_t operator()(const Key &key) const { return mixed(size_t(key.cell) >> 4, key.depth); }
    };
    Folder &m_folder;
    Terms &m_terms;
    std::vector<const Cell *> m_within; ///< that are being read, the outermost first
    size_t m_outermost = ~size_t(0);    ///< in m_within: what the part that is being read refers to from within
    std::unordered_map<Key, const Term *, KeyHash> m_known;
    quint32 m_depth = 0;
    const Cell *m_problem = nullptr;
};

} // namespace

const Term *Term::find(std::string_view attribute) const
{
    if (kind != TermKind::Set)
        return nullptr;
    const auto found = std::ranges::lower_bound(terms, attribute, {}, &Term::name);
    return found != terms.end() && (*found)->name == attribute ? (*found)->first() : nullptr;
}

Terms::Terms()
    : m_slots(1024)
    , m_hashes(1024)
{
}

const Term *Terms::make(TermKind kind, std::string_view name, std::span<const Term *const> terms, quint32 level)
{
    size_t hash = mixed(std::hash<std::string_view>()(name), size_t(kind) << 32 | level);
    for (const Term *term : terms)
        hash = mixed(hash, size_t(term) >> 4);
    size_t slot = hash & (m_slots.size() - 1);
    for (; m_slots[slot]; slot = (slot + 1) & (m_slots.size() - 1)) {
        const Term &known = *m_slots[slot];
        if (m_hashes[slot] == hash && known.kind == kind && known.level == level && known.name == name &&
            std::ranges::equal(known.terms, terms))
            return &known;
    }
    const Term *made = m_arena.make(Term{kind, level, quint32(m_count), m_arena.copy(name), m_arena.copy(terms)});
    m_slots[slot] = made;
    m_hashes[slot] = hash;
    if (++m_count * 2 > m_slots.size())
        grow();
    return made;
}

void Terms::grow()
{
    const std::vector<const Term *> oldSlots = std::exchange(m_slots, std::vector<const Term *>(m_slots.size() * 2));
    const std::vector<size_t> oldHashes = std::exchange(m_hashes, std::vector<size_t>(m_slots.size()));
    for (size_t i = 0; i < oldSlots.size(); ++i) {
        if (!oldSlots[i])
            continue;
        size_t slot = oldHashes[i] & (m_slots.size() - 1);
        while (m_slots[slot])
            slot = (slot + 1) & (m_slots.size() - 1);
        m_slots[slot] = oldSlots[i];
        m_hashes[slot] = oldHashes[i];
    }
}

const Term *Terms::makeText(std::span<const Term *const> stretches)
{
    std::vector<const Term *> joined;
    std::string bytes;
    const auto flush = [&] {
        if (!bytes.empty())
            joined.push_back(make(TermKind::Literal, bytes));
        bytes.clear();
    };
    for (const Term *stretch : stretches) {
        if (stretch->kind == TermKind::Literal) {
            bytes += stretch->name;
            continue;
        }
        flush();
        joined.push_back(stretch);
    }
    if (joined.empty())
        return make(TermKind::Text, bytes);
    flush();
    return make(TermKind::Text, {}, joined);
}

const Term *normalForm(const std::shared_ptr<const Tree> &tree, Terms &terms, QString *problem, FoldOptions options)
{
    options.exact = true;
    Folder folder(tree, options);
    TermReader reader(folder, terms);
    const Term *term = tree->root() ? reader.read(folder.delay(tree->root(), nullptr)) : nullptr;
    if (term && folder.stepsLeft() > 0)
        return term;
    if (problem)
        *problem = !tree->root()             ? reasonOf(Why::NoRoot)
                   : folder.stepsLeft() == 0 ? reasonOf(Why::TooMuchWork)
                                             : reasonOf(reader.problem()->why, reader.problem()->name);
    return nullptr;
}

QByteArray hashOf(const Term *term)
{
    // Writes each term once, after its parts, which are identified by their numbers.
    std::string bytes;
    bytes.reserve(16384);
    std::vector<quint32> numbers(term->number + 1); ///< 0: not yet written
    quint32 last = 0;
    const auto add = [&bytes](quint32 number) { bytes.append(reinterpret_cast<const char *>(&number), sizeof number); };
    std::vector<std::pair<const Term *, size_t>> stack{{term, 0}};
    while (!stack.empty()) {
        auto &[current, next] = stack.back();
        if (next < current->terms.size()) {
            const Term *part = current->terms[next++];
            if (numbers[part->number] == 0)
                stack.emplace_back(part, 0);
            continue;
        }
        if (numbers[current->number] == 0) {
            numbers[current->number] = ++last;
            add(quint32(current->kind));
            add(current->level);
            add(quint32(current->name.size()));
            bytes.append(current->name);
            add(quint32(current->terms.size()));
            for (const Term *part : current->terms)
                add(numbers[part->number]);
        }
        stack.pop_back();
    }
    return QCryptographicHash::hash(QByteArrayView(bytes), QCryptographicHash::Blake2b_160);
}

} // namespace tmx::nix
