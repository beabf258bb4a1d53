// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/toml/TomlEdit.h"

#include "model/base/Tr.h"
#include "model/toml/Toml.h"
#include "model/toml/TomlParse.h"

#include <algorithm>
#include <optional>
#include <set>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

Error failed(const QString &subject, const QString &why)
{
    return {Tr::tr("change"), subject, why, {}};
}

qsizetype endOfLine(const QByteArray &text, qsizetype from)
{
    const qsizetype end = text.indexOf('\n', from);
    return end < 0 ? text.size() : end;
}

/// A parsed document and the positions of its values.
struct Document {
    QByteArray text;
    toml::table root;
    std::vector<qsizetype> lines; ///< offset of each line's first byte

    static Result<Document> parse(const QByteArray &text, const QString &subject)
    {
        Result<toml::table> root = parseToml(text, subject);
        if (!root)
            return failed(subject, root.error().why);
        Document document{text, std::move(root).value(), {text.startsWith("\xef\xbb\xbf") ? 3 : 0}};
        for (qsizetype feed = text.indexOf('\n'); feed >= 0; feed = text.indexOf('\n', feed + 1))
            document.lines.push_back(feed + 1);
        return document;
    }

    /// toml++ counts lines and columns from 1, columns in characters.
    [[nodiscard]] qsizetype offsetOf(const toml::source_position &place) const
    {
        qsizetype offset = lines.at(place.line - 1);
        for (toml::source_index column = 1; column < place.column && offset < text.size(); ++column) {
            ++offset;
            while (offset < text.size() && (uchar(text.at(offset)) & 0xc0) == 0x80)
                ++offset;
        }
        return offset;
    }
    [[nodiscard]] qsizetype beginOf(const toml::node &node) const { return offsetOf(node.source().begin); }
    [[nodiscard]] qsizetype endOf(const toml::node &node) const { return offsetOf(node.source().end); }
    [[nodiscard]] bool begins(const toml::node &node, QByteArrayView with) const
    {
        return QByteArrayView(text).sliced(beginOf(node)).startsWith(with);
    }
    /// Whether it is a table of dotted keys: "a" in "a.b = 1".
    [[nodiscard]] bool isDotted(const toml::table &table) const
    {
        return &table != &root && !table.is_inline() && !begins(table, "[");
    }
    /// Whether it is "[[x]]", and not an array of inline tables, which begins with "[ {".
    [[nodiscard]] bool isListOfHeaders(const toml::node &node) const
    {
        return node.is_array_of_tables() && begins(node, "[[");
    }

    /// End of the last value below the table's own header; nullopt if it has none.
    [[nodiscard]] std::optional<qsizetype> endOfValues(const toml::table &table) const
    {
        std::optional<qsizetype> end;
        for (const auto &[key, node] : table) {
            const toml::table *inner = node.as_table();
            std::optional<qsizetype> candidate;
            if (!inner || inner->is_inline())
                candidate = isListOfHeaders(node) ? std::nullopt : std::optional(endOf(node));
            else if (isDotted(*inner))
                candidate = endOfValues(*inner);
            end = std::max(end, candidate);
        }
        return end;
    }

    /// The lines of the tables `[[key]]`, from the first header to the last value, as position and length.
    [[nodiscard]] std::pair<qsizetype, qsizetype> linesOfTables(const toml::array &tables) const
    {
        const qsizetype begin = beginOf(tables);
        qsizetype end = begin;
        for (const toml::node &table : tables)
            end = std::max(end, endOfValues(*table.as_table()).value_or(endOf(table)));
        return {begin, std::min(endOfLine(text, end) + 1, text.size()) - begin};
    }
};

toml::table *tableOfVersion(toml::array &array, const QString &version)
{
    for (toml::node &element : array) {
        toml::table *table = element.as_table();
        if (table && (*table)["version"].value_or(std::string()) == version.toStdString())
            return table;
    }
    return nullptr;
}

/// Follows `path` as far as its tables are there, and takes off it what it has followed: the last step stays, and those
/// before it that are missing. nullptr: `why` not.
auto follow(toml::table &root, QStringList &path, QString &why) -> toml::table *
{
    toml::table *table = &root;
    while (path.size() > 1) {
        toml::node *node = table->get(path.constFirst().toStdString());
        if (!node)
            break;
        const QString step = path.takeFirst();
        toml::array *array = node->as_array();
        table = array ? tableOfVersion(*array, path.takeFirst()) : node->as_table();
        if (!table || path.isEmpty()) {
            why = array ? Tr::tr("the file has no [[%1]] with that version").arg(step)
                        : Tr::tr("\"%1\" is not a table").arg(step);
            return nullptr;
        }
    }
    return table;
}

