// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/template/RecipeTemplates.h"

#include "model/base/Surface.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/base/WindowThread.h"
#include "model/catalog/Settings.h"
#include "model/template/TextTemplate.h"
#include "model/template/VariantMentions.h"

#include <QFile>
#include <QHash>

#include <optional>

namespace tmx {

using namespace Qt::StringLiterals;

struct RecipeTemplates::Private {
    using Include = TextTemplate::Include;

    QStringList folders;
    QHash<QString, QString> inserted;
    QHash<std::pair<QString, int>, TextTemplate> parsed; ///< by name and columns
    QHash<QString, QList<Include>> within;               ///< by rendered template: it and all that it includes

    [[nodiscard]] std::optional<QString> read(const QString &name) const
    {
        if (const auto known = inserted.constFind(name); known != inserted.cend())
            return *known;
        belongsToAWorker("reading a template");
        // Names must not leave the folders: neither settings nor an include may read arbitrary files.
        if (!hasForm(name, uR"([A-Za-z0-9][A-Za-z0-9_-]*(/[A-Za-z0-9][A-Za-z0-9_-]*)*)"))
            return std::nullopt;
        for (const QString &folder : folders) {
            QFile file(folder + u'/' + name + ".nix"_L1);
            if (file.open(QIODevice::ReadOnly))
                return QString::fromUtf8(file.readAll());
        }
        return std::nullopt;
    }

    [[nodiscard]] const TextTemplate &at(const Include &which) { return parsed[{which.name, which.columns}]; }

    /// Parses `which` and all templates that it includes, and adds them to `found`. `path`: those that include it.
    Result<void> collect(const Include &which, QList<Include> &found, QStringList path)
    {
        const auto failed = [&](const QString &why) { return Error{Tr::tr("read the template"), which.name, why, {}}; };
        if (path.contains(which.name))
            return failed(Tr::tr("it includes itself"));
        if (found.contains(which))
            return {};
        if (!parsed.contains({which.name, which.columns})) {
            const auto text = read(which.name);
            if (!text && path.isEmpty())
                return failed(Tr::tr("there is no template with that name"));
            if (!text)
                return failed(Tr::tr("%1 includes it, and there is no template with that name").arg(path.last()));
            auto made = TextTemplate::parse(*text, which.columns);
            if (const QString *why = std::get_if<QString>(&made))
                return Error{Tr::tr("use the template"), which.name, *why, {}};
            parsed.insert({which.name, which.columns}, std::get<TextTemplate>(std::move(made)));
        }
        found.append(which);
        path.append(which.name);
        const QList<Include> included = at(which).includes();
        for (const Include &one : included) {
            TM_CHECK(collect(one, found, path));
        }
        return {};
    }

    void add(const Include &which, const QVariantHash &data, QString &out)
    {
        at(which).render(data, [&](const Include &included, QString &text) { add(included, data, text); }, out);
    }
};

RecipeTemplates::RecipeTemplates(const QStringList &folders)
    : d(new Private{folders, {}, {}, {}})
{
}

RecipeTemplates::~RecipeTemplates() = default;

void RecipeTemplates::insert(const QString &name, const QString &text)
{
    d->inserted.insert(name, text);
    d->parsed.remove({name, 0});
    d->within.remove(name);
}

Result<QString> RecipeTemplates::render(const QString &name, const QVariantHash &data)
{
    if (!d->within.contains(name)) {
        QList<Private::Include> found;
        TM_CHECK(d->collect({name}, found, {}));
        d->within.insert(name, found);
    }
    for (const auto &which : std::as_const(d->within[name])) {
        if (const auto complaint = d->at(which).complaint(data)) {
            // Its recipes have no words for such a variant; people see whether one can be a model.
            const QString cell = textAt(data, u"name");
            const QString known = which.name.section(u'+', 0, 0); // RecipeRenderer numbers the learned ones
            return Error{
                Tr::tr("use the template"), known, *complaint,
                isLearned(known) && !cell.isEmpty()
                    ? forSurface(
                          Tr::tr("\"generate %1 --like NAME\" may make it from a recipe of the branch.").arg(cell),
                          Tr::tr("Generate like may make it from a recipe of the branch."))
                    : QString()};
        }
    }
    QString text;
    d->add({name}, data, text);
    return text;
}

} // namespace tmx
