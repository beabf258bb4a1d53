// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/MatrixModel.h"
#include "model/matrix/StateWords.h"

#include <algorithm>
#include <array>
#include <vector>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qsizetype mostBits = 64;

/// Which of the words some texts hold, a bit each.
class WordBits
{
public:
    explicit WordBits(const QStringList &words)
        : m_words(words.first(std::min(words.size(), mostBits)))
    {
    }

    [[nodiscard]] quint64 in(std::initializer_list<QString> texts) const
    {
        quint64 bits = 0;
        for (qsizetype i = 0; i < m_words.size(); ++i) {
            const auto holds = [&word = m_words.at(i)](const QString &text) {
                return text.contains(word, Qt::CaseInsensitive);
            };
            if (!MatrixSearch::isMark(m_words.at(i)) && std::ranges::any_of(texts, holds))
                bits |= quint64(1) << i;
        }
        return bits;
    }

private:
    const QStringList m_words;
};

/// The words that hold for every cell of a row, a column, a slice or a state.
struct AxisBits {
    std::vector<quint64> ofRow, ofColumn;
    std::array<std::vector<quint64>, 2> ofSlice; ///< of rows without a toolkit, and of GPUs
    std::array<quint64, allRecipeStates.size()> ofState{}, ofWord{};
    std::array<bool, allRecipeStates.size()> allowed{}; ///< without a recipe, a build and a verdict

    AxisBits(const Catalog &catalog, const QStringList &rows, const QStringList &isas, const QList<MatrixSlice> &slices,
             const MatrixSearch &search, const WordBits &words)
    {
        for (const QString &id : rows) {
            const GpuRow *row = catalog.row(id);
            ofRow.push_back(row ? words.in({id, row->generation, row->products.join(u' '), row->capability})
                                : words.in({id}));
        }
        for (const QString &id : isas) {
            const Isa *isa = catalog.isa(id);
            ofColumn.push_back(isa ? words.in({id, isa->title, isa->hardware}) : words.in({id}));
        }
        for (const MatrixSlice &slice : slices) {
            for (const bool gpu : {false, true})
                ofSlice[gpu].push_back(
                    words.in({Variant{slice.family, slice.python, gpu ? slice.cuda : QString(), {}, {}}.name()}));
        }
        for (const RecipeState state : allRecipeStates) {
            ofState[size_t(state)] = words.in({toString(state)});
            ofWord[size_t(state)] = words.in({stateWord(state)});
            allowed[size_t(state)] = search.allows({state, BuildState::Phase::None}, state != RecipeState::Unsupported);
        }
    }
};

} // namespace

bool MatrixSearch::isMark(const QString &word)
{
    return word.startsWith("rule:"_L1) || word.startsWith("uses:"_L1);
}

bool MatrixSearch::allows(const std::set<Sign> &ofPart, bool possible) const
{
    return signs.empty() ? possible : hasSigns(ofPart, signs);
}

bool MatrixSearch::finds(const QString &text, const QString &marks) const
{
    const auto isMarked = [&marks](const QString &word) {
        const qsizetype begin = word.indexOf(u':') + 1;
        return std::ranges::any_of(marks.split(u' '), [&](const QString &mark) {
            return mark.startsWith(word.first(begin)) && mark.contains(word.sliced(begin), Qt::CaseInsensitive);
        });
    };
    return std::ranges::all_of(words, [&](const QString &word) {
        return isMark(word) ? isMarked(word) : text.contains(word, Qt::CaseInsensitive);
    });
}

/// Most of a large grid has no recipe, and what is said of it is what its row, its column, its slice and its state say:
/// each of those is searched once. A word is in such a text only if it is in one of them, unless it holds the dash that
/// joins the parts of a name.
MatrixMatches MatrixModel::matching(const MatrixSearch &search) const
{
    MatrixMatches matches{rowCount(), columnCount(), QBitArray(qsizetype(rowCount()) * columnCount()), 0};
    const WordBits words(search.words);
    const bool axesTellAll =
        search.words.size() <= mostBits && m_builds.isEmpty() && m_verdicts.of.isEmpty() &&
        std::ranges::none_of(search.words, [](const QString &word) { return word.contains(u'-'); });
    const quint64 all = search.words.size() < mostBits ? (quint64(1) << search.words.size()) - 1 : ~quint64(0);
    QStringList isas;
    std::ranges::transform(m_axes.columns, std::back_inserter(isas), isaOf);
    const AxisBits bits(*m_catalog, m_axes.rows, isas, m_shown, search, words);
    for (int row = 0; row < matches.rows; ++row) {
        const bool spans = spansRow(row);
        const std::vector<quint64> &ofPart = bits.ofSlice[isGpuRow(m_axes.rows.at(row))];
        for (int column = 0; column < matches.columns; ++column) {
            const Parts parts = partsAt(row, column);
            for (size_t i = 0; i < parts.size(); ++i) {
                const Part &part = parts[i];
                const VariantEntry *entry = part.entry();
                const RecipeState state = part.state();
                const auto isAllowed = [&] {
                    if (search.signs.empty())
                        return part.possible();
                    if (!entry && m_verdicts.of.isEmpty())
                        return bits.allowed[size_t(state)];
                    const VariantEntry whole = partAt(row, column, int(i));
                    return search.allows(signsOf(subjectOf(whole)), part.possible());
                };
                if (!isAllowed())
                    continue;
                // What cannot exist may have no name, and no text then.
                const bool byAxes = entry || state != RecipeState::Unsupported;
                const quint64 found = !byAxes ? 0
                                              : bits.ofRow[size_t(row)] | (spans ? 0 : bits.ofColumn[size_t(column)]) |
                                                    bits.ofState[size_t(state)] |
                                                    (entry ? 0 : ofPart[part.slice()] | bits.ofWord[size_t(state)]);
                bool left = found == all && search.words.size() <= mostBits;
                if (!left && (entry || !axesTellAll || !byAxes)) {
                    const VariantEntry whole = partAt(row, column, int(i));
                    left = search.finds(searchText(whole), marksOf(whole));
                }
                if (!left)
                    continue;
                matches.cells.setBit(qsizetype(row) * matches.columns + column);
                matches.parts += !spans || beginsGroup(column);
            }
        }
    }
    return matches;
}

} // namespace tmx
