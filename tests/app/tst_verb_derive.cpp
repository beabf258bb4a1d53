// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QJsonArray>

using namespace Qt::StringLiterals;
using namespace tmx::test;

/// What derive prints before it changes anything.
class VerbDeriveTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<VerbFixture> m_fixture;
    [[nodiscard]] Ran derive(const QStringList &arguments) const
    {
        return m_fixture->verb(QStringList{u"derive"_s, u"next"_s} + arguments);
    }

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning();
        m_fixture = std::make_unique<VerbFixture>();
    }

    /// A Python is named by its version or by nixpkgs' name.
    void namesAPython()
    {
        const Ran byVersion = derive({u"--python"_s, u"3.12"_s, u"--json"_s});
        const Ran byName = derive({u"--python"_s, u"python312"_s, u"--json"_s});
        QCOMPARE(byVersion.exitCode, byName.exitCode);
        QCOMPARE(byVersion.out, byName.out);
        QVERIFY(byVersion.out.contains("python312"));
        QVERIFY(derive({u"--python"_s, u"3.99"_s}).err.contains("the catalog has no such Python"));
    }

    /// Undoing takes the commit away and says how the branch goes, which it does not remove.
    void undoneItLeavesABranch()
    {
        QCOMPARE(derive({u"--apply"_s}).exitCode, 0);
        const Ran undone = m_fixture->verb({u"plan"_s, u"--undo"_s, u"--apply"_s, u"--branch"_s, u"next"_s});
        QCOMPARE(undone.exitCode, 0);
        const QByteArray same = "next is now the same as main; \"git branch -d next\" removes it\n";
        QVERIFY2(undone.err.contains(same), undone.err.constData());
        QCOMPARE(m_fixture->git({u"branch"_s, u"-d"_s, u"next"_s}).exitCode, 0);
    }

    /// Recipes of a GPU that the toolkit dropped: one reason, once.
    void aRefusalStandsAloneAndGroupsReasons()
    {
        const QString last = u"pytorch-python313-cuda12_8-sm61-avx"_s;
        for (const char *isa : {"", "2", "512"}) {
            const QString name = last + QString::fromLatin1(isa);
            QCOMPARE(m_fixture->verb({u"generate"_s, name, u"--commit"_s}).exitCode, 0);
        }
        const Ran refused = derive({u"--cuda"_s, u"13.0"_s});
        QCOMPARE(refused.exitCode, 3);
        QVERIFY2(refused.out.isEmpty(), refused.out.constData());
        QCOMPARE(refused.err.count('\n'), 1);
        QVERIFY2(refused.err.contains("3 recipes cannot be carried over. " + last.toUtf8() + ", " + last.toUtf8() +
                                      "2, " + last.toUtf8() + "512: "),
                 refused.err.constData());
        const Ran allowed = derive({u"--cuda"_s, u"13.0"_s, u"--drop"_s});
        QCOMPARE(allowed.err.count("dropped: "), 1);
        QVERIFY(allowed.out.contains("create   torch-matrix.toml  The branch settings; --diff shows them.\n"));
        const QByteArray all = derive({u"--cuda"_s, u"13.0"_s, u"--all"_s}).out;
        QVERIFY2(all.contains("delete   " + last.toUtf8()) && all.contains("# torch-matrix.toml, a new file\n"),
                 all.constData());
    }

    /// The first PyTorch that supports sm100 and sm120 is 2.7.
    void gpusThatPyTorchDoesNotKnowYetAreDropped()
    {
        const QStringList old{u"--pytorch"_s, u"2.6.0"_s, u"--set"_s,
                              u"hashes.pytorch=sha256-RKiZLHBCneMtZKRgTEuW1K7+Jpi+tx11BMXuS1jC1xQ="_s};
        const Ran refused = derive(old);
        QCOMPARE(refused.exitCode, 3);
        QVERIFY2(refused.err.contains("PyTorch 2.6.0 does not know sm_100: it needs PyTorch 2.7"),
                 refused.err.constData());
        QCOMPARE(refused.err.count("does not know sm_120"), 1);
        const Ran made = derive(old + QStringList{u"--drop"_s, u"--apply"_s});
        QVERIFY2(made.exitCode == 0, made.err.constData());
        const QByteArray settings = m_fixture->git({u"show"_s, u"next:torch-matrix.toml"_s}).out;
        QVERIFY2(!settings.contains("sm100") && settings.contains("sm90"), settings.constData());
        const Ran plan = m_fixture->verb({u"plan"_s, u"--branch"_s, u"next"_s});
        QVERIFY2(plan.exitCode == 0, plan.out.constData());
    }

    /// A recipe that takes torch from elsewhere has another text; none keeps the old source.
    void torchFromAnotherPlaceIsRendered()
    {
        const QString name = u"torchvision-python313-cuda12_8-sm90-avx512"_s;
        m_fixture->write(u"torch-matrix.toml"_s, "base = \"main\"\nfamilies = [\"pytorch\", \"torchvision\"]\n");
        m_fixture->git({u"add"_s, u"torch-matrix.toml"_s});
        QCOMPARE(m_fixture->verb({u"generate"_s, name, u"--commit"_s}).exitCode, 0);
        m_fixture->write(u".flox/pkgs/%1.nix"_s.arg(name),
                         m_fixture->read(u".flox/pkgs/%1.nix"_s.arg(name)) + "# by hand\n");
        m_fixture->git({u"commit"_s, u"-qam"_s, u"By hand"_s});
        const Ran shown = derive({u"--set"_s, u"torch_repository=owner/builds"_s, u"--set"_s,
                                  u"torch_rev=1111111111111111111111111111111111111111"_s, u"--set"_s,
                                  u"torch_source=fetched"_s, u"--apply"_s});
        QVERIFY2(shown.err.contains("it takes torch from another place (" + name.toUtf8() + ")"),
                 shown.err.constData());
        const QByteArray text = m_fixture->git({u"show"_s, u"next:.flox/pkgs/%1.nix"_s.arg(name)}).out;
        QVERIFY2(text.contains("https://github.com/owner/builds/archive/1111111111"), text.constData());
    }

    // If every recipe has its own text, a requested change cannot be made, and that is not "nothing to do".
    void whatIsNotMigratedIsSaid()
    {
        for (const QString &file : QDir(m_fixture->sample() + u"/.flox/pkgs"_s).entryList({u"*.nix"_s}, QDir::Files)) {
            const QString path = u".flox/pkgs/"_s + file;
            m_fixture->write(path, m_fixture->read(path).replace("  meta = oldAttrs.meta",
                                                                 "  doCheck = true;\n  meta = oldAttrs.meta"));
        }
        m_fixture->git({u"commit"_s, u"-qam"_s, u"Ours"_s});
        const Ran ran = m_fixture->verb({u"migrate"_s, u"--set"_s, u"nixpkgs="_s + QString(40, u'c'), u"--apply"_s});
        QCOMPARE(ran.exitCode, 1);
        QVERIFY2(ran.err.contains("main: nothing is changed; the warning above says why"), ran.err.constData());
        QVERIFY2(ran.err.contains("--in-place"), ran.err.constData());
        QCOMPARE(m_fixture->git({u"log"_s, u"-1"_s, u"--format=%s"_s}).out, "Ours\n"_ba);
    }

    void keptRecipesAreCounted()
    {
        // CPU recipes do not state the toolkit's attribute.
        const Ran changed = derive({u"--set"_s, u"blas=mkl"_s});
        QVERIFY2(changed.err.contains(" to rewrite, ") && changed.err.contains(" to keep; --apply does it"),
                 changed.err.constData());
    }

    // An existing error of a recipe is not carried along silently, whether the change affects the recipe or not.
    void errorsThatComeAlongAreFixedOrNamed()
    {
        const QString fixable = u".flox/pkgs/pytorch-python313-cpu-avx2.nix"_s;
        const QString stays = u".flox/pkgs/pytorch-python313-cpu-avx512.nix"_s;
        m_fixture->write(fixable, m_fixture->read(fixable).replace("\"-mfma\"", "\"-mfma\" \"-mavx512f\""));
        m_fixture->write(stays, m_fixture->read(stays) + "}\n");
        m_fixture->git({u"commit"_s, u"-qam"_s, u"Break two"_s});
        const Ran said = derive({u"--cuda"_s, u"12.9"_s});
        QVERIFY2(said.err.contains("1 file would have an error"), said.err.constData());
        QVERIFY2(said.err.contains("1 recipe keeps errors that it has on main too: "
                                   "pytorch-python313-cpu-avx512."),
                 said.err.constData());
    }

    /// A nixpkgs from before torch's support of CUDA 13 marks torch broken, and its MAGMA does not compile.
    void aToolkitThatNixpkgsDoesNotSupportIsAllowed()
    {
        // In the recipes themselves, which are no template's text.
        const QString folder = u".flox/pkgs/"_s;
        for (const QString &file : QDir(m_fixture->sample() + u'/' + folder).entryList({u"*.nix"_s}, QDir::Files))
            m_fixture->write(folder + file, m_fixture->read(folder + file) + "# Ours\n");
        // In a file that wrappers import, with a list of one line.
        const QByteArray wrapper =
            "import ./lib/mk.nix { sm = \"SM\"; cap = \"CAP\"; flags = \"-mavx2 -mfma -mf16c\"; isa = \"avx2\"; }\n";
        const QString cells = folder + u"pytorch-python312-cuda12_8-sm%1-avx2.nix"_s;
        m_fixture->write(cells.arg(89), QByteArray(wrapper).replace("SM", "89").replace("CAP", "8.9"));
        m_fixture->write(cells.arg(90), QByteArray(wrapper).replace("SM", "90").replace("CAP", "9.0"));
        m_fixture->write(
            folder + u"lib/mk.nix"_s,
            "{ sm, cap, flags, isa }:\nlet\n  cuda = \"12_8\";\n  pkgs = import (fetchTarball {\n    url = "
            "\"https://github.com/NixOS/nixpkgs/archive/fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3.tar.gz\";\n  }) {\n"
            "    config = { allowUnfree = true; cudaSupport = true; };\n"
            "    overlays = [ (final: prev: { cudaPackages = final.\"cudaPackages_${cuda}\"; }) ];\n  };\nin\n"
            "(pkgs.python312Packages.torch.override { cudaSupport = true; gpuTargets = [ cap ]; }).overrideAttrs (old: "
            "{\n"
            "  pname = \"pytorch-python312-cuda${cuda}-sm${sm}-${isa}\";\n"
            "  passthru = old.passthru // { gpuArch = cap; blasProvider = \"cublas\"; cpuISA = isa; };\n"
            "  preConfigure = (old.preConfigure or \"\") + ''\n    export CXXFLAGS=\"${flags} $CXXFLAGS\"\n"
            "    export CFLAGS=\"${flags} $CFLAGS\"\n  '';\n"
            "  meta = old.meta // {\n    longDescription = \"Driver: NVIDIA 570+ required\";\n"
            "    platforms = [ \"x86_64-linux\" ];\n  };\n})\n");
        // A recipe that imports another one.
        m_fixture->write(
            folder + u"torchaudio-python313-cuda12_8-sm90-avx2.nix"_s,
            "{ pkgs ? import <nixpkgs> { } }:\nlet\n  pinned = import (fetchTarball {\n    url = "
            "\"https://github.com/NixOS/nixpkgs/archive/fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3.tar.gz\";\n  }) {\n"
            "    config = { allowUnfree = true; cudaSupport = true; };\n"
            "    overlays = [ (final: prev: { cudaPackages = final.cudaPackages_12_8; }) ];\n  };\n"
            "  torch = import ./pytorch-python313-cuda12_8-sm90-avx2.nix { inherit pkgs; };\nin\n"
            "(pinned.python313Packages.torchaudio.override { inherit torch; }).overrideAttrs (old: {\n"
            "  pname = \"torchaudio-python313-cuda12_8-sm90-avx2\";\n"
            "  preConfigure = (old.preConfigure or \"\") + ''\n    export TORCH_CUDA_ARCH_LIST=9.0\n"
            "    export CXXFLAGS=\"-mavx2 -mfma -mf16c $CXXFLAGS\"\n"
            "    export CFLAGS=\"-mavx2 -mfma -mf16c $CFLAGS\"\n  '';\n})\n");
        m_fixture->git({u"add"_s, u"-f"_s, u".flox"_s});
        m_fixture->git({u"commit"_s, u"-qam"_s, u"Ours"_s});
        const Ran made = derive({u"--cuda"_s, u"13.0"_s, u"--drop"_s, u"--apply"_s});
        QVERIFY2(made.exitCode == 0, made.err.constData());
        QVERIFY2(made.err.contains("allow-broken-missing") && made.err.contains("magma-patch-missing"),
                 made.err.constData());
        const QByteArray shared = m_fixture->git({u"show"_s, u"next:.flox/pkgs/lib/mk.nix"_s}).out;
        QVERIFY2(shared.contains("    config = { allowUnfree = true; allowBroken = true; cudaSupport = true; };\n    "
                                 "overlays = [\n      (final: prev: { cudaPackages = final.\"cudaPackages_${cuda}\"; "
                                 "})\n      (final: prev: {\n        magma = prev.magma.overrideAttrs"),
                 shared.constData());
        QVERIFY2(shared.contains("          ];\n        });\n      })\n    ];\n  };\nin\n"), shared.constData());
        const QByteArray whole =
            m_fixture->git({u"show"_s, u"next:.flox/pkgs/pytorch-python313-cuda13_0-sm90-avx2.nix"_s}).out;
        QVERIFY2(whole.contains("\n      allowBroken = true;\n"), whole.constData());
        QVERIFY2(whole.contains("clockrate-fix.patch"), whole.constData());
        QVERIFY(m_fixture->git({u"show"_s, u"next:.flox/pkgs/torchaudio-python313-cuda13_0-sm90-avx2.nix"_s})
                    .out.contains("import ./pytorch-python313-cuda13_0-sm90-avx2.nix"));
        QVERIFY2(shared.contains("Driver: NVIDIA 580+ required"), shared.constData());
        const Ran audit = m_fixture->verb({u"audit"_s, u"--branch"_s, u"next"_s});
        QVERIFY2(!audit.out.contains("error: ") && !audit.out.contains("driver"), audit.out.constData());
    }

    void filesThatBecomeUntrueAreNamed()
    {
        m_fixture->write(u"QUICKSTART.md"_s, "Build for `python313` with PyTorch 2.8.0.\n");
        m_fixture->write(u"NOTES.md"_s, "Nothing of 12.8.0 or mypython313x here.\n");
        m_fixture->write(u".flox/env/manifest.toml"_s, "[install]\npython.pkg-path = \"python313\"\n");
        m_fixture->write(u".flox/env/manifest.lock"_s, "{ \"python\": \"python313\" }\n");
        m_fixture->git({u"add"_s, u"-f"_s, u"QUICKSTART.md"_s, u"NOTES.md"_s, u".flox/env"_s});
        m_fixture->git({u"commit"_s, u"-qm"_s, u"Words"_s});
        const QStringList arguments{u"--python"_s, u"python312"_s};
        const Ran said = derive(arguments);
        QCOMPARE(said.exitCode, 0);
        QVERIFY2(said.err.contains("2 other files mention python313 and are not changed: "
                                   ".flox/env/manifest.toml, QUICKSTART.md."),
                 said.err.constData());
        QVERIFY(!said.err.contains("NOTES.md"));
        const QByteArray all = derive(arguments + QStringList{u"--all"_s}).out;
        QVERIFY(all.contains("outdated QUICKSTART.md\n") && all.contains("outdated .flox/env/manifest.toml\n"));
        QVERIFY(!all.contains("manifest.lock") && !all.contains("outdated .flox/pkgs"));
        QVERIFY(
            derive(arguments + QStringList{u"--json"_s}).json()[u"outdated"_s].toArray().contains(u"QUICKSTART.md"_s));
        // Without a change nothing becomes untrue.
        QVERIFY(derive({u"--json"_s}).json()[u"outdated"_s].toArray().isEmpty());
    }
};

TM_TEST(VerbDeriveTest, QCoreApplication)
#include "tst_verb_derive.moc"
