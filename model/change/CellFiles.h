// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Variant.h"
#include "model/change/ChangeSet.h"

#include <algorithm>

namespace tmx {

/// The files of a change with their cells, to sort them when all are added.
class CellFiles
{
public:
    ChangedFile &append(const Variant &place, ChangedFile file)
    {
        m_files.append({std::move(file), place});
        return m_files.last().first;
    }

    QList<ChangedFile> sorted()
    {
        std::ranges::stable_sort(m_files, [](const auto &a, const auto &b) {
            return std::tie(a.first.action, a.second) < std::tie(b.first.action, b.second);
        });
        QList<ChangedFile> files;
        for (const auto &[file, place] : std::as_const(m_files))
            files.append(file);
        return files;
    }

private:
    QList<std::pair<ChangedFile, Variant>> m_files;
};

} // namespace tmx
