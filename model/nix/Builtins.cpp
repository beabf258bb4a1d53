// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Builtins.h"

#include "model/base/RecentValues.h"
#include "model/nix/Arguments.h"
#include "model/nix/Operators.h"
#include "model/toml/Toml.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

using namespace Qt::StringLiterals;

namespace tmx::nix {

namespace {

Cell *map(Folder &folder, Arguments arguments)
{
    const Cell *list = listOf(folder, arguments[1]);
    if (!list)
        return nullptr;
    if (folder.isExact() && std::ranges::any_of(list->items(), &Item::spliced))
        return nullptr;
    std::vector<Item> items;
    for (const Item &item : list->items()) {
        // An unknown number of elements remains unknown.
        items.push_back({item.spliced ? item.cell : folder.delayCall(arguments[0], item.cell), item.spliced});
    }
    return folder.makeList(items);
}

/// Keeps an element as an unknown number of elements if the predicate's result is unknown.
Cell *filter(Folder &folder, Arguments arguments)
{
    const Cell *list = listOf(folder, arguments[1]);
    if (!list)
        return nullptr;
    std::vector<Item> items;
    for (const Item &item : list->items()) {
        const auto kept = item.spliced ? std::nullopt : truth(folder, folder.call(arguments[0], item.cell));
        if (!kept && folder.isExact())
            return nullptr;
        if (kept.value_or(true))
            items.push_back({item.cell, item.spliced || !kept});
    }
    return folder.makeList(items);
}

/// `list` if the condition holds; an unknown number of elements if the condition is unknown.
Cell *listIf(Folder &folder, Cell *condition, Cell *list)
{
    if (const auto holds = truth(folder, condition))
        return *holds ? list : folder.makeList({});
    const Item maybe{folder.term(UnknownKind::Conditional, {}, folder.force(condition), list, folder.makeList({})),
                     true};
    return folder.makeList(std::span(&maybe, 1));
}

Cell *optional(Folder &folder, Arguments arguments)
{
    const Item element{arguments[1], false};
    return listIf(folder, arguments[0], folder.makeList(std::span(&element, 1)));
}

Cell *optionals(Folder &folder, Arguments arguments)
{
    return listIf(folder, arguments[0], arguments[1]);
}

Cell *optionalString(Folder &folder, Arguments arguments)
{
    const auto condition = truth(folder, arguments[0]);
    if (!condition)
        return nullptr;
    return *condition ? arguments[1] : folder.makeText(std::string_view());
}

/// `assert lib.assertMsg condition "why"`: the assertion itself says where it fails.
Cell *assertMsg(Folder &folder, Arguments arguments)
{
    return folder.force(arguments[0]);
}

/// The value behind a message: lib.warn, lib.trace. With a condition before it: lib.warnIf.
template <size_t Index>
Cell *passedOn(Folder &folder, Arguments arguments)
{
    return folder.force(arguments[Index]);
}

/// lib.throwIf, and with Throws = false lib.throwIfNot. What throws is unknown.
template <bool Throws>
Cell *throwIf(Folder &folder, Arguments arguments)
{
    return truth(folder, arguments[0]) == !Throws ? folder.force(arguments[2]) : nullptr;
}

Cell *neededText(Folder &folder, Cell *cell)
{
    cell = folder.force(cell);
    folder.expect(Fold::Failure::NotText, cell->node, *cell);
    return cell;
}

/// An unknown element, or an unknown number of elements, becomes a hole.
Cell *concatStringsSep(Folder &folder, Arguments arguments)
{
    const Cell *list = listOf(folder, arguments[1]);
    if (!list)
        return nullptr;
    if (folder.isExact() && std::ranges::any_of(list->items(), &Item::spliced))
        return nullptr;
    std::vector<TextPiece> pieces;
    Cell *const separator = neededText(folder, arguments[0]);
    for (const Item &item : list->items()) {
        if (&item != &list->items().front())
            folder.addText(pieces, separator);
        if (item.spliced)
            pieces.push_back({{}, nullptr, nullptr, folder.force(item.cell)});
        else
            folder.addText(pieces, neededText(folder, item.cell));
    }
    return folder.makeText(pieces);
}

/// Whether toString converts it like a number or text, and all of it is known.
bool isPlain(Folder &folder, Cell *cell)
{
    const Folder::Deeper deeper(folder);
    cell = folder.force(cell);
    if (!deeper.ok() || !folder.step() || cell->kind == ValueKind::Unknown || cell->kind == ValueKind::Function ||
        cell->kind == ValueKind::Attributes || cell->kind == ValueKind::Path)
        return false;
    return std::ranges::all_of(cell->items(),
                               [&](const Item &item) { return !item.spliced && isPlain(folder, item.cell); });
}

/// Whether a path is written as Nix shows it: from the root on, without "." and "..".
bool isAbsolute(const Cell &path)
{
    if (path.pieces().size() != 1 || path.pieces().front().hole)
        return false;
    const std::string_view bytes = path.pieces().front().bytes;
    return bytes.starts_with('/') && !bytes.ends_with('/') && bytes.find("/.") == bytes.npos &&
           bytes.find("//") == bytes.npos;
}

Cell *toString(Folder &folder, Arguments arguments)
{
    Cell *cell = folder.force(arguments[0]);
    if (cell->kind == ValueKind::Text)
        return cell;
    if (cell->kind == ValueKind::Path && isAbsolute(*cell))
        return folder.makeText(cell->pieces());
    if (cell->kind == ValueKind::Unknown || cell->kind == ValueKind::Function || cell->kind == ValueKind::Attributes ||
        cell->kind == ValueKind::Path || (folder.isExact() && !isPlain(folder, cell)))
        return nullptr;
    std::vector<TextPiece> pieces;
    folder.addText(pieces, cell, true);
    return folder.makeText(pieces);
}

Cell *elementAt(Folder &folder, Cell *cell, qint64 index)
{
    const Cell *list = listOf(folder, cell);
    if (!list)
        return nullptr;
    const std::span<const Item> before =
        list->items().first(std::min(list->items().size(), size_t(std::max(index, 0LL))));
    if (std::ranges::any_of(before, &Item::spliced))
        return nullptr;
    if (index < 0 || size_t(index) >= list->items().size())
        return folder.opaque(Why::OutOfRange);
    return list->items()[size_t(index)].spliced ? nullptr : list->items()[size_t(index)].cell;
}

Cell *head(Folder &folder, Arguments arguments)
{
    return elementAt(folder, arguments[0], 0);
}

Cell *last(Folder &folder, Arguments arguments)
{
    const Cell *list = wholeList(folder, arguments[0]);
    return list ? elementAt(folder, arguments[0], qint64(list->items().size()) - 1) : nullptr;
}

Cell *elemAt(Folder &folder, Arguments arguments)
{
    const Cell *index = folder.force(arguments[1]);
    return index->kind == ValueKind::Integer ? elementAt(folder, arguments[0], index->integer) : nullptr;
}

Cell *tail(Folder &folder, Arguments arguments)
{
    const Cell *list = wholeList(folder, arguments[0]);
    if (!list)
        return nullptr;
    return list->items().empty() ? folder.opaque(Why::OutOfRange) : folder.makeList(list->items().subspan(1));
}

Cell *length(Folder &folder, Arguments arguments)
{
    const Cell *list = wholeList(folder, arguments[0]);
    return list ? folder.makeInteger(qint64(list->items().size())) : nullptr;
}

Cell *elem(Folder &folder, Arguments arguments)
{
    const Cell *list = wholeList(folder, arguments[1]);
    if (!list)
        return nullptr;
    for (const Item &item : list->items()) {
        const auto same = equal(folder, arguments[0], item.cell);
        if (!same || *same)
            return same ? folder.makeBoolean(true) : nullptr;
    }
    return folder.makeBoolean(false);
}

/// Whether some element's result is `wanted`, which ends the search.
Cell *searched(Folder &folder, Arguments arguments, bool wanted)
{
    const Cell *list = wholeList(folder, arguments[1]);
    if (!list)
        return nullptr;
    for (const Item &item : list->items()) {
        const auto holds = truth(folder, folder.call(arguments[0], item.cell));
        if (!holds || *holds == wanted)
            return holds ? folder.makeBoolean(wanted) : nullptr;
    }
    return folder.makeBoolean(!wanted);
}

Cell *any(Folder &folder, Arguments arguments)
{
    return searched(folder, arguments, true);
}

Cell *all(Folder &folder, Arguments arguments)
{
    return searched(folder, arguments, false);
}

Cell *foldl(Folder &folder, Arguments arguments)
{
    const Cell *list = wholeList(folder, arguments[2]);
    if (!list)
        return nullptr;
    Cell *value = arguments[1];
    for (const Item &item : list->items())
        value = folder.call(folder.call(arguments[0], value), item.cell);
    return value;
}

Cell *attrNames(Folder &folder, Arguments arguments)
{
    const auto entries = entriesOf(folder, arguments[0]);
    std::vector<Item> names;
    for (const NamedCell &entry : entries.value_or(std::vector<NamedCell>()))
        names.push_back({folder.makeText(entry.name), false});
    return entries ? folder.makeList(names) : nullptr;
}

Cell *attrValues(Folder &folder, Arguments arguments)
{
    const auto entries = entriesOf(folder, arguments[0]);
    std::vector<Item> values;
    for (const NamedCell &entry : entries.value_or(std::vector<NamedCell>()))
        values.push_back({entry.cell, false});
    return entries ? folder.makeList(values) : nullptr;
}

Cell *hasAttr(Folder &folder, Arguments arguments)
{
    const auto name = folder.bytesOf(arguments[0]);
    const Cell *set = folder.force(arguments[1]);
    bool certain = set->kind == ValueKind::Attributes;
    const Cell *found = name && certain ? folder.find(*set, *name, certain) : nullptr;
    return name && (found || certain) ? folder.makeBoolean(found != nullptr) : nullptr;
}

Cell *getAttr(Folder &folder, Arguments arguments)
{
    const auto name = folder.bytesOf(arguments[0]);
    return name ? folder.select(arguments[1], *name) : nullptr;
}

Cell *optionalAttrs(Folder &folder, Arguments arguments)
{
    if (const auto holds = truth(folder, arguments[0]))
        return *holds ? arguments[1] : folder.makeSet(std::span<const Layer>());
    return folder.term(UnknownKind::Conditional, {}, folder.force(arguments[0]), arguments[1],
                       folder.makeSet(std::span<const Layer>()));
}

Cell *concatStrings(Folder &folder, Arguments arguments)
{
    Cell *const separated[] = {folder.makeText(std::string_view()), arguments[0]};
    return concatStringsSep(folder, separated);
}

Cell *concatMapStringsSep(Folder &folder, Arguments arguments)
{
    Cell *const mapped[] = {arguments[1], arguments[2]};
    Cell *const separated[] = {arguments[0], map(folder, mapped)};
    return separated[1] ? concatStringsSep(folder, separated) : nullptr;
}

/// In nixpkgs' lib/strings.nix: only what has a special character is quoted.
Cell *escapeShellArg(Folder &folder, Arguments arguments)
{
    Cell *text = toString(folder, arguments);
    const auto bytes = text ? folder.bytesOf(text) : std::nullopt;
    const auto isSafe = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view(",._+:@%/-").find(c) != std::string_view::npos;
    };
    if (!bytes || !folder.step(bytes->size() / 64))
        return nullptr;
    if (!bytes->empty() && std::ranges::all_of(*bytes, isSafe))
        return text;
    std::string quoted = "'";
    for (const char c : *bytes)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return folder.makeText(quoted + '\'');
}

Cell *escapeShellArgs(Folder &folder, Arguments arguments)
{
    const Cell *list = wholeList(folder, arguments[0]);
    if (!list)
        return nullptr;
    std::vector<TextPiece> pieces;
    for (const Item &item : list->items()) {
        Cell *const one[] = {folder.force(item.cell)};
        Cell *escaped = escapeShellArg(folder, one);
        if (!escaped)
            return nullptr;
        if (&item != &list->items().front())
            pieces.push_back({" "});
        folder.addText(pieces, escaped);
    }
    return folder.makeText(pieces);
}

Cell *replaceStrings(Folder &folder, Arguments arguments)
{
    const auto from = textsOf(folder, arguments[0]);
    const Cell *to = wholeList(folder, arguments[1]);
    const auto text = folder.bytesOf(arguments[2]);
    if (!from || !to || !text || !folder.step(text->size() * (from->size() + 1) / 64))
        return nullptr;
    if (from->size() != to->items().size())
        return folder.opaque(Why::WrongType);
    std::string replaced;
    bool any = false;
    for (size_t at = 0; at <= text->size();) {
        const std::string_view rest = text->substr(at);
        const auto found =
            std::ranges::find_if(*from, [rest](std::string_view wanted) { return rest.starts_with(wanted); });
        if (found != from->end()) {
            const auto with = folder.bytesOf(to->items()[size_t(found - from->begin())].cell);
            if (!with || !folder.step(1 + with->size() / 64))
                return nullptr;
            replaced += *with;
            any = true;
            at += found->size();
        }
        if (found == from->end() || found->empty()) {
            replaced += rest.substr(0, 1);
            ++at;
        }
    }
    // A text in which nothing was replaced keeps its place in the file.
    return any ? folder.makeText(replaced) : folder.force(arguments[2]);
}

/// What each alternative of a group begins with, up to the first character that may be another one. Where none of them
/// begins like another, at most one alternative matches, and it does not matter which is tried first.
class Alternatives
{
public:
    void literal(char c, bool isRepeated)
    {
        if (m_open && !isRepeated)
            m_beginnings.back() += c;
        else
            close();
    }
    void close() { m_open = false; }
    void next()
    {
        m_beginnings.emplace_back();
        m_open = true;
    }
    [[nodiscard]] bool areApart() const
    {
        for (auto one = m_beginnings.begin(); one != m_beginnings.end(); ++one) {
            for (auto other = m_beginnings.begin(); other != one; ++other) {
                if (one->starts_with(*other) || other->starts_with(*one))
                    return false;
            }
        }
        return true;
    }

private:
    std::vector<std::string> m_beginnings{1};
    bool m_open = true;
};

/// Whether Nix's and Qt's regular expressions agree on the pattern, groups included, and matching takes little time:
/// characters, classes, groups that are not repeated, of alternatives that begin differently.
bool isSimplePattern(std::string_view pattern)
{
    constexpr std::string_view special = ".[]*+?(){}|\\^$-/";
    std::vector<Alternatives> groups(1); // from the outside
    const auto isRepeated = [pattern](size_t end) {
        return end < pattern.size() && std::string_view("*+?").find(pattern[end]) != std::string_view::npos;
    };
    for (size_t i = 0; i < pattern.size(); ++i) {
        switch (pattern[i]) {
        case '{':
        case '}':
        case '^':
        case '$': return false;
        case '|':
            if (i == 0 || std::string_view("(|").find(pattern[i - 1]) != std::string_view::npos)
                return false;
            groups.back().next();
            break;
        case '(':
            groups.back().close();
            groups.emplace_back();
            break;
        case ')':
            if (groups.size() == 1 || !groups.back().areApart())
                return false;
            groups.pop_back();
            break;
        case '\\':
            if (++i == pattern.size() || special.find(pattern[i]) == special.npos)
                return false;
            groups.back().literal(pattern[i], isRepeated(i + 1));
            break;
        case '[': {
            const size_t end = pattern.find(']', i + 2);
            if (end == pattern.npos || pattern.substr(i + 1, end - i - 1).find_first_of("[\\") != pattern.npos)
                return false;
            groups.back().close();
            i = end;
            break;
        }
        case '*':
        case '+':
        case '?':
            if (i == 0 || std::string_view("(*+?|").find(pattern[i - 1]) != std::string_view::npos ||
                (pattern[i - 1] == ')' && pattern[i] != '?'))
                return false;
            break;
        case '.': groups.back().close(); break;
        default:
            if (uchar(pattern[i]) >= 0x80)
                return false;
            groups.back().literal(pattern[i], isRepeated(i + 1));
        }
    }
    return groups.size() == 1 && groups.front().areApart();
}

/// Compiling takes a hundred times as long as matching, and wrappers of one builder have the same patterns.
QRegularExpression compiled(const QString &pattern)
{
    static RecentValues<QString, QRegularExpression> recent(100);
    if (const auto known = recent.find(pattern))
        return *known;
    // A repetition may try every length: PCRE ends that.
    const QRegularExpression form("(*LIMIT_MATCH=100000)"_L1 + pattern, QRegularExpression::DotMatchesEverythingOption);
    form.optimize();
    recent.insert(pattern, form);
    return form;
}

QString fromLatin1(std::string_view bytes)
{
    return QString::fromLatin1(bytes.data(), qsizetype(bytes.size()));
}

Cell *groupsOf(Folder &folder, const QRegularExpressionMatch &found, int count)
{
    std::vector<Item> groups;
    for (int i = 1; i <= count; ++i) {
        groups.push_back({found.capturedStart(i) < 0
                              ? folder.make(ValueKind::Null)
                              : folder.makeText(std::string_view(found.captured(i).toLatin1().toStdString())),
                          false});
    }
    return folder.makeList(groups);
}

Cell *match(Folder &folder, Arguments arguments)
{
    constexpr size_t most = 1000;
    const auto pattern = folder.bytesOf(arguments[0]);
    const auto text = folder.bytesOf(arguments[1]);
    if (!pattern || !text || pattern->size() > most || text->size() > most || !isSimplePattern(*pattern))
        return nullptr;
    if (!folder.step(1 + text->size() / 16))
        return nullptr;
    const QRegularExpression form = compiled(QRegularExpression::anchoredPattern(fromLatin1(*pattern)));
    if (!form.isValid())
        return nullptr;
    const QRegularExpressionMatch found = form.match(fromLatin1(*text));
    if (!found.isValid()) // It took too many steps.
        return nullptr;
    return found.hasMatch() ? groupsOf(folder, found, form.captureCount()) : folder.make(ValueKind::Null);
}

/// The pieces between what matches, and the groups of each match.
Cell *split(Folder &folder, Arguments arguments)
{
    constexpr size_t most = 100'000;
    const auto pattern = folder.bytesOf(arguments[0]);
    const auto text = folder.bytesOf(arguments[1]);
    // The longest match is the first one that is found, unless something follows a repetition.
    const bool isRepeated = pattern && pattern->find_first_of("*+?|") < pattern->size() - 1;
    if (!pattern || !text || pattern->empty() || isRepeated || text->size() > most || !isSimplePattern(*pattern))
        return nullptr;
    if (!folder.step(1 + text->size() / 16))
        return nullptr;
    const QRegularExpression form = compiled(fromLatin1(*pattern));
    const QString whole = fromLatin1(*text);
    std::vector<Item> items;
    const auto addPiece = [&](qsizetype from, qsizetype to) {
        items.push_back({folder.makeText(text->substr(size_t(from), size_t(to - from))), false});
    };
    qsizetype end = 0;
    for (const QRegularExpressionMatch &found : form.globalMatch(whole)) {
        if (!found.isValid() || found.capturedLength() == 0 || !folder.step(2))
            return nullptr;
        addPiece(end, found.capturedStart());
        items.push_back({groupsOf(folder, found, form.captureCount()), false});
        end = found.capturedEnd();
    }
    addPiece(end, whole.size());
    return folder.makeList(items);
}

bool isOlderComponent(std::string_view a, std::string_view b)
{
    const auto number = [](std::string_view text) {
        int value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return !text.empty() && error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                                         : std::nullopt;
    };
    const auto left = number(a);
    const auto right = number(b);
    if (left && right)
        return *left < *right;
    if (a.empty() && right)
        return true;
    if (a == "pre" && b != "pre")
        return true;
    if (b == "pre")
        return false;
    if (right || left) // A word is older than a number.
        return right.has_value();
    return a < b;
}

/// -1, 0 or 1; nullopt if a version is unknown.
std::optional<int> comparedVersions(Folder &folder, Cell *left, Cell *right)
{
    const auto first = folder.bytesOf(left);
    const auto second = folder.bytesOf(right);
    if (!first || !second || !folder.step((first->size() + second->size()) / 16))
        return std::nullopt;
    for (std::string_view a = *first, b = *second; !a.empty() || !b.empty();) {
        const std::string_view c = nextComponent(a);
        const std::string_view d = nextComponent(b);
        if (isOlderComponent(c, d))
            return -1;
        if (isOlderComponent(d, c))
            return 1;
    }
    return 0;
}

Cell *compareVersions(Folder &folder, Arguments arguments)
{
    const auto order = comparedVersions(folder, arguments[0], arguments[1]);
    return order ? folder.makeInteger(*order) : nullptr;
}

Cell *versionAtLeast(Folder &folder, Arguments arguments)
{
    const auto order = comparedVersions(folder, arguments[0], arguments[1]);
    return order ? folder.makeBoolean(*order >= 0) : nullptr;
}

Cell *versionOlder(Folder &folder, Arguments arguments)
{
    const auto order = comparedVersions(folder, arguments[0], arguments[1]);
    return order ? folder.makeBoolean(*order < 0) : nullptr;
}

/// A value of JSON or TOML; nullptr if there is too much.
Cell *valueOf(Folder &folder, const QVariant &value)
{
    const Folder::Deeper deeper(folder);
    if (!deeper.ok() || !folder.step())
        return nullptr;
    switch (value.typeId()) {
    case QMetaType::QVariantMap: {
        const QVariantMap map = value.toMap();
        std::vector<NamedCell> entries;
        for (auto it = map.cbegin(); it != map.cend(); ++it) {
            Cell *cell = valueOf(folder, *it);
            if (!cell)
                return nullptr;
            entries.push_back({folder.arena().copy(std::string_view(it.key().toStdString())), cell});
        }
        return folder.makeSet(entries);
    }
    case QMetaType::QVariantList: {
        std::vector<Item> items;
        for (const QVariant &item : value.toList()) {
            Cell *cell = valueOf(folder, item);
            if (!cell)
                return nullptr;
            items.push_back({cell, false});
        }
        return folder.makeList(items);
    }
    case QMetaType::QString: return folder.makeText(std::string_view(value.toString().toStdString()));
    case QMetaType::Bool: return folder.makeBoolean(value.toBool());
    case QMetaType::Int:
    case QMetaType::LongLong: return folder.makeInteger(value.toLongLong());
    case QMetaType::Double: return folder.makeFloat(value.toDouble());
    default: return folder.make(ValueKind::Null);
    }
}

/// The bytes of a text, for a parser that takes all of them.
std::optional<QByteArray> documentOf(Folder &folder, Cell *cell)
{
    const auto text = folder.bytesOf(cell);
    if (!text || !folder.step(1 + text->size() / 16))
        return std::nullopt;
    return QByteArray(text->data(), qsizetype(text->size()));
}

/// Whether JSON has a number such as 1.0 or 1e3: Qt makes it an integer, and Nix a float.
bool hasWholeFloat(const QByteArray &json)
{
    static const QRegularExpression tokens(uR"re("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*)re"_s);
    for (const QRegularExpressionMatch &token : tokens.globalMatch(QString::fromLatin1(json))) {
        const QString written = token.captured();
        const bool isFloat = !written.startsWith(u'"') &&
                             std::ranges::any_of(written, [](QChar c) { return c == u'.' || c == u'e' || c == u'E'; });
        if (const double number = written.toDouble(); isFloat && number == std::floor(number))
            return true;
    }
    return false;
}

Cell *fromJson(Folder &folder, Arguments arguments)
{
    const auto text = documentOf(folder, arguments[0]);
    if (!text || hasWholeFloat(*text))
        return nullptr;
    // A document must be a list or an object for Qt.
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson('[' + *text + ']', &error);
    const QVariantList values = document.array().toVariantList();
    if (error.error == QJsonParseError::DeepNesting || error.error == QJsonParseError::DocumentTooLarge)
        return nullptr;
    if (error.error == QJsonParseError::NoError && values.size() == 1)
        return valueOf(folder, values.first());
    folder.failNoData("JSON");
    return nullptr;
}

Cell *fromToml(Folder &folder, Arguments arguments)
{
    const auto text = documentOf(folder, arguments[0]);
    if (!text)
        return nullptr;
    const Result<QVariant> values = tomlValues(*text);
    if (!values)
        folder.failNoData("TOML");
    return values && values->isValid() ? valueOf(folder, *values) : nullptr;
}

Cell *readFile(Folder &folder, Arguments arguments)
{
    const Cell *path = folder.force(arguments[0]);
    const quint16 file = path->kind == ValueKind::Path && folder.files() ? folder.files()->find(path->name) : 0;
    return file ? folder.makeText(std::string_view(folder.files()->text(file).toStdString())) : nullptr;
}

Cell *importJson(Folder &folder, Arguments arguments)
{
    Cell *const text = readFile(folder, arguments);
    return text ? fromJson(folder, std::span(&text, 1)) : nullptr;
}

Cell *importToml(Folder &folder, Arguments arguments)
{
    Cell *const text = readFile(folder, arguments);
    return text ? fromToml(folder, std::span(&text, 1)) : nullptr;
}

/// The set of `name = value` of each element; of equal names the first counts.
Cell *listToAttrs(Folder &folder, Arguments arguments)
{
    const Cell *list = wholeList(folder, arguments[0]);
    if (!list)
        return nullptr;
    std::vector<NamedCell> entries;
    std::set<std::string_view> names;
    for (const Item &item : list->items()) {
        Cell *pair = folder.force(item.cell);
        const auto name =
            pair->kind == ValueKind::Attributes ? folder.bytesOf(folder.select(pair, "name")) : std::nullopt;
        if (!name)
            return nullptr;
        if (names.insert(*name).second)
            entries.push_back({*name, folder.delaySelect(pair, "value")});
    }
    return folder.makeSet(entries);
}

Cell *nameValuePair(Folder &folder, Arguments arguments)
{
    const NamedCell entries[] = {{"name", arguments[0]}, {"value", arguments[1]}};
    return folder.makeSet(entries);
}

Cell *setOf(Folder &folder, const std::map<std::string_view, Cell *> &values)
{
    std::vector<NamedCell> entries;
    entries.reserve(values.size());
    for (const auto &[name, value] : values)
        entries.push_back({name, value});
    return folder.makeSet(entries);
}

Cell *genAttrs(Folder &folder, Arguments arguments)
{
    const auto names = textsOf(folder, arguments[0]);
    std::map<std::string_view, Cell *> values;
    for (const std::string_view name : names.value_or(std::vector<std::string_view>()))
        values.emplace(name, folder.delayCall(arguments[1], folder.makeText(name)));
    return names ? setOf(folder, values) : nullptr;
}

Cell *mapAttrs(Folder &folder, Arguments arguments)
{
    auto entries = entriesOf(folder, arguments[1]);
    if (!entries)
        return nullptr;
    for (NamedCell &entry : *entries)
        entry = {entry.name, delayCall(folder, arguments[0], entry.name, entry.cell)};
    return folder.makeSet(*entries);
}

Cell *mapAttrsToList(Folder &folder, Arguments arguments)
{
    const auto entries = entriesOf(folder, arguments[1]);
    std::vector<Item> items;
    for (const NamedCell &entry : entries.value_or(std::vector<NamedCell>()))
        items.push_back({delayCall(folder, arguments[0], entry.name, entry.cell), false});
    return entries ? folder.makeList(items) : nullptr;
}

Cell *mapAttrsToPairs(Folder &folder, Arguments arguments)
{
    Cell *const pairs = mapAttrsToList(folder, arguments);
    return pairs ? listToAttrs(folder, std::span(&pairs, 1)) : nullptr;
}

Cell *filterAttrs(Folder &folder, Arguments arguments)
{
    const auto entries = entriesOf(folder, arguments[1]);
    std::vector<NamedCell> kept;
    for (const NamedCell &entry : entries.value_or(std::vector<NamedCell>())) {
        const auto holds = truth(folder, delayCall(folder, arguments[0], entry.name, entry.cell));
        if (!holds)
            return nullptr;
        if (*holds)
            kept.push_back(entry);
    }
    return entries ? folder.makeSet(kept) : nullptr;
}

Cell *recursiveUpdate(Folder &folder, Arguments arguments);

/// The same where the first set, or a part of it, is unknown: what the second one does not name is as it was.
Cell *updatedUnknown(Folder &folder, Cell *below, Cell *above)
{
    below = folder.force(below);
    auto entries = entriesOf(folder, above);
    if (const Cell *partly = folder.force(above); !entries && partly->kind == ValueKind::Attributes &&
                                                  below->kind == ValueKind::Attributes && !folder.isExact()) {
        // `old.meta // { ... }`: what is known of it comes last, unless it is a set that would be joined too.
        bool complete = true;
        for (const NamedCell &entry : folder.entriesOf(*partly, complete)) {
            if (folder.force(entry.cell)->kind == ValueKind::Attributes)
                return nullptr;
        }
        std::vector<Layer> layers(below->layers().begin(), below->layers().end());
        layers.insert(layers.end(), partly->layers().begin(), partly->layers().end());
        return folder.makeSet(layers);
    }
    if (!entries || folder.isExact() || (below->kind != ValueKind::Unknown && below->kind != ValueKind::Attributes))
        return nullptr;
    for (NamedCell &entry : *entries) {
        if (folder.force(entry.cell)->kind != ValueKind::Attributes)
            continue;
        Cell *const both[] = {folder.delaySelect(below, entry.name), entry.cell};
        entry.cell = recursiveUpdate(folder, both);
        if (!entry.cell)
            return nullptr;
    }
    std::vector<Layer> layers(below->layers().begin(), below->layers().end());
    if (below->kind == ValueKind::Unknown)
        layers.push_back({nullptr, {}, below});
    layers.push_back({nullptr, folder.arena().copy(std::span<const NamedCell>(*entries)), nullptr});
    return folder.makeSet(layers);
}

/// The second set over the first, and so on for sets in both.
Cell *recursiveUpdate(Folder &folder, Arguments arguments)
{
    const Folder::Deeper deeper(folder);
    if (!deeper.ok())
        return nullptr;
    const auto below = entriesOf(folder, arguments[0]);
    const auto above = entriesOf(folder, arguments[1]);
    if (!below || !above)
        return updatedUnknown(folder, arguments[0], arguments[1]);
    std::map<std::string_view, NamedCell> values;
    for (const NamedCell &entry : *below)
        values.emplace(entry.name, entry);
    for (const NamedCell &entry : *above) {
        NamedCell &known = values[entry.name];
        Cell *value = known.cell;
        // Forcing is no earlier than lib's, which asks for the kinds when a value is needed; both must be known here.
        const Cell *before = value ? folder.force(value) : nullptr;
        const Cell *now = before ? folder.force(entry.cell) : nullptr;
        if (before && (before->kind == ValueKind::Unknown || now->kind == ValueKind::Unknown))
            return updatedUnknown(folder, arguments[0], arguments[1]);
        Cell *const both[] = {value, entry.cell};
        const bool sets = before && before->kind == ValueKind::Attributes && now->kind == ValueKind::Attributes;
        known = {entry.name, sets ? recursiveUpdate(folder, both) : entry.cell, entry.definition};
        if (!known.cell)
            return nullptr;
    }
    std::vector<NamedCell> entries;
    entries.reserve(values.size());
    for (const auto &[name, entry] : values)
        entries.push_back(entry);
    return folder.makeSet(entries);
}

Cell *concatLists(Folder &folder, Arguments arguments)
{
    const Cell *lists = wholeList(folder, arguments[0]);
    if (!lists)
        return nullptr;
    std::vector<Item> items;
    for (const Item &item : lists->items()) {
        const Cell *list = listOf(folder, item.cell);
        if (!list || (folder.isExact() && !wholeList(folder, item.cell)))
            return nullptr;
        items.insert(items.end(), list->items().begin(), list->items().end());
    }
    return folder.makeList(items);
}

Cell *concatMap(Folder &folder, Arguments arguments)
{
    Cell *const lists = map(folder, arguments);
    return lists ? concatLists(folder, std::span(&lists, 1)) : nullptr;
}

bool addFlat(Folder &folder, Cell *cell, std::vector<Item> &items)
{
    const Folder::Deeper deeper(folder);
    cell = folder.force(cell);
    if (!deeper.ok() || !folder.step() || cell->kind == ValueKind::Unknown)
        return false;
    if (cell->kind != ValueKind::List) {
        items.push_back({cell, false});
        return true;
    }
    return std::ranges::all_of(cell->items(),
                               [&](const Item &item) { return !item.spliced && addFlat(folder, item.cell, items); });
}

Cell *flatten(Folder &folder, Arguments arguments)
{
    std::vector<Item> items;
    return addFlat(folder, arguments[0], items) ? folder.makeList(items) : nullptr;
}

Cell *singleton(Folder &folder, Arguments arguments)
{
    const Item item{arguments[0], false};
    return folder.makeList(std::span(&item, 1));
}

Cell *toList(Folder &folder, Arguments arguments)
{
    Cell *cell = folder.force(arguments[0]);
    return cell->kind == ValueKind::List      ? cell
           : cell->kind == ValueKind::Unknown ? nullptr
                                              : singleton(folder, arguments);
}

Cell *unique(Folder &folder, Arguments arguments)
{
    const auto texts = textsOf(folder, arguments[0]);
    const Cell *list = wholeList(folder, arguments[0]);
    if (!texts || !list)
        return nullptr;
    std::set<std::string_view> seen;
    std::vector<Item> items;
    for (size_t i = 0; i < texts->size(); ++i) {
        if (seen.insert((*texts)[i]).second)
            items.push_back(list->items()[i]);
    }
    return folder.makeList(items);
}

/// The bytes between separators.
Cell *splitString(Folder &folder, Arguments arguments)
{
    const auto separator = folder.bytesOf(arguments[0]);
    const auto text = folder.bytesOf(arguments[1]);
    if (!separator || separator->empty() || !text || !folder.step(1 + text->size() / 16))
        return nullptr;
    std::vector<Item> items;
    for (size_t from = 0; from <= text->size();) {
        const size_t end = std::min(text->find(*separator, from), text->size());
        items.push_back({folder.makeText(text->substr(from, end - from)), false});
        from = end + separator->size();
        if (end == text->size())
            break;
    }
    return folder.makeList(items);
}

Cell *substring(Folder &folder, Arguments arguments)
{
    const Cell *start = folder.force(arguments[0]);
    const Cell *length = folder.force(arguments[1]);
    const auto text = folder.bytesOf(arguments[2]);
    if (start->kind != ValueKind::Integer || length->kind != ValueKind::Integer || !text || start->integer < 0)
        return nullptr;
    const size_t from = std::min(size_t(start->integer), text->size());
    return folder.makeText(text->substr(from, length->integer < 0 ? text->npos : size_t(length->integer)));
}

Cell *removeSuffix(Folder &folder, Arguments arguments)
{
    const auto suffix = folder.bytesOf(arguments[0]);
    const auto text = folder.bytesOf(arguments[1]);
    if (!suffix || !text)
        return nullptr;
    return text->ends_with(*suffix) ? folder.makeText(text->substr(0, text->size() - suffix->size()))
                                    : folder.force(arguments[1]);
}

template <char from, char to>
Cell *inOtherCase(Folder &folder, Arguments arguments)
{
    const auto text = folder.bytesOf(arguments[0]);
    if (!text || !folder.step(1 + text->size() / 64))
        return nullptr;
    std::string changed(*text);
    for (char &c : changed)
        c = c >= from && c <= char(from + 25) ? char(c - from + to) : c;
    return folder.makeText(std::string_view(changed));
}

Cell *pipe(Folder &folder, Arguments arguments)
{
    const Cell *functions = wholeList(folder, arguments[1]);
    if (!functions)
        return nullptr;
    Cell *value = arguments[0];
    for (const Item &item : functions->items())
        value = folder.delayCall(item.cell, value);
    return value;
}

Cell *flip(Folder &folder, Arguments arguments)
{
    return folder.call(folder.call(arguments[0], arguments[2]), arguments[1]);
}

Cell *identity(Folder & /*folder*/, Arguments arguments)
{
    return arguments[0];
}

/// Without the `override` that lib adds to the result.
Cell *makeOverridable(Folder &folder, Arguments arguments)
{
    return folder.isExact() ? nullptr : folder.call(arguments[0], arguments[1]);
}

Cell *stringLength(Folder &folder, Arguments arguments)
{
    const auto text = folder.bytesOf(arguments[0]);
    return text ? folder.makeInteger(qint64(text->size())) : nullptr;
}

/// The last part of a path, or of a text that is one.
Cell *baseNameOf(Folder &folder, Arguments arguments)
{
    const Cell *cell = folder.force(arguments[0]);
    std::optional<std::string_view> whole = folder.bytesOf(arguments[0]);
    if (cell->kind == ValueKind::Path && !cell->name.empty())
        whole = cell->name;
    else if (cell->kind == ValueKind::Path && cell->pieces().size() == 1 && !cell->pieces().front().hole)
        whole = cell->pieces().front().bytes;
    if (!whole && cell->kind == ValueKind::Text && !cell->pieces().empty()) { // "${unknown}/a/b"
        const TextPiece &end = cell->pieces().back();
        const size_t slash = end.hole ? std::string_view::npos : end.bytes.rfind('/');
        if (slash != std::string_view::npos && slash + 1 < end.bytes.size())
            whole = end.bytes.substr(slash);
    }
    if (!whole)
        return nullptr;
    if (whole->ends_with('/'))
        whole->remove_suffix(1);
    const std::string_view last = whole->substr(whole->rfind('/') + 1); // npos + 1 is 0
    // What a folder is called is not seen from within.
    const bool isFolder = last.empty() || last == "." || last == "..";
    return cell->kind == ValueKind::Path && isFolder ? nullptr : folder.makeText(last);
}

Cell *isNull(Folder &folder, Arguments arguments)
{
    const Cell *cell = folder.force(arguments[0]);
    return cell->kind == ValueKind::Unknown ? nullptr : folder.makeBoolean(cell->kind == ValueKind::Null);
}

/// Calls take(prefix, text) if both are completely known.
template <class Take>
Cell *withPrefix(Folder &folder, Arguments arguments, Take take)
{
    const auto prefix = folder.bytesOf(arguments[0]);
    const auto text = folder.bytesOf(arguments[1]);
    return prefix && text && folder.step((prefix->size() + text->size()) / 64) ? take(*prefix, *text) : nullptr;
}

Cell *hasPrefix(Folder &folder, Arguments arguments)
{
    return withPrefix(folder, arguments, [&](std::string_view prefix, std::string_view text) {
        return folder.makeBoolean(text.starts_with(prefix));
    });
}

Cell *removePrefix(Folder &folder, Arguments arguments)
{
    return withPrefix(folder, arguments, [&](std::string_view prefix, std::string_view text) {
        Cell *cell = folder.force(arguments[1]);
        if (!text.starts_with(prefix))
            return cell;
        if (cell->pieces().size() != 1)
            return folder.makeText(text.substr(prefix.size()));
        // The rest of a text in one piece keeps its place in the file.
        TextPiece piece = cell->pieces().front();
        piece.bytes = piece.bytes.substr(prefix.size());
        return folder.makeText(std::span(&piece, piece.bytes.empty() ? 0 : 1));
    });
}

Cell *hasSuffix(Folder &folder, Arguments arguments)
{
    return withPrefix(folder, arguments, [&](std::string_view suffix, std::string_view text) {
        return folder.makeBoolean(text.ends_with(suffix));
    });
}

Cell *hasInfix(Folder &folder, Arguments arguments)
{
    return withPrefix(folder, arguments, [&](std::string_view infix, std::string_view text) {
        return folder.makeBoolean(text.find(infix) != text.npos);
    });
}

constexpr Builtin builtins[] = {
    {"all", 2, Builtin::InBoth, all},
    {"any", 2, Builtin::InBoth, any},
    {"assertMsg", 2, Builtin::InLib, assertMsg},
    {"attrNames", 1, Builtin::InBoth, attrNames},
    {"attrValues", 1, Builtin::InBoth, attrValues},
    {"baseNameOf", 1, Builtin::InBuiltins, baseNameOf},
    {"compareVersions", 2, Builtin::InBoth, compareVersions},
    {"concatLists", 1, Builtin::InBoth, concatLists},
    {"concatMap", 2, Builtin::InBoth, concatMap},
    {"concatMapStringsSep", 3, Builtin::InLib, concatMapStringsSep},
    {"concatStrings", 1, Builtin::InLib, concatStrings},
    {"concatStringsSep", 2, Builtin::InBoth, concatStringsSep},
    {"const", 2, Builtin::InLib, identity},
    {"elem", 2, Builtin::InBoth, elem},
    {"elemAt", 2, Builtin::InBoth, elemAt},
    {"escapeShellArg", 1, Builtin::InLib, escapeShellArg},
    {"escapeShellArgs", 1, Builtin::InLib, escapeShellArgs},
    {"filter", 2, Builtin::InBoth, filter},
    {"filterAttrs", 2, Builtin::InLib, filterAttrs},
    {"flatten", 1, Builtin::InLib, flatten},
    {"flip", 3, Builtin::InLib, flip},
    {"foldl'", 3, Builtin::InBoth, foldl},
    {"fromJSON", 1, Builtin::InBuiltins, fromJson},
    {"fromTOML", 1, Builtin::InBuiltins, fromToml},
    {"genAttrs", 2, Builtin::InLib, genAttrs},
    {"getAttr", 2, Builtin::InBoth, getAttr},
    {"hasAttr", 2, Builtin::InBoth, hasAttr},
    {"hasInfix", 2, Builtin::InLib, hasInfix},
    {"hasPrefix", 2, Builtin::InLib, hasPrefix},
    {"hasSuffix", 2, Builtin::InLib, hasSuffix},
    {"head", 1, Builtin::InBoth, head},
    {"id", 1, Builtin::InLib, identity},
    {"importJSON", 1, Builtin::InLib, importJson},
    {"importTOML", 1, Builtin::InLib, importToml},
    {"isNull", 1, Builtin::InBuiltins, isNull},
    {"last", 1, Builtin::InLib, last},
    {"length", 1, Builtin::InBoth, length},
    {"listToAttrs", 1, Builtin::InBoth, listToAttrs},
    {"makeOverridable", 2, Builtin::InLib, makeOverridable},
    {"map", 2, Builtin::InBoth, map},
    {"mapAttrs", 2, Builtin::InBoth, mapAttrs},
    {"mapAttrs'", 2, Builtin::InLib, mapAttrsToPairs},
    {"mapAttrsToList", 2, Builtin::InLib, mapAttrsToList},
    {"match", 2, Builtin::InBuiltins, match},
    {"nameValuePair", 2, Builtin::InLib, nameValuePair},
    {"optional", 2, Builtin::InLib, optional},
    {"optionalAttrs", 2, Builtin::InLib, optionalAttrs},
    {"optionals", 2, Builtin::InLib, optionals},
    {"optionalString", 2, Builtin::InLib, optionalString},
    {"pipe", 2, Builtin::InLib, pipe},
    {"readFile", 1, Builtin::InBoth, readFile},
    {"recursiveUpdate", 2, Builtin::InLib, recursiveUpdate},
    {"removePrefix", 2, Builtin::InLib, removePrefix},
    {"removeSuffix", 2, Builtin::InLib, removeSuffix},
    {"replaceStrings", 3, Builtin::InBoth, replaceStrings},
    {"singleton", 1, Builtin::InLib, singleton},
    {"split", 2, Builtin::InBoth, split},
    {"splitString", 2, Builtin::InLib, splitString},
    {"stringLength", 1, Builtin::InBoth, stringLength},
    {"substring", 3, Builtin::InBoth, substring},
    {"tail", 1, Builtin::InBoth, tail},
    {"throwIf", 3, Builtin::InLib, throwIf<true>},
    {"throwIfNot", 3, Builtin::InLib, throwIf<false>},
    {"toList", 1, Builtin::InLib, toList},
    {"toLower", 1, Builtin::InLib, inOtherCase<'A', 'a'>},
    {"toString", 1, Builtin::InBoth, toString},
    {"toUpper", 1, Builtin::InLib, inOtherCase<'a', 'A'>},
    {"trace", 2, Builtin::InBoth, passedOn<1>},
    {"unique", 1, Builtin::InLib, unique},
    {"versionAtLeast", 2, Builtin::InLib, versionAtLeast},
    {"versionOlder", 2, Builtin::InLib, versionOlder},
    {"warn", 2, Builtin::InBoth, passedOn<1>},
    {"warnIf", 3, Builtin::InLib, passedOn<2>},
    {"warnIfNot", 3, Builtin::InLib, passedOn<2>},
};

} // namespace

const Builtin *Builtin::find(std::string_view name, Home home)
{
    for (const std::span<const Builtin> table : {std::span<const Builtin>(builtins), libraryBuiltins()}) {
        const auto found = std::ranges::find(table, name, &Builtin::name);
        if (found != table.end() && (found->home & home))
            return &*found;
    }
    return nullptr;
}

} // namespace tmx::nix
