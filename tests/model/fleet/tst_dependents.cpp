// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/fleet/Dependents.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

RecipeSummary recipeOf(const QString &family, const QString &isa, const StatedTorch &torch)
{
    const Variant variant{family, u"python313"_s, u"12.8"_s, u"sm90"_s, isa};
    return {variant, variant.name(), {variant.file()}, {QString(40, u'1')}, torch};
}

StatedTorch torchOf(const QString &version, const QString &pin)
{
    return {true, false, version, pin};
}

StatedTorch needs(const QString &version, const QString &pin)
{
    return {false, true, version, pin};
}

void add(Fleet &fleet, const QString &repository, const QString &branch, const QList<RecipeSummary> &recipes)
{
    BranchSummary summary;
    summary.recipes = recipes;
    fleet.branches.append({u"/work/"_s + repository, {branch}, std::make_shared<const BranchSummary>(summary), {}});
}

/// "avx2 of serve@main: torch@main", sorted.
QStringList pairsOf(const Fleet &fleet)
{
    QStringList pairs;
    for (const Dependent &one : dependentsOf(fleet))
        pairs.append(one.recipe->variant.isa + u" of "_s + one.branch->label() + u": "_s + one.torchBranch->label());
    pairs.sort();
    return pairs;
}

JobRecord built(const QString &key, int began, BuildOutcome::Kind kind = BuildOutcome::Kind::Built)
{
    const QStringList parts = key.split(u'\n');
    JobRecord record;
    record.job.id = u"j%1"_s.arg(began);
    record.job.repository = parts.at(0);
    record.job.branch = parts.at(1);
    record.job.package = parts.at(2);
    record.job.identity = parts.at(3);
    record.job.place = {Place::Kind::Ssh, u"gpu-box"_s}; // whose results are not looked for
    record.job.created = QDateTime::fromSecsSinceEpoch(began);
    record.phase = JobPhase::Ended;
    record.outcome = JobOutcome();
    record.outcome->build.kind = kind;
    record.outcome->started = record.job.created;
    record.outcome->ended = record.job.created.addSecs(5);
    return record;
}

} // namespace

/// Which recipes are built against which.
class DependentsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void theTorchThatFitsBest()
    {
        Fleet fleet;
        add(fleet, u"torch"_s, u"other-pin"_s, {recipeOf(u"pytorch"_s, u"avx2"_s, torchOf(u"2.9.1"_s, u"aaa"_s))});
        add(fleet, u"serve"_s, u"main"_s,
            {recipeOf(u"vllm"_s, u"avx2"_s, needs(u"2.9.1"_s, u"bbb"_s)),
             recipeOf(u"vllm"_s, u"avx512"_s, needs(u"2.9.1"_s, u"bbb"_s))});
        QCOMPARE(pairsOf(fleet), QStringList{u"avx2 of serve@main: torch@other-pin"_s});
        add(fleet, u"torch"_s, u"old"_s, {recipeOf(u"pytorch"_s, u"avx2"_s, torchOf(u"2.8.0"_s, u"bbb"_s))});
        add(fleet, u"torch"_s, u"main"_s, {recipeOf(u"pytorch"_s, u"avx2"_s, torchOf(u"2.9.1"_s, u"bbb"_s))});
        add(fleet, u"torch"_s, u"work"_s, {recipeOf(u"pytorch"_s, u"avx2"_s, torchOf(u"2.9.1"_s, u"bbb"_s))});
        QCOMPARE(pairsOf(fleet),
                 (QStringList{u"avx2 of serve@main: torch@main"_s, u"avx2 of serve@main: torch@work"_s}));
        // A branch with both goes its own way, even at another pin than other branches.
        add(fleet, u"both"_s, u"main"_s,
            {recipeOf(u"pytorch"_s, u"avx2"_s, torchOf(u"2.9.1"_s, u"bbb"_s)),
             recipeOf(u"torchvision"_s, u"avx2"_s, needs(u"2.9.1"_s, u"bbb"_s))});
        QVERIFY(pairsOf(fleet).contains(u"avx2 of both@main: both@main"_s));
        QCOMPARE(pairsOf(fleet).filter(u"of both@main"_s).size(), 1);
    }

    void whatARecipeImports()
    {
        Fleet fleet;
        RecipeSummary sibling = recipeOf(u"torchvision"_s, u"avx2"_s, needs({}, {}));
        sibling.files.append(u".flox/pkgs/pytorch-python313-cuda12_8-sm90-avx2.nix"_s);
        add(fleet, u"torch"_s, u"main"_s, {recipeOf(u"pytorch"_s, u"avx2"_s, torchOf(u"2.9.1"_s, u"bbb"_s)), sibling});
        RecipeSummary fetched = recipeOf(u"vllm"_s, u"avx2"_s, needs(u"2.8.0"_s, u"aaa"_s));
        fetched.torch.archive = u"https://github.com/example/torch/archive/%1.tar.gz"_s.arg(QString(40, u'c'));
        fetched.torch.revision = QString(40, u'c');
        fetched.torch.path = u".flox/pkgs/pytorch-python313-cuda12_8-sm90-avx2.nix"_s;
        add(fleet, u"serve"_s, u"main"_s, {fetched});
        add(fleet, u"elsewhere"_s, u"main"_s, {recipeOf(u"pytorch"_s, u"avx2"_s, torchOf(u"2.8.0"_s, u"aaa"_s))});
        QCOMPARE(pairsOf(fleet),
                 (QStringList{u"avx2 of serve@main: torch@main"_s, u"avx2 of torch@main: torch@main"_s}));
    }

    /// Built with another recipe of torch than there is now, as far as the jobs tell.
    void stale()
    {
        Fleet fleet;
        add(fleet, u"torch"_s, u"main"_s, {recipeOf(u"pytorch"_s, u"avx2"_s, torchOf(u"2.9.1"_s, u"bbb"_s))});
        add(fleet, u"serve"_s, u"main"_s, {recipeOf(u"vllm"_s, u"avx2"_s, needs(u"2.9.1"_s, u"bbb"_s))});
        const QList<Dependent> all = dependentsOf(fleet);
        const QString torch = jobKeyOf(*all.at(0).torchBranch, *all.at(0).torch);
        const QString old = torch.left(torch.size() - 40) + QString(40, u'0');
        const QString serve = jobKeyOf(*all.at(0).branch, *all.at(0).recipe);
        const auto isStale = [&](const QList<JobRecord> &jobs) { return staleDependents(all, jobs).size() == 1; };
        QVERIFY(!isStale({}));
        QVERIFY(!isStale({built(torch, 10)}));
        QVERIFY(!isStale({built(serve, 20)})); // nothing tells of its torch
        QVERIFY(!isStale({built(torch, 10), built(serve, 20)}));
        QVERIFY(isStale({built(old, 10), built(serve, 20)})); // also before the new one is built
        QVERIFY(isStale({built(old, 10), built(serve, 20), built(torch, 30)}));
        QVERIFY(isStale({built(serve, 20), built(torch, 30)}));
        QVERIFY(!isStale({built(old, 10), built(serve, 20), built(torch, 30), built(serve, 40)}));
        QVERIFY(!isStale({built(torch, 10), built(serve, 20), built(torch, 30)})); // built again, but not another
        QVERIFY(isStale({built(old, 10), built(torch, 12, BuildOutcome::Kind::Failed), built(serve, 20)}));
        QVERIFY(!isStale({built(old, 10), built(serve, 20, BuildOutcome::Kind::Failed)})); // it failed: that is said
    }
};

TM_TEST(DependentsTest, QCoreApplication)
#include "tst_dependents.moc"
