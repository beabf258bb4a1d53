// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QByteArray>
#include <QMap>
#include <QStringList>

namespace tmx {

/// Lines of text that travel with a repository under a ref of their own, in files by name. A file has each line once,
/// sorted, so that two versions merge without a conflict: the merged one has the lines of both.
struct RefLines {
    QString commit; ///< 40 digits; empty: there is no such ref
    QMap<QString, QByteArrayList> files;
};

/// For workers. Errors: the ref names no commit, its tree holds anything but files, more than 1,000 of them, or more
/// than 64 MiB.
Result<RefLines> readRefLines(const QString &workTree, const QString &ref);

/// Adds lines to a ref and, where `other` names a ref that is there, all that this one has; gives the ref's commit. A
/// ref that has all of it already stays as it is. Whoever writes at the same time loses nothing: the addition is made
/// again on top of theirs. The commits are the user's; nothing is signed. For workers. Errors: those of readRefLines;
/// git has no name and address of the user; git cannot write the ref.
Result<QString> addRefLines(const QString &workTree, const QString &ref, const QMap<QString, QByteArrayList> &lines,
                            const QString &other, const QString &subject);

/// The files that change when a ref does, whether they are there or not.
QStringList filesOfRef(const QString &workTree, const QString &ref);

} // namespace tmx
