// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QList>

#include <initializer_list>
#include <random>

namespace tmx::test {

/// Generates random expressions that need nothing from outside, are well-typed and have a value, to compare folding
/// with evaluation. The same seed gives the same expressions on every machine.
class NixConstants
{
public:
    explicit NixConstants(quint32 seed)
        : m_random(seed)
    {
    }

    /// An expression in parentheses, with a value that JSON can represent.
    QByteArray expression();

    struct File {
        QByteArray path; ///< "lib/f3.nix"
        QByteArray text;
    };
    /// Files in several folders that import those before them: values, tables and functions. The last one has a value
    /// that JSON can represent.
    QList<File> program(int files);

private:
    enum Type { Integer, Boolean, Text, Texts, Integers, Set };
    struct Name {
        QByteArray name;
        Type type;
    };

    QByteArray written(QByteArray expression, const QByteArray &folder, const QList<File> &files);
    int below(int limit) { return int(m_random() % quint32(limit)); }
    bool chance(int percent) { return below(100) < percent; }
    QByteArray make(Type type);
    QByteArray anyWay(Type type);
    QByteArray let(Type type);
    QByteArray function(Type type);
    QByteArray plain(Type type);
    QByteArray one(std::initializer_list<const char *> forms);
    QByteArray freshName() { return "v" + QByteArray::number(m_names++); }

    std::mt19937 m_random;
    QList<Name> m_imports; ///< "(import @3@)" for the file with that number
    QList<Name> m_scope;
    int m_depth = 0;
    int m_names = 0;
};

} // namespace tmx::test
