// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/compare/Markdown.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// Newlines and other control characters would end the row.
QString onOneLine(const QString &text)
{
    QString line;
    for (const QChar c : text)
        line += c.category() == QChar::Other_Control || c == QChar::LineSeparator || c == QChar::ParagraphSeparator
                    ? u' '
                    : c;
    return line.simplified();
}

} // namespace

QString inMarkdownCell(const QString &text)
{
    // Any ASCII punctuation character may be escaped (CommonMark 2.4); these are the ones that could begin inline
    // markup.
    static constexpr QStringView markup = u"\\`*_{}[]<>|~&#!$";
    QString escaped;
    const QString line = onOneLine(text);
    for (qsizetype i = 0; i < line.size(); ++i) {
        const QChar c = line.at(i);
        // An underscore inside a word is not markup (CommonMark 6.2), and names are easier to read without backslashes.
        const bool insideWord = c == u'_' && i > 0 && i + 1 < line.size() && line.at(i - 1).isLetterOrNumber() &&
                                line.at(i + 1).isLetterOrNumber();
        if (markup.contains(c) && !insideWord)
            escaped += u'\\';
        escaped += c;
    }
    // GitHub turns bare addresses into links.
    escaped.replace("://"_L1, ":\\//"_L1);
    escaped.replace(u'@', "\\@"_L1);
    return escaped;
}

QString codeInMarkdownCell(const QString &text)
{
    const QString line = onOneLine(text);
    if (line.isEmpty())
        return {};
    // More backticks than the longest run inside; a bar is escaped even in code, because the table is split first.
    qsizetype longest = 0;
    qsizetype run = 0;
    for (const QChar c : line) {
        run = c == u'`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    const QString fence(longest + 1, u'`');
    const QString blank = line.startsWith(u'`') || line.endsWith(u'`') ? u" "_s : QString();
    return fence + blank + QString(line).replace(u'|', "\\|"_L1) + blank + fence;
}

QString markdownTable(const QStringList &head, const QList<QStringList> &rows)
{
    QList<qsizetype> widths;
    for (qsizetype column = 0; column < head.size(); ++column) {
        qsizetype width = std::max<qsizetype>(3, head.at(column).size());
        for (const QStringList &row : rows)
            width = std::max(width, row.value(column).size());
        widths.append(width);
    }
    const auto line = [&widths](const QStringList &cells, QChar fill) {
        QString text = u"|"_s;
        for (qsizetype column = 0; column < widths.size(); ++column)
            text += u' ' + cells.value(column).leftJustified(widths.at(column), fill) + u" |"_s;
        return text + u'\n';
    };
    QString table = line(head, u' ') + line(QStringList(head.size()), u'-');
    for (const QStringList &row : rows)
        table += line(row, u' ');
    return table;
}

} // namespace tmx
