// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/BuildOutcome.h"
#include "model/build/BuildState.h"

#include <QWidget>

class QStackedWidget;

namespace tmx {

class ConsoleHeader;
class ConsoleView;
class FloxMissingPage;
class LogTree;
class OutcomeBar;
class SearchBar;

/// What a build prints and how it goes. Shows what it is told and asks for what the user wants; decides nothing.
class BuildConsole : public QWidget
{
    Q_OBJECT
public:
    explicit BuildConsole(QWidget *parent = nullptr);

    void startBuild(const QString &package); ///< the text of the build before goes
    void showLog(const QString &path);       ///< of the build that was started; it may grow, and need not be there yet
    void setState(const BuildState &state);
    void setOutcome(const BuildOutcome &outcome);
    void showFloxMissing(const QString &sentence); ///< until the next startBuild

    [[nodiscard]] ConsoleView *view() const { return m_view; }
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool isEmpty() const; ///< there was no build yet: one line says so

Q_SIGNALS:
    void stopRequested();
    void killRequested();
    void recipeRequested(int line); ///< of the build that is shown
    void hashFixRequested(const QString &stated, const QString &right);

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    QWidget *makeBuildPage();
    void showPage(QWidget *page);
    void saveLog();

    QStackedWidget *m_stack = nullptr;
    QWidget *m_empty = nullptr;
    FloxMissingPage *m_missing = nullptr;
    QWidget *m_page = nullptr;
    ConsoleHeader *m_header = nullptr;
    ConsoleView *m_view = nullptr;
    SearchBar *m_search = nullptr;
    OutcomeBar *m_outcome = nullptr;
    LogTree *m_tree = nullptr;
};

} // namespace tmx
