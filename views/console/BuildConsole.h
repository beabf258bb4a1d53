// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/outcome/BuildOutcome.h"
#include "model/outcome/BuildState.h"

#include <QWidget>

class QStackedWidget;

namespace tmx {

class ConsoleHeader;
class ConsoleView;
class FloxMissingPage;
class Label;
class LogTree;
class OutcomeBar;
class SearchBar;
class TeamLogPage;

/// Shows the output and the progress of a build, as its caller reports them. Emits signals for what the user wants;
/// decides nothing.
class BuildConsole : public QWidget
{
    Q_OBJECT
public:
    explicit BuildConsole(QWidget *parent = nullptr);

    void startBuild(const QString &package); ///< removes the text of the previous build
    void showLog(const QString &path);       ///< the log of the started build; it may grow, and may not exist yet
    void setState(const BuildState &state);
    /// `isOwn`: it can be queued again, and its recipe is at hand.
    void setOutcome(const BuildOutcome &outcome, bool isOwn = true);
    void showFloxMissing(const QString &sentence); ///< until the next startBuild
    void showNoLog(const QString &sentence);       ///< the same
    void showTeamLog();                            ///< teamLog(), until the next startBuild

    [[nodiscard]] TeamLogPage *teamLog(); ///< made when it is first asked for
    [[nodiscard]] ConsoleView *view() const { return m_view; }
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool isEmpty() const; ///< no build was shown yet: the panel is one line high

Q_SIGNALS:
    void stopRequested();
    void killRequested();
    void recipeRequested(int line); ///< a line of the recipe that the shown build builds
    void hashFixRequested(const QString &stated, const QString &right);
    void retryRequested(); ///< of the shown build

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    QWidget *makeBuildPage();
    void showPage(QWidget *page);
    void saveLog();
    void showFirstError();

    QStackedWidget *m_stack = nullptr;
    Label *m_empty = nullptr;
    FloxMissingPage *m_missing = nullptr;
    TeamLogPage *m_teamLog = nullptr;
    QWidget *m_page = nullptr;
    ConsoleHeader *m_header = nullptr;
    ConsoleView *m_view = nullptr;
    SearchBar *m_search = nullptr;
    OutcomeBar *m_outcome = nullptr;
    LogTree *m_tree = nullptr;
    qint64 m_firstError = -1; ///< offset in the log, until it is shown
};

} // namespace tmx
