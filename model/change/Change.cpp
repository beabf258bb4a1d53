// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Change.h"

#include "model/audit/Audit.h"
#include "model/audit/BranchRules.h"
#include "model/audit/Fix.h"
#include "model/base/Sentences.h"
#include "model/base/Surface.h"
#include "model/base/TerminalText.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/change/Dropped.h"
#include "model/change/Library.h"
#include "model/change/Makers.h"
#include "model/change/Readme.h"
#include "model/change/ReplacedPins.h"
#include "model/change/StatedPins.h"
#include "model/git/CommitReader.h"
#include "model/git/RecipePath.h"
#include "model/settings/SettingsFile.h"
#include "model/snapshot/NamedRecipe.h"
#include "model/snapshot/RecipeLike.h"

#include <QDir>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;
using Action = tmx::ChangeAction;

namespace tmx {

namespace {

/// Reads a branch; the error is that of the first recipe that could not be read.
Result<ReadBranch> readWhole(const SnapshotReader &reader, const QString &path, const QString &branch,
                             const QString &what, const WorkHooks &hooks)
{
    Result<ReadBranch> read = reader.read(path, branch, hooks);
    if (!read)
        return read;
    const Result<void> whole = checkWhole(*read->content, what);
    return whole ? std::move(read) : whole.error();
}

/// A further error: torch-matrix.toml cannot be read, so the settings are not the branch's own.
Result<ReadBranch> readKnown(const SnapshotReader &reader, const QString &path, const QString &branch,
                             const QString &what, const WorkHooks &hooks)
{
    Result<ReadBranch> read = readWhole(reader, path, branch, what, hooks);
    if (read && read->snapshot->lineError)
        return unreadSettings(what, read->snapshot->branch, *read->snapshot->lineError);
    return read;
}

/// The committed content of a branch (or any revision), whatever is in the working tree.
Result<std::shared_ptr<const BranchContent>> committedContent(const SnapshotReader &reader, const QString &path,
                                                              const QString &branch, const WorkHooks &hooks)
{
    const Result<BranchSource> checkedOut = branch.isEmpty() ? branchNamed(path) : BranchSource{.branch = branch};
    const Result<CommitReader> commits = CommitReader::open(path);
    if (!checkedOut || !commits)
        return checkedOut ? commits.error() : checkedOut.error();
    const QString name = checkedOut->branch;
    TM_TRY(commit, commits->commitOf(name.isEmpty() ? u"HEAD"_s : name));
    return reader.content({BranchSource::Kind::Commit, name, name, *commit, path}, hooks);
}

/// Why the name is not possible for a new branch.
std::optional<Error> refusalOf(const QString &path, const QString &name)
{
    if (name.isEmpty())
        return Error{Tr::tr("create the branch"), {}, Tr::tr("it has no name yet"), {}};
    const Result<Repository> repository = Repository::open(path);
    const Result<void> isFree = repository ? repository->checkNewBranch(name) : repository.error();
    return isFree ? std::nullopt : std::optional(isFree.error());
}

/// Whether both fetch PyTorch recipes from the same commit: then what was read of it is what companions would import.
bool sameTorch(const Settings &a, const Settings &b)
{
    QSet<QString> revisions[2];
    for (const Profile &profile : a.profiles)
        revisions[0].insert(profile.torchRepository.revision);
    for (const Profile &profile : b.profiles)
        revisions[1].insert(profile.torchRepository.revision);
    return revisions[0] == revisions[1];
}

Result<QList<ChangeSet>> alone(Result<ChangeSet> changes)
{
    if (!changes)
        return changes.error();
    return QList<ChangeSet>{std::move(changes).value()};
}

QString summaryOfRecipes(const ChangeSet &changes)
{
    QMap<Action, int> counts;
    int left = 0;
    for (const ChangedFile &file : changes.files) {
        if (file.name.isEmpty())
            continue;
        counts[file.action] += file.chosen || file.action == Action::Keep;
        left += file.action == Action::Rewrite && !file.chosen;
    }
    QStringList parts;
    // Only the first says of what it is the number.
    const auto add = [&parts](int count, const char *first, const char *further) {
        if (count > 0)
            parts.append(Tr::tr(parts.isEmpty() ? first : further, nullptr, count));
    };
    add(counts.value(Action::Create), QT_TRANSLATE_N_NOOP("tmx::Tr", "%n recipes created"),
        QT_TRANSLATE_N_NOOP("tmx::Tr", "%n created"));
    add(counts.value(Action::Rewrite), QT_TRANSLATE_N_NOOP("tmx::Tr", "%n recipes rewritten"),
        QT_TRANSLATE_N_NOOP("tmx::Tr", "%n rewritten"));
    add(counts.value(Action::Rename), QT_TRANSLATE_N_NOOP("tmx::Tr", "%n recipes renamed"),
        QT_TRANSLATE_N_NOOP("tmx::Tr", "%n renamed"));
    add(counts.value(Action::Delete), QT_TRANSLATE_N_NOOP("tmx::Tr", "%n recipes deleted"),
        QT_TRANSLATE_N_NOOP("tmx::Tr", "%n deleted"));
    add(counts.value(Action::Keep), QT_TRANSLATE_N_NOOP("tmx::Tr", "%n recipes stay as they are"),
        QT_TRANSLATE_N_NOOP("tmx::Tr", "%n stay as they are"));
    add(left, QT_TRANSLATE_N_NOOP("tmx::Tr", "%n recipes unchanged unless ticked"),
        QT_TRANSLATE_N_NOOP("tmx::Tr", "%n unchanged unless ticked"));
    for (const ChangedFile &file : changes.files) {
        if (file.name.isEmpty() && file.chosen)
            parts.append((file.before ? Tr::tr("%1 changed") : Tr::tr("%1 written")).arg(file.path));
    }
    return parts.isEmpty() ? Tr::tr("Nothing changes.")
                           : joinedSentences({withFullStop(parts.join(u", "_s)), replacedPinsText(changes)});
}

QString pathAfter(const ChangedFile &file)
{
    return file.newPath.isEmpty() ? file.path : file.newPath;
}

QString fileNameOf(const QString &path)
{
    return path.section(u'/', -1);
}

/// The texts of the recipes after the change, by file name. `there`: before the change.
QHash<QString, QByteArray> textsAfter(const ChangeSet &changes, const QHash<QString, QByteArray> &there)
{
    QHash<QString, QByteArray> afterwards = there;
    for (const ChangedFile &file : changes.files) {
        if (file.name.isEmpty() || !(file.chosen || file.action == Action::Keep))
            continue;
        if (file.chosen)
            afterwards.remove(fileNameOf(file.path));
        if (file.after)
            afterwards.insert(fileNameOf(pathAfter(file)), *file.after);
    }
    return afterwards;
}

/// The audit's input for a recipe after the change; nullopt if it does not exist then.
std::optional<AuditInput> inputAfter(const Catalog &catalog, const ChangedFile &file,
                                     const QHash<QString, QByteArray> &afterwards)
{
    const auto named = VariantName::parse(file.name, catalog.isaIds());
    if (!file.after || !named)
        return std::nullopt;
    AuditInput input{.variant = named->variant, .file = pathAfter(file), .text = *file.after};
    if (const Family *family = catalog.family(named->variant.family); family && family->companion)
        input.siblings = afterwards;
    return input;
}

/// The files that recipes import, after the change.
std::shared_ptr<const RecipeFiles> withImported(const std::shared_ptr<const RecipeFiles> &files,
                                                const ChangeSet &changes)
{
    QMap<QString, QByteArray> texts;
    QSet<QString> named; // by recipes: also recipes beside them, which the change creates or renames
    for (const ChangedFile &file : changes.files) {
        if (file.isImported() && file.after)
            texts.insert(file.path, *file.after);
        else if (file.chosen && file.after && file.after->contains("./"))
            for (const QString &path : pathsNamedIn(pathAfter(file), *file.after))
                named.insert(path);
    }
    for (const ChangedFile &file : changes.files) {
        const bool isNew = file.before != file.after || !file.newPath.isEmpty();
        if (file.chosen && file.after && isNew && named.contains(pathAfter(file)))
            texts.insert(pathAfter(file), *file.after);
    }
    if (texts.isEmpty())
        return files;
    return files ? files->with(texts) : RecipeFiles({}).with(texts);
}

/// Fixes errors that recipes bring from another branch in place, if possible. `warnings` name these recipes, and the
/// unchanged ones that cannot be fixed. `keepPins`: another nixpkgs than the settings' is left.
void fixCarried(const RecipeCache &recipes, ChangeSet &changes, const QHash<QString, QByteArray> &fetched,
                const BranchContent &from, bool keepPins)
{
    const QHash<QString, QByteArray> afterwards = textsAfter(changes, fetched);
    const std::shared_ptr<const RecipeFiles> files = withImported(from.committedFiles, changes);
    QStringList rules;
    QStringList names;
    QStringList brought; // unchanged recipes with errors
    for (ChangedFile &file : changes.files) {
        const bool same = file.before && file.before == file.after;
        std::optional<AuditInput> input = (file.chosen && file.before) || file.action == Action::Keep
                                              ? inputAfter(*recipes.catalog(), file, afterwards)
                                              : std::nullopt;
        if (!input)
            continue;
        input->files = files;
        bool left = false;
        const QList<Judgement> judged = recipes.audited(*changes.settings, {*input});
        for (const Finding &finding : judged.constFirst().findings) {
            if (finding.severity != Severity::Error)
                continue;
            input->catalog = recipes.catalog().get();
            input->line = &*changes.settings;
            const bool isKept = keepPins && finding.rule == "pin-other"_L1;
            const Result<QByteArray> text = finding.fixable && finding.file.isEmpty() && !isKept
                                                ? fixedText(*input, finding)
                                                : Result<QByteArray>(Error{{}, {}, {}, {}});
            if (!text) {
                left = true;
                continue;
            }
            if (file.action == Action::Keep) {
                file.action = Action::Rewrite;
                file.chosen = true;
                file.possible = false;
                file.reason = Tr::tr("It has an error, which is fixed in place.");
            }
            file.after = input->text = *text;
            rules.append(finding.rule);
            names.append(file.name);
        }
        if (left && same)
            brought.append(file.name);
    }
    rules.removeDuplicates();
    names.removeDuplicates();
    if (!names.isEmpty())
        changes.warnings.append(
            Tr::tr("%n recipes had errors that are fixed in place (%1): %2.", nullptr, int(names.size()))
                .arg(rules.join(u", "_s), names.join(u", "_s)));
    if (!brought.isEmpty())
        changes.warnings.append(Tr::tr("%n recipes stay as they are, with errors that they have on %1 too: %2.",
                                       nullptr, int(brought.size()))
                                    .arg(from.title(), someOf(brought)));
}

/// Adds a recipe's new warnings to `doubtful`, by rule.
void addNewWarnings(QMap<QString, QStringList> &doubtful, const ChangedFile &file, const QList<Finding> &after,
                    const QList<Finding> &before)
{
    for (const Finding &finding : after) {
        const bool known = file.before && std::ranges::find(before, finding.rule, &Finding::rule) != before.end();
        if (finding.severity != Severity::Warning || known || finding.rule == "toolkit-not-selected"_L1)
            continue;
        QStringList &said = doubtful[finding.rule];
        if (said.isEmpty())
            said.append(joinedSentences({placedSentence(finding), finding.advice}));
        if (!said.mid(1).contains(file.name))
            said.append(file.name);
    }
}

/// Whether the working tree's settings differ from the commit's.
bool settingsDiffer(const QString &path, const ReadBranch &read)
{
    if (!read.content->withWorkTree)
        return false;
    const Result<CommitReader> commits = CommitReader::open(path);
    const auto committed = commits && !read.snapshot->commit.isEmpty()
                               ? commits->fileAt(read.snapshot->commit, settingsFileName)
                               : Result<std::optional<QByteArray>>(std::optional<QByteArray>());
    return committed && *committed != read.content->lineFile;
}

bool removes(const ChangedFile &file)
{
    return file.chosen && (file.action == Action::Delete || file.action == Action::Rename);
}

/// Adds warnings for companions that take torch from a recipe next to them which the change removes.
void nameBereaved(const RecipeCache &recipes, ChangeSet &changes, const QHash<QString, QByteArray> &there)
{
    QSet<QString> removed;
    QHash<QString, QByteArray> afterwards = there;
    for (const ChangedFile &file : std::as_const(changes.files)) {
        if (removes(file)) {
            removed.insert(fileNameOf(file.path));
            afterwards.remove(fileNameOf(file.path));
        }
    }
    for (const ChangedFile &file : std::as_const(changes.files)) {
        if (file.chosen && file.after)
            afterwards.insert(fileNameOf(pathAfter(file)), *file.after);
    }
    if (removed.isEmpty())
        return;
    QStringList bereaved;
    QString first; // the recipe that they miss
    for (auto it = afterwards.cbegin(); it != afterwards.cend(); ++it) {
        const std::shared_ptr<const RecipeFacts> facts = recipes.facts(*it);
        const TorchSource &torch = facts->torch;
        if (torch.kind != TorchSource::Kind::Sibling || !removed.contains(torch.file) ||
            afterwards.contains(torch.file))
            continue;
        bereaved.append(it.key());
        first = first.isEmpty() || torch.file < first ? torch.file : first;
    }
    bereaved.sort();
    if (!bereaved.isEmpty())
        changes.warnings.append(
            Tr::tr("%n recipes take torch from %1 and others that are deleted: %2.", nullptr, int(bereaved.size()))
                .arg(first, someOf(bereaved)));
}

/// The recipes and pins of the branch after the change.
Documented documentedAfter(const RecipeCache &recipes, const BranchSnapshot &snapshot, const ChangeSet &changes)
{
    Documented after{.branch = snapshot.branch, .recipes = {}, .pins = {}};
    const std::shared_ptr<const RecipeFiles> imported = withImported(snapshot.files, changes);
    const auto factsOf = [&](const QString &path, const QByteArray &text) {
        return recipes.facts(imported ? imported->source(path, text) : RecipeSource(text));
    };
    const auto add = [&](const Variant &variant, const std::shared_ptr<const RecipeFacts> &facts) {
        after.recipes.append(variant);
        for (const PinFacts &pin : facts->pins) {
            if (!after.pins.contains(pin.revision.value))
                after.pins.append(pin.revision.value);
        }
    };
    QHash<QString, const ChangedFile *> files; // of thousands
    for (const ChangedFile &file : std::as_const(changes.files))
        files.insert(file.path, &file);
    for (const VariantEntry &entry : snapshot.entries) {
        const ChangedFile *file = files.value(entry.file);
        const bool isChosen = file && file->chosen;
        if (!entry.present || entry.fileStatus == FileStatus::Deleted || (isChosen && file->action == Action::Delete))
            continue;
        const bool isSame = !(isChosen && file->after) && imported == snapshot.files && entry.facts;
        add(entry.variant,
            isSame ? entry.facts : factsOf(entry.file, isChosen && file->after ? *file->after : entry.text));
    }
    for (const ChangedFile &file : std::as_const(changes.files)) {
        const VariantEntry *entry = snapshot.find(file.name);
        const auto named = VariantName::parse(file.name, recipes.catalog()->isaIds());
        if (file.chosen && file.after && file.action == Action::Create && named && !(entry && entry->present))
            add(named->variant, factsOf(file.path, *file.after));
    }
    return after;
}

/// Adds lines of a document that will not be true: certain edits as a file of the commit, else warnings. `known`: the
/// sentences about lines that are not true already.
void addDocument(const OutdatedDocument &document, const QStringList &known, ChangeSet &changes)
{
    Edits edits;
    QStringList sentences, unclear;
    for (const OutdatedLine &line : document.lines) {
        if (line.finding.rule == pinUnclearRule) {
            unclear.append(QString::number(line.finding.line));
            continue;
        }
        if (known.contains(line.finding.sentence))
            continue;
        const QString sentence = Tr::tr("Line %1: %2").arg(line.finding.line).arg(line.finding.sentence);
        const bool isWritten = changes.until == ChangeSet::Until::Commit && document.isClean && !line.edits.isEmpty();
        edits += isWritten ? line.edits : Edits();
        if (isWritten)
            sentences.append(sentence);
        else
            changes.warnings.append(u"%1: %2"_s.arg(document.path, joinedSentences({sentence, line.finding.advice})));
    }
    if (!unclear.isEmpty())
        changes.warnings.append(Tr::tr("%1 names a nixpkgs that is replaced, and is not changed in %n lines that may "
                                       "be about something else: %2.",
                                       nullptr, int(unclear.size()))
                                    .arg(document.path, unclear.join(u", "_s)));
    if (!edits.isEmpty())
        changes.files.append({.action = Action::Rewrite,
                              .path = document.path,
                              .before = document.text,
                              .after = edited(document.text, edits),
                              .reason = sentences.join(u' '),
                              .group = Tr::tr("Documents"),
                              .chosen = true});
}

/// Adds what documents say about the branch and will not be true after the change. A plan takes what is not true
/// already, too.
void addDocuments(const RecipeCache &recipes, const ReadBranch &read, ChangeSet &changes, bool isPlan)
{
    const Documented before = documentedBy(*recipes.catalog(), *read.snapshot);
    Documented after = documentedAfter(recipes, *read.snapshot, changes);
    const bool same = before.recipes == after.recipes && before.pins == after.pins;
    if (same && !isPlan)
        return;
    namePackages(*recipes.catalog(), after);
    after.formerPins = before.pins;
    after.formerPins.removeIf([&after](const QString &pin) { return pin.isEmpty() || after.pins.contains(pin); });
    after.newPins = after.pins;
    after.newPins.removeIf([&before](const QString &pin) { return before.pins.contains(pin); });
    const auto documents = outdatedDocuments(read.source, after);
    if (!documents) {
        changes.refusal = changes.refusal ? changes.refusal : documents.error();
        return;
    }
    for (const OutdatedDocument &document : *documents) {
        QStringList known;
        for (const OutdatedLine &line : isPlan ? QList<OutdatedLine>() : auditDocument(document.text, before))
            known.append(line.finding.sentence);
        addDocument(document, known, changes);
    }
}

/// Adds the entries that new recipes need to the tables that they import. A recipe for which that is impossible, or
/// that is not what its name promises, is not chosen; returns why the first one is not.
std::optional<Error> completeTables(const RecipeCache &recipes, const ReadBranch &read, Library &library,
                                    ChangeSet &changes)
{
    std::optional<Error> first;
    for (ChangedFile &file : changes.files) {
        const auto named = VariantName::parse(file.name, recipes.catalog()->isaIds());
        if (file.action != Action::Create || !file.chosen || !file.after || !named)
            continue;
        QMap<QString, QByteArray> texts;
        const auto files = filesOfNew(recipes, *read.snapshot, library.files(), named->variant, *file.after, &texts);
        std::optional<Error> error = files ? std::nullopt : std::optional(files.error());
        for (auto it = texts.cbegin(); it != texts.cend() && !error; ++it)
            error = library.rewrite(it.key(), *it, newEntriesReason());
        if (!error)
            continue;
        file.chosen = file.possible = false;
        file.reason = joinedSentences({file.reason, error->sentence()});
        first = first ? first : error;
    }
    changes.files += library.changedFiles();
    return first;
}

QStringList errorSentences(const QList<Finding> &findings)
{
    QStringList sentences;
    for (const Finding &finding : findings) {
        if (finding.severity == Severity::Error)
            sentences.append(placedSentence(finding));
    }
    return sentences;
}

/// "550.54 → 570.26" if one line changes, else the number of lines.
QString changeText(const QByteArray &before, const QByteArray &after, qsizetype longest)
{
    const QList<QByteArray> old = before.split('\n'), now = after.split('\n');
    const qsizetype shorter = std::min(old.size(), now.size());
    qsizetype top = 0, bottom = 0;
    while (top < shorter && old.at(top) == now.at(top))
        ++top;
    while (bottom < shorter - top && old.at(old.size() - 1 - bottom) == now.at(now.size() - 1 - bottom))
        ++bottom;
    const qsizetype lines = std::max(old.size(), now.size()) - top - bottom;
    if (lines != 1 || old.size() != now.size())
        return Tr::tr("%n lines", nullptr, int(lines));
    const QString a = QString::fromUtf8(old.at(top)), b = QString::fromUtf8(now.at(top));
    const auto inWord = [](QChar c) { return c.isLetterOrNumber() || c == u'.' || c == u'_' || c == u'-'; };
    qsizetype left = 0, right = 0;
    while (left < std::min(a.size(), b.size()) && a.at(left) == b.at(left))
        ++left;
    while (right < std::min(a.size(), b.size()) - left && a.at(a.size() - 1 - right) == b.at(b.size() - 1 - right))
        ++right;
    while (left > 0 && inWord(a.at(left - 1)))
        --left;
    while (right > 0 && inWord(a.at(a.size() - right)))
        --right;
    const auto part = [&](const QString &line) {
        const QString text = line.sliced(left, line.size() - left - right).trimmed();
        return text.isEmpty() ? Tr::tr("nothing") : text.size() > longest ? text.left(longest) + u'…' : text;
    };
    return Tr::tr("%1 \u2192 %2", "before, after").arg(part(a), part(b));
}

} // namespace

std::optional<QByteArray> textIn(const BranchContent &content, const QString &path)
{
    for (const QList<RecipeFile> *files : {&content.files, &content.imported}) {
        const auto file = std::ranges::find(*files, path, &RecipeFile::path);
        if (file != files->end())
            return content.withWorkTree ? file->onDisk : file->committed;
    }
    return std::nullopt;
}

ChangeSet changeOf(const BranchSnapshot &snapshot, ChangeSet::Until until)
{
    ChangeSet changes;
    changes.branch = snapshot.branch;
    changes.parentCommit = snapshot.commit;
    changes.until = until;
    changes.settings = snapshot.line;
    return changes;
}

namespace {

/// prepare(), an overload for each kind of request.
class Preparation
{
public:
    using Changes = Result<QList<ChangeSet>>;

