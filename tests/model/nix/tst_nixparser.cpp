// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Parse.h"
#include "model/nix/TextDecoder.h"
#include "tests/support/TestMain.h"

#include <QTest>

#include <functional>

using namespace Qt::StringLiterals;
using namespace tmx::nix;

namespace {

QByteArray bytes(std::string_view text)
{
    return {text.data(), qsizetype(text.size())};
}

/// What a tree's text has at a span.
QByteArray at(const Tree &tree, Span span)
{
    return bytes(tree.text(span));
}

template <class T>
const T *rootAs(const ParseResult &result)
{
    return as<T>(result.tree->root());
}

} // namespace

class tst_NixParser : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void spansCoverExactlyTheirText();
    void spansOfChains();
    void bindingsKeepWhatWasWritten();
    void mergesSets();
    void bindsVariables();
    void bindsThroughWith();
    void commentsAreKept();
    void countsLinesAsNixDoes();
    void textsDecode_data();
    void textsDecode();
    void mapsTextBackToTheFile_data();
    void mapsTextBackToTheFile();
    void errorsSayWhatAndWhere_data();
    void errorsSayWhatAndWhere();
    void undefinedVariablesLeaveTheTree();
    void mergedInheritsThatBreakNix();
};

void tst_NixParser::spansCoverExactlyTheirText()
{
    const ParseResult result = parse("# a recipe\n{ pkgs, flags ? [ \"-mavx2\" ] }:\nlet\n  name = \"x${pkgs.y}\";\nin "
                                     "(pkgs.torch.override { inherit name; }).overrideAttrs (old: { a = - 1; })\n");
    QVERIFY(result.ok());
    const Tree &tree = *result.tree;
    const auto *lambda = rootAs<Lambda>(result);
    QVERIFY(lambda);
    QCOMPARE(tree.place(lambda->span.offset), (Place{2, 1}));
    QCOMPARE(lambda->span.end(), quint32(tree.source().bytes().size() - 1));
    QCOMPARE(at(tree, lambda->formals[1].span), "flags");
    QCOMPARE(at(tree, lambda->formals[1].fallback->span), "[ \"-mavx2\" ]");
    QCOMPARE(at(tree, as<List>(lambda->formals[1].fallback)->elements[0]->span), "\"-mavx2\"");
    const auto *let = as<Let>(lambda->body);
    QVERIFY(let);
    QCOMPARE(at(tree, let->bindings->span), "name = \"x${pkgs.y}\";");
    const auto *text = as<Text>(let->bindings->attributes[0].value);
    QCOMPARE(text->parts.size(), size_t(2));
    QCOMPARE(at(tree, text->parts[0].span), "x");
    QCOMPARE(at(tree, text->parts[1].span), "${pkgs.y}");
    QCOMPARE(at(tree, text->parts[1].expression->span), "pkgs.y");
    const auto *call = as<Call>(let->body);
    QVERIFY(call);
    QCOMPARE(at(tree, call->span), "(pkgs.torch.override { inherit name; }).overrideAttrs (old: { a = - 1; })");
    QCOMPARE(at(tree, call->function->span), "(pkgs.torch.override { inherit name; }).overrideAttrs");
    const auto *select = as<Select>(call->function);
    QCOMPARE(at(tree, select->base->span), "pkgs.torch.override { inherit name; }"); // its parentheses are outside
    QCOMPARE(at(tree, select->path[0].span), "overrideAttrs");
    const auto *attributes = as<Attributes>(as<Lambda>(call->arguments[0])->body);
    QCOMPARE(at(tree, attributes->bindings[0]->span), "a = - 1;");
    QCOMPARE(at(tree, attributes->attributes[0].value->span), "- 1");
}

