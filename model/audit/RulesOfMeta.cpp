// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Rules.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using W = AuditWords;

void platformsOther(const Subject &subject, Report &report)
{
    const StatedList &list = subject.package.platforms;
    if (subject.platform.isEmpty() || !list || !list.known || list.contains(subject.platform))
        return;
    report.add(
        list.items.isEmpty() ? list.spot : list.items.constFirst().spot,
        W::tr("It is for %1, and its instruction set is for %2.").arg(list.values().join(", "_L1), subject.platform),
        W::tr("Write platforms = [ \"%1\" ].").arg(subject.platform),
        listMadeTo(subject.input.text, list.items, {subject.platform}));
}

void platformsExtra(const Subject &subject, Report &report)
{
    const StatedList &list = subject.package.platforms;
    if (!list.known || !list.contains(subject.platform) || list.items.size() < 2)
        return;
    QStringList others = list.values();
    others.removeAll(subject.platform);
    report.add(list.items.constFirst().spot, W::tr("Its flags do not compile on %1.").arg(others.join(", "_L1)),
               W::tr("Write platforms = [ \"%1\" ].").arg(subject.platform),
               listMadeTo(subject.input.text, list.items, {subject.platform}));
}

void platformsMissing(const Subject &subject, Report &report)
{
    if (subject.package.attribute && !subject.package.platforms && !subject.platform.isEmpty())
        report.add(subject.packageSpot(), W::tr("It does not say that it is for %1 alone.").arg(subject.platform),
                   W::tr("Set meta.platforms = [ \"%1\" ].").arg(subject.platform));
}

void driverLow(const Subject &subject, Report &report)
{
    const StatedText &driver = subject.package.driver;
    const QString floor = subject.gpu ? subject.input.catalog->driverFloor(subject.input.variant) : QString();
    if (!driver || floor.isEmpty() || compareVersions(driver.value, floor) >= 0)
        return;
    report.add(driver.spot,
               W::tr("Its text asks for driver %1, and CUDA %2 on %3 needs %4.")
                   .arg(driver.value, subject.input.variant.cuda, subject.row->id, floor),
               W::tr("Write %1.").arg(floor), replaced(subject.input.text, driver.spot, driver.value, floor));
}

bool isWordCharacter(QChar c)
{
    return c.isLetterOrNumber();
}

/// The first word of a text that begins at `start`; empty if none does.
QStringView wordAt(const QString &text, qsizetype start)
{
    qsizetype end = start;
    while (end < text.size() && isWordCharacter(text.at(end)))
        ++end;
    return QStringView(text).sliced(start, end - start);
}

QSet<QStringView> wordsOf(const QString &text)
{
    QSet<QStringView> words;
    for (qsizetype at = 0; at < text.size();) {
        const QStringView word = wordAt(text, at);
        if (!word.isEmpty())
            words.insert(word);
        at += word.size() + 1;
    }
    return words;
}

/// Whether the product is named as a word of its own: "A10" is not in "A100", "L40" not in "L40S".
bool names(const QString &text, const QString &product)
{
    for (qsizetype at = text.indexOf(product); at >= 0; at = text.indexOf(product, at + 1)) {
        const qsizetype end = at + product.size();
        if ((at == 0 || !isWordCharacter(text.at(at - 1))) && (end == text.size() || !isWordCharacter(text.at(end))))
            return true;
    }
    return false;
}

/// What people call the boards of a Jetson row by: a word that all its products share, "Orin" of AGX Orin, Orin NX and
/// Orin Nano.
QString commonWord(const GpuRow &row)
{
    if (!row.jetson || row.products.size() < 2)
        return {};
    for (const QString &word : row.products.constFirst().split(u' ')) {
        const bool everywhere = std::ranges::all_of(
            row.products, [&word](const QString &product) { return product.split(u' ').contains(word); });
        if (everywhere)
            return word;
    }
    return {};
}

