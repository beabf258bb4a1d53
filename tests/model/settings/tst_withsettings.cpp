// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Catalog.h"
#include "model/settings/SettingsEdit.h"
#include "model/settings/SettingsFile.h"
#include "model/toml/Toml.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/EditedSettings.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

/// A hand-written file after a change of the settings that was made elsewhere.
class TestWithSettings : public QObject
{
    Q_OBJECT

    std::shared_ptr<const Catalog> m_catalog;

    static QByteArray file()
    {
        return "# Ask before you touch this.\nbase = 'cuda-12_9'\n"
               "nixpkgs = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' # pinned in May\n"
               "\n[[coverage]]\nrows = ['cpu'] # asked for\nisas = ['avx2']\n"
               "\n# Behind it all.\n[versions] # all of them\npytorch = '2.8.0' # of the pin\n";
    }
    [[nodiscard]] Settings line() const
    {
        const Result<Settings> read = readSettingsFile(file(), *m_catalog, u"cuda-12_9"_s);
        return read ? *read : Settings();
    }
    void reads(const QByteArray &text, const Settings &settings) const
    {
        const Result<Settings> back = readSettingsFile(text, *m_catalog, settings.branch);
        QVERIFY2(back.ok(), back.ok() ? "" : qPrintable(back.error().sentence()));
        QVERIFY2(sameProfiles(*back, settings), text.constData());
    }

private Q_SLOTS:
    /// What only a Python that goes has, those that stay or come get: its toolkits and cells; where only one of several
    /// goes and its recipes are to stay, it goes too.
    void nothingIsLostWithAPython()
    {
        const GridCell cell{u"sm90"_s, u"avx2"_s, {}}, other{u"sm80"_s, u"avx2"_s, {}};
        Settings settings;
        const auto put = [&settings](const QString &python, const QString &cuda, const QList<GridCell> &cells) {
            Profile profile;
            profile.cells = cells;
            settings.profiles.insert({u"onnxruntime"_s, python, cuda}, profile);
        };
        put(u"python312"_s, u"12.4"_s, {cell});
        put(u"python312"_s, u"12.9"_s, {}); // the table has all Pythons and toolkits
        put(u"python313"_s, u"12.4"_s, {});
        put(u"python313"_s, u"12.9"_s, {cell, other});
        const auto cellsOf = [](const Settings &of, const QString &python, const QString &cuda) {
            return of.profiles.value({u"onnxruntime"_s, python, cuda}).cells;
        };
        for (const QString &python : {u"python312"_s, u"python311"_s}) {
            const Settings after = withPythons(settings, {python});
            QCOMPARE(after.pythons(), QStringList{python});
            QCOMPARE(cellsOf(after, python, u"12.4"_s), QList<GridCell>{cell});
            QCOMPARE(cellsOf(after, python, u"12.9"_s), (QList<GridCell>{cell, other}));
        }
        QVERIFY(withPythons(settings, {u"python312"_s, u"python313"_s}).profiles == settings.profiles);
        const Settings after = withPythons(settings, {u"python313"_s}, OfGonePython::Goes);
        QCOMPARE(after.toolkits(), QStringList{u"12.9"_s});
        QCOMPARE(cellsOf(after, u"python313"_s, u"12.9"_s), (QList<GridCell>{cell, other}));
        QVERIFY(withPythons(settings, {u"python311"_s}, OfGonePython::Goes) == withPythons(settings, {u"python311"_s}));
    }

    /// A new toolkit beside others gets what all of them have that can have it, of the Pythons that have all of them;
    /// of the newest, if each Python has its own toolkits.
    void aNewToolkitIsListed()
    {
        const GridCell sm90{u"sm90"_s, u"avx2"_s, {}}, sm80{u"sm80"_s, u"avx2"_s, {}}, sm103{u"sm103"_s, u"avx2"_s, {}};
        const auto cellsOf = [this](const QList<QPair<QString, QList<GridCell>>> &profiles,
                                    const QStringList &toolkits) {
            Settings settings;
            for (const auto &[place, cells] : profiles) {
                Profile profile;
                profile.cells = cells;
                settings.profiles.insert({u"mathrun"_s, place.section(u' ', 0, 0), place.section(u' ', 1)}, profile);
                settings.profiles[{u"mathrun"_s, place.section(u' ', 0, 0), u"cpu"_s}];
            }
            QStringList texts;
            for (const Variant &variant : withToolkits(settings, *m_catalog, toolkits)->promised()) {
                if (variant.cuda == "13.0"_L1)
                    texts.append(variant.python + u' ' + variant.row);
            }
            return texts.join(u", "_s);
        };
        const QStringList all{u"12.8"_s, u"12.9"_s, u"13.0"_s};
        // CUDA 12.8 does not know sm103.
        QCOMPARE(cellsOf({{u"python313 12.8"_s, {sm90, sm80}}, {u"python313 12.9"_s, {sm90, sm103}}}, all),
                 u"python313 sm90, python313 sm103"_s);
        QCOMPARE(cellsOf({{u"python312 12.8"_s, {sm90}},
                          {u"python312 12.9"_s, {}},
                          {u"python313 12.8"_s, {}},
                          {u"python313 12.9"_s, {sm90, sm80}}},
                         all),
                 u"python313 sm80, python313 sm90"_s);
        QCOMPARE(cellsOf({{u"python312 12.8"_s, {sm90}},
                          {u"python312 12.9"_s, {sm90}},
                          {u"python313 12.8"_s, {}},
                          {u"python313 12.9"_s, {sm90, sm80}}},
                         all),
                 u"python312 sm90"_s);
        QCOMPARE(cellsOf({{u"python312 12.8"_s, {sm90}}, {u"python312 12.9"_s, {}}}, all), QString());
    }

