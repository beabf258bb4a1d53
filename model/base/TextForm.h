// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>
#include <QStringView>

#include <optional>

namespace tmx {

/// Whether all of `text` matches the regular expression `form`, without options. Forms are compiled once for the whole
/// program, so this is for the few that its code names, not for patterns that a user writes. Thread-safe.
bool hasForm(const QString &text, QStringView form);

/// Whether `host` can be handed to ssh: a host, user@host or an alias of the user's ssh configuration; nothing that
/// reads as an option.
bool isSshHost(const QString &host);

/// What ssh, or the shell that it started, says of why there is no connection, where the line is of that kind; else
/// empty. Without its full stop.
QString connectionTrouble(QStringView line);

/// "12.8, 12.9 and 13.0", for commit messages and files: never translated.
QString enumerated(const QStringList &words);

/// "4:07", and "1:02:03" from an hour on. A negative one is none.
QString durationText(qint64 milliseconds);

/// "20G", "1.5 GiB" or "500m" as bytes; K, M, G and T are powers of 1024. At most nine digits (18 without a unit), and
/// three after the point. Empty: it is no such size, or of 1 EiB or more.
std::optional<qint64> bytesOf(const QString &text);
/// "1.5 GiB": in the largest unit in which bytesOf() gives the same again, so never rounded.
QString exactSizeText(qint64 bytes);

} // namespace tmx
