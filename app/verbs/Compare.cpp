// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Verb.h"

#include "model/base/ShortList.h"
#include "model/base/Tr.h"
#include "model/compare/ComparisonText.h"
#include "model/compare/CountedFacts.h"
#include "model/git/CommitReader.h"
#include "model/snapshot/DiskCache.h"
#include "model/snapshot/SnapshotReader.h"
#include "model/workspace/BranchListing.h"

#include <CLI/CLI.hpp>

#include <QCoreApplication>
#include <QDir>
#include <QJsonDocument>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct CompareOptions {
    std::vector<std::string> sides;
    bool markdown = false;
    bool differences = false;
    bool missing = false;
    bool cells = false;
    std::string row;
    std::string isa;
    std::string match = "auto";
    std::vector<std::string> count;  ///< facts that count
    std::vector<std::string> ignore; ///< facts that do not count
};

std::optional<CellMatch> matchOf(const std::string &word)
{
    if (word == "name")
        return CellMatch{};
    if (word == "cell")
        return CellMatch{true, false, false};
    return std::nullopt;
}

/// Whether the branch exists. An existing branch that cannot be read is reported and the others are compared; a
/// misspelt one is an error.
bool isBranch(const QString &path, const QString &name)
{
    const Result<CommitReader> reader = CommitReader::open(path);
    const Result<QList<BranchTip>> tips = reader ? reader->tips() : Result<QList<BranchTip>>(reader.error());
    const Result<OpenedRepository> opened = openWithInfo(path);
    return !tips || std::ranges::count(*tips, name, &BranchTip::name) > 0 ||
           (opened && std::ranges::count(opened->info.broken, name, &std::pair<QString, Error>::first) > 0);
}

/// What the answer depends on besides the sides: this program and the options.
QByteArray questionKey()
{
    return programFingerprint() + QCoreApplication::arguments().sliced(1).join(QChar::Null).toUtf8();
}

/// All that the answer depends on; empty if a side cannot be read.
QByteArray comparisonKey(const BranchSources &asked)
{
    if (!asked.unread.isEmpty())
        return {};
    QByteArray key = questionKey();
    for (const Result<QByteArray> &side : keysOf(asked.sources)) {
        if (!side)
            return {};
        key += *side;
    }
    return key;
}

/// What is wrong with --gpu or --isa.
Result<void> checkFilter(const Catalog &catalog, const ComparisonFilter &filter)
{
    if (!filter.row.isEmpty() && !catalog.row(filter.row) && filter.row != everyGpu)
        return Error{Tr::tr("compare"), u"--gpu "_s + filter.row, Tr::tr("the catalog has no such row"),
                     Tr::tr("Rows are named as in the grid: sm90, cpu.")};
    if (!filter.isa.isEmpty() && !catalog.isa(filter.isa) && filter.isa != noneWord)
        return Error{Tr::tr("compare"), u"--isa "_s + filter.isa, Tr::tr("the catalog has no such instruction set"),
                     Tr::tr("They are: %1.").arg(catalog.isaIds().join(u", "_s))};
    return {};
}

/// Sides that were not read, and files of the others.
QList<UnreadBranch> unreadOf(const BranchesReading &reading)
{
    QList<UnreadBranch> unread = reading.unread;
    for (const ReadBranch &side : reading.branches) {
        QStringList files; // which are not compared
        for (const VariantEntry &entry : side.snapshot->entries) {
            if (entry.unread)
                files.append(entry.file);
        }
        if (!files.isEmpty())
            unread.append({side.source.label,
                           Error{Tr::tr("read"), shortList(files), Tr::tr("objects of the repository are damaged"),
                                 Tr::tr("\"git fsck\" names them.")}});
    }
    return unread;
}

QByteArray answerText(bool json, const CompareOptions &options, const ComparisonFilter &filter,
                      const Comparison &comparison, const QList<FactCount> &facts, const QList<UnreadBranch> &unread,
                      const Catalog &catalog)
{
    if (json) {
        QJsonObject object = comparisonJson(comparison, filter);
        object.insert(u"facts"_s, factsJson(facts));
        object.insert(u"errors"_s, toJson(unread));
        return QJsonDocument(object).toJson(QJsonDocument::Indented);
    }
    if (options.markdown)
        return comparisonMarkdown(comparison, filter, catalog.isaIds()).toUtf8();
    const QString differing = factsAsText(facts);
    return (differing.isEmpty() ? QByteArray() : differing.toUtf8() + '\n') +
           comparisonAsText(comparison, filter, options.cells).toUtf8();
}

