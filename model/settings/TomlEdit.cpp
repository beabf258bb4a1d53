// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/settings/TomlEdit.h"

#include <QCoreApplication>

#include <toml++/toml.hpp>

#include <algorithm>
#include <optional>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(tmx::TomlEdit)
};

Error failed(const QString &subject, const QString &why)
{
    return {Text::tr("change"), subject, why, {}};
}

Result<toml::table> parsed(const QByteArray &text, const QString &subject)
{
    try {
        return toml::parse(std::string_view(text.constData(), size_t(text.size())));
    } catch (const toml::parse_error &error) {
        return failed(subject, QString::fromStdString(std::string(error.description())));
    }
}

/// toml++ counts lines in line feeds and columns in characters, both from 1.
qsizetype offsetOf(const QByteArray &text, const toml::source_position &place)
{
    qsizetype offset = text.startsWith("\xef\xbb\xbf") ? 3 : 0; // a byte order mark is no column
    for (toml::source_index line = 1; line < place.line; ++line)
        offset = text.indexOf('\n', offset) + 1;
    for (toml::source_index column = 1; column < place.column && offset < text.size(); ++column) {
        ++offset;
        while (offset < text.size() && (uchar(text.at(offset)) & 0xc0) == 0x80)
            ++offset;
    }
    return offset;
}

/// How a table is written.
enum class Form { Root, Header, Inline, Dotted };

Form formOf(const QByteArray &text, const toml::table &table, bool isRoot)
{
    if (isRoot)
        return Form::Root;
    if (table.is_inline())
        return Form::Inline;
    const qsizetype begin = offsetOf(text, table.source().begin);
    return begin < text.size() && text.at(begin) == '[' ? Form::Header : Form::Dotted;
}

/// Where the keys of a table that are written under it end; nullopt when it has none.
std::optional<qsizetype> endOfKeys(const QByteArray &text, const toml::table &table)
{
    std::optional<qsizetype> end;
    const auto take = [&end](qsizetype candidate) { end = std::max(end.value_or(0), candidate); };
    for (const auto &[key, node] : table) {
        const toml::table *inner = node.as_table();
        if (const toml::array *array = node.as_array(); array && array->is_array_of_tables()) {
            // "[[" is a header, where an array of inline tables begins with "[ {".
            if (!text.sliced(offsetOf(text, array->source().begin)).startsWith("[["))
                take(offsetOf(text, array->source().end));
        } else if (!inner || inner->is_inline()) {
            take(offsetOf(text, node.source().end));
        } else if (formOf(text, *inner, false) == Form::Dotted) {
            if (const auto below = endOfKeys(text, *inner))
                take(*below);
        }
    }
    return end;
}

QString keyText(const QString &key)
{
    const bool bare = !key.isEmpty() && std::ranges::all_of(key, [](QChar c) {
        return c == u'_' || c == u'-' || (c.unicode() < 0x80 && c.isLetterOrNumber());
    });
    return bare ? key : u'"' + key + u'"';
}

qsizetype endOfLine(const QByteArray &text, qsizetype from)
{
    const qsizetype end = text.indexOf('\n', from);
    return end < 0 ? text.size() : end;
}

/// Behind the line of `from`, with a line end of its own where the text lacks one.
void insertLine(QByteArray &text, qsizetype from, const QByteArray &line)
{
    const qsizetype end = endOfLine(text, from);
    const bool carriage = end > 0 && end < text.size() && text.at(end - 1) == '\r';
    text.insert(end, '\n' + line + (carriage ? "\r" : ""));
}

/// Behind the comment that a document begins with.
void insertFirstLine(QByteArray &text, const QByteArray &line)
{
    qsizetype at = text.startsWith("\xef\xbb\xbf") ? 3 : 0;
    while (at < text.size() && text.at(at) == '#')
        at = std::min(endOfLine(text, at) + 1, text.size());
    if (at > 0 && text.at(at - 1) != '\n')
        text.insert(at++, '\n');
    text.insert(at, line + '\n');
}

class Editor
{
public:
    Editor(const QByteArray &text, const toml::table &root)
        : m_text(text)
        , m_root(root)
    {
    }

    Result<QByteArray> set(const QStringList &path, const QString &value)
    {
        const toml::table *table = &m_root;
        for (qsizetype i = 0; i + 1 < path.size(); ++i) {
            const toml::node *node = table->get(path.at(i).toStdString());
            if (!node)
                return value.isEmpty() ? m_text : addTable(*table, path.sliced(i), value);
            if (const toml::array *array = node->as_array()) {
                table = elementOf(*array, path.value(++i));
                if (!table || i + 1 >= path.size())
                    return failed(path.join(u'.'),
                                  Text::tr("the file has no [[%1]] with that version").arg(path.constFirst()));
            } else {
                table = node->as_table();
            }
            if (!table)
                return failed(path.join(u'.'), Text::tr("\"%1\" is no table").arg(path.at(i)));
        }
        return setIn(*table, path.constLast(), value);
    }

private:
    static const toml::table *elementOf(const toml::array &array, const QString &version)
    {
        for (const toml::node &element : array) {
            const toml::table *table = element.as_table();
            if (table && (*table)["version"].value_or(std::string()) == version.toStdString())
                return table;
        }
        return nullptr;
    }

