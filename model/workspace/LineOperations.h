// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"

#include <memory>
#include <optional>

namespace tmx {

/// The line of a branch, and the file that describes it where there is one.
struct LineReading {
    QString repository; ///< root of the work tree
    QString branch;
    bool checkedOut = false;
    Line line;
    QString problem;                ///< why the file could not be read; the line is the one without it then
    std::optional<QByteArray> file; ///< torch-matrix.toml as it is; nullopt: none
};

/// The long actions on a line's file, for workers and verbs; see Operations.h. Reads the branch (empty: what is checked
/// out).
Result<LineReading> readLineOf(const std::shared_ptr<const Catalog> &catalog, const QString &path,
                               const QString &branch = {});

/// The file that describes `line`, checked by reading it back. Error: a version that is not known (an inferred line's),
/// or something else that no file can say.
Result<QByteArray> lineFileFor(const Catalog &catalog, const Line &line);

/// The branch's file with one key changed (see withLineKey); a branch without a file gets that of the line that it has
/// now.
Result<QByteArray> lineFileWith(const Catalog &catalog, const LineReading &reading, const QString &key,
                                const QString &value, bool mayLoseComments);

/// Writes torch-matrix.toml into the work tree, atomically, and adds it to the index. `reading` is what the user has
/// seen: when the file is another one by now, nothing is written. Errors: a branch that is not checked out, those of
/// Repository::writeRecipe and stage.
Result<void> saveLineFile(const LineReading &reading, const QByteArray &text);

} // namespace tmx
