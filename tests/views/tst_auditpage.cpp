// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/audit/AuditPage.h"
#include "views/audit/FindingDelegate.h"
#include "views/audit/FindingList.h"
#include "views/audit/FindingsModel.h"
#include "views/recipe/RecipePane.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTabBar>
#include <QTextBlock>

using namespace tmx;
using namespace pane;

namespace {

QList<Finding> findings()
{
    return {{u"gpu-targets-notation"_s, Severity::Error, u"gpuTargets says \"sm_90\", which PyTorch does not know."_s,
             20, 5, 12, u"Write the dotted capability, \"9.0\"."_s, true},
            {u"driver-floor"_s, Severity::Warning, u"The driver that it names is too old."_s, 60, 1, 0,
             u"Name 525.60.13 or newer."_s, false},
            {u"pin-without-hash"_s, Severity::Note, u"The tarball has no sha256."_s, 0, 0, 0, {}, false}};
}

RecipePaneContent audited()
{
    RecipePaneContent c = content();
    c.findings = findings();
    c.againstTemplate = twoChanges();
    return c;
}

} // namespace

class TestAuditPage : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        failOnWarnings();
        QApplication::setPalette(lightPalette());
        m_pane = std::make_unique<RecipePane>();
        m_pane->resize(420, 640);
        m_pane->QWidget::show();
        m_pane->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_pane.get()));
        m_pane->setTab(RecipePane::Tab::Audit);
    }
    void cleanup() { m_pane.reset(); }

    /// In a narrow pane a long place gives way to the word of the severity.
    void aPlaceCoversNoWord()
    {
        const auto picture = [](const QString &place) {
            QStandardItemModel model(1, 1);
            const QModelIndex index = model.index(0, 0);
            model.setData(index, int(Severity::Warning), FindingsModel::SeverityRole);
            model.setData(index, place, FindingsModel::PlaceRole);
            model.setData(index, true, FindingsModel::FixableRole);
            QStyleOptionViewItem option;
            option.rect = QRect(0, 0, 260, 60);
            QImage image(option.rect.size(), QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            FindingDelegate().paint(&painter, option, index);
            QFont bold = option.font;
            bold.setBold(true);
            return image.copy(0, 0, 40 + QFontMetrics(bold).horizontalAdvance(u"warning"_s), 30);
        };
        QCOMPARE(picture(u"lib/a-folder/cuda-metadata.nix:90"_s), picture(u"nix:9"_s));
    }

    void modelSaysWhatAFindingIs()
    {
        FindingsModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setFindings(findings());
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(
            model.index(0).data(Qt::AccessibleTextRole).toString(),
            u"error, line 20: gpuTargets says \"sm_90\", which PyTorch does not know. Write the dotted capability, \"9.0\"."_s);
        QCOMPARE(model.index(2).data(Qt::AccessibleTextRole).toString(), u"note: The tarball has no sha256."_s);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        model.setFindings(findings());
        QCOMPARE(reset.size(), 0);
        model.setFindings({});
        QCOMPARE(model.rowCount(), 0);
    }

    void tabAndSummaryCountWhatIsToBeDone()
    {
        m_pane->show(content());
        QCOMPARE(tabText(), u"Audit"_s);
        QVERIFY(text(u"Count of findings"_s) == u"No findings"_s);
        m_pane->show(audited());
        QCOMPARE(tabText(), u"Audit (2)"_s); // a note asks for nothing
        QCOMPARE(text(u"Count of findings"_s), u"1 error, 1 warning, 1 note"_s);
        RecipePaneContent missing = audited();
        missing.exists = false; // It says so for a text that Generate would not write.
        m_pane->show(missing);
        QCOMPARE(tabText(), u"Audit"_s);
    }

    void clickingShowsTheLineAndEnterGoesToTheRecipe()
    {
        m_pane->show(audited());
        auto *code = named<QPlainTextEdit>(m_pane.get(), u"Recipe at the finding"_s);
        QVERIFY(code && code->isVisible());
        QCOMPARE(code->textCursor().blockNumber(), 19);
        QCOMPARE(code->textCursor().positionInBlock(), 4);
        const QModelIndex second = list()->model()->index(1, 0);
        QTest::mouseClick(list()->viewport(), Qt::LeftButton, {}, list()->visualRect(second).center());
        QCOMPARE(code->textCursor().blockNumber(), 59);
        list()->setFocus();
        QTest::keyClick(list(), Qt::Key_Up);
        QCOMPARE(code->textCursor().blockNumber(), 19);
        QTest::keyClick(list(), Qt::Key_Return);
        QCOMPARE(m_pane->tab(), RecipePane::Tab::Recipe);
        auto *recipe = named<QPlainTextEdit>(m_pane.get(), u"Text of the recipe"_s);
        QCOMPARE(recipe->textCursor().blockNumber(), 19);
        QVERIFY(recipe->hasFocus());
    }

    void aFindingBeyondTheTextDoesNoHarm()
    {
        RecipePaneContent c = audited();
        c.findings = {{u"x"_s, Severity::Error, u"Far away."_s, 100'000, 9'999, 50, {}, false},
                      {u"y"_s, Severity::Error, u"Wide."_s, 1, 9'999, 9'999, {}, false}};
        m_pane->show(c);
        list()->setCurrentIndex(list()->model()->index(1, 0));
        QVERIFY(!m_pane->grab().isNull());
    }

    void fixIsOfferedWhereThereIsOne()
    {
        m_pane->show(audited());
        AuditPage *page = m_pane->audit();
        QSignalSpy fix(page, &AuditPage::fixRequested);
        QSignalSpy applied(page, &AuditPage::applyRequested);
        QVERIFY(button(u"Fix the finding"_s)->isEnabled());
        QTest::mouseClick(button(u"Fix the finding"_s), Qt::LeftButton);
        QCOMPARE(fix.size(), 1);
        QCOMPARE(fix.first().first().value<Finding>(), findings().first());
        // The difference is shown before anything is written.
        page->showProposal(u"This change fixes it."_s, proposal());
        auto *diff = named<QPlainTextEdit>(m_pane.get(), u"Difference"_s);
        QVERIFY(diff->isVisible());
        QTRY_VERIFY(diff->toPlainText().contains(u"-mavx512ifma"_s));
        QVERIFY(applied.isEmpty());
        QTest::keyClick(m_pane->focusWidget(), Qt::Key_Escape);
        QVERIFY(!diff->isVisible());
        QVERIFY(list()->hasFocus());
        QTest::keyClick(list(), Qt::Key_F);
        QCOMPARE(fix.size(), 2);
        page->showProposal(u"This change fixes it."_s, proposal());
        QTest::keyClick(m_pane->focusWidget(), Qt::Key_Space); // the focus is on Apply
        QCOMPARE(applied.size(), 1);
        // For a finding without a fix the button is disabled.
        list()->setCurrentIndex(list()->model()->index(1, 0));
        QVERIFY(!button(u"Fix the finding"_s)->isEnabled());
        QTest::keyClick(list(), Qt::Key_F);
        QCOMPARE(fix.size(), 2);
    }

    void aProposalOfAnotherTextGoesAway()
    {
        m_pane->show(audited());
        m_pane->audit()->showProposal(u"This change fixes it."_s, proposal());
        auto *diff = named<QPlainTextEdit>(m_pane.get(), u"Difference"_s);
        m_pane->show(audited()); // a refresh: the same text
        QVERIFY(diff->isVisible());
        RecipePaneContent changed = audited();
        changed.text += "# more\n";
        m_pane->show(changed);
        QVERIFY(!diff->isVisible());
    }

    void renderingAnewIsOfferedWhereSomethingDiffers()
    {
        QSignalSpy render(m_pane->audit(), &AuditPage::renderRequested);
        m_pane->show(audited());
        QTest::mouseClick(button(u"Render the recipe again from its template"_s), Qt::LeftButton);
        QCOMPARE(render.size(), 1);
        RecipePaneContent same = audited();
        same.againstTemplate.clear();
        m_pane->show(same);
        QVERIFY(!button(u"Render the recipe again from its template"_s)->isEnabled());
    }

    void theCheckWithNixCanBeStopped()
    {
        AuditPage *page = m_pane->audit();
        m_pane->show(audited());
        page->setNixCheck(AuditPage::NixCheck::Absent);
        QVERIFY(!button(u"Check with Nix"_s)->isVisible());
        page->setNixCheck(AuditPage::NixCheck::Idle);
        QSignalSpy check(page, &AuditPage::nixCheckRequested);
        QSignalSpy stop(page, &AuditPage::nixStopRequested);
        QTest::mouseClick(button(u"Check with Nix"_s), Qt::LeftButton);
        QCOMPARE(check.size(), 1);
        page->setNixCheck(AuditPage::NixCheck::Running);
        QTest::mouseClick(button(u"Stop the check"_s), Qt::LeftButton);
        QCOMPARE(stop.size(), 1);
        page->setNixCheck(AuditPage::NixCheck::Idle, u"Nix rejects it at line 3."_s);
        QCOMPARE(text(u"Answer"_s), u"Nix rejects it at line 3."_s);
        RecipePaneContent changed = audited();
        changed.text += "# more\n";
        m_pane->show(changed);
        QVERIFY(text(u"Answer"_s).isEmpty()); // it was about another text
    }

    void fourKeysReachFourTabs()
    {
        m_pane->show(audited());
        QTest::keyClick(m_pane.get(), Qt::Key_1, Qt::AltModifier);
        QCOMPARE(m_pane->tab(), RecipePane::Tab::Recipe);
        QTest::keyClick(m_pane.get(), Qt::Key_4, Qt::AltModifier);
        QCOMPARE(m_pane->tab(), RecipePane::Tab::Audit);
    }

private:
    /// Two flags become one.
    [[nodiscard]] static QList<ChangeSet> proposal()
    {
        ChangedFile file;
        file.action = ChangeAction::Rewrite;
        file.path = audited().file;
        file.before = QByteArray(recipeText()).replace("-mavx512bw", "-mavx512ifma");
        file.after = recipeText();
        file.chosen = true;
        ChangeSet change;
        change.branch = u"main"_s;
        change.files = {file};
        return {change};
    }
    [[nodiscard]] FindingList *list() const { return m_pane->findChild<FindingList *>(); }
    [[nodiscard]] QPushButton *button(const QString &name) const { return named<QPushButton>(m_pane.get(), name); }
    [[nodiscard]] QString tabText() const { return m_pane->findChild<QTabBar *>()->tabText(3); }
    [[nodiscard]] QString text(const QString &name) const
    {
        const auto *label = named<QLabel>(m_pane.get(), name);
        return label && label->isVisible() ? label->text() : QString();
    }
    std::unique_ptr<RecipePane> m_pane;
};

TM_TEST(TestAuditPage, QApplication)
#include "tst_auditpage.moc"