    /// Where each table of the coverage names its Pythons, a new one is listed like the newest.
    void aNewPythonIsListed()
    {
        const QByteArray text = "pythons = ['python313', 'python312']\nversions = { pytorch = '2.8.0' }\n"
                                "[[cuda]]\nversion = '12.8'\n[[cuda]]\nversion = '12.9'\n"
                                "[[coverage]]\nrows = ['sm80']\nisas = ['avx2']\npythons = ['python312']\n"
                                "cudas = ['12.8']\n"
                                "[[coverage]]\nrows = ['sm90']\nisas = ['avx2']\npythons = ['python313']\n"
                                "cudas = ['12.9']\n";
        const auto changed =
            withSettingsKey(text, *m_catalog, u"x"_s, u"pythons"_s, u"python313, python312, python311"_s);
        QVERIFY2(changed.ok(), changed.ok() ? "" : qPrintable(changed.error().sentence()));
        QStringList names;
        for (const Variant &variant : readSettingsFile(*changed, *m_catalog, u"x"_s)->promised())
            names.append(variant.name().section(u'-', 1));
        QCOMPARE(names.join(u' '), u"python313-cuda12_9-sm90-avx2 python312-cuda12_8-sm80-avx2 "
                                   "python311-cuda12_9-sm90-avx2"_s);
    }

    void initTestCase()
    {
        m_catalog = testing::builtInCatalog();
        QVERIFY(line().source == Settings::Source::File);
    }

    void theSameLineLeavesTheFile() { QCOMPARE(withSettings(file(), *m_catalog, line()), file()); }

    void keysChangeInPlace()
    {
        Settings changed = line();
        const NixpkgsPin pin = changed.common(&Profile::pin);
        changed.set(&Profile::pin, NixpkgsPin{QString(40, u'b'), {}, pin.python3});
        changed.set(&Profile::version, u"2.8.1"_s);
        changed.set(&Profile::metadataRev, 4);
        const QByteArray text = withSettings(file(), *m_catalog, changed);
        reads(text, changed);
        QCOMPARE(tomlComments(text), tomlComments(file()));
        QByteArray expected = file();
        expected.replace(QByteArray(40, 'a'), QByteArray(40, 'b')).replace("'2.8.0'", "\"2.8.1\"");
        for (const QByteArray &written : expected.split('\n')) {
            if (written.startsWith('#') || written.startsWith('['))
                QVERIFY2(text.contains(written + '\n'), written.constData());
        }
    }

    void coverageLosesOnlyItsOwnComments()
    {
        const Settings changed = test::edited(
            line(), *m_catalog, [](WrittenSettings &form) { form.coverage.append({{u"sm90"_s}, {u"avx512"_s}}); });
        const QByteArray text = withSettings(file(), *m_catalog, changed);
        reads(text, changed);
        QStringList kept = tomlComments(file());
        QVERIFY(kept.removeOne(u"asked for"_s));
        QCOMPARE(tomlComments(text), kept);
    }

    void whatCannotBeKeptIsWrittenAnew()
    {
        const Settings changed = test::edited(line(), *m_catalog, [](WrittenSettings &form) {
            form.cudas.append({u"13.0"_s, {{u"release"_s, u"13.0"_s}, {u"attribute"_s, u"cudaPackages_13"_s}}});
        });
        QCOMPARE(withSettings(file(), *m_catalog, changed), writeSettingsFile(changed, *m_catalog));
        QCOMPARE(withSettings("not = toml = at all", *m_catalog, changed), writeSettingsFile(changed, *m_catalog));
    }
};

TM_TEST(TestWithSettings, QCoreApplication)
#include "tst_withsettings.moc"
