// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/DiskCache.h"

#include "model/base/AtomicFile.h"
#include "model/base/Preferences.h"
#include "model/base/Translation.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QLocale>
#include <QStandardPaths>

#include <sys/stat.h>
#include <zlib.h>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr QByteArrayView magic = "torch-matrix cache 2\n";
constexpr qsizetype sumBytes = 8;
constexpr QLatin1StringView suffix{".cache"};

/// Against damage, not against forgery: who can write here can write our program's input.
QByteArray checksum(const QByteArray &bytes)
{
    return QByteArray::number(qulonglong(::crc32_z(0, reinterpret_cast<const unsigned char *>(bytes.constData()),
                                                   size_t(bytes.size()))),
                              16)
        .rightJustified(sumBytes, '0');
}

} // namespace

DiskCache::DiskCache(QString folder, qint64 maxBytes)
    : m_folder(std::move(folder))
    , m_maxBytes(maxBytes)
    , m_unlisted(std::make_shared<std::atomic<qint64>>(maxBytes))
{
}

DiskCache DiskCache::forUser(const QString &name)
{
    return DiskCache(QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + u"/torch-matrix/"_s +
                     name);
}

QString DiskCache::pathOf(const QByteArray &key) const
{
    return m_folder + u'/' + QString::fromLatin1(QCryptographicHash::hash(key, QCryptographicHash::Sha256).toHex()) +
           suffix;
}

std::optional<QByteArray> DiskCache::find(const QByteArray &key) const
{
    QFile file(pathOf(key));
    if (!file.open(QIODevice::ReadOnly) || file.size() > m_maxBytes)
        return std::nullopt;
    const QByteArray head = file.read(magic.size() + sumBytes);
    if (!head.startsWith(magic) || head.size() < magic.size() + sumBytes)
        return std::nullopt;
    QByteArray value = file.readAll();
    if (checksum(value) != head.sliced(magic.size()))
        return std::nullopt;
    // Marks it as used, so that it is kept when the cache shrinks.
    ::futimens(file.handle(), nullptr);
    return value;
}

void DiskCache::insert(const QByteArray &key, const QByteArray &value) const
{
    if (value.size() > m_maxBytes / 2)
        return;
    makeRoomFor(value.size());
    QByteArray bytes = magic.toByteArray();
    bytes += checksum(value);
    bytes += value;
    // A failure only means a miss next time.
    (void)writeFileAtomically(pathOf(key), bytes, {}).ok();
}

void DiskCache::makeRoomFor(qint64 bytes) const
{
    // Listing a folder of thousands of files takes longer than writing one of them.
    if (m_unlisted->fetch_add(bytes) + bytes <= m_maxBytes / 8)
        return;
    *m_unlisted = bytes;
    const QFileInfoList files =
        QDir(m_folder).entryInfoList({u'*' + suffix}, QDir::Files | QDir::NoSymLinks, QDir::Time);
    qint64 total = 0;
    for (const QFileInfo &file : files) { // newest first
        total += file.size();
        if (total > m_maxBytes / 2)
            QFile::remove(file.filePath());
    }
}

QByteArray programFingerprint()
{
    QByteArray text = QCoreApplication::applicationVersion().toUtf8() + '\n';
    text += QLocale().name().toUtf8() + ' ' + QLocale().uiLanguages().join(u' ').toUtf8() + '\n';
    // The version of a development build does not change when its rules do.
    const QFileInfo program(QCoreApplication::applicationFilePath());
    text += QByteArray::number(program.size()) + ' ' + QByteArray::number(program.lastModified().toMSecsSinceEpoch()) +
            '\n';
    const Preferences preferences = Preferences::load();
    for (const QString &folder :
         {preferences.usedCatalogFolder(), preferences.usedTemplateFolder(), givenTranslations()}) {
        if (folder.isEmpty())
            continue;
        QStringList paths;
        QDirIterator files(folder, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext())
            paths.append(files.next());
        paths.sort();
        for (const QString &path : std::as_const(paths)) {
            QFile file(path);
            text += path.toUtf8() + ' ';
            if (file.open(QIODevice::ReadOnly))
                text += QCryptographicHash::hash(file.readAll(), QCryptographicHash::Sha1).toHex();
            text += '\n';
        }
    }
    return text;
}

} // namespace tmx
