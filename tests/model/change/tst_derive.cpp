// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Change.h"
#include "model/change/Check.h"
#include "model/change/Copy.h"
#include "model/change/Derive.h"
#include "model/change/KeptVersions.h"
#include "model/change/Migrate.h"
#include "model/settings/SettingsFile.h"
#include "tests/support/BranchContents.h"
#include "tests/support/Results.h"
#include "tests/support/Snapshots.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;
using Action = ChangeAction;

namespace {

const QString newPin = QString(20, u'c') + QString(20, u'd');

const ChangedFile *fileNamed(const ChangeSet &changes, const QString &name)
{
    const auto found = std::ranges::find(changes.files, name, &ChangedFile::name);
    return found == changes.files.end() ? nullptr : &*found;
}

/// Number of chosen recipes by action.
QMap<Action, int> recipes(const ChangeSet &changes)
{
    QMap<Action, int> counts;
    for (const ChangedFile &file : changes.files) {
        if (file.chosen && !file.name.isEmpty())
            ++counts[file.action];
    }
    return counts;
}

QByteArray after(const ChangeSet &changes, const QString &path)
{
    for (const ChangedFile &file : changes.files) {
        if ((file.newPath.isEmpty() ? file.path : file.newPath) == path)
            return file.after.value_or(QByteArray());
    }
    return {};
}

const QString settingsFile = u"torch-matrix.toml"_s;

Result<ChangeSet> derivedAs(const RecipeCache &recipes, const BranchContent &content, const QString &name,
                            const SettingsChange &change, bool drop = false, bool render = false)
{
    return derived(recipes, content, {.from = {}, .name = name, .change = change, .drop = drop, .render = render});
}

/// Makes a recipe build something else than its template.
void buildOtherwise(VersionedFile &file)
{
    const qsizetype size = file.committed->size();
    file.committed->replace("  meta = oldAttrs.meta", "  doCheck = true;\n\n  meta = oldAttrs.meta");
    QVERIFY(file.committed->size() > size);
    if (file.onDisk)
        file.onDisk = file.committed;
}

void customise(BranchContent &content, const QString &name)
{
    VersionedFile *file = fileOf(content, name);
    file->committed->append("# mine\n");
    if (file->onDisk)
        file->onDisk = file->committed;
}

} // namespace

