// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QList>

#include <random>

namespace tmx::test {

/// Writes Nix expressions at random: the same seed gives the same texts on every machine. Most of them are valid; every
/// construct of the language comes up, in odd layouts too.
class NixGenerator
{
public:
    explicit NixGenerator(quint32 seed)
        : m_random(seed)
    {
    }

    /// A whole file, about `size` tokens long.
    QByteArray file(int size);
    /// The text with one change: a token (or some bytes) taken out, doubled, swapped with its neighbour, put in or
    /// replaced.
    QByteArray mutation(const QByteArray &text);
    /// The text with one to eight changes of bytes, anywhere.
    QByteArray damage(QByteArray text);

    int below(int limit) { return int(m_random() % quint32(limit)); }

private:
    bool chance(int percent) { return below(100) < percent; }
    template <class T, size_t N>
    const T &any(const T (&values)[N])
    {
        return values[below(int(N))];
    }

    void put(const char *text);
    void put(const QByteArray &text);
    void blank();
    QByteArray freshName();
    void variable();
    void expression();
    void function();
    void let();
    void operators();
    void application();
    void selection();
    void simple();
    void quoted();
    void indented();
    void antiquotation();
    void path();
    void number();
    void set(bool recursive);
    /// Which names what is being written defines for itself beforehand.
    enum class Known { None, Recursive, Let };
    QList<QByteArray> bindings(Known known);
    void attributePath(const QByteArray &first);
    void attributeName();
    void list();

    std::mt19937 m_random;
    QByteArray m_text;
    QList<QByteArray> m_scope; ///< names that a variable may have here
    int m_budget = 0;          ///< tokens that are left to spend
    int m_depth = 0;
    int m_with = 0;
};

} // namespace tmx::test
