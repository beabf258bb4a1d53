// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// What the program writes itself has nothing wrong with it, and what it says is what its variant is.
#include "tests/support/AuditedText.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

class AuditGeneratedTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void nothingIsWrong_data()
    {
        QTest::addColumn<QString>("branch");
        for (const Settings &settings : builtInCatalog()->builtIn)
            QTest::addRow("%s", qPrintable(settings.branch)) << settings.branch;
    }

    /// Every family of the catalog and every row, whether the settings cover them or not.
    void nothingIsWrong()
    {
        QFETCH(const QString, branch);
        const auto catalog = builtInCatalog();
        const Settings &settings = *catalog->settings(branch);
        RecipeRenderer renderer(catalog);
        QHash<QString, QByteArray> siblings;
        QList<AuditInput> inputs;
        QStringList unrendered;
        for (const Variant &variant : variantsOf(*catalog, settings)) {
            const auto text = renderer.render(settings, variant);
            if (!text) {
                QVERIFY2(!settings.covers(variant), qPrintable(text.error().sentence()));
                unrendered.append(variant.name());
                continue;
            }
            siblings.insert(variant.name() + u".nix"_s, *text);
            AuditInput input;
            input.catalog = catalog.get();
            input.settings = &settings;
            input.variant = variant;
            input.file = variant.file();
            input.text = *text;
            inputs.append(input);
        }
        QVERIFY(inputs.size() >= settings.promised().size());
        for (AuditInput &input : inputs) {
            input.siblings = siblings;
            const Judgement judgement = audit(input);
            QVERIFY2(rulesOf(judgement, Severity::Warning).isEmpty(),
                     qPrintable(input.variant.name() + u": "_s + rulesOf(judgement).join(u' ') + u"\n"_s +
                                QString::fromUtf8(input.text)));
            agrees(input, *judgement.facts);
        }
    }

private:
    static QList<Variant> variantsOf(const Catalog &catalog, const Settings &settings)
    {
        QList<Variant> variants = settings.promised();
        for (const Family &family : catalog.families) {
            for (const GpuRow &row : catalog.rows) {
                for (const Isa &isa : catalog.isas) {
                    const QString cuda = row.isGpu() ? settings.toolkits().value(0) : QString();
                    const Variant variant{family.id, settings.pythons().value(0), cuda, row.id,
                                          row.id == "darwin-mps"_L1 ? QString() : isa.id};
                    if (catalog.validity(variant).valid && !variants.contains(variant))
                        variants.append(variant);
                }
            }
        }
        return variants;
    }

    static void agrees(const AuditInput &input, const RecipeFacts &facts)
    {
        const Isa *isa = input.catalog->isa(input.variant.isa);
        const GpuRow *row = input.catalog->row(input.variant.row);
        QCOMPARE(facts.package.pname.value, input.settings->pnameOf(input.variant));
        QCOMPARE(facts.package.attribute.value, input.catalog->family(input.variant.family)->attribute);
        QCOMPARE(facts.pins.isEmpty() ? QString() : facts.pins.constFirst().revision.value,
                 input.settings->profileOf(input.variant).pin.revision);
        if (isa) {
            QCOMPARE(facts.package.cxxFlags.values(), isa->flags);
            QCOMPARE(facts.package.cFlags.values(), isa->flags);
            QVERIFY(facts.package.cxxFlags.known);
            QCOMPARE(facts.package.platforms.values(), QStringList{isa->platform});
            QCOMPARE(facts.package.passthruOf(u"cpuISA")->value, isa->id);
        }
        if (row->isGpu())
            QCOMPARE(facts.package.passthruOf(u"gpuArch")->value, row->capability);
        for (const Fact &fact : facts.rows()) {
            QVERIFY2(!fact.value.isEmpty() && !fact.label.isEmpty() && fact.line > 0, qPrintable(fact.id));
            QVERIFY(fact.line <= input.text.count('\n') + 1);
        }
    }
};

TM_TEST(AuditGeneratedTest, QCoreApplication)
#include "tst_auditgenerated.moc"
