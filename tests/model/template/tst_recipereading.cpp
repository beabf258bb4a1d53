// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// What our own Nix reader makes of every recipe that we render.
#include "tests/support/NixComparison.h"
#include "tests/support/NixWalk.h"

#include "model/nix/Fold.h"
#include "model/template/RecipeRenderer.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

struct Recipe {
    const Settings *settings = nullptr;
    Variant variant;
    QString file;
    QByteArray text;
};

/// The value of `name` in the recipe's overrides: in .overrideAttrs, else in .override.
nix::Value overridden(nix::Fold &fold, std::string_view name)
{
    for (nix::Value value = fold.result(); value.unknown() == nix::UnknownKind::Call; value = value.base().base()) {
        const QByteArray method = value.base().name();
        const nix::Value set =
            method == "overrideAttrs" ? fold.call(value.argument(), fold.argument("oldAttrs")) : value.argument();
        if (set.hasAttribute(name).value_or(false))
            return set.attribute(name);
    }
    return {};
}

} // namespace

class RecipeReadingTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::shared_ptr<const Catalog> m_catalog;
    QList<Recipe> m_recipes;

private Q_SLOTS:
    void initTestCase()
    {
        m_catalog = testing::builtInCatalog();
        RecipeRenderer renderer(m_catalog);
        for (const Settings &settings : m_catalog->builtIn) {
            QVERIFY(QDir(m_folder.path()).mkpath(settings.branch + u"/.flox/pkgs"_s));
            const QList<Variant> promised = settings.promised();
            for (const Variant &variant : promised) {
                const auto text = renderer.render(settings, variant);
                QVERIFY(text.ok());
                m_recipes.append(
                    {&settings, variant, m_folder.filePath(settings.branch + u'/' + variant.file()), *text});
                QFile file(m_recipes.last().file);
                QVERIFY(file.open(QIODevice::WriteOnly) && file.write(*text) == text->size());
            }
        }
        QCOMPARE(m_recipes.size(), 153);
    }

    void init() { QTest::failOnWarning(); }

    void readsThemAsNixDoes()
    {
        QStringList files;
        for (const Recipe &recipe : std::as_const(m_recipes))
            files.append(recipe.file);
        test::NixComparison comparison(m_folder.path());
        comparison.compare(files);
        QVERIFY2(comparison.differences.isEmpty(), qPrintable(comparison.differences.value(0)));
        QCOMPARE(comparison.accepted, files.size());
    }

    void foldsWhatIsConstant()
    {
        for (const Recipe &recipe : std::as_const(m_recipes)) {
            const nix::ParseResult parsed = nix::parse(recipe.text);
            QVERIFY(parsed.ok());
            QCOMPARE(test::whatIsWrongWith(parsed) + test::whatIsWrongWithFolding(parsed), QString());
            nix::Fold fold(parsed.tree);
            const Isa *isa = m_catalog->isa(recipe.variant.isa);
            const GpuRow *row = m_catalog->row(recipe.variant.row);
            const QString name = recipe.variant.name();
            const bool pinned = recipe.settings->branch == "cuda-13_0"_L1;
            QCOMPARE(QString::fromUtf8(overridden(fold, "pname").text().value_or("")),
                     pinned ? QString(name).replace("pytorch-"_L1, "pytorch210-"_L1) : name);
            QCOMPARE(overridden(fold, "cudaSupport").boolean(),
                     row->isGpu() || !pinned ? std::optional(row->isGpu()) : std::optional(false));
            if (row->isGpu())
                QCOMPARE(overridden(fold, "gpuTargets").shown(), "[ \"" + row->capability.toUtf8() + "\" ]");
            const QByteArray flags = isa->flags.join(u' ').toUtf8();
            const QByteArray preConfigure = overridden(fold, "preConfigure").textAround();
            for (const char *variable : {"CXXFLAGS", "CFLAGS"})
                QVERIFY2(
                    preConfigure.contains("export " + QByteArray(variable) + "=\"" + flags + " $" + variable + "\"\n"),
                    preConfigure.constData());
            // Each flag is found at its place, so that a fix can replace it.
            const quint32 offset = overridden(fold, "preConfigure").offsets().at(size_t(preConfigure.indexOf(flags)));
            QVERIFY(offset != nix::Value::nowhere);
            const QByteArray first = isa->flags.first().toUtf8();
            QCOMPARE(recipe.text.mid(offset - 1, first.size() + 2), '"' + first + '"');
            QCOMPARE(overridden(fold, "meta").attribute("platforms").shown(), "[ \"" + isa->platform.toUtf8() + "\" ]");
            QVERIFY(fold.stepsLeft() > nix::FoldOptions().maxSteps * 9 / 10);
        }
    }
};

TM_TEST(RecipeReadingTest, QCoreApplication)
#include "tst_recipereading.moc"