    Preparation(const SnapshotReader &reader, const QString &path, const WorkHooks &hooks)
        : m_reader(reader)
        , m_path(path)
        , m_hooks(hooks)
    {
    }

    Changes operator()(const GenerateRequest &asked) const
    {
        const Result<ReadBranch> read = asked.all
                                            ? readWhole(m_reader, m_path, asked.branch, Tr::tr("generate on"), m_hooks)
                                            : m_reader.read(m_path, asked.branch, m_hooks);
        if (!read)
            return alone(read.error());
        Result<ChangeSet> changes = generated(recipes(), *read->snapshot, asked);
        if (changes) {
            // What was named is made or refused; of all that is missing, what can be made.
            Library library(recipes(), *read->content, read->content->shownFiles);
            if (auto error = completeTables(recipes(), *read, library, changes.value()); error && !asked.all)
                return alone(*std::move(error));
            else if (error)
                changes->warnings.append(error->sentence());
        }
        return checked(std::move(changes), *read);
    }

    Changes operator()(const CommitRequest &asked) const
    {
        const Result<ReadBranch> read = m_reader.read(m_path, {}, m_hooks);
        return alone(read ? committed(*read->snapshot, asked) : read.error());
    }

    Changes operator()(const StageRequest &asked) const
    {
        const Result<ReadBranch> read = m_reader.read(m_path, {}, m_hooks);
        return alone(read ? staged(*read->snapshot, asked) : read.error());
    }

