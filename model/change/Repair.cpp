// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Repair.h"

#include "model/audit/Audit.h"
#include "model/audit/BranchRules.h"
#include "model/base/Parallel.h"
#include "model/base/RepositoryPaths.h"
#include "model/base/Sentences.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/change/Change.h"
#include "model/change/Findings.h"
#include "model/change/Generate.h"
#include "model/change/Library.h"
#include "model/change/Preparation.h"
#include "model/change/RecipeConverter.h"
#include "model/snapshot/RecipeLike.h"
#include "model/snapshot/SiblingWords.h"

#include <algorithm>

using namespace Qt::StringLiterals;
using Action = tmx::ChangeAction;

namespace tmx {

namespace {

QString fileName(const QString &path)
{
    return packageOf(path) + (path.endsWith("/default.nix"_L1) ? "/default.nix"_L1 : ".nix"_L1);
}

/// A file with the variant whose cell it claims.
struct PlacedFile {
    ChangedFile file;
    Variant variant;
};

void leaveImpossible(ChangedFile &file, const QString &why)
{
    file.chosen = false;
    file.possible = false;
    file.reason = joinedSentences({file.reason, why});
}

/// The gravest error in a recipe's text, one sentence; empty if there is none. Ignores errors in its name, which a
/// rename fixes, and a missing sibling, which the sibling's own recipe fixes.
QString errorOf(const VariantEntry &entry)
{
    QStringList sentences;
    for (const Finding &finding : entry.findings) {
        if (finding.severity == Severity::Error && finding.rule != "name-dotted"_L1 &&
            finding.rule != "companion-sibling-missing"_L1)
            sentences.append(placedSentence(finding));
    }
    if (sentences.isEmpty())
        return entry.state == RecipeState::Broken && entry.findings.isEmpty() && !entry.package().contains(u'.')
                   ? entry.reason
                   : QString();
    if (sentences.size() == 1)
        return sentences.constFirst();
    return Tr::tr("%1 It has %n more errors.", nullptr, int(sentences.size() - 1)).arg(sentences.constFirst());
}

/// A recipe adapted to the branch settings.
struct Mended {
    QByteArray text;
    QString how;             ///< how it was changed, one sentence
    bool inPlace = false;    ///< only the wrong bytes were replaced
    bool errorsStay = false; ///< it follows the settings, but has errors that it had before
};

/// Adapts recipes to the settings with as few changes as possible.
class Mender
{
public:
    /// `library`: gets what belongs into the files that recipes import.
    Mender(const RecipeCache &recipes, const BranchSnapshot &snapshot, const BranchContent &content, Library &library)
        : m_catalog(*recipes.catalog())
        , m_snapshot(snapshot)
        , m_inputs(m_catalog, m_snapshot)
        , m_stated(statedSettings(recipes, content, snapshot.settings))
        , m_carry(recipes, m_stated, m_snapshot.settings, &library.files())
    {
        changeImports(recipes, library);
        QList<const VariantEntry *> entries;
        QList<Variant> variants;
        for (const VariantEntry &entry : snapshot.entries) {
            // What the plan creates gets the template's text too: where only the first few recipes are there, the
            // template is what the settings want.
            if (!entry.present && entry.covered && entry.state != RecipeState::Unsupported && !entry.rendered.isEmpty())
                addPlain(entry);
            else if (!entry.present || entry.text.isEmpty())
                continue;
            ++m_recipes[ProfileKey::of(entry.variant)];
            if (!entry.present)
                continue;
            if (entry.text == entry.rendered && !followsRecipes(entry))
                addPlain(entry);
            else if (!m_carry.sameBuild(entry.variant) && !followsRecipes(entry)) {
                entries.append(&entry);
                variants.append(entry.variant);
            }
        }
        const QList<Result<QByteArray>> texts = recipes.rendered(m_stated, variants);
        for (qsizetype i = 0; i < texts.size(); ++i) {
            if (texts.at(i) && *texts.at(i) == entries.at(i)->text)
                addPlain(*entries.at(i));
        }
    }

