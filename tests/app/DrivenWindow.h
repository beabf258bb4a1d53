// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/controllers/BuildController.h"
#include "app/window/MainWindow.h"
#include "model/job/Queue.h"
#include "model/matrix/MatrixRoles.h"
#include "model/outcome/BuildState.h"
#include "model/snapshot/RecipeState.h"
#include "tests/support/JobProcesses.h"
#include "tests/support/SampleFixture.h"
#include "views/grid/GridPanel.h"
#include "views/recipe/RecipePane.h"
#include "views/widgets/NoticeBar.h"

#include <QAction>
#include <QDir>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace tmx::test {

/// A probe of this machine with enough room, whatever is on its disks.
inline PreflightProbes roomyMachine(BuildEngine engine)
{
    PreflightProbes probes = probeMachine(engine);
    probes.host.memoryBytes = qint64(1) << 40;
    probes.storeFree = probes.temporaryFree = qint64(1) << 50;
    return probes;
}

/// The window on a sample, driven by mouse and keyboard like by a user.
struct DrivenWindow {
    SampleFixture sample;
    QTemporaryDir jobFolder; ///< of this window's jobs
    std::unique_ptr<MainWindow> window;

    explicit DrivenWindow(const QString &missing = {}, SampleKind kind = SampleKind::Complete)
        : sample(kind)
    {
        qputenv("TORCH_MATRIX_STATE", jobFolder.path().toUtf8());
        QDir(jobFolder.path()).mkdir(QStringLiteral("store")); // results exist
        qputenv("TORCH_MATRIX_STANDIN_STORE", jobFolder.filePath(QStringLiteral("store")).toUtf8());
        if (!missing.isEmpty())
            sample.takeOut(missing);
        window = std::make_unique<MainWindow>(sample.catalog());
        window->findChild<BuildController *>()->setProbe(roomyMachine);
        window->resize(1280, 800);
        window->show();
        window->openRepository(sample.path());
    }
    /// No build outlives its window's test.
    ~DrivenWindow()
    {
        window.reset();
        Queue queue(jobFolder.path());
        const auto active = [&] {
            QStringList ids;
            const QList<JobRecord> jobs = readJobs(jobFolder.path());
            for (const JobRecord &record : jobs) {
                if (record.isActive())
                    ids.append(record.job.id);
            }
            return ids;
        };
        const auto over = [&] { return active().isEmpty() && isQuiet(jobFolder.path()); };
        while (!over()) {
            const Result<void> stopped = queue.stop(active());
            Q_UNUSED(stopped)
            const bool ended = QTest::qWaitFor(over, 2000);
            Q_UNUSED(ended)
        }
    }
    [[nodiscard]] bool settled() const { return window->isSettled(); }
    [[nodiscard]] GridPanel *grid() const { return window->findChild<GridPanel *>(); }
    [[nodiscard]] QTableView *table() const { return grid()->findChild<QTableView *>(); }
    [[nodiscard]] RecipePane *pane() const { return window->findChild<RecipePane *>(); }
    [[nodiscard]] NoticeBar *bar() const { return window->findChild<NoticeBar *>(QStringLiteral("notice")); }
    [[nodiscard]] QString notice() const { return bar()->text(); }

    [[nodiscard]] QModelIndex cell(const QString &name) const
    {
        const QAbstractItemModel *model = table()->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            for (int column = 0; column < model->columnCount(); ++column) {
                const QModelIndex index = model->index(row, column);
                if (index.data(VariantNameRole).toString() == name)
                    return index;
            }
        }
        return {};
    }
    [[nodiscard]] QString state(const QString &name) const
    {
        return toString(RecipeState(cell(name).data(RecipeStateRole).toInt()));
    }
    [[nodiscard]] QString build(const QString &name) const
    {
        return toString(BuildState::Phase(cell(name).data(BuildPhaseRole).toInt()));
    }
    void click(const QString &name) const
    {
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(cell(name)).center());
    }
    [[nodiscard]] QPushButton *button(const QWidget *in, const QString &text) const
    {
        for (QPushButton *button : in->findChildren<QPushButton *>()) {
            if (button->text() == text && button->isVisible())
                return button;
        }
        return nullptr;
    }
    [[nodiscard]] bool canClick(const QWidget *in, const QString &text) const
    {
        const QPushButton *found = button(in, text);
        return found && found->isEnabled();
    }
};

} // namespace tmx::test
