// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Settings.h"

#include <QHash>
#include <QObject>
#include <QTimer>

namespace tmx {

class SettingsPage;
class Workspace;

/// Keeps the settings page on the branch that is shown, and says whether what the user makes of it can be saved. What
/// is not saved yet is kept for each branch as long as the window lives.
class SettingsController : public QObject
{
    Q_OBJECT
public:
    SettingsController(Workspace *workspace, SettingsPage *page, QObject *parent = nullptr);

    [[nodiscard]] bool isJudging() const { return m_judging; }
    void forgetDraft(const QString &branch); ///< it was saved

Q_SIGNALS:
    void judged();
    void saveRequested(const QString &branch, const tmx::Settings &settings);

private:
    void takeSnapshot();
    void judge();
    [[nodiscard]] QString placeOf(const QString &branch) const;
    [[nodiscard]] QString branch() const; ///< that is shown

    Workspace *m_workspace;
    SettingsPage *m_page;
    QTimer m_settle;                   ///< typing is several edits; they are judged once
    QHash<QString, Settings> m_drafts; ///< by placeOf()
    quint64 m_generation = 0;
    bool m_judging = false;
};

} // namespace tmx
