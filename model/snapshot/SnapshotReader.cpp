// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/SnapshotReader.h"

#include "model/audit/Audit.h"
#include "model/base/Parallel.h"
#include "model/base/Sentences.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/git/DiskFile.h"
#include "model/git/Repository.h"
#include "model/meaning/MeaningDifferences.h"
#include "model/settings/SettingsFile.h"
#include "model/snapshot/DiskCache.h"
#include "model/snapshot/RecipeLike.h"
#include "model/snapshot/WorkTreeId.h"

#include <QDataStream>
#include <QIODevice>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qsizetype maxBlobBytes = 64 * 1024 * 1024;

QByteArray bytesOf(const QList<DeletedFile> &deleted)
{
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out << deleted.size();
    for (const DeletedFile &one : deleted)
        out << one.path << one.commit << one.parent << one.subject << one.when;
    return bytes;
}

QList<DeletedFile> deletedIn(const QByteArray &bytes)
{
    QList<DeletedFile> deleted;
    QDataStream in(bytes);
    qsizetype count = 0;
    in >> count;
    while (deleted.size() < count && in.status() == QDataStream::Ok) {
        DeletedFile one;
        in >> one.path >> one.commit >> one.parent >> one.subject >> one.when;
        deleted.append(one);
    }
    return deleted;
}

/// An opened source.
struct Opened {
    const Repository &repository;
    QByteArray id;                                ///< identifies its recipes and settings
    std::shared_ptr<const BranchContent> content; ///< for a working tree; a commit's content is read when it is needed
};

Result<Opened> openSource(const Repository &repository, const BranchSource &source, BlobTexts *texts,
                          const WorkHooks &hooks)
{
    if (source.kind == BranchSource::Kind::WorkTree) {
        TM_TRY(content, readBranch(repository, {}, texts, hooks));
        QByteArray id = workTreeId(*content);
        return Opened{repository, std::move(id), std::make_shared<const BranchContent>(std::move(content).value())};
    }
    TM_TRY(id, recipesId(repository, source.commit, source.branch));
    return Opened{repository, id->toLatin1(), nullptr};
}

/// What a clone can tell of a commit's history: a shallow one ends early, and can be deepened later.
QByteArray historyKey(const CommitReader &reader, const QString &commit)
{
    const QStringList ends = reader.historyEnds();
    return (ends.isEmpty() ? commit : commit + u' ' + ends.join(u' ')).toLatin1();
}

QByteArray keyOf(const BranchSource &source, const CommitReader &reader, const QByteArray &content)
{
    return '\n' + source.repository.toUtf8() + '\n' + source.label.toUtf8() + '\n' + source.branch.toUtf8() + '\n' +
           historyKey(reader, source.commit) + '\n' + content;
}

/// The value with another commit and branch; the same object if they are equal.
template <class T>
std::shared_ptr<const T> movedTo(const std::shared_ptr<const T> &value, const QString &commit, const QString &branch)
{
    if (value->commit == commit && value->branch == branch)
        return value;
    auto moved = std::make_shared<T>(*value);
    moved->commit = commit;
    moved->branch = branch;
    return moved;
}

/// What was not read is no answer that may be kept.
bool isWhole(const BranchContent &content)
{
    return checkWhole(content, {}).ok();
}

bool isDeleted(const VariantEntry &entry)
{
    return entry.present && entry.fileStatus == FileStatus::Deleted && !entry.committed.isEmpty();
}

bool isAbsent(const VariantEntry &entry)
{
    return isDeleted(entry) ||
           (!entry.present && entry.state != RecipeState::Unsupported && (entry.covered || entry.hole));
}

/// Whether recipes of the same family, Python and build equal the template's text, and the template was not learned
/// from them.
bool followTemplate(const BranchSnapshot &snapshot, const Variant &variant)
{
    return !isLearned(snapshot.settings.profileOf(variant).templateName) &&
           std::ranges::any_of(snapshot.entries, [&variant](const VariantEntry &entry) {
               return entry.state == RecipeState::Current && ProfileKey::of(entry.variant) == ProfileKey::of(variant);
           });
}

