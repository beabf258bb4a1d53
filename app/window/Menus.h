// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;
class QMenuBar;

namespace tmx {

struct CellActions;

/// The window's menus and their shortcuts. In the grid the single keys G, C and B do the same.
struct Menus {
    explicit Menus(QMainWindow *window);

    /// Which actions are possible.
    struct State {
        bool open = false;     ///< a repository is open
        bool building = false; ///< a build is running
        int selected = 0;      ///< number of selected cells
        int toGenerate = 0;    ///< number of these that can be generated
        int toCommit = 0;
        bool hasCurrent = false; ///< there is a current cell
        bool present = false;    ///< the current cell has a recipe
    };
    void update(const State &state, const CellActions &cell);

    QAction *open = nullptr;
    QAction *create = nullptr; ///< a new repository
    QAction *sample = nullptr;
    QAction *manual = nullptr;
    QAction *overview = nullptr; ///< of all repositories
    QMenu *recent = nullptr;     ///< filled just before it is shown
    QAction *refresh = nullptr;
    QAction *undo = nullptr;
    QAction *redo = nullptr;
    QAction *preferences = nullptr; ///< of the program, not of a branch
    QAction *generate = nullptr;
    QAction *generateLike = nullptr;
    QAction *generateAll = nullptr;
    QAction *commit = nullptr;
    QAction *commitWithMessage = nullptr;
    QAction *discard = nullptr;
    QAction *remove = nullptr;
    QAction *build = nullptr;
    QAction *buildHere = nullptr;
    QAction *buildOptions = nullptr;
    QAction *buildDependents = nullptr; ///< with what is built against the variants
    QMenu *buildMenu = nullptr;
    QAction *buildMissing = nullptr;
    QAction *buildStale = nullptr;
    QAction *buildFailed = nullptr;
    QAction *buildAll = nullptr;
    QAction *publish = nullptr;
    QAction *publishBuilt = nullptr; ///< all that is built
    QAction *stop = nullptr;
    QAction *stopAll = nullptr;
    QAction *detect = nullptr;
    QAction *goTo = nullptr;
    QAction *nextPart = nullptr; ///< moves the focus: grid, recipe, build
    QAction *filter = nullptr;
    QAction *resetLayout = nullptr;
    QAction *compare = nullptr;
    QAction *history = nullptr;
    QAction *checkOut = nullptr;
    QAction *fetch = nullptr;
    QAction *push = nullptr;
    QAction *setUpstream = nullptr;
    QAction *pullRequest = nullptr;
    QAction *pullBuilds = nullptr;
    QAction *pushBuilds = nullptr;
    QAction *derive = nullptr;
    QAction *migrate = nullptr;
    QAction *copy = nullptr;
    QAction *readme = nullptr;
    QAction *branchHistory = nullptr;
    QAction *exportCi = nullptr;
    QMenu *view = nullptr;
    QActionGroup *lenses = nullptr; ///< each with its Lens as data

private:
    void addRecipe(QMenuBar *bar);
    void addBranch(QMenuBar *bar);
    void addBuild(QMenuBar *bar);
    void addView(QMainWindow *window);
    void addHelp(QMainWindow *window);
    void addLenses(QMainWindow *window);
    void addAppearance(QMainWindow *window);
};

} // namespace tmx