class TestDerive : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void aKeyWithoutEffectIsRefused()
    {
        const BranchContent content = wholeLine(u"main"_s, false);
        QVERIFY_ERROR(derivedAs(builtInCatalog(), content, u"next"_s,
                                SettingsChange{.keys = {{u"families"_s, u"torchvision"_s}}}),
                      u"recipes of all families"_s);
    }

    // The version stands nowhere but in the settings.
    void aVersionThatReachesNoRecipeIsToldOf()
    {
        BranchContent content = wholeLine(u"main"_s, false);
        for (const bool states : {true, false}) {
            if (!states) {
                for (VersionedFile &file : content.files)
                    file.committed->replace("2.8.0", "of nixpkgs");
            }
            const auto changes = derivedAs(builtInCatalog(), content, u"next"_s,
                                           SettingsChange{.versions = {{u"pytorch"_s, u"2.9.1"_s}}});
            QVERIFY_OK(changes);
            QCOMPARE(changes->warnings.join(u' ').contains(u"only in the branch settings"_s), !states);
        }
    }

    // Another BLAS and back: every recipe for x86_64 follows, those for ARM keep their bytes.
    void deriveForAnotherBlasAndBack()
    {
        BranchContent content = wholeLine(u"main"_s, false);
        const auto there =
            derivedAs(builtInCatalog(), content, u"next"_s, SettingsChange{.keys = {{u"blas"_s, u"mkl"_s}}});
        QVERIFY_OK(there);
        QVERIFY(there->dropped.isEmpty() && !there->refusal);
        QCOMPARE(recipes(*there), (QMap<Action, int>{{Action::Rewrite, 30}}));
        QVERIFY(after(*there, settingsFile).contains("blas = \"mkl\""));
        QVERIFY2(there->message.endsWith("\nChanged:\nblas = mkl\n"_L1), qPrintable(there->message));
        BranchContent next = content;
        next.branch = u"next"_s;
        next.settingsFile = after(*there, settingsFile);
        for (const ChangedFile &file : there->files) {
            if (file.action != Action::Rewrite || file.name.isEmpty())
                continue;
            QVERIFY2(!file.name.contains("arm"_L1) && file.after->contains("final.mkl"), qPrintable(file.name));
            fileOf(next, file.name)->committed = file.after;
        }
        const BranchSnapshot snapshot = snapshotOf(next);
        QCOMPARE(snapshot.counts(), (QMap<RecipeState, int>{{RecipeState::Current, 44}}));
        for (const VariantEntry &entry : snapshot.entries)
            QVERIFY2(
                std::ranges::none_of(entry.findings, [](const Finding &one) { return one.severity != Severity::Note; }),
                qPrintable(entry.variant.name()));
        const auto back =
            derivedAs(builtInCatalog(), next, u"back"_s, SettingsChange{.keys = {{u"blas"_s, u"default"_s}}});
        QVERIFY_OK(back);
        QCOMPARE(recipes(*back), (QMap<Action, int>{{Action::Rewrite, 30}}));
        for (const VersionedFile &file : std::as_const(content.files))
            QCOMPARE(after(*back, file.path), *file.committed);
    }

    // Toolkit and version of another built-in line: its way of building, the coverage of this one.
    void deriveForAnotherToolkit()
    {
        const BranchContent content = wholeLine(u"main"_s, false);
        const SettingsChange change{.versions = {{u"pytorch"_s, u"2.10.0"_s}}, .cudas = QStringList{u"13.0"_s}};
        const auto work = derivedAs(builtInCatalog(), content, u"next"_s, change, true);
        QVERIFY_OK(work);
        QVERIFY(!work->refusal);
        const Settings &builtIn = *builtInCatalog()->settings(u"cuda-13_0"_s);
        QCOMPARE(work->settings->common(&Profile::pin), builtIn.common(&Profile::pin));
        QCOMPARE(work->settings->branch, u"next"_s);
        // sm61 is gone in CUDA 13; everything else of main's 44 is there.
        QCOMPARE(work->settings->promised().size(), 42);
        QCOMPARE(work->dropped,
                 QStringList({u"pytorch-python313-cuda12_8-sm61-avx"_s, u"pytorch-python313-cuda12_8-sm61-avx2"_s}));
        // No recipe is lost without permission.
        const auto unasked = derivedAs(builtInCatalog(), content, u"next"_s, change);
        QVERIFY_OK(unasked);
        QVERIFY(unasked->refusal);
        QVERIFY2(unasked->refusal->sentence().contains(u"sm61-avx2: CUDA 13.0 dropped sm61"_s),
                 qPrintable(unasked->refusal->sentence()));
        // Template changes that were not requested are reported.
        QCOMPARE(work->warnings.size(), 2);
        for (const QString &warning : work->warnings)
            QVERIFY2(warning.startsWith("The settings get template pytorch/pinned-overlay"_L1), qPrintable(warning));
        QCOMPARE(recipes(*work), (QMap<Action, int>{{Action::Rename, 36}, {Action::Rewrite, 6}, {Action::Delete, 2}}));
        RecipeRenderer renderer(builtInCatalog());
        for (const Variant &variant : work->settings->promised())
            QCOMPARE(after(*work, variant.file()), *renderer.render(builtIn, variant));
        // The file alone has the same meaning.
        const auto read = readSettingsFile(after(*work, settingsFile), *builtInCatalog(), u"next"_s);
        QVERIFY_OK(read);
        QCOMPARE(*read, *work->settings);
        QCOMPARE(work->subject(), u"Derive next from main: PyTorch 2.10.0, CUDA 13.0, Python 3.13"_s);
    }

    // The file only states differences from its base: the toolkit's own templates are not in it.
    void migrateALineWithABase()
    {
        BranchContent content = wholeLine(u"main"_s);
        content.settingsFile = "base = \"main\"\n";
        const SettingsChange change{.keys = {{u"cuda.12.8.templates"_s, u"pytorch/explicit-inputs-gpu"_s}}};
        const auto work = migrated(builtInCatalog(), snapshotOf(content), content, change);
        QVERIFY_OK(work);
        QCOMPARE(recipes(*work), (QMap<Action, int>{{Action::Rewrite, 38}}));
        QCOMPARE(readSettingsFile(after(*work, settingsFile), *builtInCatalog(), u"main"_s)
                     ->common(&Profile::templateName, {{}, {}, {u"12.8"_s}}),
                 u"pytorch/explicit-inputs-gpu"_s);
        const SettingsChange wrong{.keys = {{u"cuda.9.9.templates"_s, u"pytorch/explicit-inputs-gpu"_s}}};
        QVERIFY(!migrated(builtInCatalog(), snapshotOf(content), content, wrong).ok());
    }

    void deriveForAnotherPython()
    {
        const BranchContent content = wholeLine(u"main"_s, false);
        const auto work =
            derivedAs(builtInCatalog(), content, u"py312"_s, {.pythons = QStringList{u"python312"_s}, .pin = newPin});
        QVERIFY_OK(work);
        QCOMPARE(recipes(*work), (QMap<Action, int>{{Action::Rename, 44}}));
        QVERIFY(after(*work, recipePath(u"pytorch-python312-cpu-avx2"_s)).contains(newPin.toLatin1()));
    }

    void deriveWithoutAChangeAddsTheLineAlone()
    {
        const auto work = derivedAs(builtInCatalog(), wholeLine(u"main"_s, false), u"copy"_s, {});
        QVERIFY_OK(work);
        QVERIFY(recipes(*work).isEmpty());
        QCOMPARE(std::ranges::count_if(work->files, &ChangedFile::chosen), 1);
        QVERIFY(work->find(settingsFile)->chosen);
    }

    void deriveCarriesCustomisedRecipesOver()
    {
        BranchContent content = wholeLine(u"main"_s, false);
        customise(content, u"pytorch-python313-cuda12_8-sm90-avx2"_s);
        const auto work = derivedAs(builtInCatalog(), content, u"next"_s,
                                    {.versions = {{u"pytorch"_s, u"2.9.1"_s}}, .cudas = QStringList{u"12.9"_s}});
        QVERIFY_OK(work);
        QVERIFY(!work->refusal);
        const ChangedFile *mine = fileNamed(*work, u"pytorch-python313-cuda12_9-sm90-avx2"_s);
        QVERIFY2(mine && mine->group.isEmpty(), qPrintable(mine ? mine->reason : QString()));
        RecipeRenderer renderer(builtInCatalog());
        QCOMPARE(*mine->after,
                 *renderer.render(*work->settings, {u"pytorch"_s, u"python313"_s, u"12.9"_s, u"sm90"_s, u"avx2"_s}) +
                     "# mine\n");
    }

    /// Recipes that people wrote, with names and words of their own, and some in places of their own.
    static BranchContent handWritten()
    {
        BranchContent content = wholeLine(u"main"_s, false);
        content.branch = u"theirs"_s;
        for (VersionedFile &file : content.files) {
            file.committed->replace("\n}\n", "\n}\n# by hand\n");
            file.committed->prepend("# Ours.\n");
        }
        VersionedFile *old = fileOf(content, u"pytorch-python313-cuda12_8-sm86-avx2"_s);
        old->path = recipePath(u"pytorch-py313-cuda12_8-sm86-avx2"_s);
        VersionedFile more = *fileOf(content, u"pytorch-python313-cuda12_8-sm89-avx2"_s);
        more.path = recipePath(u"pytorch-python313-cuda12_8-sm89-avx2-magma"_s);
        content.files.append(more);
        // The rectangle of rows and instruction sets has a hole.
        removeFile(content, u"pytorch-python313-cuda12_8-sm80-avx512"_s);
        std::ranges::sort(content.files, {}, &VersionedFile::path);
        return content;
    }

    void withoutAChangeEveryByteStays()
    {
        const BranchContent content = handWritten();
        const auto work = derivedAs(builtInCatalog(), content, u"same"_s, {});
        QVERIFY_OK(work);
        QVERIFY2(!work->refusal, qPrintable(work->refusal ? work->refusal->sentence() : QString()));
        QCOMPARE(work->dropped, QStringList());
        QCOMPARE(recipes(*work), (QMap<Action, int>()));
        for (const ChangedFile &file : work->files)
            QVERIFY2(file.name.isEmpty() || file.before == file.after, qPrintable(file.path));
        BranchContent checkedOut = content;
        checkedOut.withWorkTree = true;
        for (VersionedFile &file : checkedOut.files)
            file.onDisk = file.committed;
        const auto moved = migrated(builtInCatalog(), snapshotOf(checkedOut), checkedOut, {}, true);
        QVERIFY_OK(moved);
        QVERIFY(moved->isEmpty());
    }

    void aHandWrittenBranchKeepsEveryCell_data()
    {
        QTest::addColumn<SettingsChange>("change");
        QTest::newRow("Python") << SettingsChange{.pythons = QStringList{u"python312"_s}};
        QTest::newRow("pin") << SettingsChange{.pin = newPin};
        QTest::newRow("toolkit") << SettingsChange{.cudas = QStringList{u"12.9"_s}};
    }
    void aHandWrittenBranchKeepsEveryCell()
    {
        QFETCH(const SettingsChange, change);
        const BranchContent content = handWritten();
        const auto work = derivedAs(builtInCatalog(), content, u"next"_s, change);
        QVERIFY_OK(work);
        QVERIFY2(!work->refusal, qPrintable(work->refusal ? work->refusal->sentence() : QString()));
        int there = 0;
        for (const ChangedFile &file : work->files) {
            if (file.name.isEmpty())
                continue;
            QVERIFY2(file.action == Action::Rename || file.action == Action::Rewrite || file.action == Action::Keep,
                     qPrintable(file.name));
            QVERIFY2(file.after->startsWith("# Ours.\n") && file.group.isEmpty(), qPrintable(file.name + file.reason));
            ++there;
        }
        QCOMPARE(there, content.files.size());
    }

    /// Settings list more than exists: missing recipes stay missing, also in the families that need them.
    /// Nobody asked to remove what stands beside a cell's recipe: one for a toolkit that the branch does not list, one
    /// whose name lacks parts.
    void withoutAChangeNothingGoes()
    {
        BranchContent content = handWritten();
        for (const char *name : {"pytorch-python313-cuda13_0-sm121-armv9-nightly", "pytorch-sm90-avx512-simple",
                                 "pytorch-python313-cuda12_8-sm90-avx512-wrapped"})
            content.files.append(recipeFile(QString::fromLatin1(name), *content.files.constFirst().committed, false));
        const auto work = derivedAs(builtInCatalog(), content, u"next"_s, {});
        QVERIFY_OK(work);
        QCOMPARE(recipes(*work), (QMap<Action, int>()));
        QCOMPARE(work->dropped, QStringList());
        for (const VersionedFile &file : std::as_const(content.files))
            QVERIFY2(std::ranges::none_of(work->files,
                                          [&](const ChangedFile &changed) {
                                              return changed.path == file.path && changed.before != changed.after;
                                          }),
                     qPrintable(file.path));
    }

    void whatIsMissingStaysMissing()
    {
        BranchContent content = wholeLine(u"main"_s, false);
        content.settingsFile = "base = 'main'\nfamilies = ['pytorch', 'torchvision']\n"
                               "[[cuda]]\nversion = '12.8'\n[[cuda]]\nversion = '12.9'\n";
        content.files.removeIf([](const VersionedFile &file) { return file.path.contains("-sm"_L1); });
        const auto same = derivedAs(builtInCatalog(), content, u"same"_s, {});
        QVERIFY_OK(same);
        QCOMPARE(recipes(*same), (QMap<Action, int>()));
        QVERIFY2(same->warnings.join(u' ').contains("have no recipe on main"_L1),
                 qPrintable(same->warnings.join(u' ')));
        // The same with another change; a new toolkit gets what the old ones have.
        const auto other = derivedAs(builtInCatalog(), content, u"other"_s, {.pythons = QStringList{u"python312"_s}});
        QVERIFY_OK(other);
        QCOMPARE(recipes(*other).value(Action::Create), 0);
    }

    void aNewToolkitGetsTheCellsOfTheOldOne()
    {
        const BranchContent content = handWritten();
        const auto work = derivedAs(builtInCatalog(), content, u"next"_s, {.cudas = QStringList{u"12.8"_s, u"12.9"_s}});
        QVERIFY_OK(work);
        const ChangedFile *made = fileNamed(*work, u"pytorch-python313-cuda12_9-sm90-avx512"_s);
        QVERIFY(made && made->action == Action::Create && made->after->startsWith("# Ours.\n"));
        QVERIFY(made->after->contains("cudaPackages_12_9") && !made->after->contains("cudaPackages_12_8"));
    }

    /// Recipes with errors, from which no template is learned, get another version of a source that they fetch already.
    void aSourceIsReplacedWithoutATemplate()
    {
        BranchContent content{u"ours"_s, QString(40, u'a'), false, {}};
        const auto hash = [](char c) { return "sha256-" + QByteArray(43, c) + '='; };
        for (const QByteArray &isa : {"avx2"_ba, "avx512"_ba}) {
            const QByteArray name = "fastmath-python313-cpu-" + isa;
            content.files.append(
                recipeFile(QString::fromLatin1(name),
                           "{ pkgs ? import <nixpkgs> { } }:\n"
                           "pkgs.python313Packages.fastmath.overrideAttrs (old: {\n"
                           "  pname = \"" +
                               name +
                               "\";\n  version = \"1.2.3\";\n"
                               "  src = pkgs.fetchFromGitHub {\n    owner = \"o\";\n    repo = \"r\";\n"
                               "    rev = \"v1.2.3\";\n    hash = \"" +
                               hash('a') +
                               "\";\n  };\n"
                               "  meta = old.meta // { platforms = [ \"aarch64-linux\" ]; };\n})\n",
                           false));
        }
        QVERIFY(snapshotOf(content).settings.learned.isEmpty());
        const QString family = u"fastmath"_s;
        for (const bool derives : {false, true}) {
            const SettingsChange change{.versions = {{family, u"1.2.4"_s}},
                                        .hashes = {{family, QString::fromLatin1(hash('b'))}}};
            const auto work = derives ? derivedAs(builtInCatalog(), content, u"next"_s, change)
                                      : migrated(builtInCatalog(), snapshotOf(content), content, change, true);
            QVERIFY_OK(work);
            QVERIFY2(!work->refusal, qPrintable(work->refusal ? work->refusal->sentence() : QString()));
            QCOMPARE(recipes(*work), (QMap<Action, int>{{Action::Rewrite, 2}}));
            for (const VersionedFile &file : std::as_const(content.files))
                QCOMPARE(after(*work, file.path),
                         QByteArray(*file.committed).replace("1.2.3", "1.2.4").replace(hash('a'), hash('b')));
        }
    }

    /// The template of main's recipes takes torch as nixpkgs has it.
    void aFetchedSourceBringsATemplateThatFetchesIt()
    {
        const QString hash = u"sha256-RKiZLHBCneMtZKRgTEuW1K7+Jpi+tx11BMXuS1jC1xQ="_s;
        const BranchContent content = handWritten();
        const auto work = derivedAs(builtInCatalog(), content, u"next"_s,
                                    {.versions = {{u"pytorch"_s, u"2.8.1"_s}}, .hashes = {{u"pytorch"_s, hash}}});
        QVERIFY_OK(work);
        QVERIFY2(!work->refusal, qPrintable(work->refusal ? work->refusal->sentence() : QString()));
        // Recipes that no template gives are left out and named with the reason; they do not prevent the change.
        QCOMPARE(work->dropped.size(), 1);
        QVERIFY(work->dropped.constFirst().contains("-magma"_L1));
        QVERIFY2(work->warnings.join(u' ').contains(work->dropped.constFirst() + " is left out: "_L1),
                 qPrintable(work->warnings.join(u' ')));
        for (const ChangedFile &file : work->files) {
            if (file.action == Action::Delete)
                QCOMPARE(file.name, work->dropped.constFirst());
            else
                QVERIFY2(file.name.isEmpty() || file.after->contains(hash.toUtf8()),
                         qPrintable(file.name + file.reason));
        }
    }

    /// The one recipe for Metal is where its template is learned from, and that fetches no source.
    void metalFetchesTheSourceToo()
    {
        BranchContent content = wholeLine(u"main"_s, false);
        content.branch = u"ours"_s;
        const Variant metal{u"pytorch"_s, u"python313"_s, {}, u"darwin-mps"_s, {}};
        RecipeRenderer renderer(builtInCatalog());
        const auto text = renderer.render(*builtInCatalog()->settings(u"main"_s), metal);
        QVERIFY_OK(text);
        QByteArray theirs = *text;
        theirs.replace("USE_MPS=1", "USE_MPS=1\n    export USE_DISTRIBUTED=0");
        QVERIFY(theirs != *text);
        content.files.append(recipeFile(metal.name(), theirs, false));
        const QString hash = u"sha256-RKiZLHBCneMtZKRgTEuW1K7+Jpi+tx11BMXuS1jC1xQ="_s;
        const auto work = derivedAs(builtInCatalog(), content, u"next"_s,
                                    {.versions = {{u"pytorch"_s, u"2.8.1"_s}}, .hashes = {{u"pytorch"_s, hash}}});
        QVERIFY_OK(work);
        QVERIFY2(!work->refusal, qPrintable(work->refusal ? work->refusal->sentence() : QString()));
        const ChangedFile *made = fileNamed(*work, metal.name());
        QVERIFY(made && made->after);
        QVERIFY2(made->after->contains(hash.toUtf8()) && made->after->contains("2.8.1"), made->after->constData());
    }

    /// A hash for a version that the pin contains anyway is no reason to fetch a source, or to ask for more hashes.
    void aHashThatIsNotNeededIsLeftOut()
    {
        const QString hash = u"sha256-RKiZLHBCneMtZKRgTEuW1K7+Jpi+tx11BMXuS1jC1xQ="_s;
        const BranchContent content = handWritten();
        const SettingsChange change{.versions = {{u"pytorch"_s, u"2.9.1"_s}},
                                    .pin = builtInCatalog()->settings(u"cuda-12_9"_s)->common(&Profile::pin).revision,
                                    .keys = {{u"hashes.pytorch"_s, hash}}};
        const auto work = derivedAs(builtInCatalog(), content, u"next"_s, change);
        QVERIFY_OK(work);
        QVERIFY2(!work->refusal, qPrintable(work->refusal ? work->refusal->sentence() : QString()));
        QVERIFY2(work->warnings.join(u' ').contains("not needed"_L1), qPrintable(work->warnings.join(u' ')));
        QVERIFY(work->settings->common(&Profile::sourceHash).isEmpty());
        QCOMPARE(work->dropped, QStringList());
        for (const ChangedFile &file : work->files)
            QVERIFY2(file.name.isEmpty() ||
                         (file.after->startsWith("# Ours.\n") && !file.after->contains(hash.toUtf8())),
                     qPrintable(file.name + file.reason));

        // Companions of a PyTorch that was fetched already need no hash of theirs either.
        Settings fetching = *builtInCatalog()->settings(u"cuda-12_9"_s);
        fetching.set(&Profile::sourceHash, hash, {{u"pytorch"_s}});
        for (const ProfileKey &key : fetching.profiles.keys()) {
            Profile profile = fetching.profiles.value(key);
            profile.version = u"0.24.1"_s;
            profile.sourceHash.clear();
            profile.templateName.clear();
            fetching.profiles.insert({u"torchvision"_s, key.python, key.build}, profile);
        }
        const Variant vision{u"torchvision"_s, u"python313"_s, u"12.9"_s, u"sm90"_s, u"avx2"_s};
        const auto kept =
            changedSettings(*builtInCatalog(), fetching, std::nullopt, u"next"_s, {.hashes = {{u"pytorch"_s, hash}}});
        QVERIFY_OK(kept);
        QCOMPARE(kept->settings.common(&Profile::sourceHash, {{u"pytorch"_s}}), hash);
        const auto texts = RecipeCache(builtInCatalog()).rendered(kept->settings, QList<Variant>{vision});
        QVERIFY_OK(texts.constFirst());
    }

    /// A branch with recipes of its own shape: without a change nothing changes, and with one every recipe keeps its
    /// words.
    void aLearnedShapeIsCarried_data()
    {
        QTest::addColumn<SettingsChange>("change");
        QTest::addColumn<QByteArray>("word");
        QTest::newRow("none") << SettingsChange{} << QByteArray("python313");
        QTest::newRow("Python") << SettingsChange{.pythons = QStringList{u"python312"_s}} << QByteArray("python312");
        QTest::newRow("pin") << SettingsChange{.pin = newPin} << newPin.toLatin1();
        QTest::newRow("toolkit") << SettingsChange{.cudas = QStringList{u"12.9"_s}} << QByteArray("python313");
    }
    void aLearnedShapeIsCarried()
    {
        QFETCH(const SettingsChange, change);
        QFETCH(const QByteArray, word);
        const BranchContent content = inTheirOwnShape(false);
        const Settings source = settingsFor(builtInCatalog(), content);
        QVERIFY(!source.learned.isEmpty());
        const auto work = derivedAs(builtInCatalog(), content, u"next"_s, change);
        QVERIFY_OK(work);
        QVERIFY2(!work->refusal, qPrintable(work->refusal ? work->refusal->sentence() : QString()));
        QCOMPARE(work->dropped, QStringList());
        int there = 0;
        for (const ChangedFile &file : work->files) {
            if (file.name.isEmpty())
                continue;
            ++there;
            const bool own = file.name.contains("-cuda"_L1);
            QVERIFY2((!own || file.after->contains("USE_OWN")) && file.after->contains(word), qPrintable(file.name));
            if (change == SettingsChange{})
                QVERIFY(file.action == Action::Keep);
        }
        QCOMPARE(there, content.files.size());
        // The new branch learns its template from its own recipes.
        BranchContent next{u"next"_s, content.commit, false, {}};
        for (const ChangedFile &file : work->files) {
            if (!file.name.isEmpty())
                next.files.append(recipeFile(file.name, *file.after, false));
        }
        next.settingsFile = after(*work, settingsFile);
        const BranchSnapshot snapshot = snapshotOf(next);
        QVERIFY2(!snapshot.settingsError, qPrintable(snapshot.settingsError->sentence()));
        for (const VariantEntry &entry : snapshot.entries)
            QVERIFY2(entry.state == RecipeState::Current || entry.state == RecipeState::Equivalent,
                     qPrintable(entry.variant.name() + entry.reason));
    }

    void migratesInPlace()
    {
        BranchContent content = wholeLine(u"main"_s);
        const QString mine = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        customise(content, mine);
        const QByteArray before = *fileOf(content, mine)->committed;
        const auto work = migrated(builtInCatalog(), snapshotOf(content), content, {.pin = newPin}, true);
        QVERIFY_OK(work);
        QCOMPARE(recipes(*work), (QMap<Action, int>{{Action::Rewrite, 44}}));
        const QByteArray old = builtInCatalog()->settings(u"main"_s)->common(&Profile::pin).revision.toLatin1();
        QCOMPARE(*fileNamed(*work, mine)->after, QByteArray(before).replace(old, newPin.toLatin1()));
        // The content of that pin is unknown, so the settings keep the version.
        QCOMPARE(work->warnings.size(), 1);
        QVERIFY2(
            work->warnings.constFirst().startsWith("The settings keep PyTorch 2.8.0. "_L1) &&
                work->warnings.constFirst().contains(newPin + ".tar.gz\") {}).python313Packages.torch.version'"_L1),
            qPrintable(work->warnings.constFirst()));
        // A version that was asked for cannot be checked either, unless the catalog knows the pin.
        const auto warnings = [&content](const QString &pin) {
            return migrated(builtInCatalog(), snapshotOf(content), content,
                            {.versions = {{u"pytorch"_s, u"2.9.0"_s}}, .pin = pin}, true)
                ->warnings;
        };
        QVERIFY(warnings(newPin).filter(u"The settings keep PyTorch"_s).isEmpty());
        QCOMPARE(warnings(newPin).filter(u"Check that nixpkgs "_s + newPin.left(10) + u" has PyTorch 2.9.0:"_s).size(),
                 1);
        const QString known = builtInCatalog()->settings(u"cuda-13_0"_s)->common(&Profile::pin).revision;
        QVERIFY(warnings(known).filter(u"Check that"_s).isEmpty());

        // A recipe that computes the changed value stays, and a warning says so.
        VersionedFile *computed = fileOf(content, mine);
        computed->committed->replace(old, "${builtins.substring 0 40 \"" + old + "\"}");
        computed->onDisk = computed->committed;
        const auto rest = migrated(builtInCatalog(), snapshotOf(content), content, {.pin = newPin}, true);
        QVERIFY_OK(rest);
        QCOMPARE(recipes(*rest), (QMap<Action, int>{{Action::Rewrite, 43}}));
        QVERIFY(!fileNamed(*rest, mine)->chosen);
        QVERIFY2(fileNamed(*rest, mine)->reason.contains("It cannot be changed in place: "_L1),
                 qPrintable(fileNamed(*rest, mine)->reason));
        QCOMPARE(rest->warnings.size(), 2);
        QVERIFY2(
            rest->warnings.constLast().startsWith("1 recipe is not changed and does not match the new settings: "_L1 +
                                                  mine + ". --all shows the reason."_L1),
            qPrintable(rest->warnings.constLast()));

        // One that cannot be read says so at once.
        computed->committed->append("}}");
        computed->onDisk = computed->committed;
        const auto broken = migrated(builtInCatalog(), snapshotOf(content), content, {.pin = newPin});
        QVERIFY_OK(broken);
        QVERIFY2(fileNamed(*broken, mine)->reason.contains("It cannot be changed in place: "_L1),
                 qPrintable(fileNamed(*broken, mine)->reason));
    }

    /// The subject of the commit has what the settings change, and nothing that stays.
    void theSubjectSaysWhatChanges()
    {
        BranchContent content = wholeLine(u"main"_s);
        const auto subject = [&content](const SettingsChange &change) {
            const auto work = migrated(builtInCatalog(), snapshotOf(content), content, change, true);
            return work ? work->subject() : work.error().sentence();
        };
        const QString pin = u"nixpkgs "_s + newPin.left(7);
        QCOMPARE(subject({.pin = newPin}), u"Migrate 44 recipes to "_s + pin);
        QCOMPARE(subject({.versions = {{u"pytorch"_s, u"2.9.0"_s}}, .pin = newPin}),
                 u"Migrate 44 recipes to PyTorch 2.9.0, "_s + pin);
        QCOMPARE(subject({.versions = {{u"pytorch"_s, u"2.9.0"_s}, {u"vllm"_s, u"0.16.0"_s}}, .pin = newPin}),
                 u"Migrate 44 recipes to PyTorch 2.9.0, "_s + pin);

        // A recipe that somebody is at work on stays, and is not counted among those that change.
        VersionedFile *edited = fileOf(content, u"pytorch-python313-cuda12_8-sm90-avx2"_s);
        edited->onDisk = QByteArray(*edited->committed).replace("maintainers", "my own maintainers");
        edited->status = FileStatus::Modified;
        const auto work = migrated(builtInCatalog(), snapshotOf(content), content, {.pin = newPin}, true);
        QVERIFY_OK(work);
        const ChangedFile *left = fileNamed(*work, u"pytorch-python313-cuda12_8-sm90-avx2"_s);
        QVERIFY(left && !left->chosen);
        QCOMPARE(left->group, u"With uncommitted changes"_s);
        QCOMPARE(work->subject(), u"Migrate 43 recipes to "_s + pin);
    }

    /// A recipe with the new nixpkgs would otherwise say the old version. One that has a version of its own keeps it.
    void aVersionThatStaysIsRefused()
    {
        const BranchContent content = wholeLine(u"main"_s);
        const Settings former = snapshotOf(content).settings;
        const QString mine = u"pytorch-python313-cpu-avx2"_s;
        for (const QByteArray &version : {"2.9.0"_ba, "2.8.0"_ba, "2.7.0"_ba}) {
            auto work = migrated(builtInCatalog(), snapshotOf(content), content,
                                 {.versions = {{u"pytorch"_s, u"2.9.0"_s}}, .pin = newPin}, true);
            QVERIFY_OK(work);
            const auto file = std::ranges::find(work->files, mine, &ChangedFile::name);
            QVERIFY(file->chosen);
            file->after->replace("2.9.0", version);
            QVERIFY(file->after->contains("PyTorch " + version));
            refuseKeptVersions(builtInCatalog(), *work, former, nullptr);
            QCOMPARE(work->refusal.has_value(), version == "2.8.0");
            if (work->refusal)
                QVERIFY2(work->refusal->why.contains(mine + u':'), qPrintable(work->refusal->sentence()));
            // Of recipes that are kept as they are, those of a new branch are refused.
            work->refusal.reset();
            file->action = Action::Keep;
            file->chosen = false;
            file->before = file->after;
            refuseKeptVersions(builtInCatalog(), *work, former, nullptr);
            QVERIFY(!work->refusal);
            refuseKeptVersions(builtInCatalog(), *work, former, nullptr, Kept::All);
            QCOMPARE(work->refusal.has_value(), version == "2.8.0");
        }
    }

    /// A saved file may say of recipes whose first lines state a version that it is unknown. A new one reaches them.
    void aVersionThatTheSettingsLeaveUnset()
    {
        BranchContent content = wholeLine(u"main"_s);
        const QString mine = u"pytorch-python313-cpu-avx2"_s;
        content.settingsFile = writeSettingsFile(snapshotOf(content).settings, *builtInCatalog()) +
                               "\n[[profile]]\nbuilds = [\"cpu\"]\nversion = \"\"\n";
        const BranchSnapshot snapshot = snapshotOf(content);
        QVERIFY2(!snapshot.settingsError,
                 qPrintable(snapshot.settingsError ? snapshot.settingsError->sentence() : QString()));
        const auto work = migrated(builtInCatalog(), snapshot, content,
                                   {.versions = {{u"pytorch"_s, u"2.9.0"_s}}, .pin = newPin}, true);
        QVERIFY_OK(work);
        QVERIFY2(fileNamed(*work, mine)->after->contains("PyTorch 2.9.0"), fileNamed(*work, mine)->after->constData());
    }

    /// A recipe that stays and that the settings no longer list is named.
    void whatIsNoLongerListedIsNamed()
    {
        const BranchContent content = wholeLine(u"main"_s, false);
        const auto work = derivedAs(builtInCatalog(), content, u"next"_s, {.keys = {{u"coverage.sm90"_s, u"avx2"_s}}});
        QVERIFY_OK(work);
        QCOMPARE(work->dropped, QStringList());
        const QStringList said = work->warnings.filter(u"no longer listed"_s);
        QCOMPARE(said.size(), 1);
        QVERIFY2(said.constFirst().startsWith("5 variants are no longer listed: "_L1) &&
                     said.constFirst().contains("-sm90-avx512"_L1),
                 qPrintable(said.constFirst()));
        QVERIFY(
            derivedAs(builtInCatalog(), content, u"next"_s, {.pin = newPin})->warnings.filter(u"listed"_s).isEmpty());
    }

    /// Otherwise the settings would state what no recipe states.
    void theSettingsDoNotChangeAlone()
    {
        BranchContent content = wholeLine(u"main"_s);
        for (VersionedFile &file : content.files)
            buildOtherwise(file);
        const auto work = migrated(builtInCatalog(), snapshotOf(content), content, {.pin = newPin});
        QVERIFY_OK(work);
        QVERIFY(work->isEmpty());
        QVERIFY2(work->warnings.join(u' ').contains(
                     u"--in-place changes what can be changed in place. --also NAME... renders recipes"_s),
                 qPrintable(work->warnings.join(u' ')));
    }

    /// Settings that no recipe could follow are not written alone, and a text that would not follow them is not
    /// offered.
    void whatNoTemplateCanFollowIsLeft()
    {
        const BranchContent content = inTheirOwnShape();
        const BranchSnapshot snapshot = snapshotOf(content);
        QVERIFY(!snapshot.settings.learned.isEmpty());
        const QList<std::pair<QString, QString>> keys = {{u"metadata_rev"_s, u"2"_s}, {u"arch_notation"_s, u"sm"_s}};
        for (const auto &key : keys) {
            const bool number = key.first == "metadata_rev"_L1;
            for (const bool inPlace : {false, true}) {
                const auto work = migrated(builtInCatalog(), snapshot, content, {.keys = {key}}, inPlace);
                QVERIFY_OK(work);
                QCOMPARE(work->find(settingsFile)->chosen, false);
                QVERIFY(work->isEmpty());
                QCOMPARE(work->warnings.size(), 1);
                QVERIFY2(work->warnings.constFirst().contains("recipes are not changed and do not match"_L1),
                         qPrintable(work->warnings.constFirst()));
                for (const ChangedFile &file : work->files) {
                    if (file.name.contains("-cuda"_L1))
                        QVERIFY2(file.action == Action::Keep &&
                                     file.reason.contains(number ? u"writes no .metadata-rev"_s : u"GPU targets are"_s),
                                 qPrintable(file.name + u' ' + file.reason));
                }
            }
            QVERIFY_ERROR(derivedAs(builtInCatalog(), content, u"next"_s, {.keys = {key}}),
                          number ? u"writes no .metadata-rev"_s : u"GPU targets are"_s);
        }
    }

    /// A template that gives no recipe under the settings is refused before they name it.
    void aTemplateWithoutARecipeIsRefused()
    {
        BranchContent content = wholeLine(u"main"_s);
        for (VersionedFile &file : content.files) {
            file.committed->append("# mine\n");
            file.onDisk = file.committed;
        }
        const SettingsChange change{.keys = {{u"gpu_templates"_s, u"pytorch/pinned-overlays-gpu"_s}}};
        for (const bool inPlace : {false, true}) {
            const auto useless = migrated(builtInCatalog(), snapshotOf(content), content, change, inPlace);
            QVERIFY_ERROR(useless, u"use template pytorch/pinned-overlays-gpu for GPU recipes of pytorch"_s);
            QVERIFY_ERROR(useless, u"torch.hash"_s);
        }
        QVERIFY_ERROR(derivedAs(builtInCatalog(), content, u"next"_s, change), u"use template"_s);
        // What differs from another template is said.
        const auto other = migrated(builtInCatalog(), snapshotOf(content), content,
                                    {.keys = {{u"gpu_templates"_s, u"pytorch/explicit-inputs-gpu"_s}}}, true);
        QVERIFY_OK(other);
        QVERIFY(other->isEmpty());
        QVERIFY2(other->warnings.join(u' ').contains("--also NAME... renders"_L1),
                 qPrintable(other->warnings.join(u' ')));
    }

    void versionTakesItsHashAndPrefixAlong()
    {
        const auto changed = changedSettings(*builtInCatalog(), *builtInCatalog()->settings(u"cuda-13_0"_s),
                                             std::nullopt, u"next"_s, {.versions = {{u"pytorch"_s, u"2.11.0"_s}}});
        QVERIFY_OK(changed);
        QVERIFY(changed->settings.common(&Profile::sourceHash).isEmpty()); // of 2.10.0's source
        QCOMPARE(changed->settings.common(&Profile::pnamePrefix), u"pytorch211"_s);
        // The template asks for the hash, and says so.
        QVERIFY_ERROR(derivedAs(builtInCatalog(), wholeLine(u"cuda-13_0"_s, false), u"next"_s,
                                {.versions = {{u"pytorch"_s, u"2.11.0"_s}}}),
                      u"hash"_s);
        const SettingsChange withHash{
            .versions = {{u"pytorch"_s, u"2.11.0"_s}},
            .keys = {{u"hashes.pytorch"_s, u"sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="_s}}};
        QVERIFY_OK(derivedAs(builtInCatalog(), wholeLine(u"cuda-13_0"_s, false), u"next"_s, withHash));
    }

    void changeRefused_data()
    {
        QTest::addColumn<SettingsChange>("change");
        QTest::addColumn<QString>("words");
        QTest::newRow("toolkit") << SettingsChange{.cudas = QStringList{u"99.0"_s}} << u"no such CUDA toolkit"_s;
        QTest::newRow("pin") << SettingsChange{.pin = u"main"_s} << u"nixpkgs"_s;
        QTest::newRow("key") << SettingsChange{.keys = {{u"nonsense"_s, u"1"_s}}} << u"nonsense"_s;
    }
    void changeRefused()
    {
        QFETCH(const SettingsChange, change);
        QFETCH(const QString, words);
        QVERIFY_ERROR(derivedAs(builtInCatalog(), wholeLine(u"main"_s, false), u"next"_s, change), words);
    }

    // A place to fetch torch from is complete whatever the order of its keys.
    void keysInAnyOrder()
    {
        const SettingsChange change{.keys = {{u"torch_source"_s, u"fetched"_s},
                                             {u"torch_rev"_s, newPin},
                                             {u"torch_repository"_s, u"acme/x"_s}}};
        const auto settings =
            changedSettings(*builtInCatalog(), *builtInCatalog()->settings(u"main"_s), std::nullopt, u"next"_s, change);
        QVERIFY_OK(settings);
        QVERIFY(settings->settings.common(&Profile::torchOrigin) == TorchOrigin::Fetched);
    }

    // Settings that cannot be read must not be replaced.
    void unreadSettingsAreRefused()
    {
        BranchContent content = wholeLine(u"main"_s, false);
        content.settingsFile = "bse = 'main'\n";
        QVERIFY_ERROR(derivedAs(builtInCatalog(), content, u"next"_s, SettingsChange{.pin = newPin}),
                      u"torch-matrix.toml, line 1: bse"_s);
    }

    // A sibling that one recipe alone does not have says nothing of its template.
    void aFetchedSourceBringsATemplateBesideSiblings()
    {
        BranchContent content{u"vision"_s, QString(40, u'a'), false, {}};
        content.settingsFile =
            "families = ['torchvision']\npythons = ['python313']\ntorch_source = 'sibling'\n"
            "versions = { pytorch = '2.9.1', torchvision = '0.24.1' }\n"
            "gpu_templates = ['torchvision/learned']\n[[cuda]]\nversion = '12.8'\n[[coverage]]\nrows = "
            "['sm90']\nisas = ['avx2']\n";
        const SettingsChange change{.hashes = {{u"torchvision"_s, u"sha256-"_s + QString(43, u'x') + u'='}}};
        const auto changes = derivedAs(builtInCatalog(), content, u"next"_s, change);
        QVERIFY_OK(changes);
        QVERIFY(after(*changes, settingsFile).contains("gpu_templates = [\"torchvision/gpu\"]"));
    }

    // Recipes that select no toolkit build nixpkgs' default, whatever their names say: for a new toolkit that is no
    // change.
    void aToolkitThatRecipesDoNotSelectIsRefused_data()
    {
        QTest::addColumn<SettingsChange>("change");
        QTest::addColumn<int>("errors");
        QTest::newRow("new") << SettingsChange{.cudas = QStringList{u"12.9"_s}} << 38;
        QTest::newRow("the branch's own") << SettingsChange{.pin = newPin} << 0;
    }
    void aToolkitThatRecipesDoNotSelectIsRefused()
    {
        QFETCH(const SettingsChange, change);
        QFETCH(const int, errors);
        const BranchContent content = wholeLine(u"main"_s, false);
        const RecipeCache cache(builtInCatalog());
        const Settings former = settingsFor(cache, content);
        auto changes = derivedAs(cache, content, u"next"_s, change);
        QVERIFY_OK(changes);
        for (ChangedFile &file : changes->files) {
            if (file.after)
                file.after->replace("cudaPackages = final.cudaPackages_12_8;", "")
                    .replace("cudaPackages = final.cudaPackages_12_9;", "");
        }
        check(cache, *changes, former, {});
        const QStringList found = changes->chosenErrors();
        QCOMPARE(found.size(), errors);
        for (const QString &error : found)
            QVERIFY2(error.contains("12.9"_L1), qPrintable(error));
    }

    void migrateToAnotherPin()
    {
        BranchContent content = wholeLine(u"main"_s);
        const QString mine = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        const QString open = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        buildOtherwise(*fileOf(content, mine));
        const QString worded = u"pytorch-python313-cuda12_8-sm89-avx2"_s;
        customise(content, worded);
        fileOf(content, open)->onDisk->append("# open\n");
        fileOf(content, open)->status = FileStatus::Modified;
        removeFile(content, u"pytorch-python313-cuda12_8-sm61-avx"_s);
        const auto work = migrated(builtInCatalog(), snapshotOf(content), content, {.pin = newPin});
        QVERIFY_OK(work);
        QCOMPARE(recipes(*work), (QMap<Action, int>{{Action::Rewrite, 41}})); // the missing one stays missing
        // One that only differs in words keeps them.
        QVERIFY(after(*work, recipePath(worded)).endsWith("# mine\n") &&
                after(*work, recipePath(worded)).contains(newPin.toLatin1()));
        QVERIFY(!fileNamed(*work, mine)->chosen && fileNamed(*work, mine)->reason.contains(u"own text"));
        QVERIFY(!fileNamed(*work, open)->chosen && fileNamed(*work, open)->reason.contains(u"uncommitted changes"));
        QCOMPARE(std::ranges::count_if(work->files, &ChangedFile::chosen), 42);
        QVERIFY(work->find(settingsFile)->chosen);
        const auto more = choose(*work, {mine}, Choice::Also);
        QVERIFY_OK(more);
        QCOMPARE(std::ranges::count_if(more->files, &ChangedFile::chosen), 43);
        QVERIFY_ERROR(choose(*work, {u"nonsense"_s}, Choice::Also), u"has no such recipe"_s);
    }

    // A migration changes recipes in place; it does not remove them from the settings.
    void migrateRefusesOtherPythonsAndToolkits()
    {
        const BranchContent content = wholeLine(u"main"_s);
        for (const auto &[change, count] : {std::pair(SettingsChange{.pythons = QStringList{u"python312"_s}}, 44),
                                            std::pair(SettingsChange{.cudas = QStringList()}, 38),
                                            std::pair(SettingsChange{.cudas = QStringList{u"13.0"_s}}, 38)}) {
            for (const bool inPlace : {false, true})
                QVERIFY_ERROR(migrated(builtInCatalog(), snapshotOf(content), content, change, inPlace),
                              u"%1 recipes would no longer be listed: pytorch-"_s.arg(count));
        }
    }

    void migrateKeepsTheFilesComments()
    {
        BranchContent content = wholeLine(u"main"_s);
        content.settingsFile = "# Ours\nbase = \"main\"\n"_ba;
        const auto work = migrated(builtInCatalog(), snapshotOf(content), content, {.keys = {{u"nixpkgs"_s, newPin}}});
        QVERIFY_OK(work);
        QVERIFY2(after(*work, settingsFile).startsWith("# Ours\nbase = \"main\"\n"),
                 after(*work, settingsFile).constData());
        QVERIFY(after(*work, recipePath(u"pytorch-python313-cuda12_8-sm90-avx2"_s)).contains(newPin.toLatin1()));
    }

    void copyIsRenderedForTheTarget()
    {
        BranchContent source = wholeLine(u"main"_s);
        BranchContent target = wholeLine(u"cuda-13_0"_s, false);
        customise(source, u"pytorch-python313-cuda12_8-sm90-avx2"_s);
        removeFile(target, u"pytorch-python313-cuda13_0-sm90-avx2"_s);
        customise(target, u"pytorch-python313-cuda13_0-sm90-avx512"_s);
        const QStringList names{u"pytorch-python313-cuda12_8-sm90-avx2"_s, u"pytorch-python313-cuda12_8-sm90-avx512"_s,
                                u"pytorch-python313-cpu-avx2"_s};
        const auto work = copied(builtInCatalog(), snapshotOf(source), snapshotOf(target), names);
        QVERIFY_OK(work);
        const ChangedFile *made = fileNamed(*work, u"pytorch-python313-cuda13_0-sm90-avx2"_s);
        QVERIFY(made && made->action == Action::Create && made->chosen);
        QVERIFY(made->reason.contains(u"its own comments are lost"));
        RecipeRenderer renderer(builtInCatalog());
        QCOMPARE(after(*work, made->path),
                 *renderer.render(*builtInCatalog()->settings(u"cuda-13_0"_s),
                                  {u"pytorch"_s, u"python313"_s, u"13.0"_s, u"sm90"_s, u"avx2"_s}));
        const ChangedFile *theirs = fileNamed(*work, u"pytorch-python313-cuda13_0-sm90-avx512"_s);
        QVERIFY(theirs && theirs->action == Action::Rewrite && !theirs->chosen);
        QVERIFY(fileNamed(*work, u"pytorch-python313-cpu-avx2"_s)->action == Action::Keep);
        QCOMPARE(std::ranges::count_if(work->files, &ChangedFile::chosen), 1);
    }

    /// A companion for a branch that has only PyTorch is in the version that goes with it. A file that has no word of
    /// it gets it.
    void copyOfACompanion()
    {
        BranchContent source = wholeLine(u"main"_s, false);
        Settings settings = *builtInCatalog()->settings(u"main"_s);
        const Variant variant{u"torchvision"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s};
        Profile profile = settings.profileOf(torchVariantOf(variant));
        profile.version = u"0.23.0"_s;
        profile.templateName.clear();
        profile.torchOrigin = TorchOrigin::Sibling;
        profile.cells = {{variant.row, variant.isa, {}}};
        settings.profiles.insert(ProfileKey::of(variant), profile);
        const auto text = RecipeRenderer(builtInCatalog()).render(settings, variant);
        QVERIFY_OK(text);
        source.files.append(recipeFile(variant.name(), *text));
        BranchContent target = wholeLine(u"main"_s, false);
        target.branch = u"only"_s;
        const auto work = copied(builtInCatalog(), snapshotOf(source), snapshotOf(target), {variant.name()});
        QVERIFY_OK(work);
        const ChangedFile *made = fileNamed(*work, variant.name());
        QVERIFY(made && made->chosen && *made->after == *text);
        // A file gets the companion, and only what is copied; the recipes of PyTorch are built as before.
        target.settingsFile = writeSettingsFile(snapshotOf(target).settings, *builtInCatalog());
        const BranchSnapshot before = snapshotOf(target);
        const auto filed = copied(builtInCatalog(), snapshotOf(source), before, {variant.name()}, target.settingsFile);
        QVERIFY_OK(filed);
        QVERIFY(filed->find(settingsFileName));
        const auto read = readSettingsFile(*filed->find(settingsFileName)->after, *builtInCatalog(), u"only"_s);
        QVERIFY_OK(read);
        QCOMPARE(read->versionOf(u"torchvision"_s), u"0.23.0"_s);
        QVERIFY(read->profileOf(variant).torchOrigin == snapshotOf(source).settings.profileOf(variant).torchOrigin);
        QVERIFY(read->profileOf(torchVariantOf(variant)) == before.settings.profileOf(torchVariantOf(variant)));
        QList<Variant> listed = read->promised();
        listed.removeIf([&](const Variant &one) { return before.settings.covers(one); });
        QVERIFY(listed == QList<Variant>{variant});
        // All companions whose version nobody knows are named at once.
        Settings unknown = before.settings;
        for (Profile &one : unknown.profiles)
            one.version = u"9.9.9"_s;
        target.settingsFile = writeSettingsFile(unknown, *builtInCatalog());
        source.files.append(recipeFile(u"torchaudio-python313-cuda12_8-sm90-avx2"_s, *text));
        const auto lacking =
            copied(builtInCatalog(), snapshotOf(source), snapshotOf(target),
                   {variant.name(), u"torchaudio-python313-cuda12_8-sm90-avx2"_s}, target.settingsFile);
        QVERIFY_ERROR(lacking, u"have no version of TorchVision and "_s);
        for (const QString &command :
             {u"versions.torchvision VERSION --branch only"_s, u"versions.torchaudio VERSION --branch only"_s})
            QVERIFY2(lacking.error().remedy.contains(command), qPrintable(lacking.error().remedy));
    }

    // A recipe with code of its own is not replaced by the template's text unasked. One that is only written in another
    // way is.
    void ownCodeIsNotReplacedUnasked()
    {
        BranchContent content = wholeLine(u"main"_s, false);
        const QString own = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        fileOf(content, own)->committed = "{ hello }:\nhello.overrideAttrs (old: { postPatch = \"true\"; })\n";
        const QString written = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        fileOf(content, written)
            ->committed->replace("nixpkgs_pinned.python313Packages",
                                 "nixpkgs_pinned.\"python${toString 313}Packages\"");
        const SettingsChange change{.cudas = QStringList{u"12.9"_s}};
        const QString to = u"pytorch-python313-cuda12_9-sm90-avx2"_s;
        const auto unasked = derivedAs(builtInCatalog(), content, u"next"_s, change);
        QVERIFY_OK(unasked);
        QVERIFY(unasked->refusal);
        QVERIFY2(unasked->refusal->sentence().contains(u"1 recipe cannot be carried over. "_s + own) &&
                     unasked->refusal->remedy.contains(u"--render"_s),
                 qPrintable(unasked->refusal->sentence()));
        QCOMPARE(unasked->customised, QStringList{own});
        // Leaving out what is impossible is not leaving out what is customised.
        QCOMPARE(derivedAs(builtInCatalog(), content, u"next"_s, change, true)->refusal, unasked->refusal);
        const auto asked = derivedAs(builtInCatalog(), content, u"next"_s, change, false, true);
        QVERIFY_OK(asked);
        QVERIFY2(!asked->refusal, qPrintable(asked->refusal ? asked->refusal->sentence() : QString()));
        QVERIFY(after(*asked, recipePath(to)).contains("gpuArchSM"));
        QVERIFY(!fileNamed(*asked, to)->group.isEmpty());
        const QByteArray other = after(*asked, recipePath(u"pytorch-python313-cuda12_9-sm90-avx512"_s));
        QVERIFY2(other.contains("final.cudaPackages_12_9;"), other.constData());
    }

    /// A recipe that differs from its template in a mistake which the audit fixes, here in its platforms, has no code
    /// of its own that rendering would lose.
    void aMistakeIsNoCodeToKeep()
    {
        BranchContent content = wholeLine(u"main"_s, false);
        const QString mine = u"pytorch-python313-cpu-avx2"_s;
        QByteArray &text = *fileOf(content, mine)->committed;
        text.replace("[ \"x86_64-linux\" ]", "[ \"x86_64-linux\" \"aarch64-linux\" ]").prepend("# Ours.\n");
        const SettingsChange change{.versions = {{u"pytorch"_s, u"2.10.0"_s}}, .cudas = QStringList{u"13.0"_s}};
        const auto work = derivedAs(builtInCatalog(), content, u"next"_s, change, true);
        QVERIFY_OK(work);
        QVERIFY2(!work->refusal, qPrintable(work->refusal ? work->refusal->sentence() : QString()));
        QVERIFY(!work->customised.contains(mine));
        QVERIFY(!after(*work, recipePath(mine)).contains("aarch64-linux"));
        text.replace("preConfigure = ", "doCheck = true;\n  preConfigure = ");
        const auto own = derivedAs(builtInCatalog(), content, u"next"_s, change, true);
        QVERIFY_OK(own);
        QVERIFY2(own->refusal && own->refusal->sentence().contains(mine), text.constData());
    }

    // A wrapper that names neither Python nor toolkit would build the same under another name.
    void derivesNoRecipeThatStaysTheSame()
    {
        BranchContent content = wholeLine(u"main"_s, false);
        const QString name = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        fileOf(content, name)->committed = "{ pkgs ? import <nixpkgs> { } }:\nimport ./lib/torch.nix { sm = \"90\"; "
                                           "isa = \"avx2\"; }\n";
        const SettingsChange change{.pythons = QStringList{u"python312"_s}};
        const auto whole = derivedAs(builtInCatalog(), content, u"next"_s, change);
        QVERIFY_OK(whole);
        QVERIFY(whole->refusal);
        const QString sentence = whole->refusal->sentence();
        QVERIFY2(sentence.contains(u"sm90-avx2.nix:2"_s) && sentence.contains(name), qPrintable(sentence));
        const auto work = derivedAs(builtInCatalog(), content, u"next"_s, change, true);
        QVERIFY_OK(work);
        QVERIFY(work->dropped.contains(name));
        QCOMPARE(after(*work, recipePath(u"pytorch-python312-cuda12_8-sm90-avx2"_s)), QByteArray());
    }

    void copyRefused()
    {
        const BranchSnapshot source = snapshotOf(wholeLine(u"main"_s));
        const BranchSnapshot target = snapshotOf(wholeLine(u"cuda-13_0"_s, false));
        QVERIFY_ERROR(copied(builtInCatalog(), source, target, {u"pytorch-python313-cuda12_8-sm61-avx"_s}), u"sm61"_s);
        QVERIFY_ERROR(copied(builtInCatalog(), source, target, {u"nonsense"_s}), u"has no such recipe"_s);
        // A broken text must not be replaced by another text.
        BranchContent broken = wholeLine(u"main"_s, false);
        fileOf(broken, u"pytorch-python313-cuda12_8-sm90-avx2"_s)->committed->append("}\n");
        QVERIFY_ERROR(copied(builtInCatalog(), snapshotOf(broken), target, {u"pytorch-python313-cuda12_8-sm90-avx2"_s}),
                      u"its text on main is not valid Nix, line "_s);
    }
};

TM_TEST(TestDerive, QCoreApplication)
#include "tst_derive.moc"
