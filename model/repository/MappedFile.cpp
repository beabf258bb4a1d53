// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/MappedFile.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tmx {

MappedFile::MappedFile(const QByteArray &path)
{
    const int file = ::open(path.constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); // opening a pipe would block
    if (file < 0)
        return;
    struct stat state{};
    if (::fstat(file, &state) == 0 && S_ISREG(state.st_mode) && state.st_size > 0) {
        void *start = ::mmap(nullptr, size_t(state.st_size), PROT_READ, MAP_PRIVATE, file, 0);
        if (start != MAP_FAILED)
            m_bytes = {static_cast<const char *>(start), qsizetype(state.st_size)};
    }
    ::close(file);
}

MappedFile::~MappedFile()
{
    if (!m_bytes.isEmpty())
        ::munmap(const_cast<char *>(m_bytes.data()), size_t(m_bytes.size()));
}

} // namespace tmx
