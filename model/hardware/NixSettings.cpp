// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/NixSettings.h"

#include "model/hardware/HostReport.h"
#include "model/hardware/NixBuilders.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// Value of `builders`, which may continue on several lines, up to the next setting.
QString buildersSetting(const QString &settings)
{
    static const QRegularExpression setting(u"^[a-z][a-z0-9-]* ?= ?"_s);
    QString value;
    bool inside = false;
    for (const QString &line : settings.split(u'\n')) {
        if (setting.match(line).hasMatch())
            inside = line.section(u'=', 0, 0).trimmed() == "builders"_L1;
        else if (!inside)
            continue;
        if (inside)
            value += (value.isEmpty() ? line.section(u'=', 1) : line) + u'\n';
    }
    return value;
}

} // namespace

QStringList nixSystems(const QString &settings)
{
    // "system = x86_64-linux" and "extra-platforms = i686-linux aarch64-linux", as in nix.conf and the output of `nix
    // config show`.
    static const QRegularExpression pattern(u"^\\s*(?:system|extra-platforms)\\s*=[ \\t]*(.*)$"_s,
                                            QRegularExpression::MultilineOption);
    QStringList systems;
    QStringList extra;
    for (auto it = pattern.globalMatch(settings); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        (match.captured(0).trimmed().startsWith("system"_L1) ? systems : extra) +=
            match.captured(1).split(u' ', Qt::SkipEmptyParts);
    }
    systems += extra;
    systems.removeDuplicates();
    return systems;
}

QStringList nixBuilders(const QString &machines)
{
    QStringList builders;
    for (const NixBuilder &builder : parseNixBuilders(machines))
        builders.append(builder.systems.isEmpty() ? builder.store
                                                  : u"%1 (%2)"_s.arg(builder.store, builder.systems.join(u", "_s)));
    return builders;
}

QStringList nixMachineFiles(const QString &settings)
{
    static const QRegularExpression parts(u"[\\s;]+"_s);
    QStringList files;
    for (const QString &part : buildersSetting(settings).split(parts, Qt::SkipEmptyParts)) {
        if (part.startsWith("@/"_L1))
            files.append(part.sliced(1));
    }
    return files;
}

void takeNixAnswer(HostReport &report, const NixAnswer &answer)
{
    if (!answer.problem.isEmpty())
        report.remarks.append(answer.problem);
    if (answer.settings.isEmpty())
        return;
    if (const QStringList systems = nixSystems(answer.settings); !systems.isEmpty()) {
        report.nixSystems = systems;
        report.sources.insert(u"nixSystems"_s, answer.command);
    }
    const QString setting = buildersSetting(answer.settings);
    if (setting.isEmpty())
        return; // Without that setting in the answer, the files' data stays.
    QStringList builders = nixBuilders(setting);
    QStringList sources{answer.command};
    for (const QString &file : nixMachineFiles(answer.settings)) {
        const QStringList inFile = nixBuilders(answer.machineFiles.value(file));
        if (!inFile.isEmpty())
            sources.append(file);
        builders += inFile;
    }
    builders.removeDuplicates();
    report.builders = builders;
    report.sources.remove(u"builders"_s);
    if (!builders.isEmpty())
        report.sources.insert(u"builders"_s, sources.join(u", "_s));
}

QList<QStringList> nixConfigArguments()
{
    const QStringList feature{u"--extra-experimental-features"_s, u"nix-command"_s};
    // Before 2.19 the command was called show-config, before 2.4 it was not experimental.
    return {feature + QStringList{u"config"_s, u"show"_s}, feature + QStringList{u"show-config"_s}, {u"show-config"_s}};
}

} // namespace tmx
