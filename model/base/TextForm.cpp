// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/TextForm.h"

#include <QHash>
#include <QMutex>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace tmx {

bool hasForm(const QString &text, QStringView form)
{
    static QMutex mutex;
    static QHash<QString, QRegularExpression> compiled; // compiling one takes a hundred times as long as matching it
    const auto pattern = [&] {
        const QMutexLocker lock(&mutex);
        QRegularExpression &known = compiled[form.toString()];
        if (known.pattern().isEmpty())
            known.setPattern(QRegularExpression::anchoredPattern(form));
        return known;
    }();
    return pattern.match(text).hasMatch();
}

QString enumerated(const QStringList &words)
{
    constexpr QStringView comma = u", ";
    return words.size() < 2 ? words.join(QString())
                            : words.first(words.size() - 1).join(comma) + " and "_L1 + words.constLast();
}

} // namespace tmx
