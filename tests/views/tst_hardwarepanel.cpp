// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Catalog.h"
#include "tests/model/hardware/Machines.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/Choices.h"
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/hardware/Chip.h"
#include "views/hardware/HardwarePanel.h"
#include "views/hardware/PickList.h"
#include "views/theme/Colors.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QtTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

class HardwarePanelTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup() { m_panel.reset(); }
    void asksForTheFirstDetection();
    void showsProgressAndKeepsWhatWasThere();
    void showsTheMachine();
    void showsTheVariantThatFits();
    void copiesTheName();
    void asksToShowAndGenerate();
    void generatesOnlyWhatIsMissing();
    void whatFitsBestComesFirst();
    void showsAlternatives();
    void listsWhatDoesNotRunOnRequest();
    void takesEveryStepByKey();
    void saysWhenNothingFits();
    void saysWhenThereIsNoGpu();
    void saysWhenNoInstructionSetRuns();
    void judgesTheDriver_data();
    void judgesTheDriver();
    void countsLikeGpus();
    void forgetsPicksWithoutARepository();
    void staysNarrow_data();
    void staysNarrow();
    void keepsItsTextLegible_data();
    void keepsItsTextLegible();
    void namesEveryControl();
    void asksAgainWhatCanAnswer();
    void saysWhatFailedAndKeepsTheRest();
    void buildsOnlyWhatIsThere();
    void listsWhatHasNoRecipe();
    void listsRemoteBuilders();

private:
    void present(const HostReport &host, const QString &branch, const QString &missing = {});
    void pickOnly(const HostReport &host, const QString &branch, const QString &missing);
    template <class T>
    T *named(const QString &accessibleName) const;
    QStringList texts() const;
    bool says(const QString &text) const { return texts().contains(text); }
    void click(QWidget *widget) const { QTest::mouseClick(widget, Qt::LeftButton); }

    std::shared_ptr<const Catalog> m_catalog;
    std::unique_ptr<HardwarePanel> m_panel;
};

void HardwarePanelTest::initTestCase()
{
    m_catalog = testing::builtInCatalog();
}

void HardwarePanelTest::init()
{
    pane::failOnWarnings();
    QApplication::setPalette(pane::lightPalette());
    m_panel = std::make_unique<HardwarePanel>(m_catalog);
    m_panel->resize(320, 900);
    m_panel->show();
    m_panel->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
}

void HardwarePanelTest::present(const HostReport &host, const QString &branch, const QString &missing)
{
    m_panel->setReport(host);
    pickOnly(host, branch, missing);
}

void HardwarePanelTest::pickOnly(const HostReport &host, const QString &branch, const QString &missing)
{
    const Settings *settings = m_catalog->settings(branch);
    PickChoice choice = choiceOf(*settings, m_catalog.get());
    for (Candidate &candidate : choice.candidates) {
        if (!missing.isEmpty() && candidate.variant.name().contains(missing)) {
            candidate.recipe = Candidate::Recipe::None;
            candidate.package.clear();
        }
    }
    QStringList toolkits;
    for (const Variant &kind : choice.kinds) {
        if (!kind.cuda.isEmpty())
            toolkits.append(kind.cuda);
    }
    m_panel->setPicks(branch, picksFor(*m_catalog, choice, host, Workload::General),
                      judgeDriver(*m_catalog, host, toolkits));
}

template <class T>
T *HardwarePanelTest::named(const QString &accessibleName) const
{
    for (T *widget : m_panel->findChildren<T *>()) {
        if (widget->accessibleName() == accessibleName)
            return widget;
    }
    return nullptr;
}

QStringList HardwarePanelTest::texts() const
{
    QStringList result;
    for (const QLabel *label : m_panel->findChildren<QLabel *>()) {
        if (label->isVisible())
            result.append(label->text());
    }
    return result;
}

