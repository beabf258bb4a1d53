// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/TrueWords.h"

#include "model/base/Tr.h"
#include "model/recipe/Edits.h"
#include "model/recipe/RecipeFacts.h"
#include "model/template/RecipeContext.h"
#include "model/template/VariantMentions.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// The CPUs that the catalog names for instruction sets of a platform, the longest first: "Skylake-X", "Graviton2".
QStringList cpusOf(const Catalog &catalog, const QString &platform)
{
    static const QRegularExpression separators(u"[,()/+]+"_s), vendor(u"^(Intel|AMD|AWS|NVIDIA|ARM)\\s+"_s),
        year(u"^\\d*\\z"_s);
    QStringList cpus;
    for (const Isa &isa : catalog.isas) {
        if (isa.platform != platform)
            continue;
        cpus += isa.lacking;
        for (const QString &part : isa.hardware.split(separators)) {
            const QString name = part.trimmed().remove(vendor);
            if (!year.match(name).hasMatch())
                cpus.append(name);
        }
    }
    cpus.removeDuplicates();
    std::ranges::stable_sort(cpus, [](const QString &a, const QString &b) { return a.size() > b.size(); });
    return cpus;
}

QString anyOf(const QStringList &words)
{
    QStringList escaped;
    for (const QString &word : words)
        escaped.append(QRegularExpression::escape(word));
    return u"(?:%1)"_s.arg(escaped.join(u'|'));
}

class Words
{
public:
    Words(const RecipeCache &recipes, const BranchSnapshot &snapshot, const Variant &variant)
        : m_catalog(*recipes.catalog())
        , m_snapshot(snapshot)
        , m_variant(variant)
        , m_row(m_catalog.row(variant.row))
        , m_isa(m_catalog.isa(variant.isa))
    {
    }

    QByteArray make(const QByteArray &text)
    {
        m_text = text;
        const Result<QVariantHash> context = recipeContext(m_catalog, m_snapshot.settings, m_variant);
        if (!context || !m_row || !m_isa)
            return text;
        for (const Mention &mention : mentionsIn(text, m_catalog, *context)) {
            if (mention.path == "gpu.products"_L1)
                productsOfRow(mention);
            else if (mention.path == "isa.hardware"_L1)
                hardware(mention);
        }
        apply();
        if (isBoard())
            withoutServers();
        classOfGpus();
        illegalInstructions();
        namesOfCpus();
        praise();
        // A catalog of the user's may have any words.
        return m_text == text || readFacts(m_text).error ? text : m_text;
    }

private:
    /// Whether the row's GPUs are boards that have a CPU of their own.
    [[nodiscard]] bool isBoard() const { return m_row->isGpu() && !m_row->hostIsa.isEmpty(); }

    /// What the text says of the CPU: the board's, or the catalog's for the instruction set.
    [[nodiscard]] QString cpus() const
    {
        return isBoard() ? u"%1 (%2)"_s.arg(m_row->products.join(", "_L1), m_isa->title) : m_isa->hardware;
    }

    void replace(qsizetype from, qsizetype length, const QString &by)
    {
        m_edits.append({quint32(from), quint32(length), by.toUtf8()});
    }
    void apply()
    {
        m_text = edited(m_text, m_edits).value_or(m_text);
        m_edits.clear();
    }

    /// Products of other rows in a list of its own: "H100, L40S".
    void productsOfRow(const Mention &mention)
    {
        static const QRegularExpression separator(u", or |, and | or | and |, |/"_s);
        const auto isForeign = [this](const QString &name) {
            return std::ranges::any_of(m_catalog.rows, [&](const GpuRow &row) {
                return row.capability != m_row->capability && row.products.contains(name);
            });
        };
        const QStringList names = QString::fromUtf8(mention.text).split(separator);
        if (std::ranges::none_of(names, isForeign))
            return;
        QStringList products = m_row->products;
        const auto isSuperchip = [this](const QString &name) { return m_row->superchips.contains(name); };
        const bool ofSuperchips = std::ranges::any_of(names, isSuperchip);
        if (std::ranges::any_of(names, [&](const QString &name) { return !isSuperchip(name) && !isForeign(name); }) ||
            !ofSuperchips)
            products.removeIf([&](const QString &name) { return isSuperchip(name) && !names.contains(name); });
        else
            products.removeIf([&](const QString &name) { return !isSuperchip(name); });
        if (const auto by = spelt(mention, {{u"gpu"_s, QVariantHash{{u"products"_s, products}}}}))
            replace(mention.offset, mention.length, QString::fromUtf8(*by));
    }

