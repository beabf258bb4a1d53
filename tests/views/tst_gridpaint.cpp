// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/MatrixPart.h"
#include "model/matrix/MatrixRoles.h"
#include "tests/support/TestMain.h"
#include "views/compare/ComparisonStyle.h"
#include "views/grid/CellDelegate.h"
#include "views/theme/Colors.h"
#include "views/theme/Theme.h"

#include <QApplication>
#include <QIcon>
#include <QPainter>
#include <QRandomGenerator>
#include <QStandardItemModel>
#include <QTest>

#include <map>
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
QImage paint(const QPalette &palette, const QList<MatrixPart> &parts, QStyle::State extra = {}, int width = 100,
             bool dimmed = false)
{
    QStandardItemModel model(1, 1);
    const QModelIndex cell = model.index(0, 0);
    model.setData(cell, QVariant::fromValue(parts), PartsRole);
    model.setData(cell, dimmed, DimmedRole);
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

QImage paint(const QPalette &palette, const LensFace &face, QStyle::State extra = {}, int width = 100,
             bool dimmed = false)
{
    const bool possible = face.sign != Sign(RecipeState::Unsupported);
    return paint(palette, {{.state = possible ? RecipeState::Current : RecipeState::Unsupported, .face = face}}, extra,
                 width, dimmed);
}

LensFace faceIn(const Sign &sign, const QString &word = u"word"_s, const QStringList &details = {})
{
    return {.sign = sign, .word = word, .details = details};
}

const std::vector<Sign> &allSigns()
{
    static const std::vector<Sign> all = [] {
        std::vector<Sign> signs = filterSigns();
        signs.insert(signs.end(), {BuildState::Phase::None, Severity::Note});
        signs.insert(signs.end(), allAges.begin(), allAges.end());
        return signs;
    }();
    return all;
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

} // namespace

class GridPaintTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void contrastOfStates_data() { addPalettes(); }
    void contrastOfStates();
    void statesDifferWithoutColour();
    void marksShowInEveryLens();
    void marksDifferWithoutColour();
    void manyMarksAreCounted();
    void signTakesTheTile_data() { addPalettes(); }
    void signTakesTheTile();
    void textsAreWholeOrLeftOut();
    void barIsAsLongAsTheBuildIsDone();
    void selectionFocusAndDimming_data() { addPalettes(); }
    void selectionFocusAndDimming();
    void themeFollowsThePalette();
    void keptPicturesAreThoseOfTheCell();
    void pictureIsSharpAtEveryScale();
};

namespace {

QList<MatrixPart> partsOf(const QList<RecipeState> &states)
{
    QList<MatrixPart> parts;
    for (const RecipeState state : states)
        parts.append({.state = state, .present = state != RecipeState::Unsupported, .face = {.sign = state}});
    return parts;
}

} // namespace

