// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QVariantHash>

#include <functional>
#include <memory>
#include <optional>

namespace tmx {

/// The engine behind RecipeTemplates, in a separate library (model/recipe/engine) that is loaded when the first recipe
/// is rendered: KTextTemplate pulls in QtQml, QtNetwork and forty more libraries, which take longer to load than most
/// verbs take to run. Not thread-safe.
class TemplateEngine
{
public:
    /// A template's text; nullopt if there is no such template.
    using Texts = std::function<std::optional<QString>(const QString &name)>;

    TemplateEngine() = default;
    virtual ~TemplateEngine() = default;
    Q_DISABLE_COPY_MOVE(TemplateEngine)

    /// Call it when the template's text has changed.
    virtual void forget(const QString &name) = 0;
    /// Why a template cannot be parsed, with its line; empty if it can.
    [[nodiscard]] virtual QString parseError(const QString &name) = 0;
    /// Sets `error` if it fails.
    [[nodiscard]] virtual QString render(const QString &name, const QVariantHash &data, QString &error) = 0;

    /// Null if the library cannot be loaded; `error` says why. Loads the library on first use, in any thread.
    [[nodiscard]] static std::unique_ptr<TemplateEngine> make(Texts texts, QString &error);
};

/// Type of the library's function tmxMakeTemplateEngine.
using MakeTemplateEngine = TemplateEngine *(*)(TemplateEngine::Texts texts);

} // namespace tmx