void tst_NixParser::spansOfChains()
{
    const ParseResult result = parse("(x: [ ]) 1 ++ (f) ++ [ 2 ] -> ! 3 + 4 == 5\n");
    QCOMPARE(result.error->message, u"undefined variable 'f'"_s);
    const Tree &tree = *result.tree;
    const auto *implies = rootAs<Binary>(result);
    QVERIFY(implies && implies->op == BinaryOperator::Implies);
    QCOMPARE(at(tree, {implies->operatorOffset, 2}), "->");
    QCOMPARE(at(tree, implies->left->span), "(x: [ ]) 1 ++ (f) ++ [ 2 ]");
    const auto *concat = as<Binary>(implies->left);
    QCOMPARE(at(tree, concat->left->span), "(x: [ ]) 1");
    QCOMPARE(at(tree, concat->right->span), "(f) ++ [ 2 ]");
    QCOMPARE(concat->operatorOffset, 11u);
    QCOMPARE(as<Binary>(concat->right)->operatorOffset, 18u);
    const auto *equal = as<Binary>(implies->right);
    QVERIFY(equal->op == BinaryOperator::Equal);
    QCOMPARE(at(tree, equal->left->span), "! 3 + 4");
    QVERIFY(as<Unary>(equal->left));
}

void tst_NixParser::bindingsKeepWhatWasWritten()
{
    const ParseResult result = parse("x: {\n  a.\"b c\".${x} = 1; inherit x;\n  inherit (x) y \"z\";\n}");
    QVERIFY(result.ok());
    const Tree &tree = *result.tree;
    const auto *set = as<Attributes>(rootAs<Lambda>(result)->body);
    QCOMPARE(set->bindings.size(), size_t(3));
    const Binding &path = *set->bindings[0];
    QVERIFY(path.kind == Binding::Value);
    QCOMPARE(at(tree, path.span), "a.\"b c\".${x} = 1;");
    QCOMPARE(path.names.size(), size_t(3));
    QCOMPARE(bytes(tree.name(path.names[1].symbol)), "b c");
    QCOMPARE(at(tree, path.names[1].span), "\"b c\"");
    QVERIFY(!path.names[2].symbol);
    QCOMPARE(at(tree, path.names[2].span), "${x}");
    QVERIFY(set->bindings[1]->kind == Binding::Inherit);
    const Binding &from = *set->bindings[2];
    QVERIFY(from.kind == Binding::InheritFrom);
    QCOMPARE(at(tree, from.value->span), "x");
    QCOMPARE(at(tree, from.names[1].span), "\"z\"");
    QCOMPARE(set->find(tree.symbol("z"))->binding, &from);
}

void tst_NixParser::mergesSets()
{
    const ParseResult result = parse("{ a.b = 1; a = rec { c = 2; }; a.d.e = 3; f = 4; }");
    QVERIFY(result.ok());
    const Tree &tree = *result.tree;
    const auto *set = rootAs<Attributes>(result);
    QCOMPARE(set->attributes.size(), 2u);
    QCOMPARE(set->bindings.size(), size_t(4));
    const auto *a = as<Attributes>(set->find(tree.symbol("a"))->value);
    QVERIFY(a->implied && !a->recursive);
    QCOMPARE(a->attributes.size(), 3u);
    QCOMPARE(at(tree, a->find(tree.symbol("c"))->binding->span), "c = 2;");
    QVERIFY(!a->find(tree.symbol("f")));

    QByteArray many = "{";
    for (int i = 0; i < 1000; ++i)
        many += " a" + QByteArray::number(i) + " = " + QByteArray::number(i) + ";";
    const ParseResult large = parse(many + " }");
    for (int i = 0; i < 1000; ++i) {
        const QByteArray name = "a" + QByteArray::number(i);
        const Attribute *found =
            rootAs<Attributes>(large)->find(large.tree->symbol({name.constData(), size_t(name.size())}));
        QVERIFY(found);
        QCOMPARE(as<Integer>(found->value)->value, qint64(i));
    }
}

