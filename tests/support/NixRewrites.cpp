// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "NixRewrites.h"

#include "model/nix/Parse.h"

#include <algorithm>
#include <array>
#include <set>

using namespace Qt::StringLiterals;
using namespace tmx::nix;

namespace tmx::test {

namespace {

/// Every expression and every set of a file, as written.
struct Places {
    std::vector<const Node *> nodes;
    std::vector<const Attributes *> sets;

    void walk(const Node *node)
    {
        if (!node)
            return;
        nodes.push_back(node);
        switch (node->kind) {
        case NodeKind::Text: parts(as<Text>(node)->parts); break;
        case NodeKind::Path: parts(as<Path>(node)->parts); break;
        case NodeKind::Select:
            walk(as<Select>(node)->base);
            walk(as<Select>(node)->fallback);
            break;
        case NodeKind::HasAttribute: walk(as<HasAttribute>(node)->base); break;
        case NodeKind::Lambda:
            for (const Formal &formal : as<Lambda>(node)->formals)
                walk(formal.fallback);
            walk(as<Lambda>(node)->body);
            break;
        case NodeKind::Call:
            walk(as<Call>(node)->function);
            for (const Node *argument : as<Call>(node)->arguments)
                walk(argument);
            break;
        case NodeKind::Let:
            set(as<Let>(node)->bindings);
            walk(as<Let>(node)->body);
            break;
        case NodeKind::With:
            walk(as<With>(node)->scope);
            walk(as<With>(node)->body);
            break;
        case NodeKind::If:
            walk(as<If>(node)->condition);
            walk(as<If>(node)->then);
            walk(as<If>(node)->otherwise);
            break;
        case NodeKind::Assert:
            walk(as<Assert>(node)->condition);
            walk(as<Assert>(node)->body);
            break;
        case NodeKind::List:
            for (const Node *element : as<List>(node)->elements)
                walk(element);
            break;
        case NodeKind::Attributes: set(as<Attributes>(node)); break;
        case NodeKind::Unary: walk(as<Unary>(node)->operand); break;
        case NodeKind::Binary:
            walk(as<Binary>(node)->left);
            walk(as<Binary>(node)->right);
            break;
        default: break;
        }
    }

private:
    void parts(std::span<const TextPart> parts)
    {
        for (const TextPart &part : parts)
            walk(part.expression);
    }
    void set(const Attributes *set)
    {
        sets.push_back(set);
        for (const Binding *binding : set->bindings)
            walk(binding->value);
    }
};

/// Changes of one file; each returns the new text, or nothing if it does not apply.
class Changer
{
public:
    Changer(const QByteArray &text, std::mt19937 &random, int &names)
        : m_text(text)
        , m_tree(parse(text).tree)
        , m_random(random)
        , m_names(names)
    {
        m_places.walk(m_tree->root());
    }

    QByteArray wrap(const char *before, const char *after)
    {
        const Node *node = any<Node>([](const Node *) { return true; });
        return node ? replaced(node->span, named(before) + source(node->span) + named(after)) : QByteArray();
    }

    QByteArray split()
    {
        const Text *text = anyOf<Text>([this](const Text *one) {
            return one->style == TextStyle::Quoted && one->span.length > 4 && plainText(one) &&
                   !source(one->span).contains('\\') && !source(one->span).contains('$');
        });
        if (!text)
            return {};
        const QByteArray all = source(text->span);
        const qsizetype at = 2 + below(size_t(all.size() - 3));
        return replaced(text->span, '(' + all.first(at) + "\" + \"" + all.sliced(at) + ')');
    }

    QByteArray joinNothing()
    {
        const Text *text = anyOf<Text>([](const Text *) { return true; });
        return text ? replaced(text->span, '(' + source(text->span) + " + \"\")") : QByteArray();
    }

    QByteArray swapBindings()
    {
        const Attributes *set = anySet([](const Attributes *one) { return one->bindings.size() > 1; });
        if (!set)
            return {};
        const int first = below(set->bindings.size() - 1);
        const int second = first + 1 + below(set->bindings.size() - size_t(first) - 1);
        const Span a = set->bindings[size_t(first)]->span;
        const Span b = set->bindings[size_t(second)]->span;
        return m_text.first(a.offset) + source(b) + m_text.sliced(a.end(), b.offset - a.end()) + source(a) +
               m_text.sliced(b.end());
    }

