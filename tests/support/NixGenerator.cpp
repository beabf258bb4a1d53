// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "NixGenerator.h"

#include "model/nix/Lexer.h"

#include <algorithm>
#include <span>

namespace tmx::test {

namespace {

struct Form {
    int weight;
    const char *text; ///< `X stands for a form of the rule X, `F for a fresh name, `_ for a blank
};

// The first form of each rule terminates: it is taken when a text is long or deep enough.

constexpr Form expression[] = {{58, "`O"},
                               {6, "`F: `E"},
                               {1, "`v:\n`E"},
                               {2, "{`M}: `E"},
                               {2, "{ `M }@`F:`_`E"},
                               {2, "`F @ {`M}: `E"},
                               {12, "let`_`B`Bin`_`E"},
                               {4, "with`_`E;`_`E"},
                               {1, "with `E; `E + nowhere"},
                               {4, "assert`_`E;`_`E"},
                               {8, "if`_`E`_then`_`E`_else`_`E"}};
constexpr Form operators[] = {
    {58, "`A"}, {16, "`A`_`Q`_`A"}, {8, "`A`_`Q`_`A`_`Q`_`A"}, {3, "!`A"},
    {3, "-`A"}, {4, "`A ?`_`D"},    {5, "`A`_`C`_`A"},         {2, "`A`_`C`_`A && `A`_`C`_`A"}};
constexpr Form chained[] = {{2, "+"},  {1, "&&"}, {1, "||"}, {1, "->"}, {2, "//"},
                            {2, "++"}, {1, "-"},  {1, "*"},  {1, "/"}};
constexpr Form comparison[] = {{1, "=="}, {1, "!="}, {1, "<"}, {1, ">"}, {1, "<="}, {1, ">="}};
constexpr Form application[] = {{70, "`S"}, {16, "`S `S"}, {13, "`S `S `S"}, {1, "`S`S"}};
constexpr Form selection[] = {{80, "`P"},     {11, "`R.`D"}, {6, "`R.`D or `S"},
                              {1, "`R . `D"}, {1, "`R or"},  {1, "`P.`D"}};
constexpr Form simple[] = {{30, "`v"},      {10, "`n"},    {15, "\"`T\""},    {4, "''`I''"},
                           {3, "''\n`I''"}, {7, "`H"},     {2, "`U"},         {9, "(`E)"},
                           {8, "[`X ]"},    {7, "{`_`B}"}, {3, "rec {`_`B}"}, {2, "let {`_`B}"}};
constexpr Form selectable[] = {{4, "`v"}, {1, "(`E)"}, {1, "{`_`B}"}, {1, "rec {`_`B}"}, {1, "\"`T\""}};
constexpr Form elements[] = {{4, ""}, {6, "`_`S`X"}};
constexpr Form bindings[] = {{35, ""},
                             {40, "`F`Y =`_`E;`_`B"},
                             {4, "`D`_=`_`E;`_`B"},
                             {3, "`v = `A;`_`B"},
                             {4, "inherit;`_`B"},
                             {5, "inherit `v;`_`B"},
                             {1, "inherit \"`v\";`_`B"},
                             {8, "inherit`_(`E) `F;`_`B"}}; // One name: Nix 2.26 fails on merging more.
constexpr Form formals[] = {{20, ""},          {10, "..."},    {25, "`F"}, {15, "`F, ..."}, {15, "`F ?`_`E, `F"},
                            {10, "`F\n, `F,"}, {4, "`F, a, x"}};
constexpr Form path[] = {{80, "`N"}, {19, "`N.`D"}, {1, "`N\n.`D"}};
constexpr Form pathTail[] = {{85, ""}, {15, ".`D"}};
constexpr Form attributeName[] = {{75, "`v"}, {5, "or"}, {12, "\"`T\""}, {8, "${`E}"}};
constexpr Form variable[] = {{3, "a"},    {3, "b"},        {3, "c"},    {3, "x"},       {1, "y"},
                             {1, "pkgs"}, {1, "lib"},      {1, "self"}, {1, "prev"},    {1, "old-attrs"},
                             {1, "a'"},   {1, "_x"},       {1, "b1"},   {1, "c-d_e'f"}, {1, "body"},
                             {1, "map"},  {1, "builtins"}, {1, "true"}, {1, "null"},    {1, "toString"}};
constexpr Form number[] = {{1, "0"},       {1, "1"},   {1, "42"},  {1, "007"},   {1, "9223372036854775807"},
                           {1, "0.5"},     {1, ".5"},  {1, "1."},  {1, "1.5e3"}, {1, "1.e-3"},
                           {1, "3.14E+2"}, {1, "0.0"}, {1, "12.8"}};
constexpr Form quoted[] = {{40, ""},       {25, "${`E}`T"}, {3, "text`T"}, {3, " `T"},    {3, "\\n`T"}, {3, "\\t`T"},
                           {3, "\\\\`T"},  {3, "\\\"`T"},   {3, "\\${`T"}, {3, "$$`T"},   {3, "$`T"},   {3, "$$$`T"},
                           {3, "''`T"},    {3, "#`T"},      {3, "/* `T"},  {3, "{`T"},    {3, "}`T"},   {3, "\n`T"},
                           {3, "\r\n`T"},  {3, "\r`T"},     {3, "é`T"},    {3, "\\\n`T"}, {3, "\\$`T"}, {3, "-mavx2`T"},
                           {3, "sm_90`T"}, {3, "\\x`T"},    {3, "$a`T"},   {3, "\t`T"}};
constexpr Form indented[] = {
    {25, ""},        {20, "${`E}`I"}, {3, "text`I"}, {3, " `I"},   {3, "    `I"},  {6, "\n`I"},         {6, "\n  `I"},
    {3, "\n    `I"}, {3, "\n\n`I"},   {3, "''$`I"},  {3, "'''`I"}, {3, "''\\n`I"}, {3, "''\\t`I"},      {3, "''\\ `I"},
    {3, "''\\\n`I"}, {3, "''\\x`I"},  {3, "$`I"},    {3, "$$`I"},  {3, "'`I"},     {3, "\"`I"},         {3, "\\`I"},
    {3, "\t`I"},     {3, "\r\n`I"},   {3, "{`I"},    {3, "}`I"},   {3, "# `I"},    {3, "export A=1`I"}, {3, "''${`I"},
    {3, "$x`I"},     {3, "'x`I"},     {3, "$'`I"}};
constexpr Form files[] = {{8, "./a"},          {2, "../b.nix"},   {2, "/etc/x"},
                          {2, "~/z"},          {2, "a/b"},        {2, "./."},
                          {2, "./a-b_c+d/e"},  {1, ".../x"},      {1, "/."},
                          {1, "./a/../b"},     {1, "./.."},       {1, "-/x"},
                          {1, "a.b/c"},        {2, "./a${`E}"},   {2, "./a/${`E}/b"},
                          {2, "~/z${`E}.nix"}, {1, "a/b/${`E}c"}, {1, "/etc/x${`E}/b.c/d"},
                          {1, "./a${`E}//b"}};
constexpr Form odd[] = {{1, "http://a.b/c?d=e&f"}, {1, "x:y"},     {1, "<nixpkgs>"}, {1, "<a/b.c>"},
                        {1, "__curPos"},           {1, "nowhere"}, {1, "x.y+z:'%"}};
constexpr Form blank[] = {{51, " "},
                          {1, "\n"},
                          {1, "\t"},
                          {1, "\r\n"},
                          {1, "  "},
                          {1, " # a 'comment\" ${\n"},
                          {1, " /* a ** / */ "},
                          {1, "/**/"},
                          {1, "/** doc */\n"},
                          {1, "\n\n   "},
                          {1, " \r "}};

using Rule = std::pair<char, std::span<const Form>>;
constexpr Rule rules[] = {
    {'E', expression}, {'O', operators},     {'Q', chained},  {'C', comparison}, {'A', application}, {'S', selection},
    {'P', simple},     {'R', selectable},    {'X', elements}, {'B', bindings},   {'M', formals},     {'D', path},
    {'Y', pathTail},   {'N', attributeName}, {'v', variable}, {'n', number},     {'T', quoted},      {'I', indented},
    {'H', files},      {'U', odd},           {'_', blank}};

constexpr const char *tokens[] = {
    "if",       "then", "else", "assert", "with",    "let",    "in",   "rec", "inherit",
    "or",       "...",  "==",   "!=",     "<=",      ">=",     "<",    ">",   "&&",
    "||",       "->",   "//",   "++",     "+",       "-",      "*",    "/",   "!",
    "=",        ";",    ":",    ",",      ".",       "@",      "?",    "(",   ")",
    "{",        "}",    "[",    "]",      "${",      "\"",     "''",   "a",   "x",
    "1",        "0.5",  ".5",   "1.",     "./a",     "/a",     "~/a",  "<a>", "a/b",
    "a:b",      "true", "#",    "/*",     "*/",      "'",      "$",    "\\",  "~",
    "|",        "&",    "|>",   "<|",     "\n",      "\r\n",   "\r",   "\t",  "''$",
    "'''",      "''\\", "$$",   "\\${",   "/",       "./a/${", "..",   "1e5", "9223372036854775808",
    "__curPos", "{}:",  "a:",   "a: ",    "{ a }: ", "a@{}: ", "\"${", "}\"", "''${",
    "}''"};

} // namespace

QByteArray NixGenerator::anyToken()
{
    return tokens[below(int(std::size(tokens)))];
}

QByteArray NixGenerator::file(int size)
{
    m_text = "{ a, b, c, x, y, pkgs, lib, self, prev, old-attrs, a', _x, b1, c-d_e'f, body }: ";
    m_budget = 6 * size;
    m_names = 0;
    write("`E\n");
    return m_text;
}

void NixGenerator::write(const char *form)
{
    ++m_depth;
    for (; *form; ++form) {
        if (*form != '`') {
            m_text += *form;
            continue;
        }
        if (*++form == 'F') {
            m_text += "n" + QByteArray::number(m_names++);
            continue;
        }
        const std::span<const Form> forms = std::ranges::find(rules, *form, &Rule::first)->second;
        --m_budget;
        const Form *chosen = &forms.front();
        if (m_budget > 0 && m_depth < 200) {
            int sum = 0;
            for (const Form &each : forms)
                sum += each.weight;
            int left = below(sum) - chosen->weight;
            while (left >= 0)
                left -= (++chosen)->weight;
        }
        write(chosen->text);
    }
    --m_depth;
}

QByteArray NixGenerator::mutation(const QByteArray &text)
{
    const nix::Source source(text);
    nix::SymbolTable symbols;
    nix::Lexer lexer(source, symbols);
    std::vector<nix::Span> spans;
    for (nix::Token token = lexer.next(); token.kind != nix::TokenKind::Eof; token = lexer.next()) {
        if (token.span.length > 0)
            spans.push_back(token.span);
    }
    if (spans.empty())
        return text + anyToken();

    const size_t index = size_t(below(int(spans.size())));
    const nix::Span span = spans[index];
    const auto bytes = [&text](nix::Span of) { return text.mid(of.offset, of.length); };
    QByteArray result = text;
    switch (below(6)) {
    case 0: return result.remove(span.offset, span.length);
    case 1: return result.insert(span.offset, bytes(span) + (chance(50) ? " " : ""));
    case 2: return result.replace(span.offset, span.length, bytes(spans[size_t(below(int(spans.size())))]));
    case 3: return result.insert(span.offset, anyToken() + (chance(50) ? " " : ""));
    case 4: return result.replace(span.offset, span.length, anyToken());
    default: break;
    }
    if (index + 1 == spans.size())
        return result.left(span.offset);
    const nix::Span next = spans[index + 1];
    const QByteArray between = text.mid(span.end(), next.offset - span.end());
    return result.replace(span.offset, next.end() - span.offset, bytes(next) + between + bytes(span));
}

QByteArray NixGenerator::damage(QByteArray text)
{
    for (int changes = 1 + below(8); changes > 0 && !text.isEmpty(); --changes) {
        const int position = below(int(text.size()));
        switch (below(5)) {
        case 0: text[position] = char(below(256)); break;
        case 1: text.insert(position, anyToken()); break;
        case 2: text.remove(position, 1 + below(16)); break;
        case 3: text.insert(position, text.mid(below(int(text.size())), below(64))); break;
        default: text.truncate(chance(10) ? position : text.size());
        }
    }
    return text;
}

} // namespace tmx::test
