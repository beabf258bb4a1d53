// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/work/RuleForm.h"

#include "views/widgets/Label.h"

#include <QVBoxLayout>

namespace tmx {

RuleForm::RuleForm(const QString &branch, const QString &rule, QWidget *parent)
    : WorkForm(parent)
    , m_branch(branch)
    , m_rule(rule)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(new Label(
        tr("Fixes every finding of %1 on branch %2 in place. The ticked recipes are one commit.").arg(rule, branch),
        Label::Wrapped));
}

ChangeRequest RuleForm::request() const
{
    return FixRequest{.branch = m_branch, .finding = {}, .rule = m_rule};
}

} // namespace tmx
