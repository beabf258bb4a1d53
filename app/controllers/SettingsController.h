// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Settings.h"

#include <QHash>
#include <QObject>
#include <QTimer>

#include <memory>

class QWidget;

namespace tmx {

class Catalog;
class SettingsForm;
class SettingsPage;
class Workspace;

/// Fills the form's list of known revisions with those of all repositories, each time that it is opened.
void offerPins(const std::shared_ptr<const Catalog> &catalog, SettingsForm *form);
/// Fetches the hashes that the form asks for; stops when the form is closed.
void offerHashes(const std::shared_ptr<const Catalog> &catalog, SettingsForm *form);

/// Makes the settings page when its place is shown first, keeps it on the shown branch, and checks whether the user's
/// edits can be saved. Unsaved edits are kept for each branch as long as the window is open.
class SettingsController : public QObject
{
    Q_OBJECT
public:
    SettingsController(Workspace *workspace, QWidget *place, QObject *parent = nullptr);

    [[nodiscard]] bool isJudging() const { return m_judging; }
    void forgetDraft(const QString &branch); ///< call it after saving

Q_SIGNALS:
    void judged();
    void saveRequested(const QString &branch, const tmx::Settings &settings);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void makePage();
    void takeSnapshot();
    void judge();
    [[nodiscard]] QString placeOf(const QString &branch) const;
    [[nodiscard]] QString branch() const; ///< the shown branch

    Workspace *m_workspace;
    QWidget *m_place;
    SettingsPage *m_page = nullptr;    ///< until its place is shown
    QTimer m_settle;                   ///< waits until typing pauses, so that several edits are checked once
    QHash<QString, Settings> m_drafts; ///< by placeOf()
    quint64 m_generation = 0;
    bool m_judging = false;
};

} // namespace tmx
