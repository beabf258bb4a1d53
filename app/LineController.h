// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Line.h"
#include "model/workspace/LineSave.h"
#include "model/workspace/OperationQueue.h"

#include <QHash>
#include <QObject>
#include <QTimer>

namespace tmx {

class LinePage;
class Notices;
class Workspace;

/// Keeps the line's page on the branch that is shown, says whether what the user makes of it can be saved, and saves
/// it. What is not saved yet is kept for each branch as long as the window lives.
class LineController : public QObject
{
    Q_OBJECT
public:
    LineController(Workspace *workspace, LinePage *page, Notices *notices, QObject *parent = nullptr);

    [[nodiscard]] bool isJudging() const { return m_judging; }

Q_SIGNALS:
    void judged();

private:
    void takeSnapshot();
    void judge();
    void offer();
    void ask(const LineOffer &offer);
    [[nodiscard]] QString place() const;

    Workspace *m_workspace;
    LinePage *m_page;
    Notices *m_notices;
    OperationId m_saving = 0;
    QTimer m_settle;               ///< typing is several edits; they are judged once
    QHash<QString, Line> m_drafts; ///< by place()
    quint64 m_generation = 0;
    bool m_judging = false;
};

} // namespace tmx
