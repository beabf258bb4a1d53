// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/TemplateEngine.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLibrary>

#include <mutex>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct EngineLibrary {
    MakeTemplateEngine make = nullptr;
    QString error;
};

/// It is next to the programs in a build tree, and next to the window when installed.
EngineLibrary loadEngine()
{
    EngineLibrary loaded;
    for (const QString &folder : {u"."_s, QStringLiteral(TM_LIBEXEC)}) {
        const QString path = QCoreApplication::applicationDirPath() + u'/' + folder + u"/torch-matrix-templates.so"_s;
        if (!loaded.error.isEmpty() && !QFileInfo::exists(path))
            continue;
        QLibrary library(path); // never unloaded
        loaded.make = reinterpret_cast<MakeTemplateEngine>(library.resolve("tmxMakeTemplateEngine"));
        loaded.error = loaded.make ? QString() : library.errorString();
        if (loaded.make)
            break;
    }
    return loaded;
}

} // namespace

std::unique_ptr<TemplateEngine> TemplateEngine::make(Texts texts, QString &error)
{
    static const EngineLibrary library = loadEngine();
    // One engine at a time: each reads Qt's list of plugin folders and loads the plugins with its tags.
    static std::mutex making;
    const std::lock_guard lock(making);
    error = library.error;
    return std::unique_ptr<TemplateEngine>(library.make ? library.make(std::move(texts)) : nullptr);
}

} // namespace tmx
