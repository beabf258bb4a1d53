// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Changes.h"

#include "app/verbs/Progress.h"
#include "model/audit/Documents.h"
#include "model/base/NamesBySentence.h"
#include "model/base/ShortList.h"
#include "model/base/TerminalText.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/change/ReplacedPins.h"
#include "model/compare/Markdown.h"
#include "model/git/Repository.h"
#include "model/git/TextDiff.h"
#include "model/toml/Patterns.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>
#include <QRegularExpression>

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;
using Action = tmx::ChangeAction;

namespace tmx {

namespace {

constexpr Action actions[] = {Action::Create, Action::Rewrite, Action::Rename, Action::Delete, Action::Keep};

constexpr qsizetype maxErrors = 20;

/// What happens to an existing recipe; nullopt: no recipe exists, and none is created.
std::optional<Action> doneWith(const ChangedFile &file)
{
    if (file.chosen)
        return file.action;
    return file.action == Action::Create ? std::nullopt : std::optional(Action::Keep);
}

/// How a change is chosen that is not chosen by itself: by its file where another one has its name.
QString hint(const ChangedFile &file, const ChangeSet &changes, const QString &option)
{
    if (file.chosen || file.action == Action::Keep || !file.possible)
        return {};
    const bool isOne = std::ranges::count(changes.files, file.name, &ChangedFile::name) < 2;
    const QString all = file.action == Action::Delete && option == "--only"_L1 ? u"--delete or "_s : QString();
    return u" [%1 only with %2%3 %4]"_s.arg(toString(file.action), all, option, isOne ? u"NAME"_s : file.path);
}

/// "rewrite  NAME  REASON"; of more than a few that have one reason, their number and the first names. What is deleted
/// is always named.
QStringList linesOf(const QString &word, const QList<const ChangedFile *> &files, const ChangeSet &changes,
                    const QString &option, KeptFiles kept)
{
    NamesBySentence said;
    for (const ChangedFile *file : files)
        said.add(file->reason + hint(*file, changes, option), file->name);
    const bool listed = kept == KeptFiles::Listed || word == toString(Action::Delete);
    QStringList lines;
    for (const NamesBySentence::Group &group : said.groups()) {
        const auto add = [&](const QString &what) {
            lines.append(inOneLine(u"%1  %2  %3"_s.arg(word.leftJustified(7), what, group.sentence)));
        };
        if (listed || !group.isLarge()) {
            std::ranges::for_each(group.names, add);
            continue;
        }
        add(Tr::tr("%n recipes", nullptr, int(group.names.size())));
        lines.append(u"         %1"_s.arg(Tr::tr("They are %1.").arg(shortList(group.names))));
    }
    return lines;
}

/// One command per line.
QString commands(const QStringList &kept)
{
    QString lines;
    for (const QString &text : kept)
        lines += u"\n  "_s + showCommand(text);
    return lines;
}

} // namespace

Result<QList<ChangeSet>> prepared(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                                  const QString &doing, const ChangeRequest &request)
{
    Progress progress(doing);
    Result<QList<ChangeSet>> sets = prepare(catalog, context.repoPath(), request, progress.hooks());
    if (!sets)
        return sets;
    for (ChangeSet &changes : sets.value()) {
        for (QString &warning : changes.warnings) // It may name any file.
            warning = inOneLine(warning);
    }
    return sets;
}

Error textErrors(const ChangeSet &changes)
{
    return {Tr::tr("write to"), changes.title(),
            Tr::tr("the audit finds %n errors in the new text", nullptr, int(changes.chosenErrors().size())),
            Tr::tr("--force writes it anyway.")};
}

Result<Applied> applied(const VerbContext &context, const QString &doing, const ChangeSet &changes)
{
    Progress progress(doing, Progress::Second::Waits);
    TM_TRY(repository, Repository::open(context.repoPath()));
    if (progress.hooks().stopped())
        return stoppedError();
    if (!changes.chosenErrors().isEmpty() && !context.force)
        return textErrors(changes);
    ChangeSet forced = changes;
    forced.forced = context.force;
    const Result<Applied> done = repository->apply(forced, WorkHooks{{}, progress.hooks().stop});
    if (done) {
        for (const QString &line : done->outputLines())
            tell(u"git: "_s + line);
    }
    return done;
}

QJsonObject filesJson(const ChangeSet &changes)
{
    QMap<Action, QJsonArray> lists;
    for (const ChangedFile &file : changes.files) {
        const std::optional<Action> action = doneWith(file);
        if (!action || file.name.isEmpty())
            continue;
        QJsonObject entry{{u"name"_s, file.name}, {u"file"_s, file.path}, {u"reason"_s, file.reason}};
        if (*action == Action::Rename)
            entry.insert(u"newFile"_s, file.newPath);
        lists[*action].append(entry);
    }
    QJsonObject object;
    for (const Action action : actions)
        object.insert(toString(action), lists.value(action));
    QJsonArray imported;
    for (const ChangedFile &file : changes.files) {
        if (file.isImported())
            imported.append(
                QJsonObject{{u"file"_s, file.path}, {u"action"_s, toString(file.action)}, {u"reason"_s, file.reason}});
    }
    if (!imported.isEmpty())
        object.insert(u"imported"_s, imported);
    QJsonArray pins;
    for (const ReplacedPin &pin : changes.pins)
        pins.append(QJsonObject{{u"from"_s, pin.from}, {u"to"_s, pin.to}, {u"recipes"_s, pin.recipes}});
    if (!pins.isEmpty())
        object.insert(u"pins"_s, pins);
    QJsonArray documents;
    for (const ChangedFile &file : changes.files) {
        if (file.isDocument())
            documents.append(QJsonObject{{u"file"_s, file.path}, {u"reason"_s, file.reason}});
    }
    if (!documents.isEmpty())
        object.insert(u"documents"_s, documents);
    return object;
}

namespace {

/// Kept without problems.
bool isQuiet(const ChangedFile &file)
{
    return !file.name.isEmpty() && !file.chosen && !file.follows &&
           (file.action == Action::Keep || (file.action == Action::Rewrite && !file.group.isEmpty()));
}

/// "keep     60 recipes as they are (48 same build, 2 customised; --only NAME rewrites one); --all lists them"
QString keptText(const ChangeSet &changes, const QString &option)
{
    int kept = 0;
    QMap<QString, int> unlike; // recipes that differ from their template, by group
    for (const ChangedFile &file : changes.files) {
        kept += isQuiet(file);
        if (isQuiet(file) && file.action == Action::Rewrite)
            ++unlike[file.group.toLower()];
    }
    QStringList parts;
    for (const QString &group : unlike.keys())
        parts.prepend(u"%1 %2"_s.arg(unlike.value(group)).arg(group));
    const QString rest =
        parts.isEmpty() ? QString() : u" (%1; %2 NAME rewrites one)"_s.arg(parts.join(u", "_s), option);
    return u"keep     %1%2; --all lists them"_s.arg(Tr::tr("%n recipes as they are", nullptr, kept), rest);
}

} // namespace

QString filesText(const ChangeSet &changes, KeptFiles kept, const QString &option)
{
    const bool counted = kept == KeptFiles::Counted;
    QStringList text;
    int following = 0; // recipes that change with a file that they import
    for (const Action action : actions) {
        QList<const ChangedFile *> left, concerned;
        for (const ChangedFile &file : changes.files) {
            const std::optional<Action> done = doneWith(file);
            if (done.value_or(Action::Keep) != action || file.name.isEmpty() || (counted && isQuiet(file)))
                continue;
            if (counted && file.follows)
                ++following;
            else
                (file.isLeft() ? left : concerned).append(&file);
        }
        text += linesOf(toString(action), concerned, changes, option, kept);
        text += linesOf(u"leave"_s, left, changes, option, kept);
    }
    for (const ChangedFile &file : changes.files) {
        if (file.isImported() || file.isDocument())
            text.append(u"%1  %2  %3"_s.arg(toString(file.action).leftJustified(7), file.path, file.reason));
    }
    if (following > 0)
        text.append(Tr::tr("follow   %n recipes, by what they import", nullptr, following));
    if (counted && std::ranges::any_of(changes.files, isQuiet))
        text.append(keptText(changes, option));
    if (!changes.pins.isEmpty())
        text.append(replacedPinsText(changes));
    return text.join(u'\n');
}

QString filesMarkdown(const ChangeSet &changes, KeptFiles kept)
{
    QString text = u"# Plan of %1\n\n%2.\n"_s.arg(inMarkdownCell(changes.title()),
                                                  !changes.isEmpty()         ? countsText(changes)
                                                  : changes.leftToUser() > 0 ? u"Nothing is chosen"_s
                                                                             : u"Nothing to do"_s);
    for (const Action action : actions) {
        QStringList lines;
        for (const ChangedFile &file : changes.files) {
            // Files that could be chosen are listed under their own action, without a tick.
            if (file.action == action && !file.name.isEmpty() && !(kept == KeptFiles::Counted && isQuiet(file)))
                lines.append(u"- %1%2 %3\n"_s.arg(action == Action::Keep ? u""_s
                                                  : file.chosen          ? u"[x] "_s
                                                                         : u"[ ] "_s,
                                                  codeInMarkdownCell(file.name), inMarkdownCell(file.reason)));
        }
        if (!lines.isEmpty())
            text += u"\n## %1 (%2)\n\n"_s.arg(toString(action)).arg(lines.size()) + lines.join(QString());
    }
    QStringList imported;
    for (const ChangedFile &file : changes.files) {
        if (file.isImported())
            imported.append(u"- [x] %1 %2\n"_s.arg(codeInMarkdownCell(file.path), inMarkdownCell(file.reason)));
    }
    if (!imported.isEmpty())
        text += u"\n## imported (%1)\n\n"_s.arg(imported.size()) + imported.join(QString());
    if (!changes.pins.isEmpty())
        text += u"\n%1\n"_s.arg(inMarkdownCell(replacedPinsText(changes)));
    if (kept == KeptFiles::Counted && std::ranges::any_of(changes.files, isQuiet))
        text += u"\n%1.\n"_s.arg(inMarkdownCell(keptText(changes, u"--only"_s)));
    return text;
}

QByteArray diffText(const ChangedFile &file)
{
    const QByteArray path = file.path.toUtf8();
    QByteArray text = "--- a/" + path + "\n+++ b/" + path + '\n';
    for (const DiffLine &line : diffTexts(file.before.value_or(QByteArray()), file.after.value_or(QByteArray()))) {
        const char mark = line.kind == DiffLine::Kind::Added ? '+' : line.kind == DiffLine::Kind::Removed ? '-' : ' ';
        text +=
            (line.kind == DiffLine::Kind::HunkHeader ? QByteArray() : QByteArray(1, mark)) + line.text.toUtf8() + '\n';
    }
    return text;
}

QString countsText(const ChangeSet &changes)
{
    QMap<Action, int> counts;
    QStringList others, documents;
    QMap<Action, QStringList> imported;
    for (const ChangedFile &file : changes.files) {
        if (file.isImported())
            imported[file.action].append(shownPath(file.path));
        if (file.isDocument())
            documents.append(Tr::tr("%1 to %2", "file, what is done with it").arg(file.path, toString(file.action)));
        else if (file.chosen && file.name.isEmpty())
            others.append(Tr::tr("%1 to %2", "file, what is done with it").arg(file.path, toString(file.action)));
        else if (file.chosen)
            ++counts[file.action];
    }
    QStringList parts;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it)
        parts.append(Tr::tr("%n to %1", "recipes, what is done with them", *it).arg(toString(it.key())));
    if (parts.isEmpty()) {
        parts = others;
    } else {
        for (const auto &[action, paths] : imported.asKeyValueRange())
            parts.append(Tr::tr("%1 to %2", "file, what is done with it").arg(shortList(paths), toString(action)));
    }
    parts += documents;
    return parts.isEmpty() ? Tr::tr("nothing to do") : parts.join(u", "_s);
}

