// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Catalog.h"
#include "model/settings/SettingsEdit.h"
#include "model/settings/SettingsFile.h"
#include "model/toml/Toml.h"
#include "model/toml/TomlParse.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/EditedSettings.h"
#include "tests/support/FamilyLines.h"
#include "tests/support/RandomSettings.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <QTest>

using namespace tmx;
using namespace Qt::StringLiterals;

namespace {

QString sentenceOf(const Result<QByteArray> &result)
{
    return result ? QString() : result.error().sentence();
}

/// Random settings as a file has them, with anything from the catalog.
WrittenSettings randomLine(const Catalog &catalog, QRandomGenerator &random)
{
    const auto some = [&random](QStringList all) {
        QStringList chosen;
        for (const QString &one : std::as_const(all)) {
            if (random.bounded(2))
                chosen.append(one);
        }
        return chosen.isEmpty() ? QStringList{all.first()} : chosen;
    };
    const auto digits = [&random] {
        QString text;
        for (int i = 0; i < 40; ++i)
            text += u"0123456789abcdef"[random.bounded(16)];
        return text;
    };
    const auto hash = u"sha256-RKiZLHBCneMtZKRgTEuW1K7+Jpi+tx11BMXuS1jC1xQ="_s;
    WrittenSettings settings;
    const auto state = [](SettingsValues &values, const QString &key, const QString &value) {
        settingOf(key)->put(values, value);
    };
    const auto stateOften = [&](SettingsValues &values, const QString &key, const QString &value) {
        if (random.bounded(2))
            state(values, key, value);
    };
    const auto statePin = [&](SettingsValues &values, const QString &python) {
        state(values, u"nixpkgs"_s, digits());
        stateOften(values, u"nixpkgs_sha256"_s, hash);
        stateOften(values, u"nixpkgs_python3"_s, python);
    };
    SettingsValues torch{{u"version"_s, u"2.%1.0"_s.arg(random.bounded(12))}}, vision{{u"version"_s, u"0.25.0"_s}};
    settings.families = random.bounded(2) ? some({u"pytorch"_s, u"torchvision"_s}) : QStringList();
    settings.pythons = some({u"python313"_s, u"python312"_s, u"python311"_s});
    if (random.bounded(3))
        statePin(settings.values, u"python313"_s);
    stateOften(torch, u"hash"_s, hash);
    stateOften(torch, u"pname_prefix"_s, u"pytorch210"_s);
    stateOften(torch, u"gpu_template"_s, u"pytorch/two-stage-gpu"_s);
    stateOften(vision, u"gpu_template"_s, u"torchvision/gpu"_s);
    stateOften(torch, u"metal_template"_s, u"pytorch/darwin-mps"_s);
    settings.ofFamilies = {{u"pytorch"_s, torch}, {u"torchvision"_s, vision}};
    for (const Setting &setting : settingsTable()) {
        if (setting.scope == Setting::Branch && !setting.words.isEmpty())
            setting.put(settings.values, setting.words.at(random.bounded(setting.words.size())));
    }
    const QString source = settings.value(u"torch_source"_s);
    if (source == "fetched"_L1 || random.bounded(3) == 0) {
        state(settings.values, u"torch_repository"_s,
              random.bounded(2) ? u"acme/build-pytorch"_s : u"https://example.org/a/{rev}.tar.gz"_s);
        state(settings.values, u"torch_rev"_s, digits());
        stateOften(settings.values, u"torch_sha256"_s, hash);
    }
    if (source == "published"_L1)
        state(settings.values, u"torch_catalog"_s, u"acme"_s);
    state(settings.values, u"metadata_rev"_s, QString::number(random.bounded(3)));
    for (const Toolkit &toolkit : catalog.toolkits) {
        if (random.bounded(2))
            continue;
        WrittenCuda cuda{toolkit.version, {{u"release"_s, toolkit.version}, {u"attribute"_s, toolkit.attribute}}};
        stateOften(cuda.values, u"release"_s, toolkit.version + ".1"_L1);
        if (random.bounded(2))
            statePin(cuda.values, u"python312"_s);
        SettingsValues own, vision;
        stateOften(own, u"gpu_template"_s, u"pytorch/pinned-overlays-gpu"_s);
        stateOften(own, u"version"_s, u"2.10.0"_s);
        stateOften(own, u"hash"_s, hash);
        stateOften(own, u"pname_prefix"_s, u"pytorch211"_s);
        stateOften(vision, u"hash"_s, hash);
        for (const auto &[family, said] : {std::pair(u"pytorch"_s, own), std::pair(u"torchvision"_s, vision)}) {
            if (!said.isEmpty())
                cuda.families.insert(family, said);
        }
        settings.cudas.append(cuda);
    }
    QStringList rows;
    for (const GpuRow &row : catalog.rows)
        rows.append(row.id);
    for (int i = random.bounded(4); i >= 0; --i) {
        WrittenCoverage block{some(rows), some(catalog.isaIds())}; // invalid cells among them
        if (random.bounded(3) == 0)
            block.where.families = {settings.promisedFamilies().first()};
        if (random.bounded(3) == 0 && !settings.cudas.isEmpty())
            block.where.builds = {settings.cudas.first().version};
        settings.coverage.append(block);
    }
    return settings;
}

} // namespace

/// torch-matrix.toml: reading, writing, changing, and the errors for wrong files.
class LineFileTest : public QObject
{
    Q_OBJECT

    const std::shared_ptr<const Catalog> m_catalog = testing::builtInCatalog();

