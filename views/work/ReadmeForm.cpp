// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/work/ReadmeForm.h"

#include "views/widgets/Label.h"

#include <QComboBox>
#include <QFormLayout>

namespace tmx {

ReadmeForm::ReadmeForm(const QString &branch, int branches, QWidget *parent)
    : WorkForm(parent)
    , m_branch(branch)
    , m_which(new QComboBox)
{
    m_which->addItem(branch);
    m_which->addItem(tr("all %n local branches", nullptr, branches));
    m_which->setAccessibleName(tr("Branches to write to"));
    m_which->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_which->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto *form = new QFormLayout(this);
    form->setContentsMargins({});
    form->addRow(new Label(tr("README.md &of"), m_which), m_which);
    setFocusProxy(m_which);
    connect(m_which, &QComboBox::currentIndexChanged, this, &ReadmeForm::edited);
}

ChangeRequest ReadmeForm::request() const
{
    return ReadmeRequest{m_which->currentIndex() == 1 ? QStringList() : QStringList{m_branch}, false};
}

} // namespace tmx
