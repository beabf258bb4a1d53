// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/GitValues.h"

#include <QByteArray>
#include <QHash>
#include <QMutex>

#include <optional>

namespace tmx {

/// Texts of recipes by the id of their blob, so that the same text on nine branches is read, kept and parsed once.
/// Thread-safe. Holds what was asked for in the last rounds and forgets the rest: see endRound().
class BlobTexts
{
public:
    struct Blob {
        std::optional<QByteArray> text; ///< nullopt: `trouble` says why
        FileTrouble trouble = FileTrouble::None;
    };

    /// `id` is 40 hexadecimal digits.
    [[nodiscard]] std::optional<Blob> find(const QString &id);
    void insert(const QString &id, const Blob &blob);
    /// Forgets what was not asked for since the end of the round before: a branch that went away gives its memory back.
    void endRound();
    [[nodiscard]] qsizetype size() const;

private:
    struct Kept {
        Blob blob;
        quint64 round = 0;
    };
    mutable QMutex m_mutex;
    QHash<QString, Kept> m_blobs;
    quint64 m_round = 0;
};

} // namespace tmx
