// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace tmx::test;

namespace {

constexpr rlim_t mostSeconds = 10; // of CPU time
constexpr long mostKilobytes = 1024L * 1024;

/// Invalid versions of torch-matrix.toml; "base" supplies the valid rest.
QByteArrayList badSettings()
{
    const QByteArray base = "base = \"main\"\n";
    QByteArrayList list{// no TOML
                        "=", "a", "a =", "= 1", "[", "[a", "[[a", "[]", "[[]]", "a = [", "a = {", "a = \"", "a = '''",
                        "a = \"\"\"", "a = 1 2", "a = 01", "a = 1__0", "a = 0xg", "a = tru", "a = 2020-13-01",
                        "a = \"\\q\"", "a = \"\\ud800\"", "a = \"\n\"", "a = \xff", "\xef\xbb", "\xff\xfe",
                        QByteArray("a = \"\0\"", 7), "a = 1\na = 2", "[a]\n[a]", "[a]\nb = 1\n[a.b]", "a.b = 1\na = 2",
                        "a = {b = 1, b = 2}", "a = [1,,2]", "a = {,}", "\"a", "'a", "a = \x01", "a = 1 # \x01",
                        "a. = 1", ".a = 1", "a = .5", "a = 5.", "a = +-1", "a = 1e", "[a]]", "a = ]", "}",
                        // too deep, too long
                        "a = " + QByteArray("[").repeated(100'000), QByteArray("a.").repeated(110'000) + "a = 1",
                        "a = " + QByteArray("{a=").repeated(50'000), "[" + QByteArray("a.").repeated(110'000) + "a]",
                        base + "# " + QByteArray("x").repeated(3'000'000), QByteArray("[[cuda]]\n").repeated(20'000),
                        base + "pythons = [" + QByteArray("\"python313\",").repeated(100'000) + "]",
                        // no settings
                        "base = \"nowhere\"", "base = 1", "base = []", "base = \"\"", "base = \"../main\"",
                        "base = \"main\\n\"", "unknown = 1", "pythons = []", "versions = 1", "[[versions]]", "cuda = 1",
                        "[cuda]", "coverage = {}", "[[coverage]]\nrows = []"};
    for (const char *line : {"unknown = 1",
                             "Pythons = [\"python313\"]",
                             "pythons = \"python313\"",
                             "pythons = [1]",
                             "pythons = [\"\"]",
                             "pythons = [\"ruby\"]",
                             "pythons = [\"python313\\n\"]",
                             "pythons = [\"python313\", \"python313\"]",
                             "pythons = [\"python3.13\"]",
                             "families = \"pytorch\"",
                             "families = [\"Tensorflow\"]",
                             "families = [\"pytorch\", \"pytorch\"]",
                             "families = [\"../pytorch\"]",
                             "nixpkgs = \"abc\"",
                             "nixpkgs = 1",
                             "nixpkgs = \"6a030d535719c5190187c4cec156f335e95e321g\"",
                             "nixpkgs = \"6a030d535719c5190187c4cec156f335e95e3211\\n\"",

                             "nixpkgs_sha256 = 1",
                             "nixpkgs_python3 = 1",
                             "versions.pytorch = 2",
                             "versions.pytorch = \"two\"",
                             "versions.pytorch = \"2.9.1\\n\"",
                             "versions.pytorch = \"2.9.1; rm -rf /\"",
                             "versions.tensorflow = \"2\"",
                             "versions.pytorch = [\"2.9.1\"]",
                             "hashes.pytorch = \"md5\"",
                             "hashes.pytorch = 1",
                             "hashes.pytorch = \"sha256-\"",
                             "hashes.nothing = \"x\"",
                             "pname_prefixes.pytorch = \"a b\"",
                             "pname_prefixes.pytorch = \"${x}\"",
                             "pname_prefixes.pytorch = 1",
                             "gpu_templates = \"x\"",
                             "gpu_templates = [\"../../etc/passwd\"]",
                             "gpu_templates = [\"pytorch/nothing\"]",
                             "gpu_templates = [1]",
                             "cpu_templates = [\"/etc/passwd\"]",
                             "cpu_templates = [\"pytorch\"]",
                             "metal_templates = {}",
                             "torch_source = \"nowhere\"",
                             "torch_source = 1",
                             "torch_catalog = \"a b\"",
                             "arch_notation = \"roman\"",
                             "arch_notation = 1",
                             "metadata_rev = \"two\"",
                             "metadata_rev = -1",
                             "metadata_rev = 1.5",
                             "metadata_rev = 99999999999999999999",
                             "metadata_rev = true",
                             "[[cuda]]",
                             "[[cuda]]\nversion = 12.9",
                             "[[cuda]]\nversion = \"0.1\"",
                             "[[cuda]]\nversion = \"12.9\"\nunknown = 1",
                             "[[cuda]]\nversion = \"12.9\\n\"",
                             "[[cuda]]\nversion = \"12.9\"\n[[cuda]]\nversion = \"12.9\"",
                             "[[cuda]]\nversion = \"12.9\"\nattribute = \"a b\"",
                             "[[cuda]]\nversion = \"12.9\"\nrelease = \"twelve\"",
                             "[[cuda]]\nversion = \"12.9\"\nnixpkgs = \"x\"",
                             "[[coverage]]",
                             "[[coverage]]\nrows = [\"sm90\"]",
                             "[[coverage]]\nisas = [\"avx2\"]",
                             "[[coverage]]\nrows = [\"sm1\"]\nisas = [\"avx2\"]",
                             "[[coverage]]\nrows = [\"sm90\"]\nisas = [\"mmx\"]",
                             "[[coverage]]\nrows = \"sm90\"\nisas = [\"avx2\"]",
                             "[[coverage]]\nrows = [90]\nisas = [\"avx2\"]",
                             "[[coverage]]\nrows = [\"sm90\"]\nisas = [\"avx2\"]\ncudas = [\"1.0\"]",
                             "[[coverage]]\nrows = [\"sm90\"]\nisas = [\"avx2\"]\nfamilies = [\"x\"]",
                             "[[coverage]]\nrows = [\"sm90\"]\nisas = [\"avx2\"]\nunknown = 1",
                             "[[profile]]\nbuilds = [\"0.1\"]\nversion = \"x\"",
                             "[[profile]]\nunknown = 1"})
        list.append(base + line);
    return list;
}

/// Invalid descriptions of a machine.
QByteArrayList badMachines()
{
    return {"",
            "\n",
            " ",
            "hello",
            "\xff\xfe\xfd",
            QByteArray(1000, '\0'),
            QByteArray(100'000, 'x'),
            QByteArray("[").repeated(100'000),
            "{",
            "{}",
            "[]",
            "null",
            "1",
            "\"x\"",
            "{\"system\": 1}",
            "{\"cpu\": []}",
            "{\"name\": \"x\"}",
            QByteArray("{\"a\":").repeated(10'000),
            "<html><body>404</body></html>",
            "#!/bin/sh\nrm -rf /\n",
            "command not found",
            "Permission denied",
            "ssh: connect to host x port 22: Connection refused",
            "flags",
            "flags :",
            "processor\nprocessor\n",
            ",,,,",
            "a,b,c\n1,2,3",
            "name, compute_cap, driver_version",
            "%PDF-1.7",
            "\x1f\x8b\x08",
            "PK\x03\x04",
            "\x7f"
            "ELF",
            "-----BEGIN OPENSSH PRIVATE KEY-----",
            "\x1b[2J\x1b]0;x\x07"};
}

/// Words after the program's name; REPO is the sample.
QList<QStringList> badCommands()
{
    const QString name = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
    const QString longName(100'000, u'x');
    QList<QStringList> list{
        {u"list"_s, u"--branch"_s, u"nowhere"_s},
        {u"list"_s, u"--branch"_s},
        {u"list"_s, u"--branch"_s, u"../main"_s},
        {u"list"_s, u"--branch"_s, u"main\n"_s},
        {u"list"_s, u"--branch"_s, longName},
        {u"list"_s, u"--unknown"_s},
        {u"list"_s, u"too"_s, u"many"_s},
        {u"list"_s, u"--repo"_s, u"/nowhere"_s},
        {u"list"_s, u"--repo"_s, u"/dev/null"_s},
        {u"list"_s, u"--repo"_s, u"/"_s},
        {u"list"_s, u"--repo"_s, longName},
        {u"show"_s},
        {u"compare"_s, u"main"_s, u"nowhere"_s},
        {u"compare"_s, u"nowhere"_s, u"main"_s},
        {u"compare"_s, u"main"_s, u"/nowhere@main"_s},
        {u"compare"_s, u"main"_s, u"cuda-12_9"_s, u"--match"_s, u"nothing"_s},
        {u"history"_s},
        {u"history"_s, u"nothing"_s},
        {u"history"_s, longName},
        {u"readme"_s, u"--branch"_s, u"nowhere"_s},
        {u"readme"_s, u"--place"_s, u"nowhere"_s},
        {u"generate"_s},
        {u"generate"_s, name, u"--all"_s},
        {u"generate"_s, name, u"-m"_s, u"x"_s},
        {u"generate"_s, name, u"--stdout"_s, u"--commit"_s},
        {u"generate"_s, name, u"--like"_s, u"nothing"_s},
        {u"generate"_s, u"--all"_s, u"--branch"_s, u"nowhere"_s},
        {u"fix"_s},
        {u"fix"_s, u"nothing"_s},
        {u"fix"_s, u"nothing:driver-low"_s},
        {u"fix"_s, name + u":nothing"_s},
        {u"fix"_s, name + u":driver-low:99"_s},
        {u"fix"_s, u"--rule"_s, u"nothing"_s},
        {u"fix"_s, u"--rule"_s},
        {u"audit"_s, u"--branch"_s, u"nowhere"_s},
        {u"plan"_s, u"--only"_s, u"nothing"_s},
        {u"plan"_s, u"--branch"_s, u"nowhere"_s},
        {u"plan"_s, u"--undo"_s},
        {u"plan"_s, u"--undo"_s, u"--commit"_s, u"nothing"_s},
        {u"plan"_s, u"--undo"_s, u"--commit"_s, QString(40, u'0')},
        {u"plan"_s, u"--commit"_s, u"x"_s},
        {u"derive"_s},
        {u"derive"_s, u"main"_s},
        {u"derive"_s, u"bad name"_s},
        {u"derive"_s, u"-x"_s},
        {u"derive"_s, u"a..b"_s},
        {u"derive"_s, u"x.lock"_s},
        {u"derive"_s, u"main/x"_s},
        {u"derive"_s, u"next"_s, u"--from"_s, u"nowhere"_s},
        {u"derive"_s, u"next"_s, u"--cuda"_s, u"0.1"_s},
        {u"derive"_s, u"next"_s, u"--pytorch"_s, u"two"_s},
        {u"derive"_s, u"next"_s, u"--python"_s, u"ruby"_s},
        {u"derive"_s, u"next"_s, u"--pin"_s, u"x"_s},
        {u"derive"_s, u"next"_s, u"--set"_s, u"nothing=1"_s},
        {u"derive"_s, u"next"_s, u"--set"_s, u"nothing"_s},
        {u"migrate"_s, u"--set"_s, u"nothing=1"_s},
        {u"migrate"_s, u"--pin"_s, u"x"_s},
        {u"migrate"_s, u"--branch"_s, u"nowhere"_s, u"--set"_s, u"metadata_rev=2"_s},
        {u"copy"_s},
        {u"copy"_s, name},
        {u"copy"_s, name, u"--to"_s, u"nowhere"_s},
        {u"copy"_s, u"nothing"_s, u"--to"_s, u"cuda-12_9"_s},
        {u"line"_s},
        {u"line"_s, u"nothing"_s},
        {u"settings"_s, u"show"_s, u"--branch"_s, u"nowhere"_s},
        {u"settings"_s, u"set"_s},
        {u"settings"_s, u"set"_s, u"nothing"_s, u"1"_s},
        {u"settings"_s, u"set"_s, u"pythons"_s},
        {u"settings"_s, u"set"_s, u"metadata_rev"_s, u"two"_s},
        {u"settings"_s, u"set"_s, u"nixpkgs"_s, u"x"_s},
        {u"settings"_s, u"set"_s, u"versions.nothing"_s, u"1"_s},
        {u"settings"_s, u"set"_s, u"arch_notation"_s, u"roman"_s},
        {u"settings"_s, u"set"_s, longName, u"1"_s},
        {u"template"_s},
        {u"template"_s, u"learn"_s, u"--save"_s, u"../x"_s},
        {u"template"_s, u"learn"_s, u"--save"_s, u"nothing"_s},
        {u"pick"_s, u"--workload"_s, u"nothing"_s},
        {u"pick"_s, u"--on"_s, u"nowhere"_s},
        {u"pick"_s, u"--on"_s, u"../x"_s},
        {u"pick"_s, u"--branch"_s, u"nowhere"_s},
        {u"detect"_s, u"--from"_s, u"/nowhere"_s},
        {u"detect"_s, u"--from"_s, u"/"_s},
        {u"detect"_s, u"--from"_s, u"/dev/zero"_s},
        {u"detect"_s, u"--save"_s, u"../x"_s},
        {u"detect"_s, u"--save"_s, u"a/b"_s},
        {u"detect"_s, u"--save"_s, u"x\n"_s},
        {u"detect"_s, u"--ssh"_s, u"-oProxyCommand=x"_s},
        {u"detect"_s, u"--ssh"_s, u"x y"_s},
        {u"detect"_s, u"--ssh"_s, u"x\n"_s},
        {u"explain"_s},
        {u"explain"_s, u"nothing"_s},
        {u"explain"_s, name, u"--on"_s, u"nowhere"_s},
        {u"build"_s},
        {u"sample"_s},
        {u"sample"_s, u"/"_s},
        {u"sample"_s, u"/proc/x"_s},
        {u"sample"_s, u"/dev/null/x"_s},
    };
    // Names of variants, for each verb that takes one.
    for (const QString &bad :
         {u""_s, u"x"_s, u"-"_s, u"pytorch"_s, u"pytorch-python313"_s, u"pytorch-python313-cuda12_8-sm90"_s,
          u"pytorch-python313-cuda12_8-sm90-avx2-x"_s, name + u'\n', u"../"_s + name, u"a/../b"_s, u"$(x)"_s,
          u"pytorch-python313-cuda99_9-sm90-avx2"_s, u"pytorch-python313-cuda12_8-sm1-avx2"_s,
          u"pytorch-python313-cuda12_8-sm90-mmx"_s, u"tensorflow-python313-cuda12_8-sm90-avx2"_s,
          QString::fromUtf8("\xe2\x80\xae"), longName}) {
        for (const QString &verb : {u"show"_s, u"generate"_s, u"explain"_s, u"build"_s})
            list.append({verb, u"--"_s, bad});
    }
    return list;
}

} // namespace

/// Invalid input for the program: each is answered with a sentence, within ten seconds of CPU time and a gigabyte of
/// memory.
class VerbBadInputTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<VerbFixture> m_fixture;
    int m_inputs = 0;

    struct Limited {
        Ran ran;
        long kilobytes = 0;
    };
    [[nodiscard]] Limited run(const QStringList &arguments) const
    {
        QByteArrayList words{TM_PROGRAM};
        for (const QString &argument : arguments)
            words.append(argument.toUtf8());
        QByteArrayList environment;
        for (const QString &variable : m_fixture->environment().toStringList())
            environment.append(variable.toLocal8Bit());
        const auto pointers = [](const QByteArrayList &texts) {
            std::vector<char *> list;
            for (const QByteArray &text : texts)
                list.push_back(const_cast<char *>(text.constData()));
            list.push_back(nullptr);
            return list;
        };
        const auto argv = pointers(words);
        const auto envp = pointers(environment);
        const QByteArray folder = m_fixture->sample().toLocal8Bit();
        const QString outputs[] = {m_fixture->sample() + u"/../out"_s, m_fixture->sample() + u"/../err"_s};
        const QByteArray out = outputs[0].toLocal8Bit();
        const QByteArray err = outputs[1].toLocal8Bit();
        const pid_t pid = ::fork();
        if (pid == 0) {
            const rlimit cpu{mostSeconds, mostSeconds};
            ::setrlimit(RLIMIT_CPU, &cpu);
            ::dup2(::open("/dev/null", O_RDONLY), 0);
            ::dup2(::open(out.constData(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
            ::dup2(::open(err.constData(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
            if (::chdir(folder.constData()) == 0)
                ::execve(argv.front(), argv.data(), envp.data());
            ::_exit(errno == E2BIG ? 3 : 126);
        }
        int status = 0;
        rusage used{};
        if (pid < 0 || ::wait4(pid, &status, 0, &used) != pid)
            qFatal("cannot run the program");
        Limited limited{{WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), {}, {}}, used.ru_maxrss};
        const auto text = [](const QString &path) {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        limited.ran.out = text(outputs[0]);
        limited.ran.err = text(outputs[1]);
        return limited;
    }
    /// The problem of an answer; empty if there is none.
    [[nodiscard]] static QByteArray troubleOf(const Limited &limited)
    {
        // An answer that is no error, "it does not run there", is valid.
        const bool answers = limited.ran.exitCode == 1 && limited.ran.err.trimmed().isEmpty();
        const QByteArray said = (answers ? limited.ran.out : limited.ran.err).trimmed();
        const QByteArray answer = QByteArray::number(limited.ran.exitCode) + ' ' +
                                  QByteArray::number(limited.kilobytes) + " KiB: " + said.left(1000);
        if (limited.ran.exitCode < 1 || limited.ran.exitCode > 3)
            return "ended with " + answer;
        if (limited.kilobytes > mostKilobytes)
            return "took too much memory: " + answer;
        const QByteArray sentence = said.mid(said.lastIndexOf('\n') + 1);
        if (sentence.size() < 20 || sentence.size() > 200'000 || said.contains("terminate called") ||
            said.contains("std::") || said.contains("Assert"))
            return "said no clear sentence: " + answer;
        if (limited.ran.exitCode != 1 && (!sentence.startsWith("torch-matrix: ") || said.count("torch-matrix: ") != 1))
            return "said more or less than one sentence: " + answer;
        return {};
    }
    void judge(const QByteArray &input, const QStringList &arguments)
    {
        ++m_inputs;
        if (const QByteArray trouble = troubleOf(run(arguments)); !trouble.isEmpty())
            m_troubles.append(input.left(200).toPercentEncoding(" =[]{}\"'\n,;:/") + "\n    " + trouble);
    }
    QByteArrayList m_troubles;

private Q_SLOTS:
    void initTestCase() { m_fixture = std::make_unique<VerbFixture>(); }
    void init()
    {
        QTest::failOnWarning();
        m_troubles.clear();
    }
    void cleanup() { QVERIFY2(m_troubles.isEmpty(), m_troubles.join('\n')); }

    void settings()
    {
        for (const QByteArray &text : badSettings()) {
            m_fixture->write(u"torch-matrix.toml"_s, text);
            judge(text, {u"settings"_s, u"show"_s});
        }
        QVERIFY(QFile::remove(m_fixture->sample() + u"/torch-matrix.toml"_s));
    }
    void machines()
    {
        for (const QByteArray &text : badMachines()) {
            m_fixture->write(u"machine"_s, text);
            judge(text, {u"detect"_s, u"--from"_s, u"machine"_s});
        }
        QVERIFY(QFile::remove(m_fixture->sample() + u"/machine"_s));
    }
    void commands()
    {
        for (const QStringList &words : badCommands())
            judge(words.join(u' ').toUtf8(), words);
    }
    /// Named pipes without a writer, where git and the program expect files: nothing blocks.
    void pipes()
    {
        const QString head = QString::fromLatin1(m_fixture->git({u"rev-parse"_s, u"HEAD"_s}).out.trimmed());
        const QString pack = u".git/objects/pack/pack-%1"_s.arg(QString(40, u'1'));
        m_fixture->write(pack + u".pack"_s, "PACK");
        const QStringList places{u".git/HEAD"_s,
                                 u".git/config"_s,
                                 u".git/packed-refs"_s,
                                 u".git/index"_s,
                                 u".git/refs/heads/pipe"_s,
                                 u".git/logs/HEAD"_s,
                                 u".git/info/exclude"_s,
                                 u".git/torch-matrix"_s,
                                 u".git/objects/info/alternates"_s,
                                 u".git/objects/%1/%2"_s.arg(head.first(2), head.sliced(2)),
                                 pack + u".idx"_s,
                                 u".flox/pkgs/pytorch-python313-cpu-avx2.nix"_s,
                                 u".flox/env/manifest.toml"_s,
                                 u".gitignore"_s,
                                 u".gitattributes"_s,
                                 u"README.md"_s,
                                 u"torch-matrix.toml"_s};
        for (const QString &place : places) {
            const QString path = m_fixture->sample() + u'/' + place;
            const QString aside = m_fixture->sample() + u"/.git/aside"_s;
            const bool was = QFile::exists(path);
            QVERIFY2(!was || QFile::rename(path, aside), qPrintable(place));
            QVERIFY(QDir().mkpath(QFileInfo(path).path()));
            QVERIFY2(::mkfifo(QFile::encodeName(path).constData(), 0600) == 0, qPrintable(place));
            for (const QStringList &verb : {QStringList{u"list"_s}, {u"audit"_s}, {u"plan"_s}, {u"readme"_s}}) {
                ++m_inputs;
                const Ran ran = m_fixture->verb(verb);
                if (ran.exitCode < 0 || ran.exitCode > 3 || (ran.out.isEmpty() && ran.err.isEmpty()))
                    m_troubles.append((place + u' ' + verb.join(u' ')).toUtf8() + ": " +
                                      QByteArray::number(ran.exitCode) + ' ' + ran.err);
            }
            QVERIFY(QFile::remove(path) && (!was || QFile::rename(aside, path)));
        }
        QVERIFY(QFile::remove(m_fixture->sample() + u'/' + pack + u".pack"_s));
    }
    void cleanupTestCase()
    {
        qInfo("%d inputs", m_inputs);
        QVERIFY(m_inputs >= 300);
    }
};

TM_TEST(VerbBadInputTest, QCoreApplication)
#include "tst_verb_badinput.moc"
