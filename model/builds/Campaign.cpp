// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/Campaign.h"

#include "model/base/Sentences.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/builds/BuildRequest.h"
#include "model/builds/BuildTimes.h"
#include "model/builds/TeamBuilds.h"
#include "model/compare/Markdown.h"
#include "model/fleet/BuiltRecipes.h"
#include "model/fleet/OthersBuilds.h"
#include "model/job/Queue.h"

#include <QJsonArray>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr CampaignState everyState[] = {CampaignState::Published, CampaignState::Verified, CampaignState::Built,
                                        CampaignState::Failed,    CampaignState::Stopped,  CampaignState::Stale,
                                        CampaignState::NotBuilt,  CampaignState::Broken,   CampaignState::NoRecipe};

bool isBuilt(const BuildRecord &record)
{
    return record.outcome == BuildOutcome::Kind::Built;
}

/// The same as the grid shows; where that shows nothing, because a result is gone or a build was stopped, the history
/// decides. `own`: the builds of this recipe, the newest first; `other`: another recipe was built.
CampaignState stateOf(const BuildState &state, const QList<const BuildRecord *> &own, bool other)
{
    switch (state.phase) {
    case BuildState::Phase::Published: return CampaignState::Published;
    case BuildState::Phase::Built:
        return state.verified == "passed"_L1 ? CampaignState::Verified : CampaignState::Built;
    case BuildState::Phase::Elsewhere: return CampaignState::Built;
    case BuildState::Phase::Failed:
    case BuildState::Phase::FailedElsewhere: return CampaignState::Failed;
    case BuildState::Phase::Stale: return CampaignState::Stale;
    case BuildState::Phase::None:
    case BuildState::Phase::Queued:
    case BuildState::Phase::Running:
    case BuildState::Phase::Stopping: break;
    }
    for (const BuildRecord *record : own) {
        if (isBuilt(*record))
            return record->verified == "passed"_L1 ? CampaignState::Verified : CampaignState::Built;
        if (isFailure(record->outcome))
            return CampaignState::Failed;
    }
    return other ? CampaignState::Stale : own.isEmpty() ? CampaignState::NotBuilt : CampaignState::Stopped;
}

CampaignCell cellOf(const VariantEntry &entry, const BuildState &state, const QList<BuildRecord> &records,
                    const std::function<bool(const VariantEntry &, const BuildRecord &)> &isOf)
{
    CampaignCell cell;
    cell.variant = entry.variant;
    if (!entry.present) {
        cell.state = CampaignState::NoRecipe;
        return cell;
    }
    const QString name = entry.variant.name();
    QList<const BuildRecord *> own;
    const BuildRecord *other = nullptr;
    for (const BuildRecord &record : records) {
        if (record.variant != name)
            continue;
        if (isOf(entry, record))
            own.append(&record);
        else if (!other && isBuilt(record))
            other = &record;
    }
    cell.state = stateOf(state, own, other);
    if (cell.state == CampaignState::NotBuilt && !entry.committed.isEmpty() && cannotBuild(entry))
        cell.state = CampaignState::Broken;
    const auto says = [&](const BuildRecord *record) {
        return cell.state >= CampaignState::Built    ? isBuilt(*record)
               : cell.state == CampaignState::Failed ? isFailure(record->outcome)
                                                     : cell.state == CampaignState::Stopped;
    };
    if (const auto last = std::ranges::find_if(own, says); last != own.end())
        cell.last = **last;
    else if (other && cell.state != CampaignState::NotBuilt && cell.state != CampaignState::Broken)
        cell.last = *other;
    return cell;
}

