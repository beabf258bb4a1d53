// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/console/FloxMissingPage.h"

#include "views/recipe/CopyButton.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int comfortableWidth = 640; // of a sentence that is read

} // namespace

FloxMissingPage::FloxMissingPage(QWidget *parent)
    : QWidget(parent)
    , m_sentence(new QLabel)
    , m_copy(new CopyButton(tr("Copy address"), tr("Copy the address of the instructions")))
{
    auto *title = new QLabel(tr("flox is not installed"));
    QFont font = title->font();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * 1.2);
    title->setFont(font);
    title->setAlignment(Qt::AlignCenter);
    m_sentence->setWordWrap(true);
    m_sentence->setAlignment(Qt::AlignCenter);
    m_sentence->setTextFormat(Qt::RichText);
    m_sentence->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_sentence->setOpenExternalLinks(true);
    m_sentence->setFocusPolicy(Qt::StrongFocus);
    m_sentence->setMaximumWidth(comfortableWidth);
    m_sentence->setAccessibleName(tr("How to install flox"));

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
    QString text = sentence.toHtmlEscaped();
    if (!link.isEmpty())
        text.replace(link.toHtmlEscaped(), u"<a href=\"%1\">%1</a>"_s.arg(link.toHtmlEscaped()));
    m_sentence->setText(text);
    m_copy->setContent(link);
    m_copy->setVisible(!link.isEmpty());
}

} // namespace tmx
