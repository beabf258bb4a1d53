// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/help/StatesAndKeys.h"

#include "model/matrix/StateWords.h"
#include "views/theme/Theme.h"
#include "views/widgets/Label.h"
#include "views/widgets/Views.h"

#include <QDialogButtonBox>
#include <QEvent>
#include <QGridLayout>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <functional>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// A glyph on a tile like a cell's; its colours follow the palette.
class Sample : public QWidget
{
public:
    using Style = std::function<RecipeStyle(const Theme &)>;
    explicit Sample(Style style)
        : m_style(std::move(style))
    {
        const int side = fontMetrics().height() + 8;
        setFixedSize(side + 8, side);
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        const RecipeStyle style = m_style(Theme::current(palette()));
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        QColor frame = style.accent;
        frame.setAlphaF(0.5F);
        painter.setPen(style.frame == RecipeStyle::Frame::None ? QPen(Qt::NoPen) : QPen(frame, 1));
        painter.setBrush(style.fill);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        const double side = fontMetrics().ascent();
        drawGlyph(painter, style.glyph,
                  QRectF(QRectF(rect()).center() - QPointF(side / 2, side / 2), QSizeF(side, side)), style.accent);
    }

private:
    Style m_style;
};

void addHeading(QGridLayout *grid, const QString &text)
{
    const int row = grid->rowCount();
    if (row > 1)
        grid->setRowMinimumHeight(row, 12);
    grid->addWidget(new Label(text, Label::Bold), row + 1, 0, 1, 3);
}

void addState(QGridLayout *grid, Sample::Style style, const QString &word, const QString &meaning)
{
    const int row = grid->rowCount();
    grid->addWidget(new Sample(std::move(style)), row, 0, Qt::AlignTop);
    grid->addWidget(new Label(word, Label::Bold), row, 1, Qt::AlignTop);
    grid->addWidget(new Label(meaning, Label::Wrapped), row, 2, Qt::AlignTop);
}

QWidget *scrolled(QGridLayout *grid, const QString &name)
{
    auto *content = new QWidget;
    auto *column = new QVBoxLayout(content);
    column->addLayout(grid);
    column->addStretch(1);
    auto *area = new QScrollArea;
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setAccessibleName(name);
    return area;
}

QWidget *legend()
{
    auto *grid = new QGridLayout;
    grid->setColumnStretch(2, 1);
    grid->setHorizontalSpacing(12);
    const QStringList headings{StatesAndKeys::tr("Recipe"),
                               {},
                               StatesAndKeys::tr("Build"),
                               StatesAndKeys::tr("Problems"),
                               StatesAndKeys::tr("On a machine")};
    size_t last = headings.size();
    for (const Sign &sign : filterSigns()) {
        if (sign.index() != std::exchange(last, sign.index()) && !std::holds_alternative<Gap>(sign) &&
            sign != Sign(RecipeState::NotCovered))
            addHeading(grid, headings.at(qsizetype(sign.index())));
        // The legend shows the quiet style of what cannot exist; the other one is a warning.
        const bool impossible = sign == Sign(RecipeState::Unsupported);
        addState(
            grid,
            [=](const Theme &theme) { return impossible ? theme.recipe(RecipeState::Unsupported) : theme.sign(sign); },
            signWord(sign), signMeaning(sign));
    }
    return scrolled(grid, StatesAndKeys::tr("States"));
}

QWidget *keyList(const QList<KeyHelp> &keys)
{
    auto *grid = new QGridLayout;
    grid->setColumnStretch(1, 1);
    grid->setHorizontalSpacing(16);
    const auto add = [grid](const KeyHelp &help) {
        const int row = grid->rowCount();
        grid->addWidget(new Label(help.keys, Label::Bold), row, 0, Qt::AlignTop);
        grid->addWidget(new Label(help.what, Label::Wrapped), row, 1, Qt::AlignTop);
    };
    grid->addWidget(new Label(StatesAndKeys::tr("In the grid"), Label::Bold), grid->rowCount(), 0, 1, 2);
    const auto text = [](const QKeyCombination &key) { return QKeySequence(key).toString(QKeySequence::NativeText); };
    for (const KeyHelp &help :
         {KeyHelp{StatesAndKeys::tr("Arrows, Home, End"), StatesAndKeys::tr("Move; with Shift, select")},
          KeyHelp{StatesAndKeys::tr("Letters"), StatesAndKeys::tr("Jump to a row: sm9, hopper")},
          KeyHelp{text(Qt::Key_G), StatesAndKeys::tr("Generate the selected recipes")},
          KeyHelp{text(Qt::Key_C), StatesAndKeys::tr("Commit the selected recipes")},
          KeyHelp{text(Qt::Key_B), StatesAndKeys::tr("Build the selected recipes")},
          KeyHelp{text(Qt::Key_Return), StatesAndKeys::tr("Open the recipe")},
          KeyHelp{QKeySequence(QKeySequence::Copy).toString(QKeySequence::NativeText),
                  StatesAndKeys::tr("Copy the package names")},
          KeyHelp{text(Qt::Key_Menu) + u", "_s + text(Qt::SHIFT | Qt::Key_F10),
                  StatesAndKeys::tr("Open the menu of the cell")}})
        add(help);
    const int gap = grid->rowCount();
    grid->setRowMinimumHeight(gap, 12);
    grid->addWidget(new Label(StatesAndKeys::tr("In the window"), Label::Bold), gap + 1, 0, 1, 2);
    for (const KeyHelp &help : keys)
        add(help);
    return scrolled(grid, StatesAndKeys::tr("Keys"));
}

void collect(const QMenu *menu, const QString &path, QList<KeyHelp> &keys)
{
    static const QRegularExpression mnemonic(u"&(.)"_s);
    for (const QAction *action : menu->actions()) {
        QString text = action->text().replace(mnemonic, u"\\1"_s);
        if (text.endsWith(u'\u2026'))
            text.chop(1);
        if (action->menu())
            collect(action->menu(), path, keys);
        else if (!action->shortcut().isEmpty())
            keys.append({action->shortcut().toString(QKeySequence::NativeText),
                         StatesAndKeys::tr("%1: %2", "menu, action").arg(path, text)});
    }
}

} // namespace

QList<KeyHelp> keysOf(const QMenuBar *menus)
{
    QList<KeyHelp> keys;
    for (const QAction *action : menus->actions()) {
        if (action->menu())
            collect(action->menu(), action->text().remove(u'&'), keys);
    }
    return keys;
}

StatesAndKeys::StatesAndKeys(const QList<KeyHelp> &keys, QWidget *parent)
    : QDialog(parent)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("States and keys"));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(makeSplitter(Qt::Horizontal, legend(), keyList(keys), {520, 400}), 1);
    layout->addWidget(buttons);
    resizeWithin(this, {960, 640});
}

} // namespace tmx