/// What says that a text from the history, at `path`, builds another version than the recipes of the branch: "version,
/// src"; empty if nothing does. They are compared with what the template that was learned from them gives, else with
/// the likest.
QString otherSource(const BranchSnapshot &snapshot, const VariantEntry &entry, const QString &path,
                    const QByteArray &text)
{
    const auto in = [&](const QString &file, const QByteArray &bytes) {
        return snapshot.files ? snapshot.files->source(file, bytes) : RecipeSource(bytes);
    };
    QByteArray beside;
    QString file;
    int likeness = 0;
    for (const VariantEntry &other : snapshot.entries) {
        const Variant &a = other.variant, &b = entry.variant;
        const int here = a.family != b.family || !other.present ? 0
                                                                : 1 + (a.row == b.row) + 2 * (a.isa == b.isa) +
                                                                      4 * (ProfileKey::of(a) == ProfileKey::of(b));
        if (here > likeness) {
            likeness = here;
            beside = other.text;
            file = other.file;
        }
    }
    const bool fromBranch = isLearned(snapshot.settings.profileOf(entry.variant).templateName);
    if (!entry.rendered.isEmpty() && (fromBranch || beside.isEmpty())) {
        beside = entry.rendered;
        file = entry.file;
    }
    if (beside.isEmpty())
        return {};
    const RecipeSource now = in(file, beside), then = in(path, text);
    QStringList parts;
    for (const MeaningDifference &difference : meaningDifferences(now, readFacts(now), then, readFacts(then))) {
        const QString part = difference.path.section(u'.', 0, 0);
        if ((part == "src"_L1 || part == "version"_L1) && !parts.contains(part))
            parts.append(part);
    }
    return parts.join(u", "_s);
}

/// That a recipe of the family imports a file that is not valid Nix; null: none does.
const Finding *invalidImport(const BranchSnapshot &snapshot, const QString &family)
{
    for (const VariantEntry &entry : snapshot.entries) {
        const auto found = std::ranges::find(entry.findings, u"import-invalid"_s, &Finding::rule);
        if (entry.variant.family == family && found != entry.findings.cend())
            return &*found;
    }
    return nullptr;
}

/// An error that no recipe of the family has.
std::optional<Finding> ownError(const BranchSnapshot &snapshot, const QString &family, const QList<Finding> &findings)
{
    const auto isKnown = [&](const Finding &finding) {
        return std::ranges::any_of(snapshot.entries, [&](const VariantEntry &other) {
            return other.variant.family == family &&
                   std::ranges::any_of(other.findings, [&finding](const Finding &known) {
                       return known.rule == finding.rule && known.severity == Severity::Error;
                   });
        });
    };
    const auto error = std::ranges::find_if(
        findings, [&](const Finding &finding) { return finding.severity == Severity::Error && !isKnown(finding); });
    return error == findings.end() ? std::nullopt : std::optional(*error);
}

