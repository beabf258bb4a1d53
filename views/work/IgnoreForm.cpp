// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/work/IgnoreForm.h"

#include "views/widgets/Label.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QLineEdit>

namespace tmx {

IgnoreForm::IgnoreForm(const QString &branch, const QString &rule, const QStringList &recipes, QWidget *parent)
    : WorkForm(parent)
    , m_branch(branch)
    , m_rule(rule)
    , m_recipes(recipes)
    , m_reason(new QLineEdit)
    , m_all(new QCheckBox(tr("In &all recipes of the branch, also new ones")))
{
    m_reason->setAccessibleName(tr("Reason"));
    m_reason->setPlaceholderText(tr("Why these findings are accepted"));
    auto *form = new QFormLayout(this);
    form->setContentsMargins({});
    form->addRow(new Label(tr("Findings of %1 in %n recipes become notes; torch-matrix.toml keeps the reason.", nullptr,
                              int(recipes.size()))
                               .arg(rule),
                           Label::Wrapped));
    form->addRow(new Label(tr("&Reason"), m_reason), m_reason);
    form->addRow(m_all);
    setFocusProxy(m_reason);
    connect(m_reason, &QLineEdit::textChanged, this, &IgnoreForm::edited);
    connect(m_all, &QCheckBox::toggled, this, &IgnoreForm::edited);
}

ChangeRequest IgnoreForm::request() const
{
    SettingsRequest request;
    request.branch = m_branch;
    request.ignored =
        IgnoredRule{m_rule, m_all->isChecked() ? QStringList() : m_recipes, m_reason->text().simplified()};
    return request;
}

QString IgnoreForm::missing() const
{
    return m_reason->text().trimmed().isEmpty() ? tr("Enter the reason.") : QString();
}

} // namespace tmx
