// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/history/BuildHistory.h"
#include "model/outcome/Verify.h"
#include "model/snapshot/BranchSnapshot.h"

namespace tmx {

/// A verified build of a variant.
struct VerifiedBuild {
    Verification verification;
    QString job; ///< empty: not made by a job of this program
};

/// What a build of the variant must be, by the branch's settings.
VerifyExpectation expectationOf(const Catalog &catalog, const BranchSnapshot &snapshot, const Variant &variant);
/// Writes the verification of a job into its folder and the history.
Result<void> keepVerification(BuildHistory &history, const VerifiedBuild &verified, const BranchSnapshot &snapshot,
                              const QString &variant);
/// Verifies the newest build of the variant whose result exists, else what flox left in the working tree, and keeps
/// the verification. For workers. Errors: it was not built here, or its result is gone; verifyResult().
Result<VerifiedBuild> verifyBuild(const Catalog &catalog, const BranchSnapshot &snapshot, const VariantEntry &entry,
                                  BuildHistory &history, const std::function<bool()> &stop = {});

} // namespace tmx
