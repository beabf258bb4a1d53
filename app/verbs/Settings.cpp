// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Changes.h"

#include "model/base/Sentences.h"
#include "model/base/Tr.h"
#include "model/change/SaveSettings.h"
#include "model/settings/SettingsEdit.h"
#include "model/settings/SettingsFile.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct SettingsVerbOptions {
    std::string branch;
    std::string key;
    std::string value;
    bool force = false;
};

QJsonObject byFamilyJson(const Setting &setting, const QMap<QString, SettingsValues> &families)
{
    QJsonObject object;
    for (auto it = families.cbegin(); it != families.cend(); ++it) {
        if (it->contains(setting.key))
            object.insert(it.key(), it->value(setting.key));
    }
    return object;
}

QJsonValue valueJson(const Setting &setting, const QString &value)
{
    return setting.most > 0 ? QJsonValue(value.toInt()) : QJsonValue(value);
}

void insertSelector(QJsonObject &object, const ProfileSelector &where)
{
    object.insert(u"families"_s, QJsonArray::fromStringList(where.families));
    object.insert(u"pythons"_s, QJsonArray::fromStringList(where.pythons));
    object.insert(u"builds"_s, QJsonArray::fromStringList(where.builds));
}

QJsonObject cudaJson(const WrittenCuda &cuda)
{
    QJsonObject object{{u"version"_s, cuda.version}};
    for (const Setting &setting : settingsTable()) {
        if (setting.scope == Setting::Toolkit || setting.unit == "nixpkgs"_L1)
            object.insert(setting.key, valueJson(setting, cuda.values.value(setting.key)));
        else if (setting.scope == Setting::Family)
            object.insert(setting.table, byFamilyJson(setting, cuda.families));
        else if (setting.key == "gpu_template"_L1)
            object.insert(u"templates"_s, byFamilyJson(setting, cuda.families));
    }
    return object;
}

/// Values that apply to some profiles only; unset values are left out.
QJsonObject profileJson(const WrittenProfile &profile)
{
    QJsonObject object;
    insertSelector(object, profile.where);
    for (auto it = profile.values.cbegin(); it != profile.values.cend(); ++it)
        object.insert(it.key(), valueJson(*settingOf(it.key()), *it));
    return object;
}

/// Adds what the settings were inferred from.
void insertInference(QJsonObject &object, const Inference &inference)
{
    QJsonArray evidence;
    for (const Evidence &one : inference.evidence)
        evidence.append(QJsonObject{{u"family"_s, one.key.family},
                                    {u"python"_s, one.key.python},
                                    {u"build"_s, one.key.build},
                                    {u"field"_s, one.field},
                                    {u"value"_s, one.value},
                                    {u"agree"_s, one.agree},
                                    {u"of"_s, one.of},
                                    {u"like"_s, one.like},
                                    {u"dissenters"_s, QJsonArray::fromStringList(one.dissenters)}});
    QJsonArray unknowns;
    for (const Unknown &unknown : inference.unknowns)
        unknowns.append(QJsonObject{{u"key"_s, unknown.key}, {u"what"_s, unknown.what}, {u"why"_s, unknown.why}});
    QJsonArray holes;
    for (auto it = inference.holes.cbegin(); it != inference.holes.cend(); ++it)
        holes.append(QJsonObject{{u"name"_s, it.key()}, {u"reason"_s, *it}});
    object.insert(u"inferred"_s, QJsonObject{{u"recipes"_s, inference.recipes},
                                             {u"evidence"_s, evidence},
                                             {u"unknowns"_s, unknowns},
                                             {u"holes"_s, holes}});
}

QString some(const QStringList &names)
{
    const QString first = names.mid(0, 3).join(u", "_s);
    return names.size() > 3 ? Tr::tr("%1 and %n more", nullptr, int(names.size() - 3)).arg(first) : first;
}

