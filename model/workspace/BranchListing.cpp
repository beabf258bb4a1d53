// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/BranchListing.h"

#include "model/repository/CommitReader.h"
#include "model/repository/Repository.h"
#include "model/snapshot/DiskCache.h"

#include <QCryptographicHash>
#include <QDir>
#include <QJsonDocument>
#include <QMutex>
#include <QtConcurrent>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QJsonObject lineJson(const Line &line)
{
    QJsonArray cudas;
    for (const CudaProfile &profile : line.cudas)
        cudas.append(profile.version);
    return {{u"pytorch"_s, line.versions.value(u"pytorch"_s)},
            {u"cuda"_s, cudas},
            {u"python"_s, QJsonArray::fromStringList(line.pythons)},
            {u"nixpkgs"_s, line.pin.revision},
            {u"source"_s, toString(line.source)}};
}

QJsonObject variantJson(const VariantEntry &entry, const BuildState &build)
{
    const Variant &v = entry.variant;
    QJsonObject facts;
    if (entry.facts) {
        for (const Fact &fact : entry.facts->rows())
            facts.insert(fact.id, fact.value);
    }
    QJsonArray findings;
    for (const Finding &finding : entry.findings)
        findings.append(QJsonObject{{u"rule"_s, finding.rule},
                                    {u"severity"_s, toString(finding.severity)},
                                    {u"sentence"_s, finding.sentence},
                                    {u"line"_s, finding.line},
                                    {u"advice"_s, finding.advice},
                                    {u"fixable"_s, finding.fixable}});
    return {{u"name"_s, v.name()},
            {u"family"_s, v.family},
            {u"python"_s, v.python},
            {u"cuda"_s, v.cuda},
            {u"gpu"_s, v.row},
            {u"isa"_s, v.isa},
            {u"file"_s, entry.file},
            {u"recipe"_s, toString(entry.state)},
            {u"build"_s, toString(build.phase)},
            {u"reason"_s, entry.reason},
            {u"facts"_s, facts},
            {u"findings"_s, findings}};
}

/// Everything of a work tree's branch that its listing is made from.
QByteArray idOf(const BranchContent &content)
{
    QCryptographicHash hash(QCryptographicHash::Sha1);
    for (const RecipeFile &file : content.files) {
        hash.addData(file.path.toUtf8());
        hash.addData(QByteArray::number(int(file.status)) + ' ' + QByteArray::number(int(file.trouble)) + ' ' +
                     file.blob.toLatin1());
        if (file.onDisk)
            hash.addData(QByteArray::number(file.onDisk->size()) + ' ' + *file.onDisk);
    }
    hash.addData(QByteArray::number(int(content.lineTrouble)) + (content.lineFile ? "line " : "none ") +
                 content.lineFile.value_or(QByteArray()));
    for (const RecipeFile &file : content.torchFiles)
        hash.addData(file.path.toUtf8() + ' ' + file.blob.toLatin1());
    return "work tree " + hash.result().toHex();
}

struct Wanted {
    QString name;
    QString branch;
    QString commit;
    bool checkedOut = false;
};

/// The catalog, loaded once when the first worker needs it.
class LateCatalog
{
public:
    explicit LateCatalog(const std::function<Result<std::shared_ptr<const Catalog>>()> &load)
        : m_load(load)
    {
    }
    [[nodiscard]] std::optional<Error> error() const
    {
        return m_catalog && !*m_catalog ? std::optional(m_catalog->error()) : std::nullopt;
    }
    Result<std::shared_ptr<const Catalog>> get() const
    {
        const QMutexLocker lock(&m_mutex);
        if (!m_catalog)
            m_catalog = m_load();
        return *m_catalog;
    }

private:
    const std::function<Result<std::shared_ptr<const Catalog>>()> &m_load;
    mutable QMutex m_mutex;
    mutable std::optional<Result<std::shared_ptr<const Catalog>>> m_catalog;
};

/// Lists branches, any number of them at once; each has a libgit2 handle of its own.
class Lister
{
public:
    Lister(const LateCatalog &catalog, const DiskCache &cache, const QByteArray &program, const QString &path)
        : m_catalog(catalog)
        , m_cache(cache)
        , m_program(program)
        , m_path(path)
    {
    }

    Result<QByteArray> list(const Wanted &wanted) const
    {
        const Result<QByteArray> rest = wanted.checkedOut ? ofWorkTree(wanted) : ofCommit(wanted);
        if (!rest)
            return rest.error();
        // The commit is no part of what is kept: one that changed no recipe leaves the rest as it is.
        return "{\"commit\":\"" + wanted.commit.toLatin1() + "\"," + rest->sliced(1);
    }

private:
    QByteArray keyOf(const Wanted &wanted, const QByteArray &recipes) const
    {
        return m_program + wanted.name.toUtf8() + '\n' + wanted.branch.toUtf8() + '\n' + recipes;
    }

    static QByteArray textOf(const BranchSnapshot &snapshot, const QHash<QString, BuildState> &builds)
    {
        QJsonObject object = branchJson(snapshot, builds);
        object.remove(u"commit"_s);
        return QJsonDocument(object).toJson(QJsonDocument::Compact);
    }