QString leftText(const ChangeSet &changes)
{
    int created = 0;
    for (const ChangedFile &file : changes.files)
        created += file.isLeft() && !file.before;
    const int kept = changes.leftToUser() - created;
    QStringList parts;
    if (kept > 0)
        parts.append(Tr::tr("%n recipes are not changed", nullptr, kept));
    if (created > 0)
        parts.append(Tr::tr("%n recipes are not created", nullptr, created));
    return parts.join(u", "_s);
}

void tellErrors(const ChangeSet &changes)
{
    const QStringList errors = changes.chosenErrors();
    for (const QString &error : errors.first(std::min(errors.size(), maxErrors)))
        tell(Tr::tr("error: %1").arg(error));
    if (errors.size() > maxErrors)
        tell(Tr::tr("and %n more errors", nullptr, int(errors.size() - maxErrors)));
}

void addForceOption(CLI::App &verb, VerbContext &context)
{
    verb.add_flag("--force", context.force, Help::tr("Write even if the audit finds errors in the new text"));
}

void addSettingsOptions(CLI::App &verb, const std::shared_ptr<SettingsOptions> &options)
{
    verb.add_option("--pytorch", options->pytorch, Help::tr("PyTorch version"))->type_name("VERSION");
    verb.add_option("--pin", options->pin, Help::tr("Revision of nixpkgs, 40 digits"))->type_name("REVISION");
    verb.add_option("--set", options->keys,
                    Help::tr("Any key of torch-matrix.toml (\"settings set --help\" lists them); may be repeated"))
        ->type_name("KEY=VALUE");
}

