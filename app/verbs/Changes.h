// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/verbs/Verb.h"
#include "model/change/Change.h"

namespace tmx {

/// Shared by the verbs that change a repository: prepare, show, apply and report a change.

/// Both show a progress line (`doing`: "Reading the recipes"), and Ctrl+C stops them before anything is changed.
/// Errors: as prepare() and Repository::apply().
Result<QList<ChangeSet>> prepared(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                                  const QString &doing, const ChangeRequest &request);
/// That the audit finds errors in the text that it would write.
Error textErrors(const ChangeSet &changes);
Result<Applied> applied(const VerbContext &context, const QString &doing, const ChangeSet &changes);

/// {"keep": [], "create": [], "rewrite": [], "rename": [], "delete": []}: what applying would do. Existing files that
/// are not chosen are in "keep". Recipes only.
QJsonObject filesJson(const ChangeSet &changes);
enum class KeptFiles { Listed, Counted };
/// "create  NAME  reason", one per line, kept ones last; files that could be chosen are marked. Recipes only. Counted:
/// one line for all kept files without problems; `option` is the option that chooses one.
QString filesText(const ChangeSet &changes, KeptFiles kept = KeptFiles::Listed,
                  const QString &option = QStringLiteral("--only"));
/// The same as a task list for an issue or a pull request: a heading and a check box for each recipe, ticked if it is
/// chosen. Recipes only.
QString filesMarkdown(const ChangeSet &changes, KeptFiles kept);
/// The difference of one file, in the format that "git apply" accepts.
QByteArray diffText(const ChangedFile &file);
/// "3 recipes are not changed, 2 recipes are not created": what a plan leaves to the user; empty if nothing.
QString leftText(const ChangeSet &changes);
/// "38 to create, 2 to rewrite"; "nothing to do".
QString countsText(const ChangeSet &changes);
/// Prints the audit's errors in the texts to be written to standard error, one per line.
void tellErrors(const ChangeSet &changes);
/// --force: continues despite errors.
void addForceOption(CLI::App &verb, VerbContext &context);

/// Options of a verb that change settings.
struct SettingsOptions {
    std::string pytorch;
    std::vector<std::string> cudas;
    std::vector<std::string> pythons;
    std::string pin;
    std::string pinFrom;           ///< the revision that it replaces, or "all"
    std::vector<std::string> keys; ///< "KEY=VALUE"
};
/// --pytorch, --pin and --set.
void addSettingsOptions(CLI::App &verb, const std::shared_ptr<SettingsOptions> &options);
/// --from-pin, of verbs that change recipes.
void addPinOption(CLI::App &verb, const std::shared_ptr<SettingsOptions> &options);
/// --cuda and --python, of verbs that make a new branch.
void addToolkitOptions(CLI::App &verb, const std::shared_ptr<SettingsOptions> &options);
/// Errors: a --set without "="; an invalid version, revision, toolkit or Python, with the valid form.
Result<SettingsChange> settingsChangeOf(const Catalog &catalog, const SettingsOptions &options);

/// "committed to main as 0123456789", or that there was nothing to commit; then the commands that print the saved
/// texts.
QString appliedText(const Applied &applied);
/// A new line with the commands that print the saved texts; empty if there are none.
QString savedText(const Applied &applied);
/// The commands that print the texts that were not restored.
QString notRestoredText(const QStringList &kept);
/// Adds "commit", "branch", "saved" and "kept" to an object.
void insertApplied(QJsonObject &object, const Applied &applied);

} // namespace tmx
