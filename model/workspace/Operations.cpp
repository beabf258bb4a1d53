// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/Operations.h"

#include "model/build/ResultLinks.h"
#include "model/catalog/VariantName.h"
#include "model/recipe/RecipeRenderer.h"
#include "model/repository/Repository.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QSet>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Operations {
    Q_DECLARE_TR_FUNCTIONS(tmx::Operations)
};

/// The entry of a name, or one made up for a valid variant that the line does not promise.
Result<VariantEntry> entryFor(const Catalog &catalog, const BranchSnapshot &snapshot, const QString &name)
{
    if (const VariantEntry *entry = snapshot.find(name)) {
        if (const Validity validity = catalog.validity(entry->variant);
            !validity.valid && entry->state == RecipeState::Unsupported)
            return Error{Operations::tr("generate"), name, validity.reason, {}};
        return *entry;
    }
    const Result<Variant> variant = variantNamed(catalog, name);
    if (!variant)
        return variant.error();
    VariantEntry entry;
    entry.variant = *variant;
    entry.file = entry.variant.file();
    entry.state = RecipeState::NotCovered;
    return entry;
}

Result<QList<VariantEntry>> entriesFor(const Catalog &catalog, const BranchSnapshot &snapshot, const QStringList &names)
{
    QList<VariantEntry> entries;
    QSet<QString> seen;
    for (const QString &name : names) {
        if (seen.contains(name))
            continue;
        seen.insert(name);
        Result<VariantEntry> entry = entryFor(catalog, snapshot, name);
        if (!entry)
            return entry.error();
        entries.append(std::move(entry).value());
    }
    return entries;
}

/// A file that holds another text than ours is somebody's work.
Error alreadyThere(const VariantEntry &entry, const QByteArray &text)
{
    if (entry.text == text) // so it is the name that differs
        return Error{Operations::tr("generate"), entry.variant.name(),
                     Operations::tr("%1 holds that recipe already, under an old form of the name").arg(entry.file),
                     Operations::tr("Nothing was written; rename that file to %1.").arg(entry.variant.file())};
    return Error{Operations::tr("generate"), entry.variant.name(),
                 Operations::tr("%1 is there already, and is not what would be written").arg(entry.file),
                 Operations::tr("Nothing was written; remove or rename that file first if it is to be replaced.")};
}

} // namespace

QHash<QString, BuildState> buildsOf(const BranchSnapshot &snapshot)
{
    QHash<QString, BuildState> builds;
    if (!snapshot.checkedOut)
        return builds;
    for (const VariantEntry &entry : snapshot.entries) {
        if (!entry.present)
            continue;
        const BuildState state = builtBefore(snapshot.repository, entry.package(), entry.file);
        if (state.phase != BuildState::Phase::None)
            builds.insert(entry.variant.name(), state);
    }
    return builds;
}

Result<Variant> variantNamed(const Catalog &catalog, const QString &name)
{
    const auto parsed = VariantName::parse(name, catalog.familyIds(), catalog.isaIds());
    if (!parsed || !parsed->canonical)
        return Error{Operations::tr("find the variant"), name, Operations::tr("that is not a variant's name"),
                     Operations::tr("Names look like pytorch-python313-cuda12_8-sm90-avx512 or "
                                    "pytorch-python313-cpu-avx2; \"list\" shows them.")};
    if (const Validity validity = catalog.validity(parsed->variant); !validity.valid)
        return Error{Operations::tr("generate"), name, validity.reason, {}};
    return parsed->variant;
}

Result<Reading> readRepository(const SnapshotReader &reader, const QString &path, const QString &branch,
                               const WorkHooks &hooks)
{
    Result<OpenedRepository> opened = openWithInfo(path);
    if (!opened)
        return opened.error();
    const Result<ReadBranch> read = reader.read(path, branch, hooks);
    if (!read)
        return read.error();
    return Reading{std::move(opened->info), read->snapshot, buildsOf(*read->snapshot), opened->repository.watchPaths()};
}

Result<QList<std::pair<QString, QByteArray>>> renderRecipes(const std::shared_ptr<const Catalog> &catalog,
                                                            const BranchSnapshot &snapshot, const QStringList &names)
{
    // The line without its file is another line: its recipes are not what the branch's owner asks for.
    if (!snapshot.lineError.isEmpty())
        return Error{Operations::tr("generate"), snapshot.branch, Operations::tr("its line is not known"),
                     snapshot.lineError};
    const Result<QList<VariantEntry>> entries = entriesFor(*catalog, snapshot, names);
    if (!entries)
        return entries.error();
    RecipeRenderer renderer(catalog);
    QList<std::pair<QString, QByteArray>> texts;
    for (const VariantEntry &entry : *entries) {
        Result<QByteArray> text =
            entry.rendered.isEmpty() ? renderer.render(snapshot.line, entry.variant) : entry.rendered;
        if (!text)
            return text.error();
        texts.append({entry.variant.name(), std::move(text).value()});
    }
    return texts;
}

