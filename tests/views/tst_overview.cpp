// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/OverviewModel.h"
#include "tests/support/RenderedText.h"
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/overview/OverviewDelegate.h"
#include "views/overview/OverviewPanel.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QLineEdit>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

FleetBranch branchOf(const QString &repository, const QString &name, int recipes, int errors,
                     const BuildCounts &builds = {})
{
    BranchSummary summary;
    for (int i = 0; i < recipes; ++i)
        summary.recipes.append({Variant{u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, QString::number(i)}});
    summary.problems.errors = errors;
    summary.versions.insert(u"pytorch"_s, {u"2.9.1"_s});
    summary.pins = {{u"2b22222bbbb"_s, recipes, {}}};
    return {u"/work/"_s + repository, {name}, std::make_shared<const BranchSummary>(summary), builds};
}

std::shared_ptr<const Fleet> fleetOf(const QList<FleetBranch> &branches)
{
    auto fleet = std::make_shared<Fleet>();
    fleet->branches = branches;
    return fleet;
}

QStringList shown(const QTableView &table, OverviewModel::Column column)
{
    QStringList texts;
    for (int row = 0; row < table.model()->rowCount(); ++row)
        texts.append(table.model()->index(row, int(column)).data().toString());
    return texts;
}

} // namespace

class OverviewTest : public QObject
{
    Q_OBJECT
    using Column = OverviewModel::Column;

private Q_SLOTS:
    void init() { pane::failOnWarnings(); }

