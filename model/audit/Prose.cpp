// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Prose.h"

#include <QHash>

#include <algorithm>
#include <mutex>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

// A sentence ends with a full stop before a blank; list items and paragraphs end with their lines.
const QRegularExpression &sentenceEnd()
{
    static const QRegularExpression end(uR"([.!?]["')]?(?=\s|$)|\n(?=[ \t]*([-*•⚠]|\n|$)))"_s);
    return end;
}

bool isElsewhere(const QString &sentence)
{
    static const QRegularExpression recommends(uR"(\b(use|consider|prefer|try|switch to)\b(?!\s+case))"_s,
                                               QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression other(
        uR"(\b(instead|variants?|builds?|recipes?|packages?|sm_?\d{2,3}|avx\w*|armv\w*)\b)"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression compares(
        uR"(\b(newer|older|other|previous|later|earlier)\s+(gpus?|cards?|boards?|architectures?|generations?|cpus?|processors?|hardware)\b|)"
        uR"(\b(unlike|instead of|no longer|does not|do not|dropped|drops|unsupported|not supported|not for)\b)"_s,
        QRegularExpression::CaseInsensitiveOption);
    return compares.match(sentence).hasMatch() ||
           (recommends.match(sentence).hasMatch() && other.match(sentence).hasMatch());
}

bool refersBack(const QString &sentence)
{
    static const QRegularExpression back(uR"(^\s*((for|on|with) (those|these|them|such)|those|these|they)\b)"_s,
                                         QRegularExpression::CaseInsensitiveOption);
    return back.match(sentence).hasMatch();
}

} // namespace

Prose::Prose(WrittenText text)
    : m_text(std::move(text))
{
    const QString &words = m_text.value;
    for (qsizetype from = 0; from < words.size();) {
        const QRegularExpressionMatch end = sentenceEnd().match(words, from);
        const qsizetype to = end.hasMatch() ? end.capturedEnd() : words.size();
        m_sentences.append({from, to, isElsewhere(words.sliced(from, to - from))});
        from = std::max(to, from + 1);
    }
    for (qsizetype i = m_sentences.size() - 1; i > 0; --i) {
        const Sentence &next = m_sentences.at(i);
        if (next.elsewhere && refersBack(words.sliced(next.from, next.end - next.from)))
            m_sentences[i - 1].elsewhere = true;
    }
}

const Prose::Sentence *Prose::sentence(qsizetype from) const
{
    const auto found = std::ranges::find_if(
        m_sentences, [from](const Sentence &sentence) { return sentence.from <= from && from < sentence.end; });
    return found == m_sentences.end() ? nullptr : &*found;
}

QStringView Prose::sentenceAt(qsizetype from) const
{
    const Sentence *found = sentence(from);
    return found ? QStringView(m_text.value).sliced(found->from, found->end - found->from) : QStringView();
}

QList<Prose::Mention> Prose::mentions(const QRegularExpression &words) const
{
    QList<Mention> mentions;
    for (auto it = words.globalMatch(m_text.value); it.hasNext();) {
        QRegularExpressionMatch match = it.next();
        const qsizetype from = match.capturedStart();
        const Sentence *in = sentence(from);
        if (match.capturedLength() > 0 && in && !in->elsewhere)
            mentions.append({match, from});
    }
    return mentions;
}

QList<Prose> proseOf(const PackageFacts &package)
{
    QList<Prose> prose;
    for (const WrittenText *text : {&package.description, &package.longDescription}) {
        if (*text)
            prose.append(Prose(*text));
    }
    for (const CommandFact &command : package.commands) {
        if (command.words.constFirst() == "echo"_L1 && command.output.isEmpty())
            prose.append(Prose({{command.words.join(u' '), command.spot, true}, command.runs}));
    }
    return prose;
}

QList<Prose> headerOf(const QByteArray &text)
{
    constexpr int most = 40;
    QList<Prose> header;
    qsizetype from = 0;
    for (int line = 1; line <= most && from < text.size(); ++line) {
        const qsizetype end = text.indexOf('\n', from) < 0 ? text.size() : text.indexOf('\n', from);
        const QByteArrayView words = QByteArrayView(text).sliced(from, end - from);
        const QByteArrayView trimmed = words.trimmed();
        if (!trimmed.isEmpty() && !trimmed.startsWith('#'))
            break;
        qsizetype begin = 0;
        while (begin < words.size() && (words.at(begin) == '#' || words.at(begin) == ' ' || words.at(begin) == '\t'))
            ++begin;
        const Spot spot{line, int(begin) + 1, quint32(from + begin), quint32(words.size() - begin)};
        if (spot.length > 0)
            header.append(Prose({{QString::fromUtf8(words.sliced(begin)), spot, true}, {{0, spot}}}));
        from = end + 1;
    }
    return header;
}

QRegularExpression anyOf(const QStringList &words)
{
    QStringList patterns;
    for (const QString &word : words)
        patterns.append(QRegularExpression::escape(word));
    // The longest first, so that "RTX 6000 Ada" comes before "RTX 6000".
    std::ranges::sort(patterns, [](const QString &a, const QString &b) {
        return a.size() != b.size() ? a.size() > b.size() : a < b;
    });
    return compiledOnce(u"(?<![\\p{L}\\p{N}])("_s + patterns.join(u'|') + u")(?![\\p{L}\\p{N}])"_s,
                        QRegularExpression::UseUnicodePropertiesOption);
}

QRegularExpression compiledOnce(const QString &pattern, QRegularExpression::PatternOptions options)
{
    // Compiling a pattern takes longer than searching all texts of a recipe for it.
    constexpr qsizetype most = 256;
    static QHash<std::pair<QString, int>, QRegularExpression> compiled;
    static std::mutex mutex;
    const std::pair key(pattern, int(options));
    const std::lock_guard lock(mutex);
    if (const auto known = compiled.constFind(key); known != compiled.cend())
        return *known;
    if (compiled.size() == most)
        compiled.clear();
    return *compiled.insert(key, QRegularExpression(pattern, options));
}

} // namespace tmx