Result<int> compare(const VerbContext &context, const CompareOptions &options)
{
    const QString path = context.repoPath();
    const QStringList names = toStringList(options.sides);
    BranchSources asked;
    for (const QString &name : names) {
        if (names.count(name) > 1)
            return complain(Error{Tr::tr("compare"), name, Tr::tr("it is named twice"), {}}, WrongUsage);
        const Result<BranchSource> source = sideNamed(path, name, QDir::currentPath());
        if (source)
            asked.sources.append(*source);
        else
            asked.unread.append({name, source.error()});
    }
    const auto answer = [&context](const QByteArray &bytes) { context.json ? printJson(bytes) : printText(bytes); };
    const DiskCache cache = DiskCache::forUser(u"comparisons"_s);
    const QByteArray asking = comparisonKey(asked);
    if (const std::optional<QByteArray> known = asking.isEmpty() ? std::nullopt : cache.find(asking)) {
        answer(*known);
        return Done;
    }
    TM_TRY(loaded, Catalog::loadForUser());
    const std::shared_ptr<const Catalog> &catalog = *loaded;
    const BranchesReading reading = SnapshotReader(catalog).readAll(asked);
    for (const UnreadBranch &side : reading.unread) {
        if (reading.branches.size() < 2 || !isBranch(path, side.branch))
            return complain(side.error);
    }
    QList<ComparedSide> sides;
    for (const ReadBranch &side : reading.branches)
        sides.append({side.source.label, side.snapshot});
    const QList<UnreadBranch> unread = unreadOf(reading);
    const ComparisonFilter filter{options.differences, options.missing, QString::fromStdString(options.row),
                                  QString::fromStdString(options.isa)};
    if (const Result<void> known = checkFilter(*catalog, filter); !known)
        return complain(known.error(), WrongUsage);
    CountedFacts::Choices choices;
    for (const QString &fact : toStringList(options.count))
        choices.insert(fact, true);
    for (const QString &fact : toStringList(options.ignore))
        choices.insert(fact, false);
    const CountedFacts counted(std::make_shared<const Comparison>(compareSides(sides, matchOf(options.match))));
    const std::shared_ptr<const Comparison> judged = counted.counted(choices);
    const QByteArray bytes =
        answerText(context.json, options, filter, *judged, counted.facts(choices), unread, *catalog);
    answer(bytes);
    const auto isSound = [](const ReadBranch &side) { return !side.snapshot->settingsError && !side.key.isEmpty(); };
    if (reading.unread.isEmpty() && std::ranges::all_of(reading.branches, isSound)) {
        QByteArray key = questionKey(); // A side may have changed since it was looked up.
        for (const ReadBranch &side : reading.branches)
            key += side.key;
        cache.insert(key, bytes);
    }
    tellUnread(unread);
    for (const ReadBranch &side : reading.branches) {
        if (side.snapshot->settingsError)
            tell(u"%1: %2"_s.arg(side.source.label, side.snapshot->settingsError->sentence()));
    }
    return unread.isEmpty() ? Done : DoneWithFindings;
}

} // namespace

void addCompare(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<CompareOptions>();
    CLI::App *verb = app.add_subcommand(
        "compare", Help::tr("Compare branches cell by cell: which recipes each has, and whether they build the same"));
    verb->add_option(
            "SIDE", options->sides,
            Help::tr("Branch, local or remote-tracking; any commit; \".\" for the working tree; DIR@BRANCH for another "
                     "repository"))
        ->required()
        ->expected(2, 64);
    verb->add_flag("--only-differences", options->differences, Help::tr("Hide cells that are the same on all sides"));
    verb->add_flag("--only-missing", options->missing, Help::tr("Show only cells that a side does not have"));
    verb->add_flag("--cells", options->cells, Help::tr("List every cell of a group"));
    verb->add_option("--gpu", options->row, Help::tr("Only this row, such as sm90"))->type_name("ROW");
    verb->add_option("--isa", options->isa, Help::tr("Only this column, such as avx512"))->type_name("ISA");
    verb->add_option(
            "--match", options->match,
            Help::tr("What to compare: the whole name, the cell regardless of CUDA and Python, or the one that "
                     "fits (auto)"))
        ->check(CLI::IsMember({"auto", "name", "cell"}));
    verb->add_option("--count", options->count,
                     Help::tr("Count this fact, such as description or pname (--json lists "
                              "them)"))
        ->type_name("FACT");
    verb->add_option("--ignore", options->ignore,
                     Help::tr("Ignore this fact, such as pin; cells that differ only in it are alike"))
        ->type_name("FACT");
    addRepoOption(*verb, context);
    CLI::Option *json = verb->add_flag("--json", context.json, Help::tr("Print JSON"));
    verb->add_flag("--markdown", options->markdown, Help::tr("Print Markdown"))->excludes(json);
    verb->callback([&context, options] { context.run = [&context, options] { return compare(context, *options); }; });
}

} // namespace tmx