    /// Whether it needs no other change than that of the files that it imports.
    [[nodiscard]] bool follows(const VariantEntry &entry) const { return m_following.contains(entry.variant.name()); }
    /// Why files that recipes import are not changed, one sentence each.
    [[nodiscard]] const QStringList &warnings() const { return m_warnings; }
    [[nodiscard]] bool declares(const Variant &variant) const { return m_catalog.family(variant.family); }
    [[nodiscard]] bool knowsRow(const Variant &variant) const
    {
        return variant.row == everyGpu || m_catalog.row(variant.row);
    }

    /// nullopt: it needs no change, or cannot be fixed. The result has no error that the recipe does not have.
    /// Companions are audited with the recipes that were requested before.
    [[nodiscard]] std::optional<Mended> mended(const VariantEntry &entry)
    {
        const std::optional<Mended> mended = worked(entry);
        if (mended)
            m_inputs.replace(entry, mended->text);
        return mended;
    }

    /// Whether the settings changed in a way that affects the recipe and that it does not follow.
    [[nodiscard]] bool isBehind(const VariantEntry &entry) const
    {
        return (entry.state == RecipeState::Customised || followsRecipes(entry)) && m_carry.concerns(entry.variant);
    }

    /// Which settings it does not follow, with both values.
    [[nodiscard]] QStringList keysBehind(const VariantEntry &entry) const
    {
        return m_carry.notFollowedKeys(entry.text, entry.variant);
    }

    /// Whether the template was made from the branch's own recipes, including their wording.
    [[nodiscard]] bool isLearnedFor(const VariantEntry &entry) const
    {
        return isLearned(m_snapshot.settings.profileOf(entry.variant).templateName);
    }

    /// Why the template's text would not follow the settings either, in an error's words; empty if it does.
    [[nodiscard]] QString whyTemplateIsBehind(const VariantEntry &entry) const
    {
        const Result<QByteArray> rendered = m_carry.following(entry.rendered, entry.variant, entry.variant);
        return rendered ? QString() : rendered.error().why;
    }

    /// Whether the template's text has fewer errors than the recipe.
    [[nodiscard]] bool isMendedByTemplate(const VariantEntry &entry) const
    {
        return errorsOfTemplate(entry).size() < std::ranges::count_if(entry.findings, isError);
    }

private:
    /// Changes what the recipes import, once for all of them: where the settings have other values, and where the audit
    /// finds errors that can be fixed there.
    void changeImports(const RecipeCache &recipes, Library &library)
    {
        QList<const VariantEntry *> entries;
        for (const VariantEntry &entry : std::as_const(m_snapshot.entries)) {
            if (entry.present && entry.covered && entry.imports && entry.fileStatus != FileStatus::Deleted)
                entries.append(&entry);
        }
        if (entries.isEmpty())
            return;
        if (const auto whyNot = library.followAll(entries, m_carry, {}, SharedPin::Stays))
            m_warnings += whyNot->values();
        const QStringList changed = library.changedPaths();
        const auto isWanted = [&changed](const Finding &finding) {
            return isError(finding) && finding.fixable && !changed.contains(finding.file);
        };
        for (const ChangedFile &file : fixedImports(recipes, m_snapshot, entries, isWanted, Leaves::Nothing)) {
            const std::optional<Error> error =
                file.chosen ? library.rewrite(file.path, *file.after, file.reason) : std::nullopt;
            if (!file.chosen || error)
                m_warnings.append(u"%1: %2"_s.arg(file.path, error ? error->sentence() : file.reason));
        }
        m_warnings.removeDuplicates();
        QList<AuditInput> inputs;
        QStringList names;
        for (const VariantEntry *entry : std::as_const(entries)) {
            if (!library.reaches(entry->file, entry->text))
                continue;
            inputs.append(m_inputs.of(*entry));
            inputs.last().files = library.files();
            inputs.last().facts.reset();
            names.append(entry->variant.name());
        }
        const QList<Judgement> judgements = recipes.audited(m_snapshot.settings, inputs);
        for (qsizetype i = 0; i < judgements.size(); ++i) {
            if (std::ranges::none_of(judgements.at(i).findings, isErrorOfText))
                m_following.insert(names.at(i));
        }
    }

