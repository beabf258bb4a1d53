// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"
#include "model/catalog/VariantFilter.h"
#include "model/workspace/RepositoryReading.h"

#include <QCoreApplication>
#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace tmx {

/// Exit codes of a verb.
enum ExitCode { Done = 0, DoneWithFindings = 1, WrongUsage = 2, CouldNotBeDone = 3 };

/// State shared by the verbs. CLI11's callback sets `run` to the chosen verb; it is called once an event loop is
/// possible.
struct VerbContext {
    std::function<Result<int>()> run; ///< its error is printed
    std::string repo = ".";
    bool json = false;
    bool force = false; ///< of verbs that change a repository

    [[nodiscard]] QString repoPath() const;
    /// Sets what the chosen verb runs, with the catalog loaded, including the user's folder. If that cannot be read,
    /// that is its error.
    void runWith(std::function<Result<int>(const std::shared_ptr<const Catalog> &)> verb);
};

/// A text of the help, as CLI11 takes it: Help::tr("...").
struct Help {
    // const: add_flag() takes no other for a description
    static const std::string tr(const char *text)
    {
        return QCoreApplication::translate("tmx::Help", text).toStdString();
    }
};

/// Each verb is a file of its own: it declares its options on `app` and sets `context.run`.
void addList(CLI::App &app, VerbContext &context);
void addCompare(CLI::App &app, VerbContext &context);
void addOverview(CLI::App &app, VerbContext &context);
void addPins(CLI::App &app, VerbContext &context);
void addMatch(CLI::App &app, VerbContext &context);
void addReadme(CLI::App &app, VerbContext &context);
void addExport(CLI::App &app, VerbContext &context);
void addHistory(CLI::App &app, VerbContext &context);
void addShow(CLI::App &app, VerbContext &context);
void addAudit(CLI::App &app, VerbContext &context);
void addFix(CLI::App &app, VerbContext &context);
void addGenerate(CLI::App &app, VerbContext &context);
void addDetect(CLI::App &app, VerbContext &context);
void addPick(CLI::App &app, VerbContext &context);
void addExplain(CLI::App &app, VerbContext &context);
void addBuild(CLI::App &app, VerbContext &context);
void addEstimate(CLI::App &app, VerbContext &context);
void addVerify(CLI::App &app, VerbContext &context);
void addPublish(CLI::App &app, VerbContext &context);
void addBuilds(CLI::App &app, VerbContext &context);
void addReport(CLI::App &app, VerbContext &context);
void addQueue(CLI::App &app, VerbContext &context);
void addJobs(CLI::App &app, VerbContext &context);
void addLog(CLI::App &app, VerbContext &context);
void addRunners(CLI::App &app, VerbContext &context); ///< run-job and run-queue, for internal use
void addSettings(CLI::App &app, VerbContext &context);
void addTemplate(CLI::App &app, VerbContext &context);
void addPlan(CLI::App &app, VerbContext &context);
void addDerive(CLI::App &app, VerbContext &context);
void addMigrate(CLI::App &app, VerbContext &context);
void addCopy(CLI::App &app, VerbContext &context);
void addInit(CLI::App &app, VerbContext &context);
void addSample(CLI::App &app, VerbContext &context);

/// Lets a verb run a function with the catalog and its options, once it was chosen.
template <class Options>
void runOnCatalog(auto &verb, VerbContext &context, const std::shared_ptr<Options> &options,
                  Result<int> (*run)(const VerbContext &, const std::shared_ptr<const Catalog> &, const Options &))
{
    verb.callback([&context, options, run] {
        context.runWith([&context, options, run](const auto &catalog) { return run(context, catalog, *options); });
    });
}

/// The options of every verb that uses a repository.
void addRepoOption(CLI::App &verb, VerbContext &context);
CLI::Option *addJsonOption(CLI::App &verb, VerbContext &context);

/// The options that choose variants by their family, version, Python and toolkit.
std::shared_ptr<VariantFilter> addFilterOptions(CLI::App &verb);

/// Prints to standard output in UTF-8 with a newline. If the reader has closed the pipe, the program ends quietly, as
/// `head` expects. These are the only output functions: all output passes terminalText() or its like.
void print(const QString &text);
void printText(const QByteArray &bytes); ///< prints it unchanged, without adding a newline
void print(const QJsonObject &object);
void printJson(const QByteArray &document);
/// For our own control sequences and the output of a TerminalStream, not for text of a repository.
void printOwn(const QByteArray &bytes);
/// The exit code of a verb that ended with `code`: if standard output could not be written, it says why.
int afterOutput(int code);
/// Prints to standard error: information for people that a pipe must not get.
void tell(const QString &text);
/// Prints an error to standard error. Returns the exit code, so that a verb can `return complain(error)`: WrongUsage
/// for a usage error, else `code`.
int complain(const Error &error, ExitCode code = CouldNotBeDone);

/// One branch (empty: the checked-out one) or all local branches. Errors: as branchNamed() and branchesOf().
Result<BranchSources> sourcesOf(const VerbContext &context, const std::string &branch, bool all, bool remotes = false);
/// Prints one line per branch to standard error.
void tellUnread(const QList<UnreadBranch> &unread);

QStringList toStringList(const std::vector<std::string> &list);

} // namespace tmx