    /// Which branches lack what is in the cell, not behind it.
    void saysWhereRecipesAreMissing()
    {
        const auto gap = [](const QString &cuda, const QString &row, const QString &isa) {
            return Variant{u"pytorch"_s, u"python313"_s, cuda, row, isa};
        };
        BranchSummary older, newer;
        older.pins = {{QString(40, u'b'), 3, {}}};
        newer.pins = {{QString(40, u'a'), 3, {}}};
        OverviewModel pins;
        pins.setFleet(fleetOf({{u"/work/torch"_s, {u"main"_s}, std::make_shared<const BranchSummary>(newer), {}},
                               {u"/work/torch"_s, {u"old"_s}, std::make_shared<const BranchSummary>(older), {}}}),
                      {{QString(40, u'b'), QDate(2025, 7, 1)}, {QString(40, u'a'), QDate(2026, 2, 1)}});
        const auto pin = [&pins](int row, int role) {
            return pins.index(row, int(Column::Pins)).data(role).toString();
        };
        QVERIFY(pin(1, OverviewModel::SortRole) < pin(0, OverviewModel::SortRole)); // the oldest first
        QCOMPARE(pin(1, Qt::DisplayRole), u"bbbbbbb, 2025-07, oldest"_s);           // which one is old is seen
        QVERIFY2(pin(1, Qt::ToolTipRole).contains(u"2025-07-01"_s), qPrintable(pin(1, Qt::ToolTipRole)));
        // A pin with a date alone and one with a PyTorch alone cannot be compared: none is called the oldest.
        newer.pinnedVersions = {{QString(40, u'b'), u"pytorch"_s, u"2.8.0"_s}};
        pins.setFleet(fleetOf({{u"/work/torch"_s, {u"main"_s}, std::make_shared<const BranchSummary>(newer), {}},
                               {u"/work/torch"_s, {u"old"_s}, std::make_shared<const BranchSummary>(older), {}}}),
                      {{QString(40, u'a'), QDate(2026, 2, 1)}});
        QCOMPARE(pin(0, Qt::DisplayRole), u"aaaaaaa, 2026-02"_s);
        QCOMPARE(pin(1, Qt::DisplayRole), u"bbbbbbb, PyTorch 2.8.0"_s);
        // Without dates, by the PyTorch that recipes show to be in it.
        newer.pinnedVersions = {{QString(40, u'a'), u"pytorch"_s, u"2.9.1"_s},
                                {QString(40, u'b'), u"pytorch"_s, u"2.8.0"_s}};
        pins.setFleet(fleetOf({{u"/work/torch"_s, {u"main"_s}, std::make_shared<const BranchSummary>(newer), {}},
                               {u"/work/vision"_s, {u"main"_s}, std::make_shared<const BranchSummary>(older), {}}}));
        QCOMPARE(pin(1, Qt::DisplayRole), u"bbbbbbb, PyTorch 2.8.0, oldest"_s);
        // Where both have no room, it is still called so.
        QCOMPARE(pins.index(1, int(Column::Pins)).data(OverviewModel::ShorterRole).toStringList(),
                 QStringList{u"bbbbbbb (oldest)"_s});
        QCOMPARE(pin(0, Qt::DisplayRole), u"aaaaaaa, PyTorch 2.9.1"_s);
        const auto weight = [&pins](int row) {
            return pins.index(row, int(Column::Pins)).data(OverviewModel::WeightRole).value<OverviewModel::Weight>();
        };
        QCOMPARE(weight(1), OverviewModel::Weight::Warning);
        QCOMPARE(weight(0), OverviewModel::Weight::Plain);
        // Where a branch has several all are named, and the oldest is marked where it is: also behind others.
        BranchSummary several = newer;
        several.pins.append({QString(40, u'c'), 2, {}});
        several.pins.append(older.pins);
        OverviewModel three;
        three.setFleet(fleetOf({{u"/work/torch"_s, {u"main"_s}, std::make_shared<const BranchSummary>(several), {}}}),
                       {{QString(40, u'a'), QDate(2026, 2, 1)}, {QString(40, u'b'), QDate(2025, 7, 1)}});
        const QModelIndex all = three.index(0, int(Column::Pins));
        QCOMPARE(all.data().toString(), u"aaaaaaa, ccccccc, bbbbbbb (2025-07, oldest)"_s);
        QCOMPARE(all.data(OverviewModel::WeightRole).value<OverviewModel::Weight>(), OverviewModel::Weight::Warning);
        for (const QChar of : {u'd', u'e'})
            several.pins.insert(2, {QString(40, of), 1, {}});
        three.setFleet(fleetOf({{u"/work/torch"_s, {u"main"_s}, std::make_shared<const BranchSummary>(several), {}}}),
                       {{QString(40, u'a'), QDate(2026, 2, 1)}, {QString(40, u'b'), QDate(2025, 7, 1)}});
        QCOMPARE(all.data().toString(), u"aaaaaaa, ccccccc, bbbbbbb (2025-07, oldest) and 2 more"_s);
        const QStringList tips = all.data(Qt::ToolTipRole).toString().split(u'\n');
        QVERIFY2(tips.size() == 5 && tips.last().contains(u"oldest"_s), qPrintable(tips.join(u'|')));
        QVERIFY2(pin(1, Qt::ToolTipRole).contains(u"PyTorch 2.8.0"_s), qPrintable(pin(1, Qt::ToolTipRole)));
        QVERIFY(pin(1, OverviewModel::SortRole) < pin(0, OverviewModel::SortRole));
        // Two with one PyTorch: none is the oldest.
        newer.pinnedVersions.last().version = u"2.9.1"_s;
        pins.setFleet(fleetOf({{u"/work/torch"_s, {u"main"_s}, std::make_shared<const BranchSummary>(newer), {}},
                               {u"/work/vision"_s, {u"main"_s}, std::make_shared<const BranchSummary>(older), {}}}));
        QCOMPARE(pin(1, Qt::DisplayRole), u"bbbbbbb, PyTorch 2.9.1"_s);
        const auto missing = [&gap](const QList<Variant> &gaps, int holes, const QStringList &toolkits, int role) {
            BranchSummary summary;
            summary.missing = int(gaps.size()) - holes;
            summary.holes = holes;
            summary.gaps = gaps;
            for (const QString &toolkit : toolkits) {
                for (const QString &row : {u"sm90"_s, u"sm120"_s, u"sm121"_s}) {
                    for (const QString &isa : {u"avx"_s, u"avx2"_s, u"avx512"_s, u"armv8_2"_s, u"armv9"_s})
                        summary.recipes.append({gap(toolkit, row, isa), {}, {}, {}, {}});
                }
            }
            OverviewModel model;
            model.setFleet(
                fleetOf({{u"/work/torch"_s, {u"main"_s}, std::make_shared<const BranchSummary>(summary), {}}}));
            return model.index(0, int(Column::Missing)).data(role);
        };
        const auto text = [&missing](const QList<Variant> &gaps, int holes,
                                     const QStringList &toolkits = {u"12.9"_s, u"13.0"_s}) {
            return missing(gaps, holes, toolkits, Qt::DisplayRole).toString();
        };
        QCOMPARE(text({}, 0), u"nothing"_s);
        QCOMPARE(missing({}, 0, {u"12.8"_s}, OverviewModel::WeightRole).value<OverviewModel::Weight>(),
                 OverviewModel::Weight::Nothing);
        // What is certainly missing stands out as errors do, in the title of the column too.
        const Variant one = gap(u"12.8"_s, u"sm90"_s, u"avx512"_s);
        using Weight = OverviewModel::Weight;
        QCOMPARE(missing({one}, 0, {u"12.8"_s}, OverviewModel::WeightRole).value<Weight>(), Weight::Error);
        QCOMPARE(missing({one}, 1, {u"12.8"_s}, OverviewModel::WeightRole).value<Weight>(), Weight::Warning);
        BranchSummary lacking;
        lacking.missing = 1;
        lacking.gaps = {one};
        OverviewModel titled;
        titled.setFleet(fleetOf({{u"/work/torch"_s, {u"main"_s}, std::make_shared<const BranchSummary>(lacking), {}},
                                 branchOf(u"torch"_s, u"next"_s, 3, 0)}));
        const auto title = [&titled](Column column) {
            return titled.headerData(int(column), Qt::Horizontal, OverviewModel::WeightRole).value<Weight>();
        };
        QCOMPARE(title(Column::Missing), Weight::Error);
        QVERIFY(title(Column::Errors) < Weight::Warning && title(Column::Recipes) == Weight::Plain);
        QCOMPARE(text({gap(u"12.9"_s, u"sm121"_s, u"armv9"_s), gap(u"12.9"_s, u"sm121"_s, u"armv8_2"_s)}, 2),
                 u"probably 2 recipes: 12.9 sm121 armv8_2, armv9"_s);
        // The cells themselves where they are few; a toolkit that the branch has alone says nothing.
        QCOMPARE(
            text({gap(u"12.8"_s, u"sm90"_s, u"avx512"_s), gap(u"12.8"_s, u"sm120"_s, u"avx512"_s)}, 0, {u"12.8"_s}),
            u"2 recipes: sm90, sm120 with avx512"_s);
        QCOMPARE(text(QList<Variant>(5, gap(u"12.9"_s, u"sm121"_s, {})), 0), u"5 recipes: 12.9 sm121"_s);
        QCOMPARE(text({gap(u"12.9"_s, u"sm90"_s, u"avx2"_s), gap(u"13.0"_s, u"sm120"_s, u"avx"_s),
                       gap(u"13.0"_s, u"sm90"_s, u"avx"_s), gap({}, u"cpu"_s, u"armv9"_s)},
                      1),
                 u"3 recipes, probably 1 more: 12.9 sm90 avx2; 13.0 sm90, sm120 with avx; cpu armv9"_s);
        // A branch without recipes lacks all: the number says it.
        QCOMPARE(text({gap(u"12.9"_s, u"sm90"_s, u"avx2"_s)}, 0, {}), u"1 recipe"_s);
        // Of many none is left out: what they share is named, then counts, and the tooltip lists the groups.
        QList<Variant> many{gap(u"13.0"_s, u"sm90"_s, u"avx"_s)};
        for (const QString &row : {u"sm100"_s, u"sm103"_s}) {
            for (const QString &isa : {u"avx2"_s, u"avx512"_s, u"armv9"_s})
                many.append(gap(u"12.9"_s, row, isa));
        }
        QCOMPARE(text(many, 0), u"7 recipes: all of sm100, sm103; 13.0 sm90 avx"_s);
        const QStringList toolkits{u"12.9"_s, u"13.0"_s};
        QCOMPARE(
            missing(many, 0, toolkits, OverviewModel::ShorterRole).toStringList(),
            (QStringList{u"7 recipes: sm100 × 3, sm103 × 3, sm90"_s, u"7 recipes: 12.9 × 6, 13.0"_s, u"7 recipes"_s}));
        QCOMPARE(missing(many, 0, toolkits, Qt::ToolTipRole).toString(), u"all of sm100, sm103\n13.0 sm90 avx"_s);
    }