void HardwarePanelTest::listsRemoteBuilders()
{
    HostReport host = capturedH100();
    m_panel->setReport(host);
    QVERIFY(!says(u"Remote builders"_s));
    BuilderReport report;
    for (const NixBuilder &builder : parseNixBuilders(u"ssh-ng://arm aarch64-linux - 4 ; ssh://old"_s))
        report.builders.append({.builder = builder, .nixVersion = {}, .problem = {}});
    m_panel->setBuilders(report);
    QVERIFY(says(u"Remote builders"_s) && says(u"ssh-ng://arm"_s) && says(u"aarch64-linux · 4 builds at a time"_s));
    QVERIFY(says(u"Checking…"_s));
    report.builders[0].state = BuilderAnswer::State::Answers;
    report.builders[0].nixVersion = u"2.26.3"_s;
    report.builders[1].state = BuilderAnswer::State::Silent;
    report.builders[1].problem = u"connect to host old port 22: Connection refused"_s;
    report.remarks = {u"A remark."_s};
    m_panel->setBuilders(report);
    QVERIFY(says(u"✓ Answers, Nix 2.26.3"_s) && says(u"A remark."_s) && !says(u"Checking…"_s));
    QVERIFY(says(u"✗ Does not answer: connect to host old port 22: Connection refused"_s));
    // For another machine its builders are known, but not whether they answer.
    host.builders = {u"ssh://far (aarch64-linux)"_s};
    m_panel->setReport(host);
    QVERIFY(says(u"ssh://far (aarch64-linux)"_s) && !says(u"ssh-ng://arm"_s));
}

void HardwarePanelTest::asksForTheFirstDetection()
{
    QSignalSpy asked(m_panel.get(), &HardwarePanel::detectRequested);
    QVERIFY(says(u"Detect this machine to see which variant fits it."_s));
    click(named<QPushButton>(u"Detect this machine's hardware"_s));
    QCOMPARE(asked.size(), 1);
    m_panel->setDetecting();
    QVERIFY(says(u"Detecting this machine…"_s));
    QVERIFY(named<QProgressBar>(u"Detecting"_s)->isVisible());
    QVERIFY(!named<QPushButton>(u"Detect this machine's hardware"_s)->isVisible());
}

void HardwarePanelTest::showsProgressAndKeepsWhatWasThere()
{
    present(capturedH100(), u"main"_s);
    auto *again = named<QPushButton>(u"Detect this machine's hardware again"_s);
    const int top = again->mapTo(m_panel.get(), QPoint()).y();
    QSignalSpy asked(m_panel.get(), &HardwarePanel::detectRequested);
    click(again);
    QCOMPARE(asked.size(), 1);
    m_panel->setDetecting();
    QVERIFY(named<QProgressBar>(u"Detecting"_s)->isVisible());
    QVERIFY(!again->isEnabled());
    click(again);
    QCOMPARE(asked.size(), 1);
    QVERIFY(says(u"pytorch-python313-cuda12_8-sm90-avx512"_s));
    QCOMPARE(again->mapTo(m_panel.get(), QPoint()).y(), top);
    m_panel->setReport(capturedH100());
    QVERIFY(!named<QProgressBar>(u"Detecting"_s)->isVisible());
    QVERIFY(again->isEnabled());
}

void HardwarePanelTest::showsTheMachine()
{
    HostReport host = capturedH100();
    host.cores = 16;
    host.remarks = {u"A remark."_s};
    m_panel->setReport(host);
    const QStringList shown = texts();
    for (const QString &text :
         {u"box"_s, u"Intel(R) Xeon(R) Processor"_s, u"16 cores · 128\u00a0GiB memory · x86_64-linux"_s,
          u"NVIDIA H100 80GB HBM3"_s, u"sm90 Hopper · capability 9.0 · 80\u00a0GiB"_s, u"NVIDIA 580.159.04"_s,
          u"A remark."_s})
        QVERIFY2(shown.contains(text), qPrintable(text));
    QStringList chips;
    for (const Chip *chip : m_panel->findChildren<Chip *>()) {
        if (chip->isVisible())
            chips.append(chip->text());
    }
    QCOMPARE(chips, QStringList({u"AVX-512"_s, u"AVX-512 VNNI"_s, u"AVX-512 BF16"_s, u"AVX2"_s, u"AVX"_s}));
    QVERIFY(says(u"Which variant fits?"_s)); // no repository yet
}

