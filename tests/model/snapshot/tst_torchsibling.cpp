// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/CommitReader.h"
#include "model/git/Repository.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/template/RecipeRenderer.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/FileText.h"
#include "tests/support/Ran.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace tmx;
using namespace Qt::StringLiterals;

/// A companion uses the notation of its PyTorch recipe, in its own repository or in the one next to it.
class TorchSiblingTest : public QObject
{
    Q_OBJECT

    std::shared_ptr<const Catalog> m_catalog;
    std::unique_ptr<QTemporaryDir> m_folder;

    [[nodiscard]] QString at(const QString &path) const { return m_folder->filePath(path); }

    void write(const QString &path, const QByteArray &text) const { test::putFile(at(path), text); }

    void git(const QString &repository, const QString &words) const { test::gitIn(at(repository), words.split(u' ')); }

    void commit(const QString &repository, const QString &branch) const
    {
        git(repository, u"init -q -b "_s + branch);
        git(repository, u"add -A"_s);
        git(repository, u"commit -qm recipes"_s);
    }

    /// A PyTorch recipe in an older notation.
    static QByteArray torch(const QByteArray &target)
    {
        return "{ python313Packages }:\nlet\n  gpuArchSM = \"" + target +
               "\";\nin (python313Packages.torch.override {\n  cudaSupport = true;\n  gpuTargets = [ gpuArchSM "
               "];\n}).overrideAttrs (old: "
               "{ })\n";
    }

    void writeTorch(const QString &repository) const
    {
        const QString folder = repository + u"/.flox/pkgs/pytorch-python313-cuda12_8-"_s;
        write(folder + u"sm90-avx2.nix"_s, torch("9.0"));
        write(folder + u"sm90-avx512.nix"_s, "# not sm_90, as older ones had it\n" + torch("9.0"));
        write(folder + u"sm120-avx2.nix"_s, torch("sm_120"));
        write(folder + u"sm120-armv9.nix"_s, torch("sm_120"));
        write(folder + u"sm120-armv8_2.nix"_s, torch("12.0"));
    }

    void writeVision(const QString &repository) const
    {
        write(repository + u"/torch-matrix.toml"_s, "base = 'main'\nfamilies = ['torchvision']\n");
    }

    QStringList smRowsIn(const QString &repository, const QString &branch) const
    {
        const auto opened = Repository::open(at(repository));
        if (!opened)
            return {opened.error().sentence()};
        const auto content = readBranch(*opened, branch);
        return content ? settingsFor(m_catalog, *content).smRows : QStringList{content.error().sentence()};
    }

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("GIT_CONFIG_NOSYSTEM", "1");
        m_catalog = testing::builtInCatalog();
    }

    void init()
    {
        QTest::failOnWarning();
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void theRecipesBesideItInTheSameBranch()
    {
        writeTorch(u"builds"_s);
        write(u"builds/torch-matrix.toml"_s, "base = 'main'\nfamilies = ['pytorch', 'torchvision']\n");
        commit(u"builds"_s, u"main"_s);
        QCOMPARE(smRowsIn(u"builds"_s, u"main"_s), QStringList{u"sm120"_s});

        const auto opened = Repository::open(at(u"builds"_s));
        const Settings settings = settingsFor(m_catalog, *readBranch(*opened, u"main"_s));
        RecipeRenderer renderer(m_catalog);
        const Variant variant{u"torchvision"_s, u"python313"_s, u"12.8"_s, u"sm120"_s, u"avx2"_s};
        const auto text = renderer.render(settings, variant);
        QVERIFY2(text.ok(), text.ok() ? "" : qPrintable(text.error().sentence()));
        QVERIFY(text->contains("gpuArchSM = \"sm_120\";") && text->contains("gpuTargets = [ gpuArchSM ];"));
        QVERIFY(text->contains("export TORCH_CUDA_ARCH_LIST=\"12.0\"")); // PyTorch's scripts read nothing else
        const auto torch = renderer.render(settings, torchVariantOf(variant));
        QVERIFY(torch->contains("gpuArchSM = \"12.0\";")); // PyTorch itself follows no other recipe
    }

    void theRepositoryBesideIt()
    {
        writeTorch(u"build-pytorch"_s);
        commit(u"build-pytorch"_s, u"main"_s);
        writeVision(u"build-torchvision"_s);
        commit(u"build-torchvision"_s, u"main"_s);
        QCOMPARE(smRowsIn(u"build-torchvision"_s, u"main"_s), QStringList{u"sm120"_s});

        const auto reader = CommitReader::open(at(u"build-torchvision"_s));
        QVERIFY(reader.ok());
        const QString head = *reader->commitOf(u"main"_s);
        const QString before = *recipesId(*reader, head, u"main"_s);
        QCOMPARE(readCommit(*reader, head, u"main"_s)->torchFiles.size(), 5);

        // The cached snapshot of this branch is outdated as soon as PyTorch's recipes change.
        write(u"build-pytorch/.flox/pkgs/pytorch-python313-cuda12_8-sm120-avx2.nix"_s, torch("12.0"));
        git(u"build-pytorch"_s, u"commit -qam dotted"_s);
        QVERIFY(*recipesId(*reader, head, u"main"_s) != before);
        QCOMPARE(smRowsIn(u"build-torchvision"_s, u"main"_s), QStringList());
    }

    void onlyTheSameBranchOfARepository()
    {
        writeTorch(u"build-pytorch"_s);
        commit(u"build-pytorch"_s, u"other"_s);
        writeVision(u"build-torchvision"_s);
        commit(u"build-torchvision"_s, u"main"_s);
        QCOMPARE(smRowsIn(u"build-torchvision"_s, u"main"_s), QStringList());

        // A folder that is no repository, and a link to itself.
        writeTorch(u"pytorch"_s);
        QCOMPARE(smRowsIn(u"build-torchvision"_s, u"main"_s), QStringList());
        QVERIFY(QFile::link(at(u"build-torchvision"_s), at(u"x-pytorch"_s)));
        QCOMPARE(smRowsIn(u"build-torchvision"_s, u"main"_s), QStringList());
    }

    void aLineThatSaysItsNotationIsNotOverruled()
    {
        writeTorch(u"build-pytorch"_s);
        commit(u"build-pytorch"_s, u"main"_s);
        write(u"build-torchvision/torch-matrix.toml"_s,
              "base = 'main'\nfamilies = ['torchvision']\narch_notation = 'dotted'\n");
        commit(u"build-torchvision"_s, u"main"_s);
        QCOMPARE(smRowsIn(u"build-torchvision"_s, u"main"_s), QStringList());
    }

    void aPyTorchRepositoryLooksNowhere()
    {
        writeTorch(u"build-pytorch"_s);
        commit(u"build-pytorch"_s, u"main"_s);
        writeTorch(u"pytorch"_s);
        commit(u"pytorch"_s, u"main"_s);
        const auto opened = Repository::open(at(u"build-pytorch"_s));
        QVERIFY(readBranch(*opened, u"main"_s)->torchFiles.isEmpty());
        QCOMPARE(smRowsIn(u"build-pytorch"_s, u"main"_s), QStringList()); // no companion, nothing to follow
    }
};

TM_TEST(TorchSiblingTest, QCoreApplication)
#include "tst_torchsibling.moc"
