// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Verb.h"

#include "model/base/Tr.h"
#include "model/compare/History.h"
#include "model/git/TextDiff.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct HistoryOptions {
    std::string name;
    std::string branch;
    int limit = 50;
    bool patch = false;
};

QJsonObject stepJson(const HistoryStep &step)
{
    const FileRevision &revision = step.revision;
    QJsonArray changes;
    for (const FactChange &change : step.changes)
        changes.append(QJsonObject{{u"fact"_s, change.id},
                                   {u"label"_s, change.label},
                                   {u"before"_s, change.before},
                                   {u"after"_s, change.after}});
    QJsonObject object{{u"commit"_s, revision.commit},
                       {u"subject"_s, revision.subject},
                       {u"author"_s, revision.author},
                       {u"date"_s, revision.when.toString(Qt::ISODate)},
                       {u"file"_s, revision.path},
                       {u"renamed_from"_s, revision.before},
                       {u"renamed_to"_s, revision.after},
                       {u"removed"_s, !revision.text},
                       {u"came_back"_s, step.cameBack},
                       {u"cut_off"_s, step.cutOff},
                       {u"text"_s, QString::fromUtf8(revision.text.value_or(QByteArray()))},
                       {u"changes"_s, changes}};
    if (!step.imported.isEmpty()) {
        object.insert(u"imported"_s, true);
        object.insert(u"recipes"_s, step.reach);
    }
    return object;
}

QString patchOf(const HistoryStep &step)
{
    QString text;
    for (const DiffLine &line :
         diffTexts(step.before.value_or(QByteArray()), step.revision.text.value_or(QByteArray()))) {
        switch (line.kind) {
        case DiffLine::Kind::Context: text += u"    "_s + u' '; break;
        case DiffLine::Kind::Added: text += u"    +"_s; break;
        case DiffLine::Kind::Removed: text += u"    -"_s; break;
        case DiffLine::Kind::HunkHeader: text += u"    "_s; break;
        }
        text += line.text + u'\n';
    }
    return text;
}

QString stepText(const HistoryStep &step, bool patch)
{
    const FileRevision &revision = step.revision;
    QString text = u"%1  %2  %3  %4\n"_s.arg(revision.commit.left(10), revision.when.toString(u"yyyy-MM-dd"_s),
                                             revision.author, revision.subject);
    if (!step.imported.isEmpty()) {
        text += u"    %1\n"_s.arg(Tr::tr("%1 changed: %n recipes", nullptr, step.reach).arg(shownPath(step.imported)));
        if (step.changes.isEmpty())
            text += u"    same facts\n"_s;
    }
    if (!revision.before.isEmpty())
        text += u"    renamed from %1\n"_s.arg(revision.before);
    if (!revision.after.isEmpty())
        text += u"    renamed to %1\n"_s.arg(revision.after);
    else if (!revision.text)
        text += u"    deleted\n"_s;
    else if (!step.before)
        text += step.cameBack ? u"    restored\n"_s
                : step.cutOff ? u"    the oldest commit of this shallow clone\n"_s
                              : u"    first version\n"_s;
    else if (step.changes.isEmpty() && step.imported.isEmpty())
        text += *step.before == *revision.text ? u"    same text\n"_s : u"    same facts, different text\n"_s;
    if (step.before && revision.text) {
        for (const FactChange &change : step.changes) {
            const auto shown = [](const QString &value) {
                return value.isEmpty() ? u"not stated"_s : value.simplified();
            };
            text += u"    %1: %2 -> %3\n"_s.arg(change.label, shown(change.before), shown(change.after));
        }
    }
    return patch ? text + patchOf(step) : text;
}

Result<int> history(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                    const HistoryOptions &options)
{
    TM_TRY(history, historyOf(*catalog, context.repoPath(), QString::fromStdString(options.branch),
                              QString::fromStdString(options.name), options.limit));
    if (context.json) {
        QJsonArray steps;
        for (const HistoryStep &step : history->steps)
            steps.append(stepJson(step));
        print(QJsonObject{{u"name"_s, history->name},
                          {u"branch"_s, history->branch},
                          {u"file"_s, history->file},
                          {u"commits"_s, steps},
                          {u"more"_s, history->more}});
        return Done;
    }
    // The user who named a variant may not know its path.
    if (!history->file.contains(history->name) && history->steps.constFirst().revision.text)
        tell(Tr::tr("%1 is %2 now").arg(history->name, history->file));
    for (const HistoryStep &step : history->steps)
        printText(stepText(step, options.patch).toUtf8());
    if (history->more)
        tell(Tr::tr("there are older ones; --limit shows more"));
    return Done;
}

} // namespace

void addHistory(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<HistoryOptions>();
    CLI::App *verb = app.add_subcommand(
        "history", Help::tr("Print the commits that changed a recipe, and which facts each changed"));
    verb->add_option("NAME", options->name, Help::tr("Variant, as list prints it"))->required();
    verb->add_option("--branch", options->branch, Help::tr("Branch or commit to begin at (default: HEAD)"))
        ->type_name("B");
    verb->add_option("--limit", options->limit, Help::tr("Maximum number of commits (default: 50)"))
        ->type_name("N")
        ->check(CLI::Range(1, 100000));
    addRepoOption(*verb, context);
    CLI::Option *json = verb->add_flag("--json", context.json, Help::tr("Print JSON, with the text at each commit"));
    verb->add_flag("-p,--patch", options->patch, Help::tr("Print the changes of the text as well"))->excludes(json);
    runOnCatalog(*verb, context, options, &history);
}

} // namespace tmx
