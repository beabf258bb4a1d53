// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/RenderedRecipes.h"

#include "model/recipe/RecipeRenderer.h"

#include <QCryptographicHash>
#include <QDataStream>
#include <QHash>
#include <QIODevice>
#include <QMutex>

#include <optional>

namespace tmx {

namespace {

/// Everything of a line that a template may use. Coverage and source say what is promised and by whom, never what a recipe reads.
QByteArray digestOf(const Line &line)
{
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    QStringList families = line.versions.keys();
    families.sort();
    stream << line.branch << line.pythons << line.pin << line.pinSha256 << line.cpuTemplate << line.pnamePrefix << line.torchHash;
    for (const QString &family : std::as_const(families))
        stream << family << line.versions.value(family);
    for (const CudaProfile &cuda : line.cudas)
        stream << cuda.version << cuda.release << cuda.attribute << cuda.templateName;
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256);
}

class Cache
{
public:
    using Key = std::pair<QByteArray, Variant>;

    std::optional<Result<QByteArray>> find(const std::shared_ptr<const Catalog> &catalog, const Key &key)
    {
        const QMutexLocker lock(&m_mutex);
        if (isOther(catalog))
            return std::nullopt;
        const auto it = m_texts.constFind(key);
        return it == m_texts.constEnd() ? std::nullopt : std::optional(*it);
    }

    void insert(const std::shared_ptr<const Catalog> &catalog, const Key &key, const Result<QByteArray> &text)
    {
        const QMutexLocker lock(&m_mutex);
        if (isOther(catalog) || m_bytes > maxBytes) {
            m_texts.clear();
            m_bytes = 0;
            m_catalog = catalog;
        }
        m_bytes += text ? text->size() : 0;
        m_texts.insert(key, text);
    }

private:
    static constexpr qsizetype maxBytes = 64 * 1024 * 1024; // several thousand recipes

    // By owner, not by address: a new catalog may live where an old one did.
    bool isOther(const std::shared_ptr<const Catalog> &catalog) const { return m_catalog.owner_before(catalog) || catalog.owner_before(m_catalog); }

    QMutex m_mutex;
    std::weak_ptr<const Catalog> m_catalog;
    QHash<Key, Result<QByteArray>> m_texts;
    qsizetype m_bytes = 0;
};

Cache &cache()
{
    static Cache instance;
    return instance;
}

} // namespace

QList<Result<QByteArray>> renderedRecipes(const std::shared_ptr<const Catalog> &catalog, const Line &line, const QList<Variant> &variants)
{
    const QByteArray digest = digestOf(line);
    // Of this call, since a renderer is one thread's: two workers that meet the same gap render it twice, to the same bytes.
    std::optional<RecipeRenderer> renderer;
    QList<Result<QByteArray>> texts;
    texts.reserve(variants.size());
    for (const Variant &variant : variants) {
        const Cache::Key key{digest, variant};
        if (std::optional<Result<QByteArray>> known = cache().find(catalog, key)) {
            texts.append(*std::move(known));
            continue;
        }
        if (!renderer)
            renderer.emplace(catalog);
        texts.append(renderer->render(line, variant));
        cache().insert(catalog, key, texts.constLast());
    }
    return texts;
}

Result<QByteArray> renderedRecipe(const std::shared_ptr<const Catalog> &catalog, const Line &line, const Variant &variant)
{
    return renderedRecipes(catalog, line, {variant}).takeFirst();
}

} // namespace tmx
