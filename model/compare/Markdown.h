// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

namespace tmx {

/// `text` as it must stand in a cell of a Markdown table (CommonMark, GitHub's tables) to mean itself: one line,
/// nothing in it is markup.
QString inMarkdownCell(const QString &text);
/// As above, in code style.
QString codeInMarkdownCell(const QString &text);

/// A table whose cells are Markdown already; ends with a line end. Columns are padded, so that it can be read as it is.
QString markdownTable(const QStringList &head, const QList<QStringList> &rows);

} // namespace tmx
