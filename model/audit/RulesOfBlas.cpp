// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Prose.h"
#include "model/audit/Rules.h"

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using W = AuditWords;

const QString mkl = u"mkl"_s;
const QString openblas = u"openblas"_s;

/// "Intel MKL" for "mkl".
QString titleOf(const QString &library)
{
    return library == mkl ? u"Intel MKL"_s : library == openblas ? u"OpenBLAS"_s : library;
}

/// The BLAS that the recipe states, if it is one of the two.
QString statedBlas(const Subject &subject)
{
    const StatedText blas = subject.facts.blas();
    return blas.known && (blas.value == mkl || blas.value == openblas) ? blas.value : QString();
}

void blasNotHere(const Subject &subject, Report &report)
{
    if (!subject.isa || statedBlas(subject) != mkl)
        return;
    if (const QString why = subject.input.catalog->whyOtherBlas(subject.input.variant, Blas::Mkl); !why.isEmpty())
        report.add(subject.facts.blas().spot, why, W::tr("Use OpenBLAS."));
}

void blasUnfree(const Subject &subject, Report &report)
{
    const PinFacts *pin = subject.pin();
    if (statedBlas(subject) != mkl || subject.package.source != "pin"_L1 || !pin ||
        (pin->allowUnfree && (!pin->allowUnfree.known || pin->allowUnfree.value)))
        return;
    report.add(pin->allowUnfree ? pin->allowUnfree.spot : pin->spot,
               W::tr("Intel MKL is unfree, and its nixpkgs does not allow unfree packages."),
               W::tr("Set config.allowUnfree = true."));
}

void blasOther(const Subject &subject, Report &report)
{
    const Blas wanted = subject.input.catalog->blasOf(subject.input.variant, subject.base.blas);
    if (wanted == Blas::Default || !subject.understood() || !subject.isa)
        return;
    const QString stated = statedBlas(subject);
    if (stated == toString(wanted) || (stated.isEmpty() && subject.facts.blas()))
        return;
    report.add(stated.isEmpty() ? subject.packageSpot() : subject.facts.blas().spot,
               W::tr("It uses %1 for linear algebra, but the branch settings say %2.")
                   .arg(stated.isEmpty() ? W::tr("nixpkgs' default") : titleOf(stated), titleOf(toString(wanted))),
               W::tr("Choose %1 with an overlay on blas and lapack.").arg(toString(wanted)));
}

void lapackOther(const Subject &subject, Report &report)
{
    const OverlayFacts *blas = subject.overlay(OverlayFacts::Kind::Blas);
    const OverlayFacts *lapack = subject.overlay(OverlayFacts::Kind::Lapack);
    if (blas && !lapack)
        report.add(blas->spot, W::tr("An overlay chooses %1 for BLAS, and none chooses LAPACK.").arg(blas->value.value),
                   W::tr("Add lapack = prev.lapack.override { lapackProvider = final.%1; }.").arg(blas->value.value));
    else if (blas && lapack && blas->value.known && lapack->value.known && blas->value.value != lapack->value.value)
        report.add(lapack->value.spot,
                   W::tr("BLAS comes from %1, but LAPACK from %2.").arg(blas->value.value, lapack->value.value),
                   W::tr("Use %1 for both.").arg(blas->value.value),
                   replaced(subject.input.text, lapack->value.spot, lapack->value.value, blas->value.value));
}

void blasInWords(const Subject &subject, Report &report)
{
    const QString stated = statedBlas(subject);
    if (stated.isEmpty())
        return;
    const NamedText *said = subject.package.passthruOf(u"blasProvider");
    if (said && said->value != stated && (said->value == mkl || said->value == openblas))
        report.add(said->spot, W::tr("passthru.blasProvider is %1, but it uses %2.").arg(said->value, titleOf(stated)),
                   W::tr("Write %1.").arg(stated), replaced(subject.input.text, said->spot, said->value, stated));
    static const QRegularExpression words(uR"((?<![\p{L}\p{N}-])(OpenBLAS|MKL)(?![\p{L}\p{N}-]))"_s,
                                          QRegularExpression::CaseInsensitiveOption);
    for (const Prose &prose : proseOf(subject.input.text, subject.package)) {
        for (const Prose::Mention &mention : prose.mentions(words)) {
            const QString word = mention.match.captured(1);
            if (word.toLower() == stated || prose.sentenceAt(mention.from).contains(stated, Qt::CaseInsensitive))
                continue;
            report.add(mention.spot, W::tr("Its text says %1, but it uses %2.").arg(word, titleOf(stated)),
                       W::tr("Write %1.").arg(titleOf(stated)));
            return;
        }
    }
}

constexpr RuleEntry rulesOfBlas[] = {
    {"blas-not-here", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Audit", "Intel MKL is chosen for a CPU that it "
                                     "does not support."),
     false, blasNotHere, QT_TRANSLATE_NOOP("tmx::Audit", "It does not evaluate."),
     QT_TRANSLATE_NOOP("tmx::Audit", "In tests only so far.")},
    {"blas-unfree", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Audit", "Intel MKL is chosen, and unfree packages are not allowed."), false, blasUnfree,
     QT_TRANSLATE_NOOP("tmx::Audit", "It does not evaluate."),
     QT_TRANSLATE_NOOP("tmx::Audit", "In tests only so far.")},
    {"blas-other", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Audit", "The recipe uses a different BLAS than the branch settings."), false, blasOther,
     QT_TRANSLATE_NOOP("tmx::Audit", "Its neighbours compute with another library."),
     QT_TRANSLATE_NOOP("tmx::Audit", "In tests only so far.")},
    {"lapack-other", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Audit", "BLAS and LAPACK come from different "
                                     "libraries."),
     true, lapackOther, QT_TRANSLATE_NOOP("tmx::Audit", "Two libraries with the same symbols meet in one program."),
     QT_TRANSLATE_NOOP("tmx::Audit", "In tests only so far.")},
    {"blas-text-other", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Audit", "A text or passthru.blasProvider names a different BLAS than the recipe "
                                     "uses."),
     true, blasInWords, QT_TRANSLATE_NOOP("tmx::Audit", "Users take it for a build with the other library."),
     QT_TRANSLATE_NOOP("tmx::Audit", "In tests only so far.")},
};

} // namespace

std::span<const RuleEntry> blasRules()
{
    return rulesOfBlas;
}

} // namespace tmx
