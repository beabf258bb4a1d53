// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/ShellWords.h"
#include "tests/support/TestMain.h"

#include <QTest>

using namespace tmx;

namespace {

/// "word|word > output" for each command.
QByteArray asText(const QByteArray &script)
{
    QByteArrayList lines;
    for (const ShellCommand &command : shellCommands(script)) {
        QByteArrayList words;
        for (const ShellWord &word : command.words)
            words.append(word.text);
        lines.append(words.join('|') + (command.output.isEmpty() ? QByteArray() : " > " + command.output));
    }
    return lines.join('\n');
}

} // namespace

class ShellWordsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void commands_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *name, const char *script, const char *expected) {
            QTest::newRow(name) << QByteArray(script) << QByteArray(expected);
        };
        row("nothing", "", "");
        row("blanks", " \n\t\n", "");
        row("comment", "# export A=1\nexport B=2 # export C=3", "export|B=2");
        row("no comment within a word", "echo a#b", "echo|a#b");
        row("double quotes", "export F=\"-a  -b $F\"", "export|F=-a  -b $F");
        row("single quotes", "export F='$F \"x\" \\n'", "export|F=$F \"x\" \\n");
        row("quotes within a word", "export F=a\" b\"'c'", "export|F=a bc");
        row("escapes", "echo a\\ b \\\"c \"\\$x \\z\"", "echo|a b|\"c|$x \\z");
        row("empty word", "echo '' \"\" x", "echo|||x");
        row("line goes on", "export A=1 \\\n  B=2", "export|A=1|B=2");
        row("separators", "a; b && c || d | e & f", "a\nb\nc\nd\ne\nf");
        row("words of the shell", "if test -f x; then echo y; else echo z; fi", "test|-f|x\necho|y\necho|z\nfi");
        row("loop", "for dir in a b; do\n ln -s x/$dir y\ndone", "for|dir|in|a|b\nln|-s|x/$dir|y\ndone");
        row("expansions", "echo ${a:-b c} $(ls -l; pwd) ${x[@]}", "echo|${a:-b c}|$(ls -l; pwd)|${x[@]}");
        row("array", "a=(-x \"b  c\" # d\n  $e) f; a+=(g); h=()", "a=-x b  c $e|f\na+=g\nh=");
        row("no array", "a= (b); c() { d; }; (e=(f", "a=\nb\nc\nd\ne=f");
        row("output", "echo 1 > f; echo 2 >>g 2>/dev/null; cat <in >out; x 2> y",
            "echo|1 > f\necho|2 > g\ncat > out\nx");
        row("output first", "> f echo x", "echo|x > f");
        row("here document", "cat > f <<'EOF'\nexport A=1\nEOF\nexport B=2", "cat > f\nexport|B=2");
        row("indented here document", "cat <<-END >f\n\texport A=1\n\tEND\nexport B=2", "cat > f\nexport|B=2");
        row("two here documents", "a <<X <<Y\n1\nX\n2\nY\nb", "a\nb");
        row("here document without end", "cat <<EOF\nexport A=1\n", "cat");
        row("here string", "cat <<< word\nexport A=1", "cat\nexport|A=1");
        row("open quote", "export A=\"b\nc", "export|A=b\nc");
        row("open expansion", "echo ${a", "echo|${a");
        row("trailing backslash", "echo \\", "echo|");
        row("carriage returns", "export A=1\r\nexport B=2\r\n", "export|A=1\nexport|B=2");
    }

    void commands()
    {
        QFETCH(const QByteArray, script);
        QTEST(asText(script), "expected");
    }

    void offsetsLeadBack()
    {
        const QByteArray script = "# x\nflags=(-a -b)\nexport CXXFLAGS=\"-mavx2 -mfma $CXXFLAGS\" 'y'\\ z\n";
        for (const ShellCommand &command : shellCommands(script)) {
            QVERIFY(command.begin < command.end && command.end <= quint32(script.size()));
            for (const ShellWord &word : command.words) {
                QCOMPARE(qsizetype(word.offsets.size()), word.text.size());
                for (qsizetype i = 0; i < word.text.size(); ++i)
                    QCOMPARE(script.at(word.offsets[size_t(i)]), word.text.at(i));
            }
        }
    }
};

TM_TEST(ShellWordsTest, void)
#include "tst_shellwords.moc"
