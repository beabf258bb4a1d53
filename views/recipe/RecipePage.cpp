// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/recipe/RecipePage.h"

#include "views/recipe/CodeView.h"
#include "views/recipe/SearchBar.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/CopyButton.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QComboBox>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace tmx {

RecipePage::RecipePage(QWidget *parent)
    : QWidget(parent)
    , m_files(makeChoice(tr("File")))
    , m_users(makeTool({}, tr("Show the recipes that import this file"),
                       tr("Show the recipes that import this file in the grid")))
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
    setPlainToolTip(m_files, tr("The recipe, and the files that it imports"));
    connect(m_files, &QComboBox::activated, this, &RecipePage::showFile);
    connect(m_users, &QToolButton::clicked, this, [this] {
        if (const ImportedFile *file = chosenFile())
            Q_EMIT usersRequested(file->path);
    });

    auto *tools = new QHBoxLayout;
    tools->setContentsMargins(12, 8, 8, 8);
    tools->setSpacing(6);
    tools->addWidget(m_files);
    tools->addWidget(m_users);
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
    // A refresh shows the same file again, another cell its recipe.
    const QString chosen = content.name == m_content.name ? m_files->currentData().toString() : QString();
    m_content = content;
    m_files->clear();
    m_files->addItem(content.file.section(u'/', -1), QString());
    for (const ImportedFile &file : content.imported)
        m_files->addItem(shownPath(file.path), file.path);
    m_files->setCurrentIndex(std::max(0, m_files->findData(chosen)));
    m_banner->setText(content.canGenerate ? tr("This recipe does not exist yet. Generate writes this text.")
                                          : tr("This recipe does not exist yet. This is its text with the last "
                                               "known settings; it cannot be generated now."));
    m_banner->setVisible(!content.exists && !content.text.isEmpty());
    m_nothing->setText(content.exists && !content.findings.isEmpty()
                           ? tr("This file cannot be shown. %1").arg(content.findings.constFirst().sentence)
                           : tr("There is no recipe to show."));
    showFile();
}

const ImportedFile *RecipePage::chosenFile() const
{
    const auto file = std::ranges::find(m_content.imported, m_files->currentData().toString(), &ImportedFile::path);
    return file == m_content.imported.cend() ? nullptr : &*file;
}

void RecipePage::showFile()
{
    const ImportedFile *file = chosenFile();
    const QByteArray &text = file ? file->text : m_content.text;
    m_files->setVisible(!m_content.imported.isEmpty());
    m_users->setVisible(file != nullptr);
    m_users->setText(file ? tr("Used by %n recipes", nullptr, file->users) : QString());
    m_file->setVisible(!file);
    m_file->setFullText(m_content.imported.isEmpty() ? m_content.file : QString());
    m_copy->setContent(QString::fromUtf8(text));
    m_find->setEnabled(!text.isEmpty());
    m_code->setCode(text);
    m_code->setFindings(m_content.exists ? m_content.findings : QList<Finding>(), file ? file->path : QString());
    m_stack->setCurrentWidget(text.isEmpty() ? static_cast<QWidget *>(m_nothing) : m_code);
}

void RecipePage::reveal(const Finding &finding)
{
    m_files->setCurrentIndex(std::max(0, m_files->findData(finding.file)));
    showFile();
    m_code->showFinding(finding);
}

void RecipePage::showFinding(const Finding &finding)
{
    reveal(finding);
    m_code->setFocus(Qt::OtherFocusReason);
}

} // namespace tmx
