// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/EnvironmentFiles.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// Lines of POSIX shell that print the variants which this machine can run.
QString variantsHook(const Catalog &catalog)
{
    QStringList isas;
    for (const Isa &isa : catalog.isas)
        isas.append(u"  has %1 && isas=\"$isas %2\""_s.arg(isa.cpuinfo.join(u' '), isa.id));
    QStringList rows;
    for (const GpuRow &row : catalog.rows) {
        if (row.isGpu())
            rows.append(u"      %1) rows=\"$rows %2\" ;;"_s.arg(row.capability, row.id));
    }
    QFile script(u":/torch-matrix/environment/on-activate.sh"_s);
    const QString text = script.open(QIODevice::ReadOnly) ? QString::fromUtf8(script.readAll()) : QString();
    return QString(text).replace(u"@ISAS@"_s, isas.join(u'\n')).replace(u"@ROWS@"_s, rows.join(u'\n'));
}

QByteArray manifest(const Catalog &catalog, const Settings &settings)
{
    QStringList systems;
    for (const Variant &variant : settings.promised()) {
        const Isa *isa = catalog.isa(variant.isa);
        const GpuRow *row = catalog.row(variant.row);
        const QString system = isa                                ? u'"' + isa->platform + u'"'
                               : row && !row->platforms.isEmpty() ? u'"' + row->platforms.constFirst() + u'"'
                                                                  : QString();
        if (!system.isEmpty() && !systems.contains(system))
            systems.append(system);
    }
    systems.sort();
    return u"version = 1\n\n"
           "[install]\n"
           "git.pkg-path = \"git\"\n\n"
           "[hook]\n"
           "on-activate = '''\n%1'''\n\n"
           "[options]\n"
           "systems = [%2]\n"_s.arg(variantsHook(catalog), systems.join(u", "_s))
               .toUtf8();
}

} // namespace

QList<std::pair<QString, QByteArray>> environmentFiles(const Catalog &catalog, const Settings &settings,
                                                       const QString &name)
{
    return {{u".flox/env.json"_s, QJsonDocument(QJsonObject{{u"name"_s, name}, {u"version"_s, 1}}).toJson()},
            {u".flox/env/manifest.toml"_s, manifest(catalog, settings)},
            {u".gitignore"_s, "result-*\n"}};
}

} // namespace tmx