/// Four toolkits in a cell of 72 pixels: another state of one of them changes the picture, in grey as well.
void GridPaintTest::marksDifferWithoutColour()
{
    const QPalette palette = paletteOf(0xefefef, Qt::white, Qt::black, 0x308cc6);
    std::set<QByteArray> pictures;
    for (const RecipeState state : allRecipeStates) {
        QImage image =
            paint(palette, partsOf({RecipeState::Current, state, RecipeState::Current, RecipeState::Current}), {}, 72)
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
        return paint(palette,
                     partsOf(QList<RecipeState>(current, RecipeState::Current) +
                             QList<RecipeState>(missing, RecipeState::Missing)),
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
    for (const Sign &sign : allSigns()) {
        const RecipeStyle &style = theme.sign(sign);
        const QString what = signWord(sign) + u' ' + QString::number(sign.index());
        atLeast(style.text, style.fill, 4.5, what);
        atLeast(style.accent, style.fill, 3, what + u" glyph"_s);
        if (sign != Sign(BuildState::Phase::Failed)) // Its icon has the colour of the tile.
            atLeast(style.accent, palette.color(QPalette::Window), 3, what + u" icon"_s);
    }
    // In a comparison the sign may be all that a cell has.
    for (const Likeness likeness : {Likeness::Identical, Likeness::Equal, Likeness::SameBuild, Likeness::Alike,
                                    Likeness::Different, Likeness::Alone}) {
        const RecipeStyle style = likenessStyle(likeness, theme);
        const QString what = u"likeness "_s + QString::number(int(likeness));
        atLeast(style.text, style.fill, 4.5, what);
        atLeast(style.accent, style.fill, 4.5, what + u" glyph"_s);
        atLeast(style.accent, theme.base, 4.5, what + u" glyph without a tint"_s);
    }
    atLeast(theme.text, theme.base, 4.5, u"text"_s);
    atLeast(theme.quietText, theme.base, 4.5, u"quiet text"_s);
    atLeast(theme.quietText, palette.color(QPalette::Window), 4.5, u"quiet text on the window"_s);
    atLeast(theme.selection, theme.base, 3, u"selection"_s);
}

/// Each glyph as a stencil: the signs that are shown together have different ones.
void GridPaintTest::statesDifferWithoutColour()
{
    std::map<size_t, std::set<QByteArray>> seen;
    std::map<size_t, size_t> signs;
    for (const Sign &sign : filterSigns()) {
        if (std::holds_alternative<Gap>(sign))
            continue; // a missing recipe's
        QImage image(16, 16, QImage::Format_Grayscale8);
        image.fill(Qt::white);
        QPainter painter(&image);
        drawGlyph(painter, Theme::current(QPalette()).sign(sign).glyph, QRectF(0, 0, 16, 16), Qt::black);
        painter.end();
        seen[sign.index()].insert(QByteArray(reinterpret_cast<const char *>(image.constBits()), image.sizeInBytes()));
        ++signs[sign.index()];
    }
    for (const auto &[axis, count] : signs)
        QCOMPARE(seen[axis].size(), count);
    // A recipe that is as it should be is not one that was built, and marks of the one stand beside the sign of the
    // other.
    for (const QByteArray &recipe : seen[Sign(RecipeState::Current).index()])
        QVERIFY(!seen[Sign(BuildState::Phase::Built).index()].contains(recipe));
    // Marks of the recipe and its build stand beside a machine's sign.
    for (const QByteArray &fit : seen[Sign(Fit::Exact).index()]) {
        QVERIFY(!seen[Sign(RecipeState::Broken).index()].contains(fit));
        QVERIFY(!seen[Sign(BuildState::Phase::Failed).index()].contains(fit));
    }
}

/// A cell with a mark looks different from one without and from one with another, in grey as well.
void GridPaintTest::marksShowInEveryLens()
{
    const QPalette palette = paletteOf(0xefefef, Qt::white, Qt::black, 0x308cc6);
    for (const Sign &filled : std::initializer_list<Sign>{RecipeState::Current, BuildState::Phase::Built, Fit::Exact,
                                                          BuildState::Phase::Failed, Age::Day}) {
        std::set<QByteArray> pictures;
        const std::initializer_list<QList<Sign>> marks{{},
                                                       {Severity::Error},
                                                       {Severity::Warning},
                                                       {RecipeState::Missing},
                                                       {RecipeState::Missing, Severity::Error}};
        for (const int width : {40, 100, 300}) {
            for (const QList<Sign> &one : marks) {
                const QImage image = paint(palette, {.sign = filled, .word = u"word"_s, .marks = one}, {}, width)
                                         .convertToFormat(QImage::Format_Grayscale8);
                pictures.insert(QByteArray(reinterpret_cast<const char *>(image.constBits()), image.sizeInBytes()));
            }
        }
        QCOMPARE(pictures.size(), 3 * marks.size());
    }
}

void GridPaintTest::signTakesTheTile()
{
    QFETCH(const QPalette, palette);
    const Theme &theme = Theme::current(palette);
    for (const Sign &sign : allSigns()) {
        if (sign == Sign(RecipeState::Unsupported))
            continue;
        QVERIFY2(pixelsOf(paint(palette, faceIn(sign)), theme.sign(sign).fill) > 800, qPrintable(signWord(sign)));
    }
    // A failed build stands out of everything else.
    for (const Sign &sign : allSigns()) {
        if (sign != Sign(BuildState::Phase::Failed))
            QVERIFY2(contrast(theme.sign(BuildState::Phase::Failed).fill, theme.sign(sign).fill) > 2,
                     qPrintable(signWord(sign)));
    }
    // What cannot exist stays what it is.
    QCOMPARE(paint(palette, faceIn(RecipeState::Unsupported, u"word"_s)),
             paint(palette, faceIn(RecipeState::Unsupported, u"other"_s)));
}

/// If a word does not fit, only the glyph is shown: the same picture for any word, another one for each state. Of the
/// details the longest that fits is shown, instead of the word if there is none.
void GridPaintTest::textsAreWholeOrLeftOut()
{
    const QPalette palette = paletteOf(0xefefef, Qt::white, Qt::black, 0x308cc6);
    const LensFace one = faceIn(RecipeState::Current, u"equivalent"_s),
                   other = faceIn(RecipeState::Current, u"customised"_s),
                   missing = faceIn(RecipeState::Missing, u"equivalent"_s);
    QVERIFY(paint(palette, one) != paint(palette, other));
    for (int width = 20; width < 60; width += 4) {
        QCOMPARE(paint(palette, one, {}, width), paint(palette, other, {}, width));
        QVERIFY(paint(palette, missing, {}, width) != paint(palette, one, {}, width));
    }
    const QString hostile = u"<img src=x> \u202e&amp; "_s.repeated(200);
    const QStringList details{hostile, u"2:41:07, 3 days ago"_s, u"3 d"_s};
    for (const QString &word : {QString(), u"built"_s}) {
        const auto shows = [&](const QString &detail, int width) {
            return paint(palette, faceIn(BuildState::Phase::Built, word, details), {}, width) ==
                   paint(palette, faceIn(BuildState::Phase::Built, word, {detail}), {}, width);
        };
        QVERIFY(shows(details.at(1), 300));
        QVERIFY(shows(details.at(2), 60));
        QCOMPARE(paint(palette, faceIn(BuildState::Phase::Built, word, details), {}, 20),
                 paint(palette, faceIn(BuildState::Phase::Built, word), {}, 20));
    }
}

void GridPaintTest::barIsAsLongAsTheBuildIsDone()
{
    const QPalette palette = paletteOf(0xefefef, Qt::white, Qt::black, 0x308cc6);
    const QColor bar = Theme::current(palette).build(BuildState::Phase::Running).fill;
    const auto length = [&](int percent) {
        return pixelsOf(paint(palette, {.sign = RecipeState::Current, .percent = percent}), bar);
    };
    const int whole = length(100);
    QVERIFY(whole > 100);
    QVERIFY(qAbs(length(40) - 0.4 * whole) < 0.12 * whole);
    QVERIFY(length(0) < 0.2 * whole);
}

void GridPaintTest::selectionFocusAndDimming()
{
    QFETCH(const QPalette, palette);
    const Theme &theme = Theme::current(palette);
    for (const RecipeState state : allRecipeStates) {
        const LensFace face = faceIn(state);
        const QImage plain = paint(palette, face);
        const QImage selected = paint(palette, face, QStyle::State_Selected);
        const QImage focused = paint(palette, face, QStyle::State_Selected | QStyle::State_HasFocus);
        QVERIFY2(pixelsOf(selected, theme.selection) - pixelsOf(plain, theme.selection) > 200,
                 qPrintable(toString(state)));
        QVERIFY2(pixelsOf(focused, theme.text) - pixelsOf(selected, theme.text) > 200, qPrintable(toString(state)));
        QVERIFY2(paint(palette, face, {}, 100, true) != plain, qPrintable(toString(state)));
    }
}

void GridPaintTest::themeFollowsThePalette()
{
    const QPalette light = paletteOf(0xefefef, Qt::white, Qt::black, 0x308cc6);
    const QPalette dark = paletteOf(0x2a2c30, 0x1f2023, 0xe6e8eb, 0x3d7dd8);
    QVERIFY(!Theme::current(light).dark());
    QVERIFY(Theme::current(dark).dark());
    QVERIFY(!Theme::current(light).dark()); // what is kept is kept apart
    QVERIFY(paint(light, faceIn(RecipeState::Current)) != paint(dark, faceIn(RecipeState::Current)));
    QVERIFY(signIcon(RecipeState::Broken, light).pixmap(16).toImage() !=
            signIcon(RecipeState::Broken, dark).pixmap(16).toImage());
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
        set(DimmedRole, random.bounded(4) == 0);
        QList<MatrixPart> parts(random.bounded(4) == 0 ? random.bounded(1, 4) : 1);
        for (MatrixPart &part : parts) {
            part = {.label = oneOf(words), .state = oneOf(allRecipeStates), .present = random.bounded(2) == 0};
            part.face = {.sign = oneOf(allSigns()), .word = oneOf(words)};
            if (random.bounded(2))
                part.face.details = {oneOf(words)};
            if (random.bounded(2))
                part.face.marks = {oneOf(allSigns())};
            if (random.bounded(4) == 0)
                part.face.percent = random.bounded(2) * 50;
            part.dimmed = random.bounded(2);
        }
        set(PartsRole, QVariant::fromValue(parts));
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
    model.setData(model.index(0, 0), QVariant::fromValue(partsOf({RecipeState::Current})), PartsRole);
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
