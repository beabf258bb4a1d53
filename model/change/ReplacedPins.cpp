// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/ReplacedPins.h"

#include "model/base/Sentences.h"
#include "model/base/Tr.h"
#include "model/change/StatedPins.h"

#include <QMap>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// "0182a36 (369 recipes)"
QStringList counted(const ChangeSet &changes)
{
    QStringList texts;
    for (const ReplacedPin &pin : changes.pins)
        texts.append(Tr::tr("%1 (%n recipes)", nullptr, pin.recipes).arg(pin.from.left(7)));
    return texts;
}

std::optional<Error> refusalOfPins(const ChangeSet &changes, const SettingsChange &change)
{
    const bool asks =
        change.pin || std::ranges::any_of(change.keys, [](const auto &key) { return key.first == "nixpkgs"_L1; });
    const QString only = change.onlyPin();
    const auto isOther = [&changes](const ReplacedPin &pin) { return pin.from != changes.pins.constFirst().from; };
    if (asks && change.pinFrom.isEmpty() && std::ranges::any_of(changes.pins, isOther))
        return Error{Tr::tr("replace the nixpkgs of"), changes.from.isEmpty() ? changes.title() : changes.from,
                     Tr::tr("its recipes fetch several: %1").arg(counted(changes).join(u", "_s)),
                     Tr::tr("Choose one (--from-pin REVISION), or all of them (--from-pin all).")}
            .ofUsage();
    if (!only.isEmpty() &&
        std::ranges::none_of(changes.pins, [&only](const ReplacedPin &pin) { return pin.from.startsWith(only); }))
        return Error{Tr::tr("replace"), u"nixpkgs "_s + only, Tr::tr("no recipe that this changes fetches it"),
                     Tr::tr("\"pins\" lists those that recipes fetch.")}
            .ofUsage();
    return std::nullopt;
}

} // namespace

QStringList fetchedPins(const RecipeCache &recipes, const std::shared_ptr<const RecipeFiles> &files,
                        const QString &path, const QByteArray &text)
{
    QStringList pins;
    const RecipeSource source = files ? files->source(path, text) : RecipeSource(text);
    for (const PinFacts &pin : recipes.facts(source)->pins) {
        if (!pin.revision.value.isEmpty())
            pins.append(pin.revision.value);
    }
    return pins.isEmpty() ? statedNixpkgs(source, files.get()) : pins;
}

QStringList fetchedPins(const RecipeCache &recipes, const ChangeSet &changes,
                        const std::shared_ptr<const RecipeFiles> &files)
{
    QStringList pins;
    for (const ChangedFile &file : changes.files) {
        if (!file.name.isEmpty() && file.before)
            pins += fetchedPins(recipes, files, file.path, *file.before);
    }
    pins.removeDuplicates();
    return pins;
}

QList<ReplacedPin> replacedPins(const RecipeCache &recipes, const ChangeSet &changes,
                                const std::shared_ptr<const RecipeFiles> &before,
                                const std::shared_ptr<const RecipeFiles> &after)
{
    QMap<std::pair<QString, QString>, int> counts;
    for (const ChangedFile &file : changes.files) {
        if (file.name.isEmpty() || !file.before || (file.chosen ? !file.after : before == after))
            continue;
        const QString path = file.chosen && !file.newPath.isEmpty() ? file.newPath : file.path;
        const QStringList old = fetchedPins(recipes, before, file.path, *file.before);
        const QStringList now = fetchedPins(recipes, after, path, file.chosen ? *file.after : *file.before);
        for (qsizetype i = 0; i < old.size(); ++i) {
            if (!now.contains(old.at(i)))
                ++counts[{old.at(i), now.value(std::min(i, now.size() - 1))}];
        }
    }
    QList<ReplacedPin> pins;
    for (const auto &[pin, count] : counts.asKeyValueRange())
        pins.append({pin.first, pin.second, count});
    std::ranges::stable_sort(pins, std::ranges::greater(), &ReplacedPin::recipes);
    return pins;
}

void refusePins(ChangeSet &changes, const SettingsChange &change)
{
    if (auto refusal = refusalOfPins(changes, change); refusal && !changes.refusal)
        changes.refusal = std::move(refusal);
}

QString replacedPinsText(const ChangeSet &changes)
{
    QStringList sentences;
    for (const ReplacedPin &pin : changes.pins)
        sentences.append(
            pin.to.isEmpty()
                ? Tr::tr("nixpkgs %1 is no longer fetched by %n recipes.", nullptr, pin.recipes).arg(pin.from.left(7))
                : Tr::tr("nixpkgs %1 is replaced by %2 in %n recipes.", nullptr, pin.recipes)
                      .arg(pin.from.left(7), pin.to.left(7)));
    return joinedSentences(sentences);
}

} // namespace tmx