    /// A requirement that names CPUs without the instruction set, or those of servers for a board.
    void hardware(const Mention &mention)
    {
        const QString named = QString::fromUtf8(mention.text);
        const bool isFalse =
            !m_isa->lacking.isEmpty() &&
            QRegularExpression(u"(?<![\\w-])%1(?![\\w-])"_s.arg(anyOf(m_isa->lacking))).match(named).hasMatch();
        const bool inBrackets = mention.offset > 0 && m_text.at(mention.offset - 1) == '(';
        const QString wanted = isBoard() && inBrackets ? m_row->products.join(", "_L1) : cpus();
        if (isFalse || isBoard())
            replace(mention.offset, mention.length, wanted);
    }

    /// "AGX Orin datacenter GPU on ARM server (Graviton2)", and what sends their owners to an impossible variant.
    void withoutServers()
    {
        static const QRegularExpression servers(
            u"(?:\\s+(?:data ?cent(?:er|re)|workstation|consumer) GPUs?)?\\s+on (?:an? )?(?:ARM |aarch64 )?servers?"
            "(?: \\([^()\\n]*\\))?|(?<=\\w)\\s+(?:data ?cent(?:er|re)|workstation|consumer) GPUs?(?: \\([^()\\n]*\\))?"_s,
            QRegularExpression::CaseInsensitiveOption);
        static const QRegularExpression advice(
            u"\\s*\\bFor [^.\"]{1,120}?,\\s+use (?:the )?([a-z][\\w]*) (?:variant|build)s? instead\\."_s);
        const QString there = QString::fromLatin1(m_text); // so that offsets count bytes
        for (const QRegularExpressionMatch &match : advice.globalMatch(there)) {
            Variant other = m_variant;
            other.isa = match.captured(1);
            if (m_catalog.isa(other.isa) && !m_catalog.validity(other, m_snapshot.settings).valid)
                replace(match.capturedStart(), match.capturedLength(), {});
        }
        apply();
        for (const QRegularExpressionMatch &match : servers.globalMatch(QString::fromLatin1(m_text)))
            replace(match.capturedStart(), match.capturedLength(), {});
        apply();
    }

    /// Whether a recipe of the branch for the row has these words too.
    [[nodiscard]] bool isSaidOfRow(const QString &words) const
    {
        return std::ranges::any_of(m_snapshot.entries, [&](const VariantEntry &entry) {
            return entry.present && entry.variant != m_variant && entry.variant.row == m_variant.row &&
                   entry.text.toLower().contains(words.toLower().toUtf8());
        });
    }

    /// "Volta consumer architecture" and "V100 datacenter GPU": what other rows are.
    void classOfGpus()
    {
        if (!m_row->isGpu())
            return;
        const QRegularExpression classes(
            u"\\b(?:%1|%2(?=\\s+\\w+(?: ?cent(?:er|re))?\\s+GPUs?\\b))(\\s+(consumer|data ?cent(?:er|re)|workstation|"
            "gaming|professional|mobile|embedded)\\b)"_s.arg(QRegularExpression::escape(m_row->generation),
                                                             anyOf(m_row->products)),
            QRegularExpression::CaseInsensitiveOption);
        for (const QRegularExpressionMatch &match : classes.globalMatch(QString::fromLatin1(m_text))) {
            const bool isOfCatalog = m_row->generation.contains(match.captured(2), Qt::CaseInsensitive);
            if (!isOfCatalog && !isSaidOfRow(match.captured(2)))
                replace(match.capturedStart(1), match.capturedLength(1), {});
        }
        apply();
    }

    /// "with AVX-512 flags to avoid illegal instructions on Sandy Bridge CPUs": the flags of the first instruction set
    /// do that, those of others do not.
    void illegalInstructions()
    {
        static const QRegularExpression avoids(u",?\\s+to\\s+avoid\\s+illegal[\\s-]+instructions?\\s+on\\s+[^.\\n]*"
                                               "\\b(?:CPUs?|processors?|machines?)\\b"_s);
        const bool isFirst = std::ranges::any_of(
            m_catalog.isas, [this](const Isa &isa) { return isa.platform == m_isa->platform && &isa < m_isa; });
        for (const QRegularExpressionMatch &match : avoids.globalMatch(QString::fromLatin1(m_text))) {
            if (isFirst && !m_isa->lacksAvx2 && !isSaidOfIsa(u"illegal instruction"_s))
                replace(match.capturedStart(), match.capturedLength(), {});
        }
        apply();
    }

