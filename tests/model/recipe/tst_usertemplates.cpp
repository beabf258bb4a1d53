// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/RecipeRenderer.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
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
        const auto text = renderer.render(*m_catalog->line(u"main"_s), torchOn("12.8", "sm90", "armv9"));
        QVERIFY2(text.ok(), text.ok() ? "" : qPrintable(text.error().sentence()));
        QCOMPARE(
            *text,
            QByteArray(
                "# mine pytorch-python313-cuda12_8-sm90-armv9\n  # CPU target: ARMv9-A SVE2\n  cpuFlags = [\n"
                "    \"-march=armv9-a+sve+sve2\"  # Scalable Vector Extension, both versions\n  ];\n# part\n# end\n"));
        const Variant other = torchOn("", "cpu", "armv9"); // which that folder says nothing of
        QCOMPARE(*renderer.render(*m_catalog->line(u"main"_s), other),
                 *RecipeRenderer(m_catalog).render(*m_catalog->line(u"main"_s), other));
    }

    void saysWhatIsWrongWithATemplate_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("warning");
        QTest::newRow("unknown variable") << QByteArray("a\nb {{ gpu.capabilty }}\n")
                                          << "Could not use the template pytorch/mine: line 2 uses "
                                             "gpu.capabilty, which the branch settings do not set."
                                          << "";
        QTest::newRow("unknown condition")
            << QByteArray("a\nb\n{% if not isa.lacks_avx and gpu.id == \"sm90\" %}x{% endif %}\n")
            << "Could not use the template pytorch/mine: line 3 uses isa.lacks_avx, which the branch settings do "
               "not set."
            << "";
        QTest::newRow("unknown list")
            << QByteArray("{% for f in isa.flgs %}{{ f.text }}{% endfor %}\n")
            << "Could not use the template pytorch/mine: line 1 uses isa.flgs, which the branch settings do not "
               "set."
            << "";
        QTest::newRow("loop variable")
            << QByteArray("{% for f in isa.flags %}{{ f.text }}{{ forloop.counter }}{% endfor %}{{ name|upper }}") << ""
            << "";
        QTest::newRow("in a part")
            << QByteArray("{% include \"pytorch/parts/bad\" %}\n")
            << "Could not use the template pytorch/parts/bad: line 2 uses nope, which the branch settings do not "
               "set."
            << "";
        QTest::newRow("needs")
            << QByteArray("{# needs: torch.hash #}\n")
            << "Could not use the template pytorch/mine: it needs torch.hash, which the branch settings do not "
               "set."
            << "";
        QTest::newRow("part is not there") << QByteArray("{% include \"pytorch/parts/nope\" %}\n")
                                           << "Could not read the template pytorch/parts/nope: pytorch/mine "
                                              "includes it, and there is no template with that name."
                                           << "";
        QTest::newRow("circle") << QByteArray("{% include \"pytorch/parts/circle\" %}\n")
                                << "Could not read the template pytorch/mine: it includes itself." << "";
        QTest::newRow("outside")
            << QByteArray("{% include \"../secret\" %}\n")
            << "Could not read the template ../secret: pytorch/mine includes it, and there is no template with "
               "that name."
            << "";
        QTest::newRow("unclosed")
            << QByteArray("a\nb\n{% if gpu.id %}\nc\n")
            << "Could not use the template pytorch/mine: Unclosed tag in template pytorch/mine. Expected one of: "
               "(elif else endif), line 3, pytorch/mine."
            << "Unclosed tag";
        QTest::newRow("unknown tag") << QByteArray("a\n{% nope %}\n")
                                     << "Could not use the template pytorch/mine: Invalid block tag on line 2: "
                                        "'nope''. Did you forget to register or load this tag."
                                     << "Invalid block tag";
        QTest::newRow("unknown filter")
            << QByteArray("a\n{{ name|nope }}\n")
            << "Could not use the template pytorch/mine: Unknown filter: nope, line 2, pytorch/mine."
            << "Unknown filter";
        QTest::newRow("broken part")
            << QByteArray("{% include \"pytorch/parts/unclosed\" %}\n")
            << "Could not use the template pytorch/parts/unclosed: Unclosed tag in template "
               "pytorch/parts/unclosed. Expected one of: (elif else endif), line 2, pytorch/parts/unclosed."
            << "Unclosed tag";
    }

    void saysWhatIsWrongWithATemplate()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, sentence);
        QFETCH(QString, warning);
        QTemporaryDir folder;
        write(folder, u"pytorch/mine.nix"_s, text);
        write(folder, u"pytorch/parts/bad.nix"_s, "x\n{{ nope }}\n");
        write(folder, u"pytorch/parts/circle.nix"_s, "{% include \"pytorch/mine\" %}\n");
        write(folder, u"pytorch/parts/unclosed.nix"_s, "x\n{% if name %}\n");
        Settings line = *m_catalog->line(u"main"_s);
        line.set(&Profile::templateName, u"pytorch/mine"_s);
        RecipeRenderer renderer(m_catalog, folder.path());
        for (int attempt = 0; attempt < 2; ++attempt) { // kept templates say the same as fresh ones
            if (!warning.isEmpty() && attempt == 0)     // the engine also logs, when it parses
                QTest::ignoreMessage(QtWarningMsg, QRegularExpression(warning));
            const auto result = renderer.render(line, torchOn("12.8", "sm90", "avx2"));
            QCOMPARE(result.ok() ? QString() : result.error().sentence(), sentence);
        }
        line.set(&Profile::templateName, u"pytorch/not-there"_s);
        const auto missing = renderer.render(line, torchOn("12.8", "sm90", "avx2"));
        QVERIFY(!missing.ok());
        QCOMPARE(missing.error().sentence(),
                 u"Could not read the template pytorch/not-there: there is no template with that name."_s);
    }
};

TM_TEST(UserTemplatesTest, QCoreApplication)
#include "tst_usertemplates.moc"
