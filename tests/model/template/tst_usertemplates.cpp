// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/template/RecipeRenderer.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace tmx;
using namespace tmx::testing;
using namespace Qt::StringLiterals;

namespace {

/// A template in the user's folder; its path is relative to that folder.
void write(const QTemporaryDir &folder, const QString &path, const QByteArray &text)
{
    QVERIFY(QDir(folder.path()).mkpath(QFileInfo(path).path()));
    QFile file(folder.filePath(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

} // namespace

/// Templates written by a user: which one is used, and the errors for wrong ones.
class UserTemplatesTest : public QObject
{
    Q_OBJECT

    const std::shared_ptr<const Catalog> m_catalog = builtInCatalog();

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void aUsersTemplateGoesFirst()
    {
        QTemporaryDir folder;
        write(folder, u"pytorch/two-stage-gpu.nix"_s,
              "{# mine #}\n# mine {{ name }}\n{% include \"pytorch/parts/cpu-target\" %}\n{% include "
              "\"pytorch/parts/mine\" %}\n# end\n");
        write(folder, u"pytorch/parts/mine.nix"_s, "# part\n");
        RecipeRenderer renderer(m_catalog, folder.path());
        const auto text = renderer.render(*m_catalog->settings(u"main"_s), torchOn("12.8", "sm90", "armv9"));
        QVERIFY2(text.ok(), text.ok() ? "" : qPrintable(text.error().sentence()));
        QCOMPARE(
            *text,
            QByteArray(
                "# mine pytorch-python313-cuda12_8-sm90-armv9\n  # CPU target: ARMv9-A SVE2\n  cpuFlags = [\n"
                "    \"-march=armv9-a+sve+sve2\"  # Scalable Vector Extension, both versions\n  ];\n# part\n# end\n"));
        const Variant other = torchOn("", "cpu", "armv9"); // which that folder says nothing of
        QCOMPARE(*renderer.render(*m_catalog->settings(u"main"_s), other),
                 *RecipeRenderer(m_catalog).render(*m_catalog->settings(u"main"_s), other));
    }

    void writesWhatTheTagsSay_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("written");
        const QByteArray no = "isa.lacks_avx2";
        const QByteArray yes = "isa.title";
        for (const auto &[condition, holds] : {std::pair(yes, true),
                                               {no, false},
                                               {"not " + no, true},
                                               {no + " or " + yes, true},
                                               {no + " and " + yes, false},
                                               {no + " and " + no + " or " + yes, true},
                                               {yes + " or " + no + " and " + no, true},
                                               {"isa.id == \"avx2\"", true},
                                               {"isa.id != \"avx2\"", false},
                                               {"not isa.id == \"avx\" and " + yes, true},
                                               {"not " + yes + " or not " + no, true},
                                               {"isa.flags", true},
                                               {"isa.id == isa.id", true},
                                               {"isa.id != name", true}})
            QTest::newRow(condition.constData()) << QByteArray("{% if " + condition + " %}yes{% else %}no{% endif %}")
                                                 << (holds ? "yes\n"_ba : "no\n"_ba);
        QTest::newRow("elif") << "{% if isa.lacks_avx2 %}a{% elif isa.id == \"avx2\" %}b{% else %}c{% endif %}"_ba
                              << "b\n"_ba;
        QTest::newRow("lines of their own")
            << "a\n{% if isa.id %}\n  b\n  {% if isa.lacks_avx2 %}\n  c\n  {% endif %}\n{% endif %}\n{# - #}\nd\n"_ba
            << "a\n  b\nd\n"_ba;
        QTest::newRow("within a line") << "a {% if isa.id %}b{% endif %};\n{{ isa.id }}{# - #}\nc"_ba
                                       << "a b;\navx2\nc\n"_ba;
        QTest::newRow("loop") << "[\n{% for flag in isa.flags %}\n  {{ flag.text }}\n{% endfor %}\n]"_ba
                              << "[\n  -mavx2\n  -mfma\n  -mf16c\n]\n"_ba;
        QTest::newRow("indented part") << "a\n    {% include \"pytorch/parts/two\" %}\nb"_ba
                                       << "a\n    one\n\n      two\n      avx2\nb\n"_ba;
        QTest::newRow("empty part") << "a\n{% include \"pytorch/parts/none\" %}\nb"_ba << "a\nb\n"_ba;
        QTest::newRow("Nix") << "''${x} ${y}'' { z = \"{ }\"; }"_ba << "''${x} ${y}'' { z = \"{ }\"; }\n"_ba;
    }

    void writesWhatTheTagsSay()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, written);
        QTemporaryDir folder;
        write(folder, u"pytorch/mine.nix"_s, text);
        write(folder, u"pytorch/parts/two.nix"_s, "one\n\n  two\n  {% include \"pytorch/parts/in\" %}\n\n");
        write(folder, u"pytorch/parts/in.nix"_s, "{{ isa.id }}\n");
        write(folder, u"pytorch/parts/none.nix"_s, "{% if isa.lacks_avx2 %}\nx\n{% endif %}\n");
        Settings settings = *m_catalog->settings(u"main"_s);
        settings.set(&Profile::templateName, u"pytorch/mine"_s);
        const auto result = RecipeRenderer(m_catalog, folder.path()).render(settings, torchOn("12.8", "sm90", "avx2"));
        QVERIFY2(result.ok(), result.ok() ? "" : qPrintable(result.error().sentence()));
        QCOMPARE(*result, written);
    }

