// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Repair.h"
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

/// A user's own coverage of cuda-13_0: nine GPUs with four x86 sets each, the ARM boards with both ARM sets, four CPU
/// recipes. The user may list the boards' x86 cells although they cannot exist.
const QByteArray fortyFour = "base = \"cuda-13_0\"\n\n"
                             "[[coverage]]\nrows = [\"sm121\", \"sm120\", \"sm110\", \"sm103\", \"sm100\", \"sm90\", "
                             "\"sm89\", \"sm86\", \"sm80\", \"cpu\"]\n"
                             "isas = [\"avx2\", \"avx512\", \"avx512bf16\", \"avx512vnni\"]\n\n"
                             "[[coverage]]\nrows = [\"sm110\", \"sm121\"]\nisas = [\"armv8_2\", \"armv9\"]\n";

QByteArray renderedFor(const QString &line, const QString &row, const QString &isa)
{
    RecipeRenderer renderer(builtInCatalog());
    const Settings &of = *builtInCatalog()->settings(line);
    const auto text =
        renderer.render(of, {u"pytorch"_s, of.pythons().constFirst(), of.toolkits().constFirst(), row, isa});
    if (!text)
        qFatal("%s", qPrintable(text.error().sentence()));
    return *text;
}

/// A recipe copied from an older branch in which only the names were changed.
QByteArray fromAnOlderBranch(const QString &row, const QString &isa)
{
    return renderedFor(u"main"_s, row, isa).replace("cuda12_8", "cuda13_0");
}

QString name(const QString &rest)
{
    return u"pytorch-python313-cuda13_0-"_s + rest;
}

BranchContent sixFiles()
{
    BranchContent content{u"cuda-13_0"_s, QString(40, u'a'), true, {}};
    content.settingsFile = fortyFour;
    QByteArray reference = renderedFor(u"cuda-13_0"_s, u"sm120"_s, u"avx512"_s);
    reference.prepend("# The reference for all others\n");
    content.files.append(recipeFile(name(u"sm110-armv8_2"_s), fromAnOlderBranch(u"sm90"_s, u"armv8_2"_s)));
    content.files.append(recipeFile(name(u"sm110-armv9"_s), fromAnOlderBranch(u"sm90"_s, u"armv9"_s)));
    content.files.append(recipeFile(name(u"sm120-avx"_s), fromAnOlderBranch(u"sm61"_s, u"avx"_s)));
    content.files.append(recipeFile(name(u"sm120-avx512-magma"_s), reference));
    content.files.append(recipeFile(name(u"sm120-avx512"_s), reference));
    content.files.append(recipeFile(name(u"sm121-armv9-nightly"_s),
                                    "{ python3Packages }:\npython3Packages.buildPythonPackage { pname = "
                                    "\"pytorch\"; version = \"2.9.0\"; src = { hash = \"\"; }; }\n"));
    return content;
}

ChangeSet repairedOf(const BranchContent &content)
{
    return repaired(builtInCatalog(), snapshotOf(content), content);
}

/// "rewrite pytorch-…-sm90-avx2" a line; what is not chosen is in parentheses.
QStringList asText(const ChangeSet &plan, const QList<Action> &actions)
{
    QStringList lines;
    for (const ChangedFile &step : plan.files) {
        if (!actions.contains(step.action))
            continue;
        const QString text = toString(step.action) + u' ' + step.name;
        lines.append(step.chosen || step.action == Action::Keep ? text : u'(' + text + u')');
    }
    return lines;
}

const QList<Action> allActions{Action::Keep, Action::Create, Action::Rewrite, Action::Rename, Action::Delete};

} // namespace

