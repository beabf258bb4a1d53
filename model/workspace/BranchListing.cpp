// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/BranchListing.h"

#include "model/base/Parallel.h"
#include "model/base/Tr.h"
#include "model/builds/BuildRequest.h"
#include "model/builds/TeamBuilds.h"
#include "model/snapshot/DiskCache.h"

#include <QCryptographicHash>
#include <QDir>
#include <QJsonDocument>

#include <algorithm>
#include <vector>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QJsonObject settingsJson(const Settings &settings)
{
    return {{u"pytorch"_s, settings.versionOf(u"pytorch"_s)},
            {u"cuda"_s, QJsonArray::fromStringList(settings.toolkits())},
            {u"python"_s, QJsonArray::fromStringList(settings.pythons())},
            {u"nixpkgs"_s, settings.common(&Profile::pin).revision},
            {u"source"_s, toString(settings.source)}};
}

QJsonObject variantJson(const VariantEntry &entry, const BuildState &build)
{
    QJsonObject object = partsJson(entry.variant);
    object.insert(u"name"_s, entry.variant.name());
    object.insert(u"file"_s, entry.file);
    object.insert(u"recipe"_s, toString(entry.state));
    object.insert(u"build"_s, toString(build.phase));
    object.insert(u"hole"_s, entry.hole);
    object.insert(u"reason"_s, entry.reason);
    object.insert(u"facts"_s, entry.facts ? toJson(*entry.facts) : QJsonObject());
    object.insert(u"findings"_s, toJson(entry.findings));
    return object;
}

std::optional<ListedBranch> listedIn(const QByteArray &bytes)
{
    const QByteArray text = bytes.isEmpty() ? QByteArray() : qUncompress(bytes.sliced(1));
    return text.isEmpty() ? std::nullopt : std::optional(ListedBranch{text, bytes.startsWith('!')});
}

/// Compressed: a fifteenth of the JSON, so that the cache has room for two thousand branches.
QByteArray bytesOf(const ListedBranch &listed)
{
    return (listed.settingsError ? '!' : ' ') + qCompress(listed.text, 1);
}

struct Looked {
    bool cached = false; ///< the cache may have it, or get it
    std::optional<ListedBranch> listed;
    std::optional<Error> error;
};

/// What is known of a repository's builds, which changes while the recipes do not.
struct ListedBuilds {
    QList<JobRecord> jobs;
    OtherBuilds other;
    QByteArray stamp; ///< identifies what the states of builds come from; empty: there are none
    QByteArray links; ///< the names of the results in the working tree
};

ListedBuilds listedBuilds(const QString &workTree)
{
    ListedBuilds known{readJobs(stateFolder()), otherBuildsOf(workTree), {}, {}};
    known.jobs.removeIf(
        [of = canonicalRepository(workTree)](const JobRecord &record) { return record.job.repository != of; });
    known.links =
        QDir(workTree).entryList({u"result-*"_s}, QDir::AllEntries | QDir::System, QDir::Name).join(u'\n').toUtf8();
    QStringList facts;
    for (const JobRecord &record : std::as_const(known.jobs))
        facts.append(u"%1 %2 %3 %4"_s.arg(record.job.id, QString::number(int(record.phase)),
                                          QString::number(record.hasResult()),
                                          known.other.verified.value(record.job.id)));
    for (const Publication &one : std::as_const(known.other.publications))
        facts.append(
            u"%1 %2 %3 %4"_s.arg(one.package, one.blob, one.as, QString::number(one.when.toMSecsSinceEpoch())));
    for (const BuildRecord &record : std::as_const(known.other.elsewhere))
        facts.append(record.job);
    if (!facts.isEmpty())
        known.stamp = QCryptographicHash::hash(facts.join(u'\n').toUtf8(), QCryptographicHash::Sha256);
    return known;
}

/// The branches that the cache has. `keyOf`: of what a branch is listed as.
std::vector<Looked> lookedUp(const QList<BranchSource> &sources, const DiskCache &cache,
                             const std::function<QByteArray(qsizetype)> &keyOf)
{
    std::vector<Looked> looked(size_t(sources.size()));
    const QList<Result<QByteArray>> keys = keysOf(sources, &cache);
    inParallel(sources.size(), [&](qsizetype i) {
        if (!keys.at(i)) // the reader says why
            return;
        Looked &one = looked[size_t(i)];
        one.cached = true;
        if (const std::optional<QByteArray> bytes = cache.find(keyOf(i) + *keys.at(i)))
            one.listed = listedIn(*bytes);
    });
    return looked;
}

} // namespace

QJsonObject toJson(const RecipeFacts &facts)
{
    QJsonObject object;
    for (const Fact &fact : facts.rows())
        object.insert(fact.id, fact.value);
    return object;
}

QJsonObject toJson(const Finding &finding)
{
    return {{u"rule"_s, finding.rule},         {u"severity"_s, toString(finding.severity)},
            {u"sentence"_s, finding.sentence}, {u"file"_s, finding.file},
            {u"line"_s, finding.line},         {u"advice"_s, finding.advice},
            {u"fixable"_s, finding.fixable}};
}

