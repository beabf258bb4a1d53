// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/meaning/PlainScript.h"

#include "model/recipe/ShellWords.h"

#include <algorithm>
#include <array>

namespace tmx {

namespace {

template <size_t n>
bool isOneOf(const QByteArray &word, const std::array<const char *, n> &words)
{
    return std::ranges::any_of(words, [&word](const char *one) { return word == one; });
}

bool isNumber(const QByteArray &text)
{
    return !text.isEmpty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// The value that `MAX_JOBS=...` sets, if it is just a number of jobs.
std::optional<QByteArray> jobsOf(const QByteArray &word)
{
    if (!word.startsWith("MAX_JOBS="))
        return std::nullopt;
    QByteArray value = word.sliced(9);
    if (value.size() > 1 && value.startsWith('"') && value.endsWith('"'))
        value = value.sliced(1, value.size() - 2);
    const bool cores = value == "$NIX_BUILD_CORES" || value == "${NIX_BUILD_CORES}";
    return cores || isNumber(value) ? std::optional(value) : std::nullopt;
}

class Plainer
{
public:
    Plainer(const QByteArray &script, bool withoutMaxJobs)
        : m_script(script)
        , m_withoutMaxJobs(withoutMaxJobs)
    {
    }

    std::optional<PlainScript> plain(const std::vector<ShellToken> &tokens)
    {
        // Brackets of `case` are not counted; the other words change the meaning of echo, or its output.
        static constexpr std::array odd{"case", "function", "alias", "exec", "eval"};
        for (const ShellToken &token : tokens) {
            if (token.kind == ShellToken::Word && isOneOf(bytesOf(token), odd))
                return std::nullopt;
        }
        for (const ShellToken &token : tokens) {
            if (token.kind == ShellToken::Operator) {
                end(bytesOf(token));
                separate(bytesOf(token));
            } else if (token.kind == ShellToken::Comment && !bytesOf(token).contains('\x1a')) {
                m_result.comments.append(bytesOf(token));
            } else if (token.kind == ShellToken::Document) {
                m_result.text += bytesOf(token);
            } else {
                m_command.push_back(token);
            }
        }
        end({});
        if (m_definesEcho)
            return std::nullopt;
        if (!m_result.text.isEmpty() && !m_result.text.endsWith('\n'))
            m_result.text += '\n';
        if (m_droppedLast)
            keepStatus();
        return std::move(m_result);
    }

private:
    [[nodiscard]] QByteArray bytesOf(const ShellToken &token) const
    {
        return m_script.sliced(token.begin, token.end - token.begin);
    }

    /// The command ends before `separator`; empty: the script ends.
    void end(const QByteArray &separator)
    {
        QList<QByteArray> words;
        bool redirected = false;
        for (const ShellToken &token : m_command) {
            redirected = redirected || token.kind != ShellToken::Word;
            words.append(bytesOf(token));
        }
        m_command.clear();
        m_skipSeparator = false;
        m_nothing = words.isEmpty();
        if (m_nothing)
            return;
        m_definesEcho = m_definesEcho || (words == QList<QByteArray>{"echo"} && separator.startsWith('('));
        // The output of a function, a loop or brackets may go anywhere.
        const bool alone = m_depth == 0 && !redirected && (m_before.isEmpty() || m_before == "\n" || m_before == ";") &&
                           (separator.isEmpty() || separator == "\n" || separator == ";");
        if (alone && isDropped(words)) {
            m_skipSeparator = separator == ";";
            m_droppedLast = true;
            return;
        }
        m_droppedLast = false;
        countBrackets(words);
        for (const QByteArray &word : std::as_const(words)) {
            if (!m_result.text.isEmpty() && !m_result.text.endsWith('\n') && !m_result.text.endsWith(' '))
                m_result.text += ' ';
            m_result.text += word;
        }
    }

    void separate(const QByteArray &separator)
    {
        // A command continues on the next line after these.
        const bool goesOn = m_nothing && separator == "\n" && isOneOf(m_before, std::array{"&&", "||", "|", "&"});
        if (!goesOn)
            m_before = separator;
        if (m_skipSeparator)
            return;
        m_depth += separator.startsWith('(')   ? int(separator.size())
                   : separator.startsWith(')') ? -int(separator.size())
                                               : 0;
        if (separator == "\n") {
            // The command after the semicolon was removed, or never existed.
            if (m_result.text.endsWith(" ; "))
                m_result.text.chop(3);
            if (!m_result.text.isEmpty() && !m_result.text.endsWith('\n'))
                m_result.text += '\n';
            return;
        }
        m_droppedLast = false;
        if (!m_result.text.isEmpty() && !m_result.text.endsWith('\n') && !m_result.text.endsWith(' '))
            m_result.text += ' ';
        m_result.text += separator + ' ';
    }

    bool isDropped(const QList<QByteArray> &words)
    {
        if (words.constFirst() == "echo") {
            // An expansion may run a command, assign a variable or fail.
            const bool prints = std::ranges::none_of(words, [](const QByteArray &word) {
                const bool mayAct = word.contains("${") && (word.contains('=') || word.contains('?'));
                return word.contains('\x1a') || word.contains("$(") || word.contains("$[") || mayAct;
            });
            if (prints)
                m_result.echoes.append(words.join(' '));
            return prints;
        }
        const bool exports = words.size() == 2 && words.constFirst() == "export";
        const auto jobs = m_withoutMaxJobs && (exports || words.size() == 1) ? jobsOf(words.constLast()) : std::nullopt;
        if (jobs)
            m_result.maxJobs.append(*jobs);
        return jobs.has_value();
    }

    /// Counts the reserved words at the beginning of a command.
    void countBrackets(const QList<QByteArray> &words)
    {
        static constexpr std::array opening{"if", "for", "while", "until", "select", "{"};
        static constexpr std::array closing{"fi", "done", "}"};
        static constexpr std::array between{"then", "do", "else", "elif", "!", "time"};
        for (const QByteArray &word : words) {
            if (isOneOf(word, opening))
                ++m_depth;
            else if (isOneOf(word, closing))
                --m_depth;
            else if (!isOneOf(word, between))
                return;
            if (word == "for" || word == "select")
                return;
        }
    }

    /// A hook returns the status of its last command, and a failed condition would stop the build: ends with `:`
    /// instead.
    void keepStatus()
    {
        const QByteArray &text = m_result.text;
        const QByteArray last = text.sliced(text.lastIndexOf('\n', -2) + 1);
        const bool condition = last.contains("&&") || last.contains("||") ||
                               std::ranges::any_of(std::array{"! ", "[ ", "[[ ", "test ", "(("},
                                                   [&last](const char *start) { return last.startsWith(start); });
        if (condition)
            m_result.text += ":\n";
    }

    const QByteArray &m_script;
    const bool m_withoutMaxJobs;
    PlainScript m_result;
    std::vector<ShellToken> m_command;
    QByteArray m_before;    ///< separator before the command; empty at the beginning of the script
    int m_depth = 0;        ///< nesting of conditions, loops and brackets
    bool m_nothing = false; ///< no command since the last separator
    bool m_definesEcho = false;
    bool m_skipSeparator = false;
    bool m_droppedLast = false;
};

} // namespace

std::optional<PlainScript> plainScript(const QByteArray &script, bool withoutMaxJobs)
{
    const auto tokens = shellTokens(script);
    return tokens ? Plainer(script, withoutMaxJobs).plain(*tokens) : std::nullopt;
}

} // namespace tmx
