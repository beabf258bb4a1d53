// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/TemplateEngine.h"

#include <KTextTemplate/Context>
#include <KTextTemplate/Engine>
#include <KTextTemplate/Template>
#include <KTextTemplate/TemplateLoader>

#include <QHash>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int engineAttempts = 3; ///< for loading the plugins: a disk may fail once

/// Caches parsed templates: the engine loads an included one for each rendering.
class ParsedTemplates : public KTextTemplate::AbstractTemplateLoader
{
public:
    explicit ParsedTemplates(TemplateEngine::Texts texts)
        : m_texts(std::move(texts))
    {
    }

    void forget(const QString &name) { m_parsed.remove(name); }
    bool canLoadTemplate(const QString &name) const override { return m_parsed.contains(name) || m_texts(name); }
    KTextTemplate::Template loadByName(const QString &name, const KTextTemplate::Engine *engine) const override
    {
        if (const auto known = m_parsed.constFind(name); known != m_parsed.cend())
            return *known;
        return m_parsed[name] = engine->newTemplate(m_texts(name).value_or(QString()), name);
    }
    std::pair<QString, QString> getMediaUri(const QString &) const override { return {}; }

private:
    TemplateEngine::Texts m_texts;
    mutable QHash<QString, KTextTemplate::Template> m_parsed;
};

class KTextTemplateEngine : public TemplateEngine
{
public:
    explicit KTextTemplateEngine(Texts texts)
        : m_loader(QSharedPointer<ParsedTemplates>::create(std::move(texts)))
    {
        // The engine does not report a plugin that it could not read, and lacks its tags and filters.
        for (int attempt = 0; attempt < engineAttempts; ++attempt) {
            m_engine = std::make_unique<KTextTemplate::Engine>();
            m_engine->setSmartTrimEnabled(true);
            m_engine->addTemplateLoader(m_loader);
            const auto probe = m_engine->newTemplate(u"{% if a|lower %}{% include a %}{% endif %}"_s, u"probe"_s);
            if (probe->error() == KTextTemplate::NoError)
                break;
        }
    }

    void forget(const QString &name) override { m_loader->forget(name); }
    QString parseError(const QString &name) override
    {
        const KTextTemplate::Template parsed = m_engine->loadByName(name);
        return parsed->error() == KTextTemplate::NoError ? QString() : parsed->errorString();
    }
    QString render(const QString &name, const QVariantHash &data, QString &error) override
    {
        KTextTemplate::Context context(data);
        context.setAutoEscape(false); // recipes are not HTML
        const KTextTemplate::Template parsed = m_engine->loadByName(name);
        const QString text = parsed->render(&context);
        error = parsed->error() == KTextTemplate::NoError ? QString() : parsed->errorString();
        return text;
    }

private:
    QSharedPointer<ParsedTemplates> m_loader;
    std::unique_ptr<KTextTemplate::Engine> m_engine;
};

} // namespace

} // namespace tmx

extern "C" Q_DECL_EXPORT tmx::TemplateEngine *tmxMakeTemplateEngine(tmx::TemplateEngine::Texts texts)
{
    return new tmx::KTextTemplateEngine(std::move(texts));
}
