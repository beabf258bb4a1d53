// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/Preflight.h"

#include "model/base/Process.h"
#include "model/base/Programs.h"
#include "model/build/GitAnswer.h"
#include "model/hardware/HostFiles.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QRegularExpression>
#include <QStorageInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(tmx::Preflight)
};

constexpr qint64 gigabyte = 1'000'000'000;
constexpr qint64 diskOfABuild = 20 * gigabyte;
constexpr qint64 memoryOfGpuCompiler = 5 * gigabyte; // nvcc on PyTorch's largest files
constexpr qint64 memoryOfCompiler = 2 * gigabyte;

QString gigabytes(qint64 bytes)
{
    return QLocale().toString(double(bytes) / gigabyte, 'f', 1) + u" GB"_s;
}

qint64 memoryOfOne(bool gpu)
{
    return gpu ? memoryOfGpuCompiler : memoryOfCompiler;
}

void addEngine(QList<PreflightItem> &items, const PreflightProbes &probes)
{
    const QString program = probes.engine == BuildEngine::Flox ? u"flox"_s : u"nix-build"_s;
    if (probes.engineVersion.isEmpty())
        items.append({u"engine"_s, true,
                      Tr::tr("No program named %1 is on PATH. Install it, or choose another engine.").arg(program)});
    if (probes.engine == BuildEngine::Nix && probes.usesNixpkgs && !probes.nixpkgs)
        items.append({u"nixpkgs"_s, true,
                      Tr::tr("The recipe needs <nixpkgs>, and Nix finds none. Set NIX_PATH=nixpkgs=PATH, or build with "
                             "flox.")});
}

void addFiles(QList<PreflightItem> &items, const PreflightProbes &probes)
{
    if (probes.engine == BuildEngine::Flox && !probes.environment)
        items.append({u"environment"_s, true, Tr::tr("There is no Flox environment. Run flox init and commit .flox.")});
    else if (probes.engine == BuildEngine::Flox && probes.ownTree && !probes.environmentTracked)
        items.append({u"environment"_s, true,
                      Tr::tr("git does not track the Flox environment, so a build from the commit has none. Commit "
                             ".flox/env.json and .flox/env.")});
    if (!probes.recipe)
        items.append({u"recipe"_s, true, Tr::tr("There is no recipe for %1. Generate it.").arg(probes.package)});
    else if (!probes.recipeTracked)
        items.append({u"recipe"_s, true,
                      Tr::tr("git does not track the recipe of %1. Add it to the index.").arg(probes.package)});
    if (probes.auditErrors > 0)
        items.append({u"audit"_s, false,
                      probes.auditErrors == 1 ? Tr::tr("The audit finds an error: %1").arg(probes.firstAuditError)
                                              : Tr::tr("The audit finds %1 errors. The first one: %2")
                                                    .arg(probes.auditErrors)
                                                    .arg(probes.firstAuditError)});
}

void addPlatform(QList<PreflightItem> &items, const PreflightProbes &probes)
{
    const HostReport &host = probes.host;
    if (probes.platform.isEmpty() || host.architecture.isEmpty() || probes.platform == host.architecture ||
        host.nixSystems.contains(probes.platform))
        return;
    const bool remote = std::any_of(host.builders.begin(), host.builders.end(),
                                    [&](const QString &builder) { return builder.contains(probes.platform); });
    if (!remote)
        items.append({u"platform"_s, true,
                      Tr::tr("The variant is for %1, this machine is %2, and none of its remote builders is for it. "
                             "Build it on another machine, or add a remote builder.")
                          .arg(probes.platform, host.architecture)});
}

void addDisk(QList<PreflightItem> &items, const PreflightProbes &probes)
{
    const qint64 needed = diskOfABuild * std::max(1, probes.parallel);
    const auto add = [&](const QString &path, qint64 free, qint64 wanted) {
        if (free >= 0 && free < wanted)
            items.append({u"disk"_s, false,
                          Tr::tr("%1 has %2 free, and a build may need %3. Free space first.")
                              .arg(path, gigabytes(free), gigabytes(wanted))});
    };
    if (probes.oneDisk)
        return add(probes.storePath, probes.storeFree, needed * 2);
    add(probes.storePath, probes.storeFree, needed);
    add(probes.temporaryPath, probes.temporaryFree, needed);
}

