// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/change/LineWork.h"
#include "model/change/Readme.h"
#include "model/change/Requests.h"
#include "model/workspace/Operations.h"

#include <QHash>

#include <optional>
#include <variant>

namespace tmx {

/// Work on many files at once, as a window asks for it, shows it, and does it.

using WorkRequest = std::variant<DeriveRequest, MigrateRequest, CopyRequest, ReadmeRequest>;

/// What could be done: steps to choose from, with the texts before and after. A value.
struct WorkOffer {
    WorkRequest request;
    Plan plan; ///< its branch: of a line that is derived the one that it begins with, so that the choice outlives the
               ///< typing of a name
    QHash<QString, QString>
        groups; ///< by file: word of the group that a step is listed in, where that is not its action
    QHash<QString, QByteArray> before; ///< by file
    QHash<QString, QByteArray> after;
    QStringList notes;   ///< sentences: what else there is to know
    QString nameProblem; ///< why the new branch cannot have that name, or that it has none; a sentence
    std::variant<LineWork, QList<ReadmeState>> work; ///< what it was made from
};

/// Works it out; nothing is changed. Blocks: for workers. Errors: those of readDerivation, readMigration, readCopy and
/// readReadmes.
Result<WorkOffer> offerWork(const SnapshotReader &snapshots, const QString &path, const WorkRequest &request,
                            const WorkHooks &hooks = {});

/// What these choices come to, in one sentence: "36 recipes are created, 6 rewritten, 38 deleted; ...".
QString summaryOf(const WorkOffer &offer, const Plan &chosen);
/// Why it cannot be done as chosen, a sentence; empty: it can.
QString whyNot(const WorkOffer &offer, const Plan &chosen);

/// What was done: the commits, and what stopped it before all of them were made.
struct WorkOutcome {
    WorkRequest request;
    QList<WriteReport> reports;
    std::optional<Error> error;
};
/// One commit, or of README files one on each chosen branch. Blocks: for workers. `hooks.stop` is asked between
/// commits.
WorkOutcome applyWork(const QString &path, const WorkOffer &offer, const Plan &chosen, const WorkHooks &hooks = {});

} // namespace tmx
