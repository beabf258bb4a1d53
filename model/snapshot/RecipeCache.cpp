// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/RecipeCache.h"

#include "model/base/RecentValues.h"
#include "model/recipe/RecipeRenderer.h"

#include <algorithm>
#include <vector>

namespace tmx {

namespace {

// About 10 KiB each, a few hundred bytes where the text is shared with a snapshot.
constexpr qsizetype maxTexts = 8192;
constexpr qsizetype maxLines = 512;
constexpr qsizetype tellEvery = 16;

struct RenderKey {
    quint64 line = 0;
    Variant variant;
    bool operator==(const RenderKey &) const = default;
};

size_t qHash(const RenderKey &key, size_t seed = 0) noexcept
{
    return qHashMulti(seed, key.line, key.variant);
}

/// What a judgement depends on. A companion's depends on the recipes beside it as well.
struct AuditKey {
    quint64 line = 0;
    Variant variant;
    QString file;
    QByteArray text;
    FileTrouble trouble = FileTrouble::None;
    QStringList duplicates;
    size_t siblings = 0;
    QStringList dissent;
    bool operator==(const AuditKey &) const = default;
};

size_t qHash(const AuditKey &key, size_t seed = 0) noexcept
{
    return qHashMulti(seed, key.line, key.file, key.text, int(key.trouble), key.siblings);
}

size_t hashOf(const QHash<QString, QByteArray> &siblings)
{
    size_t hash = 0;
    for (auto it = siblings.begin(); it != siblings.end(); ++it)
        hash ^= qHashMulti(0, it.key(), it.value()); // in any order
    return hash;
}

} // namespace

struct RecipeCache::Private {
    std::shared_ptr<const Catalog> catalog;
    RecentValues<RenderKey, Result<QByteArray>> texts{maxTexts};
    RecentValues<AuditKey, Judgement> judgements{maxTexts};
    RecentValues<QByteArray, std::shared_ptr<const RecipeFacts>> facts{maxTexts};
    RecentValues<QByteArray, std::shared_ptr<const Meaning>> meanings{maxTexts};
    RecentValues<std::pair<QByteArray, QByteArray>, std::shared_ptr<const QList<MeaningDifference>>> differences{
        maxTexts};

    QMutex mutex; ///< of what follows
    quint64 lastLine = 0;
    QList<std::pair<Settings, quint64>> lines;
    std::vector<RecipeRenderer> renderers; ///< that no thread uses; making one parses the templates

    /// A number that stands for all of the line's values.
    quint64 numberOf(const Settings &line)
    {
        const QMutexLocker lock(&mutex);
        const auto known = std::ranges::find(lines, line, &std::pair<Settings, quint64>::first);
        if (known != lines.end())
            return known->second;
        if (lines.size() == maxLines)
            lines.removeFirst();
        lines.append({line, ++lastLine});
        return lastLine;
    }

    RecipeRenderer takeRenderer()
    {
        const QMutexLocker lock(&mutex);
        if (renderers.empty())
            return RecipeRenderer(catalog);
        RecipeRenderer renderer = std::move(renderers.back());
        renderers.pop_back();
        return renderer;
    }

    void giveBack(RecipeRenderer renderer)
    {
        const QMutexLocker lock(&mutex);
        renderers.push_back(std::move(renderer));
    }
};

RecipeCache::RecipeCache(const std::shared_ptr<const Catalog> &catalog)
    : d(std::make_unique<Private>())
{
    d->catalog = catalog;
}
RecipeCache::~RecipeCache() = default;

const std::shared_ptr<const Catalog> &RecipeCache::catalog() const
{
    return d->catalog;
}

std::shared_ptr<const RecipeFacts> RecipeCache::facts(const QByteArray &text) const
{
    std::shared_ptr<const RecipeFacts> facts = d->facts.find(text).value_or(nullptr);
    if (!facts) {
        facts = std::make_shared<const RecipeFacts>(readFacts(text));
        d->facts.insert(text, facts);
    }
    return facts;
}

std::shared_ptr<const Meaning> RecipeCache::meaning(const QByteArray &text) const
{
    std::shared_ptr<const Meaning> meaning = d->meanings.find(text).value_or(nullptr);
    if (!meaning) {
        meaning = std::make_shared<const Meaning>(readMeaning(text));
        d->meanings.insert(text, meaning);
    }
    return meaning;
}

std::shared_ptr<const QList<MeaningDifference>> RecipeCache::differences(const QByteArray &before,
                                                                         const QByteArray &after) const
{
    const std::pair texts{before, after};
    std::shared_ptr<const QList<MeaningDifference>> found = d->differences.find(texts).value_or(nullptr);
    if (!found) {
        found = std::make_shared<const QList<MeaningDifference>>(
            meaningDifferences(before, *facts(before), after, *facts(after)));
        d->differences.insert(texts, found);
    }
    return found;
}

QList<Result<QByteArray>> RecipeCache::rendered(const Settings &line, const QList<Variant> &variants,
                                                const WorkHooks &hooks) const
{
    const quint64 number = d->numberOf(line);
    std::optional<RecipeRenderer> renderer;
    QList<Result<QByteArray>> texts;
    texts.reserve(variants.size());
    for (const Variant &variant : variants) {
        if (hooks.stopped()) {
            texts.append(QList<Result<QByteArray>>(variants.size() - texts.size(), stoppedError()));
            break;
        }
        const RenderKey key{number, variant};
        std::optional<Result<QByteArray>> text = d->texts.find(key);
        if (!text) {
            // Two threads that miss the same recipe render it twice, to the same bytes.
            if (!renderer)
                renderer.emplace(d->takeRenderer());
            text = renderer->render(line, variant);
            d->texts.insert(key, *text);
        }
        texts.append(*text);
        if (texts.size() % tellEvery == 0 || texts.size() == variants.size())
            hooks.tell(int(texts.size()), int(variants.size()));
    }
    if (renderer)
        d->giveBack(std::move(*renderer));
    return texts;
}

QList<Judgement> RecipeCache::audited(const Settings &line, const QList<AuditInput> &inputs,
                                      const WorkHooks &hooks) const
{
    const quint64 number = d->numberOf(line);
    QList<Judgement> judgements;
    judgements.reserve(inputs.size());
    QHash<QString, QByteArray> siblings; // nearly always the same for all of a branch
    size_t hash = 0;
    for (AuditInput input : inputs) {
        if (hooks.stopped())
            break;
        if (!input.siblings.isSharedWith(siblings)) {
            siblings = input.siblings;
            hash = siblings.isEmpty() ? 0 : hashOf(siblings);
        }
        const AuditKey key{number,        input.variant,    input.file, input.text,
                           input.trouble, input.duplicates, hash,       input.dissent};
        std::optional<Judgement> judgement = d->judgements.find(key);
        if (!judgement) {
            input.catalog = d->catalog.get();
            input.line = &line;
            // The same text on a branch with other settings is judged anew, and not parsed again.
            if (input.trouble == FileTrouble::None)
                input.facts = facts(input.text);
            judgement = audit(input);
            d->judgements.insert(key, *judgement);
        }
        judgements.append(*judgement);
        if (judgements.size() % tellEvery == 0 || judgements.size() == inputs.size())
            hooks.tell(int(judgements.size()), int(inputs.size()));
    }
    judgements.resize(inputs.size());
    return judgements;
}

} // namespace tmx
