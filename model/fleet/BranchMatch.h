// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/fleet/Fleet.h"

namespace tmx {

/// How well a branch fits another one: a package and its torch, or two packages that are used together.
struct BranchMatch {
    const FleetBranch *branch = nullptr;
    int of = 0;              ///< recipes of the other one
    int fitting = 0;         ///< those that have a recipe here for the same row, instruction set, Python, toolkit and
                             ///< torch version
    int samePin = 0;         ///< those of them with the same nixpkgs revision
    int unknown = 0;         ///< of the others those that have one with a torch version that is not known
    int otherVersion = 0;    ///< and those that have one with another torch version
    QStringList differences; ///< "Python 3.11 instead of 3.13"
};

/// Compares a branch with others, the best first. Pure.
QList<BranchMatch> matchesOf(const FleetBranch &branch, const QList<const FleetBranch *> &others);

/// A revision of another repository that recipes import their torch from, and the local clone of that repository.
struct FetchedTorchSource {
    QString archive;  ///< URL
    QString revision; ///< commit
    int recipes = 0;
    QString clone;            ///< working tree; empty: there is no clone
    bool hasCommit = false;   ///< the clone has the commit
    QString branch;           ///< of the clone: the one that is nearest to the commit; empty: none
    int ahead = 0;            ///< commits that the revision has and that branch has not
    int behind = 0;           ///< commits that the branch has and the revision has not
    QStringList lackingFiles; ///< imported recipes that the commit does not have
    [[nodiscard]] QString sentence() const;
};

/// The clone of a repository is one of `repositories`, or the folder beside the branch's repository, with the last part
/// of the URL as name. Does not use the network. Blocks: for workers.
QList<FetchedTorchSource> fetchedTorchOf(const FleetBranch &branch, const QStringList &repositories);

} // namespace tmx