    /// Some have a date, some only the PyTorch that is in them, and some nothing that tells their age.
    void sortsPinsByAge()
    {
        struct Pin {
            QString branch;
            QDate date = {};
            QString torch = {};
        };
        const QList<Pin> pins{{u"2.8 of August"_s, QDate(2025, 8, 20), u"2.8.0"_s},
                              {u"nothing known"_s},
                              {u"2.9"_s, {}, u"2.9.1"_s},
                              {u"2.10 of March"_s, QDate(2026, 3, 1), u"2.10.0"_s},
                              {u"a date alone"_s, QDate(2025, 11, 2)},
                              {u"2.7"_s, {}, u"2.7.1"_s},
                              {u"2.10"_s, {}, u"2.10.0"_s},
                              {u"2.11"_s, {}, u"2.11.0"_s}};
        QList<FleetBranch> branches{{u"/work/torch"_s, {u"no pin"_s}, std::make_shared<const BranchSummary>(), {}}};
        QHash<QString, QDate> dates;
        for (const Pin &pin : pins) {
            BranchSummary summary;
            const QString revision(40, QChar(u'a' + char16_t(branches.size())));
            summary.pins = {{revision, 3, {}}};
            if (!pin.torch.isEmpty())
                summary.pinnedVersions = {{revision, u"pytorch"_s, pin.torch}};
            if (pin.date.isValid())
                dates.insert(revision, pin.date);
            branches.append({u"/work/torch"_s, {pin.branch}, std::make_shared<const BranchSummary>(summary), {}});
        }
        OverviewModel model;
        OverviewPanel panel(&model);
        panel.resize(1280, 400);
        panel.show();
        model.setFleet(fleetOf(branches), dates);
        QTableView &table = *panel.table();
        const QHeaderView *head = table.horizontalHeader();
        const QPoint pinHead(head->sectionViewportPosition(int(Column::Pins)) + 10, head->height() / 2);
        QTest::mouseClick(head->viewport(), Qt::LeftButton, {}, pinHead);
        QStringList right{u"2.7"_s,  u"2.8 of August"_s, u"2.9"_s,           u"a date alone"_s, u"2.10 of March"_s,
                          u"2.10"_s, u"2.11"_s,          u"nothing known"_s, u"no pin"_s};
        if (head->sortIndicatorOrder() == Qt::DescendingOrder)
            std::ranges::reverse(right);
        QCOMPARE(shown(table, Column::Branch), right);
        QTest::mouseClick(head->viewport(), Qt::LeftButton, {}, pinHead);
        std::ranges::reverse(right);
        QCOMPARE(shown(table, Column::Branch), right);
    }