void HardwarePanelTest::showsTheVariantThatFits()
{
    present(capturedH100(), u"cuda-13_0"_s);
    auto *name = named<QLabel>(u"What fits"_s);
    QCOMPARE(name->text(), u"pytorch-python313-cuda13_0-sm90-avx512"_s);
    QVERIFY(name->textInteractionFlags().testFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard));
    QVERIFY(name->fontInfo().pointSizeF() > m_panel->fontInfo().pointSizeF());
    QVERIFY(says(u"Fits best on cuda-13_0"_s));
    QVERIFY(says(u"Exact"_s));
    QCOMPARE(named<QLabel>(u"Why"_s)->text(),
             u"Made for the NVIDIA H100 80GB HBM3 (compute capability 9.0); the CPU has all that AVX-512 needs."_s);
    // What it is and the button that gets it are one line, and the state is below.
    auto *build = named<QPushButton>(u"Build the variant that fits"_s);
    const auto at = [this](const QWidget *widget) { return widget->mapTo(m_panel.get(), QPoint()); };
    QVERIFY(build->isVisible() && at(build).y() < at(name).y() + name->height() && at(build).x() > at(name).x());
    MachinePicks picks = picksFor(*m_catalog, choiceOf(*m_catalog->settings(u"cuda-13_0"_s), m_catalog.get()),
                                  capturedH100(), Workload::General);
    picks.picks.first().state = u"not built"_s;
    picks.picks.first().stated = {u"Nobody built it."_s};
    picks.picks.first().reasons.append(u"Nobody built it."_s);
    picks.picks[1].state = u"built by team"_s;
    picks.picks[2].state = u"not built"_s;
    picks.picks[2].stated = {u"Nobody built it."_s};
    m_panel->setPicks(u"cuda-13_0"_s, picks);
    QVERIFY(says(u"Fits best on cuda-13_0, not built"_s));
    // Of the others, what needs no build is told.
    const QAbstractItemModel *others = named<PickList>(u"Others that run here, best first"_s)->model();
    QVERIFY(others->index(0, 0).data(Qt::AccessibleDescriptionRole).toString().contains(u", built by team"_s));
    QVERIFY(!others->index(1, 0).data(Qt::AccessibleDescriptionRole).toString().contains(u"built"_s));
    QVERIFY(!named<QLabel>(u"More reasons"_s)->text().contains(u"Nobody"_s));
    present(capturedH100(), u"cuda-13_0"_s);
    // The driver's sentence is shown once, next to the driver.
    QCOMPARE(texts().filter(u"580.65.06"_s),
             QStringList{u"✓ Driver 580.159.04 is new enough for CUDA 13.0 (580.65.06 or later)."_s});
}

void HardwarePanelTest::copiesTheName()
{
    present(capturedH100(), u"main"_s);
    click(named<QPushButton>(u"Copy the package's name"_s));
    QCOMPARE(QGuiApplication::clipboard()->text(), u"pytorch-python313-cuda12_8-sm90-avx512"_s);
}

void HardwarePanelTest::asksToShowAndGenerate()
{
    const QString name = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
    present(capturedH100(), u"main"_s, u"-sm90-"_s);
    QSignalSpy shown(m_panel.get(), &HardwarePanel::showRequested);
    QSignalSpy generated(m_panel.get(), &HardwarePanel::generateRequested);
    click(named<QPushButton>(u"Show the variant that fits in the grid"_s));
    QCOMPARE(shown, QList<QVariantList>{{name}});
    click(named<QPushButton>(u"Generate the recipe of the variant that fits"_s));
    QCOMPARE(generated, QList<QVariantList>{{name}});
}

void HardwarePanelTest::generatesOnlyWhatIsMissing()
{
    present(capturedH100(), u"main"_s, u"-sm90-"_s);
    auto *generate = named<QPushButton>(u"Generate the recipe of the variant that fits"_s);
    QVERIFY(generate->isVisible());
    QCOMPARE(generate->toolTip(), u"Write the recipe from the template."_s);
    QCOMPARE(generate->accessibleDescription(), generate->toolTip());
    pickOnly(capturedH100(), u"main"_s, {});
    QVERIFY(!generate->isVisible());
}