/// Adds the texts of recipes that people wrote and deleted, if the audit finds no errors in them with the current
/// settings, or can fix those that it finds: generating then restores the old recipe. `unread`: set if a text cannot be
/// read.
BranchSnapshot withDeletedTexts(const Catalog &catalog, const BranchSnapshot &read, const CommitReader &commits,
                                const QList<DeletedFile> &deletions, std::optional<Error> &unread)
{
    BranchSnapshot snapshot = read;
    QHash<QString, QByteArray> restored; // texts to generate, by file name
    for (const VariantEntry &entry : read.entries) {
        if (isAbsent(entry) && entry.covered && !entry.rendered.isEmpty())
            restored.insert(entry.variant.name() + u".nix"_s, entry.rendered);
    }
    const AuditInputs inputs(catalog, read);
    const auto isCompanion = [&catalog](const Variant &variant) {
        const Family *family = catalog.family(variant.family);
        return family && family->companion;
    };
    const auto restore = [&](VariantEntry &entry, const QString &path, const QByteArray &text, const QString &commit) {
        const auto say = [&entry](const QString &sentence) {
            entry.reason = joinedSentences({entry.reason, sentence});
        };
        AuditInput input = inputs.of(entry);
        input.file = path;
        input.text = text;
        if (isCompanion(entry.variant))
            input.siblings.insert(restored);
        const auto error = ownError(read, entry.variant.family, audit(input).findings);
        if (error) {
            // What has another pin is of another time, and more than the pin has changed since.
            if (!error->rule.startsWith("pin-"_L1))
                input.text = completed(input, Severity::Error);
            input.facts.reset();
            if (input.text == text || ownError(read, entry.variant.family, audit(input).findings))
                return say(
                    Tr::tr("Its text from commit %1 is not used: %2").arg(commit.left(10), placedSentence(*error)));
        }
        if (const QString other = otherSource(read, entry, path, input.text); !other.isEmpty())
            return say(Tr::tr("Its text from commit %1 is not used: it builds another source than the other recipes "
                              "of the branch (%2).")
                           .arg(commit.left(10), other));
        entry.rendered = input.text;
        entry.file = path; // NAME/default.nix names what it imports from there
        entry.renderError.clear();
        entry.restoredFrom = commit;
        entry.origin.clear();
        say(error ? Tr::tr("Its text comes from commit %1, with this mistake fixed: %2")
                        .arg(commit.left(10), placedSentence(*error))
                  : Tr::tr("Its text comes from commit %1.").arg(commit.left(10)));
        restored.insert(entry.variant.name() + u".nix"_s, input.text);
    };
    for (const bool companions : {false, true}) { // Companions import a PyTorch recipe that may be restored too.
        for (VariantEntry &entry : snapshot.entries) {
            if (isDeleted(entry) && entry.committed != entry.rendered && isCompanion(entry.variant) == companions)
                restore(entry, entry.file, entry.committed, read.commit);
        }
    }
    QList<DeletedFile> sorted = deletions;
    std::ranges::stable_partition(sorted, [&](const DeletedFile &deleted) {
        const auto entry = snapshot.entries.constFind(packageOf(deleted.path));
        return entry != snapshot.entries.cend() && !isCompanion(entry->variant);
    });
    for (const DeletedFile &deleted : std::as_const(sorted)) {
        const auto entry = snapshot.entries.find(packageOf(deleted.path));
        if (entry == snapshot.entries.end() || !isAbsent(*entry) || isDeleted(*entry) ||
            !entry->restoredFrom.isEmpty() || followTemplate(read, entry->variant))
            continue;
        // What the others build cannot be read then, so that nothing says whether the old text builds that, too.
        if (const Finding *invalid = invalidImport(read, entry->variant.family)) {
            entry->reason =
                joinedSentences({entry->reason, Tr::tr("Its text from commit %1 is not used: %2")
                                                    .arg(deleted.parent.left(10), placedSentence(*invalid))});
            continue;
        }
        const auto text = commits.fileAt(deleted.parent, deleted.path);
        if (!text)
            unread = text.error();
        const bool isOther = text && *text && (**text != entry->rendered || deleted.path != entry->file);
        if (isOther && (*text)->size() <= maxTextBytes && isText(**text))
            restore(*entry, deleted.path, **text, deleted.parent);
    }
    return snapshot;
}

} // namespace

struct SnapshotReader::Private {
    Private(const std::shared_ptr<const Catalog> &catalog, qsizetype keptRecipes)
        : recipes(catalog)
        , snapshots(keptRecipes)
    {
    }

    struct Made {
        std::shared_ptr<const BranchSnapshot> snapshot;
        std::shared_ptr<const BranchContent> content;
    };
    RecipeCache recipes;
    BlobTexts blobs{maxBlobBytes};
    RecentValues<QByteArray, Made> snapshots;

