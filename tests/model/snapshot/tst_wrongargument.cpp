// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/WrongArgument.h"

#include "model/catalog/VariantName.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

Variant named(const QString &name)
{
    return VariantName::parse(name, builtInCatalog()->isaIds())->variant;
}

/// What each argument is for: V version, P Python, C toolkit, G GPU, I instruction set, N name; in one of its
/// notations.
QByteArray wrapper(const QString &form, const Variant &variant)
{
    const FamilyName family = FamilyName::of(variant.family);
    const QString gpu = variant.row.mid(2);
    QString text = u"# \"a\" comment\nimport ./lib/make.nix {\n"_s;
    for (const QString &argument : form.split(u' ')) {
        const QString value = argument == "V"_L1    ? family.version
                              : argument == "v"_L1  ? family.release({})
                              : argument == "P"_L1  ? variant.python
                              : argument == "p"_L1  ? pythonVersion(variant.python)
                              : argument == "C"_L1  ? variant.cuda
                              : argument == "c"_L1  ? QString(variant.cuda).replace(u'.', u'_')
                              : argument == "G"_L1  ? variant.row
                              : argument == "g"_L1  ? gpu
                              : argument == "gd"_L1 ? gpu.chopped(1) + u'.' + gpu.last(1)
                              : argument == "I"_L1  ? variant.isa
                              : argument == "N"_L1  ? variant.name()
                                                    : argument;
        text += u"  x = \"%1\";\n"_s.arg(value);
    }
    return (text + u"}\n"_s).toUtf8();
}

} // namespace

class WrongArgumentTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    /// Wrappers that pass what their names say, in any notation, have none; after one value is exchanged for that of
    /// another name, it is that one.
    void isTheOneThatWasExchanged()
    {
        test::Fuzzing random(test::newSeed());
        const QStringList names{
            u"vision026-python313-cuda12_8-sm90-avx2"_s, u"vision027-python312-cuda13_0-sm120-avx512"_s,
            u"vision026-python313-cuda12_9-sm103-armv9"_s, u"vision025-python311-cuda12_8-sm80-avx"_s};
        const QList<QStringList> notations{{u"V"_s, u"v"_s},          {u"P"_s, u"p"_s}, {u"C"_s, u"c"_s},
                                           {u"G"_s, u"g"_s, u"gd"_s}, {u"I"_s},         {u"N"_s}};
        for (int round = 0; round < test::fuzzInputs(200); ++round) {
            QStringList form{u"fixed"_s};
            for (const QStringList &part : notations) {
                if (random.below(4) > 0)
                    form.insert(random.below(form.size() + 1), part.at(random.below(part.size())));
            }
            const Variant own = named(names.at(random.below(names.size())));
            const Variant other = named(names.at(random.below(names.size())));
            const QByteArray right = wrapper(form.join(u' '), own);
            const QByteArray reference = wrapper(form.join(u' '), other);
            const auto none = wrongArgument(own, right, other, reference);
            QVERIFY2(none && !*none, right + reference);
            const Variant wrong = named(names.at(random.below(names.size())));
            QList<QByteArray> lines = right.split('\n');
            const qsizetype at = 2 + random.below(form.size());
            lines[at] = wrapper(form.join(u' '), wrong).split('\n').at(at);
            const Spot spot = wrongArgument(own, lines.join('\n'), other, reference).value_or(Spot());
            QVERIFY2(spot.line == (lines.join('\n') == right ? 0 : at + 1), lines.join('\n') + reference);
        }
    }

    void otherFormsSayNothing()
    {
        const Variant own = named(u"vision-python313-cuda12_8-sm90-avx2"_s);
        const Variant other = named(u"vision-python313-cuda12_8-sm80-avx2"_s);
        const auto in = [&](const char *text, const char *reference) {
            return wrongArgument(own, text, other, reference);
        };
        QVERIFY(!in("import ./a.nix { sm = \"80\"; }", "import ./a.nix { sm = \"80\"; isa = \"avx2\"; }"));
        QCOMPARE(in("import ./a.nix { }", "import ./a.nix { }"), Spot());
        QCOMPARE(in("import ./a.nix { sm = \"80\"; }", "import ./a.nix { sm = \"80\"; }")->line, 1);
    }
};

TM_TEST(WrongArgumentTest, QCoreApplication)
#include "tst_wrongargument.moc"
