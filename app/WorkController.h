// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/work/WorkDialog.h"

#include <QObject>
#include <QPointer>

namespace tmx {

class LineChangeForm;
class Notices;
class WorkForm;
class Workspace;

/// Opens the dialogs for work on whole branches (derive, migrate, copy, README tables), and says what they have done.
class WorkController : public QObject
{
    Q_OBJECT
public:
    enum class Kind { Derive, Migrate, Copy, Readme };

    WorkController(Workspace *workspace, Notices *notices, QWidget *window);

    /// On the branch that is shown; `names`, for Copy: its variants. One dialog at a time.
    void open(Kind kind, const QStringList &names = {});
    [[nodiscard]] WorkDialog *dialog() const { return m_dialog; } ///< null while none is open

private:
    [[nodiscard]] WorkForm *formOf(Kind kind, const QStringList &names);
    [[nodiscard]] LineChangeForm *lineForm(Kind kind);
    void tell(const WorkOutcome &outcome);

    Workspace *m_workspace;
    Notices *m_notices;
    QWidget *m_window;
    QPointer<WorkDialog> m_dialog;
};

} // namespace tmx