/// "no-recipe", "built": in JSON and as the class of a cell in HTML, in no language.
QString wordOf(CampaignState state)
{
    switch (state) {
    case CampaignState::NoRecipe: return u"no-recipe"_s;
    case CampaignState::Broken: return u"broken"_s;
    case CampaignState::NotBuilt: return u"not-built"_s;
    case CampaignState::Stale: return u"stale"_s;
    case CampaignState::Stopped: return u"stopped"_s;
    case CampaignState::Failed: return u"failed"_s;
    case CampaignState::Built: return u"built"_s;
    case CampaignState::Verified: return u"verified"_s;
    case CampaignState::Published: return u"published"_s;
    }
    Q_UNREACHABLE_RETURN({});
}

/// "built 1:02:03", "failed: out of memory"
QString cellText(const CampaignCell &cell)
{
    QString text = campaignWord(cell.state);
    if (cell.state == CampaignState::Failed && cell.last)
        text = Tr::tr("%1: %2", "state, why").arg(text, plainWordOf(cell.last->outcome));
    else if (cell.state != CampaignState::Stale && cell.last && cell.last->seconds())
        text = Tr::tr("%1 %2", "state, time").arg(text, durationText(*cell.last->seconds() * 1000));
    if (cell.last && cell.last->elsewhere)
        text += u" (%1)"_s.arg(cell.last->machine);
    return text;
}

struct Table {
    QString title;
    QStringList head;
    QList<QStringList> rows;
    QList<QList<std::optional<CampaignState>>> states; ///< of each row's cells, without the first column
};

QList<Table> tablesOf(const Campaign &campaign)
{
    std::map<std::array<QString, 5>, const CampaignCell *> byPlace; // by slice, row and column
    QList<std::tuple<QString, QString, QString>> slices;
    for (const CampaignCell &cell : campaign.cells) {
        const Variant &variant = cell.variant;
        byPlace[{variant.family, variant.python, variant.cuda, variant.row, variant.column()}] = &cell;
        const std::tuple slice(cell.variant.family, cell.variant.python, cell.variant.cuda);
        if (!slices.contains(slice))
            slices.append(slice);
    }
    QList<Table> tables;
    for (const auto &[family, python, cuda] : std::as_const(slices)) {
        Table table;
        table.title = cuda.isEmpty() ? u"%1, Python %2"_s.arg(family, pythonVersion(python))
                                     : u"%1, Python %2, CUDA %3"_s.arg(family, pythonVersion(python), cuda);
        table.head.append(Tr::tr("GPU"));
        for (const QString &isa : campaign.isas)
            table.head.append(isa.isEmpty() ? Tr::tr("any CPU") : isa);
        for (const QString &row : campaign.rows) {
            QStringList texts{row};
            QList<std::optional<CampaignState>> states;
            for (const QString &isa : campaign.isas) {
                const auto found = byPlace.find({family, python, cuda, row, isa});
                const CampaignCell *cell = found == byPlace.end() ? nullptr : found->second;
                texts.append(cell ? cellText(*cell) : QString());
                states.append(cell ? std::optional(cell->state) : std::nullopt);
            }
            if (std::any_of(states.begin(), states.end(), [](const auto &state) { return state.has_value(); })) {
                table.rows.append(texts);
                table.states.append(states);
            }
        }
        tables.append(table);
    }
    return tables;
}

/// "31 of 44 built: 3 published, 28 built, 2 failed, 11 not built"
QString countsText(const Campaign &campaign)
{
    QStringList kinds; // counts of the states that are part of "built"
    QStringList counts;
    int built = 0;
    for (const CampaignState state : everyState) {
        const int count = campaign.counts.value(state);
        const bool isBuilt =
            state == CampaignState::Published || state == CampaignState::Verified || state == CampaignState::Built;
        built += isBuilt ? count : 0;
        if (count > 0 && state != CampaignState::Built)
            (isBuilt ? kinds : counts).append(u"%1 %2"_s.arg(QString::number(count), campaignWord(state)));
    }
    QString text = Tr::tr("%1 of %2 built").arg(QString::number(built), QString::number(campaign.cells.size()));
    if (!kinds.isEmpty())
        text += u" (%1)"_s.arg(kinds.join(u", "_s));
    if (!counts.isEmpty())
        text = Tr::tr("%1: %2", "how many are built, how many of each other state").arg(text, counts.join(u", "_s));
    const QString times = !campaign.medianSeconds ? QString()
                                                  : Tr::tr("Build time: %1 in all, %2 the median.")
                                                        .arg(durationText(campaign.seconds * 1000),
                                                             durationText(*campaign.medianSeconds * 1000));
    return joinedSentences({withFullStop(text), times});
}

