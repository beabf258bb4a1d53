// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/repository/GitValues.h"
#include "model/repository/RecipeState.h"

#include <QMap>

#include <memory>

namespace tmx {

/// One variant of a branch: promised by the line, present as a file, or both.
struct VariantEntry {
    Variant variant;
    QString file;      ///< path of the recipe that is there, else where it would be
    RecipeState state = RecipeState::Missing;
    QString reason;    ///< why Unsupported, Broken, Duplicate; empty otherwise
    bool covered = false; ///< the line promises it
    FileStatus fileStatus = FileStatus::Clean;
    QByteArray text;      ///< the recipe that is there (work tree's where that is read); empty when missing
    QByteArray committed; ///< its text in the commit
    QByteArray rendered;  ///< what the line's template gives; empty where it cannot
    QStringList duplicates; ///< further files that claim the same cell
    bool operator==(const VariantEntry &) const = default;
};

/// Everything that is known of one branch at one moment. A value: made by a worker, shared as shared_ptr<const>, never changed.
struct BranchSnapshot {
    QString repository; ///< root of the work tree
    QString branch;
    QString commit;     ///< empty without a commit
    bool checkedOut = false;
    Line line;
    QMap<QString, VariantEntry> entries; ///< by canonical name; promised or present, never Unsupported without a file
    QStringList unrecognised; ///< files in .flox/pkgs that are no variant's recipe, with nothing assumed about them

    [[nodiscard]] const VariantEntry *find(const QString &name) const;
    [[nodiscard]] QMap<RecipeState, int> counts() const;
    bool operator==(const BranchSnapshot &) const = default;
};

/// The line of a branch: built-in by name, else inferred from the files' names (and said to be).
Line lineFor(const Catalog &catalog, const BranchContent &content);

/// Pure: what was read of a branch + its line -> the snapshot.
BranchSnapshot makeSnapshot(const std::shared_ptr<const Catalog> &catalog, const QString &repository, const BranchContent &content);

} // namespace tmx
