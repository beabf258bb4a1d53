// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Prose.h"
#include "model/audit/Rules.h"
#include "model/base/Tr.h"
#include "model/catalog/Versions.h"

#include <QSet>

#include <algorithm>
#include <memory>
#include <mutex>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

void platformsOther(const Subject &subject, Report &report)
{
    const StatedList &list = subject.package.platforms;
    if (subject.platform.isEmpty() || !list || !list.known || list.contains(subject.platform))
        return;
    report.add(
        list.items.isEmpty() ? list.spot : list.items.constFirst().spot,
        Tr::tr("It is for %1, but its instruction set is for %2.").arg(list.values().join(", "_L1), subject.platform),
        Tr::tr("Write platforms = [ \"%1\" ].").arg(subject.platform),
        subject.listMadeTo(list.items, {subject.platform}));
}

void systemOther(const Subject &subject, Report &report)
{
    const StatedText system = subject.pin() ? subject.pin()->system : StatedText();
    if (!subject.platform.isEmpty() && system && system.known && system.value != subject.platform)
        report.add(system.spot,
                   Tr::tr("Its nixpkgs is imported for %1, but its instruction set is for %2.")
                       .arg(system.value, subject.platform),
                   Tr::tr("Write \"%1\".").arg(subject.platform),
                   subject.replaced(system.spot, system.value, subject.platform));
}

void platformsExtra(const Subject &subject, Report &report)
{
    const StatedList &list = subject.package.platforms;
    if (list && !list.known && list.items.isEmpty() && !list.notList && !subject.platform.isEmpty())
        report.add(list.spot,
                   Tr::tr("Its platforms are those of nixpkgs' package, but its flags compile only on %1.")
                       .arg(subject.platform),
                   Tr::tr("Write platforms = [ \"%1\" ].").arg(subject.platform));
    if (!list.known || !list.contains(subject.platform) || list.items.size() < 2)
        return;
    QStringList others = list.values();
    others.removeAll(subject.platform);
    report.add(list.items.constFirst().spot, Tr::tr("Its flags do not compile on %1.").arg(others.join(", "_L1)),
               Tr::tr("Write platforms = [ \"%1\" ].").arg(subject.platform),
               subject.listMadeTo(list.items, {subject.platform}));
}

void platformsMissing(const Subject &subject, Report &report)
{
    if (subject.package.attribute && !subject.package.platforms && !subject.platform.isEmpty() &&
        subject.wasRead(subject.package, Subject::Attributes))
        report.add(subject.packageSpot(), Tr::tr("It does not say that it is only for %1.").arg(subject.platform),
                   Tr::tr("Set meta.platforms = [ \"%1\" ].").arg(subject.platform));
}

/// In the text that users read, and in the header.
void driverLow(const Subject &subject, Report &report)
{
    const QString floor = subject.gpu ? subject.input.catalog->driverFloor(subject.input.variant) : QString();
    if (floor.isEmpty())
        return;
    const auto check = [&](const QString &driver, const Spot &spot,
                           void (Report::*add)(const Spot &, const QString &, const QString &, const Edits &)) {
        // "525+" is a common short form of 525.60.13.
        if (compareVersions(driver, floor) < 0 && !floor.startsWith(driver + u'.'))
            (report.*add)(spot,
                          Tr::tr("Its text asks for driver %1, but CUDA %2 on %3 needs %4.")
                              .arg(driver, subject.input.variant.cuda, subject.row->id, floor),
                          Tr::tr("Write %1.").arg(floor), subject.replaced(spot, driver, floor));
    };
    if (const StatedText &driver = subject.package.driver)
        check(driver.value, driver.spot, &Report::add);
    static const QRegularExpression inHeader(uR"((?<=driver)(?:[^\d\n]{1,20})(\d{3}(?:\.\d+){0,2}))"_s,
                                             QRegularExpression::CaseInsensitiveOption);
    for (const Prose &line : subject.header()) {
        for (const Prose::Mention &mention : line.mentions(inHeader))
            check(mention.match.captured(1), line.spotOf(mention, 1), &Report::addNote);
    }
}

