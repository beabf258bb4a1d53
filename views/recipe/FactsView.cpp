// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/recipe/FactsView.h"

#include "views/recipe/RecipePaneContent.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/CodeFont.h"
#include "views/widgets/CopyButton.h"
#include "views/widgets/Label.h"

#include <QGridLayout>

using namespace Qt::StringLiterals;

namespace tmx {

FactsView::FactsView(QWidget *parent)
    : ScrollPage(parent)
    , m_page(new QWidget)
    , m_grid(new QGridLayout(m_page))
    , m_useCase(new Label({}, Label::Wrapped | Label::Selectable))
{
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Facts of the variant"));
    m_grid->setContentsMargins(12, 12, 12, 16);
    m_grid->setHorizontalSpacing(14);
    m_grid->setVerticalSpacing(7);
    m_grid->setColumnStretch(1, 1);
    m_grid->addWidget(m_useCase, 0, 0, 1, 3);

    addHeading(tr("Package"));
    addRow(tr("Name"), [](const RecipePaneContent &c) { return c.name; }, Font::Fixed, tr("Copy the package's name"));
    addRow(
        tr("Build"), [](const RecipePaneContent &c) { return c.facts.buildCommand; }, Font::Fixed,
        tr("Copy the flox command"));
    addRow(tr("File"), [](const RecipePaneContent &c) { return c.file; }, Font::Fixed);

    addHeading(tr("Runs on"));
    addRow(tr("Hardware"), [](const RecipePaneContent &c) { return c.hardware; });
    addRow(tr("GPU"), [](const RecipePaneContent &c) { return c.facts.gpu; });
    addRow(tr("Products"), [](const RecipePaneContent &c) { return c.facts.products.join(u", "_s); });
    addRow(tr("Driver"), [](const RecipePaneContent &c) { return c.facts.driver; });
    addRow(tr("CPU"), [](const RecipePaneContent &c) { return c.facts.cpu; });
    addRow(tr("Processors"), [](const RecipePaneContent &c) { return c.facts.cpuHardware; });
    addRow(tr("Platform"), [](const RecipePaneContent &c) { return c.facts.platform; });

    addHeading(tr("Built with"));
    addRow(tr("Version"), [](const RecipePaneContent &c) { return c.facts.frameworkVersion; });
    addRow(tr("CUDA"), [](const RecipePaneContent &c) { return c.facts.cuda; });
    addRow(tr("Python"), [](const RecipePaneContent &c) { return c.facts.pythonVersion; });
    addRow(tr("CPU flags"), [](const RecipePaneContent &c) { return c.facts.flags.join(u'\n'); }, Font::Fixed);
    m_statedLine = m_grid->rowCount();
    m_grid->setRowStretch(m_statedLine + 1, 1);
    setWidget(m_page);
}

void FactsView::addHeading(const QString &text)
{
    auto *heading = new Label(text, Label::Bold);
    heading->setContentsMargins(0, 10, 0, 0);
    m_grid->addWidget(heading, m_grid->rowCount(), 0, 1, 3);
}

void FactsView::addRow(const QString &caption, Getter get, Font font, const QString &copyName)
{
    Row row{new Label(caption, Label::Quiet), new Label({}, Label::Wrapped | Label::Selectable), nullptr,
            std::move(get)};
    row.caption->setBuddy(row.value);
    row.value->setAccessibleDescription(caption);
    if (font == Font::Fixed)
        useCodeFont(row.value);
    const int line = m_grid->rowCount();
    int drop = 0;
    if (!copyName.isEmpty()) {
        row.copy = new CopyButton(tr("Copy"), copyName);
        m_grid->addWidget(row.copy, line, 2, Qt::AlignTop | Qt::AlignRight);
        drop = std::max(0, (row.copy->sizeHint().height() - row.caption->sizeHint().height()) / 2);
    }
    // Align the first line of a value with its caption and its button's text.
    const int ascents = row.caption->fontMetrics().ascent() - row.value->fontMetrics().ascent();
    row.caption->setContentsMargins(0, drop + std::max(0, -ascents), 0, 0);
    row.value->setContentsMargins(0, drop + std::max(0, ascents), 0, 0);
    m_grid->addWidget(row.caption, line, 0, Qt::AlignTop);
    m_grid->addWidget(row.value, line, 1, 1, row.copy ? 1 : 2);
    row.value->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_rows.append(row);
}

void FactsView::showStated(const RecipePaneContent &content)
{
    delete m_stated;
    m_stated = new QWidget;
    auto *grid = new QGridLayout(m_stated);
    grid->setContentsMargins(0, 10, 0, 0);
    grid->setHorizontalSpacing(14);
    grid->setVerticalSpacing(7);
    grid->setColumnStretch(1, 1);
    if (!content.stated.isEmpty())
        grid->addWidget(new Label(tr("Read in the recipe"), Label::Bold), 0, 0, 1, 3);
    for (const Fact &fact : content.stated) {
        const int line = grid->rowCount();
        grid->addWidget(new Label(fact.label, Label::Quiet), line, 0, Qt::AlignTop);
        auto *value = new Label(fact.known ? fact.value : tr("%1 (not understood)").arg(fact.value),
                                Label::Wrapped | Label::Selectable);
        grid->addWidget(value, line, 1, Qt::AlignTop);
        if (fact.line == 0)
            continue;
        const QString place =
            fact.file.isEmpty() ? tr("line %1").arg(fact.line) : u"%1:%2"_s.arg(shownPath(fact.file)).arg(fact.line);
        auto *button = makeTool(place, tr("Show %1").arg(place), tr("Show where it is written"));
        connect(button, &QToolButton::clicked, this,
                [this, file = fact.file, line = fact.line] { Q_EMIT placeRequested(file, line); });
        grid->addWidget(button, line, 2, Qt::AlignTop | Qt::AlignRight);
    }
    m_grid->addWidget(m_stated, m_statedLine, 0, 1, 3);
}

void FactsView::setContent(const RecipePaneContent &content)
{
    showStated(content);
    m_useCase->setText(content.facts.useCase);
    m_useCase->setVisible(!content.facts.useCase.isEmpty());
    for (const Row &row : std::as_const(m_rows)) {
        const QString value = row.get(content);
        row.value->setText(value);
        row.caption->setVisible(!value.isEmpty());
        row.value->setVisible(!value.isEmpty());
        if (row.copy) {
            row.copy->setContent(value);
            row.copy->setVisible(!value.isEmpty());
        }
    }
}

} // namespace tmx
