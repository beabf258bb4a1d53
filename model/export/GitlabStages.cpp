// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/export/GitlabStages.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using ReadText = std::function<std::optional<QByteArray>(const QString &)>;

constexpr int deepest = 10; ///< includes in includes; two files may include each other

const QString inEveryList = u".post"_s;

/// The lines of a key at the top of a file, without the key: its value there, and what is below it. nullopt: the file
/// has no such key.
std::optional<QStringList> linesBelow(const QByteArray &file, const QString &key)
{
    static const QRegularExpression comment(u"(^|\\s)#.*$"_s);
    std::optional<QStringList> lines;
    bool inside = false;
    for (QString line : QString::fromUtf8(file).split(u'\n')) {
        line.remove(comment);
        if (line.trimmed().isEmpty())
            continue;
        // A list may begin in the column of its key.
        inside &= line.front().isSpace() || line.startsWith(u'-') || line.startsWith(u']');
        if (line.startsWith(key + u':')) {
            inside = true;
            lines = QStringList(); // of two, the last is valid
            line = line.sliced(key.size() + 1);
        }
        if (inside && !line.trimmed().isEmpty())
            lines->append(line.trimmed());
    }
    return lines;
}

/// A value without quotes; nullopt: it is more than a plain text.
std::optional<QString> plainText(const QString &value)
{
    static const QRegularExpression quoted(u"^(?:\"([^\"\\\\]+)\"|'([^']+)')$"_s);
    static const QRegularExpression plain(u"^[A-Za-z0-9._/][^\"'{}\\[\\],*&!|>%@`]*$"_s);
    if (const auto match = quoted.match(value); match.hasMatch())
        return match.captured(1) + match.captured(2);
    return plain.match(value).hasMatch() && !value.contains(": "_L1) ? std::optional(value) : std::nullopt;
}

/// The texts of a list, or the one text. nullopt: it has anything else.
std::optional<QStringList> textsOf(const QStringList &lines)
{
    QStringList values;
    if (lines.value(0).startsWith(u'[')) {
        const QString all = lines.join(u' ');
        if (!all.endsWith(u']'))
            return {};
        values = all.sliced(1).chopped(1).split(u',');
        values.removeIf([](const QString &value) { return value.trimmed().isEmpty(); });
    } else {
        for (const QString &line : lines)
            values.append(line.startsWith("- "_L1) ? line.sliced(2) : line);
    }
    QStringList texts;
    for (const QString &value : std::as_const(values)) {
        const std::optional<QString> text = plainText(value.trimmed());
        if (!text)
            return {};
        texts.append(*text);
    }
    return texts;
}

/// The files of the repository that a file includes. nullopt: it includes others, or on conditions.
std::optional<QStringList> includedBy(const QByteArray &file)
{
    std::optional<QStringList> lines = linesBelow(file, u"include"_s);
    if (!lines)
        return QStringList();
    static const QRegularExpression local(u"^(- +)?local: *"_s);
    lines->replaceInStrings(local, u"\\1"_s);
    std::optional<QStringList> paths = textsOf(*lines);
    if (!paths || std::ranges::any_of(*paths, [](const QString &path) { return path.contains(u':'); }))
        return {};
    for (QString &path : *paths)
        path = path.sliced(path.startsWith(u'/') ? 1 : 0);
    return paths;
}

/// The list that is valid for a file: its own, else the last of those that it includes; empty: none has one. nullopt:
/// it cannot be known.
std::optional<QStringList> stagesOf(const QByteArray &file, const ReadText &read, int depth)
{
    if (const auto lines = linesBelow(file, u"stages"_s))
        return textsOf(*lines);
    const std::optional<QStringList> paths = includedBy(file);
    if (!paths || depth == deepest)
        return {};
    QStringList stages;
    for (const QString &path : *paths) {
        const std::optional<QByteArray> text = read(path);
        const auto found = text ? stagesOf(*text, read, depth + 1) : std::nullopt;
        if (!found)
            return {};
        if (!found->isEmpty())
            stages = *found;
    }
    return stages;
}

} // namespace

QString gitlabStage(const QByteArray &file, const ReadText &read)
{
    std::optional<QStringList> stages = stagesOf(file, read, 0);
    if (!stages)
        return inEveryList;
    if (stages->isEmpty() || stages->contains("test"_L1))
        return {};
    stages->removeIf([](const QString &stage) { return stage == ".pre"_L1 || stage == inEveryList; });
    return stages->contains("build"_L1) ? u"build"_s : stages->value(0, inEveryList);
}

} // namespace tmx
