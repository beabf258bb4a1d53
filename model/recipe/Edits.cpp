// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/Edits.h"

#include "model/nix/Parse.h"
#include "model/nix/Walk.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}

struct Range {
    qsizetype begin = 0;
    qsizetype end = 0;
};

/// The item including its quotes.
Range tokenOf(const QByteArray &text, const Spot &spot)
{
    const bool quoted = spot.offset > 0 && spot.end() < quint32(text.size()) && text.at(spot.offset - 1) == '"' &&
                        text.at(spot.end()) == '"';
    return {qsizetype(spot.offset) - quoted, qsizetype(spot.end()) + quoted};
}

Range lineOf(const QByteArray &text, Range range)
{
    const qsizetype begin = text.lastIndexOf('\n', range.begin > 0 ? range.begin - 1 : 0) + 1;
    const qsizetype end = text.indexOf('\n', range.end);
    return {range.begin == 0 ? 0 : begin, end < 0 ? text.size() : end};
}

/// Whether the line has nothing besides the range, except blanks, `after` and a comment.
bool isAlone(const QByteArray &text, Range range)
{
    const Range line = lineOf(text, range);
    for (qsizetype at = line.begin; at < range.begin; ++at) {
        if (!isBlank(text.at(at)))
            return false;
    }
    qsizetype at = range.end;
    while (at < line.end && (isBlank(text.at(at)) || text.at(at) == '\r'))
        ++at;
    return at == line.end || text.at(at) == '#';
}

Edit taken(const QByteArray &text, Range token)
{
    if (isAlone(text, token)) {
        const Range line = lineOf(text, token);
        return {quint32(line.begin), quint32(std::min(line.end + 1, text.size()) - line.begin), {}};
    }
    if (token.begin > 0 && isBlank(text.at(token.begin - 1)))
        --token.begin;
    else if (token.end < text.size() && isBlank(text.at(token.end)))
        ++token.end;
    return {quint32(token.begin), quint32(token.end - token.begin), {}};
}

QByteArray blanksLike(const QByteArray &text, qsizetype begin, qsizetype end)
{
    QByteArray blanks = text.sliced(begin, end - begin);
    for (char &c : blanks) {
        if (!isBlank(c))
            c = ' ';
    }
    return blanks;
}

/// Inserts `item` into a list after the token, whose comment stays with it.
Edit behind(const QByteArray &text, Range token, bool quoted, const QByteArray &item)
{
    const Range line = lineOf(text, token);
    Range whole = token; // With a comment inside the line.
    const QByteArray rest = text.sliced(token.end, line.end - token.end);
    if (quoted && rest.trimmed().startsWith("/*")) {
        if (const qsizetype close = rest.indexOf("*/"); close >= 0)
            whole.end += close + 2;
    }
    const QByteArray after = text.sliced(whole.end, line.end - whole.end).trimmed();
    // A comment up to the end of the line would swallow the item, or seem to belong to it.
    if (!(quoted && (after.isEmpty() || after.startsWith('#'))) && !isAlone(text, whole))
        return {quint32(whole.end), 0, ' ' + item};
    const bool crLf = line.end > line.begin && text.at(line.end - 1) == '\r';
    return {quint32(line.end), 0, '\n' + blanksLike(text, line.begin, token.begin) + item + (crLf ? "\r" : "")};
}

/// Inserts `items`, one per line, before the token and the comment lines above it.
Edit inFront(const QByteArray &text, Range token, const QByteArray &items)
{
    Range line = lineOf(text, token);
    if (!isAlone(text, token))
        return {quint32(token.begin), 0, QByteArray(items).replace('\n', ' ') + ' '};
    const QByteArray indent = text.sliced(line.begin, token.begin - line.begin);
    const QByteArray end = line.end > line.begin && text.at(line.end - 1) == '\r' ? "\r\n" : "\n";
    qsizetype at = line.begin;
    while (at > 0) {
        const qsizetype above = at > 1 ? text.lastIndexOf('\n', at - 2) + 1 : 0;
        if (!text.sliced(above, at - above).trimmed().startsWith('#'))
            break;
        at = above;
    }
    QByteArray lines;
    for (const QByteArray &item : items.split('\n'))
        lines += indent + item + end;
    return {quint32(at), 0, lines};
}

} // namespace

