// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/NewRepository.h"

#include "model/base/Process.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/change/Change.h"
#include "model/change/Check.h"
#include "model/change/Readme.h"
#include "model/git/Repository.h"
#include "model/settings/SettingsFile.h"
#include "model/template/RecipeRenderer.h"
#include "model/workspace/EnvironmentFiles.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qsizetype mostOutput = qsizetype(64) << 10;

Error refused(const QString &folder, const QString &why, const QString &remedy = {})
{
    return {Tr::tr("create a repository in"), folder, why, remedy};
}

/// Makes the folder a repository without a commit. An existing repository stays unchanged.
Result<RepositoryInfo> initialise(const QString &folder)
{
    const QFileInfo place(folder);
    if (place.exists() && !place.isDir())
        return refused(folder, Tr::tr("it is a file"));
    QStringList there = QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    const bool hasGit = there.removeAll(u".git"_s) > 0;
    if (!there.isEmpty())
        return refused(folder, Tr::tr("the folder is not empty"), Tr::tr("Choose a new or an empty one."));
    if (!hasGit) {
        const ProcessRun made =
            runProcess({.program = u"git"_s, .arguments = {u"init"_s, u"--quiet"_s, u"--"_s, folder}}, mostOutput);
        if (!made.outcome.succeeded())
            return refused(folder, made.outcome.started
                                       ? Tr::tr("git init failed: %1").arg(QString::fromUtf8(made.output).trimmed())
                                       : Tr::tr("git could not be started: %1").arg(made.outcome.error));
    }
    TM_TRY(opened, openWithInfo(folder));
    if (!opened->info.headCommit.isEmpty())
        return refused(folder, Tr::tr("it has commits"),
                       forSurface(Tr::tr("Add recipes to it with \"torch-matrix generate\"."),
                                  Tr::tr("Open it, and generate recipes in it.")));
    if (opened->info.headBranch.isEmpty())
        return refused(folder, Tr::tr("HEAD names no branch"), Tr::tr("Check out a branch first."));
    return opened->info;
}

QByteArray readmeOf(const Catalog &catalog, const RecipeCache &recipes, const QString &folder, const QString &branch,
                    const QList<std::pair<QString, QByteArray>> &files)
{
    BranchContent content;
    content.branch = branch;
    for (const auto &[path, text] : files) {
        if (path == settingsFileName)
            content.settingsFile = text;
        else if (path.endsWith(u".nix"))
            content.files.append({.path = path, .committed = text, .onDisk = {}, .blob = {}});
    }
    std::ranges::sort(content.files, {}, &VersionedFile::path);
    const BranchSnapshot snapshot = makeSnapshot(recipes, folder, content);
    const QByteArray text = u"# %1\n\n"
                            "Builds of PyTorch for GPUs and CPUs with Flox. The recipes are in `.flox/pkgs`, "
                            "one file a variant; `flox build NAME` builds one.\n\n"
                            "## Variants\n\n"_s.arg(QFileInfo(folder).fileName())
                                .toUtf8();
    const QByteArray marked = withMarkers(text, proposedPlace(text));
    const Result<QByteArray> whole =
        withTables(marked, readmeTables(catalog, snapshot, {branchRow(catalog, snapshot)}), u"README.md"_s);
    return whole ? *whole : marked;
}

} // namespace

const Settings *defaultsOf(const Catalog &catalog, const SettingsChange &change)
{
    const auto same = std::ranges::find_if(catalog.builtIn, [&change](const Settings &settings) {
        return change.cudas && settings.toolkits() == *change.cudas;
    });
    return same != catalog.builtIn.end() ? &*same : catalog.builtIn.isEmpty() ? nullptr : &catalog.builtIn.constFirst();
}

Result<QList<Variant>> variantsOf(const Catalog &catalog, const SettingsChange &change)
{
    const Settings *base = defaultsOf(catalog, change);
    if (!base)
        return QList<Variant>();
    TM_TRY(judged, changedSettings(catalog, *base, {}, base->branch, change));
    return judged->settings.promised();
}

Result<Applied> createBuildRepository(const std::shared_ptr<const Catalog> &catalog, const NewRepository &wanted,
                                      const WorkHooks &hooks)
{
    const Settings *base = defaultsOf(*catalog, wanted.change);
    if (!base)
        return refused(wanted.folder, Tr::tr("the catalog has no built-in settings"));
    // Check the settings before anything is created.
    TM_TRY(promised, variantsOf(*catalog, wanted.change));
    for (const QString &name : wanted.names) {
        if (std::ranges::none_of(*promised, [&name](const Variant &variant) { return variant.name() == name; }))
            return refused(wanted.folder, Tr::tr("the settings list no variant %1").arg(name)).ofUsage();
    }
    TM_TRY(made, initialise(wanted.folder));
    TM_TRY(settings, changedSettings(*catalog, *base, {}, made->headBranch, wanted.change));

    QList<std::pair<QString, QByteArray>> files =
        environmentFiles(*catalog, settings->settings, QFileInfo(wanted.folder).fileName());
    files.append({QString(settingsFileName), settings->file});
    RecipeRenderer renderer(catalog);
    for (const Variant &variant : *promised) {
        if (!wanted.names.isEmpty() && !wanted.names.contains(variant.name()))
            continue;
        TM_TRY(text, renderer.render(settings->settings, variant));
        files.append({variant.file(), std::move(text).value()});
        if (hooks.stopped())
            return stoppedError();
    }
    const RecipeCache recipes(catalog);
    files.append({u"README.md"_s, readmeOf(*catalog, recipes, wanted.folder, made->headBranch, files)});

    ChangeSet changes;
    changes.branch = made->headBranch;
    changes.settings = settings->settings;
    changes.warnings = settings->warnings;
    for (const auto &[path, text] : files) {
        ChangedFile file;
        file.action = ChangeAction::Create;
        file.path = path;
        file.name = path.endsWith(u".nix") ? packageOf(path) : QString();
        file.after = text;
        file.chosen = true;
        changes.files.append(file);
    }
    changes.subjectForm = u"Begin with %1"_s;
    check(recipes, changes, settings->settings, {});
    const Result<Repository> repository = Repository::open(wanted.folder);
    return repository ? repository->apply(changes, hooks) : repository.error();
}

} // namespace tmx