void tst_NixParser::bindsVariables()
{
    const ParseResult result =
        parse("a: { b ? a, ... }@c: let d = b; inherit a; in rec { e = d; f = [ c e map __curPos ]; }");
    QVERIFY(result.ok());
    const auto *outer = rootAs<Lambda>(result);
    const auto *inner = as<Lambda>(outer->body);
    const auto *inDefault = as<Variable>(inner->formals[0].fallback);
    QVERIFY(inDefault->binds == Binds::Frame);
    QCOMPARE(inDefault->level, 1u);
    const auto *let = as<Let>(inner->body);
    const auto *b = as<Variable>(let->bindings->attributes[0].value);
    QCOMPARE(b->level, 1u);
    QCOMPARE(b->index, 1u); // behind the argument
    const auto *inherited = as<Variable>(let->bindings->attributes[1].value);
    QCOMPARE(inherited->level, 1u); // looked up outside of the let's own frame
    const auto *set = as<Attributes>(let->body);
    const auto *list = as<List>(set->attributes[1].value);
    QCOMPARE(as<Variable>(list->elements[0])->level, 2u);
    QCOMPARE(as<Variable>(list->elements[0])->index, 0u);
    QCOMPARE(as<Variable>(list->elements[1])->level, 0u);
    QVERIFY(as<Variable>(list->elements[2])->binds == Binds::Global);
    QVERIFY(as<Variable>(list->elements[3])->binds == Binds::Position);
}

void tst_NixParser::bindsThroughWith()
{
    const ParseResult result = parse("a: with a; with b; x: [ a c map ]");
    QVERIFY(result.ok());
    const auto *outer = as<With>(rootAs<Lambda>(result)->body);
    const auto *inner = as<With>(outer->body);
    QCOMPARE(outer->outer, 0u);
    QCOMPARE(inner->outer, 1u);
    QVERIFY(as<Variable>(inner->scope)->binds == Binds::With);
    QCOMPARE(as<Variable>(inner->scope)->level, 0u);
    const auto *list = as<List>(as<Lambda>(inner->body)->body);
    QVERIFY(as<Variable>(list->elements[0])->binds == Binds::Frame);
    QCOMPARE(as<Variable>(list->elements[0])->level, 3u);
    QVERIFY(as<Variable>(list->elements[1])->binds == Binds::With);
    QCOMPARE(as<Variable>(list->elements[1])->level, 1u);
    QVERIFY(as<Variable>(list->elements[2])->binds == Binds::Global);
}

void tst_NixParser::commentsAreKept()
{
    const ParseResult result = parse("# one\r\n{ /* two\n */ a = \"# no\"; /**/ } # three");
    QVERIFY(result.ok());
    QList<QByteArray> texts;
    for (const Comment &comment : result.tree->comments())
        texts.append(at(*result.tree, comment.span) + (comment.block ? "|" : ""));
    QCOMPARE(texts, (QList<QByteArray>{"# one", "/* two\n */|", "/**/|", "# three"}));
}

void tst_NixParser::countsLinesAsNixDoes()
{
    const Source source("a\nb\r\nc\rd\n\re");
    QCOMPARE(source.lineCount(), 6);
    QCOMPARE(source.place(0), (Place{1, 1}));
    QCOMPARE(source.place(2), (Place{2, 1}));
    QCOMPARE(source.place(3), (Place{2, 2}));
    QCOMPARE(source.place(5), (Place{3, 1}));
    QCOMPARE(source.place(7), (Place{4, 1}));
    QCOMPARE(source.place(9), (Place{5, 1}));
    QCOMPARE(source.place(11), (Place{6, 2}));
    QCOMPARE(bytes(source.line(2)), "b");
    QCOMPARE(bytes(source.line(5)), "");
    QCOMPARE(bytes(source.line(6)), "e");
    QCOMPARE(bytes(source.line(7)), "");
    QCOMPARE(Source("").place(0), (Place{1, 1}));
}

void tst_NixParser::textsDecode_data()
{
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray("\"\"") << QByteArray("");
    QTest::newRow("escapes") << QByteArray(R"("\n\r\t\\\"\${\x$${")") << QByteArray("\n\r\t\\\"${x$${");
    QTest::newRow("CR") << QByteArray("\"a\r\nb\rc\"") << QByteArray("a\nb\nc");
    QTest::newRow("stripped") << QByteArray("''\n    a\n      b\n\n    c\n  ''") << QByteArray("a\n  b\n\nc\n");
    QTest::newRow("escapes of indented") << QByteArray("''\n  ''${a} ''' ''\\n ''\\x $$ '\n''")
                                         << QByteArray("${a} '' \nx $$ '\n");
    QTest::newRow("tabs do not indent") << QByteArray("''\n\ta\n  b''") << QByteArray("\ta\n  b");
    QTest::newRow("escape counts as text") << QByteArray("''\n    ''$a\n      b''") << QByteArray("$a\n  b");
    QTest::newRow("escaped newline begins a line") << QByteArray("''\n  a''\\n  b\n  c''") << QByteArray("a\nb\nc");
    QTest::newRow("opening line") << QByteArray("''  a\n    b''") << QByteArray("a\n  b");
    QTest::newRow("uri") << QByteArray("http://x.y/?a=b") << QByteArray("http://x.y/?a=b");
}

