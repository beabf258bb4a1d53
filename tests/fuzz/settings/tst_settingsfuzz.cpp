// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/TestMain.h"

#include "model/settings/SettingsFile.h"

#include <QCoreApplication>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;
using namespace tmx::testing;

/// Randomly changed torch-matrix.toml and user catalogs: the result is settings that can be written and read back, or
/// one sentence.
class SettingsFuzzTest : public QObject
{
    Q_OBJECT
    quint32 m_seed = 0;

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }
    void initTestCase() { m_seed = newSeed(); }

    void settings()
    {
        Fuzzing fuzzing(m_seed);
        const QByteArrayList corpus = corpusOf(u"settings"_s);
        const auto catalog = builtInCatalog();
        const int count = fuzzInputs(8'000);
        int read = 0;
        for (int i = 0; i < count; ++i) {
            const QByteArray text = fuzzing.input(corpus);
            const auto where = [&] { return "input " + QByteArray::number(i) + '\n' + text.toHex(); };
            const Result<Settings> settings = readSettingsFile(text, *catalog, u"main"_s);
            if (!settings) {
                QVERIFY2(!settings.error().why.isEmpty(), where());
                continue;
            }
            ++read;
            if (i % 8 != 0)
                continue;
            const Result<Settings> back = readSettingsFile(writeSettingsFile(*settings, *catalog), *catalog, u"main"_s);
            QVERIFY2(back && sameProfiles(*back, *settings), where());
        }
        qInfo("total: %d inputs, %d of them read", count, read);
        QVERIFY(read > 0 && read < count);
    }

    void catalogs()
    {
        Fuzzing fuzzing(m_seed);
        const QByteArrayList corpus = corpusOf(u"settings"_s);
        const QTemporaryDir folder;
        const QStringList names{u"rows.toml"_s, u"families.toml"_s, u"isas.toml"_s, u"toolkits.toml"_s,
                                u"pythons.toml"_s};
        const int count = fuzzInputs(200);
        int read = 0;
        for (int i = 0; i < count; ++i) {
            QFile file(folder.filePath(names.at(fuzzing.below(names.size()))));
            const QByteArray text = fuzzing.input(corpus);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
            file.close();
            const auto catalog = Catalog::load(folder.path());
            QVERIFY2(catalog || !catalog.error().why.isEmpty(),
                     "input " + QByteArray::number(i) + ' ' + file.fileName().toUtf8() + '\n' + text.toHex());
            read += catalog.ok();
            QVERIFY(file.remove());
        }
        qInfo("total: %d inputs, %d of them read", count, read);
    }
};

TM_TEST(SettingsFuzzTest, QCoreApplication)
#include "tst_settingsfuzz.moc"
