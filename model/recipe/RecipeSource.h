// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/FileTrouble.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>

namespace tmx {

namespace nix {
class Files;
struct FoldOptions;
} // namespace nix

/// An import by path that does not lead to a file that flox builds from.
struct ImportTrouble {
    enum class Kind {
        Missing,    ///< there is no such file
        Outside,    ///< it leaves the repository
        Absolute,   ///< it begins with "/" or "~"
        Untracked,  ///< git does not track the file
        Invalid,    ///< the file is not Nix
        Unreadable, ///< the file is there, but cannot be read as text
        Cycle,      ///< it imports the importing file again
    };
    Kind kind = Kind::Missing;
    QString file; ///< that imports it; empty: the recipe
    int line = 0;
    int column = 0;
    int length = 0;
    QString path;                        ///< as written, or of the untracked or unreadable file
    FileTrouble why = FileTrouble::None; ///< of an unreadable file
    QString mistake = {};                ///< in an invalid file: "unexpected 'in', expected ';'"
    int mistakeLine = 0;                 ///< in that file
    int mistakeColumn = 0;
    bool operator==(const ImportTrouble &) const = default;
};

/// What a recipe imports by path within its repository, and what that imports.
struct RecipeImports {
    QString path;                            ///< of the recipe
    std::shared_ptr<const nix::Files> files; ///< never null
    QStringList paths;                       ///< of the imported files, sorted
    bool asksPosition = false;               ///< what it builds may depend on its own path and lines
    QList<ImportTrouble> troubles;
    QByteArray digest; ///< identifies the paths and texts; empty if nothing is imported
    QByteArray code;   ///< the same without comments and blanks of what is Nix and only imported
    QByteArray state;  ///< identifies digest and troubles
};

/// The comment lines that a file begins with.
QString headOf(const QByteArray &text);

/// A recipe: its text and what it imports. Two recipes are the same if and only if text and digest are equal.
struct RecipeSource {
    RecipeSource() = default;
    /// Not explicit: most recipes import nothing.
    RecipeSource(const QByteArray &text, // NOLINT(google-explicit-constructor)
                 std::shared_ptr<const RecipeImports> imports = nullptr)
        : text(text)
        , imports(std::move(imports))
    {
    }
    RecipeSource(const char *text) // NOLINT(google-explicit-constructor)
        : text(text)
    {
    }
    QByteArray text;
    std::shared_ptr<const RecipeImports> imports; ///< null: it imports nothing by path

    [[nodiscard]] QByteArray digest() const { return imports ? imports->digest : QByteArray(); }
    /// Identifies everything that is read from it; the text if nothing is imported.
    [[nodiscard]] QByteArray key() const { return keyWith(text); }
    /// The same without places: equal if the texts differ only in comments and blanks.
    [[nodiscard]] QByteArray codeKey() const;
    /// Identifies what is built: equal if the recipe and what it imports differ only in comments and blanks.
    [[nodiscard]] QByteArray builtKey() const;
    /// Whether what it builds may depend on its own path and lines.
    [[nodiscard]] bool dependsOnPlace() const;

private:
    [[nodiscard]] QByteArray keyWith(const QByteArray &bytes) const
    {
        return imports ? bytes + '\0' + imports->state : bytes;
    }
};

/// The files of one commit, or of one working tree, that recipes may import. Immutable and thread-safe.
class RecipeFiles
{
public:
    struct File {
        QString path; ///< from the root of the repository
        QByteArray text;
        QByteArray id;                           ///< equal for equal bytes
        bool recipe = false;                     ///< a recipe of .flox/pkgs, which may import others
        bool untracked = false;                  ///< git does not have it
        FileTrouble trouble = FileTrouble::None; ///< why `text` is empty
    };
    explicit RecipeFiles(const QList<File> &files);
    ~RecipeFiles();
    Q_DISABLE_COPY_MOVE(RecipeFiles)

    /// The recipe with that text at that path. Finds the imports of a text once.
    [[nodiscard]] RecipeSource source(const QString &path, const QByteArray &text) const;

    /// nullopt: there is no such file.
    [[nodiscard]] std::optional<QByteArray> text(const QString &path) const;
    /// The same files with other texts for some of them, or more files, by path.
    [[nodiscard]] std::shared_ptr<const RecipeFiles> with(const QMap<QString, QByteArray> &texts) const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

/// Whether two Nix texts differ only in comments and blanks.
bool sameCode(const QByteArray &text, const QByteArray &other);

/// Paths of the files that only one of the two imports, or with another text.
QStringList changedPaths(const RecipeImports *imports, const RecipeImports *others);

/// "lib/isa.nix" for ".flox/pkgs/lib/isa.nix": an imported file, for people.
QString shownPath(const QString &path);

/// For a recipe with these imports; null: with none. They must outlive the Fold.
nix::FoldOptions foldOptions(const RecipeImports *imports);

/// Paths from the root of the repository that a text names by relative paths: files, folders, and beginnings of paths.
/// Only those in the repository. A quick check comes first: few texts name any.
QStringList pathsNamedIn(const QString &path, const QByteArray &text);

} // namespace tmx
