// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

namespace tmx::test {

/// A real git repository in a temporary folder, made and looked at with the real git program: so that what the program
/// under test did is judged by git itself. Branch `main`, no commit yet, identity "Ada Tester <ada@example.org>" in the
/// private HOME.
///
/// The first fixture of a process gives it a HOME of its own (QTemporaryDir), so that no setting of the machine has a
/// say; libgit2 reads HOME when it starts, so make a fixture before the first Repository. Each fixture writes
/// .gitconfig again.
class GitFixture
{
public:
    explicit GitFixture(const QString &branch = QStringLiteral("main"));

    [[nodiscard]] QString path() const { return m_root; } ///< canonical root of the work tree
    [[nodiscard]] QString path(const QString &relative) const { return m_root + QLatin1Char('/') + relative; }

    /// Runs git in the work tree; its output without the last line end. A failure aborts the test program.
    QByteArray git(const QStringList &arguments, const QByteArray &input = {}) const;
    /// Runs git and gives its exit code; `output` gets both streams.
    int tryGit(const QStringList &arguments, QByteArray *output = nullptr, const QByteArray &input = {}) const;
    /// Text into the work tree, folders made; written in place, as a careless editor does.
    void write(const QString &relative, const QByteArray &text) const;
    [[nodiscard]] QByteArray read(const QString &relative) const;
    /// write, `git add --force`, `git commit`; the new commit's id.
    QString commitFile(const QString &relative, const QByteArray &text,
                       const QString &message = QStringLiteral("Add a file")) const;
    [[nodiscard]] QString head() const; ///< id of HEAD's commit; empty without one
    /// What `git fsck --strict` complains about; empty: sound. Dangling objects are no complaint.
    [[nodiscard]] QByteArray fsck() const;
    /// `git status --porcelain`, untracked files one by one.
    [[nodiscard]] QByteArray status() const;

    /// The private HOME, and its .gitconfig as text.
    static QString home();
    static void setGlobalConfig(const QByteArray &text);
    static QByteArray defaultGlobalConfig();

private:
    QTemporaryDir m_folder;
    QString m_root;
};

/// While it lives this thread obeys permission bits even as root (the capability to pass over them is put down), so
/// that read-only folders can be tested wherever the tests run.
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
