// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/MainWindowActions.h"

#include "app/Appearance.h"

#include <QAction>
#include <QActionGroup>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>

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

MainWindow::Actions::Actions(MainWindow *window)
{
    QMenuBar *bar = window->menuBar();
    QMenu *repository = bar->addMenu(MainWindow::tr("&Repository"));
    open = add(repository, MainWindow::tr("&Open\u2026"), QKeySequence::Open);
    recent = repository->addMenu(MainWindow::tr("Open re&cent"));
    refresh = add(repository, MainWindow::tr("&Refresh"), QKeySequence::Refresh);
    repository->addSeparator();
    QAction *quit = add(repository, MainWindow::tr("&Quit"), QKeySequence::Quit);
    QObject::connect(quit, &QAction::triggered, window, &QWidget::close);

    QMenu *recipe = bar->addMenu(MainWindow::tr("Re&cipe"));
    generate = add(recipe, MainWindow::tr("&Generate"), QKeySequence(Qt::CTRL | Qt::Key_G));
    generateAll = add(recipe, MainWindow::tr("Generate &all that is missing\u2026"),
                      QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G));
    recipe->addSeparator();
    commit = add(recipe, MainWindow::tr("&Commit"), QKeySequence(Qt::CTRL | Qt::Key_Return));
    commitWithMessage =
        add(recipe, MainWindow::tr("Commit with &message\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return));

    recipe->addSeparator();
    copy = add(recipe, MainWindow::tr("Copy to &branch\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));

    QMenu *branch = bar->addMenu(MainWindow::tr("Bra&nch"));
    derive = add(branch, MainWindow::tr("&Derive line\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D));
    migrate = add(branch, MainWindow::tr("&Migrate\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M));
    readme = add(branch, MainWindow::tr("&README tables\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R));

    QMenu *build_ = bar->addMenu(MainWindow::tr("&Build"));
    build = add(build_, MainWindow::tr("&Build with flox"), QKeySequence(Qt::CTRL | Qt::Key_B));
    stop = add(build_, MainWindow::tr("&Stop"), QKeySequence(Qt::CTRL | Qt::Key_Period));
    build_->addSeparator();
    detect = add(build_, MainWindow::tr("&Detect this machine"), QKeySequence(Qt::CTRL | Qt::Key_D));

    view = bar->addMenu(MainWindow::tr("&View"));
    filter = add(view, MainWindow::tr("&Filter the grid"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F));
    compare = add(view, MainWindow::tr("&Compare branches\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B));
    history = add(view, MainWindow::tr("Recipe's &history\u2026"), QKeySequence(Qt::CTRL | Qt::Key_H));
    addAppearance(window);
    view->addSeparator();

    QMenu *help = bar->addMenu(MainWindow::tr("&Help"));
    QAction *about = add(help, MainWindow::tr("&About Torch Matrix"));
    QObject::connect(about, &QAction::triggered, window, [window] {
        QMessageBox::about(window, MainWindow::tr("About Torch Matrix"),
                           MainWindow::tr("Torch Matrix %1\n\nManages matrices of PyTorch builds with Flox.")
                               .arg(QStringLiteral(TORCH_MATRIX_VERSION)));
    });
}

void MainWindow::Actions::addAppearance(MainWindow *window)
{
    QMenu *menu = view->addMenu(MainWindow::tr("&Appearance"));
    auto *group = new QActionGroup(window);
    const std::pair<QString, Appearance> choices[] = {{MainWindow::tr("As the &desktop"), Appearance::Desktop},
                                                      {MainWindow::tr("&Light"), Appearance::Light},
                                                      {MainWindow::tr("Dar&k"), Appearance::Dark}};
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

} // namespace tmx