    Result<QList<DeletedFile>> deletions(const CommitReader &reader, const QString &commit, const WorkHooks &hooks)
    {
        constexpr int most = 1000;
        std::optional<Error> error;
        const QByteArray made = recipes.kept("deletions " + historyKey(reader, commit), [&] {
            const Catalog &catalog = *recipes.catalog();
            const QStringList isas = catalog.isaIds();
            QHash<QString, std::optional<VariantName>> places; // A history asks for the same paths repeatedly.
            const auto place = [&](const QString &path) {
                const auto known = places.constFind(path);
                return known != places.cend() ? *known
                                              : *places.insert(path, VariantName::parse(packageOf(path), isas));
            };
            const auto takesItsPlace = [&place](const QString &gone, const QString &come) {
                const auto old = place(gone);
                const auto now = place(come);
                return !old ||
                       (now && old->variant.family == now->variant.family && old->variant.row == now->variant.row &&
                        old->withoutSuffix().column() == now->withoutSuffix().column());
            };
            const auto found = reader.deletions(commit, recipeSelection(), takesItsPlace, most, hooks.stop);
            if (!found)
                error = found.error();
            return found && !hooks.stopped() ? bytesOf(*found) : QByteArray();
        });
        return error ? Result<QList<DeletedFile>>(*error) : deletedIn(made);
    }

    Result<std::shared_ptr<const BranchContent>> contentOf(const Opened &opened, const BranchSource &source,
                                                           const WorkHooks &hooks)
    {
        std::shared_ptr<const BranchContent> content = opened.content;
        if (!content) {
            TM_TRY(read, readCommit(opened.repository, source.commit, source.branch, &blobs, hooks));
            content = std::make_shared<const BranchContent>(std::move(read).value());
        }
        // Deleted recipes say what an inferred branch covers.
        const auto ignored = onlyIgnored(content->settingsFile.value_or(QByteArray()));
        const bool inferred = !content->settingsFile || !ignored || *ignored;
        if (!inferred || content->files.isEmpty() || content->commit.isEmpty())
            return content;
        const Result<QList<DeletedFile>> deleted = deletions(opened.repository, content->commit, hooks);
        if (deleted && deleted->isEmpty())
            return content;
        auto with = std::make_shared<BranchContent>(*content);
        if (deleted)
            with->deleted = *deleted;
        else
            with->deletedUnread = deleted.error();
        return std::shared_ptr<const BranchContent>(std::move(with));
    }
};

SnapshotReader::SnapshotReader(const std::shared_ptr<const Catalog> &catalog, qsizetype keptRecipes)
    : d(std::make_unique<Private>(catalog, keptRecipes))
{
}
SnapshotReader::~SnapshotReader() = default;

const std::shared_ptr<const Catalog> &SnapshotReader::catalog() const
{
    return d->recipes.catalog();
}

const RecipeCache &SnapshotReader::recipes() const
{
    return d->recipes;
}

Result<std::shared_ptr<const BranchContent>> SnapshotReader::content(const BranchSource &source, const WorkHooks &hooks,
                                                                     const Repository *repository) const
{
    if (!repository) {
        TM_TRY(own, Repository::open(source.repository));
        return content(source, hooks, &*own);
    }
    const Result<Opened> opened = openSource(*repository, source, &d->blobs, hooks);
    return opened ? d->contentOf(*opened, source, hooks) : opened.error();
}

Result<QList<DeletedFile>> SnapshotReader::deletions(const QString &repository, const QString &commit,
                                                     const WorkHooks &hooks) const
{
    if (commit.isEmpty())
        return QList<DeletedFile>();
    TM_TRY(reader, CommitReader::open(repository));
    return d->deletions(*reader, commit, hooks);
}

Result<void> checkWhole(const BranchContent &content, const QString &what)
{
    const auto unread = [&](const QString &path) {
        return Error{what, content.title(), Tr::tr("%1 could not be read").arg(path),
                     forSurface(Tr::tr("\"git fsck\" checks whether the repository is damaged."),
                                Tr::tr("Check the repository with Git."))};
    };
    for (const QList<VersionedFile> *files : {&content.files, &content.imported}) {
        if (const auto file = std::ranges::find_if(*files, &VersionedFile::unread); file != files->end())
            return unread(file->path);
    }
    if (content.settingsTrouble == FileTrouble::Unreadable)
        return unread(settingsFileName);
    if (content.torchUnread)
        return Error{what, content.title(), content.torchUnread->why, content.torchUnread->remedy};
    if (content.deletedUnread)
        return Error{what, content.title(), content.deletedUnread->why, content.deletedUnread->remedy};
    return {};
}

