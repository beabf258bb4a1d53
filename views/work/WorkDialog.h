// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/BranchWork.h"

#include <QDialog>
#include <QTimer>

class QProgressBar;
class QPushButton;

namespace tmx {

class Banner;
class WorkForm;
class WorkPreview;

/// Work on a whole branch: what is wanted above, what comes of it below, a button that does it. What goes wrong is told
/// in one sentence and loses nothing of what was typed. accepted() once it is done. Not modal to the event loop: open()
/// it.
class WorkDialog : public QDialog
{
    Q_OBJECT
public:
    /// `action` is the word on the button that does it. `work` goes with the dialog.
    WorkDialog(const QString &title, const QString &action, WorkForm *form, BranchWork *work,
               QWidget *parent = nullptr);

    void refresh(); ///< works it out again
    [[nodiscard]] WorkForm *form() const { return m_form; }
    [[nodiscard]] WorkPreview *preview() const { return m_preview; }
    [[nodiscard]] bool isSettled() const; ///< what is shown is what the form asks for

    void reject() override; ///< not while something is being written

Q_SIGNALS:
    void settled();
    void done(const tmx::WorkOutcome &outcome); ///< something was written, perhaps not all of it

private:
    [[nodiscard]] QLayout *makeFooter(const QString &action);
    void takeEdit();
    void ask();
    void takeOffer(const WorkOffer &offer);
    void takeOutcome(const WorkOutcome &outcome);
    void stopOrAsk();
    void showProblem();
    void updateButtons();

    WorkForm *m_form;
    BranchWork *m_work;
    WorkPreview *m_preview;
    Banner *m_problem;
    QProgressBar *m_progress;
    QPushButton *m_stop;
    QPushButton *m_cancel;
    QPushButton *m_action;
    QTimer m_settle; ///< typing is several edits; they are one question
    QTimer m_slow;   ///< what is quick shows no bar
    WorkOffer m_offer;
    bool m_offered = false; ///< m_offer is what the form asks for
    bool m_stopped = false;
    QString m_refused; ///< why there is no offer
    QString m_notDone; ///< why it was not done; stands until something is changed or tried again
};

} // namespace tmx
