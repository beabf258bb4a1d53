// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QFormLayout;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace tmx {

class Banner;
class CodeView;
class CopyButton;
class Label;
struct BuildRecord;

/// What is known of a build whose log is not here: how and where it ran, the first error line if that was shared, where
/// the log is, a button that fetches it from there, and its recipe. A build of this account has no log once its job was
/// removed.
class TeamLogPage : public QWidget
{
    Q_OBJECT
public:
    explicit TeamLogPage(QWidget *parent = nullptr);

    void setBuild(const BuildRecord &build, const QString &host); ///< `host`: proposed for ssh
    /// Its recipe as it was built, or as it is now. Empty: it is not on the shown branch.
    void setRecipe(const QByteArray &text, bool asBuilt);
    void setFetching(bool fetching);
    void setProgress(int came, int all); ///< in KiB; all: 0 if unknown
    void setProblem(const QString &sentence);

Q_SIGNALS:
    void fetchRequested(const QString &host);
    void stopRequested();

private:
    bool m_isElsewhere = true;
    Label *m_title;
    Label *m_error;
    QFormLayout *m_facts; ///< of the build
    Label *m_where;
    Label *m_hostLabel;
    QLineEdit *m_host;
    QPushButton *m_open;
    CopyButton *m_copy;
    QProgressBar *m_progress;
    QPushButton *m_stop;
    Banner *m_problem;
    Label *m_recipeTitle;
    CodeView *m_recipe;
};

} // namespace tmx