/// A common name for the boards of a Jetson row: a word that all its products share, "Orin" for AGX Orin, Orin NX and
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

/// The names that texts use for the boards of GPU rows.
struct Boards {
    QHash<QString, const GpuRow *> rows;
    QRegularExpression names; ///< any of them
};

Boards readBoards(const Catalog &catalog)
{
    Boards boards;
    for (const GpuRow &row : catalog.rows) {
        if (!row.isGpu())
            continue;
        for (const QString &product : row.products)
            boards.rows.insert(product, &row);
        if (const QString word = commonWord(row); !word.isEmpty())
            boards.rows.insert(word, &row);
    }
    boards.names = anyOf(boards.rows.keys());
    return boards;
}

/// The boards of a catalog, read once for all recipes that are audited with it. Valid as long as the catalog is.
std::shared_ptr<const Boards> boardsOf(const Catalog &catalog)
{
    // A copy of the list shares the rows, which stay where they are meanwhile.
    static QList<GpuRow> rows;
    static std::shared_ptr<const Boards> boards;
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    if (rows.constData() != catalog.rows.constData()) {
        rows = catalog.rows;
        boards = std::make_shared<const Boards>(readBoards(catalog));
    }
    return boards;
}

constexpr auto noEdits = [](const Prose::Mention &, const Prose &, const QList<Prose> &) { return Edits(); };

/// Reports each word once, at its first occurrence in the recipe's texts: the result of `choose`, if any. `editsOf`:
/// what fixes it in these texts.
template <class Choose, class EditsOf = decltype(noEdits)>
void tellOfWords(const Subject &subject, Report &report, const QRegularExpression &words, const QString &advice,
                 Choose choose, EditsOf editsOf = noEdits)
{
    QSet<QString> told;
    const auto tell = [&](const QList<Prose> &texts, auto add) {
        for (const Prose &prose : texts) {
            for (const Prose::Mention &mention : prose.mentions(words)) {
                const QString sentence = choose(mention, prose);
                if (sentence.isEmpty() || told.contains(sentence))
                    continue;
                told.insert(sentence);
                (report.*add)(prose.spotOf(mention), sentence, advice, editsOf(mention, prose, texts));
            }
        }
    };
    tell(subject.prose(), &Report::add);
    tell(subject.header(), &Report::addNote);
}

void productElsewhere(const Subject &subject, Report &report)
{
    if (!subject.gpu)
        return;
    const std::shared_ptr<const Boards> boards = boardsOf(*subject.input.catalog);
    tellOfWords(
        subject, report, boards->names, Tr::tr("Remove it from the text, or regenerate the recipe."),
        [&](const Prose::Mention &mention, const Prose &) {
            const QString board = mention.match.captured();
            const GpuRow *row = boards->rows.value(board);
            return row->capability == subject.row->capability
                       ? QString()
                       : Tr::tr("Its text lists %1 under %2, but %1 is %3.").arg(board, subject.row->id, row->id);
        });
    if (!subject.row->mistaken.isEmpty())
        tellOfWords(subject, report, anyOf(subject.row->mistaken),
                    Tr::tr("Write %1.").arg(subject.row->products.join(", "_L1)),
                    [&](const Prose::Mention &mention, const Prose &) {
                        return Tr::tr("Its text lists %1 under %2, but %2 is %3.")
                            .arg(mention.match.captured(), subject.row->id, subject.row->title());
                    });
}

void cpuElsewhere(const Subject &subject, Report &report)
{
    if (!subject.isa || subject.isa->lacking.isEmpty())
        return;
    tellOfWords(subject, report, anyOf(subject.isa->lacking), Tr::tr("Write %1.").arg(subject.isa->hardware),
                [&](const Prose::Mention &mention, const Prose &) {
                    return Tr::tr("Its text names %1, which does not have all of %2: the build would crash with "
                                  "SIGILL there.")
                        .arg(mention.match.captured(), subject.isa->title);
                });
}

