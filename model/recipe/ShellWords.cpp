// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/ShellWords.h"

#include "model/base/ByteView.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tmx {

namespace {

using namespace std::string_view_literals;

constexpr std::array prefixes{"!"sv,    "do"sv,    "else"sv,  "elif"sv, "if"sv, "then"sv,
                              "time"sv, "until"sv, "while"sv, "{"sv,    "}"sv};
constexpr std::string_view breaks = ";|&()\n";

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/// (POSIX shell command language, 2.3 token recognition, as far as facts need it.)
class Reader
{
public:
    explicit Reader(const QByteArray &script)
        : m_script(viewOf(script))
    {
    }

    std::vector<ShellCommand> commands()
    {
        while (m_at < m_script.size())
            next();
        endCommand();
        return std::move(m_commands);
    }

    std::optional<std::vector<ShellToken>> tokens()
    {
        while (m_at < m_script.size())
            next();
        m_certain = m_certain && m_documents.empty() && m_script.find('\r') == m_script.npos;
        return m_certain ? std::optional(std::move(m_tokens)) : std::nullopt;
    }

private:
    [[nodiscard]] char at(size_t offset) const { return offset < m_script.size() ? m_script[offset] : '\0'; }

    void next()
    {
        const char c = at(m_at);
        const size_t begin = m_at;
        if (isBlank(c)) {
            ++m_at;
        } else if (c == '\\' && at(m_at + 1) == '\n') {
            m_at += 2;
        } else if (c == '#') {
            m_at = std::min(m_script.find('\n', m_at), m_script.size());
            token(ShellToken::Comment, begin);
        } else if (c == '<' || c == '>' || (c == '&' && at(m_at + 1) == '>')) {
            redirection(0);
            token(ShellToken::Redirection, begin);
        } else if (breaks.find(c) != breaks.npos) {
            endCommand();
            // Two equal characters are one operator: && || ;; ((
            while (at(++m_at) == c && c != '\n' && m_at - begin < 2) {
            }
            token(ShellToken::Operator, begin);
            if (c == '\n')
                skipDocuments();
        } else {
            ShellWord read = word();
            const bool number =
                !read.text.isEmpty() && std::ranges::all_of(read.text, [](char d) { return d >= '0' && d <= '9'; });
            if (number && m_at - begin == size_t(read.text.size()) && (at(m_at) == '>' || at(m_at) == '<')) {
                redirection(read.text == "1" ? 0 : 2);
                token(ShellToken::Redirection, begin);
            } else {
                token(ShellToken::Word, begin);
                if (at(m_at) == '(' && isAssignment(read.text))
                    elements(read);
                add(std::move(read), begin);
            }
        }
    }

    /// Whether it is `NAME=` or `NAME+=`.
    static bool isAssignment(QByteArrayView word)
    {
        if (!word.endsWith('='))
            return false;
        word.chop(1);
        if (word.endsWith('+'))
            word.chop(1);
        return !word.isEmpty() && std::ranges::all_of(word, [](char c) {
            return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || (c >= '0' && c <= '9');
        });
    }

    /// The elements of an array, `flags=(-mavx2 -mfma)`, as one text: `flags=-mavx2 -mfma`.
    void elements(ShellWord &array)
    {
        ++m_at;
        token(ShellToken::Operator, m_at - 1);
        array.isArray = true;
        bool isFirst = true;
        while (m_at < m_script.size() && at(m_at) != ')') {
            const size_t begin = m_at;
            if (isBlank(at(m_at)) || at(m_at) == '\n') {
                ++m_at;
                continue;
            }
            if (at(m_at) == '#') {
                m_at = std::min(m_script.find('\n', m_at), m_script.size());
                token(ShellToken::Comment, begin);
                continue;
            }
            const ShellWord element = word();
            if (m_at == begin) { // no shell: `(` or `<`
                m_certain = false;
                break;
            }
            token(ShellToken::Word, begin);
            if (!isFirst) {
                array.text.append(' ');
                array.offsets.push_back(quint32(begin - 1));
            }
            isFirst = false;
            array.text.append(element.text);
            array.offsets.insert(array.offsets.end(), element.offsets.begin(), element.offsets.end());
        }
        m_certain = m_certain && at(m_at) == ')';
        if (at(m_at) == ')') {
            ++m_at;
            token(ShellToken::Operator, m_at - 1);
        }
    }

    void token(ShellToken::Kind kind, size_t begin) { m_tokens.push_back({kind, quint32(begin), quint32(m_at)}); }

    void add(ShellWord word, size_t begin)
    {
        if (m_command.words.empty()) {
            m_command.begin = quint32(begin);
            if (std::ranges::find(prefixes, viewOf(word.text)) != prefixes.end())
                return;
        }
        m_command.words.push_back(std::move(word));
        m_command.end = quint32(m_at);
    }

    void endCommand()
    {
        if (!m_command.words.empty())
            m_commands.push_back(std::move(m_command));
        m_command = {};
    }