    Changes operator()(const DeleteRequest &asked) const
    {
        const Result<ReadBranch> read = m_reader.read(m_path, asked.branch, m_hooks);
        return read ? withBereaved(deleted(*read->snapshot, asked), *read->snapshot) : alone(read.error());
    }

    Changes operator()(const DiscardRequest &asked) const
    {
        const Result<ReadBranch> read = m_reader.read(m_path, {}, m_hooks);
        return read ? withBereaved(discarded(*read->snapshot, asked), *read->snapshot) : alone(read.error());
    }

    Changes operator()(const PlanRequest &asked) const
    {
        const Result<ReadBranch> read = readKnown(m_reader, m_path, asked.branch, Tr::tr("plan"), m_hooks);
        if (!read)
            return alone(read.error());
        if (!read->snapshot->hasMatrix())
            return alone(noMatrix(Tr::tr("plan"), read->snapshot->branch));
        Library library(recipes(), *read->content, read->content->shownFiles);
        ChangeSet changes = repaired(recipes(), *read->snapshot, *read->content, library);
        completeTables(recipes(), *read, library, changes);
        for (const Finding &finding : auditSettings(*recipes().catalog(), read->snapshot->line))
            changes.warnings.append(u"%1: %2 %3"_s.arg(settingsFileName, finding.sentence, finding.advice));
        if (!changes.isEmpty() && settingsDiffer(m_path, *read))
            changes.warnings.append(Tr::tr("%1 has uncommitted changes, which are not part of this plan's "
                                           "commit. Commit it as well.")
                                        .arg(settingsFileName));
        return checked(std::move(changes), *read, true);
    }