/// What fits better than the branch's recipe is the card's first line, with a button to get it.
void HardwarePanelTest::whatFitsBestComesFirst()
{
    const QString wanted = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
    const auto other = [] {
        Pick pick{.variant = {u"pytorch"_s, u"python313"_s, u"13.0"_s, u"sm90"_s, u"avx512"_s}, .fit = Fit::Exact};
        pick.branch = u"<b>next</b>"_s;
        pick.recipe = Candidate::Recipe::Sound;
        pick.driver.sentence = u"Driver for CUDA 13.0."_s;
        return pick;
    }();
    const Settings *settings = m_catalog->settings(u"main"_s);
    PickChoice choice = choiceOf(*settings, m_catalog.get());
    for (Candidate &candidate : choice.candidates) {
        if (candidate.variant.name() == wanted) {
            candidate.recipe = Candidate::Recipe::None;
            candidate.package.clear();
        }
    }
    MachinePicks picks = picksFor(*m_catalog, choice, capturedH100(), Workload::General);
    QVERIFY(!picks.better.isEmpty());
    QCOMPARE(picks.better.constFirst().pick.variant.name(), wanted);
    QVERIFY(picks.picks.constFirst().reasons.contains(picks.better.constFirst().sentence));
    picks.better.resize(1);
    picks.better.append({other, u"Branch next has it."_s});
    m_panel->setReport(capturedH100());
    m_panel->setPicks(u"main"_s, picks);
    auto *generate = named<QPushButton>(u"Generate the recipe of "_s + wanted);
    auto *open = named<QPushButton>(u"Open branch <b>next</b> at pytorch-python313-cuda13_0-sm90-avx512"_s);
    auto *first = named<QLabel>(picks.better.constFirst().sentence);
    QVERIFY(generate && open && first);
    QVERIFY2(first->text().startsWith(u"Best: "_s) && first->text().endsWith(u"sm90 avx512, no recipe yet"_s),
             qPrintable(first->text()));
    // The driver is judged for the toolkit of each.
    QTRY_VERIFY(says(u"Driver for CUDA 13.0."_s));
    const QString second = named<QLabel>(u"Branch next has it."_s)->text();
    QVERIFY2(second.startsWith(u"Second: "_s) && second.endsWith(u" on branch <b>next</b>"_s), qPrintable(second));
    auto *name = named<QLabel>(u"What fits"_s);
    const auto top = [this](const QWidget *widget) { return widget->mapTo(m_panel.get(), QPoint()).y(); };
    QTRY_VERIFY(top(first) < top(open) && top(open) < top(name));
    QVERIFY(says(u"Best that has a recipe on main"_s));
    QCOMPARE(name->text(), u"Third: "_s + picks.picks.constFirst().variant.name());
    QVERIFY(named<QLabel>(u"Branch next has it."_s)->textFormat() == Qt::PlainText);
    // It is said once, and is not one of the others.
    QVERIFY(!named<QLabel>(u"More reasons"_s)->text().contains(u"fit better"_s));
    auto *list = named<PickList>(u"Others that run here, best first"_s);
    QVERIFY(list);
    for (int row = 0; row < list->model()->rowCount(); ++row)
        QVERIFY(list->model()->index(row, 0).data(Qt::AccessibleTextRole).toString() != wanted);
    QSignalSpy generated(m_panel.get(), &HardwarePanel::generateRequested);
    QSignalSpy opened(m_panel.get(), &HardwarePanel::branchRequested);
    click(generate);
    open->setFocus();
    QTest::keyClick(open, Qt::Key_Space);
    QCOMPARE(generated, QList<QVariantList>{{wanted}});
    QCOMPARE(opened, (QList<QVariantList>{{other.branch, other.variant.name()}}));
    // With nothing better the line goes.
    pickOnly(capturedH100(), u"main"_s, {});
    QTRY_VERIFY(!named<QPushButton>(u"Generate the recipe of "_s + wanted));
    QVERIFY(says(u"Fits best on main"_s));
}

