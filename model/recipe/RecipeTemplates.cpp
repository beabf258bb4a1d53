// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/RecipeTemplates.h"

#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/base/WindowThread.h"
#include "model/recipe/TemplateEngine.h"
#include "model/recipe/TemplateNeeds.h"

#include <QFile>
#include <QHash>
#include <QSet>

#include <algorithm>
#include <optional>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

/// "family/parts/x+4": the part, indented by four columns.
struct IndentedName {
    QString file;
    int columns = 0;

    explicit IndentedName(const QString &name)
        : file(name.section(u'+', 0, 0))
        , columns(name.section(u'+', 1).toInt())
    {
    }
};

/// Indents `text`. Parts that it includes inside a line's indentation are requested with that indentation.
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

/// Reads templates and caches their texts.
class Loader
{
public:
    explicit Loader(QStringList folders)
        : m_folders(std::move(folders))
    {
    }

    [[nodiscard]] std::optional<QString> text(const QString &name)
    {
        if (const auto known = m_texts.constFind(name); known != m_texts.cend())
            return *known;
        return *m_texts.insert(name, read(name));
    }
    void insert(const QString &name, const QString &text) { m_texts.insert(name, text); }
    /// The text that the engine parses.
    [[nodiscard]] std::optional<QString> content(const QString &name)
    {
        std::optional<QString> content = text(name);
        if (!content)
            return content;
        // The engine's smart trim removes the line break before a tag on its own line and keeps the one after it, so a
        // part that stands for whole lines must start with a line break and not end with one. The engine counts lines
        // from 0: with a line break before every template, its errors have the file's line numbers.
        content->prepend(u'\n');
        while (name.contains("/parts/"_L1) && content->endsWith(u'\n'))
            content->chop(1);
        return content;
    }

private:
    [[nodiscard]] std::optional<QString> read(const QString &name) const
    {
        belongsToAWorker("reading a template");
        // Names must not leave the folders: neither settings nor an include may read arbitrary files.
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
    QHash<QString, std::optional<QString>> m_texts;
};

} // namespace

/// The data that one template needs, by name.
using NeedsOf = std::pair<QString, TemplateNeeds>;

struct RecipeTemplates::Private {
    explicit Private(const QStringList &folders)
        : loader(folders)
    {
    }

    Loader loader;
    std::unique_ptr<TemplateEngine> engine; ///< created on demand
    QHash<QString, QList<NeedsOf>>
        needs; ///< by rendered template: its needs and those of all templates that it includes

    /// Adds the needs of `name` and of all templates that it includes. Error: one is missing, or they include each
    /// other in a circle.
    std::optional<Error> collect(const QString &name, QList<NeedsOf> &found, QStringList path)
    {
        const auto failed = [&](const QString &why) {
            return Error{Tr::tr("read the template"), IndentedName(name).file, why, {}};
        };
        if (path.contains(name))
            return failed(Tr::tr("it includes itself"));
        const auto text = loader.text(name);
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
    : d(std::make_unique<Private>(folders))
{
}

RecipeTemplates::~RecipeTemplates() = default;

void RecipeTemplates::insert(const QString &name, const QString &text)
{
    d->loader.insert(name, text);
    if (d->engine)
        d->engine->forget(name);
    d->needs.remove(name);
}

Result<QString> RecipeTemplates::render(const QString &name, const QVariantHash &data)
{
    const auto broken = [](const QString &which, QString why) {
        while (why.endsWith(u'.') || why.endsWith(u'?'))
            why.chop(1); // The sentence already has a full stop.
        return Error{Tr::tr("use the template"), IndentedName(which).file, why, {}};
    };
    if (!d->needs.contains(name)) {
        QList<NeedsOf> found;
        if (const auto error = d->collect(name, found, {}))
            return *error;
        if (!d->engine) {
            QString why;
            d->engine = TemplateEngine::make(
                [loader = &d->loader](const QString &asked) { return loader->content(asked); }, why);
            if (!d->engine)
                return Error{Tr::tr("load"), Tr::tr("the template engine"), why,
                             Tr::tr("Install the program again: it is a file beside it.")};
        }
        for (const NeedsOf &needed : std::as_const(found)) {
            if (const QString why = d->engine->parseError(needed.first); !why.isEmpty())
                return broken(needed.first, why);
        }
        // Look up a name once, even if several templates use it.
        QSet<QString> used;
        for (NeedsOf &needed : found)
            needed.second.used.removeIf([&used](const TemplateNeeds::Name &one) {
                const bool known = used.contains(one.path);
                used.insert(one.path);
                return known;
            });
        d->needs.insert(name, found);
    }
    const QList<NeedsOf> needs = d->needs.value(name);
    for (const auto &[which, needed] : needs) {
        if (const auto complaint = needed.complaint(data))
            return broken(which, *complaint);
    }

    QString why;
    const QString text = d->engine->render(name, data, why);
    if (!why.isEmpty())
        return broken(name, why);
    return text;
}

} // namespace tmx