    Changes operator()(const FixRequest &asked) const
    {
        const Result<ReadBranch> read = asked.rule.isEmpty()
                                            ? m_reader.read(m_path, asked.branch, m_hooks)
                                            : readWhole(m_reader, m_path, asked.branch, Tr::tr("fix"), m_hooks);
        if (!read)
            return alone(read.error());
        auto changes = checked(fixed(recipes(), *read->snapshot, *read->content, asked), *read);
        // A change in place leaves what the recipe says about its settings.
        if (changes && asked.way == FixWay::InPlace)
            changes.value().first().errors.clear();
        return changes;
    }

    Changes operator()(const DeriveRequest &asked) const
    {
        const auto content = committedContent(m_reader, m_path, asked.from, m_hooks.part(0, 10));
        if (!content)
            return alone(content.error());
        if (const Result<void> whole = checkWhole(**content, Tr::tr("derive from")); !whole)
            return alone(whole.error());
        const QStringList isas = recipes().catalog()->isaIds();
        const auto isVariant = [&isas](const RecipeFile &file) {
            const auto name = VariantName::parse(packageOf(file.path), isas);
            return name && !name->uncertain;
        };
        if (!(*content)->lineFile && std::ranges::none_of((*content)->files, isVariant))
            return alone(noMatrix(Tr::tr("derive from"), (*content)->branch));
        // The changes can be shown even if the name is wrong or not known yet.
        DeriveRequest named = asked;
        named.name = asked.name.isEmpty() ? u"new"_s : asked.name;
        Result<ChangeSet> changes = derived(recipes(), **content, named, m_hooks);
        if (!changes)
            return alone(changes.error());
        if (auto refusal = refusalOf(m_path, asked.name))
            changes->refusal = std::move(refusal);
        const Settings former = settingsFor(recipes(), **content);
        findOutdated(m_path, former, changes.value());
        const auto fetched =
            sameTorch(former, *changes->settings) ? (*content)->fetchedTorch : QHash<QString, QByteArray>();
        if (asked.change != SettingsChange{})
            fixCarried(recipes(), changes.value(), fetched, **content, !asked.change.onlyPin().isEmpty());
        tellPins(changes.value(), (*content)->committedFiles);
        replaceStatedPins(changes.value(), **content, asked.change, true);
        tellPins(changes.value(), (*content)->committedFiles);
        nameFollowing(changes.value(), **content, (*content)->committedFiles);
        refusePins(changes.value(), asked.change);
        check(recipes(), changes.value(), former, fetched, (*content)->committedFiles);
        return alone(std::move(changes));
    }