Result<WriteReport> generateRecipes(const std::shared_ptr<const Catalog> &catalog, const QString &path,
                                    const QString &branch, const QStringList &names,
                                    const std::optional<QString> &commitMessage)
{
    const Result<Reading> reading = readRepository(catalog, path, branch);
    if (!reading)
        return reading.error();
    const BranchSnapshot &snapshot = *reading->snapshot;
    const Result<QList<VariantEntry>> entries = entriesFor(*catalog, snapshot, names);
    if (!entries)
        return entries.error();
    const auto texts = renderRecipes(catalog, snapshot, names);
    if (!texts)
        return texts.error();

    WriteReport report;
    report.branch = snapshot.branch;
    QList<std::pair<QString, QByteArray>> files;
    QStringList paths;
    QStringList changing; // the names that the paths belong to
    for (qsizetype i = 0; i < entries->size(); ++i) {
        const VariantEntry &entry = entries->at(i);
        const QByteArray &text = texts->at(i).second;
        const bool there = entry.present && entry.fileStatus != FileStatus::Deleted;
        if (there && (entry.text != text || entry.package() != entry.variant.name()))
            return alreadyThere(entry, text);
        // What is there and committed already needs neither index nor commit.
        if (!there || entry.fileStatus != FileStatus::Clean) {
            paths.append(there ? entry.file : entry.variant.file());
            changing.append(entry.variant.name());
        }
        if (there) {
            report.unchanged.append(entry.variant.name());
            continue;
        }
        report.written.append(entry.variant.name());
        files.append({entry.variant.file(), text});
    }
    const QString message = commitMessage.value_or(QString()).isEmpty() ? commitMessageFor(changing) : *commitMessage;

    Result<Repository> repository = Repository::open(path);
    if (!repository)
        return repository.error();
    if (!snapshot.checkedOut) {
        if (files.isEmpty())
            return report;
        const Result<CommitResult> done = repository->commitToBranch(snapshot.branch, files, message, snapshot.commit);
        if (!done)
            return done.error();
        report.commit = done->commit;
        report.subject = done->subject;
        return report;
    }
    for (const auto &[file, text] : files) {
        if (const Result<void> written = repository->writeRecipe(file, text, std::nullopt); !written)
            return written.error();
    }
    if (paths.isEmpty())
        return report;
    if (const Result<void> staged = repository->stage(paths); !staged)
        return staged.error();
    if (commitMessage) {
        const Result<CommitResult> done = repository->commit(paths, message, snapshot.commit);
        if (!done) {
            Error error = done.error();
            error.remedy += (error.remedy.isEmpty() ? QString() : u" "_s) +
                            Operations::tr("The recipes are written and in the index.");
            return error;
        }
        report.commit = done->commit;
        report.subject = done->subject;
    }
    return report;
}

Result<WriteReport> commitRecipes(const std::shared_ptr<const Catalog> &catalog, const QString &path,
                                  const QStringList &names, const QString &message, const QString &seenHead)
{
    const Result<Reading> reading = readRepository(catalog, path);
    if (!reading)
        return reading.error();
    QStringList files;
    bool allNew = true;
    for (const QString &name : names) {
        const VariantEntry *entry = reading->snapshot->find(name);
        if (!entry || !entry->present)
            return Error{Operations::tr("commit"), name, Operations::tr("it has no recipe yet"),
                         Operations::tr("Generate it first.")};
        files.append(entry->file);
        allNew = allNew && entry->committed.isEmpty();
    }
    const Result<Repository> repository = Repository::open(path);
    if (!repository)
        return repository.error();
    const QString text = message.isEmpty() ? commitMessageFor(names, allNew ? u"Add"_s : u"Update"_s) : message;
    const Result<CommitResult> done = repository->commit(files, text, seenHead);
    return done ? Result<WriteReport>(reportOf(*done, names)) : done.error();
}

Result<void> stageRecipes(const std::shared_ptr<const Catalog> &catalog, const QString &path, const QStringList &names)
{
    const Result<Reading> reading = readRepository(catalog, path);
    if (!reading)
        return reading.error();
    QStringList files;
    for (const QString &name : names) {
        const VariantEntry *entry = reading->snapshot->find(name);
        if (!entry || !entry->present || entry->fileStatus == FileStatus::Deleted)
            return Error{Operations::tr("build"), name, Operations::tr("it has no recipe yet"),
                         Operations::tr("Generate it first.")};
        files.append(entry->file);
    }
    const Result<Repository> repository = Repository::open(path);
    if (!repository)
        return repository.error();
    return repository->stage(files);
}

QString showCommand(const QString &kept)
{
    static const QRegularExpression unquoted(u"^[A-Za-z0-9_./:@+-]+$"_s);
    QString word = kept;
    if (!unquoted.match(kept).hasMatch())
        word = u'\'' + word.replace(u'\'', "'\\''"_L1) + u'\'';
    return u"git show "_s + word;
}

WriteReport reportOf(const CommitResult &commit, const QStringList &written)
{
    WriteReport report;
    report.branch = commit.branch;
    report.written = written;
    report.commit = commit.commit;
    report.subject = commit.subject;
    report.saved = commit.saved;
    report.kept = commit.kept;
    return report;
}

QString commitMessageFor(const QStringList &names, const QString &verb)
{
    if (names.size() == 1)
        return u"%1 %2\n"_s.arg(verb, names.first());
    QStringList sorted = names;
    sorted.sort();
    return u"%1 %2 recipes\n\n%3\n"_s.arg(verb).arg(names.size()).arg(sorted.join(u'\n'));
}

} // namespace tmx
