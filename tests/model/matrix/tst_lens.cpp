// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/Lens.h"
#include "model/matrix/MatrixModel.h"
#include "tests/support/Snapshots.h"
#include "tests/support/TestMain.h"

#include <QSignalSpy>
#include <QTest>
#include <QTimeZone>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

using Phase = BuildState::Phase;
const QDateTime now(QDate(2026, 3, 2), QTime(12, 0), QTimeZone::UTC);

VariantEntry entryIn(RecipeState state)
{
    VariantEntry entry;
    entry.variant = {u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s};
    entry.state = state;
    entry.present = state != RecipeState::Missing && state != RecipeState::NotCovered;
    return entry;
}

Finding findingOf(Severity severity, const QString &rule)
{
    Finding finding;
    finding.severity = severity;
    finding.rule = rule;
    return finding;
}

constexpr std::array allStates{Phase::None,  Phase::Queued, Phase::Running,   Phase::Stopping,  Phase::Built,
                               Phase::Stale, Phase::Failed, Phase::Published, Phase::Elsewhere, Phase::FailedElsewhere};

} // namespace

class LensTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void aFailureWinsInEveryLens();
    void whatIsBrokenDoesNotRun();
    void whatHasNoRecipeIsNotJudged();
    void noLensHidesWork();
    void eachLensSaysItsOwn();
    void agesByTheEnd();
    void chosenSignsOfOneAxisAreAlternatives();
    void theMajorityIsLeftOut();
    void aWarningOfAllIsLeftOut();
    void workIsNeverLeftOut();
    void theModelShowsTheLens();
};

void LensTest::aFailureWinsInEveryLens()
{
    const FitVerdict runs{Fit::Exact, {}};
    for (const RecipeState state : allRecipeStates) {
        const VariantEntry entry = entryIn(state);
        BuildState failed{Phase::Failed, 0, 0, now.addDays(-3), u"It ran out of memory."_s};
        failed.seconds = 9667;
        failed.cause = u"out of memory"_s;
        for (const Lens lens : allLenses) {
            const LensFace face = faceOf(lens, {entry, failed, &runs, now});
            QVERIFY2(face.sign == Sign(Phase::Failed), qPrintable(lensTitle(lens)));
            QCOMPARE(face.word, u"failed"_s);
            QCOMPARE(face.details, QStringList({u"out of memory"_s, u"2:41:07 · 3 days ago"_s, u"3 days ago"_s}));
            BuildState others{Phase::FailedElsewhere, 0, 0, now.addDays(-3), u"box"_s};
            others.cause = u"out of memory"_s;
            const LensFace theirs = faceOf(lens, {entry, others, &runs, now});
            QVERIFY2(theirs.sign == Sign(Phase::FailedElsewhere), qPrintable(lensTitle(lens)));
            QCOMPARE(theirs.details.first(), u"box: out of memory"_s);
            QCOMPARE(theirs.shortWord, u"failed"_s); // where "failed in team" has no room
        }
    }
}

/// A broken recipe, or one with errors, does not look as if it ran, however it was built or fits.
void LensTest::whatIsBrokenDoesNotRun()
{
    const BuildState built{Phase::Built, 0, 0, now.addSecs(-60), {}};
    for (const Fit fit : allFits) {
        const FitVerdict verdict{fit, {}};
        for (const Lens lens : allLenses) {
            const LensFace broken = faceOf(lens, {entryIn(RecipeState::Broken), built, &verdict, now});
            if (lens != Lens::Problems)
                QVERIFY2(broken.sign == Sign(RecipeState::Broken), qPrintable(lensTitle(lens)));
        }
        const auto isCounted = [&](const VariantEntry &entry) {
            return signsOf({entry, built, &verdict, now}).contains(Sign(fit));
        };
        QCOMPARE(isCounted(entryIn(RecipeState::Broken)), fit == Fit::DoesNotRun);
        VariantEntry entry = entryIn(RecipeState::Current);
        QVERIFY(isCounted(entry));
        entry.findings = {findingOf(Severity::Warning, u"one"_s)};
        QVERIFY(faceOf(Lens::Machine, {entry, built, &verdict, now}).sign == Sign(fit));
        entry.findings.append(findingOf(Severity::Error, u"name-wrong"_s));
        const LensFace wrong = faceOf(Lens::Machine, {entry, built, &verdict, now});
        QVERIFY(wrong.sign == (fit == Fit::DoesNotRun ? Sign(fit) : Sign(Severity::Error)));
        QCOMPARE(isCounted(entry), fit == Fit::DoesNotRun);
        if (fit != Fit::DoesNotRun)
            QCOMPARE(wrong.word, u"1 error, 1 warning"_s);
    }
}

