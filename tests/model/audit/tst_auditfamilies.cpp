// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// The audit over every family, toolkit, Python, shape and way of finding torch: nothing is wrong with what the program
// writes, unless a line insists on something that is.
#include "model/audit/Audit.h"
#include "model/template/RecipeRenderer.h"

#include "tests/support/BuiltInCatalog.h"
#include "tests/support/FamilyLines.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QSet>

using namespace tmx;
using namespace tmx::testing;
using namespace Qt::StringLiterals;

class AuditFamiliesTest : public QObject
{
    Q_OBJECT

    const std::shared_ptr<const Catalog> m_catalog = testing::builtInCatalog();

    /// Rules above a note that some recipe violates, by variant.
    QMap<QString, QStringList> troubles(const NamedLine &named) const
    {
        RecipeRenderer renderer(m_catalog);
        QHash<QString, QByteArray> texts;
        const QList<Variant> promised = named.settings.promised();
        for (const Variant &variant : promised) {
            const auto text = renderer.render(named.settings, variant);
            if (!text)
                return {{named.name, {text.error().sentence()}}};
            texts.insert(variant.name() + ".nix"_L1, *text);
        }
        QMap<QString, QStringList> troubles;
        for (const Variant &variant : promised) {
            AuditInput input;
            input.catalog = m_catalog.get();
            input.settings = &named.settings;
            input.variant = variant;
            input.file = variant.file();
            input.text = texts.value(variant.name() + ".nix"_L1);
            input.siblings = texts;
            const Judgement judgement = audit(input);
            for (const Finding &finding : judgement.findings) {
                if (finding.severity != Severity::Note)
                    troubles[variant.name()].append(finding.rule + ": "_L1 + finding.sentence);
            }
        }
        return troubles;
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void nothingIsWrong_data()
    {
        QTest::addColumn<int>("index");
        const QList<NamedLine> lines = familyLines(*m_catalog);
        for (qsizetype i = 0; i < lines.size(); ++i)
            QTest::addRow("%s", qPrintable(lines.at(i).name)) << int(i);
    }

    void nothingIsWrong()
    {
        QFETCH(int, index);
        const auto wrong = troubles(familyLines(*m_catalog).at(index));
        for (auto it = wrong.cbegin(); it != wrong.cend(); ++it)
            QFAIL(qPrintable(u"%1 recipes; %2: %3"_s.arg(wrong.size()).arg(it.key(), it->join(u' '))));
    }

    void aLineThatInsistsIsToldSo()
    {
        for (const NamedLine &named : insistingLines(*m_catalog)) {
            const auto wrong = troubles(named);
            QVERIFY2(!wrong.isEmpty(), qPrintable(named.name));
            for (const Variant &variant : named.settings.promised()) {
                const bool sm = named.settings.notationOf(variant) == ArchNotation::Sm && !variant.cuda.isEmpty();
                const bool amiss = sm || !m_catalog->validity(variant).valid;
                QVERIFY2(wrong.contains(variant.name()) == amiss, qPrintable(named.name + u' ' + variant.name() + u' ' +
                                                                             wrong.value(variant.name()).join(u' ')));
            }
        }
    }
};

TM_TEST(AuditFamiliesTest, QCoreApplication)
#include "tst_auditfamilies.moc"
