// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/recipe/RecipePage.h"

#include "views/recipe/CodeView.h"
#include "views/recipe/RecipePaneContent.h"
#include "views/recipe/SearchBar.h"
#include "views/widgets/CopyButton.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QStackedWidget>
#include <QVBoxLayout>

namespace tmx {

RecipePage::RecipePage(QWidget *parent)
    : QWidget(parent)
    , m_file(new ElidedLabel(Label::Quiet, tr("File of the recipe")))
    , m_find(new QPushButton(tr("Find")))
    , m_copy(new CopyButton(tr("Copy recipe"), tr("Copy the recipe")))
    , m_banner(new Banner)
    , m_stack(new QStackedWidget)
    , m_nothing(new Label(tr("There is no recipe to show."), Label::Placeholder))
    , m_code(new CodeView)
    , m_search(new SearchBar(m_code))
{
    m_code->setAccessibleName(tr("Text of the recipe"));
    describe(m_find, tr("Find in the recipe"), tr("Find in the recipe (Ctrl+F)"));
    connect(m_find, &QPushButton::clicked, m_search, &SearchBar::open);

    auto *tools = new QHBoxLayout;
    tools->setContentsMargins(12, 8, 8, 8);
    tools->setSpacing(6);
    tools->addWidget(m_file, 1);
    tools->addWidget(m_find);
    tools->addWidget(m_copy);

    m_stack->addWidget(m_code);
    m_stack->addWidget(m_nothing);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addLayout(tools);
    layout->addWidget(m_banner);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_search);
    setFocusProxy(m_code);
}

void RecipePage::setContent(const RecipePaneContent &content)
{
    m_file->setFullText(content.file);
    m_copy->setContent(QString::fromUtf8(content.text));
    m_banner->setText(content.canGenerate ? tr("This recipe does not exist yet. Generate writes this text.")
                                          : tr("This recipe does not exist yet. This is its text with the last "
                                               "known settings; it cannot be generated now."));
    m_banner->setVisible(!content.exists && !content.text.isEmpty());
    m_nothing->setText(content.exists && !content.findings.isEmpty()
                           ? tr("This file cannot be shown. %1").arg(content.findings.constFirst().sentence)
                           : tr("There is no recipe to show."));
    m_find->setEnabled(!content.text.isEmpty());
    m_code->setCode(content.text);
    m_code->setFindings(content.exists ? content.findings : QList<Finding>());
    m_stack->setCurrentWidget(content.text.isEmpty() ? static_cast<QWidget *>(m_nothing) : m_code);
}

void RecipePage::showFinding(const Finding &finding)
{
    m_code->showFinding(finding);
    m_code->setFocus(Qt::OtherFocusReason);
}

} // namespace tmx