void architectureInText(const Subject &subject, Report &report)
{
    if (!subject.row)
        return;
    static const QRegularExpression words(uR"((?<![\p{L}\p{N}_-])(?:SM|sm)[_ ]?(\d{2,3})(?![\p{L}\p{N}+]))"_s);
    const QString number = subject.gpu ? subject.row->id.mid(2) : u"none"_s;
    const QRegularExpression own = compiledOnce(u"[Ss][Mm][_ ]?%1(?![0-9])"_s.arg(number));
    tellOfWords(subject, report, words,
                subject.gpu ? Tr::tr("Write SM%1.").arg(number) : Tr::tr("Remove it from the text."),
                [&](const Prose::Mention &mention, const Prose &prose) {
                    // "Code for SM80 runs on SM86 too" is about this recipe as well.
                    return own.matchView(prose.sentenceAt(mention.from)).hasMatch()
                               ? QString()
                               : Tr::tr("Its text says %1, but its name says %2.")
                                     .arg(mention.match.captured(), subject.row->id);
                });
}

void cudaInText(const Subject &subject, Report &report)
{
    if (!subject.row && !subject.cuda)
        return;
    static const QRegularExpression words(
        uR"((?<![\p{L}\p{N}])CUDA(?:\s+toolkit)?(?:\s*:\s*|\s+)v?(\d{1,2}\.\d{1,2})(?:\.\d+)?(?![\p{L}\p{N}+.]\d|\+))"_s);
    const QString &wanted = subject.input.variant.cuda;
    tellOfWords(subject, report, words,
                subject.cuda ? Tr::tr("Write CUDA %1.").arg(wanted) : Tr::tr("Remove it from the text."),
                [&](const Prose::Mention &mention, const Prose &prose) {
                    const bool own = subject.cuda && (mention.match.captured(1) == wanted ||
                                                      prose.sentenceAt(mention.from).contains(wanted));
                    return own             ? QString()
                           : !subject.cuda ? Tr::tr("Its text says %1, but its name has no CUDA.")
                                                 .arg(mention.match.captured().simplified())
                                           : Tr::tr("Its text says %1, but its name says CUDA %2.")
                                                 .arg(mention.match.captured().simplified(), wanted);
                });
}

/// The edits that write a version in the place of another one wherever these texts of a file have it; none if one of
/// them is not written in one place, or is a part of a range.
Edits versionsReplaced(const QList<Prose> &texts, quint16 file, const QRegularExpression &words, const QString &version,
                       const QString &by)
{
    static const QRegularExpression range(uR"(^\s*(?:or|and|to|through|\+|,|/|-|–)(?:\s|\d|$))"_s);
    Edits edits;
    for (const Prose &prose : texts) {
        for (const Prose::Mention &mention : prose.mentions(words)) {
            const QString stated = mention.match.captured(1);
            const QStringView sentence = prose.sentenceAt(mention.from);
            const Spot spot = prose.spotOf(mention, 1);
            if (stated != version || spot.file != file || sentence.contains(by))
                continue;
            const qsizetype end = sentence.indexOf(mention.match.capturedView()) + mention.match.capturedLength();
            if (spot.length != quint32(stated.toUtf8().size()) || range.matchView(sentence.sliced(end)).hasMatch())
                return {};
            edits.append({spot.offset, spot.length, by.toUtf8()});
        }
    }
    return edits;
}

