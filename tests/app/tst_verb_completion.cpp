// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QDirIterator>
#include <QHash>
#include <QRegularExpression>
#include <QStandardPaths>

using namespace Qt::StringLiterals;
using namespace tmx::test;

/// The shells' completions and the man page match the verbs' own definitions.
class VerbCompletionTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<VerbFixture> m_fixture;
    QTemporaryDir m_folder;

    [[nodiscard]] QStringList complete(const QStringList &words) const
    {
        QStringList candidates;
        for (const QByteArray &line : m_fixture->verb(QStringList{u"--complete"_s} + words).out.split('\n')) {
            if (!line.isEmpty())
                candidates.append(QString::fromUtf8(line.split('\t').constFirst()));
        }
        return candidates;
    }

    /// The verbs that can follow `words`; ":folders" is none.
    [[nodiscard]] QStringList verbsAfter(const QStringList &words) const
    {
        return complete(words + QStringList{u""_s}).filter(QRegularExpression(u"^[a-z]+$"_s));
    }

    /// Every verb, "queue move" among them.
    [[nodiscard]] QList<QStringList> verbs() const
    {
        QList<QStringList> all;
        for (const QString &verb : verbsAfter({})) {
            const bool hasVerbs = QStringList{u"queue"_s, u"settings"_s, u"template"_s, u"builds"_s}.contains(verb);
            for (const QString &below : hasVerbs ? verbsAfter({verb}) : QStringList())
                all.append({verb, below});
            if (!hasVerbs || QStringList{u"queue"_s, u"builds"_s}.contains(verb)) // which do something alone
                all.append({verb});
        }
        return all;
    }

    /// The long options that --help lists.
    [[nodiscard]] QStringList helpOptions(const QStringList &verb) const
    {
        const QString help = QString::fromUtf8(m_fixture->verb(verb + QStringList{u"--help"_s}).out);
        static const QRegularExpression option(u"^ +(?:-\\w,\\s*)?(--[a-z-]+)"_s, QRegularExpression::MultilineOption);
        QStringList options;
        for (const QRegularExpressionMatch &match : option.globalMatch(help))
            options.append(match.captured(1));
        return options;
    }

    /// packaging/packages lists these programs: a test that lacks one fails.
    static bool isHere(const QString &program)
    {
        const bool found = !QStandardPaths::findExecutable(program).isEmpty();
        if (!found)
            QTest::qFail(qPrintable(program + u" is not installed"_s), __FILE__, __LINE__);
        return found;
    }

    [[nodiscard]] QString script(const QString &shell)
    {
        QFile file(m_folder.filePath(shell));
        if (file.open(QIODevice::WriteOnly))
            file.write(m_fixture->verb({u"--completions"_s, shell}).out);
        return file.fileName();
    }

    /// The completions of a real shell for these words, by running `command` in it.
    [[nodiscard]] Ran shell(const QString &program, const QString &command, const QStringList &words) const
    {
        QProcessEnvironment environment = m_fixture->environment();
        environment.insert(u"PATH"_s,
                           QFileInfo(QStringLiteral(TM_PROGRAM)).path() + u':' + environment.value(u"PATH"_s));
        return tmx::test::ran(program, QStringList{u"-c"_s, command} + words, m_fixture->sample(), environment);
    }

