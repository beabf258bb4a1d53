// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "NixComparison.h"

#include "NixShow.h"

#include "model/nix/Parse.h"

#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace tmx::test {

void NixComparison::compare(const QStringList &paths)
{
    const std::vector<NixVerdict> verdicts = parseWithNix(paths, m_home);
    for (qsizetype i = 0; i < paths.size(); ++i) {
        const NixVerdict &nix = verdicts[size_t(i)];
        crashed += nix.crashed;
        accepted += nix.accepted;
        refused += !nix.crashed && !nix.accepted;
        const QString difference = nix.crashed ? QString() : differenceOf(nix, paths.at(i));
        if (!difference.isEmpty())
            differences.append(paths.at(i) + u": "_s + difference);
    }
}

QString NixComparison::differenceOf(const NixVerdict &nix, const QString &path) const
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return u"cannot be read"_s;
    const nix::ParseResult ours = nix::parse(file.readAll());
    const auto refusal = [](int line, int column, const QString &message) {
        return u"%1:%2: %3"_s.arg(line).arg(column).arg(message);
    };
    const QString both = u"\nNix:  %1\nours: %2"_s.arg(
        nix.accepted ? u"accepted"_s : refusal(nix.line, nix.column, QString::fromUtf8(nix.error)),
        ours.ok() ? u"accepted"_s : refusal(ours.error->place.line, ours.error->place.column, ours.error->message));
    if (nix.accepted != ours.ok())
        return u"one accepts it"_s + both;
    if (nix.accepted) {
        const QByteArray shown = showAsNix(*ours.tree, QFileInfo(path).path().toUtf8(), m_home.toUtf8());
        return shown == nix.shown
                   ? QString()
                   : u"read differently\n"_s + QString::fromUtf8(nix.shown) + u'\n' + QString::fromUtf8(shown);
    }
    const bool undefined = nix.error.startsWith("undefined variable");
    if (undefined != (ours.error->kind == nix::ParseError::Undefined))
        return u"refused for different reasons"_s + both;
    // Nix reports the first undefined variable in its own order, and reports a whole let or function where we report
    // the name in it.
    if (undefined || nix.error.startsWith("dynamic attributes not allowed in let") ||
        nix.error.startsWith("duplicate formal"))
        return {};
    return nix::Place{nix.line, nix.column} == ours.error->place ? QString() : u"told at different places"_s + both;
}

} // namespace tmx::test
