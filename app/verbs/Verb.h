// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"
#include "model/workspace/Reading.h"

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

/// How a verb ends.
enum ExitCode { Done = 0, DoneWithFindings = 1, WrongUsage = 2, CouldNotBeDone = 3 };

/// What the verbs share: the chosen one is `run`, set by CLI11's callback and called once an event loop can be had.
struct VerbContext {
    std::function<int()> run;
    std::string repo = ".";
    bool json = false;
    bool writes = false; ///< the verb changes the repository, so what a killed one left is settled first
    bool force = false;  ///< of verbs that change a repository

    [[nodiscard]] QString repoPath() const;
    /// What the chosen verb does, once the catalog is loaded, with the user's folder on top; where that cannot be read,
    /// the verb complains.
    void runWith(std::function<int(const std::shared_ptr<const Catalog> &)> verb);
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
void addRunners(CLI::App &app, VerbContext &context); ///< run-job and run-queue, which the program calls itself
void addLine(CLI::App &app, VerbContext &context);
void addTemplate(CLI::App &app, VerbContext &context);
void addPlan(CLI::App &app, VerbContext &context);
void addDerive(CLI::App &app, VerbContext &context);
void addMigrate(CLI::App &app, VerbContext &context);
void addCopy(CLI::App &app, VerbContext &context);
void addInit(CLI::App &app, VerbContext &context);
void addSample(CLI::App &app, VerbContext &context);

/// Options that every verb on a repository takes.
void addRepoOption(CLI::App &verb, VerbContext &context);
CLI::Option *addJsonOption(CLI::App &verb, VerbContext &context);

/// To standard output, UTF-8, with a line end. A reader that went away ends the program quietly, as `head` expects.
/// These are the only ways out: all that is printed goes through terminalText() or its like.
void print(const QString &text);
void printText(const QByteArray &bytes); ///< as it is, without a line end of its own
void print(const QJsonObject &object);
void printJson(const QByteArray &document);
/// Not a repository's: control sequences of our own, or what a TerminalStream gave.
void printOwn(const QByteArray &bytes);
/// To standard error: what a person wants to read and a pipe does not.
void tell(const QString &text);
/// An error to standard error; gives the exit code back so that a verb can `return complain(error)`: WrongUsage for an
/// error of usage, else `code`.
int complain(const Error &error, ExitCode code = CouldNotBeDone);

/// Reads one branch (empty: the checked-out one), or all local ones. Errors: as SnapshotReader::read and branchesOf();
/// where none can be read, why not the first.
Result<BranchesReading> readBranches(const SnapshotReader &reader, const VerbContext &context,
                                     const std::string &branch, bool all);
/// Says so where a killed process left a change half-way.
void tellInterrupted(const VerbContext &context);
/// A line on standard error for each.
void tellUnread(const QList<UnreadBranch> &unread);

QStringList toStringList(const std::vector<std::string> &list);

} // namespace tmx
