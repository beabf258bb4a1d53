// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/MatrixPart.h"
#include "model/matrix/MatrixRoles.h"
#include "tests/support/TestMain.h"
#include "views/grid/CellDelegate.h"
#include "views/theme/Colors.h"
#include "views/theme/Theme.h"

#include <QApplication>
#include <QIcon>
#include <QPainter>
#include <QRandomGenerator>
#include <QStandardItemModel>
#include <QTest>

#include <set>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

QPalette paletteOf(const QColor &window, const QColor &base, const QColor &text, const QColor &highlight)
{
    QPalette palette(text, window, window.lighter(), window.darker(), window, text, base);
    palette.setColor(QPalette::Base, base);
    palette.setColor(QPalette::Highlight, highlight);
    return palette;
}

void addPalettes()
{
    QTest::addColumn<QPalette>("palette");
    QTest::newRow("light") << paletteOf(0xefefef, Qt::white, Qt::black, 0x308cc6);
    QTest::newRow("light, warm") << paletteOf(0xf3efe6, 0xfffdf7, 0x2b2620, 0xc0561a);
    QTest::newRow("dark") << paletteOf(0x2a2c30, 0x1f2023, 0xe6e8eb, 0x3d7dd8);
    QTest::newRow("black") << paletteOf(Qt::black, Qt::black, Qt::white, 0x5a5aff);
    QTest::newRow("high contrast, black") << paletteOf(Qt::black, Qt::black, Qt::white, 0x1aebff);
    QTest::newRow("high contrast, yellow on black") << paletteOf(Qt::black, Qt::black, Qt::yellow, Qt::green);
    QTest::newRow("high contrast, white") << paletteOf(Qt::white, Qt::white, Qt::black, 0x37006e);
}

/// One cell, painted alone.
QImage paint(const QPalette &palette, RecipeState state, const QHash<int, QVariant> &roles = {},
             QStyle::State extra = {}, int width = 100)
{
    QStandardItemModel model(1, 1);
    const QModelIndex cell = model.index(0, 0);
    model.setData(cell, u"word"_s);
    model.setData(cell, int(state), RecipeStateRole);
    model.setData(cell, state != RecipeState::Unsupported, PresentRole);
    for (const auto &[role, value] : roles.asKeyValueRange())
        model.setData(cell, value, role);
    QImage image(width, 44, QImage::Format_RGB32);
    image.fill(palette.color(QPalette::Base));
    QPainter painter(&image);
    QStyleOptionViewItem option;
    option.palette = palette;
    option.font = qApp->font();
    option.rect = image.rect();
    option.state = QStyle::State_Enabled | QStyle::State_Active | extra;
    CellDelegate().paint(&painter, option, cell);
    return image;
}

int pixelsOf(const QImage &image, const QColor &color)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y) == color;
    }
    return count;
}

constexpr std::array allPhases{BuildState::Phase::None,     BuildState::Phase::Queued,    BuildState::Phase::Running,
                               BuildState::Phase::Stopping, BuildState::Phase::Built,     BuildState::Phase::Stale,
                               BuildState::Phase::Failed,   BuildState::Phase::Published, BuildState::Phase::Elsewhere};

} // namespace

class GridPaintTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void contrastOfStates_data() { addPalettes(); }
    void contrastOfStates();
    void statesDifferWithoutColour();
    void fitsDifferWithoutColour();
    void problemsShowWithoutColour();
    void marksDifferWithoutColour();
    void manyMarksAreCounted();
    void fitTakesTheTile_data() { addPalettes(); }
    void fitTakesTheTile();
    void wordsAreWholeOrLeftOut();
    void aNarrowBadgeIsItsGlyph();
    void barIsAsLongAsTheBuildIsDone();
    void badgeOfEveryPhase();
    void selectionFocusAndDimming_data() { addPalettes(); }
    void selectionFocusAndDimming();
    void themeFollowsThePalette();
    void keptPicturesAreThoseOfTheCell();
    void pictureIsSharpAtEveryScale();
};

