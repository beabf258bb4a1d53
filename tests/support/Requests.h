// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/Change.h"
#include "model/git/Repository.h"
#include "tests/support/SampleFixture.h"

namespace tmx::test {

/// The prepared change for a request about one branch of the sample.
inline Result<ChangeSet> ask(const SampleFixture &sample, const ChangeRequest &request, const WorkHooks &hooks = {})
{
    const Result<QList<ChangeSet>> sets = prepare(sample.catalog(), sample.path(), request, hooks);
    return sets ? Result<ChangeSet>(sets->constFirst()) : sets.error();
}

/// Further errors: that of `changes`.
inline Result<Applied> apply(const SampleFixture &sample, const Result<ChangeSet> &changes)
{
    const Result<Repository> repository = Repository::open(sample.path());
    return changes && repository ? repository->apply(*changes) : changes ? repository.error() : changes.error();
}

} // namespace tmx::test
