// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/work/SentenceForm.h"

#include "model/change/Change.h"
#include "views/widgets/Label.h"

#include <QVBoxLayout>

namespace tmx {

SentenceForm::SentenceForm(ChangeRequest request, const QString &sentence, QWidget *parent)
    : WorkForm(parent)
    , m_request(std::move(request))
    , m_equal(new Label({}, Label::Wrapped | Label::Quiet, tr("Equal changes")))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(new Label(sentence, Label::Wrapped));
    layout->addWidget(m_equal);
    m_equal->hide();
}

void SentenceForm::setChanges(const QList<ChangeSet> &changes)
{
    const QString text = std::holds_alternative<FixRequest>(m_request) ? equalChanges(changes) : QString();
    m_equal->setText(text);
    m_equal->setVisible(!text.isEmpty());
}

} // namespace tmx