    Result<QByteArray> ofWorkTree(const Wanted &wanted) const
    {
        const Result<OpenedRepository> opened = openWithInfo(m_path);
        if (!opened)
            return opened.error();
        const Result<BranchContent> content = opened->repository.readBranch(wanted.name);
        if (!content)
            return content.error();
        // What builds left changes without the recipes: then nothing is kept.
        const bool built =
            !QDir(opened->info.workTree).entryList({u"result-*"_s}, QDir::AllEntries | QDir::System).isEmpty();
        const QByteArray key = keyOf(wanted, idOf(*content));
        if (!built) {
            if (const std::optional<QByteArray> known = m_cache.find(key))
                return *known;
        }
        const Result<std::shared_ptr<const Catalog>> catalog = m_catalog.get();
        if (!catalog)
            return catalog.error();
        const BranchSnapshot snapshot = makeSnapshot(*catalog, opened->info.workTree, *content);
        const QByteArray text = textOf(snapshot, built ? buildsOf(snapshot) : QHash<QString, BuildState>());
        if (!built)
            m_cache.insert(key, text);
        return text;
    }

    Result<QByteArray> ofCommit(const Wanted &wanted) const
    {
        const Result<CommitReader> reader = CommitReader::open(m_path);
        if (!reader)
            return reader.error();
        const Result<QString> recipes = reader->recipesId(wanted.commit, wanted.branch);
        if (!recipes)
            return recipes.error();
        const QByteArray key = keyOf(wanted, recipes->toLatin1());
        if (const std::optional<QByteArray> known = m_cache.find(key))
            return *known;
        const Result<BranchContent> content = reader->readCommit(wanted.commit, wanted.branch);
        if (!content)
            return content.error();
        const Result<std::shared_ptr<const Catalog>> catalog = m_catalog.get();
        if (!catalog)
            return catalog.error();
        BranchSnapshot snapshot = makeSnapshot(*catalog, reader->workTree(), *content);
        snapshot.branch = wanted.name;
        const QByteArray text = textOf(snapshot, {});
        m_cache.insert(key, text);
        return text;
    }

    const LateCatalog &m_catalog;
    const DiskCache &m_cache;
    const QByteArray &m_program;
    const QString &m_path;
};

QByteArray documentOf(const QString &repository, const QList<QByteArray> &branches, const QList<UnreadBranch> &unread)
{
    const auto compact = [](const QJsonArray &array) { return QJsonDocument(array).toJson(QJsonDocument::Compact); };
    const QByteArray path = compact({repository});
    // A branch is a line: several megabytes are written as they are, and still looked through with grep.
    return "{\"repository\":" + path.sliced(1, path.size() - 2) + ",\n\"errors\":" + compact(toJson(unread)) +
           ",\n\"branches\":[\n" + branches.join(",\n") + "\n]}\n";
}

} // namespace

QJsonObject branchJson(const BranchSnapshot &snapshot, const QHash<QString, BuildState> &builds)
{
    QJsonObject counts;
    const auto states = snapshot.counts();
    for (auto it = states.begin(); it != states.end(); ++it)
        counts.insert(toString(it.key()), it.value());
    QJsonArray variants;
    for (const VariantEntry &entry : snapshot.entries)
        variants.append(variantJson(entry, builds.value(entry.variant.name())));
    return {{u"name"_s, snapshot.branch},
            {u"commit"_s, snapshot.commit},
            {u"line"_s, lineJson(snapshot.line)},
            {u"line_error"_s, snapshot.lineError},
            {u"counts"_s, counts},
            {u"unrecognised"_s, QJsonArray::fromStringList(snapshot.unrecognised)},
            {u"variants"_s, variants}};
}

QJsonArray toJson(const QList<UnreadBranch> &unread)
{
    QJsonArray list;
    for (const UnreadBranch &branch : unread)
        list.append(QJsonObject{{u"branch"_s, branch.branch}, {u"error"_s, branch.error.sentence()}});
    return list;
}

Result<BranchListing> listBranches(const std::function<Result<std::shared_ptr<const Catalog>>()> &loadCatalog,
                                   const QString &path, bool remotes, const DiskCache &cache)
{
    const Result<OpenedRepository> opened = openWithInfo(path);
    if (!opened)
        return opened.error();
    QList<Wanted> wanted;
    for (const BranchRef &branch : opened->info.branches)
        wanted.append({branch.name, branch.name, branch.commit, branch.checkedOut});
    if (remotes) {
        const Result<CommitReader> reader = CommitReader::open(path);
        if (!reader)
            return reader.error();
        const Result<QList<BranchTip>> tips = reader->tips();
        if (!tips)
            return tips.error();
        for (const BranchTip &tip : *tips) {
            if (tip.remote)
                wanted.append({tip.name, tip.branch, tip.commit, false});
        }
    }
    const QByteArray program = programFingerprint();
    const LateCatalog catalog(loadCatalog);
    const Lister lister(catalog, cache, program, path);
    const auto results = QtConcurrent::blockingMapped<QList<std::optional<Result<QByteArray>>>>(
        wanted, [&lister](const Wanted &branch) { return std::optional(lister.list(branch)); });
    if (const std::optional<Error> broken = catalog.error())
        return *broken;
    BranchListing listing;
    QList<QByteArray> texts;
    for (qsizetype i = 0; i < results.size(); ++i) {
        const Result<QByteArray> &result = *results.at(i);
        if (!result) {
            listing.unread.append({wanted.at(i).name, result.error()});
            continue;
        }
        texts.append(*result);
        // No text within the document can hold this: its quotes would be escaped.
        listing.lineErrors = listing.lineErrors || !result->contains("\"line_error\":\"\"");
    }
    if (texts.isEmpty() && !listing.unread.isEmpty())
        return listing.unread.constFirst().error;
    listing.document = documentOf(opened->info.workTree, texts, listing.unread);
    return listing;
}

} // namespace tmx
