// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/template/LearnedTemplate.h"

#include "model/base/Parallel.h"
#include "model/base/Tr.h"
#include "model/meaning/Meaning.h"
#include "model/recipe/RecipeFacts.h"
#include "model/template/FactExchange.h"
#include "model/template/RecipeTemplates.h"
#include "model/template/TextTemplate.h"

#include <QMap>

#include <algorithm>
#include <functional>
#include <vector>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// A condition on one fact in the template language, and whether it holds for a variant.
struct Condition {
    QString words; ///< "isa.lacks_avx2", "isa.id == \"armv9\""
    QString path;
    QString value; ///< empty: the fact is a boolean

    [[nodiscard]] bool holds(const QVariantHash &context) const
    {
        const QVariant *found = valueAt(context, path);
        return found && (value.isEmpty() ? found->toBool() : found->toString() == value);
    }
    bool operator==(const Condition &) const = default;
};

/// Lines of a template; lines that belong together (a loop) are one element.
using Lines = QStringList;

QString expressionOf(const Mention &mention)
{
    const QString before = QString::fromUtf8(mention.prefix);
    const QString after = QString::fromUtf8(mention.suffix);
    if (mention.path != "gpu.products"_L1)
        return before + "{{ "_L1 + mention.path + " }}"_L1 + after;
    const QString list =
        mention.products < 0 ? mention.path : u"gpu.first.%1"_s.arg(std::min<qsizetype>(mention.products, 12));
    // A list of two only has the last separator.
    const QByteArray &separator = mention.products == 2 ? mention.last : mention.separator;
    return u"{{ %1|join:\"%2\" }}"_s.arg(list, QString::fromUtf8(separator));
}

/// The loop that writes any instruction set's flags in the format of these lines.
QString loopOf(const FlagLines &lines, const QStringList &extra)
{
    const QString indent = QString::fromUtf8(lines.indent);
    QString line = indent + u"\"{{ flag.text }}\""_s;
    if (lines.comments)
        line = indent + (lines.aligned ? u"{{ flag.padded }}"_s : u"\"{{ flag.text }}\""_s) +
               QString::fromUtf8(lines.gap.left(2)) + u"# {{ flag.note }}"_s;
    QString loop = u"{% for flag in isa.flags %}\n"_s + line + u"\n{% endfor %}"_s;
    for (const QString &flag : extra)
        loop += u'\n' + indent + u'"' + flag + u'"';
    return loop;
}

/// A part of a recipe and what stands for it in the template.
struct Piece {
    quint32 offset;
    quint32 length;
    QString by;
};

/// The loop for flags that are written on one line: `"-mavx2" "-mfma" `, or without quotes in a shell's variable.
/// nullopt: they are not.
std::optional<Piece> lineOf(const QByteArray &text, const QList<StatedText> &flags, const QStringList &extra)
{
    const Spot &first = flags.constFirst().spot;
    const bool quoted = first.offset > 0 && text.at(first.offset - 1) == '"' && text.at(first.end()) == '"';
    const QByteArray between = quoted ? "\" \"" : " ";
    const QByteArray after = quoted ? "\" " : " ";
    for (qsizetype i = 0; i < flags.size(); ++i) {
        const Spot &spot = flags.at(i).spot;
        if (spot.file != 0 || text.mid(spot.offset, spot.length) != flags.at(i).value.toUtf8())
            return std::nullopt;
        const bool isLast = i + 1 == flags.size();
        const quint32 end = isLast ? spot.end() + quint32(after.size()) : flags.at(i + 1).spot.offset;
        if (end < spot.end() || text.mid(spot.end(), end - spot.end()) != (isLast ? after : between))
            return std::nullopt;
    }
    const QString form = quoted ? u"\"%1\" "_s : u"%1 "_s;
    QString loop = u"{% for flag in isa.flags %}"_s + form.arg(u"{{ flag.text }}"_s) + u"{% endfor %}"_s;
    for (const QString &flag : extra)
        loop += form.arg(flag);
    const quint32 begin = first.offset - (quoted ? 1 : 0);
    return Piece{begin, flags.constLast().spot.end() + quint32(after.size()) - begin, loop};
}

