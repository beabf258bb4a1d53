// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/SettingsTable.h"
#include "model/settings/SettingsEdit.h"
#include "model/settings/SettingsFile.h"
#include "model/snapshot/Bytes.h"
#include "tests/support/BranchContents.h"
#include "tests/support/RandomSettings.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

/// What follows from an entry of the table, for each entry, so also for the next one.
class SettingsTableTest : public QObject
{
    Q_OBJECT

    const std::shared_ptr<const Catalog> m_catalog = testing::builtInCatalog();

    /// A value that is allowed and not the default.
    static QString otherValue(const Setting &setting)
    {
        if (!setting.words.isEmpty())
            return setting.words.at(1);
        if (setting.most > 0)
            return QString::number(setting.most);
        const QRegularExpression form(QRegularExpression::anchoredPattern(setting.form));
        for (const QString &value : {u"python312"_s, u"python3Packages"_s, u"2.7.7"_s, QString(40, u'b'),
                                     QString::fromLatin1(testing::someHash()), u"acme"_s, u"acme/build-pytorch"_s}) {
            if (form.match(value).hasMatch())
                return value;
        }
        return {};
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void holdsAllOfAProfile()
    {
        QRandomGenerator random(31);
        for (int round = 0; round < 100; ++round) {
            const Settings settings = test::randomSettings(*m_catalog, random);
            for (auto it = settings.profiles.cbegin(); it != settings.profiles.cend(); ++it) {
                Profile copy;
                copy.cells = it->cells;
                apply(difference(it.key(), copy, *it), it.key(), copy);
                QCOMPARE(copy, *it);
            }
        }
    }

    void everyEntryIsWrittenReadChangedAndKnown()
    {
        const ProfileKey key{u"pytorch"_s, u"python313"_s, u"12.8"_s};
        const Settings settings = *m_catalog->settings(u"main"_s);
        QVERIFY(settings.profiles.contains(key));
        for (const Setting &setting : settingsTable()) {
            if (setting.scope == Setting::Templates)
                continue; // values of "template"
            const QString value =
                setting.scope == Setting::Profiles ? u"pytorch/pinned-overlays-gpu"_s : otherValue(setting);
            QVERIFY2(!value.isEmpty() && value != setting.value(settings.profiles.value(key)), qPrintable(setting.key));
            Settings other = settings;
            setting.set(other.profiles[key], value);
            const QByteArray file = writeSettingsFile(other, *m_catalog);
            QVERIFY(file != writeSettingsFile(settings, *m_catalog));
            const auto back = readSettingsFile(file, *m_catalog, settings.branch);
            QVERIFY_OK(back);
            QCOMPARE(back->profiles, other.profiles);
            QVERIFY(asBytes(other) != asBytes(settings)); // so that nothing that was kept for the others is taken
            const QString typed = setting.scope == Setting::Branch    ? setting.key
                                  : setting.scope == Setting::Toolkit ? u"cuda.12.8."_s + setting.key
                                                                      : setting.table + ".pytorch"_L1;
            if (setting.scope == Setting::Profiles)
                continue;
            const auto changed =
                withSettingsKey(writeSettingsFile(settings, *m_catalog), *m_catalog, settings.branch, typed, value);
            QVERIFY_OK(changed);
            QCOMPARE(setting.value(readSettingsFile(*changed, *m_catalog, settings.branch)->profiles.value(key)),
                     value);
        }
    }
};

TM_TEST(SettingsTableTest, QCoreApplication)
#include "tst_settingstable.moc"
