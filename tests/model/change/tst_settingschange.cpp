// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/SettingsChange.h"
#include "tests/support/BranchContents.h"
#include "tests/support/EditedSettings.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

static QString hash(QChar digit)
{
    return u"sha256-"_s + QString(43, digit) + u'=';
}

class TestSettingsChange : public QObject
{
    Q_OBJECT

    const Settings m_main = *builtInCatalog()->settings(u"main"_s);

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void eachField()
    {
        const SettingsChange change{.versions = {{u"pytorch"_s, u"2.9.1"_s}},
                                    .hashes = {{u"pytorch"_s, hash(u'x')}},
                                    .cudas = QStringList{u"12.9"_s},
                                    .pythons = QStringList{u"python312"_s},
                                    .pin = QString(40, u'a'),
                                    .pinHash = hash(u'y')};
        const auto changed = changedSettings(*builtInCatalog(), m_main, std::nullopt, u"next"_s, change);
        QVERIFY_OK(changed);
        const Settings &settings = changed->settings;
        QCOMPARE(settings.versionOf(u"pytorch"_s), u"2.9.1"_s);
        QCOMPARE(settings.common(&Profile::sourceHash), hash(u'x'));
        QCOMPARE(settings.toolkits(), QStringList{u"12.9"_s});
        QCOMPARE(settings.pythons(), QStringList{u"python312"_s});
        QCOMPARE(settings.common(&Profile::pin).revision, QString(40, u'a'));
        QCOMPARE(settings.common(&Profile::pin).sha256, hash(u'y'));
    }

    // Of several nixpkgs one is replaced: the hash is the new one's, and the others keep theirs.
    void theHashGoesWithItsRevision()
    {
        Settings source = m_main;
        for (auto it = source.profiles.begin(); it != source.profiles.end(); ++it)
            it->pin = it.key().isCuda() ? NixpkgsPin{QString(40, u'a'), hash(u'a'), u"python313"_s}
                                        : NixpkgsPin{QString(40, u'b'), hash(u'b'), u"python313"_s};
        const auto changed = changedSettings(
            *builtInCatalog(), source, std::nullopt, u"next"_s,
            {.pin = QString(40, u'c'), .pinFrom = QString(40, u'a'), .keys = {{u"nixpkgs_sha256"_s, hash(u'c')}}});
        QVERIFY_OK(changed);
        for (auto it = changed->settings.profiles.cbegin(); it != changed->settings.profiles.cend(); ++it) {
            QCOMPARE(it->pin.revision, QString(40, it.key().isCuda() ? u'c' : u'b'));
            QCOMPARE(it->pin.sha256, hash(it.key().isCuda() ? u'c' : u'b'));
        }
    }

    // Each nixpkgs has its own name of a toolkit, whatever else changes with it.
    void toolkitsAsTheirNixpkgsNamesThem()
    {
        const Settings &known = *builtInCatalog()->settings(u"cuda-13_0"_s);
        const QString name = known.common(&Profile::cudaAttribute, {{}, {}, {u"13.0"_s}});
        const QString pin = known.common(&Profile::pin).revision;
        const QString current = builtInCatalog()->toolkit(u"13.0"_s)->attribute;
        QVERIFY(!name.isEmpty() && name != current);
        const auto named = [&](const SettingsChange &change) {
            const auto changed = changedSettings(*builtInCatalog(), m_main, std::nullopt, u"next"_s, change);
            return changed ? changed->settings.common(&Profile::cudaAttribute, {{}, {}, {u"13.0"_s}})
                           : changed.error().sentence();
        };
        const QStringList cudas{u"13.0"_s};
        QCOMPARE(named({.cudas = cudas, .pin = pin}), name);
        QCOMPARE(named({.versions = {{u"pytorch"_s, u"2.9.1"_s}}, .cudas = cudas, .pin = pin}), name);
        QCOMPARE(named({.cudas = QStringList{u"12.9"_s, u"13.0"_s}, .pin = pin}), name);
        QCOMPARE(named({.cudas = cudas, .pin = QString(40, u'a')}), current);
        // What somebody chose for that nixpkgs stays.
        Settings own = known;
        for (Profile &profile : own.profiles)
            profile.cudaAttribute = current;
        const auto kept = changedSettings(*builtInCatalog(), own, std::nullopt, u"next"_s, {.pin = pin});
        QVERIFY_OK(kept);
        QCOMPARE(kept->settings.common(&Profile::cudaAttribute, {{}, {}, cudas}), current);
    }

    // What is absent stays; what is empty is taken out.
    void nothingAtAllIsAChange()
    {
        SettingsChange change{.pin = QString()};
        const auto changed = changedSettings(*builtInCatalog(), m_main, std::nullopt, u"next"_s, change);
        QVERIFY_OK(changed);
        QVERIFY(changed->settings.common(&Profile::pin).revision.isEmpty());
        change.cudas = QStringList();
        change.pythons = QStringList();
        QVERIFY_ERROR(changedSettings(*builtInCatalog(), m_main, std::nullopt, u"next"_s, change), u"pythons"_s);
    }

