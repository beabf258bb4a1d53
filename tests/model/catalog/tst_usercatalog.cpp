// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Catalog.h"
#include "tests/support/FileText.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace tmx;
using namespace Qt::StringLiterals;

class UserCatalogTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    void write(const QString &path, const QByteArray &text) const
    {
        tmx::test::putFile(m_folder->filePath(path), text);
    }

    std::shared_ptr<const Catalog> load() const
    {
        auto catalog = Catalog::load(m_folder->path());
        if (catalog)
            return *catalog;
        QTest::qFail(qPrintable(catalog.error().sentence()), __FILE__, __LINE__);
        return {};
    }

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning();
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void anAbsentOrEmptyFolderChangesNothing()
    {
        const auto plain = Catalog::load();
        QVERIFY(plain.ok());
        for (const QString &folder : {m_folder->path(), m_folder->path() + u"/not-there"_s}) {
            const auto catalog = Catalog::load(folder);
            QVERIFY(catalog.ok());
            QCOMPARE((*catalog)->rows, (*plain)->rows);
            QCOMPARE((*catalog)->isas, (*plain)->isas);
            QCOMPARE((*catalog)->builtIn, (*plain)->builtIn);
        }
    }

    /// Forms of texts are not checked in the built-in files, when the program starts.
    void theBuiltInFilesPassAsAUsersFiles()
    {
        const QString builtIn = u":/torch-matrix/catalog/"_s;
        int files = 0;
        QDirIterator each(builtIn, QDir::Files, QDirIterator::Subdirectories);
        while (each.hasNext()) {
            QFile file(each.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            write(file.fileName().sliced(builtIn.size()), file.readAll());
            ++files;
        }
        QCOMPARE_GE(files, 6);
        const auto catalog = load();
        QVERIFY(catalog);
        QCOMPARE(catalog->isas, (*Catalog::load())->isas);
    }

    void findsTheUsersFolder()
    {
        write(u"torch-matrix/catalog/families.toml"_s, "[[family]]\nid = \"torchao\"\ntitle = \"TorchAO\"\n");
        const QByteArray before = qgetenv("XDG_CONFIG_HOME");
        qputenv("XDG_CONFIG_HOME", m_folder->path().toUtf8());
        const auto catalog = Catalog::loadForUser();
        before.isNull() ? qunsetenv("XDG_CONFIG_HOME") : qputenv("XDG_CONFIG_HOME", before);
        QVERIFY2(catalog.ok(), catalog.ok() ? "" : qPrintable(catalog.error().sentence()));
        QCOMPARE((*catalog)->familyIds().join(u' '), u"pytorch torchvision torchaudio torchao"_s);
    }

    void namedKeysOverrideAndTheRestStays()
    {
        write(u"rows.toml"_s, "[[row]]\nid = \"sm90\"\nproducts = [\"H20\"]\n");
        write(u"isas.toml"_s,
              "[[isa]]\nid = \"avx2\"\nflags = [{ flag = \"-march=haswell\", note = \"all of it\" }]\n");
        write(u"toolkits.toml"_s, "[[toolkit]]\nversion = \"13.0\"\nown_driver = \"580.95.05\"\n");
        write(u"lines/main.toml"_s, "branch = \"main\"\npythons = [\"python312\", \"python313\"]\n[[coverage]]\nrows = "
                                    "[\"sm90\"]\nisas = [\"avx2\"]\n");
        const auto catalog = load();
        QVERIFY(catalog);
        QCOMPARE(catalog->rows.size(), 15);
        const GpuRow *row = catalog->row(u"sm90"_s);
        QCOMPARE(row->products.join(u' '), u"H20"_s);
        QCOMPARE(row->generation, u"Hopper"_s);
        QCOMPARE(row->capability, u"9.0"_s);
        const Isa *isa = catalog->isa(u"avx2"_s);
        QCOMPARE(isa->flags.join(u' '), u"-march=haswell"_s);
        QCOMPARE(isa->flagNotes.join(u' '), u"all of it"_s);
        QCOMPARE(isa->cpuinfo.size(), 3);
        QCOMPARE(catalog->toolkit(u"13.0"_s)->ownDriver, u"580.95.05"_s);
        QCOMPARE(catalog->toolkit(u"13.0"_s)->compatibleDriver, u"580"_s);
        const Settings *settings = catalog->settings(u"main"_s);
        QCOMPARE(settings->promised().size(), 2);
        QCOMPARE(settings->common(&Profile::pin).revision.first(7), u"fe5e41d"_s);
        QCOMPARE(settings->toolkits().size(), 1);
    }

    void aNewPythonIsOffered()
    {
        write(u"pythons.toml"_s, "[[python]]\nid = \"python314\"\n");
        const auto catalog = load();
        QVERIFY(catalog);
        const QList<Python> all{{u"python314"_s}, {u"python313"_s}, {u"python312"_s}, {u"python311"_s}};
        QCOMPARE(catalog->pythons, all);
        QCOMPARE(pythonVersion(all.constFirst().id), u"3.14"_s);
        QCOMPARE(pythonVersion(u"py3"_s), u"py3"_s);
    }

    void newEntriesAreAddedInGridOrder()
    {
        write(u"rows.toml"_s, "[[row]]\nid = \"sm88\"\ncapability = \"8.8\"\ngeneration = \"Next\"\nfirst_cuda = "
                              "\"13.0\"\nplatforms = [\"x86_64-linux\"]\n"
                              "[[row]]\nid = \"sm90a\"\ncapability = \"9.0a\"\ngeneration = \"Hopper, its own "
                              "features\"\nfirst_cuda = \"12.0\"\nplatforms "
                              "= [\"x86_64-linux\"]\n");
        write(u"isas.toml"_s,
              "[[isa]]\nid = \"sse4_2\"\ntitle = \"SSE4.2\"\nplatform = \"x86_64-linux\"\ncpuinfo = "
              "[\"sse4_2\"]\nhardware = \"Nehalem+\"\n"
              "use_case = \"museums\"\nlacks_avx2 = true\nflags = [{ flag = \"-msse4.2\", note = \"strings\" }]\n");
        write(u"toolkits.toml"_s, "[[toolkit]]\nversion = \"12.5\"\nown_driver = \"555.42.02\"\ncompatible_driver = "
                                  "\"525.60.13\"\nattribute = \"cudaPackages_12_5\"\n");
        write(u"lines/nightly.toml"_s,
              "branch = \"nightly\"\npythons = [\"python314\"]\n[versions]\npytorch = \"2.11.0\"\n"
              "[[cuda]]\nversion = \"12.5\"\ntemplates = [\"pytorch/two-stage-gpu\"]\n"
              "[[coverage]]\nrows = [\"sm90a\"]\nisas = [\"sse4_2\"]\n");
        const auto catalog = load();
        QVERIFY(catalog);
        QStringList rows;
        for (const GpuRow &row : catalog->rows)
            rows.append(row.id);
        QCOMPARE(rows.join(u' '),
                 u"sm61 sm70 sm75 sm80 sm86 sm87 sm88 sm89 sm90 sm90a sm100 sm103 sm110 sm120 sm121 cpu darwin-mps"_s);
        QCOMPARE(catalog->isaIds().join(u' '), u"avx avx2 avx512 avx512bf16 avx512vnni sse4_2 armv8_2 armv9"_s);
        QCOMPARE(catalog->toolkits[1].version, u"12.5"_s);
        const Settings *settings = catalog->settings(u"nightly"_s);
        QCOMPARE(settings->promised().first().name(), u"pytorch-python314-cuda12_5-sm90a-sse4_2"_s);
        QCOMPARE(settings->common(&Profile::cudaAttribute, {{}, {}, {u"12.5"_s}}), u"cudaPackages_12_5"_s);
        QVERIFY(catalog->validity(settings->promised().first()).valid);
    }

    void errorsNameFileLineAndKey_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("sentence"); // with FILE for the path
        const QByteArray row =
            "[[row]]\nid = \"sm88\"\ncapability = \"8.8\"\ngeneration = \"Next\"\nfirst_cuda = \"13.0\"\n";
        const QByteArray line = "branch = \"next\"\npythons = [\"python313\"]\nversions = { pytorch = \"2.8.0\" }\n";
        const auto add = [](const char *name, const char *file, const QByteArray &text, const char *sentence) {
            QTest::newRow(name) << QString::fromLatin1(file) << text << QString::fromUtf8(sentence);
        };
        add("not TOML", "rows.toml", "[[row]]\nid = \"sm90\nproducts = []\n",
            "Could not read FILE, line 2: this is not valid TOML (string): ");
        add("not UTF-8", "rows.toml", "[[row]]\nid = \"\xff\"\n", "Could not read FILE, line 2: ");
        add("missing id", "rows.toml", "\n[[row]]\nproducts = []\n", "Could not read FILE, line 2: id must be given.");
        add("missing key", "rows.toml", row, "Could not read FILE, line 1: platforms must be given.");
        add("misspelt key", "rows.toml", "[[row]]\nid = \"sm90\"\n\nproduct = [\"H20\"]\n",
            "Could not read FILE, line 4: product is not a known key.");
        add("misspelt table", "rows.toml", "[[rows]]\nid = \"sm90\"\n",
            "Could not read FILE, line 1: rows is not a known key.");
        add("table for list", "rows.toml", "[row]\nid = \"sm90\"\n",
            "Could not read FILE, line 1: row must be a list of tables.");
        add("list of texts", "rows.toml", "row = [\"sm90\"]\n",
            "Could not read FILE, line 1: row must be a list of tables.");
        add("number for text", "rows.toml", "[[row]]\nid = \"sm90\"\ncapability = 9.0\n",
            "Could not read FILE, line 3: capability must be a string in quotes.");
        add("text for list", "rows.toml", "[[row]]\nid = \"sm90\"\nproducts = \"H20\"\n",
            "Could not read FILE, line 3: products must be a list of strings.");
        add("number in list", "rows.toml", "[[row]]\nid = \"sm90\"\nproducts = [\"H20\", 5]\n",
            "Could not read FILE, line 3: products must be a list of strings.");
        add("text for boolean", "rows.toml", "[[row]]\nid = \"sm90\"\ncudnn = \"no\"\n",
            "Could not read FILE, line 3: cudnn must be true or false.");
        add("twice in a list", "rows.toml", "[[row]]\nid = \"sm90\"\nproducts = [\"H20\", \"H20\"]\n",
            "Could not read FILE, line 3: products names \"H20\" twice.");
        add("twice in a file", "rows.toml", "[[row]]\nid = \"sm90\"\n[[row]]\nid = \"sm90\"\n",
            "Could not read FILE, line 4: id \"sm90\" is given twice.");
        add("id", "rows.toml", "[[row]]\nid = \"../sm90\"\n", "Could not read FILE, line 2: id cannot be \"../sm90\".");
        add("ISA id with a dot", "isas.toml", "[[isa]]\nid = \"armv8.2\"\n",
            "Could not read FILE, line 2: id cannot be \"armv8.2\".");
        add("capability", "rows.toml", "[[row]]\nid = \"sm90\"\ncapability = \"sm_90\"\n",
            "Could not read FILE, line 3: capability cannot be \"sm_90\".");
        add("another's capability", "rows.toml", "[[row]]\nid = \"sm90\"\ncapability = \"8.9\"\n",
            "Could not read FILE, line 3: capability is not the one of sm90.");
        add("platform", "rows.toml", "[[row]]\nid = \"sm90\"\nplatforms = [\"riscv64-linux\"]\n",
            "Could not read FILE, line 3: platforms cannot contain \"riscv64-linux\".");
        add("no platform", "rows.toml", "[[row]]\nid = \"sm90\"\nplatforms = []\n",
            "Could not read FILE, line 3: platforms must have at least one entry.");
        add("order of toolkits", "rows.toml", "[[row]]\nid = \"sm90\"\nlast_cuda = \"11.0\"\n",
            "Could not read FILE, line 3: last_cuda is older than first_cuda.");
        add("line break in a text", "rows.toml", "[[row]]\nid = \"sm90\"\ngeneration = \"Hop\\nper\"\n",
            "Could not read FILE, line 3: generation cannot be \"Hop per\".");
        add("empty title", "families.toml", "[[family]]\nid = \"x\"\ntitle = \" \"\n",
            "Could not read FILE, line 3: title cannot be \"\".");
        add("flag", "isas.toml",
            "[[isa]]\nid = \"avx2\"\nflags = [\n  { flag = \"-mavx2\", note = \"x\" },\n  { flag = \"-mavx2; rm\", "
            "note = \"x\" },\n]\n",
            "Could not read FILE, line 5: flag cannot be \"-mavx2; rm\".");
        add("no note", "isas.toml", "[[isa]]\nid = \"avx2\"\nflags = [{ flag = \"-mavx2\" }]\n",
            "Could not read FILE, line 3: note must be given.");
        add("no flags", "isas.toml",
            "[[isa]]\nid = \"sse\"\ntitle = \"SSE\"\nplatform = \"x86_64-linux\"\ncpuinfo = []\nhardware = "
            "\"x\"\nuse_case = \"x\"\n",
            "Could not read FILE, line 1: flags must have at least one entry.");
        add("driver", "toolkits.toml", "[[toolkit]]\nversion = \"12.8\"\nown_driver = \"new\"\n",
            "Could not read FILE, line 3: own_driver cannot be \"new\"; it must be a version such as 2.9.1.");
        add("toolkit version", "toolkits.toml", "[[toolkit]]\nversion = \"12\"\n",
            "Could not read FILE, line 2: version cannot be \"12\".");
        add("no branch", "lines/next.toml", "pythons = [\"python313\"]\n",
            "Could not read FILE, line 1: branch must be given.");
        add("branch that is an option", "lines/next.toml", "branch = \"--force\"\n",
            "Could not read FILE, line 1: branch cannot be \"--force\".");
        add("pin", "lines/next.toml", line + "nixpkgs = \"nixos-25.05\"\n",
            "Could not read FILE, line 4: nixpkgs cannot be \"nixos-25.05\"; it must be a commit in full, 40 digits of "
            "0-9 "
            "and a-f.");
        add("unknown row", "lines/next.toml", line + "[[coverage]]\nrows = [\"sm90\", \"sm99\"]\nisas = [\"avx2\"]\n",
            "Could not read FILE, line 5: rows names \"sm99\", which is not a row of the catalog.");
        add("unknown ISA", "lines/next.toml", line + "[[coverage]]\nrows = [\"sm90\"]\nisas = [\"avx3\"]\n",
            "Could not read FILE, line 6: isas names \"avx3\", which is not an instruction set of the catalog.");
        add("unknown family", "lines/next.toml",
            "branch = \"next\"\npythons = [\"python313\"]\nversions = { jax = \"1\" }\n",
            "Could not read FILE, line 3: versions names \"jax\", which is not a family of the catalog.");
        add("unknown toolkit", "lines/next.toml",
            line + "[[cuda]]\nversion = \"14.0\"\ntemplates = [\"pytorch/two-stage-gpu\"]\n",
            "Could not read FILE, line 4: attribute must be given.");
        add("toolkit twice", "lines/next.toml",
            line + "[[cuda]]\nversion = \"12.8\"\ntemplates = [\"pytorch/two-stage-gpu\"]\n[[cuda]]\nversion = "
                   "\"12.8\"\ntemplates = [\"pytorch/two-stage-gpu\"]\n",
            "Could not read FILE, line 8: version is given twice.");
        add("unknown template", "lines/next.toml", line + "gpu_templates = [\"pytorch/none\"]\n",
            "Could not read FILE, line 4: gpu_templates names \"pytorch/none\", but there is no such template.");
        add("template outside", "lines/next.toml", line + "cpu_templates = [\"../../secret\"]\n",
            "Could not read FILE, line 4: cpu_templates cannot contain \"../../secret\".");
        add("dotted key", "rows.toml", "# x\n" + QByteArray("a.").repeated(110'000) + "a = 1\n",
            "Could not read FILE, line 2: keys and brackets nest more than 64 levels deep.");
        add("lists", "isas.toml", "x = " + QByteArray("[").repeated(110'000),
            "Could not read FILE, line 1: keys and brackets nest more than 64 levels deep.");
        add("large", "families.toml", QByteArray("#\n").repeated(600'000),
            "Could not read FILE: it is larger than 1048576 bytes.");
        add("many entries", "toolkits.toml", QByteArray("[[toolkit]]\nversion = \"12.8\"\n").repeated(1001),
            "Could not read FILE, line 1: toolkit has 1001 entries; the limit is 1000.");
        QByteArray many = "branch = \"main\"\npythons = [";
        for (int i = 0; i < 100; ++i)
            many += "\"python3" + QByteArray::number(i) + "\", ";
        many += "]\n[[coverage]]\nrows = [\"sm80\"]\nisas = [\"avx2\"]\n";
        many += QByteArray("[[coverage]]\nrows = [\"sm90\", \"cpu\"]\nisas = [\"avx2\", \"avx512\"]\n").repeated(60);
        add("many variants", "lines/main.toml", many,
            "Could not read FILE, line 3: coverage lists 24100 variants (pythons x toolkits x families x cells); "
            "the limit is 20000.");
        add("misspelt file", "row.toml", "[[row]]\nid = \"sm90\"\n",
            "Could not read FILE: the catalog has no file of that name. It may have rows.toml, isas.toml, "
            "toolkits.toml, families.toml, pythons.toml, jobs.toml, and lines/BRANCH.toml.");
    }

    void errorsNameFileLineAndKey()
    {
        QFETCH(QString, file);
        QFETCH(QByteArray, text);
        QFETCH(QString, sentence);
        write(file, text);
        const auto catalog = Catalog::load(m_folder->path());
        QVERIFY(!catalog.ok());
        const QString said = catalog.error().sentence().replace(m_folder->filePath(file), "FILE"_L1);
        if (sentence.endsWith(u' '))
            QVERIFY2(said.startsWith(sentence), qPrintable(said));
        else
            QCOMPARE(said, sentence);
    }

    void aFileWhereTheFolderShouldBe()
    {
        write(u"catalog"_s, "x");
        const auto catalog = Catalog::load(m_folder->filePath(u"catalog"_s));
        QVERIFY(!catalog.ok());
        QCOMPARE(catalog.error().sentence(),
                 u"Could not read the catalog folder %1: it is not a folder."_s.arg(m_folder->filePath(u"catalog"_s)));
    }
};

TM_TEST(UserCatalogTest, QCoreApplication)
#include "tst_usercatalog.moc"