QList<const CampaignCell *> failuresOf(const Campaign &campaign)
{
    QList<const CampaignCell *> failures;
    for (const CampaignCell &cell : campaign.cells) {
        if (cell.last && (cell.state == CampaignState::Failed || cell.state == CampaignState::Stopped))
            failures.append(&cell);
    }
    return failures;
}

/// Failures with the same kind and reason.
struct LikeFailures {
    QStringList names;
    QDateTime last; ///< end of the newest one
    QString reason;
    [[nodiscard]] QString when() const { return last.toUTC().toString(u"yyyy-MM-dd HH:mm"_s); }
};

/// Sorted by number of failures; equal counts in the order of the cells.
QList<LikeFailures> likeFailures(const Campaign &campaign)
{
    QList<LikeFailures> all;
    QMap<std::pair<BuildOutcome::Kind, QString>, qsizetype> places;
    const QList<const CampaignCell *> failures = failuresOf(campaign);
    for (const CampaignCell *cell : failures) {
        const std::pair key(cell->last->outcome, cell->last->reason);
        if (!places.contains(key)) {
            places.insert(key, all.size());
            all.append({{}, cell->last->ended, cell->last->reason});
        }
        const qsizetype place = places.value(key);
        all[place].names.append(cell->variant.name());
        all[place].last = std::max(all.at(place).last, cell->last->ended);
    }
    std::ranges::stable_sort(all, std::ranges::greater(), [](const LikeFailures &one) { return one.names.size(); });
    return all;
}

QList<VariantTime> timesOf(const Campaign &campaign)
{
    QList<BuildRecord> builds;
    for (const CampaignCell &cell : campaign.cells) {
        if (cell.state >= CampaignState::Built && cell.last)
            builds.append(*cell.last);
    }
    return timesByVariant(builds);
}

} // namespace

QString campaignWord(CampaignState state)
{
    switch (state) {
    case CampaignState::NoRecipe: return Tr::tr("no recipe");
    case CampaignState::Broken: return Tr::tr("broken");
    case CampaignState::NotBuilt: return Tr::tr("not built");
    case CampaignState::Stale: return Tr::tr("stale");
    case CampaignState::Stopped: return Tr::tr("stopped");
    case CampaignState::Failed: return Tr::tr("failed");
    case CampaignState::Built: return Tr::tr("built");
    case CampaignState::Verified: return Tr::tr("verified");
    case CampaignState::Published: return Tr::tr("published");
    }
    Q_UNREACHABLE_RETURN({});
}

Campaign campaignOf(const Catalog &catalog, const BranchSnapshot &snapshot, const QList<BuildRecord> &records,
                    const QHash<QString, BuildState> &states,
                    const std::function<bool(const VariantEntry &, const BuildRecord &)> &isOf)
{
    Campaign campaign;
    campaign.branch = snapshot.branch;
    campaign.title = snapshot.title();
    campaign.commit = snapshot.commit;
    std::ranges::copy_if(records, std::back_inserter(campaign.builds),
                         [&snapshot](const BuildRecord &record) { return record.branch == snapshot.branch; });
    QSet<QString> rows;
    QSet<QString> isas;
    QList<qint64> times;
    for (const VariantEntry &entry : snapshot.entries) {
        if (!entry.present && !entry.covered)
            continue;
        const CampaignCell cell = cellOf(entry, states.value(entry.variant.name()), records, isOf);
        campaign.cells.append(cell);
        ++campaign.counts[cell.state];
        rows.insert(cell.variant.row);
        isas.insert(cell.variant.column());
        if (cell.last && cell.state >= CampaignState::Built && cell.last->seconds())
            times.append(*cell.last->seconds());
    }
    std::sort(campaign.cells.begin(), campaign.cells.end(),
              [](const CampaignCell &a, const CampaignCell &b) { return a.variant < b.variant; });
    campaign.rows = catalog.rowsInOrder(rows);
    campaign.isas = catalog.columnsInOrder(isas);
    if (isas.contains(QString()) && !campaign.isas.contains(QString()))
        campaign.isas.append(QString());
    std::sort(times.begin(), times.end());
    for (const qint64 time : std::as_const(times))
        campaign.seconds += time;
    if (!times.isEmpty())
        campaign.medianSeconds = times.at(times.size() / 2);
    return campaign;
}

