// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/LooseObjects.h"

#include "model/git/GitError.h"
#include "model/git/ObjectFolders.h"

#include <QByteArray>
#include <QFile>
#include <QScopeGuard>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <git2/sys/errors.h>
#include <git2/sys/odb_backend.h>
#include <memory>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

constexpr int beforePacks = 100; // libgit2's own backends have 1 and 2
constexpr size_t longestHeader = 32;

struct LooseReader {
    git_odb_backend backend{}; ///< must be first: libgit2 passes its address back
    QString objects;
};

int damaged(const QString &path)
{
    const QByteArray text = "the object " + QFile::encodeName(path) + " is damaged";
    git_error_set_str(GIT_ERROR_ODB, text.constData());
    return GIT_ERROR;
}

/// Of the system call that just failed.
int unreadable(const QString &path)
{
    const QByteArray text = "the object " + QFile::encodeName(path) + " cannot be read: " + std::strerror(errno);
    git_error_set_str(GIT_ERROR_OS, text.constData());
    return GIT_ERROR;
}

/// The zlib stream of one object: its header and content.
class Inflation
{
public:
    explicit Inflation(const QByteArray &packed)
    {
        m_stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.constData()));
        m_stream.avail_in = uInt(packed.size());
        m_good = inflateInit(&m_stream) == Z_OK;
    }
    ~Inflation() { inflateEnd(&m_stream); }
    Q_DISABLE_COPY_MOVE(Inflation)

    /// Returns the number of bytes read, at most `size`. `ended`: the stream is complete.
    size_t read(char *to, size_t size, bool &ended)
    {
        m_stream.next_out = reinterpret_cast<Bytef *>(to);
        m_stream.avail_out = uInt(size);
        int rc = m_good ? Z_OK : Z_DATA_ERROR;
        for (uInt before = 1;
             rc == Z_OK && m_stream.avail_out > 0 && before != m_stream.avail_in + m_stream.avail_out;) {
            before = m_stream.avail_in + m_stream.avail_out;
            rc = inflate(&m_stream, Z_SYNC_FLUSH);
        }
        ended = rc == Z_STREAM_END;
        return size - m_stream.avail_out;
    }

private:
    z_stream m_stream{};
    bool m_good = false;
};

/// `buffer` nullptr: reads only the header.
int readObject(void **buffer, size_t *size, git_object_t *type, git_odb_backend *backend, const git_oid *id)
{
    const auto *reader = reinterpret_cast<const LooseReader *>(backend);
    const QString name = toHex(*id);
    const QString path = reader->objects + u'/' + name.left(2) + u'/' + name.mid(2);
    struct stat info{};
    const int fd = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return GIT_ENOTFOUND;
    const auto close = qScopeGuard([fd] { ::close(fd); });
    if (::fstat(fd, &info) != 0)
        return unreadable(path);
    if (!S_ISREG(info.st_mode))
        return damaged(path);
    if (buffer && isTooMuch(quint64(info.st_size)))
        return GIT_ERROR;
    QByteArray packed(buffer ? info.st_size : std::min<qsizetype>(info.st_size, 1024), Qt::Uninitialized);
    for (qsizetype done = 0; done < packed.size();) {
        const ssize_t n = ::read(fd, packed.data() + done, size_t(packed.size() - done));
        if (n == 0)
            return damaged(path);
        if (n < 0 && errno != EINTR)
            return unreadable(path);
        done += std::max<ssize_t>(n, 0);
    }
    Inflation inflation(packed);
    std::array<char, longestHeader> begin{};
    bool ended = false;
    const size_t come = inflation.read(begin.data(), begin.size(), ended);
    // "blob 123\0"
    const std::string_view all(begin.data(), come);
    const std::string_view header = all.substr(0, all.find('\0'));
    const size_t blank = header.find(' ');
    if (header.size() == all.size() || blank == std::string_view::npos)
        return damaged(path);
    *type = git_object_string2type(std::string(header.substr(0, blank)).c_str());
    const std::string_view digits = header.substr(blank + 1);
    const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), *size);
    if (*type == GIT_OBJECT_INVALID || digits.empty() || wrong != std::errc() || end != digits.data() + digits.size())
        return damaged(path);
    if (!buffer)
        return 0;
    const size_t first = come - header.size() - 1;
    auto *bytes = static_cast<char *>(git_odb_backend_data_alloc(backend, *size + 1)); // 1: reach the end
    if (!bytes)
        return GIT_ERROR;
    std::copy_n(begin.data() + header.size() + 1, std::min(first, *size), bytes);
    size_t total = first;
    if (!ended && first <= *size)
        total += inflation.read(bytes + first, *size + 1 - first, ended);
    if (!ended || total != *size) {
        git_odb_backend_data_free(backend, bytes);
        return damaged(path);
    }
    bytes[*size] = '\0';
    *buffer = bytes;
    return 0;
}

int readWhole(void **buffer, size_t *size, git_object_t *type, git_odb_backend *backend, const git_oid *id)
{
    return readObject(buffer, size, type, backend, id);
}

int readHeader(size_t *size, git_object_t *type, git_odb_backend *backend, const git_oid *id)
{
    return readObject(nullptr, size, type, backend, id);
}

void addReader(git_odb *odb, const QString &objects)
{
    auto reader = std::make_unique<LooseReader>();
    if (git_odb_init_backend(&reader->backend, GIT_ODB_BACKEND_VERSION) < 0)
        return;
    reader->objects = objects;
    reader->backend.read = readWhole;
    reader->backend.read_header = readHeader;
    reader->backend.free = [](git_odb_backend *backend) {
        const std::unique_ptr<LooseReader> owned(reinterpret_cast<LooseReader *>(backend));
    };
    if (git_odb_add_backend(odb, &reader->backend, beforePacks) == 0) {
        [[maybe_unused]] const LooseReader *theirs = reader.release(); // the odb takes ownership
    }
}

} // namespace

void readLooseObjectsFirst(git_odb *odb, const QString &objects)
{
    const Result<QByteArrayList> folders = objectFolders(QFile::encodeName(objects));
    if (!folders)
        return;
    for (const QByteArray &folder : *folders)
        addReader(odb, QFile::decodeName(folder));
}

} // namespace tmx
