// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/log/PackedLog.h"

#include "model/base/Tr.h"

#include <QFile>
#include <QFileInfo>
#include <QtEndian>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qint64 packedPieceBytes = 1024 * 1024;
constexpr qint64 mostOfMember = 2 * packedPieceBytes; ///< deflate's output for a piece is never larger
constexpr qint64 headerBytes = 20;                    ///< 10 bytes of gzip's header, 2 of the extra field's length, 8
                                                      ///< of the field
constexpr qint64 trailerBytes = 8;                    ///< CRC-32 and length of the text
constexpr uchar magic[] = {0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 8, 0, 'T', 'M', 4, 0};
constexpr int level = 6;

/// One gzip member of the file. The extra field "TM" in its header has the length of the whole member.
struct Member {
    qint64 place = 0;  ///< offset in the file
    qint64 length = 0; ///< length in the file
    qint64 start = 0;  ///< offset of its text
    qint64 size = 0;   ///< size of its text
};

class PackedLog : public QIODevice
{
public:
    explicit PackedLog(const QString &path)
        : m_file(path)
    {
    }
    bool open(OpenMode mode) override;
    [[nodiscard]] qint64 size() const override
    {
        return m_members.isEmpty() ? 0 : m_members.constLast().start + m_members.constLast().size;
    }

protected:
    qint64 readData(char *data, qint64 most) override;
    qint64 writeData(const char *, qint64) override { return -1; }

private:
    bool unpack(qsizetype member);

    QFile m_file;
    QList<Member> m_members;
    QByteArray m_text; ///< text of member m_unpacked
    qsizetype m_unpacked = -1;
};

/// The log ends at data that is not such a member: the rest of a damaged file is left out.
bool PackedLog::open(OpenMode mode)
{
    if (!m_file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return false;
    Member member;
    uchar header[headerBytes];
    uchar size[4];
    for (;;) {
        member.place += member.length;
        member.start += member.size;
        if (!m_file.seek(member.place) || m_file.read(reinterpret_cast<char *>(header), headerBytes) != headerBytes ||
            std::memcmp(header, magic, sizeof magic) != 0)
            break;
        member.length = qFromLittleEndian<quint32>(header + sizeof magic);
        if (member.length <= headerBytes + trailerBytes || member.length > mostOfMember ||
            !m_file.seek(member.place + member.length - 4) || m_file.read(reinterpret_cast<char *>(size), 4) != 4)
            break;
        member.size = qFromLittleEndian<quint32>(size);
        if (member.size > packedPieceBytes)
            break;
        m_members.append(member);
    }
    return QIODevice::open(mode);
}

bool PackedLog::unpack(qsizetype number)
{
    if (number == m_unpacked)
        return true;
    m_unpacked = -1;
    const Member &member = m_members.at(number);
    QByteArray packed = m_file.seek(member.place) ? m_file.read(member.length) : QByteArray();
    if (packed.size() != member.length)
        return false;
    m_text.resize(member.size);
    z_stream stream = {};
    stream.next_in = reinterpret_cast<Bytef *>(packed.data());
    stream.avail_in = uInt(packed.size());
    stream.next_out = reinterpret_cast<Bytef *>(m_text.data());
    stream.avail_out = uInt(m_text.size());
    if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK)
        return false;
    const bool whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0; // It checks the CRC.
    inflateEnd(&stream);
    if (whole)
        m_unpacked = number;
    return whole;
}

qint64 PackedLog::readData(char *data, qint64 most)
{
    qint64 read = 0;
    while (read < most) {
        const qint64 at = pos() + read;
        if (at >= size())
            break;
        // In an intact file every member but the last has the same size.
        const auto after = std::upper_bound(m_members.constBegin(), m_members.constEnd(), at,
                                            [](qint64 offset, const Member &member) { return offset < member.start; });
        const qsizetype number = after - m_members.constBegin() - 1;
        if (!unpack(number))
            return read > 0 ? read : -1;
        const qint64 from = at - m_members.at(number).start;
        const qint64 count = std::min(most - read, m_text.size() - from);
        std::memcpy(data + read, m_text.constData() + from, size_t(count));
        read += count;
    }
    return read;
}

