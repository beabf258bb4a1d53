// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/recipe/FactsView.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>

using namespace tmx;
using namespace pane;

class TestFactsView : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        failOnWarnings();
        QApplication::setPalette(lightPalette());
        m_view = std::make_unique<FactsView>();
        m_view->resize(520, 700);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    }
    void cleanup() { m_view.reset(); }

    void showsEachFactBesideItsName()
    {
        m_view->setContent(content());
        QCOMPARE(shown(), (QStringList{
                              u"Name: pytorch-python313-cuda12_8-sm90-avx512"_s,
                              u"Build: flox build pytorch-python313-cuda12_8-sm90-avx512"_s,
                              u"File: .flox/pkgs/pytorch-python313-cuda12_8-sm90-avx512.nix"_s,
                              u"Hardware: H100 or H200 on Intel Skylake-X or newer."_s,
                              u"GPU: Hopper (sm90, compute capability 9.0)"_s,
                              u"Products: H100, H200, GH200"_s,
                              u"Driver: NVIDIA 525.60.13 or newer"_s,
                              u"CPU: AVX-512"_s,
                              u"Processors: Intel Skylake-X+ (2017), AMD Zen 4+ (2022)"_s,
                              u"Platform: x86_64-linux"_s,
                              u"Version: 2.8.0"_s,
                              u"CUDA: 12.8"_s,
                              u"Python: 3.13"_s,
                              u"CPU flags: -mavx512f\n-mavx512dq\n-mavx512vl\n-mavx512bw\n-mfma"_s,
                          }));
    }

    void whatAVariantHasNotTakesNoRoom()
    {
        RecipePaneContent cpu = content();
        cpu.facts.gpu = u"None (CPU only)"_s;
        cpu.facts.products.clear();
        cpu.facts.driver.clear();
        cpu.facts.cuda.clear();
        m_view->setContent(cpu);
        const QString all = shown().join(u'\n');
        QVERIFY(all.contains(u"GPU: None (CPU only)"_s));
        for (const QString &name : {u"Products"_s, u"Driver"_s, u"CUDA"_s})
            QVERIFY2(!all.contains(name + u':'), qPrintable(name));
        m_view->setContent(content());
        QVERIFY(shown().contains(u"CUDA: 12.8"_s));
    }

    void copiesNameAndCommand()
    {
        m_view->setContent(content());
        QTest::mouseClick(named<QPushButton>(m_view.get(), u"Copy the package's name"_s), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), content().name);
        auto *command = named<QPushButton>(m_view.get(), u"Copy the flox command"_s);
        command->setFocus();
        QTest::keyClick(command, Qt::Key_Space);
        QCOMPARE(QGuiApplication::clipboard()->text(), u"flox build "_s + content().name);
        QCOMPARE(command->text(), u"Copied"_s);
    }

    void valuesCanBeSelectedByKey()
    {
        m_view->setContent(content());
        m_view->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
        for (QLabel *label : m_view->findChildren<QLabel *>()) {
            if (label->text() != u"x86_64-linux"_s)
                continue;
            label->setFocus();
            QTest::keyClick(label, Qt::Key_A, Qt::ControlModifier);
            QCOMPARE(label->selectedText(), u"x86_64-linux"_s);
            return;
        }
        QFAIL("no such value");
    }

    void wrapsToTheWidth_data()
    {
        QTest::addColumn<int>("width");
        for (const int width : {380, 480, 600})
            QTest::addRow("%d", width) << width;
    }
    void wrapsToTheWidth()
    {
        QFETCH(int, width);
        RecipePaneContent wide = content();
        wide.facts.buildCommand = u"flox build pytorch-python313-cuda13_0-sm121-avx512bf16"_s;
        wide.hardware =
            u"A sentence that is longer than any pane is wide, so that it has to go on in a second line at the least, or a third."_s;
        m_view->resize(width, 700);
        m_view->setContent(wide);
        QTRY_VERIFY(m_view->widget()->width() <= m_view->viewport()->width());
        QCOMPARE(m_view->horizontalScrollBar()->maximum(), 0);
        for (const QLabel *label : m_view->findChildren<QLabel *>()) {
            const QRect place(label->mapTo(m_view->viewport(), QPoint()), label->size());
            QVERIFY2(!label->isVisible() || place.right() <= m_view->viewport()->width(), qPrintable(label->text()));
            QVERIFY2(!label->isVisible() || label->height() >= label->heightForWidth(label->width()),
                     qPrintable(label->text()));
        }
    }

    void theNamesStayReadableInTheDark()
    {
        m_view->setContent(content());
        QApplication::setPalette(darkPalette());
        const auto caption = [this] {
            for (const QLabel *label : m_view->findChildren<QLabel *>())
                if (label->text() == u"Platform"_s)
                    return label->palette().color(QPalette::WindowText);
            return QColor();
        };
        QTRY_VERIFY(caption().lightness() > 128);
    }

private:
    QStringList shown() const
    {
        QStringList result;
        for (const QLabel *label : m_view->findChildren<QLabel *>())
            if (const auto *value = qobject_cast<QLabel *>(label->buddy()); value && value->isVisible())
                result.append(label->text() + u": "_s + value->text());
        return result;
    }

    std::unique_ptr<FactsView> m_view;
};

TM_TEST(TestFactsView, QApplication)
#include "tst_factsview.moc"
