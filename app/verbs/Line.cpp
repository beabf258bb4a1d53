// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Changes.h"

#include "model/change/SaveSettings.h"
#include "model/settings/LineEdit.h"
#include "model/settings/LineFile.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct LineOptions {
    std::string branch;
    std::string key;
    std::string value;
    bool force = false;
};

QJsonObject tableJson(const QHash<QString, QString> &values)
{
    QJsonObject object;
    for (auto it = values.cbegin(); it != values.cend(); ++it)
        object.insert(it.key(), *it);
    return object;
}

void insertPin(QJsonObject &object, const NixpkgsPin &pin)
{
    object.insert(u"nixpkgs"_s, pin.revision);
    object.insert(u"nixpkgs_sha256"_s, pin.sha256);
    object.insert(u"nixpkgs_python3"_s, pin.python3);
}

void insertSelector(QJsonObject &object, const ProfileSelector &where)
{
    object.insert(u"families"_s, QJsonArray::fromStringList(where.families));
    object.insert(u"pythons"_s, QJsonArray::fromStringList(where.pythons));
    object.insert(u"builds"_s, QJsonArray::fromStringList(where.builds));
}

QJsonObject cudaJson(const WrittenCuda &cuda)
{
    QJsonObject object{{u"version"_s, cuda.version},
                       {u"release"_s, cuda.release},
                       {u"attribute"_s, cuda.attribute},
                       {u"templates"_s, tableJson(cuda.templates)},
                       {u"versions"_s, tableJson(cuda.versions)},
                       {u"hashes"_s, tableJson(cuda.hashes)},
                       {u"pname_prefixes"_s, tableJson(cuda.pnamePrefixes)}};
    insertPin(object, cuda.pin);
    return object;
}

/// Values that apply to some profiles only; unset values are left out.
QJsonObject profileJson(const WrittenProfile &profile)
{
    QJsonObject object;
    insertSelector(object, profile.where);
    const std::pair<QString, std::optional<QString>> texts[] = {{u"version"_s, profile.version},
                                                                {u"hash"_s, profile.sourceHash},
                                                                {u"attribute"_s, profile.cudaAttribute},
                                                                {u"release"_s, profile.release},
                                                                {u"python_set"_s, profile.pythonSet},
                                                                {u"pname_prefix"_s, profile.pnamePrefix},
                                                                {u"template"_s, profile.templateName},
                                                                {u"torch_catalog"_s, profile.torchCatalog},
                                                                {u"torch_repository"_s, profile.torchAddress},
                                                                {u"torch_rev"_s, profile.torchRevision},
                                                                {u"torch_sha256"_s, profile.torchSha256}};
    for (const auto &[key, text] : texts) {
        if (text)
            object.insert(key, *text);
    }
    if (profile.pin)
        insertPin(object, *profile.pin);
    if (profile.torchOrigin)
        object.insert(u"torch_source"_s, toString(*profile.torchOrigin));
    if (profile.blas)
        object.insert(u"blas"_s, toString(*profile.blas));
    if (profile.notation)
        object.insert(u"arch_notation"_s, toString(*profile.notation));
    if (profile.metadataRev)
        object.insert(u"metadata_rev"_s, *profile.metadataRev);
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
    return names.mid(0, 3).join(u", "_s) + (names.size() > 3 ? u" and %1 more"_s.arg(names.size() - 3) : QString());
}

/// Prints the same as text.
void tellInference(const LineReading &reading)
{
    const Inference &inference = reading.inference;
    const QString where = reading.checkedOut ? QString() : u" --branch "_s + reading.branch;
    tell(summaryOf(inference));
    for (const Evidence &one : inference.evidence) {
        const QString profile = QStringList{one.key.family, one.key.python, one.key.build}.join(u' ');
        if (!one.like.isEmpty())
            tell(u"%1: template %2, learned from the recipes (like %3); %4 of %5 build the same"_s
                     .arg(profile, one.value, one.like)
                     .arg(one.agree)
                     .arg(one.of));
        else if (one.field == "template"_L1)
            tell(u"%1: template %2; it was rendered for %3 cells, and %4 of them build the same as their recipes"_s
                     .arg(profile, one.value)
                     .arg(one.of)
                     .arg(one.agree));
        else if (!one.dissenters.isEmpty())
            tell(u"%1: %2 from %3 of %4 recipes; different in %5"_s.arg(profile, one.field)
                     .arg(one.agree)
                     .arg(one.of)
                     .arg(some(one.dissenters)));
    }
    for (const Unknown &unknown : inference.unknowns)
        tell(u"unknown: %1. %2Set it with \"torch-matrix line set %3 VALUE%4\""_s.arg(
            unknown.what, unknown.why.isEmpty() ? QString() : unknown.why + u' ', unknown.key, where));
    constexpr qsizetype most = 5;
    const QStringList holes = inference.holes.keys();
    for (const QString &name : holes.first(std::min(most, holes.size())))
        tell(u"missing?: %1. %2"_s.arg(name, inference.holes.value(name)));
    if (holes.size() > most)
        tell(u"missing?: %1 more, which \"torch-matrix plan\" lists"_s.arg(holes.size() - most));
}

