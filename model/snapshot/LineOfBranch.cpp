// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/RecipeFacts.h"
#include "model/settings/LineFile.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/snapshot/NamedFile.h"

#include <QCoreApplication>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(tmx::LineOfBranch)
};

/// What the recipes of a branch say together.
struct Evidence {
    QSet<Variant> variants;
    QStringList families, pythons, cudas; ///< each once, cudas ascending
    QByteArrayList texts;
    QHash<QString, QByteArrayList> textsOf; ///< by toolkit; those without one under an empty name

    [[nodiscard]] bool mostTextsHold(const QString &words) const
    {
        if (words.isEmpty())
            return false;
        const QByteArray bytes = words.toUtf8();
        return 2 * std::ranges::count_if(texts, [&bytes](const QByteArray &text) { return text.contains(bytes); }) >
               texts.size();
    }
};

Evidence evidenceOf(const Catalog &catalog, const BranchContent &content)
{
    Evidence evidence;
    QSet<QString> families, pythons, cudas;
    for (const NamedFile &named : namedFiles(catalog, content)) {
        if (!named.name.suffix.isEmpty())
            continue;
        const Variant &variant = named.name.variant;
        evidence.variants.insert(variant);
        families.insert(variant.family);
        pythons.insert(variant.python);
        if (!variant.cuda.isEmpty())
            cudas.insert(variant.cuda);
        if (const QByteArray text = named.gone ? named.file->committed.value_or(QByteArray()) : named.text();
            !text.isEmpty()) {
            evidence.texts.append(text);
            evidence.textsOf[variant.cuda].append(text);
        }
    }
    for (const QString &family : catalog.familyIds()) {
        if (families.contains(family))
            evidence.families.append(family);
    }
    evidence.pythons = pythons.values();
    std::ranges::sort(evidence.pythons, [](const QString &a, const QString &b) { return a > b; });
    evidence.cudas = cudas.values();
    std::ranges::sort(evidence.cudas, [](const QString &a, const QString &b) { return compareVersions(a, b) < 0; });
    return evidence;
}

/// The family's version on the line; of a companion that the line does not name, the one that goes with the line's
/// PyTorch.
QString versionOn(const Settings &line, const Catalog &catalog, const QString &family)
{
    if (const QString own = line.versionOf(family); !own.isEmpty())
        return own;
    const Family *known = catalog.family(family);
    return known ? known->versionFor(line.versionOf(u"pytorch"_s)) : QString();
}

/// The built-in line that the recipes follow; null when none does, or when it cannot be told which.
const Settings *followedLine(const Catalog &catalog, const Evidence &evidence)
{
    QList<const Settings *> candidates;
    for (const Settings &line : catalog.lines) {
        const bool family = std::ranges::any_of(
            evidence.families, [&](const QString &id) { return !versionOn(line, catalog, id).isEmpty(); });
        const bool cudas = std::ranges::all_of(
            evidence.cudas, [&line](const QString &version) { return line.toolkits().contains(version); });
        if (family && cudas && evidence.mostTextsHold(line.common(&Profile::pin).revision))
            candidates.append(&line);
    }
    if (candidates.size() > 1) {
        candidates.removeIf([&evidence](const Settings *line) {
            return std::ranges::none_of(line->families(), [&](const QString &family) {
                return evidence.mostTextsHold(line->versionOf(family));
            });
        });
    }
    return candidates.size() == 1 ? candidates.constFirst() : nullptr;
}

/// Rows and ISAs that are there for every family, Python and toolkit of the line: what it can promise without calling
/// anything missing.
QList<WrittenCoverage> coverageThere(const Catalog &catalog, const WrittenSettings &line, const QSet<Variant> &variants)
{
    const auto isThere = [&](const QString &row, const QString &isa, bool gpu) {
        for (const QString &family : line.promisedFamilies()) {
            for (const QString &python : line.pythons) {
                if (!gpu && !variants.contains(Variant{family, python, {}, row, isa}))
                    return false;
                for (const WrittenCuda &cuda : line.cudas) {
                    if (gpu && !variants.contains(Variant{family, python, cuda.version, row, isa}))
                        return false;
                }
            }
        }
        return !gpu || !line.cudas.isEmpty();
    };
    QStringList isaIds = catalog.isaIds();
    isaIds.append(QString()); // darwin-mps has none
    QList<WrittenCoverage> blocks;
    for (const GpuRow &row : catalog.rows) {
        QStringList isas;
        for (const QString &isa : std::as_const(isaIds)) {
            if (isThere(row.id, isa, row.isGpu()))
                isas.append(isa);
        }
        if (isas.isEmpty())
            continue;
        if (!blocks.isEmpty() && blocks.constLast().isas == isas)
            blocks.last().rows.append(row.id);
        else
            blocks.append({{row.id}, isas});
    }
    return blocks;
}

/// The one nixpkgs revision that all recipes fetch; empty when they do not agree, or fetch none.
QString commonPin(const RecipeCache &recipes, const QByteArrayList &texts)
{
    QString pin;
    for (const QByteArray &text : texts) {
        const QList<PinFacts> &pins = recipes.facts(text)->pins;
        const QString here = pins.isEmpty() ? QString() : pins.constFirst().revision.value;
        if (here.size() != 40 || (!pin.isEmpty() && pin != here))
            return {};
        pin = here;
    }
    return pin;
}

