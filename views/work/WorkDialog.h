// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/Operations.h"

#include <QDialog>
#include <QTimer>

class QProgressBar;
class QPushButton;

namespace tmx {

class Banner;
class ChangeView;
class OtherBranches;
class WorkForm;

/// Work on a whole branch: options above, a preview below, and a button that applies it. A failure is shown in one
/// sentence, and the entered values stay. Emits accepted() when it is done. Not modal to the event loop: use open().
class WorkDialog : public QDialog
{
    Q_OBJECT
public:
    /// `action` is the text of the button that applies the work in `repository`.
    WorkDialog(const QString &title, const QString &action, WorkForm *form, Operations *operations,
               const QString &repository, QWidget *parent = nullptr);
    ~WorkDialog() override; ///< cancels the running preparation

    void refresh();                  ///< prepares the changes again
    void refuse(const Error &error); ///< there is nothing to show
    [[nodiscard]] WorkForm *form() const { return m_form; }
    /// Offers to make the same change on some of these too.
    void offerBranches(const QList<BranchPlace> &others);
    [[nodiscard]] ChangeView *changes() const { return m_changes; }
    [[nodiscard]] bool isSettled() const; ///< the shown changes match the form

    [[nodiscard]] bool isBusy() const { return m_preparing || m_applying; }

    void reject() override; ///< does nothing while files are being written

Q_SIGNALS:
    void settled();
    void busyChanged();
    /// Something was written, perhaps not everything.
    void applied(const tmx::ChangeRequest &request, const QList<tmx::Applied> &applied);

private:
    [[nodiscard]] QLayout *makeFooter();
    void takeEdit();
    void ask();
    void apply();
    void wireOperations();
    void takeChanges(const QList<ChangeSet> &changes);
    void takeApplied(const QList<Applied> &applied, const std::optional<Error> &error);
    void stopOrAsk();
    void showProblem();
    void updateButtons();

    WorkForm *m_form;
    Operations *m_operations;
    QString m_repository;
    OtherBranches *m_others;
    ChangeView *m_changes;
    Banner *m_problem;
    QProgressBar *m_progress;
    QPushButton *m_stop;
    QPushButton *m_cancel;
    QPushButton *m_action;
    QTimer m_settle; ///< waits until typing pauses, so that several edits make one request
    QTimer m_slow;   ///< quick work shows no progress bar
    ChangeRequest m_request;
    OperationId m_preparing = 0;
    OperationId m_applying = 0;
    bool m_prepared = false; ///< the shown changes match m_request
    bool m_stopped = false;
    QString m_refused; ///< why there is nothing to show
    QString m_notDone; ///< why it was not done; stays until something changes or is tried again
};

} // namespace tmx