    /// `descriptor` 0: standard output or input; others are skipped.
    void redirection(int descriptor)
    {
        const bool output = at(m_at) != '<';
        const bool document = m_script.substr(m_at, 2) == "<<"sv && at(m_at + 2) != '<';
        while (at(m_at) == '<' || at(m_at) == '>' || at(m_at) == '&' || at(m_at) == '|')
            ++m_at;
        const bool indented = document && at(m_at) == '-';
        if (indented)
            ++m_at;
        while (isBlank(at(m_at)))
            ++m_at;
        const ShellWord target = word();
        m_certain = m_certain && !target.text.isEmpty();
        if (document)
            m_documents.push_back({target.text, indented});
        else if (output && descriptor == 0)
            m_command.output = target.text;
        if (!m_command.words.empty())
            m_command.end = quint32(m_at);
    }

    void skipDocuments()
    {
        for (const Document &document : m_documents) {
            const size_t begin = m_at;
            bool ended = false;
            while (!ended && m_at < m_script.size()) {
                const size_t end = std::min(m_script.find('\n', m_at), m_script.size());
                std::string_view line = m_script.substr(m_at, end - m_at);
                m_at = std::min(end + 1, m_script.size());
                // Nix has removed the common indentation, and the end may be indented further.
                while (document.indented && !line.empty() && line.front() == '\t')
                    line.remove_prefix(1);
                ended = line == viewOf(document.end);
                if (!ended && !m_commands.empty())
                    m_commands.back().document.append(line.data(), qsizetype(line.size())).append('\n');
            }
            m_certain = m_certain && ended;
            token(ShellToken::Document, begin);
        }
        m_documents.clear();
    }

    ShellWord word()
    {
        ShellWord word;
        while (m_at < m_script.size()) {
            const char c = at(m_at);
            if (isBlank(c) || breaks.find(c) != breaks.npos || c == '<' || c == '>')
                break;
            if (c == '\\') {
                ++m_at;
                if (at(m_at) == '\n' || m_at >= m_script.size())
                    ++m_at;
                else
                    take(word);
            } else if (c == '\'') {
                ++m_at;
                while (m_at < m_script.size() && at(m_at) != '\'')
                    take(word);
                close('\'');
            } else if (c == '"') {
                ++m_at;
                quoted(word);
            } else if (c == '$') {
                m_certain = m_certain && at(m_at + 1) != '\'' && at(m_at + 1) != '"';
                expansion(word);
            } else {
                m_certain = m_certain && c != '`';
                take(word);
            }
        }
        m_at = std::min(m_at, m_script.size());
        return word;
    }

    void quoted(ShellWord &word)
    {
        while (m_at < m_script.size() && at(m_at) != '"') {
            if (at(m_at) == '\\' && "$`\"\\"sv.find(at(m_at + 1)) != std::string_view::npos)
                ++m_at;
            else if (at(m_at) == '\\' && at(m_at + 1) == '\n') {
                m_at += 2;
                continue;
            } else if (at(m_at) == '$') {
                expansion(word);
                continue;
            }
            m_certain = m_certain && at(m_at) != '`';
            take(word);
        }
        close('"');
    }

    void close(char quote)
    {
        m_certain = m_certain && at(m_at) == quote;
        ++m_at;
    }

    /// Reads `$x`, `${...}`, `$(...)`, with matching brackets.
    void expansion(ShellWord &word)
    {
        take(word);
        const char open = at(m_at);
        if (open != '{' && open != '(')
            return;
        const char close = open == '{' ? '}' : ')';
        int depth = 0;
        while (m_at < m_script.size()) {
            const char c = at(m_at);
            const bool quote = c == '"' || c == '\'' || c == '\\' || c == '`';
            const bool opensText = c == '#' && isBlank(at(m_at - 1));
            m_certain = m_certain && !(quote && (open == '{' || c == '`')) && !(open == '(' && opensText) &&
                        m_script.substr(m_at, 2) != "<<"sv;
            take(word);
            if (open == '(' && c == '\\') {
                take(word);
            } else if (open == '(' && quote) {
                // Brackets within quotes are text, except inside another expansion.
                while (m_at < m_script.size() && at(m_at) != c) {
                    if (c == '"' && at(m_at) == '$') {
                        expansion(word);
                        continue;
                    }
                    if (c == '"' && at(m_at) == '\\')
                        take(word);
                    take(word);
                }
                take(word);
            }
            depth += c == open ? 1 : c == close ? -1 : 0;
            if (depth == 0)
                return;
        }
        m_certain = false;
    }

    void take(ShellWord &word)
    {
        if (m_at >= m_script.size())
            return;
        word.text.append(m_script[m_at]);
        word.offsets.push_back(quint32(m_at++));
    }

    struct Document {
        QByteArray end;
        bool indented = false;
    };
    std::string_view m_script;
    size_t m_at = 0;
    std::vector<ShellCommand> m_commands;
    ShellCommand m_command;
    std::vector<Document> m_documents;
    std::vector<ShellToken> m_tokens;
    bool m_certain = true; ///< the tokens are certainly those of the shell
};

} // namespace

std::optional<std::vector<ShellToken>> shellTokens(const QByteArray &script)
{
    return Reader(script).tokens();
}

std::vector<ShellCommand> shellCommands(const QByteArray &script)
{
    return Reader(script).commands();
}

} // namespace tmx
