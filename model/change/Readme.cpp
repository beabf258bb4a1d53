// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Readme.h"

#include "model/repository/CommitReader.h"
#include "model/repository/Repository.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::Readme)
};

constexpr QLatin1StringView readmePath{"README.md"};

/// A line of the text: [from, to) with its line end, [from, end) without.
struct TextLine {
    qsizetype from = 0;
    qsizetype end = 0;
    qsizetype to = 0;
    bool code = false; ///< in a fenced code block, its fences included
};

QList<TextLine> linesOf(const QByteArray &text)
{
    QList<TextLine> lines;
    QByteArray fence;
    for (qsizetype from = 0; from < text.size();) {
        TextLine line;
        line.from = from;
        const qsizetype end = text.indexOf('\n', from);
        line.to = end < 0 ? text.size() : end + 1;
        line.end = end < 0 ? text.size() : end;
        if (line.end > line.from && text.at(line.end - 1) == '\r')
            --line.end;
        // CommonMark 4.5: a fence is closed by as many of the same characters, or more, and nothing else.
        const QByteArray words = text.sliced(line.from, line.end - line.from).trimmed();
        qsizetype length = 0;
        while (length < words.size() && (words.at(length) == '`' || words.at(length) == '~') &&
               words.at(length) == words.at(0))
            ++length;
        if (fence.isEmpty() && length >= 3 && !(words.at(0) == '`' && words.sliced(length).contains('`'))) {
            fence = words.first(length);
            line.code = true;
        } else if (!fence.isEmpty()) {
            line.code = true;
            if (length >= fence.size() && words.size() == length && words.at(0) == fence.at(0))
                fence.clear();
        }
        lines.append(line);
        from = line.to;
    }
    return lines;
}

struct Markers {
    QList<TextLine> begins;
    QList<TextLine> ends;
    int inCode = 0; ///< line of the first one in a code block; 0: none
};

Markers markersOf(const QByteArray &text)
{
    Markers markers;
    const QList<TextLine> lines = linesOf(text);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const TextLine &line = lines.at(i);
        const QByteArray words = text.sliced(line.from, line.end - line.from).trimmed();
        if (line.code && (words == readmeBegin || words == readmeEnd) && markers.inCode == 0)
            markers.inCode = int(i) + 1;
        if (line.code)
            continue;
        if (words == readmeBegin)
            markers.begins.append(line);
        else if (words == readmeEnd)
            markers.ends.append(line);
    }
    return markers;
}

QByteArray lineEndOf(const QByteArray &text, const TextLine &line)
{
    const QByteArray end = text.sliced(line.end, line.to - line.end);
    return end.isEmpty() ? QByteArray("\n") : end;
}

QByteArray withLineEnds(QByteArray text, const QByteArray &end)
{
    return end == "\n" ? text : text.replace("\n", end);
}

/// `text` compared without regard to line ends, which git may normalise on the way.
bool sameText(QByteArray a, QByteArray b)
{
    return a.replace("\r\n", "\n") == b.replace("\r\n", "\n");
}

/// README.md of the work tree; nullopt where none can be read.
std::optional<QByteArray> readmeOnDisk(const QString &workTree)
{
    QFile file(workTree + u'/' + readmePath);
    if (QFileInfo(file).isSymLink() || !file.open(QIODevice::ReadOnly))
        return std::nullopt;
    return file.readAll();
}

Result<ReadmeState> stateOf(const Catalog &catalog, const CommitReader &reader, const ReadBranch &branch,
                            const BranchesReading &all, const RepositoryInfo &info)
{
    ReadmeState state;
    state.branch = branch.source.label;
    state.tip = branch.source.commit;
    const Result<std::optional<QByteArray>> readme = reader.fileAt(branch.source.commit, readmePath);
    if (!readme)
        return readme.error();
    const QByteArray tables = readmeTables(catalog, *branch.snapshot, all.branches);
    state.before = readme->value_or(QByteArray());
    if (hasMarkers(state.before)) {
        const Result<QByteArray> after =
            withTables(state.before, tables, Words::tr("%1 of branch %2").arg(readmePath, state.branch));
        if (!after)
            return after.error();
        state.after = *after;
        state.kind = state.after == state.before ? ReadmeState::Kind::Current : ReadmeState::Kind::Stale;
        if (state.kind == ReadmeState::Kind::Current && !info.detached && info.headBranch == state.branch) {
            const QByteArray disk = readmeOnDisk(info.workTree).value_or(QByteArray());
            const Result<QByteArray> diskAfter = withTables(disk, tables, readmePath);
            state.uncommitted = !diskAfter || !sameText(*diskAfter, disk);
            if (state.uncommitted)
                state.kind = ReadmeState::Kind::Stale;
        }
        return state;
    }
    state.kind = *readme ? ReadmeState::Kind::NoMarkers : ReadmeState::Kind::NoReadme;
    const QByteArray ground = *readme ? state.before : "# " + QFileInfo(all.repository).fileName().toUtf8() + "\n";
    state.place = proposedPlace(ground);
    state.codeLine = markersOf(ground).inCode;
    const Result<QByteArray> after = withTables(withMarkers(ground, state.place), tables, readmePath);
    if (!after)
        return after.error();
    state.after = *after;
    return state;
}

