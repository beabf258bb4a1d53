// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/settings/SettingsPage.h"

#include "model/change/SaveSettings.h"
#include "views/settings/CoverageGrid.h"
#include "views/settings/CoverageModel.h"
#include "views/settings/SettingsForm.h"
#include "views/widgets/Label.h"
#include "views/widgets/ScrollPage.h"
#include "views/widgets/Tips.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace tmx {

SettingsPage::SettingsPage(std::shared_ptr<const Catalog> catalog, QWidget *parent)
    : QWidget(parent)
    , m_catalog(std::move(catalog))
    , m_source(new Label({}, Label::Wrapped | Label::Quiet, tr("Where the settings come from")))
    , m_form(new SettingsForm(m_catalog, SettingsForm::Extent::Everything))
    , m_scope(new QComboBox)
    , m_coverage(new CoverageModel(m_catalog, this))
    , m_problem(new Banner(tr("Problems in the settings"), Banner::Problem))
    , m_summary(new Label({}, Label::Quiet, tr("How many variants the coverage has")))
    , m_revert(new QPushButton(tr("Discard changes")))
    , m_save(new QPushButton(tr("Save…")))
{
    auto *content = new QWidget;
    auto *area = new ScrollPage;
    area->setWidget(content); // while it is empty: its size is asked for
    area->setFocusPolicy(Qt::NoFocus);
    auto *page = new QVBoxLayout(content);
    page->setContentsMargins(16, 12, 16, 16);
    page->setSpacing(18);
    page->addWidget(m_source);
    page->addWidget(m_form);
    addCoverage(page);
    addSection(page, tr("Details"))->addWidget(m_form->details());
    m_form->details()->show();
    page->addStretch(1);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(area, 1);
    layout->addWidget(m_problem);
    layout->addWidget(makeFooter());

    connect(m_form, &SettingsForm::edited, this, &SettingsPage::takeFields);
    connect(m_coverage, &CoverageModel::edited, this, [this] {
        m_written.coverage = m_coverage->coverage();
        tellEdited();
    });
    connect(m_scope, &QComboBox::activated, this,
            [this](int index) { m_coverage->setScope(m_coverage->scopes().value(index)); });
    connect(m_revert, &QPushButton::clicked, this, [this] {
        setSettings(m_saved, m_saved);
        Q_EMIT edited();
    });
    connect(m_save, &QPushButton::clicked, this, &SettingsPage::saveRequested);
    updateButtons();
}

QVBoxLayout *SettingsPage::addSection(QVBoxLayout *page, const QString &title, const QString &explanation)
{
    auto *section = new QVBoxLayout;
    section->setSpacing(6);
    section->addWidget(new Label(title, Label::Bold));
    if (!explanation.isEmpty())
        section->addWidget(new Label(explanation, Label::Wrapped | Label::Quiet));
    page->addLayout(section);
    return section;
}

void SettingsPage::addCoverage(QVBoxLayout *page)
{
    QVBoxLayout *section =
        addSection(page, tr("Coverage"),
                   tr("The cells that this branch builds. Click a cell or press Space to add or remove it. Click "
                      "the name of a row or a column to change all of it. Hatched cells are impossible. A name "
                      "in a cell is the family or toolkit that it is covered for."));
    m_scope->setAccessibleName(tr("Families and toolkits of the coverage"));
    m_scope->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_scope->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    section->addWidget(m_scope);
    section->addWidget(new CoverageGrid(m_coverage));
}

QWidget *SettingsPage::makeFooter()
{
    auto *footer = new QWidget;
    auto *row = new QHBoxLayout(footer);
    row->setContentsMargins(16, 8, 8, 8);
    row->setSpacing(6);
    m_summary->setMinimumWidth(1);
    setPlainToolTip(m_revert, tr("Go back to the saved settings"));
    setPlainToolTip(m_save, tr("Preview torch-matrix.toml and commit it"));
    m_save->setDefault(true);
    row->addWidget(m_summary, 1);
    row->addWidget(m_revert);
    row->addWidget(m_save);
    return footer;
}

