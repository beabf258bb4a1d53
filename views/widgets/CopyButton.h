// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QPushButton>
#include <QTimer>

namespace tmx {

/// Copies a text to the clipboard, and confirms it for a moment in its own text.
class CopyButton : public QPushButton
{
    Q_OBJECT
public:
    /// `accessibleName` says what is copied, because several of these buttons read "Copy".
    CopyButton(const QString &text, const QString &accessibleName, QWidget *parent = nullptr);

    void setContent(const QString &content); ///< empty disables the button
    [[nodiscard]] const QString &content() const { return m_content; }

    [[nodiscard]] QSize sizeHint() const override; ///< wide enough for both texts, so that nothing moves when it is
                                                   ///< pressed
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

private:
    void copy();
    QString m_label;
    QString m_content;
    QTimer m_back;
};

} // namespace tmx
