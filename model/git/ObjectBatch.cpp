// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/ObjectBatch.h"

#include "model/git/GitError.h"
#include "model/git/LooseObjects.h"

#include <QDir>
#include <QFile>

#include <cerrno>
#include <cstdio>
#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

// For fewer objects a pack saves little, and git has to search each additional pack until it repacks.
constexpr qsizetype fewest = 16;
constexpr int beforeAllOthers = 1000;

bool moveInto(const Journal &journal, const QString &objects, const QString &name)
{
    return ::rename(QFile::encodeName(journal.path(name)).constData(),
                    QFile::encodeName(objects + u"/pack/"_s + name).constData()) == 0;
}

} // namespace

ObjectBatch::ObjectBatch(const OpenRepository &repository, const Journal &journal, qsizetype files)
    : m_repository(repository.git())
    , m_journal(journal)
    , m_place(repository.commonFolder + u"/objects"_s)
{
    if (files < fewest)
        return;
    // A separate object database, because a backend can be added but not removed. If that fails, objects are written
    // one by one.
    GitOdb usual;
    GitOdb gathering;
    git_odb_backend *memory = nullptr;
    if (obtain(usual, git_repository_odb, m_repository) < 0 ||
        obtain(gathering, git_odb_open, m_place.toUtf8().constData()) < 0 || git_mempack_new(&memory) < 0)
        return;
    readLooseObjectsFirst(gathering.get(), m_place);
    if (git_odb_add_backend(gathering.get(), memory, beforeAllOthers) < 0) {
        memory->free(memory);
        return;
    }
    if (git_repository_set_odb(m_repository, gathering.get()) < 0)
        return;
    m_usual = std::move(usual);
    m_memory = memory;
}

ObjectBatch::~ObjectBatch()
{
    end();
}

Result<void> ObjectBatch::write(const QString &what)
{
    if (!m_usual)
        return {};
    GitPackBuilder pack;
    if (obtain(pack, git_packbuilder_new, m_repository) < 0)
        return gitError(what, m_place);
    git_packbuilder_set_threads(pack.get(), 0); // one per core
    if (git_mempack_write_thin_pack(m_memory, pack.get()) < 0)
        return gitError(what, m_place);
    if (git_packbuilder_object_count(pack.get()) > 0) {
        // In the journal first: git would never remove what a killed process leaves.
        if (git_packbuilder_write(pack.get(), QFile::encodeName(m_journal.folder()).constData(), 0, nullptr, nullptr) <
            0)
            return gitError(what, m_place);
        const QString name = u"pack-"_s + QString::fromLatin1(git_packbuilder_name(pack.get()));
        if (!moveInto(m_journal, m_place, name + u".pack"_s) || !moveInto(m_journal, m_place, name + u".idx"_s))
            return Error{what, m_place, qt_error_string(errno), Tr::tr("Check its permissions.")};
    }
    end();
    return {};
}

void ObjectBatch::recover(const OpenRepository &repository, const Journal &journal)
{
    for (const QString &index : QDir(journal.folder()).entryList({u"pack-*.idx"_s}, QDir::Files)) {
        if (!journal.has(index.chopped(4) + u".pack"_s))
            moveInto(journal, repository.commonFolder + u"/objects"_s, index);
    }
}

void ObjectBatch::end()
{
    if (m_usual)
        git_repository_set_odb(m_repository, m_usual.get());
    m_usual.reset();
}

} // namespace tmx
