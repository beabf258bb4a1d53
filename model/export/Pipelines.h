// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/export/CiPipeline.h"

namespace tmx {

/// Shared by the texts of both hosts; ciPipeline() is the entry point.

/// Systems in the order of the text.
QStringList ciSystems();

/// A runner of the user.
struct OwnRunner {
    QString label;      ///< empty if there is none
    bool alone = false; ///< no other labels are needed
};
OwnRunner ownRunner(const CiOptions &options, const QString &system);

/// The systems that the matrix has jobs for; all of them if it builds what is new.
QStringList systemsOf(const CiMatrix &matrix);

/// The recipes as comments, which lookForRecipes reads: "# recipe: SYSTEM PACKAGE IMPORTS".
QByteArray recipeLines(const CiMatrix &matrix);
/// Variables for lookForRecipes, a line each with this many blanks: where the comments are, and how names are read.
QByteArray recipeVariables(const CiMatrix &matrix, CiHost host, int blanks);
/// Part of a script for any shell: writes "SYSTEM PACKAGE REASON" to $work/legs for each recipe of the tree that is to
/// be built. $from: the commit to compare with; empty: all are.
extern const char lookForRecipes[];

/// What a push must change to start builds, as patterns: .flox/pkgs, and what recipes import from elsewhere. `below`:
/// the host's pattern for all files of a folder, "**".
QStringList watchedPaths(const CiMatrix &matrix, QLatin1StringView below);
/// Comments at the top: how the text was generated, and `advice`, further comment lines.
QByteArray pipelineHead(const CiMatrix &matrix, const CiOptions &options, const QByteArray &advice);

Result<QByteArray> githubWorkflow(const CiMatrix &matrix, const CiOptions &options);
Result<QByteArray> gitlabPipeline(const CiMatrix &matrix, const CiOptions &options);

} // namespace tmx