/// Prints the same as text.
void tellInference(const SettingsReading &reading)
{
    const Inference &inference = reading.inference;
    const QString where = reading.checkedOut ? QString() : u" --branch "_s + reading.branch;
    tell(summaryOf(inference));
    for (const Evidence &one : inference.evidence) {
        const QString profile = QStringList{one.key.family, one.key.python, one.key.build}.join(u' ');
        if (!one.like.isEmpty())
            tell(Tr::tr("%1: template %2, learned from the recipes (like %3); %4 of %5 build the same")
                     .arg(profile, one.value, one.like)
                     .arg(one.agree)
                     .arg(one.of));
        else if (one.field == "template"_L1)
            tell(Tr::tr("%1: template %2; of %3 recipes that it was compared with, %4 build the same")
                     .arg(profile, one.value)
                     .arg(one.of)
                     .arg(one.agree));
        else if (!one.dissenters.isEmpty())
            tell(Tr::tr("%1: %2 from %3 of %4 recipes; different in %5")
                     .arg(profile, one.field)
                     .arg(one.agree)
                     .arg(one.of)
                     .arg(some(one.dissenters)));
    }
    for (const Unknown &unknown : inference.unknowns)
        tell(joinedSentences({Tr::tr("unknown: %1.").arg(unknown.what), unknown.why,
                              Tr::tr("Set it with \"torch-matrix settings set %1 VALUE%2\"").arg(unknown.key, where)}));
    constexpr qsizetype most = 5;
    const QStringList holes = inference.holes.keys();
    for (const QString &name : holes.first(std::min(most, holes.size())))
        tell(Tr::tr("probably missing: %1. %2").arg(name, inference.holes.value(name)));
    if (holes.size() > most)
        tell(Tr::tr("probably missing: %n more, which \"torch-matrix plan\" lists", nullptr, int(holes.size() - most)));
}

QJsonObject settingsJson(const SettingsReading &reading, const Catalog &catalog)
{
    const WrittenSettings settings = written(reading.settings, catalog);
    QJsonArray cudas;
    for (const WrittenCuda &cuda : settings.cudas)
        cudas.append(cudaJson(cuda));
    QJsonArray profiles;
    for (const WrittenProfile &profile : settings.profiles)
        profiles.append(profileJson(profile));
    QJsonArray coverage;
    for (const WrittenCoverage &block : settings.coverage) {
        QJsonObject object{{u"rows"_s, QJsonArray::fromStringList(block.rows)},
                           {u"isas"_s, QJsonArray::fromStringList(block.isas)}};
        if (!block.rest.isEmpty())
            object.insert(u"rest"_s, block.rest);
        insertSelector(object, block.where);
        coverage.append(object);
    }
    QJsonArray insisted; // covered although they cannot exist
    const QList<Variant> promised = reading.settings.promised();
    for (const Variant &variant : promised) {
        if (!catalog.validity(variant, reading.settings).valid)
            insisted.append(variant.name());
    }
    QJsonObject object{{u"branch"_s, reading.branch},
                       {u"source"_s, toString(reading.settings.source)},
                       {u"file"_s, reading.file ? QString(settingsFileName) : QString()},
                       {u"problem"_s, reading.problem},
                       {u"families"_s, QJsonArray::fromStringList(settings.promisedFamilies())},
                       {u"pythons"_s, QJsonArray::fromStringList(settings.pythons)},
                       {u"cuda"_s, cudas},
                       {u"profile"_s, profiles},
                       {u"coverage"_s, coverage},
                       {u"promised"_s, promised.size()},
                       {u"insisted"_s, insisted}};
    for (const Setting &setting : settingsTable()) {
        if (setting.scope == Setting::Branch)
            object.insert(setting.key, valueJson(setting, settings.value(setting.key)));
        else if (setting.scope == Setting::Family || setting.scope == Setting::Templates)
            object.insert(setting.table, byFamilyJson(setting, settings.ofFamilies));
    }
    if (reading.settings.source == Settings::Source::Inferred)
        insertInference(object, reading.inference);
    return object;
}

