// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Changes.h"

#include <CLI/CLI.hpp>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct FixOptions {
    std::string finding;
    std::string branch;
    bool apply = false;
    bool anew = false;
};

int fix(const VerbContext &context, const FixOptions &options)
{
    const auto catalog = loadCatalogOrComplain();
    if (!catalog)
        return CouldNotBeDone;
    FixRequest request{QString::fromStdString(options.branch), QString::fromStdString(options.finding),
                       options.anew ? FixWay::Anew : FixWay::InPlace};
    const Result<QList<ChangeSet>> sets = prepared(context, catalog, u"Reading the recipes"_s, request);
    if (!sets) {
        complain(sets.error());
        request.way = FixWay::Anew;
        if (!options.anew && prepared(context, catalog, u"Reading the recipes"_s, request))
            tell(u"\"torch-matrix fix --anew %1\" shows what rendering it anew would change."_s.arg(request.finding));
        return CouldNotBeDone;
    }
    const ChangeSet &changes = sets->constFirst();
    const ChangedFile &file = changes.files.constFirst();
    Applied done;
    if (options.apply && !changes.isEmpty()) {
        const Result<Applied> written = applied(context, u"Writing the recipe"_s, changes);
        if (!written)
            return complain(written.error());
        done = *written;
    }
    if (context.json) {
        print(QJsonObject{{u"name"_s, file.name},
                          {u"file"_s, file.path},
                          {u"branch"_s, changes.branch},
                          {u"applied"_s, options.apply},
                          {u"saved"_s, done.saved},
                          {u"diff"_s, QString::fromUtf8(diffText(file))}});
        return Done;
    }
    printRaw(diffText(file));
    tell(changes.isEmpty()       ? u"Nothing to do."_s
         : !options.apply        ? u"Nothing is written; --apply writes it."_s
         : done.commit.isEmpty() ? u"%1 is written; nothing is committed."_s.arg(file.path)
                                 : u"%1 is committed on branch %2."_s.arg(file.path, changes.branch));
    if (!done.saved.isEmpty())
        tell(u"The text before was not committed; \"%1\" prints it."_s.arg(showCommand(done.saved + u':' + file.path)));
    return Done;
}

} // namespace

void addFix(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<FixOptions>();
    CLI::App *verb =
        app.add_subcommand("fix", "Show what would mend a finding of the audit, and with --apply write it");
    verb->add_option("FINDING", options->finding, "NAME:RULE, as audit prints it; NAME:RULE:LINE for one of several")
        ->required();
    verb->add_option("--branch", options->branch, "Branch to look in (default: the checked-out one)")->type_name("B");
    verb->add_flag("--apply", options->apply, "Write the recipe");
    verb->add_flag("--anew", options->anew, "Render the whole recipe anew from the line's template instead");
    addRepoOption(*verb, context);
    addJsonOption(*verb, context);
    verb->callback([&context, options] { context.run = [&context, options] { return fix(context, *options); }; });
}

} // namespace tmx