    /// The meaning of a file of this form.
    [[nodiscard]] Settings meant(const WrittenSettings &form) const
    {
        return expanded(form, *m_catalog, u"x"_s, Settings::Source::File);
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    // For any settings, the file that the program writes has the same meaning, always in the same notation.
    void everyLineComesBack()
    {
        QRandomGenerator random(20); // a seed: the same lines each time
        QList<Settings> lines = m_catalog->builtIn;
        for (int i = 0; i < 500; ++i)
            lines.append(meant(randomLine(*m_catalog, random)));
        for (int i = test::rounds(100); i > 0; --i)
            lines.append(test::randomSettings(*m_catalog, random));
        for (Settings settings : lines) {
            const QByteArray text = writeSettingsFile(settings, *m_catalog);
            QCOMPARE(writeSettingsFile(settings, *m_catalog), text);
            const auto back = readSettingsFile(text, *m_catalog, settings.branch);
            QVERIFY2(back.ok(),
                     qPrintable((back.ok() ? QString() : back.error().sentence()) + u'\n' + QString::fromUtf8(text)));
            settings.source = Settings::Source::File;
            QVERIFY2(test::firstDifference(settings, *back).isEmpty(),
                     qPrintable(test::firstDifference(settings, *back) + u'\n' + QString::fromUtf8(text)));
            QCOMPARE(*back, settings);
        }
    }

    void aBaseGivesWhatTheFileDoesNotSay()
    {
        const auto line =
            readSettingsFile("base = \"cuda-13_0\"\n[[coverage]]\nrows = [\"sm110\", \"sm121\"]\nisas = [\"avx2\"]\n",
                             *m_catalog, u"mine"_s);
        QVERIFY(line.ok());
        QCOMPARE(line->branch, u"mine"_s);
        QCOMPARE(line->versionOf(u"pytorch"_s), u"2.10.0"_s);
        QVERIFY(!line->common(&Profile::sourceHash).isEmpty());
        QCOMPARE(line->promised().size(), 2); // x86 on ARM boards: a file may insist
        QVERIFY(!m_catalog->validity(line->promised().first()).valid);
    }

    void companionsVersionsFollowPyTorchs()
    {
        const auto version = [this](const QByteArray &torch) {
            const auto line = readSettingsFile(
                "families = ['torchvision', 'torchaudio']\npythons = ['python313']\nversions = { pytorch = '" + torch +
                    "' }\n",
                *m_catalog, u"x"_s);
            return line ? line->versionOf(u"torchvision"_s) + u' ' + line->versionOf(u"torchaudio"_s)
                        : line.error().sentence();
        };
        QCOMPARE(version("2.8.0"), u"0.23.0 2.8.0"_s);
        QCOMPARE(version("2.9.0"), u"0.24.0 2.9.0"_s);
        QCOMPARE(version("2.9.1"), u"0.24.1 2.9.1"_s);
        QCOMPARE(version("2.10.0"), u"0.25.0 2.10.0"_s);
        QCOMPARE(version("1.13.1"), u" "_s); // nothing says it
    }

    void aToolkitHasItsOwn()
    {
        const QByteArray pin(40, 'a');
        const QByteArray other(40, 'b');
        const auto line = readSettingsFile(
            "pythons = ['python313']\nnixpkgs = '" + pin + "'\nnixpkgs_sha256 = '" + tmx::testing::someHash() +
                "'\n"
                "versions = { pytorch = '2.8.0' }\n[hashes]\npytorch = "
                "'sha256-RKiZLHBCneMtZKRgTEuW1K7+Jpi+tx11BMXuS1jC1xQ='\n"
                "[[cuda]]\nversion = '12.8'\n[[cuda]]\nversion = '13.0'\nnixpkgs = '" +
                other +
                "'\nversions = { pytorch = '2.10.0' }\ntemplates = ['pytorch/pinned-overlays-gpu']\n"
                "[[coverage]]\nrows = ['sm90', 'cpu']\nisas = ['avx2']\n"
                "[[coverage]]\nrows = ['sm61']\nisas = ['avx']\ncudas = ['12.8']\n",
            *m_catalog, u"x"_s);
        QVERIFY2(line.ok(), line.ok() ? "" : qPrintable(line.error().sentence()));
        QStringList names;
        for (const Variant &variant : line->promised()) {
            const Profile base = line->profileOf(variant);
            names.append(variant.name().section(u'-', 2) + u' ' + base.pin.revision.first(1) +
                         (base.pin.sha256.isEmpty() ? QString() : u"x"_s) + u' ' + base.version + u' ' +
                         (base.sourceHash.isEmpty() ? u"no hash"_s : u"hash"_s));
        }
        // The hash belongs to the general version, not to the toolkit's.
        QCOMPARE(names.join(u'\n'), u"cuda12_8-sm61-avx ax 2.8.0 hash\n"
                                    "cuda12_8-sm90-avx2 ax 2.8.0 hash\n"
                                    "cuda13_0-sm90-avx2 b 2.10.0 no hash\n"
                                    "cpu-avx2 ax 2.8.0 hash"_s);
    }

    void errorsNameLineAndKey_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("sentence"); // what follows "Could not read torch-matrix.toml, "
        const QByteArray line = "pythons = ['python313']\nversions = { pytorch = '2.8.0' }\n";
        const auto add = [](const char *name, const QByteArray &text, const char *sentence) {
            QTest::newRow(name) << text << QString::fromUtf8(sentence);
        };
        add("empty", "", "line 1: versions must be given.");
        add("no family", "pythons = ['python313']\n[versions]\n", "line 2: versions names no family to build.");
        add("no Python", "base = 'main'\npythons = []\n",
            "line 2: pythons is empty: a branch builds for at least one Python.");
        add("not TOML", "pythons = [\n", "line 1: this is not valid TOML (array): ");
        add("branch", line + "branch = 'main'\n", "line 3: branch is not a known key.");
        add("base", "base = 'cuda-11'\n",
            "line 1: base names \"cuda-11\", but there are no built-in settings with that name.");
        add("misspelt", line + "metadata-rev = 3\n", "line 3: metadata-rev is not a known key.");
        add("notation", line + "arch_notation = 'SM'\n",
            "line 3: arch_notation cannot be \"SM\"; it must be one of auto, dotted, sm.");
        add("torch source", line + "torch_source = 'built'\n",
            "line 3: torch_source cannot be \"built\"; it must be one of in-place, sibling, published, fetched.");
        add("no repository", line + "torch_source = 'fetched'\n",
            "line 1: torch_repository is missing: it names the repository of the PyTorch recipes, \"OWNER/NAME\" or "
            "its "
            "URL.");
        add("no commit", line + "torch_source = 'fetched'\ntorch_repository = 'acme/x'\n",
            "line 1: torch_rev is missing: it is the commit of torch_repository that is fetched.");
        add("repository", line + "torch_repository = 'acme'\n", "line 3: torch_repository cannot be \"acme\".");
        add("repository without encryption", line + "torch_repository = 'http://x/y'\n",
            "line 3: torch_repository cannot be \"http://x/y\".");
        add("commit", line + "torch_rev = 'v1'\n",
            "line 3: torch_rev cannot be \"v1\"; it must be a commit in full, 40 digits of 0-9 and a-f.");
        add("blas", line + "blas = 'atlas'\n",
            "line 3: blas cannot be \"atlas\"; it must be one of default, openblas, mkl.");
        add("no organisation", line + "torch_source = 'published'\n",
            "line 1: torch_catalog is missing: it names the organisation that publishes torch.");
        add("revision", line + "metadata_rev = -1\n", "line 3: metadata_rev must be a whole number from 0 to 1000000.");
        add("revision in quotes", line + "metadata_rev = '1'\n",
            "line 3: metadata_rev must be a whole number from 0 to 1000000.");
        add("family", line + "families = ['Jax']\n", "line 3: families names \"Jax\", which cannot be a family.");
        add("profile of another Python", line + "[[profile]]\npythons = ['python311']\nversion = '2.7.0'\n",
            "line 4: pythons names \"python311\", which is not a Python of the branch.");
        add("profile of another build", line + "[[profile]]\nbuilds = ['12.8']\nversion = '2.7.0'\n",
            "line 4: builds names \"12.8\", which is not a toolkit of the branch, \"cpu\" or \"metal\".");
        add("profile's template", line + "[[profile]]\ntemplate = 'pytorch/nope'\n",
            "line 4: template names \"pytorch/nope\", but there is no such template.");
        add("profile's key", line + "[[profile]]\nversions = '2.7.0'\n", "line 4: versions is not a known key.");
        add("misspelt base", "bse = 'main'\n", "line 1: bse is not a known key.");
        add("misspelt and missing", "version = { pytorch = '2.8.0' }\npythons = ['python313']\n",
            "line 1: version is not a known key.");
        add("unknown template", line + "cpu_templates = ['pytorch/cpu-overide']\n",
            "line 3: cpu_templates names \"pytorch/cpu-overide\", but there is no such template.");
        add("unknown template of a toolkit", line + "[[cuda]]\nversion = '12.8'\ntemplates = ['pytorch/gpu']\n",
            "line 5: templates names \"pytorch/gpu\", but there is no such template.");
        add("part of a template", line + "metal_templates = ['pytorch/parts']\n",
            "line 3: metal_templates names \"pytorch/parts\", but there is no such template.");
        add("two templates", line + "gpu_templates = ['pytorch/two-stage-gpu', 'pytorch/explicit-inputs-gpu']\n",
            "line 3: gpu_templates names two templates of pytorch.");
        add("template's family", line + "cpu_templates = ['jax/a']\n",
            "line 3: cpu_templates names \"jax/a\", but there is no such template.");
        add("hash", line + "hashes = { pytorch = 'sha256-x' }\n",
            "line 3: pytorch cannot be \"sha256-x\"; it must be a hash such as sha256-");
        for (const char *wrong : {"abc", "sha256-abc=", "sha256:xyz", "0000"})
            add(wrong, line + "nixpkgs_sha256 = '" + wrong + "'\n",
                "line 3: nixpkgs_sha256 cannot be \"" + QByteArray(wrong) + "\"; it must be a hash such as sha256-");
        add("prefix", line + "[pname_prefixes]\npytorch = 'x\"; evil'\n", "line 4: pytorch cannot be \"x\"; evil\".");
        add("toolkit's pin", line + "[[cuda]]\nversion = '12.8'\nnixpkgs_sha256 = '" + tmx::testing::someHash() + "'\n",
            "line 3: nixpkgs is missing, but other keys describe that revision.");
        add("coverage of another toolkit", line + "[[coverage]]\nrows = ['sm90']\nisas = ['avx2']\ncudas = ['12.8']\n",
            "line 6: cudas names \"12.8\", which is not a toolkit of the branch.");
        add("coverage of another family",
            line + "[[coverage]]\nrows = ['sm90']\nisas = ['avx2']\nfamilies = ['torchaudio']\n",
            "line 6: families names \"torchaudio\", which the branch does not build.");
    }

