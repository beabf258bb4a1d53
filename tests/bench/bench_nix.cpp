// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/NixInstantiate.h"

#include "model/nix/Parse.h"

#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>

#include <cstdio>
#include <limits>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

/// Lexing and parsing at less than this, on one core, is a fault.
constexpr double leastMegabytesPerSecond = 20;
constexpr qsizetype largeFile = 4'000'000;

QByteArray contentsOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot read %s", qPrintable(path));
    return file.readAll();
}

/// The recipes among the fixtures, over and over, as many as a large branch has.
QList<QByteArray> recipesOfABranch()
{
    QStringList paths;
    QDirIterator files(QStringLiteral(TM_FIXTURES), {u"recipe-*.nix"_s, u"pytorch-*.nix"_s}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext())
        paths.append(files.next());
    paths.sort();
    QList<QByteArray> texts;
    for (qsizetype i = 0; i < 250; ++i)
        texts.append(contentsOf(paths.at(i % paths.size())));
    return texts;
}

/// Like a package set of nixpkgs: short words, dense syntax.
QByteArray packageSet()
{
    QByteArray text = "{ lib, callPackage }:\nrec {\n";
    for (int i = 0; text.size() < largeFile; ++i) {
        const QByteArray n = QByteArray::number(i);
        text += "  package" + n + " = callPackage ../pkgs/p" + n + " { inherit (lib.versions) major; enable = a" + n +
                ".b or true && !(x: x.y ? z) 1; };\n  a" + n + ".b = [ \"-O2\" \"-march=${toString " + n +
                "}\" ] ++ lib.optionals (" + n + " < 2) [ 1 2 3 ];\n";
    }
    return text + "}\n";
}

QByteArray textsAndComments()
{
    QByteArray text = "lib: [\n";
    while (text.size() < largeFile) {
        text += "  ''\n    export CXXFLAGS=\"${lib.concatStringsSep \" \" [ \"-mavx2\" \"-mfma\" ]} $CXXFLAGS\"\n      "
                "echo \"building\" # "
                "and a comment\n  ''\n"
                "  # a comment line\n";
    }
    return text + "]\n";
}

/// The best of several runs over all texts, in seconds.
double secondsToParse(const QList<QByteArray> &texts)
{
    qint64 best = std::numeric_limits<qint64>::max();
    for (int run = 0; run < 7; ++run) {
        QElapsedTimer clock;
        clock.start();
        for (const QByteArray &text : texts) {
            if (const nix::ParseResult result = nix::parse(text); !result.ok())
                qFatal("%s", qPrintable(result.error->message));
        }
        best = std::min(best, clock.nsecsElapsed());
    }
    return double(best) / 1e9;
}

/// Prints one line, of ours and of real Nix on the same files, and says whether ours is fast enough.
bool measure(const char *what, const QList<QByteArray> &texts)
{
    QTemporaryDir folder;
    QStringList paths;
    qint64 bytes = 0;
    for (const QByteArray &text : texts) {
        paths.append(folder.filePath(QString::number(paths.size()) + u".nix"_s));
        QFile file(paths.last());
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write %s", qPrintable(paths.last()));
        bytes += text.size();
    }
    const double ours = secondsToParse(texts);
    QElapsedTimer clock;
    clock.start();
    for (const test::NixVerdict &verdict : test::parseWithNix(paths, folder.path())) {
        if (!verdict.accepted)
            qFatal("Nix refuses a file: %s", verdict.error.constData());
    }
    const double nix = double(clock.nsecsElapsed()) / 1e9;
    const double megabytes = double(bytes) / 1e6;
    std::printf("%-20s %3lld files %6.2f MB | ours %7.2f ms %6.1f MB/s | nix-instantiate --parse, start and printing "
                "included %7.1f ms "
                "%6.1f MB/s\n",
                what, qint64(texts.size()), megabytes, ours * 1e3, megabytes / ours, nix * 1e3, megabytes / nix);
    return megabytes / ours >= leastMegabytesPerSecond;
}

} // namespace

/// Exit status 1: too slow. Only the release preset tells the truth.
int main()
{
    const bool recipes = measure("recipes of a branch", recipesOfABranch());
    const bool packages = measure("one package set", {packageSet()});
    const bool texts = measure("texts and comments", {textsAndComments()});
    return recipes && packages && texts ? 0 : 1;
}