/// The loops for the flags of the recipe's instruction set.
QList<Piece> flagPieces(const KnownRecipe &recipe, const RecipeFacts &facts)
{
    QStringList own;
    const QVariant *rows = valueAt(recipe.context, u"isa.flags");
    for (const QVariant &row : rows ? rows->toList() : QVariantList())
        own.append(row.toHash().value(u"text"_s).toString());
    QList<Piece> pieces;
    for (const QList<StatedText> &list : flagListsOf(facts)) {
        QStringList extra;
        QStringList stated;
        for (const StatedText &flag : list) {
            stated.append(flag.value);
            if (!own.contains(flag.value))
                extra.append(flag.value);
        }
        const bool whole = std::ranges::all_of(own, [&stated](const QString &flag) { return stated.contains(flag); });
        const std::optional<FlagLines> lines = flagLines(recipe.text, list);
        // A list that does not match the instruction set is kept: it is correct only for this recipe.
        if (whole && lines)
            pieces.append({lines->offset, lines->length, loopOf(*lines, extra)});
        else if (const auto line = whole && !list.isEmpty() ? lineOf(recipe.text, list, extra) : std::nullopt)
            pieces.append(*line);
    }
    return pieces;
}

/// Adds conditions around what is said of the first release that supports the GPU.
void addClaims(QList<Piece> &pieces, const KnownRecipe &recipe, const QList<Mention> &mentions)
{
    for (const ReleaseClaim &claim : releaseClaims(recipe.text)) {
        const bool ours = std::ranges::any_of(mentions, [&claim](const Mention &mention) {
            return mention.path.startsWith("gpu."_L1) && mention.offset >= claim.offset &&
                   mention.offset < claim.offset + claim.length;
        });
        if (!ours || !claim.alone)
            continue;
        const QString known = textAt(recipe.context, u"gpu.first_torch");
        pieces.append({claim.offset, 0,
                       known == claim.version
                           ? u"{% if gpu.first_torch == \"%1\" %}\n"_s.arg(claim.version)
                           : u"{% if gpu.id == \"%1\" %}\n"_s.arg(textAt(recipe.context, u"gpu.id"))});
        pieces.append({claim.offset + claim.length, 0, u"\n{% endif %}"_s});
    }
}

/// The text with the pieces replaced, as lines.
Lines withPieces(const QByteArray &text, QList<Piece> pieces)
{
    std::ranges::stable_sort(pieces, {}, &Piece::offset);
    Lines lines;
    QString line;
    const auto take = [&lines, &line](const QString &more) {
        const QStringList parts = more.split(u'\n');
        for (qsizetype i = 0; i < parts.size(); ++i) {
            if (i > 0)
                lines.append(std::exchange(line, QString()));
            line += parts.at(i);
        }
    };
    qsizetype at = 0;
    for (const Piece &piece : std::as_const(pieces)) {
        take(QString::fromUtf8(text.sliced(at, piece.offset - at)));
        line += piece.by;
        at = piece.offset + piece.length;
    }
    take(QString::fromUtf8(text.sliced(at)));
    lines.append(line);
    return lines;
}

/// Converts the recipe to lines of a template. Error: that is impossible.
Result<Lines> templateLines(const Catalog &catalog, const KnownRecipe &recipe)
{
    const auto failed = [&recipe](const QString &why) {
        return Error{Tr::tr("create a template from"), recipe.variant.name(), why, {}};
    };
    for (const char *mark : {"{{", "{%", "{#"}) {
        if (recipe.text.contains(mark))
            return failed(Tr::tr("it contains %1, which templates use").arg(QLatin1StringView(mark)));
    }
    const RecipeFacts facts = readFacts(recipe.text);
    if (facts.error)
        return failed(Tr::tr("it is not valid Nix"));
    QList<Piece> pieces = flagPieces(recipe, facts);
    const QList<Mention> mentions = mentionsIn(recipe.text, catalog, recipe.context);
    addClaims(pieces, recipe, mentions);
    for (const Mention &mention : mentions) {
        const bool within = std::ranges::any_of(pieces, [&mention](const Piece &piece) {
            return mention.offset < piece.offset + piece.length && piece.offset < mention.offset + mention.length;
        });
        const bool kept = isOfOtherPlatforms(mention, facts, textAt(recipe.context, u"isa.platform"));
        if (!within && !kept && !mention.path.isEmpty())
            pieces.append({mention.offset, mention.length, expressionOf(mention)});
    }
    return withPieces(recipe.text, std::move(pieces));
}

