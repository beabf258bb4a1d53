// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Subject.h"

using namespace Qt::StringLiterals;

namespace tmx {

Subject::Subject(const AuditInput &given, const RecipeFacts &read)
    : input(given)
    , facts(read)
    , package(read.package)
    , family(given.catalog->family(given.variant.family))
    , row(given.catalog->row(given.variant.row))
    , isa(given.catalog->isa(given.variant.isa))
    , base(given.line->profileOf(given.variant))
    , torchBase(given.line->profileOf(torchVariantOf(given.variant)))
    , pname(given.line->pnameOf(given.variant))
    , notation(given.line->notationOf(given.variant))
{
    gpu = row && row->isGpu();
    companion = family && family->companion;
    torch = companion ? facts.torch.package.get() : &facts.package;
    platform = isa ? isa->platform : row ? row->platforms.value(0) : QString();
    // Metal has no work of its own that a newer torch would need.
    upgrades = !torchBase.sourceHash.isEmpty() && isa;
}

const OverlayFacts *Subject::overlay(OverlayFacts::Kind kind) const
{
    for (qsizetype i = facts.overlays.size(); i-- > 0;) {
        if (facts.overlays.at(i).kind == kind)
            return &facts.overlays.at(i);
    }
    return nullptr;
}

StatedText Subject::toolkit() const
{
    for (const PackageFacts *from : {&package, torch}) {
        if (const NamedText *argument = from ? from->argument(u"cudaPackages") : nullptr) {
            if (const QString set = argument->value.section(u'.', -1); set.startsWith("cudaPackages_"_L1))
                return {set, argument->spot, true};
        }
    }
    if (const OverlayFacts *selection = overlay(OverlayFacts::Kind::CudaSelection))
        return selection->value;
    for (const PackageFacts *from : {&package, torch}) {
        for (const QString &name : from ? from->inputs : QStringList()) {
            if (name.startsWith("cudaPackages_"_L1))
                return {name.section(u'.', 0, 0), packageSpot(), true};
        }
    }
    return {};
}

QString Subject::wantedToolkit() const
{
    if (!base.cudaAttribute.isEmpty())
        return base.cudaAttribute;
    const Toolkit *toolkit = input.catalog->toolkit(input.variant.cuda);
    return toolkit ? toolkit->attribute : "cudaPackages_"_L1 + QString(input.variant.cuda).replace(u'.', u'_');
}

Spot Subject::packageSpot() const
{
    return package.builder ? package.builder.spot : package.attribute.spot;
}

void Report::begin(const QString &rule, Severity severity)
{
    m_rule = rule;
    m_severity = severity;
}

void Report::add(const Spot &spot, const QString &sentence, const QString &advice, const Edits &edits)
{
    found.append(
        {{m_rule, m_severity, sentence, spot.line, spot.column, int(spot.length), advice, !edits.isEmpty()}, edits});
}

} // namespace tmx
