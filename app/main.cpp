// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/CommandLine.h"

#include <QCoreApplication>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <unistd.h>
#include <vector>

using namespace Qt::StringLiterals;

namespace {

/// Replaces this process by the window's program. That is a separate program because loading a desktop's libraries
/// takes longer than most verbs.
int becomeWindow(int argc, char **argv)
{
    std::vector<char *> arguments(argv, argv + argc);
    arguments.push_back(nullptr);
    const QCoreApplication core(argc, argv);
    for (const QString &folder : {u"."_s, QStringLiteral(TM_LIBEXEC)}) {
        const QByteArray program =
            (QCoreApplication::applicationDirPath() + u'/' + folder + u"/torch-matrix-window"_s).toLocal8Bit();
        ::execv(program.constData(), arguments.data());
        if (errno != ENOENT) {
            std::fprintf(stderr, "torch-matrix: cannot start %s: %s\n", program.constData(), std::strerror(errno));
            return 3;
        }
    }
    std::fprintf(stderr, "torch-matrix: cannot open the window: torch-matrix-window is not installed beside this "
                         "program; --help lists what works without it\n");
    return 3;
}

} // namespace

int main(int argc, char *argv[])
{
    tmx::putRepositoryLast(argc, argv, 1);
    if (tmx::isVerbCall(argc, argv))
        return tmx::runVerb(argc, argv);
    const std::optional<int> refused = tmx::refusedWord(argc, argv);
    return refused ? *refused : becomeWindow(argc, argv);
}