void tst_NixParser::textsDecode()
{
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, text);
    const ParseResult result = parse(code);
    QVERIFY(result.ok());
    QByteArray decoded;
    for (const TextPart &part : rootAs<Text>(result)->parts)
        decoded += bytes(part.text);
    QCOMPARE(decoded, text);
    QCOMPARE(at(*result.tree, result.tree->root()->span), code);
}

void tst_NixParser::mapsTextBackToTheFile_data()
{
    QTest::addColumn<QByteArray>("code");
    QTest::newRow("plain") << QByteArray("\"abc\"");
    QTest::newRow("escapes") << QByteArray(R"("a\nb\"c\\")");
    QTest::newRow("CR LF") << QByteArray("\"a\r\nb\"");
    QTest::newRow("indented") << QByteArray("''\n    a\n\n      b c\n    d\n  ''");
    QTest::newRow("indented, with escapes")
        << QByteArray("''\n    a''\\nb\n    ''$c '''\n     d''\\\n    e''\\  f\n''");
    QTest::newRow("antiquotations") << QByteArray("''\n    a ${\"x\"} b\n      ${\"y\"}\n    c\n''");
    QTest::newRow("uri") << QByteArray("a:bc");
}

/// Each byte of a text is at the offset in sourceOffsets(): the same byte is there, except for escapes and line ends,
/// and offsets increase.
void tst_NixParser::mapsTextBackToTheFile()
{
    QFETCH(QByteArray, code);
    const ParseResult result = parse(code);
    QVERIFY(result.ok());
    const auto *text = rootAs<Text>(result);
    quint32 last = 0;
    int compared = 0;
    for (const TextPart &part : text->parts) {
        if (part.expression)
            continue;
        std::vector<quint32> offsets;
        sourceOffsets(result.tree->source(), text->style, part, offsets);
        QCOMPARE(offsets.size(), part.text.size() + 1);
        for (size_t i = 0; i < part.text.size(); ++i) {
            const quint32 offset = offsets[i];
            QVERIFY(offset >= last && offset < part.span.end());
            last = offset;
            const char there = code.at(offset);
            if (there != '\\' && there != '\r' && !part.escape) {
                QCOMPARE(there, part.text[i]);
                ++compared;
            }
        }
        const quint32 end = offsets.back();
        QVERIFY(end >= last && end <= part.span.end());
    }
    QVERIFY(compared > 0);
}