/// What nobody can run yet is told as such, and not as if it ran or did not.
void LensTest::whatHasNoRecipeIsNotJudged()
{
    for (const Fit fit : allFits) {
        const FitVerdict verdict{fit, {}};
        for (const RecipeState state : allRecipeStates) {
            VariantEntry entry = entryIn(state);
            entry.present = false;
            const LensSubject subject{entry, {}, &verdict, now};
            QVERIFY(!fitOf(subject));
            QVERIFY(!signsOf(subject).contains(Sign(fit)));
            QCOMPARE(faceOf(Lens::Machine, subject), faceOf(Lens::Recipe, subject));
        }
    }
}

/// Whatever the lens: what is wrong with a recipe or is under way is the sign, or a mark beside it.
void LensTest::noLensHidesWork()
{
    const FitVerdict runs{Fit::RunsUntuned, {}};
    for (const RecipeState state : allRecipeStates) {
        for (const Phase phase : allStates) {
            for (const bool broken : {false, true}) {
                VariantEntry entry = entryIn(state);
                if (broken)
                    entry.findings = {findingOf(Severity::Warning, u"one"_s), findingOf(Severity::Error, u"two"_s)};
                const BuildState build{phase, 1, 4, phase == Phase::None ? QDateTime() : now.addSecs(-60), {}};
                for (const Lens lens : allLenses) {
                    const LensFace face = faceOf(lens, {entry, build, &runs, now});
                    const auto shows = [&face](const Sign &sign) {
                        return face.sign == sign || face.marks.contains(sign);
                    };
                    const QString what = u"%1, %2, %3"_s.arg(lensTitle(lens), toString(state), toString(phase));
                    if (state != RecipeState::Current && state != RecipeState::Equivalent)
                        QVERIFY2(shows(state), qPrintable(what));
                    if (broken)
                        QVERIFY2(shows(Severity::Error) && !shows(Severity::Warning), qPrintable(what));
                    if (phase != Phase::None && !std::holds_alternative<Age>(face.sign))
                        QVERIFY2(shows(phase) || lens == Lens::Team, qPrintable(what));
                    QCOMPARE(face.percent, phase == Phase::Running ? 25 : -1);
                    QCOMPARE(std::set<Sign>(face.marks.begin(), face.marks.end()).size(), size_t(face.marks.size()));
                    QVERIFY(!face.marks.contains(face.sign));
                }
            }
        }
    }
}

