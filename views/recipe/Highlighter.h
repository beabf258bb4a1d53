// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <KSyntaxHighlighting/AbstractHighlighter>
#include <KSyntaxHighlighting/State>

#include <QColor>
#include <QHash>
#include <QList>
#include <QPalette>
#include <QTextLayout>

namespace tmx {

/// Colours Nix (or another language) line by line, in a theme that fits the palette. The only class that uses
/// KSyntaxHighlighting's definitions and themes. The caller processes the lines and keeps the state between them, so
/// that a large text can be coloured in time slices.
class Highlighter : private KSyntaxHighlighting::AbstractHighlighter
{
public:
    using State = KSyntaxHighlighting::State;
    using Formats = QList<QTextLayout::FormatRange>;

    /// Every colour has a contrast of at least 4.5 on each of `grounds`.
    Highlighter(const QPalette &palette, const QList<QColor> &grounds);
    void setPalette(const QPalette &palette, const QList<QColor> &grounds);
    /// Nix, unless the file's name says another language ("README.md").
    void setFile(const QString &file);

    /// Formats of one line without its newline. `state` is the state after the previous line; it becomes the state
    /// after this one.
    Formats highlight(const QString &line, State &state);

private:
    /// Loads the definitions and the theme, which takes longer than a window takes to open: not before the first line.
    void prepare();
    void applyFormat(int offset, int length, const KSyntaxHighlighting::Format &format) override;
    [[nodiscard]] QTextCharFormat charFormat(const KSyntaxHighlighting::Format &format) const;

    QPalette m_palette;
    QList<QColor> m_grounds;
    QString m_file;
    bool m_ready = false;
    QHash<int, QTextCharFormat> m_cache; ///< by the format's id
    Formats m_formats;
};

} // namespace tmx