void addPinOption(CLI::App &verb, const std::shared_ptr<SettingsOptions> &options)
{
    verb.add_option("--from-pin", options->pinFrom,
                    Help::tr("Replace only this revision of nixpkgs, or \"all\"; needed if the recipes fetch several"))
        ->needs(verb.get_option("--pin"))
        ->type_name("REVISION");
}

void addToolkitOptions(CLI::App &verb, const std::shared_ptr<SettingsOptions> &options)
{
    verb.add_option("--cuda", options->cudas, Help::tr("CUDA toolkits, such as 13.0"))
        ->delimiter(',')
        ->type_name("VERSION");
    verb.add_option("--python", options->pythons, Help::tr("Pythons, such as 3.13 or python313"))
        ->delimiter(',')
        ->type_name("PYTHON");
}

Result<SettingsChange> settingsChangeOf(const Catalog &catalog, const SettingsOptions &options)
{
    const auto wrong = [](const QString &option, const QString &value, const QString &why, const QString &remedy) {
        return Error{Tr::tr("use"), option + u' ' + value, why, remedy};
    };
    for (const auto &[option, value, pattern] : {std::tuple(u"--pytorch"_s, options.pytorch, pattern::optionalRelease),
                                                 std::tuple(u"--pin"_s, options.pin, pattern::optionalRevision)}) {
        const QString text = QString::fromStdString(value);
        if (!hasForm(text, pattern))
            return wrong(option, text, Tr::tr("that is not %1").arg(pattern::inWords(pattern)), {});
    }
    for (const QString &cuda : toStringList(options.cudas)) {
        if (catalog.toolkit(cuda))
            continue;
        QStringList known;
        for (const Toolkit &toolkit : catalog.toolkits)
            known.append(toolkit.version);
        return wrong(u"--cuda"_s, cuda, Tr::tr("the catalog has no such toolkit"),
                     Tr::tr("It has %1.").arg(known.join(u", "_s)));
    }
    QStringList pythons;
    for (const QString &word : toStringList(options.pythons)) {
        const QString python = catalog.pythonNamed(word);
        pythons.append(python);
        if (const std::optional<Error> unknown = catalog.unknownPython(u"use --python"_s, python))
            return *unknown;
    }
    static const QRegularExpression someRevision(u"^(?:%1|[0-9a-f]{%2,40})$"_s.arg(allPins).arg(shortestId));
    const QString pinFrom = QString::fromStdString(options.pinFrom);
    if (!pinFrom.isEmpty() && !someRevision.match(pinFrom).hasMatch())
        return wrong(u"--from-pin"_s, pinFrom, Tr::tr("that is not \"all\" or 7 to 40 digits of a commit"), {});
    SettingsChange change;
    change.pinFrom = pinFrom;
    if (!options.pytorch.empty())
        change.versions.insert(u"pytorch"_s, QString::fromStdString(options.pytorch));
    if (!options.cudas.empty())
        change.cudas = toStringList(options.cudas);
    if (!pythons.isEmpty())
        change.pythons = pythons;
    if (!options.pin.empty())
        change.pin = QString::fromStdString(options.pin);
    for (const QString &key : toStringList(options.keys)) {
        const qsizetype equals = key.indexOf(u'=');
        if (equals <= 0)
            return Error{Tr::tr("set"), key, Tr::tr("it is not KEY=VALUE"),
                         Tr::tr("\"settings set --help\" lists the keys.")};
        change.keys.append({key.left(equals), key.mid(equals + 1)});
    }
    return change;
}