QJsonArray toJson(const QList<Finding> &findings)
{
    QJsonArray array;
    for (const Finding &finding : findings)
        array.append(toJson(finding));
    return array;
}

QJsonObject branchJson(const BranchSnapshot &snapshot, const QHash<QString, BuildState> &builds,
                       const VariantFilter &filter)
{
    QMap<RecipeState, int> states;
    QJsonArray variants;
    for (const VariantEntry &entry : snapshot.entries) {
        if (!filter.accepts(entry.variant, snapshot.settings))
            continue;
        ++states[entry.state];
        variants.append(variantJson(entry, builds.value(entry.variant.name())));
    }
    QJsonObject counts;
    for (auto it = states.begin(); it != states.end(); ++it)
        counts.insert(toString(it.key()), it.value());
    return {{u"name"_s, snapshot.branch},
            {u"commit"_s, snapshot.commit},
            {u"line"_s, settingsJson(snapshot.settings)},
            {u"line_error"_s, snapshot.settingsError ? snapshot.settingsError->sentence() : QString()},
            {u"counts"_s, counts},
            {u"matrix"_s, snapshot.hasMatrix()},
            {u"packages"_s, QJsonArray::fromStringList(snapshot.packages.keys())},
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

ListingForm jsonForm(const VariantFilter &filter)
{
    return {filter.isEmpty() ? "json\n" : QByteArray(), true,
            [filter](const std::shared_ptr<const Catalog> &, const std::shared_ptr<const BranchSnapshot> &snapshot,
                     const QHash<QString, BuildState> &builds) {
                return QJsonDocument(branchJson(*snapshot, builds, filter)).toJson(QJsonDocument::Compact);
            }};
}

bool BranchListing::hasSettingsErrors() const
{
    return std::ranges::any_of(branches, &ListedBranch::settingsError);
}

QByteArray BranchListing::document() const
{
    // One line per branch: several megabytes are written as they are, and grep can search them.
    const auto array = [](const QJsonArray &values) { return QJsonDocument(values).toJson(QJsonDocument::Compact); };
    const QByteArray path = array({repository});
    QByteArrayList lines;
    for (const ListedBranch &branch : branches)
        lines.append(branch.text);
    return "{\"repository\":" + path.sliced(1, path.size() - 2) + ",\n\"errors\":" + array(toJson(unread)) +
           ",\n\"branches\":[\n" + lines.join(",\n") + "\n]}\n";
}

Result<BranchListing> listBranches(const std::function<Result<std::shared_ptr<const Catalog>>()> &loadCatalog,
                                   const BranchSources &sources, const ListingForm &form, const DiskCache &cache)
{
    const QString &workTree = sources.info.workTree;
    const ListedBuilds known = form.builds ? listedBuilds(workTree) : ListedBuilds();
    const auto keyOf = [&, key = programFingerprint() + form.key + known.stamp](qsizetype i) {
        return sources.sources.at(i).kind == BranchSource::Kind::WorkTree ? key + known.links : key;
    };
    std::vector<Looked> looked = form.key.isEmpty() ? std::vector<Looked>(size_t(sources.sources.size()))
                                                    : lookedUp(sources.sources, cache, keyOf);
    QList<qsizetype> left;
    for (qsizetype i = 0; i < sources.sources.size(); ++i) {
        if (!looked[size_t(i)].listed)
            left.append(i);
    }
    if (!left.isEmpty()) {
        TM_TRY(catalog, loadCatalog());
        // Each branch is read once, and only its text is kept: memory may not hold all branches.
        const SnapshotReader reader(*catalog, 0);
        inParallel(left.size(), [&](qsizetype i) {
            Looked &one = looked[size_t(left.at(i))];
            const Result<ReadBranch> branch = reader.read(sources.sources.at(left.at(i)));
            if (!branch) {
                one.error = branch.error();
                return;
            }
            // It is listed all the same.
            const Result<void> whole = checkWhole(*branch->content, Tr::tr("read"));
            one.error = whole ? std::nullopt : std::optional(whole.error());
            const BranchSnapshot &snapshot = *branch->snapshot;
            // The dates of files tell what such a result is of, and the key does not have them.
            bool byLinks = false;
            const auto builds =
                form.builds ? buildStates(snapshot, known.jobs, known.other, &byLinks) : QHash<QString, BuildState>();
            one.listed = {form.text(*catalog, branch->snapshot, builds), snapshot.settingsError.has_value()};
            if (one.cached && !byLinks && !branch->key.isEmpty()) // The branch may have changed since it was looked up.
                cache.insert(keyOf(left.at(i)) + branch->key, bytesOf(*one.listed));
        });
    }

    BranchListing listing{workTree, {}, sources.unread};
    for (size_t i = 0; i < looked.size(); ++i) {
        if (looked[i].error)
            listing.unread.append({sources.sources.at(qsizetype(i)).label, *looked[i].error});
        if (looked[i].listed)
            listing.branches.append(*std::move(looked[i].listed));
    }
    if (listing.branches.isEmpty() && !listing.unread.isEmpty())
        return listing.unread.constFirst().error;
    return listing;
}

} // namespace tmx
