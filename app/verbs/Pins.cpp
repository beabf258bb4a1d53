// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Fleet.h"

#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/fleet/FleetText.h"

#include <CLI/CLI.hpp>

#include <QDir>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

Result<int> pins(const VerbContext &context, const QStringList &words)
{
    QStringList folders;
    QString revision;
    for (const QString &word : words) {
        const bool isRevision = hasForm(word, u"[0-9a-fA-F]{7,40}") && !QFileInfo(QDir::current(), word).isDir();
        if (isRevision && !revision.isEmpty())
            return complain(Error{Tr::tr("search for"), word, Tr::tr("a revision is given already"), {}}, WrongUsage);
        if (isRevision)
            revision = word.toLower();
        else
            folders.append(word);
    }
    TM_TRY(repositories, chosenRepositories(folders));
    TM_TRY(fleet, readChosenFleet(*repositories));
    if (!revision.isEmpty()) {
        const QList<PinPlace> places = placesNaming(*fleet, revision, fleet->troubles);
        if (context.json)
            print(placesJson(revision, places));
        else
            printText(placesText(places).toUtf8());
        if (places.isEmpty())
            tell(Tr::tr("No file names %1.", "revision").arg(revision));
        const int code = finishFleet(*fleet);
        return code == Done && places.isEmpty() ? CouldNotBeDone : code;
    }
    const QList<OutdatedStatement> outdated = outdatedStatements(*fleet, fleet->troubles);
    if (context.json)
        print(pinsJson(pinsOf(*fleet), outdated));
    else
        printText(pinsText(pinsOf(*fleet), outdated).toUtf8());
    const int code = finishFleet(*fleet);
    return code == Done && !outdated.isEmpty() ? DoneWithFindings : code;
}

} // namespace

void addPins(CLI::App &app, VerbContext &context)
{
    auto words = std::make_shared<std::vector<std::string>>();
    CLI::App *verb = app.add_subcommand(
        "pins",
        Help::tr("Print which nixpkgs revisions the branches of several repositories use, and the documents that "
                 "state another one"));
    verb->add_option(
        "DIR", *words,
        Help::tr("Repositories, or folders above them (default: those that were opened or added before); a "
                 "revision prints every line that names it"));
    addJsonOption(*verb, context);
    verb->callback(
        [&context, words] { context.run = [&context, words] { return pins(context, toStringList(*words)); }; });
}

} // namespace tmx