    void theModelKeepsItsRules()
    {
        OverviewModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setFleet(fleetOf({branchOf(u"torch"_s, u"main"_s, 3, 1), branchOf(u"torch"_s, u"next"_s, 0, 0)}));
        const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        const QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        // The same branches with other numbers: selection and place survive.
        model.setFleet(fleetOf({branchOf(u"torch"_s, u"main"_s, 4, 0), branchOf(u"torch"_s, u"next"_s, 0, 0)}));
        QCOMPARE(resets.size(), 0);
        QCOMPARE(changes.size(), 1);
        QCOMPARE(model.index(0, int(Column::Recipes)).data(Qt::DisplayRole).toString(), u"4"_s);
        model.setFleet(fleetOf({}));
        QCOMPARE(resets.size(), 1);
        QCOMPARE(model.branchAt(0), nullptr);
        for (int column = 0; column < OverviewModel::columns; ++column)
            QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
    }

    void sharesAreAllRecipes()
    {
        const BuildCounts counts{
            .built = 4, .failed = 1, .stale = 2, .running = 1, .builtByTeam = 1, .failedByTeam = 1, .last = {}};
        OverviewModel model;
        model.setFleet(
            fleetOf({branchOf(u"torch"_s, u"main"_s, 12, 0, counts),
                     branchOf(u"torch"_s, u"next"_s, 12, 0, {.failedByTeam = 1, .last = {}}),
                     branchOf(u"torch"_s, u"old"_s, 12, 0, {.builtByTeam = 3, .last = {}}),
                     branchOf(u"torch"_s, u"team"_s, 12, 0, {.builtByTeam = 3, .failedByTeam = 1, .last = {}})}));
        const QModelIndex builds = model.index(0, int(Column::Builds));
        QCOMPARE(builds.data().toString(), u"1 running, 1 failed, 1 failed in team, 2 stale, 4 built, 1 by team"_s);
        // A failure is a failure, whoever built.
        const auto of = [&model](int row, int role) { return model.index(row, int(Column::Builds)).data(role); };
        QCOMPARE(of(1, OverviewModel::WeightRole).value<OverviewModel::Weight>(), OverviewModel::Weight::Error);
        QCOMPARE(of(2, OverviewModel::WeightRole).value<OverviewModel::Weight>(), OverviewModel::Weight::Plain);
        QVERIFY(of(1, OverviewModel::SortRole).toInt() > of(2, OverviewModel::SortRole).toInt());
        QCOMPARE(of(1, Qt::DisplayRole).toString(), u"1 failed in team"_s);
        QCOMPARE(of(3, Qt::DisplayRole).toString(), u"1 failed, 3 built by team"_s);
        const auto shares = builds.data(OverviewModel::SharesRole).value<QList<int>>();
        int all = 0;
        for (qsizetype i = 1; i < shares.size(); i += 2)
            all += shares.at(i);
        QCOMPARE(all, 12);
    }