/// A gzip member of a text of at most packedPieceBytes; empty if zlib failed.
QByteArray packed(const QByteArray &text)
{
    z_stream stream = {};
    if (deflateInit2(&stream, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return {};
    QByteArray member(headerBytes + qint64(deflateBound(&stream, uLong(text.size()))) + trailerBytes,
                      Qt::Uninitialized);
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.constData()));
    stream.avail_in = uInt(text.size());
    stream.next_out = reinterpret_cast<Bytef *>(member.data() + headerBytes);
    stream.avail_out = uInt(member.size() - headerBytes - trailerBytes);
    const bool whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    const qint64 length = headerBytes + qint64(stream.total_out) + trailerBytes;
    deflateEnd(&stream);
    if (!whole)
        return {};
    member.truncate(length);
    auto *bytes = reinterpret_cast<uchar *>(member.data());
    std::memcpy(bytes, magic, sizeof magic);
    qToLittleEndian(quint32(length), bytes + sizeof magic);
    const uLong crc = crc32(0, reinterpret_cast<const Bytef *>(text.constData()), uInt(text.size()));
    qToLittleEndian(quint32(crc), bytes + length - trailerBytes);
    qToLittleEndian(quint32(text.size()), bytes + length - 4);
    return member;
}

} // namespace

QString packedPath(const QString &log)
{
    return log + u".gz"_s;
}

std::unique_ptr<QIODevice> openLog(const QString &log)
{
    auto plain = std::make_unique<QFile>(log);
    // A pipe in its place would block.
    if (QFileInfo(log).isFile() && plain->open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return plain;
    auto small = std::make_unique<PackedLog>(packedPath(log));
    if (small->open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return small;
    return {};
}

QString storedLog(const QString &log)
{
    return QFile::exists(log) ? log : QFile::exists(packedPath(log)) ? packedPath(log) : QString();
}

Result<void> packLog(const QString &log)
{
    const QString draft = packedPath(log) + u".part"_s;
    const auto failed = [&](const QString &why) {
        QFile::remove(draft);
        return Error{Tr::tr("compress the log"), log, why, {}};
    };
    QFile from(log);
    QFile to(draft);
    if (!from.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return failed(from.errorString());
    if (!to.open(QIODevice::WriteOnly | QIODevice::Truncate | QIODevice::Unbuffered))
        return failed(to.errorString());
    QByteArray text;
    do { // An empty log gets a member too: gzip reports a file without one as damaged.
        text = from.read(packedPieceBytes);
        const QByteArray member = from.error() == QFileDevice::NoError ? packed(text) : QByteArray();
        if (member.isEmpty())
            return failed(from.errorString());
        if (to.write(member) != member.size())
            return failed(to.errorString());
    } while (text.size() == packedPieceBytes);
    // Sync to disk before renaming; only then is the plain log removed.
    if (::fsync(to.handle()) != 0)
        return failed(qt_error_string(errno));
    to.close();
    if (PackedLog small(draft); !small.open(QIODevice::ReadOnly | QIODevice::Unbuffered) || small.size() != from.size())
        return failed(Tr::tr("its compressed copy cannot be read"));
    if (::rename(QFile::encodeName(draft).constData(), QFile::encodeName(packedPath(log)).constData()) != 0)
        return failed(qt_error_string(errno));
    if (!from.remove())
        return Error{Tr::tr("compress the log"), log, from.errorString(), {}};
    return {};
}

bool copyLog(const QString &log, const QString &to)
{
    const std::unique_ptr<QIODevice> from = openLog(log);
    QFile file(to);
    if (!from || !file.open(QIODevice::WriteOnly | QIODevice::NewOnly))
        return false;
    QByteArray bytes;
    while (!(bytes = from->read(packedPieceBytes)).isEmpty()) {
        if (file.write(bytes) != bytes.size())
            return false;
    }
    return file.flush() && from->pos() == from->size();
}

} // namespace tmx
