// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/work/SettingsChangeForm.h"

#include "views/settings/SettingsForm.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace tmx {

SettingsChangeForm::SettingsChangeForm(Kind kind, std::shared_ptr<const Catalog> catalog, const QStringList &branches,
                                       const QString &branch, QWidget *parent)
    : WorkForm(parent)
    , m_kind(kind)
    , m_catalog(std::move(catalog))
    , m_form(new SettingsForm(m_catalog,
                              kind == Kind::Derive ? SettingsForm::Extent::Everything : SettingsForm::Extent::Versions))
    , m_branch(branch)
    , m_render(new QCheckBox(tr("Give customised recipes the &template's text")))
    , m_pinFrom(new QComboBox)
    , m_note(new Label(explanation(), Label::Wrapped | Label::Quiet))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(10);
    if (kind == Kind::Derive)
        layout->addLayout(makeNames(branches));
    layout->addWidget(m_form);
    m_allow = new QCheckBox(kind == Kind::Derive ? tr("&Leave out recipes that are impossible on the new branch")
                                                 : tr("Change customised recipes in &place"));
    describe(m_allow, m_allow->text().remove(u'&'),
             kind == Kind::Derive ? tr("If this is off, the branch is not created while a recipe would be lost.")
                                  : tr("Changes only the affected values and keeps the rest of the text."));
    m_allow->setChecked(kind == Kind::Migrate);
    m_allow->setVisible(kind == Kind::Migrate);
    layout->addWidget(m_allow);
    describe(m_render, m_render->text().remove(u'&'),
             tr("Where a recipe cannot be changed in place. Its own changes are lost on the new branch."));
    m_render->hide();
    layout->addWidget(m_render);
    m_pinFrom->setAccessibleName(tr("nixpkgs revision to replace"));
    m_pinFrom->hide();
    layout->addWidget(m_pinFrom);
    connect(m_pinFrom, &QComboBox::activated, this, &SettingsChangeForm::edited);
    layout->addWidget(m_note);
    connect(m_allow, &QCheckBox::toggled, this, &SettingsChangeForm::edited);
    connect(m_render, &QCheckBox::toggled, this, &SettingsChangeForm::edited);
    connect(m_form, &SettingsForm::edited, this, &SettingsChangeForm::edited);
}

QLayout *SettingsChangeForm::makeNames(const QStringList &branches)
{
    auto *from = new QComboBox;
    from->addItems(branches);
    from->setCurrentText(m_branch);
    from->setAccessibleName(tr("Branch to start from"));
    m_name = new QLineEdit;
    m_name->setAccessibleName(tr("Name of the new branch"));
    // One line, so that the fields below do not move.
    m_nameProblem = new ElidedLabel(Label::Quiet, tr("Problem with the name"));
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    int column = 0;
    for (const auto &[text, field] :
         {std::pair<QString, QWidget *>(tr("&From branch"), from), {tr("&New branch"), m_name}}) {
        grid->addWidget(new Label(text, field), 0, column++);
        grid->addWidget(field, 0, column++);
    }
    grid->addWidget(m_nameProblem, 1, 3);
    connect(from, &QComboBox::currentTextChanged, this, [this](const QString &branch) {
        m_branch = branch;
        m_known = false;
        m_pinFrom->clear(); // another branch has its own
        Q_EMIT settingsWanted(branch);
    });
    connect(m_name, &QLineEdit::textEdited, this, &SettingsChangeForm::edited);
    setFocusProxy(m_name);
    return grid;
}

void SettingsChangeForm::setSettings(const Settings &settings)
{
    const SettingsFields fields = fieldsOf(*m_catalog, settings);
    m_form->setFields(m_fields ? rebased(m_form->fields(), *m_fields, fields) : fields);
    m_fields = fields;
    m_branch = settings.branch;
    m_known = true;
    Q_EMIT edited();
}

SettingsChange SettingsChangeForm::change() const
{
    SettingsChange change = m_fields ? changeBetween(*m_fields, m_form->fields()) : SettingsChange{};
    if (change.pin)
        change.pinFrom = m_pinFrom->currentData().toString();
    return change;
}

void SettingsChangeForm::offerPins(const QList<ReplacedPin> &pins)
{
    if (!change().pin)
        m_pinFrom->hide();
    if (!change().pinFrom.isEmpty() || pins.size() < 2)
        return;
    m_pinFrom->clear();
    m_pinFrom->addItem(tr("Choose the nixpkgs to replace"));
    for (const ReplacedPin &pin : pins)
        m_pinFrom->addItem(tr("Replace %1 in %n recipes", nullptr, pin.recipes).arg(pin.from.left(10)), pin.from);
    m_pinFrom->addItem(tr("Replace all of them"), QString(allPins));
    m_pinFrom->show();
}

ChangeRequest SettingsChangeForm::request() const
{
    if (m_kind == Kind::Derive)
        return DeriveRequest{m_branch, m_name->text().trimmed(), change(), m_allow->isChecked(), m_render->isChecked()};
    return MigrateRequest{m_branch, change(), m_allow->isChecked()};
}

QString SettingsChangeForm::explanation() const
{
    return m_kind == Kind::Derive ? tr("The new branch keeps the coverage, except cells that are impossible with "
                                       "its toolkits. You can change it later in the Settings view.")
                                  : tr("Recipes with their template's text are rendered again.");
}

QString SettingsChangeForm::missing() const
{
    return m_kind == Kind::Migrate && change() == SettingsChange{}
               ? tr("Choose another version, nixpkgs revision or template first.")
               : QString();
}

void SettingsChangeForm::setChanges(const QList<ChangeSet> &changes)
{
    const ChangeSet change = changes.value(0);
    if (m_kind == Kind::Derive && !change.dropped.isEmpty())
        m_allow->show();
    if (!change.customised.isEmpty())
        m_render->show();
    offerPins(change.pins);
    if (m_nameProblem) {
        // Next to the name only the reason is needed.
        const bool ofName =
            change.refusal && (change.dropped.isEmpty() || m_allow->isChecked()) && m_pinFrom->currentIndex() != 0;
        QString why = ofName ? u"%1. %2"_s.arg(change.refusal->why, change.refusal->remedy).trimmed() : QString();
        if (!why.isEmpty())
            why[0] = why.at(0).toUpper();
        m_nameProblem->setFullText(why);
    }
    const QString asked = m_form->fields().values.value(u"nixpkgs"_s);
    // The field does not hold a value that the user typed: built-in settings have their own pin.
    const QString pin =
        change.settings && !change.files.isEmpty() ? change.settings->common(&Profile::pin).revision : asked;
    m_note->setText(pin != asked ? tr("%1 Built-in settings exist for this version and toolkit. Their nixpkgs "
                                      "(%2), templates and hashes are used.")
                                       .arg(explanation(), pin.left(10))
                                 : explanation());
}

} // namespace tmx