    Changes operator()(const MigrateRequest &asked) const
    {
        const Result<ReadBranch> read =
            readKnown(m_reader, m_path, asked.branch, Tr::tr("migrate"), m_hooks.part(0, 70));
        if (!read)
            return alone(read.error());
        if (!read->snapshot->hasMatrix())
            return alone(noMatrix(Tr::tr("migrate"), read->snapshot->branch));
        Result<ChangeSet> changes =
            migrated(recipes(), *read->snapshot, *read->content, asked.change, asked.inPlace, m_hooks.part(70, 100));
        if (changes) {
            tellPins(changes.value(), read->snapshot->files);
            replaceStatedPins(changes.value(), *read->content, asked.change, asked.inPlace);
        }
        const ChangedFile *settings = changes ? changes->find(settingsFileName) : nullptr;
        if (settings && settings->chosen && settingsDiffer(m_path, *read))
            changes.value().warnings.append(
                Tr::tr("%1 has uncommitted changes, which become part of this commit.").arg(settingsFileName));
        Changes all = checked(std::move(changes), *read);
        if (all)
            refusePins(all->first(), asked.change);
        return all;
    }

    Changes operator()(const CopyRequest &asked) const
    {
        const Result<ReadBranch> source =
            readWhole(m_reader, m_path, asked.from, Tr::tr("copy from"), m_hooks.part(0, 50));
        if (!source)
            return alone(source.error());
        const Result<ReadBranch> target =
            readWhole(m_reader, m_path, asked.to, Tr::tr("copy to"), m_hooks.part(50, 100));
        if (!target)
            return alone(target.error());
        if (source->snapshot->branch == target->snapshot->branch)
            return alone(
                Error{Tr::tr("copy to"), target->snapshot->title(), Tr::tr("it is also the branch to copy from"), {}}
                    .ofUsage());
        return checked(copied(recipes(), *source->snapshot, *target->snapshot, asked.names), *target);
    }