namespace {

QVariant partsOf(const QList<RecipeState> &states)
{
    QList<MatrixPart> parts;
    for (const RecipeState state : states)
        parts.append({.state = state, .present = state != RecipeState::Unsupported});
    return QVariant::fromValue(parts);
}

} // namespace

/// Four toolkits in a cell of 72 pixels: another state of one of them changes the picture, in grey as well.
void GridPaintTest::marksDifferWithoutColour()
{
    const QPalette palette = paletteOf(0xefefef, Qt::white, Qt::black, 0x308cc6);
    std::set<QByteArray> pictures;
    for (const RecipeState state : allRecipeStates) {
        QImage image =
            paint(palette, RecipeState::Current,
                  {{PartsRole, partsOf({RecipeState::Current, state, RecipeState::Current, RecipeState::Current})}}, {},
                  72)
                .convertToFormat(QImage::Format_Grayscale8);
        // What is darker than the tiles: the glyphs.
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x)
                image.scanLine(y)[x] = image.scanLine(y)[x] < 170 ? 0 : 255;
        }
        pictures.insert(QByteArray(reinterpret_cast<const char *>(image.constBits()), image.sizeInBytes()));
    }
    QCOMPARE(pictures.size(), allRecipeStates.size());
}

/// More marks than fit: each state's glyph and count, in the cell.
void GridPaintTest::manyMarksAreCounted()
{
    const QPalette palette = paletteOf(0xefefef, Qt::white, Qt::black, 0x308cc6);
    const auto picture = [&palette](int current, int missing) {
        return paint(palette, RecipeState::Current,
                     {{PartsRole, partsOf(QList<RecipeState>(current, RecipeState::Current) +
                                          QList<RecipeState>(missing, RecipeState::Missing))}},
                     {}, 72);
    };
    QVERIFY(picture(20, 4) != picture(19, 5));
    QVERIFY(picture(24, 0) != picture(20, 4));
    // Eight marks need two rows.
    QVERIFY(picture(8, 0) != picture(24, 0));
    QVERIFY(picture(7, 1) != picture(8, 0));
}

void GridPaintTest::contrastOfStates()
{
    QFETCH(const QPalette, palette);
    const Theme &theme = Theme::current(palette);
    const auto atLeast = [](const QColor &a, const QColor &b, double ratio, const QString &what) {
        const double found = contrast(a, b);
        if (found < ratio)
            qWarning("%s: %.2f, %s on %s", qPrintable(what), found, qPrintable(a.name()), qPrintable(b.name()));
    };
    for (const RecipeState state : allRecipeStates) {
        const RecipeStyle &style = theme.recipe(state);
        atLeast(style.text, style.fill, 4.5, toString(state));
        atLeast(style.accent, style.fill, 3, toString(state) + u" glyph"_s);
        atLeast(style.accent, palette.color(QPalette::Window), 3, toString(state) + u" icon"_s);
    }
    for (const Fit fit : allFits) {
        const RecipeStyle &style = theme.fit(fit);
        atLeast(style.text, style.fill, 4.5, u"fit %1"_s.arg(int(fit)));
        atLeast(style.accent, style.fill, 3, u"fit %1, glyph"_s.arg(int(fit)));
    }
    atLeast(theme.impossibleRecipe().text, theme.impossibleRecipe().fill, 4.5, u"impossible"_s);
    for (const BuildState::Phase phase : allPhases)
        atLeast(theme.build(phase).text, theme.build(phase).fill, 4.5, toString(phase));
    atLeast(theme.text, theme.base, 4.5, u"text"_s);
    atLeast(theme.quietText, theme.base, 4.5, u"quiet text"_s);
    atLeast(theme.quietText, palette.color(QPalette::Window), 4.5, u"quiet text on the window"_s);
    atLeast(theme.selection, theme.base, 3, u"selection"_s);
}