void tst_NixParser::errorsSayWhatAndWhere_data()
{
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("column");
    QTest::addColumn<QString>("message");
    QTest::newRow("missing semicolon") << QByteArray("{\n  a = 1\n  b = 2;\n}") << 3 << 5
                                       << u"unexpected '=', expected ';'"_s;
    QTest::newRow("end of file") << QByteArray("{\n  a = [ 1 2\n") << 3 << 1
                                 << u"unexpected end of the file, expected ']' for the [ of line 2"_s;
    QTest::newRow("unclosed text")
        << QByteArray("{ a = \"b;\n}\n") << 3 << 1
        << u"unexpected end of the file, expected the end of the text that begins on line 1"_s;
    QTest::newRow("chained") << QByteArray("1 < 2 < 3") << 1 << 7
                             << u"unexpected '<', expected parentheses: comparisons do not chain"_s;
    QTest::newRow("no expression") << QByteArray("{ a = ; }") << 1 << 7 << u"unexpected ';', expected an expression"_s;
    QTest::newRow("duplicate") << QByteArray("{ a = 1;\n a = 2; }") << 2 << 2
                               << u"attribute 'a' is already defined on line 1"_s;
    QTest::newRow("formal") << QByteArray("{ a, b, a }: 1") << 1 << 9 << u"function argument 'a' is already defined"_s;
    QTest::newRow("integer") << QByteArray("99999999999999999999") << 1 << 1
                             << u"'99999999999999999999' does not fit into 64 bits"_s;
    QTest::newRow("float") << QByteArray("1.0e999") << 1 << 1
                           << u"'1.0e999' is out of range for a floating-point number"_s;
    QTest::newRow("path") << QByteArray("./a/") << 1 << 1 << u"a path ends with a slash"_s;
    QTest::newRow("nul") << QByteArray("\"a\0\"", 4) << 1 << 2 << u"a string contains a NUL byte"_s;
    QTest::newRow("pipe") << QByteArray("1 |> 2") << 1 << 3 << u"'|>' is an experimental feature of Nix"_s;
    QTest::newRow("binary") << QByteArray("\x7f"
                                          "ELF")
                            << 1 << 1 << u"unexpected U+007F, expected an expression"_s;
    QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBF{ }") << 1 << 1
                                     << u"the file begins with a byte order mark, which Nix does not read"_s;
    QTest::newRow("byte order mark within")
        << QByteArray("[\n\xEF\xBB\xBF]") << 2 << 1 << u"unexpected U+FEFF, expected ']' for the [ of line 1"_s;
    QTest::newRow("curly quote") << QByteArray("{ a = \xE2\x80\x9Cx\xE2\x80\x9D; }") << 1 << 7
                                 << u"unexpected '\u201C', expected an expression"_s;
    QTest::newRow("emoji") << QByteArray("\xF0\x9F\x98\x80") << 1 << 1
                           << u"unexpected '\U0001F600', expected an expression"_s;
    QTest::newRow("hard space") << QByteArray("{ a =\xC2\xA0"
                                              "1; }")
                                << 1 << 6 << u"unexpected U+00A0, expected an expression"_s;
    QTest::newRow("long token") << "{ }.a:" + QByteArray(100, 'x') << 1 << 5
                                << u"unexpected 'a:"_s + QString(38, u'x') + u"…', expected a name"_s;
    QTest::newRow("undefined, the first in the text")
        << QByteArray("{ b = zz;\n a = yy; }") << 1 << 7 << u"undefined variable 'zz'"_s;
    QTest::newRow("let") << QByteArray("let a = 1; ${toString 2} = 3; in 1") << 1 << 12
                         << u"the names in a let must be fixed"_s;
    QTest::newRow("inherit") << QByteArray("x: { inherit ${x}; }") << 1 << 14
                             << u"the names in an inherit must be fixed"_s;
}

void tst_NixParser::errorsSayWhatAndWhere()
{
    QFETCH(QByteArray, code);
    QFETCH(int, line);
    QFETCH(int, column);
    QFETCH(QString, message);
    const ParseResult result = parse(code);
    QVERIFY(result.error.has_value());
    QCOMPARE(result.error->message, message);
    QCOMPARE(result.error->place, (Place{line, column}));
    QCOMPARE(result.tree->place(result.error->span.offset), result.error->place);
}

void tst_NixParser::undefinedVariablesLeaveTheTree()
{
    const ParseResult result = parse("{ a = missing; }");
    QCOMPARE(result.error->kind, ParseError::Undefined);
    QVERIFY(result.tree->root());
    QVERIFY(!parse("{ a = }").tree->root());
}

/// Nix 2.26 shifts the source of an inherit once for every name in it, and aborts when it prints the parsed expression.
/// The intended meaning is clear.
void tst_NixParser::mergedInheritsThatBreakNix()
{
    const ParseResult result = parse("x: y: { a = { inherit (x) b c; }; a = { inherit (y) d e; }; }");
    QVERIFY(result.ok());
    const auto *set = as<Attributes>(as<Lambda>(rootAs<Lambda>(result)->body)->body);
    const auto *a = as<Attributes>(set->attributes[0].value);
    QCOMPARE(a->sources.size(), 2u);
    QCOMPARE(a->find(result.tree->symbol("c"))->source, 0u);
    QCOMPARE(a->find(result.tree->symbol("d"))->source, 1u);
    QCOMPARE(a->find(result.tree->symbol("e"))->source, 1u);
}

TM_TEST(tst_NixParser, void)
#include "tst_nixparser.moc"
