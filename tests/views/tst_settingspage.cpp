// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/SaveSettings.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/EditedSettings.h"
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/settings/CoverageGrid.h"
#include "views/settings/CoverageModel.h"
#include "views/settings/SettingsForm.h"
#include "views/settings/SettingsPage.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>

using namespace tmx;
using namespace tmx::testing;
using namespace pane;

namespace {

QModelIndex cell(const CoverageModel &model, const QString &row, const QString &isa)
{
    for (int i = 0; i < model.rowCount(); ++i) {
        for (int j = 0; j < model.columnCount(); ++j) {
            if (model.headerData(i, Qt::Vertical, CoverageModel::AxisIdRole) == row &&
                model.headerData(j, Qt::Horizontal, CoverageModel::AxisIdRole) == isa)
                return model.index(i, j);
        }
    }
    return {};
}

bool isOn(const QModelIndex &index)
{
    return index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
}

} // namespace

class TestSettingsPage : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        failOnWarnings();
        QApplication::setPalette(lightPalette());
        m_page = std::make_unique<SettingsPage>(builtInCatalog());
        m_page->form()->setTemplates(
            {{u"pytorch"_s,
              {u"pytorch/cpu-override"_s, u"pytorch/two-stage-gpu"_s, u"pytorch/pinned-overlays-gpu"_s}}});
        m_line = *builtInCatalog()->settings(u"main"_s);
        m_page->setSettings(m_line, m_line);
        m_page->resize(860, 1400);
        m_page->show();
        m_page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
    }
    void cleanup() { m_page.reset(); }

    void everyBuiltInLineIsShownUnchanged()
    {
        for (const Settings &settings : builtInCatalog()->builtIn) {
            m_page->setSettings(settings, settings);
            QVERIFY(!m_page->isEdited());
            QCOMPARE(m_page->settings(), settings);
            // Focusing a control is not an edit: the read-back settings are equal.
            auto *metadata = m_page->findChild<QSpinBox *>();
            metadata->setValue(3);
            metadata->setValue(0);
            QCOMPARE(m_page->settings(), settings);
        }
    }

    void coverageIsClickedAndPressed()
    {
        CoverageModel model(builtInCatalog());
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSettings(written(m_line, *builtInCatalog()));
        QVERIFY(isOn(cell(model, u"sm61"_s, u"avx2"_s)) && !isOn(cell(model, u"sm61"_s, u"avx512"_s)));
        QVERIFY(!cell(model, u"sm110"_s, u"armv9"_s)
                     .data(CoverageModel::ReasonRole)
                     .toString()
                     .isEmpty()); // CUDA 12.8 does not know it
        QVERIFY(cell(model, u"cpu"_s, u"avx"_s).data(CoverageModel::ReasonRole).toString().isEmpty());

        auto *grid = m_page->findChild<CoverageGrid *>();
        auto *shown = qobject_cast<CoverageModel *>(grid->model());
        QSignalSpy edited(m_page.get(), &SettingsPage::edited);
        const QModelIndex index = cell(*shown, u"cpu"_s, u"avx"_s);
        QTest::mouseClick(grid->viewport(), Qt::LeftButton, {}, grid->visualRect(index).center());
        QVERIFY(isOn(index));
        QCOMPARE(edited.size(), 1);
        QVERIFY(m_page->settings().covers({u"pytorch"_s, u"python313"_s, {}, u"cpu"_s, u"avx"_s}));
        QCOMPARE(m_page->settings().promised().size(), m_line.promised().size() + 1);
        grid->setFocus();
        QTest::keyClick(grid, Qt::Key_Space);
        QVERIFY(!isOn(index));
        QVERIFY(!m_page->settings().covers({u"pytorch"_s, u"python313"_s, {}, u"cpu"_s, u"avx"_s}));
        QTest::keyClick(grid, Qt::Key_Space, Qt::ShiftModifier); // the whole row: all of it that can exist
        QVERIFY(isOn(index) && isOn(cell(*shown, u"cpu"_s, u"armv9"_s)));
        QTest::mouseClick(grid->verticalHeader()->viewport(), Qt::LeftButton, {},
                          QPoint(8, grid->verticalHeader()->sectionViewportPosition(index.row()) + 6)); // and back
        QVERIFY(!isOn(index) && !isOn(cell(*shown, u"cpu"_s, u"armv9"_s)));
        // Settings may cover what cannot exist.
        const QModelIndex thor = cell(*shown, u"sm110"_s, u"armv9"_s);
        grid->setCurrentIndex(thor);
        QTest::keyClick(grid, Qt::Key_Return);
        QVERIFY(m_page->settings().covers({u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm110"_s, u"armv9"_s}));
        QVERIFY(thor.data(Qt::ToolTipRole).toString().startsWith(u"Listed in coverage, but impossible"_s));
    }

    void headingsOfTheCoverageAreWhole()
    {
        m_page->resize(560, 500);
        auto *grid = m_page->findChild<CoverageGrid *>();
        const QHeaderView *heads = grid->horizontalHeader();
        QTRY_VERIFY(grid->width() < 560);
        for (int column = 0; column < heads->count(); ++column) {
            const QString title = grid->model()->headerData(column, Qt::Horizontal).toString();
            for (const QString &word : title.simplified().split(u' '))
                QVERIFY2(QFontMetrics(heads->font()).horizontalAdvance(word) + 8 <= heads->sectionSize(column),
                         qPrintable(u"%1: %2"_s.arg(word).arg(heads->sectionSize(column))));
        }
        QCOMPARE(grid->horizontalScrollBar()->maximum(), 0);
    }

    void coverageOfOneToolkitIsItsOwn()
    {
        m_line = test::edited(m_line, *builtInCatalog(), [](WrittenSettings &form) {
            form.cudas.append({u"12.9"_s, {{u"release"_s, u"12.9"_s}, {u"attribute"_s, u"cudaPackages_12_9"_s}}});
            form.coverage.append({{u"sm103"_s}, {u"avx2"_s}, {{}, {}, {u"12.9"_s}}});
        });
        m_page->setSettings(m_line, m_line);
        auto *scope = named<QComboBox>(m_page.get(), u"Families and toolkits of the coverage"_s);
        QVERIFY(scope->isVisible());
        QCOMPARE(scope->count(), 2);
        QCOMPARE(scope->itemText(1), u"Only for 12.9"_s);
        scope->setCurrentIndex(1);
        Q_EMIT scope->activated(1);
        auto *grid = m_page->findChild<CoverageGrid *>();
        const auto *model = qobject_cast<CoverageModel *>(grid->model());
        QVERIFY(isOn(cell(*model, u"sm103"_s, u"avx2"_s)) && !isOn(cell(*model, u"sm90"_s, u"avx2"_s)));
        grid->setCurrentIndex(cell(*model, u"sm103"_s, u"avx512"_s));
        grid->setFocus();
        QTest::keyClick(grid, Qt::Key_Space);
        const Variant added{u"pytorch"_s, u"python313"_s, u"12.9"_s, u"sm103"_s, u"avx512"_s};
        QVERIFY(m_page->settings().covers(added));
        QVERIFY(m_page->settings().covers(
            {u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s})); // the rest stays
        QVERIFY(!m_page->settings().covers({u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm103"_s, u"avx512"_s}));
    }

    void whatOtherScopesCoverIsReadable()
    {
        m_line = test::edited(m_line, *builtInCatalog(), [](WrittenSettings &form) {
            form.cudas.append({u"12.9"_s, {{u"release"_s, u"12.9"_s}, {u"attribute"_s, u"cudaPackages_12_9"_s}}});
            form.coverage.append({{u"sm103"_s}, {u"avx2"_s}, {{}, {}, {u"12.9"_s}}});
        });
        m_page->setSettings(m_line, m_line);
        auto *grid = m_page->findChild<CoverageGrid *>();
        auto *model = qobject_cast<CoverageModel *>(grid->model());
        const QModelIndex here = cell(*model, u"sm90"_s, u"avx2"_s);
        const QModelIndex there = cell(*model, u"sm103"_s, u"avx2"_s);
        QVERIFY(isOn(here) && !isOn(there));
        QCOMPARE(here.data(CoverageModel::OthersRole).toString(), QString());
        QCOMPARE(there.data(CoverageModel::OthersRole).toString(), u"12.9"_s);
        QVERIFY(there.data(Qt::ToolTipRole).toString().contains(u"12.9"_s));
        QVERIFY(there.data(Qt::AccessibleTextRole).toString().contains(u"in the coverage of 12.9"_s));
        // It looks different from a cell that nothing covers.
        const auto picture = [grid](const QModelIndex &index) {
            return grid->viewport()->grab(grid->visualRect(index)).toImage();
        };
        QVERIFY(picture(there) != picture(cell(*model, u"sm103"_s, u"avx512"_s)));
        model->setScope({{}, {}, {u"12.9"_s}});
        QVERIFY(isOn(cell(*model, u"sm103"_s, u"avx2"_s)));
        QCOMPARE(cell(*model, u"sm90"_s, u"avx2"_s).data(CoverageModel::OthersRole).toString(), u"all"_s);
        QCOMPARE(model->wordsOf({{u"pytorch"_s}, {}, {u"12.9"_s}}), u"PyTorch, 12.9"_s);
    }

    void whatIsTypedIsTheLine()
    {
        auto *version = named<QLineEdit>(m_page.get(), u"Version of PyTorch"_s);
        version->selectAll();
        QTest::keyClicks(version, u"2.9.1"_s);
        QCOMPARE(m_page->settings().versionOf(u"pytorch"_s), u"2.9.1"_s);
        auto *pin = named<QLineEdit>(m_page.get(), u"nixpkgs revision"_s);
        pin->selectAll();
        QTest::keyClicks(pin, QString(40, u'a'));
        QCOMPARE(m_page->settings().common(&Profile::pin).revision, QString(40, u'a'));
        QVERIFY(m_page->settings().common(&Profile::pin).python3.isEmpty()); // that was of another nixpkgs
        auto *box = named<QCheckBox>(m_page.get(), u"Python 3.12"_s);
        QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
        QCOMPARE(m_page->settings().pythons(), (QStringList{u"python313"_s, u"python312"_s}));
        auto *gpu = named<QComboBox>(m_page.get(), u"Template of PyTorch's GPU recipes"_s);
        QCOMPARE(gpu->currentData().toString(), u"pytorch/two-stage-gpu"_s);
        gpu->setFocus();
        QTest::keyClick(gpu, Qt::Key_End);
        QCOMPARE(
            m_page->settings().profileOf({u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s}).templateName,
            u"pytorch/pinned-overlays-gpu"_s);
        QVERIFY(m_page->isEdited());
        // Back to what the branch has.
        QSignalSpy edited(m_page.get(), &SettingsPage::edited);
        QPushButton *revert = button(u"Discard changes"_s);
        QTest::mouseClick(revert, Qt::LeftButton);
        QCOMPARE(m_page->settings(), m_line);
        QCOMPARE(edited.size(), 1);
        QCOMPARE(version->text(), u"2.8.0"_s);
    }

    void toolkitsComeAndGo()
    {
        const auto tick = [this](const QString &name) {
            auto *box = named<QCheckBox>(m_page.get(), name);
            QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
        };
        m_line.set(&Profile::pin, NixpkgsPin{QString(40, u'b'), u"of the tarball"_s, u"python313"_s},
                   {{}, {}, {u"12.8"_s}});
        m_page->setSettings(m_line, m_line);
        tick(u"CUDA 13.0"_s);
        const ProfileKey added{u"pytorch"_s, u"python313"_s, u"13.0"_s};
        const ProfileKey first{u"pytorch"_s, u"python313"_s, u"12.8"_s};
        QCOMPARE(m_page->settings().toolkits(), (QStringList{u"12.8"_s, u"13.0"_s}));
        QCOMPARE(m_page->settings().profiles.value(added).cudaAttribute, u"cudaPackages_13_0"_s);
        QCOMPARE(m_page->settings().profiles.value(added).templateName, m_line.profiles.value(first).templateName);
        const auto *grid = m_page->findChild<CoverageGrid *>();
        QVERIFY(cell(*qobject_cast<CoverageModel *>(grid->model()), u"sm110"_s, u"armv9"_s)
                    .data(CoverageModel::ReasonRole)
                    .toString()
                    .isEmpty()); // CUDA 13.0 knows it
        auto *release = named<QLineEdit>(m_page.get(), u"Release of CUDA 13.0"_s);
        QVERIFY(release->isVisible());
        release->setFocus();
        QTest::keyClicks(release, u".1"_s);
        QCOMPARE(m_page->settings().profiles.value(added).release, u"13.0.1"_s);
        tick(u"CUDA 13.0"_s);
        QVERIFY(!release->isVisible());
        QCOMPARE(m_page->settings(), m_line);
        QVERIFY(!m_page->isEdited());
        // A toolkit removed by mistake is restored unchanged, including fields without a control.
        tick(u"CUDA 12.8"_s);
        QVERIFY(m_page->settings().toolkits().isEmpty());
        tick(u"CUDA 12.8"_s);
        QVERIFY(!m_page->isEdited());
    }

    void onlyASoundLineCanBeSaved()
    {
        QPushButton *save = button(u"Save…"_s);
        QVERIFY(!save->isEnabled()); // not checked yet
        m_page->setVerdict({{}, {}, 44, 0});
        QVERIFY(save->isEnabled()); // a built-in line can be written down
        auto *pin = named<QLineEdit>(m_page.get(), u"nixpkgs revision"_s);
        QTest::keyClicks(pin, u"x"_s);
        QVERIFY(!save->isEnabled());
        m_page->setVerdict({u"torch-matrix.toml, key nixpkgs: no revision."_s, {}, 0, 0});
        QVERIFY(!save->isEnabled());
        QVERIFY(named<QLabel>(m_page.get(), u"Problems in the settings"_s)->isVisible());
        m_page->setVerdict({{}, u"nixpkgs has another PyTorch than 2.9.1."_s, 44, 0});
        QVERIFY(save->isEnabled()); // the user may save it anyway
        QCOMPARE(named<QLabel>(m_page.get(), u"Problems in the settings"_s)->text(),
                 u"Warning: nixpkgs has another PyTorch than 2.9.1."_s);
        m_page->setVerdict({{}, {}, 44, 2});
        QVERIFY(!named<QLabel>(m_page.get(), u"Problems in the settings"_s)->isVisible());
        QCOMPARE(named<QLabel>(m_page.get(), u"How many variants the coverage has"_s)->text(),
                 u"44 variants in the coverage, 2 of them impossible."_s);
        QSignalSpy asked(m_page.get(), &SettingsPage::saveRequested);
        QTest::mouseClick(save, Qt::LeftButton);
        QCOMPARE(asked.size(), 1);
        // Settings that the file has already need no saving.
        m_line.source = Settings::Source::File;
        m_page->setSettings(m_line, m_line);
        m_page->setVerdict({{}, {}, 44, 0});
        QVERIFY(!save->isEnabled());
    }

private:
    [[nodiscard]] QPushButton *button(const QString &text) const
    {
        for (QPushButton *button : m_page->findChildren<QPushButton *>()) {
            if (button->text() == text)
                return button;
        }
        return nullptr;
    }
    std::unique_ptr<SettingsPage> m_page;
    Settings m_line;
};

TM_TEST(TestSettingsPage, QApplication)
#include "tst_settingspage.moc"