std::optional<QByteArray> edited(const QByteArray &text, Edits edits)
{
    std::ranges::sort(edits, [](const Edit &a, const Edit &b) {
        return std::tie(a.offset, a.length) < std::tie(b.offset, b.length);
    });
    edits.erase(std::unique(edits.begin(), edits.end()), edits.end());
    QByteArray result;
    qsizetype at = 0;
    for (const Edit &edit : std::as_const(edits)) {
        if (edit.offset < at || edit.offset + edit.length > text.size())
            return std::nullopt;
        result += QByteArrayView(text).sliced(at, edit.offset - at);
        result += edit.replacement;
        at = edit.offset + edit.length;
    }
    result += QByteArrayView(text).sliced(at);
    return result;
}

Edits replaced(const QByteArray &text, const Spot &spot, const QString &value, const QString &by)
{
    const QByteArray old = value.toUtf8();
    if (!spot || spot.file != 0 || spot.end() > quint32(text.size()) || spot.length != quint32(old.size()) ||
        text.mid(spot.offset, spot.length) != old)
        return {};
    return {{spot.offset, spot.length, by.toUtf8()}};
}

Edits attributeBeside(const QByteArray &text, const Spot &spot, const QByteArray &name, const QByteArray &value)
{
    static const QRegularExpression path(u"((?:[\\w'-]+\\.)*)[\\w'-]+[ \\t]*=[ \\t]*$"_s);
    const qsizetype end = text.indexOf(';', spot.end()) + 1;
    if (!spot || spot.file != 0 || end == 0 || !text.sliced(spot.end(), end - 1 - spot.end()).trimmed().isEmpty())
        return {};
    const Range line = lineOf(text, {qsizetype(spot.offset), end});
    const QString before = QString::fromUtf8(text.sliced(line.begin, spot.offset - line.begin));
    const QRegularExpressionMatch match = path.match(before);
    if (!match.hasMatch())
        return {};
    const qsizetype begin = line.begin + before.first(match.capturedStart()).toUtf8().size();
    return {behind(text, {begin, end}, true, match.captured(1).toUtf8() + name + " = " + value + ';')};
}

Edits itemBehind(const QByteArray &text, const Spot &spot, const QByteArray &item)
{
    const nix::ParseResult parsed = nix::parse(text);
    std::optional<Range> token;
    qsizetype open = 0; // the list's bracket
    nix::forEachNode(parsed.tree->root(), [&](const nix::Node &node) {
        const auto *list = token || !parsed.ok() || spot.file != 0 ? nullptr : nix::as<nix::List>(&node);
        for (const nix::Node *element : list ? list->elements : std::span<const nix::Node *const>()) {
            const qsizetype close = text.indexOf(')', element->span.end());
            if (!nix::as<nix::Lambda>(element) || !element->span.contains({spot.offset, spot.length}) || close < 0)
                continue;
            token = Range{text.lastIndexOf('(', element->span.offset), close + 1};
            open = list->span.offset + 1;
        }
    });
    if (!token)
        return {};
    const Range line = lineOf(text, *token);
    const qsizetype first = text.lastIndexOf('\n', token->begin) + 1;
    qsizetype begin = first;
    while (isBlank(text.at(begin)))
        ++begin;
    const bool isAtStart = begin == token->begin;
    const QByteArray indent = '\n' + text.sliced(first, begin - first) + (isAtStart ? "" : "  ");
    QByteArray lines = indent + QByteArray(item).replace('\n', indent);
    const QByteArray rest = text.sliced(token->end, line.end - token->end);
    if (rest.trimmed().isEmpty() || rest.trimmed().startsWith('#'))
        return {{quint32(line.end), 0, lines}};
    // A list of one line is laid out as one of several.
    Edits edits;
    if (text.sliced(open, token->begin - open).trimmed().isEmpty())
        edits.append({quint32(open), quint32(token->begin - open), indent});
    const bool closes = rest.trimmed().startsWith(']');
    edits.append(
        {quint32(token->end), quint32(closes ? rest.indexOf(']') : 0), lines + (closes ? indent.chopped(2) : indent)});
    return edits;
}

