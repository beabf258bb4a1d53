// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Settings.h"
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/start/RepositoryBar.h"
#include "views/widgets/Label.h"

#include <QApplication>
#include <QLabel>
#include <QTest>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace tmx;

class TestRepositoryBar : public QObject
{
    Q_OBJECT

    static QString lineText(const RepositoryBar &bar)
    {
        for (const QLabel *label : bar.findChildren<QLabel *>()) {
            if (label->accessibleName() == u"What the branch builds"_s)
                return static_cast<const ElidedLabel *>(label)->fullText();
        }
        return u"no label"_s;
    }

private Q_SLOTS:
    void init() { pane::failOnWarnings(); }

    void anInferredLineIsMarked()
    {
        RepositoryBar bar;
        Settings settings;
        settings.source = Settings::Source::Inferred;
        bar.setSettings(settings);
        QCOMPARE(lineText(bar), QString()); // nothing was inferred where there are no recipes
        settings.profiles.insert({u"pytorch"_s, u"python313"_s, u"cpu"_s}, Profile{.version = u"2.8.0"_s});
        bar.setSettings(settings);
        QCOMPARE(lineText(bar), u"PyTorch 2.8.0 (inferred from the recipes)"_s);
    }

    /// As the overview names them: the most used first. What has no room becomes shorter, and no word is cut.
    void allPinsAreNamed()
    {
        RepositoryBar bar;
        Settings settings;
        settings.source = Settings::Source::Inferred;
        for (const QString &toolkit : {u"12.8"_s, u"12.9"_s, u"13.0"_s, u"13.1"_s})
            settings.profiles.insert({u"pytorch"_s, u"python313"_s, toolkit},
                                     Profile{.version = u"2.9.1"_s, .pin = {.revision = QString(40, u'c')}});
        bar.setSettings(settings);
        QVERIFY2(lineText(bar).contains(u"nixpkgs ccccccc ("_s), qPrintable(lineText(bar)));
        bar.setSettings(settings, {QString(40, u'a'), QString(40, u'c'), QString(40, u'b')});
        QVERIFY2(lineText(bar).contains(u"nixpkgs aaaaaaa, ccccccc, bbbbbbb"_s), qPrintable(lineText(bar)));
        bar.show();
        const QLabel *line = nullptr;
        for (const QLabel *label : bar.findChildren<QLabel *>()) {
            if (label->accessibleName() == u"What the branch builds"_s)
                line = label;
        }
        QVERIFY(line && line->toolTip().contains(QString(40, u'b')));
        QSet<QString> shown;
        for (int width = 1200; width > 500; width -= 20) {
            bar.resize(width, bar.height());
            shown.insert(line->text());
            const QString last = line->text().section(u' ', -1).remove(u'\u2026');
            QVERIFY2(last.isEmpty() || lineText(bar).contains(last + u' ') || lineText(bar).endsWith(last) ||
                         last == u"(inferred)"_s,
                     qPrintable(line->text()));
        }
        QVERIFY(shown.size() > 2);
    }

    /// With the recipe beside it the bar has 590 pixels in a window of 900.
    void longNamesDoNotWidenIt()
    {
        RepositoryBar bar;
        RepositoryInfo info;
        info.workTree = u"/work/"_s + u"build-a-repository-with-a-long-name-"_s.repeated(4);
        BranchRef branch;
        branch.name = u"pytorch-2.10-python313-cuda13_0-and-a-long-rest-of-the-name"_s;
        branch.ahead = 12;
        branch.behind = 3;
        info.branches = {branch};
        bar.setRepository(info, branch.name);
        QVERIFY2(bar.minimumSizeHint().width() <= 590, qPrintable(QString::number(bar.minimumSizeHint().width())));
        QCOMPARE(bar.shownBranch(), branch.name);
        const auto *name = bar.findChild<QToolButton *>();
        QVERIFY(name->text().size() < 60 && name->toolTip().contains(info.workTree));
    }

    /// A bar that needs more room during an activity would move the panels under the pointer.
    void whatTheBranchBuildsAsksForNoRoom()
    {
        RepositoryBar bar;
        const int narrow = bar.minimumSizeHint().width();
        Settings settings;
        settings.profiles.insert({u"pytorch"_s, u"python313"_s, u"cpu"_s},
                                 Profile{.version = u"2.8.0"_s, .pin = {QString(40, u'a'), {}, {}}});
        bar.setSettings(settings);
        QCOMPARE(bar.minimumSizeHint().width(), narrow);
    }
};

TM_TEST(TestRepositoryBar, QApplication)
#include "tst_repositorybar.moc"
