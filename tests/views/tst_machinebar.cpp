// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/hardware/MachineBar.h"
#include "views/hardware/MachineTextDialog.h"
#include "views/hardware/PickList.h"
#include "views/widgets/CopyButton.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

using namespace Qt::StringLiterals;
using namespace tmx;

/// The selector of machine and workload, driven like by a user.
class MachineBarTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup() { m_bar.reset(); }
    void choosesAMachine();
    void asksForAHost_data();
    void asksForAHost();
    void takesAPastedText();
    void showsWhatAPastedTextSays();
    void savesAndForgets();
    void choosesAWorkload();

private:
    template <class T>
    T *named(const QString &accessibleName) const;
    bool says(const QString &text) const;
    void click(QWidget *widget) const { QTest::mouseClick(widget, Qt::LeftButton); }

    std::unique_ptr<MachineBar> m_bar;
};

void MachineBarTest::init()
{
    pane::failOnWarnings();
    m_bar = std::make_unique<MachineBar>();
    m_bar->resize(320, 90);
    m_bar->show();
    m_bar->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_bar.get()));
}

template <class T>
T *MachineBarTest::named(const QString &accessibleName) const
{
    for (T *widget : m_bar->findChildren<T *>()) {
        if (widget->accessibleName() == accessibleName)
            return widget;
    }
    return nullptr;
}

bool MachineBarTest::says(const QString &text) const
{
    const auto labels = m_bar->findChildren<QLabel *>();
    return std::any_of(labels.cbegin(), labels.cend(),
                       [&text](const QLabel *label) { return label->isVisible() && label->text() == text; });
}

void MachineBarTest::choosesAMachine()
{
    auto *box = named<QComboBox>(u"Machine"_s);
    const auto entries = [box] {
        QStringList result;
        for (int i = 0; i < box->count(); ++i)
            result.append(box->itemText(i));
        return result;
    };
    MachineBar *bar = m_bar.get();
    QSignalSpy chosen(bar, &MachineBar::machineChosen);
    bar->setMachines({u"gpu-box"_s, u"rack-1"_s}, {});
    QCOMPARE(entries(), QStringList({u"This machine"_s, u"gpu-box"_s, u"rack-1"_s, QString(), u"Detect over ssh…"_s,
                                     u"From a file or pasted text…"_s}));
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Down);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen.first().first().value<MachineRef>(), (MachineRef{MachineRef::Kind::Saved, u"gpu-box"_s}));
    QCOMPARE(box->currentText(), u"This machine"_s); // until its answer is there
    bar->setMachines({u"gpu-box"_s, u"rack-1"_s}, {MachineRef::Kind::Saved, u"gpu-box"_s});
    QCOMPARE(box->currentText(), u"gpu-box"_s);
    // A machine that is not saved is listed while it is shown.
    bar->setMachines({u"gpu-box"_s}, {MachineRef::Kind::Ssh, u"me@far"_s});
    QCOMPARE(box->currentText(), u"me@far (ssh)"_s);
}

void MachineBarTest::asksForAHost_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<bool>("good");
    QTest::newRow("alias") << u"gpu-box"_s << true;
    QTest::newRow("user") << u" me@gpu-box "_s << true;
    QTest::newRow("an option") << u"-oProxyCommand=x"_s << false;
    QTest::newRow("words") << u"gpu box; ls"_s << false;
}

void MachineBarTest::asksForAHost()
{
    QFETCH(QString, typed);
    QFETCH(bool, good);
    MachineBar *bar = m_bar.get();
    QSignalSpy chosen(bar, &MachineBar::machineChosen);
    auto *box = named<QComboBox>(u"Machine"_s);
    Q_EMIT box->activated(box->findText(u"Detect over ssh…"_s));
    auto *dialog = m_bar->findChild<QInputDialog *>();
    QVERIFY(dialog);
    QTest::keyClicks(dialog->findChild<QLineEdit *>(), typed);
    QTest::keyClick(dialog->findChild<QLineEdit *>(), Qt::Key_Return);
    QCOMPARE(chosen.size(), good ? 1 : 0);
    if (good)
        QCOMPARE(chosen.first().first().value<MachineRef>(), (MachineRef{MachineRef::Kind::Ssh, typed.trimmed()}));
    else
        QVERIFY(says(u"\"%1\" is not a host name for ssh."_s.arg(typed)));
}

void MachineBarTest::takesAPastedText()
{
    MachineBar *bar = m_bar.get();
    QSignalSpy given(bar, &MachineBar::textGiven);
    auto *box = named<QComboBox>(u"Machine"_s);
    Q_EMIT box->activated(box->findText(u"From a file or pasted text…"_s));
    auto *dialog = m_bar->findChild<MachineTextDialog *>();
    QVERIFY(dialog);
    const auto buttons = dialog->findChildren<QPushButton *>();
    const auto use = std::find_if(buttons.cbegin(), buttons.cend(),
                                  [](const QPushButton *b) { return b->text().contains(u"Use this text"_s); });
    QVERIFY(use != buttons.cend());
    QVERIFY(!(*use)->isEnabled()); // nothing to use yet
    dialog->findChild<QPlainTextEdit *>()->setPlainText(u"Flags: avx2"_s);
    click(*use);
    QCOMPARE(given, QList<QVariantList>{{u"Flags: avx2"_s}});
}