    /// Renames a let or an argument everywhere.
    QByteArray rename()
    {
        std::set<quint32> let;
        std::set<quint32> other;
        for (const Node *node : m_places.nodes) {
            if (const auto *lambda = as<Lambda>(node)) {
                if (lambda->argument)
                    let.insert(lambda->argument.id);
                for (const Formal &formal : lambda->formals)
                    other.insert(formal.symbol.id);
            }
            if (const auto *one = as<Let>(node)) {
                for (const Binding *binding : one->bindings->bindings) {
                    for (const AttributeName &name : binding->names)
                        (binding->kind == Binding::Value && binding->names.size() == 1 ? let : other)
                            .insert(name.symbol.id);
                }
            }
        }
        for (const Attributes *set : m_places.sets) {
            for (const Binding *binding : set->bindings) {
                for (const AttributeName &name : binding->names) {
                    if (set->recursive ? !isLet(set) : binding->kind == Binding::Inherit)
                        other.insert(name.symbol.id);
                }
            }
        }
        for (const quint32 id : other)
            let.erase(id);
        let.erase(0);
        // The library is recognised by its name.
        let.erase(m_tree->symbol("lib").id);
        if (let.empty())
            return {};
        const quint32 chosen = *std::next(let.begin(), below(let.size()));
        std::set<quint32> offsets;
        quint32 length = 0;
        const auto add = [&](Span span) {
            offsets.insert(span.offset);
            length = span.length;
        };
        for (const Node *node : m_places.nodes) {
            if (const auto *variable = as<Variable>(node); variable && variable->symbol.id == chosen)
                add(variable->span);
            if (const auto *lambda = as<Lambda>(node); lambda && lambda->argument.id == chosen)
                add(lambda->argumentSpan);
            if (const auto *one = as<Let>(node)) {
                for (const Binding *binding : one->bindings->bindings) {
                    if (binding->names.front().symbol.id == chosen)
                        add(binding->names.front().span);
                }
            }
        }
        QByteArray text = m_text;
        const QByteArray name = "renamed" + QByteArray::number(++m_names);
        for (auto it = offsets.rbegin(); it != offsets.rend(); ++it)
            text.replace(qsizetype(*it), qsizetype(length), name);
        return text;
    }

    QByteArray toInherit()
    {
        return changeBinding([this](const Attributes *, const Binding &binding) -> QByteArray {
            const auto *select = as<Select>(binding.value);
            if (binding.kind != Binding::Value || binding.names.size() != 1 || !binding.names[0].symbol || !select ||
                select->fallback || select->path.size() != 1 || select->path[0].symbol != binding.names[0].symbol)
                return {};
            return "inherit (" + source(select->base->span) + ") " + source(binding.names[0].span) + ';';
        });
    }

    QByteArray fromInherit()
    {
        return changeBinding([this](const Attributes *set, const Binding &binding) -> QByteArray {
            QByteArray text;
            for (const AttributeName &name : binding.names) {
                const QByteArray word = source(name.span);
                if (binding.kind == Binding::InheritFrom)
                    text += word + " = (" + source(binding.value->span) + ")." + word + "; ";
                else if (binding.kind == Binding::Inherit && !set->recursive)
                    text += word + " = " + word + "; ";
            }
            return text;
        });
    }

    QByteArray toPaths()
    {
        return changeBinding([this](const Attributes *, const Binding &binding) -> QByteArray {
            const auto *inner = as<Attributes>(binding.value);
            if (binding.kind != Binding::Value || !inner || inner->recursive || inner->bindings.empty())
                return {};
            QByteArray names;
            for (const AttributeName &name : binding.names)
                names += source(name.span) + '.';
            QByteArray text;
            for (const Binding *one : inner->bindings) {
                if (one->kind != Binding::Value)
                    return {};
                text += names + source(one->span) + ' ';
            }
            return text;
        });
    }

    QByteArray makeRecursive()
    {
        const auto *set = anyOf<Attributes>([this](const Attributes *one) {
            return !one->recursive &&
                   std::ranges::none_of(m_places.nodes,
                                        [one](const Node *node) {
                                            return node->kind == NodeKind::Variable && one->span.contains(node->span);
                                        }) &&
                   source(one->span).startsWith('{') && !source(one->span).contains("inherit");
        });
        return set ? replaced(set->span, "rec " + source(set->span)) : QByteArray();
    }

    QByteArray changeText()
    {
        const Text *text = anyOf<Text>([](const Text *one) { return one->style == TextStyle::Quoted; });
        return text ? replaced({text->span.offset + 1, 0}, "x") : QByteArray();
    }

    QByteArray changeScript()
    {
        const Text *text = anyOf<Text>([](const Text *one) { return one->style == TextStyle::Indented; });
        if (!text)
            return {};
        // Before a line: a separate command, or a part of the line.
        std::vector<qsizetype> places;
        for (qsizetype at = text->span.offset; (at = m_text.indexOf('\n', at)) >= 0 && at < text->span.end(); ++at)
            places.push_back(at + 1);
        return places.empty() ? QByteArray()
                              : replaced({quint32(places[size_t(below(places.size()))]), 0}, "    touch mutated\n");
    }

