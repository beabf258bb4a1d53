// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Audit.h"
#include "model/base/Result.h"
#include "model/base/WorkHooks.h"
#include "model/catalog/Catalog.h"
#include "model/recipe/Meaning.h"
#include "model/recipe/MeaningDifferences.h"

#include <functional>
#include <memory>

namespace tmx {

/// What takes longest in making a snapshot, each done once while it is asked for again: recipes rendered by a line's
/// template, and texts parsed and audited. Holds a limited number of each and drops the least recently used. What texts
/// mean is kept on disk as well, where the catalog has a cacheFolder. Thread-safe.
class RecipeCache
{
public:
    /// Not explicit: a catalog alone serves a call that keeps nothing for the next.
    RecipeCache(const std::shared_ptr<const Catalog> &catalog); // NOLINT(google-explicit-constructor)
    ~RecipeCache();

    [[nodiscard]] const std::shared_ptr<const Catalog> &catalog() const;

    /// What a recipe's text says, as readFacts(). Never null.
    [[nodiscard]] std::shared_ptr<const RecipeFacts> facts(const QByteArray &text) const;

    /// What a recipe's text means, as readMeaning(). Never null.
    [[nodiscard]] std::shared_ptr<const Meaning> meaning(const QByteArray &text) const;

    /// In what two recipes differ, as meaningDifferences(). Never null.
    [[nodiscard]] std::shared_ptr<const QList<MeaningDifference>> differences(const QByteArray &before,
                                                                              const QByteArray &after) const;

    /// What the line's template gives for each variant. Errors: as RecipeRenderer::render; stoppedError().
    [[nodiscard]] QList<Result<QByteArray>> rendered(const Settings &line, const QList<Variant> &variants,
                                                     const WorkHooks &hooks = {}) const;

    /// audit() of each input, whose `catalog`, `line` and `facts` are filled in. Empty judgements once `hooks` asked to
    /// stop.
    [[nodiscard]] QList<Judgement> audited(const Settings &line, const QList<AuditInput> &inputs,
                                           const WorkHooks &hooks = {}) const;

    /// What `make` gives, made once for a key that names all it is made from but for program and catalog; kept as
    /// meanings are. What is empty is not kept.
    [[nodiscard]] QByteArray kept(const QByteArray &key, const std::function<QByteArray()> &make) const;
    /// Writes to disk what was made since the last time, where that is much or `all`; the destructor does so as well.
    void save(bool all = false) const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
