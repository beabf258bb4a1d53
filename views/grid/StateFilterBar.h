// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/matrix/Lens.h"

#include <QWidget>

class QToolButton;

namespace tmx {

/// One button for each sign that occurs, with its glyph and count: "missing 12", "failed 1". Pressed buttons filter the
/// grid; without a pressed one all is shown. They wrap to as many lines as they need.
class StateFilterBar : public QWidget
{
    Q_OBJECT
public:
    explicit StateFilterBar(QWidget *parent = nullptr);

    void setCounts(const std::map<Sign, int> &counts);
    void setSigns(const std::set<Sign> &signs);
    [[nodiscard]] std::set<Sign> signs() const;

Q_SIGNALS:
    void signsChanged(const std::set<tmx::Sign> &signs);

protected:
    void changeEvent(QEvent *event) override;

private:
    void updateIcons();
    void updateVisible();
    std::map<Sign, QAction *> m_actions;
    std::map<Sign, QToolButton *> m_buttons;
    std::map<Sign, int> m_counts;
};

} // namespace tmx
