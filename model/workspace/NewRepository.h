// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/change/SettingsChange.h"
#include "model/repository/ChangeSet.h"

#include <memory>

namespace tmx {

/// What a new repository is to hold.
struct NewRepository {
    QString folder;        ///< absent, empty, or a repository without a commit; absolute
    SettingsChange change; ///< of the built-in settings that have its toolkits, else of the first ones
    QStringList names;     ///< variants to begin with; empty: all that the settings list
};

/// Makes a repository that Flox builds from: `git init` by the git program, so that the user's templates and name of
/// the first branch hold, then one commit with the environment, torch-matrix.toml, a README.md with its tables and the
/// recipes. Where that fails the folder keeps what `git init` made, and a second try goes on from there. Blocks: for
/// workers. Errors: the folder holds something; git is not there or fails; those of changedSettings(); a name that is
/// no variant of the settings; those of Repository::apply(), as a missing identity.
Result<Applied> createBuildRepository(const std::shared_ptr<const Catalog> &catalog, const NewRepository &wanted,
                                      const WorkHooks &hooks = {});

} // namespace tmx