Result<Campaign> readCampaign(const Catalog &catalog, const BranchSnapshot &snapshot, const BuildHistory &history)
{
    TM_TRY(records, history.records({.repository = snapshot.repository}));
    const OtherBuilds other = otherBuildsOf(snapshot.repository);
    QList<JobRecord> jobs = readJobs(stateFolder());
    jobs.removeIf([](const JobRecord &record) { return !record.outcome; });
    QHash<QString, const Job *> jobOf;
    for (const JobRecord &record : std::as_const(jobs))
        jobOf.insert(record.job.id, &record.job);
    QHash<QString, QStringList> identities; ///< by variant, of those with builds
    const auto isOf = [&](const VariantEntry &entry, const BuildRecord &record) {
        auto known = identities.constFind(record.variant);
        if (known == identities.cend())
            known = identities.insert(record.variant, shownIdentities(snapshot, entry));
        const Job *job = jobOf.value(record.job);
        return job ? job->buildsOneOf(*known) : known->contains(record.blob);
    };
    return campaignOf(catalog, snapshot, newestFirst(*records + other.elsewhere), buildStates(snapshot, jobs, other),
                      isOf);
}

QString campaignAsMarkdown(const Campaign &campaign)
{
    QString text =
        u"## %1\n\n%2\n"_s.arg(Tr::tr("Builds of %1").arg(codeInMarkdownCell(campaign.title)), countsText(campaign));
    for (const Table &table : tablesOf(campaign)) {
        QList<QStringList> rows;
        for (const QStringList &row : table.rows) {
            QStringList cells;
            for (const QString &cell : row)
                cells.append(inMarkdownCell(cell));
            rows.append(cells);
        }
        text += u"\n### "_s + table.title + u"\n\n"_s + markdownTable(table.head, rows);
    }
    if (const QString times = timesAsText(timesOf(campaign)); !times.isEmpty())
        text += u"\n### %1\n\n```text\n%2```\n"_s.arg(Tr::tr("Build times"), times);
    QList<QStringList> failures;
    for (const LikeFailures &like : likeFailures(campaign)) {
        QStringList names;
        for (const QString &name : like.names)
            names.append(codeInMarkdownCell(name));
        failures.append({QString::number(names.size()), names.join(u", "_s), like.when(), inMarkdownCell(like.reason)});
    }
    if (!failures.isEmpty())
        text += u"\n### %1\n\n"_s.arg(Tr::tr("Failures")) +
                markdownTable({Tr::tr("Count"), Tr::tr("Variants"), Tr::tr("Last (UTC)"), Tr::tr("Why")}, failures);
    return text;
}

