// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include "model/base/TerminalText.h"

#include <QCoreApplication>

#include <sys/stat.h>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

const QByteArray escape = "\x1b[2J\x1b]0;title\x07";
const QByteArray backwards = "\xe2\x80\xae";
const QString name = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
const QString branch = QString::fromUtf8("line/" + backwards + "\xe2\x81\xa6two");

/// Characters that a terminal would interpret, or show as something else; empty if there are none.
QByteArray obeyed(const QByteArray &bytes, bool terminal)
{
    QByteArray text = bytes;
    if (terminal) // our own line of progress, and the line ends of a terminal
        text.replace("\r\033[K", "").replace("\033[K", "").replace("\r\n", "\n").replace("\r", "");
    const QByteArray safe = text.trimmed().startsWith('{') ? terminalJson(text) : terminalText(text);
    return safe == text ? QByteArray() : safe;
}

} // namespace

/// Every verb on a repository in which every text is hostile: only plain text reaches the terminal or a pipe.
class VerbHostileTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<VerbFixture> m_fixture;

    void hook(const QString &which, const QByteArray &script) const
    {
        const QString path = u".git/hooks/"_s + which;
        m_fixture->write(path, "#!/bin/sh\n" + script);
        QVERIFY(::chmod(QFile::encodeName(m_fixture->sample() + u'/' + path).constData(), 0755) == 0);
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void initTestCase()
    {
        m_fixture = std::make_unique<VerbFixture>();
        const QString file = u".flox/pkgs/"_s + name + u".nix"_s;
        QByteArray recipe = m_fixture->read(file);
        QVERIFY(recipe.contains("description = \""));
        recipe.replace("description = \"", "description = \"" + escape + backwards);
        m_fixture->write(file, "# " + escape + '\n' + recipe);
        for (const QByteArray &bad : {"pytorch-" + escape + ".nix", "pytorch-\n" + backwards + ".nix"})
            m_fixture->write(u".flox/pkgs/"_s + QString::fromUtf8(bad), "{ " + escape + " }: " + backwards);
        m_fixture->write(u".flox/pkgs/pytorch-python313-cuda12_8-sm90-avx512\nSTRAY.nix"_s, "{ }: { }\n");
        m_fixture->write(u"README.md"_s, "# " + escape + "\n<!-- torch-matrix: begin -->\n" + escape + backwards +
                                             "\n<!-- torch-matrix: end -->\n");
        m_fixture->git({u"add"_s, u"-A"_s});
        m_fixture->git({u"-c"_s, u"user.name="_s + QString::fromUtf8("Eve " + escape + backwards), u"commit"_s,
                        u"-qm"_s, QString::fromUtf8("Subject " + escape + backwards)});
        m_fixture->git({u"branch"_s, branch});
        m_fixture->git({u"switch"_s, u"-q"_s, branch});
        m_fixture->write(u"torch-matrix.toml"_s, "# " + backwards + "\nbase = \"" + backwards + "\"\n[" + escape);
        m_fixture->git({u"add"_s, u"-A"_s});
        m_fixture->git({u"commit"_s, u"-qm"_s, u"Break the settings"_s});
        m_fixture->git({u"switch"_s, u"-q"_s, u"main"_s});
        m_fixture->write(file, m_fixture->read(file) + "# uncommitted " + escape + '\n');
    }

    void isText_data()
    {
        QTest::addColumn<QStringList>("verb");
        QTest::addColumn<bool>("shows"); ///< something of the hostile text is among what it prints
        const auto row = [](const char *label, const QStringList &verb, bool shows = false) {
            QTest::newRow(label) << verb << shows;
        };
        row("list", {u"list"_s});
        row("list json", {u"list"_s, u"--json"_s});
        row("list others", {u"list"_s, u"--others"_s}, true);
        row("list all", {u"list"_s, u"--all-branches"_s}, true);
        row("list all json", {u"list"_s, u"--all-branches"_s, u"--json"_s}, true);
        row("list branch", {u"list"_s, u"--branch"_s, branch}, true);
        row("show", {u"show"_s, name}, true);
        row("show json", {u"show"_s, name, u"--json"_s}, true);
        row("audit", {u"audit"_s, u"--notes"_s, u"--all"_s}, true);
        row("audit json", {u"audit"_s, u"--json"_s}, true);
        row("audit branch", {u"audit"_s, u"--branch"_s, branch}, true);
        row("audit rules", {u"audit"_s, u"--rules"_s});
        row("fix", {u"fix"_s, name});
        row("generate stdout", {u"generate"_s, name, u"--stdout"_s});
        row("generate like",
            {u"generate"_s, u"pytorch-python313-cuda12_8-sm90-avx512"_s, u"--like"_s, name, u"--stdout"_s}, true);
        row("generate", {u"generate"_s, u"--all"_s, u"--branch"_s, branch}, true);
        row("generate json", {u"generate"_s, u"--all"_s, u"--json"_s});
        row("compare", {u"compare"_s, u"main"_s, branch, u"cuda-12_9"_s, u"--cells"_s}, true);
        row("compare json", {u"compare"_s, u"."_s, branch, u"--json"_s}, true);
        row("compare markdown", {u"compare"_s, u"."_s, branch, u"--markdown"_s}, true);
        row("history", {u"history"_s, name, u"--patch"_s}, true);
        row("history json", {u"history"_s, name, u"--json"_s}, true);
        row("readme", {u"readme"_s}, true);
        row("export", {u"export"_s, u"github"_s, u"--branch"_s, branch, u"--stdout"_s}, true);
        row("estimate", {u"estimate"_s, u"--branch"_s, branch, u"--list"_s});
        row("estimate json", {u"estimate"_s, u"--branch"_s, branch, u"--json"_s}, true);
        row("readme all", {u"readme"_s, u"--all-branches"_s}, true);
        row("plan", {u"plan"_s});
        row("plan json", {u"plan"_s, u"--json"_s});
        row("plan markdown", {u"plan"_s, u"--markdown"_s});
        row("derive", {u"derive"_s, branch + u"x"_s, u"--from"_s, u"main"_s, u"--cuda"_s, u"12.9"_s}, true);
        row("migrate", {u"migrate"_s, u"--set"_s, u"metadata_rev=2"_s});
        row("settings show", {u"settings"_s, u"show"_s, u"--branch"_s, branch}, true);
        row("line json", {u"settings"_s, u"show"_s, u"--branch"_s, branch, u"--json"_s}, true);
        row("pick", {u"pick"_s, u"--all-branches"_s}, true);
        row("template learn", {u"template"_s, u"learn"_s});
        row("build", {u"build"_s, QString::fromUtf8("x" + escape)}, true);
        row("explain", {u"explain"_s, QString::fromUtf8("x" + escape)}, true);
        row("detect", {u"detect"_s, u"--from"_s, QString::fromUtf8("/nowhere/" + escape)}, true);
        row("unknown option", {u"list"_s, QString::fromUtf8("--" + escape)}, true);
        row("no repository", {u"list"_s, u"--repo"_s, QString::fromUtf8("/nowhere/" + escape + backwards)}, true);
    }
    void isText()
    {
        QFETCH(const QStringList, verb);
        QFETCH(const bool, shows);
        const Ran ran = m_fixture->verb(verb);
        QVERIFY2(ran.exitCode >= 0 && ran.exitCode <= 3, ran.err);
        QCOMPARE(obeyed(ran.out, false), QByteArray());
        QCOMPARE(obeyed(ran.err, false), QByteArray());
        const QByteArray all = ran.out + ran.err;
        QVERIFY2(!all.contains("\nSTRAY"), all.left(2000)); // a file's name takes one line
        const bool showed =
            all.contains("\\x1b") || all.contains("\\u202e") || all.contains("\\u2066") || all.contains("\\u001b");
        QVERIFY2(showed || !shows, all.left(2000));
    }

    void isTextOnATerminal_data() { isText_data(); }
    void isTextOnATerminal()
    {
        QFETCH(const QStringList, verb);
        QStringList words{QStringLiteral(TM_PROGRAM)};
        for (QString word : verb)
            words.append(u'\'' + word.replace(u'\'', u"'\\''"_s) + u'\'');
        const Ran ran = m_fixture->inTerminal(words.join(u' '));
        QVERIFY2(ran.exitCode >= 0 && ran.exitCode <= 3, ran.out);
        QVERIFY(!ran.out.isEmpty());
        QCOMPARE(obeyed(ran.out, true), QByteArray());
    }

    // Output of hooks that allow a commit, and of hooks that refuse it.
    void hooks()
    {
        for (const int code : {1, 0}) {
            hook(u"pre-commit"_s,
                 "printf '\\033[2J\\342\\200\\256 checked\\r\\n'; exit " + QByteArray::number(code) + '\n');
            const Ran ran = m_fixture->verb({u"migrate"_s, u"--set"_s, u"metadata_rev=2"_s, u"--apply"_s});
            QVERIFY2(ran.exitCode == (code == 0 ? 0 : 3), ran.err);
            QCOMPARE(obeyed(ran.out, false), QByteArray());
            QCOMPARE(obeyed(ran.err, false), QByteArray());
            QVERIFY2(ran.err.contains("checked"), ran.err);
        }
    }
};

TM_TEST(VerbHostileTest, QCoreApplication)
#include "tst_verb_hostile.moc"
