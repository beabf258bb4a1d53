// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

namespace tmx {

/// Escapes `text` for a cell of a Markdown table (CommonMark, GitHub's tables): one line without markup.
QString inMarkdownCell(const QString &text);
/// The same in code style.
QString codeInMarkdownCell(const QString &text);

/// A table whose cells are Markdown already; ends with a newline. Columns are padded for reading the source.
QString markdownTable(const QStringList &head, const QList<QStringList> &rows);

} // namespace tmx