    QByteArray flip()
    {
        const auto *variable = anyOf<Variable>([this](const Variable *one) {
            const std::string_view name = m_tree->name(one->symbol);
            return name == "true" || name == "false" || name == "null";
        });
        return variable ? replaced(variable->span, m_tree->name(variable->symbol) == "true" ? "false" : "true")
                        : QByteArray();
    }

    QByteArray changeNumber()
    {
        const auto *number = anyOf<Integer>([](const Integer *) { return true; });
        return number ? replaced(number->span, source(number->span) + "7") : QByteArray();
    }

    QByteArray dropElement()
    {
        const auto *list = anyOf<List>([](const List *one) { return !one->elements.empty(); });
        return list ? replaced(list->elements[size_t(below(list->elements.size()))]->span, "") : QByteArray();
    }

    QByteArray doubleElement()
    {
        const auto *list = anyOf<List>([](const List *one) { return !one->elements.empty(); });
        if (!list)
            return {};
        const Node *element = list->elements[size_t(below(list->elements.size()))];
        return replaced({element->span.end(), 0}, " (" + source(element->span) + ")");
    }

    QByteArray dropBinding()
    {
        const Attributes *set = anySet([](const Attributes *one) { return !one->bindings.empty(); });
        return set ? replaced(set->bindings[size_t(below(set->bindings.size()))]->span, "") : QByteArray();
    }

    QByteArray misspellBinding()
    {
        return changeBinding([this](const Attributes *, const Binding &binding) -> QByteArray {
            if (binding.kind != Binding::Value)
                return {};
            const Span last = binding.names.back().span;
            const QByteArray all = source(binding.span);
            const qsizetype end = last.end() - binding.span.offset;
            return all.at(end - 1) == '"' ? QByteArray() : all.first(end) + "X" + all.sliced(end);
        });
    }

    QByteArray misspellSelection()
    {
        const auto *select = anyOf<Select>([](const Select *one) { return bool(one->path.back().symbol); });
        return select ? replaced({select->path.back().span.end(), 0}, "X") : QByteArray();
    }

    QByteArray dropFallback()
    {
        const auto *select = anyOf<Select>([](const Select *one) { return one->fallback != nullptr; });
        if (!select)
            return {};
        const quint32 end = select->path.back().span.end();
        return replaced({end, select->span.end() - end}, "");
    }

    QByteArray dropOperand()
    {
        const auto *binary = anyOf<Binary>([](const Binary *) { return true; });
        if (!binary)
            return {};
        const Node *kept = below(2) == 0 ? binary->left : binary->right;
        return replaced(binary->span, '(' + source(kept->span) + ')');
    }

    QByteArray dropFormal()
    {
        const auto *lambda = anyOf<Lambda>([](const Lambda *one) { return !one->formals.empty(); });
        if (!lambda)
            return {};
        const Formal &formal = lambda->formals[size_t(below(lambda->formals.size()))];
        return formal.fallback ? replaced({formal.span.end(), formal.fallback->span.end() - formal.span.end()}, "")
                               : replaced({formal.span.end(), 0}, " ? null");
    }

private:
    int below(size_t limit) { return int(m_random() % quint32(limit)); }
    [[nodiscard]] QByteArray source(Span span) const { return m_text.sliced(span.offset, span.length); }
    [[nodiscard]] QByteArray replaced(Span span, const QByteArray &by) const
    {
        return m_text.first(span.offset) + by + m_text.sliced(span.end());
    }
    QByteArray named(QByteArray form)
    {
        return form.contains('%') ? form.replace('%', "fresh" + QByteArray::number(m_names)) : form;
    }
    [[nodiscard]] bool isLet(const Attributes *set) const
    {
        return std::ranges::any_of(m_places.nodes, [set](const Node *node) {
            const auto *let = as<Let>(node);
            return let && let->bindings == set;
        });
    }

    template <class T, class Fits>
    const T *anyOf(Fits fits)
    {
        std::vector<const T *> found;
        for (const Node *node : m_places.nodes) {
            if (const T *one = as<T>(node); one && fits(one))
                found.push_back(one);
        }
        return found.empty() ? nullptr : found[size_t(below(found.size()))];
    }
    template <class T, class Fits>
    const T *any(Fits)
    {
        ++m_names;
        return m_places.nodes.empty() ? nullptr : m_places.nodes[size_t(below(m_places.nodes.size()))];
    }
    template <class Fits>
    const Attributes *anySet(Fits fits)
    {
        std::vector<const Attributes *> found;
        std::ranges::copy_if(m_places.sets, std::back_inserter(found), fits);
        return found.empty() ? nullptr : found[size_t(below(found.size()))];
    }
    template <class Change>
    QByteArray changeBinding(Change change)
    {
        std::vector<std::pair<Span, QByteArray>> found;
        for (const Attributes *set : m_places.sets) {
            for (const Binding *binding : set->bindings) {
                if (const QByteArray text = change(set, *binding); !text.isEmpty())
                    found.emplace_back(binding->span, text);
            }
        }
        if (found.empty())
            return {};
        const auto &[span, text] = found[size_t(below(found.size()))];
        return replaced(span, text);
    }