/// Returns the text only if it has the wanted meaning.
Result<QByteArray> checked(const Result<QByteArray> &changed, const toml::table &wanted, const QString &subject)
{
    if (!changed)
        return changed;
    const Result<toml::table> back = parseToml(*changed, subject);
    if (!back || *back != wanted)
        return failed(subject, Tr::tr("its layout cannot be changed automatically; edit the file"));
    return changed;
}

Result<QByteArray> withoutValue(const Document &document, const toml::table &table, const QString &key)
{
    const toml::node &node = *table.get(key.toStdString());
    if (table.is_inline() || (node.is_table() && !node.as_table()->is_inline()))
        return failed(key, Tr::tr("it cannot be removed automatically; edit the file"));
    QByteArray text = document.text;
    const qsizetype begin = document.lines.at(table.find(key.toStdString())->first.source().begin.line - 1);
    const qsizetype end = document.endOf(node);
    const qsizetype lineEnd = endOfLine(text, end);
    const QByteArray comment = text.sliced(end, lineEnd - end).trimmed();
    if (!comment.isEmpty())
        return text.replace(begin, lineEnd - begin, comment);
    return text.remove(begin, std::min(lineEnd + 1, text.size()) - begin);
}

Result<QByteArray> withValueIn(const Document &document, const toml::table &table, const QString &key,
                               const QByteArray &value)
{
    QByteArray text = document.text;
    if (const toml::node *node = table.get(key.toStdString())) {
        if (node->is_table() && !node->as_table()->is_inline())
            return failed(key, Tr::tr("it is a table; set a key of it"));
        if (document.isListOfHeaders(*node))
            return failed(key, Tr::tr("it is a list of tables"));
        return text.replace(document.beginOf(*node), document.endOf(*node) - document.beginOf(*node), value);
    }
    const QByteArray line = tomlKey(key) + " = " + value;
    std::optional<qsizetype> last = document.endOfValues(table);
    if (table.is_inline()) {
        if (last)
            return text.insert(*last, ", " + line);
        return text.replace(document.beginOf(table), document.endOf(table) - document.beginOf(table),
                            "{ " + line + " }");
    }
    if (document.isDotted(table))
        return failed(key, Tr::tr("its table is written with dots; edit the file"));
    if (!last && &table != &document.root)
        last = document.beginOf(table); // end of its header
    if (last) {
        const qsizetype end = endOfLine(text, *last);
        const bool carriage = end > 0 && end < text.size() && text.at(end - 1) == '\r';
        return text.insert(end, '\n' + line + (carriage ? "\r" : ""));
    }
    // The document has no top-level values: insert after its first comment.
    qsizetype at = document.lines.front();
    while (at < text.size() && text.at(at) == '#')
        at = std::min(endOfLine(text, at) + 1, text.size());
    return text.insert(at, (at > 0 && text.at(at - 1) != '\n' ? "\n" : "") + line + '\n');
}

/// The differences between two documents.
struct Differences {
    QList<std::pair<QStringList, QByteArray>> values; ///< path and new value; empty: removed
    QStringList lists;                                ///< top-level lists of tables without `version`
    QString other;                                    ///< a list whose tables have other versions, or none
};

void compare(toml::table &before, toml::table &after, const QStringList &path, Differences &differences)
{
    std::set<std::string> keys;
    for (const toml::table *table : {&before, &after}) {
        for (const auto &[key, node] : *table)
            keys.emplace(key.str());
    }
    for (const std::string &key : keys) {
        toml::node *old = before.get(key);
        toml::node *now = after.get(key);
        const QStringList steps = path + QStringList{fromToml(key)};
        if (old && now && inToml(*old) == inToml(*now))
            continue;
        toml::table none;
        if ((!old || old->is_table()) && (!now || now->is_table())) {
            compare(old ? *old->as_table() : none, now ? *now->as_table() : none, steps, differences);
            continue;
        }
        toml::array *tables = (now ? now : old)->as_array();
        if (!tables || !tables->is_array_of_tables()) {
            differences.values.append({steps, now ? inToml(*now) : QByteArray()});
            continue;
        }
        const auto versionOf = [](toml::node &table) { return (*table.as_table())["version"].value<std::string>(); };
        if (!versionOf(tables->front())) {
            differences.lists.append(steps.constFirst());
            continue;
        }
        toml::array *olds = old && now ? old->as_array() : nullptr;
        if (!olds || olds->size() != tables->size())
            differences.other = steps.constFirst();
        for (size_t i = 0; differences.other.isEmpty() && i < tables->size(); ++i) {
            const std::string version = versionOf((*tables)[i]).value_or(std::string());
            if (versionOf((*olds)[i]) != version)
                differences.other = steps.constFirst();
            else
                compare(*(*olds)[i].as_table(), *(*tables)[i].as_table(), steps + QStringList{fromToml(version)},
                        differences);
        }
    }
}