    void saysWhatIsWrongWithATemplate_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("unknown variable") << QByteArray("a\nb {{ gpu.capabilty }}\n")
                                          << "Could not use the template pytorch/mine: line 2 uses "
                                             "gpu.capabilty, which the variant does not have.";
        QTest::newRow("unknown condition")
            << QByteArray("a\nb\n{% if not isa.lacks_avx and gpu.id == \"sm90\" %}x{% endif %}\n")
            << "Could not use the template pytorch/mine: line 3 uses isa.lacks_avx, which the variant does "
               "not have.";
        QTest::newRow("unknown list")
            << QByteArray("{% for f in isa.flgs %}{{ f.text }}{% endfor %}\n")
            << "Could not use the template pytorch/mine: line 1 uses isa.flgs, which the variant does not "
               "have.";
        QTest::newRow("loop variable") << QByteArray("{% for f in isa.flags %}{{ f.text }}{% endfor %}{{ name }}")
                                       << QString();
        QTest::newRow("in a part")
            << QByteArray("{% include \"pytorch/parts/bad\" %}\n")
            << "Could not use the template pytorch/parts/bad: line 2 uses nope, which the branch settings do not "
               "set.";
        QTest::newRow("needs")
            << QByteArray("{# needs: torch.hash #}\n")
            << "Could not use the template pytorch/mine: it needs torch.hash, which the branch settings do not "
               "set.";
        QTest::newRow("part is not there") << QByteArray("{% include \"pytorch/parts/nope\" %}\n")
                                           << "Could not read the template pytorch/parts/nope: pytorch/mine "
                                              "includes it, and there is no template with that name.";
        QTest::newRow("circle") << QByteArray("{% include \"pytorch/parts/circle\" %}\n")
                                << "Could not read the template pytorch/mine: it includes itself.";
        QTest::newRow("outside")
            << QByteArray("{% include \"../secret\" %}\n")
            << "Could not read the template ../secret: pytorch/mine includes it, and there is no template with "
               "that name.";
        QTest::newRow("unclosed") << QByteArray("a\nb\n{% if gpu.id %}\nc\n")
                                  << "Could not use the template pytorch/mine: line 3: the tag has no {% endif %}.";
        QTest::newRow("unclosed loop")
            << QByteArray("{% for f in isa.flags %}\nc\n")
            << "Could not use the template pytorch/mine: line 1: the tag has no {% endfor %}.";
        QTest::newRow("closed twice") << QByteArray("a\n{% endif %}\n")
                                      << "Could not use the template pytorch/mine: line 2: unknown tag endif.";
        QTest::newRow("no end of a tag") << QByteArray("a\nb {{ name\n}}\n")
                                         << "Could not use the template pytorch/mine: line 2: {{ has no }}.";
        QTest::newRow("no name") << QByteArray("{{ 1 + 2 }}\n")
                                 << "Could not use the template pytorch/mine: line 1: 1 + 2 is no name.";
        QTest::newRow("no condition") << QByteArray("{% if name and %}x{% endif %}\n")
                                      << "Could not use the template pytorch/mine: line 1: name and is no condition.";
        QTest::newRow("no include") << QByteArray("{% include pytorch/parts/bad %}\n")
                                    << "Could not use the template pytorch/mine: line 1: pytorch/parts/bad is no "
                                       "template's name in quotes.";
        QTest::newRow("too deep") << QByteArray("{% if name %}").repeated(100)
                                  << "Could not use the template pytorch/mine: line 1: tags are too deep within each "
                                     "other.";
        QTest::newRow("unknown tag") << QByteArray("a\n{% nope %}\n")
                                     << "Could not use the template pytorch/mine: line 2: unknown tag nope.";
        QTest::newRow("unknown filter") << QByteArray("a\n{{ name|nope }}\n")
                                        << "Could not use the template pytorch/mine: line 2: unknown filter nope.";
        QTest::newRow("broken part")
            << QByteArray("{% include \"pytorch/parts/unclosed\" %}\n")
            << "Could not use the template pytorch/parts/unclosed: line 2: the tag has no {% endif %}.";
    }

    /// What a variant lacks by its kind is said as that.
    void saysWhatAVariantLacks()
    {
        QTemporaryDir folder;
        write(folder, u"pytorch/mine.nix"_s, "{{ gpu.capability }}\n");
        Settings settings = *m_catalog->settings(u"main"_s);
        settings.set(&Profile::templateName, u"pytorch/mine"_s);
        const Variant variant{u"pytorch"_s, u"python313"_s, {}, u"cpu"_s, u"avx2"_s};
        const auto result = RecipeRenderer(m_catalog, folder.path()).render(settings, variant);
        QVERIFY(!result.ok());
        QCOMPARE(result.error().why,
                 u"line 1 uses gpu.capability, and this variant is not for one GPU that the catalog has"_s);
    }

    void saysWhatIsWrongWithATemplate()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, sentence);
        QTemporaryDir folder;
        write(folder, u"pytorch/mine.nix"_s, text);
        write(folder, u"pytorch/parts/bad.nix"_s, "x\n{{ nope }}\n");
        write(folder, u"pytorch/parts/circle.nix"_s, "{% include \"pytorch/mine\" %}\n");
        write(folder, u"pytorch/parts/unclosed.nix"_s, "x\n{% if name %}\n");
        Settings settings = *m_catalog->settings(u"main"_s);
        settings.set(&Profile::templateName, u"pytorch/mine"_s);
        RecipeRenderer renderer(m_catalog, folder.path());
        for (int attempt = 0; attempt < 2; ++attempt) { // kept templates say the same as fresh ones
            const auto result = renderer.render(settings, torchOn("12.8", "sm90", "avx2"));
            QCOMPARE(result.ok() ? QString() : result.error().sentence(), sentence);
        }
        settings.set(&Profile::templateName, u"pytorch/not-there"_s);
        const auto missing = renderer.render(settings, torchOn("12.8", "sm90", "avx2"));
        QVERIFY(!missing.ok());
        QCOMPARE(missing.error().sentence(),
                 u"Could not read the template pytorch/not-there: there is no template with that name."_s);
    }
};

TM_TEST(UserTemplatesTest, QCoreApplication)
#include "tst_usertemplates.moc"