void HardwarePanelTest::showsAlternatives()
{
    present(capturedH100(), u"main"_s, u"-sm90-avx512bf16"_s);
    auto *list = named<PickList>(u"Others that run here, best first"_s);
    QVERIFY(list);
    const auto rows = [list] {
        QStringList result;
        for (int row = 0; row < list->model()->rowCount(); ++row) {
            const QModelIndex index = list->model()->index(row, 0);
            result.append(index.data(Qt::AccessibleTextRole).toString() + u": "_s +
                          index.data(Qt::AccessibleDescriptionRole).toString());
        }
        return result;
    };
    QCOMPARE(rows(), QStringList({u"pytorch-python313-cuda12_8-sm90-avx512vnni: Exact"_s,
                                  u"pytorch-python313-cuda12_8-sm90-avx512bf16: Exact, no recipe yet"_s,
                                  u"pytorch-python313-cuda12_8-sm90-avx2: Runs, not tuned"_s,
                                  u"pytorch-python313-cpu-avx512: Runs, CPU only"_s}));
    QVERIFY(list->model()->index(2, 0).data(Qt::ToolTipRole).toString().contains("which could use AVX-512"_L1));
    QVERIFY(list->model()->index(2, 0).data(Qt::ToolTipRole).toString().startsWith("pytorch-python313-cuda12_8"_L1));
    QCOMPARE(list->model()->index(3, 0).data().toString(), u"cpu avx512"_s); // only what tells them apart
    const auto buttons = m_panel->findChildren<QPushButton *>();
    const auto all = std::find_if(buttons.cbegin(), buttons.cend(),
                                  [](const QPushButton *button) { return button->text() == "Show all 7"_L1; });
    QVERIFY(all != buttons.cend());
    click(*all);
    QCOMPARE(rows().size(), 7);
    QCOMPARE((*all)->text(), u"Show fewer"_s);
    QTRY_VERIFY(list->height() >= list->sizeHint().height()); // the panel scrolls, the list does not
    QSignalSpy shown(m_panel.get(), &HardwarePanel::showRequested);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(1, 0)).center());
    QCOMPARE(shown, QList<QVariantList>{{u"pytorch-python313-cuda12_8-sm90-avx512bf16"_s}});
}

void HardwarePanelTest::listsWhatDoesNotRunOnRequest()
{
    present(capturedH100(), u"main"_s);
    auto *list = named<PickList>(u"Variants that do not run here"_s);
    QVERIFY(list && !list->isVisible());
    const auto buttons = m_panel->findChildren<QPushButton *>();
    const auto show = std::ranges::find_if(
        buttons, [](const QPushButton *button) { return button->text().endsWith("that do not run"_L1); });
    QVERIFY(show != buttons.cend());
    QCOMPARE((*show)->text(), u"Show 36 variants that do not run"_s);
    click(*show);
    QVERIFY(list->isVisible());
    QCOMPARE(list->model()->rowCount(), 36);
    const QModelIndex arm = list->model()->index(0, 0);
    QCOMPARE(arm.data(Qt::AccessibleTextRole).toString(), u"pytorch-python313-cpu-armv8_2"_s);
    QCOMPARE(arm.data(Qt::AccessibleDescriptionRole).toString(),
             u"ARMv8.2-A is for aarch64-linux; this machine is x86_64-linux."_s);
    click(*show);
    QVERIFY(!list->isVisible());
}

