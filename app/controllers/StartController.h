// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"

#include <QObject>
#include <QPointer>

#include <memory>

namespace tmx {

class NewRepositoryDialog;
class StartPage;
class Workspace;

/// The actions of the start page: a new repository, a sample. Remembers where the branches of an open one are.
class StartController : public QObject
{
    Q_OBJECT
public:
    StartController(Workspace *workspace, StartPage *page, QWidget *window);

    void openNew();
    void askForSample();
    void makeSample(const QString &folder); ///< the folder must not exist, or be empty

Q_SIGNALS:
    void sampleMade(); ///< it is opened next
    void openRequested(const QString &path);

private:
    void make();
    void preview();

    Workspace *m_workspace;
    StartPage *m_page;
    QWidget *m_window;
    QPointer<NewRepositoryDialog> m_dialog;
    quint64 m_asked = 0; ///< previews
};

} // namespace tmx
