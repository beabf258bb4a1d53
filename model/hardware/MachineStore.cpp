// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/MachineStore.h"

#include "model/base/AtomicFile.h"
#include "model/base/Tr.h"
#include "model/hardware/HostReportJson.h"
#include "model/hardware/HostText.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QStandardPaths>

using namespace Qt::StringLiterals;

namespace tmx {

MachineStore::MachineStore()
    : MachineStore(QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
                   u"/torch-matrix/machines"_s)
{
}

MachineStore::MachineStore(const QString &folder)
    : m_folder(folder)
{
}

bool MachineStore::isName(const QString &name)
{
    static const QRegularExpression pattern(u"^[A-Za-z0-9_@][A-Za-z0-9_.@:-]{0,63}\\z"_s);
    return pattern.match(name).hasMatch();
}

QString MachineStore::fileOf(const QString &name) const
{
    return m_folder + u'/' + name + u".json"_s;
}

QStringList MachineStore::names() const
{
    QStringList names = QDir(m_folder).entryList({u"*.json"_s}, QDir::Files | QDir::Readable, QDir::Name);
    names.replaceInStrings(QRegularExpression(u"\\.json\\z"_s), {});
    names.removeIf([](const QString &name) { return !isName(name); });
    return names;
}

Result<HostReport> MachineStore::load(const QString &name) const
{
    if (!isName(name))
        return Error{Tr::tr("load the machine"), name, Tr::tr("that is not the name of a machine"), {}};
    QFile file(fileOf(name));
    if (!file.open(QIODevice::ReadOnly))
        return Error{Tr::tr("load the machine"), name,
                     file.exists() ? file.errorString() : Tr::tr("no machine with that name is saved"),
                     Tr::tr("Saved machines: %1.").arg(names().isEmpty() ? Tr::tr("none yet") : names().join(u", "_s))};
    Result<HostReport> report = readHostText(file.readAll(), name);
    if (report)
        report->name = name; // The user's name for it overrides its own.
    return report;
}

Result<void> MachineStore::save(const QString &name, const HostReport &report) const
{
    if (!isName(name))
        return Error{Tr::tr("save the machine"), name, Tr::tr("that cannot be a machine's name"),
                     Tr::tr("Use letters, digits, dots, dashes and underscores.")};
    return writeFileAtomically(fileOf(name), QJsonDocument(toJson(report)).toJson(), {});
}

Result<void> MachineStore::rename(const QString &name, const QString &newName) const
{
    const QString what = Tr::tr("rename the machine");
    if (!isName(newName))
        return Error{what, name, Tr::tr("\"%1\" cannot be a machine's name").arg(newName),
                     Tr::tr("Use letters, digits, dots, dashes and underscores.")};
    // Do not overwrite another file.
    QFile file(isName(name) ? fileOf(name) : QString());
    if (!file.rename(fileOf(newName)))
        return Error{what,
                     name,
                     names().contains(newName) ? Tr::tr("another machine has the name %1").arg(newName)
                                               : file.errorString(),
                     {}};
    return {};
}

Result<void> MachineStore::remove(const QString &name) const
{
    QFile file(isName(name) ? fileOf(name) : QString());
    if (!file.remove())
        return Error{Tr::tr("forget the machine"), name, file.errorString(), {}};
    return {};
}

} // namespace tmx
