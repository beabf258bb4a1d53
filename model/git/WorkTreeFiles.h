// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/Journal.h"

namespace tmx {

/// BLAKE2b-256 in hexadecimal digits; empty if there is no file.
QString hashOf(const std::optional<QByteArray> &bytes);

/// Name of a plan's file in the journal: "text-3", "old-3", "then-3".
QString draftName(QLatin1StringView kind, qsizetype number);

/// Replaces a file of the working tree by the draft with the hash `to`; an empty name removes the file. A file whose
/// text does not have the hash `from` is kept: the user changed it meanwhile. A second call has no effect, because the
/// draft no longer exists.
Result<void> replaceFile(const OpenRepository &repository, const Journal &journal, const QString &path,
                         const QString &from, const QString &to, const QString &draft, const QString &what,
                         const QString &keptAs = {});

/// Gives all files of a plan their new texts. Returns the error of the first file that could not be written; the others
/// are written.
Result<void> writeFiles(const OpenRepository &repository, const Journal &journal, const JournalPlan &plan,
                        const QString &what);

/// Restores the texts from before writeFiles(), as far as the journal still has them. Returns true if all files have
/// them.
bool restoreFiles(const OpenRepository &repository, const Journal &journal, const JournalPlan &plan);

/// Error: no file can be created at `path`, because its folder is not writable. Only checks, writes nothing.
Result<void> checkWritable(const QString &workTree, const QString &path, const QString &what);

} // namespace tmx
