// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/WorkOffer.h"

#include <QWidget>

namespace tmx {

/// The part of a work dialog that says what is wanted; a kind of work each has its own.
class WorkForm : public QWidget
{
    Q_OBJECT
public:
    using QWidget::QWidget;

    [[nodiscard]] virtual WorkRequest request() const = 0;
    /// Something can be worked out from what is in it.
    [[nodiscard]] virtual bool isReady() const { return true; }
    virtual void setOffer(const WorkOffer &) {
    } ///< what came of the request, where the form has to say something about it

Q_SIGNALS:
    void edited();
    void lineWanted(const QString &branch); ///< whoever hears it hands the form that branch's line
};

} // namespace tmx
