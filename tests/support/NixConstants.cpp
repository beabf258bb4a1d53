// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "NixConstants.h"

#include <cstring>

namespace tmx::test {

QByteArray NixConstants::expression()
{
    m_scope = m_imports;
    m_depth = 0;
    m_names = 0;
    return make(Type(below(6)));
}

QList<NixConstants::File> NixConstants::program(int count)
{
    static const QList<QByteArray> folders{"", "lib/", "lib/tables/", "other/"};
    QList<File> files;
    m_imports.clear();
    for (int i = 0; i < count; ++i) {
        const bool last = i + 1 == count;
        const QByteArray folder = last ? QByteArray() : folders.at(below(int(folders.size())));
        const bool isDefault = !last && chance(15);
        const QByteArray name = "f" + QByteArray::number(i) + (isDefault ? "/default.nix" : ".nix");
        const QByteArray import = "import @" + QByteArray::number(i) + '@';
        const Type type = Type(below(6));
        expression(); // resets the scope
        m_depth = 2;
        QByteArray text;
        Name use{'(' + import + ')', type};
        const int way = last ? 0 : below(3);
        if (way == 0) {
            text = make(type);
        } else if (way == 1) {
            text = "rec { \"0.9-a\" = " + make(type) + "; b = \"0.9-a\"; c.${b} = " + make(type) + "; }";
            static const QList<QByteArray> keys{R"("0.9-a")", R"(${"0." + "9-a"})", R"(c."0.9-${"a"}")"};
            use.name = '(' + import + ")." + keys.at(below(int(keys.size())));
        } else {
            const Name given{freshName(), Type(below(6))};
            const Name other{freshName(), Type(below(6))};
            const QByteArray argument = make(given.type);
            const QByteArray fallback = make(other.type);
            m_scope += {given, other};
            text = "{ " + given.name + ", " + other.name + " ? " + fallback + ", ... }@all: " + make(type);
            // What is given is written in the file that imports this one.
            use.name = '(' + import + " { " + given.name + " = " + argument + "; })";
        }
        const QByteArray inFolder = isDefault ? folder + "f" + QByteArray::number(i) + '/' : folder;
        files.append({folder + name, text});
        files.last().text = written(text, inFolder, files);
        m_imports.append(use);
    }
    m_imports.clear();
    return files;
}

/// With paths as seen from a folder, in various notations, for the numbers of files.
QByteArray NixConstants::written(QByteArray expression, const QByteArray &folder, const QList<File> &files)
{
    for (qsizetype from = expression.indexOf('@'); from >= 0; from = expression.indexOf('@', from)) {
        const qsizetype end = expression.indexOf('@', from + 1);
        bool isNumber = false;
        const int number = end > from ? expression.mid(from + 1, end - from - 1).toInt(&isNumber) : 0;
        if (!isNumber) {
            ++from; // `}@all`
            continue;
        }
        QByteArray path = files.at(number).path;
        if (path.endsWith("/default.nix") && chance(70))
            path.chop(12);
        const QByteArray up = QByteArray("../").repeated(folder.count('/'));
        QByteArray way = folder.isEmpty() ? "./" + path : up + path;
        if (!folder.isEmpty() && path.startsWith(folder) && chance(50))
            way = "./" + path.mid(folder.size());
        const qsizetype slash = way.lastIndexOf('/');
        if (chance(20))
            way = "(" + (way.first(slash + 1).count('/') == 1 ? way.first(slash) + "/." : way.first(slash)) + " + \"" +
                  way.mid(slash) + "\")";
        else if (chance(20))
            way = way.first(slash + 1) + "${\"" + way.mid(slash + 1) + "\"}";
        expression.replace(from, end + 1 - from, way);
        from += way.size();
    }
    return expression;
}

QByteArray NixConstants::make(Type type)
{
    ++m_depth;
    const QByteArray made = anyWay(type);
    --m_depth;
    return '(' + made + ')';
}

QByteArray NixConstants::anyWay(Type type)
{
    QList<QByteArray> known;
    for (const Name &name : std::as_const(m_scope)) {
        if (name.type == type)
            known.append(name.name);
    }
    if (!known.isEmpty() && chance(m_depth > 5 ? 80 : 30))
        return known.at(below(int(known.size())));
    if (m_depth < 6) {
        const int way = below(100);
        if (way < 8)
            return let(type);
        if (way < 14)
            return function(type);
        if (way < 20)
            return "if " + make(Boolean) + " then " + make(type) + " else " + make(type);
        if (way < 23)
            return "{ x = " + make(type) + "; y.z = " + make(type) + "; }." + (chance(50) ? "x" : "y.z");
        if (way < 26)
            return make(Set) + ".missing or " + make(type);
        if (way < 28)
            return "with { w = " + make(type) + "; }; w";
        if (way < 30)
            return "assert " + make(Integer) + " == " + make(Integer) + " || true; " + make(type);
    }
    return plain(type);
}

QByteArray NixConstants::let(Type type)
{
    const QList<Name> outer = m_scope;
    QByteArray bindings;
    for (int count = 1 + below(3); count > 0; --count) {
        const Name name{freshName(), Type(below(6))};
        bindings += name.name + " = " + make(name.type) + "; ";
        m_scope.append(name);
    }
    if (chance(30) && !outer.isEmpty() && outer.last().name.startsWith('v'))
        bindings += "inherit " + outer.last().name + "; ";
    const QByteArray made = "let " + bindings + "in " + make(type);
    m_scope = outer;
    return made;
}

QByteArray NixConstants::function(Type type)
{
    const QList<Name> outer = m_scope;
    const Name first{freshName(), Type(below(6))};
    const Name other{freshName(), Type(below(6))};
    const QByteArray given = make(first.type);
    QByteArray made;
    if (chance(50)) {
        m_scope.append(first);
        made = '(' + first.name + ": " + make(type) + ") " + given;
    } else {
        const QByteArray all = freshName();
        const QByteArray fallback = make(other.type);
        m_scope += {first, other};
        made = "({ " + first.name + ", " + other.name + " ? " + fallback + ", ... }@" + all + ": " + make(type) +
               ") { " + first.name + " = " + given + "; extra = 1; }";
    }
    m_scope = outer;
    return made;
}

/// A form of the list with each `i, `b, `t, `T, `I and `s replaced by an expression of that type.
QByteArray NixConstants::one(std::initializer_list<const char *> forms)
{
    static constexpr char letters[] = "ibtTIs"; // in the order of Type
    QByteArray made;
    for (const char *form = forms.begin()[m_depth > 6 ? 0 : below(int(forms.size()))]; *form; ++form) {
        if (*form == '`')
            made += make(Type(strchr(letters, *++form) - letters));
        else
            made += *form;
    }
    return made;
}

QByteArray NixConstants::plain(Type type)
{
    switch (type) {
    case Integer:
        return one({"builtins.length `T", "builtins.foldl' (x: y: x + y) `i `I", "builtins.stringLength `t",
                    "builtins.compareVersions `t `t",
                    "builtins.compareVersions \"${toString `i}.1pre\" \"1.${toString `i}\"", "builtins.fromJSON \"90\"",
                    "7", "42", "`i + `i", "`i - `i - `i", "- `i", "`i / 3", "`i * `i", "`s.a or `i"});
    case Boolean:
        return one({"true",
                    "false",
                    "`i < `i",
                    "`i >= `i",
                    "`t <= `t",
                    "`t > `t",
                    "`i == `i",
                    "`b != `b",
                    "`t == `t",
                    "`T == `T",
                    "`I != `I",
                    "`s == `s",
                    "!`b",
                    "`b && `b || `b",
                    "`b -> `b -> `b",
                    "`s ? a",
                    "`s ? b.c",
                    "builtins.elem `t `T",
                    "builtins.elem `i `I",
                    "builtins.any (x: x == `t) `T",
                    "builtins.all (x: x > `i) `I",
                    "builtins.hasAttr \"a\" `s",
                    "builtins.match \"[a-z -]*\" `t == null"});
    case Text:
        return one({"\"9.0\"",
                    "\"\"",
                    "\"-mavx2\"",
                    "\"a b\"",
                    "\"$x\\n\\${y}\"",
                    "''\n    one\n      two ''$\n  ''",
                    "''a''\\tb''",
                    "\"~%_\"",
                    "a:b",
                    "`t + `t + `t",
                    "\"<${`t} $${\\${${`t}\"",
                    "''\n    x ${`t}\n      y ''${ ${`t}\n  ''",
                    "builtins.concatStringsSep `t `T",
                    "builtins.replaceStrings [ \"a\" `t ] [ `t `t ] `t",
                    "builtins.elemAt (`T ++ [ `t ]) 0",
                    "builtins.foldl' (x: y: x + y) `t `T",
                    "builtins.getAttr \"x\" { x = `t; }",
                    "builtins.head ([ `t ] ++ `T)",
                    "builtins.head (builtins.match \"(-?[a-z0-9]*)(\\\\.?)(.*)\" `t)",
                    "toString `i",
                    "toString `b",
                    "toString `t",
                    "toString `T",
                    "toString `I",
                    "builtins.toString [ `T null `I ]"});
    case Texts:
        return one({"[ ]", "`T ++ `T ++ `T", "map (x: x + `t) `T", "builtins.filter (x: x != `t) `T", "map toString `I",
                    "[ `t `t ]", "[ `t ]", "builtins.attrNames `s", "builtins.tail ([ `t ] ++ `T)"});
    case Integers:
        return one({"[ 3 1 2 ]", "`I ++ `I", "map (x: x + `i) `I", "builtins.filter (x: x > 1) `I", "[ `i `i ]"});
    case Set:
        return one({"{ }", "`s // `s // `s", "rec { a = `i; b.c = a; b.d = `t; e = b.d; }",
                    "{ \"k${`t}\" = `I; ${null} = 1; \"k l\" = 2; }", "`s // { n = null; }",
                    "let s = `s // { a = 1; b = `t; }; in { inherit (s) a b; inherit s; }",
                    "{ a = `i; b = { c = `b; }; b.f = `T; }"});
    }
    return {};
}

} // namespace tmx::test
