// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/work/UpstreamDialog.h"

#include "views/widgets/Buttons.h"
#include "views/widgets/Label.h"

#include <QComboBox>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

UpstreamDialog::UpstreamDialog(const QString &branch, const QStringList &remoteBranches, QWidget *parent)
    : QDialog(parent)
    , m_upstream(makeChoice(tr("Remote branch")))
{
    setWindowTitle(tr("Set upstream"));
    m_upstream->addItems(remoteBranches);
    m_upstream->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // a name does not widen it
    m_upstream->setMinimumContentsLength(20);
    const auto same = std::ranges::find_if(remoteBranches,
                                           [&branch](const QString &name) { return name.section(u'/', 1) == branch; });
    if (same != remoteBranches.end())
        m_upstream->setCurrentText(*same);
    auto *cancel = new QPushButton(tr("Cancel"));
    auto *set = new QPushButton(tr("&Set upstream"));
    auto *column = new QVBoxLayout(this);
    column->addWidget(new Label(tr("%1 follows").arg(branch), Label::Wrapped));
    column->addWidget(m_upstream);
    column->addStretch(1);
    column->addLayout(makeFooter({}, cancel, set));
    resize(380, sizeHint().height());
    m_upstream->setFocus();
    connect(set, &QPushButton::clicked, this, &QDialog::accept);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
}

QString UpstreamDialog::upstream() const
{
    return m_upstream->currentText();
}

} // namespace tmx