    static bool isError(const Finding &finding) { return finding.severity == Severity::Error; }
    /// Whether another text of the same recipe could resolve it.
    static bool isErrorOfText(const Finding &finding)
    {
        return isError(finding) && isOfText(finding) && finding.rule != "companion-sibling-missing"_L1;
    }

    [[nodiscard]] QList<Finding> errorsOfTemplate(const VariantEntry &entry) const
    {
        AuditInput input = m_inputs.of(entry);
        input.text = entry.rendered;
        input.facts.reset();
        QList<Finding> findings = audit(input).findings;
        findings.removeIf([](const Finding &finding) { return !isError(finding); });
        return findings;
    }

    [[nodiscard]] std::optional<Mended> worked(const VariantEntry &entry) const
    {
        const QString regenerated = Tr::tr("It is regenerated from its template.");
        const auto rendered = [&entry](const QString &how) {
            return entry.rendered.isEmpty() ? std::nullopt : std::optional(Mended{.text = entry.rendered, .how = how});
        };
        if (entry.text.isEmpty())
            return rendered(regenerated);
        if (m_plain.contains(entry.variant.name()))
            return entry.text == entry.rendered ? std::nullopt : rendered(regenerated);
        const Carried carry = carried(entry);
        const PartlyFixed fixed = fixedAsFarAsPossible(m_inputs, entry, carry.text, isErrorOfText);
        const bool templateIsOwn =
            2 * m_plainOf.value(ProfileKey::of(entry.variant)) >= m_recipes.value(ProfileKey::of(entry.variant));
        if (!fixed.left.isEmpty() && templateIsOwn && std::ranges::none_of(errorsOfTemplate(entry), isErrorOfText))
            return rendered(regenerated);
        // Errors that stay are no reason not to follow the settings. But a commit that is to fix a recipe fixes all.
        if (fixed.text == entry.text || fixed.left.size() > std::ranges::count_if(entry.findings, isError) ||
            (!fixed.left.isEmpty() && carry.text == entry.text))
            return std::nullopt;
        QString how = Tr::tr("It is changed in place.");
        if (!carry.remark.isEmpty())
            how = joinedSentences({how, carry.remark});
        if (!fixed.left.isEmpty())
            how = joinedSentences({how, wordsOfLeft(fixed)});
        return Mended{.text = fixed.text, .how = how, .inPlace = true, .errorsStay = !fixed.left.isEmpty()};
    }

    void addPlain(const VariantEntry &entry)
    {
        m_plain.insert(entry.variant.name());
        ++m_plainOf[ProfileKey::of(entry.variant)];
    }

    /// Whether the recipe's template was learned from recipes that do not follow the settings yet: then equality with
    /// its text means nothing.
    [[nodiscard]] bool followsRecipes(const VariantEntry &entry) const
    {
        return !m_carry.sameBuild(entry.variant) &&
               isLearned(m_snapshot.settings.profileOf(entry.variant).templateName);
    }

    /// The text adapted to the branch's settings, as far as possible.
    [[nodiscard]] Carried carried(const VariantEntry &entry) const
    {
        if (entry.state == RecipeState::Equivalent && !followsRecipes(entry))
            return {.text = entry.text, .remark = {}};
        const Result<Carried> carried = m_carry.inPlace(entry.text, entry.variant, entry.variant);
        return carried ? *carried : Carried{.text = entry.text, .remark = {}};
    }