    /// CPUs of the other platform, or without the instruction set, said of this recipe: "illegal instructions on Sandy
    /// Bridge/Ivy Bridge CPUs". A sentence that tells what it is not for stays.
    void namesOfCpus()
    {
        const QString other = m_isa->platform.startsWith("aarch64"_L1) ? u"x86_64-linux"_s : u"aarch64-linux"_s;
        const QStringList names = cpusOf(m_catalog, other) + m_isa->lacking;
        const QRegularExpression run(
            u"(?<=\\bon )(?:(?:Intel|AMD|AWS) )?%1(?:\\+)?(?:(?:/|, | and | or |, or )(?:(?:Intel|AMD|AWS) )?%1\\+?)*(?= (?:CPUs?|processors?|servers?)\\b)"_s
                .arg(anyOf(names)));
        static const QRegularExpression notFor(u"\\b(?:not|without|instead|use|lacks?|cannot|older|newer)\\b"_s);
        const QString there = QString::fromLatin1(m_text);
        for (const QRegularExpressionMatch &match : run.globalMatch(there)) {
            const qsizetype begin = there.lastIndexOf(QRegularExpression(u"[.;\\n]"_s), match.capturedStart()) + 1;
            if (!notFor.match(there.sliced(begin, match.capturedStart() - begin)).hasMatch())
                replace(match.capturedStart(), match.capturedLength(),
                        isBoard() ? m_row->products.join(", "_L1) : m_isa->hardware);
        }
        apply();
    }

    /// Whether a recipe of the branch with the instruction set has these words too.
    [[nodiscard]] bool isSaidOfIsa(const QString &words) const
    {
        return std::ranges::any_of(m_snapshot.entries, [&](const VariantEntry &entry) {
            return entry.present && entry.variant != m_variant && entry.variant.isa == m_variant.isa &&
                   entry.text.contains(words.toUtf8());
        });
    }
    /// Whether one of its family with another has them, from which they come.
    [[nodiscard]] bool isSaidOfOthers(const QString &words) const
    {
        return std::ranges::any_of(m_snapshot.entries, [&](const VariantEntry &entry) {
            return entry.present && entry.variant.family == m_variant.family && entry.variant.isa != m_variant.isa &&
                   entry.text.contains(words.toUtf8());
        });
    }

    /// "AVX-only" and "(maximum compatibility)".
    void praise()
    {
        static const QRegularExpression only(u"(?<=[\\w.])-only\\b(?= (?:build|flags|variant|recipe))"_s);
        static const QRegularExpression praise(u" \\(((?:broad(?:er|est)?|maximum|wide(?:r|st)?) compatibility)\\)"_s,
                                               QRegularExpression::CaseInsensitiveOption);
        const QString there = QString::fromLatin1(m_text);
        QStringList names{m_isa->title, m_isa->id, m_isa->title.section(u' ', 0, 0)};
        for (const QRegularExpressionMatch &match : only.globalMatch(there)) {
            const auto name = std::ranges::find_if(
                names, [&](const QString &one) { return there.first(match.capturedStart()).endsWith(one); });
            // Only the first instruction set of a platform is all that a CPU has.
            if (name != names.end() && !m_isa->lacksAvx2 && !isSaidOfIsa(*name + match.captured()))
                replace(match.capturedStart(), match.capturedLength(), {});
        }
        for (const QRegularExpressionMatch &match : praise.globalMatch(there)) {
            if (!m_isa->lacksAvx2 && isSaidOfOthers(match.captured(1)) && !isSaidOfIsa(match.captured(1)))
                replace(match.capturedStart(), match.capturedLength(),
                        isBoard() ? QString() : u" (%1)"_s.arg(m_isa->useCase));
        }
        apply();
    }

    const Catalog &m_catalog;
    const BranchSnapshot &m_snapshot;
    const Variant &m_variant;
    const GpuRow *m_row;
    const Isa *m_isa;
    QByteArray m_text;
    Edits m_edits;
};

} // namespace