/// What was recognised is shown while one types; a GPU that only its name tells is used after a confirmation.
void MachineBarTest::showsWhatAPastedTextSays()
{
    MachineBar *bar = m_bar.get();
    QSignalSpy typed(bar, &MachineBar::textTyped);
    QSignalSpy given(bar, &MachineBar::textGiven);
    QSignalSpy chosen(bar, &MachineBar::branchPickChosen);
    auto *box = named<QComboBox>(u"Machine"_s);
    Q_EMIT box->activated(box->findText(u"From a file or pasted text…"_s));
    auto *dialog = m_bar->findChild<MachineTextDialog *>();
    QVERIFY(dialog);
    dialog->findChild<QPlainTextEdit *>()->setPlainText(u"NVIDIA <b>H100</b>"_s);
    QTRY_COMPARE(typed, QList<QVariantList>{{u"NVIDIA <b>H100</b>"_s}});
    const auto buttons = dialog->findChildren<QPushButton *>();
    const auto use = std::find_if(buttons.cbegin(), buttons.cend(),
                                  [](const QPushButton *b) { return b->text().contains(u"Use this text"_s); });
    QVERIFY(use != buttons.cend() && (*use)->isEnabled());
    ReadMachine read;
    read.facts = {{HostFact::Kind::ByName, u"GPU"_s, u"NVIDIA <b>H100</b>: 9.0"_s, u"nvidia-smi"_s},
                  {HostFact::Kind::Missing, u"Processor"_s, u"not in the text"_s, u"lscpu"_s}};
    Pick pick;
    pick.variant = {u"pytorch"_s, u"python313"_s, u"12.9"_s, u"sm90"_s, u"avx2"_s};
    pick.fit = Fit::Exact;
    pick.branch = u"other"_s;
    read.best = {pick};
    bar->setRead(read);
    QVERIFY(!(*use)->isEnabled());
    if (const QString folder = qEnvironmentVariable("TORCH_MATRIX_PICTURES"); !folder.isEmpty())
        QVERIFY(dialog->grab().save(folder + u"/machine-text.png"_s));
    const QList<QLabel *> labels = dialog->findChildren<QLabel *>();
    for (const QLabel *label : labels)
        QCOMPARE(label->textFormat(), Qt::PlainText);
    QVERIFY(std::ranges::any_of(
        labels, [](const QLabel *label) { return label->text() == u"NVIDIA <b>H100</b>: 9.0, by its name"; }));
    const QList<CopyButton *> copies = dialog->findChildren<CopyButton *>();
    QVERIFY(std::ranges::any_of(copies, [](const CopyButton *copy) { return copy->content() == u"lscpu"; }));
    auto *list = dialog->findChild<PickList *>();
    list->setCurrentIndex(list->model()->index(0, 0));
    QTest::keyClick(list, Qt::Key_Return); // before the confirmation
    QCOMPARE(chosen.size(), 0);
    dialog->findChild<QCheckBox *>()->setChecked(true);
    QVERIFY((*use)->isEnabled());
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(given.size(), 1);
    QCOMPARE(chosen, (QList<QVariantList>{{u"other"_s, pick.variant.name()}}));
}

void MachineBarTest::savesAndForgets()
{
    MachineBar *bar = m_bar.get();
    QSignalSpy saved(bar, &MachineBar::saveRequested);
    QSignalSpy forgotten(bar, &MachineBar::forgetRequested);
    bar->setMachines({u"rack-1"_s}, {});
    auto *save = named<QPushButton>(u"Save this machine under a name"_s);
    auto *forget = named<QPushButton>(u"Forget this saved machine"_s);
    QVERIFY(save->isVisible() && !forget->isVisible());
    const auto type = [&](const QString &name) {
        click(save);
        for (auto *dialog : m_bar->findChildren<QInputDialog *>()) {
            if (!dialog->isVisible())
                continue;
            dialog->setTextValue(name);
            QTest::keyClick(dialog->findChild<QLineEdit *>(), Qt::Key_Return);
        }
    };
    type(u"../../etc"_s);
    QVERIFY(says(u"\"../../etc\" is not a valid name for a machine."_s));
    type(u"rack-1"_s); // never over another one
    QCOMPARE(saved.size(), 0);
    type(u"rack-2"_s);
    QCOMPARE(saved, QList<QVariantList>{{u"rack-2"_s}});

    bar->setMachines({u"rack-1"_s}, {MachineRef::Kind::Saved, u"rack-1"_s});
    QVERIFY(!save->isVisible() && forget->isVisible());
    const auto answer = [&](const QString &text) {
        click(forget);
        for (auto *box : m_bar->findChildren<QMessageBox *>()) {
            for (QPushButton *button : box->findChildren<QPushButton *>()) {
                if (box->isVisible() && button->text().remove(u'&') == text)
                    click(button);
            }
        }
    };
    answer(u"Cancel"_s);
    QCOMPARE(forgotten.size(), 0);
    answer(u"Forget"_s);
    QCOMPARE(forgotten, QList<QVariantList>{{u"rack-1"_s}});
}

void MachineBarTest::choosesAWorkload()
{
    MachineBar *bar = m_bar.get();
    QSignalSpy chosen(bar, &MachineBar::workloadChosen);
    auto *box = named<QComboBox>(u"Workload"_s);
    QCOMPARE(box->currentText(), u"General"_s);
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Down);
    QTest::keyClick(box, Qt::Key_Down);
    QCOMPARE(chosen.size(), 2);
    QCOMPARE(chosen.last().first().value<Workload>(), Workload::Int8Inference);
    QCOMPARE(chosen.size(), 2); // told once each, and not by setWorkload
    bar->setWorkload(Workload::WidestReach);
    QCOMPARE(box->currentText(), u"Runs on most machines"_s);
    QCOMPARE(chosen.size(), 2);
}

TM_TEST(MachineBarTest, QApplication)
#include "tst_machinebar.moc"
