// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

class QColor;
class QPainter;
class QRectF;

namespace tmx {

/// Signs of states. Drawn, not written: a font may lack them, and they must be told apart at 12 pixels without colour.
enum class Glyph {
    Check,     ///< current, built
    Pencil,    ///< customised
    Delta,     ///< modified: a filled half
    Plus,      ///< new
    Ring,      ///< missing: an empty place
    Cross,     ///< broken, failed
    Twins,     ///< duplicate
    Dot,       ///< not covered
    Dash,      ///< cannot exist
    Forbidden, ///< cannot exist, and is there
    Clock,     ///< queued
    Play,      ///< running
    Stop,      ///< stopping
    Reload,    ///< stale
    Up,        ///< published
    Target,    ///< exact on a machine
    Wave,      ///< runs on a machine, not tuned for it
    Error,     ///< a finding of that severity: a cross in a ring
    Warning,   ///< a finding: a mark in a triangle
    Note,      ///< a finding: the letter i in a ring
    Same,      ///< the same text
    Equal,     ///< the same derivation
    Similar,   ///< the same build; equivalent
    NotEqual,  ///< another meaning
    Bars,      ///< a schedule: one after the other
};

/// Into the square in the middle of `rect`.
void drawGlyph(QPainter &painter, Glyph glyph, const QRectF &rect, const QColor &color);

} // namespace tmx
