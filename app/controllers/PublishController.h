// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/builds/PublishPlan.h"

#include <QObject>
#include <QPointer>

#include <atomic>
#include <memory>

namespace tmx {

class PublishDialog;
class Workspace;

/// Publishes variants of the shown branch one after the other, in a dialog that shows all of flox's conditions before
/// the first call.
class PublishController : public QObject
{
    Q_OBJECT
public:
    PublishController(Workspace *workspace, QWidget *window);
    ~PublishController() override; ///< stops publishing

    void open(const QStringList &variants);

Q_SIGNALS:
    void failed(const QString &sentence);
    void published(); ///< a package was published: the states of the grid's cells have changed

private:
    void plan(const PublishWish &wish);
    void take(const PublishWish &wish, const Result<PublishPlan> &plan);
    void publishNext(const PublishPlan &plan, qsizetype next);

    Workspace *m_workspace;
    QWidget *m_window;
    QPointer<PublishDialog> m_dialog;
    std::shared_ptr<const BranchSnapshot> m_snapshot; ///< the shown snapshot when the dialog was requested
    quint64 m_asked = 0;                              ///< identifies the last requested plan
    std::shared_ptr<std::atomic_bool> m_stop = std::make_shared<std::atomic_bool>(false);
};

} // namespace tmx
