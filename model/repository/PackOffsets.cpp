// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/PackOffsets.h"

#include "model/base/TerminalText.h"
#include "model/repository/GitError.h"
#include "model/repository/PackIndex.h"

#include <QFile>

#include <sys/stat.h>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

/// Offset where a pack's objects end and its checksum begins. nullopt: the pack does not exist, so libgit2 ignores its
/// index.
std::optional<quint64> endOfObjects(const QByteArray &pack)
{
    struct stat state{};
    if (::stat(pack.constData(), &state) < 0 || !S_ISREG(state.st_mode))
        return std::nullopt;
    return std::max(quint64(state.st_size), idBytes) - idBytes;
}

bool indexIsInside(const PackIndex &index, quint64 end)
{
    for (quint64 i = 0; i < index.names.size; ++i) {
        if (index.offset(i) >= end)
            return false;
    }
    return true;
}

bool multiIndexIsInside(const MultiPackIndex &index, const QByteArray &objects)
{
    const QByteArrayList there = packIndexesIn(objects);
    std::vector<quint64> ends;
    for (const QByteArray &name : index.packs) {
        const QByteArray path = objects + "/pack/" + name;
        std::optional<quint64> least = endOfObjects(packOf(path));
        if (!least)
            return true;                        // libgit2 does not use it
        for (const QByteArray &other : there) { // libgit2 accepts any pack whose name begins so.
            if (const auto end = other.startsWith(path.chopped(4)) ? endOfObjects(packOf(other)) : std::nullopt)
                least = std::min(*least, *end);
        }
        ends.push_back(*least);
    }
    for (quint64 i = 0; i < index.size(); ++i) {
        const quint32 pack = index.pack(i);
        if (pack < ends.size() && index.offset(i) >= ends[pack])
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
        for (const QByteArray &name : packIndexesIn(objects)) {
            const QByteArray pack = packOf(name);
            const std::optional<quint64> endOfPack = endOfObjects(pack);
            const MappedFile file(name);
            if (endOfPack && !indexIsInside(PackIndex::read(file.bytes()), *endOfPack))
                return leadsOutside(name,
                                    Tr::tr("To rebuild it, run: rm -f %1 && git index-pack %2")
                                        .arg(shellWord(QFile::decodeName(name)), shellWord(QFile::decodeName(pack))));
        }
        const QByteArray multi = multiPackIndexIn(objects);
        const MappedFile file(multi);
        if (!multiIndexIsInside(MultiPackIndex::read(file.bytes()), objects))
            return leadsOutside(multi,
                                Tr::tr("git works without it; run: rm -f %1").arg(shellWord(QFile::decodeName(multi))));
    }
    return {};
}

} // namespace tmx
