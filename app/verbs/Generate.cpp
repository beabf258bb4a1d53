// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Changes.h"
#include "app/verbs/Verb.h"

#include "model/base/ShortList.h"
#include "model/base/Tr.h"
#include "model/change/Generate.h"
#include "model/workspace/RepositoryReading.h"

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
    std::string like;
};

/// Prints recipes: those of `names`, or all that the branch covers.
Result<int> printTexts(const std::shared_ptr<const Catalog> &catalog, const VerbContext &context,
                       const GenerateOptions &options)
{
    TM_TRY(reading, readRepository(catalog, context.repoPath(), QString::fromStdString(options.branch)));
    QStringList names = toStringList(options.names);
    for (const VariantEntry &entry : reading->snapshot->entries) {
        if (options.all && entry.covered)
            names.append(entry.variant.name());
    }
    QStringList warnings;
    QStringList errors;
    TM_TRY(texts,
           renderRecipes(catalog, *reading->snapshot, names, QString::fromStdString(options.like), &warnings, &errors));
    for (const QString &error : std::as_const(errors))
        tell(Tr::tr("error: %1").arg(error));
    for (const QString &warning : std::as_const(warnings))
        tell(Tr::tr("note: %1").arg(warning));
    for (const auto &[name, text] : *texts)
        printText(text);
    return errors.isEmpty() ? Done : DoneWithFindings;
}

struct Report {
    QStringList written;
    QStringList unchanged; ///< existed already, committed or not
    QStringList changed;   ///< other files, such as README.md
    QStringList refused;   ///< cannot be made
    int deleted = 0;       ///< in the working tree, and not created again
};

Report reportOf(const ChangeSet &changes)
{
    Report report;
    for (const ChangedFile &file : changes.files) {
        if (!file.after) {
            ++report.deleted;
        } else if (!file.chosen && !file.before) {
            report.refused.append(file.name);
        } else if (file.isImported()) {
            report.changed.append(file.path);
        } else {
            (!file.before                                       ? report.written
             : file.name.isEmpty() && file.before != file.after ? report.changed
                                                                : report.unchanged)
                .append(file.name.isEmpty() ? file.path : file.name);
        }
    }
    return report;
}

QString summary(const Report &report, const Applied &applied)
{
    QStringList parts;
    if (!report.written.isEmpty())
        parts.append(Tr::tr("%n written", "recipes", int(report.written.size())));
    if (!report.unchanged.isEmpty())
        parts.append(Tr::tr("%n there already", "recipes", int(report.unchanged.size())));
    if (!report.changed.isEmpty())
        parts.append((applied.commit.isEmpty() ? Tr::tr("%1 changed, not added to the index") : Tr::tr("%1 changed"))
                         .arg(report.changed.join(u", "_s)));
    if (!applied.commit.isEmpty())
        parts.append(Tr::tr("committed to %1 as %2").arg(applied.branch, applied.commit.left(10)));
    return parts.isEmpty() ? Tr::tr("nothing to generate") : parts.join(u", "_s);
}

Result<int> generate(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                     const GenerateOptions &options)
{
    if (options.toOutput)
        return printTexts(catalog, context, options);
    GenerateRequest request{.branch = QString::fromStdString(options.branch),
                            .names = toStringList(options.names),
                            .all = options.all,
                            .message = QString::fromStdString(options.message),
                            .like = QString::fromStdString(options.like),
                            .leaves = !context.force};
    if (options.commit)
        request.until = ChangeSet::Until::Commit;
    TM_TRY(sets, prepared(context, catalog, Tr::tr("Rendering the recipes"), request));
    const ChangeSet &changes = sets->constFirst();
    const Report report = reportOf(changes);
    tellErrors(changes);
    for (const QString &warning : changes.warnings)
        tell(Tr::tr("note: %1").arg(warning));
    if (report.deleted > 0)
        tell(Tr::tr("%n deleted in the working tree and not written; name a variant to write its recipe again",
                    "recipes", int(report.deleted)));
    if (!report.refused.isEmpty())
        tell(Tr::tr("%n cannot be made: %1.", "recipes", int(report.refused.size())).arg(shortList(report.refused)));
    const int code = report.refused.isEmpty() ? Done : DoneWithFindings;
    TM_TRY(done, changes.isEmpty() ? Applied{.branch = changes.branch}
                                   : applied(context, Tr::tr("Writing the recipes"), changes));
    if (context.json) {
        print(QJsonObject{{u"branch"_s, done->branch},
                          {u"written"_s, QJsonArray::fromStringList(report.written)},
                          {u"unchanged"_s, QJsonArray::fromStringList(report.unchanged)},
                          {u"changed"_s, QJsonArray::fromStringList(report.changed)},
                          {u"refused"_s, QJsonArray::fromStringList(report.refused)},
                          {u"commit"_s, done->commit},
                          {u"saved"_s, done->saved},
                          {u"kept"_s, QJsonArray::fromStringList(done->kept)}});
        return code;
    }
    for (const QString &name : report.written)
        print(name);
    tell(summary(report, *done) + savedText(*done));
    return code;
}

} // namespace

void addGenerate(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<GenerateOptions>();
    CLI::App *verb = app.add_subcommand("generate", Help::tr("Write the missing recipes and add them to the index"));
    auto *names = verb->add_option("NAME", options->names, Help::tr("Variants, as list prints them"));
    auto *all =
        verb->add_flag("--all", options->all,
                       Help::tr("All recipes of the coverage that are missing; with --stdout, all of the coverage"))
            ->excludes(names);
    verb->add_option("--branch", options->branch, Help::tr("Branch to generate for (default: the checked-out one)"))
        ->type_name("B");
    verb->add_option("--like", options->like,
                     Help::tr("Copy the text of this recipe of the branch and replace what it says about the variant"))
        ->type_name("REFERENCE");
    auto *toOutput = verb->add_flag("--stdout", options->toOutput, Help::tr("Print the recipes and write nothing"));
    auto *commit =
        verb->add_flag("--commit", options->commit, Help::tr("Commit exactly these files"))->excludes(toOutput);
    verb->add_option("-m", options->message, Help::tr("Commit message"))->needs(commit)->type_name("TEXT");
    addForceOption(*verb, context);
    addRepoOption(*verb, context);
    addJsonOption(*verb, context);
    verb->callback([&context, options, names, all] {
        if (names->count() == 0 && all->count() == 0)
            throw CLI::RequiredError("NAME or --all");
        context.runWith([&context, options](const auto &catalog) { return generate(context, catalog, *options); });
    });
}

} // namespace tmx