Result<ReadBranch> SnapshotReader::read(const BranchSource &source, const WorkHooks &hooks, Templates templates,
                                        const Repository *repository) const
{
    return readOne(source, hooks, templates, Keep::Yes, repository);
}

Result<ReadBranch> SnapshotReader::readOne(const BranchSource &asked, const WorkHooks &hooks, Templates templates,
                                           Keep keep, const Repository *repository) const
{
    if (hooks.stopped())
        return stoppedError();
    if (!repository) {
        TM_TRY(own, Repository::open(asked.repository));
        return readOne(asked, hooks, templates, keep, &*own);
    }
    TM_TRY(opened, openSource(*repository, asked, &d->blobs, hooks));
    BranchSource source = asked;
    if (opened->content) { // Another branch may have been checked out since the source was determined.
        if (source.label == source.branch)
            source.label = opened->content->branch;
        source.branch = opened->content->branch;
        source.commit = opened->content->commit;
    }
    const QByteArray key = opened->id + '\n' + source.branch.toUtf8() + '\n' + repository->workTree().toUtf8() + '\n' +
                           QByteArray::number(int(templates)) + '\n' + repository->historyEnds().join(u' ').toLatin1();
    std::optional<Private::Made> made = d->snapshots.find(key);
    if (!made) {
        TM_TRY(content, d->contentOf(*opened, source, hooks));
        BranchSnapshot snapshot = makeSnapshot(d->recipes, repository->workTree(), **content, templates, hooks);
        if (hooks.stopped())
            return stoppedError();
        made = Private::Made{std::make_shared<const BranchSnapshot>(std::move(snapshot)), *content};
        if (keep == Keep::Yes && isWhole(**content))
            d->snapshots.insert(key, *made, made->snapshot->entries.size() + 1);
        d->recipes.save();
    }
    if (templates == Templates::Rendered && std::ranges::any_of(made->snapshot->entries, isAbsent)) {
        const QByteArray withTexts = key + "\nrestored " + historyKey(*repository, source.commit);
        if (const std::optional<Private::Made> kept = d->snapshots.find(withTexts)) {
            made = kept;
        } else {
            const Result<QList<DeletedFile>> deleted =
                source.commit.isEmpty() ? QList<DeletedFile>() : d->deletions(*repository, source.commit, hooks);
            std::optional<Error> unread = deleted ? std::nullopt : std::optional(deleted.error());
            made->snapshot = std::make_shared<const BranchSnapshot>(withDeletedTexts(
                *catalog(), *made->snapshot, *repository, deleted ? *deleted : QList<DeletedFile>(), unread));
            if (unread) {
                auto content = std::make_shared<BranchContent>(*made->content);
                content->deletedUnread = unread;
                made->content = std::move(content);
            }
            if (hooks.stopped())
                return stoppedError();
            if (keep == Keep::Yes && isWhole(*made->content))
                d->snapshots.insert(withTexts, *made, made->snapshot->entries.size() + 1);
        }
    }
    // Another commit may have the same recipes: then everything made from them is still valid.
    return ReadBranch{source,
                      movedTo(made->snapshot, source.commit,
                              source.kind == BranchSource::Kind::WorkTree ? source.branch : source.label),
                      movedTo(made->content, source.commit, source.branch),
                      isWhole(*made->content) ? keyOf(source, *repository, opened->id) : QByteArray()};
}

Result<ReadBranch> SnapshotReader::read(const QString &path, const QString &branch, const WorkHooks &hooks,
                                        Templates templates) const
{
    TM_TRY(opened, openWithInfo(path));
    TM_TRY(source, branchNamed(*opened, path, branch));
    return read(*source, hooks, templates, &opened->repository);
}

BranchesReading SnapshotReader::readAll(const BranchSources &sources, const WorkHooks &hooks, Templates templates) const
{
    std::vector<std::optional<ReadBranch>> branches(size_t(sources.sources.size()));
    const auto take = [&](qsizetype i, const ReadBranch &branch) { branches[size_t(i)] = branch; };
    BranchesReading reading = readThem(sources, take, hooks, templates, Keep::Yes);
    for (const std::optional<ReadBranch> &branch : branches) {
        if (branch)
            reading.branches.append(*branch);
    }
    return reading;
}