/// A recipe with its analysis.
struct Member {
    const KnownRecipe *recipe = nullptr;
    QByteArray build;      ///< build hash of the recipe exchanged to its class's variant; empty: that is impossible
    QString why;           ///< why that is impossible
    bool ownWords = false; ///< its texts about GPU or CPU contain words that cannot be exchanged ("RTX 40-series")
    Lines lines;           ///< empty: it cannot become a template
};

/// Recipes of one shape.
struct Shape {
    QList<const Member *> members;
    const Member *reference = nullptr;
};

class Learner
{
public:
    Learner(const Catalog &catalog, const QList<KnownRecipe> &recipes)
        : m_catalog(catalog)
        , m_recipes(recipes)
    {
    }

    Result<LearnedTemplate> learn()
    {
        readMembers();
        findShapes();
        if (m_shapes.isEmpty())
            return Error{Tr::tr("learn a template"), {}, Tr::tr("no recipe can become a template"), {}};
        LearnedTemplate learned;
        learned.reference = m_shapes.constFirst().reference->recipe->variant;
        learned.recipes = int(m_recipes.size());
        for (const Condition &condition : std::as_const(m_conditions))
            learned.conditions.append(condition.words);
        learned.text = mergedText();
        verify(learned);
        return learned;
    }

private:
    /// Which special handling a recipe needs according to the catalog. Between recipes that agree in these conditions
    /// only words are exchanged.
    [[nodiscard]] static QList<Condition> basics()
    {
        return {{u"isa.lacks_avx2"_s, u"isa.lacks_avx2"_s, {}},
                {u"gpu.lacks_cudnn"_s, u"gpu.lacks_cudnn"_s, {}},
                {u"blas.chosen"_s, u"blas.chosen"_s, {}}};
    }

    void readMembers()
    {
        QMap<QList<bool>, const KnownRecipe *> classes;
        QList<const KnownRecipe *> targets;
        for (const KnownRecipe &recipe : m_recipes) {
            QList<bool> key;
            for (const Condition &condition : basics())
                key.append(condition.holds(recipe.context));
            if (!classes.contains(key))
                classes.insert(key, &recipe);
            targets.append(classes.value(key));
        }
        std::vector<Member> members(size_t(m_recipes.size()));
        inParallel(m_recipes.size(), [&](qsizetype i) {
            const KnownRecipe &recipe = m_recipes.at(i);
            const KnownRecipe *target = targets.at(i);
            Member &member = members[size_t(i)];
            member.recipe = &recipe;
            const Result<Exchanged> made = exchanged(recipe.text, m_catalog, recipe.context, target->context);
            member.ownWords = made && !made->remarks.isEmpty();
            if (target == &recipe) { // Only another variant can show them.
                const Result<Exchanged> other =
                    exchanged(recipe.text, m_catalog, recipe.context, m_recipes.constLast().context);
                member.ownWords = other && !other->remarks.isEmpty();
            }
            if (made) {
                const Meaning meaning = readMeaning(made->text);
                member.build = meaning.build;
                member.why = meaning.problem;
            } else {
                member.why = made.error().why;
            }
            if (Result<Lines> lines = templateLines(m_catalog, recipe))
                member.lines = *std::move(lines);
            else
                member.why = lines.error().why;
        });
        m_members = QList<Member>(members.begin(), members.end());
    }

    /// Members grouped by what they would build, the largest group first.
    [[nodiscard]] static QList<QList<const Member *>> groupsOf(const QList<const Member *> &members)
    {
        QMap<QByteArray, qsizetype> places;
        QList<QList<const Member *>> groups;
        for (const Member *member : members) {
            if (member->build.isEmpty() || member->lines.isEmpty())
                continue;
            if (!places.contains(member->build)) {
                places.insert(member->build, groups.size());
                groups.append(QList<const Member *>());
            }
            groups[places.value(member->build)].append(member);
        }
        std::ranges::stable_sort(groups, [](const auto &a, const auto &b) { return a.size() > b.size(); });
        return groups;
    }

