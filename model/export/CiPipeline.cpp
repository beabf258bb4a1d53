// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/export/CiPipeline.h"

#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/catalog/Catalog.h"
#include "model/export/Pipelines.h"
#include "model/export/Yaml.h"
#include "model/repository/RecipePath.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int ownHours = 24;
constexpr QStringView labelForm = u"[A-Za-z0-9][A-Za-z0-9 ._:/-]{0,99}";
constexpr QStringView organisationForm = u"[A-Za-z0-9][A-Za-z0-9._-]{0,99}";

/// The parts of "SYSTEM=LABEL"; for "LABEL" the system is empty.
std::pair<QString, QString> partsOf(const QString &runner)
{
    const qsizetype equals = runner.indexOf(u'=');
    return equals < 0 ? std::pair(QString(), runner) : std::pair(runner.first(equals), runner.sliced(equals + 1));
}

} // namespace

QStringList ciSystems()
{
    return {u"x86_64-linux"_s, u"aarch64-linux"_s, u"aarch64-darwin"_s};
}

OwnRunner ownRunner(const CiOptions &options, const QString &system)
{
    OwnRunner found;
    for (const QString &runner : options.runners) {
        const auto [of, label] = partsOf(runner);
        if (of == system)
            return {label, true};
        if (of.isEmpty())
            found = {label, false};
    }
    return found;
}

QList<CiChunk> chunksOf(const CiMatrix &matrix, CiHost host)
{
    QList<CiChunk> chunks;
    for (const QString &system : ciSystems()) {
        int number = 0;
        for (const CiJob &job : matrix.jobs) {
            if (job.system != system)
                continue;
            if (number == 0 || chunks.constLast().jobs.size() == matrixLimit(host))
                chunks.append({system, ++number, {}});
            chunks.last().jobs.append(job);
        }
    }
    return chunks;
}

QByteArray pipelineHead(const CiMatrix &matrix, const CiOptions &options, const QByteArray &advice)
{
    QByteArray command = QByteArray("torch-matrix export ") + (options.host == CiHost::GitHub ? "github" : "gitlab") +
                         " --branch " + yamlQuoted(matrix.branch);
    if (!matrix.only.isEmpty())
        command += " --only " + matrix.only.toLatin1();
    if (!matrix.since.isEmpty())
        command += " --since " + matrix.since.toLatin1();
    for (const QString &runner : options.runners)
        command += " --runner " + yamlQuoted(runner);
    if (!options.organisation.isEmpty())
        command += " --publish " + yamlQuoted(options.organisation);
    return "# Made by: " + command + " --apply\n" +
           "# It replaces all lines between the markers \"begin\" and \"end\", and no other.\n" + advice;
}

int matrixLimit(CiHost host)
{
    return host == CiHost::GitHub ? 256 : 200;
}

int hostedHours(CiHost host)
{
    return host == CiHost::GitHub ? 6 : 3;
}

bool isHosted(const CiOptions &options, const QString &system)
{
    return ownRunner(options, system).label.isEmpty();
}

int timeLimit(const CiOptions &options, const QString &system)
{
    return isHosted(options, system) ? hostedHours(options.host) : ownHours;
}

QString systemOf(const Catalog &catalog, const QString &row, const QString &isa)
{
    if (const Isa *set = catalog.isa(isa))
        return set->platform;
    const GpuRow *gpu = catalog.row(row);
    return gpu ? gpu->platforms.value(0) : row == everyGpu ? u"x86_64-linux"_s : QString();
}

QString ciFile(CiHost host)
{
    return host == CiHost::GitHub ? githubFile : gitlabFile;
}

Result<void> checkOptions(const CiOptions &options)
{
    for (const QString &runner : options.runners) {
        const auto [system, label] = partsOf(runner);
        if (!hasForm(label, labelForm))
            return Error{Tr::tr("use --runner"), runner, Tr::tr("that is not the label of a runner"),
                         Tr::tr("Write LABEL or SYSTEM=LABEL.")}
                .ofUsage();
        if (!system.isEmpty() && !ciSystems().contains(system))
            return Error{Tr::tr("use --runner"), runner, Tr::tr("there is no such system"),
                         Tr::tr("Systems are %1.").arg(ciSystems().join(u", "_s))}
                .ofUsage();
    }
    if (!options.organisation.isEmpty() && !hasForm(options.organisation, organisationForm))
        return Error{Tr::tr("use --publish"),
                     options.organisation,
                     Tr::tr("that is not an organisation of "
                            "FloxHub"),
                     {}}
            .ofUsage();
    return {};
}

Result<QByteArray> ciPipeline(const CiMatrix &matrix, const CiOptions &options)
{
    TM_CHECK(checkOptions(options));
    if (matrix.jobs.isEmpty())
        return Error{Tr::tr("export"), matrix.branch, Tr::tr("there is no recipe to build"), {}};
    return options.host == CiHost::GitHub ? githubWorkflow(matrix, options) : gitlabPipeline(matrix, options);
}

} // namespace tmx
