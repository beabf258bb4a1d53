// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/GroupedVariants.h"

#include "model/base/Tr.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <array>
#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using Part = QString Variant::*;
constexpr std::array<Part, 5> allParts{&Variant::family, &Variant::python, &Variant::cuda, &Variant::row,
                                       &Variant::isa};

/// Cells of a family, Python and toolkit.
struct Scope {
    QStringList words;                                 ///< "12.9"; of scopes with the same cells several
    QList<std::pair<QStringList, QStringList>> groups; ///< rows, and the columns that each of them has
};

QSet<QString> valuesOf(const QList<Variant> &variants, Part part)
{
    QSet<QString> values;
    for (const Variant &one : variants)
        values.insert(one.*part);
    return values;
}

/// Keys with the same values together: {a: x y, b: z, c: x y} is {a c: x y, b: z}.
QList<std::pair<QStringList, QStringList>> joined(const QList<std::pair<QString, QStringList>> &each)
{
    QList<std::pair<QStringList, QStringList>> groups;
    for (const auto &[key, values] : each) {
        const auto same = std::ranges::find(groups, values, &std::pair<QStringList, QStringList>::second);
        if (same == groups.end())
            groups.append({{key}, values});
        else
            same->first.append(key);
    }
    return groups;
}

void add(QList<std::pair<QString, QStringList>> &each, const QString &key, const QString &value)
{
    auto known = std::ranges::find(each, key, &std::pair<QString, QStringList>::first);
    if (known == each.end()) {
        each.append({key, {}});
        known = each.end() - 1;
    }
    if (!known->second.contains(value))
        known->second.append(value);
}

/// "avx512", "armv9-nightly"; empty: it has none
QString columnOf(const Variant &variant)
{
    QStringList words{variant.isa, variant.rest};
    words.removeAll(QString());
    return words.join(u'-');
}

/// By rows or by columns, whichever makes fewer groups.
QList<std::pair<QStringList, QStringList>> groupsOf(const QList<Variant> &cells)
{
    QList<std::pair<QString, QStringList>> rows, columns;
    for (const Variant &cell : cells) {
        add(rows, cell.row, columnOf(cell));
        add(columns, columnOf(cell), cell.row);
    }
    auto byRow = joined(rows);
    auto byColumn = joined(columns);
    if (byRow.size() <= byColumn.size())
        return byRow;
    for (auto &[keys, values] : byColumn)
        std::swap(keys, values);
    return byColumn;
}

class Grouping
{
public:
    Grouping(const QList<Variant> &variants, const QList<Variant> &others)
    {
        QSet<Variant> seen;
        for (const Variant &variant : variants) {
            if (!seen.contains(variant))
                m_left.append(variant);
            seen.insert(variant);
        }
        std::ranges::sort(m_left);
        m_all = m_left;
        for (const Part part : {&Variant::family, &Variant::python, &Variant::cuda}) {
            QSet<QString> values = valuesOf(m_left, part) + valuesOf(others, part);
            values.remove(QString());
            if (values.size() > 1)
                m_told.append(part);
        }
        if (!others.isEmpty())
            takeWholes(others);
        takeScopes();
    }

    [[nodiscard]] QStringList lines() const
    {
        QStringList lines;
        if (!m_wholes.isEmpty())
            lines.append(Tr::tr("all of %1", "GPUs, toolkits").arg(m_wholes.join(u", "_s)));
        for (const Scope &scope : m_scopes) {
            QStringList cells;
            bool plain = true; // each group is one cell
            for (const auto &[rows, columns] : scope.groups) {
                QStringList named = columns;
                named.removeAll(QString());
                plain = plain && rows.size() == 1 && columns.size() == 1;
                const QString text = rows.join(u", "_s);
                cells.append(named.isEmpty() ? text
                             : rows.size() == 1
                                 ? u"%1 %2"_s.arg(text, named.join(u", "_s))
                                 : Tr::tr("%1 with %2", "GPUs, instruction sets").arg(text, named.join(u", "_s)));
            }
            QStringList words = scope.words;
            words.removeAll(QString());
            lines.append((words.join(u", "_s) + u' ' + cells.join(plain ? u", "_s : u"; "_s)).simplified());
        }
        return lines;
    }

