// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/settings/PinVersion.h"

#include <QCoreApplication>
#include <QSet>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::PinVersion)
};

/// What recipes say, fetch and bring along.
struct Use {
    QString version;
    QString revision;
    QString hash;
    bool operator==(const Use &) const = default;
};

/// Each once, of what the line promises.
QList<Use> usesOf(const Settings &line, const QString &family)
{
    QList<Use> uses;
    for (auto it = line.profiles.cbegin(); it != line.profiles.cend(); ++it) {
        if (it.key().family != family || it->cells.isEmpty())
            continue;
        if (const Use use{it->version, it->pin.revision, it->sourceHash}; !uses.contains(use))
            uses.append(use);
    }
    return uses;
}

} // namespace

QString versionOfPin(const Catalog &catalog, const QString &family, const QString &revision)
{
    QSet<QString> versions;
    for (const Settings &line : catalog.lines) {
        for (const Use &use : usesOf(line, family)) {
            if (use.revision == revision && use.hash.isEmpty() && !use.version.isEmpty())
                versions.insert(use.version);
        }
    }
    return versions.size() == 1 && !revision.isEmpty() ? *versions.cbegin() : QString();
}

QStringList versionsNotOfPins(const Catalog &catalog, const Settings &line)
{
    QStringList sentences;
    for (const Family &family : catalog.families) {
        for (const Use &use : usesOf(line, family.id)) {
            const QString held = use.hash.isEmpty() && !use.version.isEmpty()
                                     ? versionOfPin(catalog, family.id, use.revision)
                                     : QString();
            if (held.isEmpty() || held == use.version)
                continue;
            const QString sentence = Words::tr("%1 %2 is not what nixpkgs %3 holds (%4), and no hashes.%5 brings its "
                                               "source in, so recipes would say %2 and build %4.")
                                         .arg(family.title, use.version, use.revision.left(10), held, family.id);
            if (!sentences.contains(sentence))
                sentences.append(sentence);
        }
    }
    return sentences;
}

} // namespace tmx
