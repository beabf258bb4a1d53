// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/HostFiles.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/workspace/Workspace.h"
#include "tests/app/DrivenWindow.h"
#include "tests/support/TestMain.h"
#include "views/hardware/HardwarePanel.h"
#include "views/hardware/MachineBar.h"
#include "views/hardware/MachineTextDialog.h"
#include "views/hardware/PickList.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

/// Another machine over ssh, from the chooser to the picks; the stand-in for ssh runs the script here.
class TestWindowMachines : public QObject
{
    Q_OBJECT

    QByteArray m_path = qgetenv("PATH");
    QTemporaryDir m_config;

    static QString label(const DrivenWindow &driven, const QString &accessibleName)
    {
        for (const QLabel *label : driven.window->findChild<HardwarePanel *>()->findChildren<QLabel *>()) {
            if (label->accessibleName() == accessibleName && label->isVisible())
                return label->text();
        }
        return {};
    }

    /// Chooses an entry of the list of machines by its first letter.
    static void choose(const DrivenWindow &driven, Qt::Key letter)
    {
        driven.window->raisePanel(u"machine"_s);
        auto *bar = driven.window->findChild<MachineBar *>();
        QComboBox *box = nullptr;
        for (QComboBox *candidate : bar->findChildren<QComboBox *>()) {
            if (candidate->accessibleName() == u"Machine"_s)
                box = candidate;
        }
        QVERIFY(box);
        box->setFocus();
        QTest::keyClick(box, letter);
    }

    static void askOverSsh(const DrivenWindow &driven, const QString &host)
    {
        choose(driven, Qt::Key_D); // "Detect over ssh…"
        auto *bar = driven.window->findChild<MachineBar *>();
        QTRY_VERIFY(bar->findChild<QInputDialog *>());
        auto *line = bar->findChild<QInputDialog *>()->findChild<QLineEdit *>();
        QTest::keyClicks(line, host);
        QTest::keyClick(line, Qt::Key_Return);
    }

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_CONFIG_HOME", m_config.path().toUtf8()); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support propagateSizeHints)"_s));
        qputenv("PATH", QByteArray(TM_STANDINS "/ssh:" TM_STANDINS "/nvidia-smi:") + m_path);
        qputenv("TM_NVIDIA_SMI", "h100");
    }

    void asksAHostAndPicksForIt()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        askOverSsh(driven, u"gpu-box"_s);
        auto *bar = driven.window->findChild<MachineBar *>();
        QTRY_COMPARE(bar->shown(), (MachineRef{MachineRef::Kind::Ssh, u"gpu-box"_s}));
        QTRY_VERIFY(driven.settled());
        QCOMPARE(label(driven, u"GPU"_s), u"NVIDIA H100 80GB HBM3"_s);
        QCOMPARE(label(driven, u"Driver"_s), u"NVIDIA 580.159.04"_s);
        QVERIFY2(label(driven, u"What fits"_s).startsWith(u"pytorch-python313-"_s),
                 qPrintable(label(driven, u"What fits"_s)));
        // The command to build what fits goes to the clipboard.
        QTest::mouseClick(driven.button(driven.window->findChild<HardwarePanel *>(), u"Copy command"_s),
                          Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text(), u"flox build "_s + label(driven, u"What fits"_s));
        // Which GPUs no branch has a recipe for.
        QTRY_VERIFY(driven.window->findChild<HardwarePanel *>()->findChildren<QLabel *>().size() > 0);
        const auto labels = driven.window->findChild<HardwarePanel *>()->findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.cbegin(), labels.cend(),
                            [](const QLabel *one) { return one->text().contains(u"Orin 8.7"_s); }));
    }

    /// What nvidia-smi prints without a heading, and lscpu: the dialog says what it reads, asks whether the name is
    /// right, and one key leads to the variant on another branch.
    void aPastedTextLeadsToAVariantOfAnotherBranch()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        const QString before = driven.window->findChild<Workspace *>()->snapshot()->branch;
        choose(driven, Qt::Key_F); // "From a file or pasted text…"
        QTRY_VERIFY(driven.window->findChild<MachineTextDialog *>());
        auto *dialog = driven.window->findChild<MachineTextDialog *>();
        QApplication::clipboard()->setText(u"0, 580.159.04, NVIDIA H100 80GB HBM3, 81559\n"
                                           "Architecture: x86_64\nFlags: fpu sse4_2 avx avx2 fma f16c bmi2\n"_s);
        auto *text = dialog->findChild<QPlainTextEdit *>();
        QTest::keySequence(text, QKeySequence::Paste);
        auto *best = dialog->findChild<PickList *>();
        QTRY_VERIFY(best->isVisible() && best->model()->rowCount() > 1);
        const auto labels = dialog->findChildren<QLabel *>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel *one) {
            return one->isVisible() && one->text().contains(u"NVIDIA H100 80GB HBM3"_s);
        }));
        if (const QString folder = qEnvironmentVariable("TORCH_MATRIX_PICTURES"); !folder.isEmpty())
            dialog->grab().save(folder + u"/paste.png"_s);
        int row = 0;
        while (row < best->model()->rowCount() &&
               best->model()->index(row, 0).data(Qt::AccessibleDescriptionRole).toString().startsWith(before + u','))
            ++row;
        QVERIFY(row < best->model()->rowCount());
        best->setFocus();
        best->setCurrentIndex(best->model()->index(row, 0));
        QTest::keyClick(best, Qt::Key_Return); // not yet: the capability follows from the name
        auto *confirm = dialog->findChild<QCheckBox *>();
        QTRY_VERIFY(confirm->hasFocus());
        QTest::keyClick(confirm, Qt::Key_Space);
        QTest::keyClick(best, Qt::Key_Return);
        QTRY_VERIFY(!driven.window->findChild<MachineTextDialog *>());
        QTRY_VERIFY(driven.window->findChild<Workspace *>()->snapshot()->branch != before);
        QTRY_VERIFY(driven.settled());
        QCOMPARE(label(driven, u"GPU"_s), u"NVIDIA H100 80GB HBM3"_s);
    }

    void aPasswordIsNotAskedFor()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        askOverSsh(driven, u"password"_s);
        QTRY_VERIFY2(label(driven, u"What failed"_s).contains(u"without a password"_s),
                     qPrintable(label(driven, u"What failed"_s)));
        QCOMPARE(driven.window->findChild<MachineBar *>()->shown(), MachineRef());
        QTRY_VERIFY(driven.settled());
    }

    void aSilentHostHoldsNothingUp()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        askOverSsh(driven, u"silent"_s);
        QVERIFY(!driven.settled());
        driven.window->activateWindow(); // the dialog had it
        QTRY_VERIFY(driven.window->isActiveWindow());
        QTest::keyClick(driven.window.get(), Qt::Key_D, Qt::ControlModifier); // this machine, then
        QTRY_VERIFY(driven.settled());
        QCOMPARE(driven.window->findChild<MachineBar *>()->shown(), MachineRef());
        QVERIFY(label(driven, u"What failed"_s).isEmpty());
    }
};

TM_TEST(TestWindowMachines, QApplication)
#include "tst_windowmachines.moc"