    Changes operator()(const CoverageRequest &asked) const
    {
        const Result<BranchSource> from = sideNamed(m_path, asked.from, QDir::currentPath());
        if (!from)
            return alone(from.error());
        const Result<ReadBranch> source = m_reader.read(*from, m_hooks.part(0, 70));
        const Result<BranchSource> to = branchNamed(m_path, asked.to);
        if (!source || !to)
            return alone(source ? to.error() : source.error());
        const auto content = m_reader.content(*to, m_hooks.part(70, 100));
        if (!content)
            return alone(content.error());
        Settings settings = source->snapshot->line;
        settings.branch = asked.from;
        Result<ChangeSet> changes = coverageCopied(recipes(), settings, **content);
        if (changes)
            changes->from = asked.from;
        return alone(std::move(changes));
    }

    Changes operator()(const ReadmeRequest &asked) const { return updatedReadmes(m_reader, m_path, asked, m_hooks); }

    Changes operator()(const ExportRequest &asked) const { return alone(exported(m_reader, m_path, asked, m_hooks)); }

    Changes operator()(const SettingsRequest &asked) const
    {
        const Result<BranchSource> source = branchNamed(m_path, asked.branch);
        if (!source)
            return alone(source.error());
        const auto content = m_reader.content(*source, m_hooks);
        if (!content)
            return alone(content.error());
        const Result<void> whole = checkWhole(**content, Tr::tr("write the settings of"));
        return alone(whole ? savedSettings(recipes(), **content, asked) : whole.error());
    }

    Changes operator()(const UndoRequest &asked) const
    {
        Result<QList<ChangeSet>> changes = undone(m_path, asked);
        if (!changes || std::ranges::none_of(changes->constFirst().files, removes))
            return changes;
        const Result<ReadBranch> read = m_reader.read(m_path, asked.branch, m_hooks);
        if (!read)
            return Result<QList<ChangeSet>>(read.error());
        nameBereaved(recipes(), changes->first(), textsByName(*read->snapshot));
        return changes;
    }

private:
    [[nodiscard]] const RecipeCache &recipes() const { return m_reader.recipes(); }

    void tellPins(ChangeSet &changes, const std::shared_ptr<const RecipeFiles> &files) const
    {
        changes.pins = replacedPins(recipes(), changes, files, withImported(files, changes));
    }

    /// Warns of packages that are no variants and become others, because they import what changes.
    void nameFollowing(ChangeSet &changes, const BranchContent &content,
                       const std::shared_ptr<const RecipeFiles> &files) const
    {
        const std::shared_ptr<const RecipeFiles> after = withImported(files, changes);
        if (!files || after == files)
            return;
        QStringList others, packages;
        namedRecipes(*recipes().catalog(), content, &others);
        for (const QString &path : std::as_const(others)) {
            const std::optional<QByteArray> text = textIn(content, path);
            const RecipeSource before = text ? files->source(path, *text) : RecipeSource();
            const RecipeSource now = text ? after->source(path, *text) : RecipeSource();
            if (before.codeKey() == now.codeKey())
                continue;
            const auto old = recipes().meaning(before), made = recipes().meaning(now);
            if (!old->isKnown() || !made->isKnown() || old->exact != made->exact)
                packages.append(packageOf(path));
        }
        if (!packages.isEmpty())
            changes.warnings.append(
                Tr::tr("%n packages that are no variants import what changes, keep their names and build something "
                       "else: %1.",
                       nullptr, int(packages.size()))
                    .arg(someOf(packages)));
    }

