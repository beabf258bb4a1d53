// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/PackIndex.h"

#include <QtEndian>

#include <cstring>
#include <filesystem>
#include <tuple>

namespace tmx {
namespace {

constexpr quint64 countsBytes = quint64(256) * 4;
constexpr quint32 indexSignature = 0xff744f63;
constexpr quint32 highBit = 0x80000000;
constexpr quint64 outside = ~quint64(0);

quint32 numberAt(const char *place)
{
    return qFromBigEndian<quint32>(place);
}

} // namespace

std::optional<quint64> ObjectNames::find(const git_oid &id, size_t digits) const
{
    if (size == 0)
        return std::nullopt;
    const quint8 head = id.id[0];
    quint64 low = head == 0 ? 0 : numberAt(counts + (quint64(head) - 1) * 4);
    quint64 high = numberAt(counts + quint64(head) * 4);
    if (high > size)
        return std::nullopt;
    while (low < high) {
        const quint64 middle = (low + high) / 2;
        const int order = memcmp(first + middle * stride, id.id, idBytes);
        if (order == 0)
            return middle;
        (order > 0 ? high : low) = order > 0 ? middle : middle + 1;
    }
    git_oid there{};
    if (low >= size || git_oid_fromraw(&there, reinterpret_cast<const uchar *>(first + low * stride)) < 0 ||
        git_oid_ncmp(&id, &there, digits) != 0)
        return std::nullopt;
    return low;
}

quint64 LargeOffsets::resolve(quint32 offset) const
{
    if (!table || !(offset & highBit))
        return offset;
    const quint64 number = offset & ~highBit;
    return number < size ? qFromBigEndian<quint64>(table + number * 8) : outside;
}

PackIndex PackIndex::read(QByteArrayView bytes)
{
    const char *begin = bytes.data();
    const auto size = quint64(bytes.size());
    if (size < countsBytes + 2 * idBytes)
        return {};
    if (numberAt(begin) != indexSignature) { // version 1
        constexpr quint64 row = 4 + idBytes;
        const quint64 count = numberAt(begin + countsBytes - 4);
        if (size != countsBytes + count * row + 2 * idBytes)
            return {};
        return {{begin, begin + countsBytes + 4, row, count}, begin + countsBytes, row, {}};
    }
    constexpr quint64 head = 8 + countsBytes;
    constexpr quint64 row = idBytes + 4 + 4; // id, CRC and offset, each in its own table
    if (size < head + 2 * idBytes || numberAt(begin + 4) != 2)
        return {};
    const quint64 count = numberAt(begin + head - 4);
    const quint64 least = head + count * row + 2 * idBytes;
    if (size < least)
        return {};
    const char *offsets = begin + head + count * (idBytes + 4);
    return {{begin + 8, begin + head, idBytes, count}, offsets, 4, {offsets + count * 4, (size - least) / 8}};
}

quint64 PackIndex::offset(quint64 place) const
{
    return large.resolve(numberAt(offsets + place * stride));
}

MultiPackIndex MultiPackIndex::read(QByteArrayView bytes)
{
    constexpr quint64 head = 12;
    constexpr quint64 row = 12; // an entry of the table of chunks: id, offset
    const char *begin = bytes.data();
    if (quint64(bytes.size()) < head + idBytes || !bytes.startsWith("MIDX"))
        return {};
    const quint64 chunks = quint8(begin[6]);
    const quint64 end = quint64(bytes.size()) - idBytes;
    quint64 before = head + (chunks + 1) * row;
    if (end < before)
        return {};
    MultiPackIndex index;
    QByteArrayView packs;
    for (quint64 i = 0; i < chunks; ++i) {
        const char *at = begin + head + i * row;
        const auto from = qFromBigEndian<quint64>(at + 4);
        const quint64 to = i + 1 < chunks ? qFromBigEndian<quint64>(at + row + 4) : end;
        if (from < before || to < from || to > end)
            return {};
        before = from;
        const QByteArrayView chunk = bytes.sliced(qsizetype(from), qsizetype(to - from));
        const QByteArrayView name(at, 4);
        if (name == "PNAM")
            packs = chunk;
        else if (name == "OIDF" && quint64(chunk.size()) >= countsBytes)
            index.names.counts = chunk.data();
        else if (name == "OIDL")
            std::tie(index.names.first, index.names.size) = std::pair(chunk.data(), quint64(chunk.size()) / idBytes);
        else if (name == "OOFF")
            index.offsets = chunk;
        else if (name == "LOFF" && !chunk.isEmpty())
            index.large = {chunk.data(), quint64(chunk.size()) / 8};
    }
    if (!index.names.counts || index.names.size > index.size())
        index.names = {};
    for (quint32 count = numberAt(begin + 8); count > 0; --count) {
        const qsizetype length = packs.indexOf('\0');
        const QByteArray name = packs.first(std::max<qsizetype>(length, 0)).toByteArray();
        const bool inOrder = index.packs.isEmpty() || index.packs.constLast() < name;
        if (name.size() <= 4 || !name.endsWith(".idx") || !inOrder) {
            index.packs.clear();
            break;
        }
        index.packs.append(name);
        packs = packs.sliced(length + 1);
    }
    return index;
}

quint32 MultiPackIndex::pack(quint64 place) const
{
    return numberAt(offsets.data() + place * 8);
}

quint64 MultiPackIndex::offset(quint64 place) const
{
    return large.resolve(numberAt(offsets.data() + place * 8 + 4));
}

QByteArrayList packIndexesIn(const QByteArray &objects)
{
    QByteArrayList found;
    std::error_code wrong;
    for (std::filesystem::directory_iterator file((objects + "/pack").toStdString(), wrong), end; !wrong && file != end;
         file.increment(wrong)) {
        const auto name = QByteArray::fromStdString(file->path().native());
        if (name.endsWith(".idx"))
            found.append(name);
    }
    return found;
}

QByteArray packOf(const QByteArray &index)
{
    return index.chopped(4) + ".pack";
}

QByteArray multiPackIndexIn(const QByteArray &objects)
{
    return objects + "/pack/multi-pack-index";
}

} // namespace tmx
