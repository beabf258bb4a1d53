// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Tr.h"
#include "model/nix/Builtins.h"
#include "model/nix/TextDecoder.h"

#include <algorithm>
#include <iterator>

namespace tmx::nix {

namespace {

QByteArray bytes(std::string_view text)
{
    return {text.data(), qsizetype(text.size())};
}

/// QByteArray::replace() would clear a table of 32 kB first.
QByteArray onOneLine(std::string_view text)
{
    QByteArray line;
    for (const char c : text) {
        if (c == '\n')
            line += "\\n";
        else
            line += c;
    }
    return line;
}

} // namespace

QString reasonOf(Why why, std::string_view bytes)
{
    const QString name = QString::fromUtf8(bytes.data(), qsizetype(bytes.size()));
    switch (why) {
    case Why::NotFolded: return Tr::tr("it comes from outside of the file");
    case Why::NoRoot: return Tr::tr("the file is not Nix");
    case Why::NoSuchAttribute: return Tr::tr("there is no attribute %1").arg(name);
    case Why::MaybeOtherAttribute: return Tr::tr("something unknown may have set %1").arg(name);
    case Why::NoSuchVariable: return Tr::tr("there is no variable %1").arg(name);
    case Why::MissingArgument: return Tr::tr("the argument %1 is missing").arg(name);
    case Why::WrongType: return Tr::tr("it is of the wrong type");
    case Why::OutOfRange: return Tr::tr("a number is out of range");
    case Why::AssertionFails: return Tr::tr("an assertion fails");
    case Why::Throws: return Tr::tr("it throws an error");
    case Why::RefersToItself: return Tr::tr("it refers to itself");
    case Why::TooDeep: return Tr::tr("it is nested too deeply");
    case Why::TooMuchWork: return Tr::tr("it takes too long to evaluate");
    }
    return {};
}

const Cell &Value::cell() const
{
    static const Cell nothing{};
    return m_cell ? *m_cell : nothing;
}

std::span<const TextPiece> Value::pieces() const
{
    return cell().pieces();
}

ValueKind Value::kind() const
{
    return cell().kind;
}

const Node *Value::node() const
{
    return cell().node;
}

std::optional<bool> Value::boolean() const
{
    return kind() == ValueKind::Boolean ? std::optional(cell().boolean) : std::nullopt;
}

std::optional<qint64> Value::integer() const
{
    return kind() == ValueKind::Integer ? std::optional(cell().integer) : std::nullopt;
}

std::optional<double> Value::number() const
{
    return kind() == ValueKind::Float     ? std::optional(cell().number)
           : kind() == ValueKind::Integer ? std::optional(double(cell().integer))
                                          : std::nullopt;
}

std::optional<QByteArray> Value::text() const
{
    if (kind() != ValueKind::Text && kind() != ValueKind::Path)
        return std::nullopt;
    QByteArray text;
    for (const TextPiece &piece : pieces()) {
        if (piece.hole)
            return std::nullopt;
        text += bytes(piece.bytes);
    }
    return text;
}

QByteArray Value::textAround(char hole) const
{
    QByteArray text;
    for (const TextPiece &piece : pieces())
        text += piece.hole ? QByteArray(1, hole) : bytes(piece.bytes);
    return text;
}

std::vector<Value> Value::holes() const
{
    std::vector<Value> values;
    for (const TextPiece &piece : pieces()) {
        if (piece.hole)
            values.push_back({m_folder, piece.hole});
    }
    return values;
}

std::vector<Value::Origin> Value::origins() const
{
    std::vector<Origin> origins;
    std::vector<quint32> ofPart;
    const TextPart *part = nullptr;
    for (const TextPiece &piece : pieces()) {
        const size_t size = piece.hole ? 1 : piece.bytes.size();
        if (piece.hole || !piece.part) {
            origins.insert(origins.end(), size, {});
            continue;
        }
        const Node *writer = piece.literal ? piece.literal : node();
        const quint16 file = writer ? writer->file : 0;
        // A text with removed indentation has many pieces for one part.
        if (piece.part != part) {
            part = piece.part;
            sourceOffsets(m_folder->tree(file).source(), piece.literal ? piece.literal->style : TextStyle::Uri, *part,
                          ofPart);
        }
        const auto first = ofPart.begin() + (piece.bytes.data() - part->text.data());
        std::transform(first, first + qsizetype(size), std::back_inserter(origins),
                       [file](quint32 offset) { return Origin{offset, file}; });
    }
    return origins;
}

std::vector<quint32> Value::offsets() const
{
    std::vector<quint32> offsets;
    for (const Origin &origin : origins())
        offsets.push_back(origin.offset);
    return offsets;
}

std::vector<Value::Item> Value::items() const
{
    std::vector<Item> items;
    for (const nix::Item &item : cell().items())
        items.push_back({{m_folder, m_folder->force(item.cell)}, item.spliced});
    return items;
}

std::vector<Value::Entry> Value::entries() const
{
    std::vector<Entry> entries;
    bool complete = true;
    if (kind() != ValueKind::Attributes)
        return entries;
    for (const NamedCell &entry : m_folder->entriesOf(cell(), complete)) {
        const Attribute *definition = entry.definition;
        entries.push_back({bytes(entry.name), attribute(entry.name), definition});
    }
    return entries;
}

bool Value::isComplete() const
{
    return kind() == ValueKind::Attributes && std::ranges::none_of(cell().layers(), &Layer::unknown);
}

Value Value::attribute(std::string_view name) const
{
    if (!m_folder)
        return {};
    // The name may be destroyed before the value.
    return {m_folder, m_folder->select(const_cast<Cell *>(m_cell), m_folder->arena().copy(name))};
}

std::optional<bool> Value::hasAttribute(std::string_view name) const
{
    if (kind() != ValueKind::Attributes)
        return kind() == ValueKind::Unknown ? std::nullopt : std::optional(false);
    bool certain = true;
    const Cell *found = m_folder->find(cell(), name, certain);
    return found || certain ? std::optional(found != nullptr) : std::nullopt;
}

const Lambda *Value::lambda() const
{
    return kind() == ValueKind::Function && !cell().builtin ? as<Lambda>(node()) : nullptr;
}

UnknownKind Value::unknown() const
{
    return cell().unknown;
}

QString Value::reason() const
{
    return kind() == ValueKind::Unknown ? reasonOf(cell().why, cell().name) : QString();
}

QByteArray Value::name() const
{
    return bytes(cell().builtin ? cell().builtin->name : cell().name);
}

Value Value::base() const
{
    return m_folder && cell().first ? Value(m_folder, m_folder->force(cell().first)) : Value();
}

Value Value::argument() const
{
    return m_folder && cell().second ? Value(m_folder, m_folder->force(cell().second)) : Value();
}

Value Value::alternative() const
{
    return m_folder && cell().third ? Value(m_folder, m_folder->force(cell().third)) : Value();
}

QByteArray Value::shown(int depth, qsizetype most) const
{
    if (depth < 0)
        return "...";
    const auto inner = [depth, most](const Value &value) { return value.shown(depth - 1, most); };
    QByteArray text;
    switch (kind()) {
    case ValueKind::Null: return "null";
    case ValueKind::Boolean: return cell().boolean ? "true" : "false";
    case ValueKind::Integer: return QByteArray::number(cell().integer);
    case ValueKind::Float: return QByteArray::number(cell().number);
    case ValueKind::Text:
    case ValueKind::Path: {
        for (const TextPiece &piece : pieces()) {
            if (text.size() < most)
                text += piece.hole ? "${" + inner(Value(m_folder, piece.hole)) + '}'
                                   : onOneLine(piece.bytes.substr(0, size_t(most)));
        }
        return kind() == ValueKind::Text ? '"' + text + '"' : text;
    }
    case ValueKind::List:
        for (const Item &item : items()) {
            if (text.size() < most)
                text += (item.spliced ? " *" : " ") + inner(item.value);
        }
        return '[' + text + " ]";
    case ValueKind::Attributes:
        for (const Entry &entry : entries()) {
            if (text.size() >= most)
                break;
            const bool hidden =
                !entry.value.isKnown() && entry.value.cell().first == m_cell; // Behind something unknown.
            text += ' ' + entry.name + " = " + (hidden ? QByteArray("?") : inner(entry.value)) + ';';
        }
        return '{' + text + (isComplete() ? " }" : " ... }");
    case ValueKind::Function: return cell().builtin ? '<' + name() + '>' : QByteArray("<function>");
    case ValueKind::Unknown: break;
    }
    switch (unknown()) {
    case UnknownKind::Opaque: return '<' + reason().toUtf8() + '>';
    case UnknownKind::Argument: return name();
    case UnknownKind::Global: return "builtins." + name();
    case UnknownKind::SearchPath: return '<' + name() + '>';
    case UnknownKind::Select:
        return inner(base()) + '.' + name() + (cell().third ? " or " + inner(alternative()) : QByteArray());
    case UnknownKind::Call: return '(' + inner(base()) + ' ' + inner(argument()) + ')';
    case UnknownKind::Conditional:
        return "(if " + inner(base()) + " then " + inner(argument()) + " else " + inner(alternative()) + ')';
    case UnknownKind::Assertion: return "(assert " + inner(base()) + "; " + inner(argument()) + ')';
    case UnknownKind::Operator:
        return cell().second ? '(' + inner(base()) + ' ' + name() + ' ' + inner(argument()) + ')'
                             : name() + inner(base());
    case UnknownKind::Has: return '(' + inner(base()) + " ? " + name().replace('\0', '.') + ')';
    case UnknownKind::Dynamic: return "{ ${" + inner(base()) + "} = " + inner(argument()) + "; }";
    }
    return {};
}

} // namespace tmx::nix