void GridPaintTest::statesDifferWithoutColour()
{
    // Each glyph as a stencil: all states have different ones.
    std::set<QByteArray> seen;
    for (const RecipeState state : allRecipeStates) {
        QImage image(16, 16, QImage::Format_Grayscale8);
        image.fill(Qt::white);
        QPainter painter(&image);
        drawGlyph(painter, Theme::current(QPalette()).recipe(state).glyph, QRectF(0, 0, 16, 16), Qt::black);
        painter.end();
        seen.insert(QByteArray(reinterpret_cast<const char *>(image.constBits()), image.sizeInBytes()));
    }
    QCOMPARE(seen.size(), allRecipeStates.size());
}

void GridPaintTest::fitsDifferWithoutColour()
{
    std::set<QByteArray> seen;
    for (const Fit fit : allFits) {
        QImage image(16, 16, QImage::Format_Grayscale8);
        image.fill(Qt::white);
        QPainter painter(&image);
        drawGlyph(painter, Theme::current(QPalette()).fit(fit).glyph, QRectF(0, 0, 16, 16), Qt::black);
        painter.end();
        seen.insert(QByteArray(reinterpret_cast<const char *>(image.constBits()), image.sizeInBytes()));
    }
    QCOMPARE(seen.size(), allFits.size());
}

/// A cell with problems looks different from one without, whatever else it shows, and the severities differ in shape.
void GridPaintTest::problemsShowWithoutColour()
{
    const QPalette palette = paletteOf(0xefefef, Qt::white, Qt::black, 0x308cc6);
    const auto gray = [](const QImage &image) { return image.convertToFormat(QImage::Format_Grayscale8); };
    const auto problems = [](Severity severity, int count) {
        return QHash<int, QVariant>{
            {ProblemSeverityRole, int(severity)}, {ProblemCountRole, count}, {ProblemWordRole, u"problems"_s}};
    };
    const QHash<int, QVariant> others[] = {
        {},
        {{BuildPhaseRole, int(BuildState::Phase::Built)}, {BuildWordRole, u"built"_s}},
        {{FitRole, int(Fit::Exact)}, {FitWordRole, u"exact"_s}}};
    for (const QHash<int, QVariant> &other : others) {
        QHash<int, QVariant> error = problems(Severity::Error, 2);
        QHash<int, QVariant> warning = problems(Severity::Warning, 2);
        error.insert(other);
        warning.insert(other);
        const QImage without = gray(paint(palette, RecipeState::Current, other));
        QVERIFY(gray(paint(palette, RecipeState::Current, error)) != without);
        QVERIFY(gray(paint(palette, RecipeState::Current, error)) !=
                gray(paint(palette, RecipeState::Current, warning)));
    }
    const Theme &theme = Theme::current(palette);
    for (const Severity severity : {Severity::Note, Severity::Warning, Severity::Error})
        QVERIFY(contrast(theme.severity(severity).color, theme.base) >= 4.5);
}

void GridPaintTest::fitTakesTheTile()
{
    QFETCH(const QPalette, palette);
    const Theme &theme = Theme::current(palette);
    const QImage plain = paint(palette, RecipeState::Current);
    std::set<QRgb> fills;
    for (const Fit fit : allFits) {
        const QHash<int, QVariant> roles{{FitRole, int(fit)}, {FitWordRole, u"word"_s}};
        const QImage image = paint(palette, RecipeState::Current, roles);
        QVERIFY(image != plain);
        QVERIFY(pixelsOf(image, theme.fit(fit).fill) > 800);
        fills.insert(theme.fit(fit).fill.rgb());
        // The recipe's state is still visible: another state is another picture, and a build has its badge.
        QVERIFY(paint(palette, RecipeState::Missing, roles) != image);
        QHash<int, QVariant> built = roles;
        built.insert(BuildPhaseRole, int(BuildState::Phase::Built));
        built.insert(BuildWordRole, u"built"_s);
        QVERIFY(pixelsOf(paint(palette, RecipeState::Current, built), theme.build(BuildState::Phase::Built).fill) > 60);
    }
    QCOMPARE(fills.size(), allFits.size());
    // What cannot exist stays what it is.
    QCOMPARE(paint(palette, RecipeState::Unsupported, {{FitRole, int(Fit::DoesNotRun)}}),
             paint(palette, RecipeState::Unsupported));
}