private Q_SLOTS:
    void initTestCase() { m_fixture = std::make_unique<VerbFixture>(); }
    void init() { QTest::failOnWarning(); }

    void everyOptionIsOffered()
    {
        QVERIFY(verbs().size() > 25);
        for (const QStringList &verb : verbs()) {
            QStringList offered = complete(verb + QStringList{u"--"_s});
            QStringList listed = helpOptions(verb);
            offered.sort();
            listed.sort();
            QVERIFY2(listed.size() > 0, qPrintable(verb.join(u' ')));
            QCOMPARE(offered, listed);
        }
        QVERIFY(!verbsAfter({}).contains(u"run-queue"_s));
    }

    void whatTheRepositoryHolds()
    {
        const QStringList branches{u"cuda-12_9"_s, u"cuda-13_0"_s, u"main"_s};
        QCOMPARE(complete({u"list"_s, u"--branch"_s, u""_s}), branches);
        QCOMPARE(complete({u"compare"_s, u"main"_s, u""_s}), branches);
        QCOMPARE(complete({u"list"_s, u"--branch=cu"_s}),
                 (QStringList{u"--branch=cuda-12_9"_s, u"--branch=cuda-13_0"_s}));
        QCOMPARE(complete({u"list"_s, u"--branch"_s, u"="_s, u"ma"_s}), QStringList{u"main"_s});
        for (const QString &branch : branches) {
            QStringList recipes;
            for (const QByteArray &path :
                 m_fixture->git({u"ls-tree"_s, u"-r"_s, u"--name-only"_s, branch, u".flox/pkgs/"_s}).out.split('\n')) {
                if (path.endsWith(".nix"))
                    recipes.append(QFileInfo(QString::fromUtf8(path)).completeBaseName());
            }
            QStringList names = complete({u"show"_s, u"--branch"_s, branch, u""_s});
            names.sort();
            recipes.sort();
            QCOMPARE(names, recipes);
        }
        const QString missing = u"pytorch-python313-cpu-avx2"_s;
        QVERIFY(!complete({u"generate"_s, u""_s}).contains(missing));
        QVERIFY(QFile::remove(m_fixture->sample() + u"/.flox/pkgs/"_s + missing + u".nix"_s));
        m_fixture->git({u"commit"_s, u"-qam"_s, u"Remove a recipe"_s});
        QVERIFY(complete({u"generate"_s, u""_s}).contains(missing));
        QVERIFY(!complete({u"show"_s, u""_s}).contains(missing));
        QCOMPARE(complete({u"export"_s, u"git"_s}), (QStringList{u"github"_s, u"gitlab"_s}));
        QCOMPARE(complete({u"sample"_s, u""_s}), QStringList{u":folders"_s});
        // A new name cannot be completed.
        QCOMPARE(complete({u"derive"_s, u""_s}), QStringList());
        QCOMPARE(complete({u"detect"_s, u"--save"_s, u""_s}), QStringList());
    }

    void withoutARepository()
    {
        QCOMPARE(complete({u"list"_s, u"--repo"_s, m_folder.path(), u"--branch"_s, u""_s}), QStringList());
        QCOMPARE(complete({u"show"_s, u"--repo"_s, m_folder.path(), u""_s}), QStringList());
        QCOMPARE(complete({u"nosuch"_s, u"--"_s}).isEmpty(), false);
    }

    /// README.md and the manual name only existing verbs and options, and every verb.
    void theManualNamesWhatThereIs()
    {
        QHash<QString, QStringList> known;
        for (const QStringList &verb : verbs()) {
            known.insert(verb.join(u' '), helpOptions(verb));
            if (verb.size() > 1 && !known.contains(verb.first()))
                known.insert(verb.first(), helpOptions({verb.first()}));
        }
        QStringList files{QStringLiteral(TM_SOURCE_DIR "/README.md")};
        const QDir help(QStringLiteral(TM_SOURCE_DIR "/resources/help"));
        for (const QString &name : help.entryList({u"*.md"_s}, QDir::Files))
            files.append(help.filePath(name));
        static const QRegularExpression command(
            u"(?:torch-matrix|packaging/run\\.sh) ([a-z][^`\n#]*)|`([a-z]+ (?:[a-z]+ )?--[^`]*)`"_s);
        static const QRegularExpression option(u" (--[a-z][a-z-]*)"_s);
        int commands = 0;
        int options = 0;
        for (const QString &path : std::as_const(files)) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString text = QString::fromUtf8(file.readAll());
            for (auto found = command.globalMatch(text); found.hasNext();) {
                const auto match = found.next();
                const QString words = match.captured(1) + match.captured(2);
                const QStringList parts = words.split(u' ');
                if (match.captured(1).isEmpty() && !known.contains(parts.first()))
                    continue; // another program's
                QVERIFY2(known.contains(parts.first()), qPrintable(path + u": "_s + words));
                ++commands;
                const QString two = parts.mid(0, 2).join(u' ');
                const QStringList there = known.value(known.contains(two) ? two : parts.first());
                for (auto one = option.globalMatch(words); one.hasNext(); ++options) {
                    const QString name = one.next().captured(1);
                    QVERIFY2(there.contains(name), qPrintable(path + u": "_s + words + u": "_s + name));
                }
            }
        }
        QVERIFY(commands > 40 && options > 40);
        QFile page(help.filePath(u"verbs.md"_s));
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QByteArray table = page.readAll();
        for (const QStringList &verb : verbs())
            QVERIFY2(table.contains('`' + verb.first().toUtf8()), qPrintable(verb.first()));
    }

    /// Messages in the manual can be found by searching: their words are in the sources.
    void theTroublesAreThoseOfThisProgram()
    {
        QString sources;
        QDirIterator walk(QStringLiteral(TM_SOURCE_DIR "/model"), {u"*.cpp"_s}, QDir::Files,
                          QDirIterator::Subdirectories);
        while (walk.hasNext()) {
            QFile file(walk.next());
            if (file.open(QIODevice::ReadOnly))
                sources += QString::fromUtf8(file.readAll());
        }
        sources.remove(QRegularExpression(u"\"\\s*\\n\\s*\""_s)); // a text on several lines
        QFile page(QStringLiteral(TM_SOURCE_DIR "/resources/help/troubleshooting.md"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        int messages = 0;
        for (const QString &line : QString::fromUtf8(page.readAll()).split(u'\n')) {
            const QString message = line.section(u'|', 1, 1).trimmed();
            if (message.isEmpty() || message == "message"_L1 || message == "---"_L1)
                continue;
            ++messages;
            QVERIFY2(sources.contains(message) || sources.contains(QString(message).replace(u"flox"_s, u"%1"_s)),
                     qPrintable(message));
        }
        QVERIFY(messages > 20);
    }

    void anotherShellIsRefused()
    {
        const Ran ran = m_fixture->verb({u"--completions"_s, u"tcsh"_s});
        QCOMPARE(ran.exitCode, 2);
        QVERIFY(ran.out.isEmpty());
    }

    void inBash()
    {
        const QString command = u"source \"$0\"; COMP_WORDS=(torch-matrix \"$@\"); COMP_CWORD=$#; _torch_matrix; "
                                "printf '%s\\n' \"${COMPREPLY[@]}\""_s;
        const QString file = script(u"bash"_s);
        QCOMPARE(shell(u"bash"_s, command, {file, u"list"_s, u"--branch"_s, u"cuda"_s}).out, "cuda-12_9\ncuda-13_0\n");
        QCOMPARE(shell(u"bash"_s, command, {file, u"expo"_s}).out, "export\n");
        QVERIFY(QDir(m_folder.path()).mkpath(u"two words"_s));
        const QString folder = m_folder.filePath(u"two"_s);
        QCOMPARE(shell(u"bash"_s, command, {file, u"list"_s, u"--repo"_s, folder}).out,
                 (folder + u" words\n"_s).toUtf8());
    }

    void inZsh()
    {
        if (!isHere(u"zsh"_s))
            return;
        const QString command = u"compdef() { }; source \"$0\"; _describe() { print -rl -- \"${(@P)2}\" }; "
                                "words=(torch-matrix \"$@\"); CURRENT=$#words; _torch-matrix"_s;
        const Ran ran = shell(u"zsh"_s, command, {script(u"zsh"_s), u"list"_s, u"--branch"_s, u"cuda"_s});
        QVERIFY2(ran.err.isEmpty(), ran.err.constData());
        QCOMPARE(ran.out, "cuda-12_9\ncuda-13_0\n");
        QVERIFY(shell(u"zsh"_s, command, {script(u"zsh"_s), u"expo"_s}).out.startsWith("export:"));
    }

    void inFish()
    {
        if (!isHere(u"fish"_s))
            return;
        const QString command = u"source "_s + script(u"fish"_s) + u"; complete -C '%1'"_s;
        const Ran ran = shell(u"fish"_s, command.arg(u"torch-matrix list --branch cuda"_s), {});
        QVERIFY2(ran.err.isEmpty(), ran.err.constData());
        QCOMPARE(ran.out, "cuda-12_9\ncuda-13_0\n");
        QVERIFY(shell(u"fish"_s, command.arg(u"torch-matrix expo"_s), {}).out.startsWith("export\t"));
        QVERIFY(shell(u"fish"_s, command.arg(u"torch-matrix list --bra"_s), {}).out.startsWith("--branch\t"));
    }

    void theManPageHasEveryOption()
    {
        const Ran ran = m_fixture->verb({u"--man-page"_s, QStringLiteral(TM_SOURCE_DIR "/packaging/torch-matrix.1")});
        QVERIFY2(ran.exitCode == 0, ran.err.constData());
        const QString page = QString::fromUtf8(ran.out);
        for (const QStringList &verb : verbs()) {
            const QString section = page.section(u".SS "_s + verb.join(u' ') + u'\n', 1).section(u"\n.S"_s, 0, 0);
            for (const QString &option : helpOptions(verb)) {
                const QString bold = u"\\fB"_s + QString(option).replace(u'-', u"\\-"_s) + u"\\fR"_s;
                QVERIFY2(option == u"--help"_s || section.contains(bold), qPrintable(verb.join(u' ') + u' ' + option));
            }
        }
        // Hand-written text names only existing options.
        QStringList known{u"--help"_s, u"--version"_s};
        for (const QStringList &verb : verbs())
            known += helpOptions(verb);
        static const QRegularExpression written(u"\\\\-\\\\-([a-z]+(?:\\\\-[a-z]+)*)"_s);
        for (const QRegularExpressionMatch &match : written.globalMatch(page)) {
            const QString option = u"--"_s + match.captured(1).remove(u'\\');
            QVERIFY2(known.contains(option), qPrintable(option));
        }
        QFile file(m_folder.filePath(u"torch-matrix.1"_s));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(ran.out) == ran.out.size());
        file.close();
        for (const QStringList &check : {QStringList{u"mandoc"_s, u"-Tlint"_s, u"-Wwarning"_s},
                                         QStringList{u"groff"_s, u"-ww"_s, u"-man"_s, u"-Tutf8"_s, u"-z"_s}}) {
            if (!isHere(check.constFirst()))
                continue;
            QProcess process;
            process.setProcessChannelMode(QProcess::MergedChannels);
            process.start(check.constFirst(), check.sliced(1) + QStringList{file.fileName()});
            QVERIFY(process.waitForFinished());
            QCOMPARE(process.readAll(), QByteArray());
        }
    }

    void aPageThatLacksAVerbIsRefused()
    {
        QFile file(m_folder.filePath(u"page"_s));
        for (const char *text : {".\\\" VERB list\n", ".\\\" VERB nosuch\n"}) {
            QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write(text) > 0);
            file.close();
            const Ran ran = m_fixture->verb({u"--man-page"_s, file.fileName()});
            QCOMPARE(ran.exitCode, 3);
            QVERIFY(ran.out.isEmpty());
        }
    }
};

TM_TEST(VerbCompletionTest, QCoreApplication)
#include "tst_verb_completion.moc"