void addMemory(QList<PreflightItem> &items, const PreflightProbes &probes)
{
    const HostReport &host = probes.host;
    if (host.memoryBytes <= 0 || host.cores <= 0)
        return;
    const int cores = (probes.cores > 0 ? probes.cores : host.cores) * std::max(1, probes.parallel);
    const qint64 needed = cores * memoryOfOne(probes.gpu);
    if (needed <= host.memoryBytes + gigabyte)
        return;
    items.append({u"memory"_s, false,
                  Tr::tr("%1 cores may take %2 of memory, and this machine has %3. Build with %4.")
                      .arg(cores)
                      .arg(gigabytes(needed), gigabytes(host.memoryBytes),
                           u"--cores %1"_s.arg(proposedCores(host, probes.gpu, probes.parallel)))});
}

} // namespace

int proposedCores(const HostReport &host, bool gpu, int parallel)
{
    parallel = std::max(1, parallel);
    if (host.cores <= 0)
        return 0;
    const int own = std::max(1, host.cores / parallel);
    if (host.memoryBytes <= 0)
        return own;
    // A machine sold with 64 GB shows a little less.
    const qint64 room = (host.memoryBytes + gigabyte) / parallel / memoryOfOne(gpu);
    return int(std::clamp<qint64>(room, 1, own));
}

QList<PreflightItem> preflight(const PreflightProbes &probes)
{
    QList<PreflightItem> items;
    addEngine(items, probes);
    addFiles(items, probes);
    addPlatform(items, probes);
    addDisk(items, probes);
    addMemory(items, probes);
    return items;
}

PreflightProbes probePreflight(const QString &workTree, const QString &recipe, PreflightProbes known)
{
    const QString program = findProgram(known.engine == BuildEngine::Flox ? u"flox"_s : u"nix-build"_s);
    if (!program.isEmpty()) {
        const ProcessRun run =
            runProcess({.program = program, .arguments = {u"--version"_s}, .timeout = std::chrono::seconds(20)}, 4096);
        static const QRegularExpression number(uR"(\d+(\.\d+)+)"_s);
        const QString version = number.match(QString::fromUtf8(run.output)).captured();
        known.engineVersion = version.isEmpty() ? u"?"_s : version;
    }
    const QDir tree(workTree);
    known.environment = tree.exists(u".flox/env.json"_s);
    known.environmentTracked = isTracked(workTree, u".flox/env.json"_s) && isTracked(workTree, u".flox/env"_s);
    known.recipe = tree.exists(recipe);
    known.recipeTracked = known.recipe && isTracked(workTree, recipe);
    known.host = readHostFiles(u"/"_s).host;
    known.nixpkgs = false;
    if (const QString nix = findProgram(u"nix-instantiate"_s); known.usesNixpkgs && !nix.isEmpty())
        known.nixpkgs =
            runProcess(
                {.program = nix, .arguments = {u"--find-file"_s, u"nixpkgs"_s}, .timeout = std::chrono::seconds(20)},
                4096)
                .outcome.succeeded();
    known.storePath = QFileInfo::exists(u"/nix/store"_s) ? u"/nix/store"_s : u"/"_s;
    known.temporaryPath = QFileInfo::exists(u"/nix/var/nix/builds"_s) ? u"/nix/var/nix/builds"_s : QDir::tempPath();
    const QStorageInfo store(known.storePath);
    const QStorageInfo temporary(known.temporaryPath);
    known.storeFree = store.isValid() ? store.bytesAvailable() : -1;
    known.temporaryFree = temporary.isValid() ? temporary.bytesAvailable() : -1;
    known.oneDisk = store.rootPath() == temporary.rootPath();
    return known;
}

} // namespace tmx
