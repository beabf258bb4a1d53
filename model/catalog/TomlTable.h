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

/// A table of a TOML document on its way into values. It keeps the first complaint about the whole document, so a
/// reader reads all keys without checking and calls finish() once. A missing key is reported only if nothing else is
/// wrong.
///
///     auto table = TomlTable::parse(text, path);
///     table->read("id", row.id, TomlTable::Required, rowIdPattern);
///     return table->finish();
class TomlTable
{
public:
    enum Need { Optional, Required };

    /// The document's top-level table. `file` is what errors call it. Errors: those of parseToml().
    static Result<TomlTable> parse(const QByteArray &text, const QString &file);

    /// Read a key into `value`, which keeps what it holds when the key is absent. Complains when the type is another,
    /// when a required key is missing, or when a text (each text of a list) does not match `pattern` as a whole; an
    /// empty pattern takes any text without control characters.
    void read(const char *key, QString &value, Need need, QStringView pattern = {});
    void read(const char *key, QStringList &value, Need need, QStringView pattern = {});
    void read(const char *key, bool &value);
    /// Complains outside of 0 to `most`.
    void read(const char *key, int &value, int most);
    void read(const char *key, QHash<QString, QString> &value, Need need, QStringView pattern = {});

    /// The tables of `[[key]]`, or of an array of inline tables; none when the key is absent. Complains when it is no
    /// such list, or one of more than 1,000.
    [[nodiscard]] QList<TomlTable> tables(const char *key);
    [[nodiscard]] bool contains(const char *key) const;

    /// Notes an error of meaning: "FILE, line N: KEY WHY".
    void complain(const char *key, const QString &why);
    /// Complains of a key of this table that nobody has read: most often a misspelt one.
    void rejectUnread();
    /// The first complaint of the whole document, or done.
    [[nodiscard]] Result<void> finish() const;

private:
    struct Document;
    struct Node;
    void miss(const char *key, Need need);
    [[nodiscard]] Error complaint(const char *key, const QString &why) const;
    explicit TomlTable(std::shared_ptr<Document> document, std::shared_ptr<Node> node);
    std::shared_ptr<Document> m_document;
    std::shared_ptr<Node> m_node; ///< copies of a table share what was read of it
};

} // namespace tmx
