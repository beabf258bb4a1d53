// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

namespace tmx {

class JobWatch;
class PastBuilds;
class PastBuildsView;
class Workspace;

/// Reads the history of builds while its table is visible: when it appears, when a build ends, and when another
/// repository is opened.
class PastBuildsController : public QObject
{
    Q_OBJECT
public:
    PastBuildsController(Workspace *workspace, JobWatch *watch, PastBuildsView *view, QObject *parent = nullptr);

    void read();

Q_SIGNALS:
    void told(const QString &sentence);
    void refused(const QString &sentence);

private:
    void exportTo(const QString &path);
    void openReport();

    Workspace *m_workspace;
    JobWatch *m_watch;
    PastBuildsView *m_view;
    PastBuilds *m_model;
    qsizetype m_ended = -1; ///< number of ended jobs at the last read
    quint64 m_asked = 0;    ///< identifies the last read
};

} // namespace tmx
