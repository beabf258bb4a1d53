// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>
#include <QStringView>

#include <optional>

namespace tmx {

/// Whether the regular expression `form` matches all of `text`, without options. Each form is compiled once and cached,
/// so use it only for constant forms, not for patterns of users. Thread-safe.
bool hasForm(const QString &text, QStringView form);

/// Whether `host` can be passed to ssh: a host, user@host, or an alias in the user's ssh configuration; nothing that
/// looks like an option.
bool isSshHost(const QString &host);
/// What to do about a name that is none, and about a host that did not let ssh in.
QString hostRemedy();
QString loginRemedy(const QString &host);

/// The reason for a failed connection, from a line of ssh or of the shell that it started; empty for other lines.
/// Without a full stop.
QString connectionTrouble(QStringView line);

/// The newest month ("2026-11") first; names that are no months last.
QStringList newestMonthsFirst(QStringList names);

/// "12.8, 12.9 and 13.0", for commit messages and files: never translated.
QString enumerated(const QStringList &words);

/// "4:07", or "1:02:03" from one hour on. A negative duration counts as 0.
QString durationText(qint64 milliseconds);

/// Lines of cells in columns, without trailing spaces. A line with fewer cells than the first one ends in a cell that
/// makes no column wider.
QString alignedText(const QList<QStringList> &lines);

/// "20G", "1.5 GiB" or "500m" in bytes; K, M, G and T are powers of 1024. At most nine digits (18 without a unit), and
/// three after the point. nullopt: not a valid size, or 1 EiB or more.
std::optional<qint64> bytesOf(const QString &text);
/// "1.5 GiB": in the largest unit from which bytesOf() gives the same number, so never rounded.
QString exactSizeText(qint64 bytes);

} // namespace tmx