QJsonObject lineJson(const LineReading &reading, const Catalog &catalog)
{
    const WrittenSettings line = written(reading.line, catalog);
    QJsonArray cudas;
    for (const WrittenCuda &cuda : line.cudas)
        cudas.append(cudaJson(cuda));
    QJsonArray profiles;
    for (const WrittenProfile &profile : line.profiles)
        profiles.append(profileJson(profile));
    QJsonArray coverage;
    for (const WrittenCoverage &block : line.coverage) {
        QJsonObject object{{u"rows"_s, QJsonArray::fromStringList(block.rows)},
                           {u"isas"_s, QJsonArray::fromStringList(block.isas)}};
        insertSelector(object, block.where);
        coverage.append(object);
    }
    QJsonArray insisted; // covered although they cannot exist
    const QList<Variant> promised = reading.line.promised();
    for (const Variant &variant : promised) {
        if (!catalog.validity(variant, reading.line).valid)
            insisted.append(variant.name());
    }
    QJsonObject object{{u"branch"_s, reading.branch},
                       {u"source"_s, toString(reading.line.source)},
                       {u"file"_s, reading.file ? QString(lineFileName) : QString()},
                       {u"problem"_s, reading.problem},
                       {u"families"_s, QJsonArray::fromStringList(line.promisedFamilies())},
                       {u"versions"_s, tableJson(line.versions)},
                       {u"hashes"_s, tableJson(line.hashes)},
                       {u"pname_prefixes"_s, tableJson(line.pnamePrefixes)},
                       {u"pythons"_s, QJsonArray::fromStringList(line.pythons)},
                       {u"gpu_templates"_s, tableJson(line.gpuTemplates)},
                       {u"cpu_templates"_s, tableJson(line.cpuTemplates)},
                       {u"metal_templates"_s, tableJson(line.metalTemplates)},
                       {u"torch_source"_s, toString(line.torchOrigin)},
                       {u"torch_catalog"_s, line.torchCatalog},
                       {u"torch_repository"_s, line.torchRepository.address},
                       {u"torch_rev"_s, line.torchRepository.revision},
                       {u"torch_sha256"_s, line.torchRepository.sha256},
                       {u"blas"_s, toString(line.blas)},
                       {u"arch_notation"_s, toString(line.archNotation)},
                       {u"metadata_rev"_s, line.metadataRev},
                       {u"python_set"_s, line.pythonSet},
                       {u"cuda"_s, cudas},
                       {u"profile"_s, profiles},
                       {u"coverage"_s, coverage},
                       {u"promised"_s, promised.size()},
                       {u"insisted"_s, insisted}};
    insertPin(object, line.pin);
    if (reading.line.source == Settings::Source::Inferred)
        insertInference(object, reading.inference);
    return object;
}

QString whereFrom(const LineReading &reading)
{
    switch (reading.line.source) {
    case Settings::Source::File: return u"from %1"_s.arg(lineFileName);
    case Settings::Source::BuiltIn: return u"built in"_s;
    case Settings::Source::Inferred:
        return u"inferred from the recipes; \"torch-matrix line save\" writes "_s
               u"torch-matrix.toml"_s;
    }
    return {};
}

int show(const VerbContext &context, const Catalog &catalog, const LineReading &reading)
{
    if (context.json) {
        print(lineJson(reading, catalog));
        return reading.problem.isEmpty() ? Done : DoneWithFindings;
    }
    // The heading goes to standard error, so that `line show > torch-matrix.toml` writes only the file.
    tell(u"line of %1: %2"_s.arg(reading.branch, whereFrom(reading)));
    if (reading.line.source == Settings::Source::Inferred)
        tellInference(reading);
    printText(reading.line.source == Settings::Source::File ? *reading.file : writeLineFile(reading.line, catalog));
    if (reading.problem.isEmpty())
        return Done;
    tell(reading.problem);
    return DoneWithFindings;
}

/// What the recipes need to match changed settings, in sentences; empty if nothing.
QStringList whatFollows(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                        const QString &branch)
{
    const Result<QList<ChangeSet>> plan = prepared(context, catalog, u"Reading the recipes"_s, PlanRequest{branch});
    if (!plan)
        return {};
    const QString verb = u"torch-matrix plan"_s + (branch.isEmpty() ? QString() : u" --branch "_s + branch);
    const int left = plan->constFirst().leftToUser();
    QStringList sentences;
    if (!plan->constFirst().isEmpty())
        sentences.append(u"the recipes are not updated yet: %1; \"%2\" lists them, and its --apply %3"_s.arg(
            countsText(plan->constFirst()), verb,
            plan->constFirst().chosenErrors().isEmpty() ? u"does it"_s : u"refuses them: the audit finds errors"_s));
    if (left > 0)
        sentences.append(u"plan does not change %1; \"%2\" says why"_s.arg(
            left == 1 ? u"1 recipe"_s : u"%1 recipes"_s.arg(left), verb));
    return sentences;
}

