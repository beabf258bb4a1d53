// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/DocumentLists.h"

#include "model/audit/DocumentScopes.h"
#include "model/base/Tr.h"

#include <QHash>
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
        , m_former(facts.formerRecipes)
        , m_now(facts.recipes)
        , m_forms(kinds().size())
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
    /// What recipes differ in, of all recipes of one state.
    struct State {
        QList<QStringList> values;     ///< by kind, of each recipe; may be empty
        QList<QSet<QString>> together; ///< by kind, without the empty one

        explicit State(const QList<Variant> &recipes)
        {
            for (const Kind &kind : kinds()) {
                QStringList &own = values.emplaceBack();
                for (const Variant &recipe : recipes)
                    own.append(kind.valueOf(recipe));
                together.append(QSet<QString>(own.cbegin(), own.cend()));
                together.last().remove(QString());
            }
        }
    };
    /// Whether the text names a value of the kind.
    bool names(const QString &text, qsizetype kind, const QString &value) const
    {
        QRegularExpression &form = m_forms[kind][value];
        if (form.pattern().isEmpty())
            form = QRegularExpression(u"(?<![\\w.-])%1(?![\\w-]|\\.\\d)"_s.arg(kinds().at(kind).formOf(value)),
                                      QRegularExpression::CaseInsensitiveOption);
        return form.match(text).hasMatch();
    }
    static bool isArm(const QString &value) { return value.startsWith("arm"_L1); }

    /// By kind, the values of the recipes that a row of a table is about; those of all for another line.
    [[nodiscard]] QList<QSet<QString>> ofRow(const QString &line, const State &state) const
    {
        const QList<RowCell> cells = cellsOf(line);
        for (qsizetype kind = 0; cells.size() > 1 && kind < kinds().size(); ++kind) {
            QSet<QString> named = state.together.at(kind);
            named.removeIf([&](const QString &value) { return !names(cells.constFirst().text, kind, value); });
            if (named.isEmpty())
                continue;
            QList<QSet<QString>> own(kinds().size());
            for (qsizetype i = 0; i < state.values.at(kind).size(); ++i) {
                for (qsizetype of = 0; named.contains(state.values.at(kind).at(i)) && of < own.size(); ++of)
                    own[of].insert(state.values.at(of).at(i));
            }
            for (QSet<QString> &values : own)
                values.remove(QString());
            return own;
        }
        return state.together;
    }

    /// Whether the line lists all values that there were, and not those that come; of instruction sets, those of one
    /// platform.
    [[nodiscard]] bool isStaleList(const QString &line) const
    {
        const QList<QSet<QString>> before = ofRow(line, m_former), after = ofRow(line, m_now);
        for (qsizetype kind = 0; kind < kinds().size(); ++kind) {
            const QSet<QString> &former = before.at(kind);
            for (const QString &added : after.at(kind) - former) {
                QSet<QString> listed = former;
                listed.removeIf([&added](const QString &value) { return isArm(value) != isArm(added); });
                if (listed.size() >= kinds().at(kind).least && !names(line, kind, added) &&
                    std::ranges::all_of(listed, [&](const QString &value) { return names(line, kind, value); }))
                    return true;
            }
        }
        return false;
    }

    /// Whether the line has a number of values, or of all recipes or a part of them, that was right.
    [[nodiscard]] bool isStaleCount(const QString &line) const
    {
        static const QList<QRegularExpression> counts = [] {
            QList<QRegularExpression> forms;
            for (const Kind &kind : kinds())
                forms.append(QRegularExpression(u"(?<![\\w.])(\\d{1,3})\\s+(?:[\\w-]+\\s+)?(?:%1)\\b"_s.arg(kind.nouns),
                                                QRegularExpression::CaseInsensitiveOption));
            return forms;
        }();
        for (qsizetype kind = 0; kind < kinds().size(); ++kind) {
            const QSet<QString> &former = m_former.together.at(kind), &now = m_now.together.at(kind);
            for (const QRegularExpressionMatch &match : counts.at(kind).globalMatch(line)) {
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
        for (qsizetype kind = 0; kind < kinds().size(); ++kind) {
            const QSet<QString> &former = m_former.together.at(kind);
            const QSet<QString> added = m_now.together.at(kind) - former;
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
    State m_former, m_now;
    mutable QList<QHash<QString, QRegularExpression>> m_forms; ///< by kind, of each value
};

} // namespace

QList<OutdatedLine> staleLists(const QStringList &lines, const Documented &facts, const DocumentScopes &scopes)
{
    return Lists(facts, scopes).stale(lines);
}

} // namespace tmx
