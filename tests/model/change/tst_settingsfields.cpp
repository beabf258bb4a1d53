// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/SettingsFields.h"
#include "tests/support/BranchContents.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

QString typed(QRandomGenerator &random)
{
    return random.bounded(4) == 0 ? QString() : u"t%1"_s.arg(random.bounded(1000));
}

/// The fields with some of them changed, as a user could.
SettingsFields edited(QRandomGenerator &random, SettingsFields fields)
{
    const auto touch = [&random](SettingsValues &values, const Setting &setting) {
        if (random.bounded(3) == 0)
            setting.put(values, setting.most > 0          ? QString::number(random.bounded(3))
                                : setting.words.isEmpty() ? typed(random)
                                                          : setting.words.at(random.bounded(setting.words.size())));
    };
    for (SettingsFields::Family &family : fields.families) {
        if (random.bounded(3) == 0)
            family.built = !family.built;
        for (const Setting &setting : settingsTable()) {
            if (setting.scope == Setting::Family || setting.scope == Setting::Templates)
                touch(family.values, setting);
        }
    }
    for (const Toolkit &toolkit : builtInCatalog()->toolkits) {
        if (random.bounded(3) != 0)
            continue;
        const auto there = std::ranges::find(fields.toolkits, toolkit.version, &SettingsFields::Toolkit::version);
        if (there == fields.toolkits.end())
            fields.toolkits.append({toolkit.version, {{u"attribute"_s, toolkit.attribute}}});
        else if (random.bounded(2) == 0 && fields.toolkits.size() > 1) // without any, no template of a toolkit is left
            fields.toolkits.erase(there);
        else
            touch(there->values, *settingOf(u"nixpkgs"_s));
    }
    for (const auto &[python] : builtInCatalog()->pythons) {
        if (random.bounded(3) == 0 && fields.pythons.removeAll(python) == 0)
            fields.pythons.append(python);
    }
    for (const Setting &setting : settingsTable()) {
        if (setting.scope == Setting::Branch)
            touch(fields.values, setting);
    }
    return fields;
}

} // namespace

class TestSettingsFields : public QObject
{
    Q_OBJECT

    const Settings m_main = *builtInCatalog()->settings(u"main"_s);

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void whatIsLeftAloneIsNoChange()
    {
        for (const Settings &settings : builtInCatalog()->builtIn) {
            const WrittenSettings line = written(settings, *builtInCatalog());
            const SettingsFields fields = fieldsOf(*builtInCatalog(), line);
            QCOMPARE(withFields(line, fields, fields), line);
            QCOMPARE(changeBetween(fields, fields), SettingsChange{});
            QCOMPARE(rebased(fields, fields, fields), fields);
        }
    }

    // The form shows the edited values, and nothing else in the settings changes.
    void fieldsOfWhatWasEditedAreTheFields()
    {
        QRandomGenerator random(20);
        for (int round = 0; round < 2000; ++round) {
            const WrittenSettings settings =
                written(builtInCatalog()->builtIn.at(round % builtInCatalog()->builtIn.size()), *builtInCatalog());
            const SettingsFields before = fieldsOf(*builtInCatalog(), settings);
            const SettingsFields now = edited(random, before);
            const WrittenSettings changed = withFields(settings, before, now);
            QCOMPARE(changed.coverage, settings.coverage);
            const SettingsFields shown = fieldsOf(*builtInCatalog(), changed);
            // No family at all is the same as all that have a version.
            if (std::ranges::none_of(now.families, &SettingsFields::Family::built))
                continue;
            QCOMPARE(shown, now);
            // Changing back: nothing remains of the edit, except what no field shows.
            QCOMPARE(fieldsOf(*builtInCatalog(), withFields(changed, now, before)), before);
        }
    }

    void editsStayWhenTheFormBeginsWithOtherSettings()
    {
        QRandomGenerator random(21);
        for (int round = 0; round < 2000; ++round) {
            const SettingsFields before = fieldsOf(*builtInCatalog(), m_main);
            const SettingsFields now = fieldsOf(*builtInCatalog(), *builtInCatalog()->settings(u"cuda-13_0"_s));
            QCOMPARE(rebased(before, before, now), now);
            const SettingsFields mine = edited(random, before);
            const SettingsFields kept = rebased(mine, before, now);
            for (qsizetype i = 0; i < kept.families.size(); ++i) {
                const auto versionIn = [i](const SettingsFields &fields) {
                    return fields.families.at(i).values.value(u"version"_s);
                };
                QCOMPARE(versionIn(kept), versionIn(versionIn(mine) != versionIn(before) ? mine : now));
            }
            const auto pinIn = [](const SettingsFields &fields) { return fields.values.value(u"nixpkgs"_s); };
            QCOMPARE(pinIn(kept), pinIn(pinIn(mine) != pinIn(before) ? mine : now));
            for (const auto &[python] : builtInCatalog()->pythons) {
                const bool changed = mine.pythons.contains(python) != before.pythons.contains(python);
                QCOMPARE(kept.pythons.contains(python), (changed ? mine : now).pythons.contains(python));
            }
        }
    }

    // Deriving with the form gives what it shows: the change is complete.
    void aChangeSaysWhatDiffers()
    {
        Settings settings = m_main;
        settings.set(&Profile::sourceHash, u"sha256-"_s + QString(43, u'h') + u'=');
        const SettingsFields before = fieldsOf(*builtInCatalog(), settings);
        SettingsFields now = before;
        const QString pin(40, u'c');
        SettingsFields::Family &torch = now.families[0];
        QCOMPARE(torch.id, u"pytorch"_s);
        torch.values[u"pname_prefix"_s] = u"mine"_s;
        torch.values.remove(u"gpu_template"_s);
        torch.values.remove(u"hash"_s);
        now.families[1].built = true;
        now.families[1].values[u"version"_s] = u"0.23.0"_s;
        now.pythons = {u"python312"_s};
        now.values[u"blas"_s] = u"mkl"_s;
        now.values[u"nixpkgs"_s] = pin;
        const SettingsChange change = changeBetween(before, now);
        QCOMPARE(change.versions, (QMap<QString, QString>{{u"torchvision"_s, u"0.23.0"_s}}));
        const auto changed = changedSettings(*builtInCatalog(), settings, std::nullopt, u"next"_s, change);
        QVERIFY_OK(changed);
        SettingsFields wanted = now;
        wanted.values.remove(u"nixpkgs_sha256"_s); // of the old revision
        QCOMPARE(fieldsOf(*builtInCatalog(), changed->settings), wanted);
        // The hash of a version goes with the version, and is asked for by name alone.
        now = before;
        now.families[0].values[u"version"_s] = u"2.9.1"_s;
        now.families[0].values.remove(u"hash"_s);
        QCOMPARE(changeBetween(before, now), (SettingsChange{.versions = {{u"pytorch"_s, u"2.9.1"_s}}}));
    }
};

TM_TEST(TestSettingsFields, QCoreApplication)
#include "tst_settingsfields.moc"
