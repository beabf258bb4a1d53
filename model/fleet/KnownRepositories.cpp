// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/fleet/KnownRepositories.h"

#include "model/base/Tr.h"

#include <QDir>
#include <QFile>
#include <QSettings>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace fs = std::filesystem;
using namespace Qt::StringLiterals;

namespace tmx {

namespace {

const QString knownKey = u"recentRepositories"_s;
constexpr qsizetype mostKnown = 100;
constexpr int deepest = 4;

/// The settings of the window, with explicit names, because verbs set no organisation.
const QString owner = u"torch-matrix"_s;

/// Folders that the user may not read are left out.
Result<void> look(const fs::path &folder, int depth, QStringList &found)
{
    std::error_code error;
    const auto has = [&](const char *name) { return !error && fs::exists(folder / name, error); };
    if (has(".git")) {
        if (has(".flox"))
            found.append(QFile::decodeName(folder.c_str()));
    } else if (!error && depth > 0) {
        std::vector<fs::path> below;
        for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
             entry.increment(error)) {
            if (entry->path().filename().c_str()[0] != '.' &&
                entry->symlink_status(error).type() == fs::file_type::directory)
                below.push_back(entry->path());
        }
        std::ranges::sort(below);
        for (const fs::path &each : below)
            TM_CHECK(look(each, depth - 1, found));
    }
    if (error && error != std::errc::permission_denied && error != std::errc::no_such_file_or_directory)
        return Error{Tr::tr("read the folder"), QFile::decodeName(folder.c_str()),
                     QString::fromLocal8Bit(error.message().c_str()), Tr::tr("Check the disk.")};
    return {};
}

} // namespace

QStringList knownRepositories()
{
    return QSettings(owner, owner).value(knownKey).toStringList().mid(0, mostKnown);
}

void rememberRepository(const QString &workTree)
{
    QStringList known = knownRepositories();
    if (workTree.isEmpty() || known.value(0) == workTree)
        return;
    known.removeAll(workTree);
    known.prepend(workTree);
    QSettings(owner, owner).setValue(knownKey, known.mid(0, mostKnown));
}

void addRepositories(const QStringList &workTrees)
{
    QStringList known = knownRepositories();
    const qsizetype before = known.size();
    known += workTrees;
    known.removeDuplicates();
    if (known.size() > before)
        QSettings(owner, owner).setValue(knownKey, known.mid(0, mostKnown));
}

void forgetRepository(const QString &workTree)
{
    QStringList known = knownRepositories();
    if (known.removeAll(workTree) > 0)
        QSettings(owner, owner).setValue(knownKey, known);
}

Result<QStringList> repositoriesBelow(const QString &folder)
{
    QStringList found;
    TM_CHECK(look(QFile::encodeName(QDir(folder).absolutePath()).toStdString(), deepest, found));
    return found;
}

} // namespace tmx
