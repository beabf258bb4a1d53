// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>

#include <random>

namespace tmx::test {

/// Generates random Nix expressions: the same seed gives the same texts on every machine. Most of them are valid; every
/// construct of the language occurs, also in unusual layouts.
class NixGenerator
{
public:
    explicit NixGenerator(quint32 seed)
        : m_random(seed)
    {
    }

    /// A whole file, about `size` tokens long.
    QByteArray file(int size);
    /// The text with one change: a token removed, duplicated, swapped with its neighbour, inserted or replaced.
    QByteArray mutation(const QByteArray &text);
    /// The text with one to eight changes of bytes, anywhere.
    QByteArray damage(QByteArray text);

    int below(int limit) { return limit > 0 ? int(m_random() % quint32(limit)) : 0; } ///< less than that; 0 if it is 0

private:
    bool chance(int percent) { return below(100) < percent; }
    QByteArray anyToken();
    void write(const char *form);

    std::mt19937 m_random;
    QByteArray m_text;
    int m_budget = 0; ///< number of forms that may still be written
    int m_depth = 0;
    int m_names = 0;
};

} // namespace tmx::test
