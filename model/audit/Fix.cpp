// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Fix.h"

#include "model/audit/Rules.h"
#include "model/base/Tr.h"

#include <algorithm>

namespace tmx {

namespace {

Error refusal(const AuditInput &input, const Finding &finding, const QString &why)
{
    return {Tr::tr("fix %1 in").arg(finding.rule), finding.file.isEmpty() ? input.file : finding.file, why,
            finding.file.isEmpty() ? Tr::tr("Render the recipe again from its template.") : finding.advice};
}

qsizetype countOf(const FullJudgement &judgement, const QString &rule)
{
    return std::ranges::count_if(judgement.found,
                                 [&rule](const Report::Found &found) { return found.finding.rule == rule; });
}

/// The sentence of an error that the change introduced; empty if there is none.
QString newError(const FullJudgement &before, const FullJudgement &after)
{
    for (const Report::Found &found : after.found) {
        const Finding &finding = found.finding;
        if (finding.severity == Severity::Error && countOf(after, finding.rule) > countOf(before, finding.rule))
            return finding.sentence;
    }
    return {};
}

} // namespace

Result<QByteArray> fixedText(const AuditInput &input, const Finding &finding)
{
    const FullJudgement before = judgeFully(input);
    const auto found = std::ranges::find(before.found, finding, &Report::Found::finding);
    if (found == before.found.end())
        return refusal(input, finding, Tr::tr("the finding belongs to another version of this text"));
    if (found->edits.isEmpty())
        return refusal(input, finding, Tr::tr("it cannot be fixed in place without guessing"));
    const QByteArray old = finding.file.isEmpty() ? input.text : input.files->text(finding.file).value_or(QByteArray());
    const auto text = edited(old, found->edits);
    if (!text)
        return refusal(input, finding, Tr::tr("the changes would overlap"));
    AuditInput fixed = input;
    fixed.facts.reset();
    if (finding.file.isEmpty())
        fixed.text = *text;
    else
        fixed.files = input.files->with({{finding.file, *text}});
    const FullJudgement after = judgeFully(fixed);
    if (const QString broken = newError(before, after); !broken.isEmpty())
        return refusal(input, finding, Tr::tr("this change would break something else (%1)").arg(broken));
    if (countOf(after, finding.rule) >= countOf(before, finding.rule))
        return refusal(input, finding, Tr::tr("the change would not fix it"));
    return *text;
}

} // namespace tmx
