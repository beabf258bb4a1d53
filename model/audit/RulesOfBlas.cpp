// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Prose.h"
#include "model/audit/Rules.h"
#include "model/base/Tr.h"

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

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
        report.add(subject.facts.blas().spot, why, Tr::tr("Use OpenBLAS."));
}

void blasUnfree(const Subject &subject, Report &report)
{
    const PinFacts *pin = subject.pin();
    if (statedBlas(subject) != mkl || subject.package.source != "pin"_L1 || !pin ||
        (pin->allowUnfree && (!pin->allowUnfree.known || pin->allowUnfree.value)))
        return;
    report.add(pin->allowUnfree ? pin->allowUnfree.spot : pin->spot,
               Tr::tr("Intel MKL is unfree, and its nixpkgs does not allow unfree packages."),
               Tr::tr("Set config.allowUnfree = true."));
}

void blasOther(const Subject &subject, Report &report)
{
    const Blas wanted = subject.input.catalog->blasOf(subject.input.variant, subject.base.blas);
    if (wanted == Blas::Default || !subject.understood() || !subject.isa)
        return;
    const QString stated = statedBlas(subject);
    if (stated == toString(wanted) || (stated.isEmpty() && subject.facts.blas()) ||
        (stated.isEmpty() && !subject.wasRead(subject.facts.compiled(), Subject::Everything)))
        return;
    report.add(stated.isEmpty() ? subject.packageSpot() : subject.facts.blas().spot,
               Tr::tr("It uses %1 for linear algebra, but the branch settings say %2.")
                   .arg(stated.isEmpty() ? Tr::tr("nixpkgs' default") : titleOf(stated), titleOf(toString(wanted))),
               Tr::tr("Choose %1 with an overlay on blas and lapack.").arg(toString(wanted)));
}

void lapackOther(const Subject &subject, Report &report)
{
    const OverlayFacts *blas = subject.overlay(OverlayFacts::Kind::Blas);
    const OverlayFacts *lapack = subject.overlay(OverlayFacts::Kind::Lapack);
    if (blas && !lapack)
        report.add(blas->spot,
                   Tr::tr("An overlay chooses %1 for BLAS, and none chooses LAPACK.").arg(blas->value.value),
                   Tr::tr("Add lapack = prev.lapack.override { lapackProvider = final.%1; }.").arg(blas->value.value));
    else if (blas && lapack && blas->value.known && lapack->value.known && blas->value.value != lapack->value.value)
        report.add(lapack->value.spot,
                   Tr::tr("BLAS comes from %1, but LAPACK from %2.").arg(blas->value.value, lapack->value.value),
                   Tr::tr("Use %1 for both.").arg(blas->value.value),
                   subject.replaced(lapack->value.spot, lapack->value.value, blas->value.value));
}

void blasInWords(const Subject &subject, Report &report)
{
    const QString stated = statedBlas(subject);
    if (stated.isEmpty())
        return;
    const NamedText *said = subject.package.passthruOf(u"blasProvider");
    if (said && said->value != stated && (said->value == mkl || said->value == openblas))
        report.add(said->spot, Tr::tr("passthru.blasProvider is %1, but it uses %2.").arg(said->value, titleOf(stated)),
                   Tr::tr("Write %1.").arg(stated), subject.replaced(said->spot, said->value, stated));
    static const QRegularExpression words(uR"((?<![\p{L}\p{N}-])(OpenBLAS|MKL)(?![\p{L}\p{N}-]))"_s,
                                          QRegularExpression::CaseInsensitiveOption);
    for (const Prose &prose : subject.prose()) {
        for (const Prose::Mention &mention : prose.mentions(words)) {
            const QString word = mention.match.captured(1);
            if (word.toLower() == stated || prose.sentenceAt(mention.from).contains(stated, Qt::CaseInsensitive))
                continue;
            report.add(prose.spotOf(mention), Tr::tr("Its text says %1, but it uses %2.").arg(word, titleOf(stated)),
                       Tr::tr("Write %1.").arg(titleOf(stated)));
            return;
        }
    }
}

constexpr RuleEntry rulesOfBlas[] = {
    {"blas-not-here", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "Intel MKL is chosen for a CPU that it "
                                  "does not support."),
     false, blasNotHere, QT_TRANSLATE_NOOP("tmx::Tr", "It does not evaluate."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"blas-unfree", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "Intel MKL is chosen, and unfree packages are not allowed."), false, blasUnfree,
     QT_TRANSLATE_NOOP("tmx::Tr", "It does not evaluate."), QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"blas-other", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "The recipe uses a different BLAS than the branch settings."), false, blasOther,
     QT_TRANSLATE_NOOP("tmx::Tr", "Its neighbours compute with another library."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"lapack-other", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "BLAS and LAPACK come from different "
                                  "libraries."),
     true, lapackOther, QT_TRANSLATE_NOOP("tmx::Tr", "Two libraries with the same symbols meet in one program."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"blas-text-other", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "A text or passthru.blasProvider names a different BLAS than the recipe "
                                  "uses."),
     true, blasInWords, QT_TRANSLATE_NOOP("tmx::Tr", "Users take it for a build with the other library."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
};

} // namespace

std::span<const RuleEntry> blasRules()
{
    return rulesOfBlas;
}

} // namespace tmx
