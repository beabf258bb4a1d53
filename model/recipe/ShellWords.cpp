// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/ShellWords.h"

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

std::string_view viewOf(const QByteArray &bytes)
{
    return {bytes.constData(), size_t(bytes.size())};
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

private:
    [[nodiscard]] char at(size_t offset) const { return offset < m_script.size() ? m_script[offset] : '\0'; }

    void next()
    {
        const char c = at(m_at);
        if (isBlank(c)) {
            ++m_at;
        } else if (c == '\\' && at(m_at + 1) == '\n') {
            m_at += 2;
        } else if (c == '#') {
            m_at = std::min(m_script.find('\n', m_at), m_script.size());
        } else if (c == '<' || c == '>' || (c == '&' && at(m_at + 1) == '>')) {
            redirection(0);
        } else if (breaks.find(c) != breaks.npos) {
            endCommand();
            ++m_at;
            if (c == '\n')
                skipDocuments();
        } else {
            const size_t begin = m_at;
            ShellWord read = word();
            const bool number =
                !read.text.isEmpty() && std::ranges::all_of(read.text, [](char d) { return d >= '0' && d <= '9'; });
            if (number && m_at - begin == size_t(read.text.size()) && (at(m_at) == '>' || at(m_at) == '<'))
                redirection(read.text == "1" ? 0 : 2);
            else
                add(std::move(read), begin);
        }
    }

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

    /// `descriptor` 0: standard output or input, anything else is only skipped.
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
            while (m_at < m_script.size()) {
                const size_t end = std::min(m_script.find('\n', m_at), m_script.size());
                std::string_view line = m_script.substr(m_at, end - m_at);
                m_at = std::min(end + 1, m_script.size());
                // Nix's indentation rule has taken the common blanks away, and a person may well indent the end with
                // more.
                while (document.indented && !line.empty() && line.front() == '\t')
                    line.remove_prefix(1);
                if (line == viewOf(document.end))
                    break;
            }
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
                ++m_at;
            } else if (c == '"') {
                ++m_at;
                quoted(word);
            } else if (c == '$') {
                expansion(word);
            } else {
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
            take(word);
        }
        ++m_at;
    }

    /// `$x`, `${...}`, `$(...)`: the brackets belong together, whatever stands between them.
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
            take(word);
            depth += c == open ? 1 : c == close ? -1 : 0;
            if (depth == 0)
                return;
        }
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
};

} // namespace

std::vector<ShellCommand> shellCommands(const QByteArray &script)
{
    return Reader(script).commands();
}

} // namespace tmx
