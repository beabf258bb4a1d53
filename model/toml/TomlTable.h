// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QStringList>

#include <memory>

namespace tmx {

/// Reads a table of a TOML document into values. It keeps the first complaint about the whole document, so a reader
/// reads all keys without checking and calls finish() once. A missing key is only reported if there is no other
/// complaint.
///
///     auto table = TomlTable::parse(text, path);
///     table->read("id", row.id, TomlTable::Required, rowIdPattern);
///     return table->finish();
class TomlTable
{
public:
    enum Need { Optional, Required };

    /// The document's top-level table. `file` is its name in errors. Errors: those of parseToml().
    static Result<TomlTable> parse(const QByteArray &text, const QString &file);

    /// Reads a key into `value`, which does not change if the key is absent. Complains about another type, a missing
    /// required key, and a text (or an element of a list) that does not match `pattern` completely; an empty pattern
    /// accepts any text without control characters.
    void read(const char *key, QString &value, Need need, QStringView pattern = {});
    void read(const char *key, QStringList &value, Need need, QStringView pattern = {});
    void read(const char *key, bool &value);
    /// Complains about values outside 0 to `most`.
    void read(const char *key, int &value, int most);
    void read(const char *key, QHash<QString, QString> &value, Need need, QStringView pattern = {});

    /// The tables of `[[key]]`, or of an array of inline tables; empty if the key is absent. Complains about other
    /// values, and about more than 1,000 tables.
    [[nodiscard]] QList<TomlTable> tables(const char *key);
    [[nodiscard]] bool contains(const char *key) const;
    /// Whether the table has this key and no other.
    [[nodiscard]] bool hasOnly(const char *key) const;

    /// Adds a semantic complaint: "FILE, line N: KEY WHY".
    void complain(const char *key, const QString &why);
    /// Complains about keys of this table that were not read: usually misspelt ones.
    void rejectUnread();
    /// The first complaint about the whole document, if any.
    [[nodiscard]] Result<void> finish() const;

private:
    struct Document;
    struct Node;
    void miss(const char *key, Need need);
    [[nodiscard]] Error complaint(const char *key, const QString &why) const;
    explicit TomlTable(std::shared_ptr<Document> document, std::shared_ptr<Node> node);
    std::shared_ptr<Document> m_document;
    std::shared_ptr<Node> m_node; ///< copies of a table share the record of keys read
};

} // namespace tmx