/// If a word does not fit, only the glyph is shown: the same picture for any word, another one for each state.
void GridPaintTest::wordsAreWholeOrLeftOut()
{
    const QPalette palette = paletteOf(0xefefef, Qt::white, Qt::black, 0x308cc6);
    const QHash<int, QVariant> one{{Qt::DisplayRole, u"equivalent"_s}}, other{{Qt::DisplayRole, u"customised"_s}};
    QVERIFY(paint(palette, RecipeState::Current, one) != paint(palette, RecipeState::Current, other));
    for (int width = 20; width < 60; width += 4) {
        QCOMPARE(paint(palette, RecipeState::Current, one, {}, width),
                 paint(palette, RecipeState::Current, other, {}, width));
        QVERIFY(paint(palette, RecipeState::Missing, one, {}, width) !=
                paint(palette, RecipeState::Current, one, {}, width));
    }
}

/// The same for a build's badge: in a narrow cell only its glyph, in its colour, for any word.
void GridPaintTest::aNarrowBadgeIsItsGlyph()
{
    const QPalette palette = paletteOf(0xefefef, Qt::white, Qt::black, 0x308cc6);
    const auto badge = [&](BuildState::Phase phase, const QString &word, int width) {
        return paint(palette, RecipeState::Current, {{BuildPhaseRole, int(phase)}, {BuildWordRole, word}}, {}, width);
    };
    QVERIFY(badge(BuildState::Phase::Failed, u"failed"_s, 160) != badge(BuildState::Phase::Failed, u"falied"_s, 160));
    for (int width = 32; width < 50; width += 4) {
        std::set<QByteArray> pictures; // gray: no state by its colour alone
        for (const BuildState::Phase phase : allPhases) {
            const QImage image = badge(phase, u"published"_s, width);
            QCOMPARE(image, badge(phase, u"elsewhere"_s, width));
            const QImage bits = image.convertToFormat(QImage::Format_Grayscale8);
            pictures.insert(QByteArray(reinterpret_cast<const char *>(bits.constBits()), bits.sizeInBytes()));
            if (phase != BuildState::Phase::None)
                QVERIFY2(pixelsOf(image, Theme::current(palette).build(phase).fill) > 30, qPrintable(toString(phase)));
        }
        QCOMPARE(pictures.size(), allPhases.size());
    }
}

void GridPaintTest::barIsAsLongAsTheBuildIsDone()
{
    const QPalette palette = paletteOf(0xefefef, Qt::white, Qt::black, 0x308cc6);
    const QColor bar = Theme::current(palette).build(BuildState::Phase::Running).fill;
    const auto length = [&](int step) {
        return pixelsOf(paint(palette, RecipeState::Current,
                              {{BuildPhaseRole, int(BuildState::Phase::Running)},
                               {BuildStepRole, step},
                               {BuildTotalRole, 100},
                               {BuildWordRole, u"x"_s}}),
                        bar);
    };
    const int whole = length(100);
    QVERIFY(whole > 100);
    QVERIFY(qAbs(length(40) - 0.4 * whole) < 0.12 * whole);
    QVERIFY(length(0) < 0.2 * whole);
    QCOMPARE(length(250), whole); // a nested project counts past the total: the bar ends where it ends
}

