// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/change/ChangeSet.h"
#include "model/change/SettingsChange.h"

#include <memory>

namespace tmx {

/// Options of a new repository.
struct NewRepository {
    QString folder;        ///< must be absent, empty, or a repository without a commit; absolute
    SettingsChange change; ///< applied to the built-in settings that have its toolkits, else to the first ones
    QStringList names;     ///< variants to generate first; empty: all that the settings cover
};

/// The built-in settings to start from, whose toolkits and Pythons are the defaults; nullptr: the catalog has none.
const Settings *defaultsOf(const Catalog &catalog, const SettingsChange &change = {});
/// All that its settings cover. Errors: those of changedSettings().
Result<QList<Variant>> variantsOf(const Catalog &catalog, const SettingsChange &change);

/// Creates a repository that Flox can build from. Runs the git program's `git init`, so that the user's templates and
/// name of the first branch apply, then makes one commit with the environment, torch-matrix.toml, a README.md with its
/// tables, and the recipes. If that fails, the folder keeps what `git init` created, and a second call continues from
/// there. Blocks: for workers. Errors: the folder is not empty; git is missing or fails; those of changedSettings(); a
/// name that is not a variant of the settings; those of Repository::apply(), such as a missing identity.
Result<Applied> createBuildRepository(const std::shared_ptr<const Catalog> &catalog, const NewRepository &wanted,
                                      const WorkHooks &hooks = {});

} // namespace tmx