    /// The best candidates for a template: members without words of their own, if there are any.
    [[nodiscard]] static QList<const Member *> plainest(QList<const Member *> members)
    {
        if (!std::ranges::all_of(members, &Member::ownWords))
            members.removeIf([](const Member *member) { return member->ownWords; });
        return members;
    }

    void findShapes()
    {
        QMap<QList<bool>, QList<const Member *>> classes;
        for (const Member &member : std::as_const(m_members)) {
            QList<bool> key;
            for (const Condition &condition : basics())
                key.append(condition.holds(member.recipe->context));
            classes[key].append(&member);
        }
        if (classes.size() > 1) {
            for (const Condition &condition : basics()) {
                const auto holds = [&condition](const Member &member) {
                    return condition.holds(member.recipe->context);
                };
                if (std::ranges::any_of(m_members, holds) && !std::ranges::all_of(m_members, holds))
                    m_conditions.append(condition);
            }
        }
        for (const QList<const Member *> &members : std::as_const(classes)) {
            const QList<QList<const Member *>> groups = groupsOf(members);
            for (qsizetype i = 0; i < groups.size(); ++i) {
                if (i == 0) {
                    m_shapes.append({groups.at(i)});
                } else if (const std::optional<Condition> condition = separating(groups.at(i), members)) {
                    m_shapes.append({groups.at(i)});
                    if (!m_conditions.contains(*condition))
                        m_conditions.append(*condition);
                }
            }
        }
        std::ranges::stable_sort(m_shapes,
                                 [](const Shape &a, const Shape &b) { return a.members.size() > b.members.size(); });
        for (Shape &shape : m_shapes)
            shape.reference = &shape == &m_shapes.first()
                                  ? typical(plainest(ofCommonPlatform(shape.members)))
                                  : nearest(plainest(shape.members), m_shapes.constFirst().reference);
    }

    /// The fact of row or instruction set that exactly these of all `members` have; a single recipe makes no rule.
    [[nodiscard]] static std::optional<Condition> separating(const QList<const Member *> &group,
                                                             const QList<const Member *> &members)
    {
        if (group.size() < 2)
            return std::nullopt;
        for (const QString &path : {u"isa.platform"_s, u"isa.id"_s, u"gpu.id"_s}) {
            const QString value = textAt(group.constFirst()->recipe->context, path);
            const Condition condition{path + " == \""_L1 + value + u'"', path, value};
            const bool exact = !value.isEmpty() && std::ranges::all_of(members, [&](const Member *member) {
                return condition.holds(member->recipe->context) == group.contains(member);
            });
            if (exact)
                return condition;
        }
        return std::nullopt;
    }

    /// The members of the most common platform, because texts mention it.
    [[nodiscard]] static QList<const Member *> ofCommonPlatform(QList<const Member *> members)
    {
        const auto platformOf = [](const Member *member) { return textAt(member->recipe->context, u"isa.platform"); };
        QMap<QString, int> platforms;
        for (const Member *member : std::as_const(members))
            ++platforms[platformOf(member)];
        const QList<QString> names = platforms.keys();
        const QString most =
            *std::ranges::max_element(names, {}, [&platforms](const QString &name) { return platforms.value(name); });
        members.removeIf([&](const Member *member) { return platformOf(member) != most; });
        return members;
    }

    /// The member whose template is shared by the most others; else the one with the most lines in common with all.
    [[nodiscard]] static const Member *typical(const QList<const Member *> &members)
    {
        QHash<QString, int> lines; // by line: number of members that have it
        for (const Member *member : members) {
            const QSet<QString> own(member->lines.cbegin(), member->lines.cend());
            for (const QString &line : own)
                ++lines[line];
        }
        const auto commonness = [&lines](const Member *member) {
            qint64 sum = 0;
            const QSet<QString> own(member->lines.cbegin(), member->lines.cend());
            for (const QString &line : own)
                sum += 2 * lines.value(line);
            // Long texts must not count as more typical.
            return double(sum) / double(own.size());
        };
        return *std::ranges::max_element(members, {}, commonness);
    }

    [[nodiscard]] static const Member *nearest(const QList<const Member *> &members, const Member *reference)
    {
        const QSet<QString> wanted(reference->lines.cbegin(), reference->lines.cend());
        return *std::ranges::max_element(members, {}, [&wanted](const Member *member) {
            return std::ranges::count_if(member->lines, [&](const QString &line) { return wanted.contains(line); }) -
                   member->lines.size();
        });
    }

