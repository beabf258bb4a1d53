// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/widgets/CopyButton.h"

#include "views/widgets/Tips.h"

#include <QClipboard>
#include <QGuiApplication>

#include <chrono>

using namespace std::chrono_literals;

namespace tmx {

CopyButton::CopyButton(const QString &text, const QString &accessibleName, QWidget *parent)
    : QPushButton(text, parent)
    , m_label(text)
{
    describe(this, accessibleName, accessibleName);
    setEnabled(false);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_back.setSingleShot(true);
    m_back.setInterval(1500ms);
    connect(&m_back, &QTimer::timeout, this, [this] { setText(m_label); });
    connect(this, &QPushButton::clicked, this, &CopyButton::copy);
}

void CopyButton::setContent(const QString &content)
{
    m_content = content;
    setEnabled(!content.isEmpty());
    m_back.stop();
    setText(m_label);
}

QSize CopyButton::sizeHint() const
{
    // Not the style's size: its minimum width takes a quarter of a narrow pane.
    const int widest =
        std::max(fontMetrics().horizontalAdvance(tr("Copied")), fontMetrics().horizontalAdvance(m_label));
    return {widest + 2 * fontMetrics().height(), QPushButton::sizeHint().height()};
}

void CopyButton::copy()
{
    QGuiApplication::clipboard()->setText(m_content);
    setText(tr("Copied"));
    m_back.start();
}

} // namespace tmx
