// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/RecipeTemplates.h"

#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/base/WindowThread.h"
#include "model/recipe/TemplateNeeds.h"

#include <KTextTemplate/Context>
#include <KTextTemplate/Engine>
#include <KTextTemplate/Template>
#include <KTextTemplate/TemplateLoader>

#include <QFile>
#include <QHash>

#include <algorithm>
#include <optional>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

/// "family/parts/x+4": the part with its lines four columns further in.
struct IndentedName {
    QString file;
    int columns = 0;

    explicit IndentedName(const QString &name)
        : file(name.section(u'+', 0, 0))
        , columns(name.section(u'+', 1).toInt())
    {
    }
};

/// Moves `text` to the right, and asks for the parts that it includes from within a line's indentation with that
/// indentation.
QString indented(const QString &text, int columns)
{
    constexpr QLatin1StringView opening("{% include \"");
    constexpr QLatin1StringView closing("\" %}");
    QStringList lines = text.split(u'\n');
    for (QString &line : lines) {
        if (!line.isEmpty())
            line.prepend(QString(columns, u' '));
        const auto start = std::ranges::find_if(std::as_const(line), [](QChar c) { return c != u' '; }) - line.cbegin();
        QStringView tag = QStringView(line).sliced(start);
        if (start == 0 || !tag.startsWith(opening) || !tag.endsWith(closing))
            continue;
        tag = tag.sliced(opening.size()).chopped(closing.size());
        if (!tag.contains(u'"') && !tag.contains(u'+'))
            line = u"{% include \"%1+%2\" %}"_s.arg(tag).arg(start);
    }
    return lines.join(u'\n');
}

constexpr int engineAttempts = 3; ///< to load the plugins: a disk may fail once

/// Reads templates and keeps them parsed: the engine asks for an included one at each rendering.
class Loader : public KTextTemplate::AbstractTemplateLoader
{
public:
    explicit Loader(QStringList folders)
        : m_folders(std::move(folders))
    {
    }

    [[nodiscard]] std::optional<QString> text(const QString &name) const
    {
        if (const auto known = m_texts.constFind(name); known != m_texts.cend())
            return *known;
        return *m_texts.insert(name, read(name));
    }
    void insert(const QString &name, const QString &text)
    {
        m_texts.insert(name, text);
        m_parsed.remove(name);
    }
    bool canLoadTemplate(const QString &name) const override { return m_parsed.contains(name) || text(name); }

    KTextTemplate::Template loadByName(const QString &name, const KTextTemplate::Engine *engine) const override
    {
        if (const auto known = m_parsed.constFind(name); known != m_parsed.cend())
            return *known;
        // The engine's smart trim takes the line break in front of a tag that has a line of its own and leaves the one
        // behind it, so a part that stands for whole lines must bring its first break and leave its last. The engine
        // counts lines from 0: with a break in front of every template its errors name the line of the file.
        QString content = u'\n' + text(name).value_or(QString());
        while (name.contains("/parts/"_L1) && content.endsWith(u'\n'))
            content.chop(1);
        return m_parsed[name] = engine->newTemplate(content, name);
    }

    std::pair<QString, QString> getMediaUri(const QString &) const override { return {}; }

private:
    [[nodiscard]] std::optional<QString> read(const QString &name) const
    {
        belongsToAWorker("reading a template");
        // No name leaves the folders: neither a line's file nor an include may read what it likes.
        const IndentedName asked(name);
        if (!hasForm(asked.file, uR"([A-Za-z0-9][A-Za-z0-9_-]*(/[A-Za-z0-9][A-Za-z0-9_-]*)*)"))
            return std::nullopt;
        for (const QString &folder : m_folders) {
            QFile file(folder + u'/' + asked.file + ".nix"_L1);
            if (file.open(QIODevice::ReadOnly))
                return indented(QString::fromUtf8(file.readAll()), asked.columns);
        }
        return std::nullopt;
    }

