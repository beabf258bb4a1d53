// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Versions.h"

#include <QHash>
#include <QStringList>

#include <mutex>

using namespace Qt::StringLiterals;

namespace tmx {

bool sameVersion(const QString &a, const QString &b)
{
    if (a.isEmpty() || b.isEmpty())
        return false;
    const auto dotted = [](const QString &version) { return version.contains(u'.'); };
    if (dotted(a) != dotted(b)) {
        const QString &digits = dotted(a) ? b : a;
        const QStringList parts = (dotted(a) ? a : b).split(u'.');
        QString joined;
        for (const QString &part : parts) {
            joined += part;
            if (joined == digits)
                return true;
        }
        return false;
    }
    return a == b || a.startsWith(b + u'.') || b.startsWith(a + u'.');
}

QRegularExpression versionsOf(const QString &name)
{
    // Compiling a pattern takes longer than searching all texts of a recipe for it.
    constexpr qsizetype most = 256;
    static QHash<QString, QRegularExpression> compiled;
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    if (const auto known = compiled.constFind(name); known != compiled.cend())
        return *known;
    QString letters;
    for (const QChar c : name) {
        if (c.isLetterOrNumber())
            letters += QRegularExpression::escape(c.toLower()) + u"[ _-]?"_s;
    }
    if (compiled.size() == most)
        compiled.clear();
    return *compiled.insert(
        name, QRegularExpression(letters.isEmpty() ? u"(?!)"_s : u"(?<![\\w-])%1v?(\\d+(?:\\.\\d+)+)"_s.arg(letters),
                                 QRegularExpression::CaseInsensitiveOption));
}

QString versionNamedIn(const QString &text, const QString &name)
{
    const QRegularExpression form = versionsOf(name);
    QString longest;
    for (const QRegularExpressionMatch &match : form.globalMatch(text)) {
        const QString version = match.captured(1);
        if (!longest.isEmpty() && !sameVersion(longest, version))
            return {};
        if (version.size() > longest.size())
            longest = version;
    }
    return longest;
}

} // namespace tmx
