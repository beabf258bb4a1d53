// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace tmx {

/// The bytes of a regular file, mapped for reading as long as this object exists; empty if it is not a regular file or
/// cannot be read.
class MappedFile
{
public:
    explicit MappedFile(const QByteArray &path);
    ~MappedFile();
    Q_DISABLE_COPY_MOVE(MappedFile)

    [[nodiscard]] QByteArrayView bytes() const { return m_bytes; }

private:
    QByteArrayView m_bytes;
};

} // namespace tmx
