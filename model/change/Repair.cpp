// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/VariantName.h"
#include "model/change/Makers.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;
using Action = tmx::ChangeAction;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::Repair)
};

QString fileName(const QString &path)
{
    return packageOf(path) + (path.endsWith("/default.nix"_L1) ? "/default.nix"_L1 : ".nix"_L1);
}

/// A file with the variant whose place in the grid it takes.
struct PlacedFile {
    ChangedFile file;
    Variant variant;
};

/// The gravest thing that is wrong with the text of a recipe, in a sentence; empty: nothing. Not meant are what is
/// wrong with its name alone, which a rename mends, and a missing sibling, which its own recipe mends.
QString errorOf(const VariantEntry &entry)
{
    QStringList sentences;
    for (const Finding &finding : entry.findings) {
        if (finding.severity == Severity::Error && finding.rule != "name-dotted"_L1 &&
            finding.rule != "companion-sibling-missing"_L1)
            sentences.append(finding.sentence);
    }
    if (sentences.isEmpty())
        return entry.state == RecipeState::Broken && entry.findings.isEmpty() && !entry.package().contains(u'.')
                   ? entry.reason
                   : QString();
    if (sentences.size() == 1)
        return sentences.constFirst();
    return Words::tr("%1 And %n more.", nullptr, int(sentences.size() - 1)).arg(sentences.constFirst());
}

