// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Plan.h"

#include "model/catalog/VariantName.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;
using Action = tmx::PlanStep::Action;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::Plan)
};

QString fileName(const QString &path)
{
    return packageOf(path) + (path.endsWith("/default.nix"_L1) ? "/default.nix"_L1 : ".nix"_L1);
}

/// A step with the variant whose place in the grid it takes.
struct PlacedStep {
    PlanStep step;
    Variant variant;
};

/// The gravest thing that is wrong with the text of a recipe, in a sentence; empty: nothing. What is wrong with its
/// name alone is not meant: a rename mends that.
QString errorOf(const VariantEntry &entry)
{
    QStringList sentences;
    for (const Finding &finding : entry.findings) {
        if (finding.severity == Severity::Error && finding.rule != "name-dotted"_L1)
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

/// The steps of one entry of the snapshot.
class Steps
{
public:
    Steps(const BranchSnapshot &snapshot, const VariantEntry &entry, QList<PlacedStep> &steps)
        : m_uncommitted(snapshot.uncommitted)
        , m_entry(entry)
        , m_steps(steps)
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
    PlanStep &append(Action action, const QString &name, const QString &file, const QString &reason, bool chosen)
    {
        m_steps.append({{action, name, file, {}, reason, chosen, true}, m_entry.variant});
        return m_steps.last().step;
    }
    PlanStep &append(Action action, const QString &reason, bool chosen)
    {
        return append(action, m_entry.variant.name(), m_entry.file, reason, chosen);
    }

    /// A Create or Rewrite without a text to write cannot be done.
    void needsTemplate(PlanStep &step) const
    {
        if (!m_entry.rendered.isEmpty())
            return;
        step.chosen = false;
        step.possible = false;
        step.reason += u' ' + Words::tr("The line has no template that gives it.");
    }

    void addAbsent()
    {
        if (!m_entry.covered)
            return; // deleted, or a suffixed file alone: addDuplicate speaks of that
        const bool deleted = m_entry.present;
        QString reason = deleted ? Words::tr("It was deleted in the work tree, and that is not committed.")
                                 : Words::tr("The line promises it, and there is no recipe.");
        if (!m_entry.present && !m_entry.reason.isEmpty())
            reason += u' ' + m_entry.reason;
        PlanStep &step = append(Action::Create, reason, !deleted);
        step.file = m_entry.variant.file();
        needsTemplate(step);
    }

    void addPromised()
    {
        const bool canonical = packageOf(m_entry.file) == m_entry.variant.name();
        if (!m_error.isEmpty() && !canonical) {
            // Neither its name nor its text is of use.
            appendTouching(Action::Delete, m_error);
            PlanStep &step = append(Action::Create, Words::tr("It takes the place of %1.").arg(fileName(m_entry.file)),
                                    isCommitted(m_entry.file));
            step.file = m_entry.variant.file();
            needsTemplate(step);
            return;
        }
        if (!m_error.isEmpty()) {
            PlanStep &step = appendTouching(Action::Rewrite, m_error);
            needsTemplate(step);
            // A link, a folder or what is no text: no commit of ours writes over it.
            if (m_entry.text.isEmpty() && m_entry.state == RecipeState::Broken && !m_entry.findings.isEmpty() &&
                m_entry.findings.constFirst().rule != "file-empty"_L1) {
                step.possible = false;
                step.chosen = false;
                step.reason += u' ' + Words::tr("Move it away by hand first.");
            }
            return;
        }
        if (!canonical) {
            PlanStep &step = appendTouching(
                Action::Rename, Words::tr("%1 is an old form of the name; the recipe is sound and stays as it is.")
                                    .arg(fileName(m_entry.file)));
            step.newFile = m_entry.variant.file();
            return;
        }
        if (m_entry.rendered.isEmpty())
            append(Action::Keep, Words::tr("It is sound; the line has no template to hold it against."), false);
        else if (m_entry.text != m_entry.rendered)
            append(
                Action::Rewrite,
                withStanding(Words::tr("It differs from what the line's template gives, and is sound."), m_entry.file),
                false);
        else if (!isCommitted(m_entry.file))
            append(Action::Keep, Words::tr("It is what the line's template gives; it is not committed yet."), false);
        else
            append(Action::Keep, Words::tr("It is what the line's template gives."), false);
    }

    void addUnpromised()
    {
        if (m_entry.state == RecipeState::Unsupported)
            appendTouching(Action::Delete,
                           Words::tr("The line does not promise it, and it cannot exist: %1").arg(m_entry.reason));
        else if (!m_error.isEmpty())
            appendTouching(Action::Delete, Words::tr("The line does not promise it. %1").arg(m_error));
        else
            append(Action::Keep, Words::tr("The line does not promise it, and it is sound."), false);
    }

    void addDuplicate(const QString &file)
    {
        const QString package = packageOf(file);
        if (!m_entry.covered) {
            append(Action::Keep, package, file, Words::tr("It is a package of its own beside what the line promises."),
                   false);
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
               withStanding(Words::tr("%1 is the recipe of that cell; the line promises no further one.")
                                .arg(fileName(m_entry.present ? m_entry.file : m_entry.variant.file())),
                            file),
               isCommitted(file));
    }

    /// A step after which the text is no longer where it is: not chosen where no commit holds it.
    PlanStep &appendTouching(Action action, const QString &reason)
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
    const VariantEntry &m_entry;
    QList<PlacedStep> &m_steps;
    const QString m_error;
};

} // namespace

Plan planFor(const Catalog &, const BranchSnapshot &snapshot)
{
    QList<PlacedStep> placed;
    for (const VariantEntry &entry : snapshot.entries)
        Steps(snapshot, entry, placed).add();
    std::ranges::stable_sort(placed, [](const PlacedStep &a, const PlacedStep &b) {
        return std::tie(a.step.action, a.variant, a.step.name) < std::tie(b.step.action, b.variant, b.step.name);
    });
    Plan plan;
    plan.branch = snapshot.branch;
    plan.commit = snapshot.commit;
    for (const PlacedStep &step : std::as_const(placed))
        plan.steps.append(step.step);
    return plan;
}

} // namespace tmx