    static void refusePins(ChangeSet &changes, const SettingsChange &change)
    {
        if (auto refusal = refusalOfPins(changes, change); refusal && !changes.refusal)
            changes.refusal = std::move(refusal);
    }

    Changes withBereaved(Result<ChangeSet> changes, const BranchSnapshot &snapshot) const
    {
        if (changes)
            nameBereaved(recipes(), changes.value(), textsByName(snapshot));
        return alone(std::move(changes));
    }

    Changes checked(Result<ChangeSet> changes, const ReadBranch &read, bool isPlan = false) const
    {
        const BranchSnapshot &snapshot = *read.snapshot;
        if (changes)
            check(recipes(), changes.value(), snapshot.line, textsByName(snapshot), snapshot.files);
        if (changes) {
            tellPins(changes.value(), snapshot.files);
            nameFollowing(changes.value(), *read.content, snapshot.files);
            addDocuments(recipes(), read, changes.value(), isPlan);
        }
        return withBereaved(std::move(changes), snapshot);
    }

    const SnapshotReader &m_reader;
    const QString &m_path;
    const WorkHooks &m_hooks;
};

} // namespace

Result<QList<ChangeSet>> prepare(const SnapshotReader &reader, const QString &path, const ChangeRequest &request,
                                 const WorkHooks &hooks)
{
    return std::visit(Preparation(reader, path, hooks), request);
}

namespace {

/// What the audit judges of a change: the recipes that it writes, and those that import what it writes.
struct ToJudge {
    QList<ChangedFile *> written; ///< the recipe, or what it imports
    QList<AuditInput> inputs;     ///< after the change
    QList<AuditInput> before;
};

ToJudge toJudge(const Catalog &catalog, ChangeSet &changes, const QHash<QString, QByteArray> &there,
                const std::shared_ptr<const RecipeFiles> &files)
{
    const QHash<QString, QByteArray> afterwards = textsAfter(changes, there);
    const std::shared_ptr<const RecipeFiles> filesAfter = withImported(files, changes);
    ToJudge found;
    auto &written = found.written;
    auto &inputs = found.inputs;
    auto &before = found.before;
    const auto addFollowing = [&](const QString &path, const QByteArray &text) {
        const auto named = VariantName::parse(packageOf(path), catalog.isaIds());
        const RecipeSource now = filesAfter->source(path, text);
        if (!named || !now.imports || (changes.find(path) && changes.find(path)->action != Action::Keep))
            return;
        const auto imported = std::ranges::find_if(changes.files, [&now](const ChangedFile &file) {
            return file.isImported() && now.imports->paths.contains(file.path);
        });
        if (imported == changes.files.end())
            return;
        AuditInput input;
        input.variant = named->variant;
        input.file = path;
        input.text = text;
        input.siblings = afterwards;
        input.files = filesAfter;
        written.append(&*imported);
        inputs.append(input);
        input.files = files;
        before.append(input);
    };
    for (ChangedFile &file : changes.files) {
        std::optional<AuditInput> input =
            file.action == Action::Keep ? std::nullopt : inputAfter(catalog, file, afterwards);
        if (!input)
            continue;
        input->files = filesAfter;
        written.append(&file);
        inputs.append(*input);
        input->files = files;
        if (const auto old = VariantName::parse(packageOf(file.path), catalog.isaIds()))
            input->variant = old->variant;
        input->file = file.path;
        input->text = file.before.value_or(QByteArray());
        if (!input->siblings.isEmpty())
            input->siblings = there;
        before.append(*input);
    }
    if (filesAfter != files) {
        for (auto it = there.cbegin(); it != there.cend(); ++it)
            addFollowing(u".flox/pkgs/"_s + it.key(), *it);
    }
    return found;
}

/// The families and toolkits for which the branch has recipes.
QSet<QPair<QString, QString>> toolkitsBefore(const Catalog &catalog, const ChangeSet &changes,
                                             const QHash<QString, QByteArray> &there)
{
    QSet<QPair<QString, QString>> toolkits;
    const auto addToolkit = [&](const QString &package) {
        if (const auto named = VariantName::parse(package, catalog.isaIds()))
            toolkits.insert({named->variant.family, named->variant.cuda});
    };
    for (auto it = there.cbegin(); it != there.cend(); ++it)
        addToolkit(packageOf(it.key()));
    for (const ChangedFile &file : std::as_const(changes.files)) {
        if (file.before)
            addToolkit(packageOf(file.path));
    }
    return toolkits;
}

} // namespace

void check(const RecipeCache &recipes, ChangeSet &changes, const Settings &former,
           const QHash<QString, QByteArray> &there, const std::shared_ptr<const RecipeFiles> &files)
{
    if (!changes.settings)
        return;
    const Catalog &catalog = *recipes.catalog();
    const auto [written, inputs, before] = toJudge(catalog, changes, there, files);
    // A new toolkit needs at least one recipe that selects it.
    const QSet<QPair<QString, QString>> toolkits = toolkitsBefore(catalog, changes, there);
    const QList<Judgement> judgements = recipes.audited(*changes.settings, inputs);
    const QList<Judgement> judgedBefore = recipes.audited(former, before);
    QMap<QString, QStringList> doubtful; // by rule: the sentence for the first recipe, and the names of all
    for (qsizetype i = 0; i < written.size(); ++i) {
        ChangedFile &file = *written.at(i);
        const QString path = file.isImported() ? inputs.at(i).file : pathAfter(file);
        QStringList known = file.before ? errorSentences(judgedBefore.at(i).findings) : QStringList();
        if (!file.isImported())
            file.errors.clear();
        for (const Finding &finding : judgements.at(i).findings) {
            const Variant &variant = inputs.at(i).variant;
            const bool unselected =
                finding.rule == "toolkit-not-selected"_L1 && !toolkits.contains({variant.family, variant.cuda});
            if ((finding.severity == Severity::Error || unselected) && !known.removeOne(placedSentence(finding)))
                file.errors.append(u"%1: %2 %3"_s.arg(path, placedSentence(finding), finding.advice).trimmed());
        }
        if (file.chosen && !file.isImported())
            addNewWarnings(doubtful, file, judgements.at(i).findings, judgedBefore.at(i).findings);
    }
    for (auto it = doubtful.cbegin(); it != doubtful.cend(); ++it) {
        const QStringList names = it->mid(1);
        changes.warnings.append(Tr::tr("The audit has warnings for %n new texts, %1 (%2). The first warning: %3",
                                       nullptr, int(names.size()))
                                    .arg(someOf(names), it.key(), it->constFirst()));
    }
    changes.errors.clear();
    for (const Finding &finding : auditSettings(catalog, *changes.settings, &former)) {
        if (finding.severity == Severity::Error)
            changes.errors.append(joinedSentences({finding.sentence, finding.advice}));
    }
}

Result<ChangeSet> choose(ChangeSet changes, const QStringList &names, Choice choice)
{
    for (ChangedFile &file : changes.files)
        file.chosen = file.chosen && (choice == Choice::Also || !file.possible);
    for (const QString &name : names) {
        bool found = false;
        QString reason;
        for (ChangedFile &file : changes.files) {
            if (file.name != name && packageOf(file.path) != name)
                continue;
            reason = file.reason;
            if (file.action == Action::Keep || !file.possible)
                continue;
            file.chosen = true;
            found = true;
        }
        if (!found)
            return Error{Tr::tr("choose"), name,
                         reason.isEmpty() ? Tr::tr("the change has no such recipe")
                                          : Tr::tr("no change is needed for it"),
                         reason};
    }
    return changes;
}

QString summary(const QList<ChangeSet> &changes)
{
    const auto isReadme = [](const ChangeSet &one) {
        return one.files.size() == 1 && one.files.constFirst().path == "README.md"_L1;
    };
    if (changes.isEmpty() || (changes.size() == 1 && changes.constFirst().files.isEmpty()))
        return {};
    if (!changes.constFirst().repository.isEmpty()) {
        QStringList lines;
        for (const ChangeSet &one : changes)
            lines.append(u"%1: %2"_s.arg(one.title(), one.refusal ? one.refusal->sentence() : summaryOfRecipes(one)));
        return lines.join(u'\n');
    }
    if (!isReadme(changes.constFirst()))
        return summaryOfRecipes(changes.constFirst());
    const auto count = std::ranges::count_if(changes, [](const ChangeSet &one) { return !one.isEmpty(); });
    const bool current = std::ranges::all_of(
        changes, [](const ChangeSet &one) { return one.files.constFirst().action == Action::Keep; });
    if (count == 0)
        return current ? Tr::tr("Nothing has to be written.") : Tr::tr("Nothing is ticked.");
    return Tr::tr("README.md is written on %n branches, each as one commit.", nullptr, int(count));
}

QString equalChanges(const QList<ChangeSet> &changes)
{
    constexpr qsizetype most = 5, longest = 60;
    QMap<QString, int> counts;
    for (const ChangeSet &change : changes) {
        for (const ChangedFile &file : change.files) {
            if (file.action == ChangeAction::Rewrite && file.chosen && file.before && file.after)
                ++counts[changeText(*file.before, *file.after, longest)];
        }
    }
    QList<std::pair<int, QString>> sorted;
    for (const auto &[text, count] : counts.asKeyValueRange())
        sorted.append({-count, text});
    std::ranges::sort(sorted);
    QStringList parts;
    for (const auto &[count, text] : sorted.first(std::min(sorted.size(), most)))
        parts.append(Tr::tr("%1 in %n recipes", "a change", -count).arg(text));
    if (sorted.size() > most)
        parts.append(Tr::tr("and %n other changes", nullptr, int(sorted.size() - most)));
    return parts.join("; "_L1);
}

QString whyNot(const QList<ChangeSet> &changes)
{
    bool any = false;
    for (const ChangeSet &one : changes) {
        // README: a branch that refuses the change does not prevent the others.
        if (one.refusal && (changes.size() == 1 || !one.repository.isEmpty()))
            return one.repository.isEmpty() ? one.refusal->sentence()
                                            : u"%1: %2"_s.arg(one.title(), one.refusal->sentence());
        any = any || (!one.refusal && !one.isEmpty());
    }
    if (!any)
        return Tr::tr("Nothing is chosen.");
    for (const ChangeSet &one : changes) {
        if (const qsizetype errors = one.chosenErrors().size(); errors > 0 && !one.forced)
            return Tr::tr("The audit finds %n errors in the new text.", nullptr, int(errors));
    }
    return {};
}

QString showCommand(const QString &kept)
{
    return u"git show "_s + shellWord(kept);
}

} // namespace tmx
