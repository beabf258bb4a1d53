// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/Rewrite.h"

#include "model/audit/Fix.h"
#include "model/recipe/RecipeRenderer.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(tmx::Rewrite)
};

RewriteOffer offerOf(const BranchSnapshot &snapshot, const VariantEntry &entry, const QByteArray &after,
                     const QString &subject)
{
    return {entry.variant.name(),        entry.file, snapshot.branch, snapshot.commit,
            snapshot.checkedOut,         entry.text, after,           subject,
            diffTexts(entry.text, after)};
}

} // namespace

RewriteOffer RewriteOffer::undone() const
{
    RewriteOffer back = *this;
    back.before = after;
    back.after = before;
    back.isUndo = !isUndo;
    back.subject = u"Undo: "_s + subject;
    back.diff = diffTexts(after, before);
    return back;
}

Result<RewriteOffer> offerFix(const std::shared_ptr<const Catalog> &catalog,
                              const std::shared_ptr<const BranchSnapshot> &snapshot, const VariantEntry &entry,
                              const Finding &finding)
{
    const Result<QByteArray> fixed = fixedText(auditInputOf(*catalog, *snapshot, entry), finding);
    if (!fixed)
        return fixed.error();
    return offerOf(*snapshot, entry, *fixed, u"Fix %1 in %2"_s.arg(finding.rule, entry.variant.name()));
}

Result<RewriteOffer> offerTemplate(const std::shared_ptr<const Catalog> &catalog,
                                   const std::shared_ptr<const BranchSnapshot> &snapshot, const VariantEntry &entry)
{
    // What cannot be read cannot be kept either, so it is not written over.
    for (const Finding &finding : entry.findings) {
        if (finding.rule.startsWith("file-"_L1) && finding.rule != "file-empty"_L1)
            return Error{Text::tr("render anew"), entry.file, finding.sentence.chopped(1), finding.advice};
    }
    QByteArray text = entry.rendered;
    if (text.isEmpty()) {
        Result<QByteArray> rendered = RecipeRenderer(catalog).render(snapshot->line, entry.variant);
        if (!rendered)
            return rendered.error();
        text = std::move(rendered).value();
    }
    return offerOf(*snapshot, entry, text, u"Render %1 anew"_s.arg(entry.variant.name()));
}

Result<WriteReport> applyOffer(const QString &path, const RewriteOffer &offer)
{
    ChangeSet changes;
    changes.branch = offer.branch;
    changes.parentCommit = offer.commit;
    changes.until = offer.checkedOut ? ChangeSet::Until::WorkTree : ChangeSet::Until::Commit;
    changes.message = offer.subject + u'\n';
    const Result<CommitResult> done = applyEdits(path, changes, {{offer.file, offer.after, offer.before}});
    return done ? Result<WriteReport>(reportOf(*done, {offer.name})) : done.error();
}

} // namespace tmx
