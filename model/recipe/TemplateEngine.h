// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QVariantHash>

#include <functional>
#include <memory>
#include <optional>

namespace tmx {

/// The engine behind RecipeTemplates, in a library of its own (model/recipe/engine) that is loaded when the first
/// recipe is rendered: KTextTemplate brings QtQml, QtNetwork and forty libraries more, which take longer to load than
/// most verbs take to run. Not thread-safe.
class TemplateEngine
{
public:
    /// A template's text; nullopt: there is none of that name.
    using Texts = std::function<std::optional<QString>(const QString &name)>;

    TemplateEngine() = default;
    virtual ~TemplateEngine() = default;
    Q_DISABLE_COPY_MOVE(TemplateEngine)

    /// The template has another text now.
    virtual void forget(const QString &name) = 0;
    /// Why a template cannot be parsed, with its line; empty: it can.
    [[nodiscard]] virtual QString parseError(const QString &name) = 0;
    /// `error` says why there is no text.
    [[nodiscard]] virtual QString render(const QString &name, const QVariantHash &data, QString &error) = 0;

    /// Null: the library cannot be loaded, and `error` says why. Loads it where it is not loaded yet, in any thread.
    [[nodiscard]] static std::unique_ptr<TemplateEngine> make(Texts texts, QString &error);
};

/// What the library exports as tmxMakeTemplateEngine.
using MakeTemplateEngine = TemplateEngine *(*)(TemplateEngine::Texts texts);

} // namespace tmx
