// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/BranchRules.h"

#include "model/audit/Rules.h"
#include "model/base/Tr.h"
#include "model/settings/PinVersion.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

const QRegularExpression &countWords()
{
    static const QRegularExpression words(uR"((?<![\p{L}\p{N}.])(\d{1,5})\s+(?:variants?|recipes?|packages?)\b)"_s,
                                          QRegularExpression::CaseInsensitiveOption);
    return words;
}

/// Text of a table cell without markup: "**`main`** ⬅️" is "main".
QString plain(QStringView cell)
{
    QString text;
    for (const QChar c : cell) {
        if (c == u'*' || c == u'`' || c == u'[' || c == u']')
            continue;
        text.append(c);
    }
    return text.section(u'(', 0, 0).simplified().section(u' ', 0, 0);
}

struct Cell {
    qsizetype from = 0; ///< offset in the line
    QString text;
};

/// The cells of a table row; empty for another line.
QList<Cell> cellsOf(const QString &line)
{
    QList<Cell> cells;
    const qsizetype first = line.indexOf(u'|');
    if (first < 0 || !QStringView(line).first(first).trimmed().isEmpty())
        return cells;
    for (qsizetype from = first + 1; from < line.size();) {
        const qsizetype end = line.indexOf(u'|', from);
        if (end < 0)
            break;
        cells.append({from, line.sliced(from, end - from)});
        from = end + 1;
    }
    return cells;
}

/// Reads a README line by line.
class ReadmeCounts
{
public:
    ReadmeCounts(const QString &branch, const QList<Variant> &recipes)
        : m_branch(branch)
        , m_recipes(recipes)
        , m_own(uR"(\bthis branch\b|[`*]%1[`*]|\b(?:on|of) (?:branch )?%1(?![\w.-]))"_s.arg(
                    QRegularExpression::escape(branch)),
                QRegularExpression::CaseInsensitiveOption)
    {
        QHash<QString, int> parts;
        for (const Variant &recipe : recipes) {
            ++parts[recipe.family];
            ++parts[recipe.cuda.isEmpty() ? u"none"_s : recipe.cuda];
            ++parts[recipe.family + u'/' + (recipe.cuda.isEmpty() ? u"none"_s : recipe.cuda)];
            if (!recipe.cuda.isEmpty())
                ++parts[u"cuda"_s];
        }
        m_right = {parts.cbegin(), parts.cend()};
        m_right.insert(int(recipes.size()));
    }

    void read(const QString &line, int number, Report &report)
    {
        const QByteArray words = line.trimmed().toUtf8();
        m_ours = readmeColumns(words) || (m_ours && words != readmeEnd);
        if (const QList<Cell> cells = cellsOf(line); !cells.isEmpty()) {
            row(cells, line, number, report);
            return;
        }
        m_column = -1;
        const QRegularExpressionMatch count = countWords().match(line);
        if (!count.hasMatch())
            return;
        const bool begins = m_ours && count.capturedStart() == 0;
        if (begins || m_own.match(line).hasMatch())
            compare(count.captured(1), line, count.capturedStart(1), number, report);
    }

private:
    void row(const QList<Cell> &cells, const QString &line, int number, Report &report)
    {
        if (plain(cells.constFirst().text).compare("branch"_L1, Qt::CaseInsensitive) == 0) {
            static const QStringList names{u"variants"_s, u"recipes"_s, u"packages"_s, u"total"_s};
            const auto found = std::ranges::find_if(
                cells, [](const Cell &cell) { return names.contains(plain(cell.text), Qt::CaseInsensitive); });
            m_column = found == cells.end() ? -1 : found - cells.begin();
            return;
        }
        if (m_column < 0 || m_column >= cells.size() || plain(cells.constFirst().text) != m_branch)
            return;
        static const QRegularExpression digits(u"\\d+"_s);
        const Cell &cell = cells.at(m_column);
        if (const QRegularExpressionMatch match = digits.match(cell.text); match.hasMatch())
            compare(match.captured(), line, cell.from + match.capturedStart(), number, report);
    }

    void compare(const QString &count, const QString &line, qsizetype from, int number, Report &report)
    {
        if (m_right.contains(count.toInt()))
            return;
        const Spot spot{number, int(QStringView(line).first(from).toUtf8().size()) + 1, 0, quint32(count.size())};
        report.add(spot,
                   Tr::tr("It says %1 for branch %2, which has %n recipes.", nullptr, int(m_recipes.size()))
                       .arg(count, m_branch),
                   m_ours ? Tr::tr("\"readme --apply\" writes %1.").arg(m_recipes.size())
                          : Tr::tr("Write %1 by hand in line %2: it is outside the tables that \"readme\" writes.")
                                .arg(m_recipes.size())
                                .arg(number));
    }

    QString m_branch;
    QList<Variant> m_recipes;
    QSet<int> m_right;
    QRegularExpression m_own;
    qsizetype m_column = -1; ///< column of the counts in the current table
    bool m_ours = false;     ///< between the program's markers
};

QList<Finding> taken(Report &report)
{
    QList<Finding> findings;
    for (Report::Found &found : report.found)
        findings.append(std::move(found.finding));
    return findings;
}

} // namespace

QList<Finding> auditSettings(const Catalog &catalog, const Settings &settings, const Settings *former)
{
    Report report;
    report.begin(u"version-not-of-pin"_s, Severity::Error);
    for (const VersionNotOfPin &found : versionsNotOfPins(catalog, settings, former))
        report.add({}, found.sentence, found.advice);
    return taken(report);
}

std::optional<QStringList> readmeColumns(const QByteArray &line)
{
    static const QRegularExpression form(u"^<!-- torch-matrix: begin(?: ([a-z][a-z-]*(?:[ ,]+[a-z][a-z-]*)*))? -->$"_s);
    static const QRegularExpression between(u"[ ,]+"_s);
    const QRegularExpressionMatch match = form.match(QString::fromUtf8(line.trimmed()));
    return match.hasMatch() ? std::optional(match.captured(1).split(between, Qt::SkipEmptyParts)) : std::nullopt;
}

QByteArray readmeBeginWith(const QStringList &columns)
{
    return "<!-- torch-matrix: begin " + (columns.isEmpty() ? QByteArray() : columns.join(u' ').toUtf8() + ' ') + "-->";
}

QList<Finding> auditReadme(const QByteArray &readme, const QString &branch, const QList<Variant> &recipes)
{
    Report report;
    report.begin(u"readme-count-stale"_s, Severity::Warning);
    ReadmeCounts counts(branch, recipes);
    int number = 0;
    for (const QByteArray &line : readme.split('\n'))
        counts.read(QString::fromUtf8(line), ++number, report);
    return taken(report);
}

} // namespace tmx
