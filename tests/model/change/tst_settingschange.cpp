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

    void whatIsLeftAloneIsNoChange()
    {
        for (const Line &line : builtInCatalog()->lines)
            QCOMPARE(differing(line, unchanged(line)), SettingsChange{});
    }

    void eachField()
    {
        SettingsChange wish = unchanged(m_main);
        wish.versions.insert(u"pytorch"_s, u"2.9.1"_s);
        wish.hashes.insert(u"pytorch"_s, hash(u'x'));
        wish.cudas = QStringList{u"12.9"_s};
        wish.pythons = QStringList{u"python312"_s};
        wish.pin = QString(40, u'a');
        wish.pinHash = hash(u'y');
        const SettingsChange change = differing(m_main, wish);
        QCOMPARE(change, wish);
        const auto changed = changedSettings(*builtInCatalog(), m_main, std::nullopt, u"next"_s, change);
        QVERIFY_OK(changed);
        const Line &line = changed->settings;
        QCOMPARE(line.versions.value(u"pytorch"_s), u"2.9.1"_s);
        QCOMPARE(line.hashes.value(u"pytorch"_s), hash(u'x'));
        QCOMPARE(*unchanged(line).cudas, QStringList{u"12.9"_s});
        QCOMPARE(line.pythons, QStringList{u"python312"_s});
        QCOMPARE(line.pin.revision, QString(40, u'a'));
        QCOMPARE(line.pin.sha256, hash(u'y'));
    }

    // What is absent stays; what is empty is taken out.
    void nothingAtAllIsAChange()
    {
        SettingsChange wish = unchanged(m_main);
        wish.pin = QString();
        const SettingsChange change = differing(m_main, wish);
        QCOMPARE(change, SettingsChange{.pin = QString()});
        const auto changed = changedSettings(*builtInCatalog(), m_main, std::nullopt, u"next"_s, change);
        QVERIFY_OK(changed);
        QVERIFY(changed->settings.pin.revision.isEmpty());
        wish.cudas = QStringList();
        wish.pythons = QStringList();
        QVERIFY(differing(m_main, wish).cudas && differing(m_main, wish).pythons);
        QVERIFY_ERROR(changedSettings(*builtInCatalog(), m_main, std::nullopt, u"next"_s, differing(m_main, wish)),
                      u"pythons"_s);
    }

    void companionsFollow()
    {
        Line line = m_main;
        line.versions.insert(u"torchvision"_s, u"0.23.0"_s);
        const SettingsChange wish = withPyTorch(*builtInCatalog(), unchanged(line), u"2.10.0"_s);
        QCOMPARE(wish.versions.value(u"torchvision"_s), u"0.25.0"_s);
        QCOMPARE(differing(line, wish),
                 (SettingsChange{.versions = {{u"pytorch"_s, u"2.10.0"_s}, {u"torchvision"_s, u"0.25.0"_s}}}));
        // Of a version that the catalog does not know, they stay.
        QCOMPARE(withPyTorch(*builtInCatalog(), unchanged(line), u"9.9"_s).versions.value(u"torchvision"_s),
                 u"0.23.0"_s);
    }

    void templates()
    {
        const QString other = u"pytorch/explicit-inputs-gpu"_s;
        const auto changed = [](const Line &line, const SettingsChange &wish) {
            const auto settings =
                changedSettings(*builtInCatalog(), line, std::nullopt, u"next"_s, differing(line, wish));
            return settings ? settings->settings : Line{};
        };
        // main's toolkit names the GPU template: what is changed is what is asked.
        SettingsChange wish{.gpuTemplates = {{u"pytorch"_s, other}}};
        Line line = changed(m_main, wish);
        QCOMPARE(line.cudas.constFirst().templates.value(u"pytorch"_s), other);
        QCOMPARE(line.gpuTemplates, m_main.gpuTemplates);
        // One that does not leaves it to the branch; other families keep theirs.
        line = m_main;
        line.cudas.first().templates.clear();
        line.gpuTemplates = {{u"torchvision"_s, u"torchvision/gpu"_s}};
        line = changed(line, wish);
        QVERIFY(line.cudas.constFirst().templates.isEmpty());
        QCOMPARE(line.gpuTemplates,
                 (QHash<QString, QString>{{u"pytorch"_s, other}, {u"torchvision"_s, u"torchvision/gpu"_s}}));
        wish = {.cpuTemplates = {{u"pytorch"_s, u"pytorch/pinned-overlay-cpu"_s}}};
        QCOMPARE(changed(m_main, wish).cpuTemplates.value(u"pytorch"_s), u"pytorch/pinned-overlay-cpu"_s);
        // The templates that the settings have are no change.
        const QString own = m_main.cudas.constFirst().templates.value(u"pytorch"_s);
        wish = {.gpuTemplates = {{u"pytorch"_s, own}},
                .cpuTemplates = {{u"pytorch"_s, m_main.cpuTemplates.value(u"pytorch"_s)}}};
        QCOMPARE(differing(m_main, wish), SettingsChange{});
    }
};

QTEST_GUILESS_MAIN(TestSettingsChange)
#include "tst_settingschange.moc"
