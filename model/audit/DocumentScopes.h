// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Documents.h"

namespace tmx {

/// The first word of a table cell without markup: "**`main`** ⬅️" is "main".
QString plainWord(const QString &cell);

/// A cell of a row of a table.
struct RowCell {
    qsizetype from = 0; ///< offset in the line
    QString text;
};
/// The cells of a line of a table; none for another line.
QList<RowCell> cellsOf(const QString &line);

/// Which branch a Markdown document is about at a place: by the sentence or the row of a table, then by the table's
/// headings, the list and the headings above. Pure.
class DocumentScopes
{
public:
    enum class About {
        Own,       ///< the sentence or row names this branch
        Other,     ///< another branch
        Elsewhere, ///< another repository
        Unclear,   ///< this one and another, or a package that the branch does not build
        Unsaid,    ///< nothing is named, or only above
    };

    /// `facts` must outlive the object.
    DocumentScopes(const QString &text, const Documented &facts);

    /// Of the character at `offset` of a line, counted from 0.
    [[nodiscard]] About at(int line, qsizetype offset) const;
    /// Whether the line tells what was found, once: it, what it stands below or the list that it introduces says
    /// "verified", "tested", "previously"; it is the row of a table "from", "to"; or the document is a plan: it has the
    /// headings "Goal" and "Current State".
    [[nodiscard]] bool isRecord(int line) const;
    /// The titles of the table that the line is in, else what it stands below.
    [[nodiscard]] QString title(int line) const;
    [[nodiscard]] bool isInTable(int line) const;
    [[nodiscard]] bool isInCode(int line) const;

private:
    /// Lines that belong together; the text of the others is above it.
    struct Block {
        enum class Kind { Heading, Item, Table, Code, Text } kind = Kind::Text;
        QString text;          ///< lines, joined by blanks
        int above = -1;        ///< block
        int depth = 0;         ///< level of a heading, indentation of an item
        QStringList columns{}; ///< of a table
    };
    struct Place {
        int block = -1;
        qsizetype offset = 0; ///< of the line in the block's text
    };
    /// What a text names.
    struct Names {
        bool ownRepository = false, otherRepository = false;
        bool ownBranch = false, otherBranch = false;
        bool ownFamily = false, otherFamily = false;
        bool unknownName = false; ///< what may be a branch that this clone does not have
    };

    void add(Block::Kind kind, const QString &line, int depth, bool continues);
    [[nodiscard]] int aboveOf(Block::Kind kind, int depth) const;
    [[nodiscard]] bool isOwn(const QString &repository) const;
    [[nodiscard]] Names namesIn(const QString &text) const;
    [[nodiscard]] Names namesInRow(const QString &line, qsizetype offset, const QStringList &columns) const;

    const Documented &m_facts;
    QStringList m_lines;
    QList<Block> m_blocks;
    QList<Place> m_places;      ///< by line
    QStringList m_repositories; ///< other ones, to which the document has links
    QList<int> m_headings;      ///< the ones that are open
    QList<int> m_items;
    bool m_isPlan = false; ///< it says what is to be done
};

} // namespace tmx