    QStringList m_folders;
    mutable QHash<QString, std::optional<QString>> m_texts;
    mutable QHash<QString, KTextTemplate::Template> m_parsed;
};

} // namespace

/// What one template asks of its data, by name.
using NeedsOf = std::pair<QString, TemplateNeeds>;

struct RecipeTemplates::Private {
    QSharedPointer<Loader> loader;
    std::unique_ptr<KTextTemplate::Engine> engine;
    QHash<QString, QList<NeedsOf>>
        needs; ///< by the template that is rendered: its own and those of all that it includes

    /// Adds what `name` and all that it includes ask for. Error: one of them is not there, or they include each other
    /// in a circle.
    std::optional<Error> collect(const QString &name, QList<NeedsOf> &found, QStringList path)
    {
        const auto failed = [&](const QString &why) {
            return Error{Tr::tr("read the template"), IndentedName(name).file, why, {}};
        };
        if (path.contains(name))
            return failed(Tr::tr("it includes itself"));
        const auto text = loader->text(name);
        if (!text && path.isEmpty())
            return failed(Tr::tr("there is no template with that name"));
        if (!text)
            return failed(Tr::tr("%1 includes it, and there is no template with that name").arg(path.last()));
        path.append(name);
        const TemplateNeeds own = TemplateNeeds::of(*text);
        found.append({name, own});
        for (const QString &included : own.includes) {
            const auto same = [&](const NeedsOf &known) { return known.first == included; };
            if (path.contains(included) || std::none_of(found.cbegin(), found.cend(), same)) {
                if (auto error = collect(included, found, path))
                    return error;
            }
        }
        return std::nullopt;
    }
};

RecipeTemplates::RecipeTemplates(const QStringList &folders)
    : d(std::make_unique<Private>())
{
    d->loader = QSharedPointer<Loader>::create(folders);
    // The engine says nothing of a plugin that it could not read, and forgets the tags and filters in it.
    for (int attempt = 0; attempt < engineAttempts; ++attempt) {
        d->engine = std::make_unique<KTextTemplate::Engine>();
        d->engine->setSmartTrimEnabled(true);
        d->engine->addTemplateLoader(d->loader);
        const auto probe = d->engine->newTemplate(u"{% if a|lower %}{% include a %}{% endif %}"_s, u"probe"_s);
        if (probe->error() == KTextTemplate::NoError)
            break;
    }
}

RecipeTemplates::~RecipeTemplates() = default;

void RecipeTemplates::insert(const QString &name, const QString &text)
{
    d->loader->insert(name, text);
    d->needs.remove(name);
}

Result<QString> RecipeTemplates::render(const QString &name, const QVariantHash &data)
{
    const auto broken = [](const QString &which, QString why) {
        while (why.endsWith(u'.') || why.endsWith(u'?'))
            why.chop(1); // the sentence has its own end
        return Error{Tr::tr("use the template"), IndentedName(which).file, why, {}};
    };
    if (!d->needs.contains(name)) {
        QList<NeedsOf> found;
        if (const auto error = d->collect(name, found, {}))
            return *error;
        for (const NeedsOf &needed : std::as_const(found)) {
            const KTextTemplate::Template parsed = d->engine->loadByName(needed.first);
            if (parsed->error() != KTextTemplate::NoError)
                return broken(needed.first, parsed->errorString());
        }
        d->needs.insert(name, found);
    }
    const QList<NeedsOf> needs = d->needs.value(name);
    for (const auto &[which, needed] : needs) {
        if (const auto complaint = needed.complaint(data))
            return broken(which, *complaint);
    }

    KTextTemplate::Context context(data);
    context.setAutoEscape(false); // recipes are not HTML
    const KTextTemplate::Template recipe = d->engine->loadByName(name);
    const QString text = recipe->render(&context);
    if (recipe->error() != KTextTemplate::NoError)
        return broken(name, recipe->errorString());
    return text;
}

} // namespace tmx
