// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/RenderedRecipes.h"

#include "model/recipe/RecipeRenderer.h"

#include <QHash>
#include <QMutex>

#include <algorithm>
#include <optional>
#include <vector>

namespace tmx {

namespace {

using Texts = QHash<Variant, Result<QByteArray>>;

/// Keyed by the whole line, compared as a value: whatever a template may come to use of it, two lines that differ share
/// nothing.
class Cache
{
public:
    Texts find(const std::shared_ptr<const Catalog> &catalog, const Line &line)
    {
        const QMutexLocker lock(&m_mutex);
        const auto it = std::ranges::find(m_lines, line, &Entry::line);
        return isOther(catalog) || it == m_lines.end() ? Texts() : it->texts;
    }

    void insert(const std::shared_ptr<const Catalog> &catalog, const Line &line, const Texts &texts)
    {
        const QMutexLocker lock(&m_mutex);
        if (isOther(catalog)) {
            m_lines.clear();
            m_catalog = catalog;
        }
        auto it = std::ranges::find(m_lines, line, &Entry::line);
        if (it == m_lines.end()) {
            if (m_lines.size() == maxLines)
                m_lines.removeFirst();
            m_lines.append({line, {}});
            it = m_lines.end() - 1;
        }
        it->texts.insert(texts);
    }

private:
    struct Entry {
        Line line;
        Texts texts;
    };
    static constexpr qsizetype maxLines =
        32; // some hundred KiB each; a line that is being edited leaves old ones behind

    // By owner, not by address: a new catalog may live where an old one did.
    bool isOther(const std::shared_ptr<const Catalog> &catalog) const
    {
        return m_catalog.owner_before(catalog) || catalog.owner_before(m_catalog);
    }

    QMutex m_mutex;
    std::weak_ptr<const Catalog> m_catalog;
    QList<Entry> m_lines;
};

/// Renderers that no thread is using, for the next branch that is read: making one parses the templates.
class Renderers
{
public:
    RecipeRenderer take(const std::shared_ptr<const Catalog> &catalog)
    {
        const QMutexLocker lock(&m_mutex);
        if (m_catalog.owner_before(catalog) || catalog.owner_before(m_catalog)) {
            m_free.clear();
            m_catalog = catalog;
        }
        if (m_free.empty())
            return RecipeRenderer(catalog);
        RecipeRenderer renderer = std::move(m_free.back());
        m_free.pop_back();
        return renderer;
    }

    void give(const std::shared_ptr<const Catalog> &catalog, RecipeRenderer renderer)
    {
        const QMutexLocker lock(&m_mutex);
        if (!m_catalog.owner_before(catalog) && !catalog.owner_before(m_catalog))
            m_free.push_back(std::move(renderer));
    }

private:
    QMutex m_mutex;
    std::weak_ptr<const Catalog> m_catalog;
    std::vector<RecipeRenderer> m_free;
};

Renderers &renderers()
{
    static Renderers &instance = *new Renderers;
    return instance;
}

Cache &cache()
{
    static Cache &instance = *new Cache; // never taken apart: the program ends sooner
    return instance;
}

} // namespace

QList<Result<QByteArray>> renderedRecipes(const std::shared_ptr<const Catalog> &catalog, const Line &line,
                                          const QList<Variant> &variants)
{
    const Texts known = cache().find(catalog, line);
    // A renderer is one thread's at a time: two workers that meet the same gap render it twice, to the same bytes.
    std::optional<RecipeRenderer> renderer;
    Texts added;
    QList<Result<QByteArray>> texts;
    texts.reserve(variants.size());
    for (const Variant &variant : variants) {
        if (const auto it = known.constFind(variant); it != known.constEnd()) {
            texts.append(*it);
            continue;
        }
        if (!renderer)
            renderer.emplace(renderers().take(catalog));
        texts.append(renderer->render(line, variant));
        added.insert(variant, texts.constLast());
    }
    if (renderer)
        renderers().give(catalog, std::move(*renderer));
    if (!added.isEmpty())
        cache().insert(catalog, line, added);
    return texts;
}

Result<QByteArray> renderedRecipe(const std::shared_ptr<const Catalog> &catalog, const Line &line,
                                  const Variant &variant)
{
    return renderedRecipes(catalog, line, {variant}).takeFirst();
}

} // namespace tmx
