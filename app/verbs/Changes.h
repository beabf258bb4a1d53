// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/verbs/Verb.h"
#include "model/change/Change.h"

namespace tmx {

/// What the verbs that change a repository share: a change is prepared, shown, applied and told of.

/// Each with a line that says how far it is (`doing`: "Reading the recipes"), and Ctrl+C that stops it before anything
/// is changed. Errors: as prepare() and Repository::apply().
Result<QList<ChangeSet>> prepared(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                                  const QString &doing, const ChangeRequest &request);
Result<Applied> applied(const VerbContext &context, const QString &doing, const ChangeSet &changes);

/// {"keep": [], "create": [], "rewrite": [], "rename": [], "delete": []} as it would be done: what is there and not
/// chosen is kept. Of recipes alone.
QJsonObject filesJson(const ChangeSet &changes);
enum class KeptFiles { Listed, Counted };
/// "create  NAME  reason", a line each, the kept ones last; those that could be chosen are marked. Of recipes alone.
/// Counted: one line for all that are kept without anything being wrong with them; `option` is what chooses one.
QString filesText(const ChangeSet &changes, KeptFiles kept = KeptFiles::Listed,
                  const QString &option = QStringLiteral("--only"));
/// The same as a list to tick in an issue or a pull request: a heading and a box for each recipe, ticked where it is
/// chosen. Of recipes alone.
QString filesMarkdown(const ChangeSet &changes, KeptFiles kept);
/// The difference of one file, fit for "git apply".
QByteArray diffText(const ChangedFile &file);
/// "38 to create, 2 to rewrite"; "nothing to do".
QString countsText(const ChangeSet &changes);
/// The errors that the audit finds in what would be written, a line each on standard error.
void tellErrors(const ChangeSet &changes);
/// --force: goes on although there are.
void addForceOption(CLI::App &verb, VerbContext &context);

/// What a person says of settings that are to differ, in the options of a verb.
struct SettingsOptions {
    std::string pytorch;
    std::vector<std::string> cudas;
    std::vector<std::string> pythons;
    std::string pin;
    std::vector<std::string> keys; ///< "KEY=VALUE"
};
/// --pytorch, --pin and --set.
void addSettingsOptions(CLI::App &verb, const std::shared_ptr<SettingsOptions> &options);
/// --cuda and --python, of verbs that make a new branch.
void addToolkitOptions(CLI::App &verb, const std::shared_ptr<SettingsOptions> &options);
/// Errors: a --set without "="; what is no version, revision, toolkit or Python, with what would be.
Result<SettingsChange> settingsChangeOf(const Catalog &catalog, const SettingsOptions &options);

/// "committed to main as 0123456789", or that there was nothing to commit; and what prints the texts that were saved.
QString appliedText(const Applied &applied);
/// What prints the texts that were not put back.
QString notRestoredText(const QStringList &kept);
/// "commit", "branch", "saved", "kept" into an object.
void insertApplied(QJsonObject &object, const Applied &applied);

} // namespace tmx