QString whereFrom(const SettingsReading &reading)
{
    switch (reading.settings.source) {
    case Settings::Source::File: return u"from %1"_s.arg(settingsFileName);
    case Settings::Source::BuiltIn: return Tr::tr("built in");
    case Settings::Source::Inferred:
        return Tr::tr("inferred from the recipes; \"torch-matrix settings save\" writes torch-matrix.toml");
    }
    return {};
}

int show(const VerbContext &context, const Catalog &catalog, const SettingsReading &reading)
{
    if (context.json) {
        print(settingsJson(reading, catalog));
        return reading.problem.isEmpty() ? Done : DoneWithFindings;
    }
    // The heading goes to standard error, so that `settings show > torch-matrix.toml` gives the file alone.
    tell(Tr::tr("settings of %1: %2").arg(reading.title, whereFrom(reading)));
    if (reading.settings.source == Settings::Source::Inferred)
        tellInference(reading);
    printText(reading.settings.source == Settings::Source::File ? *reading.file
                                                                : writeSettingsFile(reading.settings, catalog));
    if (reading.problem.isEmpty())
        return Done;
    tell(reading.problem);
    return DoneWithFindings;
}

/// What the recipes need to match changed settings, in sentences; empty if nothing.
QStringList whatFollows(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                        const QString &branch)
{
    const Result<QList<ChangeSet>> plan =
        prepared(context, catalog, Tr::tr("Reading the recipes"), PlanRequest{branch, QStringList()});
    if (!plan)
        return {};
    const QString verb = u"torch-matrix plan"_s + (branch.isEmpty() ? QString() : u" --branch "_s + branch);
    const int left = plan->constFirst().leftToUser();
    QStringList sentences;
    if (!plan->constFirst().isEmpty())
        sentences.append(
            (plan->constFirst().chosenErrors().isEmpty()
                 ? Tr::tr("the recipes are not updated yet: %1; \"%2\" lists them, and its --apply does it")
                 : Tr::tr("the recipes are not updated yet: %1; \"%2\" lists them, and its --apply "
                          "refuses them: the audit finds errors"))
                .arg(countsText(plan->constFirst()), verb));
    if (left > 0)
        sentences.append(Tr::tr("%1; \"%2\" says why").arg(leftText(plan->constFirst()), verb));
    return sentences;
}

/// Writes torch-matrix.toml to the working tree and the index, or to a commit if the branch is not checked out.
Result<int> write(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                  const SettingsReading &reading, SettingsRequest request)
{
    request.until = reading.checkedOut ? ChangeSet::Until::Index : ChangeSet::Until::Commit;
    TM_TRY(sets, prepared(context, catalog, Tr::tr("Reading the settings"), request));
    const ChangeSet &changes = sets->constFirst();
    const ChangedFile &file = changes.files.constFirst();
    if (!request.key.isEmpty()) {
        for (const QString &sentence : changes.warnings)
            tell(Tr::tr("warning: %1").arg(sentence));
        if (!file.before)
            tell(Tr::tr("the settings of %1 were %2").arg(reading.title, whereFrom(reading)));
    }
    if (reading.settings.source == Settings::Source::Inferred && !reading.inference.holes.isEmpty())
        tell(Tr::tr("not listed, although it may be missing: %1; \"settings set coverage.ROW\" lists a cell")
                 .arg(some(reading.inference.holes.keys())));
    TM_TRY(done, changes.isEmpty() ? Applied{.branch = changes.branch}
                                   : applied(context, Tr::tr("Writing the settings"), changes));
    const bool same = file.before == file.after;
    if (context.json)
        print(
            QJsonObject{{u"branch"_s, reading.branch}, {u"file"_s, QString(settingsFileName)}, {u"changed"_s, !same}});
    else if (!reading.checkedOut)
        tell(same ? Tr::tr("%1 of %2 left as it is").arg(settingsFileName, reading.title) : appliedText(*done));
    else
        tell((done->added.isEmpty() ? same ? Tr::tr("%1 left as it is") : Tr::tr("%1 written; it is not committed")
              : same ? Tr::tr("%1 left as it is and added to the index; it is not committed")
                                    : Tr::tr("%1 written and added to the index; it is not committed"))
                 .arg(settingsFileName) +
             savedText(*done));
    if (!same && !context.json && !request.key.isEmpty()) {
        for (const QString &sentence : whatFollows(context, catalog, request.branch))
            tell(sentence);
    }
    if (!context.json && changes.settings && request.key.isEmpty() &&
        std::ranges::any_of(changes.settings->profiles,
                            [](const Profile &profile) { return isLearned(profile.templateName); }))
        tell(Tr::tr("It names templates that the program learns again whenever the recipes change; \"torch-matrix "
                    "template learn\" shows them, and its --save keeps one as a file"));
    return Done;
}