void HardwarePanelTest::takesEveryStepByKey()
{
    const QString best = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
    present(capturedH100(), u"main"_s, u"-sm90-"_s);
    QSignalSpy shown(m_panel.get(), &HardwarePanel::showRequested);
    QSignalSpy generated(m_panel.get(), &HardwarePanel::generateRequested);
    QSignalSpy asked(m_panel.get(), &HardwarePanel::detectRequested);
    named<QPushButton>(u"Detect this machine's hardware again"_s)->setFocus();
    QStringList order;
    for (int i = 0; i < 12; ++i) {
        QWidget *focus = QApplication::focusWidget();
        QVERIFY(focus);
        if (qobject_cast<QComboBox *>(focus)) // round to the top
            break;
        const auto *button = qobject_cast<QPushButton *>(focus);
        const QString name = button && focus->accessibleName().isEmpty() ? button->text() : focus->accessibleName();
        if (order.contains(name))
            break;
        order.append(name);
        if (button)
            QTest::keyClick(focus, Qt::Key_Space);
        if (qobject_cast<PickList *>(focus)) {
            QTest::keyClick(focus, Qt::Key_Down);
            QTest::keyClick(focus, Qt::Key_Return);
        }
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    QCOMPARE(
        order,
        QStringList({u"Detect this machine's hardware again"_s, u"Generate the recipe of the variant that fits"_s,
                     u"Show the variant that fits in the grid"_s, u"Copy the package's name"_s,
                     u"Others that run here, best first"_s, u"Show all 7"_s, u"Show 36 variants that do not run"_s}));
    QCOMPARE(asked.size(), 1);
    QCOMPARE(generated, QList<QVariantList>{{best}});
    QCOMPARE(shown, (QList<QVariantList>{{best}, {u"pytorch-python313-cuda12_8-sm90-avx512bf16"_s}}));
    QCOMPARE(QGuiApplication::clipboard()->text(), best);
}

void HardwarePanelTest::saysWhenNothingFits()
{
    present(machine(u"i7-8700k"_s, u"0, NVIDIA GeForce GTX 1080 Ti, 6.1, 580.95.05, 11264 MiB, 00000000:01:00.0\n"_s),
            u"cuda-13_0"_s);
    QCOMPARE(named<QLabel>(u"What fits"_s)->text(), u"No variant of cuda-13_0 fits"_s);
    QVERIFY(named<QLabel>(u"Why"_s)->text().contains("branch cuda-12_9 has pytorch-python313-cuda12_9-sm61-avx2"_L1));
    for (const QString &name : {u"Show the variant that fits in the grid"_s,
                                u"Generate the recipe of the variant that fits"_s, u"Copy the package's name"_s})
        QVERIFY2(!named<QPushButton>(name)->isVisible(), qPrintable(name));
    auto *list = named<PickList>(u"Without the GPU"_s);
    QVERIFY(list && list->isVisible());
    QCOMPARE(list->model()->index(0, 0).data(Qt::AccessibleTextRole).toString(), u"pytorch-python313-cpu-avx2"_s);
    // Another branch of the same machine.
    pickOnly(machine(u"i7-8700k"_s, u"0, NVIDIA GeForce GTX 1080 Ti, 6.1, 580.95.05, 11264 MiB, 00000000:01:00.0\n"_s),
             u"main"_s, {});
    QCOMPARE(named<QLabel>(u"What fits"_s)->text(), u"pytorch-python313-cuda12_8-sm61-avx2"_s);
    QVERIFY(named<QPushButton>(u"Copy the package's name"_s)->isVisible());
}

void HardwarePanelTest::saysWhenThereIsNoGpu()
{
    present(machine(u"ryzen-7-5800u"_s, {}), u"main"_s);
    QVERIFY(says(u"No NVIDIA GPU"_s));
    QVERIFY(!says(u"Driver"_s));
    QCOMPARE(named<QLabel>(u"What fits"_s)->text(), u"pytorch-python313-cpu-avx2"_s);
    QVERIFY(says(u"Exact"_s));
}

void HardwarePanelTest::saysWhenNoInstructionSetRuns()
{
    HostReport host;
    host.architecture = u"riscv64-linux"_s;
    host.cpuFlags = {u"rv64gc"_s};
    present(host, u"main"_s);
    QVERIFY(says(u"This machine"_s)); // it has no name
    QVERIFY(says(u"Unknown processor"_s));
    QVERIFY(says(u"It supports no instruction set of the catalog."_s));
    QCOMPARE(named<QLabel>(u"Why"_s)->text(),
             u"No variant runs on this machine: recipes are not made for riscv64-linux."_s);
    QVERIFY(!m_panel->findChild<PickList *>()->isVisible());
}

void HardwarePanelTest::judgesTheDriver_data()
{
    QTest::addColumn<HostReport>("host");
    QTest::addColumn<QStringList>("expected");
    const auto rtx = [](const QString &driver) {
        return machine(u"i9-12900k"_s, u"0, RTX 3090, 8.6, %1, 24576 MiB, 00000000:01:00.0\n"_s.arg(driver));
    };
    QTest::newRow("good") << rtx(u"580.95.05"_s)
                          << QStringList{u"NVIDIA 580.95.05"_s,
                                         u"✓ Driver 580.95.05 is new enough for CUDA 12.8 (570.26 or later)."_s};
    QTest::newRow("compatible") << rtx(u"535.183.01"_s)
                                << QStringList{
                                       u"NVIDIA 535.183.01"_s,
                                       u"! Driver 535.183.01 is older than CUDA 12.8's own (570.26) and works by "
                                       "minor-version compatibility, from 525.60.13 on."_s};
    QTest::newRow("too old")
        << rtx(u"470.82.01"_s)
        << QStringList{u"NVIDIA 470.82.01"_s,
                       u"✗ CUDA 12.8 needs NVIDIA driver 525.60.13 or newer; this machine has 470.82.01."_s};
    QTest::newRow("none") << machineByPci(u"i9-12900k"_s, {u"2204"_s})
                          << QStringList{u"None loaded"_s,
                                         u"✗ No NVIDIA driver is loaded; CUDA 12.8 needs 525.60.13 or newer."_s};
    QTest::newRow("unknown")
        << rtx(u"[N/A]"_s)
        << QStringList{u"Unknown"_s,
                       u"? CUDA 12.8 needs NVIDIA driver 525.60.13 or newer; this machine's driver is unknown."_s};
}

void HardwarePanelTest::judgesTheDriver()
{
    QFETCH(HostReport, host);
    QFETCH(QStringList, expected);
    present(host, u"main"_s);
    for (const QString &text : std::as_const(expected))
        QVERIFY2(says(text), qPrintable(texts().join(u'\n')));
}

void HardwarePanelTest::countsLikeGpus()
{
    HostReport host = capturedH100();
    for (int i = 1; i < 8; ++i) {
        host.gpus.append(host.gpus.constFirst());
        host.gpus.last().busId = u"0000:0%1:00.0"_s.arg(i);
    }
    host.gpus.append({u"NVIDIA GB120"_s, {}, {}, u"0000:99:00.0"_s, u"PCI id"_s});
    m_panel->setReport(host);
    QVERIFY(says(u"GPUs"_s));
    QVERIFY(says(u"8 × NVIDIA H100 80GB HBM3"_s));
    QVERIFY(says(u"NVIDIA GB120"_s));
    QVERIFY(says(u"architecture unknown"_s));
}

void HardwarePanelTest::forgetsPicksWithoutARepository()
{
    present(capturedH100(), u"main"_s);
    m_panel->clearPicks();
    QCOMPARE(named<QLabel>(u"What fits"_s)->text(), u"Which variant fits?"_s);
    QVERIFY(!m_panel->findChild<PickList *>()->isVisible());
    QVERIFY(texts().filter(u"570.26"_s).isEmpty());
    QVERIFY(says(u"NVIDIA H100 80GB HBM3"_s)); // the machine is still the machine
}

void HardwarePanelTest::staysNarrow_data()
{
    QTest::addColumn<int>("width");
    for (const int width : {280, 320, 360})
        QTest::addRow("%d", width) << width;
}

void HardwarePanelTest::staysNarrow()
{
    QFETCH(int, width);
    HostReport host = capturedH100();
    host.name = u"gpu-node-0042.rack-12.cluster.long-department-name.example.org"_s;
    host.cpuModel = u"Intel(R) Xeon(R) Platinum 8570 With A Name That Goes On For Longer Than Any Panel Is Wide"_s;
    host.gpus[0].name = u"NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition"_s;
    m_panel->resize(width, 600);
    present(host, u"main"_s);
    QCOMPARE(m_panel->width(), width);
    QVERIFY(m_panel->minimumSizeHint().width() <= 280);
    auto *scroll = m_panel->findChild<QScrollArea *>();
    QTRY_COMPARE(scroll->widget()->width(), scroll->viewport()->width());
    for (const QWidget *part : scroll->widget()->findChildren<QWidget *>()) {
        if (!part->isVisible() || part->window() != m_panel.get())
            continue;
        const QRect rect(part->mapTo(scroll->widget(), QPoint()), part->size());
        QVERIFY2(rect.left() >= 0 && rect.right() < scroll->widget()->width(),
                 qPrintable(part->accessibleName() + part->objectName()));
        const auto *label = qobject_cast<const QLabel *>(part);
        if (label && label->wordWrap()) // all of its lines are in sight
            QTRY_VERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
    }
    QCOMPARE(named<QLabel>(u"Host"_s)->toolTip(), host.name);
}

void HardwarePanelTest::keepsItsTextLegible_data()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void HardwarePanelTest::keepsItsTextLegible()
{
    QFETCH(bool, dark);
    present(capturedH100(), u"main"_s);
    QApplication::setPalette(dark ? pane::darkPalette()
                                  : pane::lightPalette()); // while it is shown, as when the system changes
    QCoreApplication::processEvents();
    for (QLabel *label : m_panel->findChildren<QLabel *>()) {
        if (!label->isVisible())
            continue;
        // Checks the painted colours, not the requested ones: the ink against the most frequent colour around it.
        const QImage image = label->grab().toImage();
        QHash<QRgb, int> colours;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x)
                ++colours[image.pixel(x, y)];
        }
        const auto background = std::max_element(colours.cbegin(), colours.cend());
        double best = 0;
        for (auto colour = colours.cbegin(); colour != colours.cend(); ++colour)
            best = std::max(best, contrast(QColor(colour.key()), QColor(background.key())));
        QVERIFY2(best >= 4.0, qPrintable(u"%1: %2"_s.arg(label->text()).arg(best)));
        QCOMPARE(isDark(QColor(background.key())), dark);
    }
}

