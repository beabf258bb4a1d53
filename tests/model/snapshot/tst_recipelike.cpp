// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Makers.h"
#include "model/recipe/Meaning.h"
#include "model/snapshot/RecipeLike.h"
#include "tests/support/BranchContents.h"
#include "tests/support/Results.h"
#include "tests/support/Snapshots.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

/// main as written by a person who runs the tests of every build and has their own wording.
BranchContent handWritten()
{
    BranchContent content = wholeLine(u"main"_s, false);
    for (RecipeFile &file : content.files) {
        file.committed->prepend("# Ours.\n");
        file.committed->replace("  preConfigure = ", "  doCheck = false;\n      preConfigure = ");
    }
    return content;
}

} // namespace

/// A cell without a recipe on a branch of hand-written ones.
class TestRecipeLike : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void aMissingRecipeIsMadeOfItsNeighbour_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : {"cuda12_8-sm90-avx512", "cuda12_8-sm86-avx2", "cuda12_8-sm120-armv9", "cpu-avx2"})
            QTest::newRow(name) << u"pytorch-python313-"_s + QLatin1StringView(name);
    }
    void aMissingRecipeIsMadeOfItsNeighbour()
    {
        QFETCH(QString, name);
        BranchContent content = handWritten();
        const QByteArray lost = *fileOf(content, name)->committed;
        QVERIFY(lost.contains("doCheck"));
        removeFile(content, name);
        const BranchSnapshot snapshot = snapshotOf(content);
        const VariantEntry *entry = snapshot.find(name);
        QVERIFY(entry && entry->state == RecipeState::Missing);
        QVERIFY2(entry->rendered.startsWith("# Ours.\n"), entry->rendered.left(200).constData());
        QVERIFY(samenessOf(lost, readMeaning(lost), entry->rendered, readMeaning(entry->rendered)) !=
                Sameness::Different);
        // The plan creates that text.
        const ChangeSet plan = repaired(builtInCatalog(), snapshot, content);
        const auto file = std::ranges::find(plan.files, name, &ChangedFile::name);
        QVERIFY(file != plan.files.end() && file->chosen);
        QCOMPARE(file->after, entry->rendered);
    }

    /// An uncommitted text is compared with the same text, so that an interrupted run can be completed.
    void whatIsNotCommittedIsNoModel()
    {
        const QString name = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        BranchContent content = handWritten();
        content.withWorkTree = true;
        for (RecipeFile &file : content.files)
            file.onDisk = file.committed;
        RecipeFile *file = fileOf(content, name);
        const BranchSnapshot before = snapshotOf(content);
        file->committed.reset();
        file->blob.clear();
        file->status = FileStatus::Untracked;
        file->onDisk = "{ }: { }\n";
        const BranchSnapshot snapshot = snapshotOf(content);
        QVERIFY(snapshot.find(name)->rendered.startsWith("# Ours.\n"));
        const Variant other{u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm103"_s, u"avx512"_s};
        const auto made = recipeLikeItsNeighbours(*builtInCatalog(), snapshot, other);
        QVERIFY(made);
        QVERIFY(made->startsWith("# Ours.\n") && made->contains("10.3"));
    }

    void theTemplateServesWhereItIsUsed()
    {
        const QString name = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        BranchContent content = wholeLine(u"main"_s, false);
        const QByteArray lost = *fileOf(content, name)->committed;
        removeFile(content, name);
        fileOf(content, u"pytorch-python313-cuda12_8-sm90-avx2"_s)->committed->prepend("# Ours.\n");
        QCOMPARE(snapshotOf(content).find(name)->rendered, lost);
    }

    /// The other recipe for the only GPU without cuDNN is for AVX only: neither it nor any other is a model.
    void theTemplateServesWhereNoRecipeIsAModel()
    {
        const QString name = u"pytorch-python313-cuda12_8-sm61-avx2"_s;
        BranchContent plain = wholeLine(u"main"_s, false);
        const QByteArray given = *fileOf(plain, name)->committed;
        BranchContent content = handWritten();
        removeFile(content, name);
        QCOMPARE(snapshotOf(content).find(name)->rendered, given);
    }
};

TM_TEST(TestRecipeLike, QCoreApplication)
#include "tst_recipelike.moc"
