// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Changes.h"
#include "app/verbs/Verb.h"

#include "model/build/FloxBuild.h"
#include "model/change/Generate.h"
#include "model/workspace/Reading.h"

#include <CLI/CLI.hpp>

#include <QEventLoop>
#include <QSocketNotifier>

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// Ctrl+C and `kill` arrive as events: a signal handler may do no more than write to a pipe.
class SignalPipe
{
public:
    SignalPipe()
    {
        if (::pipe2(s_pipe, O_CLOEXEC | O_NONBLOCK) == 0) {
            std::signal(SIGINT, &SignalPipe::handle);
            std::signal(SIGTERM, &SignalPipe::handle);
        }
    }
    static int readEnd() { return s_pipe[0]; }
    static int drain()
    {
        char signal = 0;
        return ::read(s_pipe[0], &signal, 1) == 1 ? signal : 0;
    }

private:
    static void handle(int signal)
    {
        const char byte = char(signal);
        [[maybe_unused]] const auto written = ::write(s_pipe[1], &byte, 1);
    }
    static inline int s_pipe[2] = {-1, -1};
};

int build(const VerbContext &context, const QString &name)
{
    const auto catalog = loadCatalogOrComplain();
    if (!catalog)
        return CouldNotBeDone;
    const Result<Reading> reading = readRepository(catalog, context.repoPath());
    if (!reading)
        return complain(reading.error());
    const VariantEntry *entry = reading->snapshot->find(name);
    if (!entry || entry->text.isEmpty()) {
        const Result<Variant> variant = variantNamed(*catalog, name);
        return complain(variant ? Error{u"build"_s, name,
                                        u"branch %1 has no recipe for it"_s.arg(reading->snapshot->branch),
                                        u"Generate it first: torch-matrix generate %1."_s.arg(name)}
                                : variant.error());
    }
    if (FloxBuild::floxProgram().isEmpty()) {
        tell(u"torch-matrix: "_s + FloxBuild::floxMissingSentence());
        return CouldNotBeDone;
    }
    const QString doing = u"Adding the recipe to the index"_s;
    const Result<QList<ChangeSet>> sets = prepared(context, catalog, doing, StageRequest{{name}});
    if (!sets)
        return complain(sets.error());
    if (const Result<Applied> staged = applied(context, doing, sets->constFirst()); !staged)
        return complain(staged.error());

    FloxBuild flox;
    BuildOutcome outcome;
    QEventLoop loop;
    QObject::connect(&flox, &FloxBuild::text, &loop, [](const QString &chunk) { printRaw(chunk.toUtf8()); });
    QObject::connect(&flox, &FloxBuild::finished, &loop, [&](const BuildOutcome &ended) {
        outcome = ended;
        loop.quit();
    });
    const SignalPipe signalPipe;
    QSocketNotifier notifier(SignalPipe::readEnd(), QSocketNotifier::Read);
    QObject::connect(&notifier, &QSocketNotifier::activated, &loop, [&flox] {
        SignalPipe::drain();
        flox.stop();
    });
    flox.start(reading->info.workTree, entry->package());
    if (flox.isRunning())
        loop.exec();
    tell(outcome.sentence);
    if (outcome.kind == BuildOutcome::Kind::FloxMissing)
        return CouldNotBeDone;
    return outcome.kind == BuildOutcome::Kind::Built ? Done : DoneWithFindings;
}

} // namespace

void addBuild(CLI::App &app, VerbContext &context)
{
    auto name = std::make_shared<std::string>();
    CLI::App *verb = app.add_subcommand("build", "Build a variant with flox; Ctrl+C stops the whole build");
    verb->add_option("NAME", *name, "Variant, as list prints it")->required();
    addRepoOption(*verb, context);
    verb->callback(
        [&context, name] { context.run = [&context, name] { return build(context, QString::fromStdString(*name)); }; });
}

} // namespace tmx
