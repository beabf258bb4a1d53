// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Verb.h"

#include "model/base/Tr.h"
#include "model/catalog/VariantFacts.h"
#include "model/change/Findings.h"
#include "model/change/Generate.h"
#include "model/workspace/BranchListing.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct ShowOptions {
    std::string name;
    std::string branch;
    bool facts = false;
};

/// Facts go to standard error, so that `show NAME > file.nix` writes only the recipe; with --facts they are what is
/// printed.
void say(const QString &text, bool facts)
{
    facts ? print(text) : tell(text);
}

QString placeOf(const QString &file, int line)
{
    return file.isEmpty() ? Tr::tr("line %1").arg(line) : u"%1:%2"_s.arg(shownPath(file)).arg(line);
}

/// A package that is no variant: what is read in it, and its text.
int showPackage(const VerbContext &context, const VariantEntry &package, bool alone)
{
    const RecipeFacts facts = readFacts(package.source());
    if (context.json) {
        print(QJsonObject{{u"name"_s, package.package()},
                          {u"file"_s, package.file},
                          {u"facts"_s, toJson(facts)},
                          {u"findings"_s, toJson(package.findings)},
                          {u"text"_s, QString::fromUtf8(package.text)}});
        return Done;
    }
    if (!alone)
        printText(package.text);
    for (const Fact &fact : facts.rows())
        say(u"%1: %2 (%3)"_s.arg(fact.label, fact.value, placeOf(fact.file, fact.line)), alone);
    return Done;
}

/// What is shown of a cell.
struct Shown {
    QString name;
    const BranchSnapshot &snapshot;
    const VariantEntry *entry;
    bool there; ///< the cell has a recipe
    QByteArray text;
    VariantFacts facts;
    QString file;
    QString state;
    RecipeFacts stated;
    QList<MeaningDifference> differences;

    [[nodiscard]] QJsonObject json() const;
    /// `alone`: without the recipe, see say().
    void tellFacts(bool alone) const;
};

QJsonObject Shown::json() const
{
    QJsonObject places;
    for (const Fact &one : stated.rows())
        places.insert(one.id, QJsonObject{{u"file"_s, one.file}, {u"line"_s, one.line}, {u"known"_s, one.known}});
    QJsonArray unknown;
    for (const StatedText &stop : stated.unread())
        unknown.append(QJsonObject{
            {u"file"_s, stated.files.value(stop.spot.file - 1)}, {u"line"_s, stop.spot.line}, {u"why"_s, stop.value}});
    QJsonArray differing;
    for (const MeaningDifference &one : differences)
        differing.append(QJsonObject{{u"path"_s, one.path},
                                     {u"label"_s, one.label},
                                     {u"template"_s, one.before},
                                     {u"recipe"_s, one.after},
                                     {u"builds"_s, one.builds}});
    return QJsonObject{{u"differences"_s, differing},
                       {u"facts"_s, toJson(stated)},
                       {u"places"_s, places},
                       {u"unknown"_s, unknown},
                       {u"findings"_s, toJson(entry ? entry->findings : QList<Finding>())},
                       {u"name"_s, name},
                       {u"branch"_s, snapshot.branch},
                       {u"file"_s, file},
                       {u"recipe"_s, state},
                       {u"reason"_s, entry ? entry->reason : QString()},
                       {u"gpu"_s, facts.gpu},
                       {u"products"_s, QJsonArray::fromStringList(facts.products)},
                       {u"cpu"_s, facts.cpu},
                       {u"cpuHardware"_s, facts.cpuHardware},
                       {u"flags"_s, QJsonArray::fromStringList(facts.flags)},
                       {u"cuda"_s, facts.cuda},
                       {u"python"_s, facts.pythonVersion},
                       {u"framework"_s, facts.frameworkVersion},
                       {u"driver"_s, facts.driver},
                       {u"platform"_s, facts.platform},
                       {u"useCase"_s, facts.useCase},
                       {u"command"_s, facts.buildCommand},
                       {u"exists"_s, there},
                       {u"restoredFrom"_s, entry && !there ? entry->restoredFrom : QString()},
                       {u"text"_s, QString::fromUtf8(text)}};
}