void pythonInText(const Subject &subject, Report &report)
{
    static const QRegularExpression words(
        uR"((?<![\p{L}\p{N}])Python(?:\s*:\s*|\s+)v?(3\.\d{1,2})(?![\p{L}\p{N}+]))"_s);
    const QString wanted = pythonVersion(subject.input.variant.python);
    const auto choose = [&](const Prose::Mention &mention, const Prose &prose) {
        return prose.sentenceAt(mention.from).contains(wanted)
                   ? QString()
                   : Tr::tr("Its text says %1, but its name says Python %2.")
                         .arg(mention.match.captured().simplified(), wanted);
    };
    const auto edits = [&](const Prose::Mention &mention, const Prose &prose, const QList<Prose> &texts) {
        return versionsReplaced(texts, prose.spotOf(mention, 1).file, words, mention.match.captured(1), wanted);
    };
    tellOfWords(subject, report, words, Tr::tr("Write Python %1.").arg(wanted), choose, edits);
}

/// Where a text says what the package is: in the description, or at the beginning of a sentence. Elsewhere it may say
/// what is needed ("added in PyTorch 2.7").
bool saysWhatItIs(const Subject &subject, const Prose &prose, const Prose::Mention &mention)
{
    static const QRegularExpression atLeast(u"^(\\+|\\s*(or|and)\\s+(newer|later|above|up))"_s);
    const QStringView sentence = prose.sentenceAt(mention.from);
    const qsizetype end = sentence.indexOf(mention.match.capturedView()) + mention.match.capturedLength();
    const bool inDescription = subject.package.description && &prose == &subject.prose().constFirst();
    return (inDescription || sentence.trimmed().startsWith(mention.match.capturedView())) &&
           !atLeast.matchView(sentence.sliced(end)).hasMatch();
}

/// What is built is known, or what the settings say of a recipe that is built from their nixpkgs.
void versionInText(const Subject &subject, Report &report)
{
    const auto check = [&](const StatedText &stated, const Profile &base, const QString &name) {
        const bool ofPin = subject.pin() && subject.pin()->revision.value == base.pin.revision;
        const QString wanted = stated.known ? stated.value : !stated && ofPin ? base.version : QString();
        if (wanted.isEmpty())
            return;
        tellOfWords(subject, report, versionsOf(name), Tr::tr("Write %1.").arg(wanted),
                    [&](const Prose::Mention &mention, const Prose &prose) {
                        return sameVersion(mention.match.captured(1), wanted) || !saysWhatItIs(subject, prose, mention)
                                   ? QString()
                                   : Tr::tr("Its text says %1, but it builds %2.")
                                         .arg(mention.match.captured().simplified(), wanted);
                    });
    };
    const QString word = subject.familyName().word;
    check(subject.facts.version(), subject.base, word);
    if (const QString title = subject.input.catalog->titleOf(word); versionsOf(title) != versionsOf(word))
        check(subject.facts.version(), subject.base, title);
    if (subject.companion && subject.torch)
        check(subject.torch->builtVersion(), subject.torchBase, u"pytorch"_s);
}

/// The description, or the first line of the header, names one instruction set, and it is another one.
void isaInText(const Subject &subject, Report &report)
{
    if (!subject.isa)
        return;
    QHash<QString, const Isa *> isas;
    for (const Isa &isa : subject.input.catalog->isas) {
        for (const QString &name : {isa.title, isa.id, QString(isa.title).remove(u'-')})
            isas.insert(name.toLower(), &isa);
    }
    const QRegularExpression words =
        compiledOnce(anyOf(isas.keys()).pattern(), QRegularExpression::CaseInsensitiveOption);
    const auto wrong = [&](const Prose &text) {
        QList<Prose::Mention> named;
        for (const Prose::Mention &mention : text.mentions(words)) {
            const Isa *isa = isas.value(mention.match.captured().toLower());
            // "AVX-512" is true of AVX-512 BF16 as well, and "ARMv9" is written for ARMv9-A SVE2.
            if (isa == subject.isa || subject.isa->id.startsWith(isa->id))
                return QList<Prose::Mention>();
            named.append(mention);
        }
        return named.size() == 1 ? named : QList<Prose::Mention>();
    };
    const auto tell = [&](const Prose &text, auto add) {
        for (const Prose::Mention &mention : wrong(text))
            (report.*
             add)(text.spotOf(mention),
                  Tr::tr("Its text says %1, but its name says %2.").arg(mention.match.captured(), subject.isa->title),
                  Tr::tr("Write %1.").arg(subject.isa->title), {});
    };
    if (subject.package.description)
        tell(subject.prose().constFirst(), &Report::add);
    if (!subject.header().isEmpty())
        tell(subject.header().constFirst(), &Report::addNote);
}

