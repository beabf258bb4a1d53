// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Changes.h"

#include "model/base/Tr.h"
#include "model/workspace/KnownBuilds.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct ExportOptions {
    std::string host;
    std::string branch;
    std::string only = "all";
    std::string since;
    std::string organisation;
    std::vector<std::string> runners;
    bool toOutput = false;
    bool apply = false;
    bool place = false;
};

QString stateOf(const ChangedFile &file)
{
    if (file.action == ChangeAction::Keep)
        return u"current"_s;
    return file.before ? file.chosen || !file.possible ? u"stale"_s : u"no-markers"_s : u"no-file"_s;
}

Result<int> exportPipeline(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                           const ExportOptions &options)
{
    const SnapshotReader reader(catalog);
    TM_TRY(read, reader.read(context.repoPath(), QString::fromStdString(options.branch), {}, Templates::LeftOut));
    ExportRequest request;
    request.branch = QString::fromStdString(options.branch);
    request.options = {options.host == "github" ? CiHost::GitHub : CiHost::GitLab, toStringList(options.runners),
                       QString::fromStdString(options.organisation)};
    request.since = QString::fromStdString(options.since);
    request.place = options.place || options.toOutput;
    request = withBuilds(request, QString::fromStdString(options.only), knownBuilds(*read->snapshot));
    TM_TRY(sets, prepared(context, catalog, Tr::tr("Reading the recipes"), request));
    const ChangeSet &changes = sets->constFirst();
    const ChangedFile &file = changes.files.constFirst();
    for (const QString &warning : changes.warnings)
        tell(Tr::tr("note: %1").arg(warning));
    if (options.toOutput) {
        printText(*file.after);
        return Done;
    }
    QString state = stateOf(file);
    QString commit;
    if (options.apply && file.action != ChangeAction::Keep && (file.chosen || !file.possible)) {
        if (!file.possible)
            return complain(Error{Tr::tr("write"), Tr::tr("%1 of branch %2").arg(file.path, changes.title()),
                                  Tr::tr("it has uncommitted changes"), Tr::tr("Commit or stash them first.")});
        TM_TRY(done, applied(context, Tr::tr("Writing the pipeline"), changes));
        state = u"written"_s;
        commit = done->commit;
    }
    const bool differs = state != "current"_L1 && state != "written"_L1;
    const QByteArray difference = differs ? diffText(file) : QByteArray();
    if (context.json) {
        print(QJsonObject{{u"branch"_s, changes.branch},
                          {u"file"_s, file.path},
                          {u"state"_s, state},
                          {u"commit"_s, commit},
                          {u"warnings"_s, QJsonArray::fromStringList(changes.warnings)},
                          {u"diff"_s, QString::fromUtf8(difference)}});
    } else {
        printText(difference);
        const QString name = changes.branch + u": "_s + file.path;
        if (state == "written"_L1)
            print(Tr::tr("%1 written, committed as %2").arg(name, commit.left(10)));
        else if (state == "no-markers"_L1)
            print(Tr::tr("%1 has no markers; --place --apply puts the pipeline at its end").arg(name));
        else
            print((differs ? Tr::tr("%1 is not written; --apply commits it") : Tr::tr("%1 is up to date")).arg(name));
    }
    return differs ? DoneWithFindings : Done;
}

} // namespace

void addExport(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<ExportOptions>();
    CLI::App *verb = app.add_subcommand(
        "export",
        Help::tr("Show the pipeline that builds the branch's matrix on GitHub or GitLab; --apply commits it"));
    verb->add_option("HOST", options->host, Help::tr("github or gitlab"))
        ->required()
        ->check(CLI::IsMember({"github", "gitlab"}));
    verb->add_option("--branch", options->branch,
                     Help::tr("Branch to build and write to (default: the checked-out one)"))
        ->type_name("B");
    verb->add_option("--only", options->only,
                     Help::tr("missing: variants that were never built here; stale: built with an older recipe; all"))
        ->check(CLI::IsMember({"missing", "stale", "all"}))
        ->type_name("WHICH");
    verb->add_option("--since", options->since, Help::tr("Only recipes that differ from this commit"))
        ->type_name("COMMIT");
    verb->add_option(
            "--runner", options->runners,
            Help::tr("Label of your own runners; SYSTEM=LABEL for one system, such as aarch64-linux=arm. May be "
                     "repeated"))
        ->type_name("LABEL");
    verb->add_option(
            "--publish", options->organisation,
            Help::tr("Publish what is built to this organisation of FloxHub, with the secret FLOX_FLOXHUB_TOKEN"))
        ->type_name("ORG");
    auto *place = verb->add_flag("--place", options->place,
                                 Help::tr("Put the pipeline at the end of a .gitlab-ci.yml that has no markers"));
    auto *toOutput = verb->add_flag("--stdout", options->toOutput, Help::tr("Print the file and write nothing"));
    verb->add_flag("--apply", options->apply, Help::tr("Commit the file (default: only show it)"))->excludes(toOutput);
    place->excludes(toOutput);
    addRepoOption(*verb, context);
    addJsonOption(*verb, context)->excludes(toOutput);
    runOnCatalog(*verb, context, options, &exportPipeline);
}

} // namespace tmx
