// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/Alignment.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QToolButton;

namespace tmx {

class SideView;

/// Recipes of one cell side by side: two of as many as there are. They scroll together; Alt+Down and Alt+Up walk the
/// changes.
class SideBySide : public QWidget
{
    Q_OBJECT
public:
    explicit SideBySide(QWidget *parent = nullptr);

    struct Text {
        QString label; ///< the branch
        QByteArray text;
        bool there = false;
    };
    /// The first two that are there and differ are shown, unless two were chosen that are still among them.
    void setTexts(const QList<Text> &texts);
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
    quint64 m_asked = 0;   ///< of the pair that is shown; what an older one comes to is dropped
    bool m_chosen = false; ///< the two sides are the user's choice
    QComboBox *m_leftBox;
    QComboBox *m_rightBox;
    QLabel *m_leftName; ///< where there is nothing to choose
    QLabel *m_rightName;
    QLabel *m_place;
    QToolButton *m_previous;
    QToolButton *m_next;
    SideView *m_left;
    SideView *m_right;
};

} // namespace tmx