struct Expected {
    QString name;
    QString value;
};

QList<Expected> expectedPassthru(const Subject &subject)
{
    QList<Expected> expected;
    if (subject.gpu)
        expected.append({u"gpuArch"_s, subject.row->target()});
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
        const bool isTorchs = QStringView(name) == u"blasProvider"; // What companions link has none.
        if (!subject.package.passthruOf(name) && !(isTorchs && subject.companion))
            missing.append(QString(name));
    }
    if (!missing.isEmpty() && subject.wasRead(subject.package, Subject::Attributes))
        report.add(subject.packageSpot(), Tr::tr("passthru lacks %1.").arg(missing.join(", "_L1)),
                   Tr::tr("Add them: tools that read passthru need them to recognise the variant."));
}

void passthruOther(const Subject &subject, Report &report)
{
    if (!subject.row)
        return;
    const QString sm = "sm_"_L1 + subject.row->id.mid(2);
    for (const Expected &expected : expectedPassthru(subject)) {
        const NamedText *said = subject.package.passthruOf(expected.name);
        if (!said || !said->known || said->value == expected.value ||
            (expected.name == "gpuArch"_L1 && said->value == subject.row->id) || // "sm90" names it too
            (said->value == sm && subject.notation == ArchNotation::Sm))
            continue;
        // With or without the suffix of code for one architecture, which other rules judge.
        if (expected.name == "gpuArch"_L1 && subject.gpu &&
            (said->value == subject.row->capability || said->value == subject.row->capability + u'a' ||
             said->value == subject.row->capability + u'f'))
            continue;
        // Another rule reports a notation that PyTorch does not read; its fix comes first.
        if (expected.name == "gpuArch"_L1 && subject.gpu && said->value == sm)
            continue;
        report.add(said->spot,
                   Tr::tr("passthru.%1 is %2 but should be %3.").arg(said->name, said->value, expected.value),
                   Tr::tr("Write %1.").arg(expected.value),
                   expected.value == "null"_L1 ? Edits() : subject.replaced(said->spot, said->value, expected.value));
    }
}

void lineEnds(const Subject &subject, Report &report)
{
    const QByteArray &text = subject.input.text;
    const qsizetype first = text.indexOf("\r\n");
    if (first < 0 || subject.input.converted)
        return;
    Edits edits;
    for (qsizetype at = first; at >= 0; at = text.indexOf("\r\n", at + 1))
        edits.append({quint32(at), 1, {}});
    const QByteArrayView before = QByteArrayView(text).first(first);
    report.add({int(before.count('\n')) + 1, int(first - before.lastIndexOf('\n')), quint32(first), 1},
               Tr::tr("Its lines end with CR LF, and Nix keeps the CR in texts of several lines."),
               Tr::tr("End its lines with LF."), edits);
}

