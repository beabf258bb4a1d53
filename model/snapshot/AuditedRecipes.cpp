// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/AuditedRecipes.h"

#include <QMutex>

#include <algorithm>

namespace tmx {

namespace {

constexpr qsizetype hookedEvery = 16;

/// What a judgement depends on besides line and catalog. A companion's hangs on recipes beside it as well.
struct Key {
    Variant variant;
    QString file;
    QByteArray text;
    FileTrouble trouble = FileTrouble::None;
    QStringList duplicates;
    size_t siblings = 0;
    bool operator==(const Key &) const = default;
};

size_t qHash(const Key &key, size_t seed = 0) noexcept
{
    return qHashMulti(seed, key.file, key.text, int(key.trouble), key.siblings);
}

size_t hashOf(const QHash<QString, QByteArray> &siblings)
{
    size_t hash = 0;
    for (auto it = siblings.begin(); it != siblings.end(); ++it)
        hash ^= qHashMulti(0, it.key(), it.value()); // in any order
    return hash;
}

using Known = QHash<Key, Judgement>;

class Cache
{
public:
    Known find(const std::shared_ptr<const Catalog> &catalog, const Line &line)
    {
        const QMutexLocker lock(&m_mutex);
        const auto it = std::ranges::find(m_lines, line, &Entry::line);
        return isOther(catalog) || it == m_lines.end() ? Known() : it->known;
    }

    void insert(const std::shared_ptr<const Catalog> &catalog, const Line &line, const Known &added)
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
        // Texts that were edited leave their judgements behind.
        if (it->known.size() > maxTexts)
            it->known.clear();
        it->known.insert(added);
    }

private:
    struct Entry {
        Line line;
        Known known;
    };
    static constexpr qsizetype maxLines = 32;
    static constexpr qsizetype maxTexts = 2000; // about 10 KiB each

    // By owner, not by address: a new catalog may live where an old one did.
    bool isOther(const std::shared_ptr<const Catalog> &catalog) const
    {
        return m_catalog.owner_before(catalog) || catalog.owner_before(m_catalog);
    }

    QMutex m_mutex;
    std::weak_ptr<const Catalog> m_catalog;
    QList<Entry> m_lines;
};

Cache &cache()
{
    static Cache &instance = *new Cache; // never taken apart: the program ends sooner
    return instance;
}

} // namespace

QList<Judgement> auditedRecipes(const std::shared_ptr<const Catalog> &catalog, const Line &line,
                                const QList<AuditInput> &inputs, const WorkHooks &hooks)
{
    const Known known = cache().find(catalog, line);
    Known added;
    QList<Judgement> judgements;
    judgements.reserve(inputs.size());
    QHash<QString, QByteArray> siblings; // nearly always the same for all of a branch
    size_t hash = 0;
    for (AuditInput input : inputs) {
        if (judgements.size() % hookedEvery == 0) {
            if (hooks.stopped())
                break;
            hooks.tell(int(judgements.size()), int(inputs.size()));
        }
        input.catalog = catalog.get();
        input.line = &line;
        if (!input.siblings.isSharedWith(siblings)) {
            siblings = input.siblings;
            hash = hashOf(siblings);
        }
        const Key key{input.variant, input.file,       input.text,
                      input.trouble, input.duplicates, siblings.isEmpty() ? 0 : hash};
        if (const auto it = known.constFind(key); it != known.constEnd()) {
            judgements.append(*it);
            continue;
        }
        judgements.append(audit(input));
        added.insert(key, judgements.constLast());
    }
    if (!added.isEmpty())
        cache().insert(catalog, line, added);
    judgements.resize(inputs.size());
    return judgements;
}

AuditInput auditInputOf(const Catalog &catalog, const BranchSnapshot &snapshot, const VariantEntry &entry)
{
    AuditInput input{&catalog,   &snapshot.line,    entry.variant,    entry.file,
                     entry.text, FileTrouble::None, entry.duplicates, {}};
    for (const VariantEntry &other : snapshot.entries) {
        if (other.present && other.fileStatus != FileStatus::Deleted)
            input.siblings.insert(other.file.sliced(other.file.lastIndexOf(u'/') + 1), other.text);
    }
    return input;
}

} // namespace tmx
