// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Audit.h"
#include "model/change/ChangeSet.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/snapshot/RecipeCache.h"

namespace tmx {

/// Audits every recipe that the change would write, and adds its new errors, which the text before does not have, to
/// its `errors`. `former`: the branch's settings before the change; `there`: the texts of its recipes before the
/// change, by file name; `files`: what they may import; `standing`: the branch whose standingErrors() are not new in
/// its new recipes either. prepare() calls it for every change that renders or fixes recipes; what people wrote
/// themselves is committed unchecked.
void check(const RecipeCache &recipes, ChangeSet &changes, const Settings &former,
           const QHash<QString, QByteArray> &there, const std::shared_ptr<const RecipeFiles> &files = nullptr,
           const BranchSnapshot *standing = nullptr);

/// "NAME has errors that all others of its kind have already: lib/make.nix:12: ... It has 2 more errors."
QString standingText(const QStringList &names, const QList<Finding> &errors);

bool removes(const ChangedFile &file);
QString pathAfter(const ChangedFile &file);
QString fileNameOf(const QString &path);
/// The texts of the recipes after the change, by file name. `there`: before the change.
QHash<QString, QByteArray> textsAfter(const ChangeSet &changes, const QHash<QString, QByteArray> &there);
/// The audit's input for a recipe after the change; nullopt if it does not exist then.
std::optional<AuditInput> inputAfter(const Catalog &catalog, const ChangedFile &file,
                                     const QHash<QString, QByteArray> &afterwards);
/// The files that recipes import, after the change.
std::shared_ptr<const RecipeFiles> withImported(const std::shared_ptr<const RecipeFiles> &files,
                                                const ChangeSet &changes);

} // namespace tmx
