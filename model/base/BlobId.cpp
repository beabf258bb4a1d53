// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/BlobId.h"

#include <QCryptographicHash>

namespace tmx {

QString blobId(const QByteArray &text, qsizetype digits)
{
    QCryptographicHash hash(digits == 64 ? QCryptographicHash::Sha256 : QCryptographicHash::Sha1);
    hash.addData("blob " + QByteArray::number(text.size()) + '\0');
    hash.addData(text);
    return QString::fromLatin1(hash.result().toHex());
}

} // namespace tmx
