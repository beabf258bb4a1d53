// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/Alignment.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QToolButton;

namespace tmx {

class ElidedLabel;
class SideView;

/// Shows two of a cell's recipes side by side. They scroll together; Alt+Down and Alt+Up move between the changes.
class SideBySide : public QWidget
{
    Q_OBJECT
public:
    explicit SideBySide(QWidget *parent = nullptr);

    struct Text {
        QString label; ///< the branch
        QByteArray text;
        bool there = false;
        int unlike = 0; ///< facts that count and differ from the first one's that exists
    };
    /// Shows the first one that exists and the one that differs most from it. If the user chose two that are still
    /// among them, they stay.
    void setTexts(const QList<Text> &texts);
    [[nodiscard]] int heightFor(int lines) const; ///< that shows so many lines of the recipes
    [[nodiscard]] int changeCount() const { return int(m_changes.size()); }
    [[nodiscard]] int currentChange() const { return m_current + 1; } ///< 1-based; 0 = before the first
    void nextChange();
    void previousChange();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void show(int left, int right);
    void take(const Text &left, const Text &right, const QList<AlignedLine> &lines);
    void goTo(int change);
    void showPlace();
    void choose();

    struct Change {
        int first = 0;
        int last = 0;
    };
    QList<Text> m_texts;
    QList<Change> m_changes;
    int m_current = -1;
    quint64 m_asked = 0;   ///< identifies the shown pair; results for an older one are discarded
    bool m_chosen = false; ///< the user chose the two sides
    QComboBox *m_leftBox;
    QComboBox *m_rightBox;
    ElidedLabel *m_leftName; ///< used if there is nothing to choose
    ElidedLabel *m_rightName;
    QLabel *m_place;
    QToolButton *m_previous;
    QToolButton *m_next;
    SideView *m_left;
    SideView *m_right;
};

} // namespace tmx