    void errorsNameLineAndKey()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, sentence);
        const auto line = readSettingsFile(text, *m_catalog, u"x"_s);
        QVERIFY(!line.ok());
        const QString said = line.error().sentence();
        QVERIFY2(said.startsWith("Could not read torch-matrix.toml, "_L1 + sentence), qPrintable(said));
    }

    void oneKeyChangesAndNothingElse_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QByteArray>("from"); // what the text loses
        QTest::addColumn<QByteArray>("to");   // what replaces it
        const auto add = [](const char *key, const char *value, const char *from, const char *to) {
            QTest::newRow(key) << QString::fromLatin1(key).section(u' ', 0, 0) << QString::fromLatin1(value)
                               << QByteArray(from) << QByteArray(to);
        };
        add("nixpkgs", "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'",
            "\"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\"");
        add("pythons", "python312 python313", "[\n  'python313', # the default\n]", "[\"python312\", \"python313\"]");
        add("metadata_rev", "4", "metadata_rev   =   3", "metadata_rev   =   4");
        add("metadata_rev gone", "", "metadata_rev   =   3 # tëxt\n", "# tëxt\n");
        add("families", "pytorch", "# tëxt\n", "# tëxt\nfamilies = [\"pytorch\"]\n");
        add("arch_notation", "sm", "# tëxt\n", "# tëxt\narch_notation = \"sm\"\n");
        add("versions.pytorch", "2.9.1", "pytorch = '2.8.0'", "pytorch = \"2.9.1\"");
        add("versions.torchvision", "0.23.0", "'2.8.0' # of the pin\n",
            "'2.8.0' # of the pin\ntorchvision = \"0.23.0\"\n");
        add("pname_prefixes.pytorch", "p28", "isas = ['avx2'] # the end",
            "isas = ['avx2'] # the end\n\n[pname_prefixes]\npytorch = \"p28\"\n");
        add("cuda.12.8.release", "12.8.1", "version = '12.8' # stable\n",
            "version = '12.8' # stable\nrelease = \"12.8.1\"\n");
        add("cuda.13.0.attribute", "cudaPackages_13_0", "'cudaPackages_13'", "\"cudaPackages_13_0\"");
        add("cuda.13.0.versions.pytorch", "2.11.0", "{ pytorch = '2.10.0' }", "{ pytorch = \"2.11.0\" }");
        add("cuda.13.0.versions.torchvision", "0.25.0", "{ pytorch = '2.10.0' }",
            "{ pytorch = '2.10.0', torchvision = \"0.25.0\" }");
        add("cuda.13.0.hashes.pytorch",
            "sha256-RKiZLHBCneMtZKRgTEuW1K7+Jpi+tx11BMXuS1jC1xQ=", "{ pytorch = '2.10.0' }\n",
            "{ pytorch = '2.10.0' }\nhashes = { pytorch = \"sha256-RKiZLHBCneMtZKRgTEuW1K7+Jpi+tx11BMXuS1jC1xQ=\" }\n");
        add("cuda.13.0.templates", "pytorch/pinned-overlays-gpu", "{ pytorch = '2.10.0' }\n",
            "{ pytorch = '2.10.0' }\ntemplates = [\"pytorch/pinned-overlays-gpu\"]\n");
    }

    static QByteArray personsFile()
    {
        return "# Our line. Ask in the channel before you touch it.\n"
               "pythons = [\n  'python313', # the default\n]\n"
               "nixpkgs = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' # pinned in May\n"
               "metadata_rev   =   3 # tëxt\n"
               "\n[versions] # all of them\npytorch = '2.8.0' # of the pin\n"
               "\n[[cuda]]\nversion = '12.8' # stable\n"
               "\n[[cuda]]\nversion = '13.0'\nattribute = 'cudaPackages_13'\nversions = { pytorch = '2.10.0' }\n"
               "\n[[coverage]]\nrows = ['sm90', 'cpu']\nisas = ['avx2'] # the end";
    }

    void oneKeyChangesAndNothingElse()
    {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        for (const bool carriage : {false, true}) {
            QByteArray text = personsFile();
            QByteArray expected = text;
            QCOMPARE(expected.count(from), 1);
            expected.replace(from, to);
            if (carriage && (expected.endsWith('\n') || key == "metadata_rev"_L1))
                continue; // a new section, or a line that goes: their own ends
            if (carriage) {
                text.replace('\n', "\r\n");
                expected.replace('\n', "\r\n");
            }
            const auto changed = withSettingsKey(text, *m_catalog, u"x"_s, key, value);
            QVERIFY2(changed.ok(), qPrintable(sentenceOf(changed)));
            QCOMPARE(*changed, expected);
            QVERIFY(readSettingsFile(*changed, *m_catalog, u"x"_s).ok());
        }
    }

    void whateverAPersonWritesStays()
    {
        QRandomGenerator random(7);
        const QList<QByteArray> remarks{"# häh", "#", "# [[cuda]]", "# x = \"1\"", "#\t'''"};
        const QList<std::pair<QString, QString>> changes{{u"metadata_rev"_s, u"77"_s},
                                                         {u"nixpkgs"_s, QString(40, u'7')},
                                                         {u"pythons"_s, u"3.12"_s},
                                                         {u"versions.pytorch"_s, u"2.7.7"_s},
                                                         {u"versions.torchaudio"_s, u"2.7.7"_s},
                                                         {u"pname_prefixes.torchvision"_s, u"p"_s},
                                                         {u"hashes.pytorch"_s, QString()}};
        for (int i = 0; i < 400; ++i) {
            WrittenSettings settings = randomLine(*m_catalog, random);
            QByteArrayList lines = writeSettingsFile(settings).split('\n');
            for (QByteArray &each : lines) {
                if (random.bounded(3) == 0)
                    each += QByteArray(random.bounded(3), ' ') + ' ' + remarks.at(random.bounded(remarks.size()));
                if (random.bounded(6) == 0)
                    each.prepend(remarks.at(random.bounded(remarks.size())) + '\n');
            }
            QByteArray text = lines.join('\n');
            if (random.bounded(2))
                text.replace('\n', "\r\n");
            if (random.bounded(4) == 0)
                text.prepend("\xef\xbb\xbf");
            const auto &[key, value] = changes.at(random.bounded(changes.size()));
            const auto changed = withSettingsKey(text, *m_catalog, u"x"_s, key, value);
            QVERIFY2(changed.ok(), qPrintable(sentenceOf(changed) + u'\n' + QString::fromUtf8(text)));
            QCOMPARE(tomlComments(*changed), tomlComments(text));
            const QString family = key.section(u'.', 1);
            if (key == "metadata_rev"_L1)
                settings.values[u"metadata_rev"_s] = u"77"_s;
            else if (key == "nixpkgs"_L1)
                settings.values[u"nixpkgs"_s] = value; // with the hash that the file keeps
            else if (key == "pythons"_L1)
                settings.pythons = QStringList{u"python312"_s};
            else if (key.startsWith("versions"_L1))
                settings.ofFamilies[family].insert(u"version"_s, value);
            else if (key.startsWith("pname"_L1))
                settings.ofFamilies[family].insert(u"pname_prefix"_s, value);
            else
                settings.ofFamilies[family].remove(u"hash"_s);
            const auto back = readSettingsFile(*changed, *m_catalog, u"x"_s);
            QVERIFY2(back.ok(),
                     qPrintable(back.ok() ? QString() : back.error().sentence() + u'\n' + QString::fromUtf8(*changed)));
            QVERIFY2(*back == meant(settings), changed->constData());
        }
    }

    void everyKeyCanBeSetOnTheProgramsOwnFiles()
    {
        for (const Settings &settings : m_catalog->builtIn) {
            QByteArray text = writeSettingsFile(settings, *m_catalog);
            const QString cuda = settings.toolkits().first();
            const QList<std::pair<QString, QString>> changes{{u"families"_s, u"pytorch, torchvision"_s},
                                                             {u"versions.torchvision"_s, u"0.23.0"_s},
                                                             {u"torch_catalog"_s, u"acme"_s},
                                                             {u"torch_source"_s, u"published"_s},
                                                             {u"blas"_s, u"mkl"_s},
                                                             {u"torch_repository"_s, u"acme/build-pytorch"_s},
                                                             {u"torch_rev"_s, QString(40, u'a')},
                                                             {u"cuda."_s + cuda + ".versions.pytorch"_L1, u"2.8.0"_s},
                                                             {u"coverage.darwin-mps"_s, u"yes"_s},
                                                             {u"coverage.sm70"_s, u"avx2 avx512"_s},
                                                             {u"coverage.sm90"_s, QString()},
                                                             {u"cudas"_s, cuda + u", 12.6"_s}};
            for (const auto &[key, value] : changes) {
                const auto changed = withSettingsKey(text, *m_catalog, settings.branch, key, value);
                QVERIFY2(changed.ok(), qPrintable(sentenceOf(changed)));
                text = *changed;
            }
            const Settings after = *readSettingsFile(text, *m_catalog, settings.branch);
            QCOMPARE(after.families().join(u' '), u"pytorch torchvision"_s);
            QVERIFY(after.common(&Profile::torchOrigin) == TorchOrigin::Published);
            QVERIFY(after.profileOf({u"pytorch"_s, u"python313"_s, {}, u"cpu"_s, u"avx2"_s}).blas == Blas::Mkl);
            QVERIFY(after.profileOf({u"pytorch"_s, u"python313"_s, {}, u"darwin-mps"_s, {}}).blas == Blas::Default);
            QCOMPARE(after.common(&Profile::torchRepository).archive(),
                     u"https://github.com/acme/build-pytorch/archive/%1.tar.gz"_s.arg(QString(40, u'a')));
            QCOMPARE(after.toolkits().size(), 2);
            QVERIFY(after.covers({u"torchvision"_s, u"python313"_s, {}, u"darwin-mps"_s, {}}));
            QVERIFY(after.covers({u"pytorch"_s, u"python313"_s, u"12.6"_s, u"sm70"_s, u"avx512"_s}));
            QVERIFY(!after.covers({u"pytorch"_s, u"python313"_s, cuda, u"sm70"_s, u"armv9"_s}));
            QVERIFY(!after.covers({u"pytorch"_s, u"python313"_s, cuda, u"sm90"_s, u"avx2"_s}));
            QVERIFY(after.covers({u"pytorch"_s, u"python313"_s, cuda, u"sm80"_s, u"avx2"_s}));
        }
    }

    void whatCannotBeSetIsSaid_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("sentence");
        const auto add = [](const char *key, const char *value, const char *sentence) {
            QTest::newRow(key) << QString::fromLatin1(key) << QString::fromLatin1(value)
                               << QString::fromLatin1(sentence);
        };
        add("nixpkgs", "main", "Could not set nixpkgs: nixpkgs cannot be \"main\"; it must be a commit in full");
        add("metadata_rev", "three",
            "Could not set metadata_rev: metadata_rev must be a whole number from 0 to 1000000.");
        add("metadata_rev ", "3", "Could not set metadata_rev : there is no such key. ");
        add("versions.jax", "1.0",
            "Could not set versions.jax: versions names \"jax\", which is not a family of the catalog.");
        add("cuda.12.6.release", "12.6.1",
            "Could not change cuda.12.6.release: the file has no [[cuda]] with that version.");
        add("coverage.sm99", "avx2", "Could not set coverage.sm99: \"sm99\" is not a row of the catalog.");
        add("coverage.sm90", "avx2 foo",
            "Could not set coverage.sm90: \"foo\" is not an instruction set of the "
            "catalog. ");
        add("coverage.sm70", "avx2",
            "Could not set coverage.sm70: torch-matrix.toml would lose the comment \"the end\". Edit the file, "
            "or add --force.");
        add("cudas", "12.8 14.0", "Could not set cudas: the catalog has no toolkit \"14.0\".");
        add("versions", "2.8.0", "Could not set versions: there is no such key. ");
        add("pythons", "", "Could not set pythons: pythons must be given.");
        add("hashes.pytorch", "x\"\nevil = 1", "Could not set hashes.pytorch: pytorch cannot be ");
    }

    void whatCannotBeSetIsSaid()
    {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, sentence);
        const auto changed = withSettingsKey(personsFile(), *m_catalog, u"x"_s, key, value);
        QVERIFY2(sentenceOf(changed).startsWith(sentence), qPrintable(sentenceOf(changed)));
    }

    void commentsGoOnlyWhenThatIsWanted()
    {
        const auto changed = withSettingsKey(personsFile(), *m_catalog, u"x"_s, u"coverage.sm70"_s, u"avx2"_s, true);
        QVERIFY2(changed.ok(), qPrintable(sentenceOf(changed)));
        QVERIFY(changed->contains("channel") && !changed->contains("the end"));
        const Settings before = *readSettingsFile(personsFile(), *m_catalog, u"x"_s);
        // CUDA 13.0 does not support the GPU.
        Settings after = before;
        after.profiles[{u"pytorch"_s, u"python313"_s, u"12.8"_s}].cells.prepend({u"sm70"_s, u"avx2"_s});
        QCOMPARE(readSettingsFile(*changed, *m_catalog, u"x"_s)->profiles, after.profiles);
    }

    /// A row is added for the pairs of Python and toolkit that list something.
    void aRowKeepsItsPairs()
    {
        const QByteArray text = "families = ['pytorch']\npythons = ['python313', 'python312']\n[versions]\npytorch = "
                                "'2.9.1'\n[[cuda]]\nversion = '12.8'\n[[cuda]]\nversion = '12.9'\n[[coverage]]\nrows = "
                                "['sm80']\nisas = ['avx2']\npythons = ['python312']\nbuilds = ['12.8']\n[[coverage]]\n"
                                "rows = ['sm80']\nisas = ['avx2']\npythons = ['python313']\nbuilds = ['12.9']\n";
        const auto changed = withSettingsKey(text, *m_catalog, u"x"_s, u"coverage.sm90"_s, u"avx2"_s);
        QVERIFY2(changed.ok(), qPrintable(sentenceOf(changed)));
        const Settings after = *readSettingsFile(*changed, *m_catalog, u"x"_s);
        for (const QString &python : {u"python312"_s, u"python313"_s}) {
            for (const QString &cuda : {u"12.8"_s, u"12.9"_s})
                QCOMPARE(after.covers({u"pytorch"_s, python, cuda, u"sm90"_s, u"avx2"_s}),
                         (python == "python312"_L1) == (cuda == "12.8"_L1));
        }
    }

    /// A row stays with the families that list it, and is added for the toolkits that support its GPU.
    void aRowKeepsItsFamilies()
    {
        QByteArray text = "pythons = ['python313']\n[versions]\npytorch = '2.9.1'\ntorchaudio = '2.9.1'\n"
                          "[[cuda]]\nversion = '12.8'\n[[cuda]]\nversion = '12.9'\n"
                          "[[coverage]]\nrows = ['sm90']\nisas = ['avx2']\nfamilies = ['pytorch']\n"
                          "[[coverage]]\nrows = ['sm80']\nisas = ['avx2']\n";
        const auto cellsWith = [&](const QString &row, const QString &isas) {
            const auto changed = withSettingsKey(text, *m_catalog, u"x"_s, u"coverage."_s + row, isas, true);
            QStringList names;
            for (const Variant &variant :
                 readSettingsFile(changed ? *changed : QByteArray(), *m_catalog, u"x"_s)->promised()) {
                if (variant.row == row)
                    names.append(variant.family + u' ' + variant.cuda + u' ' + variant.isa);
            }
            names.sort();
            return names.join(u", "_s);
        };
        QCOMPARE(cellsWith(u"sm90"_s, u"avx avx2"_s),
                 u"pytorch 12.8 avx, pytorch 12.8 avx2, pytorch 12.9 avx, pytorch 12.9 avx2"_s);
        QCOMPARE(cellsWith(u"sm80"_s, u"avx512"_s),
                 u"pytorch 12.8 avx512, pytorch 12.9 avx512, torchaudio 12.8 avx512, torchaudio 12.9 avx512"_s);
        // sm103 came with CUDA 12.9. A companion that lacks some of PyTorch's rows does not get a new one.
        QCOMPARE(cellsWith(u"sm103"_s, u"avx2"_s), u"pytorch 12.9 avx2"_s);
        // A cell that is impossible with every toolkit is listed explicitly.
        QCOMPARE(cellsWith(u"sm121"_s, u"avx2"_s), u"pytorch 12.8 avx2, pytorch 12.9 avx2"_s);
        text.replace("isas = ['avx2']\nfamilies = ['pytorch']\n", "isas = ['avx2']\n");
        QCOMPARE(cellsWith(u"sm103"_s, u"avx2"_s), u"pytorch 12.9 avx2, torchaudio 12.9 avx2"_s);
    }

    /// A value that makes the file unreadable is refused, and one that repairs an unreadable file is accepted.
    void aWrongPythonIsRefusedAndMended()
    {
        for (const char *wrong : {"python999", "3.99", "ruby", "python313 python999"})
            QVERIFY(
                !withSettingsKey(personsFile(), *m_catalog, u"x"_s, u"pythons"_s, QLatin1StringView(wrong), true).ok());
        QByteArray broken = personsFile();
        broken.replace("'python313'", "'python999'");
        QVERIFY(!readSettingsFile(broken, *m_catalog, u"x"_s).ok());
        QVERIFY(!withSettingsKey(broken, *m_catalog, u"x"_s, u"metadata_rev"_s, u"4"_s).ok());
        const auto mended = withSettingsKey(broken, *m_catalog, u"x"_s, u"pythons"_s, u"python312"_s);
        QVERIFY2(mended.ok(), qPrintable(sentenceOf(mended)));
        QCOMPARE(readSettingsFile(*mended, *m_catalog, u"x"_s)->pythons(), QStringList{u"python312"_s});
    }

    void aNewToolkitPromisesNothingThatCannotExist()
    {
        for (const char *branch : {"main", "cuda-13_0"}) {
            const Settings before = *m_catalog->settings(QLatin1StringView(branch));
            const auto changed = withSettingsKey(writeSettingsFile(before, *m_catalog), *m_catalog, before.branch,
                                                 u"cudas"_s, u"12.8, 13.0"_s);
            QVERIFY2(changed.ok(), qPrintable(sentenceOf(changed)));
            const Settings after = *readSettingsFile(*changed, *m_catalog, before.branch);
            for (const Variant &variant : after.promised())
                QVERIFY2(m_catalog->validity(variant).valid, qPrintable(variant.name()));
            for (const Variant &variant : before.promised())
                QVERIFY2(after.covers(variant), qPrintable(variant.name()));
            QVERIFY(after.promised().size() > before.promised().size() + 30);
        }
    }

    void promisesWhatItCovers()
    {
        QRandomGenerator random(5);
        for (int i = 0; i < 300; ++i) {
            const WrittenSettings form = randomLine(*m_catalog, random);
            const Settings settings = meant(form);
            QList<Variant> covered; // every combination in order
            const QStringList builds = settings.toolkits() + QStringList{u"cpu"_s, u"metal"_s};
            for (const QString &family : settings.families()) {
                for (const QString &python : settings.pythons()) {
                    for (const QString &build : builds) {
                        for (const GpuRow &row : m_catalog->rows) {
                            for (const QString &isa : m_catalog->isaIds() + QStringList{QString()}) {
                                const ProfileKey key{family, python, build};
                                const Variant variant = key.variant({row.id, isa});
                                if (ProfileKey::of(variant) == key && settings.covers(variant))
                                    covered.append(variant);
                            }
                        }
                    }
                }
            }
            QCOMPARE(settings.promised(), covered);
            QVERIFY(form.promisedAtMost() >= covered.size());
        }
    }

    void hostileFilesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("sentence"); // what follows "Could not read torch-matrix.toml"
        const auto add = [](const char *name, const QByteArray &text, const char *sentence) {
            QTest::newRow(name) << text << QString::fromLatin1(sentence);
        };
        const QByteArray line = "pythons = ['python313']\nversions = { pytorch = '2.8.0' }\n";
        const char *deep = ", line 3: keys and brackets nest more than 64 levels deep.";
        const QByteArray dots = QByteArray("a.").repeated(110'000) + "a";
        add("dotted key", line + dots + " = 1\n", deep);
        add("dotted header", line + '[' + dots + "]\n", deep);
        add("dotted header of a list", line + "[[" + dots + "]]\n", deep);
        add("spaced dotted key", line + QByteArray("'a' . ").repeated(110'000) + "a = 1\n", deep);
        add("dotted key in an inline table", line + "x = { " + dots + " = 1 }\n", deep);
        add("behind a text that ends in quotes", line + "x = { b = \"\"\"x\"\"\"\", " + dots + " = 1 }\n", deep);
        add("behind a text of quotes", line + "x = { b = \"\"\"\"\"\"\"\", " + dots + " = 1 }\n", deep);
        add("lists", line + "x = " + QByteArray("[").repeated(110'000) + '\n', deep);
        add("closed lists", line + "x = " + QByteArray("[").repeated(300) + QByteArray("]").repeated(300) + '\n', deep);
        add("inline tables", line + QByteArray("x = {").repeated(110'000) + '\n', deep);
        add("lists over many lines", line + "x = " + QByteArray("[\n").repeated(110'000),
            ", line 67: keys and brackets nest more than 64 levels deep.");
        add("large", line + QByteArray("#\n").repeated(600'000), ": it is larger than 1048576 bytes.");
        add("many toolkits", line + QByteArray("[[cuda]]\nversion = '1.1'\n").repeated(1001),
            ", line 3: cuda has 1001 entries; the limit is 1000.");
        add("long text", line + "nixpkgs = '" + QByteArray(100'000, 'a') + "'\n", ", line 3: nixpkgs cannot be \"aaaa");
        add("long key", line + QByteArray(100'000, 'a') + " = 1\n", ", line 3: aaaa");
        add("long family", line.chopped(2) + ", " + QByteArray(100'000, 'a') + " = '1' }\n",
            ", line 2: versions cannot contain \"aaaa");
        QByteArray ids;
        for (int i = 0; i < 40'000; ++i)
            ids += "'r" + QByteArray::number(i) + "', ";
        add("many cells that are not known", line + "[[coverage]]\nrows = [" + ids + "]\nisas = [" + ids + "]\n",
            ", line 4: rows names \"r0\", which is not a row of the catalog.");
        QByteArray pythons;
        QByteArray toolkits;
        for (int i = 10; i < 100; ++i)
            pythons += "'python3" + QByteArray::number(i) + "', ";
        for (int i = 0; i < 30; ++i)
            toolkits += "[[cuda]]\nversion = '12." + QByteArray::number(i) + "'\nattribute = 'a'\n";
        add("many variants",
            "pythons = [" + pythons + "]\nversions = { pytorch = '2.8.0' }\n" + toolkits +
                "[[coverage]]\nrows = ['sm80', 'sm86', 'sm90', 'cpu']\nisas = ['avx', 'avx2', 'avx512']\n",
            ", line 93: coverage lists 24570 variants (pythons x toolkits x families x cells); the limit is "
            "20000.");
    }

    void hostileFilesAreRefused()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, sentence);
        const auto line = readSettingsFile(text, *m_catalog, u"x"_s);
        QVERIFY(!line.ok());
        const QString said = line.error().sentence();
        QVERIFY2(said.startsWith("Could not read torch-matrix.toml"_L1 + sentence), qPrintable(said.left(300)));
        QVERIFY2(said.size() < 300, qPrintable(QString::number(said.size())));
        QVERIFY(!withSettingsKey(text, *m_catalog, u"x"_s, u"metadata_rev"_s, u"1"_s).ok());
        QCOMPARE(withSettings(text, *m_catalog, m_catalog->builtIn.first()),
                 writeSettingsFile(m_catalog->builtIn.first(), *m_catalog));
    }

    void whatIsDeepButAllowedIsRead()
    {
        // Dots and brackets in texts and comments are not depth.
        const QByteArray dots = QByteArray("a.[{").repeated(1000);
        const QByteArray text = "# " + dots + "\npythons = ['python313']\nmetadata_rev = 1 # " + dots +
                                "\n[versions]\npytorch = \"\"\"2.8.0\"\"\" #" + dots + '\n';
        const auto line = readSettingsFile(text, *m_catalog, u"x"_s);
        QVERIFY2(line.ok(), line.ok() ? "" : qPrintable(line.error().sentence()));
        const auto nested = [this](int levels) {
            const QByteArray text = "x = " + QByteArray("[").repeated(levels) + QByteArray("]").repeated(levels);
            return readSettingsFile(text, *m_catalog, u"x"_s).error().why;
        };
        QVERIFY(!nested(64).contains("levels"_L1));
        QVERIFY(nested(65).contains("levels"_L1));
    }

    /// Texts made of pieces of TOML: read, changed and written without a crash, and never changed to another meaning.
    void anyBytesAreReadOrRefused()
    {
        static constexpr const char *pieces[] = {"[",
                                                 "]",
                                                 "[[",
                                                 "]]",
                                                 "{",
                                                 "}",
                                                 "=",
                                                 ".",
                                                 ",",
                                                 "\n",
                                                 "\r\n",
                                                 "\"",
                                                 "'",
                                                 "\"\"\"",
                                                 "'''",
                                                 "\\",
                                                 "#",
                                                 " ",
                                                 "1",
                                                 "0x1f",
                                                 "1e9",
                                                 "nan",
                                                 "true",
                                                 "1979-05-27",
                                                 "pythons",
                                                 "cuda",
                                                 "12.8",
                                                 "versions",
                                                 "pytorch",
                                                 "coverage",
                                                 "rows",
                                                 "isas",
                                                 "base",
                                                 "main",
                                                 "'main'",
                                                 "\"x\"",
                                                 "nixpkgs",
                                                 "\xff",
                                                 "",
                                                 "\xc3\xa9",
                                                 "\\u00e9",
                                                 "\xef\xbb\xbf",
                                                 "[[cuda]]\n",
                                                 "[a.b]\n",
                                                 "a.b = 1\n",
                                                 "x = 1\n",
                                                 "version = '12.8'\n",
                                                 "metadata_rev = 3\n",
                                                 "pythons = ['python313']\n",
                                                 "[versions]\npytorch = '2.8.0'\n",
                                                 "[[coverage]]\nrows = ['cpu']\nisas = ['avx2']\n"};
        QRandomGenerator random(11);
        const QByteArray own = writeSettingsFile(m_catalog->builtIn.first(), *m_catalog);
        int changes = 0;
        for (int i = 0; i < 20'000; ++i) {
            QByteArray text = random.bounded(4) ? own : QByteArray();
            for (int count = random.bounded(1, random.bounded(2) ? 3 : 30); count > 0; --count) {
                const char *piece = pieces[random.bounded(int(std::size(pieces)))];
                text.insert(random.bounded(int(text.size()) + 1), piece, *piece ? qsizetype(qstrlen(piece)) : 1);
            }
            const auto line = readSettingsFile(text, *m_catalog, u"x"_s);
            const auto changed = withSettingsKey(text, *m_catalog, u"x"_s, u"metadata_rev"_s, u"77"_s);
            QVERIFY(line.ok() || !changed.ok());
            if (!changed)
                continue;
            Settings expected = *line;
            expected.set(&Profile::metadataRev, 77);
            QVERIFY2(*readSettingsFile(*changed, *m_catalog, u"x"_s) == expected, changed->constData());
            QCOMPARE(tomlComments(*changed), tomlComments(text));
            ++changes;
        }
        QVERIFY2(changes > 500, qPrintable(QString::number(changes)));
    }

    void textsAreQuotedAsTomlReadsThem()
    {
        for (const QString &text :
             {u""_s, u"a"_s, u"it's"_s, u"\"\\\"\\"_s, u"a\tb\nc\x01\x7f"_s, u"tëxt 本"_s, u"'''\"\"\""_s}) {
            const QByteArray quoted = inToml(text);
            QVERIFY2(quoted.startsWith('"') && quoted.endsWith('"') && !quoted.contains('\n'), quoted.constData());
            const auto parsed = parseToml(tomlKey(text) + " = " + inToml(QStringList{text, text}), u"x"_s);
            QVERIFY2(parsed.ok(), quoted.constData());
            const toml::array *list = parsed->get_as<toml::array>(text.toStdString());
            QVERIFY2(list && list->size() == 2, quoted.constData());
            QCOMPARE(fromToml(list->get_as<std::string>(1)->get()), text);
        }
        QCOMPARE(tomlKey(u"pytorch-2"_s), QByteArray("pytorch-2"));
        QCOMPARE(tomlKey(u"a.b"_s), QByteArray("\"a.b\""));
        QCOMPARE(inToml(QHash<QString, QString>{{u"b"_s, u"2"_s}, {u"a"_s, u"1"_s}}),
                 QByteArray("{ a = \"1\", b = \"2\" }"));
    }

    void anExchangedToolkitTakesCoverageOver()
    {
        const QByteArray text =
            "pythons = ['python313']\nversions = { pytorch = '2.8.0' }\n[[cuda]]\nversion = '12.8'\n"
            "[[coverage]]\nrows = ['sm90', 'sm70', 'sm121']\nisas = ['avx2']\ncudas = ['12.8']\n";
        const auto changed = withSettingsKey(text, *m_catalog, u"x"_s, u"cudas"_s, u"13.0"_s);
        QVERIFY2(changed.ok(), qPrintable(sentenceOf(changed)));
        QStringList names;
        for (const Variant &variant : readSettingsFile(*changed, *m_catalog, u"x"_s)->promised())
            names.append(variant.name().section(u'-', 2));
        // CUDA 13.0 dropped sm70. No x86 host has sm121 with either toolkit, but the file listed it before.
        QCOMPARE(names.join(u' '), u"cuda13_0-sm90-avx2 cuda13_0-sm121-avx2"_s);
        const Settings settings = *readSettingsFile(text, *m_catalog, u"x"_s);
        QCOMPARE(withToolkits(settings, *m_catalog, {u"12.8"_s})->promised(), settings.promised());
        QCOMPARE(withToolkits(settings, *m_catalog, {u"99.0"_s}).error().subject, u"99.0"_s);
    }

    void commentsAreNotWhatIsQuoted()
    {
        QCOMPARE(tomlComments("a = \"# no\" # yes\nb = '#no' #too \nc = \"\"\"\n# no\n\"\"\" # and\n# last").join(u'|'),
                 u"yes|too|and|last"_s);
    }
};

TM_TEST(LineFileTest, QCoreApplication)
#include "tst_settingsfile.moc"
