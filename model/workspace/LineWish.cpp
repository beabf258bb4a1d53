// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/LineWish.h"

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using Templates = QHash<QString, QString>; // by family

/// One key names the templates of all families.
void changeTemplates(const QString &key, const Templates &before, const Templates &after, LineChange &change)
{
    if (after == before)
        return;
    QStringList names = after.values();
    names.sort();
    change.keys.append({key, names.join(u", "_s)});
}

void changeGpuTemplates(const Line &line, const Templates &wanted, LineChange &change)
{
    Templates ofLine = line.gpuTemplates;
    QList<Templates> ofCudas;
    for (const CudaProfile &cuda : line.cudas)
        ofCudas.append(cuda.templates);
    for (auto it = wanted.cbegin(); it != wanted.cend(); ++it) {
        // A toolkit's own goes before the line's, which is left alone where nobody asks it.
        bool asked = line.cudas.isEmpty();
        for (Templates &ofCuda : ofCudas) {
            if (ofCuda.contains(it.key()))
                ofCuda.insert(it.key(), *it);
            else
                asked = true;
        }
        if (asked)
            ofLine.insert(it.key(), *it);
    }
    for (qsizetype i = 0; i < ofCudas.size(); ++i)
        changeTemplates(u"cuda.%1.templates"_s.arg(line.cudas.at(i).version), line.cudas.at(i).templates, ofCudas.at(i),
                        change);
    changeTemplates(u"gpu_templates"_s, line.gpuTemplates, ofLine, change);
}

} // namespace

LineWish wishOf(const Line &line)
{
    LineWish wish;
    for (const QString &family : line.familyIds())
        wish.versions.insert(family, line.versions.value(family));
    for (const CudaProfile &cuda : line.cudas)
        wish.cudas.append(cuda.version);
    wish.pythons = line.pythons;
    wish.pin = line.pin.revision;
    return wish;
}

LineWish withPyTorch(const Catalog &catalog, LineWish wish, const QString &version)
{
    for (auto it = wish.versions.begin(); it != wish.versions.end(); ++it) {
        const Family *family = catalog.family(it.key());
        if (it.key() == "pytorch"_L1)
            *it = version;
        else if (const QString companion = family && family->companion ? family->versionFor(version) : QString();
                 !companion.isEmpty())
            *it = companion;
    }
    return wish;
}

LineChange changeFor(const Line &line, const LineWish &wish)
{
    const LineWish now = wishOf(line);
    LineChange change;
    // None at all is a change too, which only the key can say.
    const auto changeList = [&change](const QString &key, const QStringList &before, const QStringList &after,
                                      QStringList &field) {
        if (after.isEmpty() && !before.isEmpty())
            change.keys.append({key, {}});
        else if (after != before)
            field = after;
    };
    changeList(u"cudas"_s, now.cudas, wish.cudas, change.cudas);
    changeList(u"pythons"_s, now.pythons, wish.pythons, change.pythons);
    if (wish.pin.isEmpty() && !now.pin.isEmpty())
        change.keys.append({u"nixpkgs"_s, {}}); // taken out
    else if (wish.pin != now.pin)
        change.pin = wish.pin;
    QStringList families = wish.versions.keys();
    families.sort();
    for (const QString &family : std::as_const(families)) {
        const QString version = wish.versions.value(family);
        if (family == "pytorch"_L1 && version != now.versions.value(family))
            change.pytorch = version;
        else if (version != now.versions.value(family))
            change.keys.append({u"versions."_s + family, version});
        if (const QString hash = wish.hashes.value(family); !hash.isEmpty())
            change.keys.append({u"hashes."_s + family, hash});
    }
    changeGpuTemplates(line, wish.gpuTemplates, change);
    QHash<QString, QString> cpu = line.cpuTemplates;
    cpu.insert(wish.cpuTemplates);
    changeTemplates(u"cpu_templates"_s, line.cpuTemplates, cpu, change);
    if (!wish.pinHash.isEmpty())
        change.keys.append({u"nixpkgs_sha256"_s, wish.pinHash});
    return change;
}

} // namespace tmx
