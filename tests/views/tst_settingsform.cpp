// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/EditedSettings.h"
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/settings/SettingsForm.h"
#include "views/settings/SettingsPage.h"
#include "views/widgets/Label.h"
#include "views/work/SettingsChangeForm.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>

using namespace tmx;
using namespace tmx::testing;
using namespace pane;

namespace {

void type(QLineEdit *edit, const QString &text)
{
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, text);
}

void click(QCheckBox *box)
{
    QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
}

} // namespace

/// The settings form, alone and in pages and dialogs; driven by mouse and keyboard.
class TestSettingsForm : public QObject
{
    Q_OBJECT

    const Settings m_main = *builtInCatalog()->settings(u"main"_s);

    [[nodiscard]] SettingsFields fieldsOfMain() const { return fieldsOf(*builtInCatalog(), m_main); }
    static void show(QWidget *widget)
    {
        widget->resize(900, 500);
        widget->show();
        widget->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(widget));
    }

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void whatIsShownIsReadBack()
    {
        SettingsForm form(builtInCatalog(), SettingsForm::Extent::Everything);
        QSignalSpy edited(&form, &SettingsForm::edited);
        for (const Settings &settings : builtInCatalog()->builtIn) {
            form.setFields(fieldsOf(*builtInCatalog(), settings));
            QCOMPARE(form.fields(), fieldsOf(*builtInCatalog(), settings));
            form.setTemplates({{u"pytorch"_s, {u"pytorch/two-stage-gpu"_s}}});
            QCOMPARE(form.fields(), fieldsOf(*builtInCatalog(), settings));
        }
        // Also for values that the catalog does not have.
        SettingsFields other = fieldsOfMain();
        other.families.append({u"tor&ch"_s, true, {{u"version"_s, u"1"_s}, {u"gpu_template"_s, u"x/y"_s}}});
        other.toolkits.append(
            {u"99.0"_s, {{u"release"_s, u"99.0.1"_s}, {u"attribute"_s, u"cudaPackages_99"_s}, {u"nixpkgs"_s, u"a"_s}}});
        other.pythons.prepend(u"python399"_s);
        other.values[u"blas"_s] = u"mkl"_s;
        other.values[u"torch_source"_s] = u"fetched"_s;
        other.values[u"torch_repository"_s] = u"acme/build-pytorch"_s;
        other.values[u"torch_rev"_s] = QString(40, u'a');
        other.values[u"torch_sha256"_s] = u"sha256-x"_s;
        form.setFields(other);
        QCOMPARE(form.fields(), other);
        QCOMPARE(edited.size(), 0);
    }

    void labelsLeadToTheirFields()
    {
        SettingsPage page(builtInCatalog());
        page.setSettings(m_main, m_main);
        show(&page);
        const std::pair<Qt::Key, QString> keys[] = {{Qt::Key_D, u"CUDA 12.4"_s},
                                                    {Qt::Key_P, pythonBox()},
                                                    {Qt::Key_X, u"nixpkgs revision"_s},
                                                    {Qt::Key_6, u"sha256 of the nixpkgs tarball"_s},
                                                    {Qt::Key_L, u"Linear algebra on the CPU"_s},
                                                    {Qt::Key_T, u"Where companions find torch"_s},
                                                    {Qt::Key_E, u"Notation of the architecture"_s},
                                                    {Qt::Key_M, u"Metadata revision"_s}};
        for (const auto &[key, field] : keys) {
            QTest::keyClick(&page, key, Qt::AltModifier);
            QVERIFY(page.focusWidget());
            QCOMPARE(page.focusWidget()->accessibleName(), field);
        }
        for (const QLabel *label : page.findChildren<QLabel *>())
            QVERIFY2(qobject_cast<const Label *>(label), qPrintable(label->text()));
    }

    /// A revision is chosen from those that branches have; a hash of the old one goes.
    void aKnownRevisionIsChosen()
    {
        SettingsForm form(builtInCatalog(), SettingsForm::Extent::Everything);
        form.setFields(fieldsOfMain());
        show(&form);
        QSignalSpy asked(&form, &SettingsForm::pinsRequested);
        QSignalSpy edited(&form, &SettingsForm::edited);
        QMenu *menu = nullptr;
        for (QPushButton *button : form.findChildren<QPushButton *>()) {
            if (button->accessibleName() == u"Known nixpkgs revisions"_s)
                menu = button->menu();
        }
        QVERIFY(menu);
        Q_EMIT menu->aboutToShow();
        QCOMPARE(asked.size(), 1);
        form.setPins({{QString(40, u'a'), u"aaaaaaaaaa · <b>pytorch</b> 2.9 & more"_s}, {QString(40, u'b'), u"b"_s}});
        QCOMPARE(menu->actions().size(), 2);
        QCOMPARE(menu->actions().first()->text(), u"aaaaaaaaaa · <b>pytorch</b> 2.9 && more"_s);
        menu->actions().first()->trigger();
        QCOMPARE(edited.size(), 1);
        QCOMPARE(form.fields().values.value(u"nixpkgs"_s), QString(40, u'a'));
        form.setPins({});
        QVERIFY(!menu->actions().first()->isEnabled());
    }

    void aHashGoesWithItsVersion()
    {
        SettingsFields fields = fieldsOfMain();
        fields.families[0].values[u"hash"_s] = u"sha256-old"_s;
        fields.families[1].values[u"version"_s] = u"0.23.0"_s;
        fields.families[1].values[u"hash"_s] = u"sha256-vision"_s;
        fields.values[u"nixpkgs"_s] = QString(40, u'a');
        fields.values[u"nixpkgs_sha256"_s] = u"sha256-pin"_s;
        SettingsForm form(builtInCatalog(), SettingsForm::Extent::Everything);
        form.setFields(fields);
        show(&form);
        auto *torch = named<QLineEdit>(&form, u"Version of PyTorch"_s);
        type(torch, u"2.10.0"_s);
        SettingsFields now = form.fields();
        QCOMPARE(now.families.at(0).values.value(u"hash"_s), QString());
        QCOMPARE(now.families.at(1).values.value(u"version"_s),
                 u"0.25.0"_s); // the companion follows, without the hash of the old one
        QCOMPARE(now.families.at(1).values.value(u"hash"_s), QString());
        type(torch, fields.families.at(0).values.value(u"version"_s));
        QCOMPARE(form.fields(), fields);
        // What was typed stays.
        type(named<QLineEdit>(&form, u"Version of TorchVision"_s), u"0.24.9"_s);
        type(named<QLineEdit>(&form, u"Hash of PyTorch's source"_s), u"sha256-new"_s);
        type(torch, u"2.10.0"_s);
        QCOMPARE(form.fields().families.at(1).values.value(u"version"_s), u"0.24.9"_s);
        QCOMPARE(form.fields().families.at(0).values.value(u"hash"_s), u"sha256-new"_s);
        type(named<QLineEdit>(&form, u"nixpkgs revision"_s), QString(40, u'b'));
        QCOMPARE(form.fields().values.value(u"nixpkgs_sha256"_s), QString());
    }

    // Typed values stay when the form gets other settings to start with; other values follow them.
    void aDialogKeepsWhatIsTyped()
    {
        SettingsChangeForm form(SettingsChangeForm::Kind::Derive, builtInCatalog(), {u"cuda-13_0"_s, u"main"_s},
                                u"main"_s);
        form.setSettings(test::edited(m_main, *builtInCatalog(), [](WrittenSettings &settings) {
            settings.ofFamilies[u"torchvision"_s].insert(u"version"_s, u"0.23.0"_s);
            settings.families = {u"pytorch"_s, u"torchvision"_s};
            settings.coverage.first().where.families.clear();
        }));
        show(&form);
        QCOMPARE(std::get<DeriveRequest>(form.request()), (DeriveRequest{u"main"_s, {}, {}}));
        auto *torch = named<QLineEdit>(&form, u"Version of PyTorch"_s);
        auto *vision = named<QLineEdit>(&form, u"Version of TorchVision"_s);
        auto *pin = named<QLineEdit>(&form, u"nixpkgs revision"_s);
        auto *name = named<QLineEdit>(&form, u"Name of the new branch"_s);
        QTest::keyClick(&form, Qt::Key_N, Qt::AltModifier);
        QCOMPARE(form.focusWidget(), name);
        QTest::keyClicks(name, u" next "_s);
        type(torch, u"2.10.0"_s);
        QCOMPARE(vision->text(), u"0.25.0"_s);
        click(named<QCheckBox>(&form, u"Python 3.12"_s));
        const auto asked = std::get<DeriveRequest>(form.request());
        QCOMPARE(asked.name, u"next"_s);
        QCOMPARE(asked.change,
                 (SettingsChange{.versions = {{u"pytorch"_s, u"2.10.0"_s}, {u"torchvision"_s, u"0.25.0"_s}},
                                 .pythons = QStringList{u"python313"_s, u"python312"_s}}));

        type(pin, QString(40, u'c'));
        QSignalSpy wanted(&form, &SettingsChangeForm::settingsWanted);
        QTest::keyClicks(named<QComboBox>(&form, u"Branch to start from"_s), u"cuda"_s);
        QCOMPARE(wanted.size(), 1);
        QVERIFY(!form.isReady());
        form.setSettings(*builtInCatalog()->settings(u"cuda-13_0"_s));
        QVERIFY(form.isReady());
        QVERIFY(named<QCheckBox>(&form, u"CUDA 13.0"_s)->isChecked() &&
                !named<QCheckBox>(&form, u"CUDA 12.8"_s)->isChecked());
        QVERIFY(named<QCheckBox>(&form, u"Python 3.12"_s)->isChecked());
        QCOMPARE(pin->text(), QString(40, u'c'));
        QCOMPARE(name->text(), u" next "_s);
        QCOMPARE(std::get<DeriveRequest>(form.request()).change.pin, QString(40, u'c'));
    }

    // Migrate keeps the cells: it offers no other toolkits, Pythons and families.
    void migrateChangesVersionsAlone()
    {
        SettingsChangeForm form(SettingsChangeForm::Kind::Migrate, builtInCatalog(), {}, u"main"_s);
        form.form()->setTemplates({{u"pytorch"_s, {u"pytorch/explicit-inputs-gpu"_s}}});
        form.setSettings(m_main);
        show(&form);
        for (const QCheckBox *box : form.form()->findChildren<QCheckBox *>())
            QVERIFY2(!box->isVisible() || !box->isEnabled(), qPrintable(box->text()));
        QVERIFY(!named<QLineEdit>(&form, u"Version of TorchVision"_s)->isVisible()); // main does not build it
        QVERIFY(!form.missing().isEmpty());
        auto *gpu = named<QComboBox>(&form, u"Template of PyTorch's GPU recipes"_s);
        const QString before = gpu->currentText();
        gpu->setFocus();
        QTest::keyClicks(gpu, u"explicit"_s);
        QVERIFY(form.missing().isEmpty());
        QCOMPARE(std::get<MigrateRequest>(form.request()).change,
                 (SettingsChange{.gpuTemplates = {{u"pytorch"_s, u"pytorch/explicit-inputs-gpu"_s}}}));
        gpu->setCurrentText(before);
        QVERIFY(!form.missing().isEmpty());
    }

    // Where the recipes fetch several nixpkgs, the user chooses which one is replaced.
    void offersThePinsToReplace()
    {
        SettingsChangeForm form(SettingsChangeForm::Kind::Derive, builtInCatalog(), {u"cuda-13_0"_s, u"main"_s},
                                u"main"_s);
        form.setSettings(m_main);
        show(&form);
        auto *list = named<QComboBox>(&form, u"nixpkgs revision to replace"_s);
        const QString old = QString(40, u'a'), older = QString(40, u'b'), pin = QString(40, u'c');
        const auto prepared = [&](const QList<ReplacedPin> &pins) {
            ChangeSet changes;
            changes.pins = pins;
            form.setChanges({changes});
        };
        const auto asked = [&form] { return std::get<DeriveRequest>(form.request()).change; };
        prepared({});
        QVERIFY(!list->isVisible());
        type(named<QLineEdit>(&form, u"nixpkgs revision"_s), pin);
        prepared({{old, pin, 3}});
        QVERIFY(!list->isVisible()); // There is no choice.
        const QList<ReplacedPin> several{{old, pin, 3}, {older, pin, 1}};
        prepared(several);
        QVERIFY(list->isVisible());
        QCOMPARE(asked().pinFrom, QString());
        QStringList offered;
        for (int i = 0; i < list->count(); ++i)
            offered.append(list->itemText(i));
        QCOMPARE(offered, (QStringList{u"Choose the nixpkgs to replace"_s, u"Replace aaaaaaaaaa in 3 recipes"_s,
                                       u"Replace bbbbbbbbbb in 1 recipe"_s, u"Replace all of them"_s}));
        QSignalSpy edited(&form, &SettingsChangeForm::edited);
        QTest::keyClick(list, Qt::Key_Down);
        QTest::keyClick(list, Qt::Key_Down);
        QCOMPARE(edited.size(), 2);
        QCOMPARE(asked().pinFrom, older);
        prepared({{older, pin, 1}}); // The choice stays while it is made.
        QVERIFY(list->isVisible());
        QCOMPARE(asked().pinFrom, older);
        QTest::keyClick(list, Qt::Key_End);
        QCOMPARE(asked().pinFrom, QString(allPins));
        // Another branch has its own.
        QTest::keyClicks(named<QComboBox>(&form, u"Branch to start from"_s), u"cuda"_s);
        form.setSettings(*builtInCatalog()->settings(u"cuda-13_0"_s));
        QCOMPARE(asked().pinFrom, QString());
        prepared(several);
        QCOMPARE(list->count(), 4);
        QTest::keyClick(list, Qt::Key_End);
        type(named<QLineEdit>(&form, u"nixpkgs revision"_s),
             builtInCatalog()->settings(u"cuda-13_0"_s)->common(&Profile::pin).revision);
        prepared({});
        QVERIFY(!list->isVisible());
    }

private:
    [[nodiscard]] static QString pythonBox()
    {
        return u"Python %1"_s.arg(pythonVersion(builtInCatalog()->pythons.front().id));
    }
};

TM_TEST(TestSettingsForm, QApplication)
#include "tst_settingsform.moc"
