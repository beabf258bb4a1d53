// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Progress.h"
#include "app/verbs/Verb.h"

#include "model/base/Tr.h"
#include "model/builds/VerifyBuild.h"
#include "model/change/Generate.h"
#include "model/history/BuildHistory.h"
#include "model/workspace/RepositoryReading.h"

#include <CLI/CLI.hpp>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>

#include <algorithm>
#include <cstdio>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qint64 mostFacts = 4 * 1024 * 1024;

struct VerifyOptions {
    std::string name;
    std::string branch;
    std::string result;
    std::string facts;
    std::string beside;
};

QString sizeText(qint64 bytes)
{
    return QLocale::c().formattedDataSize(bytes, 1, QLocale::DataSizeSIFormat);
}

/// "2.1 GB; 7 other variants of main: 1.9 to 2.4 GB"
QString sizesText(const BuildHistory &history, const RepositoryReading &reading, const QString &variant, qint64 size)
{
    qint64 least = 0;
    qint64 most = 0;
    QSet<QString> others;
    const BuildFilter filter{.repository = reading.info.workTree, .branch = reading.snapshot->branch};
    if (const Result<QList<BuildRecord>> records = history.records(filter)) {
        for (const BuildRecord &record : *records) {
            if (record.size <= 0 || record.variant == variant || others.contains(record.variant))
                continue;
            least = others.isEmpty() ? record.size : std::min(least, record.size);
            most = std::max(most, record.size);
            others.insert(record.variant);
        }
    }
    QString text = Tr::tr("%1 with all that it needs").arg(sizeText(size));
    if (!others.isEmpty())
        text += u"; %1 other variants of %2: %3 to %4"_s.arg(QString::number(others.size()), reading.snapshot->title(),
                                                             sizeText(least), sizeText(most));
    return text;
}

void printChecks(const QList<VerifyCheck> &checks)
{
    static const char *const words[] = {"ok     ", "failed ", "unknown"};
    for (const VerifyCheck &check : checks)
        print(u"%1  %2  %3"_s.arg(QString::fromLatin1(words[int(check.state)]), check.id.leftJustified(7),
                                  check.sentence.simplified()));
}

Result<QJsonObject> factsIn(const QString &path)
{
    QFile file(path);
    const bool opened = path == "-"_L1 ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly);
    if (!opened)
        return Error{Tr::tr("read"), path, file.errorString(), {}};
    const QJsonObject facts = QJsonDocument::fromJson(file.read(mostFacts)).object();
    if (!facts.contains(u"torch"_s))
        return Error{Tr::tr("read"), path, Tr::tr("it is not the output of verify_torch.py"),
                     Tr::tr("Run resources/verify/verify_torch.py with the Python of the PyTorch build.")};
    return facts;
}

/// Of --facts, of the named result, or of the newest build.
Result<VerifiedBuild> verifiedBuild(const Catalog &catalog, const BranchSnapshot &snapshot, const VariantEntry &entry,
                                    const VerifyOptions &options, BuildHistory &history)
{
    const VerifyExpectation expected = expectationOf(catalog, snapshot, entry.variant);
    if (!options.facts.empty()) {
        TM_TRY(facts, factsIn(QString::fromStdString(options.facts)));
        const QJsonObject torch = facts->value(u"torch"_s).toObject();
        return VerifiedBuild{{.result = torch.value(u"file"_s).toString(),
                              .facts = *facts,
                              .checks = judgeTorch(*facts, expected),
                              .imported = torch.value(u"imported"_s).toBool()},
                             {}};
    }
    Progress progress(Tr::tr("Verifying %1").arg(QString::fromStdString(options.name)));
    if (options.result.empty())
        return verifyBuild(catalog, snapshot, entry, history, progress.hooks().stop);
    TM_TRY(result, verifyResult(QString::fromStdString(options.result), expected, progress.hooks().stop));
    return VerifiedBuild{*result, {}};
}

QString verdictText(const Verification &verification, const QString &name)
{
    if (verification.passed())
        return Tr::tr("%1 matches its name").arg(name);
    const bool differs = std::ranges::count(verification.checks, VerifyCheck::State::Failed, &VerifyCheck::state) > 0;
    return differs ? Tr::tr("%1 does not match its name").arg(name)
                   : Tr::tr("It is unknown whether %1 matches its name").arg(name);
}

Result<int> verify(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                   const VerifyOptions &options)
{
    TM_TRY(reading, readRepository(catalog, context.repoPath(), QString::fromStdString(options.branch)));
    const QString name = QString::fromStdString(options.name);
    const VariantEntry *entry = reading->snapshot->find(name);
    if (!entry) {
        const Result<Variant> variant = variantNamed(*catalog, name);
        return complain(variant ? Error{Tr::tr("verify"),
                                        name,
                                        Tr::tr("branch %1 does not have it").arg(reading->snapshot->title()),
                                        {}}
                                : variant.error());
    }
    TM_TRY(history, BuildHistory::open());
    if (!history->notice().isEmpty())
        tell(history->notice());
    TM_TRY(verified, verifiedBuild(*catalog, *reading->snapshot, *entry, options, *history));
    const auto &[verification, job] = *verified;
    QJsonObject json = toJson(verification);
    json.insert(u"name"_s, name);
    json.insert(u"branch"_s, reading->snapshot->branch);
    if (!job.isEmpty())
        json.insert(u"job"_s, job);
    qint64 generic = 0;
    if (!options.beside.empty()) {
        TM_TRY(size, sizeOfResult(QString::fromStdString(options.beside)));
        generic = *size;
        json.insert(u"beside_bytes"_s, generic);
    }
    if (context.json) {
        print(json);
        return verification.passed() ? Done : DoneWithFindings;
    }
    printChecks(verification.checks);
    if (!verification.whyNotImported.isEmpty())
        tell(verification.whyNotImported);
    if (verification.closure > 0)
        print(u"size     %1"_s.arg(sizesText(*history, *reading, name, verification.closure)));
    if (verification.closure > 0 && generic > 0)
        print(u"         %1 % of the other build's %2"_s.arg(QString::number(verification.closure * 100 / generic),
                                                             sizeText(generic)));
    tell(verdictText(verification, name));
    return verification.passed() ? Done : DoneWithFindings;
}

} // namespace

void addVerify(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<VerifyOptions>();
    CLI::App *verb = app.add_subcommand(
        "verify", Help::tr("Check that a build matches its name: import, version, GPU code, CPU flags, size"));
    verb->add_option("NAME", options->name, Help::tr("Variant, as list prints it"))->required();
    verb->add_option("--branch", options->branch,
                     Help::tr("Branch that it was built from (default: the checked-out one)"))
        ->type_name("B");
    CLI::Option *result = verb->add_option("--result", options->result,
                                           Help::tr("Result link or store path (default: that of the newest build)"))
                              ->type_name("PATH");
    verb->add_option("--facts", options->facts,
                     Help::tr("Output of resources/verify/verify_torch.py from any machine; - for standard input"))
        ->type_name("FILE")
        ->excludes(result);
    verb->add_option("--beside", options->beside, Help::tr("Result of a build for all GPUs, to compare the size with"))
        ->type_name("PATH");
    addRepoOption(*verb, context);
    addJsonOption(*verb, context);
    runOnCatalog(*verb, context, options, &verify);
}

} // namespace tmx