    struct Merged {
        QString line;
        quint64 shapes = 0; ///< one bit for each shape that has it
    };

    /// Merges the `lines` of one more shape: lines that both have in the same order are shared.
    static QList<Merged> merged(const QList<Merged> &known, const Lines &lines, quint64 bit)
    {
        const qsizetype rows = known.size();
        const qsizetype columns = lines.size();
        QList<qsizetype> common((rows + 1) * (columns + 1), 0);
        const auto at = [&common, columns](qsizetype i, qsizetype j) -> qsizetype & {
            return common[i * (columns + 1) + j];
        };
        for (qsizetype i = rows; i-- > 0;) {
            for (qsizetype j = columns; j-- > 0;)
                at(i, j) =
                    known.at(i).line == lines.at(j) ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
        }
        QList<Merged> result;
        qsizetype i = 0;
        qsizetype j = 0;
        while (i < rows || j < columns) {
            if (i < rows && j < columns && known.at(i).line == lines.at(j)) {
                result.append({known.at(i).line, known.at(i).shapes | bit});
                ++i;
                ++j;
            } else if (i < rows && (j == columns || at(i + 1, j) >= at(i, j + 1))) {
                result.append(known.at(i++));
            } else {
                result.append({lines.at(j++), bit});
            }
        }
        return result;
    }

    [[nodiscard]] QString mergedText() const
    {
        QList<Merged> lines;
        quint64 all = 0;
        const qsizetype shapes = std::min<qsizetype>(m_shapes.size(), 64);
        for (qsizetype i = 0; i < shapes; ++i) {
            const quint64 bit = quint64(1) << i;
            lines = merged(lines, m_shapes.at(i).reference->lines, bit);
            all |= bit;
        }
        QStringList text{u"{# Learned from %1 and %2 recipes beside it. #}"_s
                             .arg(m_shapes.constFirst().reference->recipe->variant.name())
                             .arg(m_recipes.size() - 1)};
        quint64 open = all;
        for (const Merged &line : std::as_const(lines)) {
            if (line.shapes != open && open != all)
                text.append(u"{% endif %}"_s);
            if (line.shapes != open && line.shapes != all)
                text.append(u"{% if "_s + conditionOf(line.shapes, int(shapes)) + u" %}"_s);
            open = line.shapes;
            text.append(line.line);
        }
        if (open != all)
            text.append(u"{% endif %}"_s);
        while (!text.isEmpty() && text.constLast().isEmpty())
            text.removeLast();
        return needs(text) + text.join(u'\n') + u'\n';
    }

    /// Declares values that the recipes need and other settings may lack: without this they would be rendered as empty.
    [[nodiscard]] QString needs(const QStringList &text) const
    {
        QStringList needed;
        const auto uses = [&text](const QString &path) {
            return std::ranges::any_of(
                text, [words = u"{{ %1 }}"_s.arg(path)](const QString &line) { return line.contains(words); });
        };
        for (const QString &path : {u"nixpkgs.rev"_s, u"nixpkgs.sha256"_s, u"torch.version"_s, u"torch.hash"_s,
                                    u"source.hash"_s, u"metadata_rev"_s}) {
            if (uses(path))
                needed.append(path);
        }
        const Variant &variant = m_shapes.constFirst().reference->recipe->variant;
        if (uses(u"version"_s) && variant == torchVariantOf(variant) && !needed.contains("torch.version"_L1))
            needed.append(u"torch.version"_s);
        // Special handling that no recipe here needed is unknown.
        QStringList unseen;
        for (const Condition &condition : basics()) {
            const auto seen = [&condition](const Shape &shape) {
                return condition.holds(shape.reference->recipe->context);
            };
            if (std::ranges::none_of(m_shapes, seen))
                unseen.append(condition.path);
        }
        return (needed.isEmpty() ? QString() : u"{# needs: %1 #}\n"_s.arg(needed.join(u' '))) +
               (unseen.isEmpty() ? QString() : u"{# not for: %1 #}\n"_s.arg(unseen.join(u' ')));
    }