    QByteArray m_text;
    std::shared_ptr<const Tree> m_tree;
    std::mt19937 &m_random;
    int &m_names;
    Places m_places;
};

struct Change {
    const char *kind;
    QByteArray (*apply)(Changer &);
};

constexpr std::array sameChanges{
    Change{"parentheses", [](Changer &c) { return c.wrap("(", ")"); }},
    Change{"comment", [](Changer &c) { return c.wrap("/* because */ ", ""); }},
    Change{"remark", [](Changer &c) { return c.wrap("# because\n", ""); }},
    Change{"let", [](Changer &c) { return c.wrap("(let % = ", "; in %)"); }},
    Change{"let of nothing", [](Changer &c) { return c.wrap("(let % = 1; in ", ")"); }},
    Change{"if", [](Changer &c) { return c.wrap("(if 1 < 2 then ", " else null)"); }},
    Change{"assert", [](Changer &c) { return c.wrap("(assert !false; ", ")"); }},
    Change{"call", [](Changer &c) { return c.wrap("((%: %) ", ")"); }},
    Change{"call with a default", [](Changer &c) { return c.wrap("(({ a ? 1, % ? a }: %) { % = ", "; })"); }},
    Change{"select", [](Changer &c) { return c.wrap("{ % = ", "; }.%"); }},
    Change{"rec", [](Changer &c) { return c.wrap("(rec { % = ", "; b = %; }).b"); }},
    Change{"with", [](Changer &c) { return c.wrap("(with { % = ", "; }; %)"); }},
    Change{"or", [](Changer &c) { return c.wrap("({ % = ", "; }.% or 1)"); }},
    Change{"split text", [](Changer &c) { return c.split(); }},
    Change{"join nothing", [](Changer &c) { return c.joinNothing(); }},
    Change{"order of attributes", [](Changer &c) { return c.swapBindings(); }},
    Change{"names", [](Changer &c) { return c.rename(); }},
    Change{"to inherit", [](Changer &c) { return c.toInherit(); }},
    Change{"from inherit", [](Changer &c) { return c.fromInherit(); }},
    Change{"to attribute paths", [](Changer &c) { return c.toPaths(); }},
    Change{"recursive", [](Changer &c) { return c.makeRecursive(); }},
};

constexpr std::array otherChanges{
    Change{"text", [](Changer &c) { return c.changeText(); }},
    Change{"script", [](Changer &c) { return c.changeScript(); }},
    Change{"truth value", [](Changer &c) { return c.flip(); }},
    Change{"number", [](Changer &c) { return c.changeNumber(); }},
    Change{"element dropped", [](Changer &c) { return c.dropElement(); }},
    Change{"element twice", [](Changer &c) { return c.doubleElement(); }},
    Change{"attribute dropped", [](Changer &c) { return c.dropBinding(); }},
    Change{"attribute misspelt", [](Changer &c) { return c.misspellBinding(); }},
    Change{"selection misspelt", [](Changer &c) { return c.misspellSelection(); }},
    Change{"fallback dropped", [](Changer &c) { return c.dropFallback(); }},
    Change{"operand dropped", [](Changer &c) { return c.dropOperand(); }},
    Change{"default of an argument", [](Changer &c) { return c.dropFormal(); }},
};

template <size_t n>
ChangedNix changed(const std::array<Change, n> &changes, size_t which, Changer changer)
{
    const Change &change = changes[which];
    const QByteArray text = change.apply(changer);
    return {!text.isEmpty() && parse(text).ok() ? text : QByteArray(), QString::fromLatin1(change.kind)};
}

} // namespace

ChangedNix NixRewrites::sameMeaning(const QByteArray &text)
{
    const size_t which = size_t(below(sameChanges.size()));
    return changed(sameChanges, which, Changer(text, m_random, m_names));
}

ChangedNix NixRewrites::otherMeaning(const QByteArray &text)
{
    const size_t which = size_t(below(otherChanges.size()));
    return changed(otherChanges, which, Changer(text, m_random, m_names));
}

} // namespace tmx::test