QString campaignAsHtml(const Campaign &campaign)
{
    const auto element = [](const QString &name, const QString &content, const QString &kind = {}) {
        return u"<%1%2>%3</%1>"_s.arg(name, kind.isEmpty() ? QString() : u" class=\"%1\""_s.arg(kind),
                                      content.toHtmlEscaped());
    };
    const QString title = Tr::tr("Builds of %1").arg(campaign.title);
    QString text = u"<!DOCTYPE html>\n<html lang=\"%1\">\n<head>\n<meta charset=\"utf-8\">\n"_s.arg(
                       Tr::tr("en", "the code of the language of this translation")) +
                   element(u"title"_s, title) +
                   u"\n<style>\nbody { font-family: sans-serif; margin: 2em }\ntable { border-collapse: collapse }\n"
                   "th, td { border: 1px solid #bbb; padding: 0.3em 0.6em; text-align: left }\n"
                   ".published, .verified, .built { background: #d8f0d8 }\n.failed { background: #f6d5d5 }\n"
                   ".stale { background: #f5ecc8 }\n</style>\n</head>\n<body>\n"_s +
                   element(u"h1"_s, title) + u'\n' + element(u"p"_s, countsText(campaign)) + u'\n';
    for (const Table &table : tablesOf(campaign)) {
        text += element(u"h2"_s, table.title) + u"\n<table>\n<tr>"_s;
        for (const QString &head : table.head)
            text += element(u"th"_s, head);
        text += u"</tr>\n"_s;
        for (qsizetype row = 0; row < table.rows.size(); ++row) {
            text += u"<tr>"_s + element(u"th"_s, table.rows.at(row).constFirst());
            for (qsizetype cell = 1; cell < table.rows.at(row).size(); ++cell) {
                const auto &state = table.states.at(row).at(cell - 1);
                text += element(u"td"_s, table.rows.at(row).at(cell), state ? wordOf(*state) : QString());
            }
            text += u"</tr>\n"_s;
        }
        text += u"</table>\n"_s;
    }
    for (const auto &[heading, picture] :
         {std::pair(Tr::tr("Build times"), asSvg(drawTimes(timesOf(campaign)))),
          {Tr::tr("The queue over time"), asSvg(drawQueue(queueOverTime(campaign.builds)))}}) {
        if (!picture.isEmpty())
            text += element(u"h2"_s, heading) + u'\n' + picture;
    }
    if (const QList<LikeFailures> failures = likeFailures(campaign); !failures.isEmpty()) {
        text += element(u"h2"_s, Tr::tr("Failures")) + u"\n<table>\n<tr>"_s;
        for (const QString &head : {Tr::tr("Count"), Tr::tr("Variants"), Tr::tr("Last (UTC)"), Tr::tr("Why")})
            text += element(u"th"_s, head);
        text += u"</tr>\n"_s;
        for (const LikeFailures &like : failures)
            text += u"<tr>"_s + element(u"td"_s, QString::number(like.names.size())) +
                    element(u"th"_s, like.names.join(u", "_s)) + element(u"td"_s, like.when()) +
                    element(u"td"_s, like.reason) + u"</tr>\n"_s;
        text += u"</table>\n"_s;
    }
    return text + u"</body>\n</html>\n"_s;
}

QJsonObject campaignAsJson(const Campaign &campaign)
{
    QJsonObject counts;
    for (auto it = campaign.counts.begin(); it != campaign.counts.end(); ++it)
        counts.insert(wordOf(it.key()), it.value());
    QJsonArray cells;
    for (const CampaignCell &cell : campaign.cells) {
        QJsonObject object{{u"name"_s, cell.variant.name()}, {u"state"_s, wordOf(cell.state)}};
        if (cell.last) {
            object.insert(u"job"_s, cell.last->job);
            object.insert(u"outcome"_s, wordOf(cell.last->outcome));
            object.insert(u"reason"_s, cell.last->reason);
            object.insert(u"ended"_s, cell.last->ended.toUTC().toString(Qt::ISODate));
            if (cell.last->seconds())
                object.insert(u"seconds"_s, *cell.last->seconds());
            if (cell.last->elsewhere)
                object.insert(u"machine"_s, cell.last->machine);
        }
        cells.append(object);
    }
    return {{u"branch"_s, campaign.branch},
            {u"commit"_s, campaign.commit},
            {u"counts"_s, counts},
            {u"seconds"_s, campaign.seconds},
            {u"cells"_s, cells}};
}

} // namespace tmx
