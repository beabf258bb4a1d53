// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/PackOffsets.h"

#include "model/base/TerminalText.h"
#include "model/repository/GitError.h"
#include "model/repository/MappedFile.h"

#include <QFile>
#include <QtEndian>

#include <filesystem>
#include <sys/stat.h>
#include <vector>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

// gitformat-pack(5). libgit2 reads repositories with SHA-1 names only.
constexpr quint64 idBytes = 20;
constexpr quint64 fanOutBytes = quint64(256) * 4;
constexpr quint32 indexSignature = 0xff744f63;
constexpr quint32 highBit = 0x80000000;
constexpr quint64 outside = ~quint64(0);

quint32 numberAt(const char *place)
{
    return qFromBigEndian<quint32>(place);
}

/// Where the objects of a pack end: its checksum follows. nullopt: there is no such pack, and libgit2 leaves out its
/// index.
std::optional<quint64> endOfObjects(const QByteArray &pack)
{
    struct stat state{};
    if (::stat(pack.constData(), &state) < 0 || !S_ISREG(state.st_mode))
        return std::nullopt;
    return std::max(quint64(state.st_size), idBytes) - idBytes;
}

/// Offsets of 64 bits, which those of 32 name by their number and the high bit.
struct LargeOffsets {
    const char *table = nullptr; ///< nullptr: the high bit has no meaning
    quint64 count = 0;

    [[nodiscard]] quint64 resolve(quint32 offset) const
    {
        if (!table || !(offset & highBit))
            return offset;
        const quint64 number = offset & ~highBit;
        return number < count ? qFromBigEndian<quint64>(table + number * 8) : outside;
    }
};

/// Whether `count` offsets, each `stride` bytes after the one before, lie before `end`.
bool areInside(const char *table, quint64 stride, quint64 count, const LargeOffsets &large, quint64 end)
{
    for (quint64 i = 0; i < count; ++i) {
        if (large.resolve(numberAt(table + i * stride)) >= end)
            return false;
    }
    return true;
}

bool indexIsInside(QByteArrayView index, quint64 end)
{
    const char *begin = index.data();
    const auto size = quint64(index.size());
    if (size < fanOutBytes + 2 * idBytes)
        return true;
    if (numberAt(begin) != indexSignature) { // version 1
        constexpr quint64 row = 4 + idBytes;
        const quint64 count = numberAt(begin + fanOutBytes - 4);
        return size != fanOutBytes + count * row + 2 * idBytes || areInside(begin + fanOutBytes, row, count, {}, end);
    }
    constexpr quint64 head = 8 + fanOutBytes;
    constexpr quint64 row = idBytes + 4 + 4; // name, CRC and offset, in a table each
    if (size < head + 2 * idBytes || numberAt(begin + 4) != 2)
        return true;
    const quint64 count = numberAt(begin + head - 4);
    const quint64 least = head + count * row + 2 * idBytes;
    if (size < least)
        return true;
    const char *offsets = begin + head + count * (idBytes + 4);
    return areInside(offsets, 4, count, {offsets + count * 4, (size - least) / 8}, end);
}

/// The packs of a multi-pack-index, by the names of their indexes: where the objects of each end. Empty: libgit2 does
/// not use it.
std::vector<quint64> endsOfPacks(QByteArrayView names, quint32 count, const QByteArray &folder)
{
    std::vector<quint64> ends;
    while (ends.size() < count) {
        const qsizetype length = names.indexOf('\0');
        if (length <= 4)
            return {};
        const std::optional<quint64> end = endOfObjects(folder + '/' + names.first(length - 4).toByteArray() + ".pack");
        if (!end)
            return {};
        ends.push_back(*end);
        names = names.sliced(length + 1);
    }
    return ends;
}

bool multiIndexIsInside(QByteArrayView index, const QByteArray &folder)
{
    constexpr quint64 head = 12;
    constexpr quint64 row = 12; // of the table of chunks: name, place
    const char *begin = index.data();
    if (quint64(index.size()) < head + idBytes || !index.startsWith("MIDX"))
        return true;
    const quint64 chunks = quint8(begin[6]);
    const quint64 end = quint64(index.size()) - idBytes;
    quint64 before = head + (chunks + 1) * row;
    if (end < before)
        return true;
    QByteArrayView names;
    QByteArrayView offsets;
    QByteArrayView large;
    for (quint64 i = 0; i < chunks; ++i) {
        const char *at = begin + head + i * row;
        const auto from = qFromBigEndian<quint64>(at + 4);
        const quint64 to = i + 1 < chunks ? qFromBigEndian<quint64>(at + row + 4) : end;
        if (from < before || to < from || to > end)
            return true;
        before = from;
        const QByteArrayView chunk = index.sliced(qsizetype(from), qsizetype(to - from));
        const QByteArrayView name(at, 4);
        if (name == "PNAM")
            names = chunk;
        else if (name == "OOFF")
            offsets = chunk;
        else if (name == "LOFF")
            large = chunk;
    }
    const std::vector<quint64> ends = endsOfPacks(names, numberAt(begin + 8), folder);
    const LargeOffsets table{large.isEmpty() ? nullptr : large.data(), quint64(large.size()) / 8};
    for (qsizetype at = 0; at + 8 <= offsets.size(); at += 8) {
        const quint32 pack = numberAt(offsets.data() + at);
        if (pack < ends.size() && table.resolve(numberAt(offsets.data() + at + 4)) >= ends[pack])
            return false;
    }
    return true;
}

Error leadsOutside(const QByteArray &index, const QString &remedy)
{
    return {Tr::tr("read the pack index"), QFile::decodeName(index), Tr::tr("it is damaged and leads outside its pack"),
            remedy};
}

} // namespace

Result<void> checkPackOffsets(const QByteArrayList &folders)
{
    for (const QByteArray &objects : folders) {
        const QByteArray folder = objects + "/pack";
        std::error_code wrong;
        for (std::filesystem::directory_iterator file(folder.toStdString(), wrong), end; !wrong && file != end;
             file.increment(wrong)) {
            const auto name = QByteArray::fromStdString(file->path().native());
            if (!name.endsWith(".idx"))
                continue;
            const QByteArray pack = name.chopped(4) + ".pack";
            const std::optional<quint64> endOfPack = endOfObjects(pack);
            if (endOfPack && !indexIsInside(MappedFile(name).bytes(), *endOfPack))
                return leadsOutside(name,
                                    Tr::tr("To rebuild it, run: rm -f %1 && git index-pack %2")
                                        .arg(shellWord(QFile::decodeName(name)), shellWord(QFile::decodeName(pack))));
        }
        const QByteArray multi = folder + "/multi-pack-index";
        if (!multiIndexIsInside(MappedFile(multi).bytes(), folder))
            return leadsOutside(multi,
                                Tr::tr("git works without it; run: rm -f %1").arg(shellWord(QFile::decodeName(multi))));
    }
    return {};
}

} // namespace tmx
