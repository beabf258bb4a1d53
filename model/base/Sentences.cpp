// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Sentences.h"

#include "model/base/Tr.h"

namespace tmx {

QString joinedSentences(QStringList sentences)
{
    sentences.removeAll(QString());
    return sentences.join(Tr::tr(" ", "between two sentences"));
}

QString withFullStop(const QString &sentence)
{
    const bool hasOne = sentence.endsWith(QLatin1Char('.')) || sentence.endsWith(QLatin1Char('?'));
    return hasOne ? sentence : Tr::tr("%1.", "the end of a sentence").arg(sentence);
}

QString withoutStop(const QString &sentence)
{
    return sentence.endsWith(u'.') ? sentence.chopped(1) : sentence;
}

QString asSentence(const QString &clause)
{
    return withFullStop(clause.left(1).toUpper() + clause.mid(1));
}

} // namespace tmx
