// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/NixHash.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr QByteArrayView digits = "0123456789abcdfghijklmnpqrsvwxyz";

/// The 32 bytes of 52 base-32 digits, the last digit first. Empty if invalid.
QByteArray ofBase32(const QByteArray &text)
{
    QByteArray bytes(33, '\0');
    for (qsizetype i = 0; i < text.size(); ++i) {
        const qsizetype digit = digits.indexOf(text.at(text.size() - 1 - i));
        if (digit < 0)
            return {};
        const unsigned shifted = unsigned(digit) << (i * 5 % 8);
        bytes[i * 5 / 8] = char(uchar(bytes.at(i * 5 / 8)) | (shifted & 255U));
        if (shifted > 255U)
            bytes[i * 5 / 8 + 1] = char(shifted >> 8);
    }
    return bytes.endsWith('\0') ? bytes.first(32) : QByteArray();
}

/// The 32 bytes of a SHA-256 in any notation, with or without "sha256:". Empty if invalid.
QByteArray bytesOf(QByteArray text)
{
    static const QRegularExpression hex(u"^[0-9a-fA-F]{64}\\z"_s);
    QByteArray bytes;
    if (text.startsWith("sha256-")) {
        bytes = QByteArray::fromBase64(text.sliced(7));
    } else {
        if (text.startsWith("sha256:"))
            text = text.sliced(7);
        if (text.size() == 52)
            bytes = ofBase32(text);
        else if (hex.match(QString::fromLatin1(text)).hasMatch())
            bytes = QByteArray::fromHex(text);
    }
    return bytes.size() == 32 ? bytes : QByteArray();
}

} // namespace

QByteArrayList notationsOf(const QString &hash)
{
    const QByteArray bytes = bytesOf(hash.toLatin1());
    if (bytes.isEmpty())
        return {};
    QByteArray base32;
    for (int place = 51; place >= 0; --place) {
        const int byte = place * 5 / 8;
        const int bit = place * 5 % 8;
        const auto at = [&bytes](int i) { return i < bytes.size() ? unsigned(uchar(bytes.at(i))) : 0U; };
        base32 += digits.at((at(byte) >> bit | at(byte + 1) << (8 - bit)) & 31U);
    }
    return {"sha256-" + bytes.toBase64(), bytes.toHex(), base32};
}

bool isHash(const QString &text)
{
    static const QRegularExpression form(
        u"^(?:(md5|sha1|sha256|sha512)([-:]))?([0-9A-Za-z+/]+)(=[0-9A-Za-z+/=]*)?\\z"_s);
    const QRegularExpressionMatch match = form.match(text);
    const QByteArray value = match.captured(3).toLatin1();
    const auto consistsOf = [&](QByteArrayView of) {
        return !match.hasCaptured(4) && std::ranges::all_of(value, [of](char c) { return of.contains(c); });
    };
    for (const auto &[name, bytes] : {std::pair("md5"_L1, 16), {"sha1"_L1, 20}, {"sha256"_L1, 32}, {"sha512"_L1, 64}}) {
        if (value.isEmpty() || (match.hasCaptured(1) && match.captured(1) != name))
            continue;
        // Nix reads base 64 up to "=", and leaves out bits that are no whole byte.
        if (match.captured(2) != u':' && value.size() * 6 / 8 == bytes)
            return true;
        if (match.captured(2) != u'-' &&
            ((value.size() == qsizetype(2) * bytes && consistsOf("0123456789abcdefABCDEF")) ||
             (value.size() == (bytes * 8 - 1) / 5 + 1 && consistsOf(digits))))
            return true;
    }
    return false;
}

bool sameHash(const QString &a, const QString &b)
{
    const QByteArray bytes = bytesOf(a.toLatin1());
    return a == b || (!bytes.isEmpty() && bytes == bytesOf(b.toLatin1()));
}

} // namespace tmx
