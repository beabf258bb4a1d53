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

// A line this long is data, not code; colouring it would block the window.
constexpr qsizetype longestLine = 4000;

// Reads an index of some 400 definitions, once per process, on the GUI thread.
const KSyntaxHighlighting::Repository &repository()
{
    static const KSyntaxHighlighting::Repository instance;
    return instance;
}

// Half of a recipe is shell code in strings, and Breeze colours strings with the red that means "removed" in a
// difference. If the palette has no theme of its own, use GitHub's, whose strings are blue.
KSyntaxHighlighting::Theme themeFor(const QPalette &palette)
{
    const KSyntaxHighlighting::Theme fitting = repository().themeForPalette(palette);
    const bool dark = palette.color(QPalette::Base).lightness() < 128;
    const auto usual = dark ? KSyntaxHighlighting::Repository::DarkTheme : KSyntaxHighlighting::Repository::LightTheme;
    if (fitting.isValid() && fitting.name() != repository().defaultTheme(usual).name())
        return fitting;
    const KSyntaxHighlighting::Theme calm = repository().theme(dark ? u"GitHub Dark"_s : u"GitHub Light"_s);
    return calm.isValid() ? calm : repository().defaultTheme(usual);
}

} // namespace

Highlighter::Highlighter(const QPalette &palette, const QList<QColor> &grounds)
    : m_palette(palette)
    , m_grounds(grounds)
{
}

void Highlighter::setPalette(const QPalette &palette, const QList<QColor> &grounds)
{
    m_palette = palette;
    m_grounds = grounds;
    m_ready = false;
}

void Highlighter::setFile(const QString &file)
{
    m_file = file;
    m_ready = false;
}

void Highlighter::prepare()
{
    if (std::exchange(m_ready, true))
        return;
    const KSyntaxHighlighting::Definition named =
        m_file.isEmpty() ? KSyntaxHighlighting::Definition() : repository().definitionForFileName(m_file);
    const KSyntaxHighlighting::Definition wanted = named.isValid() ? named : repository().definitionForName(u"Nix"_s);
    if (wanted != definition())
        setDefinition(wanted);
    setTheme(themeFor(m_palette));
    m_cache.clear();
}

Highlighter::Formats Highlighter::highlight(const QString &line, State &state)
{
    if (line.isEmpty() && state == State()) // as an empty view has
        return {};
    prepare();
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
    if (format.hasTextColor(chosen)) {
        QColor color = format.textColor(chosen);
        for (const QColor &ground : m_grounds)
            color = legible(color, ground);
        result.setForeground(color);
    }
    if (format.isBold(chosen))
        result.setFontWeight(QFont::Bold);
    if (format.isItalic(chosen))
        result.setFontItalic(true);
    if (format.isUnderline(chosen))
        result.setFontUnderline(true);
    return result;
}

} // namespace tmx