/// Writes torch-matrix.toml to the working tree and the index, or to a commit if the branch is not checked out.
int write(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog, const LineReading &reading,
          SettingsRequest request)
{
    request.until = reading.checkedOut ? ChangeSet::Until::Index : ChangeSet::Until::Commit;
    const Result<QList<ChangeSet>> sets = prepared(context, catalog, u"Reading the settings"_s, request);
    if (!sets)
        return complain(sets.error());
    const ChangeSet &changes = sets->constFirst();
    const ChangedFile &file = changes.files.constFirst();
    if (!request.key.isEmpty()) {
        for (const QString &sentence : changes.warnings)
            tell(u"warning: "_s + sentence);
        if (!file.before)
            tell(u"the settings of %1 were %2"_s.arg(reading.branch, whereFrom(reading)));
    }
    if (reading.line.source == Settings::Source::Inferred && !reading.inference.holes.isEmpty())
        tell(u"not listed, although it may be missing: %1; \"line set coverage.ROW\" lists a cell"_s.arg(
            some(reading.inference.holes.keys())));
    const Result<Applied> done =
        changes.isEmpty() ? Applied{.branch = changes.branch} : applied(context, u"Writing the settings"_s, changes);
    if (!done)
        return complain(done.error());
    const bool same = file.before == file.after;
    if (context.json)
        print(QJsonObject{{u"branch"_s, reading.branch}, {u"file"_s, QString(lineFileName)}, {u"changed"_s, !same}});
    else if (!reading.checkedOut)
        tell(same ? u"%1 of %2 left as it is"_s.arg(lineFileName, reading.branch) : appliedText(*done));
    else
        tell(u"%1 %2 and added to the index; it is not committed"_s.arg(lineFileName,
                                                                        same ? u"left as it is"_s : u"written"_s));
    if (!same && !context.json && !request.key.isEmpty()) {
        for (const QString &sentence : whatFollows(context, catalog, request.branch))
            tell(sentence);
    }
    if (!context.json && changes.settings && request.key.isEmpty() &&
        std::ranges::any_of(changes.settings->profiles,
                            [](const Profile &profile) { return isLearned(profile.templateName); }))
        tell(u"It names templates that are learned from the recipes of the branch whenever they change; \"torch-matrix "
             "template learn\" shows them, and its --save keeps one as a file"_s);
    return Done;
}

std::string keysHelp()
{
    QString text = u"KEY is one of\n"_s;
    for (const LineKey &key : lineKeys())
        text += u"  %1  %2\n"_s.arg(key.name.leftJustified(22), key.what);
    return text.toStdString();
}

} // namespace

void addLine(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<LineOptions>();
    CLI::App *verb =
        app.add_subcommand("line", "Show, save or change the settings of a branch (its line): what it builds, as in "
                                   "torch-matrix.toml");
    verb->require_subcommand(1);

    using Action = std::function<int(const std::shared_ptr<const Catalog> &, const LineReading &)>;
    const auto add = [&](CLI::App *action, bool writes, const Action &run) {
        addRepoOption(*action, context);
        addJsonOption(*action, context);
        action->callback([&context, options, writes, run] {
            context.writes = writes;
            context.runWith([&context, options, run](const auto &catalog) -> int {
                const auto reading = readLineOf(catalog, context.repoPath(), QString::fromStdString(options->branch));
                return reading ? run(catalog, *reading) : complain(reading.error());
            });
        });
    };

    CLI::App *showing = verb->add_subcommand("show", "Print the branch settings as a file, and where they come from");
    showing->add_option("--branch", options->branch, "Branch to look at (default: the checked-out one)")
        ->type_name("B");
    add(showing, false,
        [&context](const auto &catalog, const LineReading &reading) { return show(context, *catalog, reading); });

    const auto addBranch = [&options](CLI::App *action) {
        action
            ->add_option("--branch", options->branch,
                         "Branch to change (default: the checked-out one); another one gets a commit")
            ->type_name("B");
    };
    CLI::App *saving = verb->add_subcommand("save", "Write the settings that the branch has now to torch-matrix.toml");
    addBranch(saving);
    saving->add_flag("--force", options->force, "Replace an existing file");
    add(saving, true, [&context, options](const auto &catalog, const LineReading &reading) {
        return write(context, catalog, reading,
                     {.branch = QString::fromStdString(options->branch), .anew = options->force});
    });

    CLI::App *setting =
        verb->add_subcommand("set", "Change one key of torch-matrix.toml; the file is created if there is none");
    setting->add_option("KEY", options->key, "Key, see below")->required();
    setting->add_option("VALUE", options->value, "Its value, lists with commas; \"\" removes the key")->required();
    addBranch(setting);
    setting->add_flag("--force", options->force, "Rewrite the file if needed, even if comments are lost");
    setting->footer(keysHelp());
    add(setting, true, [&context, options](const auto &catalog, const LineReading &reading) {
        return write(context, catalog, reading,
                     {.branch = QString::fromStdString(options->branch),
                      .key = QString::fromStdString(options->key),
                      .value = QString::fromStdString(options->value),
                      .anew = options->force});
    });
}

} // namespace tmx
