// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>

#include <random>

namespace tmx::test {

/// A text after one change, and what kind of change that was; no text: the change was not possible here.
struct ChangedNix {
    QByteArray text;
    QString kind;
};

/// Changes Nix files at random, at places that their tree tells of. The same seed makes the same changes.
class NixRewrites
{
public:
    explicit NixRewrites(quint32 seed)
        : m_random(seed)
    {
    }

    /// Another way to write the same: names of lets and arguments, order of attributes, inherit, rec, with, comments,
    /// texts in parts, functions that are called at once.
    ChangedNix sameMeaning(const QByteArray &text);
    /// Something else, in most cases: a text, number or truth value changed, an attribute, element, operand or default
    /// dropped, a name misspelt, a line put into a script.
    ChangedNix otherMeaning(const QByteArray &text);

private:
    int below(size_t limit) { return int(m_random() % quint32(limit)); }

    std::mt19937 m_random;
    int m_names = 0;
};

} // namespace tmx::test
