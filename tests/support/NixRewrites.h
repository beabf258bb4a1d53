// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>

#include <random>

namespace tmx::test {

/// A text after one change, and the kind of change; without a text, the change was not possible here.
struct ChangedNix {
    QByteArray text;
    QString kind;
};

/// Changes Nix files at random, at places found in their tree. The same seed gives the same changes.
class NixRewrites
{
public:
    explicit NixRewrites(quint32 seed)
        : m_random(seed)
    {
    }

    /// Another notation with the same meaning: names of lets and arguments, order of attributes, inherit, rec, with,
    /// comments, texts in parts, functions that are called immediately.
    ChangedNix sameMeaning(const QByteArray &text);
    /// Another meaning, in most cases: a text, number or boolean changed, an attribute, element, operand or default
    /// dropped, a name misspelt, a line added to a script.
    ChangedNix otherMeaning(const QByteArray &text);

private:
    int below(size_t limit) { return int(m_random() % quint32(limit)); }

    std::mt19937 m_random;
    int m_names = 0;
};

} // namespace tmx::test
