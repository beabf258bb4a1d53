// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/SettingsTable.h"

#include <QCryptographicHash>
#include <QDataStream>
#include <QIODevice>

namespace tmx {

/// Serialises values for results that are kept on disk, and for their keys.

inline QDataStream &operator<<(QDataStream &out, const Variant &variant)
{
    return out << variant.family << variant.python << variant.cuda << variant.row << variant.isa << variant.rest;
}
inline QDataStream &operator>>(QDataStream &in, Variant &variant)
{
    return in >> variant.family >> variant.python >> variant.cuda >> variant.row >> variant.isa >> variant.rest;
}

/// Everything except its cells.
inline QDataStream &operator<<(QDataStream &out, const Profile &profile)
{
    for (const Setting &setting : settingsTable()) {
        if (setting.scope != Setting::Templates) // its value is that of "template"
            out << setting.value(profile);
    }
    return out;
}

inline QDataStream &operator<<(QDataStream &out, const Settings &settings)
{
    out << settings.branch << int(settings.source) << settings.smRows << settings.flags;
    for (auto it = settings.profiles.cbegin(); it != settings.profiles.cend(); ++it) {
        out << it.key().family << it.key().python << it.key().build << *it;
        for (const GridCell &cell : it->cells)
            out << cell.row << cell.isa << cell.rest;
    }
    for (auto it = settings.learned.cbegin(); it != settings.learned.cend(); ++it)
        out << it.key().family << it.key().python << it.key().build << *it;
    for (const IgnoredRule &ignored : settings.ignored)
        out << ignored.rule << ignored.recipes << ignored.reason;
    return out;
}

template <class... Fields>
QByteArray asBytes(const Fields &...fields)
{
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    (out << ... << fields);
    return bytes;
}

/// 20 bytes. BLAKE2b takes less time than SHA-1.
inline QByteArray digestOf(const QByteArray &bytes)
{
    return QCryptographicHash::hash(bytes, QCryptographicHash::Blake2b_160);
}

/// Independent of the order.
inline QByteArray digestOf(const QHash<QString, QByteArray> &texts)
{
    QStringList names = texts.keys();
    names.sort();
    QByteArray bytes;
    for (const QString &name : std::as_const(names))
        bytes += asBytes(name, digestOf(texts.value(name)));
    return digestOf(bytes);
}

} // namespace tmx