class TestRepair : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void aWholeLineNeedsNothing()
    {
        const ChangeSet plan = repairedOf(wholeLine(u"main"_s));
        QVERIFY(plan.isEmpty());
        QCOMPARE(plan.files.size(), 44);
        for (const ChangedFile &step : plan.files)
            QCOMPARE(toString(step.action), u"keep"_s);
        QCOMPARE(repairedOf(wholeLine(u"main"_s)), plan);
    }

    // Six files, of which one is correct, and 44 that should exist.
    void sixFilesOfFortyFour()
    {
        const BranchSnapshot snapshot = snapshotOf(sixFiles());
        QVERIFY(!snapshot.settingsError);
        QCOMPARE(snapshot.settings.promised().size(), 44);
        const ChangeSet plan = repaired(builtInCatalog(), snapshot, sixFiles());
        const QStringList expected{u"rewrite "_s + name(u"sm110-armv8_2"_s),
                                   u"rewrite "_s + name(u"sm110-armv9"_s),
                                   u"(rewrite "_s + name(u"sm120-avx512"_s) + u')', // kept unless it is named
                                   u"(delete "_s + name(u"sm120-avx"_s) + u')',     // nothing goes unless it is named
                                   u"(delete "_s + name(u"sm120-avx512-magma"_s) + u')',
                                   u"(delete "_s + name(u"sm121-armv9-nightly"_s) + u')'};
        QCOMPARE(asText(plan, {Action::Keep, Action::Rewrite, Action::Rename, Action::Delete}), expected);
        // No x86 host has sm110 or sm121: what the file lists of them is named with the reason, and cannot be chosen.
        int impossible = 0;
        for (const ChangedFile &step : plan.files) {
            if (step.action == Action::Create && !step.chosen) {
                QVERIFY2(step.reason.startsWith(u"Listed in coverage, but impossible: "_s) && !step.possible,
                         qPrintable(step.name + step.reason));
                QVERIFY(!choose(plan, {step.name}).ok());
                ++impossible;
            }
        }
        QCOMPARE(impossible, 2 * 4);
        QCOMPARE(plan.chosen().value(Action::Create), 44 - 1 - 2 - impossible);
        QVERIFY(asText(plan, {Action::Create}).contains(u"create "_s + name(u"sm121-armv9"_s)));
        QVERIFY(asText(plan, {Action::Create}).contains(u"create pytorch-python313-cpu-avx512vnni"_s));
        for (const ChangedFile &step : plan.files)
            QVERIFY2(step.reason.endsWith(u'.'), qPrintable(step.name + u": "_s + step.reason));

        QCOMPARE(std::ranges::count_if(plan.files, &ChangedFile::chosen), 33 + 2);
        // What cannot be fixed in place is not half fixed.
        for (const QString &arm : {u"armv8_2"_s, u"armv9"_s}) {
            const ChangedFile *file = plan.find(recipePath(name(u"sm110-"_s + arm)));
            QVERIFY(file);
            QCOMPARE(file->after, renderedFor(u"cuda-13_0"_s, u"sm110"_s, arm));
        }
    }

    // Unlisted recipes are proposed as deletions too, with and without errors.
    void whatIsNotListedCanBeDeleted()
    {
        BranchContent content = wholeLine(u"main"_s);
        const QString sound = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        const QString broken = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        content.settingsFile = "base = \"main\"\n\n[[coverage]]\nrows = [\"sm80\"]\nisas = [\"avx2\"]\n";
        fileOf(content, broken)->onDisk = fileOf(content, broken)->committed = "{ }: 1\n";
        const ChangeSet plan = repairedOf(content);
        QVERIFY(plan.isEmpty());
        for (const QString &each : {sound, broken}) {
            const ChangedFile *file = plan.find(recipePath(each));
            QVERIFY2(file && file->action == Action::Delete && !file->chosen && file->possible, qPrintable(each));
        }
        QCOMPARE(asText(plan, {Action::Delete}).size(), 43);
    }

    void stepsOfAState_data()
    {
        using Change = std::function<void(BranchContent &)>;
        QTest::addColumn<Change>("change");
        QTest::addColumn<QStringList>("expected");
        const QString one = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        const auto row = [](const char *what, const Change &change, const QStringList &expected) {
            QTest::newRow(what) << change << expected;
        };
        row("missing", [one](BranchContent &c) { removeFile(c, one); }, {u"create "_s + one});
        row("customised",
            [one](BranchContent &c) {
                VersionedFile *file = fileOf(c, one);
                file->committed->append("# mine\n");
                file->onDisk = file->committed;
            },
            {u"(rewrite "_s + one + u')'});
        row("edited",
            [one](BranchContent &c) {
                fileOf(c, one)->onDisk->append("# mine\n");
                fileOf(c, one)->status = FileStatus::Modified;
            },
            {u"(rewrite "_s + one + u')'});
        row("empty", [one](BranchContent &c) { fileOf(c, one)->committed = fileOf(c, one)->onDisk = ""_ba; },
            {u"rewrite "_s + one});
        row("deleted and not committed",
            [one](BranchContent &c) {
                fileOf(c, one)->onDisk.reset();
                fileOf(c, one)->status = FileStatus::Deleted;
            },
            {u"(create "_s + one + u')'});
        row("older form of the name",
            [one](BranchContent &c) { fileOf(c, one)->path = recipePath(u"pytorch-py313-cuda12_8-sm90-avx2"_s); },
            {u"rename "_s + one});
        const auto inFolder = [one](BranchContent &c) {
            fileOf(c, one)->path = u".flox/pkgs/%1/default.nix"_s.arg(one);
        };
        row("in a folder of its own", inFolder, {});
        row("empty, in a folder",
            [one, inFolder](BranchContent &c) {
                fileOf(c, one)->committed = fileOf(c, one)->onDisk = ""_ba;
                inFolder(c);
            },
            {u"rewrite "_s + one});
        row("dotted name",
            [](BranchContent &c) {
                fileOf(c, u"pytorch-python313-cuda12_8-sm90-armv8_2"_s)->path =
                    recipePath(u"pytorch-python313-cuda12_8-sm90-armv8.2"_s);
            },
            {u"rename pytorch-python313-cuda12_8-sm90-armv8_2"_s});
        row("two files",
            [one](BranchContent &c) {
                c.files.append(recipeFile(u"pytorch-py313-cuda12_8-sm90-avx2"_s, "{ }: { }\n"));
            },
            {u"(delete pytorch-py313-cuda12_8-sm90-avx2)"_s});
        row("not promised and sound",
            [](BranchContent &c) {
                c.files.append(recipeFile(u"pytorch-python313-cuda12_8-sm75-avx2"_s,
                                          renderedFor(u"main"_s, u"sm75"_s, u"avx2"_s)));
            },
            {u"(delete pytorch-python313-cuda12_8-sm75-avx2)"_s});
        row("not promised and empty",
            [](BranchContent &c) { c.files.append(recipeFile(u"pytorch-python313-cuda12_8-sm75-avx2"_s, "")); },
            {u"(delete pytorch-python313-cuda12_8-sm75-avx2)"_s});
        row("cannot exist",
            [](BranchContent &c) {
                c.files.append(recipeFile(u"pytorch-python313-cuda12_8-sm121-avx2"_s, "{ }: { }\n"));
            },
            {u"(delete pytorch-python313-cuda12_8-sm121-avx2)"_s});
        // Texts that were never committed are only removed or replaced if the user chooses so.
        const auto uncommitted = [](BranchContent &c, const QString &name, FileStatus status) {
            if (status != FileStatus::Modified)
                fileOf(c, name)->committed.reset();
            fileOf(c, name)->status = status;
        };
        for (const FileStatus status : {FileStatus::Untracked, FileStatus::Staged}) {
            const QString how = status == FileStatus::Staged ? u"added: "_s : u"untracked: "_s;
            const auto never = [&](const char *what, const QString &name, const QByteArray &text,
                                   const QStringList &expected) {
                const QByteArray title = how.toLatin1() + what;
                row(
                    title.constData(),
                    [=](BranchContent &c) {
                        c.files.append(recipeFile(name, text));
                        uncommitted(c, name, status);
                    },
                    expected);
            };
            never("a suffix", one + u"-magma"_s, "{ }: { }\n", {u"(delete "_s + one + u"-magma)"_s});
            never("two files", u"pytorch-py313-cuda12_8-sm90-avx2"_s, "{ }: { }\n",
                  {u"(delete pytorch-py313-cuda12_8-sm90-avx2)"_s});
            never("cannot exist", u"pytorch-python313-cuda12_8-sm121-avx2"_s, "{ }: { }\n",
                  {u"(delete pytorch-python313-cuda12_8-sm121-avx2)"_s});
            const QByteArray older = how.toLatin1() + "older form of the name";
            row(older.constData(),
                [=](BranchContent &c) {
                    fileOf(c, one)->path = recipePath(u"pytorch-py313-cuda12_8-sm90-avx2"_s);
                    uncommitted(c, u"pytorch-py313-cuda12_8-sm90-avx2"_s, status);
                },
                {u"(rename "_s + one + u')'});
        }
        row("two files, of which the cell's own was never committed",
            [=](BranchContent &c) {
                c.files.append(recipeFile(u"pytorch-py313-cuda12_8-sm90-avx2"_s, "{ }: { }\n"));
                uncommitted(c, one, FileStatus::Untracked);
            },
            {u"(delete pytorch-py313-cuda12_8-sm90-avx2)"_s});
        row("changed: a suffix",
            [=](BranchContent &c) {
                c.files.append(recipeFile(one + u"-magma"_s, "{ }: { }\n"));
                uncommitted(c, one + u"-magma"_s, FileStatus::Modified);
            },
            {u"(delete "_s + one + u"-magma)"_s});
        row("another package", [](BranchContent &c) { c.files.append(recipeFile(u"magma"_s, "{ }: { }\n")); }, {});
    }
    void stepsOfAState()
    {
        QFETCH(const std::function<void(BranchContent &)>, change);
        QFETCH(const QStringList, expected);
        BranchContent content = wholeLine(u"main"_s);
        change(content);
        const ChangeSet plan = repairedOf(content);
        QCOMPARE(asText(plan, {Action::Create, Action::Rewrite, Action::Rename, Action::Delete}), expected);
        const QString tag = QString::fromLatin1(QTest::currentDataTag());
        for (const ChangedFile &step : plan.files) {
            if (step.action != Action::Delete && step.action != Action::Rename)
                continue;
            QCOMPARE(step.reason.startsWith(u"It was never committed. "),
                     tag.startsWith(u"added:") || tag.startsWith(u"untracked:"));
            QCOMPARE(step.reason.startsWith(u"It has uncommitted changes. "), tag.startsWith(u"changed:"));
        }
    }

    // Hand-written recipes after a change of the settings: every recipe follows them in the bytes that state the
    // changed value; recipes that the settings do not list stay.
    void recipesOfOtherPeopleFollowTheSettings_data()
    {
        QTest::addColumn<bool>("whole");
        QTest::addColumn<bool>("byHand");
        QTest::newRow("every cell, by hand") << true << true;
        QTest::newRow("some cells, by hand") << false << true;
        QTest::newRow("every cell, from the template") << true << false;
    }
    void recipesOfOtherPeopleFollowTheSettings()
    {
        QFETCH(const bool, whole);
        QFETCH(const bool, byHand);
        const QByteArray oldPin = "fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3";
        const QByteArray newPin = QByteArray(20, 'c') + QByteArray(20, 'd');
        BranchContent content = wholeLine(u"main"_s);
        for (VersionedFile &file : content.files) {
            if (byHand)
                file.committed = "# Ours, do not lose.\n" + *file.committed + "# mine\n";
            file.onDisk = file.committed;
        }
        Settings settings = snapshotOf(content).settings;
        for (Profile &profile : settings.profiles) {
            profile.pin.revision = QString::fromLatin1(newPin);
            if (!whole && !profile.cells.isEmpty())
                profile.cells = {profile.cells.constFirst()};
        }
        content.settingsFile = writeSettingsFile(settings, *builtInCatalog());

        const ChangeSet plan = repairedOf(content);
        int chosen = 0;
        for (const ChangedFile &file : plan.files) {
            QVERIFY2(file.action != Action::Delete || !file.chosen, qPrintable(file.name));
            if (!file.chosen)
                continue;
            ++chosen;
            QCOMPARE(toString(file.action), u"rewrite"_s);
            QCOMPARE(*file.after, QByteArray(*file.before).replace(oldPin, newPin));
            QCOMPARE(file.group, byHand ? u"Changed in place"_s : QString());
            fileOf(content, file.name)->committed = fileOf(content, file.name)->onDisk = file.after;
        }
        QCOMPARE(chosen, settings.promisedCount());
        QVERIFY(repairedOf(content).isEmpty());
    }

    // The names of a family that the catalog does not know are their maintainer's.
    void renamesOnlyKnownFamilies()
    {
        for (const QString &family : {u"sd-cpp"_s, u"pytorch"_s}) {
            BranchContent content{u"any"_s, {}, true, {}};
            const QString old = family + u"-cu128-sm89-avx2"_s;
            for (const QString &name : {old, family + u"-cu128-sm90-avx2"_s})
                content.files.append(recipeFile(name, "{ pkgs }: pkgs.hello\n"));
            const ChangeSet plan = repairedOf(content);
            const ChangedFile *file = plan.find(recipePath(old));
            QVERIFY(file && file->action == Action::Rename);
            QCOMPARE(file->newPath, recipePath(family + u"-cuda12_8-sm89-avx2"_s));
            QCOMPARE(file->chosen, family == "pytorch"_L1);
        }
    }

    // A recipe that computes the value cannot follow the settings: it is listed with the reason, and not chosen.
    void whatDoesNotFollowIsLeftToTheUser()
    {
        const QByteArray oldPin = "fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3";
        const QString one = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        BranchContent content = wholeLine(u"main"_s);
        fileOf(content, one)->committed->replace(oldPin, "${builtins.unsafeDiscardStringContext \"" + oldPin + "\"}");
        fileOf(content, one)->onDisk = fileOf(content, one)->committed;
        QCOMPARE(repairedOf(content).leftToUser(), 0);
        Settings settings = snapshotOf(content).settings;
        for (Profile &profile : settings.profiles)
            profile.pin.revision = QString(20, u'c') + QString(20, u'd');
        content.settingsFile = writeSettingsFile(settings, *builtInCatalog());
        const ChangeSet plan = repairedOf(content);
        QCOMPARE(plan.leftToUser(), 1);
        const ChangedFile *file = plan.find(recipePath(one));
        QVERIFY(file && file->action == Action::Rewrite && !file->chosen && file->possible);
        QVERIFY2(file->reason.startsWith("It does not follow the branch settings, and cannot be changed in place."_L1),
                 qPrintable(file->reason));
        QVERIFY2(file->reason.contains(QString(20, u'c') + QString(20, u'd') + " in the settings."_L1) &&
                     file->reason.contains(" nixpkgs: "_L1),
                 qPrintable(file->reason));
        QCOMPARE(plan.chosen().value(Action::Rewrite), 43);
    }

    // A recipe that a learned template makes has the comments of the recipes that it was learned from; one that is
    // only deleted in the working tree has its own.
    void whoseCommentsARecipeHasIsSaid()
    {
        const QString one = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        BranchContent content = inTheirOwnShape();
        content.settingsFile = writeSettingsFile(snapshotOf(content).settings, *builtInCatalog());
        const QString said = u"Its comments come from other recipes: check them."_s;
        BranchContent deleted = content;
        fileOf(deleted, one)->onDisk.reset();
        fileOf(deleted, one)->status = FileStatus::Deleted;
        const ChangeSet back = repairedOf(deleted);
        const ChangedFile *file = back.find(recipePath(one));
        QVERIFY(file && file->action == Action::Create && !file->chosen);
        QVERIFY2(!file->reason.contains(said), qPrintable(file->reason));
        content.files.removeIf([&one](const VersionedFile &each) { return each.path == recipePath(one); });
        const ChangeSet anew = repairedOf(content);
        file = anew.find(recipePath(one));
        QVERIFY(file && file->action == Action::Create && file->chosen);
        QVERIFY2(file->reason.endsWith(said), qPrintable(file->reason));
    }

    // Recipes in their own shape have no place for the number: plan does not call them equivalent.
    void aLearnedShapeDoesNotFollowEverything()
    {
        BranchContent content = inTheirOwnShape();
        Settings settings = snapshotOf(content).settings;
        QVERIFY(!settings.learned.isEmpty());
        for (Profile &profile : settings.profiles)
            profile.metadataRev = 3;
        content.settingsFile = writeSettingsFile(settings, *builtInCatalog());
        const ChangeSet plan = repairedOf(content);
        QCOMPARE(plan.leftToUser(), 44);
        for (const ChangedFile &file : plan.files)
            QVERIFY2(!file.chosen && !file.possible && file.reason.contains("does not follow the branch settings"_L1) &&
                         file.reason.contains("template pytorch/learned does not match the settings: it writes "
                                              "no .metadata-rev"_L1) &&
                         file.reason.contains("metadata_rev: nothing in the recipe, 3 in the settings"_L1),
                     qPrintable(file.name + file.reason));
    }

    // Settings that state the default explicitly: recipes follow that.
    void theUsualPythonSetIsFollowed()
    {
        BranchContent content = inTheirOwnShape();
        Settings settings = snapshotOf(content).settings;
        settings.set(&Profile::pythonSet, u"python313Packages"_s);
        content.settingsFile = writeSettingsFile(settings, *builtInCatalog());
        QVERIFY(content.settingsFile->contains("python_set = \"python313Packages\""));
        const ChangeSet plan = repairedOf(content);
        QCOMPARE(plan.leftToUser(), 0);
        QVERIFY(plan.isEmpty());
    }

    // Where they write the number, it is part of what is learned, and plan changes nothing else.
    void aLearnedShapeHasThePlacesOfItsRecipes()
    {
        BranchContent content = inTheirOwnShape();
        for (VersionedFile &file : content.files) {
            const qsizetype meta = file.committed->indexOf("  meta = ");
            file.committed->insert(meta, "  postInstall = (oldAttrs.postInstall or \"\") + ''\n    echo 1 > "
                                         "$out/.metadata-rev\n  '';\n");
            file.onDisk = file.committed;
        }
        Settings settings = snapshotOf(content).settings;
        QVERIFY(!settings.learned.isEmpty());
        QCOMPARE(settings.common(&Profile::metadataRev), 1);
        settings.set(&Profile::metadataRev, 3);
        content.settingsFile = writeSettingsFile(settings, *builtInCatalog());
        const ChangeSet plan = repairedOf(content);
        QCOMPARE(asText(plan, {Action::Rewrite}).size(), 44);
        for (const ChangedFile &file : plan.files)
            QCOMPARE(*file.after, QByteArray(*file.before).replace("echo 1 >", "echo 3 >"));
    }

    // An error that cannot be fixed in place, among recipes that differ from the template: no text is replaced unasked.
    void whatCannotBeChangedInPlaceIsNotChosen()
    {
        BranchContent content = wholeLine(u"main"_s);
        for (VersionedFile &file : content.files)
            file.onDisk = file.committed = "# Ours\n" + *file.committed;
        const QString one = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        fileOf(content, one)->onDisk = fileOf(content, one)->committed = *fileOf(content, one)->committed + "}\n";
        ChangeSet plan = repairedOf(content);
        const ChangedFile *file = plan.find(recipePath(one));
        QVERIFY(file && file->action == Action::Rewrite && !file->chosen && file->possible);
        QVERIFY2(file->reason.contains("loses its own comments"_L1), qPrintable(file->reason));
        QVERIFY(plan.isEmpty());
        // Among recipes that equal the template's text, the template's text was meant.
        content = wholeLine(u"main"_s);
        fileOf(content, one)->onDisk = fileOf(content, one)->committed = *fileOf(content, one)->committed + "}\n";
        plan = repairedOf(content);
        QCOMPARE(asText(plan, {Action::Rewrite}), QStringList{u"rewrite "_s + one});
    }

    void onlyWhatIsNamed()
    {
        BranchContent content = wholeLine(u"main"_s);
        const QString one = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        const QString two = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        removeFile(content, one);
        fileOf(content, two)->committed->append("# mine\n");
        fileOf(content, two)->onDisk = fileOf(content, two)->committed;
        const BranchSnapshot snapshot = snapshotOf(content);
        const ChangeSet plan = repaired(builtInCatalog(), snapshot, content);
        const auto only = choose(plan, {two});
        QVERIFY_OK(only);
        QCOMPARE(std::ranges::count_if(only->files, &ChangedFile::chosen), 1);
        const ChangedFile *file = only->find(recipePath(two));
        QVERIFY(file && file->chosen);
        QCOMPARE(file->after, snapshot.find(two)->rendered);
        QCOMPARE(file->before, fileOf(content, two)->onDisk);
        QVERIFY_ERROR(choose(plan, {u"nonsense"_s}), u"the change has no such recipe"_s);
        QVERIFY_ERROR(choose(plan, {u"pytorch-python313-cpu-avx2"_s}), u"no change is needed for it"_s);
        QCOMPARE(only->commitMessage(), u"Rewrite %1\n"_s.arg(two));
    }

    // A learned template has the words of the recipes that it was learned from. A recipe that is rewritten gets the
    // text that it would get if it was not there, whatever cell it is of.
    void aRewriteHasTheWordsOfItsCell()
    {
        BranchContent content = inTheirOwnShape();
        int number = 0; // words of its own for each
        for (VersionedFile &file : content.files) {
            file.committed->prepend("# Written by " + QByteArray(1 + number / 26, char('a' + number % 26)) +
                                    " alone.\n");
            file.onDisk = file.committed;
            ++number;
        }
        content.settingsFile = writeSettingsFile(snapshotOf(content).settings, *builtInCatalog());
        const BranchSnapshot snapshot = snapshotOf(content);
        const ChangeSet all = repaired(builtInCatalog(), snapshot, content);
        int rewritten = 0;
        for (const QString &name : {u"pytorch-python313-cuda12_8-sm90-avx2"_s, u"pytorch-python313-cpu-avx512"_s,
                                    u"pytorch-python313-cuda12_8-sm120-armv9"_s}) {
            BranchContent without = content;
            removeFile(without, name);
            const QByteArray anew = snapshotOf(without).find(name)->rendered;
            const QByteArray own = *fileOf(content, name)->committed;
            QVERIFY(!anew.isEmpty());
            for (const ChangeSet &plan : {all, repaired(builtInCatalog(), snapshot, content, {{name}}),
                                          repaired(builtInCatalog(), snapshot, content, {{recipePath(name)}})}) {
                const ChangedFile *file = plan.find(recipePath(name));
                QVERIFY(file && file->action == Action::Rewrite && !file->chosen);
                QCOMPARE(file->after.value_or(QByteArray()), anew);
                ++rewritten;
            }
            const ChangeSet none = repaired(builtInCatalog(), snapshot, content, QStringList());
            const ChangedFile *file = none.find(recipePath(name));
            QVERIFY(file && file->possible && file->after == own); // It is not asked for, which takes no time.
            BranchContent written = content; // with nothing left to rewrite it is none of those that can be chosen
            fileOf(written, name)->committed = fileOf(written, name)->onDisk = anew;
            const ChangeSet rest = repaired(builtInCatalog(), snapshotOf(written), written);
            const ChangedFile *kept = rest.find(recipePath(name));
            QVERIFY(kept && kept->action == Action::Keep && kept->group.isEmpty());
        }
        QCOMPARE(rewritten, 9);
    }

    // A cell's name is that of the recipe that is kept: its other files are named by their paths, and it is not
    // rewritten for their sake.
    void theNameOfTwoFilesIsThatOfTheRecipe()
    {
        const QString one = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        const QString copy = u".flox/pkgs/"_s + one + u"/default.nix"_s;
        for (const bool isFaulty : {false, true}) {
            BranchContent content = wholeLine(u"main"_s);
            VersionedFile *file = fileOf(content, one);
            if (isFaulty)
                file->committed->append("}\n");
            else
                file->committed->prepend("# Ours\n");
            file->onDisk = file->committed;
            content.files.append({copy, *file->committed, file->committed});
            const ChangeSet plan = repairedOf(content);
            const auto only = choose(plan, {one});
            if (isFaulty) {
                QVERIFY_OK(only);
                QCOMPARE(std::ranges::count_if(only->files, &ChangedFile::chosen), 1);
                QVERIFY(only->find(recipePath(one))->chosen);
                QVERIFY2(only->warnings.join(u' ').contains(copy), qPrintable(only->warnings.join(u' ')));
            } else {
                QVERIFY_ERROR(only, u"no change is needed for it"_s);
                QVERIFY2(only.error().remedy.contains(recipePath(one)) && only.error().remedy.contains(copy),
                         qPrintable(only.error().remedy));
            }
            const auto other = choose(plan, {copy});
            QVERIFY_OK(other);
            QCOMPARE(std::ranges::count_if(other->files, &ChangedFile::chosen), 1);
            QVERIFY(other->find(copy)->chosen && other->find(copy)->action == Action::Delete);
        }
    }

    void whatCannotBeRenderedIsNotCreated()
    {
        BranchContent content = wholeLine(u"main"_s);
        content.settingsFile = lineWithoutSourceHash();
        const QString one = u"torchvision-python313-cuda12_8-sm90-avx2"_s;
        const BranchSnapshot snapshot = snapshotOf(content);
        QVERIFY2(!snapshot.settingsError,
                 qPrintable(snapshot.settingsError ? snapshot.settingsError->sentence() : QString()));
        const ChangeSet plan = repaired(builtInCatalog(), snapshot, content);
        const auto step = std::ranges::find(plan.files, one, &ChangedFile::name);
        QVERIFY(step != plan.files.end() && step->action == Action::Create && !step->chosen && !step->possible);
        QCOMPARE(step->reason, u"The branch settings list it, but there is no recipe. The settings of main have a "
                               u"newer PyTorch than their "
                               "nixpkgs, but no source hash of TorchVision 0.25.0. Set hashes.torchvision."_s);
        QVERIFY_ERROR(choose(plan, {one}), u"it cannot be written"_s);
    }
};

TM_TEST(TestRepair, QCoreApplication)
#include "tst_repair.moc"
