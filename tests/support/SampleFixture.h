// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/workspace/Sample.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/GitFixture.h"
#include "tests/support/KeptFolder.h"

namespace tmx::test {

/// A sample repository in a separate folder, as the verb creates it, judged with the real git program. If the sample
/// cannot be created it ends the test program, because nothing can be tested then.
class SampleFixture
{
public:
    explicit SampleFixture(SampleKind kind = SampleKind::Complete)
    {
        const QString kept = kind == SampleKind::Story ? QStringLiteral("story") : QStringLiteral("sample");
        copyKept(kept, path(), [this, kind](const QString &folder) {
            if (const Result<void> made = createSample(m_catalog, folder, kind); !made)
                qFatal("%s", qUtf8Printable(made.error().sentence()));
        });
    }

    [[nodiscard]] const std::shared_ptr<const Catalog> &catalog() const { return m_catalog; }
    [[nodiscard]] QString path() const { return m_git.path(QStringLiteral("sample")); }
    [[nodiscard]] QString path(const QString &relative) const { return path() + QLatin1Char('/') + relative; }
    QByteArray git(const QStringList &arguments) const
    {
        return m_git.git(QStringList{QStringLiteral("-C"), path()} + arguments);
    }
    int tryGit(const QStringList &arguments) const
    {
        return m_git.tryGit(QStringList{QStringLiteral("-C"), path()} + arguments);
    }
    [[nodiscard]] QByteArray status() const { return git({QStringLiteral("status"), QStringLiteral("--porcelain")}); }

    /// Commits the deletion of a variant's recipe, so that it is missing.
    void takeOut(const QString &name) const
    {
        git({QStringLiteral("rm"), QStringLiteral("-q"), QStringLiteral(".flox/pkgs/%1.nix").arg(name)});
        git({QStringLiteral("commit"), QStringLiteral("-qm"), QStringLiteral("Take out %1").arg(name)});
    }
    void write(const QString &relative, const QByteArray &text) const
    {
        m_git.write(QStringLiteral("sample/") + relative, text);
    }
    [[nodiscard]] QByteArray read(const QString &relative) const
    {
        return m_git.read(QStringLiteral("sample/") + relative);
    }

private:
    GitFixture m_git;
    std::shared_ptr<const Catalog> m_catalog = testing::builtInCatalog();
};

} // namespace tmx::test
