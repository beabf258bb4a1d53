// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

namespace tmx {

/// A page of a stack, which lays its view out when it is first shown: a stack measures all of its pages, also those
/// that nobody has seen.
class LatePage : public QWidget
{
    Q_OBJECT
public:
    explicit LatePage(QWidget *view, QWidget *parent = nullptr);

    [[nodiscard]] QWidget *view() const { return m_view; }

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *m_view;
};

} // namespace tmx