QString appliedText(const Applied &applied)
{
    QString text =
        applied.commit.isEmpty()
            ? Tr::tr("done in the working tree of %1; nothing to commit (\"plan --undo --apply\" undoes it)")
                  .arg(applied.branch)
            : Tr::tr("committed to %1 as %2: %3").arg(applied.branch, applied.commit.left(10), applied.subject);
    return text + savedText(applied);
}

QString savedText(const Applied &applied)
{
    return applied.kept.isEmpty() ? QString()
                                  : u'\n' + Tr::tr("uncommitted text was saved; to read it:%1", "commands, a line each")
                                                .arg(commands(applied.kept));
}

QString notRestoredText(const QStringList &kept)
{
    QStringList replaced;
    QStringList staged;
    for (const QString &one : kept)
        (one.contains(":staged/"_L1) ? staged : replaced).append(one);
    QStringList parts;
    if (!replaced.isEmpty())
        parts.append(Tr::tr("not restored, because the file has changed since; to read it:%1", "commands, a line each")
                         .arg(commands(replaced)));
    if (!staged.isEmpty())
        parts.append(Tr::tr("staged before, and not staged again; to read it:%1", "commands, a line each")
                         .arg(commands(staged)));
    return parts.join(u'\n');
}

void insertApplied(QJsonObject &object, const Applied &applied)
{
    object.insert(u"branch"_s, applied.branch);
    object.insert(u"commit"_s, applied.commit);
    object.insert(u"saved"_s, applied.saved);
    object.insert(u"kept"_s, QJsonArray::fromStringList(applied.kept));
}

} // namespace tmx
