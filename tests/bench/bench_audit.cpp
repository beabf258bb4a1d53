// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Audit.h"
#include "model/recipe/Meaning.h"
#include "model/recipe/MeaningDifferences.h"
#include "model/recipe/RecipeRenderer.h"
#include "model/repository/Repository.h"
#include "tests/support/EditedSettings.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>

#include <cstdio>
#include <limits>

#include <sched.h>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

/// The audit of a branch with 250 recipes, on one core, after start.
constexpr double mostMilliseconds = 100;
constexpr qsizetype recipes = 250;

/// Everything from here on runs on one core, started programs included.
void stayOnOneCore()
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0)
        qFatal("cannot stay on one core");
}

Settings largeLine(const Catalog &catalog)
{
    return test::edited(*catalog.line(u"cuda-13_0"_s), catalog, [](WrittenSettings &form) {
        form.pythons = {u"python314"_s, u"python313"_s, u"python312"_s, u"python311"_s, u"python310"_s};
    });
}

double millisecondsOf(const QString &program, const QStringList &arguments)
{
    double best = std::numeric_limits<double>::max();
    for (int i = 0; i < 7; ++i) {
        QProcess process;
        QElapsedTimer clock;
        clock.start();
        process.start(program, arguments);
        if (!process.waitForFinished(60'000) || process.exitCode() == 3)
            qFatal("%s: %s", qPrintable(program), process.readAllStandardError().constData());
        best = std::min(best, double(clock.nsecsElapsed()) / 1e6);
    }
    return best;
}

} // namespace

/// Exit status 1: too slow. Only the release preset tells the truth.
int main()
{
    stayOnOneCore();
    const auto catalog = *Catalog::load();
    const Settings line = largeLine(*catalog);
    QList<AuditInput> inputs;
    QList<std::pair<QString, QByteArray>> files;
    qint64 bytes = 0;
    RecipeRenderer renderer(catalog);
    const QList<Variant> promised = line.promised().first(recipes);
    for (const Variant &variant : promised) {
        const auto text = renderer.render(line, variant);
        if (!text)
            qFatal("%s", qPrintable(text.error().sentence()));
        AuditInput input;
        input.catalog = catalog.get();
        input.line = &line;
        input.variant = variant;
        input.file = variant.file();
        input.text = *text;
        // As people change them, so that no text is the template's.
        input.text.replace("# Both:", "# Flags:");
        inputs.append(input);
        files.append({input.file, input.text});
        bytes += input.text.size();
    }

    double first = 0;
    double best = std::numeric_limits<double>::max();
    qsizetype findings = 0;
    for (int run = 0; run < 7; ++run) {
        QElapsedTimer clock;
        clock.start();
        findings = 0;
        for (const AuditInput &input : std::as_const(inputs))
            findings += audit(input).findings.size();
        const double ms = double(clock.nsecsElapsed()) / 1e6;
        first = run == 0 ? ms : first;
        best = std::min(best, ms);
    }
    std::printf("audit of %lld recipes, %.2f MB, %lld findings: first %.1f ms, best %.1f ms, %.1f MB/s\n",
                qint64(inputs.size()), double(bytes) / 1e6, qint64(findings), first, best, double(bytes) / 1e3 / best);

    double meanings = std::numeric_limits<double>::max();
    double differences = meanings;
    for (int run = 0; run < 7; ++run) {
        QElapsedTimer clock;
        clock.start();
        for (const AuditInput &input : std::as_const(inputs)) {
            if (!readMeaning(input.text).isKnown())
                qFatal("%s has no normal form", qPrintable(input.file));
        }
        meanings = std::min(meanings, double(clock.nsecsElapsed()) / 1e6);
        clock.start();
        for (const AuditInput &input : std::as_const(inputs)) {
            const RecipeFacts facts = readFacts(input.text);
            const QByteArray other = QByteArray(input.text).replace("-mf", "-mno-f");
            if (meaningDifferences(input.text, facts, other, facts).isEmpty() && other != input.text)
                qFatal("%s means the same with other flags", qPrintable(input.file));
        }
        differences = std::min(differences, double(clock.nsecsElapsed()) / 1e6);
    }
    std::printf("their meanings: best %.1f ms; their differences from other recipes, facts included: best %.1f ms\n",
                meanings, differences);

    QTemporaryDir home;
    qputenv("HOME", home.path().toUtf8());
    qputenv("XDG_CONFIG_HOME", home.filePath(u"config"_s).toUtf8());
    const QString folder = home.filePath(u"repository"_s);
    if (const auto made = createRepository(folder, {{u"cuda-13_0"_s, u"Recipes"_s, files}}); !made)
        qFatal("%s", qPrintable(made.error().sentence()));
    const double start = millisecondsOf(QStringLiteral(TM_PROGRAM), {u"--version"_s});
    const double whole = millisecondsOf(QStringLiteral(TM_PROGRAM), {u"audit"_s, u"--repo"_s, folder});
    std::printf("torch-matrix audit of such a branch: %.1f ms, of which start %.1f ms: %.1f ms after start\n", whole,
                start, whole - start);
    return first < mostMilliseconds && whole - start < mostMilliseconds ? 0 : 1;
}