    const Catalog &m_catalog;
    const BranchSnapshot &m_snapshot;
    AuditInputs m_inputs;    ///< with the fixed recipes: companions import them
    const Settings m_stated; ///< as the recipes state them
    const RecipeConverter m_carry;
    QSet<QString> m_following; ///< names of variants that need only what they import
    QStringList m_warnings;
    QSet<QString> m_plain; ///< names of variants whose text came from a template
    QHash<ProfileKey, int> m_plainOf;
    QHash<ProfileKey, int> m_recipes;
};

/// Adds the changes for the files of one entry of the snapshot.
class FilesOfEntry
{
public:
    FilesOfEntry(const BranchSnapshot &snapshot, const BranchContent &content, Mender &mender,
                 const VariantEntry &entry, QList<PlacedFile> &files)
        : m_uncommitted(snapshot.uncommitted)
        , m_content(content)
        , m_mender(mender)
        , m_entry(entry)
        , m_files(files)
        , m_error(errorOf(entry))
    {
    }

    void add()
    {
        if (!m_entry.present || m_entry.fileStatus == FileStatus::Deleted)
            addAbsent();
        else if (m_entry.covered)
            addPromised();
        else
            addUnpromised();
        for (const QString &file : m_entry.duplicates)
            addDuplicate(file);
    }

private:
    ChangedFile &append(Action action, const QString &name, const QString &path, const QString &reason, bool chosen)
    {
        const std::optional<QByteArray> before = textIn(m_content, path);
        const bool writes = action == Action::Create || action == Action::Rewrite;
        m_files.append({{.action = action,
                         .name = name,
                         .path = path,
                         .before = before,
                         .after = writes                     ? std::optional(m_entry.rendered)
                                  : action == Action::Delete ? std::nullopt
                                                             : before,
                         .reason = reason,
                         .chosen = chosen},
                        m_entry.variant});
        return m_files.last().file;
    }
    ChangedFile &append(Action action, const QString &reason, bool chosen)
    {
        return append(action, m_entry.variant.name(), m_entry.file, reason, chosen);
    }
    void appendCreate(const QString &reason, bool chosen)
    {
        needsTemplate(append(Action::Create, m_entry.variant.name(), m_entry.file, reason, chosen));
    }

    /// Makes a Create or Rewrite without a text impossible.
    void needsTemplate(ChangedFile &file) const
    {
        if (m_entry.rendered.isEmpty())
            leaveImpossible(file, m_entry.renderError);
    }

    void addAbsent()
    {
        if (m_entry.hole)
            appendCreate(
                joinedSentences({m_entry.reason, Tr::tr("The branch settings do not list it."), m_entry.origin}),
                false);
        if (!m_entry.covered)
            return; // It is deleted, or has only a file with a suffix, which addDuplicate handles.
        if (m_entry.state == RecipeState::Unsupported) {
            append(Action::Create, m_entry.variant.name(), m_entry.file, m_entry.reason, false).possible = false;
            return;
        }
        const bool deleted = m_entry.present;
        QString reason = deleted ? Tr::tr("It was deleted in the working tree; the deletion is not committed.")
                                 : Tr::tr("The branch settings list it, but there is no recipe.");
        if (!deleted && !m_entry.reason.isEmpty())
            reason = joinedSentences({reason, m_entry.reason, m_entry.origin});
        else if (!m_entry.restoredFrom.isEmpty() && !m_entry.reason.isEmpty()) // It says that it is deleted.
            reason = joinedSentences({m_entry.reason, m_entry.origin});
        else if (!m_entry.origin.isEmpty())
            reason = joinedSentences({reason, m_entry.origin});
        else if (!deleted && !m_entry.rendered.isEmpty() && m_mender.isLearnedFor(m_entry))
            reason = joinedSentences({reason, Tr::tr("Its comments come from other recipes: check them.")});
        appendCreate(reason, !deleted);
    }

