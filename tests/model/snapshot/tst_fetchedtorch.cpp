// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/DiskCache.h"
#include "model/snapshot/SnapshotReader.h"
#include "model/template/RecipeRenderer.h"
#include "tests/support/BranchContents.h"
#include "tests/support/FileText.h"
#include "tests/support/Ran.h"
#include "tests/support/Results.h"
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

const Variant vision{u"torchvision"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s};

} // namespace

/// Companions that fetch their PyTorch recipe, checked with the clone next to the repository.
class FetchedTorchTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_commit; ///< of the clone

    [[nodiscard]] QString at(const QString &path) const { return m_folder->filePath(path); }

    void write(const QString &path, const QByteArray &text) const { test::putFile(at(path), text); }

    QString git(const QString &repository, const QString &words) const
    {
        return QString::fromUtf8(test::gitIn(at(repository), words.split(u' ')));
    }

    void commit(const QString &repository) const
    {
        git(repository, u"init -q -b main"_s);
        git(repository, u"add -A"_s);
        git(repository, u"commit -qm recipes"_s);
    }

    /// A torchvision recipe that fetches its torch at a commit.
    void writeVision(const QString &revision) const
    {
        Settings settings = *builtInCatalog()->settings(u"main"_s);
        for (const ProfileKey &key : settings.profiles.keys()) {
            ProfileKey companion = key;
            companion.family = u"torchvision"_s;
            settings.profiles.insert(companion, settings.profiles.value(key));
        }
        settings.set(&Profile::version, u"0.23.0"_s, {{u"torchvision"_s}});
        settings.set(&Profile::templateName, QString(), {{u"torchvision"_s}});
        settings.set(&Profile::torchOrigin, TorchOrigin::Fetched);
        settings.set(&Profile::torchRepository, TorchRepository{u"acme/torch-recipes"_s, revision, {}});
        const auto text = RecipeRenderer(builtInCatalog()).render(settings, vision);
        QVERIFY_OK(text);
        write(u"vision/"_s + vision.file(), *text);
    }

    [[nodiscard]] QStringList rules() const { return rules(SnapshotReader(builtInCatalog()), {}); }
    [[nodiscard]] QStringList rules(const SnapshotReader &reader, const QString &branch) const
    {
        const auto read = reader.read(at(u"vision"_s), branch);
        if (!read)
            return {read.error().sentence()};
        const VariantEntry *entry = read->snapshot->find(vision.name());
        QStringList rules;
        for (const Finding &finding : entry ? entry->findings : QList<Finding>()) {
            if (finding.severity != Severity::Note)
                rules.append(finding.rule);
        }
        return rules;
    }

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning();
        m_folder = std::make_unique<QTemporaryDir>();
        write(u"torch-recipes/"_s + torchVariantOf(vision).file(),
              *RecipeRenderer(builtInCatalog()).render(*builtInCatalog()->settings(u"main"_s), torchVariantOf(vision)));
        commit(u"torch-recipes"_s);
        m_commit = git(u"torch-recipes"_s, u"rev-parse HEAD"_s);
        writeVision(m_commit);
        commit(u"vision"_s);
    }

    void whatTheCloneHasIsSound() { QCOMPARE(rules(), QStringList()); }

    void aCommitThatTheCloneLacks()
    {
        writeVision(QString(40, u'b'));
        QCOMPARE(rules(), QStringList{u"torch-commit-missing"_s});
        // After fetching it exists: the old result is not cached.
        writeVision(m_commit);
        QCOMPARE(rules(), QStringList());
    }

    // A branch that is not checked out is read once, and again when the clone changes.
    void theAnswerFollowsTheClone()
    {
        git(u"vision"_s, u"switch -q -c other"_s);
        writeVision(QString(40, u'b'));
        git(u"vision"_s, u"commit -qam later"_s);
        git(u"vision"_s, u"switch -q main"_s);
        const SnapshotReader reader(builtInCatalog());
        QCOMPARE(rules(reader, u"other"_s), QStringList{u"torch-commit-missing"_s});
        QVERIFY(QDir().rename(at(u"torch-recipes"_s), at(u"elsewhere"_s)));
        QCOMPARE(rules(reader, u"other"_s), QStringList());
        QVERIFY(QDir().rename(at(u"elsewhere"_s), at(u"torch-recipes"_s)));
        QCOMPARE(rules(reader, u"other"_s), QStringList{u"torch-commit-missing"_s});
    }

    /// That a commit fetches nothing is kept; what another one fetches is looked up each time.
    void keysWithACacheAreTheSame()
    {
        git(u"vision"_s, u"switch -q -c none"_s);
        git(u"vision"_s, u"rm -q "_s + vision.file());
        write(u"vision/.flox/pkgs/tool.nix"_s, "{ hello }: hello\n");
        git(u"vision"_s, u"add -A"_s);
        git(u"vision"_s, u"commit -qm none"_s);
        const auto read = branchesOf(at(u"vision"_s), WorkTreeAs::LeftOut, false);
        QVERIFY_OK(read);
        QCOMPARE(read->sources.size(), 2);
        const DiskCache cache(at(u"cache"_s));
        const auto keys = [&](const DiskCache *known) {
            QList<QByteArray> all;
            for (const Result<QByteArray> &key : keysOf(read->sources, known))
                all.append(key ? *key : QByteArray());
            return all;
        };
        const QList<QByteArray> before = keys(nullptr);
        QCOMPARE(keys(&cache), before);
        QCOMPARE(QDir(at(u"cache"_s)).entryList(QDir::Files).size(), 1);
        QVERIFY(QDir().rename(at(u"torch-recipes"_s), at(u"elsewhere"_s)));
        const QList<QByteArray> without = keys(nullptr);
        QVERIFY(without != before);
        QCOMPARE(keys(&cache), without);
        QVERIFY(QDir().rename(at(u"elsewhere"_s), at(u"torch-recipes"_s)));
        QCOMPARE(keys(&cache), before);
    }

    void aCommitWithoutTheRecipe()
    {
        git(u"torch-recipes"_s, u"rm -q "_s + torchVariantOf(vision).file());
        git(u"torch-recipes"_s, u"commit -qm gone"_s);
        QCOMPARE(rules(), QStringList()); // the older commit has it
        writeVision(git(u"torch-recipes"_s, u"rev-parse HEAD"_s));
        QCOMPARE(rules(), QStringList{u"torch-recipe-missing"_s});
    }

    void anotherNixpkgsThere()
    {
        const QString recipe = u"torch-recipes/"_s + torchVariantOf(vision).file();
        QFile file(at(recipe));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray text = file.readAll();
        write(recipe, text.replace("fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3", QByteArray(40, 'c')));
        git(u"torch-recipes"_s, u"commit -qam other"_s);
        writeVision(git(u"torch-recipes"_s, u"rev-parse HEAD"_s));
        QCOMPARE(rules(), QStringList{u"companion-torch-other"_s});
    }

    void withoutACloneNothingIsSaid()
    {
        writeVision(QString(40, u'b'));
        QVERIFY(QDir(at(u"torch-recipes"_s)).removeRecursively());
        QCOMPARE(rules(), QStringList());
        QVERIFY(QDir().mkpath(at(u"torch-recipes"_s))); // no repository
        QCOMPARE(rules(), QStringList());
    }
};

TM_TEST(FetchedTorchTest, QCoreApplication)
#include "tst_fetchedtorch.moc"
