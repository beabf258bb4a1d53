// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/Repository.h"
#include "tests/support/GitFixture.h"
#include "tests/support/Results.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::GitFixture;

namespace {

const QString recipeA = u".flox/pkgs/a.nix"_s;
const QString recipeB = u".flox/pkgs/b.nix"_s;

Repository opened(const QString &path)
{
    Result<Repository> repository = Repository::open(path);
    if (!repository)
        qFatal("%s", qPrintable(repository.error().sentence()));
    return std::move(repository).value();
}

/// A repository in which a.nix is committed.
struct WithRecipe : GitFixture {
    QString first = commitFile(recipeA, "{ }: 1\n");
    Repository repository = opened(path());
};

QString statusWord(FileStatus status)
{
    switch (status) {
    case FileStatus::Clean:
        return u"clean"_s;
    case FileStatus::Modified:
        return u"modified"_s;
    case FileStatus::Staged:
        return u"staged"_s;
    case FileStatus::Untracked:
        return u"untracked"_s;
    case FileStatus::Deleted:
        return u"deleted"_s;
    }
    return {};
}

QString troubleWord(FileTrouble trouble)
{
    switch (trouble) {
    case FileTrouble::None:
        return {};
    case FileTrouble::Link:
        return u" link"_s;
    case FileTrouble::Folder:
        return u" folder"_s;
    case FileTrouble::TooLarge:
        return u" too-large"_s;
    case FileTrouble::NotText:
        return u" not-text"_s;
    case FileTrouble::Unreadable:
        return u" unreadable"_s;
    }
    return {};
}

/// "a.nix clean, b.nix untracked link"
QString asText(const Result<BranchContent> &content)
{
    if (!content)
        return content.error().sentence();
    QStringList words;
    for (const RecipeFile &file : content->files)
        words.append(file.path.mid(11) + u' ' + statusWord(file.status) + troubleWord(file.trouble));
    return words.join(u", "_s);
}

} // namespace

class TestRepository : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void commitsExactlyTheChosenFile()
    {
        WithRecipe f;
        f.write(recipeB, "{ }: 2\n");
        f.write(u"other.txt"_s, "staged by hand\n");
        f.git({u"add"_s, u"other.txt"_s});
        const Result<CommitResult> made = f.repository.commit({recipeB}, u"Add b"_s, f.first);
        QVERIFY_OK(made);
        QCOMPARE(f.head(), made->commit);
        QCOMPARE(made->branch, u"main"_s);
        QCOMPARE(f.git({u"show"_s, u"--name-status"_s, u"--format=%an <%ae>%n%s"_s, u"HEAD"_s}),
                 "Ada Tester <ada@example.org>\nAdd b\n\nA\t.flox/pkgs/b.nix"_ba);
        QCOMPARE(f.status(), "A  other.txt"_ba);
        QCOMPARE(f.fsck(), ""_ba);
    }

    void readsStatusOfEachRecipe()
    {
        WithRecipe f;
        for (const char *name : {"deleted", "modified", "staged"})
            f.commitFile(u".flox/pkgs/%1.nix"_s.arg(QLatin1String(name)), "1\n");
        f.write(u".flox/pkgs/modified.nix"_s, "2\n");
        f.write(u".flox/pkgs/staged.nix"_s, "2\n");
        f.git({u"add"_s, u".flox/pkgs/staged.nix"_s});
        QFile::remove(f.path(u".flox/pkgs/deleted.nix"_s));
        f.write(u".flox/pkgs/untracked.nix"_s, "1\n");
        QCOMPARE(asText(f.repository.readBranch(u"main"_s)),
                 u"a.nix clean, deleted.nix deleted, modified.nix modified, staged.nix staged, untracked.nix untracked"_s);
    }

    void writesOnlyOverTheExpectedText()
    {
        WithRecipe f;
        QVERIFY_OK(f.repository.writeRecipe(recipeA, "new\n", "{ }: 1\n"_ba));
        QCOMPARE(f.read(recipeA), "new\n"_ba);
        QVERIFY_ERROR(f.repository.writeRecipe(recipeA, "lost\n", "{ }: 1\n"_ba), u"another text is there");
        QVERIFY_ERROR(f.repository.writeRecipe(recipeA, "lost\n", std::nullopt), u"another text is there");
        QVERIFY_ERROR(f.repository.writeRecipe(recipeB, "lost\n", "{ }: 1\n"_ba), u"the file is gone");
        QCOMPARE(f.read(recipeA), "new\n"_ba);
        QVERIFY(!QFile::exists(f.path(recipeB)));
        QVERIFY_OK(f.repository.writeRecipe(recipeB, "b\n", std::nullopt));
        QVERIFY_OK(f.repository.stage({recipeB}));
        QCOMPARE(f.status(), " M .flox/pkgs/a.nix\nA  .flox/pkgs/b.nix"_ba);
    }
};

QTEST_GUILESS_MAIN(TestRepository)
#include "tst_repository.moc"