    void addPromised()
    {
        // A link, a folder or a file that is not text: it is never overwritten.
        if (m_entry.text.isEmpty() && m_entry.state == RecipeState::Broken && !m_entry.findings.isEmpty() &&
            m_entry.findings.constFirst().rule != "file-empty"_L1) {
            ChangedFile &file = append(Action::Rewrite, m_error, false);
            file.possible = false;
            file.reason = joinedSentences({file.reason, Tr::tr("Move it away by hand first.")});
            return;
        }
        if (m_mender.follows(m_entry) && packageOf(m_entry.file) == m_entry.variant.name()) {
            append(Action::Keep, Tr::tr("It follows the files that it imports."), false).follows = true;
            return;
        }
        const std::optional<Mended> mended = m_mender.mended(m_entry);
        if (packageOf(m_entry.file) != m_entry.variant.name())
            addRename(mended);
        else if (mended)
            addMended(*mended);
        else if (!m_error.isEmpty()) {
            ChangedFile &file = append(
                Action::Rewrite,
                withStanding(joinedSentences({m_error, Tr::tr("It cannot be changed in place; regenerating it loses "
                                                              "its own comments and changes.")}),
                             m_entry.file),
                false);
            needsTemplate(file);
            if (file.possible && isInImports() && m_mender.isLearnedFor(m_entry)) {
                file.possible = false;
                file.reason = withStanding(
                    joinedSentences(
                        {m_error, Tr::tr("It cannot be changed in place, and is not in the recipe itself.")}),
                    m_entry.file);
            } else if (file.possible && !m_mender.isMendedByTemplate(m_entry)) {
                file.possible = false;
                file.reason = withStanding(
                    joinedSentences(
                        {m_error, Tr::tr("It cannot be changed in place, and its template has that error too.")}),
                    m_entry.file);
            }
        } else if (m_mender.isBehind(m_entry))
            addBehind();
        else if (m_entry.rendered.isEmpty())
            append(Action::Keep, Tr::tr("It has no errors; there is no template to compare it with."), false);
        else if (m_entry.text != m_entry.rendered)
            append(Action::Rewrite, withStanding(whyUnlike(), m_entry.file), false).group =
                m_entry.state == RecipeState::Equivalent ? Tr::tr("Same build")
                : m_entry.state == RecipeState::Broken   ? QString()
                                                         : Tr::tr("Customised");
        else if (!isCommitted(m_entry.file))
            append(Action::Keep, Tr::tr("It has its template's text and is not committed yet."), false);
        else
            append(Action::Keep, Tr::tr("It has its template's text."), false);
    }

    /// Whether all errors are in what the recipe imports: others that import it have them too.
    [[nodiscard]] bool isInImports() const
    {
        return std::ranges::all_of(m_entry.findings, [](const Finding &finding) {
            return finding.severity != Severity::Error || !finding.file.isEmpty();
        });
    }

    /// Adds a recipe that does not follow the settings and cannot be changed in place.
    void addBehind()
    {
        const QString why = m_entry.rendered.isEmpty() ? QString() : m_mender.whyTemplateIsBehind(m_entry);
        const bool helps = why.isEmpty() && m_entry.text != m_entry.rendered;
        const QStringList keys = m_mender.keysBehind(m_entry);
        const QString reason =
            joinedSentences({Tr::tr("It does not follow the branch settings, and cannot be changed in place."),
                             keys.isEmpty() ? QString() : withFullStop(keys.join("; "_L1)),
                             helps           ? Tr::tr("Regenerating it loses its own comments and changes.")
                             : why.isEmpty() ? Tr::tr("Its template gives the same text.")
                                             : Tr::tr("Its template does not help: %1.").arg(why)});
        ChangedFile &file = append(Action::Rewrite, withStanding(reason, m_entry.file), false);
        needsTemplate(file);
        file.possible = file.possible && helps;
    }

