// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/NixHash.h"

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// 64 hexadecimal digits as "sha256-..."; any other text as it is.
QString asSri(const QString &hash)
{
    const QByteArray bytes = hash.size() == 64 ? QByteArray::fromHex(hash.toLatin1()) : QByteArray();
    return bytes.size() == 32 ? "sha256-"_L1 + QString::fromLatin1(bytes.toBase64()) : hash;
}

} // namespace

QByteArrayList notationsOf(const QString &hash)
{
    const QByteArray sri = hash.toLatin1();
    const QByteArray bytes = QByteArray::fromBase64(sri.mid(7));
    if (!sri.startsWith("sha256-") || bytes.size() != 32)
        return {};
    constexpr QByteArrayView digits = "0123456789abcdfghijklmnpqrsvwxyz";
    QByteArray base32;
    for (int place = 51; place >= 0; --place) {
        const int byte = place * 5 / 8;
        const int bit = place * 5 % 8;
        const auto at = [&bytes](int i) { return i < bytes.size() ? unsigned(uchar(bytes.at(i))) : 0U; };
        base32 += digits.at((at(byte) >> bit | at(byte + 1) << (8 - bit)) & 31U);
    }
    return {sri, bytes.toHex(), base32};
}

bool sameHash(const QString &a, const QString &b)
{
    return a == b || notationsOf(asSri(a)).contains(b.toLatin1()) || notationsOf(asSri(b)).contains(a.toLatin1());
}

} // namespace tmx
