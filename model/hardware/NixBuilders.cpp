// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/NixBuilders.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSysInfo>
#include <QUrl>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qsizetype mostBuilders = 1024;
constexpr qsizetype mostFields = 8;
constexpr qsizetype longestBuilders = 256 * 1024;
constexpr int deepestFile = 4;

/// The field; empty for a dash, which means the default.
QString fieldOf(const QStringList &fields, qsizetype index)
{
    const QString field = fields.value(index);
    return field == "-"_L1 ? QString() : field;
}

QStringList listOf(const QStringList &fields, qsizetype index)
{
    QStringList list = fields.value(index).split(u',', Qt::SkipEmptyParts);
    list.removeAll(u"-"_s);
    return list;
}

std::optional<NixBuilder> builderOf(const QStringList &fields)
{
    if (fields.size() > mostFields || fields.constFirst() == "-"_L1)
        return std::nullopt;
    bool jobsRead = true;
    bool speedRead = true;
    const QString jobs = fieldOf(fields, 3);
    const QString speed = fieldOf(fields, 4);
    NixBuilder builder{.store = fields.at(0),
                       .systems = listOf(fields, 1),
                       .sshKey = fieldOf(fields, 2),
                       .maxJobs = jobs.isEmpty() ? 1 : jobs.toInt(&jobsRead),
                       .speedFactor = speed.isEmpty() ? 1 : speed.toDouble(&speedRead),
                       .supportedFeatures = listOf(fields, 5),
                       .mandatoryFeatures = listOf(fields, 6),
                       .publicHostKey = fieldOf(fields, 7)};
    if (!jobsRead || !speedRead || builder.maxJobs < 0 || !(builder.speedFactor >= 0) ||
        !std::isfinite(builder.speedFactor))
        return std::nullopt;
    return builder;
}

void addBuilders(const QString &machines, const NixFileReader &read, int depth, QList<NixBuilder> &builders)
{
    for (const QString &line : machines.left(longestBuilders).split(u'\n')) {
        for (const QString &entry : line.section(u'#', 0, 0).split(u';')) {
            const QStringList fields = entry.simplified().split(u' ', Qt::SkipEmptyParts);
            if (fields.isEmpty() || builders.size() >= mostBuilders)
                continue;
            if (!fields.at(0).startsWith(u'@')) {
                if (const std::optional<NixBuilder> builder = builderOf(fields))
                    builders.append(*builder);
                continue;
            }
            const QString file = entry.trimmed().sliced(1).trimmed();
            if (read && depth < deepestFile && file.startsWith(u'/'))
                addBuilders(read(file).value_or(QString()), read, depth + 1, builders);
        }
    }
}

QString orDash(const QString &field)
{
    return field.isEmpty() ? u"-"_s : field;
}

/// The default of system-features in Nix 2.26.
QStringList usualFeatures(const QDir &root)
{
    QStringList features{u"benchmark"_s, u"big-parallel"_s, u"nixos-test"_s, u"uid-range"_s};
    const QFileInfo kvm(root.filePath(u"dev/kvm"_s));
    if (kvm.isReadable() && kvm.isWritable())
        features.append(u"kvm"_s);
    return features;
}

} // namespace

bool NixBuilder::isFor(const QString &system, const QString &ownSystem) const
{
    return systems.isEmpty() ? system == ownSystem : systems.contains(system);
}

QStringList NixBuilder::featuresAgainst(const QStringList &required) const
{
    QStringList against;
    for (const QString &feature : required) {
        if (!supportedFeatures.contains(feature) && !mandatoryFeatures.contains(feature))
            against.append(feature);
    }
    for (const QString &feature : mandatoryFeatures) {
        if (!required.contains(feature))
            against.append(feature);
    }
    return against;
}

QList<NixBuilder> parseNixBuilders(const QString &machines, const NixFileReader &read)
{
    QList<NixBuilder> builders;
    addBuilders(machines, read, 0, builders);
    return builders;
}

QString toLine(const NixBuilder &builder)
{
    return QStringList{builder.store,
                       orDash(builder.systems.join(u',')),
                       orDash(builder.sshKey),
                       QString::number(builder.maxJobs),
                       QString::number(builder.speedFactor, 'g', 17),
                       orDash(builder.supportedFeatures.join(u',')),
                       orDash(builder.mandatoryFeatures.join(u',')),
                       orDash(builder.publicHostKey)}
        .join(u' ');
}

QList<qsizetype> takers(const QList<NixBuilder> &builders, const QString &system, const QString &ownSystem,
                        const QStringList &required)
{
    QList<qsizetype> found;
    for (qsizetype i = 0; i < builders.size(); ++i) {
        const NixBuilder &builder = builders.at(i);
        if (builder.maxJobs > 0 && builder.isFor(system, ownSystem) && builder.featuresAgainst(required).isEmpty())
            found.append(i);
    }
    return found;
}

QMap<QString, int> atOnceByStore(const QList<NixBuilder> &builders, const QList<qsizetype> &chosen)
{
    QMap<QString, int> stores;
    for (const qsizetype i : chosen) {
        int &atOnce = stores[builders.at(i).store];
        atOnce = std::max(atOnce, builders.at(i).maxJobs);
    }
    return stores;
}

QString storeUri(const NixBuilder &builder)
{
    static const QRegularExpression whole(u"/|^(auto|daemon|local)?\\?|^(auto|daemon|local)$"_s);
    QString uri = builder.store.contains(whole) ? builder.store : u"ssh://"_s + builder.store;
    const auto add = [&uri](QStringView name, const QString &value) {
        if (!value.isEmpty())
            uri += (uri.contains(u'?') ? u'&' : u'?') + name.toString() + u'=' +
                   QString::fromLatin1(QUrl::toPercentEncoding(value, "/"));
    };
    if (uri.startsWith("ssh://"_L1) || uri.startsWith("ssh-ng://"_L1)) {
        add(u"ssh-key", builder.sshKey);
        add(u"base64-ssh-public-host-key", builder.publicHostKey);
    }
    return uri;
}

NixBuilding nixBuilding(const QProcessEnvironment &environment, const QString &root)
{
    const auto read = [&root](const QString &path) -> std::optional<QString> {
        const QFileInfo info(QDir(root).filePath(path.startsWith(u'/') ? path.sliced(1) : path));
        if (!info.exists() && !info.isSymLink())
            return std::nullopt;
        QFile file(info.filePath());
        return info.isFile() && file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.read(longestBuilders))
                                                               : QString();
    };
    NixConfig usual{.builders = {}, .systemFeatures = usualFeatures(QDir(root)), .extraPlatforms = {}};
    if (QSysInfo::currentCpuArchitecture() == "x86_64"_L1)
        usual.extraPlatforms.append(u"i686-linux"_s);
    const NixConfig config = readNixConfig(environment, read, usual);
    bool isNumber = false;
    const int maxJobs = config.maxJobs.toInt(&isNumber);
    return {.builders = parseNixBuilders(config.builders, read),
            .features = config.systemFeatures,
            .platforms = config.extraPlatforms,
            .here = !isNumber || maxJobs != 0,
            .problem = config.problem};
}

} // namespace tmx