void productElsewhere(const Subject &subject, Report &report)
{
    if (!subject.gpu)
        return;
    for (const StatedText *text : {&subject.package.description, &subject.package.longDescription}) {
        if (text->value.isEmpty())
            continue;
        // Some hundred products, of which a text names a few: only those whose first word it has are looked for.
        const QSet<QStringView> words = wordsOf(text->value);
        const auto named = [&](const QString &product) {
            const QStringView first = wordAt(product, 0);
            return (first.isEmpty() || words.contains(first)) && names(text->value, product);
        };
        for (const GpuRow &row : subject.input.catalog->rows) {
            if (!row.isGpu() || row.id == subject.row->id)
                continue;
            QStringList found;
            for (const QString &product : row.products) {
                if (!named(product))
                    continue;
                // "RTX 6000" within "RTX 6000 Ada" would be a board of this row.
                const bool own = std::ranges::any_of(subject.row->products, [&](const QString &ours) {
                    return ours.contains(product) && names(text->value, ours);
                });
                if (!own)
                    found.append(product);
            }
            if (const QString word = commonWord(row); found.isEmpty() && !word.isEmpty() && named(word))
                found.append(word);
            if (!found.isEmpty())
                report.add(
                    text->spot,
                    W::tr("Its text names %1 under %2, which is %3.").arg(found.join(", "_L1), subject.row->id, row.id),
                    W::tr("Take it out of the text, or render the recipe anew."));
        }
    }
}

struct Expected {
    QString name;
    QString value;
};

QList<Expected> expectedPassthru(const Subject &subject)
{
    QList<Expected> expected;
    if (subject.gpu)
        expected.append({u"gpuArch"_s, subject.row->capability});
    else
        expected.append({u"gpuArch"_s, subject.isa ? u"null"_s : u"mps"_s});
    expected.append({u"cpuISA"_s, subject.isa ? subject.isa->id : u"null"_s});
    return expected;
}

void passthruMissing(const Subject &subject, Report &report)
{
    if (!subject.package.attribute || !subject.row)
        return;
    QStringList missing;
    for (const char16_t *name : {u"gpuArch", u"blasProvider", u"cpuISA"}) {
        if (!subject.package.passthruOf(name))
            missing.append(QString(name));
    }
    if (!missing.isEmpty())
        report.add(subject.packageSpot(), W::tr("passthru does not say %1.").arg(missing.join(", "_L1)),
                   W::tr("Tools that read them see this package as any other; add them."));
}

void passthruOther(const Subject &subject, Report &report)
{
    if (!subject.row)
        return;
    const QString sm = "sm_"_L1 + subject.row->id.mid(2);
    for (const Expected &expected : expectedPassthru(subject)) {
        const NamedText *said = subject.package.passthruOf(expected.name);
        if (!said || said->value == expected.value || (said->value == sm && subject.notation == ArchNotation::Sm))
            continue;
        // A notation that PyTorch does not read is another rule's; once that is mended, this is.
        if (expected.name == "gpuArch"_L1 && subject.gpu && said->value == sm)
            continue;
        report.add(said->spot,
                   W::tr("passthru.%1 is %2, and should be %3.").arg(said->name, said->value, expected.value),
                   W::tr("Write %1.").arg(expected.value),
                   expected.value == "null"_L1 ? Edits()
                                               : replaced(subject.input.text, said->spot, said->value, expected.value));
    }
}

constexpr RuleEntry rules[] = {
    {"platforms-other", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Audit", "meta.platforms is not the instruction set's."), true, platformsOther},
    {"platforms-extra", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Audit", "meta.platforms has more than the instruction set's."), true, platformsExtra},
    {"platforms-missing", Severity::Warning, QT_TRANSLATE_NOOP("tmx::Audit", "meta.platforms is missing."), false,
     platformsMissing},
    {"driver-low", Severity::Warning, QT_TRANSLATE_NOOP("tmx::Audit", "The driver in the text is too old."), true,
     driverLow},
    {"product-elsewhere", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Audit", "A product is named under the wrong architecture."), false, productElsewhere},
    {"passthru-other", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Audit", "passthru says something else than the name."), true, passthruOther},
    {"passthru-missing", Severity::Note, QT_TRANSLATE_NOOP("tmx::Audit", "passthru lacks facts."), false,
     passthruMissing},
};

} // namespace

std::span<const RuleEntry> metaRules()
{
    return rules;
}

} // namespace tmx