void LensTest::eachLensSaysItsOwn()
{
    VariantEntry entry = entryIn(RecipeState::Customised);
    entry.differences = std::make_shared<const QList<MeaningDifference>>(
        QList<MeaningDifference>{{.path = u"pre"_s, .label = u"preConfigure"_s},
                                 {.path = u"e"_s, .label = u"echo"_s, .builds = false},
                                 {.path = u"p"_s, .label = u"<b>platforms</b>"_s}});
    entry.findings = {findingOf(Severity::Warning, u"driver-low"_s), findingOf(Severity::Note, u"noted"_s),
                      findingOf(Severity::Warning, u"driver-low"_s)};
    BuildState built{Phase::Built, 0, 0, now.addSecs(-7200), u"/result"_s};
    built.seconds = 61;
    const FitVerdict no{Fit::DoesNotRun, {}};
    const auto face = [&](Lens lens) { return faceOf(lens, {entry, built, &no, now}); };
    QCOMPARE(face(Lens::Recipe).word, u"2 differ"_s);
    QCOMPARE(face(Lens::Recipe).details.first(), u"preConfigure, <b>platforms</b>"_s);
    QCOMPARE(face(Lens::Recipe).marks, QList<Sign>({Severity::Warning, Phase::Built}));
    QVERIFY(face(Lens::Build).sign == Sign(Phase::Built));
    QCOMPARE(face(Lens::Build).details, QStringList({u"1:01 · 2 h ago"_s, u"2 h ago"_s}));
    QVERIFY(face(Lens::Problems).sign == Sign(Severity::Warning));
    QCOMPARE(face(Lens::Problems).word, u"2 warnings"_s);
    QCOMPARE(face(Lens::Problems).details, QStringList{u"driver-low"_s});
    QCOMPARE(face(Lens::Machine).word, u"no"_s);
    QVERIFY(face(Lens::Time).sign == Sign(Age::Day));
    QCOMPARE(face(Lens::Time).word, u"1:01"_s);
    QCOMPARE(face(Lens::Team).word, u"built here"_s);
    QCOMPARE(face(Lens::Build).word, u"built"_s);
    built.verified = u"passed"_s;
    QCOMPARE(face(Lens::Build).word, u"verified"_s);
    built.verified = u"failed"_s;
    QCOMPARE(face(Lens::Build).word, u"wrong result"_s);
    built = {Phase::Elsewhere, 0, 0, now.addDays(-2), u"box"_s};
    QCOMPARE(face(Lens::Team).word, u"box"_s);
    // Of what was never built, and of what has no recipe, nothing is said that nobody knows.
    built = {};
    QCOMPARE(face(Lens::Build).word, u"not built"_s);
    QCOMPARE(face(Lens::Time).word, QString());
    QCOMPARE(face(Lens::Team).word, QString());
    built.text = u"stopped"_s;
    QCOMPARE(face(Lens::Build).word, u"stopped"_s);
    entry = entryIn(RecipeState::Missing);
    built = {};
    for (const Lens lens : {Lens::Recipe, Lens::Build, Lens::Problems, Lens::Time, Lens::Team})
        QCOMPARE(face(lens).word, u"missing"_s);
}

void LensTest::agesByTheEnd()
{
    const VariantEntry entry = entryIn(RecipeState::Current);
    const std::pair<int, Age> ages[] = {{0, Age::Day},   {1, Age::Week},   {6, Age::Week},
                                        {7, Age::Month}, {30, Age::Month}, {31, Age::Older}};
    for (const auto &[days, age] : ages) {
        const BuildState built{Phase::Stale, 0, 0, now.addDays(-days), {}};
        QVERIFY2(faceOf(Lens::Time, {entry, built, nullptr, now}).sign == Sign(age), qPrintable(QString::number(days)));
    }
}

void LensTest::chosenSignsOfOneAxisAreAlternatives()
{
    const std::set<Sign> signs{RecipeState::Current, Phase::Failed, Severity::Warning};
    QVERIFY(hasSigns(signs, {}));
    QVERIFY(hasSigns(signs, {RecipeState::Current, RecipeState::Missing}));
    QVERIFY(hasSigns(signs, {RecipeState::Current, Gap::Likely, Phase::Failed, Phase::Built}));
    QVERIFY(!hasSigns(signs, {RecipeState::Current, Phase::Built}));
    QVERIFY(!hasSigns(signs, {Gap::Likely}));
    QVERIFY(!hasSigns(signs, {Fit::Exact}));
    VariantEntry hole = entryIn(RecipeState::NotCovered);
    hole.hole = true;
    QVERIFY(!signsOf({hole, {}}).contains(RecipeState::NotCovered));
    QVERIFY(signsOf({hole, {}}).contains(Gap::Likely));
}

void LensTest::theMajorityIsLeftOut()
{
    QList<LensFace> faces(10, {.sign = RecipeState::Equivalent, .word = u"equivalent"_s, .details = {u"same"_s}});
    faces[0] = {.sign = RecipeState::Current, .word = u"current"_s};
    faces[1].details = {u"other"_s};
    const UsualFace usual = usualFace(faces);
    for (LensFace &face : faces)
        usual.leaveOut(face);
    QCOMPARE(faces.at(0).word, u"current"_s);
    QCOMPARE(faces.at(1).word, QString());
    QCOMPARE(faces.at(1).details, QStringList{u"other"_s});
    QVERIFY(faces.at(2).word.isEmpty() && faces.at(2).details.isEmpty());
    // Of few, and of two halves, each says its own.
    QCOMPARE(usualFace(QList<LensFace>(5, {.word = u"equivalent"_s})), UsualFace());
    QCOMPARE(usualFace(QList<LensFace>(4, {.word = u"one"_s}) + QList<LensFace>(4, {.word = u"two"_s})), UsualFace());
}

