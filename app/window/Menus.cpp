// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/window/Menus.h"

#include "app/Version.h"
#include "app/window/Appearance.h"
#include "model/base/Preferences.h"
#include "model/base/Tr.h"
#include "model/matrix/Lens.h"
#include "model/workspace/CellDetail.h"
#include "views/help/Manual.h"
#include "views/help/StatesAndKeys.h"
#include "views/widgets/Message.h"
#include "views/widgets/Tips.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QMainWindow>
#include <QMenuBar>
#include <QMessageBox>
#include <QWhatsThis>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QAction *add(QMenu *menu, const QString &text, const QKeySequence &shortcut = {})
{
    QAction *action = menu->addAction(text);
    action->setShortcut(shortcut);
    return action;
}

} // namespace

Menus::Menus(QMainWindow *window)
{
    QMenuBar *bar = window->menuBar();
    QMenu *repository = bar->addMenu(Tr::tr("&Repository"));
    open = add(repository, Tr::tr("&Open\u2026"), QKeySequence::Open);
    recent = repository->addMenu(Tr::tr("Open re&cent"));
    overview =
        add(repository, Tr::tr("O&verview of repositories\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V));
    create = add(repository, Tr::tr("&New repository\u2026"));
    sample = add(repository, Tr::tr("Create a &sample\u2026"));
    repository->addSeparator();
    refresh = add(repository, Tr::tr("&Refresh"), QKeySequence::Refresh);
    repository->addSeparator();
    QAction *quit = add(repository, Tr::tr("&Quit"), QKeySequence::Quit);
    QObject::connect(quit, &QAction::triggered, window, &QWidget::close);

    QMenu *edit = bar->addMenu(Tr::tr("Ed&it"));
    undo = add(edit, Tr::tr("&Undo"), QKeySequence(Qt::CTRL | Qt::Key_Z));
    redo = add(edit, Tr::tr("&Redo"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z));
    edit->addSeparator();
    preferences = add(edit, Tr::tr("Application &settings\u2026"), QKeySequence(Qt::CTRL | Qt::Key_Comma));
    preferences->setMenuRole(QAction::PreferencesRole);
    addRecipe(bar);
    addBranch(bar);
    addBuild(bar);
    addView(window);
    addHelp(window);
}

void Menus::addRecipe(QMenuBar *bar)
{
    QMenu *recipe = bar->addMenu(Tr::tr("Re&cipe"));
    generate = add(recipe, Tr::tr("&Generate"), QKeySequence(Qt::CTRL | Qt::Key_G));
    generateLike = add(recipe, Tr::tr("Generate &like\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L));
    generateAll =
        add(recipe, Tr::tr("Generate &all missing recipes\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G));
    recipe->addSeparator();
    commit = add(recipe, Tr::tr("&Commit"), QKeySequence(Qt::CTRL | Qt::Key_Return));
    commitWithMessage =
        add(recipe, Tr::tr("Commit with &message\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return));

    recipe->addSeparator();
    history = add(recipe, Tr::tr("Recipe's &history\u2026"), QKeySequence(Qt::CTRL | Qt::Key_H));
    copy = add(recipe, Tr::tr("Copy to &branch\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));

    recipe->addSeparator();
    discard = add(recipe, Tr::tr("D&iscard changes\u2026"));
    remove = add(recipe, Tr::tr("&Delete\u2026"));
}

void Menus::addBranch(QMenuBar *bar)
{
    QMenu *branch = bar->addMenu(Tr::tr("Bra&nch"));
    checkOut = add(branch, Tr::tr("Chec&k out"));
    fetch = add(branch, Tr::tr("&Fetch"));
    push = add(branch, Tr::tr("&Push"));
    setUpstream = add(branch, Tr::tr("Set &upstream\u2026"));
    pullRequest = add(branch, Tr::tr("&Open pull request"));
    branch->addSeparator();
    pullBuilds = add(branch, Tr::tr("Fetch the &team's builds"));
    pushBuilds = add(branch, Tr::tr("S&hare my builds"));
    branch->addSeparator();
    compare = add(branch, Tr::tr("&Compare branches\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B));
    derive = add(branch, Tr::tr("&Derive a branch\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D));
    migrate = add(branch, Tr::tr("Change &version or pin\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M));
    readme = add(branch, Tr::tr("&README tables\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R));
    branchHistory = add(branch, Tr::tr("&History and undo\u2026"));
    exportCi = add(branch, Tr::tr("&Export CI\u2026"));
}

void Menus::addBuild(QMenuBar *bar)
{
    buildMenu = bar->addMenu(Tr::tr("&Build"));
    build = add(buildMenu, Tr::tr("&Build"), QKeySequence(Qt::CTRL | Qt::Key_B));
    buildOptions = add(buildMenu, Tr::tr("Build with &options\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O));
    buildDependents = add(buildMenu, Tr::tr("Build with &dependents\u2026"));
    buildHere = add(buildMenu, Tr::tr("Build the &working tree"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_B));
    buildMenu->addSeparator();
    buildMissing = add(buildMenu, Tr::tr("Build all &never built"));
    buildStale = add(buildMenu, Tr::tr("Build all s&tale"));
    buildFailed = add(buildMenu, Tr::tr("Build all &failed"));
    buildAll = add(buildMenu, Tr::tr("Build &all shown"));
    buildMenu->addSeparator();
    publish = add(buildMenu, Tr::tr("&Publish\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P));
    publishBuilt = add(buildMenu, Tr::tr("P&ublish all that is built\u2026"));
    buildMenu->addSeparator();
    stop = add(buildMenu, Tr::tr("&Stop"), QKeySequence(Qt::CTRL | Qt::Key_Period));
    stopAll = add(buildMenu, Tr::tr("Stop a&ll\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Period));
}

void Menus::addView(QMainWindow *window)
{
    view = window->menuBar()->addMenu(Tr::tr("&View"));
    goTo = add(view, Tr::tr("&Go to\u2026"), QKeySequence(Qt::CTRL | Qt::Key_K));
    nextPart = add(view, Tr::tr("&Next part of the window"), QKeySequence(Qt::Key_F6));
    view->addSeparator();
    filter = add(view, Tr::tr("&Filter the grid"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F));
    detect = add(view, Tr::tr("&Detect this machine"), QKeySequence(Qt::CTRL | Qt::Key_D));
    addLenses(window);
    addAppearance(window);
    resetLayout = add(view, Tr::tr("Reset &layout"));
    view->addSeparator();
}

void Menus::addHelp(QMainWindow *window)
{
    QMenu *help = window->menuBar()->addMenu(Tr::tr("&Help"));
    manual = add(help, Tr::tr("&Manual"), QKeySequence::HelpContents);
    QAction *legend = add(help, Tr::tr("&States and keys"), QKeySequence(Qt::CTRL | Qt::Key_Slash));
    QObject::connect(legend, &QAction::triggered, window,
                     [window] { (new StatesAndKeys(keysOf(window->menuBar()), window))->open(); });
    QObject::connect(manual, &QAction::triggered, window,
                     [window] { Manual::openFor(QApplication::focusWidget(), window); });
    new ManualKey(window);
    QAction *what = QWhatsThis::createAction(window);
    what->setText(Tr::tr("&What's this?"));
    help->addAction(what);
    QAction *about = add(help, Tr::tr("&About Torch Matrix"));
    QObject::connect(about, &QAction::triggered, window, [window] {
        tell(window, Tr::tr("About Torch Matrix"),
             Tr::tr("Torch Matrix %1\n\nManages matrices of package variants with Flox.\n\nLicense: MIT.")
                 .arg(QLatin1StringView(versionText)))
            ->setIconPixmap(window->windowIcon().pixmap(64));
    });
}

void Menus::addLenses(QMainWindow *window)
{
    QMenu *menu = view->addMenu(Tr::tr("Cells &show"));
    lenses = new QActionGroup(window);
    for (const Lens lens : allLenses) {
        QAction *action = add(menu, lensTitle(lens), QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + int(lens))));
        action->setCheckable(true);
        action->setData(int(lens));
        setPlainToolTip(action, lensMeaning(lens));
        lenses->addAction(action);
    }
}

void Menus::addAppearance(QMainWindow *window)
{
    QMenu *menu = view->addMenu(Tr::tr("&Appearance"));
    auto *group = new QActionGroup(window);
    const std::pair<QString, Appearance> choices[] = {{Tr::tr("As the &desktop"), Appearance::Desktop},
                                                      {Tr::tr("&Light"), Appearance::Light},
                                                      {Tr::tr("Dar&k"), Appearance::Dark},
                                                      {Tr::tr("High &contrast"), Appearance::HighContrast}};
    for (const auto &[text, appearance] : choices) {
        QAction *action = menu->addAction(text);
        action->setCheckable(true);
        action->setData(toString(appearance));
        group->addAction(action);
        QObject::connect(action, &QAction::triggered, window, [appearance] {
            Preferences preferences = Preferences::load();
            preferences.appearance = toString(appearance);
            (void)preferences.save().ok(); // If saving fails, it lasts until the window is closed.
            apply(appearance);
        });
    }
    // The preferences change it too.
    QObject::connect(menu, &QMenu::aboutToShow, group, [group] {
        const Appearance now = appearanceFrom(Preferences::load().appearance).value_or(Appearance::Desktop);
        for (QAction *action : group->actions())
            action->setChecked(action->data().toString() == toString(now));
    });
}

void Menus::update(const State &state, const CellActions &cell)
{
    const bool many = state.selected > 1;
    generate->setText(state.toGenerate > 1 ? Tr::tr("&Generate %n recipes", nullptr, state.toGenerate)
                                           : Tr::tr("&Generate"));
    commit->setText(state.toCommit > 1 ? Tr::tr("&Commit %n recipes", nullptr, state.toCommit) : Tr::tr("&Commit"));
    generate->setEnabled(cell.generate.enabled || many);
    generateLike->setEnabled(state.open && (many || (state.hasCurrent && !state.present)));
    commit->setEnabled(cell.commit.enabled || many);
    commitWithMessage->setEnabled(cell.commit.enabled || many);
    build->setText(many ? Tr::tr("&Build %n variants", nullptr, state.selected) : Tr::tr("&Build"));
    build->setEnabled(cell.build.enabled || many);
    publish->setText(many ? Tr::tr("&Publish %n variants\u2026", nullptr, state.selected) : Tr::tr("&Publish\u2026"));
    publish->setEnabled(state.open && (many || state.present));
    buildOptions->setEnabled(build->isEnabled());
    buildDependents->setEnabled(build->isEnabled());
    buildHere->setEnabled(cell.build.enabled);
    stop->setEnabled(state.building);
    stopAll->setEnabled(state.building);
    copy->setEnabled(state.open && (many || state.present));
    remove->setEnabled(copy->isEnabled());
    discard->setEnabled(commit->isEnabled());
    history->setEnabled(state.open && state.hasCurrent);
    for (QAction *action : {buildMissing, buildStale, buildFailed, buildAll})
        action->setEnabled(state.open);
    for (QAction *action : {generateAll, filter, compare, derive, migrate, readme, branchHistory, exportCi, refresh})
        action->setEnabled(state.open);
}

} // namespace tmx