    [[nodiscard]] bool holdsFor(const Condition &condition, int shape) const
    {
        return condition.holds(m_shapes.at(shape).reference->recipe->context);
    }

    /// The shortest condition that holds for exactly these shapes.
    [[nodiscard]] QString conditionOf(quint64 wanted, int shapes) const
    {
        const auto holdersOf = [&](const Condition &condition, bool negated) {
            quint64 bits = 0;
            for (int i = 0; i < shapes; ++i)
                bits |= holdsFor(condition, i) != negated ? quint64(1) << i : 0;
            return bits;
        };
        struct Literal {
            QString words;
            quint64 holders;
        };
        QList<Literal> literals;
        for (const bool negated : {false, true}) {
            for (const Condition &condition : m_conditions)
                literals.append({(negated ? u"not "_s : QString()) + condition.words, holdersOf(condition, negated)});
        }
        for (const Literal &one : std::as_const(literals)) {
            if (one.holders == wanted)
                return one.words;
        }
        for (const QString &word : {u" and "_s, u" or "_s}) {
            for (const Literal &one : std::as_const(literals)) {
                for (const Literal &other : std::as_const(literals)) {
                    if ((word == " and "_L1 ? one.holders & other.holders : one.holders | other.holders) == wanted)
                        return one.words + word + other.words;
                }
            }
        }
        // Describe each shape by all its facts.
        QStringList terms;
        for (int i = 0; i < shapes; ++i) {
            if (!(wanted & (quint64(1) << i)))
                continue;
            QStringList facts;
            for (const Condition &condition : m_conditions)
                facts.append((holdsFor(condition, i) ? QString() : u"not "_s) + condition.words);
            terms.append(facts.join(" and "_L1));
        }
        return terms.join(" or "_L1);
    }

    void verify(LearnedTemplate &learned) const
    {
        RecipeTemplates templates({});
        const QString name = u"learned"_s;
        templates.insert(name, learned.text);
        for (const Member &member : m_members) {
            const KnownRecipe &recipe = *member.recipe;
            const Result<QString> rendered = templates.render(name, recipe.context);
            if (!rendered) {
                learned.others.append({recipe.variant, rendered.error().why});
                continue;
            }
            const QByteArray text = QStringView(*rendered).trimmed().toUtf8() + '\n';
            if (text == recipe.text) {
                ++learned.identical;
                ++learned.same;
                continue;
            }
            const Sameness sameness = samenessOf(recipe.text, readMeaning(recipe.text), text, readMeaning(text));
            if (sameness == Sameness::Different)
                learned.others.append({recipe.variant, differences(recipe.text, text, member.why)});
            else
                ++learned.same;
        }
    }

    [[nodiscard]] static QString differences(const QByteArray &text, const QByteArray &other, const QString &why)
    {
        const auto valuesOf = [](const QByteArray &of) {
            QMap<QString, QString> values;
            for (const Fact &fact : readFacts(of).rows())
                values[fact.id] += fact.value;
            return values;
        };
        static const QStringList texts{u"description"_s, u"driver"_s};
        const QMap<QString, QString> mine = valuesOf(text);
        const QMap<QString, QString> theirs = valuesOf(other);
        QStringList ids = mine.keys() + theirs.keys();
        ids.sort();
        ids.removeDuplicates();
        QStringList differing;
        for (const QString &id : std::as_const(ids)) {
            if (mine.value(id) != theirs.value(id) && !texts.contains(id))
                differing.append(id);
        }
        if (!differing.isEmpty())
            return Tr::tr("%1 differ").arg(differing.join(", "_L1));
        return why.isEmpty() ? Tr::tr("it builds something else") : why;
    }

    const Catalog &m_catalog;
    const QList<KnownRecipe> &m_recipes;
    QList<Member> m_members; ///< must not grow once shapes point into it
    QList<Condition> m_conditions;
    QList<Shape> m_shapes; ///< the largest first
};

} // namespace

Result<LearnedTemplate> learnTemplate(const Catalog &catalog, const QList<KnownRecipe> &recipes)
{
    if (recipes.isEmpty())
        return Error{Tr::tr("learn a template"), {}, Tr::tr("there is no recipe to learn it from"), {}};
    return Learner(catalog, recipes).learn();
}

} // namespace tmx
