// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/RecipeCache.h"

#include "model/base/Parallel.h"
#include "model/base/RecentValues.h"
#include "model/base/Surface.h"
#include "model/meaning/ParsedRecipe.h"
#include "model/snapshot/Bytes.h"
#include "model/snapshot/CacheFile.h"
#include "model/template/RecipeRenderer.h"

#include <algorithm>
#include <atomic>
#include <span>
#include <utility>
#include <vector>

namespace tmx {

namespace {

// About 10 KiB each, or a few hundred bytes if a snapshot shares the text.
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

/// Everything that a judgement depends on. For a companion this includes the recipes next to it.
struct AuditKey {
    quint64 line = 0;
    Variant variant;
    QString file;
    QByteArray text; ///< RecipeSource::key()
    FileTrouble trouble = FileTrouble::None;
    QStringList duplicates;
    QByteArray siblings; ///< digestOf()
    QStringList dissent;
    bool converted = false;
    bool operator==(const AuditKey &) const = default;
};

size_t qHash(const AuditKey &key, size_t seed = 0) noexcept
{
    return qHashMulti(seed, key.line, key.file, key.text, int(key.trouble));
}

QByteArray bytesOf(const Meaning &meaning)
{
    QByteArray unbuilt;
    QDataStream out(&unbuilt, QIODevice::WriteOnly);
    for (const Unbuilt &one : meaning.unbuilt)
        out << quint8(one.kind) << one.where.toUtf8() << one.value.toUtf8();
    return asBytes(meaning.exact, meaning.build, meaning.problem, unbuilt, meaning.imports);
}

Meaning meaningIn(const QByteArray &bytes)
{
    Meaning meaning;
    QByteArray unbuilt;
    QDataStream in(bytes);
    in >> meaning.exact >> meaning.build >> meaning.problem >> unbuilt >> meaning.imports;
    for (QDataStream list(unbuilt); !list.atEnd() && list.status() == QDataStream::Ok;) {
        quint8 kind = 0;
        QByteArray where, value;
        list >> kind >> where >> value;
        meaning.unbuilt.append({UnbuiltKind(kind), QString::fromUtf8(where), QString::fromUtf8(value)});
    }
    return meaning;
}

QByteArray bytesOf(const QList<MeaningDifference> &differences)
{
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    for (const MeaningDifference &one : differences)
        out << one.path << one.label << one.before << one.after << one.isFact << one.builds;
    return bytes;
}

QList<MeaningDifference> differencesIn(const QByteArray &bytes)
{
    QList<MeaningDifference> differences;
    for (QDataStream in(bytes); !in.atEnd() && in.status() == QDataStream::Ok;) {
        MeaningDifference one;
        in >> one.path >> one.label >> one.before >> one.after >> one.isFact >> one.builds;
        differences.append(one);
    }
    return differences;
}

QByteArray bytesOf(const QList<Finding> &findings)
{
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out << findings.size();
    for (const Finding &one : findings)
        out << one.rule << int(one.severity) << one.sentence << one.line << one.column << one.length << one.advice
            << one.fixable << one.file;
    return bytes;
}

QList<Finding> findingsIn(const QByteArray &bytes)
{
    QList<Finding> findings;
    QDataStream in(bytes);
    qsizetype count = 0;
    in >> count;
    while (findings.size() < count && in.status() == QDataStream::Ok) {
        Finding one;
        int severity = 0;
        in >> one.rule >> severity >> one.sentence >> one.line >> one.column >> one.length >> one.advice >>
            one.fixable >> one.file;
        one.severity = Severity(severity);
        findings.append(one);
    }
    return findings;
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
    CacheFile answers;

    explicit Private(const std::shared_ptr<const Catalog> &catalog)
        : catalog(catalog)
        , answers(catalog->cacheFolder)
    {
    }

    QMutex mutex; ///< protects the following
    QHash<QString, QByteArray> siblings;
    QByteArray siblingsDigest;
    quint64 lastLine = 0;
    QList<std::pair<Settings, quint64>> lines;
    std::vector<RecipeRenderer> renderers; ///< not in use by a thread; creating one parses the templates

    /// A number that identifies all values of the settings.
    quint64 numberOf(const Settings &settings)
    {
        const QMutexLocker lock(&mutex);
        const auto known = std::ranges::find(lines, settings, &std::pair<Settings, quint64>::first);
        if (known != lines.end())
            return known->second;
        if (lines.size() == maxLines)
            lines.removeFirst();
        lines.append({settings, ++lastLine});
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
    : d(std::make_unique<Private>(catalog))
{
}
RecipeCache::~RecipeCache() = default;

const std::shared_ptr<const Catalog> &RecipeCache::catalog() const
{
    return d->catalog;
}

std::shared_ptr<const RecipeFacts> RecipeCache::facts(const RecipeSource &source, Next next) const
{
    const QByteArray key = source.key();
    std::shared_ptr<const RecipeFacts> facts = d->facts.find(key).value_or(nullptr);
    if (!facts) {
        const ParsedRecipe parsed(source);
        facts = std::make_shared<const RecipeFacts>(parsed.facts());
        d->facts.insert(key, facts);
        if (next == Next::Meaning)
            meaningOf(source, [&parsed] { return parsed.meaning(); });
    }
    return facts;
}

std::shared_ptr<const Meaning> RecipeCache::meaning(const RecipeSource &source) const
{
    return meaningOf(source, [&source] { return readMeaning(source); });
}

/// Texts that differ in comments and blanks, as a recipe and its template's text often do, are evaluated once.
std::shared_ptr<const Meaning> RecipeCache::meaningOf(const RecipeSource &source,
                                                      const std::function<Meaning()> &make) const
{
    const QByteArray key = source.key();
    std::shared_ptr<const Meaning> meaning = d->meanings.find(key).value_or(nullptr);
    if (!meaning) {
        const QByteArray code = digestOf(source.codeKey());
        meaning = d->meanings.find(code).value_or(nullptr);
        if (!meaning) {
            meaning = std::make_shared<const Meaning>(
                meaningIn(kept("meaning " + code, [&make] { return bytesOf(make()); })));
            d->meanings.insert(code, meaning);
        }
        d->meanings.insert(key, meaning);
    }
    return meaning;
}

std::shared_ptr<const QList<MeaningDifference>> RecipeCache::differences(const RecipeSource &before,
                                                                         const RecipeSource &after) const
{
    const std::pair texts{before.key(), after.key()};
    std::shared_ptr<const QList<MeaningDifference>> found = d->differences.find(texts).value_or(nullptr);
    if (!found) {
        found = std::make_shared<const QList<MeaningDifference>>(
            differencesIn(kept("differences " + digestOf(texts.first) + digestOf(texts.second), [&] {
                return bytesOf(meaningDifferences(before, *facts(before), after, *facts(after)));
            })));
        d->differences.insert(texts, found);
    }
    return found;
}

QByteArray RecipeCache::kept(const QByteArray &key, const std::function<QByteArray()> &make) const
{
    if (const std::optional<QByteArray> known = d->answers.find(key))
        return *known;
    const QByteArray made = make();
    if (!made.isEmpty())
        d->answers.insert(key, made);
    return made;
}

void RecipeCache::save(bool all) const
{
    constexpr qsizetype many = 32;
    d->answers.save(all ? 1 : many);
}

QList<Result<QByteArray>> RecipeCache::rendered(const Settings &settings, const QList<Variant> &variants,
                                                const WorkHooks &hooks) const
{
    // A second renderer parses the templates again, which takes as long as rendering a few hundred recipes.
    constexpr qsizetype perRenderer = 256;
    const quint64 number = d->numberOf(settings);
    QList<Result<QByteArray>> texts(variants.size(), stoppedError());
    const std::span<Result<QByteArray>> all(texts.data(), size_t(texts.size()));
    std::atomic_int done = 0;
    inParallel((variants.size() + perRenderer - 1) / perRenderer, [&](qsizetype part) {
        std::optional<RecipeRenderer> renderer;
        const qsizetype end = std::min(variants.size(), (part + 1) * perRenderer);
        for (qsizetype i = part * perRenderer; i < end && !hooks.stopped(); ++i) {
            const RenderKey key{number, variants.at(i)};
            std::optional<Result<QByteArray>> text = d->texts.find(key);
            if (!text) {
                // Two threads that miss the same recipe both render it, with the same result.
                if (!renderer)
                    renderer.emplace(d->takeRenderer());
                text = renderer->render(settings, variants.at(i));
                d->texts.insert(key, *text);
            }
            all[size_t(i)] = *std::move(text);
            if (const int now = ++done; now % tellEvery == 0 || now == variants.size())
                hooks.tell(now, int(variants.size()));
        }
        if (renderer)
            d->giveBack(std::move(*renderer));
    });
    return texts;
}

QByteArray RecipeCache::digestOfSiblings(const QHash<QString, QByteArray> &siblings) const
{
    if (siblings.isEmpty())
        return {};
    const QMutexLocker lock(&d->mutex);
    if (!siblings.isSharedWith(d->siblings)) {
        d->siblings = siblings;
        d->siblingsDigest = digestOf(siblings);
    }
    return d->siblingsDigest;
}

QList<Judgement> RecipeCache::audited(const Settings &settings, const QList<AuditInput> &inputs, const WorkHooks &hooks,
                                      Next next) const
{
    const quint64 number = d->numberOf(settings);
    QList<Judgement> judgements(inputs.size());
    std::vector<std::pair<qsizetype, AuditKey>> unknown;
    for (qsizetype i = 0; i < inputs.size(); ++i) {
        const AuditInput &input = inputs.at(i);
        AuditKey key{number,
                     input.variant,
                     input.file,
                     sourceOf(input).key(),
                     input.trouble,
                     input.duplicates,
                     digestOfSiblings(input.siblings),
                     input.dissent,
                     input.converted};
        if (std::optional<Judgement> judgement = d->judgements.find(key))
            judgements[i] = *std::move(judgement);
        else
            unknown.emplace_back(i, std::move(key));
    }

    const QByteArray digest = unknown.empty() ? QByteArray() : digestOf(asBytes(settings));
    const auto judge = [&](AuditInput input, const AuditKey &key) {
        input.catalog = d->catalog.get();
        input.settings = &settings;
        if (input.trouble != FileTrouble::None)
            return audit(input);
        // The same text with other settings is judged again, but not parsed again.
        input.facts = facts(sourceOf(input), next);
        const QByteArray findings =
            kept("findings " + asBytes(digest, int(surface()), key.variant, key.file, digestOf(key.text),
                                       key.duplicates, key.siblings, key.dissent, key.converted),
                 [&input] { return bytesOf(audit(input).findings); });
        return Judgement{input.facts, findingsIn(findings)};
    };
    std::atomic_int done = int(inputs.size() - qsizetype(unknown.size()));
    const std::span<Judgement> all(judgements.data(), size_t(judgements.size()));
    inParallel(qsizetype(unknown.size()), [&](qsizetype each) {
        if (hooks.stopped())
            return;
        const auto &[i, key] = unknown[size_t(each)];
        Judgement &judgement = all[size_t(i)];
        judgement = judge(inputs.at(i), key);
        d->judgements.insert(key, judgement);
        if (const int now = ++done; now % tellEvery == 0 || now == inputs.size())
            hooks.tell(now, int(inputs.size()));
    });
    return judgements;
}

} // namespace tmx