void HardwarePanelTest::namesEveryControl()
{
    present(capturedH100(), u"main"_s);
    for (const QWidget *widget : m_panel->findChildren<QWidget *>()) {
        if (!widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus))
            continue;
        const auto *button = qobject_cast<const QPushButton *>(widget);
        QVERIFY2(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
                 widget->metaObject()->className());
    }
}

void HardwarePanelTest::asksAgainWhatCanAnswer()
{
    m_panel->setReport(capturedH100(), {MachineRef::Kind::Ssh, u"me@far"_s});
    QVERIFY(named<QPushButton>(u"Detect this machine's hardware again"_s)->isVisible());
    m_panel->setReport(capturedH100(), {MachineRef::Kind::Saved, u"gpu-box"_s});
    QVERIFY(!named<QPushButton>(u"Detect this machine's hardware again"_s)->isVisible());
}

void HardwarePanelTest::saysWhatFailedAndKeepsTheRest()
{
    present(capturedH100(), u"main"_s);
    m_panel->setDetecting(u"Detecting far over ssh…"_s);
    m_panel->setFailed(u"Could not ask <b>far</b>: it wants a password."_s);
    QVERIFY(says(u"Could not ask <b>far</b>: it wants a password."_s));
    QCOMPARE(named<QLabel>(u"What failed"_s)->textFormat(), Qt::PlainText);
    QVERIFY(!named<QProgressBar>(u"Detecting"_s)->isVisible());
    QVERIFY(says(u"NVIDIA H100 80GB HBM3"_s));
    m_panel->setReport(capturedH100());
    QVERIFY(!named<QLabel>(u"What failed"_s)->isVisible());
}