    void addMended(const Mended &mended)
    {
        const QString why =
            !m_error.isEmpty() && !mended.errorsStay ? m_error : Tr::tr("It does not follow the branch settings.");
        ChangedFile &file = appendTouching(Action::Rewrite, joinedSentences({why, mended.how}));
        file.after = mended.text;
        if (mended.inPlace && file.chosen)
            file.group = Tr::tr("Changed in place");
    }

    void addRename(const std::optional<Mended> &mended)
    {
        const QString old = Tr::tr("%1 is an old form of the name").arg(fileName(m_entry.file));
        ChangedFile &file = appendTouching(
            Action::Rename, mended              ? joinedSentences({withFullStop(old), m_error, mended->how})
                            : m_error.isEmpty() ? Tr::tr("%1; the recipe has no errors and is not changed.").arg(old)
                                                : Tr::tr("%1; the problem of the recipe stays: %2").arg(old, m_error));
        file.newPath = m_entry.variant.file();
        if (mended)
            file.after = mended->text;
        // Whoever keeps a family that the catalog does not know may have names of their own.
        file.chosen = file.chosen && m_mender.declares(m_entry.variant);
    }

    /// The grid's reason for the difference.
    [[nodiscard]] QString whyUnlike() const
    {
        // errorOf() ignored it, because only its sibling recipe is missing.
        if (m_entry.state == RecipeState::Broken)
            return joinedSentences({m_entry.reason, Tr::tr("Fix that recipe.")});
        if (m_entry.reason.isEmpty() ||
            (m_entry.state != RecipeState::Equivalent && m_entry.state != RecipeState::Customised))
            return Tr::tr("It differs from its template but has no errors.");
        return m_entry.state == RecipeState::Equivalent
                   ? m_entry.reason
                   : joinedSentences({m_entry.reason, Tr::tr("It has no errors.")});
    }

    void addUnpromised()
    {
        if (m_entry.state == RecipeState::Unsupported)
            appendDelete(m_entry.file,
                         Tr::tr("The branch settings do not list it, and it is impossible: %1").arg(m_entry.reason));
        else if (!m_mender.knowsRow(m_entry.variant))
            append(Action::Keep,
                   Tr::tr("The catalog has no row %1, so settings cannot list it.").arg(m_entry.variant.row), false);
        else if (!m_error.isEmpty())
            appendDelete(m_entry.file, Tr::tr("The branch settings do not list it. %1").arg(m_error));
        else
            appendDelete(m_entry.file, Tr::tr("The branch settings do not list it. It has no errors."));
    }

    void addDuplicate(const QString &file)
    {
        const QString package = packageOf(file);
        if (!m_entry.covered) {
            append(Action::Keep, package, file,
                   Tr::tr("It is a separate package, which the branch settings do not list."), false);
            return;
        }
        appendDelete(file, Tr::tr("%1 is the recipe of that cell, and a cell has only one.")
                               .arg(fileName(m_entry.present ? m_entry.file : m_entry.variant.file())));
    }

    /// Never chosen: the user must decide.
    void appendDelete(const QString &file, const QString &reason)
    {
        append(Action::Delete, file == m_entry.file ? m_entry.variant.name() : packageOf(file), file,
               withStanding(reason, file), false);
    }

    /// A change that removes or replaces the text: not chosen if the text was never committed.
    ChangedFile &appendTouching(Action action, const QString &reason)
    {
        return append(action, withStanding(reason, m_entry.file), isCommitted(m_entry.file));
    }

    [[nodiscard]] bool isCommitted(const QString &file) const { return !m_uncommitted.contains(file); }

    /// The file's status relative to the commit, and the reason; the more important part comes first.
    [[nodiscard]] QString withStanding(const QString &reason, const QString &file) const
    {
        if (isCommitted(file))
            return reason;
        return (m_uncommitted.value(file) == Uncommitted::Never ? Tr::tr("It was never committed. %1")
                                                                : Tr::tr("It has uncommitted changes. %1"))
            .arg(reason);
    }

