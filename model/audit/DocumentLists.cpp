// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/DocumentLists.h"

#include "model/audit/DocumentScopes.h"
#include "model/base/Tr.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// Reads the lists and tables of a document that have all of what a branch built before a change.
class Lists
{
public:
    Lists(const Documented &facts, const DocumentScopes &scopes)
        : m_facts(facts)
        , m_scopes(scopes)
    {
    }

    [[nodiscard]] QList<OutdatedLine> stale(const QStringList &lines) const
    {
        if (m_facts.formerRecipes.isEmpty())
            return {};
        QSet<int> numbers; // from 0
        bool isOurs = false;
        QList<int> table;
        for (int i = 0; i <= lines.size(); ++i) {
            const bool isRow = i < lines.size() && m_scopes.isInTable(i);
            if (isRow && !isOurs)
                table.append(i);
            else if (!table.isEmpty())
                addTable(lines, std::exchange(table, {}), numbers);
            if (i == lines.size())
                break;
            const QByteArray words = lines.at(i).trimmed().toUtf8();
            isOurs = readmeColumns(words) || (isOurs && words != readmeEnd);
            using About = DocumentScopes::About;
            const About about = m_scopes.at(i, 0);
            if (isOurs || m_scopes.isInCode(i) || about == About::Other || about == About::Elsewhere ||
                beginsWithOther(lines.at(i)))
                continue;
            if (isStaleList(lines.at(i)) || isStaleCount(lines.at(i)))
                numbers.insert(i);
        }
        QList<OutdatedLine> found;
        for (int i = 0; i < lines.size(); ++i) {
            if (numbers.contains(i))
                found.append({{.rule = listStaleRule.toString(),
                               .severity = Severity::Warning,
                               .sentence = Tr::tr("It has what the branch built before."),
                               .line = i + 1,
                               .column = 1,
                               .length = int(lines.at(i).size()),
                               .advice = Tr::tr("Add what is new.")},
                              {}});
        }
        return found;
    }

private:
    /// Whether the line begins with what is no branch of this clone, but is written as one: "- **torch-2.9**: ...".
    [[nodiscard]] bool beginsWithOther(const QString &line) const
    {
        static const QRegularExpression form(
            u"^[\\s|>*-]*(?:\\*\\*|`)+(main|master|[A-Za-z][\\w.]*-[\\w.-]*\\d[\\w.-]*)(?:\\*\\*|`)"_s);
        const QRegularExpressionMatch match = form.match(line);
        return match.hasMatch() && match.captured(1) != m_facts.branch &&
               std::ranges::none_of(m_facts.recipes,
                                    [&](const Variant &recipe) { return recipe.name() == match.captured(1); });
    }

    /// What recipes differ in.
    struct Kind {
        QString (*valueOf)(const Variant &);
        QString (*formOf)(const QString &); ///< a pattern: how texts write a value
        QString nouns;                      ///< a pattern: what texts count
        int least;                          ///< values of a list that shows all of them
    };
    static const QList<Kind> &kinds()
    {
        const auto plain = [](const QString &value) { return QRegularExpression::escape(value); };
        static const QList<Kind> all{
            {[](const Variant &of) { return of.row.startsWith("sm"_L1) ? of.row : QString(); },
             [](const QString &value) { return u"(?:sm_?%1)"_s.arg(value.sliced(2)); },
             u"(?:GPU )?architectures|GPU rows|SMs"_s, 3},
            {[](const Variant &of) { return of.isa; },
             [](const QString &value) {
                 static const QRegularExpression wide(u"^avx512(\\w*)\\z"_s);
                 const QRegularExpressionMatch match = wide.match(value);
                 if (match.hasMatch())
                     return match.captured(1).isEmpty() ? u"avx-?512(?![- +]*(?:\\w*bf16|\\w*vnni|\\w*fp16))"_s
                                                        : u"avx-?512[- +]*%1"_s.arg(match.captured(1));
                 return QString(value).replace(u'_', "[._]"_L1);
             },
             u"ISAs|(?:CPU )?instruction sets"_s, 3},
            {[](const Variant &of) { return of.cuda; }, plain, u"(?:CUDA )?toolkits|CUDA versions"_s, 2},
            {[](const Variant &of) { return pythonVersion(of.python); }, plain, u"Pythons|Python versions"_s, 2},
            {[](const Variant &of) { return FamilyName::of(of.family).release({}); },
             [](const QString &value) { return QRegularExpression::escape(value) + u"(?:\\.\\d+)?"_s; },
             u"(?:package )?releases"_s, 2},
        };
        return all;
    }
    static QSet<QString> valuesOf(const Kind &kind, const QList<Variant> &recipes)
    {
        QSet<QString> values;
        for (const Variant &recipe : recipes)
            values.insert(kind.valueOf(recipe));
        values.remove(QString());
        return values;
    }
    static bool names(const QString &text, const Kind &kind, const QString &value)
    {
        return QRegularExpression(u"(?<![\\w.-])%1(?![\\w-]|\\.\\d)"_s.arg(kind.formOf(value)),
                                  QRegularExpression::CaseInsensitiveOption)
            .match(text)
            .hasMatch();
    }
    static bool isArm(const QString &value) { return value.startsWith("arm"_L1); }