Edits listMadeTo(const QByteArray &text, const QList<StatedText> &items, const QStringList &wanted)
{
    if (items.isEmpty() || wanted.isEmpty())
        return {};
    Edits edits;
    for (const StatedText &item : items) {
        // Each item must be written out, and only once: a flag in two lists counts as two flags.
        if (replaced(text, item.spot, item.value, item.value).isEmpty())
            return {};
    }
    const auto find = [&items](const QString &value) { return std::ranges::find(items, value, &StatedText::value); };
    const bool noneKept =
        std::ranges::none_of(wanted, [&](const QString &value) { return find(value) != items.end(); });
    QByteArray before; // missing items without a preceding neighbour yet
    const StatedText *neighbour = nullptr;
    const auto spelt = [&text](const StatedText &like, const QString &value) {
        return tokenOf(text, like.spot).begin < qsizetype(like.spot.offset) ? '"' + value.toUtf8() + '"'
                                                                            : value.toUtf8();
    };
    if (noneKept) {
        neighbour = &items.constFirst();
        edits.append({neighbour->spot.offset, neighbour->spot.length, wanted.constFirst().toUtf8()});
    }
    QByteArray after; // items that follow the neighbour
    const auto flush = [&] {
        if (neighbour && !after.isEmpty())
            edits.append({quint32(tokenOf(text, neighbour->spot).end), 0, after});
        after.clear();
    };
    for (qsizetype i = noneKept ? 1 : 0; i < wanted.size(); ++i) {
        if (const auto found = find(wanted.at(i)); found != items.end()) {
            flush();
            if (!before.isEmpty())
                edits.append({quint32(tokenOf(text, found->spot).begin), 0, before});
            before.clear();
            neighbour = &*found;
            continue;
        }
        const StatedText &like = neighbour ? *neighbour : items.constFirst();
        const Range token = tokenOf(text, like.spot);
        const Range line = lineOf(text, token);
        QByteArray gap = " ";
        if (isAlone(text, token) && token.begin > line.begin)
            gap = '\n' + text.sliced(line.begin, token.begin - line.begin);
        if (neighbour)
            after += gap + spelt(like, wanted.at(i));
        else
            before += spelt(like, wanted.at(i)) + gap;
    }
    flush();
    for (const StatedText &item : items) {
        if (!wanted.contains(item.value) && !(noneKept && &item == &items.constFirst()))
            edits.append(taken(text, tokenOf(text, item.spot)));
    }
    return edits;
}

Edits listCompleted(const QByteArray &text, const QList<StatedText> &items, const QStringList &order,
                    const QStringList &missing)
{
    for (const StatedText &item : items) {
        if (replaced(text, item.spot, item.value, item.value).isEmpty())
            return {};
    }
    if (items.isEmpty())
        return {};
    const auto find = [&items](const QString &value) { return std::ranges::find(items, value, &StatedText::value); };
    QByteArray leading;
    const StatedText *first = nullptr; // the item before which `leading` is inserted
    const StatedText *anchor = nullptr;
    Edits edits;
    for (const QString &value : order) {
        if (const auto found = find(value); found != items.end()) {
            anchor = &*found;
            first = first ? first : anchor;
            continue;
        }
        if (!missing.contains(value))
            continue;
        const Range token = tokenOf(text, (anchor ? *anchor : items.constFirst()).spot);
        const bool quoted = token.begin < qsizetype((anchor ? *anchor : items.constFirst()).spot.offset);
        const QByteArray spelt = quoted ? '"' + value.toUtf8() + '"' : value.toUtf8();
        if (!anchor) {
            leading += leading.isEmpty() ? spelt : '\n' + spelt;
            continue;
        }
        const Edit edit = behind(text, token, quoted, spelt);
        if (!edits.isEmpty() && edits.constLast().offset == edit.offset)
            edits.last().replacement += edit.replacement;
        else
            edits.append(edit);
    }
    if (!leading.isEmpty())
        edits.append(inFront(text, tokenOf(text, (first ? *first : items.constFirst()).spot), leading));
    return edits;
}

} // namespace tmx
