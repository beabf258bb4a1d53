// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/FileText.h"
#include "tests/support/Ran.h"

#include <QTemporaryDir>
#include <QTest>

/// A real git repository with a Flox environment and one recipe, committed.
class BuildRepository
{
public:
    BuildRepository()
    {
        git({QStringLiteral("init"), QStringLiteral("-q")});
        write(QStringLiteral(".flox/env.json"), "{\"name\": \"build-pytorch\", \"version\": 1}\n");
        write(QStringLiteral(".flox/env/manifest.toml"), "version = 1\n");
        write(QStringLiteral(".flox/env/manifest.lock"), "{}\n");
        write(recipe(), "{ python313Packages }:\npython313Packages.torch.overrideAttrs { pname = "
                        "\"pytorch-python313-cpu-avx2\"; version = \"2.8.0\"; }\n");
        git({QStringLiteral("add"), QStringLiteral(".")});
        git({QStringLiteral("commit"), QStringLiteral("-qm"), QStringLiteral("Build PyTorch for AVX2")});
    }

    [[nodiscard]] static QString package() { return QStringLiteral("pytorch-python313-cpu-avx2"); }
    [[nodiscard]] static QString recipe() { return QStringLiteral(".flox/pkgs/") + package() + QStringLiteral(".nix"); }
    [[nodiscard]] QString path() const { return m_folder.path(); }

    void write(const QString &file, const QByteArray &text) const { tmx::test::putFile(m_folder.filePath(file), text); }

    void git(const QStringList &arguments) const { tmx::test::gitIn(m_folder.path(), arguments); }

private:
    QTemporaryDir m_folder;
};

/// Puts the stand-in for flox first in PATH; it acts as `behaviour` says (tests/standins/flox/Behaviour.h).
inline void standInActs(const QByteArray &behaviour)
{
    static const QByteArray path = qgetenv("PATH");
    qputenv("PATH", QByteArrayLiteral(TM_STANDINS) + ':' + path);
    qputenv("TORCH_MATRIX_STANDIN_FLOX", behaviour);
}
