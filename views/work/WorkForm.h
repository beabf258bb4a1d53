// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/Requests.h"

#include <QWidget>

namespace tmx {

/// The part of a work dialog that holds the options; each kind of work has its own form.
class WorkForm : public QWidget
{
    Q_OBJECT
public:
    using QWidget::QWidget;

    [[nodiscard]] virtual ChangeRequest request() const = 0;
    /// The form is complete enough to prepare changes.
    [[nodiscard]] virtual bool isReady() const { return true; }
    /// What has to be entered first, one sentence; empty if nothing is missing.
    [[nodiscard]] virtual QString missing() const { return {}; }
    /// Receives the result of the request, for forms that comment on it.
    virtual void setChanges(const QList<ChangeSet> &) {}

Q_SIGNALS:
    void edited();
};

} // namespace tmx