auto keysHelp() -> std::string
{
    QString text = QString::fromStdString(Help::tr("KEY is one of")) + u'\n';
    for (const SettingsKey &key : settingsKeys())
        text += u"  %1  %2\n"_s.arg(key.name.leftJustified(22), key.what);
    return text.toStdString();
}

} // namespace

void addSettings(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<SettingsVerbOptions>();
    CLI::App *verb = app.add_subcommand(
        "settings", Help::tr("Show, save or change the settings of a branch: what it builds, as in torch-matrix.toml"));
    verb->alias("line"); // its first name
    verb->require_subcommand(1);

    using Action = std::function<Result<int>(const std::shared_ptr<const Catalog> &, const SettingsReading &)>;
    const auto add = [&](CLI::App *action, const Action &run) {
        addRepoOption(*action, context);
        addJsonOption(*action, context);
        action->callback([&context, options, run] {
            context.runWith([&context, options, run](const auto &catalog) -> Result<int> {
                const auto reading =
                    readSettingsOf(catalog, context.repoPath(), QString::fromStdString(options->branch));
                return reading ? run(catalog, *reading) : complain(reading.error());
            });
        });
    };

    CLI::App *showing =
        verb->add_subcommand("show", Help::tr("Print the branch settings as a file, and where they come from"));
    showing->add_option("--branch", options->branch, Help::tr("Branch to look at (default: the checked-out one)"))
        ->type_name("B");
    add(showing,
        [&context](const auto &catalog, const SettingsReading &reading) { return show(context, *catalog, reading); });

    const auto addBranch = [&options](CLI::App *action) {
        action
            ->add_option("--branch", options->branch,
                         Help::tr("Branch to change (default: the checked-out one); another one gets a commit"))
            ->type_name("B");
    };
    CLI::App *saving =
        verb->add_subcommand("save", Help::tr("Write the settings that the branch has now to torch-matrix.toml"));
    addBranch(saving);
    saving->add_flag("--force", options->force, Help::tr("Replace an existing file"));
    add(saving, [&context, options](const auto &catalog, const SettingsReading &reading) {
        return write(context, catalog, reading,
                     {.branch = QString::fromStdString(options->branch), .rewrite = options->force});
    });

    CLI::App *setting = verb->add_subcommand(
        "set", Help::tr("Change one key of torch-matrix.toml; the file is created if there is none"));
    setting->add_option("KEY", options->key, Help::tr("Key, see below"))->required();
    setting->add_option("VALUE", options->value, Help::tr("Its value, lists with commas; \"\" removes the key"))
        ->required();
    addBranch(setting);
    setting->add_flag("--force", options->force, Help::tr("Rewrite the file if needed, even if comments are lost"));
    setting->footer(keysHelp());
    add(setting, [&context, options](const auto &catalog, const SettingsReading &reading) {
        return write(context, catalog, reading,
                     {.branch = QString::fromStdString(options->branch),
                      .key = QString::fromStdString(options->key),
                      .value = QString::fromStdString(options->value),
                      .rewrite = options->force});
    });
}

} // namespace tmx
