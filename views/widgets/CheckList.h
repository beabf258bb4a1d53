// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QScrollArea>

namespace tmx {

/// A checked condition: whether it holds, as glyph and word, and a sentence.
struct CheckItem {
    enum class Kind {
        Holds,
        Open, ///< not yet, and nothing is wrong
        Warns,
        Blocks,
    };
    Kind kind = Kind::Holds;
    QString word; ///< meaning of the glyph
    QString sentence;
    QString command = {}; ///< that helps, with a button to copy it; empty: none
    bool operator==(const CheckItem &) const = default;
};

/// Conditions one below the other. As high as its contents up to some lines, then it scrolls.
class CheckList : public QScrollArea
{
    Q_OBJECT
public:
    explicit CheckList(const QString &accessibleName, QWidget *parent = nullptr);

    void setItems(const QList<CheckItem> &items);
    [[nodiscard]] const QList<CheckItem> &items() const { return m_items; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QList<CheckItem> m_items;
};

} // namespace tmx
