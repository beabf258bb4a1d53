// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/HostFiles.h"
#include "tests/app/DrivenWindow.h"
#include "tests/support/TestMain.h"
#include "views/hardware/HardwarePanel.h"
#include "views/hardware/MachineBar.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QTemporaryDir>

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

    static void askOverSsh(const DrivenWindow &driven, const QString &host)
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
        QTest::keyClick(box, Qt::Key_D); // "Detect over ssh…", by its first letter
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

    void aPasswordIsNotAskedFor()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        askOverSsh(driven, u"password"_s);
        QTRY_VERIFY2(label(driven, u"What failed"_s).contains(u"without asking"_s),
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
