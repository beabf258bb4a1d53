// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/Place.h"

#include "model/base/TextForm.h"
#include "model/base/Tr.h"

using namespace Qt::StringLiterals;

namespace tmx {

QString toString(const Place &place)
{
    switch (place.kind) {
    case Place::Kind::ThisMachine: return {};
    case Place::Kind::Ssh: return u"ssh:"_s + place.host;
    case Place::Kind::Slurm: return u"slurm"_s;
    }
    Q_UNREACHABLE_RETURN({});
}

std::optional<Place> placeNamed(const QString &word)
{
    if (word.isEmpty())
        return Place();
    if (word == u"slurm")
        return Place{Place::Kind::Slurm};
    if (word.startsWith(u"ssh:") && isSshHost(word.sliced(4)))
        return Place{Place::Kind::Ssh, word.sliced(4)};
    return {};
}

QString placeText(const Place &place)
{
    switch (place.kind) {
    case Place::Kind::ThisMachine: return Tr::tr("this machine");
    case Place::Kind::Ssh: return place.host;
    case Place::Kind::Slurm: return Tr::tr("Slurm");
    }
    Q_UNREACHABLE_RETURN({});
}

QStringList sshOptions(const QProcessEnvironment &environment)
{
    QStringList options = u"-T -o ConnectTimeout=10 -o ServerAliveInterval=15 -o ServerAliveCountMax=3"_s.split(u' ');
    if (environment.value(u"SSH_ASKPASS"_s).isEmpty())
        options << u"-o"_s << u"BatchMode=yes"_s;
    return options;
}

} // namespace tmx
