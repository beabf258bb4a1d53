// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Result.h"

#include "model/base/Sentences.h"
#include "model/base/Tr.h"

namespace tmx {

QString Error::sentence() const
{
    //: A verb phrase: "open the repository"
    QString text = subject.isEmpty() ? Tr::tr("Could not %1").arg(what) : Tr::tr("Could not %1 %2").arg(what, subject);
    if (!why.isEmpty())
        text = Tr::tr("%1: %2", "what could not be done, why").arg(text, why);
    return joinedSentences({withFullStop(text), remedy}); // a reason may be a sentence of its own
}

QString Error::sentenceBeside(const QString &other) const
{
    return subject == other ? joinedSentences({asSentence(why), remedy}) : sentence();
}

} // namespace tmx