Result<CommitResult> commitReadme(const Repository &repository, const RepositoryInfo &info, const ReadmeState &state)
{
    const bool isNew = state.kind == ReadmeState::Kind::NoReadme;
    FileEdit edit{readmePath, state.after, isNew ? std::nullopt : std::optional(state.before)};
    if (!info.detached && info.headBranch == state.branch) {
        QFile file(info.workTree + u'/' + readmePath);
        const bool there = QFileInfo(file).exists() || QFileInfo(file).isSymLink();
        if (there && (QFileInfo(file).isSymLink() || !file.open(QIODevice::ReadOnly)))
            return Error{Words::tr("write"), file.fileName(), Words::tr("it is no file that can be read"), {}};
        const QByteArray disk = there ? file.readAll() : QByteArray();
        if (there == isNew || !sameText(disk, state.before))
            return Error{Words::tr("write"), file.fileName(), Words::tr("it holds changes that are not committed"),
                         Words::tr("Commit them, or put them aside, first.")};
        edit.expected = there ? std::optional(disk) : std::nullopt;
        if (there && disk.contains("\r\n") && !state.before.contains("\r\n"))
            edit.text = withLineEnds(state.after, "\r\n");
    }
    ChangeSet changes;
    changes.branch = state.branch;
    changes.parentCommit = state.tip;
    changes.message = Words::tr("README: the tables of variants and branches");
    changes.files.append({.action = ChangeAction::Rewrite,
                          .path = readmePath,
                          .before = edit.expected,
                          .after = edit.text,
                          .chosen = true});
    const Result<Applied> done = repository.apply(changes);
    return done ? Result<CommitResult>(CommitResult{done->commit, done->branch, done->subject, done->saved, done->kept})
                : done.error();
}

Result<ReadmeState> written(const OpenedRepository &opened, ReadmeState state)
{
    const Result<CommitResult> done = commitReadme(opened.repository, opened.info, state);
    if (!done)
        return done.error();
    state.kind = ReadmeState::Kind::Written;
    state.commit = done->commit;
    return state;
}

} // namespace

QString toString(ReadmeState::Kind kind)
{
    switch (kind) {
    case ReadmeState::Kind::Current: return u"current"_s;
    case ReadmeState::Kind::Stale: return u"stale"_s;
    case ReadmeState::Kind::NoMarkers: return u"no-markers"_s;
    case ReadmeState::Kind::NoReadme: return u"no-readme"_s;
    case ReadmeState::Kind::Written: return u"written"_s;
    }
    Q_UNREACHABLE_RETURN({});
}

bool hasMarkers(const QByteArray &readme)
{
    const Markers markers = markersOf(readme);
    return !markers.begins.isEmpty() || !markers.ends.isEmpty();
}

int markerInCode(const QByteArray &readme)
{
    return markersOf(readme).inCode;
}

Result<QByteArray> withTables(const QByteArray &readme, const QByteArray &tables, const QString &subject)
{
    const Markers markers = markersOf(readme);
    const auto refused = [&subject](const QString &why) {
        return Error{Words::tr("write the tables into"), subject, why,
                     Words::tr("It needs one line \"%1\" and, below it, one line \"%2\".")
                         .arg(QString::fromLatin1(readmeBegin), QString::fromLatin1(readmeEnd))};
    };
    if (markers.begins.isEmpty() && markers.ends.isEmpty())
        return refused(Words::tr("it has no markers"));
    if (markers.begins.size() > 1 || markers.ends.size() > 1)
        return refused(Words::tr("a marker is there more than once"));
    if (markers.begins.isEmpty() || markers.ends.isEmpty())
        return refused(markers.inCode > 0
                           ? Words::tr("one of the two markers is missing; that of line %1 stands in a code block")
                                 .arg(markers.inCode)
                           : Words::tr("one of the two markers is missing"));
    const TextLine &begin = markers.begins.constFirst();
    const TextLine &end = markers.ends.constFirst();
    if (end.from < begin.to)
        return refused(Words::tr("the end marker stands before the beginning"));
    const QByteArray lineEnd = lineEndOf(readme, begin);
    return readme.first(begin.to) + withLineEnds(tables, lineEnd) + readme.sliced(end.from);
}

