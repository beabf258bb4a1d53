// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/LineWish.h"
#include "tests/support/BranchContents.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

using Keys = QList<std::pair<QString, QString>>;

class TestLineWish : public QObject
{
    Q_OBJECT

    const Line m_main = *builtInCatalog()->line(u"main"_s);

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void whatIsLeftAloneIsNoChange()
    {
        for (const Line &line : builtInCatalog()->lines)
            QCOMPARE(changeFor(line, wishOf(line)), LineChange{});
    }

    void eachField()
    {
        const QString pin(40, u'a');
        LineWish wish = wishOf(m_main);
        wish.versions.insert(u"pytorch"_s, u"2.9.1"_s);
        wish.hashes.insert(u"pytorch"_s, u"sha256-x"_s);
        wish.cudas = {u"12.9"_s};
        wish.pythons = {u"python312"_s};
        wish.pin = pin;
        wish.pinHash = u"sha256-y"_s;
        QCOMPARE(changeFor(m_main, wish),
                 (LineChange{u"2.9.1"_s,
                             {u"12.9"_s},
                             {u"python312"_s},
                             pin,
                             Keys{{u"hashes.pytorch"_s, u"sha256-x"_s}, {u"nixpkgs_sha256"_s, u"sha256-y"_s}}}));
    }

    // An empty field of LineChange means that nothing changes: what is taken out goes by its key.
    void nothingAtAllIsAChange()
    {
        LineWish wish = wishOf(m_main);
        wish.pin.clear();
        wish.cudas.clear();
        wish.pythons.clear();
        QCOMPARE(changeFor(m_main, wish).keys, (Keys{{u"cudas"_s, {}}, {u"pythons"_s, {}}, {u"nixpkgs"_s, {}}}));
    }

    void companionsFollow()
    {
        Line line = m_main;
        line.versions.insert(u"torchvision"_s, u"0.23.0"_s);
        const LineWish wish = withPyTorch(*builtInCatalog(), wishOf(line), u"2.10.0"_s);
        QCOMPARE(wish.versions.value(u"torchvision"_s), u"0.25.0"_s);
        QCOMPARE(changeFor(line, wish),
                 (LineChange{u"2.10.0"_s, {}, {}, {}, Keys{{u"versions.torchvision"_s, u"0.25.0"_s}}}));
        // Of a version that the catalog does not know, they stay.
        QCOMPARE(withPyTorch(*builtInCatalog(), wishOf(line), u"9.9"_s).versions.value(u"torchvision"_s), u"0.23.0"_s);
    }

    void templates()
    {
        // main's toolkit names the GPU template: what is changed is what is asked.
        LineWish wish = wishOf(m_main);
        wish.gpuTemplates.insert(u"pytorch"_s, u"pytorch/explicit-inputs-gpu"_s);
        QCOMPARE(changeFor(m_main, wish).keys, (Keys{{u"cuda.12.8.templates"_s, u"pytorch/explicit-inputs-gpu"_s}}));
        // One that does not leaves it to the line; other families keep theirs.
        Line line = m_main;
        line.cudas.first().templates.clear();
        line.gpuTemplates = {{u"torchvision"_s, u"torchvision/gpu"_s}};
        QCOMPARE(changeFor(line, wish).keys,
                 (Keys{{u"gpu_templates"_s, u"pytorch/explicit-inputs-gpu, torchvision/gpu"_s}}));
        wish.gpuTemplates.clear();
        wish.cpuTemplates.insert(u"pytorch"_s, u"pytorch/pinned-overlay-cpu"_s);
        QCOMPARE(changeFor(m_main, wish).keys, (Keys{{u"cpu_templates"_s, u"pytorch/pinned-overlay-cpu"_s}}));
        wish.cpuTemplates.insert(u"pytorch"_s, m_main.cpuTemplates.value(u"pytorch"_s));
        QCOMPARE(changeFor(m_main, wish), LineChange{});
    }
};

QTEST_GUILESS_MAIN(TestLineWish)
#include "tst_linewish.moc"
