// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Verb.h"

#include "model/base/ShortList.h"
#include "model/base/TerminalText.h"
#include "model/base/Tr.h"
#include "model/git/Repository.h"
#include "model/matrix/MatrixText.h"
#include "model/snapshot/DiskCache.h"
#include "model/workspace/BranchListing.h"

#include <CLI/CLI.hpp>

#include <QDataStream>
#include <QIODevice>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct ListOptions {
    std::string branch;
    bool allBranches = false;
    bool remotes = false;
    bool others = false;
    std::shared_ptr<VariantFilter> filter;
};

QString settingsSource(Settings::Source source)
{
    switch (source) {
    case Settings::Source::File: return Tr::tr("settings from torch-matrix.toml");
    case Settings::Source::BuiltIn: return Tr::tr("built-in settings");
    case Settings::Source::Inferred: return Tr::tr("settings inferred from the recipes");
    }
    Q_UNREACHABLE_RETURN({});
}

/// What a branch prints to standard output and to standard error.
struct Printed {
    QStringList out;
    QStringList err;

    [[nodiscard]] QByteArray toBytes() const
    {
        QByteArray bytes;
        QDataStream stream(&bytes, QIODevice::WriteOnly);
        stream << out << err;
        return bytes;
    }
    static void print(const QByteArray &bytes)
    {
        Printed printed;
        QDataStream stream(bytes);
        stream >> printed.out >> printed.err;
        for (const QString &line : std::as_const(printed.out))
            tmx::print(line);
        for (const QString &line : std::as_const(printed.err))
            tell(line);
    }
};

/// A branch without a matrix: its packages, and the files that they import, one a line.
void addPackages(Printed &printed, const BranchSnapshot &snapshot)
{
    for (const auto &[name, package] : snapshot.packages.asKeyValueRange()) {
        QStringList line{name};
        for (const PinFacts &pin : package.facts ? package.facts->pins : QList<PinFacts>())
            line.append(Tr::tr("nixpkgs %1").arg(pin.revision.value.left(10)));
        printed.out.append(line.join("  "_L1));
    }
    QMap<QString, int> imported;
    for (const QString &path : snapshot.files ? snapshot.unrecognised : QStringList()) {
        const std::optional<QByteArray> text = snapshot.files->text(path);
        const RecipeSource source = text ? snapshot.files->source(path, *text) : RecipeSource();
        for (const QString &other : source.imports ? source.imports->paths : QStringList())
            ++imported[other];
    }
    for (const auto &[path, users] : imported.asKeyValueRange())
        printed.out.append(Tr::tr("%1 (%2)").arg(shownPath(path), Tr::tr("%n packages import it", nullptr, users)));
    printed.err.append(Tr::tr("%1 has no matrix. %2", "branch")
                           .arg(snapshot.title().isEmpty() ? u"no branch"_s : snapshot.title(), aboutMatrices()));
    printed.err.append(Tr::tr("%n packages", nullptr, int(snapshot.packages.size())));
}

/// "torchvision026, torchvision027; python313; CUDA 12.8, CUDA 13.0": what a filter can choose.
QString slicesOf(const BranchSnapshot &snapshot)
{
    QStringList families;
    QStringList pythons;
    QStringList toolkits;
    for (const VariantEntry &entry : snapshot.entries) {
        families.append(entry.variant.family);
        pythons.append(entry.variant.python);
        toolkits.append(entry.variant.cuda.isEmpty() ? QString() : "CUDA "_L1 + entry.variant.cuda);
    }
    QStringList parts;
    for (QStringList *list : {&families, &pythons, &toolkits}) {
        list->removeDuplicates();
        list->removeAll(QString());
        if (!list->isEmpty())
            parts.append(shortList(*list));
    }
    return parts.join("; "_L1);
}

