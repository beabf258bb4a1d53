// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/SiblingWords.h"

#include "model/git/MergedText.h"
#include "model/meaning/Meaning.h"
#include "model/recipe/Edits.h"
#include "model/template/RecipeContext.h"
#include "model/template/VariantMentions.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using Axis = QString Variant::*;

/// Three recipes that make up a fourth: the one in the opposite corner has what the new one has on neither axis.
struct Corners {
    const VariantEntry *opposite;
    const VariantEntry *first;
    const VariantEntry *second;
};

class Siblings
{
public:
    Siblings(const BranchSnapshot &snapshot, const Variant &variant)
        : m_variant(variant)
    {
        for (const VariantEntry &entry : snapshot.entries) {
            const Variant &other = entry.variant;
            if (other != variant && other.family == variant.family && other.python == variant.python &&
                other.rest == variant.rest && isUsable(entry))
                m_there.append(&entry);
        }
    }

    /// Those that have one value of each axis in common with the new recipe.
    [[nodiscard]] QList<Corners> corners(Axis first, Axis second) const
    {
        QList<Corners> found;
        for (const VariantEntry *opposite : m_there) {
            const Variant &far = opposite->variant;
            if (far.*first == m_variant.*first || far.*second == m_variant.*second)
                continue;
            Variant one = m_variant;
            one.*first = far.*first;
            Variant other = m_variant;
            other.*second = far.*second;
            Variant both = one;
            both.*second = far.*second;
            const VariantEntry *a = at(one);
            const VariantEntry *b = at(other);
            if (both == far && a && b)
                found.append({opposite, a, b});
        }
        return found;
    }

private:
    static bool isUsable(const VariantEntry &entry)
    {
        return entry.present && !entry.committed.isEmpty() && entry.fileStatus == FileStatus::Clean &&
               entry.duplicates.isEmpty();
    }
    [[nodiscard]] const VariantEntry *at(const Variant &variant) const
    {
        const auto found = std::ranges::find(m_there, variant, &VariantEntry::variant);
        return found == m_there.cend() ? nullptr : *found;
    }

    const Variant &m_variant;
    QList<const VariantEntry *> m_there;
};

/// Whether the audit finds nothing in the text that it does not find in the other.
bool isAsGood(const RecipeCache &recipes, const BranchSnapshot &snapshot, const Variant &variant,
              const QByteArray &text, const QByteArray &than)
{
    VariantEntry entry;
    entry.variant = variant;
    entry.file = snapshot.fileFor(variant);
    AuditInput input = auditInputOf(*recipes.catalog(), snapshot, entry);
    QStringList rules[2];
    for (const bool isNew : {false, true}) {
        input.text = isNew ? text : than;
        const Judgement judgement = audit(input);
        for (const Finding &finding : judgement.findings)
            rules[isNew].append(finding.rule);
    }
    return std::ranges::all_of(rules[1],
                               [&](const QString &rule) { return rules[1].count(rule) <= rules[0].count(rule); });
}

/// The drivers that the recipes of the variant's toolkit name: those of its row, else all. It may be the first of its
/// Python, made from one with another toolkit.
QStringList driversOfToolkit(const BranchSnapshot &snapshot, const Variant &variant)
{
    QStringList ofRow;
    QStringList all;
    for (const VariantEntry &entry : snapshot.entries) {
        if (entry.variant == variant || entry.variant.family != variant.family || entry.variant.cuda != variant.cuda ||
            !entry.present)
            continue;
        for (const QRegularExpressionMatch &match : driversInText().globalMatch(QString::fromLatin1(entry.text)))
            (entry.variant.row == variant.row ? ofRow : all).append(match.captured(1));
    }
    QStringList drivers = ofRow.isEmpty() ? all : ofRow;
    drivers.removeDuplicates();
    return drivers;
}

/// With the driver that all other recipes of its toolkit name, in the place of another one.
QByteArray withDriverOfToolkit(const RecipeCache &recipes, const BranchSnapshot &snapshot, const Variant &variant,
                               const QByteArray &text)
{
    const QString there = QString::fromLatin1(text);
    if (variant.cuda.isEmpty() || !driversInText().match(there).hasMatch())
        return text;
    const QStringList drivers = driversOfToolkit(snapshot, variant);
    const Result<QVariantHash> context = recipeContext(*recipes.catalog(), snapshot.settings, variant);
    if (drivers.size() != 1 || !context || !newerDriver(drivers.constFirst(), *context).isEmpty())
        return text;
    Edits edits;
    for (const QRegularExpressionMatch &match : driversInText().globalMatch(there))
        edits.append(
            {quint32(match.capturedStart(1)), quint32(match.capturedLength(1)), drivers.constFirst().toUtf8()});
    return edited(text, edits).value_or(text);
}

} // namespace

QByteArray inWordsOfSiblings(const RecipeCache &recipes, const BranchSnapshot &snapshot, const Variant &variant,
                             const QByteArray &made)
{
    constexpr qsizetype tries = 12;
    if (made.isEmpty())
        return made;
    QByteArray text = withDriverOfToolkit(recipes, snapshot, variant, made);
    const QString file = snapshot.fileFor(variant);
    const auto sourceOf = [&](const QByteArray &of) {
        return snapshot.files ? snapshot.files->source(file, of) : RecipeSource(of);
    };
    const auto meaning = recipes.meaning(sourceOf(text));
    const Siblings siblings(snapshot, variant);
    for (const auto &[first, second] : {std::pair<Axis, Axis>(&Variant::row, &Variant::isa),
                                        {&Variant::cuda, &Variant::isa},
                                        {&Variant::cuda, &Variant::row}}) {
        QList<std::pair<QByteArray, int>> votes;
        const QList<Corners> corners = siblings.corners(first, second);
        const qsizetype step = std::max<qsizetype>(1, corners.size() / tries); // from all over the matrix
        for (qsizetype i = 0; i < corners.size(); i += step) {
            const auto &[opposite, one, other] = corners.at(i);
            const auto merged = mergedWords(opposite->text, one->text, other->text);
            if (!merged)
                continue;
            const auto known = std::ranges::find(votes, *merged, &std::pair<QByteArray, int>::first);
            if (known != votes.end())
                ++known->second;
            else
                votes.append({*merged, 1});
        }
        std::ranges::stable_sort(votes, std::ranges::greater(), &std::pair<QByteArray, int>::second);
        for (const auto &[merged, count] : std::as_const(votes)) {
            if (2 * count < votes.constFirst().second)
                break;
            if (merged == text ||
                (samenessOf(text, *meaning, merged, *recipes.meaning(sourceOf(merged))) != Sameness::Different &&
                 isAsGood(recipes, snapshot, variant, merged, text)))
                return merged;
        }
    }
    return text;
}

} // namespace tmx
