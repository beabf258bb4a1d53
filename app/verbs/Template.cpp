// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Progress.h"
#include "app/verbs/Verb.h"

#include "model/base/Tr.h"
#include "model/change/SaveTemplate.h"
#include "model/snapshot/BranchTemplates.h"
#include "model/snapshot/Inference.h"
#include "model/snapshot/SnapshotReader.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>
#include <QJsonObject>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct TemplateOptions {
    std::string branch;
    std::vector<std::string> families, pythons, builds;
    std::string name;
    bool toOutput = false;
    bool force = false;
};

QString nameOf(const ProfileKey &key)
{
    return QStringList{key.family, key.python, key.build}.join(u' ');
}

QJsonObject jsonOf(const LearnedProfile &profile)
{
    QJsonObject object{
        {u"family"_s, profile.key.family}, {u"python"_s, profile.key.python}, {u"build"_s, profile.key.build}};
    if (!profile.learned) {
        object.insert(u"error"_s, profile.learned.error().sentence());
        return object;
    }
    QJsonArray others;
    for (const Dissenter &other : profile.learned->others)
        others.append(QJsonObject{{u"name"_s, other.variant.name()}, {u"why"_s, other.why}});
    object.insert(u"reference"_s, profile.learned->reference.name());
    object.insert(u"conditions"_s, QJsonArray::fromStringList(profile.learned->conditions));
    object.insert(u"recipes"_s, profile.learned->recipes);
    object.insert(u"identical"_s, profile.learned->identical);
    object.insert(u"sameBuild"_s, profile.learned->same);
    object.insert(u"others"_s, others);
    object.insert(u"text"_s, profile.learned->text);
    return object;
}

QString textOf(const LearnedProfile &profile)
{
    if (!profile.learned)
        return u"%1: %2"_s.arg(nameOf(profile.key), profile.learned.error().sentence());
    const LearnedTemplate &learned = *profile.learned;
    QString text = Tr::tr("%1: like %2; reproduces %3 of %4 recipes with the same build (%5 byte for byte)")
                       .arg(nameOf(profile.key), learned.reference.name())
                       .arg(learned.same)
                       .arg(learned.recipes)
                       .arg(learned.identical);
    if (!learned.conditions.isEmpty())
        text += u"\n  differs by "_s + learned.conditions.join(u", "_s);
    for (const Dissenter &other : learned.others)
        text += u"\n  not %1: %2"_s.arg(other.variant.name(), other.why);
    return text;
}

Result<int> learn(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                  const TemplateOptions &options)
{
    Progress progress(Tr::tr("Learning the templates"));
    const SnapshotReader reader(catalog);
    TM_TRY(source, branchNamed(context.repoPath(), QString::fromStdString(options.branch)));
    TM_TRY(content, reader.content(*source, progress.hooks()));
    const QString branch = source->branch;
    QStringList pythons;
    for (const QString &word : toStringList(options.pythons))
        pythons.append(catalog->pythonNamed(word));
    const ProfileSelector where{toStringList(options.families), pythons, toStringList(options.builds)};
    const Settings stated = inferred(reader.recipes(), **content, WithTemplates::No).settings;
    const QList<LearnedProfile> profiles =
        learnedProfiles(reader.recipes(), **content, stated, where, progress.hooks());
    if (progress.hooks().stopped())
        return complain(stoppedError());
    if (profiles.isEmpty())
        return complain(Error{Tr::tr("learn a template"), branch, Tr::tr("no recipe is selected"), {}});
    if (options.toOutput || !options.name.empty()) {
        if (profiles.size() > 1)
            return complain(Error{Tr::tr("learn one template"), branch,
                                  Tr::tr("%1 profiles are selected").arg(profiles.size()),
                                  Tr::tr("Choose one with --family, --python and --build.")},
                            WrongUsage);
        if (!profiles.constFirst().learned)
            return complain(profiles.constFirst().learned.error());
    }
    QString path;
    if (!options.name.empty()) {
        TM_TRY(saved, saveTemplate(*catalog, QString::fromStdString(options.name), profiles.constFirst().learned->text,
                                   options.force));
        path = *saved;
    }
    if (options.toOutput) {
        printText(profiles.constFirst().learned->text.toUtf8());
    } else if (context.json) {
        QJsonArray array;
        for (const LearnedProfile &profile : profiles)
            array.append(jsonOf(profile));
        print(QJsonObject{{u"branch"_s, branch}, {u"profiles"_s, array}, {u"saved"_s, path}});
    } else {
        for (const LearnedProfile &profile : profiles)
            print(textOf(profile));
    }
    if (!path.isEmpty())
        tell(Tr::tr("Saved as %1. Branch settings use it by the name %2.")
                 .arg(path, QString::fromStdString(options.name)));
    const bool all = std::ranges::all_of(
        profiles, [](const LearnedProfile &profile) { return profile.learned && profile.learned->others.isEmpty(); });
    return all ? Done : DoneWithFindings;
}

} // namespace

void addTemplate(CLI::App &app, VerbContext &context)
{
    CLI::App *verb = app.add_subcommand("template", Help::tr("Templates of your own"));
    verb->require_subcommand(1);
    auto options = std::make_shared<TemplateOptions>();
    CLI::App *learning =
        verb->add_subcommand("learn", Help::tr("Learn the template of each profile from the recipes of the branch"));
    learning->add_option("--branch", options->branch, Help::tr("Branch to read (default: the checked-out one)"))
        ->type_name("B");
    learning->add_option("--family", options->families, Help::tr("Only profiles of this family"))->type_name("F");
    learning
        ->add_option("--python", options->pythons, Help::tr("Only profiles of this Python, such as 3.13 or python313"))
        ->type_name("P");
    learning->add_option("--build", options->builds, Help::tr("Only profiles of this toolkit, cpu or metal"))
        ->type_name("T");
    auto *toOutput = learning->add_flag("--stdout", options->toOutput, Help::tr("Print the template"));
    learning
        ->add_option("--save", options->name, Help::tr("Save it under this name, FAMILY/SHAPE, among your templates"))
        ->type_name("NAME")
        ->excludes(toOutput);
    learning->add_flag("--force", options->force, Help::tr("Replace a template of that name"));
    addRepoOption(*learning, context);
    addJsonOption(*learning, context);
    runOnCatalog(*learning, context, options, &learn);
}

} // namespace tmx
