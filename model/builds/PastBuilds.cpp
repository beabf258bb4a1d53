// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/PastBuilds.h"

#include "model/base/Sentences.h"
#include "model/base/TerminalText.h"
#include "model/base/TextForm.h"
#include "model/builds/Campaign.h"
#include "model/outcome/BuildState.h"

#include <QLocale>

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using Kind = BuildOutcome::Kind;

bool passes(const BuildRecord &record, const PastBuildsFilter &filter)
{
    if (!filter.branch.isEmpty() && record.branch != filter.branch)
        return false;
    const bool outcome = filter.outcome.isEmpty() || wordOf(record.outcome) == filter.outcome ||
                         (filter.outcome == wordOf(Kind::Failed) && isFailure(record.outcome));
    return outcome && (filter.text.isEmpty() || record.variant.contains(filter.text, Qt::CaseInsensitive) ||
                       record.reason.contains(filter.text, Qt::CaseInsensitive));
}

QString bytes(qint64 size)
{
    return size > 0 ? QLocale().formattedDataSize(size, 1) : QString();
}

/// Of this year without the year.
QString endText(const QDateTime &ended)
{
    const bool thisYear = ended.date().year() == QDate::currentDate().year();
    return QLocale().toString(ended, thisYear ? u"ddd d MMM HH:mm"_s : u"d MMM yyyy HH:mm"_s);
}

QString textOf(const BuildRecord &record, PastBuilds::Column column, const ShortNames &names)
{
    using Column = PastBuilds::Column;
    switch (column) {
    case Column::Ended: return endText(record.ended.toLocalTime());
    case Column::Gpu:
    case Column::Cpu:
    case Column::Cuda:
    case Column::Python:
    case Column::Package: return names.part(record.variant, *namePartOf(column));
    case Column::Branch: return record.branch;
    case Column::Outcome: return plainWordOf(record.outcome);
    case Column::Why: // what the outcome's word does not say
        return !isFailure(record.outcome)                     ? QString()
               : record.reason != plainWordOf(record.outcome) ? record.reason
               : record.elsewhere                             ? PastBuilds::tr("log on %1").arg(record.machine)
                                                              : QString();
    case Column::Who: return record.elsewhere ? record.machine : PastBuilds::tr("you");
    case Column::Time: return record.seconds() ? durationText(*record.seconds() * 1000) : QString();
    case Column::Memory: return bytes(record.peakMemory);
    case Column::Size: return bytes(record.size);
    }
    Q_UNREACHABLE_RETURN({});
}

/// "compile error, ‘x’ was not declared (log on gpu-box)"; without a full stop.
QString failureText(const BuildRecord &record)
{
    static const QRegularExpression next(u"(?<=[.?]) (?=\\p{Lu})"_s); // what to do about it stands beside the log
    const QString word = plainWordOf(record.outcome);
    QString why = record.reason == word ? QString() : record.reason.section(next, 0, 0);
    if (why.endsWith(u'.'))
        why.chop(1);
    if (!record.elsewhere)
        return why.isEmpty() ? word : why;
    return why.isEmpty()
               ? PastBuilds::tr("%1, log on %2", "outcome, machine").arg(word, record.machine)
               : PastBuilds::tr("%1, %2 (log on %3)", "outcome, error line, machine").arg(word, why, record.machine);
}

QString detailsOf(const BuildRecord &record)
{
    QStringList lines{record.reason,
                      PastBuilds::tr("Recipe %1 of commit %2").arg(record.blob.left(10), record.commit.left(10)),
                      PastBuilds::tr("Engine: %1").arg(record.engine)};
    if (record.elsewhere)
        lines.append(PastBuilds::tr("Built by the team, on %1").arg(record.machine));
    if (!record.verified.isEmpty())
        lines.append(PastBuilds::tr("Verification: %1").arg(record.verified));
    if (!record.published.isEmpty())
        lines.append(PastBuilds::tr("Published as %1").arg(record.published));
    if (!record.result.isEmpty())
        lines.append(record.result);
    lines.removeAll(QString());
    return lines.join(u'\n');
}

} // namespace

