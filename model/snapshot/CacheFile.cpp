// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/CacheFile.h"

#include "model/snapshot/DiskCache.h"

#include <QCryptographicHash>
#include <QHash>
#include <QMutex>
#include <QtEndian>

#include <algorithm>

namespace tmx {

namespace {

constexpr qsizetype keyBytes = 20;
constexpr qsizetype headBytes = keyBytes + qsizetype(sizeof(quint32));

struct Answer {
    QByteArray value;  ///< compressed
    quint64 asked = 0; ///< when it was last used, as a counter
};

} // namespace

struct CacheFile::Private {
    Private(const QString &folder, qsizetype maxBytes)
        : disk(folder)
        , maxBytes(maxBytes)
    {
    }

    QMutex mutex;
    const DiskCache disk;
    const qsizetype maxBytes;
    bool isRead = false;
    QByteArray fileKey;
    QByteArray file; ///< results that were read point into it
    QHash<QByteArray, Answer> answers;
    qsizetype bytes = 0; ///< size of all results
    quint64 asked = 0;
    qsizetype unsaved = 0;

    void read()
    {
        if (std::exchange(isRead, true) || disk.folder().isEmpty())
            return;
        fileKey = "answers 2\n" + programFingerprint();
        file = disk.find(fileKey).value_or(QByteArray());
        // The most recently used one comes first.
        const quint64 count = quint64(file.size());
        for (qsizetype at = 0; at + headBytes <= file.size();) {
            const qsizetype size = qFromLittleEndian<quint32>(file.constData() + at + keyBytes);
            if (size > file.size() - at - headBytes)
                break;
            add(QByteArray::fromRawData(file.constData() + at, keyBytes),
                {QByteArray::fromRawData(file.constData() + at + headBytes, size), count - quint64(at)});
            at += headBytes + size;
        }
        asked = count;
    }

    void add(const QByteArray &key, const Answer &answer)
    {
        Answer &there = answers[key];
        bytes += headBytes + answer.value.size() - (there.asked > 0 ? headBytes + there.value.size() : 0);
        there = answer;
    }

    /// Keys, the most recently used first; removes entries beyond `most`.
    QList<QByteArray> shrink(qsizetype most)
    {
        QList<std::pair<quint64, QByteArray>> order;
        for (auto it = answers.cbegin(); it != answers.cend(); ++it)
            order.append({it->asked, it.key()});
        std::ranges::sort(order, std::ranges::greater(), &std::pair<quint64, QByteArray>::first);
        QList<QByteArray> keys;
        bytes = 0;
        for (const auto &[when, key] : std::as_const(order)) {
            const qsizetype size = headBytes + answers.value(key).value.size();
            if (bytes + size > most) {
                answers.remove(key);
                continue;
            }
            bytes += size;
            keys.append(key);
        }
        return keys;
    }

    static QByteArray keyOf(const QByteArray &key) { return QCryptographicHash::hash(key, QCryptographicHash::Sha1); }
};

CacheFile::CacheFile(const QString &folder, qsizetype maxBytes)
    : d(std::make_unique<Private>(folder, maxBytes))
{
}

CacheFile::~CacheFile()
{
    save();
}

std::optional<QByteArray> CacheFile::find(const QByteArray &key)
{
    QByteArray packed;
    {
        const QMutexLocker lock(&d->mutex);
        d->read();
        const auto found = d->answers.find(Private::keyOf(key));
        if (found == d->answers.end())
            return std::nullopt;
        found->asked = ++d->asked;
        // A copy, because data in the file must not be used after the file is released.
        packed = QByteArray(found->value.constData(), found->value.size());
    }
    return qUncompress(packed);
}

void CacheFile::insert(const QByteArray &key, const QByteArray &value)
{
    const QByteArray packed = qCompress(value, 1);
    const QMutexLocker lock(&d->mutex);
    d->read();
    if (headBytes + packed.size() > d->maxBytes / 4)
        return;
    d->add(Private::keyOf(key), {packed, ++d->asked});
    ++d->unsaved;
    if (d->bytes > 2 * d->maxBytes)
        d->shrink(d->maxBytes);
}

void CacheFile::save(qsizetype atLeast)
{
    const QMutexLocker lock(&d->mutex);
    // The file is written as a whole: with a quarter of new results each time, the work stays linear.
    const qsizetype enough = atLeast > 1 ? std::max(atLeast, d->answers.size() / 4) : 1;
    if (d->disk.folder().isEmpty() || d->unsaved < enough)
        return;
    QByteArray bytes;
    for (const QByteArray &key : d->shrink(d->maxBytes)) {
        const QByteArray value = d->answers.value(key).value;
        char size[sizeof(quint32)];
        qToLittleEndian(quint32(value.size()), size);
        bytes += key;
        bytes += QByteArrayView(size, sizeof(size));
        bytes += value;
    }
    d->disk.insert(d->fileKey, bytes);
    d->unsaved = 0;
}

} // namespace tmx
