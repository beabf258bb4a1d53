// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/Menus.h"

#include "app/Appearance.h"
#include "app/Version.h"
#include "model/workspace/CellDetail.h"
#include "views/help/Manual.h"
#include "views/help/StatesAndKeys.h"
#include "views/widgets/Message.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QMainWindow>
#include <QMenuBar>
#include <QSettings>
#include <QWhatsThis>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::Menus)
};

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
    QMenu *repository = bar->addMenu(Words::tr("&Repository"));
    open = add(repository, Words::tr("&Open\u2026"), QKeySequence::Open);
    recent = repository->addMenu(Words::tr("Open re&cent"));
    create = add(repository, Words::tr("&New repository\u2026"));
    sample = add(repository, Words::tr("Make a &sample\u2026"));
    repository->addSeparator();
    refresh = add(repository, Words::tr("&Refresh"), QKeySequence::Refresh);
    repository->addSeparator();
    QAction *quit = add(repository, Words::tr("&Quit"), QKeySequence::Quit);
    QObject::connect(quit, &QAction::triggered, window, &QWidget::close);

    QMenu *edit = bar->addMenu(Words::tr("Ed&it"));
    undo = add(edit, Words::tr("&Undo"), QKeySequence(Qt::CTRL | Qt::Key_Z));
    redo = add(edit, Words::tr("&Redo"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z));

    QMenu *recipe = bar->addMenu(Words::tr("Re&cipe"));
    generate = add(recipe, Words::tr("&Generate"), QKeySequence(Qt::CTRL | Qt::Key_G));
    generateLike = add(recipe, Words::tr("Generate &like\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L));
    generateAll =
        add(recipe, Words::tr("Generate &all that is missing\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G));
    recipe->addSeparator();
    commit = add(recipe, Words::tr("&Commit"), QKeySequence(Qt::CTRL | Qt::Key_Return));
    commitWithMessage =
        add(recipe, Words::tr("Commit with &message\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return));

    recipe->addSeparator();
    copy = add(recipe, Words::tr("Copy to &branch\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));

    recipe->addSeparator();
    discard = add(recipe, Words::tr("D&iscard changes\u2026"));
    remove = add(recipe, Words::tr("&Delete\u2026"));

    QMenu *branch = bar->addMenu(Words::tr("Bra&nch"));
    checkOut = add(branch, Words::tr("&Check out"));
    fetch = add(branch, Words::tr("&Fetch"));
    push = add(branch, Words::tr("&Push"));
    setUpstream = add(branch, Words::tr("Set &upstream\u2026"));
    pullRequest = add(branch, Words::tr("&Open pull request"));
    branch->addSeparator();
    pullBuilds = add(branch, Words::tr("&Get builds of others"));
    pushBuilds = add(branch, Words::tr("S&hare builds"));
    branch->addSeparator();
    derive = add(branch, Words::tr("&Derive a branch\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D));
    migrate = add(branch, Words::tr("&Migrate\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M));
    readme = add(branch, Words::tr("&README tables\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R));
    exportCi = add(branch, Words::tr("&Export CI\u2026"));

    buildMenu = bar->addMenu(Words::tr("&Build"));
    build = add(buildMenu, Words::tr("&Build"), QKeySequence(Qt::CTRL | Qt::Key_B));
    buildOptions =
        add(buildMenu, Words::tr("Build with &options\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O));
    buildHere = add(buildMenu, Words::tr("Build the &working tree"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_B));
    buildMenu->addSeparator();
    buildMissing = add(buildMenu, Words::tr("Build all that were &never built"));
    buildStale = add(buildMenu, Words::tr("Build all whose &recipe changed"));
    buildFailed = add(buildMenu, Words::tr("Build all that &failed"));
    buildAll = add(buildMenu, Words::tr("Build &all of these"));
    buildMenu->addSeparator();
    publish = add(buildMenu, Words::tr("&Publish\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P));
    buildMenu->addSeparator();
    stop = add(buildMenu, Words::tr("&Stop"), QKeySequence(Qt::CTRL | Qt::Key_Period));
    stopAll = add(buildMenu, Words::tr("Stop a&ll\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Period));
    buildMenu->addSeparator();
    detect = add(buildMenu, Words::tr("&Detect this machine"), QKeySequence(Qt::CTRL | Qt::Key_D));

    view = bar->addMenu(Words::tr("&View"));
    filter = add(view, Words::tr("&Filter the grid"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F));
    compare = add(view, Words::tr("&Compare branches\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B));
    history = add(view, Words::tr("Recipe's &history\u2026"), QKeySequence(Qt::CTRL | Qt::Key_H));
    addAppearance(window);
    resetLayout = add(view, Words::tr("Reset &layout"));
    view->addSeparator();

    QMenu *help = bar->addMenu(Words::tr("&Help"));
    manual = add(help, Words::tr("&Manual"), QKeySequence::HelpContents);
    QAction *legend = add(help, Words::tr("&States and keys"), QKeySequence(Qt::CTRL | Qt::Key_Slash));
    QObject::connect(legend, &QAction::triggered, window,
                     [window] { (new StatesAndKeys(keysOf(window->menuBar()), window))->open(); });
    QObject::connect(manual, &QAction::triggered, window,
                     [window] { Manual::openFor(QApplication::focusWidget(), window); });
    new ManualKey(window);
    QAction *what = QWhatsThis::createAction(window);
    what->setText(Words::tr("&What's this?"));
    help->addAction(what);
    QAction *about = add(help, Words::tr("&About Torch Matrix"));
    QObject::connect(about, &QAction::triggered, window, [window] {
        tell(window, Words::tr("About Torch Matrix"),
             Words::tr("Torch Matrix %1\n\nManages matrices of PyTorch builds with Flox.")
                 .arg(QLatin1StringView(versionText)));
    });
}

void Menus::addAppearance(QMainWindow *window)
{
    QMenu *menu = view->addMenu(Words::tr("&Appearance"));
    auto *group = new QActionGroup(window);
    const std::pair<QString, Appearance> choices[] = {{Words::tr("As the &desktop"), Appearance::Desktop},
                                                      {Words::tr("&Light"), Appearance::Light},
                                                      {Words::tr("Dar&k"), Appearance::Dark},
                                                      {Words::tr("High &contrast"), Appearance::HighContrast}};
    const Appearance now = appearanceFrom(QSettings().value(u"appearance"_s).toString()).value_or(Appearance::Desktop);
    for (const auto &[text, appearance] : choices) {
        QAction *action = menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(appearance == now);
        group->addAction(action);
        QObject::connect(action, &QAction::triggered, window, [appearance] {
            QSettings().setValue(u"appearance"_s, toString(appearance));
            apply(appearance);
        });
    }
}

void Menus::update(const State &state, const CellActions &cell)
{
    const bool many = state.selected > 1;
    generate->setText(state.toGenerate > 1 ? Words::tr("&Generate %1 recipes").arg(state.toGenerate)
                                           : Words::tr("&Generate"));
    commit->setText(state.toCommit > 1 ? Words::tr("&Commit %1 recipes").arg(state.toCommit) : Words::tr("&Commit"));
    generate->setEnabled(cell.generate.enabled || many);
    generateLike->setEnabled(state.open && (many || (state.hasCurrent && !state.present)));
    commit->setEnabled(cell.commit.enabled || many);
    commitWithMessage->setEnabled(cell.commit.enabled || many);
    build->setText(many ? Words::tr("&Build %1 variants").arg(state.selected) : Words::tr("&Build"));
    build->setEnabled(cell.build.enabled || many);
    publish->setText(many ? Words::tr("&Publish %1 variants\u2026").arg(state.selected) : Words::tr("&Publish\u2026"));
    publish->setEnabled(state.open && (many || state.present));
    buildOptions->setEnabled(build->isEnabled());
    buildHere->setEnabled(cell.build.enabled);
    stop->setEnabled(state.building);
    stopAll->setEnabled(state.building);
    copy->setEnabled(state.open && (many || state.present));
    remove->setEnabled(copy->isEnabled());
    discard->setEnabled(commit->isEnabled());
    history->setEnabled(state.open && state.hasCurrent);
    for (QAction *action : {buildMissing, buildStale, buildFailed, buildAll})
        action->setEnabled(state.open);
    for (QAction *action : {generateAll, compare, derive, migrate, readme, exportCi, refresh})
        action->setEnabled(state.open);
}

} // namespace tmx
