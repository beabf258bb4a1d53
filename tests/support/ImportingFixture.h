// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/SnapshotReader.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/GitFixture.h"

#include <QDir>
#include <QDirIterator>

namespace tmx::testing {

using namespace Qt::StringLiterals;

inline const QString pkgsFolder = u".flox/pkgs/"_s;

/// fixtures/recipes/imports, committed on main.
struct ImportingFixture : test::GitFixture {
    ImportingFixture()
    {
        const QDir folder(QStringLiteral(TM_FIXTURES "/recipes/imports"));
        QDirIterator files(folder.path(), {u"*.nix"_s}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (file.open(QIODevice::ReadOnly))
                write(pkgsFolder + folder.relativeFilePath(file.fileName()), file.readAll());
        }
        git({u"add"_s, u"--all"_s, u"--force"_s});
        git({u"commit"_s, u"--quiet"_s, u"-m"_s, u"Add recipes"_s});
    }

    void replace(const QString &file, const QByteArray &before, const QByteArray &after) const
    {
        QByteArray text = read(pkgsFolder + file);
        if (!text.contains(before))
            qFatal("%s has no %s", qPrintable(file), before.constData());
        write(pkgsFolder + file, text.replace(before, after));
    }
    /// Removes all files; commitAll() follows.
    void clear() const { git({u"rm"_s, u"--quiet"_s, u"-r"_s, u"--force"_s, u"."_s}); }
    void commitAll() const
    {
        git({u"add"_s, u"--all"_s, u"--force"_s});
        commit();
    }
    void commit() const { git({u"commit"_s, u"--quiet"_s, u"--all"_s, u"-m"_s, u"Change"_s}); }

    [[nodiscard]] BranchSnapshot snapshot(const QString &branch = {}) const
    {
        const auto read = reader.read(path(), branch, {}, Templates::LeftOut);
        if (!read)
            qFatal("%s", qPrintable(read.error().sentence()));
        return *read->snapshot;
    }
    [[nodiscard]] VariantEntry entry(const QString &name, const QString &branch = {}) const
    {
        const BranchSnapshot all = snapshot(branch);
        const VariantEntry *found = all.find(name);
        if (!found)
            qFatal("no %s", qPrintable(name));
        return *found;
    }

    SnapshotReader reader{builtInCatalog()};
};

} // namespace tmx::testing