PastBuilds::PastBuilds(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void PastBuilds::setRecords(const QList<BuildRecord> &records)
{
    if (records == m_records)
        return;
    beginResetModel();
    m_records = records;
    choose();
    endResetModel();
}

void PastBuilds::setFilter(const PastBuildsFilter &filter)
{
    if (filter == m_filter)
        return;
    beginResetModel();
    m_filter = filter;
    choose();
    endResetModel();
}

void PastBuilds::choose()
{
    m_rows.clear();
    QStringList names;
    for (qsizetype i = 0; i < m_records.size(); ++i) {
        if (!passes(m_records.at(i), m_filter))
            continue;
        m_rows.append(i);
        names.append(m_records.at(i).variant);
    }
    m_names = ShortNames(names);
}

const BuildRecord *PastBuilds::recordAt(int row) const
{
    return row >= 0 && row < m_rows.size() ? &m_records.at(m_rows.at(row)) : nullptr;
}

int PastBuilds::rowOf(const QString &job) const
{
    const auto row = std::ranges::find(m_rows, job, [this](qsizetype at) { return m_records.at(at).job; });
    return row == m_rows.end() ? -1 : int(row - m_rows.begin());
}

QList<BuildRecord> PastBuilds::shown() const
{
    QList<BuildRecord> records;
    for (const qsizetype row : m_rows)
        records.append(m_records.at(row));
    return records;
}

QStringList PastBuilds::branches() const
{
    QStringList names;
    for (const BuildRecord &record : m_records)
        names.append(record.branch);
    names.sort();
    names.removeDuplicates();
    return names;
}

QStringList PastBuilds::outcomes() const
{
    QStringList words;
    QStringList failures;
    for (const BuildRecord &record : m_records)
        (isFailure(record.outcome) ? failures : words).append(wordOf(record.outcome));
    failures.sort();
    words.sort();
    if (!failures.isEmpty())
        failures.prepend(wordOf(Kind::Failed));
    words += failures;
    words.removeDuplicates();
    return words;
}

QString PastBuilds::summary() const
{
    int built = 0;
    int failed = 0;
    QList<qint64> times;
    for (const qsizetype row : m_rows) {
        const BuildRecord &record = m_records.at(row);
        built += record.outcome == Kind::Built;
        failed += isFailure(record.outcome);
        if (record.outcome == Kind::Built && record.seconds())
            times.append(*record.seconds());
    }
    QString text = tr("%1 of %n builds: %2 built, %3 failed", nullptr, int(m_records.size()))
                       .arg(m_rows.size())
                       .arg(built)
                       .arg(failed);
    if (!times.isEmpty()) {
        std::ranges::sort(times);
        text = tr("%1; median time %2", "counts, time").arg(text, durationText(times.at(times.size() / 2) * 1000));
    }
    return text;
}

static bool isOfLastDay(const BuildRecord &record, const QDateTime &now)
{
    return record.ended >= now.addDays(-1) && record.ended <= now;
}

int PastBuilds::newestFailure(const QDateTime &now) const
{
    const auto found = std::ranges::find_if(m_rows, [&](qsizetype row) {
        return isFailure(m_records.at(row).outcome) && isOfLastDay(m_records.at(row), now);
    });
    return found == m_rows.end() ? -1 : int(found - m_rows.begin());
}

QList<BuildRecord> PastBuilds::ofLastDay(const QDateTime &now) const
{
    QList<BuildRecord> records = m_records;
    records.removeIf([&](const BuildRecord &record) { return !isOfLastDay(record, now); });
    return records;
}

QString PastBuilds::lastDay(const QDateTime &now) const
{
    int all = 0;
    int theirs = 0;
    int built = 0;
    QStringList failed;
    QList<const BuildRecord *> failures;
    const QList<BuildRecord> records = ofLastDay(now);
    for (const BuildRecord &record : records) {
        ++all;
        theirs += record.elsewhere ? 1 : 0;
        built += record.outcome == Kind::Built ? 1 : 0;
        if (isFailure(record.outcome)) {
            failed.append(record.variant);
            failures.append(&record);
        }
    }
    if (all == 0)
        return {};
    failed = ShortNames(failed).inTurn(failed);
    for (qsizetype i = 0; i < failed.size(); ++i) {
        failed[i] = tr("%1: %2", "build, why it failed").arg(failed.at(i), failureText(*failures.at(i)));
    }
    QStringList counts;
    if (!failures.isEmpty())
        counts.append(tr("%1 failed").arg(failures.size()));
    if (built > 0)
        counts.append(tr("%1 built").arg(built));
    if (const auto stopped = all - built - failures.size(); stopped > 0)
        counts.append(tr("%1 stopped").arg(stopped));
    const QString whose = theirs == 0     ? tr("In the last day")
                          : theirs == all ? tr("In the last day, all by the team")
                                          : tr("In the last day, %1 of %2 by the team").arg(theirs).arg(all);
    const QString said = tr("%1: %2.", "when and whose, counts").arg(whose, counts.join(u", "_s));
    // A sentence each: a cause has commas of its own.
    const qsizetype most = failed.size() == 4 ? 4 : 3; // "1 more failed" is no shorter than the name
    QStringList sentences{said};
    for (const QString &one : failed.first(std::min(failed.size(), most)))
        sentences.append(withFullStop(inOneLine(one)));
    if (failed.size() > most)
        sentences.append(tr("%n more failed.", nullptr, int(failed.size() - most)));
    return joinedSentences(sentences);
}

bool PastBuilds::isUnknown(Column column) const
{
    if (column == Column::Who)
        return std::ranges::none_of(m_records, &BuildRecord::elsewhere);
    for (int row = 0; row < rowCount(); ++row) {
        if (!index(row, int(column)).data().toString().isEmpty())
            return false;
    }
    return true;
}

int PastBuilds::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int PastBuilds::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : columns;
}

