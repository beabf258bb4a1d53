// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/TemporaryWorkTree.h"

#include "model/base/StateFolder.h"
#include "model/git/GitError.h"

#include <QDir>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

QString folderOf(const QString &name)
{
    return stateFolder() + u"/work-trees/"_s + name;
}

void removeFolder(const QString &path)
{
    if (!QFileInfo(path).isSymLink())
        QDir(path).removeRecursively();
}

} // namespace

TemporaryWorkTree::TemporaryWorkTree(const OpenRepository &repository, const Journal &journal)
    : m_repository(repository)
    , m_journal(journal)
    , m_name(u"torch-matrix-commit-%1"_s.arg(
          QString::number(QRandomGenerator::system()->generate64(), 16).rightJustified(16, u'0')))
{
}

TemporaryWorkTree::~TemporaryWorkTree()
{
    removeLeftOver(m_repository, m_journal);
}

QString TemporaryWorkTree::folder() const
{
    return folderOf(m_name);
}

Result<void> TemporaryWorkTree::make(const GitProgram &git, const QString &what, const QString &commit,
                                     const QString &tree)
{
    if (!QDir().mkpath(QFileInfo(folder()).path()))
        return Error{what, folder(), Tr::tr("its folder cannot be created"), Tr::tr("Check its permissions.")};
    TM_CHECK(m_journal.write(u"work-tree"_s, m_name.toLatin1(), 0, what));
    TM_TRY(added,
           git.run(what, noHooks + QStringList{u"worktree"_s, u"add"_s, u"--quiet"_s, u"--detach"_s, folder(), commit},
                   m_repository.workTree));
    const Result<QByteArray> read =
        git.run(what, noHooks + QStringList{u"read-tree"_s, u"-m"_s, u"-u"_s, u"HEAD"_s, tree}, folder());
    return read ? Result<void>() : read.error();
}

void TemporaryWorkTree::removeLeftOver(const OpenRepository &repository, const Journal &journal)
{
    const QString name = QString::fromLatin1(journal.read(u"work-tree"_s).value_or(QByteArray()));
    static const QRegularExpression ours(u"^torch-matrix-commit-[0-9a-f]{16}\\z"_s);
    if (!ours.match(name).hasMatch())
        return;
    removeFolder(folderOf(name));
    removeFolder(repository.commonFolder + u"/worktrees/"_s + name);
    QDir().rmdir(repository.commonFolder + u"/worktrees"_s); // as git does if none is left
    journal.remove(u"work-tree"_s);
}

} // namespace tmx
