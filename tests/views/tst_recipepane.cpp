// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/recipe/RecipePane.h"
#include "views/widgets/CheckList.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTextLayout>
#include <QToolButton>

using namespace tmx;
using namespace pane;

namespace {

PaneActions missing()
{
    return {{true, u"Writes the recipe from the line's template."_s},
            {false, u"There is nothing to commit."_s},
            {false, u"There is no recipe to build."_s}};
}

PaneActions generated()
{
    return {{false, u"The recipe exists."_s}, {true, u"Commits this file alone."_s}, {true, u"Runs flox build."_s}};
}

bool says(const QWidget *root, const QString &text)
{
    for (const QLabel *label : root->findChildren<QLabel *>())
        if (label->isVisible() && label->text() == text)
            return true;
    return false;
}

} // namespace

class TestRecipePane : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aFailedBuildIsActedOn()
    {
        const auto buttons = [this] {
            QStringList texts;
            for (const QPushButton *button : m_pane->findChildren<QPushButton *>()) {
                if (button->isVisible())
                    texts.append(button->text());
            }
            return texts;
        };
        m_pane->show(content());
        const QStringList steps = buttons();
        BuildState build{BuildState::Phase::Failed};
        build.job = u"7"_s;
        build.retry = u"<b>Retry</b>"_s;
        build.recipeLine = 3;
        m_pane->setBuild(build);
        QStringList more = buttons();
        more.removeIf([&steps](const QString &text) { return steps.contains(text); });
        QCOMPARE(more, (QStringList{u"Log"_s, u"<b>Retry</b>"_s, u"Open line 3"_s, u"Copy errors"_s}));
        QSignalSpy log(m_pane.get(), &RecipePane::logRequested), retry(m_pane.get(), &RecipePane::retryRequested);
        m_pane->setTab(RecipePane::Tab::Facts);
        for (QPushButton *button : m_pane->findChildren<QPushButton *>()) {
            if (more.first(3).contains(button->text()))
                QTest::mouseClick(button, Qt::LeftButton);
        }
        QCOMPARE(log.value(0).value(0).toString(), u"7"_s);
        QCOMPARE(retry.value(0).value(0).toStringList(), QStringList{u"7"_s});
        QCOMPARE(m_pane->tab(), RecipePane::Tab::Recipe);
        build.retry.clear(); // the recipe fails again
        build.recipeLine = 0;
        m_pane->setBuild(build);
        QCOMPARE(buttons().size(), steps.size() + 2);
        m_pane->setBuild({BuildState::Phase::Built});
        QCOMPARE(buttons(), steps);
    }

    void init()
    {
        failOnWarnings();
        QApplication::setPalette(lightPalette());
        m_pane = std::make_unique<RecipePane>();
        m_pane->resize(520, 700);
        m_pane->QWidget::show();
        m_pane->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_pane.get()));
    }
    void cleanup() { m_pane.reset(); }

    void saysWhatToDoWhenNothingIsSelected()
    {
        QVERIFY(says(m_pane.get(), u"Select a cell to see its recipe."_s));
        m_pane->setLoading(true);
        QVERIFY(says(m_pane.get(), u"Reading the branch…"_s));
        m_pane->setLoading(false);
        m_pane->show(content());
        QVERIFY(!says(m_pane.get(), u"Select a cell to see its recipe."_s));
        QVERIFY(says(m_pane.get(), u"Changed since the last commit."_s));
        m_pane->clear();
        QVERIFY(says(m_pane.get(), u"Select a cell to see its recipe."_s));
        QCOMPARE(m_pane->name(), QString());
    }

    /// Where there is room, the state of the branch does not scroll, at any width, in any order.
    void theStateOfTheBranchIsShownWhole()
    {
        const auto sentence = u"torchvision025 CUDA 13.0 sm70 armv8_2, torchvision025 CUDA 13.0 sm70 avx and 39 more"_s;
        m_pane->clear();
        m_pane->setBranch(u"main"_s,
                          {{CheckItem::Kind::Blocks, u"With errors 42"_s, sentence},
                           {CheckItem::Kind::Warns, u"Probably missing 6"_s, sentence},
                           {CheckItem::Kind::Open, u"Built"_s, u"0 of 795 recipes"_s}},
                          {});
        const auto *list = m_pane->findChild<CheckList *>();
        for (int i = 0; i < 80; ++i) {
            m_pane->resize(300 + (i * 37) % 301, 900);
            QTRY_VERIFY2(!list->verticalScrollBar()->isVisible(), qPrintable(QString::number(m_pane->width())));
        }
    }

    void keepsWhatItShowsWhileLoading()
    {
        m_pane->show(content());
        QCoreApplication::processEvents();
        const int top = tabBar()->mapTo(m_pane.get(), QPoint()).y();
        m_pane->setLoading(true);
        QVERIFY(named<QProgressBar>(m_pane.get(), u"Reading"_s)->isVisible());
        QCOMPARE(code()->toPlainText() + u'\n', QString::fromUtf8(recipeText()));
        QCOMPARE(tabBar()->mapTo(m_pane.get(), QPoint()).y(), top);
    }

    void buttonsAskForTheirStepByMouseAndKey()
    {
        m_pane->show(content());
        m_pane->setActions({{true, {}}, {true, {}}, {true, {}}});
        QSignalSpy generate(m_pane.get(), &RecipePane::generateRequested);
        QSignalSpy commit(m_pane.get(), &RecipePane::commitRequested);
        QSignalSpy build(m_pane.get(), &RecipePane::buildRequested);
        QTest::mouseClick(button(u"Generate the recipe"_s), Qt::LeftButton);
        button(u"Commit the recipe"_s)->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        QTest::mouseClick(button(u"Build the package"_s), Qt::LeftButton);
        for (const QSignalSpy *spy : {&generate, &commit, &build}) {
            QCOMPARE(spy->size(), 1);
            QCOMPARE(spy->constFirst().constFirst().toString(), content().name);
        }
    }

    void disabledButtonsSayWhyAndDoNothing()
    {
        m_pane->show(content());
        m_pane->setActions(missing());
        QSignalSpy commit(m_pane.get(), &RecipePane::commitRequested);
        QPushButton *button = this->button(u"Commit the recipe"_s);
        QVERIFY(!button->isEnabled());
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(commit.isEmpty());
        QCOMPARE(button->toolTip(), u"There is nothing to commit."_s);
        QCOMPARE(QAccessible::queryAccessibleInterface(button)->text(QAccessible::Description),
                 u"There is nothing to commit."_s);
    }

    void buttonsNeverMove()
    {
        RecipePaneContent other = content();
        const auto places = [this] {
            QList<QRect> result;
            for (const auto &name : {u"Generate the recipe"_s, u"Commit the recipe"_s, u"Build the package"_s})
                result.append({button(name)->mapTo(m_pane.get(), QPoint()), button(name)->size()});
            return result;
        };
        m_pane->show(other);
        m_pane->setActions(missing());
        const QList<QRect> before = places();
        other.name = u"pytorch-python313-cuda13_0-sm121-avx512bf16-with-a-suffix-that-nobody-would-read-to-its-end"_s;
        other.stateSentence =
            u"A sentence that is so long that it must wrap at this width of the pane, and then once more, since it does not end."_s;
        other.exists = false;
        m_pane->show(other);
        m_pane->setActions(generated());
        m_pane->setLoading(true);
        m_pane->grab(); // lays out
        QCOMPARE(places(), before);
    }

    /// No line ends after the hyphen of an option, and what is copied is the sentence.
    void optionsAreNotBroken()
    {
        const QString sentence = u"Its text sets -DCAFFE2_USE_CUDNN=OFF and --with-x, but pre-built - and not this."_s;
        RecipePaneContent other = content();
        other.stateSentence = sentence;
        m_pane->show(other);
        QLabel *label = nullptr;
        for (QLabel *one : m_pane->findChildren<QLabel *>()) {
            if (one->accessibleName() == sentence)
                label = one;
        }
        QVERIFY(label);
        for (int width = 60; width < 700; ++width) {
            QTextLayout layout(label->text(), label->font());
            layout.beginLayout();
            for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
                line.setLineWidth(width);
                const QString text = label->text().mid(line.textStart(), line.textLength());
                QVERIFY2(!text.endsWith(u" -"_s) && !text.endsWith(u"--"_s) && text != u"-"_s, qPrintable(text));
            }
            layout.endLayout();
        }
        label->setSelection(0, int(label->text().size()));
        QTest::keyClick(label, Qt::Key_C, Qt::ControlModifier);
        QTRY_COMPARE(QGuiApplication::clipboard()->text(), sentence);
    }

    void theNextStepIsMarkedAndTakesTheFocusAlong()
    {
        m_pane->show(content());
        m_pane->setActions(missing());
        QPushButton *generate = button(u"Generate the recipe"_s);
        QPushButton *commit = button(u"Commit the recipe"_s);
        QVERIFY(generate->isDefault());
        generate->setFocus();
        m_pane->setActions({}); // being done
        QVERIFY(!generate->isDefault());
        m_pane->setActions(generated());
        QVERIFY(commit->isDefault());
        QVERIFY(!button(u"Build the package"_s)->isDefault());
        QCOMPARE(QApplication::focusWidget(), commit);
    }

    void theFocusIsNotTakenFromElsewhere()
    {
        m_pane->show(content());
        m_pane->setActions(missing());
        code()->setFocus();
        m_pane->setActions({});
        m_pane->setActions(generated());
        QCOMPARE(QApplication::focusWidget(), code());
    }

    void altAndADigitChangeTheTab()
    {
        m_pane->show(content());
        QCOMPARE(m_pane->tab(), RecipePane::Tab::Recipe);
        code()->setFocus();
        QTest::keyClick(code(), Qt::Key_2, Qt::AltModifier);
        QCOMPARE(m_pane->tab(), RecipePane::Tab::Changes);
        QCOMPARE(QApplication::focusWidget()->accessibleName(), u"Differences"_s);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_3, Qt::AltModifier);
        QCOMPARE(m_pane->tab(), RecipePane::Tab::Facts);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_1, Qt::AltModifier);
        QCOMPARE(m_pane->tab(), RecipePane::Tab::Recipe);
        QCOMPARE(QApplication::focusWidget(), code());
    }

    void tabsAnswerTheMouse()
    {
        m_pane->show(content());
        QTest::mouseClick(tabBar(), Qt::LeftButton, {}, tabBar()->tabRect(2).center());
        QCOMPARE(m_pane->tab(), RecipePane::Tab::Facts);
    }

    void theChangesTabCountsWhatIsNotCommitted()
    {
        m_pane->show(content());
        QCOMPARE(tabBar()->tabText(1), u"Changes (2)"_s);
        RecipePaneContent clean = content();
        clean.againstHead.clear();
        m_pane->show(clean);
        QCOMPARE(tabBar()->tabText(1), u"Changes"_s);
    }

    void saysThatAMissingRecipeWouldBeGenerated()
    {
        const QString sentence = u"This recipe does not exist yet. Generate writes this text."_s;
        m_pane->show(content());
        QVERIFY(!says(m_pane.get(), sentence));
        RecipePaneContent missing = content();
        missing.exists = false;
        m_pane->show(missing);
        QVERIFY(says(m_pane.get(), sentence));
        QVERIFY(code()->isVisible());
        missing.text.clear();
        m_pane->show(missing);
        QVERIFY(!says(m_pane.get(), sentence));
        QVERIFY(says(m_pane.get(), u"There is no recipe to show."_s));
        QVERIFY(!button(u"Copy the recipe"_s)->isEnabled());
    }

    void copiesTheWholeRecipe()
    {
        m_pane->show(content());
        QGuiApplication::clipboard()->clear();
        QTest::mouseClick(button(u"Copy the recipe"_s), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text().toUtf8(), recipeText());
        QCOMPARE(button(u"Copy the recipe"_s)->text(), u"Copied"_s);
        QTRY_COMPARE(button(u"Copy the recipe"_s)->text(), u"Copy recipe"_s);
    }

    void findKeysAreThePanesOwn()
    {
        // The surrounding window has a Ctrl+F too: neither may swallow the other.
        QAction find;
        find.setShortcut(QKeySequence::Find);
        find.setShortcutContext(Qt::WindowShortcut);
        m_pane->addAction(&find);
        QSignalSpy windows(&find, &QAction::triggered);
        m_pane->show(content());
        code()->setFocus();
        QTest::keyClick(code(), Qt::Key_F, Qt::ControlModifier);
        QVERIFY(windows.isEmpty());
        QCOMPARE(QApplication::focusWidget()->accessibleName(), u"Find in the text"_s);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        m_pane->clear();
        m_pane->setFocus();
        QTest::keyClick(m_pane.get(), Qt::Key_F, Qt::ControlModifier);
        QCOMPARE(windows.size(), 1);
    }

    void everyControlHasAName_data()
    {
        QTest::addColumn<int>("tab");
        QTest::newRow("recipe") << int(RecipePane::Tab::Recipe);
        QTest::newRow("changes") << int(RecipePane::Tab::Changes);
        QTest::newRow("facts") << int(RecipePane::Tab::Facts);
    }
    void everyControlHasAName()
    {
        QFETCH(int, tab);
        m_pane->show(content());
        m_pane->setActions(generated());
        m_pane->setTab(RecipePane::Tab(tab));
        code()->setFocus();
        QTest::keyClick(tabBar()->parentWidget(), Qt::Key_F, Qt::ControlModifier);
        int controls = 0;
        for (QWidget *widget : m_pane->findChildren<QWidget *>()) {
            if (!widget->isVisible() || (widget->focusPolicy() & Qt::TabFocus) == 0 || widget == tabBar())
                continue;
            ++controls;
            const QString name = QAccessible::queryAccessibleInterface(widget)->text(QAccessible::Name);
            QVERIFY2(!name.isEmpty(), widget->metaObject()->className());
        }
        QVERIFY2(controls > 4, qPrintable(QString::number(controls)));
    }

    void fitsItsNarrowestWidth()
    {
        RecipePaneContent long_ = content();
        long_.name = u"pytorch-python313-cuda12_8-sm120-avx512bf16"_s;
        m_pane->show(long_);
        QCOMPARE_LE(m_pane->minimumSizeHint().width(), 380);
    }

    // The files that a recipe imports are one choice away, from findings and facts too.
    void showsImportedFiles()
    {
        RecipePaneContent content = pane::content();
        content.imported = {{u".flox/pkgs/lib/gpu.nix"_s, "{\n  \"90\" = \"9.0\";\n}\n", 88},
                            {u".flox/pkgs/lib/isa.nix"_s, "{ avx2 = [ ]; }\n", 1}};
        content.findings = {{.rule = u"gpu-targets-other"_s,
                             .severity = Severity::Error,
                             .sentence = u"It is for another GPU."_s,
                             .line = 2,
                             .column = 10,
                             .length = 5,
                             .file = u".flox/pkgs/lib/gpu.nix"_s}};
        content.stated = {{u"gpu_targets"_s, u"GPU targets"_s, u"9.0"_s, 2, u".flox/pkgs/lib/gpu.nix"_s},
                          {u"pname"_s, u"pname"_s, u"x"_s, 3}};
        m_pane->show(content);
        auto *files = m_pane->findChild<QComboBox *>();
        const auto text = [this] {
            for (const QPlainTextEdit *edit : m_pane->findChildren<QPlainTextEdit *>()) {
                if (edit->isVisible() && edit->accessibleName() == "Text of the recipe"_L1)
                    return edit->toPlainText();
            }
            return QString();
        };
        QVERIFY(files && files->isVisible());
        QCOMPARE(files->count(), 3);
        QVERIFY(text().startsWith(QString::fromUtf8(content.text.left(20))));
        // A fact shows the place of its value.
        m_pane->setTab(RecipePane::Tab::Facts);
        const auto button = [this](const QString &words) -> QToolButton * {
            for (QToolButton *one : m_pane->findChildren<QToolButton *>()) {
                if (one->isVisible() && one->text() == words)
                    return one;
            }
            return nullptr;
        };
        QVERIFY(button(u"lib/gpu.nix:2"_s) && button(u"line 3"_s));
        button(u"lib/gpu.nix:2"_s)->click();
        QCOMPARE(m_pane->tab(), RecipePane::Tab::Recipe);
        QVERIFY(text().contains("\"90\""_L1));
        QCOMPARE(files->currentText(), u"lib/gpu.nix"_s);
        // The way to the recipes that import it.
        QSignalSpy users(m_pane.get(), &RecipePane::usersRequested);
        QVERIFY(button(u"Used by 88 recipes"_s));
        button(u"Used by 88 recipes"_s)->click();
        QCOMPARE(users.value(0).value(0).toString(), u".flox/pkgs/lib/gpu.nix"_s);
        m_pane->show(content); // a refresh
        QCOMPARE(files->currentText(), u"lib/gpu.nix"_s);
        content.name = u"another"_s;
        m_pane->show(content);
        QCOMPARE(files->currentIndex(), 0);
        content.imported.clear();
        m_pane->show(content);
        QVERIFY(!files->isVisible());
    }

private:
    QPlainTextEdit *code() const { return named<QPlainTextEdit>(m_pane.get(), u"Text of the recipe"_s); }
    QPushButton *button(const QString &name) const { return named<QPushButton>(m_pane.get(), name); }
    QTabBar *tabBar() const { return m_pane->findChild<QTabBar *>(); }

    std::unique_ptr<RecipePane> m_pane;
};

TM_TEST(TestRecipePane, QApplication)
#include "tst_recipepane.moc"
