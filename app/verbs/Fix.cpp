// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Verb.h"

#include "model/workspace/Mending.h"
#include "model/workspace/Operations.h"

#include <CLI/CLI.hpp>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct FixOptions {
    std::string finding;
    std::string branch;
    bool apply = false;
    bool anew = false;
};

/// Fit for `git apply`.
QString diffText(const RewriteOffer &offer)
{
    QString text = u"--- a/%1\n+++ b/%1\n"_s.arg(offer.file);
    for (const DiffLine &line : offer.diff) {
        switch (line.kind) {
        case DiffLine::Kind::Context: text += u' '; break;
        case DiffLine::Kind::Added: text += u'+'; break;
        case DiffLine::Kind::Removed: text += u'-'; break;
        case DiffLine::Kind::HunkHeader: break;
        }
        text += line.text + u'\n';
    }
    return text;
}

/// Whether the finding is of the file rather than of its text: then there is nothing to render.
bool isOfFile(const BranchSnapshot &snapshot, const QString &name)
{
    const VariantEntry *entry = presentEntry(snapshot, name.section(u':', 0, 0));
    return !entry || std::ranges::none_of(entry->findings, [&name](const Finding &finding) {
        return finding.rule == name.section(u':', 1, 1) && isOfText(finding);
    });
}

int fix(const VerbContext &context, const FixOptions &options)
{
    const auto catalog = loadCatalogOrComplain();
    if (!catalog)
        return CouldNotBeDone;
    const Result<Reading> reading = readRepository(catalog, context.repoPath(), QString::fromStdString(options.branch));
    if (!reading)
        return complain(reading.error());
    const QString finding = QString::fromStdString(options.finding);
    const Result<RewriteOffer> offer =
        offerNamed(catalog, reading->snapshot, finding, options.anew ? MendingWay::Anew : MendingWay::InPlace);
    if (!offer) {
        complain(offer.error());
        if (!options.anew && !isOfFile(*reading->snapshot, finding))
            tell(u"\"torch-matrix fix --anew %1\" shows what rendering it anew would change."_s.arg(finding));
        return CouldNotBeDone;
    }
    QString saved;
    if (options.apply) {
        const Result<WriteReport> written = applyOffer(reading->info.workTree, *offer);
        if (!written)
            return complain(written.error());
        saved = written->saved;
    }
    if (context.json) {
        print(QJsonObject{{u"name"_s, offer->name},
                          {u"file"_s, offer->file},
                          {u"branch"_s, offer->branch},
                          {u"applied"_s, options.apply},
                          {u"saved"_s, saved},
                          {u"diff"_s, diffText(*offer)}});
        return Done;
    }
    printRaw(diffText(*offer).toUtf8());
    tell(!options.apply      ? u"Nothing is written; --apply writes it."_s
         : offer->checkedOut ? u"%1 is written; nothing is committed."_s.arg(offer->file)
                             : u"%1 is committed on branch %2."_s.arg(offer->file, offer->branch));
    if (!saved.isEmpty())
        tell(u"The text before was not committed; \"%1\" prints it."_s.arg(showCommand(saved + u':' + offer->file)));
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
