// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/ObjectFolders.h"

#include "model/base/Surface.h"
#include "model/git/GitError.h"

#include <QFile>
#include <QFileInfo>

#include <cstdlib>
#include <memory>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

constexpr qsizetype mostBytes = qsizetype(64) << 10; ///< of one alternates file
constexpr qsizetype mostFolders = 64;

QByteArray withoutLinks(const QByteArray &path)
{
    const std::unique_ptr<char, void (*)(void *)> real(::realpath(path.constData(), nullptr), std::free);
    return {real.get()};
}

Error tooMany(const QByteArray &list)
{
    return {
        Tr::tr("read"), QFile::decodeName(list), Tr::tr("the repository has too many alternate object folders"),
        forSurface(Tr::tr("To collect the objects in one place, run \"git repack -a -d\" there and remove this file."),
                   Tr::tr("Collect the objects in one place with Git, then remove this file."))};
}

} // namespace

Result<QByteArrayList> objectFolders(const QByteArray &objects)
{
    QByteArrayList folders{objects};
    if (const QByteArray real = withoutLinks(objects); !real.isEmpty())
        folders = {real};
    for (qsizetype i = 0; i < folders.size(); ++i) {
        const QByteArray list = folders.at(i) + "/info/alternates";
        QFile file(QFile::decodeName(list));
        const bool there = QFileInfo(file.fileName()).isFile() && file.open(QIODevice::ReadOnly);
        if (there && file.size() > mostBytes)
            return tooMany(list);
        // One folder per line; "#" begins a comment. libgit2 also ends a line at a carriage return, and the list at a
        // NUL.
        QByteArray text = there ? file.readAll() : QByteArray();
        text.replace('\r', '\n').replace('\0', '\n');
        for (const QByteArray &line : text.split('\n')) {
            if (line.isEmpty() || line.startsWith('#'))
                continue;
            QByteArrayList places{line};
            if (!line.startsWith('/'))
                places.prepend(folders.at(i) + '/' + line);
            for (const QByteArray &place : std::as_const(places)) {
                const QByteArray folder = withoutLinks(place);
                if (folder.isEmpty() || folders.contains(folder))
                    continue;
                if (folders.size() == mostFolders)
                    return tooMany(list);
                folders.append(folder);
            }
        }
    }
    return folders;
}

} // namespace tmx
