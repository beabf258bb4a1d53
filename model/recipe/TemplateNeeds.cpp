// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/TemplateNeeds.h"

#include "model/base/Tr.h"

#include <QRegularExpression>
#include <QSet>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

/// Names in an expression of the template language: words that are not quoted, numbers, filters or operators.
QStringList namesIn(const QString &expression)
{
    static const QRegularExpression quotedOrFilter(uR"("[^"]*"|'[^']*'|\|\s*\w+)"_s);
    static const QRegularExpression word(uR"([A-Za-z_][\w.]*)"_s);
    static const QStringList operators{u"and"_s,  u"or"_s,    u"not"_s,  u"in"_s,   u"is"_s,
                                       u"True"_s, u"False"_s, u"true"_s, u"false"_s};
    QStringList names;
    auto words = word.globalMatch(QString(expression).replace(quotedOrFilter, u" "_s));
    while (words.hasNext()) {
        const QString name = words.next().captured();
        if (!operators.contains(name))
            names.append(name);
    }
    return names;
}

} // namespace

const QVariant *valueAt(const QVariantHash &data, QStringView path)
{
    const QVariantHash *table = &data;
    const QVariant *value = nullptr;
    for (const QStringView key : path.tokenize(u'.')) {
        if (!table)
            return nullptr;
        const auto found = table->constFind(QString::fromRawData(key.data(), key.size()));
        if (found == table->cend())
            return nullptr;
        value = &*found;
        table = get_if<QVariantHash>(value);
    }
    return value && value->isValid() ? value : nullptr;
}

TemplateNeeds TemplateNeeds::of(const QString &text)
{
    static const QRegularExpression token(
        uR"(\{#\s*(?<comment>.*?)\s*#\}|\{\{\s*(?<variable>.*?)\s*\}\}|\{%\s*(?<tag>\w+)\s*(?<rest>.*?)\s*%\})"_s);
    static const QRegularExpression loop(uR"(^(.+?)\s+in\s+(.+)$)"_s);
    TemplateNeeds needs;
    QStringList own{u"forloop"_s};
    QSet<QString> known; // complaint() names the first use
    qsizetype counted = 0;
    int line = 1;
    auto tokens = token.globalMatch(text);
    while (tokens.hasNext()) {
        const QRegularExpressionMatch match = tokens.next();
        line += int(QStringView(text).sliced(counted, match.capturedStart() - counted).count(u'\n'));
        counted = match.capturedStart();
        const auto use = [&](const QString &expression) {
            const QStringList names = namesIn(expression);
            for (const QString &name : names) {
                if (!own.contains(name.section(u'.', 0, 0)) && !known.contains(name)) {
                    known.insert(name);
                    needs.used.append({name, line});
                }
            }
        };
        const QString tag = match.captured(u"tag");
        const QString rest = match.captured(u"rest");
        if (const QString comment = match.captured(u"comment"); comment.startsWith("needs:"_L1)) {
            needs.required += comment.sliced(6).simplified().split(u' ', Qt::SkipEmptyParts);
        } else if (comment.startsWith("not for:"_L1)) {
            needs.excluded += comment.sliced(8).simplified().split(u' ', Qt::SkipEmptyParts);
        } else if (tag == "for"_L1) {
            const QRegularExpressionMatch parts = loop.match(rest);
            use(parts.captured(2));
            own += namesIn(parts.captured(1));
        } else if (tag == "include"_L1) {
            needs.includes.append(QString(rest).remove(u'"').remove(u'\''));
        } else if (tag == "if"_L1 || tag == "elif"_L1) {
            use(rest);
        } else if (tag.isEmpty()) {
            use(match.captured(u"variable"));
        }
    }
    return needs;
}

std::optional<QString> TemplateNeeds::complaint(const QVariantHash &data) const
{
    for (const QString &path : required) {
        if (const QVariant *value = valueAt(data, path); !value || value->toString().isEmpty())
            return Tr::tr("it needs %1, which the branch settings do not set").arg(path);
    }
    for (const QString &path : excluded) {
        if (const QVariant *value = valueAt(data, path); value && value->toBool())
            return Tr::tr("it is not for variants with %1").arg(path);
    }
    for (const Name &name : used) {
        if (!valueAt(data, name.path))
            return Tr::tr("line %1 uses %2, which the branch settings do not set").arg(name.line).arg(name.path);
    }
    return std::nullopt;
}

} // namespace tmx