/// The lines with what an instruction set has more in its title than the variant's, "BF16" of "AVX-512 BF16", which no
/// recipe of the variant's own has.
static QList<int> linesOfOtherIsas(const Catalog &catalog, const BranchSnapshot &snapshot, const Variant &variant,
                                   const QString &text)
{
    const QString own = catalog.isa(variant.isa)->title;
    QStringList words;
    for (const Isa &isa : catalog.isas) {
        if (isa.title.startsWith(own + u' '))
            words.append(QRegularExpression::escape(isa.title.sliced(own.size() + 1)));
    }
    if (words.isEmpty())
        return {};
    const QRegularExpression form(u"\\b(?:%1)\\b"_s.arg(words.join(u'|')));
    QSet<QString> known;
    for (const VariantEntry &entry : snapshot.entries) {
        if (!entry.present || entry.variant == variant || entry.variant.family != variant.family ||
            entry.variant.isa != variant.isa)
            continue;
        for (const QByteArray &line : entry.text.split('\n'))
            known.insert(QString::fromLatin1(line.trimmed()));
    }
    QList<int> lines;
    const QStringList all = text.split(u'\n');
    for (qsizetype i = 0; i < all.size(); ++i) {
        if (form.match(all.at(i)).hasMatch() && !known.contains(all.at(i).trimmed()))
            lines.append(int(i) + 1);
    }
    return lines;
}

QByteArray withTrueWords(const RecipeCache &recipes, const BranchSnapshot &snapshot, const Variant &variant,
                         const QByteArray &text)
{
    return text.isEmpty() ? text : Words(recipes, snapshot, variant).make(text);
}

QString linesInDoubt(const Catalog &catalog, const BranchSnapshot &snapshot, const Variant &variant,
                     const QByteArray &text)
{
    const GpuRow *row = catalog.row(variant.row);
    const Isa *isa = catalog.isa(variant.isa);
    if (!row || !isa)
        return {};
    // Said of another instruction set; of another row.
    const QString title = QRegularExpression::escape(isa->title.section(u' ', 0, 0));
    QList<std::pair<QRegularExpression, bool>> claims{
        {QRegularExpression(u"\\b(?:without|lacks?|lacking|no)[\\s#]+%1(?![\\w.])"_s.arg(title)), false}};
    if (!isa->lacksAvx2)
        claims.append({QRegularExpression(
                           u"\\b(?:broad(?:est)?|maximum|wid(?:e|est))[\\s#]+(?:x86[\\s#]+|CPU[\\s#]+)?compatibility"_s,
                           QRegularExpression::CaseInsensitiveOption),
                       false});
    if (row->isGpu())
        claims.append(
            {QRegularExpression(
                 u"\\b(?:limitation|unsupported|not supported|known (?:bug|issue))\\b[^.]{0,40}\\b%1\\b"_s.arg(
                     QRegularExpression::escape(row->generation))),
             true});
    const QString there = QString::fromLatin1(text);
    QList<int> lines;
    for (const auto &[claim, isOfRow] : std::as_const(claims)) {
        for (const QRegularExpressionMatch &match : claim.globalMatch(there)) {
            const bool isSaid = std::ranges::any_of(snapshot.entries, [&](const VariantEntry &entry) {
                return entry.present && entry.variant != variant && entry.variant.family == variant.family &&
                       (isOfRow ? entry.variant.row == variant.row : entry.variant.isa == variant.isa) &&
                       claim.match(QString::fromLatin1(entry.text)).hasMatch();
            });
            const int line = lineAt(text, quint32(match.capturedStart()));
            if (!isSaid && !lines.contains(line))
                lines.append(line);
        }
    }
    for (const int line : linesOfOtherIsas(catalog, snapshot, variant, there)) {
        if (!lines.contains(line))
            lines.append(line);
    }
    std::ranges::sort(lines);
    QStringList numbers;
    for (const int line : std::as_const(lines))
        numbers.append(QString::number(line));
    return lines.isEmpty()
               ? QString()
               : Tr::tr("%n lines may be true of another row or instruction set only: %1.", nullptr, int(lines.size()))
                     .arg(numbers.join(", "_L1));
}

QString modelOfWords(const BranchSnapshot &snapshot, const Variant &variant)
{
    QString model;
    for (const VariantEntry &entry : snapshot.entries) {
        const Variant &other = entry.variant;
        if (!entry.present || other == variant || other.family != variant.family ||
            other.cuda.isEmpty() != variant.cuda.isEmpty())
            continue;
        if (other.isa == variant.isa)
            return {};
        model = model.isEmpty() ? entry.package() : model;
    }
    return model;
}

} // namespace tmx
