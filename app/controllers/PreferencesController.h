// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QObject>
#include <QPointer>

class QWidget;

namespace tmx {

class JobWatch;
class PreferencesDialog;

/// Opens the settings of the program and applies them. Files are read and written in workers.
class PreferencesController : public QObject
{
    Q_OBJECT
public:
    PreferencesController(JobWatch *watch, QWidget *window);
    void open();

Q_SIGNALS:
    void machinesChanged(const QHash<QString, QString> &newNames); ///< an empty new name: removed

private:
    void apply(bool close); ///< asks first if logs would be removed
    void carryOut(bool close);

    JobWatch *m_watch;
    QWidget *m_window;
    QPointer<PreferencesDialog> m_dialog;
    bool m_opening = false;
};

} // namespace tmx
