// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Tree.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace tmx::nix {

/// The files of a folder that expressions may import, numbered from 1 by their paths. Immutable; parses a file when it
/// is needed, once. Thread-safe. A path begins with a slash and is seen from that folder: "/lib/table.nix".
class Files
{
public:
    struct Text {
        QByteArray path; ///< "lib/table.nix"
        QByteArray text;
        QByteArray id;        ///< equal for equal bytes
        bool package = false; ///< an import of it is Unknown unless a Fold is exact: it is a value of its own
    };
    static constexpr size_t most = 50'000; ///< further ones are left out
    explicit Files(std::vector<Text> texts);
    ~Files();
    Q_DISABLE_COPY_MOVE(Files)

    /// 0: there is no such file.
    [[nodiscard]] quint16 find(std::string_view path) const;
    /// The file that `import` reads: that one, or default.nix in that folder. 0: there is none, or it is not ".nix".
    [[nodiscard]] quint16 imported(std::string_view path) const;
    [[nodiscard]] std::string_view path(quint16 file) const;
    [[nodiscard]] bool isPackage(quint16 file) const;
    [[nodiscard]] const QByteArray &text(quint16 file) const;
    [[nodiscard]] const Tree &tree(quint16 file) const;
    [[nodiscard]] bool isValid(quint16 file) const; ///< whether it is Nix

    /// A path in an expression.
    struct Use {
        Span span;
        std::string_view written; ///< up to an antiquotation
        std::string path;         ///< what that names; empty if it is absolute or outside of the folder
        bool whole = true;        ///< no antiquotation follows
        bool import = false;      ///< the argument of `import`
        bool read = false;        ///< that of a function that reads it as it is
        bool copied = false;      ///< in an antiquotation or among patches: the file or folder is copied to the store
    };
    static std::vector<Use> usesIn(const Tree &tree, std::string_view folder);
    /// The file that is used; all those whose paths begin so if it is a folder or the beginning of a path.
    [[nodiscard]] std::vector<quint16> named(const Use &use) const;
    /// These files and all that they use, and so on; sorted.
    [[nodiscard]] std::vector<quint16> closure(std::vector<quint16> files) const;
    /// Identifies the files' paths and bytes.
    [[nodiscard]] QByteArray digest(const std::vector<quint16> &files) const;
    /// The same without comments and blanks of what is only imported; `data` are files that are read otherwise too.
    [[nodiscard]] QByteArray codeDigest(const std::vector<quint16> &files, std::set<quint16> data) const;
    /// Identifies the file and all that it uses, or the files of the folder; empty if there are none. Of a path that is
    /// only imported, the code of imported() counts.
    [[nodiscard]] QByteArray contentOf(std::string_view path, bool isImported = false) const;

    /// Without "." and ".."; empty if it leads outside.
    static std::string normalised(std::string_view path);
    /// The path that is written in a file of `folder`; empty if it is absolute or leads outside.
    static std::string resolved(std::string_view folder, std::string_view written);
    /// The same with the slash at its end.
    static std::string named(std::string_view folder, std::string_view written);
    static std::string folderOf(std::string_view path);

private:
    struct File;
    struct Known;
    [[nodiscard]] const File &parsed(quint16 file) const;
    [[nodiscard]] std::vector<quint16> beginningWith(std::string_view prefix) const;

    std::vector<std::unique_ptr<File>> m_files; ///< sorted by path
    std::unique_ptr<Known> m_known;
};

} // namespace tmx::nix