void SettingsPage::setSettings(const Settings &saved, const Settings &settings)
{
    if (saved == m_saved && settings == m_settings)
        return; // Keep an open popup.
    m_saved = saved;
    m_settings = settings;
    m_shown = m_written = written(settings, *m_catalog);
    m_fields = fieldsOf(*m_catalog, m_shown);
    m_form->setFields(m_fields);
    m_coverage->setSettings(m_written);
    showScopes();
    showSource();
    updateButtons();
}

void SettingsPage::setFileTrouble(const QString &sentence)
{
    m_fileTrouble = sentence;
    showSource();
}

void SettingsPage::setEvidence(const QString &sentences)
{
    m_evidence = sentences;
    showSource();
}

void SettingsPage::showSource()
{
    if (!m_fileTrouble.isEmpty()) {
        m_source->setText(tr("%1 These are the settings of branch %2 without that file. Correct the file, or "
                             "save these settings to replace it.")
                              .arg(m_fileTrouble, m_saved.branch));
        return;
    }
    switch (m_saved.source) {
    case Settings::Source::BuiltIn:
        m_source->setText(tr("Branch %1 uses the built-in settings of that name. Save writes torch-matrix.toml to the "
                             "branch, which overrides them.")
                              .arg(m_saved.branch));
        return;
    case Settings::Source::File:
        m_source->setText(tr("The settings of branch %1 are in its torch-matrix.toml.").arg(m_saved.branch));
        return;
    case Settings::Source::Inferred:
        m_source->setText(tr("Branch %1 has no torch-matrix.toml. These settings are inferred from its recipes: check "
                             "them, then save them.")
                              .arg(m_saved.branch) +
                          (m_evidence.isEmpty() ? QString() : u' ' + m_evidence));
        return;
    }
}

void SettingsPage::showScopes()
{
    m_scope->clear();
    for (const CoverageModel::Scope &scope : m_coverage->scopes()) {
        m_scope->addItem(scope.isEmpty() ? tr("For all families and toolkits")
                                         : tr("Only for %1").arg(m_coverage->wordsOf(scope)));
    }
    m_scope->setCurrentIndex(int(m_coverage->scopes().indexOf(m_coverage->scope())));
    m_scope->setVisible(m_scope->count() > 1);
}

void SettingsPage::takeFields()
{
    const QList<WrittenCuda> before = m_written.cudas;
    const QList<WrittenCoverage> coverage = m_written.coverage;
    m_written = withFields(m_shown, m_fields, m_form->fields());
    m_written.coverage = coverage;
    if (m_written.cudas != before) {
        m_coverage->setSettings(m_written); // Other toolkits make other cells possible.
        showScopes();
    }
    tellEdited();
}

void SettingsPage::tellEdited()
{
    Settings settings = expanded(m_written, *m_catalog, m_settings.branch, m_settings.source);
    settings.smRows = m_settings.smRows;
    settings.learned = m_settings.learned;
    m_settings = std::move(settings);
    m_sound = false; // Until the settings have been checked.
    updateButtons();
    Q_EMIT edited();
}

void SettingsPage::setVerdict(const SettingsVerdict &verdict)
{
    m_sound = verdict.problem.isEmpty();
    m_problem->setSentence(m_sound && !verdict.warning.isEmpty() ? tr("Warning: %1").arg(verdict.warning)
                                                                 : verdict.problem);
    const int promised = int(verdict.promised);
    const QString text =
        verdict.impossible > 0
            ? tr("%n variants in the coverage, %1 of them impossible.", nullptr, promised).arg(verdict.impossible)
            : tr("%n variants in the coverage.", nullptr, promised);
    m_summary->setText(m_sound ? text : QString());
    updateButtons();
}

void SettingsPage::updateButtons()
{
    m_revert->setEnabled(isEdited());
    m_save->setEnabled(m_sound && (isEdited() || m_saved.source != Settings::Source::File));
}

} // namespace tmx