MarkerPlace proposedPlace(const QByteArray &readme)
{
    const QList<TextLine> lines = linesOf(readme);
    std::optional<int> section;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const TextLine &line = lines.at(i);
        const QByteArray words = readme.sliced(line.from, line.end - line.from);
        if (line.code || !words.startsWith("##"))
            continue;
        const QByteArray lower = words.toLower();
        if (lower.contains("variant") || lower.contains("matrix"))
            return {int(i) + 2, Words::tr("below \"%1\"").arg(QString::fromUtf8(words))};
        if (!section)
            section = int(i);
    }
    if (section) {
        const TextLine &line = lines.at(*section);
        return {*section + 1,
                Words::tr("before \"%1\"").arg(QString::fromUtf8(readme.sliced(line.from, line.end - line.from)))};
    }
    return {int(lines.size()) + 1, Words::tr("at the end")};
}

QByteArray withMarkers(const QByteArray &readme, const MarkerPlace &place)
{
    const QList<TextLine> lines = linesOf(readme);
    const QByteArray end = lines.isEmpty() ? QByteArray("\n") : lineEndOf(readme, lines.constFirst());
    const qsizetype at = place.line - 1 < lines.size() ? lines.at(place.line - 1).from : readme.size();
    QByteArray head = readme.first(at);
    if (!head.isEmpty() && !head.endsWith('\n'))
        head += end;
    if (!head.isEmpty() && !head.endsWith(end + end))
        head += end;
    const QByteArray tail = readme.sliced(at);
    const bool blankFollows = tail.isEmpty() || tail.startsWith(end);
    return head + readmeBegin.toByteArray() + end + readmeEnd.toByteArray() + end +
           (blankFollows ? QByteArray() : end) + tail;
}

Result<QList<ReadmeState>> readReadmes(const QString &path, const QStringList &branches,
                                       const SnapshotReader &snapshots, const WorkHooks &hooks)
{
    const Result<BranchSources> sources = branchesOf(path, WorkTreeAs::LeftOut, false);
    if (!sources)
        return sources.error();
    const BranchesReading all = snapshots.readAll(*sources, hooks);
    if (all.stopped)
        return stoppedError();
    if (!all.unread.isEmpty())
        return all.unread.constFirst().named();
    for (const ReadBranch &branch : all.branches) { // each is told of in the READMEs of all
        if (!branch.snapshot->lineError.isEmpty())
            return Error{Words::tr("make the tables of"), branch.source.label, Words::tr("its line is not known"),
                         branch.snapshot->lineError};
    }
    const Result<CommitReader> reader = CommitReader::open(path);
    if (!reader)
        return reader.error();
    const Result<OpenedRepository> opened = openWithInfo(path);
    if (!opened)
        return opened.error();
    const auto unborn = [](const QString &name) {
        return Error{Words::tr("read the branch"), name, Words::tr("it has no commit yet"),
                     Words::tr("Commit something first.")};
    };
    if (all.branches.isEmpty())
        return unborn(opened->info.headBranch);
    for (const QString &name : branches) {
        if (!all.find(name) && name == opened->info.headBranch)
            return unborn(name);
        if (!all.find(name))
            return Error{
                Words::tr("read the branch"), name, Words::tr("%1 has no such branch").arg(all.repository), {}};
    }
    QList<ReadmeState> states;
    for (const ReadBranch &branch : all.branches) {
        if (!branches.isEmpty() && !branches.contains(branch.source.label))
            continue;
        const Result<ReadmeState> state = stateOf(*snapshots.catalog(), *reader, branch, all, opened->info);
        states.append(state ? *state : ReadmeState{});
        if (state)
            continue;
        states.last().branch = branch.source.label;
        states.last().problem = state.error();
    }
    return states;
}

Result<ReadmeState> writeReadme(const QString &path, const ReadmeState &state)
{
    const Result<OpenedRepository> opened = openWithInfo(path);
    return opened ? written(*opened, state) : opened.error();
}

Result<QList<ReadmeState>> checkReadmes(const QString &path, const QStringList &branches,
                                        const SnapshotReader &snapshots)
{
    Result<QList<ReadmeState>> states = readReadmes(path, branches, snapshots);
    for (const ReadmeState &state : states ? *states : QList<ReadmeState>()) {
        if (state.problem)
            return *state.problem;
    }
    return states;
}

Result<QList<ReadmeState>> writeReadmes(const QString &path, const QStringList &branches,
                                        const SnapshotReader &snapshots, bool place)
{
    Result<QList<ReadmeState>> states = checkReadmes(path, branches, snapshots);
    if (!states)
        return states.error();
    const Result<OpenedRepository> opened = openWithInfo(path);
    if (!opened)
        return opened.error();
    for (ReadmeState &state : *states) {
        if (state.kind == ReadmeState::Kind::Current || (state.kind != ReadmeState::Kind::Stale && !place))
            continue;
        Result<ReadmeState> done = written(*opened, state);
        if (!done)
            return done.error();
        state = std::move(done).value();
    }
    return states;
}

} // namespace tmx
