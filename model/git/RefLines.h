// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QByteArray>
#include <QMap>
#include <QStringList>

namespace tmx {

/// Lines of text that are stored in a repository under their own ref, in files by month ("2026-11"). Each line is in a
/// file only once, and lines are sorted, so that two versions merge without conflicts: the result has the lines of
/// both. If they are more than 48 MiB, a write leaves out the oldest months, in every clone the same ones.
struct RefLines {
    QString commit; ///< 40 digits; empty if there is no such ref
    QMap<QString, QByteArrayList> files;
};

/// Reads at most 64 MiB, the newest files first. For workers. Errors: the ref points to no commit, its tree has
/// anything but files, more than 1,000 of them, or its newest file is larger than that.
Result<RefLines> readRefLines(const QString &workTree, const QString &ref);

/// Adds lines to a ref and, if `other` names an existing ref, all its lines; returns the ref's commit. A ref that has
/// all lines already does not change. A concurrent write loses nothing: the addition is repeated on top of it. The
/// commits have the user's identity and are not signed. For workers. Errors: those of readRefLines; git has no name and
/// address of the user; git cannot write the ref.
Result<QString> addRefLines(const QString &workTree, const QString &ref, const QMap<QString, QByteArrayList> &lines,
                            const QString &other, const QString &subject);

/// The files that change when a ref does; they need not exist.
QStringList filesOfRef(const QString &workTree, const QString &ref);

} // namespace tmx