/// `text` with the tables `[[key]]` of `source` instead of its own, or at its end.
Result<QByteArray> withTables(const QByteArray &text, const QString &key, const Document &source)
{
    TM_TRY(document, Document::parse(text, key));
    const std::string name = key.toStdString();
    const toml::node *there = document->root.get(name);
    if (there && !document->isListOfHeaders(*there))
        return failed(key, Tr::tr("it is written inline; edit the file"));
    toml::table wanted = document->root;
    wanted.erase(name);
    QByteArray tables;
    if (const toml::node *next = source.root.get(name)) {
        wanted.insert_or_assign(name, *next);
        const auto [begin, length] = source.linesOfTables(*next->as_array());
        tables = source.text.sliced(begin, length);
    }
    QByteArray changed = text;
    if (there) {
        const auto [begin, length] = document->linesOfTables(*there->as_array());
        changed.replace(begin, length, tables);
    } else {
        changed += (text.isEmpty() || text.endsWith('\n') ? "\n" : "\n\n") + tables;
    }
    return checked(changed, wanted, key);
}

} // namespace

Result<QByteArray> withTomlValue(const QByteArray &text, const QStringList &path, const QByteArray &value)
{
    const QString subject = path.join(u'.');
    TM_TRY(document, Document::parse(text, subject));
    const auto parsed = parseToml(value.isEmpty() ? value : "x = " + value, subject);
    if (!parsed)
        return failed(subject, parsed.error().why);

    toml::table wanted = document->root;
    QStringList rest = path;
    QString why;
    toml::table *table = follow(wanted, rest, why);
    if (!table)
        return failed(subject, why);
    const std::string key = path.constLast().toStdString();
    if (value.isEmpty()) {
        if (rest.size() > 1 || !table->contains(key))
            return text;
        table->erase(key);
    } else {
        for (const QString &step : rest.first(rest.size() - 1))
            table = table->insert_or_assign(step.toStdString(), toml::table{}).first->second.as_table();
        table->insert_or_assign(key, *parsed->get("x"));
    }

    rest = path;
    const toml::table &holder = *follow(document->root, rest, why);
    if (value.isEmpty())
        return checked(withoutValue(*document, holder, rest.constLast()), wanted, subject);
    if (rest.size() == 1)
        return checked(withValueIn(*document, holder, rest.constLast(), value), wanted, subject);
    if (rest.size() > 2)
        return failed(subject, Tr::tr("there is no \"%1\"").arg(rest.constFirst()));
    const QByteArray line = tomlKey(rest.constLast()) + " = " + value;
    if (&holder != &document->root)
        return checked(withValueIn(*document, holder, rest.constFirst(), "{ " + line + " }"), wanted, subject);
    QByteArray changed = text;
    if (!text.isEmpty())
        changed += text.endsWith('\n') ? "\n" : "\n\n";
    return checked(changed + '[' + tomlKey(rest.constFirst()) + "]\n" + line + '\n', wanted, subject);
}

Result<QByteArray> withTomlChanges(const QByteArray &text, const QByteArray &before, const QByteArray &after)
{
    const QString subject = Tr::tr("the file");
    Result<Document> old = Document::parse(before, subject);
    Result<Document> now = Document::parse(after, subject);
    if (!old || !now)
        return old ? now.error() : old.error();
    Differences differences;
    compare(old->root, now->root, {}, differences);
    if (!differences.other.isEmpty())
        return failed(differences.other, Tr::tr("its tables have other versions"));
    Result<QByteArray> changed = text;
    for (const auto &[path, value] : std::as_const(differences.values)) {
        if (changed)
            changed = withTomlValue(*changed, path, value);
    }
    for (const QString &key : std::as_const(differences.lists)) {
        if (changed)
            changed = withTables(*changed, key, *now);
    }
    return changed;
}

} // namespace tmx
