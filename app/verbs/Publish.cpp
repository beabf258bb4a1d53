// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Progress.h"
#include "app/verbs/Verb.h"

#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/builds/PublishPlan.h"
#include "model/change/Generate.h"
#include "model/workspace/RepositoryReading.h"

#include <CLI/CLI.hpp>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct PublishOptions {
    std::vector<std::string> names;
    std::string organisation;
    std::string stability;
    bool dryRun = false;
    bool again = false;
    bool built = false;
};

void printConditions(const QList<PublishCondition> &conditions)
{
    for (const PublishCondition &condition : conditions)
        print(u"%1  %2"_s.arg(condition.holds ? u"ok     "_s : u"missing"_s, condition.sentence));
}

/// Publishes an item of a plan and says so. Returns how it failed; empty: it did not.
QString publishItem(const PublishPlan &plan, qsizetype index, bool dryRun)
{
    const PublishItem &item = plan.items.at(index);
    if (!item.as.isEmpty()) {
        tell(Tr::tr("%1 is published, its recipe has not changed since; --again publishes it again").arg(item.package));
        print(installCommand(item.as));
        return {};
    }
    if (dryRun) {
        print(
            (QStringList{u"flox"_s} + publishArguments(plan.workTree, item.package, plan.organisation, plan.stability))
                .join(u' '));
        return {};
    }
    const Result<PublishedPackage> published = [&] {
        Progress progress(Tr::tr("Publishing %1 (%2 of %3)")
                              .arg(item.package, QString::number(index + 1), QString::number(plan.items.size())));
        return publishOne(plan, item, progress.hooks().stop);
    }();
    if (!published || published->end == PublishEnd::Failed) {
        const QString sentence = published ? published->sentence : published.error().sentence();
        tell(sentence);
        return u"failed  %1  %2"_s.arg(published ? published->condition : u"history"_s, sentence);
    }
    if (published->end == PublishEnd::AlreadyPublished)
        tell(Tr::tr("%1 was already published").arg(item.package));
    print(installCommand(published->as));
    return {};
}

Result<int> publish(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                    const PublishOptions &options)
{
    TM_TRY(reading, readRepository(catalog, context.repoPath()));
    PublishWish wish{.variants = toStringList(options.names),
                     .organisation = QString::fromStdString(options.organisation),
                     .stability = QString::fromStdString(options.stability),
                     .again = options.again};
    if (!wish.organisation.isEmpty() && !hasForm(wish.organisation, u"[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}"))
        return complain({Tr::tr("publish as"), wish.organisation, Tr::tr("that is not the name of an organisation"),
                         Tr::tr("Use letters, digits, dots, dashes and underscores.")},
                        WrongUsage);
    for (const QString &name : std::as_const(wish.variants)) {
        if (const Result<Variant> variant = variantNamed(*catalog, name); !reading->snapshot->find(name) && !variant)
            return complain(variant.error());
    }
    if (options.built) {
        wish.variants += unpublished(*reading->snapshot, wish);
        wish.variants.removeDuplicates();
        if (wish.variants.isEmpty()) {
            tell(wish.again ? Tr::tr("Nothing is built.")
                 : wish.organisation.isEmpty()
                     ? Tr::tr("Nothing is built that is not published.")
                     : Tr::tr("Nothing is built that %1 does not have.").arg(wish.organisation));
            return Done;
        }
    }
    TM_TRY(plan, planPublish(reading->info.workTree, *reading->snapshot, wish));
    const bool can = canPublish(plan->conditions);
    if (options.dryRun || !can)
        printConditions(plan->conditions);
    if (!can)
        return options.dryRun ? DoneWithFindings : CouldNotBeDone;
    if (!plan->notice.isEmpty())
        tell(plan->notice);
    QStringList failures;
    for (qsizetype i = 0; i < plan->items.size(); ++i) {
        if (const QString failure = publishItem(*plan, i, options.dryRun); !failure.isEmpty())
            failures.append(failure);
    }
    if (failures.size() > 1 || (!failures.isEmpty() && plan->items.size() > 1)) {
        for (const QString &failure : std::as_const(failures))
            print(failure);
    }
    if (const Result<PublishedCount> count = countPublished(plan->workTree, *reading->snapshot))
        tell(Tr::tr("%1 of %2 of branch %3 published")
                 .arg(QString::number(count->published), QString::number(count->recipes), plan->branch));
    return failures.isEmpty() ? Done : DoneWithFindings;
}

} // namespace

void addPublish(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<PublishOptions>();
    CLI::App *verb = app.add_subcommand(
        "publish", Help::tr("Publish variants of the checked-out branch with flox, one after the other"));
    CLI::Option *names = verb->add_option("NAME", options->names, Help::tr("Variants, as list prints them"));
    CLI::Option *built =
        verb->add_flag("--built", options->built,
                       Help::tr("All variants that are built and not published; with --org: not published there"));
    verb->add_option("-o,--org", options->organisation,
                     Help::tr("Organisation (default: the last one used, else flox's own choice)"))
        ->type_name("ORG");
    verb->add_option("--stability", options->stability,
                     Help::tr("Stability of nixpkgs (flox's --stability), for recipes without a pin"))
        ->type_name("S");
    verb->add_flag("--dry-run", options->dryRun,
                   Help::tr("Print the conditions of flox and the commands that would run"));
    verb->add_flag("--again", options->again,
                   Help::tr("Also publish packages that have not changed since they were "
                            "published"));
    addRepoOption(*verb, context);
    verb->callback([&context, options, names, built] {
        if (names->count() == 0 && built->count() == 0)
            throw CLI::RequiredError("NAME or --built");
        context.runWith([&context, options](const auto &catalog) { return publish(context, catalog, *options); });
    });
}

} // namespace tmx
