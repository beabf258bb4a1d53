// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/toml/Toml.h"

#include "model/base/Tr.h"
#include "model/toml/TomlParse.h"

#include <QRegularExpression>

#include <algorithm>
#include <optional>
#include <sstream>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

bool threeQuotesAt(const QByteArray &text, qsizetype at)
{
    return at + 2 < text.size() && text.at(at + 1) == text.at(at) && text.at(at + 2) == text.at(at);
}

/// The offset after the quoted text that begins at `at`; the end of its line if it is not closed.
qsizetype endOfQuoted(const QByteArray &text, qsizetype at)
{
    const char quote = text.at(at);
    const bool multiLine = threeQuotesAt(text, at);
    for (qsizetype i = at + (multiLine ? 3 : 1); i < text.size(); ++i) {
        if (text.at(i) == '\\' && quote == '"') {
            ++i;
        } else if (text.at(i) == '\n' && !multiLine) {
            return i;
        } else if (text.at(i) == quote && !multiLine) {
            return i + 1;
        } else if (text.at(i) == quote && threeQuotesAt(text, i)) {
            // One or two quotes before the closing three belong to the text.
            qsizetype end = i + 3;
            while (end < std::min(i + 5, text.size()) && text.at(end) == quote)
                ++end;
            return end;
        }
    }
    return text.size();
}

/// Calls `comment(begin, end)` for each comment, including '#', and `byte(offset)` for each byte that is neither in a
/// comment nor in quotes.
template <class Comment, class Byte>
void scan(const QByteArray &text, Comment comment, Byte byte)
{
    for (qsizetype at = 0; at < text.size();) {
        const char c = text.at(at);
        if (c == '#') {
            const qsizetype feed = text.indexOf('\n', at);
            const qsizetype end = feed < 0 ? text.size() : feed;
            comment(at, end);
            at = end;
        } else if (c == '"' || c == '\'') {
            at = endOfQuoted(text, at);
        } else {
            byte(at++);
        }
    }
}

/// Offset where the document first exceeds the nesting limit. Also works for text that is not TOML.
std::optional<qsizetype> placeTooDeep(const QByteArray &text)
{
    std::optional<qsizetype> found;
    std::vector<int> dots{0}; // for the current key, for each open bracket and outside them
    qsizetype depth = 0;
    const auto leaveKey = [&] { depth -= std::exchange(dots.back(), 0); };
    scan(
        text, [](qsizetype, qsizetype) {},
        [&](qsizetype at) {
            switch (text.at(at)) {
            case '.':
                ++dots.back();
                ++depth;
                break;
            case '[':
            case '{':
                dots.push_back(0);
                ++depth;
                break;
            case ']':
            case '}':
                if (dots.size() > 1) {
                    leaveKey();
                    dots.pop_back();
                    --depth;
                }
                break;
            case ',': leaveKey(); break;
            case '\n':
                if (dots.size() == 1)
                    leaveKey();
                break;
            default: break;
            }
            if (depth > maxTomlDepth && !found)
                found = at;
        });
    return found;
}

Error unreadable(const QString &file, qint64 line, const QString &why)
{
    return {Tr::tr("read"), Tr::tr("%1, line %2").arg(file).arg(line), why, {}};
}

} // namespace

Result<toml::table> parseToml(const QByteArray &text, const QString &file)
{
    if (text.size() > maxTomlBytes)
        return Error{Tr::tr("read"), file, Tr::tr("it is larger than %1 bytes").arg(maxTomlBytes), {}};
    if (const auto place = placeTooDeep(text)) {
        return unreadable(file, 1 + QByteArrayView(text).first(*place).count('\n'),
                          Tr::tr("keys and brackets nest more than %n levels deep", nullptr, int(maxTomlDepth)));
    }
    // Debian's toml++ is built with exceptions, which are caught here.
    try {
        return toml::parse(std::string_view(text.constData(), size_t(text.size())));
    } catch (const toml::parse_error &error) {
        static const QRegularExpression form(u"^Error while parsing ([^:]+): (.*)$"_s);
        QString why = fromToml(error.description());
        if (const auto match = form.match(why); match.hasMatch())
            why = Tr::tr("this is not valid TOML (%1): %2").arg(match.captured(1), match.captured(2));
        return unreadable(file, error.source().begin.line, why);
    } catch (const std::exception &error) {
        return Error{Tr::tr("read"), file, QString::fromLocal8Bit(error.what()), {}};
    }
}

QByteArray inToml(const toml::node &value)
{
    if (const toml::array *array = value.as_array()) {
        QByteArrayList elements; // The formatter splits long lists into lines.
        for (const toml::node &element : *array)
            elements.append(inToml(element));
        return '[' + elements.join(", ") + ']';
    }
    std::ostringstream stream;
    stream << toml::toml_formatter(value, toml::format_flags::allow_unicode_strings);
    return QByteArray::fromStdString(stream.str());
}

QByteArray inToml(const QString &text)
{
    return inToml(toml::value<std::string>(text.toStdString()));
}

QByteArray inToml(const QStringList &texts)
{
    toml::array array;
    for (const QString &text : texts)
        array.push_back(text.toStdString());
    return inToml(array);
}

QByteArray inToml(const QHash<QString, QString> &table)
{
    toml::table inlined;
    for (const auto &[key, value] : table.asKeyValueRange())
        inlined.insert_or_assign(key.toStdString(), value.toStdString());
    inlined.is_inline(true);
    return inToml(inlined);
}

QByteArray tomlKey(const QString &key)
{
    const QByteArray table = inToml(QHash<QString, QString>{{key, QString()}}); // { key = "" }
    return table.sliced(2, table.size() - 2 - qsizetype(qstrlen(" = \"\" }")));
}

QString fromToml(std::string_view text)
{
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

QStringList tomlComments(const QByteArray &text)
{
    QStringList comments;
    scan(
        text,
        [&](qsizetype begin, qsizetype end) {
            comments.append(QString::fromUtf8(text.sliced(begin + 1, end - begin - 1)).trimmed());
        },
        [](qsizetype) {});
    return comments;
}

namespace {

std::optional<QVariant> valueOf(const toml::node &node) // NOLINT(misc-no-recursion): parseToml() bounds the depth
{
    if (const auto *table = node.as_table()) {
        QVariantMap values;
        for (const auto &[key, inner] : *table) {
            const std::optional<QVariant> value = valueOf(inner);
            if (!value)
                return std::nullopt;
            values.insert(fromToml(key.str()), *value);
        }
        return values;
    }
    if (const auto *array = node.as_array()) {
        QVariantList values;
        for (const toml::node &inner : *array) {
            const std::optional<QVariant> value = valueOf(inner);
            if (!value)
                return std::nullopt;
            values.append(*value);
        }
        return values;
    }
    if (const auto *text = node.as_string())
        return fromToml(text->get());
    if (const auto *integer = node.as_integer())
        return qlonglong(integer->get());
    if (const auto *number = node.as_floating_point())
        return number->get();
    if (const auto *boolean = node.as_boolean())
        return boolean->get();
    return std::nullopt;
}

} // namespace

Result<QVariant> tomlValues(const QByteArray &text)
{
    TM_TRY(table, parseToml(text, {}));
    return valueOf(*table).value_or(QVariant());
}

} // namespace tmx
