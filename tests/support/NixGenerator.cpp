// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "NixGenerator.h"

namespace tmx::test {

namespace {

constexpr const char *names[] = {"a",    "b",         "c",  "x",  "y",  "pkgs",    "lib",  "self", "final",
                                 "prev", "old-attrs", "a'", "_x", "b1", "c-d_e'f", "body", "map"};

} // namespace

QByteArray NixGenerator::file(int size)
{
    m_text.clear();
    m_scope = {"builtins", "map", "true", "null", "toString"};
    m_budget = size;
    m_depth = 0;
    m_with = 0;
    expression();
    return m_text + '\n';
}

void NixGenerator::put(const char *text)
{
    m_text += text;
    --m_budget;
}

void NixGenerator::put(const QByteArray &text)
{
    m_text += text;
    --m_budget;
}

void NixGenerator::blank()
{
    static constexpr const char *odd[] = {
        "\n", "\t", "\r\n", "  ", " # a 'comment\" ${\n", " /* a ** / */ ", "/**/", "/** doc */\n", "\n\n   ", " \r "};
    m_text += chance(85) ? " " : any(odd);
}

QByteArray NixGenerator::freshName()
{
    return any(names);
}

void NixGenerator::variable()
{
    if (m_with > 0 && chance(20))
        put(any(names));
    else
        put(m_scope.at(below(int(m_scope.size()))));
}

void NixGenerator::expression()
{
    ++m_depth;
    const int kind = m_depth > 60 || m_budget <= 0 ? 100 : below(100);
    if (kind < 12) {
        function();
    } else if (kind < 24) {
        let();
    } else if (kind < 28) {
        put("with");
        blank();
        expression();
        put(";");
        blank();
        ++m_with;
        expression();
        --m_with;
    } else if (kind < 32) {
        put("assert");
        blank();
        expression();
        put(";");
        blank();
        expression();
    } else if (kind < 40) {
        for (const char *word : {"if", "then", "else"}) {
            blank();
            put(word);
            blank();
            expression();
        }
    } else {
        operators();
    }
    --m_depth;
}

void NixGenerator::function()
{
    const QList<QByteArray> outer = m_scope;
    const QByteArray argument = freshName();
    if (chance(40)) {
        put(argument);
        m_scope.append(argument);
        m_text += chance(90) ? ": " : ":\n";
    } else {
        const int side = below(3);
        if (side == 1)
            put(argument + (chance(50) ? "@" : " @ "));
        if (side != 0)
            m_scope.append(argument);
        QList<QByteArray> formals;
        for (int count = below(4); count > 0; --count) {
            const QByteArray name = freshName();
            if ((!formals.contains(name) && name != argument) || chance(2))
                formals.append(name);
        }
        m_scope += formals;
        put("{");
        bool first = true;
        for (const QByteArray &name : formals) {
            if (!std::exchange(first, false))
                put(chance(80) ? ", " : "\n,");
            put(name);
            if (chance(30)) {
                blank();
                put("?");
                blank();
                expression();
            }
        }
        if (chance(30))
            put(formals.isEmpty() ? "..." : ", ...");
        else if (!formals.isEmpty() && chance(10))
            put(",");
        put(chance(70) ? "}" : " }");
        if (side == 2)
            put((chance(50) ? "@" : " @ ") + argument);
        m_text += chance(90) ? ": " : ":";
    }
    expression();
    m_scope = outer;
}

void NixGenerator::let()
{
    const QList<QByteArray> outer = m_scope;
    put("let");
    blank();
    m_scope += QList<QByteArray>{"a", "b", "c", "x"};
    const QList<QByteArray> defined = bindings(Known::Let);
    m_scope = outer + defined;
    put("in");
    blank();
    expression();
    m_scope = outer;
}

void NixGenerator::operators()
{
    static constexpr const char *binary[] = {"==", "!=", "<", ">", "<=", ">=", "&&", "||", "->", "//",
                                             "++", "+",  "-", "*", "/",  "+",  "++", "//", "?"};
    const int count = chance(60) ? 0 : 1 + below(3);
    bool compared = false; // comparisons do not chain
    for (int i = 0; i <= count; ++i) {
        if (chance(6))
            put(chance(50) ? "!" : "-");
        application();
        if (i == count)
            break;
        blank();
        const char *op = any(binary);
        while (qstrcmp(op, "?") == 0) {
            put(op);
            blank();
            attributePath({});
            blank();
            op = any(binary);
        }
        const bool compares = strchr("=!<>", op[0]) != nullptr;
        put(compares && std::exchange(compared, true) && !chance(3) ? "+" : op);
        blank();
    }
}

void NixGenerator::application()
{
    selection();
    for (int count = chance(70) ? 0 : 1 + below(3); count > 0; --count) {
        m_text += chance(99) ? " " : "";
        selection();
    }
}

void NixGenerator::selection()
{
    simple();
    const char last = m_text.back();
    if (chance(2) || (chance(20) && !(last >= '0' && last <= '9') && last != '.')) {
        put(chance(90) ? "." : " . ");
        attributePath({});
        if (chance(30)) {
            put(" or ");
            selection();
        }
    } else if (m_with > 0 && chance(2)) {
        put(" or");
    }
}

void NixGenerator::simple()
{
    ++m_depth;
    const int kind = m_depth > 60 || m_budget <= 0 ? below(40) : below(100);
    if (kind < 30) {
        variable();
    } else if (kind < 40) {
        number();
    } else if (kind < 55) {
        quoted();
    } else if (kind < 62) {
        indented();
    } else if (kind < 69) {
        path();
    } else if (kind < 71) {
        static constexpr const char *odd[] = {"http://a.b/c?d=e&f", "x:y",     "<nixpkgs>", "<a/b.c>",
                                              "__curPos",           "x.y+z:'%"};
        put(any(odd));
    } else if (kind < 80) {
        put("(");
        expression();
        put(")");
    } else if (kind < 88) {
        list();
    } else if (kind < 98) {
        const bool recursive = chance(30);
        if (recursive)
            put("rec ");
        set(recursive);
    } else {
        put("let ");
        set(true);
    }
    --m_depth;
}

void NixGenerator::number()
{
    static constexpr const char *literals[] = {
        "0", "1", "42", "007", "9223372036854775807", "0.5", ".5", "1.", "1.5e3", "1.e-3", "3.14E+2", "0.0", "12.8"};
    put(any(literals));
}

void NixGenerator::quoted()
{
    static constexpr const char *pieces[] = {"text", " ",  "\\n",  "\\t", "\\\\",   "\\\"",  "\\${", "$$", "$",
                                             "$$$",  "''", "'",    "#",   "/* ",    "{",     "}",    "\n", "\r\n",
                                             "\r",   "é",  "\\\n", "\\$", "-mavx2", "sm_90", "\\x",  "$a", "\t"};
    put("\"");
    for (int count = below(5); count > 0; --count) {
        if (chance(25))
            antiquotation();
        else
            m_text += any(pieces);
    }
    put("\"");
}

void NixGenerator::indented()
{
    static constexpr const char *pieces[] = {
        "text",  " ",     "  ",    "    ",   "\n",    "\n  ",       "\n    ", "\n\n", "''$", "'''",
        "''\\n", "''\\t", "''\\ ", "''\\\n", "''\\x", "$",          "$$",     "'",    "\"",  "\\",
        "\t",    "\r\n",  "{",     "}",      "# ",    "export A=1", "''${",   "$x",   "'x",  "$'"};
    put("''");
    if (chance(70))
        m_text += chance(50) ? "\n" : "  \n";
    for (int count = below(9); count > 0; --count) {
        if (chance(20))
            antiquotation();
        else
            m_text += any(pieces);
    }
    put("''");
}

void NixGenerator::antiquotation()
{
    put("${");
    if (chance(10))
        blank();
    expression();
    put("}");
}

void NixGenerator::path()
{
    static constexpr const char *heads[] = {"./a",   "../b.nix", "/etc/x",   "~/z",  "a/b", "./.",  "./a-b_c+d/e",
                                            ".../x", "/.",       "./a/../b", "./..", "-/x", "a.b/c"};
    put(any(heads));
    if (!chance(25)) {
        blank(); // what comes next is no part of it
        return;
    }
    if (chance(50))
        m_text += "/";
    antiquotation();
    static constexpr const char *tails[] = {"", "/b", "c", ".nix", "/b.c/d", "//b"};
    m_text += any(tails);
    blank(); // what comes next is no part of it
}

void NixGenerator::list()
{
    put("[");
    for (int count = below(5); count > 0; --count) {
        blank();
        selection();
    }
    blank();
    put("]");
}

void NixGenerator::set(bool recursive)
{
    const QList<QByteArray> outer = m_scope;
    put("{");
    blank();
    // What a recursive set will define is not known yet; some of these may come out undefined, which is a verdict too.
    if (recursive && chance(90))
        m_scope += QList<QByteArray>{"a", "x"};
    bindings(recursive ? Known::Recursive : Known::None);
    put("}");
    m_scope = outer;
}

QList<QByteArray> NixGenerator::bindings(Known known)
{
    const bool fixedNames = known == Known::Let;
    QList<QByteArray> defined;
    if (known != Known::None) {
        defined = fixedNames ? QList<QByteArray>{"a", "b", "c", "x"} : QList<QByteArray>{"a", "x"};
        for (const QByteArray &name : std::as_const(defined)) {
            put(name + " = ");
            application();
            put(";");
            blank();
        }
    }
    for (int count = below(5); count > 0; --count) {
        const int kind = below(100);
        const QByteArray name = any(names) + QByteArray::number(below(fixedNames ? 100000 : 40));
        if (kind < 12) {
            put("inherit");
            for (int tries = below(3); tries > 0; --tries) {
                const QByteArray known = m_scope.at(below(int(m_scope.size())));
                if (defined.contains(known) && !chance(2))
                    continue;
                defined.append(known);
                blank();
                put(chance(90) ? known : '"' + known + '"');
            }
        } else if (kind < 20) {
            put("inherit");
            blank();
            put("(");
            expression();
            put(")");
            if (chance(80)) // one name each: Nix 2.26 breaks on merging more
                put(" " + name);
        } else {
            attributePath(chance(fixedNames ? 99 : 90) ? name : QByteArray());
            blank();
            put("=");
            blank();
            expression();
            defined.append(name);
        }
        put(";");
        blank();
    }
    return defined;
}

void NixGenerator::attributePath(const QByteArray &first)
{
    if (first.isEmpty())
        attributeName();
    else
        put(first);
    while (chance(20)) {
        put(chance(95) ? "." : "\n.");
        attributeName();
    }
}

void NixGenerator::attributeName()
{
    const int kind = m_depth > 60 ? 0 : below(100);
    if (kind < 75) {
        put(any(names));
    } else if (kind < 80) {
        put("or");
    } else if (kind < 92) {
        quoted();
    } else {
        antiquotation();
    }
}

} // namespace tmx::test