WrittenSettings lineFromNames(const RecipeCache &recipes, const Evidence &evidence)
{
    WrittenSettings line;
    line.families = evidence.families;
    line.pythons = evidence.pythons;
    for (const QString &version : evidence.cudas) {
        const Toolkit *toolkit = recipes.catalog()->toolkit(version);
        line.cudas.append({version, version, toolkit ? toolkit->attribute : QString()});
    }
    line.pin.revision = commonPin(recipes, evidence.texts);
    if (line.pin.revision.isEmpty()) {
        // Toolkits side by side have a revision each, where their recipes agree on one.
        line.pin.revision = commonPin(recipes, evidence.textsOf.value(QString()));
        for (WrittenCuda &cuda : line.cudas)
            cuda.pin.revision = commonPin(recipes, evidence.textsOf.value(cuda.version));
    }
    return line;
}

/// Rows most of whose PyTorch recipes, in this branch or beside it, have a target in sm notation.
QStringList smRowsOf(const RecipeCache &recipes, const BranchContent &content)
{
    const Catalog &catalog = *recipes.catalog();
    BranchContent beside; // only committed: nothing of it is in this work tree
    beside.files = content.torchFiles;
    QMap<QString, int> votes;
    for (const NamedFile &named : namedFiles(catalog, content) + namedFiles(catalog, beside)) {
        const QString row = named.name.variant.row;
        const QByteArray text = named.text();
        if (named.name.variant.family != "pytorch"_L1 || named.gone || !row.startsWith("sm"_L1))
            continue;
        // Hardly any recipe has it, and only those that do are worth reading.
        const QStringList targets =
            text.contains("sm_") ? recipes.facts(text)->package.gpuTargets.values() : QStringList();
        votes[row] += targets.join(u' ').startsWith("sm_"_L1) ? 1 : -1;
    }
    QStringList rows;
    for (auto it = votes.cbegin(); it != votes.cend(); ++it) {
        if (*it > 0)
            rows.append(it.key());
    }
    return rows;
}

/// With what companions need to know of the PyTorch recipes that they go with.
Settings besideTorch(Settings line, const RecipeCache &recipes, const BranchContent &content)
{
    const QStringList families = line.families();
    const bool companions = std::ranges::any_of(families, [&recipes](const QString &id) {
        const Family *family = recipes.catalog()->family(id);
        return family && family->companion;
    });
    const bool open = std::ranges::any_of(
        line.profiles, [](const Profile &profile) { return profile.notation == ArchNotation::Automatic; });
    if (companions && open)
        line.smRows = smRowsOf(recipes, content);
    return line;
}

QString troubleOf(FileTrouble trouble)
{
    const auto unread = [](const QString &why) {
        return Error{Text::tr("read"), QString(lineFileName), why, {}}.sentence();
    };
    switch (trouble) {
    case FileTrouble::None: return {};
    case FileTrouble::Link: return unread(Text::tr("it is a symbolic link, and git does not follow links"));
    case FileTrouble::Folder: return unread(Text::tr("it is a folder"));
    case FileTrouble::TooLarge: return unread(Text::tr("it is too large"));
    case FileTrouble::NotText: return unread(Text::tr("it is not UTF-8 text"));
    case FileTrouble::Unreadable: return unread(Text::tr("check its permissions"));
    }
    Q_UNREACHABLE_RETURN({});
}

} // namespace

Settings lineFor(const RecipeCache &recipes, const BranchContent &content, QString *problem)
{
    const Catalog &catalog = *recipes.catalog();
    if (content.lineTrouble != FileTrouble::None && problem)
        *problem = troubleOf(content.lineTrouble);
    if (content.lineFile) {
        const Result<Settings> line = readLineFile(*content.lineFile, catalog, content.branch);
        if (line)
            return besideTorch(*line, recipes, content);
        if (problem)
            *problem = line.error().sentence();
    }
    const Evidence evidence = evidenceOf(catalog, content);
    if (const Settings *builtIn = catalog.line(content.branch)) {
        const bool ours = std::ranges::any_of(
            evidence.families, [builtIn](const QString &id) { return builtIn->families().contains(id); });
        if (ours || evidence.families.isEmpty())
            return *builtIn;
    }
    const Settings *followed = followedLine(catalog, evidence);
    WrittenSettings line = followed ? written(*followed, catalog) : lineFromNames(recipes, evidence);
    if (followed &&
        std::ranges::none_of(evidence.families, [&line](const QString &id) { return line.versions.contains(id); })) {
        // A repository of companions: the same settings, for its families.
        for (const QString &family : evidence.families)
            line.versions.insert(family, versionOn(*followed, catalog, family));
        line.families = evidence.families;
    }
    const auto inferred = [&] {
        return besideTorch(expanded(line, catalog, content.branch, Settings::Source::Inferred), recipes, content);
    };
    if (followed) {
        const QList<Variant> promised = inferred().promised();
        const auto there = std::ranges::count_if(
            promised, [&evidence](const Variant &variant) { return evidence.variants.contains(variant); });
        if (2 * there >= promised.size())
            return inferred();
    }
    line.coverage = coverageThere(catalog, line, evidence.variants);
    return inferred();
}

} // namespace tmx
