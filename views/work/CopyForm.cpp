// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/work/CopyForm.h"

#include "views/widgets/Label.h"

#include <QComboBox>
#include <QFormLayout>

using namespace Qt::StringLiterals;

namespace tmx {

CopyForm::CopyForm(const QString &from, const QStringList &names, const QStringList &branches, QWidget *parent)
    : WorkForm(parent)
    , m_from(from)
    , m_names(names)
    , m_to(new QComboBox)
{
    auto *form = new QFormLayout(this);
    form->setContentsMargins({});
    auto *what = new ElidedLabel;
    what->setFullText(names.size() == 1
                          ? tr("%1 of %2", "recipe, branch").arg(names.constFirst(), from)
                          : tr("%n recipes of %1: %2", nullptr, int(names.size())).arg(from, names.join(", "_L1)));
    what->setAccessibleName(tr("Recipes to copy"));
    m_to->addItems(branches);
    m_to->setAccessibleName(tr("Branch to copy to"));
    m_to->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_to->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    form->addRow(new Label(tr("Copy")), what);
    form->addRow(new Label(tr("&To branch"), m_to), m_to);
    setFocusProxy(m_to);
    connect(m_to, &QComboBox::currentTextChanged, this, &CopyForm::edited);
}

ChangeRequest CopyForm::request() const
{
    return CopyRequest{m_from, m_to->currentText(), m_names};
}

} // namespace tmx
