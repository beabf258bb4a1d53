// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

class QColor;
class QPainter;
class QRectF;

namespace tmx {

/// Signs of states. They are drawn, because a font may lack them and they must be distinguishable at 12 pixels without
/// colour.
enum class Glyph {
    Check,     ///< built; a step that is done
    Page,      ///< current: the recipe as its template gives it
    Pencil,    ///< customised
    Delta,     ///< modified: a half-filled shape
    Plus,      ///< new
    Ring,      ///< missing: an empty circle
    Box,       ///< a step that is not done yet: an empty square
    Cross,     ///< failed
    BadPage,   ///< broken: a page with a cross
    Twins,     ///< duplicate
    Team,      ///< built by the team: two heads
    Dot,       ///< not planned
    Dash,      ///< cannot exist
    Forbidden, ///< cannot exist, but has a recipe
    Clock,     ///< queued
    Play,      ///< running
    Stop,      ///< stopping
    Reload,    ///< stale
    Up,        ///< published
    Target,    ///< exact on a machine
    Wave,      ///< runs on a machine, not tuned for it
    Error,     ///< error: a cross in a ring
    Warning,   ///< warning: an exclamation mark in a triangle
    Note,      ///< note: the letter i in a ring
    Same,      ///< the same text
    Equal,     ///< the same derivation
    Similar,   ///< the same build; equivalent
    NotEqual,  ///< a different meaning
    Bars,      ///< schedule: bars one after the other
    CrossOver, ///< failed for others: a cross over a line
    More,      ///< what has no room: two arrowheads
    Outside,   ///< does not run on a machine: a dash in a ring
};

/// Draws into the square in the middle of `rect`.
void drawGlyph(QPainter &painter, Glyph glyph, const QRectF &rect, const QColor &color);

} // namespace tmx