    /// `path` is what is missing in `table`, the key last.
    Result<QByteArray> addTable(const toml::table &table, const QStringList &path, const QString &value)
    {
        if (path.size() != 2)
            return failed(path.join(u'.'), Text::tr("there is no \"%1\"").arg(path.constFirst()));
        const QByteArray line = (keyText(path.at(1)) + u" = "_s + value).toUtf8();
        if (&table != &m_root)
            return setIn(table, path.at(0), u"{ "_s + QString::fromUtf8(line) + u" }"_s);
        QByteArray text = m_text;
        if (!text.isEmpty() && !text.endsWith('\n'))
            text += '\n';
        return text + (text.isEmpty() ? "[" : "\n[") + path.at(0).toUtf8() + "]\n" + line + '\n';
    }

    Result<QByteArray> setIn(const toml::table &table, const QString &key, const QString &value)
    {
        QByteArray text = m_text;
        const toml::node *node = table.get(key.toStdString());
        if (node && !value.isEmpty()) {
            if (node->is_table() && !node->as_table()->is_inline())
                return failed(key, Text::tr("it is a table; set a key of it"));
            const qsizetype begin = offsetOf(text, node->source().begin);
            if (node->is_array_of_tables() && text.sliced(begin).startsWith("[["))
                return failed(key, Text::tr("it is a list of tables"));
            return text.replace(begin, offsetOf(text, node->source().end) - begin, value.toUtf8());
        }
        if (node)
            return withoutKey(table, key, *node);
        if (value.isEmpty())
            return text;
        const QByteArray line = (keyText(key) + u" = "_s + value).toUtf8();
        const Form form = formOf(text, table, &table == &m_root);
        if (form == Form::Inline) {
            const auto last = endOfKeys(text, table);
            if (last)
                return text.insert(*last, ", " + line);
            const qsizetype begin = offsetOf(text, table.source().begin);
            return text.replace(begin, offsetOf(text, table.source().end) - begin, "{ " + line + " }");
        }
        if (form == Form::Dotted)
            return failed(key, Text::tr("its table is written with dots; edit the file"));
        if (const auto last = endOfKeys(text, table))
            insertLine(text, *last, line);
        else if (form == Form::Header)
            insertLine(text, offsetOf(text, table.source().begin), line);
        else
            insertFirstLine(text, line);
        return text;
    }

    Result<QByteArray> withoutKey(const toml::table &table, const QString &key, const toml::node &node)
    {
        QByteArray text = m_text;
        if (table.is_inline() || (node.is_table() && !node.as_table()->is_inline()))
            return failed(key, Text::tr("it can only be taken out by hand; edit the file"));
        const qsizetype end = offsetOf(text, node.source().end);
        qsizetype begin = end;
        for (const auto &[name, value] : table) {
            if (&value == &node)
                begin = offsetOf(text, name.source().begin);
        }
        begin = begin > 0 ? text.lastIndexOf('\n', begin - 1) + 1 : 0;
        const QByteArray rest = text.sliced(end, endOfLine(text, end) - end).trimmed();
        if (!rest.isEmpty()) // a comment, which stays
            return text.replace(begin, endOfLine(text, end) - begin, rest);
        return text.remove(begin, std::min(endOfLine(text, end) + 1, text.size()) - begin);
    }

    QByteArray m_text;
    const toml::table &m_root;
};

/// What the document should say afterwards, made without looking at its text.
void insert(toml::table &table, const QStringList &path, const toml::node *value)
{
    const std::string key = path.constFirst().toStdString();
    if (path.size() == 1) {
        table.erase(key);
        if (value)
            table.insert_or_assign(key, *value);
        return;
    }
    toml::node *next = table.get(key);
    if (!next && value)
        next = &table.insert_or_assign(key, toml::table{}).first->second;
    if (toml::array *array = next ? next->as_array() : nullptr) {
        for (toml::node &element : *array) {
            toml::table *inner = element.as_table();
            if (inner && (*inner)["version"].value_or(std::string()) == path.at(1).toStdString())
                insert(*inner, path.sliced(2), value);
        }
    } else if (next && next->is_table()) {
        insert(*next->as_table(), path.sliced(1), value);
    }
}

} // namespace

Result<QByteArray> withTomlValue(const QByteArray &text, const QStringList &path, const QString &value)
{
    const QString subject = path.join(u'.');
    const auto root = parsed(text, subject);
    if (!root)
        return root.error();
    toml::table wanted = *root;
    if (value.isEmpty()) {
        insert(wanted, path, nullptr);
    } else {
        const auto one = parsed("x = " + value.toUtf8(), subject);
        if (!one)
            return one.error();
        insert(wanted, path, one->get("x"));
    }
    Result<QByteArray> changed = Editor(text, *root).set(path, value);
    if (!changed)
        return changed;
    // The text is somebody's: it goes out only if it says what it said, but for this key.
    const auto check = parsed(*changed, subject);
    if (!check || *check != wanted)
        return failed(subject, Text::tr("the file is written in a way that this cannot change; edit it"));
    return changed;
}

QStringList tomlComments(const QByteArray &text)
{
    QStringList comments;
    char quote = 0;
    bool triple = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text.at(i);
        if (quote) {
            if (c == '\\' && quote == '"')
                ++i;
            else if (c == quote && triple && text.sliced(i).startsWith(QByteArray(3, quote)))
                i += 2, quote = 0;
            else if ((c == quote && !triple) || (c == '\n' && !triple))
                quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
            triple = text.sliced(i).startsWith(QByteArray(3, c));
            i += triple ? 2 : 0;
        } else if (c == '#') {
            const qsizetype end = endOfLine(text, i);
            comments.append(QString::fromUtf8(text.sliced(i + 1, end - i - 1)).trimmed());
            i = end;
        }
    }
    return comments;
}

} // namespace tmx