    /// Nothing is blank, and what no branch has takes no room: all columns are seen at 1280 pixels.
    void allColumnsAreSeen()
    {
        OverviewModel model;
        OverviewPanel panel(&model);
        panel.resize(1280, 400);
        panel.show();
        FleetBranch unknown = branchOf(u"vision"_s, u"pytorch-2.9-python313"_s, 177, 1);
        auto summary = std::make_shared<BranchSummary>(*unknown.summary);
        summary->versions = {{u"<b>pytorch</b>"_s, {}}};
        summary->toolkits = {u"12.8"_s, u"12.9"_s, u"13.0"_s, u"13.1"_s};
        summary->pins = {{u"2b22222bbbb"_s, 100, {}}, {u"3b22222bbbb"_s, 77, {}}};
        unknown.summary = summary;
        model.setFleet(fleetOf({unknown, branchOf(u"torch-repository"_s, u"main"_s, 9, 0)}));
        QCOMPARE(shown(*panel.table(), Column::Versions).first(), u"<b>pytorch</b> (no version stated)"_s);
        QCOMPARE(shown(*panel.table(), Column::Pins).first(), u"2b22222, 3b22222"_s);
        for (int row = 0; row < model.rowCount(); ++row) {
            for (int column = 0; column < OverviewModel::columns; ++column) {
                if (Column(column) != Column::Builds && Column(column) != Column::Pythons &&
                    Column(column) != Column::Toolkits)
                    QVERIFY2(!model.index(row, column).data().toString().isEmpty(),
                             qPrintable(QString::number(column)));
            }
        }
        QTRY_COMPARE(panel.table()->horizontalScrollBar()->maximum(), 0);
        QVERIFY(panel.table()->columnWidth(int(Column::Versions)) > 90);
        BuildCounts built{.built = 1, .last = QDateTime::currentDateTime()};
        model.setFleet(fleetOf({unknown, branchOf(u"torch-repository"_s, u"main"_s, 9, 0, built)}));
        QVERIFY(!panel.table()->isColumnHidden(int(Column::LastBuild)));
        QTRY_COMPARE(panel.table()->horizontalScrollBar()->maximum(), 0);
        // Long names give way, and numbers do not.
        BuildCounts all{.built = 120, .failed = 3, .builtByTeam = 12, .failedByTeam = 4};
        all.last = QDateTime::currentDateTime();
        unknown.repository = u"/work/a-repository-whose-name-is-longer-than-the-window-has-room-for"_s;
        unknown.ref = {u"feature/a-branch-whose-name-is-as-long-as-those-of-people-who-describe-their-work"_s};
        unknown.builds = all;
        model.setFleet(fleetOf({unknown, branchOf(u"torch-repository"_s, u"main"_s, 9, 0, built)}));
        QTRY_COMPARE(panel.table()->horizontalScrollBar()->maximum(), 0);
        const auto needed = [&panel](Column column) {
            return panel.table()->fontMetrics().horizontalAdvance(
                panel.table()->model()->index(0, int(column)).data().toString());
        };
        for (const Column column : {Column::Recipes, Column::Errors, Column::Warnings, Column::LastBuild})
            QVERIFY(panel.table()->columnWidth(int(column)) > needed(column));
        // "9" is not read on in "0" of the next column.
        const auto beside = [&panel, &needed](Column column) {
            QStyleOptionViewItem option;
            option.initFrom(panel.table());
            const QModelIndex index = panel.table()->model()->index(0, int(column));
            return panel.table()->itemDelegate()->sizeHint(option, index).width() - needed(column);
        };
        QVERIFY(beside(Column::Recipes) >= beside(Column::Branch) + 8);
        // In a wide one no column touches the next.
        panel.resize(2560, 400);
        QTRY_VERIFY(panel.table()->columnWidth(int(Column::Pins)) >= needed(Column::Pins) + 16);
        QVERIFY(panel.table()->columnWidth(int(Column::Toolkits)) >= needed(Column::Toolkits) + 16);
        // In a narrow window the table scrolls before a name is cut to its first letters.
        panel.resize(600, 400);
        QTRY_VERIFY(panel.table()->horizontalScrollBar()->maximum() > 0);
        QVERIFY(panel.table()->columnWidth(int(Column::Branch)) >
                panel.table()->fontMetrics().horizontalAdvance(u"pytorch-2.9"_s));
    }