constexpr RuleEntry rulesOfMeta[] = {
    {"line-ends", Severity::Warning, QT_TRANSLATE_NOOP("tmx::Tr", "The lines of a recipe end with CR LF."), true,
     lineEnds,
     QT_TRANSLATE_NOOP("tmx::Tr", "Scripts get the CR: values of variables end with it, and commands are not found."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes written by an editor on Windows; in tests only so far.")},
    {"platforms-other", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "meta.platforms does not match the instruction set."), true, platformsOther,
     QT_TRANSLATE_NOOP("tmx::Tr", "Nix refuses to build it on every machine that could."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"system-other", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "nixpkgs is imported for another machine than the instruction set's."), true,
     systemOther, QT_TRANSLATE_NOOP("tmx::Tr", "Its compiler rejects the flags, or nothing builds it here."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes that say the system themselves; in tests only so far.")},
    {"platforms-extra", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "meta.platforms lists platforms that the instruction set does not have."), true,
     platformsExtra, QT_TRANSLATE_NOOP("tmx::Tr", "It is published for machines whose compiler rejects its flags."),
     QT_TRANSLATE_NOOP("tmx::Tr",
                       "Hand-written CPU recipes for AVX2, and torchvision recipes that keep nixpkgs' list.")},
    {"platforms-missing", Severity::Warning, QT_TRANSLATE_NOOP("tmx::Tr", "meta.platforms is missing."), false,
     platformsMissing, QT_TRANSLATE_NOOP("tmx::Tr", "It is offered on all platforms of nixpkgs' package."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"driver-low", Severity::Warning, QT_TRANSLATE_NOOP("tmx::Tr", "The driver in the text is too old."), true,
     driverLow, QT_TRANSLATE_NOOP("tmx::Tr", "Users install it where CUDA does not start."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Most hand-written GPU recipes: the driver of the GPU, copied to newer toolkits.")},
    {"product-elsewhere", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "A product is named under the wrong architecture."), false, productElsewhere,
     QT_TRANSLATE_NOOP("tmx::Tr", "Owners of that product install a build without code for it."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Every hand-written Hopper recipe that names L40S.")},
    {"cpu-elsewhere", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "The text names a CPU that does not have the instruction set."), false, cpuElsewhere,
     QT_TRANSLATE_NOOP("tmx::Tr", "On that CPU the build crashes with SIGILL."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Hand-written recipes: Graviton3 under ARMv9, Skylake-SP under VNNI.")},
    {"text-architecture-other", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "A text and the name disagree about the GPU architecture."), false,
     architectureInText, QT_TRANSLATE_NOOP("tmx::Tr", "Users take it for another GPU."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes copied from the row above; in tests only so far.")},
    {"text-cuda-other", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "A text and the name disagree about "
                                  "CUDA."),
     false, cudaInText, QT_TRANSLATE_NOOP("tmx::Tr", "Users install the driver of another toolkit."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes copied to another toolkit; in tests only so far.")},
    {"text-python-other", Severity::Warning, QT_TRANSLATE_NOOP("tmx::Tr", "A text and the name disagree about Python."),
     true, pythonInText, QT_TRANSLATE_NOOP("tmx::Tr", "Users take it for another Python."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes copied to another Python; in tests only so far.")},
    {"text-isa-other", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "The description names another CPU instruction set than the name."), false, isaInText,
     QT_TRANSLATE_NOOP("tmx::Tr", "Users choose it for the wrong CPU."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes copied from the column beside them; in tests only so far.")},
    {"text-version-other", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "A text names another version than the recipe builds."), false, versionInText,
     QT_TRANSLATE_NOOP("tmx::Tr", "Users read a wrong version in flox show."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes whose version was changed in one place of two.")},
    {"passthru-other", Severity::Warning, QT_TRANSLATE_NOOP("tmx::Tr", "passthru and the name disagree."), true,
     passthruOther, QT_TRANSLATE_NOOP("tmx::Tr", "Tools that read passthru take it for another variant."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"passthru-missing", Severity::Note, QT_TRANSLATE_NOOP("tmx::Tr", "passthru lacks facts."), false, passthruMissing,
     QT_TRANSLATE_NOOP("tmx::Tr", "Tools that read passthru do not know the variant."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Every hand-written torchvision recipe.")},
};

} // namespace

std::span<const RuleEntry> metaRules()
{
    return rulesOfMeta;
}

} // namespace tmx