/// What is done with the files of one entry of the snapshot.
class FilesOfEntry
{
public:
    FilesOfEntry(const BranchSnapshot &snapshot, const BranchContent &content, const VariantEntry &entry,
                 QList<PlacedFile> &files)
        : m_uncommitted(snapshot.uncommitted)
        , m_content(content)
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
        needsTemplate(append(Action::Create, m_entry.variant.name(), m_entry.variant.file(), reason, chosen));
    }

    /// A Create or Rewrite without a text to write cannot be done.
    void needsTemplate(ChangedFile &file) const
    {
        if (!m_entry.rendered.isEmpty())
            return;
        file.chosen = false;
        file.possible = false;
        file.reason += u' ' + Words::tr("The line has no template that gives it.");
    }

    void addAbsent()
    {
        if (m_entry.hole)
            appendCreate(m_entry.reason + u' ' + Words::tr("The branch settings do not list it."), false);
        if (!m_entry.covered)
            return; // deleted, or a suffixed file alone: addDuplicate speaks of that
        if (m_entry.state == RecipeState::Unsupported) {
            append(Action::Create, m_entry.variant.name(), m_entry.variant.file(), m_entry.reason, false).possible =
                false;
            return;
        }
        const bool deleted = m_entry.present;
        QString reason = deleted ? Words::tr("It was deleted in the working tree, and that is not committed.")
                                 : Words::tr("The branch settings list it, and there is no recipe.");
        if (!m_entry.present && !m_entry.reason.isEmpty())
            reason += u' ' + m_entry.reason;
        else if (!m_entry.restoredFrom.isEmpty())
            reason += u' ' + Words::tr("Its text is restored from commit %1.").arg(m_entry.restoredFrom.left(10));
        appendCreate(reason, !deleted);
    }

    void addPromised()
    {
        const bool canonical = packageOf(m_entry.file) == m_entry.variant.name();
        if (!m_error.isEmpty() && !canonical) {
            // Neither its name nor its text is of use.
            appendTouching(Action::Delete, m_error);
            appendCreate(Words::tr("It takes the place of %1.").arg(fileName(m_entry.file)), isCommitted(m_entry.file));
            return;
        }
        if (!m_error.isEmpty()) {
            ChangedFile &file = appendTouching(Action::Rewrite, m_error);
            needsTemplate(file);
            // A link, a folder or what is no text: no commit of ours writes over it.
            if (m_entry.text.isEmpty() && m_entry.state == RecipeState::Broken && !m_entry.findings.isEmpty() &&
                m_entry.findings.constFirst().rule != "file-empty"_L1) {
                file.possible = false;
                file.chosen = false;
                file.reason += u' ' + Words::tr("Move it away by hand first.");
            }
            return;
        }
        if (!canonical) {
            ChangedFile &file = appendTouching(
                Action::Rename, Words::tr("%1 is an old form of the name; the recipe is sound and stays as it is.")
                                    .arg(fileName(m_entry.file)));
            file.newPath = m_entry.variant.file();
            return;
        }
        if (m_entry.rendered.isEmpty())
            append(Action::Keep, Words::tr("It has no errors; there is no template to compare it with."), false);
        else if (m_entry.text != m_entry.rendered)
            append(Action::Rewrite, withStanding(whyUnlike(), m_entry.file), false).group =
                m_entry.state == RecipeState::Equivalent ? Words::tr("Equivalent")
                : m_entry.state == RecipeState::Broken   ? Words::tr("Broken")
                                                         : Words::tr("Customised");
        else if (!isCommitted(m_entry.file))
            append(Action::Keep, Words::tr("It is what its template gives; it is not committed yet."), false);
        else
            append(Action::Keep, Words::tr("It is what its template gives."), false);
    }

    /// As the grid says it.
    [[nodiscard]] QString whyUnlike() const
    {
        // errorOf() left it out: the recipe beside it is what is missing.
        if (m_entry.state == RecipeState::Broken)
            return m_entry.reason + u' ' + Words::tr("That recipe is what is to be mended.");
        if (m_entry.reason.isEmpty() ||
            (m_entry.state != RecipeState::Equivalent && m_entry.state != RecipeState::Customised))
            return Words::tr("It differs from its template, and has no errors.");
        return m_entry.state == RecipeState::Equivalent ? m_entry.reason
                                                        : m_entry.reason + u' ' + Words::tr("It has no errors.");
    }

    void addUnpromised()
    {
        if (m_entry.state == RecipeState::Unsupported)
            appendTouching(
                Action::Delete,
                Words::tr("The branch settings do not list it, and it cannot exist: %1").arg(m_entry.reason));
        else if (!m_error.isEmpty())
            appendTouching(Action::Delete, Words::tr("The branch settings do not list it. %1").arg(m_error));
        else
            append(Action::Keep, Words::tr("The branch settings do not list it, and it has no errors."), false);
    }

    void addDuplicate(const QString &file)
    {
        const QString package = packageOf(file);
        if (!m_entry.covered) {
            append(Action::Keep, package, file,
                   Words::tr("It is a package of its own, which the branch settings do not list."), false);
            return;
        }
        // Were it gone, no commit would hold a recipe of the cell, although the work tree does.
        if (m_entry.present && m_uncommitted.value(m_entry.file, Uncommitted::Changed) == Uncommitted::Never &&
            isCommitted(file)) {
            append(Action::Delete, package, file,
                   Words::tr("%1 is the recipe of that cell, and was never committed: commit it first.")
                       .arg(fileName(m_entry.file)),
                   false);
            return;
        }
        append(Action::Delete, package, file,
               withStanding(Words::tr("%1 is the recipe of that cell, and a cell has one.")
                                .arg(fileName(m_entry.present ? m_entry.file : m_entry.variant.file())),
                            file),
               isCommitted(file));
    }

    /// A change after which the text is no longer where it is: not chosen where no commit holds it.
    ChangedFile &appendTouching(Action action, const QString &reason)
    {
        return append(action, withStanding(reason, m_entry.file), isCommitted(m_entry.file));
    }

    [[nodiscard]] bool isCommitted(const QString &file) const { return !m_uncommitted.contains(file); }

    /// How the file stands to the commit, and the reason: what matters most is read first.
    [[nodiscard]] QString withStanding(const QString &reason, const QString &file) const
    {
        if (isCommitted(file))
            return reason;
        return (m_uncommitted.value(file) == Uncommitted::Never
                    ? Words::tr("It was never committed. %1")
                    : Words::tr("It has changes that are not committed. %1"))
            .arg(reason);
    }

    const QMap<QString, Uncommitted> &m_uncommitted;
    const BranchContent &m_content;
    const VariantEntry &m_entry;
    QList<PlacedFile> &m_files;
    const QString m_error;
};

} // namespace

ChangeSet repaired(const BranchSnapshot &snapshot, const BranchContent &content)
{
    QList<PlacedFile> placed;
    for (const VariantEntry &entry : snapshot.entries)
        FilesOfEntry(snapshot, content, entry, placed).add();
    std::ranges::stable_sort(placed, [](const PlacedFile &a, const PlacedFile &b) {
        return std::tie(a.file.action, a.variant, a.file.name) < std::tie(b.file.action, b.variant, b.file.name);
    });
    ChangeSet changes = changeOf(snapshot, ChangeSet::Until::Commit);
    for (const PlacedFile &one : std::as_const(placed))
        changes.files.append(one.file);
    return changes;
}

} // namespace tmx
