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
    /// What only a Python that goes has, those that stay or come get: its toolkits and cells.
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