/// A warning of every recipe is no deviation. One more warning is, an error is, and so is a recipe without it.
void LensTest::aWarningOfAllIsLeftOut()
{
    const Finding shared = findingOf(Severity::Warning, u"parallelism-no-effect"_s);
    const auto marked = [](QList<VariantEntry> entries, Lens lens = Lens::Recipe) {
        QList<LensFace> faces;
        for (const VariantEntry &entry : entries)
            faces.append(faceOf(lens, {entry, {}, nullptr, now}));
        const UsualFace usual = usualFace(faces);
        QList<qsizetype> marked;
        for (qsizetype i = 0; i < faces.size(); ++i) {
            usual.leaveOut(faces[i]);
            if (!faces.at(i).marks.isEmpty())
                marked.append(i);
        }
        return marked;
    };
    VariantEntry warned = entryIn(RecipeState::Current);
    warned.findings = {shared};
    QList<VariantEntry> entries(8, warned);
    QCOMPARE(marked(entries), QList<qsizetype>());
    entries[3].findings = {findingOf(Severity::Warning, u"driver-low"_s), shared};
    entries[5].findings = {shared, findingOf(Severity::Error, u"name-wrong"_s)};
    for (const Lens lens : {Lens::Recipe, Lens::Build, Lens::Time, Lens::Team})
        QCOMPARE(marked(entries, lens), QList<qsizetype>({3, 5}));
    entries[7].findings = {};
    QCOMPARE(marked(entries), QList<qsizetype>({0, 1, 2, 3, 4, 5, 6}));
    QCOMPARE(marked(QList<VariantEntry>(3, warned)), QList<qsizetype>({0, 1, 2})); // few say it themselves
}

void LensTest::workIsNeverLeftOut()
{
    for (const Sign &sign : std::initializer_list<Sign>{RecipeState::Modified, RecipeState::Broken, Gap::Likely,
                                                        Phase::Failed, Severity::Error}) {
        LensFace face{.sign = sign, .word = u"word"_s};
        QCOMPARE(usualFace(QList<LensFace>(20, face)), UsualFace());
        UsualFace{u"word"_s, {}}.leaveOut(face);
        QCOMPARE(face.word, u"word"_s);
    }
}

void LensTest::theModelShowsTheLens()
{
    MatrixModel model(builtInCatalog());
    model.setSnapshot(shared(branchOf(u"main"_s)));
    const QString name = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
    const auto face = [&] { return model.indexOf(name).data(PartsRole).value<QList<MatrixPart>>().first().face; };
    QCOMPARE(face().word, QString()); // as the others
    QCOMPARE(model.indexOf(name).data().toString(), u"current"_s);
    QVERIFY(model.indexOf(name).data(Qt::AccessibleTextRole).toString().endsWith(u"current"_s));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged), lens(&model, &MatrixModel::lensChanged);
    model.setLens(Lens::Build);
    model.setLens(Lens::Build);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(lens.size(), 1);
    QVERIFY(face().sign == Sign(Phase::None));
    model.setBuildStates({{name, {.phase = Phase::Built, .since = QDateTime::currentDateTime()}}});
    QCOMPARE(face().word, u"built"_s);
    QCOMPARE(model.counts().at(Phase::Built), 1);
    // A build of most of them: nobody repeats it, and each cell is told.
    QHash<QString, BuildState> all;
    for (const VariantEntry &entry : model.snapshot()->entries)
        all.insert(entry.variant.name(), {.phase = Phase::Published});
    model.setBuildStates(all);
    QCOMPARE(face().word, QString());
    QCOMPARE(changed.last().at(1).toModelIndex(), model.index(model.rowCount() - 1, model.columnCount() - 1));
}

TM_TEST(LensTest, QCoreApplication)
#include "tst_lens.moc"
