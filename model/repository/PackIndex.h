// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/MappedFile.h"

#include <QByteArrayList>

#include <git2/oid.h>
#include <optional>

namespace tmx {

/// Bytes of an object's name: libgit2 reads repositories with SHA-1 names only.
constexpr quint64 idBytes = 20;

/// Names of objects as an index has them: counts by the first byte, then the names in their order.
struct ObjectNames {
    const char *counts = nullptr; ///< 256 of them
    const char *first = nullptr;
    quint64 stride = idBytes; ///< from a name to the next
    quint64 size = 0;

    /// Place of the name that begins with the `digits` first hexadecimal digits of `id`. Looks where libgit2 looks,
    /// so that both find the same in a table that is not in order.
    [[nodiscard]] std::optional<quint64> find(const git_oid &id, size_t digits = GIT_OID_SHA1_HEXSIZE) const;
};

/// Offsets of 64 bits, which those of 32 name by their number and the high bit.
struct LargeOffsets {
    const char *table = nullptr; ///< nullptr: the high bit has no meaning
    quint64 size = 0;

    /// The offset; where there is none of that number, one that lies outside every pack.
    [[nodiscard]] quint64 resolve(quint32 offset) const;
};

/// A pack index, version 1 or 2 (gitformat-pack(5)).
struct PackIndex {
    ObjectNames names;
    const char *offsets = nullptr;
    quint64 stride = 4; ///< from an offset to the next
    LargeOffsets large;

    /// Without names where libgit2 refuses to read it. The bytes outlive it.
    static PackIndex read(QByteArrayView bytes);
    [[nodiscard]] quint64 offset(quint64 place) const;
};

/// A multi-pack-index.
struct MultiPackIndex {
    ObjectNames names;
    QByteArrayView offsets; ///< of an object 8 bytes: the number of its pack, and where it begins
    LargeOffsets large;
    QByteArrayList packs; ///< names of their indexes; empty where libgit2 does not use it

    /// Without names where libgit2 refuses to read it. The bytes outlive it.
    static MultiPackIndex read(QByteArrayView bytes);
    [[nodiscard]] quint64 size() const { return quint64(offsets.size()) / 8; }
    [[nodiscard]] quint32 pack(quint64 place) const;
    [[nodiscard]] quint64 offset(quint64 place) const;
};

/// Paths of the pack indexes in a folder of objects.
QByteArrayList packIndexesIn(const QByteArray &objects);
/// Path of the pack of an index.
QByteArray packOf(const QByteArray &index);
/// Path of the multi-pack-index of a folder of objects.
QByteArray multiPackIndexIn(const QByteArray &objects);

} // namespace tmx