void HardwarePanelTest::buildsOnlyWhatIsThere()
{
    const QString name = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
    QSignalSpy built(m_panel.get(), &HardwarePanel::buildRequested);
    present(capturedH100(), u"main"_s, u"-sm90-"_s);
    auto *build = named<QPushButton>(u"Build the variant that fits"_s);
    QVERIFY(!build->isVisible()); // its recipe has to be generated first
    QVERIFY(!named<QPushButton>(u"Copy the command that builds it"_s)->isVisible());
    pickOnly(capturedH100(), u"main"_s, {});
    click(build);
    QCOMPARE(built, QList<QVariantList>{{name}});
    click(named<QPushButton>(u"Copy the command that builds it"_s));
    QCOMPARE(QGuiApplication::clipboard()->text(), u"flox build "_s + name);
}

void HardwarePanelTest::listsWhatHasNoRecipe()
{
    present(capturedH100(), u"main"_s);
    auto *label = named<QLabel>(u"No recipe on any branch"_s);
    QVERIFY(!label->isVisible());
    m_panel->setUncovered({u"Volta 7.0"_s, u"Ampere Jetson Orin 8.7"_s});
    QVERIFY(label->isVisible());
    QCOMPARE(label->text(), u"Volta 7.0: none\nAmpere Jetson Orin 8.7: none"_s);
}

TM_TEST(HardwarePanelTest, QApplication)
#include "tst_hardwarepanel.moc"
