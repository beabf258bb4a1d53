// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/StartController.h"

#include "app/window/RecentRepositories.h"
#include "model/matrix/RuleProblems.h"
#include "model/workspace/Sample.h"
#include "model/workspace/Workspace.h"
#include "views/start/NewRepositoryDialog.h"
#include "views/start/StartPage.h"
#include "views/widgets/Message.h"

#include <QDir>
#include <QFileDialog>
#include <QtConcurrent>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// A folder in `parent` that does not exist yet: "torch-matrix-sample", "torch-matrix-sample-2".
QString freshFolder(const QDir &parent, const QString &name)
{
    QString folder = parent.filePath(name);
    for (int i = 2; QFileInfo::exists(folder); ++i)
        folder = parent.filePath(u"%1-%2"_s.arg(name).arg(i));
    return folder;
}

} // namespace

StartController::StartController(Workspace *workspace, StartPage *page, QWidget *window)
    : QObject(window)
    , m_workspace(workspace)
    , m_page(page)
    , m_window(window)
{
    connect(page, &StartPage::newRequested, this, &StartController::openNew);
    connect(page, &StartPage::sampleRequested, this, &StartController::askForSample);
    const auto remember = [this] {
        if (m_workspace->isOpen())
            rememberTips(m_workspace->info().workTree, tipsOf(m_workspace->info()));
    };
    connect(workspace, &Workspace::opened, this, remember);
    connect(workspace, &Workspace::infoChanged, this, remember);
}

void StartController::openNew()
{
    if (m_dialog)
        return;
    const Settings *defaults = defaultsOf(*m_workspace->catalog());
    m_dialog = new NewRepositoryDialog(*m_workspace->catalog(), defaults ? *defaults : Settings(),
                                       freshFolder(QDir::home(), u"build-pytorch"_s), m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &NewRepositoryDialog::makeRequested, this, &StartController::make);
    connect(m_dialog, &NewRepositoryDialog::edited, this, &StartController::preview);
    m_dialog->open();
    preview();
}

void StartController::preview()
{
    QtConcurrent::run([catalog = m_workspace->catalog(), change = m_dialog->wanted().change] {
        const Result<QList<Variant>> variants = variantsOf(*catalog, change);
        return variants ? std::pair(cellMap(*catalog, *variants), int(variants->size())) : std::pair(CellMap(), 0);
    }).then(m_dialog.get(), [this, asked = ++m_asked](const std::pair<CellMap, int> &preview) {
        if (asked == m_asked)
            m_dialog->setPreview(preview.first, preview.second);
    });
}

void StartController::make()
{
    const NewRepository wanted = m_dialog->wanted();
    m_dialog->setBusy(true);
    QtConcurrent::run([catalog = m_workspace->catalog(), wanted] {
        return createBuildRepository(catalog, wanted);
    }).then(this, [this, wanted](const Result<Applied> &made) {
        if (m_dialog)
            m_dialog->setBusy(false);
        if (!made)
            return m_dialog ? m_dialog->setProblem(made.error().sentence()) : void();
        if (m_dialog)
            m_dialog->accept();
        Q_EMIT openRequested(wanted.folder);
    });
}

void StartController::askForSample()
{
    auto *dialog = new QFileDialog(m_window, tr("Folder for the sample"), QDir::homePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString &parent) { makeSample(freshFolder(parent, u"torch-matrix-sample"_s)); });
    dialog->open();
}

void StartController::makeSample(const QString &folder)
{
    m_page->setBusy(tr("Creating %1").arg(QDir::toNativeSeparators(folder)));
    QtConcurrent::run([catalog = m_workspace->catalog(), folder] {
        return createSample(catalog, folder, SampleKind::Story);
    }).then(this, [this, folder](const Result<void> &made) {
        m_page->setBusy({});
        if (!made) {
            tell(m_window, tr("Create a sample"), made.error().sentence());
            return;
        }
        Q_EMIT sampleMade();
        Q_EMIT openRequested(folder);
    });
}

} // namespace tmx
