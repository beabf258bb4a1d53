// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/fleet/Fleet.h"

namespace tmx {

/// A nixpkgs revision, and the branches whose recipes fetch it.
struct FleetPin {
    struct Use {
        const FleetBranch *branch;
        const PinUse *pin;
    };
    QString revision;
    QList<Use> uses;
    QMap<QString, QStringList> versions; ///< by family, as far as recipes show them; several: recipes disagree
    [[nodiscard]] int recipes() const;
};

/// The pins of all branches, the most used first. The fleet must outlive them.
QList<FleetPin> pinsOf(const Fleet &fleet);

/// A line of a file, as committed on a branch, that names a revision.
struct PinPlace {
    QString repository;
    QStringList branches; ///< on which the file has this text
    QString path;
    int line = 0;
    QString text; ///< the line, without the spaces around it
};

/// Every line of a text file on a local branch that names the revision in full, or abbreviated to seven digits or more.
/// `revision`: in full, or abbreviated. Blocks: for workers. Reads files of at most 1 MiB. What cannot be read is added
/// to `unread`.
QList<PinPlace> placesNaming(const Fleet &fleet, const QString &revision, QList<FleetTrouble> &unread,
                             const WorkHooks &hooks = {});

/// A line of a document that states what is not true any more.
struct OutdatedStatement {
    QString repository;
    QStringList branches; ///< on which the file has this text
    QString path;
    int line = 0;
    QString sentence;
};

/// What Markdown documents on the local branches state wrongly about pins and branches:
/// - A nixpkgs revision that the recipes of no branch fetch; in a line that names branches of the repository, one that
///   those do not fetch. Not in a line that names a branch which the clone does not have, or a change ("old -> new").
/// - A branch to check out, to build, or in an address of the repository, that neither exists nor is remote-tracking.
/// Blocks: for workers. What cannot be read is added to `unread`.
QList<OutdatedStatement> outdatedStatements(const Fleet &fleet, QList<FleetTrouble> &unread,
                                            const WorkHooks &hooks = {});

} // namespace tmx
