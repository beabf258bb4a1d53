// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/Journal.h"

namespace tmx {

/// SHA-256 in hexadecimal digits; empty for no file.
QString hashOf(const std::optional<QByteArray> &bytes);

/// Name of the draft of a plan's file in the journal: "text-3", "old-3", "then-3".
QString draftName(QLatin1StringView kind, qsizetype number);

/// Gives a file of the work tree the text of a draft, whose hash is `to`; an empty name removes it. Where the file
/// holds another text than the one with the hash `from`, it stays: a person changed it in between. To do it twice is to
/// do it once, since the draft is gone then.
Result<void> replaceFile(const OpenRepository &repository, const Journal &journal, const QString &path,
                         const QString &from, const QString &to, const QString &draft, const QString &what,
                         const QString &keptAs = {});

/// Gives all files of a plan their new texts. Error of the first that could not be written; the others are done.
Result<void> writeFiles(const OpenRepository &repository, const Journal &journal, const JournalPlan &plan,
                        const QString &what);

/// Gives the files back the texts that they had before writeFiles(), as far as the journal has them still. True: all
/// have them.
bool restoreFiles(const OpenRepository &repository, const Journal &journal, const JournalPlan &plan);

/// Error: a new file cannot be made at `path`, since its folder is not writable. Nothing is tried.
Result<void> checkWritable(const QString &workTree, const QString &path, const QString &what);

} // namespace tmx
