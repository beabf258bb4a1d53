// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Verb.h"

#include "model/base/Tr.h"
#include "model/workspace/Sample.h"

#include <CLI/CLI.hpp>

#include <QDir>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

Result<int> sample(const std::shared_ptr<const Catalog> &catalog, const std::string &folder, SampleKind kind)
{
    const QString path = QDir::current().absoluteFilePath(QString::fromStdString(folder));
    TM_CHECK(createSample(catalog, path, kind));
    for (const Settings &settings : catalog->builtIn)
        tell(Tr::tr("%1  %n recipes", nullptr, int(settings.promised().size())).arg(settings.branch.leftJustified(10)));
    print(path);
    return Done;
}

} // namespace

void addSample(CLI::App &app, VerbContext &context)
{
    auto folder = std::make_shared<std::string>();
    CLI::App *verb = app.add_subcommand("sample", Help::tr("Create a sample repository: three branches with all their "
                                                           "recipes"));
    verb->add_option("DIR", *folder, Help::tr("New or empty folder"))->required();
    const CLI::Option *story = verb->add_flag(
        "--story", Help::tr("As the start page makes it: with missing recipes, a warning, builds and a failed build"));
    verb->callback([&context, folder, story] {
        context.runWith([kind = *story ? SampleKind::Story : SampleKind::Complete, folder](const auto &catalog) {
            return sample(catalog, *folder, kind);
        });
    });
}

} // namespace tmx
