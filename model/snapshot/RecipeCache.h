// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Audit.h"
#include "model/base/Result.h"
#include "model/base/WorkHooks.h"
#include "model/catalog/Catalog.h"
#include "model/meaning/Meaning.h"
#include "model/meaning/MeaningDifferences.h"

#include <functional>
#include <memory>

namespace tmx {

/// Caches the slow parts of making a snapshot: recipes rendered by templates, and texts parsed and audited. Holds a
/// limited number of each and drops the least recently used. The meanings of texts are kept on disk as well if the
/// catalog has a cacheFolder. Thread-safe.
class RecipeCache
{
public:
    /// Not explicit, so that a catalog can be passed to a call that needs no shared cache.
    RecipeCache(const std::shared_ptr<const Catalog> &catalog); // NOLINT(google-explicit-constructor)
    ~RecipeCache();

    [[nodiscard]] const std::shared_ptr<const Catalog> &catalog() const;

    enum class Next { Nothing, Meaning }; ///< what will be asked about the same text

    /// readFacts() of a recipe. Never null. If its meaning is next, the text is parsed once for both.
    [[nodiscard]] std::shared_ptr<const RecipeFacts> facts(const RecipeSource &source, Next next = Next::Nothing) const;

    /// readMeaning() of a recipe. Never null.
    [[nodiscard]] std::shared_ptr<const Meaning> meaning(const RecipeSource &source) const;

    /// meaningDifferences() of two recipes. Never null.
    [[nodiscard]] std::shared_ptr<const QList<MeaningDifference>> differences(const RecipeSource &before,
                                                                              const RecipeSource &after) const;

    /// The template's text for each variant, on all cores if there are many. Errors: as RecipeRenderer::render;
    /// stoppedError().
    [[nodiscard]] QList<Result<QByteArray>> rendered(const Settings &settings, const QList<Variant> &variants,
                                                     const WorkHooks &hooks = {}) const;

    /// audit() of each input, whose `catalog`, `settings` and `facts` are set; on all cores. Judgements that were not
    /// made when `hooks` requested a stop are empty.
    [[nodiscard]] QList<Judgement> audited(const Settings &settings, const QList<AuditInput> &inputs,
                                           const WorkHooks &hooks = {}, Next next = Next::Nothing) const;

    /// Of the files beside a companion. Nearly always the same for a whole branch, so the last one is kept.
    [[nodiscard]] QByteArray digestOfSiblings(const QHash<QString, QByteArray> &siblings) const;

    /// The result of `make`, computed once for a key that identifies everything it is made from except the program and
    /// the catalog; kept on disk like meanings. Empty results are not kept.
    [[nodiscard]] QByteArray kept(const QByteArray &key, const std::function<QByteArray()> &make) const;
    /// Writes new results to disk if there are many, or if `all` is set; the destructor does so too.
    void save(bool all = false) const;

private:
    std::shared_ptr<const Meaning> meaningOf(const RecipeSource &source, const std::function<Meaning()> &make) const;

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
