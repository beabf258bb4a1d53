// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/console/FloxMissingPage.h"

#include "views/widgets/CopyButton.h"
#include "views/widgets/Label.h"

#include <QHBoxLayout>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int comfortableWidth = 640; // readable width of a sentence

} // namespace

FloxMissingPage::FloxMissingPage(QWidget *parent)
    : QWidget(parent)
    , m_sentence(new Label({}, Label::Wrapped, tr("How to install flox")))
    , m_copy(new CopyButton(tr("Copy address"), tr("Copy the address of the instructions")))
{
    auto *title = new Label(tr("flox is not installed"), Label::Title);
    title->setAlignment(Qt::AlignCenter);
    m_sentence->setAlignment(Qt::AlignCenter);
    m_sentence->setFocusPolicy(Qt::StrongFocus);
    m_sentence->setMaximumWidth(comfortableWidth);

    auto *centred = new QHBoxLayout;
    centred->addStretch(1);
    centred->addWidget(m_sentence, 100);
    centred->addStretch(1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 8, 16, 8);
    layout->setSpacing(8);
    layout->addStretch();
    layout->addWidget(title);
    layout->addLayout(centred);
    layout->addWidget(m_copy, 0, Qt::AlignHCenter);
    layout->addStretch();
}

void FloxMissingPage::setSentence(const QString &sentence)
{
    static const QRegularExpression address(u"https://[^\\s,;]+[^\\s,;.]"_s);
    const QString link = address.match(sentence).captured();
    m_sentence->setSentenceWithLink(sentence, link);
    m_copy->setContent(link);
    m_copy->setVisible(!link.isEmpty());
}

} // namespace tmx
