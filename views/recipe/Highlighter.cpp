// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/recipe/Highlighter.h"

#include "views/recipe/CodeColors.h"

#include <KSyntaxHighlighting/Definition>
#include <KSyntaxHighlighting/Format>
#include <KSyntaxHighlighting/Repository>
#include <KSyntaxHighlighting/Theme>

#include <QPalette>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

// A line of this length is data, not code; colouring it would hold up the window.
constexpr qsizetype longestLine = 4000;

// Reads an index of some 400 definitions: once a process, on the window's thread.
const KSyntaxHighlighting::Repository &repository()
{
    static const KSyntaxHighlighting::Repository instance;
    return instance;
}

} // namespace

Highlighter::Highlighter(const QPalette &palette)
{
    setDefinition(repository().definitionForName(u"Nix"_s));
    setPalette(palette);
}

void Highlighter::setPalette(const QPalette &palette)
{
    m_background = palette.color(QPalette::Base);
    setTheme(repository().themeForPalette(palette));
    m_cache.clear();
}

Highlighter::Formats Highlighter::highlight(const QString &line, State &state)
{
    m_formats.clear();
    if (definition().isValid() && line.size() <= longestLine)
        state = highlightLine(line, state);
    return std::exchange(m_formats, {});
}

void Highlighter::applyFormat(int offset, int length, const KSyntaxHighlighting::Format &format)
{
    if (length == 0)
        return;
    auto known = m_cache.find(format.id());
    if (known == m_cache.end())
        known = m_cache.insert(format.id(), charFormat(format));
    if (!known->isEmpty())
        m_formats.append({offset, length, *known});
}

QTextCharFormat Highlighter::charFormat(const KSyntaxHighlighting::Format &format) const
{
    QTextCharFormat result;
    const KSyntaxHighlighting::Theme chosen = theme();
    if (format.hasTextColor(chosen))
        result.setForeground(legible(format.textColor(chosen), m_background));
    if (format.isBold(chosen))
        result.setFontWeight(QFont::Bold);
    if (format.isItalic(chosen))
        result.setFontItalic(true);
    if (format.isUnderline(chosen))
        result.setFontUnderline(true);
    return result;
}

} // namespace tmx