    // Of a form that no hash has: refused even where it would be left out.
    void aHashIsAHash()
    {
        for (const QString &wrong : {u"foo"_s, hash(u'x').chopped(1), hash(u'x') + u'\n'}) {
            for (const SettingsChange &change : {SettingsChange{.hashes = {{u"pytorch"_s, wrong}}},
                                                 SettingsChange{.keys = {{u"hashes.pytorch"_s, wrong}}}}) {
                const auto changed = changedSettings(*builtInCatalog(), m_main, std::nullopt, u"next"_s, change);
                QVERIFY_ERROR(changed, u"is not a hash such as sha256-"_s);
                QVERIFY(changed.error().usage);
            }
        }
    }

    // What a new nixpkgs may change unseen is said: the Python behind python3Packages, and a torch from elsewhere.
    void unseenPartsOfAPin()
    {
        const auto with = [this](const QString &set, TorchOrigin origin) {
            Settings settings = m_main;
            for (Profile &profile : settings.profiles) {
                profile.pin = {QString(40, u'b'), {}, u"python313"_s};
                profile.pythonSet = set;
                profile.torchOrigin = origin;
                profile.torchRepository = {u"acme/build-pytorch"_s, QString(40, u'c'), {}};
            }
            return settings;
        };
        const auto warnings = [](const Settings &from, const SettingsChange &change) {
            const auto changed = changedSettings(*builtInCatalog(), from, std::nullopt, u"next"_s, change);
            return changed ? changed->warnings : QStringList{changed.error().sentence()};
        };
        const SettingsChange pin{.pin = QString(40, u'a')};
        const QString standard = u"python3Packages"_s;
        QCOMPARE(warnings(with(standard, TorchOrigin::InPlace), pin).filter(u"python3.pythonVersion"_s).size(), 1);
        QCOMPARE(warnings(with({}, TorchOrigin::InPlace), pin).filter(u"python3.pythonVersion"_s).size(), 0);
        QCOMPARE(warnings(with(standard, TorchOrigin::InPlace), {}).size(), 0);
        QCOMPARE(warnings(with({}, TorchOrigin::Fetched), pin).filter(u"torch_rev"_s).size(), 1);
        QCOMPARE(warnings(with({}, TorchOrigin::InPlace), pin).filter(u"torch_rev"_s).size(), 0);
        SettingsChange both = pin;
        both.keys = {{u"torch_rev"_s, QString(40, u'd')}};
        QCOMPARE(warnings(with({}, TorchOrigin::Fetched), both).filter(u"torch_rev"_s).size(), 0);
        // A nixpkgs that the catalog knows.
        const SettingsChange known{.pin = m_main.common(&Profile::pin).revision};
        QVERIFY(!known.pin->isEmpty());
        QCOMPARE(warnings(with(standard, TorchOrigin::InPlace), known).filter(u"python3.pythonVersion"_s).size(), 0);
    }

    void templates()
    {
        const QString other = u"pytorch/explicit-inputs-gpu"_s;
        const auto changed = [](const Settings &from, const SettingsChange &change) {
            const auto settings = changedSettings(*builtInCatalog(), from, std::nullopt, u"next"_s, change);
            return settings ? settings->settings : Settings{};
        };
        const auto templatesOf = [](const Settings &settings, const QString &family, const QStringList &builds) {
            QStringList names;
            for (auto it = settings.profiles.cbegin(); it != settings.profiles.cend(); ++it) {
                if (ProfileSelector{{family}, {}, builds}.matches(it.key()))
                    names.append(it->templateName);
            }
            names.removeDuplicates();
            return names.join(u' ');
        };
        const QString cpu = templatesOf(m_main, u"pytorch"_s, {u"cpu"_s});
        const SettingsChange change{.gpuTemplates = {{u"pytorch"_s, other}}};
        Settings settings = changed(m_main, change);
        QCOMPARE(templatesOf(settings, u"pytorch"_s, {u"12.8"_s}), other);
        QCOMPARE(templatesOf(settings, u"pytorch"_s, {u"cpu"_s}), cpu);
        // Of all toolkits; other families keep theirs.
        settings = test::edited(m_main, *builtInCatalog(), [](WrittenSettings &form) {
            form.cudas.append({u"12.9"_s, {{u"release"_s, u"12.9"_s}, {u"attribute"_s, u"cudaPackages_12_9"_s}}});
            form.families = {u"pytorch"_s, u"torchvision"_s};
            form.ofFamilies[u"torchvision"_s].insert(u"gpu_template"_s, u"torchvision/gpu"_s);
        });
        settings = changed(settings, change);
        QCOMPARE(templatesOf(settings, u"pytorch"_s, {u"12.8"_s, u"12.9"_s}), other);
        QCOMPARE(templatesOf(settings, u"torchvision"_s, {u"12.8"_s, u"12.9"_s}), u"torchvision/gpu"_s);
        settings = changed(m_main, {.cpuTemplates = {{u"pytorch"_s, u"pytorch/pinned-overlay-cpu"_s}}});
        QCOMPARE(templatesOf(settings, u"pytorch"_s, {u"cpu"_s}), u"pytorch/pinned-overlay-cpu"_s);
        // No name at all: the family's own, whatever the toolkit said.
        settings = changed(m_main, {.gpuTemplates = {{u"pytorch"_s, {}}}, .cpuTemplates = {{u"pytorch"_s, {}}}});
        QCOMPARE(settings.branch, u"next"_s);
        QCOMPARE(templatesOf(settings, u"pytorch"_s, {u"12.8"_s, u"cpu"_s}), QString());
    }
};

TM_TEST(TestSettingsChange, QCoreApplication)
#include "tst_settingschange.moc"
