// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/Requests.h"

#include <QWidget>

namespace tmx {

/// The part of a work dialog that says what is wanted; a kind of work each has its own.
class WorkForm : public QWidget
{
    Q_OBJECT
public:
    using QWidget::QWidget;

    [[nodiscard]] virtual ChangeRequest request() const = 0;
    /// Something can be worked out from what is in it.
    [[nodiscard]] virtual bool isReady() const { return true; }
    /// What has to be entered first, a sentence; empty: nothing.
    [[nodiscard]] virtual QString missing() const { return {}; }
    /// What came of the request, where the form has to say something about it; empty: nothing.
    virtual void setChanges(const QList<ChangeSet> &) {}

Q_SIGNALS:
    void edited();
};

} // namespace tmx