void GridPaintTest::badgeOfEveryPhase()
{
    const QPalette palette = paletteOf(0x2a2c30, 0x1f2023, 0xe6e8eb, 0x3d7dd8);
    const QImage none = paint(palette, RecipeState::Current, {{BuildPhaseRole, int(BuildState::Phase::None)}});
    for (const BuildState::Phase phase : allPhases) {
        const QImage image =
            paint(palette, RecipeState::Current, {{BuildPhaseRole, int(phase)}, {BuildWordRole, buildWord({phase})}});
        if (phase == BuildState::Phase::None)
            QCOMPARE(image, none);
        else
            QVERIFY2(pixelsOf(image, Theme::current(palette).build(phase).fill) > 60, qPrintable(toString(phase)));
    }
}

void GridPaintTest::selectionFocusAndDimming()
{
    QFETCH(const QPalette, palette);
    const Theme &theme = Theme::current(palette);
    for (const RecipeState state : allRecipeStates) {
        const QImage plain = paint(palette, state);
        const QImage selected = paint(palette, state, {}, QStyle::State_Selected);
        const QImage focused = paint(palette, state, {}, QStyle::State_Selected | QStyle::State_HasFocus);
        QVERIFY2(pixelsOf(selected, theme.selection) - pixelsOf(plain, theme.selection) > 200,
                 qPrintable(toString(state)));
        QVERIFY2(pixelsOf(focused, theme.text) - pixelsOf(selected, theme.text) > 200, qPrintable(toString(state)));
        QVERIFY2(paint(palette, state, {{DimmedRole, true}}) != plain, qPrintable(toString(state)));
    }
}

void GridPaintTest::themeFollowsThePalette()
{
    const QPalette light = paletteOf(0xefefef, Qt::white, Qt::black, 0x308cc6);
    const QPalette dark = paletteOf(0x2a2c30, 0x1f2023, 0xe6e8eb, 0x3d7dd8);
    QVERIFY(!Theme::current(light).dark());
    QVERIFY(Theme::current(dark).dark());
    QVERIFY(!Theme::current(light).dark()); // what is kept is kept apart
    QVERIFY(paint(light, RecipeState::Current) != paint(dark, RecipeState::Current));
    QVERIFY(stateIcon(RecipeState::Broken, light).pixmap(16).toImage() !=
            stateIcon(RecipeState::Broken, dark).pixmap(16).toImage());
    // A palette that is changed is another one.
    QPalette changed = light;
    changed.setColor(QPalette::Base, Qt::black);
    QVERIFY(Theme::current(changed).dark());
}

