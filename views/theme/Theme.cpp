// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/theme/Theme.h"

#include "views/theme/Colors.h"

#include <QGuiApplication>
#include <QIcon>
#include <QPainter>
#include <QPalette>
#include <QPixmap>

#include <deque>

namespace tmx {

namespace {

/// A row of the table. Without a fill the tile has the palette's base colour, and text and accent are muted.
struct RecipeColors {
    RecipeState state;
    Glyph glyph;
    RecipeStyle::Frame frame;
    QRgb fill, text, accent;
};

struct FitColors {
    Fit fit;
    Glyph glyph;
    QRgb fill, text, accent;
};

struct BuildColors {
    BuildState::Phase phase;
    Glyph glyph;
    QRgb fill, text;
};

using Frame = RecipeStyle::Frame;
using Phase = BuildState::Phase;

constexpr QRgb none = 0;

// clang-format off: the table is aligned by columns
constexpr RecipeColors lightRecipes[] = {
    {RecipeState::Current, Glyph::Page, Frame::Solid, 0xffeef1f4, 0xff2b3641, 0xff566879},
    {RecipeState::Equivalent, Glyph::Similar, Frame::Solid, 0xfff3f2e6, 0xff3f3d1c, 0xff76713a},
    {RecipeState::Customised, Glyph::Pencil, Frame::Solid, 0xffe3ebfb, 0xff1d3a77, 0xff3060c0},
    {RecipeState::Modified, Glyph::Delta, Frame::Solid, 0xfffdf0cf, 0xff5c3d00, 0xffa26900},
    {RecipeState::Untracked, Glyph::Plus, Frame::Solid, 0xffdaf2f6, 0xff0b4651, 0xff0c7486},
    {RecipeState::Missing, Glyph::Ring, Frame::Dashed, none, none, none},
    {RecipeState::Broken, Glyph::BadPage, Frame::Solid, 0xfffce4e1, 0xff82170d, 0xffc3301f},
    {RecipeState::Duplicate, Glyph::Twins, Frame::Solid, 0xfff1e6fa, 0xff55207a, 0xff8a45bd},
    {RecipeState::NotCovered, Glyph::Dot, Frame::None, none, none, none},
    {RecipeState::Unsupported, Glyph::Dash, Frame::None, none, none, none},
};

constexpr RecipeColors darkRecipes[] = {
    {RecipeState::Current, Glyph::Page, Frame::Solid, 0xff272d34, 0xffd2d9e1, 0xff98a7b6},
    {RecipeState::Equivalent, Glyph::Similar, Frame::Solid, 0xff302e20, 0xffe2dfc6, 0xffb9b27c},
    {RecipeState::Customised, Glyph::Pencil, Frame::Solid, 0xff1f2f4d, 0xffc9dafc, 0xff7ea6f4},
    {RecipeState::Modified, Glyph::Delta, Frame::Solid, 0xff3d3112, 0xfff7dfa3, 0xffe0a92e},
    {RecipeState::Untracked, Glyph::Plus, Frame::Solid, 0xff123840, 0xffb4e6ee, 0xff3fbccf},
    {RecipeState::Missing, Glyph::Ring, Frame::Dashed, none, none, none},
    {RecipeState::Broken, Glyph::BadPage, Frame::Solid, 0xff47201d, 0xffffd0ca, 0xfff47b6d},
    {RecipeState::Duplicate, Glyph::Twins, Frame::Solid, 0xff37244a, 0xffe5ccf7, 0xffc08aea},
    {RecipeState::NotCovered, Glyph::Dot, Frame::None, none, none, none},
    {RecipeState::Unsupported, Glyph::Dash, Frame::None, none, none, none},
};

constexpr FitColors lightFits[] = {
    {Fit::Exact, Glyph::Target, 0xffcdeed8, 0xff0f3f22, 0xff17703a},
    {Fit::RunsUntuned, Glyph::Wave, 0xfffbeecb, 0xff573900, 0xff946000},
    {Fit::DoesNotRun, Glyph::Outside, 0xfff1eeee, 0xff5e504e, 0xff9a5249},
};

constexpr FitColors darkFits[] = {
    {Fit::Exact, Glyph::Target, 0xff1b4a2e, 0xffcdf3da, 0xff62d38b},
    {Fit::RunsUntuned, Glyph::Wave, 0xff43360f, 0xfff7dfa3, 0xffe0a92e},
    {Fit::DoesNotRun, Glyph::Outside, 0xff2c2929, 0xffc9bdbb, 0xffd08177},
};

constexpr BuildColors lightBuilds[] = {
    {Phase::None, Glyph::Dash, 0xff5d6673, 0xffffffff},
    {Phase::Queued, Glyph::Clock, 0xff5d6673, 0xffffffff},
    {Phase::Running, Glyph::Play, 0xff1f63c8, 0xffffffff},
    {Phase::Stopping, Glyph::Stop, 0xff5d6673, 0xffffffff},
    {Phase::Built, Glyph::Check, 0xff1f7a3d, 0xffffffff},
    {Phase::Stale, Glyph::Reload, 0xff8a5a00, 0xffffffff},
    {Phase::Failed, Glyph::Cross, 0xffbd2c1c, 0xffffffff},
    {Phase::Published, Glyph::Up, 0xff7239a6, 0xffffffff},
    {Phase::Elsewhere, Glyph::Team, 0xff0b6e7a, 0xffffffff},
    {Phase::FailedElsewhere, Glyph::CrossOver, 0xff9a4a1c, 0xffffffff},
};

constexpr BuildColors darkBuilds[] = {
    {Phase::None, Glyph::Dash, 0xffa4adba, 0xff16191d},
    {Phase::Queued, Glyph::Clock, 0xffa4adba, 0xff16191d},
    {Phase::Running, Glyph::Play, 0xff74a9ff, 0xff0c1a30},
    {Phase::Stopping, Glyph::Stop, 0xffa4adba, 0xff16191d},
    {Phase::Built, Glyph::Check, 0xff57c27d, 0xff0b2014},
    {Phase::Stale, Glyph::Reload, 0xffe0a92e, 0xff281c00},
    {Phase::Failed, Glyph::Cross, 0xfff47b6d, 0xff2b0906},
    {Phase::Published, Glyph::Up, 0xffc08aea, 0xff22102f},
    {Phase::Elsewhere, Glyph::Team, 0xff4fc3d1, 0xff04252a},
    {Phase::FailedElsewhere, Glyph::CrossOver, 0xfff0a078, 0xff2b1206},
};
// clang-format on

} // namespace

Theme::Theme(const QPalette &palette)
    : base(palette.color(QPalette::Active, QPalette::Base))
    , text(palette.color(QPalette::Active, QPalette::Text))
    , m_dark(isDark(base))
{
    const QColor window = palette.color(QPalette::Active, QPalette::Window);
    quietText = legible(legible(mix(base, text, 0.6), base), window);
    line = mix(base, text, m_dark ? 0.18 : 0.13);
    hatch = mix(base, text, m_dark ? 0.10 : 0.07);
    barTrack = mix(base, text, m_dark ? 0.30 : 0.20);
    selection = legible(palette.color(QPalette::Active, QPalette::Highlight), base, 3);
    for (const RecipeColors &row : m_dark ? darkRecipes : lightRecipes) {
        RecipeStyle &style = m_recipes[size_t(row.state)];
        style = row.fill == none ? RecipeStyle{row.glyph, base, quietText, quietText, row.frame}
                                 : RecipeStyle{row.glyph, QColor::fromRgb(row.fill), QColor::fromRgb(row.text),
                                               QColor::fromRgb(row.accent), row.frame};
    }
    // A missing recipe is work to do, so it stands out more than a merely possible one.
    m_recipes[size_t(RecipeState::Missing)].text = text;
    for (const FitColors &row : m_dark ? darkFits : lightFits)
        m_fits[size_t(row.fit)] = {row.glyph, QColor::fromRgb(row.fill), QColor::fromRgb(row.text),
                                   QColor::fromRgb(row.accent), Frame::Solid};
    for (const BuildColors &row : m_dark ? darkBuilds : lightBuilds)
        m_builds[size_t(row.phase)] = {row.glyph, QColor::fromRgb(row.fill), QColor::fromRgb(row.text)};
    const auto severity = [this](Severity of, Glyph glyph, const QColor &color) {
        const QColor shown = legible(color, base);
        m_severities[size_t(of)] = {glyph, shown, mix(base, shown, m_dark ? 0.28 : 0.18)};
    };
    severity(Severity::Note, Glyph::Note, quietText);
    severity(Severity::Warning, Glyph::Warning, recipe(RecipeState::Modified).accent);
    severity(Severity::Error, Glyph::Error, recipe(RecipeState::Broken).accent);
    m_impossible = recipe(RecipeState::Broken);
    m_impossible.glyph = Glyph::Forbidden;
    const auto tinted = [this](Glyph glyph, const QColor &color, double share) {
        const QColor fill = QColor::fromRgb(mix(base, color, share).rgb()); // as it is on the screen
        return RecipeStyle{glyph, fill, legible(text, fill), legible(color, fill, 3), Frame::Solid};
    };
    const RecipeStyle quiet{Glyph::Dot, base, quietText, quietText, Frame::Solid};
    for (size_t phase = 0; phase < m_builds.size(); ++phase)
        m_phases[phase] = tinted(m_builds[phase].glyph, m_builds[phase].fill, m_dark ? 0.24 : 0.14);
    m_phases[size_t(Phase::None)] = quiet;
    // A failed build stands out from all that is only tinted.
    const BuildStyle &failed = build(Phase::Failed);
    m_phases[size_t(Phase::Failed)] = {failed.glyph, failed.fill, failed.text, failed.text, Frame::Solid};
    m_problems[size_t(Severity::Note)] = quiet;
    m_problems[size_t(Severity::Note)].glyph = Glyph::Check;
    for (const Severity of : {Severity::Warning, Severity::Error})
        m_problems[size_t(of)] = tinted(m_severities[size_t(of)].glyph, m_severities[size_t(of)].color, 0.16);
    constexpr std::array shares{0.34, 0.22, 0.13, 0.05}; // the newer, the stronger
    for (const Age age : allAges)
        m_ages[size_t(age)] = tinted(Glyph::Clock, build(Phase::Running).fill, shares[size_t(age)]);
}

const RecipeStyle &Theme::sign(const Sign &sign) const
{
    struct Style {
        const Theme &theme;
        const RecipeStyle &operator()(RecipeState state) const
        {
            return state == RecipeState::Unsupported ? theme.m_impossible : theme.recipe(state);
        }
        const RecipeStyle &operator()(Gap) const { return theme.recipe(RecipeState::Missing); }
        const RecipeStyle &operator()(Phase phase) const { return theme.m_phases[size_t(phase)]; }
        const RecipeStyle &operator()(Severity severity) const { return theme.m_problems[size_t(severity)]; }
        const RecipeStyle &operator()(Fit fit) const { return theme.m_fits[size_t(fit)]; }
        const RecipeStyle &operator()(Age age) const { return theme.m_ages[size_t(age)]; }
    };
    return std::visit(Style{*this}, sign);
}

const Theme &Theme::current(const QPalette &palette)
{
    // An active and an inactive window have one palette each. A deque keeps references valid.
    struct Known {
        qint64 key;
        Theme theme;
    };
    static std::deque<Known> known;
    for (const Known &one : known) {
        if (one.key == palette.cacheKey())
            return one.theme;
    }
    if (known.size() == 16)
        known.pop_back();
    known.push_front({palette.cacheKey(), Theme(palette)});
    return known.front().theme;
}

namespace {

QPixmap iconOf(Glyph glyph, const QColor &color)
{
    constexpr int side = 16;
    const double ratio = qGuiApp->devicePixelRatio();
    QPixmap pixmap(QSize(side, side) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    drawGlyph(painter, glyph, QRectF(1, 1, side - 2, side - 2), color);
    return pixmap;
}

} // namespace

QIcon signIcon(const Sign &sign, const QPalette &palette)
{
    const RecipeStyle &style = Theme::current(palette).sign(sign);
    QIcon icon(iconOf(style.glyph, sign == Sign(BuildState::Phase::Failed) ? style.fill : style.accent));
    icon.addPixmap(iconOf(style.glyph, palette.color(QPalette::HighlightedText)), QIcon::Selected);
    return icon;
}

} // namespace tmx