    // What a branch lacks and what failed is whole at 1280 pixels beside all other columns.
    void whatMattersIsWhole()
    {
        FleetBranch sample = branchOf(u"sample"_s, u"torchvision-next"_s, 42, 1,
                                      {.builtByTeam = 3, .failedByTeam = 1, .last = QDateTime::currentDateTime()});
        auto summary = std::make_shared<BranchSummary>(*sample.summary);
        summary->versions = {{u"torchvision"_s, {u"0.23.0"_s}}};
        summary->pythons = {u"python313"_s};
        summary->missing = 2;
        const auto gap = [](const QString &row) {
            return Variant{u"pytorch"_s, u"python313"_s, u"12.8"_s, row, u"avx512"_s};
        };
        summary->gaps = {gap(u"sm120"_s), gap(u"sm90"_s)};
        summary->toolkits = {u"12.8"_s};
        sample.summary = summary;
        sample.ref.upstream = u"origin/main"_s;
        FleetBranch other = branchOf(u"build-torchvision"_s, u"pytorch-2.9-python313"_s, 795, 42);
        auto more = std::make_shared<BranchSummary>(*other.summary);
        more->versions = {{u"torchvision"_s, {u"0.23.0"_s, u"0.24.0"_s}}};
        more->toolkits = {u"12.8"_s, u"12.9"_s, u"13.1"_s};
        more->pinnedVersions = {{more->pins.constFirst().revision, u"pytorch"_s, u"2.9.1"_s}};
        more->problems.warnings = 416;
        other.summary = more;
        auto fleet = std::make_shared<Fleet>();
        fleet->branches = {sample, other};
        fleet->coverage = {{.needed = 10, .covered = 10}, {.needed = 795, .covered = 59}};
        OverviewModel model;
        OverviewPanel panel(&model);
        panel.resize(1280, 400);
        panel.show();
        model.setFleet(fleet);
        QTableView &table = *panel.table();
        for (int column = 0; column < OverviewModel::columns; ++column)
            QVERIFY2(!table.isColumnHidden(column), qPrintable(QString::number(column)));
        for (const Column column : {Column::Missing, Column::Builds}) {
            const QModelIndex cell = table.model()->index(0, int(column));
            QFont font = table.font();
            font.setBold(column == Column::Builds);
            const int needed = QFontMetrics(font).horizontalAdvance(cell.data().toString());
            QVERIFY2(table.columnWidth(int(column)) >= needed + 6, qPrintable(cell.data().toString()));
        }
        // With room below, a name goes on in a second line; many rows are one line high.
        const int two = 2 * table.fontMetrics().height();
        QVERIFY(table.rowHeight(0) >= two);
        auto many = std::make_shared<Fleet>();
        for (int i = 0; i < 20; ++i) {
            many->branches += fleet->branches;
            many->coverage += fleet->coverage;
        }
        model.setFleet(many);
        QVERIFY(table.rowHeight(0) < two);
        model.setFleet(fleet);
        QVERIFY(table.rowHeight(0) >= two);
        // In a narrow window in a third line, unless rows would be scrolled away for it.
        panel.resize(900, 400);
        QCoreApplication::processEvents();
        const int three = 3 * table.fontMetrics().height();
        QVERIFY(table.rowHeight(0) >= three);
        const auto *whole = static_cast<const OverviewDelegate *>(table.itemDelegate());
        for (int row = 0; row < 2; ++row) {
            const QModelIndex name = table.model()->index(row, int(Column::Branch));
            QStyleOptionViewItem shown;
            shown.initFrom(&table);
            shown.rect = table.visualRect(name);
            QVERIFY2(whole->isWhole(shown, name), qPrintable(name.data().toString()));
            shown.rect.setHeight(shown.fontMetrics.height());
            QVERIFY(!whole->isWhole(shown, name));
        }
        auto some = std::make_shared<Fleet>();
        for (int i = 0; i < 4; ++i) {
            some->branches += fleet->branches;
            some->coverage += fleet->coverage;
        }
        model.setFleet(some);
        QVERIFY(table.rowHeight(0) < three);
        model.setFleet(fleet);
        // A text that has no room ends in its cell, also in bold letters.
        QStyleOptionViewItem option;
        option.initFrom(&table);
        option.rect = QRect(0, 0, 80, 22);
        const QModelIndex builds = table.model()->index(0, int(Column::Builds));
        QVERIFY(table.itemDelegate()->sizeHint(option, builds).width() > option.rect.width());
        QImage image(160, 22, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        table.itemDelegate()->paint(&painter, option, builds);
        painter.end();
        int drawn = 0;
        for (int x = 0; x < image.width(); ++x) {
            for (int y = 0; y < image.height(); ++y) {
                if (image.pixel(x, y) == QColor(Qt::white).rgb())
                    continue;
                ++drawn;
                QVERIFY2(x < option.rect.right(), qPrintable(QString::number(x)));
            }
        }
        QVERIFY(drawn > 100);
    }

    /// A row whose texts fit in one line has one, also after others are sorted and filtered.
    void aRowIsAsHighAsItsText()
    {
        OverviewModel model;
        OverviewPanel panel(&model);
        panel.resize(900, 400);
        panel.show();
        model.setFleet(
            fleetOf({branchOf(u"sample"_s, u"main"_s, 42, 0),
                     branchOf(u"build-torchvision"_s, u"pytorch-2.9-python313-and-a-long-name"_s, 795, 42)}));
        QTableView &table = *panel.table();
        const int two = 2 * table.fontMetrics().height();
        const auto isHigh = [&](const QString &branch) {
            for (int row = 0; row < table.model()->rowCount(); ++row) {
                if (table.model()->index(row, int(Column::Branch)).data().toString().startsWith(branch))
                    return table.rowHeight(row) >= two;
            }
            return false;
        };
        QVERIFY(!isHigh(u"main"_s) && isHigh(u"pytorch"_s));
        const QHeaderView *head = table.horizontalHeader();
        for (int click = 0; click < 2; ++click) {
            QTest::mouseClick(head->viewport(), Qt::LeftButton, {},
                              {head->sectionViewportPosition(int(Column::Branch)) + 10, head->height() / 2});
            QVERIFY(!isHigh(u"main"_s) && isHigh(u"pytorch"_s));
        }
        auto *filter = panel.findChild<QLineEdit *>();
        QTest::keyClicks(filter, u"main"_s);
        QCOMPARE(table.model()->rowCount(), 1);
        QVERIFY(!isHigh(u"main"_s));
        filter->clear();
        QVERIFY(!isHigh(u"main"_s) && isHigh(u"pytorch"_s));
    }

    // Rows that just fit: a scroll bar that comes or goes while the width is shared takes room from the other one.
    void theWidthIsSharedAtEverySize()
    {
        QList<FleetBranch> branches;
        for (int i = 0; i < 12; ++i)
            branches.append(branchOf(u"build-torchvision"_s, u"pytorch-2.9-python313-%1"_s.arg(i), 795, 42,
                                     {.builtByTeam = 3, .failedByTeam = 1, .last = QDateTime::currentDateTime()}));
        OverviewModel model;
        OverviewPanel panel(&model);
        panel.show();
        model.setFleet(fleetOf(branches));
        const QTableView &table = *panel.table();
        const QHeaderView &header = *table.horizontalHeader();
        int scrolled = 0;
        for (int height = 320; height < 400; height += 4) {
            for (int width = 700; width < 1300; width += 50) {
                panel.resize(width, height);
                QCoreApplication::processEvents();
                const QString where =
                    u"%1x%2: %3 in %4"_s.arg(width).arg(height).arg(header.length()).arg(table.viewport()->width());
                const bool scrolls = table.horizontalScrollBar()->maximum() > 0;
                scrolled += scrolls;
                QVERIFY2(scrolls || header.length() == table.viewport()->width(), qPrintable(where));
                // The same at the next resize: nothing was left of a state on the way.
                const QList<int> before{table.columnWidth(0), table.columnWidth(1), table.columnWidth(7)};
                QResizeEvent same(table.viewport()->size(), table.viewport()->size());
                QCoreApplication::sendEvent(table.viewport(), &same);
                QCOMPARE(QList<int>({table.columnWidth(0), table.columnWidth(1), table.columnWidth(7)}), before);
            }
        }
        QVERIFY(scrolled > 0 && scrolled < 20 * 12);
    }

    void sortedFilteredAndOpenedByKeys()
    {
        OverviewModel model;
        OverviewPanel panel(&model);
        panel.show();
        QVERIFY(!panel.table()->isVisible());
        model.setFleet(fleetOf({branchOf(u"vision"_s, u"main"_s, 9, 2), branchOf(u"torch"_s, u"old"_s, 100, 0),
                                branchOf(u"torch"_s, u"new"_s, 20, 11)}));
        QVERIFY(panel.table()->isVisible());
        QCOMPARE(shown(*panel.table(), Column::Branch), (QStringList{u"main"_s, u"old"_s, u"new"_s}));
        panel.table()->sortByColumn(int(Column::Recipes), Qt::AscendingOrder); // as numbers
        QCOMPARE(shown(*panel.table(), Column::Branch), (QStringList{u"main"_s, u"new"_s, u"old"_s}));
        panel.filter()->setText(u"Vision"_s);
        QCOMPARE(shown(*panel.table(), Column::Branch), QStringList{u"main"_s});
        panel.filter()->clear();
        const QSignalSpy opened(&panel, &OverviewPanel::opened);
        panel.table()->setCurrentIndex(panel.table()->model()->index(2, 0));
        QTest::keyClick(panel.table(), Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened.at(0).at(0).toString(), u"/work/torch"_s);
        QCOMPARE(opened.at(0).at(1).toString(), u"old"_s);
        // What is shown shortly is found in full.
        FleetBranch many = branchOf(u"torch"_s, u"many"_s, 1, 0);
        auto summary = std::make_shared<BranchSummary>(*many.summary);
        summary->toolkits = {u"12.8"_s, u"12.9"_s, u"13.0"_s};
        summary->pins = {{u"2b22222bbbb"_s, 1, {}}, {u"3c33333cccc"_s, 1, {}}};
        many.summary = summary;
        model.setFleet(fleetOf({branchOf(u"torch"_s, u"old"_s, 1, 0), many}));
        QCOMPARE(shown(*panel.table(), Column::Toolkits).last(), u"12.8–13.0"_s);
        for (const QString &words : {u"12.9"_s, u"3c33333cccc"_s}) {
            panel.filter()->setText(words);
            QCOMPARE(shown(*panel.table(), Column::Branch), QStringList{u"many"_s});
        }
        panel.filter()->setText(u"no such branch"_s);
        QTest::keyClick(panel.table(), Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
    }

    /// The morning's questions above the table; a button shows the branches that it is about, by mouse and by key.
    void saysWhatToLookAtFirst()
    {
        FleetBranch failing = branchOf(u"torch"_s, u"ma&in"_s, 40, 0, {.failedByTeam = 1, .last = {}});
        auto summary = std::make_shared<BranchSummary>(*failing.summary);
        summary->missing = 2;
        summary->problems.warnings = 4;
        failing.summary = summary;
        FleetBranch holed = branchOf(u"torch"_s, u"next"_s, 20, 3);
        auto more = std::make_shared<BranchSummary>(*holed.summary);
        more->holes = 8;
        more->problems.warnings = 1'000;
        holed.summary = more;
        auto fleet = std::make_shared<Fleet>();
        fleet->branches = {branchOf(u"torch"_s, u"quiet"_s, 9, 0), failing, holed,
                           branchOf(u"vision"_s, u"main"_s, 1'795, 0)};
        fleet->coverage = {{}, {}, {}, {.needed = 795, .covered = 59, .samePin = 0, .unknown = 700}};
        OverviewModel model;
        OverviewPanel panel(&model);
        panel.resize(1280, 400);
        panel.show();
        model.setFleet(fleet);
        QCOMPARE(model.summary(), u"4 branches, 1,864 recipes, 1,004 warnings"_s);
        QCOMPARE(
            shown(*panel.table(), Column::Missing),
            (QStringList{u"nothing"_s, u"2 recipes"_s, u"probably 8 recipes"_s, u"PyTorch for 36 of 795 recipes"_s}));
        const auto buttons = [&panel] {
            QHash<QString, QToolButton *> all;
            for (auto *button : panel.findChildren<QToolButton *>()) {
                if (button->isVisible() && button->isCheckable())
                    all.insert(button->accessibleName(), button);
            }
            return all;
        };
        const QString failed = u"1 build failed on ma&in of torch"_s,
                      missing = u"Missing on 3 branches: 2 recipes, probably 8 more, PyTorch for 36 recipes"_s,
                      errors = u"3 errors on next of torch"_s;
        QCOMPARE(QSet<QString>(buttons().keyBegin(), buttons().keyEnd()), (QSet<QString>{failed, missing, errors}));
        QCOMPARE(buttons().value(failed)->text(), u"1 build failed on ma&&in of torch"_s);
        QTest::mouseClick(buttons().value(missing), Qt::LeftButton);
        QCOMPARE(shown(*panel.table(), Column::Branch), (QStringList{u"ma&in"_s, u"next"_s, u"main"_s}));
        buttons().value(failed)->setFocus();
        QTest::keyClick(buttons().value(failed), Qt::Key_Space); // instead of the other one
        QCOMPARE(shown(*panel.table(), Column::Branch), QStringList{u"ma&in"_s});
        QVERIFY(!buttons().value(missing)->isChecked());
        // It stays while the branches are read again, and ends where nothing failed.
        model.setFleet(std::make_shared<const Fleet>(*fleet));
        QCOMPARE(shown(*panel.table(), Column::Branch), QStringList{u"ma&in"_s});
        fleet->branches[1].builds = {};
        model.setFleet(std::make_shared<const Fleet>(*fleet));
        QCOMPARE(panel.table()->model()->rowCount(), 4);
        // What lacks most comes first, at the second click on the head.
        const QHeaderView *head = panel.table()->horizontalHeader();
        const QPoint place(head->sectionViewportPosition(int(Column::Missing)) + 10, head->height() / 2);
        QTest::mouseClick(head->viewport(), Qt::LeftButton, {}, place);
        if (head->sortIndicatorOrder() == Qt::AscendingOrder)
            QTest::mouseClick(head->viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(shown(*panel.table(), Column::Branch), (QStringList{u"ma&in"_s, u"next"_s, u"main"_s, u"quiet"_s}));
        model.setFleet(fleetOf({branchOf(u"torch"_s, u"quiet"_s, 9, 0)}));
        QVERIFY(buttons().isEmpty());
    }

    /// A text keeps its margin on both sides of its cell, in lines too.
    void aTextKeepsItsMargin()
    {
        OverviewModel model;
        OverviewPanel panel(&model);
        panel.resize(1280, 400);
        panel.show();
        model.setFleet(fleetOf({branchOf(QString(30, u'M'), u"MMMM MMMM MMMM MMMM"_s, 1, 0)}));
        QTableView &table = *panel.table();
        constexpr int margin = 3;
        for (const Column column : {Column::Repository, Column::Branch, Column::Recipes}) {
            for (const int width : {60, 90, 400}) {
                QStyleOptionViewItem option;
                option.initFrom(&table);
                option.rect = QRect(0, 0, width, 40);
                QImage image(width, 40, QImage::Format_RGB32);
                image.fill(Qt::white);
                QPainter painter(&image);
                table.itemDelegate()->paint(&painter, option, table.model()->index(0, int(column)));
                painter.end();
                for (int y = 0; y < image.height(); ++y) {
                    for (int x = 0; x < margin - 1; ++x) { // letters may reach a pixel over their width
                        QCOMPARE(image.pixelColor(x, y), QColor(Qt::white));
                        QCOMPARE(image.pixelColor(width - 1 - x, y), QColor(Qt::white));
                    }
                }
            }
        }
    }

    void tellsWhichBranchesAreNew()
    {
        QList<FleetBranch> branches;
        for (const QString &name : {u"main"_s, u"next"_s, u"old"_s}) {
            branches.append(branchOf(u"torch"_s, name, 1, 0));
            branches.last().ref.commit = u"2"_s;
        }
        OverviewModel model;
        const auto names = [&] {
            QStringList texts;
            for (int row = 0; row < model.rowCount(); ++row)
                texts.append(model.index(row, int(Column::Branch)).data().toString());
            return texts;
        };
        model.setFleet(fleetOf(branches));
        QCOMPARE(names(), (QStringList{u"main"_s, u"next"_s, u"old"_s})); // never opened
        model.setFleet(fleetOf(branches), {}, {{u"/work/torch"_s, {{u"main"_s, u"1"_s}, {u"old"_s, u"2"_s}}}});
        QCOMPARE(names(), (QStringList{u"main (new commits)"_s, u"next (new)"_s, u"old"_s}));
    }

    void hostileNamesStayText()
    {
        const QString hostile = u"<img src=x>\u202e"_s;
        OverviewModel model;
        OverviewPanel panel(&model);
        panel.resize(1200, 400);
        panel.show();
        model.setFleet(fleetOf({branchOf(hostile, hostile, 1, 0)}));
        panel.setProblem(hostile);
        panel.setState(hostile);
        QVERIFY(!panel.grab().isNull());
        for (const QLabel *label : panel.findChildren<QLabel *>())
            QVERIFY(label->textFormat() == Qt::PlainText || !renders(label->text()));
    }
};

TM_TEST(OverviewTest, QApplication)
#include "tst_overview.moc"
