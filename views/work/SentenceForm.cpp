// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/work/SentenceForm.h"

#include "views/widgets/Label.h"

#include <QVBoxLayout>

namespace tmx {

SentenceForm::SentenceForm(ChangeRequest request, const QString &sentence, QWidget *parent)
    : WorkForm(parent)
    , m_request(std::move(request))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(new Label(sentence, Label::Wrapped));
}

} // namespace tmx
