// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/SettingsChange.h"
#include "tests/support/BranchContents.h"
#include "tests/support/Results.h"

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

    const Line m_main = *builtInCatalog()->line(u"main"_s);

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
        const Line &line = changed->settings;
        QCOMPARE(line.versions.value(u"pytorch"_s), u"2.9.1"_s);
        QCOMPARE(line.hashes.value(u"pytorch"_s), hash(u'x'));
        QCOMPARE(line.cudas.size(), 1);
        QCOMPARE(line.cudas.constFirst().version, u"12.9"_s);
        QCOMPARE(line.pythons, QStringList{u"python312"_s});
        QCOMPARE(line.pin.revision, QString(40, u'a'));
        QCOMPARE(line.pin.sha256, hash(u'y'));
    }

    // What is absent stays; what is empty is taken out.
    void nothingAtAllIsAChange()
    {
        SettingsChange change{.pin = QString()};
        const auto changed = changedSettings(*builtInCatalog(), m_main, std::nullopt, u"next"_s, change);
        QVERIFY_OK(changed);
        QVERIFY(changed->settings.pin.revision.isEmpty());
        change.cudas = QStringList();
        change.pythons = QStringList();
        QVERIFY_ERROR(changedSettings(*builtInCatalog(), m_main, std::nullopt, u"next"_s, change), u"pythons"_s);
    }

    void templates()
    {
        const QString other = u"pytorch/explicit-inputs-gpu"_s;
        const auto changed = [](const Line &line, const SettingsChange &change) {
            const auto settings = changedSettings(*builtInCatalog(), line, std::nullopt, u"next"_s, change);
            return settings ? settings->settings : Line{};
        };
        // main's toolkit names the GPU template: what is changed is what is asked.
        SettingsChange change{.gpuTemplates = {{u"pytorch"_s, other}}};
        Line line = changed(m_main, change);
        QCOMPARE(line.cudas.constFirst().templates.value(u"pytorch"_s), other);
        QCOMPARE(line.gpuTemplates, m_main.gpuTemplates);
        // One that does not leaves it to the branch; other families keep theirs.
        line = m_main;
        line.cudas.first().templates.clear();
        line.gpuTemplates = {{u"torchvision"_s, u"torchvision/gpu"_s}};
        line = changed(line, change);
        QVERIFY(line.cudas.constFirst().templates.isEmpty());
        QCOMPARE(line.gpuTemplates,
                 (QHash<QString, QString>{{u"pytorch"_s, other}, {u"torchvision"_s, u"torchvision/gpu"_s}}));
        change = {.cpuTemplates = {{u"pytorch"_s, u"pytorch/pinned-overlay-cpu"_s}}};
        QCOMPARE(changed(m_main, change).cpuTemplates.value(u"pytorch"_s), u"pytorch/pinned-overlay-cpu"_s);
        // No name at all: the family's own, whatever the toolkit said.
        line = changed(m_main, {.gpuTemplates = {{u"pytorch"_s, {}}}, .cpuTemplates = {{u"pytorch"_s, {}}}});
        QCOMPARE(line.branch, u"next"_s);
        QVERIFY(!line.cudas.constFirst().templates.contains(u"pytorch"_s));
        QVERIFY(!line.gpuTemplates.contains(u"pytorch"_s) && !line.cpuTemplates.contains(u"pytorch"_s));
    }
};

QTEST_GUILESS_MAIN(TestSettingsChange)
#include "tst_settingschange.moc"