    const QMap<QString, Uncommitted> &m_uncommitted;
    const BranchContent &m_content;
    Mender &m_mender;
    const VariantEntry &m_entry;
    QList<PlacedFile> &m_files;
    const QString m_error;
};

/// The text of a recipe as it would be written if it was not there; nullopt: no other one can be turned into it. A
/// template that was learned from recipes has the words of those.
std::optional<QByteArray> writtenAnew(const RecipeCache &recipes, const BranchSnapshot &snapshot,
                                      const VariantEntry &entry)
{
    const Catalog &catalog = *recipes.catalog();
    if (const auto like = recipeLikeItsNeighbours(catalog, snapshot, entry.variant))
        return inWordsOfSiblings(recipes, snapshot, entry.variant, like->text);
    return isServedByTemplate(catalog, snapshot, entry.variant) ? std::optional(entry.rendered) : std::nullopt;
}

/// Gives the recipes that are rewritten only if the user wants it a text of their own cell. `named`: only these, as
/// PlanRequest has them; the others keep their text.
void writeAnew(const RecipeCache &recipes, const BranchSnapshot &snapshot, QList<PlacedFile> &placed,
               const std::optional<QStringList> &named)
{
    QList<std::pair<ChangedFile *, const VariantEntry *>> wanted;
    for (PlacedFile &one : placed) {
        const VariantEntry *entry = snapshot.find(one.variant.name());
        ChangedFile &file = one.file;
        if (file.action != Action::Rewrite || file.chosen || !file.possible || !entry || entry->committed.isEmpty() ||
            file.after != entry->rendered || !isLearned(snapshot.settings.profileOf(one.variant).templateName))
            continue;
        if (!named || named->contains(file.name) || named->contains(file.path))
            wanted.append({&file, entry});
        else
            file.after = file.before;
    }
    inParallel(wanted.size(), [&](qsizetype i) {
        const auto &[file, entry] = wanted.at(i);
        file->after = writtenAnew(recipes, snapshot, *entry);
    });
    for (const auto &[file, entry] : std::as_const(wanted)) {
        if (file->after && file->after != file->before)
            continue;
        if (file->after) { // nothing to choose
            file->action = Action::Keep;
            file->group.clear();
            file->reason = Tr::tr("Made from the nearest recipe, it has the same text.");
        } else
            leaveImpossible(
                *file, Tr::tr("Its template has the words of other recipes, and none of them can be turned into it."));
        file->after = file->before;
    }
}

/// As the other repaired(), with the imported files in `library` instead of in the change.
ChangeSet repaired(const RecipeCache &recipes, const BranchSnapshot &snapshot, const BranchContent &content,
                   Library &library, const std::optional<QStringList> &named)
{
    Mender mender(recipes, snapshot, content, library);
    QList<PlacedFile> placed;
    for (const VariantEntry &entry : snapshot.entries)
        FilesOfEntry(snapshot, content, mender, entry, placed).add();
    writeAnew(recipes, snapshot, placed, named);
    std::ranges::stable_sort(placed, [](const PlacedFile &a, const PlacedFile &b) {
        return std::tie(a.file.action, a.variant, a.file.name) < std::tie(b.file.action, b.variant, b.file.name);
    });
    ChangeSet changes = changeOf(snapshot, ChangeSet::Until::Commit);
    for (const PlacedFile &one : std::as_const(placed))
        changes.files.append(one.file);
    changes.warnings += mender.warnings();
    return changes;
}

} // namespace

ChangeSet repaired(const RecipeCache &recipes, const BranchSnapshot &snapshot, const BranchContent &content,
                   const std::optional<QStringList> &named)
{
    Library library(recipes, content, content.shownFiles);
    ChangeSet changes = repaired(recipes, snapshot, content, library, named);
    changes.files += library.changedFiles();
    return changes;
}

namespace {

/// Why a name is not among the steps, and which command adds it.
Error unknownName(const Catalog &catalog, const BranchSnapshot &snapshot, const ChangeSet &changes, const Error &error)
{
    const QString &name = error.subject;
    const auto named = VariantName::parse(name, catalog.isaIds());
    const bool known = std::ranges::any_of(changes.files, [&name](const ChangedFile &file) {
        return file.name == name || file.path == name || packageOf(file.path) == name;
    });
    if (known)
        return Error(error).ofUsage();
    if (!named || !named->canonical)
        return Error{Tr::tr("plan"), name, Tr::tr("that is neither a variant's name nor a file of the branch"),
                     Tr::tr("\"list\" shows the names.")}
            .ofUsage();
    if (const Validity validity = catalog.validity(named->variant); !validity.valid)
        return Error{Tr::tr("plan"), name, validity.reason, {}};
    if (const auto unknown = unknownWord(catalog, Tr::tr("plan"), named->variant, snapshot))
        return *unknown;
    return Error{Tr::tr("plan"), name,
                 Tr::tr("the settings of branch %1 do not list it, and it has no recipe").arg(changes.title()),
                 Tr::tr("\"generate %1\" writes it anyway; \"settings set coverage.%2\" lists it.")
                     .arg(name, named->variant.row)};
}

/// The plan with what the request asks for chosen: its tables and documents are those of that.
Result<ChangeSet> chosenBy(const Catalog &catalog, const BranchSnapshot &snapshot, const PlanRequest &request,
                           ChangeSet plan)
{
    QStringList names = request.named.value_or(QStringList());
    for (const ChangedFile &file : std::as_const(plan.files)) {
        const auto named = VariantName::parse(file.name, catalog.isaIds());
        if (file.chosen && !request.filter.isEmpty() && named && request.filter.accepts(named->variant, *plan.settings))
            names.append(file.name);
    }
    if (!names.isEmpty() || !request.filter.isEmpty()) {
        Result<ChangeSet> some = choose(plan, names);
        if (!some)
            return unknownName(catalog, snapshot, plan, some.error());
        plan = std::move(some).value();
        for (ChangedFile &file : plan.files)
            file.chosen = file.chosen && !names.isEmpty(); // what they import either
    }
    for (ChangedFile &file : plan.files) {
        const auto named = VariantName::parse(file.name, catalog.isaIds());
        const bool meant =
            request.filter.isEmpty() || (named && request.filter.accepts(named->variant, *plan.settings));
        file.chosen |= request.deletes && file.action == Action::Delete && file.possible && meant;
    }
    return plan;
}

} // namespace

Result<QList<ChangeSet>> prepared(const Preparation &preparation, const PlanRequest &request)
{
    TM_TRY(read, preparation.readKnown(request.branch, Tr::tr("plan"), preparation.hooks));
    if (!read->snapshot->hasMatrix())
        return noMatrix(Tr::tr("plan"), read->snapshot->branch);
    Library library(preparation.recipes(), *read->content, read->content->shownFiles);
    TM_TRY(chosen, chosenBy(*preparation.recipes().catalog(), *read->snapshot, request,
                            repaired(preparation.recipes(), *read->snapshot, *read->content, library, request.named)));
    ChangeSet changes = std::move(*chosen);
    preparation.completeTables(*read, library, changes);
    for (const Finding &finding : auditSettings(*preparation.recipes().catalog(), read->snapshot->settings))
        changes.warnings.append(u"%1: %2 %3"_s.arg(settingsFileName, finding.sentence, finding.advice));
    preparation.nameSettings(changes, *read);
    const bool isWhole = request.named.value_or(QStringList()).isEmpty() && request.filter.isEmpty();
    return preparation.checked(std::move(changes), *read, isWhole);
}

} // namespace tmx
