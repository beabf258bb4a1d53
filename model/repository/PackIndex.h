// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/MappedFile.h"

#include <QByteArrayList>

#include <git2/oid.h>
#include <optional>

namespace tmx {

/// Bytes of an object id: libgit2 reads only SHA-1 repositories.
constexpr quint64 idBytes = 20;

/// Object ids in an index: counts by first byte, then the sorted ids.
struct ObjectNames {
    const char *counts = nullptr; ///< 256 of them
    const char *first = nullptr;
    quint64 stride = idBytes; ///< from one id to the next
    quint64 size = 0;

    /// Position of the id that begins with the first `digits` hexadecimal digits of `id`. Searches like libgit2, so
    /// that both find the same in an unsorted table.
    [[nodiscard]] std::optional<quint64> find(const git_oid &id, size_t digits = GIT_OID_SHA1_HEXSIZE) const;
};

/// 64-bit offsets. A 32-bit offset with the high bit set is an index into them.
struct LargeOffsets {
    const char *table = nullptr; ///< nullptr: the high bit has no special meaning
    quint64 size = 0;

    /// The offset; if the index is invalid, one outside every pack.
    [[nodiscard]] quint64 resolve(quint32 offset) const;
};

/// A pack index, version 1 or 2 (gitformat-pack(5)).
struct PackIndex {
    ObjectNames names;
    const char *offsets = nullptr;
    quint64 stride = 4; ///< from one offset to the next
    LargeOffsets large;

    /// Has no ids if libgit2 refuses to read it. `bytes` must outlive it.
    static PackIndex read(QByteArrayView bytes);
    [[nodiscard]] quint64 offset(quint64 place) const;
};

/// A multi-pack-index.
struct MultiPackIndex {
    ObjectNames names;
    QByteArrayView offsets; ///< 8 bytes per object: the number of its pack, and its offset
    LargeOffsets large;
    QByteArrayList packs; ///< names of their indexes; empty if libgit2 does not use the file

    /// Has no ids if libgit2 refuses to read it. `bytes` must outlive it.
    static MultiPackIndex read(QByteArrayView bytes);
    [[nodiscard]] quint64 size() const { return quint64(offsets.size()) / 8; }
    [[nodiscard]] quint32 pack(quint64 place) const;
    [[nodiscard]] quint64 offset(quint64 place) const;
};

/// Paths of the pack indexes in an object folder.
QByteArrayList packIndexesIn(const QByteArray &objects);
/// Path of the pack that belongs to an index.
QByteArray packOf(const QByteArray &index);
/// Path of the multi-pack-index of an object folder.
QByteArray multiPackIndexIn(const QByteArray &objects);

} // namespace tmx
