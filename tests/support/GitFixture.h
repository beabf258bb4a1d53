// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

namespace tmx::test {

/// A real git repository in a temporary folder, created and inspected with the real git program, so that git itself
/// judges what the program under test did. Branch `main`, no commit yet, identity "Ada Tester <ada@example.org>" in the
/// private HOME.
///
/// The first fixture of a process sets a private HOME (QTemporaryDir), so that the machine's settings have no effect;
/// libgit2 reads HOME when it starts, so create a fixture before the first Repository. Each fixture rewrites
/// .gitconfig.
class GitFixture
{
public:
    /// `format`: how refs are stored, "files" or "reftable".
    explicit GitFixture(const QString &branch = QStringLiteral("main"),
                        const QString &format = QStringLiteral("files"));

    [[nodiscard]] QString path() const { return m_root; } ///< canonical root of the working tree
    [[nodiscard]] QString path(const QString &relative) const { return m_root + QLatin1Char('/') + relative; }

    /// Runs git in the working tree; returns its output without the last newline. A failure aborts the test program.
    QByteArray git(const QStringList &arguments, const QByteArray &input = {}) const;
    /// Runs git and returns its exit code; `output` gets both streams.
    int tryGit(const QStringList &arguments, QByteArray *output = nullptr, const QByteArray &input = {}) const;
    /// Writes a file in the working tree and creates its folders. Writes in place, like a careless editor.
    void write(const QString &relative, const QByteArray &text) const;
    [[nodiscard]] QByteArray read(const QString &relative) const;
    /// write, `git add --force`, `git commit`; returns the new commit's id.
    QString commitFile(const QString &relative, const QByteArray &text,
                       const QString &message = QStringLiteral("Add a file")) const;
    [[nodiscard]] QString head() const; ///< id of HEAD's commit; empty if there is none
    /// Complaints of `git fsck --strict`; empty if there are none. Ignores dangling objects.
    [[nodiscard]] QByteArray fsck() const;
    /// `git status --porcelain`, with each untracked file.
    [[nodiscard]] QByteArray status() const;

    /// The private HOME, and its .gitconfig as text.
    static QString home();
    static void setGlobalConfig(const QByteArray &text);
    static QByteArray defaultGlobalConfig();

private:
    QTemporaryDir m_folder;
    QString m_root;
};

/// While it exists, this thread respects permission bits even as root (it drops the capability to bypass them), so that
/// read-only folders can be tested everywhere.
class ObeyPermissions
{
public:
    ObeyPermissions();
    ~ObeyPermissions();
    Q_DISABLE_COPY_MOVE(ObeyPermissions)

private:
    quint32 m_effective[2] = {0, 0};
};

} // namespace tmx::test
