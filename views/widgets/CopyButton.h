// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QPushButton>
#include <QTimer>

namespace tmx {

/// Puts a text on the clipboard, and says so on itself for a moment.
class CopyButton : public QPushButton
{
    Q_OBJECT
public:
    /// `accessibleName` says what is copied, as several of them read "Copy".
    CopyButton(const QString &text, const QString &accessibleName, QWidget *parent = nullptr);

    void setContent(const QString &content); ///< an empty one cannot be copied
    [[nodiscard]] const QString &content() const { return m_content; }

    [[nodiscard]] QSize sizeHint() const override; ///< wide enough for both texts: nothing moves when it is pressed
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

private:
    void copy();
    QString m_label;
    QString m_content;
    QTimer m_back;
};

} // namespace tmx
