// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/catalog/SettingsTable.h"
#include "tests/support/Rounds.h"

#include <QRandomGenerator>

namespace tmx::test {

template <class T>
T oneOf(QRandomGenerator &random, const QList<T> &all)
{
    return all.at(random.bounded(all.size()));
}

/// One to all of these, in their order.
inline QStringList someOf(QRandomGenerator &random, const QStringList &all)
{
    QStringList some;
    for (const QString &one : all) {
        if (random.bounded(2))
            some.append(one);
    }
    return some.isEmpty() ? QStringList{oneOf(random, all)} : some;
}

inline QString randomDigits(QRandomGenerator &random)
{
    QString text;
    for (int i = 0; i < 40; ++i)
        text += u"0123456789abcdef"[random.bounded(16)];
    return text;
}

/// Random settings of a possible branch: several families, toolkits, Pythons, pins and prefixes, Metal, cells that only
/// some profiles have. Most profiles share most values; each may have its own.
inline Settings randomSettings(const Catalog &catalog, QRandomGenerator &random)
{
    const QString hash = QStringLiteral("sha256-RKiZLHBCneMtZKRgTEuW1K7+Jpi+tx11BMXuS1jC1xQ=");
    QStringList families{QStringLiteral("pytorch")};
    if (random.bounded(2))
        families += someOf(random, {QStringLiteral("torchaudio"), QStringLiteral("torchvision"),
                                    QStringLiteral("torchvision026"), QStringLiteral("vllm"), QStringLiteral("vllm2")});
    if (random.bounded(4) == 0)
        families += {QStringLiteral("pytorch212"), QStringLiteral("torchaudio211-pt212")};
    const QStringList pythons = someOf(
        random, {QStringLiteral("python313"), QStringLiteral("python312"), QStringLiteral("python311"), QString()});
    QStringList toolkits;
    for (const Toolkit &toolkit : catalog.toolkits)
        toolkits.append(toolkit.version);
    toolkits = random.bounded(5) ? someOf(random, toolkits) : QStringList();
    QSet<GridCell> usual;
    for (const GpuRow &row : catalog.rows) {
        for (const Isa &isa : catalog.isas) {
            if (random.bounded(3) == 0)
                usual.insert({row.id, row.id == QLatin1String("darwin-mps") ? QString() : isa.id});
        }
    }
    if (random.bounded(2))
        usual += {{QStringLiteral("all"), QStringLiteral("avx2")},
                  {QStringLiteral("all"), QString()},
                  {QStringLiteral("sm90"), QString()},
                  {QStringLiteral("sm90"), QString(), QStringLiteral("arm64")},
                  {QStringLiteral("cpu"), QStringLiteral("armv9"), QStringLiteral("arm64")}};
    const NixpkgsPin shared{random.bounded(4) ? randomDigits(random) : QString(), {}, {}};
    Settings settings;
    settings.branch = QStringLiteral("x");
    settings.source = Settings::Source::File;
    for (const QString &family : std::as_const(families)) {
        for (const QString &python : pythons) {
            for (const QString &build : toolkits + QStringList{QStringLiteral("cpu"), QStringLiteral("metal")}) {
                const auto rarely = [&random] { return random.bounded(6) == 0; };
                const ProfileKey key{family, python, build};
                Profile profile;
                profile.version = rarely() ? QString() : rarely() ? QStringLiteral("2.9.1") : QStringLiteral("2.8.0");
                profile.sourceHash = rarely() ? hash : QString();
                profile.pin = rarely() ? NixpkgsPin{randomDigits(random), rarely() ? hash : QString(), python} : shared;
                if (rarely())
                    profile.pin = {};
                if (key.isCuda()) {
                    profile.release = rarely() ? build + QStringLiteral(".1") : build;
                    profile.cudaAttribute =
                        rarely() ? QStringLiteral("cudaPackages_own") : catalog.toolkit(build)->attribute;
                }
                profile.pythonSet = rarely() ? QStringLiteral("python3Packages") : QString();
                profile.pnamePrefix = rarely() ? QStringLiteral("torch28") : QString();
                const Family *declared = catalog.family(family);
                const Family known = declared ? *declared : Family{};
                profile.templateName = rarely() ? (key.isCuda()                    ? known.gpuTemplate
                                                   : build == QLatin1String("cpu") ? known.cpuTemplate
                                                                                   : known.metalTemplate)
                                                : QString();
                profile.torchOrigin = rarely()   ? TorchOrigin::Published
                                      : rarely() ? TorchOrigin::Fetched
                                                 : TorchOrigin::InPlace;
                if (profile.torchOrigin == TorchOrigin::Fetched || rarely())
                    profile.torchRepository = {rarely() ? QStringLiteral("https://example.org/x/{rev}.tar.gz")
                                                        : QStringLiteral("acme/build-pytorch"),
                                               randomDigits(random), rarely() ? hash : QString()};
                if (build != QLatin1String("metal"))
                    profile.blas = rarely() ? Blas(random.bounded(3)) : Blas::Default;
                profile.torchCatalog =
                    profile.torchOrigin == TorchOrigin::Published ? QStringLiteral("acme") : QString();
                profile.notation = rarely() ? ArchNotation::Sm : ArchNotation::Automatic;
                profile.metadataRev = rarely() ? random.bounded(9) : 0;
                QSet<GridCell> cells;
                for (const GridCell &cell : std::as_const(usual)) {
                    if (ProfileKey::of(key.variant(cell)) == key && !rarely())
                        cells.insert(cell);
                }
                profile.cells = random.bounded(9) ? catalog.inGridOrder(cells) : QList<GridCell>();
                settings.profiles.insert(key, profile);
            }
        }
    }
    return settings;
}

/// The first profile in which both differ; empty if they build the same.
inline QString firstDifference(const Settings &a, const Settings &b)
{
    const auto words = [](const ProfileKey &key, const Profile &profile) {
        QStringList cells;
        for (const GridCell &cell : profile.cells)
            cells.append(cell.row + u'-' + cell.isa + u'-' + cell.rest);
        QStringList values{key.family, key.python, key.build};
        for (const Setting &setting : settingsTable())
            values.append(setting.value(profile));
        return (values << cells.join(u' ')).join(QLatin1String(" | "));
    };
    for (auto it = a.profiles.cbegin(); it != a.profiles.cend(); ++it) {
        if (!b.profiles.contains(it.key()))
            return words(it.key(), *it) + QStringLiteral("\nis in the first alone");
        if (b.profiles.value(it.key()) != *it)
            return words(it.key(), *it) + u'\n' + words(it.key(), b.profiles.value(it.key()));
    }
    return a.profiles.size() == b.profiles.size() ? QString() : QStringLiteral("the second has more profiles");
}

} // namespace tmx::test
