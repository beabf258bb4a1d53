// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/PackChains.h"

#include "model/repository/GitError.h"
#include "model/repository/ObjectFolders.h"
#include "model/repository/PackIndex.h"

#include <QFile>

#include <git2/sys/errors.h>
#include <git2/sys/odb_backend.h>
#include <list>
#include <map>
#include <memory>

namespace tmx {
namespace {

constexpr int afterLooseObjects = 50; // libgit2's own backends have 1 and 2; our reader of loose objects comes before
constexpr int mostDeltas = 10'000;

// Kinds of packed objects (gitformat-pack(5)).
constexpr int deltaByOffset = 6;
constexpr int deltaByName = 7;

struct Pack {
    explicit Pack(const QByteArray &indexPath)
        : index(indexPath)
        , bytes(packOf(indexPath))
        , table(PackIndex::read(index.bytes()))
    {
    }
    MappedFile index;
    MappedFile bytes;
    PackIndex table;
};

struct Multi {
    explicit Multi(const QByteArray &objects)
        : folder(objects + "/pack/")
        , file(multiPackIndexIn(objects))
        , table(MultiPackIndex::read(file.bytes()))
    {
    }
    QByteArray folder;
    MappedFile file;
    MultiPackIndex table;
};

/// Whether libgit2 terminates from there: at a whole object, or at one that it refuses.
bool ends(const Pack &pack, quint64 at)
{
    const auto *bytes = reinterpret_cast<const uchar *>(pack.bytes.bytes().data());
    const auto size = quint64(pack.bytes.bytes().size());
    for (int deltas = 0; deltas < mostDeltas; ++deltas) {
        const quint64 begin = at;
        if (at >= size)
            return true;
        const int kind = (bytes[at] >> 4) & 7;
        while (at < size && (bytes[at] & 0x80)) // More bytes of its size follow.
            ++at;
        ++at;
        if (kind == deltaByName) {
            git_oid base{};
            if (at + idBytes > size || git_oid_fromraw(&base, bytes + at) < 0)
                return true;
            const std::optional<quint64> place = pack.table.names.find(base);
            if (!place)
                return true;
            at = pack.table.offset(*place);
        } else if (kind == deltaByOffset) {
            if (at >= size)
                return true;
            quint64 back = bytes[at] & 0x7f;
            for (; (bytes[at] & 0x80) && at + 1 < size && back < size; ++at)
                back = ((back + 1) << 7) + (bytes[at + 1] & 0x7f);
            if (back == 0 || back >= begin)
                return true;
            at = begin - back;
        } else {
            return true;
        }
    }
    return false;
}

struct ChainReader {
    git_odb_backend backend{};        ///< must be first: libgit2 passes its address back
    std::map<QByteArray, Pack> packs; ///< by path of their index
    std::list<Multi> multis;

    [[nodiscard]] bool endsFrom(const Multi &multi, quint64 place) const
    {
        const quint32 number = multi.table.pack(place);
        if (number >= quint64(multi.table.packs.size()))
            return true;
        // libgit2 accepts any pack whose name begins so.
        const QByteArray name = (multi.folder + multi.table.packs.at(number)).chopped(4);
        bool good = true;
        for (auto pack = packs.lower_bound(name); pack != packs.end() && pack->first.startsWith(name); ++pack)
            good = good && ends(pack->second, multi.table.offset(place));
        return good;
    }
    /// GIT_ENOTFOUND: the next backend is asked.
    [[nodiscard]] int check(const git_oid &id, size_t digits = GIT_OID_SHA1_HEXSIZE) const
    {
        bool good = true;
        for (const auto &[path, pack] : packs) {
            const std::optional<quint64> place = pack.table.names.find(id, digits);
            good = good && (!place || ends(pack, pack.table.offset(*place)));
        }
        for (const Multi &multi : multis) {
            const std::optional<quint64> place = multi.table.names.find(id, digits);
            good = good && (!place || endsFrom(multi, *place));
        }
        if (good)
            return GIT_ENOTFOUND;
        const QByteArray text = "the object " + toHex(id).toLatin1() + " is damaged: its deltas have no end";
        git_error_set_str(GIT_ERROR_ODB, text.constData());
        return GIT_ERROR;
    }
};

const ChainReader &readerOf(const git_odb_backend *backend)
{
    return *reinterpret_cast<const ChainReader *>(backend);
}

} // namespace

void refuseEndlessDeltas(git_odb *odb, const QString &objects)
{
    const Result<QByteArrayList> folders = objectFolders(QFile::encodeName(objects));
    auto reader = std::make_unique<ChainReader>();
    if (!folders || git_odb_init_backend(&reader->backend, GIT_ODB_BACKEND_VERSION) < 0)
        return;
    for (const QByteArray &folder : *folders) {
        for (const QByteArray &index : packIndexesIn(folder))
            reader->packs.try_emplace(index, index);
        reader->multis.emplace_back(folder);
    }
    reader->backend.read = [](void **, size_t *, git_object_t *, git_odb_backend *backend, const git_oid *id) {
        return readerOf(backend).check(*id);
    };
    reader->backend.read_header = [](size_t *, git_object_t *, git_odb_backend *backend, const git_oid *id) {
        return readerOf(backend).check(*id);
    };
    reader->backend.read_prefix = [](git_oid *, void **, size_t *, git_object_t *, git_odb_backend *backend,
                                     const git_oid *id, size_t digits) { return readerOf(backend).check(*id, digits); };
    reader->backend.free = [](git_odb_backend *backend) {
        const std::unique_ptr<ChainReader> owned(reinterpret_cast<ChainReader *>(backend));
    };
    if (git_odb_add_backend(odb, &reader->backend, afterLooseObjects) == 0) {
        [[maybe_unused]] const ChainReader *theirs = reader.release(); // the odb takes ownership
    }
}

} // namespace tmx