/// One delegate paints many cells, whose roles are from a small set, so that most pictures repeat. Each is what a
/// delegate of its own paints, also after a change of palette and font.
void GridPaintTest::keptPicturesAreThoseOfTheCell()
{
    QRandomGenerator random(20);
    const auto oneOf = [&random](const auto &values) { return values[random.bounded(qsizetype(std::size(values)))]; };
    const QList<QPalette> palettes{paletteOf(0xefefef, Qt::white, Qt::black, 0x308cc6),
                                   paletteOf(0x2a2c30, 0x1f2023, 0xe6e8eb, 0x3d7dd8)};
    const QStringList words{u"current"_s, u"missing"_s, u"3 differ"_s};
    const QStyle::State states[] = {{}, QStyle::State_Selected, QStyle::State_HasFocus, QStyle::State_MouseOver};
    CellDelegate delegate;
    std::set<QByteArray> pictures;
    for (int cell = 0; cell < 1200; ++cell) {
        QStandardItemModel model(1, 1);
        const QModelIndex index = model.index(0, 0);
        const auto set = [&](int role, const QVariant &value) { model.setData(index, value, role); };
        const RecipeState state = oneOf(allRecipeStates);
        set(RecipeStateRole, int(state));
        set(PresentRole, state != RecipeState::Unsupported || random.bounded(2));
        set(Qt::DisplayRole, oneOf(words));
        set(DimmedRole, random.bounded(4) == 0);
        if (random.bounded(3) == 0) {
            set(FitRole, int(oneOf(allFits)));
            set(FitWordRole, oneOf(words));
        }
        if (random.bounded(3) == 0) {
            set(ProblemCountRole, 1 + random.bounded(2));
            set(ProblemSeverityRole, int(random.bounded(2) ? Severity::Error : Severity::Warning));
            set(ProblemWordRole, oneOf(words));
        }
        if (random.bounded(2) == 0) {
            set(BuildPhaseRole, int(oneOf(allPhases)));
            set(BuildStepRole, random.bounded(3));
            set(BuildTotalRole, 2 * random.bounded(2));
            set(BuildWordRole, oneOf(words));
        }
        if (random.bounded(4) == 0) {
            QList<MatrixPart> parts(random.bounded(1, 4));
            for (MatrixPart &part : parts) {
                part = {.label = oneOf(words), .state = oneOf(allRecipeStates), .present = random.bounded(2) == 0};
                part.build = oneOf(allPhases);
                part.problems = random.bounded(2);
                part.gravest = random.bounded(2) ? Severity::Error : Severity::Warning;
                part.dimmed = random.bounded(2);
                if (random.bounded(2))
                    part.fit = oneOf(allFits);
            }
            set(PartsRole, QVariant::fromValue(parts));
        }
        QStyleOptionViewItem option;
        option.palette = palettes.at(cell / 300 % 2);
        option.font = qApp->font();
        option.font.setPointSizeF(cell < 600 ? 9 : 11);
        option.rect = QRect(random.bounded(50), random.bounded(50), 60 + 40 * random.bounded(3), 44);
        option.state = QStyle::State_Enabled | oneOf(states);
        const auto painted = [&option, &index](const CellDelegate &by) {
            QImage image(200, 100, QImage::Format_RGB32);
            image.fill(Qt::magenta);
            QPainter painter(&image);
            by.paint(&painter, option, index);
            return image;
        };
        const QImage image = painted(delegate);
        QCOMPARE(image, painted(CellDelegate()));
        const QImage inCell = image.copy(option.rect);
        pictures.insert(QByteArray(reinterpret_cast<const char *>(inCell.constBits()), inCell.sizeInBytes()));
    }
    QVERIFY2(pictures.size() > 300, qPrintable(QString::number(pictures.size())));
}

/// At twice the scale the picture has twice as many pixels; where its edges are between pixels, the cell is painted
/// itself. Both are sharp: the frame of a selected cell has its colour.
void GridPaintTest::pictureIsSharpAtEveryScale()
{
    const QPalette palette = paletteOf(0xefefef, Qt::white, Qt::black, 0x308cc6);
    const CellDelegate delegate;
    QStandardItemModel model(1, 1);
    model.setData(model.index(0, 0), int(RecipeState::Current), RecipeStateRole);
    model.setData(model.index(0, 0), true, PresentRole);
    model.setData(model.index(0, 0), u"current"_s);
    for (const double scale : {1.0, 1.25, 1.5, 2.0, 3.0}) {
        QImage image(QSize(150, 60) * scale, QImage::Format_RGB32);
        image.setDevicePixelRatio(scale);
        image.fill(Qt::white);
        QPainter painter(&image);
        QStyleOptionViewItem option;
        option.palette = palette;
        option.font = qApp->font();
        option.rect = QRect(3, 5, 101, 43);
        option.state = QStyle::State_Enabled | QStyle::State_Selected;
        delegate.paint(&painter, option, model.index(0, 0));
        painter.end();
        // The ring's two long sides, two pixels high each.
        const int ring = pixelsOf(image, Theme::current(palette).selection);
        QVERIFY2(ring > 2 * 60 * scale * scale, qPrintable(u"%1 pixels at %2"_s.arg(ring).arg(scale)));
        QVERIFY(pixelsOf(image, Qt::white) > 0);
    }
}

TM_TEST(GridPaintTest, QApplication)
#include "tst_gridpaint.moc"
