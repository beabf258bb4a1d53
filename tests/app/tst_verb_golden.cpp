// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx::test;

namespace {

constexpr char broken[] = "pytorch-python313-cuda12_8-sm90-avx512";
constexpr char edited[] = "pytorch-python313-cuda12_8-sm90-avx2";
constexpr char missing[] = "pytorch-python313-cuda12_8-sm90-armv9";
constexpr char sound[] = "pytorch-python313-cpu-avx2";

QString recipe(const char *name)
{
    return u".flox/pkgs/%1.nix"_s.arg(QLatin1StringView(name));
}

} // namespace

/// Every verb on one repository with one problem of each kind: exit code, standard output and standard error equal
/// those in tests/fixtures/golden. TORCH_MATRIX_GOLDEN=write rewrites them, for review as a diff.
class VerbGoldenTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<VerbFixture> m_fixture;

    static QString hopper() { return QStringLiteral(TM_FIXTURES "/hosts/h100-sapphire-rapids/detect.json"); }
    static QString folder() { return QStringLiteral(TM_FIXTURES "/golden/"); }

    void commit(const QString &message) const
    {
        m_fixture->git({u"add"_s, u"-A"_s});
        m_fixture->git({u"commit"_s, u"-qm"_s, message});
    }
    void change(const char *name, const QByteArray &before, const QByteArray &after) const
    {
        QByteArray text = m_fixture->read(recipe(name));
        QVERIFY2(text.contains(before), name);
        m_fixture->write(recipe(name), text.replace(before, after));
    }

    /// `main` with two rows of three cells, and `hand` without a settings file.
    void makeRepository() const
    {
        m_fixture->git({u"branch"_s, u"-D"_s, u"cuda-12_9"_s});
        const QDir recipes(m_fixture->sample() + u"/.flox/pkgs"_s);
        for (const QString &file : recipes.entryList(QDir::Files)) {
            static const QRegularExpression kept(u"-(sm90|cpu)-(avx2|avx512)\\.nix$"_s);
            if (!kept.match(file).hasMatch())
                QVERIFY(QFile::remove(recipes.filePath(file)));
        }
        commit(u"Keep two rows"_s);
        m_fixture->git({u"branch"_s, u"hand"_s});
        m_fixture->write(u"torch-matrix.toml"_s, "base = 'main' # as it was\n\n[[coverage]]\nrows = ['sm90', 'cpu']\n"
                                                 "isas = ['avx2', 'avx512', 'armv9']\n");
        change(broken, "gpuArchSM = \"9.0\"", "gpuArchSM = \"sm_90\"");
        commit(u"Write the settings down"_s);
        change(edited, "-mfma", "-mno-fma");
        m_fixture->write(recipe("pytorch-python313-cuda12_8-sm90-avx2-magma"), m_fixture->read(recipe(sound)));
        m_fixture->write(u"README.md"_s, "# Builds\n\n<!-- torch-matrix: begin -->\n<!-- torch-matrix: end -->\n");
        m_fixture->git({u"add"_s, u"README.md"_s});
        m_fixture->git({u"commit"_s, u"-qm"_s, u"Place the markers"_s});
    }

    /// The text without what differs between runs: the folder, ids of the repository's own objects, times.
    [[nodiscard]] QString settled(const QByteArray &text) const
    {
        QString out = QString::fromUtf8(text).replace(m_fixture->sample(), u"<sample>"_s);
        static const QRegularExpression ids(u"\\b[0-9a-f]{7,40}\\b"_s);
        static const QRegularExpression times(u"\\d{4}-\\d\\d-\\d\\d[T ][0-9:.]+(Z|[+-]\\d\\d:?\\d\\d)?"_s);
        static const QRegularExpression days(u"\\b\\d{4}-\\d\\d-\\d\\d\\b"_s);
        static const QRegularExpression saved(u"saved/[0-9]{8}-[0-9]{6}[.][0-9]{3}-<id>"_s);
        QSet<QString> own;
        const QList<QByteArray> objects =
            m_fixture->git({u"cat-file"_s, u"--batch-all-objects"_s, u"--batch-check=%(objectname)"_s}).out.split('\n');
        QStringList found;
        for (auto it = ids.globalMatch(out); it.hasNext();)
            found.append(it.next().captured());
        for (const QString &id : std::as_const(found)) {
            for (const QByteArray &object : objects) {
                if (!object.isEmpty() && object.startsWith(id.toLatin1()))
                    own.insert(id);
            }
        }
        // An id may appear in full and abbreviated.
        QStringList longest(own.cbegin(), own.cend());
        std::ranges::stable_sort(longest, {}, [](const QString &id) { return -id.size(); });
        for (const QString &id : std::as_const(longest))
            out.replace(id, u"<id>"_s);
        return out.replace(times, u"<time>"_s).replace(days, u"<day>"_s).replace(saved, u"saved/<name>"_s);
    }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning();
        m_fixture = std::make_unique<VerbFixture>();
        makeRepository();
    }

    void says_data()
    {
        QTest::addColumn<QStringList>("arguments");
        const auto row = [](const char *name, const QStringList &arguments) { QTest::newRow(name) << arguments; };
        const QString name = QString::fromLatin1(missing);
        // Reading verbs come first: each row finds the repository unchanged.
        row("list", {u"list"_s});
        row("list-json", {u"list"_s, u"--json"_s});
        row("list-all-json", {u"list"_s, u"--all-branches"_s, u"--json"_s});
        row("show-json", {u"show"_s, QString::fromLatin1(broken), u"--json"_s});
        row("audit", {u"audit"_s, u"--notes"_s});
        row("audit-json", {u"audit"_s, u"--json"_s});
        row("plan", {u"plan"_s});
        row("plan-json", {u"plan"_s, u"--json"_s});
        row("fix", {u"fix"_s, QString::fromLatin1(edited) + u":cpu-flags-missing"_s});
        row("fix-json", {u"fix"_s, u"--regenerate"_s, QString::fromLatin1(broken), u"--json"_s});
        row("compare", {u"compare"_s, u"main"_s, u"hand"_s});
        row("compare-json", {u"compare"_s, u"main"_s, u"hand"_s, u"cuda-13_0"_s, u"--only-differences"_s, u"--json"_s});
        row("compare-markdown", {u"compare"_s, u"main"_s, u"hand"_s, u"--markdown"_s});
        row("history-json", {u"history"_s, QString::fromLatin1(broken), u"--json"_s});
        row("settings-show", {u"settings"_s, u"show"_s});
        row("settings-show-json", {u"settings"_s, u"show"_s, u"--branch"_s, u"hand"_s, u"--json"_s});
        row("pick-json", {u"pick"_s, u"--on"_s, hopper(), u"--json"_s});
        row("pick-all-json", {u"pick"_s, u"--all-branches"_s, u"--on"_s, hopper(), u"--json"_s});
        row("explain-json", {u"explain"_s, name, u"--on"_s, hopper(), u"--json"_s});
        row("readme-check-json", {u"readme"_s, u"--check"_s, u"--json"_s});
        row("derive-json", {u"derive"_s, u"next"_s, u"--from"_s, u"main"_s, u"--cuda"_s, u"12.9"_s, u"--json"_s});
        row("derive", {u"derive"_s, u"next"_s, u"--from"_s, u"main"_s, u"--cuda"_s, u"12.9"_s});
        row("migrate-json", {u"migrate"_s, u"--set"_s, u"metadata_rev=7"_s, u"--json"_s});
        row("migrate", {u"migrate"_s, u"--set"_s, u"metadata_rev=7"_s, u"--diff"_s});
        row("copy-json", {u"copy"_s, QString::fromLatin1(sound), u"--to"_s, u"cuda-13_0"_s, u"--json"_s});
        row("generate-stdout", {u"generate"_s, name, u"--stdout"_s});
        row("no-such-variant", {u"show"_s, u"pytorch-python313-cpu-sse"_s});
        row("no-such-branch", {u"list"_s, u"--branch"_s, u"gone"_s});
        // Verbs that write.
        row("generate-json", {u"generate"_s, name, u"--json"_s});
        row("generate-again", {u"generate"_s, name});
        row("generate-commit", {u"generate"_s, u"--all"_s, u"--commit"_s});
        row("fix-apply-json",
            {u"fix"_s, QString::fromLatin1(broken) + u":gpu-targets-notation"_s, u"--apply"_s, u"--json"_s});
        row("plan-apply-json", {u"plan"_s, u"--apply"_s, u"--json"_s});
        row("plan-undo-json", {u"plan"_s, u"--undo"_s, u"--apply"_s, u"--json"_s});
        row("settings-set", {u"settings"_s, u"set"_s, u"metadata_rev"_s, u"3"_s});
        row("copy-apply", {u"copy"_s, name, u"--to"_s, u"hand"_s, u"--apply"_s});
        row("derive-apply", {u"derive"_s, u"next"_s, u"--from"_s, u"hand"_s, u"--apply"_s});
        row("readme-json", {u"readme"_s, u"--branch"_s, u"main"_s, u"--apply"_s, u"--json"_s});
    }
    void says()
    {
        QFETCH(const QStringList, arguments);
        const Ran ran = m_fixture->verb(arguments);
        const QString text = u"$ torch-matrix %1\n%2\n%3\nexit code %4\n"_s.arg(
            arguments.join(u' ').replace(QStringLiteral(TM_FIXTURES), u"<fixtures>"_s), settled(ran.out),
            settled(ran.err), QString::number(ran.exitCode));
        QFile file(folder() + QString::fromLatin1(QTest::currentDataTag()) + u".txt"_s);
        if (qEnvironmentVariable("TORCH_MATRIX_GOLDEN") == "write"_L1) {
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text.toUtf8());
            return;
        }
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
        const QStringList wanted = QString::fromUtf8(file.readAll()).split(u'\n');
        const QStringList lines = text.split(u'\n');
        for (qsizetype i = 0; i < std::min(wanted.size(), lines.size()); ++i)
            QVERIFY2(lines.at(i) == wanted.at(i),
                     qPrintable(u"line %1: \"%2\" instead of \"%3\""_s.arg(i + 1).arg(lines.at(i), wanted.at(i))));
        QCOMPARE(lines.size(), wanted.size());
    }
};

TM_TEST(VerbGoldenTest, QCoreApplication)
#include "tst_verb_golden.moc"
