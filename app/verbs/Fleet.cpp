// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Fleet.h"

#include "app/verbs/Progress.h"
#include "model/base/Tr.h"
#include "model/fleet/KnownRepositories.h"
#include "model/snapshot/DiskCache.h"

#include <QDir>
#include <QFile>

#include <filesystem>

using namespace Qt::StringLiterals;

namespace tmx {

Result<QStringList> chosenRepositories(const QStringList &folders)
{
    QStringList repositories;
    for (const QString &folder : folders) {
        const QString path = QDir::current().absoluteFilePath(folder);
        std::error_code failure;
        const auto status = std::filesystem::status(QFile::encodeName(path).toStdString(), failure);
        if (!std::filesystem::status_known(status)) // of a disk that fails, for example
            return Error{Tr::tr("read"),
                         folder,
                         Tr::tr("it cannot be read: %1").arg(QString::fromStdString(failure.message())),
                         {}};
        if (!std::filesystem::is_directory(status))
            return Error{Tr::tr("read"), folder, Tr::tr("there is no such folder"), {}}.ofUsage();
        TM_TRY(below, repositoriesBelow(path));
        repositories += below->isEmpty() ? QStringList{path} : *below;
    }
    if (folders.isEmpty())
        repositories = knownRepositories();
    repositories.removeDuplicates();
    if (repositories.isEmpty())
        return Error{Tr::tr("read the repositories"),
                     {},
                     Tr::tr("none was opened or added before"),
                     Tr::tr("Name folders: torch-matrix overview --add DIR.")};
    return repositories;
}

Result<Fleet> readChosenFleet(const QStringList &repositories)
{
    Progress progress(Tr::tr("Reading the branches"));
    Result<Fleet> fleet =
        readFleet(&Catalog::loadForUser, repositories, DiskCache::forUser(u"branches"_s), progress.hooks());
    return fleet && fleet->stopped ? Result<Fleet>(stoppedError()) : fleet;
}

int finishFleet(const Fleet &fleet)
{
    const QStringList sentences = fleet.sentences();
    for (const QString &sentence : sentences)
        tell(sentence);
    return sentences.isEmpty() ? Done : fleet.branches.isEmpty() ? CouldNotBeDone : DoneWithFindings;
}

} // namespace tmx