void Shown::tellFacts(bool alone) const
{
    if (const Finding *error = entry ? entry->firstError() : nullptr)
        say(Tr::tr("error: %1").arg(placedSentence(*error)), alone);
    const auto fact = [alone](const QString &label, const QString &value) {
        if (!value.isEmpty())
            say(u"%1  %2"_s.arg(label.leftJustified(10), value), alone);
    };
    fact(u"variant"_s, name);
    fact(u"recipe"_s, there ? u"%1 (%2)"_s.arg(state, file)
                      : entry && (entry->covered || entry->hole)
                          ? Tr::tr("%1; plan and generate would write this text").arg(state)
                          : Tr::tr("%1; generate would write this text").arg(state));
    fact(u"reason"_s, entry ? entry->reason : QString());
    const auto told = [](const QString &value) { return value.isEmpty() ? Tr::tr("(nothing)") : value; };
    for (const MeaningDifference &one : differences) {
        if (one.builds && one.before == one.after)
            fact(u"differs"_s, u"%1: %2"_s.arg(one.label, told(one.after)));
        else if (one.builds)
            fact(u"differs"_s, u"%1: %2; the template has %3"_s.arg(one.label, told(one.after), told(one.before)));
    }
    // What follows from the name and the catalog; then what the recipe states, and where.
    const auto byCatalog = [&fact](const QString &label, const QString &value) {
        fact(label, value.isEmpty() ? QString() : Tr::tr("%1 (catalog)").arg(value));
    };
    byCatalog(u"GPU"_s,
              facts.products.isEmpty() ? facts.gpu : u"%1: %2"_s.arg(facts.gpu, facts.products.join(u", "_s)));
    byCatalog(u"CPU"_s, facts.cpuHardware.isEmpty() ? facts.cpu : u"%1: %2"_s.arg(facts.cpu, facts.cpuHardware));
    // What the recipe states is not what the catalog would have it say: one line has both.
    QHash<QString, QString> byCatalogs{{u"cpu_flags"_s, facts.flags.join(u' ')}, {u"driver"_s, facts.driver}};
    const QList<Fact> read = stated.rows();
    const auto isRead = [&read](const QString &id) {
        return std::ranges::any_of(read, [&id](const Fact &one) { return one.id == id && one.known; });
    };
    if (!isRead(u"cpu_flags"_s))
        byCatalog(u"flags"_s, byCatalogs.take(u"cpu_flags"_s));
    fact(u"CUDA"_s, facts.cuda.isEmpty() ? QString() : Tr::tr("%1 (name)").arg(facts.cuda));
    if (!isRead(u"driver"_s))
        byCatalog(u"driver"_s, byCatalogs.take(u"driver"_s));
    byCatalog(u"use"_s, facts.useCase);
    for (const Fact &one : read) {
        const QString place = one.known ? placeOf(one.file, one.line)
                                        : Tr::tr("not understood from %1 on").arg(placeOf(one.file, one.line));
        const QString value = one.value.simplified();
        const QString catalogs = one.known ? byCatalogs.value(one.id) : QString();
        fact(one.known ? u"read"_s : u"unknown"_s,
             catalogs.isEmpty() || catalogs == value
                 ? u"%1: %2 (%3)"_s.arg(one.label, value, place)
                 : Tr::tr("%1: %2 (%3; the catalog: %4)").arg(one.label, value, place, catalogs));
    }
    for (const StatedText &stop : stated.unread())
        fact(u"unknown"_s, Tr::tr("not understood from %1 on: %2")
                               .arg(placeOf(stated.files.value(stop.spot.file - 1), stop.spot.line), stop.value));
    fact(u"build"_s, facts.buildCommand);
    for (const Finding &finding : entry ? entry->findings : QList<Finding>()) {
        if (finding.severity != Severity::Note)
            fact(toString(finding.severity), finding.line > 0 && finding.file.isEmpty()
                                                 ? u"line %1: %2"_s.arg(finding.line).arg(finding.sentence)
                                                 : placedSentence(finding));
    }
}

Result<int> show(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog, const ShowOptions &options)
{
    QString name = QString::fromStdString(options.name);
    TM_TRY(reading, readRepository(catalog, context.repoPath(), QString::fromStdString(options.branch)));
    const BranchSnapshot &snapshot = *reading->snapshot;
    const VariantEntry *entry = snapshot.find(name);
    if (!entry) {
        entry = presentEntry(snapshot, name);
        name = entry ? entry->variant.name() : name; // its name may be in an old form
    }
    if (const auto package = snapshot.packages.constFind(name); !entry && package != snapshot.packages.cend())
        return showPackage(context, *package, options.facts);
    if (const QString path = furtherFile(snapshot, name); !entry && snapshot.unrecognised.contains(path))
        return complain(Error{Tr::tr("show"), path, Tr::tr("its name is not a variant's"),
                              Tr::tr("\"audit %1\" checks its syntax.").arg(name)});
    else if (!entry && !path.isEmpty())
        return complain(Error{Tr::tr("show"), path, Tr::tr("it is not the recipe of its cell"),
                              Tr::tr("\"audit %1\" describes it, and \"plan\" renames or deletes it.").arg(name)});
    QByteArray text = entry ? entry->text : QByteArray();
    // If a recipe exists but cannot be read (a link, a folder), do not print a generated one instead.
    const bool there = entry && entry->present && entry->fileStatus != FileStatus::Deleted;
    if (!there) {
        TM_TRY(rendered, renderRecipes(catalog, snapshot, {name}));
        text = rendered->first().second;
    }
    if (snapshot.settingsError)
        tell(u"%1: %2"_s.arg(snapshot.title(), snapshot.settingsError->sentence()));
    const Variant variant = entry ? entry->variant : *variantNamed(*catalog, name);
    const QString file = entry ? entry->file : snapshot.fileFor(variant);
    const RecipeSource source = snapshot.files ? snapshot.files->source(file, text) : text;
    const Shown shown{name,
                      snapshot,
                      entry,
                      there,
                      text,
                      factsOf(*catalog, snapshot.settings, variant),
                      file,
                      toString(entry ? entry->state : RecipeState::NotCovered),
                      there && entry && entry->facts ? *entry->facts : readFacts(source),
                      entry && entry->differences ? *entry->differences : QList<MeaningDifference>()};
    if (context.json) {
        print(shown.json());
    } else {
        shown.tellFacts(options.facts);
        if (!options.facts)
            printText(text);
    }
    return there && text.isEmpty() ? DoneWithFindings : Done;
}

} // namespace

void addShow(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<ShowOptions>();
    CLI::App *verb = app.add_subcommand(
        "show", Help::tr("Print a variant's recipe, or the one that generate would write, and its facts"));
    verb->add_option("NAME", options->name, Help::tr("Variant, as list prints it"))->required();
    verb->add_option("--branch", options->branch, Help::tr("Branch to look in (default: the checked-out one)"))
        ->type_name("B");
    verb->add_flag("--facts", options->facts, Help::tr("Print the facts alone"));
    addRepoOption(*verb, context);
    addJsonOption(*verb, context);
    runOnCatalog(*verb, context, options, &show);
}

} // namespace tmx
