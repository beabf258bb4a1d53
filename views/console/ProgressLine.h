// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QProgressBar>

namespace tmx {

/// A progress bar as a thin line across the whole width: it takes no room from the text, even in a narrow dock. Without
/// a total it is a hairline.
class ProgressLine : public QProgressBar
{
    Q_OBJECT
public:
    explicit ProgressLine(QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace tmx
