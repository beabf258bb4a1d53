// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Catalog.h"
#include "tests/model/hardware/Machines.h"
#include "tests/support/Choices.h"
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/hardware/HardwarePanel.h"
#include "views/hardware/PickList.h"

#include <QApplication>
#include <QSignalSpy>
#include <QtTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

class UnlikeGpusTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { pane::failOnWarnings(); }
    void showsAPickForEachOfUnlikeGpus();
};

void UnlikeGpusTest::showsAPickForEachOfUnlikeGpus()
{
    const auto catalog = Catalog::load();
    QVERIFY(catalog.ok());
    HardwarePanel panel(*catalog);
    panel.resize(320, 900);
    panel.show();
    const auto show = [&panel, &catalog](const QString &smi, const QString &branch) {
        const HostReport host = machine(u"ryzen-9-7950x"_s, smi);
        const MachinePicks picks =
            picksFor(**catalog, choiceOf(*(*catalog)->settings(branch)), host, Workload::General);
        panel.setReport(host);
        panel.setPicks(branch, picks);
    };
    const QString ada = u"0, NVIDIA GeForce RTX 4090, 8.9, 580.95.05, 24576 MiB, 00000000:01:00.0\n"_s;
    show(ada, u"main"_s);
    PickList *list = nullptr;
    for (auto *one : panel.findChildren<PickList *>()) {
        if (one->accessibleName() == u"For each of its GPUs"_s)
            list = one;
    }
    QVERIFY(list);
    QVERIFY(!list->isVisible());
    show(ada + u"1, NVIDIA GeForce RTX 3090, 8.6, 580.95.05, 24576 MiB, 00000000:02:00.0\n"_s, u"main"_s);
    QVERIFY(list->isVisible());
    const auto rows = [list] {
        QStringList result;
        for (int row = 0; row < list->model()->rowCount(); ++row) {
            const QModelIndex index = list->model()->index(row, 0);
            result.append(index.data().toString() + u": "_s + index.data(Qt::AccessibleDescriptionRole).toString());
        }
        return result;
    };
    QCOMPARE(rows(), QStringList({u"sm86 avx512: all of them"_s,
                                  u"sm89 avx512: NVIDIA GeForce RTX 4090 (compute capability 8.9)"_s,
                                  u"sm86 avx512: NVIDIA GeForce RTX 3090 (compute capability 8.6)"_s}));
    QSignalSpy shown(&panel, &HardwarePanel::showRequested);
    list->setFocus();
    list->setCurrentIndex(list->model()->index(0, 0)); // a window that is not active leaves it without one
    QTest::keyClick(list, Qt::Key_Down);
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(shown, QList<QVariantList>{{u"pytorch-python313-cuda12_8-sm89-avx512"_s}});
    // None for one of them: the list says so, and it leads to no cell.
    show(ada + u"1, NVIDIA GeForce GTX 1080 Ti, 6.1, 580.95.05, 11264 MiB, 00000000:02:00.0\n"_s, u"cuda-13_0"_s);
    QCOMPARE(rows().first(), u"None: one for all of them"_s);
    QCOMPARE(rows().last(), u"None: NVIDIA GeForce GTX 1080 Ti (compute capability 6.1)"_s);
    QVERIFY(list->model()->index(2, 0).data(Qt::ToolTipRole).toString().contains(u"12.9"_s));
    list->setCurrentIndex(list->model()->index(2, 0));
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(shown.size(), 1);
}

TM_TEST(UnlikeGpusTest, QApplication)
#include "tst_unlikegpus.moc"
