// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Verb.h"

#include "model/workspace/Operations.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct GenerateOptions {
    std::vector<std::string> names;
    bool all = false;
    bool commit = false;
    bool toOutput = false;
    std::string branch;
    std::string message;
};

int printTexts(const std::shared_ptr<const Catalog> &catalog, const BranchSnapshot &snapshot, const QStringList &names)
{
    const auto texts = renderRecipes(catalog, snapshot, names);
    if (!texts)
        return complain(texts.error());
    for (const auto &[name, text] : *texts)
        printRaw(text);
    return Done;
}

QString summary(const WriteReport &report)
{
    QStringList parts;
    if (!report.written.isEmpty())
        parts.append(u"%1 written"_s.arg(report.written.size()));
    if (!report.unchanged.isEmpty())
        parts.append(u"%1 there already"_s.arg(report.unchanged.size()));
    if (!report.commit.isEmpty())
        parts.append(u"committed to %1 as %2"_s.arg(report.branch, report.commit.left(10)));
    return parts.isEmpty() ? u"nothing to generate"_s : parts.join(u", "_s);
}

int generate(const VerbContext &context, const GenerateOptions &options)
{
    const auto catalog = loadCatalogOrComplain();
    if (!catalog)
        return CouldNotBeDone;
    const QString branch = QString::fromStdString(options.branch);
    const Result<Reading> reading = readRepository(catalog, context.repoPath(), branch);
    if (!reading)
        return complain(reading.error());
    QStringList names = toStringList(options.names);
    qsizetype deleted = 0;
    if (options.all) {
        for (const VariantEntry &entry : reading->snapshot->entries) {
            if (entry.covered && (options.toOutput || entry.state == RecipeState::Missing))
                names.append(entry.variant.name());
            else if (entry.covered && entry.fileStatus == FileStatus::Deleted)
                ++deleted;
        }
    }
    // Somebody removed them and has not committed that; whether it was meant is not for --all to say.
    if (deleted > 0)
        tell(u"%1 deleted in the work tree and left so; name a variant to write its recipe again"_s.arg(deleted));
    if (options.toOutput)
        return printTexts(catalog, *reading->snapshot, names);
    if (!reading->snapshot->checkedOut && !options.commit)
        return complain(
            Error{u"generate on branch"_s, branch, u"it is not checked out, so there is no work tree to write to"_s,
                  u"Add --commit to commit the recipes straight to that branch, or --stdout to see them."_s});
    const Result<WriteReport> report =
        generateRecipes(catalog, context.repoPath(), reading->snapshot->branch, names,
                        options.commit ? std::optional(QString::fromStdString(options.message)) : std::nullopt);
    if (!report)
        return complain(report.error());
    if (context.json) {
        print(QJsonObject{{u"branch"_s, report->branch},
                          {u"written"_s, QJsonArray::fromStringList(report->written)},
                          {u"unchanged"_s, QJsonArray::fromStringList(report->unchanged)},
                          {u"commit"_s, report->commit}});
        return Done;
    }
    for (const QString &name : report->written)
        print(name);
    tell(summary(*report));
    return Done;
}

} // namespace

void addGenerate(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<GenerateOptions>();
    CLI::App *verb =
        app.add_subcommand("generate", "Write the recipes of variants that are missing, and add them to the index");
    auto *names = verb->add_option("NAME", options->names, "Variants, as list prints them");
    auto *all = verb->add_flag("--all", options->all,
                               "All that the line promises and that are missing; with --stdout, all that it promises")
                    ->excludes(names);
    verb->add_option("--branch", options->branch, "Branch whose line is used (default: the checked-out one)")
        ->type_name("B");
    auto *toOutput = verb->add_flag("--stdout", options->toOutput, "Print the recipes and write nothing");
    auto *commit = verb->add_flag("--commit", options->commit, "Commit exactly these files")->excludes(toOutput);
    verb->add_option("-m", options->message, "Message of the commit")->needs(commit)->type_name("TEXT");
    addRepoOption(*verb, context);
    addJsonOption(*verb, context);
    verb->callback([&context, options, names, all] {
        if (names->count() == 0 && all->count() == 0)
            throw CLI::RequiredError("NAME or --all");
        context.run = [&context, options] { return generate(context, *options); };
    });
}

} // namespace tmx
