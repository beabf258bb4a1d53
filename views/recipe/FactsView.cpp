// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/recipe/FactsView.h"

#include "views/RecipePaneContent.h"
#include "views/recipe/CopyButton.h"
#include "views/recipe/Labels.h"

#include <QEvent>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHBoxLayout>

using namespace Qt::StringLiterals;

namespace tmx {

FactsView::FactsView(QWidget *parent)
    : QScrollArea(parent)
    , m_page(new QWidget)
    , m_form(new QFormLayout(m_page))
    , m_useCase(new QLabel)
{
    setWidgetResizable(true);
    setFrameShape(NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Facts of the variant"));
    m_form->setContentsMargins(12, 12, 12, 16);
    m_form->setHorizontalSpacing(16);
    m_form->setVerticalSpacing(7);
    m_form->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->setRowWrapPolicy(QFormLayout::DontWrapRows);
    m_useCase->setWordWrap(true);
    m_useCase->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_form->addRow(m_useCase);

    addHeading(tr("Package"));
    addRow(tr("Name"), [](const RecipePaneContent &c) { return c.name; }, Font::Fixed, tr("Copy the package's name"));
    addRow(tr("Build"), [](const RecipePaneContent &c) { return c.facts.buildCommand; }, Font::Fixed, tr("Copy the flox command"));
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
    addRow(tr("CPU flags"), [](const RecipePaneContent &c) { return c.facts.flags.join(u' '); }, Font::Fixed);
    setWidget(m_page);
    mute();
}

void FactsView::addHeading(const QString &text)
{
    auto *heading = new QLabel(text);
    QFont font = heading->font();
    font.setBold(true);
    heading->setFont(font);
    heading->setContentsMargins(0, 10, 0, 0);
    m_form->addRow(heading);
}

void FactsView::addRow(const QString &caption, Getter get, Font font, const QString &copyName)
{
    Row row{new QLabel(caption), new QLabel, nullptr, nullptr, std::move(get)};
    row.field = row.value;
    row.caption->setBuddy(row.value);
    row.value->setWordWrap(true);
    row.value->setTextFormat(Qt::PlainText);
    row.value->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    row.value->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    row.value->setAccessibleDescription(caption);
    if (font == Font::Fixed)
        row.value->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    if (!copyName.isEmpty()) {
        row.copy = new CopyButton(tr("Copy"), copyName);
        row.field = new QWidget;
        auto *line = new QHBoxLayout(row.field);
        line->setContentsMargins({});
        line->addWidget(row.value, 1);
        line->addWidget(row.copy, 0, Qt::AlignTop);
    }
    m_form->addRow(row.caption, row.field);
    m_rows.append(row);
}

void FactsView::setContent(const RecipePaneContent &content)
{
    m_useCase->setText(content.facts.useCase);
    m_form->setRowVisible(m_useCase, !content.facts.useCase.isEmpty());
    for (const Row &row : std::as_const(m_rows)) {
        const QString value = row.get(content);
        row.value->setText(value);
        if (row.copy)
            row.copy->setContent(value);
        m_form->setRowVisible(row.field, !value.isEmpty());
    }
}

void FactsView::changeEvent(QEvent *event)
{
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_form)
        mute();
}

void FactsView::mute()
{
    for (const Row &row : std::as_const(m_rows))
        setMuted(row.caption, palette());
}

} // namespace tmx
