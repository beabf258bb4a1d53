// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/outcome/BuildOutcome.h"
#include "model/outcome/BuildState.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;
class QToolButton;

namespace tmx {

class ElidedLabel;
class ProgressLine;
class StateBadge;

/// The package being built, its progress and elapsed time, and buttons for the build and its log.
class ConsoleHeader : public QWidget
{
    Q_OBJECT
public:
    explicit ConsoleHeader(QWidget *parent = nullptr);

    void start(const QString &package);
    void setState(const BuildState &state);
    void setOutcome(const BuildOutcome &outcome);
    void setLog(const QString &path); ///< reports a log that has not changed for 10 minutes
    void setFollowing(bool following);
    void setHasText(bool hasText);
    void setHasSelection(bool hasSelection);

    [[nodiscard]] QSize
    minimumSizeHint() const override; ///< the parts that are always shown; the rest is hidden if there is no room

Q_SIGNALS:
    void stopRequested();
    void killRequested(); ///< kill a build that is stopping
    void followRequested(bool follow);
    void findRequested();
    void copyRequested();
    void clearRequested();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void showElapsed();
    void showSteps();

    StateBadge *m_badge = nullptr;
    ElidedLabel *m_package = nullptr;
    QLabel *m_elapsed = nullptr;
    QLabel *m_steps = nullptr;
    ProgressLine *m_bar = nullptr;
    QPushButton *m_kill = nullptr; ///< kills a build that is stopping
    QPushButton *m_stop = nullptr;
    QToolButton *m_follow = nullptr;
    QToolButton *m_find = nullptr;
    QToolButton *m_copy = nullptr;
    QToolButton *m_clear = nullptr;
    QTimer m_tick;
    BuildState m_state;
    QString m_log;
};

} // namespace tmx
