// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/work/LikeForm.h"

#include "views/widgets/Label.h"

#include <QComboBox>
#include <QFormLayout>

using namespace Qt::StringLiterals;

namespace tmx {

LikeForm::LikeForm(const GenerateRequest &request, const QStringList &references, QWidget *parent)
    : WorkForm(parent)
    , m_request(request)
    , m_like(new QComboBox)
{
    auto *form = new QFormLayout(this);
    form->setContentsMargins({});
    auto *what = new ElidedLabel;
    const QStringList &names = request.names;
    what->setFullText(names.size() == 1 ? names.constFirst()
                                        : tr("%n recipes: %1", nullptr, int(names.size())).arg(names.join(", "_L1)));
    what->setAccessibleName(tr("Recipes to generate"));
    m_like->addItems(references);
    m_like->setAccessibleName(tr("Reference recipe"));
    m_like->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_like->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    form->addRow(tr("Generate"), what);
    form->addRow(tr("&Like"), m_like);
    setFocusProxy(m_like);
    connect(m_like, &QComboBox::currentTextChanged, this, &LikeForm::edited);
}

ChangeRequest LikeForm::request() const
{
    GenerateRequest request = m_request;
    request.like = m_like->currentText();
    return request;
}

} // namespace tmx
