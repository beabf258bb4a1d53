// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/FileChanges.h"

#include "model/base/RepositoryPaths.h"
#include "model/git/GitValues.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

QString toString(ChangeAction action)
{
    switch (action) {
    case ChangeAction::Keep: return u"keep"_s;
    case ChangeAction::Create: return u"create"_s;
    case ChangeAction::Rewrite: return u"rewrite"_s;
    case ChangeAction::Rename: return u"rename"_s;
    case ChangeAction::Delete: return u"delete"_s;
    }
    Q_UNREACHABLE_RETURN({});
}

QMap<ChangeAction, int> FileChanges::chosen() const
{
    QMap<ChangeAction, int> counts;
    for (const ChangedFile &file : files) {
        if (file.chosen)
            ++counts[file.action];
    }
    return counts;
}

QString FileChanges::title() const
{
    const QString title = branchTitle(branch, parentCommit);
    return repository.isEmpty() ? title : repository.section(u'/', -1) + u'@' + title;
}

bool FileChanges::isEmpty() const
{
    return std::ranges::none_of(files, &ChangedFile::chosen);
}

int FileChanges::leftToUser() const
{
    return int(std::ranges::count_if(files, &ChangedFile::isLeft));
}

QStringList FileChanges::chosenErrors() const
{
    QStringList list;
    bool changes = false;
    for (const ChangedFile &file : files) {
        if (!file.chosen)
            continue;
        changes = changes || (file.after && file.after != file.before);
        list += file.errors;
    }
    return changes ? errors + list : list;
}

QStringList FileChanges::linesOfOthers() const
{
    QStringList lines;
    for (const ChangedFile &file : files) {
        if ((file.isImported() || file.isDocument()) && file.before != file.after)
            lines.append(u"%1 %2"_s.arg(toString(file.action), file.path));
    }
    return lines;
}

QString FileChanges::commitMessage() const
{
    if (!message.isEmpty())
        return message;
    const QStringList others = linesOfOthers();
    QMap<ChangeAction, QStringList> named;
    for (const ChangedFile &file : files) {
        // A rewrite that keeps the text, for example of a file that only gets committed, does not count.
        if (file.chosen && !file.name.isEmpty() && (file.action != ChangeAction::Rewrite || file.before != file.after))
            named[file.action].append(file.name);
    }
    constexpr int mostNamed = 12; // Git lists the files of a commit; more of them are no message.
    QStringList lines, names;
    for (const auto &[action, ofAction] : std::as_const(named).asKeyValueRange()) {
        names += ofAction;
        if (ofAction.size() > mostNamed)
            lines.append(u"%1 %2 recipes"_s.arg(toString(action)).arg(ofAction.size()));
        for (const QString &name : ofAction.size() > mostNamed ? QStringList() : ofAction)
            lines.append(u"%1 %2"_s.arg(toString(action), name));
    }
    const auto capital = [](const QString &text) { return text.left(1).toUpper() + text.mid(1); };
    const auto recipes = [](qsizetype count) {
        return u"%1 %2"_s.arg(count).arg(count == 1 ? u"recipe"_s : u"recipes"_s);
    };
    if (!subjectForm.isEmpty()) {
        QString subject = subjectForm;
        const qsizetype changed = names.size() + std::ranges::count_if(files, &ChangedFile::follows);
        const QString count = changed == 1 && !names.isEmpty() ? names.constFirst()
                              : changed == 0 && !others.isEmpty()
                                  ? u"%1 %2"_s.arg(others.size()).arg(others.size() == 1 ? u"file"_s : u"files"_s)
                                  : recipes(changed);
        subject.replace(subject.indexOf("%1"_L1), 2, count);
        lines = (lines.size() == 1 && changed == 1 ? QStringList() : lines) + others;
        return lines.isEmpty() ? subject + u'\n' : subject + "\n\n"_L1 + lines.join(u'\n') + u'\n';
    }
    if (named.isEmpty()) { // What only changes imported files or documents.
        for (const ChangedFile &file : files) {
            if (file.chosen && file.before != file.after)
                lines.append(u"%1 %2"_s.arg(toString(file.action), file.path));
        }
        if (lines.size() > 1)
            return u"Change %1 files\n\n%2\n"_s.arg(lines.size()).arg(lines.join(u'\n'));
    } else {
        lines += others;
    }
    if (lines.size() == 1)
        return capital(lines.constFirst()) + u'\n';
    if (names.size() == 1)
        return u"%1\n\n%2\n"_s.arg(capital(lines.constFirst()), others.join(u'\n'));
    QStringList parts;
    for (const auto &[action, ofAction] : std::as_const(named).asKeyValueRange())
        parts.append(u"%1 %2"_s.arg(toString(action),
                                    parts.isEmpty() ? recipes(ofAction.size()) : QString::number(ofAction.size())));
    return u"%1\n\n%2\n"_s.arg(capital(parts.join(u", "_s)), lines.join(u'\n'));
}

QString FileChanges::subject() const
{
    return commitMessage().section(u'\n', 0, 0);
}

bool ChangedFile::isImported() const
{
    const bool isData = (path.endsWith(".json"_L1) || path.endsWith(".toml"_L1)) && path != settingsFileName;
    return chosen && name.isEmpty() && (isData || path.endsWith(".nix"_L1));
}

bool ChangedFile::isDocument() const
{
    return chosen && name.isEmpty() && path.endsWith(".md"_L1);
}

const ChangedFile *FileChanges::find(const QString &path) const
{
    const auto found = std::ranges::find(files, path, &ChangedFile::path);
    return found == files.end() ? nullptr : &*found;
}

QStringList Applied::outputLines(int lines) const
{
    QStringList all;
    for (QString line : QString::fromUtf8(output).split(u'\n')) {
        line.removeIf(
            [](QChar c) { return c.category() == QChar::Other_Control || c.category() == QChar::Other_Format; });
        if (!line.trimmed().isEmpty())
            all.append(line);
    }
    return all.last(qMin(all.size(), qsizetype(lines)));
}

} // namespace tmx
