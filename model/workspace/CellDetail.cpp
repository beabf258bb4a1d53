// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/CellDetail.h"

#include "model/base/Sentences.h"
#include "model/base/Tr.h"
#include "model/change/Generate.h"
#include "model/nix/Files.h"

#include <algorithm>

namespace tmx {

namespace {

ActionState yes()
{
    return {true, {}};
}

ActionState no(const QString &reason)
{
    return {false, reason};
}

bool isThere(const VariantEntry &entry)
{
    return entry.present && entry.fileStatus != FileStatus::Deleted;
}

/// A link, a folder or an empty file: it exists, but there is nothing to build or commit.
bool isUnreadable(const VariantEntry &entry)
{
    return isThere(entry) && entry.state == RecipeState::Broken && entry.text.trimmed().isEmpty();
}

ActionState generateState(const VariantEntry &entry)
{
    switch (entry.state) {
    case RecipeState::Unsupported: return no(entry.reason);
    case RecipeState::NotCovered:
    case RecipeState::Missing:
        return isThere(entry)                ? no(Tr::tr("It has a recipe already."))
               : entry.renderError.isEmpty() ? yes()
                                             : no(entry.renderError);
    case RecipeState::Modified: // deleted on disk, but still in the commit
        return entry.fileStatus == FileStatus::Deleted
                   ? yes()
                   : no(Tr::tr("It has a recipe already, and it was changed by hand."));
    case RecipeState::Current:
    case RecipeState::Equivalent:
    case RecipeState::Customised:
    case RecipeState::Untracked:
    case RecipeState::Broken:
    case RecipeState::Duplicate: return no(Tr::tr("It has a recipe already."));
    }
    Q_UNREACHABLE_RETURN({});
}

ActionState commitState(const BranchSnapshot &snapshot, const VariantEntry &entry)
{
    if (!entry.present)
        return no(Tr::tr("There is no recipe to commit yet."));
    if (!snapshot.checkedOut)
        return no(Tr::tr("Branch %1 is not checked out, so it has no uncommitted changes.").arg(snapshot.title()));
    if (entry.fileStatus == FileStatus::Clean)
        return no(Tr::tr("It is committed."));
    if (isUnreadable(entry) && entry.committed.isEmpty())
        return no(entry.reason);
    return yes();
}

ActionState buildState(const BranchSnapshot &snapshot, const VariantEntry &entry)
{
    if (!isThere(entry))
        return no(Tr::tr("There is no recipe to build yet."));
    if (isUnreadable(entry))
        return no(entry.reason);
    if (entry.committed.isEmpty() && !snapshot.checkedOut)
        return no(Tr::tr("Branch %1 has no committed recipe for it.").arg(snapshot.title()));
    return yes();
}

/// The text of a file that is imported; empty if it is not.
QByteArray textIn(const std::shared_ptr<const RecipeImports> &imports, const QString &path)
{
    const quint16 file = imports ? imports->files->find('/' + path.toStdString()) : quint16(0);
    return file ? imports->files->tree(file).source().bytes() : QByteArray();
}

/// The differences of the imported files, the committed ones first.
QList<DiffLine> importedDiff(const VariantEntry &entry)
{
    QList<DiffLine> lines;
    for (const QString &path : changedPaths(entry.committedImports.get(), entry.imports.get())) {
        const QList<DiffLine> diff = diffTexts(textIn(entry.committedImports, path), textIn(entry.imports, path));
        if (!diff.isEmpty())
            lines.append({DiffLine::Kind::HunkHeader, 0, 0, shownPath(path)});
        lines += diff;
    }
    return lines;
}

} // namespace

CellActions actionsFor(const BranchSnapshot &snapshot, const VariantEntry &entry)
{
    ActionState generate = generateState(entry);
    if (generate.enabled && snapshot.settingsError)
        generate = no(snapshot.settingsError->sentence()); // inferred settings may differ from the branch's file
    return {generate, commitState(snapshot, entry), buildState(snapshot, entry)};
}

CellDetail detailOf(const std::shared_ptr<const Catalog> &catalog,
                    const std::shared_ptr<const BranchSnapshot> &snapshot, const VariantEntry &entry)
{
    CellDetail detail;
    detail.entry = entry;
    detail.facts = factsOf(*catalog, snapshot->settings, entry.variant);
    detail.actions = actionsFor(*snapshot, entry);
    detail.exists = isThere(entry);
    detail.hasCommitted = !entry.committed.isEmpty();
    if (!detail.exists && entry.state != RecipeState::Unsupported)
        detail.entry.reason = joinedSentences({entry.reason, entry.renderError});
    QByteArray rendered = entry.rendered;
    if (!detail.exists && rendered.isEmpty() && detail.actions.generate.enabled) {
        // A cell that the settings do not list: what generate writes for it.
        const auto made = renderRecipes(catalog, *snapshot, {entry.variant.name()});
        if (made)
            rendered = made->constFirst().second;
        else
            detail.entry.reason = joinedSentences({detail.entry.reason, made.error().sentence()});
    }
    detail.hasTemplate = !rendered.isEmpty();
    detail.text = detail.exists ? entry.text : rendered;
    if (detail.hasCommitted && entry.committed != entry.text)
        detail.againstHead = diffTexts(entry.committed, entry.text);
    else if (detail.exists && !detail.hasCommitted)
        detail.againstHead = diffTexts({}, entry.text);
    if (detail.exists && detail.hasCommitted)
        detail.againstHead += importedDiff(entry);
    if (detail.exists && entry.facts)
        detail.stated = entry.facts->rows();
    for (const QString &path : entry.imports ? entry.imports->paths : QStringList()) {
        const auto uses = [&path](const VariantEntry &other) {
            return other.imports && other.imports->paths.contains(path);
        };
        detail.imported.append(
            {path, textIn(entry.imports, path), int(std::ranges::count_if(snapshot->entries, uses))});
    }
    if (detail.exists && detail.hasTemplate && rendered != entry.text) {
        detail.againstTemplate = diffTexts(rendered, entry.text);
        const RecipeSource generated = snapshot->files ? snapshot->files->source(entry.file, rendered) : rendered;
        detail.differences =
            meaningDifferences(generated, readFacts(generated), entry.source(), readFacts(entry.source()));
    }
    return detail;
}

} // namespace tmx
