// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/GoToTarget.h"

#include "model/base/Tr.h"
#include "model/matrix/StateWords.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QString plain(const QString &text)
{
    return text.toLower().replace(u'_', u'.');
}

/// 0: the target lacks the word.
int weightOf(const QString &word, const QString &text, const QStringList &parts)
{
    int best = text.contains(word) ? 1 : 0;
    for (const QString &part : parts) {
        if (part == word)
            return 4;
        // "90" is the whole number of "sm90", and the beginning of none of its digits.
        if (part.endsWith(word) && !part.at(part.size() - word.size() - 1).isDigit())
            best = std::max(best, 3);
        else if (part.startsWith(word))
            best = std::max(best, 2);
    }
    return best;
}

} // namespace

QList<GoToTarget> cellTargets(const BranchSnapshot &snapshot)
{
    QList<const VariantEntry *> entries; // in the order of the grid
    for (const VariantEntry &entry : snapshot.entries)
        entries.append(&entry);
    std::ranges::stable_sort(entries, {}, [](const VariantEntry *entry) { return entry->variant; });
    QList<GoToTarget> targets;
    for (const VariantEntry *entry : std::as_const(entries)) {
        const QString version = snapshot.settings.profileOf(entry->variant).version;
        const QString state = stateWord(*entry);
        targets.append({GoToTarget::Kind::Cell, entry->variant.name(), entry->variant.name(),
                        version.isEmpty() ? state : Tr::tr("%1, %2", "version, state").arg(version, state)});
    }
    return targets;
}

QList<GoToTarget> matching(const QList<GoToTarget> &targets, const QString &words, qsizetype most)
{
    static const QRegularExpression between(uR"([\s/,\-]+)"_s);
    const QStringList wanted = plain(words).split(u' ', Qt::SkipEmptyParts);
    if (wanted.isEmpty())
        return targets.first(std::min(most, targets.size()));
    struct Match {
        int weight;
        const GoToTarget *target;
    };
    QList<Match> matches;
    for (const GoToTarget &target : targets) {
        const QString text = plain(target.text + u' ' + target.detail);
        const QStringList parts = text.split(between, Qt::SkipEmptyParts);
        int sum = 0;
        const bool all = std::ranges::all_of(wanted, [&](const QString &word) {
            const int weight = weightOf(word, text, parts);
            sum += weight;
            return weight > 0;
        });
        if (all)
            matches.append({sum, &target});
    }
    std::ranges::stable_sort(matches, std::greater(), &Match::weight);
    QList<GoToTarget> found;
    for (const Match &match : matches.first(std::min(most, matches.size())))
        found.append(*match.target);
    return found;
}

} // namespace tmx
