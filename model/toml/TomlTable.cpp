// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/toml/TomlTable.h"

#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/toml/Patterns.h"
#include "model/toml/TomlParse.h"

#include <QSet>

#include <algorithm>
#include <optional>
#include <set>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

/// Entries in a list of tables: far more than any catalog or settings have, but few enough to compare each with all
/// others.
constexpr size_t maxTables = 1000;

/// A text of the document in the form used in messages.
QString quotable(const QString &text)
{
    constexpr qsizetype longest = 80;
    const QString line = text.simplified();
    return line.size() > longest ? line.first(longest) + u'…' : line;
}

/// `problem`, followed by a description of valid values if there is one.
QString withForm(const QString &problem, QStringView pattern)
{
    const QString words = pattern::inWords(pattern);
    return words.isEmpty() ? problem : Tr::tr("%1; it must be %2").arg(problem, words);
}

} // namespace

struct TomlTable::Document {
    QString file;
    toml::table root;
    std::optional<Error> error;
    std::optional<Error> missing; ///< reported last: an unknown key may be the missing one, misspelt

    /// Texts end up in files, names, recipes and messages, so they must not be very long, and those without a pattern
    /// must not contain control characters. Those of the program itself are tested once, not at each start.
    [[nodiscard]] bool takes(const QString &text, QStringView pattern) const
    {
        constexpr qsizetype longest = 1000;
        const auto isControl = [](QChar c) { return c < u' ' || c == u'\x7f'; };
        if (isBuiltIn)
            return true;
        return text.size() <= longest &&
               (pattern.isEmpty() ? std::ranges::none_of(text, isControl) : hasForm(text, pattern));
    }
    const bool isBuiltIn = file.startsWith(u":/");
};

struct TomlTable::Node {
    const toml::table *table = nullptr;
    std::set<std::string, std::less<>> read;

    const toml::node *take(const char *key)
    {
        read.insert(key);
        return table->get(key);
    }
};

TomlTable::TomlTable(std::shared_ptr<Document> document, std::shared_ptr<Node> node)
    : m_document(std::move(document))
    , m_node(std::move(node))
{
}

Result<TomlTable> TomlTable::parse(const QByteArray &text, const QString &file)
{
    TM_TRY(root, parseToml(text, file));
    auto document = std::make_shared<Document>(file, std::move(root).value());
    auto node = std::make_shared<Node>();
    node->table = &document->root;
    return TomlTable(std::move(document), std::move(node));
}

void TomlTable::complain(const char *key, const QString &why)
{
    if (!m_document->error)
        m_document->error = complaint(key, why);
}

void TomlTable::miss(const char *key, Need need)
{
    if (need == Required && !m_document->missing)
        m_document->missing = complaint(key, Tr::tr("must be given"));
}

Error TomlTable::complaint(const char *key, const QString &why) const
{
    const toml::node *node = m_node->table->get(key);
    const toml::source_region &place = node ? node->source() : m_node->table->source();
    // toml++ has no position for the document's top-level table.
    const toml::source_index line = std::max<toml::source_index>(place.begin.line, 1);
    return {Tr::tr("read"),
            Tr::tr("%1, line %2").arg(m_document->file).arg(line),
            quotable(QString::fromUtf8(key)) + u' ' + why,
            {}};
}

bool TomlTable::contains(const char *key) const
{
    return m_node->table->contains(key);
}

bool TomlTable::hasOnly(const char *key) const
{
    return contains(key) && m_node->table->size() == 1;
}

void TomlTable::read(const char *key, QString &value, Need need, QStringView pattern)
{
    const toml::node *node = m_node->take(key);
    if (!node)
        return miss(key, need);
    const auto *text = node->as_string();
    if (!text)
        return complain(key, Tr::tr("must be a string in quotes"));
    const QString candidate = fromToml(text->get());
    if (!m_document->takes(candidate, pattern))
        return complain(key, withForm(Tr::tr("cannot be \"%1\"").arg(quotable(candidate)), pattern));
    value = candidate;
}

void TomlTable::read(const char *key, QStringList &value, Need need, QStringView pattern)
{
    const toml::node *node = m_node->take(key);
    if (!node)
        return miss(key, need);
    const toml::array *array = node->as_array();
    if (!array)
        return complain(key, Tr::tr("must be a list of strings"));
    QStringList texts;
    QSet<QString> seen;
    for (const toml::node &element : *array) {
        const auto *text = element.as_string();
        if (!text)
            return complain(key, Tr::tr("must be a list of strings"));
        const QString candidate = fromToml(text->get());
        if (!m_document->takes(candidate, pattern))
            return complain(key, withForm(Tr::tr("cannot contain \"%1\"").arg(quotable(candidate)), pattern));
        if (seen.contains(candidate))
            return complain(key, Tr::tr("names \"%1\" twice").arg(quotable(candidate)));
        seen.insert(candidate);
        texts.append(candidate);
    }
    value = texts;
}

void TomlTable::read(const char *key, bool &value)
{
    const toml::node *node = m_node->take(key);
    if (!node)
        return;
    const auto *boolean = node->as_boolean();
    if (!boolean)
        return complain(key, Tr::tr("must be true or false"));
    value = boolean->get();
}

void TomlTable::read(const char *key, int &value, int most)
{
    const toml::node *node = m_node->take(key);
    if (!node)
        return;
    const auto *number = node->as_integer();
    if (!number || number->get() < 0 || number->get() > most)
        return complain(key, Tr::tr("must be a whole number from 0 to %1").arg(most));
    value = int(number->get());
}

void TomlTable::read(const char *key, QHash<QString, QString> &value, Need need, QStringView pattern)
{
    const toml::node *node = m_node->take(key);
    if (!node)
        return miss(key, need);
    const toml::table *table = node->as_table();
    if (!table)
        return complain(key, Tr::tr("must be a table"));
    auto inner = std::make_shared<Node>();
    inner->table = table;
    TomlTable reader(m_document, inner);
    QHash<QString, QString> pairs;
    for (const auto &[name, unused] : *table) {
        const std::string innerKey(name.str());
        QString text;
        if (!m_document->takes(fromToml(innerKey), {}))
            return complain(key, Tr::tr("cannot contain \"%1\"").arg(quotable(fromToml(innerKey))));
        reader.read(innerKey.c_str(), text, Required, pattern);
        pairs.insert(fromToml(innerKey), text);
    }
    value = pairs;
}

QList<TomlTable> TomlTable::tables(const char *key)
{
    QList<TomlTable> result;
    const toml::node *node = m_node->take(key);
    if (!node)
        return result;
    const toml::array *array = node->as_array();
    if (!array) {
        complain(key, Tr::tr("must be a list of tables"));
        return result;
    }
    if (array->size() > maxTables) {
        complain(key, Tr::tr("has %n entries; the limit is %1", nullptr, int(array->size())).arg(maxTables));
        return result;
    }
    for (const toml::node &element : *array) {
        const toml::table *table = element.as_table();
        if (!table) {
            complain(key, Tr::tr("must be a list of tables"));
            return {};
        }
        auto inner = std::make_shared<Node>();
        inner->table = table;
        result.append(TomlTable(m_document, inner));
    }
    return result;
}

void TomlTable::rejectUnread()
{
    for (const auto &[key, unused] : *m_node->table) {
        if (!m_node->read.contains(key.str())) {
            const std::string name(key.str());
            complain(name.c_str(), Tr::tr("is not a known key"));
            return;
        }
    }
}

Result<void> TomlTable::finish() const
{
    if (m_document->error)
        return *m_document->error;
    if (m_document->missing)
        return *m_document->missing;
    return {};
}

} // namespace tmx
