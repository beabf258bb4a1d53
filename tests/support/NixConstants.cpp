// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "NixConstants.h"

namespace tmx::test {

QByteArray NixConstants::expression()
{
    m_scope.clear();
    m_depth = 0;
    m_names = 0;
    return make(Type(below(6)));
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
    switch (type) {
    case Integer: return integer();
    case Boolean: return boolean();
    case Text: return text();
    case Texts: return texts();
    case Integers: return integers();
    case Set: return set();
    }
    return {};
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
    if (chance(30) && !outer.isEmpty())
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

QByteArray NixConstants::integer()
{
    switch (m_depth > 6 ? 0 : below(9)) {
    case 0: return QByteArray::number(below(100));
    case 1: return make(Integer) + " + " + make(Integer);
    case 2: return make(Integer) + " - " + make(Integer) + " - " + make(Integer);
    case 3: return "- " + make(Integer);
    case 4: return make(Integer) + " / " + QByteArray::number(1 + below(9));
    case 5: return "builtins.length " + make(chance(50) ? Texts : Integers);
    case 6: return "builtins.stringLength " + make(Text);
    case 7: return "builtins.foldl' (a: b: a - b) " + make(Integer) + ' ' + make(Integers);
    default: return "builtins.head (" + make(Integers) + " ++ [ " + make(Integer) + " ])";
    }
}

QByteArray NixConstants::boolean()
{
    switch (m_depth > 6 ? 0 : below(10)) {
    case 0: return chance(50) ? "true" : "false";
    case 1: return make(Integer) + (chance(50) ? " < " : " >= ") + make(Integer);
    case 2: {
        const Type type = Type(below(6));
        return make(type) + (chance(50) ? " == " : " != ") + make(type);
    }
    case 3: return '!' + make(Boolean);
    case 4: return make(Boolean) + " && " + make(Boolean) + " || " + make(Boolean);
    case 5: return make(Boolean) + " -> " + make(Boolean) + " -> " + make(Boolean);
    case 6: return "builtins.elem " + make(Text) + ' ' + make(Texts);
    case 7: return make(Set) + " ? " + (chance(50) ? "a" : "b.c");
    case 8: return make(Text) + (chance(50) ? " <= " : " > ") + make(Text);
    default: return "builtins.any (x: x > 10) " + make(Integers);
    }
}

QByteArray NixConstants::text()
{
    static constexpr const char *literals[] = {
        "\"\"",        "\"-mavx2\"", "\"a b\"", "\"$x\\n\\${y}\"", "''\n    one\n      two ''$\n  ''", "\"9.0\"",
        "''a''\\tb''", "\"~%_\"",    "a:b"};
    switch (m_depth > 6 ? 0 : below(10)) {
    case 0: return literals[below(int(std::size(literals)))];
    case 1: return make(Text) + " + " + make(Text) + " + " + make(Text);
    case 2: return "\"<${" + make(Text) + "} $${\\${${" + make(Text) + "}\"";
    case 3: return "''\n    x ${" + make(Text) + "}\n      y ''${ ${" + make(Text) + "}\n  ''";
    case 4: return "builtins.concatStringsSep " + make(Text) + ' ' + make(Texts);
    case 5: return "toString " + make(Type(below(5)));
    case 6:
        return "builtins.substring " + QByteArray::number(below(4)) + " (" + QByteArray::number(below(6) - 1) + ") " +
               make(Text);
    case 7: return "builtins.replaceStrings [ \"a\" \"-m\" \"\" ] [ \"A\" \"/\" \".\" ] " + make(Text);
    case 8: return "builtins.concatStringsSep \"/\" (builtins.attrNames " + make(Set) + ')';
    default: return "toString (builtins.compareVersions " + make(Text) + " \"9.0pre\")";
    }
}

QByteArray NixConstants::texts()
{
    switch (m_depth > 6 ? 0 : below(8)) {
    case 0: return "[ ]";
    case 1: return make(Texts) + " ++ " + make(Texts) + " ++ " + make(Texts);
    case 2: return "map (x: x + " + make(Text) + ") " + make(Texts);
    case 3: return "builtins.filter (x: x != " + make(Text) + ") " + make(Texts);
    case 4: return "builtins.attrNames " + make(Set);
    case 5: return "builtins.concatMap (x: [ x \"-\" ]) " + make(Texts);
    default: return "[ " + make(Text) + ' ' + make(Text) + " ]";
    }
}

QByteArray NixConstants::integers()
{
    switch (m_depth > 6 ? 0 : below(6)) {
    case 0: return "[ 3 1 2 ]";
    case 1: return make(Integers) + " ++ " + make(Integers);
    case 2: return "map builtins.stringLength " + make(Texts);
    case 3: return "builtins.genList (x: x + " + make(Integer) + ") " + QByteArray::number(below(5));
    case 4: return "builtins.concatLists [ " + make(Integers) + " [ " + make(Integer) + " ] ]";
    default: return "[ " + make(Integer) + ' ' + make(Integer) + " ]";
    }
}

QByteArray NixConstants::set()
{
    switch (m_depth > 6 ? 0 : below(8)) {
    case 0: return "{ }";
    case 1: return make(Set) + " // " + make(Set) + " // " + make(Set);
    case 2: return "rec { a = " + make(Integer) + "; b.c = a; b.d = " + make(Text) + "; e = b.d; }";
    case 3: return "builtins.removeAttrs " + make(Set) + ' ' + make(Texts) + " // { n = null; }";
    case 4: return "builtins.mapAttrs (name: value: name) " + make(Set);
    case 5: return "{ \"k${" + make(Text) + "}\" = " + make(Integers) + "; ${null} = 1; \"k l\" = 2; }";
    case 6:
        return "let s = " + make(Set) + " // { a = 1; b = " + make(Text) + "; }; in { inherit (s) a b; inherit s; }";
    default: return "{ a = " + make(Integer) + "; b = { c = " + make(Boolean) + "; }; b.f = " + make(Texts) + "; }";
    }
}

} // namespace tmx::test
