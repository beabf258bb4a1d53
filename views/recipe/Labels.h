// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QLabel>

namespace tmx {

/// One line of second rank, cut in the middle where the room is short (a path keeps its file's name); the whole is its
/// tooltip.
class ElidedLabel : public QLabel
{
    Q_OBJECT
public:
    using QLabel::QLabel;
    void setFullText(const QString &text);
    [[nodiscard]] const QString &fullText() const { return m_text; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void elide();
    QString m_text;
};

/// A sentence on a tint of the highlight colour with a bar at its edge: something to know before reading on.
class Banner : public QLabel
{
    Q_OBJECT
public:
    explicit Banner(const QString &text, QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
};

/// Gives the label text of second rank from `palette`; call again when the palette changes.
void setMuted(QWidget *label, const QPalette &palette);

} // namespace tmx