    /// The recipes that a row of a table is about; all for another line.
    static QList<Variant> ofRow(const QString &line, const QList<Variant> &recipes)
    {
        const QList<RowCell> cells = cellsOf(line);
        for (const Kind &kind : cells.size() > 1 ? kinds() : QList<Kind>()) {
            QList<Variant> own;
            for (const Variant &recipe : recipes) {
                if (const QString value = kind.valueOf(recipe);
                    !value.isEmpty() && names(cells.constFirst().text, kind, value))
                    own.append(recipe);
            }
            if (!own.isEmpty())
                return own;
        }
        return recipes;
    }

    /// Whether the line lists all values that there were, and not those that come; of instruction sets, those of one
    /// platform.
    [[nodiscard]] bool isStaleList(const QString &line) const
    {
        const QList<Variant> before = ofRow(line, m_facts.formerRecipes), after = ofRow(line, m_facts.recipes);
        for (const Kind &kind : kinds()) {
            const QSet<QString> former = valuesOf(kind, before);
            for (const QString &added : valuesOf(kind, after) - former) {
                QSet<QString> listed = former;
                listed.removeIf([&added](const QString &value) { return isArm(value) != isArm(added); });
                if (listed.size() >= kind.least && !names(line, kind, added) &&
                    std::ranges::all_of(listed, [&](const QString &value) { return names(line, kind, value); }))
                    return true;
            }
        }
        return false;
    }

    /// Whether the line has a number of values, or of all recipes or a part of them, that was right.
    [[nodiscard]] bool isStaleCount(const QString &line) const
    {
        for (const Kind &kind : kinds()) {
            const QSet<QString> former = valuesOf(kind, m_facts.formerRecipes), now = valuesOf(kind, m_facts.recipes);
            const QRegularExpression form(u"(?<![\\w.])(\\d{1,3})\\s+(?:[\\w-]+\\s+)?(?:%1)\\b"_s.arg(kind.nouns),
                                          QRegularExpression::CaseInsensitiveOption);
            for (const QRegularExpressionMatch &match : form.globalMatch(line)) {
                const auto is = [&match](qsizetype count) { return match.captured(1).toInt() == count; };
                const auto arms = [](const QSet<QString> &of) { return std::ranges::count_if(of, isArm); };
                const qsizetype were[] = {former.size(), arms(former), former.size() - arms(former)};
                const qsizetype are[] = {now.size(), arms(now), now.size() - arms(now)};
                if (std::ranges::any_of(were, is) && std::ranges::none_of(are, is))
                    return true;
            }
        }
        static const QRegularExpression total(u"(?<![\\w.])(\\d{1,5})\\s+(?:in )?total\\b"_s,
                                              QRegularExpression::CaseInsensitiveOption);
        const QRegularExpressionMatch match = total.match(line);
        const auto count = [](const QList<Variant> &recipes, bool isGpu) {
            return std::ranges::count_if(recipes,
                                         [isGpu](const Variant &recipe) { return !isGpu || !recipe.cuda.isEmpty(); });
        };
        return match.hasMatch() && std::ranges::any_of(QList<bool>{false, true}, [&](bool isGpu) {
                   const int number = match.captured(1).toInt();
                   return count(m_facts.formerRecipes, isGpu) == number && count(m_facts.recipes, isGpu) != number &&
                          count(m_facts.recipes, !isGpu) != number;
               });
    }

    /// Adds the last row of a table with a row for each value that there was, and none for one that comes.
    void addTable(const QStringList &lines, const QList<int> &rows, QSet<int> &numbers) const
    {
        using About = DocumentScopes::About;
        const About about = m_scopes.at(rows.constFirst(), 0);
        if (about == About::Other || about == About::Elsewhere)
            return;
        for (const Kind &kind : kinds()) {
            const QSet<QString> former = valuesOf(kind, m_facts.formerRecipes);
            const QSet<QString> added = valuesOf(kind, m_facts.recipes) - former;
            QSet<QString> has;
            int last = -1;
            bool hasNew = added.isEmpty();
            for (const int row : rows) {
                const QList<RowCell> cells = cellsOf(lines.at(row));
                const QString label = cells.isEmpty() ? QString() : cells.constFirst().text;
                for (const QString &value : former) {
                    if (!names(label, kind, value))
                        continue;
                    has.insert(value);
                    last = row;
                }
                hasNew = hasNew ||
                         std::ranges::any_of(added, [&](const QString &value) { return names(label, kind, value); });
            }
            if (!hasNew && has.size() >= 2 && 4 * has.size() >= 3 * former.size())
                numbers.insert(last);
        }
    }

    const Documented &m_facts;
    const DocumentScopes &m_scopes;
};

} // namespace

QList<OutdatedLine> staleLists(const QStringList &lines, const Documented &facts, const DocumentScopes &scopes)
{
    return Lists(facts, scopes).stale(lines);
}

} // namespace tmx