BranchesReading SnapshotReader::readEach(const BranchSources &sources,
                                         const std::function<void(qsizetype, const ReadBranch &)> &take,
                                         const WorkHooks &hooks, Templates templates) const
{
    return readThem(sources, take, hooks, templates, Keep::No);
}

BranchesReading SnapshotReader::readThem(const BranchSources &sources,
                                         const std::function<void(qsizetype, const ReadBranch &)> &take,
                                         const WorkHooks &hooks, Templates templates, Keep keep) const
{
    std::atomic_int done = 0;
    std::vector<std::optional<Error>> errors(size_t(sources.sources.size()));
    inParallel(sources.sources.size(), [&](qsizetype i) {
        if (const Result<ReadBranch> branch = readOne(sources.sources.at(i), {{}, hooks.stop}, templates, keep))
            take(i, *branch);
        else
            errors[size_t(i)] = branch.error();
        if (!hooks.stopped())
            hooks.tell(++done, int(sources.sources.size()));
    });
    BranchesReading reading{sources.info.workTree, {}, sources.unread, sources.watchPaths, hooks.stopped()};
    for (qsizetype i = 0; i < sources.sources.size() && !reading.stopped; ++i) {
        if (errors[size_t(i)])
            reading.unread.append({sources.sources.at(i).label, *errors[size_t(i)]});
    }
    return reading;
}

const ReadBranch *BranchesReading::find(const QString &label) const
{
    const auto it = std::ranges::find(branches, label, [](const ReadBranch &branch) { return branch.source.label; });
    return it == branches.end() ? nullptr : &*it;
}

QList<Result<QByteArray>> keysOf(const QList<BranchSource> &sources, const DiskCache *cache)
{
    const QByteArray known = cache ? "fetches none 1\n" + programFingerprint() + '\n' : QByteArray();
    // To open a repository takes longer than to look at a commit: each core opens it once for its share of them.
    const auto cores = qsizetype(std::max(1U, std::thread::hardware_concurrency()));
    std::vector<QList<qsizetype>> lanes(static_cast<size_t>(cores));
    for (qsizetype i = 0; i < sources.size(); ++i) {
        if (sources.at(i).kind == BranchSource::Kind::WorkTree)
            lanes.insert(lanes.begin(), {i}); // which takes longest
        else
            lanes[lanes.size() - 1 - size_t(i * cores / sources.size())].append(i);
    }
    std::vector<std::optional<Result<QByteArray>>> keys(size_t(sources.size()));
    inParallel(qsizetype(lanes.size()), [&](qsizetype lane) {
        std::optional<Result<Repository>> repository;
        QString opened;
        for (const qsizetype i : std::as_const(lanes[size_t(lane)])) {
            const BranchSource &source = sources.at(i);
            std::optional<Result<QByteArray>> &key = keys[size_t(i)];
            if (std::exchange(opened, source.repository) != source.repository)
                repository.emplace(Repository::open(source.repository));
            if (!*repository) {
                key = repository->error();
                continue;
            }
            if (source.kind == BranchSource::Kind::WorkTree) {
                const Result<QByteArray> id = workTreeId(**repository, cache);
                key = id ? Result<QByteArray>(keyOf(source, **repository, *id)) : id.error();
                continue;
            }
            const bool wasNone = cache && cache->find(known + source.commit.toLatin1());
            bool isNone = wasNone;
            const Result<QString> found = recipesId(**repository, source.commit, source.branch, &isNone);
            if (cache && found && isNone && !wasNone)
                cache->insert(known + source.commit.toLatin1(), "1");
            key = found ? Result<QByteArray>(keyOf(source, **repository, found->toLatin1())) : found.error();
        }
    });
    QList<Result<QByteArray>> all;
    for (std::optional<Result<QByteArray>> &key : keys)
        all.append(*std::move(key));
    return all;
}

} // namespace tmx