void addOthers(Printed &printed, const BranchSnapshot &snapshot, bool others)
{
    if (snapshot.unrecognised.isEmpty())
        return;
    const QString count = Tr::tr("%n files are no variants", nullptr, int(snapshot.unrecognised.size()));
    printed.err.append(others ? Tr::tr("%1 on %2:", "count, branch").arg(count, snapshot.title())
                              : Tr::tr("%1 on %2; --others lists them", "count, branch").arg(count, snapshot.title()));
    for (const QString &path : others ? snapshot.unrecognised : QStringList())
        printed.out.append(inOneLine(path));
}

Printed gridOf(const std::shared_ptr<const Catalog> &catalog, const std::shared_ptr<const BranchSnapshot> &snapshot,
               const ListOptions &options)
{
    Printed printed;
    if (!snapshot->hasMatrix()) {
        addPackages(printed, *snapshot);
        return printed;
    }
    if (!options.filter->isEmpty() && std::ranges::none_of(snapshot->entries, [&](const VariantEntry &entry) {
            return options.filter->accepts(entry.variant, snapshot->settings);
        })) {
        printed.err.append(
            Tr::tr("%1: no variant matches. It has %2.", "branch, slices").arg(snapshot->title(), slicesOf(*snapshot)));
        return printed;
    }
    printed.out.append(u"%1, %2\n"_s.arg(snapshot->title().isEmpty() ? u"no branch"_s : snapshot->title(),
                                         settingsSource(snapshot->settings.source)));
    const QString grid = branchAsText(catalog, snapshot, *options.filter);
    printed.out.append(grid.endsWith(u'\n') ? grid.chopped(1) : grid);
    if (snapshot->settingsError)
        printed.err.append(u"%1: %2"_s.arg(snapshot->title(), snapshot->settingsError->sentence()));
    QStringList further;
    for (const VariantEntry &entry : snapshot->entries)
        further += entry.duplicates;
    if (!further.isEmpty())
        printed.err.append(Tr::tr("further files for cells on %1: %2")
                               .arg(snapshot->title(), options.others ? further.join(u", "_s) : shortList(further)));
    addOthers(printed, *snapshot, options.others);
    return printed;
}

ListingForm textForm(const ListOptions &options)
{
    const QByteArray key = options.others ? "text, others\n" : "text\n";
    return {options.filter->isEmpty() ? key : QByteArray(), false,
            [&options](const std::shared_ptr<const Catalog> &catalog,
                       const std::shared_ptr<const BranchSnapshot> &snapshot,
                       const QHash<QString, BuildState> &) { return gridOf(catalog, snapshot, options).toBytes(); }};
}

Result<int> list(const VerbContext &context, const ListOptions &options)
{
    TM_TRY(sources, sourcesOf(context, options.branch, options.allBranches, options.remotes));
    TM_TRY(listing,
           listBranches(&Catalog::loadForUser, *sources, context.json ? jsonForm(*options.filter) : textForm(options),
                        DiskCache::forUser(u"branches"_s)));
    if (context.json)
        printJson(listing->document());
    for (const ListedBranch &branch : context.json ? QList<ListedBranch>() : listing->branches)
        Printed::print(branch.text);
    tellUnread(listing->unread);
    return listing->unread.isEmpty() && !listing->hasSettingsErrors() ? Done : DoneWithFindings;
}

} // namespace

void addList(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<ListOptions>();
    CLI::App *verb =
        app.add_subcommand("list", Help::tr("Print the grid of a branch: every variant and the state of its recipe"));
    addRepoOption(*verb, context);
    addJsonOption(*verb, context);
    auto *branch =
        verb->add_option("--branch", options->branch, Help::tr("Branch to list (default: the checked-out one)"))
            ->type_name("B");
    auto *all =
        verb->add_flag("--all-branches", options->allBranches, Help::tr("List every local branch"))->excludes(branch);
    verb->add_flag("--remotes", options->remotes,
                   Help::tr("With --all-branches --json: the remote-tracking branches too"))
        ->needs(all);
    verb->add_flag("--others", options->others,
                   Help::tr("List the files that are no variants too, instead of their number"));
    options->filter = addFilterOptions(*verb);
    verb->callback([&context, options] { context.run = [&context, options] { return list(context, *options); }; });
}

} // namespace tmx