QVariant PastBuilds::data(const QModelIndex &index, int role) const
{
    const BuildRecord *record = recordAt(index.row());
    if (!record || !index.isValid())
        return {};
    const auto column = Column(index.column());
    const bool isNumber = column == Column::Time || column == Column::Memory || column == Column::Size;
    switch (role) {
    case Qt::DisplayRole: return textOf(*record, column, m_names);
    case wholeNameRole: return record->variant;
    case Qt::ToolTipRole: return namePartOf(column) ? record->variant : detailsOf(*record);
    case Qt::AccessibleTextRole:
        return headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString() + u": "_s +
               (column == Column::Gpu ? record->variant : textOf(*record, column, m_names));
    case BuildPhaseRole:
        return int(record->outcome == Kind::Built     ? BuildState::Phase::Built
                   : record->outcome == Kind::Stopped ? BuildState::Phase::None
                                                      : BuildState::Phase::Failed);
    case Qt::TextAlignmentRole: return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default: return {};
    }
}

QVariant PastBuilds::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (Column(section)) {
    case Column::Ended: return tr("Ended");
    case Column::Gpu:
    case Column::Cpu:
    case Column::Cuda:
    case Column::Python:
    case Column::Package: return titleOf(*namePartOf(Column(section)));
    case Column::Who: return tr("Who");
    case Column::Branch: return tr("Branch");
    case Column::Outcome: return tr("Outcome");
    case Column::Why: return tr("Why");
    case Column::Time: return tr("Time");
    case Column::Memory: return tr("Memory");
    case Column::Size: return tr("Size");
    }
    return {};
}

} // namespace tmx
