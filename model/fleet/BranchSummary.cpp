// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/fleet/BranchSummary.h"

#include "model/catalog/Versions.h"
#include "model/fleet/BuiltRecipes.h"
#include "model/snapshot/Bytes.h"

#include <algorithm>
#include <cstring>

using namespace Qt::StringLiterals;

namespace tmx {

// Not in an anonymous namespace, where QList's own do not find them.
static QDataStream &operator<<(QDataStream &out, const PinUse &use)
{
    return out << use.revision << use.recipes << use.files;
}
static QDataStream &operator>>(QDataStream &in, PinUse &use)
{
    return in >> use.revision >> use.recipes >> use.files;
}
static QDataStream &operator<<(QDataStream &out, const ProblemCounts &problems)
{
    return out << problems.errors << problems.warnings << problems.faulty << problems.warned;
}
static QDataStream &operator>>(QDataStream &in, ProblemCounts &problems)
{
    return in >> problems.errors >> problems.warnings >> problems.faulty >> problems.warned;
}
static QDataStream &operator<<(QDataStream &out, const PinnedVersion &version)
{
    return out << version.revision << version.family << version.version;
}
static QDataStream &operator>>(QDataStream &in, PinnedVersion &version)
{
    return in >> version.revision >> version.family >> version.version;
}

namespace {

/// Calls `field` with each member, in the order of the bytes.
template <class Summary, class Field>
void forEachField(Summary &summary, const Field &field)
{
    field(summary.matrix);
    field(summary.settingsError);
    field(summary.versions);
    field(summary.pythons);
    field(summary.toolkits);
    field(summary.pins);
    field(summary.pinnedVersions);
    field(summary.missing);
    field(summary.holes);
    field(summary.gaps);
    field(summary.problems);
}

/// Calls `field` with each member of a recipe, in the order of the bytes.
template <class Recipe, class Field>
void forEachRecipeField(Recipe &recipe, Field &field)
{
    auto &variant = recipe.variant;
    auto &torch = recipe.torch;
    for (auto *text : {&variant.family, &variant.python, &variant.cuda, &variant.row, &variant.isa, &variant.rest,
                       &recipe.package, &torch.version, &torch.pin, &torch.archive, &torch.revision, &torch.path})
        field(*text);
    for (auto *texts : {&recipe.files, &recipe.identities})
        field(*texts);
    for (auto *flag : {&torch.isTorch, &torch.needed, &torch.fromPin})
        field(*flag);
}

/// Numbers as bytes of this machine: QDataStream reads them one by one.
class Numbers
{
public:
    QByteArray bytes;
    void append(quint32 number) { bytes.append(reinterpret_cast<const char *>(&number), sizeof number); }
    [[nodiscard]] qsizetype size() const { return bytes.size() / qsizetype(sizeof(quint32)); }
    [[nodiscard]] quint32 at(qsizetype i) const
    {
        quint32 number = 0;
        std::memcpy(&number, bytes.constData() + i * qsizetype(sizeof number), sizeof number);
        return number;
    }
};

/// The fields of recipes as numbers of words, of which the recipes of a branch share most: the overview reads thousands
/// of recipes before it is shown.
struct PackedRecipes {
    QByteArray words; ///< UTF-8, one after the other
    Numbers lengths;  ///< of the words, in bytes
    Numbers fields;
};

class Packing
{
public:
    void operator()(const QString &text) { packed.fields.append(numberOf(text)); }
    void operator()(bool flag) { packed.fields.append(flag ? 1 : 0); }
    void operator()(const QStringList &texts)
    {
        packed.fields.append(quint32(texts.size()));
        for (const QString &text : texts)
            (*this)(text);
    }
    PackedRecipes packed;

private:
    quint32 numberOf(const QString &text)
    {
        const auto known = m_numbers.constFind(text);
        if (known != m_numbers.cend())
            return *known;
        const QByteArray word = text.toUtf8();
        packed.words.append(word);
        packed.lengths.append(quint32(word.size()));
        return *m_numbers.insert(text, quint32(packed.lengths.size() - 1));
    }
    QHash<QString, quint32> m_numbers;
};

class Unpacking
{
public:
    explicit Unpacking(const PackedRecipes &packed)
        : m_fields(packed.fields)
    {
        m_words.reserve(packed.lengths.size());
        qsizetype begin = 0;
        for (qsizetype i = 0; i < packed.lengths.size(); ++i) {
            const QByteArrayView word = QByteArrayView(packed.words).mid(begin, packed.lengths.at(i));
            m_words.append(QString::fromUtf8(word));
            begin += packed.lengths.at(i);
        }
        m_isWhole = begin == packed.words.size();
    }
    void operator()(QString &text)
    {
        const quint32 number = next();
        m_isWhole = m_isWhole && number < quint32(m_words.size());
        text = m_isWhole ? m_words.at(number) : QString();
    }
    void operator()(bool &flag) { flag = next() == 1; }
    void operator()(QStringList &texts)
    {
        for (quint32 left = next(); left > 0 && m_isWhole; --left)
            (*this)(texts.emplace_back());
    }
    [[nodiscard]] bool atEnd() const { return m_at == m_fields.size(); }
    [[nodiscard]] bool isWhole() const { return m_isWhole; } ///< no number was missing, and each one is of a word

private:
    quint32 next()
    {
        m_isWhole = m_isWhole && m_at < m_fields.size();
        return m_isWhole ? m_fields.at(m_at++) : 0;
    }
    const Numbers &m_fields;
    QStringList m_words;
    qsizetype m_at = 0;
    bool m_isWhole = true;
};

} // namespace

BranchSummary BranchSummary::of(const Catalog &catalog, const BranchSnapshot &snapshot)
{
    BranchSummary summary;
    summary.matrix = snapshot.hasMatrix();
    summary.settingsError = snapshot.settingsError ? snapshot.settingsError->sentence() : QString();
    summary.pythons = snapshot.settings.pythons();
    summary.toolkits = snapshot.settings.toolkits();
    summary.problems = problemsOf(snapshot);
    summary.pins = pinsOf(snapshot);
    for (const VariantEntry &entry : snapshot.entries) {
        summary.missing += entry.state == RecipeState::Missing;
        summary.holes += entry.hole;
        if (entry.state == RecipeState::Missing || entry.hole)
            summary.gaps.append(entry.variant);
        if (!entry.present || entry.fileStatus == FileStatus::Deleted)
            continue;
        StatedTorch torch = statedTorch(snapshot, entry);
        const Family *family = catalog.family(entry.variant.family);
        torch.needed = torch.needed || (family && family->companion);
        QStringList &versions = summary.versions[entry.variant.family];
        if (entry.facts && !entry.facts->error) {
            const QString version =
                ownVersion(snapshot, entry, catalog.titleOf(FamilyName::of(entry.variant.family).word));
            if (!version.isEmpty() && !versions.contains(version))
                versions.append(version);
            const auto shows = [&](const QString &family, const QString &version) {
                const PinnedVersion shown{torch.pin, family, version};
                if (!shown.revision.isEmpty() && version.contains(u'.') && !summary.pinnedVersions.contains(shown))
                    summary.pinnedVersions.append(shown);
            };
            if (torch.isTorch ? torch.fromPin
                              : entry.facts->pins.size() == 1 && !hasOwnSource(entry.facts->compiled()) &&
                                    snapshot.settings.profileOf(entry.variant).sourceHash.isEmpty())
                shows(FamilyName::of(entry.variant.family).word, version);
            if (torch.needed && torch.fromPin)
                shows(u"pytorch"_s, torch.version);
        }
        summary.recipes.append(
            {entry.variant, entry.package(), filesOf(entry), shownIdentities(snapshot, entry), torch});
    }
    for (QStringList &versions : summary.versions)
        versions.sort();
    std::ranges::sort(summary.pinnedVersions);
    return summary;
}

QByteArray BranchSummary::toBytes() const
{
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    forEachField(*this, [&out](const auto &field) { out << field; });
    Packing packing;
    for (const RecipeSummary &recipe : recipes)
        forEachRecipeField(recipe, packing);
    out << packing.packed.words << packing.packed.lengths.bytes << packing.packed.fields.bytes;
    return qCompress(bytes, 1);
}

std::optional<BranchSummary> BranchSummary::fromBytes(const QByteArray &bytes)
{
    const QByteArray plain = bytes.isEmpty() ? QByteArray() : qUncompress(bytes);
    QDataStream in(plain);
    BranchSummary summary;
    forEachField(summary, [&in](auto &field) { in >> field; });
    PackedRecipes packed;
    in >> packed.words >> packed.lengths.bytes >> packed.fields.bytes;
    if (plain.isEmpty() || in.status() != QDataStream::Ok || !in.atEnd())
        return std::nullopt;
    Unpacking unpacking(packed);
    while (!unpacking.atEnd() && unpacking.isWhole())
        forEachRecipeField(summary.recipes.emplace_back(), unpacking);
    return unpacking.isWhole() ? std::optional(std::move(summary)) : std::nullopt;
}

bool BranchSummary::hasTorch() const
{
    return std::ranges::any_of(recipes, [](const RecipeSummary &recipe) { return recipe.torch.isTorch; });
}

} // namespace tmx