    /// "sm103 × 6", "sm90": the values of a part, the most frequent first.
    [[nodiscard]] QStringList counts(Part part) const
    {
        QList<std::pair<QString, int>> numbers;
        for (const Variant &one : m_all) {
            const QString &value = one.*part;
            const QString word = value.isEmpty() ? one.row : value;
            const auto known = std::ranges::find(numbers, word, &std::pair<QString, int>::first);
            if (known == numbers.end())
                numbers.append({word, 1});
            else
                ++known->second;
        }
        std::ranges::stable_sort(numbers, std::ranges::greater(), &std::pair<QString, int>::second);
        QStringList texts;
        for (const auto &[word, number] : std::as_const(numbers))
            texts.append(number == 1 ? word : Tr::tr("%1 × %2", "GPU, count").arg(word).arg(number));
        return texts;
    }

private:
    /// Takes what none of the others has: all of a toolkit, of a GPU.
    void takeWholes(const QList<Variant> &others)
    {
        for (const Part part : allParts) {
            const QSet<QString> there = valuesOf(others, part);
            QHash<QString, int> numbers;
            QStringList values;
            for (const Variant &one : std::as_const(m_left)) {
                const QString &value = one.*part;
                if (++numbers[value] == 2 && !value.isEmpty() && !there.contains(value)) // of one its name says more
                    values.append(value);
            }
            if (values.isEmpty())
                continue;
            m_left.removeIf([&](const Variant &one) { return values.contains(one.*part); });
            if (part == &Variant::python)
                std::ranges::transform(values, values.begin(), pythonVersion);
            m_wholes.append(part == &Variant::cuda     ? Tr::tr("CUDA %1").arg(values.join(u", "_s))
                            : part == &Variant::python ? Tr::tr("Python %1").arg(values.join(u", "_s))
                                                       : values.join(u", "_s));
        }
    }

    void takeScopes()
    {
        QList<std::pair<QString, QList<Variant>>> scopes;
        for (const Variant &one : std::as_const(m_left)) {
            QStringList words;
            for (const Part part : std::as_const(m_told))
                words.append(part == &Variant::python ? pythonVersion(one.python) : one.*part);
            const QString word = words.join(u' ').simplified();
            const auto known = std::ranges::find(scopes, word, &std::pair<QString, QList<Variant>>::first);
            if (known == scopes.end())
                scopes.append({word, {one}});
            else
                known->second.append(one);
        }
        for (const auto &[word, cells] : std::as_const(scopes)) {
            const auto groups = groupsOf(cells);
            const auto same = std::ranges::find(m_scopes, groups, &Scope::groups);
            if (same == m_scopes.end() || word.isEmpty() || same->words.contains(QString()))
                m_scopes.append({{word}, groups});
            else
                same->words.append(word);
        }
    }

    QList<Variant> m_all, m_left;
    QList<Part> m_told;
    QStringList m_wholes;
    QList<Scope> m_scopes;
};

} // namespace

QStringList groupedForms(const QList<Variant> &variants, const QList<Variant> &others)
{
    if (variants.isEmpty())
        return {};
    const Grouping grouping(variants, others);
    const QStringList rows = grouping.counts(&Variant::row), isas = grouping.counts(&Variant::isa);
    QStringList forms{grouping.lines().join(u"; "_s)};
    for (const QStringList &counts : {rows.size() <= isas.size() ? rows : isas, grouping.counts(&Variant::cuda)}) {
        if (const QString form = counts.join(u", "_s); form.size() < forms.constLast().size())
            forms.append(form);
    }
    return forms;
}

QString groupedText(const QList<Variant> &variants, const QList<Variant> &others, qsizetype letters)
{
    const QStringList forms = groupedForms(variants, others);
    const auto fits = std::ranges::find_if(forms, [=](const QString &form) { return form.size() <= letters; });
    return fits == forms.end() ? forms.value(forms.size() - 1) : *fits;
}

QStringList groupedLines(const QList<Variant> &variants, const QList<Variant> &others)
{
    return Grouping(variants, others).lines();
}

} // namespace tmx
