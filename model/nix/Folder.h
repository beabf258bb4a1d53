// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Cells.h"
#include "model/nix/Files.h"

namespace tmx::nix {

/// Whether it is nixpkgs' callPackage or callPackages.
[[nodiscard]] bool isCallPackage(const Cell &cell);

/// Folds the nodes of a tree, and of the files that it imports, into cells: names, calls, attribute sets and texts.
/// Operators and the functions of Nix and nixpkgs are in Operators.h and Builtins.h.
class Folder : public Cells
{
public:
    Folder(std::shared_ptr<const Tree> tree, const FoldOptions &options);

    [[nodiscard]] const Tree &tree() const { return *m_tree; }
    /// The tree of a node's file.
    [[nodiscard]] const Tree &tree(quint16 file) const { return file ? m_files->tree(file) : *m_tree; }
    [[nodiscard]] const Files *files() const { return m_files; }
    [[nodiscard]] std::string_view nameOf(const Node &node, Symbol symbol) const;
    /// See FoldOptions::exact.
    [[nodiscard]] bool isExact() const { return m_exact; }

    /// Returns `cell` with its value, or a cell with the reason why it has none.
    Cell *force(Cell *cell);
    Cell *fold(const Node *node, const Frame *frame);
    Cell *delay(const Node *node, const Frame *frame);
    Cell *delayCall(Cell *function, Cell *argument);
    Cell *delaySelect(Cell *base, std::string_view name);
    Cell *call(Cell *function, Cell *argument);
    Cell *result();

    [[nodiscard]] bool refersToItself() const { return m_refersToItself; }
    Cell *select(Cell *base, std::string_view name);
    [[nodiscard]] std::vector<Fold::Failure> failures() const;
    /// Notes that evaluation fails at `node` if the value of `cell` there certainly is not what is needed.
    void expect(Fold::Failure::What what, const Node *node, const Cell &cell);
    void failNoData(std::string_view form); ///< in the call that is being folded
    /// The value of `node`, which is expected to be that.
    Cell *needed(Fold::Failure::What what, const Node *node, const Frame *frame);
    /// Notes that evaluation may never come to this expression.
    void mayNotReach(const Node *node) { m_unreached.push_back(node); }
    /// The attribute's cell, not forced; nullptr if it is missing or uncertain (`certain` becomes false).
    Cell *find(const Cell &set, std::string_view name, bool &certain);
    /// All entries that certainly exist, with later layers overriding earlier ones, sorted by name. `complete`: there
    /// are no others.
    static std::vector<NamedCell> entriesOf(const Cell &set, bool &complete);
    static std::vector<NamedCell> merged(std::span<const Layer> layers);

    /// Appends the value of `cell` inside a text, or a hole if it is unknown. `loosely`: converts numbers, lists and
    /// booleans like toString.
    void addText(std::vector<TextPiece> &pieces, Cell *cell, bool loosely = false);
    /// Path::name of `path + more`; empty if it is unknown.
    std::string_view joined(std::string_view path, std::string_view more);
    /// The bytes of a text; nullopt if it has holes.
    std::optional<std::string_view> bytesOf(Cell *cell);

    /// Counts nested folds while it exists; ok() is false if there are too many.
    class Deeper
    {
    public:
        explicit Deeper(Folder &folder)
            : m_folder(folder)
        {
            ++m_folder.m_depth;
        }
        ~Deeper() { --m_folder.m_depth; }
        Q_DISABLE_COPY_MOVE(Deeper)
        [[nodiscard]] bool ok() const { return m_folder.m_depth <= m_folder.m_maxDepth; }

    private:
        Folder &m_folder;
    };

private:
    Cell *list(const List &list, const Frame *frame);
    Cell *variable(const Variable &variable, const Frame *frame);
    Cell *position(const Variable &variable);
    Cell *fromWith(const Variable &variable, const Frame *frame);
    Cell *global(std::string_view name);

    Cell *application(const Call &node, const Frame *frame);
    /// Notes that an import at `node` reads an absolute path.
    void expectRelative(const Node *node, const Cell *path);
    Cell *imported(Cell *path);
    Cell *callPackage(const Cell &called, Cell *argument);
    Cell *callLambda(Cell *function, Cell *argument);
    bool accepts(const Lambda &lambda, const Cell &argument, bool &certain);
    Cell *callBuiltin(Cell *function, Cell *argument);

    Cell *attributes(const Attributes &set, const Frame *frame);
    void fill(std::span<Cell *> cells, const Attributes &set, const Frame *inner, const Frame *outer);
    const Frame *frameOf(const Attributes &set, const Frame *frame);
    const Frame *frameOf(const With &with, const Frame *frame);
    Cell *selection(const Select &select, const Frame *frame);
    Cell *hasAttribute(const HasAttribute &node, const Frame *frame);
    std::optional<std::string_view> nameOf(const Node &node, const AttributeName &name, const Frame *frame);
    Cell *selectOfUnknown(Cell *base, std::string_view name);
    [[nodiscard]] Cell *setBelow(const Cell &set) const;
    std::optional<std::string_view> restOf(const Node &node, std::span<const AttributeName> names, const Frame *frame);

    Cell *text(const Text &text, const Frame *frame);
    Cell *path(const Path &path, const Frame *frame);
    void addList(std::vector<TextPiece> &pieces, const Cell &list);

    std::shared_ptr<const Tree> m_tree;
    const Files *m_files;
    std::string m_path;             ///< of m_tree in m_files
    std::vector<Cell *> m_imported; ///< by file
    std::vector<Fold::Failure> m_failures;
    std::vector<const Node *> m_unreached; ///< branches of unknown conditions
    int m_depth = 0;
    int m_maxDepth;
    bool m_exact;
    bool m_refersToItself = false;
};

} // namespace tmx::nix
