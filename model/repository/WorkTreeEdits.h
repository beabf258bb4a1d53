// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>
#include <sys/types.h>

namespace tmx {

/// What becomes of one file of the work tree.
struct WorkTreeEdit {
    QString path;                     ///< relative to the root
    std::optional<QByteArray> text;   ///< nullopt: removed
    std::optional<QByteArray> before; ///< nullopt: no file
    mode_t mode = 0;                  ///< of the file that is replaced
};

/// Changes of several files that belong to one commit. They are laid down in the journal's folder whole, new texts and
/// what was there, before the commit is decided; from then on they are carried out, by whoever opens the repository
/// next if need be.
///
/// Carrying out gives a file its new text, or removes it, where it still is what it was. One that a person changed in
/// between keeps their text: then it differs from the commit, as after any edit. To do it twice is to do it once.
class WorkTreeEdits
{
public:
    /// Error: disk full, read-only.
    static Result<void> layDown(const QString &journalFolder, const QString &workTree, const QList<WorkTreeEdit> &edits,
                                const QString &what);
    /// Nothing laid down is nothing to do. Error: of the first file that could not be changed; the others are done.
    static Result<void> carryOut(const QString &journalFolder, const QString &what);
};

} // namespace tmx
